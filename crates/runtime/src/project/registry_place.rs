//! Where this user's registry of sessions lies, and what the audit logs know of sessions when its database was lost.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hook_policy::profile::{RawProfile, RegistryKeys};
use hook_session_state::registry::{Change, EventId, Filter, Opened, Place, RegistryEvent, SessionRegistry as _};

use crate::Error;
use crate::config::cache::read_config;
use crate::error::{Context as _, bail};
use crate::project::Project;
use crate::project::registry;
use crate::system::System;

/// What is said where the user has no such directory.
pub(crate) const NO_DIR: &str = "there is no directory for the registry: neither XDG_STATE_HOME nor HOME is set";

/// Most audit logs that are read when a database is rebuilt.
const MAX_LOGS: usize = 64;

/// The registry: in the user's state directory, its database elsewhere if the user's own file says so. Reads a file and belongs to
/// events and commands that look into the registry; the others only append to the spool.
pub fn place(system: &System) -> Result<Place, Error> {
    let spool = registry::dir(system);
    let state = spool.as_deref().and_then(Path::parent);
    let state = state.context(NO_DIR)?;
    let place = Place::new(state);
    let Some(path) = keys(system)?.path else { return Ok(place) };
    let path = match path.strip_prefix("~/") {
        Some(rest) => system.home().context("`~` in [registry] path: HOME is not set")?.join(rest),
        None => PathBuf::from(&path),
    };
    if path.is_absolute() {
        Ok(place.with_database(&path))
    } else {
        bail!("[registry] path = {:?} is not an absolute path", path.display())
    }
}

/// What the user's own file says of the registry.
pub fn keys(system: &System) -> Result<RegistryKeys, Error> {
    let Some(path) = system.user_config() else { return Ok(RegistryKeys::default()) };
    let text = match read_config(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(RegistryKeys::default()),
        Err(error) => bail!("cannot read {}: {error}", path.display()),
    };
    // Most files say nothing about it, and are not read as a whole then.
    if !text.contains("registry") {
        return Ok(RegistryKeys::default());
    }
    let raw = RawProfile::parse(&path.display().to_string(), &text);
    // Sessions that are sent to another place than the user meant are not got back.
    if let Some(fault) = raw.faults().iter().find(|fault| fault.name.split('.').next() == Some("registry")) {
        return Err(Error::new(fault));
    }
    Ok(raw.registry().clone())
}

/// Adds the sessions that only audit logs know to a registry that was rebuilt, and returns how many. The logs are those of this project, of
/// the projects that the user-wide installation serves, and of the directories in which known sessions ran.
pub fn recover(place: &Place, opened: &mut Opened, project: Option<&Project>, system: &System) -> Result<usize, Error> {
    let known = opened.registry.list(&Filter { ended: true, ..Filter::default() }).map_err(Error::new)?;
    let ids: BTreeSet<&str> = known.iter().map(|session| session.session_id.as_str()).collect();
    let mut logs: BTreeSet<PathBuf> = project.map(Project::log).into_iter().collect();
    let served = system.state_dir().and_then(|state| std::fs::read_dir(state.join("projects")).ok());
    logs.extend(served.into_iter().flatten().flatten().map(|entry| entry.path().join("log")));
    logs.extend(known.iter().filter_map(|session| Some(Project::at(Path::new(session.cwd.as_deref()?)).log())));
    let mut found = BTreeMap::new();
    for log in logs.iter().filter(|log| log.is_dir()).take(MAX_LOGS) {
        read_log(log, &ids, &mut found);
    }
    let count = found.len();
    for (session, seen) in found {
        for event in seen.events(&session) {
            place.spool().append(&event).map_err(Error::new)?;
        }
    }
    Ok(count)
}

/// What a log knows of a session. Times are milliseconds.
struct Seen {
    first: i64,
    last: i64,
    ended: Option<String>,
}

impl Seen {
    /// The same as records. Their names say where they are from, so that a second recovery adds nothing.
    fn events(self, session: &str) -> Vec<RegistryEvent> {
        let event = |name: &str, at, change| {
            RegistryEvent::new(EventId::named(&format!("log-{name}-{session}")), at, session, change)
        };
        let last = match self.ended {
            Some(reason) => event("end", self.last, Change::Ended(reason)),
            None => event("last", self.last, Change::Heartbeat),
        };
        vec![event("first", self.first, Change::Started(Box::default())), last]
    }
}

fn read_log(log: &Path, known: &BTreeSet<&str>, found: &mut BTreeMap<String, Seen>) {
    // A log that cannot be read knows nothing; `log verify` says why.
    for entry in hook_audit_log::read(log).into_iter().flatten().flatten() {
        let Some(session) = entry.text("session").filter(|session| !known.contains(session)) else { continue };
        let at = entry.time().timestamp_millis();
        let seen = found.entry(session.to_owned()).or_insert(Seen { first: at, last: at, ended: None });
        seen.first = seen.first.min(at);
        seen.last = seen.last.max(at);
        let is_end = entry.text("event") == Some("SessionEnd") && entry.text("note") != Some("clear");
        seen.ended = is_end.then(|| entry.text("note").unwrap_or("other").to_owned());
    }
}
