//! Transcripts: one JSON document a line, as the host writes them. No I/O: whoever has the lines gives them.

mod past;

use crate::error::ParseError;
use crate::field::{Nullable, open_enum, record};
use crate::permission::PermissionMode;
use crate::raw::{Fields, Raw, Text};

pub use past::{Fate, Past, PastEvents};

/// The model of messages that the host made up itself, such as the text of an API error.
const SYNTHETIC: &str = "<synthetic>";

open_enum! {
    /// The kind of a transcript line.
    LineKind {
        /// A message of the assistant; one answer takes a line for each content block.
        Assistant = "assistant",
        /// A prompt, or tool results.
        User = "user",
        /// A note of the host, such as the boundary of a compaction.
        System = "system",
        /// A summary of an older session.
        Summary = "summary",
    }
}

record! {
    /// One line of a transcript.
    ///
    /// Like an event it decodes nothing but the outermost object, and nothing in it can fail.
    Line {
        /// The kind of line.
        kind = "type": LineKind<'a>,
        /// Identifies the line.
        uuid: Text<'a>,
        /// The line before; `null` for the first one.
        parent_uuid = "parentUuid": Nullable<Text<'a>>,
        /// Whether the line belongs to a subagent.
        is_sidechain = "isSidechain": bool,
        /// The subagent that a line of its own transcript belongs to.
        agent_id = "agentId": Text<'a>,
        /// The session.
        session_id = "sessionId": Text<'a>,
        /// When, in RFC 3339.
        timestamp: Text<'a>,
        /// The working directory.
        cwd: Text<'a>,
        /// The branch that was checked out.
        git_branch = "gitBranch": Text<'a>,
        /// The version of the host.
        version: Text<'a>,
        /// Which calls needed no question when the prompt was given.
        permission_mode = "permissionMode": PermissionMode<'a>,
        /// About a compaction; see [`Line::compact_trigger`].
        compact_metadata = "compactMetadata": Raw<'a>,
        /// More about a system line.
        subtype: Text<'a>,
        /// Whether the host wrote a user's line itself.
        is_meta = "isMeta": bool,
        /// Whether this is the summary that stands for a compacted conversation.
        is_compact_summary = "isCompactSummary": bool,
        /// Whether this is the text of an API error.
        is_api_error_message = "isApiErrorMessage": bool,
        /// The message; see [`Line::message`].
        message: Raw<'a>,
        /// The structured output of a tool.
        tool_use_result = "toolUseResult": Raw<'a>,
    }
}

record! {
    /// The message of a line.
    Message {
        /// Identifies the answer; its lines share it.
        id: Text<'a>,
        /// `assistant` or `user`.
        role: Text<'a>,
        /// The model.
        model: Text<'a>,
        /// A string, or content blocks; see [`Message::blocks`].
        content: Raw<'a>,
        /// Why the answer ended.
        stop_reason: Nullable<Text<'a>>,
        /// The tokens that were used; see [`Usage::from_raw`].
        usage: Raw<'a>,
    }
}

/// One content block of a message.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Block<'a> {
    /// Text.
    Text(Text<'a>),
    /// The model's thinking.
    Thinking(Text<'a>),
    /// A tool call.
    ToolUse {
        /// Identifies the call.
        id: Text<'a>,
        /// The tool.
        name: Text<'a>,
        /// Its input.
        input: Raw<'a>,
    },
    /// The result of a tool call.
    ToolResult {
        /// The call.
        tool_use_id: Text<'a>,
        /// A string, or content blocks; `null` for none.
        content: Raw<'a>,
        /// Whether the call failed or was refused.
        is_error: bool,
    },
    /// Any other block, as it came.
    Other(Raw<'a>),
}

/// The tokens of one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Read without a cache.
    pub input_tokens: u64,
    /// Written by the model.
    pub output_tokens: u64,
    /// Read, and put into the cache.
    pub cache_creation_input_tokens: u64,
    /// Read from the cache.
    pub cache_read_input_tokens: u64,
}

/// What [`last_usage`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LastUsage {
    /// The last answer.
    Found {
        /// Its usage.
        usage: Usage,
        /// The model that gave it.
        model: Option<String>,
    },
    /// The conversation was compacted, and there is no answer since: the size of the context is unknown.
    Compacted,
    /// No answer in these lines; earlier ones may have one.
    NotFound,
}

impl Usage {
    /// Reads a `usage` object; counts that are missing are 0. `None` if it isn't an object or has none of the counts.
    pub fn from_raw(raw: &Raw<'_>) -> Option<Self> {
        let fields = raw.object()?;
        let count = |key: &str| fields.get(key).and_then(Raw::as_u64);
        let counts = [
            count("input_tokens"),
            count("output_tokens"),
            count("cache_creation_input_tokens"),
            count("cache_read_input_tokens"),
        ];
        if counts.iter().all(Option::is_none) {
            return None;
        }
        let [input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens] =
            counts.map(Option::unwrap_or_default);
        Some(Self { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens })
    }

    /// Size of the context that was sent, in tokens: what was read, from the cache or not. The output isn't counted, as in
    /// the host's own figure.
    pub fn context_tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.cache_creation_input_tokens).saturating_add(self.cache_read_input_tokens)
    }
}

impl<'a> Line<'a> {
    /// Reads one line. Only a line that isn't one whole JSON object fails; the last line of a file may be such a one, because
    /// the host writes while others read.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        Fields::parse(text).map(Self::from_fields)
    }

    /// The message, decoded to its members.
    pub fn message(&self) -> Option<Message<'_>> {
        Message::from_raw(self.message.as_ref()?)
    }

    /// The message, if the model wrote it in the main conversation: not a subagent's, and not made up by the host.
    pub fn main_answer(&self) -> Option<Message<'_>> {
        if self.kind != Some(LineKind::Assistant) || self.is_sidechain == Some(true) {
            return None;
        }
        self.message().filter(|message| message.model.as_ref().is_none_or(|model| model != SYNTHETIC))
    }

    /// Who asked for the compaction that this line is the boundary of: `auto` or `manual`.
    pub fn compact_trigger(&self) -> Option<String> {
        self.compact_metadata.as_ref()?.get("trigger")?.as_str().map(std::borrow::Cow::into_owned)
    }

    /// Whether the conversation before this line was replaced by a summary.
    pub fn is_compact_boundary(&self) -> bool {
        self.is_sidechain != Some(true)
            && (self.is_compact_summary == Some(true)
                || (self.kind == Some(LineKind::System)
                    && self.subtype.as_ref().is_some_and(|subtype| subtype == "compact_boundary")))
    }
}

impl Message<'_> {
    /// The content blocks; a string is one text block.
    pub fn blocks(&self) -> Vec<Block<'_>> {
        self.content.as_ref().map(blocks).unwrap_or_default()
    }

    /// The text blocks, joined by line breaks; `None` without one.
    pub fn text(&self) -> Option<String> {
        self.content.as_ref().and_then(text_of)
    }
}

/// The content blocks of a message or of a call's result; a string is one text block.
fn blocks<'r>(content: &'r Raw<'_>) -> Vec<Block<'r>> {
    match content.as_text() {
        Some(text) => vec![Block::Text(text)],
        None => content.items().unwrap_or_default().into_iter().map(Block::from_raw).collect(),
    }
}

/// The text blocks among them, joined by line breaks; `None` without one.
fn text_of(content: &Raw<'_>) -> Option<String> {
    let texts: Vec<String> = blocks(content)
        .into_iter()
        .filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str().into_owned()),
            _ => None,
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

impl<'a> Block<'a> {
    /// Reads one content block. A block that lacks what its type promises is [`Block::Other`].
    pub fn from_raw(raw: Raw<'a>) -> Self {
        Self::known(&raw).unwrap_or(Self::Other(raw))
    }

    fn known(raw: &Raw<'a>) -> Option<Self> {
        let mut fields = raw.detached_object()?;
        let kind: Text<'a> = fields.pick("type")?;
        match &*kind.as_str() {
            "text" => Some(Self::Text(fields.pick("text")?)),
            "thinking" => Some(Self::Thinking(fields.pick("thinking")?)),
            "tool_use" => Some(Self::ToolUse {
                id: fields.pick("id")?,
                name: fields.pick("name")?,
                input: fields.pick("input").unwrap_or_default(),
            }),
            "tool_result" => Some(Self::ToolResult {
                tool_use_id: fields.pick("tool_use_id")?,
                content: fields.pick("content").unwrap_or_default(),
                is_error: fields.pick("is_error").unwrap_or_default(),
            }),
            _ => None,
        }
    }
}

/// The usage of the last answer of the main conversation. Takes the lines from the last to the first, and reads no further
/// than it must; lines that aren't JSON are skipped.
///
/// ```
/// use hook_protocol::transcript::{LastUsage, last_usage};
/// let transcript = concat!(
///     r#"{"type":"user","message":{"role":"user","content":"hello"}}"#, "\n",
///     r#"{"type":"assistant","message":{"model":"m","usage":{"input_tokens":2,"cache_read_input_tokens":40}}}"#, "\n",
/// );
/// let LastUsage::Found { usage, .. } = last_usage(transcript.lines().rev()) else { panic!() };
/// assert_eq!(usage.context_tokens(), 42);
/// ```
pub fn last_usage<S: AsRef<str>>(newest_first: impl IntoIterator<Item = S>) -> LastUsage {
    for text in newest_first {
        let Ok(line) = Line::parse(text.as_ref()) else { continue };
        if line.is_compact_boundary() {
            return LastUsage::Compacted;
        }
        let Some(answer) = line.main_answer() else { continue };
        if let Some(usage) = answer.usage.as_ref().and_then(Usage::from_raw) {
            return LastUsage::Found { usage, model: answer.model.map(|model| model.as_str().into_owned()) };
        }
    }
    LastUsage::NotFound
}

/// The last text that the model wrote in the main conversation. Takes the lines from the last to the first, and reads no
/// further than it must; lines that aren't JSON, and answers without text, are skipped.
pub fn last_assistant_text<S: AsRef<str>>(newest_first: impl IntoIterator<Item = S>) -> Option<String> {
    newest_first.into_iter().find_map(|text| Line::parse(text.as_ref()).ok()?.main_answer()?.text())
}
