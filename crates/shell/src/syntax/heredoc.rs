//! Here-documents: their delimiters, and their bodies on the lines that follow.

use std::borrow::Cow;
use std::rc::Rc;

use super::cursor::{Parser, Pending};
use super::tree::{Heredoc, HeredocBody, Part, Span, Why, Word};
use super::word::Mode;

impl<'t> Parser<'t> {
    /// Notes a here-document after its operator, and reads the delimiter.
    pub(super) fn heredoc_delimiter(&mut self, strip_tabs: bool) -> (Word, usize) {
        self.skip_blanks();
        let start = self.at;
        let word = self.word(Mode::Delimiter);
        let quoted = self.slice(start, self.at).contains(['\'', '"', '\\']);
        let mut delimiter = String::new();
        for part in &word.parts {
            plain_text(part, &mut delimiter);
        }
        if word.parts.is_empty() {
            self.report(start, self.at, Why::Unexpected);
        }
        let index = self.heredocs.len();
        self.heredocs.push(Heredoc { body: HeredocBody::Plain(Rc::from("")), span: self.span(start) });
        self.pending.push(Pending { index, delimiter, quoted, strip_tabs });
        (word, index)
    }

    /// Reads the bodies of the here-documents whose operators stand before the cursor.
    pub(super) fn take_heredocs(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        for pending in std::mem::take(&mut self.pending) {
            self.heredoc_body(&pending);
        }
    }

    fn heredoc_body(&mut self, pending: &Pending) {
        let start = self.at;
        // Where no line closes it, bash takes the rest of the text, with a warning.
        let mut body_end = self.end;
        while self.at < self.end {
            let line_start = self.at;
            let mut piece = self.heredoc_line();
            let mut line = Cow::Borrowed(piece);
            // Without quotes, a line that ends in a backslash goes on in the next one before it is compared.
            while !pending.quoted && continues(piece) && self.at < self.end {
                piece = self.heredoc_line();
                let joined = line.to_mut();
                joined.pop();
                joined.push_str(piece);
            }
            let text = if pending.strip_tabs { line.trim_start_matches('\t') } else { &line };
            // A carriage return may be part of both lines, or of one.
            if text == pending.delimiter || text.strip_suffix('\r') == Some(&pending.delimiter) {
                body_end = line_start;
                break;
            }
            // Within a substitution its parenthesis may follow at once.
            let ends = |rest: &str| self.open_substs > 0 && rest.starts_with(')');
            if matches!(line, Cow::Borrowed(_)) && text.strip_prefix(&*pending.delimiter).is_some_and(ends) {
                body_end = line_start;
                self.at = line_start + (line.len() - text.len()) + pending.delimiter.len();
                break;
            }
        }
        let after = self.at;
        let span = self.span_to(start, body_end);
        let body = if pending.quoted {
            let text = self.slice(start, body_end);
            HeredocBody::Plain(if pending.strip_tabs { without_tabs(text).into() } else { text.into() })
        } else {
            self.at = start;
            let parts = self.within(body_end, |parser| {
                parser.deeper(|parser| parser.parts(Mode::Heredoc { strip_tabs: pending.strip_tabs }))
            });
            if !self.stopped {
                self.at = after;
            }
            HeredocBody::Expanded(parts)
        };
        self.set_heredoc(pending.index, body, span);
    }

    /// Takes a line with its end, and gives it without.
    fn heredoc_line(&mut self) -> &'t str {
        let start = self.at;
        let rest = self.slice(start, self.end);
        let length = rest.find('\n').unwrap_or(rest.len());
        self.bump(length + 1);
        self.slice(start, start + length)
    }

    fn set_heredoc(&mut self, index: usize, body: HeredocBody, span: Span) {
        if let Some(place) = self.heredocs.get_mut(index) {
            *place = Heredoc { body, span };
        }
    }
}

/// Whether the line ends in a backslash that is not itself escaped.
fn continues(line: &str) -> bool {
    line.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

fn without_tabs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        out.push_str(line.trim_start_matches('\t'));
    }
    out
}

/// The text of a delimiter: quotes are removed, nothing is expanded.
fn plain_text(part: &Part, out: &mut String) {
    match part {
        Part::Literal(text) | Part::Quoted(text) => out.push_str(text),
        Part::Double(parts) => parts.iter().for_each(|part| plain_text(part, out)),
        Part::Glob(c) => out.push(*c),
        Part::Brace(mark) => out.push(mark.as_char()),
        Part::Tilde(name) => {
            out.push('~');
            out.push_str(name);
        }
        _ => {}
    }
}
