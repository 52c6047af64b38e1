//! A settings text beside its plain JSON form: the same bytes at the same offsets, without comments, trailing commas and
//! byte order mark.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::value::RawValue;

/// The two forms of one text.
pub(super) struct Text<'a> {
    /// The text as it stands in the file.
    #[cfg_attr(not(feature = "edit"), expect(dead_code, reason = "only the editor writes it back"))]
    pub(super) original: &'a str,
    /// The same text with blanks in place of what JSON does not know; of the same length.
    pub(super) plain: Cow<'a, str>,
    /// Where the first comment or trailing comma stands.
    pub(super) relaxed_at: Option<usize>,
    /// Offsets of the trailing commas, in order.
    #[cfg_attr(not(feature = "edit"), expect(dead_code, reason = "only the editor has to remove one"))]
    pub(super) trailing_commas: Vec<usize>,
}

impl<'a> Text<'a> {
    pub(super) fn new(original: &'a str) -> Self {
        let mut blanker = Blanker::default();
        blanker.run(original.as_bytes());
        let Blanker { mut blank, trailing_commas, .. } = blanker;
        let relaxed_at =
            blank.first().map(|range| range.start).into_iter().chain(trailing_commas.first().copied()).min();
        if original.starts_with('\u{feff}') {
            blank.push(0..'\u{feff}'.len_utf8());
        }
        let plain = if blank.is_empty() && trailing_commas.is_empty() {
            Cow::Borrowed(original)
        } else {
            let mut bytes = original.as_bytes().to_vec();
            let commas = trailing_commas.iter().map(|at| *at..*at + 1);
            for range in blank.iter().cloned().chain(commas) {
                for byte in bytes.get_mut(range).unwrap_or_default() {
                    if !matches!(byte, b'\n' | b'\r') {
                        *byte = b' ';
                    }
                }
            }
            // Whole comments, a comma and a byte order mark are whole characters, so this always succeeds.
            String::from_utf8(bytes).map_or(Cow::Borrowed(original), Cow::Owned)
        };
        Self { original, plain, relaxed_at, trailing_commas }
    }

    /// Where a part of the plain text stands; `part` must have been parsed from it.
    pub(super) fn span(&self, part: &RawValue) -> Range<usize> {
        let start = part.get().as_ptr().addr().saturating_sub(self.plain.as_ptr().addr());
        start..start + part.get().len()
    }

    /// Where a line begins, counted from 1.
    pub(super) fn offset_of_line(&self, line: usize) -> usize {
        let breaks = self.plain.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        std::iter::once(0).chain(breaks).nth(line.saturating_sub(1)).unwrap_or_default()
    }
}

/// Turns offsets into lines, all in one pass over the text.
pub(super) struct Lines<'t> {
    plain: &'t str,
    counted: usize,
    line: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t Text<'_>) -> Self {
        Self { plain: &text.plain, counted: 0, line: 1 }
    }

    /// The line, counted from 1, of an offset that is not before the one asked last.
    pub(super) fn at(&mut self, at: usize) -> usize {
        self.line += self.plain.get(self.counted..at).unwrap_or_default().matches('\n').count();
        self.counted = at;
        self.line
    }
}

/// Finds what JSON does not know, in one pass and without recursion.
#[derive(Default)]
struct Blanker {
    blank: Vec<Range<usize>>,
    trailing_commas: Vec<usize>,
    /// The last comma behind a value, as long as nothing but white space and comments followed it.
    comma: Option<usize>,
    /// Whether what stands before is the end of a value. A comma behind anything else is a fault, and stays one.
    value: bool,
}

impl Blanker {
    fn run(&mut self, bytes: &[u8]) {
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            let rest = bytes.get(at..).unwrap_or_default();
            let length = match byte {
                b'"' => string_length(rest),
                b'/' => comment_length(rest).unwrap_or(1),
                _ => 1,
            };
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => {}
                b'/' if length > 1 => self.blank.push(at..at + length),
                b',' => {
                    self.comma = self.value.then_some(at);
                    self.value = false;
                }
                b'}' | b']' => {
                    self.trailing_commas.extend(self.comma.take());
                    self.value = true;
                }
                _ => {
                    self.comma = None;
                    self.value = !matches!(byte, b'{' | b'[' | b':');
                }
            }
            at += length;
        }
    }
}

/// Length of the string at the start, its quotes included; to the end when it is not closed.
fn string_length(bytes: &[u8]) -> usize {
    let mut escaped = false;
    for (at, byte) in bytes.iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    bytes.len()
}

/// Length of the comment at the start; a block comment that is not closed is none.
fn comment_length(bytes: &[u8]) -> Option<usize> {
    match bytes.get(1)? {
        b'/' => Some(bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(bytes.len())),
        b'*' => bytes.get(2..)?.windows(2).position(|pair| pair == b"*/").map(|at| at + 4),
        _ => None,
    }
}
