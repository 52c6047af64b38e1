//! The life of a session as the registry sees it: start, prompts, calls, stops, end; and what it is reminded of.

use hook_session_state::registry::{Attention, Change, EventId, Execution, RegistryEvent, Spool, Worker, WorkerStatus};
use serde_json::{Value, json};

use super::{CLIENT, Session, shown, told};

fn state(session: &Session) -> String {
    session.row()["current_state"].as_str().unwrap().to_owned()
}

#[test]
fn s4_05_a_start_reads_id_role_and_mode_from_the_environment() {
    let session = Session::new()
        .env("CLAUDE_SESSION_ID", "wrapper-1")
        .env("CLAUDE_SESSION_ROLE", "system")
        .env("CLAUDE_SESSION_MODE", "background");
    session.start("startup");
    let row = session.row_of("wrapper-1");
    assert_eq!(
        (&row["session_id"], &row["role"], &row["mode"]),
        (&json!("wrapper-1"), &json!("system"), &json!("background")),
        "{row}"
    );
}

#[test]
fn s4_06_a_start_makes_the_sessions_row() {
    let session = Session::new()
        .env("CLAUDE_SESSION_DESCRIPTION", "tidy up")
        .env("CLAUDE_CONVERSATION_ID", "talk-1")
        .env("CLAUDE_PARENT_SESSION_ID", "parent-1");
    session.start("startup");
    let row = session.row();
    for (field, value) in [
        ("description", "tidy up"),
        ("conversation_id", "talk-1"),
        ("parent_session_id", "parent-1"),
        ("current_state", "idle"),
        ("claude_session_id", "transcript"),
        ("cwd", session.sandbox.project().to_str().unwrap()),
        ("transcript_path", session.transcript().to_str().unwrap()),
    ] {
        assert_eq!(row[field], value, "{field}: {row}");
    }
    assert_eq!(row["started_at"], 1_780_000_000_000_i64, "{row}");
}

/// A pane has one session: the one that was there before has ended.
#[test]
fn s4_07_a_start_captures_the_pane() {
    let mut session = Session::new().env("TMUX_PANE", "%7").env("CLAUDE_SESSION_ID", "first");
    session.start("startup");
    assert_eq!(session.row_of("first")["tmux_pane"], "%7");
    session.set("CLAUDE_SESSION_ID", "second");
    session.start("startup");
    assert_eq!(session.row_of("second")["tmux_pane"], "%7");
    assert_eq!(session.row_of("first")["end_reason"], "pane_reused");
    session.env.retain(|(name, _)| name != "TMUX_PANE");
    session.set("CLAUDE_SESSION_ID", "third");
    session.start("startup");
    assert_eq!(session.row_of("third")["tmux_pane"], Value::Null);
    assert_eq!(session.row_of("second")["end_reason"], Value::Null);
}

#[test]
fn s4_06_a_session_without_variables_has_the_defaults() {
    let session = Session::new();
    session.start("startup");
    let row = session.row();
    for (field, value) in
        [("role", "chief"), ("mode", "interactive"), ("session_type", "interactive"), ("conversation_id", "chief")]
    {
        assert_eq!(row[field], value, "{field}: {row}");
    }
    assert_eq!(row["tmux_pane"], Value::Null);
}

/// C4 12: a session that goes on without its variables keeps what it was started with, and its end is forgotten.
#[test]
fn s4_06_a_resumed_session_keeps_role_and_mode() {
    let mut session = Session::new().env("CLAUDE_SESSION_ROLE", "system").env("CLAUDE_SESSION_MODE", "mission");
    session.start("startup");
    session.end("other");
    assert_eq!(session.row()["end_reason"], "other");
    session.env.clear();
    session.wait(60);
    let text = session.start("resume").context();
    assert!(text.contains("Role: system, mode: mission"), "{text}");
    let row = session.row();
    assert_eq!(
        (&row["role"], &row["mode"], &row["ended_at"]),
        (&json!("system"), &json!("mission"), &Value::Null),
        "{row}"
    );
    assert_eq!(row["started_at"], 1_780_000_000_000_i64, "{row}");
    assert_eq!(row["last_seen_at"], 1_780_000_060_000_i64, "{row}");
}

/// X4: the wrapper's variable, else the host's, else the payload; never in the way of another session.
#[test]
fn s4_48_the_identity_comes_from_the_environment_first() {
    let mut session = Session::new().env("CLAUDE_CODE_SESSION_ID", "client-2").env("CLAUDE_SESSION_ID", "wrapper-2");
    for id in ["wrapper-2", "client-2", CLIENT] {
        session.start("startup");
        session.prompt();
        assert_eq!(session.row_of(id)["current_state"], "active", "{id}");
        assert!(session.sandbox.state(&format!("sessions/{id}.json")).exists(), "{id}");
        session.env.pop();
    }
    let all = session.cli(&["sessions", "list", "--json"], "").json();
    assert_eq!(all["sessions"].as_array().unwrap().len(), 3, "{all}");
}

#[test]
fn s4_01_each_event_of_a_life_goes_to_its_step() {
    let session = Session::new();
    session.start("startup");
    assert_eq!(state(&session), "idle");
    session.prompt();
    assert_eq!(state(&session), "active");
    session.stop();
    assert_eq!(state(&session), "idle");
    session.end("prompt_input_exit");
    assert_eq!(state(&session), "ended");
    // One handler answers all of them; it can be started by its name.
    let shown = session.cli(&["profile", "show", "claude-os", "--resolved"], "").stdout;
    assert!(shown.contains("session_lifecycle"), "{shown}");
}

#[test]
fn s4_04_an_event_that_nobody_knows_does_nothing() {
    let session = Session::new();
    session.start("startup");
    let before = session.row();
    for event in ["SomethingNew", "PreCompact", "Notification", "SubagentStop"] {
        let ran = session.event(event, &json!({}));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{event}: {ran:?}");
    }
    assert_eq!(session.row(), before);
}

#[test]
fn s4_19_a_prompt_is_a_sign_of_life() {
    let mut session = Session::new();
    session.start("startup");
    session.wait(90);
    session.prompt();
    let row = session.row();
    assert_eq!(
        (&row["last_seen_at"], &row["current_state"]),
        (&json!(1_780_000_090_000_i64), &json!("active")),
        "{row}"
    );
}

const REMINDER: &str =
    r#"[CLAUDE OS SYS: INFO]: Consider setting a session status with status("what you're working on")"#;

#[test]
fn s4_22_a_session_without_a_status_is_reminded_after_two_minutes() {
    let mut session = Session::new();
    session.start("startup");
    session.wait(119);
    assert_eq!(session.prompt().stdout, "");
    session.wait(1);
    assert_eq!(told(&session.prompt()), REMINDER);
    // Not with every prompt, but again.
    session.wait(599);
    assert_eq!(session.prompt().stdout, "");
    session.wait(1);
    assert_eq!(told(&session.prompt()), REMINDER);

    session.event(
        "PostToolUse",
        &json!({"tool_name": "mcp__life__status", "tool_input": {"status": " the parser "}, "tool_response": {}}),
    );
    assert_eq!(session.row()["status_text"], "the parser");
    session.wait(3_600);
    assert_eq!(session.prompt().stdout, "");
}

/// A warning stands in front of it, with an empty line between.
#[test]
fn s4_22_a_warning_comes_before_the_reminder() {
    let mut session = Session::new();
    session.start("startup");
    session.sent(170_000);
    session.wait(500);
    let text = told(&session.prompt());
    let parts: Vec<&str> = text.split("\n\n").collect();
    assert!(parts[0].contains("Context at 85%"), "{text}");
    assert_eq!(parts[1..], [REMINDER], "{text}");
}

#[test]
fn s4_36_a_stop_leaves_the_session_idle() {
    let session = Session::new();
    session.start("startup");
    session.prompt();
    assert_eq!(session.stop().stdout, "");
    assert_eq!(state(&session), "idle");
}

#[test]
fn s4_44_the_reminder_of_the_ping_is_for_background_sessions() {
    for (mode, text) in [
        ("background", "[CLAUDE OS SYS: INFO]: Reminder - Ping before ending"),
        ("autonomous", ""),
        ("interactive", ""),
    ] {
        let session = Session::new().env("CLAUDE_SESSION_MODE", mode);
        session.start("startup");
        assert_eq!(told(&session.stop()).lines().next().unwrap_or_default(), text, "{mode}");
    }
}

#[test]
fn s4_37_a_background_session_is_reminded_of_its_ping_once() {
    for (mode, reminded) in [("background", true), ("interactive", false), ("mission", false)] {
        let session = Session::new().env("CLAUDE_SESSION_MODE", mode);
        session.start("startup");
        session.prompt();
        let ran = session.stop();
        assert_eq!(!ran.stdout.is_empty(), reminded, "{mode}: {ran:?}");
        assert_eq!(session.row()["has_pinged"], reminded, "{mode}");
        if reminded {
            assert_eq!(ran.json()["decision"], "block");
            // The turn goes on.
            assert_eq!(state(&session), "active");
        }
        assert_eq!(session.stop().stdout, "", "{mode}");
        assert_eq!(state(&session), "idle");
        // C4 16: a session that goes on later ends again later.
        session.start("resume");
        assert_eq!(!session.stop().stdout.is_empty(), reminded, "{mode}");
    }
}

/// A full context and a ping that is due go out with the same stop, because the next one is let through.
#[test]
fn s4_39_a_stop_that_was_put_off_already_is_let_through() {
    let session = Session::new().env("CLAUDE_SESSION_MODE", "background");
    session.start("startup");
    session.sent(190_000);
    let again = json!({"stop_hook_active": true});
    assert_eq!(session.event("Stop", &again).stdout, "");
    assert_eq!(state(&session), "idle");
    let text = told(&session.stop());
    assert!(text.contains("CRITICAL") && text.contains("Ping before ending"), "{text}");
    assert_eq!(session.event("Stop", &again).stdout, "");
    assert_eq!(state(&session), "idle");
    assert_eq!(session.stop().stdout, "");
}

/// A worker that is done waits for the wake-up: no stop speaks of it, and none is put off for it.
#[test]
fn s4_45_a_stop_says_nothing_of_workers() {
    let session = Session::new();
    session.start("startup");
    let worker = Worker {
        id: "worker-1".to_owned(),
        status: Some(WorkerStatus::Complete),
        attention_kind: Some(Attention::Result),
        report_summary: Some("the harvest is in".to_owned()),
        conversation_id: Some("chief".to_owned()),
        ..Worker::default()
    };
    let change = Change::Worker(Box::new(worker));
    spool(&session).append(&RegistryEvent::new(EventId::named("w1"), 1, "", change)).unwrap();
    session.prompt();
    assert_eq!(session.stop().stdout, "");
    assert_eq!(state(&session), "idle");
    let woken =
        session.event("UserPromptSubmit", &json!({"prompt": "[CLAUDE OS SYS: NOTIFICATION]: Workers complete"}));
    assert!(told(&woken).contains("the harvest is in"), "{woken:?}");
}

#[test]
fn s4_46_an_end_is_recorded_with_its_reason() {
    for reason in ["logout", "prompt_input_exit", "other", "resume"] {
        let mut session = Session::new();
        session.start("startup");
        session.wait(10);
        let ran = session.end(reason);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
        let row = session.row();
        assert_eq!((&row["ended_at"], &row["end_reason"]), (&json!(1_780_000_010_000_i64), &json!(reason)), "{row}");
    }
}

#[test]
fn s4_47_a_cleared_session_goes_on() {
    let session = Session::new();
    session.start("startup");
    session.prompt();
    session.end("clear");
    let row = session.row();
    assert_eq!((&row["ended_at"], &row["current_state"]), (&Value::Null, &json!("active")), "{row}");
}

/// A call that the host's API refuses ends the turn without a stop.
#[test]
fn a_turn_that_fails_leaves_the_session_idle() {
    let session = Session::new();
    session.start("startup");
    session.prompt();
    session.event("StopFailure", &json!({"error": "rate_limit"}));
    assert_eq!(state(&session), "idle");
}

fn spool(session: &Session) -> Spool {
    Spool::new(session.sandbox.home().join(".local/state/hookbin/registry"))
}

/// X27: the execution gets the session's id; one that is in no table is a warning, and nothing else.
#[test]
fn s4_09_a_mission_is_linked_by_its_execution() {
    let session = Session::new().env("MISSION_EXECUTION_ID", "run-1").env("CLAUDE_SESSION_MODE", "mission");
    session.sandbox.write("Desktop/TODAY.md", "the day");
    let execution = Execution { id: "run-1".to_owned(), ..Execution::default() };
    let change = Change::Execution(Box::new(execution));
    spool(&session).append(&RegistryEvent::new(EventId::named("e1"), 1, "", change)).unwrap();
    let ran = session.start("startup");
    assert_eq!(shown(&ran), "", "{ran:?}");
    let row = session.row();
    assert_eq!((&row["mission_execution_id"], &row["session_type"]), (&json!("run-1"), &json!("mission")), "{row}");
    let database = rusqlite::Connection::open(session.sandbox.home().join(".local/state/hookbin/registry.db")).unwrap();
    let query = "SELECT session_id FROM mission_executions WHERE id = 'run-1'";
    assert_eq!(database.query_row(query, [], |row| row.get::<_, String>(0)).unwrap(), CLIENT);

    let session = Session::new().env("MISSION_EXECUTION_ID", "run-2");
    session.sandbox.write("Desktop/TODAY.md", "the day");
    let ran = session.start("startup");
    assert!(shown(&ran).contains("run-2") && ran.stderr.contains("run-2"), "{ran:?}");
    assert!(ran.context().contains("Session context loaded"), "{ran:?}");
}

/// A session whose process is gone is closed when the next one starts; one whose process lives is not.
#[cfg(target_os = "linux")]
#[test]
fn a_session_whose_process_is_gone_is_closed_at_the_next_start() {
    let mut gone = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    let mut session = Session::new().env("CLAUDE_SESSION_ID", "gone").env("CLAUDE_PID", &gone.id().to_string());
    session.start("startup");
    session.set("CLAUDE_SESSION_ID", "alive");
    session.set("CLAUDE_PID", &std::process::id().to_string());
    session.start("startup");
    assert_eq!(session.row_of("gone")["end_reason"], Value::Null);
    gone.kill().unwrap();
    gone.wait().unwrap();
    session.set("CLAUDE_SESSION_ID", "next");
    session.start("startup");
    assert_eq!(session.row_of("gone")["end_reason"], "lost");
    assert_eq!(session.row_of("alive")["end_reason"], Value::Null);
}

/// The database is no database any more: it is quarantined and rebuilt by a process of its own, and the user is told.
#[test]
fn a_damaged_registry_is_made_anew_and_said_so() {
    let session = Session::new();
    session.sandbox.write("Desktop/TODAY.md", "the day");
    session.start("startup");
    session.row();
    let state = session.sandbox.home().join(".local/state/hookbin");
    std::fs::write(state.join("registry.db"), "no database".repeat(1_000)).unwrap();
    for beside in ["registry.db-wal", "registry.db-shm"] {
        let _ = std::fs::remove_file(state.join(beside));
    }
    let ran = session.start("resume");
    assert!(shown(&ran).contains("damaged") && ran.context().contains("Session context loaded"), "{ran:?}");
    assert_eq!(ran.code, Some(0));
    let aside = || {
        let names = std::fs::read_dir(&state).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("registry.db.damaged-")).count()
    };
    let end = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while aside() == 0 {
        assert!(std::time::Instant::now() < end, "nothing was quarantined");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(session.row()["session_id"], CLIENT);
}

/// Every event of a session whose registry cannot be told.
fn without_registry(check: impl Fn(&str, &crate::sandbox::Ran)) {
    let session = Session::new();
    session.sandbox.write("Desktop/TODAY.md", "the day");
    let state = session.sandbox.home().join(".local/state");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("hookbin"), "a file in the way").unwrap();
    let ran = session.start("startup");
    assert!(ran.context().contains("the day"), "{ran:?}");
    check("SessionStart", &ran);
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1"});
    for (event, fields) in [
        ("UserPromptSubmit", json!({"prompt": "go"})),
        ("PreToolUse", call.clone()),
        ("PostToolUse", call),
        ("Stop", json!({"stop_hook_active": false})),
        ("SessionEnd", json!({"reason": "other"})),
    ] {
        check(event, &session.event(event, &fields));
    }
}

#[test]
fn s4_49_every_event_ends_with_0_although_the_registry_fails() {
    without_registry(|event, ran| {
        assert_eq!(ran.code, Some(0), "{event}: {ran:?}");
        assert!(ran.stderr.contains("registry"), "{event}: {ran:?}");
    });
}

#[test]
fn s4_52_a_failure_neither_ends_nor_blocks_the_session() {
    without_registry(|event, ran| {
        assert_eq!(ran.decision(), None, "{event}: {ran:?}");
        if ran.stdout.starts_with('{') {
            let json = ran.json();
            assert!(json.get("decision").is_none() && json.get("continue").is_none(), "{event}: {ran:?}");
        }
    });
}
