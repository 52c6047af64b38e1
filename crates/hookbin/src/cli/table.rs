//! Plain columns for a terminal.

/// `text` without what could move the cursor, colour the screen, forge a line or turn the writing direction.
pub(super) fn clean(text: &str) -> String {
    let unsafe_to_show = |c: char| {
        c.is_control() || matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    // A line break is the one such character that honest texts are full of.
    let shown = |c: char| if matches!(c, '\n' | '\t') { ' ' } else { '\u{fffd}' };
    text.chars().map(|c| if unsafe_to_show(c) { shown(c) } else { c }).collect()
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
