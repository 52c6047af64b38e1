//! Every rule proves itself: it fires on its examples, spares its neighbours, and what it suggests passes.

use std::collections::BTreeSet;

use hook_policy::rule::{Severity, all, all_violations, violations};
use hook_shell::path::Places;
use hook_shell::resolve::{NoFiles, resolve};

pub(crate) fn places() -> Places {
    Places::new(Some("/home/dev"), Some("/home/dev/src/app"), Some("/home/dev/src/app"))
        .with_layout(&hook_protocol::host::LAYOUT)
}

fn should_match(command: &str) -> BTreeSet<&'static str> {
    let report = resolve(command, &places(), &NoFiles);
    all_violations(&report, |_, severity| Some(severity)).iter().map(|violations| violations.rule.id).collect()
}

pub(crate) fn strictest(command: &str) -> Option<Severity> {
    let report = resolve(command, &places(), &NoFiles);
    violations(&report, |rule, severity| (!rule.off).then_some(severity)).map(|violations| violations.severity)
}

#[test]
fn every_rule_fires_on_its_examples() {
    let mut silent = Vec::new();
    for rule in all() {
        assert!(!rule.should_match.is_empty(), "{} has no example that fires", rule.id);
        silent.extend(
            rule.should_match
                .iter()
                .filter(|example| !should_match(example).contains(rule.id))
                .map(|example| (rule.id, example)),
        );
    }
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn every_rule_spares_its_neighbours() {
    let mut loud = Vec::new();
    for rule in all() {
        assert!(!rule.should_not_match.is_empty(), "{} has no neighbour", rule.id);
        loud.extend(
            rule.should_not_match
                .iter()
                .filter(|example| should_match(example).contains(rule.id))
                .map(|example| (rule.id, example)),
        );
    }
    assert!(loud.is_empty(), "{loud:#?}");
}

#[test]
fn names_are_unique_and_reasons_are_sentences() {
    let mut seen = BTreeSet::new();
    for rule in all() {
        assert!(seen.insert(rule.id), "{} stands twice", rule.id);
        assert!(rule.id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{}", rule.id);
        let first = rule.reason.chars().next().expect("a reason");
        assert!(first.is_lowercase() && !rule.reason.ends_with('.'), "{}: {:?}", rule.id, rule.reason);
    }
}
