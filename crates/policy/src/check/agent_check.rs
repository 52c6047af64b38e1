//! `agent-check`: what an agent of `guardrails` has left undone when it ends.
//!
//! Its findings are kept and given at the next prompt. Nothing is said at the stop itself: text there makes the same agent go on.

use serde::{Deserialize, Serialize};

use super::forward_motion::has_phrase;
use super::prompt::FINDINGS;
use super::subagent::Role;
use super::written::{
    audit, counted_proof, edited, fails_since, first_stop, main_branch, project_tests, session_changes,
};
use super::{CheckContext, Step};
use crate::call::places;
use crate::effect::StatusFileEdit;
use crate::evidence::ProofState;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::plan_file::{self, Plan};
use crate::source::{self, Class};
use hook_shell::texts::marker;

/// Settings of `agent-check`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct AgentCheck {
    /// The agent types that the check is for; `planner`, `implementer` and `guardian` are `guardrails`'s.
    pub agents: Vec<String>,
    /// Seconds for which a failed test run counts.
    pub fresh_seconds: u32,
    /// Seconds within which a completed phase has to be in the plan.
    pub plan_seconds: u32,
}

impl Default for AgentCheck {
    fn default() -> Self {
        let agents = ["planner", "Plan", "implementer", "guardian"];
        Self { agents: agents.map(str::to_owned).to_vec(), fresh_seconds: 1_800, plan_seconds: 300 }
    }
}

const ASKS: &[&str] = &[
    "do you approve", "do you confirm", "do you want me to proceed", "shall i proceed", "shall i continue",
    "shall i write", "shall i merge", "ready to",
];
const PLANNED: &[&str] = &["plan written", "plan is written", "plan ready", "plan is ready", "issues created"];
const BUILT: &[&str] = &["tests pass", "done", "finished", "ready for review"];
const CARRIED_OUT: &[&str] = &["executing", "merged", "committed", "pushed"];
const WANTED: &[&str] =
    &["intent", "vision", "purpose", "problem", "overview", "goal", "what", "why", "background", "summary"];

impl Step for AgentCheck {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        if !first_stop(ctx.event) {
            return None;
        }
        let kind = ctx.event.agent_type()?;
        if !self.agents.iter().any(|agent| *agent == kind) {
            return None;
        }
        let answer = ctx.event.last_assistant_message().unwrap_or_default().to_lowercase();
        let (name, event, issues) = match Role::of(&kind, ctx.facts.host()) {
            Role::Planner => ("planner", "agent_planner", planner(ctx.facts, &answer)),
            Role::Implementer => ("implementer", "agent_implementer", self.implementer(ctx, &answer)),
            Role::Guardian => ("guardian", "agent_guardian", self.guardian(ctx.facts, &answer)),
            Role::Plain | Role::Other => return None,
        };
        if issues.is_empty() {
            return Some(Finding::default().with([audit(ctx.facts, event, "nothing found")]));
        }
        let issues = issues.join(";");
        Some(Finding::default().with([
            edited(StatusFileEdit::Add { file: FINDINGS.to_owned(), line: format!("{name}|{issues}") }),
            audit(ctx.facts, event, &issues),
        ]))
    }
}

impl AgentCheck {
    fn implementer(&self, ctx: &CheckContext<'_>, answer: &str) -> Vec<String> {
        let facts = ctx.facts;
        let mut issues = Vec::new();
        if main_branch(ctx).is_some() {
            issues.push("it worked on the main branch".to_owned());
        }
        let places = places(ctx.event, facts);
        let missing: Vec<String> = session_changes(facts)
            .iter()
            .filter(|path| source::classify(path, &places) == Class::Source && lacks_marker(facts, path))
            .map(|path| crate::template::on_one_line(source::shown(path, &places)))
            .collect();
        if !missing.is_empty() {
            let first: Vec<&str> = missing.iter().take(5).map(String::as_str).collect();
            issues.push(format!("{} changed files lack a decision marker: {}", missing.len(), first.join(", ")));
        }
        issues.extend(asks_only(answer, BUILT));
        issues.extend(self.tests(facts, false));
        match counted_proof(ctx) {
            None => issues.push("the user has not seen the work: proof is missing".to_owned()),
            Some(ProofState::Verified) => {}
            Some(_) => issues.push("proof of work is not confirmed".to_owned()),
        }
        issues
    }

    fn guardian(&self, facts: &dyn Facts, answer: &str) -> Vec<String> {
        let mut issues = Vec::new();
        let plan = facts.file_info(plan_file::FILE);
        match plan {
            None => issues.push(format!("there is no {}", plan_file::FILE)),
            Some(info) => {
                let ends = has_phrase(answer, "phase")
                    && ["complete", "completed", "finished", "done"].iter().any(|word| has_phrase(answer, word));
                if ends && facts.now().epoch - info.modified > i64::from(self.plan_seconds) {
                    issues.push(format!("it speaks of a completed phase, and {} was not changed", plan_file::FILE));
                }
            }
        }
        if facts.worktree().is_some_and(|tree| tree.dirty.is_some_and(|dirty| dirty > 0)) {
            issues.push("the working tree is not clean".to_owned());
        }
        issues.extend(asks_only(answer, CARRIED_OUT));
        let carried = ["merged", "committed"].iter().any(|word| has_phrase(answer, word));
        issues.extend(self.tests(facts, carried));
        issues
    }

    /// What the last test run says.
    fn tests(&self, facts: &dyn Facts, carried_out: bool) -> Option<String> {
        let Some(status) = project_tests(facts) else {
            return Some("no test run is recorded".to_owned());
        };
        if !fails_since(facts, &status, self.fresh_seconds) {
            return None;
        }
        Some(if carried_out { "CRITICAL: it merged or committed while tests fail" } else { "tests fail" }.to_owned())
    }
}

fn planner(facts: &dyn Facts, answer: &str) -> Vec<String> {
    let mut issues = Vec::new();
    if facts.file_info(plan_file::FILE).is_none() {
        issues.push(format!("{} was not written", plan_file::FILE));
    } else if let Some(text) = facts.project_file(plan_file::FILE) {
        let plan = Plan::parse(&text);
        if plan.phases() == 0 {
            issues.push("the plan has no phase".to_owned());
        }
        if !plan.headings.iter().any(|heading| WANTED.iter().any(|word| heading.starts_with(word))) {
            issues.push("no section of the plan says what is wanted and why".to_owned());
        }
        let lower = text.to_lowercase();
        if !["issue", "issues", "task", "tasks", "todo", "work item", "work items"]
            .iter()
            .any(|word| has_phrase(&lower, word))
        {
            issues.push("the plan names no issues or tasks".to_owned());
        }
    }
    issues.extend(asks_only(answer, PLANNED));
    issues
}

/// An agent that ends with a question for approval has done nothing yet, unless it says that it has.
fn asks_only(answer: &str, completed: &[&str]) -> Option<String> {
    let asks = ASKS.iter().any(|phrase| {
        has_phrase(answer, phrase)
            && answer.rfind(phrase).is_some_and(|at| answer.get(at..).is_some_and(|rest| rest.contains('?')))
    });
    let said = completed.iter().any(|phrase| has_phrase(answer, phrase));
    (asks && !said).then(|| "it ended with a question for approval before the work was done".to_owned())
}

/// Whether a file is long enough for a decision marker and has none.
pub(super) fn lacks_marker(facts: &dyn Facts, path: &str) -> bool {
    let Some(text) = facts.written_file(path) else { return false };
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    text.lines().count() >= marker::MARKED_FROM && !marker::comments(&text, extension).decision
}
