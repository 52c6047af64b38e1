//! What `doctor` says about a healthy installation, about each of many planted faults, and what `--fix` does.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use chrono::Utc;
use hook_runtime::system::System;
use hookbin::doctor::Doctor;
use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox, run, sha256};

const SETTINGS: &str = ".claude/settings.json";
const BINARY: &str = "../.local/share/hookbin/hookbin";

/// A project that is installed, trusted and in use.
fn healthy() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.declare(&["spf-smart-gate"]);
    let ran = sandbox.cli(&["install", "--scope", "project", "--profile", "spf"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    sandbox.hook(&["Stop"], br#"{"hook_event_name":"Stop","session_id":"s"}"#);
    let project = sandbox.project().display().to_string();
    let trust = json!({"projects": {project: {"hasTrustDialogAccepted": true}}});
    std::fs::write(sandbox.home().join(".claude.json"), trust.to_string()).unwrap();
    sandbox
}

/// Level and message of the findings with this id.
fn found(report: &Value, id: &str) -> Vec<(String, String)> {
    let all = report["findings"].as_array().unwrap().iter().filter(|finding| finding["id"] == id);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    all.map(|finding| (text(&finding["level"]), text(&finding["message"]))).collect()
}

fn examine(sandbox: &Sandbox) -> (Ran, Value) {
    let ran = sandbox.cli(&["doctor", "--json"]);
    let report = ran.json();
    assert_eq!(report["version"], 1);
    assert_eq!(ran.code == Some(0), report["good"] == true, "{ran:?}");
    (ran, report)
}

#[track_caller]
fn is_fault(sandbox: &Sandbox, id: &str, words: &str) {
    let (ran, report) = examine(sandbox);
    let fits = |(level, message): &(String, String)| level == "fault" && message.contains(words);
    assert!(found(&report, id).iter().any(fits), "no fault `{id}` about {words}: {}", ran.stdout);
    assert_eq!(ran.code, Some(4));
    // The plain form says the same.
    let plain = sandbox.cli(&["doctor"]);
    assert!(plain.code == Some(4) && plain.stdout.contains("fault: "), "{plain:?}");
}

#[track_caller]
fn is_note(sandbox: &Sandbox, id: &str, words: &str) {
    let (ran, report) = examine(sandbox);
    let fits = |(level, message): &(String, String)| level == "note" && message.contains(words);
    assert!(found(&report, id).iter().any(fits), "no note `{id}` about {words}: {}", ran.stdout);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
}

/// It is a fault, and `--fix` mends it.
#[track_caller]
fn is_mended(sandbox: &Sandbox, id: &str, words: &str) {
    is_fault(sandbox, id, words);
    let ran = sandbox.cli(&["doctor", "--fix", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(found(&ran.json(), id).is_empty(), "{ran:?}");
    assert_eq!(examine(sandbox).1["registered"][0]["on"], true);
}

fn change(sandbox: &Sandbox, from: &str, to: &str) {
    let text = sandbox.read(SETTINGS);
    assert!(text.contains(from), "{from} is not in {text}");
    sandbox.write(SETTINGS, &text.replacen(from, to, 1));
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_healthy_installation_has_no_finding_and_is_shown_to_fire() {
    let sandbox = healthy();
    let (ran, report) = examine(&sandbox);
    let notes: Vec<&str> =
        report["findings"].as_array().unwrap().iter().map(|finding| finding["id"].as_str().unwrap()).collect();
    assert_eq!((ran.code, notes), (Some(0), vec!["last-event"]), "{ran:?}");
    let registered = &report["registered"][0];
    assert_eq!((&registered["scope"], &registered["on"]), (&json!("project"), &json!(true)));
    assert_eq!(registered["canary"]["refusal"]["verdict"], "deny");
    // Three calls that only the guard stops, whatever gates the profile has.
    let shown = registered["canary"]["guard"].as_array().unwrap();
    assert!(shown.len() == 3 && shown.iter().all(|answer| answer["reason"].as_str().unwrap().contains("(rule ")));
    assert_eq!(registered["canary"]["pass"]["verdict"], Value::Null);
    assert!(registered["canary"]["refusal"]["millis"].as_u64().unwrap() < 5_000);
    // Looking left nothing in the records.
    assert!(!sandbox.read(".claude/hookbin/log/audit.jsonl").contains("canary"));
    assert!(!sandbox.state("sessions/canary.json").exists());
    let plain = sandbox.cli(&["doctor"]).stdout;
    assert!(plain.contains("the guard is on") && plain.contains("(rule delete-system)"), "{plain}");
}

#[test]
fn nothing_installed() {
    is_fault(&Sandbox::new(), "not-installed", "nothing is guarded");
}

#[test]
fn a_foreign_entry_that_costs_the_whole_file() {
    let sandbox = healthy();
    change(&sandbox, "\"PreToolUse\": [", r#""PreToolUse": [{"matcher": {"toolName": "Bash"}, "hooks": []}, "#);
    is_fault(&sandbox, "file-dropped", "\"matcher\" must be a string");
    let (_, report) = examine(&sandbox);
    assert_eq!(report["registered"][0]["on"], false);
    let line = sandbox.read(SETTINGS).lines().position(|line| line.contains("toolName")).unwrap() + 1;
    assert_eq!(report["findings"][0]["line"], line);
}

#[test]
fn the_short_form_in_another_settings_file() {
    let sandbox = healthy();
    sandbox.write(".claude/settings.local.json", r#"{"hooks": {"PreToolUse": ["./guard.sh"]}}"#);
    is_fault(&sandbox, "file-dropped", "must be an object");
}

#[test]
fn a_comment_in_the_settings() {
    let sandbox = healthy();
    change(&sandbox, "{\n", "{ // ours\n");
    is_fault(&sandbox, "file-dropped", "comment");
}

#[test]
fn hooks_switched_off_in_another_file() {
    let sandbox = healthy();
    sandbox.write(".claude/settings.local.json", "{\n  \"disableAllHooks\": true\n}\n");
    is_fault(&sandbox, "hooks-off", "disableAllHooks");
    let (_, report) = examine(&sandbox);
    assert_eq!(report["registered"][0]["on"], false);
    assert!(report["findings"][0]["file"].as_str().unwrap().ends_with("settings.local.json"));
    assert_eq!(report["findings"][0]["line"], 2);
}

#[test]
fn a_false_with_more_precedence_wins_over_the_switch() {
    let sandbox = healthy();
    sandbox.write(".claude/settings.local.json", r#"{"disableAllHooks": false}"#);
    change(&sandbox, "{\n", "{\n  \"disableAllHooks\": true,\n");
    let (ran, report) = examine(&sandbox);
    assert_eq!((ran.code, &report["registered"][0]["on"]), (Some(0), &json!(true)), "{ran:?}");
}

#[test]
fn managed_settings_that_allow_no_other_hooks() {
    let sandbox = healthy();
    let home = sandbox.home();
    let system =
        System::new(move |name| (name == "HOME").then(|| home.clone().into()), Utc::now(), Some(sandbox.project()));
    let managed = sandbox.path("managed-settings.json");
    for (text, off) in [("{\"allowManagedHooksOnly\": true}", true), ("{\"allowManagedHooksOnly\": false}", false)] {
        std::fs::write(&managed, text).unwrap();
        let report = Doctor::new(&system).with_managed(managed.clone()).examine(Some(&sandbox.project()));
        let said = report.findings.iter().find(|finding| finding.id == "managed-only");
        assert_eq!(said.is_some(), off, "{report:?}");
        assert_eq!(report.registered.iter().all(|registered| registered.on), !off);
    }
}

#[test]
fn something_else_in_the_place_of_the_settings() {
    let sandbox = healthy();
    std::fs::create_dir(sandbox.path(".claude/settings.local.json")).unwrap();
    is_fault(&sandbox, "settings-unreadable", "not a plain file");
}

#[test]
fn an_entry_that_was_changed() {
    let sandbox = healthy();
    change(&sandbox, "\"timeout\": 10", "\"timeout\": 99");
    is_mended(&sandbox, "entry-outdated", "1 outdated");
}

#[test]
fn an_entry_of_an_older_form() {
    for old in [
        r#""command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hookbin/hookbin hook Stop""#,
        r#""command": "${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin", "args": ["hook", "Stop"]"#,
    ] {
        let sandbox = healthy();
        let command = sandbox.json(SETTINGS)["hooks"]["Stop"][0]["hooks"][0]["command"].to_string();
        change(&sandbox, &format!("\"command\": {command}"), old);
        is_mended(&sandbox, "entry-outdated", "1 outdated");
    }
}

#[test]
fn an_event_without_an_entry() {
    let sandbox = healthy();
    change(&sandbox, "\"Stop\": [", "\"Stopp\": [");
    is_fault(&sandbox, "entry-outdated", "1 missing");
}

#[test]
fn an_entry_that_stands_twice() {
    let sandbox = healthy();
    let twice = r#"{"hooks": [{"type": "command", "command": "hookbin", "args": ["hook", "Stop"]}]}, "#;
    change(&sandbox, "\"Stop\": [", &format!("\"Stop\": [{twice}"));
    is_mended(&sandbox, "entry-outdated", "1 superfluous");
}

#[test]
fn calls_that_nobody_guards() {
    let sandbox = healthy();
    let text = sandbox.read(SETTINGS);
    let mut settings: Value = serde_json::from_str(&text).unwrap();
    settings["hooks"].as_object_mut().unwrap().remove("PreToolUse");
    sandbox.write(SETTINGS, &settings.to_string());
    is_mended(&sandbox, "no-guard-entry", "no call is guarded");
}

#[test]
fn a_fresh_clone_without_the_executable() {
    let sandbox = healthy();
    std::fs::remove_file(sandbox.path(BINARY)).unwrap();
    is_mended(&sandbox, "binary-missing", "unguarded");
}

#[test]
fn an_executable_that_cannot_be_executed() {
    let sandbox = healthy();
    set_mode(&sandbox.path(BINARY), 0o644);
    is_mended(&sandbox, "binary-not-executable", "cannot be executed");
}

#[test]
fn an_executable_with_other_bytes() {
    let sandbox = healthy();
    let mut bytes = std::fs::read(sandbox.path(BINARY)).unwrap();
    bytes.extend(b"more");
    std::fs::write(sandbox.path(BINARY), bytes).unwrap();
    is_mended(&sandbox, "binary-changed", "not the one that was installed");
}

#[test]
fn an_executable_of_another_build() {
    let sandbox = healthy();
    let mut bytes = std::fs::read(sandbox.path(BINARY)).unwrap();
    bytes.extend(b"more");
    std::fs::write(sandbox.path(BINARY), bytes).unwrap();
    // Installed as it is: the note beside it has its hash. An earlier version is named.
    let note = sandbox.note("project");
    let mut record: Value = serde_json::from_slice(&std::fs::read(&note).unwrap()).unwrap();
    record["executable"] = json!(sha256(&sandbox.path(BINARY)));
    record["hookbin"] = json!("0.0.7");
    std::fs::write(note, record.to_string()).unwrap();
    is_mended(&sandbox, "binary-other", "0.0.7");
}

/// Another program in the executable's place, which the user's installation has noted. One that it has not is never started.
fn stand_in(sandbox: &Sandbox, script: &str) {
    std::fs::write(sandbox.path(BINARY), script).unwrap();
    let note = sandbox.note("project");
    let mut record: Value = serde_json::from_slice(&std::fs::read(&note).unwrap()).unwrap();
    record["executable"] = json!(sha256(&sandbox.path(BINARY)));
    std::fs::write(note, record.to_string()).unwrap();
}

#[test]
fn an_executable_that_answers_nothing() {
    let sandbox = healthy();
    stand_in(&sandbox, "#!/bin/sh\nexit 0\n");
    is_mended(&sandbox, "canary", "it says nothing, where this executable says deny");
}

#[test]
fn an_executable_that_fails_or_says_what_no_client_takes() {
    for (script, words) in [
        ("#!/bin/sh\necho broken >&2\nexit 1\n", "broken"),
        ("#!/bin/sh\necho '{\"hookSpecificOutput\":{\"permissionDecision\":\"deny\"}}'\n", "does not accept"),
        ("#!/no/such/interpreter\n", "it ends with exit status: 12"),
    ] {
        let sandbox = healthy();
        stand_in(&sandbox, script);
        is_fault(&sandbox, "canary", words);
    }
}

#[test]
fn an_executable_that_others_may_change() {
    let sandbox = healthy();
    set_mode(&sandbox.path(BINARY), 0o777);
    is_mended(&sandbox, "mode", "777");
}

#[test]
fn records_that_others_may_read() {
    let sandbox = healthy();
    set_mode(&sandbox.path(".claude/hookbin"), 0o755);
    is_mended(&sandbox, "mode", "755");
}

#[test]
fn a_damaged_note_of_the_installation() {
    let sandbox = healthy();
    std::fs::write(sandbox.note("project"), "{").unwrap();
    is_mended(&sandbox, "record-damaged", "it is damaged");
}

#[test]
fn a_fault_in_the_configuration() {
    let sandbox = healthy();
    sandbox.write(".claude/hookbin.toml", "profile = \"spf\"\nlogg = 1\n");
    is_fault(&sandbox, "config", "`log`");
}

#[test]
fn another_version_than_the_project_expects() {
    let sandbox = healthy();
    let own = env!("CARGO_PKG_VERSION");
    for good in [own, own.rsplit_once('.').unwrap().0] {
        sandbox.write(".claude/hookbin.toml", &format!("profile = \"spf\"\nhookbin = \"{good}\"\n"));
        let (ran, report) = examine(&sandbox);
        assert!(ran.code == Some(0) && found(&report, "config").is_empty(), "{good}: {ran:?}");
    }
    sandbox.write(".claude/hookbin.toml", "profile = \"spf\"\nhookbin = \"0.0.9\"\n");
    is_fault(&sandbox, "version", "the project expects hookbin 0.0.9");
}

#[test]
fn a_state_dir_that_is_a_link() {
    let sandbox = healthy();
    std::fs::rename(sandbox.path(".claude/hookbin/state"), sandbox.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("elsewhere"), sandbox.path(".claude/hookbin/state")).unwrap();
    is_fault(&sandbox, "linked", "nothing is recorded there");
}

#[test]
fn a_dir_in_which_nothing_can_be_written() {
    use std::os::unix::process::CommandExt;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let sandbox = healthy();
    for path in [sandbox.home().parent().unwrap().to_owned(), sandbox.path(".claude/hookbin")] {
        set_mode(&path, 0o755);
    }
    // The one of the build may lie where only its owner gets to.
    let program = sandbox.path("program");
    std::fs::copy(env!("CARGO_BIN_EXE_hookbin"), &program).unwrap();
    let usual = sandbox.command(&["doctor", "--json"]);
    let mut command = std::process::Command::new(program);
    command.args(usual.get_args()).env_clear().current_dir(sandbox.project());
    command.envs(usual.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.uid(65534).gid(65534);
    let ran = run(command, b"");
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(found(&ran.json(), "not-writable")[0].1.contains("nothing is remembered"), "{ran:?}");
}

#[test]
fn a_damaged_document() {
    let sandbox = healthy();
    std::fs::write(sandbox.state("sessions/s.json"), "{\"version\": 1, ").unwrap();
    is_fault(&sandbox, "state", "damaged");
}

#[test]
fn a_lock_that_somebody_holds() {
    let sandbox = healthy();
    let lock = std::fs::read_dir(sandbox.state("")).unwrap().flatten();
    let lock = lock.map(|entry| entry.path()).find(|path| path.to_string_lossy().contains("lock")).unwrap();
    let held = std::fs::File::open(lock).unwrap();
    held.lock().unwrap();
    is_fault(&sandbox, "lock", "nothing is remembered");
}

#[test]
fn a_log_that_was_edited() {
    let sandbox = healthy();
    let log = sandbox.read(".claude/hookbin/log/audit.jsonl").replace("\"Stop\"", "\"Halt\"");
    sandbox.write(".claude/hookbin/log/audit.jsonl", &log);
    is_fault(&sandbox, "log", "not whole");
}

/// What a power loss leaves: the record before is the newest, and the one that was cut off is missed.
#[test]
fn a_log_whose_last_line_is_torn() {
    let sandbox = healthy();
    let log = sandbox.path(".claude/hookbin/log/audit.jsonl");
    sandbox.hook(&["Stop"], br#"{"hook_event_name":"Stop","session_id":"s"}"#);
    let text = std::fs::read(&log).unwrap();
    std::fs::write(&log, &text[..text.len() - 20]).unwrap();
    is_fault(&sandbox, "log", "not whole");
    let (_, report) = examine(&sandbox);
    assert!(found(&report, "no-event").is_empty(), "{report}");
    assert!(found(&report, "last-event")[0].1.contains("Stop"), "{report}");
    // With one record in all, none is left to show, and that it is missing is still told.
    std::fs::write(&log, &text[..40]).unwrap();
    is_fault(&sandbox, "log", "not whole");
}

/// Every event tells it to the user; so does doctor.
#[test]
fn a_file_where_a_dir_of_records_belongs() {
    for (dir, lost) in [("log", "nothing is logged"), ("state", "nothing is remembered")] {
        let sandbox = healthy();
        let dir = sandbox.path(&format!(".claude/hookbin/{dir}"));
        std::fs::remove_dir_all(&dir).unwrap();
        std::fs::write(&dir, "x").unwrap();
        is_fault(&sandbox, "not-writable", lost);
        assert!(found(&examine(&sandbox).1, "lock").is_empty(), "no process holds it");
    }
}

#[test]
fn a_clock_that_is_wrong() {
    let sandbox = healthy();
    let mut command = sandbox.command(&["doctor", "--json"]);
    command.env("HOOKBIN_NOW", "2001-01-01T00:00:00Z");
    let ran = run(command, b"");
    assert_eq!(ran.code, Some(4));
    assert!(found(&ran.json(), "clock").iter().any(|(_, message)| message.contains("2001-01-01")), "{ran:?}");
}

#[test]
fn records_from_the_future() {
    let sandbox = healthy();
    let event = br#"{"hook_event_name":"Stop","session_id":"s"}"#;
    sandbox.hook_with(&["Stop"], event, &[("HOOKBIN_NOW", "2099-01-01T00:00:00Z")]);
    is_fault(&sandbox, "clock", "future");
}

#[test]
fn a_file_that_an_interrupted_installation_left() {
    let sandbox = healthy();
    sandbox.write(".claude/.hookbin-Ab12Cd", "half");
    is_note(&sandbox, "leftover", "interrupted");
    sandbox.cli(&["doctor", "--fix"]);
    assert!(!sandbox.path(".claude/.hookbin-Ab12Cd").exists());
}

#[test]
fn a_client_started_in_a_subdir() {
    let sandbox = healthy();
    std::fs::create_dir(sandbox.path("src")).unwrap();
    let ask = |sandbox: &Sandbox| {
        let mut command = sandbox.command(&["doctor", "--json"]);
        command.env_remove("CLAUDE_PROJECT_DIR").current_dir(sandbox.path("src"));
        run(command, b"").json()
    };
    assert!(found(&ask(&sandbox), "subfolder")[0].1.contains("no hook fires there"));
    sandbox.cli(&["install", "--user", "--profile", "spf"]);
    let report = ask(&sandbox);
    assert!(found(&report, "subfolder").is_empty() && report["good"] == true, "{report}");
    assert_eq!(report["registered"][1]["scope"], "user");
    assert_eq!(found(&report, "last-event").len(), 1, "said twice: {report}");
}

/// The home directory is no project, and the user's own installation can be looked at from there.
#[test]
fn a_persons_installation_looked_at_from_home() {
    let sandbox = Sandbox::new();
    let ask = |args: &[&str]| {
        let mut command = sandbox.command(args);
        command.env_remove("CLAUDE_PROJECT_DIR").current_dir(sandbox.home());
        run(command, b"")
    };
    assert_eq!(found(&ask(&["doctor", "--json"]).json(), "not-installed").len(), 1);
    assert_eq!(ask(&["install", "--user", "--profile", "spf"]).code, Some(0));
    let ran = ask(&["doctor", "--json"]);
    assert_eq!((ran.code, &ran.json()["registered"][0]["on"]), (Some(0), &json!(true)), "{ran:?}");
    std::fs::remove_file(sandbox.home().join(".local/share/hookbin/hookbin")).unwrap();
    assert_eq!(found(&ask(&["doctor", "--user", "--json"]).json(), "binary-missing").len(), 1);
    assert_eq!(ask(&["doctor", "--user", "--fix"]).code, Some(0));
}

#[test]
fn a_project_of_which_nothing_is_known_yet() {
    let sandbox = Sandbox::new();
    sandbox.cli(&["install", "--scope", "project", "--profile", "spf"]);
    is_note(&sandbox, "trust", "no record that this directory is trusted");
    is_note(&sandbox, "no-event", "no event");
}

#[test]
fn odd_entries_of_others() {
    let sandbox = healthy();
    sandbox.write("guard.sh", "#!/bin/sh\necho \"$CLAUDE_SESSION_ID\" >&2\nexit 1\n");
    sandbox.write("decide.py", "print('{\"hookSpecificOutput\":{\"permissionDecision\": \"block\"}}')\n");
    let entry =
        |command: &str| format!(r#"{{"matcher": "Task", "hooks": [{{"type": "command", "command": "{command}"}}]}}, "#);
    let entries = [
        entry(r#"\"$CLAUDE_PROJECT_DIR\"/guard.sh"#),
        entry("python3 ./decide.py --fast"),
        entry("$CLAUDE_PROJECT_DIR/gone.sh"),
        entry("make lint && echo ok"),
    ];
    change(&sandbox, "\"PreToolUse\": [", &format!("\"PreToolUse\": [{}", entries.concat()));
    is_note(&sandbox, "lint", "`Agent` now");
    is_note(&sandbox, "lint", "guard.sh: exit 1 blocks nothing");
    is_note(&sandbox, "lint", "guard.sh: Claude Code sets no CLAUDE_SESSION_ID");
    is_note(&sandbox, "lint", "decide.py: it answers with a decision that Claude Code does not know");
    is_note(&sandbox, "dead-hook", "gone.sh is not there");
    is_note(&sandbox, "other-hooks", "4 other hooks run on PreToolUse");
    let (_, report) = examine(&sandbox);
    assert_eq!(found(&report, "dead-hook").len(), 1, "{report}");
}

#[test]
fn any_settings_file_can_be_looked_at_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("some.json", "{\"hooks\": {\"PreToolUse\": [{\"matcher\": {}, \"hooks\": []}], \"Nope\": []}}");
    let ran = sandbox.cli(&["doctor", "--lint", "some.json"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(ran.stdout.contains("must be a string") && ran.stdout.contains("no event is named \"Nope\""), "{ran:?}");
    sandbox.write("some.json", "{}");
    assert_eq!(sandbox.cli(&["doctor", "--lint", "some.json"]).stdout, "nothing is wrong\n");
    assert_eq!(sandbox.cli(&["doctor", "--lint", "gone.json"]).code, Some(64));
}
