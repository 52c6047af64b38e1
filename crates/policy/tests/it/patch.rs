//! One call that writes several files: every check that looks at a written file sees each of them, and one answer comes out.

use hook_policy::testing::FixedFacts;
use hook_policy::{Outcome, Verdict, decide};
use hook_protocol::event::Event;
use serde_json::{Value, json};

use crate::support::resolved;

const PROFILE: &str = "[[handler]]\nname = \"files\"\non = [\"PreToolUse\", \"PostToolUse\"]\nsteps = [\"doc-gate\", \"conflict-markers\", \"guard\"]\n";

/// A file of eight lines of code, with a first line of one's own.
fn added(path: &str, first: &str) -> String {
    format!("*** Add File: {path}\n+{first}\n{}", "+call();\n".repeat(8))
}

fn patch(files: &[String]) -> String {
    format!("*** Begin Patch\n{}*** End Patch\n", files.concat())
}

fn ask(event: &str, tool: &str, input: &Value, facts: &FixedFacts) -> Outcome<'static> {
    let payload = json!({"hook_event_name": event, "cwd": "/home/dev/app", "tool_name": tool, "tool_input": input});
    let payload = payload.to_string();
    let event = Event::parse(&payload).unwrap();
    let plan = resolved(&[("files", PROFILE)], &[]).unwrap().plan(&event.name());
    let plan = Box::leak(Box::new(plan));
    decide(&event, plan, facts)
}

fn facts() -> FixedFacts {
    FixedFacts::new("/home/dev/app").with_home("/home/dev")
}

#[test]
fn each_file_of_a_patch_is_looked_at() {
    let good = added("src/a.js", "// Adds numbers.");
    let bad = added("src/b.js", "let x = 1;");
    for (tool, input) in [
        ("apply_patch", json!({"input": patch(&[good.clone(), bad.clone()])})),
        ("apply_patch", json!({"input": patch(&[bad.clone(), good.clone()])})),
        ("Edit", json!(patch(&[good.clone(), bad.clone()]))),
    ] {
        let outcome = ask("PreToolUse", tool, &input, &facts());
        assert_eq!(outcome.verdict, Some(Verdict::Deny), "{tool}: {outcome:?}");
        let reason = outcome.reason.unwrap();
        assert!(reason.contains("src/b.js") && !reason.contains("src/a.js"), "{reason}");
    }
    let both = [good, added("src/c.js", "// Takes numbers away.")];
    let outcome = ask("PreToolUse", "apply_patch", &json!({"input": patch(&both)}), &facts());
    assert_eq!((outcome.verdict, outcome.reason), (None, None));
}

#[test]
fn the_guard_sees_the_last_file_of_a_patch_too() {
    let files = [added("src/a.js", "// Adds numbers."), added("/etc/passwd", "// Users.")];
    let outcome = ask("PreToolUse", "apply_patch", &json!({"input": patch(&files)}), &facts());
    assert_eq!(outcome.verdict, Some(Verdict::Deny), "{outcome:?}");
    assert!(outcome.reason.unwrap().contains("/etc/passwd"));
}

#[test]
fn what_is_told_of_each_file_adds_up() {
    let merging = "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n";
    let facts = facts()
        .with_file("/home/dev/app/one.txt", merging)
        .with_file("/home/dev/app/two.txt", merging)
        .with_file("/home/dev/app/three.txt", "c\n");
    let update = |path: &str| format!("*** Update File: {path}\n@@\n-x\n+y\n");
    let text = patch(&["one.txt", "two.txt", "three.txt"].map(update));
    let outcome = ask("PostToolUse", "apply_patch", &json!({"input": text}), &facts);
    let said = format!("{:?}{:?}", outcome.context, outcome.feedback);
    assert!(said.contains("one.txt") && said.contains("two.txt") && !said.contains("three.txt"), "{said}");
}
