//! `session-init`: what a session should know at its start, and what it must not believe from the one before.

use hook_protocol::host::OWN_DIR;
use serde::{Deserialize, Serialize};

use super::compact::kept_file;
use super::plan_check::{DRIFT, Drift};
use super::prompt::{FINDINGS, counted_file, findings};
use super::written::{changes_file, edited, main_branch, note_file, project_repository, project_tests, result_words};
use super::{CheckContext, Step};
use crate::effect::{Effect, StatusFileEdit};
use crate::evidence::{Kept, StatusFile, TestResult, TestStatus, find};
use crate::facts::Facts;
use crate::finding::Finding;
use crate::plan_file;
use crate::template::{counted, on_one_line, session_source};

/// Settings of `session-init`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SessionInit {
    /// Percent of source files changed since the plan at which the plan is called stale.
    pub churn_warn: u32,
    /// Start sources at which the last test status is dropped, so that an old pass never counts; one of the same files stays.
    pub forget_tests_on: Vec<String>,
}

impl Default for SessionInit {
    fn default() -> Self {
        Self { churn_warn: 10, forget_tests_on: ["startup", "resume", "clear", "fork"].map(str::to_owned).to_vec() }
    }
}

/// The file that tests write.
const TESTS: &str = ".test-status";

impl Step for SessionInit {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let facts = ctx.facts;
        let source = session_source(ctx.event);
        let mut lines = Vec::new();
        let mut effects: Vec<Effect> = Vec::new();
        lines.extend(git_line(facts));
        lines.extend(on_main(ctx));
        lines.extend(worktrees_line(facts));
        let plan = plan_file::status(facts);
        lines.push(plan.as_ref().map_or_else(|| format!("Plan: no {}", plan_file::FILE), plan_file::Status::line));
        if let Some(plan) = &plan
            && let Some(churn) = facts.churn_since(plan.modified)
        {
            if churn.percent >= self.churn_warn {
                lines.push(format!(
                    "The plan is stale: {} % of the source files changed in {} since.",
                    churn.percent,
                    counted(churn.commits, "commit")
                ));
            }
            // Writes are judged by what was counted here; none of them starts a program.
            let drift = Drift {
                plan_epoch: plan.modified,
                churn_percent: churn.percent,
                commits: churn.commits,
                ..Drift::read(facts)
            };
            effects.push(edited(StatusFileEdit::Put { file: DRIFT.to_owned(), text: drift.text() }));
        }
        lines.extend(research_line(facts));
        if let Some(status) = project_tests(facts).filter(|status| status.result == TestResult::Fail) {
            lines.push(format!("At the end of the last run {}.", result_words(&status)));
        }
        if self.forget_tests_on.iter().any(|forget| *forget == source) && !is_kept(facts) {
            effects.push(edited(StatusFileEdit::Remove { file: TESTS.to_owned() }));
        }
        effects.push(edited(StatusFileEdit::Remove { file: counted_file(facts) }));
        effects.extend(forgotten(facts));
        if let Some(found) = findings(facts) {
            lines.push(found);
            effects.push(edited(StatusFileEdit::Remove { file: FINDINGS.to_owned() }));
        }
        // What a compaction left out comes back here.
        if source == "compact"
            && let Some(kept) = note_file(facts, &kept_file(facts))
        {
            lines.push(kept.trim_end().to_owned());
            effects.push(edited(StatusFileEdit::Remove { file: kept_file(facts) }));
        }
        Some(Finding::advice(lines.join("\n")).with(effects))
    }
}

/// Seconds for which the list of an ended session's changes waits for the session to be resumed.
const RESUMABLE: i64 = 7 * 86_400;

/// Takes away the lists of changes of sessions that nobody resumed.
fn forgotten(facts: &dyn Facts) -> Vec<Effect> {
    let own = changes_file(facts);
    let old = |file: &String| {
        let before = || {
            facts.now().epoch
                - facts.file_info(&format!("{OWN_DIR}/{file}")).map_or(facts.now().epoch, |info| info.modified)
        };
        file.starts_with(".session-changes-") && *file != own && before() > RESUMABLE
    };
    let names = facts.project_dir_names(OWN_DIR).unwrap_or_default();
    names.into_iter().filter(old).map(|file| edited(StatusFileEdit::Remove { file })).collect()
}

/// Whether the last test status is of hookbin's own record, and the files are still those that were tested.
fn is_kept(facts: &dyn Facts) -> bool {
    let Some(project) = facts.project() else { return false };
    let (path, found) = find(facts, &project, project_repository(facts).as_ref(), TestStatus::PATH);
    matches!(found, StatusFile::Text(text) if facts.kept(&path, &text) == Kept::Here)
}

/// A word about a main branch that is checked out.
fn on_main(ctx: &CheckContext<'_>) -> Option<String> {
    // The first commit is made there, and no worktree can be made before it.
    project_repository(ctx.facts).filter(|repository| repository.has_commits)?;
    let branch = on_one_line(&main_branch(ctx)?);
    Some(format!("The branch {branch} is checked out: source files are not written there. Make a worktree first."))
}

/// Branch, changes and worktrees in one line.
pub(super) fn git_line(facts: &dyn Facts) -> Option<String> {
    let tree = facts.worktree()?;
    let branch = tree.branch.as_deref().map_or_else(|| "no branch (detached)".to_owned(), on_one_line);
    let dirty = tree.dirty.map(|dirty| format!(" {},", counted(dirty, "uncommitted file")));
    let worktrees = counted(tree.worktrees.len().max(1), "worktree");
    Some(format!("Git: {branch},{} {worktrees}", dirty.unwrap_or_default()))
}

/// The worktrees beside the main one.
fn worktrees_line(facts: &dyn Facts) -> Option<String> {
    let tree = facts.worktree()?;
    let others: Vec<String> = tree.worktrees.iter().skip(1).take(5).map(|path| on_one_line(path)).collect();
    (!others.is_empty()).then(|| format!("Worktrees: {}. Work on a branch goes on in its worktree.", others.join(", ")))
}

/// The last topics of the research log.
pub(super) fn research_line(facts: &dyn Facts) -> Option<String> {
    let text = note_file(facts, "research-log.md")?;
    let topics: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix("### [")).map(|rest| on_one_line(rest.trim_end())).collect();
    let last: Vec<&str> = topics.iter().rev().take(3).rev().map(String::as_str).collect();
    (!topics.is_empty()).then(|| format!("Research log: {} entries, last: [{}", topics.len(), last.join("; [")))
}
