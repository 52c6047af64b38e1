//! `branch-guard`: source files are not written on the main branch.

use serde::{Deserialize, Serialize};

use super::discipline::beside_main;
use super::{CheckContext, Step};
use crate::finding::Finding;
use crate::source::Class;

/// Settings of `branch-guard`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct BranchGuard {
    /// Refuse in a repository without commits too. Somebody has to make the first one, so the default is no.
    pub before_first_commit: bool,
}

impl Step for BranchGuard {
    fn looks_at_a_file(&self) -> bool {
        true
    }

    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let written = ctx.written()?;
        if written.class != Class::Source {
            return None;
        }
        let repository = written.repository(ctx.facts)?;
        let branch = repository.branch()?;
        let begins = !repository.has_commits && !self.before_first_commit;
        // Whoever finishes a merge on the main branch has to be able to resolve its conflicts.
        if !repository.is_main(branch, &ctx.settings.main_branches) || repository.operation.is_some() || begins {
            return None;
        }
        let branch = crate::template::on_one_line(branch);
        Some(Finding {
            suggestion: beside_main(&repository).map(Into::into),
            ..Finding::refusal(format!(
                "{} lies in a repository whose branch {branch} is checked out, and source files are not written there. Work on a \
                 branch of its own.",
                written.shown()
            ))
        })
    }
}
