//! Foreign text on one line: file names and tool names as they may stand in a note that a user or a model reads.

use std::fmt::Write as _;

/// The longest such text, in characters; of a longer one the beginning and the end are shown.
const MAX: usize = 240;
/// How many of them are from the beginning.
const HEAD: usize = 80;

/// The text on one line, at most 240 characters long before escaping.
///
/// Line ends, other control characters, and the characters that change the direction of writing or cannot be seen become
/// `\n`, `\t`, `\r` or `\u{…}`: a file name cannot begin a line, forge a heading, or hide. Of longer text the first 80 and the last
/// 159 characters are shown with `…` between them. Nothing else changes, so a backslash in the text stays one.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    append(&mut out, text);
    out
}

/// [`one_line`], appended to what is there.
pub(super) fn append(out: &mut String, text: &str) {
    if text.len() <= MAX && text.bytes().all(|b| (0x20..0x7f).contains(&b)) {
        out.push_str(text);
        return;
    }
    // Byte lengths first: text may be megabytes long and is looked at from both ends only.
    let long = text.chars().nth(MAX).is_some();
    if !long {
        text.chars().for_each(|c| escape(out, c));
        return;
    }
    text.chars().take(HEAD).for_each(|c| escape(out, c));
    out.push('…');
    let tail = text.char_indices().rev().nth(MAX - HEAD - 2).map_or(0, |(at, _)| at);
    text.get(tail..).unwrap_or_default().chars().for_each(|c| escape(out, c));
}

/// Appends a list of such texts, or one bullet that says that there is nothing.
pub(super) fn bullets(out: &mut String, entries: &[String], none: &str) {
    if entries.is_empty() {
        out.push_str("- ");
        out.push_str(none);
        out.push('\n');
    }
    for entry in entries {
        out.push_str("- ");
        append(out, entry);
        out.push('\n');
    }
}

fn escape(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if c.is_control() || unseen(c) => {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
        c => out.push(c),
    }
}

/// Separators that begin a line, marks of direction, characters of no width, and tags.
fn unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    )
}
