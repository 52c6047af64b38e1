//! Reaching what lies below a directory that somebody else may have filled, so that no link on the way leads out of it.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path};

/// The directory behind which no part of a path may be a link; without one only the last name must not be one.
pub(crate) type Root<'r> = Option<&'r Path>;

/// The part of `path` behind `root`, name by name; an error where it leads elsewhere.
fn inside<'p>(root: &Path, path: &'p Path) -> io::Result<&'p Path> {
    let inside = path.strip_prefix(root).ok();
    let inside = inside.filter(|inside| inside.components().all(|part| matches!(part, Component::Normal(_))));
    inside.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it does not lie below its root"))
}

#[cfg(unix)]
pub(crate) use self::unix::{make_dir, open, remove, rename};

#[cfg(unix)]
mod unix {
    use std::os::fd::OwnedFd;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags};
    use rustix::io::Errno;

    use super::{File, Path, Root, fs, inside, io};

    /// Opens a file behind the root.
    pub(crate) fn open(root: &Path, path: &Path, flags: OFlags, mode: Mode) -> io::Result<File> {
        Ok(File::from(open_at(root, path, flags, mode)?))
    }

    fn open_at(root: &Path, path: &Path, flags: OFlags, mode: Mode) -> io::Result<OwnedFd> {
        let inside = inside(root, path)?;
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        #[cfg(any(target_os = "linux", target_os = "android"))]
        if let Some(opened) = in_one_step(root, path, inside, flags, mode) {
            return Ok(opened?);
        }
        Ok(step_by_step(root, inside, flags, mode)?)
    }

    /// One call does it where nothing above the root is a link either. `None` where the system cannot tell.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn in_one_step(
        root: &Path,
        path: &Path,
        inside: &Path,
        flags: OFlags,
        mode: Mode,
    ) -> Option<Result<OwnedFd, Errno>> {
        use rustix::fs::{ResolveFlags, openat2};

        match openat2(CWD, path, flags, mode, ResolveFlags::NO_SYMLINKS) {
            Err(Errno::LOOP) => {}
            // Old kernels, and filters around containers that do not know the call.
            Err(Errno::NOSYS | Errno::PERM) => return None,
            other => return Some(other),
        }
        let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::BENEATH;
        Some(top(root).and_then(|root| openat2(root, inside, flags, mode, resolve)))
    }

    /// The same without the system's help.
    fn step_by_step(root: &Path, inside: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
        let mut open = top(root)?;
        let mut parts = inside.components().peekable();
        while let Some(part) = parts.next() {
            open = match parts.peek() {
                Some(_) => rustix::fs::openat(&open, part.as_os_str(), dir(), Mode::empty())?,
                None => rustix::fs::openat(&open, part.as_os_str(), flags, mode)?,
            };
        }
        Ok(open)
    }

    /// The root itself, which may be reached through links.
    fn top(root: &Path) -> Result<OwnedFd, Errno> {
        rustix::fs::open(root.join("."), dir(), Mode::empty())
    }

    fn dir() -> OFlags {
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let flags = flags | OFlags::PATH;
        flags
    }

    /// The directory of a path.
    fn parent(root: &Path, path: &Path) -> io::Result<OwnedFd> {
        match path.parent() {
            Some(parent) if parent != root => open_at(root, parent, dir(), Mode::empty()),
            _ => Ok(top(root)?),
        }
    }

    /// Renames within one directory.
    pub(crate) fn rename(root: Root<'_>, from: &Path, to: &Path) -> io::Result<()> {
        let (Some(root), Some(old), Some(new)) = (root, from.file_name(), to.file_name()) else {
            return fs::rename(from, to);
        };
        let dir = parent(root, from)?;
        Ok(rustix::fs::renameat(&dir, old, &dir, new)?)
    }

    /// Removes a file.
    pub(crate) fn remove(root: Root<'_>, path: &Path) -> io::Result<()> {
        let (Some(root), Some(name)) = (root, path.file_name()) else { return fs::remove_file(path) };
        Ok(rustix::fs::unlinkat(parent(root, path)?, name, AtFlags::empty())?)
    }

    /// Makes a directory for the owner alone, and the missing ones between it and the root.
    pub(crate) fn make_dir(root: &Path, path: &Path) -> io::Result<()> {
        let mut open = top(root)?;
        for part in inside(root, path)?.components() {
            match rustix::fs::mkdirat(&open, part.as_os_str(), Mode::RWXU) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            open = rustix::fs::openat(&open, part.as_os_str(), dir(), Mode::empty())?;
        }
        Ok(())
    }
}

#[cfg(not(unix))]
pub(crate) use self::portable::{check, make_dir, remove, rename};

/// By path: between looking and using somebody may change a name, which these systems give no way around.
#[cfg(not(unix))]
mod portable {
    use super::{Path, Root, fs, inside, io};

    /// Refuses a path of which a part behind the root is a link.
    pub(crate) fn check(root: &Path, path: &Path) -> io::Result<()> {
        let mut whole = root.to_path_buf();
        for part in inside(root, path)?.components() {
            whole.push(part);
            if fs::symlink_metadata(&whole).is_ok_and(|meta| meta.is_symlink()) {
                return Err(io::Error::other("a part of its path is a link"));
            }
        }
        Ok(())
    }

    pub(crate) fn rename(root: Root<'_>, from: &Path, to: &Path) -> io::Result<()> {
        root.map_or(Ok(()), |root| from.parent().map_or(Ok(()), |dir| check(root, dir)))?;
        fs::rename(from, to)
    }

    pub(crate) fn remove(root: Root<'_>, path: &Path) -> io::Result<()> {
        root.map_or(Ok(()), |root| path.parent().map_or(Ok(()), |dir| check(root, dir)))?;
        fs::remove_file(path)
    }

    pub(crate) fn make_dir(root: &Path, path: &Path) -> io::Result<()> {
        check(root, path)?;
        fs::create_dir_all(path)
    }
}
