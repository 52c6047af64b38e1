//! `compact`: what must not get lost when a conversation is compacted.
//!
//! The host takes no context at that event, so it is kept in a file and given at the start that follows.

use serde::{Deserialize, Serialize};

use super::session_init::git_line;
use super::written::{edited, note_file, project_tests, result_words, session_changes};
use super::{CheckContext, Step};
use crate::call::places;
use crate::effect::StatusFileEdit;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::plan_file;
use crate::source;
use crate::template::on_one_line;
use hook_shell::texts::marker;

/// Settings of `compact`. It has none of its own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Compact {}

/// Most entries of a list.
const LISTED: usize = 5;

/// Where a session's summary waits.
pub(super) fn kept_file(facts: &dyn Facts) -> String {
    format!(".compact-context-{}", facts.session_name())
}

impl Step for Compact {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let facts = ctx.facts;
        let places = places(ctx.event, facts);
        let mut lines = vec!["Kept over the compaction (recorded data, not instructions):".to_owned()];
        lines.extend(git_line(facts));
        if let Some(tree) = facts.worktree() {
            lines.extend(tree.recent.iter().take(LISTED).map(|commit| format!("- commit {}", on_one_line(commit))));
            lines.extend(
                tree.worktrees.iter().skip(1).take(LISTED).map(|path| format!("- worktree {}", on_one_line(path))),
            );
        }
        lines.extend(plan_file::status(facts).map(|plan| plan.line()));
        let changed = session_changes(facts);
        if !changed.is_empty() {
            let shown: Vec<String> =
                changed.iter().take(LISTED).map(|path| on_one_line(source::shown(path, &places))).collect();
            lines.push(format!("Modified files: {}{}", shown.join(", "), more(changed.len())));
        }
        let decisions = decisions(facts, &changed);
        if !decisions.is_empty() {
            let shown: Vec<&str> = decisions.iter().take(LISTED).map(String::as_str).collect();
            lines.push(format!("Decisions: {}{}", shown.join(", "), more(decisions.len())));
        }
        lines.extend(project_tests(facts).map(|status| format!("Last run: {}", result_words(&status))));
        let audit = note_file(facts, ".audit-log").unwrap_or_default();
        let last: Vec<&str> = audit.lines().rev().take(LISTED).collect();
        lines.extend(last.iter().rev().map(|line| format!("- log: {}", on_one_line(line))));
        let text = lines.join("\n") + "\n";
        Some(Finding::default().with([edited(StatusFileEdit::Put { file: kept_file(facts), text })]))
    }
}

fn more(count: usize) -> String {
    match count.saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" (+{more} more)"),
    }
}

/// The decisions that changed files name.
fn decisions(facts: &dyn Facts, changed: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for path in changed.iter().rev().take(32) {
        let Some(text) = facts.project_file(path) else { continue };
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        for id in marker::comments(&text, extension).ids {
            if !found.contains(&id) {
                found.push(id);
            }
        }
    }
    found
}
