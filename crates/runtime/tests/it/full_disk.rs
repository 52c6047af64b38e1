//! A disk that is full while state and log are written, in a loop of one's own: what it is answered, and what is left once there is
//! room again.
//!
//! A limit of the size of files stands for the full disk, because it stops root as well. It cuts a write off at any byte, as a full
//! disk does, and a process can lift it again. It counts for a whole process, so each test runs once more in one of its own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hook_policy::Verdict;
use hook_protocol::Event;
use hook_runtime::{Answer, Runtime};
use hook_session_state::{SessionId, Standing, Store};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};

use crate::apart::in_a_process_of_its_own;

/// Lets no file grow beyond `bytes` while `work` runs.
fn with_room_for<T>(bytes: u64, work: impl FnOnce() -> T) -> T {
    let before = getrlimit(Resource::Fsize);
    setrlimit(Resource::Fsize, Rlimit { current: Some(bytes), ..before }).unwrap();
    let result = work();
    setrlimit(Resource::Fsize, before).unwrap();
    result
}

/// A loop with a project, records and a home of its own, which counts what it was told to have lost.
struct Loop {
    dir: tempfile::TempDir,
    runtime: Runtime,
    calls: u64,
    events: u64,
    lost_records: u64,
}

impl Loop {
    fn new(profile: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["home", "project"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
        }
        let home = OsString::from(dir.path().join("home"));
        let runtime = Runtime::open(dir.path().join("project"), dir.path().join("records"), profile).unwrap();
        let runtime = runtime.with_environment(move |name| (name == "HOME").then(|| home.clone()));
        Self { dir, runtime, calls: 0, events: 0, lost_records: 0 }
    }

    fn project(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    fn records(&self, name: &str) -> PathBuf {
        self.dir.path().join("records").join(name)
    }

    fn send(&mut self, event: &str, more: &Value) -> Answer {
        let mut payload = json!({"hook_event_name": event, "session_id": "loop", "cwd": self.project()});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = self.runtime.event(Event::parse(&payload.to_string()).unwrap());
        self.events += 1;
        self.lost_records += u64::from(answer.faults.iter().any(|fault| fault.contains("audit log")));
        answer
    }

    fn ask(&mut self, tool: &str, input: &Value) -> Answer {
        self.calls += 1;
        let id = format!("call-{}", self.calls);
        self.send("PreToolUse", &json!({"tool_name": tool, "tool_use_id": id, "tool_input": input}))
    }

    fn bash(&mut self, command: &str) -> Answer {
        self.ask("Bash", &json!({"command": command}))
    }

    /// Tells that a file was read, by the number of the call.
    fn has_read(&mut self, call: u64) -> Answer {
        let file = self.project().join(format!("src/{call}.rs"));
        self.send(
            "PostToolUse",
            &json!({"tool_name": "Read", "tool_use_id": format!("read-{call}"), "tool_input": {"file_path": file},
                "tool_response": {"file": "x"}}),
        )
    }

    fn has_failed(&mut self, call: u64) -> Answer {
        self.send(
            "PostToolUseFailure",
            &json!({"tool_name": "Bash", "tool_use_id": format!("bad-{call}"), "tool_input": {"command": "cargo build"},
                "error": "error[E0308]: mismatched types"}),
        )
    }

    /// How many calls the session's document has counted, read as any other program would.
    fn counted(&self) -> u64 {
        let store = Store::new(self.records("state"));
        let session = store.read_session(&SessionId::from_raw("loop")).unwrap();
        session.map_or(0, |session| session.activity().action_count)
    }

    /// Everything that is kept is whole, and the log lacks what its loss was told of, and nothing else.
    fn assert_sound(&self, at: &str) {
        let report = hook_audit_log::verify(&self.records("log")).unwrap();
        assert!(report.is_good(), "{at}: {:?}", report.findings);
        assert_eq!(report.records, self.events - self.lost_records, "{at}");
        for document in Store::new(self.records("state")).verify().unwrap() {
            assert_eq!(document.standing, Standing::Whole, "{at}: {document:?}");
        }
        assert_eq!(left_behind(self.dir.path()), Vec::<PathBuf>::new(), "{at}");
    }
}

/// Files that are no whole document: unfinished, damaged or quarantined.
fn left_behind(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().unwrap().is_dir() {
            found.extend(left_behind(&entry.path()));
        } else if [".tmp", "damaged", "set-aside"].iter().any(|part| name.contains(part)) {
            found.push(entry.path());
        }
    }
    found
}

/// Bytes at which a write is cut off: none at all, in the middle of the first lines and documents, and at their ends.
fn limits() -> impl Iterator<Item = u64> {
    (0..4_000).step_by(97)
}

#[test]
fn a_full_disk_takes_no_answer_and_what_is_lost_is_said() {
    in_a_process_of_its_own("full_disk::a_full_disk_takes_no_answer_and_what_is_lost_is_said", || {
        let (mut kept, mut lost) = (0, 0);
        for limit in limits() {
            let at = format!("room for {limit} bytes");
            let mut agent = Loop::new("spf");
            agent.send("SessionStart", &json!({"source": "startup"}));
            assert_eq!(agent.has_read(0).faults, [""; 0], "{at}");
            let mut counted = 1;
            with_room_for(limit, || {
                assert_eq!(agent.bash("rm -rf ~").verdict, Some(Verdict::Deny), "{at}");
                for call in 1..4 {
                    let answer = agent.has_read(call);
                    let is_kept = agent.counted() > counted;
                    counted = agent.counted();
                    // What is in neither the document nor the faults would be lost without a word.
                    let said = answer.faults.iter().any(|fault| !fault.contains("audit log"));
                    assert!(is_kept || said, "{at}: {answer:?}");
                    (kept, lost) = (kept + u64::from(is_kept), lost + u64::from(!is_kept));
                }
                assert_eq!(agent.bash("rm -rf ~").verdict, Some(Verdict::Deny), "{at}");
            });
            // There is room again: everything is kept, and what was lost is counted when it is told once more, and once.
            for call in 0..4 {
                assert_eq!(agent.has_read(call).faults, [""; 0], "{at}");
            }
            assert_eq!(agent.counted(), 4, "{at}");
            assert_eq!(agent.bash("rm -rf ~").verdict, Some(Verdict::Deny), "{at}");
            agent.assert_sound(&at);
        }
        assert!(kept > 0 && lost > 0, "the limits have to lie on both sides: {kept} kept, {lost} lost");
    });
}

#[test]
fn the_breaker_counts_what_was_kept_and_holds_on_a_full_disk() {
    in_a_process_of_its_own("full_disk::the_breaker_counts_what_was_kept_and_holds_on_a_full_disk", || {
        for limit in limits() {
            let at = format!("room for {limit} bytes");
            let mut agent = Loop::new("sane");
            agent.send("SessionStart", &json!({"source": "startup"}));
            agent.has_failed(0);
            // The second failure meets the full disk. Whether it counts is what its answer says.
            let second = with_room_for(limit, || agent.has_failed(1));
            let third = agent.has_failed(2);
            assert_eq!(third.faults, [""; 0], "{at}");
            let is_tripped = !agent.bash("touch a").lets_run();
            let said = second.faults.iter().any(|fault| !fault.contains("audit log"));
            assert!(is_tripped || said, "{at}: {second:?}");
            agent.has_failed(3);
            agent.has_failed(4);
            // Tripped, it holds on the full disk, and so does the guard.
            for room in [u64::MAX, limit] {
                with_room_for(room, || {
                    let refused = agent.bash("touch a");
                    assert_eq!(refused.check.as_deref(), Some("sanetools"), "{at}: {refused:?}");
                    assert_eq!(agent.bash("rm -rf ~").rule.as_deref(), Some("delete-home"), "{at}");
                });
            }
            assert_eq!(agent.bash("touch a").verdict, Some(Verdict::Deny), "{at}");
            agent.assert_sound(&at);
        }
    });
}

#[test]
fn every_profile_answers_on_a_full_disk_as_it_does_with_room() {
    in_a_process_of_its_own("full_disk::every_profile_answers_on_a_full_disk_as_it_does_with_room", || {
        for profile in hook_policy::profile::NAMES {
            let with_room = session(&mut Loop::new(profile));
            for limit in [0, 1, 200, 700, 1_500, 4_000] {
                let at = format!("{profile}, room for {limit} bytes");
                let mut agent = Loop::new(profile);
                assert_eq!(with_room_for(limit, || session(&mut agent)), with_room, "{at}");
                assert_eq!(agent.bash("rm -rf ~").verdict, Some(Verdict::Deny), "{at}");
                agent.assert_sound(&at);
            }
        }
    });
}

/// A session of the events that every loop has. What each call was answered.
fn session(agent: &mut Loop) -> Vec<(Option<Verdict>, Option<String>, Option<String>)> {
    agent.send("SessionStart", &json!({"source": "startup"}));
    agent.send("UserPromptSubmit", &json!({"prompt": "Fix the parser"}));
    let mut answers = vec![agent.bash("ls"), agent.bash("rm -rf ~"), agent.bash("git push --force origin main")];
    agent.has_read(1);
    agent.has_failed(2);
    answers.push(agent.ask("Read", &json!({"file_path": "src/1.rs"})));
    agent.send("Stop", &json!({"stop_hook_active": false}));
    answers.into_iter().map(|answer| (answer.verdict, answer.check, answer.rule)).collect()
}
