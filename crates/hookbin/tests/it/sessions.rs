//! `hookbin sessions`: what hooks spooled, on a machine whose registry is whole, damaged, locked or newer.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox, limited, run};

const NOON: &str = "2026-08-18T12:00:00Z";

fn state(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().join(".local/state/hookbin")
}

/// One event of a session at a time, with variables.
fn hook(sandbox: &Sandbox, event: &str, session: &str, time: &str, env: &[(&str, &str)]) -> Ran {
    let payload = json!({
        "session_id": session, "cwd": sandbox.project(), "hook_event_name": event, "transcript_path": "",
        "source": "startup", "reason": "logout", "prompt": "go on", "tool_name": "Read", "tool_use_id": format!("{session}{time}"),
        "tool_input": {"file_path": sandbox.path("notes.txt")}, "tool_response": {},
    });
    let env: Vec<(&str, &str)> = [("HOOKBIN_NOW", time)].into_iter().chain(env.iter().copied()).collect();
    let ran = sandbox.hook_with(&[event], payload.to_string().as_bytes(), &env);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

fn cli_at(sandbox: &Sandbox, time: &str, args: &[&str]) -> Ran {
    let mut command = sandbox.command(args);
    command.env("HOOKBIN_NOW", time);
    run(command, b"")
}

fn sessions(sandbox: &Sandbox) -> Vec<Value> {
    let ran = cli_at(sandbox, NOON, &["sessions", "list", "--all", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let json = ran.json();
    assert_eq!(json["version"], 1);
    json["sessions"].as_array().unwrap().clone()
}

fn session(sandbox: &Sandbox, id: &str) -> Value {
    let ran = cli_at(sandbox, NOON, &["sessions", "show", id, "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.json()["session"].clone()
}

/// Two sessions of a project: one open, one ended.
fn two() -> Sandbox {
    let sandbox = Sandbox::with_profile("claude-os");
    begin_two(&sandbox);
    sandbox
}

fn begin_two(sandbox: &Sandbox) {
    let env = [("CLAUDE_SESSION_ROLE", "builder"), ("CLAUDE_SESSION_DESCRIPTION", "mends the roof")];
    hook(sandbox, "SessionStart", "aaaa-1111", "2026-08-18T09:00:00Z", &env);
    hook(sandbox, "SessionStart", "bbbb-2222", "2026-08-18T10:00:00Z", &[]);
    hook(sandbox, "SessionEnd", "bbbb-2222", "2026-08-18T11:00:00Z", &[]);
    hook(sandbox, "UserPromptSubmit", "aaaa-1111", "2026-08-18T11:30:00Z", &env);
}

#[test]
fn prompts_calls_stops_and_ends_open_no_database() {
    let sandbox = Sandbox::with_profile("claude-os");
    for (number, event) in ["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"].iter().enumerate() {
        hook(&sandbox, event, "aaaa-1111", &format!("2026-08-18T09:00:0{number}Z"), &[]);
    }
    assert!(!state(&sandbox).join("registry.db").exists(), "a hook has opened the database");
    assert_eq!(session(&sandbox, "aaaa")["event_count"], 5);
}

#[test]
fn what_hooks_spooled_is_listed() {
    let sandbox = two();
    let listed = cli_at(&sandbox, NOON, &["sessions", "list"]);
    assert_eq!((listed.code, listed.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = listed.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", listed.stdout);
    let words: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(words[..5], ["aaaa-1111", "active", "builder", "interactive", "30m"]);
    assert!(lines[1].ends_with("mends the roof"), "{}", lines[1]);
    let all = cli_at(&sandbox, NOON, &["sessions", "list", "--all"]).stdout;
    assert!(all.contains("ended (logout)") && all.contains("1h"), "{all}");
}

#[test]
fn a_session_is_shown_by_the_beginning_of_its_id() {
    let sandbox = two();
    let json = session(&sandbox, "bbbb");
    assert_eq!(json["session_id"], "bbbb-2222");
    assert_eq!((json["current_state"].as_str(), json["end_reason"].as_str()), (Some("ended"), Some("logout")));
    // 2026-08-18T10:00:00Z and an hour later.
    assert_eq!(
        (json["started_at"].as_i64(), json["ended_at"].as_i64()),
        (Some(1_787_047_200_000), Some(1_787_050_800_000))
    );
    let text = cli_at(&sandbox, NOON, &["sessions", "show", "aaaa"]).stdout;
    for line in ["role             builder", "last seen        2026-08-18T11:30:00Z (30m)"] {
        assert!(text.contains(line.split_whitespace().next_back().unwrap()), "{line} in {text}");
    }
    for (id, said) in [("cccc", "no session is registered"), ("", "no session is registered")] {
        let ran = cli_at(&sandbox, NOON, &["sessions", "show", id]);
        assert_eq!(ran.code, Some(64), "{id}");
        assert!(ran.stderr.contains(said), "{ran:?}");
    }
    hook(&sandbox, "SessionStart", "aaaa-3333", "2026-08-18T11:45:00Z", &[]);
    let ran = cli_at(&sandbox, NOON, &["sessions", "show", "aaaa"]);
    assert_eq!(ran.code, Some(64));
    assert!(ran.stderr.contains("aaaa-1111, aaaa-3333"), "{ran:?}");
}

#[test]
fn prune_closes_what_was_silent_or_has_no_process_and_forgets_what_ended_long_ago() {
    let sandbox = two();
    let mut gone = Command::new("true").spawn().unwrap();
    let alive = Command::new("sleep").arg("60").spawn().unwrap();
    // The process has to live while its session starts.
    let mut sleeper = Command::new("sleep").arg("60").spawn().unwrap();
    gone.wait().unwrap();
    let start = |id: &str, pid: u32| {
        hook(&sandbox, "SessionStart", id, "2026-08-18T11:50:00Z", &[("CLAUDE_PID", &pid.to_string())]);
    };
    start("dead", sleeper.id());
    start("alive", alive.id());
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    let pruned = cli_at(&sandbox, NOON, &["sessions", "prune", "--json"]).json();
    assert_eq!((&pruned["lost"], &pruned["forgotten"]), (&json!(["dead"]), &json!(0)));
    let dead = session(&sandbox, "dead");
    assert_eq!((dead["end_reason"].as_str(), dead["current_state"].as_str()), (Some("lost"), Some("ended")));
    assert_eq!(dead["ended_at"].as_i64(), Some(1_787_054_400_000));
    assert_eq!(session(&sandbox, "alive")["ended_at"], Value::Null);

    // A day later: 24 hours without a sign of life.
    let next = "2026-08-19T11:40:00Z";
    let text = cli_at(&sandbox, next, &["sessions", "prune"]);
    assert_eq!(text.stdout, "closed aaaa-1111 as lost\n1 closed, 0 forgotten\n");
    let shorter = cli_at(&sandbox, next, &["sessions", "prune", "--silent", "1", "--forget", "1"]);
    assert_eq!(shorter.stdout, "closed alive as lost\n1 closed, 1 forgotten\n");
    assert!(!sessions(&sandbox).iter().any(|session| session["session_id"] == "bbbb-2222"));
    let mut alive = alive;
    alive.kill().unwrap();
    alive.wait().unwrap();
}

#[test]
fn a_damaged_registry_is_made_anew_from_the_spool_and_said() {
    let sandbox = two();
    assert_eq!(sessions(&sandbox).len(), 2);
    fs::write(state(&sandbox).join("registry.db"), "garbage").unwrap();
    let ran = cli_at(&sandbox, NOON, &["sessions", "list", "--all"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("registry.db.damaged-20260818T120000Z"), "{}", ran.stderr);
    assert!(ran.stderr.contains("rebuilt from 4 records of the spool"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("audit logs"), "{}", ran.stderr);
    assert_eq!(sessions(&sandbox).len(), 2);
    assert_eq!(session(&sandbox, "aaaa")["role"], "builder");
    assert_eq!(cli_at(&sandbox, NOON, &["sessions", "list"]).stderr, "");
}

#[test]
fn what_the_spool_does_not_reach_back_to_comes_from_the_audit_logs() {
    let sandbox = two();
    assert_eq!(sessions(&sandbox).len(), 2);
    fs::remove_file(state(&sandbox).join("registry/events.jsonl")).unwrap();
    fs::write(state(&sandbox).join("registry.db"), "garbage").unwrap();
    let ran = cli_at(&sandbox, NOON, &["sessions", "list", "--all"]);
    assert!(ran.stderr.contains("2 more sessions were found in the audit logs"), "{ran:?}");
    assert!(ran.stdout.contains("aaaa-111") && ran.stdout.contains("ended (logout)"), "{}", ran.stdout);
    let ended = session(&sandbox, "bbbb");
    assert_eq!(
        (ended["started_at"].as_i64(), ended["ended_at"].as_i64()),
        (Some(1_787_047_200_000), Some(1_787_050_800_000))
    );
    assert_eq!(session(&sandbox, "aaaa")["last_seen_at"].as_i64(), Some(1_787_052_600_000));
    assert_eq!(cli_at(&sandbox, NOON, &["sessions", "list"]).stderr, "");
}

#[test]
fn a_registry_that_cannot_be_opened_is_said_and_hooks_go_on() {
    let said = |sandbox: &Sandbox| {
        let ran = cli_at(sandbox, NOON, &["sessions", "list"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(70), ""), "{ran:?}");
        assert!(ran.stderr.contains("registry.db"), "{ran:?}");
        hook(sandbox, "UserPromptSubmit", "aaaa-1111", "2026-08-18T11:59:00Z", &[]);
        ran.stderr
    };
    let sandbox = two();
    // The start of a session may have looked into it.
    let _ = fs::remove_file(state(&sandbox).join("registry.db"));
    fs::create_dir(state(&sandbox).join("registry.db")).unwrap();
    assert!(said(&sandbox).contains("open"));
    fs::remove_dir(state(&sandbox).join("registry.db")).unwrap();
    assert_eq!(sessions(&sandbox).len(), 2);

    let other = rusqlite::Connection::open(state(&sandbox).join("registry.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(said(&sandbox).contains("another process keeps it locked"));
    other.execute_batch("ROLLBACK; UPDATE schema_version SET version = 9").unwrap();
    let newer = said(&sandbox);
    assert!(newer.contains("of version 9") && newer.contains("update hookbin"), "{newer}");
    other.execute_batch("UPDATE schema_version SET version = 1").unwrap();
    // A heartbeat of each of the two prompts above, and what there was.
    assert_eq!(session(&sandbox, "aaaa")["event_count"], 5);
}

#[test]
fn a_full_disk_is_said_and_nothing_is_lost() {
    let sandbox = two();
    let ran = run(limited(&sandbox.command(&["sessions", "list"]), 8), b"");
    assert_eq!(ran.code, Some(70), "{ran:?}");
    assert!(ran.stderr.contains("check that the disk has room"), "{ran:?}");
    assert_eq!(sessions(&sandbox).len(), 2);
}

#[test]
fn the_database_lies_where_the_persons_own_file_says() {
    let sandbox = Sandbox::with_profile("claude-os");
    let config = sandbox.home().join(".config/hookbin/hookbin.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(&config, "[registry]\npath = \"~/elsewhere/sessions.db\"\n").unwrap();
    begin_two(&sandbox);
    assert_eq!(sessions(&sandbox).len(), 2);
    assert!(sandbox.home().join("elsewhere/sessions.db").is_file());
    assert!(!state(&sandbox).join("registry.db").exists());

    fs::write(&config, "[registry]\npath = \"sessions.db\"\n").unwrap();
    let ran = cli_at(&sandbox, NOON, &["sessions", "list"]);
    assert_eq!(ran.code, Some(70));
    assert!(ran.stderr.contains("not an absolute path"), "{ran:?}");
    fs::remove_file(&config).unwrap();

    // A project cannot move it.
    sandbox.write(".claude/hookbin.toml", "profile = \"claude-os\"\n[registry]\npath = \"/nowhere/x.db\"\n");
    assert_eq!(sessions(&sandbox).len(), 2);
    assert!(state(&sandbox).join("registry.db").exists());
    let check = sandbox.cli(&["config", "check"]);
    assert_eq!(check.code, Some(4), "{check:?}");
    assert!(check.stdout.contains("[registry] has no effect here"), "{check:?}");
}
