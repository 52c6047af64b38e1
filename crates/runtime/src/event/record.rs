//! The audit record of one run.

use std::borrow::Cow;

use hook_audit_log::{AuditLog, Entry, Error, Limits, Record, Value};
use hook_policy::Outcome;
use hook_policy::profile::LogLimits;
use hook_protocol::event::{Body, EventName};

use crate::event::effects::EffectReport;
use crate::event::run::Run;
use crate::project::Project;

/// Appends the record of this run. Returns what the user has to know when that is not possible.
pub fn write(run: &Run<'_>, outcome: &Outcome<'_>, done: &EffectReport) -> Option<String> {
    let project = run.project.as_ref()?;
    let prepared = project.prepare().map_err(|error| format!("cannot make {}: {error}", project.own().display()));
    let appended = prepared.and_then(|()| {
        if project.log_is_elsewhere() {
            return Err(format!("{} is a link to somewhere else; remove the link", project.log().display()));
        }
        log(run, project).append(&record(run, outcome, done)).map_err(|error| error.to_string())
    });
    appended.err().map(|error| format!("hookbin could not write its audit log: {error}"))
}

/// Begins the log, if there is none.
pub(crate) fn begin(run: &Run<'_>, project: &Project) -> Result<(), Error> {
    if project.log_is_elsewhere() { Ok(()) } else { log(run, project).begin(run.system.now).map(drop) }
}

/// Records of the log that are looked through for a session.
const RECENT: usize = 2_000;

/// Events after which a session has a document.
const KNOWN_BY: [&str; 3] = ["SessionStart", "PostToolUse", "PostToolUseFailure"];

/// Whether the log knows the session of this run from an earlier one, so that it had a document. Whoever takes the document away has to
/// take the log away as well, and a log that is cut shows.
pub fn has_begun(run: &Run<'_>, project: &Project) -> bool {
    if project.log_is_elsewhere() || !run.may.outlives {
        return false;
    }
    let is_its = |entry: &Entry| {
        entry.text("session") == Some(run.session.as_str())
            && entry.text("event").is_some_and(|event| KNOWN_BY.contains(&event))
    };
    hook_audit_log::tail(&project.log(), RECENT).is_ok_and(|records| records.iter().any(is_its))
}

fn log(run: &Run<'_>, project: &Project) -> AuditLog {
    project.trail(&project.log(), limits(&run.plan.settings.log)).with_lock_wait(run.system.lock_timeout())
}

/// How large the log of a profile grows.
pub(crate) fn limits(settings: &LogLimits) -> Limits {
    Limits {
        max_bytes: settings.max_bytes,
        keep: usize::try_from(settings.keep).unwrap_or(usize::MAX),
        total_max_bytes: settings.total_max_bytes,
    }
}

fn record<'a>(run: &'a Run<'_>, outcome: &'a Outcome<'_>, done: &'a EffectReport) -> Record<'a> {
    let event = &run.event;
    let name = match event.name() {
        EventName::Other(name) if name.is_empty() => Cow::Borrowed("unknown"),
        name => Cow::Owned(name.as_str().to_owned()),
    };
    let mut record = Record::new(run.system.now, name);
    record.session = Some(Cow::Borrowed(run.session.as_str()));
    record.agent = event.common.agent_id.as_ref().map(|id| id.as_str());
    record.verdict = outcome.verdict.map(|verdict| Cow::Borrowed(verdict.as_str()));
    record.check = outcome.decided_by.map(Cow::Borrowed);
    record.reason = outcome.reason.as_deref().map(Cow::Borrowed);
    record.bytes = Some(run.bytes as u64);
    record.elapsed_us = u64::try_from(run.begin.elapsed().as_micros()).ok();
    if let Some(tool) = event.tool() {
        record.path = tool.touched_path();
        record.command = tool.command();
        record.tool_use_id = tool.id.map(|id| id.as_str());
        record.tool = Some(tool.name);
    }
    match &event.body {
        Body::PostToolUse(_) => record.result = Some(Cow::Borrowed("success")),
        Body::PostToolUseFailure(failure) => {
            record.result = Some(Cow::Borrowed("failure"));
            record.note = failure.error.as_ref().map(|error| error.as_str());
        }
        // The length of a prompt, never the prompt.
        Body::UserPromptSubmit(submit) => {
            let chars = submit.prompt.as_ref().map_or(0, |prompt| prompt.as_str().chars().count());
            record.extra.push((Cow::Borrowed("prompt_chars"), Value::Uint(chars as u64)));
        }
        Body::SessionStart(start) => {
            record.note = start.source.as_ref().map(|source| Cow::Owned(source.as_str().to_owned()));
        }
        Body::SessionEnd(end) => record.note = end.reason.as_ref().map(|reason| Cow::Owned(reason.as_str().to_owned())),
        _ => {}
    }
    if let Some(why) = &run.unreadable {
        record.note = Some(Cow::Owned(format!("payload not read: {why}")));
    }
    record.note = record.note.or_else(|| done.word.note().map(Cow::Owned));
    if let Some((c, tier)) = done.scored {
        record.extra.push((Cow::Borrowed("complexity"), Value::Uint(c)));
        record.extra.push((Cow::Borrowed("tier"), Value::Text(Cow::Borrowed(tier))));
    }
    if let Some(passed) = done.gate {
        record.extra.push((Cow::Borrowed("checkpoint"), Value::from(if passed { "passed" } else { "failed" })));
    }
    if let Some(tripped) = done.breaker {
        record.extra.push((Cow::Borrowed("breaker"), Value::from(if tripped { "tripped" } else { "closed" })));
    }
    if !outcome.feedback.is_empty() {
        record.extra.push((Cow::Borrowed("feedback"), Value::Uint(outcome.feedback.len() as u64)));
    }
    record.extra.extend(done.word.extra());
    if !done.faults.is_empty() {
        let faults = done.faults.iter().map(|fault| Cow::Borrowed(fault.as_str())).collect();
        record.extra.push((Cow::Borrowed("faults"), Value::Texts(faults)));
    }
    record.rule = outcome.rule.as_deref().map(Cow::Borrowed);
    record
}
