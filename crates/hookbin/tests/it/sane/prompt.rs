//! Commands of the user, classes of prompts, loops.

use serde_json::json;

use super::{NOW, Story};

#[test]
fn s3_02_a_prompt_is_answered_with_exit_0_whatever_it_is() {
    let story = Story::new();
    for prompt in ["s+", "s-", "fix everything", "why?", "", "\n\n\n", "rb-", "/help", "安装依赖", "🙂"] {
        assert_eq!(story.say(prompt).code, Some(0));
    }
    assert_eq!(story.event("UserPromptSubmit", json!({})).code, Some(0));
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
    let ran = story.event("UserPromptSubmit", json!({"prompt": "s-", "agent_id": "a1", "agent_type": "Explore"}));
    assert!(ran.stdout.is_empty(), "{ran:?}");
    assert!(story.command("s?").contains("is on"));
}

#[test]
fn s3_24_what_a_session_types_into_a_terminal_is_no_command() {
    let story = Story::new();
    story.command("s+");
    for command in ["tmux send-keys -t 0 s- Enter", "screen -X stuff 'reset breaker\\n'", "xdotool type s-"] {
        let said = story.refused("Bash", json!({"command": command}));
        assert!(said.contains("the user's word"), "{command}: {said}");
    }
    story.refused("CronCreate", json!({"cron": "* * * * *", "prompt": "rb-"}));
    // Nobody can read what this types, so a command that comes after it is not believed.
    story.passes("Bash", json!({"command": "tmux send-keys -t 0 \"$WORD\" Enter"}));
    assert!(story.command("s-").contains("does not take this prompt for your word"));
    assert!(story.command("s?").contains("is on"));
}

/// Whoever holds the lock of the state keeps nothing from being remembered: what has to be, and cannot be written down, does not happen.
#[test]
fn what_a_call_types_is_remembered_or_refused() {
    let story = Story::new();
    story.command("s+");
    let types = json!({"command": "tmux send-keys -t 0 \"$WORD\" Enter"});
    let lock = std::fs::File::open(story.sandbox.state("lock")).unwrap();
    lock.lock().unwrap();
    let said = story.refused("Bash", types.clone());
    assert!(said.contains("could not be written down") && said.contains("lock"), "{said}");
    let ran = story.event("PreSkillShellCommand", json!({"tool_name": "Bash", "tool_input": types}));
    assert_eq!(ran.decision().as_deref(), Some("deny"), "{ran:?}");
    // Nothing follows from these, so they need no lock.
    story.passes("Bash", json!({"command": "ls"}));
    story.passes("Read", json!({"file_path": story.sandbox.path("src/main.rs")}));
    drop(lock);
    assert!(story.command("s?").contains("is on"));
    story.passes("Bash", types);
    assert!(story.command("s-").contains("does not take this prompt for your word"));
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
