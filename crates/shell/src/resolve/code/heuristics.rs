//! What code as a whole does: a shell on a connection, what is fetched and run, processes without end, secrets sent.

use super::Interp;
use super::aliases::{aliases, is_taken_apart};
use super::language::{EVALUATES, RUNS};
use super::reader::Reader;
use super::token::Token;
use crate::programs::{HTTP_CLIENTS, Language, Tongue};
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;

/// Calls that fetch text, by their last name.
const FETCHES: &[&str] = &[
    "urlopen", "urlretrieve", "fetch", "httpx.get", "requests.get", "axios", "axios.get", "open-uri", "curl_exec",
    "getstore", "download", "httpc.request", "http.request", "https.get", "http.get", "got", "net::http.get",
    "readlines", "lwp",
];
/// Words that send, by a piece of their name.
const SENDS: &[&str] = &[
    "fetch", "urlopen", "requests", "httpx", "axios", "http", "https", "urllib", "socket", "net", "got", "aiohttp",
    "curl_init", "undici", "superagent", "needle", "lwp", "useragent", "file_get_contents", "fsockopen", "fopen",
];
/// Addresses of one code that its variables may be sent to.
const MOST_ADDRESSES: usize = 1024;
/// Variables of the process as a whole.
pub(super) const VARIABLES: &[&str] = &[
    "process.env", "os.environ", "ENV", "environ", "_ENV", "os.environ.items", "os.environ.copy", "ENV.to_h",
    "ENV.to_a", "ENV.each", "ENV.inspect", "ENV.each_pair", "Deno.env.toObject", "Bun.env", "import.meta.env",
];
/// Conditions and iterators that never end.
const ENDLESS: &[&str] = &[
    "while", "loop", "forever", "until", "itertools.count", "count", "cycle", "repeat", "iter", "setinterval", "times",
    "for",
];

fn name_of(token: &Token) -> Option<String> {
    match token {
        Token::Word(word) => Some(word.to_ascii_lowercase()),
        _ => None,
    }
}

fn last(name: &str) -> &str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

impl Interp<'_> {
    /// What is told from all of a code's words.
    pub(super) fn code_signs(&mut self, language: &Language, reader: &Reader<'_>, call: &Call) {
        let tokens = reader.tokens;
        self.reverse_shell(tokens, call);
        self.fetched_and_run(language, reader, call);
        self.forks_without_end(tokens, call);
        self.sends_variables(reader, call);
        self.opens_guard_database(tokens, call);
        if language.tongue == Tongue::AppleScript {
            self.tells_finder(tokens, call);
        }
    }

    /// A database of the guard, opened by code that may write to it: no name of a method tells a query from a change.
    fn opens_guard_database(&mut self, tokens: &[Token], call: &Call) {
        let names = |token: &Token| match token {
            Token::Word(text) | Token::Text { text, .. } => text.to_ascii_lowercase().contains("sqlite"),
            Token::Sign(_) => false,
        };
        if !tokens.iter().any(names) {
            return;
        }
        let text = |token: &Token| match token {
            Token::Text { text, .. } => Some(text.strip_prefix("sqlite:").unwrap_or(text).to_owned()),
            _ => None,
        };
        let from_home = |path: String| match path.strip_prefix("~/") {
            Some(rest) => format!("{}/{rest}", self.places.home),
            None => path,
        };
        let paths: Vec<String> =
            tokens.iter().filter_map(text).filter(|text| text.contains('/')).map(from_home).collect();
        self.own_named(&paths, call);
    }

    /// AppleScript that has the Finder delete: `tell application "Finder" to delete every item of home`.
    fn tells_finder(&mut self, tokens: &[Token], call: &Call) {
        let tells = tokens.iter().any(
            |token| matches!(token, Token::Text { text, .. } if matches!(text.as_str(), "Finder" | "System Events")),
        );
        let deletes = tokens.windows(2).any(|pair| match pair {
            [Token::Word(verb), Token::Word(what)] => match verb.as_str() {
                "delete" => true,
                "empty" => matches!(what.as_str(), "trash" | "the"),
                _ => false,
            },
            _ => false,
        });
        let says = |wanted: &str| tokens.iter().any(|token| matches!(token, Token::Word(word) if word == wanted));
        let item = |pair: &[Token]| matches!(pair, [Token::Word(first), Token::Word(second)] if first == "login" && second == "item");
        if says("make") && tokens.windows(2).any(item) {
            self.act_at(Kind::ProgramStart, None, "an item that starts with the session".to_owned(), call.span);
        }
        let deletes = deletes || says("move") && says("to") && says("trash");
        if tells && deletes {
            self.act_at(Kind::DeleteListed, None, "what the Finder is told to delete".to_owned(), call.span);
        }
    }

    /// `os.kill(-1, 9)`, `kill 9, -1`: every process, the group of the code itself, or the host that started it.
    pub(super) fn ends_processes(
        &mut self,
        language: &Language,
        reader: &Reader<'_>,
        (from, to): (usize, usize),
        call: &Call,
    ) {
        let inner = reader.tokens.get(from..reader.within(from, to)).unwrap_or_default();
        let arguments: Vec<&[Token]> = inner.split(|token| *token == Token::Sign(',')).collect();
        // Perl and Ruby name the signal first.
        let skip = usize::from(language.loops);
        let targets = arguments.iter().skip(skip).take(if skip == 0 { 1 } else { usize::MAX });
        for target in targets {
            let of_parent = target.iter().filter_map(name_of).any(|name| name.contains("ppid"));
            let everything = matches!(target, [Token::Sign('-'), Token::Sign('1')]);
            if everything || of_parent || matches!(target, [Token::Sign('0')]) {
                let place = everything.then_some(crate::path::Place::System);
                self.act_at(Kind::KillMany, place, "processes that code ends".to_owned(), call.span);
            }
        }
    }

    /// `!line` of IPython and notebooks, `%sx line`, and cells of `%%bash`.
    pub(in crate::resolve) fn notebook_lines(&mut self, code: &str, call: &Call) {
        if let Some(cell) =
            ["%%bash", "%%sh", "%%script bash"].iter().find_map(|magic| code.trim_start().strip_prefix(magic))
        {
            self.subshell(|interp| interp.run_text(cell, call));
            return;
        }
        for line in code.lines() {
            let line = line.trim_start();
            let line = ["!", "%sx ", "%system ", "%sc "].iter().find_map(|sign| line.strip_prefix(sign));
            if let Some(line) = line.filter(|line| !line.starts_with('=')) {
                self.subshell(|interp| interp.run_text(line, call));
            }
        }
    }

    fn reverse_shell(&mut self, tokens: &[Token], call: &Call) {
        let mut socket = false;
        let mut shell = false;
        let mut joins = false;
        let mut reads = false;
        let mut runs = false;
        for (at, token) in tokens.iter().enumerate() {
            match token {
                Token::Word(word) => {
                    let lower = word.to_ascii_lowercase();
                    let name = last(&lower);
                    socket |= lower.contains("socket")
                        || lower.contains("net.connect")
                        || lower.contains("net.dial")
                        || lower == ".connect"
                        || lower.contains("fsockopen")
                        || lower.contains("createconnection")
                        || lower.contains("tcpclient");
                    joins |= name == "dup2"
                        || lower.ends_with("pty.spawn")
                        || lower.contains("pipe")
                        || name == "exec"
                        || name == "fdopen"
                        || name == "open"
                        || name == "popen";
                    runs |= (RUNS.contains(&name) || name == "exec" || name == "popen" || EVALUATES.contains(&name))
                        && name != "run"
                        && name != "command";
                    reads |= matches!(
                        name,
                        "recv"
                            | "gets"
                            | "read"
                            | "readline"
                            | "recv_into"
                            | "getline"
                            | "on"
                            | "receive"
                            | "fgets"
                            | "sysread"
                    );
                    shell |= lower == "qx";
                }
                Token::Text { text, backquoted } => {
                    let name = text.trim_start_matches("exec ").trim_start_matches("/usr").trim_start_matches("/bin/");
                    let head = name.split([' ', '<']).next().unwrap_or(name);
                    let plain =
                        matches!(head, "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "cmd.exe" | "powershell.exe");
                    shell |= plain && (name == head || name.starts_with(&format!("{head} -")) || name.contains("<&"));
                    joins |= plain && name.contains("<&");
                    socket |= text.starts_with("/inet/tcp/") || text.starts_with("/inet/udp/");
                    runs |= *backquoted && !text.is_empty();
                }
                // `<>`, `<$socket>`: a line is read.
                Token::Sign('<') => {
                    let named = usize::from(matches!(tokens.get(at + 1), Some(Token::Word(_))));
                    reads |= matches!(tokens.get(at + 1 + named), Some(Token::Sign('>')));
                }
                Token::Sign(_) => {}
            }
        }
        if socket && (shell && (joins || runs) || reads && runs) {
            self.act_at(Kind::RemoteShell, None, "a shell on a socket".to_owned(), call.span);
        }
    }

    /// Text that comes over the network and is evaluated, or run by a shell.
    fn fetched_and_run(&mut self, language: &Language, reader: &Reader<'_>, call: &Call) {
        let tokens = reader.tokens;
        let address =
            |text: &str| text.starts_with("http://") || text.starts_with("https://") || text.starts_with("ftp://");
        let mut fetches = false;
        let mut evaluates = false;
        for (at, token) in tokens.iter().enumerate() {
            let Some(name) = name_of(token) else {
                if let Token::Text { text, backquoted: true } = token {
                    fetches |=
                        language.backquotes && ["curl ", "wget ", "fetch "].iter().any(|tool| text.starts_with(tool));
                }
                continue;
            };
            let own = last(&name);
            let (from, to) = reader.arguments(at, language.bare);
            let inner = tokens.get(from..reader.within(from, to)).unwrap_or_default();
            let first_address = inner.iter().any(|token| matches!(token, Token::Text { text, .. } if address(text)));
            fetches |= first_address
                && (FETCHES.iter().any(|known| name.ends_with(known))
                    || matches!(
                        own,
                        "get"
                            | "open"
                            | "uri"
                            | "url"
                            | "request"
                            | "file_get_contents"
                            | "load"
                            | "parse"
                            | "file"
                            | "fopen"
                    ));
            fetches |= starts_fetching(language, tokens, at, inner);
            evaluates |= language.lisp && matches!(own, "eval-buffer" | "eval-region" | "eval-current-buffer");
            // Modules by their address.
            if takes_module(own) && first_address && (own != "load" || language.tongue == Tongue::Lua) {
                self.runs_remote("code from the network", call.span);
            }
            // What is run is not written out here: a variable, or the fetched text itself.
            let varies = inner.iter().any(|token| match token {
                Token::Word(word) => {
                    !matches!(word.as_str(), "shell" | "True" | "true" | "check" | "stdio" | "encoding")
                }
                Token::Text { backquoted, .. } => *backquoted,
                Token::Sign(_) => false,
            });
            let python = language.tongue == Tongue::Python;
            let evaluator = (EVALUATES.contains(&own) && own != "compile" && own != "assert"
                || own == "load" && language.tongue == Tongue::Lua
                || own.starts_with("eval"))
                && (own != "exec" || python || name == "exec");
            let open = varies
                && inner.iter().all(|token| match token {
                    Token::Text { text, backquoted } => {
                        // `eval(popen("curl …").read())`; what only starts the program runs nothing of what that prints.
                        *backquoted
                            || address(text)
                            || !text.contains(' ')
                            || (evaluator && (python || own != "exec") || gives_output(inner)) && starts_client(text)
                    }
                    _ => true,
                });
            let runner = RUNS.contains(&own)
                && (!matches!(own, "run" | "call" | "command" | "execute" | "sh" | "getline")
                    || own == "execute" && language.tongue == Tongue::Lua)
                || matches!(own, "run" | "call")
                    && inner.iter().any(|token| name_of(token).is_some_and(|name| name == "shell"));
            let starts = own == "exec"
                && !python
                && tokens
                    .iter()
                    .any(|token| matches!(token, Token::Text { text, .. } if text.ends_with("child_process")));
            // `run(["bash"], input=urlopen(…).read())`
            let fed = (RUNS.contains(&own) || own == "popen")
                && inner.iter().filter_map(name_of).any(|name| FETCHES.iter().any(|known| name.ends_with(known)))
                && inner.iter().any(|token| matches!(token, Token::Text { text, .. } if matches!(text.as_str(), "sh" | "bash" | "/bin/sh" | "/bin/bash")));
            evaluates |= fed;
            fetches |= own == "getresponse" || own == "http_get";
            let handed_on = EVALUATES.contains(&own) && matches!(tokens.get(at + 1), Some(Token::Sign(')')));
            let typed = inner.iter().enumerate().any(|(at, token)| {
                // `stdin=PIPE` and `input="text"` name an option.
                inner.get(at + 1) != Some(&Token::Sign('='))
                    && name_of(token).is_some_and(|name| {
                        matches!(last(&name), "input" | "raw_input" | "stdin" | "gets" | "readline" | "stdin_read")
                    })
            });
            if (evaluator || runner) && open && typed {
                self.act_at(Kind::RunComputed, None, "text that is read and run".to_owned(), call.span);
            }
            evaluates |= (evaluator || runner || starts) && open || handed_on;
        }
        if fetches && evaluates {
            self.runs_remote("code from the network", call.span);
        }
    }

    fn forks_without_end(&mut self, tokens: &[Token], call: &Call) {
        let says = |wanted: &[&str]| {
            tokens
                .iter()
                .filter_map(name_of)
                .any(|name| wanted.contains(&name.as_str()) || wanted.contains(&last(&name)))
        };
        let forks = says(&["fork", "pcntl_fork"]);
        // A process that starts itself again.
        let itself = says(&["spawn", "exec", "popen", "system", "execfile", "fork"])
            && says(&["process.argv", "__filename", "__file__", "sys.argv", "process.execpath"]);
        let leaves = says(&[
            "waitpid", "wait", "break", "exit", "execv", "wait2", "waitall", "detach", "communicate", "os._exit",
            "_exit", "sleep",
        ]);
        // What each turn puts into the background stays.
        let background = tokens.iter().any(|token| matches!(token, Token::Text { text, .. } if text.trim_end().ends_with('&') && !text.trim_end().ends_with("&&")))
            && says(&["system", "execute", "shell_exec", "exec"])
            && says(&["while", "forever", "loop"]);
        let endless: &[&str] = if forks { ENDLESS } else { &["while", "loop", "setinterval", "forever"] };
        if (forks && !says(&["if", "unless"]) || itself || background) && says(endless) && !leaves {
            self.act_at(Kind::ForkBomb, None, "code that starts processes without end".to_owned(), call.span);
        }
    }

    /// All variables of the process, sent away.
    fn sends_variables(&mut self, reader: &Reader<'_>, call: &Call) {
        let tokens = reader.tokens;
        let all = tokens.iter().enumerate().any(|(at, token)| {
            let Token::Word(word) = token else { return false };
            VARIABLES
                .iter()
                .any(|known| word == known || word.strip_prefix(known).is_some_and(|rest| rest.starts_with(".to_")))
                && !matches!(tokens.get(at + 1), Some(Token::Sign('[' | '{' | '=')))
                && !is_taken_apart(tokens, at)
        });
        let sends = || {
            // `require("https")` names the module by a text.
            let module = |text: &str| SENDS.contains(&text.trim_start_matches("node:").trim_start_matches("node-"));
            let mut files = true;
            let names = tokens.iter().any(|token| match token {
                Token::Text { text, .. } => {
                    let sends = module(text) || calls_address(text);
                    files &= !sends;
                    sends
                }
                Token::Word(word) => word.to_ascii_lowercase().split(['.', ':']).any(|piece| {
                    let sends = SENDS.contains(&piece);
                    files &= !sends || matches!(piece, "file_get_contents" | "fopen");
                    sends
                }),
                Token::Sign(_) => false,
            });
            // Functions that open files as well need an address.
            names
                && tokens.iter().any(
                    |token| matches!(token, Token::Text { text, .. } if text.contains("://") || text.contains('.') && !files),
                )
        };
        if all && sends() {
            self.act_at(Kind::SecretSend, None, "the variables of the process".to_owned(), call.span);
        }
        let mut named = named_variables(tokens);
        named.extend(aliases(tokens, reader.pairs).into_iter().map(|alias| alias.variable));
        named.sort_unstable();
        named.dedup();
        if !named.is_empty() && sends() {
            self.sends_named_variables(tokens, &named, call);
        }
    }

    /// Single variables that are called like secrets, sent to hosts that they are not for. A header is what they are there for.
    fn sends_named_variables(&mut self, tokens: &[Token], named: &[&str], call: &Call) {
        let presents = tokens.iter().any(|token| {
            let (Token::Word(text) | Token::Text { text, .. }) = token else { return false };
            let lower = text.to_ascii_lowercase();
            ["headers", "authorization", "auth", "setrequestheader", "add_header"]
                .iter()
                .any(|word| last(&lower) == *word)
        });
        if presents {
            return;
        }
        let addresses = tokens.iter().filter_map(|token| match token {
            Token::Text { text, .. } if text.contains("://") => Some(text.as_str()),
            _ => None,
        });
        for address in addresses.take(MOST_ADDRESSES) {
            for name in named {
                self.sends_variable(name, address, call.span);
            }
        }
    }
}

/// Whether a program is started for its output.
fn gives_output(tokens: &[Token]) -> bool {
    let gives =
        |name: &String| ["popen", "getoutput", "check_output", "shell_exec"].iter().any(|end| name.ends_with(end));
    tokens.iter().filter_map(name_of).any(|name| gives(&name))
}

/// Whether a call takes a module by its address.
fn takes_module(name: &str) -> bool {
    matches!(
        name,
        "import" | "include" | "require" | "include_once" | "require_once" | "source" | "importscripts" | "load"
    )
}

/// Whether the code starts a program that fetches, and has its output, or fetches into an editor's buffer. `inner` is what the call at
/// `at` is given.
fn starts_fetching(language: &Language, tokens: &[Token], at: usize, inner: &[Token]) -> bool {
    let Some(name) = tokens.get(at).and_then(name_of) else { return false };
    let own = last(&name);
    let client = |token: &Token| matches!(token, Token::Text { text, .. } if starts_client(text));
    let started = RUNS.contains(&own) || matches!(own, "popen" | "exec");
    // `"curl …" | getline`
    let piped = || own == "getline" && at.checked_sub(2).and_then(|at| tokens.get(at)).is_some_and(client);
    started && inner.iter().any(client)
        || piped()
        || language.lisp && matches!(own, "url-insert-file-contents" | "url-retrieve-synchronously")
}

/// Whether a line for a shell starts with a program that fetches.
fn starts_client(line: &str) -> bool {
    let program = line.split_whitespace().next().unwrap_or_default();
    HTTP_CLIENTS.contains(&crate::resolve::exec::base_name(program).as_str())
}

/// Whether a line for a shell asks an address, and presents nothing there.
fn calls_address(line: &str) -> bool {
    let presents = |word: &str| matches!(word, "-H" | "--header" | "-u" | "--user" | "--oauth2-bearer");
    line.contains("://") && starts_client(line) && !line.split_whitespace().any(presents)
}

/// How code names one variable within a text that it fills in.
const IN_TEXTS: &[&str] = &[
    "process.env.", "process.env[", "ENV[", "ENV{", "environ[", "environ.get(", "getenv(", "Deno.env.get(", "Bun.env.",
    "ENV.fetch(",
];

/// The variables of the process that code names one by one.
pub(super) fn named_variables(tokens: &[Token]) -> Vec<&str> {
    variables_at(tokens).into_iter().map(|(_, name)| name).collect()
}

/// The same, with where each stands.
pub(super) fn variables_at(tokens: &[Token]) -> Vec<(usize, &str)> {
    let text = |at: usize| match tokens.get(at) {
        Some(Token::Text { text, .. }) => Some(text.as_str()),
        Some(Token::Word(word)) => Some(word.as_str()),
        _ => None,
    };
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Text { text, .. } if text.contains("env") || text.contains("ENV") => {
                found.extend(named_in_text(text).map(|name| (at, name)));
            }
            Token::Word(word) => {
                if let Some(name) = word.strip_prefix("process.env.").or_else(|| word.strip_prefix("Bun.env.")) {
                    found.push((at, name));
                    continue;
                }
                let opens = matches!(tokens.get(at + 1), Some(Token::Sign('[' | '{' | '(')));
                // `"text".getenv("X")` of PHP puts two together.
                let word = word.trim_start_matches(['$', '\\', '.']);
                let looks = VARIABLES.contains(&word)
                    || matches!(
                        word,
                        "os.getenv"
                            | "getenv"
                            | "os.environ.get"
                            | "ENV.fetch"
                            | "Deno.env.get"
                            | "ENVIRON"
                            | "_ENV"
                            | "environ.get"
                    );
                found.extend(if opens && looks { text(at + 2).map(|name| (at, name)) } else { None });
            }
            _ => {}
        }
    }
    found
}

/// The variables that a text names which code fills in: `${process.env.X}`, `$ENV{X}`. Text that is code itself names them alone.
fn named_in_text(text: &str) -> impl Iterator<Item = &str> {
    IN_TEXTS.iter().flat_map(|mark| text.match_indices(mark)).filter_map(|(at, mark)| {
        let (before, after) = text.split_at(at);
        let name = after.get(mark.len()..)?.trim_start_matches(['\'', '"', '\\']);
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(name.len());
        // What is asked of it is not the value.
        let asked = name.get(end..).is_some_and(|rest| rest.starts_with(['.', '?']));
        name.get(..end).filter(|name| !name.is_empty() && !asked && is_filled_in(before, mark))
    })
}

/// Whether what follows this part of a text is filled in: after `${` and `#{`, after Perl's `$`, after the `{` or `{os.` of Python.
fn is_filled_in(before: &str, mark: &str) -> bool {
    let python = mark.starts_with("environ") || mark.starts_with("getenv");
    let opened = before.rfind('{').and_then(|at| before.get(..at).zip(before.get(at + 1..)));
    let within = |(outside, inside): (&str, &str)| outside.ends_with(['$', '#']) && !inside.contains('}');
    before.trim_end_matches(['_', '\\']).ends_with('$')
        || python && before.strip_suffix("os.").unwrap_or(before).ends_with('{')
        || opened.is_some_and(within)
}
