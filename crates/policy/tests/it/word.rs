//! Whose word a prompt is: what would say the user's word is refused, and what a session has ordered confirms nothing.

use std::borrow::Cow;
use std::cell::RefCell;

use hook_policy::effect::Effect;
use hook_policy::evidence::ProofStatus;
use hook_policy::orders::Orders;
use hook_policy::profile::{Profile, RawProfile, Reach, resolve};
use hook_policy::{Facts, Moment, Verdict, decide};
use hook_protocol::event::Event;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::resolved;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    call: Vec<Both<String>>,
    tool: Vec<Both<Call>>,
    prompt: Vec<Prompts>,
    source: Vec<Prompts>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Both<T> {
    about: String,
    refuses: Vec<T>,
    passes: Vec<T>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    tool: String,
    input: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Prompts {
    about: String,
    confirms: Vec<String>,
    silent: Vec<String>,
}

/// A project that remembers what its sessions order, and has a proof that waits.
#[derive(Default)]
struct Remembering {
    orders: RefCell<Orders>,
    now: i64,
    /// The gate's question is the last one.
    asked: bool,
    /// What the model said last, if it is known.
    answer: Option<&'static str>,
}

impl Facts for Remembering {
    fn now(&self) -> Moment {
        Moment::from_epoch(self.now)
    }

    fn state_dir(&self) -> Cow<'_, str> {
        Cow::Borrowed("/p/state")
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed("/p"))
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed("/home/u"))
    }

    fn status_file(&self, path: &str) -> hook_policy::evidence::StatusFile {
        let text = path.ends_with(ProofStatus::PATH).then(|| "pending|1".to_owned());
        text.map_or(hook_policy::evidence::StatusFile::Missing, hook_policy::evidence::StatusFile::Text)
    }

    fn orders(&self) -> Orders {
        self.orders.borrow().clone()
    }

    fn asked(&self) -> bool {
        self.asked
    }

    fn last_answer(&self, _transcript: &str) -> Option<String> {
        self.answer.map(str::to_owned)
    }
}

const PROFILE: &str = "name = \"x\"\n[[handler]]\nname = \"w\"\non = [\"PreToolUse\"]\nsteps = [\"word\"]\n\
                       [[handler]]\nname = \"p\"\non = [\"UserPromptSubmit\"]\nsteps = [\"proof\", \"saneprompt\"]\n";

fn cases() -> Cases {
    toml::from_str(include_str!("../data/word.toml")).unwrap()
}

/// The verdict on an event; what it orders is remembered.
fn fire(profile: &Profile, facts: &Remembering, event: &Value) -> (Option<Verdict>, Vec<Effect>, Vec<String>) {
    let json = event.to_string();
    let event = Event::parse(&json).unwrap();
    let plan = profile.plan(&event.name());
    let outcome = decide(&event, &plan, facts);
    if outcome.verdict != Some(Verdict::Deny) {
        for effect in &outcome.effects {
            if let Effect::Order(change) = effect {
                facts.orders.borrow_mut().apply(change, facts.now);
            }
        }
    }
    (outcome.verdict, outcome.effects, outcome.notices)
}

fn bash(command: &str) -> Value {
    json!({"hook_event_name": "PreToolUse", "cwd": "/p", "tool_name": "Bash", "tool_input": {"command": command}})
}

fn proves(profile: &Profile, facts: &Remembering, prompt: &str) -> bool {
    let (_, effects, _) = fire(profile, facts, &json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt}));
    effects.iter().any(is_proof)
}

fn is_proof(effect: &Effect) -> bool {
    let text = format!("{effect:?}");
    text.contains(".proof-status") && text.contains("verified|")
}

#[test]
fn nothing_but_the_person_says_the_persons_word() {
    let profile = resolved(&[("x", PROFILE)], &[]).unwrap();
    let mut wrong = Vec::new();
    let mut expect = |about: &str, event: &Value, refused: bool| {
        let verdict = fire(&profile, &Remembering::default(), event).0;
        if (verdict == Some(Verdict::Deny)) != refused {
            wrong.push(format!("{about}: {event} {verdict:?}"));
        }
    };
    let cases = cases();
    for case in &cases.call {
        case.refuses.iter().for_each(|command| expect(&case.about, &bash(command), true));
        case.passes.iter().for_each(|command| expect(&case.about, &bash(command), false));
    }
    let call = |call: &Call| json!({"hook_event_name": "PreToolUse", "cwd": "/p", "tool_name": call.tool, "tool_input": call.input});
    for case in &cases.tool {
        case.refuses.iter().for_each(|one| expect(&case.about, &call(one), true));
        case.passes.iter().for_each(|one| expect(&case.about, &call(one), false));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_profile_without_words_of_the_person_refuses_none() {
    let profile = PROFILE.split("[[handler]]\nname = \"p\"").next().unwrap();
    let profile = resolved(&[("x", profile)], &[]).unwrap();
    for case in cases().call {
        for command in &case.refuses {
            assert_eq!(fire(&profile, &Remembering::default(), &bash(command)).0, None, "{command}");
        }
    }
}

#[test]
fn only_what_the_person_types_confirms() {
    let profile = resolved(&[("x", PROFILE)], &[]).unwrap();
    let mut wrong = Vec::new();
    let mut expect = |event: &Value, proves: bool| {
        let (_, effects, _) = fire(&profile, &Remembering::default(), event);
        if effects.iter().any(is_proof) != proves {
            wrong.push(format!("{event}"));
        }
    };
    let cases = cases();
    for case in &cases.prompt {
        let event = |prompt: &String| json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt});
        case.confirms.iter().for_each(|prompt| expect(&event(prompt), true));
        case.silent.iter().for_each(|prompt| expect(&event(prompt), false));
        assert!(!case.about.is_empty());
    }
    for case in &cases.source {
        let event = |members: &String| {
            let mut event: Value = serde_json::from_str(members).unwrap();
            event["hook_event_name"] = json!("UserPromptSubmit");
            event["prompt"] = json!("verified");
            event
        };
        case.confirms.iter().for_each(|members| expect(&event(members), true));
        case.silent.iter().for_each(|members| expect(&event(members), false));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_embeds_the_client_speaks_for_the_person_only_where_a_file_says_so() {
    let event = json!({"hook_event_name": "UserPromptSubmit", "prompt": "verified", "source": "sdk"});
    let profile = resolved(&[("x", PROFILE)], &["sdk_prompts = true\n"]).unwrap();
    assert!(fire(&profile, &Remembering::default(), &event).1.iter().any(is_proof));
    let command = json!({"hook_event_name": "UserPromptSubmit", "prompt": "s-", "source": "sdk"});
    assert_eq!(fire(&profile, &Remembering::default(), &command).0, Some(Verdict::Deny), "the command is taken");
    let profile = resolved(&[("x", PROFILE)], &[]).unwrap();
    assert_eq!(fire(&profile, &Remembering::default(), &command).0, None, "the command is not taken");
}

#[test]
fn a_project_never_says_that_programs_speak_for_the_person() {
    let file = |reach| RawProfile::parse("hookbin.toml", "sdk_prompts = true\n").within(reach);
    let builtin = |_: &str| Some(RawProfile::parse("x", PROFILE));
    let event = json!({"hook_event_name": "UserPromptSubmit", "prompt": "verified", "source": "sdk"});
    for (reach, counts) in [(Reach::Everything, true), (Reach::Project, false), (Reach::Stricter, false)] {
        let profile = resolve(&["x".to_owned()], &[file(reach)], &builtin, &["x"]);
        let proves = fire(&profile, &Remembering::default(), &event).1.iter().any(is_proof);
        assert_eq!(proves, counts, "{reach:?}");
    }
}

/// What a session orders while no check takes it for a word, it cannot have taken for one later.
#[test]
fn what_a_session_has_ordered_confirms_nothing_later() {
    let words = resolved(&[("x", PROFILE)], &[]).unwrap();
    let none = resolved(&[("x", PROFILE.split("[[handler]]\nname = \"p\"").next().unwrap())], &[]).unwrap();
    for order in [
        bash("claude -p verified"),
        bash("tmux send-keys Verified Enter"),
        bash("tmux send-keys verified"),
        bash("tmux send-keys -t 1 \"$WORD\" Enter"),
        bash("claude -p \"$(cat word.txt)\""),
        bash("tmux load-buffer word.txt"),
        bash("tmux send-keys Up Enter"),
        bash("expect word.exp"),
        json!({"hook_event_name": "PreToolUse", "tool_name": "CronCreate", "tool_input": {"prompt": "verified!"}}),
    ] {
        let facts = Remembering { now: 10_000, ..Remembering::default() };
        assert!(proves(&words, &facts, "verified"), "{order}");
        assert_eq!(fire(&none, &facts, &order).0, None, "{order}");
        assert!(!proves(&words, &facts, "verified"), "{order}");
        let (_, _, notices) =
            fire(&words, &facts, &json!({"hook_event_name": "UserPromptSubmit", "prompt": "verified"}));
        assert!(notices.iter().any(|notice| notice.contains("proof verify")), "{order}: {notices:?}");
    }
}

/// A server's tool of any name may say a text to a session later. It is no prompt as far as anybody knows, so that the call passes.
#[test]
fn what_a_server_was_told_confirms_nothing_when_it_comes_back() {
    let profile = resolved(&[("x", PROFILE)], &[]).unwrap();
    let call =
        |tool: &str, input: Value| json!({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input});
    for (tool, input) in [
        ("mcp__peers__send_message", json!({"to": "s2", "message": "Verified!"})),
        ("mcp__later__remind_me", json!({"text": "verified", "at": "10:00"})),
        ("mcp__jobs__add", json!({"job": {"instructions": ["verified"]}})),
        ("mcp__jobs__add", json!("{\"task\": \"verified\"}")),
    ] {
        let facts = Remembering::default();
        let order = call(tool, input);
        assert_eq!(fire(&profile, &facts, &order).0, None, "{order}");
        assert!(!proves(&profile, &facts, "verified"), "{order}");
        assert!(proves(&profile, &facts, "lgtm"), "{order}");
    }
    for (tool, input) in [
        ("mcp__peers__send_message", json!({"to": "s2", "message": "The login is verified by a test now."})),
        ("mcp__github__create_review", json!({"body": "verified"})),
        ("mcp__github__add_label", json!({"label": "verified"})),
    ] {
        let facts = Remembering::default();
        fire(&profile, &facts, &call(tool, input));
        assert!(proves(&profile, &facts, "verified"), "{tool}");
    }
}

#[test]
fn a_word_that_is_typed_in_parts_is_one() {
    let profile = resolved(&[("x", PROFILE)], &[]).unwrap();
    let facts = Remembering::default();
    assert_eq!(fire(&profile, &facts, &bash("tmux send-keys -t 0 ver")).0, None);
    assert_eq!(fire(&profile, &facts, &bash("tmux send-keys -t 0 ified Enter")).0, Some(Verdict::Deny));
    // Over two names of one place nobody can tell, and then no prompt is believed for an hour.
    let facts = Remembering { now: 10_000, ..Remembering::default() };
    assert_eq!(fire(&profile, &facts, &bash("tmux send-keys -t 0 ver")).0, None);
    assert_eq!(fire(&profile, &facts, &bash("tmux send-keys -t %0 ified Enter")).0, None);
    assert!(!proves(&profile, &facts, "verified"));
    let later = Remembering { now: 13_600, orders: facts.orders, ..Remembering::default() };
    assert!(proves(&profile, &later, "verified"));
}

#[test]
fn typing_of_other_things_takes_nothing_from_the_person() {
    let profile = resolved(&[("x", PROFILE)], &[]).unwrap();
    let facts = Remembering::default();
    for command in [
        "tmux send-keys -t dev 'npm run dev' Enter",
        "tmux send-keys -t dev C-c",
        "tmux send-keys -t other 'cargo test' Enter",
        "claude -p 'review the diff'",
    ] {
        assert_eq!(fire(&profile, &facts, &bash(command)).0, None);
    }
    assert!(facts.orders.borrow().has_typed("default"));
    // At a terminal of the user's it is another matter: there nobody can tell who types, for an hour.
    assert!(facts.orders.borrow().types(3_599) && !facts.orders.borrow().types(3_600));
    assert!(proves(&profile, &facts, "verified"));
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answers {
    sentences: Vec<Sentences>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sentences {
    language: String,
    yes: Vec<String>,
    no: Vec<String>,
    #[serde(default)]
    unsure: Vec<String>,
}

fn answers() -> Vec<Sentences> {
    toml::from_str::<Answers>(include_str!("../data/answers.toml")).unwrap().sentences
}

/// What a user means when the gate has asked: none of the answers that mean something else counts.
#[test]
fn the_gates_question_understands_a_yes_and_takes_nothing_else_for_one() {
    let profile = resolved(&[("x", PROFILE)], &[]).unwrap();
    let asked = || Remembering { asked: true, ..Remembering::default() };
    let mut wrong = Vec::new();
    let mut seen = 0;
    for sentences in answers() {
        for (means, texts) in [("yes", &sentences.yes), ("no", &sentences.no), ("unsure", &sentences.unsure)] {
            for text in texts {
                seen += 1;
                if proves(&profile, &asked(), text) != (means == "yes") {
                    wrong.push(format!("{}, {means}: {text}", sentences.language));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen >= 120, "{seen}");
}

/// The same yes to any other question is none.
#[test]
fn a_yes_counts_only_where_the_gate_has_asked_last() {
    let profile = resolved(&[("x", PROFILE)], &[]).unwrap();
    for text in ["yes", "ok, commit", "works for me", "ja", "oui", "sí"] {
        let asked = Remembering { asked: true, ..Remembering::default() };
        assert!(proves(&profile, &asked, text), "{text}");
        assert!(!proves(&profile, &Remembering::default(), text), "{text}");
        // The model went on to ask something else.
        let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": text, "transcript_path": "/t.jsonl"});
        for (answer, counts) in [
            ("The commit was refused. Please confirm that it works.", true),
            ("Shall I delete the old table as well?", false),
        ] {
            let facts = Remembering { answer: Some(answer), asked: true, ..Remembering::default() };
            assert_eq!(fire(&profile, &facts, &prompt).1.iter().any(is_proof), counts, "{text}: {answer}");
        }
    }
    // Whatever the user says, the question is over; the notice of an agent that ended is no word of theirs.
    let over = |prompt: &str| {
        let facts = Remembering { asked: true, ..Remembering::default() };
        let event = json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt});
        fire(&profile, &facts, &event).1.contains(&Effect::Asked(false))
    };
    assert!(over("yes") && over("what changed?") && !over("<task-notification>done"));
}

/// A session that answers for the user is refused where the answer would count, and remembered where it could later.
#[test]
fn no_session_says_yes_for_the_person() {
    let profile = resolved(&[("x", PROFILE)], &[]).unwrap();
    for order in [bash("tmux send-keys -t 0 yes Enter"), bash("claude -p 'ok, commit'")] {
        let asked = Remembering { asked: true, ..Remembering::default() };
        assert_eq!(fire(&profile, &asked, &order).0, Some(Verdict::Deny), "{order}");
        // An installer's question may be answered, but the same text is no word of the user then.
        let mut facts = Remembering::default();
        assert_eq!(fire(&profile, &facts, &order).0, None, "{order}");
        facts.asked = true;
        let text = if order.to_string().contains("yes") { "yes" } else { "ok, commit" };
        assert!(!proves(&profile, &facts, text), "{order}");
        assert!(proves(&profile, &facts, "go ahead"), "{order}");
    }
}
