//! Replies: what is printed for each event, and what the host makes of what a hook printed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like the tests themselves"
)]

use std::borrow::Cow;

use hook_protocol::reply::*;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

#[allow(clippy::unnecessary_wraps, reason = "the fields are optional")]
fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// What a reply prints, as a value; it must be one line.
fn printed(reply: impl Into<Reply>) -> Value {
    let out = reply.into().stdout();
    assert!(out.ends_with("}\n") && out.lines().count() == 1, "{out:?}");
    serde_json::from_str(&out).unwrap()
}

#[derive(Deserialize)]
struct Case {
    name: String,
    event: String,
    stdout: String,
    is: String,
    prints: Option<String>,
    says: Option<String>,
}

/// Each case is a row of the host's documented or observed behaviour; names with a dot are those of the observation.
#[test]
fn stdout_is_read_by_the_client_s_rules() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../data/reply/parse.json")).unwrap();
    for case in cases {
        let outcome = Reply::parse(&case.event, &case.stdout);
        let found = match &outcome {
            Ok(Outcome::Nothing) => "nothing",
            Ok(Outcome::Ignored) => "ignored",
            Ok(Outcome::Async) => "async",
            Ok(Outcome::Reply(_)) => "reply",
            Err(_) => "error",
        };
        assert_eq!(found, case.is, "{}: {outcome:?}", case.name);
        match outcome {
            Ok(Outcome::Reply(reply)) => {
                assert_eq!(reply.event(), case.event, "{}", case.name);
                assert_eq!(Some(reply.stdout()), case.prints, "{}", case.name);
            }
            Err(error) => {
                let (error, says) = (error.to_string(), case.says.expect("a case of an error says something"));
                assert!(error.contains(&says), "{}: {error}", case.name);
            }
            _ => {}
        }
    }
}

#[test]
fn s1_06_pre_tool_use_deny_is_a_permission_decision_with_its_reason() {
    let reply = Reply::from(PreToolUse::deny("no \"rm\"\nhere"));
    assert_eq!(
        reply.stdout(),
        concat!(
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","#,
            r#""permissionDecisionReason":"no \"rm\"\nhere"}}"#,
            "\n"
        )
    );
    assert_eq!((reply.exit_code(), reply.refusal()), (2, Some("no \"rm\"\nhere")));
}

/// An updated input replaces the old one whole, so its text is passed on as it is: order, escapes, lone surrogates.
#[test]
fn s1_07_pre_tool_use_rewrite_carries_the_whole_input() {
    let input = r#"{"z":1.0,"command":"echo \ud800","a":{"b":[1e5]}}"#;
    let mut reply = PreToolUse { updated_input: Some(raw(input)), ..PreToolUse::default() };
    let start = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","#;
    assert_eq!(Reply::from(reply.clone()).stdout(), format!("{start}\"updatedInput\":{input}}}}}\n"));

    reply.decision = Some(PreToolDecision::Allow { reason: text("safer") });
    let allow = r#""permissionDecision":"allow","permissionDecisionReason":"safer","#;
    assert_eq!(Reply::from(reply.clone()).stdout(), format!("{start}{allow}\"updatedInput\":{input}}}}}\n"));

    // With deny and defer the host ignores it.
    for decision in [PreToolDecision::Deny { reason: String::new() }, PreToolDecision::Defer] {
        reply.decision = Some(decision);
        assert!(!Reply::from(reply.clone()).stdout().contains("updatedInput"));
    }
}

#[test]
fn s1_08_pre_tool_use_advice_has_no_permission_decision() {
    let reply = PreToolUse { additional_context: text("mind the lock file"), ..PreToolUse::default() };
    assert_eq!(
        printed(reply),
        json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "mind the lock file"}})
    );
}

#[test]
fn s1_09_post_tool_use_feedback_is_additional_context() {
    let reply = PostToolUse { additional_context: text("2 warnings"), ..PostToolUse::default() };
    assert_eq!(Reply::from(reply.clone()).exit_code(), exit_code::SUCCESS);
    assert_eq!(
        printed(reply),
        json!({"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "2 warnings"}})
    );
}

#[test]
fn s1_11_stop_answers_with_a_message_or_a_block() {
    let message = Stop { notice: Universal::message("3 files changed"), ..Stop::default() };
    assert_eq!(printed(message), json!({"systemMessage": "3 files changed"}));
    let block = Stop { block: text("run the tests"), ..Stop::default() };
    assert_eq!(Reply::from(block.clone()).exit_code(), exit_code::SUCCESS);
    assert_eq!(printed(block), json!({"decision": "block", "reason": "run the tests"}));
}

#[test]
fn s2_26_block_is_decision_and_reason() {
    let block = json!({"decision": "block", "reason": "r"});
    assert_eq!(printed(UserPromptSubmit { block: text("r"), ..UserPromptSubmit::default() }), block);
    assert_eq!(printed(UserPromptExpansion { block: text("r"), ..UserPromptExpansion::default() }), block);
    assert_eq!(printed(PostToolUse { block: text("r"), ..PostToolUse::default() }), block);
    assert_eq!(printed(PostToolUseFailure { block: text("r"), ..PostToolUseFailure::default() }), block);
    assert_eq!(printed(PostToolBatch { block: text("r"), ..PostToolBatch::default() }), block);
    assert_eq!(printed(SubagentStop { block: text("r"), ..SubagentStop::default() }), block);
    assert_eq!(printed(PreCompact { block: text("r"), text: text("lost") }), block);
    assert_eq!(printed(ConfigChange { block: text("r") }), block);
    assert_eq!(printed(TaskCreated { block: text("r"), ..TaskCreated::default() }), block);
}

#[test]
fn ending_the_turn_is_continue_false() {
    let reply = PostToolUse { notice: Universal::stopping("budget used up"), ..PostToolUse::default() };
    assert_eq!(printed(reply), json!({"continue": false, "stopReason": "budget used up"}));
    let reply = TeammateIdle { notice: Universal::stopping("") };
    assert_eq!(printed(reply), json!({"continue": false}));
}

#[test]
fn permission_request_answers_in_place_of_the_user() {
    let allow = PermissionDecision::Allow {
        updated_input: Some(raw(r#"{"command":"ls"}"#)),
        updated_permissions: vec![
            raw("{\n\"type\":\"setMode\",\r\n\"mode\":\"plan\",\"destination\":\"session\"}"),
            raw(r#"{"type":"addDirectories","directories":[],"destination":"session"}"#),
        ],
    };
    assert_eq!(
        printed(PermissionRequest { decision: Some(allow), ..PermissionRequest::default() }),
        json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {
            "behavior": "allow",
            "updatedInput": {"command": "ls"},
            "updatedPermissions": [
                {"type": "setMode", "mode": "plan", "destination": "session"},
                {"type": "addDirectories", "directories": [], "destination": "session"},
            ],
        }}})
    );
    let deny = PermissionDecision::Deny { message: text("no"), interrupt: true };
    let reply = Reply::from(PermissionRequest { decision: Some(deny), ..PermissionRequest::default() });
    // Exit code 2 has no effect on this event.
    assert_eq!(reply.exit_code(), exit_code::SUCCESS);
    assert_eq!(
        printed(reply),
        json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest",
            "decision": {"behavior": "deny", "message": "no", "interrupt": true}}})
    );
}

#[test]
fn plain_text_goes_alone_and_never_looks_like_json() {
    let start = SessionStart { text: text("welcome\n\n"), ..SessionStart::default() };
    assert_eq!(Reply::from(start.clone()).stdout(), "welcome\n");
    // JSON has to be sent as well.
    let both = SessionStart { notice: Notice::message("old state"), ..start.clone() };
    assert_eq!(
        printed(both),
        json!({"systemMessage": "old state",
            "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "welcome\n\n"}})
    );
    let both = SessionStart { additional_context: text("card"), ..start };
    assert_eq!(
        printed(both),
        json!({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "card\nwelcome\n\n"}})
    );
    // It would be read as JSON.
    let brace = UserPromptSubmit { text: text("\u{feff} {x}"), ..UserPromptSubmit::default() };
    assert_eq!(
        printed(brace),
        json!({"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "\u{feff} {x}"}})
    );
    let compact = PreCompact { text: text("{keep}"), ..PreCompact::default() };
    assert_eq!(Reply::from(compact).stdout(), "Instructions:\n{keep}\n");
    let blank = PreCompact { text: text(" \n"), ..PreCompact::default() };
    assert!(Reply::from(blank).is_empty());
    let two_lines = WorktreeCreate { path: "/a\n/b".to_owned() };
    assert!(Reply::from(two_lines).is_empty());
}

#[test]
fn terminal_signals_are_only_those_the_client_passes_on() {
    let title = TerminalSequence::command(TerminalCommand::Title, "a\u{7}b\u{1b}c");
    assert_eq!(title.as_str(), "\u{1b}]0;abc\u{7}");
    let mut all = TerminalSequence::bell().as_str().to_owned();
    for (command, number) in [
        (TerminalCommand::Title, 0),
        (TerminalCommand::IconName, 1),
        (TerminalCommand::WindowTitle, 2),
        (TerminalCommand::Notify, 9),
        (TerminalCommand::KittyNotify, 99),
        (TerminalCommand::RxvtNotify, 777),
    ] {
        let sequence = TerminalSequence::command(command, "x");
        assert_eq!(sequence.as_str(), format!("\u{1b}]{number};x\u{7}"));
        all.push_str(sequence.as_str());
    }
    all.push_str("\u{1b}]9;done\u{1b}\\");
    assert_eq!(TerminalSequence::parse(&all).unwrap().as_str(), all);
    for other in ["", "x", "\u{1b}[2J", "\u{1b}]52;c;eA==\u{7}", "\u{1b}]8;;http://x\u{7}", "\u{1b}]0;x", "\u{7}x"] {
        assert_eq!(TerminalSequence::parse(other), None, "{other:?}");
    }
    let reply = Notification { terminal_sequence: Some(TerminalSequence::bell()), ..Notification::default() };
    assert_eq!(printed(reply), json!({"terminalSequence": "\u{7}"}));
}

/// The events and the top-level and own fields they accept, from the host's types: `n` a message to the user, `c` the end
/// of the turn, `b` a block, `p` plain text, `t` a terminal signal where it is all that is left of the shared fields.
const ACCEPTED: &[(&str, &str, &[&str])] = &[
    ("PreToolUse", "nc", &["permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"]),
    ("PreSkillShellCommand", "nc", &["permissionDecision", "permissionDecisionReason"]),
    ("PreModelSwitch", "nc", &["permissionDecision", "permissionDecisionReason"]),
    ("PermissionRequest", "nc", &["decision"]),
    ("PermissionDenied", "nc", &["retry"]),
    ("PostToolUse", "ncb", &["additionalContext", "classifierContext", "updatedToolOutput", "updatedMCPToolOutput"]),
    ("PostToolUseFailure", "ncb", &["additionalContext"]),
    ("PostToolBatch", "ncb", &["additionalContext"]),
    ("Stop", "ncb", &["additionalContext"]),
    ("SubagentStop", "ncb", &["additionalContext"]),
    ("SubagentStart", "nc", &["additionalContext"]),
    ("Setup", "nc", &["additionalContext"]),
    ("PostModelSwitch", "ncp", &["additionalContext"]),
    ("Notification", "t", &["additionalContext"]),
    ("UserPromptSubmit", "ncbp", &["additionalContext", "sessionTitle", "suppressOriginalPrompt"]),
    ("UserPromptExpansion", "ncbp", &["additionalContext", "suppressOriginalPrompt"]),
    ("SessionStart", "np", &["additionalContext", "initialUserMessage", "sessionTitle", "watchPaths", "reloadSkills"]),
    ("CwdChanged", "n", &["watchPaths"]),
    ("FileChanged", "n", &["watchPaths"]),
    ("Elicitation", "", &["action", "content"]),
    ("ElicitationResult", "", &["action", "content"]),
    ("WorktreeCreate", "p", &[]),
    ("MessageDisplay", "", &["displayContent"]),
    ("PreCompact", "bp", &[]),
    ("PostCompact", "p", &[]),
    ("TaskCreated", "nb", &[]),
    ("TaskCompleted", "nc", &[]),
    ("TeammateIdle", "nc", &[]),
    ("ConfigChange", "b", &[]),
    ("DirectoryAdded", "n", &[]),
];

/// Every key a client reads, with a value of its type; the universal ones at the top.
fn everything(event: &str, own: &[&str]) -> String {
    let mut specific = serde_json::Map::new();
    specific.insert("hookEventName".to_owned(), json!(event));
    for field in own {
        let value = match *field {
            "permissionDecision" => json!("ask"),
            "updatedInput" | "content" | "updatedToolOutput" | "updatedMCPToolOutput" => json!({"k": [1]}),
            "decision" => json!({"behavior": "deny", "message": "m", "interrupt": true}),
            "retry" | "suppressOriginalPrompt" | "reloadSkills" => json!(true),
            "watchPaths" => json!(["/a", "b"]),
            "action" => json!("accept"),
            _ => json!("text"),
        };
        specific.insert((*field).to_owned(), value);
    }
    let mut top = json!({"continue": false, "stopReason": "s", "suppressOutput": true, "systemMessage": "m",
        "terminalSequence": "\u{7}", "decision": "block", "reason": "r"});
    if !own.is_empty() {
        top["hookSpecificOutput"] = specific.into();
    }
    top.to_string()
}

/// What is written is what the event accepts: every accepted field survives reading and writing, every other one is gone.
#[test]
fn each_event_keeps_the_fields_it_accepts_and_no_others() {
    let mut events: Vec<&str> = ACCEPTED.iter().map(|(event, _, _)| *event).collect();
    let mut known = Reply::EVENTS.to_vec();
    events.sort_unstable();
    known.sort_unstable();
    assert_eq!(events, known);
    for (event, top, own) in ACCEPTED {
        let Outcome::Reply(reply) = Reply::parse(event, &everything(event, own)).unwrap() else { panic!("{event}") };
        let found: Value = match reply.stdout().as_str() {
            "" => json!({}),
            out => serde_json::from_str(out).unwrap(),
        };
        let keys = |value: &Value| {
            let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
            keys.sort();
            keys
        };
        let mut expected = Vec::new();
        if top.contains('n') {
            expected.extend(["suppressOutput", "systemMessage", "terminalSequence"]);
        }
        if top.contains('t') {
            expected.push("terminalSequence");
        }
        if top.contains('c') {
            expected.extend(["continue", "stopReason"]);
        }
        if top.contains('b') {
            expected.extend(["decision", "reason"]);
        }
        let skill = *event == "PreSkillShellCommand";
        if !own.is_empty() {
            expected.push("hookSpecificOutput");
            let mut own: Vec<&str> = own.iter().copied().chain(["hookEventName"]).collect();
            own.sort_unstable();
            assert_eq!(keys(&found["hookSpecificOutput"]), own, "{event}");
            assert_eq!(found["hookSpecificOutput"]["hookEventName"], **event);
            if !skill {
                let sent: Value = serde_json::from_str(&everything(event, &own[..])).unwrap();
                for field in own.iter().filter(|field| **field != "hookEventName") {
                    assert_eq!(
                        found["hookSpecificOutput"][field], sent["hookSpecificOutput"][field],
                        "{event} {field}"
                    );
                }
            }
        }
        expected.sort_unstable();
        assert_eq!(keys(&found), expected, "{event}");
        assert_eq!(reply.event(), *event);
    }
}

#[test]
fn an_empty_answer_prints_nothing_and_unknown_events_have_none() {
    for event in Reply::EVENTS {
        let reply = Reply::empty(event).unwrap();
        assert_eq!((reply.event(), reply.stdout(), reply.exit_code()), (*event, String::new(), 0));
        assert!(reply.is_empty());
    }
    for event in ["SessionEnd", "StopFailure", "WorktreeRemove", "InstructionsLoaded", "Later", "", "pretooluse"] {
        assert!(Reply::empty(event).is_none(), "{event}");
    }
}

/// A text added by the general methods is delivered exactly where the event accepts it; a refused one changes nothing.
#[test]
fn added_texts_are_delivered_or_refused() {
    for (event, top, own) in ACCEPTED {
        let context = (own.contains(&"additionalContext") && *event != "Notification") || event.ends_with("Compact");
        let mut reply = Reply::empty(event).unwrap();
        assert_eq!(reply.add_context("one"), context, "{event}");
        assert_eq!(reply.is_empty(), !context, "{event}");
        assert_eq!(reply.add_context("two"), context);
        assert_eq!(reply.stdout().contains("one\\ntwo") || reply.stdout() == "one\ntwo\n", context, "{event}");

        let mut reply = Reply::empty(event).unwrap();
        assert_eq!(reply.add_system_message("said"), top.contains('n'), "{event}");
        assert_eq!(reply.stdout() == "{\"systemMessage\":\"said\"}\n", top.contains('n'), "{event}");

        let refusable = top.contains('b')
            || own.contains(&"permissionDecision")
            || own.contains(&"action")
            || own.contains(&"decision");
        let mut reply = Reply::empty(event).unwrap();
        assert_eq!(reply.refuse("why"), refusable, "{event}");
        assert_eq!(reply.refuse("also"), refusable);
        assert_eq!(reply.is_empty(), !refusable, "{event}");
        if refusable && !own.contains(&"action") {
            assert!(reply.stdout().contains("why\\nalso"), "{event}");
        }
        assert_eq!(reply.exit_code() == exit_code::BLOCK, *event == "PreToolUse");
    }
}

#[test]
fn clipping_counts_utf16_and_says_how_much_was_cut() {
    let whole = "\u{1f600}".repeat(5_000);
    assert!(matches!(clip_context(&whole, CONTEXT_LIMIT), Cow::Borrowed(text) if text == whole));
    // 10 002 units; the note has room for a number of five digits, 2 + 5 + 16 units, so (10 000 - 23) / 2 = 4 988 whole
    // characters stay and 10 002 - 9 976 = 26 units go.
    let clipped = clip_context(&(whole + "\u{1f600}"), CONTEXT_LIMIT).into_owned();
    assert_eq!(clipped, "\u{1f600}".repeat(4_988) + "\n[26 characters cut]");
    assert_eq!(clip_context("abcdef", 3), "abc");
    assert_eq!(clip_context("\u{1f600}\u{1f600}", 1), "");
}

proptest! {
    /// No text is longer than the limit, what is kept is a start of it, and the number told is what is missing.
    #[test]
    fn clipped_text_fits_and_is_a_start(text in "\\PC{0,200}", limit in 0_usize..120) {
        let units = |text: &str| text.encode_utf16().count();
        let clipped = clip_context(&text, limit);
        prop_assert!(units(&clipped) <= limit);
        if units(&text) <= limit {
            prop_assert_eq!(&*clipped, &*text);
        } else if let Some((kept, note)) = clipped.rsplit_once("\n[").filter(|(_, note)| note.ends_with(" characters cut]")) {
            prop_assert!(text.starts_with(kept));
            prop_assert_eq!(note, format!("{} characters cut]", units(&text) - units(kept)));
        } else {
            prop_assert!(text.starts_with(&*clipped));
        }
    }

    /// Whatever the texts are, one JSON document is printed that says the same when it is read back.
    #[test]
    fn any_text_survives_the_wire(reason in any::<String>(), context in any::<String>(), message in any::<String>()) {
        let reply = Reply::from(PreToolUse {
            decision: Some(PreToolDecision::Deny { reason: reason.clone() }),
            additional_context: Some(context.clone()),
            notice: Universal { system_message: Some(message.clone()), stop: Some(reason.clone()), ..Universal::default() },
            ..PreToolUse::default()
        });
        let out = reply.stdout();
        prop_assert_eq!(out.lines().count(), 1);
        let value: Value = serde_json::from_str(&out).unwrap();
        prop_assert_eq!(&value["hookSpecificOutput"]["permissionDecisionReason"], &json!(reason));
        prop_assert_eq!(&value["hookSpecificOutput"]["additionalContext"], &json!(context));
        prop_assert_eq!(&value["systemMessage"], &json!(message));
        prop_assert!(out.contains(&serde_json::to_string(&context).unwrap()));
        match Reply::parse("PreToolUse", &out).unwrap() {
            Outcome::Reply(read) => prop_assert_eq!(read.stdout(), out),
            other => prop_assert!(false, "{:?}", other),
        }
    }

    /// Plain text is never printed in a form that the host takes for JSON.
    #[test]
    fn plain_text_is_read_back_as_context(text in "[ \\n{}\"a\u{feff}]{0,12}") {
        for event in ["UserPromptSubmit", "SessionStart", "PreCompact"] {
            let mut reply = match event {
                "UserPromptSubmit" => UserPromptSubmit { text: Some(text.clone()), ..UserPromptSubmit::default() }.into(),
                "SessionStart" => SessionStart { text: Some(text.clone()), ..SessionStart::default() }.into(),
                _ => Reply::from(PreCompact { text: Some(text.clone()), block: None }),
            };
            let outcome = Reply::parse(event, &reply.stdout());
            prop_assert!(outcome.is_ok(), "{:?}", outcome);
            let _ = reply.add_context("x");
            prop_assert!(Reply::parse(event, &reply.stdout()).is_ok());
        }
    }

    /// Reading never panics, whatever a hook prints.
    #[test]
    fn any_output_is_read(event in 0..ACCEPTED.len(), out in "[\\[\\]{}:,\"a-e\\\\ \\n0-9]{0,40}|\\PC*") {
        let _ = Reply::parse(ACCEPTED[event].0, &out);
    }
}

/// Every character that JSON escapes is written as `serde_json` writes it, at every place of a longer text.
#[test]
fn strings_are_escaped_as_serde_json_does() {
    for code in (0..0x80).chain([0xe9, 0x2028, 0x1_f600]) {
        let character = char::from_u32(code).unwrap();
        for place in [0, 1, 31, 32, 33, 63] {
            let path = format!("{}{character}{}", "a".repeat(place), "b".repeat(40));
            let reply = FileChanged { watch_paths: Some(vec![path.clone(), path.clone()]), ..FileChanged::default() };
            let list = serde_json::to_string(&[&path, &path]).unwrap();
            assert!(Reply::from(reply).stdout().contains(&list), "{code:#x} at {place}");
        }
    }
}

/// Nesting of any depth is skipped without recursion.
#[test]
fn deep_values_are_passed_on() {
    let deep = format!("{{\"k\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
    let out = format!(r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","updatedInput":{deep}}}}}"#);
    let Outcome::Reply(reply) = Reply::parse("PreToolUse", &out).unwrap() else { panic!("no reply") };
    assert_eq!(reply.stdout(), out + "\n");
}
