//! `hookbin status`: what is remembered of the session that acted last, and how the project's records stand.

use clap::Args;
use hook_session_state::{Activity, Store};
use serde::Serialize;

use super::table::columns;
use super::{ProjectArg, exit};
use crate::cache;
use crate::host::Host;

#[derive(Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Schema version of the JSON output.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct StatusJson {
    version: u32,
    project: String,
    profiles: Vec<String>,
    fault: Option<String>,
    sessions: Vec<SessionJson>,
    log_records: Option<u64>,
}

#[derive(Serialize)]
struct SessionJson {
    id: String,
    started: Option<String>,
    ended: Option<String>,
    actions: u64,
    files_read: u64,
    files_written: u64,
    last_tool: Option<String>,
    last_result: Option<String>,
}

impl SessionJson {
    fn of(id: &str, activity: &Activity) -> Self {
        Self {
            id: id.to_owned(),
            started: activity.started.clone(),
            ended: activity.ended.clone(),
            actions: activity.action_count,
            files_read: activity.files_read.total(),
            files_written: activity.files_written.total(),
            last_tool: activity.last_tool.clone(),
            last_result: activity.last_result.clone(),
        }
    }
}

pub(super) fn run(args: &StatusArgs, host: &Host) -> anyhow::Result<u8> {
    let project = args.project.find(host)?;
    let force = cache::resolve_now(None, Some(&project), host);
    let store = Store::new(project.state());
    let mut sessions = Vec::new();
    for id in store.sessions()? {
        if let Some(document) = store.read_session(&id)? {
            sessions.push(SessionJson::of(id.as_str(), document.activity()));
        }
    }
    sessions.sort_by(|a, b| b.started.cmp(&a.started));
    let newest = hook_audit_log::tail(&project.log(), 1)
        .ok()
        .and_then(|entries| entries.first().map(hook_audit_log::Entry::seq));
    let status = StatusJson {
        version: VERSION,
        project: project.root().display().to_string(),
        profiles: force.profile.names,
        fault: force.fault,
        sessions,
        log_records: newest,
    };
    if args.json {
        println!("{}", serde_json::to_string_pretty(&status)?);
    } else {
        print!("{}", text(&status));
    }
    Ok(if status.fault.is_some() { exit::FINDINGS } else { exit::GOOD })
}

fn text(status: &StatusJson) -> String {
    let mut out = format!("project  {}\nprofile  {}\n", status.project, status.profiles.join(" + "));
    if let Some(fault) = &status.fault {
        out.push_str(&format!("fault    {fault}\n"));
    }
    out.push_str(&match status.log_records {
        Some(count) => format!("log      {count} records so far\n"),
        None => "log      nothing recorded yet\n".to_owned(),
    });
    if status.sessions.is_empty() {
        out.push_str("\nno session is remembered yet\n");
        return out;
    }
    let head = ["session", "started", "ended", "actions", "read", "written", "last tool"].map(str::to_owned);
    let dash = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let row = |session: &SessionJson| {
        [
            session.id.clone(),
            dash(&session.started),
            dash(&session.ended),
            session.actions.to_string(),
            session.files_read.to_string(),
            session.files_written.to_string(),
            dash(&session.last_tool),
        ]
    };
    out.push('\n');
    out.push_str(&columns(&std::iter::once(head).chain(status.sessions.iter().map(row)).collect::<Vec<_>>()));
    out
}
