//! Many processes at once on one session, two sessions, and forced rotation: nothing is lost, torn or mixed (SX-04).

use std::collections::HashSet;
use std::thread;

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, crowd, tree};

fn call(session: &str, number: usize) -> Vec<u8> {
    json!({
        "session_id": session, "cwd": "/", "hook_event_name": "PostToolUse", "tool_name": "Read",
        "tool_input": {"file_path": format!("/f{}", number % 300)}, "tool_response": "ok", "tool_use_id": format!("toolu_{session}_{number:05}"),
    })
    .to_string()
    .into_bytes()
}

/// `processes` at a time, `each` events one after another.
fn storm(sandbox: &Sandbox, sessions: &[&str], processes: usize, each: usize) {
    thread::scope(|scope| {
        for worker in 0..processes {
            let session = sessions[worker % sessions.len()];
            scope.spawn(move || {
                for n in 0..each {
                    let ran = sandbox.hook(&["PostToolUse"], &call(session, worker * each + n));
                    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
                }
            });
        }
    });
}

fn logged(sandbox: &Sandbox) -> Vec<Value> {
    let files = tree(&sandbox.log()).into_iter().filter(|path| path.extension().is_some_and(|it| it == "jsonl"));
    let text: String = files.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn document(sandbox: &Sandbox, session: &str) -> Value {
    sandbox.json(&format!(".claude/hookbin/state/sessions/{session}.json"))
}

#[test]
fn sx_04_3200_events_of_64_processes_are_3200_actions_and_3200_records() {
    let _alone = crowd();
    for log in ["", "[log]\nmax_bytes = 102400\nkeep = 1000\n"] {
        let sandbox = Sandbox::new();
        sandbox.write_own(&format!("profile = [\"spf\"]\n{log}"));
        storm(&sandbox, &["one"], 64, 50);
        let activity = &document(&sandbox, "one")["activity"];
        assert_eq!(activity["action_count"], 3_200);
        let view = sandbox.json(".claude/hookbin/state/session.json");
        assert_eq!(view["action_count"], 3_200);
        assert_eq!(view["files_read"].as_array().unwrap().len(), 200);
        assert_eq!(view["files_read_total"], 300);
        assert!(sandbox.read(".claude/hookbin/state/STATUS.txt").contains("Session Actions: 3200"));
        assert_eq!(sandbox.read(".claude/hookbin/state/spf.log").lines().count(), 3_200);
        let records = logged(&sandbox);
        assert_eq!(records.len(), 3_200);
        let calls: HashSet<&str> = records.iter().map(|record| record["tool_use_id"].as_str().unwrap()).collect();
        assert_eq!(calls.len(), 3_200);
        let ran = sandbox.cli(&["log", "verify", "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.json()["records"], 3_200);
        let files = tree(&sandbox.log()).len();
        assert!(if log.is_empty() { files <= 2 } else { files > 5 }, "{files} files");
    }
}

#[test]
fn sx_04_two_sessions_at_once_stay_apart() {
    let _alone = crowd();
    let sandbox = Sandbox::with_profile("spf");
    storm(&sandbox, &["one", "two"], 8, 20);
    for session in ["one", "two"] {
        assert_eq!(document(&sandbox, session)["activity"]["action_count"], 80);
    }
    let view = sandbox.json(".claude/hookbin/state/session.json");
    assert_eq!(view["action_count"], 80, "the view shows one session whole: {view}");
}

/// Other programs read the views while hooks write them, and also the files that wait to be written again: whoever opens one of those
/// waits for the writer and does not end it.
#[test]
fn a_reader_never_finds_half_a_document() {
    let sandbox = Sandbox::with_profile("spf");
    let paths = ["session.json", ".session.json.spare"].map(|name| sandbox.state(name));
    thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|worker| {
                let sandbox = &sandbox;
                scope.spawn(move || {
                    for n in 0..40 {
                        let ran = sandbox.hook(&["PostToolUse"], &call("one", worker * 40 + n));
                        assert_eq!(ran.code, Some(0), "{ran:?}");
                    }
                })
            })
            .collect();
        let mut reads = [0; 2];
        while !writers.iter().all(thread::ScopedJoinHandle::is_finished) {
            for (path, count) in paths.iter().zip(&mut reads) {
                if let Ok(text) = std::fs::read_to_string(path) {
                    let seen: Result<Value, _> = serde_json::from_str(&text);
                    assert!(seen.is_ok(), "{text:?}");
                    *count += 1;
                }
            }
        }
        assert!(reads[0] > 0);
        #[cfg(target_os = "linux")]
        assert!(reads[1] > 0);
    });
}

/// An update writes into a file that an earlier one replaced, and never into one that somebody is still reading.
#[cfg(target_os = "linux")]
#[test]
fn a_replaced_file_is_written_again_and_not_while_it_is_read() {
    use std::io::Read;
    use std::os::unix::fs::MetadataExt;

    let sandbox = Sandbox::with_profile("spf");
    let path = sandbox.state("session.json");
    let inode = |path: &std::path::Path| std::fs::metadata(path).map(|meta| meta.ino()).ok();
    let spare = || inode(&sandbox.state(".session.json.spare"));
    let mut next = 0;
    let mut update = || {
        next += 1;
        sandbox.hook(&["PostToolUse"], &call("one", next));
        inode(&path)
    };
    update();
    update();
    for _ in 0..4 {
        let replaced = spare();
        assert!(replaced.is_some());
        assert_eq!(update(), replaced);
    }

    let mut readers = Vec::new();
    for _ in 0..4 {
        readers.push((std::fs::read_to_string(&path).unwrap(), std::fs::File::open(&path).unwrap()));
        update();
    }
    for (before, mut reader) in readers {
        let mut now = String::new();
        reader.read_to_string(&mut now).unwrap();
        assert_eq!(now, before);
    }
    // Once nobody reads it any more, the last file serves again. A process that another test is just starting may
    // still hold a copy of the readers' descriptors, so it is not always the first update that finds the file free.
    let served = (0..100).any(|_| {
        let replaced = spare();
        replaced.is_some() && update() == replaced
    });
    assert!(served);
}

#[test]
fn a_killed_run_leaves_whole_documents_and_loses_no_finished_update() {
    let sandbox = Sandbox::with_profile("spf");
    let count = |text: &str| serde_json::from_str::<Value>(text).unwrap()["activity"]["action_count"].as_u64().unwrap();
    let path = sandbox.state("sessions/one.json");
    let begin = std::time::Instant::now();
    sandbox.hook(&["PostToolUse"], &call("one", 0));
    let whole = begin.elapsed();
    let (mut least, mut most) = (1, 1);
    for n in 1..120_u32 {
        let mut child = sandbox
            .command(&["hook", "PostToolUse"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let payload = call("one", usize::try_from(n).unwrap());
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), &payload).unwrap();
        // Every tenth comes to its end, and the others are killed at points of a run that are spread over all of it.
        if n % 10 > 0 {
            thread::sleep(whole * n / 120);
            child.kill().unwrap();
        }
        let finished = child.wait().unwrap().success();
        most += 1;
        let found = count(&std::fs::read_to_string(&path).unwrap());
        least += u64::from(finished);
        assert!((least..=most).contains(&found), "{found} of {least} to {most}");
        (least, most) = (found, found);
    }
    assert!(least > 11, "each tenth run came to its end");
    sandbox.hook(&["PostToolUse"], &call("one", 120));
    assert_eq!(document(&sandbox, "one")["activity"]["action_count"], least + 1);
    assert_eq!(sandbox.json(".claude/hookbin/state/session.json")["action_count"], least + 1);
    assert_eq!(sandbox.cli(&["state", "verify"]).code, Some(0));
    assert!(tree(&sandbox.path(".claude/hookbin/state")).iter().all(|path| !path.ends_with(".tmp")));
}

/// A word of the user and changes of files by 64 processes: the status is whole at every moment, each file is listed once in the list
/// of the session that wrote it, and what is said after all others have ended holds.
#[test]
fn sx_04_proof_status_and_lists_of_changes_survive_64_processes() {
    const SESSIONS: [&str; 2] = ["one", "two"];
    let _alone = crowd();
    let sandbox = Sandbox::with_profile("guardrails");
    sandbox.write(".claude/hookbin.toml", "profile = [\"guardrails\"]\n[log]\nmax_bytes = 102400\nkeep = 1000\n");
    let project = sandbox.project().display().to_string();
    let wrote = |session: &str, id: &str| {
        let input = json!({"file_path": format!("{project}/src/f{id}.rs"), "content": "//! A file.\n"});
        json!({"session_id": session, "cwd": project, "hook_event_name": "PostToolUse", "tool_name": "Write", "tool_use_id": format!("toolu_{id}"),
            "tool_input": input, "tool_response": {"success": true}})
    };
    let confirmed = |session: &str| json!({"session_id": session, "cwd": project, "hook_event_name": "UserPromptSubmit", "prompt": "verified"});
    let send = |event: Value| {
        let name = event["hook_event_name"].as_str().unwrap();
        let ran = sandbox.hook(&[name], event.to_string().as_bytes());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran
    };
    let status = || {
        let text = std::fs::read_to_string(sandbox.path(".claude/.proof-status")).unwrap();
        let (word, epoch) = text.trim_end().split_once('|').unwrap_or_else(|| panic!("half a status: {text:?}"));
        assert!(epoch.parse::<i64>().is_ok_and(|epoch| epoch > 1_700_000_000), "half a status: {text:?}");
        word.to_owned()
    };
    for session in SESSIONS {
        send(wrote(session, &format!("first-{session}")));
        send(confirmed(session));
    }
    assert_eq!(status(), "verified");

    let said: usize = thread::scope(|scope| {
        let workers: Vec<_> = (0..64)
            .map(|worker| {
                let (send, wrote, confirmed) = (&send, &wrote, &confirmed);
                scope.spawn(move || {
                    let session = SESSIONS[worker % 2];
                    let mut said = 0;
                    for n in 0..50 {
                        if n % 5 == 4 {
                            said += usize::from(send(confirmed(session)).stdout.contains("has confirmed the work"));
                        } else {
                            send(wrote(session, &format!("{worker}-{n}")));
                        }
                    }
                    said
                })
            })
            .collect();
        while !workers.iter().all(thread::ScopedJoinHandle::is_finished) {
            assert!(["verified", "pending"].contains(&status().as_str()));
        }
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert_eq!(said, 640, "every word was heard");

    for (index, session) in SESSIONS.iter().enumerate() {
        let list = sandbox.read(&format!(".claude/.session-changes-{session}"));
        let mut listed: Vec<&str> = list.lines().collect();
        listed.sort_unstable();
        let files = (0..64).filter(|worker| worker % 2 == index);
        let all = files.flat_map(|worker| (0..50).filter(|n| n % 5 != 4).map(move |n| format!("{worker}-{n}")));
        let mut wanted: Vec<String> =
            all.chain([format!("first-{session}")]).map(|id| format!("{project}/src/f{id}.rs")).collect();
        wanted.sort_unstable();
        assert_eq!(listed, wanted);
    }
    let records = logged(&sandbox);
    assert_eq!(records.len(), 3_204);
    let ran = sandbox.cli(&["log", "verify", "--json"]);
    assert_eq!((ran.code, &ran.json()["records"]), (Some(0), &json!(3_204)), "{ran:?}");
    assert_eq!(sandbox.cli(&["state", "verify"]).code, Some(0));
    let audit = sandbox.read(".claude/.audit-log");
    assert_eq!(audit.lines().filter(|line| line.contains("proof_verified")).count(), 642);

    send(confirmed("one"));
    assert_eq!(status(), "verified");
    send(wrote("two", "last"));
    assert_eq!(status(), "pending");
    send(confirmed("two"));
    assert_eq!(status(), "verified");
}
