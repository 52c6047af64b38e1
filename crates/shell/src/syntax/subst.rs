//! Substitutions: commands in parentheses, backticks and braces, and arithmetic.

use super::cursor::Parser;
use super::tree::{List, Part, Span, Subst, Why};
use super::word::Mode;

/// How far the end of `((` is looked for; arithmetic beyond is read as commands.
const ARITH_WINDOW: usize = 4096;

impl Parser<'_> {
    /// `( … )` after the sign that makes it a substitution; the cursor stands on the parenthesis.
    pub(super) fn parenthesised(&mut self, start: usize) -> Subst {
        self.bump(1);
        // Here-documents that wait outside begin after the line that the substitution ends on.
        let waiting = std::mem::take(&mut self.pending);
        self.open_substs += 1;
        let list = self.nested_list();
        self.skip_lines();
        self.open_substs -= 1;
        let inner = std::mem::replace(&mut self.pending, waiting);
        self.pending.extend(inner);
        if !self.eat(b')') && !self.stopped {
            self.report(start, self.at, Why::Unterminated);
        }
        Subst { list, span: self.span(start) }
    }

    /// `${ …; }` and `${|…; }`: commands that run in the shell itself, in newer shells.
    pub(super) fn braced_commands(&mut self, start: usize) -> Subst {
        let list = self.nested_list();
        self.skip_lines();
        if !self.eat(b'}') && !self.stopped {
            self.report(start, self.at, Why::Unterminated);
        }
        Subst { list, span: self.span(start) }
    }

    /// `` `…` ``. Without escapes it is read where it stands; with them, the text after unescaping is read.
    pub(super) fn backticks(&mut self, in_double: bool) -> Part {
        let start = self.at;
        self.bump(1);
        let from = self.at;
        let mut escaped = false;
        let mut end = from;
        let mut closed = false;
        while let Some(byte) = self.bytes.get(end).filter(|_| end < self.end) {
            match byte {
                b'`' => {
                    closed = true;
                    break;
                }
                b'\\' => {
                    escaped |= matches!(self.bytes.get(end + 1), Some(b'`' | b'\\' | b'$')) || in_double;
                    end += 2;
                }
                _ => end += 1,
            }
        }
        let end = end.min(self.end);
        self.steps += (end - from) as u64;
        let list = if escaped {
            let text = unescape_backticks(self.slice(from, end), in_double);
            let span = self.span_to(start, end + usize::from(closed));
            self.at = end;
            self.deeper(|parser| parser.elsewhere(&text, span))
        } else {
            let waiting = std::mem::take(&mut self.pending);
            let list = self.within(end, Self::nested_list_to_end);
            self.pending = waiting;
            list
        };
        if !self.eat(b'`') && !self.stopped && !closed {
            self.report(start, self.at, Why::Unterminated);
        }
        Part::Command(Box::new(Subst { list, span: self.span(start) }))
    }

    /// Reads commands from a text that does not stand so in the original.
    fn elsewhere(&mut self, text: &str, span: Span) -> List {
        let mut inner = Parser::new(text, self.limits);
        inner.fixed = Some(span);
        inner.depth = self.depth;
        inner.nodes = self.nodes;
        inner.heredocs = std::mem::take(&mut self.heredocs);
        inner.unread = std::mem::take(&mut self.unread);
        let list = inner.top_list();
        inner.take_heredocs();
        self.nodes = inner.nodes;
        self.steps += inner.steps;
        self.heredocs = std::mem::take(&mut inner.heredocs);
        self.unread = std::mem::take(&mut inner.unread);
        if inner.stopped {
            self.stop(if self.nodes > self.limits.nodes { Why::TooMany } else { Why::TooDeep });
        }
        list
    }

    /// The place of the `))` that closes arithmetic which begins at `from`; `None` if the brackets do not pair up.
    pub(super) fn arith_end(&mut self, from: usize) -> Option<usize> {
        let limit = (from + ARITH_WINDOW.min(self.ahead)).min(self.end);
        let mut open = 0_u32;
        let mut quote = None;
        let mut at = from;
        while let Some(byte) = self.bytes.get(at).copied().filter(|_| at < limit) {
            match byte {
                b'\\' if quote != Some(b'\'') => at += 1,
                _ if quote == Some(byte) => quote = None,
                b'\'' | b'"' if quote.is_none() => quote = Some(byte),
                b'(' if quote.is_none() => open += 1,
                b')' if quote.is_none() && open == 0 => {
                    self.looked_ahead(at - from);
                    return (self.bytes.get(at + 1) == Some(&b')') && at + 1 < self.end).then_some(at);
                }
                b')' if quote.is_none() => open -= 1,
                _ => {}
            }
            at += 1;
        }
        self.looked_ahead(limit.saturating_sub(from));
        None
    }

    /// Where a text makes this happen over and over, it is no arithmetic, and the rest is read as commands.
    fn looked_ahead(&mut self, bytes: usize) {
        self.steps += bytes as u64;
        self.ahead = self.ahead.saturating_sub(bytes);
    }

    /// The parts of arithmetic up to `end`.
    pub(super) fn arith_parts(&mut self, end: usize) -> Vec<Part> {
        self.within(end, |parser| parser.deeper(|parser| parser.parts(Mode::Arith)))
    }
}

fn unescape_backticks(text: &str, in_double: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' {
            match chars.peek() {
                Some('`' | '\\' | '$') => {
                    out.extend(chars.next());
                    continue;
                }
                Some('"') if in_double => {
                    out.extend(chars.next());
                    continue;
                }
                _ => {}
            }
        }
        out.push(c);
    }
    out
}
