//! What is odd about other people's entries, among it the mistakes that documents about hooks make.

use std::path::{Path, PathBuf};

use hook_protocol::settings::edit::{FoundEntry, find, runs_hookbin, started_file};
use hook_protocol::settings::script_mistakes;

use super::{Finding, Report};

/// Largest script that is looked into, in bytes.
const MAX_SCRIPT_BYTES: u64 = 256 << 10;

/// Looks at every entry of a settings text.
pub(super) fn look(path: &Path, text: &str, root: Option<&Path>, report: &mut Report) {
    let all = find(text, &|_| true).unwrap_or_default();
    let own = find(text, &runs_hookbin).unwrap_or_default();
    let mut foreign_guards = 0;
    for entry in all.iter().filter(|entry| !own.contains(entry)) {
        let note = |id, message: String| Finding::note(id, path, message).at_line(entry.line);
        foreign_guards += usize::from(entry.event == "PreToolUse" && !own.is_empty());
        if entry.matcher.as_deref().is_some_and(|matcher| matcher.split(['|', ',']).any(|name| name.trim() == "Task")) {
            let message = "the tool `Task` is called `Agent` now: the matcher still works, a script that compares the name does not";
            report.add(note("lint", message.to_owned()));
        }
        for mistake in script_mistakes(&entry.event, entry.command.as_deref().unwrap_or_default()) {
            report.add(note("lint", mistake.to_string()));
        }
        let Some(program) = program(entry, root) else { continue };
        if !program.exists() {
            let message =
                format!("{} is not there, so this hook does nothing and Claude Code goes on", program.display());
            report.add(note("dead-hook", message).fixed_by("put the file there, or remove the entry"));
            continue;
        }
        for mistake in script_mistakes(&entry.event, &script(&program).unwrap_or_default()) {
            report.add(note("lint", format!("{}: {mistake}", program.display())));
        }
    }
    if foreign_guards > 0 {
        let message = format!(
            "{foreign_guards} other hooks run on PreToolUse; where two rewrite one call, the last to finish wins, so let only one rewrite"
        );
        report.add(Finding::note("other-hooks", path, message));
    }
}

/// The file that an entry starts, where that can be told for certain.
fn program(entry: &FoundEntry, root: Option<&Path>) -> Option<PathBuf> {
    let mut path = started_file(entry.command.as_deref()?, entry.args.as_deref())?;
    for variable in ["${CLAUDE_PROJECT_DIR}", "$CLAUDE_PROJECT_DIR"] {
        if path.contains(variable) {
            path = path.replace(variable, &root?.to_string_lossy());
        }
    }
    // A bare name is looked up in PATH, and what else a shell expands is not known here.
    if !path.contains('/') || path.contains(['$', '~', '*', '?', '`']) {
        return None;
    }
    if path.starts_with('/') { Some(path.into()) } else { root.map(|root| root.join(path)) }
}

/// The text of a script of bounded size.
fn script(path: &Path) -> Option<String> {
    let small = std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_SCRIPT_BYTES);
    small.then(|| std::fs::read_to_string(path).ok()).flatten()
}
