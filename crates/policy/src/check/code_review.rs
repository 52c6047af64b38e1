//! `code-review`: hands a larger change on for a second look. No tool is called.

use hook_protocol::tool::ToolInput;
use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::finding::Finding;
use crate::source::Class;
use crate::template::on_one_line;

/// Settings of `code-review`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct CodeReview {
    /// Lines from which on a change is worth a word.
    pub from_lines: usize,
    /// Lines of the change that are shown.
    pub shown_lines: usize,
}

impl Default for CodeReview {
    fn default() -> Self {
        Self { from_lines: 20, shown_lines: 10 }
    }
}

impl Step for CodeReview {
    fn looks_at_a_file(&self) -> bool {
        true
    }

    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let written = ctx.written()?;
        let lines = written.lines();
        if written.class != Class::Source || lines < self.from_lines {
            return None;
        }
        let tool = ctx.event.tool()?;
        let mut diff: Vec<String> = Vec::new();
        if let ToolInput::Edit(edit) = tool.parsed_as_native()
            && let Some(old) = &edit.old_string
        {
            diff.extend(old.as_str().lines().take(self.shown_lines / 2).map(|line| format!("- {}", on_one_line(line))));
        }
        let room = self.shown_lines.saturating_sub(diff.len());
        diff.extend(written.text.lines().take(room).map(|line| format!("+ {}", on_one_line(line))));
        Some(Finding::advice(format!(
            "{} has {lines} changed lines. Before you go on, read the change once as a reviewer; for a significant one ask another \
             model for a review, if a tool for that is at hand. It begins:\n{}",
            written.shown(),
            diff.join("\n")
        )))
    }
}
