//! `observe` and `line`: one line in a text log, about a call before it runs or about anything else.

use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::effect::Effect;
use crate::finding::Finding;
use crate::template::Values;

/// Settings of `observe`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Observe {
    /// File in the state directory.
    pub file: String,
    /// What stands before the tool's name, such as `PRE-MCP-READ`.
    pub label: String,
    /// What is written as the tool's name when the payload cannot be read.
    pub fallback: String,
}

/// Settings of `line`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// File in the state directory.
    pub file: String,
    /// The line after its time stamp; a template.
    pub text: String,
}

impl Step for Observe {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let tool = crate::template::tool_name(ctx.event).unwrap_or("unknown".into());
        Some(line(&ctx.facts.now().stamp, &self.file, &format!("{}: {tool}", self.label)))
    }

    fn unreadable(&self, stamp: &str) -> Option<Finding> {
        Some(line(stamp, &self.file, &format!("{}: {}", self.label, self.fallback)))
    }
}

impl Step for Line {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        Some(line(&ctx.facts.now().stamp, &self.file, &Values::new(ctx).fill(&self.text)))
    }
}

fn line(stamp: &str, file: &str, text: &str) -> Finding {
    Finding::default().with([Effect::Line { file: file.to_owned(), line: format!("[{stamp}] {text}") }])
}
