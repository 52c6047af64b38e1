//! A project directory that is renamed, moved, copied or cloned, with its signed document.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hook_session_state::Breaker;
use hook_session_state::signed::{Signed, Trouble};

use crate::signed::fail;

const AT: &str = "2026-08-18T09:05:03Z";

fn at(base: &Path, project: &str) -> Signed {
    Signed::new(base.join(project).join(".claude"), Some(&base.join("keys")))
}

/// A project with a tripped breaker.
fn tripped(base: &Path, project: &str) {
    let signed = at(base, project);
    fail(&signed);
    let mut held = signed.lock().unwrap();
    let mut breaker: Breaker = held.state().section().unwrap();
    breaker.tripped = true;
    held.state_mut().put(&breaker).unwrap();
    held.save(AT).unwrap();
}

fn is_tripped(signed: &Signed) -> bool {
    signed.read().unwrap().state.section::<Breaker>().unwrap().tripped
}

fn keys(base: &Path) -> usize {
    fs::read_dir(base.join("keys"))
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|end| end == "key"))
        .count()
}

fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-a").args([from, to]).status().unwrap().success());
}

#[test]
fn a_renamed_or_moved_dir_keeps_its_state_and_says_once_where_it_was() {
    for to in ["renamed", "other/parent/project"] {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        fail(&at(&base, "project"));
        fs::create_dir_all(base.join(to).parent().unwrap()).unwrap();
        fs::rename(base.join("project"), base.join(to)).unwrap();
        let signed = at(&base, to);
        let found = signed.read().unwrap();
        assert_eq!(found.trouble, None, "{to}");
        let moved = found.moved.unwrap();
        assert_eq!((moved.from.as_deref(), moved.copied), (Some(base.join("project").as_path()), false));
        assert_eq!(found.state.section::<Breaker>().unwrap().failures, 1);
        fail(&signed);
        let found = signed.read().unwrap();
        assert_eq!((found.trouble, found.moved, found.counter), (None, None, 2), "{to}");
        // A new project where the old one was is new.
        assert_eq!(keys(&base), 1);
        assert_eq!(at(&base, "project").read().unwrap().trouble, None);
    }
}

#[test]
fn a_copied_dir_and_its_original_go_on_each_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    fail(&at(&base, "project"));
    copy(&base.join("project"), &base.join("copy"));
    let (old, new) = (at(&base, "project"), at(&base, "copy"));
    assert!(new.read().unwrap().moved.unwrap().copied);
    fail(&new);
    fail(&old);
    fail(&old);
    for (signed, failures) in [(&old, 3), (&new, 2)] {
        let found = signed.read().unwrap();
        assert_eq!((found.trouble, found.moved), (None, None));
        assert_eq!(found.state.section::<Breaker>().unwrap().failures, failures);
    }
    // Each has a key of its own: the document of one is not that of the other.
    fs::copy(old.path(), new.path()).unwrap();
    assert!(matches!(new.read().unwrap().trouble, Some(Trouble::UnknownKey { .. })));
}

#[test]
fn a_document_that_was_signed_elsewhere_is_set_aside_and_trips_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    tripped(&base, "project");
    let clone = base.join("clone/.claude");
    fs::create_dir_all(&clone).unwrap();
    // As `git clone` on another machine: the document alone, and no key.
    fs::copy(base.join("project/.claude/state.json"), clone.join("state.json")).unwrap();
    let signed = Signed::new(&clone, Some(&base.join("other-keys")));
    let found = signed.read().unwrap();
    assert!(matches!(found.trouble, Some(Trouble::Elsewhere { .. })), "{:?}", found.trouble);
    assert!(!is_tripped(&signed));
    let aside: Option<PathBuf> = signed.lock().unwrap().save(AT).unwrap();
    assert!(aside.unwrap().exists());
    assert_eq!(signed.read().unwrap().trouble, None);
}

#[test]
fn moving_the_dir_resets_no_tripped_breaker() {
    type Deed = fn(&Path);
    let deeds: [(&str, Deed); 4] = [
        ("nothing more", |_| {}),
        ("another key named", |claude| {
            let text = fs::read_to_string(claude.join("state.json")).unwrap();
            let at = text.find("__key__\":\"").map(|at| at + 10).unwrap();
            fs::write(claude.join("state.json"), format!("{}0000{}", &text[..at], &text[at + 4..])).unwrap();
        }),
        ("the document removed", |claude| fs::remove_file(claude.join("state.json")).unwrap()),
        ("its signature taken off", |claude| fs::write(claude.join("state.json"), "{\"version\":1}").unwrap()),
    ];
    for (name, deed) in deeds {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        tripped(&base, "project");
        fs::rename(base.join("project"), base.join("moved")).unwrap();
        deed(&base.join("moved/.claude"));
        let signed = at(&base, "moved");
        assert!(is_tripped(&signed), "{name}");
        signed.lock().unwrap().save(AT).unwrap();
        assert!(is_tripped(&signed), "{name}, saved");
    }
}

#[test]
fn a_key_that_is_taken_away_where_it_lay_still_trips() {
    let dir = tempfile::tempdir().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let signed = at(&base, "project");
    fail(&signed);
    fs::remove_file(signed.key_path().unwrap()).unwrap();
    assert!(matches!(signed.read().unwrap().trouble, Some(Trouble::KeyGone { .. })));
    assert!(is_tripped(&signed));
}
