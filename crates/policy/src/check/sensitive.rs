//! Further files that a profile keeps closed, and the project's own list of them.

use hook_protocol::raw::Raw;
use hook_protocol::tool::ToolInput;
use serde::{Deserialize, Serialize};

use super::CheckContext;
use crate::finding::Finding;
use crate::rule::regex;
use crate::verdict::Verdict;
use hook_shell::resolve::taint::glob;

/// Entries of each list of the project's file that are looked at.
const MOST_ENTRIES: usize = 64;

/// Files that are kept closed beside the secrets that every profile knows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Sensitive {
    /// Tools that are looked at; their path is the one that they read.
    pub tools: Vec<String>,
    /// Globs over the file's name. Case does not count.
    pub names: Vec<String>,
    /// A JSON file of the project: `patterns` with lists of regular expressions over the path, and `allowlist`, which wins over all.
    /// An entry that begins with `#` is a comment; one that is no regular expression stands for itself.
    pub list: String,
}

/// What is said of a path.
pub(super) enum Said {
    /// Nothing.
    Nothing,
    /// The project's list lets it be opened.
    Allowed,
    /// It stays closed.
    Closed(Box<Finding>),
}

impl Sensitive {
    pub(super) fn ask(&self, ctx: &CheckContext<'_>) -> Said {
        let Some(tool) = ctx.event.tool() else { return Said::Nothing };
        if !self.tools.iter().any(|name| *name == tool.canonical_name()) {
            return Said::Nothing;
        }
        let searched = || match tool.parsed_as_native() {
            ToolInput::Grep(input) => input.path.map(|path| path.as_str().into_owned()),
            _ => None,
        };
        let Some(path) = tool.touched_path().map(std::borrow::Cow::into_owned).or_else(searched) else {
            return Said::Nothing;
        };
        let text = if self.list.is_empty() { None } else { ctx.facts.project_file(&self.list) };
        let list = text.as_deref().and_then(|text| Raw::parse(text).ok());
        if list.as_ref().and_then(|list| list.get("allowlist")).is_some_and(|entries| fits_any(&entries, &path)) {
            return Said::Allowed;
        }
        let name = path.rsplit(['/', '\\']).next().unwrap_or(&path).to_ascii_lowercase();
        let by_name = self.names.iter().find(|pattern| glob(pattern, &name));
        let listed = || {
            let patterns = list.as_ref().and_then(|list| list.get("patterns"))?;
            patterns.object()?.iter().any(|(_, entries)| fits_any(entries, &path)).then_some(self.list.as_str())
        };
        match by_name.map(String::as_str).or_else(listed) {
            None => Said::Nothing,
            Some(by) => Said::Closed(Box::new(Finding {
                verdict: Some(Verdict::Deny),
                rule: Some("sensitive-file".to_owned()),
                reason: Some(format!(
                    "{path} is kept closed ({by}). Ask the user for what you need, or to put it on the allowlist of {}",
                    if self.list.is_empty() { "the profile" } else { &self.list }
                )),
                ..Finding::default()
            })),
        }
    }
}

/// Whether one of the entries fits somewhere in the path.
fn fits_any(entries: &Raw<'_>, path: &str) -> bool {
    entries.items().unwrap_or_default().iter().take(MOST_ENTRIES).filter_map(Raw::as_str).any(|entry| {
        let entry = entry.trim();
        !entry.is_empty()
            && !entry.starts_with('#')
            && regex(entry).map_or_else(|_| path.contains(entry), |pattern| pattern.is_match(path))
    })
}
