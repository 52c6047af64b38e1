//! `hookbin replay`: past sessions give the verdicts that the hook gave, bad input is told, and nothing of a project changes.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::recorder::{Recorder, SESSION, busy};
use crate::sandbox::{Ran, Sandbox, run, tree};

fn snapshot(root: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    tree(root).into_iter().map(|path| (path.clone(), std::fs::read(&path).unwrap())).collect()
}

fn replay(sandbox: &Sandbox, args: &[&str]) -> (Ran, Value) {
    let ran = sandbox.cli(&[&["replay", "--json"], args].concat());
    let json = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {args:?} {ran:?}"));
    (ran, json)
}

/// Verdicts of the tool calls in the audit log, by call.
fn recorded(sandbox: &Sandbox) -> Vec<(String, Option<String>)> {
    let log = sandbox.read(".claude/hookbin/log/audit.jsonl");
    let records = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let calls = records.filter(|record| record["event"] == "PreToolUse");
    calls
        .map(|record| {
            (record["tool_use_id"].as_str().unwrap().to_owned(), record["verdict"].as_str().map(str::to_owned))
        })
        .collect()
}

#[test]
fn a_replay_gives_the_verdicts_that_the_hook_gave() {
    for profile in ["standard", "guardrails", "collective", "sane", "spf", "standard,sane"] {
        let sandbox = Sandbox::with_profile(profile);
        let mut recorder = Recorder::live(&sandbox);
        busy(&mut recorder);
        let transcript = recorder.save("t.jsonl");
        let calls = recorded(&sandbox);
        let denied = calls.iter().filter(|(_, verdict)| verdict.as_deref() == Some("deny")).count();
        assert!(denied > 0 || profile == "sane", "{profile}: the session shows nothing");
        let before = snapshot(&sandbox.home());

        let (ran, json) = replay(&sandbox, &["--expect", &transcript]);
        assert_eq!((ran.code, &json["differences_total"]), (Some(0), &json!(0)), "{profile}: {}", ran.stdout);
        assert_eq!(json["verdicts"]["calls"]["deny"], denied, "{profile}");
        assert!(json["compared"].as_u64().unwrap() >= calls.len() as u64, "{profile}: {}", json["compared"]);

        // The log alone has neither prompts nor contents, and gives no difference where it has what counts.
        let log = sandbox.log();
        let (ran, json) = replay(&sandbox, &["--expect", log.to_str().unwrap()]);
        assert_eq!((ran.code, &json["differences_total"]), (Some(0), &json!(0)), "{profile}: {}", ran.stdout);
        assert!(json["inputs"]["log_records"].as_u64().unwrap() > calls.len() as u64, "{profile}");

        assert_eq!(before, snapshot(&sandbox.home()), "{profile}: a replay changed something");
    }
}

#[test]
fn gates_that_remember_go_on_over_the_past() {
    // Research opens the gate: the same edit is refused before and passes behind it, in the past as in the replay.
    let sandbox = Sandbox::with_profile("sane");
    sandbox.declare(&[]);
    let mut recorder = Recorder::live(&sandbox);
    busy(&mut recorder);
    let transcript = recorder.save("t.jsonl");
    let edits = |json: &Value| -> (u64, u64) {
        let groups = json["groups"].as_array().unwrap();
        let group = groups.iter().find(|group| group["shape"] == "Edit *.rs").unwrap();
        (group["verdicts"]["deny"].as_u64().unwrap(), group["calls"].as_u64().unwrap())
    };
    let (_, json) = replay(&sandbox, &[&transcript]);
    let (denied, all) = edits(&json);
    assert!(denied > 0 && denied < all, "{denied} of {all} edits are refused");
    // The last edit passes behind the research. Without what was done before it, it is refused.
    let last = recorder.lines.iter().rposition(|line| line.to_string().contains(r#""name":"Edit""#)).unwrap();
    let mut cut = Recorder::silent(&sandbox);
    cut.lines = std::iter::once(&recorder.lines[0]).chain(&recorder.lines[last..]).cloned().collect();
    let (_, json) = replay(&sandbox, &[&cut.save("cut.jsonl")]);
    assert_eq!(edits(&json), (1, 1));
}

#[test]
fn another_policy_differs_and_says_where() {
    let sandbox = Sandbox::with_profile("standard");
    let mut recorder = Recorder::live(&sandbox);
    busy(&mut recorder);
    let transcript = recorder.save("t.jsonl");
    let (ran, json) = replay(&sandbox, &["--profile", "standard", "--against", "standard", &transcript]);
    assert_eq!((ran.code, &json["differences_total"]), (Some(0), &json!(0)));
    let (ran, json) = replay(&sandbox, &["--profile", "standard", "--against", "spf", &transcript]);
    assert_eq!(ran.code, Some(3));
    let differences = json["differences"].as_array().unwrap();
    assert_eq!(json["differences_total"], differences.len());
    let ids: BTreeSet<&str> = differences.iter().filter_map(|one| one["tool_use_id"].as_str()).collect();
    // `cargo test` is refused by spf alone, `rm -rf /` by both.
    assert!(ids.contains("toolu_0001") && !ids.contains("toolu_0008"), "{ids:?}");
    let one = differences.iter().find(|one| one["tool_use_id"] == "toolu_0001").unwrap();
    assert_eq!(
        (&one["first"]["verdict"], &one["second"]["verdict"], &one["session"]),
        (&json!("none"), &json!("deny"), &json!(SESSION))
    );
    assert_eq!(one["subject"], "Bash: cargo test -p one");
    assert_eq!(
        json["against_verdicts"]["calls"]["none"].as_u64().unwrap()
            + json["against_verdicts"]["calls"]["deny"].as_u64().unwrap(),
        json["verdicts"]["calls"].as_object().unwrap().values().filter_map(Value::as_u64).sum::<u64>()
    );

    // What the hook did then is held against what a policy would do now.
    let (ran, _) = replay(&sandbox, &["--profile", "spf", "--expect", &transcript]);
    assert_eq!(ran.code, Some(3));
    let plain = sandbox.cli(&["replay", "--profile", "spf", "--expect", &transcript]);
    assert!(plain.code == Some(3) && plain.stdout.contains("none / deny"), "{plain:?}");

    // A file that is not in force yet is a policy as well.
    sandbox.write("next.toml", "profile = [\"standard\"]\n\n[[rule]]\nid = \"ask-commit\"\ntool = \"Bash\"\nprogram = \"git\"\nargs = [\"commit\"]\nthen = \"ask\"\nreason = \"look first\"\nshould_match = [\"git commit -m a\"]\nshould_not_match = [\"git status\"]\n");
    let next = sandbox.path("next.toml");
    let (ran, json) = replay(&sandbox, &["--against", next.to_str().unwrap(), &transcript]);
    assert_eq!((ran.code, &json["differences_total"]), (Some(3), &json!(1)), "{}", ran.stdout);
    assert_eq!(json["differences"][0]["second"]["rule"], "ask-commit");
    let (_, json) = replay(&sandbox, &["--profile", next.to_str().unwrap(), &transcript]);
    assert_eq!((&json["prompts_added"], &json["prompts_saved"]), (&json!(1), &json!(0)));
    let rule = json["rules"].as_array().unwrap().iter().find(|rule| rule["rule"] == "ask-commit").unwrap();
    assert_eq!(
        (&rule["count"], &rule["ran"], &rule["examples"]),
        (&json!(1), &json!(1), &json!(["Bash: git commit -m wip"]))
    );
}

#[test]
fn a_transcript_alone_tells_what_was_refused() {
    let sandbox = Sandbox::new();
    let mut recorder = Recorder::silent(&sandbox);
    recorder.prompt("go on");
    let (id, _) = recorder.begin("Bash", &json!({"command": "rm -rf /"}));
    recorder.result(&id, true, "PreToolUse:Bash hook error: no");
    recorder.bash("ls");
    let good = recorder.save("good.jsonl");
    let (ran, json) = replay(&sandbox, &["--expect", &good]);
    assert_eq!((ran.code, &json["compared"]), (Some(0), &json!(2)), "{}", ran.stdout);
    // It ran then, and would be refused now.
    recorder.bash("rm -rf /");
    let (ran, json) = replay(&sandbox, &["--expect", &recorder.save("bad.jsonl")]);
    assert_eq!((ran.code, &json["differences"][0]["tool_use_id"]), (Some(3), &json!("toolu_0003")));
}

/// The user-wide entry records outside of the project, and what it answered counts as well.
#[test]
fn what_the_user_wide_entry_answered_is_found() {
    let sandbox = Sandbox::new();
    let mut recorder = Recorder::silent(&sandbox);
    recorder.bash("rm -rf /");
    let call = json!({
        "session_id": SESSION, "cwd": sandbox.project(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_use_id": "toolu_0001", "tool_input": {"command": "rm -rf /"},
    });
    let ran = sandbox.hook(&["PreToolUse", "--user"], call.to_string().as_bytes());
    assert!(ran.decision().as_deref() == Some("deny") && !sandbox.log().exists(), "{ran:?}");
    // By the transcript alone it ran, which no hook that refuses it would have let it.
    let (ran, json) = replay(&sandbox, &["--expect", &recorder.save("t.jsonl")]);
    assert_eq!((ran.code, &json["compared"]), (Some(0), &json!(1)), "{}", ran.stdout);
}

#[test]
fn rules_that_a_past_suggests_load_and_save_prompts() {
    let sandbox = Sandbox::with_profile("standard");
    let mut recorder = Recorder::silent(&sandbox);
    recorder.prompt("go on");
    for package in ["one", "two", "three", "four"] {
        recorder.bash(&format!("cargo test -p {package}"));
    }
    recorder.bash("curl -H 'Authorization: Bearer ghp_0123456789abcdefghijklmnopqrstuvwxyzAB' https://example.org");
    for command in ["kubectl apply -f one.yaml", "kubectl apply -f two.yaml"] {
        let (id, _) = recorder.begin("Bash", &json!({"command": command}));
        recorder.result(&id, true, "The user doesn't want to proceed with this tool use. The tool use was rejected");
    }
    for command in ["kubectl get pods", "kubectl get nodes", "kubectl get pods -A"] {
        recorder.bash(command);
    }
    let transcript = recorder.save("t.jsonl");
    let (_, json) = replay(&sandbox, &[&transcript]);
    let proposals = json["proposals"].as_array().unwrap();
    let find = |then: &str, words: &str| {
        proposals
            .iter()
            .find(|one| one["then"] == then && one["toml"].as_str().unwrap().contains(words))
            .unwrap_or_else(|| panic!("{then} {words}: {proposals:?}"))
    };
    assert_eq!(find("allow", "program = \"cargo\"")["calls"], 4);
    let get = find("allow", "args = [\"get\"]")["toml"].as_str().unwrap();
    assert!(get.contains("should_not_match = [\"kubectl apply -f one.yaml\", \"kubectl apply -f two.yaml\"]"), "{get}");
    // What was refused is asked about, and what was let run is spared.
    let ask = find("ask", "args = [\"apply\"]")["toml"].as_str().unwrap();
    assert!(
        ask.contains("should_match = [\"kubectl apply -f one.yaml\"")
            && ask.contains("should_not_match = [\"kubectl get"),
        "{ask}"
    );
    assert!(!json.to_string().contains("ghp_0123"), "a secret got into the report");

    let rules: Vec<&str> = proposals.iter().map(|one| one["toml"].as_str().unwrap()).collect();
    sandbox.write(".claude/hookbin.toml", &format!("profile = [\"standard\"]\n\n{}", rules.join("\n")));
    let checked = sandbox.cli(&["config", "check"]);
    assert_eq!(checked.code, Some(0), "{}", checked.stdout);
    let (_, json) = replay(&sandbox, &[&transcript]);
    assert_eq!((&json["prompts_saved"], &json["prompts_added"]), (&json!(7), &json!(2)), "{}", json["rules"]);
}

#[test]
fn alike_commands_are_one_group() {
    let sandbox = Sandbox::new();
    let mut recorder = Recorder::silent(&sandbox);
    recorder.prompt("go on");
    for command in
        ["git push --force origin a", "git push --force origin b", "sudo rm -rf /etc", "rm -rf /usr", "rm -rf /var"]
    {
        recorder.bash(command);
    }
    let (_, json) = replay(&sandbox, &[&recorder.save("t.jsonl")]);
    let groups: Vec<(&str, u64)> = json["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| (group["shape"].as_str().unwrap(), group["calls"].as_u64().unwrap()))
        .collect();
    assert!(groups.contains(&("git push --force …", 2)) && groups.contains(&("rm -rf …", 2)), "{groups:?}");
}

#[test]
fn subagents_compaction_interruptions_and_refusals_become_the_events_they_were() {
    let sandbox = Sandbox::new();
    let mut recorder = Recorder::silent(&sandbox);
    recorder.prompt("go on");
    recorder.begin("Agent", &json!({"subagent_type": "general-purpose", "prompt": "look"}));
    let agent = json!({"isSidechain": true, "agentId": "a1"});
    let with = |more: Value| {
        let mut line = agent.clone();
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        line
    };
    let mut other = Recorder::silent(&sandbox);
    other.line("2026-11-01T10:00:03.000Z", "user", with(json!({"message": {"role": "user", "content": "look"}})));
    let call = json!({"type": "tool_use", "id": "toolu_agent", "name": "Bash", "input": {"command": "rm -rf /"}});
    other.line(
        "2026-11-01T10:00:04.000Z",
        "assistant",
        with(json!({"message": {"role": "assistant", "model": "m", "stop_reason": "tool_use", "content": [call]}})),
    );
    other.line("2026-11-01T10:00:05.000Z", "user", with(json!({"message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_agent", "is_error": true, "content": "PreToolUse:Bash hook error: no"}]}})));
    other.line("2026-11-01T10:00:06.000Z", "assistant", with(json!({"message": {"role": "assistant", "model": "m", "stop_reason": "end_turn", "content": [{"type": "text", "text": "found"}]}})));
    // A call that never reached a hook, one that was interrupted, a compaction, kinds of newer clients.
    let (id, _) = recorder.begin("NoSuchTool", &json!({}));
    recorder.result(&id, true, "<tool_use_error>Error: No such tool available: NoSuchTool</tool_use_error>");
    recorder.begin("Bash", &json!({"command": "sleep 100"}));
    recorder.line("2026-11-01T10:01:00.000Z", "user", json!({"message": {"role": "user", "content": [{"type": "text", "text": "[Request interrupted by user for tool use]"}]}}));
    recorder.line(
        "2026-11-01T10:01:01.000Z",
        "system",
        json!({"subtype": "compact_boundary", "compactMetadata": {"trigger": "manual"}}),
    );
    recorder.line(
        "2026-11-01T10:01:02.000Z",
        "user",
        json!({"isCompactSummary": true, "message": {"role": "user", "content": "a summary"}}),
    );
    recorder.line(
        "2026-11-01T10:01:03.000Z",
        "hologram",
        json!({"message": {"role": "user", "content": "of the future"}}),
    );
    recorder.stop("done");
    let main = recorder.save(&format!("projects/p/{SESSION}.jsonl"));
    other.save(&format!("projects/p/{SESSION}/subagents/agent-a1.jsonl"));
    let dir = Path::new(&main).parent().unwrap().to_str().unwrap();
    let (ran, json) = replay(&sandbox, &[dir]);
    assert_eq!(
        (ran.code, &json["inputs"]["transcripts"], &json["sessions"]),
        (Some(0), &json!(2), &json!(1)),
        "{}",
        ran.stdout
    );
    assert_eq!(json["inputs"]["other_lines"], 1);
    // Agent, rm -rf /, sleep; the unknown tool was no hook's.
    assert_eq!(json["verdicts"]["calls"], json!({"deny": 1, "ask": 0, "allow": 0, "none": 2}));
    // SessionStart, UserPromptSubmit, three calls, SubagentStart and SubagentStop, PreCompact, SessionStart and PostCompact, Stop, SessionEnd.
    assert_eq!(json["events"], 12, "{}", ran.stdout);
}

#[test]
fn bad_input_is_told_and_never_stops_a_replay() {
    let sandbox = Sandbox::new();
    let mut recorder = Recorder::silent(&sandbox);
    recorder.prompt("go on");
    recorder.bash("rm -rf /");
    let mut text = recorder.text();
    // A line that is no JSON, bytes that are no text, and a last line that was not written to its end.
    text.insert_str(text.find('\n').unwrap() + 1, "not JSON\n\n");
    let mut bytes = text.into_bytes();
    bytes.extend(b"{\"type\":\"user\",\"cut\xff\n");
    bytes.extend(&recorder.lines[0].to_string().as_bytes()[..40]);
    let dir = sandbox.home().join("many");
    std::fs::create_dir_all(dir.join("deep/er")).unwrap();
    std::fs::write(dir.join("deep/er/cut.jsonl"), bytes).unwrap();
    std::fs::write(dir.join("empty.jsonl"), "").unwrap();
    std::fs::write(dir.join("binary.jsonl"), [0_u8, 159, 146, 150]).unwrap();
    std::fs::write(
        dir.join("other.jsonl"),
        "{\"timestamp\":\"2026-01-01T00:00:00Z\",\"type\":\"response_item\",\"payload\":{}}\n",
    )
    .unwrap();
    std::fs::write(dir.join("notes.txt"), "no transcript").unwrap();
    std::os::unix::fs::symlink(&dir, dir.join("deep/loop")).unwrap();
    std::os::unix::fs::symlink(dir.join("deep/er/cut.jsonl"), dir.join("again.jsonl")).unwrap();
    let many = dir.to_str().unwrap();
    let (ran, json) = replay(&sandbox, &[many, many]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let inputs = &json["inputs"];
    assert_eq!((&inputs["damaged_lines"], &inputs["cut_off_files"]), (&json!(2), &json!(1)), "{inputs}");
    assert_eq!(json["verdicts"]["calls"]["deny"], 1);
    let notes = inputs["notes"].to_string();
    assert!(notes.contains("other.jsonl: no line in it is one of a transcript"), "{notes}");
    assert!(inputs["skipped"].to_string().contains("binary.jsonl"), "{inputs}");
    let plain = sandbox.cli(&["replay", many]);
    assert!(plain.stdout.contains("1 files end in the middle of a line"), "{}", plain.stdout);

    for args in [
        ["replay"].as_slice(),
        &["replay", "/nowhere"],
        &["replay", "--profile", "nope", many],
        &["replay", "--against", "./no.toml", many],
        &["replay", "--project", "/nowhere", many],
        &["replay", "--expect", "--against", "spf", many],
    ] {
        assert_eq!(sandbox.cli(args).code, Some(64), "{args:?}");
    }
    // "No verdict differs" would be said of the built-in profile, not of the file.
    for (text, told) in [
        ("profil = \"spf\"", "unknown key `profil`"),
        ("profile = \"standrad\"", "nearest valid one is `standard`"),
        (
            "[[rule]]\nid = \"a\"\nprogram = \"cargo\"\nthen = \"deny\"\nreason = \"r\"\nshould_match = [\"cargo\"]\nshould_not_match = []",
            "needs at least one example",
        ),
    ] {
        sandbox.write("faulty.toml", text);
        for way in ["--against", "--profile"] {
            let ran = sandbox.cli(&["replay", way, sandbox.path("faulty.toml").to_str().unwrap(), many]);
            assert!(ran.code == Some(64) && ran.stderr.contains(told) && ran.stdout.is_empty(), "{ran:?}");
            assert!(ran.stderr.contains("config check"), "{ran:?}");
        }
    }
    std::fs::create_dir(sandbox.home().join("none")).unwrap();
    assert_eq!(sandbox.cli(&["replay", sandbox.home().join("none").to_str().unwrap()]).code, Some(64));
}

#[test]
fn a_torn_tail_and_a_gap_of_a_log_are_shown() {
    let sandbox = Sandbox::with_profile("standard");
    let mut recorder = Recorder::live(&sandbox);
    busy(&mut recorder);
    let log = sandbox.read(".claude/hookbin/log/audit.jsonl");
    let mut lines: Vec<&str> = log.lines().collect();
    lines.remove(4);
    let half = &lines.pop().unwrap()[..50];
    let copy = format!("{}\n{half}", lines.join("\n"));
    sandbox.write("copy.jsonl", &copy);
    let (ran, json) = replay(&sandbox, &["--expect", sandbox.path("copy.jsonl").to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    let notes = json["inputs"]["notes"].to_string();
    assert!(notes.contains("records are missing in 1 places") && notes.contains("1 lines are no record"), "{notes}");
    // In its place the whole trail is looked at, and the chain head knows what was cut off.
    sandbox.write(".claude/hookbin/log/audit.jsonl", &copy);
    let (_, json) = replay(&sandbox, &[sandbox.path(".claude/hookbin/log/audit.jsonl").to_str().unwrap()]);
    let notes = json["inputs"]["notes"].as_array().unwrap();
    assert!(notes.len() >= 3, "{notes:?}");
}

#[test]
fn a_replay_starts_no_program_of_the_project() {
    let sandbox = Sandbox::with_profile("guardrails");
    let mark = sandbox.home().join("ran");
    let bin = sandbox.home().join("bin");
    std::fs::create_dir(&bin).unwrap();
    for name in ["cargo", "git", "rustfmt", "clippy-driver", "npm", "node"] {
        let path = bin.join(name);
        std::fs::write(&path, format!("#!/bin/sh\necho {name} >> {}\n", mark.display())).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    sandbox.write("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\n");
    std::fs::create_dir_all(sandbox.path(".git")).unwrap();
    sandbox.write(".git/HEAD", "ref: refs/heads/feature/x\n");
    let mut recorder = Recorder::silent(&sandbox);
    busy(&mut recorder);
    let path = recorder.save("t.jsonl");
    let mut command = sandbox.command(&["replay", &path]);
    command.env("PATH", &bin);
    let ran = run(command, b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!mark.exists(), "{}", std::fs::read_to_string(&mark).unwrap());
}

#[test]
fn a_large_transcript_is_a_stream() {
    use std::io::Write as _;

    let sandbox = Sandbox::new();
    let mut recorder = Recorder::silent(&sandbox);
    recorder.prompt("go on");
    let path = recorder.save("large.jsonl");
    let mut file = std::fs::File::options().append(true).open(&path).unwrap();
    let filler = "x".repeat(200_000);
    for number in 0..400 {
        let mut one = Recorder::silent(&sandbox);
        let id = format!("toolu_large_{number}");
        let call =
            json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": format!("cat part{number}")}});
        one.line(
            "2026-11-01T11:00:00.000Z",
            "assistant",
            json!({"message": {"role": "assistant", "model": "m", "stop_reason": "tool_use", "content": [call]}}),
        );
        one.line("2026-11-01T11:00:01.000Z", "user", json!({"message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": filler}]}}));
        file.write_all(one.text().as_bytes()).unwrap();
    }
    // The file has 80 MB; the whole address space may have 64 MiB beside the executable's own.
    let own = std::fs::metadata(env!("CARGO_BIN_EXE_hookbin")).unwrap().len() / 1024;
    let plain = sandbox.command(&["replay", "--json", &path]);
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", "ulimit -v \"$0\"; exec \"$@\"", &(own + 65_536).to_string()]).arg(plain.get_program());
    command.args(plain.get_args()).env_clear().env("HOME", sandbox.home()).current_dir(sandbox.project());
    let ran = run(command, b"");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json = ran.json();
    assert_eq!(json["verdicts"]["calls"]["none"], 400);
    assert!(json["bytes"].as_u64().unwrap() > 80_000_000 && json["mib_per_second"].as_f64().unwrap() > 0.0);
}
