//! Which executables are believed: what doctor starts, and what answers instead of another.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{SYSTEM, ask};
use crate::sandbox::{Sandbox, run, sha256};

// --- doctor (17, 12) -------------------------------------------------------------------------------------------------------

/// Entries that a clone's settings may hold, and what the clone brings for them.
const CLONES: &[(&str, &str)] = &[
    ("SHARED", ".claude/hookbin/hookbin"),
    (
        r#"{"command": "${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin", "args": ["hook", "PreToolUse"]}"#,
        ".claude/hookbin/hookbin",
    ),
    (r#"{"command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hookbin/hookbin hook PreToolUse"}"#, ".claude/hookbin/hookbin"),
    (r#"{"command": "${CLAUDE_PROJECT_DIR}/tools/hookbin", "args": ["hook", "PreToolUse"]}"#, "tools/hookbin"),
    (r#"{"command": "tools/hookbin hook PreToolUse"}"#, "tools/hookbin"),
    (r#"{"command": "hookbin", "args": ["hook", "PreToolUse"]}"#, "hookbin"),
    (r#"{"command": "$CLAUDE_PROJECT_DIR/tools/hookbin hook PreToolUse; true"}"#, "tools/hookbin"),
];

#[test]
fn doctor_starts_no_program_that_a_clone_brings() {
    let installed = Sandbox::new();
    assert_eq!(installed.cli(&["install", "--scope", "project", "--profile", "standard"]).code, Some(0));
    let shared = installed.json(".claude/settings.json")["hooks"]["PreToolUse"][0]["hooks"][0].clone();
    for (entry, program) in CLONES {
        let clone = Sandbox::new();
        let mut entry: Value = if *entry == "SHARED" { shared.clone() } else { serde_json::from_str(entry).unwrap() };
        (entry["type"], entry["timeout"]) = (json!("command"), json!(10));
        clone.write(".claude/settings.json", &json!({"hooks": {"PreToolUse": [{"hooks": [entry]}]}}).to_string());
        let mark = clone.home().join("mark");
        clone.program(program, &format!("/usr/bin/touch '{}'", mark.display()));
        // The clone may bring a note as well.
        let note = json!({"version": 3, "executable": sha256(&clone.path(program))});
        clone.write(".claude/hookbin/install.json", &note.to_string());
        let mut doctor = clone.command(&["doctor", "--json"]);
        doctor.env("PATH", format!(".:{}:{SYSTEM}", clone.path("").display()));
        let ran = run(doctor, b"");
        assert!(!mark.exists(), "{entry}");
        let report = ran.json();
        let registered = report["registered"].as_array().unwrap();
        assert!(ran.code == Some(4) && registered.iter().all(|registered| registered["on"] == false), "{report}");
        let findings = report["findings"].as_array().unwrap();
        let says = |words: &str| findings.iter().any(|finding| finding["message"].as_str().unwrap().contains(words));
        let entry = entry["command"].as_str().unwrap();
        // What does not end with the executable is no entry of ours, so that nothing would start it.
        assert!(
            registered.is_empty() || says("foreign program, not started") || says("executable is missing"),
            "{entry}: {report}"
        );
    }
}

#[test]
fn doctor_asks_the_entry_with_what_a_hook_would_read() {
    for scope in ["project", "local", "user"] {
        let sandbox = Sandbox::new();
        assert_eq!(sandbox.cli(&["install", "--scope", scope, "--profile", "standard"]).code, Some(0));
        let marks: &[&str] = match scope {
            "project" => &[],
            "local" => &["--local"],
            _ => &["--user"],
        };
        let args = [&["PreToolUse"], marks].concat();
        // A configuration in force, compiled; then another of the same length, under the same date, in the same file.
        let config = sandbox.home().join(".config/hookbin/hookbin.toml");
        std::fs::create_dir_all(config.parent().unwrap()).unwrap();
        let off = "[change.guard]\nenabled = false # profile\n";
        let on = format!("profile = \"standard\" {}\n", "#".repeat(off.len() - "profile = \"standard\" \n".len()));
        assert_eq!(off.len(), on.len());
        std::fs::write(&config, off).unwrap();
        ask(&sandbox, &args, "rm -rf /");
        let date = std::fs::metadata(&config).unwrap().modified().unwrap();
        std::fs::write(&config, on).unwrap();
        std::fs::File::options().write(true).open(&config).unwrap().set_modified(date).unwrap();
        let log = sandbox.path(".claude/hookbin/log/audit.jsonl");
        let before = std::fs::read(&log).unwrap_or_default();
        let ran = sandbox.cli(&["doctor", "--json"]);
        // Either the forgery has no effect, or doctor meets what a hook meets and says so.
        if ask(&sandbox, &[&args[..], &["--dry"]].concat(), "rm -rf /").decision().as_deref() != Some("deny") {
            assert_eq!(ran.code, Some(4), "{scope}: {ran:?}");
            assert!(ran.stdout.contains("in its real place"), "{scope}: {ran:?}");
        }
        assert_eq!(std::fs::read(&log).unwrap_or_default(), before, "asking leaves no record");
    }
}

#[test]
fn a_dry_run_answers_and_leaves_nothing() {
    let sandbox = Sandbox::with_profile("spf");
    let before = crate::sandbox::tree(&sandbox.project());
    let ran = ask(&sandbox, &["PreToolUse", "--dry"], "rm -rf /");
    assert_eq!((ran.decision().as_deref(), ran.code), (Some("deny"), Some(2)));
    let after = crate::sandbox::tree(&sandbox.project());
    let new: Vec<&PathBuf> = after.iter().filter(|path| !before.contains(path)).collect();
    // The compiled configuration is made as always.
    assert!(!new.iter().any(|path| path.to_string_lossy().contains("log") || path.ends_with("s1.json")), "{new:?}");
}

// --- which installation answers (32) ---------------------------------------------------------------------------------------

fn of_user(sandbox: &Sandbox) -> Option<String> {
    ask(sandbox, &["PreToolUse", "--user"], "rm -rf /").decision()
}

/// A user who installed for all projects, and in this one. Their entry gives way to the project's only where that starts their own.
#[test]
fn the_entry_of_all_projects_gives_way_to_the_persons_own_executable_alone() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.cli(&["install", "--user", "--profile", "standard"]).code, Some(0));
    assert_eq!(sandbox.cli(&["install", "--scope", "project", "--profile", "standard"]).code, Some(0));
    assert_eq!(of_user(&sandbox), None, "the project's own answers");
    // The line goes by the environment, and a variable of the project leads to another program.
    sandbox.program("data/hookbin/hookbin", "exit 0");
    let elsewhere = sandbox.home().join("data/hookbin");
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::copy(sandbox.path("data/hookbin/hookbin"), elsewhere.join("hookbin")).unwrap();
    let event = json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": sandbox.project(), "tool_name": "Bash",
        "tool_input": {"command": "rm -rf /"}});
    let with = |data: PathBuf| {
        let mut command = sandbox.command(&["hook", "PreToolUse", "--user"]);
        command.env("XDG_DATA_HOME", data);
        run(command, event.to_string().as_bytes()).decision()
    };
    assert_eq!(with(sandbox.path("data")), None, "what lies in the project is started by nobody");
    assert_eq!(with(sandbox.home().join("data")).as_deref(), Some("deny"));
    // Records stay where the user has them.
    assert!(sandbox.read(".claude/hookbin/log/audit.jsonl").contains("rm -rf /"));
}

/// What a voucher of an earlier version says of an executable in the project: where records are kept, and nothing else.
#[test]
fn a_voucher_of_an_earlier_version_silences_nothing() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.cli(&["install", "--user", "--profile", "standard"]).code, Some(0));
    let program = sandbox.path(".claude/hookbin/hookbin");
    std::fs::create_dir_all(program.parent().unwrap()).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_hookbin"), &program).unwrap();
    let settings = json!({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "timeout": 10,
        "command": "${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin", "args": ["hook", "PreToolUse"]}]}]}});
    sandbox.write(".claude/settings.json", &settings.to_string());
    let metadata = std::fs::metadata(&program).unwrap();
    let nanos = metadata.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    let vouchers = sandbox.home().join(".local/share/hookbin/projects");
    std::fs::create_dir_all(&vouchers).unwrap();
    std::fs::write(vouchers.join(sandbox.name()), format!("{} {nanos}\n", metadata.len())).unwrap();
    assert_eq!(of_user(&sandbox).as_deref(), Some("deny"));
    assert!(sandbox.read(".claude/hookbin/log/audit.jsonl").contains("rm -rf /"));
}
