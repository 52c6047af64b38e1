//! The one error type of the crate.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What went wrong: the operation, the path and what to do about it.
///
/// Display texts are lower case and whole; there is no `source()` to print after them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system refused an operation.
    #[error("cannot {op} `{}`: {cause}; {}", path.display(), hint(cause))]
    Io {
        /// The operation, a verb with its object: "open the log".
        op: &'static str,
        /// The file or directory it was tried on.
        path: PathBuf,
        /// The system's answer.
        cause: io::Error,
    },
    /// Another process held the lock for the whole wait. Nothing was written.
    #[error(
        "cannot lock `{}` within {} ms: another process holds it; nothing was written, end that process or wait longer",
        path.display(),
        waited.as_millis()
    )]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// How long was waited.
        waited: Duration,
    },
    /// Only a part of the line fitted (full disk, quota, size limit).
    #[error(
        "cannot write `{}`: {written} of {wanted} bytes fitted, {}; free some space",
        path.display(),
        if *restored { "they were taken back" } else { "the next writer closes the torn line" }
    )]
    ShortWrite {
        /// The log.
        path: PathBuf,
        /// Bytes that were written.
        written: u64,
        /// Bytes of the line.
        wanted: u64,
        /// Whether the part was cut off again, so that no torn line is left.
        restored: bool,
    },
}

impl Error {
    pub(crate) fn io(op: &'static str, path: &Path, cause: io::Error) -> Self {
        Self::Io { op, path: path.to_path_buf(), cause }
    }
}

fn hint(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "move away what stands where the log directory belongs"
        }
        io::ErrorKind::NotFound => "check that the directory exists",
        io::ErrorKind::PermissionDenied => "give this user write access to the directory",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => "free some space",
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only, choose another log directory",
        io::ErrorKind::IsADirectory => "move away the directory that stands in the file's place",
        _ => "check the directory and its file system",
    }
}
