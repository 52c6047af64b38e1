//! Files in one directory: the few operations the store needs, on `openat` where the system has it and on std elsewhere.

use std::fs::File;

#[cfg(all(unix, not(feature = "portable")))]
mod below;
#[cfg(any(not(unix), feature = "portable"))]
mod portable;
#[cfg(all(unix, not(feature = "portable")))]
mod unix;

#[cfg(any(not(unix), feature = "portable"))]
pub(crate) use portable::{Dir, append_line, fill, put};
#[cfg(all(unix, not(feature = "portable")))]
pub(crate) use unix::{Dir, append_line, fill, put};

/// Takes hold of this file, which is open for writing: says yes when it is open nowhere else, in this process or another, and when
/// whoever opens it from then on waits, or is turned away, until this file is closed.
///
/// On Linux a write lease does both: `fcntl(fd, F_SETLEASE, F_WRLCK)`; the kernel gives it back when the file is closed. Whoever
/// opens the file meanwhile makes the kernel send SIGIO, whose default ends the process, so ignore that signal first. A function
/// that says yes without being sure lets a reader find a file that is half old and half new; one that says no costs time only.
pub type WriteLease = fn(&File) -> bool;

/// Where new content is written before it gets its name.
const TEMPORARY: &str = ".tmp";

/// What lies under a name.
pub(crate) enum Content {
    /// Nothing.
    Missing,
    /// A file, whole.
    Bytes(Vec<u8>),
    /// Something that no writer of this store made.
    Odd(&'static str),
}

/// A membership file, open for reading and writing.
pub(crate) struct Side {
    pub(crate) file: File,
    pub(crate) bytes: u64,
    /// A plain file that has this one name only.
    pub(crate) sound: bool,
}
