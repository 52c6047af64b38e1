//! Hosts: the agent clients that start hooks. What differs between them is a value, so that nobody asks which client it is.
//!
//! ```
//! use hook_protocol::host::{CLAUDE_CODE, Host};
//! assert_eq!(Host::named("claude-code").unwrap().title, CLAUDE_CODE.title);
//! assert!(Host::named("another").is_none());
//! ```

mod claude_code;
#[cfg(feature = "layout")]
mod layout;

use std::fmt;

pub use self::claude_code::CLAUDE_CODE;
#[cfg(feature = "layout")]
pub use self::layout::LAYOUT;
use crate::error::ParseError;
use crate::event::{Event, EventName};
use crate::reply::{CONTEXT_LIMIT, Reply};

/// The path of a file that hookbin keeps in a project, under every host: `own_path!("handoff")` is `.claude/handoff`.
#[macro_export]
macro_rules! own_path {
    ($file:literal) => {
        concat!(".claude/", $file)
    };
}

/// The directory of a project in which hookbin keeps its own files, under every host.
pub const OWN_DIR: &str = ".claude";

/// The directory of a project in which the profile `collective` keeps its records.
pub const COLLECTIVE_DIR: &str = ".claude-collective";

/// The host of a session that nobody names.
pub const DEFAULT: &Host = &CLAUDE_CODE;

/// Every host that this version knows.
pub const HOSTS: &[&Host] = &[&CLAUDE_CODE];

/// An agent client that starts hooks.
#[derive(Clone)]
#[non_exhaustive]
pub struct Host {
    /// The name that `--host` takes.
    pub name: &'static str,
    /// The host's own name.
    pub title: &'static str,
    /// Its directory, in a project and in the home directory.
    pub dir: &'static str,
    /// Settings files that it reads in [`Host::dir`].
    pub settings: SettingsFiles,
    /// Environment variables that it sets or reads.
    pub variables: Variables,
    /// Subagents that it brings itself.
    pub agents: &'static [&'static str],
    /// Those of them that only look and run.
    pub reading_agents: &'static [&'static str],
    /// How the names of its own directories among temporary files begin.
    pub temp_dirs: &'static [&'static str],
    /// The file of the home directory in which it declares servers.
    pub state_file: &'static str,
    /// What it can do with an answer.
    pub limits: Limits,
    read: for<'a> fn(&'a str, &str) -> Result<Event<'a>, ParseError>,
    write: fn(&Reply) -> Written,
}

/// The names of a host's settings files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingsFiles {
    /// Those that a team shares.
    pub shared: &'static str,
    /// Those of one user in a project, which git does not track.
    pub personal: &'static str,
    /// The absolute path of those that an administrator installs on this system.
    pub managed: &'static str,
}

/// The names of a host's environment variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variables {
    /// What they all begin with. None of them means anything to a run that no client started.
    pub prefix: &'static str,
    /// The project's directory.
    pub project_dir: &'static str,
    /// Where [`Host::dir`] of the home directory lies instead.
    pub config_dir: &'static str,
    /// The file whose exports the session's shell commands see.
    pub env_file: &'static str,
    /// The directory of the plugin that the hook belongs to.
    pub plugin_root: &'static str,
    /// The session's id.
    pub session_id: &'static str,
}

/// What a host can do with an answer. What it cannot do has to be said in another way, or later.
///
/// ```
/// use hook_protocol::host::Limits;
/// let limits = Limits::NONE.without_ask();
/// assert!(!limits.asks && limits.rewrites);
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Limits {
    /// It asks the user where a hook says so.
    pub asks: bool,
    /// It runs a call with the arguments that a hook gives.
    pub rewrites: bool,
    /// It says that a turn goes on because a hook wanted it.
    pub marks_continued_turns: bool,
    /// The events whose answer brings text to the model; `None` for all that have a place for it.
    pub context_on: Option<fn(&EventName<'_>) -> bool>,
    /// The most characters of such a text.
    pub context_chars: usize,
}

/// An answer in the form that a host reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Nothing, or exactly one answer.
    pub stdout: String,
    /// The reason of a refusal, for versions that read nothing else.
    pub stderr: String,
    /// The exit code.
    pub code: u8,
}

impl Host {
    /// The host of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        HOSTS.iter().copied().find(|host| host.name == name)
    }

    /// Reads one event. `expected` is the event that the hook was installed for, where the payload may not name it.
    pub fn read<'a>(&self, payload: &'a str, expected: &str) -> Result<Event<'a>, ParseError> {
        (self.read)(payload, expected)
    }

    /// Writes an answer.
    pub fn write(&self, reply: &Reply) -> Written {
        (self.write)(reply)
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Host({})", self.name)
    }
}

impl Limits {
    /// The host can do whatever an answer can say.
    pub const NONE: Self = Self {
        asks: true,
        rewrites: true,
        marks_continued_turns: true,
        context_on: None,
        context_chars: CONTEXT_LIMIT,
    };

    /// The host asks nobody.
    #[must_use]
    pub const fn without_ask(mut self) -> Self {
        self.asks = false;
        self
    }

    /// The host runs a call as the model wrote it, or not at all.
    #[must_use]
    pub const fn without_rewrite(mut self) -> Self {
        self.rewrites = false;
        self
    }

    /// The host does not say that a turn goes on because a hook wanted it.
    #[must_use]
    pub const fn without_continued_turns(mut self) -> Self {
        self.marks_continued_turns = false;
        self
    }

    /// The host brings text to the model on these events only.
    #[must_use]
    pub const fn with_context_on(mut self, takes: fn(&EventName<'_>) -> bool) -> Self {
        self.context_on = Some(takes);
        self
    }
}
