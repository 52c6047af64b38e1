//! The signed state: tampering, many processes, input that nobody expects.

use std::thread;

use hook_session_state::signed::Signed;
use serde_json::json;

use super::Story;
use crate::sandbox::{Turns, crowd};

#[test]
fn s3_14_tampering_through_the_front_door_lifts_nothing_and_is_said_once() {
    type Deed = fn(&Story, &str);
    let deeds: [(&str, Deed); 5] = [
        ("was edited", |story, _| {
            let text = std::fs::read_to_string(story.document()).unwrap();
            std::fs::write(story.document(), text.replace("\"tripped\":true", "\"tripped\":false")).unwrap();
        }),
        ("was rolled back", |story, first| std::fs::write(story.document(), first).unwrap()),
        ("was deleted", |story, _| std::fs::remove_file(story.document()).unwrap()),
        ("is damaged", |story, _| std::fs::write(story.document(), "{").unwrap()),
        ("is gone", |story, _| std::fs::remove_file(story.key()).unwrap()),
    ];
    for (name, deed) in deeds {
        let story = Story::new();
        story.research();
        let first = std::fs::read_to_string(story.document()).unwrap();
        story.trip();
        deed(&story, &first);
        let verified = story.sandbox.cli(&["state", "verify", "--json"]);
        assert_eq!(verified.code, Some(4), "{name}: {verified:?}");
        assert!(verified.stdout.contains(name), "{verified:?}");
        let ran = story.pre("Edit", story.edit());
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
        assert!(ran.reason().contains("circuit breaker") && ran.reason().contains(name), "{ran:?}");
        assert!(ran.json()["systemMessage"].as_str().unwrap().contains(name), "{ran:?}");
        let log = std::fs::read_to_string(story.sandbox.log().join("audit.jsonl")).unwrap();
        assert!(log.contains(name), "{name} is not in the log");
        // What was saved last is on the disk again, and nothing more is said.
        let again = story.pre("Edit", story.edit());
        assert_eq!(again.code, Some(2));
        let said = again.json()["systemMessage"].as_str().unwrap_or_default().to_owned();
        assert!(said.starts_with("hookbin: to run it anyway, ") && !said.contains('\n'), "{name}: {again:?}");
        assert_eq!(story.sandbox.cli(&["state", "verify"]).code, Some(0), "{name}");
        story.command("rb-");
        if name != "is gone" {
            story.passes("Edit", story.edit());
        }
    }
}

#[cfg(unix)]
#[test]
fn s3_14_a_key_that_others_can_read_refuses_edits_and_names_the_command() {
    use std::os::unix::fs::PermissionsExt;
    let story = Story::new();
    story.research();
    story.passes("Edit", story.edit());
    let key = story.key();
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o640)).unwrap();
    let reason = story.refused("Edit", story.edit());
    let command = format!("chmod 600 '{}'", key.display());
    assert!(reason.contains(&command), "{reason}");
    assert!(story.sandbox.cli(&["state", "verify"]).stdout.contains(&command));
    story.passes("Read", json!({"file_path": story.sandbox.path("a")}));
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    story.passes("Edit", story.edit());
}

#[test]
fn s3_14_a_key_that_cannot_be_read_refuses_edits() {
    let story = Story::new();
    story.research();
    let key = story.key();
    std::fs::remove_file(&key).unwrap();
    std::fs::create_dir(&key).unwrap();
    assert!(story.refused("Edit", story.edit()).contains("cannot be read"));
    assert!(story.sandbox.cli(&["state", "verify"]).stdout.contains("cannot be read"));
}

#[test]
fn s3_12_the_person_looks_at_the_state_and_resets_a_section() {
    let story = Story::new();
    story.trip();
    let shown = story.sandbox.cli(&["state", "show", "--signed"]);
    assert_eq!(shown.json()["circuit_breaker"]["tripped"], true);
    let reset = story.sandbox.cli(&["state", "reset", "circuit_breaker"]);
    assert_eq!(reset.code, Some(0), "{reset:?}");
    assert_eq!(story.sandbox.cli(&["state", "show", "--signed"]).json().get("circuit_breaker"), None);
    assert_eq!(story.sandbox.cli(&["state", "verify"]).code, Some(0));
    story.refused("Bash", json!({"command": "hookbin state reset circuit_breaker"}));
}

#[test]
fn an_anchor_elsewhere_shows_that_document_and_key_went_back_together_or_were_signed_anew() {
    let story = Story::new();
    let anchors = story.sandbox.home().join("anchors");
    let toml = format!("profile = [\"sane\"]\n[change.anchor.anchor]\nappend_to = {:?}\n", anchors.to_str().unwrap());
    story.sandbox.write_own(&toml);
    story.research();
    let saved = [story.document(), story.key()].map(|path| (path.clone(), std::fs::read(path).unwrap()));
    story.trip();
    story.event("Stop", json!({}));
    let verify = || story.sandbox.cli(&["state", "verify", "--anchor", anchors.to_str().unwrap()]);
    assert_eq!(verify().code, Some(0), "{:?}", verify());
    for (path, bytes) in saved {
        std::fs::write(path, bytes).unwrap();
    }
    assert_eq!(story.sandbox.cli(&["state", "verify"]).code, Some(0));
    let ran = verify();
    assert!(ran.code == Some(4) && ran.stdout.contains("rolled back with its key"), "{ran:?}");
    // Whoever has the key can sign as often as the number needs.
    let line = std::fs::read_to_string(&anchors).unwrap();
    let number: u64 = line.trim_end().rsplit('\n').next().unwrap().split(' ').nth(2).unwrap().parse().unwrap();
    let signed = Signed::new(story.sandbox.path(".claude"), story.key().parent());
    while signed.read().unwrap().counter < number {
        signed.lock().unwrap().save("2026-01-01T00:00:00Z").unwrap();
    }
    assert_eq!(story.sandbox.cli(&["state", "verify"]).code, Some(0));
    let ran = verify();
    assert!(ran.code == Some(4) && ran.stdout.contains("signed again with its key"), "{ran:?}");
}

#[test]
fn s3_13_64_processes_on_one_session_count_exactly() {
    let _alone = crowd();
    let story = Story::new();
    let turns = Turns::new();
    thread::scope(|scope| {
        for worker in 0..64 {
            let (story, turns) = (&story, &turns);
            scope.spawn(move || {
                for call in 0..3 {
                    let _turn = turns.wait(worker);
                    let input = json!({"file_path": story.sandbox.path(&format!("f{worker}")), "content": "x"});
                    story.did("Write", input, &format!("toolu_{worker}_{call}"));
                }
            });
        }
    });
    let state = story.state();
    assert_eq!(state["edits"]["count"], 64 * 3);
    assert_eq!(state["edits"]["unique_files"].as_array().unwrap().len(), 64);
    assert_eq!(state["action_log"].as_array().unwrap().len(), 20);
    assert_eq!(story.sandbox.cli(&["state", "verify"]).code, Some(0));
}

#[test]
fn two_sessions_share_the_breaker_and_nothing_else() {
    let one = Story::new();
    one.research();
    let two = Story { session: "two", ..one };
    two.refused("Edit", two.edit());
    two.trip();
    let one = Story { session: "one", ..two };
    assert!(one.refused("Edit", one.edit()).contains("circuit breaker"));
    one.command("rb-");
    one.passes("Edit", one.edit());
}

#[test]
fn s3_59_what_cannot_be_read_or_kept_lets_the_call_through() {
    let story = Story::new();
    for stdin in [&b""[..], b"{", b"[]", b"\xff\xfe"] {
        let ran = story.sandbox.hook(&["PreToolUse"], stdin);
        // The guard has not checked such a call, so the user is asked; without it, the document's word holds.
        assert_eq!((ran.code, ran.decision().as_deref()), (Some(0), Some("ask")), "{ran:?}");
    }
    story.sandbox.write(".claude/hookbin.toml", "profile = [\"sane\"]\n[change.guard.guard]\nenabled = false\n");
    for stdin in [&b""[..], b"{", b"[]", b"\xff\xfe"] {
        let ran = story.sandbox.hook(&["PreToolUse"], stdin);
        assert_eq!((ran.code, ran.decision()), (Some(0), None), "{ran:?}");
    }
    // A lock that cannot be made, because a directory lies in its place.
    let story = Story::new();
    std::fs::create_dir_all(story.sandbox.path(".claude/state.json.lock")).unwrap();
    let ran = story.did("Read", json!({"file_path": "a"}), "toolu_1");
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("state.json.lock"), "{ran:?}");
    story.passes("Bash", json!({"command": "ls"}));
}

#[test]
fn a_prompt_of_a_megabyte_and_a_file_of_two_gigabytes_take_no_time() {
    let story = Story::new();
    story.research();
    let long = format!("fix the parser {}", "word ".repeat(200_000));
    let begin = std::time::Instant::now();
    story.say(&long);
    story.say(&"s+ ".repeat(300_000));
    let big = story.sandbox.path("big.rs");
    std::fs::File::create(&big).unwrap().set_len(2 << 30).unwrap();
    story.passes("Edit", json!({"file_path": big, "old_string": "a", "new_string": "b"}));
    story.passes("Write", json!({"file_path": story.sandbox.path("c.txt"), "content": "x"}));
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
}

#[test]
fn a_clock_that_goes_backwards_changes_nothing() {
    let story = Story::new();
    story.trip();
    let event = json!({"session_id": "one", "hook_event_name": "UserPromptSubmit", "prompt": "rb?"}).to_string();
    let ran =
        story.sandbox.hook_with(&["UserPromptSubmit"], event.as_bytes(), &[("HOOKBIN_NOW", "1999-01-01T00:00:00Z")]);
    assert!(ran.stdout.contains("tripped since"), "{ran:?}");
    let event = json!({"session_id": "one", "hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": {}, "tool_use_id": "toolu_z"});
    story.sandbox.hook_with(&["PostToolUse"], event.to_string().as_bytes(), &[("HOOKBIN_NOW", "1999-01-01T00:00:00Z")]);
    assert_eq!(story.sandbox.cli(&["state", "verify"]).code, Some(0));
    story.refused("Edit", story.edit());
}

#[test]
fn a_file_of_that_name_is_left_alone_where_no_check_keeps_the_state() {
    let sandbox = crate::sandbox::Sandbox::with_profile("standard");
    sandbox.write(".claude/state.json", "somebody else's");
    assert_eq!(sandbox.cli(&["state", "verify"]).code, Some(0));
    let event = json!({"session_id": "one", "hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": {"file_path": "/a"}, "tool_use_id": "t"});
    sandbox.hook(&["PostToolUse"], event.to_string().as_bytes());
    assert_eq!(sandbox.read(".claude/state.json"), "somebody else's");
    assert!(!sandbox.path(".claude/state.json.lock").exists());
}

#[test]
fn installing_makes_the_key_before_anything_is_signed() {
    let sandbox = crate::sandbox::Sandbox::new();
    let ran = sandbox.cli(&["install", "--scope", "project", "--profile", "sane"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("made the key of the signed state"), "{ran:?}");
    let again = sandbox.cli(&["install", "--scope", "project", "--profile", "sane"]);
    assert!(!again.stdout.contains("made the key"), "{again:?}");
    let plain = crate::sandbox::Sandbox::new();
    assert!(!plain.cli(&["install", "--scope", "project"]).stdout.contains("made the key"));
}
