//! `env`: variables for the session's later shell commands (S0-15, S0-16).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Check, Question};
use crate::effect::Effect;
use crate::finding::Finding;
use crate::template::Values;
use crate::variables;

/// Settings of `env`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Env {
    /// Names and values; values are templates.
    pub export: BTreeMap<String, String>,
}

pub(super) fn resolve(settings: toml::Value) -> Result<Check, toml::de::Error> {
    let env: Env = settings.try_into()?;
    refuse_names(&env.export)?;
    Ok(Check::Env(env))
}

/// A fault for names that are none, or that would make later commands run something else.
pub(super) fn refuse_names(export: &BTreeMap<String, String>) -> Result<(), toml::de::Error> {
    export.keys().find_map(|name| variables::why_not(name)).map_or(Ok(()), |why| Err(serde::de::Error::custom(why)))
}

impl Env {
    pub(super) fn ask(&self, question: &Question<'_>) -> Finding {
        Finding { effects: exports(&self.export, question), ..Finding::default() }
    }
}

pub(super) fn exports(names: &BTreeMap<String, String>, question: &Question<'_>) -> Vec<Effect> {
    let values = Values::new(question);
    names.iter().map(|(name, value)| Effect::Export { name: name.clone(), value: values.fill(value) }).collect()
}
