//! What counts as met before, at what cost, and what happens when the membership file is lost.

use hook_session_state::{Activity, Io, Kind, SessionId};
use proptest::prelude::*;

use crate::support::{Home, read_file, session};

#[test]
fn a_call_that_is_delivered_twice_is_counted_once() {
    let home = Home::new();
    let id = session("s");
    assert!(read_file(&mut home.store.lock().unwrap(), &id, "toolu_1", "/f"));
    assert!(!read_file(&mut home.store.lock().unwrap(), &id, "toolu_1", "/f"));
    assert!(read_file(&mut home.store.lock().unwrap(), &id, "toolu_2", "/f"));
    let document = home.document(&id);
    assert_eq!(document.activity().action_count, 2);
    assert_eq!(document.activity().files_read.last(9), ["/f"]);
}

#[test]
fn kinds_and_sessions_are_apart() {
    let home = Home::new();
    let mut locked = home.store.lock().unwrap();
    for id in [session("a"), session("b")] {
        let document = locked.session(&id).unwrap().value;
        for kind in [Kind::Event, Kind::Read, Kind::Write] {
            assert!(locked.first_time(&id, kind, "key").unwrap());
            assert!(!locked.first_time(&id, kind, "key").unwrap());
        }
        locked.save(&document).unwrap();
        for kind in [Kind::Event, Kind::Read, Kind::Write] {
            assert!(!locked.first_time(&id, kind, "key").unwrap());
        }
    }
}

#[test]
fn what_is_not_saved_is_not_known() {
    let home = Home::new();
    let id = session("s");
    for _ in 0..2 {
        assert!(home.store.lock().unwrap().first_time(&id, Kind::Event, "call").unwrap());
    }
    let mut locked = home.store.lock().unwrap();
    assert!(locked.first_time(&id, Kind::Event, "call").unwrap());
    // Loading again drops it as well.
    let document = locked.session(&id).unwrap().value;
    assert!(locked.first_time(&id, Kind::Event, "call").unwrap());
    locked.save(&document).unwrap();
    assert!(!locked.first_time(&id, Kind::Event, "call").unwrap());
}

#[test]
fn a_session_that_begins_anew_knows_nothing() {
    let home = Home::new();
    let id = session("s");
    for call in 0..3 {
        read_file(&mut home.store.lock().unwrap(), &id, &format!("call {call}"), "/f");
    }
    let mut locked = home.store.lock().unwrap();
    let mut document = locked.session(&id).unwrap().value;
    locked.forget(&id).unwrap();
    // Not before the save: a process that is killed here has changed nothing.
    assert_eq!(home.document(&id).activity().action_count, 3);
    document.set_activity(Activity::fresh("2026-08-18 09:05:03", Some("clear")));
    locked.save(&document).unwrap();
    drop(locked);
    assert_eq!(home.document(&id).activity().action_count, 0);
    assert!(read_file(&mut home.store.lock().unwrap(), &id, "call 0", "/f"));
    assert!(!read_file(&mut home.store.lock().unwrap(), &id, "call 0", "/f"));
    assert_eq!(home.document(&id).activity().files_read.last(9), ["/f"]);
}

#[test]
fn forgetting_without_a_save_changes_nothing() {
    let home = Home::new();
    let id = session("s");
    read_file(&mut home.store.lock().unwrap(), &id, "call", "/f");
    home.store.lock().unwrap().forget(&id).unwrap();
    assert!(!read_file(&mut home.store.lock().unwrap(), &id, "call", "/f"));
}

/// A process that was killed after it saved the document leaves the hashes of that update in the document only.
#[test]
fn hashes_that_did_not_reach_the_file_are_put_there_by_the_next_update() {
    let home = Home::new();
    let id = session("s");
    read_file(&mut home.store.lock().unwrap(), &id, "one", "/1");
    let before = std::fs::read(home.path("sessions/s.seen")).unwrap();
    read_file(&mut home.store.lock().unwrap(), &id, "two", "/2");
    home.put("sessions/s.seen", &before);

    assert!(!read_file(&mut home.store.lock().unwrap(), &id, "two", "/2"));
    read_file(&mut home.store.lock().unwrap(), &id, "three", "/3");
    read_file(&mut home.store.lock().unwrap(), &id, "four", "/2");
    let document = home.document(&id);
    assert_eq!(document.activity().action_count, 4);
    assert_eq!(document.activity().files_read.last(9), ["/1", "/2", "/3"]);
}

/// The same for a beginning again: the document says so, the old membership file is still there.
#[test]
fn a_beginning_anew_that_was_cut_off_is_finished() {
    let home = Home::new();
    let id = session("s");
    read_file(&mut home.store.lock().unwrap(), &id, "one", "/1");
    let old = std::fs::read(home.path("sessions/s.seen")).unwrap();
    let mut locked = home.store.lock().unwrap();
    let mut document = locked.session(&id).unwrap().value;
    locked.forget(&id).unwrap();
    document.set_activity(Activity::fresh("2026-08-18 09:05:03", Some("clear")));
    locked.save(&document).unwrap();
    drop(locked);
    home.put("sessions/s.seen", old);
    // An update that asks nothing keeps the note of it.
    let mut locked = home.store.lock().unwrap();
    let document = locked.session(&id).unwrap().value;
    locked.save(&document).unwrap();
    drop(locked);
    assert!(read_file(&mut home.store.lock().unwrap(), &id, "one", "/1"));
    assert_eq!(home.document(&id).activity().files_read.last(9), ["/1"]);
}

#[test]
fn a_lost_membership_file_is_made_again_from_what_the_document_lists() {
    let odd_size = vec![0xff; 16_385];
    let damaged: [Option<&[u8]>; 4] = [None, Some(b""), Some(b"text"), Some(&odd_size)];
    for content in damaged {
        let home = Home::new();
        let id = session("s");
        read_file(&mut home.store.lock().unwrap(), &id, "one", "/1");
        read_file(&mut home.store.lock().unwrap(), &id, "two", "/2");
        // So that nothing is pending any more.
        read_file(&mut home.store.lock().unwrap(), &id, "three", "/2");
        match content {
            Some(content) => home.put("sessions/s.seen", content),
            None => std::fs::remove_file(home.path("sessions/s.seen")).unwrap(),
        }
        for (call, file) in [("four", "/1"), ("five", "/2"), ("six", "/3"), ("six", "/4")] {
            read_file(&mut home.store.lock().unwrap(), &id, call, file);
        }
        let document = home.document(&id);
        assert_eq!(document.activity().files_read.last(9), ["/1", "/2", "/3"], "{:?}", content.map(<[u8]>::len));
        assert_eq!(document.activity().action_count, 6);
    }
}

#[test]
fn a_membership_file_without_its_document_is_not_believed() {
    let home = Home::new();
    let id = session("s");
    read_file(&mut home.store.lock().unwrap(), &id, "call", "/f");
    std::fs::remove_file(home.path("sessions/s.json")).unwrap();
    assert!(read_file(&mut home.store.lock().unwrap(), &id, "call", "/f"));
    assert_eq!(home.document(&id).activity().files_read.last(9), ["/f"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Against a set that is kept in memory: whatever is asked, in however many updates.
    #[test]
    fn the_answer_is_that_of_a_set(updates in prop::collection::vec(prop::collection::vec((0..3_u8, 0..60_u16), 0..40), 1..6)) {
        let home = Home::new();
        let id = session("s");
        let mut known = std::collections::HashSet::new();
        for update in updates {
            let mut locked = home.store.lock().unwrap();
            let document = locked.session(&id).unwrap().value;
            for (kind, key) in update {
                let chosen = [Kind::Event, Kind::Read, Kind::Write][usize::from(kind)];
                let first = locked.first_time(&id, chosen, &format!("key {key}")).unwrap();
                prop_assert_eq!(first, known.insert((kind, key)));
            }
            locked.save(&document).unwrap();
        }
    }
}

/// However many hashes one update has: the file begins again once more with those that the document carries, so it carries them all.
#[test]
fn a_large_first_update_is_known_as_a_whole() {
    let home = Home::new();
    let id = session("s");
    let mut locked = home.store.lock().unwrap();
    let document = locked.session(&id).unwrap().value;
    for call in 0..3_000 {
        assert!(locked.first_time(&id, Kind::Event, &format!("call {call}")).unwrap());
    }
    locked.save(&document).unwrap();
    drop(locked);
    let mut locked = home.store.lock().unwrap();
    for call in 0..3_000 {
        assert!(!locked.first_time(&id, Kind::Event, &format!("call {call}")).unwrap(), "{call}");
    }
    locked.save(&document).unwrap();
    assert!(!home.read("sessions/s.json").contains("pending"));
}

/// What earlier updates could not put into the membership file goes, the oldest first, before the document grows with it.
#[test]
fn the_document_carries_a_bounded_number_of_hashes() {
    let home = Home::new();
    let id = session("s");
    let hashes: Vec<String> = (1..=2_000).map(|number| format!("\"{number:016x}\"")).collect();
    home.put("sessions/s.json", format!("{{\"pending\":[\"{}\",{}]}}", "0".repeat(16), hashes.join(",")));
    let mut locked = home.store.lock().unwrap();
    let document = locked.session(&id).unwrap().value;
    // Nothing is asked, so nothing is put into the file.
    locked.save(&document).unwrap();
    let value: serde_json::Value = serde_json::from_str(&home.read("sessions/s.json")).unwrap();
    let pending: Vec<&str> = value["pending"].as_array().unwrap().iter().map(|hash| hash.as_str().unwrap()).collect();
    assert_eq!((pending.len(), pending[0]), (1 + 1_024, "0000000000000000"));
    assert_eq!((pending[1], pending[1_024]), ("00000000000003d1", "00000000000007d0"));
}

/// Lets a session read files until it has this many.
fn fill(home: &Home, id: &SessionId, from: usize, to: usize) {
    for start in (from..to).step_by(1_000) {
        let mut locked = home.store.lock().unwrap();
        let mut document = locked.session(id).unwrap().value;
        for number in start..to.min(start + 1_000) {
            let file = format!("/src/file-{number:06}.rs");
            assert!(locked.first_time(id, Kind::Read, &file).unwrap(), "{file}");
            document.activity_mut().files_read.push(&file);
        }
        locked.save(&document).unwrap();
    }
}

/// What one call costs: a new file, then a file that was read long ago.
fn cost(home: &Home, id: &SessionId, name: &str) -> (Io, u64) {
    let mut locked = home.store.lock().unwrap();
    assert!(read_file(&mut locked, id, &format!("call {name}"), &format!("/src/{name}.rs")));
    let io = locked.io();
    assert!(!locked.first_time(id, Kind::Read, "/src/file-000000.rs").unwrap());
    drop(locked);
    (io, std::fs::metadata(home.store.session_path(id)).unwrap().len())
}

/// Counts and bytes, not times: with 10,000 and with 100,000 files the document has the same size, and a look-up reads one bucket of
/// 512 bytes in each of at most seven levels.
#[test]
fn the_cost_of_one_update_does_not_grow_with_what_was_counted() {
    let home = Home::new();
    let id = session("s");
    let mut costs = Vec::new();
    let mut done = 0;
    for total in [300, 10_000, 100_000] {
        fill(&home, &id, done, total);
        done = total;
        // The first settles what the filling left pending.
        cost(&home, &id, &format!("settle-{total:06}"));
        costs.push(cost(&home, &id, &format!("probe-{total:06}")));
    }
    let (few, few_bytes) = costs[0];
    for (io, bytes) in &costs {
        assert!(bytes.abs_diff(few_bytes) < 16, "{costs:?}");
        // One document each way and two hashes.
        assert_eq!((io.writes, io.bytes_written - bytes), (3, 16), "{costs:?}");
        // The document, the last hash of the update before, and two look-ups.
        assert!(io.reads <= 1 + 1 + 2 * 7, "{costs:?}");
        assert!(io.bytes_read <= bytes + 512 * (1 + 2 * 7), "{costs:?}");
    }
    assert_eq!(few.reads, 1 + 1 + 2, "{costs:?}");
    let listed = home.document(&id);
    assert_eq!(listed.activity().files_read.listed(), 200);
    assert_eq!(listed.activity().files_read.total(), 100_006);
}
