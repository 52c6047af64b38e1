//! Opening files that somebody else may have put there, and making ours. This module alone opens, writes, renames and removes what lies
//! below a project ([`Beneath`]); what else opens files is listed with its reason in a test of the workspace.
//!
//! The user's own files may be links, as dotfiles are; nothing here waits for a pipe.

mod beneath;
#[cfg(not(unix))]
#[path = "portable.rs"]
mod sys;
#[cfg(unix)]
#[path = "unix.rs"]
mod sys;

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _};
use std::io;
use std::path::Path;

pub use self::beneath::{Beneath, Rights, TEMPORARY};

/// Which links a path behind a root may go through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// None.
    None,
    /// Those that lead to somewhere below the root.
    Inside,
}

/// What stands under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A plain file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Link,
    /// A pipe, a socket, a device.
    Other,
}

/// What one look at a name told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// What stands there.
    pub kind: Kind,
    /// Who may do what, where the system has modes.
    pub mode: Option<u32>,
}

/// Opens a file of our own outside of projects to read it.
pub fn to_read(path: &Path) -> io::Result<File> {
    careful(OpenOptions::new().read(true)).open(path)
}

/// Opens a file of somebody else to read it; theirs may be a link.
pub fn foreign(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.read(true).open(path)
}

/// The text of a plain file of somebody else; `None` for a larger one, and for what is no text.
pub fn text(path: &Path, most: u64) -> Option<String> {
    String::from_utf8(read(path, most).ok()?).ok()
}

/// The same of a file that is open already.
pub fn text_of(file: File, most: u64) -> Option<String> {
    String::from_utf8(beneath::read_whole(file, most).ok()?).ok()
}

/// The bytes of a plain file of the user's, which may be a link, of at most `most` bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    beneath::read_whole(foreign(path)?, most)
}

/// Opens a file that a user named to write to it, without changing it yet.
pub fn to_overwrite(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

/// Opens a file to append to it that the host or the user names: it may be a link, and is made if need be.
pub fn shared_append(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.append(true).read(true).create(true).open(path)
}

/// Makes a directory for the owner alone outside of projects, and the missing ones above it.
pub fn private_dir(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
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

/// Six characters that nobody can know beforehand.
fn random_name() -> String {
    let mut number = std::hash::RandomState::new().build_hasher().finish();
    let digit = |number: u64| char::from_digit(u32::try_from(number % 36).unwrap_or(0), 36).unwrap_or('0');
    (0..6)
        .map(|_| {
            let digit = digit(number);
            number /= 36;
            digit
        })
        .collect()
}

/// Whether what this process makes is root's.
pub fn is_root() -> bool {
    #[cfg(unix)]
    return rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    false
}

/// Gives what root made, and is still its own, to the owner of the directory around it. On the open file: a name may lead elsewhere by now.
pub fn give_on(file: &File, dir: (u32, u32)) -> io::Result<()> {
    #[cfg(unix)]
    if dir.0 != 0 && std::os::unix::fs::MetadataExt::uid(&file.metadata()?) == 0 {
        return sys::give(file, dir);
    }
    let _ = (file, dir);
    Ok(())
}

/// Gives a new file the owner of the one that it replaces.
pub fn own_like(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (old.uid(), old.gid()) {
            return sys::give(file, (old.uid(), old.gid()));
        }
    }
    let _ = (file, old);
    Ok(())
}

/// Gives an open file a mode, where the system has modes.
pub fn set_mode_on(file: &File, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    return file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    {
        let _ = (file, mode);
        Ok(())
    }
}

/// The mode of a file that is written: that of the one which it replaces, where the system has modes.
pub fn kept_mode(old: Option<&Metadata>, new_mode: u32) -> u32 {
    #[cfg(unix)]
    if let Some(old) = old {
        return std::os::unix::fs::PermissionsExt::mode(&old.permissions()) & 0o7777;
    }
    #[cfg(not(unix))]
    let _ = old;
    new_mode
}
