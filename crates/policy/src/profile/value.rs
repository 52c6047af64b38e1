//! Reads a value of a configuration file. What is wrong comes out as it is, and is never read out of a message.

use std::fmt::Display;

use serde::de::value::SeqDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess, Unexpected, Visitor,
};
use toml::Value;

use super::error::ConfigError;

/// Reads `value` as a `T`.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Result<T, Wrong> {
    T::deserialize(Reader(value))
}

/// What is wrong with a value, and the keys that lead to it.
#[derive(Debug, thiserror::Error)]
#[error("{fault}")]
pub(crate) struct Wrong {
    fault: Box<ConfigError>,
    way: Vec<String>,
}

impl Wrong {
    fn new(fault: ConfigError) -> Self {
        Self { fault: Box::new(fault), way: Vec::new() }
    }

    /// The fault, with the way to it before its message unless that names a key already.
    pub(crate) fn told(self) -> ConfigError {
        let mut fault = *self.fault;
        if let (None, Some(first)) = (&fault.key, self.way.first()) {
            fault.message = format!("`{}`: {}", self.way.join("."), fault.message);
            fault.key = Some(first.clone());
        }
        fault
    }

    /// The same fault, found on the way below `key`.
    pub(crate) fn below(mut self, key: &str) -> Self {
        self.way.insert(0, key.to_owned());
        self
    }

    /// The keys that lead to what is wrong, and the key itself if it is not known.
    pub(super) fn keys(&self) -> Vec<&str> {
        self.way.iter().map(String::as_str).chain(self.fault.key.as_deref()).collect()
    }
}

impl de::Error for Wrong {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(ConfigError::new(message.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid type: {found}, expected {}", expected(&wanted.to_string())))
    }

    fn invalid_value(found: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid value: {found}, expected {}", expected(&wanted.to_string())))
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Self {
        Self::new(ConfigError::unknown("key", field, known.iter().copied()))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom(format_args!("`{field}` is missing"))
    }
}

/// What serde says that it expected, in the words of a configuration file.
fn expected(said: &str) -> &str {
    match said {
        "a sequence" => "a list in square brackets",
        "a string" => "a text in quotes",
        "a boolean" => "true or false",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        other if other == "a map" || other.starts_with("struct ") => "a table",
        other => other,
    }
}

struct Reader(Value);

impl IntoDeserializer<'_, Wrong> for Reader {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Reader {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            Value::Integer(number) => visitor.visit_i64(number),
            Value::Float(number) => visitor.visit_f64(number),
            Value::Boolean(is) => visitor.visit_bool(is),
            // No setting is one.
            Value::Datetime(_) => Err(de::Error::invalid_type(Unexpected::Other("date or time"), &visitor)),
            Value::Array(values) => visitor.visit_seq(SeqDeserializer::new(values.into_iter().map(Reader))),
            Value::Table(table) => visitor.visit_map(Entries { entries: table.into_iter(), next: None }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::String(variant) => visitor.visit_enum(variant.into_deserializer()),
            other => {
                other.deserialize_enum(name, variants, visitor).map_err(|error| de::Error::custom(error.message()))
            }
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map
        struct identifier ignored_any
    }
}

/// The keys of a table with their values.
struct Entries {
    entries: <toml::Table as IntoIterator>::IntoIter,
    next: Option<(String, Value)>,
}

impl<'de> MapAccess<'de> for Entries {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Wrong> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        let read = seed.deserialize(key.as_str().into_deserializer())?;
        self.next = Some((key, value));
        Ok(Some(read))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Wrong> {
        let (key, value) = self.next.take().unwrap_or_else(|| (String::new(), Value::Boolean(false)));
        seed.deserialize(Reader(value)).map_err(|wrong| wrong.below(&key))
    }
}
