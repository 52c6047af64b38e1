//! The spool: what hooks append, in lines, before a registry takes it in.

use std::path::{Path, PathBuf};

use super::event::RegistryEvent;
use crate::error::Error;
use crate::sys;

/// The longest line, in bytes, its end included.
pub const MAX_LINE_BYTES: usize = 256 << 10;

/// The file that is appended to.
const CURRENT: &str = "events.jsonl";

/// Append-only lines of JSON in one folder: `events.jsonl`, and older parts of it as `events-NNNNNNNN.jsonl`.
#[derive(Clone, Debug)]
pub struct Spool {
    folder: PathBuf,
    current: PathBuf,
}

impl Spool {
    /// The spool in this folder. Nothing is touched before something is appended.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self { current: folder.join(CURRENT), folder }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Appends one record: the file is opened, written once and closed, nothing else. The folder (mode 0700) and the file (mode 0600)
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
                sys::Dir::create(&self.folder).map_err(Error::io("make", &self.folder))?;
                sys::append_line(&self.current, &line)
            }
            other => other,
        };
        appended.map_err(Error::io("append to", &self.current))
    }
}
