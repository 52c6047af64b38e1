//! Profile `claude-os` around tool calls: what is refused, and which state the registry is told.

use hook_session_state::registry::{Filter, Lookup, Place, Session, SessionRegistry};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

const SESSION: &str = "00000000-0000-4000-8000-0000000000c4";

/// One requirement and its calls.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    req: Value,
    deny: Vec<String>,
    pass: Vec<String>,
}

#[derive(Deserialize)]
struct Cases {
    group: Vec<Group>,
}

/// One event of the session.
fn event(sandbox: &Sandbox, name: &str, fields: &Value) -> Ran {
    event_with(sandbox, name, fields, &[])
}

fn event_with(sandbox: &Sandbox, name: &str, fields: &Value, env: &[(&str, &str)]) -> Ran {
    let mut event = json!({
        "session_id": SESSION, "transcript_path": "", "cwd": sandbox.project(), "hook_event_name": name, "permission_mode": "default",
    });
    event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let ran = sandbox.hook_with(&[name], event.to_string().as_bytes(), env);
    assert_ne!(ran.code, Some(1), "{ran:?}");
    ran
}

/// A call as its case file writes it: a command line, or a tool of files and its path.
fn call(sandbox: &Sandbox, case: &str) -> Value {
    let path = |path: &str| match path.strip_prefix("~/") {
        Some(rest) => sandbox.home().join(rest),
        None => sandbox.path(path),
    };
    let input = match case.split_once(' ') {
        Some((tool @ ("Write" | "Edit" | "MultiEdit" | "NotebookEdit" | "Read"), rest)) => {
            let file = path(rest);
            let input = match tool {
                "Write" => json!({"file_path": file, "content": "x"}),
                "Edit" => json!({"file_path": file, "old_string": "a", "new_string": "b"}),
                "MultiEdit" => json!({"file_path": file, "edits": [{"old_string": "a", "new_string": "b"}]}),
                "NotebookEdit" => json!({"notebook_path": file, "new_source": "x", "cell_type": "code"}),
                _ => json!({"file_path": file}),
            };
            return json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1"});
        }
        _ => json!({"command": case}),
    };
    json!({"tool_name": "Bash", "tool_input": input, "tool_use_id": "toolu_1"})
}

fn registry(sandbox: &Sandbox) -> Vec<Session> {
    let place = Place::new(&sandbox.home().join(".local/state/hookbin"));
    let mut opened = place.open(0, None).unwrap();
    opened.registry.list(&Filter { ended: true, conversation: None }).unwrap()
}

fn state(sandbox: &Sandbox) -> String {
    let place = Place::new(&sandbox.home().join(".local/state/hookbin"));
    match place.open(0, None).unwrap().registry.show(SESSION).unwrap() {
        Lookup::One(session) => session.current_state,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_the_document_lists_is_refused_and_its_neighbours_pass() {
    let text = include_str!("../data/claude_os.toml");
    let cases: Cases = toml::from_str(text).unwrap();
    let sandbox = Sandbox::with_profile("claude-os");
    let mut wrong = Vec::new();
    let mut count = 0;
    for group in &cases.group {
        for (cases, wanted) in [(&group.deny, Some("deny")), (&group.pass, None)] {
            for case in cases {
                count += 1;
                let ran = event(&sandbox, "PreToolUse", &call(&sandbox, case));
                let said = ran.decision();
                if said.as_deref() != wanted || ran.code != Some(if wanted.is_some() { 2 } else { 0 }) {
                    wrong.push(format!("{}: {said:?} for {case}  {}", group.req, ran.reason()));
                }
            }
        }
    }
    assert!(count > 250, "the cases are missing");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A session whose first call is about to run.
fn in_a_call() -> Sandbox {
    let sandbox = Sandbox::with_profile("claude-os");
    event(&sandbox, "SessionStart", &json!({"source": "startup"}));
    assert_eq!(state(&sandbox), "idle");
    let ran = event(&sandbox, "PreToolUse", &call(&sandbox, "ls"));
    assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(0)));
    sandbox
}

#[test]
fn s4_34_a_call_that_is_about_to_run_makes_the_session_tool_active() {
    assert_eq!(state(&in_a_call()), "tool_active");
}

#[test]
fn s4_35_a_call_that_is_over_makes_the_session_active() {
    // One that fails is over as well.
    for (name, more) in [("PostToolUse", "tool_response"), ("PostToolUseFailure", "error")] {
        let sandbox = in_a_call();
        let over = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, more: "x", "tool_use_id": "toolu_1"});
        event(&sandbox, name, &over);
        assert_eq!(state(&sandbox), "active", "{name}");
    }
}

#[test]
fn s4_02_the_handler_of_tools_works_alone() {
    let sandbox = in_a_call();
    let alone = |name: &str, case: &str| {
        let mut payload = call(&sandbox, case).as_object().unwrap().clone();
        let head = json!({"session_id": SESSION, "hook_event_name": name, "cwd": sandbox.project()});
        payload.extend(head.as_object().unwrap().clone());
        sandbox.hook(&["tool_tracking"], Value::Object(payload).to_string().as_bytes())
    };
    assert_eq!(alone("PostToolUse", "ls").code, Some(0));
    assert_eq!(state(&sandbox), "active");
    assert_eq!(alone("PreToolUse", "ls").code, Some(0));
    assert_eq!(state(&sandbox), "tool_active");
    assert_eq!(alone("PreToolUse", "pkill node").decision().as_deref(), Some("deny"));
}

#[test]
fn a_refused_call_leaves_the_state_alone() {
    let sandbox = Sandbox::with_profile("claude-os");
    event(&sandbox, "SessionStart", &json!({"source": "startup"}));
    event(&sandbox, "UserPromptSubmit", &json!({"prompt": "go"}));
    assert_eq!(state(&sandbox), "active");
    let ran = event(&sandbox, "PreToolUse", &call(&sandbox, "sudo ls"));
    assert_eq!(ran.decision().as_deref(), Some("deny"));
    assert_eq!(state(&sandbox), "active");
}

#[test]
fn s4_56_calls_are_tracked_in_every_mode() {
    for mode in ["interactive", "mission", "background"] {
        let sandbox = Sandbox::with_profile("claude-os");
        let env = [("CLAUDE_SESSION_MODE", mode)];
        event_with(&sandbox, "SessionStart", &json!({"source": "startup"}), &env);
        event_with(&sandbox, "PreToolUse", &call(&sandbox, "ls"), &env);
        let sessions = registry(&sandbox);
        assert_eq!((sessions[0].mode.as_str(), sessions[0].current_state.as_str()), (mode, "tool_active"));
        let ran = event_with(&sandbox, "PreToolUse", &call(&sandbox, "pkill node"), &env);
        assert_eq!(ran.decision().as_deref(), Some("deny"), "{mode}");
    }
}

#[test]
fn what_has_run_is_refused_no_more() {
    let sandbox = Sandbox::with_profile("claude-os");
    for command in ["rm ../notes.txt", "sudo ls", "rm -rf /etc"] {
        let call = call(&sandbox, command);
        for (name, more) in
            [("PostToolUse", json!({"tool_response": {}})), ("PostToolUseFailure", json!({"error": "Exit code 1"}))]
        {
            let mut fields = call.as_object().unwrap().clone();
            fields.extend(more.as_object().unwrap().clone());
            let ran = event(&sandbox, name, &Value::Object(fields));
            assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(0)), "{name} of {command}");
        }
    }
}

/// The first bytes of a picture of this size.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 6, 0, 0, 0]);
    bytes
}

fn jpeg(width: u16, height: u16) -> Vec<u8> {
    // A comment stands before the frame, as cameras put theirs there.
    let mut bytes = vec![0xff, 0xd8, 0xff, 0xfe, 0, 6, b'a', b'b', b'c', b'd', 0xff, 0xc0, 0, 17, 8];
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    bytes.extend([3; 10]);
    bytes
}

#[test]
fn large_pictures_are_refused_where_a_person_wants_it() {
    let sandbox = Sandbox::with_profile("claude-os");
    let config = "profile = [\"claude-os\"]\n[change.tool_tracking.image-limit]\nlongest_side = 1800\n";
    let gif = [b"GIF89a".as_slice(), &2000_u16.to_le_bytes(), &10_u16.to_le_bytes()].concat();
    let files = [
        ("wide.png", png(1801, 10), true),
        ("tall.png", png(10, 1801), true),
        ("fits.png", png(1800, 1800), false),
        ("wide.jpg", jpeg(4000, 100), true),
        ("fits.jpg", jpeg(1800, 100), false),
        ("wide.gif", gif, true),
        ("cut.png", png(4000, 4000)[..18].to_vec(), false),
        ("text.png", b"no picture".to_vec(), false),
    ];
    for (name, bytes, _) in &files {
        std::fs::write(sandbox.path(name), bytes).unwrap();
    }
    let read = |name: &str| event(&sandbox, "PreToolUse", &call(&sandbox, &format!("Read {name}")));
    assert_eq!(read("wide.png").decision(), None, "it is off unless somebody turns it on");
    sandbox.write(".claude/hookbin.toml", config);
    for (name, _, refused) in &files {
        let ran = read(name);
        assert_eq!(ran.decision().as_deref() == Some("deny"), *refused, "{name}: {ran:?}");
    }
    assert!(read("wide.png").reason().contains("1801 × 10"), "{:?}", read("wide.png"));
}

#[test]
fn s4_49_no_fault_of_the_registry_or_the_state_stops_a_session() {
    // A file stands where the registry's directory belongs, which root feels too.
    let sandbox = Sandbox::new();
    sandbox.write_own("profile = [\"claude-os\"]\n");
    std::fs::create_dir_all(sandbox.home().join(".local/state")).unwrap();
    std::fs::write(sandbox.home().join(".local/state/hookbin"), "a file").unwrap();
    sandbox.write(".claude/hookbin/state/sessions/x", "");
    let done =
        json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {}, "tool_use_id": "toolu_1"});
    let events = [
        ("SessionStart", json!({"source": "startup"})),
        ("UserPromptSubmit", json!({"prompt": "go"})),
        ("UserPromptSubmit", json!({"prompt": "[CLAUDE OS SYS: NOTIFICATION]: Workers complete"})),
        ("PreToolUse", call(&sandbox, "ls")),
        ("PostToolUse", done),
        ("Stop", json!({"stop_hook_active": false})),
        ("SessionEnd", json!({"reason": "other"})),
    ];
    for (name, fields) in &events {
        let ran = event(&sandbox, name, fields);
        assert_eq!(ran.code, Some(0), "{name}: {ran:?}");
        assert!(!ran.stdout.contains("\"block\"") && ran.decision().is_none(), "{name}: {ran:?}");
    }
    // What cannot be read passes as well, but for a call that the guard then has not seen.
    let unread = sandbox.hook(&["PreToolUse"], b"{\"hook_event_name\":");
    assert_eq!((unread.code, unread.decision().as_deref()), (Some(0), Some("ask")), "{unread:?}");
    for name in ["PostToolUse", "Stop"] {
        let ran = sandbox.hook(&[name], b"{\"hook_event_name\":");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{name}: {ran:?}");
    }
}

#[test]
fn s4_58_every_event_has_groups_of_entries_in_the_settings() {
    let sandbox = Sandbox::new();
    let ran = sandbox.cli(&[
        "install",
        "--scope",
        "project",
        "--project",
        sandbox.project().to_str().unwrap(),
        "--profile",
        "claude-os",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let settings = sandbox.json(".claude/settings.json");
    let hooks = settings["hooks"].as_object().unwrap();
    for name in
        ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd"]
    {
        let groups = hooks[name].as_array().unwrap();
        let entry = &groups[0]["hooks"][0];
        assert_eq!(entry["type"], "command", "{name}");
        // One line for a shell, which finds the executable on each machine.
        assert!(entry["command"].as_str().unwrap().contains(&format!("hook {name}")), "{name}: {entry}");
        assert!(entry["args"].is_null(), "{name}: {entry}");
        assert!(entry["timeout"].as_u64().unwrap() >= 10, "{name}");
    }
}
