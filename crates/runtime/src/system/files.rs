//! Files of an installation: read whole, replaced in one step, copied with their mode.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use serde::{Serialize as _, Serializer};
use sha2::{Digest, Sha256};

use crate::Error;
use crate::error::{Context as _, bail, ensure};
use crate::system::open::{self, Beneath, Kind, Rights, Seen};

pub use crate::system::open::TEMPORARY;

/// The largest text that is read, in bytes.
const MOST_TEXT: u64 = 16 << 20;

/// A place of a file, and whether it lies below a project, where no link is followed. The user's own files may be links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The path.
    pub path: PathBuf,
    /// The project's directory that it lies below.
    pub beneath: Option<Beneath>,
}

impl From<&Path> for Spot {
    /// A file of the user's own.
    fn from(path: &Path) -> Self {
        Self { path: path.to_owned(), beneath: None }
    }
}

impl From<&PathBuf> for Spot {
    fn from(path: &PathBuf) -> Self {
        path.as_path().into()
    }
}

impl From<&Self> for Spot {
    fn from(spot: &Self) -> Self {
        spot.clone()
    }
}

impl Spot {
    /// A file below a project's directory.
    pub fn below(root: &Path, path: &Path) -> Self {
        Self { path: path.to_owned(), beneath: Some(Beneath::new(root)) }
    }

    /// The same place in the same ground.
    #[must_use]
    pub fn at(&self, path: PathBuf) -> Self {
        Self { path, beneath: self.beneath.clone() }
    }

    /// Whether it lies below a project.
    pub fn is_below(&self) -> bool {
        self.beneath.is_some()
    }

    /// Whether something stands there; below a project a link does not count.
    pub fn exists(&self) -> bool {
        match &self.beneath {
            None => self.path.exists(),
            Some(beneath) => beneath.look(&self.path).is_ok_and(|seen| seen.kind != Kind::Link),
        }
    }

    /// What stands there; `None` where nothing does. Below a project a link is one, elsewhere it is what it leads to.
    pub fn kind(&self) -> Result<Option<Kind>, Error> {
        let seen = match &self.beneath {
            Some(beneath) => beneath.look(&self.path).map(|seen| seen.kind),
            None => fs::metadata(&self.path).map(|metadata| match (metadata.is_file(), metadata.is_dir()) {
                (true, _) => Kind::File,
                (_, true) => Kind::Dir,
                _ => Kind::Other,
            }),
        };
        match seen {
            Ok(kind) => Ok(Some(kind)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.why(error)).with_context(|| format!("cannot look at {}", self.path.display())),
        }
    }

    /// Names the link on the way, if that is what stands in the way.
    pub fn why(&self, error: io::Error) -> Error {
        let root = self.beneath.as_ref().map(Beneath::root);
        let parts = root.into_iter().flat_map(|root| self.path.ancestors().take_while(move |part| *part != root));
        match parts.filter(|part| part.is_symlink()).last() {
            Some(link) => Error::new(format_args!(
                "{} is a link, and a link in a project may lead anywhere; replace it by a file or directory of your own",
                link.display()
            )),
            None => error.into(),
        }
    }
}

/// The text of a file; `None` when there is none.
pub fn read(spot: impl Into<Spot>) -> Result<Option<String>, Error> {
    let spot = spot.into();
    let path = &spot.path;
    let bytes = match &spot.beneath {
        Some(beneath) => match beneath.look(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Ok(Seen { kind: Kind::Dir | Kind::Other, .. }) => {
                bail!("{} is not a plain file; move it away", path.display())
            }
            _ => beneath.read(path, MOST_TEXT).map_err(|error| spot.why(error)),
        },
        None => match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if path.symlink_metadata().is_ok() {
                    bail!("{} is a link to nothing; remove it or make its target", path.display());
                }
                return Ok(None);
            }
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
            Ok(metadata) if !metadata.is_file() => bail!("{} is not a plain file; move it away", path.display()),
            Ok(_) => open::read(path, MOST_TEXT).map_err(Into::into),
        },
    };
    match String::from_utf8(bytes.with_context(|| format!("cannot read {}", path.display()))?) {
        Ok(text) => Ok(Some(text)),
        Err(_) => bail!("{} is not UTF-8 text; save it as UTF-8", path.display()),
    }
}

/// One file that is to hold other text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub spot: Spot,
    /// What it holds; `None` when it is not there.
    pub before: Option<String>,
    /// What it is to hold; `None` when it is to go.
    pub after: Option<String>,
}

impl Change {
    /// Whether it changes anything.
    pub fn is_needed(&self) -> bool {
        self.before != self.after
    }

    /// As a unified diff; a file that is not there is `/dev/null`, as in git's.
    pub fn diff(&self) -> String {
        let name = self.spot.path.display().to_string();
        let side = |text: &Option<String>| if text.is_some() { name.clone() } else { "/dev/null".to_owned() };
        let (before, after) = (self.before.as_deref().unwrap_or_default(), self.after.as_deref().unwrap_or_default());
        similar::TextDiff::from_lines(before, after)
            .unified_diff()
            .header(&side(&self.before), &side(&self.after))
            .to_string()
    }

    /// Makes the change in one step: the old bytes or the new ones are there, never anything else. A link stays a link; mode and
    /// owner stay. Somebody else's change since the file was read is refused, not overwritten.
    pub fn make(&self) -> Result<(), Error> {
        ensure!(
            read(&self.spot)? == self.before,
            "{} was changed by another process meanwhile; nothing was written, try again",
            self.spot.path.display()
        );
        match &self.after {
            None => remove(&self.spot),
            Some(after) => replace(&self.spot, after, 0o644),
        }
    }

    /// Takes the change back, as long as nobody else changed the file since.
    pub fn undo(&self) {
        let back = Self { spot: self.spot.clone(), before: self.after.clone(), after: self.before.clone() };
        // It runs after a failure, whose message is the one that counts.
        let _ = back.make();
    }
}

/// Where a path leads when all links are followed; the path itself where nothing is.
pub fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Replaces a file's content in one step, or makes it with this mode.
pub fn replace(spot: impl Into<Spot>, text: &str, new_mode: u32) -> Result<(), Error> {
    let spot = spot.into();
    put(&spot, &[text.as_bytes()], new_mode)
        .with_context(|| format!("cannot write {}; the old content is untouched", spot.path.display()))
}

fn put(spot: &Spot, pieces: &[&[u8]], new_mode: u32) -> Result<(), Error> {
    let target = if spot.beneath.is_some() { spot.path.clone() } else { real(&spot.path) };
    let dir = target.parent().context("the path has no directory")?;
    make_dir(spot.at(dir.to_owned()), false)?;
    match &spot.beneath {
        Some(beneath) => beneath.replace(&target, pieces, Rights::installed(new_mode)).map_err(|error| spot.why(error)),
        // The directory is the user's, and its path is the real one by now.
        None => Ok(Beneath::new(dir).replace(&target, pieces, Rights::installed(new_mode))?),
    }
}

/// Gives what root made to whom the directory around it belongs: who installs as root must not lock the user out.
pub fn inherit_owner(spot: impl Into<Spot>) -> Result<(), Error> {
    let spot = spot.into();
    let Some(dir) = spot.path.parent() else { return Ok(()) };
    let given = match &spot.beneath {
        Some(beneath) => beneath.inherit_owner(&spot.path),
        None => Beneath::new(dir).inherit_owner(&spot.path),
    };
    given.with_context(|| format!("cannot give {} to its owner", spot.path.display()))
}

/// Makes a directory and the missing ones above it for the owner alone or as usual; they belong to whom the directory around them belongs.
pub fn make_dir(spot: impl Into<Spot>, is_private: bool) -> Result<(), Error> {
    let spot = spot.into();
    let dir = &spot.path;
    let mode = if is_private { 0o700 } else { 0o777 };
    if let Some(beneath) = &spot.beneath {
        let made = beneath.make_dir(dir, mode, true).map_err(|error| spot.why(error));
        return made.map(drop).with_context(|| format!("cannot make {}", dir.display()));
    }
    let there = dir.ancestors().find(|dir| dir.exists()).unwrap_or(dir);
    let made = Beneath::new(there).make_dirs(dir, mode);
    made.with_context(|| format!("cannot make {}", dir.display()))?;
    ensure!(dir.is_dir(), "{} is not a directory; move it away", dir.display());
    Ok(())
}

/// Refuses directories in which nothing could be made, as far as that can be told without making anything.
#[cfg(unix)]
pub fn check_writable<'f>(dirs: impl Iterator<Item = &'f PathBuf>) -> Result<(), Error> {
    use rustix::fs::{Access, AtFlags, CWD, accessat};
    for dir in dirs {
        let Some(there) = dir.ancestors().find(|dir| dir.exists()) else { continue };
        accessat(CWD, there, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS)
            .with_context(|| format!("nothing can be written in {}; make it writable", there.display()))?;
    }
    Ok(())
}

#[cfg(not(unix))]
pub fn check_writable<'f>(_dirs: impl Iterator<Item = &'f PathBuf>) -> Result<(), Error> {
    Ok(())
}

/// Removes a file that may not be there.
pub fn remove(spot: impl Into<Spot>) -> Result<(), Error> {
    let spot = spot.into();
    let removed = match &spot.beneath {
        Some(beneath) => beneath.remove(&spot.path).map_err(|error| spot.why(error)),
        None => match fs::remove_file(&spot.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        },
    };
    removed.with_context(|| format!("cannot remove {}", spot.path.display()))
}

/// Removes a file among the user's own. True for the one process that did it.
pub fn take(path: &Path) -> bool {
    fs::remove_file(path).is_ok()
}

/// Removes a file or a directory with all that is in it, which may not be there; of a link, the link.
pub fn remove_tree(spot: impl Into<Spot>) -> Result<(), Error> {
    let spot = spot.into();
    let removed = match &spot.beneath {
        Some(beneath) => beneath.remove_tree(&spot.path).map_err(|error| spot.why(error)),
        None => match spot.path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(&spot.path).map_err(Into::into),
            Ok(_) => fs::remove_file(&spot.path).map_err(Into::into),
            Err(_) => Ok(()),
        },
    };
    removed.with_context(|| format!("cannot remove {}", spot.path.display()))
}

/// Removes a directory that may be empty; one with something in it stays, and so does one that is not there any more.
pub fn remove_empty(spot: impl Into<Spot>) -> bool {
    let spot = spot.into();
    match &spot.beneath {
        Some(beneath) => beneath.remove_dir(&spot.path).is_ok(),
        None => fs::remove_dir(&spot.path).is_ok(),
    }
}

/// Removes what an interrupted installation left in a directory: unfinished files. Only under the lock, where nobody else writes any.
pub fn clear_temporaries(spot: impl Into<Spot>) -> Vec<PathBuf> {
    let spot = spot.into();
    let found = temporaries(&spot);
    found.into_iter().filter(|path| remove(spot.at(path.clone())).is_ok()).collect()
}

/// Whether a name is one of unfinished files.
pub fn is_temporary(name: &str) -> bool {
    name.strip_prefix(TEMPORARY).is_some_and(|rest| rest.len() == 6)
}

/// The unfinished files in a directory.
pub fn temporaries(spot: impl Into<Spot>) -> Vec<PathBuf> {
    let spot = spot.into();
    let beneath = spot.beneath.clone().unwrap_or_else(|| Beneath::new(&spot.path));
    let names = beneath.names(&spot.path, usize::MAX).unwrap_or_default();
    let paths =
        names.into_iter().filter(|name| name.to_str().is_some_and(is_temporary)).map(|name| spot.path.join(name));
    paths.filter(|path| beneath.look(path).is_ok_and(|seen| seen.kind == Kind::File)).collect()
}

/// Moves what lies below a project out of the way, under a name beside it.
pub fn set_aside(spot: &Spot) -> Result<PathBuf, Error> {
    let beneath = spot.beneath.as_ref().context("only what lies in a project is moved aside")?;
    let moved = beneath.set_aside(&spot.path).map_err(|error| spot.why(error));
    moved.with_context(|| format!("cannot move {} aside", spot.path.display()))
}

/// The names in a directory; none where there is no directory.
pub fn names(spot: impl Into<Spot>) -> Vec<std::ffi::OsString> {
    let spot = spot.into();
    let beneath = spot.beneath.unwrap_or_else(|| Beneath::new(&spot.path));
    beneath.names(&spot.path, usize::MAX).unwrap_or_default()
}

/// A lock that one installation of a place holds at a time. It is on a directory, so that it leaves nothing behind.
#[cfg(unix)]
pub fn lock(dir: &Path) -> Result<Option<File>, Error> {
    let file = File::open(dir).with_context(|| format!("cannot open {}", dir.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(fs::TryLockError::WouldBlock) => {
            bail!("another installation is at work in {}; try again", dir.display())
        }
        // A file system without locks has one user at work, or nobody can tell.
        Err(fs::TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot lock {}", dir.display())),
    }
}

/// Directories cannot be opened here; that a file was changed meanwhile is seen all the same.
#[cfg(not(unix))]
pub fn lock(_dir: &Path) -> Result<Option<File>, Error> {
    Ok(None)
}

/// Whether a plain file holds exactly these bytes.
pub fn holds(spot: &Spot, bytes: &[u8]) -> bool {
    let Some(beneath) = &spot.beneath else { return false };
    beneath.read(&spot.path, bytes.len() as u64).is_ok_and(|present| present == bytes)
}

/// Gives a file or directory a mode, where the system has modes.
pub fn set_mode(spot: impl Into<Spot>, mode: u32) -> Result<(), Error> {
    let spot = spot.into();
    let set = match &spot.beneath {
        Some(beneath) => beneath.set_mode(&spot.path, mode).map_err(|error| spot.why(error)),
        None => open::foreign(&spot.path).and_then(|file| open::set_mode_on(&file, mode)).map_err(Into::into),
    };
    set.with_context(|| format!("cannot change the mode of {}", spot.path.display()))
}

/// The SHA-256 of bytes, in lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The SHA-256 of everything that can be read, in lower-case hexadecimal digits, and how many bytes that were.
pub fn hash(mut from: impl Read) -> io::Result<(String, u64)> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    let mut bytes = 0;
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok((hexadecimal(&hasher.finalize()), bytes)),
            Ok(read) => {
                bytes += read as u64;
                hasher.update(buffer.get(..read).unwrap_or_default());
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Bytes in lower-case hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

/// Serializes a path for people and programs; what of it is no Unicode text is replaced, since JSON has no place for it.
pub fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// The same for a path that may be missing.
#[allow(clippy::ref_option, reason = "this is the form that the derive calls")]
pub fn lossy_option<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_deref().map(Path::to_string_lossy).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::Change;

    #[test]
    fn somebody_elses_change_is_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.json");
        let change = Change { spot: (&path).into(), before: Some("old".into()), after: Some("new".into()) };
        std::fs::write(&path, "theirs").unwrap();
        assert!(change.make().unwrap_err().to_string().contains("changed by another process"));
        change.undo();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "theirs");
        std::fs::write(&path, "old").unwrap();
        change.make().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        change.undo();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    }
}
