//! A replay as an embedder asks for it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hook_replay::chrono::DateTime;
use hook_replay::{Order, Policy, Report, System, run};
use serde_json::{Value, json};

/// Surroundings with a home of their own, so that nothing of whoever runs the tests counts.
fn system(dir: &Path) -> System {
    let home = OsString::from(dir.join("home"));
    System::new(move |name| (name == "HOME").then(|| home.clone()), DateTime::UNIX_EPOCH, Some(dir.to_owned()))
}

/// A transcript of a session that ran these commands, in the form that the host writes.
fn transcript(dir: &Path, commands: &[&str]) -> PathBuf {
    let project = dir.join("project");
    for made in [&project, &dir.join("home")] {
        std::fs::create_dir_all(made).unwrap();
    }
    let line = |number: usize, role: &str, part: &Value| {
        json!({"type": role, "uuid": format!("{role}-{number}"), "sessionId": "s", "cwd": project,
            "timestamp": format!("2026-11-01T10:00:{number:02}.000Z"), "message": {"role": role, "content": [part]}})
    };
    let mut text = String::new();
    for (number, command) in commands.iter().enumerate() {
        let id = format!("call-{number}");
        let call = json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}});
        let end = json!({"type": "tool_result", "tool_use_id": id, "content": "done"});
        for line in [line(number, "assistant", &call), line(number, "user", &end)] {
            text += &format!("{line}\n");
        }
    }
    let file = dir.join("11111111-2222-4333-8444-555555555555.jsonl");
    std::fs::write(&file, text).unwrap();
    file
}

fn replayed(dir: &Path, order: &Order) -> Report {
    run(order, &system(dir), &mut |_, _| {}).unwrap()
}

#[test]
fn two_policies_differ_where_one_has_a_rule_more() {
    let dir = tempfile::tempdir().unwrap();
    let past = transcript(dir.path(), &["ls", "deploy production", "rm -rf ~"]);
    let rule = "profile = \"standard\"\n[[rule]]\nid = \"no-deploy\"\nprogram = \"deploy\"\nthen = \"deny\"\n\
                reason = \"People deploy.\"\nshould_match = [\"deploy production\"]\nshould_not_match = [\"echo deploy\"]\n";
    let file = dir.path().join("team.toml");
    std::fs::write(&file, rule).unwrap();
    let order = Order::new([past], Policy::profile("standard")).against(Policy::File(file));
    let report = replayed(dir.path(), &order);
    assert_eq!((report.verdicts.calls.deny, report.verdicts.calls.none), (1, 2), "{report:?}");
    assert_eq!(report.second_verdicts.calls.deny, 2);
    let [difference] = report.differences.as_slice() else { panic!("{report:?}") };
    assert_eq!((difference.first.verdict, difference.second.verdict), ("none", "deny"));
    assert_eq!(difference.second.rule.as_deref(), Some("no-deploy"));
    assert_eq!(std::fs::read_dir(dir.path().join("project")).unwrap().count(), 0, "a project was written to");
}

#[test]
fn what_ran_is_held_against_a_policy() {
    let dir = tempfile::tempdir().unwrap();
    let past = transcript(dir.path(), &["ls", "rm -rf ~"]);
    let report = replayed(dir.path(), &Order::new([past], Policy::profile("standard")).expecting());
    assert_eq!((report.differences_total, report.undecidable), (1, 0), "{report:?}");
    let difference = report.differences.first().unwrap();
    assert_eq!((difference.subject.as_str(), difference.second.verdict), ("Bash: rm -rf ~", "deny"));
}

/// The profile in force in place of one that does not exist would say that nothing differs.
#[test]
fn a_profile_that_does_not_exist_is_an_error_on_either_side() {
    let dir = tempfile::tempdir().unwrap();
    let past = transcript(dir.path(), &["ls"]);
    let refused = |order: &Order| run(order, &system(dir.path()), &mut |_, _| {}).unwrap_err().to_string();
    let first = refused(&Order::new([&past], Policy::profile("standart")));
    assert!(first.contains("`standart`") && first.contains("standard, spf"), "{first}");
    let second = refused(&Order::new([&past], Policy::profile("standard")).against(Policy::profile("standart")));
    assert_eq!(first, second);
    let none = refused(&Order::new([&past], Policy::Profiles(Vec::new())));
    assert!(none.contains("name one of standard, spf"), "{none}");
}
