//! Many processes at once on one session, two sessions, and forced rotation: nothing is lost, torn or mixed (SX-04).

use std::collections::HashSet;
use std::thread;

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, tree};

fn call(session: &str, number: usize) -> Vec<u8> {
    json!({
        "session_id": session, "cwd": "/", "hook_event_name": "PostToolUse", "tool_name": "Read",
        "tool_input": {"file_path": format!("/f{}", number % 300)}, "tool_response": "ok", "tool_use_id": format!("toolu_{session}_{number:05}"),
    })
    .to_string()
    .into_bytes()
}

/// `processes` at a time, `each` events one after another.
fn storm(sandbox: &Sandbox, sessions: &[&str], processes: usize, each: usize) {
    thread::scope(|scope| {
        for worker in 0..processes {
            let session = sessions[worker % sessions.len()];
            scope.spawn(move || {
                for n in 0..each {
                    let ran = sandbox.hook(&["PostToolUse"], &call(session, worker * each + n));
                    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
                }
            });
        }
    });
}

fn logged(sandbox: &Sandbox) -> Vec<Value> {
    let files = tree(&sandbox.log()).into_iter().filter(|path| path.extension().is_some_and(|it| it == "jsonl"));
    let text: String = files.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn document(sandbox: &Sandbox, session: &str) -> Value {
    sandbox.json(&format!(".claude/hookbin/state/sessions/{session}.json"))
}

#[test]
fn sx_04_3200_events_of_64_processes_are_3200_actions_and_3200_records() {
    for log in ["", "[log]\nmax_bytes = 102400\nkeep = 1000\n"] {
        let sandbox = Sandbox::new();
        sandbox.write(".claude/hookbin.toml", &format!("profile = [\"spf\"]\n{log}"));
        storm(&sandbox, &["one"], 64, 50);
        let activity = &document(&sandbox, "one")["activity"];
        assert_eq!(activity["action_count"], 3_200);
        let view = sandbox.json(".claude/hookbin/state/session.json");
        assert_eq!(view["action_count"], 3_200);
        assert_eq!(view["files_read"].as_array().unwrap().len(), 200);
        assert_eq!(view["files_read_total"], 300);
        assert!(sandbox.read(".claude/hookbin/state/STATUS.txt").contains("Session Actions: 3200"));
        assert_eq!(sandbox.read(".claude/hookbin/state/spf.log").lines().count(), 3_200);
        let records = logged(&sandbox);
        assert_eq!(records.len(), 3_200);
        let calls: HashSet<&str> = records.iter().map(|record| record["tool_use_id"].as_str().unwrap()).collect();
        assert_eq!(calls.len(), 3_200);
        let ran = sandbox.cli(&["log", "verify", "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.json()["records"], 3_200);
        let files = tree(&sandbox.log()).len();
        assert!(if log.is_empty() { files <= 2 } else { files > 5 }, "{files} files");
    }
}

#[test]
fn sx_04_two_sessions_at_once_stay_apart() {
    let sandbox = Sandbox::with_profile("spf");
    storm(&sandbox, &["one", "two"], 8, 20);
    for session in ["one", "two"] {
        assert_eq!(document(&sandbox, session)["activity"]["action_count"], 80);
    }
    let view = sandbox.json(".claude/hookbin/state/session.json");
    assert_eq!(view["action_count"], 80, "the view shows one session whole: {view}");
}

/// Other programs read the views while hooks write them.
#[test]
fn a_reader_never_finds_half_a_document() {
    let sandbox = Sandbox::with_profile("spf");
    let path = sandbox.state("session.json");
    thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|worker| {
                let sandbox = &sandbox;
                scope.spawn(move || {
                    for n in 0..40 {
                        sandbox.hook(&["PostToolUse"], &call("one", worker * 40 + n));
                    }
                })
            })
            .collect();
        let mut reads = 0;
        while !writers.iter().all(thread::ScopedJoinHandle::is_finished) {
            if let Ok(text) = std::fs::read_to_string(&path) {
                let seen: Result<Value, _> = serde_json::from_str(&text);
                assert!(seen.is_ok(), "{text:?}");
                reads += 1;
            }
        }
        assert!(reads > 0);
    });
}
