//! Profile `claude-os` when a session is woken by its workers.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use hook_session_state::registry::{
    Change, EventId, Lookup, Place, RegistryEvent, SessionRegistry, Spool, Worker, WorkerStatus,
};
use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

const SESSION: &str = "00000000-0000-4000-8000-0000000000c6";
const WAKE: &str = "[CLAUDE OS SYS: NOTIFICATION]: Workers complete";
/// 2026-03-01 10:00:00 UTC.
const NOW: i64 = 1_772_359_200_000;

/// A session in conversation `talk`, and the registry that its workers report to.
struct Parent {
    sandbox: Sandbox,
    mode: &'static str,
}

impl Parent {
    fn new() -> Self {
        let parent = Self { sandbox: Sandbox::with_profile("claude-os"), mode: "interactive" };
        parent.event("SessionStart", &json!({"source": "startup"}));
        parent
    }

    fn event(&self, name: &str, fields: &Value) -> Ran {
        let mut event = json!({
            "session_id": SESSION, "transcript_path": "", "cwd": self.sandbox.project(), "hook_event_name": name,
        });
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let env = [
            ("CLAUDE_SESSION_MODE", self.mode),
            ("CLAUDE_SESSION_ROLE", "lead"),
            ("CLAUDE_CONVERSATION_ID", "talk"),
            ("HOOKBIN_NOW", "2026-03-01T10:00:00Z"),
        ];
        let ran = self.sandbox.hook_with(&[name], event.to_string().as_bytes(), &env);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran
    }

    fn prompt(&self, text: &str) -> Ran {
        self.event("UserPromptSubmit", &json!({"prompt": text}))
    }

    fn state(&self) -> std::path::PathBuf {
        self.sandbox.home().join(".local/state/hookbin")
    }

    /// What a worker or its starter leaves in the registry.
    fn spool(&self, at: i64, change: Change) {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let id = EventId::named(&format!("test-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
        Spool::new(self.state().join("registry")).append(&RegistryEvent::new(id, at, "", change)).unwrap();
    }

    /// A worker of the conversation that was done so many seconds ago.
    fn done(&self, id: &str, summary: &str, seconds: i64) {
        let worker = json!({
            "id": id, "task_type": "research", "status": "complete", "attention_kind": "result", "report_summary": summary,
            "conversation_id": "talk", "completed_at": NOW - seconds * 1_000,
        });
        self.worker(serde_json::from_value(worker).unwrap());
    }

    fn worker(&self, worker: Worker) {
        self.spool(NOW, Change::Worker(Box::new(worker)));
    }

    fn acknowledge(&self, ids: &[&str]) {
        let workers = ids.iter().map(|id| (*id).to_owned()).collect();
        self.spool(NOW, Change::Acknowledged { conversation: "talk".to_owned(), workers });
    }

    fn last_seen(&self) -> (String, i64) {
        match Place::new(&self.state()).open(NOW, None).unwrap().registry.show(SESSION).unwrap() {
            Lookup::One(session) => (session.current_state, session.last_seen_at),
            other => panic!("{other:?}"),
        }
    }
}

/// What the model is told; empty where it is told nothing.
fn told(ran: &Ran) -> String {
    if ran.stdout.starts_with('{') { ran.context() } else { ran.stdout.clone() }
}

#[test]
fn s4_23_a_woken_session_is_told_which_workers_are_done() {
    let parent = Parent::new();
    parent.done("aaaaaaaa-1111", "found the cause", 30);
    parent.done("bbbbbbbb-2222", &"long ".repeat(30), 7_200);
    let ran = parent.prompt(WAKE);
    let text = ran.context();
    assert!(text.contains("2 workers are done"), "{text}");
    // The oldest comes first, with its short id, kind, at most 60 characters of summary, and its age.
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
    assert!(lines[0].starts_with("- bbbbbbbb research: long long") && lines[0].ends_with("… (2h)"), "{text}");
    assert!(lines[0].chars().count() <= "- bbbbbbbb research:  (2h)".len() + 60, "{text}");
    assert_eq!(lines[1], "- aaaaaaaa research: found the cause (just now)");
    assert!(text.contains("acknowledge"), "{text}");
    // Again: the same, as reported before; then a new one beside them; then only what nobody took note of.
    let again = parent.prompt(WAKE).context();
    assert!(again.contains("2 workers are done, 2 of them reported before"), "{again}");
    parent.done("cccccccc-3333", "new", 60);
    let third = parent.prompt(WAKE).context();
    assert!(third.contains("3 workers are done, 2 of them reported before"), "{third}");
    assert!(third.find("cccccccc").unwrap() < third.find("aaaaaaaa").unwrap(), "{third}");
    parent.acknowledge(&["aaaaaaaa-1111", "bbbbbbbb-2222"]);
    let fourth = parent.prompt(WAKE).context();
    assert!(fourth.contains("1 worker is done") && fourth.contains("(1m)") && !fourth.contains("aaaaaaaa"), "{fourth}");
    parent.acknowledge(&["cccccccc-3333"]);
    assert!(parent.prompt(WAKE).context().contains("No worker of this conversation has a result"));
}

#[test]
fn only_workers_of_the_conversation_with_a_result_of_their_own_are_named() {
    let parent = Parent::new();
    let worker = |id: &str| Worker {
        id: id.to_owned(),
        status: Some(WorkerStatus::Complete),
        conversation_id: Some("talk".to_owned()),
        ..serde_json::from_value(json!({"attention_kind": "result", "report_summary": "x"})).unwrap()
    };
    parent.worker(Worker { conversation_id: Some("other".to_owned()), ..worker("elsewhere") });
    parent.worker(Worker { status: Some(WorkerStatus::Running), ..worker("running") });
    parent.worker(Worker { has_dependent_children: Some(true), ..worker("inner") });
    parent.worker(Worker {
        conversation_id: Some("talk".to_owned()),
        ..serde_json::from_value(json!({"id": "alert", "status": "complete", "attention_kind": "alert"})).unwrap()
    });
    assert!(parent.prompt(WAKE).context().contains("No worker of this conversation has a result"));
    parent.worker(worker("leaf"));
    let text = parent.prompt(WAKE).context();
    assert!(text.contains("1 worker is done") && text.contains("- leaf worker: x"), "{text}");
}

#[test]
fn at_most_five_are_shown_and_all_count_as_reported() {
    let parent = Parent::new();
    for number in 0..12 {
        parent.done(&format!("{number:02}345678"), "one\ntwo", 600 - number);
    }
    let text = parent.prompt(WAKE).context();
    assert_eq!(text.lines().filter(|line| line.starts_with("- ")).count(), 5, "{text}");
    assert!(text.contains("- 00345678 research: one two (10m)") && text.contains("…and 7 more"), "{text}");
    assert!(parent.prompt(WAKE).context().contains("12 workers are done, 12 of them reported before"));
}

#[test]
fn the_time_may_stand_before_the_tag_and_nothing_else() {
    let parent = Parent::new();
    parent.done("aaaaaaaa-1111", "x", 30);
    for prompt in [
        "[2026-03-01 10:00:00] [CLAUDE OS SYS: NOTIFICATION]: Workers complete (2)",
        "[CLAUDE OS SYS: NOTIFICATION] Workers complete\nLook at them.",
        "  [2026-03-01T10:00:00Z][CLAUDE OS SYS: NOTIFICATION]: Workers complete",
    ] {
        assert!(told(&parent.prompt(prompt)).contains("aaaaaaaa"), "{prompt}");
    }
}

#[test]
fn s4_24_workers_are_named_at_no_other_time() {
    let parent = Parent::new();
    parent.done("aaaaaaaa-1111", "x", 30);
    for prompt in [
        "how are the workers?",
        "Workers complete",
        "What does [CLAUDE OS SYS: NOTIFICATION]: Workers complete mean?",
        "[CLAUDE OS SYS: INFO]: Workers complete",
        "[CLAUDE OS SYS: NOTIFICATION]: Session context loaded",
        "[note] [CLAUDE OS SYS: NOTIFICATION]: Workers complete",
        "",
    ] {
        assert!(!parent.prompt(prompt).stdout.contains("aaaaaaaa"), "{prompt}");
    }
    for (name, fields) in [
        ("SessionStart", json!({"source": "resume"})),
        ("PreToolUse", json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_1"})),
    ] {
        let ran = parent.event(name, &fields);
        assert!(!ran.stdout.contains("aaaaaaaa") && !ran.stdout.contains("\"block\""), "{name}: {ran:?}");
    }
    // All of that reported nothing.
    assert!(parent.prompt(WAKE).context().contains("1 worker is done:"));
}

#[test]
fn s4_45_a_stop_names_no_worker_and_is_not_put_off_for_them() {
    let parent = Parent::new();
    parent.done("aaaaaaaa-1111", "x", 30);
    for active in [false, true] {
        let stop = json!({"stop_hook_active": active, "last_assistant_message": WAKE});
        let ran = parent.event("Stop", &stop);
        assert!(!ran.stdout.contains("aaaaaaaa") && !ran.stdout.contains("\"block\""), "{ran:?}");
    }
    assert!(parent.prompt(WAKE).context().contains("1 worker is done:"));
}

#[test]
fn s4_55_sessions_in_the_background_have_no_workers_to_hear_of() {
    for (mode, hears) in [("interactive", true), ("mission", true), ("background", false)] {
        let parent = Parent { mode, ..Parent::new() };
        parent.done("aaaaaaaa-1111", "x", 30);
        assert_eq!(told(&parent.prompt(WAKE)).contains("aaaaaaaa"), hears, "{mode}");
    }
}

#[test]
fn a_wake_up_is_a_sign_of_life() {
    let parent = Parent::new();
    parent.event("Stop", &json!({"stop_hook_active": false}));
    let (state, _) = parent.last_seen();
    assert_eq!(state, "idle");
    parent.prompt(WAKE);
    assert_eq!(parent.last_seen(), ("active".to_owned(), NOW));
}

#[test]
fn a_session_without_a_conversation_is_told_so() {
    let sandbox = Sandbox::with_profile("claude-os");
    let event =
        json!({"session_id": SESSION, "cwd": sandbox.project(), "hook_event_name": "UserPromptSubmit", "prompt": WAKE});
    let lead = [("CLAUDE_SESSION_ROLE", "lead")];
    let ran = sandbox.hook_with(&["UserPromptSubmit"], event.to_string().as_bytes(), &lead);
    assert!(ran.context().contains("no conversation"), "{ran:?}");
    // That of a chief is called like the role.
    let ran = sandbox.hook(&["UserPromptSubmit"], event.to_string().as_bytes());
    assert!(ran.context().contains("No worker of this conversation"), "{ran:?}");
}

#[test]
fn a_registry_that_is_locked_or_damaged_makes_a_short_notice() {
    let parent = Parent::new();
    parent.done("aaaaaaaa-1111", "x", 30);
    // It is made first, then held by somebody who writes.
    parent.last_seen();
    let database = parent.state().join("registry.db");
    let lock = rusqlite::Connection::open(&database).unwrap();
    lock.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let begin = std::time::Instant::now();
    let ran = parent.prompt(WAKE);
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    assert!(ran.context().contains("cannot be told now"), "{ran:?}");
    drop(lock);
    // A damaged one is quarantined and rebuilt from what was spooled.
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(parent.state().join(format!("registry.db{suffix}")));
    }
    std::fs::write(&database, "this is no database, ".repeat(400)).unwrap();
    let ran = parent.prompt(WAKE);
    assert!(ran.context().contains("aaaaaaaa"), "{ran:?}");
    let names: Vec<String> = std::fs::read_dir(parent.state())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert!(names.iter().any(|name| name.contains("damaged")), "{names:?}");
}
