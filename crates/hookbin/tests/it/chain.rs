//! Profile `guardrails` as a chain of handlers: what comes in, what goes out, and the entries that start it (document S1, protocol).

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, run};

/// A call of `Write`.
fn write(sandbox: &Sandbox, path: &str, content: &Value) -> Vec<u8> {
    let input = json!({ "file_path": sandbox.path(path), "content": content });
    json!({
        "session_id": "s1", "transcript_path": "", "cwd": sandbox.project(), "hook_event_name": "PreToolUse",
        "tool_name": "Write", "tool_input": input, "tool_use_id": "t1",
    })
    .to_string()
    .into_bytes()
}

/// A repository whose branch `main` has a commit, as its files say.
fn on_main(sandbox: &Sandbox) {
    sandbox.write(".git/HEAD", "ref: refs/heads/main\n");
    sandbox.write(".git/refs/heads/main", "0123456789abcdef0123456789abcdef01234567\n");
}

#[test]
fn s1_01_answers_are_json_on_stdout_and_stderr_is_silent_without_a_refusal() {
    let sandbox = Sandbox::with_profile("guardrails");
    let ran = sandbox.hook(&["PreToolUse"], &write(&sandbox, "src/a.py", &json!("x = 1\n")));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.context().contains("what it is for"), "{ran:?}");
    let ran = sandbox.hook(&["PreToolUse"], &write(&sandbox, "a.txt", &json!("x")));
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""));
}

#[test]
fn s1_02_what_cannot_be_answered_is_recorded_and_blocks_nothing() {
    let sandbox = Sandbox::with_profile("guardrails");
    for (event, stdin) in
        [("PostToolUse", "{"), ("Stop", ""), ("SubagentStop", "[1]"), ("NoSuchEvent", "{}"), ("PreCompact", "nul")]
    {
        let ran = sandbox.hook(&[event], stdin.as_bytes());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{event}: {ran:?}");
    }
    let log = std::fs::read_to_string(sandbox.log().join("audit.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 5);
    assert!(log.lines().filter(|line| line.contains("payload not read")).count() >= 4, "{log}");
    // A call that nobody could check is the user's to decide (W2, X5).
    let ran = sandbox.hook(&["PreToolUse"], b"{");
    assert_eq!((ran.code, ran.decision().as_deref()), (Some(0), Some("ask")));
}

#[test]
fn s1_16_one_reading_of_a_large_payload_serves_all_checks() {
    let sandbox = Sandbox::with_profile("guardrails");
    on_main(&sandbox);
    let content = format!("# Sums.\n{}", "x = 1\n".repeat(100_000));
    let ran = sandbox.hook(&["PreToolUse"], &write(&sandbox, "src/a.py", &json!(content)));
    assert_eq!(ran.decision().as_deref(), Some("deny"));
    assert!(ran.reason().contains("branch main"), "{ran:?}");
}

#[test]
fn s1_17_a_field_that_is_missing_or_null_counts_as_empty() {
    let sandbox = Sandbox::with_profile("guardrails");
    let ran = sandbox.hook(&["PreToolUse"], &write(&sandbox, "src/a.py", &Value::Null));
    assert_eq!((ran.code, ran.decision()), (Some(0), None), "{ran:?}");
    for event in [
        json!({ "hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": null }),
        json!({ "hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": { "file_path": null } }),
        json!({ "hook_event_name": "UserPromptSubmit", "prompt": null }),
        json!({ "hook_event_name": "SubagentStart", "agent_type": null }),
        json!({ "hook_event_name": "SubagentStop" }),
        json!({ "hook_event_name": "Stop", "last_assistant_message": null, "stop_hook_active": null }),
        json!({ "hook_event_name": "SessionStart" }),
        json!({ "hook_event_name": "SessionEnd" }),
    ] {
        let ran = sandbox.hook(&[], event.to_string().as_bytes());
        assert_eq!(ran.code, Some(0), "{event}: {ran:?}");
    }
}

#[test]
fn s1_18_the_project_is_the_clients_dir_else_the_git_top_level_and_never_home() {
    let sandbox = Sandbox::new();
    sandbox.write(".git/HEAD", "ref: refs/heads/main\n");
    sandbox.write("a/b/c.txt", "");
    let event = |cwd: &std::path::Path| {
        json!({ "session_id": "s1", "cwd": cwd, "hook_event_name": "UserPromptSubmit", "prompt": "x" }).to_string()
    };
    let at = |cwd: &std::path::Path, given: Option<&std::path::Path>| {
        let mut command = sandbox.command(&["hook", "UserPromptSubmit", "--profile", "guardrails"]);
        command.env_remove("CLAUDE_PROJECT_DIR").current_dir("/");
        given.map(|given| command.env("CLAUDE_PROJECT_DIR", given));
        assert_eq!(run(command, event(cwd).as_bytes()).code, Some(0));
    };
    let counted = |dir: &std::path::Path| dir.join(".claude/.prompt-count-s1").exists();
    at(&sandbox.path("a/b"), None);
    assert!(counted(&sandbox.project()));
    at(&sandbox.path("a/b"), Some(&sandbox.path("a")));
    assert!(counted(&sandbox.path("a")));
    // A directory that the session is not in, and in which the user has never used hookbin, is none that a variable chooses.
    let other = sandbox.home().join("other");
    std::fs::create_dir(&other).unwrap();
    at(&sandbox.path("a/b"), Some(&other));
    assert!(!counted(&other) && !other.join(".claude").exists());
    at(&sandbox.home(), None);
    assert!(!counted(&sandbox.home()) && !sandbox.home().join(".claude").exists());
}

#[test]
fn s1_19_a_refusal_is_one_line_for_people_on_stderr() {
    let sandbox = Sandbox::with_profile("guardrails");
    on_main(&sandbox);
    let ran = sandbox.hook(&["PreToolUse"], &write(&sandbox, "src/a.py", &json!("# Sums.\n")));
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr, format!("{}\n", ran.reason()));
}

#[test]
fn s1_20_what_happened_is_one_json_record_of_the_audit_log() {
    let sandbox = Sandbox::with_profile("guardrails");
    on_main(&sandbox);
    let ran = sandbox.hook(&["PreToolUse"], &write(&sandbox, "src/a.py", &json!("# Sums.\n")));
    let log = std::fs::read_to_string(sandbox.log().join("audit.jsonl")).unwrap();
    let record: Value = serde_json::from_str(log.trim_end()).unwrap();
    for (key, value) in [("event", "PreToolUse"), ("tool", "Write"), ("verdict", "deny"), ("check", "branch-guard")] {
        assert_eq!(record.get(key).and_then(Value::as_str), Some(value), "{record}");
    }
    let reason = record.get("reason").and_then(Value::as_str).unwrap();
    assert!(ran.reason().starts_with(reason), "{reason}");
}

#[test]
fn s1_27_what_stands_against_a_file_is_told_at_once() {
    let sandbox = Sandbox::with_profile("guardrails");
    let content = json!("x = 1\n".repeat(60));
    let call = write(&sandbox, "src/a.py", &content);
    let alone = sandbox.hook(&["PreToolUse"], &call);
    assert!(alone.reason().contains("what it is for"), "{alone:?}");
    on_main(&sandbox);
    let ran = sandbox.hook(&["PreToolUse"], &call);
    let said = ran.reason();
    assert!(said.contains("branch main") && said.contains("what it is for"), "{ran:?}");
}

#[test]
fn s1_89_every_event_of_the_document_is_answered() {
    let sandbox = Sandbox::with_profile("guardrails");
    let entries = sandbox.cli(&["settings", "--profile", "guardrails"]).json();
    let hooks = entries.get("hooks").unwrap_or(&entries);
    for event in [
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop", "PreCompact",
        "Stop", "SessionEnd",
    ] {
        assert!(hooks.get(event).is_some(), "{event} has no entry: {entries}");
    }
    // Nothing has to be done about a notification, so there is no entry for it; one that comes all the same is no fault.
    let ran = sandbox.hook(&["Notification"], br#"{"hook_event_name":"Notification","message":"x"}"#);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""));
}

#[test]
fn s1_91_every_entry_has_a_timeout_in_seconds_and_none_is_left_alone() {
    let sandbox = Sandbox::with_profile("guardrails");
    let entries = sandbox.cli(&["settings", "--profile", "guardrails"]).json();
    let hooks = entries.get("hooks").unwrap_or(&entries).as_object().unwrap().clone();
    for (event, groups) in hooks {
        let hook = groups.pointer("/0/hooks/0").unwrap();
        let timeout = hook.get("timeout").and_then(Value::as_u64).unwrap();
        assert!((1..=60).contains(&timeout), "{event}: {hook}");
        // What takes long goes on in a process of its own; the host is always given an answer.
        assert_eq!(hook.get("async"), None, "{event}");
    }
}

#[test]
fn s1_92_every_handler_can_be_tried_from_a_shell() {
    let sandbox = Sandbox::with_profile("guardrails");
    on_main(&sandbox);
    let call = write(&sandbox, "src/a.py", &json!("# Sums.\n"));
    let ran = sandbox.hook(&["branch-guard"], &call);
    assert_eq!(ran.decision().as_deref(), Some("deny"));
    let ran = sandbox.hook(&["doc-gate"], &call);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    let bash = json!({
        "cwd": sandbox.project(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": "git push --force origin main" },
    });
    let ran = sandbox.hook(&["guard"], bash.to_string().as_bytes());
    assert_eq!(ran.decision().as_deref(), Some("deny"));
    let shown = sandbox.cli(&["profile", "show", "guardrails"]).stdout;
    let listed = shown.lines().skip_while(|line| !line.contains("handlers of guardrails")).skip(1);
    let mut names = 0;
    for name in listed.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next()) {
        names += 1;
        for stdin in [call.as_slice(), bash.to_string().as_bytes(), b"{}", b""] {
            let ran = sandbox.hook(&[name], stdin);
            assert!(matches!(ran.code, Some(0 | 2)), "{name}: {ran:?}");
        }
    }
    assert!(names >= 22, "{shown}");
}
