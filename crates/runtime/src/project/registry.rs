//! What this machine's registry of sessions is told and asked, and what a session remembers of it.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hook_audit_log::redact;
use hook_policy::registry::{self, Session, is_plain_name};
use hook_session_state::Error as Fault;
use hook_session_state::registry::{
    BUSY_TIMEOUT, Change, EventId, FinishedWorker, LOST, Lost, Place, Process, ProcessGone, RegistryEvent,
    SessionRegistry, SessionType, Spool, SpoolLimits, SqliteRegistry, Start, State, age,
};

use crate::Error;
use crate::error::Context as _;
use crate::event::run::Run;
use crate::facts::section;
use crate::programs::launch;
use crate::programs::process;
use crate::project::registry_place;
use crate::system::System;

/// The directory in which hooks leave what happened, until a reader folds it in: `registry` in the user's state directory.
pub fn dir(system: &System) -> Option<PathBuf> {
    Some(system.state_dir()?.join("registry"))
}

/// Asks the registry, once everything that was spooled is in it. `Err` says why it cannot be asked.
pub fn ask<T>(system: &System, question: impl FnMut(&mut SqliteRegistry) -> Result<T, Fault>) -> Result<T, Error> {
    let place = registry_place::place(system)?.with_wait(system.lock_timeout().min(BUSY_TIMEOUT));
    let (answer, _) = place.with(system.now.timestamp_millis(), None, question).map_err(Error::new)?;
    Ok(answer)
}

/// What a look at the registry came to when a session starts.
#[derive(Default)]
pub struct Look {
    /// For the user.
    pub notices: Vec<String>,
    /// For the log.
    pub faults: Vec<String>,
}

/// Bytes of the spool that a starting session ingests. A later reader ingests the rest.
const MOST_FOLDED: usize = 1 << 20;

/// The longest wait of a starting session for a registry that another process writes into.
const START_WAIT: Duration = Duration::from_millis(500);

/// Folds in what was spooled, and closes the sessions of this machine whose process is gone. Other events have no time for that.
pub fn look(system: &System) -> Look {
    let mut look = Look::default();
    if let Err(error) = look_into(system, &mut look) {
        look.faults.push(format!("the registry was not read: {error}"));
    }
    look
}

fn look_into(system: &System, look: &mut Look) -> Result<(), Error> {
    let place = registry_place::place(system).inspect_err(|error| look.notices.push(format!("hookbin: {error}")))?;
    let now = system.now.timestamp_millis();
    let wait = system.lock_timeout().min(START_WAIT);
    let machine = machine();
    let ask = || {
        let mut registry = SqliteRegistry::at(place.database(), wait)?;
        let folded = registry.fold(place.spool(), SpoolLimits::default(), now, Some(MOST_FOLDED))?;
        let lost = registry.lost(&Lost { silent_since: None, process_gone: process_gone(machine.as_deref()) })?;
        Ok((folded, lost))
    };
    let (folded, lost) = match ask() {
        Ok(found) => found,
        Err(error) => {
            match &error {
                Fault::RegistryDamaged { .. } => {
                    look.notices.push(format!("hookbin: {error}. That is under way."));
                    look.faults.extend(repair(system).err().map(|error| error.to_string()));
                }
                // It passes by itself.
                Fault::RegistryBusy { .. } => {}
                // Nobody reads what a hook says on stderr, and this stays until somebody does something.
                _ => look.notices.push(format!("hookbin: the registry is not read, and nothing is lost: {error}")),
            }
            return Err(Error::new(error));
        }
    };
    look.notices.extend(folded.applied.warnings.iter().map(|warning| format!("hookbin: {warning}")));
    look.faults.extend(folded.applied.warnings);
    for session in lost {
        close(&place, &session.session_id, now).map_err(Error::new)?;
    }
    Ok(())
}

/// Starts the command that sets a damaged registry aside and rebuilds it, also from the audit logs; nobody waits for it.
fn repair(system: &System) -> Result<(), Error> {
    let cannot = |error| Error::new(format_args!("cannot start the repair of the registry: {error}"));
    let mut command = launch::own(system).map_err(cannot)?;
    command.args(["sessions", "list"]);
    command.current_dir(system.cwd.clone().unwrap_or_else(|| PathBuf::from("/")));
    process::detach(command).map_err(cannot)
}

/// How to know which processes of this machine are gone. Where the system does not show when processes began, none counts as gone.
pub fn process_gone(machine: Option<&str>) -> Option<ProcessGone<'_>> {
    let can_see = process(std::process::id()).is_some();
    machine
        .filter(|_| can_see)
        .map(|machine| ProcessGone { host: machine, is_gone: &|known| process(known.pid) != Some(known) })
}

/// Ends a session as lost. One that gives a sign of life after this moment is open again.
pub fn close(place: &Place, session: &str, now: i64) -> Result<(), Fault> {
    place.spool().append(&RegistryEvent::new(new_id(), now, session, Change::Ended(LOST.to_owned())))
}

/// A name that no other record has: made of the real time and not of one that a test has set.
pub fn new_id() -> EventId {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    EventId::unique(u64::try_from(nanos).unwrap_or(u64::MAX), std::process::id())
}

/// The workers of a conversation that are done.
pub fn workers(system: &System, conversation: &str) -> Result<registry::Workers, Error> {
    let now = system.now.timestamp_millis();
    let found = ask(system, |registry| registry.finished(conversation))?;
    let shown = |worker: FinishedWorker| registry::Worker {
        id: worker.id,
        task: worker.task_type.unwrap_or_default(),
        summary: worker.report_summary.unwrap_or_default(),
        age: age(now.saturating_sub(worker.completed_at)),
    };
    Ok(registry::Workers {
        fresh: found.fresh.into_iter().map(shown).collect(),
        waiting: found.waiting.into_iter().map(shown).collect(),
    })
}

/// What a session remembers, with what the environment says of it now. A text that is not understood is a session that nothing is
/// known of.
pub fn session(section: Option<&str>, system: &System) -> Session {
    let mut session: Session = section::read(section);
    // A resumed session whose environment says nothing keeps what it was started with.
    let main = |subtype: String| if subtype == "main" { registry::DEFAULT_ROLE.to_owned() } else { subtype };
    let role = system.text("CLAUDE_SESSION_ROLE").or_else(|| system.text("CLAUDE_SESSION_SUBTYPE").map(main));
    let mode = system.text("CLAUDE_SESSION_MODE").or_else(|| system.text("CLAUDE_SESSION_TYPE"));
    let odd_mode = mode.as_deref().is_some_and(|mode| !is_plain_name(mode));
    for (given, place) in [(role, &mut session.role), (mode, &mut session.mode)] {
        match given {
            Some(name) if is_plain_name(&name) => *place = Some(name),
            Some(name) => session.odd_names.push(name),
            None => {}
        }
    }
    if odd_mode {
        // What is no name of a mode is one that allows nothing, and not the default.
        session.mode = Some(registry::UNKNOWN_MODE.to_owned());
    }
    if let Some(conversation) = system.text("CLAUDE_CONVERSATION_ID") {
        session.conversation = Some(conversation);
    }
    session
}

/// Appends a change to the spool; one that the registry has no part in is left out. Opens no database.
pub fn tell(run: &Run<'_>, change: &registry::Change, refused: bool) -> Result<(), Error> {
    let Some(change) = record(run, change, refused) else { return Ok(()) };
    let dir = dir(run.system).context(registry_place::NO_DIR)?;
    let event = RegistryEvent::new(new_id(), run.system.now.timestamp_millis(), run.session.as_str(), change);
    Spool::new(dir).append(&event).map_err(|error| Error::new(format_args!("the registry was not told: {error}")))
}

fn record(run: &Run<'_>, change: &registry::Change, refused: bool) -> Option<Change> {
    Some(match change {
        registry::Change::Started { fresh } => Change::Started(Box::new(start(run, *fresh))),
        // A call that does not run, and a stop that does not stop, leave the session in the state that it is in.
        registry::Change::State(_) if refused => Change::Heartbeat,
        registry::Change::State(registry::State::Idle) => Change::State(State::Idle),
        registry::Change::State(registry::State::Active) => Change::State(State::Active),
        registry::Change::State(registry::State::ToolActive) => Change::State(State::ToolActive),
        registry::Change::Status(text) => Change::Status(redact(text).into_owned()),
        registry::Change::StopLevel(level) => Change::Context(u32::from(*level)),
        registry::Change::Pinged(pinged) => Change::Pinged(*pinged),
        registry::Change::Ended { reason } => Change::Ended(reason.clone()),
        registry::Change::Notified { conversation, workers } => {
            Change::Notified { conversation: conversation.clone(), workers: workers.clone() }
        }
        registry::Change::PromptLevel(_) | registry::Change::StatusReminded => return None,
    })
}

/// What the event and the environment say of a session that begins. What they do not say keeps its stored value.
fn start(run: &Run<'_>, fresh: bool) -> Start {
    let system = run.system;
    let common = &run.event.common;
    let said = session(None, system);
    let transcript =
        common.transcript_path.as_ref().map(|path| path.as_str().into_owned()).filter(|path| !path.is_empty());
    let stem =
        transcript.as_deref().and_then(|path| std::path::Path::new(path).file_stem()?.to_str().map(str::to_owned));
    let sent = common.session_id.as_ref().map(|id| id.as_str().into_owned());
    let chief = said.role.as_deref() == Some(registry::DEFAULT_ROLE) || fresh && said.role.is_none();
    let mission = said.mode.as_deref() == Some("mission") || system.var("MISSION_EXECUTION_ID").is_some();
    Start {
        session_type: match system.text("CLAUDE_SESSION_TYPE").as_deref() {
            Some("interactive") => Some(SessionType::Interactive),
            Some("mission") => Some(SessionType::Mission),
            _ => mission.then_some(SessionType::Mission),
        },
        session_subtype: system.text("CLAUDE_SESSION_SUBTYPE"),
        mission_execution_id: system.text("MISSION_EXECUTION_ID"),
        transcript_path: transcript,
        claude_session_id: stem.or(sent),
        cwd: common.cwd.as_ref().map(|cwd| cwd.as_str().into_owned()),
        tmux_pane: system.text("TMUX_PANE"),
        description: system.text("CLAUDE_SESSION_DESCRIPTION").map(|text| redact(&text).into_owned()),
        conversation_id: said.conversation.or_else(|| chief.then(|| registry::DEFAULT_ROLE.to_owned())),
        parent_session_id: system.text("CLAUDE_PARENT_SESSION_ID"),
        host: machine(),
        process: system.text("CLAUDE_PID").and_then(|pid| process(pid.parse().ok()?)),
        role: said.role,
        mode: said.mode,
    }
}

/// The name of this machine.
#[cfg(unix)]
pub fn machine() -> Option<String> {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    Some(name).filter(|name| !name.is_empty())
}

/// The name of this machine.
#[cfg(not(unix))]
pub fn machine() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}

/// The process of this id, if it lives and the system can tell when it began.
pub fn process(pid: u32) -> Option<Process> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The program's name stands in parentheses and may hold anything; the start time is the twentieth field behind it.
    let (_, fields) = stat.rsplit_once(')')?;
    let born = fields.split_ascii_whitespace().nth(19)?.parse().ok()?;
    Some(Process { pid, born })
}
