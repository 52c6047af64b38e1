//! The same by path, for systems that cannot open relative to a directory. Every part is looked at before it is used; between the look
//! and the use somebody may change it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::{Kind, Links, Seen};

/// How a file is opened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Read,
    Append,
    Lock,
    New,
}

impl How {
    pub(crate) const READ: Self = Self::Read;
    pub(crate) const APPEND: Self = Self::Append;
    pub(crate) const LOCK: Self = Self::Lock;
    pub(crate) const NEW: Self = Self::New;
}

/// Refuses a path of which a part behind the root is a link.
fn check(root: &Path, inside: &Path) -> io::Result<PathBuf> {
    let mut whole = root.to_path_buf();
    for part in inside.components() {
        whole.push(part);
        if fs::symlink_metadata(&whole).is_ok_and(|found| found.is_symlink()) {
            return Err(io::Error::other("a part of its path is a link"));
        }
    }
    Ok(whole)
}

pub(crate) fn open(root: &Path, inside: &Path, how: How, links: Links) -> io::Result<File> {
    let whole = match links {
        Links::None => check(root, inside)?,
        Links::Inside => {
            let (root, whole) = (fs::canonicalize(root)?, fs::canonicalize(root.join(inside))?);
            if !whole.starts_with(root) {
                return Err(io::Error::other("a link leads out of the directory"));
            }
            whole
        }
    };
    let mut options = OpenOptions::new();
    match how {
        How::Read => options.read(true),
        How::Append => options.append(true).create(true),
        How::Lock => options.read(true).write(true).create(true).truncate(false),
        How::New => options.write(true).create_new(true),
    };
    options.open(whole)
}

/// A directory, by path.
pub(crate) struct Dir(PathBuf);

impl Dir {
    pub(crate) fn open(root: &Path, inside: &Path) -> io::Result<Self> {
        let whole = check(root, inside)?;
        if fs::symlink_metadata(&whole)?.is_dir() { Ok(Self(whole)) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    pub(crate) fn make(&self, name: &OsStr, _mode: u32) -> io::Result<()> {
        fs::create_dir(self.0.join(name))
    }

    pub(crate) fn create(&self, name: &OsStr) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(self.0.join(name))
    }

    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    pub(crate) fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(self.0.join(name))
    }

    pub(crate) fn sub(&self, name: &OsStr) -> io::Result<Self> {
        Self::open(&self.0, Path::new(name))
    }

    pub(crate) fn look(&self, name: &OsStr) -> io::Result<Seen> {
        let found = fs::symlink_metadata(self.0.join(name))?;
        let kind = match found.file_type() {
            kind if kind.is_symlink() => Kind::Link,
            kind if kind.is_dir() => Kind::Dir,
            kind if kind.is_file() => Kind::File,
            _ => Kind::Other,
        };
        Ok(Seen { kind, mode: None })
    }

    pub(crate) fn give_away(&self, _name: &OsStr, _owner: (u32, u32)) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn owner(&self) -> io::Result<(u32, u32)> {
        Ok((0, 0))
    }

    pub(crate) fn names(&self, most: usize) -> io::Result<Vec<OsString>> {
        fs::read_dir(&self.0)?.take(most).map(|entry| Ok(entry?.file_name())).collect()
    }
}
