//! What code is given to read and runs, and what it gives the shells that it starts to read.

use crate::programs::{Language, Tongue};
use std::collections::BTreeSet;

use super::fold::last_name;
use super::language::{EVALUATES, RUNS};
use super::reader::{Given, Reader};
use super::token::Token;
use super::{is_python, without_input};
use crate::resolve::Interp;
use crate::resolve::exec::{Call, base_name};
use crate::resolve::option_commands::is_shell;
use crate::resolve::taint::{TAINT_NETWORK, UNKNOWN};

/// Functions that read what is stored as objects, and run what it says on the way.
const UNPACKERS: &[&str] = &["pickle", "cpickle", "_pickle", "dill", "cloudpickle", "marshal", "joblib", "shelve"];
/// Methods that hand text to a process.
const TYPES: &[&str] = &["write", "communicate", "puts", "end", "send", "sendline", "writelines", "print", "printf"];

impl Interp<'_> {
    /// The path that `print > …` of awk writes to, where it is put together of several texts.
    pub(super) fn awk_target(&self, reader: &Reader<'_>, from: usize) -> Option<String> {
        let mut path = String::new();
        let mut pieces = 0_u8;
        let mut at = from;
        while let Some(token) = reader.tokens.get(at) {
            match token {
                Token::Text { text, .. } => path.push_str(text),
                Token::Word(word) if word == "ENVIRON" => {
                    let Some(Token::Text { text, .. }) = reader.tokens.get(at + 2) else { return None };
                    match self.variable(text) {
                        Some(value) => path.push_str(&value),
                        None if text == "HOME" => path.push_str(&self.places.home),
                        None => path.push(UNKNOWN),
                    }
                    at += 3;
                }
                Token::Word(word) => path.push_str(reader.values.get(word).map_or("", String::as_str)),
                // Only what is put together stands between brackets.
                Token::Sign('(') => {
                    pieces += 1;
                    at += 1;
                    continue;
                }
                Token::Sign(_) => break,
            }
            pieces = pieces.saturating_add(1);
            at += 1;
        }
        (pieces > 1 && path.len() < 4096).then_some(path)
    }

    /// Runs what the code is given to read, where it runs that itself: `exec(sys.stdin.read())`, `system($0)` of awk.
    pub(super) fn read_and_run(&mut self, language: &Language, reader: &Reader<'_>, call: &Call) {
        if call.stdin.is_empty() {
            return;
        }
        let read = names_read(language, reader);
        for (at, token) in reader.tokens.iter().enumerate() {
            let Token::Word(word) = token else { continue };
            let name = last_name(word);
            if call.stdin.contains(TAINT_NETWORK)
                && matches!(name.as_str(), "load" | "loads" | "unpickler")
                && word.split('.').any(|piece| UNPACKERS.contains(&piece.to_ascii_lowercase().as_str()))
            {
                let speculative = std::mem::replace(&mut self.speculative, true);
                self.runs_remote("objects from the network", call.span);
                self.speculative = speculative;
            }
            let evaluates = (EVALUATES.contains(&name.as_str()) || name == "load" && language.tongue == Tongue::Lua)
                && !matches!(name.as_str(), "compile" | "assert" | "vm")
                && (name != "function" || word == "Function")
                && (name != "exec" || is_python(language))
                && !matches!(word.as_str(), "re.exec" | "db.exec");
            let (from, to) = reader.arguments(at, language.bare);
            let inner = reader.tokens.get(from..reader.within(from, to)).unwrap_or_default();
            let by_shell = || inner.iter().any(|token| matches!(token, Token::Word(word) if word == "shell"));
            let starts = match name.as_str() {
                "run" | "call" | "check_call" | "check_output" | "popen" => word == "os.popen" || by_shell(),
                "command" | "execute" | "sh" | "getline" | "cmd" | "function" => false,
                "exec" => !is_python(language) && (language.bare || word.ends_with("child_process.exec")),
                name => RUNS.contains(&name),
            };
            if !evaluates && !starts {
                continue;
            }
            let runs_it = (from..reader.within(from, to)).any(|at| reads_input(reader, at))
                || inner.iter().any(|token| matches!(token, Token::Word(word) if read.contains(first_name(word))));
            // A line that is written out, into which something is put, is followed as such.
            let written = inner.iter().any(is_written_line);
            if !runs_it || written {
                continue;
            }
            if evaluates {
                self.run_code(language, &call.stdin.clone(), call);
            } else {
                self.subshell(|interp| interp.run_text(&call.stdin.clone(), &without_input(call)));
            }
        }
    }

    /// Runs what the code types into a shell that it has started before `from`: `print F "line"`, `p.stdin.write("line")`.
    pub(super) fn typed_into(&mut self, reader: &Reader<'_>, started: &Given, from: usize, call: &Call) {
        if !is_bare_shell(&started.texts) {
            return;
        }
        for (at, token) in reader.tokens.iter().enumerate().skip(from) {
            let Token::Word(word) = token else { continue };
            let name = last_name(word);
            let handle = matches!(reader.tokens.get(at + 1), Some(Token::Word(_)));
            let method = word.contains('.') && !word.contains("stdout") && !word.contains("stderr");
            let typed = if matches!(name.as_str(), "fwrite" | "fputs") {
                true
            } else {
                TYPES.contains(&name.as_str()) && (method || handle && matches!(name.as_str(), "print" | "printf"))
            };
            if !typed {
                continue;
            }
            let (from, to) = reader.arguments(at, true);
            for text in reader.own(from, to).texts {
                self.subshell(|interp| interp.run_text(&text, &without_input(call)));
            }
        }
    }
}

impl Reader<'_> {
    /// What a started program is given to read by `input="text"` or `input: "text"`, and where the arguments before that end.
    pub(super) fn input_given(&self, from: usize, to: usize) -> (usize, Option<String>) {
        let end = self.within(from, to);
        let named = (from..end).find(|at| {
            matches!(self.tokens.get(*at..at + 2), Some([Token::Word(word), Token::Sign('=' | ':')]) if word == "input" || word == "stdin_data")
        });
        let Some(at) = named else { return (to, None) };
        // `b"text"` has a word before it.
        let text = self.tokens.get(at + 2..end.min(at + 4)).unwrap_or_default().iter().find_map(|token| match token {
            Token::Text { text, .. } => Some(self.filled(text)),
            Token::Word(word) => self.values.get(word).cloned(),
            Token::Sign(_) => None,
        });
        (at, text)
    }
}

/// Whether a shell is started that does what it reads.
fn is_bare_shell(texts: &[String]) -> bool {
    let plain = |text: &&str| !matches!(*text, "" | "-" | "w" | "r" | "r+" | "w+" | "wb" | "wt" | "pipe");
    let mut words = texts.iter().flat_map(|text| text.trim_matches(['|', ' ']).split(' ')).filter(plain);
    words.next().is_some_and(|program| is_shell(&base_name(program)))
        && words.all(|word| word.starts_with('-') && word != "-c")
}

/// Whether a text is more of a command line than what stands between others.
fn is_written_line(token: &Token) -> bool {
    matches!(token, Token::Text { text, .. } if text.contains(' ') && !text.trim().is_empty())
}

/// The name at the beginning of a path of names: `line` of `line.strip`.
fn first_name(word: &str) -> &str {
    word.split('.').find(|piece| !piece.is_empty()).unwrap_or(word)
}

/// Whether standard input is read by what stands here.
fn reads_input(reader: &Reader<'_>, at: usize) -> bool {
    match reader.tokens.get(at) {
        Some(Token::Word(word)) => {
            let lower = word.to_ascii_lowercase();
            lower.split('.').any(|piece| matches!(piece, "stdin" | "argf" | "raw_input" | "gets"))
                || matches!(lower.as_str(), "input" | "io.read")
                || (last_name(word).starts_with("readfile") || lower == "open")
                    && matches!(
                        reader.tokens.get(at + 1..at + 4),
                        Some([Token::Sign('('), Token::Sign('0'), Token::Sign(')' | ',')])
                    )
        }
        Some(Token::Text { text, .. }) => matches!(text.as_str(), "/dev/stdin" | "php://stdin" | "/dev/fd/0"),
        // `<>` of Perl.
        Some(Token::Sign('<')) => reader.dollars && reader.tokens.get(at + 1) == Some(&Token::Sign('>')),
        _ => false,
    }
}

/// Variables that hold what was read, or something made of it.
fn names_read(language: &Language, reader: &Reader<'_>) -> BTreeSet<String> {
    let mut read = BTreeSet::new();
    if language.operand {
        // The fields of a line, and the line.
        read.extend(["0", "1", "2", "3", "NF"].map(str::to_owned));
    }
    for (at, token) in reader.tokens.iter().enumerate() {
        let Token::Word(name) = token else { continue };
        let next = reader.tokens.get(at + 1);
        let (names, from): (Vec<&String>, usize) = match (name.as_str(), next, reader.tokens.get(at + 2)) {
            (_, Some(Token::Sign('=')), after) if !matches!(after, Some(Token::Sign('=' | '>'))) => {
                (vec![name], at + 2)
            }
            ("for" | "foreach", Some(Token::Word(variable)), Some(Token::Word(word)))
                if word == "in" || word == "of" =>
            {
                (vec![variable], at + 3)
            }
            (word, Some(Token::Sign('(')), _) if word.ends_with("stdin.on") => {
                // `stdin.on("data", d => …)`, `stdin.on("data", function (d) { … })`
                let given = reader.tokens.get(at + 2..at + 9).unwrap_or_default();
                let names = given.iter().filter_map(|token| match token {
                    Token::Word(word) if word != "function" && !word.contains('.') => Some(word),
                    _ => None,
                });
                read.extend(names.take(1).cloned());
                continue;
            }
            _ => continue,
        };
        let end = reader
            .first(from, reader.tokens.len(), |at| {
                matches!(reader.tokens.get(at), Some(Token::Sign(';' | '\n' | '{' | '}')))
            })
            .unwrap_or(reader.tokens.len());
        let comes_from_it = (from..end).any(|at| {
            reads_input(reader, at)
                || matches!(reader.tokens.get(at), Some(Token::Word(word)) if read.contains(first_name(word)))
        });
        // A line that is written out, into which something is put, is followed as such.
        let written = reader.tokens.get(from..end).unwrap_or_default().iter().any(is_written_line);
        if comes_from_it && !written {
            read.extend(names.into_iter().cloned());
        }
    }
    read
}
