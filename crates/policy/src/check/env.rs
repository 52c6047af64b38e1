//! `env`: variables for the session's later shell commands.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::effect::Effect;
use crate::finding::Finding;
use crate::template::Values;
use crate::variables;

/// Settings of `env`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Env {
    /// Names and values; values are templates.
    pub export: BTreeMap<String, String>,
}

/// A fault for names that are none, or that would make later commands run something else.
pub(super) fn refused_name(export: &BTreeMap<String, String>) -> Option<String> {
    export.keys().find_map(|name| variables::why_not(name))
}

impl Step for Env {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        Some(Finding { effects: exports(&self.export, ctx), ..Finding::default() })
    }

    fn fault(&self) -> Option<String> {
        refused_name(&self.export)
    }
}

pub(super) fn exports(names: &BTreeMap<String, String>, ctx: &CheckContext<'_>) -> Vec<Effect> {
    let values = Values::new(ctx);
    names.iter().map(|(name, value)| Effect::Export { name: name.clone(), value: values.fill(value) }).collect()
}
