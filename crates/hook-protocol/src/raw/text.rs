//! One string that remembers the literal it came as.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::lenient::{push_literal, unescape};

/// How the text of a [`Text`] is to be read.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// It is the value.
    Plain,
    /// It is a JSON literal with its quotes and without escapes.
    Literal,
    /// It is a JSON literal with its quotes and with escapes.
    EscapedLiteral,
}

/// A string field: the JSON literal it came as, decoded on demand and written back unchanged, or a plain string.
///
/// Comparison, `Display` and `Debug` go by value. A lone surrogate escape reads as U+FFFD, and is still written back as it
/// came.
#[derive(Clone)]
pub struct Text<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) form: Form,
}

impl<'a> Text<'a> {
    pub(crate) fn scanned(literal: &'a str, escaped: bool) -> Self {
        Self { text: Cow::Borrowed(literal), form: if escaped { Form::EscapedLiteral } else { Form::Literal } }
    }

    /// The value. Borrowed unless the literal has escapes, which are then decoded at each call.
    pub fn as_str(&self) -> Cow<'_, str> {
        match self.form {
            Form::Plain => Cow::Borrowed(&self.text),
            Form::Literal => Cow::Borrowed(inside(&self.text)),
            Form::EscapedLiteral => Cow::Owned(unescape(inside(&self.text)).0),
        }
    }

    /// Whether the value is the empty string.
    pub fn is_empty(&self) -> bool {
        match self.form {
            Form::Plain => self.text.is_empty(),
            Form::Literal => inside(&self.text).is_empty(),
            Form::EscapedLiteral => false,
        }
    }

    /// The same string, independent of the payload's lifetime.
    pub fn into_owned(self) -> Text<'static> {
        Text { text: Cow::Owned(self.text.into_owned()), form: self.form }
    }

    /// The value; borrowed from the payload where that is possible.
    pub fn into_cow(self) -> Cow<'a, str> {
        match (self.form, self.text) {
            (Form::Plain, text) => text,
            (Form::Literal, Cow::Borrowed(text)) => Cow::Borrowed(inside(text)),
            (Form::Literal, Cow::Owned(text)) => Cow::Owned(inside(&text).to_owned()),
            (Form::EscapedLiteral, text) => Cow::Owned(unescape(inside(&text)).0),
        }
    }

    /// As [`Text::into_cow`], or the string itself when its value cannot hold all of it (a lone surrogate).
    pub(crate) fn into_exact(self) -> Result<Cow<'a, str>, Self> {
        if let Form::EscapedLiteral = self.form {
            let (value, lossy) = unescape(inside(&self.text));
            return if lossy { Err(self) } else { Ok(Cow::Owned(value)) };
        }
        Ok(self.into_cow())
    }

    pub(crate) fn write(&self, out: &mut String) {
        match self.form {
            Form::Plain => push_literal(out, &self.text),
            Form::Literal | Form::EscapedLiteral => out.push_str(&self.text),
        }
    }
}

/// A literal without its quotes.
fn inside(literal: &str) -> &str {
    literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default()
}

impl Default for Text<'_> {
    fn default() -> Self {
        Self::from("")
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(value: &'a str) -> Self {
        Self { text: Cow::Borrowed(value), form: Form::Plain }
    }
}

impl From<String> for Text<'_> {
    fn from(value: String) -> Self {
        Self { text: Cow::Owned(value), form: Form::Plain }
    }
}

impl<'a> From<Cow<'a, str>> for Text<'a> {
    fn from(value: Cow<'a, str>) -> Self {
        Self { text: value, form: Form::Plain }
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.as_str())
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.as_str(), f)
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        // Lengths first: picking the fields of an event compares each key with each name.
        match self.form {
            Form::Plain => self.text == other,
            Form::Literal => self.text.len() == other.len() + 2 && inside(&self.text) == other,
            // An escape is longer than what it stands for, never shorter.
            Form::EscapedLiteral => self.text.len() > other.len() + 2 && self.as_str() == other,
        }
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq<Text<'_>> for Text<'_> {
    fn eq(&self, other: &Text<'_>) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text<'_> {}

impl Serialize for Text<'_> {
    /// Writes the value, so a lone surrogate is written as U+FFFD; `to_json` of the type around it keeps it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.as_str())
    }
}
