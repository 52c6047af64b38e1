//! The section `strikes` of the project's document: which paths have earned strikes of which gate.

use std::collections::BTreeMap;

use crate::document::ProjectDocument;
use crate::error::Error;

/// The section's name.
const NAME: &str = "strikes";

/// Most paths of one gate that are kept.
const MOST_PATHS: usize = 256;

/// Strikes by gate and path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Strikes(BTreeMap<String, BTreeMap<String, u32>>);

impl Strikes {
    /// What the document says. A section of another form counts as empty.
    pub(crate) fn of(document: &ProjectDocument) -> Self {
        let raw = document.section_raw(NAME).unwrap_or("{}");
        Self(serde_json::from_str(raw).unwrap_or_default())
    }

    pub(crate) fn clear(&mut self, gate: &str) {
        self.0.remove(gate);
    }

    pub(crate) fn add(&mut self, gate: &str, path: &str) {
        let paths = self.0.entry(gate.to_owned()).or_default();
        if paths.len() >= MOST_PATHS && !paths.contains_key(path) {
            paths.pop_first();
        }
        let count = paths.entry(path.to_owned()).or_default();
        *count = count.saturating_add(1);
    }

    /// Removes what a path has earned.
    pub(crate) fn take(&mut self, gate: &str, path: &str) -> u32 {
        self.0.get_mut(gate).and_then(|paths| paths.remove(path)).unwrap_or(0)
    }

    pub(crate) fn store(&self, document: &mut ProjectDocument) -> Result<(), Error> {
        let text = serde_json::to_string(&self.0)
            .map_err(|error| Error::Section { name: NAME.to_owned(), reason: error.to_string() })?;
        document.set_section_raw(NAME, &text)
    }
}
