//! What a server's tool names, whatever its parameters are called.

use super::words as w;
use super::{Name, decoded, each_object, members};
use crate::canonical::McpName;
use crate::tool::ToolUse;

impl ToolUse<'_> {
    /// All texts of a server's tool but those that are written for people, wherever they stand; nothing of a tool that is called after
    /// reading.
    pub fn named(&self) -> Vec<String> {
        let mut texts = Vec::new();
        let name = Name::new(&self.name);
        if McpName::parse(&self.name).is_none() || name.only_looks() {
            return texts;
        }
        let decoded = decoded(self.input);
        if let Some(object) = decoded.as_ref().unwrap_or(self.input).object() {
            each_object(&object, |object, _| {
                let said = members(object).into_iter().filter(|member| !w::PROSE.contains(&member.key.as_str()));
                said.for_each(|member| texts.extend(member.texts));
            });
        }
        texts
    }
}

impl Name {
    /// Whether one of its words says that it reads, and none that it changes anything.
    fn only_looks(&self) -> bool {
        let mut words = self.own.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| w::LOOKING.contains(&word)) && !self.changes()
    }
}
