//! Assignments: names, subscripts, values and arrays.

use super::cursor::Parser;
use super::tree::{Assign, Part, Why, Word};
use super::word::Mode;

/// How far the end of a subscript is looked for.
const SUBSCRIPT_WINDOW: usize = 256;

impl Parser<'_> {
    /// A word after the first; `NAME=( … )` is an array there too, for `declare` and its like.
    pub(super) fn argument(&mut self) -> Word {
        let start = self.at;
        if let Some((name_length, operator)) = self.assignment_head()
            && self.peek_at(name_length + operator) == b'('
        {
            let head = self.slice(start, start + name_length + operator).to_owned();
            self.bump(name_length + operator);
            let array = self.array();
            return Word { parts: vec![Part::Literal(head), array], span: self.span(start) };
        }
        self.word(Mode::Word)
    }

    /// The length of the name that begins here, if one does.
    fn name_length(&self) -> Option<usize> {
        let first = self.peek();
        if first != b'_' && !first.is_ascii_alphabetic() {
            return None;
        }
        let mut length = 1;
        while self.peek_at(length) == b'_' || self.peek_at(length).is_ascii_alphanumeric() {
            length += 1;
        }
        Some(length)
    }

    /// The length of `NAME` and of the operator after it, if an assignment begins here.
    fn assignment_head(&self) -> Option<(usize, usize)> {
        let length = self.name_length()?;
        match (self.peek_at(length), self.peek_at(length + 1)) {
            (b'=', _) => Some((length, 1)),
            (b'+', b'=') => Some((length, 2)),
            _ => None,
        }
    }

    pub(super) fn assignment(&mut self) -> Option<Assign> {
        let start = self.at;
        if let Some((length, operator)) = self.assignment_head() {
            let name = self.slice(start, start + length).to_owned();
            self.bump(length + operator);
            let value = self.assigned_value();
            return Some(Assign { name, append: operator == 2, subscript: None, value, span: self.span(start) });
        }
        self.element_assignment(start)
    }

    /// `NAME[subscript]=value`. The subscript is short in practice; one that does not end soon is a pattern.
    fn element_assignment(&mut self, start: usize) -> Option<Assign> {
        let length = self.name_length()?;
        if self.peek_at(length) != b'[' {
            return None;
        }
        let close = self.subscript_end(start + length + 1)?;
        let name = self.slice(start, start + length).to_owned();
        self.bump(length + 1);
        let subscript = self.within(close, |parser| {
            let word = parser.word(Mode::Subscript { braced: false });
            if !parser.at_end() {
                parser.report(parser.at, parser.end, Why::Unexpected);
            }
            word
        });
        self.bump(1);
        let append = self.peek() == b'+';
        self.bump(1 + usize::from(append));
        let mut value = self.assigned_value();
        // What a subscript may run is kept with the value.
        value.parts.extend(subscript.parts.iter().filter(|part| may_run(part)).cloned());
        Some(Assign { name, append, subscript: Some(subscript), value, span: self.span(start) })
    }

    /// The place of the `]` that closes the subscript beginning at `from`, if an assignment follows it.
    fn subscript_end(&mut self, from: usize) -> Option<usize> {
        let limit = (from + SUBSCRIPT_WINDOW).min(self.end);
        let mut brackets = 0_u32;
        let mut parens = 0_u32;
        let mut quote = None;
        let mut at = from;
        let found = loop {
            let Some(byte) = self.bytes.get(at).copied().filter(|_| at < limit) else { break None };
            match byte {
                b'\\' if quote != Some(b'\'') => at += 1,
                _ if quote == Some(byte) => quote = None,
                b'\'' | b'"' if quote.is_none() => quote = Some(byte),
                _ if quote.is_some() => {}
                b'(' => parens += 1,
                b')' => parens = parens.saturating_sub(1),
                _ if parens > 0 => {}
                // A pattern, not a subscript: bash would read on, but nobody means it.
                b';' | b'\n' | b'&' => break None,
                b'[' => brackets += 1,
                b']' if brackets > 0 => brackets -= 1,
                b']' => break Some(at),
                _ => {}
            }
            at += 1;
        };
        self.steps += at.saturating_sub(from) as u64;
        let after = |ahead: usize| self.bytes.get(at + ahead).copied().filter(|_| at + ahead < self.end);
        found.filter(|_| after(1) == Some(b'=') || (after(1) == Some(b'+') && after(2) == Some(b'=')))
    }

    fn assigned_value(&mut self) -> Word {
        let start = self.at;
        if self.peek() == b'(' {
            let array = self.array();
            return Word { parts: vec![array], span: self.span(start) };
        }
        self.word(Mode::Value)
    }

    fn array(&mut self) -> Part {
        let start = self.at;
        self.bump(1);
        let words = self.deeper(|parser| {
            let mut words = Vec::new();
            loop {
                parser.skip_lines();
                let before = parser.at;
                if parser.at_end() || parser.peek() == b')' {
                    break;
                }
                let word = parser.word(Mode::Word);
                if parser.at == before {
                    parser.bump(1);
                    parser.report(before, parser.at, Why::Unexpected);
                    continue;
                }
                words.push(word);
            }
            words
        });
        if !self.eat(b')') && !self.stopped {
            self.report(start, self.at, Why::Unterminated);
        }
        Part::Array(words)
    }
}

/// Whether something may run when the part is expanded.
fn may_run(part: &Part) -> bool {
    match part {
        Part::Command(_) | Part::Process(..) | Part::Arith(_) => true,
        Part::Param(param) => param.operand.is_some() || param.subscript.is_some(),
        Part::Double(parts) => parts.iter().any(may_run),
        _ => false,
    }
}
