//! What the product does not stop, one test a row of the table in `SECURITY.md`: each pins what happens today, so that a change of it is
//! noticed and the table stays true.

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

fn call(sandbox: &Sandbox, tool: &str, input: &Value) -> Ran {
    let event = json!({
        "session_id": "one", "cwd": sandbox.project(), "hook_event_name": "PreToolUse", "tool_name": tool,
        "tool_input": input, "tool_use_id": "toolu_1",
    });
    sandbox.hook(&["PreToolUse"], event.to_string().as_bytes())
}

fn bash(sandbox: &Sandbox, command: &str) -> Option<String> {
    call(sandbox, "Bash", &json!({ "command": command })).decision()
}

/// A program of the agent's own: its text is not followed when it is started by name.
#[test]
fn a_program_that_the_agent_wrote_is_not_followed() {
    let sandbox = Sandbox::with_profile("standard");
    sandbox.write("tool/Cargo.toml", "[package]\nname = \"tool\"\n");
    sandbox.write("tool/src/main.rs", "fn main() { std::fs::remove_dir_all(\"/home\").unwrap(); }\n");
    assert_eq!(bash(&sandbox, "cargo run --manifest-path tool/Cargo.toml"), None);
    assert_eq!(bash(&sandbox, "make install"), None);
    assert_eq!(bash(&sandbox, "rm -rf /home").as_deref(), Some("deny"), "what the command line shows is followed");
}

/// A file that a prompt mentions is read by the host without a call of a tool.
#[test]
fn a_mentioned_file_makes_no_call_that_could_be_refused() {
    let sandbox = Sandbox::with_profile("standard");
    let event = json!({"session_id": "one", "cwd": sandbox.project(), "hook_event_name": "UserPromptSubmit", "prompt": "see @.env"});
    let ran = sandbox.hook(&["UserPromptSubmit"], event.to_string().as_bytes());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.stdout.contains("\"block\""), "{ran:?}");
}

/// The chain has no key: whoever may write to the directory can put a whole new trail there.
#[test]
fn a_trail_that_was_written_anew_as_a_whole_verifies() {
    let [sandbox, forger] = [(); 2].map(|()| Sandbox::with_profile("standard"));
    assert_eq!(bash(&sandbox, "rm -rf /").as_deref(), Some("deny"));
    assert_eq!(bash(&forger, "ls"), None);
    for name in ["audit.jsonl", "chain.head"] {
        std::fs::copy(forger.log().join(name), sandbox.log().join(name)).unwrap();
    }
    let ran = sandbox.cli(&["log", "verify"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!sandbox.read(".claude/hookbin/log/audit.jsonl").contains("rm -rf"));
}

fn sane_session() -> Sandbox {
    let sandbox = Sandbox::with_profile("sane");
    let event = json!({
        "session_id": "one", "cwd": sandbox.project(), "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
        "tool_input": {"command": "make"}, "error": "Exit code 1\nsyntax error", "is_interrupt": false, "tool_use_id": "t1",
    });
    assert_eq!(sandbox.hook(&["PostToolUseFailure"], event.to_string().as_bytes()).code, Some(0));
    assert_eq!(sandbox.json(".claude/state.json")["circuit_breaker"]["failures"], 1);
    sandbox
}

/// A program of the same user that reads the key can sign what it likes.
#[test]
fn whoever_reads_the_key_can_sign() {
    let sandbox = sane_session();
    let keys = sandbox.home().join(".local/state/hookbin/keys");
    let signed = hook_session_state::signed::Signed::new(sandbox.path(".claude"), Some(&keys));
    let mut held = signed.lock().unwrap();
    held.state_mut().reset("circuit_breaker").unwrap();
    held.save("2026-01-01T00:00:00Z").unwrap();
    drop(held);
    let ran = sandbox.cli(&["state", "verify"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_ne!(sandbox.json(".claude/state.json")["circuit_breaker"]["failures"], 1);
}

/// Document, key and mark gone together look like a new project.
#[test]
fn a_signed_state_that_is_deleted_with_its_key_and_its_mark_looks_new() {
    let sandbox = sane_session();
    std::fs::remove_file(sandbox.path(".claude/state.json")).unwrap();
    std::fs::remove_dir_all(sandbox.home().join(".local/state/hookbin/keys")).unwrap();
    assert_eq!(sandbox.cli(&["state", "verify"]).code, Some(4), "the mark is left");
    std::fs::remove_file(sandbox.path(".claude/state.json.lock")).unwrap();
    assert_eq!(sandbox.cli(&["state", "verify"]).code, Some(0));
}

/// A secret that looks like an ordinary word is recorded as it stands.
#[test]
fn a_secret_that_looks_like_a_word_is_not_recognised() {
    let sandbox = Sandbox::with_profile("standard");
    bash(&sandbox, "echo swordfish | ./open-the-gate");
    assert!(sandbox.read(".claude/hookbin/log/audit.jsonl").contains("swordfish"));
}

/// A gate that refuses from the second time on decides as for the first time where it cannot read what it remembers.
#[test]
fn a_gate_that_cannot_read_its_strikes_begins_to_count_anew() {
    let sandbox = Sandbox::with_profile("guardrails");
    let content = "from unittest.mock import MagicMock\nservice = MagicMock()\n";
    let input = json!({"file_path": sandbox.path("tests/test_a.py"), "content": content});
    let strikes = ".claude/.mock-gate-strikes";
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    sandbox.write(strikes, &format!("1|{now}\n"));
    assert_eq!(call(&sandbox, "Write", &input).decision().as_deref(), Some("deny"));
    std::fs::remove_file(sandbox.path(strikes)).unwrap();
    std::fs::create_dir(sandbox.path(strikes)).unwrap();
    assert_ne!(call(&sandbox, "Write", &input).decision().as_deref(), Some("deny"));
}

/// Nothing is synced, so a power loss can take the last seconds.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn no_hook_waits_for_the_disk() {
    use crate::tracer::{self, Fault, Which};

    let sandbox = Sandbox::with_profile("standard");
    let event = json!({
        "session_id": "one", "cwd": sandbox.project(), "hook_event_name": "PostToolUse", "tool_name": "Read",
        "tool_input": {"file_path": "/a"}, "tool_response": "ok", "tool_use_id": "toolu_1",
    });
    let command = sandbox.command(&["hook", "PostToolUse"]);
    let traced = tracer::run(&command, event.to_string().as_bytes(), Which::Changing, Fault::None, 0);
    assert!(traced.calls.len() > 5, "{traced:?}");
    assert!(traced.calls.iter().all(|call| !["fsync", "fdatasync"].contains(&call.name)), "{traced:?}");
}
