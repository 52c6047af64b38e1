//! Service command lines by hand: what a family of rules fires on, and what no rule fires on.

use std::collections::BTreeSet;
use std::path::Path;

use hook_policy::rule::{Family, Severity, all_violations};
use hook_shell::resolve::{NoFiles, resolve};
use serde::Deserialize;

use crate::rules::places;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    should_match: Vec<String>,
    should_not_match: Vec<String>,
}

/// The rules that a command breaks, of those that are not switched off.
fn rules(command: &str) -> Vec<(&'static str, Family, Severity)> {
    let report = resolve(command, &places(), &NoFiles);
    all_violations(&report, |rule, severity| (!rule.off).then_some(severity))
        .iter()
        .map(|broken| (broken.rule.id, broken.rule.family, broken.severity))
        .collect()
}

fn check(file: &str, families: &[Family]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/domain").join(file);
    let cases: Cases = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for command in &cases.should_match {
        let rules = rules(command);
        if !rules.iter().any(|(_, family, severity)| families.contains(family) && *severity == Severity::Ask) {
            wrong.push(format!("silent: {command} {rules:?}"));
        }
    }
    for command in &cases.should_not_match {
        let rules = rules(command);
        if !rules.is_empty() {
            wrong.push(format!("loud:   {command} {rules:?}"));
        }
    }
    let all: BTreeSet<&String> = cases.should_match.iter().chain(&cases.should_not_match).collect();
    assert_eq!(all.len(), cases.should_match.len() + cases.should_not_match.len(), "a command stands twice in {file}");
    assert!(wrong.is_empty(), "{file}:\n{}", wrong.join("\n"));
}

#[test]
fn containers() {
    check("container.toml", &[Family::Container]);
}

#[test]
fn clusters() {
    check("cluster.toml", &[Family::Cluster]);
}

#[test]
fn infrastructure() {
    check("infrastructure.toml", &[Family::Infrastructure]);
}

#[test]
fn clouds_and_platforms() {
    check("cloud.toml", &[Family::Cloud, Family::Database]);
}

#[test]
fn databases() {
    check("database.toml", &[Family::Database]);
}

#[test]
fn forges() {
    check("forge.toml", &[Family::Forge, Family::Http]);
}

#[test]
fn package_registries() {
    check("registry.toml", &[Family::Registry]);
}

#[test]
fn services() {
    check("services.toml", &[Family::Services]);
}

#[test]
fn networks_and_names() {
    check("network.toml", &[Family::Network]);
}

#[test]
fn messaging() {
    check("messaging.toml", &[Family::Messaging]);
}

#[test]
fn online_services() {
    let families =
        [Family::Monitoring, Family::Saas, Family::SecretStore, Family::Backup, Family::Ci, Family::Machines];
    check("saas.toml", &families);
}

#[test]
fn http_requests() {
    check("http.toml", &[Family::Http]);
}

/// The longest text that a program is likely to be given costs no more than its length.
#[test]
fn long_texts_are_read_in_one_pass() {
    let quotes = "'".repeat(1 << 18);
    let comments = "/*".repeat(1 << 17);
    for text in [quotes, comments, "$".repeat(1 << 18), "\n.x".repeat(1 << 17)] {
        let report = resolve(&format!("psql <<'EOF'\n{text}\nEOF"), &places(), &NoFiles);
        let started = std::time::Instant::now();
        let _ = all_violations(&report, |_, severity| Some(severity));
        // Work that grows with the square of the length would take minutes here.
        assert!(started.elapsed().as_secs() < 20);
    }
}
