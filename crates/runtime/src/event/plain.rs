//! Text for people and for the model, made fit to be shown: nothing in it steers a terminal, or hides or turns what is written.

use std::borrow::Cow;

/// What stands for a character that is not shown.
const UNSHOWN: char = '\u{fffd}';

/// Whether a character steers a terminal, turns the writing direction, or is text that nobody sees. What joins letters and pictures is
/// part of how people write, and stays.
fn steers(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}' | '\u{e0000}'..='\u{e007f}')
}

/// The text with such characters made visible; line ends of any kind are one.
pub fn fit(text: &str) -> Cow<'_, str> {
    // Nearly every text is plain ASCII, which many bytes at a time show.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(is_plain) || !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let ends = text.replace("\r\n", "\n");
    Cow::Owned(ends.chars().map(|c| if steers(c) { UNSHOWN } else { c }).collect())
}

/// Whether a character steers, hides or turns what is shown on a terminal: moves the cursor, colours the screen, forges a line, turns the
/// writing direction, or is there and not seen.
pub fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// `text` as a command prints it: with line ends and tabs, and what else steers made visible.
pub fn shown(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) {
        return Cow::Borrowed(text);
    }
    let mut rest = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(c) = rest.next() {
        let ends_line = c == '\r' && rest.peek() == Some(&'\n');
        out.push(if hides(c) && !ends_line && !matches!(c, '\n' | '\t') { UNSHOWN } else { c });
    }
    Cow::Owned(out)
}

/// A JSON text with what [`hides`] escaped, so that it says the same and can be looked at.
pub fn json(text: &str) -> Cow<'_, str> {
    let is_hidden = |c: char| hides(c) && !matches!(c, '\n' | '\t' | '\r');
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) {
            out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// The text on one line, with what [`hides`] spelled out. Of one that is wider than `most`, the middle is left out and said to be: what
/// matters may stand at either end.
pub fn one_line(text: &str, most: usize) -> String {
    let pieces: Vec<String> = text.chars().map(spelled).collect();
    let width = |pieces: &[String]| pieces.iter().map(|piece| piece.chars().count()).sum::<usize>();
    if width(&pieces) <= most {
        return pieces.concat();
    }
    let fitting = |pieces: &mut dyn Iterator<Item = &String>, room: usize| {
        let mut used = 0;
        pieces
            .take_while(|piece| {
                used += piece.chars().count();
                used <= room
            })
            .count()
    };
    let begin = fitting(&mut pieces.iter(), most - most / 3);
    let end = fitting(&mut pieces.iter().rev(), most / 3).min(pieces.len() - begin);
    let hidden = pieces.len() - begin - end;
    let part = |range: std::ops::Range<usize>| pieces.get(range).unwrap_or_default().concat();
    format!("{} …({hidden} characters are not shown)… {}", part(0..begin), part(pieces.len() - end..pieces.len()))
}

fn spelled(c: char) -> String {
    match c {
        '\n' | '\r' | '\t' => c.escape_default().collect(),
        c if hides(c) => c.escape_unicode().collect(),
        c => c.to_string(),
    }
}
