//! The checks: named steps that profiles order and configure. A file a check.

mod boot;
mod card;
mod checkpoint;
mod complexity;
mod env;
mod guard;
mod memory;
mod observe;
mod redirect;
mod rules;
mod sane;
mod view;

use std::cell::OnceCell;

use hook_protocol::event::Event;
use serde::{Deserialize, Serialize};

pub use self::boot::Boot;
pub use self::card::Card;
pub use self::checkpoint::Keep;
pub use self::complexity::Note;
pub use self::env::Env;
pub use self::guard::Guard;
pub use self::memory::Memory;
pub use self::observe::{Line, Observe};
pub use self::redirect::Redirect;
pub use self::rules::Rules;
pub use self::sane::{
    Anchor, Sane, SaneLoop, SanePrompt, SaneStart, SaneStop, SaneTools, SaneTrack, Semantics, SizeRule,
};
pub use self::view::Views;

use crate::facts::Facts;
use crate::finding::Finding;
use crate::profile::ConfigError;
use crate::resolve::Report;
use crate::rule::{Broken, all_broken};
use crate::verdict::FailMode;

/// A check with its resolved settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Check {
    /// Refuses a call and names what to use instead.
    Redirect(Redirect),
    /// Writes one line about a call before it runs.
    Observe(Observe),
    /// Writes one line about anything else.
    Line(Line),
    /// Remembers what happened.
    Memory(Memory),
    /// Gives the model a text.
    Card(Card),
    /// Tells the model how hard a prompt is.
    Complexity(Note),
    /// Keeps a checkpoint of a changed file.
    Checkpoint(Keep),
    /// Exports variables to the session's later shell commands.
    Env(Env),
    /// Looks at the contained installation and exports its places.
    Boot(Boot),
    /// Rewrites views of the session document.
    Views(Views),
    /// A person's own rules.
    Rules(Rules),
    /// Refuses or asks about what destroys, leaks secrets or touches the guard.
    Guard(Guard),
    /// A check of document S3.
    Sane(Sane),
}

/// What a check may look at.
pub(crate) struct Question<'q> {
    pub(crate) event: &'q Event<'q>,
    pub(crate) facts: &'q dyn Facts,
    pub(crate) mcp_servers: &'q [String],
    report: OnceCell<Report>,
    broken: OnceCell<Vec<Broken>>,
}

impl<'q> Question<'q> {
    pub(crate) fn new(event: &'q Event<'q>, facts: &'q dyn Facts, mcp_servers: &'q [String]) -> Self {
        Self { event, facts, mcp_servers, report: OnceCell::new(), broken: OnceCell::new() }
    }

    /// Every built-in rule that the call breaks, those that are off too; found out once, like the report.
    pub(crate) fn broken(&self) -> &[Broken] {
        self.broken.get_or_init(|| all_broken(self.report(), |_, severity| Some(severity)))
    }

    /// What the call does; found out once, for all checks that ask.
    pub(crate) fn report(&self) -> &Report {
        self.report.get_or_init(|| crate::call::report(self.event, self.facts))
    }
}

/// A kind of check: its name in profiles, what it is for, and how its settings become a resolved check.
pub struct Kind {
    /// The name that profiles use.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    resolve: fn(toml::Value) -> Result<Check, toml::de::Error>,
}

/// Every kind of check there is; feeds the profile reader, its messages and the documentation.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "boot",
        about: "checks the manifest of a contained installation, exports its places, writes one line",
        resolve: boot::resolve,
    },
    Kind { name: "card", about: "gives the model a text at the start of a session", resolve: card::resolve },
    Kind {
        name: "checkpoint",
        about: "hands a note about a changed file to a program, or stores it where there is none",
        resolve: checkpoint::resolve,
    },
    Kind {
        name: "complexity",
        about: "scores the prompt, tells the model what it gets, remembers and logs it",
        resolve: complexity::resolve,
    },
    Kind {
        name: "env",
        about: "exports variables to the session's shell commands through CLAUDE_ENV_FILE",
        resolve: env::resolve,
    },
    Kind {
        name: "guard",
        about: "refuses or asks about calls that destroy, leak secrets, run hidden code or touch the guard",
        resolve: guard::resolve,
    },
    Kind { name: "line", about: "writes one line to a text log of the state folder", resolve: observe::resolve_line },
    Kind {
        name: "memory",
        about: "keeps the session document: starts, calls, files, stops, ends",
        resolve: memory::resolve,
    },
    Kind {
        name: "observe",
        about: "writes one line about a call before it runs; has no verdict",
        resolve: observe::resolve,
    },
    Kind { name: "redirect", about: "refuses a call and names the tool to use instead", resolve: redirect::resolve },
    sane::ANCHOR,
    sane::LOOP,
    sane::PROMPT,
    sane::START,
    sane::STOP,
    sane::TOOLS,
    sane::TRACK,
    Kind { name: "views", about: "rewrites the files that show the session document", resolve: view::resolve },
];

impl Check {
    /// Resolves the settings of the check called `name`.
    pub(crate) fn resolve(name: &str, settings: toml::Table) -> Result<Self, ConfigError> {
        let kind = KINDS
            .iter()
            .find(|kind| kind.name == name)
            .ok_or_else(|| ConfigError::unknown("check", name, KINDS.iter().map(|kind| kind.name)))?;
        if let Some(file) = settings.get("file").and_then(toml::Value::as_str) {
            let plain = !file.is_empty() && !file.starts_with('.') && !file.contains(['/', '\\', '\0']);
            if !plain {
                return Err(ConfigError::new(format!(
                    "`file` of `{name}` is {file:?}; it has to be a plain name in the state folder"
                )));
            }
        }
        (kind.resolve)(toml::Value::Table(settings)).map_err(|error| ConfigError::settings(name, &error))
    }

    /// The check's name in profiles and traces.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Redirect(_) => "redirect",
            Self::Observe(_) => "observe",
            Self::Line(_) => "line",
            Self::Memory(_) => "memory",
            Self::Card(_) => "card",
            Self::Complexity(_) => "complexity",
            Self::Checkpoint(_) => "checkpoint",
            Self::Env(_) => "env",
            Self::Boot(_) => "boot",
            Self::Views(_) => "views",
            Self::Guard(_) => "guard",
            Self::Rules(_) => "rules",
            Self::Sane(check) => check.name(),
        }
    }

    /// Whether the check can refuse a call. Such checks are not asked any more once the call is refused; the others always are.
    pub const fn can_deny(&self) -> bool {
        match self {
            Self::Sane(check) => check.can_deny(),
            check => matches!(check, Self::Redirect(_) | Self::Guard(_) | Self::Rules(_)),
        }
    }

    /// What to answer if the check itself fails (X5), unless the handler says otherwise.
    pub const fn default_on_error(&self) -> FailMode {
        match self {
            // Document S3: on error, allow (S3-59).
            Self::Sane(_) => FailMode::None,
            check if check.can_deny() => FailMode::Deny,
            _ => FailMode::None,
        }
    }

    /// What the check says. `None` when it has nothing to say.
    pub(crate) fn ask(&self, question: &Question<'_>) -> Option<Finding> {
        match self {
            Self::Redirect(check) => Some(check.ask(question)),
            Self::Observe(check) => Some(check.ask(question)),
            Self::Line(check) => Some(check.ask(question)),
            Self::Memory(check) => check.ask(question),
            Self::Card(check) => Some(check.ask(question)),
            Self::Complexity(check) => check.ask(question),
            Self::Checkpoint(check) => check.ask(question),
            Self::Env(check) => Some(check.ask(question)),
            Self::Boot(check) => Some(check.ask(question)),
            Self::Views(check) => check.ask(question),
            Self::Guard(check) => check.ask(question),
            Self::Rules(check) => check.ask(question),
            Self::Sane(check) => check.ask(question),
        }
    }
}
