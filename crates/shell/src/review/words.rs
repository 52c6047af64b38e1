//! Words of a command as a proof sees them: what they are for certain, and what they may become.

use crate::options;
use crate::syntax::{Param, ParamOp, Part, Static, Word};

/// One argument, or what may become any number of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Arg {
    /// Exactly this.
    Known(String),
    /// One argument that begins with this, and is no option.
    Begins(String),
    /// Any number of any arguments.
    Wild,
}

impl Arg {
    /// Whether an argument of which only the beginning is known may begin with `start`.
    pub(super) fn may_be(&self, start: &str) -> bool {
        match self {
            Self::Known(text) => text.starts_with(start),
            Self::Begins(text) => start.starts_with(text.as_str()) || text.starts_with(start),
            Self::Wild => true,
        }
    }
}

impl options::Word for Arg {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Known(text) => Some(text),
            Self::Begins(_) | Self::Wild => None,
        }
    }
}

/// What the words become.
pub(super) fn args(words: &[Word]) -> Vec<Arg> {
    let mut out = Vec::with_capacity(words.len());
    for word in words {
        // A bracket alone is the name of a program, and not the beginning of a pattern.
        if let [Part::Glob('[')] = word.parts.as_slice() {
            out.push(Arg::Known("[".to_owned()));
            continue;
        }
        match word.static_value() {
            Static::Known(text) => out.push(Arg::Known(text)),
            Static::Several(texts) => out.extend(texts.into_iter().map(Arg::Known)),
            Static::Dynamic => out.push(dynamic(word)),
        }
    }
    out
}

/// A word that depends on something: one argument if nothing in it is split or a pattern, and its beginning says that it is no option.
fn dynamic(word: &Word) -> Arg {
    let mut begin = String::new();
    let mut fixed = true;
    let mut single = true;
    for part in &word.parts {
        match part {
            Part::Literal(text) | Part::Quoted(text) => {
                if fixed {
                    begin.push_str(text);
                }
            }
            Part::Double(parts) => {
                for inner in parts {
                    match inner {
                        Part::Literal(text) | Part::Quoted(text) if fixed => begin.push_str(text),
                        Part::Literal(_) | Part::Quoted(_) => {}
                        // `"$@"` becomes as many arguments as there are.
                        Part::Param(param) if is_list(param) => single = false,
                        _ => fixed = false,
                    }
                }
            }
            // Names that a pattern finds begin like the pattern, each of them.
            Part::Glob(_) | Part::ExtGlob(..) => fixed = false,
            // It becomes a directory.
            Part::Tilde(_) => {
                if fixed {
                    begin.push('/');
                }
                fixed = false;
            }
            _ => single = false,
        }
    }
    if single && !begin.is_empty() && !begin.starts_with(['-', '+']) { Arg::Begins(begin) } else { Arg::Wild }
}

fn is_list(param: &Param) -> bool {
    let all = |word: &Word| matches!(word.static_value(), Static::Known(text) if text == "@");
    param.name == "@" || param.name == "*" || param.subscript.as_ref().is_some_and(all)
}

/// Whether an expansion only reads a variable: no prompt strings, no names out of values, no arithmetic on names, no assignment.
pub(super) fn only_reads(param: &Param) -> bool {
    let simple = |word: &Word| match word.static_value() {
        Static::Known(text) => text == "@" || text == "*" || text.chars().all(|c| c.is_ascii_digit()),
        _ => false,
    };
    let numbers = |word: &Word| matches!(word.static_value(), Static::Known(text) if text.chars().all(|c| c.is_ascii_digit() || ": -".contains(c)));
    if param.indirect || !param.subscript.as_ref().is_none_or(simple) {
        return false;
    }
    match param.op {
        ParamOp::Transform | ParamOp::Assign(_) => false,
        ParamOp::Substring => param.operand.as_ref().is_none_or(numbers),
        _ => true,
    }
}

/// Variables of lines that no program gives a meaning: short or in lower case. Anything else may change what a program does.
pub(super) fn is_own_variable(name: &str) -> bool {
    /// Lower-case names that programs do read.
    const READ: &[&str] =
        &["http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy", "rsync_proxy", "histchars"];
    const USUAL: &[&str] = &[
        "DIR", "FILE", "FILES", "NAME", "COUNT", "BRANCH", "COMMIT", "RESULT", "LINE", "LINES_FOUND", "ITEM",
        "SRC_DIR", "FROM", "BASE", "SHA", "PATTERN",
    ];
    // What `read` is given may have a subscript, `a[$(x)]`, which is evaluated.
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return false;
    }
    let lower = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_') && !READ.contains(&name);
    // `_` alone, and zsh's lower-case `path`, lead elsewhere.
    let special = matches!(name, "_" | "path" | "cdpath" | "fpath" | "manpath" | "prompt" | "fignore");
    (lower && !special && !name.chars().any(|c| c.is_ascii_uppercase()))
        || name.len() == 1 && name.starts_with(|c: char| c.is_ascii_uppercase())
        || USUAL.contains(&name)
}

/// Variables that change how output looks, and nothing else, with any plain value.
pub(super) fn is_harmless_setting(name: &str, value: &str) -> bool {
    const LOOKS: &[&str] = &[
        "LC_ALL", "LANG", "LC_CTYPE", "LC_COLLATE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME", "LANGUAGE", "TZ",
        "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "CI", "GIT_TERMINAL_PROMPT",
        "GIT_OPTIONAL_LOCKS", "RUST_BACKTRACE", "CARGO_TERM_COLOR", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED",
    ];
    let plain = value.chars().all(|c| c.is_ascii_alphanumeric() || "_.-:+".contains(c));
    let pager =
        matches!(name, "PAGER" | "GIT_PAGER" | "MANPAGER" | "AWS_PAGER" | "GH_PAGER") && matches!(value, "" | "cat");
    plain && LOOKS.contains(&name) || pager
}
