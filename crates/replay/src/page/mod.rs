//! What an audit log says, as one HTML page that needs nothing else. `hookbin report` writes it, with the status files of a project.
//!
//! ```
//! use hook_replay::hook_audit_log::{AuditLog, Limits, Record, read, verify};
//! use hook_replay::page::{Choice, Figures, Surroundings, render};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = tempfile::tempdir()?;
//! # let log = directory.path();
//! # AuditLog::new(log, Limits::default()).append(&Record::now("PreToolUse").tool("Bash").verdict("deny").reason("no <b>"))?;
//! let (mut figures, choice) = (Figures::default(), Choice::default());
//! for entry in read(log)? {
//!     figures.take(&entry?, &choice);
//! }
//! let around = Surroundings { project: "/home/me/project".into(), chain: Some(verify(log)?), ..Surroundings::default() };
//! let html = render(&figures, &choice, &around);
//! assert!(html.starts_with("<!doctype html>") && !html.contains("no <b>"));
//! # Ok(())
//! # }
//! ```

mod chart;
mod html;
mod lists;
mod metrics;
mod refusal;
mod render;
mod slots;
mod spent;

use chrono::{DateTime, Utc};
use hook_audit_log::Entry;

pub use self::metrics::Figures;
pub use self::render::render;

/// Which records the page is about.
#[derive(Debug, Default, Clone)]
pub struct Choice {
    /// One session, by its id or the beginning of it.
    pub session: Option<String>,
    /// From this moment on.
    pub since: Option<DateTime<Utc>>,
    /// Up to and including this moment.
    pub until: Option<DateTime<Utc>>,
}

impl Choice {
    /// Whether the record belongs to the page.
    pub fn takes(&self, entry: &Entry) -> bool {
        self.in_period(entry)
            && self
                .session
                .as_deref()
                .is_none_or(|session| entry.text("session").is_some_and(|id| id.starts_with(session)))
    }

    fn in_period(&self, entry: &Entry) -> bool {
        self.since.is_none_or(|since| entry.time() >= since) && self.until.is_none_or(|until| entry.time() <= until)
    }
}

/// What the page says beside the log.
#[derive(Debug, Default)]
pub struct Surroundings {
    /// The project's directory.
    pub project: String,
    /// The profiles in force.
    pub profiles: Vec<String>,
    /// When the page is made.
    pub now: DateTime<Utc>,
    /// The state of the chain, if there is a log.
    pub chain: Option<hook_audit_log::Report>,
    /// What a deleted log has left behind.
    pub missing: Option<String>,
    /// Name and state of each status file and gate, as they are now.
    pub standing: Vec<Standing>,
}

/// How one gate or status file stands when the page is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// What it is: "Tests", "Circuit breaker".
    pub what: &'static str,
    /// How it stands, in words.
    pub says: String,
    /// Whether somebody should look at it.
    pub bad: bool,
}
