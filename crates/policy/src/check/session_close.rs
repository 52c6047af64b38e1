//! `session-close`: removes what belonged to the session only.

use serde::{Deserialize, Serialize};

use super::compact::kept_file;
use super::prompt::counted_file;
use super::surface::reported_file;
use super::written::{changes_file, edited, proof};
use super::{CheckContext, Step};
use crate::effect::StatusFileEdit;
use crate::evidence::ProofState;
use crate::finding::Finding;

/// Settings of `session-close`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SessionClose {
    /// Lines of `.audit-log` that are kept.
    pub audit_lines: usize,
}

impl Default for SessionClose {
    fn default() -> Self {
        Self { audit_lines: 100 }
    }
}

impl Step for SessionClose {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let facts = ctx.facts;
        // Findings, drift, test and proof status, and the linter's rest outlive the session. So does the list of work that nobody has
        // confirmed yet, where a word of the user could: the session may be resumed.
        let waits = ctx.settings.proof.is_some() && proof(facts) != Some(ProofState::Verified);
        let changes = (!waits).then(|| changes_file(facts));
        let files = [
            counted_file(facts),
            kept_file(facts),
            ".test-gate-strikes".to_owned(),
            ".mock-gate-strikes".to_owned(),
            ".test-gate-cold-warned".to_owned(),
            reported_file(facts),
        ];
        let removed = files.into_iter().chain(changes).map(|file| edited(StatusFileEdit::Remove { file }));
        let trimmed = edited(StatusFileEdit::Trim { file: ".audit-log".to_owned(), lines: self.audit_lines });
        Some(Finding::default().with(removed).with([trimmed]))
    }
}
