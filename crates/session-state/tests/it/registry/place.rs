//! The registry of a machine when its database is damaged, locked, newer or not to be written.

use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::time::Duration;

use hook_session_state::Error;
use hook_session_state::registry::{Change, Filter, Place, SessionRegistry as _, Start};
use tempfile::TempDir;

use super::{event, some, started};
use crate::child;

/// A registry with many sessions, so that its database has many pages.
fn filled() -> (TempDir, Place) {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::new(dir.path());
    for number in 0..200 {
        let start = Start { description: some(&"text ".repeat(50)), ..Start::default() };
        place.spool().append(&started(&format!("session-{number:03}"), number, start)).unwrap();
    }
    place.open(1_000, None).unwrap();
    (dir, place)
}

fn aside(dir: &TempDir) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
    let is_aside = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().contains(".damaged-");
    entries.filter(is_aside).collect()
}

#[test]
fn a_damaged_database_is_set_aside_and_made_anew_from_the_spool() {
    let (dir, place) = filled();
    fs::write(place.database(), "this was a database").unwrap();
    // 2026-08-18T09:05:03Z.
    let opened = place.open(1_787_043_903_000, None).unwrap();
    let set_aside = opened.damaged.unwrap();
    assert_eq!(set_aside.file_name().unwrap(), "registry.db.damaged-20260818T090503Z");
    assert_eq!(fs::read_to_string(&set_aside).unwrap(), "this was a database");
    let mut registry = opened.registry;
    assert_eq!(registry.list(&Filter::default()).unwrap().len(), 200);

    // Again within the same second.
    drop(registry);
    fs::write(place.database(), "not again").unwrap();
    assert!(place.open(1_787_043_903_000, None).unwrap().damaged.is_some());
    assert_eq!(aside(&dir).len(), 2);
    assert!(place.open(1_787_043_903_000, None).unwrap().damaged.is_none());
}

#[test]
fn damage_that_only_a_question_meets_is_dealt_with_as_well() {
    let (dir, place) = filled();
    // The write-ahead log is in the database by now, because nobody has it open.
    let file = fs::OpenOptions::new().write(true).open(place.database()).unwrap();
    let pages = file.metadata().unwrap().len() / 4_096;
    assert!(pages > 20, "{pages} pages");
    for page in 4..pages {
        file.write_all_at(&[0xa5; 4_096], page * 4_096).unwrap();
    }
    let asked = place.with(2_000, None, |registry| registry.list(&Filter { ended: true, ..Filter::default() }));
    let (sessions, opened) = asked.unwrap();
    assert_eq!(sessions.len(), 200);
    assert_eq!(aside(&dir), [opened.damaged.unwrap()]);
}

#[test]
fn a_repair_that_is_killed_is_done_again() {
    let (dir, place) = filled();
    for round in 0..25 {
        fs::write(place.database(), "this was a database").unwrap();
        let repair = child::command("registry-repair", dir.path(), "").spawn().unwrap();
        // From before it has begun to after it is done.
        std::thread::sleep(Duration::from_millis(2 * round));
        child::kill(repair);
        let mut opened = place.open(2_000, None).unwrap();
        assert_eq!(opened.registry.list(&Filter::default()).unwrap().len(), 200, "round {round}");
    }
}

#[test]
fn a_lock_that_is_kept_is_said_after_the_bounded_wait() {
    let (_dir, place) = filled();
    let other = rusqlite::Connection::open(place.database()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begun = std::time::Instant::now();
    let waiting = place.clone().with_wait(Duration::from_millis(200));
    place.spool().append(&event("later", 5_000, Change::Heartbeat)).unwrap();
    let error = waiting.open(2_000, None).unwrap_err();
    assert!(matches!(error, Error::RegistryBusy { .. }), "{error}");
    assert!(begun.elapsed() >= Duration::from_millis(200) && begun.elapsed() < Duration::from_secs(5));
    assert!(error.to_string().contains("registry.db") && error.to_string().contains("nothing is lost"), "{error}");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(waiting.open(2_000, None).unwrap().folded.applied.new, 1);
}

#[test]
fn tables_of_a_newer_version_are_left_as_they_are() {
    let (dir, place) = filled();
    let database = rusqlite::Connection::open(place.database()).unwrap();
    database.execute_batch("UPDATE schema_version SET version = 7").unwrap();
    drop(database);
    let error = place.open(2_000, None).unwrap_err();
    assert!(matches!(error, Error::RegistryNewer { found: 7, known: 1, .. }), "{error}");
    assert!(error.to_string().contains("update hookbin"), "{error}");
    assert!(aside(&dir).is_empty());
}

#[test]
fn a_dir_in_the_place_of_the_database_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::new(dir.path());
    fs::create_dir(place.database()).unwrap();
    let error = place.open(1_000, None).unwrap_err().to_string();
    assert!(error.contains("registry.db") && error.contains("open"), "{error}");
    assert!(place.database().is_dir());
}

#[test]
fn a_full_disk_is_said_and_nothing_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let place = Place::new(dir.path());
    place.spool().append(&event("aa", 1, Change::Heartbeat)).unwrap();
    let output = child::limited("trap '' XFSZ; ulimit -f 8", "registry-open", dir.path(), "").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("registry.db") && said.contains("check that the disk has room"), "{said}");
    assert_eq!(place.open(1_000, None).unwrap().registry.list(&Filter::default()).unwrap().len(), 1);
}

/// The other process of these tests.
pub(crate) fn play(role: &str, dir: &std::path::Path) -> bool {
    match role {
        "registry-open" => println!("error {}", Place::new(dir).open(1_000, None).unwrap_err()),
        "registry-repair" => drop(Place::new(dir).open(1_000, None).unwrap()),
        _ => return false,
    }
    true
}
