//! One update as one call, and sections as values.

use hook_session_state::view::{Handoff, HandoffText, handoff_md, handoff_md_with};
use hook_session_state::{Activity, Error, Kind, SessionDocument, Store, Time, Touch};
use serde::{Deserialize, Serialize};

use crate::support::{Home, session};

fn store() -> (Home, Store) {
    let home = Home::new();
    let store = home.store.clone();
    (home, store)
}

#[test]
fn an_update_is_saved_with_what_it_counted() {
    let (_home, store) = store();
    let id = session("loop");
    let counted = store
        .update(&id, |session| {
            assert!(!session.existed() && session.damaged().is_none());
            Ok([
                session.acted("t1", "Read", Touch::Read("/a"))?,
                session.acted("t1", "Read", Touch::Read("/a"))?,
                session.acted("t2", "Read", Touch::Read("/a"))?,
                session.failed("t3", "Write", Touch::Write("/a"))?,
            ])
        })
        .unwrap();
    assert_eq!(counted, [true, false, true, true]);
    store.update(&id, |session| session.acted("t2", "Read", Touch::Nothing)).unwrap();
    let found = store.read_session(&id).unwrap().unwrap();
    let activity = found.activity();
    assert_eq!(activity.action_count, 3);
    assert_eq!((activity.files_read.last(9), activity.files_written.last(9)), (vec!["/a".into()], vec!["/a".into()]));
    assert_eq!((activity.last_tool.as_deref(), activity.last_result.as_deref()), (Some("Write"), Some("failure")));
    assert_eq!(activity.last_file.as_deref(), Some("/a"));
}

#[test]
fn an_error_leaves_everything_as_it_was() {
    let (_home, store) = store();
    let id = session("loop");
    store.update(&id, |session| session.acted("t1", "Bash", Touch::Nothing)).unwrap();
    let refused: Result<(), Error> = store.update(&id, |session| {
        session.acted("t2", "Bash", Touch::Nothing)?;
        session.view("STATUS.txt", "half")?;
        session.set_section("pending", &1)
    });
    assert!(matches!(refused, Err(Error::Section { name, .. }) if name == "pending"));
    assert_eq!(store.read_session(&id).unwrap().unwrap().activity().action_count, 1);
    assert_eq!(store.read_view("STATUS.txt").unwrap(), None);
    // The call counts when it comes again.
    assert!(store.update(&id, |session| session.acted("t2", "Bash", Touch::Nothing)).unwrap());
}

#[test]
fn views_follow_the_document_and_names_are_checked_before() {
    let (_home, store) = store();
    let id = session("loop");
    store.update(&id, |session| session.view("STATUS.txt", "fine")).unwrap();
    assert_eq!(store.read_view("STATUS.txt").unwrap().as_deref(), Some("fine"));
    let refused = store.update(&id, |session| {
        session.activity_mut().action_count = 9;
        session.view("../x", "")
    });
    assert!(matches!(refused, Err(Error::FileName { .. })));
    assert_eq!(store.read_session(&id).unwrap().unwrap().activity().action_count, 0);
}

#[test]
fn a_session_can_begin_anew() {
    let (_home, store) = store();
    let id = session("loop");
    store.update(&id, |session| session.acted("t1", "Read", Touch::Read("/a"))).unwrap();
    store.update(&id, |session| session.begin_anew(Activity::fresh("2026-08-18 08:00:00", None))).unwrap();
    let again = store.update(&id, |session| session.first_time(Kind::Read, "/a")).unwrap();
    assert!(again);
}

#[test]
fn updates_of_many_threads_are_not_lost() {
    let (_home, store) = store();
    let id = session("loop");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (store, id) = (&store, &id);
            scope.spawn(move || {
                for call in 0..25 {
                    store
                        .update(id, |session| session.acted(&format!("{thread}-{call}"), "T", Touch::Nothing))
                        .unwrap();
                }
            });
        }
    });
    assert_eq!(store.read_session(&id).unwrap().unwrap().activity().action_count, 100);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Budget {
    left: u32,
    #[serde(default)]
    note: Option<String>,
}

#[test]
fn sections_are_values_of_ones_own() {
    let (_home, store) = store();
    let id = session("loop");
    let budget = Budget { left: 3, note: None };
    store.update(&id, |session| session.set_section("budget", &budget)).unwrap();
    let found = store.read_session(&id).unwrap().unwrap();
    assert_eq!(found.section::<Budget>("budget").unwrap(), Some(budget));
    assert_eq!(found.section::<Budget>("other").unwrap(), None);
    let error = found.section::<Vec<u32>>("budget").unwrap_err().to_string();
    assert!(error.contains("read section \"budget\""), "{error}");
    // What cannot be JSON is refused and changes nothing.
    let mut document = SessionDocument::new(id);
    let no_json = std::collections::BTreeMap::from([((1, 2), 3)]);
    assert!(matches!(document.set_section("x", &no_json), Err(Error::Section { .. })));
    assert_eq!(document.section_names().count(), 0);
    let mut project = store.lock().unwrap().project().unwrap().value;
    project.set_section("limit", &7).unwrap();
    assert_eq!(project.section::<u8>("limit").unwrap(), Some(7));
}

#[test]
fn a_handoff_note_has_the_callers_words() {
    let now = Time::from_unix(1_787_043_903);
    let text = HandoffText::new("Notes of\nthe loop", "## Next\n- Read the plan.\n");
    let note = handoff_md_with(&Activity::fresh("2026-08-18 08:00:00", None), now, &text).to_string();
    assert!(note.starts_with("# Notes of\\nthe loop — Aug 18 2026 09:05\n\n"), "{note}");
    assert!(note.ends_with("## FILES MODIFIED\n- (none)\n\n## Next\n- Read the plan.\n"), "{note}");
    assert!(!note.contains("SPF"));
    assert_eq!(Handoff::parse_with(&note, &text).unwrap().started, "2026-08-18 08:00:00");
    assert_eq!(Handoff::parse(&note), None);
    let usual = handoff_md(&Activity::default(), now).to_string();
    assert_eq!(usual, handoff_md_with(&Activity::default(), now, &HandoffText::default()).to_string());
}
