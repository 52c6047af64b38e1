//! One level of a JSON object or array as raw parts of the text it was read from.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// One member of an object; key and value are slices of the text that was parsed.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    pub(crate) key: &'a RawValue,
    pub(crate) value: &'a RawValue,
}

impl<'a> Member<'a> {
    /// The decoded key; a key that is no Unicode text (a lone surrogate) stays as it is written.
    pub(crate) fn name(&self) -> Cow<'a, str> {
        let raw = self.key.get();
        let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
        if inner.contains('\\') {
            serde_json::from_str::<String>(raw).map_or(Cow::Borrowed(inner), Cow::Owned)
        } else {
            Cow::Borrowed(inner)
        }
    }
}

/// The members of one object in the order of the text, repeated keys included.
///
/// Only this level is looked at: the values are skipped by `serde_json`, which needs no recursion for that.
pub(crate) struct Members<'a>(pub(crate) Vec<Member<'a>>);

impl<'a> Members<'a> {
    /// Parses `text`, which must be one object.
    pub(crate) fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The value of `name`; of repeated keys the last one counts, as in JavaScript.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().rev().find(|member| member.name() == name).map(|member| member.value)
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) = map.next_entry()? {
                    members.push(Member { key, value });
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(MembersVisitor)
    }
}
