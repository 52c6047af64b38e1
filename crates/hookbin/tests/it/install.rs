//! Installing and taking out again, from the outside.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::Value;

use crate::sandbox::{Sandbox, run};

fn mode(path: &std::path::Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn install(sandbox: &Sandbox, more: &[&str]) -> crate::sandbox::Ran {
    let project = sandbox.project().to_string_lossy().into_owned();
    let mut args = vec!["install", "--project", &project];
    args.extend(more);
    sandbox.cli(&args)
}

/// The installed entry of an event, as the client would start it.
fn fire(sandbox: &Sandbox, event: &str, stdin: &[u8]) -> crate::sandbox::Ran {
    let settings = sandbox.json(".claude/settings.json");
    let entry =
        settings.pointer(&format!("/hooks/{event}/0/hooks/0")).unwrap_or_else(|| panic!("no {event}: {settings}"));
    let expand =
        |text: &Value| text.as_str().unwrap().replace("${CLAUDE_PROJECT_DIR}", sandbox.project().to_str().unwrap());
    let mut command = Command::new(expand(&entry["command"]));
    command.args(entry["args"].as_array().unwrap().iter().map(expand));
    command
        .env_clear()
        .env("CLAUDE_PROJECT_DIR", sandbox.project())
        .env("HOME", sandbox.home())
        .current_dir(sandbox.project());
    run(command, stdin)
}

#[test]
fn s0_130_both_layers_are_registered_for_every_tool() {
    let sandbox = Sandbox::new();
    let ran = install(&sandbox, &["--profile", "spf"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("refused: BLOCKED: Native Read disabled. Use spf_read with approved=true"),
        "{}",
        ran.stdout
    );
    let settings = sandbox.json(".claude/settings.json");
    let entries = settings["hooks"]["PreToolUse"].as_array().unwrap();
    assert_eq!(entries.len(), 1, "one entry an event");
    assert_eq!(entries[0].get("matcher"), None, "no matcher: every tool, native or not");
    let native =
        br#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    assert_eq!(fire(&sandbox, "PreToolUse", native).code, Some(2));
    let mcp = br#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"mcp__spf__spf_bash","tool_input":{}}"#;
    let ran = fire(&sandbox, "PreToolUse", mcp);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    assert!(sandbox.read(".claude/hookbin/state/spf.log").contains("PRE-MCP-BASH: mcp__spf__spf_bash"));
    // The canary left nothing in the project's own records.
    assert!(!sandbox.read(".claude/hookbin/log/audit.jsonl").contains("canary"));
    assert!(settings["hooks"].get("WorktreeCreate").is_none());
}

#[test]
fn s0_08_one_executable_of_755_and_records_for_the_owner_alone() {
    let sandbox = Sandbox::new();
    install(&sandbox, &["--profile", "spf"]);
    let done = br#"{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"mcp__spf__spf_read","tool_input":{"path":"/a"}}"#;
    assert_eq!(fire(&sandbox, "PostToolUse", done).code, Some(0));
    assert_eq!(mode(&sandbox.path(".claude/hookbin/hookbin")), 0o755);
    for folder in ["", "/state", "/state/sessions", "/log"] {
        assert_eq!(mode(&sandbox.path(&format!(".claude/hookbin{folder}"))), 0o700, "{folder}");
    }
    for file in [
        "state/session.json",
        "state/STATUS.txt",
        "state/spf.log",
        "state/sessions/s.json",
        "log/audit.jsonl",
        "state/profile.cache",
        "install.json",
    ] {
        assert_eq!(mode(&sandbox.path(&format!(".claude/hookbin/{file}"))), 0o600, "{file}");
    }
}

#[test]
fn installing_keeps_every_foreign_byte_and_uninstalling_gives_all_back() {
    let foreign = "{\r\n\t\"permissions\": {\"allow\": [\"Bash(ls:*)\"]},\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [\r\n\t\t\t{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"./mine.sh\"}]}\r\n\t\t]\r\n\t}\r\n}";
    for before in [foreign, "{}", "{}\n", "{\n  \"model\": \"x\"\n}\n"] {
        let sandbox = Sandbox::new();
        sandbox.write(".claude/settings.json", before);
        std::fs::set_permissions(sandbox.path(".claude/settings.json"), PermissionsExt::from_mode(0o640)).unwrap();
        assert_eq!(install(&sandbox, &["--profile", "spf"]).code, Some(0));
        let once = sandbox.read(".claude/settings.json");
        let settings: Value = serde_json::from_str(&once).unwrap();
        if before == foreign {
            assert!(
                once.contains(
                    "{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"./mine.sh\"}]}"
                )
            );
            assert_eq!(settings["hooks"]["PreToolUse"].as_array().unwrap().len(), 2);
        }
        assert_eq!(install(&sandbox, &["--profile", "spf"]).code, Some(0));
        assert_eq!(sandbox.read(".claude/settings.json"), once, "a second time changes nothing");
        assert_eq!(mode(&sandbox.path(".claude/settings.json")), 0o640);
        let ran = sandbox.cli(&["uninstall", "--purge"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(sandbox.read(".claude/settings.json"), before, "{ran:?}");
        assert!(!sandbox.path(".claude/hookbin").exists(), "{ran:?}");
        assert!(!sandbox.path(".claude/hookbin.toml").exists());
    }
}

#[test]
fn a_project_without_anything_is_without_anything_again() {
    let sandbox = Sandbox::new();
    install(&sandbox, &["--profile", "spf"]);
    sandbox.cli(&["uninstall"]);
    assert!(!sandbox.path(".claude").exists());
    let ran = sandbox.cli(&["uninstall"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("no entry"), "{ran:?}");
}

#[test]
fn the_configuration_changes_by_one_line_and_comes_back() {
    let sandbox = Sandbox::new();
    let before = "# mine\nprofile = \"standard\" # why\n\n[log]\nkeep = 3\n";
    sandbox.write(".claude/hookbin.toml", before);
    install(&sandbox, &["--profile", "spf"]);
    assert_eq!(sandbox.read(".claude/hookbin.toml"), before.replace("\"standard\"", "[\"spf\"]"));
    sandbox.cli(&["uninstall"]);
    assert_eq!(sandbox.read(".claude/hookbin.toml"), before);
}

#[test]
fn recorded_state_stays_and_is_named() {
    let sandbox = Sandbox::new();
    install(&sandbox, &[]);
    fire(&sandbox, "Stop", br#"{"hook_event_name":"Stop","session_id":"s"}"#);
    let ran = sandbox.cli(&["uninstall"]);
    assert!(ran.stdout.contains("kept what was recorded"), "{ran:?}");
    assert!(sandbox.path(".claude/hookbin/log/audit.jsonl").exists());
    assert!(!sandbox.path(".claude/hookbin/hookbin").exists());
}

#[test]
fn a_settings_file_that_cannot_be_edited_is_refused_untouched() {
    for text in ["[]", "{\"a\": 1} // mine\n", "{\"hooks\": []}", "{", "{\"a\": 1,}"] {
        let sandbox = Sandbox::new();
        sandbox.write(".claude/settings.json", text);
        let ran = install(&sandbox, &["--profile", "spf"]);
        assert_eq!(ran.code, Some(70), "{text}: {ran:?}");
        assert!(ran.stderr.contains("settings.json"), "{ran:?}");
        assert_eq!(sandbox.read(".claude/settings.json"), text);
        assert!(!sandbox.path(".claude/hookbin.toml").exists(), "{text}: half an installation");
    }
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let sandbox = Sandbox::new();
    sandbox.write(".claude/settings.json", "{}\n");
    let ran = install(&sandbox, &["--profile", "spf", "--dry-run"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains('+') && ran.stdout.contains("PreToolUse") && ran.stdout.contains("profile = "),
        "{ran:?}"
    );
    assert_eq!(sandbox.read(".claude/settings.json"), "{}\n");
    assert!(!sandbox.path(".claude/hookbin.toml").exists());
}

#[test]
fn a_linked_settings_file_stays_a_link() {
    let sandbox = Sandbox::new();
    sandbox.write("dotfiles/settings.json", "{}\n");
    std::fs::create_dir_all(sandbox.path(".claude")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("dotfiles/settings.json"), sandbox.path(".claude/settings.json")).unwrap();
    assert_eq!(install(&sandbox, &[]).code, Some(0));
    assert!(sandbox.path(".claude/settings.json").symlink_metadata().unwrap().is_symlink());
    assert!(sandbox.read("dotfiles/settings.json").contains("PreToolUse"));
}
