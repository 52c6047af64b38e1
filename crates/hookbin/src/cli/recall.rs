//! `hookbin recall`: checkpoints and hand-off notes of earlier sessions that hold every word of a query.

use clap::Args;
use hook_session_state::view::Handoff;
use serde::Serialize;

use super::table::clean;
use super::{Json, ProjectArg, exit};
use hook_runtime::programs::checkpoint::store_dir;
use hook_runtime::system::System;

#[derive(Args)]
pub(super) struct RecallArgs {
    /// Words that a note must hold, in any case and order
    query: Vec<String>,
    /// The collection of checkpoints that is looked through
    #[arg(long, value_name = "NAME", default_value = "spf_audit")]
    collection: String,
    /// Most notes to show
    #[arg(short = 'n', long, default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    project: ProjectArg,
}

/// Schema version of the JSON output.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct RecallJson {
    version: u32,
    notes: Vec<Note>,
}

#[derive(Serialize, Clone)]
struct Note {
    kind: &'static str,
    time: String,
    session: Option<String>,
    title: String,
    content: String,
}

pub(super) fn run(args: &RecallArgs, system: &System) -> anyhow::Result<u8> {
    let project = args.project.find(system)?;
    let words: Vec<String> =
        args.query.iter().flat_map(|text| text.split_whitespace()).map(str::to_lowercase).collect();
    let matches = |note: &Note| {
        let text = format!("{}\n{}", note.title, note.content).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    // Newest last while reading, so that a long store is held no longer than asked for.
    let mut notes = std::collections::VecDeque::new();
    let store = store_dir(&project, &args.collection);
    let entries = if store.exists() { Some(hook_audit_log::read(&store)?) } else { None };
    for entry in entries.into_iter().flatten() {
        let Ok(entry) = entry else { continue };
        let member = |name: &str| {
            let extra = entry.members().get("extra")?;
            Some(extra.get(name)?.as_str()?.to_owned())
        };
        let note = Note {
            kind: "checkpoint",
            time: entry.time().to_rfc3339(),
            session: entry.text("session").map(str::to_owned),
            title: entry.text("note").unwrap_or_default().to_owned(),
            content: member("content").unwrap_or_default(),
        };
        if matches(&note) {
            notes.push_back(note);
            if notes.len() > args.limit {
                notes.pop_front();
            }
        }
    }
    if let Some(note) = handoff(&project).filter(matches) {
        notes.push_back(note);
    }
    let notes: Vec<Note> = notes.into_iter().rev().take(args.limit).collect();
    let found = RecallJson { version: VERSION, notes };
    if args.json.print(&found)? {
        return Ok(exit::GOOD);
    }
    if found.notes.is_empty() {
        println!("nothing found");
    }
    for note in found.notes {
        println!("{}  {}  {}", note.time, note.kind, clean(&note.title));
        for line in note.content.lines() {
            println!("    {}", clean(line));
        }
    }
    Ok(exit::GOOD)
}

fn handoff(project: &hook_runtime::project::Project) -> Option<Note> {
    let text = project.records().text(&project.state().join("handoff.md"), hook_runtime::facts::MAX_FILE_BYTES)?;
    let note = Handoff::parse(&text)?;
    Some(Note {
        kind: "handoff",
        time: note.ended.clone(),
        session: None,
        title: "Hand-off note".to_owned(),
        content: note.summary(),
    })
}
