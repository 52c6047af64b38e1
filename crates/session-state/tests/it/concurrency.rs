//! Many processes at once, and processes that are killed.

use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hook_session_state::{Error, Kind, Store};

use crate::child;
use crate::support::{Home, read_file, session};

#[test]
fn sx_04_sixteen_processes_lose_no_update_and_a_reader_finds_whole_documents_only() {
    let home = Home::new();
    let id = session("shared");
    read_file(&mut home.store.lock().unwrap(), &id, "first", "/first");
    home.store.lock().unwrap().write_view("session.json", "{}").unwrap();
    let done = AtomicBool::new(false);

    let polled = std::thread::scope(|scope| {
        // A reader that knows nothing of this crate: whatever it finds under the name must be one JSON value.
        let reader = scope.spawn(|| {
            let mut polled = 0_u64;
            let mut last = 0;
            while !done.load(Ordering::Relaxed) {
                let text = std::fs::read_to_string(home.store.session_path(&id)).unwrap();
                let value: serde_json::Value = serde_json::from_str(&text).unwrap();
                let count = value["activity"]["action_count"].as_u64().unwrap();
                assert!(count >= last, "{count} after {last}");
                last = count;
                polled += 1;
            }
            polled
        });
        let children: Vec<Child> = (0..16)
            .map(|number| child::command("count", home.store.dir(), &format!("p{number}")).spawn().unwrap())
            .collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        }
        done.store(true, Ordering::Relaxed);
        reader.join().unwrap()
    });

    assert!(polled > 0);
    let document = home.document(&id);
    assert_eq!(document.activity().action_count, 1 + 16 * 50);
    assert_eq!(document.activity().files_read.total(), 1 + 16 * 50);
    assert_eq!(home.names(), ["lock", "session.json", "sessions/shared.json", "sessions/shared.seen"]);
}

#[test]
fn a_killed_process_loses_at_most_its_own_unfinished_update() {
    let home = Home::new();
    let id = session("shared");
    let mut total = 0;
    for round in 0..25_u64 {
        let mut child = child::command("forever", home.store.dir(), &total.to_string()).spawn().unwrap();
        child::wait_for(&mut child, "saved ");
        // Not a wait for anything: it spreads the kills over all points of an update.
        std::thread::sleep(Duration::from_micros(1_000 + round * 137));
        let mut output = child.stdout.take().unwrap();
        child::kill(child);
        let mut said = String::new();
        std::io::Read::read_to_string(&mut output, &mut said).unwrap();
        let whole = said.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let saved: u64 =
            whole.lines().rev().find_map(|line| line.strip_prefix("saved ")).map_or(0, |n| n.parse().unwrap());

        let mut locked = home.store.lock().unwrap();
        let loaded = locked.session(&id).unwrap();
        assert!(loaded.existed && loaded.damaged.is_none());
        let activity = loaded.value.activity();
        total = activity.action_count;
        // What it said was saved is there, and at most one update more, which it could not say any more.
        assert!(total == saved || total == saved + 1 || saved == 0, "{saved} said, {total} found");
        assert_eq!(activity.files_read.total(), total);
        // Everything listed is known, and what comes next is not: neither half of an update is without the other.
        for file in activity.files_read.last(3) {
            assert!(!locked.first_time(&id, Kind::Read, &file).unwrap(), "{file} is listed and not known");
        }
        assert!(!locked.first_time(&id, Kind::Event, &format!("call {total}")).unwrap());
        assert!(locked.first_time(&id, Kind::Read, &format!("/file {}", total + 1)).unwrap());
        assert!(locked.first_time(&id, Kind::Event, &format!("call {}", total + 1)).unwrap());
    }
    assert!(total >= 25);
    // What killed processes left lying about goes with the next update.
    read_file(&mut home.store.lock().unwrap(), &id, "last", "/last");
    assert_eq!(home.names(), ["lock", "sessions/shared.json", "sessions/shared.seen"]);
}

#[test]
fn sx_04_a_live_holder_is_waited_for_a_bounded_time_and_a_dead_one_not_at_all() {
    let home = Home::new();
    let mut child = child::command("hold", home.store.dir(), "").spawn().unwrap();
    child::wait_for(&mut child, "held");

    let wait = Duration::from_millis(50);
    let store = Store::new(home.store.dir()).with_lock_wait(wait);
    let begun = Instant::now();
    let error = store.lock().unwrap_err();
    assert!(begun.elapsed() >= wait && begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert!(
        matches!(&error, Error::Locked { path, waited } if path.ends_with("state/lock") && *waited >= wait),
        "{error}"
    );
    // Reading goes on meanwhile.
    assert!(store.read_session(&session("shared")).unwrap().is_none());

    child::kill(child);
    assert!(store.with_lock_wait(Duration::ZERO).lock().is_ok());
}

#[test]
fn a_lock_is_free_when_it_is_dropped_and_the_file_stays() {
    let home = Home::new();
    let impatient = home.store.clone().with_lock_wait(Duration::ZERO);
    let locked = home.store.lock().unwrap();
    assert!(matches!(impatient.lock().unwrap_err(), Error::Locked { .. }));
    drop(locked);
    // Not the impatient one: a process that another test is just starting holds a copy of the lock until it has started.
    drop(home.store.lock().unwrap());
    assert_eq!(home.names(), ["lock"]);
}

#[test]
fn two_sessions_in_one_lock_do_not_mix() {
    let home = Home::new();
    let (one, two) = (session("one"), session("two"));
    let mut locked = home.store.lock().unwrap();
    let mut first = locked.session(&one).unwrap().value;
    let mut second = locked.session(&two).unwrap().value;
    assert!(locked.first_time(&one, Kind::Event, "call").unwrap());
    assert!(locked.first_time(&two, Kind::Event, "call").unwrap());
    first.activity_mut().action_count = 1;
    second.activity_mut().action_count = 2;
    locked.save(&first).unwrap();
    locked.save(&second).unwrap();
    assert!(!locked.first_time(&one, Kind::Event, "call").unwrap());
    drop(locked);
    assert_eq!(home.document(&one).activity().action_count, 1);
    assert_eq!(home.document(&two).activity().action_count, 2);
    assert_eq!(home.store.sessions().unwrap(), [one, two]);
}
