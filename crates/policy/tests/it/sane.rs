//! Checks of document S3 as a profile orders them, and how prompts are classified.

use std::borrow::Cow;

use hook_policy::check::KINDS;
use hook_policy::effect::Effect;
use hook_policy::sane::{Breaker, Change, Class, Prompt, State};
use hook_policy::{Facts, Moment, Verdict, decide};
use hook_protocol::event::{Event, EventName};
use proptest::prelude::*;

use crate::support::{Known, resolved};

/// A state that a test sets.
#[derive(Default)]
struct Remembered(State);

impl Facts for Remembered {
    fn now(&self) -> Moment {
        Known::default().now()
    }

    fn state_dir(&self) -> Cow<'_, str> {
        Cow::Borrowed("/p/state")
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed("/p"))
    }

    fn sane(&self) -> State {
        self.0.clone()
    }
}

const PROFILE: &str = "name = \"x\"\n[[handler]]\nname = \"p\"\non = [\"UserPromptSubmit\"]\nsteps = [\"saneprompt\"]\n\
                       [[handler]]\nname = \"t\"\non = [\"PreToolUse\"]\nsteps = [\"sanetools\"]\n";

fn prompt(text: &str) -> Prompt {
    let profile = resolved(&[("x", PROFILE)], &[]).unwrap();
    let json = serde_json::json!({"hook_event_name": "UserPromptSubmit", "prompt": text}).to_string();
    let event = Event::parse(&json).unwrap();
    let plan = profile.plan(&EventName::UserPromptSubmit);
    let outcome = decide(&event, &plan, &Remembered::default());
    assert_eq!(outcome.verdict, None, "{text:?} is no command");
    let mut found = outcome.effects.into_iter().filter_map(|effect| match effect {
        Effect::Sane(Change::Prompt(prompt)) => Some(prompt),
        _ => None,
    });
    found.next().unwrap()
}

#[test]
fn s3_15_checks_are_registered_by_name_and_run_by_the_one_that_runs_all() {
    for name in ["saneprompt", "sanetools", "sanetrack", "sanestop", "saneloop", "sanestart", "anchor"] {
        assert!(KINDS.iter().any(|kind| kind.name == name && !kind.about.is_empty()), "{name}");
    }
    let unknown = PROFILE.replace("sanetools", "sanetool");
    let error = resolved(&[("x", &unknown)], &[]).unwrap_err().to_string();
    assert!(error.contains("sanetools"), "{error}");

    let profile = resolved(&[("x", PROFILE)], &[]).unwrap();
    let json = r#"{"hook_event_name":"PreToolUse","cwd":"/p","tool_name":"Write","tool_input":{"file_path":"/p/a","content":""}}"#;
    let event = Event::parse(json).unwrap();
    let plan = profile.plan(&EventName::PreToolUse);
    let outcome = decide(&event, &plan, &Remembered::default());
    assert_eq!((outcome.verdict, outcome.decided_by), (Some(Verdict::Deny), Some("t")));
    assert_eq!(outcome.trace[0].check, "sanetools");
}

/// The verdict and all words of an answer to the user or the model.
fn answer(profile: &str, event: &serde_json::Value, state: State) -> (Option<Verdict>, String) {
    let json = event.to_string();
    let event = Event::parse(&json).unwrap();
    let plan = resolved(&[("x", profile)], &[]).unwrap().plan(&event.name());
    let outcome = decide(&event, &plan, &Remembered(state));
    (outcome.verdict, outcome.reason.iter().chain(&outcome.notices).cloned().collect())
}

#[test]
fn what_the_person_is_told_follows_the_settings_of_the_gates() {
    let profile = format!(
        "{PROFILE}[handler.sanetools]\ncategories = [\"web\", \"local\"]\n\
         [[handler]]\nname = \"k\"\non = [\"PostToolUse\"]\nsteps = [\"sanetrack\"]\n[handler.sanetrack]\ncircuit_breaker_threshold = 7\n"
    );
    let say = |text: &str| {
        let failed = Breaker { failures: 4, ..Breaker::default() };
        let prompt = serde_json::json!({"hook_event_name": "UserPromptSubmit", "prompt": text});
        answer(&profile, &prompt, State { breaker: failed, ..State::default() }).1
    };
    assert_eq!(say("research"), "Research: 0/2\n- web: pending\n- local: pending");
    assert!(say("rb?").contains("4 of 7"), "{}", say("rb?"));
    assert!(say("fix the parser").contains("trips at 7"), "{}", say("fix the parser"));
}

#[test]
fn what_counts_as_built_is_said_once_for_gates_and_edits() {
    let profile = format!(
        "{PROFILE}[handler.sanetools]\nbuilt = [\"gen\"]\n\
         [[handler]]\nname = \"k\"\non = [\"PostToolUse\"]\nsteps = [\"sanetrack\"]\n"
    );
    let plan = resolved(&[("x", &profile)], &[]).unwrap().plan(&EventName::PostToolUse);
    let edited = |command: &str| {
        let call = serde_json::json!({"hook_event_name": "PostToolUse", "cwd": "/p", "tool_name": "Bash", "tool_input": {"command": command}});
        let json = call.to_string();
        let outcome = decide(&Event::parse(&json).unwrap(), &plan, &Remembered::default());
        let mut acted = outcome.effects.into_iter().filter_map(|effect| match effect {
            Effect::Sane(Change::Acted(acted)) => Some(acted.edited),
            _ => None,
        });
        acted.next().unwrap()
    };
    assert_eq!(edited("touch gen/a"), Vec::<String>::new());
    assert_eq!(edited("touch dist/a"), ["/p/dist/a"]);
}

#[test]
fn s3_36_a_blocked_path_is_found_wherever_the_input_of_a_tool_names_it() {
    let verdict = |tool: &str, input: serde_json::Value| {
        let call =
            serde_json::json!({"hook_event_name": "PreToolUse", "cwd": "/p", "tool_name": tool, "tool_input": input});
        answer(PROFILE, &call, State::default()).0
    };
    for (tool, input) in [
        ("mcp__fs__read_multiple_files", serde_json::json!({"paths": ["/p/a", "/home/x/.ssh/id_rsa"]})),
        ("mcp__fs__edit", serde_json::json!({"edits": [{"file_path": "/p/a"}, {"file_path": "/p/.env"}]})),
        ("mcp__fs__any", serde_json::json!({"a": [[{"targetFile": "/etc/passwd"}]]})),
        ("mcp__shell__run", serde_json::json!({"command": "cat /home/x/.aws/credentials"})),
        ("Glob", serde_json::json!({"pattern": "/etc/*"})),
        ("Grep", serde_json::json!({"pattern": "x", "path": "/home/x/.ssh"})),
        ("Grep", serde_json::json!({"pattern": "x", "glob": ".env"})),
    ] {
        assert_eq!(verdict(tool, input.clone()), Some(Verdict::Deny), "{tool} {input}");
    }
    for (tool, input) in [
        ("mcp__fs__read_multiple_files", serde_json::json!({"paths": ["/p/a", "/p/etc/b"]})),
        ("mcp__notes__add", serde_json::json!({"text": "see /etc/passwd and .env"})),
        ("mcp__shell__run", serde_json::json!({"command": "ls src"})),
        ("Grep", serde_json::json!({"pattern": "/etc/passwd", "path": "/p"})),
    ] {
        assert_eq!(verdict(tool, input.clone()), None, "{tool} {input}");
    }
}

#[test]
fn s3_25_prompts_are_classified_by_what_they_ask_for() {
    use Class::{BigTask, Passthrough, Question, Task};
    for (text, class) in [
        ("y", Passthrough),
        ("Thanks!", Passthrough),
        ("go on", Passthrough),
        ("/review the change", Passthrough),
        ("12 + 13", Passthrough),
        ("\n\n", Passthrough),
        ("hm, well", Passthrough),
        ("ok, go on with the second part", Passthrough),
        ("now what is the second part?", Question),
        ("What does this function do?", Question),
        ("tell me about the parser", Question),
        ("can you explain how to fix a lock?", Question),
        ("should the cache be shared", Question),
        ("The parser works as it should", Question),
        ("This function creates files when it is asked to", Question),
        ("what did you change?", Question),
        ("y fix it", Task),
        ("fix it", Task),
        ("sure, implement the feature", Task),
        ("skip the docs, just fix it", Task),
        ("could you maybe update the code?", Task),
        ("would you please add a test", Task),
        ("how about adding a cache?", Task),
        ("why don't you remove the lock", Task),
        ("What is this? Remove it.", Task),
        ("The build is broken", Task),
        ("/src/main.rs panics, fix it", Task),
        ("set up the database", Task),
        ("Corrige l'erreur dans le formulaire", Task),
        ("Исправь вход", Task),
        ("修正登录页面", Task),
        ("ログイン画面を修正して", Task),
        ("fix everything in the module", BigTask),
        ("Rewrite the parser", BigTask),
        ("update multiple files at once", BigTask),
    ] {
        assert_eq!(prompt(text).class, class, "{text:?}");
    }
}

#[test]
fn a_prompt_in_any_script_is_no_passthrough_because_of_its_script() {
    for text in
        ["どうしてこのテストは遅いのですか", "这个函数是做什么的呢请告诉我吧", "Почему этот тест такой медленный"]
    {
        assert_eq!(prompt(text).class, Class::Question, "{text}");
    }
}

#[test]
fn words_of_frustration_and_haste_are_whole_words() {
    assert_eq!(prompt("no, I said fix the login").learned[0].0, "correction");
    assert_eq!(prompt("fix it again").learned, [("repetition", "again".to_owned())]);
    assert!(prompt("no problem, fix the form against the rules").learned.is_empty());
    assert_eq!(prompt("just a quick fix").triggers, ["quick", "just"]);
    assert!(prompt("adjust the fastener of the breakfast table, fix it").triggers.is_empty());
}

#[test]
fn what_is_asked_for_by_name_is_a_requirement_unless_it_is_forbidden() {
    assert_eq!(prompt("investigate, make a plan, fix it and commit").requested, ["commit", "plan", "research"]);
    assert!(prompt("fix it but do not commit").requested.is_empty());
    assert!(prompt("fix it without saneloop").requested.is_empty());
}

proptest! {
    /// Any text is classified, and only what stands alone is a command.
    #[test]
    fn any_prompt_is_classified(text in "[a-z ]{2,12}|\\PC{0,60}|(fix|s\\+|rb-|\\n|/| ){0,20}", more in "[a-z]{3,8}") {
        prompt(&format!("{text} {more} zz"));
    }
}
