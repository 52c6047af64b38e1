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
pub(crate) fn fit(text: &str) -> Cow<'_, str> {
    // Nearly every text is plain ASCII, which many bytes at a time show.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(is_plain) || !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let ends = text.replace("\r\n", "\n");
    Cow::Owned(ends.chars().map(|c| if steers(c) { UNSHOWN } else { c }).collect())
}
