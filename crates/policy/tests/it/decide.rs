//! The decision itself: order, strictness, what still runs after a refusal, templates.

use hook_policy::effect::{Effect, Memory, Touch, View};
use hook_policy::{Complexity, Context, SessionFacts, StepResult, Verdict, decide, decide_named, decide_unreadable};
use hook_protocol::event::{Event, EventName};
use proptest::prelude::*;

use crate::support::{Known, refuser, resolved};

const OBSERVER: &str = "[[handler]]\nname = \"o\"\non = [\"PreToolUse\"]\nsteps = [\"observe\"]\n[handler.observe]\nfile = \"f.log\"\nlabel = \"PRE\"\nfallback = \"none\"\n";

fn pre(tool: &str) -> String {
    format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{{}}}}"#)
}

#[test]
fn after_a_refusal_refusers_are_skipped_and_observers_run() {
    let text = format!("{}{}{OBSERVER}", refuser("first", "Read", "one"), refuser("second", "*", "two"));
    let plan = resolved(&[("a", &text)], &[]).unwrap().plan(&EventName::PreToolUse);
    let payload = pre("Read");
    let event = Event::parse(&payload).unwrap();
    let outcome = decide(&event, &plan, &Known::default());
    assert_eq!(outcome.verdict, Some(Verdict::Deny));
    assert_eq!((outcome.decided_by, outcome.reason.as_deref()), (Some("first"), Some("one")));
    let said: Vec<StepResult> = outcome.trace.iter().map(|step| step.said).collect();
    assert_eq!(said, [StepResult::Verdict(Verdict::Deny), StepResult::Skipped, StepResult::Something]);
    assert_eq!(
        outcome.effects,
        [Effect::Line { file: "f.log".to_owned(), line: "[2026-03-01 10:00:00] PRE: Read".to_owned() }]
    );
}

#[test]
fn a_tool_that_no_pattern_names_is_left_alone() {
    let plan = resolved(&[("a", &refuser("r", "mcp__*__spf_rag_*", "no"))], &[]).unwrap().plan(&EventName::PreToolUse);
    for (tool, refused) in [
        ("mcp__x__spf_rag_status", true),
        ("mcp__x__spf_rag_", true),
        ("mcp__a__b__spf_rag_x", true),
        ("mcp__x__spf_rag", false),
        ("xmcp__x__spf_rag_status", false),
        ("Read", false),
    ] {
        let payload = pre(tool);
        let event = Event::parse(&payload).unwrap();
        assert_eq!(decide(&event, &plan, &Known::default()).verdict.is_some(), refused, "{tool}");
    }
}

#[test]
fn an_event_of_another_name_gets_another_plan() {
    let profile = resolved(&[("a", &refuser("r", "Read", "no"))], &[]).unwrap();
    assert!(profile.plan(&EventName::PostToolUse).handlers.is_empty());
    assert_eq!(profile.events().iter().collect::<Vec<_>>(), [EventName::PreToolUse]);
}

#[test]
fn what_cannot_be_read_follows_the_setting_where_a_call_can_be_refused() {
    let text =
        format!("on_unreadable = \"deny\"\nunreadable_reason = \"blind\"\n{OBSERVER}{}", refuser("r", "Read", "no"));
    let profile = resolved(&[("a", &text)], &[]).unwrap();
    let plan = profile.plan(&EventName::PreToolUse);
    let outcome = decide_unreadable(&plan, true);
    assert_eq!((outcome.verdict, outcome.reason.as_deref()), (Some(Verdict::Deny), Some("blind")));
    assert_eq!(decide_unreadable(&plan, false).verdict, None);
    // A handler that was asked for alone knows what it is for.
    let (plan, _) = profile.plan_of_handler("o").unwrap();
    let outcome = decide_named(&plan, &Known::default());
    assert_eq!(outcome.verdict, None);
    assert_eq!(
        outcome.effects,
        [Effect::Line { file: "f.log".to_owned(), line: "[2026-03-01 10:00:00] PRE: none".to_owned() }]
    );
    let (plan, _) = profile.plan_of_handler("r").unwrap();
    assert_eq!(decide_named(&plan, &Known::default()).reason.as_deref(), Some("no"));
}

#[test]
fn memory_reads_each_event_for_what_it_changes() {
    let text = "[[handler]]\nname = \"m\"\non = [\"SessionStart\", \"PostToolUse\", \"PostToolUseFailure\", \"Stop\", \"SessionEnd\"]\nsteps = [\"memory\"]\n";
    let profile = resolved(&[("a", text)], &[]).unwrap();
    let changes = |payload: &str| -> Vec<Effect> {
        let event = Event::parse(payload).unwrap();
        let plan = profile.plan(&event.name());
        decide(&event, &plan, &Known::default()).effects
    };
    let started = Effect::Memory(Memory::Start { source: "clear".to_owned() });
    assert_eq!(changes(r#"{"hook_event_name":"SessionStart","source":"clear"}"#), [started]);
    assert_eq!(changes(r#"{"hook_event_name":"SessionStart","source":"resume"}"#), []);
    assert_eq!(changes(r#"{"hook_event_name":"Stop","stop_hook_active":true}"#), []);
    assert_eq!(changes(r#"{"hook_event_name":"Stop"}"#), [Effect::Memory(Memory::Stopped)]);
    let touch = |tool: &str, input: &str, name: &str| {
        let payload = format!(r#"{{"hook_event_name":"{name}","tool_name":"{tool}","tool_input":{input}}}"#);
        match changes(&payload).pop() {
            Some(Effect::Memory(Memory::Acted(action))) => (action.tool, action.touch, action.file),
            other => panic!("{other:?}"),
        }
    };
    let file = Some("/a".to_owned());
    assert_eq!(
        touch("mcp__g__spf_edit", r#"{"file_path":"/a"}"#, "PostToolUse"),
        ("Edit".to_owned(), Some(Touch::Write), file.clone())
    );
    assert_eq!(
        touch("MultiEdit", r#"{"file_path":"/a"}"#, "PostToolUse"),
        ("Edit".to_owned(), Some(Touch::Write), file.clone())
    );
    assert_eq!(touch("NotebookEdit", r#"{"notebook_path":"/a"}"#, "PostToolUse").1, Some(Touch::Write));
    assert_eq!(touch("Read", r#"{"file_path":"/a"}"#, "PostToolUseFailure"), ("Read".to_owned(), None, file));
    assert_eq!(touch("Task", "{}", "PostToolUse").0, "Agent");
}

#[test]
fn views_keep_quiet_where_the_document_must_stay_untouched() {
    let text = "[[handler]]\nname = \"v\"\non = [\"SessionStart\", \"Stop\"]\nsteps = [\"views\"]\n[handler.views]\nwrite = [\"session.json\", \"STATUS.txt\"]\nsources = [\"startup\"]\n";
    let profile = resolved(&[("a", text)], &[]).unwrap();
    let effects = |payload: &str| {
        let event = Event::parse(payload).unwrap();
        decide(&event, &profile.plan(&event.name()), &Known::default()).effects
    };
    assert_eq!(
        effects(r#"{"hook_event_name":"SessionStart","source":"startup"}"#),
        [Effect::View(View::Session), Effect::View(View::Status)]
    );
    assert_eq!(effects(r#"{"hook_event_name":"SessionStart","source":"compact"}"#), []);
    assert_eq!(effects(r#"{"hook_event_name":"Stop","stop_hook_active":true}"#), []);
}

#[test]
fn a_card_is_filled_from_facts_and_carries_the_hand_off() {
    let text = "[[handler]]\nname = \"c\"\non = [\"SessionStart\"]\nsteps = [\"banner\"]\n[handler.banner]\nhandoff = true\ntext = \"{actions} {reads}/{writes} {last_tool} {mcp_servers} {state_dir} { not } {Not}\"\n";
    let profile = resolved(&[("a", text)], &[]).unwrap();
    let event = Event::parse(r#"{"hook_event_name":"SessionStart"}"#).unwrap();
    let plan = profile.plan(&event.name());
    let context = |known: &Known| decide(&event, &plan, known).context.pop().unwrap().text;
    let known =
        Known { session: SessionFacts { actions: 3, reads: 2, writes: 1, last_tool: None }, ..Known::default() };
    assert_eq!(context(&known), "3 2/1 none none /p/state { not } {Not}");
    let known = Known { handoff: Some("NOTE".to_owned()), ..Known::default() };
    assert!(context(&known).ends_with("\n\nNOTE"));
}

const PROMPT: &str = "[[handler]]\nname = \"p\"\non = [\"UserPromptSubmit\"]\nsteps = [\"complexity\"]\n[handler.complexity]\nfull = \"F {c} {a_optimal}\"\nlight = \"L {tier}\"\nstatus = \"S {analyze}/{build}\"\nfile = \"l\"\nlog = \"C={c}\"\n";

#[test]
fn a_prompt_gets_the_text_of_its_band() {
    let profile = resolved(&[("a", PROMPT)], &[]).unwrap();
    let event = Event::parse(r#"{"hook_event_name":"UserPromptSubmit","prompt":"x"}"#).unwrap();
    let plan = profile.plan(&event.name());
    for (c, text, plain) in
        [(499, "S 40/60", true), (500, "L LIGHT", false), (1_999, "L LIGHT", false), (2_000, "F 2000 7", false)]
    {
        let complexity = Complexity { c, tier: "LIGHT", analyze: 40, build: 60, a_optimal: 7 };
        let known = Known { complexity: Some(complexity), ..Known::default() };
        let outcome = decide(&event, &plan, &known);
        assert_eq!(outcome.context, [Context { text: text.to_owned(), plain }]);
        let remembered = Effect::Memory(Memory::Scored { c, tier: "LIGHT" });
        assert!(outcome.effects.contains(&remembered), "{:?}", outcome.effects);
    }
    // A caller that cannot score says nothing, and nothing is made up.
    assert_eq!(decide(&event, &plan, &Known::default()).effects, []);
}

#[test]
fn a_checkpoint_passes_texts_on_as_single_arguments() {
    let text = "[[handler]]\nname = \"c\"\non = [\"PostToolUse\"]\nsteps = [\"checkpoint\"]\n[handler.checkpoint]\ntools = [\"Write\"]\ncollection = \"k\"\ntags = \"t,{canonical}\"\ntitle = \"on {file_name}\"\ncontent = \"{file}\"\ncommand = [\"run\", \"{content}\", \"--title={canonical}\", \"{title}\"]\nswitch = \"S\"\nfile = \"l\"\n";
    let profile = resolved(&[("a", text)], &[]).unwrap();
    let payload =
        r#"{"hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"/d/{title} --x"}}"#;
    let event = Event::parse(payload).unwrap();
    let plan = profile.plan(&event.name());
    let outcome = decide(&event, &plan, &Known::default());
    let [Effect::Checkpoint(kept)] = outcome.effects.as_slice() else { panic!("{:?}", outcome.effects) };
    assert_eq!(kept.command, ["run", "/d/{title} --x", "--title=Write", "on {title} --x"]);
    assert_eq!((kept.tags.as_str(), kept.at_once), ("t,Write", 4));
}

proptest! {
    /// Whatever the order of refusers and observers: refused is refused, and every observer speaks once (X19).
    #[test]
    fn the_order_of_handlers_does_not_change_the_verdict(order in Just(vec![0, 1, 2, 3]).prop_shuffle()) {
        let handlers = [refuser("a", "Read", "one"), refuser("b", "*", "two"), OBSERVER.to_owned(), OBSERVER.replace("\"o\"", "\"p\"")];
        let text: String = order.iter().map(|index: &usize| handlers[*index].as_str()).collect();
        let plan = resolved(&[("x", &text)], &[]).unwrap().plan(&EventName::PreToolUse);
        let payload = pre("Read");
        let outcome_event = Event::parse(&payload).unwrap();
        let outcome = decide(&outcome_event, &plan, &Known::default());
        prop_assert_eq!(outcome.verdict, Some(Verdict::Deny));
        prop_assert_eq!(outcome.effects.len(), 2);
        prop_assert_eq!(outcome.trace.len(), 4);
    }
}
