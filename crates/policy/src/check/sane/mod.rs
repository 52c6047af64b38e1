//! Discipline over a long session, by one signed state. A file a check, and one a question that checks share.

mod classify;
pub(super) mod command;
mod failure;
mod paths;
mod prompt;
mod size;
mod start;
mod stop;
mod tools;
mod track;
mod words;
mod writes;

use serde::{Deserialize, Serialize};

pub use self::prompt::SanePrompt;
pub use self::size::SizeRule;
pub use self::start::{Anchor, SaneStart};
pub use self::stop::{SaneLoop, SaneStop};
pub use self::tools::SaneTools;
pub use self::track::SaneTrack;

use crate::effect::Effect;
use crate::sane::{Change, Member, State};

/// What safemode means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Semantics {
    /// As `sane` says: while it is on, edits are refused.
    #[default]
    Document,
    /// As the system that `sane` describes does: while the marker is there, nothing is refused.
    Bypass,
}

impl Semantics {
    /// Whether edits are refused by safemode. Either sign is enough, so that removing the marker file lifts nothing.
    fn refuses(self, state: &State) -> bool {
        self == Self::Document && (state.safemode || state.marker)
    }

    /// Whether gates are off. Both signs are needed, so that making the marker file lifts nothing. The marker stands while the
    /// command that switched enforcement off holds.
    fn bypasses(self, state: &State) -> bool {
        self == Self::Bypass && state.marker && state.safemode
    }
}

fn change(change: Change) -> Effect {
    Effect::Sane(change)
}

/// A line of a log in the project's `.claude` directory.
fn log(file: &str, members: Vec<(&'static str, Member)>) -> Effect {
    change(Change::Log { file: file.to_owned(), members })
}

/// The names in a list, or a word for none.
fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
