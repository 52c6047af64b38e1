//! The figures of the page, gathered in one pass over the log and in bounded memory.

use std::collections::{BTreeMap, VecDeque};

use chrono::{DateTime, Utc};
use hook_audit_log::Entry;
use serde_json::Value;

use super::Choice;
use super::html::short;
use super::refusal::Refusals;
use super::slots::Slots;
use super::spent::Spent;

/// The newest events that are listed.
pub(super) const LISTED: usize = 2_000;
/// Different names of one kind that are told apart.
const NAMES: usize = 5_000;
/// Scored prompts, marks and faults that are kept.
const KEPT: usize = 1_000;

/// Everything the page says about the chosen records.
#[derive(Debug, Default)]
pub struct Figures {
    /// How many there are.
    pub records: u64,
    /// The time of the first.
    pub first: Option<DateTime<Utc>>,
    /// The time of the last.
    pub last: Option<DateTime<Utc>>,
    pub(super) verdicts: BTreeMap<String, u64>,
    pub(super) slots: Slots,
    pub(super) spent: BTreeMap<String, Spent>,
    pub(super) spent_in_all: Spent,
    pub(super) prompts: VecDeque<Prompt>,
    pub(super) prompts_in_all: u64,
    pub(super) scored_in_all: u64,
    pub(super) refusals: Refusals,
    pub(super) gates: BTreeMap<String, Gate>,
    pub(super) marks: VecDeque<Mark>,
    pub(super) marks_in_all: u64,
    pub(super) files: BTreeMap<String, File>,
    pub(super) files_left_out: u64,
    pub(super) sessions: BTreeMap<String, Session>,
    pub(super) sessions_left_out: u64,
    pub(super) faults: VecDeque<Mark>,
    pub(super) faults_in_all: u64,
    pub(super) rows: VecDeque<Row>,
    before: Option<u64>,
}

/// A prompt with its score.
#[derive(Debug, Clone)]
pub(super) struct Prompt {
    pub(super) time: DateTime<Utc>,
    pub(super) c: u64,
    pub(super) tier: String,
}

/// Something worth a line: a breaker that tripped, a checkpoint, a fault.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    pub(super) time: DateTime<Utc>,
    pub(super) says: String,
}

/// How often a check decided, by what it said.
#[derive(Debug, Default)]
pub(super) struct Gate {
    pub(super) denied: u64,
    pub(super) asked: u64,
    pub(super) allowed: u64,
    pub(super) last: Option<DateTime<Utc>>,
}

/// What was done with a file.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) by_tool: BTreeMap<String, u64>,
    pub(super) calls: u64,
    pub(super) stopped: u64,
}

/// What a session did.
#[derive(Debug, Default)]
pub(super) struct Session {
    pub(super) first: DateTime<Utc>,
    pub(super) last: DateTime<Utc>,
    pub(super) events: u64,
    pub(super) calls: u64,
    pub(super) failed: u64,
    pub(super) denied: u64,
    pub(super) asked: u64,
}

/// One line of the list of events.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) seq: u64,
    pub(super) time: DateTime<Utc>,
    pub(super) event: String,
    pub(super) tool: String,
    pub(super) agent: String,
    pub(super) verdict: String,
    pub(super) check: String,
    pub(super) result: String,
    pub(super) subject: String,
    pub(super) elapsed: Option<u64>,
    /// What is missing or torn before it.
    pub(super) hole: Option<String>,
}

/// What a record is about: its command, its file, or what it notes.
pub(super) fn subject(entry: &Entry) -> &str {
    ["command", "path", "note"].iter().find_map(|key| entry.text(key)).unwrap_or_default()
}

fn number(entry: &Entry, key: &str) -> Option<u64> {
    entry.members().get(key).and_then(Value::as_u64)
}

/// Adds to a bounded queue; the oldest goes.
fn keep<T>(queue: &mut VecDeque<T>, most: usize, item: T) {
    queue.push_back(item);
    if queue.len() > most {
        queue.pop_front();
    }
}

/// The entry of a name, unless there are too many names; then `left_out` counts.
fn named<'m, T: Default>(map: &'m mut BTreeMap<String, T>, name: &str, left_out: &mut u64) -> Option<&'m mut T> {
    if map.len() >= NAMES && !map.contains_key(name) {
        *left_out += 1;
        return None;
    }
    Some(map.entry(name.to_owned()).or_default())
}

impl Figures {
    /// Takes the next record of the log into account if it is among the chosen ones.
    pub fn take(&mut self, entry: &Entry, choice: &Choice) {
        // A gap is one in the whole trail, not what the choice of a session leaves out.
        let hole = self.hole(entry);
        self.before = Some(entry.seq());
        if !choice.takes(entry) {
            return;
        }
        let text = |key: &str| entry.text(key).unwrap_or_default();
        let (event, verdict) = (text("event"), text("verdict"));
        self.records += 1;
        self.first.get_or_insert(entry.time());
        self.last = Some(entry.time());
        if !verdict.is_empty() {
            *self.verdicts.entry(short(verdict, 20)).or_default() += 1;
        }
        self.slots.add(entry.time(), |count| {
            count.events += 1;
            count.denied += u64::from(verdict == "deny");
            count.asked += u64::from(verdict == "ask");
        });
        if let Some(micros) = number(entry, "elapsed_us") {
            self.spent_in_all.add(micros);
            let mut others = 0;
            if let Some(spent) = named(&mut self.spent, event, &mut others) {
                spent.add(micros);
            }
        }
        self.refusals.take(entry);
        self.judge(entry, verdict);
        self.touch(entry, event, verdict);
        self.extras(entry, event);
        self.session(entry, event, verdict);
        let row = Row {
            seq: entry.seq(),
            time: entry.time(),
            event: event.to_owned(),
            tool: text("tool").to_owned(),
            agent: text("agent").to_owned(),
            verdict: verdict.to_owned(),
            check: text("check").to_owned(),
            result: text("result").to_owned(),
            subject: short(subject(entry), 240),
            elapsed: number(entry, "elapsed_us"),
            hole,
        };
        keep(&mut self.rows, LISTED, row);
    }

    /// What is wrong between this record and the one before.
    fn hole(&self, entry: &Entry) -> Option<String> {
        let seq = entry.seq();
        let torn = number(entry, "after_torn").map(|bytes| format!("a line was torn here after {bytes} bytes"));
        let gap = match self.before {
            Some(before) if seq > before + 2 => Some(format!("records {} to {} are missing", before + 1, seq - 1)),
            Some(before) if seq == before + 2 => Some(format!("record {} is missing", before + 1)),
            Some(before) if seq <= before => Some(format!("record {seq} does not belong here")),
            _ => None,
        };
        match (gap, torn) {
            (Some(gap), Some(torn)) => Some(format!("{gap}; {torn}")),
            (gap, torn) => gap.or(torn),
        }
    }

    fn judge(&mut self, entry: &Entry, verdict: &str) {
        let Some(check) = entry.text("check") else { return };
        let Some(gate) = named(&mut self.gates, check, &mut 0) else { return };
        match verdict {
            "deny" => gate.denied += 1,
            "ask" => gate.asked += 1,
            _ => gate.allowed += 1,
        }
        gate.last = Some(entry.time());
    }

    /// A call counts once: where it was refused or when it was over.
    fn touch(&mut self, entry: &Entry, event: &str, verdict: &str) {
        let Some(path) = entry.text("path") else { return };
        let stopped = event == "PreToolUse" && verdict == "deny";
        if !stopped && !matches!(event, "PostToolUse" | "PostToolUseFailure") {
            return;
        }
        let Some(file) = named(&mut self.files, path, &mut self.files_left_out) else { return };
        file.calls += 1;
        file.stopped += u64::from(stopped);
        let tool = entry.text("tool").unwrap_or_default();
        if file.by_tool.len() < 20 || file.by_tool.contains_key(tool) {
            *file.by_tool.entry(tool.to_owned()).or_default() += 1;
        }
    }

    fn extras(&mut self, entry: &Entry, event: &str) {
        let time = entry.time();
        self.prompts_in_all += u64::from(event == "UserPromptSubmit");
        let extra = |key: &str| entry.members().get("extra").and_then(|extra| extra.get(key));
        if let Some(c) = extra("complexity").and_then(Value::as_u64) {
            let tier = extra("tier").and_then(Value::as_str).unwrap_or_default();
            self.scored_in_all += 1;
            keep(&mut self.prompts, KEPT, Prompt { time, c, tier: short(tier, 20) });
        }
        for (key, what) in [("breaker", "circuit breaker"), ("checkpoint", "checkpoint")] {
            if let Some(how) = extra(key).and_then(Value::as_str) {
                self.marks_in_all += 1;
                keep(&mut self.marks, KEPT, Mark { time, says: format!("{what} {}", short(how, 40)) });
            }
        }
        let faults = extra("faults").and_then(Value::as_array);
        let said = faults.into_iter().flatten().filter_map(Value::as_str);
        let unread = entry.text("note").filter(|note| note.starts_with("payload not read"));
        for says in said.chain(unread) {
            self.faults_in_all += 1;
            keep(&mut self.faults, KEPT, Mark { time, says: format!("{event}: {}", short(says, 300)) });
        }
    }

    fn session(&mut self, entry: &Entry, event: &str, verdict: &str) {
        let Some(id) = entry.text("session") else { return };
        let Some(session) = named(&mut self.sessions, id, &mut self.sessions_left_out) else { return };
        if session.events == 0 {
            session.first = entry.time();
        }
        session.last = entry.time();
        session.events += 1;
        session.calls += u64::from(event == "PreToolUse");
        session.failed += u64::from(event == "PostToolUseFailure");
        session.denied += u64::from(verdict == "deny");
        session.asked += u64::from(verdict == "ask");
    }
}
