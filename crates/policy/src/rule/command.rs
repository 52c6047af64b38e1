//! Command lines of services by their grammar: words in order, options that must or must not be there.

use hook_shell::options::{Given, Grammar, Item, Scan};
use hook_shell::programs::Invocation;
use hook_shell::resolve::taint::{LIST_ITEM, PROGRAM_OUTPUT, glob, is_placeholder};

/// A command told by its program, its first words and its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// Names of the program: lower case, without directory and ending.
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
    "--what-if", "--preview", "--preview-only", "--check-only", "--usage",
];

impl Command {
    /// Whether the arguments fit. Whether the call [only shows](only_shows) something is not asked here.
    pub(super) fn fits(&self, of: &Invocation<'_>) -> bool {
        starts_with(of, self.words)
            && (self.flags.is_empty() || has_flag(of, self.flags))
            && !has_flag(of, self.without)
    }
}

/// Arguments up to the `--` that ends the options.
fn before_end(args: &[String]) -> &[String] {
    args.split(|arg| arg == "--").next().unwrap_or_default()
}

/// A call as rules read it: what its row knows of the program's options, and what holds of any program.
pub(super) fn scan<'a>(of: &Invocation<'a>) -> Scan<'a, 'static, String> {
    Scan::new(before_end(of.args), of.grammar().at_least())
}

/// Whether the call only shows something: help, a version, what would be done. The value of another option shows nothing, whatever it
/// looks like: `kubectl delete ns shop -n help`.
pub(super) fn only_shows(of: &Invocation<'_>) -> bool {
    let grammar = of.grammar().at_least();
    let first = of.args.first().map_or("", String::as_str);
    scan(of).options().any(|given| SHOWS_ONLY.contains(&given.name) && !given.joined.is_some_and(is_no))
        || matches!(first, "--version" | "help")
        || of.args.len() == 1 && matches!(first, "-V" | "version")
        || match Scan::new(of.args, grammar).last() {
            Some(Item::Option(given)) => given.value().is_none() && matches!(given.word, "--version" | "-h"),
            Some(Item::Operand(last)) => {
                last.word == "help" && !of.args.iter().rev().nth(1).is_some_and(|before| grammar.is_option(before))
            }
            _ => false,
        }
}

fn is_no(value: &str) -> bool {
    matches!(value, "none" | "false" | "no" | "0" | "off")
}

/// Whether the words of `patterns` stand at the start of the command, in order. Between them may stand options, each with one word
/// that can be its value.
pub(super) fn starts_with(of: &Invocation<'_>, patterns: &[&str]) -> bool {
    let mut patterns = patterns.iter();
    let Some(mut wanted) = patterns.next() else { return true };
    for operand in Scan::new(of.args, of.grammar().at_least()).operands() {
        if fits(operand.word, wanted) {
            match patterns.next() {
                Some(next) => wanted = next,
                None => return true,
            }
        } else if !operand.may_be_value {
            return false;
        }
    }
    false
}

/// Whether a word is one of the alternatives, in any case. What is not known of a word never makes it one.
pub(super) fn fits(word: &str, alternatives: &str) -> bool {
    if alternatives == LIST {
        return word.contains([PROGRAM_OUTPUT, LIST_ITEM]);
    }
    if alternatives == "*" {
        return true;
    }
    if word.contains(is_placeholder) {
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
pub(super) fn has_flag(of: &Invocation<'_>, flags: &[&str]) -> bool {
    flags.iter().any(|flag| match flag.split_once('=') {
        Some((name, wanted)) => {
            let grammar = Grammar { values: &[name], ..Grammar::WORDS.at_least() };
            Scan::new(before_end(of.args), grammar).options().any(|given| {
                given
                    .value()
                    .filter(|value| given.is(name) && !value.contains(is_placeholder))
                    .is_some_and(|value| glob(&wanted.to_ascii_lowercase(), &value.to_ascii_lowercase()))
            })
        }
        None => scan(of).options().any(|given| is_flag(&given, flag)),
    })
}

fn is_flag(given: &Given<'_>, flag: &str) -> bool {
    if given.joined.is_some_and(is_no) {
        return false;
    }
    let name = given.name;
    if flag.starts_with("--") {
        return name == flag || name.len() >= 6 && name.starts_with("--") && flag.starts_with(name);
    }
    name == flag
        || flag.len() == 2
            && name.len() <= 6
            && !name.starts_with("--")
            && name.chars().skip(1).all(|c| c.is_ascii_alphabetic())
            && flag.chars().nth(1).is_some_and(|letter| name.chars().skip(1).any(|c| c == letter))
}

/// A command whose text says what it does: a script handed to a program that runs scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// Names of the program: lower case, without directory and ending.
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
    pub(super) fn fits<'t>(&self, of: &Invocation<'_>, texts: impl Iterator<Item = &'t str>) -> bool {
        starts_with(of, self.words) && texts.into_iter().any(|text| self.holds_one(text))
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
