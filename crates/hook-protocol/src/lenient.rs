//! Getting from bytes to a text that can be parsed: what hosts and shells do to a payload, undone.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Turns the bytes of standard input into text: a UTF-8 byte order mark at the start is dropped, and each invalid
/// sequence becomes U+FFFD. Nothing is copied when the bytes are valid already.
///
/// Text in another encoding is not recognised.
///
/// ```
/// use hook_protocol::lenient::decode;
/// assert_eq!(decode(b"\xEF\xBB\xBF{}"), "{}");
/// assert_eq!(decode(b"\"\xff\""), "\"\u{FFFD}\"");
/// ```
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    // The plain test passes ASCII in blocks; the lossy one goes byte by byte.
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Repairs what shells do to JSON on its way: inside strings, `\!` becomes `!`, and raw control characters
/// (a line break, a tab) become escapes. `None` when there is nothing to repair.
///
/// Call it only for a text that did not parse, and parse the result: it may still not be JSON. An escaped
/// backslash before `!` is left alone, and so is everything outside strings.
///
/// ```
/// use hook_protocol::lenient::repair;
/// assert_eq!(repair(r#"{"command":"echo hi\!"}"#).as_deref(), Some(r#"{"command":"echo hi!"}"#));
/// assert_eq!(repair(r#"{"command":"echo \\!"}"#), None);
/// ```
pub fn repair(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut kept = 0;
    let mut in_string = false;
    let mut chars = text.char_indices();
    let mut keep_to = |out: &mut String, from: usize, to: usize| {
        out.push_str(text.get(kept..from).unwrap_or_default());
        kept = to;
    };
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => in_string = !in_string,
            '\\' if in_string => {
                if let Some((next_at, '!')) = chars.next() {
                    keep_to(&mut out, at, next_at);
                }
            }
            '\0'..='\x1f' if in_string => {
                keep_to(&mut out, at, at + 1);
                escape_char(&mut out, char);
            }
            _ => {}
        }
    }
    (kept != 0).then(|| {
        out.push_str(text.get(kept..).unwrap_or_default());
        out
    })
}

fn escape_char(out: &mut String, char: char) {
    match char {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        _ => {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(char));
        }
    }
}

/// Appends `text` as one JSON string literal, quotes included.
pub(crate) fn push_literal(out: &mut String, text: &str) {
    out.push('"');
    let mut kept = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte < 0x20 || byte == b'"' || byte == b'\\' {
            out.push_str(text.get(kept..at).unwrap_or_default());
            escape_char(out, char::from(byte));
            kept = at + 1;
        }
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    out.push('"');
}

/// The value of the inside of a string literal, and whether it holds a lone surrogate, which becomes U+FFFD. An escape
/// that the scanner would not have let through is kept as it stands.
pub(crate) fn unescape(inside: &str) -> (String, bool) {
    let mut out = String::with_capacity(inside.len());
    let mut lossy = false;
    let mut rest = inside;
    while let Some((plain, after)) = rest.split_once('\\') {
        out.push_str(plain);
        let mut chars = after.chars();
        let decoded = match chars.next() {
            Some('b') => '\x08',
            Some('f') => '\x0c',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let (char, used) = unicode(after);
                lossy |= char.is_none();
                out.push(char.unwrap_or(char::REPLACEMENT_CHARACTER));
                rest = after.get(used..).unwrap_or_default();
                continue;
            }
            Some(other) => other,
            None => '\\',
        };
        out.push(decoded);
        rest = chars.as_str();
    }
    out.push_str(rest);
    (out, lossy)
}

/// Decodes `uXXXX`, or `uXXXX\uXXXX` for a surrogate pair; returns how many bytes that took.
fn unicode(text: &str) -> (Option<char>, usize) {
    let unit = |from: usize| text.get(from..from + 4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let Some(first) = unit(1) else { return (None, 5) };
    if (0xD800..0xDC00).contains(&first)
        && text.get(5..7) == Some("\\u")
        && let Some(second @ 0xDC00..0xE000) = unit(7)
    {
        return (char::from_u32(0x1_0000 + (((first - 0xD800) << 10) | (second - 0xDC00))), 11);
    }
    (char::from_u32(first), 5)
}
