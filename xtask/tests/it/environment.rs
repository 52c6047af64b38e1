//! `docs/reference/environment.md` names every variable that the sources name, and no other.

use std::collections::BTreeSet;

use crate::source::{files, no_problems, rust};

/// Directories whose sources read variables. The policy never does; what it knows of variables is about commands that it judges.
const READERS: &[&str] = &[
    "crates/hookbin/src/", "crates/hookbin-sync/src/", "crates/replay/src/", "crates/runtime/src/",
    "crates/session-state/src/", "crates/hook-protocol/src/host/",
];

/// Words in capitals that are no variable: placeholders of commands, magic bytes, names of git's files, words of SQL and of values.
const NO_VARIABLES: &[&str] = &[
    "ABCDEFHKLMNPRTUVWXYZ", "BM", "BOOL", "CARGO_PKG_VERSION", "CHERRY_PICK_HEAD", "CLAUDE", "COMMAND", "COMMIT",
    "DAYS", "DIR", "DIRC", "ERROR", "EVENT", "FILE", "FORMAT", "GIF8", "HEAD", "HOOKBIN_BUILD", "HOURS", "ID", "INFO",
    "INFO2", "MERGE_HEAD", "MODE", "NAME", "NORMAL", "OTHER", "POLICY", "REVERT_HEAD", "RIFF", "ROLE", "ROLLBACK",
    "S0", "S1", "S2", "S3", "S4", "SCOPE", "SECONDS", "SEEN", "SESSION", "SLUG", "STATE", "TEXT", "TIME", "TOOL",
    "TRIPPED", "VERDICT", "VP8L", "VP8X", "WARN", "WEBP", "WHAT", "WHEN", "WORKER",
];

/// A text that could be a variable's name.
fn is_name(text: &str) -> bool {
    text.len() > 1
        && text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// The names in backticks of a page, also before `=`.
fn named(page: &str) -> BTreeSet<String> {
    let spans = page.split('`').skip(1).step_by(2);
    spans
        .map(|span| span.split('=').next().unwrap_or_default())
        .filter(|name| is_name(name))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_variable_is_documented() {
    let page = files("docs/reference").into_iter().find(|file| file.path.ends_with("environment.md")).unwrap();
    let documented = named(&page.text);
    let read: BTreeSet<String> = rust()
        .iter()
        .filter(|file| READERS.iter().any(|dir| file.path.starts_with(dir)))
        .flat_map(|file| file.strings.iter().map(|(_, text)| text.clone()))
        .filter(|text| is_name(text) && !NO_VARIABLES.contains(&text.as_str()))
        .collect();
    let missing = read.difference(&documented).map(|name| format!("{name} is read and not documented"));
    // A switch that a profile names is read by the name that the profile gives.
    let of_profiles: String = files("crates/policy/profiles").into_iter().map(|file| file.text).collect();
    let is_gone = |name: &&String| *name != "NAME" && !of_profiles.contains(&format!("\"{name}\""));
    let gone = documented.difference(&read).filter(is_gone).map(|name| format!("{name} is documented and not read"));
    let problems: Vec<String> = missing.chain(gone).collect();
    no_problems(&problems, "Mend docs/reference/environment.md; a word that is no variable goes into NO_VARIABLES.");
    assert!(read.contains("HOOKBIN_NOW") && read.len() > 60, "{read:?}");
}
