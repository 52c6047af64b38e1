//! Why the host would refuse what a hook printed.

/// The host takes the whole output as an error of the hook: no decision in it counts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplyError {
    /// Starts like JSON but is not one JSON object.
    #[error(
        "read hook output: it looks like JSON but is not one JSON object ({source}); print exactly one object and nothing else"
    )]
    NotOneObject {
        /// What the JSON parser says, with line and column.
        source: serde_json::Error,
    },
    /// A field has another type than the host expects; `null` is a wrong type too.
    #[error("read hook output: {field} must be {expected}; correct it or leave it out")]
    Type {
        /// Name of the field.
        field: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// A field has a value that the host does not know.
    #[error("read hook output: {field} is \"{value}\"; use one of: {allowed}")]
    Value {
        /// Name of the field.
        field: &'static str,
        /// What was found.
        value: String,
        /// What the host knows.
        allowed: &'static str,
    },
    /// A field that the event needs is not there.
    #[error("read hook output: {field} is missing; add it")]
    Missing {
        /// Name of the field.
        field: &'static str,
    },
    /// `hookEventName` names another event.
    #[error("read hook output: hookEventName is \"{found}\" on event {event}; it must name the event that fired")]
    EventName {
        /// What was found.
        found: String,
        /// The event that fired.
        event: String,
    },
    /// The event has no `hookSpecificOutput`.
    #[error("read hook output: {event} accepts no hookSpecificOutput; use the top-level fields or plain text")]
    NoSpecific {
        /// The event that fired.
        event: String,
    },
}
