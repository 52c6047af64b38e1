//! What a process may do while it holds the lock: load documents, count, save, and write views.
//!
//! # What a process that is killed leaves behind
//!
//! A document and its membership file cannot change in one step, so the document is the journal. A save writes the document
//! first, with the hashes that are new in it as `pending`, and then puts them into the membership file. The next update that asks
//! about membership puts in what is missing. So a process that is killed in between neither loses an entry nor leaves one that is
//! known and not listed. A `pending` zero, which no hash is, stands for a membership file that is to begin again.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::document::{MAX_DOCUMENT_BYTES, ProjectDocument, Refused, SessionDocument};
use crate::error::Error;
use crate::id::SessionId;
use crate::seen::{self, Kind, Place, Seen};
use crate::store::{PROJECT, SESSIONS, Store, dir_error, document_name, list, view_name};
use crate::sys::{Content, Dir};
use crate::text::Text;
use crate::time::Time;

/// Stands in `pending` for a membership file that begins again.
const ANEW: u64 = 0;

/// How many damaged copies of one document are kept; the oldest goes when there is one more.
const MAX_DAMAGED: usize = 5;

/// How many hashes of earlier updates a document carries because they have not reached the membership file. There are more than a
/// few only while the disk is full; beyond this the oldest go, and what they stand for may be counted again.
const MAX_CARRIED: usize = 1_024;

/// A document that was loaded to be changed, and how it was found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loaded<T> {
    /// The document; a fresh one where there was none, or only a damaged one.
    pub value: T,
    /// Whether there was a document that could be read.
    pub existed: bool,
    /// Where a damaged document was put. The caller should tell the user.
    pub damaged: Option<PathBuf>,
}

impl<T> Loaded<T> {
    fn new(value: T, existed: bool, damaged: Option<PathBuf>) -> Self {
        Self { value, existed, damaged }
    }
}

/// What was read and written since the lock was taken: documents, views and membership files. It does not grow with what a session
/// has already counted.
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

/// The store with its lock held. Dropping it frees the lock; what was not saved is not kept.
#[derive(Debug)]
pub struct Locked<'s> {
    store: &'s Store,
    handle: Dir,
    sessions: Option<Dir>,
    members: Vec<Membership>,
    io: Io,
    /// Held, never used: the system frees the lock when it is closed.
    _lock: File,
}

/// What is known about one session's membership file.
#[derive(Debug)]
struct Membership {
    id: SessionId,
    /// The file, once needed.
    seen: Option<Seen>,
    /// The file begins again at the next save.
    anew: bool,
    /// From the document: hashes that may not have reached the file.
    carried: Vec<u64>,
    /// New since the last save, and where they go.
    new: Vec<(u64, Place)>,
}

impl Membership {
    fn new(id: &SessionId, carried: Vec<u64>, anew: bool) -> Self {
        Self { id: id.clone(), seen: None, anew, carried, new: Vec::new() }
    }

    /// Whether the document says that the file begins again.
    fn begins_anew(&self) -> bool {
        self.carried.first() == Some(&ANEW)
    }
}

impl<'s> Locked<'s> {
    pub(crate) fn new(store: &'s Store, handle: Dir, lock: File) -> Self {
        Self { store, handle, sessions: None, members: Vec::new(), io: Io::default(), _lock: lock }
    }

    /// What was read and written so far.
    pub fn io(&self) -> Io {
        self.io
    }

    /// Loads a session's document. A damaged one is quarantined and a fresh one begun; one of a newer version that this one cannot
    /// read is an error, and stays.
    ///
    /// What [`Self::first_time`] and [`Self::forget`] noted for this session, and no save has written, is dropped.
    pub fn session(&mut self, id: &SessionId) -> Result<Loaded<SessionDocument>, Error> {
        self.open_sessions()?;
        let name = document_name(id);
        let path = self.store.session_path(id);
        let parsed = match self.read(true, &name, &path)? {
            Content::Missing => None,
            Content::Odd(_) => Some(None),
            Content::Bytes(bytes) => match String::from_utf8(bytes).map(|text| SessionDocument::parse(id, text)) {
                Ok(Ok(document)) => Some(Some(document)),
                Ok(Err(Refused::Foreign(version))) => return Err(Error::Foreign { path, version }),
                Ok(Err(Refused::Damaged(_))) | Err(_) => Some(None),
            },
        };
        self.members.retain(|member| member.id != *id);
        if let Some(Some(mut document)) = parsed {
            let carried = std::mem::take(&mut document.pending);
            self.members.push(Membership::new(id, carried, false));
            return Ok(Loaded::new(document, true, None));
        }
        let damaged = parsed.map(|_| set_aside(&path, &name, "damaged")).transpose()?;
        // A membership file without its document knows files that nothing lists.
        self.members.push(Membership::new(id, Vec::new(), true));
        Ok(Loaded::new(SessionDocument::new(id.clone()), false, damaged))
    }

    /// Saves a session's document in one step, with what [`Self::first_time`] and [`Self::forget`] noted for it. An error leaves
    /// the old document and what it counted.
    pub fn save(&mut self, document: &SessionDocument) -> Result<(), Error> {
        let mut member = self.take(document.id())?;
        let result = self.save_with(document, &mut member);
        self.members.push(member);
        result
    }

    fn save_with(&mut self, document: &SessionDocument, member: &mut Membership) -> Result<(), Error> {
        let mut pending = if member.anew { vec![ANEW] } else { member.carried.clone() };
        let marks = usize::from(pending.first() == Some(&ANEW));
        pending.drain(marks..pending.len().saturating_sub(MAX_CARRIED).max(marks));
        pending.extend(member.new.iter().map(|(hash, _)| hash));
        let content = document.render(&pending);
        self.replace(true, &document_name(document.id()), &self.store.session_path(document.id()), &content)?;
        // The update is done. What does not reach the membership file is in the document, and the next update puts it there.
        if self.put_all(member).is_err() {
            member.seen = None;
            member.carried = pending;
        }
        member.anew = false;
        member.new.clear();
        Ok(())
    }

    /// Puts what is new into the membership file.
    fn put_all(&mut self, member: &mut Membership) -> io::Result<()> {
        let name = seen_name(&member.id);
        let Some(sessions) = &self.sessions else { return Err(ErrorKind::NotFound.into()) };
        if member.anew {
            member.seen = None;
            if member.new.is_empty() {
                sessions.remove(&name)?;
            } else {
                member.seen = Some(Seen::create(sessions, &name)?);
            }
        }
        if member.new.is_empty() {
            return Ok(());
        }
        // What could not go in before goes first: the last one in the file stands for all of them.
        if !member.carried.is_empty() {
            return Err(ErrorKind::StorageFull.into());
        }
        let Some(seen) = &mut member.seen else { return Err(ErrorKind::NotFound.into()) };
        member.new.iter().try_for_each(|(hash, place)| put(seen, *hash, place, &mut self.io))
    }

    /// Whether the session meets this call or file for the first time. From the next [`Self::save`] of it on it is known.
    ///
    /// Costs the same few reads whether ten files are known or a hundred thousand.
    pub fn first_time(&mut self, id: &SessionId, kind: Kind, key: &str) -> Result<bool, Error> {
        let mut member = self.take(id)?;
        let result = self.first_time_with(&mut member, seen::hash(kind, key));
        self.members.push(member);
        result
    }

    fn first_time_with(&mut self, member: &mut Membership, hash: u64) -> Result<bool, Error> {
        if member.new.iter().any(|(new, _)| *new == hash) {
            return Ok(false);
        }
        let place = if member.anew { Place::Grow } else { self.find(member, hash)? };
        if matches!(place, Place::Known) || member.carried.contains(&hash) {
            return Ok(false);
        }
        member.new.push((hash, place));
        Ok(true)
    }

    /// Where a hash is, or is to go, in the membership file.
    fn find(&mut self, member: &mut Membership, hash: u64) -> Result<Place, Error> {
        let path = self.store.dir().join(SESSIONS).join(seen_name(&member.id));
        let mut seen = match member.seen.take() {
            Some(seen) => seen,
            None => match self.open_seen(member, &path) {
                Ok(seen) => seen,
                // A file that begins again and cannot be made, because there is no room, holds nothing that is not in the document.
                Err(_) if member.begins_anew() => return Ok(Place::Grow),
                Err(error) => return Err(error),
            },
        };
        settle(&mut seen, &mut member.carried, &mut self.io);
        let taken: Vec<u64> = member.new.iter().filter_map(|(_, place)| place.slot()).collect();
        let place = seen.find(hash, &taken, &mut self.io).map_err(Error::io("read", &path))?;
        member.seen = Some(seen);
        Ok(place)
    }

    /// Forgets which calls and files the session has counted, from the next [`Self::save`] of it on. Part of beginning it again,
    /// with [`SessionDocument::set_activity`].
    pub fn forget(&mut self, id: &SessionId) -> Result<(), Error> {
        let member = self.take(id)?;
        self.members.push(Membership::new(&member.id, Vec::new(), true));
        Ok(())
    }

    /// Writes a view, a file of this name in the store's directory, in one step. A link of that name is replaced, its target is not
    /// touched.
    ///
    /// A name is 1 to 128 of `A-Z a-z 0-9 . _ -`, does not begin with a dot, and is not one of the store's own.
    pub fn write_view<'t>(&mut self, name: &str, text: impl Into<Text<'t>>) -> Result<(), Error> {
        view_name(name)?;
        self.replace(false, name, &self.store.dir().join(name), &text.into())
    }

    /// Loads the project's document, as [`Self::session`] does a session's.
    pub fn project(&mut self) -> Result<Loaded<ProjectDocument>, Error> {
        let path = self.store.dir().join(PROJECT);
        let text = match self.read(false, PROJECT, &path)? {
            Content::Missing => return Ok(Loaded::new(ProjectDocument::default(), false, None)),
            Content::Bytes(bytes) => String::from_utf8(bytes).ok(),
            Content::Odd(_) => None,
        };
        match text.map(ProjectDocument::parse) {
            Some(Ok(value)) => Ok(Loaded::new(value, true, None)),
            Some(Err(Refused::Foreign(version))) => Err(Error::Foreign { path, version }),
            Some(Err(Refused::Damaged(_))) | None => {
                Ok(Loaded::new(ProjectDocument::default(), false, Some(set_aside(&path, PROJECT, "damaged")?)))
            }
        }
    }

    /// Saves the project's document in one step.
    pub fn save_project(&mut self, document: &ProjectDocument) -> Result<(), Error> {
        self.replace(false, PROJECT, &self.store.dir().join(PROJECT), &document.render())
    }

    fn open_sessions(&mut self) -> Result<(), Error> {
        if self.sessions.is_none() {
            let mut opened = self.store.open_sessions(&self.handle)?;
            if opened.is_none() {
                let path = self.store.dir().join(SESSIONS);
                self.handle.create_sub(SESSIONS).map_err(|error| dir_error("make", None, &path, error))?;
                opened = self.store.open_sessions(&self.handle)?;
            }
            self.sessions = opened;
        }
        Ok(())
    }

    /// The directory of the sessions, which is open, or that of the store.
    fn handle(&self, of_session: bool) -> &Dir {
        self.sessions.as_ref().filter(|_| of_session).unwrap_or(&self.handle)
    }

    fn read(&mut self, of_session: bool, name: &str, path: &Path) -> Result<Content, Error> {
        let content = self.handle(of_session).read(name, MAX_DOCUMENT_BYTES).map_err(Error::io("read", path))?;
        if let Content::Bytes(bytes) = &content {
            self.io.reads += 1;
            self.io.bytes_read += bytes.len() as u64;
        }
        Ok(content)
    }

    fn replace(&mut self, of_session: bool, name: &str, path: &Path, content: &Text<'_>) -> Result<(), Error> {
        let replaced = self.handle(of_session).replace(name, &mut content.slices(), self.store.reuse);
        replaced.map_err(Error::io("write", path))?;
        self.io.writes += 1;
        self.io.bytes_written += content.len() as u64;
        Ok(())
    }

    /// Takes a session's membership out of the list, to be put back; loads the session if that has not been done.
    fn take(&mut self, id: &SessionId) -> Result<Membership, Error> {
        if !self.members.iter().any(|member| member.id == *id) {
            self.session(id)?;
        }
        let at = self.members.iter().position(|member| member.id == *id);
        Ok(at.map_or_else(|| Membership::new(id, Vec::new(), true), |at| self.members.swap_remove(at)))
    }

    /// Opens the membership file. A lost one is made again from the files that the stored document still lists.
    fn open_seen(&mut self, member: &Membership, path: &Path) -> Result<Seen, Error> {
        let Some(sessions) = &self.sessions else {
            return Err(Error::io("open", path)(ErrorKind::NotFound.into()));
        };
        let name = seen_name(&member.id);
        let begins_anew = member.begins_anew();
        if !begins_anew {
            match Seen::open(sessions, &name) {
                Ok(Some(seen)) => return Ok(seen),
                // A passing fault is no reason to throw the file away; a link or a socket in its place is.
                Err(error) if fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) => {
                    return Err(Error::io("open", path)(error));
                }
                Ok(None) | Err(_) => {}
            }
        }
        let mut seen = Seen::create(sessions, &name).map_err(Error::io("make", path))?;
        if !begins_anew && let Ok(Some(document)) = self.store.read_session(&member.id) {
            let activity = document.activity();
            for (kind, files) in [(Kind::Read, &activity.files_read), (Kind::Write, &activity.files_written)] {
                for file in files.last(files.listed()) {
                    let hash = seen::hash(kind, &file);
                    put(&mut seen, hash, &Place::Grow, &mut self.io).map_err(Error::io("write", path))?;
                }
            }
        }
        Ok(seen)
    }
}

/// Puts one hash into the file. Where no slot was found when it was looked for, another of the same update may have made room.
fn put(seen: &mut Seen, hash: u64, place: &Place, io: &mut Io) -> io::Result<()> {
    if matches!(place, Place::Grow) {
        let place = seen.find(hash, &[], io)?;
        return seen.insert(hash, &place, io);
    }
    seen.insert(hash, place, io)
}

/// Makes sure that the pending hashes are in the file. They go in in order, so if the last is there, all are.
fn settle(seen: &mut Seen, carried: &mut Vec<u64>, io: &mut Io) {
    let Some(&last) = carried.last() else { return };
    let done = last != ANEW && seen.newest_has(last, io).unwrap_or(false);
    let mut missing = carried.iter().filter(|hash| **hash != ANEW);
    if done || missing.try_for_each(|hash| put(seen, *hash, &Place::Grow, io)).is_ok() {
        carried.clear();
    }
}

fn seen_name(id: &SessionId) -> String {
    [id.as_str(), ".seen"].concat()
}

/// Moves a document out of the way, to [`aside_name`].
pub(crate) fn set_aside(path: &Path, name: &str, what: &str) -> Result<PathBuf, Error> {
    let aside = aside_name(path, name, what)?;
    fs::rename(path, &aside).map_err(Error::io("quarantined", path))?;
    Ok(aside)
}

/// A free name beside a document that says what is wrong with it and when it was last written. The oldest of more than five goes.
pub(crate) fn aside_name(path: &Path, name: &str, what: &str) -> Result<PathBuf, Error> {
    let dir = path.parent().unwrap_or(path);
    let prefix = format!("{name}.{what}-");
    let mut older = list(dir)?;
    older.retain(|name| name.starts_with(&prefix));
    let excess = (older.len() + 1).saturating_sub(MAX_DAMAGED);
    for name in older.drain(..excess) {
        // One that will not go is one more that stays.
        let _ = fs::remove_file(dir.join(name));
    }
    let written = fs::symlink_metadata(path).and_then(|meta| meta.modified()).ok();
    let seconds = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |age| age.as_secs());
    let stamp = Time::from_unix(i64::try_from(seconds).unwrap_or(i64::MAX)).compact();
    let mut aside = dir.join(format!("{prefix}{stamp}"));
    let mut again = 2_u64;
    while fs::symlink_metadata(&aside).is_ok() {
        aside = dir.join(format!("{prefix}{stamp}-{again}"));
        again += 1;
    }
    Ok(aside)
}
