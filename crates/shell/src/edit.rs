//! Changes to the text of a command: where its words stand, and how a word is put differently without touching its neighbours.

use crate::resolve::quoted;
use crate::syntax::{Command, Compound, Context, Link, Part, Script, Span, Static, Visit, Word, parse, walk};

/// One change of the text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// First byte that goes.
    pub start: usize,
    /// One past the last byte that goes.
    pub end: usize,
    /// What comes in its place.
    pub text: String,
}

impl Edit {
    /// Puts text before a byte.
    pub fn insert(at: usize, text: String) -> Self {
        Self { start: at, end: at, text }
    }

    /// Puts text in the place of a span.
    pub fn replace(span: Span, text: String) -> Self {
        Self { start: span.start as usize, end: span.end as usize, text }
    }
}

/// The text with all edits made; `None` if two of them meet, or one does not fit.
pub fn apply(text: &str, mut edits: Vec<Edit>) -> Option<String> {
    edits.sort();
    edits.dedup();
    let mut out = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for edit in &edits {
        out.push_str(text.get(at..edit.start)?);
        out.push_str(&edit.text);
        at = edit.end;
        if edit.end < edit.start {
            return None;
        }
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

/// A simple command of the text.
#[derive(Debug)]
pub struct Place {
    /// Where it stands.
    pub span: Span,
    /// Its words, the program's name first.
    pub words: Vec<Word>,
}

/// The syntax tree of a text, with its words.
#[derive(Debug)]
pub struct Text<'t> {
    /// The text.
    pub source: &'t str,
    /// Its tree.
    pub script: Script,
    /// Simple commands wherever they stand, in the order of the text.
    pub commands: Vec<Place>,
    /// Every word: arguments, targets of redirections, values of assignments.
    pub words: Vec<Word>,
}

impl<'t> Text<'t> {
    /// Parses a text.
    pub fn new(text: &'t str) -> Self {
        struct Collect(Vec<Place>, Vec<Word>);
        impl Visit for Collect {
            fn command(&mut self, command: &Command, _: Context) {
                if let Compound::Simple(simple) = &command.kind {
                    self.0.push(Place { span: command.span, words: simple.words.clone() });
                }
            }
            fn word(&mut self, word: &Word, _: Context) {
                self.1.push(word.clone());
            }
        }
        let script = parse(text);
        let mut collect = Collect(Vec::new(), Vec::new());
        walk(&script, &mut collect);
        Self { source: text, script, commands: collect.0, words: collect.1 }
    }

    /// The command that stands exactly there.
    pub fn command_at(&self, span: Span) -> Option<&Place> {
        self.commands.iter().find(|place| place.span == span)
    }

    /// The value of a word, if it depends on nothing and its text alone gives the same: text within backticks may not.
    pub fn value(&self, word: &Word) -> Option<String> {
        let Static::Known(value) = word.static_value() else { return None };
        let raw = word.span.of(self.source);
        // A plain word is its own value.
        (raw == value || alone(raw).as_ref() == Some(&value)).then_some(value)
    }

    /// The text that a word begins with for certain.
    pub fn beginning<'w>(&self, word: &'w Word) -> &'w str {
        let first = match word.parts.first() {
            Some(Part::Double(parts)) => parts.first(),
            first => first,
        };
        match first {
            Some(Part::Literal(text) | Part::Quoted(text)) if word.span.of(self.source).contains(text.as_str()) => text,
            _ => "",
        }
    }

    /// Whether `span` is a whole command of the outermost list, alone in its pipeline, and if so, whether it is the last.
    pub fn top_level(&self, span: Span) -> Option<bool> {
        let items = &self.script.list.items;
        let at = items.iter().position(|item| {
            item.pipeline.stages.len() == 1
                && !item.pipeline.negated
                && !item.background
                && item.link != Link::Or
                && item.pipeline.stages.first().is_some_and(|stage| stage.span == span)
        })?;
        Some(at + 1 == items.len())
    }

    /// Whether all of the text is one chain of commands joined by `&&`.
    pub fn is_one_chain(&self) -> bool {
        let items = &self.script.list.items;
        items
            .iter()
            .enumerate()
            .all(|(at, item)| !item.background && !item.pipeline.negated && (at == 0 || item.link == Link::And))
    }
}

/// The one value that `raw` has as a command of its own.
fn alone(raw: &str) -> Option<String> {
    let script = parse(raw);
    let [item] = script.list.items.as_slice() else { return None };
    let [stage] = item.pipeline.stages.as_slice() else { return None };
    let Compound::Simple(simple) = &stage.kind else { return None };
    let [word] = simple.words.as_slice() else { return None };
    match word.static_value() {
        Static::Known(value) if script.is_complete() && simple.assigns.is_empty() => Some(value),
        _ => None,
    }
}

/// `path` as it has to be spelled after `before`, the beginning of a word's own text, so that the quotes around it still hold.
pub fn spelled(path: &str, before: &str) -> String {
    let plain = quoted(path) == path;
    let (mut single, mut double, mut escaped) = (false, false, false);
    for c in before.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if !single => escaped = true,
            '\'' if !double => single = !single,
            '"' if !single => double = !double,
            _ => {}
        }
    }
    match (plain, single, double) {
        (true, ..) => path.to_owned(),
        (false, true, _) => path.replace('\'', r"'\''"),
        (false, false, true) => path.chars().fold(String::new(), |mut out, c| {
            if matches!(c, '"' | '\\' | '$' | '`') {
                out.push('\\');
            }
            out.push(c);
            out
        }),
        (false, false, false) => quoted(path),
    }
}
