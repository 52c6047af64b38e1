//! `hookbin sessions`: which sessions there are, on this machine, and what is told of workers and missions.

use chrono::{DateTime, SecondsFormat};
use clap::Subcommand;
use hook_session_state::registry::{
    Filter, Lookup, Lost, Opened, Place, Session, SessionRegistry as _, SqliteRegistry, age,
};
use serde::Serialize;

use super::sessions_tell::{AcknowledgeArgs, ExecutionArgs, WorkerArgs, acknowledge, execution, worker};
use super::table::{clean, columns};
use super::{Json, Usage, exit, print_json};
use hook_runtime::project::Project;
use hook_runtime::project::registry;
use hook_runtime::project::registry_place;
use hook_runtime::system::System;

#[derive(Subcommand)]
pub(super) enum SessionsCommand {
    /// List the open sessions, the one seen last first
    List {
        /// Ended sessions too
        #[arg(long)]
        all: bool,
        /// Print JSON; times are milliseconds since 1970, UTC
        #[arg(long)]
        json: bool,
    },
    /// Show all that is known of a session
    Show {
        /// The session's id, or the beginning of it
        session: String,
        #[command(flatten)]
        json: Json,
    },
    /// Close sessions whose process is gone or that were silent for long, and forget those that ended long ago
    Prune {
        /// Hours without a sign of life after which a session counts as lost
        #[arg(long, default_value_t = 24, value_name = "HOURS")]
        silent: u32,
        /// Days after its end at which a session is forgotten
        #[arg(long, default_value_t = 30, value_name = "DAYS")]
        forget: u32,
        #[command(flatten)]
        json: Json,
    },
    /// Say where a worker stands; for whoever starts workers
    Worker(WorkerArgs),
    /// Say where an execution of a mission stands; for whoever starts missions
    Execution(ExecutionArgs),
    /// Say that the results of workers were looked at, so that no wake-up names them again
    Acknowledge(AcknowledgeArgs),
}

/// Schema version of the JSON output.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct ListJson {
    version: u32,
    sessions: Vec<Session>,
}

#[derive(Serialize)]
struct ShowJson {
    version: u32,
    session: Session,
}

#[derive(Serialize)]
struct PruneJson {
    version: u32,
    lost: Vec<String>,
    forgotten: u64,
}

pub(super) fn run(command: &SessionsCommand, system: &System) -> anyhow::Result<u8> {
    match command {
        SessionsCommand::List { all, json } => list(*all, *json, system),
        SessionsCommand::Show { session, json } => show(session, json, system),
        SessionsCommand::Prune { silent, forget, json } => prune(*silent, *forget, json, system),
        SessionsCommand::Worker(args) => worker(args, system),
        SessionsCommand::Execution(args) => execution(args, system),
        SessionsCommand::Acknowledge(args) => acknowledge(args, system),
    }
}

/// Opens the registry with everything that was spooled, and asks. What was found on the way is said on stderr.
fn ask<T>(
    system: &System,
    mut question: impl FnMut(&mut SqliteRegistry) -> Result<T, hook_session_state::Error>,
) -> anyhow::Result<(T, Place)> {
    let place = registry_place::place(system)?;
    let now = system.now.timestamp_millis();
    let (mut answer, mut opened) = place.with(now, None, &mut question)?;
    say_damage(&opened);
    if place.wants_recovery() {
        let project = Project::find(None, None, system);
        let recovered = registry_place::recover(&place, &mut opened, project.as_ref(), system)?;
        if recovered > 0 {
            eprintln!("hookbin: {recovered} more sessions were found in the audit logs");
            answer = place.with(now, None, &mut question)?.0;
        }
        place.recovered()?;
    }
    for warning in &opened.folded.applied.warnings {
        eprintln!("hookbin: {}", clean(warning));
    }
    if opened.folded.unreadable > 0 {
        let dir = place.spool().dir().display();
        eprintln!("hookbin: {} lines of the spool in {dir} hold no record of this version", opened.folded.unreadable);
    }
    Ok((answer, place))
}

fn say_damage(opened: &Opened) {
    if let Some(aside) = &opened.damaged {
        eprintln!(
            "hookbin: the registry was damaged. It is quarantined as {}, and rebuilt from {} records of the spool; contacts and \
             missions in it have to be put in again.",
            aside.display(),
            opened.folded.applied.new
        );
    }
}

fn list(all: bool, json: bool, system: &System) -> anyhow::Result<u8> {
    let filter = Filter { ended: all, ..Filter::default() };
    let (sessions, _) = ask(system, |registry| registry.list(&filter))?;
    if json {
        print_json(&ListJson { version: VERSION, sessions })?;
        return Ok(exit::GOOD);
    }
    if sessions.is_empty() {
        println!("no {}session is registered", if all { "" } else { "open " });
        return Ok(exit::GOOD);
    }
    let now = system.now.timestamp_millis();
    let mut rows = vec![["SESSION", "STATE", "ROLE", "MODE", "SEEN", "WHAT"].map(str::to_owned)];
    rows.extend(sessions.iter().map(|session| {
        let state = match &session.end_reason {
            Some(reason) => format!("ended ({reason})"),
            None => session.current_state.clone(),
        };
        let what = [&session.status_text, &session.description, &session.cwd];
        [
            short(&session.session_id),
            state,
            session.role.clone(),
            session.mode.clone(),
            age(now - session.last_seen_at),
            what.into_iter().flatten().next().cloned().unwrap_or_default().chars().take(80).collect(),
        ]
    }));
    print!("{}", columns(&rows));
    Ok(exit::GOOD)
}

/// Enough of an id to tell it from others: the host's own ids by their beginning, a wrapper's whole.
fn short(id: &str) -> String {
    let of_client = id.len() == 36 && id.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    id.chars().take(if of_client { 8 } else { 40 }).collect()
}

fn show(id: &str, json: &Json, system: &System) -> anyhow::Result<u8> {
    let (found, _) = ask(system, |registry| registry.show(id))?;
    let session = match found {
        Lookup::One(session) => *session,
        Lookup::None => {
            return Err(Usage(format!("no session is registered whose id begins with `{}`", clean(id))).into());
        }
        Lookup::Many(ids) => {
            let ids: Vec<String> = ids.iter().map(|id| clean(id)).collect();
            return Err(Usage(format!("`{}` is the beginning of several ids: {}", clean(id), ids.join(", "))).into());
        }
    };
    let found = ShowJson { version: VERSION, session };
    if !json.print(&found)? {
        print!("{}", columns(&lines(&found.session, system)));
    }
    Ok(exit::GOOD)
}

fn lines(session: &Session, system: &System) -> Vec<[String; 2]> {
    let now = system.now.timestamp_millis();
    let time = |at: i64| {
        let shown = DateTime::from_timestamp_millis(at).map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true));
        format!("{} ({})", shown.unwrap_or_else(|| at.to_string()), age(now - at))
    };
    let texts = [
        ("role", Some(session.role.clone())),
        ("mode", Some(session.mode.clone())),
        ("type", Some(session.session_type.clone())),
        ("subtype", session.session_subtype.clone()),
        ("state", Some(session.current_state.clone())),
        ("status", session.status_text.clone()),
        ("description", session.description.clone()),
        ("started", Some(time(session.started_at))),
        ("last seen", Some(time(session.last_seen_at))),
        ("ended", session.ended_at.map(time)),
        ("end reason", session.end_reason.clone()),
        ("context warning", (session.context_warning_level > 0).then(|| format!("{}%", session.context_warning_level))),
        ("conversation", session.conversation_id.clone()),
        ("parent session", session.parent_session_id.clone()),
        ("mission execution", session.mission_execution_id.clone()),
        ("folder", session.cwd.clone()),
        ("transcript", session.transcript_path.clone()),
        ("client's id", session.claude_session_id.clone()),
        ("pane", session.tmux_pane.clone()),
        ("machine", session.host.clone()),
        ("process", session.process.map(|process| process.pid.to_string())),
        ("records", Some(session.event_count.to_string())),
    ];
    let mut lines = vec![["session".to_owned(), session.session_id.clone()]];
    lines.extend(texts.into_iter().filter_map(|(name, text)| Some([name.to_owned(), text?])));
    lines
}

fn prune(silent: u32, forget: u32, json: &Json, system: &System) -> anyhow::Result<u8> {
    let now = system.now.timestamp_millis();
    let machine = registry::machine();
    let silent_since = Some(now - i64::from(silent) * 3_600_000);
    let gone = registry::process_gone(machine.as_deref());
    let (lost, place) = ask(system, |registry| registry.lost(&Lost { silent_since, process_gone: gone }))?;
    for session in &lost {
        registry::close(&place, &session.session_id, now)?;
    }
    let before = now - i64::from(forget) * 86_400_000;
    let (forgotten, _) = ask(system, |registry| registry.forget(before))?;
    let lost: Vec<String> = lost.into_iter().map(|session| session.session_id).collect();
    let done = PruneJson { version: VERSION, lost, forgotten };
    if !json.print(&done)? {
        for id in &done.lost {
            println!("closed {} as lost", clean(id));
        }
        println!("{} closed, {} forgotten", done.lost.len(), done.forgotten);
    }
    Ok(exit::GOOD)
}
