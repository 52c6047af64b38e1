//! A settings file of any bytes: what is put in comes out again, and every foreign byte stays.

use hook_protocol::settings::edit::{Removed, find, install, runs_hookbin, uninstall};
use hook_protocol::settings::{OwnEntry, flag, inspect, plugins};

fn entry(event: &str) -> OwnEntry {
    OwnEntry {
        event: hook_protocol::event::EventName::from(event).into_owned(),
        matcher: None,
        command: "${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin".to_owned(),
        args: Some(vec!["hook".to_owned(), event.to_owned()]),
        timeout: 10,
        on_failure_block: false,
    }
}

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = (inspect(&text), flag(&text, "disableAllHooks"), plugins(&text));
    let entries = [entry("PreToolUse"), entry("Stop")];
    for force in [false, true] {
        let Ok(edited) = install(Some(&text), &entries, &runs_hookbin, force) else { continue };
        let found = find(&edited.text, &runs_hookbin).expect("what was written is read");
        assert_eq!(found.len(), entries.len(), "{}", edited.text);
        let again = install(Some(&edited.text), &entries, &runs_hookbin, force).expect("what was written is read");
        assert!(!again.changed, "installing twice is installing once: {}", again.text);
        let without = uninstall(&text, &runs_hookbin, force).expect("the text was read before");
        let back = uninstall(&edited.text, &runs_hookbin, force).expect("what was written is read");
        match without {
            Removed::Unchanged => assert_eq!(back, Removed::Text(text.clone().into_owned())),
            without => assert_eq!(back, without),
        }
    }
}
