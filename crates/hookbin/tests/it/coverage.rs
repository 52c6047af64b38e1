//! The inventory: which handlers there are, and that every tool has exactly one.

use serde_json::Value;

use crate::sandbox::Sandbox;

fn handlers() -> Vec<Value> {
    let ran = Sandbox::new().cli(&["profile", "show", "spf", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let all = ran.json()["handlers"].as_array().unwrap().clone();
    all.into_iter().filter(|handler| handler["profile"] == "spf").collect()
}

fn names_of(layer: &str) -> Vec<String> {
    let of_layer = |handler: &Value| handler["layer"] == layer;
    handlers()
        .iter()
        .filter(|handler| of_layer(handler))
        .map(|handler| handler["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn s0_03_the_profile_has_exactly_31_handlers() {
    assert_eq!(handlers().len(), 31);
    assert_eq!(names_of("lifecycle").len(), 4);
    assert_eq!(names_of("post-event").len(), 2);
    assert_eq!(names_of("layer 1").len(), 9);
    assert_eq!(names_of("layer 2").len(), 9 + 7);
    let plain = Sandbox::new().cli(&["profile", "show", "spf"]);
    assert!(plain.stdout.contains("31 handlers of spf"), "{}", plain.stdout);
}

#[test]
fn s0_04_lifecycle_and_post_handlers_have_the_documented_names() {
    assert_eq!(names_of("lifecycle"), ["session-start", "session-end", "user-prompt", "stop-check"]);
    assert_eq!(names_of("post-event"), ["post-action", "post-failure"]);
}

#[test]
fn s0_05_native_handlers_have_the_documented_names() {
    let names = ["read", "edit", "write", "bash", "glob", "grep", "notebookedit", "webfetch", "websearch"];
    assert_eq!(names_of("layer 1"), names.map(|name| format!("pre-{name}")));
}

#[test]
fn s0_06_and_s0_07_layer_2_handlers_have_the_documented_names() {
    s0_06_tools();
    s0_07_domains();
}

fn s0_06_tools() {
    let names = ["read", "edit", "write", "bash", "glob", "grep", "notebookedit", "webfetch", "websearch"];
    assert_eq!(names_of("layer 2")[..9], names.map(|name| format!("pre-mcp-{name}")));
}

fn s0_07_domains() {
    let names = ["brain", "rag", "agent", "config", "projects", "tmp", "spf-meta"];
    assert_eq!(names_of("layer 2")[9..], names.map(|name| format!("pre-{name}")));
}

/// A tool that two handlers serve would be logged twice; the case files check that each of the 55 is logged once.
#[test]
fn s0_107_no_pattern_of_layer_2_stands_twice() {
    let mut patterns: Vec<String> = Vec::new();
    for handler in handlers().iter().filter(|handler| handler["layer"] == "layer 2") {
        patterns.extend(handler["tools"].as_array().unwrap().iter().map(|tool| tool.as_str().unwrap().to_owned()));
    }
    let count = patterns.len();
    patterns.sort();
    patterns.dedup();
    assert_eq!(patterns.len(), count);
}

#[test]
fn every_profile_says_what_it_is_for() {
    let ran = Sandbox::new().cli(&["profile", "list", "--json"]);
    let profiles = ran.json()["profiles"].as_array().unwrap().clone();
    let names: Vec<&str> = profiles.iter().map(|profile| profile["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["standard", "spf", "guardrails", "collective", "sane", "claude-os"]);
    assert!(profiles.iter().all(|profile| !profile["about"].as_str().unwrap().is_empty()));
}

#[test]
fn a_profile_that_does_not_exist_is_wrong_use() {
    let ran = Sandbox::new().cli(&["profile", "show", "spff"]);
    assert_eq!(ran.code, Some(64));
    assert!(ran.stderr.contains("spff") && ran.stderr.contains("spf"), "{}", ran.stderr);
}
