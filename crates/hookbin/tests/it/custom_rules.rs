//! Many rules of a user's own: a run reads those that its call could meet, and none gets lost on the way through the compiled file.

use std::path::PathBuf;
use std::thread;

use hook_policy::rule::fingerprint;
use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

/// A condition of each kind that rules are found by, with a call that it fits and one that it does not.
const KINDS: [(&str, &str, &str); 8] = [
    ("program = \"tool@\"\nargs = [\"*prod*\"]", "tool@ prod", "tool@ test"),
    ("program = [\"first@\", \"second@\"]", "env A=1 second@ x", "third@ x"),
    ("program = \"*-tool@-*\"", "my-tool@-x", "my-tool@"),
    ("tool = \"Bash\"\nargs = [\"srv@.*\"]", "sudo ssh srv@.net", "ssh srv@x.net"),
    ("tool = \"Edit|Write\"\npath = [\"**/dir@/**\", \"/only/here@\"]", "/a/dir@/b.rs", "/a/dir@"),
    ("path = \"*.e@\"", "/a/b.e@", "/a/b.e@x"),
    ("tool = \"Bash\"\ntext = \"to box@;\"", "echo 'to box@;'", "echo 'to box@'"),
    ("tool = \"Bash\"\nmatches = \"key@=[0-9]\"", "echo key@=7", "echo key@=x"),
];

/// So many rules, of each kind in turn.
fn rules(count: usize) -> String {
    let rule = |number: usize| {
        let (condition, should_match, should_not_match) = KINDS[number % KINDS.len()];
        let text = format!(
            "[[rule]]\nid = \"own-{number}\"\n{condition}\nthen = \"deny\"\nreason = \"not here\"\nshould_match = [{should_match:?}]\nshould_not_match = [{should_not_match:?}]\n"
        );
        text.replace('@', &number.to_string())
    };
    (0..count).map(rule).collect()
}

/// The call that an example of a rule of this number stands for.
fn call(number: usize, example: &str) -> Vec<u8> {
    let text = example.replace('@', &number.to_string());
    let (tool, input) = if text.starts_with('/') {
        ("Write", json!({"file_path": text, "content": "x"}))
    } else {
        ("Bash", json!({"command": text}))
    };
    json!({"session_id": "s", "cwd": "/", "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "t"})
        .to_string()
        .into_bytes()
}

fn ask(sandbox: &Sandbox, number: usize, example: &str) -> Ran {
    let ran = sandbox.hook(&["PreToolUse"], &call(number, example));
    assert!(matches!(ran.code, Some(0 | 2)), "{ran:?}");
    ran
}

/// Refused by the rule of this number and nothing else.
fn is_refused(sandbox: &Sandbox, number: usize) -> bool {
    let ran = ask(sandbox, number, KINDS[number % KINDS.len()].1);
    ran.code == Some(2) && ran.stderr.contains(&format!("(rule own-{number})"))
}

fn configure(sandbox: &Sandbox, rules: &str) {
    // Under another name first, as an editor saves: nobody reads half a file.
    sandbox.write(".claude/hookbin.toml.new", &format!("profile = [\"collective\"]\n{rules}"));
    std::fs::rename(sandbox.path(".claude/hookbin.toml.new"), sandbox.path(".claude/hookbin.toml")).unwrap();
    sandbox.trust();
}

fn compiled(sandbox: &Sandbox) -> PathBuf {
    sandbox.compiled()
}

#[test]
fn every_kind_of_rule_among_many_fires_and_spares_as_it_says() {
    let sandbox = Sandbox::new();
    configure(&sandbox, &rules(800));
    assert_eq!(ask(&sandbox, 0, "ls").code, Some(0));
    let bytes = std::fs::metadata(compiled(&sandbox)).unwrap().len();
    assert!(bytes > 50_000, "the rules are not there: {bytes} bytes");
    for number in (0..8).chain(400..408).chain(792..800) {
        assert!(is_refused(&sandbox, number), "{number} does not fire");
        let ran = ask(&sandbox, number, KINDS[number % KINDS.len()].2);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{number} does not spare: {ran:?}");
    }
    assert_eq!(std::fs::metadata(compiled(&sandbox)).unwrap().len(), bytes);
}

/// What is wrong with the compiled file shows in no answer, and the next run finds a whole one.
#[test]
fn no_rule_is_off_because_the_compiled_file_is_damaged() {
    let sandbox = Sandbox::new();
    configure(&sandbox, &rules(64));
    let number = 4;
    assert!(is_refused(&sandbox, number));
    let whole = std::fs::read(compiled(&sandbox)).unwrap();
    let length = whole.len();
    let mut damaged: Vec<(String, Vec<u8>)> = Vec::new();
    // A place in every forty bytes, in every run of the test another one of them by the file's own content.
    for start in (0..length).step_by(40) {
        let place = (start + usize::from(whole[start]) % 40).min(length - 1);
        let mut bytes = whole.clone();
        bytes[place] ^= 0x10;
        damaged.push((format!("bit at {place} of {length}"), bytes));
    }
    for part in 0..16 {
        let (start, end) = (length * part / 16, length * (part + 1) / 16);
        let mut bytes = whole.clone();
        bytes[start..end].fill(0);
        damaged.push((format!("zeros from {start}"), bytes));
        damaged.push((format!("cut at {start}"), whole[..start].to_vec()));
    }
    damaged.push(("twice".to_owned(), whole.repeat(2)));
    damaged.push(("of an older version".to_owned(), [b"hookbin\x01", &whole[8..]].concat()));
    let mut renewed = 0;
    for (what, bytes) in damaged {
        std::fs::write(compiled(&sandbox), &bytes).unwrap();
        assert!(is_refused(&sandbox, number), "{what}");
        renewed += usize::from(std::fs::read(compiled(&sandbox)).unwrap() != bytes);
        assert!(is_refused(&sandbox, number), "{what}, the run after it");
    }
    // What the call does not meet is not looked at, but all else is.
    assert!(renewed > 40, "{renewed} files were rebuilt");
}

/// A file that another build has made is not believed, even where it fits the configuration to a hair.
#[test]
fn a_compiled_file_of_another_build_is_not_believed() {
    let sandbox = Sandbox::new();
    configure(&sandbox, &rules(64));
    assert!(is_refused(&sandbox, 0));
    let whole = std::fs::read(compiled(&sandbox)).unwrap();
    assert!(is_refused(&sandbox, 0));
    assert_eq!(std::fs::read(compiled(&sandbox)).unwrap(), whole, "the compiled file is believed, and stays");

    let head = 20..20 + u32::from_le_bytes(whole[8..12].try_into().unwrap()) as usize;
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    let place = whole[head.clone()].windows(version.len()).position(|bytes| bytes == version).unwrap();
    let mut bytes = whole.clone();
    bytes[head.start + place] = b'9';
    let print = fingerprint(&bytes[head], 0).to_le_bytes();
    bytes[12..20].copy_from_slice(&print);
    std::fs::write(compiled(&sandbox), bytes).unwrap();
    assert!(is_refused(&sandbox, 0));
    assert_eq!(std::fs::read(compiled(&sandbox)).unwrap(), whole, "another build's file is believed");
}

/// Rules come and go while hooks run: one that is in force before and after is in force all the time, in each project its own.
#[test]
fn rules_that_stay_hold_while_others_come_and_go() {
    let projects = [Sandbox::new(), Sandbox::new()];
    let all = rules(72);
    let (first, rest) = all.split_at(all.find("[[rule]]\nid = \"own-40\"").unwrap());
    configure(&projects[0], &all);
    configure(&projects[1], first);
    assert!(is_refused(&projects[0], 66) && !is_refused(&projects[1], 66));
    thread::scope(|scope| {
        let workers: Vec<_> = (0..6)
            .map(|worker| {
                let sandbox = &projects[worker % 2];
                scope.spawn(move || {
                    for round in 0..12 {
                        let number = (worker + round) % 40;
                        assert!(is_refused(sandbox, number), "{number}");
                        assert_eq!(ask(sandbox, number, KINDS[number % KINDS.len()].2).code, Some(0), "{number}");
                    }
                })
            })
            .collect();
        let mut round = 0;
        while !workers.iter().all(thread::ScopedJoinHandle::is_finished) {
            round += 1;
            configure(&projects[round % 2], if round / 2 % 2 == 0 { first } else { &all });
            thread::sleep(std::time::Duration::from_millis(30));
        }
    });
    configure(&projects[0], &format!("{rest}{first}"));
    configure(&projects[1], rest);
    assert!(is_refused(&projects[0], 66) && is_refused(&projects[0], 3));
    assert!(is_refused(&projects[1], 66) && !is_refused(&projects[1], 3));
}

/// A prompt and a finished call are held against their own rules only.
#[test]
fn rules_of_other_events_are_found_as_well() {
    let sandbox = Sandbox::new();
    let extra = "[[rule]]\nid = \"after\"\nevent = \"PostToolUse\"\nprogram = \"deploy\"\nthen = \"advise\"\nreason = \"look at the graphs\"\n\
                 should_match = [\"deploy\"]\nshould_not_match = [\"ls\"]\n\
                 [[rule]]\nid = \"words\"\nevent = \"UserPromptSubmit\"\ntext = \"*production*\"\nthen = \"deny\"\nreason = \"not in here\"\n\
                 should_match = [\"to production\"]\nshould_not_match = [\"to staging\"]\n";
    configure(&sandbox, &format!("{}{extra}", rules(200)));
    let done = json!({"session_id": "s", "cwd": "/", "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "t",
        "tool_input": {"command": "deploy"}, "tool_response": {"stdout": ""}});
    let prompt =
        |text: &str| json!({"session_id": "s", "cwd": "/", "hook_event_name": "UserPromptSubmit", "prompt": text});
    for _ in 0..2 {
        let ran = sandbox.hook(&["PostToolUse"], done.to_string().as_bytes());
        assert!(ran.stdout.contains("look at the graphs (rule after)"), "{ran:?}");
        let ran = sandbox.hook(&["UserPromptSubmit"], prompt("bring it to production").to_string().as_bytes());
        assert_eq!(ran.json()["decision"], Value::from("block"), "{ran:?}");
        let ran = sandbox.hook(&["UserPromptSubmit"], prompt("bring it to staging").to_string().as_bytes());
        assert!(!ran.stdout.contains("block"), "{ran:?}");
        assert_eq!(ask(&sandbox, 0, "deploy").code, Some(0));
    }
}

/// "Good" beside an exit code that says otherwise helps nobody.
#[test]
fn a_check_calls_good_only_what_it_has_nothing_to_say_about() {
    let sandbox = Sandbox::new();
    let rule = "[[rule]]\nid = \"a\"\nprogram = \"psql\"\nthen = \"deny\"\nreason = \"r\"\nshould_match = [\"psql x\"]\nshould_not_match = [\"ls\"]\n";
    let shadowed = rule.replace("\"a\"", "\"b\"").replace("psql x", "psql y") + "args = [\"y\"]\n";
    for (file, code, head) in [
        (rule.to_owned(), 0, "good, custom rules: 1"),
        (format!("{rule}suggest = \"psql z\"\n"), 4, "custom rules: 1, 1 of them with something to correct"),
        (format!("{rule}{shadowed}"), 4, "custom rules: 2, 1 of them with something to correct"),
    ] {
        sandbox.write(".claude/hookbin.toml", &file);
        let ran = sandbox.cli(&["config", "check"]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stdout.lines().next().unwrap().ends_with(head), "{}", ran.stdout);
    }
}

/// A faulty rule of the user's file says nothing about the rule that stands on the same line of the project's.
#[test]
fn rules_of_two_files_are_told_apart() {
    let sandbox = Sandbox::new();
    let rule = "[[rule]]\nid = \"a\"\nprogram = \"psql\"\nthen = \"deny\"\nreason = \"r\"\nshould_match = [\"psql x\"]\nshould_not_match = [\"ls\"]\n";
    sandbox.write(".claude/hookbin.toml", rule);
    let own = sandbox.home().join(".config/hookbin/hookbin.toml");
    std::fs::create_dir_all(own.parent().unwrap()).unwrap();
    std::fs::write(&own, rule.replace("\"a\"", "\"b\"").replace("[\"ls\"]", "[]")).unwrap();
    let ran = sandbox.cli(&["config", "check", "--json"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    let files = ran.json();
    assert_eq!(files["files"][0]["left_out"].as_array().map(Vec::len), Some(1), "{files}");
    assert_eq!(files["files"][1]["rules"][0]["id"], "a", "{files}");
}
