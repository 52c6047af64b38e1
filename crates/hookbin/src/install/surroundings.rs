//! The user's note of what counts of the environment, as installations keep it.

use std::path::PathBuf;

use hook_runtime::system::System;
use hook_runtime::system::environment::{Counts, DIRS, NOTE, Note};
use hook_runtime::system::files::{Change, read};

/// How a note begins that an installation made.
const HEAD: &str = "# What counts of the environment for hookbin; written by `hookbin install`. A line `NAME=VALUE` holds whatever the\n\
    # environment says, a line `NAME` lets the environment say it.\n";

/// What has to change in the notes, so that every executable of the user finds the directories that count now.
pub(super) fn changes(system: &System) -> anyhow::Result<Vec<Change>> {
    let wanted = wanted(system);
    let mut changes = Vec::new();
    for path in notes(system).iter().filter(|_| !wanted.is_empty()) {
        let before = read(path)?;
        let after = with_lines(before.as_deref().unwrap_or(HEAD), &wanted);
        changes.push(Change { spot: path.into(), before, after: Some(after) });
    }
    changes.retain(Change::is_needed);
    Ok(changes)
}

/// The notes that installations made and nobody has changed since.
pub(super) fn made(system: &System) -> Vec<PathBuf> {
    let is_made = |path: &PathBuf| {
        let text = read(path).ok().flatten().unwrap_or_default();
        let note = Note::parse(&text);
        let holds_dirs = |name: &&str| !matches!(note.counts(name), Some(Counts::Environment));
        text.starts_with(HEAD)
            && note.unknown.is_empty()
            && note.names().all(|name| DIRS.contains(&name))
            && DIRS.iter().all(holds_dirs)
    };
    notes(system).into_iter().filter(is_made).collect()
}

/// Beside the user's executable, and where executables that lie elsewhere look.
fn notes(system: &System) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = system.data_dir().into_iter().chain(system.usual_data_dir()).collect();
    found.dedup();
    found.into_iter().map(|dir| dir.join(NOTE)).collect()
}

/// The lines for what lies elsewhere than usual. An executable in the usual place finds home by that.
fn wanted(system: &System) -> Vec<(&'static str, PathBuf)> {
    let mut wanted = system.moved_dirs();
    let is_usual = system.data_dir() == system.usual_data_dir();
    wanted.extend(system.home().filter(|_| !is_usual).map(|home| ("HOME", home)));
    wanted
}

/// The text with these lines in the place of what it says of them now.
fn with_lines(text: &str, wanted: &[(&str, PathBuf)]) -> String {
    let names = |line: &&str| {
        let name = line.split('=').next().unwrap_or_default().trim();
        !wanted.iter().any(|(wanted, _)| *wanted == name)
    };
    let mut lines: Vec<String> = text.lines().filter(names).map(str::to_owned).collect();
    lines.extend(wanted.iter().map(|(name, dir)| format!("{name}={}", dir.display())));
    lines.join("\n") + "\n"
}
