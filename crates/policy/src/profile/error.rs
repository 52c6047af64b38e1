//! What can be wrong in a profile or configuration file, said with file, line, column and the nearest valid key.

use std::fmt;

use thiserror::Error;

/// What a fault takes out of force. Everything else of the file holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Item {
    /// A whole file, which cannot be read.
    File,
    /// A rule.
    Rule,
    /// A handler.
    Handler,
    /// A change of a handler, or of one of its steps.
    Change,
    /// The name of a profile.
    Profile,
    /// One setting.
    #[default]
    Setting,
    /// A table of which nothing but its place is known.
    Table,
}

impl Item {
    /// The word for it in messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Rule => "rule",
            Self::Handler => "handler",
            Self::Change => "change",
            Self::Profile => "profile",
            Self::Setting => "setting",
            Self::Table => "table",
        }
    }
}

/// A fault in a profile or configuration text. It takes one item out of force, and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Eq, Error)]
#[non_exhaustive]
pub struct ConfigError {
    /// The file or built-in profile, as it was named by the caller.
    pub file: String,
    /// The line, from 1, if it is known.
    pub line: Option<usize>,
    /// The column, from 1, in characters, if it is known.
    pub column: Option<usize>,
    /// What is off for it.
    pub item: Item,
    /// The name of what is off; empty if it has none.
    pub name: String,
    /// What is wrong.
    pub message: String,
    /// The valid key or name that is nearest to the one written.
    pub nearest: Option<String>,
    /// The key that the message is about, to find its place.
    pub(crate) key: Option<String>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            out.write_str(&self.file)?;
            if let Some(line) = self.line {
                write!(out, ":{line}")?;
                if let Some(column) = self.column {
                    write!(out, ":{column}")?;
                }
            }
            out.write_str(": ")?;
        }
        self.what().fmt(out)
    }
}

/// Every fault of the files that a profile was to be made of.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Faults(pub Vec<ConfigError>);

impl ConfigError {
    /// A fault of a whole file, which the caller could not read.
    pub fn of_file(file: &str, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), item: Item::File, ..Self::new(message) }
    }

    /// What is wrong, without the place.
    pub fn what(&self) -> String {
        match &self.nearest {
            Some(nearest) => format!("{}; the nearest valid one is `{nearest}`", self.message),
            None => self.message.clone(),
        }
    }

    /// A plain fault without a place yet.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// A name that does not exist, with the nearest of those that do.
    pub(crate) fn unknown<'n>(what: &str, name: &str, known: impl IntoIterator<Item = &'n str>) -> Self {
        let near = nearest(name, known);
        Self { nearest: near, key: Some(name.to_owned()), ..Self::new(format!("unknown {what} `{name}`")) }
    }

    /// The same fault as one of the settings of the step called `step`.
    pub(crate) fn within(mut self, step: &str) -> Self {
        self.message = format!("settings of `{step}`: {}", self.message);
        self
    }

    /// What is wrong with a text that is no TOML.
    pub(crate) fn syntax(text: &str, error: &toml::de::Error) -> Self {
        // Whoever reads the file puts a NUL where a byte is no text; a file in UTF-16 is full of them by itself.
        if text.contains('\0') {
            return Self::new("this is no text in UTF-8; save the file in that encoding");
        }
        Self::new(error.message())
    }

    /// The same fault in `file`.
    pub(crate) fn in_file(mut self, file: &str) -> Self {
        if self.file.is_empty() {
            file.clone_into(&mut self.file);
        }
        self
    }

    /// The same fault at a place, unless one is known already.
    pub(crate) fn at(mut self, (line, column): (usize, usize)) -> Self {
        if self.line.is_none() {
            (self.line, self.column) = (Some(line), Some(column));
        }
        self
    }

    /// The same fault as one of this item.
    pub(crate) fn of(mut self, item: Item, name: &str) -> Self {
        self.item = item;
        name.clone_into(&mut self.name);
        self
    }
}

/// Where the lines of a text begin, so that a place is turned into a line without reading the text again.
pub(crate) struct Lines<'t> {
    text: &'t str,
    ends: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect();
        Self { text, ends }
    }

    /// Line and column of a place, both from 1.
    pub(crate) fn place(&self, at: usize) -> (usize, usize) {
        let before = self.ends.partition_point(|end| *end < at);
        let start = before.checked_sub(1).and_then(|last| self.ends.get(last)).map_or(0, |end| end + 1);
        // Nobody counts on to the thousandth column, and the lines of a hostile file are long.
        let column = self.text.get(start..at).map_or(1, |text| text.chars().take(1_000).count() + 1);
        (before + 1, column)
    }
}

/// The known name with the smallest edit distance, if it is near enough to be what was meant.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    // More than a third of it written otherwise is another word.
    let limit = name.chars().count() / 3 + 1;
    known
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate.to_owned())
}

/// Edit distance by characters, in which two neighbours that changed places are one slip. Names are short; the caller never passes a
/// document.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().take(64).collect();
    let right: Vec<char> = right.chars().take(64).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let cell = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
            let mut best = cell(&row, j) + usize::from(a != b);
            best = best.min(cell(&row, j + 1) + 1).min(cell(&next, j) + 1);
            let swapped = i > 0 && j > 0 && left.get(i - 1) == Some(b) && right.get(j - 1) == Some(a);
            if swapped {
                best = best.min(cell(&before, j - 1) + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or_default()
}
