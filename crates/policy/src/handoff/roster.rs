//! The agents that are known: those of the profile, of the project's own files, and of the host.

use hook_protocol::host::HOSTS;
use std::collections::{BTreeMap, BTreeSet};

use crate::profile::nearest;

/// The known agents, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roster {
    /// In lower case, and as the host knows them.
    known: BTreeMap<String, String>,
    /// Those of them that a file defines, in lower case.
    defined: BTreeSet<String>,
}

impl Roster {
    /// Agents by name; a name that is given twice is there once.
    pub fn new(names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let entry = |name: &str| (name.to_lowercase(), name.to_owned());
        let mut known = BTreeMap::new();
        for (key, name) in names.into_iter().map(|name| entry(name.as_ref().trim())) {
            known.entry(key).or_insert(name);
        }
        known.remove("");
        Self { known, defined: BTreeSet::new() }
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
        let name = named.filter(|name| !name.is_empty()).unwrap_or(stem);
        self.defined.insert(name.to_lowercase());
        self.known.insert(name.to_lowercase(), name.to_owned());
        self
    }

    /// Whether an agent of this name can be started. The host's own agents always can, and so can a plugin's, `PLUGIN:AGENT`: only
    /// the host knows which those are.
    pub fn knows(&self, name: &str) -> bool {
        let of_plugin = name.split_once(':').is_some_and(|(plugin, agent)| !plugin.is_empty() && !agent.is_empty());
        of_plugin || self.spelled(name).is_some()
    }

    /// The name as the host knows it, since upper and lower case count there.
    pub fn spelled(&self, name: &str) -> Option<&str> {
        let own = || HOSTS.iter().flat_map(|host| host.agents).find(|known| known.eq_ignore_ascii_case(name)).copied();
        self.known.get(&name.to_lowercase()).map(String::as_str).or_else(own)
    }

    /// The agent that a file defines and whose name is nearest to this one, if one is near enough to be meant.
    pub fn nearest(&self, name: &str) -> Option<String> {
        let near = nearest(&name.to_lowercase(), self.defined.iter().map(String::as_str))?;
        self.known.get(&near).cloned()
    }
}
