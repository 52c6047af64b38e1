//! What the calls in a code are given: texts, and texts that it puts together.

use std::collections::BTreeMap;

use super::language::JOINS;
use super::token::Token;
use crate::resolve::value::HOLE;

/// Words of one call's arguments that are looked at.
pub(super) const MOST_ARGUMENTS: usize = 64;

/// What a call is given: each text apart, and texts that the code puts together, joined.
pub(super) struct Given {
    pub(super) texts: Vec<String>,
    pub(super) joined: Vec<String>,
}

pub(super) struct Reader<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) pairs: &'t [usize],
    pub(super) values: BTreeMap<String, String>,
    pub(super) home: String,
}

impl Reader<'_> {
    /// `name = "text"`, and texts put together from known ones.
    pub(super) fn assignments(&mut self) {
        for at in 0..self.tokens.len() {
            let (Some(Token::Word(name)), Some(Token::Sign('='))) = (self.tokens.get(at), self.tokens.get(at + 1))
            else {
                continue;
            };
            if matches!(self.tokens.get(at + 2), Some(Token::Sign('=' | '>'))) {
                continue;
            }
            let end = (at + 2..self.tokens.len().min(at + 2 + MOST_ARGUMENTS))
                .find(|end| matches!(self.tokens.get(*end), Some(Token::Sign(';' | '\n'))))
                .unwrap_or_else(|| self.tokens.len().min(at + 2 + MOST_ARGUMENTS));
            let name = name.clone();
            if let Some(value) = self.joined(at + 2, end).into_iter().next()
                && self.values.len() < 256
            {
                self.values.insert(name, value);
            }
        }
    }

    /// The stretch of a call's arguments: between its brackets, or up to the end of the statement.
    pub(super) fn arguments(&self, at: usize) -> (usize, usize) {
        let mut next = at + 1;
        // `getattr(os, "unlink")("x")`, `require("fs").rmSync("x")`, `File.send(:unlink, "x")`: brackets follow brackets.
        while matches!(self.tokens.get(next), Some(Token::Sign('['))) {
            let close = self.pairs.get(next).copied().unwrap_or(next);
            if close <= next {
                break;
            }
            next = close + 1;
        }
        match self.tokens.get(next) {
            Some(Token::Sign('(' | '{' | '<')) if self.pairs.get(next).is_some_and(|close| *close > next) => {
                (next + 1, self.pairs.get(next).copied().unwrap_or(next))
            }
            Some(Token::Text { .. }) => {
                let end = (next..self.tokens.len().min(next + MOST_ARGUMENTS))
                    .find(|end| matches!(self.tokens.get(*end), Some(Token::Sign(';' | '\n' | '}'))))
                    .unwrap_or_else(|| self.tokens.len().min(next + MOST_ARGUMENTS));
                (next, end)
            }
            _ => (at, at),
        }
    }

    /// A text that stands for a function: a bracket closes after it, and one opens after that.
    pub(super) fn calls_by_text(&self, at: usize) -> bool {
        matches!(self.tokens.get(at + 1), Some(Token::Sign(')' | ']')))
            && matches!(self.tokens.get(at + 2), Some(Token::Sign('(')))
    }

    /// A method of a value in brackets: `Path("x").unlink()`.
    pub(super) fn called_on_value(&self, at: usize) -> bool {
        matches!(self.tokens.get(at), Some(Token::Word(word)) if word.starts_with('.'))
            && at.checked_sub(1).is_some_and(|before| matches!(self.tokens.get(before), Some(Token::Sign(')' | ']'))))
    }

    pub(super) fn given(&self, at: usize, from: usize, to: usize) -> Given {
        let mut texts = Vec::new();
        let mut joined = Vec::new();
        if self.called_on_value(at)
            && let Some(close) = at.checked_sub(1)
            && let Some(open) = self.pairs.get(close).copied()
            && open < close
        {
            self.texts(open + 1, close, &mut texts);
            joined.extend(self.joined(open + 1, close));
            // `(Path.home() / ".ssh").rmdir()`
        }
        let own = self.own(from, to);
        texts.extend(own.texts);
        joined.extend(own.joined);
        joined.dedup();
        Given { texts, joined }
    }

    /// What stands between the brackets of a call.
    pub(super) fn own(&self, from: usize, to: usize) -> Given {
        let to = to.min(from + MOST_ARGUMENTS);
        let mut texts = Vec::new();
        self.texts(from, to, &mut texts);
        let mut joined = self.joined(from, to);
        joined.dedup();
        Given { texts, joined }
    }

    pub(super) fn texts(&self, from: usize, to: usize, out: &mut Vec<String>) {
        for at in from..to {
            match self.tokens.get(at) {
                Some(Token::Text { text, .. }) => out.push(self.filled(text)),
                Some(Token::Word(word)) => out.extend(self.values.get(word).cloned()),
                _ => {}
            }
        }
    }

    /// The texts of each argument, put together: what stands beside each other, joined by `+`, `.` or `/`, or given to a join.
    pub(super) fn joined(&self, from: usize, to: usize) -> Vec<String> {
        let mut out = Vec::new();
        let mut current: Option<String> = None;
        let mut joins: Vec<usize> = Vec::new();
        let mut previous_text = false;
        for at in from..to.min(self.tokens.len()) {
            while joins.last().is_some_and(|close| *close <= at) {
                joins.pop();
            }
            match self.tokens.get(at) {
                Some(Token::Text { text, .. }) => {
                    let text = self.filled(text);
                    let whole = current.get_or_insert_default();
                    if whole.is_empty() && text == "~" {
                        whole.push_str(&self.home);
                    } else {
                        whole.push_str(&text);
                    }
                    previous_text = true;
                    continue;
                }
                Some(Token::Word(word)) => {
                    let last = word.rsplit(['.', ':']).next().unwrap_or(word).to_ascii_lowercase();
                    if let Some(value) = self.values.get(word) {
                        current.get_or_insert_default().push_str(value);
                    } else if is_home(word) {
                        current.get_or_insert_default().push_str(&self.home);
                    } else if JOINS.contains(&last.as_str()) {
                        if let Some(close) = self.pairs.get(at + 1).copied().filter(|close| *close > at + 1) {
                            joins.push(close);
                        }
                    } else if !matches!(self.tokens.get(at + 1), Some(Token::Sign('(' | '=')))
                        && word.chars().all(|c| c.is_alphanumeric() || c == '_')
                        && !joins.is_empty()
                    {
                        current.get_or_insert_default().push(HOLE);
                    }
                }
                Some(Token::Sign(',')) => {
                    if joins.is_empty() {
                        out.extend(current.take());
                    } else if let Some(text) = &mut current
                        && !text.ends_with('/')
                    {
                        text.push('/');
                    }
                }
                Some(Token::Sign('/')) if previous_text || current.is_some() => {
                    if let Some(text) = &mut current
                        && !text.ends_with('/')
                    {
                        text.push('/');
                    }
                }
                _ => {}
            }
            previous_text = false;
        }
        out.extend(current);
        out.retain(|text| !text.is_empty());
        for text in &mut out {
            if let Some(rest) = text.strip_prefix('~')
                && (rest.is_empty() || rest.starts_with('/'))
            {
                *text = format!("{}{rest}", self.home);
            }
        }
        out
    }

    /// A text with the variables that stand in it.
    pub(super) fn filled(&self, text: &str) -> String {
        let text = text.strip_prefix("~/").map_or_else(|| text.to_owned(), |rest| format!("{}/{rest}", self.home));
        if !text.contains(['$', '#', '{']) {
            return text;
        }
        let mut out = text;
        for home in [
            "$ENV{HOME}",
            "${process.env.HOME}",
            "#{ENV['HOME']}",
            "#{ENV[\"HOME\"]}",
            "#{Dir.home}",
            "{Path.home()}",
            "{os.environ['HOME']}",
            "{os.environ[\"HOME\"]}",
            "$HOME",
            "${HOME}",
        ] {
            out = out.replace(home, &self.home);
        }
        for (name, value) in &self.values {
            for form in [format!("${{{name}}}"), format!("#{{{name}}}"), format!("{{{name}}}")] {
                out = out.replace(&form, value);
            }
        }
        out
    }
}

pub(super) fn is_home(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    lower.rsplit('.').next() == Some("home") || lower.ends_with("homedir")
}
