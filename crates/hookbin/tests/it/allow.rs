//! The user's word: `hookbin allow` for one refused call, `pause` for all of a project, `resume` for none.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox, run};
use crate::tracer::{self, Ended, Fault, Which};
use crate::trust::{at_terminal, type_at_terminal};

/// What the guard refuses.
const REFUSED: &str = "git push --force origin main";

/// What it asks about.
const ASKED: &str = "rm ~/notes.txt";

/// The hour of the tests.
const TEN: &str = "2026-03-01T10:00:00Z";

/// The same hour, some minutes on.
fn at(minutes: u32) -> String {
    format!("2026-03-01T10:{minutes:02}:00Z")
}

/// A call in the project's directory.
fn call(sandbox: &Sandbox, tool: &str, input: &Value) -> Value {
    json!({
        "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": sandbox.project(), "tool_name": tool,
        "tool_use_id": "t1", "tool_input": input,
    })
}

fn bash(sandbox: &Sandbox, command: &str) -> Value {
    call(sandbox, "Bash", &json!({"command": command}))
}

fn send(sandbox: &Sandbox, event: &Value, now: &str) -> Ran {
    let name = event["hook_event_name"].as_str().unwrap();
    sandbox.hook_with(&[name], event.to_string().as_bytes(), &[("HOOKBIN_NOW", now)])
}

fn verdict(sandbox: &Sandbox, event: &Value, now: &str) -> Option<String> {
    let ran = send(sandbox, event, now);
    assert_eq!(ran.code == Some(2), ran.decision().as_deref() == Some("deny"), "{ran:?}");
    ran.decision()
}

/// The message of an answer that the user sees and the model does not.
fn message(ran: &Ran) -> String {
    if ran.stdout.is_empty() {
        return String::new();
    }
    ran.json()["systemMessage"].as_str().unwrap_or_default().to_owned()
}

/// The name that a refusal shows.
fn id(ran: &Ran) -> String {
    let said = message(ran);
    let (_, rest) = said.split_once("`hookbin allow ").unwrap_or_else(|| panic!("no name: {ran:?}"));
    rest.split('`').next().unwrap().to_owned()
}

fn user(sandbox: &Sandbox, args: &[&str], now: &str) -> Ran {
    let mut command = sandbox.command(args);
    command.env("HOOKBIN_UNATTENDED", "1").env("HOOKBIN_NOW", now);
    run(command, b"")
}

fn allowed(sandbox: &Sandbox, event: &Value, options: &[&str]) -> String {
    let id = id(&send(sandbox, event, TEN));
    let ran = user(sandbox, &[&["allow", &id], options].concat(), TEN);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    id
}

fn paused(sandbox: &Sandbox) {
    let ran = user(sandbox, &["pause", "10m"], TEN);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// The newest record.
fn record(sandbox: &Sandbox) -> Value {
    serde_json::from_str(hook_audit_log::tail(&sandbox.log(), 1).unwrap()[0].raw()).unwrap()
}

/// Where words of this project lie.
fn kept(sandbox: &Sandbox) -> Vec<PathBuf> {
    let dir = sandbox.home().join(".local/state/hookbin/allowed");
    std::fs::read_dir(dir).map(|all| all.map(|file| file.unwrap().path()).collect()).unwrap_or_default()
}

#[test]
fn one_refused_call_is_let_through_once() {
    let sandbox = Sandbox::new();
    let push = bash(&sandbox, REFUSED);
    let refused = send(&sandbox, &push, TEN);
    let id = id(&refused);
    assert_eq!(id.len(), 4);
    assert!(message(&refused).contains("type it after `!`"), "{refused:?}");
    // The model reads the reason alone.
    assert!(!refused.reason().contains("allow") && !refused.stderr.contains("allow"), "{refused:?}");
    assert!(sandbox.cli(&["log", "tail"]).stdout.contains(&format!("allow={id}")));
    assert!(sandbox.cli(&["status"]).stdout.contains(&format!("`hookbin allow {id}`")));

    let ran = user(&sandbox, &["allow", &id.to_lowercase()], TEN);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains(REFUSED) && ran.stdout.contains("once"), "{ran:?}");
    assert_eq!(
        (record(&sandbox)["event"].as_str(), record(&sandbox)["note"].as_str()),
        (Some("Allow"), Some(&*format!("{id} once")))
    );
    let status = user(&sandbox, &["status"], TEN).stdout;
    assert!(status.contains(&format!("allowed  {id}  once, 60 min left: Bash {REFUSED}")), "{status}");

    // What only describes the command may differ.
    let again = call(&sandbox, "Bash", &json!({"command": REFUSED, "description": "Push", "timeout": 9}));
    let ran = send(&sandbox, &again, &at(5));
    assert_eq!((ran.code, ran.decision()), (Some(0), None), "{ran:?}");
    assert_eq!(message(&ran), format!("hookbin let this pass, as you allowed ({id}): git-push."));
    let record = record(&sandbox);
    assert_eq!((record.get("verdict"), &record["extra"]["lifted"]), (None, &json!(format!("allow {id}"))));
    assert_eq!((&record["extra"]["would"], &record["extra"]["by"]), (&json!("deny"), &json!("git-push")));
    // Once.
    assert_eq!(verdict(&sandbox, &push, &at(5)).as_deref(), Some("deny"));
    assert!(kept(&sandbox).is_empty());
    assert!(sandbox.cli(&["log", "verify"]).stdout.contains("the chain is whole"));
}

/// A question is lifted by the name that the log shows; the user who is asked needs no other way.
#[test]
fn a_question_is_lifted_as_well() {
    let sandbox = Sandbox::new();
    let asked = bash(&sandbox, ASKED);
    let ran = send(&sandbox, &asked, TEN);
    assert_eq!((ran.decision().as_deref(), message(&ran)), (Some("ask"), String::new()), "{ran:?}");
    let id = record(&sandbox)["extra"]["call"].as_str().unwrap()[..4].to_owned();
    assert_eq!(user(&sandbox, &["allow", &id, "--for", "10m"], TEN).code, Some(0));
    assert_eq!(verdict(&sandbox, &asked, &at(1)), None);
}

#[test]
fn nothing_but_that_call_is_let_through() {
    let sandbox = Sandbox::new();
    let push = bash(&sandbox, REFUSED);
    allowed(&sandbox, &push, &["--for", "1h"]);
    assert_eq!(verdict(&sandbox, &push, &at(1)), None);
    for command in
        ["git push --force origin  main", "git push --force origin main; true", "git push --force origin dev"]
    {
        assert_eq!(verdict(&sandbox, &bash(&sandbox, command), &at(1)).as_deref(), Some("deny"), "{command}");
    }
    let in_background = json!({"command": REFUSED, "run_in_background": true});
    assert_eq!(verdict(&sandbox, &call(&sandbox, "Bash", &in_background), &at(1)).as_deref(), Some("deny"));
    assert_eq!(
        verdict(&sandbox, &call(&sandbox, "Monitor", &json!({"command": REFUSED})), &at(1)).as_deref(),
        Some("deny")
    );
    let mut elsewhere = push.clone();
    elsewhere["cwd"] = json!(sandbox.path("sub"));
    std::fs::create_dir(sandbox.path("sub")).unwrap();
    assert_eq!(verdict(&sandbox, &elsewhere, &at(1)).as_deref(), Some("deny"));
    // Another project of the same user.
    let other = sandbox.home().join("other");
    std::fs::create_dir(&other).unwrap();
    let mut there = push.clone();
    there["cwd"] = json!(other);
    let env = [("HOOKBIN_NOW", TEN), ("CLAUDE_PROJECT_DIR", other.to_str().unwrap())];
    let ran = sandbox.hook_with(&["PreToolUse"], there.to_string().as_bytes(), &env);
    assert_eq!(ran.decision().as_deref(), Some("deny"), "{ran:?}");
    // A file tool is told by its whole input.
    std::fs::write(sandbox.path(".env"), "A=b").unwrap();
    let read = |limit: u32| call(&sandbox, "Read", &json!({"file_path": sandbox.path(".env"), "limit": limit}));
    allowed(&sandbox, &read(1), &["--session"]);
    assert_eq!(verdict(&sandbox, &read(1), TEN), None);
    assert_eq!(verdict(&sandbox, &read(2), TEN).as_deref(), Some("deny"));
}

#[test]
fn a_word_ends_with_its_time_and_with_its_session() {
    let sandbox = Sandbox::new();
    let push = bash(&sandbox, REFUSED);
    allowed(&sandbox, &push, &["--for", "10m"]);
    for (minutes, wanted) in [(0, None), (9, None), (10, Some("deny"))] {
        assert_eq!(verdict(&sandbox, &push, &at(minutes)).as_deref(), wanted, "{minutes}");
    }
    // A clock that was put back gives no time.
    assert_eq!(verdict(&sandbox, &push, "2026-03-01T09:59:00Z").as_deref(), Some("deny"));
    // Once waits for an hour.
    assert_eq!(user(&sandbox, &["resume"], TEN).code, Some(0));
    allowed(&sandbox, &push, &["--once"]);
    assert_eq!(verdict(&sandbox, &push, "2026-03-01T11:00:00Z").as_deref(), Some("deny"));
    assert_eq!(user(&sandbox, &["resume"], TEN).code, Some(0));
    allowed(&sandbox, &push, &["--session"]);
    assert_eq!(verdict(&sandbox, &push, "2026-03-01T20:00:00Z"), None);
    assert_eq!(verdict(&sandbox, &push, "2026-03-02T10:00:00Z").as_deref(), Some("deny"));
    let mut other = push.clone();
    other["session_id"] = json!("s2");
    assert_eq!(verdict(&sandbox, &other, TEN).as_deref(), Some("deny"));
    for time in ["25h", "0m", "10", "-5m", "9999999999999999999h", "m", "10 m", "ten"] {
        assert_eq!(user(&sandbox, &["allow", "AAAA", "--for", time], TEN).code, Some(64), "{time}");
    }
}

#[test]
fn two_at_once_are_not_both_once() {
    let sandbox = Sandbox::new();
    let push = bash(&sandbox, REFUSED);
    allowed(&sandbox, &push, &[]);
    let passed = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..8).map(|_| scope.spawn(|| verdict(&sandbox, &push, TEN))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).filter(Option::is_none).count()
    });
    assert_eq!(passed, 1);
}

/// What own protection says, in a project where everything else is lifted.
const OWN: [&str; 13] = [
    "hookbin pause 10m",
    "hookbin resume",
    "hookbin allow AAAA",
    "rm .claude/settings.json",
    "echo x > ~/.local/state/hookbin/allowed/x.pause.json",
    "HOOKBIN_UNATTENDED=1 ./hb pause 10m",
    "git push --force origin main; rm .claude/settings.json",
    "rm -rf .claude",
    "rm -rf ~/.local",
    "rm -rf ~",
    "rm -rf /",
    "git clean -fdx",
    "mv ~/.local /tmp/x",
];

#[test]
fn no_word_lifts_what_protects_the_guard() {
    let sandbox = Sandbox::new();
    for command in OWN {
        let ran = send(&sandbox, &bash(&sandbox, command), TEN);
        assert_eq!(ran.decision().as_deref(), Some("deny"), "{command}: {ran:?}");
        assert_eq!(message(&ran), "", "{command}");
        assert_eq!(record(&sandbox)["extra"].get("call"), None, "{command}");
    }
    paused(&sandbox);
    assert_eq!(verdict(&sandbox, &bash(&sandbox, REFUSED), &at(1)), None);
    for command in OWN {
        assert_eq!(verdict(&sandbox, &bash(&sandbox, command), &at(1)).as_deref(), Some("deny"), "{command}");
    }
    for (tool, input) in [
        ("Write", json!({"file_path": sandbox.path(".claude/hookbin.toml"), "content": ""})),
        ("Write", json!({"file_path": sandbox.home().join(".local/state/hookbin/allowed/a.json"), "content": ""})),
        ("Edit", json!({"file_path": sandbox.path(".claude/settings.json"), "old_string": "a", "new_string": "b"})),
    ] {
        assert_eq!(verdict(&sandbox, &call(&sandbox, tool, &input), &at(1)).as_deref(), Some("deny"), "{tool} {input}");
    }
    // A call that cannot be read may be one of these.
    let unread = call(&sandbox, "Bash", &json!({"command": 7}));
    assert_eq!(verdict(&sandbox, &unread, &at(1)).as_deref(), Some("ask"));
}

/// A profile in which a gate comes before own protection must not hide what that says.
#[test]
fn own_protection_holds_behind_a_gate_that_refuses_first() {
    for profile in ["spf", "sane", "guardrails", "collective", "claude-os"] {
        let sandbox = Sandbox::with_profile(profile);
        paused(&sandbox);
        for command in ["rm .claude/settings.json", "hookbin pause 1h"] {
            assert_eq!(
                verdict(&sandbox, &bash(&sandbox, command), &at(1)).as_deref(),
                Some("deny"),
                "{profile}: {command}"
            );
        }
        let edit = json!({"file_path": sandbox.path(".claude/settings.json"), "old_string": "a", "new_string": "b"});
        assert_eq!(verdict(&sandbox, &call(&sandbox, "Edit", &edit), &at(1)).as_deref(), Some("deny"), "{profile}");
    }
}

#[test]
fn a_pause_lifts_guard_and_gates_and_ends_by_itself() {
    let sandbox = Sandbox::with_profile("sane");
    let edit = json!({"file_path": sandbox.path("src/a.rs"), "old_string": "a", "new_string": "b"});
    let edit = call(&sandbox, "Edit", &edit);
    let push = bash(&sandbox, REFUSED);
    for event in [&push, &edit] {
        assert_eq!(verdict(&sandbox, event, TEN).as_deref(), Some("deny"), "{event}");
    }
    paused(&sandbox);
    assert_eq!(record(&sandbox)["event"], json!("Pause"));
    for event in [&push, &edit] {
        let ran = send(&sandbox, event, &at(9));
        assert_eq!((ran.code, ran.decision()), (Some(0), None), "{ran:?}");
        assert!(message(&ran).contains("hookbin is paused until 2026-03-01 10:10:00 UTC and let this pass"), "{ran:?}");
        assert_eq!(record(&sandbox)["extra"]["lifted"], json!("pause"));
    }
    // Nobody is let run more than without a guard: the host asks what it asks.
    assert_eq!(verdict(&sandbox, &bash(&sandbox, ASKED), &at(9)), None);
    for event in [&push, &edit] {
        assert_eq!(verdict(&sandbox, event, &at(10)).as_deref(), Some("deny"), "{event}");
    }
    // Sooner by `resume`, which takes allowances back too.
    paused(&sandbox);
    let ran = user(&sandbox, &["resume"], TEN);
    assert_eq!((ran.code, &*ran.stdout), (Some(0), "the pause has ended\n"), "{ran:?}");
    assert_eq!(record(&sandbox)["event"], json!("Resume"));
    assert_eq!(verdict(&sandbox, &push, TEN).as_deref(), Some("deny"));
    allowed(&sandbox, &push, &["--session"]);
    assert_eq!(user(&sandbox, &["resume"], TEN).code, Some(0));
    assert_eq!(verdict(&sandbox, &push, TEN).as_deref(), Some("deny"));
    assert!(kept(&sandbox).is_empty());
    for time in ["61m", "2h", "0s", "", "forever"] {
        assert_eq!(user(&sandbox, &["pause", time], TEN).code, Some(64), "{time}");
    }
    assert_eq!(user(&sandbox, &["pause"], TEN).code, Some(64));
}

/// What is remembered and recorded goes on.
#[test]
fn a_gate_at_the_end_of_a_turn_is_lifted_and_the_session_goes_on() {
    let sandbox = Sandbox::new();
    sandbox.write(
        ".claude/hookbin.toml",
        "profile = \"standard\"\n[[handler]]\nname = \"next\"\non = [\"Stop\"]\nsteps = [\"forward-motion\"]\n\
         forward-motion.block = true\n",
    );
    let stop = json!({
        "hook_event_name": "Stop", "session_id": "s1", "cwd": sandbox.project(),
        "last_assistant_message": "Everything is done.",
    });
    assert!(send(&sandbox, &stop, TEN).stdout.contains("\"block\""));
    paused(&sandbox);
    let ran = send(&sandbox, &stop, &at(1));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.stdout.contains("\"block\""), "{ran:?}");
    assert_eq!(record(&sandbox)["event"], json!("Stop"));
    let document = std::fs::read_to_string(sandbox.state("sessions/s1.json")).unwrap();
    assert!(document.contains("2026-03-01 10:01:00"), "{document}");
}

#[test]
fn status_and_doctor_say_it() {
    let sandbox = Sandbox::new();
    assert!(matches!(sandbox.cli(&["install"]).code, Some(0 | 4)));
    assert_eq!(user(&sandbox, &["status", "--line"], TEN).code, Some(0));
    paused(&sandbox);
    let line = user(&sandbox, &["status", "--line"], &at(1));
    assert_eq!(line.code, Some(4));
    assert!(line.stdout.starts_with("hookbin OFF: paused, 9 min left"), "{line:?}");
    let status = user(&sandbox, &["status"], &at(1));
    assert_eq!(status.code, Some(4));
    assert!(
        status.stdout.contains("9 min left, until 2026-03-01 10:10:00 UTC. `hookbin resume` ends it now."),
        "{status:?}"
    );
    let doctor = user(&sandbox, &["doctor"], &at(1));
    assert!(doctor.stdout.contains("paused (9 min left"), "{doctor:?}");
    assert_eq!(user(&sandbox, &["status", "--line"], &at(10)).code, Some(0));
    assert_eq!(user(&sandbox, &["resume"], TEN).code, Some(0));
    let push = bash(&sandbox, REFUSED);
    let id = id(&sandbox.hook_with(&["PreToolUse", "--local"], push.to_string().as_bytes(), &[("HOOKBIN_NOW", TEN)]));
    assert_eq!(user(&sandbox, &["allow", &id], TEN).code, Some(0));
    let line = user(&sandbox, &["status", "--line"], TEN);
    assert!(line.code == Some(0) && line.stdout.contains("1 allowed"), "{line:?}");
    // Nothing of it stays behind.
    let ran = user(&sandbox, &["uninstall", "--purge"], TEN);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(kept(&sandbox).is_empty());
}

/// `explain` says what the policy says, and uses nothing up.
#[test]
fn what_is_explained_uses_no_word_up() {
    let sandbox = Sandbox::new();
    let push = bash(&sandbox, REFUSED);
    allowed(&sandbox, &push, &[]);
    assert_eq!(user(&sandbox, &["explain", "--", REFUSED], TEN).code, Some(2));
    assert_eq!(verdict(&sandbox, &push, TEN), None);
}

#[test]
fn a_name_that_is_not_recorded_allows_nothing() {
    let sandbox = Sandbox::new();
    send(&sandbox, &bash(&sandbox, REFUSED), TEN);
    for id in ["AAAA", "", "A", "`x`", "\u{1b}[2J"] {
        let ran = user(&sandbox, &["allow", id], TEN);
        assert_eq!(ran.code, Some(64), "{id}: {ran:?}");
        assert!(ran.stderr.contains("hookbin log tail --verdict deny") && !ran.stderr.contains('\u{1b}'), "{ran:?}");
    }
    assert!(kept(&sandbox).is_empty());
}

/// What others may write is not the user's word, and neither is what no command writes.
#[test]
fn a_file_that_the_user_did_not_write_counts_for_nothing() {
    use std::os::unix::fs::PermissionsExt as _;

    let sandbox = Sandbox::new();
    let push = bash(&sandbox, REFUSED);
    allowed(&sandbox, &push, &["--for", "1h"]);
    let path = kept(&sandbox).pop().unwrap();
    let good = std::fs::read_to_string(&path).unwrap();
    let holds = |wanted: Option<&str>, why: &str| {
        assert_eq!(verdict(&sandbox, &push, &at(1)).as_deref(), wanted, "{why}");
    };
    holds(None, "as it was written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
    holds(Some("deny"), "others may write it");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    let dir = path.parent().unwrap();
    std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o777)).unwrap();
    holds(Some("deny"), "others may put it there");
    std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o700)).unwrap();
    holds(None, "as it was written");
    // From 10:00 to 11:00; 2026-03-01T10:00:00Z is 1772359200.
    for (from, to) in [
        ("\"until\": 1772362800", "\"until\": 9999999999"),
        ("\"from\": 1772359200", "\"from\": 1772359290"),
        ("\"version\": 1", "\"version\": 2"),
        ("home/project\"", "home/projec2\""),
        ("\"call\": \"", "\"call\": \"0"),
        ("{", "["),
    ] {
        assert!(good.contains(from), "{from}: {good}");
        std::fs::write(&path, good.replacen(from, to, 1)).unwrap();
        holds(Some("deny"), to);
    }
    std::fs::write(&path, &good).unwrap();
    holds(None, "as it was written");
    std::fs::remove_file(&path).unwrap();
    paused(&sandbox);
    let path = kept(&sandbox).pop().unwrap();
    let long = std::fs::read_to_string(&path).unwrap().replace("1772359800", "1772369800");
    std::fs::write(&path, long).unwrap();
    holds(Some("deny"), "a pause of more than an hour");
}

/// The commands without anything that says who started them.
fn bare(sandbox: &Sandbox, args: &[&str]) -> Command {
    let mut command = sandbox.command(args);
    command.env_remove("HOOKBIN_UNATTENDED");
    command
}

#[test]
fn only_the_user_at_a_terminal_gives_it() {
    let sandbox = Sandbox::new();
    let id = id(&sandbox.hook(&["PreToolUse"], bash(&sandbox, REFUSED).to_string().as_bytes()));
    for args in [&["allow", &*id][..], &["allow", &id, "--session"], &["pause", "10m"], &["resume"]] {
        let refused = |code: Option<i32>, why: &str| {
            assert_eq!(code, Some(64), "{args:?}: {why}");
            assert!(kept(&sandbox).is_empty(), "{args:?}: {why}");
        };
        let ran = run(bare(&sandbox, args), b"");
        refused(ran.code, &ran.stderr);
        assert!(ran.stderr.contains("at a terminal"), "{ran:?}");
        for variable in ["CLAUDECODE", "COPILOT_CLI", "GEMINI_CLI", "CODEX_SANDBOX"] {
            let mut command = bare(&sandbox, args);
            command.env("HOOKBIN_UNATTENDED", "1").env(variable, "1");
            refused(run(command, b"").code, variable);
        }
        refused(at_terminal(&sandbox, args, |_| "WRONG".to_owned()), "another code");
        // A copy under another name, in a terminal that an agent has made.
        let (copy, client) = (sandbox.home().join("tool"), sandbox.home().join("claude"));
        std::fs::copy(env!("CARGO_BIN_EXE_hookbin"), &copy).unwrap();
        std::fs::copy("/bin/sh", &client).unwrap();
        let mut command = Command::new(&client);
        command.args(["-c", "\"$0\" \"$@\"; exit $?"]).arg(&copy).args(args).env_clear();
        command.env("HOME", sandbox.home()).env("CLAUDE_PROJECT_DIR", sandbox.project());
        command.env("HOOKBIN_UNATTENDED", "1").current_dir(sandbox.project());
        refused(type_at_terminal(&command, str::to_owned), "under an agent");
    }
    assert_eq!(at_terminal(&sandbox, &["allow", &id], str::to_owned), Some(0));
    assert_eq!(at_terminal(&sandbox, &["pause", "10m"], str::to_owned), Some(0));
    assert_eq!(kept(&sandbox).len(), 2);
    assert_eq!(at_terminal(&sandbox, &["resume"], str::to_owned), Some(0));
    assert!(kept(&sandbox).is_empty());
}

/// A call that nothing speaks against looks for no word, whatever lies there.
#[test]
fn a_harmless_call_opens_no_further_file() {
    let sandbox = Sandbox::new();
    let opened = |command: &str| {
        let mut hook = sandbox.command(&["hook", "PreToolUse"]);
        hook.env("HOOKBIN_NOW", TEN);
        let traced = tracer::run(&hook, bash(&sandbox, command).to_string().as_bytes(), Which::Files, Fault::None, 0);
        assert!(matches!(traced.ended, Ended::Exited(0 | 2)), "{traced:?}");
        traced.calls.into_iter().map(|call| call.path).collect::<Vec<String>>()
    };
    assert_eq!(verdict(&sandbox, &bash(&sandbox, "ls"), TEN), None);
    let before = opened("ls");
    paused(&sandbox);
    opened("ls");
    assert_eq!(opened("ls").len(), before.len());
    let is_word = |path: &String| path.contains("/allowed") || path.contains("managed-settings");
    assert!(!opened("ls").iter().any(is_word));
    // The trace would show it.
    assert!(opened(REFUSED).iter().any(is_word));
}
