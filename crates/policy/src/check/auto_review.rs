//! `auto-review`: lets calls run without the host's question that are proven to read only.
//!
//! It is the only check that says allow. Whatever any rule refuses or asks about, in whatever profile, is never let through by it.

use hook_protocol::native::NativeTool;
use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::finding::Finding;
use crate::verdict::Verdict;
use hook_shell::review::judge;

/// Settings of `auto-review`: there are none. Code of the project is not among what it lets run, whatever a project or a user says: the
/// client's own question is what stands between an agent that may edit files and a program that it wrote.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct AutoReview {}

impl Step for AutoReview {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let tool = ctx.event.tool()?;
        let command = tool.command().filter(|_| tool.native() == Some(NativeTool::Shell))?;
        let approved = judge(&command)?;
        if ctx.violations().iter().any(|violations| !violations.rule.off) {
            return None;
        }
        // In another directory git goes by other settings, which nobody has looked at.
        let runs = |names: &[&str]| approved.programs.iter().any(|program| names.contains(&program.as_str()));
        if runs(&["git"]) && runs(&["cd", "pushd", "popd"]) || !ctx.facts.runs_nothing_else(&approved.programs) {
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
