//! What one record says, and how it is written: redacted, cut, escaped.

use std::borrow::Cow;

use chrono::{DateTime, Utc};

use crate::chain::push_number;
use crate::redact::{clip, is_secret_name};

/// Longest command in a record, in characters.
pub const COMMAND_CHARS: usize = 2_000;
/// Longest other string in a record, in characters.
pub const TEXT_CHARS: usize = 500;
/// Longest key in [`Record::extra`], in characters.
const KEY_CHARS: usize = 64;
/// The body stops taking extras here; what did not fit is counted in `dropped`.
const BODY_BYTES: usize = 60 * 1024;
/// Strings of one [`Value::Texts`] that are written.
const LIST_ITEMS: usize = 32;
/// No line of ours is longer than this, newline included: the body and what the chain puts behind it.
pub(crate) const LINE_MAX: usize = 64 * 1024;

/// One event of the trail. Every string may be hostile: it is redacted ([`crate::redact`]), cut on a character boundary
/// ([`COMMAND_CHARS`], [`TEXT_CHARS`]) and escaped when written, so that none can forge a line or hide one on a terminal.
///
/// `None` members are left out of the line. What stands in a file, or in a prompt, belongs in none of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record<'a> {
    /// The caller's clock. If it is earlier than the record before, the line carries that record's time and this one
    /// in `clock`.
    pub time: DateTime<Utc>,
    /// What happened, usually the hook event's name.
    pub event: Cow<'a, str>,
    /// The session, by the id that the agent gives it.
    pub session: Option<Cow<'a, str>>,
    /// The agent within the session, where there are several.
    pub agent: Option<Cow<'a, str>>,
    /// The policy in force.
    pub profile: Option<Cow<'a, str>>,
    /// The tool that was called.
    pub tool: Option<Cow<'a, str>>,
    /// The id of the call, the same before it and after it.
    pub tool_use_id: Option<Cow<'a, str>>,
    /// What was decided: `deny`, `ask`, `allow`, or a word of your own.
    pub verdict: Option<Cow<'a, str>>,
    /// The check that decided.
    pub check: Option<Cow<'a, str>>,
    /// The rule that decided.
    pub rule: Option<Cow<'a, str>>,
    /// Why, in words.
    pub reason: Option<Cow<'a, str>>,
    /// The command of a call of a shell; up to [`COMMAND_CHARS`].
    pub command: Option<Cow<'a, str>>,
    /// The file that the call works on.
    pub path: Option<Cow<'a, str>>,
    /// How the call ended: `success`, `failure`, or a word of your own.
    pub result: Option<Cow<'a, str>>,
    /// Anything else in one sentence.
    pub note: Option<Cow<'a, str>>,
    /// Microseconds that the decision took.
    pub elapsed_us: Option<u64>,
    /// Bytes of the payload.
    pub bytes: Option<u64>,
    /// Exit code of a command.
    pub exit_code: Option<i64>,
    /// Members of the line's `extra` object, in this order. A text under a name like `password` is written as
    /// `[redacted]`.
    pub extra: Vec<(Cow<'a, str>, Value<'a>)>,
}

/// A value in [`Record::extra`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number that is never negative.
    Uint(u64),
    /// A string, treated like the record's own.
    Text(Cow<'a, str>),
    /// Up to 32 strings; more are left out.
    Texts(Vec<Cow<'a, str>>),
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl From<u64> for Value<'_> {
    fn from(n: u64) -> Self {
        Self::Uint(n)
    }
}

impl From<i64> for Value<'_> {
    fn from(n: i64) -> Self {
        Self::Int(n)
    }
}

impl From<bool> for Value<'_> {
    fn from(yes: bool) -> Self {
        Self::Bool(yes)
    }
}

macro_rules! texts {
    ($($name:ident)*) => {
        /// The members that are text, each set by its name.
        impl<'a> Record<'a> {
            $(
                #[doc = concat!("The same with `", stringify!($name), "`.")]
                #[must_use]
                pub fn $name(self, text: impl Into<Cow<'a, str>>) -> Self {
                    Self { $name: Some(text.into()), ..self }
                }
            )*
        }
    };
}

texts! { session agent profile tool tool_use_id verdict check rule reason command path result note }

impl<'a> Record<'a> {
    /// A record that says only when and what.
    pub fn new(time: DateTime<Utc>, event: impl Into<Cow<'a, str>>) -> Self {
        Self { time, event: event.into(), ..Self::default() }
    }

    /// The same by the system's clock. Nothing else in this crate reads one.
    ///
    /// ```
    /// use hook_audit_log::Record;
    ///
    /// let record = Record::now("PreToolUse").tool("Bash").verdict("deny").command("rm -rf /").with("attempt", 2_u64);
    /// assert_eq!(record.verdict.as_deref(), Some("deny"));
    /// ```
    pub fn now(event: impl Into<Cow<'a, str>>) -> Self {
        Self::new(Utc::now(), event)
    }

    /// The same with one more member of [`Record::extra`].
    #[must_use]
    pub fn with(mut self, key: impl Into<Cow<'a, str>>, value: impl Into<Value<'a>>) -> Self {
        self.extra.push((key.into(), value.into()));
        self
    }

    /// The start of the line: everything that does not depend on what stands in the log. The first byte is a newline,
    /// there for a writer that has to close a torn line in the same write; the record begins behind it.
    pub(crate) fn body(&self) -> Vec<u8> {
        let texts = [
            ("session", &self.session, TEXT_CHARS),
            ("agent", &self.agent, TEXT_CHARS),
            ("profile", &self.profile, TEXT_CHARS),
            ("tool", &self.tool, TEXT_CHARS),
            ("tool_use_id", &self.tool_use_id, TEXT_CHARS),
            ("verdict", &self.verdict, TEXT_CHARS),
            ("check", &self.check, TEXT_CHARS),
            ("rule", &self.rule, TEXT_CHARS),
            ("reason", &self.reason, TEXT_CHARS),
            ("command", &self.command, COMMAND_CHARS),
            ("path", &self.path, TEXT_CHARS),
            ("result", &self.result, TEXT_CHARS),
            ("note", &self.note, TEXT_CHARS),
        ];
        let mut out = Vec::with_capacity(1024);
        out.extend_from_slice(b"\n{\"v\":1,\"event\":");
        push_text(&mut out, &clip(&self.event, TEXT_CHARS));
        for (key, text, limit) in texts {
            if let Some(text) = text {
                push_key(&mut out, key);
                push_text(&mut out, &clip(text, limit));
            }
        }
        for (key, number) in [("elapsed_us", self.elapsed_us), ("bytes", self.bytes)] {
            if let Some(number) = number {
                push_key(&mut out, key);
                push_number(&mut out, number);
            }
        }
        if let Some(code) = self.exit_code {
            push_key(&mut out, "exit_code");
            push_signed(&mut out, code);
        }
        if !self.extra.is_empty() {
            self.push_extra(&mut out);
        }
        out
    }

    fn push_extra(&self, out: &mut Vec<u8>) {
        push_key(out, "extra");
        out.push(b'{');
        let mut dropped = 0_u64;
        let mut first = true;
        for (key, value) in &self.extra {
            let mark = out.len();
            if !first {
                out.push(b',');
            }
            push_text(out, &clip(key, KEY_CHARS));
            out.push(b':');
            push_value(out, key, value);
            if out.len() > BODY_BYTES {
                out.truncate(mark);
                dropped += 1;
            } else {
                first = false;
            }
        }
        out.push(b'}');
        if dropped > 0 {
            push_key(out, "dropped");
            push_number(out, dropped);
        }
    }
}

fn push_value(out: &mut Vec<u8>, key: &str, value: &Value<'_>) {
    let hidden = is_secret_name(key);
    let text = |out: &mut Vec<u8>, text: &str| {
        if hidden && !text.is_empty() {
            push_text(out, crate::redact::REDACTED);
        } else {
            push_text(out, &clip(text, TEXT_CHARS));
        }
    };
    match value {
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Int(n) => push_signed(out, *n),
        Value::Uint(n) => push_number(out, *n),
        Value::Text(one) => text(out, one),
        Value::Texts(many) => {
            out.push(b'[');
            for (index, one) in many.iter().take(LIST_ITEMS).enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                text(out, one);
            }
            out.push(b']');
        }
    }
}

/// `,"key":`, for keys that need no escaping.
pub(crate) fn push_key(out: &mut Vec<u8>, key: &str) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
}

fn push_signed(out: &mut Vec<u8>, n: i64) {
    if n < 0 {
        out.push(b'-');
    }
    push_number(out, n.unsigned_abs());
}

/// A JSON string. Beyond what JSON asks for, everything that steers a terminal or reorders a displayed line is escaped.
pub(crate) fn push_text(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut rest = text;
    // Runs of plain bytes are copied whole; only the rare special character takes the slow way.
    while let Some(at) = rest.bytes().position(is_special) {
        let (plain, special) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.extend_from_slice(plain.as_bytes());
        let mut chars = special.chars();
        if let Some(c) = chars.next() {
            push_char(out, c);
        }
        rest = chars.as_str();
    }
    out.extend_from_slice(rest.as_bytes());
    out.push(b'"');
}

/// Bytes that end a plain run: JSON's own, controls, and the lead bytes of the characters [`hides`] knows. A table, as every byte of a
/// record is asked.
#[expect(clippy::indexing_slicing, reason = "it is computed while compiling")]
static SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let mut byte = 0_u8;
    loop {
        special[byte as usize] = matches!(byte, 0..=0x1f | b'"' | b'\\' | 0x7f | 0xc2 | 0xd8 | 0xe2 | 0xef);
        if byte == u8::MAX {
            break special;
        }
        byte += 1;
    }
};

#[inline]
fn is_special(byte: u8) -> bool {
    SPECIAL.get(usize::from(byte)).copied().unwrap_or_default()
}

fn push_char(out: &mut Vec<u8>, c: char) {
    match c {
        '"' => out.extend_from_slice(b"\\\""),
        '\\' => out.extend_from_slice(b"\\\\"),
        '\n' => out.extend_from_slice(b"\\n"),
        '\r' => out.extend_from_slice(b"\\r"),
        '\t' => out.extend_from_slice(b"\\t"),
        _ if hides(c) => push_escape(out, c),
        _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// `\u` and four digits.
pub(crate) fn push_escape(out: &mut Vec<u8>, c: char) {
    out.extend_from_slice(b"\\u");
    for shift in [12, 8, 4, 0] {
        let digit = char::from_digit((u32::from(c) >> shift) & 15, 16).unwrap_or('0');
        out.push(u8::try_from(digit).unwrap_or(b'0'));
    }
}

/// Characters that end a line, steer a terminal, or make a line look different from what it says. All lie below U+10000.
pub(crate) fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
