//! Looks at a team's rules in force: which never decide because something stricter does, and whose suggestion is refused.

use std::cell::Cell;

use hook_protocol::event::{Event, EventName, PreToolUse};

use super::index::RuleIndex;
use super::pattern;
use super::proof::{self, NoFacts, example_event};
use super::user::{Subject, Then, UserRule, When};
use crate::call;
use crate::check::Check;
use crate::decide::decide;
use crate::profile::{Profile, RawProfile};
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

/// Looks at `rules`, which `profile` was resolved with, and proves each by its examples; conditions over the session are taken as met.
pub fn audit(profile: &Profile, rules: &[UserRule]) -> Vec<Audited> {
    let met = rules.iter().map(|rule| UserRule { when: When::default(), ..rule.clone() });
    let book = RuleIndex::new(met.collect()).unwrap_or_default();
    let auditor = Auditor { profile, book, steps: Cell::new(u64::MAX) };
    rules.iter().map(|rule| auditor.one(rule)).collect()
}

/// The rules of a file that do not do on their examples what they should, in words.
pub fn unproven(file: &RawProfile) -> Vec<String> {
    file.rules().iter().filter_map(proof::unproven).map(|(_, fault)| fault).collect()
}

/// The ids of the rules whose suggestion would itself be refused or asked about.
pub(crate) fn refused_suggestions(profile: &Profile, rules: &[UserRule]) -> Vec<String> {
    if rules.iter().all(|rule| rule.suggest.is_none()) {
        return Vec::new();
    }
    let book = RuleIndex::new(rules.to_vec()).unwrap_or_default();
    let auditor = Auditor { profile, book, steps: Cell::new(SUGGESTION_STEPS) };
    let is_refused = |rule: &&UserRule| {
        rule.suggest.is_some() && (auditor.steps.get() == 0 || auditor.refused_suggestion(rule).is_some())
    };
    rules.iter().filter(is_refused).map(|rule| rule.id.clone()).collect()
}

/// Steps that are spent on the suggestions of all rules, in the unit of [`pattern::STEPS`]. What is left over then is not made: a hook
/// resolves the profile when it has changed, and no file may decide how long that takes.
const SUGGESTION_STEPS: u64 = 50_000_000;

/// Steps of one decision, of each byte of its command, and of each rule that is held against it.
const DECISION_STEPS: u64 = 10_000;
const BYTE_STEPS: u64 = 50;
const RULE_STEPS: u64 = 100;

struct Auditor<'p> {
    profile: &'p Profile,
    book: RuleIndex,
    /// Steps that are left.
    steps: Cell<u64>,
}

impl Auditor<'_> {
    fn one(&self, rule: &UserRule) -> Audited {
        let mut findings: Vec<String> = proof::unproven(rule).map(|(_, fault)| fault).into_iter().collect();
        let overruled: Vec<(&String, String)> =
            rule.should_match.iter().filter_map(|example| Some((example, self.by_others(rule, example)?))).collect();
        if let Some((example, by)) = overruled.first().filter(|_| overruled.len() == rule.should_match.len()) {
            findings.push(format!("it never decides: {example:?} is decided by {by} whether the rule is there or not"));
        }
        if let Some(by) = self.refused_suggestion(rule) {
            let suggestion = rule.suggest.as_deref().unwrap_or_default();
            findings.push(format!("its suggestion {suggestion:?} does not pass, so it is not made: {by}"));
        }
        Audited {
            id: rule.id.clone(),
            line: rule.line,
            examples: (rule.should_match.len(), rule.should_not_match.len()),
            findings,
        }
    }

    /// What refuses or asks about the command that the rule suggests.
    fn refused_suggestion(&self, rule: &UserRule) -> Option<String> {
        let suggestion = rule.suggest.as_deref().filter(|_| rule.event == EventName::PreToolUse.as_str())?;
        let event = Event { body: PreToolUse::bash(suggestion).into(), ..Event::default() };
        let (_, by) = self.decided(&event, None).filter(|(verdict, _)| *verdict >= Verdict::Ask)?;
        Some(by)
    }

    /// What decides the example at least as strictly when the rule is not there.
    fn by_others(&self, rule: &UserRule, example: &str) -> Option<String> {
        let (verdict, by) = self.decided(&example_event(rule, example), Some(&rule.id))?;
        let stricter = match wanted(rule.then) {
            Some(Verdict::Allow) => verdict > Verdict::Allow,
            Some(wanted) => verdict >= wanted,
            // Advice and a rewrite do not reach a call that is refused.
            None => verdict == Verdict::Deny,
        };
        stricter.then_some(by)
    }

    /// Takes what a decision among these rules costs from what is left.
    fn spend(&self, event: &Event<'_>, candidates: &[UserRule]) {
        let bytes = event.tool().map_or(0, |tool| tool.input.text().len()) as u64;
        let patterns = candidates.iter().filter_map(|rule| rule.matches.as_deref()).map(pattern::steps);
        let spent = patterns.fold(DECISION_STEPS + BYTE_STEPS * bytes, u64::saturating_add);
        let spent = spent.saturating_add(RULE_STEPS * candidates.len() as u64);
        self.steps.set(self.steps.get().saturating_sub(spent));
    }

    /// The strictest verdict on an event and who has it, without the rule called `without`.
    fn decided(&self, event: &Event<'_>, without: Option<&str>) -> Option<(Verdict, String)> {
        let mut plan = self.profile.plan(&event.name());
        let built_in = |check: &mut Check| check.step_mut().custom_rules().is_none();
        plan.handlers.iter_mut().for_each(|handler| handler.checks.retain_mut(built_in));
        let outcome = decide(event, &plan, &NoFacts);
        let built_in = outcome.verdict.map(|verdict| {
            let by = outcome.reason.unwrap_or_else(|| outcome.decided_by.unwrap_or_default().to_owned());
            (verdict, by)
        });
        let report = call::report(event, &NoFacts);
        let subject = Subject { event, report: &report, facts: &NoFacts };
        let candidates = self.book.candidates(&subject).unwrap_or_default();
        self.spend(event, &candidates);
        let others =
            candidates.iter().filter(|other| Some(other.id.as_str()) != without && other.fit(&subject).is_some());
        let strictest = others
            .filter_map(|other| Some((wanted(other.then)?, format!("rule {}", other.id))))
            .max_by_key(|(verdict, _)| *verdict);
        built_in.into_iter().chain(strictest).max_by_key(|(verdict, _)| *verdict)
    }
}

const fn wanted(then: Then) -> Option<Verdict> {
    match then {
        Then::Deny => Some(Verdict::Deny),
        Then::Ask => Some(Verdict::Ask),
        Then::Allow => Some(Verdict::Allow),
        Then::Advise | Then::Rewrite => None,
    }
}
