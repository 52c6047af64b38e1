//! `card`: a text for the model's context, with what an earlier session left.

use serde::{Deserialize, Serialize};

use super::{Question, Step};
use crate::finding::{Context, Finding};
use crate::template::Values;

/// Settings of `card`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The text; a template.
    pub text: String,
    /// Add the summary of the last hand-off note, if there is one that the last start had not seen.
    #[serde(default)]
    pub handoff: bool,
}

impl Step for Card {
    fn ask(&self, question: &Question<'_>) -> Option<Finding> {
        let mut text = Values::new(question).fill(&self.text);
        if let Some(summary) = self.handoff.then(|| question.facts.handoff()).flatten() {
            text.push_str("\n\n");
            text.push_str(&summary);
        }
        Some(Finding { context: Some(Context { text, plain: false }), ..Finding::default() })
    }
}
