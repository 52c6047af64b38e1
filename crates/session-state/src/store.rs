//! The store: one folder, one lock, documents that any number of processes read and update.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::document::{MAX_DOCUMENT_BYTES, ProjectDocument, Refused, SessionDocument};
use crate::error::Error;
use crate::id::SessionId;
use crate::locked::Locked;
use crate::sys::{Content, Dir, Reuse};

/// How long [`Store::lock`] waits for other processes. A live update takes well under a millisecond, so a longer wait means that the
/// holder hangs, or that the machine is far behind.
pub const DEFAULT_LOCK_WAIT: Duration = Duration::from_secs(2);

/// The first and the longest pause between two tries for the lock.
const PAUSES: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(2));

pub(crate) const LOCK: &str = "lock";
pub(crate) const SESSIONS: &str = "sessions";
pub(crate) const PROJECT: &str = "project.json";

/// A folder of state. Making one touches nothing; see the crate's documentation for its files.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
    lock_wait: Duration,
    pub(crate) reuse: Option<Reuse>,
}

impl Store {
    /// The store in `dir`, which is made at the first update.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into(), lock_wait: DEFAULT_LOCK_WAIT, reuse: None }
    }

    /// Waits at most this long for the lock, instead of [`DEFAULT_LOCK_WAIT`].
    #[must_use]
    pub fn with_lock_wait(mut self, wait: Duration) -> Self {
        self.lock_wait = wait;
        self
    }

    /// Overwrites the previous content of a file instead of making a new one, where `sole` says that nobody can be reading it. It
    /// saves the making and removing of a file, and costs one more open.
    #[must_use]
    pub fn with_reuse(mut self, sole: Reuse) -> Self {
        self.reuse = Some(sole);
        self
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Takes the lock, waiting a bounded time, and makes the folder if need be. The lock ends with the value, or with the process.
    pub fn lock(&self) -> Result<Locked<'_>, Error> {
        let dir = match self.open_dir() {
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
                Dir::create(&self.dir).map_err(Error::io("make", &self.dir))?;
                self.open_dir()?
            }
            other => other?,
        };
        let path = self.dir.join(LOCK);
        let lock = dir.lock_file(LOCK).map_err(|error| link_or_io(&path, "open", error))?;
        self.wait_for(&lock, &path)?;
        Ok(Locked::new(self, dir, lock))
    }

    fn wait_for(&self, lock: &File, path: &Path) -> Result<(), Error> {
        let mut begin = None;
        let (mut pause, longest) = PAUSES;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Interrupted => {}
                Err(TryLockError::Error(error)) => return Err(Error::io("lock", path)(error)),
            }
            let waited = begin.get_or_insert_with(Instant::now).elapsed();
            if waited >= self.lock_wait {
                return Err(Error::Locked { path: path.to_path_buf(), waited });
            }
            sleep(pause.min(self.lock_wait - waited));
            pause = (pause * 2).min(longest);
        }
    }

    /// Reads a session's document without the lock; `None` when the session is not known. What is found is whole, and may be old by
    /// the time it is looked at.
    pub fn read_session(&self, id: &SessionId) -> Result<Option<SessionDocument>, Error> {
        let path = self.session_path(id);
        let Some(text) = self.read_text(SESSIONS, &file_name(id), &path)? else { return Ok(None) };
        SessionDocument::parse(id, text).map(Some).map_err(|refused| refused.at(&path))
    }

    /// Reads the project's document without the lock; `None` when there is none.
    pub fn read_project(&self) -> Result<Option<ProjectDocument>, Error> {
        let path = self.dir.join(PROJECT);
        let Some(text) = self.read_text("", PROJECT, &path)? else { return Ok(None) };
        ProjectDocument::parse(text).map(Some).map_err(|refused| refused.at(&path))
    }

    /// The sessions that have a document, in the order of their ids.
    pub fn sessions(&self) -> Result<Vec<SessionId>, Error> {
        let names = names(&self.dir.join(SESSIONS))?;
        Ok(names.iter().filter_map(|name| name.strip_suffix(".json")).map(SessionId::from_file_name).collect())
    }

    /// Where a session's document lies.
    pub fn session_path(&self, id: &SessionId) -> PathBuf {
        self.dir.join(SESSIONS).join(file_name(id))
    }

    fn read_text(&self, folder: &str, name: &str, path: &Path) -> Result<Option<String>, Error> {
        let dir = match self.open_dir() {
            Ok(dir) if folder.is_empty() => dir,
            Ok(dir) => match dir.sub(folder) {
                Ok(sub) => sub,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(folder_error(&self.dir.join(folder), error)),
            },
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let content = dir.read(name, MAX_DOCUMENT_BYTES).map_err(Error::io("read", path))?;
        let damaged = |reason: String| Error::Damaged { path: path.to_path_buf(), reason };
        match content {
            Content::Missing => Ok(None),
            Content::Odd(what) => Err(damaged(what.to_owned())),
            Content::Bytes(bytes) => {
                String::from_utf8(bytes).map(Some).map_err(|_| damaged("it is not UTF-8".to_owned()))
            }
        }
    }

    fn open_dir(&self) -> Result<Dir, Error> {
        Dir::open(&self.dir).map_err(|error| folder_error(&self.dir, error))
    }
}

impl Refused {
    pub(crate) fn at(self, path: &Path) -> Error {
        let path = path.to_path_buf();
        match self {
            Self::Damaged(reason) => Error::Damaged { path, reason },
            Self::Foreign(version) => Error::Foreign { path, version },
        }
    }
}

/// The name of a session's document.
pub(crate) fn file_name(id: &SessionId) -> String {
    format!("{id}.json")
}

/// Plain names in a folder, sorted; none where the folder is missing.
pub(crate) fn names(folder: &Path) -> Result<Vec<String>, Error> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(folder_error(folder, error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(Error::io("list", folder))?;
        names.extend(entry.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

/// Says whether a folder could not be opened because it is a link, or something else than a folder.
pub(crate) fn folder_error(path: &Path, error: std::io::Error) -> Error {
    match std::fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => Error::Link { path: path.to_path_buf() },
        Ok(meta) if !meta.is_dir() => Error::NotAFolder { path: path.to_path_buf() },
        _ => Error::io("open", path)(error),
    }
}

fn link_or_io(path: &Path, op: &'static str, error: std::io::Error) -> Error {
    if std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink()) {
        return Error::Link { path: path.to_path_buf() };
    }
    Error::io(op, path)(error)
}
