//! Text logs for people: one stamped line per event, kept below a size by keeping the last lines.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::Error;
use crate::append::write_line;
use crate::back::{ends_with_newline, start_of_last};
use crate::below;
use crate::chain::time_of;
use crate::os::{self, Mode};
use crate::record::hides;
use crate::redact::clip;

/// Characters of a line; a longer one is cut and ends with `…`.
pub const LINE_CHARS: usize = 8_000;
/// Rounds in which an appender looks for the file that has the name now.
const ROUNDS: usize = 50;
const BLOCK: usize = 256 * 1024;

/// A text log for people. Any number of processes may append and rotate at once: none loses a line. It has no chain: for evidence take an
/// [`AuditLog`](crate::AuditLog).
///
/// ```
/// use hook_audit_log::chrono::Utc;
/// use hook_audit_log::text::{TextLog, stamped};
///
/// # fn main() -> Result<(), hook_audit_log::Error> {
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("loop.log");
/// let log = TextLog { max_bytes: 1 << 20, keep_lines: 500, ..TextLog::new(&path) };
/// log.append(&stamped(Utc::now(), "called exec with --token hunter2"))?;
/// log.rotate_if_needed()?;
/// assert!(std::fs::read_to_string(&path).unwrap().ends_with("called exec with --token [redacted]\n"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLog {
    /// The file. Its directory is created with mode 0700, the file with 0600.
    pub path: PathBuf,
    /// The directory behind which no part of the path may be a link. Without one only the file itself must not be one.
    pub root: Option<PathBuf>,
    /// A file of more bytes is rotated by [`Self::rotate_if_needed`].
    pub max_bytes: u64,
    /// Lines that the new file starts with.
    pub keep_lines: usize,
    /// How long to wait for other processes.
    pub lock_wait: Duration,
}

impl TextLog {
    /// A log of at most 512 MiB that keeps 5,000 lines when it rotates, and waits for two seconds.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            root: None,
            max_bytes: 536_870_912,
            keep_lines: 5_000,
            lock_wait: Duration::from_secs(2),
        }
    }

    /// Appends one line in one write; never overwrites. Secrets are redacted, line ends and other control characters
    /// written as escapes, so that one call makes exactly one line. Does not look at the size.
    ///
    /// A link or directory in the file's place is renamed to `NAME.set-aside-N`, never followed. When this returns an error, no
    /// line was written.
    pub fn append(&self, line: &str) -> Result<(), Error> {
        // The first byte closes somebody's unfinished line, if there is one.
        let mut bytes = vec![b'\n'];
        push_line(&mut bytes, line);
        let mut log = self.lock_current()?;
        let size = log.metadata().map_err(|e| self.io("look at", e))?.len();
        let open_line = !ends_with_newline(&log, size).map_err(|e| self.io("read", e))?;
        let bytes = bytes.get(usize::from(!open_line)..).unwrap_or_default();
        write_line(&mut log, bytes, &self.path, size)
    }

    /// Rotates if the file is larger than [`max_bytes`](Self::max_bytes): the whole file becomes `NAME.1`, replacing an older
    /// one, and the new file starts with its last [`keep_lines`](Self::keep_lines) lines. Whether it did.
    ///
    /// Costs one system call if the file is small enough; else it reads only the lines that stay. If those alone are larger than `max_bytes`,
    /// only the last of them are kept, half of `max_bytes` at most, so that the log does not rotate at every line.
    pub fn rotate_if_needed(&self) -> Result<bool, Error> {
        if !fs::symlink_metadata(&self.path).is_ok_and(|meta| meta.is_file() && meta.len() > self.max_bytes) {
            return Ok(false);
        }
        let old = self.lock_current()?;
        let size = old.metadata().map_err(|e| self.io("look at", e))?.len();
        if size <= self.max_bytes {
            // Another process was faster.
            return Ok(false);
        }
        let from = self.start_of_kept(&old, size).map_err(|e| self.io("read", e))?;
        let backup = os::with_suffix(&self.path, ".1");
        below::rename(self.root.as_deref(), &self.path, &backup)
            .map_err(|e| Error::io("keep the old log as", &backup, e))?;
        // From here on the name is free. An appender that makes the file first has its line in front of the kept
        // ones; one that waits for the old file's lock finds that the name has moved on.
        let mut new = match os::open(self.root.as_deref(), &self.path, Mode::CreateNew) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                os::open(self.root.as_deref(), &self.path, Mode::Append)
            }
            other => other,
        }
        .map_err(|e| self.io("open", e))?;
        self.lock(&new)?;
        copy(&old, from, size, &mut new).map_err(|e| self.io("write", e))?;
        Ok(true)
    }

    fn start_of_kept(&self, old: &File, size: u64) -> io::Result<u64> {
        let from = start_of_last(old, size, self.keep_lines)?;
        let half = size.saturating_sub(self.max_bytes / 2);
        if size - from <= self.max_bytes {
            return Ok(from);
        }
        // The first whole line within the half.
        let mut buffer = vec![0; BLOCK];
        let mut at = half;
        while at < size {
            let read = os::read_full_at(old, &mut buffer, at)?;
            let block = buffer.get(..read).unwrap_or_default();
            if let Some(newline) = block.iter().position(|b| *b == b'\n') {
                return Ok(at + newline as u64 + 1);
            }
            if read == 0 {
                break;
            }
            at += read as u64;
        }
        Ok(size)
    }

    /// The file that has the name, locked. Between opening and locking it may have been rotated away, so the name is
    /// looked at again under the lock.
    fn lock_current(&self) -> Result<File, Error> {
        for _ in 0..ROUNDS {
            let log = self.open()?;
            self.lock(&log)?;
            let here = log.metadata().map_err(|e| self.io("look at", e))?;
            match fs::symlink_metadata(&self.path) {
                Ok(named) if !here.is_file() || !named.is_file() => {
                    os::set_aside(self.root.as_deref(), &self.path, !here.is_file(), self.lock_wait)?;
                }
                Ok(named) if os::same_file(&here, &named) => return Ok(log),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(self.io("look at", error)),
            }
        }
        Err(Error::Locked { path: self.path.clone(), waited: self.lock_wait })
    }

    fn open(&self) -> Result<File, Error> {
        match os::open(self.root.as_deref(), &self.path, Mode::Append) {
            Ok(log) => return Ok(log),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if let Some(dir) = self.path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
                    os::create_dir(self.root.as_deref(), dir).map_err(|e| Error::io("create the directory", dir, e))?;
                }
            }
            Err(_) => {}
        }
        Ok(os::open_own(self.root.as_deref(), &self.path, Mode::Append, "open the log", self.lock_wait)?.0)
    }

    fn lock(&self, log: &File) -> Result<(), Error> {
        if os::lock(log, false, self.lock_wait).map_err(|e| self.io("lock", e))? {
            Ok(())
        } else {
            Err(Error::Locked { path: self.path.clone(), waited: self.lock_wait })
        }
    }

    fn io(&self, op: &'static str, cause: io::Error) -> Error {
        Error::io(op, &self.path, cause)
    }
}

/// `[YYYY-MM-DD HH:MM:SS] line`, in UTC.
pub fn stamped(time: DateTime<Utc>, line: &str) -> String {
    let time = time_of(time);
    let text = |place| std::str::from_utf8(time.get(place).unwrap_or_default()).unwrap_or_default();
    format!("[{} {}] {line}", text(0..10), text(11..19))
}

fn push_line(out: &mut Vec<u8>, line: &str) {
    for c in clip(line, LINE_CHARS).chars() {
        match c {
            '\n' => out.extend_from_slice(b"\\n"),
            '\r' => out.extend_from_slice(b"\\r"),
            '\t' => out.extend_from_slice(b"\\t"),
            _ if hides(c) => crate::record::push_escape(out, c),
            _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out.push(b'\n');
}

fn copy(old: &File, from: u64, to: u64, new: &mut File) -> io::Result<()> {
    let mut buffer = vec![0; BLOCK];
    let mut at = from;
    while at < to {
        let want = usize::try_from(to - at).unwrap_or(BLOCK).min(BLOCK);
        let block = buffer.get_mut(..want).unwrap_or_default();
        let read = os::read_full_at(old, block, at)?;
        if read == 0 {
            break;
        }
        new.write_all(block.get(..read).unwrap_or_default())?;
        at += read as u64;
    }
    Ok(())
}
