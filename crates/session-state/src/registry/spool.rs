//! The spool: what hooks append, in lines, before a registry takes it in.

use std::path::{Path, PathBuf};

use super::event::RegistryEvent;
use crate::error::Error;
use crate::sys;

/// The longest line, in bytes, its end included.
pub const MAX_LINE_BYTES: usize = 256 << 10;

/// The file that is appended to.
const CURRENT: &str = "events.jsonl";

/// Around the number of a finished part.
#[cfg(feature = "sqlite")]
const PREFIX: &str = "events-";
#[cfg(feature = "sqlite")]
const SUFFIX: &str = ".jsonl";

/// Append-only lines of JSON in one directory: `events.jsonl`, and older parts of it as `events-NNNNNNNN.jsonl`.
#[derive(Clone, Debug)]
pub struct Spool {
    dir: PathBuf,
    current: PathBuf,
}

impl Spool {
    /// The spool in this directory. Nothing is touched before something is appended.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        let dir = dir.into();
        Self { current: dir.join(CURRENT), dir }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The parts of the spool, oldest first; the last is the file that is appended to. `rotated` is the highest number of a part that is
    /// known to have existed. Call it only where nobody can rotate: in a transaction of the registry that the spool belongs to.
    #[cfg(feature = "sqlite")]
    pub(super) fn parts(&self, rotated: u64) -> Result<Vec<Part>, Error> {
        let mut parts = Vec::new();
        let entries = match std::fs::read_dir(&self.dir) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(parts),
            other => other.map_err(Error::io("list", &self.dir))?,
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.parse().ok());
            let Some(generation) = number else { continue };
            parts.extend(Part::look(entry.path(), generation));
        }
        parts.sort_by_key(|part| part.generation);
        let generation = parts.last().map_or(0, |part| part.generation).max(rotated) + 1;
        parts.extend(Part::look(self.current.clone(), generation));
        Ok(parts)
    }

    /// Gives the file that is appended to the name of a finished part, so that the next writer begins another.
    #[cfg(feature = "sqlite")]
    pub(super) fn rotate(&self, generation: u64) -> Result<(), Error> {
        let to = self.dir.join(format!("{PREFIX}{generation:08}{SUFFIX}"));
        std::fs::rename(&self.current, to).map_err(Error::io("rename", &self.current))
    }

    /// Appends one record: the file is opened, written once and closed, nothing else. The directory (mode 0700) and the file (mode 0600)
    /// are made when they are missing. Any number of processes may append at once. It does not wait, lock or sync; a link in the
    /// file's place is an error.
    pub fn append(&self, event: &RegistryEvent) -> Result<(), Error> {
        let mut line = Vec::with_capacity(256);
        let written = serde_json::to_writer(&mut line, event).map_err(std::io::Error::other);
        written.map_err(Error::io("append to", &self.current))?;
        line.push(b'\n');
        if line.len() > MAX_LINE_BYTES {
            let found = std::io::Error::other(format!("a record of {} bytes is longer than a line may be", line.len()));
            return Err(Error::io("append to", &self.current)(found));
        }
        let appended = match sys::append_line(&self.current, &line) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                sys::Dir::create(&self.dir).map_err(Error::io("make", &self.dir))?;
                sys::append_line(&self.current, &line)
            }
            other => other,
        };
        appended.map_err(Error::io("append to", &self.current))
    }
}

/// One file of the spool.
#[cfg(feature = "sqlite")]
pub(super) struct Part {
    pub(super) path: PathBuf,
    /// Its number. The file that is appended to has the number that its finished part will have.
    pub(super) generation: u64,
    pub(super) bytes: u64,
    pub(super) modified: std::time::SystemTime,
}

#[cfg(feature = "sqlite")]
impl Part {
    /// The part, if it is a plain file.
    fn look(path: PathBuf, generation: u64) -> Option<Self> {
        let metadata = std::fs::symlink_metadata(&path).ok().filter(std::fs::Metadata::is_file)?;
        let modified = metadata.modified().unwrap_or(std::time::UNIX_EPOCH);
        Some(Self { path, generation, bytes: metadata.len(), modified })
    }

    /// Whether it has its final name. Late writers that had it open may still add to it.
    pub(super) fn is_finished(&self) -> bool {
        !self.path.ends_with(CURRENT)
    }

    /// How the file begins: enough to hold the id of its first record, which no other file has.
    pub(super) fn head(&self) -> Result<String, Error> {
        const HEAD_BYTES: usize = 96;
        let bytes = self.bytes_at(0, HEAD_BYTES)?;
        Ok(String::from_utf8_lossy(&bytes).replace('\0', "\u{fffd}"))
    }

    fn bytes_at(&self, from: u64, most: usize) -> Result<Vec<u8>, Error> {
        use std::io::{Read as _, Seek as _};

        let read = || -> std::io::Result<Vec<u8>> {
            let mut file = std::fs::File::open(&self.path)?;
            file.seek(std::io::SeekFrom::Start(from))?;
            let mut bytes = Vec::new();
            file.take(most as u64).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        read().map_err(Error::io("read", &self.path))
    }

    /// The whole lines from this offset on, in at most `most` bytes, and where they end. Bytes that belong to no line of a possible
    /// length are passed over. What follows the last line end belongs to a writer that is not done, or was killed.
    pub(super) fn lines(&self, from: u64, most: usize) -> Result<(Vec<u8>, u64), Error> {
        let mut bytes = self.bytes_at(from, most)?;
        let end = match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(at) => at + 1,
            None if bytes.len() > MAX_LINE_BYTES => bytes.len(),
            None => 0,
        };
        bytes.truncate(end);
        Ok((bytes, from + end as u64))
    }
}

/// The records in these lines, and how many lines hold none. A line that begins with what a killed writer left ends with a whole
/// record: quotes inside a record's texts are escaped, so this beginning is found nowhere else.
#[cfg(feature = "sqlite")]
pub(super) fn records(bytes: &[u8]) -> (Vec<RegistryEvent>, usize) {
    let mut events = Vec::new();
    let mut unreadable = 0;
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let line = String::from_utf8_lossy(line);
        let last = || line.rfind("{\"v\":").filter(|at| *at > 0).and_then(|at| RegistryEvent::parse(line.get(at..)?));
        let whole = RegistryEvent::parse(&line);
        unreadable += usize::from(whole.is_none());
        events.extend(whole.or_else(last));
    }
    (events, unreadable)
}
