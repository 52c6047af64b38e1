//! What is remembered of calls.

use serde_json::{Value, json};

use super::{NOW, Story};

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
    ($(fn $name:ident $category:literal $tools:expr, $others:expr;)*) => {
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
    fn s3_49_memory_is_satisfied_by_its_tools "memory" ["mcp__memory__read_graph", "mcp__memory__search_nodes"], ["mcp__memories__x", "Read"];
    fn s3_50_docs_is_satisfied_by_its_tools "docs" ["mcp__context7__get-library-docs", "mcp__apple-docs__search"], ["mcp__docs__x", "WebFetch"];
    fn s3_51_web_is_satisfied_by_its_tools "web" ["WebSearch", "WebFetch"], ["Grep"];
    fn s3_52_github_is_satisfied_by_its_tools "github" ["mcp__github__search_code", "mcp__github__get_file_contents", "mcp__github__list_issues"],
        ["mcp__github__create_issue", "mcp__github__merge_pull_request", "mcp__github__push_files"];
    fn s3_53_local_is_satisfied_by_its_tools "local" ["Grep", "Glob", "Read"], ["Bash", "WebSearch"];
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
