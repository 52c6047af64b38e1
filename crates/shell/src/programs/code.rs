//! How interpreters are given code.

/// Languages that differ in more than what their interpreters say of themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tongue {
    /// Python.
    Python,
    /// JavaScript.
    JavaScript,
    /// Perl.
    Perl,
    /// Ruby.
    Ruby,
    /// Php.
    Php,
    /// Lua.
    Lua,
    /// AppleScript.
    AppleScript,
    /// Deno.
    Deno,
    /// Crystal.
    Crystal,
    /// Elixir.
    Elixir,
    /// Any other.
    Other,
}

/// How an interpreter takes code on its command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// Which one it is, as far as that matters.
    pub tongue: Tongue,
    /// Options whose value is code.
    pub code: &'static [&'static str],
    /// Other options with a value.
    pub values: &'static [&'static str],
    /// Options whose value is a file of code that takes the place of the script: `awk -f FILE`.
    pub files: &'static [&'static str],
    /// Words before a script that is run: `deno run FILE`.
    pub runs: &'static [&'static str],
    /// Options with which a script is only checked, and not run: `node --check FILE`.
    pub checks: &'static [&'static str],
    /// Words before the code.
    pub verbs: &'static [&'static str],
    /// The first operand is code.
    pub operand: bool,
    /// `-n` and `-p` read the operands line by line, `-i` writes them.
    pub loops: bool,
    /// A call may leave out the brackets.
    pub bare: bool,
    /// Names hold hyphens, and brackets stand around the whole call.
    pub lisp: bool,
    /// It is no language of calls, but of commands.
    pub commands: bool,
    /// Backquotes start a program.
    pub backquotes: bool,
    /// The option that runs a module of its own.
    pub module: Option<&'static str>,
    /// What begins a comment.
    pub comment: &'static str,
}

/// A language to begin others with.
const BASE: Language = Language {
    tongue: Tongue::Other,
    code: &[],
    values: &[],
    files: &[],
    runs: &[],
    checks: &[],
    verbs: &[],
    operand: false,
    loops: false,
    bare: false,
    lisp: false,
    commands: false,
    backquotes: false,
    module: None,
    comment: "#",
};

pub(crate) const PYTHON: Language =
    Language { tongue: Tongue::Python, code: &["-c"], module: Some("-m"), values: &["-m", "-W", "-X", "-Q"], ..BASE };
pub(super) const NODE: Language = Language {
    tongue: Tongue::JavaScript,
    code: &["-e", "--eval", "-p", "--print", "-pe"],
    values: &["-r", "--require", "--import", "--loader", "--env-file", "--env-file-if-exists"],
    comment: "//",
    ..BASE
};
/// What Node itself has beside that.
pub(super) const NODE_ITSELF: Language = Language { checks: &["-c", "--check"], ..NODE };
pub(super) const BUN: Language = Language { runs: &["run"], ..NODE };
pub(super) const DENO: Language = Language {
    tongue: Tongue::Deno,
    verbs: &["eval"],
    runs: &["run", "test", "serve", "bench"],
    operand: true,
    comment: "//",
    ..BASE
};
pub(super) const PERL: Language = Language {
    tongue: Tongue::Perl,
    code: &["-e", "-E"],
    values: &["-I", "-M", "-m", "-F", "-i", "-0"],
    loops: true,
    bare: true,
    backquotes: true,
    ..BASE
};
pub(super) const RUBY: Language = Language {
    tongue: Tongue::Ruby,
    code: &["-e"],
    values: &["-r", "-I", "-C"],
    checks: &["-c"],
    loops: true,
    bare: true,
    backquotes: true,
    ..BASE
};
pub(super) const PHP: Language = Language {
    tongue: Tongue::Php,
    code: &["-r", "-B", "-R", "-E"],
    values: &["-d", "-c", "-S", "-t"],
    files: &["-f", "--file", "-F", "--process-file"],
    checks: &["-l", "--syntax-check"],
    bare: true,
    backquotes: true,
    comment: "//",
    ..BASE
};
pub(super) const LUA: Language =
    Language { tongue: Tongue::Lua, code: &["-e"], values: &["-l"], comment: "--", ..BASE };
pub(super) const R: Language = Language { code: &["-e"], files: &["-f", "--file"], ..BASE };
pub(super) const JULIA: Language =
    Language { code: &["-e", "-E", "--eval", "--print"], values: &["-L", "-p", "--project"], ..BASE };
pub(super) const APPLE_SCRIPT: Language =
    Language { tongue: Tongue::AppleScript, code: &["-e"], values: &["-l"], comment: "--", ..BASE };
pub(super) const TCL: Language = Language { code: &["-c", "-e"], files: &["-f"], commands: true, ..BASE };
pub(super) const LISP: Language = Language {
    code: &["-e", "-c", "--eval", "-eval", "--execute", "-x"],
    values: &["-f", "--funcall"],
    files: &["-l", "--load", "-load", "--script", "-script"],
    lisp: true,
    comment: "\u{0}",
    ..BASE
};
pub(super) const CRYSTAL: Language =
    Language { tongue: Tongue::Crystal, verbs: &["eval"], runs: &["run", "spec"], operand: true, bare: true, ..BASE };
pub(super) const ELIXIR: Language = Language {
    tongue: Tongue::Elixir,
    code: &["-e", "--eval", "--execute"],
    values: &["-r", "-S", "--sname", "--name"],
    bare: true,
    ..BASE
};
pub(super) const OTHER: Language =
    Language { code: &["-e", "-c", "--eval", "-eval", "--execute"], values: &[], ..BASE };
pub(super) const NUMERIC: Language = Language { code: &["-e", "--eval", "-r", "-batch", "--batch-string"], ..BASE };
pub(super) const OCAML: Language = Language { code: &["-e"], verbs: &["e"], bare: true, ..BASE };
pub(super) const AWK: Language = Language {
    code: &["-e", "--source"],
    values: &["-F", "-v", "-i", "--field-separator", "--assign"],
    files: &["-f", "--file", "-E", "--exec"],
    operand: true,
    ..BASE
};

impl Language {
    /// The file of code that an option names, and how many of the words behind the option that takes.
    pub(crate) fn file_given<'a>(&self, option: &'a str, after: &'a [String]) -> Option<(&'a str, usize)> {
        if self.files.contains(&option) {
            return after.first().map(|file| (file.as_str(), 1));
        }
        let joined = |name: &&&str| name.len() == 2 && option.len() > 2 && option.starts_with(**name);
        let value = match option.split_once('=') {
            Some((name, value)) if option.starts_with("--") => self.files.contains(&name).then_some(value),
            _ => self.files.iter().find(joined).and_then(|_| option.get(2..)),
        };
        value.filter(|value| !value.is_empty()).map(|value| (value, 0))
    }

    /// Whether an option, or a letter of a bundle, says that the script is only checked.
    pub(crate) fn only_checks(&self, option: &str) -> bool {
        // Letters that stand alone in such a bundle: `ruby -wc`.
        const ALONE: &str = "alnpsvwSW";
        let bundled = |check: &str| {
            let letter = check.chars().nth(1).filter(|_| self.loops && check.len() == 2);
            let before = letter.and_then(|letter| crate::options::letters(option)?.split_once(letter));
            before.is_some_and(|(before, _)| before.chars().all(|c| ALONE.contains(c)))
        };
        self.checks.iter().any(|check| option == *check || bundled(check))
    }
}

/// Vim's own script.
pub const VIM: &Language = &Language { comment: "\u{0}", ..BASE };

/// Files of code that a program runs without being told.
#[derive(Debug, Clone, Copy)]
pub struct Tasks {
    /// Their names, in the directory where it stands.
    pub files: &'static [&'static str],
    /// Their language.
    pub code: &'static Language,
}
