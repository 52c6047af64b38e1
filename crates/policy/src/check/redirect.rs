//! `redirect`: refuses a call and names the tool to use instead (S0-84 to S0-95, X32).

use serde::{Deserialize, Serialize};

use super::{Check, Question};
use crate::finding::Finding;
use crate::template::Values;
use crate::verdict::Verdict;

/// Settings of `redirect`. Which tools it serves is said by its handler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Redirect {
    /// The reason that the model reads; a template.
    pub message: String,
}

pub(super) fn resolve(settings: toml::Value) -> Result<Check, toml::de::Error> {
    settings.try_into().map(Check::Redirect)
}

impl Redirect {
    pub(super) fn ask(&self, question: &Question<'_>) -> Finding {
        let reason = Values::new(question).fill(&self.message);
        Finding { verdict: Some(Verdict::Deny), reason: Some(reason), ..Finding::default() }
    }
}
