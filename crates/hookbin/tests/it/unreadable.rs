//! Payloads that are damaged, odd or new: what cannot be read gets the profile's fail mode, everything else is decided.

use serde_json::json;

use crate::faults::{SESSION, bash, event, never_one};
use crate::sandbox::Sandbox;

/// What cannot be read: standard asks on PreToolUse, spf refuses, and no other event is answered.
#[test]
fn unreadable_payloads_get_the_fail_mode_of_the_profile() {
    let mut two = bash("ls");
    two.extend(bash("ls"));
    let mut cut = bash("ls");
    cut.truncate(cut.len() - 3);
    let unreadable: [(&str, Vec<u8>); 7] = [
        ("empty", Vec::new()),
        ("blank", b" \r\n ".to_vec()),
        ("not JSON", b"hello".to_vec()),
        ("cut off", cut),
        ("two documents", two),
        ("an array", b"[1]".to_vec()),
        ("a bare NUL", vec![0]),
    ];
    for (profile, code, decision) in [("standard", 0, "ask"), ("spf", 2, "deny")] {
        let sandbox = Sandbox::with_profile(profile);
        for (name, bytes) in &unreadable {
            let ran = sandbox.hook(&["PreToolUse"], bytes);
            assert_eq!(ran.code, Some(code), "{profile}, {name}: {ran:?}");
            assert_eq!(ran.decision().as_deref(), Some(decision), "{profile}, {name}: {ran:?}");
            for other in ["PostToolUse", "Stop", "UserPromptSubmit", "SessionStart", "Nonsense"] {
                let ran = sandbox.hook(&[other], bytes);
                assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{profile}, {other}, {name}: {ran:?}");
            }
        }
        let log = sandbox.read(".claude/hookbin/log/audit.jsonl");
        assert!(log.contains("payload not read"), "{log}");
    }
}

/// A call that is whole JSON but lacks what decides it is answered likewise, and the log says which part it is.
#[test]
fn the_log_names_the_part_of_a_call_that_cannot_be_read() {
    let sandbox = Sandbox::new();
    let call = |tool: serde_json::Value, input: serde_json::Value| {
        let mut call = event("PreToolUse");
        call["tool_name"] = tool;
        call["tool_input"] = input;
        call.to_string()
    };
    let twice =
        call(json!("Bash"), json!({"command": "ls"})).replace("\"command\":", "\"command\":\"pwd\",\"command\":");
    for (call, part) in [
        (call(json!("Bash"), json!({})), "tool_input.command is missing"),
        (call(json!("Bash"), json!({"command": 5})), "tool_input.command is no text"),
        (call(json!("Bash"), json!(["ls"])), "tool_input is no object"),
        (call(json!("Write"), json!({"content": "x"})), "tool_input.file_path is missing"),
        (call(json!("bash"), json!({})), "tool_input.command is missing"),
        (call(json!("Execute"), json!({"command": 5})), "tool_input.command is no text"),
        (call(json!(null), json!({"command": "ls"})), "tool_name is missing"),
        (twice, "tool_input.command stands there twice"),
    ] {
        let ran = sandbox.hook(&["PreToolUse"], call.as_bytes());
        assert_eq!((ran.code, ran.decision().as_deref()), (Some(0), Some("ask")), "{part}: {ran:?}");
        let log = sandbox.read(".claude/hookbin/log/audit.jsonl");
        let last = log.lines().last().unwrap_or_default();
        assert!(last.contains(&format!("call not read: {part}")), "{part}: {last}");
    }
}

/// What is odd but readable is decided as if nothing were odd: here native Bash under spf is refused with the documented text.
#[test]
fn sx_05_odd_payloads_are_read_all_the_same() {
    let sandbox = Sandbox::with_profile("spf");
    let plain = String::from_utf8(bash("ls")).unwrap();
    let bom = [b"\xef\xbb\xbf".as_slice(), plain.as_bytes()].concat();
    let crlf = plain.replace(',', ",\r\n").into_bytes();
    let surrogate = plain.replace("\"ls\"", r#""a \ud83d cut""#).into_bytes();
    let mut not_utf8 = plain.replace("\"ls\"", "\"caf?\"").into_bytes();
    let at = not_utf8.iter().position(|byte| *byte == b'?').unwrap();
    not_utf8[at] = 0xe9;
    let bang = plain.replace("\"ls\"", r#""echo hi\!""#).into_bytes();
    let control = plain.replace("\"ls\"", "\"a\nb\u{0}c\"").into_bytes();
    let no_session = plain.replace(SESSION, "").into_bytes();
    let wrong_types = plain.replace("\"toolu_1\"", "[1]").replace("\"/nowhere\"", "{}").into_bytes();
    let large = bash(&"x".repeat(8 << 20));
    let deep = plain.replace("\"ls\"", &format!("{}{}", "[".repeat(100_000), "]".repeat(100_000))).into_bytes();
    for (name, bytes) in [
        ("BOM", bom),
        ("CRLF", crlf),
        ("lone surrogate", surrogate),
        ("invalid UTF-8", not_utf8),
        ("escaped exclamation mark", bang),
        ("control characters", control),
        ("empty session", no_session),
        ("wrong types", wrong_types),
        ("8 MiB", large),
        ("100,000 deep", deep),
    ] {
        let ran = sandbox.hook(&["PreToolUse"], &bytes);
        assert_eq!(ran.code, Some(2), "{name}: {} {}", ran.stdout, ran.stderr);
        let first = ran.stderr.lines().next();
        assert_eq!(first, Some("BLOCKED: Native Bash disabled. Use spf_bash with approved=true"), "{name}");
        assert!(ran.stdout.len() < 1_000, "{name}: the answer repeats the payload");
    }
}

#[test]
fn unknown_names_and_values_are_no_fault() {
    for profile in ["standard", "spf"] {
        let sandbox = Sandbox::with_profile(profile);
        let mut odd = event("FutureEvent");
        odd["anything"] = json!({"a": [1, null]});
        let mut tool = event("PreToolUse");
        tool["tool_name"] = json!("FutureTool");
        tool["permission_mode"] = json!("futureMode");
        tool["tool_input"] = json!("text");
        let mut source = event("SessionStart");
        source["source"] = json!("future");
        for (name, event) in [("event", odd), ("tool", tool), ("source", source)] {
            let ran = sandbox.hook(&[], event.to_string().as_bytes());
            never_one(&ran);
            assert_eq!(ran.code, Some(0), "{profile}, {name}: {ran:?}");
            assert_eq!(ran.decision(), None, "{profile}, {name}: {ran:?}");
        }
        let newer = sandbox.hook(&["FutureEvent"], event("FutureEvent").to_string().as_bytes());
        assert_eq!((newer.code, newer.stdout.as_str(), newer.stderr.as_str()), (Some(0), "", ""));
    }
}
