//! A directory below which nothing leads out: everything of a project that is read, written, renamed or removed goes through it.
//!
//! A project may be a stranger's, and a path in it may be a link to anything. So no part of a path behind the project's directory is
//! followed where it is a link, only plain files are read, and never more of one than was asked for. How the directory itself is reached
//! is the user's affair.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

use super::sys::{self, Dir, How};
use super::{Kind, Links, Seen};

/// How the names of unfinished files begin.
pub const TEMPORARY: &str = ".hookbin-";

/// A directory below which nothing leads out. Paths are given from it, or whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beneath {
    root: PathBuf,
}

/// Whose a file that is written is to be, and who may do what with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rights {
    /// Of a file that is made. One that is replaced keeps its own.
    pub mode: u32,
    /// Give what root makes to whom the directory belongs: who installs as root must not lock the user out.
    pub inherit: bool,
    /// The content is on the disk before the name is there.
    pub sync: bool,
    /// Whatever had the name before, mode and owner are those of a new file, and a link gives way to it.
    pub anew: bool,
}

impl Rights {
    /// What is in a project for everybody who may look into it.
    pub const COMMON: Self = Self { mode: 0o644, inherit: false, sync: false, anew: false };

    /// What an installation writes: rare and precious, and for the user also when root installs.
    pub const fn installed(mode: u32) -> Self {
        Self { mode, inherit: true, sync: true, anew: false }
    }
}

impl Beneath {
    /// Files below this directory.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into().components().collect() }
    }

    /// The directory itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Opens a plain file to read it.
    pub fn to_read(&self, path: &Path) -> io::Result<File> {
        self.plain(path, How::READ, Links::None)
    }

    /// The same for what people keep in a project, where links that stay inside are nothing odd.
    pub fn to_read_linked(&self, path: &Path) -> io::Result<File> {
        self.plain(path, How::READ, Links::Inside)
    }

    /// The bytes of a plain file of at most `most` bytes.
    pub fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        read_whole(sys::open(&self.root, &self.inside(path)?, How::READ, Links::None)?, most)
    }

    /// The text of a plain file; `None` where there is none, for a larger one, and for what is no text.
    pub fn text(&self, path: &Path, most: u64) -> Option<String> {
        String::from_utf8(self.read(path, most).ok()?).ok()
    }

    /// The same through links that stay inside.
    pub fn linked_text(&self, path: &Path, most: u64) -> Option<String> {
        let file = sys::open(&self.root, &self.inside(path).ok()?, How::READ, Links::Inside).ok()?;
        String::from_utf8(read_whole(file, most).ok()?).ok()
    }

    /// Opens a file to append to it; one that is made is for the owner alone.
    pub fn to_append(&self, path: &Path) -> io::Result<File> {
        self.plain(path, How::APPEND, Links::None)
    }

    /// Opens a file whose lock is what matters.
    pub fn to_lock(&self, path: &Path) -> io::Result<File> {
        self.plain(path, How::LOCK, Links::None)
    }

    /// Makes a file that is not there yet, for the owner alone.
    pub fn create_new(&self, path: &Path) -> io::Result<File> {
        self.plain(path, How::NEW, Links::None)
    }

    fn plain(&self, path: &Path, how: How, links: Links) -> io::Result<File> {
        let file = sys::open(&self.root, &self.inside(path)?, how, links)?;
        if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a plain file")) }
    }

    /// What stands under a name; an error with [`ErrorKind::NotFound`] where nothing does.
    pub fn look(&self, path: &Path) -> io::Result<Seen> {
        let (dir, name) = self.place(path)?;
        dir.look(&name)
    }

    /// Makes a directory with this mode, and the missing ones between it and the root as usual.
    pub fn make_dir(&self, path: &Path, mode: u32, inherit: bool) -> io::Result<()> {
        self.make_each(path, mode, 0o777, inherit)
    }

    /// The same with this mode for all of them, and for the user also when root makes them.
    pub fn make_dirs(&self, path: &Path, mode: u32) -> io::Result<()> {
        self.make_each(path, mode, mode, true)
    }

    fn make_each(&self, path: &Path, mode: u32, above: u32, inherit: bool) -> io::Result<()> {
        let inside = self.inside(path)?;
        let mut dir = Dir::open(&self.root, Path::new(""))?;
        let mut whole = self.root.clone();
        let mut parts = inside.components().peekable();
        while let Some(part) = parts.next() {
            whole.push(part);
            let mode = if parts.peek().is_some() { above } else { mode };
            match dir.make(part.as_os_str(), mode) {
                Ok(()) if inherit && super::is_root() => dir.give_away(part.as_os_str(), dir.owner()?)?,
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            dir = dir.sub(part.as_os_str()).map_err(|error| match dir.look(part.as_os_str()) {
                Ok(Seen { kind: Kind::Link, .. }) => io::Error::other(format!("{} is a link", whole.display())),
                Ok(Seen { kind: Kind::File | Kind::Other, .. }) => {
                    io::Error::other(format!("{} is not a directory", whole.display()))
                }
                _ => error,
            })?;
        }
        Ok(())
    }

    /// Gives what root made and left as its own to whom the directory around it belongs. What is not there is fine.
    pub fn inherit_owner(&self, path: &Path) -> io::Result<()> {
        if !super::is_root() {
            return Ok(());
        }
        let given = self.place(path).and_then(|(dir, name)| dir.give_away(&name, dir.owner()?));
        match given {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            given => given,
        }
    }

    /// Gives what root owns of a path, and of all that is in it, to this owner; of links, the links.
    pub fn give_tree(&self, path: &Path, owner: (u32, u32)) -> io::Result<()> {
        let (dir, name) = self.place(path)?;
        give_all(&dir, &name, owner, 0)
    }

    /// Gives a file this content in one step: the old bytes or the new ones are there, never anything else. A link of its name is an
    /// error, and so is anything else that is no plain file.
    pub fn replace(&self, path: &Path, pieces: &[&[u8]], rights: Rights) -> io::Result<()> {
        let (dir, name) = self.place(path)?;
        let old = match dir.look(&name) {
            Ok(Seen { kind: Kind::File | Kind::Link, .. }) if rights.anew => None,
            Ok(Seen { kind: Kind::File, .. }) => Some(self.to_read_as_owner(path)?),
            Ok(Seen { kind: Kind::Link, .. }) => return Err(io::Error::other("it is a link; remove the link")),
            Ok(_) => return Err(io::Error::other("it is not a plain file; move it away")),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let (temporary, mut file) = fresh(&dir)?;
        let written = pieces.iter().try_for_each(|piece| file.write_all(piece));
        let done = written
            .and_then(|()| if rights.inherit { owned_like(&file, old.as_ref(), &dir) } else { Ok(()) })
            .and_then(|()| super::set_mode_on(&file, super::kept_mode(old.as_ref(), rights.mode)))
            // Rare and precious: the content is on the disk before its name is.
            .and_then(|()| if rights.sync { file.sync_all() } else { Ok(()) })
            .and_then(|()| dir.rename(&temporary, &name));
        done.inspect_err(|_| {
            // The first error is the one to report.
            let _ = dir.remove(&temporary);
        })
    }

    /// What the file is like that is to be replaced, whether or not it may be read.
    fn to_read_as_owner(&self, path: &Path) -> io::Result<std::fs::Metadata> {
        let look = sys::open(&self.root, &self.inside(path)?, How::READ, Links::None).and_then(|file| file.metadata());
        match look {
            Err(error) if error.kind() == ErrorKind::PermissionDenied => self.root.join(path).symlink_metadata(),
            look => look,
        }
    }

    /// Moves what is not ours to `NAME.set-aside-N`, whatever it is; of a link, the link.
    pub fn set_aside(&self, path: &Path) -> io::Result<PathBuf> {
        let (dir, name) = self.place(path)?;
        let shown = name.to_string_lossy();
        for number in 1..10_000 {
            let aside = OsString::from(format!("{shown}.set-aside-{number}"));
            match dir.look(&aside) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    dir.rename(&name, &aside)?;
                    return Ok(self.root.join(path).with_file_name(aside));
                }
                _ => {}
            }
        }
        Err(io::Error::other("too much is quarantined already"))
    }

    /// Removes a file; of a link, the link. One that is not there is fine.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        let removed = self.place(path).and_then(|(dir, name)| dir.remove(&name));
        match removed {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// Removes an empty directory.
    pub fn remove_dir(&self, path: &Path) -> io::Result<()> {
        let (dir, name) = self.place(path)?;
        dir.remove_dir(&name)
    }

    /// Removes a file or a directory with all that is in it; of links, the links. One that is not there is fine.
    pub fn remove_tree(&self, path: &Path) -> io::Result<()> {
        let (dir, name) = match self.place(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            place => place?,
        };
        remove_all(&dir, &name, 0)
    }

    /// Gives a file or directory a mode, where the system has modes.
    pub fn set_mode(&self, path: &Path, mode: u32) -> io::Result<()> {
        super::set_mode_on(&sys::open(&self.root, &self.inside(path)?, How::READ, Links::None)?, mode)
    }

    /// The names in a directory, at most so many, sorted.
    pub fn names(&self, path: &Path, most: usize) -> io::Result<Vec<OsString>> {
        let mut names = Dir::open(&self.root, &self.inside(path)?)?.names(most)?;
        names.sort();
        Ok(names)
    }

    /// The directory of a path, and its last name.
    fn place(&self, path: &Path) -> io::Result<(Dir, OsString)> {
        let inside = self.inside(path)?;
        let name = inside.file_name().ok_or(ErrorKind::InvalidInput)?.to_owned();
        Ok((Dir::open(&self.root, inside.parent().unwrap_or(Path::new("")))?, name))
    }

    /// A path from the root, name by name.
    fn inside(&self, path: &Path) -> io::Result<PathBuf> {
        let inside: PathBuf = path.strip_prefix(&self.root).unwrap_or(path).components().collect();
        let plain = inside.components().all(|part| matches!(part, Component::Normal(_)));
        if plain { Ok(inside) } else { Err(io::Error::new(ErrorKind::InvalidInput, "it leads out of its directory")) }
    }
}

/// How deep a tree is that is removed; ours is not deeper than three.
const DEEPEST: usize = 64;

fn remove_all(dir: &Dir, name: &OsStr, depth: usize) -> io::Result<()> {
    match dir.look(name) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(Seen { kind: Kind::Dir, .. }) => {}
        Ok(_) => return dir.remove(name),
    }
    if depth >= DEEPEST {
        return Err(io::Error::other("it is too deep"));
    }
    let sub = dir.sub(name)?;
    for inner in sub.names(usize::MAX)? {
        remove_all(&sub, &inner, depth + 1)?;
    }
    dir.remove_dir(name)
}

fn give_all(dir: &Dir, name: &OsStr, owner: (u32, u32), depth: usize) -> io::Result<()> {
    dir.give_away(name, owner)?;
    if dir.look(name)?.kind != Kind::Dir {
        return Ok(());
    }
    if depth >= DEEPEST {
        return Err(io::Error::other("it is too deep"));
    }
    let sub = dir.sub(name)?;
    sub.names(usize::MAX)?.iter().try_for_each(|inner| give_all(&sub, inner, owner, depth + 1))
}

/// A new file under a name that nobody can know beforehand.
fn fresh(dir: &Dir) -> io::Result<(OsString, File)> {
    for _ in 0..100 {
        let name = OsString::from(format!("{TEMPORARY}{}", super::random_name()));
        match dir.create(&name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|file| (name, file)),
        }
    }
    Err(io::Error::other("no free name for an unfinished file"))
}

/// Gives a new file the owner of the one that it replaces, or what root made the directory's.
fn owned_like(file: &File, old: Option<&std::fs::Metadata>, dir: &Dir) -> io::Result<()> {
    match old {
        Some(old) => super::own_like(file, old),
        None => super::give_on(file, dir.owner()?),
    }
}

/// The bytes of an open file, if it is a plain one of at most `most` bytes.
pub(crate) fn read_whole(file: File, most: u64) -> io::Result<Vec<u8>> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    let size = metadata.len();
    if size > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {most} bytes")));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0).saturating_add(1));
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {most} bytes")));
    }
    Ok(bytes)
}
