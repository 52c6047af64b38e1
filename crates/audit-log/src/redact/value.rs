//! Where a value behind a name ends, and whether it is one.

/// A value's content: inside its quotes, if it is one quoted string.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The whole value is one quoted string.
    pub(super) quoted: bool,
}

/// Reads a value as a shell reads a word and JSON a string: pieces in quotes, escapes, and plain bytes up to a blank or
/// one of `; & | < > " '`. A quote that never closes ends with the line.
pub(super) fn at(text: &[u8], from: usize) -> Value {
    let byte = |at: usize| text.get(at).copied().unwrap_or(0);
    // Escaped quotes, as in JSON inside a string: the same run of backslashes closes it.
    let slashes = text.get(from..).unwrap_or_default().iter().take(8).take_while(|b| **b == b'\\').count();
    let quote = byte(from + slashes);
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return Value { from, to: word_end(text, from), quoted: false };
    }
    let inside = from + slashes + 1;
    let (to, closed) = closing(text, inside, quote, slashes);
    let mut after = if closed { to + slashes + 1 } else { to };
    // `'it'\''s'`: a word of the shell may have more pieces. Another kind of quote is more likely the one around it.
    let is_more = |b: u8| b == quote || is_plain(b);
    if !closed || slashes > 0 || !(is_more(byte(after)) || byte(after) == b'\\' && byte(after + 1) == quote) {
        return Value { from: inside, to, quoted: true };
    }
    loop {
        let next = match byte(after) {
            b'\\' if byte(after + 1) == quote => after + 2,
            b if b == quote => match closing(text, after + 1, quote, 0) {
                (to, true) => to + 1,
                (to, false) => return Value { from, to, quoted: false },
            },
            _ => word_end(text, after),
        };
        if next == after {
            return Value { from, to: after, quoted: false };
        }
        after = next;
    }
}

/// Where the closing quote begins (with its backslashes), and whether there is one on this line.
fn closing(text: &[u8], from: usize, quote: u8, slashes: usize) -> (usize, bool) {
    let mut run = 0;
    for (offset, byte) in text.get(from..).unwrap_or_default().iter().enumerate() {
        match *byte {
            b'\\' => run += 1,
            b'\n' => return (from + offset, false),
            // In single quotes a backslash escapes nothing, in others an odd run does. Inside an escaped string the
            // quote closes that has no more backslashes than the one that opened; a bare one closes in any case.
            b if b == quote => {
                let closes = if slashes > 0 { run <= slashes } else { quote == b'\'' || run % 2 == 0 };
                if closes {
                    return (from + offset - if slashes > 0 { run.min(slashes) } else { 0 }, run >= slashes);
                }
                run = 0;
            }
            _ => run = 0,
        }
    }
    (text.len(), false)
}

/// The end of an unquoted run; a quote ends it, because it closes the string around more often than it opens a piece.
fn word_end(text: &[u8], from: usize) -> usize {
    let byte = |at: usize| text.get(at).copied().unwrap_or(0);
    let mut at = from;
    while at < text.len() {
        match byte(at) {
            // An escaped quote closes the string around; any other escaped ASCII byte belongs to the word.
            b'\\' if matches!(byte(at + 1), b'"' | b'\'' | b'\\' | b'\n') => return at,
            b'\\' if byte(at + 1).is_ascii() => at += 2,
            0..=b' ' | b'"' | b'\'' | b'`' | b';' | b'&' | b'|' | b'<' | b'>' => return at,
            _ => at += 1,
        }
    }
    text.len()
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'.' | b'!' | b'%' | b'@' | b'^' | b'*' | b'+' | b'/' | b'#')
}

/// A variable or a substitution, which names a secret without telling it.
pub(super) fn is_reference(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"$") else { return text.starts_with(b"{{") };
    if rest.first() == Some(&b'(') {
        return true;
    }
    let name = match rest.strip_prefix(b"{") {
        Some(inner) => inner.split(|b| *b == b'}').next().unwrap_or_default(),
        None => rest.split(|b| matches!(b, b')' | b']' | b'}' | b',')).next().unwrap_or_default(),
    };
    // `$ecret` is more likely a password than a variable; `${x:-default}` may hold one.
    !name.is_empty() && name.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_')
}

/// Words that are no secret wherever they stand.
pub(super) fn is_literal(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 8] = [b"true", b"false", b"null", b"none", b"nil", b"undefined", b"yes", b"no"];
    let end = text.iter().rev().take_while(|b| matches!(b, b')' | b']' | b'}' | b',')).count();
    let bare = text.get(..text.len() - end).unwrap_or_default();
    bare.is_empty() || WORDS.iter().any(|word| bare.eq_ignore_ascii_case(word)) || bare.iter().all(|b| *b == b'*')
}

/// More likely made by a machine than said by a user.
pub(super) fn looks_secret(text: &[u8]) -> bool {
    let digit = text.iter().any(u8::is_ascii_digit);
    let letter = text.iter().any(u8::is_ascii_alphabetic);
    // Code has brackets and colons; so has a text that was redacted inside, and it must not look different for that.
    let plain = text.iter().all(|b| is_plain(*b) || matches!(b, b'=' | b'~' | b'$'));
    plain && (text.len() >= 8 && digit && letter || text.len() >= 24)
}
