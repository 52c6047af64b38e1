//! `conflict-markers`, which no built-in profile uses.

use hook_policy::decide;
use hook_protocol::event::Event;

use crate::support::{Known, resolved};

const PROFILE: &str = "[[handler]]\nname = \"c\"\non = [\"PreToolUse\", \"PostToolUse\", \"PostToolUseFailure\"]\nsteps = [\"conflict-markers\"]\n";

/// What the model is told about a call.
fn told(settings: &str, event: &str, tool: &str, input: &str) -> Option<String> {
    let profile = resolved(&[("a", &format!("{PROFILE}{settings}"))], &[]).unwrap();
    let payload = format!(r#"{{"hook_event_name":"{event}","cwd":"/p","tool_name":"{tool}","tool_input":{input}}}"#);
    let event = Event::parse(&payload).unwrap();
    let plan = profile.plan(&event.name());
    let facts = Known {
        // As git writes it, with the common ancestor in between.
        files: [
            ("/p/b.rs", "<<<<<<< HEAD\r\n1\r\n||||||| 6f0\r\n0\r\n=======\r\n2\r\n>>>>>>> side\r\n"),
            ("/p/c.rs", "2\n"),
        ]
        .into(),
        ..Known::default()
    };
    let outcome = decide(&event, &plan, &facts);
    assert_eq!((outcome.verdict, outcome.effects.len()), (None, 0));
    outcome.context.into_iter().next().map(|context| context.text)
}

fn written(settings: &str, event: &str, path: &str, text: &str) -> Option<String> {
    let text = text.replace('\n', "\\n");
    told(settings, event, "Write", &format!(r#"{{"file_path":"/p/{path}","content":"{text}"}}"#))
}

#[test]
fn a_conflict_that_is_left_in_a_written_file_is_told_with_its_line() {
    let conflict = "fn a() {}\n<<<<<<< HEAD\nlet b = 1;\n=======\nlet b = 2;\n>>>>>>> side\n";
    let said = written("", "PostToolUse", "a.rs", conflict).unwrap();
    assert!(said.starts_with("a.rs ") && said.contains("line 2."), "{said}");
    for (event, path, text) in [
        // Nothing is written yet, or was.
        ("PreToolUse", "a.rs", conflict),
        ("PostToolUseFailure", "a.rs", conflict),
        // A heading, a quoted line, a marker without its others, and markers in another order.
        ("PostToolUse", "a.rs", "Title\n=======\n"),
        ("PostToolUse", "a.rs", "> <<<<<<< HEAD\n> =======\n> >>>>>>> side\n"),
        ("PostToolUse", "a.rs", "<<<<<<< HEAD\n=======\n"),
        ("PostToolUse", "a.rs", "=======\n<<<<<<< HEAD\n>>>>>>> side\n"),
    ] {
        assert_eq!(written("", event, path, text), None, "{event} {text:?}");
    }
}

#[test]
fn an_edit_is_judged_by_the_file_that_it_leaves() {
    let edit = |path: &str| {
        told("", "PostToolUse", "Edit", &format!(r#"{{"file_path":"{path}","old_string":"1","new_string":"2"}}"#))
    };
    let said = edit("/p/b.rs").unwrap();
    assert!(said.contains("line 1."), "{said}");
    assert_eq!(edit("/p/c.rs"), None);
    assert_eq!(edit("/p/not-there.rs"), None);
}

#[test]
fn files_with_an_ending_that_is_skipped_are_not_looked_at() {
    let conflict = "<<<<<<< HEAD\n=======\n>>>>>>> side\n";
    let skip = "[handler.conflict-markers]\nskip = [\"md\"]\n";
    assert_eq!(written(skip, "PostToolUse", "a.md", conflict), None);
    assert!(written(skip, "PostToolUse", "a.rs", conflict).is_some());
}
