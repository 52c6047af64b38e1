//! The law of shapes: an act gets the same verdict however a client calls it.

use hook_policy::profile::Plan;
use hook_policy::rule::all;
use hook_policy::{Verdict, decide};
use hook_protocol::event::{Event, EventName};
use serde_json::{Value, json};

use crate::guard::{Here, profile};

fn verdict(plan: &Plan, tool: &str, input: &Value) -> Option<Verdict> {
    let payload = json!({
        "hook_event_name": "PreToolUse", "cwd": "/home/dev/src/app", "tool_name": tool, "tool_input": input,
    });
    decide(&Event::parse(&payload.to_string()).unwrap(), plan, &Here).verdict
}

/// Every command on which a rule fires, and every neighbour that it spares.
#[test]
fn a_command_gets_the_verdict_of_bash_in_every_shape() {
    let profile = profile();
    let plan = profile.plan(&EventName::PreToolUse);
    let mut wrong = Vec::new();
    for example in all().flat_map(|rule| rule.should_match.iter().chain(rule.should_not_match)) {
        let native = verdict(&plan, "Bash", &json!({ "command": example }));
        let shapes = [
            ("Shell", json!({ "command": example })),
            ("exec_command", json!({ "cmd": example })),
            ("mcp__box__do", json!({ "commandLine": example })),
            ("run_commands", json!({ "commands": [example] })),
        ];
        for (tool, input) in shapes {
            let judged = verdict(&plan, tool, &input);
            if judged != native {
                wrong.push(format!("{tool} {input}: {judged:?} instead of {native:?}"));
            }
        }
        // A shell within a shell may be asked about where the text alone is not, never the other way round.
        let argv = json!({ "command": ["bash", "-lc", example] });
        if verdict(&plan, "local_shell", &argv) < native.filter(|_| !example.contains('\n')) {
            wrong.push(format!("local_shell {argv}: less than {native:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

#[test]
fn a_file_gets_the_verdict_of_write_in_every_shape() {
    let profile = profile();
    let plan = profile.plan(&EventName::PreToolUse);
    let files = [
        "src/a.rs", "README.md", ".env", "/etc/passwd", "/home/dev/.ssh/authorized_keys", ".claude/settings.json",
        ".claude/hookbin.toml", ".git/hooks/pre-commit", "/home/dev/.bashrc", ".env.example",
    ];
    for file in files {
        let native = verdict(&plan, "Write", &json!({ "file_path": file, "content": "x\n" }));
        let patch = format!("*** Begin Patch\n*** Add File: {file}\n+x\n*** End Patch\n");
        let shapes = [
            ("Create", json!({ "file_path": file, "content": "x\n" })),
            ("Write", json!({ "path": file, "file_text": "x\n" })),
            ("anything", json!({ "filePath": file, "contents": "x\n" })),
            ("str_replace_editor", json!({ "command": "create", "path": file, "file_text": "x\n" })),
            ("mcp__fs__write_files", json!({ "files": [{ "path": file, "content": "x\n" }] })),
            ("apply_patch", json!({ "input": patch })),
            ("Edit", json!(patch)),
            ("apply_patch", json!({ "patchText": patch.replace('\n', "\r\n") })),
            ("apply_patch", json!({ "patch": format!("--- /dev/null\n+++ b/{file}\n@@ -0,0 +1 @@\n+x\n") })),
        ];
        for (tool, input) in shapes {
            assert_eq!(verdict(&plan, tool, &input), native, "{tool} {input}");
        }
    }
}

/// A patch that is cut off anywhere is judged by what is there, and never has less to say than the whole of it.
#[test]
fn a_patch_that_is_cut_off_is_never_waved_through() {
    let profile = profile();
    let plan = profile.plan(&EventName::PreToolUse);
    let whole = "*** Begin Patch\n*** Update File: .claude/hookbin.toml\n@@\n-a\n+b\n*** End Patch\n";
    for cut in "*** Begin Patch\n".len()..whole.len() {
        let judged = verdict(&plan, "apply_patch", &json!({ "input": &whole[..cut] }));
        assert!(judged >= Some(Verdict::Ask), "{judged:?} for {:?}", &whole[..cut]);
    }
}

/// 10,000 files, and 200 KB over 50 files: each file is judged, in work that grows with the text.
#[test]
fn large_patches_are_read_to_their_end() {
    let profile = profile();
    let plan = profile.plan(&EventName::PreToolUse);
    let patch = |files: usize, lines: usize, last: &str| {
        let mut text = String::from("*** Begin Patch\n");
        for file in 0..files {
            text.push_str(&format!("*** Add File: src/{file}.rs\n"));
            text.push_str(&"+let x = 1; // a line of forty bytes ......\n".repeat(lines));
        }
        text + &format!("*** Delete File: {last}\n*** End Patch\n")
    };
    for (files, lines) in [(10_000, 1), (50, 95)] {
        let fine = patch(files, lines, "src/old.rs");
        let own = patch(files, lines, ".claude/hookbin.toml");
        assert_eq!(verdict(&plan, "apply_patch", &json!({ "input": fine })), None);
        assert_eq!(verdict(&plan, "apply_patch", &json!({ "input": own })), Some(Verdict::Deny));
    }
}
