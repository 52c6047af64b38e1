//! Small languages in operands: sed and awk, proven to print and nothing else.

use crate::programs::Script;

/// Whether the text does nothing but print.
pub(super) fn only_prints(text: &str, language: Script) -> bool {
    match language {
        Script::Sed => sed(text),
        Script::Awk => awk(text),
    }
}

/// Awk writes by `>` and `|`, starts programs by `system`, `|` and `getline`, and loads code by `@`. A text that holds none of these,
/// not even as a comparison or within quotes, prints.
fn awk(text: &str) -> bool {
    let text = text.replace("||", "");
    !["system", "getline", "fflush", "close"].iter().any(|word| text.contains(word))
        && !text.contains(['|', '>', '@', '`'])
}

/// Commands of sed with addresses. Those that read or write files, start programs, or take text up to the end of the line are not known
/// here.
fn sed(text: &str) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', ';', '{', '}']);
        if rest.is_empty() {
            return true;
        }
        let Some(after) = command(rest) else { return false };
        rest = after.trim_start_matches([' ', '\t']);
        if !(rest.is_empty() || rest.starts_with([';', '\n', '{', '}'])) {
            return false;
        }
    }
}

/// What follows one command.
fn command(text: &str) -> Option<&str> {
    let mut rest = address(text)?;
    if let Some(after) = rest.trim_start().strip_prefix(',') {
        rest = address(after.trim_start())?;
    }
    rest = rest.trim_start().trim_start_matches('!').trim_start();
    let name = rest.chars().next()?;
    let after = rest.get(name.len_utf8()..)?;
    match name {
        'p' | 'd' | 'D' | 'P' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | '=' | 'q' | 'Q' | 'l' => {
            Some(after.trim_start_matches(|c: char| c.is_ascii_digit()))
        }
        // What stands in the braces is read as the next command, without a stack however many there are.
        '{' => Some(rest),
        's' | 'y' => {
            let mark = after.chars().next().filter(|c| !c.is_alphanumeric() && *c != '\\' && !c.is_whitespace())?;
            let mut rest = after.get(mark.len_utf8()..)?;
            for _ in 0..2 {
                rest = delimited(rest, mark)?;
            }
            // Neither `e` nor `w`.
            Some(rest.trim_start_matches(|c: char| name == 's' && (c.is_ascii_digit() || "gpiIM".contains(c))))
        }
        _ => None,
    }
}

/// What follows an address, if there is one.
fn address(text: &str) -> Option<&str> {
    let rest = match text.chars().next()? {
        c if c.is_ascii_digit() || c == '+' || c == '~' => {
            text.trim_start_matches(|c: char| c.is_ascii_digit() || "+~".contains(c))
        }
        '$' => text.get(1..)?,
        '/' => delimited(text.get(1..)?, '/')?.trim_start_matches(['I', 'M']),
        _ => text,
    };
    Some(rest)
}

/// What follows the next `mark` that no backslash stands before; of brackets of a pattern too.
fn delimited(text: &str, mark: char) -> Option<&str> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '\n' => return None,
            // Programs disagree on whether the mark ends the text within a set.
            '[' if text
                .get(at..)
                .and_then(|set| set.split(']').next())
                .is_some_and(|set| set.contains([mark, '\\'])) =>
            {
                return None;
            }
            c if c == mark => return text.get(at + c.len_utf8()..),
            _ => {}
        }
    }
    None
}
