//! Redirections: descriptor, operator, target.

use super::cursor::Parser;
use super::tree::{Redirect, RedirectOp, Why, Word};
use super::word::Mode;

impl Parser<'_> {
    /// A redirection, if one begins here.
    pub(super) fn redirect(&mut self) -> Option<Redirect> {
        let start = self.at;
        let (fd, fd_name, skip) = self.descriptor()?;
        let (op, length) = self.redirect_op(skip)?;
        self.node();
        self.bump(skip + length);
        if op == RedirectOp::Heredoc {
            let strip_tabs = self.eat(b'-');
            let (target, index) = self.heredoc_delimiter(strip_tabs);
            return Some(Redirect { fd, fd_name, op, target, heredoc: Some(index), span: self.span(start) });
        }
        self.skip_blanks();
        let mode = if op == RedirectOp::HereString { Mode::Value } else { Mode::Word };
        let target: Word = self.word(mode);
        if target.parts.is_empty() && !self.stopped {
            self.report(start, self.at, Why::Unexpected);
        }
        Some(Redirect { fd, fd_name, op, target, heredoc: None, span: self.span(start) })
    }

    /// The digits or `{NAME}` before an operator, and their length.
    fn descriptor(&self) -> Option<(Option<u32>, Option<String>, usize)> {
        match self.peek() {
            b'<' | b'>' => Some((None, None, 0)),
            b'&' if self.peek_at(1) == b'>' => Some((None, None, 0)),
            b'0'..=b'9' => {
                let digits = (0..4).take_while(|ahead| self.peek_at(*ahead).is_ascii_digit()).count();
                let number = self.slice(self.at, self.at + digits).parse().ok()?;
                matches!(self.peek_at(digits), b'<' | b'>').then_some((Some(number), None, digits))
            }
            b'{' => {
                let length = (1..64)
                    .take_while(|ahead| {
                        let byte = self.peek_at(*ahead);
                        byte == b'_' || byte.is_ascii_alphanumeric()
                    })
                    .count();
                let closed = length > 0 && self.peek_at(length + 1) == b'}';
                if !closed || !matches!(self.peek_at(length + 2), b'<' | b'>') {
                    return None;
                }
                let name = self.slice(self.at + 1, self.at + 1 + length).to_owned();
                Some((None, Some(name), length + 2))
            }
            _ => None,
        }
    }

    fn redirect_op(&self, skip: usize) -> Option<(RedirectOp, usize)> {
        let next = |ahead: usize| self.peek_at(skip + ahead);
        Some(match (next(0), next(1), next(2)) {
            (b'<' | b'>', b'(', _) => return None,
            (b'<', b'<', b'<') => (RedirectOp::HereString, 3),
            (b'<', b'<', _) => (RedirectOp::Heredoc, 2),
            (b'<', b'>', _) => (RedirectOp::Both, 2),
            (b'<', b'&', _) => (RedirectOp::DupIn, 2),
            (b'<', ..) => (RedirectOp::In, 1),
            // With `!` or a bar Zsh writes over what is there; for Bash the sign would be a file of that name, which nobody means.
            (b'>', b'>', b'!') if is_blank(next(3)) => (RedirectOp::Append, 3),
            (b'>', b'>', b'|') => (RedirectOp::Append, 3),
            (b'>', b'>', _) => (RedirectOp::Append, 2),
            (b'>', b'!', sign) if is_blank(sign) => (RedirectOp::Out, 2),
            (b'>', b'|', _) => (RedirectOp::Out, 2),
            (b'>', b'&', b'!' | b'|') | (b'&', b'>', b'!' | b'|') => (RedirectOp::OutErr, 3),
            (b'>', b'&', _) => (RedirectOp::DupOut, 2),
            (b'>', ..) => (RedirectOp::Out, 1),
            (b'&', b'>', b'>') => (RedirectOp::AppendErr, 3),
            (b'&', b'>', _) => (RedirectOp::OutErr, 2),
            _ => return None,
        })
    }
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
