//! The parser's place in the text, its limits and its bookkeeping.

use super::tree::{Heredoc, Script, Span, Unread, Why};

/// How much is read. Each limit is a count, never a clock, so that the answer to a text is always the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Levels of nesting.
    pub depth: u16,
    /// Words, parts and commands.
    pub nodes: u32,
    /// Bytes of text.
    pub bytes: u32,
}

impl Default for Limits {
    /// 100 levels, 400,000 nodes, 4 MiB: far beyond what people and agents write.
    fn default() -> Self {
        Self { depth: 100, nodes: 400_000, bytes: 4 << 20 }
    }
}

/// A here-document whose body has not come yet.
pub(super) struct Pending {
    pub(super) index: usize,
    pub(super) delimiter: String,
    pub(super) quoted: bool,
    pub(super) strip_tabs: bool,
}

/// How often each byte may be looked at ahead, on the average.
const LOOKED_AHEAD: usize = 16;

/// The state of one pass.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    pub(super) at: usize,
    pub(super) end: usize,
    /// Set while text is parsed that does not stand so in the original: every node then has this place.
    pub(super) fixed: Option<Span>,
    pub(super) limits: Limits,
    pub(super) depth: u16,
    pub(super) nodes: u32,
    pub(super) steps: u64,
    pub(super) unread: Vec<Unread>,
    pub(super) heredocs: Vec<Heredoc>,
    pub(super) pending: Vec<Pending>,
    /// Whether the last text between double quotes met its closing quote.
    pub(super) closed: bool,
    /// Set when a limit was reached: nothing more is read.
    pub(super) stopped: bool,
    /// Substitutions in parentheses that are open: their parenthesis may end a here-document.
    pub(super) open_substs: u16,
    /// How many bytes may still be looked at ahead for the ends of arithmetic.
    pub(super) ahead: usize,
    /// Where the text that is read ends; `end` lies before it within a stretch of its own.
    text_end: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, limits: Limits) -> Self {
        let mut end = text.len().min(limits.bytes as usize);
        while !text.is_char_boundary(end) {
            end = end.saturating_sub(1);
        }
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            end,
            fixed: None,
            limits,
            depth: 0,
            nodes: 0,
            steps: 0,
            unread: Vec::new(),
            heredocs: Vec::new(),
            pending: Vec::new(),
            closed: false,
            stopped: false,
            open_substs: 0,
            ahead: LOOKED_AHEAD * (end + 256),
            text_end: end,
        }
    }

    pub(super) fn script(mut self) -> Script {
        if self.end < self.text.len() {
            self.report(self.end, self.text.len(), Why::TooLong);
        }
        let list = self.top_list();
        self.take_heredocs();
        self.steps += u64::from(self.nodes);
        // What does not end is reported when its end is missed, after what it holds.
        self.unread.sort_by_key(|unread| (unread.span.start, unread.span.end));
        Script { list, heredocs: self.heredocs, unread: self.unread, steps: self.steps }
    }

    /// The byte at the cursor; 0 at the end (a NUL in the text is reported where it is met).
    pub(super) fn peek(&self) -> u8 {
        if self.at < self.end { self.bytes.get(self.at).copied().unwrap_or(0) } else { 0 }
    }

    /// The byte `ahead` places further.
    pub(super) fn peek_at(&self, ahead: usize) -> u8 {
        let at = self.at + ahead;
        if at < self.end { self.bytes.get(at).copied().unwrap_or(0) } else { 0 }
    }

    pub(super) const fn at_end(&self) -> bool {
        self.at >= self.end
    }

    /// Goes on by `count` bytes, never beyond the end.
    pub(super) fn bump(&mut self, count: usize) {
        self.steps += count as u64;
        self.at = (self.at + count).min(self.end);
    }

    /// Whether the text goes on with `what`.
    pub(super) fn looking_at(&self, what: &str) -> bool {
        self.bytes.get(self.at..self.end).is_some_and(|rest| rest.starts_with(what.as_bytes()))
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let here = !self.at_end() && self.peek() == byte;
        if here {
            self.bump(1);
        }
        here
    }

    /// The text from `start` up to `end`.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn span(&self, start: usize) -> Span {
        self.span_to(start, self.at)
    }

    pub(super) fn span_to(&self, start: usize, end: usize) -> Span {
        self.fixed.unwrap_or(Span { start: narrow(start), end: narrow(end.max(start)) })
    }

    pub(super) fn report(&mut self, start: usize, end: usize, why: Why) {
        // A thousand places say no more than sixty-four, and cost memory.
        if self.unread.len() < 64 {
            let span = self.span_to(start, end);
            self.unread.push(Unread { span, why });
        }
    }

    /// Counts one node; at the limit the rest of the text is given up.
    pub(super) fn node(&mut self) {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            self.stop(Why::TooMany);
        }
    }

    /// Gives up the rest of the text.
    pub(super) fn stop(&mut self, why: Why) {
        if !self.stopped {
            let span = self.span_to(self.at, self.text_end);
            // Said even where the list of places is full: it is the one that covers the most text.
            self.unread.push(Unread { span, why });
        }
        self.stopped = true;
        self.at = self.end;
    }

    /// Runs `inner` one level deeper, or gives up the rest of the text if that is too deep.
    pub(super) fn deeper<T: Default>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= self.limits.depth {
            self.stop(Why::TooDeep);
            return T::default();
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Runs `inner` with the text ending at `end`, then stands there.
    pub(super) fn within<T>(&mut self, end: usize, inner: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.end;
        self.end = end.min(outer);
        let result = inner(self);
        self.at = self.end;
        // What a limit gave up is given up for the whole text.
        self.end = outer;
        if self.stopped {
            self.at = outer;
        }
        result
    }

    /// Skips blanks, continued lines and comments; stays in front of a line end.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' => self.bump(1),
                b'\\' if self.peek_at(1) == b'\n' => self.bump(2),
                b'#' if self.comment_may_start() => self.skip_line(),
                _ => return,
            }
        }
    }

    fn comment_may_start(&self) -> bool {
        match self.at.checked_sub(1).and_then(|before| self.bytes.get(before)) {
            None => true,
            Some(before) => {
                matches!(before, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'`' | b'<' | b'>')
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = self.bytes.get(self.at..self.end).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.bump(length);
    }

    /// Skips blanks and line ends; bodies of here-documents are taken at the line end after their operator.
    pub(super) fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            if self.peek() != b'\n' || self.at_end() {
                // A carriage return before a line end is part of the line end.
                if self.peek() == b'\r' && self.peek_at(1) == b'\n' {
                    self.bump(1);
                    continue;
                }
                return;
            }
            self.line_end();
        }
    }

    /// Takes one line end and the here-documents that begin after it.
    pub(super) fn line_end(&mut self) {
        self.bump(1);
        self.take_heredocs();
    }
}

/// Texts longer than 4 GiB are cut by the byte limit long before.
fn narrow(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
