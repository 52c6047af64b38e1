//! `guard`: refuses or asks about what a call does, by the rules.

use std::collections::BTreeMap;

use hook_protocol::tool::ToolUse;
use serde::{Deserialize, Serialize};

use super::sensitive::{Said, Sensitive};
use super::{CheckContext, Step};
use crate::evidence::ProofStatus;
use crate::finding::Finding;
use crate::profile::nearest;
use crate::rule::{self, Family, Severity, Violation};
use crate::verdict::Verdict;
use hook_shell::resolve::Kind;

/// Settings of `guard`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Guard {
    /// The families that are looked at; none named means all.
    pub families: Vec<Family>,
    /// Other strictness for a rule or a whole family, by its name.
    pub severity: BTreeMap<String, Strictness>,
    /// Names of directories whose content is built. The rule `delete-tree` spares them where the project's `.gitignore` names them.
    pub built: Vec<String>,
    /// Further files that are kept closed, and the project's own list of them.
    pub files: Sensitive,
}

/// Rules about directories that hold files of the guard among others, which no word of the user lifts either.
const AROUND: &[&str] = &[
    "delete-system", "delete-root", "delete-home", "delete-home-settings", "delete-project", "delete-unknown-top",
    "disk", "git-clean",
];

/// How strict a rule or family is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Strictness {
    /// The call is refused.
    Deny,
    /// The user is asked.
    Ask,
    /// The rule is off.
    Off,
}

impl Step for Guard {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        if ctx.is_over() {
            return None;
        }
        let spared = ctx.settings.agent_proof && only_proof(ctx);
        let (allowed, closed) = match self.files.ask(ctx) {
            Said::Nothing => (false, None),
            Said::Allowed => (true, None),
            Said::Closed(finding) => (false, Some(*finding).filter(|_| !ctx.firm.get())),
        };
        let strictness = |rule: &rule::Rule, severity| {
            let lifted = ctx.firm.get() && rule.family != Family::SelfProtection && !AROUND.contains(&rule.id);
            let passed = lifted
                || spared && rule.family == Family::SelfProtection
                || allowed && rule.family == Family::Secrets
                || rule.id == rule::DELETE_TREE && self.rebuilds(ctx);
            if passed { None } else { self.strictness(rule, severity) }
        };
        match rule::strictest(ctx.violations(), strictness) {
            Some(violations) if closed.is_none() || violations.severity == Severity::Deny => {
                Some(finding(&violations, ctx))
            }
            _ => closed,
        }
    }

    fn fault(&self) -> Option<String> {
        self.severity.keys().find_map(|name| {
            let rule = rule::by_id(name);
            if name == Family::SelfProtection.as_str() || rule.is_some_and(|rule| rule.family == Family::SelfProtection)
            {
                return Some("the guard's own protection cannot be changed".to_owned());
            }
            if rule.is_some() || Family::parse(name).is_some() {
                return None;
            }
            let known = rule::all().map(|rule| rule.id).chain(Family::ALL.iter().map(|family| family.as_str()));
            let near =
                nearest(name, known).map(|near| format!("; the nearest valid one is `{near}`")).unwrap_or_default();
            Some(format!("`severity` names `{name}`, which is no rule and no family{near}"))
        })
    }

    fn guards(&self) -> bool {
        true
    }

    fn looks_at(&self, family: &str) -> bool {
        let named = self.families.is_empty() || self.families.iter().any(|one| one.as_str() == family);
        named && self.severity.get(family) != Some(&Strictness::Off)
    }
}

impl Guard {
    /// Whether all the directories that a call removes are built, and git ignores them by their names.
    fn rebuilds(&self, ctx: &CheckContext<'_>) -> bool {
        let removed = || ctx.report().actions.iter().filter(|action| action.kind == Kind::DeleteTree);
        if self.built.is_empty() || removed().next().is_none() {
            return false;
        }
        let project = crate::call::places(ctx.event, ctx.facts).project;
        let ignored = ctx.facts.project_file(".gitignore").unwrap_or_default();
        removed().all(|action| {
            let Some(inside) = hook_shell::path::below(&action.target, &project) else { return false };
            let inside = inside.trim_matches('/');
            let name = inside.rsplit('/').next().unwrap_or(inside);
            let plain = |line: &str| line.trim().trim_start_matches("**/").trim_end_matches('/').to_owned();
            let names = |line: &str| plain(line) == name || plain(line).strip_prefix('/') == Some(inside);
            let kept = ignored.lines().any(|line| line.starts_with('!') && line.contains(name));
            !action.remote && self.built.iter().any(|built| built == name) && ignored.lines().any(names) && !kept
        })
    }

    /// How strict the rule is here; `None` if it is not looked at.
    fn strictness(&self, rule: &rule::Rule, severity: Severity) -> Option<Severity> {
        if !self.families.is_empty() && !self.families.contains(&rule.family) {
            return None;
        }
        match self.severity.get(rule.id).or_else(|| self.severity.get(rule.family.as_str())) {
            None => (!rule.off).then_some(severity),
            Some(Strictness::Off) => None,
            // A rule is never stricter on what may not happen at all than on what does.
            Some(Strictness::Ask) => Some(Severity::Ask),
            Some(Strictness::Deny) => Some(if severity < rule.severity { severity } else { Severity::Deny }),
        }
    }
}

/// Whether all that a call does to the guard's own files is to write the proof of work.
fn only_proof(ctx: &CheckContext<'_>) -> bool {
    let end = format!("/{}", ProofStatus::PATH);
    let mut own = ctx.report().actions.iter().filter(|action| action.kind == Kind::Guard).peekable();
    // The target of a command against the guard is its text, which may end in any path; only that of a file has a place.
    own.peek().is_some() && own.all(|action| action.place.is_some() && action.target.ends_with(&end))
}

fn finding(violations: &Violation, ctx: &CheckContext<'_>) -> Finding {
    let tool = ctx.event.tool();
    let command = tool.as_ref().and_then(ToolUse::command).unwrap_or_default();
    let verdict = match violations.severity {
        Severity::Deny => Verdict::Deny,
        Severity::Ask => Verdict::Ask,
    };
    Finding {
        verdict: Some(verdict),
        rule: Some(violations.rule.id.to_owned()),
        reason: Some(violations.to_string()),
        suggestion: violations.suggestion(&command, ctx.event, ctx.facts),
        ..Finding::default()
    }
}
