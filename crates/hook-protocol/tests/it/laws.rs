//! Laws of reading and writing events, on generated ones.

use hook_protocol::Event;
use hook_protocol::lenient::{decode, repair};
use hook_protocol::permission::PermissionUpdate;
use hook_protocol::raw::{Fields, Raw};
use hook_protocol::tool::ToolInput;
use hook_protocol::transcript::{Block, Line};
use proptest::prelude::*;

use crate::generate;
use crate::lenient::same_document;

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    /// What was read is written back as the same document, whatever its fields are, and reads as the same event again.
    #[test]
    fn writing_undoes_reading((text, _) in generate::event()) {
        let event = Event::parse(&text).unwrap();
        let written = event.to_json();
        prop_assert!(same_document(&text, &written), "{}\n{}", text, written);
        let again = Event::parse(&written).unwrap();
        prop_assert_eq!(&again, &event);
        prop_assert_eq!(again.to_json(), written);
    }

    #[test]
    fn unknown_fields_survive((text, unknown) in generate::event()) {
        let event = Event::parse(&text).unwrap();
        let kept = event.extra.iter().filter(|(key, _)| key.as_str().starts_with("unknown")).count();
        prop_assert_eq!(kept, unknown);
    }

    /// An event with members turned round is the same event.
    #[test]
    fn the_order_of_fields_does_not_matter((text, _) in generate::event()) {
        let fields = Fields::parse(&text).unwrap();
        let mut turned = Fields::new();
        for (key, value) in fields.iter().rev() {
            turned.set(key.clone(), value.clone());
        }
        let turned = turned.to_json();
        let (one, other) = (Event::parse(&text).unwrap(), Event::parse(&turned).unwrap());
        prop_assert_eq!((one.common, one.body), (other.common, other.body));
    }

    /// The questions of an event never panic, and a cut-off document never reads as a whole one.
    #[test]
    fn questions_are_safe_and_cuts_are_seen((text, _) in generate::event(), cut in any::<prop::sample::Index>()) {
        let event = Event::parse(&text).unwrap();
        let _ = (event.agent_type(), event.last_assistant_message(), event.matcher_subject(), event.stop_hook_active());
        if let Some(tool) = event.tool() {
            let _ = (tool.touched_path(), tool.command(), tool.parsed(), tool.parsed_as_native(), tool.mcp());
        }
        let at = cut.index(text.len());
        if let Some(part) = text.get(..at) {
            prop_assert!(Event::parse(part).is_err());
        }
    }

    /// Any bytes are answered by an event or an error.
    #[test]
    fn any_bytes_are_taken(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = decode(&bytes);
        let _ = Event::parse(&text);
        let _ = repair(&text).map(|text| Event::parse(&text).is_ok());
    }

    /// Damaged events too: one byte of a real one is another.
    #[test]
    fn damaged_events_are_taken((text, _) in generate::event(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = text.into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let text = decode(&bytes);
        match Event::parse(&text) {
            Ok(event) => prop_assert!(Event::parse(&event.to_json()).is_ok()),
            Err(error) => prop_assert!(error.at <= text.len()),
        }
    }

    /// Nested records take any value, and an owned event is written as the borrowed one.
    #[test]
    fn any_value_is_taken(text in generate::value(), name in "(Bash|Edit|TodoWrite|Agent|mcp__a__b|Other)") {
        let raw = Raw::parse(&text).unwrap();
        let _ = (ToolInput::parse(&name, &raw), PermissionUpdate::from_raw(&raw), Block::from_raw(raw.clone()));
        let _ = Line::from_raw(&raw).map(|line| line.to_json());
        let owned = raw.clone().into_owned();
        prop_assert_eq!(ToolInput::parse(&name, &owned), ToolInput::parse(&name, &raw));
        prop_assert_eq!(Raw::from(raw.to_raw_value()), raw);
    }
}
