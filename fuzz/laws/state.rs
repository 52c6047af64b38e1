//! Documents of any bytes: each is read, quarantined, or left to the newer version that wrote it; the update after it is kept.

use std::fs;
use std::path::Path;

use hook_session_state::signed::Signed;
use hook_session_state::{Error, Kind, SessionId, Store};

pub(crate) fn check(bytes: &[u8]) {
    let dir = tempfile::tempdir().expect("a throw-away directory");
    documents(bytes, dir.path());
    signed(bytes, dir.path());
}

fn documents(bytes: &[u8], dir: &Path) {
    let store = Store::new(dir.join("state"));
    let id = SessionId::from_raw("s");
    fs::create_dir_all(store.dir().join("sessions")).expect("a directory");
    for path in [store.session_path(&id), store.dir().join("project.json")] {
        fs::write(path, bytes).expect("a document");
    }
    fs::write(store.dir().join("sessions/s.seen"), bytes).expect("a membership file");
    store.verify().expect("every document has a standing");
    let mut locked = store.lock().expect("the lock");
    let loaded = match locked.session(&id) {
        Ok(loaded) => loaded,
        Err(Error::Foreign { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    let mut document = loaded.value;
    let before = document.activity().action_count;
    let is_new =
        locked.first_time(&id, Kind::Event, "a call that nobody made").expect("a membership file of any bytes");
    document.activity_mut().action_count = before.saturating_add(1);
    locked.save(&document).expect("a document that was read is written");
    drop(locked);
    let again = store.read_session(&id).expect("what was written is read").expect("it is there");
    assert_eq!(again.activity().action_count, before.saturating_add(1));
    let mut locked = store.lock().expect("the lock");
    locked.session(&id).expect("what was written is read");
    let known = !locked.first_time(&id, Kind::Event, "a call that nobody made").expect("the membership file");
    assert!(known || !is_new, "a call is counted twice");
    match locked.project() {
        Ok(project) => locked.save_project(&project.value).expect("a document that was read is written"),
        Err(error) => assert!(matches!(error, Error::Foreign { .. }), "{error}"),
    }
}

fn signed(bytes: &[u8], dir: &Path) {
    let claude = dir.join("project/.claude");
    fs::create_dir_all(&claude).expect("a directory");
    let signed = Signed::new(&claude, Some(&dir.join("keys")));
    signed.make_key().expect("a key");
    let mut held = signed.lock().expect("the lock");
    held.save("2026-01-01T00:00:00Z").expect("the first signature");
    drop(held);
    let sound = fs::read(signed.path()).expect("the document");
    fs::write(signed.path(), bytes).expect("somebody's document");
    let found = signed.read().expect("a document of any bytes");
    assert!(found.trouble.is_some() || bytes == sound, "nobody signed this");
    let mut held = signed.lock().expect("the lock");
    held.save("2026-01-01T00:00:01Z").expect("what was saved last is in force");
    drop(held);
    assert!(signed.read().expect("the document").trouble.is_none());
}
