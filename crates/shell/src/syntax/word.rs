//! Words: quotes, escapes, expansions and the characters that end them.

use super::cursor::Parser;
use super::tree::{BraceMark, Direction, Part, Why, Word};

/// Where text stands: decides what ends it and what is special in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// A word of a command.
    Word,
    /// A word that is not brace-expanded: a value that is assigned, compared or handed over by `<<<`.
    Value,
    /// The delimiter of a here-document: quotes count, expansions do not.
    Delimiter,
    /// Between double quotes.
    Double,
    /// The body of a here-document.
    Heredoc {
        /// Tabs at the start of a line are dropped.
        strip_tabs: bool,
    },
    /// The operand of `${…}`.
    Operand {
        /// The expansion stands between double quotes.
        quoted: bool,
    },
    /// `[…]` of an array element.
    Subscript {
        /// It stands in `${…}`, which ends with the brace even where the bracket is missing.
        braced: bool,
    },
    /// The text between the parentheses of an arithmetic expansion, whose end is known.
    Arith,
    /// The right side of `=~`.
    Pattern,
}

impl Parser<'_> {
    /// One word. It is empty if none begins here.
    pub(super) fn word(&mut self, mode: Mode) -> Word {
        let start = self.at;
        self.node();
        let parts = self.deeper(|parser| parser.parts(mode));
        Word { parts, span: self.span(start) }
    }

    /// The parts up to what ends them in `mode`. Takes the closing character of [`Mode::Double`] only.
    #[expect(
        clippy::too_many_lines,
        reason = "one arm a character; taken apart, the order of the arms would be hidden"
    )]
    pub(super) fn parts(&mut self, mode: Mode) -> Vec<Part> {
        let mut out: Vec<Part> = Vec::new();
        let mut literal = String::new();
        // After the first brace, as a group may go on behind a closing one.
        let mut in_braces = false;
        // Parentheses that are open within a pattern, brackets within a subscript.
        let mut open = 0_u32;
        let first = self.at;
        if matches!(mode, Mode::Heredoc { strip_tabs: true }) {
            self.skip_tabs();
        }
        while !self.at_end() && !self.stopped {
            let start = self.at;
            let byte = self.peek();
            let plain = matches!(mode, Mode::Word | Mode::Value | Mode::Delimiter | Mode::Pattern);
            let unquoted = matches!(mode, Mode::Word | Mode::Value | Mode::Operand { quoted: false });
            match byte {
                // What ends the text.
                b' ' | b'\t' | b'\n' | b';' if plain && open == 0 => break,
                b'<' | b'>' if unquoted && self.peek_at(1) == b'(' => {
                    flush(&mut literal, &mut out);
                    let direction = if byte == b'<' { Direction::Read } else { Direction::Write };
                    self.bump(1);
                    let subst = self.parenthesised(start);
                    out.push(Part::Process(direction, Box::new(subst)));
                }
                b'&' | b'|' | b'(' | b')' | b'<' | b'>'
                    if matches!(mode, Mode::Word | Mode::Value | Mode::Delimiter) =>
                {
                    break;
                }
                b'(' if mode == Mode::Pattern => {
                    open += 1;
                    self.take(1, &mut literal);
                }
                b')' if mode == Mode::Pattern && open > 0 => {
                    open -= 1;
                    self.take(1, &mut literal);
                }
                b')' | b'&' if mode == Mode::Pattern => break,
                b'"' if mode == Mode::Double => {
                    flush(&mut literal, &mut out);
                    self.bump(1);
                    self.closed = true;
                    return out;
                }
                b'}' if matches!(mode, Mode::Operand { .. } | Mode::Subscript { braced: true }) => break,
                b']' if matches!(mode, Mode::Subscript { .. }) => {
                    if open == 0 {
                        break;
                    }
                    open -= 1;
                    self.take(1, &mut literal);
                }
                b'[' if matches!(mode, Mode::Subscript { .. }) => {
                    open += 1;
                    self.take(1, &mut literal);
                }
                // Quotes and escapes.
                // Bash expands arithmetic as if it stood between double quotes: a single quote hides nothing there.
                b'\''
                    if !matches!(
                        mode,
                        Mode::Double | Mode::Arith | Mode::Heredoc { .. } | Mode::Operand { quoted: true }
                    ) =>
                {
                    flush(&mut literal, &mut out);
                    let part = self.single_quoted();
                    out.push(part);
                }
                b'"' if !matches!(mode, Mode::Heredoc { .. }) => {
                    flush(&mut literal, &mut out);
                    self.bump(1);
                    out.push(self.double_quoted(start));
                }
                b'\\' => self.escape(mode, &mut literal, &mut out),
                b'`' if mode != Mode::Delimiter => {
                    flush(&mut literal, &mut out);
                    let quoted = matches!(mode, Mode::Double);
                    out.push(self.backticks(quoted));
                }
                b'$' if mode != Mode::Delimiter || matches!(self.peek_at(1), b'\'' | b'"') => {
                    self.dollar(mode, &mut literal, &mut out);
                }
                // What only an unquoted word knows.
                b'~' if matches!(mode, Mode::Word | Mode::Value) && self.tilde_may_start(first) => {
                    flush(&mut literal, &mut out);
                    self.bump(1);
                    let name = self
                        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.'));
                    out.push(Part::Tilde(name));
                }
                b'?' | b'*' | b'+' | b'@' | b'!' if unquoted && self.peek_at(1) == b'(' => {
                    flush(&mut literal, &mut out);
                    let part = self.ext_glob(byte);
                    out.push(part);
                }
                b'*' | b'?' | b'[' if unquoted => {
                    flush(&mut literal, &mut out);
                    self.bump(1);
                    out.push(Part::Glob(char::from(byte)));
                }
                b'{' if mode == Mode::Word => {
                    flush(&mut literal, &mut out);
                    self.bump(1);
                    in_braces = true;
                    out.push(Part::Brace(BraceMark::Open));
                }
                b',' | b'}' if mode == Mode::Word && in_braces => {
                    flush(&mut literal, &mut out);
                    self.bump(1);
                    let mark = if byte == b',' { BraceMark::Comma } else { BraceMark::Close };
                    out.push(Part::Brace(mark));
                }
                b'\n' if matches!(mode, Mode::Heredoc { strip_tabs: true }) => {
                    self.take(1, &mut literal);
                    self.skip_tabs();
                }
                0 => {
                    // Bash drops it or cuts the text there; nobody means it.
                    self.report(start, start + 1, Why::Unexpected);
                    self.bump(1);
                }
                _ => self.run_of_text(mode, &mut literal),
            }
        }
        flush(&mut literal, &mut out);
        self.closed = false;
        out
    }

    fn skip_tabs(&mut self) {
        while !self.at_end() && self.peek() == b'\t' {
            self.bump(1);
        }
    }

    /// Takes the character at the cursor and those after it that mean nothing in `mode`.
    fn run_of_text(&mut self, mode: Mode, literal: &mut String) {
        let start = self.at;
        let rest = self.bytes.get(start + 1..self.end).unwrap_or_default();
        let stops = match mode {
            Mode::Double => IN_DOUBLE,
            Mode::Heredoc { strip_tabs: false } => IN_HEREDOC,
            Mode::Heredoc { strip_tabs: true } => IN_STRIPPED,
            _ => IN_WORD,
        };
        let length = rest.iter().position(|byte| STOPS.get(usize::from(*byte)).is_some_and(|flags| flags & stops != 0));
        self.bump(1 + length.unwrap_or(rest.len()));
        let text = self.slice(start, self.at);
        if literal.is_empty() {
            // Most words are one run: this allocates what it needs, and no more.
            text.clone_into(literal);
        } else {
            literal.push_str(text);
        }
    }

    pub(super) fn take(&mut self, count: usize, literal: &mut String) {
        literal.push_str(self.slice(self.at, (self.at + count).min(self.end)));
        self.bump(count);
    }

    pub(super) fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> String {
        let start = self.at;
        while !self.at_end() && accept(self.peek()) {
            self.bump(1);
        }
        self.slice(start, self.at).to_owned()
    }

    fn tilde_may_start(&self, first: usize) -> bool {
        self.at == first
            || matches!(self.at.checked_sub(1).and_then(|at| self.bytes.get(at)), Some(b'=' | b':' | b',' | b'{'))
    }

    fn dollar(&mut self, mode: Mode, literal: &mut String, out: &mut Vec<Part>) {
        let start = self.at;
        let quoted = matches!(mode, Mode::Double | Mode::Arith | Mode::Heredoc { .. } | Mode::Operand { quoted: true });
        // Bash drops a continued line before it looks at what the sign begins.
        let mut sign = 1;
        while self.peek_at(sign) == b'\\' && self.peek_at(sign + 1) == b'\n' {
            sign += 2;
        }
        let next = self.peek_at(sign);
        match next {
            b'\'' if !quoted => {
                flush(literal, out);
                self.bump(sign + 1);
                let text = self.ansi_quoted(start);
                out.push(Part::Quoted(text));
            }
            b'"' if !quoted => {
                flush(literal, out);
                self.bump(sign + 1);
                out.push(self.double_quoted(start));
            }
            b'(' => {
                flush(literal, out);
                if self.peek_at(sign + 1) == b'('
                    && let Some(end) = self.arith_end(self.at + sign + 2)
                {
                    self.bump(sign + 2);
                    let parts = self.arith_parts(end);
                    self.bump(2);
                    out.push(Part::Arith(parts));
                    return;
                }
                self.bump(sign);
                let subst = self.parenthesised(start);
                out.push(Part::Command(Box::new(subst)));
            }
            b'[' if !matches!(mode, Mode::Pattern) => {
                flush(literal, out);
                self.bump(sign + 1);
                let parts = self.deeper(|parser| parser.parts(Mode::Subscript { braced: false }));
                if !self.eat(b']') {
                    self.report(start, self.at, Why::Unterminated);
                }
                out.push(Part::Arith(parts));
            }
            b'{' if matches!(self.peek_at(sign + 1), b' ' | b'\t' | b'\n' | b'|') => {
                flush(literal, out);
                self.bump(sign + 1);
                self.eat(b'|');
                let subst = self.braced_commands(start);
                out.push(Part::Command(Box::new(subst)));
            }
            b'{' => {
                flush(literal, out);
                self.bump(sign + 1);
                let param = self.deeper(|parser| Some(parser.braced_param(start, quoted)));
                out.extend(param.map(|param| Part::Param(Box::new(param))));
            }
            _ if next == b'_' || next.is_ascii_alphabetic() => {
                flush(literal, out);
                self.bump(sign);
                let is_name = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
                let mut name = self.take_while(is_name);
                while self.looking_at("\\\n") {
                    self.bump(2);
                    name.push_str(&self.take_while(is_name));
                }
                out.push(self.plain_param(name, start));
            }
            _ if next.is_ascii_digit() || matches!(next, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                flush(literal, out);
                self.bump(sign + 1);
                let name = char::from(next).to_string();
                out.push(self.plain_param(name, start));
            }
            _ => self.take(1, literal),
        }
    }

    fn ext_glob(&mut self, sign: u8) -> Part {
        let start = self.at;
        self.bump(2);
        let mut words = Vec::new();
        let mut open = 0_u32;
        loop {
            let word = self.word(Mode::Word);
            words.push(word);
            match self.peek() {
                _ if self.at_end() => {
                    if !self.stopped {
                        self.report(start, self.at, Why::Unterminated);
                    }
                    break;
                }
                b')' if open == 0 => {
                    self.bump(1);
                    break;
                }
                b';' | b'\n' => {
                    self.report(start, self.at, Why::Unterminated);
                    break;
                }
                byte => {
                    open = match byte {
                        b'(' => open + 1,
                        b')' => open - 1,
                        _ => open,
                    };
                    self.bump(1);
                }
            }
        }
        Part::ExtGlob(char::from(sign), words)
    }
}

pub(super) fn flush(literal: &mut String, out: &mut Vec<Part>) {
    if literal.is_empty() {
        return;
    }
    let part = Part::Literal(std::mem::take(literal));
    if out.is_empty() {
        // Most words have one part.
        *out = vec![part];
    } else {
        out.push(part);
    }
}

const IN_WORD: u8 = 1;
const IN_DOUBLE: u8 = 2;
const IN_HEREDOC: u8 = 4;
const IN_STRIPPED: u8 = 8;

/// Where each byte may mean something.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, and a byte has 256 values")]
static STOPS: [u8; 256] = {
    let mut stops = [0; 256];
    let mut byte = 0_u8;
    loop {
        let everywhere = matches!(byte, b'\\' | b'`' | b'$' | 0);
        stops[byte as usize] = if is_plain(byte) { 0 } else { IN_WORD }
            | if everywhere || byte == b'"' { IN_DOUBLE } else { 0 }
            | if everywhere { IN_HEREDOC } else { 0 }
            | if everywhere || byte == b'\n' { IN_STRIPPED } else { 0 };
        if byte == u8::MAX {
            break stops;
        }
        byte += 1;
    }
};

/// Characters that mean nothing anywhere. Everything beyond ASCII is text.
const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'.' | b'/' | b'-' | b'_' | b':' | b'=' | b'%' | b'^' | b'#')
        || byte >= 0x80
}
