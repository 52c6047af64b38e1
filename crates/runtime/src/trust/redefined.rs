//! What sessions of a project may have changed since the user looked, of what its programs run.
//!
//! It lies in the user's state directory, so that nothing in the project takes it away, and it belongs to the project: that a later session
//! begins says nothing about a user, since an agent begins sessions as well. Only `hookbin trust` says that somebody has looked.
//!
//! Two things are kept. When each session went on: what changed in that time bars, whoever changed it. And which files its calls changed by
//! their text, where the whole is too large to look through each time a program starts.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hook_policy::LOADED_DIRS;
use hook_protocol::event::{Body, SessionSource};
use hook_session_state::{Error, Locked, SessionId, Store};
use serde::{Deserialize, Serialize};

use crate::event::effects;
use crate::event::run::Run;
use crate::project::Project;
use crate::project::places;
use crate::system::System;
use crate::system::account;
use crate::trust;

/// Most files that are remembered. What comes after them is remembered as being more, which bars as well.
const MOST_FILES: usize = 500;

/// Most sessions that are remembered by themselves. Older ones become one, with the time between them.
const MOST_SESSIONS: usize = 64;

/// A session of which nothing was heard for so long has ended, though nothing told.
const SILENT: Duration = Duration::from_secs(24 * 60 * 60);

const MAX_BYTES: u64 = 1 << 20;

/// What is kept of one project.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Known {
    #[serde(default)]
    sessions: Vec<Session>,
    /// Files, and when they changed in milliseconds since 1970.
    #[serde(default)]
    files: Vec<(String, u64)>,
    /// When a file changed that had no room any more.
    #[serde(default)]
    more: u64,
}

/// When a session went on, in milliseconds since 1970.
#[derive(Debug, Serialize, Deserialize)]
struct Session {
    id: String,
    begun: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended: Option<u64>,
}

fn place(project: &Project, system: &System) -> Option<PathBuf> {
    Some(system.state_dir()?.join("redefined").join(places::name_of(project)? + ".json"))
}

/// Something is kept that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable;

/// What is known of a project. `Err` where something is kept that cannot be read.
pub fn read(project: &Project, system: &System) -> Result<Known, Unreadable> {
    let Some(path) = place(project, system).filter(|path| path.symlink_metadata().is_ok()) else {
        return Ok(Known::default());
    };
    let text = account::text_of_person(&path, MAX_BYTES, system).ok_or(Unreadable)?;
    serde_json::from_str(&text).map_err(|_| Unreadable)
}

fn keep(known: &Known, locked: &mut Locked<'_>, project: &Project, system: &System) -> Result<(), Error> {
    let Some(path) = place(project, system) else { return Ok(()) };
    let (Some(dir), Some(file)) = (path.parent(), path.file_name().and_then(|file| file.to_str())) else {
        return Ok(());
    };
    locked.notes(dir)?.put(file, &serde_json::to_string(known).unwrap_or_default())
}

/// What is known, to be changed. Of what cannot be read all is taken for changed now.
fn to_change(project: &Project, system: &System) -> Known {
    read(project, system).unwrap_or_else(|Unreadable| Known { more: now(), ..Known::default() })
}

/// Keeps that calls changed these.
pub(crate) fn note(files: &[String], run: &Run<'_>, locked: &mut Locked<'_>) -> Result<(), Error> {
    let Some(project) = run.project.as_ref().filter(|_| !files.is_empty() && run.may.outlives) else {
        return Ok(());
    };
    let mut known = to_change(project, run.system);
    let now = now();
    for file in files {
        known.files.retain(|(name, _)| name != file);
        known.files.push((file.clone(), now));
    }
    if known.files.len() > MOST_FILES {
        let seen = seen(project, run.system);
        known.files.retain(|(_, at)| *at > seen);
    }
    if known.files.len() > MOST_FILES {
        known.files.truncate(MOST_FILES);
        known.more = now;
    }
    keep(&known, locked, project, run.system)
}

/// Keeps that the session of this run begins or ends. `is_new` where nothing is known of it so far.
pub(crate) fn follow(run: &Run<'_>, is_new: bool, locked: &mut Locked<'_>) -> Result<(), Error> {
    let Some(project) = run.project.as_ref().filter(|_| run.may.outlives) else { return Ok(()) };
    let ends = matches!(run.event.body, Body::SessionEnd(_));
    if !(is_new || ends || is_start(&run.event.body)) {
        return Ok(());
    }
    let mut known = to_change(project, run.system);
    let now = now();
    let own = run.session.as_str();
    let at = known.sessions.iter().position(|session| session.id == own && session.ended.is_none());
    if ends {
        let session = at.and_then(|at| known.sessions.get_mut(at));
        let Some(session) = session else { return Ok(()) };
        session.ended = Some(now);
    } else if at.is_some() {
        return Ok(());
    } else {
        known.end_silent(&effects::store(run, project), now);
        known.sessions.push(Session { id: own.to_owned(), begun: now, ended: None });
        known.shorten(seen(project, run.system));
    }
    keep(&known, locked, project, run.system)
}

/// Keeps that what changed so far in this session is known to be none of the agent's doing.
pub(crate) fn forget_so_far(run: &Run<'_>, locked: &mut Locked<'_>) -> Result<(), Error> {
    let Some(project) = run.project.as_ref().filter(|_| run.may.outlives) else { return Ok(()) };
    let mut known = to_change(project, run.system);
    for session in known.sessions.iter_mut().filter(|session| session.id == run.session.as_str()) {
        if session.ended.is_none() {
            session.begun = now();
        }
    }
    keep(&known, locked, project, run.system)
}

impl Known {
    /// Sessions whose client was killed never tell of their end.
    fn end_silent(&mut self, store: &Store, now: u64) {
        let silent = u64::try_from(SILENT.as_millis()).unwrap_or(u64::MAX);
        for session in self.sessions.iter_mut().filter(|session| session.ended.is_none()) {
            let document = store.session_path(&SessionId::from_raw(&session.id));
            let saved = document.metadata().and_then(|metadata| metadata.modified());
            let heard = saved.map_or(session.begun, millis).max(session.begun);
            if heard.saturating_add(silent) < now {
                session.ended = Some(heard);
            }
        }
    }

    fn shorten(&mut self, seen: u64) {
        if self.sessions.len() <= MOST_SESSIONS {
            return;
        }
        self.sessions.retain(|session| session.ended.is_none_or(|ended| ended > seen));
        while self.sessions.len() > MOST_SESSIONS {
            let first = self.sessions.remove(0);
            let Some(second) = self.sessions.first_mut() else { return };
            second.begun = second.begun.min(first.begun);
            second.ended = second.ended.zip(first.ended).map(|(one, other)| one.max(other));
        }
    }

    /// When sessions other than this one went on.
    pub fn others(&self, session: &str) -> Vec<(u64, Option<u64>)> {
        let is_other = |other: &&Session| other.id != session || other.ended.is_some();
        self.sessions.iter().filter(is_other).map(|other| (other.begun, other.ended)).collect()
    }

    /// Whether more changed after the user looked than could be kept.
    pub fn is_full(&self, seen: Option<SystemTime>) -> bool {
        self.more > seen.map_or(0, millis)
    }

    /// A file that programs in `root` may load, and that changed after the user looked.
    pub fn since(&self, seen: Option<SystemTime>, root: &Path) -> Option<String> {
        let real = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let seen = seen.map_or(0, millis);
        let (file, _) = self.files.iter().rev().find(|(file, at)| {
            let base = base(Path::new(file));
            let counts = [root, real.as_path()].iter().any(|root| base.starts_with(root) || root.starts_with(&base));
            counts && *at > seen
        })?;
        let path = Path::new(&file);
        let inside = path.strip_prefix(root).or_else(|_| path.strip_prefix(&real)).unwrap_or(path);
        Some(inside.display().to_string())
    }
}

/// The directory in which such files lie. What lies above a project is loaded as well, such as the packages of a whole workspace.
fn base(file: &Path) -> PathBuf {
    let is_loaded =
        |part: &std::path::Component<'_>| part.as_os_str().to_str().is_some_and(|part| LOADED_DIRS.contains(&part));
    file.components().take_while(|part| !is_loaded(part)).collect()
}

fn seen(project: &Project, system: &System) -> u64 {
    trust::read(project, system).and_then(|record| record.seen()).map_or(0, millis)
}

/// Whether a session starts, or goes on after a while. What a compaction begins is the same session.
pub fn is_start(body: &Body<'_>) -> bool {
    matches!(body, Body::SessionStart(start) if start.source != Some(SessionSource::Compact))
}

/// This moment, by the clock that dates files.
pub fn now() -> u64 {
    millis(SystemTime::now())
}

/// The moment that so many milliseconds since 1970 stand for.
pub fn moment(millis: u64) -> Option<SystemTime> {
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(millis))
}

fn millis(moment: SystemTime) -> u64 {
    let since = moment.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Times in which a change counts: from a moment on, and up to another one where it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spans(Vec<(u64, Option<u64>)>);

impl Spans {
    /// From this moment on.
    pub fn from(begun: SystemTime) -> Self {
        Self(vec![(millis(begun), None)])
    }

    /// These as well, but all of them only after the user has looked.
    #[must_use]
    pub fn and(mut self, others: Vec<(u64, Option<u64>)>, seen: Option<SystemTime>) -> Self {
        self.0.extend(others);
        let seen = seen.map_or(0, millis);
        self.0.retain(|(_, to)| to.is_none_or(|to| to > seen));
        self.0.iter_mut().for_each(|(from, _)| *from = (*from).max(seen));
        self
    }

    /// Whether one of them holds this moment.
    pub fn hold(&self, at: SystemTime) -> bool {
        let ends_after = |to: u64| moment(to).is_none_or(|to| at <= to);
        self.0.iter().any(|(from, to)| moment(*from).is_none_or(|from| at > from) && to.is_none_or(ends_after))
    }

    /// As one word of a command line.
    pub fn text(&self) -> String {
        let one =
            |(from, to): &(u64, Option<u64>)| format!("{from}-{}", to.map(|to| to.to_string()).unwrap_or_default());
        self.0.iter().map(one).collect::<Vec<_>>().join(",")
    }

    /// What such a word says. What is not understood counts from the beginning of time.
    pub fn parse(text: &str) -> Self {
        let one = |part: &str| {
            let (from, to) = part.split_once('-')?;
            Some((from.parse().ok()?, if to.is_empty() { None } else { Some(to.parse().ok()?) }))
        };
        Self(text.split(',').map(|part| one(part).unwrap_or((0, None))).collect())
    }
}
