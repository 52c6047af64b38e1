//! Counts the features that come from the form of the text: code blocks, file names, distinct asks, pasted output.

use std::ops::Range;

use crate::envelope::{Envelope, EnvelopeKind, fence_mark};
use crate::matcher::{Found, Rule};
use crate::signal::SIGNALS;

/// Adds the features found in the person's own words to `found`.
pub(crate) fn count<'t>(
    pieces: impl Iterator<Item = (&'t str, usize)>,
    envelopes: &[Envelope],
    found: &mut Vec<Found>,
) {
    let mut counts = Counts::default();
    for (text, offset) in pieces {
        counts.lines(text, offset);
    }
    if let Some(output) = envelopes.iter().find(|envelope| envelope.kind == EnvelopeKind::Output) {
        counts.output.add(output.span.clone());
    }
    counts.push_all(found);
}

/// One feature's occurrences.
#[derive(Default)]
struct Count {
    times: u8,
    span: Range<usize>,
}

impl Count {
    fn add(&mut self, span: Range<usize>) {
        if self.times == 0 {
            self.span = span;
        }
        self.times = self.times.saturating_add(1);
    }
}

#[derive(Default)]
struct Counts {
    code: Count,
    files: Count,
    asks: Count,
    output: Count,
    /// Twice the number of words; an ideograph is half a word.
    half_words: usize,
    text: Option<Range<usize>>,
}

impl Counts {
    fn lines(&mut self, text: &str, offset: usize) {
        let mut fence: Option<(usize, char)> = None;
        let mut at = 0;
        self.text.get_or_insert(offset..offset + text.len());
        for line in text.split_inclusive('\n') {
            let start = offset + at;
            at += line.len();
            let body = line.trim_start();
            let mark = fence_mark(body);
            match (fence, mark) {
                (None, Some(mark)) => fence = Some((start, mark)),
                (Some((opened, mark)), Some(other)) if mark == other => {
                    self.code.add(opened..offset + at);
                    fence = None;
                }
                (Some(_), _) => {}
                (None, None) => {
                    if is_item(body) {
                        self.asks.add(start..offset + at);
                    }
                    self.names(line, start);
                    self.half_words += half_words(line);
                }
            }
        }
    }

    fn names(&mut self, line: &str, start: usize) {
        let mut at = start;
        for piece in line.split_inclusive(separates) {
            let name = piece.trim_end_matches(separates).trim_end_matches(['.', ':', '!', '?']);
            if is_file(name) {
                self.files.add(at..at + name.len());
            }
            at += piece.len();
        }
    }

    fn push_all(self, found: &mut Vec<Found>) {
        let tens =
            Count { times: u8::try_from(self.half_words / 20).unwrap_or(u8::MAX), span: self.text.unwrap_or_default() };
        for (id, count) in [("F1", self.code), ("F2", self.files), ("F3", self.asks), ("F4", self.output), ("F5", tens)]
        {
            let Some(row) = SIGNALS.iter().position(|signal| signal.id == id) else { continue };
            let (Ok(index), Some(signal)) = (u8::try_from(row), SIGNALS.get(row)) else { continue };
            if count.times > 0 {
                found.push(Found { rule: Rule::Signal(index), span: count.span, times: count.times.min(signal.times) });
            }
        }
    }
}

/// True for what stands between names in a sentence.
fn separates(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '`' | '"' | '\'' | '，' | '。' | '、')
}

/// An item of a list: `- …`, `* …`, `1. …`, `2) …`, `(a) …`, with something in it.
fn is_item(body: &str) -> bool {
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let rest = if (1..=2).contains(&digits) {
        body.get(digits..).and_then(|rest| rest.strip_prefix(['.', ')', '、', '．']))
    } else if let Some(inner) = body.strip_prefix('(') {
        inner.get(1..).and_then(|rest| rest.strip_prefix(')'))
    } else {
        body.strip_prefix(['-', '*', '•', '–']).filter(|rest| rest.starts_with(char::is_whitespace))
    };
    rest.is_some_and(|rest| rest.chars().any(char::is_alphanumeric))
}

/// Extensions of files that people work on.
const EXTENSIONS: &[&str] = &[
    "rs", "py", "js", "ts", "tsx", "jsx", "go", "java", "kt", "c", "h", "cc", "cpp", "hpp", "cs", "rb", "php", "swift",
    "scala", "sh", "sql", "toml", "yaml", "yml", "json", "md", "html", "css", "scss", "vue", "svelte", "proto", "tf",
    "lock", "txt", "csv", "ipynb", "lua", "ex", "hs", "ml", "zig", "dart", "gradle", "xml", "ini", "cfg", "conf",
    "tex",
];

/// A file name with a known extension, with or without folders.
fn is_file(name: &str) -> bool {
    name.len() <= 200
        && !name.contains("://")
        && name.rsplit_once('.').is_some_and(|(stem, extension)| {
            stem.chars().any(char::is_alphanumeric)
                && EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
        })
}

/// Twice the number of words of a line. Ideographs and kana aren't set apart by spaces, so each of them counts as half a word.
fn half_words(line: &str) -> usize {
    let mut count = 0;
    let mut in_word = false;
    for c in line.chars() {
        if matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}') {
            count += 1;
            in_word = false;
        } else if c.is_alphanumeric() {
            count += if in_word { 0 } else { 2 };
            in_word = true;
        } else if !matches!(c, '\'' | '’' | '-' | '_') {
            in_word = false;
        }
    }
    count
}
