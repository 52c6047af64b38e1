//! Every payload recorded from the real client is read to its own event and written back as the same document.

use std::collections::BTreeSet;
use std::path::PathBuf;

use hook_protocol::event::{Body, Event, EventName};

use crate::lenient::same_document;

/// The recorded payloads: file name and text. The name starts with the event, up to the first dot.
pub(crate) fn recorded() -> Vec<(String, String)> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/payloads");
    let mut files: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read_to_string(entry.path()).unwrap()))
        .collect();
    files.sort();
    assert_eq!(files.len(), 141);
    files
}

#[test]
fn each_is_its_own_event_with_nothing_left_over() {
    for (file, text) in recorded() {
        let event = Event::parse(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(event.name().as_str(), file.split('.').next().unwrap());
        assert!(!matches!(event.body, Body::Other(_)), "{file}");
        assert!(event.extra.is_empty(), "{file} leaves {:?}", event.extra);
        assert!(event.common.session_id.is_some() && event.common.cwd.is_some(), "{file}");
    }
}

#[test]
fn all_34_events_are_recorded() {
    let seen: BTreeSet<_> = recorded().iter().map(|(file, _)| file.split('.').next().unwrap().to_owned()).collect();
    let known: BTreeSet<_> = EventName::ALL.iter().map(|name| name.as_str().to_owned()).collect();
    assert_eq!(seen, known);
}

#[test]
fn each_is_written_back_as_the_same_document() {
    for (file, text) in recorded() {
        let written = Event::parse(&text).unwrap().to_json();
        assert!(same_document(&text, &written), "{file}\n{text}\n{written}");
    }
}

/// Serialising through serde gives the same text as `to_json`, lone surrogates included.
#[test]
fn serde_writes_the_same_text() {
    for (_, text) in recorded() {
        let event = Event::parse(&text).unwrap();
        assert_eq!(serde_json::to_string(&event).unwrap(), event.to_json());
    }
}

#[test]
fn s1_03_tool_events_carry_name_input_and_cwd() {
    let mut calls = 0;
    for (file, text) in recorded() {
        let event = Event::parse(&text).unwrap();
        let Some(tool) = event.tool() else { continue };
        calls += 1;
        assert!(event.common.cwd.as_ref().unwrap().as_str().starts_with('/'), "{file}");
        assert!(tool.input.is_object(), "{file}");
        assert!(file.split('.').nth(1) == Some(&*tool.name), "{file} says {}", tool.name);
        match &*tool.name {
            "Bash" => assert!(!tool.command().unwrap().is_empty(), "{file}"),
            "Read" | "Write" | "Edit" | "NotebookEdit" => {
                assert!(tool.touched_path().unwrap().starts_with("/home/user/"), "{file}");
            }
            _ => {}
        }
    }
    // PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest, PermissionDenied and PreSkillShellCommand.
    assert_eq!(calls, 66);
}

/// Which events the documentation gives a matcher to, and what it is compared with, on recorded payloads.
#[test]
fn the_matcher_subject_is_the_documented_field() {
    let field_of = |event: &str| match event {
        "PreToolUse"
        | "PostToolUse"
        | "PostToolUseFailure"
        | "PermissionRequest"
        | "PermissionDenied"
        | "PreSkillShellCommand" => Some("tool_name"),
        "Notification" => Some("notification_type"),
        "UserPromptExpansion" => Some("command_name"),
        "SessionStart" | "ConfigChange" | "DirectoryAdded" => Some("source"),
        "SessionEnd" => Some("reason"),
        "StopFailure" => Some("error"),
        "SubagentStart" | "SubagentStop" => Some("agent_type"),
        "PreCompact" | "PostCompact" | "Setup" => Some("trigger"),
        "PreModelSwitch" | "PostModelSwitch" => Some("to_model"),
        "Elicitation" | "ElicitationResult" => Some("mcp_server_name"),
        "InstructionsLoaded" => Some("load_reason"),
        "FileChanged" => Some("file_path"),
        _ => None,
    };
    for (file, text) in recorded() {
        let event = Event::parse(&text).unwrap();
        let members = hook_protocol::raw::Fields::parse(&text).unwrap();
        let mut wanted =
            field_of(event.name().as_str()).map(|field| members.get(field).unwrap().as_str().unwrap().into_owned());
        if file.starts_with("FileChanged") {
            wanted = wanted.map(|path| path.rsplit('/').next().unwrap().to_owned());
        }
        assert_eq!(event.matcher_subject().as_deref(), wanted.as_deref(), "{file}");
    }
}
