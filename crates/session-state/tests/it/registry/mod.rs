//! Tests of the session registry: the same on every database, and what is peculiar to the spool and to SQLite.

mod place;
#[cfg(feature = "postgres")]
mod server;
mod spool;
mod suite;

use hook_session_state::registry::{Change, EventId, RegistryEvent, Start};

/// A record with a name of its own.
pub(crate) fn event(session: &str, at: i64, change: Change) -> RegistryEvent {
    RegistryEvent::new(EventId::unique(1, std::process::id()), at, session, change)
}

pub(crate) fn started(session: &str, at: i64, start: Start) -> RegistryEvent {
    event(session, at, Change::Started(Box::new(start)))
}

#[allow(clippy::unnecessary_wraps, reason = "fields of records are optional texts, and tests spell many")]
pub(crate) fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Plays a role in another process; says whether it is one of this module's.
pub(crate) fn play(role: &str, dir: &std::path::Path, argument: &str) -> bool {
    spool::play(role, dir, argument) || place::play(role, dir)
}
