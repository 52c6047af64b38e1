//! `hookbin state`: the documents themselves, and whether they are whole.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use chrono::SecondsFormat;
use clap::Subcommand;
use hook_session_state::sane::SECTIONS;
use hook_session_state::{Activity, SessionId, Standing, Store, Time};
use serde::Serialize;

use super::table::{clean, json};
use super::{Json, ProjectArg, Usage, exit, of_named};
use hook_runtime::config::cache;
use hook_runtime::facts::signed;
use hook_runtime::project::Project;
use hook_runtime::system::System;

#[derive(Subcommand)]
pub(super) enum StateCommand {
    /// Print a session's document
    Show {
        /// The session; without one, the one that began last
        session: Option<String>,
        /// Print what is in force of the project's signed state instead
        #[arg(long, conflicts_with = "session")]
        signed: bool,
        #[command(flatten)]
        project: ProjectArg,
    },
    /// Begin a section again: `activity`, any other of the session's or the project's document, or one of the signed state
    Reset {
        /// The section
        section: String,
        /// The session; without one, the one that began last
        session: Option<String>,
        #[command(flatten)]
        project: ProjectArg,
    },
    /// Check every document and the signed state with its key; exit 4 when something is wrong
    Verify {
        /// A file with anchor lines of this project: the signed state must not be older than the last of them, nor another of its number
        #[arg(long, value_name = "FILE")]
        anchor: Option<PathBuf>,
        #[command(flatten)]
        json: Json,
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

pub(super) fn run(command: &StateCommand, system: &System) -> anyhow::Result<u8> {
    match command {
        StateCommand::Show { signed: true, project, .. } => show_signed(project, system),
        StateCommand::Show { session, project, .. } => show(session.as_deref(), project, system),
        StateCommand::Reset { section, session, project } => reset(section, session.as_deref(), project, system),
        StateCommand::Verify { json, anchor, project } => verify(json, anchor.as_deref(), project, system),
    }
}

fn show(session: Option<&str>, project: &ProjectArg, system: &System) -> anyhow::Result<u8> {
    let store = project.find(system)?.store();
    let id = match session {
        Some(session) => SessionId::from_raw(session),
        None => newest(&store)?.context("no session is remembered yet")?,
    };
    let document = store.read_session(&id)?.with_context(|| format!("session {} is not remembered", id.as_str()))?;
    println!("{}", json(&document.to_json()));
    Ok(exit::GOOD)
}

fn show_signed(project: &ProjectArg, system: &System) -> anyhow::Result<u8> {
    let signed = signed::of(&project.find(system)?, system);
    let found = signed.read()?;
    println!("{}", json(&found.state.to_json()?));
    match found.trouble {
        None => Ok(exit::GOOD),
        Some(trouble) => {
            eprintln!("hookbin: {}. What is printed is what is in force.", clean(&trouble.to_string()));
            Ok(exit::FINDINGS)
        }
    }
}

/// A section of the signed state, with what was tampered with put right; `None` if it has no such section. The project's sections are
/// those of all sessions, the others those of the session that acted last.
fn reset_signed(section: &str, project: &Project, system: &System) -> anyhow::Result<Option<u8>> {
    let signed = signed::of(project, system);
    if !signed::is_kept(&cache::resolve_now(None, Some(project), system).profile)
        || !SECTIONS.contains(&section)
        || signed.path().symlink_metadata().is_err() && signed.read()?.trouble.is_none()
    {
        return Ok(None);
    }
    let mut held = signed.lock()?;
    let trouble = held.trouble().map(ToString::to_string);
    held.state_mut().reset(section)?;
    let aside = held.save(&system.now.to_rfc3339_opts(SecondsFormat::Secs, true))?;
    if let Some(trouble) = trouble {
        println!("{trouble}; it is signed again");
    }
    if let Some(aside) = aside {
        println!("kept what was found as {}", aside.display());
    }
    println!("began {section} of the signed state again");
    Ok(Some(exit::GOOD))
}

/// A section of the signed state, of the session's document, or else of the project's. What views show follows with the session's next event.
fn reset(section: &str, session: Option<&str>, project: &ProjectArg, system: &System) -> anyhow::Result<u8> {
    let project = project.find(system)?;
    if session.is_none()
        && let Some(code) = reset_signed(section, &project, system)?
    {
        return Ok(code);
    }
    let store = project.store();
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
                let stamp = Time::from_unix(system.now.timestamp()).stamp();
                document.set_activity(Activity::fresh(&stamp, None));
            } else {
                document.remove_section(section);
            }
            locked.save(&document)?;
            println!("began {section} of session {} again", id.as_str());
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
            println!("began {section} of the project again");
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

fn verify(json: &Json, anchor: Option<&Path>, project: &ProjectArg, system: &System) -> anyhow::Result<u8> {
    let project = project.find(system)?;
    let store = project.store();
    let mut documents: Vec<DocumentJson> = store
        .verify()?
        .into_iter()
        .map(|report| DocumentJson {
            file: report.name.clone(),
            good: !matches!(report.standing, Standing::Damaged { .. }),
            standing: report.standing.to_string(),
        })
        .collect();
    documents.extend(verify_signed(anchor, &project, system)?);
    let good = documents.iter().all(|document| document.good);
    let found = VerifyJson { version: VERSION, good, documents };
    if !json.print(&found)? {
        for document in &found.documents {
            println!("{}: {}", document.file, document.standing);
        }
        println!("{}", if good { "every document is whole" } else { "not every document is whole" });
    }
    Ok(if good { exit::GOOD } else { exit::FINDINGS })
}

/// How the signed state stands; `None` where there is none and none is missing.
fn verify_signed(anchor: Option<&Path>, project: &Project, system: &System) -> anyhow::Result<Option<DocumentJson>> {
    if !signed::is_kept(&cache::resolve_now(None, Some(project), system).profile) {
        return Ok(None);
    }
    let signed = signed::of(project, system);
    let found = signed.read()?;
    let anchored = anchor.map(|path| anchored(path, &project.documents())).transpose()?.unwrap_or_default();
    let last = anchored.iter().map(|anchor| anchor.number).max();
    let (standing, good) = match (&found.trouble, last) {
        (Some(trouble), _) => (trouble.to_string(), false),
        (None, Some(last)) if last > found.counter => (
            format!("rolled back with its key: number {last} is anchored, and this is number {}", found.counter),
            false,
        ),
        (None, Some(_)) if is_replaced(&anchored, signed.anchor()?.as_deref()) => {
            (format!("signed again with its key: another number {} is anchored", found.counter), false)
        }
        (None, _) if found.counter == 0 && signed.path().symlink_metadata().is_err() => return Ok(None),
        (None, _) if signed.key_path().is_none() => {
            ("whole, not signed: there is no home directory for a key".to_owned(), true)
        }
        (None, _) => {
            let moved = found.moved.as_ref().map_or_else(String::new, |moved| format!("; {moved}"));
            (format!("whole, signature number {} fits{moved}", found.counter), true)
        }
    };
    Ok(Some(DocumentJson { file: ".claude/state.json".to_owned(), standing, good }))
}

/// What one line says of a signed state.
struct Anchor {
    number: u64,
    hash: String,
    /// The directory and what else stands behind the hash.
    rest: String,
}

impl Anchor {
    fn parse(line: &str) -> Option<Self> {
        // A logger may have put a time and a name before it.
        let (_, line) = line.split_once("hookbin-anchor 1 ")?;
        let mut parts = line.splitn(3, ' ');
        let number = parts.next()?.parse().ok()?;
        let (hash, rest) = (parts.next()?.to_owned(), parts.next()?.to_owned());
        Some(Self { number, hash, rest })
    }
}

/// The anchor lines of the project whose directory this is.
fn anchored(path: &Path, claude: &Path) -> anyhow::Result<Vec<Anchor>> {
    let text = of_named(path, std::fs::read_to_string(path))?;
    let dir = format!("{} ", claude.display());
    Ok(text.lines().filter_map(Anchor::parse).filter(|anchor| anchor.rest.starts_with(&dir)).collect())
}

/// Whether the state that `now` is the line of stands at an anchored number with other bytes.
fn is_replaced(anchored: &[Anchor], now: Option<&str>) -> bool {
    let now = now.and_then(Anchor::parse);
    now.is_some_and(|now| anchored.iter().any(|anchor| anchor.number == now.number && anchor.hash != now.hash))
}
