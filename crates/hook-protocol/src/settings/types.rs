//! Matcher groups and handlers as typed values, read and written with serde.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

/// One element of an event's list: which calls it is for, and what then runs.
///
/// Unknown keys are kept in `extra`. Reading refuses what the host refuses about the group itself: a matcher that is
/// no string (`null` too), and a group without `hooks`.
///
/// ```
/// use hook_protocol::settings::{Handler, MatcherGroup};
///
/// let text = r#"{"matcher":"Bash","hooks":[{"type":"command","command":"/bin/true","args":[],"timeout":5}]}"#;
/// let group: MatcherGroup = serde_json::from_str(text)?;
/// assert!(matches!(&group.hooks[0], Handler::Command(entry) if entry.args.as_deref() == Some(&[])));
/// assert_eq!(serde_json::to_string(&group)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatcherGroup {
    /// The matcher; `None`, the empty string and `*` mean every call.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub matcher: Option<String>,
    /// What runs, all of it in parallel.
    pub hooks: Vec<Handler>,
    /// Keys that this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// One thing that runs on an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Handler {
    /// A process.
    Command(CommandEntry),
    /// A POST of the event to a server.
    Http(HttpEntry),
    /// A tool of an MCP server.
    McpTool(McpToolEntry),
    /// A question to a model.
    Prompt(PromptEntry),
    /// A question to an agent.
    Agent(AgentEntry),
    /// Anything else, kept as it is: an unknown type, or an entry that lacks what its type needs.
    #[serde(untagged)]
    Unknown(Value),
}

/// Keys of all handler types.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Common {
    /// Seconds until the handler is ended; fractions work, 0 makes the entry invalid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Number>,
    /// One permission rule that has to match as well.
    #[serde(rename = "if", default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Text beside the spinner.
    #[serde(rename = "statusMessage", default, skip_serializing_if = "Option::is_none")]
    pub status_message: Option<String>,
    /// Honoured in a skill's front matter only; in settings it has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub once: Option<bool>,
    /// `block` makes a failure count as a refusal; `continue` is the default. Commands, http and MCP tools only.
    #[serde(rename = "onFailure", default, skip_serializing_if = "Option::is_none")]
    pub on_failure: Option<String>,
}

/// A process that reads the event on stdin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CommandEntry {
    /// With `args` the program, else a text for the shell.
    pub command: String,
    /// The arguments; their presence, even empty, means that no shell is involved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Vec<String>>,
    /// `bash` or `powershell`; ignored with `args`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shell: Option<String>,
    /// Runs in the background; decisions have no effect then.
    #[serde(rename = "async", default, skip_serializing_if = "Option::is_none")]
    pub background: Option<bool>,
    /// Runs in the background and wakes the model with exit code 2.
    #[serde(rename = "asyncRewake", default, skip_serializing_if = "Option::is_none")]
    pub background_rewake: Option<bool>,
    /// Keys of all handler types.
    #[serde(flatten)]
    pub common: Common,
    /// Keys that this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A POST of the event as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HttpEntry {
    /// Where to.
    pub url: String,
    /// Headers of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headers: Option<Map<String, Value>>,
    /// The only environment variables that headers may name.
    #[serde(rename = "allowedEnvVars", default, skip_serializing_if = "Option::is_none")]
    pub allowed_env_vars: Option<Vec<String>>,
    /// Keys of all handler types.
    #[serde(flatten)]
    pub common: Common,
    /// Keys that this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A call of an MCP tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct McpToolEntry {
    /// Name of the server.
    pub server: String,
    /// Name of the tool.
    pub tool: String,
    /// Input of the tool, with `${path}` for parts of the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// Keys of all handler types.
    #[serde(flatten)]
    pub common: Common,
    /// Keys that this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A question to a model about the event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromptEntry {
    /// The question; `$ARGUMENTS` stands for the event as JSON.
    pub prompt: String,
    /// The model to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Lets the turn go on after a refusal.
    #[serde(rename = "continueOnBlock", default, skip_serializing_if = "Option::is_none")]
    pub continue_on_block: Option<bool>,
    /// Keys of all handler types.
    #[serde(flatten)]
    pub common: Common,
    /// Keys that this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A question to an agent about the event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentEntry {
    /// The question; `$ARGUMENTS` stands for the event as JSON.
    pub prompt: String,
    /// The model to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Keys of all handler types.
    #[serde(flatten)]
    pub common: Common,
    /// Keys that this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// Reads a key that must not be `null` when it is there, because the host refuses the whole file for it.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}
