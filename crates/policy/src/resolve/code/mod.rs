//! Inline code of interpreters, read well enough to see what it removes, starts, reads, sends and decodes.
//!
//! The code is cut into words, strings and signs; calls are looked at with the strings that they are given. It is no parser of any
//! language: what is put together in a way that is not followed is not seen.

mod language;
mod powershell;
mod reader;
mod token;

use std::collections::BTreeMap;

use self::language::{DECODERS, EVALUATES, FETCHES, FILES, MODES, MOVES, READS, RUNS, TREES, WRITES};
pub(super) use self::language::{Language, VIM, language};
pub(super) use self::powershell::powershell;
use self::reader::{Given, MOST_ARGUMENTS, Reader};
use self::token::{MOST_TOKENS, Token, pairs, tokens};
use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::state::Data;

impl Interp<'_> {
    /// Follows inline code.
    pub(super) fn code(&mut self, language: &Language, code: &str, call: &Call) {
        let mut tokens = tokens(code, language);
        if tokens.len() >= MOST_TOKENS {
            self.give_up_at(call.span);
            return;
        }
        Self::decode_literals(&mut tokens);
        let pairs = pairs(&tokens);
        let mut reader =
            Reader { tokens: &tokens, pairs: &pairs, values: BTreeMap::new(), home: self.places.home.clone() };
        reader.assignments();
        self.reverse_shell(&tokens, call);
        let says = |wanted: &[&str]| {
            tokens.iter().any(
                |token| matches!(token, Token::Word(word) if wanted.contains(&word.rsplit('.').next().unwrap_or(word))),
            )
        };
        if says(&["fork"])
            && says(&["while", "loop", "forever"])
            && !says(&["waitpid", "wait", "break", "exit", "execv"])
        {
            self.act_at(Kind::ForkBomb, None, "code that forks without end".to_owned(), call.span);
        }
        for at in 0..tokens.len() {
            match tokens.get(at) {
                Some(Token::Text { text, backquoted: true }) if language.backquotes => {
                    let text = reader.filled(text);
                    self.subshell(|interp| interp.run_text(&text, call));
                }
                Some(Token::Word(word)) => self.code_call(language, &reader, at, word, call),
                // `getattr(os, "remove")(…)`, `fs["rmSync"](…)`: a name given as a text, and called.
                Some(Token::Text { text, backquoted: false }) if reader.calls_by_text(at) => {
                    let word = format!("os.{text}");
                    self.code_call(language, &reader, at + 1, &word, call);
                }
                // `File.send(:unlink, …)`
                Some(Token::Sign(':')) if matches!(at.checked_sub(2).and_then(|before| tokens.get(before)), Some(Token::Word(word)) if word.ends_with("send")) => {
                    if let Some(Token::Word(name)) = tokens.get(at + 1) {
                        let given = reader.given(at, at + 2, at + 2 + MOST_ARGUMENTS);
                        let kind = if TREES.contains(&name.as_str()) {
                            Some(Kind::DeleteTree)
                        } else if FILES.contains(&name.as_str()) {
                            Some(Kind::Delete)
                        } else {
                            None
                        };
                        if let Some(kind) = kind {
                            self.code_paths(kind, &given, call);
                        } else if RUNS.contains(&name.as_str()) || name == "exec" {
                            self.started(&given, call);
                        }
                    }
                }
                _ => {}
            }
        }
        if language.operand {
            self.awk(&tokens, &reader.values, call);
        }
    }

    /// One call: a name with what stands between the brackets after it, or a bare word with what follows on the line.
    fn code_call(&mut self, language: &Language, reader: &Reader<'_>, at: usize, word: &str, call: &Call) {
        let (receiver, name) =
            word.rsplit_once(['.', ':', '>']).map_or(("", word), |(receiver, name)| (receiver, name));
        let name = name.trim_end_matches(['!', '?']).to_ascii_lowercase();
        let receiver = receiver.to_ascii_lowercase();
        let (from, to) = reader.arguments(at);
        let bare = !matches!(reader.tokens.get(at + 1), Some(Token::Sign('(')));
        if from >= to && !reader.called_on_value(at) {
            return;
        }
        let given = reader.given(at, from, to);
        let is = |names: &[&str]| names.contains(&name.as_str());
        // `exec` is a program in some languages and code in others.
        let runs_code = is(EVALUATES)
            && (name != "exec" || is_python(language))
            && !is_method_of(&receiver, &["child_process", "cp", "re", "pattern", "db", "cursor"]);
        if runs_code && !bare {
            self.evaluated(language, reader, from, to, &given, call);
            return;
        }
        // A method `exec` of anything else is a query or a pattern.
        let exec = name == "exec"
            && (!word.starts_with('.') || reader.called_on_value(at))
            && (receiver.is_empty()
                || is_method_of(
                    &receiver,
                    &["child_process", "cp", "childprocess", "os", "process", "shell", "kernel", "sh", "execa"],
                ));
        if is(RUNS) || exec || (name == "script" && receiver.is_empty()) {
            // `require("child_process").execSync("x")`: what the method belongs to is no part of the command.
            let own = reader.own(from, to);
            self.act_at(Kind::CodeStarts, None, own.texts.first().cloned().unwrap_or_default(), call.span);
            self.started(if own.texts.is_empty() { &given } else { &own }, call);
        }
        if is(TREES) {
            self.code_paths(Kind::DeleteTree, &given, call);
        } else if is(FILES) && (touches_files(&receiver, &name) || reader.called_on_value(at)) {
            let tree = reader
                .tokens
                .get(from..to)
                .unwrap_or_default()
                .iter()
                .any(|token| matches!(token, Token::Word(word) if word.eq_ignore_ascii_case("recursive")));
            self.code_paths(if tree { Kind::DeleteTree } else { Kind::Delete }, &given, call);
        }
        if is(WRITES) {
            self.code_paths(Kind::Overwrite, &given, call);
        }
        if is(MOVES) && (touches_files(&receiver, &name) || reader.called_on_value(at)) {
            self.code_paths(Kind::Move, &given, call);
        }
        if is(MODES) && !receiver.is_empty() || (is(MODES) && !given.texts.is_empty()) {
            self.code_paths(Kind::Mode, &given, call);
        }
        if is(READS) {
            let mode = given.texts.get(1).map(String::as_str);
            let writes =
                name == "open" && mode.is_some_and(|mode| mode.len() <= 3 && mode.contains(['w', 'a', '+', 'x']));
            if writes {
                let first = Given {
                    texts: given.texts.iter().take(1).cloned().collect(),
                    joined: given.joined.iter().take(1).cloned().collect(),
                };
                self.code_paths(Kind::Overwrite, &first, call);
            } else {
                for path in given.texts.iter().chain(&given.joined) {
                    let path = path.trim_start_matches(['<', ' ']);
                    self.reads(path, call);
                }
            }
        }
    }

    /// Text that the code evaluates.
    fn evaluated(
        &mut self,
        language: &Language,
        reader: &Reader<'_>,
        from: usize,
        to: usize,
        given: &Given,
        call: &Call,
    ) {
        let inner = reader.tokens.get(from..to).unwrap_or_default();
        let words = |names: &[&str]| {
            inner.iter().any(|token| match token {
                Token::Word(word) => {
                    word.split(['.', ':']).any(|piece| names.contains(&piece.to_ascii_lowercase().as_str()))
                }
                _ => false,
            })
        };
        if words(FETCHES) {
            self.act_at(Kind::RunRemote, None, "code from the network".to_owned(), call.span);
        }
        if given.joined.is_empty() && words(DECODERS) {
            self.act_at(Kind::RunHidden, None, "decoded code".to_owned(), call.span);
        }
        if self.depth >= super::MOST_DEPTH {
            self.give_up_at(call.span);
            return;
        }
        self.depth += 1;
        for text in given.joined.iter().take(1) {
            self.nested += text.len();
            if self.nested < super::MOST_NESTED {
                self.code(language, text, call);
            }
        }
        self.depth -= 1;
    }

    /// A program that the code starts: one text for a shell, or a list of arguments.
    fn started(&mut self, given: &Given, call: &Call) {
        let inner = Call { stdin: Data::from(""), span: call.span };
        match given.texts.as_slice() {
            [] => {
                for text in &given.joined {
                    self.subshell(|interp| interp.run_text(text, &inner));
                }
            }
            [only] => {
                let text = given.joined.first().unwrap_or(only).clone();
                self.subshell(|interp| interp.run_text(&text, &inner));
            }
            several => {
                let first = several.first().cloned().unwrap_or_default();
                if first.contains(' ') {
                    // The further texts are options of the call.
                    let text = given.joined.first().unwrap_or(&first).clone();
                    self.subshell(|interp| interp.run_text(&text, &inner));
                } else {
                    // `execl(path, argv0, …)` gives the name twice.
                    let argv: Vec<String> = several.to_vec();
                    let skip = usize::from(
                        argv.len() > 2
                            && argv.first().map(|path| super::exec::base_name(path))
                                == argv.get(1).map(|name| super::exec::base_name(name)),
                    );
                    let argv = argv.get(skip..).unwrap_or_default();
                    self.subshell(|interp| interp.exec(argv, &inner));
                }
            }
        }
    }

    fn code_paths(&mut self, kind: Kind, given: &Given, call: &Call) {
        for path in given.joined.iter().chain(given.texts.iter().filter(|text| !given.joined.contains(text))) {
            if looks_like_path(path) {
                self.act_on(kind, path, call.span);
            }
        }
    }

    fn reverse_shell(&mut self, tokens: &[Token], call: &Call) {
        let mut socket = false;
        let mut shell = false;
        let mut joins = false;
        for token in tokens {
            match token {
                Token::Word(word) => {
                    let lower = word.to_ascii_lowercase();
                    socket |= lower.contains("socket")
                        || lower.contains("net.connect")
                        || lower.contains("fsockopen")
                        || lower.contains("createconnection");
                    joins |= lower.ends_with("dup2")
                        || lower.ends_with("pty.spawn")
                        || lower.contains("pipe")
                        || lower.ends_with("exec")
                        || lower.ends_with("fdopen")
                        || lower.ends_with("open");
                    shell |= lower == "qx";
                }
                Token::Text { text, .. } => {
                    shell |= matches!(
                        text.as_str(),
                        "/bin/sh" | "/bin/bash" | "sh" | "bash" | "cmd.exe" | "/bin/zsh" | "powershell.exe"
                    ) || text.starts_with("/bin/sh -")
                        || text.starts_with("/bin/bash -");
                }
                Token::Sign(_) => {}
            }
        }
        if socket && shell && joins {
            self.act_at(Kind::RemoteShell, None, "a shell on a socket".to_owned(), call.span);
        }
    }

    /// What only `awk` has: a text piped into a command, and one read from a command.
    fn awk(&mut self, tokens: &[Token], values: &BTreeMap<String, String>, call: &Call) {
        for (at, token) in tokens.iter().enumerate() {
            let text = match token {
                Token::Text { text, .. } => text,
                Token::Word(word) => match values.get(word) {
                    Some(text) => text,
                    None => continue,
                },
                Token::Sign(_) => continue,
            };
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            let after = tokens.get(at + 1);
            if before == Some(&Token::Sign('|')) || after == Some(&Token::Sign('|')) {
                self.subshell(|interp| interp.run_text(text, call));
            } else if before == Some(&Token::Sign('>')) {
                self.written_file(text, false, call.span);
            } else if before == Some(&Token::Sign('<')) {
                self.reads(text, call);
            }
        }
    }

    /// Strings that a decoder is given become what they stand for.
    fn decode_literals(tokens: &mut [Token]) {
        for at in 0..tokens.len() {
            let Some(Token::Word(word)) = tokens.get(at) else { continue };
            let name = word.rsplit(['.', ':']).next().unwrap_or(word).to_ascii_lowercase();
            if !DECODERS.contains(&name.as_str()) {
                continue;
            }
            for ahead in at + 1..(at + 4).min(tokens.len()) {
                if let Some(Token::Text { text, .. }) = tokens.get_mut(ahead) {
                    let decoded = super::filter::decode_base64(text);
                    if let Some(decoded) =
                        decoded.filter(|decoded| decoded.chars().all(|c| !c.is_control() || c.is_whitespace()))
                    {
                        *text = decoded;
                    }
                    break;
                }
            }
        }
    }
}

fn is_python(language: &Language) -> bool {
    language.names.contains(&"python")
}

fn is_method_of(receiver: &str, names: &[&str]) -> bool {
    receiver.split(['.', ':', '>']).any(|piece| names.contains(&piece))
}

/// Whether a method with a common name belongs to files: `os.remove` does, `list.remove` does not.
fn touches_files(receiver: &str, name: &str) -> bool {
    const OWNERS: &[&str] = &[
        "os",
        "fs",
        "file",
        "fileutils",
        "path",
        "shutil",
        "dir",
        "deno",
        "promises",
        "fsp",
        "pathlib",
        "io",
        "pathname",
        "system",
        "directory",
        "posix",
        "fsextra",
        "fse",
        "bun",
    ];
    receiver.is_empty() && !matches!(name, "delete" | "remove" | "replace" | "move" | "copy")
        || is_method_of(receiver, OWNERS)
        || receiver.contains("fs")
        || receiver.ends_with("path")
        || receiver.ends_with(')')
}

fn looks_like_path(text: &str) -> bool {
    !text.is_empty()
        && text.len() < 4096
        && !text.contains(['\n', '\t'])
        && (text.contains(['/', '~', '.', '\\']) || text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-'))
}
