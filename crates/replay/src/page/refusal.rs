//! Refusals and questions, and what happened after each.

use std::collections::{HashMap, VecDeque};

use chrono::{DateTime, Utc};
use hook_audit_log::Entry;

use super::html::short;
use super::metrics::subject;

/// The newest refusals are kept; the others are only counted.
pub(super) const KEPT: usize = 300;
/// Calls that run at once and wait for their outcome, of one agent.
const OPEN: usize = 64;
/// Agents whose calls wait for their outcome.
const AGENTS: usize = 4_096;

/// A call that was refused or asked about.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) seq: u64,
    pub(super) time: DateTime<Utc>,
    pub(super) event: String,
    pub(super) tool: String,
    pub(super) verdict: String,
    pub(super) check: String,
    pub(super) rule: String,
    pub(super) reason: String,
    pub(super) subject: String,
    pub(super) next: Option<Next>,
    call: String,
}

/// What happened after it.
#[derive(Debug)]
pub(super) struct Next {
    pub(super) time: DateTime<Utc>,
    pub(super) said: String,
    pub(super) subject: String,
    /// Whether the host ran a call that was refused.
    pub(super) alarming: bool,
}

/// All that were seen, in order.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    pub(super) kept: VecDeque<Refusal>,
    pub(super) total: u64,
    /// Numbers of those of an agent that have no outcome yet.
    open: HashMap<(String, String), VecDeque<u64>>,
}

impl Refusals {
    /// Takes the next record into account.
    pub(super) fn take(&mut self, entry: &Entry) {
        let text = |key: &str| entry.text(key).unwrap_or_default();
        let who = (text("session").to_owned(), text("agent").to_owned());
        self.follow(&who, entry);
        if !matches!(text("verdict"), "deny" | "ask") {
            return;
        }
        let number = self.total;
        self.total += 1;
        self.kept.push_back(Refusal {
            seq: entry.seq(),
            time: entry.time(),
            event: text("event").to_owned(),
            tool: text("tool").to_owned(),
            verdict: text("verdict").to_owned(),
            check: text("check").to_owned(),
            rule: text("rule").to_owned(),
            reason: short(text("reason"), 500),
            subject: short(subject(entry), 400),
            next: None,
            call: text("tool_use_id").to_owned(),
        });
        if self.kept.len() > KEPT {
            self.kept.pop_front();
        }
        if self.open.len() < AGENTS || self.open.contains_key(&who) {
            let open = self.open.entry(who).or_default();
            open.push_back(number);
            if open.len() > OPEN {
                open.pop_front();
            }
        }
    }

    /// Whether `entry` is the outcome of earlier ones of the same agent.
    fn follow(&mut self, who: &(String, String), entry: &Entry) {
        let Some(open) = self.open.get_mut(who) else { return };
        let first = self.total - self.kept.len() as u64;
        let kept = &mut self.kept;
        open.retain(|number| {
            let index = number.checked_sub(first).and_then(|index| usize::try_from(index).ok());
            let Some(refusal) = index.and_then(|index| kept.get_mut(index)) else { return false };
            refusal.next = outcome(refusal, entry);
            refusal.next.is_none()
        });
        if open.is_empty() {
            self.open.remove(who);
        }
    }
}

/// What `entry` says about what became of the refusal; `None` if it says nothing.
fn outcome(refusal: &Refusal, entry: &Entry) -> Option<Next> {
    let text = |key: &str| entry.text(key).unwrap_or_default();
    let what = short(subject(entry), 200);
    let next =
        |said: String, subject: String, alarming: bool| Some(Next { time: entry.time(), said, subject, alarming });
    let bare = |said: &str| next(said.to_owned(), String::new(), false);
    let same_call = !refusal.call.is_empty() && refusal.call == text("tool_use_id");
    let asked = refusal.verdict == "ask";
    match text("event") {
        "PostToolUse" | "PostToolUseFailure" if same_call => {
            let how = if text("result") == "failure" { "it ran and failed" } else { "it ran" };
            if asked {
                bare(&format!("allowed by the user, {how}"))
            } else {
                next(format!("although it was refused, {how}: Claude Code did not obey"), String::new(), true)
            }
        }
        "PermissionDenied" if same_call => bare("declined"),
        // Calls that were sent together wait for each other's answers, so another one says nothing about a question.
        "PreToolUse" if !asked && !same_call => {
            let again = text("tool") == refusal.tool && !what.is_empty() && subject(entry) == refusal.subject;
            let went = match text("verdict") {
                "deny" => ", refused as well",
                "ask" => ", asked about",
                _ => "",
            };
            let said = if again { "the same was tried again" } else { "next call" };
            next(format!("{said}: {}{went}", text("tool")), if again { String::new() } else { what }, false)
        }
        "Stop" | "SubagentStop" if refusal.event != text("event") => {
            bare(if asked { "it did not run, the turn ended" } else { "the turn ended" })
        }
        "UserPromptSubmit" => bare(if asked { "it did not run, the user wrote" } else { "the user wrote" }),
        "SessionEnd" => bare(if asked { "it did not run, the session ended" } else { "the session ended" }),
        _ => None,
    }
}
