//! The signed document: its sections, its signature, and every way to tamper with it.

use std::path::PathBuf;
use std::process::Stdio;

use hook_session_state::sane::{
    ActionLog, Edits, Enforcement, Evidence, Learnings, LoggedAction, Requirements, Research, SECTIONS, Safemode,
    Saneloop,
};
use hook_session_state::signed::{Signed, State, Trouble};
use hook_session_state::{Breaker, BreakerLimits, SessionId};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::child;

const AT: &str = "2026-08-18T09:05:03Z";

/// A project directory and a directory of keys.
pub(crate) struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn signed(&self) -> Signed {
        at(self.dir.path().to_str().unwrap())
    }

    fn document(&self) -> PathBuf {
        self.signed().path()
    }

    fn key(&self) -> PathBuf {
        self.signed().key_path().unwrap().to_path_buf()
    }

    fn asides(&self) -> usize {
        let dir = std::fs::read_dir(self.dir.path().join("project/.claude")).unwrap();
        dir.filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().contains(".tampered-")).count()
    }
}

/// The document of the project `project` below this directory.
pub(crate) fn at(dir: &str) -> Signed {
    let dir = PathBuf::from(dir);
    Signed::new(dir.join("project/.claude"), Some(&dir.join("keys")))
}

/// A failure, in a lock of its own.
pub(crate) fn fail(signed: &Signed) {
    let mut held = signed.lock().unwrap();
    assert_eq!(held.trouble(), None);
    let mut breaker: Breaker = held.state().section().unwrap();
    breaker.failed(
        "SYNTAX_ERROR",
        "syntax error",
        AT,
        BreakerLimits { threshold: u32::MAX, same: u32::MAX, forget_after: 0 },
    );
    held.state_mut().put(&breaker).unwrap();
    held.save(AT).unwrap();
}

/// A document with a tripped breaker, a requirement and one category done.
fn restricted(signed: &Signed) {
    let mut held = signed.lock().unwrap();
    let state = held.state_mut();
    state.enter(&SessionId::from_raw("one"));
    for _ in 0..3 {
        let mut breaker: Breaker = state.section().unwrap();
        breaker.failed("SYNTAX_ERROR", "syntax error", AT, BreakerLimits::default());
        state.put(&breaker).unwrap();
    }
    let mut requirements = Requirements::default();
    requirements.request(&["plan".to_owned()], false);
    state.put(&requirements).unwrap();
    let mut research = Research::default();
    research.done("local", Evidence { completed_at: AT.to_owned(), tool: "Grep".to_owned(), via_task: false });
    state.put(&research).unwrap();
    held.save(AT).unwrap();
}

fn tripped(state: &State) -> bool {
    state.section::<Breaker>().unwrap().tripped
}

#[test]
fn s3_16_to_23_every_section_has_its_documented_default() {
    let state = Place::new().signed().read().unwrap().state;
    let of = |section: &str, keys: &[&str]| -> Vec<Value> {
        keys.iter().map(|key| state.get(section, key).unwrap_or_else(|| panic!("{section}.{key}"))).collect()
    };
    let breaker = of("circuit_breaker", &["failures", "tripped", "tripped_at", "last_error", "error_signatures"]);
    assert_eq!(breaker, [json!(0), json!(false), Value::Null, Value::Null, json!({})]);
    let requirements = of("requirements", &["requested", "satisfied", "is_task", "is_big_task"]);
    assert_eq!(requirements, [json!([]), json!([]), json!(false), json!(false)]);
    assert_eq!(of("research", &["memory", "docs", "web", "github", "local"]), vec![Value::Null; 5]);
    assert_eq!(of("edits", &["count", "unique_files", "last_file"]), [json!(0), json!([]), Value::Null]);
    let keys = ["active", "task", "iteration", "max_iterations", "acceptance_criteria", "started_at"];
    assert_eq!(of("saneloop", &keys), [json!(false), Value::Null, json!(0), json!(20), json!([]), Value::Null]);
    let enforcement = of("enforcement", &["blocks", "halted", "halted_at", "halted_reason"]);
    assert_eq!(enforcement, [json!([]), json!(false), Value::Null, Value::Null]);
    assert_eq!((state.get("action_log", "0"), state.get("learnings", "0")), (None, None));
}

macro_rules! marks {
    ($(fn $name:ident $section:literal $default:expr),* $(,)?) => {
        $(#[test]
        fn $name() {
            let mut state = State::default();
            assert!(SECTIONS.contains(&$section));
            let mut stored = Value::Null;
            state.update($section, |value| stored = value.clone()).unwrap();
            assert_eq!(stored, $default);
        })*
    };
}

marks! {
    fn s3_16_circuit_breaker_begins_as_documented "circuit_breaker"
        json!({"failures": 0, "tripped": false, "tripped_at": null, "last_error": null, "error_signatures": {}}),
    fn s3_17_requirements_begins_as_documented "requirements" json!({"requested": [], "satisfied": [], "is_task": false, "is_big_task": false}),
    fn s3_18_research_begins_as_documented "research" json!({"memory": null, "docs": null, "web": null, "github": null, "local": null}),
    fn s3_19_edits_begins_as_documented "edits" json!({"count": 0, "unique_files": [], "last_file": null}),
    fn s3_20_saneloop_begins_as_documented "saneloop" json!({"active": false, "task": null, "iteration": 0, "max_iterations": 20,
        "acceptance_criteria": [], "started_at": null}),
    fn s3_21_enforcement_begins_as_documented "enforcement" json!({"blocks": [], "halted": false, "halted_at": null, "halted_reason": null}),
    fn s3_23_learnings_begins_as_documented "learnings" json!([]),
}

#[test]
fn s3_22_the_action_log_keeps_the_last_20_actions() {
    let mut log = ActionLog::default();
    for number in 0..25 {
        log.push(LoggedAction {
            tool: format!("T{number}"),
            call: Some(format!("call {number}")),
            ..LoggedAction::default()
        });
    }
    assert_eq!(log.0.len(), 20);
    assert_eq!((log.0[0].tool.as_str(), log.0[19].tool.as_str()), ("T5", "T24"));
    assert!(log.knows("call 24") && !log.knows("call 4"));
}

#[test]
fn s3_12_sections_are_got_set_updated_and_reset() {
    let place = Place::new();
    let signed = place.signed();
    let mut held = signed.lock().unwrap();
    let state = held.state_mut();
    state.set("edits", "count", json!(3)).unwrap();
    state.set("learnings", "0", json!({"type": "correction"})).unwrap();
    state.update("circuit_breaker", |value| value["failures"] = json!(2)).unwrap();
    held.save(AT).unwrap();
    drop(held);

    let mut held = signed.lock().unwrap();
    let state = held.state_mut();
    assert_eq!(state.get("edits", "count"), Some(json!(3)));
    assert_eq!(state.get("edits", "last_file"), Some(Value::Null));
    assert_eq!(state.get("learnings", "0"), Some(json!({"type": "correction"})));
    assert_eq!(state.section::<Breaker>().unwrap().failures, 2);
    state.reset("edits").unwrap();
    assert_eq!(state.get("edits", "count"), Some(json!(0)));
    assert!(state.set("edit", "count", json!(1)).is_err() && state.reset("edit").is_err());
    assert!(state.set("learnings", "7", json!(1)).is_err());
    assert_eq!(state.get("edit", "count"), None);
}

#[test]
fn a_section_of_another_type_is_an_error_and_one_that_lacks_keys_has_their_defaults() {
    let mut state = State::default();
    state.update("circuit_breaker", |value| *value = json!({"tripped": true, "new": [1]})).unwrap();
    let breaker: Breaker = state.section().unwrap();
    assert!(breaker.tripped && breaker.failures == 0);
    state.put(&breaker).unwrap();
    assert_eq!(state.get("circuit_breaker", "new"), Some(json!([1])));
    state.update("edits", |value| *value = json!("seven")).unwrap();
    assert!(state.section::<Edits>().is_err());
    assert!(state.section::<Saneloop>().is_ok() && state.section::<Safemode>().is_ok());
    assert!(state.section::<Enforcement>().is_ok() && state.section::<Learnings>().is_ok());
}

#[test]
fn a_document_of_a_newer_version_is_read_and_not_written() {
    let place = Place::new();
    let signed = place.signed();
    let mut held = signed.lock().unwrap();
    held.save(AT).unwrap();
    drop(held);
    // Signed by the same key, as another version of this program would.
    let key = std::fs::read_to_string(place.key()).unwrap();
    let words: Vec<&str> = key.lines().next().unwrap().split(' ').collect();
    let key = hook_session_state::sign::Key::new(words[2], words[3]).unwrap();
    let newer = r#"{"version":9,"circuit_breaker":{"tripped":true},"more":[1,2]}"#;
    std::fs::write(place.document(), hook_session_state::sign::sign(&key, 9, AT, newer).unwrap()).unwrap();
    let found = signed.read().unwrap();
    assert!(found.trouble.is_none() && tripped(&found.state));
    let said = signed.lock().unwrap().save(AT).unwrap_err().to_string();
    assert!(said.contains("newer version") && said.contains('9'), "{said}");
}

#[test]
fn s3_14_the_document_is_signed_with_a_key_that_only_its_owner_can_read() {
    let place = Place::new();
    restricted(&place.signed());
    let text = std::fs::read_to_string(place.document()).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((document["__ts__"].as_str(), document["__counter__"].as_u64()), (Some(AT), Some(1)));
    assert_eq!(document["__sig__"].as_str().unwrap().len(), 64);
    assert!(place.document().parent().unwrap().join("state.json.lock").exists());
    let secret = std::fs::read_to_string(place.key()).unwrap();
    let secret = secret.lines().next().unwrap().rsplit(' ').nth(1).unwrap();
    assert_eq!(secret.len(), 64);
    assert!(!text.contains(secret));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(place.key()), mode(place.key().parent().unwrap().to_path_buf())), (0o600, 0o700));
    }
}

#[test]
fn another_project_and_a_new_one_have_keys_of_their_own() {
    let (one, other) = (Place::new(), Place::new());
    assert!(one.signed().make_key().unwrap());
    assert!(!one.signed().make_key().unwrap());
    assert!(one.signed().read().unwrap().trouble.is_none());
    restricted(&one.signed());
    fail(&other.signed());
    // A document of another project, and its key too under the name of this one's.
    std::fs::copy(other.document(), one.document()).unwrap();
    let found = one.signed().read().unwrap();
    assert!(matches!(found.trouble, Some(Trouble::UnknownKey { .. })), "{:?}", found.trouble);
    assert!(tripped(&found.state));
}

/// Every way to tamper, what it is called, and that the restriction holds before and after the next save.
#[test]
fn s3_14_each_tampering_has_its_name_and_lifts_nothing() {
    type Deed = fn(&Place, &str, &str);
    let deeds: [(&str, Deed); 13] = [
        ("was edited", |place, _, _| {
            let text = std::fs::read_to_string(place.document()).unwrap();
            std::fs::write(place.document(), text.replace("\"tripped\":true", "\"tripped\":false")).unwrap();
        }),
        ("was rolled back", |place, first, _| std::fs::write(place.document(), first).unwrap()),
        ("was deleted", |place, _, _| std::fs::remove_file(place.document()).unwrap()),
        ("was deleted", |place, _, _| {
            std::fs::remove_file(place.document()).unwrap();
            std::fs::remove_dir_all(place.key().parent().unwrap()).unwrap();
            assert!(!place.signed().make_key().unwrap());
        }),
        ("has no signature", |place, _, _| std::fs::write(place.document(), "{}").unwrap()),
        ("is damaged", |place, _, _| std::fs::write(place.document(), "{\"version\"").unwrap()),
        ("is damaged", |place, _, _| {
            std::fs::remove_file(place.document()).unwrap();
            std::fs::create_dir(place.document()).unwrap();
        }),
        ("is gone", |place, _, _| std::fs::remove_file(place.key()).unwrap()),
        ("is damaged", |place, _, key| std::fs::write(place.key(), key.to_uppercase()).unwrap()),
        ("is damaged", |place, first, key| {
            // The counter alone taken back, with the older document that it fits.
            std::fs::write(place.document(), first).unwrap();
            std::fs::write(place.key(), format!("{} \n{first}", key.lines().next().unwrap())).unwrap();
        }),
        ("is not the key of this project", |place, _, _| {
            let other = Place::new();
            fail(&other.signed());
            std::fs::copy(other.document(), place.document()).unwrap();
        }),
        ("cannot be read", |place, _, _| {
            std::fs::remove_file(place.key()).unwrap();
            std::fs::create_dir(place.key()).unwrap();
        }),
        ("run: chmod 600", |place, _, _| {
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                std::fs::set_permissions(place.key(), std::fs::Permissions::from_mode(0o644)).unwrap();
            }
        }),
    ];
    for (number, (name, deed)) in deeds.iter().enumerate() {
        let place = Place::new();
        let signed = place.signed();
        let mut held = signed.lock().unwrap();
        held.save(AT).unwrap();
        drop(held);
        let first = std::fs::read_to_string(place.document()).unwrap();
        restricted(&signed);
        let key = std::fs::read_to_string(place.key()).unwrap();
        deed(&place, &first, &key);

        let found = signed.read().unwrap();
        let said = found.trouble.as_ref().unwrap_or_else(|| panic!("{number}: nothing noticed")).to_string();
        assert!(said.contains(name), "{number}: {said}");
        assert!(tripped(&found.state), "{number}: {said}");
        let mut held = signed.lock().unwrap();
        assert_eq!(held.trouble().map(ToString::to_string), Some(said.clone()));
        let needs_person = held.trouble().unwrap().needs_person();
        let saved = held.save(AT);
        drop(held);
        if needs_person {
            assert!(saved.unwrap_err().to_string().contains(name), "{number}");
            assert!(tripped(&signed.read().unwrap().state));
            continue;
        }
        let lay_there = !["was deleted"].contains(name);
        assert_eq!(saved.unwrap().is_some(), lay_there, "{number}: {said}");
        assert_eq!(place.asides() > 0, lay_there, "{number}: {said}");
        let after = signed.read().unwrap();
        assert_eq!(after.trouble, None, "{number}");
        assert!(tripped(&after.state), "{number}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    /// Any one byte of the document changed: noticed, and what was saved before stays in force.
    #[test]
    fn s3_14_any_single_changed_byte_is_noticed(at in any::<prop::sample::Index>(), by in 1_u8..=255) {
        let place = Place::new();
        let signed = place.signed();
        restricted(&signed);
        let good = signed.read().unwrap().state;
        let mut bytes = std::fs::read(place.document()).unwrap();
        let spot = at.index(bytes.len());
        bytes[spot] ^= by;
        std::fs::write(place.document(), &bytes).unwrap();
        let found = signed.read().unwrap();
        prop_assert!(found.trouble.is_some(), "byte {spot} by {by}");
        prop_assert_eq!(&found.state, &good);
        let mut held = signed.lock().unwrap();
        held.save(AT).unwrap();
        drop(held);
        let after = signed.read().unwrap();
        prop_assert_eq!((after.trouble, after.state), (None, good));
    }

    /// Any one byte of the key's file changed: noticed, and edits stay refused.
    #[test]
    fn any_single_changed_byte_of_the_key_file_is_noticed(at in any::<prop::sample::Index>(), by in 1_u8..=255) {
        let place = Place::new();
        let signed = place.signed();
        restricted(&signed);
        let mut bytes = std::fs::read(place.key()).unwrap();
        let spot = at.index(bytes.len());
        bytes[spot] ^= by;
        std::fs::write(place.key(), &bytes).unwrap();
        let found = signed.read().unwrap();
        prop_assert!(found.trouble.is_some(), "byte {spot} by {by}");
        prop_assert!(tripped(&found.state));
    }

    /// An older copy of the document put back, whichever: noticed, and the last one stays in force.
    #[test]
    fn any_older_copy_is_noticed(updates in 2_usize..8, pick in any::<prop::sample::Index>()) {
        let place = Place::new();
        let signed = place.signed();
        let mut copies = Vec::new();
        for _ in 0..updates {
            fail(&signed);
            copies.push(std::fs::read_to_string(place.document()).unwrap());
        }
        let older = pick.index(updates - 1);
        std::fs::write(place.document(), &copies[older]).unwrap();
        let found = signed.read().unwrap();
        let expected = Trouble::RolledBack { counter: older as u64 + 1, last: updates as u64 };
        prop_assert_eq!(found.trouble, Some(expected));
        prop_assert_eq!(found.state.section::<Breaker>().unwrap().failures as usize, updates);
    }
}

#[test]
fn a_writer_that_was_killed_between_document_and_key_file_is_no_tampering() {
    let place = Place::new();
    let signed = place.signed();
    fail(&signed);
    let behind = std::fs::read_to_string(place.key()).unwrap();
    fail(&signed);
    std::fs::write(place.key(), behind).unwrap();
    let found = signed.read().unwrap();
    assert_eq!((found.trouble, found.counter), (None, 2));
    fail(&signed);
    assert_eq!(signed.read().unwrap().counter, 3);
}

#[test]
fn without_a_place_for_a_key_the_document_is_kept_unsigned() {
    let place = Place::new();
    let signed = Signed::new(place.dir.path().join("project/.claude"), None);
    restricted(&signed);
    let text = std::fs::read_to_string(signed.path()).unwrap();
    assert!(!text.contains("__sig__"));
    assert!(tripped(&signed.read().unwrap().state));
    // With a key it counts as unsigned, and a signed one is not believed without its key.
    assert_eq!(place.signed().read().unwrap().trouble, Some(Trouble::Unsigned));
    let other = Place::new();
    restricted(&other.signed());
    let found = Signed::new(other.dir.path().join("project/.claude"), None).read().unwrap();
    assert!(found.trouble.is_some() && tripped(&found.state));
}

#[test]
fn sessions_do_not_share_research_and_share_the_breaker() {
    let mut state = State::default();
    let session = |name: &str| SessionId::from_raw(name);
    state.enter(&session("one"));
    let mut research = Research::default();
    research.done("web", Evidence::default());
    state.put(&research).unwrap();
    state.put(&Breaker::unknown("x")).unwrap();
    state.enter(&session("two"));
    assert_eq!(state.section::<Research>().unwrap(), Research::default());
    assert!(tripped(&state));
    state.enter(&session("one"));
    assert_eq!(state.section::<Research>().unwrap(), research);
    // Whoever acted longest ago is forgotten first.
    for number in 0..40 {
        state.enter(&session(&format!("s{number}")));
        state.put(&research).unwrap();
    }
    state.enter(&session("s38"));
    assert_eq!(state.section::<Research>().unwrap(), research);
    state.enter(&session("one"));
    assert_eq!(state.section::<Research>().unwrap(), Research::default());
}

#[test]
fn s3_20_a_loop_ends_at_its_last_round_or_with_its_last_criterion_and_is_archived() {
    let mut looping = Saneloop::default();
    looping.start("fix the login", &["tests pass".to_owned(), "docs".to_owned()], 3, AT);
    looping.iterate(AT);
    looping.iterate(AT);
    assert_eq!((looping.active, looping.iteration), (true, 2));
    looping.check(1, AT);
    looping.iterate(AT);
    assert!(!looping.active && looping.task.is_none());
    let past = looping.archive.last().unwrap();
    assert_eq!((past.why.as_str(), past.iteration, past.open.as_slice()), ("max", 3, ["docs".to_owned()].as_slice()));
    looping.start("again", &["a".to_owned()], 20, AT);
    looping.check(9, AT);
    looping.check(1, AT);
    assert!(!looping.active);
    assert_eq!(looping.archive.last().unwrap().why, "done");
}

#[test]
fn s3_21_five_equal_refusals_in_a_row_halt_and_ten_are_kept() {
    let mut enforcement = Enforcement::default();
    for signature in ["a", "a", "a", "a", "b", "a", "a", "a", "a"] {
        enforcement.blocked(signature, "Edit", AT, 5);
        assert!(!enforcement.halted);
    }
    enforcement.blocked("a", "Edit", AT, 5);
    assert!(enforcement.halted && enforcement.halted_reason.as_deref().unwrap().contains('5'));
    enforcement.blocked("c", "Edit", AT, 5);
    assert_eq!(enforcement.blocks.len(), 10);
}

#[test]
fn an_anchor_has_number_and_hash_of_one_document_while_others_sign() {
    use std::fmt::Write as _;

    use sha2::{Digest as _, Sha256};

    let place = Place::new();
    let mut anchors = Vec::new();
    let hashes = std::thread::scope(|scope| {
        let signer = scope.spawn(|| {
            let sign = |_| {
                let signed = place.signed();
                let mut held = signed.lock().unwrap();
                held.save(AT).unwrap();
                let digest = Sha256::digest(std::fs::read(place.document()).unwrap());
                digest.iter().fold(String::new(), |mut hash, byte| {
                    write!(hash, "{byte:02x}").unwrap();
                    hash
                })
            };
            (1..=500).map(sign).collect::<Vec<_>>()
        });
        while !signer.is_finished() {
            anchors.extend(place.signed().anchor().unwrap());
        }
        signer.join().unwrap()
    });
    anchors.extend(place.signed().anchor().unwrap());
    for anchor in anchors {
        let words: Vec<&str> = anchor.split(' ').collect();
        let number: usize = words[2].parse().unwrap();
        assert_eq!(words[3], hashes[number - 1], "{anchor}");
    }
}

#[test]
fn s3_13_64_processes_count_exactly_and_leave_a_good_signature() {
    let place = Place::new();
    let dir = place.dir.path();
    let children: Vec<_> =
        (0..64).map(|_| child::command("sign", dir, "").stdin(Stdio::null()).spawn().unwrap()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let found = place.signed().read().unwrap();
    assert_eq!((found.trouble, found.counter), (None, 64 * 5));
    assert_eq!(found.state.section::<Breaker>().unwrap().failures, 64 * 5);
}
