//! Settings: entries as types, what the host makes of a file, and edits that give back every foreign byte.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like the tests themselves"
)]

use hook_protocol::event::EventName;
use hook_protocol::settings::*;
use serde::Deserialize;
use serde_json::{Value, json};

#[cfg(feature = "edit")]
mod edit;
#[cfg(feature = "edit")]
mod shared;

fn entry(event: &str) -> OwnEntry {
    OwnEntry {
        event: EventName::from(event).into_owned(),
        matcher: None,
        command: "${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin".to_owned(),
        args: Some(vec!["hook".to_owned(), event.to_owned()]),
        timeout: 10,
        on_failure_block: false,
    }
}

#[test]
fn s1_88_an_entry_is_a_group_with_a_list_of_command_handlers() {
    let mut entry = entry("PreToolUse");
    let bare = json!({"hooks": [{"type": "command", "command": "${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin",
        "args": ["hook", "PreToolUse"], "timeout": 10}]});
    for compact in [true, false] {
        assert_eq!(serde_json::from_str::<Value>(&entry.group_json(compact)).unwrap(), bare);
    }
    entry.matcher = Some("Bash|\"x\"".to_owned());
    entry.on_failure_block = true;
    let full: Value = serde_json::from_str(&entry.group_json(false)).unwrap();
    assert_eq!(full["matcher"], json!("Bash|\"x\""));
    assert_eq!(full["hooks"][0]["onFailure"], json!("block"));
    // The order and spelling of the shape that the host was seen to take.
    assert_eq!(
        entry.group_json(true),
        concat!(
            r#"{"matcher":"Bash|\"x\"","hooks":[{"type":"command","command":"${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin","#,
            r#""args":["hook","PreToolUse"],"timeout":10,"onFailure":"block"}]}"#
        )
    );
}

/// A bare path, which one of the documents has, is never an entry: neither read as one nor taken by the host.
#[test]
fn s4_58_bare_paths_are_no_entries() {
    assert!(serde_json::from_str::<MatcherGroup>("\"./hook.py\"").is_err());
    let problems = inspect(r#"{"hooks":{"SessionStart":["./hook.py"]}}"#);
    assert_eq!(problems.iter().map(|problem| problem.effect).collect::<Vec<_>>(), [Effect::EntryDropped]);
}

/// Handlers of every type with all their keys, an unknown type and entries that lack what they need come back as they were.
#[test]
fn handlers_are_read_and_written_whole() {
    let handlers = [
        (
            "command",
            json!({"type": "command", "command": "x", "args": ["a"], "shell": "bash", "async": true,
            "asyncRewake": false, "timeout": 1.5, "if": "Bash(git *)", "statusMessage": "s", "once": true,
            "onFailure": "block", "later": {"k": null}}),
        ),
        (
            "http",
            json!({"type": "http", "url": "http://localhost/", "headers": {"A": "$B"}, "allowedEnvVars": ["B"],
            "timeout": 30, "later": 1}),
        ),
        ("mcp_tool", json!({"type": "mcp_tool", "server": "s", "tool": "t", "input": {"p": "${cwd}"}, "later": 1})),
        ("prompt", json!({"type": "prompt", "prompt": "ok? $ARGUMENTS", "model": "m", "continueOnBlock": true})),
        ("agent", json!({"type": "agent", "prompt": "look", "model": "m", "timeout": 60})),
        ("unknown", json!({"type": "carrier_pigeon", "command": "coo"})),
        ("unknown", json!({"type": "command", "path": "no command"})),
        ("unknown", json!({"command": "no type"})),
    ];
    for (kind, value) in handlers {
        let handler: Handler = serde_json::from_value(value.clone()).unwrap();
        let found = match &handler {
            Handler::Command(_) => "command",
            Handler::Http(_) => "http",
            Handler::McpTool(_) => "mcp_tool",
            Handler::Prompt(_) => "prompt",
            Handler::Agent(_) => "agent",
            _ => "unknown",
        };
        assert_eq!(found, kind, "{value}");
        assert_eq!(serde_json::to_value(&handler).unwrap(), value);
    }
    let command: Handler = serde_json::from_value(json!({"type": "command", "command": "x", "timeout": 5})).unwrap();
    let Handler::Command(command) = command else { panic!("no command") };
    assert_eq!((command.args, command.common.timeout), (None, Some(5.into())));
    for group in [json!({"matcher": null, "hooks": []}), json!({"matcher": {}, "hooks": []}), json!({"matcher": "x"})] {
        assert!(serde_json::from_value::<MatcherGroup>(group.clone()).is_err(), "{group}");
    }
}

#[derive(Deserialize)]
struct InspectCases {
    case: Vec<InspectCase>,
}

#[derive(Deserialize)]
struct InspectCase {
    name: String,
    text: String,
    /// Line, effect, and a part of the message of each problem.
    problems: Vec<(usize, String, String)>,
}

/// Each case is a row of what the host was seen to do with such a file.
#[test]
fn faults_are_found_with_their_line_and_cost() {
    let cases: InspectCases = toml::from_str(include_str!("../data/settings/inspect.toml")).unwrap();
    for case in cases.case {
        let found = inspect(&case.text);
        assert_eq!(found.len(), case.problems.len(), "{}: {found:?}", case.name);
        for (problem, (line, effect, message)) in found.iter().zip(&case.problems) {
            assert_eq!((problem.line, &format!("{:?}", problem.effect)), (*line, effect), "{}: {problem}", case.name);
            assert!(problem.message.contains(message), "{}: {problem}", case.name);
        }
    }
}

/// One row a setting: whether client 2.1.332 ran the hook of a file that says so besides.
#[derive(Deserialize)]
struct SeenCase {
    /// A part of a settings file, or of its hook where it stands under `hook`, or of the entry around that under `entry`.
    with: Value,
    ran: bool,
    /// Whether the form is one on which a caller may rely. Nothing that did not run is.
    sure: bool,
}

#[test]
fn what_the_client_was_seen_to_drop_is_told_and_nothing_else_is_relied_on() {
    let cases: Vec<SeenCase> = serde_json::from_str(include_str!("../data/settings/seen.json")).unwrap();
    assert!(cases.len() > 90);
    for SeenCase { with, ran, sure } in cases {
        let mut file = with.as_object().unwrap().clone();
        let mut hook = json!({"type": "command", "command": "x"});
        let mut put = |into: &mut Value, name: &str| {
            let more = file.remove(name).unwrap_or_else(|| json!({}));
            into.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        };
        put(&mut hook, "hook");
        let mut entry = json!({"hooks": [hook]});
        put(&mut entry, "entry");
        file.insert("hooks".to_owned(), json!({"PreToolUse": [entry]}));
        let text = Value::Object(file).to_string();
        let dropped = inspect(&text).iter().any(|problem| problem.effect == Effect::FileDropped);
        assert_eq!((dropped, is_surely_read(&text)), (!ran, sure), "{text}");
    }
}

#[test]
fn switches_are_read_with_an_explicit_false() {
    let text = "\u{feff}{\"disableAllHooks\": false, \"allowManagedHooksOnly\": true, \"x\": 1}";
    assert_eq!(flag(text, "disableAllHooks"), Some(false));
    assert_eq!(flag(text, "allowManagedHooksOnly"), Some(true));
    assert_eq!((flag(text, "x"), flag(text, "y")), (None, None));
    // The host drops such a file, so its switch does nothing.
    assert_eq!(flag("{\"disableAllHooks\": true} // off", "disableAllHooks"), None);
    assert_eq!(flag("{\"disableAllHooks\": true", "disableAllHooks"), None);
}

/// Deep nesting is neither followed by recursion nor looked at more than a few times.
#[test]
fn deep_settings_are_inspected() {
    let deep = format!("{{\"x\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(inspect(&deep), []);
    assert!(!is_surely_read(&deep));
}
