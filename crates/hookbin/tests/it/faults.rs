//! Bad surroundings: each has its documented answer, and none is a panic, a hang or exit 1.

use std::io::{Read, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::sandbox::{Ran, Sandbox, run, tree};

pub(crate) const SESSION: &str = "11111111-2222-4333-8444-555555555555";

pub(crate) fn event(name: &str) -> serde_json::Value {
    json!({"session_id": SESSION, "cwd": "/nowhere", "hook_event_name": name})
}

pub(crate) fn bash(command: &str) -> Vec<u8> {
    let mut event = event("PreToolUse");
    event["tool_name"] = json!("Bash");
    event["tool_input"] = json!({"command": command});
    event["tool_use_id"] = json!("toolu_1");
    event.to_string().into_bytes()
}

fn read_done(call: &str) -> Vec<u8> {
    let mut event = event("PostToolUse");
    event["tool_name"] = json!("Read");
    event["tool_input"] = json!({"file_path": "/a"});
    event["tool_response"] = json!("ok");
    event["tool_use_id"] = json!(call);
    event.to_string().into_bytes()
}

pub(crate) fn never_one(ran: &Ran) {
    assert!(matches!(ran.code, Some(0 | 2)), "{ran:?}");
    assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    if ran.stdout.starts_with('{') {
        assert!(ran.json().is_object(), "{ran:?}");
    }
}

/// A writer that never closes stdin: a whole object is answered at once, half of one at the end of the time for reading.
#[test]
fn stdin_that_stays_open_is_not_waited_for() {
    let sandbox = Sandbox::with_profile("spf");
    for (bytes, limit, decision) in [(bash("ls"), 2_000, "deny"), (b"{\"hook_event".to_vec(), 8_000, "deny")] {
        let mut child = sandbox
            .command(&["hook", "PreToolUse"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&bytes).unwrap();
        let begin = Instant::now();
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(2));
        assert!(begin.elapsed() < Duration::from_millis(limit), "{:?}", begin.elapsed());
        assert!(text.contains(decision), "{text}");
        drop(stdin);
    }
}

/// The watchdog: a run that is held up for longer than its deadline, here because the system stops it.
#[test]
fn a_run_that_hangs_is_ended_at_the_deadline_and_logged() {
    let sandbox = Sandbox::with_profile("spf");
    let mut child = sandbox
        .command(&["hook", "PreToolUse"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let signal = |name: &str, id: u32| {
        assert!(std::process::Command::new("kill").args([name, &id.to_string()]).status().unwrap().success());
    };
    // It has set its alarm when it waits for its payload.
    std::thread::sleep(Duration::from_millis(300));
    signal("-STOP", child.id());
    child.stdin.take().unwrap().write_all(&bash("ls")).unwrap();
    std::thread::sleep(Duration::from_secs(5));
    signal("-CONT", child.id());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("deadline"), "{output:?}");
    assert!(sandbox.read(".claude/hookbin/log/audit.jsonl").contains("deadline"));
}

/// Locks that a live process holds do not add up: the run answers in time and says what it could not do.
#[test]
fn several_held_locks_are_waited_for_within_the_deadline() {
    let sandbox = Sandbox::with_profile("spf");
    let mut failed = event("PostToolUseFailure");
    failed["tool_name"] = json!("mcp__spf__spf_bash");
    failed["error"] = json!("Exit code 1");
    let failed = failed.to_string();
    assert_eq!(sandbox.hook(&["PostToolUseFailure"], failed.as_bytes()).code, Some(0));
    let held: Vec<std::fs::File> = ["state/lock", "state/spf.log", "state/failures.log", "log/chain.head"]
        .iter()
        .map(|name| std::fs::File::options().append(true).open(sandbox.path(".claude/hookbin").join(name)).unwrap())
        .collect();
    for file in &held {
        file.lock().unwrap();
    }
    let begin = Instant::now();
    let ran = sandbox.hook(&["PostToolUseFailure"], failed.as_bytes());
    assert!(begin.elapsed() < Duration::from_millis(4_950), "{:?}", begin.elapsed());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let said = ran.json()["systemMessage"].as_str().unwrap().to_owned();
    assert!(said.contains("state/lock") && said.contains("log/chain.head"), "{said}");
}

/// What a run answers that takes the place of one that hung: it refuses the call, whatever a configuration says.
#[test]
fn a_late_run_refuses_the_call() {
    for profile in ["standard", "spf", "sane", "claude-os"] {
        let sandbox = Sandbox::with_profile(profile);
        let ran = sandbox.hook(&["--late", "PreToolUse"], b"");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{profile}: {ran:?}");
        assert!(ran.stderr.contains("before its deadline, so it is refused"), "{ran:?}");
        assert!(sandbox.read(".claude/hookbin/log/audit.jsonl").contains("the deadline was reached"));
        assert_eq!(sandbox.hook(&["--late", "PostToolUse"], b"").code, Some(0), "{profile}");
    }
    // The text of a skill is a clone's own, and the host asks about a command in it under another name.
    let ran = Sandbox::new().hook(&["--late", "PreSkillShellCommand"], b"");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
    let ran = Sandbox::new().hook(&["--late", "PostToolUse"], b"");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
}

/// A command in the text of a skill that cannot be read is not run either.
#[test]
fn a_skills_command_that_cannot_be_read_is_refused() {
    let sandbox = Sandbox::new();
    let nameless = json!({
        "session_id": SESSION, "cwd": "/", "hook_event_name": "PreSkillShellCommand", "tool_input": {"command": "rm -rf /"},
    });
    for payload in ["xx".to_owned(), nameless.to_string()] {
        let ran = sandbox.hook(&["PreSkillShellCommand"], payload.as_bytes());
        assert_eq!(ran.decision().as_deref(), Some("deny"), "{payload}: {ran:?}");
    }
}

/// A configuration that takes longer to read than a hook has, as a project may bring one: what is refused stays refused.
#[test]
fn no_configuration_is_so_slow_that_a_refused_call_passes() {
    let examples = (0..20_000).map(|n| format!("\"psql prod{n}\"")).collect::<Vec<_>>().join(", ");
    let rule = format!(
        "[[rule]]\nid = \"r\"\nprogram = \"psql\"\nargs = [\"*prod*\"]\nthen = \"deny\"\nreason = \"no\"\nshould_match = [{examples}]\nshould_not_match = [\"ls\"]\n"
    );
    let sandbox = Sandbox::new();
    sandbox.write(".claude/hookbin.toml", &rule);
    let ran = sandbox.hook(&["PreToolUse"], &bash("rm -rf ~"));
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn wrong_use_never_denies_by_itself() {
    let sandbox = Sandbox::with_profile("standard");
    for args in [
        ["PreToolUse", "--bogus"].as_slice(),
        &["PreToolUse", "-b"],
        &["PreToolUse", "--profile"],
        &["PreToolUse", "--profile", "nope"],
        &["Bogus"],
    ] {
        let ran = sandbox.hook(args, &bash("ls"));
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
        assert_eq!(ran.decision().as_deref(), Some("ask"), "{args:?}: {ran:?}");
        assert!(!ran.stderr.is_empty(), "{args:?}");
        let ran = sandbox.hook(args, &read_done("toolu_9"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{args:?}: {ran:?}");
    }
    let strict = Sandbox::with_profile("spf");
    assert_eq!(strict.hook(&["PreToolUse", "--bogus"], &bash("ls")).code, Some(2));
}

#[test]
fn a_broken_configuration_never_disarms() {
    let deny = |sandbox: &Sandbox| {
        let ran = sandbox.hook(&["PreToolUse"], &bash("ls"));
        assert_eq!(ran.decision().as_deref(), Some("deny"), "{ran:?}");
        ran
    };
    // An unknown key: file, line and the nearest valid one are named, once a session.
    let sandbox = Sandbox::with_profile("spf");
    sandbox.write(".claude/hookbin.toml", "profile = [\"spf\"]\n\n[log]\nmax_byte = 5\n");
    let message = deny(&sandbox).json()["systemMessage"].as_str().unwrap().to_owned();
    assert!(
        message.contains("hookbin.toml:4") && message.contains("max_byte") && message.contains("`max_bytes`"),
        "{message}"
    );
    let message = deny(&sandbox).json()["systemMessage"].as_str().unwrap_or_default().to_owned();
    assert!(!message.contains("max_byte"), "calls are not nagged about; starts and prompts are: {message}");
    for _ in 0..2 {
        let prompt = serde_json::json!({"session_id": SESSION, "cwd": "/", "hook_event_name": "UserPromptSubmit", "prompt": "go on"});
        let ran = sandbox.hook(&["UserPromptSubmit"], prompt.to_string().as_bytes());
        assert!(ran.json()["systemMessage"].as_str().unwrap().contains("max_byte"), "{ran:?}");
    }
    assert!(sandbox.read(".claude/hookbin/log/audit.jsonl").contains("max_bytes"));
    // Not TOML at all, but the profile can be told.
    let sandbox = Sandbox::with_profile("spf");
    sandbox.write(".claude/hookbin.toml", "profile = [\"spf\"]\n[log\n");
    deny(&sandbox);
    // A wrong type behind a byte-order mark.
    let sandbox = Sandbox::with_profile("spf");
    sandbox.write(".claude/hookbin.toml", "\u{feff}profile = \"spf\"\r\n[log]\r\nkeep = \"x\"\r\n");
    deny(&sandbox);
    // A profile that does not exist: the default holds, and the message names those that exist.
    let sandbox = Sandbox::new();
    sandbox.write(".claude/hookbin.toml", "profile = [\"spff\"]\n");
    let ran = sandbox.hook(&["PreToolUse"], b"?");
    assert_eq!(ran.decision().as_deref(), Some("ask"), "{ran:?}");
    let message = ran.json()["systemMessage"].as_str().unwrap().to_owned();
    assert!(message.contains("spff") && message.contains("`spf`"), "{message}");
    // What the profiles share is none of them.
    let sandbox = Sandbox::with_profile("base");
    let ran = sandbox.hook(&["PreToolUse"], b"?");
    assert!(ran.decision().as_deref() == Some("ask") && ran.stdout.contains("unknown profile `base`"), "{ran:?}");
    // A change of a handler that does not exist.
    let sandbox = Sandbox::with_profile("spf");
    sandbox.write(".claude/hookbin.toml", "profile = [\"spf\"]\n[change.pre-reed]\nenabled = false\n");
    let message = deny(&sandbox).json()["systemMessage"].as_str().unwrap().to_owned();
    assert!(message.contains("pre-reed") && message.contains("`pre-read`"), "{message}");
    // No profile at all: own protection and the default hold, in the project's file and in the user's.
    for path in [".claude/hookbin.toml", "../.config/hookbin/hookbin.toml"] {
        let sandbox = Sandbox::new();
        sandbox.write(path, "\nprofile = []\n");
        let ran = sandbox.hook(&["PreToolUse"], &bash(&format!("rm {}", sandbox.path(path).display())));
        assert_eq!(ran.decision().as_deref(), Some("deny"), "{path}: {ran:?}");
        let message = ran.json()["systemMessage"].as_str().unwrap().to_owned();
        assert!(message.contains("hookbin.toml:2:1: `profile` names none"), "{message}");
    }
    // One rule without an example to spare: the others hold.
    let sandbox = Sandbox::new();
    let rule = |id: &str, should_not_match: &str| {
        format!(
            "[[rule]]\nid = \"{id}\"\nprogram = \"{id}\"\nthen = \"deny\"\nreason = \"r\"\nshould_match = [\"{id}\"]\nshould_not_match = [{should_not_match}]\n"
        )
    };
    sandbox.write(".claude/hookbin.toml", &format!("{}{}", rule("good", "\"ls\""), rule("bad", "")));
    let ran = sandbox.hook(&["PreToolUse"], &bash("good"));
    assert_eq!(ran.decision().as_deref(), Some("deny"), "{ran:?}");
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("rule `bad` needs at least one example"), "{ran:?}");
    // A fault in the project's file leaves the user's own file in force.
    let sandbox = Sandbox::new();
    sandbox.write("../.config/hookbin/hookbin.toml", &rule("mine", "\"ls\""));
    sandbox.write(".claude/hookbin.toml", "[change.nothing]\nenabled = false\n");
    let ran = sandbox.hook(&["PreToolUse"], &bash("mine"));
    assert_eq!(ran.decision().as_deref(), Some("deny"), "{ran:?}");
    // A directory where the file belongs.
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path(".claude/hookbin.toml")).unwrap();
    let ran = sandbox.hook(&["PreToolUse"], b"?");
    assert_eq!(ran.decision().as_deref(), Some("ask"), "{ran:?}");
}

/// The configuration is compiled once; whoever changes the file finds the change in force at the next event.
#[test]
fn a_changed_configuration_is_in_force_at_once() {
    let sandbox = Sandbox::with_profile("spf");
    assert_eq!(sandbox.hook(&["PreToolUse"], &bash("ls")).code, Some(2));
    assert!(sandbox.compiled().is_file());
    sandbox.write(".claude/hookbin.toml", "profile = [\"spf\"]\n[change.pre-bash.redirect]\nmessage = \"Not here.\"\n");
    assert_eq!(sandbox.hook(&["PreToolUse"], &bash("ls")).stderr.lines().next(), Some("Not here."));
    sandbox.write(".claude/hookbin.toml", "profile = [\"spf\"]\n[change.pre-bash]\nenabled = false\n");
    assert_eq!(sandbox.hook(&["PreToolUse"], &bash("ls")).code, Some(0));
    std::fs::write(sandbox.compiled(), b"hookbin\x01damaged").unwrap();
    assert_eq!(sandbox.hook(&["PreToolUse"], &bash("ls")).code, Some(0));
    std::fs::remove_file(sandbox.path(".claude/hookbin.toml")).unwrap();
    assert_eq!(sandbox.hook(&["PreToolUse"], b"?").decision().as_deref(), Some("ask"));
}

/// The decision and the answer do not depend on the state directory; the user is told once what is wrong with it.
#[test]
fn a_state_dir_that_cannot_be_used_stops_nothing() {
    type Break = fn(&Sandbox);
    let breaks: [(&str, Break); 3] = [
        ("a file", |sandbox| sandbox.write(".claude/hookbin/state", "not a directory")),
        ("a link", |sandbox| {
            std::fs::create_dir_all(sandbox.path("elsewhere")).unwrap();
            std::fs::create_dir_all(sandbox.path(".claude/hookbin")).unwrap();
            std::os::unix::fs::symlink(sandbox.path("elsewhere"), sandbox.path(".claude/hookbin/state")).unwrap();
        }),
        ("a directory where the document belongs", |sandbox| {
            std::fs::create_dir_all(sandbox.state(&format!("sessions/{SESSION}.json"))).unwrap();
        }),
    ];
    for (name, break_it) in breaks {
        let sandbox = Sandbox::with_profile("spf");
        break_it(&sandbox);
        let ran = sandbox.hook(&["PostToolUse"], &read_done("toolu_1"));
        assert_eq!(ran.code, Some(0), "{name}: {ran:?}");
        never_one(&ran);
        let ran = sandbox.hook(&["PreToolUse"], &bash("ls"));
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
        let log = sandbox.read(".claude/hookbin/log/audit.jsonl");
        assert_eq!(log.lines().count(), 2, "{name}: {log}");
        if name == "a link" {
            assert_eq!(tree(&sandbox.path("elsewhere")), Vec::<std::path::PathBuf>::new(), "written through the link");
        }
        if name != "a directory where the document belongs" {
            assert!(log.contains("faults"), "{name}: {log}");
        }
    }
}

/// Nothing is written, and nothing believed, through a link in the place of our own directory or of the log's.
#[test]
fn a_linked_dir_of_ours_is_not_followed() {
    for linked in [".claude/hookbin", ".claude/hookbin/log"] {
        let sandbox = Sandbox::with_profile("spf");
        let elsewhere = sandbox.home().join("elsewhere");
        std::fs::create_dir_all(elsewhere.join("state")).unwrap();
        std::fs::create_dir_all(sandbox.path(linked).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&elsewhere, sandbox.path(linked)).unwrap();
        let ran = sandbox.hook(&["PreToolUse"], &bash("ls"));
        assert_eq!(ran.code, Some(2), "{linked}: {ran:?}");
        let ran = sandbox.hook(&["PostToolUse"], &read_done("toolu_1"));
        assert_eq!(ran.code, Some(0), "{linked}: {ran:?}");
        let said = ran.json()["systemMessage"].as_str().unwrap().to_owned();
        assert!(said.contains(linked) && said.contains("is a link"), "{linked}: {said}");
        assert_eq!(tree(&elsewhere), Vec::<std::path::PathBuf>::new(), "{linked}: written through the link");
    }
}

#[test]
fn a_damaged_document_is_set_aside_and_reported() {
    let sandbox = Sandbox::with_profile("standard");
    sandbox.hook(&["PostToolUse"], &read_done("toolu_1"));
    let document = sandbox.state(&format!("sessions/{SESSION}.json"));
    std::fs::write(&document, "{\"version\":1,\"act").unwrap();
    assert_eq!(sandbox.cli(&["state", "verify"]).code, Some(4));
    let ran = sandbox.hook(&["PostToolUse"], &read_done("toolu_2"));
    assert_eq!(ran.code, Some(0));
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("set it aside"), "{ran:?}");
    let aside: Vec<_> =
        tree(&sandbox.state("")).into_iter().filter(|path| path.to_string_lossy().contains("damaged")).collect();
    assert_eq!(aside.len(), 1, "{aside:?}");
    assert_eq!(std::fs::read_to_string(&aside[0]).unwrap(), "{\"version\":1,\"act");
}

#[test]
fn a_lock_that_a_live_process_holds_is_waited_for_a_bounded_time() {
    let sandbox = Sandbox::with_profile("spf");
    sandbox.hook(&["PostToolUse"], &read_done("toolu_1"));
    let lock = std::fs::File::open(sandbox.state("lock")).unwrap();
    lock.lock().unwrap();
    let begin = Instant::now();
    let ran = sandbox.hook(&["PreToolUse"], &bash("ls"));
    assert_eq!(ran.code, Some(2), "a refusal needs no state: {ran:?}");
    let ran = sandbox.hook(&["PostToolUse"], &read_done("toolu_2"));
    assert_eq!(ran.code, Some(0));
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("lock"), "{ran:?}");
    assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
    drop(lock);
    // A dead holder holds nothing.
    assert_eq!(sandbox.hook(&["PostToolUse"], &read_done("toolu_3")).stdout, "");
}

#[test]
fn identities_never_leave_the_dir() {
    let sandbox = Sandbox::with_profile("standard");
    for id in ["../../../../escaped", "a/b", "", "..", "x\u{0}y", &"long".repeat(100), "ünï"] {
        let mut event = event("PostToolUse");
        event["session_id"] = json!(id);
        event["tool_name"] = json!("Read");
        event["tool_input"] = json!({"file_path": "/a"});
        let ran = sandbox.hook(&[], event.to_string().as_bytes());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{id}: {ran:?}");
    }
    let documents =
        tree(&sandbox.state("sessions")).into_iter().filter(|path| path.extension().is_some_and(|it| it == "json"));
    assert_eq!(documents.count(), 7);
    assert!(
        !tree(&sandbox.home())
            .iter()
            .any(|path| path.to_string_lossy().contains("escaped") && !path.starts_with(sandbox.state("")))
    );
}

#[test]
fn surroundings_that_are_gone_stop_nothing() {
    let sandbox = Sandbox::with_profile("spf");
    // The working directory of the event, and of the process.
    let gone = sandbox.path("gone");
    std::fs::create_dir_all(&gone).unwrap();
    let shell =
        format!("cd '{}' && rmdir '{0}' && exec '{}' hook PreToolUse", gone.display(), env!("CARGO_BIN_EXE_hookbin"));
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", &shell]).env_clear().env("CLAUDE_PROJECT_DIR", sandbox.project());
    let ran = run(command, &bash("ls"));
    assert_eq!(ran.code, Some(2), "no HOME, no PATH, no working directory: {ran:?}");
    // No project at all: nothing is recorded, least of all in HOME.
    let mut command = sandbox.command(&["hook", "PreToolUse"]);
    command.env("CLAUDE_PROJECT_DIR", sandbox.home()).current_dir(sandbox.home());
    let mut event = event("PreToolUse");
    event["cwd"] = json!(sandbox.home());
    event["tool_name"] = json!("Read");
    event["tool_input"] = json!({"file_path": "/a"});
    let ran = run(command, event.to_string().as_bytes());
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    assert!(!sandbox.home().join(".claude").exists());
}

/// A call whose tool cannot be told was checked by nobody.
#[test]
fn a_call_without_a_tool_gets_the_fail_mode() {
    for (profile, decision) in [("standard", "ask"), ("spf", "deny")] {
        let sandbox = Sandbox::with_profile(profile);
        for payload in ["{}", r#"{"hook_event_name":"PreToolUse","tool_name":5}"#, r#"{"tool_name":""}"#] {
            let ran = sandbox.hook(&["PreToolUse"], payload.as_bytes());
            assert_eq!(ran.decision().as_deref(), Some(decision), "{profile}, {payload}: {ran:?}");
        }
    }
}

/// S0-62, S0-63 at the front door: the limits of the profile reach the text logs.
#[test]
fn s0_62_text_logs_are_rotated_by_the_profiles_limits() {
    let sandbox = Sandbox::new();
    sandbox.write(".claude/hookbin.toml", "profile = \"spf\"\n[text_log]\nmax_bytes = 800\nkeep_lines = 3\n");
    for call in 0..20 {
        sandbox.hook(&[], &read_done(&format!("toolu_{call}")));
    }
    assert!(sandbox.read(".claude/hookbin/state/spf.log").len() < 1_000);
    assert!(sandbox.state("spf.log.1").is_file());
}

#[test]
fn a_variable_never_lands_on_somebody_elses_open_line() {
    let sandbox = Sandbox::with_profile("spf");
    sandbox.write("env", "export A=1");
    let mut start = event("SessionStart");
    start["source"] = json!("startup");
    let file = sandbox.path("env").display().to_string();
    sandbox.hook_with(&[], start.to_string().as_bytes(), &[("CLAUDE_ENV_FILE", &file)]);
    assert!(sandbox.read("env").starts_with("export A=1\nexport SPF_"), "{}", sandbox.read("env"));
    // It is the host's file, and gets its variables also where nothing of ours can be made.
    let closed = Sandbox::new();
    closed.write(".claude", "a file in the place of the directory");
    let file = closed.path("env").display().to_string();
    closed.hook_with(&["--profile", "spf"], start.to_string().as_bytes(), &[("CLAUDE_ENV_FILE", &file)]);
    assert!(closed.read("env").starts_with("export SPF_"), "{}", closed.read("env"));
}

/// Invariant 14 for names of files, which reach views, notes and the next session.
#[test]
fn a_secret_in_a_path_is_not_kept() {
    let sandbox = Sandbox::with_profile("spf");
    let mut write = event("PostToolUse");
    write["tool_name"] = json!("mcp__spf__spf_write");
    write["tool_input"] = json!({"file_path": "/x/https://u:sup3rs3cr3t@h/f"});
    sandbox.hook(&[], write.to_string().as_bytes());
    sandbox.hook(&[], event("SessionEnd").to_string().as_bytes());
    for path in tree(&sandbox.path(".claude")) {
        let bytes = std::fs::read(&path).unwrap();
        assert!(!bytes.windows(11).any(|window| window == b"sup3rs3cr3t"), "{}", path.display());
    }
}

/// A project that is gone, and the root of the file system, are no place to record anything.
#[test]
fn no_project_is_made_where_none_is() {
    let sandbox = Sandbox::new();
    let gone = sandbox.home().join("gone");
    for cwd in [gone.as_path(), std::path::Path::new("/")] {
        for named in [true, false] {
            let mut command = sandbox.command(&["hook", "PostToolUse"]);
            command.current_dir("/").env_remove("CLAUDE_PROJECT_DIR");
            if named {
                command.env("CLAUDE_PROJECT_DIR", cwd);
            }
            let mut event: serde_json::Value = serde_json::from_slice(&read_done("toolu_1")).unwrap();
            event["cwd"] = json!(cwd);
            let ran = run(command, event.to_string().as_bytes());
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
        }
    }
    assert!(!gone.exists());
    assert!(!std::path::Path::new("/.claude/hookbin").exists());
}

/// A configuration that would make a reader wait is a fault like any other.
#[test]
fn a_pipe_in_place_of_the_configuration_is_not_waited_for() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path(".claude")).unwrap();
    let pipe = sandbox.path(".claude/hookbin.toml");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let begin = Instant::now();
    let ran = sandbox.hook(&["PreToolUse"], b"?");
    assert_eq!(ran.decision().as_deref(), Some("ask"), "{ran:?}");
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("not a plain file"), "{ran:?}");
    assert!(begin.elapsed() < Duration::from_secs(3));
}

/// No handler of the product starts a program or needs one: the directories of the search path hold nothing.
#[test]
fn sx_07_no_handler_needs_a_program() {
    let sandbox = Sandbox::with_profile("spf");
    std::fs::create_dir_all(sandbox.path("empty")).unwrap();
    let shown = sandbox.cli(&["profile", "show", "spf", "--json"]).json();
    for handler in shown["handlers"].as_array().unwrap() {
        for event in handler["events"].as_array().unwrap() {
            let mut payload = self::event(event.as_str().unwrap());
            payload["tool_name"] = json!("mcp__spf__spf_read");
            payload["tool_input"] = json!({});
            let ran = sandbox.hook_with(
                &[handler["name"].as_str().unwrap()],
                payload.to_string().as_bytes(),
                &[("PATH", sandbox.path("empty").to_str().unwrap())],
            );
            never_one(&ran);
            assert!(ran.stderr.is_empty() || ran.stderr.starts_with("BLOCKED"), "{handler}: {ran:?}");
        }
    }
}

/// SX-09 at the front door: neither contents nor secrets of a call reach anything that is kept.
#[test]
fn sx_09_secrets_and_contents_are_not_recorded() {
    let sandbox = Sandbox::with_profile("standard");
    let secret = "FAKEs3cr3tFAKE01";
    sandbox.hook(
        &[],
        &bash(&format!("curl -H 'Authorization: Bearer {secret}' https://u:{secret}@host/ --password={secret}")),
    );
    let mut write = event("PostToolUse");
    write["tool_name"] = json!("Write");
    write["tool_input"] = json!({"file_path": "/a", "content": secret});
    write["tool_response"] = json!({"content": secret});
    sandbox.hook(&[], write.to_string().as_bytes());
    let mut prompt = event("UserPromptSubmit");
    prompt["prompt"] = json!(format!("my words {secret}"));
    sandbox.hook(&[], prompt.to_string().as_bytes());
    let kept = tree(&sandbox.path(".claude"));
    assert!(kept.len() >= 3, "{kept:?}");
    for path in kept {
        let bytes = std::fs::read(&path).unwrap();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{}", path.display());
        assert!(!bytes.windows(8).any(|window| window == b"my words"), "{}", path.display());
    }
}

/// The log's times never go back, and say so when the clock did.
#[test]
fn a_clock_that_goes_back_is_noted() {
    let sandbox = Sandbox::with_profile("standard");
    sandbox.hook_with(&[], &bash("ls"), &[("HOOKBIN_NOW", "2026-01-02T00:00:00Z")]);
    sandbox.hook_with(&[], &bash("ls"), &[("HOOKBIN_NOW", "2026-01-01T00:00:00Z")]);
    let log = sandbox.read(".claude/hookbin/log/audit.jsonl");
    assert_eq!(log.matches("\"time\":\"2026-01-02T00:00:00").count(), 2, "{log}");
    assert!(log.contains("\"clock\":\"2026-01-01T00:00:00"), "{log}");
    assert_eq!(sandbox.cli(&["log", "verify"]).code, Some(0));
}

/// A clock that was ahead when the log began does not make later sessions look older than a log that somebody deleted; a deleted log is
/// still seen.
#[test]
fn a_clock_that_was_ahead_is_no_deleted_log() {
    let sandbox = Sandbox::with_profile("standard");
    sandbox.hook_with(&[], &bash("ls"), &[("HOOKBIN_NOW", "2027-01-02T00:00:00Z")]);
    sandbox.hook_with(&["PostToolUse"], &read_done("toolu_1"), &[("HOOKBIN_NOW", "2026-01-01T00:00:00Z")]);
    assert_eq!(sandbox.cli(&["log", "verify"]).code, Some(0));
    std::fs::remove_dir_all(sandbox.log()).unwrap();
    sandbox.hook_with(&[], &bash("ls"), &[("HOOKBIN_NOW", "2027-01-03T00:00:00Z")]);
    let ran = sandbox.cli(&["log", "verify"]);
    assert!(ran.code == Some(4) && ran.stdout.contains("an earlier log was deleted"), "{ran:?}");
}

/// A full file system: a document that cannot be written leaves the old one, and the call is still answered.
#[test]
fn a_full_disk_keeps_the_old_document() {
    let sandbox = Sandbox::with_profile("standard");
    sandbox.hook(&["PostToolUse"], &read_done("toolu_1"));
    let before = sandbox.read(&format!(".claude/hookbin/state/sessions/{SESSION}.json"));
    // A limit on the size of files is felt by root too; the signal that comes with it must not end the run.
    let shell = format!("ulimit -f 0; exec '{}' hook PostToolUse", env!("CARGO_BIN_EXE_hookbin"));
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", &shell]).env_clear().env("CLAUDE_PROJECT_DIR", sandbox.project()).env("HOME", sandbox.home());
    let ran = run(command, &read_done("toolu_2"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("hookbin could not"), "{ran:?}");
    assert_eq!(sandbox.read(&format!(".claude/hookbin/state/sessions/{SESSION}.json")), before);
    let left: Vec<_> = tree(&sandbox.path(".claude"))
        .into_iter()
        .filter(|path| path.file_name().unwrap().to_string_lossy().contains("tmp"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(sandbox.cli(&["log", "verify"]).code, Some(0));
}

/// S0-99: at a terminal a handler takes its payload from the command line, and `{}` without one.
#[test]
fn s0_99_a_handler_at_a_terminal_takes_its_payload_as_an_argument() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let sandbox = Sandbox::with_profile("spf");
    let at_terminal = |args: &[&str]| {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
        let inner = std::fs::File::options().read(true).write(true).open(name).unwrap();
        let output = sandbox.command(args).stdin(inner).output().unwrap();
        drop(terminal);
        output
    };
    let output = at_terminal(&["hook", "pre-mcp-read", r#"{"tool_name":"mcp__spf__spf_read"}"#]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    at_terminal(&["hook", "pre-mcp-read"]);
    let log = sandbox.read(".claude/hookbin/state/spf.log");
    let lines: Vec<&str> = log.lines().map(|line| line.split_once("] ").unwrap().1).collect();
    assert_eq!(lines, ["PRE-MCP-READ: mcp__spf__spf_read", "PRE-MCP-READ: unknown"]);
    // Without any command there is no event to wait for.
    let output = at_terminal(&[]);
    assert_eq!(output.status.code(), Some(64));
    assert!(String::from_utf8_lossy(&output.stderr).contains("usage"), "{output:?}");
    assert!(output.stdout.is_empty());
}

/// LIVED: one typing error took all rules out. Now it takes out itself, and everything that tells the state of things says so.
#[test]
fn one_wrong_key_leaves_every_rule_and_severity() {
    let sandbox = Sandbox::new();
    let rule = "[[rule]]\nid = \"r\"\nprogram = \"psql\"\nargs = [\"*prod*\"]\nthen = \"deny\"\nreason = \"prod\"\nshould_match = [\"psql prod\"]\nshould_not_match = [\"ls\"]\n";
    let broken = rule.replace("\"r\"", "\"s\"").replace("args = [\"*prod*\"]", "args = [\"*prod*\"");
    sandbox.write(
        ".claude/hookbin.toml",
        &format!("profile = [\"standard\", \"spff\"]\nprofil = 1\n[change.guard.guard.severity]\nregistry = \"deny\"\n{rule}{broken}"),
    );
    for command in ["psql prod", "npm publish"] {
        assert_eq!(sandbox.hook(&["PreToolUse"], &bash(command)).decision().as_deref(), Some("deny"), "{command}");
    }
    assert_eq!(sandbox.hook(&["PreToolUse"], b"?").decision().as_deref(), Some("ask"));
    assert_eq!(sandbox.cli(&["explain", "--", "ls"]).code, Some(5));
    assert_eq!(sandbox.cli(&["explain", "--", "psql prod"]).code, Some(2));
    let installed = sandbox.cli(&["install", "--project", "."]);
    assert!(installed.code == Some(4) && installed.stdout.contains("guard on, config faulty"), "{installed:?}");
    let told = installed.stdout.lines().find(|line| line.starts_with("fault: ")).unwrap();
    assert!(told.contains("/.claude/hookbin.toml: 1 of your 2 rules") && !told.contains('\u{fffd}'), "{told}");
    let line = sandbox.cli(&["status", "--line"]);
    assert!(line.stdout.contains("config faulty"), "{line:?}");
    let ran = sandbox.cli(&["config", "check"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    for words in ["hookbin.toml:2:1:", "`profile`", "`spff`", "1 of your 2 rules"] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
}
