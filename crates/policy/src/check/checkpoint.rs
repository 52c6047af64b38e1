//! `checkpoint`: a note about every changed file, for a store outside the session.

use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::effect::{self, Effect};
use crate::finding::Finding;
use crate::template::Values;

/// Settings of `checkpoint`. Texts are templates; in `command` they may also name `{title}`, `{content}`, `{collection}`, `{tags}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Canonical names of the tools whose calls are kept.
    pub tools: Vec<String>,
    /// The collection.
    pub collection: String,
    /// Tags, separated by commas.
    pub tags: String,
    /// Title of one line.
    pub title: String,
    /// The note.
    pub content: String,
    /// The program that takes the note, and its arguments; empty means that the note is stored here.
    #[serde(default)]
    pub command: Vec<String>,
    /// The variable that switches it off: unset or exactly `true` means on.
    pub switch: String,
    /// Log file in the state directory.
    pub file: String,
    /// How many programs may run at a time; a note beyond that is stored here.
    #[serde(default = "at_once")]
    pub at_once: u8,
}

fn at_once() -> u8 {
    4
}

impl Step for Checkpoint {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let tool = ctx.event.tool()?;
        if !self.tools.iter().any(|kept| kept == tool.canonical_name()) {
            return None;
        }
        let values = Values::new(ctx);
        let [collection, tags, title, content] =
            [&self.collection, &self.tags, &self.title, &self.content].map(|text| values.fill(text));
        let own = [("{title}", &title), ("{content}", &content), ("{collection}", &collection), ("{tags}", &tags)];
        // An argument that is one placeholder is that text as it is: nothing in it can become another argument or a placeholder.
        let argument = |text: &String| match own.iter().find(|(name, _)| name == text) {
            Some((_, value)) => (*value).clone(),
            None => values.fill(text),
        };
        let command = self.command.iter().map(argument).collect();
        let kept = effect::Checkpoint {
            command,
            collection,
            tags,
            title,
            content,
            switch: self.switch.clone(),
            log: self.file.clone(),
            at_once: self.at_once,
        };
        Some(Finding { effects: vec![Effect::Checkpoint(kept)], ..Finding::default() })
    }

    fn command(&self) -> Option<&[String]> {
        Some(&self.command)
    }

    fn starts_programs(&self) -> bool {
        true
    }
}
