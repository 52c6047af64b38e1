//! Replies to what the user types.

use std::borrow::Cow;

use super::error::ReplyError;
use super::read::Source;
use super::universal::Universal;
use super::write::Document;
use super::{Answer, is_plain, write_context};

/// Answer to `UserPromptSubmit`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserPromptSubmit {
    /// The prompt is dropped and no request is made; the user reads the reason, the model nothing. Context is lost then.
    pub block: Option<String>,
    /// Leaves the prompt out of the message about its block.
    pub suppress_original_prompt: bool,
    /// Text for the model beside the prompt.
    pub additional_context: Option<String>,
    /// Plain stdout, which reaches the model like context. When JSON has to be sent as well, or when the text
    /// begins with a brace and would be taken for JSON, it is appended to `additionalContext`.
    pub text: Option<String>,
    /// New title of the session.
    pub session_title: Option<String>,
    /// Fields that all events share.
    pub notice: Universal,
}

impl Answer for UserPromptSubmit {
    const EVENT: &'static str = "UserPromptSubmit";

    fn write(&self, document: &mut Document) {
        self.notice.write(document);
        document.block(self.block.as_deref());
        let mut specific = document.specific();
        specific.switch("suppressOriginalPrompt", self.suppress_original_prompt);
        specific.optional("sessionTitle", self.session_title.as_deref());
        write_context(document, self.additional_context.as_deref(), self.text.as_deref());
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        Ok(Self {
            block: source.block()?,
            suppress_original_prompt: source.switch("suppressOriginalPrompt")?,
            additional_context: source.text("additionalContext")?,
            text: None,
            session_title: source.text("sessionTitle")?,
            notice: Universal::read(source)?,
        })
    }

    keeps!(context, message, refuse, plain, from_plain);
}

/// Answer to `UserPromptExpansion`: a slash command or an MCP prompt that the user typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserPromptExpansion {
    /// The expansion is stopped; the user reads the reason.
    pub block: Option<String>,
    /// Leaves the prompt out of the message about its block.
    pub suppress_original_prompt: bool,
    /// Text for the model beside the prompt.
    pub additional_context: Option<String>,
    /// Plain stdout, which reaches the model like context; see [`UserPromptSubmit::text`].
    pub text: Option<String>,
    /// Fields that all events share.
    pub notice: Universal,
}

impl Answer for UserPromptExpansion {
    const EVENT: &'static str = "UserPromptExpansion";

    fn write(&self, document: &mut Document) {
        self.notice.write(document);
        document.block(self.block.as_deref());
        document.specific().switch("suppressOriginalPrompt", self.suppress_original_prompt);
        write_context(document, self.additional_context.as_deref(), self.text.as_deref());
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        Ok(Self {
            block: source.block()?,
            suppress_original_prompt: source.switch("suppressOriginalPrompt")?,
            additional_context: source.text("additionalContext")?,
            text: None,
            notice: Universal::read(source)?,
        })
    }

    keeps!(context, message, refuse, plain, from_plain);
}

/// Answer to `PreCompact`. It has no `hookSpecificOutput`, and the fields for the user are discarded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PreCompact {
    /// No compaction. Blocking an automatic one ends the session with an error once the context is full, so it only makes
    /// sense for `trigger: manual`.
    pub block: Option<String>,
    /// Plain stdout, appended to the instructions of the compaction. Dropped when the compaction is blocked. A text that
    /// begins with a brace would be taken for JSON; it gets the line `Instructions:` before it.
    pub text: Option<String>,
}

impl Answer for PreCompact {
    const EVENT: &'static str = "PreCompact";
    const SPECIFIC: bool = false;

    fn write(&self, document: &mut Document) {
        document.block(self.block.as_deref());
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        Ok(Self { block: source.block()?, text: None })
    }

    fn plain(&self) -> Option<Cow<'_, str>> {
        self.text.as_deref().map(under_title)
    }

    fn context(&mut self) -> Option<&mut Option<String>> {
        Some(&mut self.text)
    }

    keeps!(refuse, from_plain);
}

/// Answer to `PostCompact`: plain text that enters the conversation after the summary. Everything else is discarded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostCompact {
    /// Plain stdout; one that begins with a brace gets the line `Instructions:` before it.
    pub text: Option<String>,
}

impl Answer for PostCompact {
    const EVENT: &'static str = "PostCompact";
    const SPECIFIC: bool = false;

    fn write(&self, _document: &mut Document) {}

    fn read(_source: &Source<'_>) -> Result<Self, ReplyError> {
        Ok(Self::default())
    }

    fn plain(&self) -> Option<Cow<'_, str>> {
        self.text.as_deref().map(under_title)
    }

    fn from_plain(text: &str) -> Option<Self> {
        Some(Self { text: Some(text.to_owned()) })
    }

    fn context(&mut self) -> Option<&mut Option<String>> {
        Some(&mut self.text)
    }
}

/// The text in a form that the host can't take for JSON.
fn under_title(text: &str) -> Cow<'_, str> {
    if is_plain(text) { Cow::Borrowed(text) } else { Cow::Owned(format!("Instructions:\n{text}")) }
}
