//! Opening what lies below a directory that somebody else may have filled, so that no link on the way leads out of it.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;

/// The part of `path` behind `root`, name by name; an error where it leads elsewhere.
fn inside<'p>(root: &Path, path: &'p Path) -> io::Result<&'p Path> {
    let inside = path.strip_prefix(root).ok().filter(|inside| {
        inside.components().all(|part| matches!(part, Component::Normal(_))) && inside.as_os_str() != ""
    });
    inside.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it does not lie below its root"))
}

/// Opens `path`, of which everything behind `root` is no link.
pub(super) fn open(root: &Path, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let inside = inside(root, path)?;
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if let Some(opened) = in_one_step(root, path, inside, flags) {
        return Ok(opened?);
    }
    Ok(step_by_step(root, inside, flags)?)
}

/// One call does it where nothing above the root is a link either. `None` where the system cannot tell.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn in_one_step(root: &Path, path: &Path, inside: &Path, flags: OFlags) -> Option<Result<OwnedFd, Errno>> {
    use rustix::fs::{ResolveFlags, openat2};

    match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
        Err(Errno::LOOP) => {}
        // Old kernels, and filters around containers that do not know the call.
        Err(Errno::NOSYS | Errno::PERM) => return None,
        other => return Some(other),
    }
    let root = match rustix::fs::open(root, super::unix::dir(), Mode::empty()) {
        Err(Errno::LOOP | Errno::NOTDIR) => rustix::fs::open(root.join("."), super::unix::dir(), Mode::empty()),
        opened => opened,
    };
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::BENEATH;
    Some(root.and_then(|root| openat2(root, inside, flags, Mode::empty(), resolve)))
}

/// The same without the system's help.
fn step_by_step(root: &Path, inside: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut open = rustix::fs::open(root.join("."), super::unix::dir(), Mode::empty())?;
    let mut parts = inside.components().peekable();
    while let Some(part) = parts.next() {
        let flags = if parts.peek().is_some() { super::unix::dir() } else { flags };
        open = rustix::fs::openat(&open, part.as_os_str(), flags, Mode::empty())?;
    }
    Ok(open)
}

/// Makes a directory for the owner alone, and the missing ones between it and the root.
pub(super) fn create(root: &Path, path: &Path) -> io::Result<()> {
    let mut open = rustix::fs::open(root.join("."), super::unix::dir(), Mode::empty())?;
    for part in inside(root, path)?.components() {
        match rustix::fs::mkdirat(open.as_fd(), part.as_os_str(), Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        open = rustix::fs::openat(&open, part.as_os_str(), super::unix::dir(), Mode::empty())?;
    }
    Ok(())
}
