//! What only a user says: that they have seen the work, and that the guard is to go. The same function decides for both, and for trust.

use std::process::Command;

use serde_json::json;

use crate::sandbox::{Ran, Sandbox, run};
use crate::trust::{at_terminal, type_at_terminal};

/// The commands that are the user's.
const COMMANDS: [&[&str]; 3] = [&["proof", "verify"], &["uninstall"], &["uninstall", "--purge"]];

/// A project with an installation.
fn installed() -> Sandbox {
    let sandbox = Sandbox::with_profile("guardrails");
    assert!(matches!(sandbox.cli(&["install"]).code, Some(0 | 4)));
    assert!(is_registered(&sandbox));
    sandbox
}

fn is_registered(sandbox: &Sandbox) -> bool {
    let names = ["settings.json", "settings.local.json"].map(|name| sandbox.path(".claude").join(name));
    names.iter().any(|path| std::fs::read_to_string(path).is_ok_and(|text| text.contains("hookbin")))
}

/// Whether a command of [`COMMANDS`] was carried out.
fn is_done(sandbox: &Sandbox, args: &[&str]) -> bool {
    match args[0] {
        "uninstall" => !is_registered(sandbox),
        _ => std::fs::read_to_string(sandbox.path(".claude/.proof-status"))
            .is_ok_and(|text| text.starts_with("verified|")),
    }
}

/// The command without anything that says who started it.
fn bare(sandbox: &Sandbox, args: &[&str]) -> Command {
    let mut command = sandbox.command(args);
    command.env_remove("HOOKBIN_UNATTENDED");
    command
}

fn refused(sandbox: &Sandbox, ran: &Ran, args: &[&str], why: &str) {
    assert_eq!(ran.code, Some(64), "{args:?}: {ran:?}");
    assert!(ran.stderr.contains(why), "{args:?}: {ran:?}");
    assert!(!is_done(sandbox, args), "{args:?}");
}

#[test]
fn only_a_person_says_that_work_is_seen_and_that_the_guard_goes() {
    for args in COMMANDS {
        let sandbox = installed();
        refused(&sandbox, &run(bare(&sandbox, args), b""), args, "at a terminal");
        for variable in ["CLAUDECODE", "COPILOT_CLI", "GEMINI_CLI", "CODEX_SANDBOX"] {
            let mut command = bare(&sandbox, args);
            command.env("HOOKBIN_UNATTENDED", "1").env(variable, "1");
            refused(&sandbox, &run(command, b""), args, variable);
        }
        assert_eq!(at_terminal(&sandbox, args, |_| "WRONG".to_owned()), Some(64), "{args:?}");
        assert!(!is_done(&sandbox, args), "{args:?}");
        assert_eq!(at_terminal(&sandbox, args, str::to_owned), Some(0), "{args:?}");
        assert!(is_done(&sandbox, args), "{args:?}");
        // A script of the user's, outside of any client.
        let sandbox = installed();
        let mut command = bare(&sandbox, args);
        command.env("HOOKBIN_UNATTENDED", "1");
        assert_eq!(run(command, b"").code, Some(0), "{args:?}");
        assert!(is_done(&sandbox, args), "{args:?}");
    }
    // What only shows asks nobody.
    let sandbox = installed();
    let ran = run(bare(&sandbox, &["uninstall", "--dry-run"]), b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Finding 34: the executable under another name, in a terminal that the agent has made.
#[test]
fn a_renamed_copy_in_a_terminal_of_the_agents_making_is_not_the_person() {
    for args in COMMANDS {
        let sandbox = installed();
        let copy = sandbox.home().join("tool");
        std::fs::copy(env!("CARGO_BIN_EXE_hookbin"), &copy).unwrap();
        let client = sandbox.home().join("claude");
        std::fs::copy("/bin/sh", &client).unwrap();
        for unattended in [false, true] {
            let mut command = Command::new(&client);
            command.args(["-c", "\"$0\" \"$@\"; exit $?"]).arg(&copy).args(args).env_clear();
            command.env("HOME", sandbox.home()).env("CLAUDE_PROJECT_DIR", sandbox.project());
            command.current_dir(sandbox.project());
            if unattended {
                command.env("HOOKBIN_UNATTENDED", "1");
            }
            assert_eq!(type_at_terminal(&command, str::to_owned), Some(64), "{args:?}");
            assert!(!is_done(&sandbox, args), "{args:?}");
        }
    }
}

/// An agent that types into terminals can type into the user's: a command, a variable before it and the code.
#[test]
fn who_types_where_a_session_types_is_not_known() {
    let event = |sandbox: &Sandbox, name: &str, more: serde_json::Value| {
        let mut all = json!({"session_id": "s1", "cwd": sandbox.project(), "hook_event_name": name});
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let ran = sandbox.hook(&[name, "--local"], all.to_string().as_bytes());
        assert_eq!(ran.code, Some(0), "{ran:?}");
    };
    for args in COMMANDS {
        let sandbox = installed();
        event(&sandbox, "SessionStart", json!({"source": "startup"}));
        let input = json!({"command": "tmux send-keys -t server 'npm run dev' Enter"});
        event(&sandbox, "PreToolUse", json!({"tool_name": "Bash", "tool_input": input, "tool_use_id": "t1"}));
        let mut command = bare(&sandbox, args);
        command.env("HOOKBIN_UNATTENDED", "1");
        let ran = run(command, b"");
        assert_eq!(ran.code, Some(64), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains("session s1 of this project has typed into a terminal"), "{ran:?}");
        assert_eq!(at_terminal(&sandbox, args, str::to_owned), Some(64), "{args:?}");
        assert_eq!(at_terminal(&sandbox, &["trust"], str::to_owned), Some(64));
        assert!(!is_done(&sandbox, args));
        // It has ended, and types no more.
        event(&sandbox, "SessionEnd", json!({"reason": "other"}));
        assert_eq!(at_terminal(&sandbox, args, str::to_owned), Some(0), "{args:?}");
    }
}

/// Where nothing is to end, nobody is asked; and what goes on is said.
#[test]
fn nobody_is_asked_whether_what_is_not_there_is_to_go() {
    let sandbox = Sandbox::with_profile("guardrails");
    assert!(matches!(sandbox.cli(&["install", "--user"]).code, Some(0 | 4)));
    let ran = run(bare(&sandbox, &["uninstall"]), b"");
    assert!(ran.code == Some(0) && ran.stdout.contains("holds no entry of hookbin"), "{ran:?}");
    assert!(ran.stdout.contains("`hookbin uninstall --scope user`"), "{ran:?}");
    let user = || std::fs::read_to_string(sandbox.home().join(".claude/settings.json")).unwrap();
    assert!(user().contains("hookbin"));
    refused(&sandbox, &run(bare(&sandbox, &["uninstall", "--purge"]), b""), &["proof"], "at a terminal");
    // With entries here as well, these are what is asked about.
    assert!(matches!(sandbox.cli(&["install", "--scope", "local"]).code, Some(0 | 4)));
    refused(&sandbox, &run(bare(&sandbox, &["uninstall"]), b""), &["uninstall"], "at a terminal");
    assert_eq!(at_terminal(&sandbox, &["uninstall"], str::to_owned), Some(0));
    assert!(!is_registered(&sandbox) && user().contains("hookbin"));
}
