//! What can be wrong in a profile or configuration file, said with file, line and the nearest valid key.

use std::fmt;

use thiserror::Error;

/// A fault in a profile or configuration text. The text is never half used: whoever resolves it keeps what was in force.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct ConfigError {
    /// The file or built-in profile, as it was named by the caller.
    pub file: String,
    /// The line, from 1, if it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// The valid key or name that is nearest to the one written.
    pub nearest: Option<String>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file.as_str(), self.line) {
            ("", _) => {}
            (file, None) => write!(out, "{file}: ")?,
            (file, Some(line)) => write!(out, "{file}:{line}: ")?,
        }
        out.write_str(&self.message)?;
        match &self.nearest {
            Some(nearest) => write!(out, "; the nearest valid one is `{nearest}`"),
            None => Ok(()),
        }
    }
}

impl ConfigError {
    /// A plain fault without a place yet.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { file: String::new(), line: None, message: message.into(), nearest: None }
    }

    /// A name that does not exist, with the nearest of those that do.
    pub(crate) fn unknown<'n>(what: &str, name: &str, known: impl IntoIterator<Item = &'n str>) -> Self {
        Self { nearest: nearest(name, known), ..Self::new(format!("unknown {what} `{name}`")) }
    }

    /// A fault in the settings of the step called `step`.
    pub(crate) fn settings(step: &str, error: &toml::de::Error) -> Self {
        let mut fault = Self::of_message(error.message());
        fault.message = format!("settings of `{step}`: {}", fault.message);
        fault
    }

    /// A fault in the value of a handler's key.
    pub(crate) fn of_key(key: &str, error: &toml::de::Error) -> Self {
        Self::new(format!("`{key}`: {}", plain(error.message())))
    }

    /// A fault that the TOML reader found, with its line in `text`.
    pub(crate) fn toml(text: &str, error: &toml::de::Error) -> Self {
        // Whoever reads the file puts a NUL where a byte is no text; a file in UTF-16 is full of them by itself.
        if let Some(at) = text.find('\0') {
            return Self::new("this is no text in UTF-8; save the file in that encoding").at(Lines::of(text).line(at));
        }
        let line = error.span().map(|span| Lines::of(text).line(span.start));
        Self { line, ..Self::of_message(error.message()) }
    }

    /// Reads `unknown field `x`, expected one of `a`, `b`` as a message and its nearest key.
    fn of_message(message: &str) -> Self {
        let Some((_, rest)) = message.split_once("unknown field `") else { return Self::new(plain(message)) };
        let mut names = rest.split('`').step_by(2);
        let Some(wrong) = names.next() else { return Self::new(message) };
        let known: Vec<&str> = rest.split('`').skip(2).step_by(2).collect();
        Self { nearest: nearest(wrong, known), ..Self::new(format!("unknown key `{wrong}`")) }
    }

    /// The same fault in `file`.
    pub(crate) fn in_file(mut self, file: &str) -> Self {
        if self.file.is_empty() {
            file.clone_into(&mut self.file);
        }
        self
    }

    /// The same fault at `line`, unless a line is known already.
    pub(crate) fn at(mut self, line: usize) -> Self {
        self.line.get_or_insert(line);
        self
    }

    /// The key that the message is about, to find its line.
    pub(crate) fn key(&self) -> Option<&str> {
        let (_, rest) = self.message.split_once("unknown key `")?;
        rest.split('`').next()
    }
}

/// What serde says of a wrong type or a missing key, in the words of a configuration file.
fn plain(message: &str) -> String {
    if let Some(key) = message.strip_prefix("missing field ") {
        return format!("{key} is missing");
    }
    let Some((said, expected)) = message.rsplit_once(", expected ").filter(|(said, _)| said.starts_with("invalid "))
    else {
        return message.to_owned();
    };
    let expected = match expected {
        "a sequence" => "a list in square brackets",
        "a string" => "a text in quotes",
        "a boolean" => "true or false",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        other if other == "a map" || other.starts_with("struct ") => "a table",
        other => other,
    };
    format!("{said}, expected {expected}")
}

/// Where the lines of a text begin, so that a place is turned into a line without reading the text again.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect())
    }

    /// The line of a place, from 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.0.partition_point(|end| *end < at) + 1
    }
}

/// The known name with the smallest edit distance, if it is near enough to be what was meant.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let limit = name.chars().count() / 2 + 1;
    known
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate.to_owned())
}

/// Edit distance by characters. Names are short; the caller never passes a document.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().take(64).enumerate() {
        let mut diagonal = i;
        let mut best = i + 1;
        for (cell, b) in row.iter_mut().skip(1).zip(&right) {
            let next = (diagonal + usize::from(a != *b)).min(*cell + 1).min(best + 1);
            diagonal = std::mem::replace(cell, next);
            best = next;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}
