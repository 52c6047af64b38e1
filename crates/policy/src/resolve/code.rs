//! Inline code of interpreters, read well enough to see what it removes, starts, reads, sends and decodes.
//!
//! The code is cut into words, strings and signs; calls are looked at with the strings that they are given. It is no parser of any
//! language: what is put together in a way that is not followed is not seen.

use std::collections::BTreeMap;

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::state::Data;
use super::value::HOLE;
use crate::path::Place;

/// How an interpreter takes code on its command line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Language {
    pub(super) names: &'static [&'static str],
    /// Options whose value is code.
    pub(super) code: &'static [&'static str],
    /// Other options with a value.
    pub(super) values: &'static [&'static str],
    /// Words before the code.
    pub(super) verbs: &'static [&'static str],
    /// The first operand is code.
    pub(super) operand: bool,
    /// Backquotes start a program.
    pub(super) backquotes: bool,
    /// What begins a comment.
    pub(super) comment: &'static str,
}

const BASE: Language =
    Language { names: &[], code: &[], values: &[], verbs: &[], operand: false, backquotes: false, comment: "#" };

const LANGUAGES: &[Language] = &[
    Language {
        names: &["python", "python2", "python3", "pypy", "pypy3", "py", "ipython", "micropython", "sage"],
        code: &["-c"],
        values: &["-m", "-W", "-X", "-Q"],
        ..BASE
    },
    Language {
        names: &["node", "nodejs", "bun", "tsx", "ts-node", "qjs"],
        code: &["-e", "--eval", "-p", "--print", "-pe"],
        values: &["-r", "--require", "--import", "--loader"],
        comment: "//",
        ..BASE
    },
    Language { names: &["deno"], verbs: &["eval"], operand: true, comment: "//", ..BASE },
    Language {
        names: &["perl"],
        code: &["-e", "-E"],
        values: &["-I", "-M", "-m", "-F", "-i", "-0"],
        backquotes: true,
        ..BASE
    },
    Language { names: &["ruby", "jruby", "irb"], code: &["-e"], values: &["-r", "-I", "-C"], backquotes: true, ..BASE },
    Language {
        names: &["php"],
        code: &["-r", "-B", "-R", "-E"],
        values: &["-d", "-c", "-S", "-t"],
        backquotes: true,
        comment: "//",
        ..BASE
    },
    Language { names: &["lua", "luajit"], code: &["-e"], values: &["-l"], comment: "--", ..BASE },
    Language { names: &["r", "rscript", "littler"], code: &["-e"], values: &["--file"], ..BASE },
    Language {
        names: &["julia"],
        code: &["-e", "-E", "--eval", "--print"],
        values: &["-L", "-p", "--project"],
        ..BASE
    },
    Language { names: &["osascript"], code: &["-e"], values: &["-l"], comment: "--", ..BASE },
    Language {
        names: &[
            "tclsh",
            "wish",
            "guile",
            "racket",
            "elixir",
            "iex",
            "erl",
            "escript",
            "groovy",
            "scala",
            "swift",
            "ghc",
            "runghc",
            "clojure",
            "clj",
            "bb",
            "sbcl",
            "emacsclient",
            "jshell",
            "crystal",
            "nim",
            "raku",
            "expect",
            "gjs",
            "osqueryi",
        ],
        code: &["-e", "-c", "--eval", "-eval", "--execute"],
        values: &[],
        ..BASE
    },
    Language {
        names: &["awk", "gawk", "mawk", "nawk", "original-awk", "goawk"],
        code: &["-e", "--source"],
        values: &["-F", "-v", "-f", "-i", "--field-separator", "--assign", "--file"],
        operand: true,
        ..BASE
    },
];

/// Vim's own script.
pub(super) const VIM: &Language = &Language { comment: "\u{0}", ..BASE };

/// The language of an interpreter; versions in its name do not matter.
pub(super) fn language(program: &str) -> Option<&'static Language> {
    let stem = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    LANGUAGES
        .iter()
        .find(|language| language.names.contains(&program) || (stem.len() > 1 && language.names.contains(&stem)))
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Text { text: String, backquoted: bool },
    Sign(char),
}

/// Words of code that are looked at.
const MOST_TOKENS: usize = 20_000;
/// Words of one call's arguments that are looked at.
const MOST_ARGUMENTS: usize = 64;

const RUNS: &[&str] = &[
    "system",
    "popen",
    "popen2",
    "popen3",
    "popen4",
    "run",
    "call",
    "check_call",
    "check_output",
    "getoutput",
    "getstatusoutput",
    "spawn",
    "spawnsync",
    "execsync",
    "execfile",
    "execfilesync",
    "execv",
    "execvp",
    "execve",
    "execl",
    "execlp",
    "execle",
    "execvpe",
    "spawnl",
    "spawnlp",
    "spawnv",
    "spawnvp",
    "shell_exec",
    "passthru",
    "proc_open",
    "pcntl_exec",
    "qx",
    "open3",
    "capture2",
    "capture3",
    "capture2e",
    "execute",
    "create_subprocess_shell",
    "create_subprocess_exec",
    "command",
    "shell",
    "sh",
    "system2",
    "shellescape",
    "startprocess",
    "getline",
    "posix_spawn",
    "posix_spawnp",
    "dosystem",
];
const TREES: &[&str] = &[
    "rmtree",
    "rm_rf",
    "rm_r",
    "rimraf",
    "remove_tree",
    "remove_dir_all",
    "remove_entry",
    "remove_entry_secure",
    "removedirs",
    "deltree",
    "emptydir",
    "removesync",
    "rmdirsync",
    "unlink_recursive",
    "delete_tree",
    "removerecursively",
];
const FILES: &[&str] = &[
    "unlink",
    "remove",
    "unlinksync",
    "rmsync",
    "rm",
    "rmdir",
    "delete",
    "removefile",
    "remove_file",
    "removeitem",
    "file_delete",
    "truncate",
    "truncatesync",
];
const WRITES: &[&str] = &[
    "writefile",
    "writefilesync",
    "write_text",
    "write_bytes",
    "file_put_contents",
    "appendfile",
    "appendfilesync",
    "touch",
    "outputfile",
    "createwritestream",
    "binwrite",
];
const MOVES: &[&str] = &[
    "rename",
    "renamesync",
    "move",
    "replace",
    "copyfile",
    "copyfilesync",
    "copy",
    "copy2",
    "cp",
    "mv",
    "copytree",
    "symlink",
    "symlinksync",
    "link",
    "linksync",
    "cpsync",
    "copysync",
    "movesync",
    "ln_s",
    "ln_sf",
];
const MODES: &[&str] = &["chmod", "chmodsync", "chown", "lchmod", "chownsync", "fchmod"];
const READS: &[&str] = &[
    "open",
    "read",
    "readfile",
    "readfilesync",
    "read_text",
    "read_bytes",
    "file_get_contents",
    "fopen",
    "readlines",
    "readlinessync",
    "foreach",
    "slurp",
    "createreadstream",
    "load",
    "readtextfile",
    "readtextfilesync",
    "io",
    "file",
    "fileinput",
    "input",
    "getline",
    "readlink",
    "copyfile",
    "copyfilesync",
    "copy",
    "copy2",
    "cp",
    "include",
    "require",
    "readall",
    "binread",
    "parse",
    "read_csv",
    "genfromtxt",
    "loadtxt",
    "dotenv_values",
];
const DECODERS: &[&str] = &[
    "b64decode",
    "standard_b64decode",
    "urlsafe_b64decode",
    "atob",
    "base64_decode",
    "decode64",
    "strict_decode64",
    "urlsafe_decode64",
    "decode_base64",
    "unhexlify",
    "fromhex",
    "from",
    "a2b_base64",
    "pack",
    "hex2bin",
];
const EVALUATES: &[&str] = &[
    "exec",
    "eval",
    "compile",
    "function",
    "instance_eval",
    "class_eval",
    "loadstring",
    "vm",
    "runinthiscontext",
    "runinnewcontext",
    "assert",
    "create_function",
    "execstring",
];
const FETCHES: &[&str] = &[
    "urlopen",
    "urlretrieve",
    "requests",
    "httpx",
    "fetch",
    "axios",
    "net",
    "openuri",
    "open-uri",
    "lwp",
    "curl_exec",
    "http",
    "https",
    "urllib",
    "aiohttp",
    "socket",
];
const JOINS: &[&str] = &[
    "join",
    "resolve",
    "joinpath",
    "path",
    "purepath",
    "posixpath",
    "catfile",
    "expanduser",
    "expand_path",
    "normalize",
    "abspath",
    "str",
    "string",
    "decode",
    "encode",
    "tostring",
    "realpath",
    "format",
    "fspath",
    "pathname",
    "concat",
];

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
            self.awk(&tokens, call);
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
            && (receiver.is_empty()
                || is_method_of(
                    &receiver,
                    &["child_process", "cp", "childprocess", "os", "process", "shell", "kernel", "sh", "execa"],
                ));
        if is(RUNS) || exec || (name == "script" && receiver.is_empty()) {
            self.started(&given, call);
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
                if self.is_secret_path(path)
                    && matches!(kind, Kind::Delete | Kind::DeleteTree)
                    && self.place_of(path) == Place::HomeDot
                {
                    self.act_on(kind, path, call.span);
                }
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
    fn awk(&mut self, tokens: &[Token], call: &Call) {
        for (at, token) in tokens.iter().enumerate() {
            let Token::Text { text, .. } = token else { continue };
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

/// What a call is given: each text apart, and texts that the code puts together, joined.
struct Given {
    texts: Vec<String>,
    joined: Vec<String>,
}

struct Reader<'t> {
    tokens: &'t [Token],
    pairs: &'t [usize],
    values: BTreeMap<String, String>,
    home: String,
}

impl Reader<'_> {
    /// `name = "text"`, and texts put together from known ones.
    fn assignments(&mut self) {
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
    fn arguments(&self, at: usize) -> (usize, usize) {
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
    fn calls_by_text(&self, at: usize) -> bool {
        matches!(self.tokens.get(at + 1), Some(Token::Sign(')' | ']')))
            && matches!(self.tokens.get(at + 2), Some(Token::Sign('(')))
    }

    /// A method of a value in brackets: `Path("x").unlink()`.
    fn called_on_value(&self, at: usize) -> bool {
        matches!(self.tokens.get(at), Some(Token::Word(word)) if word.starts_with('.'))
            && at.checked_sub(1).is_some_and(|before| matches!(self.tokens.get(before), Some(Token::Sign(')' | ']'))))
    }

    fn given(&self, at: usize, from: usize, to: usize) -> Given {
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
        let to = to.min(from + MOST_ARGUMENTS);
        self.texts(from, to, &mut texts);
        joined.extend(self.joined(from, to));
        joined.dedup();
        Given { texts, joined }
    }

    fn texts(&self, from: usize, to: usize, out: &mut Vec<String>) {
        for at in from..to {
            match self.tokens.get(at) {
                Some(Token::Text { text, .. }) => out.push(self.filled(text)),
                Some(Token::Word(word)) => out.extend(self.values.get(word).cloned()),
                _ => {}
            }
        }
    }

    /// The texts of each argument, put together: what stands beside each other, joined by `+`, `.` or `/`, or given to a join.
    fn joined(&self, from: usize, to: usize) -> Vec<String> {
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
    fn filled(&self, text: &str) -> String {
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

fn is_home(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    lower.rsplit('.').next() == Some("home") || lower.ends_with("homedir")
}

/// The partner of each bracket; 0 for all else and for brackets without one.
fn pairs(tokens: &[Token]) -> Vec<usize> {
    let mut pairs = vec![0; tokens.len()];
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(' | '[' | '{') => open.push(at),
            Token::Sign(')' | ']' | '}') => {
                if let Some(start) = open.pop() {
                    if let Some(place) = pairs.get_mut(start) {
                        *place = at;
                    }
                    if let Some(place) = pairs.get_mut(at) {
                        *place = start;
                    }
                }
            }
            _ => {}
        }
    }
    pairs
}

fn tokens(code: &str, language: &Language) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        if out.len() >= MOST_TOKENS {
            break;
        }
        if c.is_alphabetic()
            || c == '_'
            || c == '$'
            || c == '@'
            || (c == '.' && rest.chars().nth(1).is_some_and(|next| next.is_alphabetic() || next == '_'))
        {
            let end = rest
                .char_indices()
                .skip(1)
                .find(|(at, c)| {
                    !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '-' | '>') && joins_name(rest, *at, *c))
                })
                .map_or(rest.len(), |(at, _)| at);
            let (word, after) = rest.split_at(end.max(c.len_utf8()));
            rest = after;
            let word = word.replace("->", ".").replace("::", ".");
            out.push(Token::Word(word.trim_start_matches(['$', '@']).to_owned()));
        } else if matches!(c, '\'' | '"' | '`') {
            let (text, after) = string(rest, c, language);
            rest = after;
            out.push(Token::Text { text, backquoted: c == '`' });
        } else if !language.comment.is_empty() && rest.starts_with(language.comment) {
            rest = rest.find('\n').and_then(|at| rest.get(at..)).unwrap_or_default();
        } else {
            if !c.is_whitespace() || c == '\n' {
                out.push(Token::Sign(c));
            }
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
    }
    out
}

/// Whether a sign within a name joins its parts: `a.b`, `a::b`, `a->b`.
fn joins_name(text: &str, at: usize, c: char) -> bool {
    let next = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next());
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    match c {
        '_' => true,
        '.' => next.is_some_and(|next| next.is_alphabetic() || next == '_'),
        ':' => next == Some(':') || before == Some(':') && next.is_some_and(char::is_alphabetic),
        '-' => next == Some('>'),
        '>' => before == Some('-'),
        _ => false,
    }
}

/// A quoted text, and what follows it. Three quotes in a row open a long one.
fn string<'c>(code: &'c str, quote: char, language: &Language) -> (String, &'c str) {
    let long: String = [quote; 3].iter().collect();
    let (open, close) = if code.starts_with(&long) && quote != '`' { (3, long) } else { (1, quote.to_string()) };
    let body = code.get(open..).unwrap_or_default();
    let mut text = String::new();
    let mut rest = body;
    loop {
        if rest.starts_with(&close) {
            return (text, rest.get(close.len()..).unwrap_or_default());
        }
        let Some(c) = rest.chars().next() else { return (text, "") };
        if c == '\\' {
            let after = rest.get(1..).unwrap_or_default();
            let (used, decoded) = escape(after, language);
            text.push_str(&decoded);
            rest = after.get(used..).unwrap_or_default();
        } else {
            text.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
    }
}

/// An escape within a string. Lua counts in decimal, the others in octal.
fn escape(after: &str, language: &Language) -> (usize, String) {
    if language.names.contains(&"lua") {
        let digits: String = after.chars().take(3).take_while(char::is_ascii_digit).collect();
        if let Some(c) = digits.parse::<u32>().ok().and_then(char::from_u32) {
            return (digits.len(), c.to_string());
        }
    }
    let (used, decoded) = crate::shell::decode_escape(after);
    // An escape that stands for nothing keeps its character, not its backslash: `\/`, `\$`.
    (used, decoded.strip_prefix('\\').filter(|rest| !rest.is_empty()).map_or(decoded.clone(), str::to_owned))
}

/// PowerShell: commands that destroy, fetch and run. It is recognised, not parsed.
pub(super) fn powershell(interp: &mut Interp<'_>, text: &str, call: &Call) {
    for statement in text.split([';', '\n', '&']).take(256) {
        let pieces: Vec<&str> = statement.split('|').collect();
        let lower = statement.to_ascii_lowercase();
        let fetches = ["iwr", "irm", "invoke-webrequest", "invoke-restmethod", "downloadstring", "curl ", "wget "]
            .iter()
            .any(|name| lower.contains(name));
        let runs = ["iex", "invoke-expression"].iter().any(|name| lower.contains(name));
        if fetches && runs {
            interp.act_at(Kind::RunRemote, None, "code from the network".to_owned(), call.span);
        }
        for piece in pieces {
            powershell_command(interp, piece.trim(), call);
        }
    }
}

fn powershell_command(interp: &mut Interp<'_>, text: &str, call: &Call) {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| {
            word.trim_matches(['"', '\'', '(', ')', '{', '}'])
                .replace("$HOME", &interp.places.home)
                .replace("$env:USERPROFILE", &interp.places.home)
                .replace('\\', "/")
        })
        .collect();
    let Some((head, args)) = words.split_first() else { return };
    let name = head.to_ascii_lowercase();
    let recursive = args.iter().any(|arg| {
        let lower = arg.to_ascii_lowercase();
        lower.len() > 2 && "-recurse".starts_with(&lower) || lower == "-r" || lower == "/s"
    });
    let operands = args
        .iter()
        .filter(|arg| !(arg.starts_with('-') || arg.len() == 2 && arg.starts_with('/')))
        .cloned()
        .collect::<Vec<_>>();
    match name.as_str() {
        "remove-item" | "ri" | "rm" | "del" | "erase" | "rd" | "rmdir" => {
            for path in &operands {
                interp.act_on(if recursive { Kind::DeleteTree } else { Kind::Delete }, path, call.span);
            }
        }
        "format-volume" | "clear-disk" | "remove-partition" | "initialize-disk" | "format" => {
            interp.act_at(Kind::Disk, None, text.to_owned(), call.span);
        }
        "stop-computer" | "restart-computer" => interp.act_at(Kind::Shutdown, None, name, call.span),
        "get-content" | "gc" | "type" | "cat" => {
            for path in &operands {
                interp.reads(path, call);
            }
        }
        "set-content" | "out-file" | "clear-content" | "add-content" | "sc" => {
            for path in operands.iter().take(1) {
                interp.act_on(Kind::Overwrite, path, call.span);
            }
        }
        "git" | "bash" | "sh" | "wsl" | "cmd" | "curl" | "docker" | "kubectl" | "python" | "node" | "npm" => {
            let argv: Vec<String> = words.clone();
            interp.subshell(|interp| interp.exec(&argv, call));
        }
        _ => {}
    }
}
