//! Tells a line of machine output from a line that a user wrote.

/// What a line looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Only a machine writes so.
    Output,
    /// Part of output when output stands before it: an indented or empty line, a frame of a source excerpt.
    Either,
    /// Anything else.
    Own,
}

/// How much of a line is looked at; what marks output stands at its beginning.
const LOOK: usize = 200;

/// Beginnings of lines that test runners, compilers, package managers and run-time systems print, in small letters.
const BEGINNINGS: &[&str] = &[
    "traceback (most recent call last)", "exception in thread", "stack backtrace:", "caused by:", "goroutine ",
    "panicked at", "thread '", "running unittests", "test result:", "error[", "error:", "warning:", "info:", "debug:",
    "note: ", "help: ", "[error]", "[warn]", "[warning]", "[info]", "[debug]", "[trace]", "[fatal]", "npm err!",
    "npm error", "npm warn", "--> ", "::: ", "@@ -", "diff --git ", "index 0", "+++ ", "fatal: ", "remote: ", "$ ",
    "❯ ", "✓ ", "✗ ", "✘ ",
];

/// What the line looks like; `body` is the line without the white space before it, `indented` whether there was some.
pub(crate) fn classify(body: &str, indented: bool) -> Line {
    let body = body.trim_end();
    if body.is_empty() {
        return Line::Either;
    }
    let look = head(body, LOOK);
    let sure = is_stamp(look)
        || begins_as_output(look)
        || is_frame(look)
        || is_location(look)
        || is_exception(look)
        || is_test(look, body);
    if sure {
        Line::Output
    } else if indented || look.starts_with('|') || is_excerpt(look) {
        Line::Either
    } else {
        Line::Own
    }
}

/// At most `most` bytes from the beginning, cut at a character.
fn head(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

/// True for one of the beginnings. The first byte rules nearly all of them out.
fn begins_as_output(text: &str) -> bool {
    let first = text.bytes().next().map(|byte| byte.to_ascii_lowercase());
    BEGINNINGS.iter().any(|beginning| beginning.bytes().next() == first && begins(text, beginning))
}

fn begins(text: &str, beginning: &str) -> bool {
    text.get(..beginning.len()).is_some_and(|head| head.eq_ignore_ascii_case(beginning))
}

/// Reads a shape: `0` stands for a digit, all else for itself.
fn shaped(text: &str, shape: &str) -> bool {
    let mut bytes = text.bytes();
    shape
        .bytes()
        .all(|want| bytes.next().is_some_and(|have| if want == b'0' { have.is_ascii_digit() } else { have == want }))
}

/// A date or a time of day at the beginning, also in brackets, also as syslog writes it.
fn is_stamp(text: &str) -> bool {
    let text = text.strip_prefix(['[', '(']).unwrap_or(text);
    let clock = |at: &str| shaped(at, "00:00:00");
    if clock(text)
        || shaped(text, "0000-00-00T00:00")
        || shaped(text, "0000-00-00 00:00")
        || shaped(text, "0000/00/00 00:00")
    {
        return true;
    }
    // `Mar  7 12:00:01 host …`
    let (month, rest) = text.split_at_checked(3).unwrap_or_default();
    let day = rest.trim_start_matches(' ');
    rest.starts_with(' ')
        && month.bytes().all(|b| b.is_ascii_alphabetic())
        && (shaped(day, "00 00:00:00") || shaped(day, "0 00:00:00"))
}

/// A frame of a stack trace: `at f (file.js:1:2)`, `File "x.py", line 3`, `12: 0x7f… - core::…`.
fn is_frame(text: &str) -> bool {
    if begins(text, "at ") {
        return has_line_number(text);
    }
    if begins(text, "file \"") {
        return text.contains("line ") || text.contains("LINE ");
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(digits..).unwrap_or_default();
    digits > 0 && rest.strip_prefix(": ").is_some_and(|frame| frame.contains("::") || begins(frame, "0x"))
}

/// A colon and a number somewhere.
fn has_line_number(text: &str) -> bool {
    text.split(':').skip(1).any(|part| part.starts_with(|c: char| c.is_ascii_digit()))
}

/// `src/main.rs:10:5: …` and what compilers and grep print alike: a path with a dot or a slash, then a line number.
fn is_location(text: &str) -> bool {
    let word = text.split_ascii_whitespace().next().unwrap_or_default();
    let Some((path, rest)) = word.split_once(':') else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (path.contains('.') || path.contains('/'))
        && digits > 0
        && rest.get(digits..).is_some_and(|after| after.is_empty() || after.starts_with(':'))
        && !path.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// `TypeError: …`, `java.lang.IllegalStateException: …`.
fn is_exception(text: &str) -> bool {
    let length = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$')).count();
    let (name, rest) = text.split_at_checked(length).unwrap_or_default();
    rest.starts_with(": ") && ["error", "exception"].iter().any(|kind| length > kind.len() && ends(name, kind))
}

fn ends(text: &str, ending: &str) -> bool {
    text.len()
        .checked_sub(ending.len())
        .and_then(|at| text.get(at..))
        .is_some_and(|tail| tail.eq_ignore_ascii_case(ending))
}

/// A line of a test run: `test a::b ... ok`.
fn is_test(look: &str, body: &str) -> bool {
    begins(look, "test ") && look.contains(" ... ")
        || begins(look, "running ") && (body.ends_with(" tests") || body.ends_with(" test"))
}

/// A numbered line of source: `12 | let x = 1;`.
fn is_excerpt(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && text.get(digits..).is_some_and(|rest| rest.trim_start().starts_with('|'))
}
