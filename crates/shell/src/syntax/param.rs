//! Parameter expansions: `$NAME` and `${…}` in all their forms.

use super::cursor::Parser;
use super::tree::{Matches, Param, ParamOp, Part, Why, Word};
use super::word::Mode;

impl Parser<'_> {
    /// `$NAME`, already read.
    pub(super) fn plain_param(&mut self, name: String, start: usize) -> Part {
        self.node();
        Part::Param(Box::new(Param {
            name,
            subscript: None,
            indirect: false,
            op: ParamOp::None,
            operand: None,
            span: self.span(start),
        }))
    }

    /// `${…}` after its opening.
    pub(super) fn braced_param(&mut self, start: usize, quoted: bool) -> Param {
        self.node();
        while self.looking_at("\\\n") {
            self.bump(2);
        }
        let mut length = false;
        let mut indirect = false;
        if self.peek() == b'#' && !matches!(self.peek_at(1), b'}' | b':' | b'-' | b'+' | b'=' | b'?' | b'%' | b'/') {
            length = true;
            self.bump(1);
        } else if self.peek() == b'!' && !matches!(self.peek_at(1), b'}' | b':' | b'-' | b'=' | b'+') {
            indirect = true;
            self.bump(1);
        }
        let name = self.param_name();
        let subscript = if self.peek() == b'[' && !name.is_empty() {
            self.bump(1);
            let word = self.word(Mode::Subscript { braced: true });
            if !self.eat(b']') && !self.stopped {
                self.report(start, self.at, Why::Unterminated);
            }
            Some(word)
        } else {
            None
        };
        let (op, operand) = if self.peek() == b'}' {
            (if length { ParamOp::Length } else { ParamOp::None }, None)
        } else {
            let op = self.param_op();
            // In a pattern, quotes count even between double quotes.
            let pattern =
                matches!(op, ParamOp::RemovePrefix(_) | ParamOp::RemoveSuffix(_) | ParamOp::Replace(_) | ParamOp::Case);
            let operand: Word = self.word(Mode::Operand { quoted: quoted && !pattern });
            (op, Some(operand))
        };
        if !self.eat(b'}') && !self.stopped {
            self.report(start, self.at, Why::Unterminated);
        }
        Param { name, subscript, indirect, op, operand, span: self.span(start) }
    }

    fn param_name(&mut self) -> String {
        let first = self.peek();
        if first == b'_' || first.is_ascii_alphabetic() {
            return self.take_while(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        }
        if first.is_ascii_digit() {
            return self.take_while(|byte| byte.is_ascii_digit());
        }
        // `${$(…)}` is no bash, but other shells run what is in it: it is read as the operand.
        let nested = first == b'$' && matches!(self.peek_at(1), b'(' | b'{');
        if !nested && matches!(first, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') {
            self.bump(1);
            return char::from(first).to_string();
        }
        String::new()
    }

    fn param_op(&mut self) -> ParamOp {
        let colon = self.peek() == b':' && matches!(self.peek_at(1), b'-' | b'=' | b'?' | b'+');
        if colon {
            self.bump(1);
        }
        let sign = self.peek();
        let twice = self.peek_at(1) == sign;
        let (op, count) = match sign {
            b'-' => (ParamOp::Default(colon), 1),
            b'=' => (ParamOp::Assign(colon), 1),
            b'?' => (ParamOp::Error(colon), 1),
            b'+' => (ParamOp::Alternate(colon), 1),
            b'#' => (ParamOp::RemovePrefix(twice), 1 + usize::from(twice)),
            b'%' => (ParamOp::RemoveSuffix(twice), 1 + usize::from(twice)),
            b'/' => {
                let matches = match self.peek_at(1) {
                    b'/' => Matches::All,
                    b'#' => Matches::Start,
                    b'%' => Matches::End,
                    _ => Matches::First,
                };
                (ParamOp::Replace(matches), 1 + usize::from(matches != Matches::First))
            }
            b':' => (ParamOp::Substring, 1),
            b'^' | b',' => (ParamOp::Case, 1 + usize::from(twice)),
            b'@' => (ParamOp::Transform, 1),
            _ => (ParamOp::Transform, 0),
        };
        self.bump(count);
        op
    }
}
