//! The one error of reading: what is wrong with a text that should be JSON, and where.

use thiserror::Error;

/// Why a text could not be read.
///
/// Only the shape of the whole document can fail. A missing, unknown or oddly typed field never does.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("cannot read JSON at byte {at}: {kind}")]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// Byte offset in the text that was given, at which the fault was seen. It equals the length of the text when
    /// the text is cut off.
    pub at: usize,
}

/// The kinds of [`ParseError`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// Nothing but white space was given.
    #[error("there is no input; send one JSON object")]
    Empty,
    /// The text is not JSON, or it is cut off.
    #[error("this is not JSON, or it is cut off; send one whole JSON object")]
    NotJson,
    /// The text is JSON, but not an object.
    #[error("this is JSON, but not an object; send one JSON object")]
    NotObject,
    /// More than white space follows the first document.
    #[error("something follows the first JSON document; send exactly one")]
    Trailing,
    /// The value is JSON, but does not fit the type that was asked for; the text says why.
    #[error("the value does not fit: {0}")]
    Shape(String),
}

impl ParseError {
    pub(crate) fn new(kind: ParseErrorKind, at: usize) -> Self {
        Self { kind, at }
    }

    /// What `serde_json` says of `text`, at the place where it says so.
    pub(crate) fn shape(text: &str, source: &serde_json::Error) -> Self {
        let lines = text.split_inclusive('\n').take(source.line().saturating_sub(1));
        let at = lines.map(str::len).sum::<usize>() + source.column().saturating_sub(1);
        Self::new(ParseErrorKind::Shape(source.to_string()), at.min(text.len()))
    }
}
