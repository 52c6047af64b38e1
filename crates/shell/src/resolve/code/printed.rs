//! What code prints, where that is nothing but texts of its own and what is known from outside.

use super::fold::last_name;
use super::language::{DECODERS, JOINS};
use super::reader::{Reader, is_home};
use super::token::{Token, pairs};
use crate::programs::{Language, Tongue};
use crate::resolve::Interp;

/// Code beyond this length is more than a way to write one text.
const LONGEST_PRINTING: usize = 4096;
/// Functions that print what they are given.
pub(super) const PRINTS: &[&str] =
    &["print", "puts", "say", "echo", "printf", "log", "write", "println", "putstrln", "cat"];
/// Functions that make a directory or a file for themselves, and say where.
const TEMPORARY: &[&str] = &["mkdtemp", "mkdtempsync", "mkstemp", "mktemp", "mktmpdir"];
/// Options whose code is one expression, which is printed.
pub(super) const EXPRESSIONS: &[&str] = &["-p", "--print", "-pe"];

impl Interp<'_> {
    /// What code prints: `print("x")`, `puts "x"`, `console.log(os.homedir())`, and a text alone, which some interpreters print. `option`
    /// is the one that the code was given by.
    pub(in crate::resolve) fn code_prints(&self, language: &Language, code: &str, option: &str) -> Option<String> {
        if code.len() > LONGEST_PRINTING {
            return None;
        }
        let tokens = self.prepared(language, code);
        let pairs = pairs(&tokens);
        let reader = self.reader_of(language, &tokens, &pairs);
        if let [Token::Text { text, backquoted: false }] = tokens.as_slice() {
            return Some(text.clone());
        }
        if language.tongue == Tongue::JavaScript && EXPRESSIONS.contains(&option) {
            return whole(&reader, 0, tokens.len()).map(|text| format!("{text}\n"));
        }
        let mut out = String::new();
        for (at, token) in tokens.iter().enumerate() {
            let Token::Word(word) = token else { continue };
            if !PRINTS.contains(&last_name(word).as_str()) {
                continue;
            }
            let (from, to) = reader.arguments(at, true);
            let open = usize::from(tokens.get(at + 1) == Some(&Token::Sign('(')));
            let makes =
                |token: &Token| matches!(token, Token::Word(word) if TEMPORARY.contains(&last_name(word).as_str()));
            if tokens.get(from..to).unwrap_or_default().iter().any(makes) {
                out.push_str("/tmp/tmp.XXXXXXXXXX\n");
                continue;
            }
            let text = whole(&reader, from, to).or_else(|| match tokens.get(at + 1 + open..)? {
                [Token::Text { .. }, Token::Word(method), ..] if method.starts_with('.') => None,
                [Token::Text { text, .. }, ..] if !text.is_empty() => Some(reader.filled(text)),
                _ => None,
            })?;
            out.push_str(&text);
            out.push('\n');
        }
        (!out.is_empty()).then_some(out)
    }
}

/// The text that an expression comes to, if all of it is followed.
fn whole(reader: &Reader<'_>, from: usize, to: usize) -> Option<String> {
    let followed = reader.tokens.get(from..to)?.iter().all(|token| match token {
        Token::Text { backquoted, .. } => !backquoted,
        Token::Sign(sign) => matches!(sign, '(' | ')' | '[' | ']' | ',' | '+' | '.' | '/' | ';'),
        Token::Word(word) => {
            let last = last_name(word);
            reader.values.contains_key(word)
                || is_home(word)
                || JOINS.contains(&last.as_str())
                || DECODERS.contains(&last.as_str())
                || matches!(last.as_str(), "require" | "__import__" | "import" | "b" | "r" | "f")
        }
    });
    let texts = if followed { reader.joined(from, to) } else { Vec::new() };
    (!texts.is_empty()).then(|| texts.join(" "))
}
