//! Replies that can block with a reason and add context: failed calls, batches, and the two stops.

use super::Answer;
use super::error::ReplyError;
use super::read::Source;
use super::universal::Universal;
use super::write::Document;

/// Declares one such reply: the fields are the same, their effect is not.
macro_rules! feedback {
    ($(#[$doc:meta])* $name:ident, $(#[$block:meta])* block, $(#[$context:meta])* additional_context) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct $name {
            $(#[$block])*
            pub block: Option<String>,
            $(#[$context])*
            pub additional_context: Option<String>,
            /// Fields that all events share.
            pub notice: Universal,
        }

        impl Answer for $name {
            const EVENT: &'static str = stringify!($name);

            fn write(&self, document: &mut Document) {
                self.notice.write(document);
                document.block(self.block.as_deref());
                document.specific().optional("additionalContext", self.additional_context.as_deref());
            }

            fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
                Ok(Self {
                    block: source.block()?,
                    additional_context: source.text("additionalContext")?,
                    notice: Universal::read(source)?,
                })
            }

            keeps!(context, message, refuse);
        }
    };
}

feedback! {
    /// Answer to `PostToolUseFailure`: what the model reads beside the error.
    PostToolUseFailure,
    /// Reason for the model, appended to the error result.
    block,
    /// Text for the model, appended to the error result.
    additional_context
}

feedback! {
    /// Answer to `PostToolBatch`.
    PostToolBatch,
    /// Ends the run before the next request to the model. This is no feedback: nothing answers the reason.
    block,
    /// Text for the model after the results of the batch.
    additional_context
}

feedback! {
    /// Answer to Stop, the end of a turn. It has no permission decision:
    ///
    /// ```compile_fail
    /// use hook_protocol::reply::Stop;
    ///
    /// let reply = Stop { decision: None, ..Stop::default() };
    /// ```
    Stop,
    /// The turn goes on, with the reason as the model's next instruction. Look at `stop_hook_active` first; after
    /// eight blocks in a row the host ends the turn anyway.
    block,
    /// Text for the model; it makes another turn too, under the same cap.
    additional_context
}

feedback! {
    /// Answer to `SubagentStop`.
    SubagentStop,
    /// The same subagent goes on, with the reason as its next instruction; no other agent is started.
    block,
    /// Text for the subagent; it makes another turn too.
    additional_context
}
