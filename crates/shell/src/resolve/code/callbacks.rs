//! Functions that code hands to another: by name as a text or symbol, or as a value with what it is to be given.

use super::fold::last_name;
use super::language::{FILES, RUNS, TREES};
use super::reader::{Given, Reader};
use super::token::Token;
use super::{is_method_of, touches_files};
use crate::programs::Language;
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;

/// Functions whose first argument names another one as a text.
const BY_TEXT: &[&str] = &["call_user_func", "call_user_func_array", "array_map", "apply", "send", "public_send"];
/// What functions belong to that start programs, where one is handed on as a value.
const STARTERS: &[&str] =
    &["os", "subprocess", "child_process", "cp", "asyncio", "commands", "pty", "posix", "process"];
/// Brackets after the one that a function stands in, which may call what comes out of it.
const MOST_GROUPS: usize = 4;

/// What a function does, as far as it matters here.
enum Function {
    Starts,
    Removes(Kind),
}

fn function(name: &str) -> Option<Function> {
    if RUNS.contains(&name) || name == "exec" {
        Some(Function::Starts)
    } else if TREES.contains(&name) {
        Some(Function::Removes(Kind::DeleteTree))
    } else if FILES.contains(&name) {
        Some(Function::Removes(Kind::Delete))
    } else {
        None
    }
}

impl Interp<'_> {
    /// What is done by the function of this name with what it is given.
    pub(super) fn handed_on(&mut self, name: &str, given: &Given, call: &Call) {
        match function(name) {
            Some(Function::Starts) => self.started(given, &super::without_input(call)),
            Some(Function::Removes(kind)) => self.code_paths(kind, given, call),
            None => {}
        }
    }

    /// `call_user_func("unlink", "path")`: the first text names the function, the others are for it. Whether the call is of this form.
    pub(super) fn named_by_text(
        &mut self,
        language: &Language,
        reader: &Reader<'_>,
        at: usize,
        name: &str,
        call: &Call,
    ) -> bool {
        if !BY_TEXT.contains(&name) {
            return false;
        }
        let (from, to) = reader.arguments(at, language.bare);
        let Some(Token::Text { text, .. } | Token::Word(text)) = reader.tokens.get(from) else { return false };
        if text.contains([' ', '/']) || to <= from + 2 {
            return false;
        }
        self.handed_on(&last_name(text), &reader.own(from + 2, to), call);
        true
    }

    /// `["path"].forEach(fs.unlinkSync)`: a function that is handed to a method of a list. Whether the call is of this form.
    fn called_for_each(
        &mut self,
        language: &Language,
        reader: &Reader<'_>,
        at: usize,
        name: &str,
        call: &Call,
    ) -> bool {
        let Some(method) = at.checked_sub(2) else { return false };
        let Some(Token::Word(word)) = reader.tokens.get(method) else { return false };
        let Some(list) = [".forEach", ".map", ".each"].iter().find_map(|end| word.strip_suffix(end)) else {
            return false;
        };
        let alone = matches!(reader.tokens.get(at + 1), Some(Token::Sign(')')));
        let Some(function) = function(name).filter(|_| alone && !language.bare) else { return false };
        let texts = if list.is_empty() {
            let close = method.saturating_sub(1);
            let open = reader.pairs.get(close).copied().filter(|open| *open < close);
            open.map(|open| reader.own(open + 1, close).texts).unwrap_or_default()
        } else {
            reader.several.get(list).cloned().unwrap_or_default()
        };
        for text in &texts {
            match function {
                Function::Starts => drop(self.subshell(|interp| interp.run_text(text, &super::without_input(call)))),
                Function::Removes(kind) => {
                    let given = Given { texts: vec![text.clone()], joined: Vec::new() };
                    self.code_paths(kind, &given, call);
                }
            }
        }
        !texts.is_empty()
    }

    /// A function as a value, with texts beside it: `Thread(target=os.system, args=("line",))`, `partial(shutil.rmtree, "path")()`,
    /// `(lambda f, a: f(a))(os.system, "line")`. Who calls it is not followed: what stands beside it is taken for what it is given. Only of
    /// `map(os.system, ["line"])` it is known that each text is given alone.
    pub(super) fn function_given(
        &mut self,
        language: &Language,
        reader: &Reader<'_>,
        at: usize,
        receiver: &str,
        name: &str,
        call: &Call,
    ) {
        let tokens = reader.tokens;
        let before = |places: usize| at.checked_sub(places).and_then(|before| tokens.get(before));
        let mapped = before(1) == Some(&Token::Sign('('))
            && matches!(before(2), Some(Token::Word(caller)) if last_name(caller) == "map");
        if before(1) == Some(&Token::Sign('(')) && self.called_for_each(language, reader, at, name, call) {
            return;
        }
        let is_value = (mapped || !language.bare)
            && matches!(tokens.get(at + 1), Some(Token::Sign(',' | ')' | ']')))
            && matches!(before(1), Some(Token::Sign('(' | ',' | '[' | '=' | ':')));
        let Some(function) = function(name).filter(|_| is_value) else { return };
        let fits = mapped
            || !receiver.is_empty()
                && match function {
                    Function::Starts => is_method_of(receiver, STARTERS),
                    Function::Removes(_) => touches_files(receiver, name),
                };
        if !fits {
            return;
        }
        let mut given = Given { texts: Vec::new(), joined: Vec::new() };
        let mut from = at + 1;
        let mut to = reader.end_of_group(from);
        for _ in 0..MOST_GROUPS {
            let own = reader.own(from, to);
            given.texts.extend(own.texts);
            given.joined.extend(own.joined);
            // What follows the bracket at once calls or indexes what it gives.
            let open = to + 1;
            let Some(close) = reader
                .pairs
                .get(open)
                .copied()
                .filter(|close| *close > open && matches!(tokens.get(open), Some(Token::Sign('(' | '['))))
            else {
                break;
            };
            (from, to) = (open + 1, reader.within(open, close));
        }
        if mapped && matches!(function, Function::Starts) {
            for text in &given.texts {
                self.subshell(|interp| interp.run_text(text, call));
            }
        } else if !given.texts.is_empty() {
            self.handed_on(name, &given, call);
        }
    }
}
