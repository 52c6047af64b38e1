//! Events that an agent loop makes, and tools that it calls by names of its own.

use hook_protocol::event::{Body, Event, EventName};
use hook_protocol::{ToolNames, tool::ToolInput};

#[test]
fn constructed_events_are_what_the_client_would_send() {
    for (made, sent) in [
        (
            Event::shell("ls \"a b\"", "/p"),
            r#"{"cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls \"a b\""}}"#,
        ),
        (
            Event::read("/p/a", "/p"),
            r#"{"cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"/p/a"}}"#,
        ),
        (
            Event::write("/p/a", "x\n", "/p").in_session("s1").with_call_id("t1"),
            r#"{"session_id":"s1","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/p/a","content":"x\n"},"tool_use_id":"t1"}"#,
        ),
        (Event::session_start("/p"), r#"{"cwd":"/p","hook_event_name":"SessionStart","source":"startup"}"#),
        (
            Event::prompt("rm \"it\"", "/p").in_session("s1"),
            r#"{"session_id":"s1","cwd":"/p","hook_event_name":"UserPromptSubmit","prompt":"rm \"it\""}"#,
        ),
        (Event::stop("/p"), r#"{"cwd":"/p","hook_event_name":"Stop","stop_hook_active":false}"#),
    ] {
        let made: serde_json::Value = serde_json::from_str(&made.to_json()).unwrap();
        assert_eq!(made, serde_json::from_str::<serde_json::Value>(sent).unwrap());
    }
}

#[test]
fn a_call_has_an_end() {
    let call = Event::shell("make", "/p").in_session("s1").with_call_id("t1");
    let Body::PostToolUse(done) = call.clone().done("ok").body else { panic!() };
    assert_eq!(done.tool_response.unwrap().as_str().unwrap(), "ok");
    assert_eq!(done.tool_use_id.unwrap(), "t1");
    let failed = call.failed("Exit code 2");
    assert_eq!(failed.common.session_id.as_ref().unwrap(), "s1");
    assert_eq!(failed.tool().unwrap().command().unwrap(), "make");
    let Body::PostToolUseFailure(failed) = failed.body else { panic!() };
    assert_eq!(failed.error.unwrap(), "Exit code 2");
    let stop = Event::parse(r#"{"hook_event_name":"Stop"}"#).unwrap();
    assert_eq!(stop.clone().done("x").with_call_id("t1"), stop);
}

fn names() -> ToolNames {
    ToolNames::new()
        .shell("exec")
        .parameter("exec", "cmd", "command")
        .write("save")
        .parameter("save", "path", "file_path")
        .parameter("save", "text", "content")
        .edit("replace")
        .read("view")
}

fn input(tool: &str, input: &str) -> String {
    let call = format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{input}}}"#);
    let event = Event::parse_with(&call, &names()).unwrap();
    let tool = event.tool().unwrap();
    format!("{} {}", tool.name, tool.input.text())
}

#[test]
fn own_names_become_the_clients() {
    assert_eq!(input("exec", r#"{"cmd":"ls","timeout":5}"#), r#"Bash {"command":"ls","timeout":5}"#);
    assert_eq!(input("save", r#"{"path":"/a","text":"x"}"#), r#"Write {"file_path":"/a","content":"x"}"#);
    assert_eq!(input("view", r#"{"file_path":"/a"}"#), r#"Read {"file_path":"/a"}"#);
    assert_eq!(input("other", r#"{"cmd":"ls"}"#), r#"other {"cmd":"ls"}"#);
    // By its whole name.
    assert_eq!(input("exec2", r#"{"cmd":"ls"}"#), r#"exec2 {"cmd":"ls"}"#);
    assert_eq!(input("exec", "\"ls\""), "Bash \"ls\"");
}

#[test]
fn no_other_member_stands_in_for_the_one_that_the_tool_reads() {
    assert_eq!(input("exec", r#"{"command":"ls","cmd":"rm -rf /"}"#), r#"Bash {"command":"rm -rf /"}"#);
    assert_eq!(input("exec", r#"{"cmd":"rm -rf /","command":"ls"}"#), r#"Bash {"command":"rm -rf /"}"#);
    assert_eq!(input("exec", r#"{"cmd":"ls","cmd":"rm -rf /"}"#), r#"Bash {"command":"ls","command":"rm -rf /"}"#);
    assert_eq!(input("exec", r#"{"\u0063md":"rm -rf /"}"#), r#"Bash {"command":"rm -rf /"}"#);
}

#[test]
fn every_event_of_a_call_has_the_clients_names() {
    for event in ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"] {
        let call = format!(r#"{{"hook_event_name":"{event}","tool_name":"exec","tool_input":{{"cmd":"ls"}}}}"#);
        let event = Event::parse_with(&call, &names()).unwrap();
        assert_eq!(event.tool().unwrap().command().unwrap(), "ls", "{call}");
    }
    let batch = r#"{"hook_event_name":"PostToolBatch","tool_calls":[{"tool_name":"exec","tool_input":{"cmd":"ls"}}]}"#;
    let event = Event::parse_with(batch, &names()).unwrap();
    assert_eq!(event.name(), EventName::PostToolBatch);
    let Body::PostToolBatch(batch) = &event.body else { panic!() };
    let calls = batch.tool_calls.as_ref().unwrap();
    assert!(matches!(calls[0].tool().unwrap().parsed(), ToolInput::Bash(_)));
}

/// Only the events of a tool, and what does not say which event it is.
#[test]
fn the_call_of_an_event_is_one_that_is_about_to_run() {
    let call = |name: &str| {
        let text = format!(r#"{{"cwd":"/p"{name},"tool_name":"exec","tool_input":{{"cmd":"ls"}},"more":1}}"#);
        Event::parse_with(&text, &names()).unwrap().as_call().map(|call| call.to_json())
    };
    let same =
        r#"{"cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"more":1}"#;
    for name in EventName::ALL.iter().map(EventName::as_str).chain(["preToolUse", "Tomorrow", ""]) {
        let is_about_a_call = matches!(
            name,
            "PreToolUse"
                | "PostToolUse"
                | "PostToolUseFailure"
                | "PermissionRequest"
                | "PermissionDenied"
                | "PreSkillShellCommand"
                | "preToolUse"
                | "Tomorrow"
                | ""
        );
        let found = call(&format!(r#","hook_event_name":"{name}""#));
        assert_eq!(found.as_deref(), is_about_a_call.then_some(same), "{name}");
    }
    assert_eq!(call("").as_deref(), Some(same));
    assert_eq!(call(r#","hook_event_name":7"#).map(|call| call.contains("\"PreToolUse\"")), Some(true));
    assert!(Event::parse("{}").unwrap().as_call().is_none());
    assert!(Event::parse(r#"{"tool_name":7}"#).unwrap().as_call().is_none());
}
