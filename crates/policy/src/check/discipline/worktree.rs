//! Removing a worktree: from the main one, never from within.

use super::git::Git;
use crate::repository::Repository;
use hook_shell::edit::{Edit, Text};
use hook_shell::path::{Places, below};
use hook_shell::resolve::quoted;
use hook_shell::resolve::taint::is_literal;

const VALUES: &[&str] = &["-b", "-B", "--reason"];

/// Whether the call removes a worktree, and the line itself does not make sure that it runs in the main one: the host's working
/// directory may be the one that goes, and then every later command fails.
pub(super) fn needs_main(git: &Git<'_>, repository: &Repository) -> bool {
    let options = git.options(VALUES);
    if git.verb != "worktree" || options.operands.first() != Some(&"remove") || options.operands.len() < 2 {
        return false;
    }
    let is_said = git.run.stand.went || git.run.args.first().is_some_and(|arg| arg.starts_with('-'));
    repository.main_top.as_ref().is_some_and(|main| !is_said || git.dir.as_ref() != Some(main))
}

/// The changes that let the call run from the main worktree; `None` if its words are not in the text.
pub(super) fn edits(git: &Git<'_>, repository: &Repository, text: &Text<'_>) -> Option<Vec<Edit>> {
    let main = repository.main_top.as_deref()?;
    let place = text.command_at(git.run.span)?;
    let options = git.options(VALUES);
    let dir = git.dir.as_deref()?;
    let mut edits = Vec::new();
    let mut is_inside = false;
    for path in options.operands.get(1..)? {
        let absolute = Places::absolute(path, Some(dir)).filter(|path| is_literal(path))?;
        is_inside |= dir == absolute || below(dir, &absolute).is_some();
        if !path.starts_with('/') && dir != main {
            // A name alone may also be the end of a worktree's path; from the main worktree it means the same.
            let is_name = !path.contains('/') && !path.starts_with('.');
            if !is_name {
                let word = place.words.iter().find(|word| text.value(word).as_deref() == Some(*path))?;
                edits.push(Edit::replace(word.span, quoted(&absolute)));
            }
        }
    }
    let (start, end) = (place.span.start as usize, place.span.end as usize);
    let go = format!("cd {} && ", double_quoted(main));
    match text.top_level(place.span) {
        // What follows would stand in a directory that is gone, so it moves along.
        Some(is_last) if is_last || is_inside => edits.push(Edit::insert(start, go)),
        _ => {
            edits.push(Edit::insert(start, format!("({go}")));
            edits.push(Edit::insert(end, ")".to_owned()));
        }
    }
    Some(edits)
}

/// The path in double quotes, as `guardrails` writes it.
fn double_quoted(path: &str) -> String {
    let mut out = String::from("\"");
    for c in path.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}
