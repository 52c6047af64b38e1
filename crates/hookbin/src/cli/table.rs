//! Text for a terminal: made harmless, and in plain columns.

use std::borrow::Cow;

use hook_runtime::event::plain::hides;

/// `text` on one line, with what [`hides`] made visible.
pub(super) fn clean(text: &str) -> String {
    text.chars().map(|c| if hides(c) { '\u{fffd}' } else { c }).collect()
}

/// Each line of `text` made harmless by [`clean`].
pub(super) fn clean_lines(text: &str) -> String {
    text.split('\n').map(clean).collect::<Vec<_>>().join("\n")
}

/// `text` as a command prints it: with line ends and tabs, and what else steers made visible.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) {
        return Cow::Borrowed(text);
    }
    let mut rest = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(c) = rest.next() {
        let ends_line = c == '\r' && rest.peek() == Some(&'\n');
        out.push(if hides(c) && !ends_line && !matches!(c, '\n' | '\t') { '\u{fffd}' } else { c });
    }
    Cow::Owned(out)
}

/// A JSON text with what [`hides`] escaped, so that it says the same and can be looked at.
pub(super) fn json(text: &str) -> Cow<'_, str> {
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

/// At most so many characters of `text` on one line, made harmless by [`clean`].
pub(super) fn clean_short(text: &str, most: usize) -> String {
    let blank = |c| if matches!(c, '\n' | '\t') { ' ' } else { c };
    let mut line: String = text.chars().take(most).map(blank).collect();
    if line.len() < text.len() {
        line.push('…');
    }
    clean(&line)
}

/// Lines of columns, each as wide as its widest cell; the last is not padded.
pub(super) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let rows: Vec<[String; N]> = rows.iter().map(|row| row.each_ref().map(|cell| clean(cell))).collect();
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', (width + 2).saturating_sub(cell.chars().count())));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
