//! The names of the events.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

macro_rules! names {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        /// The name of an event: one of the 34 that client 2.1.332 has, or any other.
        ///
        /// ```
        /// use hook_protocol::event::EventName;
        /// assert_eq!(EventName::from("Stop"), EventName::Stop);
        /// assert_eq!(EventName::from("FutureEvent").as_str(), "FutureEvent");
        /// ```
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum EventName<'a> {
            $($(#[$meta])* $name,)*
            /// An event that this version doesn't know.
            Other(Cow<'a, str>),
        }

        /// The places of the names in [`EventName::ALL`].
        #[derive(Clone, Copy)]
        enum Place {
            $($name,)*
        }

        impl EventName<'static> {
            /// Every event of client 2.1.332, in the order of its type declarations.
            pub const ALL: [EventName<'static>; 34] = [$(EventName::$name,)*];
        }

        impl<'a> EventName<'a> {
            /// The name as it stands on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$name => stringify!($name),)*
                    Self::Other(other) => other,
                }
            }

            /// The place in [`EventName::ALL`]; `None` for an unknown event.
            pub fn index(&self) -> Option<usize> {
                match self {
                    $(Self::$name => Some(Place::$name as usize),)*
                    Self::Other(_) => None,
                }
            }

            /// The same name, independent of the payload's lifetime.
            pub fn into_owned(self) -> EventName<'static> {
                match self {
                    $(Self::$name => EventName::$name,)*
                    Self::Other(other) => EventName::Other(Cow::Owned(other.into_owned())),
                }
            }
        }

        impl<'a> From<Cow<'a, str>> for EventName<'a> {
            fn from(name: Cow<'a, str>) -> Self {
                match &*name {
                    $(stringify!($name) => Self::$name,)*
                    _ => Self::Other(name),
                }
            }
        }
    };
}

names! {
    /// A tool is about to run.
    PreToolUse,
    /// A tool has run and succeeded.
    PostToolUse,
    /// A tool has run and failed.
    PostToolUseFailure,
    /// All tool calls of one model answer are done.
    PostToolBatch,
    /// The host notifies the user.
    Notification,
    /// A prompt was submitted.
    UserPromptSubmit,
    /// A command or MCP prompt in a prompt was expanded.
    UserPromptExpansion,
    /// A session starts, resumes, is cleared, compacted or forked.
    SessionStart,
    /// A session ends.
    SessionEnd,
    /// The main agent has finished its answer.
    Stop,
    /// The turn ended with an API error.
    StopFailure,
    /// A subagent starts.
    SubagentStart,
    /// A subagent has finished.
    SubagentStop,
    /// The conversation is about to be compacted.
    PreCompact,
    /// The conversation was compacted.
    PostCompact,
    /// The model is about to be switched.
    PreModelSwitch,
    /// The model was switched.
    PostModelSwitch,
    /// The user would be asked for permission.
    PermissionRequest,
    /// The classifier of auto mode has refused a call.
    PermissionDenied,
    /// The host initialises or maintains a project.
    Setup,
    /// A teammate is about to go idle.
    TeammateIdle,
    /// A task is being created.
    TaskCreated,
    /// A task is being completed.
    TaskCompleted,
    /// An MCP server asks the user for input.
    Elicitation,
    /// The user has answered an MCP server.
    ElicitationResult,
    /// A settings file has changed.
    ConfigChange,
    /// A worktree is to be created; a registered hook replaces the host's own creation.
    WorktreeCreate,
    /// A worktree is to be removed.
    WorktreeRemove,
    /// An instructions file was loaded.
    InstructionsLoaded,
    /// The working directory of the session has changed.
    CwdChanged,
    /// A watched file has changed.
    FileChanged,
    /// A working directory was added to the session.
    DirectoryAdded,
    /// Text of the assistant is being shown.
    MessageDisplay,
    /// A skill is about to run a shell command of its own.
    PreSkillShellCommand,
}

impl<'a> From<&'a str> for EventName<'a> {
    fn from(name: &'a str) -> Self {
        Self::from(Cow::Borrowed(name))
    }
}

impl FromStr for EventName<'static> {
    type Err = Infallible;

    /// Never fails; copies an unknown name. `EventName::from` borrows it.
    fn from_str(name: &str) -> Result<Self, Infallible> {
        Ok(EventName::from(name).into_owned())
    }
}

impl fmt::Display for EventName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
