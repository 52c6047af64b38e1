//! A whole hook on any bytes, in a throw-away directory: an answer or none, exit code 0 or 2, and no panic behind the fail mode.
#![no_main]

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use hook_runtime::event::args::HookArgs;
use hook_runtime::system::host::Host;
use hook_runtime::event::run::hook;
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

/// Runs after which the directory is emptied, so that the log stays small.
const FRESH_AFTER: u32 = 500;

static RUNS: AtomicU32 = AtomicU32::new(0);

fn dir() -> &'static Path {
    static DIR: OnceLock<TempDir> = OnceLock::new();
    DIR.get_or_init(|| TempDir::new().expect("a throw-away directory")).path()
}

/// The first byte says whether the rest is the payload itself or the command of a call.
fn payload(bytes: &[u8], cwd: &Path) -> Vec<u8> {
    match bytes.split_first() {
        Some((first, rest)) if first % 2 == 0 => {
            let command = String::from_utf8_lossy(rest);
            let event = serde_json::json!({
                "session_id": "fuzz", "hook_event_name": "PreToolUse", "cwd": cwd, "tool_name": "Bash", "tool_use_id": "1",
                "tool_input": { "command": command },
            });
            event.to_string().into_bytes()
        }
        Some((_, rest)) => rest.to_vec(),
        None => Vec::new(),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let project = dir().join("project");
    if RUNS.fetch_add(1, Ordering::Relaxed) % FRESH_AFTER == 0 {
        let _ = std::fs::remove_dir_all(&project);
        std::fs::create_dir_all(project.join(".claude")).expect("a project directory");
    }
    let home = dir().as_os_str().to_owned();
    let host = Host::new(move |name| (name == "HOME").then(|| home.clone()), chrono::Utc::now(), Some(project.clone()));
    let args = HookArgs {
        subject: Some("PreToolUse".to_owned()),
        profiles: Some(vec!["standard".to_owned()]),
        project: Some(project.clone()),
        ..HookArgs::default()
    };
    let printed = hook(&args, &payload(bytes, &project), &host);
    assert!(matches!(printed.code, 0 | 2), "exit code {}", printed.code);
    let said = format!("{}{}", printed.stdout, printed.stderr);
    // A caught panic shows in the answer; a payload may hold the same words.
    assert!(!said.contains("internal error: ") || String::from_utf8_lossy(bytes).contains("internal"), "{said}");
    if !printed.stdout.is_empty() {
        let answer: Result<serde_json::Value, _> = serde_json::from_str(&printed.stdout);
        assert!(answer.is_ok(), "no JSON: {}", printed.stdout);
    }
});
