//! Inline code of interpreters, read well enough to see what it removes, starts, reads, sends and decodes.
//!
//! The code is cut into words, strings and signs; calls are looked at with the strings that they are given. It is no parser of any
//! language: what is put together in a way that is not followed is not seen.

mod aliases;
mod callbacks;
mod fold;
mod heuristics;
mod input;
mod language;
mod operands;
mod own;
mod powershell;
mod printed;
mod reader;
mod shown;
mod tcl;
mod token;

use std::collections::BTreeMap;

pub(super) use self::language::language;
use self::language::{DECODERS, EVALUATES, FETCHES, FILES, HIDES, MODES, MOVES, READS, RUNS, TREES, WRITES};
pub(super) use self::powershell::{cmd, hides, powershell};
use self::reader::{Given, MOST_ARGUMENTS, Reader};
use self::token::{MOST_TOKENS, Token, pairs, tokens};
use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::state::Data;
use crate::programs::Tongue;
pub(super) use crate::programs::{Language, VIM};

/// Items of lists that a code's loops go through, which are looked at one by one.
const MOST_ITEMS: usize = 8;
/// Words of a code that are read for all items together.
const MOST_WORDS_WITH_ITEMS: usize = 1 << 18;

impl Interp<'_> {
    /// Follows inline code.
    pub(super) fn code(&mut self, language: &Language, code: &str, call: &Call) {
        if language.commands {
            self.tcl(code, call);
        }
        let tokens = self.prepared(language, code);
        if tokens.len() >= MOST_TOKENS {
            self.give_up_at(call.span);
            return;
        }
        let args = std::mem::take(&mut self.code_args);
        let pairs = pairs(&tokens);
        let mut reader = self.reader_of(language, &tokens, &pairs);
        self.read_and_run(language, &reader, call);
        self.code_signs(language, &reader, call);
        self.code_shows_variables(&reader, call);
        self.own_in_code(&reader, call);
        self.reads_listed(&tokens, call);
        self.code_calls(language, &reader, call);
        // What a loop goes through is looked at item by item, where texts are put together with it: the first of all, and those that a rule
        // may care about.
        let mut items: Vec<(String, String)> = Vec::new();
        for (name, texts) in &reader.several {
            let mut texts = texts.clone();
            self.cut(&mut texts, MOST_ITEMS, call.span);
            items.extend(texts.into_iter().map(|text| (name.clone(), text)));
        }
        if items.len().saturating_mul(tokens.len()) > MOST_WORDS_WITH_ITEMS {
            items.retain(|(_, text)| !text.starts_with('-') && self.is_telling_value(text));
        }
        if items.len().saturating_mul(tokens.len()) > MOST_WORDS_WITH_ITEMS {
            self.beyond(call.span);
            items.clear();
        }
        for (name, text) in items {
            reader.several.remove(&name);
            reader.values.insert(name, text);
            self.code_calls(language, &reader, call);
        }
        if language.operand {
            self.awk(&reader, call);
        }
        self.code_args = args;
        if reader.beyond.get() {
            self.beyond(call.span);
        }
    }

    /// The words of a code, made plain: what comes from outside in its place, texts decoded and put together.
    fn prepared(&self, language: &Language, code: &str) -> Vec<Token> {
        // The names of no other functions hold a slash that matters.
        let plain =
            if language.lisp { code.replace("delete-directory/files", "delete-directory") } else { String::new() };
        let tokens = tokens(if language.lisp { &plain } else { code }, language);
        if tokens.len() >= MOST_TOKENS {
            return tokens;
        }
        let mut tokens = fold::given_from_outside(&tokens, language, &self.code_args, &|name| {
            self.variable(name)
                .map(|value| value.to_string())
                .or_else(|| (name == "HOME").then(|| self.places.home.clone()))
        });
        Self::decode_literals(&mut tokens);
        let mut tokens = fold::put_together(tokens, language);
        fold::other_names(&mut tokens);
        tokens
    }

    /// What is known of a code's variables.
    fn reader_of<'t>(&self, language: &Language, tokens: &'t [Token], pairs: &'t [usize]) -> Reader<'t> {
        let mut reader = Reader {
            tokens,
            pairs,
            values: BTreeMap::new(),
            several: BTreeMap::new(),
            home: self.places.home.clone(),
            further: Reader::all_further(),
            beyond: std::cell::Cell::new(false),
            dollars: matches!(language.tongue, Tongue::Perl | Tongue::Php),
        };
        for (name, value) in self.code_values.iter().filter(|_| language.operand || language.loops) {
            reader.values.insert(name.clone(), value.clone());
        }
        reader.assignments();
        reader.loops();
        reader
    }

    /// The calls of a code, with what is known of its variables.
    fn code_calls(&mut self, language: &Language, reader: &Reader<'_>, call: &Call) {
        for at in 0..reader.tokens.len() {
            match reader.tokens.get(at) {
                Some(Token::Text { text, backquoted: true })
                    if language.backquotes
                        // `$\`line\`` of JavaScript.
                        || matches!(at.checked_sub(1).and_then(|before| reader.tokens.get(before)), Some(Token::Word(word)) if word.is_empty()) =>
                {
                    for text in reader.each_filled(text) {
                        self.subshell(|interp| interp.run_text(&text, call));
                    }
                }
                Some(Token::Word(word)) => self.code_call(language, reader, at, word, call),
                // `getattr(os, "remove")(…)`, `fs["rmSync"](…)`: a name given as a text, and called.
                Some(Token::Text { text, backquoted: false }) if reader.calls_by_text(at) => {
                    let word = format!("os.{text}");
                    self.code_call(language, reader, at + 1, &word, call);
                }
                // `"line".execute()` of Groovy, `"line".!` of Scala.
                Some(Token::Text { text, backquoted: false })
                    if matches!(reader.tokens.get(at + 1), Some(Token::Word(word)) if word == ".execute")
                        || matches!(reader.tokens.get(at + 1..at + 3), Some([Token::Sign('.'), Token::Sign('!')])) =>
                {
                    let text = reader.filled(text);
                    self.subshell(|interp| interp.run_text(&text, call));
                }
                // `File.send(:unlink, …)`
                Some(Token::Sign(':')) if matches!(at.checked_sub(2).and_then(|before| reader.tokens.get(before)), Some(Token::Word(word)) if word.ends_with("send")) => {
                    if let Some(Token::Word(name)) = reader.tokens.get(at + 1) {
                        let given = reader.given(at, at + 2, at + 2 + MOST_ARGUMENTS);
                        self.handed_on(name, &given, call);
                    }
                }
                _ => {}
            }
        }
    }

    #[allow(
        clippy::too_many_lines,
        reason = "one case after another, each of a few lines, in the order in which they are asked"
    )]
    /// One call: a name with what stands between the brackets after it, or a bare word with what follows on the line.
    fn code_call(&mut self, language: &Language, reader: &Reader<'_>, at: usize, word: &str, call: &Call) {
        let (receiver, name) =
            word.rsplit_once(['.', ':', '>']).map_or(("", word), |(receiver, name)| (receiver, name));
        let name = name.trim_end_matches(['!', '?']).to_ascii_lowercase();
        let receiver = receiver.to_ascii_lowercase();
        if self.named_by_text(language, reader, at, &name, call) {
            return;
        }
        self.function_given(language, reader, at, &receiver, &name, call);
        let telling = language.bare
            && ([RUNS, TREES, FILES, READS, MODES, MOVES, WRITES, EVALUATES]
                .iter()
                .any(|names| names.contains(&name.as_str()))
                || name == "exec");
        if language.loops && self.perl_form(language, reader, at, &name, call) {
            return;
        }
        self.of_known_path(reader, &name, word, call);
        let (from, to) = match reader.arguments(at, telling || name == "chdir" && language.bare) {
            // `chmod 0, "file"`: a number stands first, and no bracket.
            (from, to) if from >= to && language.bare && is_mode(&name) => (at + 1, reader.end_of_statement(at + 1)),
            range => range,
        };
        let bare = !matches!(reader.tokens.get(at + 1), Some(Token::Sign('(')));
        if matches!(name.as_str(), "kill" | "killpg" | "posix_kill")
            && !word.starts_with('.')
            && is_method_of(&receiver, &["os", "process", "posix", ""])
        {
            let range = if bare && language.bare { (at + 1, reader.end_of_statement(at + 1)) } else { (from, to) };
            self.ends_processes(language, reader, range, call);
        }
        if from >= to && !reader.called_on_value(at) {
            return;
        }
        let given = reader.given(at, from, to);
        let is = |names: &[&str]| names.contains(&name.as_str());
        if language.backquotes && is(&["open", "popen"]) && self.opened_pipe(&given, call) {
            self.typed_into(reader, &given, to, call);
            return;
        }
        let imports = |pair: &[Token]| matches!(pair, [Token::Word(first), Token::Word(second)] if first == "import" && second == "sh");
        if receiver == "sh" && is_python(language) && reader.tokens.windows(2).any(imports) {
            // The module `sh`: each of its functions is a program.
            let argv: Vec<String> = std::iter::once(name.clone()).chain(reader.own(from, to).texts).collect();
            self.subshell(|interp| interp.exec(&argv, &without_input(call)));
            return;
        }
        if is(&["chdir", "setwd"]) && !given.joined.is_empty() {
            // The code goes there, and what follows is seen from there.
            self.cd(given.joined.get(..1).unwrap_or_default());
            return;
        }
        // `exec` is a program in some languages and code in others.
        let runs_code = (is(EVALUATES) || name == "load" && language.tongue == Tongue::Lua)
            && (name != "exec" || is_python(language))
            && !is_method_of(&receiver, &["child_process", "cp", "re", "pattern", "db", "cursor"]);
        if runs_code && (!bare || language.bare) {
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
        // `cursor.execute("select …")` is for a database.
        let query = name == "execute" && given.texts.first().is_some_and(|text| is_statement(text));
        if !query && is(RUNS) || exec || (name == "script" && receiver.is_empty()) {
            // `require("child_process").execSync("x")`: what the method belongs to is no part of the command.
            let (end, input) = reader.input_given(from, to);
            let own = reader.own(from, end);
            self.act_at(Kind::CodeStarts, None, own.texts.first().cloned().unwrap_or_default(), call.span);
            let inner = Call { stdin: Data::from(input.unwrap_or_default()), span: call.span };
            self.started(if own.texts.is_empty() { &given } else { &own }, &inner);
            self.typed_into(reader, &own, to, call);
        }
        // `require("rimraf").sync(path)`
        let rimraf = name == "sync"
            && reader.tokens.iter().any(|token| matches!(token, Token::Text { text, .. } if text == "rimraf"));
        if is(TREES) || rimraf {
            let own = if rimraf { reader.own(from, to) } else { given };
            self.code_paths(Kind::DeleteTree, &own, call);
            return;
        }
        if is(FILES) && (touches_files(&receiver, &name) || reader.called_on_value(at)) {
            let tree = reader.tokens.get(from..to).unwrap_or_default().iter().any(|token| match token {
                Token::Word(word) => word.eq_ignore_ascii_case("recursive"),
                // `rm("-rf", path)`
                Token::Text { text, .. } => text.starts_with('-') && text.len() < 5 && text.contains(['r', 'R']),
                Token::Sign(_) => false,
            });
            self.code_paths(if tree { Kind::DeleteTree } else { Kind::Delete }, &given, call);
        }
        if is(WRITES) || name == "write" && matches!(receiver.as_str(), "file" | "bun") && given.texts.len() > 1 {
            self.code_paths(Kind::Overwrite, &given, call);
            if let [path, content] = given.texts.as_slice() {
                self.git_file_written(path, content, call.span);
                self.store(path, &Data::from(content.as_str()));
            }
        }
        if is(&["link", "linksync", "hardlink_to"])
            && let Some(secret) = given.texts.iter().find(|text| self.is_secret_path(text))
        {
            // The other name says nothing of what it is.
            self.act_at(Kind::SecretCopy, None, super::shown(secret), call.span);
        }
        if is(MOVES) && (touches_files(&receiver, &name) || reader.called_on_value(at)) {
            self.code_paths(Kind::Move, &given, call);
        }
        self.extracts(reader, &name, (from, to), call);
        if is(MODES) && (!receiver.is_empty() || !given.texts.is_empty()) {
            self.code_paths(Kind::Mode, &given, call);
            self.modes_above(reader, word, (from, to), &given, call);
        }
        if is(READS) || name == "new" && receiver == "file" {
            self.opened(language, reader, &name, (from, to), given, call);
        }
    }

    /// A method of a variable that holds a path.
    fn of_known_path(&mut self, reader: &Reader<'_>, name: &str, word: &str, call: &Call) {
        // `p.unlink()`, where `p` is a path that is known.
        if matches!(name, "unlink" | "rmdir" | "write_text" | "write_bytes" | "rmtree" | "remove_tree")
            && let Some(path) = word.rsplit_once('.').and_then(|(of, _)| reader.values.get(of))
        {
            let kind = match name {
                "unlink" | "rmdir" => Kind::Delete,
                "rmtree" | "remove_tree" => Kind::DeleteTree,
                _ => Kind::Overwrite,
            };
            let given = Given { texts: vec![path.clone()], joined: Vec::new() };
            self.code_paths(kind, &given, call);
        }
    }

    /// Forms of a call that only Perl has: the program in a block, and what is done to `$_` without naming it.
    fn perl_form(&mut self, language: &Language, reader: &Reader<'_>, at: usize, name: &str, call: &Call) -> bool {
        if matches!(name, "system" | "exec")
            && let Some(close) = reader.block_after(at)
            && let Some(program) = reader.own(at + 2, close).texts.first()
        {
            // `system { program } name, argument`: the list has a name of its own for the program.
            let (from, to) = reader.arguments(close, true);
            let mut argv = reader.own(from, to).texts;
            argv.splice(..usize::from(!argv.is_empty()), [program.clone()]);
            self.act_at(Kind::CodeStarts, None, program.clone(), call.span);
            self.subshell(|interp| interp.exec(&argv, call));
            return true;
        }
        if matches!(name, "find" | "finddepth") {
            // `find(sub { unlink }, "/home")` of File::Find.
            let (from, to) = reader.arguments(at, true);
            let removes = |token: &Token| matches!(token, Token::Word(word) if matches!(word.as_str(), "unlink" | "rmdir" | "rmtree" | "remove_tree"));
            let inner = reader.tokens.get(from..to).unwrap_or_default();
            if inner.iter().any(removes) {
                self.code_paths(Kind::DeleteTree, &reader.own(from, to), call);
                return true;
            }
        }
        if matches!(name, "eval" | "system" | "exec") && reader.ends_after(at) {
            // `$_` is what is meant.
            for text in reader.value_of_it() {
                self.subshell(|interp| {
                    if name == "eval" {
                        interp.run_code(language, &text, call);
                    } else {
                        drop(interp.run_text(&text, call));
                    }
                });
            }
            return true;
        }
        if matches!(name, "unlink" | "rmdir") && reader.ends_after(at) {
            let texts = reader.value_of_it();
            let joined = texts.clone();
            self.code_paths(Kind::Delete, &Given { texts, joined }, call);
            return true;
        }
        false
    }

    /// Files that a call opens, or reads as a whole.
    fn opened(
        &mut self,
        language: &Language,
        reader: &Reader<'_>,
        name: &str,
        (from, to): (usize, usize),
        mut given: Given,
        call: &Call,
    ) {
        let opens = matches!(name, "open" | "opensync" | "fopen" | "new" | "sysopen");
        let mut writes = opens && reader.names_writing(from, to);
        if opens && language.loops {
            // `open(F, ">", "path")`, `open F, ">path"`: the mode stands before the path.
            let mode = given.texts.first().map_or("", |first| first.trim_start());
            let path = mode.trim_start_matches(['+', '>', '<', ' ']);
            writes |= mode.starts_with('>') || mode.starts_with('+');
            if path.len() < mode.len() {
                let path = path.to_owned();
                given.texts.remove(0);
                if !path.is_empty() && !path.starts_with(['&', ':']) {
                    given.texts.insert(0, path);
                }
                given.joined = given.texts.iter().take(1).cloned().collect();
            }
        }
        let mode = given.texts.get(1).map(String::as_str);
        writes |= opens && mode.is_some_and(|mode| mode.len() <= 3 && mode.contains(['w', 'a', '+', 'x', 'c']));
        if writes {
            let first = Given {
                texts: given.texts.iter().take(1).cloned().collect(),
                joined: given.joined.iter().take(1).cloned().collect(),
            };
            self.code_paths(Kind::Overwrite, &first, call);
            if let (Some(path), Some(content)) = (first.texts.first(), reader.written_after(to)) {
                self.git_file_written(path, &content, call.span);
                self.store(path, &Data::from(content.as_str()));
            }
            return;
        }
        for path in given.texts.iter().chain(&given.joined) {
            let path = path.trim_start_matches(['<', ' ']);
            self.reads(path, call);
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
        if words(HIDES) {
            self.act_at(Kind::RunHidden, None, "code that is packed".to_owned(), call.span);
        }
        if words(FETCHES) {
            self.runs_remote("code from the network", call.span);
        }
        if given.joined.is_empty() && words(DECODERS) {
            self.act_at(Kind::RunHidden, None, "decoded code".to_owned(), call.span);
        }
        if self.depth >= super::MOST_DEPTH {
            self.give_up_at(call.span);
            return;
        }
        self.depth += 1;
        for text in &given.joined {
            self.nested += text.len();
            if self.nested < super::MOST_NESTED {
                self.code(language, text, call);
            }
        }
        self.depth -= 1;
    }

    /// A program that the code starts, with what it is given to read: one text for a shell, or a list of arguments.
    fn started(&mut self, given: &Given, inner: &Call) {
        // What is put together of nothing and something is the something.
        let texts: Vec<String> = given.texts.iter().filter(|text| !text.is_empty()).cloned().collect();
        match texts.as_slice() {
            [] => {
                for text in &given.joined {
                    self.subshell(|interp| interp.run_text(text, inner));
                }
            }
            [only] => {
                let text = given.joined.first().unwrap_or(only).clone();
                self.subshell(|interp| interp.run_text(&text, inner));
                if !super::taint::is_literal(&text) {
                    // Whatever else is put together with it, this much is known.
                    self.subshell(|interp| interp.run_text(only, inner));
                }
            }
            several => {
                let first = several.first().cloned().unwrap_or_default();
                if first.contains(' ') {
                    // The further texts are options of the call.
                    let text = given.joined.first().unwrap_or(&first).clone();
                    self.subshell(|interp| interp.run_text(&text, inner));
                    if !super::taint::is_literal(&text) {
                        self.subshell(|interp| interp.run_text(&first, inner));
                    }
                } else {
                    // `execl(path, argv0, …)` gives the name twice.
                    let argv: Vec<String> = several.to_vec();
                    let skip = usize::from(
                        argv.len() > 2
                            && argv.first().map(|path| super::exec::base_name(path))
                                == argv.get(1).map(|name| super::exec::base_name(name)),
                    );
                    let argv = argv.get(skip..).unwrap_or_default();
                    self.subshell(|interp| interp.exec(argv, inner));
                }
            }
        }
    }

    /// `open(F, "line |")`, `open F, "|line"`, `open(F, "-|", "program", …)`: a pipe to or from a program.
    fn opened_pipe(&mut self, given: &Given, call: &Call) -> bool {
        let mut texts = given.texts.iter();
        let Some(at) = texts.position(|text| text.contains('|')) else { return false };
        let Some(first) = given.texts.get(at) else { return false };
        let rest = given.texts.get(at + 1..).unwrap_or_default();
        if matches!(first.trim(), "-|" | "|-") {
            let given = Given { texts: rest.to_vec(), joined: rest.get(..1).unwrap_or_default().to_vec() };
            self.started(&given, &without_input(call));
            return true;
        }
        let line = first.trim().strip_prefix('|').or_else(|| first.trim().strip_suffix('|'));
        if let Some(line) = line {
            self.subshell(|interp| interp.run_text(line.trim(), call));
        }
        line.is_some()
    }

    fn code_paths(&mut self, kind: Kind, given: &Given, call: &Call) {
        let further = given.texts.iter().filter(|text| !given.joined.contains(text));
        // A list that the guard's files are among is one of several lines, each of which is a path.
        let lines = given.joined.iter().chain(further).flat_map(|path| {
            let is_list = path.contains(super::taint::PROTECTED_ITEM);
            path.split(move |c| is_list && matches!(c, '\n' | '\0'))
        });
        for path in lines.filter(|path| !path.is_empty()) {
            if looks_like_path(path) {
                // A path with an active star is one for a function that lists what fits.
                let path = if path.contains('*') { super::taint::activate_globs(path) } else { path.to_owned() };
                self.act_on(kind, &path, call.span);
            }
        }
    }

    /// What only `awk` has: a text piped into a command, and one read from a command.
    fn awk(&mut self, reader: &Reader<'_>, call: &Call) {
        let tokens = reader.tokens;
        for (at, token) in tokens.iter().enumerate() {
            if *token == Token::Sign('>') {
                // `> "dir" "/name"`, `> (a b)`: what stands beside each other is put together.
                if let Some(path) = self.awk_target(reader, at + 1) {
                    self.written_file(&path, false, call.span);
                }
            }
            let text = match token {
                Token::Text { text, .. } => Some(text),
                Token::Word(name) => reader.values.get(name),
                Token::Sign(_) => None,
            };
            let Some(text) = text else { continue };
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
            let codec = word == "codecs.decode"
                && tokens
                    .iter()
                    .skip(at)
                    .take(6)
                    .any(|token| matches!(token, Token::Text { text, .. } if text.starts_with("rot")));
            if !DECODERS.contains(&name.as_str()) && !codec {
                continue;
            }
            for ahead in at + 1..(at + 6).min(tokens.len()) {
                if let Some(Token::Text { text, .. }) = tokens.get_mut(ahead) {
                    // `pack("H*", …)`: the first text is the form.
                    if text.contains('*') {
                        text.clear();
                        continue;
                    }
                    let hex =
                        text.len() > 3 && text.len() % 2 == 0 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
                    let decoded = if codec || name.contains("rot13") {
                        Some(rot13(text))
                    } else if hex {
                        super::printed::decode_hex(text)
                    } else {
                        super::printed::decode_base64(text)
                    };
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

/// Each letter of the alphabet moved by half of it.
fn rot13(text: &str) -> String {
    let turn = |c: char, first: u8| {
        u32::from(c)
            .checked_sub(u32::from(first))
            .and_then(|at| char::from_u32((at + 13) % 26 + u32::from(first)))
            .unwrap_or(c)
    };
    text.chars()
        .map(|c| match c {
            'a'..='z' => turn(c, b'a'),
            'A'..='Z' => turn(c, b'A'),
            c => c,
        })
        .collect()
}

/// A call that is given nothing to read.
fn without_input(call: &Call) -> Call {
    Call { stdin: Data::from(""), span: call.span }
}

/// Whether a text is a statement for a database, by its first word.
fn is_statement(text: &str) -> bool {
    const VERBS: &[&str] = &["select", "insert", "with", "update", "create", "alter", "pragma", "explain"];
    let first = text.split_whitespace().next().unwrap_or_default();
    VERBS.iter().any(|verb| first.eq_ignore_ascii_case(verb))
}

fn is_mode(name: &str) -> bool {
    MODES.contains(&name)
}

fn is_python(language: &Language) -> bool {
    language.tongue == Tongue::Python
}

fn is_method_of(receiver: &str, names: &[&str]) -> bool {
    receiver.split(['.', ':', '>']).any(|piece| names.contains(&piece))
}

/// Whether a method with a common name belongs to files: `os.remove` does, `list.remove` does not.
fn touches_files(receiver: &str, name: &str) -> bool {
    const OWNERS: &[&str] = &[
        "os", "fs", "file", "fileutils", "path", "shutil", "dir", "deno", "promises", "fsp", "pathlib", "io",
        "pathname", "system", "directory", "posix", "fsextra", "fse", "bun",
    ];
    // No other kind of thing has these.
    matches!(name, "rmsync" | "unlinksync" | "rmdirsync" | "truncatesync" | "removeitem" | "removefile" | "delete-file")
        || receiver.is_empty() && !matches!(name, "delete" | "remove" | "replace" | "move" | "copy")
        || is_method_of(receiver, OWNERS)
        || receiver.contains("fs")
        || receiver.ends_with("path")
        || receiver.ends_with(')')
}

fn looks_like_path(text: &str) -> bool {
    !text.is_empty()
        && text.len() < 4096
        && !text.contains(['\n', '\t'])
        && (text.contains(['/', '~', '.', '\\'])
            || text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-' || super::taint::is_placeholder(c)))
}
