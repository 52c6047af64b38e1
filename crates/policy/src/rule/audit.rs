//! Looks at a team's rules in force: which never decide because something stricter does, and whose suggestion is refused.

use hook_protocol::event::{Event, PreToolUse};

use super::proof::{Nowhere, example_event};
use super::user::{Then, UserRule};
use crate::check::Check;
use crate::decide::decide;
use crate::profile::{Plan, Profile};
use crate::verdict::Verdict;

/// What was found about one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audited {
    /// The rule.
    pub id: String,
    /// Its line in the file.
    pub line: usize,
    /// Examples that fire, and that are spared.
    pub examples: (usize, usize),
    /// What is wrong, in words.
    pub findings: Vec<String>,
}

/// Looks at `rules`, which `profile` was resolved with. Every example has been proven already; conditions over the session are taken
/// as met.
pub fn audit(profile: &Profile, rules: &[UserRule]) -> Vec<Audited> {
    rules.iter().map(|rule| audit_one(profile, rule)).collect()
}

fn audit_one(profile: &Profile, rule: &UserRule) -> Audited {
    let mut findings = Vec::new();
    let wanted = match rule.then {
        Then::Deny => Some(Verdict::Deny),
        Then::Ask => Some(Verdict::Ask),
        Then::Allow => Some(Verdict::Allow),
        Then::Advise | Then::Rewrite => None,
    };
    let overruled: Vec<(String, String)> = rule
        .fires
        .iter()
        .filter_map(|example| Some((example.clone(), by_others(profile, rule, example, wanted)?)))
        .collect();
    if let Some((example, by)) = overruled.first().filter(|_| overruled.len() == rule.fires.len()) {
        findings.push(format!("it never decides: {example:?} is decided by {by} whether the rule is there or not"));
    }
    if let Some(suggestion) = rule.suggest.as_deref().filter(|_| rule.event == "PreToolUse") {
        let event = Event { body: PreToolUse::bash(suggestion).into(), ..Event::default() };
        let plan = profile.plan(&event.name());
        let outcome = decide(&event, &plan, &Nowhere);
        if outcome.verdict >= Some(Verdict::Ask) {
            let by = outcome.reason.unwrap_or_default();
            findings.push(format!("its suggestion {suggestion:?} does not pass: {by}"));
        }
    }
    Audited { id: rule.id.clone(), line: rule.line, examples: (rule.fires.len(), rule.spares.len()), findings }
}

/// What decides the example at least as strictly when the rule is not there.
fn by_others(profile: &Profile, rule: &UserRule, example: &str, wanted: Option<Verdict>) -> Option<String> {
    let event = example_event(rule, example);
    let plan = without(profile.plan(&event.name()), &rule.id);
    let outcome = decide(&event, &plan, &Nowhere);
    let stricter = match wanted {
        Some(Verdict::Allow) => outcome.verdict > Some(Verdict::Allow),
        Some(wanted) => outcome.verdict >= Some(wanted),
        // Advice and a rewrite do not reach a call that is refused.
        None => outcome.verdict == Some(Verdict::Deny),
    };
    stricter.then(|| outcome.reason.unwrap_or_else(|| outcome.decided_by.unwrap_or_default().to_owned()))
}

fn without(mut plan: Plan, id: &str) -> Plan {
    for handler in &mut plan.handlers {
        for check in &mut handler.checks {
            if let Check::Rules(rules) = check {
                rules.rules.retain(|rule| rule.id != id);
            }
        }
    }
    plan
}
