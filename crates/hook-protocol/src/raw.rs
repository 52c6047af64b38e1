//! JSON that nobody has decoded yet: one value, one string, the members of one object.

mod fields;
mod text;

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

pub use self::fields::Fields;
use self::text::Form;
pub use self::text::Text;
use crate::error::ParseError;
use crate::lenient::{push_literal, unescape};
use crate::scan::Scanner;

/// One JSON value as the text it came as, borrowed from the payload or owned.
///
/// The text is always one well-formed value, without white space around it. Every question about it is answered from the
/// text, on demand: keep the answer, don't ask twice. Equality compares the texts, so `1` and `1.0` differ.
///
/// ```
/// use hook_protocol::raw::Raw;
/// let input = Raw::parse(r#" {"command":"ls","timeout":1000} "#)?;
/// assert_eq!(input.get("command").unwrap().as_str().unwrap(), "ls");
/// assert_eq!(input.get("timeout").unwrap().as_u64(), Some(1000));
/// # Ok::<(), hook_protocol::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Raw<'a> {
    text: Cow<'a, str>,
    /// Whether there is an escape in it; means something for strings only.
    escaped: bool,
    /// The decoded `command` of an object, once it was asked for.
    command: OnceLock<Box<str>>,
}

impl PartialEq<Raw<'_>> for Raw<'_> {
    fn eq(&self, other: &Raw<'_>) -> bool {
        self.text == other.text
    }
}

impl Eq for Raw<'_> {}

impl Default for Raw<'_> {
    /// `null`.
    fn default() -> Self {
        Self::NULL
    }
}

impl<'a> Raw<'a> {
    /// The value `null`.
    #[expect(clippy::declare_interior_mutable_const, reason = "it is no object, so nothing is ever kept in it")]
    pub const NULL: Self = Self::of(Cow::Borrowed("null"), false);
    /// Stands in `Fields` for a member that was moved out; no value has an empty text.
    #[expect(clippy::declare_interior_mutable_const, reason = "as above")]
    const TAKEN: Self = Self::of(Cow::Borrowed(""), false);

    const fn of(text: Cow<'a, str>, escaped: bool) -> Self {
        Self { text, escaped, command: OnceLock::new() }
    }

    pub(crate) fn scanned(text: &'a str, escaped: bool) -> Self {
        Self::of(Cow::Borrowed(text), escaped)
    }

    pub(crate) fn bare(text: impl Into<Cow<'a, str>>) -> Self {
        Self::of(text.into(), false)
    }

    /// Takes one JSON value, of any depth, without decoding it. White space around it is dropped.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        Scanner::new(text).document()
    }

    /// The JSON text of any serialisable value. Fails when `T` cannot be JSON, such as a map with keys that aren't strings.
    pub fn from_value<T: Serialize + ?Sized>(value: &T) -> Result<Raw<'static>, ParseError> {
        let text = serde_json::to_string(value).map_err(|source| ParseError::shape("", &source))?;
        Ok(Raw::parse(&text)?.into_owned())
    }

    /// The JSON text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        self.text == "null"
    }

    /// The value of a string; a lone surrogate in it becomes U+FFFD. `None` for any other kind.
    pub fn as_str(&self) -> Option<Cow<'_, str>> {
        let inside = self.text.strip_prefix('"')?.strip_suffix('"')?;
        Some(if self.escaped { Cow::Owned(unescape(inside).0) } else { Cow::Borrowed(inside) })
    }

    /// The string as a [`Text`] that still knows its literal. `None` for any other kind.
    pub fn as_text(&self) -> Option<Text<'_>> {
        self.text.starts_with('"').then(|| Text::scanned(&self.text, self.escaped))
    }

    /// The value of `true` or `false`.
    pub fn as_bool(&self) -> Option<bool> {
        match &*self.text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// A whole number from 0 to 2⁶⁴ − 1, also when it is written as `5.0` or `5e3`. `None` for a fraction.
    pub fn as_u64(&self) -> Option<u64> {
        // Every whole number up to 2⁵³ is exact as a float; beyond it the plain form below is the only one trusted.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if let Ok(whole) = self.text.parse() {
            return Some(whole);
        }
        let float = self.as_f64()?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the range and the fraction are tested first"
        )]
        (float.fract() == 0.0 && (0.0..=EXACT).contains(&float)).then_some(float as u64)
    }

    /// The value of a number as the nearest float; `None` when it is too large for one.
    pub fn as_f64(&self) -> Option<f64> {
        if !self.is_number() {
            return None;
        }
        self.text.parse().ok().filter(|float: &f64| float.is_finite())
    }

    pub(crate) fn is_number(&self) -> bool {
        self.text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
    }

    /// Whether this is an object.
    pub fn is_object(&self) -> bool {
        self.text.starts_with('{')
    }

    /// The value of member `key` of an object; of duplicates the last, as in JavaScript. Nothing else is decoded.
    pub fn get(&self, key: &str) -> Option<Raw<'_>> {
        if !self.is_object() {
            return None;
        }
        let mut found = None;
        Scanner::new(&self.text)
            .object(|name, value| {
                if name == *key {
                    found = Some(value);
                }
            })
            .ok()?;
        found
    }

    /// The string `command` of an object. Decoded once: guards ask for it more often, and it may be long.
    pub(crate) fn command(&self) -> Option<Cow<'_, str>> {
        if let Some(known) = self.command.get() {
            return Some(Cow::Borrowed(known));
        }
        Some(match self.get("command")?.into_text().ok()?.into_cow() {
            Cow::Owned(text) => Cow::Borrowed(&**self.command.get_or_init(|| text.into())),
            same @ Cow::Borrowed(_) => same,
        })
    }

    /// The members of an object. `None` for any other kind.
    pub fn object(&self) -> Option<Fields<'_>> {
        if self.is_object() { Fields::parse(&self.text).ok() } else { None }
    }

    /// The items of an array. `None` for any other kind.
    pub fn items(&self) -> Option<Vec<Raw<'_>>> {
        items(&self.text)
    }

    /// Decodes the value with serde. Stricter than the rest of this type: a lone surrogate in a string is an error, and so is
    /// nesting deeper than `serde_json` allows (128).
    pub fn to<T: DeserializeOwned>(&self) -> Result<T, ParseError> {
        serde_json::from_str(&self.text).map_err(|source| ParseError::shape(&self.text, &source))
    }

    /// The same value, independent of the payload's lifetime.
    pub fn into_owned(self) -> Raw<'static> {
        Raw::of(Cow::Owned(self.text.into_owned()), self.escaped)
    }

    /// The same value as `serde_json`'s raw value. Copies the text.
    pub fn to_raw_value(&self) -> Box<RawValue> {
        // The text is one well-formed value by construction, so the fallback is never taken.
        RawValue::from_string(self.text.clone().into_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned())
    }

    /// As [`Raw::object`], with the payload's own lifetime where the text is borrowed from it.
    pub(crate) fn detached_object(&self) -> Option<Fields<'a>> {
        match &self.text {
            Cow::Borrowed(text) if text.starts_with('{') => Fields::parse(text).ok(),
            Cow::Borrowed(_) => None,
            Cow::Owned(_) => self.object().map(Fields::into_owned),
        }
    }

    /// As [`Raw::items`], with the payload's own lifetime where the text is borrowed from it.
    pub(crate) fn detached_items(&self) -> Option<Vec<Raw<'a>>> {
        match &self.text {
            Cow::Borrowed(text) => items(text),
            Cow::Owned(text) => Some(items(text)?.into_iter().map(Raw::into_owned).collect()),
        }
    }

    /// Turns a string into a [`Text`], or gives any other kind back.
    pub(crate) fn into_text(self) -> Result<Text<'a>, Self> {
        if self.text.starts_with('"') {
            Ok(Text { form: if self.escaped { Form::EscapedLiteral } else { Form::Literal }, text: self.text })
        } else {
            Err(self)
        }
    }

    fn is_taken(&self) -> bool {
        self.text.is_empty()
    }
}

fn items(text: &str) -> Option<Vec<Raw<'_>>> {
    let mut items = Vec::new();
    let array = Scanner::new(text).array(|item| items.push(item));
    matches!(array, Ok(true)).then_some(items)
}

impl fmt::Debug for Raw<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Raw<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<'a> From<Text<'a>> for Raw<'a> {
    fn from(text: Text<'a>) -> Self {
        match text.form {
            Form::Plain => {
                let mut literal = String::with_capacity(text.text.len() + 2);
                push_literal(&mut literal, &text.text);
                // Only the escapes that were just written can hold a backslash.
                let escaped = literal.contains('\\');
                Raw::of(Cow::Owned(literal), escaped)
            }
            Form::Literal => Raw::of(text.text, false),
            Form::EscapedLiteral => Raw::of(text.text, true),
        }
    }
}

impl From<bool> for Raw<'_> {
    fn from(value: bool) -> Self {
        Self::bare(if value { "true" } else { "false" })
    }
}

impl From<u64> for Raw<'_> {
    fn from(value: u64) -> Self {
        Self::bare(value.to_string())
    }
}

impl<'a> From<&'a RawValue> for Raw<'a> {
    fn from(value: &'a RawValue) -> Self {
        let text = value.get();
        Raw::of(Cow::Borrowed(text), text.starts_with('"') && text.contains('\\'))
    }
}

impl From<Box<RawValue>> for Raw<'_> {
    fn from(value: Box<RawValue>) -> Self {
        Raw::from(&*value).into_owned()
    }
}

impl Serialize for Raw<'_> {
    /// Writes the text as it is; meant for `serde_json`, which is the only serialiser that knows raw JSON.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: &RawValue = serde_json::from_str(&self.text).map_err(serde::ser::Error::custom)?;
        value.serialize(serializer)
    }
}
