//! A terminal's screen as an SVG: text in whatever monospace font the reader has, in a window's frame.

use std::fmt::Write as _;

use anyhow::{Result, ensure};
use vt100::{Color, Screen};

/// Width and height of a cell, and the size of the letters in it.
const CELL: (f64, f64) = (8.4, 18.0);
const LETTERS: f64 = 14.0;

/// The frame: what is left free around the text, and the height of the bar above it.
const MARGIN: f64 = 16.0;
const BAR: f64 = 40.0;

/// Colours of the terminal itself.
const TEXT: &str = "#d4d4d4";
const GROUND: &str = "#1b1d23";

/// The sixteen colours that a terminal names.
const NAMED: [&str; 16] = [
    "#1b1d23", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d4d4d4", "#7f848e", "#e06c75",
    "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#ffffff",
];

/// Letters that many fonts lack, and what is drawn for them: one that looks alike and is in every monospace font.
const DRAWN: [(&str, &str); 3] = [("\u{23bf}", "\u{2514}"), ("\u{23f8}", "\u{2016}"), ("\u{a0}", " ")];

/// A cell's look. Equal neighbours are drawn as one text.
#[derive(Clone, PartialEq)]
struct Look {
    colour: String,
    ground: Option<String>,
    bold: bool,
    dim: bool,
    italic: bool,
    underline: bool,
    /// Letters that a font may lack come from another one, with another width; they are kept apart from the rest.
    plain: bool,
}

#[derive(Clone)]
struct Cell {
    text: String,
    /// How many columns it takes.
    width: u32,
    look: Look,
}

impl Cell {
    /// Whether a blank would look the same in both.
    fn is_like(&self, other: &Self) -> bool {
        self.look.ground == other.look.ground && self.look.underline == other.look.underline
    }
}

/// Draws the screen under a title, with one text put for another of the same length.
pub(super) fn draw(screen: &Screen, title: &str, [from, to]: [&str; 2]) -> Result<String> {
    ensure!(from.chars().count() == to.chars().count(), "{from} and {to} do not have one length");
    let mut rows: Vec<Vec<Cell>> = (0..screen.size().0).map(|row| cells(screen, row)).collect();
    for row in &mut rows {
        replace(row, from, to);
    }
    rows.drain(..rows.iter().take_while(|row| is_blank(row)).count());
    while rows.last().is_some_and(|row| is_blank(row)) {
        rows.pop();
    }
    let said: Vec<String> = rows.iter().map(|row| text(row).trim_end().to_owned()).collect();
    ensure!(!said.concat().contains("/tmp"), "a path of this machine is left on the screen:\n{}", said.join("\n"));
    let width = f64::from(screen.size().1) * CELL.0 + 2.0 * MARGIN;
    let lines = u32::try_from(rows.len()).unwrap_or_default();
    let height = f64::from(lines) * CELL.1 + BAR + MARGIN;
    let mut svg = frame(width, height, title, &said);
    for (at, row) in (0_u32..).zip(&rows) {
        line(&mut svg, row, BAR + f64::from(at) * CELL.1);
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

fn cells(screen: &Screen, row: u16) -> Vec<Cell> {
    let of_column = |column| screen.cell(row, column).filter(|cell| !cell.is_wide_continuation());
    let mut found: Vec<Cell> = Vec::new();
    for mut cell in (0..screen.size().1).filter_map(of_column).map(of_terminal) {
        // Of a blank only ground and line are seen; it goes with the letters before it.
        if let Some(before) = found.last().filter(|before| cell.text == " " && cell.is_like(before)) {
            cell.look = before.look.clone();
        }
        found.push(cell);
    }
    found
}

fn of_terminal(cell: &vt100::Cell) -> Cell {
    let shown = if cell.has_contents() { cell.contents() } else { " " };
    let drawn = DRAWN.iter().find(|(rare, _)| *rare == shown).map_or(shown, |(_, common)| common);
    let text = drawn.to_owned();
    let [mut colour, mut ground] = [cell.fgcolor(), cell.bgcolor()].map(of_colour);
    if cell.inverse() {
        (colour, ground) = (ground.or(Some(GROUND.to_owned())), colour.or(Some(TEXT.to_owned())));
    }
    let look = Look {
        colour: colour.unwrap_or_else(|| TEXT.to_owned()),
        ground,
        bold: cell.bold(),
        dim: cell.dim(),
        italic: cell.italic(),
        underline: cell.underline(),
        plain: text.is_ascii(),
    };
    Cell { text, width: if cell.is_wide() { 2 } else { 1 }, look }
}

/// The colour in the writing of CSS; `None` is the terminal's own.
fn of_colour(colour: Color) -> Option<String> {
    match colour {
        Color::Default => None,
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        Color::Idx(number) => Some(of_palette(number)),
    }
}

/// A colour of the 256: sixteen with a name, a cube of six steps a side, and 24 greys.
fn of_palette(number: u8) -> String {
    if let Some(named) = NAMED.get(usize::from(number)) {
        return (*named).to_owned();
    }
    let step = |part: u8| if part == 0 { 0 } else { 55 + part * 40 };
    if let Some(grey) = number.checked_sub(232) {
        let grey = 8 + grey * 10;
        return format!("#{grey:02x}{grey:02x}{grey:02x}");
    }
    let cube = number.saturating_sub(16);
    format!("#{:02x}{:02x}{:02x}", step(cube / 36), step(cube / 6 % 6), step(cube % 6))
}

fn text(row: &[Cell]) -> String {
    row.iter().map(|cell| cell.text.as_str()).collect()
}

fn is_blank(row: &[Cell]) -> bool {
    row.iter().all(|cell| cell.text == " " && cell.look.ground.is_none())
}

/// Puts one text for another, letter by letter, so that nothing moves.
fn replace(row: &mut [Cell], from: &str, to: &str) {
    let length = from.chars().count();
    for start in 0..row.len() {
        let Some(cells) = row.get_mut(start..start + length) else { return };
        if text(cells) == from {
            for (cell, letter) in cells.iter_mut().zip(to.chars()) {
                cell.text = letter.to_string();
            }
        }
    }
}

/// The beginning of the picture: what it says to a reader who does not see it, the window and its title.
fn frame(width: f64, height: f64, title: &str, said: &[String]) -> String {
    let said = escaped(&said.join("\n"));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<title>{title}</title>\n<desc>{said}</desc>\n<style>\n\
         text {{ font: {LETTERS}px ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', \
         'DejaVu Sans Mono', monospace; white-space: pre }}\n\
         .b {{ font-weight: bold }} .d {{ opacity: .6 }} .i {{ font-style: italic }} .u {{ text-decoration: underline }}\n\
         </style>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{GROUND}\"/>\n"
    );
    for (at, colour) in (0_u32..).zip(["#e06c75", "#e5c07b", "#98c379"]) {
        let x = 18.0 + f64::from(at) * 18.0;
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"16\" r=\"5.5\" fill=\"{colour}\"/>");
    }
    let (middle, grey) = (width / 2.0, "#7f848e");
    let _ = writeln!(svg, "<text x=\"{middle:.0}\" y=\"21\" text-anchor=\"middle\" fill=\"{grey}\">{title}</text>");
    svg
}

/// One line of the screen.
fn line(svg: &mut String, row: &[Cell], top: f64) {
    let mut column = 0;
    for run in row.chunk_by(|a, b| a.look == b.look) {
        let width = run.iter().map(|cell| cell.width).sum::<u32>();
        if let Some(cell) = run.first() {
            span(svg, &text(run), &cell.look, [column, width], top);
        }
        column += width;
    }
}

/// Letters of one look: the ground, then the text, as wide as its cells whatever the reader's font is.
fn span(svg: &mut String, text: &str, look: &Look, [column, width]: [u32; 2], top: f64) {
    let pixels = |columns: u32| f64::from(columns) * CELL.0;
    if let Some(ground) = &look.ground {
        let (x, wide, high) = (MARGIN + pixels(column), pixels(width), CELL.1);
        let _ =
            writeln!(svg, "<rect x=\"{x:.1}\" y=\"{top}\" width=\"{wide:.1}\" height=\"{high}\" fill=\"{ground}\"/>");
    }
    let blanks = |text: &str, rest: &str| u32::try_from(text.len() - rest.len()).unwrap_or_default();
    let begun = text.trim_start_matches(' ');
    let letters = begun.trim_end_matches(' ');
    if letters.is_empty() {
        return;
    }
    let (before, after) = (blanks(text, begun), blanks(begun, letters));
    let (x, wide) = (MARGIN + pixels(column + before), pixels(width - before - after));
    let looks = [(look.bold, "b"), (look.dim, "d"), (look.italic, "i"), (look.underline, "u")];
    let names: Vec<&str> = looks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, name)| name).collect();
    let class = if names.is_empty() { String::new() } else { format!(" class=\"{}\"", names.join(" ")) };
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{:.1}\" textLength=\"{wide:.1}\" lengthAdjust=\"spacingAndGlyphs\" \
         fill=\"{}\"{class}>{}</text>",
        top + LETTERS,
        look.colour,
        escaped(letters)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::draw;

    fn drawn(bytes: &str) -> String {
        let mut terminal = vt100::Parser::new(4, 40, 0);
        terminal.process(bytes.as_bytes());
        draw(terminal.screen(), "shop", ["/opt/a1", "/home/u"]).unwrap()
    }

    /// What stands between the tags of the lines, with the look that precedes it.
    fn texts(svg: &str) -> Vec<(String, String)> {
        let lines = svg.lines().filter(|line| line.starts_with("<text") && line.contains("textLength"));
        let parts = lines.map(|line| line.split_once('>').unwrap());
        parts.map(|(look, rest)| (look.to_owned(), rest.replace("</text>", ""))).collect()
    }

    #[test]
    fn what_looks_alike_is_one_text_at_its_column_with_its_colour() {
        let svg = drawn("  \u{1b}[1;31mrm -rf\u{1b}[0m <a> & b\r\n\u{1b}[38;5;196mx\u{1b}[48;2;1;2;3m \u{1b}[0m");
        let found = texts(&svg);
        assert_eq!(found.len(), 3, "{svg}");
        // The margin is 16, a cell 8.4 wide; six cells are 50.4.
        for part in ["x=\"32.8\"", "textLength=\"50.4\"", "fill=\"#e06c75\"", "class=\"b\""] {
            assert!(found[0].0.contains(part), "{part}: {:?}", found[0]);
        }
        assert_eq!(found[0].1, "rm -rf");
        assert!(found[1].0.contains("x=\"91.6\"") && !found[1].0.contains("class"), "{:?}", found[1]);
        assert_eq!(found[1].1, "&lt;a&gt; &amp; b");
        // Number 196 of the palette is the cube's 5, 0, 0.
        assert!(found[2].0.contains("fill=\"#ff0000\""), "{:?}", found[2]);
        assert!(svg.contains("width=\"8.4\" height=\"18\" fill=\"#010203\""), "{svg}");
    }

    #[test]
    fn the_home_dir_is_another_one_and_no_path_of_the_machine_is_drawn() {
        let svg = drawn("in /opt/a1/shop.");
        assert!(svg.contains(">in /home/u/shop.</text>") && !svg.contains("/opt/a1"), "{svg}");
        let mut terminal = vt100::Parser::new(2, 20, 0);
        terminal.process(b"/tmp/other");
        assert!(draw(terminal.screen(), "shop", ["/opt/a1", "/home/u"]).is_err());
        assert!(draw(terminal.screen(), "shop", ["/tmp/other", "/home/u"]).is_err());
    }
}
