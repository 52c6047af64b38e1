//! Which executables are believed: what doctor starts, and what an installation vouches for.

use std::path::PathBuf;
use std::time::Duration;

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

// --- vouchers (32) ---------------------------------------------------------------------------------------------------------

/// A person who installed for all projects, and in this one.
fn vouched() -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.cli(&["install", "--user", "--profile", "standard"]).code, Some(0));
    assert_eq!(sandbox.cli(&["install", "--scope", "project", "--profile", "standard"]).code, Some(0));
    let folder = sandbox.home().join(".local/share/hookbin/projects");
    let voucher = std::fs::read_dir(folder).unwrap().flatten().next().unwrap().path();
    (sandbox, voucher)
}

fn of_user(sandbox: &Sandbox) -> Option<String> {
    ask(sandbox, &["PreToolUse", "--user"], "rm -rf /").decision()
}

#[test]
fn a_voucher_knows_its_executable_by_more_than_size_and_date() {
    let (sandbox, voucher) = vouched();
    assert_eq!(of_user(&sandbox), None, "the project's own answers");
    let program = sandbox.path(".claude/hookbin/hookbin");
    assert!(std::fs::read_to_string(&voucher).unwrap().contains(&sha256(&program)));
    let date = std::fs::metadata(&program).unwrap().modified().unwrap();
    let mut bytes = std::fs::read(&program).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::thread::sleep(Duration::from_millis(20));
    std::fs::write(&program, &bytes).unwrap();
    std::fs::File::options().write(true).open(&program).unwrap().set_modified(date).unwrap();
    assert_eq!(of_user(&sandbox).as_deref(), Some("deny"), "another program of the same size and date");
}

#[test]
fn a_voucher_of_the_first_version_silences_nothing_and_is_renewed() {
    let (sandbox, voucher) = vouched();
    let program = std::fs::metadata(sandbox.path(".claude/hookbin/hookbin")).unwrap();
    let nanos = program.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    std::fs::write(&voucher, format!("{} {nanos}\n", program.len())).unwrap();
    assert_eq!(of_user(&sandbox).as_deref(), Some("deny"));
    // Where the person keeps records stays so.
    assert!(sandbox.read(".claude/hookbin/log/audit.jsonl").contains("rm -rf /"));
    assert_eq!(sandbox.cli(&["install", "--scope", "project"]).code, Some(0));
    assert_eq!(of_user(&sandbox), None);
}
