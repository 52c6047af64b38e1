//! What counts as a letter, a boundary and white space when English words are looked for in any language's text.

/// True for a character that continues a Latin word: a letter of the Latin script, a combining mark or `_`.
///
/// Only Latin letters count. A keyword next to a character of another script stands at a boundary, because Chinese, Japanese, Korean
/// or Thai text puts no space between its own words and a borrowed one. Digits don't count here: `2ln(x)` holds the word `ln`.
pub(crate) fn is_word(c: char) -> bool {
    matches!(c,
        'a'..='z' | 'A'..='Z' | '_' | 'ª' | 'º'
        | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2AF}' | '\u{300}'..='\u{36F}'
        | '\u{1E00}'..='\u{1EFF}' | '\u{212A}' | '\u{212B}' | '\u{2C60}'..='\u{2C7F}' | '\u{A720}'..='\u{A7FF}'
        | '\u{FB00}'..='\u{FB06}' | '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}')
}

/// True when a whole word may end before `at`: there is no letter, digit or `_` there.
pub(crate) fn is_end(text: &str, at: usize) -> bool {
    char_at(text, at).is_none_or(|c| !is_word(c) && !c.is_ascii_digit())
}

/// True when a word may begin at `at`: there is no letter or `_` before it.
pub(crate) fn is_start(text: &str, at: usize) -> bool {
    text.get(..at).and_then(|before| before.chars().next_back()).is_none_or(|c| !is_word(c))
}

/// The character that begins at byte `at`.
pub(crate) fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..).and_then(|rest| rest.chars().next())
}

/// Where the white space that begins at `at` ends; `at` itself when there is none.
///
/// A second line break ends it, so that a phrase never reaches over an empty line.
pub(crate) fn skip_space(text: &str, at: usize) -> usize {
    let mut end = at;
    let mut breaks = 0;
    for c in text.get(at..).unwrap_or_default().chars() {
        breaks += usize::from(c == '\n');
        if !c.is_whitespace() || breaks > 1 {
            break;
        }
        end += c.len_utf8();
    }
    end
}

/// Where the blanks of this line that begin at `at` end.
pub(crate) fn skip_blank(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.find(|c: char| c == '\n' || !c.is_whitespace()).map_or(text.len(), |offset| at + offset)
}

/// Finds literals of the signal tables: ASCII letters in any case, all else as the table spells it.
///
/// In a literal `.` is any one character but a line break, a space is a space and `#` an ASCII digit. With `loose` a space, or a `.`
/// that meets white space, takes the whole run. Returns the end of the match.
pub(crate) fn literal_end(text: &str, at: usize, literal: &str, loose: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut i = at;
    for want in literal.bytes() {
        let have = *bytes.get(i)?;
        // Letters, `/` and the backslash sort behind the three signs with a meaning, so this arm does most of the work.
        i = match want {
            _ if want > b'.' && have.to_ascii_lowercase() == want => i + 1,
            _ if loose && matches!(want, b' ' | b'.') => match skip_space(text, i) {
                after if after > i => after,
                _ if want == b' ' || have == b'\n' => return None,
                _ => i + char_at(text, i)?.len_utf8(),
            },
            b'.' if have != b'\n' => i + char_at(text, i)?.len_utf8(),
            b'#' if have.is_ascii_digit() => i + 1,
            b' ' if have == b' ' => i + 1,
            // The two letters outside ASCII that Unicode folds to an ASCII one: long s and the Kelvin sign.
            b's' if have == 0xC5 && bytes.get(i + 1) == Some(&0xBF) => i + 2,
            b'k' if have == 0xE2 && bytes.get(i + 1..i + 3) == Some(&[0x84, 0xAA]) => i + 3,
            _ => return None,
        };
    }
    Some(i)
}

/// Finds a phrase at `at`: any letters in any case, a run of white space as any other run. Returns the end of the match.
pub(crate) fn phrase_end(text: &str, at: usize, phrase: &str) -> Option<usize> {
    let mut i = at;
    let mut in_space = false;
    for want in phrase.chars() {
        if std::mem::replace(&mut in_space, want.is_whitespace()) && in_space {
            continue;
        }
        let have = char_at(text, i)?;
        i = if in_space {
            let after = skip_space(text, i);
            (after > i).then_some(after)?
        } else if have == want || have.to_lowercase().eq(want.to_lowercase()) {
            i + have.len_utf8()
        } else {
            return None;
        };
    }
    Some(i)
}
