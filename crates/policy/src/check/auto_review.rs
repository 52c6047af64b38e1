//! `auto-review`: lets calls run without the client's question that are proven to read only (S1-65 to S1-72, X24).
//!
//! It is the only check that says allow. Whatever any rule refuses or asks about, in whatever profile, is never let through by it.

use serde::{Deserialize, Serialize};

use super::{Check, Question};
use crate::finding::Finding;
use crate::review::{Code, judge};
use crate::verdict::Verdict;

/// Settings of `auto-review`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AutoReview {
    /// Code of the project that may run without a question: `tests`, `builds`.
    pub project_code: Vec<Code>,
}

impl Default for AutoReview {
    fn default() -> Self {
        Self { project_code: vec![Code::Tests, Code::Builds] }
    }
}

pub(super) fn resolve(settings: toml::Value) -> Result<Check, toml::de::Error> {
    settings.try_into().map(Check::AutoReview)
}

impl AutoReview {
    pub(super) fn ask(&self, question: &Question<'_>) -> Option<Finding> {
        let tool = question.event.tool()?;
        let command = tool.command().filter(|_| tool.canonical_name() == "Bash")?;
        let approved = judge(&command, &self.project_code)?;
        if question.broken().iter().any(|broken| !broken.rule.off) {
            return None;
        }
        let reason = if approved.programs.is_empty() {
            "every part of it only reads".to_owned()
        } else {
            format!("every part of it only reads: {}", approved.programs.join(", "))
        };
        Some(Finding { verdict: Some(Verdict::Allow), reason: Some(reason), ..Finding::default() })
    }
}
