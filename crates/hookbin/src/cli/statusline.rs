//! `hookbin statusline`: the host's status line, and the second source of how full a session's context is.

use std::time::Duration;

use hook_policy::context::Shown;
use hook_protocol::lenient;
use hook_protocol::status_line::StatusLine;
use hook_session_state::{Error, SessionId, Store};

use super::exit;
use super::table::clean;
use crate::stdin;
use hook_runtime::config::cache;
use hook_runtime::facts;
use hook_runtime::facts::context;
use hook_runtime::facts::section;
use hook_runtime::installation::presence;
use hook_runtime::installation::user;
use hook_runtime::project::Project;
use hook_runtime::project::registry;
use hook_runtime::system::System;

/// The status line waits no longer than this for the state: it comes again in a moment.
const PATIENCE: Duration = Duration::from_millis(100);

/// Seconds after which a figure is kept again although it is the same.
const KEEP_SECONDS: i64 = 30;

pub(super) fn run(system: &System) -> u8 {
    let bytes = if stdin::is_terminal() { Vec::new() } else { stdin::read() };
    let text = lenient::decode(&bytes);
    match StatusLine::parse(&text) {
        Ok(line) => println!("{}", clean(&shown(&line, system))),
        // The host shows whatever is printed, so there is always a line, and why there is no more goes beside it.
        Err(error) => {
            println!("hookbin");
            eprintln!("hookbin statusline: stdin holds no status of Claude Code: {}", clean(&error.to_string()));
        }
    }
    exit::GOOD
}

/// Keeps the figure, and makes the line: model, context, role and mode as far as they are known.
fn shown(line: &StatusLine<'_>, system: &System) -> String {
    let mut parts = Vec::new();
    let model = line.model.as_ref();
    let name = model.and_then(|model| model.display_name.as_ref().or(model.id.as_ref()));
    parts.extend(name.map(|name| clean(&name.as_str()).chars().take(60).collect::<String>()));
    let percent = line.used_percent();
    parts.push(percent.map_or_else(|| "context ?".to_owned(), |percent| format!("context {percent}%")));
    let dir = line.dir().map(|dir| std::path::PathBuf::from(&*dir.as_str()));
    let project = Project::find(None, dir.as_deref(), system).map(|project| user::where_recorded(project, system));
    let force = project.as_ref().map(|project| cache::resolve_now(None, Some(project), system));
    let fault = force.as_ref().and_then(|force| force.fault.as_deref());
    let presence = presence::look(project.as_ref(), None, fault, system);
    // First, because the host cuts a long line off at its end.
    if !presence.is_guarded() {
        parts.insert(0, presence.head());
    }
    // Nothing is made where nothing was recorded yet.
    let recorded = project.filter(|project| project.state().is_dir() && !project.is_elsewhere());
    if let Some((project, force)) = recorded.zip(force) {
        let ids = force.profile.settings.session_ids;
        let sent = line.session_id.as_ref().map(|id| id.as_str());
        let session =
            SessionId::resolve(&facts::id_order(&ids, system.host), sent.as_deref(), |name| system.text(name));
        let store = project.store().with_lock_wait(PATIENCE);
        match keep(&store, &session, percent, system) {
            Ok(registered) => parts.extend(registered),
            Err(error) => eprintln!("hookbin statusline: {}", clean(&error.to_string())),
        }
    }
    parts.join(" | ")
}

/// Keeps the figure in the session's document, if there is one. Returns role and mode of a session that is registered.
fn keep(store: &Store, session: &SessionId, percent: Option<u8>, system: &System) -> Result<Option<String>, Error> {
    let Some(document) = store.read_session(session)? else { return Ok(None) };
    let registered = document.section_raw(section::REGISTRY).map(|section| {
        let session = registry::session(Some(section), system);
        format!("{}/{}", session.role(), session.mode())
    });
    let now = system.now.timestamp();
    let is_old = |kept: Shown| !(0..KEEP_SECONDS).contains(&now.saturating_sub(kept.at));
    let kept = context::shown(document.section_raw(context::SECTION));
    let changes = match (kept, percent) {
        (None, None) => false,
        (Some(kept), Some(percent)) => kept.percent != percent || is_old(kept),
        _ => true,
    };
    if changes {
        let mut locked = store.lock()?;
        let mut document = locked.session(session)?.value;
        match percent {
            Some(percent) => document.set_section_raw(context::SECTION, &context::text(Shown { percent, at: now }))?,
            // The host knows nothing yet, or nothing any more: the context was emptied.
            None => document.remove_section(context::SECTION),
        }
        locked.save(&document)?;
    }
    Ok(registered)
}
