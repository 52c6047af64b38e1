//! `hookbin state`: the documents themselves, and whether they are whole.

use anyhow::Context as _;
use clap::Subcommand;
use hook_session_state::{SessionId, Standing, Store};
use serde::Serialize;

use super::{ProjectArg, exit};
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
