//! An event of any bytes: what can be read at all is written and read again without a change.

use hook_protocol::event::Event;
use hook_protocol::lenient;

pub(crate) fn check(bytes: &[u8]) {
    let text = lenient::decode(bytes);
    let repaired = lenient::repair(&text);
    for text in [Some(&*text), repaired.as_deref()].into_iter().flatten() {
        let Ok(event) = Event::parse_as(text, "PreToolUse") else { continue };
        let json = event.to_json();
        let again = Event::parse_as(&json, "PreToolUse");
        assert_eq!(again.expect("what was written is read").to_json(), json);
        let _ = event.tool().map(|tool| (tool.command().is_some(), tool.touched_path().is_some()));
        let _ = (event.name(), event.matcher_subject(), event.agent_type(), event.last_assistant_message());
    }
}
