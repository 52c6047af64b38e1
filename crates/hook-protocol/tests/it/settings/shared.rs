//! The text of a shared entry, by hand. What shells make of it is tried by the tests of the executable.

use hook_protocol::event::EventName;
use hook_protocol::settings::edit::{HandlerView, Removed, find, install, runs_hookbin, uninstall};
use hook_protocol::settings::{Missing, OwnEntry, inspect, shared_command, shared_event};

const SEARCH: &str = r#"IFS=:; set -f; p=${CLAUDE_PROJECT_DIR%/}; case $HOME/ in "$p"/*) p=-;; esac; for d in "${XDG_DATA_HOME:--}/hookbin" "${HOME:--}/.local/share/hookbin" $PATH; do case $d in "$p"/*) ;; /*|?:*) [ -f "$d/hookbin" ] && [ -x "$d/hookbin" ] && exec "$d/hookbin" hook "#;
/// What an earlier version wrote: a file of the project came first.
const EARLIER: &str = r#"IFS=:; set -f; for d in "$CLAUDE_PROJECT_DIR/.claude/hookbin" "${XDG_DATA_HOME:--}/hookbin" "${HOME:--}/.local/share/hookbin" $PATH; do case $d in /*|?:*) [ -f "$d/hookbin" ] && [ -x "$d/hookbin" ] && exec "$d/hookbin" hook "#;

const LAX: Missing<'static> = Missing { text: "it's \"gone\" 100%\\", refuses: false };
const STRICT: Missing<'static> = Missing { text: "it's \"gone\" 100%\\", refuses: true };

fn shared(event: &str, missing: &Missing<'_>) -> OwnEntry {
    OwnEntry {
        event: EventName::from(event).into_owned(),
        matcher: None,
        command: shared_command(event, missing),
        args: None,
        timeout: 10,
        on_failure_block: missing.refuses,
    }
}

/// One text for all events, but for its end. Quotes and signs with a meaning of their own are gone from what is told.
#[test]
fn what_stands_in_the_settings() {
    let compact = r#"read -r p; case $p in *'"source":"compact"'*) ;; *) printf '%s\n' '{"systemMessage":"its gone 100"}';; esac; exit 0"#;
    let tool = r#"r='its gone 100'; printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%s"}}\n' "$r"; printf '%s\n' "$r" >&2; exit 2"#;
    let dialog = r#"r='its gone 100'; printf '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"%s"}}}\n' "$r"; printf '%s\n' "$r" >&2; exit 0"#;
    for (event, missing, end) in [
        ("PreToolUse", &LAX, "exit 0"),
        ("PermissionRequest", &LAX, "exit 0"),
        ("Stop", &LAX, "exit 0"),
        ("SessionStart", &LAX, compact),
        ("PreToolUse", &STRICT, tool),
        ("PermissionRequest", &STRICT, dialog),
        ("SessionStart", &STRICT, compact),
        ("Stop", &STRICT, "exit 0"),
        ("PostToolUse", &STRICT, "exit 0"),
        ("UserPromptSubmit", &STRICT, "exit 0"),
        ("SomethingNew", &STRICT, "exit 0"),
    ] {
        assert_eq!(shared_command(event, missing), format!("{SEARCH}{event};; esac; done; {end}"));
    }
}

#[test]
fn it_is_written_without_arguments_and_the_client_takes_it() {
    let text = install(None, &[shared("PreToolUse", &STRICT), shared("SessionStart", &LAX)], &runs_hookbin, false);
    let text = text.unwrap().text;
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let handler = json["hooks"]["PreToolUse"][0]["hooks"][0].as_object().unwrap();
    let keys: Vec<&str> = handler.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        ["command", "onFailure", "timeout", "type"],
        "a program beside `args` runs bare where they are dropped"
    );
    assert!(inspect(&text).is_empty());
    assert_eq!(find(&text, &runs_hookbin).unwrap().len(), 2);
    assert_eq!(uninstall(&text, &runs_hookbin, false).unwrap(), Removed::DeleteFile);
}

/// Ours, whatever it does without an executable: another version or somebody's hand may have written that.
#[test]
fn it_is_recognised_and_its_neighbours_are_not() {
    let own = shared_command("Stop", &LAX);
    let others = [
        own.replace("exit 0", "exit 7"),
        format!("{own}; ./mine.sh"),
        shared_command("Stop", &STRICT),
        own.replace(SEARCH, EARLIER),
    ];
    for command in std::iter::once(&own).chain(&others) {
        assert_eq!(shared_event(command), Some("Stop"), "{command}");
        let view = HandlerView { event: "Stop", matcher: None, command: Some(command), args: None };
        assert!(runs_hookbin(&view), "{command}");
    }
    for command in [
        format!("./mine.sh; {own}"),
        own.replace("hook Stop", "status"),
        own.replace("hook Stop", "hook Stop && ./mine.sh"),
        own.replace("/hookbin", "/other"),
        own.replace(";; esac; done; ", "; "),
        SEARCH.to_owned(),
    ] {
        assert_eq!(shared_event(&command), None, "{command}");
        let view = HandlerView { event: "Stop", matcher: None, command: Some(&command), args: None };
        assert!(!runs_hookbin(&view), "{command}");
    }
}

/// An entry of the older form becomes the shared one in its place, and foreign bytes stay.
#[test]
fn an_older_entry_is_brought_up_to_date_where_it_stands() {
    let old = r#"{ "type": "command", "command": "${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin", "args": ["hook", "Stop"], "timeout": 10 }"#;
    let text = |entry: &str| {
        format!(
            "{{\n  \"model\": \"x\",\n  \"hooks\": {{\n    \"Stop\": [\n      {{ \"hooks\": [{entry}] }},\n      {{\"hooks\": []}}\n    ]\n  }}\n}}\n"
        )
    };
    let entry = shared("Stop", &LAX);
    let edited = install(Some(&text(old)), std::slice::from_ref(&entry), &runs_hookbin, false).unwrap();
    let command = serde_json::to_string(&entry.command).unwrap();
    let new = format!(r#"{{ "type": "command", "command": {command}, "timeout": 10 }}"#);
    assert_eq!((edited.updated, edited.added, edited.removed), (1, 0, 0));
    assert_eq!(edited.text, text(&new));
    assert!(!install(Some(&edited.text), &[entry], &runs_hookbin, false).unwrap().changed);
}
