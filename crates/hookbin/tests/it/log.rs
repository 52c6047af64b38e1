//! `hookbin log` and `hookbin status` for people and for other programs.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::recorder::{Recorder, SESSION, busy};
use crate::sandbox::Sandbox;

fn worked(profile: &str) -> Sandbox {
    let sandbox = Sandbox::with_profile(profile);
    busy(&mut Recorder::live(&sandbox));
    sandbox
}

fn records(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn filters_fit_together() {
    let sandbox = worked("standard");
    let all = records(&sandbox.read(".claude/hookbin/log/audit.jsonl"));
    let export = |args: &[&str]| records(&sandbox.cli(&[&["log", "export"], args].concat()).stdout);
    assert_eq!(export(&[]), all);
    let count = |fits: &dyn Fn(&Value) -> bool| all.iter().filter(|record| fits(record)).count();
    for (args, expected) in [
        (["--event", "PreToolUse"].as_slice(), count(&|record| record["event"] == "PreToolUse")),
        (
            &["--event", "PreToolUse,Stop"],
            count(&|record| record["event"] == "PreToolUse" || record["event"] == "Stop"),
        ),
        (&["--verdict", "deny"], count(&|record| record["verdict"] == "deny")),
        (
            &["--verdict", "none", "--tool", "Bash"],
            count(&|record| record["verdict"].is_null() && record["tool"] == "Bash"),
        ),
        (&["--tool", "Web*"], count(&|record| record["tool"] == "WebSearch")),
        (&["--session", "1111"], all.len()),
        (&["--session", "2222"], 0),
        (
            &["--since", "2026-11-01T10:00:20Z"],
            count(&|record| record["time"].as_str().unwrap() >= "2026-11-01T10:00:20"),
        ),
        (&["--since", "2026-11-02"], 0),
    ] {
        assert_eq!(export(args).len(), expected, "{args:?}");
        let stats = sandbox.cli(&[&["log", "stats", "--json"], args].concat()).json();
        assert_eq!(stats["records"], expected, "{args:?}");
        let tail = sandbox.cli(&[&["log", "tail", "-n", "3"], args].concat());
        assert_eq!(tail.stdout.lines().count(), expected.min(3), "{args:?}");
    }
    assert!(count(&|record| record["verdict"] == "deny") > 0);
    // The clock is the run's own: two hours before a time of the session.
    let mut command = sandbox.command(&["log", "export", "--since", "10s"]);
    command.env("HOOKBIN_NOW", "2026-11-01T10:00:30Z");
    let late = records(&crate::sandbox::run(command, b"").stdout);
    assert_eq!(late.len(), count(&|record| record["time"].as_str().unwrap() >= "2026-11-01T10:00:20"));
    let stats = sandbox.cli(&["log", "stats", "--json"]).json();
    assert_eq!(stats["by_rule"]["delete-system"], 1, "{stats}");
    for args in [
        ["log", "tail", "--since", "yesterday"],
        ["log", "tail", "--verdict", "maybe"],
        ["log", "export", "--format", "xml"],
    ] {
        assert_eq!(sandbox.cli(&args).code, Some(64), "{args:?}");
        // Nor is it taken for good because there is no log yet.
        assert_eq!(Sandbox::new().cli(&args).code, Some(64), "{args:?}");
    }
    let mistyped = sandbox.cli(&["log", "tail", "--event", "PreTolUse"]);
    assert_eq!((mistyped.stdout.as_str(), mistyped.stderr.as_str()), ("", "no record fits\n"));
    assert_eq!(sandbox.cli(&["log", "tail", "--event", "Stop"]).stderr, "");
}

#[test]
fn what_is_recorded_is_followed_over_rotations() {
    let sandbox = Sandbox::new();
    sandbox.write_own("profile = [\"standard\"]\n[log]\nmax_bytes = 4096\nkeep = 50\n");
    let mut tail =
        sandbox.command(&["log", "tail", "-f", "--json", "--tool", "Bash"]).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(tail.stdout.take().unwrap()).lines();
    let mut recorder = Recorder::live(&sandbox);
    for number in 0..40 {
        recorder.bash(&format!("echo {number} {}", "x".repeat(200)));
    }
    recorder.call("WebSearch", &json!({"query": "a"}));
    assert!(crate::sandbox::tree(&sandbox.log()).len() > 5, "nothing was rotated");
    // Each call has a record before and one behind it; the loop ends when all are there, or never.
    let seen: Vec<u64> = lines
        .take(80)
        .map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap()["seq"].as_u64().unwrap())
        .collect();
    tail.kill().unwrap();
    tail.wait().unwrap();
    let expected = records(&sandbox.cli(&["log", "export", "--tool", "Bash"]).stdout);
    let expected: Vec<u64> = expected.iter().map(|record| record["seq"].as_u64().unwrap()).collect();
    assert_eq!(seen, expected);
}

/// Cells of RFC 4180.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let row = rows.last_mut().unwrap();
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => row.last_mut().unwrap().push(chars.next().unwrap()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\r' if !quoted && chars.peek() == Some(&'\n') => {
                chars.next();
                rows.push(vec![String::new()]);
            }
            c => row.last_mut().unwrap().push(c),
        }
    }
    assert_eq!(rows.pop(), Some(vec![String::new()]), "the last row is closed");
    rows
}

#[test]
fn records_go_to_other_programs() {
    let sandbox = worked("standard");
    Recorder::live(&sandbox).bash("=cmd, \"quoted\"\nsecond line");
    let all = records(&sandbox.read(".claude/hookbin/log/audit.jsonl"));

    let table = rows(&sandbox.cli(&["log", "export", "--format", "csv"]).stdout);
    assert_eq!(table.len(), all.len() + 1);
    let column = |name: &str| table[0].iter().position(|head| head == name).unwrap();
    assert!(table.iter().all(|row| row.len() == table[0].len()));
    for (row, record) in table.iter().skip(1).zip(&all) {
        assert_eq!(row[column("seq")], record["seq"].to_string());
        assert_eq!(row[column("event")], record["event"].as_str().unwrap());
        assert_eq!(row[column("verdict")], record["verdict"].as_str().unwrap_or_default());
    }
    // A spreadsheet must not run what an agent typed.
    let typed = table.iter().find(|row| row[column("command")].contains("quoted")).unwrap();
    assert_eq!(typed[column("command")], "'=cmd, \"quoted\"\nsecond line");

    // The names and number forms are those of OpenTelemetry's JSON encoding of LogsData.
    let otlp = sandbox.cli(&["log", "export", "--format", "otlp-json"]).json();
    let resource = &otlp["resourceLogs"][0];
    assert_eq!(
        resource["resource"]["attributes"][0],
        json!({"key": "service.name", "value": {"stringValue": "hookbin"}})
    );
    let logs = resource["scopeLogs"][0]["logRecords"].as_array().unwrap();
    assert_eq!(logs.len(), all.len());
    let attribute = |log: &Value, key: &str| -> Value {
        let found = log["attributes"].as_array().unwrap().iter().find(|one| one["key"] == key);
        found.map(|one| one["value"].clone()).unwrap_or_default()
    };
    let refused = logs.iter().zip(&all).find(|(_, record)| record["rule"] == "delete-system").unwrap();
    // 2026-11-01T10:00:00Z is second 1,793,527,200 since 1970.
    let time: u64 = refused.0["timeUnixNano"].as_str().unwrap().parse().unwrap();
    assert_eq!(time / 1_000_000_000 / 3600, 1_793_527_200 / 3600);
    assert_eq!((&refused.0["severityNumber"], &refused.0["severityText"]), (&json!(13), &json!("WARN")));
    assert_eq!(refused.0["eventName"], "hookbin.PreToolUse");
    assert_eq!(attribute(refused.0, "session.id"), json!({"stringValue": SESSION}));
    assert_eq!(attribute(refused.0, "hookbin.seq"), json!({"intValue": refused.1["seq"].to_string()}));
    assert_eq!(attribute(refused.0, "hookbin.rule"), json!({"stringValue": "delete-system"}));
    assert!(refused.0["body"]["stringValue"].as_str().unwrap().contains("rm -rf /"));
    let prompt = logs.iter().find(|log| log["eventName"] == "hookbin.UserPromptSubmit").unwrap();
    assert_eq!(attribute(prompt, "hookbin.extra.prompt_chars"), json!({"intValue": "67"}));

    // Nothing recorded is an empty document of each form.
    let empty = Sandbox::new();
    assert_eq!(empty.cli(&["log", "export"]).stdout, "");
    assert_eq!(rows(&empty.cli(&["log", "export", "--format", "csv"]).stdout).len(), 1);
    assert_eq!(
        empty.cli(&["log", "export", "--format", "otlp-json"]).json()["resourceLogs"][0]["scopeLogs"][0]["logRecords"],
        json!([])
    );
}

#[test]
fn status_is_one_screen_or_one_line() {
    let sandbox = worked("standard,guardrails,sane");
    sandbox.write(".claude/.test-status", "fail|3|1793527200\n");
    sandbox.write(".claude/.proof-status", "pending|1793527200\n");
    let mut command = sandbox.command(&["status"]);
    command.env("HOOKBIN_NOW", "2026-11-01T10:05:00Z");
    let screen = crate::sandbox::run(command, b"").stdout;
    for words in
        ["tests    fail (3), 5 min ago", "proof    pending, 5 min ago", "breaker  ", "refused  2026-11-01 10:", SESSION]
    {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    assert!(screen.lines().count() <= 24, "{screen}");
    let json = sandbox.cli(&["status", "--json"]).json();
    assert_eq!(
        (&json["tests"]["state"], &json["tests"]["failed"], &json["proof"]["state"]),
        (&json!("fail"), &json!(3), &json!("pending"))
    );
    let denied = records(&sandbox.cli(&["log", "export", "--verdict", "deny"]).stdout).len();
    assert_eq!(json["recent"]["denied"], denied);
    assert!(denied > 0 && json["signed"]["breaker_tripped"].is_boolean());

    let line = sandbox.cli(&["status", "--line"]);
    // Nothing is installed here, which a script has to notice.
    assert_eq!((line.code, line.stdout.lines().count()), (Some(4), 1));
    for words in [
        "hookbin OFF: not installed here · standard+guardrails+sane",
        &format!("{denied} refused"),
        "tests fail",
        "proof pending",
    ] {
        assert!(line.stdout.contains(words), "{words}: {}", line.stdout);
    }
    // A status line never breaks the host's: neither where nothing is recorded nor where the configuration is broken.
    assert_eq!(Sandbox::new().cli(&["status", "--line"]).stdout, "hookbin OFF: not installed here\n");
    sandbox.write(".claude/hookbin.toml", "profile = ");
    let line = sandbox.cli(&["status", "--line"]);
    assert!(line.code == Some(4) && line.stdout.lines().count() == 1, "{line:?}");
    assert_eq!(sandbox.cli(&["status", "--line", "--json"]).code, Some(64));
}

/// What the log's own bounds took is no fault, and nobody has to work it out from the numbers.
#[test]
fn verify_says_that_the_first_records_are_gone() {
    let sandbox = worked("standard");
    let whole = sandbox.cli(&["log", "verify"]);
    assert!(whole.stdout.ends_with("the chain is whole\n") && !whole.stdout.contains("earlier"), "{whole:?}");
    sandbox.write_own("[log]\nkeep = 0\nmax_bytes = 1\ntotal_max_bytes = 1\n");
    busy(&mut Recorder::live(&sandbox));
    let left = sandbox.cli(&["log", "verify", "--json"]).json();
    let first = left["first_seq"].as_u64().unwrap();
    assert!(first > 1, "{left}");
    let said = sandbox.cli(&["log", "verify"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let gone = format!("note: {} earlier records are gone: the chain begins at record {first}\n", first - 1);
    assert!(said.stdout.contains(&gone), "{said:?}");
    assert!(said.stdout.ends_with(&format!("the chain is whole from record {first} on\n")), "{said:?}");
    assert!(
        left["notes"]
            .as_array()
            .unwrap()
            .iter()
            .any(|note| note.as_str().unwrap().contains("earlier records are gone"))
    );
}
