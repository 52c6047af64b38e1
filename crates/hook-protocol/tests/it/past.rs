//! From transcript lines back to events.

use hook_protocol::event::Body;
use hook_protocol::transcript::{Fate, Past, PastEvents};

/// Lines of one session; `more` goes behind the common members.
fn line(second: u32, more: &str) -> String {
    format!(
        r#"{{"uuid":"u{second}","sessionId":"s1","timestamp":"2026-11-01T10:00:{second:02}.000Z","cwd":"/p","gitBranch":"main",{more}}}"#
    )
}

fn call(second: u32, id: &str, tool: &str) -> String {
    let block = format!(r#"{{"type":"tool_use","id":"{id}","name":"{tool}","input":{{"command":"ls"}}}}"#);
    let message = format!(
        r#""type":"assistant","message":{{"role":"assistant","model":"m","stop_reason":"tool_use","content":[{block}]}}"#
    );
    line(second, &message)
}

fn result(second: u32, id: &str, error: bool, text: &str) -> String {
    let block = format!(r#"{{"type":"tool_result","tool_use_id":"{id}","is_error":{error},"content":"{text}"}}"#);
    line(second, &format!(r#""type":"user","message":{{"role":"user","content":[{block}]}}"#))
}

fn prompt(second: u32, text: &str) -> String {
    line(second, &format!(r#""type":"user","permissionMode":"plan","message":{{"role":"user","content":"{text}"}}"#))
}

fn answer(second: u32, text: &str) -> String {
    let block = format!(r#"{{"type":"text","text":"{text}"}}"#);
    line(
        second,
        &format!(
            r#""type":"assistant","message":{{"role":"assistant","model":"m","stop_reason":"end_turn","content":[{block}]}}"#
        ),
    )
}

fn events(lines: &[String]) -> Vec<Past> {
    let mut events = PastEvents::new();
    let mut past: Vec<Past> = lines.iter().filter_map(|line| events.add(line).unwrap()).flatten().collect();
    past.extend(events.finish());
    past
}

fn names(past: &[Past]) -> Vec<String> {
    past.iter().map(|past| past.event.name().as_str().to_owned()).collect()
}

#[test]
fn a_session_becomes_the_events_of_a_hook() {
    let past = events(&[
        prompt(1, "go"),
        call(2, "a", "Bash"),
        result(3, "a", false, "ok"),
        answer(4, "done"),
        prompt(5, "more"),
    ]);
    assert_eq!(
        names(&past),
        ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "UserPromptSubmit", "SessionEnd"]
    );
    let pre = &past[2];
    assert_eq!(
        (pre.fate, pre.time.as_deref(), pre.branch.as_deref()),
        (Fate::Ran, Some("2026-11-01T10:00:02.000Z"), Some("main"))
    );
    let tool = pre.event.tool().unwrap();
    assert_eq!(
        (&*tool.name, tool.command().as_deref(), tool.id.map(ToString::to_string)),
        ("Bash", Some("ls"), Some("a".to_owned()))
    );
    assert_eq!(pre.event.common.permission_mode.as_ref().unwrap().as_str(), "plan");
    assert!(past[0].event.common.permission_mode.is_none());
    assert_eq!(past[4].event.last_assistant_message().as_deref(), Some("done"));
}

#[test]
fn results_tell_what_became_of_a_call() {
    for (error, text, fate, after) in [
        (false, "ok", Fate::Ran, Some("PostToolUse")),
        (true, "Exit code 1", Fate::Failed, Some("PostToolUseFailure")),
        (true, "PreToolUse:Bash hook error: no", Fate::RefusedByHook, None),
        (true, "The user doesn't want to proceed with this tool use.", Fate::RefusedByPerson, None),
        (true, "Permission to use Bash has been denied.", Fate::RefusedByClient, None),
        // A command may print the words of a refusal.
        (false, "PreToolUse:Bash hook error: no", Fate::Ran, Some("PostToolUse")),
    ] {
        let past = events(&[call(1, "a", "Bash"), result(2, "a", error, text)]);
        assert_eq!(past[1].fate, fate, "{text}");
        assert_eq!(
            past.get(2).map(|past| past.event.name().as_str().to_owned()).as_deref(),
            after.or(Some("SessionEnd")),
            "{text}"
        );
    }
    // No hook saw a call of a tool that does not exist; one without a result was seen.
    let past = events(&[
        call(1, "a", "Nope"),
        result(2, "a", true, "<tool_use_error>No such tool</tool_use_error>"),
        call(3, "b", "Bash"),
    ]);
    let calls: Vec<_> = past.iter().filter(|past| matches!(past.event.body, Body::PreToolUse(_))).collect();
    assert_eq!((calls.len(), calls[0].fate), (1, Fate::Unknown));
}

#[test]
fn calls_of_one_message_follow_each_other_and_an_agent_comes_before_what_it_does() {
    let past =
        events(&[call(1, "a", "Read"), call(2, "b", "Read"), result(3, "a", false, "x"), result(4, "b", false, "y")]);
    assert_eq!(names(&past)[1..5], ["PreToolUse", "PostToolUse", "PreToolUse", "PostToolUse"]);
    let inside = call(2, "b", "Bash").replace("\"sessionId\"", "\"isSidechain\":true,\"agentId\":\"w\",\"sessionId\"");
    let past = events(&[call(1, "a", "Agent"), inside, result(3, "b", false, "x"), result(4, "a", false, "y")]);
    assert_eq!(
        names(&past)[1..],
        ["PreToolUse", "SubagentStart", "PreToolUse", "PostToolUse", "PostToolUse", "SessionEnd"]
    );
    assert!(past[3].event.in_subagent() && !past[1].event.in_subagent());
}

#[test]
fn beyond_a_thousand_agents_the_one_that_is_silent_for_longest_ends() {
    let of = |agent: &str| answer(1, agent).replace("\"sessionId\"", &format!("\"agentId\":\"{agent}\",\"sessionId\""));
    let mut events = PastEvents::new();
    // Neither the first to speak nor the first by name.
    let agents: Vec<String> = (0..1_000).map(|n| format!("a{n:03}")).collect();
    for agent in &agents {
        assert_eq!(names(&events.add(&of(agent)).unwrap().unwrap()), ["SubagentStart"]);
    }
    for agent in agents.iter().filter(|agent| *agent != "a500") {
        assert!(events.add(&of(agent)).unwrap().unwrap().is_empty());
    }
    let past = events.add(&of("late")).unwrap().unwrap();
    assert_eq!(names(&past), ["SubagentStop", "SubagentStart"]);
    let who: Vec<_> = past.iter().map(|past| past.event.common.agent_id.clone().unwrap()).collect();
    assert!(who.iter().map(|who| who.as_str()).eq(["a500", "late"]), "{who:?}");
}

#[test]
fn what_is_no_message_tells_nothing() {
    let mut events = PastEvents::new();
    for text in [
        r#"{"type":"file-history-snapshot","uuid":"u"}"#,
        r#"{"type":"user","message":{"content":"no session"}}"#,
        "{}",
    ] {
        assert_eq!(events.add(text).unwrap(), None, "{text}");
    }
    for text in ["", "[]", r#"{"type":"user""#] {
        assert!(events.add(text).is_err(), "{text}");
    }
    assert!(events.finish().is_empty());
}
