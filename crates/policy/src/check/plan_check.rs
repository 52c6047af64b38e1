//! `plan-check`: new source files need a plan, and one that the code has not left behind.

use serde::{Deserialize, Serialize};

use super::written::{Written, note_file, session_changes};
use super::{CheckContext, Step};
use crate::facts::Facts;
use crate::finding::Finding;
use crate::plan_file;
use crate::source::{self, Class};

/// Settings of `plan-check`: from where on a plan is stale, for advice and for refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PlanCheck {
    /// A write of fewer lines passes, with a word about it.
    pub small_lines: usize,
    /// After so many changed source files in a session, small writes no longer pass; 0 means never.
    pub small_writes: usize,
    /// Percent of source files that have changed since the plan; `PLAN_CHURN_WARN` outranks it where the user lets it.
    pub churn_warn: u32,
    /// The same for a refusal; `PLAN_CHURN_DENY` outranks it in the same way.
    pub churn_deny: u32,
    /// Decisions that the plan or the code does not know.
    pub drift_warn: u32,
    /// The same for a refusal.
    pub drift_deny: u32,
    /// Commits since the plan, where no audit has counted the drift.
    pub commits_warn: u32,
    /// The same for a refusal.
    pub commits_deny: u32,
}

impl Default for PlanCheck {
    fn default() -> Self {
        Self {
            small_lines: 20,
            small_writes: 5,
            churn_warn: 15,
            churn_deny: 35,
            drift_warn: 2,
            drift_deny: 5,
            commits_warn: 40,
            commits_deny: 100,
        }
    }
}

/// The file with what audits have counted.
pub(super) const DRIFT: &str = ".plan-drift";

/// What `.plan-drift` says: counts of the last audit, and of the last look at the repository's history.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Drift {
    /// When decisions were compared last; 0 means never.
    pub(super) audit_epoch: i64,
    pub(super) unplanned: u32,
    pub(super) unimplemented: u32,
    pub(super) missing: u32,
    pub(super) total: u32,
    pub(super) changed: u32,
    /// For which age of the plan the history was looked at.
    pub(super) plan_epoch: i64,
    pub(super) churn_percent: u32,
    pub(super) commits: u32,
}

impl Drift {
    /// Reads the file. Lines that are not understood count as not there.
    pub(super) fn read(facts: &dyn Facts) -> Self {
        let mut drift = Self::default();
        for line in note_file(facts, DRIFT).unwrap_or_default().lines() {
            let Some((key, value)) = line.trim().split_once('=') else { continue };
            let Ok(value) = value.trim().parse::<i64>() else { continue };
            let count = u32::try_from(value).unwrap_or(0);
            match key.trim() {
                "audit_epoch" => drift.audit_epoch = value,
                "unplanned_count" => drift.unplanned = count,
                "unimplemented_count" => drift.unimplemented = count,
                "missing_decisions" => drift.missing = count,
                "total_decisions" => drift.total = count,
                "source_files_changed" => drift.changed = count,
                "plan_epoch" => drift.plan_epoch = value,
                "churn_percent" => drift.churn_percent = count,
                "commits_since_plan" => drift.commits = count,
                _ => {}
            }
        }
        drift
    }

    /// The file's text.
    pub(super) fn text(&self) -> String {
        format!(
            "audit_epoch={}\nunplanned_count={}\nunimplemented_count={}\nmissing_decisions={}\ntotal_decisions={}\n\
             source_files_changed={}\nplan_epoch={}\nchurn_percent={}\ncommits_since_plan={}\n",
            self.audit_epoch,
            self.unplanned,
            self.unimplemented,
            self.missing,
            self.total,
            self.changed,
            self.plan_epoch,
            self.churn_percent,
            self.commits
        )
    }
}

impl Step for PlanCheck {
    fn looks_at_a_file(&self) -> bool {
        true
    }

    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let written = ctx.written()?;
        if written.class != Class::Source || !written.whole {
            return None;
        }
        let facts = ctx.facts;
        // Without a repository there is nothing that a plan could be measured by.
        written.repository(facts)?;
        let path = written.shown();
        if written.lines() < self.small_lines && self.small_pass(ctx, written) {
            return Some(Finding::advice(format!(
                "{path} has fewer than {} lines, so the plan was not checked.",
                self.small_lines
            )));
        }
        let Some(info) = facts.file_info(plan_file::FILE) else {
            let said = format!(
                "There is no {} in the project, so {path} belongs to no plan. Write it first: `## Original intent` with what is \
                 wanted, and `## Phase 1: NAME` with `**Status:** in-progress`.",
                plan_file::FILE
            );
            return Some(Finding { rule: Some("no-plan".to_owned()), ..Finding::refusal(said) });
        };
        self.staleness(facts, info.modified)
    }
}

impl PlanCheck {
    /// Whether few enough files have changed that a small one does not matter.
    fn small_pass(&self, ctx: &CheckContext<'_>, written: &Written) -> bool {
        let is_source = |path: &String| source::classify(path, &written.places) == Class::Source;
        self.small_writes == 0
            || session_changes(ctx.facts).iter().filter(|path| is_source(path)).count() < self.small_writes
    }

    /// The worst of the signals, with all that add to it.
    fn staleness(&self, facts: &dyn Facts, plan_epoch: i64) -> Option<Finding> {
        let drift = Drift::read(facts);
        // What was counted for an older plan says nothing about this one.
        let current = drift.plan_epoch == plan_epoch;
        let churn = if current { drift.churn_percent } else { 0 };
        let churn_warn = facts.number_of_env("PLAN_CHURN_WARN").unwrap_or(self.churn_warn);
        let churn_deny = facts.number_of_env("PLAN_CHURN_DENY").unwrap_or(self.churn_deny);
        let mut signals = vec![(churn, churn_warn, churn_deny, "% of the source files changed since the plan did")];
        if drift.audit_epoch > 0 {
            let count = drift.unplanned.saturating_add(drift.unimplemented);
            signals.push((
                count,
                self.drift_warn,
                self.drift_deny,
                " decisions stand only in the plan or only in the code",
            ));
        } else if current {
            signals.push((drift.commits, self.commits_warn, self.commits_deny, " commits since the plan changed"));
        }
        let reached: Vec<String> = signals
            .iter()
            .filter(|(value, warn, deny, _)| value >= warn.min(deny))
            .map(|(value, _, _, what)| format!("{value}{what}"))
            .collect();
        if reached.is_empty() {
            return None;
        }
        let refused = signals.iter().any(|(value, _, deny, _)| value >= deny);
        let said = format!(
            "{} is out of date: {}. Bring it up to date: phases, their status, and decisions.",
            plan_file::FILE,
            reached.join("; ")
        );
        let stale = |said| Finding { rule: Some("stale-plan".to_owned()), ..Finding::refusal(said) };
        Some(if refused { stale(said) } else { Finding::advice(said) })
    }
}
