//! Signed documents.

use hook_session_state::sign::{Key, Verdict, sign, verify};
use proptest::prelude::*;

const AT: &str = "2026-08-18T09:05:03Z";

fn key(name: &str) -> Key {
    Key::new(name, format!("a secret of sixteen bytes or more: {name}")).unwrap()
}

/// The digits come from `printf '{"a":1,"s":"x y","__ts__":"2026-08-18T09:05:03Z","__key__":"k","__counter__":3}' | openssl dgst -sha256 -hmac SECRET`.
#[test]
fn s3_14_the_signature_is_hmac_sha256_over_the_compact_object() {
    let key = Key::new("k", "0123456789abcdef").unwrap();
    let signed = sign(&key, 3, AT, "{ \"a\" : 1,\n \"s\": \"x y\" }").unwrap();
    let body = "{\"a\":1,\"s\":\"x y\",\"__ts__\":\"2026-08-18T09:05:03Z\",\"__key__\":\"k\",\"__counter__\":3";
    assert_eq!(
        signed,
        format!("{body},\"__sig__\":\"27ad887e0b8a727c9f5dd311e1c4819cb38d88132fded45b6db1029eb65f08f6\"}}\n")
    );
    assert_eq!(verify(&signed, &[key], 0), Verdict::Valid { counter: 3 });
}

#[test]
fn each_way_to_be_wrong_is_told_apart() {
    let signed = sign(&key("k"), 5, AT, "{\"tripped\":true}").unwrap();
    let keys = [key("other"), key("k")];
    assert_eq!(verify(&signed, &keys, 5), Verdict::Valid { counter: 5 });
    assert_eq!(verify(&signed, &keys, 6), Verdict::RolledBack { counter: 5 });
    assert_eq!(verify(&signed, &keys[..1], 0), Verdict::UnknownKey { name: "k".to_owned() });
    assert_eq!(verify(&signed, &[], 0), Verdict::UnknownKey { name: "k".to_owned() });
    assert_eq!(verify("{\"tripped\":true}", &keys, 0), Verdict::Missing);
    assert_eq!(verify("{}", &keys, 0), Verdict::Missing);
    assert_eq!(verify("[]", &keys, 0), Verdict::Damaged);
    assert_eq!(verify("", &keys, 0), Verdict::Damaged);
    let impostor = Key::new("k", "another secret of that name").unwrap();
    assert_eq!(verify(&signed, &[impostor], 0), Verdict::Edited);
    let edits = [
        ("true", "false"),
        ("tripped", "tripped2"),
        (":5,", ":6,"),
        ("{\"tripped\":true,", "{"),
        ("{\"tripped\"", "{\"more\":1,\"tripped\""),
        ("\"__sig__\":\"", "\"__sig__\":\"0"),
        ("\"__counter__\":5,", ""),
    ];
    for (from, to) in edits {
        let edited = signed.replace(from, to);
        assert_ne!(edited, signed, "{from}");
        assert_eq!(verify(&edited, &keys, 0), Verdict::Edited, "{edited}");
    }
    // A second signature member does not hide an edit.
    let digits = signed.rsplit_once("\"__sig__\"").unwrap().1;
    let doubled = signed.replace("true", "false").replace('\n', "").replace('}', &format!(",\"__sig__\"{digits}"));
    assert_eq!(verify(&doubled, &keys, 0), Verdict::Edited);
}

#[test]
fn a_key_is_long_enough_and_does_not_show() {
    assert!(Key::new("k", "fifteen bytes..").is_none());
    let key = Key::new("k", "0123456789abcdef").unwrap();
    assert_eq!(key.name(), "k");
    assert!(!format!("{key:?}").contains("0123") && format!("{key:?}").contains('k'));
}

#[test]
fn signing_again_replaces_the_signature() {
    let once = sign(&key("a"), 1, AT, "{\"x\":[1, 2]}").unwrap();
    let twice = sign(&key("b"), 2, AT, &once).unwrap();
    assert_eq!(twice, sign(&key("b"), 2, AT, "{\"x\":[1,2]}").unwrap());
    assert!(sign(&key("a"), 1, AT, "[]").is_err());
}

proptest! {
    /// White space between tokens is no edit; changing any one character of text inside is.
    #[test]
    fn a_reformatted_document_stays_valid_and_an_edited_one_does_not(text in "[a-z \"\\\\:,{}\\t\u{e9}]{1,20}", at in any::<prop::sample::Index>()) {
        let keys = [key("k")];
        let value = serde_json::to_string(&text).unwrap();
        let signed = sign(&keys[0], 1, AT, &format!("{{\"m\":{{\"n\":[{value}]}}}}")).unwrap();
        let spread = signed
            .replacen("{\"m\":{\"n\":[", " {\n\t\"m\" :\r\n{ \"n\": [ ", 1)
            .replacen("]},\"__ts__\":", " ] } ,\n\"__ts__\" : ", 1);
        prop_assert_ne!(&spread, &signed);
        prop_assert_eq!(verify(&spread, &keys, 0), Verdict::Valid { counter: 1 });

        let mut changed: Vec<char> = text.chars().collect();
        let spot = at.index(changed.len());
        changed[spot] = if changed[spot] == 'x' { 'y' } else { 'x' };
        let changed = serde_json::to_string(&changed.iter().collect::<String>()).unwrap();
        prop_assert_eq!(verify(&signed.replacen(&format!("[{value}]"), &format!("[{changed}]"), 1), &keys, 0), Verdict::Edited);
    }
}
