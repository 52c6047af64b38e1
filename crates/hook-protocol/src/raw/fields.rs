//! The members of one object.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::{Raw, Text};
use crate::error::ParseError;
use crate::field::{Field, Object};
use crate::scan::Scanner;

/// The members of one JSON object, in order, undecoded.
///
/// ```
/// use hook_protocol::raw::{Fields, Raw, Text};
/// let mut input = Fields::parse(r#"{"command":"git push -f","timeout":1000}"#)?;
/// input.set("command", Text::from("git push"));
/// assert_eq!(input.to_json(), r#"{"command":"git push","timeout":1000}"#);
/// # Ok::<(), hook_protocol::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields<'a>(Vec<(Text<'a>, Raw<'a>)>);

impl<'a> Fields<'a> {
    /// No members.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads one whole object. Duplicates are kept as they came.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        // Most objects of the protocol have between 1 and 16 members.
        let mut members = Vec::with_capacity(if text.len() < 256 { 4 } else { 16 });
        Scanner::new(text).object(|key, value| members.push((key, value)))?;
        Ok(Self(members))
    }

    /// The value of `key`; of duplicates the last, as in JavaScript.
    pub fn get(&self, key: &str) -> Option<&Raw<'a>> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The value of `key` if it is a string.
    pub fn get_str(&self, key: &str) -> Option<Cow<'_, str>> {
        self.get(key)?.as_str()
    }

    /// Every member in order, duplicates included.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Text<'a>, &Raw<'a>)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Number of members, duplicates included.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets `key` where it stands, or appends it. Of duplicates only the last stays.
    pub fn set(&mut self, key: impl Into<Text<'a>>, value: impl Into<Raw<'a>>) {
        let key = key.into();
        let mut value = Some(value.into());
        let wanted = key.as_str().into_owned();
        for (_, old) in self.0.iter_mut().rev().filter(|(name, _)| name == wanted.as_str()) {
            *old = value.take().unwrap_or(Raw::TAKEN);
        }
        if let Some(value) = value {
            self.0.push((key, value));
        }
        self.drop_taken();
    }

    /// Removes `key`, all duplicates of it, and returns the last value.
    pub fn remove(&mut self, key: &str) -> Option<Raw<'a>> {
        let value = self.pick(key);
        self.drop_taken();
        value
    }

    /// Moves the value of `key` out if it is of type `T`, else leaves it. Earlier duplicates go: they never count.
    /// Call [`Fields::drop_taken`] when all picking is done.
    pub(crate) fn pick<T: Field<'a>>(&mut self, key: &str) -> Option<T> {
        let mut found = None;
        let mut seen = false;
        for (_, value) in self.0.iter_mut().rev().filter(|(name, _)| name == key) {
            let taken = std::mem::replace(value, Raw::TAKEN);
            if !seen {
                seen = true;
                match T::read(taken) {
                    Ok(typed) => found = Some(typed),
                    Err(back) => *value = back,
                }
            }
        }
        found
    }

    pub(crate) fn drop_taken(&mut self) {
        self.0.retain(|(_, value)| !value.is_taken());
    }

    /// The object as compact JSON; values and keys are written as they came.
    pub fn to_json(&self) -> String {
        let mut object = Object::new(String::new());
        object.all(self.iter());
        object.finish()
    }

    /// The object as one value.
    pub fn to_raw(&self) -> Raw<'static> {
        Raw::bare(self.to_json())
    }

    /// The same members, independent of the payload's lifetime.
    pub fn into_owned(self) -> Fields<'static> {
        Fields(self.0.into_iter().map(|(key, value)| (key.into_owned(), value.into_owned())).collect())
    }
}

impl Serialize for Fields<'_> {
    /// Writes the members as they came; meant for `serde_json`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_raw().serialize(serializer)
    }
}
