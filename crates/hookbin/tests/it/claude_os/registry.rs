//! The registry and the agent: where it lies, who writes into it, and what a user tells it of workers and missions.

use std::path::Path;

use serde_json::{Value, json};

use super::{Session, shown, told};
use crate::sandbox::Ran;

const WAKE: &str = "[CLAUDE OS SYS: NOTIFICATION]: Workers complete";

impl Session {
    /// What the guard says of a shell command.
    fn verdict(&self, command: &str) -> String {
        let call = json!({"tool_name": "Bash", "tool_use_id": "toolu_1", "tool_input": {"command": command}});
        decision(&self.event("PreToolUse", &call))
    }

    /// What the user's own configuration says.
    fn person(&self, text: &str) {
        let dir = self.sandbox.home().join(".config/hookbin");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("hookbin.toml"), format!("profile = [\"claude-os\"]\n{text}")).unwrap();
    }

    fn wakes(&self) -> String {
        told(&self.event("UserPromptSubmit", &json!({"prompt": WAKE})))
    }
}

fn decision(ran: &Ran) -> String {
    if ran.stdout.is_empty() {
        return "pass".to_owned();
    }
    let json = ran.json();
    json["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("pass").to_owned()
}

/// Every way to write into the database, and what only looks.
fn is_closed(session: &Session, database: &Path) {
    let database = database.display();
    for command in [
        format!("rm {database}"),
        format!("echo x > {database}"),
        format!("echo x >> {database}-wal"),
        format!("cp other.db {database}"),
        format!("mv {database} /tmp/elsewhere.db"),
    ] {
        assert_eq!(session.verdict(&command), "deny", "{command}");
    }
    for command in [
        format!("sqlite3 {database} 'delete from sessions'"),
        format!("python3 -c \"import sqlite3; sqlite3.connect('{database}').execute('delete from sessions')\""),
        format!("node -e \"new (require('better-sqlite3'))('{database}').exec('delete from sessions')\""),
        format!("ruby -e \"require 'sqlite3'; SQLite3::Database.new('{database}').execute('delete from sessions')\""),
        format!("php -r \"(new PDO('sqlite:{database}'))->exec('delete from sessions');\""),
    ] {
        assert_ne!(session.verdict(&command), "pass", "{command}");
    }
    for command in [
        format!("cat {database}"),
        format!("ls -l {database}"),
        "python3 -c \"import sqlite3; sqlite3.connect('own.db').execute('insert into notes values (1)')\"".to_owned(),
        "sqlite3 own.db 'select 1'".to_owned(),
    ] {
        assert_eq!(session.verdict(&command), "pass", "{command}");
    }
    let write = json!({"tool_name": "Write", "tool_use_id": "t", "tool_input": {"file_path": database.to_string(), "content": "x"}});
    assert_eq!(decision(&session.event("PreToolUse", &write)), "deny");
}

#[test]
fn the_registry_is_not_the_agents_to_write_wherever_it_lies() {
    let session = Session::new();
    is_closed(&session, &session.sandbox.home().join(".local/state/hookbin/registry.db"));
    let code = "python3 - <<'E'\nimport os, sqlite3\nsqlite3.connect(os.path.expanduser('~/.local/state/hookbin/registry.db'))\nE";
    assert_ne!(session.verdict(code), "pass");

    // Where the user's own file puts it: elsewhere, from the home directory on, and in the project.
    for path in ["/srv/team/os.db", "~/data/os.db", "PROJECT/data/os.db"] {
        let session = Session::new();
        let project = session.sandbox.project().display().to_string();
        session.person(&format!("[registry]\npath = \"{}\"\n", path.replace("PROJECT", &project)));
        let home = session.sandbox.home().display().to_string();
        is_closed(&session, Path::new(&path.replace('~', &home).replace("PROJECT", &project)));
        assert_eq!(session.verdict("echo x > data/os.db.txt"), "pass", "what only is called alike");
    }

    // Where a variable puts it, by its path and by the variable.
    let state = tempfile::tempdir().unwrap();
    let moved = state.path().join("state");
    let session = Session::new().env("XDG_STATE_HOME", moved.to_str().unwrap());
    session.sandbox.note_environment("HOOKBIN_NOW\nXDG_STATE_HOME\n");
    is_closed(&session, &moved.join("hookbin/registry.db"));
    for command in [
        "echo x >> $XDG_STATE_HOME/hookbin/registry/events.jsonl".to_owned(),
        "rm -rf \"${XDG_STATE_HOME:-$HOME/.local/state}/hookbin\"".to_owned(),
        format!("rm -rf {}", moved.display()),
        format!("mv {} /tmp/elsewhere", moved.display()),
    ] {
        assert_eq!(session.verdict(&command), "deny", "{command}");
    }
    assert_eq!(session.verdict("echo x > $XDG_STATE_HOME/other/notes.txt"), "pass");
}

/// What the registry is told of workers and missions is for whoever starts them. A session may say that it has looked at a result.
#[test]
fn workers_and_executions_are_told_by_commands_that_are_not_the_agents() {
    let session = Session::new().env("CLAUDE_CONVERSATION_ID", "talk").env("MISSION_EXECUTION_ID", "run-9");
    let tell = |args: &[&str]| {
        let ran = session.cli(&[&["sessions"], args].concat(), "");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{args:?}: {ran:?}");
    };
    tell(&["execution", "run-9", "--mission", "nightly"]);
    assert_eq!(shown(&session.start("startup")), "", "the execution is known");
    for (id, status) in [("w1-first", "complete"), ("w2-second", "complete"), ("w3-third", "running")] {
        tell(&[
            "worker",
            id,
            "--conversation",
            "talk",
            "--task",
            "research",
            "--status",
            status,
            "--summary",
            "token ghp_0123456789abcdefghijABCDEFGHIJ012345",
        ]);
    }
    let summary = session.wakes();
    assert!(summary.contains("2 workers are done") && !summary.contains("w3-third"), "{summary}");
    assert!(summary.contains("hookbin sessions acknowledge"), "the model is told how: {summary}");
    assert!(!summary.contains("ghp_0123456789abcdefghij"), "{summary}");
    tell(&["acknowledge", "w1-fi"]);
    let summary = session.wakes();
    assert!(summary.contains("1 worker is done") && summary.contains("w2-secon"), "{summary}");
    tell(&["acknowledge", "w2-second", "--conversation", "talk"]);
    assert!(session.wakes().contains("No worker of this conversation"));
    for (args, said) in [
        (vec!["acknowledge", "w1-first"], "no worker"),
        (vec!["worker", " "], "empty"),
        (vec!["worker", "w9", "--status", "done"], "possible values"),
    ] {
        let ran = session.cli(&[&["sessions"], args.as_slice()].concat(), "");
        assert!(ran.code == Some(64) && ran.stderr.contains(said), "{args:?}: {ran:?}");
    }

    assert_eq!(session.verdict("hookbin sessions worker w1 --status complete --summary forged"), "deny");
    assert_eq!(session.verdict("hookbin sessions execution run-9 --status completed"), "deny");
    assert_eq!(session.verdict("hookbin sessions acknowledge w1"), "pass");
    assert_eq!(session.verdict("hookbin sessions list"), "pass");
}

#[test]
fn a_registry_that_cannot_be_read_is_said_to_the_person_once_a_start() {
    let session = Session::new();
    session.start("startup");
    let database = session.sandbox.home().join(".local/state/hookbin/registry.db");
    assert_eq!(session.cli(&["sessions", "list"], "").code, Some(0));
    let tables = rusqlite::Connection::open(&database).unwrap();
    tables.execute("UPDATE schema_version SET version = 99", []).unwrap();
    drop(tables);
    let ran = session.start("resume");
    assert!(shown(&ran).contains("update hookbin") && shown(&ran).contains("nothing is lost"), "{ran:?}");
    assert_eq!(shown(&session.prompt()), "", "once is enough");
    session.person("[registry]\npath = \"relative.db\"\n");
    assert!(shown(&session.start("resume")).contains("not an absolute path"));
    // Another process that writes is no news: it passes.
    session.person("");
    let session = Session::new();
    session.start("startup");
    session.row();
    let database = session.sandbox.home().join(".local/state/hookbin/registry.db");
    let busy = rusqlite::Connection::open(database).unwrap();
    busy.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert_eq!(shown(&session.start("resume")), "");
}

#[test]
fn a_session_is_listed_by_enough_of_its_id() {
    let mut session = Session::new();
    session.start("startup");
    for id in ["nightly-1", "nightly-2"] {
        session.set("CLAUDE_SESSION_ID", id);
        session.start("startup");
    }
    let listed = session.cli(&["sessions", "list"], "").stdout;
    let ids: Vec<&str> = listed.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(ids.len(), 3, "{listed}");
    for id in ids {
        let ran = session.cli(&["sessions", "show", id, "--json"], "");
        assert_eq!(ran.code, Some(0), "{id}: {ran:?}");
        let found: Value = ran.json();
        assert!(found["session"]["session_id"].as_str().unwrap().starts_with(id), "{found}");
    }
}
