//! The names in the directory, and the snapshot of the trail that readers work on.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::Error;
use crate::append::read_chain_head;
use crate::chain::ChainHead;
use crate::os::{self, Mode};

/// The current file.
pub(crate) const LOG: &str = "audit.jsonl";
/// The lock file, whose content is the chain head.
pub(crate) const HEAD: &str = "chain.head";

/// `audit-000000000123.jsonl` holds records from 123 on; `audit-000000000123.2.jsonl` if that name was taken.
pub(crate) fn old_name(first: u64, copy: u32) -> String {
    if copy < 2 { format!("audit-{first:012}.jsonl") } else { format!("audit-{first:012}.{copy}.jsonl") }
}

/// First sequence number and copy number of an old file's name.
fn parse_old_name(name: &str) -> Option<(u64, u32)> {
    let stem = name.strip_prefix("audit-")?.strip_suffix(".jsonl")?;
    let (first, copy) = stem.split_once('.').map_or((stem, Some(1)), |(first, copy)| (first, copy.parse().ok()));
    let digits = (12..=15).contains(&first.len()) && first.bytes().all(|b| b.is_ascii_digit());
    digits.then_some(())?;
    Some((first.parse().ok()?, copy?))
}

/// An old file as the directory lists it.
pub(crate) struct Old {
    pub(crate) first: u64,
    pub(crate) copy: u32,
    pub(crate) name: String,
}

/// The old files, oldest first, and the names in the directory that look like the trail's and are not.
pub(crate) fn list(dir: &Path) -> io::Result<(Vec<Old>, Vec<String>)> {
    let mut old = Vec::new();
    let mut foreign = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with("audit") || name == LOG {
            continue;
        }
        match parse_old_name(&name) {
            Some((first, copy)) if entry.file_type()?.is_file() => old.push(Old { first, copy, name }),
            // What this crate itself quarantined was recorded when it was done.
            None if name.contains(".set-aside-") => {}
            _ => foreign.push(name),
        }
    }
    old.sort_by_key(|old| (old.first, old.copy));
    foreign.sort();
    Ok((old, foreign))
}

/// One file of the trail, open, as long as it was when the snapshot was taken.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) file: File,
    pub(crate) size: u64,
}

/// All files of the trail at one moment, oldest first. Writers go on meanwhile; rotation and pruning do not disturb it,
/// because the files stay open.
pub(crate) struct Snapshot {
    pub(crate) parts: Vec<Part>,
    pub(crate) chain_head: Option<ChainHead>,
    pub(crate) foreign: Vec<String>,
}

/// Takes the snapshot under the lock, which is held only for opening the files.
pub(crate) fn snapshot(dir: &Path) -> Result<Snapshot, Error> {
    let wait = Duration::from_secs(10);
    let head_path = dir.join(HEAD);
    let mut planted = false;
    let head = match os::open(None, &head_path, Mode::Read) {
        // A FIFO, which says nothing; the next writer quarantines it.
        Ok(head) if !head.metadata().map_err(|e| Error::io("look at", &head_path, e))?.is_file() => {
            planted = true;
            None
        }
        Ok(head) => {
            if !os::lock(&head, true, wait).map_err(|e| Error::io("lock", &head_path, e))? {
                return Err(Error::Locked { path: head_path, waited: wait });
            }
            Some(head)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(_) if os::is_planted(&head_path) => {
            planted = true;
            None
        }
        Err(error) => return Err(Error::io("open the lock file", &head_path, error)),
    };
    let chain_head = match &head {
        Some(head) => read_chain_head(head).map_err(|e| Error::io("read", &head_path, e))?,
        None => None,
    };
    let (old, mut foreign) = list(dir).map_err(|e| Error::io("list the directory", dir, e))?;
    foreign.extend(planted.then(|| HEAD.to_owned()));
    let mut parts = Vec::with_capacity(old.len() + 1);
    for name in old.into_iter().map(|old| old.name).chain([LOG.to_owned()]) {
        let path = dir.join(&name);
        match os::open(None, &path, Mode::Read) {
            Ok(file) => {
                let meta = file.metadata().map_err(|e| Error::io("look at", &path, e))?;
                if meta.is_file() {
                    parts.push(Part { name, file, size: meta.len() });
                } else {
                    foreign.push(name);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) if os::is_planted(&path) => foreign.push(name),
            Err(error) => return Err(Error::io("open", &path, error)),
        }
    }
    Ok(Snapshot { parts, chain_head, foreign })
}
