//! Events: one document in, one typed event out, and back.

mod agent;
mod common;
mod construct;
mod conversation;
mod environment;
mod foreign;
mod name;
mod session;
mod tool;

use std::borrow::Cow;

pub use agent::*;
pub use common::*;
pub use conversation::*;
pub use environment::*;
pub use name::*;
pub use session::*;
pub use tool::*;

use crate::error::ParseError;
use crate::field::Object;
use crate::raw::{Fields, Raw, Text};
use crate::tool::ToolUse;

/// The wire name of the field that names the event.
const NAME: &str = "hook_event_name";

/// One event.
///
/// Parsing decodes nothing but the outermost object: strings stay literals, `tool_input`, `tool_response` and the like stay
/// raw text, all borrowed from the payload. Only the shape of the whole document can fail (see [`ParseError`]): an unknown
/// event, field or enumeration value is kept, and so is a field of another type than documented, which stays in `extra`.
/// What was read is written back by [`Event::to_json`] as the same JSON document, except that of duplicate known fields
/// only the last is kept, as in JavaScript.
///
/// ```
/// use hook_protocol::event::{Body, Event};
/// let event = Event::parse(r#"{"hook_event_name":"SessionEnd","session_id":"s1","reason":"clear","new":1}"#)?;
/// assert_eq!(event.common.session_id.as_ref().unwrap(), "s1");
/// assert!(matches!(&event.body, Body::SessionEnd(end) if end.reason.as_ref().unwrap().as_str() == "clear"));
/// assert_eq!(event.extra.get("new").unwrap().as_u64(), Some(1));
/// # Ok::<(), hook_protocol::ParseError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Event<'a> {
    /// What any event can carry.
    pub common: Common<'a>,
    /// What this event carries.
    pub body: Body<'a>,
    /// Unknown fields, and fields of another type than documented, as they came.
    pub extra: Fields<'a>,
}

macro_rules! bodies {
    ($($name:ident,)*) => {
        /// The fields of one event.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Body<'a> {
            $(
                #[doc = concat!("The fields of `", stringify!($name), "`.")]
                $name($name<'a>),
            )*
            /// An event that this version doesn't know; its fields stand in [`Event::extra`]. The name is empty when the payload
            /// has none.
            Other(Cow<'a, str>),
        }

        impl<'a> Body<'a> {
            fn pick(name: EventName<'a>, fields: &mut Fields<'a>) -> Self {
                match name {
                    $(EventName::$name => Self::$name($name::pick(fields)),)*
                    EventName::Other(name) => Self::Other(name),
                }
            }

            fn write(&self, object: &mut Object) {
                match self {
                    $(Self::$name(body) => body.write(object),)*
                    Self::Other(_) => {}
                }
            }

            /// The name of the event.
            pub fn name(&self) -> EventName<'_> {
                match self {
                    $(Self::$name(_) => EventName::$name,)*
                    Self::Other(name) => EventName::Other(Cow::Borrowed(name)),
                }
            }
        }

        $(
            impl<'a> From<$name<'a>> for Body<'a> {
                fn from(body: $name<'a>) -> Self {
                    Self::$name(body)
                }
            }
        )*
    };
}

bodies! {
    PreToolUse, PostToolUse, PostToolUseFailure, PostToolBatch, Notification, UserPromptSubmit, UserPromptExpansion,
    SessionStart, SessionEnd, Stop, StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, PreModelSwitch,
    PostModelSwitch, PermissionRequest, PermissionDenied, Setup, TeammateIdle, TaskCreated, TaskCompleted, Elicitation,
    ElicitationResult, ConfigChange, WorktreeCreate, WorktreeRemove, InstructionsLoaded, CwdChanged, FileChanged,
    DirectoryAdded, MessageDisplay, PreSkillShellCommand,
}

impl Default for Body<'_> {
    fn default() -> Self {
        Self::Other(Cow::Borrowed(""))
    }
}

/// See [`Event::call_parts`].
type CallParts<'e, 'a> = (&'e Option<Text<'a>>, &'e Option<Raw<'a>>, Option<&'e Text<'a>>, Option<&'e McpServer<'a>>);

impl<'a> Event<'a> {
    /// Reads one event. A payload without a usable `hook_event_name` is an event without a name.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        Self::parse_as(text, "")
    }

    /// Reads one event, and takes it for a `fallback_event` when it has no usable `hook_event_name` of its own: missing, empty
    /// or no string.
    pub fn parse_as(text: &'a str, fallback_event: &str) -> Result<Self, ParseError> {
        let mut fields = Fields::parse(text)?;
        let name = match fields.pick::<Cow<'a, str>>(NAME).filter(|name| !name.is_empty()) {
            Some(name) => EventName::from(name),
            None => EventName::from(fallback_event).into_owned(),
        };
        let common = Common::pick(&mut fields);
        let body = Body::pick(name, &mut fields);
        fields.drop_taken();
        Ok(Self { common, body, extra: fields })
    }

    /// The name of the event; empty when the payload has none.
    pub fn name(&self) -> EventName<'_> {
        self.body.name()
    }

    /// The event as compact JSON: the common fields, the name, the event's fields, then `extra`.
    pub fn to_json(&self) -> String {
        let mut object = Object::new(String::new());
        self.common.write(&mut object);
        let name = self.name();
        let named = !name.as_str().is_empty();
        if named {
            object.member(NAME, &Cow::Borrowed(name.as_str()));
        }
        self.body.write(&mut object);
        // A name of another type gave way to the fallback; behind it, it would count again.
        object.all(self.extra.iter().filter(|(key, _)| !(named && *key == NAME)));
        object.finish()
    }

    /// The tool call of an event that is about one. The name comes from `tool_name`, else from `tool`; `None`
    /// without either, on events without a tool, and on `PostToolBatch`, whose calls have their own
    /// [`ToolCall::tool`].
    pub fn tool(&self) -> Option<ToolUse<'_>> {
        let (name, input, id, server) = self.call_parts()?;
        let name = match name {
            Some(name) => name.as_str(),
            None => self.extra.get_str("tool")?,
        };
        Some(ToolUse::new(name, input.as_ref(), id, server))
    }

    /// Name, input, id and server of the call that the event is about, as they were sent.
    fn call_parts(&self) -> Option<CallParts<'_, 'a>> {
        Some(match &self.body {
            Body::PreToolUse(e) => (&e.tool_name, &e.tool_input, e.tool_use_id.as_ref(), e.mcp_server.as_ref()),
            Body::PostToolUse(e) => (&e.tool_name, &e.tool_input, e.tool_use_id.as_ref(), e.mcp_server.as_ref()),
            Body::PostToolUseFailure(e) => (&e.tool_name, &e.tool_input, e.tool_use_id.as_ref(), e.mcp_server.as_ref()),
            Body::PermissionRequest(e) => (&e.tool_name, &e.tool_input, None, e.mcp_server.as_ref()),
            Body::PermissionDenied(e) => (&e.tool_name, &e.tool_input, e.tool_use_id.as_ref(), e.mcp_server.as_ref()),
            Body::PreSkillShellCommand(e) => (&e.tool_name, &e.tool_input, e.tool_use_id.as_ref(), None),
            _ => return None,
        })
    }

    /// The kind of the subagent: `agent_type`, else the `subagent_type` that older documents name. Empty values count.
    pub fn agent_type(&self) -> Option<Cow<'_, str>> {
        match &self.common.agent_type {
            Some(kind) => Some(kind.as_str()),
            None => self.extra.get_str("subagent_type"),
        }
    }

    /// Who sent the prompt of the event, as far as the host says. A `source` that is there and cannot be read is nobody's word.
    pub fn prompt_source(&self) -> PromptSource<'_> {
        match &self.body {
            Body::UserPromptSubmit(submit) => match &submit.source {
                Some(source) => source.clone(),
                // The host sends none for what is typed, and none that can be read is another thing than none.
                None if self.extra.get("source").is_none() => PromptSource::User,
                None => PromptSource::Other(Cow::Borrowed("")),
            },
            _ => PromptSource::System,
        }
    }

    /// Whether the event comes from inside a subagent.
    pub fn in_subagent(&self) -> bool {
        self.common.agent_id.is_some()
    }

    /// Whether a previous block of a stop hook is already in force. `false` on events without that field.
    pub fn stop_hook_active(&self) -> bool {
        match &self.body {
            Body::Stop(e) => e.stop_hook_active == Some(true),
            Body::SubagentStop(e) => e.stop_hook_active == Some(true),
            _ => false,
        }
    }

    /// The last text of the assistant: `last_assistant_message`, else `assistant_response`, else `response`.
    /// The transcript is the next place to look; see [`crate::transcript::last_assistant_text`].
    pub fn last_assistant_message(&self) -> Option<Cow<'_, str>> {
        let typed = match &self.body {
            Body::Stop(e) => e.last_assistant_message.as_ref(),
            Body::SubagentStop(e) => e.last_assistant_message.as_ref(),
            Body::StopFailure(e) => e.last_assistant_message.as_ref(),
            _ => None,
        };
        match typed {
            Some(text) => Some(text.as_str()),
            None => ["last_assistant_message", "assistant_response", "response"]
                .into_iter()
                .find_map(|key| self.extra.get_str(key)),
        }
    }

    /// The text that a matcher of this event is compared with; `None` for events whose matcher is ignored, and when the
    /// field is missing.
    pub fn matcher_subject(&self) -> Option<Cow<'_, str>> {
        if let Some(tool) = self.tool() {
            return Some(tool.name);
        }
        match &self.body {
            Body::Notification(e) => e.notification_type.as_ref().map(|it| Cow::Borrowed(it.as_str())),
            Body::UserPromptExpansion(e) => e.command_name.as_ref().map(|it| it.as_str()),
            Body::SessionStart(e) => e.source.as_ref().map(|it| Cow::Borrowed(it.as_str())),
            Body::SessionEnd(e) => e.reason.as_ref().map(|it| Cow::Borrowed(it.as_str())),
            Body::StopFailure(e) => e.error.as_ref().map(|it| Cow::Borrowed(it.as_str())),
            Body::SubagentStart(_) | Body::SubagentStop(_) => self.agent_type(),
            Body::PreCompact(e) => e.trigger.as_ref().map(|it| Cow::Borrowed(it.as_str())),
            Body::PostCompact(e) => e.trigger.as_ref().map(|it| Cow::Borrowed(it.as_str())),
            Body::PreModelSwitch(e) => e.to_model.as_ref().map(|it| canonical_model(it.as_str())),
            Body::PostModelSwitch(e) => e.to_model.as_ref().map(|it| canonical_model(it.as_str())),
            Body::Setup(e) => e.trigger.as_ref().map(|it| Cow::Borrowed(it.as_str())),
            Body::Elicitation(e) => e.mcp_server_name.as_ref().map(|it| it.as_str()),
            Body::ElicitationResult(e) => e.mcp_server_name.as_ref().map(|it| it.as_str()),
            Body::ConfigChange(e) => e.source.as_ref().map(|it| Cow::Borrowed(it.as_str())),
            Body::InstructionsLoaded(e) => e.load_reason.as_ref().map(|it| Cow::Borrowed(it.as_str())),
            Body::FileChanged(e) => e.file_path.as_ref().map(|it| base_name(it.as_str())),
            Body::DirectoryAdded(e) => e.source.as_ref().map(|it| Cow::Borrowed(it.as_str())),
            _ => None,
        }
    }
}

impl serde::Serialize for Event<'_> {
    /// Writes the object of [`Event::to_json`]; meant for `serde_json`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Raw::bare(self.to_json()).serialize(serializer)
    }
}

/// A model name without its context suffix.
fn canonical_model(name: Cow<'_, str>) -> Cow<'_, str> {
    let bare = name.strip_suffix("[1m]").or_else(|| name.strip_suffix("[2m]")).map(str::len);
    cut(name, 0, bare)
}

/// The part of a path behind its last separator, of either kind.
fn base_name(path: Cow<'_, str>) -> Cow<'_, str> {
    let start = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    cut(path, start, None)
}

fn cut(text: Cow<'_, str>, start: usize, end: Option<usize>) -> Cow<'_, str> {
    let end = end.unwrap_or(text.len());
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(start..end).unwrap_or(text)),
        Cow::Owned(text) => Cow::Owned(text.get(start..end).map(str::to_owned).unwrap_or(text)),
    }
}
