//! A refusal that the model has read already is said in short: a model that tries again has not forgotten, and every word costs.

use hook_audit_log::{Entry, TEXT_CHARS, redact, tail};
use hook_policy::{Outcome, Verdict};
use hook_protocol::event::EventName;

use crate::event::run::Run;

/// Records of the log that are looked through.
const RECENT: usize = 200;

/// Reasons up to so many bytes are short enough.
const SHORT: usize = 160;

/// What the middle of a reason is replaced by.
const BEFORE: &str = "Refused as before.";

/// The reason of a refusal in short, where the same conversation was given the same one before. What was said before the session started,
/// went on or was compacted may be forgotten. `None` where it is said whole: where it is the first, short, or nobody knows.
pub(crate) fn shortened(run: &Run<'_>, outcome: &Outcome<'_>) -> Option<String> {
    let reason = outcome.reason.as_deref().filter(|reason| reason.len() > SHORT)?;
    let refused = outcome.verdict == Some(Verdict::Deny) && run.event.name() == EventName::PreToolUse;
    let project = run.project.as_ref().filter(|project| refused && run.may.records && !project.log_is_elsewhere())?;
    let agent = run.event.common.agent_id.as_ref().map(|id| id.as_str());
    let said = redact(reason);
    let was_said = |entry: &Entry| {
        entry.text("verdict") == Some("deny")
            && entry.text("agent") == agent.as_deref()
            && entry.text("reason").is_some_and(|before| is_same(before, &said))
    };
    let records = tail(&project.log(), RECENT).ok()?;
    let of_session = records.iter().rev().filter(|entry| entry.text("session") == Some(run.session.as_str()));
    let mut since_start = of_session.take_while(|entry| entry.text("event") != Some("SessionStart"));
    since_start.any(was_said).then(|| ends_of(reason))
}

/// Whether a reason in the log, which keeps the beginning of a long one, is this one.
fn is_same(before: &str, said: &str) -> bool {
    let begins = || said.starts_with(before.trim_end_matches('…'));
    before == said || before.chars().count() >= TEXT_CHARS && begins()
}

/// The first sentence of a reason, which says what is refused, and the last one, which says what to do, if it is a sentence.
fn ends_of(reason: &str) -> String {
    let line = reason.lines().next().unwrap_or(reason);
    let first = line.find(". ").and_then(|end| line.get(..=end)).unwrap_or(line);
    let line = reason.lines().next_back().unwrap_or(reason);
    let last = line.rfind(". ").and_then(|end| line.get(end + 2..)).unwrap_or(line);
    let is_more = last.ends_with('.') && last != first && last.len() <= SHORT;
    if is_more { format!("{first} {BEFORE} {last}") } else { format!("{first} {BEFORE}") }
}
