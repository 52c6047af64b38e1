//! Profile `sane` through the executable: the story of a session, tampering, many processes, and input that nobody expects.

use std::path::PathBuf;
use std::thread;

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

/// A session in a project under the profile.
struct Story {
    sandbox: Sandbox,
    session: &'static str,
}

const NOW: &str = "2026-08-18T09:05:03Z";

impl Story {
    fn new() -> Self {
        Self { sandbox: Sandbox::with_profile("sane"), session: "one" }
    }

    fn configured(toml: &str) -> Self {
        let story = Self::new();
        story.sandbox.write(".claude/hookbin.toml", &format!("profile = [\"sane\"]\n{toml}"));
        story
    }

    fn event(&self, name: &str, members: Value) -> Ran {
        let mut event = json!({"session_id": self.session, "cwd": self.sandbox.project(), "hook_event_name": name});
        event.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        self.sandbox.hook_with(&[name], event.to_string().as_bytes(), &[("HOOKBIN_NOW", NOW)])
    }

    fn say(&self, prompt: &str) -> Ran {
        let ran = self.event("UserPromptSubmit", json!({"prompt": prompt}));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran
    }

    /// A command of the person: its answer.
    fn command(&self, prompt: &str) -> String {
        let ran = self.say(prompt);
        let json = ran.json();
        assert_eq!(json["decision"], "block", "{ran:?}");
        json["reason"].as_str().unwrap().to_owned()
    }

    fn pre(&self, tool: &str, input: Value) -> Ran {
        self.event("PreToolUse", json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_pre"}))
    }

    fn passes(&self, tool: &str, input: Value) {
        let ran = self.pre(tool, input.clone());
        assert_eq!((ran.code, ran.decision()), (Some(0), None), "{tool} {input}: {ran:?}");
    }

    fn refused(&self, tool: &str, input: Value) -> String {
        let ran = self.pre(tool, input.clone());
        assert_eq!((ran.code, ran.decision().as_deref()), (Some(2), Some("deny")), "{tool} {input}: {ran:?}");
        assert_eq!(ran.stderr.trim_end(), ran.reason());
        ran.reason()
    }

    fn did(&self, tool: &str, input: Value, call: &str) -> Ran {
        let ran = self.event(
            "PostToolUse",
            json!({"tool_name": tool, "tool_input": input, "tool_response": {"stdout": "", "stderr": ""}, "tool_use_id": call}),
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran
    }

    fn failed(&self, tool: &str, input: Value, error: &str, call: &str) -> Ran {
        let ran = self.event(
            "PostToolUseFailure",
            json!({"tool_name": tool, "tool_input": input, "error": error, "is_interrupt": false, "tool_use_id": call}),
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran
    }

    fn trip(&self) {
        for call in ["toolu_t1", "toolu_t2", "toolu_t3"] {
            self.failed("Bash", json!({"command": "x"}), "Exit code 1\nsyntax error near x", call);
        }
        assert_eq!(self.state()["circuit_breaker"]["tripped"], true);
    }

    fn research(&self) {
        for (number, (_, tool)) in TOOLS.iter().enumerate() {
            self.did(tool, json!({"query": "x"}), &format!("toolu_r{number}"));
        }
    }

    fn edit(&self) -> Value {
        json!({"file_path": self.sandbox.path("src/main.rs"), "old_string": "a", "new_string": "b"})
    }

    fn state(&self) -> Value {
        self.sandbox.json(".claude/state.json")
    }

    fn document(&self) -> PathBuf {
        self.sandbox.path(".claude/state.json")
    }

    fn key(&self) -> PathBuf {
        let keys = std::fs::read_dir(self.sandbox.home().join(".local/state/hookbin/keys")).unwrap();
        let mut keys =
            keys.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|it| it == "key"));
        keys.next().unwrap()
    }
}

/// A tool for each category, in the order of the document.
const TOOLS: [(&str, &str); 5] = [
    ("memory", "mcp__memory__search_nodes"),
    ("docs", "mcp__context7__get-library-docs"),
    ("web", "WebSearch"),
    ("github", "mcp__github__search_code"),
    ("local", "Grep"),
];

#[test]
fn s3_01_the_story_of_a_session_task_research_edit_failures_reset() {
    let story = Story::new();
    let told = story.say("Fix the crash in the login module").context();
    assert!(told.contains("task (bug_fix)") && told.contains("#8"), "{told}");
    let reason = story.refused("Edit", story.edit());
    for (category, _) in TOOLS {
        assert!(reason.contains(&format!("- {category}:")), "{reason}");
    }
    story.research();
    story.passes("Edit", story.edit());
    story.did("Edit", story.edit(), "toolu_e1");
    story.trip();
    assert!(story.refused("Edit", story.edit()).contains("reset breaker"));
    // The agent cannot type the command: neither a tool nor a sentence resets it.
    story.say("please reset breaker, thanks");
    story.did("Bash", json!({"command": "echo reset breaker"}), "toolu_b");
    assert!(story.refused("Edit", story.edit()).contains("reset breaker"));
    assert!(story.command("reset breaker").contains("is reset"));
    story.passes("Edit", story.edit());
    let ran = story.event("Stop", json!({}));
    assert_eq!(ran.code, Some(0));
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("1 edits in 1 files"), "{ran:?}");
}

#[test]
fn s3_02_a_prompt_is_answered_with_exit_0_whatever_it_is() {
    let story = Story::new();
    for prompt in ["s+", "s-", "fix everything", "why?", "", "\n\n\n", "rb-", "/help", "安装依赖", "🙂"] {
        assert_eq!(story.say(prompt).code, Some(0));
    }
    assert_eq!(story.event("UserPromptSubmit", json!({})).code, Some(0));
}

#[test]
fn s3_03_and_38_a_call_is_refused_with_exit_2_and_passed_with_exit_0() {
    let story = Story::new();
    assert_eq!(story.pre("Edit", story.edit()).code, Some(2));
    assert_eq!(story.pre("Read", json!({"file_path": story.sandbox.path("a")})).code, Some(0));
}

#[test]
fn s3_38_a_call_that_is_refused_does_not_run_and_one_that_passes_gets_no_verdict() {
    let story = Story::new();
    assert!(
        story.refused("Write", json!({"file_path": story.sandbox.path("a"), "content": "x"})).starts_with("BLOCKED")
    );
    let ran = story.pre("Bash", json!({"command": "ls"}));
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
}

#[test]
fn s3_04_tracking_and_s3_05_stop_never_hold_anything_up() {
    let story = Story::new();
    story.trip();
    let ran = story.did("Bash", json!({"command": "ls"}), "toolu_x");
    assert!(ran.stdout.is_empty(), "{ran:?}");
    let stop = story.event("Stop", json!({}));
    assert_eq!(stop.code, Some(0));
    assert_eq!(stop.json().get("decision"), None);
}

#[test]
fn s3_05_a_stop_is_never_blocked() {
    let story = Story::new();
    story.say("fix the parser and commit it, plan first");
    let stop = story.event("Stop", json!({}));
    assert_eq!((stop.code, stop.json().get("decision")), (Some(0), None));
    assert!(stop.json()["systemMessage"].as_str().unwrap().contains("Still asked for: commit, plan"));
    assert!(story.event("Stop", json!({"stop_hook_active": true})).stdout.is_empty());
}

#[test]
fn s3_06_and_55_and_58_and_61_all_files_lie_where_the_document_names_them() {
    let story = Story::new();
    story.say("fix the parser");
    story.refused("Edit", story.edit());
    story.did("Read", json!({"file_path": story.sandbox.path("a")}), "toolu_1");
    story.event("Stop", json!({}));
    story.command("s+");
    let folder = std::fs::read_dir(story.sandbox.path(".claude")).unwrap();
    let mut names: Vec<String> = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let expected = [
        "bypass_active.json",
        "hookbin",
        "hookbin.toml",
        "saneprompt.log",
        "sanestop.log",
        "sanetools.log",
        "sanetrack.log",
        "state.json",
        "state.json.lock",
    ];
    assert_eq!(names, expected);
    assert!(story.sandbox.log().join("audit.jsonl").exists());
}

#[test]
fn s3_55_each_log_holds_a_line_of_json_for_what_happened() {
    let story = Story::new();
    story.say("just fix the parser");
    story.refused("Edit", story.edit());
    story.failed("Bash", json!({"command": "x"}), "Exit code 127\nx: command not found", "toolu_1");
    story.event("Stop", json!({}));
    let line = |file: &str| -> Value {
        let text = story.sandbox.read(&format!(".claude/{file}"));
        let line: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(line["timestamp"], NOW);
        assert!(line["pid"].is_u64());
        line
    };
    let prompt = line("saneprompt.log");
    assert_eq!((&prompt["type"], &prompt["triggers"]), (&json!("task"), &json!(["just"])));
    assert_eq!(prompt["rules"], json!(["#3", "#7", "#8"]));
    let tools = line("sanetools.log");
    assert_eq!((&tools["tool"], &tools["blocked"]), (&json!("Edit"), &json!(true)));
    assert!(tools["reason"].as_str().unwrap().contains("memory, docs, web, github, local"));
    assert_eq!(line("sanetrack.log")["result"], "COMMAND_NOT_FOUND");
    let stop = line("sanestop.log");
    assert_eq!((&stop["edits"], &stop["failures"], &stop["blocks"]), (&json!(0), &json!(1), &json!(1)));
}

#[test]
fn s3_58_there_is_one_state_file_with_all_sections() {
    let story = Story::new();
    story.say("fix the parser, plan first");
    story.refused("Edit", story.edit());
    story.research();
    story.did("Edit", story.edit(), "toolu_e");
    story.trip();
    story.command("saneloop start fix it\n- tests pass");
    let state = story.state();
    for section in
        ["circuit_breaker", "requirements", "research", "edits", "saneloop", "enforcement", "action_log", "learnings"]
    {
        assert!(!state[section].is_null(), "{section} in {state}");
    }
}

#[test]
fn s3_61_paths_follow_the_project_and_not_the_working_directory() {
    let story = Story::new();
    std::fs::create_dir_all(story.sandbox.path("deep/er")).unwrap();
    let event = json!({"session_id": "one", "cwd": story.sandbox.path("deep/er"), "hook_event_name": "UserPromptSubmit", "prompt": "s+"});
    story.sandbox.hook(&["UserPromptSubmit"], event.to_string().as_bytes());
    assert!(story.sandbox.path(".claude/bypass_active.json").exists());
    assert!(!story.sandbox.path("deep/er/.claude").exists());
}

#[test]
fn s3_07_safemode_is_on_while_the_marker_is_there() {
    let story = Story::new();
    story.research();
    story.passes("Edit", story.edit());
    story.sandbox.write(".claude/bypass_active.json", "{}");
    assert!(story.refused("Edit", story.edit()).contains("safemode"));
    assert!(story.command("s?").contains("is on"));
    std::fs::remove_file(story.sandbox.path(".claude/bypass_active.json")).unwrap();
    story.passes("Edit", story.edit());
}

#[test]
fn s3_27_to_29_safemode_by_command_holds_without_its_marker() {
    let story = Story::new();
    story.research();
    assert!(story.command("s+").contains("is on"));
    std::fs::remove_file(story.sandbox.path(".claude/bypass_active.json")).unwrap();
    for (tool, input) in [
        ("Edit", story.edit()),
        ("Write", json!({"file_path": story.sandbox.path("a"), "content": "x"})),
        ("NotebookEdit", json!({"notebook_path": story.sandbox.path("a.ipynb"), "new_source": "x"})),
        ("Bash", json!({"command": "echo x > a"})),
        ("Bash", json!({"command": "python3 -c \"open('a','w').write('x')\""})),
    ] {
        assert!(story.refused(tool, input).contains("safemode is on"));
    }
    story.passes("Bash", json!({"command": "cargo test 2>&1 | tail -5"}));
}

#[test]
fn s3_28_s_minus_ends_safemode_and_s3_29_s_question_shows_it() {
    let story = Story::new();
    story.research();
    story.command("s+");
    assert!(story.command("s?").contains("is on"));
    story.command("s-");
    assert!(story.command("S?").contains("is off"));
    assert!(!story.sandbox.path(".claude/bypass_active.json").exists());
    story.passes("Edit", story.edit());
}

#[test]
fn s3_29_the_status_of_safemode_changes_nothing() {
    let story = Story::new();
    assert!(story.command("safemode status").contains("is off"));
    assert!(!story.sandbox.path(".claude/bypass_active.json").exists());
}

#[test]
fn s3_34_safemode_comes_before_breaker_and_research() {
    let story = Story::new();
    story.trip();
    story.command("s+");
    assert!(story.refused("Edit", story.edit()).contains("safemode"));
    story.command("s-");
    assert!(story.refused("Edit", story.edit()).contains("circuit breaker"));
    story.command("rb-");
    assert!(story.refused("Edit", story.edit()).contains("research"));
}

#[test]
fn s3_08_and_46_the_threshold_is_three_and_can_be_set() {
    let story = Story::new();
    story.failed("Bash", json!({"command": "a"}), "Exit code 2\nbuild failed", "toolu_1");
    story.failed("Bash", json!({"command": "b"}), "Exit code 1\nPermission denied", "toolu_2");
    assert_eq!(story.state()["circuit_breaker"]["tripped"], false);
    story.failed("Bash", json!({"command": "c"}), "Exit code 1\nNo such file or directory", "toolu_3");
    let breaker = &story.state()["circuit_breaker"];
    assert_eq!((&breaker["tripped"], &breaker["tripped_at"]), (&json!(true), &json!(NOW)));
    let four = Story::configured("[change.sanetrack.sanetrack]\ncircuit_breaker_threshold = 4\n");
    for (number, error) in ["build failed", "Permission denied", "No such file"].iter().enumerate() {
        four.failed("Bash", json!({"command": "c"}), &format!("Exit code 1\n{error}"), &format!("toolu_{number}"));
    }
    assert_eq!(four.state()["circuit_breaker"]["tripped"], false);
}

/// A file of so many lines.
fn lines(count: usize) -> String {
    "line\n".repeat(count)
}

#[test]
fn s3_09_and_10_and_37_500_lines_warn_and_800_block_for_every_way_to_write() {
    let story = Story::new();
    story.research();
    let write = |name: &str, count: usize| {
        story.pre("Write", json!({"file_path": story.sandbox.path(name), "content": lines(count)}))
    };
    assert!(write("a.rs", 500).stdout.is_empty());
    assert!(write("a.rs", 501).context().contains("501 lines"));
    assert_eq!(write("a.rs", 800).code, Some(0));
    assert!(write("a.rs", 801).reason().contains("the limit is 800"));
    assert!(write("a.md", 1_500).context().contains("1500 lines"));
    assert_eq!(write("a.md", 1_501).code, Some(2));
    assert!(write("a.csv", 5_000).stdout.is_empty());
    let document = |redirect: &str, count: usize| {
        story.pre("Bash", json!({"command": format!("cat {redirect} a.py <<'EOF'\n{}EOF", lines(count))}))
    };
    assert_eq!(document(">", 800).code, Some(0));
    assert!(document(">", 801).reason().contains("801 lines"));
    story.sandbox.write("a.py", &lines(799));
    assert_eq!(document(">>", 1).code, Some(0));
    assert!(document(">>", 2).reason().contains("801 lines"));
}

#[test]
fn s3_10_an_edit_counts_the_whole_file_after_it() {
    let story = Story::new();
    story.research();
    story.sandbox.write("a.rs", &format!("{}needle\nneedle\n", lines(797)));
    let edit = |new: &str, all: bool| {
        let input = json!({"file_path": story.sandbox.path("a.rs"), "old_string": "needle", "new_string": new, "replace_all": all});
        story.pre("Edit", input).code
    };
    assert_eq!(edit("a\nb", false), Some(0));
    assert_eq!(edit("a\nb", true), Some(2));
    assert_eq!(edit("a\nb\nc", false), Some(2));
}

#[test]
fn s3_37_a_file_that_is_too_long_may_only_shrink() {
    let story = Story::new();
    story.research();
    story.sandbox.write("long.rs", &format!("needle\n{}", lines(900)));
    let edit = |new: &str| {
        story
            .pre(
                "Edit",
                json!({"file_path": story.sandbox.path("long.rs"), "old_string": "needle\n", "new_string": new}),
            )
            .code
    };
    assert_eq!((edit(""), edit("other\n")), (Some(0), Some(2)));
}

#[test]
fn s3_11_and_36_system_paths_and_keys_are_refused_to_every_tool() {
    let story = Story::new();
    let home = story.sandbox.home();
    std::fs::create_dir_all(home.join(".ssh")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(home.join(".ssh"), story.sandbox.path("innocent")).unwrap();
    for (tool, input) in [
        ("Read", json!({"file_path": home.join(".ssh/id_rsa")})),
        ("Read", json!({"file_path": "/etc/passwd"})),
        ("Read", json!({"file_path": story.sandbox.path(".env")})),
        ("Read", json!({"file_path": story.sandbox.path("src/../../.aws/credentials")})),
        ("Read", json!({"file_path": format!("{}/%2e%2e/%2essh/x", story.sandbox.project().display())})),
        ("Grep", json!({"pattern": "x", "path": home.join(".gnupg")})),
        ("Glob", json!({"pattern": "**/*", "path": home.join(".kube")})),
        ("mcp__fs__read_file", json!({"path": home.join(".docker/config.json")})),
        ("Write", json!({"file_path": "/usr/local/bin/x", "content": "x"})),
        ("Edit", json!({"file_path": "/etc/hosts", "old_string": "a", "new_string": "b"})),
        ("Bash", json!({"command": "cat ~/.ssh/id_rsa"})),
        ("Bash", json!({"command": "sudo bash -c 'echo x >> /etc/hosts'"})),
        ("Bash", json!({"command": "cp a /usr/local/bin/"})),
        ("Bash", json!({"command": "base64 < .env"})),
        #[cfg(unix)]
        ("Read", json!({"file_path": story.sandbox.path("innocent/config")})),
    ] {
        assert!(story.refused(tool, input).contains("protected path"));
    }
}

#[test]
fn s3_36_neighbours_of_blocked_paths_pass() {
    let story = Story::new();
    for (tool, input) in [
        ("Read", json!({"file_path": story.sandbox.path("src/etc/main.rs")})),
        ("Read", json!({"file_path": story.sandbox.path(".env.example")})),
        ("Read", json!({"file_path": story.sandbox.path("docs/ssh.md")})),
        ("Grep", json!({"pattern": "/etc/passwd|.ssh/"})),
        ("Bash", json!({"command": "/usr/bin/env python3 --version"})),
        ("Bash", json!({"command": "ls /usr/lib /etc/ssl | head"})),
        ("Bash", json!({"command": "git log -p -- src/.sshrc.md"})),
        ("Bash", json!({"command": "cargo test > /var/tmp/log"})),
        ("WebFetch", json!({"url": "https://example.com/etc/passwd"})),
    ] {
        story.passes(tool, input);
    }
}

#[test]
fn s3_36_the_key_of_the_state_is_one_of_them() {
    let story = Story::new();
    story.command("rb-");
    let key = story.key();
    assert!(story.refused("Read", json!({"file_path": key})).contains("protected path"));
    story.refused("Bash", json!({"command": format!("xxd {}", key.display())}));
    story.refused("Bash", json!({"command": "chmod 644 ~/.local/state/hookbin/keys/*.key"}));
}

#[test]
fn s3_24_commands_are_only_what_stands_alone() {
    let story = Story::new();
    assert!(story.command("  s+\n").contains("is on"));
    for prompt in ["s+ please", "type s- now", "s-expressions", "rb-tree", "research the parser", "reset breaker now"] {
        let ran = story.say(prompt);
        assert!(!ran.stdout.contains("\"decision\""), "{prompt}: {ran:?}");
    }
    assert!(story.command("s?").contains("is on"));
}

#[test]
fn s3_24_what_the_client_or_a_schedule_says_is_no_command() {
    let story = Story::new();
    story.command("s+");
    for source in ["system", "loop_wakeup", "schedule_wakeup", "poll_event"] {
        let ran = story.event("UserPromptSubmit", json!({"prompt": "s-", "source": source}));
        assert!(ran.stdout.is_empty(), "{ran:?}");
    }
    assert!(story.command("s?").contains("is on"));
}

#[test]
fn s3_25_a_question_is_not_held_up_and_a_task_is() {
    let story = Story::new();
    story.say("Where is the login form defined?");
    assert_eq!(story.state()["requirements"]["is_task"], false);
    story.passes("Edit", story.edit());
    story.say("Fix the login form");
    let requirements = &story.state()["requirements"];
    assert_eq!((&requirements["is_task"], &requirements["is_big_task"]), (&json!(true), &json!(false)));
    story.refused("Edit", story.edit());
    // An approval leaves the task what it is.
    story.say("ok");
    story.refused("Edit", story.edit());
    story.say("Rewrite the whole login system");
    assert_eq!(story.state()["requirements"]["is_big_task"], true);
}

#[test]
fn s3_26_failures_are_warned_of_and_a_tripped_breaker_names_its_reset() {
    let story = Story::new();
    story.failed("Bash", json!({"command": "x"}), "Exit code 1\nsyntax error", "toolu_1");
    story.failed("Bash", json!({"command": "x"}), "Exit code 2\nbuild failed", "toolu_2");
    let ran = story.say("what now is the state of things?");
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("2 failures in a row"), "{ran:?}");
    let ran = story.failed("Bash", json!({"command": "x"}), "Exit code 1\nPermission denied", "toolu_3");
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("3 failures in a row"), "{ran:?}");
    let ran = story.say("what now is the state of things?");
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("reset breaker"), "{ran:?}");
}

#[test]
fn s3_30_each_spelling_resets_the_breaker() {
    for command in ["rb-", "rb+", "reset breaker", "reset circuit"] {
        let story = Story::new();
        story.trip();
        story.command(command);
        assert_eq!(story.state()["circuit_breaker"]["tripped"], false, "{command}");
        assert_eq!(story.state()["circuit_breaker"]["error_signatures"], json!({}), "{command}");
    }
}

#[test]
fn s3_31_each_spelling_shows_the_breaker() {
    let story = Story::new();
    story.trip();
    for command in ["rb?", "breaker status"] {
        let answer = story.command(command);
        assert!(answer.contains("tripped since") && answer.contains("SYNTAX_ERROR: 3"), "{answer}");
    }
    assert_eq!(story.state()["circuit_breaker"]["tripped"], true);
}

#[test]
fn s3_32_research_shows_each_category() {
    let story = Story::new();
    story.did("WebSearch", json!({"query": "x"}), "toolu_1");
    let answer = story.command("research");
    assert!(answer.starts_with("Research: 1/5"), "{answer}");
    assert!(
        answer.contains(&format!("- web: done (WebSearch, {NOW})")) && answer.contains("- memory: pending"),
        "{answer}"
    );
}

#[test]
fn s3_33_reading_searching_and_mcp_tools_always_pass() {
    let story = Story::new();
    story.trip();
    story.command("s+");
    story.passes("Read", json!({"file_path": story.sandbox.path("a")}));
    story.passes("Glob", json!({"pattern": "*.rs"}));
    story.passes("Grep", json!({"pattern": "x"}));
    story.passes("mcp__memory__create_entities", json!({"entities": []}));
}

#[test]
fn s3_35_and_54_edits_wait_for_all_five_categories() {
    for left_out in 0..5 {
        let story = Story::new();
        for (number, (_, tool)) in TOOLS.iter().enumerate().filter(|(number, _)| *number != left_out) {
            story.did(tool, json!({"q": "x"}), &format!("toolu_{number}"));
        }
        let reason = story.refused("Edit", story.edit());
        for (number, (category, _)) in TOOLS.iter().enumerate() {
            assert_eq!(reason.contains(&format!("- {category}:")), number == left_out, "{reason}");
        }
    }
}

#[test]
fn s3_54_when_all_are_done_edits_pass_until_another_task_comes() {
    let story = Story::new();
    story.say("Fix the login form");
    story.research();
    story.passes("Edit", story.edit());
    story.say("now add a test for the login form");
    story.passes("Edit", story.edit());
    story.say("Implement export of invoices as spreadsheets");
    assert!(story.refused("Edit", story.edit()).contains("- memory:"));
}

#[test]
fn s3_39_edits_count_by_tool_and_by_shell() {
    let story = Story::new();
    story.did("Edit", story.edit(), "toolu_1");
    story.did("Write", json!({"file_path": story.sandbox.path("b.rs"), "content": "x"}), "toolu_2");
    story.did("Bash", json!({"command": "echo x >> b.rs && cargo test > /dev/null"}), "toolu_3");
    let edits = &story.state()["edits"];
    assert_eq!(edits["count"], 3);
    assert_eq!(edits["unique_files"], json!([story.sandbox.path("src/main.rs"), story.sandbox.path("b.rs")]));
    assert_eq!(edits["last_file"], json!(story.sandbox.path("b.rs")));
}

macro_rules! categories {
    ($($name:ident $category:literal $tools:expr, $others:expr;)*) => {
        $(#[test]
        fn $name() {
            for (tools, satisfied) in [(&$tools[..], true), (&$others[..], false)] {
                for tool in tools {
                    let story = Story::new();
                    story.did(tool, json!({"q": "x"}), "toolu_1");
                    let evidence = &story.state()["research"][$category];
                    assert_eq!(evidence.is_object(), satisfied, "{tool}: {evidence}");
                    if satisfied {
                        assert_eq!(evidence, &json!({"completed_at": NOW, "tool": tool, "via_task": false}));
                    }
                }
            }
        })*
    };
}

categories! {
    s3_49_memory "memory" ["mcp__memory__read_graph", "mcp__memory__search_nodes"], ["mcp__memories__x", "Read"];
    s3_50_docs "docs" ["mcp__context7__get-library-docs", "mcp__apple-docs__search"], ["mcp__docs__x", "WebFetch"];
    s3_51_web "web" ["WebSearch", "WebFetch"], ["Grep"];
    s3_52_github "github" ["mcp__github__search_code", "mcp__github__get_file_contents", "mcp__github__list_issues"],
        ["mcp__github__create_issue", "mcp__github__merge_pull_request", "mcp__github__push_files"];
    s3_53_local "local" ["Grep", "Glob", "Read"], ["Bash", "WebSearch"];
}

#[test]
fn s3_40_a_category_is_done_by_a_call_that_succeeded_wherever_it_ran() {
    let story = Story::new();
    story.failed("WebSearch", json!({"query": "x"}), "timeout", "toolu_1");
    story.pre("Grep", json!({"pattern": "x"}));
    let ran = story.event(
        "PostToolUse",
        json!({"tool_name": "Read", "tool_input": {"file_path": "a"}, "tool_use_id": "toolu_2", "agent_id": "a1", "agent_type": "Explore"}),
    );
    assert_eq!(ran.code, Some(0));
    let research = &story.state()["research"];
    assert_eq!((&research["web"], &research["local"]["via_task"]), (&Value::Null, &json!(true)));
}

#[test]
fn s3_41_and_62_text_is_no_error() {
    let story = Story::new();
    let noise = "error: command not found; FAILED; exception; permission denied";
    for (number, response) in [
        json!({"stdout": noise, "stderr": noise}),
        json!(noise),
        json!([{"type": "text", "text": noise}]),
        json!({"exit_code": 0, "stderr": noise}),
    ]
    .into_iter()
    .enumerate()
    {
        let event = json!({"tool_name": "Bash", "tool_input": {"command": "x"}, "tool_response": response, "tool_use_id": format!("toolu_{number}")});
        story.event("PostToolUse", event);
    }
    assert_eq!(story.state()["circuit_breaker"]["failures"], 0);
    assert_eq!(story.state()["action_log"][3]["success"], true);
}

#[test]
fn s3_62_and_41_an_explicit_field_is_one() {
    let story = Story::new();
    for (number, response) in [
        json!({"error": "connection refused"}),
        json!({"exit_code": 2}),
        json!({"is_error": true, "stderr": "syntax error"}),
    ]
    .into_iter()
    .enumerate()
    {
        let event = json!({"tool_name": "Bash", "tool_input": {"command": "x"}, "tool_response": response, "tool_use_id": format!("toolu_{number}")});
        story.event("PostToolUse", event);
    }
    let signatures = &story.state()["circuit_breaker"]["error_signatures"];
    assert_eq!(signatures, &json!({"NETWORK_ERROR": 1, "COMMAND_FAILED": 1, "SYNTAX_ERROR": 1}));
}

#[test]
fn s3_41_what_failed_is_told_by_the_event_its_error_and_its_exit_code() {
    let story = Story::new();
    story.failed("Read", json!({"file_path": "a"}), "File does not exist.", "toolu_1");
    story.failed("Bash", json!({"command": "rg needle"}), "Exit code 1", "toolu_2");
    let interrupted = json!({"tool_name": "Bash", "tool_input": {"command": "x"}, "error": "Exit code 130", "is_interrupt": true, "tool_use_id": "toolu_3"});
    story.event("PostToolUseFailure", interrupted);
    assert_eq!(story.state().get("circuit_breaker"), None);
    story.failed("Bash", json!({"command": "rg needle; false"}), "Exit code 1", "toolu_4");
    assert_eq!(story.state()["circuit_breaker"]["error_signatures"], json!({"COMMAND_FAILED": 1}));
}

#[test]
fn s3_44_errors_are_normalised_to_signatures() {
    for (error, signature) in [
        ("Exit code 127\nbash: foo: command not found", "COMMAND_NOT_FOUND"),
        ("Exit code 127", "COMMAND_NOT_FOUND"),
        ("Exit code 126", "PERMISSION_DENIED"),
        ("Exit code 1\nrm: a: Permission denied", "PERMISSION_DENIED"),
        ("Exit code 1\ncat: a: No such file or directory", "FILE_NOT_FOUND"),
        ("Exit code 101\nerror: could not compile `a`", "BUILD_FAILED"),
        ("Exit code 101\ntest result: FAILED. 1 passed; 1 failed", "TEST_FAILED"),
        ("Exit code 2\nbash: syntax error near unexpected token `)'", "SYNTAX_ERROR"),
        ("Exit code 1\nTypeError: a is not a function", "TYPE_ERROR"),
        ("Exit code 7\ncurl: (7) Connection refused", "NETWORK_ERROR"),
        ("Exit code 143\nCommand timed out after 2m", "TIMED_OUT"),
        ("Exit code 137\nOut of memory", "MEMORY_ERROR"),
        ("Exit code 1\nsomething failed", "GENERIC_ERROR"),
        ("Exit code 3", "COMMAND_FAILED"),
        ("String to replace not found in file.", "GENERIC_ERROR"),
    ] {
        let story = Story::new();
        let tool = if error.starts_with("Exit") { "Bash" } else { "Edit" };
        story.failed(tool, json!({"command": "x", "file_path": "a"}), error, "toolu_1");
        let breaker = &story.state()["circuit_breaker"];
        assert_eq!(breaker["error_signatures"], json!({signature: 1}), "{error}");
        assert_eq!((&breaker["failures"], &breaker["last_error"]), (&json!(1), &json!(error)));
    }
}

#[test]
fn s3_42_and_45_and_47_rows_end_with_a_success_and_signatures_do_not() {
    let story = Story::new();
    for round in 1..=3 {
        story.failed("Bash", json!({"command": "x"}), "Exit code 1\nsyntax error", &format!("toolu_f{round}"));
        assert_eq!(story.state()["circuit_breaker"]["tripped"], round == 3);
        story.did("Bash", json!({"command": "true"}), &format!("toolu_s{round}"));
        assert_eq!(story.state()["circuit_breaker"]["failures"], 0);
    }
}

#[test]
fn s3_43_actions_are_logged_for_learning() {
    let story = Story::new();
    story.did("Read", json!({"file_path": story.sandbox.path("a")}), "toolu_1");
    story.failed(
        "Bash",
        json!({"command": "make all TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyz"}),
        "Exit code 2",
        "toolu_2",
    );
    let log = &story.state()["action_log"];
    assert_eq!(log[0]["input_summary"], json!(story.sandbox.path("a")));
    assert_eq!((&log[1]["success"], &log[1]["error_sig"]), (&json!(false), &json!("COMMAND_FAILED")));
    assert!(!log.to_string().contains("ghp_0123456789"), "{log}");
}

#[test]
fn s3_48_a_tripped_breaker_refuses_edits_and_spares_reading_and_tests() {
    let story = Story::new();
    story.research();
    story.trip();
    let reason = story.refused("Write", json!({"file_path": story.sandbox.path("a"), "content": "x"}));
    assert!(reason.contains("reset breaker") && reason.contains("syntax error near x"), "{reason}");
    story.refused("Bash", json!({"command": "sed -i s/a/b/ a"}));
    story.passes("Bash", json!({"command": "cargo test"}));
    story.passes("Read", json!({"file_path": story.sandbox.path("a")}));
    // It survives the session.
    let ran = story.event("SessionStart", json!({"source": "startup"}));
    assert!(ran.context().contains("still tripped"), "{ran:?}");
    story.refused("Edit", story.edit());
}

#[test]
fn s3_20_a_loop_runs_from_start_to_its_last_round_and_survives_compaction() {
    let story = Story::configured("[change.saneprompt.saneprompt]\nmax_iterations = 10\n");
    story.say("use saneloop to fix the parser");
    story.research();
    assert!(story.refused("Edit", story.edit()).contains("saneloop start TASK"));
    assert!(story.command("saneloop start fix the parser\n- tests pass\n- docs say so").contains("at most 10 rounds"));
    story.passes("Edit", story.edit());
    assert_eq!(story.command("saneloop check 1"), "Checked: tests pass");
    let stop = || story.event("Stop", json!({}));
    for _ in 1..7 {
        assert!(!stop().stdout.contains("saneloop"));
    }
    assert!(stop().stdout.contains("round 7 of 10. Not fulfilled: docs say so."));
    let told = story.event("SessionStart", json!({"source": "compact"})).context();
    assert!(
        told.contains("round 7 of 10") && told.contains("1. [x] tests pass") && told.contains("2. [ ] docs say so"),
        "{told}"
    );
    stop();
    assert!(stop().stdout.contains("almost over"));
    let last = stop();
    assert!(last.stdout.contains("the last one") && last.stdout.contains("docs say so"), "{last:?}");
    assert_eq!(last.code, Some(0));
    let looping = &story.state()["saneloop"];
    assert_eq!((&looping["active"], &looping["archive"][0]["why"]), (&json!(false), &json!("max")));
    assert!(story.command("saneloop status").contains("No saneloop runs"));
}

#[test]
fn s3_23_what_was_learned_is_offered_at_the_next_start() {
    let story = Story::new();
    story.say("no, I said fix the login form");
    story.trip();
    let learnings = &story.state()["learnings"];
    assert_eq!((&learnings[0]["type"], &learnings[1]["pattern"]), (&json!("correction"), &json!("SYNTAX_ERROR")));
    let told = story.event("SessionStart", json!({"source": "startup", "session_id": "two"})).context();
    assert!(told.contains("repeated_failure: SYNTAX_ERROR (1 times)") && told.contains("correction: no"), "{told}");
}

#[test]
fn s3_17_what_is_asked_for_by_name_comes_before_edits() {
    let story = Story::new();
    story.say("make a plan, then fix the parser and commit the changes");
    story.research();
    let reason = story.refused("Edit", story.edit());
    assert!(reason.contains("- plan:") && !reason.contains("- commit:"), "{reason}");
    story.did("ExitPlanMode", json!({"plan": "x"}), "toolu_1");
    story.passes("Edit", story.edit());
    story.did("Bash", json!({"command": "git add -A && git commit -qm x"}), "toolu_2");
    assert_eq!(story.state()["requirements"]["satisfied"], json!(["plan", "commit"]));
}

#[test]
fn s3_21_five_equal_refusals_become_a_warning_and_hard_gates_never_do() {
    let story = Story::new();
    for _ in 0..5 {
        story.refused("Edit", story.edit());
    }
    let ran = story.pre("Edit", story.edit());
    assert!(ran.code == Some(0) && ran.context().contains("WARNING"), "{ran:?}");
    assert_eq!(story.state()["enforcement"]["halted"], true);
    story.command("s+");
    for _ in 0..7 {
        assert!(story.refused("Edit", story.edit()).contains("safemode"));
    }
    story.command("s-");
    assert!(story.command("reset blocks").contains("refuse again"));
    story.refused("Edit", story.edit());
}

#[test]
fn s3_14_tampering_through_the_front_door_lifts_nothing_and_is_said_once() {
    type Deed = fn(&Story, &str);
    let deeds: [(&str, Deed); 5] = [
        ("was edited", |story, _| {
            let text = std::fs::read_to_string(story.document()).unwrap();
            std::fs::write(story.document(), text.replace("\"tripped\":true", "\"tripped\":false")).unwrap();
        }),
        ("was rolled back", |story, first| std::fs::write(story.document(), first).unwrap()),
        ("was deleted", |story, _| std::fs::remove_file(story.document()).unwrap()),
        ("is damaged", |story, _| std::fs::write(story.document(), "{").unwrap()),
        ("is gone", |story, _| std::fs::remove_file(story.key()).unwrap()),
    ];
    for (name, deed) in deeds {
        let story = Story::new();
        story.research();
        let first = std::fs::read_to_string(story.document()).unwrap();
        story.trip();
        deed(&story, &first);
        let verified = story.sandbox.cli(&["state", "verify", "--json"]);
        assert_eq!(verified.code, Some(4), "{name}: {verified:?}");
        assert!(verified.stdout.contains(name), "{verified:?}");
        let ran = story.pre("Edit", story.edit());
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
        assert!(ran.reason().contains("circuit breaker") && ran.reason().contains(name), "{ran:?}");
        assert!(ran.json()["systemMessage"].as_str().unwrap().contains(name), "{ran:?}");
        let log = std::fs::read_to_string(story.sandbox.log().join("audit.jsonl")).unwrap();
        assert!(log.contains(name), "{name} is not in the log");
        // What was saved last is on the disk again, and nothing more is said.
        let again = story.pre("Edit", story.edit());
        assert_eq!(again.code, Some(2));
        assert!(!again.stdout.contains("systemMessage"), "{name}: {again:?}");
        assert_eq!(story.sandbox.cli(&["state", "verify"]).code, Some(0), "{name}");
        story.command("rb-");
        if name != "is gone" {
            story.passes("Edit", story.edit());
        }
    }
}

#[cfg(unix)]
#[test]
fn s3_14_a_key_that_others_can_read_refuses_edits_and_names_the_command() {
    use std::os::unix::fs::PermissionsExt;
    let story = Story::new();
    story.research();
    story.passes("Edit", story.edit());
    let key = story.key();
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o640)).unwrap();
    let reason = story.refused("Edit", story.edit());
    let command = format!("chmod 600 '{}'", key.display());
    assert!(reason.contains(&command), "{reason}");
    assert!(story.sandbox.cli(&["state", "verify"]).stdout.contains(&command));
    story.passes("Read", json!({"file_path": story.sandbox.path("a")}));
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    story.passes("Edit", story.edit());
}

#[test]
fn s3_14_a_key_that_cannot_be_read_refuses_edits() {
    let story = Story::new();
    story.research();
    let key = story.key();
    std::fs::remove_file(&key).unwrap();
    std::fs::create_dir(&key).unwrap();
    assert!(story.refused("Edit", story.edit()).contains("cannot be read"));
    assert!(story.sandbox.cli(&["state", "verify"]).stdout.contains("cannot be read"));
}

#[test]
fn s3_12_the_person_looks_at_the_state_and_resets_a_section() {
    let story = Story::new();
    story.trip();
    let shown = story.sandbox.cli(&["state", "show", "--signed"]);
    assert_eq!(shown.json()["circuit_breaker"]["tripped"], true);
    let reset = story.sandbox.cli(&["state", "reset", "circuit_breaker"]);
    assert_eq!(reset.code, Some(0), "{reset:?}");
    assert_eq!(story.sandbox.cli(&["state", "show", "--signed"]).json().get("circuit_breaker"), None);
    assert_eq!(story.sandbox.cli(&["state", "verify"]).code, Some(0));
    story.refused("Bash", json!({"command": "hookbin state reset circuit_breaker"}));
}

#[test]
fn an_anchor_elsewhere_shows_that_document_and_key_went_back_together() {
    let story = Story::new();
    let anchors = story.sandbox.home().join("anchors");
    let toml = format!("profile = [\"sane\"]\n[change.anchor.anchor]\nappend_to = {:?}\n", anchors.to_str().unwrap());
    story.sandbox.write(".claude/hookbin.toml", &toml);
    story.research();
    let saved = [story.document(), story.key()].map(|path| (path.clone(), std::fs::read(path).unwrap()));
    story.trip();
    story.event("Stop", json!({}));
    let verify = || story.sandbox.cli(&["state", "verify", "--anchor", anchors.to_str().unwrap()]);
    assert_eq!(verify().code, Some(0), "{:?}", verify());
    for (path, bytes) in saved {
        std::fs::write(path, bytes).unwrap();
    }
    assert_eq!(story.sandbox.cli(&["state", "verify"]).code, Some(0));
    let ran = verify();
    assert!(ran.code == Some(4) && ran.stdout.contains("rolled back with its key"), "{ran:?}");
}

#[test]
fn s3_13_64_processes_on_one_session_count_exactly() {
    let story = Story::new();
    thread::scope(|scope| {
        for worker in 0..64 {
            let story = &story;
            scope.spawn(move || {
                for call in 0..3 {
                    let input = json!({"file_path": story.sandbox.path(&format!("f{worker}")), "content": "x"});
                    story.did("Write", input, &format!("toolu_{worker}_{call}"));
                }
            });
        }
    });
    let state = story.state();
    assert_eq!(state["edits"]["count"], 64 * 3);
    assert_eq!(state["edits"]["unique_files"].as_array().unwrap().len(), 64);
    assert_eq!(state["action_log"].as_array().unwrap().len(), 20);
    assert_eq!(story.sandbox.cli(&["state", "verify"]).code, Some(0));
}

#[test]
fn two_sessions_share_the_breaker_and_nothing_else() {
    let one = Story::new();
    one.research();
    let two = Story { session: "two", ..one };
    two.refused("Edit", two.edit());
    two.trip();
    let one = Story { session: "one", ..two };
    assert!(one.refused("Edit", one.edit()).contains("circuit breaker"));
    one.command("rb-");
    one.passes("Edit", one.edit());
}

#[test]
fn s3_59_what_cannot_be_read_or_kept_lets_the_call_through() {
    let story = Story::new();
    for stdin in [&b""[..], b"{", b"[]", b"\xff\xfe"] {
        let ran = story.sandbox.hook(&["PreToolUse"], stdin);
        assert_eq!((ran.code, ran.decision()), (Some(0), None), "{ran:?}");
    }
    // A lock that cannot be made, because a folder lies in its place.
    let story = Story::new();
    std::fs::create_dir_all(story.sandbox.path(".claude/state.json.lock")).unwrap();
    let ran = story.did("Read", json!({"file_path": "a"}), "toolu_1");
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("state.json.lock"), "{ran:?}");
    story.passes("Bash", json!({"command": "ls"}));
}

#[test]
fn s3_57_exit_codes_are_0_and_2_and_never_1() {
    let story = Story::new();
    let codes: Vec<Option<i32>> = [
        story.pre("Edit", story.edit()),
        story.pre("Read", json!({})),
        story.pre("Edit", json!({})),
        story.pre("", json!(null)),
        story.say("s?"),
        story.event("Stop", json!({})),
        story.did("Bash", json!({"command": 7}), "toolu_1"),
    ]
    .into_iter()
    .map(|ran| ran.code)
    .collect();
    assert_eq!(codes, [2, 0, 2, 0, 0, 0, 0].map(Some));
}

#[test]
fn a_prompt_of_a_megabyte_and_a_file_of_two_gigabytes_take_no_time() {
    let story = Story::new();
    story.research();
    let long = format!("fix the parser {}", "word ".repeat(200_000));
    let begin = std::time::Instant::now();
    story.say(&long);
    story.say(&"s+ ".repeat(300_000));
    let big = story.sandbox.path("big.rs");
    std::fs::File::create(&big).unwrap().set_len(2 << 30).unwrap();
    story.passes("Edit", json!({"file_path": big, "old_string": "a", "new_string": "b"}));
    story.passes("Write", json!({"file_path": story.sandbox.path("c.txt"), "content": "x"}));
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
}

#[test]
fn a_clock_that_goes_backwards_changes_nothing() {
    let story = Story::new();
    story.trip();
    let event = json!({"session_id": "one", "hook_event_name": "UserPromptSubmit", "prompt": "rb?"}).to_string();
    let ran =
        story.sandbox.hook_with(&["UserPromptSubmit"], event.as_bytes(), &[("HOOKBIN_NOW", "1999-01-01T00:00:00Z")]);
    assert!(ran.stdout.contains("tripped since"), "{ran:?}");
    let event = json!({"session_id": "one", "hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": {}, "tool_use_id": "toolu_z"});
    story.sandbox.hook_with(&["PostToolUse"], event.to_string().as_bytes(), &[("HOOKBIN_NOW", "1999-01-01T00:00:00Z")]);
    assert_eq!(story.sandbox.cli(&["state", "verify"]).code, Some(0));
    story.refused("Edit", story.edit());
}

#[test]
fn s3_56_and_60_every_hook_has_its_self_test_and_it_touches_nothing() {
    let story = Story::new();
    story.trip();
    let before = std::fs::read(story.document()).unwrap();
    for (name, least) in [("saneprompt", 26), ("sanetools", 11), ("sanetrack", 8), ("sanestop", 4), ("config", 5)] {
        let ran = story.sandbox.cli(&["selftest", name, "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let cases = ran.json()["cases"].as_array().unwrap().clone();
        assert!(cases.len() >= least, "{name}: {}", cases.len());
        assert!(
            cases
                .iter()
                .all(|case| case["group"] == name && case["name"].as_str().is_some_and(|name| !name.is_empty()))
        );
    }
    let all = story.sandbox.cli(&["selftest", "sane"]);
    assert_eq!(all.code, Some(0));
    assert!(all.stdout.lines().count() >= 54, "{}", all.stdout);
    assert_eq!(std::fs::read(story.document()).unwrap(), before);
}

#[test]
fn s3_60_sx_03_the_self_test_of_everything_passes() {
    let ran = Story::new().sandbox.cli(&["selftest"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for group in ["standard", "spf", "saneprompt", "sanetools", "sanetrack", "sanestop", "config"] {
        assert!(
            ran.stdout.contains(&format!("\n{group}: ")) || ran.stdout.starts_with(&format!("{group}: ")),
            "{group}"
        );
    }
}
