//! `card`: a text for the model's context (S0-17 to S0-22), with what an earlier session left (S0-32, X40).

use serde::{Deserialize, Serialize};

use super::{Check, Question};
use crate::finding::{Context, Finding};
use crate::template::Values;

/// Settings of `card`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The text; a template.
    pub text: String,
    /// Add the summary of the last hand-off note, if there is one that the last start had not seen.
    #[serde(default)]
    pub handoff: bool,
}

pub(super) fn resolve(settings: toml::Value) -> Result<Check, toml::de::Error> {
    settings.try_into().map(Check::Card)
}

impl Card {
    pub(super) fn ask(&self, question: &Question<'_>) -> Finding {
        let mut text = Values::new(question).fill(&self.text);
        if let Some(summary) = self.handoff.then(|| question.facts.handoff()).flatten() {
            text.push_str("\n\n");
            text.push_str(&summary);
        }
        Finding { context: Some(Context { text, plain: false }), ..Finding::default() }
    }
}
