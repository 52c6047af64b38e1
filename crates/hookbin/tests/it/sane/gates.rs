//! What a call has to pass.

use serde_json::json;

use super::{NOW, Story, TOOLS};

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
        // The guard, which every profile has, is asked first and may say it in its own words.
        let said = story.refused(tool, input);
        assert!(said.contains("protected path") || said.contains("(rule "), "{said}");
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
    let said = story.refused("Read", json!({"file_path": key}));
    assert!(said.contains("protected path") || said.contains("(rule "), "{said}");
    story.refused("Bash", json!({"command": format!("xxd {}", key.display())}));
    story.refused("Bash", json!({"command": "chmod 644 ~/.local/state/hookbin/keys/*.key"}));
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
fn s3_21_where_it_is_set_five_equal_refusals_become_a_warning_and_hard_gates_never_do() {
    let story = Story::configured("[change.sanetools.sanetools]\nhalt_after = 5\n");
    for _ in 0..5 {
        story.refused("Edit", story.edit());
    }
    story.passes_with_a_warning();
    assert_eq!(story.state()["enforcement"]["halted"], true);
    story.command("s+");
    for _ in 0..7 {
        assert!(story.refused("Edit", story.edit()).contains("safemode"));
    }
    story.command("s-");
    assert!(story.command("reset blocks").contains("refuse again"));
    story.refused("Edit", story.edit());
}

/// A gate that opens by knocking is none.
#[test]
fn s3_21_no_gate_opens_by_knocking() {
    let story = Story::new();
    story.sandbox.declare(&[]);
    story.say("Fix the crash in src/login.rs");
    for time in 0..12 {
        let reason = story.refused("Edit", story.edit());
        // What to do is said once; the record has all of it each time.
        assert_eq!(
            reason.contains("optional_when_unavailable = [\"memory\", \"docs\", \"github\"]"),
            time == 0,
            "{reason}"
        );
        assert_eq!(reason.contains("Refused as before"), time > 0, "{reason}");
    }
    let log = story.sandbox.read(".claude/hookbin/log/audit.jsonl");
    assert_eq!(log.matches("- memory: ask the memory server").count(), 12);
    // What a compaction may have dropped is said again.
    story.event("SessionStart", json!({"source": "compact"}));
    assert!(story.refused("Edit", story.edit()).contains("- memory:"));
}

/// What no declared server can do is not demanded, so that work goes on in any project.
#[test]
fn what_no_server_offers_is_not_demanded() {
    let story = Story::adapting();
    story.sandbox.declare(&[]);
    story.say("Fix the crash in src/login.rs");
    let reason = story.refused("Edit", story.edit());
    assert!(reason.contains("0 of 2 categories are done") && !reason.contains("memory"), "{reason}");
    assert!(reason.contains("- web:") && reason.contains("- local:"), "{reason}");
    story.did("WebSearch", json!({"query": "x"}), "toolu_w");
    story.did("Read", json!({"file_path": "/x"}), "toolu_l");
    story.passes("Edit", story.edit());
}

#[test]
fn a_loop_of_refusals_is_told_to_the_person_and_ends_with_its_task() {
    let story = Story::configured("[change.sanetools.sanetools]\nhalt_after = 5\n");
    story.say("Fix the crash in src/login.rs");
    for _ in 0..5 {
        story.refused("Edit", story.edit());
    }
    story.passes_with_a_warning();
    let ran = story.event("Stop", json!({}));
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("Type reset blocks"), "{ran:?}");
    story.say("and the second crash in src/login.rs as well");
    story.passes_with_a_warning();
    story.say("Write a parser for tables");
    story.refused("Edit", story.edit());
}

/// Its two meanings are never in force together, wherever the other one is set.
#[test]
fn x8_the_other_meaning_of_safemode_is_set_once() {
    for handler in ["saneprompt", "sanetools"] {
        let story = Story::configured(&format!("[change.{handler}.{handler}]\nsafemode_semantics = \"bypass\"\n"));
        story.refused("Edit", story.edit());
        assert!(story.command("s-").contains("nothing is refused"), "{handler}");
        story.passes("Edit", story.edit());
        assert!(story.command("s+").contains("enforced"), "{handler}");
        story.refused("Edit", story.edit());
    }
}

#[test]
fn s3_48_the_agent_cannot_have_another_client_type_the_reset() {
    let story = Story::new();
    story.trip();
    for command in
        ["claude -p 'reset breaker'", "echo rb- | claude -p", "bash -c \"claude --print rb+\"", "claude -p <<< s-"]
    {
        assert!(story.refused("Bash", json!({"command": command})).contains("the user's word"), "{command}");
    }
    story.passes("Bash", json!({"command": "claude -p 'what does the breaker do?'"}));
    story.refused(
        "Bash",
        json!({"command": "echo '{\"prompt\":\"rb-\"}' | .claude/hookbin/hookbin hook UserPromptSubmit"}),
    );
    let event = r#"{"hook_event_name":"UserPromptSubmit","prompt":"rb-"}"#;
    story.refused("Bash", json!({"command": format!("echo '{event}' | .claude/hookbin/hookbin")}));
}

/// Ways to change a file through the shell, and their neighbours that change none.
#[test]
fn s3_34_a_change_is_a_change_whatever_program_makes_it() {
    let story = Story::new();
    story.command("s+");
    for command in [
        "echo x > a",
        "ls | tee -a a",
        "sed -i s/a/b/ a",
        "perl -pi -e s/a/b/ a",
        "python3 -c \"open('a','w').write('x')\"",
        "node -e \"require('fs').writeFileSync('a','b')\"",
        "awk '{ print > \"a\" }' b",
        "sudo env X=1 bash -c 'cat b >> a'",
        "cp a b && true",
        "mv a b",
        "rm a",
        "ln -sf a b",
        "dd if=b of=a",
        "truncate -s 0 a",
        "curl -sSo a https://example.com/a",
        "git apply fix.patch",
        "patch -p1 < fix.patch",
        "git mv a b",
        "touch a",
        "printf 'w\\n' | ed a",
        "vim -es -c wq a",
        "find . -name '*.o' -delete",
        "ls | xargs rm",
        "x=a; echo y > $x",
    ] {
        assert!(story.refused("Bash", json!({"command": command})).contains("safemode"), "{command}");
    }
    // The guard refuses it first, since it discards work.
    story.refused("Bash", json!({"command": "git checkout -- a"}));
    for command in [
        "cargo test 2>/dev/null >&2",
        "echo 'a > b' | grep -c '>'",
        "[ 3 -gt 2 ] && echo '=>'",
        "cat <<'EOF'\nrm a > b\nEOF",
        "git diff > /tmp/a.diff",
        "touch target/stamp",
        "cargo build 2>&1 | tee target/build.log",
        "git log --oneline | head",
        "git apply --check fix.patch",
        "patch --dry-run -p1 < fix.patch",
        "git commit -qm 'touch a > b'",
        "python3 -c \"print(open('a').read())\"",
        "rm -rf target/debug",
        "ssh host 'echo x > a'",
        "ssh host 'touch a'",
        "docker exec box touch a",
        "kubectl exec pod -- touch a",
    ] {
        story.passes("Bash", json!({"command": command}));
    }
}
