//! `keep-entry`: keeps the host's hooks when the guard's own entry leaves its settings in mid-session.

use hook_protocol::event::{Body, ConfigSource};
use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::effect::Effect;
use crate::entry::{Change, Loss, Standing};
use crate::finding::Finding;

/// Settings of `keep-entry`; there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct KeepEntry {}

impl Step for KeepEntry {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let facts = ctx.facts;
        match &ctx.event.body {
            Body::ConfigChange(change) => {
                // A skill is no settings file; its change takes no entry away.
                if change.source == Some(ConfigSource::Skills) {
                    return None;
                }
                match facts.standing() {
                    Standing::Gone(loss) => Some(lost(&loss, change.source != Some(ConfigSource::PolicySettings))),
                    _ => facts.entry_notice().then(|| keep(Change::Back)),
                }
            }
            Body::SessionStart(_) => match facts.standing() {
                Standing::Stands(place) => Some(keep(Change::Stood(place))),
                _ => None,
            },
            // Between two turns no other event says what the user has to know.
            Body::UserPromptSubmit(_) => facts.entry_notice().then(|| keep(Change::Tell)),
            _ => None,
        }
    }

    fn holds_back(&self) -> bool {
        true
    }
}

fn keep(change: Change) -> Finding {
    Finding::default().with([Effect::Entry(change)])
}

/// The change is refused, so that the host goes on with the hooks that it has. Managed settings count whatever a hook says.
fn lost(loss: &Loss, can_refuse: bool) -> Finding {
    let Loss { what, mend } = loss;
    let (finding, notice) = if can_refuse {
        (
            Finding::refusal(format!("{what}, so the host keeps its hooks until this session ends")),
            format!(
                "hookbin: {what}. This session stays guarded, the next one is not. {mend} `hookbin uninstall` removes \
                 the guard for good."
            ),
        )
    } else {
        let fault = format!("{what}, and managed settings cannot be refused");
        (Finding { faults: vec![fault], ..Finding::default() }, format!("hookbin: {what}. {mend}"))
    };
    finding.with([Effect::Entry(Change::Lost(notice))])
}
