//! Bytes to text, repair, and the comparison of documents that other tests use.

use hook_protocol::lenient::{decode, repair};
use hook_protocol::raw::{Fields, Raw};
use hook_protocol::{Event, ParseErrorKind};
use proptest::prelude::*;

/// Whether two texts are the same JSON document: same members in any order, same items, equal numbers, and strings with
/// the same escapes or, where those differ, the same value. Written for tests: recursive, and for documents without
/// duplicate keys.
pub(crate) fn same_document(one: &str, other: &str) -> bool {
    fn same(one: &Raw<'_>, other: &Raw<'_>) -> bool {
        if let (Some(one), Some(other)) = (one.object(), other.object()) {
            return one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(&key.as_str()).is_some_and(|found| same(value, found)));
        }
        if let (Some(one), Some(other)) = (one.items(), other.items()) {
            return one.len() == other.len() && one.iter().zip(&other).all(|(one, other)| same(one, other));
        }
        one.text() == other.text()
            || one.as_f64().is_some() && one.as_f64() == other.as_f64()
            || one.as_str().is_some() && one.as_str() == other.as_str()
    }
    same(&Raw::parse(one).unwrap(), &Raw::parse(other).unwrap())
}

#[test]
fn a_byte_order_mark_is_dropped() {
    let text = decode(b"\xEF\xBB\xBF{\"hook_event_name\":\"Stop\"}");
    assert_eq!(Event::parse(&text).unwrap().name().as_str(), "Stop");
}

#[test]
fn valid_bytes_are_not_copied() {
    assert!(matches!(decode("{\"a\":\"é\"}".as_bytes()), std::borrow::Cow::Borrowed(_)));
}

#[test]
fn sx_05_invalid_utf8_is_replaced_and_several_mib_work() {
    let mut bytes = br#"{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"content":""#.to_vec();
    bytes.extend(std::iter::repeat_n(b'x', 8 << 20));
    bytes.extend(br#"","file_path":"/p/"#);
    bytes.extend([0x82, 0xa0]);
    bytes.extend(br#".txt"}}"#);
    let text = decode(&bytes);
    let event = Event::parse(&text).unwrap();
    assert_eq!(event.tool().unwrap().touched_path().unwrap(), "/p/\u{FFFD}\u{FFFD}.txt");
    assert_eq!(event.tool().unwrap().input.get("content").unwrap().as_str().unwrap().len(), 8 << 20);
    assert_eq!(event.to_json().len(), text.len());
}

#[test]
fn s2_55_an_escaped_exclamation_mark_is_repaired_only_after_the_strict_parse() {
    let broken = r#"{"hook_event_name":"UserPromptSubmit","prompt":"stop\! now\!"}"#;
    assert_eq!(Event::parse(broken).unwrap_err().kind, ParseErrorKind::NotJson);
    let repaired = repair(broken).unwrap();
    let event = Event::parse(&repaired).unwrap();
    assert_eq!(event.to_json(), r#"{"hook_event_name":"UserPromptSubmit","prompt":"stop! now!"}"#);
    // A valid document keeps its backslash (X42): it parses, and there is nothing to repair in it.
    let valid = r#"{"prompt":"C:\\!"}"#;
    assert!(Event::parse(valid).is_ok());
    assert_eq!(repair(valid), None);
}

#[test]
fn raw_control_characters_in_strings_are_repaired() {
    let broken = "{\n\t\"command\": \"one\n\ttwo\u{1}\"\r\n}";
    assert!(Fields::parse(broken).is_err());
    let repaired = repair(broken).unwrap();
    assert_eq!(Fields::parse(&repaired).unwrap().get_str("command").unwrap(), "one\n\ttwo\u{1}");
}

proptest! {
    #[test]
    fn decode_and_repair_take_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = decode(&bytes);
        if let Some(repaired) = repair(&text) {
            prop_assert_eq!(repair(&repaired), None);
        }
    }

    /// What is valid JSON is never changed by a repair.
    #[test]
    fn a_valid_document_needs_no_repair(value in "\\PC*|[\\x00-\\x7f]*") {
        prop_assert_eq!(repair(&serde_json::to_string(&value).unwrap()), None);
    }

    /// What a shell does to a text is undone, as long as only `!` was escaped.
    #[test]
    fn repair_undoes_the_shell(value in "[a-z!\\\\\"\n]*") {
        let sent = serde_json::to_string(&value).unwrap();
        let damaged = sent.replace('!', "\\!");
        let repaired = repair(&damaged);
        let expected = (sent != damaged).then_some(sent);
        prop_assert_eq!(repaired, expected);
    }
}
