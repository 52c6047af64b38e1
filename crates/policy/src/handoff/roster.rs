//! The agents that are known: those of the profile, of the project's own files, and of the client (S2-61 to S2-63).

use std::collections::BTreeSet;

use crate::profile::nearest;

/// Agents that the client has by itself.
const CLIENT: &[&str] =
    &["general-purpose", "explore", "plan", "statusline-setup", "output-style-setup", "claude", "fork"];

/// The known agents, each once, in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roster(BTreeSet<String>);

impl Roster {
    /// Agents by name; a name that is given twice is there once.
    pub fn new(names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let clean = |name: &str| name.trim().to_lowercase();
        Self(names.into_iter().map(|name| clean(name.as_ref())).filter(|name| !name.is_empty()).collect())
    }

    /// Adds the agents that files of these names define: `NAME.md`.
    #[must_use]
    pub fn with_files(mut self, files: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        for file in files {
            let file = file.as_ref();
            if let Some(name) = file.strip_suffix(".md").filter(|name| !name.is_empty() && *name != "README") {
                self.0.insert(name.to_lowercase());
            }
        }
        self
    }

    /// Whether an agent of this name can be started. The client's own agents always can.
    pub fn knows(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.0.contains(&name) || CLIENT.contains(&name.as_str())
    }

    /// The known name that is nearest to this one, if one is near enough to be meant.
    pub fn nearest(&self, name: &str) -> Option<String> {
        nearest(&name.to_lowercase(), self.0.iter().map(String::as_str))
    }

    /// How many agents there are beside the client's own.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
