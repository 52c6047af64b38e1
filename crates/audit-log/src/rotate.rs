//! Rotation onto a new name, and pruning of the oldest files.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::append::Limits;
use crate::below::{self, Root};
use crate::chain::Link;
use crate::files::{LOG, list, old_name};
use crate::record;
use crate::{Error, os};

/// No reader opens more files than this at once, whatever [`Limits::keep`] says.
const KEEP_MOST: usize = 500;

/// Gives the full file the name of its first record and returns the name. The lock is held.
pub(crate) fn move_away(root: Root<'_>, dir: &Path, log: &File, last: u64) -> Result<String, Error> {
    let from = dir.join(LOG);
    // A file with nothing but a torn line has none of the records up to the last: it must not pass for one that keeps them.
    let first = first_seq(log).unwrap_or(last.saturating_add(1));
    // A name is taken only after tampering or after a record's number was lost; nothing is ever renamed over it.
    for copy in 1..=1_000 {
        let name = old_name(first, copy);
        let to = dir.join(&name);
        match fs::symlink_metadata(&to) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                below::rename(root, &from, &to).map_err(|e| Error::io("rotate", &from, e))?;
                return Ok(name);
            }
            Err(error) => return Err(Error::io("rotate", &to, error)),
        }
    }
    let taken = io::Error::other("1,000 old files have the name already");
    Err(Error::io("rotate", &from, taken))
}

/// The sequence number of the first line; `None` if it is no record.
fn first_seq(log: &File) -> Option<u64> {
    let mut buffer = vec![0; record::LINE_MAX];
    let read = os::read_full_at(log, &mut buffer, 0).ok()?;
    let line = buffer.get(..read)?.split(|b| *b == b'\n').next()?;
    Link::parse(line).map(|link| link.seq)
}

/// The old files that the limits no longer allow.
#[derive(Default)]
pub(crate) struct Doomed {
    pub(crate) files: Vec<PathBuf>,
    /// First sequence number of the oldest file that stays; `None` if none stays or nothing goes.
    pub(crate) first_kept: Option<u64>,
}

/// Chooses what has to go, the oldest first. A directory that cannot be listed is not pruned this time.
pub(crate) fn doomed(dir: &Path, limits: &Limits) -> Doomed {
    let Ok((old, _)) = list(dir) else { return Doomed::default() };
    // The current file may grow to its limit before the next look, so its place is quarantined.
    let mut room = limits.total_max_bytes.saturating_sub(limits.max_bytes);
    let mut keep = 0;
    for file in old.iter().rev().take(limits.keep.min(KEEP_MOST)) {
        let size = fs::symlink_metadata(dir.join(&file.name)).map_or(0, |meta| meta.len());
        let Some(left) = room.checked_sub(size) else { break };
        room = left;
        keep += 1;
    }
    let (gone, stay) = old.split_at_checked(old.len() - keep).unwrap_or_default();
    Doomed {
        files: gone.iter().map(|file| dir.join(&file.name)).collect(),
        first_kept: stay.first().filter(|_| !gone.is_empty()).map(|file| file.first),
    }
}

/// Removes them; how many went. One that cannot be removed is tried again at the next rotation.
pub(crate) fn remove(root: Root<'_>, doomed: &Doomed) -> usize {
    doomed.files.iter().filter(|path| below::remove(root, path).is_ok()).count()
}
