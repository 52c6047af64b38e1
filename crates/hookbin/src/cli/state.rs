//! `hookbin state`: the documents themselves, and whether they are whole.

use anyhow::Context as _;
use clap::Subcommand;
use hook_session_state::{Activity, SessionId, Standing, Store, Time};
use serde::Serialize;

use super::{ProjectArg, Usage, exit};
use crate::host::Host;

#[derive(Subcommand)]
pub(super) enum StateCommand {
    /// Print a session's document
    Show {
        /// The session; without one, the one that acted last
        session: Option<String>,
        #[command(flatten)]
        project: ProjectArg,
    },
    /// Begin a section anew: `activity`, or any other of the session's or the project's document
    Reset {
        /// The section
        section: String,
        /// The session; without one, the one that acted last
        session: Option<String>,
        #[command(flatten)]
        project: ProjectArg,
    },
    /// Check every document; exit 4 when one is damaged
    Verify {
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        project: ProjectArg,
    },
}

/// Schema version of the JSON output.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct VerifyJson {
    version: u32,
    good: bool,
    documents: Vec<DocumentJson>,
}

#[derive(Serialize)]
struct DocumentJson {
    file: String,
    standing: String,
    good: bool,
}

pub(super) fn run(command: &StateCommand, host: &Host) -> anyhow::Result<u8> {
    match command {
        StateCommand::Show { session, project } => show(session.as_deref(), project, host),
        StateCommand::Reset { section, session, project } => reset(section, session.as_deref(), project, host),
        StateCommand::Verify { json, project } => verify(*json, project, host),
    }
}

fn show(session: Option<&str>, project: &ProjectArg, host: &Host) -> anyhow::Result<u8> {
    let store = Store::new(project.find(host)?.state());
    let id = match session {
        Some(session) => SessionId::from_raw(session),
        None => newest(&store)?.context("no session is remembered yet")?,
    };
    let document = store.read_session(&id)?.with_context(|| format!("session {} is not remembered", id.as_str()))?;
    println!("{}", document.to_json());
    Ok(exit::GOOD)
}

/// A section of the session's document, or else of the project's. What views show follows with the session's next event.
fn reset(section: &str, session: Option<&str>, project: &ProjectArg, host: &Host) -> anyhow::Result<u8> {
    let store = Store::new(project.find(host)?.state());
    let id = match session {
        Some(session) => Some(SessionId::from_raw(session)),
        None => newest(&store)?,
    };
    let mut known = Vec::new();
    if let Some(id) = id.filter(|id| store.read_session(id).is_ok_and(|found| found.is_some())) {
        let mut locked = store.lock()?;
        let mut document = locked.session(&id)?.value;
        known.extend(["activity".to_owned()].into_iter().chain(document.section_names().map(str::to_owned)));
        if known.iter().any(|name| name == section) {
            if section == "activity" {
                locked.forget(&id)?;
                let stamp = Time::from_unix(host.now.timestamp()).stamp();
                document.set_activity(Activity::fresh(&stamp, None));
            } else {
                document.remove_section(section);
            }
            locked.save(&document)?;
            println!("began {section} of session {} anew", id.as_str());
            return Ok(exit::GOOD);
        }
    }
    if let Some(found) = store.read_project()? {
        known.extend(found.section_names().map(str::to_owned));
        if found.section_names().any(|name| name == section) {
            let mut locked = store.lock()?;
            let mut document = locked.project()?.value;
            document.remove_section(section);
            locked.save_project(&document)?;
            println!("began {section} of the project anew");
            return Ok(exit::GOOD);
        }
    }
    let known = if known.is_empty() {
        "nothing is remembered yet".to_owned()
    } else {
        format!("there are {}", known.join(", "))
    };
    Err(Usage(format!("there is no section `{section}`; {known}")).into())
}

/// The session that began last.
fn newest(store: &Store) -> anyhow::Result<Option<SessionId>> {
    let mut newest: Option<(Option<String>, SessionId)> = None;
    for id in store.sessions()? {
        let Some(document) = store.read_session(&id)? else { continue };
        let started = document.activity().started.clone();
        if newest.as_ref().is_none_or(|(latest, _)| started >= *latest) {
            newest = Some((started, id));
        }
    }
    Ok(newest.map(|(_, id)| id))
}

fn verify(json: bool, project: &ProjectArg, host: &Host) -> anyhow::Result<u8> {
    let store = Store::new(project.find(host)?.state());
    let documents: Vec<DocumentJson> = store
        .verify()?
        .into_iter()
        .map(|report| DocumentJson {
            file: report.name.clone(),
            good: !matches!(report.standing, Standing::Damaged { .. }),
            standing: report.standing.to_string(),
        })
        .collect();
    let good = documents.iter().all(|document| document.good);
    if json {
        println!("{}", serde_json::to_string_pretty(&VerifyJson { version: VERSION, good, documents })?);
    } else {
        for document in &documents {
            println!("{}: {}", document.file, document.standing);
        }
        println!("{}", if good { "every document is whole" } else { "not every document is whole" });
    }
    Ok(if good { exit::GOOD } else { exit::FINDINGS })
}
