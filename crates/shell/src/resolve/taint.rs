//! Text of which a part is not known: marks stand for what is missing, and say where it comes from.
//!
//! A mark is a character of Unicode's private use area, so that every operation on strings keeps it. A private character that the
//! command itself holds counts as a mark: what cannot be told apart is taken for unknown.

use std::rc::Rc;

/// Text that is not known.
pub(crate) const UNKNOWN: char = '\u{F000}';
/// An active `*`.
pub const GLOB_STAR: char = '\u{F001}';
/// An active `?`.
pub const GLOB_ANY: char = '\u{F002}';
/// An active `[`.
pub const GLOB_SET: char = '\u{F003}';
/// Text that came over the network.
pub(crate) const TAINT_NETWORK: char = '\u{F010}';
/// Text that a decoder made of text that is not known.
pub(crate) const TAINT_DECODED: char = '\u{F011}';
/// A secret.
pub(crate) const TAINT_SECRET: char = '\u{F012}';
/// Text that a program of this line computes.
pub const PROGRAM_OUTPUT: char = '\u{F013}';
/// An item of a list that is not known, such as `xargs` reads.
pub const LIST_ITEM: char = '\u{F014}';

/// A secret that a store handed out.
pub(crate) const TAINT_STORE: char = '\u{F015}';
/// A secret that this line has loaded into a variable.
pub(crate) const TAINT_LOADED: char = '\u{F016}';

/// What a shell prints that does as it is told.
pub(crate) const SHELL_OUTPUT: char = '\u{F017}';

/// The values of variables that come from outside and are called like secrets, in the order in which the line names them. From the
/// last on they share one mark.
pub(crate) const SECRET_VARIABLES: [char; 6] = ['\u{F019}', '\u{F01A}', '\u{F01B}', '\u{F01C}', '\u{F01D}', '\u{F01E}'];

/// Beside [`TAINT_SECRET`]: it is one of many variables with their values, from which a search may pick harmless ones.
pub(crate) const ENVIRONMENT: char = '\u{F01F}';

/// What a substitution of this line gives, beside the mark for what that is.
pub(crate) const SUBSTITUTED: char = '\u{F018}';

/// Files of a list of which one is the guard's.
pub(crate) const PROTECTED_ITEM: char = '\u{F006}';

/// The number of the shell's own process.
pub(crate) const SHELL_PID: char = '\u{F004}';

/// The number of the process that started the shell: the host.
pub(crate) const PARENT_PID: char = '\u{F005}';

/// Beside a mark: whatever it stands for, it is not empty.
pub(crate) const NOT_EMPTY: char = '\u{F008}';

/// Beside a mark: one line of a file or a list, as `read` takes it.
pub(crate) const LINE_READ: char = '\u{F009}';

/// Beside a mark: what `git diff` prints of changes that no commit holds.
pub(crate) const OWN_CHANGES: char = '\u{F00A}';
/// The same, turned round: what applies it takes them away.
pub(crate) const CHANGES_TURNED: char = '\u{F00B}';

/// Beside [`LIST_ITEM`]: files that git ignores, some of which hold secrets.
pub(crate) const IGNORED_ITEM: char = '\u{F00C}';

/// The number of a process that serves a port, or is a tool of the project's.
pub(crate) const SERVER_PID: char = '\u{F007}';

/// Whether the character is a mark.
pub const fn is_placeholder(c: char) -> bool {
    matches!(c, '\u{F000}'..='\u{F01F}')
}

/// Whether all of the text is known.
pub fn is_literal(text: &str) -> bool {
    !text.contains(is_placeholder)
}

/// What is left of a text's marks when a program has worked on it: where it comes from, not what it says.
pub(crate) fn taint_of(text: &str) -> String {
    let mut out = String::new();
    for mark in [TAINT_NETWORK, TAINT_DECODED, TAINT_SECRET, ENVIRONMENT, TAINT_STORE, TAINT_LOADED, SHELL_OUTPUT] {
        if text.contains(mark) {
            out.push(mark);
        }
    }
    if out.is_empty() && text.contains(SERVER_PID) && !text.contains([PROGRAM_OUTPUT, LIST_ITEM, UNKNOWN]) {
        out.push(SERVER_PID);
    }
    if out.is_empty() {
        out.push(if text.is_empty() { UNKNOWN } else { PROGRAM_OUTPUT });
    }
    // Whose value it is stays known beside that it is not.
    out.extend(SECRET_VARIABLES.into_iter().filter(|mark| text.contains(*mark)));
    out
}

/// What stands for a text that is too long to be followed: where it comes from, and that nobody has read it.
pub(super) fn too_long(text: &str) -> Rc<str> {
    let mut marks = taint_of(text).replace(PROGRAM_OUTPUT, "");
    marks.push(TAINT_DECODED);
    marks.into()
}

/// The text with its pattern characters active, as the shell takes an unquoted value.
pub fn activate_globs(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '*' => GLOB_STAR,
            '?' => GLOB_ANY,
            '[' => GLOB_SET,
            c => c,
        })
        .collect()
}

/// Whether `text` matches `pattern`, in which `*` stands for any text and `?` for one character. Takes time in proportion to the
/// product of their lengths at worst, and patterns are short.
pub fn glob(pattern: &str, text: &str) -> bool {
    let (mut p, mut t) = (pattern, text);
    let mut retry: Option<(&str, &str)> = None;
    loop {
        let mut pattern_chars = p.chars();
        let mut text_chars = t.chars();
        match (pattern_chars.next(), text_chars.next()) {
            (Some('*'), _) => {
                retry = Some((pattern_chars.as_str(), t));
                p = pattern_chars.as_str();
                continue;
            }
            (Some(a), Some(b)) if a == b || a == '?' => {
                (p, t) = (pattern_chars.as_str(), text_chars.as_str());
                continue;
            }
            (None, None) => return true,
            _ => {}
        }
        let Some((after_star, from)) = retry else { return false };
        let mut rest = from.chars();
        if rest.next().is_none() {
            return false;
        }
        retry = Some((after_star, rest.as_str()));
        (p, t) = (after_star, rest.as_str());
    }
}

/// Whether a shell pattern (with marks for its active characters) can match `name`.
pub(crate) fn may_match(pattern: &str, name: &str) -> bool {
    let mut plain = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    // Beyond the last bracket that closes, none is looked for again.
    let last_close = pattern.rfind(']').unwrap_or(0);
    while let Some(c) = rest.next() {
        plain.push(match c {
            GLOB_ANY => '?',
            // `[…]` is one character; which one does not matter.
            GLOB_SET if pattern.len() - rest.as_str().len() < last_close => {
                // A bracket right after the first belongs to the set.
                let after_first = rest.as_str().char_indices().nth(1).map_or(0, |(at, _)| at);
                let end =
                    rest.as_str().get(after_first..).and_then(|text| text.find(']')).map(|at| after_first + at + 1);
                rest = end.and_then(|end| rest.as_str().get(end..)).unwrap_or_default().chars();
                '?'
            }
            c if is_placeholder(c) => '*',
            c => c,
        });
    }
    glob(&plain, name)
}

/// The text with each `mark` replaced. Where that would make it very long, the marks become holes.
pub(super) fn replaced(text: &str, mark: &str, with: &str) -> String {
    const LONGEST: usize = 1 << 20;
    let found = if mark.is_empty() { 0 } else { text.matches(mark).count() };
    match found {
        0 => text.to_owned(),
        _ if found.saturating_mul(with.len()) > LONGEST => text.replace(mark, &taint_of(with)),
        _ => text.replace(mark, with),
    }
}
