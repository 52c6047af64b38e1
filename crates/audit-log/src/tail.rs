//! The slow answer to "where does the log end?", for when the log is not as the chain head says.

use std::fs::File;
use std::path::Path;

use crate::Error;
use crate::append::End;
use crate::below::Root;
use crate::chain::{ChainHead, Link, last_plausible};
use crate::files::list;
use crate::os::{self, Mode};
use crate::record::LINE_MAX;

/// How far back from the end a record is looked for.
const SEARCH: u64 = 1 << 20;

/// Whether what is open at `path` must not be written to: no regular file, or a second name of somebody else's.
pub(crate) fn is_foreign(log: &File, path: &Path) -> Result<bool, Error> {
    let meta = log.metadata().map_err(|e| Error::io("look at", path, e))?;
    if !meta.is_file() {
        return Ok(true);
    }
    if !os::has_other_names(&meta) {
        return Ok(false);
    }
    // A backup by hard links is no attack: the file still ends with a record.
    let found = Found::at_end(log, meta.len(), last_plausible(None)).map_err(|e| Error::io("read", path, e))?;
    Ok(meta.len() > 0 && found.link.is_none())
}

/// Finds the real end and joins it with what the chain head knows.
pub(crate) fn survey(
    root: Root<'_>,
    dir: &Path,
    log: &File,
    path: &Path,
    chain_head: Option<ChainHead>,
) -> Result<End, Error> {
    let size = log.metadata().map_err(|e| Error::io("look at", path, e))?.len();
    let here = Found::at_end(log, size, last_plausible(chain_head)).map_err(|e| Error::io("read", path, e))?;
    let link = match here.link {
        Some(link) => Some(link),
        // A writer was ended between the rotation and its record, or the current file is gone.
        None => last_of_old(root, dir, last_plausible(chain_head))?,
    };
    let mut end = End { size, open_line: here.open_line, after_torn: here.torn, ..End::START };
    match (chain_head, link) {
        (None, None) => {}
        (None, Some(link)) => {
            end.chain_head_lost = true;
            (end.seq, end.prev, end.time) = (link.seq, link.hash, link.time);
            end.first = oldest(dir, link.seq)?;
        }
        (Some(chain_head), None) => {
            (end.seq, end.prev, end.time, end.first) =
                (chain_head.seq, chain_head.hash, chain_head.time, chain_head.first);
            end.cut_from = (chain_head.seq > 0).then_some(chain_head.first);
        }
        (Some(chain_head), Some(link)) => {
            end.first = chain_head.first;
            end.seq = chain_head.seq.max(link.seq);
            end.time = chain_head.time.max(link.time);
            end.cut_from = (link.seq < chain_head.seq).then_some(link.seq + 1);
            // The same number with another hash is an edited record. Its successor names the hash that was, so that
            // the break stays visible for ever.
            end.prev = if link.seq == chain_head.seq { chain_head.hash } else { link.hash };
        }
    }
    Ok(end)
}

/// The last record of the newest old file.
fn last_of_old(root: Root<'_>, dir: &Path, last: u64) -> Result<Option<Link>, Error> {
    let (old, _) = list(dir).map_err(|e| Error::io("list the directory", dir, e))?;
    let Some(newest) = old.last() else { return Ok(None) };
    let path = dir.join(&newest.name);
    let file = os::open(root, &path, Mode::Read).map_err(|e| Error::io("open", &path, e))?;
    let size = file.metadata().map_err(|e| Error::io("look at", &path, e))?.len();
    Ok(Found::at_end(&file, size, last).map_err(|e| Error::io("read", &path, e))?.link)
}

/// The first record that is vouched for when no chain head says it.
fn oldest(dir: &Path, last: u64) -> Result<u64, Error> {
    let (old, _) = list(dir).map_err(|e| Error::io("list the directory", dir, e))?;
    Ok(old.first().map_or(1, |file| file.first).min(last))
}

/// What stands at the end of a file.
struct Found {
    link: Option<Link>,
    open_line: bool,
    torn: u64,
}

impl Found {
    fn at_end(file: &File, size: u64, last: u64) -> std::io::Result<Self> {
        // Nearly always the last line is in the first block; only behind foreign lines the whole search is read.
        let small = Self::within(file, size, LINE_MAX as u64, last)?;
        if small.link.is_some() || size <= LINE_MAX as u64 { Ok(small) } else { Self::within(file, size, SEARCH, last) }
    }

    fn within(file: &File, size: u64, search: u64, last: u64) -> std::io::Result<Self> {
        let from = size.saturating_sub(search);
        let mut buffer = vec![0; usize::try_from(size - from).unwrap_or(0)];
        let read = os::read_full_at(file, &mut buffer, from)?;
        let bytes = buffer.get(..read).unwrap_or_default();
        let mut lines = bytes.rsplit(|b| *b == b'\n');
        let rest = lines.next().unwrap_or_default();
        let mut found = Self { link: None, open_line: !rest.is_empty(), torn: rest.len() as u64 };
        // A record that lacks nothing but its newline is not torn.
        if let Some(link) = Link::parse(rest).filter(|link| link.seq <= last && link.holds(rest)) {
            return Ok(Self { link: Some(link), torn: 0, ..found });
        }
        found.link = lines.find_map(|line| Link::parse(line).filter(|link| link.seq <= last));
        Ok(found)
    }
}
