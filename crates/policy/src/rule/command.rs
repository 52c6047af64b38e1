//! Command lines of services by their grammar: words in order, options that must or must not be there.

use hook_shell::resolve::value::{COMPUTED, LISTED, glob, is_marker};

/// A command told by its program, its first words and its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// Names of the program: lower case, without folder and ending.
    pub programs: &'static [&'static str],
    /// The first words that are no options, in order. A pattern may hold alternatives, `a|b`, and stars; [`LIST`] is a word that
    /// another program computes.
    pub words: &'static [&'static str],
    /// At least one of these options is there, if any is named. `--name=value` asks for that value, which may hold stars.
    pub flags: &'static [&'static str],
    /// None of these options is there.
    pub without: &'static [&'static str],
}

/// The pattern of a word that another program computes: `$(docker ps -aq)`, or what `xargs` reads.
pub const LIST: &str = "$(…)";

/// Options with which a command only shows what it would do, or how it is used.
const SHOWS_ONLY: &[&str] = &[
    "--help", "-help", "-?", "--dry-run", "--dryrun", "--dry_run", "--noop", "--no-op", "--simulate", "--whatif",
    "--what-if", "--preview", "--check-only", "--usage",
];

impl Command {
    /// Whether the arguments fit. Whether the call [only shows](only_shows) something is not asked here.
    pub(super) fn fits(&self, args: &[&str]) -> bool {
        starts_with(args, self.words)
            && (self.flags.is_empty() || has_flag(args, self.flags))
            && !has_flag(args, self.without)
    }
}

/// Options that have a value of their own in every program that knows them.
const VALUED: &[&str] = &[
    "--profile", "--region", "--zone", "--namespace", "--context", "--project", "--subscription", "--org", "--repo",
    "--repository", "--account", "--config", "--server", "--token", "--url", "--host", "--output", "--format",
    "--name", "--tag", "--tags", "--filter", "--cluster", "--kubeconfig", "--app", "--endpoint-url", "--query",
    "--resource-group", "--user", "--password", "--workspace", "--environment", "--label", "--kube-context",
    "--registry", "--access-token", "--api-key", "--bootstrap-server", "--description", "--comment", "--reason",
    "--message",
];

/// Whether the word is an option. A lone dash is a file name; `+nightly` chooses a toolchain.
pub(super) fn is_option(arg: &str) -> bool {
    arg.len() > 1 && arg.starts_with(['-', '+'])
}

/// Whether the next word is this option's value for certain.
pub(super) fn skips_next(arg: &str) -> bool {
    VALUED.contains(&arg)
}

/// Arguments up to the `--` that ends the options.
fn options<'a>(args: &'a [&'a str]) -> impl Iterator<Item = (usize, &'a str)> {
    args.iter().copied().enumerate().take_while(|(_, arg)| *arg != "--").filter(|(_, arg)| is_option(arg))
}

/// Whether the call only shows something: help, a version, what would be done. The value of another option shows nothing, whatever it
/// looks like: `kubectl delete ns shop -n help`.
pub(super) fn only_shows(program: &str, args: &[&str]) -> bool {
    let before = |at: usize| at.checked_sub(1).and_then(|at| args.get(at)).copied().unwrap_or_default();
    let has_namespaces = matches!(program, "kubectl" | "oc" | "helm" | "velero" | "istioctl" | "flux");
    let is_value = |at: usize| skips_next(before(at)) || has_namespaces && before(at) == "-n";
    let shows = options(args).filter(|(at, _)| !is_value(*at)).any(|(_, arg)| {
        let (name, value) = arg.split_once('=').map_or((arg, None), |(name, value)| (name, Some(value)));
        SHOWS_ONLY.contains(&name) && !value.is_some_and(is_no)
    });
    shows
        || args.first().is_some_and(|first| matches!(*first, "--version" | "help"))
        || matches!(args, ["-V" | "version"])
        || args.last().is_some_and(|last| {
            let at = args.len() - 1;
            matches!(*last, "--version" | "-h") && !is_value(at) || *last == "help" && !is_option(before(at))
        })
}

fn is_no(value: &str) -> bool {
    matches!(value, "none" | "false" | "no" | "0" | "off")
}

/// Whether the words of `patterns` stand at the start of the command, in order. Between them may stand options, each with one word
/// that can be its value.
pub(super) fn starts_with(args: &[&str], patterns: &[&str]) -> bool {
    let mut patterns = patterns.iter();
    let Some(mut wanted) = patterns.next() else { return true };
    let mut after_option = false;
    let mut value = false;
    for arg in args {
        if std::mem::take(&mut value) {
            after_option = false;
            continue;
        }
        if is_option(arg) {
            after_option = !arg.contains('=');
            value = skips_next(arg);
            continue;
        }
        if fits(arg, wanted) {
            match patterns.next() {
                Some(next) => wanted = next,
                None => return true,
            }
        } else if !after_option {
            return false;
        }
        after_option = false;
    }
    false
}

/// Whether a word is one of the alternatives, in any case. What is not known of a word never makes it one.
pub(super) fn fits(word: &str, alternatives: &str) -> bool {
    if alternatives == LIST {
        return word.contains([COMPUTED, LISTED]);
    }
    if alternatives == "*" {
        return true;
    }
    if word.contains(is_marker) {
        return false;
    }
    let mut lower = None;
    alternatives.split('|').any(|pattern| {
        if pattern.contains('*') {
            glob(pattern, lower.get_or_insert_with(|| word.to_ascii_lowercase()))
        } else {
            word.eq_ignore_ascii_case(pattern)
        }
    })
}

/// Whether one of the options is there: `--name`, `--name=value`, `-x` alone or in a bundle. Long names may be cut short to four
/// letters or more; a value that says no takes a switch back.
pub(super) fn has_flag(args: &[&str], flags: &[&str]) -> bool {
    !flags.is_empty()
        && options(args).any(|(at, arg)| {
            flags.iter().any(|flag| match flag.split_once('=') {
                Some((name, wanted)) => valued(args, at, arg, name).is_some_and(|value| {
                    glob(&wanted.to_ascii_lowercase(), &value.to_ascii_lowercase()) && !value.contains(is_marker)
                }),
                None => is_flag(arg, flag),
            })
        })
}

/// The value of option `name` if `arg` is that option: joined, behind `=`, or the next argument.
fn valued<'a>(args: &[&'a str], at: usize, arg: &'a str, name: &str) -> Option<&'a str> {
    let rest = arg.strip_prefix(name)?;
    if rest.is_empty() {
        return args.get(at + 1).copied();
    }
    rest.strip_prefix('=').or_else(|| (!name.starts_with("--")).then_some(rest))
}

fn is_flag(arg: &str, flag: &str) -> bool {
    let (given, value) = arg.split_once('=').map_or((arg, None), |(name, value)| (name, Some(value)));
    if value.is_some_and(is_no) {
        return false;
    }
    if flag.starts_with("--") {
        return given == flag || given.len() >= 6 && given.starts_with("--") && flag.starts_with(given);
    }
    given == flag
        || flag.len() == 2
            && given.len() <= 6
            && !given.starts_with("--")
            && given.chars().skip(1).all(|c| c.is_ascii_alphabetic())
            && flag.chars().nth(1).is_some_and(|letter| given.chars().skip(1).any(|c| c == letter))
}

/// A command whose text says what it does: a script handed to a program that runs scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// Names of the program: lower case, without folder and ending.
    pub programs: &'static [&'static str],
    /// The first words that are no options, in order.
    pub words: &'static [&'static str],
    /// An argument or standard input holds one of these, in small letters and without white space.
    pub holds: &'static [&'static str],
    /// It holds none of these.
    pub lacks: &'static [&'static str],
}

impl Text {
    /// Whether the arguments and texts of a call fit.
    pub(super) fn fits<'t>(&self, args: &[&str], texts: impl Iterator<Item = &'t str>) -> bool {
        starts_with(args, self.words) && texts.into_iter().any(|text| self.holds_one(text))
    }

    fn holds_one(&self, text: &str) -> bool {
        self.holds_in(&text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect::<String>())
    }

    /// Whether code in one of the usual languages holds one of the parts outside of its strings, or as the beginning of one.
    pub(super) fn holds_call(&self, code: &str) -> bool {
        self.holds_in(&without_calls_in_strings(code))
    }

    fn holds_in(&self, plain: &str) -> bool {
        self.holds.iter().any(|part| plain.contains(part)) && !self.lacks.iter().any(|part| plain.contains(part))
    }
}

/// Code in small letters without white space, and without what stands in a string behind its first bracket.
fn without_calls_in_strings(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut string: Option<char> = None;
    let mut cut = false;
    let mut chars = code.chars();
    while let Some(c) = chars.next() {
        match string {
            Some(_) if c == '\\' => {
                chars.next();
                continue;
            }
            Some(quote) if c == quote => {
                string = None;
                cut = false;
            }
            Some(_) => cut |= c == '(',
            None if matches!(c, '"' | '\'' | '`') => string = Some(c),
            None => {}
        }
        if !cut && !c.is_whitespace() {
            out.push(c.to_ascii_lowercase());
        }
    }
    out
}
