//! Quotes and escapes: what they hide, and what they stand for.

use super::cursor::Parser;
use super::tree::{Part, Why};
use super::word::{Mode, flush};

impl Parser<'_> {
    /// The rest of `"…"` after its opening.
    pub(super) fn double_quoted(&mut self, start: usize) -> Part {
        let inner = self.deeper(|parser| parser.parts(Mode::Double));
        if !self.closed && !self.stopped {
            self.report(start, self.at, Why::Unterminated);
        }
        Part::Double(inner)
    }

    pub(super) fn single_quoted(&mut self) -> Part {
        let start = self.at;
        self.bump(1);
        let rest = self.slice(self.at, self.end);
        let length = rest.find('\'');
        let text = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default().to_owned();
        self.bump(text.len() + 1);
        if length.is_none() {
            self.report(start, self.at, Why::Unterminated);
        }
        Part::Quoted(text)
    }

    /// A backslash: what it means depends on where it stands.
    pub(super) fn escape(&mut self, mode: Mode, literal: &mut String, out: &mut Vec<Part>) {
        let next = self.peek_at(1);
        if next == b'\n' {
            self.bump(2);
            return;
        }
        let only_some = matches!(mode, Mode::Double | Mode::Heredoc { .. } | Mode::Operand { quoted: true });
        let special = matches!(next, b'$' | b'`' | b'\\')
            || (next == b'"' && !matches!(mode, Mode::Heredoc { .. }))
            || (next == b'}' && matches!(mode, Mode::Operand { .. }));
        if self.at + 1 >= self.end || (only_some && !special) {
            self.take(1, literal);
            return;
        }
        self.bump(1);
        let start = self.at;
        self.bump(1);
        while self.at < self.end && !self.text.is_char_boundary(self.at) {
            self.bump(1);
        }
        let text = self.slice(start, self.at);
        if only_some {
            literal.push_str(text);
        } else {
            flush(literal, out);
            match out.last_mut() {
                Some(Part::Quoted(last)) => last.push_str(text),
                _ => out.push(Part::Quoted(text.to_owned())),
            }
        }
    }

    /// The text of `$'…'` after its opening, decoded.
    pub(super) fn ansi_quoted(&mut self, start: usize) -> String {
        let mut text = Vec::new();
        while !self.at_end() {
            match self.peek() {
                b'\'' => {
                    self.bump(1);
                    return ansi_text(text);
                }
                b'\\' => {
                    self.bump(1);
                    self.ansi_escape(&mut text);
                }
                _ => {
                    let from = self.at;
                    while !self.at_end() && !matches!(self.peek(), b'\'' | b'\\') {
                        self.bump(1);
                    }
                    text.extend_from_slice(self.slice(from, self.at).as_bytes());
                }
            }
        }
        self.report(start, self.at, Why::Unterminated);
        ansi_text(text)
    }

    /// What stands after a backslash in `$'…'`. Two forms are bash's own there: `\x{…}` and `\c\\`.
    fn ansi_escape(&mut self, text: &mut Vec<u8>) {
        let rest = self.slice(self.at, self.end);
        if let Some(braced) = rest.strip_prefix("x{") {
            let digits = braced.bytes().take(16).take_while(u8::is_ascii_hexdigit).count();
            if let Ok(value) = u64::from_str_radix(braced.get(..digits).unwrap_or_default(), 16) {
                text.push(value.to_le_bytes()[0]);
                let closed = braced.as_bytes().get(digits) == Some(&b'}');
                self.bump(2 + digits + usize::from(closed));
                return;
            }
        }
        if rest.starts_with("c\\\\") {
            text.push(b'\\' & 0x1f);
            self.bump(3);
            return;
        }
        let (used, decoded) = decode_escape(rest);
        match rest.as_bytes().first() {
            // A number below 256 is a byte, not a character.
            Some(b'x' | b'0'..=b'7') if used > 0 && decoded.chars().count() == 1 => {
                text.extend(decoded.chars().map(|c| u8::try_from(c).unwrap_or(b'?')));
            }
            _ => text.extend_from_slice(decoded.as_bytes()),
        }
        self.bump(used);
    }
}

/// The value of `$'…'`: bash ends it at a NUL.
fn ansi_text(mut bytes: Vec<u8>) -> String {
    if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
        bytes.truncate(end);
    }
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Decodes what follows the backslash in `$'…'`: how many bytes it takes and what it stands for.
pub fn decode_escape(rest: &str) -> (usize, String) {
    let mut chars = rest.chars();
    let Some(first) = chars.next() else {
        return (0, "\\".to_owned());
    };
    let numeric = |radix: u32, most: usize, skip: usize| {
        let digits: String = rest.chars().skip(skip).take(most).take_while(|c| c.is_digit(radix)).collect();
        let value = u32::from_str_radix(&digits, radix).ok();
        (skip + digits.len(), value)
    };
    let simple = |text: &str| (first.len_utf8(), text.to_owned());
    match first {
        'a' => simple("\u{7}"),
        'b' => simple("\u{8}"),
        'e' | 'E' => simple("\u{1b}"),
        'f' => simple("\u{c}"),
        'n' => simple("\n"),
        'r' => simple("\r"),
        't' => simple("\t"),
        'v' => simple("\u{b}"),
        '\\' | '\'' | '"' | '?' => simple(&first.to_string()),
        'x' | 'u' | 'U' => {
            let most = match first {
                'x' => 2,
                'u' => 4,
                _ => 8,
            };
            match numeric(16, most, 1) {
                (used, Some(value)) => (used, char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER).to_string()),
                _ => (1, format!("\\{first}")),
            }
        }
        '0'..='7' => {
            let (used, value) = numeric(8, 3, 0);
            (used, value.and_then(|value| char::from_u32(value & 0xff)).map(String::from).unwrap_or_default())
        }
        'c' => {
            let Some(next) = chars.next() else { return (1, "\\c".to_owned()) };
            let control = if next == '?' { 0x7f } else { u32::from(next) & 0x1f };
            (1 + next.len_utf8(), char::from_u32(control).map(String::from).unwrap_or_default())
        }
        other => (other.len_utf8(), format!("\\{other}")),
    }
}
