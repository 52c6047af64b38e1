//! The chain: what `verify` says about a good trail and about every way to damage one.

use std::fs;

use hook_audit_log::{AuditLog, Finding, Limits, Report, verify};
use proptest::prelude::*;

use crate::support::{Trail, all_lines, assert_chained, is_record_file, joined, names, note, sha256};

fn findings(trail: &Trail) -> Vec<Finding> {
    verify(&trail.dir).unwrap().findings
}

fn edited(seq: u64) -> Finding {
    Finding::Edited { seq, file: "audit.jsonl".to_owned(), line: seq }
}

#[test]
fn a_good_trail_is_good() {
    let trail = Trail::new().filled(5);
    let report = verify(&trail.dir).unwrap();
    assert!(report.is_good() && report.findings.is_empty(), "{report:?}");
    assert_eq!((report.records, report.first_seq, report.last_seq, report.files), (5, 1, 5, 1));
    assert_eq!(report.bytes, fs::metadata(trail.file()).unwrap().len());
    assert_chained(&trail.lines(), 1, "0".repeat(64));
}

#[test]
fn an_empty_dir_is_good_and_no_dir_an_error() {
    let trail = Trail::new();
    assert!(verify(&trail.dir).unwrap_err().to_string().contains("log"));
    fs::create_dir(&trail.dir).unwrap();
    assert!(verify(&trail.dir).unwrap().is_good());
}

#[test]
fn a_deleted_line_is_a_gap() {
    let trail = Trail::new().filled(6);
    let mut lines = trail.lines();
    lines.drain(2..4);
    trail.write_lines(&lines);
    assert_eq!(findings(&trail), [Finding::Gap { from: 3, to: 4 }]);
    // The next record does not mend it.
    trail.log.append(&note(7)).unwrap();
    assert_eq!(findings(&trail), [Finding::Gap { from: 3, to: 4 }]);
}

#[test]
fn a_deleted_beginning_is_a_gap() {
    let trail = Trail::new().filled(4);
    trail.write_lines(&trail.lines()[2..]);
    assert_eq!(findings(&trail), [Finding::Gap { from: 1, to: 2 }]);
}

#[test]
fn a_cut_end_is_seen_before_and_after_the_next_record() {
    let trail = Trail::new().filled(5);
    trail.write_lines(&trail.lines()[..3]);
    assert_eq!(findings(&trail), [Finding::CutOff { expected: 5, found: 3 }]);
    let done = trail.log.append(&note(6)).unwrap();
    assert_eq!((done.seq, done.cut_from), (6, Some(4)));
    trail.log.append(&note(7)).unwrap();
    assert_eq!(findings(&trail), [Finding::Gap { from: 4, to: 5 }]);
    assert!(!verify(&trail.dir).unwrap().is_good());
}

#[test]
fn a_removed_file_is_seen_before_and_after_the_next_record() {
    let trail = Trail::new().filled(5);
    fs::remove_file(trail.file()).unwrap();
    assert_eq!(findings(&trail), [Finding::CutOff { expected: 5, found: 0 }]);
    assert_eq!(trail.log.append(&note(6)).unwrap().cut_from, Some(1));
    assert_eq!(findings(&trail), [Finding::Gap { from: 1, to: 5 }]);
    fs::remove_file(trail.head()).unwrap();
    // The record itself says it; the chain head is not needed.
    assert_eq!(findings(&trail), [Finding::Gap { from: 1, to: 5 }, Finding::ChainHeadMissing]);
}

#[test]
fn an_edited_line_is_named() {
    let trail = Trail::new().filled(5);
    let mut lines = trail.lines();
    lines[2] = lines[2].replace("\"note\":\"3\"", "\"note\":\"4\"");
    trail.write_lines(&lines);
    assert_eq!(findings(&trail), [edited(3)]);
}

#[test]
fn an_edited_line_with_a_new_hash_is_named() {
    let rehash = |line: &str| {
        let edited = line.replace("\"note\":", "\"note\":\"x");
        let edited = edited.replace("x\"", "x");
        let hashed = edited.rsplit_once(",\"hash\":\"").unwrap().0;
        let hash = sha256(hashed);
        format!("{hashed},\"hash\":\"{hash}\"}}")
    };
    for place in [2, 4] {
        let trail = Trail::new().filled(5);
        let mut lines = trail.lines();
        lines[place] = rehash(&lines[place]);
        trail.write_lines(&lines);
        // In the middle the successor knows the old hash, at the end the chain head does.
        assert_eq!(findings(&trail), [edited(place as u64 + 1)]);
        // Also after the next record, which must not bless it.
        trail.log.append(&note(6)).unwrap();
        assert_eq!(findings(&trail), [edited(place as u64 + 1)]);
    }
}

#[test]
fn an_inserted_line_is_named() {
    let trail = Trail::new().filled(4);
    let good = trail.lines();
    let mut lines = good.clone();
    lines.insert(3, lines[1].clone());
    trail.write_lines(&lines);
    assert_eq!(findings(&trail), [Finding::OutOfOrder { seq: 2, file: "audit.jsonl".to_owned(), line: 4 }]);

    for foreign in ["hello", "{\"v\":1,\"event\":\"x\"}", "", "{}"] {
        let mut lines = good.clone();
        lines.insert(2, foreign.to_owned());
        trail.write_lines(&lines);
        assert_eq!(findings(&trail), [Finding::Unreadable { file: "audit.jsonl".to_owned(), line: 3 }], "{foreign}");
    }
}

#[test]
fn a_foreign_line_at_the_end_is_named_and_the_chain_goes_on() {
    let trail = Trail::new().filled(2);
    let mut lines = trail.lines();
    lines.push("{\"forged\":true}".to_owned());
    trail.write_lines(&lines);
    assert_eq!(trail.log.append(&note(3)).unwrap().seq, 3);
    assert_eq!(findings(&trail), [Finding::Unreadable { file: "audit.jsonl".to_owned(), line: 3 }]);
}

#[test]
fn a_forged_number_does_not_use_up_the_numbers() {
    let trail = Trail::new().filled(2);
    let mut lines = trail.lines();
    let hashed = lines[1].rsplit_once(",\"hash\":").unwrap().0.replace("\"seq\":2", "\"seq\":999999999999999");
    lines.push(format!("{hashed},\"hash\":\"{}\"}}", sha256(&hashed)));
    trail.write_lines(&lines);
    assert_eq!(trail.log.append(&note(3)).unwrap().seq, 3);
    let forged = Finding::OutOfOrder { seq: 999_999_999_999_999, file: "audit.jsonl".to_owned(), line: 3 };
    assert_eq!(findings(&trail), [forged]);
}

#[test]
fn a_missing_chain_head_is_told_and_remembered() {
    for damage in ["", "garbage", "{\"v\":1,\"seq\":99999999999999999999}"] {
        let trail = Trail::new().filled(3);
        fs::write(trail.head(), damage).unwrap();
        assert_eq!(findings(&trail), [Finding::ChainHeadMissing]);
        assert!(trail.log.append(&note(4)).unwrap().chain_head_lost);
        trail.log.append(&note(5)).unwrap();
        assert_eq!(findings(&trail), [Finding::ChainHeadLost { seq: 4 }]);
        assert!(!verify(&trail.dir).unwrap().is_good());
    }
}

#[test]
fn a_writer_killed_before_the_chain_head_leaves_a_good_trail() {
    let trail = Trail::new().filled(3);
    let before = fs::read(trail.head()).unwrap();
    trail.log.append(&note(4)).unwrap();
    fs::write(trail.head(), before).unwrap();
    assert!(findings(&trail).is_empty());
    assert_eq!(trail.log.append(&note(5)).unwrap().seq, 5);
    assert!(findings(&trail).is_empty());
    assert_chained(&trail.lines(), 1, "0".repeat(64));
}

/// The chain head moves only when the whole line is there, so what it has seen whole nobody has torn while writing.
#[test]
fn a_newest_record_that_was_cut_is_no_torn_tail() {
    for keep in [1, 20, 200] {
        let trail = Trail::new().filled(3);
        let text = fs::read_to_string(trail.file()).unwrap();
        let whole = text.len() - trail.lines()[2].len() - 1;
        fs::write(trail.file(), &text[..whole + keep]).unwrap();
        assert_eq!(findings(&trail), [Finding::CutOff { expected: 3, found: 2 }]);

        let done = trail.log.append(&note(4)).unwrap();
        assert_eq!((done.seq, done.after_torn, done.cut_from), (4, keep as u64, Some(3)));
        assert!(findings(&trail).contains(&Finding::Gap { from: 3, to: 3 }));
        assert!(!verify(&trail.dir).unwrap().is_good());
    }
}

#[test]
fn a_line_torn_by_a_killed_writer_is_no_tampering() {
    let trail = Trail::new().filled(1);
    let mut text = fs::read_to_string(trail.file()).unwrap();
    text.push_str("{\"v\":1,\"event\":\"Pre");
    fs::write(trail.file(), text).unwrap();
    assert!(verify(&trail.dir).unwrap().is_good());
    assert_eq!(trail.log.append(&note(2)).unwrap().seq, 2);
    assert_eq!(findings(&trail), [Finding::TornTail { file: "audit.jsonl".to_owned(), line: 2, bytes: 19 }]);
    assert!(trail.lines()[2].contains("\"after_torn\":19,"));
}

#[test]
fn an_open_line_that_no_record_begins_like_is_named() {
    let trail = Trail::new().filled(1);
    let text = fs::read_to_string(trail.file()).unwrap();
    fs::write(trail.file(), text + "junk").unwrap();
    let junk = [Finding::Unreadable { file: "audit.jsonl".to_owned(), line: 2 }];
    assert_eq!(findings(&trail), junk);
    trail.log.append(&note(2)).unwrap();
    assert_eq!(findings(&trail), junk);
}

/// Lines that look like records and were put in, in the middle or at the end: they are named, and their neighbours are not.
#[test]
fn a_line_that_was_put_in_is_named_and_not_its_neighbour() {
    let other = Trail::new();
    for n in 10..20 {
        other.log.append(&note(n)).unwrap();
    }
    let out_of_order = |seq, line| Finding::OutOfOrder { seq, file: "audit.jsonl".to_owned(), line };
    let trail = Trail::new().filled(4);
    let good = trail.lines();
    for at in [2, 4] {
        let place = at as u64 + 1;
        // An own record, changed; a record of another trail with the number that is due, and one with a later number.
        let changed = good[1].replace("\"note\":\"2\"", "\"note\":\"x\"");
        for (junk, seq) in [(&changed, 2), (&other.lines()[at], place), (&other.lines()[at + 3], place + 3)] {
            let mut lines = good.clone();
            lines.insert(at, junk.clone());
            trail.write_lines(&lines);
            let report = verify(&trail.dir).unwrap();
            assert_eq!(report.findings, [out_of_order(seq, place)], "{seq} at {at}");
            assert_eq!((report.records, report.last_seq), (4, 4));
        }
        let mut lines = good.clone();
        lines.splice(at..at, [changed.clone(), "junk".to_owned(), changed.clone()]);
        trail.write_lines(&lines);
        let unreadable = Finding::Unreadable { file: "audit.jsonl".to_owned(), line: place + 1 };
        assert_eq!(findings(&trail), [out_of_order(2, place), unreadable, out_of_order(2, place + 2)]);
    }
}

#[test]
fn the_very_first_line_may_be_torn() {
    let trail = Trail::new();
    fs::create_dir(&trail.dir).unwrap();
    fs::write(trail.file(), "{\"v\":").unwrap();
    let note_of = [Finding::TornTail { file: "audit.jsonl".to_owned(), line: 1, bytes: 5 }];
    assert_eq!(findings(&trail), note_of);
    assert_eq!(trail.log.append(&note(1)).unwrap().seq, 1);
    assert_eq!(findings(&trail), note_of);
}

#[test]
fn an_overwritten_end_is_not_called_torn() {
    let trail = Trail::new().filled(3);
    let mut text = fs::read_to_string(trail.file()).unwrap();
    let length = text.len();
    text.truncate(length - 100);
    text.push_str(&"x".repeat(100));
    fs::write(trail.file(), text).unwrap();
    assert!(findings(&trail).contains(&Finding::CutOff { expected: 3, found: 2 }));
    trail.log.append(&note(4)).unwrap();
    assert!(findings(&trail).contains(&Finding::Gap { from: 3, to: 3 }));
}

#[test]
fn a_record_that_lacks_only_its_newline_counts() {
    let trail = Trail::new().filled(3);
    let text = fs::read_to_string(trail.file()).unwrap();
    fs::write(trail.file(), text.trim_end()).unwrap();
    assert!(findings(&trail).is_empty());
    let done = trail.log.append(&note(4)).unwrap();
    assert_eq!((done.seq, done.after_torn), (4, 0));
    assert!(findings(&trail).is_empty());
    assert_chained(&trail.lines(), 1, "0".repeat(64));
}

#[test]
fn foreign_files_are_named() {
    let trail = Trail::new().filled(1);
    fs::create_dir(trail.dir.join("audit-000000000009.jsonl")).unwrap();
    fs::write(trail.dir.join("audit.jsonl.bak"), "x").unwrap();
    fs::write(trail.dir.join("spf.log"), "x").unwrap();
    let expected: Vec<_> =
        ["audit-000000000009.jsonl", "audit.jsonl.bak"].map(|f| Finding::Foreign { file: f.into() }).into();
    assert_eq!(findings(&trail), expected);
}

#[test]
fn rotation_carries_the_chain_over() {
    let trail = Trail::with(Limits { max_bytes: 1_000, keep: 100, total_max_bytes: 1 << 30 }).filled(20);
    let old: Vec<_> = names(&trail.dir).into_iter().filter(|n| n.starts_with("audit-")).collect();
    assert!(old.len() >= 4, "{old:?}");
    assert_eq!(old[0], "audit-000000000001.jsonl");
    for name in &old {
        assert!(fs::metadata(trail.dir.join(name)).unwrap().len() <= 1_000);
        let text = fs::read_to_string(trail.dir.join(name)).unwrap();
        let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(format!("audit-{:012}.jsonl", first["seq"].as_u64().unwrap()), *name);
    }
    let lines = all_lines(&trail.dir);
    assert_eq!(lines.len(), 20);
    assert_chained(&lines, 1, "0".repeat(64));
    let report = verify(&trail.dir).unwrap();
    assert!(report.findings.is_empty(), "{report:?}");
    assert_eq!((report.first_seq, report.last_seq, report.files), (1, 20, old.len() + 1));
}

#[test]
fn pruning_keeps_the_newest_and_is_no_gap() {
    let trail = Trail::with(Limits { max_bytes: 1_000, keep: 2, total_max_bytes: 1 << 30 }).filled(30);
    assert_eq!(names(&trail.dir).iter().filter(|n| n.starts_with("audit-")).count(), 2);
    let report = verify(&trail.dir).unwrap();
    assert!(report.findings.is_empty(), "{report:?}");
    assert!(report.first_seq > 1 && report.last_seq == 30);
    assert_eq!(report.records, 31 - report.first_seq);

    // One more old file gone is one that nobody pruned.
    let oldest = names(&trail.dir).into_iter().find(|n| n.starts_with("audit-")).unwrap();
    fs::remove_file(trail.dir.join(oldest)).unwrap();
    let found = findings(&trail);
    assert!(matches!(found[..], [Finding::Gap { from, .. }] if from == report.first_seq), "{found:?}");
}

#[test]
fn the_total_is_bounded() {
    let trail = Trail::with(Limits { max_bytes: 1_000, keep: 100, total_max_bytes: 3_500 });
    for n in 1..=60 {
        trail.log.append(&note(n)).unwrap();
        let total: u64 = names(&trail.dir)
            .iter()
            .filter(|n| *n != "chain.head")
            .map(|n| fs::metadata(trail.dir.join(n)).unwrap().len())
            .sum();
        assert!(total <= 3_500, "{total} bytes after {n}");
    }
    assert!(verify(&trail.dir).unwrap().is_good());
}

#[test]
fn keeping_nothing_keeps_the_current_file() {
    let trail = Trail::with(Limits { max_bytes: 1_000, keep: 0, total_max_bytes: 1_000 }).filled(20);
    assert_eq!(names(&trail.dir), ["audit.jsonl", "chain.head"]);
    let report = verify(&trail.dir).unwrap();
    assert!(report.findings.is_empty() && report.last_seq == 20, "{report:?}");
}

#[test]
fn a_writer_killed_inside_the_rotation_leaves_a_good_trail() {
    let trail = Trail::with(Limits { max_bytes: 1_000, keep: 100, total_max_bytes: 1 << 30 }).filled(2);
    fs::rename(trail.file(), trail.dir.join("audit-000000000001.jsonl")).unwrap();
    assert!(findings(&trail).is_empty());
    let done = trail.log.append(&note(3)).unwrap();
    assert_eq!((done.seq, done.cut_from), (3, None));
    assert!(findings(&trail).is_empty());
}

#[test]
fn a_taken_name_is_never_renamed_over() {
    let trail = Trail::with(Limits { max_bytes: 1_000, keep: 100, total_max_bytes: 1 << 30 });
    fs::create_dir(&trail.dir).unwrap();
    fs::write(trail.dir.join("audit-000000000001.jsonl"), "keep\n").unwrap();
    for n in 1..=6 {
        trail.log.append(&note(n)).unwrap();
    }
    assert_eq!(fs::read_to_string(trail.dir.join("audit-000000000001.jsonl")).unwrap(), "keep\n");
    assert!(trail.dir.join("audit-000000000001.2.jsonl").exists(), "{:?}", names(&trail.dir));
    assert_eq!(findings(&trail), [Finding::Unreadable { file: "audit-000000000001.jsonl".to_owned(), line: 1 }]);
}

#[test]
fn findings_are_bounded_and_all_have_a_text() {
    let trail = Trail::new().filled(1);
    let mut lines = trail.lines();
    lines.extend((0..3_000).map(|n| format!("junk {n}")));
    trail.write_lines(&lines);
    let report = verify(&trail.dir).unwrap();
    assert_eq!((report.findings.len(), report.more_findings), (1_000, 2_000));
    assert!(!report.is_good());
    assert_eq!(report.findings[0].to_string(), "audit.jsonl:2: this line is no record");
    let json = serde_json::to_value(&report.findings[0]).unwrap();
    assert_eq!(json, serde_json::json!({"kind": "unreadable", "file": "audit.jsonl", "line": 2}));
}

/// How a trail of `count` records is damaged.
#[derive(Debug, Clone)]
enum Damage {
    Flip(prop::sample::Index, u8),
    Delete(prop::sample::Index),
    Cut(prop::sample::Index),
    Repeat(prop::sample::Index, prop::sample::Index),
    Swap(prop::sample::Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        4 => (index(), 1_u8..=255).prop_map(|(at, bits)| Damage::Flip(at, bits)),
        1 => index().prop_map(Damage::Delete),
        1 => index().prop_map(Damage::Cut),
        1 => (index(), index()).prop_map(|(from, to)| Damage::Repeat(from, to)),
        1 => index().prop_map(Damage::Swap),
    ]
}

fn good(report: &Report) -> bool {
    report.is_good() && report.findings.is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_damage_is_found(count in 2_u64..8, small in any::<bool>(), damage in damage(), then in 0_u64..3) {
        let max_bytes = if small { 700 } else { 1 << 20 };
        let limits = Limits { max_bytes, keep: 100, total_max_bytes: 1 << 30 };
        let trail = Trail::with(limits).filled(count);
        prop_assert!(good(&verify(&trail.dir).unwrap()));
        let files: Vec<_> = names(&trail.dir).into_iter().filter(|n| is_record_file(n)).collect();
        let path = |at: &prop::sample::Index| trail.dir.join(&files[at.index(files.len())]);

        match &damage {
            Damage::Flip(at, bits) => {
                let mut bytes = fs::read(path(at)).unwrap();
                let place = at.index(bytes.len());
                bytes[place] ^= bits;
                fs::write(path(at), bytes).unwrap();
            }
            Damage::Delete(at) | Damage::Cut(at) | Damage::Repeat(at, _) | Damage::Swap(at) => {
                let text = fs::read_to_string(path(at)).unwrap();
                let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
                let place = at.index(lines.len());
                match damage {
                    Damage::Delete(_) => { lines.remove(place); }
                    Damage::Cut(_) => lines.truncate(place),
                    Damage::Repeat(_, to) => lines.insert(to.index(lines.len() + 1), lines[place].clone()),
                    _ => {
                        let next = (place + 1) % lines.len();
                        lines.swap(place, next);
                    }
                }
                let new = joined(&lines);
                prop_assume!(new != text);
                fs::write(path(at), new).unwrap();
            }
        }
        let report = verify(&trail.dir).unwrap();
        prop_assert!(!good(&report), "{:?}", damage);
        // And it stays found, whatever is appended.
        for n in 0..then {
            AuditLog::new(&trail.dir, limits).append(&note(count + n + 1)).unwrap();
            prop_assert!(!good(&verify(&trail.dir).unwrap()), "{:?} healed", damage);
        }
    }
}
