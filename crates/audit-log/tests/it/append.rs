//! One record: its line, its time, its strings, and what may stand in the way.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::Duration;

use hook_audit_log::text::TextLog;
use hook_audit_log::{AuditLog, COMMAND_CHARS, Error, Finding, Limits, Record, TEXT_CHARS, Value, verify};
use serde_json::{Value as Json, json};

use crate::support::{Trail, at, names, note};

fn line(record: &Record<'_>) -> Json {
    let trail = Trail::new();
    let done = trail.log.append(record).unwrap();
    let lines = trail.lines();
    assert_eq!(lines.len(), 1);
    assert_eq!(done.bytes, lines[0].len() as u64 + 1);
    assert!(verify(&trail.dir).unwrap().is_good());
    serde_json::from_str(&lines[0]).unwrap()
}

#[test]
fn every_member_is_written() {
    let record = Record {
        session: Some("s".into()),
        agent: Some("a".into()),
        profile: Some("p".into()),
        tool: Some("Bash".into()),
        tool_use_id: Some("toolu_1".into()),
        verdict: Some("deny".into()),
        check: Some("guard".into()),
        rule: Some("rm".into()),
        reason: Some("why".into()),
        command: Some("ls".into()),
        path: Some("/x".into()),
        result: Some("ok".into()),
        note: Some("n".into()),
        elapsed_us: Some(7),
        bytes: Some(8),
        exit_code: Some(-9),
        extra: vec![
            ("yes".into(), true.into()),
            ("no".into(), false.into()),
            ("int".into(), i64::MIN.into()),
            ("uint".into(), u64::MAX.into()),
            ("text".into(), "t".into()),
            ("texts".into(), Value::Texts(vec!["a".into(), "b".into()])),
            ("password".into(), "hunter2".into()),
        ],
        ..Record::new(at(0), "PreToolUse")
    };
    let mut value = line(&record);
    let members = value.as_object_mut().unwrap();
    assert_eq!(members.remove("hash").unwrap().as_str().unwrap().len(), 64);
    assert_eq!(
        value,
        json!({
            "v": 1, "event": "PreToolUse", "session": "s", "agent": "a", "profile": "p", "tool": "Bash", "tool_use_id": "toolu_1",
            "verdict": "deny", "check": "guard", "rule": "rm", "reason": "why", "command": "ls", "path": "/x", "result": "ok",
            "note": "n", "elapsed_us": 7, "bytes": 8, "exit_code": -9,
            "extra": {"yes": true, "no": false, "int": i64::MIN, "uint": u64::MAX, "text": "t", "texts": ["a", "b"], "password": "[redacted]"},
            "time": "2026-11-28T01:22:30.123456Z", "seq": 1, "prev": "0".repeat(64),
        })
    );
}

#[test]
fn sx_09_no_string_of_a_record_keeps_a_secret() {
    let secret = || Some("API_KEY=FAKEs3cr3tFAKE".into());
    let record = Record {
        session: secret(),
        agent: secret(),
        profile: secret(),
        tool: secret(),
        tool_use_id: secret(),
        verdict: secret(),
        check: secret(),
        rule: secret(),
        reason: secret(),
        command: secret(),
        path: secret(),
        result: secret(),
        note: secret(),
        extra: vec![
            ("--token FAKEs3cr3tFAKE".into(), "token=FAKEs3cr3tFAKE".into()),
            ("list".into(), Value::Texts(vec!["https://a:FAKEs3cr3tFAKE@h".into()])),
            ("client_secret".into(), Value::Texts(vec!["FAKEs3cr3tFAKE".into()])),
        ],
        ..Record::new(at(0), "password=FAKEs3cr3tFAKE")
    };
    let value = line(&record).to_string();
    assert!(!value.contains("FAKE"), "{value}");
    assert_eq!(value.matches("[redacted]").count(), 18, "{value}");
}

#[test]
fn sx_09_strings_are_cut() {
    let value = line(&Record {
        command: Some("é".repeat(5_000).into()),
        reason: Some("é".repeat(5_000).into()),
        path: Some("é".repeat(TEXT_CHARS).into()),
        ..Record::new(at(0), "x".repeat(5_000))
    });
    let cut = |limit: usize| format!("{}…", "é".repeat(limit - 1));
    assert_eq!(value["command"], cut(COMMAND_CHARS));
    assert_eq!(value["reason"], cut(TEXT_CHARS));
    assert_eq!(value["path"], "é".repeat(TEXT_CHARS));
    assert_eq!(value["event"].as_str().unwrap().chars().count(), TEXT_CHARS);
}

#[test]
fn no_string_forges_a_line_or_steers_a_terminal() {
    let hostile = "a\n{\"v\":1}\r\0\u{1b}[2J\u{7f}\u{9b}1m\u{2028}\u{202e}\u{feff}\"\\\t\",\"time\":\"x\u{61c}é🙂";
    let trail = Trail::new();
    for _ in 0..2 {
        trail
            .log
            .append(&Record {
                note: Some(hostile.into()),
                extra: vec![(hostile.into(), hostile.into())],
                ..Record::new(at(0), hostile)
            })
            .unwrap();
    }
    let text = fs::read_to_string(trail.file()).unwrap();
    assert_eq!(text.matches('\n').count(), 2);
    assert!(
        !text.chars().any(|c| c != '\n' && (c.is_control() || "\u{2028}\u{202e}\u{feff}\u{61c}".contains(c))),
        "{text}"
    );
    // Nothing is changed by that, only spelled.
    let value: Json = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(value["note"], hostile);
    assert!(verify(&trail.dir).unwrap().is_good());
}

#[test]
fn a_record_has_a_largest_size() {
    let control = "\u{1}".repeat(10_000);
    let big = || Some(control.as_str().into());
    let record = Record {
        session: big(),
        agent: big(),
        profile: big(),
        tool: big(),
        tool_use_id: big(),
        verdict: big(),
        check: big(),
        rule: big(),
        reason: big(),
        command: big(),
        path: big(),
        result: big(),
        note: big(),
        extra: (0..100).map(|n| (format!("k{n}").into(), control.as_str().into())).collect(),
        ..Record::new(at(0), control.as_str())
    };
    let trail = Trail::new();
    for _ in 0..3 {
        let done = trail.log.append(&record).unwrap();
        assert!(done.bytes <= 65_536, "{}", done.bytes);
    }
    let value: Json = serde_json::from_str(&trail.lines()[0]).unwrap();
    let kept = value["extra"].as_object().unwrap().len() as u64;
    assert_eq!(value["dropped"], 100 - kept);
    assert!(verify(&trail.dir).unwrap().findings.is_empty());
}

#[test]
fn time_never_goes_back() {
    let trail = Trail::new();
    for (seconds, back) in [(10, false), (5, true), (10, false), (11, false)] {
        let done = trail.log.append(&Record::new(at(seconds), "x")).unwrap();
        assert_eq!(done.clock_back, back);
    }
    let times: Vec<Json> = trail.lines().iter().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(times[1]["time"], times[0]["time"]);
    assert_eq!(times[1]["clock"], "2026-11-28T01:22:35.123456Z");
    assert_eq!(times[2]["clock"], Json::Null);
    assert_eq!(times[3]["time"], "2026-11-28T01:22:41.123456Z");
    assert!(verify(&trail.dir).unwrap().is_good());
}

#[test]
fn odd_times_have_the_form_too() {
    use chrono::{DateTime, Utc};
    for (time, text) in [
        (DateTime::<Utc>::MIN_UTC, "0000-01-01T00:00:00.000000Z"),
        (DateTime::from_timestamp(0, 0).unwrap(), "1970-01-01T00:00:00.000000Z"),
        (DateTime::from_timestamp(951_782_399, 999_999_999).unwrap(), "2000-02-28T23:59:59.999999Z"),
        // A leap second.
        (DateTime::from_timestamp(1_483_228_799, 1_500_000_000).unwrap(), "2016-12-31T23:59:59.999999Z"),
        (DateTime::<Utc>::MAX_UTC, "9999-12-31T23:59:59.999999Z"),
    ] {
        assert_eq!(line(&Record::new(time, "x"))["time"], text);
    }
}

#[test]
fn files_are_private() {
    let trail = Trail::new().filled(1);
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(trail.dir.clone()), 0o700);
    assert_eq!(mode(trail.file()), 0o600);
    assert_eq!(mode(trail.head()), 0o600);
    assert_eq!(names(&trail.dir), ["audit.jsonl", "chain.head"]);
}

#[test]
fn a_planted_link_is_set_aside_and_never_followed() {
    let trail = Trail::new().filled(2);
    let victim = trail.dir.parent().unwrap().join("victim");
    fs::write(&victim, "keep\n").unwrap();
    fs::remove_file(trail.file()).unwrap();
    for planted in [trail.file(), trail.head()] {
        let _ = fs::remove_file(&planted);
        symlink(&victim, &planted).unwrap();
    }
    let done = trail.log.append(&note(3)).unwrap();
    assert_eq!(done.set_aside, ["chain.head.set-aside-1", "audit.jsonl.set-aside-1"]);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "keep\n");
    assert_eq!(fs::read_link(trail.dir.join("audit.jsonl.set-aside-1")).unwrap(), victim);
    let value: Json = serde_json::from_str(&trail.lines()[0]).unwrap();
    assert_eq!(value["set_aside"], "chain.head.set-aside-1");
    let report = verify(&trail.dir).unwrap();
    assert_eq!(report.findings, [Finding::SetAside { seq: 1, name: "chain.head.set-aside-1".to_owned() }]);
}

/// With a root, no directory between it and the trail may be a link; what lies above it may.
#[test]
fn a_link_between_the_root_and_the_trail_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let (root, elsewhere) = (place.path().join("root"), place.path().join("elsewhere"));
    for dir in [&root, &elsewhere, &elsewhere.join("log")] {
        fs::create_dir(dir).unwrap();
    }
    symlink(&elsewhere, root.join("middle")).unwrap();
    let now = note(1);
    for inside in ["middle/log", "middle/new"] {
        let log = AuditLog::new(root.join(inside), Limits::default()).below(&root);
        log.append(&now).unwrap_err();
        log.begin(now.time).unwrap_err();
        let text = TextLog { root: Some(root.clone()), ..TextLog::new(root.join(inside).join("a.log")) };
        text.append("a line").unwrap_err();
    }
    assert_eq!(names(&elsewhere), ["log"]);
    assert_eq!(names(&elsewhere.join("log")), Vec::<String>::new());

    let link = place.path().join("by-link");
    symlink(&root, &link).unwrap();
    // So small that every record is rotated and the old files go.
    let limits = Limits { max_bytes: 1, keep: 1, total_max_bytes: 10_000 };
    let log = AuditLog::new(link.join("plain/log"), limits).below(&link);
    for number in 1..5 {
        log.append(&note(number)).unwrap();
    }
    assert!(verify(&root.join("plain/log")).unwrap().is_good());
    assert_eq!(names(&root.join("plain/log")).len(), 3);
    let text = TextLog { root: Some(link.clone()), max_bytes: 5, ..TextLog::new(link.join("plain/a.log")) };
    text.append("one line").unwrap();
    assert!(text.rotate_if_needed().unwrap());
    assert_eq!(names(&root.join("plain")), ["a.log", "a.log.1", "log"]);
}

#[test]
fn a_dangling_link_makes_no_file_elsewhere() {
    let trail = Trail::new().filled(1);
    let victim = trail.dir.parent().unwrap().join("not-there");
    fs::remove_file(trail.file()).unwrap();
    symlink(&victim, trail.file()).unwrap();
    trail.log.append(&note(2)).unwrap();
    assert!(!victim.exists());
    assert!(verify(&trail.dir).unwrap().findings.contains(&Finding::Gap { from: 1, to: 1 }));
}

#[test]
fn a_planted_dir_or_fifo_is_set_aside() {
    for fifo in [false, true] {
        let trail = Trail::new();
        fs::create_dir(&trail.dir).unwrap();
        if fifo {
            assert!(std::process::Command::new("mkfifo").arg(trail.file()).status().unwrap().success());
        } else {
            fs::create_dir(trail.file()).unwrap();
        }
        let done = trail.log.append(&note(1)).unwrap();
        assert_eq!((done.seq, done.set_aside), (1, vec!["audit.jsonl.set-aside-1".to_owned()]));
        assert!(verify(&trail.dir).unwrap().is_good());
    }
}

#[test]
fn a_fifo_in_place_of_the_lock_file_does_not_stop_the_log() {
    let trail = Trail::new().filled(1);
    fs::remove_file(trail.head()).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(trail.head()).status().unwrap().success());
    let foreign = Finding::Foreign { file: "chain.head".to_owned() };
    assert_eq!(verify(&trail.dir).unwrap().findings, [foreign, Finding::ChainHeadMissing]);
    let done = trail.log.append(&note(2)).unwrap();
    assert_eq!((done.seq, done.set_aside), (2, vec!["chain.head.set-aside-1".to_owned()]));
    assert_eq!(trail.log.append(&note(3)).unwrap().seq, 3);
}

#[test]
fn a_hard_link_to_a_victim_is_set_aside_and_a_backup_by_links_is_not() {
    let trail = Trail::new();
    fs::create_dir(&trail.dir).unwrap();
    let victim = trail.dir.parent().unwrap().join("victim");
    fs::write(&victim, "keep\n").unwrap();
    fs::hard_link(&victim, trail.file()).unwrap();
    assert_eq!(trail.log.append(&note(1)).unwrap().set_aside.len(), 1);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "keep\n");

    fs::hard_link(trail.file(), trail.dir.parent().unwrap().join("backup")).unwrap();
    assert!(trail.log.append(&note(2)).unwrap().set_aside.is_empty());
}

#[test]
fn a_file_in_the_dirs_place_is_an_error_that_says_so() {
    let trail = Trail::new();
    fs::write(&trail.dir, "not a directory").unwrap();
    let error = trail.log.append(&note(1)).unwrap_err();
    assert!(matches!(error, Error::Io { .. }));
    let text = error.to_string();
    assert!(
        text.contains(trail.dir.to_str().unwrap())
            && text.contains("move away what stands where the log directory belongs"),
        "{text}"
    );
    assert_eq!(fs::read_to_string(&trail.dir).unwrap(), "not a directory");
}

#[test]
fn waiting_for_the_lock_ends() {
    let trail = Trail::new().filled(1);
    let holder = fs::File::open(trail.head()).unwrap();
    holder.lock().unwrap();
    let log = AuditLog::new(&trail.dir, Limits::default()).with_lock_wait(Duration::from_millis(30));
    let error = log.append(&note(2)).unwrap_err();
    assert!(matches!(error, Error::Locked { .. }), "{error}");
    assert!(error.to_string().contains("within 30 ms"), "{error}");
    drop(holder);
    assert_eq!(log.append(&note(2)).unwrap().seq, 2);
}

#[test]
fn parents_are_created() {
    let trail = Trail::new();
    let deep = trail.dir.join("a/b");
    AuditLog::new(&deep, Limits::default()).append(&note(1)).unwrap();
    assert!(deep.join("audit.jsonl").exists());
}
