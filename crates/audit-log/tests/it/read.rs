//! Reading back: in order over all files, from the end, and counted.

use std::fs::{self, OpenOptions};
use std::io::Write;

use hook_audit_log::{Entry, Limits, Record, read, stats, tail};

use crate::support::{Trail, at, note};

fn small() -> Trail {
    Trail::with(Limits { max_bytes: 1_000, keep: 100, total_max_bytes: 1 << 30 })
}

#[test]
fn entries_come_in_order_over_all_files() {
    let trail = small().filled(25);
    let entries: Vec<_> = read(&trail.dir).unwrap().map(Result::unwrap).collect();
    assert_eq!(entries.len(), 25);
    for (n, entry) in (1..).zip(&entries) {
        assert_eq!((entry.seq(), entry.text("note")), (n, Some(n.to_string().as_str())));
        assert_eq!(entry.time().timestamp_micros(), at(i64::try_from(n).unwrap()).timestamp_micros());
        assert_eq!(entry.members()["event"], "PostToolUse");
    }
    assert!(trail.lines().contains(&entries[24].raw().to_owned()));
}

#[test]
fn tail_is_the_end_of_read() {
    let trail = small().filled(25);
    for count in [0, 1, 3, 10, 25, 1_000] {
        let notes: Vec<_> =
            tail(&trail.dir, count).unwrap().iter().map(|e| e.text("note").unwrap().to_owned()).collect();
        let expected: Vec<_> = (26 - count.min(25)..=25).map(|n| n.to_string()).collect();
        assert_eq!(notes, expected, "{count}");
    }
}

#[test]
fn lines_that_are_no_record_are_passed_over() {
    let trail = Trail::new().filled(2);
    let mut file = OpenOptions::new().append(true).open(trail.file()).unwrap();
    // Longer than any reader keeps, not UTF-8, deeper than any parser goes, torn.
    file.write_all("x".repeat(3 << 20).as_bytes()).unwrap();
    file.write_all(b"\n\xff\xfe\n").unwrap();
    file.write_all("[".repeat(100_000).as_bytes()).unwrap();
    file.write_all(b"\n{\"v\":1").unwrap();
    trail.log.append(&note(3)).unwrap();
    let seqs: Vec<_> = read(&trail.dir).unwrap().map(|e| e.unwrap().seq()).collect();
    assert_eq!(seqs, [1, 2, 3]);
    for count in 1..=4 {
        let seqs: Vec<_> = tail(&trail.dir, count).unwrap().iter().map(Entry::seq).collect();
        assert_eq!(seqs, [1, 2, 3][3 - count.min(3)..], "{count}");
    }
}

#[test]
fn tail_leaves_no_entry_out_for_a_line_that_is_no_record() {
    let trail = small().filled(24);
    let in_file = fs::read_to_string(trail.file()).unwrap().lines().count();
    assert!((2..10).contains(&in_file), "the newest file has a few records, the others are older: {in_file}");
    let mut file = OpenOptions::new().append(true).open(trail.file()).unwrap();
    file.write_all(b"somebody's line\n").unwrap();
    let seqs: Vec<_> = tail(&trail.dir, in_file).unwrap().iter().map(Entry::seq).collect();
    let first = 25 - u64::try_from(in_file).unwrap();
    assert_eq!(seqs, (first..=24).collect::<Vec<_>>());
}

#[test]
fn a_reader_keeps_what_it_began_with() {
    let trail = small().filled(10);
    let reader = read(&trail.dir).unwrap();
    for n in 11..=40 {
        trail.log.append(&note(n)).unwrap();
    }
    for entry in fs::read_dir(&trail.dir).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    assert_eq!(reader.map(|e| e.unwrap().seq()).collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
}

#[test]
fn stats_count() {
    let trail = small();
    for n in 0..9 {
        let verdict = if n % 3 == 0 { "deny" } else { "allow" };
        trail
            .log
            .append(&Record {
                verdict: Some(verdict.into()),
                check: (n == 0).then(|| "guard".into()),
                rule: (n == 0).then(|| "rm".into()),
                tool: Some("Bash".into()),
                ..Record::new(at(n), "PreToolUse")
            })
            .unwrap();
    }
    let stats = serde_json::to_value(stats(&trail.dir).unwrap()).unwrap();
    assert_eq!(
        stats,
        serde_json::json!({
            "records": 9, "first_time": "2026-11-28T01:22:30.123456Z", "last_time": "2026-11-28T01:22:38.123456Z",
            "by_event": {"PreToolUse": 9}, "by_verdict": {"allow": 6, "deny": 3}, "by_check": {"guard": 1}, "by_rule": {"rm": 1},
            "by_tool": {"Bash": 9},
        })
    );
}

#[test]
fn an_empty_log_has_no_entries() {
    let trail = Trail::new();
    fs::create_dir(&trail.dir).unwrap();
    assert_eq!(read(&trail.dir).unwrap().count(), 0);
    assert!(tail(&trail.dir, 5).unwrap().is_empty());
    assert_eq!(stats(&trail.dir).unwrap().records, 0);
}
