//! What a replay found, as the versioned schema of `hookbin replay --json`.

use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, SecondsFormat};
use hook_protocol::event::Event;
use serde::Serialize;

use super::input::Inputs;
use super::proposal::Proposal;
use super::source::Merged;
use super::tally::{Counts, Tally, Verdicts, subject};
use super::{Order, Seen, recorded};

/// Schema version of the JSON output.
pub const VERSION: u32 = 1;

/// Rules and groups that are shown; a past has many more groups than anybody reads.
const GROUPS: usize = 200;

/// Everything that was found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Report {
    /// Name of the policy.
    pub policy: String,
    /// Name of the policy that it is held against.
    pub against: Option<String>,
    /// Whether it is held against what was recorded.
    pub expect: bool,
    /// The profiles that decided.
    pub profiles: Vec<String>,
    /// What was read.
    pub inputs: InputShown,
    /// Events that were decided: calls, their ends, and the start, prompts and stops that a transcript tells of.
    pub events: u64,
    /// Sessions that they belong to.
    pub sessions: usize,
    /// First and last time.
    pub span: Option<(String, String)>,
    /// Verdicts of the policy.
    pub verdicts: Verdicts,
    /// Verdicts of the other policy, if there is one.
    pub second_verdicts: Verdicts,
    /// The rules that fired, most often first.
    pub rules: Vec<RuleShown>,
    /// Calls that are alike, most often first.
    pub groups: Vec<GroupShown>,
    /// How many groups there are; not all are listed.
    pub groups_total: usize,
    /// Events of which a verdict is recorded, where they are held against that; against another policy all [`Self::events`] are.
    pub compared: u64,
    /// Of these, events that are decided differently and whose record lacks what that hangs on. They are no differences.
    pub undecidable: u64,
    /// The first events that are decided differently.
    pub differences: Vec<Difference>,
    /// How many events are decided differently.
    pub differences_total: u64,
    /// Rules that would let pass what people let pass.
    pub proposals: Vec<Proposal>,
    /// What could not be read or decided, a sentence each.
    pub notes: Vec<String>,
    /// Bytes that were read.
    pub bytes: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// What was read.
#[derive(Debug, Default, Serialize)]
#[non_exhaustive]
pub struct InputShown {
    /// Transcripts.
    pub transcripts: usize,
    /// Directories of audit logs.
    pub logs: Vec<String>,
    /// Lines of transcripts.
    pub lines: u64,
    /// Lines of kinds that tell of no event.
    pub other_lines: u64,
    /// Lines that are no JSON.
    pub damaged_lines: u64,
    /// Transcripts whose last line is not finished.
    pub cut_off_files: u64,
    /// Lines that were passed over for their length.
    pub too_long_lines: u64,
    /// Records of logs.
    pub log_records: u64,
    /// Records of events that a log cannot give back, prompts above all.
    pub other_records: u64,
    /// Records of sessions whose transcript was replayed.
    pub covered_records: u64,
    /// Events of calls that were met before, as forked and resumed sessions repeat them.
    pub repeated: u64,
    /// Files that were left out, with the reason.
    pub skipped: Vec<Skipped>,
    /// What could not be read or decided, a sentence each.
    pub notes: Vec<String>,
}

/// A path that could not be used.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Skipped {
    /// The path.
    pub path: PathBuf,
    /// Why, and what to do.
    pub why: String,
}

impl InputShown {
    pub(super) fn of(inputs: &Inputs) -> Self {
        let skipped = inputs.skipped.iter().map(|(path, why)| Skipped { path: path.clone(), why: why.clone() });
        Self {
            transcripts: inputs.transcripts.len(),
            logs: inputs.logs.iter().map(|log| log.path().display().to_string()).collect(),
            skipped: skipped.collect(),
            ..Self::default()
        }
    }

    pub(super) fn take_from(&mut self, merged: &Merged) {
        let left = &merged.left;
        (self.lines, self.other_lines) = (left.lines, left.other_lines);
        (self.damaged_lines, self.cut_off_files, self.too_long_lines) = (left.damaged, left.cut_off, left.too_long);
        self.notes.extend(left.notes.iter().cloned());
    }

    pub(super) fn add_log(&mut self, told: recorded::Told) {
        self.log_records += told.records;
        self.other_records += told.other;
        self.covered_records += told.covered;
        self.notes.extend(told.notes);
    }
}

/// From the first to the last event, in microseconds since 1970.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Span(Option<(i64, i64)>);

impl Span {
    pub(super) fn widen(&mut self, micros: i64) {
        // A file without times has none to tell.
        if micros != 0 {
            let (first, last) = self.0.unwrap_or((micros, micros));
            self.0 = Some((first.min(micros), last.max(micros)));
        }
    }

    /// Both ends in RFC 3339.
    pub(super) fn texts(self) -> Option<(String, String)> {
        self.0.map(|(first, last)| (time(first), time(last)))
    }
}

fn time(micros: i64) -> String {
    DateTime::from_timestamp_micros(micros).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// How often a rule would have fired.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct RuleShown {
    /// Its id; `null` where the handler has no rules.
    pub rule: Option<String>,
    /// Name of the check.
    pub check: String,
    /// The verdict.
    pub verdict: &'static str,
    /// How often.
    pub count: u64,
    /// Of these calls, so many ran when it happened.
    pub ran: u64,
    /// Calls that it fired on, redacted.
    pub examples: Vec<String>,
}

/// Calls that are alike.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct GroupShown {
    /// What they have in common.
    pub shape: String,
    /// How many there are.
    pub calls: u64,
    /// The same by verdict.
    pub verdicts: Counts,
    /// Of these, calls that ran when it happened.
    pub ran: u64,
    /// Of these, calls that a user refused.
    pub refused_by_person: u64,
    /// Asked about by a hook when it happened, and let run.
    pub approved: u64,
    /// One of them, redacted.
    pub example: String,
}

/// One side of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Side {
    /// The verdict: `deny`, `ask`, `allow`, or `none` where nothing is against it.
    pub verdict: &'static str,
    /// The rule that decided; `None` where the check has no rules.
    pub rule: Option<String>,
    /// The check that decided.
    pub check: Option<String>,
    /// Its reason.
    pub reason: Option<String>,
    /// The input in place of the call's.
    pub rewrite: Option<String>,
}

/// An event that two policies decide differently, or a policy now and the hook then.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// When it happened.
    pub time: String,
    /// In which session.
    pub session: String,
    /// Name of the event.
    pub event: String,
    /// The tool, of a call.
    pub tool: Option<String>,
    /// The id of the call.
    pub tool_use_id: Option<String>,
    /// What it is about, redacted.
    pub subject: String,
    /// The policy, or what was recorded.
    pub first: Side,
    /// The policy that it is held against, or the policy now.
    pub second: Side,
}

impl Difference {
    pub(super) fn new(seen: &Seen, first: Side, second: Side) -> Self {
        let event: &Event<'_> = &seen.past.event;
        let tool = event.tool();
        Self {
            time: time(seen.micros),
            session: event.common.session_id.as_ref().map(|id| id.as_str().into_owned()).unwrap_or_default(),
            event: event.name().as_str().to_owned(),
            tool: tool.as_ref().map(|tool| tool.name.clone().into_owned()),
            tool_use_id: tool.and_then(|tool| tool.id.map(|id| id.as_str().into_owned())),
            subject: subject(seen),
            first,
            second,
        }
    }
}

impl Report {
    pub(super) fn new(order: &Order) -> Self {
        Self {
            policy: order.policy.name(),
            against: order.against.as_ref().map(super::Policy::name),
            expect: order.expect,
            profiles: Vec::new(),
            inputs: InputShown::default(),
            events: 0,
            sessions: 0,
            span: None,
            verdicts: Verdicts::default(),
            second_verdicts: Verdicts::default(),
            rules: Vec::new(),
            groups: Vec::new(),
            groups_total: 0,
            compared: 0,
            undecidable: 0,
            differences: Vec::new(),
            differences_total: 0,
            proposals: Vec::new(),
            notes: Vec::new(),
            bytes: 0,
            elapsed: Duration::ZERO,
        }
    }

    pub(super) fn take(&mut self, tally: &Tally) {
        self.verdicts = tally.verdicts.clone();
        self.rules = tally
            .rules
            .iter()
            .map(|((rule, check, verdict), counted)| RuleShown {
                rule: Some(rule.clone()).filter(|rule| !rule.is_empty()),
                check: check.clone(),
                verdict,
                count: counted.count,
                ran: counted.ran,
                examples: counted.examples.clone(),
            })
            .collect();
        self.rules.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.rule.cmp(&b.rule)));
        let mut groups: Vec<GroupShown> = tally
            .groups
            .iter()
            .map(|(shape, group)| GroupShown {
                shape: hook_audit_log::clip(shape, 200).into_owned(),
                calls: group.counts.all(),
                verdicts: group.counts.clone(),
                ran: group.ran,
                refused_by_person: group.refused_by_person,
                approved: group.approved,
                example: group.example.clone(),
            })
            .collect();
        // What a policy stops or asks about comes first, since that is what a user looks for.
        let weight = |group: &GroupShown| (group.verdicts.deny + group.verdicts.ask, group.calls);
        groups.sort_by(|a, b| weight(b).cmp(&weight(a)).then_with(|| a.shape.cmp(&b.shape)));
        self.groups_total = groups.len();
        groups.truncate(GROUPS);
        self.groups = groups;
        if tally.beyond > 0 {
            self.notes
                .push(format!("{} verdicts are of rules or groups beyond those that are told apart", tally.beyond));
        }
    }

    /// Prompts that the policy would have saved and added, at most: the record does not say which calls the host would have let run
    /// without asking.
    pub fn prompts(&self) -> (u64, u64) {
        (self.verdicts.calls.allow, self.verdicts.calls.ask)
    }

    /// How fast the input was read.
    pub fn mib_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        #[allow(clippy::cast_precision_loss, reason = "a rate for people; bytes of a past stay far below 2^52")]
        let mib = self.bytes as f64 / f64::from(1 << 20);
        if seconds > 0.0 { mib / seconds } else { 0.0 }
    }
}
