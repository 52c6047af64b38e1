//! A loop whose surroundings misbehave: variables that cannot be looked up, a clock that goes back, a project that is not there. Answers
//! stay, and nothing passes in silence.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hook_policy::Verdict;
use hook_policy::profile::NAMES;
use hook_protocol::Event;
use hook_runtime::{Answer, Runtime};
use hook_session_state::{SessionId, Standing, Store};
use serde_json::{Value, json};

use crate::apart::in_a_process_of_its_own;

/// A project, records and a home, and the moment that counts as now where a test sets one.
struct Place {
    dir: tempfile::TempDir,
    now: Arc<Mutex<Option<&'static str>>>,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["home", "project"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
        }
        Self { dir, now: Arc::default() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn open(&self, profile: &str) -> Runtime {
        Runtime::open(self.path("project"), self.path("records"), profile).unwrap()
    }

    /// The variables of a loop that behaves.
    fn variable(&self) -> impl Fn(&str) -> Option<OsString> + Send + Sync + 'static {
        let (home, now) = (OsString::from(self.path("home")), Arc::clone(&self.now));
        move |name| match name {
            "HOME" => Some(home.clone()),
            "HOOKBIN_NOW" => now.lock().unwrap().map(OsString::from),
            _ => None,
        }
    }

    fn send(&self, runtime: &Runtime, event: &str, more: &Value) -> Answer {
        let mut payload = json!({"hook_event_name": event, "session_id": "loop", "cwd": self.path("project")});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        runtime.event(Event::parse(&payload.to_string()).unwrap())
    }

    fn bash(&self, runtime: &Runtime, command: &str) -> Answer {
        self.send(runtime, "PreToolUse", &json!({"tool_name": "Bash", "tool_input": {"command": command}}))
    }

    fn has_failed(&self, runtime: &Runtime, id: &str) -> Answer {
        self.send(
            runtime,
            "PostToolUseFailure",
            &json!({"tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": "cargo build"},
                "error": "error[E0308]: mismatched types"}),
        )
    }

    fn assert_log_is_good(&self) {
        let report = hook_audit_log::verify(&self.path("records/log")).unwrap();
        assert!(report.is_good(), "{:?}", report.findings);
    }

    /// The members `name` of the log's records, where they have one.
    fn logged(&self, name: &str) -> Vec<Option<Value>> {
        let entries = hook_audit_log::read(&self.path("records/log")).unwrap();
        entries.map(|entry| entry.unwrap().members().get(name).cloned()).collect()
    }
}

#[test]
fn a_loop_that_panics_over_a_variable_is_answered_as_the_profile_says_of_errors() {
    for profile in NAMES {
        let place = Place::new();
        let runtime = place.open(profile).with_environment(|name| panic!("no variable {name} in this loop"));
        let answer = place.bash(&runtime, "rm -rf ~");
        assert!(!answer.lets_run(), "{profile}: {answer:?}");
        assert!(answer.reason.is_some_and(|reason| reason.contains("no variable HOOKBIN_NOW")), "{profile}");
        assert!(answer.faults.iter().any(|fault| fault.contains("no variable HOOKBIN_NOW")), "{profile}");
        // What is no call goes on, and says so as well.
        let prompt = place.send(&runtime, "UserPromptSubmit", &json!({"prompt": "go on"}));
        assert!(prompt.lets_run() && prompt.faults.iter().any(|fault| fault.contains("in this loop")), "{prompt:?}");
        place.assert_log_is_good();
        let said = place.logged("extra");
        assert_eq!(said.len(), 2, "{profile}");
        assert!(said.iter().flatten().all(|extra| extra.to_string().contains("in this loop")), "{profile}: {said:?}");
    }
}

/// Each variable in turn cannot be looked up, so that a run breaks at each place that asks for one, also with the locks held.
#[test]
fn what_broke_a_run_half_way_does_not_stay() {
    let asked = Arc::new(Mutex::new(Vec::<String>::new()));
    let session = |place: &Place, runtime: &Runtime| {
        place.send(runtime, "SessionStart", &json!({"source": "startup"}));
        place.send(runtime, "UserPromptSubmit", &json!({"prompt": "Fix the parser"}));
        let refused = place.bash(runtime, "rm -rf ~");
        assert!(!refused.lets_run(), "{refused:?}");
        place.has_failed(runtime, "one");
    };
    let (place, list) = (Place::new(), Arc::clone(&asked));
    let known = place.variable();
    session(
        &place,
        &place.open("claude-os").with_environment(move |name| {
            list.lock().unwrap().push(name.to_owned());
            known(name)
        }),
    );
    let mut names = asked.lock().unwrap().clone();
    names.sort();
    names.dedup();
    assert!(names.len() > 3, "{names:?}");
    for broken in names {
        let place = Place::new();
        let (known, name_of_broken) = (place.variable(), broken.clone());
        let breaks = place.open("claude-os").with_environment(move |name| {
            assert_ne!(name, name_of_broken, "this one cannot be looked up");
            known(name)
        });
        session(&place, &breaks);
        let works = place.open("claude-os").with_environment(place.variable());
        let refused = place.bash(&works, "rm -rf ~");
        assert_eq!(refused.verdict, Some(Verdict::Deny), "{broken}: {refused:?}");
        assert_eq!(place.has_failed(&works, "two").faults, [""; 0], "{broken}");
        place.assert_log_is_good();
        for document in Store::new(place.path("records/state")).verify().unwrap() {
            assert_eq!(document.standing, Standing::Whole, "{broken}: {document:?}");
        }
    }
}

#[test]
fn a_clock_that_goes_back_lifts_nothing_and_stands_in_the_record() {
    let place = Place::new();
    let runtime = place.open("sane").with_environment(place.variable());
    let at = |moment| *place.now.lock().unwrap() = Some(moment);
    at("2026-11-30T12:00:00Z");
    for id in ["one", "two", "three"] {
        place.has_failed(&runtime, id);
    }
    assert_eq!(place.bash(&runtime, "touch a").verdict, Some(Verdict::Deny), "the breaker has tripped");
    at("2020-01-01T00:00:00Z");
    let refused = place.bash(&runtime, "touch a");
    assert_eq!((refused.verdict, refused.faults), (Some(Verdict::Deny), Vec::new()));
    assert_eq!(place.bash(&runtime, "rm -rf ~").rule.as_deref(), Some("delete-home"));
    place.has_failed(&runtime, "four");
    // A call that was counted is not counted again because it is told earlier than it was.
    place.has_failed(&runtime, "one");
    let session = Store::new(place.path("records/state")).read_session(&SessionId::from_raw("loop")).unwrap().unwrap();
    assert_eq!(session.activity().action_count, 4);
    place.assert_log_is_good();
    let clocks = place.logged("clock");
    assert_eq!(clocks.iter().filter(|clock| clock.is_some()).count(), 4, "{clocks:?}");
    assert!(clocks.iter().flatten().all(|clock| clock.as_str().is_some_and(|at| at.starts_with("2020-01-01"))));
}

#[test]
fn a_project_that_is_not_there_is_said_at_every_event_and_guarded_all_the_same() {
    let place = Place::new();
    let runtime = Runtime::open(place.path("gone"), place.path("records"), "standard").unwrap();
    let runtime = runtime.with_environment(place.variable());
    let said =
        |answer: &Answer| answer.faults.iter().any(|fault| fault.contains("gone") && fault.contains("no directory"));
    let refused = place.bash(&runtime, "rm -rf ~");
    assert!(refused.verdict == Some(Verdict::Deny) && said(&refused), "{refused:?}");
    let harmless = place.bash(&runtime, "ls");
    assert!(harmless.lets_run() && said(&harmless), "{harmless:?}");
    assert!(!place.path("gone").exists());
    place.assert_log_is_good();
    std::fs::create_dir(place.path("gone")).unwrap();
    assert_eq!(place.bash(&runtime, "ls").faults, [""; 0]);
}

#[test]
fn a_relative_project_stays_the_same_wherever_the_process_works_later() {
    in_a_process_of_its_own("misbehaving::a_relative_project_stays_the_same_wherever_the_process_works_later", || {
        let place = Place::new();
        std::env::set_current_dir(place.dir.path()).unwrap();
        let runtime = Runtime::open("project", "records", "standard").unwrap().with_environment(place.variable());
        std::env::set_current_dir(place.path("home")).unwrap();
        let inside = place.bash(&runtime, &format!("rm -rf {}/build", place.path("project").display()));
        assert!(inside.lets_run() && inside.faults.is_empty(), "{inside:?}");
        let outside = place.bash(&runtime, &format!("rm -rf {}/papers", place.path("home").display()));
        assert_eq!(outside.verdict, Some(Verdict::Deny), "{outside:?}");
        assert_eq!(hook_audit_log::verify(&place.path("records/log")).unwrap().records, 2);
        assert_eq!(std::fs::read_dir(place.path("home")).unwrap().count(), 0, "nothing is written elsewhere");
    });
}

/// The session's start of `guardrails` asks git how the working tree stands.
#[test]
fn a_program_that_misbehaves_holds_no_answer_back() {
    for (what, script) in [
        ("did not end within", "#!/bin/sh\nexec /bin/sleep 60\n"),
        ("did not end within", "#!/bin/sh\nwhile :; do printf '?? \\200\\000'; done\n"),
        ("was ended", "#!/bin/sh\nkill -9 $$\n"),
        ("did not start", "no program at all"),
    ] {
        let place = Place::new();
        let (bin, known) = (place.path("home/bin"), place.variable());
        for dir in [&bin, &place.path("project/.git/refs/heads"), &place.path("project/.git/objects")] {
            std::fs::create_dir_all(dir).unwrap();
        }
        std::fs::write(place.path("project/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        std::fs::write(bin.join("git"), script).unwrap();
        std::fs::set_permissions(bin.join("git"), std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = OsString::from(&bin);
        let search = move |name: &str| if name == "PATH" { Some(path.clone()) } else { known(name) };
        let runtime = place.open("guardrails").with_environment(search);
        let begin = Instant::now();
        let start = place.send(&runtime, "SessionStart", &json!({"source": "startup"}));
        assert!(begin.elapsed() < Duration::from_secs(5), "{what}: {:?}", begin.elapsed());
        let said = |fault: &String| fault.contains("`git status`") && fault.contains(what);
        assert!(start.faults.iter().any(said), "{what}: {start:?}");
        assert_eq!(place.bash(&runtime, "rm -rf ~").verdict, Some(Verdict::Deny), "{what}");
        place.assert_log_is_good();
    }
}
