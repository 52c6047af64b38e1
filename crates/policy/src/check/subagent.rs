//! `subagent`: what an agent should know at its start, by its kind.

use hook_protocol::host::Host;
use serde::{Deserialize, Serialize};

use super::session_init::{git_line, research_line};
use super::written::project_tests;
use super::{CheckContext, Step};
use crate::evidence::TestResult;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::plan_file;
use crate::template::on_one_line;

/// Settings of `subagent`. It has none of its own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Subagent {}

/// The agents of `guardrails`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Planner,
    Implementer,
    Guardian,
    /// Looks and runs only.
    Plain,
    Other,
}

impl Role {
    /// The role of an agent type.
    pub(super) fn of(kind: &str, host: &Host) -> Self {
        match kind {
            "planner" | "Plan" => Self::Planner,
            "implementer" => Self::Implementer,
            "guardian" => Self::Guardian,
            _ if host.reading_agents.contains(&kind) => Self::Plain,
            _ => Self::Other,
        }
    }
}

impl Step for Subagent {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let facts = ctx.facts;
        let kind = ctx.event.agent_type()?;
        let mut lines: Vec<String> = git_line(facts).into_iter().collect();
        lines.push(plan_file::status(facts).map_or_else(|| "Plan: not found".to_owned(), |plan| plan.line()));
        match Role::of(&kind, facts.host()) {
            Role::Planner => {
                lines.push(
                    "You are the planner: plan before code. Write down the rationale, the architecture, the issues, and in which \
                     worktree the work happens."
                        .to_owned(),
                );
                lines.push(research_line(facts).unwrap_or_else(|| "Research log: empty".to_owned()));
            }
            Role::Implementer => implementer(facts, &mut lines),
            Role::Guardian => {
                lines.push(
                    "You are the guardian: change the plan at the end of a phase only, verify decision markers, look for secrets in \
                     what is staged, and merge only with the user's explicit approval."
                        .to_owned(),
                );
                if project_tests(facts).is_some_and(|status| status.result == TestResult::Fail) {
                    lines.push("Tests fail: no commit and no merge.".to_owned());
                }
            }
            Role::Plain => {}
            Role::Other => lines.push(format!("Agent type: {}", on_one_line(&kind))),
        }
        Some(Finding::advice(lines.join("\n")))
    }
}

fn implementer(facts: &dyn Facts, lines: &mut Vec<String>) {
    let in_worktree = facts.worktree().is_some_and(|tree| tree.worktrees.len() > 1);
    if !in_worktree {
        lines.push(
            "CRITICAL FIRST ACTION: make a worktree for this work (`git worktree add .worktrees/NAME -b NAME`) and work there."
                .to_owned(),
        );
    }
    lines.push(
        "You are the implementer: tests first, in an isolated worktree, decision markers in files of 50 and more lines, never on the \
         main branch."
            .to_owned(),
    );
    if project_tests(facts).is_some_and(|status| status.result == TestResult::Fail) {
        lines.push("Tests fail at the moment; mend them first.".to_owned());
    }
    lines.extend(research_line(facts));
    lines.push(
        "Before a commit the user has to see the work and confirm it; you cannot confirm it yourself.".to_owned(),
    );
}
