//! The spool: whole lines whatever happens to their writers, and every record taken in once.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use hook_session_state::registry::{
    Change, EventId, Filter, Lookup, MAX_TEXT_BYTES, Opened, Place, RegistryEvent, SessionRegistry as _, SpoolLimits,
    Start, State,
};

use super::{event, started};
use crate::child;

/// Milliseconds since 1970 of now: the ages of files are compared with it.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

fn open(place: &Place) -> Opened {
    place.open(now(), None).unwrap()
}

fn current(place: &Place) -> std::path::PathBuf {
    place.spool().dir().join("events.jsonl")
}

fn parts(place: &Place) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(place.spool().dir())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("events"))
        .collect();
    names.sort();
    names
}

fn count(opened: &mut Opened, id: &str) -> i64 {
    match opened.registry.show(id).unwrap() {
        Lookup::One(session) => session.event_count,
        Lookup::None => 0,
        Lookup::Many(ids) => panic!("{ids:?}"),
    }
}

#[test]
fn a_record_is_one_line_in_a_private_file() {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::new(dir.path());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    place.spool().append(&event("aa", 7, Change::Status("two\nlines".into()))).unwrap();
    place.spool().append(&event("aa", 8, Change::Heartbeat)).unwrap();
    let text = fs::read_to_string(current(&place)).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["v"], 1);
    assert_eq!((lines[0]["session"].as_str(), lines[0]["at"].as_i64()), (Some("aa"), Some(7)));
    assert_eq!(lines[0]["change"]["status"], "two\nlines");
    assert_ne!(lines[0]["id"], lines[1]["id"]);
    assert_eq!((mode(place.spool().dir()), mode(&current(&place))), (0o700, 0o600));
    let opened = open(&place);
    assert_eq!((opened.folded.applied.new, opened.folded.unreadable, opened.folded.complete), (2, 0, true));
    assert_eq!(mode(place.database()), 0o600);
}

#[test]
fn a_link_in_the_place_of_a_file_is_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::new(dir.path());
    fs::create_dir(place.spool().dir()).unwrap();
    fs::write(dir.path().join("other"), "mine").unwrap();
    symlink(dir.path().join("other"), current(&place)).unwrap();
    symlink(dir.path().join("other"), place.database()).unwrap();
    assert!(place.spool().append(&event("aa", 1, Change::Heartbeat)).is_err());
    assert!(place.open(now(), None).is_err());
    assert_eq!(fs::read_to_string(dir.path().join("other")).unwrap(), "mine");
}

#[test]
fn long_texts_are_cut_and_no_zero_character_stays() {
    let long = "ä".repeat(MAX_TEXT_BYTES);
    let dir = tempfile::tempdir().unwrap();
    let place = Place::new(dir.path());
    place.spool().append(&event("aa", 1, Change::Status(format!("a\0{long}")))).unwrap();
    let line = fs::read_to_string(current(&place)).unwrap();
    assert!(line.len() < MAX_TEXT_BYTES + 200, "{}", line.len());
    // Another program's record, which nobody has bounded.
    let id = "foreign";
    let foreign = serde_json::json!({"v": 1, "id": id, "at": 2, "session": "bb\0", "change": {"status": long}});
    fs::OpenOptions::new()
        .append(true)
        .open(current(&place))
        .unwrap()
        .write_all(format!("{foreign}\n").as_bytes())
        .unwrap();
    let mut opened = open(&place);
    assert_eq!(opened.folded.applied.new, 2);
    let Lookup::One(session) = opened.registry.show("bb\u{fffd}").unwrap() else { panic!("no bb") };
    assert_eq!(session.status_text.unwrap().len(), MAX_TEXT_BYTES);
    let Lookup::One(session) = opened.registry.show("aa").unwrap() else { panic!("no aa") };
    assert!(session.status_text.unwrap().starts_with("a\u{fffd}ä"));
}

#[test]
fn what_a_killed_writer_left_costs_no_other_record() {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::new(dir.path());
    let spool = place.spool();
    let raw = |text: &str| {
        let mut file = fs::OpenOptions::new().append(true).open(current(&place)).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    spool.append(&event("aa", 1, Change::Heartbeat)).unwrap();
    raw("{\"v\":1,\"id\":\"torn\",\"at\":2,\"session\":\"a");
    // Not yet a line: its writer may be at work.
    let mut opened = open(&place);
    assert_eq!((opened.folded.applied.new, opened.folded.unreadable), (1, 0));
    spool.append(&event("aa", 3, Change::Status("has {\"v\":1 in it".into()))).unwrap();
    raw("\u{0}\u{0}garbage\n\n");
    raw("{\"v\":2,\"id\":\"newer\",\"at\":4,\"session\":\"aa\",\"change\":\"heartbeat\"}\n");
    raw("{\"v\":1,\"id\":\"unknown\",\"at\":4,\"session\":\"aa\",\"change\":{\"dance\":1}}\n");
    raw(&format!("{}\n", "[".repeat(100_000)));
    raw(&format!("{}\n", "x".repeat(700_000)));
    spool.append(&event("aa", 5, Change::Heartbeat)).unwrap();
    let again = open(&place);
    assert_eq!(again.folded.applied.new, 2);
    assert!(again.folded.unreadable >= 6, "{}", again.folded.unreadable);
    assert_eq!(count(&mut opened, "aa"), 3);
    assert_eq!(open(&place).folded.applied.new, 0);
}

#[test]
fn a_full_disk_is_an_error_and_the_next_record_is_whole() {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::new(dir.path());
    // Up to a few bytes below the limit of one block of 512 bytes.
    place.spool().append(&event("aa", 1, Change::Status("x".repeat(300)))).unwrap();
    assert!(fs::metadata(current(&place)).unwrap().size() < 512);
    let output = child::limited("trap '' XFSZ; ulimit -f 1", "spool-large", dir.path(), "").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("error append to") && said.contains("check that the disk has room"), "{said}");
    place.spool().append(&event("aa", 2, Change::Heartbeat)).unwrap();
    let mut opened = open(&place);
    assert_eq!(count(&mut opened, "aa"), 2);
}

#[test]
fn large_spools_become_parts_and_late_writers_are_heard() {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::new(dir.path()).with_limits(SpoolLimits { part_bytes: 2_000, kept_bytes: 1 << 20 });
    for at in 0..30 {
        place.spool().append(&event("aa", at, Change::Heartbeat)).unwrap();
    }
    let mut late = fs::OpenOptions::new().append(true).open(current(&place)).unwrap();
    let mut opened = open(&place);
    assert_eq!(parts(&place), ["events-00000001.jsonl"]);
    place.spool().append(&event("aa", 40, Change::Heartbeat)).unwrap();
    open(&place);
    assert_eq!(parts(&place), ["events-00000001.jsonl", "events.jsonl"]);
    // It had opened the file before it was finished.
    let record = serde_json::to_string(&event("aa", 41, Change::Heartbeat)).unwrap();
    late.write_all(format!("{record}\n").as_bytes()).unwrap();
    assert_eq!(open(&place).folded.applied.new, 1);
    assert_eq!(count(&mut opened, "aa"), 32);
}

#[test]
fn a_finished_part_goes_when_it_is_old_and_what_a_server_missed_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::new(dir.path()).with_limits(SpoolLimits { part_bytes: 1, kept_bytes: 2_000 });
    let mut opened = open(&place);
    let append = |at| {
        for at in at..at + 10 {
            place.spool().append(&event("aa", at, Change::Heartbeat)).unwrap();
        }
        open(&place);
    };
    append(0);
    assert_eq!(opened.registry.next_shipment(place.spool(), "a").unwrap().events.len(), 10);
    let all = opened.registry.next_shipment(place.spool(), "b").unwrap();
    opened.registry.shipped("b", &all).unwrap();
    append(10);
    append(20);
    // Over the limit, but a writer that had a part open may still be at work.
    assert_eq!(parts(&place).len(), 3);
    let old = SystemTime::now() - Duration::from_secs(3_600);
    let bytes = |name: &str| fs::metadata(place.spool().dir().join(name)).unwrap().size();
    let sizes: Vec<u64> = parts(&place).iter().map(|name| bytes(name)).collect();
    for name in parts(&place) {
        fs::File::open(place.spool().dir().join(name)).unwrap().set_modified(old).unwrap();
    }
    append(30);
    open(&place);
    assert_eq!(parts(&place).len(), 2, "{:?}", parts(&place));
    assert_eq!(opened.registry.dropped("a").unwrap(), sizes[0] + sizes[1]);
    assert_eq!(opened.registry.dropped("b").unwrap(), sizes[1]);
    assert_eq!(opened.registry.dropped("b").unwrap(), 0);
    assert_eq!(opened.registry.next_shipment(place.spool(), "b").unwrap().events.len(), 20);
    assert_eq!(count(&mut opened, "aa"), 40);
    // Numbers go on although the first files are gone.
    append(40);
    assert!(parts(&place).contains(&"events-00000005.jsonl".to_owned()), "{:?}", parts(&place));
    assert_eq!(count(&mut opened, "aa"), 50);
}

#[test]
fn a_removal_that_is_killed_is_done_again() {
    for round in 0..20 {
        let dir = tempfile::tempdir().unwrap();
        let place = Place::new(dir.path()).with_limits(SpoolLimits { part_bytes: 1, kept_bytes: 1 << 20 });
        for at in 0..40 {
            place.spool().append(&event("aa", at, Change::Heartbeat)).unwrap();
            if at % 4 == 3 {
                open(&place);
            }
        }
        let before = parts(&place).len();
        assert!(before >= 10, "{before}");
        let removal = child::command("spool-remove", dir.path(), "").spawn().unwrap();
        std::thread::sleep(Duration::from_millis(2 * round));
        child::kill(removal);
        // All of it is old by then, and none of it is to be kept.
        let small = place.clone().with_limits(SpoolLimits { part_bytes: 1, kept_bytes: 0 });
        let mut opened = small.open(now() + 3_600_000, None).unwrap();
        assert_eq!(parts(&place), Vec::<String>::new());
        place.spool().append(&event("aa", 50, Change::Heartbeat)).unwrap();
        open(&place);
        assert_eq!(count(&mut opened, "aa"), 41, "round {round}");
    }
}

#[test]
fn a_bounded_fold_leaves_the_rest_for_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::new(dir.path());
    let text = "x".repeat(4_000);
    for at in 0..300 {
        place.spool().append(&event("aa", at, Change::Status(text.clone()))).unwrap();
    }
    let opened = place.open(now(), Some(1)).unwrap();
    assert!(!opened.folded.complete && (1..300).contains(&opened.folded.applied.new), "{:?}", opened.folded.applied);
    assert!(open(&place).folded.complete);
    assert_eq!(count(&mut open(&place), "aa"), 300);
}

#[test]
fn a_spool_that_was_emptied_by_hand_begins_anew() {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::new(dir.path());
    for at in 0..5 {
        place.spool().append(&event("aa", at, Change::Heartbeat)).unwrap();
    }
    open(&place);
    fs::write(current(&place), "").unwrap();
    place.spool().append(&event("aa", 9, Change::Heartbeat)).unwrap();
    assert_eq!(count(&mut open(&place), "aa"), 6);
    // The same, and the new file is longer than the old one when somebody looks.
    fs::remove_file(current(&place)).unwrap();
    for at in 10..20 {
        place.spool().append(&event("aa", at, Change::Heartbeat)).unwrap();
    }
    assert_eq!(count(&mut open(&place), "aa"), 16);
}

/// 64 writers, ten sessions, directories that are killed at any moment: each of the 3,200 records counts once.
#[test]
fn many_writers_and_killed_dirs_lose_and_repeat_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::new(dir.path());
    let mut writers: Vec<_> =
        (0..64).map(|number| child::command("spool-write", dir.path(), &number.to_string()).spawn().unwrap()).collect();
    let mut killed = 0;
    while writers.iter_mut().any(|writer| writer.try_wait().unwrap().is_none()) || killed < 10 {
        let dirs: Vec<_> = (0..2).map(|_| child::command("spool-fold", dir.path(), "").spawn().unwrap()).collect();
        // Times that differ, from before it has opened the database to some way into its work.
        std::thread::sleep(Duration::from_millis(5 + 13 * (killed % 10)));
        dirs.into_iter().for_each(child::kill);
        killed += 1;
    }
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    let mut opened = open(&place);
    let sessions = opened.registry.list(&Filter::default()).unwrap();
    let counts: Vec<(String, i64)> = sessions.iter().map(|s| (s.session_id.clone(), s.event_count)).collect();
    assert_eq!(counts.len(), 10, "{counts:?}");
    assert!(counts.iter().all(|(_, count)| *count == 320), "{counts:?}");
    let database = rusqlite::Connection::open(place.database()).unwrap();
    let ids: i64 = database.query_row("SELECT COUNT(*) FROM applied_events", [], |row| row.get(0)).unwrap();
    assert_eq!(ids, 3_200);
}

/// The other processes of these tests.
pub(crate) fn play(role: &str, dir: &Path, argument: &str) -> bool {
    // Small parts, so that files are finished while others write.
    let place = Place::new(dir).with_limits(SpoolLimits { part_bytes: 20_000, kept_bytes: 1 << 30 });
    match role {
        "spool-write" => {
            for number in 0..50_i64 {
                let session = format!("session-{}", number % 10);
                let change = if number % 2 == 0 { Change::State(State::Active) } else { Change::Heartbeat };
                let id = EventId::named(&format!("{argument}-{number}"));
                place.spool().append(&RegistryEvent::new(id, number, &session, change)).unwrap();
                if number % 10 == 0 {
                    std::thread::sleep(Duration::from_millis(20));
                }
            }
        }
        "spool-fold" => loop {
            // Another directory may be in its way for longer than a writer waits.
            let _ = place.open(now(), None);
        },
        "spool-remove" => {
            let place = Place::new(dir).with_limits(SpoolLimits { part_bytes: 1, kept_bytes: 0 });
            drop(place.open(now() + 3_600_000, None).unwrap());
        }
        "spool-large" => {
            println!("error {}", place.spool().append(&started("aa", 9, large())).unwrap_err());
        }
        _ => return false,
    }
    true
}

fn large() -> Start {
    Start { cwd: Some("x".repeat(1_000)), ..Start::default() }
}
