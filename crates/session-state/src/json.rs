//! Small pieces of JSON: ordered raw members that survive a rewrite, and text as a JSON string.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::text::Text;

/// A value as it stood in the document: a part of its text, shared instead of copied.
#[derive(Clone, Debug)]
pub(crate) struct Raw {
    text: Arc<String>,
    start: usize,
    end: usize,
}

impl Raw {
    /// The part of `text` that `value` was parsed from.
    pub(crate) fn within(text: &Arc<String>, value: &RawValue) -> Self {
        let (start, end) = span(text, value.get());
        Self { text: Arc::clone(text), start, end }
    }

    /// A value of its own. `json` must be one JSON value.
    pub(crate) fn new(json: String) -> Self {
        let end = json.len();
        Self { text: Arc::new(json), start: 0, end }
    }

    pub(crate) fn get(&self) -> &str {
        self.text.get(self.start..self.end).unwrap_or("null")
    }
}

/// Where `part`, a slice of `text`, begins and ends in it.
pub(crate) fn span(text: &str, part: &str) -> (usize, usize) {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    (start, start + part.len())
}

/// Members that this version does not interpret, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members(Vec<(String, Raw)>);

impl Members {
    pub(crate) fn within(text: &Arc<String>, found: Vec<(Key<'_>, &RawValue)>) -> Self {
        Self(found.into_iter().map(|(key, value)| (key.0.into_owned(), Raw::within(text, value))).collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, raw)| raw.get())
    }

    pub(crate) fn set(&mut self, name: &str, raw: Raw) {
        match self.0.iter_mut().rev().find(|(key, _)| key == name) {
            Some((_, old)) => *old = raw,
            None => self.0.push((name.to_owned(), raw)),
        }
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.0.retain(|(key, _)| key != name);
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| key.as_str())
    }

    /// Appends `,"name":value` for each member.
    pub(crate) fn write<'a>(&'a self, out: &mut Text<'a>) {
        for (name, raw) in &self.0 {
            out.push(",");
            string(out.own(), name);
            out.push(":");
            out.keep(raw.get());
        }
    }
}

/// A member's name, borrowed from the document unless it has escapes.
pub(crate) struct Key<'t>(pub(crate) Cow<'t, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Name;
        impl<'de> Visitor<'de> for Name {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a member name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(name)))
            }

            fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(name.to_owned())))
            }
        }
        from.deserialize_str(Name)
    }
}

/// An object's members, each value left as raw text.
pub(crate) struct Object<'t>(pub(crate) Vec<(Key<'t>, &'t RawValue)>);

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Object(members))
            }
        }
        from.deserialize_map(Each)
    }
}

/// Appends `value` as a JSON string, quotes included.
pub(crate) fn string(out: &mut String, value: &str) {
    out.push('"');
    let mut rest = value;
    while let Some(at) = rest.bytes().position(|b| b < 0x20 || b == b'"' || b == b'\\') {
        // The byte found is ASCII, so both sides of it are whole characters.
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let mut after = after.chars();
        match after.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\t') => out.push_str("\\t"),
            Some('\r') => out.push_str("\\r"),
            Some(other) => {
                out.push_str("\\u00");
                for digit in [u32::from(other) >> 4, u32::from(other) & 15] {
                    out.push(char::from_digit(digit, 16).unwrap_or('0'));
                }
            }
            None => {}
        }
        rest = after.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// Appends a whole number.
pub(crate) fn number(out: &mut String, value: u64) {
    use std::fmt::Write as _;
    // Writing to a string cannot fail.
    let _ = write!(out, "{value}");
}

/// Appends a JSON string, or `null`.
pub(crate) fn optional(out: &mut String, value: Option<&str>) {
    match value {
        Some(value) => string(out, value),
        None => out.push_str("null"),
    }
}
