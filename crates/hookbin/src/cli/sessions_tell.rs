//! `hookbin sessions worker|execution|acknowledge`: what whoever starts workers and missions tells the registry, and what a session
//! says of workers that it was told of.

use clap::Args;
use hook_session_state::registry::{Change, Execution, RegistryEvent, SessionRegistry as _, Worker};
use serde::de::DeserializeOwned;

use super::table::clean;
use super::{Usage, exit};
use hook_runtime::project::registry;
use hook_runtime::project::registry_place;
use hook_runtime::system::System;

/// What is known of a worker; what is not said stays as it is.
#[derive(Args)]
pub(super) struct WorkerArgs {
    /// The worker's id
    id: String,
    /// The conversation that it reports to
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
    /// What kind of task it has
    #[arg(long, value_name = "TEXT")]
    task: Option<String>,
    /// Where it stands; a new worker is pending
    #[arg(long, value_parser = WORKER_STATUS)]
    status: Option<String>,
    /// What it wants attention for; `complete` alone means `result`
    #[arg(long, value_parser = ["result", "clarification", "alert", "followup"])]
    attention: Option<String>,
    /// Its result in short
    #[arg(long, value_name = "TEXT")]
    summary: Option<String>,
    /// Other workers depend on it, so it is not reported by itself
    #[arg(long, value_name = "BOOL")]
    children: Option<bool>,
}

const WORKER_STATUS: [&str; 8] = [
    "pending", "running", "awaiting_clarification", "complete", "failed", "clarification_answered", "snoozed",
    "cancelled",
];

/// What is known of an execution of a mission; what is not said stays as it is.
#[derive(Args)]
pub(super) struct ExecutionArgs {
    /// The execution's id, which a session gets as `MISSION_EXECUTION_ID`
    id: String,
    /// The mission's short name
    #[arg(long, value_name = "SLUG")]
    mission: Option<String>,
    /// Where it stands; a new execution is running
    #[arg(long, value_parser = ["running", "completed", "failed", "timeout", "cancelled"])]
    status: Option<String>,
    /// What came out
    #[arg(long, value_name = "TEXT")]
    summary: Option<String>,
    /// What went wrong
    #[arg(long, value_name = "TEXT")]
    error: Option<String>,
}

/// Workers whose results were looked at.
#[derive(Args)]
pub(super) struct AcknowledgeArgs {
    /// The workers' ids, or the beginnings of them that a wake-up shows
    #[arg(required = true, value_name = "WORKER")]
    workers: Vec<String>,
    /// The conversation; else `CLAUDE_CONVERSATION_ID`, else that of the running session, else `chief`
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
}

/// A word of the tables as the value that it stands for.
fn word<T: DeserializeOwned>(text: Option<&String>) -> anyhow::Result<Option<T>> {
    text.map(|text| serde_json::from_value(serde_json::Value::from(text.as_str()))).transpose().map_err(Into::into)
}

fn redacted(text: Option<&String>) -> Option<String> {
    text.map(|text| hook_audit_log::redact(text).into_owned())
}

/// Leaves the change where the next reader of the registry folds it in. Opens no database, so that nobody waits for one.
fn tell(change: Change, system: &System) -> anyhow::Result<u8> {
    let place = registry_place::place(system)?;
    place.spool().append(&RegistryEvent::new(registry::new_id(), system.now.timestamp_millis(), "", change))?;
    Ok(exit::GOOD)
}

fn id_of(id: &str) -> anyhow::Result<String> {
    let id = id.trim();
    if id.is_empty() {
        return Err(Usage("an id is empty".to_owned()).into());
    }
    Ok(id.to_owned())
}

pub(super) fn worker(args: &WorkerArgs, system: &System) -> anyhow::Result<u8> {
    let done = args.status.as_deref() == Some("complete") && args.attention.is_none();
    let result = "result".to_owned();
    let worker = Worker {
        id: id_of(&args.id)?,
        task_type: redacted(args.task.as_ref()),
        status: word(args.status.as_ref())?,
        attention_kind: word(args.attention.as_ref().or(done.then_some(&result)))?,
        report_summary: redacted(args.summary.as_ref()),
        has_dependent_children: args.children,
        conversation_id: args.conversation.clone(),
        ..Worker::default()
    };
    tell(Change::Worker(Box::new(worker)), system)
}

pub(super) fn execution(args: &ExecutionArgs, system: &System) -> anyhow::Result<u8> {
    let execution = Execution {
        id: id_of(&args.id)?,
        mission_slug: args.mission.clone(),
        status: word(args.status.as_ref())?,
        output_summary: redacted(args.summary.as_ref()),
        error_message: redacted(args.error.as_ref()),
        ..Execution::default()
    };
    tell(Change::Execution(Box::new(execution)), system)
}

pub(super) fn acknowledge(args: &AcknowledgeArgs, system: &System) -> anyhow::Result<u8> {
    let conversation = conversation(args.conversation.as_ref(), system)?;
    let found = registry::ask(system, |registry| registry.finished(&conversation))?;
    let known: Vec<String> = found.fresh.into_iter().chain(found.waiting).map(|worker| worker.id).collect();
    let mut workers = Vec::new();
    for given in &args.workers {
        let exact = known.iter().filter(|id| *id == given);
        let mut named: Vec<&String> = exact.collect();
        if named.is_empty() {
            named = known.iter().filter(|id| id.starts_with(given.as_str())).collect();
        }
        match named.as_slice() {
            [id] => workers.push((*id).clone()),
            [] => {
                let (given, conversation) = (clean(given), clean(&conversation));
                return Err(Usage(format!(
                    "no worker `{given}` of the conversation {conversation} waits to be taken note of"
                ))
                .into());
            }
            several => {
                let ids: Vec<String> = several.iter().map(|id| clean(id)).collect();
                return Err(
                    Usage(format!("`{}` is the beginning of several ids: {}", clean(given), ids.join(", "))).into()
                );
            }
        }
    }
    // One that was never reported is noted as reported first: else the next wake-up would call it new.
    tell(Change::Notified { conversation: conversation.clone(), workers: workers.clone() }, system)?;
    tell(Change::Acknowledged { conversation, workers }, system)
}

/// The conversation that is meant.
fn conversation(given: Option<&String>, system: &System) -> anyhow::Result<String> {
    if let Some(given) = given.cloned().or_else(|| system.text("CLAUDE_CONVERSATION_ID")) {
        return Ok(given);
    }
    let session = system.text("CLAUDE_SESSION_ID").or_else(|| system.text("CLAUDE_CODE_SESSION_ID"));
    let Some(session) = session else { return Ok(hook_policy::registry::DEFAULT_ROLE.to_owned()) };
    let found = registry::ask(system, |registry| registry.show(&session))?;
    let known = match found {
        hook_session_state::registry::Lookup::One(session) => session.conversation_id,
        _ => None,
    };
    Ok(known.unwrap_or_else(|| hook_policy::registry::DEFAULT_ROLE.to_owned()))
}
