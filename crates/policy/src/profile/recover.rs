//! Takes out of a text what is no TOML, and leaves the rest where it stands.
//!
//! The text is cut into statements: headers of tables, and keys with their values. Each is read by itself, and one that cannot be read
//! becomes blanks, so that every other place keeps its line and column. Below a header that cannot be read nobody knows where a key
//! belongs, so those are taken out with it. Each byte is looked at a bounded number of times.

use toml::de::DeTable;

use super::error::{ConfigError, Item, Lines};

/// A text of which every statement can be read, and what was taken out.
pub(super) struct Cleaned {
    pub(super) text: String,
    pub(super) lost: Vec<Lost>,
}

/// A statement that was taken out.
pub(super) struct Lost {
    pub(super) fault: ConfigError,
    /// Where the header of the rule or handler stands that the statement belongs to. What it would be without it nobody knows.
    pub(super) within: Option<usize>,
}

/// Brackets that may be open at once. A list of lists of lists is no configuration of ours.
const DEPTH: usize = 64;

pub(super) fn clean(text: &str, lines: &Lines<'_>) -> Cleaned {
    let mut cleaner =
        Cleaner { lines, out: String::with_capacity(text.len()), lost: Vec::new(), within: None, off: None };
    let mut scanner = Scanner { no_basic: false, no_literal: false };
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = line_end(rest);
        let mut end = first;
        let begin = rest.trim_start_matches([' ', '\t']);
        if !begin.starts_with(['[', '#', '\n', '\r']) {
            end = scanner.statement_end(rest);
        }
        let whole = rest.get(..end).unwrap_or(rest);
        let read = DeTable::parse(whole).err();
        // What spans lines and cannot be read may have swallowed its neighbours.
        let piece = if read.is_some() { rest.get(..first).unwrap_or(rest) } else { whole };
        cleaner.take(piece, at, read);
        at += piece.len();
    }
    Cleaned { text: cleaner.out, lost: cleaner.lost }
}

struct Cleaner<'l> {
    lines: &'l Lines<'l>,
    out: String,
    lost: Vec<Lost>,
    /// Where the header of the rule or handler stands that is being read, and which of the two it is.
    within: Option<(usize, &'static str)>,
    /// The fault of the header that could not be read.
    off: Option<usize>,
}

impl Cleaner<'_> {
    fn take(&mut self, piece: &str, at: usize, error: Option<toml::de::Error>) {
        let begin = piece.trim_start_matches([' ', '\t']);
        let from = at + (piece.len() - begin.len());
        let Some(error) = error else { return self.good(piece, begin, from) };
        if begin.starts_with('#') {
            // A byte that is no text takes nothing out of force in a comment.
            return self.blank(piece);
        }
        let fault = ConfigError::syntax(piece, &error);
        let span = error.span().map_or(from, |span| (at + span.start).min(at + piece.trim_end().len()));
        let fault = fault.at(self.lines.place(span.max(from)));
        self.blank(piece);
        if begin.starts_with('[') {
            let name: String = header_name(begin).chars().take(60).collect();
            let root = name.split('.').next().unwrap_or_default().trim();
            let item = match root {
                "rule" => Item::Rule,
                "handler" => Item::Handler,
                "change" => Item::Change,
                _ => Item::Table,
            };
            // A part of the rule or handler before it, which may have narrowed it.
            let part = self.within.filter(|(_, of)| *of == root && name.contains('.')).map(|(at, _)| at);
            let called = if matches!(item, Item::Change | Item::Table) { name.as_str() } else { "" };
            self.off = Some(self.lost.len());
            self.lost.push(Lost { fault: fault.of(item, called), within: part });
        } else if self.off.is_none() {
            let name: String = begin.split(['=', '\n']).next().unwrap_or_default().trim().chars().take(60).collect();
            self.lost.push(Lost { fault: fault.of(Item::Setting, &name), within: self.within.map(|(at, _)| at) });
        }
    }

    fn good(&mut self, piece: &str, begin: &str, from: usize) {
        if begin.starts_with('[') {
            self.off = None;
            let name = header_name(begin);
            let root = name.split('.').next().unwrap_or_default().trim();
            let known = ["rule", "handler"].into_iter().find(|known| *known == root);
            if begin.starts_with("[[") && !name.contains('.') {
                self.within = known.map(|known| (from, known));
            } else if self.within.is_none_or(|(_, of)| of != root) {
                self.within = None;
            }
        }
        match self.off {
            None => self.out.push_str(piece),
            Some(header) => {
                // The name under which a user knows what is off.
                let name = begin.strip_prefix("id").or_else(|| begin.strip_prefix("name"));
                if let Some(name) = name.and_then(|rest| rest.trim_start().strip_prefix('='))
                    && let Some(lost) = self.lost.get_mut(header).filter(|lost| lost.fault.name.is_empty())
                {
                    lost.fault.name = name.trim().trim_matches(['"', '\'']).chars().take(60).collect();
                }
                self.blank(piece);
            }
        }
    }

    /// As many blanks, on as many lines.
    fn blank(&mut self, piece: &str) {
        self.out.extend(piece.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
}

/// What stands between the brackets of a header.
fn header_name(begin: &str) -> &str {
    let line = begin.lines().next().unwrap_or_default().trim_start_matches('[');
    line.split([']', '#']).next().unwrap_or_default().trim()
}

fn line_end(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |at| at + 1)
}

/// Finds where statements end. It knows when no text of several lines is closed any more, so that it looks for that once.
struct Scanner {
    no_basic: bool,
    no_literal: bool,
}

impl Scanner {
    /// Where the statement at the beginning of `text` ends, behind its line break.
    fn statement_end(&mut self, text: &str) -> usize {
        let bytes = text.as_bytes();
        let mut open: Vec<u8> = Vec::new();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' | b'\'' => at = self.text_end(text, at, *byte),
                b'#' => {
                    at += bytes
                        .get(at..)
                        .and_then(|rest| rest.iter().position(|b| *b == b'\n'))
                        .unwrap_or(text.len() - at);
                }
                b'[' | b'{' if open.len() >= DEPTH => return line_end(text),
                b'[' | b'{' => {
                    open.push(*byte);
                    at += 1;
                }
                b']' | b'}' => {
                    open.pop();
                    at += 1;
                }
                b'\n' => {
                    at += 1;
                    let Some(innermost) = open.last() else { return at };
                    // Within a list no key begins a line, and no header does within either: it was never closed.
                    let line = text.get(at..).unwrap_or_default();
                    if is_header(line) || *innermost == b'[' && is_key(line) {
                        return at;
                    }
                }
                _ => at += 1,
            }
        }
        text.len()
    }

    /// Where the quoted text that begins at `at` ends; one that is never closed ends with its line.
    fn text_end(&mut self, text: &str, at: usize, quote: u8) -> usize {
        let bytes = text.as_bytes();
        let byte = |at: usize| bytes.get(at).copied();
        let is_basic = quote == b'"';
        let gone = if is_basic { &mut self.no_basic } else { &mut self.no_literal };
        let mut here = at + 1;
        if byte(at + 1) == Some(quote) && byte(at + 2) == Some(quote) && !*gone {
            here = at + 3;
            while let Some(now) = byte(here) {
                if now == b'\\' && is_basic {
                    here += 2;
                } else if now == quote && byte(here + 1) == Some(quote) && byte(here + 2) == Some(quote) {
                    here += 3;
                    // Up to two quotes may stand before the closing ones.
                    while byte(here) == Some(quote) {
                        here += 1;
                    }
                    return here;
                } else {
                    here += 1;
                }
            }
            *gone = true;
            here = at + 1;
        }
        while let Some(now) = byte(here).filter(|now| *now != b'\n') {
            here += 1;
            if now == quote {
                return here;
            }
            if now == b'\\' && is_basic && byte(here).is_some_and(|next| next != b'\n') {
                here += 1;
            }
        }
        here
    }
}

/// Whether the line begins with a key that is set.
fn is_key(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t']);
    let rest = line.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    rest.len() < line.len() && rest.trim_start_matches([' ', '\t']).starts_with('=')
}

/// Whether the line is the header of a table, and no list of values.
fn is_header(line: &str) -> bool {
    let line = line.lines().next().unwrap_or_default().trim();
    let inner = line.trim_start_matches('[');
    let name = header_name(line);
    inner.len() < line.len()
        && inner.trim_start_matches(name).starts_with(']')
        && !matches!(name, "true" | "false" | "inf" | "nan")
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}
