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

    /// Adds the agent that a file defines: the `name` of its front matter, else the file's own name without `.md`.
    #[must_use]
    pub fn with_file(mut self, file: &str, text: &str) -> Self {
        let Some(stem) = file.strip_suffix(".md").filter(|stem| !stem.is_empty() && *stem != "README") else {
            return self;
        };
        let matter = text
            .trim_start_matches('\u{feff}')
            .strip_prefix("---")
            .and_then(|rest| rest.split_once("\n---"))
            .map(|(matter, _)| matter);
        let named = matter.and_then(|matter| {
            matter.lines().find_map(|line| line.strip_prefix("name:")).map(|name| name.trim().trim_matches(['"', '\'']))
        });
        self.0.insert(named.filter(|name| !name.is_empty()).unwrap_or(stem).to_lowercase());
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
