//! Opening files that somebody else may have put there: our own never through a link at the last name, none waiting for a pipe;
//! and making our folders.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a file of our own to read it.
pub(crate) fn to_read(path: &Path) -> io::Result<File> {
    careful(OpenOptions::new().read(true)).open(path)
}

/// Opens a file of somebody else to read it; theirs may be a link.
pub(crate) fn foreign(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.read(true).open(path)
}

/// The text of a plain file of somebody else; `None` for a larger one, and for what is no text.
pub(crate) fn text(path: &Path, most: u64) -> Option<String> {
    let file = foreign(path).ok()?;
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() || metadata.len() > most {
        return None;
    }
    let mut text = String::new();
    file.take(most).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Opens a file of our own to append to it; one that is made is for the owner alone.
pub(crate) fn to_append(path: &Path) -> io::Result<File> {
    careful(OpenOptions::new().append(true).create(true)).open(path)
}

/// Opens a file that a person named to write to it, without changing it yet.
pub(crate) fn to_overwrite(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

/// Makes a folder for the owner alone, and the missing ones above it.
pub(crate) fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Opens a file of our own whose lock is what matters.
pub(crate) fn to_lock(path: &Path) -> io::Result<File> {
    careful(OpenOptions::new().read(true).write(true).create(true).truncate(false)).open(path)
}

#[cfg(unix)]
fn careful(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
}

#[cfg(not(unix))]
fn careful(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}
