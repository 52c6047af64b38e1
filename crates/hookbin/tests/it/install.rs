//! Installing and taking out again, from the outside.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::Value;

use crate::sandbox::{Sandbox, limited, run, tree};

const SETTINGS: &str = ".claude/settings.json";

fn mode(path: &std::path::Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn install(sandbox: &Sandbox, more: &[&str]) -> crate::sandbox::Ran {
    let project = sandbox.project().to_string_lossy().into_owned();
    let mut args = vec!["install", "--project", &project];
    if !more.contains(&"--local") {
        args.extend(["--scope", "project"]);
    }
    args.extend(more);
    sandbox.cli(&args)
}

/// The installed entry of an event, as the host would start it.
fn fire(sandbox: &Sandbox, event: &str, stdin: &[u8]) -> crate::sandbox::Ran {
    let settings = sandbox.json(".claude/settings.json");
    let entry =
        settings.pointer(&format!("/hooks/{event}/0/hooks/0")).unwrap_or_else(|| panic!("no {event}: {settings}"));
    let expand =
        |text: &Value| text.as_str().unwrap().replace("${CLAUDE_PROJECT_DIR}", sandbox.project().to_str().unwrap());
    // Without arguments it is a text for the shell.
    let mut command =
        Command::new(if entry.get("args").is_some() { expand(&entry["command"]) } else { "/bin/sh".to_owned() });
    match entry.get("args") {
        Some(args) => command.args(args.as_array().unwrap().iter().map(expand)),
        None => command.args(["-c", entry["command"].as_str().unwrap()]),
    };
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
    sandbox.declare(&["spf-smart-gate"]);
    let ran = install(&sandbox, &["--profile", "spf"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.stdout.contains("answers `rm -rf /` through a server's spf_bash")
            && ran.stdout.contains("(rule delete-system)"),
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
    assert_eq!(mode(&sandbox.home().join(".local/share/hookbin/hookbin")), 0o755);
    for dir in ["", "/state", "/state/sessions", "/log"] {
        assert_eq!(mode(&sandbox.path(&format!(".claude/hookbin{dir}"))), 0o700, "{dir}");
    }
    for file in ["state/session.json", "state/STATUS.txt", "state/spf.log", "state/sessions/s.json", "log/audit.jsonl"]
    {
        assert_eq!(mode(&sandbox.path(&format!(".claude/hookbin/{file}"))), 0o600, "{file}");
    }
    assert_eq!(mode(&sandbox.compiled()), 0o600);
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
    assert_eq!(sandbox.cli(&["report"]).code, Some(0));
    let ran = sandbox.cli(&["uninstall"]);
    assert!(ran.stdout.contains("kept what was recorded") && ran.stdout.contains("report.html"), "{ran:?}");
    assert!(sandbox.path(".claude/hookbin/log/audit.jsonl").exists());
    let ran = sandbox.cli(&["uninstall", "--purge", "--dry-run"]);
    assert!(ran.stdout.contains("log would be removed"), "{ran:?}");
    assert!(sandbox.path(".claude/hookbin/log/audit.jsonl").exists());
    assert!(!sandbox.home().join(".local/share/hookbin/hookbin").exists());
    // The page holds what the log held, so it goes with it.
    assert_eq!(sandbox.cli(&["uninstall", "--purge"]).code, Some(0));
    assert!(!sandbox.path(".claude/hookbin").exists());
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
    // What a killed run wrote beside the file that the link names.
    sandbox.write("dotfiles/.hookbin-a1b2c3", "{}");
    std::fs::create_dir_all(sandbox.path(".claude")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("dotfiles/settings.json"), sandbox.path(".claude/settings.json")).unwrap();
    assert_eq!(install(&sandbox, &[]).code, Some(0));
    assert!(sandbox.path(".claude/settings.json").symlink_metadata().unwrap().is_symlink());
    assert!(sandbox.read("dotfiles/settings.json").contains("PreToolUse"));
    assert!(!sandbox.path("dotfiles/.hookbin-a1b2c3").exists());
}

#[test]
fn a_refused_installation_leaves_nothing_behind_and_names_the_way_around() {
    let sandbox = Sandbox::new();
    sandbox.write(".claude/settings.json", "{\n  \"model\": \"x\", // mine\n}\n");
    let ran = install(&sandbox, &["--profile", "spf"]);
    assert_eq!(ran.code, Some(70), "{ran:?}");
    for words in ["settings.json", "line 2", "nothing was changed", "`--force`"] {
        assert!(ran.stderr.contains(words), "{words}: {ran:?}");
    }
    assert_eq!(tree(&sandbox.project()), [sandbox.path(".claude/settings.json")]);
    // Forced, the comment and the trailing comma stay, and doctor's part says that the host drops such a file.
    let ran = install(&sandbox, &["--profile", "spf", "--force"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(ran.stdout.contains("the guard is NOT on") && ran.stdout.contains("drops the whole file"), "{ran:?}");
    assert!(
        sandbox.read(".claude/settings.json").ends_with(", // mine\n}\n"),
        "{}",
        sandbox.read(".claude/settings.json")
    );
    assert_eq!(sandbox.cli(&["uninstall", "--force"]).code, Some(0));
    assert_eq!(tree(&sandbox.project()), [sandbox.path(".claude/settings.json")]);
    assert_eq!(sandbox.read(".claude/settings.json"), "{\n  \"model\": \"x\", // mine\n}\n");
}

/// Whatever stands in the place of the settings file, nothing is written and the reason names it.
#[test]
fn odd_things_in_the_place_of_the_settings_are_refused() {
    type Plant = fn(&Sandbox);
    let plant: [(&str, Plant); 5] = [
        ("not UTF-8", |sandbox| std::fs::write(sandbox.path(".claude/settings.json"), b"{\"a\": \"\xff\"}").unwrap()),
        ("not a plain file", |sandbox| std::fs::create_dir(sandbox.path(".claude/settings.json")).unwrap()),
        ("a link to nothing", |sandbox| {
            std::os::unix::fs::symlink("/nowhere/at/all", sandbox.path(".claude/settings.json")).unwrap();
        }),
        ("not a plain file", |sandbox| {
            let path = sandbox.path(".claude/settings.json");
            rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        }),
        ("the file is empty", |sandbox| sandbox.write(".claude/settings.json", "")),
    ];
    for (words, plant) in plant {
        let sandbox = Sandbox::new();
        std::fs::create_dir(sandbox.path(".claude")).unwrap();
        plant(&sandbox);
        for args in [
            ["install", "--scope", "project", "--profile", "spf"].as_slice(),
            &["install", "--scope", "project", "--dry-run"],
        ] {
            let ran = sandbox.cli(args);
            assert_eq!(ran.code, Some(70), "{words}: {ran:?}");
            assert!(ran.stderr.contains(words), "{words}: {ran:?}");
        }
        let names = std::fs::read_dir(sandbox.path(".claude")).unwrap().count();
        assert_eq!(names, 1, "{words}: something was left behind");
    }
}

#[test]
fn a_large_settings_file_is_edited_like_any_other() {
    let sandbox = Sandbox::new();
    let rules: Vec<String> = (0..250_000).map(|n| format!("      \"Bash(tool-{n} *)\"")).collect();
    let before = format!("{{\n  \"permissions\": {{\n    \"allow\": [\n{}\n    ]\n  }}\n}}\n", rules.join(",\n"));
    assert!(before.len() > 5_000_000);
    sandbox.write(".claude/settings.json", &before);
    assert_eq!(install(&sandbox, &[]).code, Some(0));
    assert_eq!(sandbox.cli(&["uninstall"]).code, Some(0));
    assert!(sandbox.read(".claude/settings.json") == before, "the bytes differ");
}

#[test]
fn entries_of_older_forms_are_brought_up_to_date_and_duplicates_collapse() {
    let sandbox = Sandbox::new();
    let foreign = r#"{"hooks": [{"type": "command", "command": "./mine.sh"}]}"#;
    sandbox.write(
        ".claude/settings.json",
        &format!(
            r#"{{"hooks": {{"PreToolUse": [{foreign}, {{"matcher": "*", "hooks": [{{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hookbin/hookbin hook PreToolUse", "timeout": 99}}]}}, {{"hooks": [{{"type": "command", "command": "hookbin", "args": ["hook"]}}]}}]}}}}"#
        ),
    );
    let ran = install(&sandbox, &["--profile", "spf", "--json"]);
    let json = ran.json();
    assert_eq!((&json["updated"], &json["removed"]), (&Value::from(1), &Value::from(1)), "{ran:?}");
    let entries = sandbox.json(".claude/settings.json")["hooks"]["PreToolUse"].clone();
    assert_eq!(entries.as_array().unwrap().len(), 2, "{entries}");
    assert_eq!(entries[0], serde_json::from_str::<Value>(foreign).unwrap());
    assert!(entries[1]["hooks"][0]["command"].as_str().unwrap().contains("hook PreToolUse;;"), "{entries}");
    assert_eq!(entries[1]["hooks"][0].get("args"), None);
    let once = sandbox.read(".claude/settings.json");
    install(&sandbox, &["--profile", "spf"]);
    assert_eq!(sandbox.read(".claude/settings.json"), once);
}

#[test]
fn strict_entries_count_a_failure_as_a_refusal_and_stay_strict() {
    let sandbox = Sandbox::new();
    assert_eq!(install(&sandbox, &["--strict"]).code, Some(0));
    let strict = |sandbox: &Sandbox| {
        sandbox.json(".claude/settings.json")["hooks"]["PreToolUse"][0]["hooks"][0]["onFailure"] == "block"
    };
    assert!(strict(&sandbox));
    assert_eq!(install(&sandbox, &[]).code, Some(0));
    assert!(strict(&sandbox), "an upgrade made it laxer");
}

#[test]
fn a_dated_copy_of_the_settings_is_kept_and_there_are_at_most_five() {
    let sandbox = Sandbox::new();
    let backups = |sandbox: &Sandbox| {
        let backup = sandbox.path(".claude/hookbin/backup");
        if backup.exists() { tree(&backup) } else { Vec::new() }
    };
    for round in 0..7 {
        let before = format!("{{\"round\": {round}}}\n");
        sandbox.write(".claude/settings.json", &before);
        let mut command = sandbox.command(&["install", "--scope", "project"]);
        command.env("HOOKBIN_NOW", format!("2026-03-01T10:0{round}:00Z"));
        assert_eq!(run(command, b"").code, Some(0));
        let newest = backups(&sandbox).pop().unwrap();
        assert_eq!(newest.file_name().unwrap(), format!("settings.json-20260301-100{round}00.000").as_str());
        assert_eq!(std::fs::read_to_string(&newest).unwrap(), before);
        assert_eq!(mode(&newest), 0o600);
    }
    assert_eq!(backups(&sandbox).len(), 5);
    // What stands in the settings again needs no copy; older states stay, and the user is told.
    let ran = sandbox.cli(&["uninstall"]);
    assert_eq!(backups(&sandbox).len(), 4);
    assert!(ran.stdout.contains("kept what was recorded") && ran.stdout.contains("backup"), "{ran:?}");
    assert_eq!(sandbox.read(".claude/settings.json"), "{\"round\": 6}\n");
    sandbox.cli(&["uninstall", "--purge"]);
    assert!(!sandbox.path(".claude/hookbin").exists());
}

#[test]
fn the_dry_run_is_a_unified_diff_that_patch_understands() {
    let sandbox = Sandbox::new();
    let before = "{\n    \"zeta\": true,\n    \"alpha\": [1]\n}\n";
    sandbox.write(".claude/settings.json", before);
    let ran = install(&sandbox, &["--dry-run", "--json"]);
    let json = ran.json();
    assert_eq!(json["changed"], true);
    let diff = json["diff"].as_str().unwrap();
    let path = sandbox.path(".claude/settings.json").display().to_string();
    assert!(diff.starts_with(&format!("--- {path}\n+++ {path}\n@@ -1,4 +1,")), "{diff}");
    assert!(diff.contains("\n-    \"alpha\": [1]\n+    \"alpha\": [1],\n+    \"hooks\": {\n"), "{diff}");
    assert_eq!(tree(&sandbox.project()), [sandbox.path(".claude/settings.json")]);
    install(&sandbox, &[]);
    // What uninstall would do is the same diff the other way round.
    let back = sandbox.cli(&["uninstall", "--dry-run", "--json"]).json();
    assert!(back["diff"].as_str().unwrap().contains("\n-    \"hooks\": {\n"), "{back}");
    assert!(sandbox.read(".claude/settings.json").contains("hooks"));
    let ran = install(&sandbox, &["--dry-run"]);
    assert_eq!(ran.stdout, "no file would change\n");
}

#[test]
fn the_local_file_is_installed_into_and_cleaned_on_its_own() {
    let sandbox = Sandbox::new();
    sandbox.write(".claude/settings.json", "{\"model\": \"x\"}\n");
    assert_eq!(install(&sandbox, &["--local", "--profile", "spf"]).code, Some(0));
    assert_eq!(sandbox.read(".claude/settings.json"), "{\"model\": \"x\"}\n");
    let executable = sandbox.home().join(".local/share/hookbin/hookbin");
    assert!(sandbox.read(".claude/settings.local.json").contains(executable.to_str().unwrap()));
    install(&sandbox, &[]);
    let ran = sandbox.cli(&["uninstall", "--scope", "project"]);
    assert!(ran.stdout.contains("still uses hookbin"), "{ran:?}");
    assert!(executable.exists() && !sandbox.path(".claude/hookbin/hookbin").exists());
    assert_eq!(sandbox.read(".claude/settings.json"), "{\"model\": \"x\"}\n");
    sandbox.cli(&["uninstall", "--local"]);
    assert_eq!(tree(&sandbox.project()), [sandbox.path(".claude/settings.json")]);
    assert!(!executable.exists());
}

/// The whole home directory is as it was, and in between projects that never asked for anything are served.
#[test]
fn a_user_wide_installation_serves_projects_without_one_and_is_silent_in_those_with_one() {
    let sandbox = Sandbox::new();
    let home = sandbox.home();
    std::fs::create_dir(home.join(".claude")).unwrap();
    std::fs::write(home.join(".claude/settings.json"), "{\n  \"theme\": \"dark\"\n}\n").unwrap();
    std::fs::write(home.join(".claude.json"), r#"{"mcpServers":{"spf":{"command":"/bin/true"}}}"#).unwrap();
    let before = tree(&home);
    let ran = sandbox.cli(&["install", "--user", "--profile", "spf"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let settings: Value =
        serde_json::from_str(&std::fs::read_to_string(home.join(".claude/settings.json")).unwrap()).unwrap();
    let entry = settings["hooks"]["PreToolUse"][0]["hooks"][0].clone();
    let command = entry["command"].as_str().unwrap().to_owned();
    assert_eq!(command, home.join(".local/share/hookbin/hookbin").to_str().unwrap());
    assert_eq!(entry["args"], serde_json::json!(["hook", "PreToolUse", "--user"]));
    assert_eq!(std::fs::read_to_string(home.join(".config/hookbin/hookbin.toml")).unwrap(), "profile = [\"spf\"]\n");

    let fire = |sandbox: &Sandbox| {
        let mut client = Command::new(&command);
        client.args(["hook", "PreToolUse", "--user"]).env_clear().env("HOME", sandbox.home());
        client.env("CLAUDE_PROJECT_DIR", sandbox.project()).current_dir(sandbox.project());
        run(
            client,
            br#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}"#,
        )
    };
    let ran = fire(&sandbox);
    assert_eq!((ran.code, ran.decision().as_deref()), (Some(2), Some("deny")), "{ran:?}");
    assert_eq!(tree(&sandbox.project()), Vec::<std::path::PathBuf>::new(), "a project that never asked got files");
    let projects = tree(&home.join(".local/state/hookbin/projects"));
    assert!(projects.iter().any(|path| path.ends_with("log/audit.jsonl")), "{projects:?}");
    assert!(sandbox.cli(&["log", "tail"]).stdout.contains("verdict=deny"), "the records can be looked at");

    // A project with an entry of its own answers by itself.
    assert_eq!(install(&sandbox, &["--profile", "spf"]).code, Some(0));
    assert_eq!(fire(&sandbox).stdout, "");
    assert_eq!(self::fire(&sandbox, "PreToolUse", b"{\"tool_name\":\"Bash\"}").code, Some(2));
    // Where the host would not run that entry, the user-wide one speaks again.
    let good = sandbox.read(".claude/settings.json");
    for broken in [
        good.replace("\"hooks\": {", "\"hooks\": { // mine\n"),
        good.replace("\"PreToolUse\": [", "\"PreToolUse\": [\"./short.sh\", "),
        good.replace("$d/hookbin", "$d/gone/hookbin"),
        good.replace("$HOME/", "$OTHER/"),
        good.replace("hook PreToolUse;;", "hook Stop;;"),
        good.replace("\"type\": \"command\"", "\"type\": \"comand\""),
    ] {
        sandbox.write(".claude/settings.json", &broken);
        assert_eq!(fire(&sandbox).code, Some(2), "silent beside {broken}");
    }
    sandbox.write(".claude/settings.json", &good);
    assert_eq!(fire(&sandbox).stdout, "");
    // The entry takes no program of the project, as a clone may bring one; and what the user did not install is not given way to.
    sandbox.program(".claude/hookbin/hookbin", "exit 0");
    assert_eq!(fire(&sandbox).stdout, "");
    std::fs::remove_file(sandbox.path(".claude/hookbin/hookbin")).unwrap();
    let note = std::fs::read(sandbox.note("project")).unwrap();
    std::fs::remove_file(sandbox.note("project")).unwrap();
    assert_eq!(fire(&sandbox).code, Some(2), "silent beside entries of somebody else");
    std::fs::write(sandbox.note("project"), note).unwrap();

    sandbox.cli(&["uninstall", "--purge"]);
    sandbox.cli(&["uninstall", "--user", "--purge"]);
    assert_eq!(tree(&home), before);
    for dir in [".local", ".config"] {
        assert!(!home.join(dir).exists(), "{dir} is left");
    }
}

#[test]
fn what_a_user_wide_installation_recorded_stays_and_is_named() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.cli(&["install", "--user"]).code, Some(0));
    let mut client = Command::new(sandbox.home().join(".local/share/hookbin/hookbin"));
    client.args(["hook", "Stop", "--user"]).env_clear().env("HOME", sandbox.home());
    client.env("CLAUDE_PROJECT_DIR", sandbox.project()).current_dir(sandbox.project());
    run(client, br#"{"hook_event_name":"Stop","session_id":"s"}"#);
    let ran = sandbox.cli(&["uninstall", "--user"]);
    assert!(ran.stdout.contains("kept what was recorded in") && ran.stdout.contains(".local/state/hookbin"), "{ran:?}");
    assert!(sandbox.cli(&["log", "tail"]).stdout.contains("Stop"));
    assert!(!sandbox.home().join(".local/share").exists() && !sandbox.home().join(".claude").exists());
    assert!(sandbox.cli(&["log", "tail"]).stdout.contains("Stop"));
}

/// A write that fails anywhere leaves the old settings or the new ones, and nothing half done beside them.
#[test]
fn no_room_at_any_write_keeps_the_settings_whole() {
    let before = "{\n  \"model\": \"x\"\n}\n";
    let binary = std::fs::metadata(env!("CARGO_BIN_EXE_hookbin")).unwrap().len();
    for limit in [0, 1, 2, 8, binary / 512] {
        let sandbox = Sandbox::new();
        sandbox.write(".claude/settings.json", before);
        let ran = run(limited(&sandbox.command(&["install", "--scope", "project", "--profile", "spf"]), limit), b"");
        assert_eq!(ran.code, Some(70), "{limit}: {ran:?}");
        assert_eq!(sandbox.read(".claude/settings.json"), before, "{limit}");
        assert_eq!(tree(&sandbox.project()), [sandbox.path(".claude/settings.json")], "{limit}: {ran:?}");
        // Out again with as little room.
        install(&sandbox, &["--profile", "spf"]);
        let installed = sandbox.read(".claude/settings.json");
        let ran = run(limited(&sandbox.command(&["uninstall"]), limit), b"");
        let now = sandbox.read(".claude/settings.json");
        assert!(now == installed || now == before, "{limit}: {ran:?}: {now}");
        assert_eq!(sandbox.cli(&["uninstall", "--purge"]).code, Some(0));
        assert_eq!(tree(&sandbox.project()), [sandbox.path(".claude/settings.json")], "{limit}");
    }
}

/// Ended at any moment, an installation leaves the old settings or the new ones; the next one finishes and clears the rest.
#[test]
fn killed_at_any_moment_the_settings_are_the_old_or_the_new() {
    let before = "{\n  \"model\": \"x\"\n}\n";
    let sandbox = Sandbox::new();
    sandbox.write(".claude/settings.json", before);
    let begin = std::time::Instant::now();
    install(&sandbox, &["--profile", "spf"]);
    let whole = begin.elapsed();
    let after = sandbox.read(".claude/settings.json");
    let mut seen = std::collections::BTreeSet::new();
    for (step, verb) in (0..24).flat_map(|step| [(step, "uninstall"), (step, "install")]) {
        let args: &[&str] =
            if verb == "install" { &["install", "--scope", "project", "--profile", "spf"] } else { &["uninstall"] };
        let mut child = sandbox.command_to_kill(args).stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * step / 24);
        child.kill().unwrap();
        child.wait().unwrap();
        let now = sandbox.read(".claude/settings.json");
        assert!(now == before || now == after, "{verb} ended after {step}/24: {now}");
        seen.insert(now == after);
    }
    assert_eq!(seen.len(), 2, "only one of the two states was ever seen");
    sandbox.write(".claude/.hookbin-Ab12Cd", "half");
    assert_eq!(install(&sandbox, &["--profile", "spf"]).code, Some(0));
    sandbox.cli(&["uninstall", "--purge"]);
    assert_eq!(sandbox.read(".claude/settings.json"), before);
    assert_eq!(tree(&sandbox.project()), [sandbox.path(".claude/settings.json")]);
}

#[test]
fn two_installations_at_once_leave_one_whole_installation() {
    let sandbox = Sandbox::new();
    let before = "{\n  \"model\": \"x\"\n}\n";
    sandbox.write(".claude/settings.json", before);
    let start = || sandbox.command(&["install", "--scope", "project", "--profile", "spf"]).output();
    let outputs = std::thread::scope(|scope| {
        let running: Vec<_> = (0..4).map(|_| scope.spawn(start)).collect();
        running.into_iter().map(|it| it.join().unwrap().unwrap()).collect::<Vec<_>>()
    });
    assert!(outputs.iter().any(|output| output.status.success()));
    for output in outputs.iter().filter(|output| !output.status.success()) {
        assert!(String::from_utf8_lossy(&output.stderr).contains("another installation is at work"), "{output:?}");
    }
    let entries = sandbox.json(".claude/settings.json")["hooks"]["PreToolUse"].clone();
    assert_eq!(entries.as_array().unwrap().len(), 1, "{entries}");
    sandbox.cli(&["uninstall"]);
    assert_eq!(sandbox.read(".claude/settings.json"), before);
}

#[test]
fn odd_names_of_dirs_are_no_trouble() {
    for name in ["with space", "qu'ote \"$HOME\"", "ünïcode 設定", "-dash"] {
        let sandbox = Sandbox::new();
        let project = sandbox.path(name);
        std::fs::create_dir(&project).unwrap();
        let mut command = sandbox.command(&["install", "--scope", "project", "--profile", "spf"]);
        command.env("CLAUDE_PROJECT_DIR", &project);
        let ran = run(command, b"");
        assert_eq!(ran.code, Some(0), "{name}: {ran:?}");
        let settings = sandbox.read(&format!("{name}/.claude/settings.json"));
        assert!(settings.contains(r#"\"${HOME:--}/.local/share/hookbin\""#));
        assert!(!settings.contains(sandbox.home().to_str().unwrap()));
    }
}

/// A worktree and a submodule have a file `.git`; each is the project of what lies in it.
#[test]
fn a_worktree_is_a_project_of_its_own() {
    let sandbox = Sandbox::new();
    sandbox.write("tree/.git", "gitdir: ../.git/worktrees/tree\n");
    std::fs::create_dir_all(sandbox.path("tree/src")).unwrap();
    let mut command = sandbox.command(&["install", "--scope", "project"]);
    command.env_remove("CLAUDE_PROJECT_DIR").current_dir(sandbox.path("tree/src"));
    assert_eq!(run(command, b"").code, Some(0));
    assert!(sandbox.path("tree/.claude/settings.json").exists() && !sandbox.path(".claude").exists());
}

#[test]
fn sx_01_profiles_combine_and_foreign_hooks_stay_with_a_copy_of_the_file() {
    let sandbox = Sandbox::new();
    let mine = r#"{ "type": "command", "command": "./mine.sh" }"#;
    let before = format!("{{\n  \"hooks\": {{\n    \"Stop\": [{{ \"hooks\": [{mine}] }}]\n  }}\n}}\n");
    sandbox.write(".claude/settings.json", &before);
    assert_eq!(install(&sandbox, &["--profile", "standard,spf"]).code, Some(0));
    assert_eq!(sandbox.read(".claude/hookbin.toml"), "profile = [\"standard\", \"spf\"]\n");
    let once = sandbox.read(".claude/settings.json");
    assert!(once.contains(mine));
    assert_eq!(tree(&sandbox.path(".claude/hookbin/backup")).len(), 1);
    install(&sandbox, &["--profile", "standard,spf"]);
    assert_eq!(sandbox.read(".claude/settings.json"), once);
    sandbox.cli(&["uninstall"]);
    assert_eq!(sandbox.read(".claude/settings.json"), before);
}

/// Root may install for somebody else, who then owns everything; the owner of a file that is there stays its owner.
#[test]
fn what_root_installs_belongs_to_the_person() {
    use std::os::unix::fs::{MetadataExt, chown};
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let sandbox = Sandbox::new();
    chown(sandbox.project(), Some(1234), Some(1235)).unwrap();
    assert_eq!(install(&sandbox, &["--profile", "spf"]).code, Some(0));
    for path in [".claude", SETTINGS, ".claude/hookbin.toml", ".claude/hookbin"] {
        let metadata = std::fs::metadata(sandbox.path(path)).unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (1234, 1235), "{path}");
    }
    let sandbox = Sandbox::new();
    sandbox.write(SETTINGS, "{}\n");
    chown(sandbox.path(SETTINGS), Some(1236), Some(1237)).unwrap();
    install(&sandbox, &[]);
    let metadata = std::fs::metadata(sandbox.path(SETTINGS)).unwrap();
    assert_eq!((metadata.uid(), metadata.gid()), (1236, 1237));
}

/// What somebody else owns, or nobody may read, is refused without a trace.
#[test]
fn settings_that_the_person_may_not_touch_are_refused() {
    use std::os::unix::fs::chown;
    use std::os::unix::process::CommandExt;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    for (words, file, dir) in [("cannot read", 0o600, 0o777), ("nothing can be written in", 0o644, 0o755)] {
        let sandbox = Sandbox::new();
        sandbox.write(SETTINGS, "{}\n");
        let set =
            |path: &std::path::Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
        // The user owns the project, root the settings.
        set(sandbox.home().parent().unwrap(), 0o755);
        chown(sandbox.project(), Some(65534), Some(65534)).unwrap();
        set(&sandbox.path(".claude"), dir);
        set(&sandbox.path(SETTINGS), file);
        let mut command = sandbox.command(&["install", "--scope", "project"]);
        command.uid(65534).gid(65534);
        let ran = run(command, b"");
        assert_eq!(ran.code, Some(70), "{words}: {ran:?}");
        assert!(ran.stderr.contains(words) && ran.stderr.contains("Permission denied"), "{words}: {ran:?}");
        assert_eq!(tree(&sandbox.project()), [sandbox.path(SETTINGS)], "{words}: {ran:?}");
        assert_eq!(sandbox.read(SETTINGS), "{}\n");
    }
}
