//! Recognising the hook layouts of the five documents, and standing in for them.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, run};

const SETTINGS: &str = ".claude/settings.json";

/// A settings file as each document describes it, and what the document's system is.
fn layouts() -> Vec<(&'static str, &'static str, usize, Value)> {
    let command = |text: &str| json!([{"type": "command", "command": text}]);
    let native = ["Read", "Edit", "Write", "Bash", "Glob", "Grep", "NotebookEdit", "WebFetch", "WebSearch"];
    let pre: Vec<Value> = native
        .iter()
        .map(|tool| json!({"matcher": tool, "hooks": command(&format!("bash hooks/pre-{}.sh", tool.to_lowercase()))}))
        .collect();
    let spf = json!({
        "SessionStart": [{"matcher": "startup|resume", "hooks": command("bash hooks/session-start.sh")}],
        "PreToolUse": pre,
        "PostToolUse": [{"hooks": command("bash hooks/post-action.sh")}],
        "PostToolUseFailure": [{"hooks": command("bash hooks/post-failure.sh")}],
        "UserPromptSubmit": [{"hooks": command("bash hooks/user-prompt.sh")}],
        "Stop": [{"hooks": command("bash hooks/stop-check.sh")}],
        "SessionEnd": [{"hooks": command("bash hooks/session-end.sh")}],
    });
    let of = |script: &str| command(&format!("$HOME/.claude/hooks/{script}"));
    let guardrails = json!({
        "SessionStart": [{"hooks": of("session-init.sh")}],
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [of("guard.sh")[0], of("auto-review.sh")[0]]},
            {"matcher": "Write|Edit", "hooks": [of("test-gate.sh")[0], of("mock-gate.sh")[0]]},
        ],
        "SessionEnd": [{"hooks": of("session-end.sh")}],
    });
    let here = |script: &str| command(&format!(".claude/hooks/{script}"));
    let collective = json!({
        "SessionStart": [{"matcher": {}, "hooks": here("load-behavioral-system.sh")}],
        "PreToolUse": [
            {"matcher": {"toolName": "Bash"}, "hooks": here("block-destructive-commands.sh")},
            {"matcher": {"toolName": "Read|Grep"}, "hooks": here("block-sensitive-files.sh")},
        ],
        "PostToolUse": [
            {"matcher": {"toolName": ".*"}, "hooks": [here("collective-metrics.sh")[0], here("semantic-docs-update-hook.sh")[0]]},
            {"matcher": {"toolName": "Task"}, "hooks": here("test-driven-handoff.sh")},
        ],
        "PreCompact": [{"matcher": {}, "hooks": here("pre-compact-state.sh")}],
        "SubagentStart": [{"matcher": {"agentName": ".*"}, "hooks": here("subagent-context-inject.sh")}],
        "SubagentStop": [{"matcher": {}, "hooks": here("test-driven-handoff.sh")}],
    });
    let ruby =
        |script: &str| json!([{"hooks": command(&format!("ruby \"$CLAUDE_PROJECT_DIR\"/scripts/hooks/{script}"))}]);
    let sane = json!({
        "UserPromptSubmit": ruby("saneprompt.rb"),
        "PreToolUse": ruby("sanetools.rb"),
        "PostToolUse": ruby("sanetrack.rb"),
        "Stop": ruby("sanestop.rb"),
    });
    let short = |script: &str| json!([format!(".claude/hooks/{script}")]);
    let claude_os = json!({
        "SessionStart": short("session_lifecycle.py"),
        "UserPromptSubmit": short("session_lifecycle.py"),
        "Stop": short("session_lifecycle.py"),
        "SessionEnd": short("session_lifecycle.py"),
        "PreToolUse": short("tool_tracking.py"),
        "PostToolUse": short("tool_tracking.py"),
    });
    vec![
        ("S0", "spf", 15, spf),
        ("S1", "guardrails", 6, guardrails),
        ("S2", "collective", 9, collective),
        ("S3", "sane", 4, sane),
        ("S4", "claude-os", 6, claude_os),
    ]
}

fn with_hooks(hooks: &Value) -> Sandbox {
    let sandbox = Sandbox::new();
    let settings = json!({"model": "x", "hooks": hooks});
    sandbox.write(SETTINGS, &serde_json::to_string_pretty(&settings).unwrap());
    sandbox
}

#[test]
fn each_documents_layout_is_recognised_and_looking_changes_nothing() {
    for (document, profile, entries, hooks) in layouts() {
        let sandbox = with_hooks(&hooks);
        let before = sandbox.read(SETTINGS);
        let ran = sandbox.cli(&["migrate", "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let found = ran.json();
        let systems = found["recognised"].as_array().unwrap();
        assert_eq!(systems.len(), 1, "{document}: {found}");
        assert_eq!((&systems[0]["document"], &systems[0]["profile"]), (&json!(document), &json!(profile)));
        assert_eq!(systems[0]["entries"].as_array().unwrap().len(), entries, "{document}: {found}");
        assert_eq!(sandbox.read(SETTINGS), before);
        assert!(!sandbox.path(".claude/hookbin").exists());
        let plain = sandbox.cli(&["migrate"]).stdout;
        let same = format!("the profile `{profile}` does the same");
        assert!(plain.contains(&same), "{plain}");
    }
}

/// Every layout is taken over: no old entry is left, the foreign one is, the host reads the file,
/// and the guard fires.
#[test]
fn applying_takes_over_and_keeps_the_originals() {
    for (document, profile, _, mut hooks) in layouts() {
        let mine = json!({"hooks": [{"type": "command", "command": "./mine.sh"}]});
        if let Some(list) = hooks.get_mut("Stop").and_then(Value::as_array_mut) {
            list.push(mine.clone());
        }
        let sandbox = with_hooks(&hooks);
        sandbox.write("hooks/pre-bash.sh", "exit 1\n");
        let before = sandbox.read(SETTINGS);
        let preview = sandbox.cli(&["migrate", "--json"]).json();
        let ran = sandbox.cli(&["migrate", "--apply", "--json"]);
        assert_eq!(ran.code, Some(0), "{document}: {ran:?}");
        assert!(preview["steps"][0]["diff"].as_str().unwrap().contains("\n-"), "{document}: {preview}");
        let after = sandbox.json(SETTINGS);
        let stop = &after["hooks"]["Stop"];
        assert!(hooks["Stop"].is_null() || stop.as_array().unwrap().contains(&mine), "{document}: {after}");
        let text = after.to_string();
        assert!(!text.contains(".sh\"") || text.matches(".sh").count() == 1, "{document}: {text}");
        assert_eq!(sandbox.read(".claude/hookbin.toml"), format!("profile = [\"{profile}\"]\n"));
        let doctor = sandbox.cli(&["doctor", "--json"]);
        assert_eq!((doctor.code, &doctor.json()["registered"][0]["on"]), (Some(0), &json!(true)), "{doctor:?}");
        let backup = ran.json()["steps"][0]["backup"].as_str().unwrap().to_owned();
        assert_eq!(std::fs::read_to_string(backup).unwrap(), before);
        assert_eq!(sandbox.read("hooks/pre-bash.sh"), "exit 1\n");
        // Once more there is nothing to do.
        assert!(sandbox.cli(&["migrate"]).stdout.contains("no hooks of a known layout"));
    }
}

#[test]
fn names_that_anybody_might_choose_prove_nothing() {
    let hook = |script: &str| json!([{"hooks": [{"type": "command", "command": format!("./{script}")}]}]);
    let sandbox = with_hooks(&json!({"PostToolUse": hook("lint.sh"), "Stop": hook("my-sanestop.rb.bak")}));
    let ran = sandbox.cli(&["migrate"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("no hooks of a known layout"), "{ran:?}");
}

#[test]
fn entries_in_the_local_file_give_way_too() {
    let (_, _, _, hooks) = layouts().swap_remove(0);
    let sandbox = Sandbox::new();
    sandbox.write(".claude/settings.local.json", &json!({"hooks": hooks, "env": {}}).to_string());
    let mut command = sandbox.command(&["migrate", "--apply"]);
    command.env("HOOKBIN_NOW", "2026-03-01T10:00:00Z");
    let ran = run(command, b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let local = sandbox.read(".claude/settings.local.json");
    assert!(!local.contains("pre-bash.sh") && local.contains("\"env\""), "{local}");
    assert!(sandbox.read(SETTINGS).contains("${HOME:--}/.local/share/hookbin"));
    let copy = sandbox.read(".claude/hookbin/backup/settings.local.json-20260301-100000.000");
    assert!(copy.contains("pre-bash.sh"));
}

/// A command of an entry that starts the script, and whether it starts something else besides.
const LINES: [(&str, bool); 19] = [
    ("/usr/bin/env bash hooks/SCRIPT", false),
    ("bash -e hooks/SCRIPT", false),
    ("bash -euo pipefail hooks/SCRIPT --now", false),
    ("cd hooks && ./SCRIPT", false),
    ("cd \"$CLAUDE_PROJECT_DIR\" && hooks/SCRIPT", false),
    ("cd \"$(git rev-parse --show-toplevel)\" && bash hooks/SCRIPT", false),
    ("FOO=1 hooks/SCRIPT", false),
    ("timeout 5 hooks/SCRIPT", false),
    ("timeout 5 bash hooks/SCRIPT", false),
    ("test -x hooks/SCRIPT && hooks/SCRIPT", false),
    ("[ -x hooks/SCRIPT ] && hooks/SCRIPT || true", false),
    ("if [ -f hooks/SCRIPT ]; then hooks/SCRIPT; fi", false),
    ("bash -c 'hooks/SCRIPT'", false),
    ("nice -n 5 env A=b sh \"hooks/SCRIPT\"", false),
    ("exec hooks/SCRIPT", false),
    ("source hooks/SCRIPT", false),
    ("cat | hooks/SCRIPT 2>/dev/null", false),
    ("hooks/SCRIPT && ./mine.sh", true),
    ("hooks/SCRIPT; curl -s localhost:9", true),
];

#[test]
fn a_script_is_recognised_through_whatever_stands_around_it() {
    for (line, also) in LINES {
        let hook = |script: &str| json!([{"hooks": [{"type": "command", "command": line.replace("SCRIPT", script)}]}]);
        let sandbox = with_hooks(&json!({"PreToolUse": hook("pre-bash.sh"), "Stop": hook("stop-check.sh")}));
        let before = sandbox.read(SETTINGS);
        let plain = sandbox.cli(&["migrate"]);
        assert!(plain.stdout.contains("S0: 2 entries"), "{line}: {plain:?}");
        assert_eq!(plain.stdout.contains("so it stays"), also, "{line}: {plain:?}");
        assert_eq!(sandbox.cli(&["migrate", "--apply"]).code, Some(0), "{line}");
        let after = sandbox.read(SETTINGS);
        assert_eq!(after.contains("pre-bash.sh"), also, "{line}: {after}");
        assert_eq!(sandbox.cli(&["uninstall"]).code, Some(0));
        if also {
            assert_eq!(sandbox.read(SETTINGS), before, "a foreign entry lost a byte");
        }
    }
    // In exec form the words are as they stand.
    let exec = json!([{"hooks": [{"type": "command", "command": "bash", "args": ["-e", "hooks/pre-bash.sh"]}]}]);
    let env =
        json!([{"hooks": [{"type": "command", "command": "/usr/bin/env", "args": ["sh", "hooks/stop-check.sh"]}]}]);
    let sandbox = with_hooks(&json!({"PreToolUse": exec, "Stop": env}));
    assert!(sandbox.cli(&["migrate"]).stdout.contains("S0: 2 entries"));
}

#[test]
fn a_script_that_is_only_named_is_not_started() {
    for line in ["cat hooks/SCRIPT", "rm -f hooks/SCRIPT", "echo hooks/SCRIPT", "grep -q x hooks/SCRIPT && make lint"] {
        let hook = |script: &str| json!([{"hooks": [{"type": "command", "command": line.replace("SCRIPT", script)}]}]);
        let sandbox = with_hooks(&json!({"PreToolUse": hook("pre-bash.sh"), "Stop": hook("stop-check.sh")}));
        assert!(sandbox.cli(&["migrate"]).stdout.contains("no hooks of a known layout"), "{line}");
    }
}

/// Either both settings files change or neither.
#[test]
fn a_file_that_cannot_be_edited_stops_the_other_as_well() {
    let (_, _, _, hooks) = layouts().swap_remove(0);
    let good = json!({"hooks": hooks}).to_string();
    for broken in ["{", "[]", "{\"hooks\": []}", "{} // mine"] {
        let sandbox = Sandbox::new();
        sandbox.write(SETTINGS, broken);
        sandbox.write(".claude/settings.local.json", &good);
        let ran = sandbox.cli(&["migrate", "--apply"]);
        assert_eq!(ran.code, Some(70), "{broken}: {ran:?}");
        assert_eq!(sandbox.read(".claude/settings.local.json"), good, "{broken}");
        assert_eq!(sandbox.read(SETTINGS), broken);
        assert!(!sandbox.path(".claude/hookbin").exists(), "{broken}: something was left behind");
    }
    // The disk is full once the first is written: both are as before. The executable is larger than the limit.
    let sandbox = Sandbox::new();
    sandbox.write(SETTINGS, "{}");
    sandbox.write(".claude/settings.local.json", &good);
    let ran = run(crate::sandbox::limited(&sandbox.command(&["migrate", "--apply"]), 64), b"");
    assert_eq!(ran.code, Some(70), "{ran:?}");
    assert_eq!(sandbox.read(".claude/settings.local.json"), good);
    assert!(!sandbox.path(".claude/hookbin").exists(), "something was left behind");
}
