//! Reading what a hook printed, by the rules that the host applies to it.

use serde_json::value::RawValue;

use super::error::ReplyError;
use crate::members::Members;

/// Fields that make a JSON document the answer of a hook.
const HOOK_FIELDS: [&str; 10] = [
    "continue", "stopReason", "suppressOutput", "systemMessage", "terminalSequence", "decision", "reason",
    "hookSpecificOutput", "async", "asyncTimeout",
];

/// The shapes that stdout can have.
pub(super) enum Shape<'a> {
    Nothing,
    Text(&'a str),
    Async,
    Json(Members<'a>),
}

/// Sorts stdout into one of the shapes; an error is what the host calls "looks like JSON but invalid".
pub(super) fn shape(stdout: &str) -> Result<Shape<'_>, ReplyError> {
    // JavaScript's `trim` takes the byte order mark for white space.
    let text = stdout.trim_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
    if text.is_empty() {
        return Ok(Shape::Nothing);
    }
    if !text.starts_with('{') {
        return Ok(Shape::Text(text));
    }
    let acknowledges = |members: &Members<'_>| members.get("async").is_some_and(|value| value.get() == "true");
    if text.lines().next().and_then(|line| Members::parse(line).ok()).is_some_and(|first| acknowledges(&first)) {
        return Ok(Shape::Async);
    }
    match Members::parse(text) {
        Ok(members) if acknowledges(&members) => Ok(Shape::Async),
        Ok(members) => Ok(Shape::Json(members)),
        Err(_) if !text.ends_with('}') || is_foreign_json_lines(text) => Ok(Shape::Text(text)),
        Err(source) => Err(ReplyError::NotOneObject { source }),
    }
}

/// Whether the text is at least two lines, each a JSON document without any field of a hook's answer.
fn is_foreign_json_lines(text: &str) -> bool {
    let mut lines = 0_usize;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        lines += 1;
        let foreign = match Members::parse(line) {
            Ok(members) => HOOK_FIELDS.iter().all(|field| members.get(field).is_none()),
            Err(_) => serde_json::from_str::<&RawValue>(line).is_ok_and(|value| !value.get().starts_with('{')),
        };
        if !foreign {
            return false;
        }
    }
    lines >= 2
}

/// One JSON answer, its common fields checked.
pub(super) struct Source<'a> {
    top: Members<'a>,
    specific: Option<Members<'a>>,
}

impl<'a> Source<'a> {
    /// Checks the fields every event shares. `accepts_specific` says whether the event has a `hookSpecificOutput`.
    pub(super) fn new(event: &str, accepts_specific: bool, top: Members<'a>) -> Result<Self, ReplyError> {
        let mut source = Self { top, specific: None };
        for field in ["continue", "suppressOutput"] {
            source.top_boolean(field)?;
        }
        for field in ["stopReason", "systemMessage", "terminalSequence", "reason"] {
            source.top_text(field)?;
        }
        let blocks = source.decision()? == Some(Decision::Block);
        let Some(value) = source.top.get("hookSpecificOutput") else { return Ok(source) };
        if !accepts_specific {
            return Err(ReplyError::NoSpecific { event: event.to_owned() });
        }
        let specific = members(value, "hookSpecificOutput")?;
        let name = text(specific.get("hookEventName"), "hookEventName")?
            .ok_or(ReplyError::Missing { field: "hookEventName" })?;
        if name == event {
            source.specific = Some(specific);
        } else if !blocks || event == "PermissionRequest" {
            return Err(ReplyError::EventName { found: name, event: event.to_owned() });
        }
        Ok(source)
    }

    pub(super) fn top_text(&self, field: &'static str) -> Result<Option<String>, ReplyError> {
        text(self.top.get(field), field)
    }

    pub(super) fn top_boolean(&self, field: &'static str) -> Result<Option<bool>, ReplyError> {
        boolean(self.top.get(field), field)
    }

    /// The top-level decision.
    pub(super) fn decision(&self) -> Result<Option<Decision>, ReplyError> {
        match self.top_text("decision")? {
            None => Ok(None),
            Some(value) if value == "block" => Ok(Some(Decision::Block)),
            Some(value) if value == "approve" => Ok(Some(Decision::Approve)),
            Some(value) => Err(ReplyError::Value { field: "decision", value, allowed: "approve, block" }),
        }
    }

    /// The reason of a top-level `decision: block`, empty when none is given.
    pub(super) fn block(&self) -> Result<Option<String>, ReplyError> {
        match self.decision()? {
            Some(Decision::Block) => Ok(Some(self.top_text("reason")?.unwrap_or_default())),
            _ => Ok(None),
        }
    }

    fn specific(&self, field: &str) -> Option<&'a RawValue> {
        self.specific.as_ref()?.get(field)
    }

    /// Whether there is a `hookSpecificOutput` that counts.
    pub(super) fn has_specific(&self) -> bool {
        self.specific.is_some()
    }

    pub(super) fn text(&self, field: &'static str) -> Result<Option<String>, ReplyError> {
        text(self.specific(field), field)
    }

    pub(super) fn switch(&self, field: &'static str) -> Result<bool, ReplyError> {
        Ok(boolean(self.specific(field), field)?.unwrap_or_default())
    }

    pub(super) fn list(&self, field: &'static str) -> Result<Option<Vec<String>>, ReplyError> {
        decode(self.specific(field), field, "a list of strings")
    }

    pub(super) fn raw(&self, field: &str) -> Option<Box<RawValue>> {
        self.specific(field).map(ToOwned::to_owned)
    }

    pub(super) fn raw_object(&self, field: &'static str) -> Result<Option<Box<RawValue>>, ReplyError> {
        object(self.specific(field), field)
    }

    pub(super) fn members(&self, field: &'static str) -> Result<Option<Members<'a>>, ReplyError> {
        self.specific(field).map(|value| members(value, field)).transpose()
    }
}

/// The values that the host knows for the top-level `decision`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    Approve,
    Block,
}

pub(super) fn text(value: Option<&RawValue>, field: &'static str) -> Result<Option<String>, ReplyError> {
    decode(value, field, "a string")
}

pub(super) fn boolean(value: Option<&RawValue>, field: &'static str) -> Result<Option<bool>, ReplyError> {
    decode(value, field, "true or false")
}

/// An object kept as its text.
pub(super) fn object(value: Option<&RawValue>, field: &'static str) -> Result<Option<Box<RawValue>>, ReplyError> {
    match value {
        Some(value) if !value.get().starts_with('{') => Err(ReplyError::Type { field, expected: "an object" }),
        value => Ok(value.map(ToOwned::to_owned)),
    }
}

/// A list of objects kept as their text.
pub(super) fn objects(value: Option<&RawValue>, field: &'static str) -> Result<Vec<Box<RawValue>>, ReplyError> {
    let values: Vec<Box<RawValue>> = decode(value, field, "a list of objects")?.unwrap_or_default();
    if values.iter().all(|value| value.get().starts_with('{')) {
        Ok(values)
    } else {
        Err(ReplyError::Type { field, expected: "a list of objects" })
    }
}

fn members<'a>(value: &'a RawValue, field: &'static str) -> Result<Members<'a>, ReplyError> {
    Members::parse(value.get()).map_err(|_| ReplyError::Type { field, expected: "an object" })
}

fn decode<T: serde::de::DeserializeOwned>(
    value: Option<&RawValue>,
    field: &'static str,
    expected: &'static str,
) -> Result<Option<T>, ReplyError> {
    value.map(|value| serde_json::from_str(value.get()).map_err(|_| ReplyError::Type { field, expected })).transpose()
}
