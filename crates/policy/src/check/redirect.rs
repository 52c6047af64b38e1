//! `redirect`: refuses a call and names the tool to use instead.

use serde::{Deserialize, Serialize};

use super::{Question, Step};
use crate::finding::Finding;
use crate::template::Values;

/// Settings of `redirect`. Which tools it serves is said by its handler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Redirect {
    /// The reason that the model reads; a template.
    pub message: String,
}

impl Step for Redirect {
    fn ask(&self, question: &Question<'_>) -> Option<Finding> {
        let reason = Values::new(question).fill(&self.message);
        Some(Finding::refusal(reason))
    }

    fn unreadable(&self, _stamp: &str) -> Option<Finding> {
        Some(Finding::refusal(self.message.clone()))
    }
}
