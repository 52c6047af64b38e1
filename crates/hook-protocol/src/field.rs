//! How one field is read from raw JSON and written back, and the macros that declare records and open enumerations once.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::lenient::push_literal;
use crate::raw::{Raw, Text};

/// A type that a field can have.
pub(crate) trait Field<'a>: Sized {
    /// Reads the value, or gives it back when it is of another type.
    fn read(raw: Raw<'a>) -> Result<Self, Raw<'a>>;
    /// Appends the value as JSON.
    fn write(&self, out: &mut String);
}

/// One JSON object that is being written.
pub(crate) struct Object {
    out: String,
    empty: bool,
}

impl Object {
    /// Starts an object at the end of `out`.
    pub(crate) fn new(mut out: String) -> Self {
        out.push('{');
        Self { out, empty: true }
    }

    fn comma(&mut self) {
        if !std::mem::replace(&mut self.empty, false) {
            self.out.push(',');
        }
    }

    pub(crate) fn member<'a>(&mut self, key: &str, value: &impl Field<'a>) {
        self.comma();
        push_literal(&mut self.out, key);
        self.out.push(':');
        value.write(&mut self.out);
    }

    pub(crate) fn optional<'a>(&mut self, key: &str, value: Option<&impl Field<'a>>) {
        if let Some(value) = value {
            self.member(key, value);
        }
    }

    pub(crate) fn all<'f>(&mut self, fields: impl Iterator<Item = (&'f Text<'f>, &'f Raw<'f>)>) {
        for (key, value) in fields {
            self.comma();
            key.write(&mut self.out);
            self.out.push(':');
            self.out.push_str(value.text());
        }
    }

    pub(crate) fn finish(mut self) -> String {
        self.out.push('}');
        self.out
    }
}

/// A field that the host also sends as `null`, which is something else than leaving it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Nullable<T> {
    /// `null`.
    Null,
    /// A value.
    Value(T),
}

impl<T> Nullable<T> {
    /// The value, if there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<'a, T: Field<'a>> Field<'a> for Nullable<T> {
    fn read(raw: Raw<'a>) -> Result<Self, Raw<'a>> {
        if raw.is_null() { Ok(Self::Null) } else { T::read(raw).map(Self::Value) }
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Value(value) => value.write(out),
        }
    }
}

impl<'a> Field<'a> for Raw<'a> {
    fn read(raw: Raw<'a>) -> Result<Self, Raw<'a>> {
        Ok(raw)
    }

    fn write(&self, out: &mut String) {
        out.push_str(self.text());
    }
}

impl<'a> Field<'a> for Text<'a> {
    fn read(raw: Raw<'a>) -> Result<Self, Raw<'a>> {
        raw.into_text()
    }

    fn write(&self, out: &mut String) {
        Text::write(self, out);
    }
}

impl<'a> Field<'a> for Cow<'a, str> {
    fn read(raw: Raw<'a>) -> Result<Self, Raw<'a>> {
        raw.into_text()?.into_exact().map_err(Raw::from)
    }

    fn write(&self, out: &mut String) {
        push_literal(out, self);
    }
}

impl<'a> Field<'a> for bool {
    fn read(raw: Raw<'a>) -> Result<Self, Raw<'a>> {
        raw.as_bool().ok_or(raw)
    }

    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl<'a> Field<'a> for u64 {
    fn read(raw: Raw<'a>) -> Result<Self, Raw<'a>> {
        raw.as_u64().ok_or(raw)
    }

    fn write(&self, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{self}");
    }
}

impl<'a> Field<'a> for f64 {
    fn read(raw: Raw<'a>) -> Result<Self, Raw<'a>> {
        raw.as_f64().ok_or(raw)
    }

    fn write(&self, out: &mut String) {
        // JSON has no infinity and no "not a number"; JavaScript writes `null` for them.
        let _ = if self.is_finite() { write!(out, "{self}") } else { write!(out, "null") };
    }
}

impl<'a, T: Field<'a>> Field<'a> for Vec<T> {
    fn read(raw: Raw<'a>) -> Result<Self, Raw<'a>> {
        let items = raw.detached_items();
        items.and_then(|items| items.into_iter().map(|item| T::read(item).ok()).collect()).ok_or(raw)
    }

    fn write(&self, out: &mut String) {
        out.push('[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            item.write(out);
        }
        out.push(']');
    }
}

/// The wire name of a field: its own name, or the one that is given.
macro_rules! wire_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $name:literal) => {
        $name
    };
}

/// Declares the fields of one event: the struct, how it is read and how it is written. Every field is optional.
macro_rules! body {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident $(= $wire:literal)?: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $name<'a> {
            $($(#[$field_meta])* pub $field: Option<$type>,)*
        }

        impl<'a> $name<'a> {
            /// Moves what has the right type out of `fields`.
            pub(crate) fn pick(fields: &mut crate::raw::Fields<'a>) -> Self {
                Self { $($field: fields.pick(crate::field::wire_name!($field $($wire)?)),)* }
            }

            pub(crate) fn write(&self, object: &mut crate::field::Object) {
                $(object.optional(crate::field::wire_name!($field $($wire)?), self.$field.as_ref());)*
            }
        }
    };
}

/// Declares a nested object: as `body!`, with the members that it doesn't name kept in `extra`.
macro_rules! record {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident $(= $wire:literal)?: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $name<'a> {
            $($(#[$field_meta])* pub $field: Option<$type>,)*
            /// Members that are unknown or have another type than documented, as they came.
            pub extra: crate::raw::Fields<'a>,
        }

        impl<'a> $name<'a> {
            /// Reads the object; `None` if `raw` is none. Nothing in it can fail.
            pub fn from_raw(raw: &crate::raw::Raw<'a>) -> Option<Self> {
                raw.detached_object().map(Self::from_fields)
            }

            pub(crate) fn from_fields(mut fields: crate::raw::Fields<'a>) -> Self {
                $(let $field = fields.pick(crate::field::wire_name!($field $($wire)?));)*
                fields.drop_taken();
                Self { $($field,)* extra: fields }
            }

            pub(crate) fn members(&self, object: &mut crate::field::Object) {
                $(object.optional(crate::field::wire_name!($field $($wire)?), self.$field.as_ref());)*
                object.all(self.extra.iter());
            }

            /// The object as compact JSON.
            pub fn to_json(&self) -> String {
                let mut out = String::new();
                crate::field::Field::write(self, &mut out);
                out
            }
        }

        impl<'a> crate::field::Field<'a> for $name<'a> {
            fn read(raw: crate::raw::Raw<'a>) -> Result<Self, crate::raw::Raw<'a>> {
                Self::from_raw(&raw).ok_or(raw)
            }

            fn write(&self, out: &mut String) {
                let mut object = crate::field::Object::new(std::mem::take(out));
                self.members(&mut object);
                *out = object.finish();
            }
        }

        impl serde::Serialize for $name<'_> {
            /// Writes the object; meant for `serde_json`.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                crate::raw::Raw::bare(self.to_json()).serialize(serializer)
            }
        }
    };
}

/// Declares a set of strings that may grow: known values as variants, any other value in `Other`.
macro_rules! open_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $wire:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name<'a> {
            $($(#[$variant_meta])* $variant,)*
            /// A value that this version doesn't know.
            Other(std::borrow::Cow<'a, str>),
        }

        impl<'a> $name<'a> {
            /// The value as it stands on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $wire,)*
                    Self::Other(other) => other,
                }
            }
        }

        impl<'a> From<std::borrow::Cow<'a, str>> for $name<'a> {
            fn from(value: std::borrow::Cow<'a, str>) -> Self {
                match &*value {
                    $($wire => Self::$variant,)*
                    _ => Self::Other(value),
                }
            }
        }

        impl<'a> From<&'a str> for $name<'a> {
            fn from(value: &'a str) -> Self {
                Self::from(std::borrow::Cow::Borrowed(value))
            }
        }

        impl std::fmt::Display for $name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl<'a> crate::field::Field<'a> for $name<'a> {
            fn read(raw: crate::raw::Raw<'a>) -> Result<Self, crate::raw::Raw<'a>> {
                <std::borrow::Cow<'a, str> as crate::field::Field<'a>>::read(raw).map(Self::from)
            }

            fn write(&self, out: &mut String) {
                crate::lenient::push_literal(out, self.as_str());
            }
        }
    };
}

pub(crate) use {body, open_enum, record, wire_name};
