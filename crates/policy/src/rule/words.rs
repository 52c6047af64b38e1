//! Finds the words of a command line that say what it does: sub-commands and verbs, between options and their values.

use crate::resolve::value::{glob, is_marker};

/// Options with which a command only shows what it would do, or how it is used.
const SHOWS_ONLY: &[&str] = &[
    "--help",
    "-help",
    "--dry-run",
    "--dryrun",
    "--dry_run",
    "--noop",
    "--no-op",
    "--simulate",
    "--whatif",
    "--what-if",
    "--preview",
    "--check-only",
];

/// Options that take no value, so that the word after them is one of the command.
const SWITCHES: &[&str] = &[
    "--force",
    "--yes",
    "--quiet",
    "--all",
    "--debug",
    "--verbose",
    "--confirm",
    "--no-confirm",
    "--auto-approve",
    "--non-interactive",
    "--recursive",
    "--no-color",
    "--json",
    "--insecure",
    "--no-input",
    "-f",
    "-y",
    "-q",
    "-v",
    "-vv",
    "-r",
    "-R",
    "-a",
    "-k",
    "-d",
    "-i",
];

/// Whether the call only shows something.
pub(super) fn only_shows(args: &[&str]) -> bool {
    args.iter().any(|arg| SHOWS_ONLY.contains(arg) || arg.starts_with("--dry-run=") && !arg.ends_with("=none"))
        // Some programs have an option of this name with a value.
        || args.first() == Some(&"--version")
        || args.last() == Some(&"--version")
        || args.first() == Some(&"help")
        || args.last() == Some(&"help")
        || args.len() > 1 && args.last() == Some(&"-h")
}

/// The words of a command line without options and what may be their values.
pub(super) fn plain_words<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let mut out = Vec::with_capacity(args.len());
    let mut after_option = false;
    for arg in args {
        if arg.starts_with('-') && arg.len() > 1 {
            after_option = !arg.contains('=') && !SWITCHES.contains(arg);
            continue;
        }
        if !after_option {
            out.push(*arg);
        }
        after_option = false;
    }
    out
}

/// Whether the words of `patterns` stand at the start of the command, in order. Between them may stand options, each with one word
/// that can be its value. A pattern may hold alternatives, `a|b`, and stars.
pub(super) fn starts_with(args: &[&str], patterns: &[&str]) -> bool {
    let mut patterns = patterns.iter();
    let Some(mut wanted) = patterns.next() else { return true };
    let mut after_option = false;
    for arg in args {
        if arg.starts_with('-') && arg.len() > 1 {
            after_option = !arg.contains('=');
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

/// Whether a word is one of the alternatives. What is not known of it never makes it one.
pub(super) fn fits(word: &str, alternatives: &str) -> bool {
    if word.contains(is_marker) {
        return false;
    }
    let lower = word.to_ascii_lowercase();
    alternatives.split('|').any(|pattern| glob(pattern, &lower))
}

/// Whether one of the options is there: `--name`, `--name=value`, `-x` alone or in a bundle. Long names may be cut short to four
/// letters or more.
pub(super) fn has_option(args: &[&str], names: &[&str]) -> bool {
    args.iter().take_while(|arg| **arg != "--").any(|arg| {
        names.iter().any(|name| {
            let given = arg.split('=').next().unwrap_or(arg);
            if name.starts_with("--") {
                return given == *name || given.len() >= 6 && given.starts_with("--") && name.starts_with(given);
            }
            // A one-dash word as a whole, or one letter within a bundle.
            given == *name
                || name.len() == 2
                    && given.len() > 1
                    && given.starts_with('-')
                    && !given.starts_with("--")
                    && given.len() <= 6
                    && name.strip_prefix('-').is_some_and(|letter| given.contains(letter))
        })
    })
}
