//! The refusals that the log holds, by the short names that the user was shown.

use hook_audit_log::Entry;

use super::call::Call;
use crate::Error;
use crate::event::plain::one_line;
use crate::project::Project;

/// Newest records among which a refusal is looked for.
const RECENT: usize = 2_000;

/// The widest call that is shown, in characters.
const WIDTH: usize = 240;

/// A recorded refusal or question that the user's word can lift.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The call.
    pub call: Call,
    /// The session in which it was refused.
    pub session: String,
    /// When, for the user.
    pub at: String,
    /// The reason, a line.
    pub reason: String,
    tool: String,
    /// The command or the path; secrets and what is too long are left out of it.
    subject: String,
}

impl Refusal {
    /// The refusal that a record tells of, if it is one that can be lifted.
    pub fn of(entry: &Entry) -> Option<Self> {
        entry.text("verdict").filter(|verdict| matches!(*verdict, "deny" | "ask"))?;
        let call = Call::from_record(entry.members().get("extra")?.get("call")?.as_str()?)?;
        let text = |key: &str| entry.text(key).unwrap_or_default();
        let subject = entry.text("command").or_else(|| entry.text("path")).unwrap_or_default();
        Some(Self {
            call,
            session: text("session").to_owned(),
            at: entry.time().format("%Y-%m-%d %H:%M:%S").to_string(),
            reason: one_line(text("reason").lines().next().unwrap_or_default(), WIDTH),
            tool: one_line(text("tool"), WIDTH),
            subject: one_line(subject, WIDTH),
        })
    }

    /// The tool and what it was to do, a line.
    pub fn about(&self) -> String {
        format!("{} {}", self.tool, self.subject).trim_end().to_owned()
    }
}

/// The refusal that the user means by `typed`, the newest of one call.
pub fn refusal(typed: &str, project: &Project) -> Result<Refusal, Error> {
    let entries = hook_audit_log::tail(&project.log(), RECENT).unwrap_or_default();
    let mut meant: Vec<Refusal> = Vec::new();
    for refusal in entries.iter().rev().filter_map(Refusal::of).filter(|refusal| refusal.call.is_meant(typed)) {
        if meant.iter().all(|other| other.call != refusal.call) {
            meant.push(refusal);
        }
    }
    match <[Refusal; 1]>::try_from(meant) {
        Ok([refusal]) => Ok(refusal),
        Err(none) if none.is_empty() => Err(Error::wrong_use(format!(
            "no refusal `{}` that can be allowed is recorded here; `hookbin log tail --verdict deny` shows the last ones",
            one_line(typed, 40)
        ))),
        Err(several) => {
            let line = |refusal: &Refusal| format!("\n  {}  {}", refusal.call.text(), refusal.about());
            let lines: String = several.iter().map(line).collect();
            Err(Error::wrong_use(format!("several calls are called so; name one in full:{lines}")))
        }
    }
}
