//! Events by hand: every documented field and value, fallbacks, odd types, duplicates, size.

use std::path::Path;
use std::sync::LazyLock;

use hook_protocol::event::{
    Body, Common, Event, EventName, PermissionDenied, PreCompact, PreToolUse, SessionSource, SessionStart,
};
use hook_protocol::permission::PermissionMode;
use hook_protocol::raw::{Fields, Raw, Text};
use hook_protocol::{Nullable, ParseErrorKind};

use crate::lenient::same_document;

/// One event of each kind with every field that the documentation names.
pub(crate) fn documented() -> Vec<&'static str> {
    static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/documented");
        let read = |name: &EventName<'_>| std::fs::read_to_string(dir.join(format!("{}.json", name.as_str()))).unwrap();
        EventName::ALL.iter().map(read).collect()
    });
    TEXTS.iter().map(String::as_str).collect()
}

#[test]
fn every_documented_field_is_typed_and_written_back() {
    let mut names = Vec::new();
    for text in documented() {
        let event = Event::parse(text).unwrap();
        assert!(event.extra.is_empty(), "{text} leaves {:?}", event.extra);
        assert!(same_document(text, &event.to_json()), "{text}\n{}", event.to_json());
        names.push(event.name().into_owned());
    }
    assert_eq!(names, EventName::ALL);
}

#[test]
fn every_documented_value_is_known() {
    for line in include_str!("../data/values.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let (name, field) = (words.next().unwrap(), words.next().unwrap());
        for value in words {
            let text = format!(r#"{{"hook_event_name":"{name}","{field}":"{value}"}}"#);
            let event = Event::parse(&text).unwrap();
            assert!(event.extra.is_empty(), "{text}");
            let shown = format!("{event:?}");
            assert!(!shown.contains("Other("), "{text}: {shown}");
            // Any other value is kept as it is.
            let text = text.replace(&format!(":\"{value}\"}}"), ":\"something new\"}");
            let event = Event::parse(&text).unwrap();
            assert!(format!("{event:?}").contains("Other(\"something new\")"), "{text}");
            assert_eq!(event.to_json(), canonical_order(&text));
        }
    }
}

/// `permission_mode` is written before the name of the event, everything else behind it.
fn canonical_order(text: &str) -> String {
    match text.strip_prefix(r#"{"hook_event_name":"PreToolUse","permission_mode":"something new"}"#) {
        Some(_) => r#"{"permission_mode":"something new","hook_event_name":"PreToolUse"}"#.to_owned(),
        None => text.to_owned(),
    }
}

#[test]
fn names_are_34_and_open() {
    for (index, name) in EventName::ALL.iter().enumerate() {
        assert_eq!(name.index(), Some(index));
        assert_eq!(&name.as_str().parse::<EventName<'static>>().unwrap(), name);
    }
    let unknown = EventName::from("FutureEvent");
    assert_eq!((unknown.as_str(), unknown.index()), ("FutureEvent", None));
    assert_ne!(unknown, EventName::from("stop"));
}

#[test]
fn an_unknown_event_survives() {
    let text = r#"{"session_id":"s","cwd":"/p","hook_event_name":"FutureEvent","anything":{"a":[1,null]}}"#;
    let event = Event::parse(text).unwrap();
    assert_eq!(event.body, Body::Other("FutureEvent".into()));
    assert_eq!(event.common.cwd.as_ref().unwrap(), "/p");
    assert_eq!(event.extra.get("anything").unwrap().text(), r#"{"a":[1,null]}"#);
    assert_eq!(event.to_json(), text);
    assert_eq!((event.tool(), event.matcher_subject()), (None, None));
}

#[test]
fn wrong_types_stay_in_extra() {
    let text = r#"{"session_id":7,"effort":"high","hook_event_name":"PreToolUse","tool_name":5,"tool_input":"x","tool_use_id":null,"mcp_server":[]}"#;
    let event = Event::parse(text).unwrap();
    let Body::PreToolUse(body) = &event.body else { panic!() };
    assert_eq!((&body.tool_name, &body.tool_use_id, &body.mcp_server), (&None, &None, &None));
    assert_eq!(body.tool_input.as_ref().unwrap().as_str().unwrap(), "x");
    let left: Vec<_> = event.extra.iter().map(|(key, value)| (key.to_string(), value.text())).collect();
    let expected = [
        ("session_id", "7"),
        ("effort", "\"high\""),
        ("tool_name", "5"),
        ("tool_use_id", "null"),
        ("mcp_server", "[]"),
    ];
    assert_eq!(left, expected.map(|(key, value)| (key.to_owned(), value)));
    assert!(same_document(text, &event.to_json()));
    assert_eq!(event.tool(), None);
}

#[test]
fn one_odd_item_leaves_the_list_raw() {
    let text = r#"{"hook_event_name":"PostToolBatch","tool_calls":[{"tool_name":"Bash"},5]}"#;
    let event = Event::parse(text).unwrap();
    assert_eq!(event.extra.get("tool_calls").unwrap().items().unwrap().len(), 2);
    assert_eq!(event.to_json(), text);
}

#[test]
fn a_batch_has_its_calls() {
    let text = documented()[3];
    let Body::PostToolBatch(batch) = Event::parse(text).unwrap().body else { panic!() };
    let calls = batch.tool_calls.unwrap();
    assert_eq!(calls[0].tool().unwrap().command().unwrap(), "ls");
    assert_eq!(calls[1].tool().unwrap().id.unwrap(), "v");
    assert_eq!(calls[0].tool_response.as_ref().unwrap().as_str().unwrap(), "ok");
}

#[test]
fn the_name_may_be_missing() {
    for text in [r#"{"source":"clear"}"#, r#"{"hook_event_name":"","source":"clear"}"#] {
        assert_eq!(Event::parse(text).unwrap().name().as_str(), "");
        let event = Event::parse_as(text, "SessionStart").unwrap();
        let Body::SessionStart(start) = &event.body else { panic!() };
        assert_eq!(start.source, Some(SessionSource::Clear));
        assert_eq!(event.to_json(), r#"{"hook_event_name":"SessionStart","source":"clear"}"#);
    }
    assert_eq!(Event::parse_as("{}", "FutureEvent").unwrap().name().as_str(), "FutureEvent");
    assert_eq!(Event::parse_as(r#"{"hook_event_name":"Stop"}"#, "SessionStart").unwrap().name(), EventName::Stop);
    // A name of another type is kept beside the fallback, which counts.
    let event = Event::parse_as(r#"{"hook_event_name":5}"#, "Stop").unwrap();
    assert_eq!(event.name(), EventName::Stop);
    assert_eq!(Event::parse(r#"{"hook_event_name":5}"#).unwrap().to_json(), r#"{"hook_event_name":5}"#);
    let written = event.to_json();
    assert_eq!(Event::parse(&written).unwrap().name(), EventName::Stop);
}

#[test]
fn only_the_whole_document_can_fail() {
    for (text, kind) in [
        ("", ParseErrorKind::Empty),
        ("[]", ParseErrorKind::NotObject),
        ("{\"hook_event_name\":\"Stop\"", ParseErrorKind::NotJson),
        ("{}{}", ParseErrorKind::Trailing),
    ] {
        assert_eq!(Event::parse(text).unwrap_err().kind, kind);
    }
}

#[test]
fn s1_04_the_kind_of_subagent_has_two_names() {
    let kind = |text| Event::parse(text).unwrap().agent_type().map(std::borrow::Cow::into_owned);
    assert_eq!(kind(r#"{"hook_event_name":"SubagentStart","subagent_type":"planner"}"#).unwrap(), "planner");
    assert_eq!(
        kind(r#"{"hook_event_name":"SubagentStop","subagent_type":"x","agent_type":"guardian"}"#).unwrap(),
        "guardian"
    );
    assert_eq!(kind(r#"{"hook_event_name":"SubagentStop","agent_type":""}"#).unwrap(), "");
    assert_eq!(kind(r#"{"hook_event_name":"SubagentStop"}"#), None);
    let event = Event::parse(r#"{"hook_event_name":"SubagentStart","subagent_type":"planner"}"#).unwrap();
    assert_eq!(event.matcher_subject().unwrap(), "planner");
}

#[test]
fn s1_05_the_answer_has_three_names() {
    let text = |text| Event::parse(text).unwrap().last_assistant_message().map(std::borrow::Cow::into_owned);
    assert_eq!(
        text(r#"{"hook_event_name":"Stop","response":"c","assistant_response":"b","last_assistant_message":"a"}"#)
            .unwrap(),
        "a"
    );
    assert_eq!(text(r#"{"hook_event_name":"Stop","response":"c","assistant_response":"b"}"#).unwrap(), "b");
    assert_eq!(text(r#"{"hook_event_name":"SubagentStop","response":"c"}"#).unwrap(), "c");
    assert_eq!(text(r#"{"hook_event_name":"Stop","result":"d"}"#), None);
    let active = |text| Event::parse(text).unwrap().stop_hook_active();
    assert!(active(r#"{"hook_event_name":"Stop","stop_hook_active":true}"#));
    assert!(active(r#"{"hook_event_name":"SubagentStop","stop_hook_active":true}"#));
    assert!(!active(r#"{"hook_event_name":"Stop"}"#));
}

/// The first two names of S0-97; what stands for a missing name is the caller's business.
#[test]
fn the_tool_has_two_names() {
    let name = |text| Event::parse(text).unwrap().tool().map(|tool| tool.name.into_owned());
    assert_eq!(name(r#"{"hook_event_name":"PreToolUse","tool":"Read","tool_name":"Bash"}"#).unwrap(), "Bash");
    assert_eq!(name(r#"{"hook_event_name":"PreToolUse","tool":"Read"}"#).unwrap(), "Read");
    assert_eq!(name(r#"{"hook_event_name":"PreToolUse","tool":{}}"#), None);
    assert_eq!(name(r#"{"hook_event_name":"Stop","tool_name":"Bash"}"#), None);
}

#[test]
fn a_missing_input_reads_as_null() {
    let event = Event::parse(r#"{"hook_event_name":"PreToolUse","tool_name":"Bash"}"#).unwrap();
    let tool = event.tool().unwrap();
    assert!(tool.input.is_null());
    assert_eq!(tool.command(), None);
}

#[test]
fn null_is_something_else_than_absent() {
    for (text, expected) in [
        (r#"{"hook_event_name":"PreCompact"}"#, None),
        (r#"{"hook_event_name":"PreCompact","custom_instructions":null}"#, Some(Nullable::Null)),
        (r#"{"hook_event_name":"PreCompact","custom_instructions":"keep"}"#, Some(Nullable::Value(Text::from("keep")))),
    ] {
        let event = Event::parse(text).unwrap();
        let Body::PreCompact(PreCompact { custom_instructions, .. }) = &event.body else { panic!() };
        assert_eq!(custom_instructions, &expected);
        assert_eq!(event.to_json(), text);
    }
}

#[test]
fn of_duplicate_fields_the_last_counts() {
    let text = r#"{"hook_event_name":"Stop","tool_name":"Read","hook_event_name":"PreToolUse","tool_name":"Bash","x":1,"x":2}"#;
    let event = Event::parse(text).unwrap();
    assert_eq!(event.tool().unwrap().name, "Bash");
    assert_eq!(event.to_json(), r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","x":1,"x":2}"#);
    // Also when the last one is of the wrong type.
    let event = Event::parse(r#"{"hook_event_name":"PreToolUse","tool_name":"Read","tool_name":5}"#).unwrap();
    assert_eq!(event.tool(), None);
    assert_eq!(event.to_json(), r#"{"hook_event_name":"PreToolUse","tool_name":5}"#);
}

/// Quadratic work would take hours here.
#[test]
fn many_members_take_linear_time() {
    for member in [r#""tool_name":5,"#.to_owned(), r#""x":[{}],"#.to_owned()] {
        let text = format!(r#"{{{}"hook_event_name":"PreToolUse","tool_name":"Bash"}}"#, member.repeat(300_000));
        let mut event = Event::parse(&text).unwrap();
        assert_eq!(event.tool().unwrap().name, "Bash");
        event.extra.set("x", true);
        assert_eq!(event.extra.len(), 1);
    }
}

#[test]
fn deep_nesting_is_passed_over() {
    let text = format!(
        r#"{{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{{"a":{}1{}}},"tool_response":{}{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000),
        r#"{"a":"#.repeat(100_000) + "1",
        "}".repeat(100_000),
    );
    let event = Event::parse(&text).unwrap();
    assert_eq!(event.to_json(), text);
    assert_eq!(event.tool().unwrap().command(), None);
    let cut = text.strip_suffix('}').unwrap();
    assert_eq!(Event::parse(cut).unwrap_err().at, cut.len());
}

/// A large body is neither copied nor decoded: the event refers to the payload itself.
#[test]
fn a_large_body_stays_where_it_is() {
    let text = format!(
        r#"{{"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{{}},"tool_response":{{"content":"{}"}}}}"#,
        "x\\n".repeat(8 << 18)
    );
    let event = Event::parse(&text).unwrap();
    let Body::PostToolUse(body) = &event.body else { panic!() };
    let payload = text.as_bytes().as_ptr_range();
    let response = body.tool_response.as_ref().unwrap().text().as_bytes().as_ptr_range();
    assert!(payload.contains(&response.start) && response.end <= payload.end);
    let name = event.tool().unwrap().name;
    assert!(matches!(name, std::borrow::Cow::Borrowed(name) if payload.contains(&name.as_ptr())));
}

#[test]
fn another_agent_can_build_an_event() {
    let event = Event {
        common: Common {
            session_id: Some("s".into()),
            cwd: Some(String::from("/tmp/a \"b\"").into()),
            permission_mode: Some(PermissionMode::AcceptEdits),
            ..Common::default()
        },
        body: PreToolUse {
            tool_name: Some("Bash".into()),
            tool_input: Some(Raw::from_value(&std::collections::BTreeMap::from([("command", "ls\n")])).unwrap()),
            ..PreToolUse::default()
        }
        .into(),
        extra: Fields::parse(r#"{"host":"mine"}"#).unwrap(),
    };
    let text = r#"{"session_id":"s","cwd":"/tmp/a \"b\"","permission_mode":"acceptEdits","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls\n"},"host":"mine"}"#;
    assert_eq!(event.to_json(), text);
    assert_eq!(Event::parse(text).unwrap(), event);
    let start: Body<'_> = SessionStart { estimated_cache_write_usd: Some(f64::NAN), ..SessionStart::default() }.into();
    let event = Event { body: start, ..Event::default() };
    assert!(Event::parse(&event.to_json()).is_ok());
    assert_eq!(Body::from(PermissionDenied::default()).name(), EventName::PermissionDenied);
}

#[test]
fn subagents_are_known_by_their_id() {
    assert!(!Event::parse(r#"{"hook_event_name":"Stop","agent_type":"main"}"#).unwrap().in_subagent());
    assert!(Event::parse(r#"{"hook_event_name":"PreToolUse","agent_id":"a"}"#).unwrap().in_subagent());
}

#[test]
fn the_subject_of_paths_and_models_is_the_bare_name() {
    let subject = |text| Event::parse(text).unwrap().matcher_subject().map(std::borrow::Cow::into_owned);
    assert_eq!(subject(r#"{"hook_event_name":"FileChanged","file_path":"C:\\p\\a.env"}"#).unwrap(), "a.env");
    assert_eq!(subject(r#"{"hook_event_name":"FileChanged","file_path":"a.env"}"#).unwrap(), "a.env");
    assert_eq!(subject(r#"{"hook_event_name":"PreModelSwitch","to_model":"m-5[1m]"}"#).unwrap(), "m-5");
    assert_eq!(subject(r#"{"hook_event_name":"PostModelSwitch","to_model":"m-5"}"#).unwrap(), "m-5");
}
