//! What an audit log recorded: its events as far as they can be decided again, and the verdicts that were given.

use hook_protocol::native::NativeTool;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use hook_audit_log::{Entry, Reader, read, read_file, verify};
use hook_policy::Verdict;
use hook_protocol::event::{
    Body, Common, Event, EventName, PermissionDenied, PermissionRequest, PostToolUse, PostToolUseFailure, PreToolUse,
    SessionEnd, SessionStart, Stop, SubagentStart, SubagentStop,
};
use hook_protocol::transcript::{Fate, Past};

use super::input::Log;
use super::report::Side;
use super::{Error, Seen};

/// What was answered when an event happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Live {
    /// This verdict, or none.
    Verdict(Option<Verdict>),
    /// A hook refused the call; which one is not known.
    Refused,
    /// No hook refused it.
    NotRefused,
}

impl Live {
    pub(super) fn side(self) -> Side {
        let (verdict, reason) = match self {
            Self::Verdict(verdict) => (verdict.map_or("none", Verdict::as_str), None),
            Self::Refused => ("deny", Some("the transcript says that a hook refused it".to_owned())),
            Self::NotRefused => ("none", Some("the transcript says that it ran".to_owned())),
        };
        Side { verdict, rule: None, check: None, reason, rewrite: None }
    }
}

/// Sixty-four bits that stand for these texts.
pub(super) fn key(parts: &[&str]) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// What reading one log showed.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) records: u64,
    /// Records of events that a log cannot give back.
    pub(super) other: u64,
    /// Records of sessions whose transcript was replayed.
    pub(super) covered: u64,
    pub(super) notes: Vec<String>,
}

fn open(log: &Log) -> Result<Reader, hook_audit_log::Error> {
    match log {
        Log::Dir(dir) => read(dir),
        Log::File(file) => read_file(file),
    }
}

/// Collects the verdicts of a log, by session, event and call; of events without a call, by their number in the session.
pub(super) fn verdicts(log: &Log, live: &mut HashMap<u64, Live>) -> Result<(), Error> {
    for entry in open(log)? {
        let Ok(entry) = entry else { continue };
        if let Some(id) = entry.text("tool_use_id") {
            let session = entry.text("session").unwrap_or_default();
            live.insert(
                key(&[session, entry.text("event").unwrap_or_default(), id]),
                Live::Verdict(verdict_of(&entry)),
            );
        }
    }
    Ok(())
}

/// What was recorded of this event of a transcript.
pub(super) fn find(live: &HashMap<u64, Live>, past: &Past) -> Option<Live> {
    if live.is_empty() {
        return None;
    }
    let event = &past.event;
    let tool = event.tool()?;
    let session = event.common.session_id.as_ref()?.as_str();
    live.get(&key(&[&session, event.name().as_str(), &tool.id?.as_str()])).copied()
}

fn verdict_of(entry: &Entry) -> Option<Verdict> {
    match entry.text("verdict") {
        Some("deny") => Some(Verdict::Deny),
        Some("ask") => Some(Verdict::Ask),
        Some("allow") => Some(Verdict::Allow),
        _ => None,
    }
}

/// Gives the events of a log in order, with the bytes read so far, but for the sessions in `covered`. Gaps and torn lines are told, not hidden.
pub(super) fn each(log: &Log, covered: &HashSet<u64>, give: &mut dyn FnMut(Seen, u64)) -> Result<Told, Error> {
    let mut told = Told::default();
    let shown = log.path().display();
    let mut reader = open(log)?;
    let mut bytes = 0;
    let mut last: Option<u64> = None;
    let mut gaps = 0_u64;
    for entry in reader.by_ref() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                told.notes.push(format!("{shown}: {error}"));
                continue;
            }
        };
        bytes += entry.raw().len() as u64 + 1;
        told.records += 1;
        gaps += u64::from(last.is_some_and(|last| entry.seq() != last + 1));
        last = Some(entry.seq());
        if covered.contains(&key(&[entry.text("session").unwrap_or_default()])) {
            told.covered += 1;
            continue;
        }
        match event(&entry) {
            Some((event, whole)) => {
                let time = entry.time();
                let past = Past { event, time: None, branch: None, fate: fate(&entry) };
                let live = Some(Live::Verdict(verdict_of(&entry)));
                give(Seen { past, micros: time.timestamp_micros(), live, whole, root: log.root() }, bytes);
            }
            None => told.other += 1,
        }
    }
    if gaps > 0 {
        told.notes.push(format!("{shown}: records are missing in {gaps} places"));
    }
    if reader.passed_over() > 0 {
        told.notes
            .push(format!("{shown}: {} lines are no record: torn, or written by somebody else", reader.passed_over()));
    }
    if let Log::Dir(dir) = log {
        let report = verify(dir)?;
        let findings = report.findings.iter().filter(|finding| !finding.is_note());
        told.notes.extend(findings.map(|finding| format!("{shown}: {finding}")));
    }
    Ok(told)
}

/// A record of a call says what was done before or after it.
fn fate(entry: &Entry) -> Fate {
    match entry.text("verdict") {
        Some("deny") if entry.text("event") == Some("PreToolUse") => Fate::RefusedByHook,
        _ => Fate::Unknown,
    }
}

/// The event of a record, and whether the record holds all that its decision hung on.
fn event(entry: &Entry) -> Option<(Event<'static>, bool)> {
    if entry.text("note").is_some_and(|note| note.starts_with("payload not read")) {
        return None;
    }
    let name = entry.text("event")?;
    let call = call(entry);
    let whole = call.as_ref().is_none_or(|(_, whole)| *whole);
    let call = call.map(|(call, _)| call).unwrap_or_default();
    let note = || entry.text("note").map(str::to_owned);
    let PreToolUse { tool_name, tool_input, tool_use_id, .. } = call.clone();
    let (body, decidable): (Body<'static>, bool) = match EventName::from(name) {
        EventName::PreToolUse => (call.into(), true),
        EventName::PostToolUse => {
            (PostToolUse { tool_name, tool_input, tool_use_id, ..PostToolUse::default() }.into(), false)
        }
        EventName::PostToolUseFailure => {
            let error = note().map(Into::into);
            (
                PostToolUseFailure { tool_name, tool_input, tool_use_id, error, ..PostToolUseFailure::default() }
                    .into(),
                false,
            )
        }
        EventName::PermissionRequest => {
            (PermissionRequest { tool_name, tool_input, ..PermissionRequest::default() }.into(), true)
        }
        EventName::PermissionDenied => {
            (PermissionDenied { tool_name, tool_input, tool_use_id, ..PermissionDenied::default() }.into(), true)
        }
        EventName::SessionStart => {
            let source = note().map(|note| std::borrow::Cow::<str>::Owned(note).into());
            (SessionStart { source, ..SessionStart::default() }.into(), true)
        }
        EventName::SessionEnd => {
            let reason = note().map(|note| std::borrow::Cow::<str>::Owned(note).into());
            (SessionEnd { reason }.into(), true)
        }
        EventName::Stop => (Stop::default().into(), false),
        EventName::SubagentStart => (SubagentStart::default().into(), false),
        EventName::SubagentStop => (SubagentStop::default().into(), false),
        // A prompt is never in the log, only its length; what else a client sends is not kept in full either.
        _ => return None,
    };
    let common = Common {
        session_id: entry.text("session").map(|id| id.to_owned().into()),
        agent_id: entry.text("agent").map(|id| id.to_owned().into()),
        ..Common::default()
    };
    Some((Event { common, body, ..Event::default() }, decidable && whole))
}

/// The call of a record, and whether it is the call as it was: neither redacted nor cut, of a tool whose whole input is the one member
/// that the log keeps.
fn call(entry: &Entry) -> Option<(PreToolUse<'static>, bool)> {
    let tool = entry.text("tool")?;
    let text = entry.text("command").or_else(|| entry.text("path"));
    let as_it_was = text.is_some_and(|text| !text.contains("[redacted]") && !text.ends_with('…'));
    let mut call = match (entry.text("command"), entry.text("path")) {
        (Some(command), _) => PreToolUse::bash(command),
        (None, path) => PreToolUse::file_call(tool, path.unwrap_or_default(), None),
    };
    call.tool_name = Some(tool.to_owned().into());
    call.tool_use_id = entry.text("tool_use_id").map(|id| id.to_owned().into());
    Some((call, as_it_was && matches!(NativeTool::named(tool), Some(NativeTool::Shell | NativeTool::Read))))
}
