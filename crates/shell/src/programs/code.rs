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
    values: &["-r", "--require", "--import", "--loader"],
    comment: "//",
    ..BASE
};
pub(super) const DENO: Language =
    Language { tongue: Tongue::Deno, verbs: &["eval"], operand: true, comment: "//", ..BASE };
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
    loops: true,
    bare: true,
    backquotes: true,
    ..BASE
};
pub(super) const PHP: Language = Language {
    tongue: Tongue::Php,
    code: &["-r", "-B", "-R", "-E"],
    values: &["-d", "-c", "-S", "-t"],
    bare: true,
    backquotes: true,
    comment: "//",
    ..BASE
};
pub(super) const LUA: Language =
    Language { tongue: Tongue::Lua, code: &["-e"], values: &["-l"], comment: "--", ..BASE };
pub(super) const R: Language = Language { code: &["-e"], values: &["--file"], ..BASE };
pub(super) const JULIA: Language =
    Language { code: &["-e", "-E", "--eval", "--print"], values: &["-L", "-p", "--project"], ..BASE };
pub(super) const APPLE_SCRIPT: Language =
    Language { tongue: Tongue::AppleScript, code: &["-e"], values: &["-l"], comment: "--", ..BASE };
pub(super) const TCL: Language = Language { code: &["-c", "-e"], values: &["-f"], commands: true, ..BASE };
pub(super) const LISP: Language = Language {
    code: &["-e", "-c", "--eval", "-eval", "--execute", "-x"],
    values: &["-l", "--load", "-f", "--funcall"],
    lisp: true,
    comment: "\u{0}",
    ..BASE
};
pub(super) const CRYSTAL: Language =
    Language { tongue: Tongue::Crystal, verbs: &["eval"], operand: true, bare: true, ..BASE };
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
    values: &["-F", "-v", "-f", "-i", "--field-separator", "--assign", "--file"],
    operand: true,
    ..BASE
};

/// Vim's own script.
pub const VIM: &Language = &Language { comment: "\u{0}", ..BASE };

/// Files of code that a program runs without being told.
#[derive(Debug, Clone, Copy)]
pub struct Tasks {
    /// Their names, in the folder where it stands.
    pub files: &'static [&'static str],
    /// Their language.
    pub code: &'static Language,
}
