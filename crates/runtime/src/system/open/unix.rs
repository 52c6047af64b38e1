//! Opening below a directory on Unix: one call where the system has it, name by name where not.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;

use super::{Kind, Links, Seen};

/// How a file is opened.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) flags: OFlags,
    pub(crate) mode: u32,
}

impl How {
    pub(crate) const READ: Self = Self { flags: OFlags::RDONLY, mode: 0 };
    pub(crate) const APPEND: Self =
        Self { flags: OFlags::WRONLY.union(OFlags::APPEND).union(OFlags::CREATE), mode: 0o600 };
    pub(crate) const LOCK: Self = Self { flags: OFlags::RDWR.union(OFlags::CREATE), mode: 0o600 };
    /// Fails where anything has the name.
    pub(crate) const NEW: Self = Self { flags: OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL), mode: 0o600 };
}

/// Opens what lies at `inside` below `root`, never waiting for the other end of a pipe.
pub(crate) fn open(root: &Path, inside: &Path, how: How, links: Links) -> io::Result<File> {
    let flags = how.flags | OFlags::NONBLOCK;
    match open_at(root, inside, flags, mode_of(how.mode), links) {
        Err(Errno::LOOP) => {
            Err(io::Error::other("it is a link, or lies behind one, and a link in a project may lead anywhere"))
        }
        opened => Ok(File::from(opened?)),
    }
}

fn open_at(root: &Path, inside: &Path, flags: OFlags, mode: Mode, links: Links) -> Result<OwnedFd, Errno> {
    let flags = flags | OFlags::CLOEXEC;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    match in_one_step(root, inside, flags, mode, links) {
        // A link by a whole path leads out by what it says, and may lead in by where it ends.
        None | Some(Err(Errno::XDEV)) => {}
        Some(opened) => return opened,
    }
    if links == Links::Inside {
        let real = |path: &Path| {
            std::fs::canonicalize(path).map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))
        };
        let root = real(root)?;
        let target = real(&root.join(inside))?;
        let inside = target.strip_prefix(&root).map_err(|_| Errno::XDEV)?;
        return step_by_step(&root, inside, flags, mode);
    }
    step_by_step(root, inside, flags, mode)
}

/// One call does it where nothing above the root is a link either. `None` where the system cannot tell.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn in_one_step(root: &Path, inside: &Path, flags: OFlags, mode: Mode, links: Links) -> Option<Result<OwnedFd, Errno>> {
    use rustix::fs::{ResolveFlags, openat2};

    let whole = root.join(inside);
    match openat2(CWD, &whole, flags | OFlags::NOFOLLOW, mode, ResolveFlags::NO_SYMLINKS) {
        Err(Errno::LOOP) => {}
        // Old kernels, and filters around containers that do not know the call.
        Err(Errno::NOSYS | Errno::PERM) => return None,
        other => return Some(other),
    }
    let (flags, resolve) = match links {
        Links::None => (flags | OFlags::NOFOLLOW, ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS),
        Links::Inside => (flags, ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS),
    };
    Some(top(root).and_then(|root| openat2(root, inside, flags, mode, resolve)))
}

/// The same without the system's help.
fn step_by_step(root: &Path, inside: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
    let mut open = top(root)?;
    let mut parts = inside.components().peekable();
    while let Some(part) = parts.next() {
        open = match parts.peek() {
            Some(_) => rustix::fs::openat(&open, part.as_os_str(), dir(), Mode::empty())?,
            None => rustix::fs::openat(&open, part.as_os_str(), flags | OFlags::NOFOLLOW, mode)?,
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

#[allow(
    clippy::unnecessary_cast,
    clippy::cast_possible_truncation,
    reason = "the type is another one on other systems, and modes have twelve bits"
)]
fn mode_of(mode: u32) -> Mode {
    Mode::from_raw_mode(mode as rustix::fs::RawMode)
}

/// An open directory, in which names can be changed.
pub(crate) struct Dir(OwnedFd);

impl Dir {
    pub(crate) fn open(root: &Path, inside: &Path) -> io::Result<Self> {
        if inside.as_os_str().is_empty() {
            return Ok(Self(top(root)?));
        }
        Ok(Self(open_at(root, inside, dir(), Mode::empty(), Links::None)?))
    }

    pub(crate) fn make(&self, name: &OsStr, mode: u32) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(&self.0, name, mode_of(mode))?)
    }

    pub(crate) fn create(&self, name: &OsStr) -> io::Result<File> {
        let flags = How::NEW.flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(rustix::fs::openat(&self.0, name, flags, mode_of(How::NEW.mode))?))
    }

    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, from, &self.0, to)?)
    }

    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    pub(crate) fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    /// Opens a directory in this one that is not a link.
    pub(crate) fn sub(&self, name: &OsStr) -> io::Result<Self> {
        Ok(Self(rustix::fs::openat(&self.0, name, dir(), Mode::empty())?))
    }

    pub(crate) fn look(&self, name: &OsStr) -> io::Result<Seen> {
        let stat = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let kind = match rustix::fs::FileType::from_raw_mode(stat.st_mode) {
            rustix::fs::FileType::RegularFile => Kind::File,
            rustix::fs::FileType::Directory => Kind::Dir,
            rustix::fs::FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        };
        #[allow(clippy::unnecessary_cast, reason = "the type is another one on other systems")]
        let mode = stat.st_mode as u32 & 0o7777;
        Ok(Seen { kind, mode: Some(mode) })
    }

    /// Gives what root made in it to this owner. On what was opened: a name may lead elsewhere by now.
    pub(crate) fn give_away(&self, name: &OsStr, (user, group): (u32, u32)) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let flags = OFlags::PATH;
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let flags = OFlags::RDONLY | OFlags::NONBLOCK;
        let made = rustix::fs::openat(&self.0, name, flags | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
        let stat = rustix::fs::fstat(&made)?;
        let is_file = rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::RegularFile;
        // A second name may be that of a file of root's own, linked here by the directory's owner.
        if user == 0 || stat.st_uid != 0 || is_file && stat.st_nlink > 1 {
            return Ok(());
        }
        let (user, group) = (Some(rustix::fs::Uid::from_raw(user)), Some(rustix::fs::Gid::from_raw(group)));
        #[cfg(any(target_os = "linux", target_os = "android"))]
        return Ok(rustix::fs::chownat(&made, "", user, group, AtFlags::EMPTY_PATH)?);
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        Ok(rustix::fs::fchown(&made, user, group)?)
    }

    /// Who owns the directory, for what root makes in it.
    pub(crate) fn owner(&self) -> io::Result<(u32, u32)> {
        let stat = rustix::fs::fstat(&self.0)?;
        Ok((stat.st_uid, stat.st_gid))
    }

    /// The names in it.
    pub(crate) fn names(&self, most: usize) -> io::Result<Vec<std::ffi::OsString>> {
        use std::os::unix::ffi::OsStringExt;
        let open =
            rustix::fs::openat(&self.0, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::new(open)? {
            let name = entry?.file_name().to_bytes().to_vec();
            if name != b"." && name != b".." {
                if names.len() >= most {
                    break;
                }
                names.push(std::ffi::OsString::from_vec(name));
            }
        }
        Ok(names)
    }
}

/// Gives an open file or directory to somebody, where the system has owners.
pub(crate) fn give(file: &File, owner: (u32, u32)) -> io::Result<()> {
    std::os::unix::fs::fchown(file, Some(owner.0), Some(owner.1))
}
