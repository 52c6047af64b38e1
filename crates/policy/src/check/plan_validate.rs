//! `plan-validate`: a plan that was written has the parts that other checks rely on.

use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::finding::Finding;
use crate::plan_file::{FILE, Plan};

/// Bytes of the largest plan that is checked: no more than what a file may have that a check reads.
const LARGEST: usize = 1 << 20;

/// Settings of `plan-validate`. It has none of its own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlanValidate {}

impl Step for PlanValidate {
    fn looks_at_a_file(&self) -> bool {
        true
    }

    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let written = ctx.written()?;
        if hook_shell::path::below(&written.path, &written.places.project) != Some(FILE) {
            return None;
        }
        let text = written.text_after(ctx.facts).filter(|text| text.len() <= LARGEST);
        let Some(text) = text else {
            let there = written.whole || ctx.facts.file_info(&written.path).is_some();
            return there.then(|| Finding::advice(format!("{FILE} could not be read, or is too large to be checked.")));
        };
        let issues = Plan::parse(&text).issues();
        if issues.is_empty() {
            return None;
        }
        let list = issues.iter().fold(String::new(), |list, issue| list + "\n- " + issue);
        Some(Finding { feedback: Some(format!("{FILE} is not complete:{list}")), ..Finding::default() })
    }
}
