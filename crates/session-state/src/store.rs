//! The directory: its lock, and what can be read without it.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::document::{MAX_DOCUMENT_BYTES, ProjectDocument, Refused, SessionDocument};
use crate::error::Error;
use crate::id::SessionId;
use crate::locked::Locked;
use crate::sys::{Content, Dir, WriteLease};

/// How long [`Store::lock`] waits for other processes. An update takes well under a millisecond, so a longer wait means that the
/// holder hangs, or that the machine is far behind.
pub const DEFAULT_LOCK_WAIT: Duration = Duration::from_secs(2);

/// The pauses after the first tries for the lock, in microseconds: an update takes well under a millisecond.
const FIRST_PAUSES: [u64; 5] = [50, 100, 200, 400, 800];

/// The longest pause of a process that has come into a queue, and the shortest of one that waits long, in microseconds.
const QUEUED_PAUSES: (u64, u64) = (8_000, 250);

/// How long a process waits until its pauses are half as long.
const PATIENCE: Duration = Duration::from_millis(400);

pub(crate) const LOCK: &str = "lock";
pub(crate) const SESSIONS: &str = "sessions";
pub(crate) const PROJECT: &str = "project.json";
const EXTENSION: &str = ".json";

/// The longest view that is read back, in bytes.
const MAX_VIEW_BYTES: usize = 64 << 10;

/// A directory of state. Making one touches nothing; see the crate's documentation for its files.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
    root: Option<PathBuf>,
    wait: Duration,
    pub(crate) reuse: Option<WriteLease>,
}

impl Store {
    /// The store in this directory, which is made at the first [`Store::lock`].
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        // By components, because a slash behind the last one would follow a link there.
        let dir = dir.into().components().collect();
        Self { dir, root: None, wait: DEFAULT_LOCK_WAIT, reuse: None }
    }

    /// Refuses the directory where any part of its path behind `root` is a link. What lies above `root` may be reached through links.
    ///
    /// For a store in a directory that came from elsewhere, such as a clone, `root` is that directory. Without a root only the last name
    /// must not be a link. A directory that does not lie below `root` is an error.
    #[must_use]
    pub fn below(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = Some(root.into().components().collect());
        self
    }

    /// Waits at most this long for the lock. Zero asks once.
    #[must_use]
    pub fn with_lock_wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Writes into the file that an update replaced last, where `hold` can keep readers out of it meanwhile. This makes an
    /// update twice as fast and leaves one `.NAME.spare` beside each file.
    ///
    /// Without it every update makes a fresh file and removes the old one. A system or a file system that cannot exchange two
    /// names does so anyway.
    #[must_use]
    pub fn with_reuse(mut self, hold: WriteLease) -> Self {
        self.reuse = Some(hold);
        self
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where a session's document lies.
    pub fn session_path(&self, id: &SessionId) -> PathBuf {
        self.dir.join(SESSIONS).join(document_name(id))
    }

    /// Takes the lock for writing, and makes the directory if need be. The lock ends with the value, or with its process, however
    /// that ends.
    ///
    /// Waits in steps of 0.05 to 2 ms while another process holds it, and gives up with [`Error::Locked`] at the bound.
    ///
    /// ```
    /// use hook_session_state::{Kind, SessionId, Store};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let directory = tempfile::tempdir()?;
    /// let store = Store::new(directory.path().join("state"));
    /// let id = SessionId::from_raw("loop-1");
    /// let mut locked = store.lock()?;
    /// let mut session = locked.session(&id)?.value;
    /// if locked.first_time(&id, Kind::Event, "toolu_01")? {
    ///     session.activity_mut().action_count += 1;
    ///     locked.save(&session)?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn lock(&self) -> Result<Locked<'_>, Error> {
        let handle = made(self.root.as_deref(), &self.dir)?;
        let path = self.dir.join(LOCK);
        let file = handle.lock_file(LOCK).map_err(|error| match fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_symlink() => Error::Link { path: path.clone() },
            _ => Error::io("open", &path)(error),
        })?;
        wait_for(&file, &path, self.wait, &|| self.last_save())?;
        Ok(Locked::new(self, handle, file))
    }

    /// When a session's document was last saved, by any process.
    fn last_save(&self) -> Option<SystemTime> {
        fs::metadata(self.dir.join(SESSIONS)).and_then(|dir| dir.modified()).ok()
    }

    /// Reads a session's document without the lock; `None` when there is none. What is found is whole, and may be old by the time
    /// it is looked at.
    pub fn read_session(&self, id: &SessionId) -> Result<Option<SessionDocument>, Error> {
        let Some(handle) = self.open()? else { return Ok(None) };
        let Some(sessions) = self.open_sessions(&handle)? else { return Ok(None) };
        let path = self.session_path(id);
        let Some(text) = read_text(&sessions, &document_name(id), &path)? else { return Ok(None) };
        SessionDocument::parse(id, text).map(Some).map_err(|refused| refused.at(path))
    }

    /// Reads the project's document without the lock; `None` when there is none.
    pub fn read_project(&self) -> Result<Option<ProjectDocument>, Error> {
        let Some(handle) = self.open()? else { return Ok(None) };
        let path = self.dir.join(PROJECT);
        let Some(text) = read_text(&handle, PROJECT, &path)? else { return Ok(None) };
        ProjectDocument::parse(text).map(Some).map_err(|refused| refused.at(path))
    }

    /// Reads a view; `None` where there is none, and where what has its name is a link, no plain file, or larger than 64 KiB.
    /// Bytes that are not UTF-8 are replaced.
    pub fn read_view(&self, name: &str) -> Result<Option<String>, Error> {
        view_name(name)?;
        let Some(handle) = self.open()? else { return Ok(None) };
        match handle.read(name, MAX_VIEW_BYTES).map_err(Error::io("read", &self.dir.join(name)))? {
            Content::Bytes(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Content::Missing | Content::Odd(_) => Ok(None),
        }
    }

    /// The sessions that have a document, in the order of their ids. Lists a directory, so it is not for the path of a hook.
    pub fn sessions(&self) -> Result<Vec<SessionId>, Error> {
        let names = self.session_names()?;
        Ok(names.iter().filter_map(|name| session_of(name)).collect())
    }

    /// The names in the directory of the sessions, sorted.
    pub(crate) fn session_names(&self) -> Result<Vec<String>, Error> {
        let Some(handle) = self.open()? else { return Ok(Vec::new()) };
        if self.open_sessions(&handle)?.is_none() {
            return Ok(Vec::new());
        }
        list(&self.dir.join(SESSIONS))
    }

    /// Opens the directory; `None` where there is none.
    pub(crate) fn open(&self) -> Result<Option<Dir>, Error> {
        present(opened(self.root.as_deref(), &self.dir), self.root.as_deref(), &self.dir)
    }

    /// Opens the directory of the sessions; `None` where there is none.
    pub(crate) fn open_sessions(&self, handle: &Dir) -> Result<Option<Dir>, Error> {
        match handle.sub(SESSIONS) {
            Ok(handle) => Ok(Some(handle)),
            refused => present(refused, None, &self.dir.join(SESSIONS)),
        }
    }
}

/// The longest pause before the next try, in microseconds. Whoever has waited longer tries more often: with equal pauses for all, chance
/// alone decides who gets a lock that many want, and some process of a crowd waits ten times as long as the others.
fn pause(tries: usize, waited: Duration) -> u64 {
    let (longest, shortest) = QUEUED_PAUSES;
    let halvings = (waited.as_millis() / PATIENCE.as_millis()).min(63);
    FIRST_PAUSES.get(tries).copied().unwrap_or_else(|| (longest >> halvings).max(shortest))
}

/// Takes the lock, in steps of 0.05 to 8 ms while another process holds it, and gives up after `longest_wait`. `last_save` says when
/// something was last saved under this lock, if that can be known.
pub(crate) fn wait_for(
    lock: &File,
    path: &Path,
    longest_wait: Duration,
    last_save: &dyn Fn() -> Option<SystemTime>,
) -> Result<(), Error> {
    let mut begun = None;
    let mut jitter = None;
    let mut tries = 0;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Interrupted => continue,
            Err(TryLockError::Error(error)) => return Err(Error::io("lock", path)(error)),
        }
        let (begin, seen) = begun.get_or_insert_with(|| (Instant::now(), last_save()));
        let waited = begin.elapsed();
        // A queue that moves is no holder that hangs: whoever waits in one gets twice the time.
        let moves = waited >= longest_wait && last_save() != *seen;
        let limit = if moves { longest_wait * 2 } else { longest_wait };
        let Some(left) = limit.checked_sub(waited).filter(|left| !left.is_zero()) else {
            return Err(Error::Locked { path: path.to_path_buf(), waited });
        };
        // Processes that were started together must not knock together.
        let jitter = jitter.get_or_insert_with(|| u64::from(std::process::id()));
        let pause = pause(tries, waited);
        tries += 1;
        *jitter = (*jitter ^ pause).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        let step = Duration::from_micros(pause / 2 + *jitter % (pause / 2));
        thread::sleep(step.min(left));
    }
}

fn opened(root: Option<&Path>, dir: &Path) -> io::Result<Dir> {
    root.map_or_else(|| Dir::open(dir), |root| Dir::open_below(root, dir))
}

/// Opens a directory, and makes it if need be.
pub(crate) fn made(root: Option<&Path>, dir: &Path) -> Result<Dir, Error> {
    let handle = match opened(root, dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let made = root.map_or_else(|| Dir::create(dir), |root| Dir::create_below(root, dir));
            made.map_err(|error| dir_error("make", root, dir, error))?;
            opened(root, dir)
        }
        opened => opened,
    };
    handle.map_err(|error| dir_error("open", root, dir, error))
}

/// Says whether a directory is there, or why it could not be opened.
fn present(opened: io::Result<Dir>, root: Option<&Path>, path: &Path) -> Result<Option<Dir>, Error> {
    match opened {
        Ok(handle) => Ok(Some(handle)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(dir_error("open", root, path, error)),
    }
}

/// Says why a directory could not be opened or made: the system has one code for several causes.
pub(crate) fn dir_error(op: &'static str, root: Option<&Path>, path: &Path, error: io::Error) -> Error {
    let above = root.into_iter().flat_map(|root| path.ancestors().skip(1).take_while(move |part| *part != root));
    for part in std::iter::once(path).chain(above) {
        match fs::symlink_metadata(part) {
            Ok(meta) if meta.is_symlink() => return Error::Link { path: part.to_path_buf() },
            Ok(meta) if !meta.is_dir() => return Error::NotADir { path: part.to_path_buf() },
            _ => {}
        }
    }
    Error::io(op, path)(error)
}

/// Reads a document for someone who cannot set a damaged one aside.
fn read_text(handle: &Dir, name: &str, path: &Path) -> Result<Option<String>, Error> {
    let damaged = |reason: &str| Error::Damaged { path: path.to_path_buf(), reason: reason.to_owned() };
    match handle.read(name, MAX_DOCUMENT_BYTES).map_err(Error::io("read", path))? {
        Content::Missing => Ok(None),
        Content::Odd(reason) => Err(damaged(reason)),
        Content::Bytes(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| damaged("it is not UTF-8")),
    }
}

impl Refused {
    fn at(self, path: PathBuf) -> Error {
        match self {
            Self::Damaged(reason) => Error::Damaged { path, reason },
            Self::Foreign(version) => Error::Foreign { path, version },
        }
    }
}

/// The names in a directory, sorted. One that is not UTF-8 is none of the store's.
pub(crate) fn list(dir: &Path) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).map_err(Error::io("list", dir))? {
        names.extend(entry.map_err(Error::io("list", dir))?.file_name().into_string().ok());
    }
    names.sort_unstable();
    Ok(names)
}

/// The file name of a session's document.
pub(crate) fn document_name(id: &SessionId) -> String {
    [id.as_str(), EXTENSION].concat()
}

/// The session whose document has this file name; `None` for a name that no id gives.
pub(crate) fn session_of(name: &str) -> Option<SessionId> {
    SessionId::from_file_stem(name.strip_suffix(EXTENSION)?)
}

/// Checks that a view of this name stays in the directory and is not one of the store's own files.
pub(crate) fn view_name(name: &str) -> Result<(), Error> {
    let own = [LOCK, SESSIONS, PROJECT].contains(&name);
    let plain = !name.is_empty()
        && name.len() <= 128
        && !name.starts_with('.')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    if plain && !own { Ok(()) } else { Err(Error::FileName { name: name.to_owned() }) }
}
