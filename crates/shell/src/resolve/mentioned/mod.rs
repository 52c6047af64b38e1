//! The guard's own files as words of a program that is known, though not for what it does with this word. Whatever is not known to be
//! read or left alone is asked about.

mod variables;

use crate::programs::{self, Invocation, Tool, Trait, Writes, agents, stem};
use std::borrow::Cow;

use self::variables::{CODE, OUTPUTS, PLACES};
use super::action::Kind;
use super::exec::{Call, base_name};
use super::guard_files::{Own, is_dir};
use super::links::real_path_by;
use super::program::{GIT_OPTIONS, OWN_COMMANDS};
use super::state::Var;
use super::taint::is_placeholder;
use super::{Entry, Interp, quoted, shown};
use crate::layout::Layout;
use crate::options::{Given, Grammar, Item, Options, Scan, letters, plain_words};
use crate::path::Places;

/// Which words of a program are looked at.
enum Look {
    /// None: it reads them, or each of them is judged where it is followed.
    None,
    /// The values of these options; the rest is judged where the program is followed.
    Values(&'static [&'static str]),
    /// The values of options, but for those of these options, which it reads.
    Options(&'static [&'static str]),
    /// The values of long options that are not known, as far as the program says what it writes.
    Writer(&'static Writes),
    /// All of them.
    All,
}

/// Bytes that a path has at most.
const LONGEST_NAME: usize = 4096;
/// Directories of one input that its other texts are looked for in.
const MOST_BESIDE: usize = 256;

impl Interp<'_> {
    /// Asks about a file of the guard among the words of a program, and in what it is given to read as commands, unless what it does
    /// to that file was told since `before`.
    pub(super) fn mentions(&mut self, of: &Invocation<'_>, before: usize, call: &Call) {
        let Invocation { program, name, .. } = *of;
        if self.state.remote || self.told_since(before) {
            return;
        }
        let near = self.stands_near();
        let args = &*without_names(of);
        let of = &of.with(args);
        // What the guard's own programs do is followed.
        let layout = self.places.layout;
        let is_own = name == layout.program || layout.helpers.contains(&name);
        let look = if is_own { Look::None } else { look(of) };
        let commanded = || {
            let by_option = !program.commands.is_empty();
            by_option || of.is(Trait::Unread) && may_name(&call.stdin, self.places.layout)
        };
        let suspicious = near
            || args.iter().any(|arg| may_name(self.within(arg), self.places.layout))
            || !self.links.is_empty()
            || self.has_place(name)
            || commanded();
        let found = if suspicious { self.mentioned(of, &look, near, call) } else { None };
        if let Some(found) = found.or_else(|| self.led_to(args, &look)) {
            self.ask_own(found, call);
        }
    }

    /// A word that is called like anything, and is a link to a file of the guard.
    fn led_to(&self, args: &[String], look: &Look) -> Option<String> {
        if matches!(look, Look::None | Look::Values(_)) {
            return None;
        }
        let leads = |path: &str| {
            let Some(absolute) = Places::absolute(&self.at_home(path), self.state.cwd()) else { return false };
            // In the directory where the session stands only the word itself can be a link.
            let near = !path.contains('/') && self.state.cwd() == Some(self.places.cwd.as_str());
            match if near { self.known_files.entry(&absolute) } else { Entry::Unknown } {
                Entry::Missing | Entry::Plain | Entry::Dir => false,
                Entry::Link | Entry::Unknown => real_path_by(self.known_files, &absolute).is_some(),
            }
        };
        let mut values = args.iter().filter_map(|word| match word.split_once('=') {
            _ if word.is_empty() || word.len() > LONGEST_NAME || word.contains("://") => None,
            Some((option, value)) if option.starts_with('-') => Some(value),
            _ => Some(word.as_str()).filter(|word| !word.starts_with('-')),
        });
        values.find_map(|value| if leads(value) { self.guard_at(value) } else { None })
    }

    /// The same for the words of a wrapper in front of the program that it runs.
    pub(super) fn mentions_before(&mut self, words: &[String], before: usize, call: &Call) {
        // What is mounted is judged by where it goes, and a directory to start in is no file.
        const ELSEWHERE: &[&str] =
            &["-v", "--volume", "--mount", "--working-directory", "-C", "--chdir", "-D", "-w", "--wd", "--workdir"];
        if self.state.remote
            || self.told_since(before)
            || !words.iter().any(|word| may_name(self.within(word), self.places.layout))
        {
            return;
        }
        let mut last = "";
        for word in &*without_names(&Invocation::new("npm", words)) {
            let option = word.split_once('=').map_or(word.as_str(), |(option, _)| option);
            let elsewhere = ELSEWHERE.contains(&last) || ELSEWHERE.contains(&option);
            last = word;
            if !elsewhere && let Some(found) = self.guard_in(word, false) {
                self.ask_own(found, call);
                return;
            }
        }
    }

    /// The same for variables that are set for one program alone.
    pub(super) fn mentions_given(&mut self, env: &[(String, Var)], argv: &[String], before: usize, call: &Call) {
        let values =
            || env.iter().flat_map(|(_, var)| var.values.iter()).filter(|value| may_name(value, self.places.layout));
        let Some(program) = argv.first().filter(|_| values().next().is_some()) else { return };
        let name = base_name(program);
        // Where a repository lies is judged by what is done there.
        let told = env.iter().any(|(name, _)| matches!(name.as_str(), "GIT_DIR" | "GIT_WORK_TREE"));
        if self.state.remote || told || self.told_since(before) || name == self.places.layout.program {
            return;
        }
        if let Some(found) = values().find_map(|value| self.guard_in(value, false)) {
            self.ask_own(found, call);
        }
    }

    fn told_since(&self, before: usize) -> bool {
        self.report.actions.get(before..).unwrap_or_default().iter().any(|action| action.kind == Kind::Guard)
    }

    pub(super) fn ask_own(&mut self, found: String, call: &Call) {
        let speculative = std::mem::replace(&mut self.speculative, true);
        self.act_at(Kind::Guard, None, found, call.span);
        self.speculative = speculative;
    }

    /// A path without the project's own, which may be called like the guard: nothing of the guard lies right in it.
    fn within<'w>(&self, path: &'w str) -> &'w str {
        path.strip_prefix(self.places.project.as_str()).unwrap_or(path)
    }

    /// Whether the shell may stand in a directory of the guard, or in one that is called so.
    fn stands_near(&self) -> bool {
        self.state.cwds.iter().flatten().any(|cwd| may_name(self.within(cwd), self.places.layout))
    }

    /// Whether this line has said where such a program puts what it makes.
    fn has_place(&self, name: &str) -> bool {
        programs::is(name, Trait::Installs) && PLACES.iter().any(|place| self.state.vars.contains_key(*place))
    }

    fn mentioned(&self, of: &Invocation<'_>, look: &Look, near: bool, call: &Call) -> Option<String> {
        let Invocation { name, args, .. } = *of;
        if matches!(look, Look::None) {
            return self.commanded_by_option(of, call).or_else(|| self.in_places(name));
        }
        let found = match look {
            Look::None => None,
            Look::Values(options) => {
                Options::all(args, options).values(options).find_map(|value| self.guard_in(value, true))
            }
            // What they make lies where they are started, unless they are told otherwise.
            Look::Options(_) | Look::Writer(_) if near && self.stands_in_own().is_some() => self.stands_in_own(),
            Look::Options(harmless) => self.in_options(args, |option| harmless.contains(&option)),
            Look::Writer(writer) => self.in_options(args, |option| writer.knows(option) || !names_output(option)),
            Look::All => self.in_words(of, near, call),
        };
        if let Some(place) = self.in_places(name) {
            return Some(place);
        }
        let found = found.or_else(|| self.commanded_by_option(of, call))?;
        // What is proven to read only may be given anything.
        let line: Vec<String> = std::iter::once(name.to_owned()).chain(args.iter().map(|arg| quoted(arg))).collect();
        (crate::review::judge(&line.join(" ")).is_none() || of.is(Trait::Unread)).then_some(found)
    }

    fn in_words(&self, of: &Invocation<'_>, near: bool, call: &Call) -> Option<String> {
        let Invocation { args, .. } = *of;
        let commanded = of.is(Trait::Unread);
        if near && let Some(found) = self.stands_in_own() {
            return Some(found);
        }
        let mut last = "";
        let prose = of.is(Trait::Prose);
        for word in args {
            let code = commanded || CODE.contains(&last) || has_code(word);
            last = word;
            if let Some(found) = self.guard_in(word, code && !prose) {
                return Some(found);
            }
        }
        let list = commanded && !std::rc::Rc::ptr_eq(&call.stdin, &self.inherited_input);
        if list { self.guard_in(&call.stdin, true) } else { None }
    }

    /// The values of options alone.
    fn in_options(&self, args: &[String], harmless: impl Fn(&str) -> bool) -> Option<String> {
        let mut last = "";
        for item in Scan::new(args, Grammar::WORDS) {
            let (option, value) = match item {
                Item::Option(Given { name, joined: Some(value), .. }) => (name, value),
                Item::Option(given) => {
                    last = given.name;
                    continue;
                }
                Item::Operand(operand) => (std::mem::take(&mut last), operand.word.as_str()),
                Item::End => continue,
            };
            if !option.is_empty()
                && !harmless(option)
                && let Some(found) = self.guard_in(value, false)
            {
                return Some(found);
            }
        }
        None
    }

    /// A file of commands that an option names: `curl -K -`, `wget -i -`.
    fn commanded_by_option(&self, of: &Invocation<'_>, call: &Call) -> Option<String> {
        let Invocation { program, args, .. } = *of;
        let names = Some(program.commands).filter(|names| !names.is_empty())?;
        // What a list names goes where it is taken from.
        let takes = !matches!(program.tool, Tool::Tar) || args.iter().any(|arg| arg.starts_with("--remove-"));
        let options = of.options();
        options.values(names).filter(|_| takes).find_map(|file| match file {
            "-" | "/dev/stdin" | "/dev/fd/0" => self.guard_in(&call.stdin, true),
            file => self.content(file).and_then(|content| self.guard_in(&content, true)),
        })
    }

    /// The variables of this line that say where the program puts what it makes.
    fn in_places(&self, name: &str) -> Option<String> {
        if !programs::is(name, Trait::Installs) {
            return None;
        }
        let values = PLACES.iter().filter_map(|place| self.state.vars.get(*place)?.values.first());
        values.into_iter().find_map(|value| self.guard_in(value, false))
    }

    /// The directory in which the shell stands, if that is one of the guard's.
    fn stands_in_own(&self) -> Option<String> {
        let mut dirs = self.state.cwds.iter().flatten();
        dirs.find(|dir| self.is_guards(dir)).map(|dir| shown(dir))
    }

    /// A path of the guard in a word: the word, what stands behind an option or between the marks of lists, and, where the word is
    /// code or a command, each piece of it.
    fn guard_in(&self, word: &str, code: bool) -> Option<String> {
        let linked = !self.links.is_empty();
        let near = self.stands_near();
        if !(linked || near || may_name(self.within(word), self.places.layout)) {
            return None;
        }
        let blank = word.contains(char::is_whitespace);
        if blank && !code {
            let value = word.split_once('=').map_or(word, |(_, value)| value);
            return if value.starts_with(['/', '~', '.']) { self.guard_at(value) } else { None };
        }
        let parts = word.split(|c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '\'' | '"' | '`' | '=' | ':' | ',' | ';' | '(' | ')' | '<' | '>' | '|' | '&' | '{' | '}' | '@'
                )
        });
        // An address is no path, whatever it ends in.
        let address = word.contains("://") && !word.contains("file:");
        let whole = std::iter::once(word).filter(|_| !blank && !address);
        for part in whole.chain(parts) {
            if part.is_empty() || !(linked || near || may_name(part, self.places.layout)) {
                continue;
            }
            let joined = letters(part).and_then(|rest| rest.get(1..));
            let at = |path: &str| if address && path.starts_with("//") { None } else { self.guard_at(path) };
            if let Some(found) = at(part).or_else(|| joined.and_then(|rest| self.guard_at(rest))) {
                return Some(found);
            }
            // `cd ~/.config; gh repo clone a/NAME`: it gets the last name of what is fetched.
            if let Some((_, last)) = part.trim_end_matches(".git").rsplit_once('/')
                && may_name(last, self.places.layout)
                && let Some(found) = self.guard_at(last)
            {
                return Some(found);
            }
            // `%h/.config`, `$HOME/.config`, and `homedir() + "/.config"`: what stands in front is most likely the home directory.
            if let Some(at) = part.find("/.")
                && let Some((front, rest)) = part.split_at_checked(at)
                && (front.is_empty() || front.contains(['$', '%']) || front.contains(is_placeholder))
                && let Some(found) = self.guard_at(&format!("~{rest}"))
            {
                return Some(found);
            }
        }
        None
    }

    /// The path, if it is one of the guard's and lies on this machine.
    fn guard_at(&self, path: &str) -> Option<String> {
        if path.is_empty() || path.starts_with('-') {
            return None;
        }
        let mut found = self.places_of(path).into_iter();
        found.find(|(place, absolute)| self.is_here(*place) && self.is_guards(absolute)).map(|(_, path)| shown(&path))
    }

    /// A path of the guard that stands in full in one of these texts, or below a directory that stands in another.
    pub(super) fn named_in_full(&self, texts: &[String]) -> Option<String> {
        let full = |path: &str| path.starts_with('/') || path.starts_with("~/");
        let whole = |text: &&str| full(text) && text.len() < LONGEST_NAME && !text.contains(char::is_whitespace);
        for text in texts.iter().filter(|text| may_name(self.within(text), self.places.layout)) {
            let text = text.strip_prefix("file://").unwrap_or(text);
            let found = if text.contains(char::is_whitespace) || text.contains(['"', '\'']) {
                // In a statement or a form it stands between quotes.
                let mut quoted = text.split(['"', '\'']).skip(1).filter(|part| whole(part));
                quoted.find_map(|path| self.guard_at(path))
            } else if full(text) {
                text.split([':', ',', ';']).find_map(|path| self.guard_at(path))
            } else {
                let dirs = texts.iter().map(String::as_str).filter(whole).take(MOST_BESIDE);
                dirs.map(|dir| format!("{}/{text}", dir.trim_end_matches('/'))).find_map(|path| self.guard_at(&path))
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Whether a path is the guard's, and not just the directory of the host.
    fn is_guards(&self, absolute: &str) -> bool {
        let bare = is_dir(absolute, self.places)
            || self
                .places
                .in_home(absolute)
                .is_some_and(|rest| self.places.layout.is_client_dir(rest.trim_end_matches('/')));
        !bare && self.own_path(absolute) == Own::Yes
    }
}

/// Whether a word may name a file of the guard: none of their names is without one of its marks. A pattern may stand for them.
pub(super) fn may_name(word: &str, layout: &Layout) -> bool {
    let bytes = word.as_bytes();
    let marks = &layout.marks;
    // Every word of every command is looked at here: one letter of each name sorts most of them out. A mark of ours begins with 0xEF.
    let [(one, _), (two, _), (three, _)] = *marks;
    let found = bytes.iter().fold(0_u8, |found, byte| {
        let byte = byte | 32;
        let is = |mark: u8, bit: u8| u8::from(byte == mark) << bit;
        found | is(one, 0) | is(two, 1) | is(three, 2) | is(0xEF, 3)
    });
    let has = |name: &str| bytes.windows(name.len()).any(|part| part.eq_ignore_ascii_case(name.as_bytes()));
    marks.iter().zip([1, 2, 4]).any(|((_, name), bit)| found & bit != 0 && has(name))
        || found & 8 != 0 && word.contains('/') && word.contains(is_placeholder)
}

/// Whether a word holds code: no path has a bracket behind a name, or quotes.
fn has_code(word: &str) -> bool {
    word.contains(['(', '"', '\'']) && !word.starts_with('{') && !word.starts_with('[')
}

/// Whether a long option is called as if something were written to its value.
fn names_output(option: &str) -> bool {
    const TELLING: &[&str] = &[
        "out", "dir", "file", "log", "dest", "to", "path", "target", "save", "write", "dump", "report", "trace",
        "media",
    ];
    option.starts_with("--") && TELLING.iter().any(|word| option.contains(word))
}

/// Commands of git that read, or are followed, beside those that people give.
const READING: &[&str] = &[
    "blame", "cherry", "check-attr", "diff-files", "diff-index", "for-each-ref", "merge-tree", "show-branch",
    "show-index", "var", "version", "whatchanged", "verify-commit", "ls-remote", "checkout-index", "filter-repo",
    "stripspace", "update-index",
];

/// Which words of an interpreter are looked at: those behind a script or a module that is not known to read.
fn script(args: &[String]) -> Look {
    const READING: &[&str] =
        &["json.tool", "http.server", "pytest", "unittest", "pdb", "py_compile", "tokenize", "ast"];
    const INLINE: &[&str] = &["--eval", "--print", "--check", "--run"];
    let options: Vec<&str> = args.iter().map(String::as_str).take_while(|arg| arg.starts_with('-')).collect();
    let letters = |arg: &&str| !arg.starts_with("--") && arg.contains(['c', 'e', 'E', 'p', 'r', 'n', 's', 'R', 'B']);
    if let Some(module) = options.last().and_then(|last| last.strip_prefix("-m")) {
        let module = if module.is_empty() { args.get(options.len()).map_or("", String::as_str) } else { module };
        return if READING.contains(&module) { Look::None } else { Look::All };
    }
    let inline = options.iter().any(|arg| letters(arg) || INLINE.contains(arg) || *arg == "-");
    if inline || options.len() == args.len() { Look::None } else { Look::All }
}

/// The words of a program without those by which a runner of tests chooses among its tests: they are parts of names, whatever they
/// look like.
fn without_names<'a>(of: &Invocation<'a>) -> Cow<'a, [String]> {
    let args = of.args;
    let has = |wanted: &[&str]| args.iter().any(|arg| wanted.contains(&arg.as_str()));
    // The script of a package is one of tests where it is called so.
    let script = || {
        let telling = ["test", "spec", "e2e", "vitest", "jest", "mocha", "playwright"];
        let mut words = plain_words(args).take(2);
        words.any(|word| word == "t" || telling.iter().any(|part| word.contains(part)))
    };
    let chooses = of.is(Trait::TestRunner)
        || of.is(Trait::TestsByVerb) && has(&["test", "nextest", "t"])
        || of.is(Trait::RunsScripts) && script();
    if !chooses {
        return Cow::Borrowed(args);
    }
    let mut kept = Vec::new();
    let (mut last, mut behind) = ("", false);
    for arg in args {
        let joined = arg.split_once('=').is_some_and(|(option, _)| TEST_NAMES.contains(&option));
        // All that stands behind the two dashes of `cargo test` is a name, or an option of names.
        let named = TEST_NAMES.contains(&last) || of.program.tool == Tool::Cargo && behind && !arg.starts_with('-');
        behind |= arg == "--";
        last = arg;
        if !joined && !named {
            kept.push(arg.clone());
        }
    }
    Cow::Owned(kept)
}

/// Options by which runners of tests are told names, or parts of them.
const TEST_NAMES: &[&str] = &[
    "--grep", "-g", "--fgrep", "-t", "-k", "-R", "-E", "-run", "--run", "-skip", "--skip", "--exact", "--filter",
    "--match", "-m", "--example", "-e", "--testNamePattern", "--test-name-pattern", "--tests-regex", "--grep-invert",
];

/// Options of curl with a value that it reads or sends.
const READ_BY_CURL: &[&str] = &[
    "-A", "-E", "-F", "-H", "-K", "-T", "-U", "-X", "-b", "-d", "-e", "-u", "-x", "--cacert", "--capath", "--cert",
    "--config", "--cookie", "--crlfile", "--data", "--data-ascii", "--data-binary", "--data-raw", "--data-urlencode",
    "--etag-compare", "--form", "--form-string", "--header", "--json", "--key", "--netrc-file", "--pinnedpubkey",
    "--pubkey", "--referer", "--time-cond", "--upload-file", "--url", "--url-query", "--user", "--user-agent",
    "--variable", "-z",
];

/// Which words of the program are looked at.
fn look(of: &Invocation<'_>) -> Look {
    let Invocation { program, name, args } = *of;
    if name.starts_with("git-") || program.tool == Tool::Git {
        return git(of);
    }
    if agents::NAMES.contains(&name) {
        return Look::None;
    }
    let has = |options: &[&str]| args.iter().any(|arg| options.contains(&arg.as_str()));
    let stem = stem(name);
    if of.is(Trait::Unread) {
        return Look::All;
    }
    if programs::is(stem, Trait::Interpreter) {
        return script(args);
    }
    if programs::is(stem, Trait::Followed) || of.is(Trait::Followed) {
        return Look::None;
    }
    match program.tool {
        Tool::Pager | Tool::Tree | Tool::Watchers | Tool::Zip => Look::Values(OUTPUTS),
        Tool::Httpie => Look::Values(&["-o", "--output", "--session", "--session-read-only"]),
        Tool::Rsync => Look::Values(&[
            "--log-file", "--backup-dir", "--temp-dir", "-T", "--partial-dir", "--write-batch", "--only-write-batch",
        ]),
        Tool::Tar => Look::Values(&[
            "--index-file", "--one-top-level", "--volno-file", "--listed-incremental", "-g", "--checkpoint-action",
        ]),
        Tool::Wget => Look::Options(&[
            "--post-file", "--body-file", "--post-data", "--body-data", "--certificate", "--private-key",
            "--ca-certificate", "--load-cookies", "--header", "-U", "--user-agent", "--referer",
        ]),
        // They read, unless they are told to mend what they read.
        Tool::Checkers if !has(&["-w", "--write-changes", "--fix", "fmt", "format", "-o", "--output"]) => Look::None,
        Tool::Bun | Tool::Deno => Look::Options(&["-e", "--eval", "-p", "--print"]),
        // What they make has a name that they choose, or stands among their operands.
        Tool::NamesItsOutput | Tool::Ar => Look::All,
        Tool::Curl | Tool::Curlie => Look::Options(READ_BY_CURL),
        Tool::Pv => Look::Values(&["-o", "--output", "-P", "--pidfile"]),
        Tool::Eslint => Look::Values(&["--cache-location", "--cache-file", "-o", "--output-file"]),
        Tool::Ssh | Tool::Scp => Look::Values(&["-E", "-S", "-o"]),
        Tool::Gpg | Tool::Gpg2 => {
            Look::Values(&["--logger-file", "--log-file", "--status-file", "--attribute-file", "--homedir"])
        }
        Tool::Openssl => {
            Look::Values(&["-out", "-keyout", "-writerand", "-CAserial", "-sess_out", "-certout", "-keylogfile"])
        }
        Tool::Vim | Tool::Ex => Look::Values(&["-W", "-w", "-i", "--startuptime"]),
        // What is copied into a container or an image is only read.
        Tool::Docker | Tool::Kubectl if has(&["cp"]) && args.last().is_some_and(|target| target.contains(':')) => {
            Look::None
        }
        Tool::Gh | Tool::Glab => {
            if has(&["clone", "download", "fork", "cp", "checkout"]) {
                Look::All
            } else {
                Look::None
            }
        }
        Tool::Hg | Tool::Svn => {
            if has(&["clone", "checkout", "co", "export", "archive", "share"]) {
                Look::All
            } else {
                Look::None
            }
        }
        _ if of.is(Trait::Reader) || super::executable::only_looks(of) => Look::None,
        _ => program.writes.map_or(Look::All, Look::Writer),
    }
}

/// Commands of git that are judged by what they do to the files which they name, or that only read them.
fn git(of: &Invocation<'_>) -> Look {
    const WRITING: &[&str] =
        &["clone", "difftool", "filter-branch", "init", "mergetool", "read-tree", "replace", "submodule", "worktree"];
    let Invocation { name, args, .. } = *of;
    let verb = match name.strip_prefix("git-") {
        Some(verb) => Some(verb),
        None => Options::leading(args, GIT_OPTIONS).1.first().map(String::as_str),
    };
    match verb {
        Some(verb) if WRITING.contains(&verb) || !OWN_COMMANDS.contains(&verb) && !READING.contains(&verb) => Look::All,
        Some("config") if !args.iter().any(|arg| arg.starts_with("--get") || matches!(arg.as_str(), "get" | "-l")) => {
            Look::All
        }
        // A setting for this command alone may name a file that it writes.
        _ => Look::Values(&["-c", "--config-env"]),
    }
}
