//! `summary`: what a stretch of work has come to, and what is next, for the user.

use serde::{Deserialize, Serialize};

use super::agent_check::lacks_marker;
use super::surface::news;
use super::written::{first_stop, main_branch, project_tests, result_words};
use super::{CheckContext, Step};
use crate::call::places;
use crate::evidence::{TestResult, TestStatus, age};
use crate::finding::Finding;
use crate::plan_file;
use crate::source::{self, Class};
use crate::template::{counted, on_one_line};

/// Settings of `summary`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Summary {
    /// Seconds for which a test run counts.
    pub fresh_seconds: u32,
}

impl Default for Summary {
    fn default() -> Self {
        Self { fresh_seconds: 1_800 }
    }
}

/// Changed files that are read again for their markers.
const MOST_FILES: usize = 200;

impl Step for Summary {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let facts = ctx.facts;
        if !first_stop(ctx.event) {
            return None;
        }
        let changed = news(facts)?;
        let places = places(ctx.event, facts);
        let sources: Vec<&String> =
            changed.iter().filter(|path| source::classify(path, &places) == Class::Source).collect();
        let marked = sources.iter().rev().take(MOST_FILES).filter(|path| !lacks_marker(facts, path)).count();
        let mut parts = vec![format!(
            "{} changed ({} source, {marked} of them documented)",
            counted(changed.len(), "file"),
            sources.len()
        )];
        let tree = facts.worktree();
        let branch = tree.as_ref().and_then(|tree| tree.branch.as_deref());
        if let Some(tree) = &tree {
            let state = match tree.dirty {
                None => String::new(),
                Some(0) => ", clean".to_owned(),
                Some(dirty) => format!(", {dirty} uncommitted"),
            };
            parts.push(format!("branch {}{state}", branch.map_or_else(|| "detached".to_owned(), on_one_line)));
        }
        let recent = |status: &TestStatus| {
            age(status.epoch, facts.now().epoch).is_some_and(|age| age < i64::from(self.fresh_seconds))
        };
        let status = project_tests(facts).filter(recent);
        let fails = status.as_ref().is_some_and(|status| status.result == TestResult::Fail);
        parts.push(status.as_ref().map_or_else(|| "tests not run".to_owned(), result_words));
        let next = if main_branch(ctx).is_some() {
            let worktrees = tree.as_ref().is_some_and(|tree| tree.worktrees.len() > 1);
            match (facts.file_info(plan_file::FILE).is_some(), worktrees) {
                (false, _) => "write the plan",
                (true, false) => "make a worktree for the work",
                (true, true) => "go on in the worktrees",
            }
        } else if fails {
            "mend the failing tests"
        } else if status.is_none() {
            "run the tests"
        } else if tree.as_ref().is_some_and(|tree| tree.dirty.is_some_and(|dirty| dirty > 0)) {
            "review and commit"
        } else {
            "try it out, then merge"
        };
        Some(Finding { notice: Some(format!("Summary: {}. Next: {next}.", parts.join("; "))), ..Finding::default() })
    }
}
