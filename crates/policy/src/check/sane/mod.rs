//! Document S3: discipline over a long session, by one signed state. A file a check, and one a question that checks share.

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

use super::{Check, Kind, Question};
use crate::effect::Effect;
use crate::finding::Finding;
use crate::sane::{Change, Member, State};

/// A check of document S3 with its settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sane {
    /// Commands of the person, and classes of prompts.
    Prompt(SanePrompt),
    /// Gates before a call.
    Tools(SaneTools),
    /// What came of a call.
    Track(SaneTrack),
    /// What is left when the agent stops.
    Stop(SaneStop),
    /// Rounds of a loop.
    Loop(SaneLoop),
    /// What a session begins with.
    Start(SaneStart),
    /// Lines about the state that are kept elsewhere.
    Anchor(Anchor),
}

// The kinds of checks in this module.
pub(super) const PROMPT: Kind = Kind {
    name: "saneprompt",
    about: "takes the person's commands for safemode, breaker, research and loop; classifies prompts",
    resolve: |settings| Ok(Check::Sane(Sane::Prompt(settings.try_into()?))),
};
pub(super) const TOOLS: Kind = Kind {
    name: "sanetools",
    about: "gates calls: blocked paths, safemode, circuit breaker, research, size, requirements",
    resolve: |settings| Ok(Check::Sane(Sane::Tools(settings.try_into()?))),
};
pub(super) const TRACK: Kind = Kind {
    name: "sanetrack",
    about: "remembers edits, research and failures in the signed state",
    resolve: |settings| Ok(Check::Sane(Sane::Track(settings.try_into()?))),
};
pub(super) const STOP: Kind = Kind {
    name: "sanestop",
    about: "says what is left open when the agent stops",
    resolve: |settings| Ok(Check::Sane(Sane::Stop(settings.try_into()?))),
};
pub(super) const LOOP: Kind = Kind {
    name: "saneloop",
    about: "counts the rounds of a loop and says what is still open",
    resolve: |settings| Ok(Check::Sane(Sane::Loop(settings.try_into()?))),
};
pub(super) const START: Kind = Kind {
    name: "sanestart",
    about: "begins a session's part of the signed state and offers what was learned",
    resolve: |settings| Ok(Check::Sane(Sane::Start(settings.try_into()?))),
};
pub(super) const ANCHOR: Kind = Kind {
    name: "anchor",
    about: "keeps a line about the signed state in a file or program elsewhere",
    resolve: |settings| Ok(Check::Sane(Sane::Anchor(settings.try_into()?))),
};

impl Sane {
    /// The check's name in profiles and traces.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Prompt(_) => "saneprompt",
            Self::Tools(_) => "sanetools",
            Self::Track(_) => "sanetrack",
            Self::Stop(_) => "sanestop",
            Self::Loop(_) => "saneloop",
            Self::Start(_) => "sanestart",
            Self::Anchor(_) => "anchor",
        }
    }

    /// Whether the check can refuse a call.
    pub const fn can_deny(&self) -> bool {
        matches!(self, Self::Tools(_))
    }

    /// What safemode means to the check, if it asks about it.
    pub(crate) const fn semantics(&self) -> Option<Semantics> {
        match self {
            Self::Prompt(check) => Some(check.safemode_semantics),
            Self::Tools(check) => Some(check.safemode_semantics),
            _ => None,
        }
    }

    /// Says what safemode means.
    pub(crate) const fn set_semantics(&mut self, semantics: Semantics) {
        match self {
            Self::Prompt(check) => check.safemode_semantics = semantics,
            Self::Tools(check) => check.safemode_semantics = semantics,
            _ => {}
        }
    }

    pub(super) fn ask(&self, question: &Question<'_>) -> Option<Finding> {
        match self {
            Self::Prompt(check) => check.ask(question),
            Self::Tools(check) => check.ask(question),
            Self::Track(check) => check.ask(question),
            Self::Stop(check) => check.ask(question),
            Self::Loop(check) => check.ask(question),
            Self::Start(check) => check.ask(question),
            Self::Anchor(check) => check.ask(question),
        }
    }
}

/// What safemode means (X8).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Semantics {
    /// As the document says: while it is on, edits are refused.
    #[default]
    Document,
    /// As the system that the document describes does: while the marker is there, nothing is refused.
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

/// A line of a log in the project's `.claude` folder (S3-55).
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
