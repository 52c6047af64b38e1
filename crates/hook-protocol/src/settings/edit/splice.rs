//! Changes of a text: spans to replace, removal of items from a list with their commas, and where new items go.

use std::ops::Range;

use super::tree::Container;
use crate::settings::text::Text;

/// What stands between the opening bracket and an item of ours that was put into an empty container.
///
/// A container that we made ourselves begins with a line break, or in a text of one line with nothing. So removal can tell
/// an empty container that was there before, which stays, from one of ours, which goes.
pub(super) const GUEST: &str = " ";

/// The spans of a text that are replaced.
#[derive(Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn replace(&mut self, span: Range<usize>, with: String) {
        self.0.push((span, with));
    }

    /// Takes over the changes of another part of the text.
    pub(super) fn absorb(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    fn delete(&mut self, span: Range<usize>) {
        if !span.is_empty() {
            self.0.push((span, String::new()));
        }
    }

    /// Removes the marked items and what separates them from the ones that stay. A comment between items stays.
    pub(super) fn remove(&mut self, text: &Text<'_>, container: &Container, marked: &[bool]) {
        let items = &container.items;
        let is_marked = |index: usize| marked.get(index).copied().unwrap_or_default();
        let first_kept = (0..items.len()).find(|index| !is_marked(*index));
        let mut previous_end = container.open + 1;
        for (index, item) in items.iter().enumerate() {
            let gap = previous_end..item.start;
            let behind_kept = first_kept.is_some_and(|kept| index > kept);
            match first_kept {
                // Everything goes: the gap before each item goes as well.
                None if is_marked(index) => self.delete_gap(text, gap),
                // The items before the first that stays: the gap behind each of them goes.
                Some(kept) if index > 0 && index <= kept => self.delete_gap(text, gap),
                // Behind an item that stays: the gap before goes.
                Some(_) if behind_kept && is_marked(index) => self.delete_gap(text, gap),
                _ => {}
            }
            if is_marked(index) {
                self.delete(item.clone());
            }
            previous_end = item.end;
        }
        if first_kept.is_none() {
            let behind = text.trailing_commas.iter().filter(|at| (previous_end..container.close).contains(*at));
            for at in behind {
                self.delete(*at..*at + 1);
            }
        }
    }

    /// Removes the white space and the comma between two items, or of a gap with a comment in it the comma alone.
    fn delete_gap(&mut self, text: &Text<'_>, gap: Range<usize>) {
        let plain = text.plain.get(gap.clone()).unwrap_or_default();
        if text.original.get(gap.clone()) == Some(plain) {
            self.delete(gap);
        } else if let Some(comma) = plain.find(',') {
            self.delete(gap.start + comma..gap.start + comma + 1);
        }
    }

    /// The text with all changes made. Spans must not overlap.
    pub(super) fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(span, _)| (span.start, span.end));
        let mut result = String::with_capacity(text.len() + self.0.iter().map(|(_, with)| with.len()).sum::<usize>());
        let mut at = 0;
        for (span, with) in &self.0 {
            result.push_str(text.get(at..span.start).unwrap_or_default());
            result.push_str(with);
            at = span.end;
        }
        result.push_str(text.get(at..).unwrap_or_default());
        result
    }
}

/// Whether a container was made by us, judged by what stands before its first item.
pub(super) fn is_ours(text: &Text<'_>, container: &Container) -> bool {
    let first = container.items.first().map_or(container.close, |item| item.start);
    text.original.get(container.open + 1..first) != Some(GUEST)
}

/// How a text is laid out.
pub(super) struct Style<'t> {
    text: &'t Text<'t>,
    /// Line break, or nothing in a text of one line.
    pub(super) newline: &'static str,
    /// White space of one level.
    unit: &'t str,
    /// No space behind colons and commas.
    pub(super) compact: bool,
}

impl<'t> Style<'t> {
    /// Follows the first member of the root; an empty root says nothing, so it gets two spaces.
    pub(super) fn of(text: &'t Text<'t>, root: &Container) -> Self {
        let newline = if text.plain.contains("\r\n") { "\r\n" } else { "\n" };
        let Some(first) = root.items.first() else {
            return Self { text, newline, unit: "  ", compact: false };
        };
        if !text.plain.get(root.open..root.close).unwrap_or_default().contains('\n') {
            let spaced = text.plain.get(first.clone()).unwrap_or_default().contains("\": ");
            return Self { text, newline: "", unit: "", compact: !spaced };
        }
        let unit = indent_if_first(text, first.start).filter(|unit| !unit.is_empty()).unwrap_or("  ");
        Self { text, newline, unit, compact: false }
    }

    /// The white space one level deeper.
    pub(super) fn deeper(&self, indent: &str) -> String {
        format!("{indent}{}", self.unit)
    }

    /// Puts items behind the last one of a container, or into an empty one; `render` writes them for a given indent.
    pub(super) fn append(&self, edits: &mut Edits, container: &Container, render: impl FnOnce(&str) -> Vec<String>) {
        let comma = if self.compact { "," } else { ", " };
        let Some(last) = container.items.last() else {
            let indent = self.deeper(self.line_indent(container.open));
            let separator =
                if self.newline.is_empty() { comma.to_owned() } else { format!(",{}{indent}", self.newline) };
            let items = render(&indent).join(&separator);
            let at = container.open + 1;
            return edits.replace(at..at, format!("{GUEST}{items}"));
        };
        let (indent, separator) = match indent_if_first(self.text, last.start) {
            Some(indent) if !self.newline.is_empty() => (indent, format!(",{}{indent}", self.newline)),
            _ => (self.line_indent(last.start), comma.to_owned()),
        };
        let items = render(indent).join(&separator);
        edits.replace(last.end..last.end, format!("{separator}{items}"));
    }

    /// An object or list of our own.
    pub(super) fn container(&self, brackets: (char, char), items: &[String], indent: &str) -> String {
        let (newline, inner) = (self.newline, self.deeper(indent));
        let separator =
            if newline.is_empty() && !self.compact { ", ".to_owned() } else { format!(",{newline}{inner}") };
        let (open, close) = brackets;
        format!("{open}{newline}{inner}{}{newline}{indent}{close}", items.join(&separator))
    }

    /// The white space at the start of the line of an offset. What stands before a text of one line indents nothing in it.
    fn line_indent(&self, at: usize) -> &'t str {
        if self.newline.is_empty() {
            return "";
        }
        let line = line_before(self.text, at);
        let end = line.find(|character: char| !is_blank(character)).unwrap_or(line.len());
        line.get(..end).unwrap_or_default()
    }
}

/// The indent of what stands at an offset, when nothing else precedes it on its line.
fn indent_if_first<'t>(text: &'t Text<'_>, at: usize) -> Option<&'t str> {
    let before = line_before(text, at);
    (before.len() < at && before.chars().all(is_blank)).then_some(before)
}

/// The text between the last line break and an offset.
fn line_before<'t>(text: &'t Text<'_>, at: usize) -> &'t str {
    let before = text.original.get(..at).unwrap_or_default();
    before.rsplit('\n').next().unwrap_or_default()
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}
