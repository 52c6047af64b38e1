//! Texts that the shell evaluates a second time: arithmetic, and names of array elements, whose subscripts may hold commands.

use super::Interp;
use super::exec::Call;
use super::state::Data;
use crate::options::holds;
use crate::syntax::Span;

/// Variables that lead to further ones, one after the other.
const MOST_NAMES: usize = 256;
/// Operators of `[[` whose operands are arithmetic.
const COMPARES: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl Interp<'_> {
    /// Follows the commands in a text that is evaluated as arithmetic, and in the values of the variables that it names.
    pub(super) fn arithmetic(&mut self, text: &str, span: Span) {
        if !text.contains(|c: char| c.is_alphabetic() || c == '_' || c == '[') {
            return;
        }
        let mut texts = vec![text.to_owned()];
        let mut seen = Vec::new();
        while let Some(text) = texts.pop() {
            self.subscript(&text, span);
            for name in text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty()) {
                if seen.len() >= MOST_NAMES {
                    self.beyond(span);
                    return;
                }
                if let Some(value) = self.variable(name)
                    && !seen.iter().any(|known| known == name)
                {
                    seen.push(name.to_owned());
                    texts.push(value.to_string());
                }
            }
        }
    }

    /// Follows the commands in the subscript of a name.
    fn subscript(&mut self, text: &str, span: Span) {
        let Some((_, inner)) = text.split_once('[') else { return };
        let Some(from) = inner.find("$(").or_else(|| inner.find('`')) else { return };
        let Some(to) = inner.rfind([')', '`']) else { return };
        if let Some(commands) = inner.get(from..=to) {
            self.subshell(|interp| interp.nested(&format!(": {commands}"), span, &Data::from("")));
        }
    }

    /// The names and numbers that builtins are given.
    pub(super) fn names_given(&mut self, builtin: &str, args: &[String], call: &Call) {
        if !args.iter().any(|arg| arg.contains(['[', '='])) && builtin != "let" {
            return;
        }
        match builtin {
            "let" => {
                for arg in args {
                    self.arithmetic(arg, call.span);
                }
            }
            "export" | "declare" | "typeset" | "local" | "readonly" => {
                for arg in args {
                    let name = arg.split_once('=').map_or(arg.as_str(), |(name, _)| name);
                    self.subscript(name, call.span);
                }
                let counts = |arg: &&String| holds(arg, &['i']);
                if args.iter().any(|arg| counts(&arg)) {
                    for arg in args.iter().filter_map(|arg| arg.split_once('=').map(|(_, value)| value)) {
                        self.arithmetic(arg, call.span);
                    }
                }
            }
            "unset" | "read" | "mapfile" | "readarray" | "getopts" => {
                for arg in args {
                    self.subscript(arg, call.span);
                }
            }
            "printf" | "test" | "[" | "wait" => {
                for pair in args.windows(2) {
                    if let [option, name] = pair
                        && matches!(option.as_str(), "-v" | "-p")
                    {
                        self.subscript(name, call.span);
                    }
                }
            }
            _ => {}
        }
    }

    /// The words of `[[`.
    pub(super) fn compared(&mut self, words: &[String], span: Span) {
        self.tests_for(words);
        for (at, word) in words.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|before| words.get(before));
            if before.is_some_and(|word| word == "-v") {
                self.subscript(word, span);
            } else if before.is_some_and(|word| COMPARES.contains(&word.as_str()))
                || words.get(at + 1).is_some_and(|word| COMPARES.contains(&word.as_str()))
            {
                self.arithmetic(word, span);
            }
        }
    }
}
