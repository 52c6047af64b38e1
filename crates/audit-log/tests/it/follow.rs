//! Following a trail while it is written.

use hook_audit_log::{Follow, Limits, Record, read, read_file};

use crate::support::{Trail, at};

fn numbers(follow: &mut Follow) -> Vec<u64> {
    follow.look().unwrap().iter().map(hook_audit_log::Entry::seq).collect()
}

#[test]
fn every_record_is_given_once_over_rotations() {
    let trail = Trail::with(Limits { max_bytes: 2_000, keep: 100, total_max_bytes: 1 << 20 });
    let write =
        |count: i64| (0..count).for_each(|second| drop(trail.log.append(&Record::new(at(second), "Stop")).unwrap()));
    let mut early = Follow::from_end(&trail.dir).unwrap();
    assert!(numbers(&mut early).is_empty(), "there is no log yet");
    write(3);
    let mut late = Follow::from_end(&trail.dir).unwrap();
    assert_eq!(numbers(&mut early), [1, 2, 3]);
    assert!(numbers(&mut late).is_empty(), "what was there before is not new");
    // Several rotations between two looks, and looks between single records.
    write(30);
    assert_eq!(numbers(&mut early), (4..=33).collect::<Vec<_>>());
    for number in 34..60 {
        write(1);
        assert_eq!(numbers(&mut early), [number]);
    }
    assert_eq!(numbers(&mut late), (4..60).collect::<Vec<_>>());
}

#[test]
fn a_line_that_is_being_written_comes_when_it_is_whole() {
    let trail = Trail::new();
    trail.log.append(&Record::new(at(0), "Stop")).unwrap();
    let mut follow = Follow::from_end(&trail.dir).unwrap();
    let file = trail.dir.join("audit.jsonl");
    let first = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{first}{{\"v\":1,")).unwrap();
    assert!(numbers(&mut follow).is_empty());
    trail.log.append(&Record::new(at(1), "Stop")).unwrap();
    assert_eq!(numbers(&mut follow), [2]);
}

#[test]
fn one_file_is_read_wherever_it_lies() {
    let trail = Trail::with(Limits { max_bytes: 2_000, keep: 100, total_max_bytes: 1 << 20 });
    (0..20).for_each(|second| drop(trail.log.append(&Record::new(at(second), "Stop")).unwrap()));
    let copy = trail.dir.join("copy-of-mine.txt");
    let text = std::fs::read_to_string(trail.dir.join("audit-000000000001.jsonl")).unwrap();
    std::fs::write(&copy, format!("{text}no record\n")).unwrap();
    let mut reader = read_file(&copy).unwrap();
    let read_back: Vec<u64> = reader.by_ref().map(|entry| entry.unwrap().seq()).collect();
    assert_eq!(read_back, (1..=text.lines().count() as u64).collect::<Vec<_>>());
    assert_eq!(reader.passed_over(), 1);
    assert!(read(&trail.dir).unwrap().count() > read_back.len());
    assert!(read_file(&trail.dir.join("nothing")).is_err());
    assert_eq!(read_file(&trail.dir).map(Iterator::count).unwrap_or_default(), 0);
}

#[test]
fn what_was_written_and_rotated_before_the_first_look_is_given_too() {
    let trail = Trail::with(Limits { max_bytes: 2_000, keep: 100, total_max_bytes: 1 << 20 });
    assert!(!trail.dir.exists());
    let mut follow = Follow::from_end(&trail.dir).unwrap();
    (0..30).for_each(|second| drop(trail.log.append(&Record::new(at(second), "Stop")).unwrap()));
    assert!(trail.dir.join("audit-000000000001.jsonl").exists(), "nothing was rotated");
    assert_eq!(numbers(&mut follow), (1..=30).collect::<Vec<_>>());
    // Whoever comes later begins behind all of them.
    let mut late = Follow::from_end(&trail.dir).unwrap();
    trail.log.append(&Record::new(at(30), "Stop")).unwrap();
    assert_eq!(numbers(&mut late), [31]);
}
