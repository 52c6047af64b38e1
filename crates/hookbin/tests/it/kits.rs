//! What profiles live on: `hookbin init` writes it, `doctor` and `install` name what is missing, and git takes none of what is recorded.

use std::os::unix::fs::symlink;
use std::process::Command;

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox, run, tree};

/// Profiles with a kit, and a file of each.
const KITS: [(&str, &[&str]); 3] = [
    ("guardrails", &["MASTER_PLAN.md", ".claude/rules/guardrails.md", ".gitignore"]),
    (
        "collective",
        &[
            ".claude-collective/INDEX.md", ".claude-collective/DECISION.md", ".claude/agents/implementer.md",
            ".claude/agents/tester.md", ".claude/agents/reviewer.md", ".gitignore",
        ],
    ),
    (
        "claude-os",
        &[
            "Desktop/TODAY.md", "Desktop/MEMORY.md", "Desktop/SYSTEM-INDEX.md", ".claude/roles/reviewer/role.md",
            ".claude/roles/reviewer/duty.md",
        ],
    ),
];

fn good(ran: Ran) -> Ran {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

fn init(sandbox: &Sandbox, profile: &str) -> Ran {
    sandbox.cli(&["init", "--profile", profile])
}

/// Level and message of what `doctor` says of needs.
fn needs(sandbox: &Sandbox) -> Vec<(String, String)> {
    let report = sandbox.cli(&["doctor", "--json"]).json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let all = report["findings"].as_array().unwrap().iter().filter(|finding| finding["id"] == "needs");
    all.map(|finding| {
        assert!(!text(&finding["fix"]).is_empty(), "{finding}");
        (text(&finding["level"]), text(&finding["message"]))
    })
    .collect()
}

fn git(sandbox: &Sandbox, args: &[&str]) -> String {
    let mut git = Command::new("git");
    git.args(args).current_dir(sandbox.project()).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", sandbox.home());
    let ran = run(git, b"");
    assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
    ran.stdout
}

#[test]
fn a_kit_is_shown_then_written_and_a_second_time_nothing_changes() {
    for (profile, files) in KITS {
        let sandbox = Sandbox::new();
        let shown = good(sandbox.cli(&["init", "--profile", profile, "--dry-run"])).stdout;
        assert_eq!(tree(&sandbox.project()), Vec::<std::path::PathBuf>::new(), "{profile}: a dry run wrote");
        let ran = good(init(&sandbox, profile)).stdout;
        for file in files {
            assert!(sandbox.path(file).is_file(), "{profile}: {file}");
            assert!(shown.contains(&format!("would write {}", sandbox.path(file).display())), "{file}: {shown}");
            assert!(shown.contains(&format!("+++ {}", sandbox.path(file).display())), "{file}: {shown}");
            assert!(ran.contains(&format!("wrote {}", sandbox.path(file).display())), "{file}: {ran}");
        }
        let written: Vec<(std::path::PathBuf, Vec<u8>)> =
            tree(&sandbox.home()).into_iter().map(|path| (path.clone(), std::fs::read(&path).unwrap())).collect();
        let again = good(init(&sandbox, profile)).stdout;
        assert!(!again.contains("wrote") && again.contains("kept"), "{again}");
        for (path, text) in written {
            assert!(std::fs::read(&path).unwrap() == text, "{profile}: {} changed", path.display());
        }
    }
}

#[test]
fn a_project_with_half_of_the_files_gets_the_other_half() {
    let sandbox = Sandbox::new();
    // A stranger's project, with a file of five megabytes, which nobody has to read.
    let large = "x".repeat(5 << 20);
    sandbox.write(".claude/agents/tester.md", &large);
    sandbox.write(".claude-collective/INDEX.md", "ours\n");
    sandbox.write(".gitignore", "node_modules\n.claude/handoff");
    sandbox.write(".claude/hookbin.toml", "profile = [\"collective\"]\n");
    sandbox.distrust();
    let ran = good(init(&sandbox, "collective")).stdout;
    assert_eq!(sandbox.read(".claude-collective/INDEX.md"), "ours\n");
    assert_eq!(sandbox.read(".claude/agents/tester.md").len(), large.len());
    assert!(sandbox.read(".claude-collective/DECISION.md").contains("implementer"));
    assert!(sandbox.path(".claude/agents/implementer.md").is_file());
    let ignore = sandbox.read(".gitignore");
    assert!(ignore.starts_with("node_modules\n.claude/handoff\n\n#"), "{ignore}");
    assert_eq!(ignore.matches("handoff").count(), 1, "a line that is there comes twice: {ignore}");
    assert!(ignore.ends_with("\n/.claude-collective/metrics/\n"), "{ignore}");
    assert!(ran.contains("kept") && ran.contains("added lines to"), "{ran}");
    assert!(!sandbox.record_of_trust().exists(), "writing files trusts nothing");
}

#[test]
fn nothing_is_written_through_a_link() {
    for (link, profile) in [(".claude", "collective"), (".claude/agents", "collective"), (".gitignore", "guardrails")] {
        let sandbox = Sandbox::new();
        let outside = sandbox.home().join("outside");
        std::fs::create_dir(&outside).unwrap();
        std::fs::create_dir_all(sandbox.path(link).parent().unwrap()).unwrap();
        let target = if link == ".gitignore" { outside.join("lines") } else { outside.clone() };
        symlink(&target, sandbox.path(link)).unwrap();
        let ran = init(&sandbox, profile);
        assert_ne!(ran.code, Some(0), "{link}: {ran:?}");
        assert!(ran.stderr.contains(link), "{link}: {ran:?}");
        assert_eq!(tree(&outside), Vec::<std::path::PathBuf>::new(), "{link}");
    }
}

#[test]
fn servers_are_declared_where_their_programs_are_and_a_file_of_ones_own_stays() {
    let sandbox = Sandbox::new();
    let with = |programs: &[&str], args: &[&str]| {
        let dir = sandbox.home().join("bin");
        std::fs::create_dir_all(&dir).unwrap();
        for program in programs {
            std::fs::copy("/bin/true", dir.join(program)).unwrap();
        }
        let mut command = sandbox.command(args);
        command.env("PATH", &dir);
        good(run(command, b"")).stdout
    };
    let ran = with(&[], &["init", "--profile", "sane"]);
    assert!(ran.contains("memory") && ran.contains("npx is not installed"), "{ran}");
    assert!(!sandbox.path(".mcp.json").exists(), "a server that cannot run is declared");
    sandbox.write(".mcp.json", r#"{"mcpServers":{"memory":{"command":"/bin/true"}}}"#);
    let ran = with(&["npx"], &["init", "--profile", "sane"]);
    assert!(ran.contains("stays") && ran.contains("@upstash/context7-mcp"), "{ran}");
    assert!(!ran.contains("server-memory"), "it is declared already: {ran}");
    assert_eq!(sandbox.read(".mcp.json"), r#"{"mcpServers":{"memory":{"command":"/bin/true"}}}"#);
    std::fs::remove_file(sandbox.path(".mcp.json")).unwrap();
    with(&["npx"], &["init", "--profile", "sane"]);
    assert_eq!(sandbox.json(".mcp.json")["mcpServers"]["memory"]["command"], "npx");
}

#[test]
fn what_is_missing_is_told_and_what_makes_work_impossible_is_a_fault() {
    let sandbox = Sandbox::new();
    // Not installed: that comes first.
    assert_eq!(needs(&sandbox), []);
    let ran = good(sandbox.cli(&["install", "--profile", "spf"]));
    assert!(ran.stdout.contains("no server spf-smart-gate or spf is declared"), "{ran:?}");
    assert!(matches!(&needs(&sandbox)[..], [(level, _)] if level == "note"));
    sandbox.write_own("profile = [\"spf\"]\nwithout_server = \"refuse\"\n");
    let refused = needs(&sandbox);
    assert!(
        matches!(&refused[..], [(level, message)] if level == "fault" && message.contains("every native tool")),
        "{refused:?}"
    );
    sandbox.declare(&["spf"]);
    assert_eq!(needs(&sandbox), []);
}

#[test]
fn a_server_that_is_declared_and_dead_is_a_fault() {
    for (profile, server) in [("spf", "spf"), ("sane", "memory")] {
        let sandbox = Sandbox::new();
        let dead = json!({"mcpServers": {server: {"command": "/nowhere/server"}}});
        sandbox.write(".mcp.json", &dead.to_string());
        let ran = sandbox.cli(&["install", "--profile", profile]);
        assert_eq!(ran.code, Some(4), "{ran:?}");
        assert!(ran.stdout.contains("its program /nowhere/server is not there"), "{ran:?}");
        sandbox.write(".claude/settings.json", &json!({"disabledMcpjsonServers": [server]}).to_string());
        assert!(needs(&sandbox).iter().all(|(level, _)| level == "note"), "{profile}");
    }
}

#[test]
fn research_that_is_demanded_and_impossible_is_a_fault() {
    let sandbox = Sandbox::new();
    good(sandbox.cli(&["install", "--profile", "sane"]));
    let levels = |needs: &[(String, String)]| needs.iter().map(|(level, _)| level.clone()).collect::<Vec<_>>();
    assert_eq!(levels(&needs(&sandbox)), ["note", "note", "note"]);
    let config = "profile = [\"sane\"]\n[change.sanetools.sanetools]\n";
    sandbox.write_own(&format!("{config}optional_when_unavailable = [\"docs\", \"github\"]\n"));
    assert_eq!(levels(&needs(&sandbox)), ["fault", "note", "note"]);
    // What the user does not ask for is no need.
    sandbox.write_own(&format!("{config}categories = [\"web\", \"local\"]\n"));
    assert_eq!(needs(&sandbox), []);
}

#[test]
fn what_a_kit_brings_is_missing_no_longer() {
    for profile in ["guardrails", "collective"] {
        let sandbox = Sandbox::new();
        git(&sandbox, &["init", "-q"]);
        good(sandbox.cli(&["install", "--profile", profile]));
        let before = needs(&sandbox);
        let by_kit = |(_, message): &&(String, String)| !message.contains("git");
        assert!(before.iter().any(|need| by_kit(&need)), "{before:?}");
        good(init(&sandbox, profile));
        let after = needs(&sandbox);
        assert_eq!(after.iter().find(by_kit), None);
    }
}

#[test]
fn git_takes_nothing_along_that_a_profile_records() {
    let sandbox = Sandbox::with_profile("collective");
    git(&sandbox, &["init", "-q"]);
    let event = |name: &str, more: Value| {
        let mut event = json!({"session_id": "a", "cwd": sandbox.project(), "hook_event_name": name});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        good(sandbox.hook(&[name], event.to_string().as_bytes()));
    };
    event("SessionStart", json!({"source": "startup"}));
    let call =
        json!({"tool_name": "Read", "tool_input": {"file_path": "/a"}, "tool_use_id": "toolu_1", "tool_response": {}});
    event("PostToolUse", call);
    let agent = json!({"agent_id": "g", "agent_type": "implementer",
        "last_assistant_message": "Done.\nUse the tester subagent to test it."});
    event("SubagentStop", agent);
    event("SessionEnd", json!({"reason": "other"}));
    assert!(sandbox.path(".claude-collective/metrics").is_dir());
    let status = git(&sandbox, &["status", "--porcelain", "--untracked-files=all"]);
    let names: Vec<&str> = status.lines().map(|line| line.trim_start_matches("?? ")).collect();
    assert_eq!(names, [".claude/hookbin.toml", ".mcp.json"]);
}

#[test]
fn a_worktree_that_is_made_as_suggested_is_no_part_of_the_repository() {
    let sandbox = Sandbox::with_profile("guardrails");
    git(&sandbox, &["init", "-q"]);
    let command = "git worktree add .worktrees/parser -b parser";
    let call = json!({"session_id": "a", "cwd": sandbox.project(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_use_id": "toolu_1"});
    good(sandbox.hook(&["PreToolUse"], call.to_string().as_bytes()));
    sandbox.write(".worktrees/parser/a.rs", "fn a() {}\n");
    let status = git(&sandbox, &["status", "--porcelain", "--untracked-files=all"]);
    assert!(!status.contains(".worktrees"), "{status}");
}

/// S4-41 and S4-22 with a server stand with the other requirements of the profile.
#[test]
fn nothing_is_ordered_that_no_server_can_do() {
    let sandbox = Sandbox::new();
    sandbox.write_own("profile = [\"claude-os\"]\n");
    let transcript = sandbox.path("transcript.jsonl");
    let answer = json!({"type": "assistant", "message": {"role": "assistant", "model": "m", "content": [],
        "usage": {"input_tokens": 170_000, "output_tokens": 1}}});
    std::fs::write(&transcript, format!("{answer}\n")).unwrap();
    let event = |name: &str| {
        let event = json!({"session_id": "a", "cwd": sandbox.project(), "hook_event_name": name,
            "transcript_path": transcript, "stop_hook_active": false, "prompt": "go on", "source": "startup"});
        good(sandbox.hook(&[name], event.to_string().as_bytes()))
    };
    event("SessionStart");
    let reason = event("Stop").json()["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("Desktop/TODAY.md") && reason.contains("/compact"), "{reason}");
    assert!(!reason.contains("call reset"), "{reason}");
}

#[test]
fn a_role_of_five_megabytes_holds_nothing_up() {
    let sandbox = Sandbox::new();
    sandbox.write_own("profile = [\"claude-os\"]\n");
    sandbox.write(".claude/roles/huge/role.md", &format!("---\nauto_include: [a.md]\n---\n{}", "x".repeat(5 << 20)));
    sandbox.write("a.md", &"y\n".repeat(5 << 20));
    let start =
        json!({"session_id": "a", "cwd": sandbox.project(), "hook_event_name": "SessionStart", "source": "startup"});
    let ran =
        good(sandbox.hook_with(&["SessionStart"], start.to_string().as_bytes(), &[("CLAUDE_SESSION_ROLE", "huge")]));
    let context = ran.context();
    assert!(context.contains("Role: huge") && context.chars().count() <= 10_000, "{}", context.len());
}
