//! `boot`: looks at the manifest and the blobs of a contained installation and exports its places.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::env::{exports, refused_name};
use super::{CheckContext, Step};
use crate::effect::Effect;
use crate::finding::Finding;

/// Settings of `boot`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Boot {
    /// The manifest, relative to the project.
    pub manifest: String,
    /// The directory of the blobs, relative to the project.
    pub blobs: String,
    /// The executable is the first blob whose name does not contain this.
    pub skip: String,
    /// Variables to export when the manifest is there.
    pub export: BTreeMap<String, String>,
    /// Log file in the state directory.
    pub file: String,
}

impl Step for Boot {
    /// A missing manifest or blob is told to the log and to nobody else.
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let facts = ctx.facts;
        let mut effects = Vec::new();
        let said = match facts.project_file(&self.manifest) {
            None => format!("no manifest at {}", self.manifest),
            Some(text) if hook_protocol::raw::Fields::parse(&text).is_err() => {
                format!("{} is not a JSON object", self.manifest)
            }
            Some(_) => {
                effects = exports(&self.export, ctx);
                let blob = facts
                    .project_dir_names(&self.blobs)
                    .and_then(|names| names.into_iter().find(|name| !name.contains(&self.skip)));
                match blob {
                    Some(name) => {
                        format!("loaded {}, executable {}/{name}, environment exported", self.manifest, self.blobs)
                    }
                    None => format!("loaded {}, no executable in {}, environment exported", self.manifest, self.blobs),
                }
            }
        };
        effects.push(Effect::Line { file: self.file.clone(), line: format!("[{}] BOOT: {said}", facts.now().stamp) });
        Some(Finding { effects, ..Finding::default() })
    }

    fn fault(&self) -> Option<String> {
        refused_name(&self.export)
    }
}
