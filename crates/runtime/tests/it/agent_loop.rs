//! An agent loop that is not Claude Code: what it is answered, and what is kept for it.

use std::ffi::OsString;
use std::path::Path;

use hook_policy::Verdict;
use hook_protocol::Event;
use hook_runtime::{Answer, Runtime};
use serde_json::{Value, json};

/// A project with records beside it, and a home that holds neither.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for dir in ["home", "project"] {
            std::fs::create_dir(place.0.path().join(dir)).unwrap();
        }
        place
    }

    fn project(&self) -> String {
        self.0.path().join("project").display().to_string()
    }

    fn log(&self) -> std::path::PathBuf {
        self.0.path().join("records/log")
    }

    fn open(&self, profile: &str) -> Runtime {
        let runtime = Runtime::open(self.project(), self.0.path().join("records"), profile).unwrap();
        self.at_home(runtime)
    }

    fn at_home(&self, runtime: Runtime) -> Runtime {
        let home = OsString::from(self.0.path().join("home"));
        runtime.with_environment(move |name| (name == "HOME").then(|| home.clone()))
    }

    /// Sends one event of a call.
    fn call(&self, runtime: &Runtime, event: &str, id: &str, tool: &str, input: &Value) -> Answer {
        let payload = json!({"hook_event_name": event, "session_id": "loop", "cwd": self.project(), "tool_use_id": id,
            "tool_name": tool, "tool_input": input});
        runtime.event(Event::parse(&payload.to_string()).unwrap())
    }

    fn bash(&self, runtime: &Runtime, command: &str) -> Answer {
        self.call(runtime, "PreToolUse", "1", "Bash", &json!({"command": command}))
    }
}

#[test]
fn the_guard_answers_by_the_facts_of_this_machine() {
    let place = Place::new();
    let runtime = place.open("standard");
    std::os::unix::fs::symlink("/etc", Path::new(&place.project()).join("etc")).unwrap();
    let answer = place.bash(&runtime, "rm -rf etc/ssl");
    assert_eq!(answer.verdict, Some(Verdict::Deny), "{answer:?}");
    assert!(answer.reason.unwrap().contains("/etc/ssl"));
    assert_eq!(place.bash(&runtime, "rm -rf ~").rule.as_deref(), Some("delete-home"));
    let harmless = place.bash(&runtime, "ls");
    assert!(harmless.lets_run() && harmless.faults.is_empty(), "{harmless:?}");
}

#[test]
fn every_call_is_recorded_and_the_chain_holds() {
    let place = Place::new();
    place.bash(&place.open("standard"), "cat .env");
    // Another process of the same loop.
    place.bash(&place.open("standard"), "ls");
    assert!(hook_audit_log::verify(&place.log()).unwrap().is_good());
    let verdicts: Vec<Option<String>> = hook_audit_log::read(&place.log())
        .unwrap()
        .map(|entry| entry.unwrap().text("verdict").map(str::to_owned))
        .collect();
    assert_eq!(verdicts, [Some("deny".to_owned()), None]);
}

#[test]
fn a_gate_opens_by_what_the_session_has_done() {
    let place = Place::new();
    let runtime = place.open("spf");
    let write = json!({"file_path": format!("{}/a.rs", place.project()), "content": "x"});
    let writes = || place.call(&runtime, "PreToolUse", "w", "Write", &write).verdict;
    assert_eq!(writes(), None, "nobody declares a server");
    place.call(&runtime, "PostToolUse", "r", "mcp__gate__spf_read", &json!({"path": "a.rs"}));
    assert_eq!(writes(), Some(Verdict::Deny), "the server is there");
}

#[test]
fn a_configuration_of_ones_own_counts_whole_or_not_at_all() {
    let place = Place::new();
    let records = place.0.path().join("records");
    let rule = "[[rule]]\nid = \"no-deploy\"\nthen = \"deny\"\nprogram = \"deploy\"\nreason = \"people deploy\"\n\
                should_match = [\"deploy prod\"]\nshould_not_match = [\"echo deploy\"]\n";
    let runtime = Runtime::from_toml(place.project(), &records, "team.toml", rule).unwrap();
    let answer = place.bash(&place.at_home(runtime), "cd x && deploy prod");
    assert_eq!((answer.verdict, answer.rule.as_deref()), (Some(Verdict::Deny), Some("no-deploy")));

    let wrong = rule.replace("program", "programm");
    let error = Runtime::from_toml(place.project(), &records, "team.toml", &wrong).err().unwrap();
    assert!(error.to_string().contains("team.toml") && error.to_string().contains("`program`"), "{error}");
    assert!(!error.is_wrong_use() && error.faults().is_some_and(|faults| !faults.0.is_empty()), "{error:?}");
    let unknown = Runtime::open(place.project(), &records, "standrd").err().unwrap();
    assert!(unknown.is_wrong_use() && unknown.faults().is_none(), "{unknown:?}");
    assert!(unknown.to_string().starts_with("there is no profile `standrd`; name one of standard, spf"), "{unknown}");
}

#[test]
fn records_that_cannot_be_kept_are_told_and_the_guard_stays() {
    let place = Place::new();
    // A file in the directory's place, which root cannot write into either.
    std::fs::write(place.0.path().join("records"), "").unwrap();
    let runtime = place.open("standard");
    let answer = place.bash(&runtime, "rm -rf ~");
    assert_eq!(answer.verdict, Some(Verdict::Deny));
    assert!(answer.faults.iter().any(|fault| fault.contains("records")), "{answer:?}");
}
