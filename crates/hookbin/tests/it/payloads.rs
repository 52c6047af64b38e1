//! Every event recorded from the real client, through the executable, under every profile.

use hook_protocol::reply::{Outcome, Reply};

use crate::sandbox::{Sandbox, tree};

fn payloads() -> Vec<(String, Vec<u8>)> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../hook-protocol/tests/data/payloads");
    let files = tree(dir.as_ref());
    assert!(files.len() > 100, "the recorded payloads are missing");
    files
        .into_iter()
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap()))
        .collect()
}

/// Exit 0 or 2, and nothing or one document that the host accepts for this event (invariant 4, W1, SX-06).
#[test]
fn sx_06_every_recorded_event_gets_an_answer_that_the_client_accepts() {
    for profile in hook_runtime::config::profiles::names() {
        let sandbox = Sandbox::with_profile(profile);
        for (name, bytes) in payloads() {
            let event = name.split('.').next().unwrap();
            let ran = sandbox.hook(&[event], &bytes);
            let native = ["Read", "Edit", "Write", "Bash", "Glob", "Grep", "NotebookEdit", "WebFetch", "WebSearch"];
            let refused = profile == "spf"
                && event == "PreToolUse"
                && name.split('.').nth(1).is_some_and(|tool| native.contains(&tool));
            let outcome =
                Reply::parse(event, &ran.stdout).unwrap_or_else(|error| panic!("{profile} {name}: {error}: {ran:?}"));
            assert!(!matches!(outcome, Outcome::Ignored | Outcome::Async), "{profile} {name}: {ran:?}");
            if ["spf", "standard"].contains(&profile) {
                assert_eq!(ran.code, Some(if refused { 2 } else { 0 }), "{profile} {name}: {ran:?}");
                assert_eq!(ran.decision().as_deref(), refused.then_some("deny"), "{profile} {name}");
            } else {
                // What the others say of these calls is theirs to test; how they say it is the same.
                let blocks = event == "PostToolUse" || ran.decision().as_deref() == Some("deny");
                assert!(ran.code == Some(0) || ran.code == Some(2) && blocks, "{profile} {name}: {ran:?}");
            }
        }
        let ran = sandbox.cli(&["log", "verify"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

/// SX-02: the same event without an argument, chosen by its own name.
#[test]
fn sx_02_one_executable_picks_the_handlers_by_event_and_tool() {
    let sandbox = Sandbox::with_profile("spf");
    for (name, bytes) in payloads() {
        let named = sandbox.hook(&[name.split('.').next().unwrap()], &bytes);
        let mut command = sandbox.command(&[] as &[&str]);
        command.env("HOOKBIN_NOW", "2026-01-01T00:00:00Z");
        let bare = crate::sandbox::run(command, &bytes);
        assert_eq!(named.code, bare.code, "{name}");
        assert_eq!(named.decision(), bare.decision(), "{name}");
    }
}
