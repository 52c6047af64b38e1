//! The workspace's lints hold in every member, and each exception says why.

use std::fs;

use toml::Value;

use crate::manifests::{members, workspace};
use crate::source::{Rust, line_of, no_problems, root, rust};

#[test]
fn every_member_obeys_the_workspaces_lints() {
    let inherits = |manifest: &toml::Table| {
        manifest.get("lints").and_then(|lints| lints.get("workspace")) == Some(&Value::Boolean(true))
    };
    let bare = members().into_iter().filter(|member| !inherits(&member.manifest));
    let problems: Vec<String> = bare.map(|member| member.path).collect();
    no_problems(&problems, "Write `[lints]` with `workspace = true` into the manifest.");
}

/// The lints that invariants of the architecture rest on.
const REQUIRED: &[(&str, &str)] = &[
    ("rust", "unsafe_code"),
    ("rust", "missing_docs"),
    ("rust", "unreachable_pub"),
    ("clippy", "pedantic"),
    ("clippy", "unwrap_used"),
    ("clippy", "expect_used"),
    ("clippy", "indexing_slicing"),
    ("clippy", "panic"),
    ("clippy", "print_stdout"),
    ("clippy", "print_stderr"),
    ("clippy", "todo"),
    ("clippy", "dbg_macro"),
];

#[test]
fn the_lints_that_invariants_rest_on_are_on() {
    let workspace = workspace();
    let level = |group: &str, lint: &str| {
        let value = workspace["workspace"]["lints"].get(group)?.get(lint)?;
        value.as_str().or_else(|| value.get("level").and_then(Value::as_str)).map(str::to_owned)
    };
    let off = REQUIRED
        .iter()
        .filter(|(group, lint)| !matches!(level(group, lint).as_deref(), Some("warn" | "deny" | "forbid")));
    let problems: Vec<String> = off.map(|(group, lint)| format!("{group}: {lint}")).collect();
    no_problems(&problems, "Put the lint back into [workspace.lints]; the checks run with `-D warnings`.");
}

/// Attributes that lift a lint and do not say why.
fn exceptions_without_reason(file: &Rust) -> Vec<String> {
    let mut found = Vec::new();
    for mark in ["#[allow(", "#![allow(", "#[expect(", "#![expect(", "#[cfg_attr(", "#![cfg_attr("] {
        for (at, _) in file.code.match_indices(mark) {
            let attribute = attribute(&file.code[at..]);
            let lifts = !mark.contains("cfg_attr") || attribute.contains("allow(") || attribute.contains("expect(");
            if lifts && !attribute.contains("reason = \"") {
                found.push(format!("{}:{}: `{mark}…`", file.path, line_of(&file.code, at)));
            }
        }
    }
    found
}

/// From `#` to the bracket that closes it.
fn attribute(code: &str) -> &str {
    let mut depth = 0_usize;
    for (at, c) in code.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 1 => return &code[..=at],
            ']' => depth -= 1,
            _ => {}
        }
    }
    code
}

#[test]
fn every_exception_says_why() {
    let problems: Vec<String> = rust().iter().flat_map(exceptions_without_reason).collect();
    no_problems(&problems, "Write `reason = \"…\"` into the attribute: what makes the exception right here.");
    let text = "#![allow(a, reason = \"b\")]\n#[allow(\n  c,\n)]\nfn d() {}\n#[expect(e)] // reason = \"f\"\n#[cfg_attr(g, allow(h))] x[i]";
    assert_eq!(exceptions_without_reason(&Rust::new("a.rs", text)).len(), 3);
}

#[test]
fn unwrap_and_print_are_lifted_for_tests_only_in_one_place() {
    let text = fs::read_to_string(root().join("clippy.toml")).expect("clippy.toml is missing");
    let table: toml::Table = text.parse().unwrap();
    for key in
        ["allow-unwrap-in-tests", "allow-expect-in-tests", "allow-indexing-slicing-in-tests", "allow-panic-in-tests"]
    {
        assert_eq!(table.get(key), Some(&Value::Boolean(true)), "clippy.toml: write `{key} = true`");
    }
}
