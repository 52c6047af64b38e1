//! The commands for people: what they print, and their exit codes.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

const SESSION: &str = "11111111-2222-4333-8444-555555555555";

fn used(profile: &str) -> Sandbox {
    let sandbox = Sandbox::with_profile(profile);
    let now = [("HOOKBIN_NOW", "2026-03-01T10:00:00Z")];
    let event = |name: &str, more: Value| {
        let mut event = json!({"session_id": SESSION, "cwd": "/", "hook_event_name": name});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event.to_string().into_bytes()
    };
    sandbox.hook_with(&[], &event("SessionStart", json!({"source": "startup"})), &now);
    let read = json!({"tool_name": "mcp__spf__spf_read", "tool_input": {"path": "/a"}, "tool_use_id": "toolu_1"});
    sandbox.hook_with(&[], &event("PreToolUse", read.clone()), &now);
    sandbox.hook_with(&[], &event("PostToolUse", read), &now);
    sandbox.hook_with(&[], &event("PreToolUse", json!({"tool_name": "Bash", "tool_input": {"command": "ls"}})), &now);
    sandbox
}

#[test]
fn explain_says_what_would_be_answered_and_why() {
    let sandbox = Sandbox::new();
    sandbox.declare(&["spf"]);
    for (args, code, words) in [
        (
            ["explain", "--profile", "spf", "--", "ls -l"].as_slice(),
            2,
            "verdict: deny\nby: pre-bash\nrule: redirect\nreason: BLOCKED: Native Bash disabled",
        ),
        (&["explain", "--profile", "spf", "--tool", "Write", "--path", "/a"], 2, "by: pre-write"),
        (&["explain", "--profile", "standard", "--", "ls -l"], 0, "no opinion"),
        (&["explain", "--profile", "standard", "rm -rf /"], 2, "rule: delete-system"),
        (&["explain", "--profile", "spf", "--tool", "mcp__x__spf_read", "--path", "/a"], 0, "pre-mcp-read (observe)"),
    ] {
        let ran = sandbox.cli(args);
        assert_eq!(ran.code, Some(code), "{args:?}: {ran:?}");
        assert!(ran.stdout.contains(words), "{args:?}: {}", ran.stdout);
    }
    // Explaining is looking: nothing is recorded.
    assert!(!sandbox.path(".claude").join("hookbin/log").exists());
    let ran = sandbox.cli(&["explain", "--profile", "spf", "--json", "--", "ls"]);
    let json = ran.json();
    assert_eq!(
        (&json["version"], &json["verdict"], &json["decided_by"]),
        (&json!(1), &json!("deny"), &json!("pre-bash"))
    );
    sandbox.write("event.json", r#"{"hook_event_name":"SessionStart","source":"startup"}"#);
    let ran = sandbox.cli(&["explain", "--profile", "spf", "--event", sandbox.path("event.json").to_str().unwrap()]);
    assert!(ran.stdout.contains("context for the model:\n# SPF reference card"), "{}", ran.stdout);
}

#[test]
fn explain_shows_calls_as_they_are_understood() {
    let sandbox = Sandbox::new();
    for (command, shown) in [
        ("kubectl -n prod delete pod a --force", "    kubectl · verb delete · -n prod, --force · pod a\n"),
        ("tail -qn5 a b", "    tail · -q, -n 5 · a b\n"),
        ("sudo kubectl get pods -ojson", "      kubectl · verb get · -o json · pods\n"),
    ] {
        let ran = sandbox.cli(&["explain", "--profile", "standard", "--", command]);
        assert!(ran.stdout.contains(shown), "{command}: {}", ran.stdout);
    }
    for command in ["ls -l a", "echo -n a", "make", "sudo -u a id"] {
        let ran = sandbox.cli(&["explain", "--profile", "standard", "--", command]);
        assert!(!ran.stdout.contains(" · "), "{command}: {}", ran.stdout);
    }
    let json = sandbox.cli(&["explain", "--json", "--", "kubectl -n prod delete pod a --force; ls"]).json();
    let program = &json["programs"][0];
    assert_eq!((&program["verb"], &program["operands"]), (&json!("delete"), &json!(["pod", "a"])));
    assert_eq!(program["options"], json!([{"name": "-n", "value": "prod"}, {"name": "--force", "value": null}]));
    assert_eq!(json["programs"][1].get("verb"), None);
}

#[test]
fn wrong_use_is_64() {
    let sandbox = Sandbox::new();
    for args in [
        ["explain"].as_slice(),
        &["explain", "--profile", "nope", "--", "ls"],
        &["explain", "--project", "gone", "--", "ls"],
        &["frobnicate"],
        &["log"],
        &["install", "--profile", "nope"],
        &["profile", "show", "nope"],
        &["profile", "show", "--project", "gone"],
    ] {
        let ran = sandbox.cli(args);
        assert_eq!(ran.code, Some(64), "{args:?}: {ran:?}");
        assert!(!ran.stderr.is_empty() && ran.stdout.is_empty(), "{args:?}: {ran:?}");
    }
    // A file that was named and that is not there, or is none, is the same to every command.
    let sandbox = Sandbox::with_profile("sane");
    sandbox.write("folder/x", "no event\n");
    for (args, files) in [
        (["explain", "--event"].as_slice(), ["gone", "folder"].as_slice()),
        (&["explain", "--tool", "Write", "--path", "a", "--content-file"], &["gone", "folder"]),
        (&["config", "check"], &["gone", "folder"]),
        (&["state", "verify", "--anchor"], &["gone", "folder"]),
        (&["replay"], &["gone"]),
        (&["doctor", "--lint"], &["gone"]),
    ] {
        for file in files {
            let ran = sandbox.cli(&[args, &[file]].concat());
            assert_eq!(ran.code, Some(64), "{args:?} {file}: {ran:?}");
            assert!(ran.stderr.contains(file), "{args:?} {file}: {ran:?}");
        }
    }
    assert_eq!(sandbox.cli(&["explain", "--event", "folder/x"]).code, Some(64));
    assert_eq!(sandbox.cli(&["--help"]).code, Some(0));
    assert_eq!(sandbox.cli(&["--version"]).code, Some(0));
}

/// Commands that are about a client take its name, and say which there are.
#[test]
fn commands_about_a_client_take_its_name() {
    let sandbox = Sandbox::new();
    let (plain, named) = (["explain", "--", "rm -rf ~"], ["explain", "--host", "claude-code", "--", "rm -rf ~"]);
    assert_eq!(sandbox.cli(&named).stdout, sandbox.cli(&plain).stdout);
    for args in [["explain"].as_slice(), &["install"], &["uninstall"], &["doctor"], &["replay", "."]] {
        let ran = sandbox.cli(&[args, &["--host", "newcomer"]].concat());
        assert_eq!(ran.code, Some(64), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains("newcomer") && ran.stderr.contains("claude-code"), "{args:?}: {ran:?}");
    }
}

#[test]
fn status_shows_sessions_and_profile() {
    let sandbox = used("spf");
    let ran = sandbox.cli(&["status"]);
    // Nothing is installed here, which a script has to notice.
    assert_eq!(ran.code, Some(4), "{ran:?}");
    for words in
        ["OFF: not installed here", "profile  spf", "log      4 records", SESSION, "2026-03-01 10:00:00", "Read"]
    {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
    let json = sandbox.cli(&["status", "--json"]).json();
    assert_eq!(json["profiles"], json!(["spf"]));
    assert_eq!((&json["sessions"][0]["actions"], &json["sessions"][0]["files_read"]), (&json!(1), &json!(1)));
    let empty = Sandbox::new().cli(&["status"]);
    assert!(empty.stdout.contains("no session is remembered yet"), "{empty:?}");
    assert_eq!(empty.code, Some(4));
}

#[test]
fn the_log_can_be_read_counted_and_checked() {
    let sandbox = used("spf");
    let tail = sandbox.cli(&["log", "tail", "-n", "1"]);
    assert_eq!(tail.stdout.lines().count(), 1);
    assert!(tail.stdout.contains("PreToolUse") && tail.stdout.contains("verdict=deny"), "{}", tail.stdout);
    let raw = sandbox.cli(&["log", "tail", "--json"]);
    assert_eq!(raw.stdout, sandbox.read(".claude/hookbin/log/audit.jsonl"));
    let stats = sandbox.cli(&["log", "stats", "--json"]).json();
    assert_eq!(stats["records"], 4);
    assert_eq!(stats["by_event"], json!({"PostToolUse": 1, "PreToolUse": 2, "SessionStart": 1}));
    assert_eq!(stats["by_verdict"], json!({"deny": 1}));
    assert_eq!(sandbox.cli(&["log", "verify"]).code, Some(0));
    let edited = raw.stdout.replace("\"verdict\":\"deny\"", "\"verdict\":\"none\"");
    std::fs::write(sandbox.log().join("audit.jsonl"), edited).unwrap();
    let ran = sandbox.cli(&["log", "verify", "--json"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert_eq!(ran.json()["good"], json!(false));
}

#[test]
fn a_deleted_log_does_not_look_empty() {
    for files in [&["audit.jsonl", "chain.head"][..], &[]] {
        let sandbox = used("spf");
        assert_eq!(sandbox.cli(&["log", "verify"]).code, Some(0));
        if files.is_empty() {
            std::fs::remove_dir_all(sandbox.log()).unwrap();
        }
        for file in files {
            std::fs::remove_file(sandbox.log().join(file)).unwrap();
        }
        let ran = sandbox.cli(&["log", "verify"]);
        assert_eq!(ran.code, Some(4), "{files:?}: {ran:?}");
        assert!(ran.stdout.contains("no record is left"), "{files:?}: {ran:?}");

        // A log that was begun again is younger than the session that it should begin with.
        let later = [("HOOKBIN_NOW", "2099-01-01T00:00:00Z")];
        sandbox.hook_with(&["PreToolUse"], b"{\"tool_name\":\"Bash\"}", &later);
        let ran = sandbox.cli(&["log", "verify", "--json"]);
        assert_eq!(ran.code, Some(4), "{files:?}: {ran:?}");
        assert_eq!(ran.json()["records"], 1);
        assert!(ran.json()["findings"][0].as_str().unwrap().contains("an earlier log was deleted"), "{ran:?}");
    }
}

#[test]
fn a_project_without_records_is_no_fault_and_one_that_does_not_exist_is_wrong_use() {
    let sandbox = Sandbox::new();
    for command in [
        ["log", "tail"].as_slice(),
        &["log", "verify"],
        &["log", "stats"],
        &["status"],
        &["state", "verify"],
        &["recall", "x"],
    ] {
        let ran = sandbox.cli(command);
        // That nothing is installed either is what `status` has to say.
        let code = if command == ["status"] { 4 } else { 0 };
        assert_eq!(ran.code, Some(code), "{command:?}: {ran:?}");
        assert!(!ran.stdout.is_empty(), "{command:?}");
        let gone = sandbox.path("gone").display().to_string();
        let mut args = command.to_vec();
        args.extend(["--project", gone.as_str()]);
        let ran = sandbox.cli(&args);
        assert_eq!(ran.code, Some(64), "{command:?}: {ran:?}");
        assert!(ran.stderr.contains("is not a directory"), "{ran:?}");
    }
    assert_eq!(sandbox.cli(&["log", "verify", "--json"]).json()["records"], 0);
    for help in ["--help", "-h"] {
        assert!(sandbox.cli(&["hook", help]).stdout.contains("Usage"));
    }
}

/// What keeps a configuration from being in force is a finding, also when that is its being no file.
#[test]
fn a_configuration_that_cannot_be_read_is_a_finding() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path(".claude/hookbin.toml")).unwrap();
    let ran = sandbox.cli(&["config", "check", "--json"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(ran.json()["files"][0]["fault"].as_str().unwrap().contains("not a plain file"), "{ran:?}");
}

#[test]
fn state_can_be_shown_and_checked() {
    let sandbox = used("spf");
    for args in [["state", "show"].as_slice(), &["state", "show", SESSION]] {
        let ran = sandbox.cli(args);
        assert_eq!(ran.json()["activity"]["files_read"], json!(["/a"]), "{ran:?}");
    }
    assert_eq!(sandbox.cli(&["state", "show", "unknown"]).code, Some(70));
    let ran = sandbox.cli(&["state", "verify", "--json"]);
    assert_eq!((ran.code, &ran.json()["good"]), (Some(0), &json!(true)));
}

#[test]
fn the_settings_of_a_profile_can_be_printed() {
    let ran = Sandbox::new().cli(&["settings", "--profile", "spf"]);
    let settings = ran.json();
    let entry = &settings["hooks"]["PreToolUse"][0]["hooks"][0];
    let command = concat!(
        r#"IFS=:; set -f; p=${CLAUDE_PROJECT_DIR%/}; case $HOME/ in "$p"/*) p=-;; esac; "#,
        r#"for d in "${XDG_DATA_HOME:--}/hookbin" "${HOME:--}/.local/share/hookbin" $PATH; do case $d in "$p"/*) ;; "#,
        r#"/*|?:*) [ -f "$d/hookbin" ] && [ -x "$d/hookbin" ] && exec "$d/hookbin" hook PreToolUse;; esac; done; exit 0"#,
    );
    assert_eq!(*entry, json!({"type": "command", "command": command, "timeout": 10}));
    assert_eq!(
        settings["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"], 10,
        "without a limit of its own it is cut off after 1.5 s (W23)"
    );
}

/// A project's file reaches what is in force, and a fault in it is a finding.
#[test]
fn what_is_in_force_can_be_shown() {
    let sandbox = Sandbox::with_profile("spf");
    sandbox.write(".claude/hookbin.toml", "profile = \"spf\"\n[change.pre-read]\nenabled = false\n");
    let shown = sandbox.cli(&["profile", "show", "--json"]).json();
    let names: Vec<&str> =
        shown["handlers"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert!(!names.contains(&"pre-read") && names.contains(&"pre-edit"), "{names:?}");
    sandbox.write(".claude/hookbin.toml", "profile = \"spf\"\nlogg = 1\n");
    let ran = sandbox.cli(&["profile", "show"]);
    assert_eq!(ran.code, Some(4));
    assert!(ran.stdout.contains("`log`"), "{}", ran.stdout);
}

/// Names come from tool calls, so a terminal must not obey them; and an output that is closed or full is no reason to crash.
#[test]
fn what_is_printed_is_harmless_and_may_stay_unread() {
    let sandbox = Sandbox::with_profile("spf");
    let name = "/x/\u{1b}[31mred\u{7}\n2026-01-01  checkpoint  forged\u{202e}\u{61c}";
    let call = json!({"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "mcp__x__spf_write", "tool_input": {"file_path": name}});
    sandbox.hook(&[], call.to_string().as_bytes());
    let odd = json!({"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "mcp__x__\u{1b}[31m", "tool_input": {}});
    sandbox.hook(&[], odd.to_string().as_bytes());
    let unknown = json!({"hook_event_name": "\u{1b}[31mOdd", "session_id": "s"});
    sandbox.hook(&[], unknown.to_string().as_bytes());
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "mcp__x__y", "tool_input": {"command": name}});
    sandbox.write("event.json", &event.to_string());
    for args in [
        ["recall", "red"].as_slice(),
        &["status"],
        &["log", "stats"],
        &["log", "tail"],
        &["explain", "--event", "event.json"],
        &["score", name],
    ] {
        let ran = sandbox.cli(args);
        assert_eq!(ran.code, Some(if args == ["status"] { 4 } else { 0 }), "{ran:?}");
        assert!(!ran.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{61c}']), "{args:?}: {:?}", ran.stdout);
        assert!(!ran.stdout.lines().any(|line| line.starts_with("2026-01-01  checkpoint")), "{args:?}: {}", ran.stdout);
        assert!(args != ["log", "tail"] || ran.stdout.contains("Odd"), "{}", ran.stdout);
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let ran = sandbox.command(args).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(70), "{args:?}");
        assert!(stderr.starts_with("hookbin: ") && stderr.contains("No space left"), "{args:?}: {stderr:?}");
    }
}

/// `hookbin log tail | head -1`: whoever reads no further hears nothing of it.
#[test]
fn a_reader_that_goes_away_is_no_fault_to_tell() {
    let sandbox = Sandbox::new();
    for args in [["status"].as_slice(), &["man"], &["completions", "bash"], &["--help"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ran = sandbox.command(args).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&ran.stderr), "", "{args:?}");
    }
}

/// A project that came from elsewhere brings its configuration with it.
#[test]
fn what_a_configuration_says_is_harmless_too() {
    let sandbox = Sandbox::new();
    sandbox.write(".claude/hookbin.toml", "profile = \"spf\"\n\"\\u001b[2Jodd\" = 1\n");
    for args in [["status"].as_slice(), &["config", "check"], &["profile", "show"], &["explain", "ls"]] {
        let ran = sandbox.cli(args);
        assert!(ran.stdout.contains("odd") && !ran.stdout.contains('\u{1b}'), "{args:?}: {ran:?}");
    }
}

#[test]
fn completions_and_the_manual_come_from_the_commands() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish"] {
        let ran = sandbox.cli(&["completions", shell]);
        assert_eq!(ran.code, Some(0));
        for word in ["uninstall", "doctor", "--dry-run", "dry-run"]
            .iter()
            .filter(|word| **word != "--dry-run" || shell == "bash")
        {
            assert!(ran.stdout.contains(word), "{shell}: {word}");
        }
    }
    let man = sandbox.cli(&["man"]).stdout;
    assert!(
        man.starts_with(".ie") && man.contains(".SH NAME\nhookbin") && man.contains("\\fB\\-\\-purge\\fR"),
        "{man}"
    );
    // Commands of commands as well, and none that hooks start for themselves.
    assert!(
        man.contains("\\fBhookbin log export\\fR") && !man.contains("run\\-tests") && !man.contains("run-tests"),
        "{man}"
    );
    assert_eq!(sandbox.cli(&["completions", "cmd"]).code, Some(64));
}

/// A plugin's entries name the plugin's own directory, and give way to a project's own as those of a user do.
#[test]
fn the_hooks_of_a_plugin_can_be_printed() {
    let hooks = Sandbox::new().cli(&["settings", "--plugin", "--profile", "spf"]).json();
    assert_eq!(
        hooks["hooks"]["PreToolUse"][0]["hooks"][0],
        json!({"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/hookbin", "args": ["hook", "PreToolUse", "--user"], "timeout": 10})
    );
}

/// Every profile that can be chosen tests itself; the other commands of the requirement are there as well.
#[test]
fn sx_03_profiles_test_themselves_and_what_is_remembered_can_be_reset() {
    let sandbox = used("spf");
    let ran = sandbox.cli(&["selftest", "--json"]);
    assert_eq!((ran.code, &ran.json()["good"]), (Some(0), &json!(true)), "{ran:?}");
    let report = ran.json();
    let of = |profile: &str| report["cases"].as_array().unwrap().iter().filter(|it| it["profile"] == profile).count();
    assert!(of("spf") >= 19 && of("standard") >= 12, "{ran:?}");
    let text = sandbox.cli(&["selftest", "spf"]).stdout;
    assert!(text.contains("spf: native Read is refused: good\n"), "{text}");
    assert!(text.ends_with(&format!("spf: {0} of {0} cases are as they should be\n", of("spf"))), "{text}");
    assert_eq!(sandbox.cli(&["selftest", "nope"]).code, Some(64));

    assert_eq!(sandbox.cli(&["state", "show"]).json()["activity"]["action_count"], 1);
    let mut command = sandbox.command(&["state", "reset", "activity"]);
    command.env("HOOKBIN_NOW", "2026-03-02T00:00:00Z");
    assert_eq!(crate::sandbox::run(command, b"").code, Some(0));
    let activity = sandbox.cli(&["state", "show"]).json()["activity"].clone();
    assert_eq!((&activity["action_count"], &activity["files_read"]), (&json!(0), &json!([])));
    assert_eq!(activity["started"], "2026-03-02 00:00:00");
    // A file that was read before counts as new again.
    let read = json!({"session_id": SESSION, "hook_event_name": "PostToolUse", "tool_name": "mcp__spf__spf_read", "tool_input": {"path": "/a"}, "tool_use_id": "toolu_9"});
    sandbox.hook(&[], read.to_string().as_bytes());
    assert_eq!(sandbox.cli(&["state", "show"]).json()["activity"]["files_read"], json!(["/a"]));
    let ran = sandbox.cli(&["state", "reset", "nope"]);
    assert!(ran.code == Some(64) && ran.stderr.contains("activity"), "{ran:?}");

    for command in [["doctor"].as_slice(), &["status"]] {
        assert!([Some(0), Some(4)].contains(&sandbox.cli(command).code), "{command:?}");
    }
}
