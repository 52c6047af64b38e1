//! What is shown to people and to the model holds nothing that steers a terminal or hides text, whoever wrote it; and what later
//! commands get in their environment is a name and a quoted value.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

/// Whether a character has no business in what is shown.
fn steers(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Every text in a document, decoded.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(members) => members.iter().for_each(|(key, item)| {
            // What the call becomes is for the shell, and stays as it was.
            if key != "updatedInput" {
                texts(item, found);
            }
        }),
        _ => {}
    }
}

fn all_shown(ran: &Ran) -> Vec<String> {
    let mut found = vec![ran.stderr.clone()];
    match serde_json::from_str::<Value>(&ran.stdout) {
        Ok(json) => texts(&json, &mut found),
        Err(_) => found.push(ran.stdout.clone()),
    }
    found
}

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "\u{1b}[2J", "\u{7}", "\u{9b}31m", "\u{202e}", "\u{2066}", "\u{2069}", "\r", "\n", "\u{8}", "\u{7f}",
            "\u{0}", "\u{1b}]0;x\u{7}",
        ])
        .prop_map(str::to_owned),
        "[a-z /.]{1,6}",
    ];
    prop::collection::vec(piece, 1..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_is_shown_steers_a_terminal(text in hostile()) {
        let sandbox = Sandbox::with_profile("guardrails");
        for event in [
            json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": format!("rm -rf ~/{text}; rm -rf ~")}}),
            json!({"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": format!("/etc/{text}"), "content": text}}),
            json!({"hook_event_name": "PreToolUse", "tool_name": text, "tool_input": {"command": "rm -rf /", "path": text}}),
            json!({"hook_event_name": "UserPromptSubmit", "prompt": format!("fix issue #12 {text}")}),
            json!({"hook_event_name": "SessionStart", "source": text}),
            json!({"hook_event_name": "SubagentStart", "agent_type": text}),
            json!({"hook_event_name": "Stop", "last_assistant_message": text}),
        ] {
            let ran = sandbox.hook(&[], event.to_string().as_bytes());
            for shown in all_shown(&ran) {
                prop_assert!(!shown.contains(steers), "{event}: {shown:?}");
            }
        }
    }
}

#[test]
fn the_notice_of_a_faulty_configuration_steers_no_terminal() {
    let sandbox = Sandbox::with_profile("standard");
    sandbox.write(".claude/hookbin.toml", "profile = [\"standard\"]\n\"a\\u001b]0;owned\\u0007\\u202e\" = 1\n");
    let ran = sandbox.hook(&[], json!({"hook_event_name": "SessionStart", "source": "startup"}).to_string().as_bytes());
    let shown = all_shown(&ran);
    assert!(shown.iter().any(|text| text.contains("owned")), "{ran:?}");
    assert!(!shown.iter().any(|text| text.contains(steers)), "{shown:?}");
}

/// A name is not quoted, so that one with more in it would run; and some names alone make later commands run something else.
#[test]
fn nothing_but_plain_names_is_exported() {
    for name in [
        "A=1;touch x;B", "BASH_ENV", "PATH", "LD_PRELOAD", "GIT_SSH_COMMAND", "1A", "A B", "a-b", "PROMPT_COMMAND",
        "NODE_OPTIONS",
    ] {
        let sandbox = Sandbox::with_profile("standard");
        let text = format!(
            "profile = [\"standard\"]\n[[handler]]\nname = \"e\"\non = [\"SessionStart\"]\nsteps = [\"env\"]\n[handler.env.export]\n{} = \"x\"\n",
            json!(name)
        );
        sandbox.write(".claude/hookbin.toml", &text);
        let file = sandbox.path("env-file");
        let mut command = sandbox.command(&["hook"]);
        command.env("CLAUDE_ENV_FILE", &file);
        let event =
            json!({"hook_event_name": "SessionStart", "source": "startup", "cwd": sandbox.project()}).to_string();
        crate::sandbox::run(command, event.as_bytes());
        let written = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(written, "", "{name}");
        let checked = sandbox.cli(&["config", "check"]);
        assert!(checked.stdout.contains("export") || checked.stderr.contains("export"), "{name}: {checked:?}");
    }
}

/// What the commands for people print is as harmless: directories, settings and what agents ran come from anybody.
#[cfg(unix)]
#[test]
fn no_command_prints_what_steers() {
    const EVIL: &str = "a\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\u{200f}b";
    let steers = |c: char| steers(c) || matches!(c, '\u{200b}'..='\u{200f}');
    let outside = Sandbox::new();
    let project = outside.home().join(EVIL);
    std::fs::create_dir_all(project.join(".claude")).unwrap();
    let settings = json!({"env": {"X": "KEY"}}).to_string().replace("KEY", EVIL.trim_start_matches("a\u{1b}]0;x\u{7}"));
    std::fs::write(project.join(".claude/settings.local.json"), settings).unwrap();
    let run = |args: &[&str], stdin: &str| {
        let mut command = outside.command(args);
        command.current_dir(&project).env("CLAUDE_PROJECT_DIR", &project);
        crate::sandbox::run(command, stdin.as_bytes())
    };
    let call = |name: &str| {
        json!({"session_id": "s1", "cwd": project, "hook_event_name": name, "tool_name": EVIL, "tool_use_id": "t1",
            "tool_input": {"command": EVIL, "file_path": EVIL}, "tool_response": {}})
        .to_string()
    };
    let installed = run(&["install"], "");
    assert!(!installed.stdout.contains(steers), "{installed:?}");
    for name in ["SessionStart", "PreToolUse", "PostToolUse"] {
        run(&["hook", name, "--local"], &call(name));
    }
    let all: [&[&str]; 25] = [
        &["install", "--dry-run"],
        &["install"],
        &["uninstall", "--dry-run"],
        &["status"],
        &["status", "--json"],
        &["status", "--line"],
        &["doctor"],
        &["doctor", "--json"],
        &["report"],
        &["report", "-o", "-"],
        &["config", "init"],
        &["config", "check"],
        &["trust", "--show"],
        &["vault", "summary"],
        &["vault", "verify"],
        &["state", "show"],
        &["state", "verify"],
        &["settings"],
        &["log", "tail"],
        &["log", "tail", "--json"],
        &["log", "verify"],
        &["log", "export", "--format", "csv"],
        &["log", "export", "--format", "jsonl"],
        &["log", "export", "--format", "otlp-json"],
        &["proof", "show"],
    ];
    for args in all {
        let ran = run(args, "");
        assert_ne!(ran.code, Some(70), "{args:?}: {ran:?}");
        let printed = format!("{}{}", ran.stdout, ran.stderr);
        let found = printed.replace("\r\n", "\n").chars().find(|c| steers(*c));
        assert_eq!(found, None, "{args:?}: {ran:?}");
    }
    // It says the same as before.
    let text = run(&["log", "tail", "--json"], "").stdout;
    let tools: Vec<Value> =
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["tool"].clone()).collect();
    assert!(tools.contains(&json!(EVIL)), "{text}");
}
