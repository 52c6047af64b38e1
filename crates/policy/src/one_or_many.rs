//! `key = "a"` or `key = ["a", "b"]`, as configuration files say it.

use std::fmt;

use serde::Deserializer;
use serde::de::{SeqAccess, Visitor};

/// Reads one text or a list of texts. A fault is told in the words of whoever writes the file.
pub(crate) fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    deserializer.deserialize_any(OneOrMany)
}

struct OneOrMany;

impl<'de> Visitor<'de> for OneOrMany {
    type Value = Vec<String>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a text in quotes, or a list of such texts")
    }

    fn visit_str<E>(self, one: &str) -> Result<Vec<String>, E> {
        Ok(vec![one.to_owned()])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut many: A) -> Result<Vec<String>, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = many.next_element()? {
            texts.push(text);
        }
        Ok(texts)
    }
}

/// What [`one_or_many`] reads.
#[cfg(feature = "schema")]
pub(crate) fn schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": ["string", "array"], "items": { "type": "string" } })
}
