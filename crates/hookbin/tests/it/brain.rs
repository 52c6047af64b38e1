//! Checkpoints that go to a program, finding what was kept, and the golden vectors through `score`.

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

fn written(call: usize, file: &str) -> Vec<u8> {
    json!({
        "session_id": "s", "cwd": "/", "hook_event_name": "PostToolUse", "tool_name": "mcp__spf__spf_write",
        "tool_input": {"file_path": file}, "tool_response": "ok", "tool_use_id": format!("toolu_{call}"),
    })
    .to_string()
    .into_bytes()
}

/// A program in the documented place that notes its arguments, says something, and then waits until it is told to end.
fn brain(sandbox: &Sandbox) -> std::path::PathBuf {
    let dir = sandbox.home().join("stoneshell-brain/target/release");
    std::fs::create_dir_all(&dir).unwrap();
    let program = dir.join("brain");
    let told = sandbox.home().display().to_string();
    let text = format!(
        "#!/bin/sh\nfor arg; do printf '%s\\n--\\n' \"$arg\"; done > '{told}/args.part'\n/bin/mv '{told}/args.part' '{told}/args'\necho stored\n\
         n=0; while [ ! -e '{told}/end' ] && [ $n -lt 200 ]; do n=$((n+1)); /bin/sleep 0.05; done\n"
    );
    std::fs::write(&program, text).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    sandbox.agree();
    program
}

fn wait_for(what: impl Fn() -> bool) {
    let begin = Instant::now();
    while !what() {
        assert!(begin.elapsed() < Duration::from_secs(20), "it never came");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn s0_79_a_checkpoint_program_runs_by_itself_and_delays_nothing() {
    let sandbox = Sandbox::with_profile("spf");
    brain(&sandbox);
    let file = "/src/it's \"odd\" $(touch /tmp/no).rs";
    let ran = sandbox.hook_with(&[], &written(1, file), &[("HOOKBIN_NOW", "2026-03-01T10:00:00Z")]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""));
    // The hook is over while the program still waits to be told to end.
    wait_for(|| sandbox.home().join("args").exists());
    let args = std::fs::read_to_string(sandbox.home().join("args")).unwrap();
    let args: Vec<&str> = args.split("\n--\n").collect();
    let content = format!(
        "SPF checkpoint\nTool: Write\nResult: success\nFile: {file}\nTime: 2026-03-01 10:00:00\nSession Actions: 1"
    );
    let title = format!("SPF: Write on {}", file.rsplit('/').next().unwrap());
    let expected =
        ["store", &content, "-t", &title, "-c", "spf_audit", "--tags", "spf,checkpoint,Write", "--index", ""];
    assert_eq!(args, expected);
    wait_for(|| sandbox.read(".claude/hookbin/state/spf.log").contains("stored\n"));
    assert!(!sandbox.state("brain").exists(), "a note is in one place");
    std::fs::write(sandbox.home().join("end"), "").unwrap();
}

/// What lies beside a project is no part of it: it starts once the user has seen it named, or trusts its own directory.
#[test]
fn s0_79_a_program_beside_the_project_starts_where_the_person_agreed_to_it() {
    let sandbox = Sandbox::with_profile("spf");
    let program = brain(&sandbox);
    let place = "../stoneshell-brain/target/release/brain";
    let started = |file: &str| {
        let noted = std::fs::read_to_string(sandbox.home().join("args")).unwrap_or_default();
        noted.contains(&format!("File: {file}\n"))
    };
    let kept = || sandbox.read(".claude/hookbin/state/brain/spf_audit/audit.jsonl").lines().count();
    std::fs::write(sandbox.home().join("end"), "").unwrap();
    // Trust of old, which knew of no such program.
    sandbox.trust();
    let told = sandbox.hook(&[], &written(1, "/a"));
    assert!(told.stdout.contains(place) && told.stdout.contains("hookbin trust"), "{told:?}");
    assert_eq!(kept(), 1, "the note is kept here instead");
    let again = sandbox.hook(&[], &written(2, "/b"));
    assert_eq!((again.stdout.as_str(), kept()), ("", 2), "once a session");
    let shown = sandbox.cli(&["trust", "--show"]).stdout;
    assert!(shown.contains(&format!("\n  programs  runs {place}, outside of this directory  (new)\n")), "{shown}");
    sandbox.agree();
    let shown = sandbox.cli(&["trust", "--show"]).stdout;
    assert!(shown.contains(&format!("runs {place}, outside of this directory\n")), "{shown}");
    assert_eq!(sandbox.hook(&[], &written(3, "/c")).stdout, "");
    wait_for(|| started("/c"));
    // The other directory's own trust.
    sandbox.trust();
    let mut command =
        sandbox.command(&["trust", "--project", sandbox.home().join("stoneshell-brain").to_str().unwrap()]);
    command.env("HOOKBIN_UNATTENDED", "1");
    let ran = crate::sandbox::run(command, b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    sandbox.hook(&[], &written(4, "/d"));
    wait_for(|| started("/d"));
    assert_eq!(kept(), 2);
    // A whole path is the user's own word.
    let whole = Sandbox::with_profile("spf");
    whole.write_own(&format!("[change.post-action.checkpoint]\ncommand = [{:?}]\n", program.to_str().unwrap()));
    let ran = whole.hook(&[], &written(1, "/a"));
    assert_eq!(ran.stdout, "");
    wait_for(|| whole.read(".claude/hookbin/state/spf.log").contains("stored\n"));
}

/// Programs that hang cannot pile up: beyond four at a time the note is stored here.
#[test]
fn s0_76_only_so_many_programs_run_at_a_time_and_no_note_is_lost() {
    let sandbox = Sandbox::with_profile("spf");
    brain(&sandbox);
    for call in 0..6 {
        assert_eq!(sandbox.hook(&[], &written(call, &format!("/f{call}"))).code, Some(0));
    }
    assert_eq!(sandbox.read(".claude/hookbin/state/brain/spf_audit/audit.jsonl").lines().count(), 2);
    std::fs::write(sandbox.home().join("end"), "").unwrap();
}

#[test]
fn s0_129_what_was_kept_can_be_found_and_not_changed_unnoticed() {
    let sandbox = Sandbox::with_profile("spf");
    for (call, file) in ["/src/parser.rs", "/src/lexer.rs", "/docs/parser.md"].iter().enumerate() {
        sandbox.hook(&[], &written(call, file));
    }
    sandbox.hook(&[], br#"{"hook_event_name":"SessionEnd","session_id":"s","reason":"other"}"#);
    let found = |query: &[&str]| -> Vec<Value> {
        let mut args = vec!["recall", "--json"];
        args.extend(query);
        let ran = sandbox.cli(&args);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()["notes"].as_array().unwrap().clone()
    };
    let kinds =
        |notes: &[Value]| notes.iter().map(|note| note["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let parser = found(&["PARSER"]);
    assert_eq!(kinds(&parser), ["handoff", "checkpoint", "checkpoint"], "newest first");
    assert!(parser[1]["content"].as_str().unwrap().contains("/docs/parser.md"));
    assert_eq!(found(&["parser", ".rs", "checkpoint"]).len(), 1, "every word counts");
    assert!(found(&["nowhere"]).is_empty());
    assert_eq!(found(&["-n", "1"]).len(), 1);
    let plain = sandbox.cli(&["recall", "lexer"]);
    assert!(
        plain.stdout.contains("SPF: Write on lexer.rs") && plain.stdout.contains("    File: /src/lexer.rs"),
        "{plain:?}"
    );
    // An entry of the store is chained to the one before it.
    let store = sandbox.state("brain/spf_audit");
    assert!(hook_audit_log::verify(&store).unwrap().is_good());
    let path = store.join("audit.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("parser.rs", "harmless.rs", 1)).unwrap();
    assert!(!hook_audit_log::verify(&store).unwrap().is_good());
}

/// The document's golden vectors (B0.2) through the command.
#[test]
fn score_gives_the_golden_vectors() {
    let sandbox = Sandbox::new();
    let cases: Vec<Value> = serde_json::from_str(include_str!("../data/golden.json")).unwrap();
    assert!(cases.len() >= 14);
    for case in &cases {
        let prompt =
            case["prompt"].as_str().unwrap().repeat(usize::try_from(case["times"].as_u64().unwrap_or(1)).unwrap());
        for (flag, column) in [(Some("--raw"), "document"), (Some("--origin"), "origin")] {
            let mut args = vec!["score", "--json"];
            args.extend(flag);
            args.extend(["--", &prompt]);
            let ran = sandbox.cli(&args);
            let json = ran.json();
            assert_eq!(json["c"], case[column], "{column}: {case}");
            if column == "origin" {
                assert_eq!(json["a_optimal"], case["a_optimal"], "{case}");
                for key in ["math", "logic", "domain"] {
                    assert_eq!(json[key], case[key], "{key}: {case}");
                }
            }
        }
    }
}

#[test]
fn score_says_why() {
    let sandbox = Sandbox::new();
    let json = sandbox.cli(&["score", "--json", "Refactor the parser and then write code for the algorithm"]).json();
    for key in ["version", "c", "tier", "analyze", "build", "a_optimal", "signals", "factors"] {
        assert!(json.get(key).is_some(), "{key}: {json}");
    }
    assert_eq!((&json["c"], &json["tier"]), (&json!(1133), &json!("LIGHT")));
    let signals: Vec<(&str, u64)> = json["signals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["text"].as_str().unwrap(), it["score"].as_u64().unwrap()))
        .collect();
    assert!(signals.contains(&("Refactor", 300)) && signals.contains(&("algorithm", 250)), "{signals:?}");
    let plain = sandbox.cli(&["score", "Refactor the parser"]);
    assert!(plain.stdout.contains("+300") && plain.stdout.contains("“Refactor”"), "{}", plain.stdout);
    assert!(!plain.stdout.contains("no prompt scores less"), "the lines add up: {}", plain.stdout);
    for prompt in ["yes", ""] {
        let plain = sandbox.cli(&["score", prompt]).stdout;
        assert!(plain.starts_with("C = 50 ") && plain.contains("no prompt scores less than 50"), "{plain}");
    }
    let from_stdin = crate::sandbox::run(sandbox.command(&["score", "--json", "-"]), "Update the changelog".as_bytes());
    assert_eq!(from_stdin.json()["c"], 50, "a changelog is no logarithm");
    assert_eq!(sandbox.cli(&["score", "--json", "--previous", "5000", "yes"]).json()["c"], 5000);
}

/// Signals of the configuration, one of which cannot be compiled.
#[test]
fn a_persons_own_signals_count() {
    let sandbox = Sandbox::new();
    sandbox.write(
        ".claude/hookbin.toml",
        "profile = \"spf\"\n[[complexity.signal]]\nid = \"ledger\"\nscore = 600\nany_of = [\"general ledger\"]\n\
         [[complexity.signal]]\nid = \"ticket\"\nscore = 700\nregex = \"[A-Z]{3}-[0-9]+\"\nany_of = [\"-\"]\n\
         [[complexity.signal]]\nid = \"broken\"\nscore = 1\nregex = \"(\"\n",
    );
    let c = |prompt: &str| {
        let ran = sandbox.cli(&["score", "--json", prompt]);
        assert_eq!(ran.code, Some(4), "the broken one is a finding: {ran:?}");
        assert!(ran.json()["faults"][0].as_str().unwrap().contains("broken"));
        ran.json()["c"].as_u64().unwrap()
    };
    assert_eq!(c("fix the General  Ledger"), 602);
    assert_eq!(c("see ABC-123"), 701);
    let mut prompt = json!({"hook_event_name": "UserPromptSubmit", "session_id": "s"});
    prompt["prompt"] = json!("see ABC-123");
    let ran = sandbox.hook(&[], prompt.to_string().as_bytes());
    assert!(ran.context().contains("C=701"), "{ran:?}");
}
