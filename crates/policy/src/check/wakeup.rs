//! `wakeup`: tells a session that was woken for it which of its workers are done.

use std::fmt::Write;

use hook_protocol::event::Body;
use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::effect::Effect;
use crate::finding::Finding;
use crate::registry::{Change, Worker, Workers};

/// Settings of `wakeup`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Wakeup {
    /// What the prompt begins with that wakes a session; a time in brackets may stand before it.
    pub tag: String,
    /// What follows that.
    pub words: String,
    /// Modes in which sessions are told.
    pub modes: Vec<String>,
    /// Workers that are shown; of the others only their number.
    pub lines: usize,
    /// Characters that are shown of a worker's result.
    pub summary: usize,
    /// What the session is asked to do with them.
    pub acknowledge: String,
}

/// Workers in one record of the registry, whose length is bounded.
const IN_ONE_RECORD: usize = 500;

/// Characters that are shown of a worker's id.
const SHORT_ID: usize = 8;

impl Step for Wakeup {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let Body::UserPromptSubmit(submit) = &ctx.event.body else { return None };
        let prompt = submit.prompt.as_ref()?.as_str();
        if !self.wakes(&prompt) {
            return None;
        }
        let session = ctx.facts.registered();
        if !self.modes.iter().any(|mode| mode == session.mode()) {
            return None;
        }
        let Some(conversation) = session.conversation() else {
            return Some(self.notice("This session has no conversation, so no worker reports to it"));
        };
        match ctx.facts.workers(conversation) {
            Err(error) => Some(self.notice(&format!("Which workers are done cannot be told now: {error}"))),
            Ok(workers) if workers.fresh.is_empty() && workers.waiting.is_empty() => {
                Some(self.notice("No worker of this conversation has a result that was not taken note of"))
            }
            Ok(workers) => Some(self.told(conversation, &workers)),
        }
    }
}

impl Wakeup {
    /// Whether a prompt is the one that wakes. The sender may put the time in front of it.
    fn wakes(&self, prompt: &str) -> bool {
        let prompt = prompt.trim_start();
        let rest = self.after_tag(prompt).or_else(|| self.after_tag(without_time(prompt)?));
        rest.is_some_and(|rest| rest.trim_start_matches([':', ' ']).starts_with(self.words.as_str()))
    }

    fn after_tag<'p>(&self, text: &'p str) -> Option<&'p str> {
        text.strip_prefix(self.tag.as_str()).filter(|_| !self.tag.is_empty())
    }

    fn notice(&self, text: &str) -> Finding {
        Finding::advice(format!("{}: {text}.", self.tag))
    }

    fn told(&self, conversation: &str, workers: &Workers) -> Finding {
        let count = workers.fresh.len() + workers.waiting.len();
        let mut text = format!("{}: {count} {} done", self.tag, if count == 1 { "worker is" } else { "workers are" });
        if !workers.waiting.is_empty() {
            // Writing to a text cannot fail.
            let _ = write!(text, ", {} of them reported before", workers.waiting.len());
        }
        text.push_str(":\n");
        for worker in workers.fresh.iter().chain(&workers.waiting).take(self.lines) {
            let _ = writeln!(text, "- {}", self.line(worker));
        }
        if count > self.lines {
            let _ = writeln!(text, "…and {} more", count - self.lines);
        }
        text.push_str(&self.acknowledge);
        let ids: Vec<&String> = workers.fresh.iter().map(|worker| &worker.id).collect();
        let notified = ids.chunks(IN_ONE_RECORD).map(|ids| {
            let workers = ids.iter().map(|id| (*id).clone()).collect();
            Effect::Registry(Change::Notified { conversation: conversation.to_owned(), workers })
        });
        Finding::advice(text.trim_end()).with(notified)
    }

    fn line(&self, worker: &Worker) -> String {
        let task = if worker.task.is_empty() { "worker" } else { &worker.task };
        let summary = if worker.summary.is_empty() { "no summary" } else { &worker.summary };
        format!(
            "{} {}: {} ({})",
            cut(&worker.id, SHORT_ID, false),
            cut(task, self.summary, true),
            cut(summary, self.summary, true),
            worker.age
        )
    }
}

/// What follows a time in brackets: `[2026-03-01 10:00:00] `.
fn without_time(text: &str) -> Option<&str> {
    let (time, rest) = text.strip_prefix('[')?.split_once(']')?;
    let is_time = time.len() <= 40
        && time.starts_with(|c: char| c.is_ascii_digit())
        && time.chars().all(|c| c.is_ascii_digit() || "-:./+TZ ".contains(c));
    is_time.then(|| rest.trim_start())
}

/// At most `most` characters of a text, on one line.
fn cut(text: &str, most: usize, mark: bool) -> String {
    let mut plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut out: String = plain.by_ref().take(most).collect();
    if mark && plain.next().is_some() {
        out.pop();
        out.push('…');
    }
    out
}
