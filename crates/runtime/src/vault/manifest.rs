//! What the store holds: collected row by row in a plain text file, then written as JSON.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::private;
use crate::Error;
use crate::error::Context as _;
use crate::system::files;

/// The version that `spf` gives its manifest.
const VERSION: &str = "1.0";

/// The list of everything in the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the form.
    pub version: String,
    /// When it was written, ISO 8601.
    pub created: String,
    /// What is there.
    pub entries: Vec<Entry>,
}

/// One file or directory of the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Where the contained client sees it.
    #[serde(rename = "virtual")]
    pub seen_at: String,
    /// Where it lies.
    pub real: String,
    /// Bytes in decimal digits; `directory` for the host's own directory, as `spf` has it.
    pub size: String,
    /// `binary`, `config`, `directory` or `file`.
    #[serde(rename = "type")]
    pub kind: String,
}

impl Manifest {
    /// The manifest; `None` when there is none.
    pub fn read(path: &Path) -> Result<Option<Self>, Error> {
        let Some(text) = files::read(path)? else { return Ok(None) };
        serde_json::from_str(&text).with_context(|| format!("{} is no manifest", path.display())).map(Some)
    }

    pub(crate) fn write(path: &Path, created: String, entries: Vec<Entry>) -> Result<(), Error> {
        let manifest = Self { version: VERSION.to_owned(), created, entries };
        private::write(
            path,
            format!("{}\n", serde_json::to_string_pretty(&manifest).map_err(Error::other)?).as_bytes(),
            0o600,
        )
    }
}

/// Reads the rows collected so far.
pub(crate) fn rows(path: &Path) -> Result<Vec<Entry>, Error> {
    let text = files::read(path)?.unwrap_or_default();
    text.lines()
        .map(|line| row(line).with_context(|| format!("{}: `{line}` is no row; remove the file", path.display())))
        .collect()
}

/// Puts rows in the place of those for the same virtual paths, or behind the others.
pub(crate) fn collect(path: &Path, new: Vec<Entry>) -> Result<(), Error> {
    let mut all = rows(path)?;
    for entry in new {
        match all.iter_mut().find(|present| present.seen_at == entry.seen_at) {
            Some(present) => *present = entry,
            None => all.push(entry),
        }
    }
    let text: String = all.iter().map(line).collect();
    private::write(path, text.as_bytes(), 0o600)
}

/// A row: four fields between pipes. What would end a field or the row early is escaped.
fn line(entry: &Entry) -> String {
    let escape = |field: &str| field.replace('\\', r"\\").replace('|', r"\p").replace('\n', r"\n").replace('\r', r"\r");
    let fields = [&entry.seen_at, &entry.real, &entry.size, &entry.kind].map(|field| escape(field));
    format!("{}\n", fields.join("|"))
}

fn row(line: &str) -> Option<Entry> {
    let mut fields = line.split('|').map(unescape);
    let entry = Entry { seen_at: fields.next()?, real: fields.next()?, size: fields.next()?, kind: fields.next()? };
    fields.next().is_none().then_some(entry)
}

fn unescape(field: &str) -> String {
    let mut out = String::with_capacity(field.len());
    let mut characters = field.chars();
    while let Some(character) = characters.next() {
        out.push(match (character, if character == '\\' { characters.next() } else { None }) {
            ('\\', Some('p')) => '|',
            ('\\', Some('n')) => '\n',
            ('\\', Some('r')) => '\r',
            ('\\', Some(other)) => other,
            (plain, _) => plain,
        });
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_row_survives_any_path() {
        let path = "/a|b\\c\nd\r\\p".to_owned();
        let entry = super::Entry { seen_at: "/v".into(), real: path, size: "7".into(), kind: "file".into() };
        let line = super::line(&entry);
        assert_eq!(line.lines().count(), 1);
        assert_eq!(super::row(line.trim_end_matches('\n')), Some(entry));
        assert_eq!(super::row("/v|/r|7"), None);
    }
}
