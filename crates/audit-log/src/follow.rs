//! Following a trail while it is written: what is new since the last look, over rotations.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::back::Lines;
use crate::files::{LOG, Part, snapshot};
use crate::os::{self, Mode};
use crate::read::Entry;

/// Reads what is added to a trail. It holds no lock between looks, so writers never wait for it.
///
/// ```
/// # let dir = tempfile::tempdir().unwrap();
/// # let dir = dir.path().join("log");
/// use hook_audit_log::{AuditLog, Follow, Limits, Record};
/// let mut follow = Follow::from_end(&dir)?;
/// AuditLog::new(&dir, Limits::default()).append(&Record::new(chrono::DateTime::UNIX_EPOCH, "Stop"))?;
/// assert_eq!(follow.look()?.len(), 1);
/// assert!(follow.look()?.is_empty());
/// # Ok::<(), hook_audit_log::Error>(())
/// ```
#[derive(Debug)]
pub struct Follow {
    dir: PathBuf,
    /// The current file as it was at the last look.
    current: Option<File>,
    /// Bytes of it that were read, always whole lines.
    offset: u64,
    /// The number of the last record that was given or passed by.
    seq: u64,
}

impl Follow {
    /// Begins behind the last record that is there now. The directory may not be there yet.
    pub fn from_end(dir: &Path) -> Result<Self, Error> {
        let mut follow = Self { dir: dir.to_path_buf(), current: None, offset: 0, seq: 0 };
        if dir.exists() {
            // Older parts than the newest hold no newer record.
            let parts = snapshot(dir)?.parts;
            let older = parts.len().saturating_sub(1);
            follow.take_hold(parts.into_iter().skip(older))?;
        }
        Ok(follow)
    }

    /// The records since the last look, oldest first. Empty while there is no log.
    pub fn look(&mut self) -> Result<Vec<Entry>, Error> {
        if !self.dir.exists() {
            return Ok(Vec::new());
        }
        let mut entries = self.added()?;
        if self.is_replaced() {
            // Nothing is written to a file that has its old name: what it has by now is all.
            entries.extend(self.added()?);
            entries.extend(self.take_hold(snapshot(&self.dir)?.parts)?);
        }
        Ok(entries)
    }

    /// What was added to the file that is open.
    fn added(&mut self) -> Result<Vec<Entry>, Error> {
        let path = self.dir.join(LOG);
        let io = |error| Error::io("read", &path, error);
        let Some(file) = &self.current else { return Ok(Vec::new()) };
        let size = file.metadata().map_err(io)?.len();
        if size < self.offset {
            // Somebody cut it; what stands there now is new.
            (self.offset, self.seq) = (0, 0);
        }
        let file = file.try_clone().map_err(io)?;
        let (entries, whole) = between(file, self.offset, size, self.seq).map_err(io)?;
        self.offset += whole;
        self.seq = entries.last().map_or(self.seq, Entry::seq);
        Ok(entries)
    }

    fn is_replaced(&self) -> bool {
        let Some(current) = &self.current else { return true };
        // Between the rotation and the next record there is no file of that name.
        let now = os::open(None, &self.dir.join(LOG), Mode::Read).and_then(|now| now.metadata());
        now.ok().zip(current.metadata().ok()).is_some_and(|(now, then)| !os::same_file(&now, &then))
    }

    /// Takes hold of the current file among these parts, and gives what stands behind the last record in them.
    fn take_hold(&mut self, parts: impl IntoIterator<Item = Part>) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::new();
        for Part { name, file, size } in parts {
            let io = |error| Error::io("read", &self.dir.join(&name), error);
            let is_current = name == LOG;
            let kept = if is_current { Some(file.try_clone().map_err(io)?) } else { None };
            let (mut new, whole) = between(file, 0, size, self.seq).map_err(io)?;
            self.seq = new.last().map_or(self.seq, Entry::seq);
            entries.append(&mut new);
            if let Some(kept) = kept {
                (self.current, self.offset) = (Some(kept), whole);
            }
        }
        Ok(entries)
    }
}

/// The records of a part of a file with a number above `seq`, and the bytes of the part's whole lines.
fn between(file: File, from: u64, to: u64, seq: u64) -> std::io::Result<(Vec<Entry>, u64)> {
    let mut entries = Vec::new();
    let mut whole = 0;
    let mut lines = Lines::new(file, from, to)?;
    while let Some(line) = lines.next()? {
        // A line without its end is a record that is being written, or one that never will be; the next writer closes it.
        if from + whole + line.length + 1 > to {
            break;
        }
        whole += line.length + 1;
        entries.extend(Entry::parse(line.bytes).filter(|entry| entry.seq() > seq));
    }
    Ok((entries, whole))
}
