//! An agent's answer as plain running text: what is only quoted is taken out, and the many spellings of a dash and a space become one.

use std::collections::BTreeMap;

/// Stands for text that was only quoted: code, quotations, comments. No word holds it, so nothing is found across it.
pub(super) const QUOTED: char = '\u{0}';

/// Stands where a list item, a heading or a table cell begins, which is where a sentence begins as well.
pub(super) const BREAK: char = '\u{1}';

/// Longest quotation that may be a name: `the "research-agent" subagent`.
const NAME: usize = 64;

/// Longest text that one pair of quotation marks encloses. A mark without its partner then quotes nothing.
const QUOTATION: usize = 2_000;

/// The text in lower case, with single spaces, plain hyphens and no markup; quoted passages are [`QUOTED`].
pub(super) fn plain(text: &str) -> String {
    let mut out = Plain { out: String::with_capacity(text.len().min(1 << 20)) };
    let mut fence: Option<(char, usize)> = None;
    let mut paragraph = String::new();
    // Text that is indented is code, but below a list item it goes on with the item.
    let mut in_list = false;
    for line in text.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let body = line.trim_start();
        if let Some((mark, length)) = fence {
            // Only a bare run of the same mark, at least as long, closes a fence.
            if indent < 4 && run(body, mark) >= length && body.trim_start_matches(mark).trim().is_empty() {
                fence = None;
            }
            continue;
        }
        let opened = ['`', '~'].into_iter().map(|mark| (mark, run(body, mark))).find(|(_, length)| *length >= 3);
        if let Some((mark, length)) = opened.filter(|(mark, length)| is_fence(body, *mark, *length) && indent < 4) {
            out.paragraph(&mut paragraph);
            out.out.push_str(" \u{0} ");
            fence = Some((mark, length));
        } else if body.starts_with('>')
            || (indent >= 4 || line.starts_with('\t')) && !in_list && paragraph.is_empty() && !body.is_empty()
        {
            out.paragraph(&mut paragraph);
            out.out.push_str(" \u{0} ");
        } else if body.is_empty() {
            out.paragraph(&mut paragraph);
        } else if let Some(item) = item(body) {
            in_list = true;
            out.paragraph(&mut paragraph);
            paragraph.push(BREAK);
            paragraph.push_str(item);
        } else {
            in_list &= indent > 0 || !paragraph.is_empty();
            paragraph.push(' ');
            paragraph.push_str(line);
        }
    }
    out.paragraph(&mut paragraph);
    out.out
}

fn run(text: &str, mark: char) -> usize {
    text.chars().take_while(|c| *c == mark).count()
}

/// An opening fence of backticks has none behind them on its line; otherwise it is code within the line.
fn is_fence(body: &str, mark: char, length: usize) -> bool {
    mark == '~' || !body.get(length..).unwrap_or_default().contains('`')
}

/// What stands behind the mark of a list item, a heading or a table row; `None` for other lines.
fn item(body: &str) -> Option<&str> {
    let rest = body.trim_start_matches('#');
    if rest.len() < body.len() && rest.starts_with(char::is_whitespace) {
        return Some(rest);
    }
    if let Some(rest) = body.strip_prefix(['-', '*', '+', '•', '|', '→', '►', '▶']) {
        let spaced = rest.starts_with(char::is_whitespace);
        return (spaced || !body.starts_with(['-', '*', '+'])).then_some(rest);
    }
    let digits = body.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = digits.len() < body.len() && body.len() - digits.len() < 10;
    numbered.then(|| digits.strip_prefix(['.', ')'])).flatten().filter(|rest| rest.starts_with(char::is_whitespace))
}

struct Plain {
    out: String,
}

impl Plain {
    /// Takes one paragraph, within which alone quotation marks and backticks belong together.
    fn paragraph(&mut self, paragraph: &mut String) {
        let spans = spans(paragraph);
        let mut at = 0;
        for span in spans {
            self.copy(paragraph.get(at..span.start).unwrap_or_default());
            match name(paragraph.get(span.start..span.end).unwrap_or_default(), span.name) {
                Some(name) => self.copy(name),
                None => self.out.push_str(" \u{0} "),
            }
            at = span.end;
        }
        self.copy(paragraph.get(at..).unwrap_or_default());
        self.space();
        paragraph.clear();
    }

    fn copy(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                // Emphasis and stray marks around words say nothing.
                '*' | '`' => {}
                BREAK => {
                    self.space();
                    self.out.push(BREAK);
                }
                c if is_invisible(c) => {}
                c if c.is_whitespace() => self.space(),
                c if is_dash(c) => self.out.push('-'),
                c => self.out.extend(c.to_lowercase()),
            }
        }
    }

    fn space(&mut self) {
        if !self.out.ends_with([' ', BREAK]) && !self.out.is_empty() {
            self.out.push(' ');
        }
    }
}

/// A quoted passage of a paragraph, marks included.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
    /// Whether a short one may be a name in the running text.
    name: bool,
}

/// The name that a span encloses, if that is all: `"research-agent"`, `` `research-agent` ``, `[research-agent](file.md)`.
fn name(span: &str, may_be_name: bool) -> Option<&str> {
    let link = span.strip_prefix('[').and_then(|rest| Some(rest.split_once("](")?.0));
    let inner =
        link.unwrap_or(span).trim_matches(|c: char| is_quote(c) || matches!(c, '`' | '*' | '_' | '~' | '[' | ']'));
    let word = |c: char| c.is_alphanumeric() || is_dash(c) || is_invisible(c) || matches!(c, '_' | ':');
    (may_be_name && !inner.is_empty() && inner.len() <= NAME && inner.chars().all(word)).then_some(inner)
}

/// The quoted passages of a paragraph, in order and disjoint: code, quotations, links, comments, and text that is struck out.
fn spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut marks = Marks { text, next: BTreeMap::new() };
    let mut end = 0;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if at >= end
            && let Some(span) = marks.span(at, c, before)
        {
            end = span.end;
            spans.push(span);
        }
        before = c;
    }
    spans
}

/// Where the closing marks of a paragraph stand. Each is looked for from left to right once, however many marks open.
struct Marks<'t> {
    text: &'t str,
    next: BTreeMap<&'static str, Option<usize>>,
}

impl Marks<'_> {
    /// The quoted passage that begins at `at`, if one does.
    fn span(&mut self, at: usize, first: char, before: char) -> Option<Span> {
        let rest = self.text.get(at..)?;
        let inside = at + first.len_utf8();
        let opens =
            before.is_whitespace() || matches!(before, '(' | '[' | '{' | BREAK | ':' | '*' | '_') || is_dash(before);
        let (end, name) = match first {
            '`' => {
                // Code closes with a run of the same length; more than three marks do not occur within a line.
                let mark = ["`", "``", "```"].get(run(rest, '`').checked_sub(1)?)?;
                (self.close(mark, at + mark.len())?, true)
            }
            '"' if opens => (self.close("\"", inside)?, true),
            '\'' if opens => (self.close("'", inside)?, true),
            '“' | '„' | '‟' => (self.close("”", inside).or_else(|| self.close("“", inside))?, true),
            '‘' | '‚' => (self.close("’", inside)?, true),
            '«' => (self.close("»", inside)?, true),
            '»' if opens => (self.close("«", inside)?, true),
            '‹' => (self.close("›", inside)?, true),
            '「' => (self.close("」", inside)?, true),
            '『' => (self.close("』", inside)?, true),
            '《' => (self.close("》", inside)?, true),
            '<' if rest.starts_with("<!--") => (self.close("-->", at + 4)?, false),
            '~' if rest.starts_with("~~") => (self.close("~~", at + 2)?, false),
            '[' => {
                let target = self.close("](", inside)?;
                let end = self.close(")", target)?;
                // Only a link on a name is taken whole; the words of any other link are running text.
                name(self.text.get(at..end)?, true)?;
                (end, true)
            }
            _ => return None,
        };
        (end - at <= QUOTATION).then_some(Span { start: at, end, name })
    }

    /// The end of the first closing mark at `from` or later.
    fn close(&mut self, mark: &'static str, from: usize) -> Option<usize> {
        let known = self.next.get(mark).copied();
        if let Some(None) = known {
            return None;
        }
        if let Some(Some(at)) = known
            && at >= from
        {
            return Some(at + mark.len());
        }
        let closes = |at: usize| {
            // An apostrophe within a word closes nothing.
            let within = |text: &str| text.chars().next().is_some_and(char::is_alphanumeric);
            !matches!(mark, "'" | "’") || !self.text.get(at + mark.len()..).is_some_and(within)
        };
        let found = self.text.get(from..)?.match_indices(mark).map(|(at, _)| from + at).find(|at| closes(*at));
        self.next.insert(mark, found);
        found.map(|at| at + mark.len())
    }
}

fn is_quote(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '“'
            | '”'
            | '„'
            | '‟'
            | '‘'
            | '’'
            | '‚'
            | '«'
            | '»'
            | '‹'
            | '›'
            | '「'
            | '」'
            | '『'
            | '』'
            | '《'
            | '》'
    )
}

/// Every character that is drawn as a short horizontal stroke within or between words.
fn is_dash(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2010}'
            ..='\u{2015}'
                | '\u{2043}'
                | '\u{2212}'
                | '\u{2e3a}'
                | '\u{2e3b}'
                | '\u{fe58}'
                | '\u{fe63}'
                | '\u{ff0d}'
                | '\u{02d7}'
                | '\u{058a}'
                | '\u{05be}'
                | '\u{1806}'
                | '\u{207b}'
                | '\u{208b}'
    )
}

/// Characters that take no room: soft hyphens, zero-width spaces and joiners, marks of direction, variation selectors.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
    ) || (c.is_control() && !c.is_whitespace())
}
