//! What becomes of an answer that an agent loop cannot carry out.

use std::ffi::OsString;

use hook_policy::Verdict;
use hook_protocol::Event;
use hook_protocol::event::EventName;
use hook_protocol::host::Limits;
use hook_runtime::{Answer, Runtime};
use serde_json::{Value, json};

const ASKS: &str = "[[rule]]\nid = \"restart\"\nthen = \"ask\"\nprogram = \"restart\"\nreason = \"users are connected\"\n\
                    should_match = [\"restart web\"]\nshould_not_match = [\"echo restart\"]\n";

/// Refuses the end of a turn, and has a text for the model at its start.
const TALKS: &str = "[[handler]]\nname = \"next\"\non = [\"Stop\"]\nsteps = [\"forward-motion\"]\nforward-motion.block = true\n\
                     [[handler]]\nname = \"hello\"\non = [\"SessionStart\"]\nsteps = [\"banner\"]\nbanner.text = \"Tests live in tests/.\"\n";

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for dir in ["home", "project"] {
            std::fs::create_dir(place.0.path().join(dir)).unwrap();
        }
        place
    }

    fn open(&self, config: &str, limits: Limits) -> Runtime {
        let (project, records) = (self.0.path().join("project"), self.0.path().join("records"));
        let home = OsString::from(self.0.path().join("home"));
        let runtime = Runtime::from_toml(project, records, "team.toml", config).unwrap();
        runtime.with_environment(move |name| (name == "HOME").then(|| home.clone())).with_limits(limits)
    }

    fn send(&self, runtime: &Runtime, event: &str, more: &Value) -> Answer {
        let mut payload = json!({"hook_event_name": event, "session_id": "loop", "cwd": self.0.path().join("project")});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        runtime.event(Event::parse(&payload.to_string()).unwrap())
    }

    fn bash(&self, runtime: &Runtime, command: &str) -> Answer {
        self.send(runtime, "PreToolUse", &json!({"tool_name": "Bash", "tool_input": {"command": command}}))
    }
}

#[test]
fn a_question_that_nobody_can_be_asked_is_a_refusal_with_a_way_out() {
    let place = Place::new();
    let asked = place.bash(&place.open(ASKS, Limits::NONE), "restart web");
    assert_eq!(asked.verdict, Some(Verdict::Ask));
    let refused = place.bash(&place.open(ASKS, Limits::NONE.without_ask()), "restart web");
    assert_eq!((refused.verdict, refused.rule.as_deref()), (Some(Verdict::Deny), Some("restart")));
    let reason = refused.reason.unwrap();
    assert!(reason.starts_with("users are connected") && reason.contains("in a terminal"), "{reason}");
    // The record says what was answered.
    let log = place.0.path().join("records/log");
    let verdicts: Vec<Option<String>> =
        hook_audit_log::read(&log).unwrap().map(|entry| entry.unwrap().text("verdict").map(str::to_owned)).collect();
    assert_eq!(verdicts, [Some("ask".to_owned()), Some("deny".to_owned())]);
}

#[test]
fn a_question_passes_where_the_configuration_says_so_and_the_user_is_told() {
    let place = Place::new();
    let config = format!("ask = \"pass\"\n{ASKS}");
    let runtime = place.open(&config, Limits::NONE.without_ask());
    let passed = place.bash(&runtime, "restart web");
    assert!(
        passed.lets_run() && passed.notices.iter().any(|notice| notice.contains("users are connected")),
        "{passed:?}"
    );
    // Whoever can ask still asks, and a refusal stays one.
    assert_eq!(place.bash(&place.open(&config, Limits::NONE), "restart web").verdict, Some(Verdict::Ask));
    assert_eq!(place.bash(&runtime, "rm -rf ~").verdict, Some(Verdict::Deny));
}

#[test]
fn a_rewrite_that_cannot_be_run_is_a_refusal_with_the_command() {
    let place = Place::new();
    let config = "[[handler]]\nname = \"agreements\"\non = [\"PreToolUse\"]\nsteps = [\"discipline\"]\n\
                  discipline.temp_folders = [\"/tmp\"]\n";
    let command = "python3 make.py > /tmp/out.txt";
    let rewritten = place.bash(&place.open(config, Limits::NONE), command);
    let better = rewritten.command.expect("the agreements put this right");
    assert_ne!(better, command);
    let refused = place.bash(&place.open(config, Limits::NONE.without_rewrite()), command);
    assert_eq!((refused.verdict, refused.command.as_deref()), (Some(Verdict::Deny), None));
    let said = format!("{} {}", refused.reason.unwrap_or_default(), refused.suggestion.unwrap_or_default());
    assert!(said.contains(&better), "{said}");
}

#[test]
fn a_text_waits_for_an_event_that_can_bring_it() {
    let place = Place::new();
    let limits = Limits::NONE.with_context_on(|event| *event == EventName::UserPromptSubmit);
    let runtime = place.open(TALKS, limits);
    let start = place.send(&runtime, "SessionStart", &json!({"source": "startup"}));
    assert_eq!(start.context, [""; 0]);
    let prompt = place.send(&runtime, "UserPromptSubmit", &json!({"prompt": "go on"}));
    assert!(prompt.context.iter().any(|text| text.contains("Tests live in tests/.")), "{prompt:?}");
    let next = place.send(&runtime, "UserPromptSubmit", &json!({"prompt": "go on"}));
    assert!(!next.context.iter().any(|text| text.contains("Tests live in tests/.")), "said twice: {next:?}");
    // A loop without the limit hears it at once.
    let free = place.send(&place.open(TALKS, Limits::NONE), "SessionStart", &json!({"source": "startup"}));
    assert!(free.context.iter().any(|text| text.contains("Tests live in tests/.")), "{free:?}");
}

#[test]
fn a_refused_stop_is_not_refused_again_though_the_loop_does_not_say_so() {
    let place = Place::new();
    let stop = json!({"last_assistant_message": "Everything is done."});
    let marking = place.open(TALKS, Limits::NONE);
    let twice = [(); 2].map(|()| place.send(&marking, "Stop", &stop).verdict);
    assert_eq!(twice, [Some(Verdict::Deny); 2], "nothing in the payload says that the turn goes on");
    let runtime = place.open(TALKS, Limits::NONE.without_continued_turns());
    let verdicts = [(); 2].map(|()| place.send(&runtime, "Stop", &stop).verdict);
    assert_eq!(verdicts, [Some(Verdict::Deny), None]);
    // A new prompt begins a new turn.
    assert_eq!(place.send(&runtime, "Stop", &stop).verdict, Some(Verdict::Deny));
    place.send(&runtime, "UserPromptSubmit", &json!({"prompt": "go on"}));
    assert_eq!(place.send(&runtime, "Stop", &stop).verdict, Some(Verdict::Deny));
}
