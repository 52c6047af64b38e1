//! `observe` and `line`: one line in a text log, about a call before it runs or about anything else (S0-96, S0-97, B0.4).

use serde::{Deserialize, Serialize};

use super::{Check, Question};
use crate::effect::Effect;
use crate::finding::Finding;
use crate::template::Values;

/// Settings of `observe`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observe {
    /// File in the state folder.
    pub file: String,
    /// What stands before the tool's name, such as `PRE-MCP-READ`.
    pub label: String,
    /// What is written as the tool's name when the payload cannot be read.
    pub fallback: String,
}

/// Settings of `line`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// File in the state folder.
    pub file: String,
    /// The line after its time stamp; a template.
    pub text: String,
}

pub(super) fn resolve(settings: toml::Value) -> Result<Check, toml::de::Error> {
    settings.try_into().map(Check::Observe)
}

pub(super) fn resolve_line(settings: toml::Value) -> Result<Check, toml::de::Error> {
    settings.try_into().map(Check::Line)
}

impl Observe {
    pub(super) fn ask(&self, question: &Question<'_>) -> Finding {
        let tool = crate::template::tool_name(question.event).unwrap_or("unknown".into());
        line(question, &self.file, &format!("{}: {tool}", self.label))
    }

    /// The line for a payload that cannot be read.
    pub(crate) fn unreadable(&self, stamp: &str) -> Effect {
        Effect::Line { file: self.file.clone(), line: format!("[{stamp}] {}: {}", self.label, self.fallback) }
    }
}

impl Line {
    pub(super) fn ask(&self, question: &Question<'_>) -> Finding {
        line(question, &self.file, &Values::new(question).fill(&self.text))
    }
}

fn line(question: &Question<'_>, file: &str, text: &str) -> Finding {
    let line = format!("[{}] {text}", question.facts.now().stamp);
    Finding { effects: vec![Effect::Line { file: file.to_owned(), line }], ..Finding::default() }
}
