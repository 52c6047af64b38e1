//! Generated JSON: values of any shape, and events made from the documented ones.

use hook_protocol::raw::{Fields, Raw};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::event::documented;

/// The text of any JSON value: nested, with white space, escapes and lone surrogates.
pub(crate) fn value() -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|value| value.to_string()),
        any::<i64>().prop_map(|value| value.to_string()),
        (-1e9..1e9f64).prop_map(|value| value.to_string()),
        string(),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[ {} ]", items.join(" ,\t"))),
            // The keys are numbered, because the comparison of documents takes no duplicates.
            prop::collection::vec((string(), inner), 0..4).prop_map(|members| {
                let members = members.into_iter().enumerate();
                let members: Vec<_> = members
                    .map(|(index, (key, value))| format!("\"{index}{} : {value}", key.strip_prefix('"').unwrap()))
                    .collect();
                format!("{{\n{}\r\n}}", members.join(","))
            }),
        ]
    })
    .boxed()
}

/// The text of a JSON string.
pub(crate) fn string() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z0-9 _/:é漢😀]{0,6}",
        select(vec!["\\n", "\\\"", "\\\\", "\\/", "\\u0041", "\\ud83d\\ude00", "\\ud800", "\\udfff", "\\u0000"])
            .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

/// The text of an event: a documented one with fields left out, fields of any other value, unknown fields, in any order.
/// Comes with the number of unknown fields.
pub(crate) fn event() -> impl Strategy<Value = (String, usize)> {
    let change = prop_oneof![6 => Just(None), 2 => Just(Some(None)), 2 => value().prop_map(|value| Some(Some(value)))];
    let changes = prop::collection::vec(change, 24);
    let unknown = prop::collection::vec((string(), value()), 0..4);
    (any::<Index>(), changes, unknown, any::<u64>()).prop_map(|(which, changes, unknown, order)| {
        let documented = documented();
        let fields = Fields::parse(documented[which.index(documented.len())]).unwrap();
        let mut members = Vec::new();
        for ((key, value), change) in fields.iter().zip(changes) {
            let value = value.text().to_owned();
            let value = if key == "hook_event_name" { Some(value) } else { change.unwrap_or(Some(value)) };
            members.extend(value.map(|value| format!("\"{key}\":{value}")));
        }
        let count = unknown.len();
        for (index, (key, value)) in unknown.into_iter().enumerate() {
            members.push(format!("\"unknown{index} {}:{value}", key.strip_prefix('"').unwrap()));
        }
        let turn = usize::try_from(order % members.len() as u64).unwrap();
        members.rotate_left(turn);
        (format!("{{{}}}", members.join(",")), count)
    })
}

proptest! {
    /// The generator itself makes valid JSON.
    #[test]
    fn generated_texts_are_json((text, _) in event()) {
        prop_assert!(Raw::parse(&text).is_ok());
        prop_assert!(serde_json::from_str::<&serde_json::value::RawValue>(&text).is_ok());
    }
}
