//! Undecoded JSON: strictness, positions, strings, numbers, members.

use hook_protocol::ParseErrorKind;
use hook_protocol::raw::{Fields, Raw, Text};
use proptest::prelude::*;
use serde_json::value::RawValue;

#[test]
fn only_one_whole_object_is_read() {
    use ParseErrorKind::{Empty, NotJson, NotObject, Trailing};
    for (text, kind, at) in [
        ("", Empty, 0),
        (" \t\r\n", Empty, 4),
        ("{", NotJson, 1),
        (r#"{"a":1"#, NotJson, 6),
        (r#"{"a":"cut of"#, NotJson, 12),
        (r#"{"a":"cut \"#, NotJson, 11),
        (r#"{"a":1,}"#, NotJson, 7),
        (r#"{"a" 1}"#, NotJson, 5),
        ("{a:1}", NotJson, 1),
        ("nul", NotJson, 0),
        ("hello", NotJson, 0),
        ("[1,2]", NotObject, 0),
        ("  \"text\"", NotObject, 2),
        ("5", NotObject, 0),
        ("{}{}", Trailing, 2),
        ("{}\n{}", Trailing, 3),
        ("{} x", Trailing, 3),
        ("\u{FEFF}{}", NotJson, 0),
    ] {
        let error = Fields::parse(text).unwrap_err();
        assert_eq!((error.kind, error.at), (kind, at), "{text:?}");
    }
    assert!(Fields::parse(" {} \r\n\t").unwrap().is_empty());
}

#[test]
fn an_error_says_where_and_what_to_do() {
    let error = Fields::parse(r#"{"a":tru}"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read JSON at byte 5: this is not JSON, or it is cut off; send one whole JSON object"
    );
}

#[test]
fn depth_costs_no_stack() {
    let deep = format!("{}{}", r#"{"a":["#.repeat(100_000), "]}".repeat(100_000));
    let raw = Raw::parse(&deep).unwrap();
    assert_eq!(raw.get("a").unwrap().items().unwrap().len(), 1);
    // The right number of brackets, but of the wrong kind at one place far from either end of a 64-level block.
    let wrong = format!("{}{}]{}", r#"{"a":["#.repeat(100), "]}".repeat(50), "}".repeat(99));
    assert_eq!(Raw::parse(&wrong).unwrap_err().kind, ParseErrorKind::NotJson);
    let cut = "[".repeat(1_000_000);
    assert_eq!(Raw::parse(&cut).unwrap_err().at, 1_000_000);
}

#[test]
fn strings_decode_on_demand() {
    let raw = Raw::parse(r#""\ud83d\ude00 \u00e9 \n\t\"\\\/ \ud800x \ude00""#).unwrap();
    assert_eq!(raw.as_str().unwrap(), "😀 é \n\t\"\\/ \u{FFFD}x \u{FFFD}");
    assert!(matches!(Raw::parse(r#""plain é""#).unwrap().as_str(), Some(std::borrow::Cow::Borrowed("plain é"))));
    // A high surrogate before an escape that isn't its partner takes nothing of it.
    assert_eq!(Raw::parse(r#""\ud800\u0041\ud800\n\ud800""#).unwrap().as_str().unwrap(), "\u{FFFD}A\u{FFFD}\n\u{FFFD}");
    assert_eq!(Raw::parse("[]").unwrap().as_str(), None);
}

#[test]
fn numbers() {
    let number = |text| Raw::parse(text).unwrap();
    assert_eq!(number("18446744073709551615").as_u64(), Some(u64::MAX));
    assert_eq!(number("18446744073709551616").as_u64(), None);
    assert_eq!(number("5.0").as_u64(), Some(5));
    assert_eq!(number("5e3").as_u64(), Some(5000));
    assert_eq!(number("5.5").as_u64(), None);
    assert_eq!(number("-1").as_u64(), None);
    assert_eq!(number("\"5\"").as_u64(), None);
    assert_eq!(number("-2.5e-1").as_f64(), Some(-0.25));
    assert_eq!(number("1e999").as_f64(), None);
    for text in ["01", "+1", ".5", "1.", "1e", "-", "0x1", "NaN", "Infinity", "--1"] {
        assert!(Raw::parse(text).is_err(), "{text}");
    }
}

#[test]
fn the_last_duplicate_counts() {
    let text = r#"{"a":1,"b":2,"\u0061":3}"#;
    let mut fields = Fields::parse(text).unwrap();
    assert_eq!(fields.get("a").unwrap().as_u64(), Some(3));
    assert_eq!(Raw::parse(text).unwrap().get("a").unwrap().as_u64(), Some(3));
    assert_eq!(fields.to_json(), text);
    fields.set("a", Raw::from(4));
    assert_eq!(fields.to_json(), r#"{"b":2,"\u0061":4}"#);
    assert_eq!(fields.remove("a").unwrap().as_u64(), Some(4));
    assert_eq!(fields.remove("a"), None);
    assert_eq!(fields.to_json(), r#"{"b":2}"#);
}

#[test]
fn a_member_is_set_in_place_or_appended() {
    let mut fields = Fields::parse(r#"{"command":"ls","odd":"\ud800","description":"d"}"#).unwrap();
    fields.set("command", Text::from("a\"b\\\n"));
    fields.set("new", true);
    assert_eq!(fields.to_json(), r#"{"command":"a\"b\\\n","odd":"\ud800","description":"d","new":true}"#);
    let raw: Box<RawValue> = fields.to_raw().to_raw_value();
    assert_eq!(Raw::from(raw).get("odd").unwrap().text(), r#""\ud800""#);
}

#[test]
fn values_of_other_types_are_decoded_by_serde() {
    let raw = Raw::parse(r#"{"a":[1,2]}"#).unwrap();
    let decoded: std::collections::BTreeMap<String, Vec<u8>> = raw.to().unwrap();
    assert_eq!(decoded["a"], [1, 2]);
    assert!(matches!(raw.to::<u8>().unwrap_err().kind, ParseErrorKind::Shape(_)));
    assert_eq!(Raw::from_value(&decoded).unwrap().text(), r#"{"a":[1,2]}"#);
    // The place counts from the beginning of the text, not of a line.
    let (text, off) = ("{\n  \"a\": [1],\n  \"b\": \"x\"}", "\"x\"");
    let error = Raw::parse(text).unwrap().to::<std::collections::BTreeMap<String, Vec<u8>>>().unwrap_err();
    let place = text.find(off).unwrap();
    assert!((place..place + off.len()).contains(&error.at), "{error:?}");
}

#[test]
fn texts_compare_by_value() {
    let fields = Fields::parse(r#"{"one":"a\u0062","two":"ab"}"#).unwrap();
    let (one, two) = (fields.get("one").unwrap().as_text().unwrap(), fields.get("two").unwrap().as_text().unwrap());
    assert_eq!(one, two);
    assert_eq!(one, "ab");
    assert_ne!(one, "a\\u0062");
    assert_eq!(two, Text::from(String::from("ab")));
    assert_eq!((format!("{one}"), format!("{one:?}")), ("ab".to_owned(), "\"ab\"".to_owned()));
    assert_eq!(one.into_cow(), "ab");
}

proptest! {
    /// This scanner and serde_json agree on what is JSON, for texts that are nearly JSON.
    #[test]
    fn as_strict_as_serde(text in r#"([{}\[\],:"\\ u0-9dDeE.+ntr-]|true|false|null|\\u[0-9a-f]{4}|"[a-z]*"|-?[0-9]+){0,12}"#) {
        let theirs = serde_json::from_str::<&RawValue>(&text).is_ok();
        prop_assert_eq!(Raw::parse(&text).is_ok(), theirs, "{}", text);
    }

    /// Any one byte changed, inserted or removed in a valid document is judged as serde_json judges it.
    #[test]
    fn as_strict_as_serde_on_damaged_documents(at in 0usize..60, byte in 0x00u8..0x80, mode in 0..3) {
        let mut bytes = br#"{"a":[1,-2.5e+3,{}],"b":{"c":"x\n\u00e9"},"d":[true,false,null]}"#.to_vec();
        match mode {
            0 => bytes[at] = byte,
            1 => bytes.insert(at, byte),
            _ => { bytes.remove(at); }
        }
        let text = String::from_utf8(bytes).unwrap();
        prop_assert_eq!(Raw::parse(&text).is_ok(), serde_json::from_str::<&RawValue>(&text).is_ok(), "{}", text);
    }

    /// Strings survive the way out and in, and read as serde_json reads them.
    #[test]
    fn strings_survive(value in "\\PC*|[\\x00-\\x7f\u{10FFFF}]*") {
        let ours = Raw::from(Text::from(value.clone()));
        prop_assert_eq!(&serde_json::from_str::<String>(ours.text()).unwrap(), &value);
        let theirs = serde_json::to_string(&value).unwrap();
        let read = Raw::parse(&theirs).unwrap();
        prop_assert_eq!(read.as_str().unwrap(), value.as_str());
        prop_assert_eq!(read.as_text().unwrap(), ours.as_text().unwrap());
    }

    #[test]
    fn nothing_panics_on_any_text(text in "\\PC*|[\\x00-\\x7f]*") {
        if let Ok(raw) = Raw::parse(&text) {
            let _ = (raw.as_str(), raw.as_u64(), raw.as_f64(), raw.items(), raw.object(), raw.get("a"), raw.to_raw_value());
        }
        let _ = Fields::parse(&text);
    }
}
