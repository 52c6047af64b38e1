//! Counts the features that come from the form of the text: code blocks, file names, distinct asks, pasted output.

use std::ops::Range;

use crate::envelope::{Envelope, EnvelopeKind, fence_mark};
use crate::matcher::{Found, Rule};
use crate::signal::SIGNALS;

/// Adds the features found in the user's own words to `found`.
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
                    self.tokens(line, start);
                }
            }
        }
    }

    /// Counts the words and the file names of a line in one pass.
    fn tokens(&mut self, line: &str, start: usize) {
        let mut token = 0;
        let mut dotted = false;
        let mut in_word = false;
        for (at, c) in line.char_indices() {
            // Ideographs and kana aren't set apart by spaces, so each of them counts as half a word.
            if matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}') {
                self.half_words += 1;
                in_word = false;
                continue;
            }
            if c.is_ascii_alphanumeric() || (!c.is_ascii() && c.is_alphanumeric()) {
                self.half_words += 2 * usize::from(!in_word);
                in_word = true;
                continue;
            }
            if separates(c) {
                if dotted {
                    self.name(line, token..at, start);
                }
                token = at + c.len_utf8();
                dotted = false;
            }
            dotted |= c == '.';
            in_word &= matches!(c, '\'' | '’' | '-' | '_');
        }
        if dotted {
            self.name(line, token..line.len(), start);
        }
    }

    fn name(&mut self, line: &str, token: Range<usize>, start: usize) {
        let name = line.get(token.clone()).unwrap_or_default().trim_end_matches(['.', ':', '!', '?']);
        if is_file(name) {
            self.files.add(start + token.start..start + token.start + name.len());
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

/// A file name with a known extension, with or without directories.
fn is_file(name: &str) -> bool {
    name.len() <= 200
        && !name.contains("://")
        && name.rsplit_once('.').is_some_and(|(stem, extension)| {
            stem.chars().any(char::is_alphanumeric)
                && EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
        })
}
