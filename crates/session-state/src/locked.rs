//! What a process may do while it holds the lock: read documents to change them, save them, write views.
//!
//! # What a process that is killed leaves behind
//!
//! A document and its membership file cannot change in one step. A save writes the document first, with the hashes that are new in it
//! as `pending`, and then puts them into the membership file. Whoever loads a document with `pending` hashes puts in what is missing,
//! so that a process which is killed anywhere in between loses nothing that a reader can see. A `pending` zero, which no hash is,
//! stands for a membership file that is to begin anew.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::document::{MAX_DOCUMENT_BYTES, ProjectDocument, Refused, SessionDocument};
use crate::error::Error;
use crate::id::SessionId;
use crate::seen::{Kind, Place, Seen, hash};
use crate::store::{LOCK, PROJECT, SESSIONS, Store, file_name, folder_error, names};
use crate::sys::{Content, Dir, RESERVED};
use crate::text::Text;
use crate::time::Time;

/// Stands in `pending` for a membership file that begins anew.
const ANEW: u64 = 0;

/// How many damaged documents of one name are kept.
const KEPT_ASIDE: usize = 5;

/// Reads and writes of membership files since the lock was taken, so that a test can show that they do not grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Io {
    /// Reads.
    pub reads: u64,
    /// Bytes read.
    pub bytes_read: u64,
    /// Writes.
    pub writes: u64,
    /// Bytes written.
    pub bytes_written: u64,
}

/// A document that was loaded to be changed.
#[derive(Debug)]
pub struct Loaded<T> {
    /// The document; a fresh one where there was none, or only a damaged one.
    pub value: T,
    /// Whether the document was there.
    pub existed: bool,
    /// Where the damaged document was put, if that is what was found.
    pub damaged: Option<PathBuf>,
}

/// The store with its lock held.
#[derive(Debug)]
pub struct Locked<'s> {
    store: &'s Store,
    dir: Dir,
    sessions: Option<Dir>,
    /// Held until it is dropped.
    _lock: File,
    membership: Option<Membership>,
    io: Io,
}

/// What is known about one session's membership file.
#[derive(Debug)]
struct Membership {
    id: SessionId,
    seen: Option<Seen>,
    /// The file is to begin anew at the next save.
    anew: bool,
    /// Hashes that are new in this update, and where they go.
    staged: Vec<(u64, Place)>,
}

impl<'s> Locked<'s> {
    pub(crate) fn new(store: &'s Store, dir: Dir, lock: File) -> Self {
        Self { store, dir, sessions: None, _lock: lock, membership: None, io: Io::default() }
    }

    /// Loads a session's document. A damaged one is set aside and a fresh one begun; one of a newer version that this version cannot
    /// read is an error, and stays.
    pub fn session(&mut self, id: &SessionId) -> Result<Loaded<SessionDocument>, Error> {
        self.open_sessions()?;
        let name = file_name(id);
        let path = self.store.session_path(id);
        let content = self.sessions_dir()?.read(&name, MAX_DOCUMENT_BYTES).map_err(Error::io("read", &path))?;
        let parsed = match text_of(content) {
            Ok(None) => return Ok(Loaded { value: SessionDocument::new(id.clone()), existed: false, damaged: None }),
            Ok(Some(text)) => SessionDocument::parse(id, text),
            Err(reason) => Err(Refused::Damaged(reason)),
        };
        match parsed {
            Ok(document) => {
                self.finish_pending(&document)?;
                Ok(Loaded { value: document, existed: true, damaged: None })
            }
            Err(Refused::Damaged(_)) => {
                let aside = set_aside(&path)?;
                // What it had counted is not known any more, so nothing counts as known.
                self.forget(id)?;
                Ok(Loaded { value: SessionDocument::new(id.clone()), existed: false, damaged: Some(aside) })
            }
            Err(refused) => Err(refused.at(&path)),
        }
    }

    /// Saves a session's document, and with it what [`Self::first_time`] and [`Self::forget`] said since the last save.
    pub fn save(&mut self, document: &SessionDocument) -> Result<(), Error> {
        self.open_sessions()?;
        let path = self.store.session_path(document.id());
        let pending = self.membership(document.id())?;
        let mut hashes = Vec::with_capacity(pending.staged.len() + 1);
        hashes.extend(pending.anew.then_some(ANEW));
        hashes.extend(pending.staged.iter().map(|(hash, _)| *hash));
        let text = document.render(&hashes);
        self.sessions_dir()?
            .replace(&file_name(document.id()), &mut text.slices(), self.store.reuse)
            .map_err(Error::io("write", &path))?;
        self.flush()
    }

    /// Whether the session meets this key for the first time. From the next [`Self::save`] on it is known; without a save it is not.
    pub fn first_time(&mut self, id: &SessionId, kind: Kind, key: &str) -> Result<bool, Error> {
        self.open_sessions()?;
        let hash = hash(kind, key);
        let path = self.store.dir().join(SESSIONS).join(seen_name(id));
        let mut io = self.io;
        let membership = self.membership(id)?;
        if membership.staged.iter().any(|(staged, _)| *staged == hash) {
            return Ok(false);
        }
        let taken: Vec<u64> = membership.staged.iter().filter_map(|(_, place)| place.slot()).collect();
        let place = match &membership.seen {
            Some(seen) if !membership.anew => seen.find(hash, &taken, &mut io).map_err(Error::io("read", &path))?,
            // Where there is no file yet, the place is looked for when it is made.
            _ => Place::Grow,
        };
        let known = matches!(place, Place::Known);
        if !known {
            membership.staged.push((hash, place));
        }
        self.io = io;
        Ok(!known)
    }

    /// Forgets what the session has met, from the next [`Self::save`] on (S0-13).
    pub fn forget(&mut self, id: &SessionId) -> Result<(), Error> {
        self.open_sessions()?;
        let membership = self.membership(id)?;
        membership.anew = true;
        membership.staged.clear();
        Ok(())
    }

    /// Writes a view: a file in the store's folder that shows a document to people or to other programs. The name must be a plain
    /// file name that is not one of the store's own.
    pub fn write_view<'t>(&mut self, name: &str, text: impl Into<Text<'t>>) -> Result<(), Error> {
        let own = [LOCK, SESSIONS, PROJECT].into_iter().chain(RESERVED).any(|reserved| reserved == name);
        let plain = !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', '\0']);
        if own || !plain {
            return Err(Error::ViewName { name: name.to_owned() });
        }
        let text = text.into();
        let replaced = self.dir.replace(name, &mut text.slices(), self.store.reuse);
        replaced.map_err(|error| Error::io("write", &self.store.dir().join(name))(error))
    }

    /// Loads the project's document, as [`Self::session`] does a session's.
    pub fn project(&mut self) -> Result<Loaded<ProjectDocument>, Error> {
        let path = self.store.dir().join(PROJECT);
        let content = self.dir.read(PROJECT, MAX_DOCUMENT_BYTES).map_err(Error::io("read", &path))?;
        let parsed = match text_of(content) {
            Ok(None) => return Ok(Loaded { value: ProjectDocument::default(), existed: false, damaged: None }),
            Ok(Some(text)) => ProjectDocument::parse(text),
            Err(reason) => Err(Refused::Damaged(reason)),
        };
        match parsed {
            Ok(document) => Ok(Loaded { value: document, existed: true, damaged: None }),
            Err(Refused::Damaged(_)) => {
                let aside = set_aside(&path)?;
                Ok(Loaded { value: ProjectDocument::default(), existed: false, damaged: Some(aside) })
            }
            Err(refused) => Err(refused.at(&path)),
        }
    }

    /// Saves the project's document.
    pub fn save_project(&mut self, document: &ProjectDocument) -> Result<(), Error> {
        let text = document.render();
        let replaced = self.dir.replace(PROJECT, &mut text.slices(), self.store.reuse);
        replaced.map_err(|error| Error::io("write", &self.store.dir().join(PROJECT))(error))
    }

    /// Reads and writes of membership files so far.
    pub fn io(&self) -> Io {
        self.io
    }

    fn open_sessions(&mut self) -> Result<(), Error> {
        if self.sessions.is_some() {
            return Ok(());
        }
        let path = self.store.dir().join(SESSIONS);
        let opened = match self.dir.sub(SESSIONS) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.dir.create_sub(SESSIONS).map_err(Error::io("make", &path))?;
                self.dir.sub(SESSIONS)
            }
            other => other,
        };
        self.sessions = Some(opened.map_err(|error| folder_error(&path, error))?);
        Ok(())
    }

    fn sessions_dir(&self) -> Result<&Dir, Error> {
        let missing = || Error::io("open", &self.store.dir().join(SESSIONS))(ErrorKind::NotFound.into());
        self.sessions.as_ref().ok_or_else(missing)
    }

    /// The membership file of a session, opened at the first question about it.
    fn membership(&mut self, id: &SessionId) -> Result<&mut Membership, Error> {
        if self.membership.as_ref().is_none_or(|membership| membership.id != *id) {
            // A second session in one hold of the lock: what is staged for the first was not saved, so it is not kept.
            let name = seen_name(id);
            let path = self.store.dir().join(SESSIONS).join(&name);
            let seen = Seen::open(self.sessions_dir()?, &name).map_err(Error::io("open", &path))?;
            self.membership = Some(Membership { id: id.clone(), seen, anew: false, staged: Vec::new() });
        }
        // It was set just above.
        self.membership.as_mut().ok_or_else(|| Error::io("open", self.store.dir())(ErrorKind::NotFound.into()))
    }

    /// Puts staged hashes into the membership file. They are `pending` in the saved document, so it does not matter where this ends.
    fn flush(&mut self) -> Result<(), Error> {
        let Some(mut membership) = self.membership.take() else { return Ok(()) };
        if membership.staged.is_empty() && !membership.anew {
            self.membership = Some(membership);
            return Ok(());
        }
        let name = seen_name(&membership.id);
        let path = self.store.dir().join(SESSIONS).join(&name);
        let mut io = self.io;
        let dir = self.sessions_dir()?;
        let mut put = || -> std::io::Result<Seen> {
            let (mut seen, fresh) = match membership.seen.take() {
                Some(seen) if !membership.anew => (seen, false),
                _ => (Seen::create(dir, &name)?, true),
            };
            for (hash, place) in &membership.staged {
                if fresh {
                    let place = seen.find(*hash, &[], &mut io)?;
                    seen.insert(*hash, &place, &mut io)?;
                } else {
                    seen.insert(*hash, place, &mut io)?;
                }
            }
            Ok(seen)
        };
        let seen = put().map_err(Error::io("write", &path))?;
        self.io = io;
        membership.seen = Some(seen);
        membership.anew = false;
        membership.staged.clear();
        self.membership = Some(membership);
        Ok(())
    }

    /// Does what a killed process left undone.
    fn finish_pending(&mut self, document: &SessionDocument) -> Result<(), Error> {
        let Some(last) = document.pending.last().copied() else { return Ok(()) };
        let mut io = self.io;
        let path = self.store.dir().join(SESSIONS).join(seen_name(document.id()));
        let membership = self.membership(document.id())?;
        if document.pending.first() == Some(&ANEW) {
            // Doing it again is harmless: since that save nothing else was put in.
            membership.anew = true;
        } else if let Some(seen) = &membership.seen
            && seen.newest_has(last, &mut io).map_err(Error::io("read", &path))?
        {
            self.io = io;
            return Ok(());
        }
        for hash in document.pending.iter().copied().filter(|hash| *hash != ANEW) {
            let taken: Vec<u64> = membership.staged.iter().filter_map(|(_, place)| place.slot()).collect();
            let place = match &membership.seen {
                Some(seen) if !membership.anew => seen.find(hash, &taken, &mut io).map_err(Error::io("read", &path))?,
                _ => Place::Grow,
            };
            if !matches!(place, Place::Known) {
                membership.staged.push((hash, place));
            }
        }
        self.io = io;
        self.flush()
    }
}

fn seen_name(id: &SessionId) -> String {
    format!("{id}.seen")
}

fn text_of(content: Content) -> Result<Option<String>, String> {
    match content {
        Content::Missing => Ok(None),
        Content::Odd(what) => Err(what.to_owned()),
        Content::Bytes(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8".to_owned()),
    }
}

/// Moves a damaged document out of the way, under a name that says since when it has been damaged at the latest.
fn set_aside(path: &Path) -> Result<PathBuf, Error> {
    let modified = std::fs::symlink_metadata(path).and_then(|meta| meta.modified()).ok();
    let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok()).unwrap_or_default();
    let stamp = Time::from_unix(i64::try_from(since.as_secs()).unwrap_or(i64::MAX)).compact();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().unwrap_or(path);
    let prefix = format!("{name}.damaged-");
    let present: Vec<String> = names(folder)?.into_iter().filter(|other| other.starts_with(&prefix)).collect();
    for old in present.iter().take((present.len() + 1).saturating_sub(KEPT_ASIDE)) {
        let old = folder.join(old);
        std::fs::remove_file(&old).map_err(Error::io("remove", &old))?;
    }
    let mut aside = folder.join(format!("{prefix}{stamp}"));
    let mut again = 2;
    while aside.symlink_metadata().is_ok() {
        aside = folder.join(format!("{prefix}{stamp}-{again}"));
        again += 1;
    }
    std::fs::rename(path, &aside).map_err(Error::io("set aside", path))?;
    Ok(aside)
}
