//! The signed document of a project, `state.json`: locked, verified at every read, never silently begun again.
//!
//! Beside the project's own file there is a *key store* outside the project: the key, and a copy of the document that was signed last.
//! A document that is edited, older than that copy, gone, signed with another key or damaged is told apart, quarantined and reported,
//! and the copy is in force. Where there is no copy that can be believed, the circuit breaker counts as tripped until a user
//! resets it. So nothing that is done to the files lifts a restriction.
//!
//! A key that the agent's own user can read proves that nobody changed the document by accident, with an editor, a script or another
//! program that does not know the key. It cannot prove anything against a program of that user which sets out to forge: that one
//! can read the key, or put older copies of both files back. [`crate::signed::Signed::anchor`] is a line to keep where that user
//! cannot write.

mod key_store;
mod moved;
mod state;

use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use self::moved::Moved;
pub use self::state::State;

use self::key_store::{Good, KeyStore};
use self::moved::Mark;
use crate::document::{MAX_DOCUMENT_BYTES, VERSION};
use crate::error::Error;
use crate::locked::{aside_name, set_aside};
use crate::sign::{self, Verdict, hex, verify};
use crate::store::{DEFAULT_LOCK_WAIT, dir_error, list, made, wait_for};
use crate::sys::{Content, Dir};
use crate::text::Text;

const DOCUMENT: &str = "state.json";
const LOCK: &str = "state.json.lock";

/// Where a signed document and its key store lie. Making one touches nothing.
#[derive(Clone, Debug)]
pub struct Signed {
    dir: PathBuf,
    key_store: Option<PathBuf>,
    wait: Duration,
}

/// What is wrong with a signed document or its key store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// The document is gone.
    Deleted,
    /// It was changed after it was signed.
    Edited,
    /// It is older than one that was signed before.
    RolledBack {
        /// Its counter.
        counter: u64,
        /// The counter of the last one.
        last: u64,
    },
    /// It carries no signature.
    Unsigned,
    /// It was signed with a key that is not this project's.
    UnknownKey {
        /// The key's name.
        name: String,
    },
    /// It was signed with a key that was never on this machine: the directory came from elsewhere, and the document is not believed.
    Elsewhere {
        /// The key's name.
        name: String,
    },
    /// It is no JSON object, or no plain file.
    Damaged {
        /// What is wrong.
        reason: String,
    },
    /// The key is gone.
    KeyGone {
        /// Where it should be.
        path: PathBuf,
    },
    /// The key is not what was written.
    KeyDamaged {
        /// Where it is.
        path: PathBuf,
    },
    /// Others can read the key.
    KeyLoose {
        /// Where it is.
        path: PathBuf,
    },
    /// The key cannot be read.
    KeyUnreadable {
        /// Where it is.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

impl Trouble {
    /// Whether nothing can be signed until a user has mended it.
    pub fn needs_person(&self) -> bool {
        matches!(self, Self::KeyLoose { .. } | Self::KeyUnreadable { .. })
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deleted => f.write_str("state.json was deleted"),
            Self::Edited => f.write_str("state.json was edited: its signature does not fit"),
            Self::RolledBack { counter, last } => {
                write!(f, "state.json was rolled back: it is number {counter}, and number {last} was signed before")
            }
            Self::Unsigned => f.write_str("state.json has no signature"),
            Self::UnknownKey { name } => {
                write!(f, "state.json was signed with the key {name}, which is not the key of this project")
            }
            Self::Elsewhere { name } => write!(
                f,
                "state.json was made elsewhere, with the key {name}, which this machine does not have; it is quarantined and all begins again"
            ),
            Self::Damaged { reason } => write!(f, "state.json is damaged: {reason}"),
            Self::KeyGone { path } => write!(f, "the key {} is gone, so state.json cannot be verified", path.display()),
            Self::KeyDamaged { path } => {
                write!(f, "the key {} is damaged, so state.json cannot be verified", path.display())
            }
            Self::KeyLoose { path } => write!(
                f,
                "the key {} can be read by others, so it proves nothing; run: chmod 600 '{}'",
                path.display(),
                path.display()
            ),
            Self::KeyUnreadable { path, reason } => write!(
                f,
                "the key {} cannot be read ({reason}), so state.json cannot be verified; make it a plain file that you can read",
                path.display()
            ),
        }
    }
}

/// What was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// What is in force.
    pub state: State,
    /// What is wrong, if anything is.
    pub trouble: Option<Trouble>,
    /// The counter of what is in force; 0 before the first signature.
    pub counter: u64,
    /// The directory was moved or copied since the document was signed. The next save makes it the state of this directory.
    pub moved: Option<Moved>,
}

impl Found {
    fn new(state: State, trouble: Option<Trouble>, counter: u64) -> Self {
        Self { state, trouble, counter, moved: None }
    }

    /// What holds where nothing can be believed.
    fn lost(trouble: Trouble) -> Self {
        Self::new(State::distrusted(&trouble.to_string()), Some(trouble), 0)
    }
}

impl Signed {
    /// The document in `dir`, the project's `.claude`, which must not be a link, with its key in the directory `keys`. Without `keys` there is no place for a
    /// key, and the document is neither signed nor verified.
    pub fn new(dir: impl Into<PathBuf>, keys: Option<&Path>) -> Self {
        // By components, because a slash behind the last one would follow a link there.
        let dir: PathBuf = dir.into().components().collect();
        let key_store = keys.map(|keys| key_store::place(keys, dir.parent().unwrap_or(&dir)));
        Self { dir, key_store, wait: DEFAULT_LOCK_WAIT }
    }

    /// Waits at most this long for the lock.
    #[must_use]
    pub fn with_lock_wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Where the document lies.
    pub fn path(&self) -> PathBuf {
        self.dir.join(DOCUMENT)
    }

    /// Where the key lies.
    pub fn key_path(&self) -> Option<&Path> {
        self.key_store.as_deref()
    }

    /// Makes the project's key, if it has none and nothing was signed yet. Says whether it did.
    pub fn make_key(&self) -> Result<bool, Error> {
        let Some(path) = &self.key_store else { return Ok(false) };
        let is_new = self.path().symlink_metadata().is_err() && !self.has_signed();
        if !is_new || !matches!(KeyStore::read(path), KeyStore::Missing) {
            return Ok(false);
        }
        let good = Good::fresh().map_err(Error::io("make the key", path))?;
        good.write(path, self.project(), "").map(|()| true)
    }

    /// Reads and verifies, without the lock where all is well. What looks wrong may be another process half way through its first
    /// update, so it is looked at again with the lock, if that can be had.
    pub fn read(&self) -> Result<Found, Error> {
        let found = self.look()?.1;
        if found.trouble.is_none() {
            return Ok(found);
        }
        Ok(self.lock().map_or(found, |held| held.found.clone()))
    }

    /// Takes the lock for changing the document, and makes the directory if need be.
    pub fn lock(&self) -> Result<Held<'_>, Error> {
        let handle = made(None, &self.dir)?;
        let path = self.dir.join(LOCK);
        let lock = handle.lock_file(LOCK).map_err(Error::io("open", &path))?;
        wait_for(&lock, &path, self.wait, &|| None)?;
        let (key_store, found) = self.look()?;
        Ok(Held { signed: self, handle, key_store, found, lock })
    }

    /// One line that says which document was signed last: counter, SHA-256 and directory. Kept where the project's user can append and not
    /// rewrite, it shows a rollback of document and key store together. `None` before the first signature.
    pub fn anchor(&self) -> Result<Option<String>, Error> {
        use sha2::Digest as _;

        let Some(KeyStore::Good(good)) = self.key_store.as_deref().map(KeyStore::read) else { return Ok(None) };
        // Number and hash are of one and the same text: another process may sign the next one at any moment.
        let Some(text) = self.text()?.and_then(Result::ok) else { return Ok(None) };
        let found = judge(&good, Some(Ok(text.clone())));
        if found.counter == 0 || found.trouble.is_some() {
            return Ok(None);
        }
        let digest = sha2::Sha256::digest(text.as_bytes());
        Ok(Some(format!("hookbin-anchor 1 {} {} {}", found.counter, hex(&digest), self.dir.display())))
    }

    /// The project's directory.
    fn project(&self) -> &Path {
        self.dir.parent().unwrap_or(&self.dir)
    }

    fn mark(&self) -> Mark {
        Mark::read(&self.dir.join(LOCK), self.key_store.as_deref())
    }

    /// Whether the lock file says that something was signed here before: a project whose document and key are both gone is not new.
    fn has_signed(&self) -> bool {
        self.mark() != Mark::Nothing
    }

    /// The document's text, or what is odd about it; `None` where there is none.
    fn text(&self) -> Result<Option<Result<String, String>>, Error> {
        let handle = match Dir::open(&self.dir) {
            Ok(handle) => handle,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(dir_error("open", None, &self.dir, error)),
        };
        Ok(match handle.read(DOCUMENT, MAX_DOCUMENT_BYTES).map_err(Error::io("read", &self.path()))? {
            Content::Missing => None,
            Content::Bytes(bytes) => Some(String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())),
            Content::Odd(reason) => Some(Err(reason.to_owned())),
        })
    }

    /// Reads key store and document, in this order: a writer writes them the other way round, so that a reader never finds the
    /// document behind the key store.
    fn look(&self) -> Result<(Option<Good>, Found), Error> {
        let Some(path) = &self.key_store else { return Ok((None, self.unsigned()?)) };
        let key_store = KeyStore::read(path);
        let text = match self.text() {
            // Whoever puts a link there afterwards does not get a fresh state.
            Err(Error::Link { .. }) if matches!(key_store, KeyStore::Good(_)) => {
                Some(Err("its directory is a symbolic link".to_owned()))
            }
            text => text?,
        };
        let path = path.clone();
        Ok(match (key_store, text) {
            (KeyStore::Missing, text) => self.without_key_store(path, text),
            (KeyStore::Good(good), None) if good.last.is_none() && self.has_signed() => {
                (Some(good), Found::lost(Trouble::Deleted))
            }
            (KeyStore::Loose, _) => (None, Found::lost(Trouble::KeyLoose { path })),
            (KeyStore::Unreadable(reason), _) => (None, Found::lost(Trouble::KeyUnreadable { path, reason })),
            (KeyStore::Damaged, _) => (None, Found::lost(Trouble::KeyDamaged { path })),
            (KeyStore::Good(good), text) => {
                let mut found = judge(&good, text);
                // A process that was killed after it made the key has signed nothing yet.
                if let (None, Some(Trouble::UnknownKey { name })) = (&good.last, &found.trouble)
                    && self.mark() != Mark::Here
                {
                    found = Found::new(State::default(), Some(Trouble::Elsewhere { name: name.clone() }), 0);
                }
                (Some(good), found)
            }
        })
    }

    /// What is in force where this directory has no key store: what the key store of the directory says in which the document was signed, for it may
    /// have been moved. A document that this machine never signed opens nothing and counts as none. One that was signed here tells that
    /// its key was taken away.
    fn without_key_store(&self, path: PathBuf, text: Option<Result<String, String>>) -> (Option<Good>, Found) {
        let mark = self.mark();
        let verdict = text.as_ref().and_then(|text| text.as_ref().ok()).map(|text| verify(text, &[], 0));
        let key = match &verdict {
            Some(Verdict::UnknownKey { name }) => Some(name.as_str()),
            _ => None,
        };
        if let Some((old, good)) = moved::find(&path, &mark, key) {
            let found = Found { moved: moved::since(&good, old, &self.dir), ..judge(&good, text) };
            return (Some(good), found);
        }
        let found = match (text, verdict) {
            (None, _) if mark == Mark::Nothing => Found::new(State::default(), None, 0),
            (None, _) => Found::lost(Trouble::Deleted),
            (Some(Err(reason)), _) => Found::lost(Trouble::Damaged { reason }),
            (_, Some(Verdict::Missing)) => Found::lost(Trouble::Unsigned),
            (_, Some(Verdict::Damaged)) => {
                Found::lost(Trouble::Damaged { reason: "it is not a JSON object".to_owned() })
            }
            (_, Some(Verdict::UnknownKey { name })) if matches!(mark, Mark::Nothing | Mark::There(_)) => {
                Found::new(State::default(), Some(Trouble::Elsewhere { name }), 0)
            }
            _ => Found::lost(Trouble::KeyGone { path }),
        };
        (None, found)
    }

    /// The document where there is no place for a key.
    fn unsigned(&self) -> Result<Found, Error> {
        let damaged = |reason: String| Found::lost(Trouble::Damaged { reason });
        Ok(match self.text()? {
            None => Found::new(State::default(), None, 0),
            Some(Err(reason)) => damaged(reason),
            Some(Ok(text)) => match (verify(&text, &[], 0), State::parse(&text)) {
                (Verdict::Missing, Ok(state)) => Found::new(state, None, 0),
                (Verdict::UnknownKey { name }, _) => Found::lost(Trouble::UnknownKey { name }),
                (_, Err(reason)) => damaged(reason),
                _ => damaged("it is not a JSON object".to_owned()),
            },
        })
    }
}

/// What is in force, given a key that can be used.
fn judge(good: &Good, text: Option<Result<String, String>>) -> Found {
    let last = good.last.as_ref();
    let at_least = last.map_or(0, |(_, counter)| *counter);
    let trouble = match text {
        None if last.is_none() => return Found::new(State::default(), None, 0),
        None => Trouble::Deleted,
        Some(Err(reason)) => Trouble::Damaged { reason },
        // The copy was verified when it was read, and this is the same to the byte.
        Some(Ok(text)) if last.is_some_and(|(last, _)| *last == text) => match State::parse(&text) {
            Ok(state) => return Found::new(state, None, at_least),
            Err(reason) => Trouble::Damaged { reason },
        },
        Some(Ok(text)) => match verify(&text, std::slice::from_ref(&good.key), at_least) {
            Verdict::Valid { counter } => {
                // The same number twice is the same text, to the byte. Only a writer that was killed leaves a higher one.
                match State::parse(&text) {
                    Ok(state) if counter > at_least && text.ends_with("}\n") => {
                        return Found::new(state, None, counter);
                    }
                    _ => Trouble::Edited,
                }
            }
            Verdict::Missing => Trouble::Unsigned,
            Verdict::UnknownKey { name } => Trouble::UnknownKey { name },
            Verdict::Edited => Trouble::Edited,
            Verdict::RolledBack { counter } => Trouble::RolledBack { counter, last: at_least },
            Verdict::Damaged => Trouble::Damaged { reason: "it is not a JSON object".to_owned() },
        },
    };
    let state = last.and_then(|(text, _)| State::parse(text).ok());
    let state = state.unwrap_or_else(|| State::distrusted(&trouble.to_string()));
    Found::new(state, Some(trouble), at_least)
}

/// Gives what was found a second name. It keeps its own until it is replaced: a process that is killed in between must not leave
/// a project that looks new.
fn keep_copy(path: &Path) -> Result<PathBuf, Error> {
    // Whoever could not save after this, because the disk is full or it was killed, comes here again with the same file: a second copy
    // of it would push an older and different one out.
    if let Some(copy) = copy_of(path) {
        return Ok(copy);
    }
    let aside = aside_name(path, DOCUMENT, "tampered")?;
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_file() && fs::hard_link(path, &aside).is_ok() => Ok(aside),
        _ => set_aside(path, DOCUMENT, "tampered"),
    }
}

/// The copy of this very content that was kept before, if there is one.
fn copy_of(path: &Path) -> Option<PathBuf> {
    let read = |path: &Path| {
        let meta = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
        (meta.len() <= MAX_DOCUMENT_BYTES as u64).then(|| fs::read(path).ok())?
    };
    let found = read(path)?;
    let dir = path.parent()?;
    let prefix = format!("{DOCUMENT}.tampered-");
    let copies = list(dir).ok()?.into_iter().filter(|name| name.starts_with(&prefix));
    copies.map(|name| dir.join(name)).find(|copy| read(copy).as_ref() == Some(&found))
}

/// Notes in the lock file that something was signed, and under which key store. Each note is at least as long as one before it.
fn mark(mut lock: &File, key_store: &Path) -> std::io::Result<()> {
    use std::io::{Seek as _, SeekFrom, Write as _};

    let name = key_store.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    lock.seek(SeekFrom::Start(0))?;
    lock.write_all(format!("signed {name}\n").as_bytes())
}

/// The signed document with its lock held. Dropping it frees the lock; what was not saved is not kept.
#[derive(Debug)]
pub struct Held<'s> {
    signed: &'s Signed,
    handle: Dir,
    key_store: Option<Good>,
    found: Found,
    lock: File,
}

impl Held<'_> {
    /// What is in force.
    pub fn state(&self) -> &State {
        &self.found.state
    }

    /// What is in force, to change.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.found.state
    }

    /// What is wrong with what was found, until it is saved.
    pub fn trouble(&self) -> Option<&Trouble> {
        self.found.trouble.as_ref()
    }

    /// Where the document was signed last, if the directory was moved or copied since, until it is saved.
    pub fn moved(&self) -> Option<&Moved> {
        self.found.moved.as_ref()
    }

    /// Signs and saves what is in force, in one step, with the next counter. `time` is when, for people. What was found instead of
    /// the last document is quarantined; its new path is returned.
    ///
    /// Where the key needs a user first, nothing is written and the error says what to do.
    pub fn save(&mut self, time: &str) -> Result<Option<PathBuf>, Error> {
        let path = self.signed.path();
        if let Some(trouble) = self.found.trouble.as_ref().filter(|trouble| trouble.needs_person()) {
            return Err(Error::Key { reason: trouble.to_string() });
        }
        if self.found.state.version() > VERSION {
            return Err(Error::Foreign { path, version: self.found.state.version() });
        }
        let body = self.found.state.to_json()?;
        let aside = match &self.found.trouble {
            Some(_) if path.symlink_metadata().is_ok() => Some(keep_copy(&path)?),
            _ => None,
        };
        let Some(key_store) = &self.signed.key_store else {
            self.write(&(body + "\n"))?;
            self.found.trouble = None;
            return Ok(aside);
        };
        if self.key_store.is_none() {
            if key_store.symlink_metadata().is_ok() {
                let name = key_store.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                set_aside(key_store, name, "damaged")?;
            }
            self.key_store = Some(Good::fresh().map_err(Error::io("make the key", key_store))?);
        }
        let moved = self.found.moved.take();
        if moved.as_ref().is_some_and(|moved| moved.copied) {
            // Each of two directories has a key of its own, or the document of one would pass for the other's.
            self.key_store = Some(Good::fresh().map_err(Error::io("make the key", key_store))?);
        }
        let Some(good) = &mut self.key_store else { return Ok(aside) };
        let counter = self.found.counter.saturating_add(1);
        let text = sign::signed(&good.key, counter, time, &body)
            .map_err(|reason| Error::Section { name: DOCUMENT.to_owned(), reason })?;
        if good.last.is_none() && self.found.counter == 0 {
            // A new key has to be on the disk before anything is signed with it: a process that is killed in between would leave a
            // document that nobody can verify.
            good.write(key_store, self.signed.project(), "")?;
        } else if moved.as_ref().is_some_and(|moved| moved.copied) {
            // Here the last document has to be there as well, for the one in the directory fits another key.
            good.write(key_store, self.signed.project(), &text)?;
        }
        let replaced = self.handle.replace(DOCUMENT, &mut Text::from(text.as_str()).slices(), None);
        replaced.map_err(Error::io("write", &path))?;
        good.write(key_store, self.signed.project(), &text)?;
        if counter == 1 || self.found.trouble.is_some() || moved.is_some() {
            mark(&self.lock, key_store).map_err(Error::io("write", &self.signed.dir.join(LOCK)))?;
        }
        if let Some(old) = moved.filter(|moved| !moved.copied) {
            // A new project may come where this one was.
            key_store::remove(&old.key_store)?;
        }
        self.found.counter = counter;
        self.found.trouble = None;
        good.last = Some((text, counter));
        Ok(aside)
    }

    fn write(&self, text: &str) -> Result<(), Error> {
        let replaced = self.handle.replace(DOCUMENT, &mut Text::from(text).slices(), None);
        replaced.map_err(Error::io("write", &self.signed.path()))
    }
}
