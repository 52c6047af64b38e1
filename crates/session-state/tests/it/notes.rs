//! Small files that documents name: put, added to, cut, removed, and the strikes of gates.

use std::fs;

use hook_session_state::Store;

/// A store and the directory beside it.
fn place() -> (tempfile::TempDir, Store) {
    let place = tempfile::tempdir().unwrap();
    let store = Store::new(place.path().join("claude/hookbin/state"));
    (place, store)
}

#[test]
fn files_are_written_whole_and_line_by_line() {
    let (place, store) = place();
    let dir = place.path().join("claude");
    let mut locked = store.lock().unwrap();
    let mut notes = locked.notes(&dir).unwrap();
    notes.put(".proof-status", "verified|1\n").unwrap();
    notes.put(".proof-status", "pending|2\n").unwrap();
    assert_eq!(notes.read(".proof-status").unwrap().as_deref(), Some("pending|2\n"));
    fs::write(dir.join(".log"), "open").unwrap();
    notes.add(".log", "a\nb").unwrap();
    notes.add(".log", "c").unwrap();
    assert_eq!(fs::read_to_string(dir.join(".log")).unwrap(), "open\na b\nc\n");
    notes.trim(".log", 2).unwrap();
    assert_eq!(fs::read_to_string(dir.join(".log")).unwrap(), "a b\nc\n");
    notes.remove(".log").unwrap();
    notes.remove(".log").unwrap();
    notes.trim(".log", 2).unwrap();
    assert_eq!(notes.read(".log").unwrap(), None);
}

#[test]
fn names_stay_in_the_dir_and_links_are_not_followed() {
    let (place, store) = place();
    let dir = place.path().join("claude");
    let mut locked = store.lock().unwrap();
    let mut notes = locked.notes(&dir).unwrap();
    for name in ["", ".", "..", "../x", "a/b", "a\0", ".tmp"] {
        assert!(notes.put(name, "x").is_err(), "{name:?}");
    }
    #[cfg(unix)]
    {
        let target = place.path().join("target");
        fs::write(&target, "theirs").unwrap();
        std::os::unix::fs::symlink(&target, dir.join(".note")).unwrap();
        assert_eq!(notes.read(".note").unwrap(), None);
        assert!(notes.add(".note", "x").is_err());
        notes.put(".note", "ours").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "theirs");
        assert_eq!(notes.read(".note").unwrap().as_deref(), Some("ours"));
        std::os::unix::fs::symlink(place.path(), place.path().join("link")).unwrap();
        assert!(locked.notes(&place.path().join("link")).is_err());
    }
}

#[test]
fn a_file_that_only_grows_is_bounded() {
    let (place, store) = place();
    let dir = place.path().join("claude");
    let mut locked = store.lock().unwrap();
    let mut notes = locked.notes(&dir).unwrap();
    fs::write(dir.join(".log"), "0123456789abcdef\n".repeat(70_000)).unwrap();
    notes.add(".log", "last").unwrap();
    let text = fs::read_to_string(dir.join(".log")).unwrap();
    assert_eq!((text.lines().count(), text.ends_with("\nlast\n")), (2_000, true));
}

/// A clone can bring one of any size. It is not read, however little of it is really there.
#[test]
fn a_file_that_nobody_grew_line_by_line_gives_way() {
    let (place, store) = place();
    let dir = place.path().join("claude");
    let mut locked = store.lock().unwrap();
    let mut notes = locked.notes(&dir).unwrap();
    fs::File::create(dir.join(".log")).unwrap().set_len(1 << 40).unwrap();
    notes.add(".log", "a").unwrap();
    assert_eq!(fs::read_to_string(dir.join(".log")).unwrap(), "a\n");
}

#[test]
fn s1_64_strikes_are_counted_by_gate_and_taken_back_by_path() {
    let (place, store) = place();
    let dir = place.path().join("claude");
    let mut locked = store.lock().unwrap();
    let mut notes = locked.notes(&dir).unwrap();
    assert_eq!(notes.strike("mock-gate", "a", 10).unwrap(), 1);
    assert_eq!(notes.strike("mock-gate", "b", 11).unwrap(), 2);
    assert_eq!(notes.strike("test-gate", "a", 12).unwrap(), 1);
    assert_eq!(notes.read(".mock-gate-strikes").unwrap().as_deref(), Some("2|11\n"));
    // Of one that earned none, nothing is taken back.
    assert_eq!(notes.forgive("mock-gate", "c", 13).unwrap(), 2);
    assert_eq!(notes.forgive("mock-gate", "a", 13).unwrap(), 1);
    assert_eq!(notes.forgive("mock-gate", "a", 13).unwrap(), 1);
    assert_eq!(notes.forgive("mock-gate", "b", 14).unwrap(), 0);
    assert_eq!(notes.read(".mock-gate-strikes").unwrap(), None);
    // Whoever removes the file removes the strikes.
    notes.strike("mock-gate", "a", 15).unwrap();
    notes.remove(".mock-gate-strikes").unwrap();
    assert_eq!(notes.strike("mock-gate", "b", 16).unwrap(), 1);
    assert_eq!(notes.forgive("mock-gate", "a", 17).unwrap(), 1);
    // A user's own count is believed.
    notes.put(".mock-gate-strikes", "7|1\r\n").unwrap();
    assert_eq!(notes.strike("mock-gate", "a", 18).unwrap(), 8);
    for broken in ["", "x|1", "-1|2", "99999999999|1"] {
        notes.put(".mock-gate-strikes", broken).unwrap();
        assert_eq!(notes.strike("mock-gate", "a", 19).unwrap(), 1, "{broken:?}");
    }
}
