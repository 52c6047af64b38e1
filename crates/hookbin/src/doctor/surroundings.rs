//! What of the environment differs from what counts, so that nobody wonders why a variable does nothing.

use std::path::Path;

use super::{Finding, Report};
use hook_runtime::system::System;
use hook_runtime::system::environment::{NOTE, Note};

/// Names variables that are set and do not count, and lines of the user's note that say nothing.
pub(super) fn look(system: &System, report: &mut Report) {
    let dirs = system.data_dir().into_iter().chain(system.usual_data_dir());
    let note = dirs.map(|dir| dir.join(NOTE)).find(|note| note.exists());
    let about = note.clone().or_else(|| Some(system.usual_data_dir()?.join(NOTE))).unwrap_or_default();
    for (name, named, counts) in system.ignored_dirs() {
        let counts = counts.map_or_else(|| "no directory".to_owned(), |counts| counts.display().to_string());
        let said = format!("{name}={} does not count here, {counts} does", named.display());
        report.add(
            Finding::note("environment", &about, said)
                .fixed_by("if it is yours, `hookbin install` at your terminal asks"),
        );
    }
    for name in system.ignored_switches() {
        let said = format!("{name} is set and does not count");
        report.add(Finding::note("environment", &about, said).fixed_by(format!("a line `{name}` there lets it count")));
    }
    if let Some(path) = note {
        look_at(&path, report);
    }
}

fn look_at(path: &Path, report: &mut Report) {
    match Note::read(path) {
        None => report.add(
            Finding::fault("environment", path, "others than you may write it or it is no text, so none of it counts")
                .by_mode(path, 0o600),
        ),
        Some(note) => note.unknown.iter().for_each(|line| {
            report.add(Finding::note("environment", path, format!("the line `{line}` names nothing that could count")));
        }),
    }
}
