//! Why a settings text is left alone.

/// Why a settings text is left alone. The caller knows the path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// Nothing but white space.
    #[error("edit JSON: the file is empty; write {{}} into it, or delete it")]
    Empty,
    /// Not JSON.
    #[error("edit JSON: line {line} is not JSON; correct it first, Claude Code reads nothing of the file")]
    NotJson {
        /// Line, counted from 1.
        line: usize,
        /// What the JSON parser says.
        source: serde_json::Error,
    },
    /// A comment or a trailing comma.
    #[error(
        "edit JSON: line {line} has a comment or trailing comma, and Claude Code takes plain JSON only; remove it first"
    )]
    NotPlain {
        /// Line, counted from 1.
        line: usize,
    },
    /// The text is JSON but no object.
    #[error("edit JSON: line {line} must begin an object; correct it first")]
    RootNotObject {
        /// Line, counted from 1.
        line: usize,
    },
    /// A value on the way to a member is no object.
    #[error("edit JSON: \"{key}\" on line {line} must be an object; correct it first")]
    MemberNotObject {
        /// The key of the value.
        key: String,
        /// Line, counted from 1.
        line: usize,
    },
    /// `hooks` is no object.
    #[error("edit JSON: \"hooks\" on line {line} must be an object from event names to lists; correct it first")]
    HooksNotObject {
        /// Line, counted from 1.
        line: usize,
    },
    /// `hooks` stands twice.
    #[error("edit JSON: \"hooks\" stands again on line {line}, and only the last one counts; join them first")]
    HooksTwice {
        /// Line of the second one, counted from 1.
        line: usize,
    },
    /// An event stands twice.
    #[error("edit JSON: \"{event}\" stands again on line {line}, and only the last one counts; join them first")]
    EventTwice {
        /// Name of the event.
        event: String,
        /// Line of the second one, counted from 1.
        line: usize,
    },
    /// The value of an event is no list.
    #[error("edit JSON: \"{event}\" on line {line} must be a list; correct it first")]
    EventNotList {
        /// Name of the event.
        event: String,
        /// Line, counted from 1.
        line: usize,
    },
    /// What was to be written is no JSON value.
    #[error("edit JSON: the new value of \"{key}\" cannot be written as JSON: {source}; nothing was changed")]
    Value {
        /// The key of the value.
        key: String,
        /// What the JSON writer or parser says.
        source: serde_json::Error,
    },
    /// An entry to install has no time.
    #[error(
        "edit JSON: the timeout of the entry for \"{event}\" is 0, which Claude Code refuses; give it a second or more"
    )]
    NoTimeout {
        /// Name of the event.
        event: String,
    },
}
