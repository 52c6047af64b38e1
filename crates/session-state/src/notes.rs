//! Small files that other programs' documents name and that stay where they are named, such as `.claude/.test-status`.
//!
//! They lie in a directory of the project, not in the store's, and people and test runners write them too. Whoever changes one through
//! here holds the store's lock, so that no update of this library's users is lost; a reader finds a whole file at every moment.

use std::io::IoSlice;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::locked::Locked;
use crate::section::strikes::Strikes;
use crate::store::made;
use crate::sys::{Content, Dir};

/// The largest such file that is read, in bytes. A larger one is cut to its last lines when a line is added. One of more than twice that
/// size, which nobody made by adding lines, gives way to the line: whoever fills it would decide how long this takes.
pub const MAX_NOTE_BYTES: usize = 1 << 20;

/// Lines that stay of a file that has grown too large.
const KEPT_LINES: usize = 2_000;

/// The files of one directory, while the store is locked.
#[derive(Debug)]
pub struct Notes<'n, 's> {
    locked: &'n mut Locked<'s>,
    handle: Dir,
    dir: PathBuf,
}

impl<'s> Locked<'s> {
    /// The small files in `dir`, which is made if it is missing. A link in its place is an error.
    pub fn notes(&mut self, dir: &Path) -> Result<Notes<'_, 's>, Error> {
        self.notes_in(None, dir)
    }

    /// The same for a directory below `root`, of whose path behind `root` no part may be a link.
    pub fn notes_below(&mut self, root: &Path, dir: &Path) -> Result<Notes<'_, 's>, Error> {
        let root: PathBuf = root.components().collect();
        self.notes_in(Some(&root), dir)
    }

    fn notes_in(&mut self, root: Option<&Path>, dir: &Path) -> Result<Notes<'_, 's>, Error> {
        let dir: PathBuf = dir.components().collect();
        let handle = made(root, &dir)?;
        Ok(Notes { locked: self, handle, dir })
    }
}

impl Notes<'_, '_> {
    /// The text of a file; `None` where there is none, and where what has its name is a link, no plain file, or too large. Bytes that
    /// are not UTF-8 are replaced.
    pub fn read(&self, name: &str) -> Result<Option<String>, Error> {
        let path = self.path(name)?;
        match self.handle.read(name, MAX_NOTE_BYTES).map_err(Error::io("read", &path))? {
            Content::Bytes(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Content::Missing | Content::Odd(_) => Ok(None),
        }
    }

    /// Gives a file this content in one step. A link of that name is replaced, its target is not touched.
    pub fn put(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.path(name)?;
        let replaced = self.handle.replace(name, &mut [IoSlice::new(text.as_bytes())], None);
        replaced.map_err(Error::io("write", &path))
    }

    /// Appends one line, also behind a last line that somebody left open. Line ends in it become blanks.
    pub fn add(&mut self, name: &str, line: &str) -> Result<(), Error> {
        let path = self.path(name)?;
        let mut line = line.replace(['\n', '\r'], " ");
        line.push('\n');
        let size = self.handle.append(name, line.as_bytes()).map_err(Error::io("append to", &path))?;
        if size > 2 * MAX_NOTE_BYTES as u64 {
            return self.put(name, &line);
        }
        if size > MAX_NOTE_BYTES as u64 {
            self.trim_from(name, &path, KEPT_LINES, 2 * MAX_NOTE_BYTES)?;
        }
        Ok(())
    }

    /// Keeps the last lines of a file. One that is not there is fine.
    pub fn trim(&mut self, name: &str, lines: usize) -> Result<(), Error> {
        let path = self.path(name)?;
        self.trim_from(name, &path, lines, MAX_NOTE_BYTES)
    }

    fn trim_from(&mut self, name: &str, path: &Path, lines: usize, limit: usize) -> Result<(), Error> {
        let Content::Bytes(bytes) = self.handle.read(name, limit).map_err(Error::io("read", path))? else {
            return Ok(());
        };
        let text = String::from_utf8_lossy(&bytes);
        let all: Vec<&str> = text.split_inclusive('\n').collect();
        let Some(kept) = all.get(all.len().saturating_sub(lines)..).filter(|_| all.len() > lines) else {
            return Ok(());
        };
        self.put(name, &kept.concat())
    }

    /// Removes a file; one that is not there is fine.
    pub fn remove(&mut self, name: &str) -> Result<(), Error> {
        let path = self.path(name)?;
        self.handle.remove(name).map_err(Error::io("remove", &path))
    }

    /// Counts one more strike of a gate, earned by a path, and returns how many there are.
    ///
    /// The count stands in `.GATE-strikes` as `count|epoch`, where a user can read and remove it; which path has earned how many
    /// stands in the section `strikes` of the project's document.
    pub fn strike(&mut self, gate: &str, path: &str, epoch: i64) -> Result<u32, Error> {
        let file = strikes_file(gate);
        let before = self.read(&file)?.as_deref().and_then(count_of);
        let mut document = self.locked.project()?.value;
        let mut strikes = Strikes::of(&document);
        if before.is_none() {
            strikes.clear(gate);
        }
        strikes.add(gate, path);
        strikes.store(&mut document)?;
        self.locked.save_project(&document)?;
        let count = before.unwrap_or(0).saturating_add(1);
        self.put(&file, &format!("{count}|{epoch}\n"))?;
        Ok(count)
    }

    /// Forgets all strikes of a gate if the last one is older than the epoch `before`. What another process has counted since somebody
    /// looked stays.
    pub fn expire(&mut self, gate: &str, before: i64) -> Result<(), Error> {
        let file = strikes_file(gate);
        let text = self.read(&file)?.unwrap_or_default();
        let last = text.trim().split_once('|').and_then(|(_, epoch)| epoch.trim().parse::<i64>().ok());
        if last.is_some_and(|last| last < before) { self.remove(&file) } else { Ok(()) }
    }

    /// Takes back the strikes that a path has earned, and returns how many remain.
    pub fn forgive(&mut self, gate: &str, path: &str, epoch: i64) -> Result<u32, Error> {
        let file = strikes_file(gate);
        let Some(before) = self.read(&file)?.as_deref().and_then(count_of) else { return Ok(0) };
        let mut document = self.locked.project()?.value;
        let mut strikes = Strikes::of(&document);
        let earned = strikes.take(gate, path);
        if earned == 0 {
            return Ok(before);
        }
        strikes.store(&mut document)?;
        self.locked.save_project(&document)?;
        let count = before.saturating_sub(earned);
        if count == 0 {
            self.remove(&file)?;
        } else {
            self.put(&file, &format!("{count}|{epoch}\n"))?;
        }
        Ok(count)
    }

    /// Checks that a name stays in the directory.
    fn path(&self, name: &str) -> Result<PathBuf, Error> {
        let plain = name.len() <= 128
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
            && !matches!(name, "" | "." | ".." | ".tmp");
        if plain { Ok(self.dir.join(name)) } else { Err(Error::FileName { name: name.to_owned() }) }
    }
}

fn strikes_file(gate: &str) -> String {
    format!(".{gate}-strikes")
}

/// The count of `count|epoch`.
fn count_of(text: &str) -> Option<u32> {
    text.trim().split('|').next()?.trim().parse().ok()
}
