//! Text for a terminal: made harmless, and in plain columns.

use hook_runtime::event::plain::hides;
pub(super) use hook_runtime::event::plain::{json, shown};

/// `text` on one line, with what [`hides`] made visible.
pub(super) fn clean(text: &str) -> String {
    text.chars().map(|c| if hides(c) { '\u{fffd}' } else { c }).collect()
}

/// Each line of `text` made harmless by [`clean`].
pub(super) fn clean_lines(text: &str) -> String {
    text.split('\n').map(clean).collect::<Vec<_>>().join("\n")
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
