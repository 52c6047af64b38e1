//! Events around tool calls, and the permissions for them.

use super::common::McpServer;
use crate::field::{body, open_enum, record};
use crate::permission::PermissionUpdate;
use crate::raw::{Fields, Raw, Text};
use crate::tool::ToolUse;

body! {
    /// A tool is about to run. Not fired for files pulled in with `@`, unknown tools and inputs that fail validation.
    PreToolUse {
        /// The tool; see [`crate::canonical`].
        tool_name: Text<'a>,
        /// Its input, an object of any shape.
        tool_input: Raw<'a>,
        /// Identifies the call.
        tool_use_id: Text<'a>,
        /// Its server, for MCP tools.
        mcp_server: McpServer<'a>,
    }
}

body! {
    /// A tool has run and succeeded. A Bash command that exits with another status than 0 fires
    /// [`PostToolUseFailure`] instead.
    PostToolUse {
        /// The tool.
        tool_name: Text<'a>,
        /// The input that ran, rewrites included.
        tool_input: Raw<'a>,
        /// The tool's structured output; an MCP tool gives its content array. May be many MiB.
        tool_response: Raw<'a>,
        /// Identifies the call.
        tool_use_id: Text<'a>,
        /// How long it took, in milliseconds.
        duration_ms: u64,
        /// Its server, for MCP tools.
        mcp_server: McpServer<'a>,
    }
}

/// A failure that a tool's own output states in fields for it, never in its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatedFailure {
    /// What the error field says, or else standard error.
    pub said: Option<String>,
    /// There is an error field; otherwise the exit code alone says it.
    pub by_text: bool,
}

impl PostToolUse<'_> {
    /// The failure that the output states: in `error`, in `is_error`, or by an exit code other than 0. The host itself sends
    /// [`PostToolUseFailure`] for failures, so this is for other senders. What stands in standard output or error states nothing.
    pub fn explicit_failure(&self) -> Option<StatedFailure> {
        let response = self.tool_response.as_ref()?.object()?;
        let text = |name: &str| {
            response.get_str(name).filter(|text| !text.trim().is_empty()).map(std::borrow::Cow::into_owned)
        };
        let nested = || response.get("error")?.get("message")?.as_str().map(std::borrow::Cow::into_owned);
        if let Some(error) = text("error").or_else(nested) {
            return Some(StatedFailure { said: Some(error), by_text: true });
        }
        let flagged =
            ["is_error", "isError"].iter().any(|name| response.get(name).and_then(Raw::as_bool) == Some(true));
        let codes = ["exit_code", "exitCode", "returncode"];
        let failed = codes.iter().any(|name| response.get(name).and_then(Raw::as_f64).is_some_and(|code| code != 0.0));
        (flagged || failed).then(|| StatedFailure { said: text("stderr"), by_text: flagged && !failed })
    }
}

body! {
    /// A tool has run and failed. Not fired for calls that were refused.
    PostToolUseFailure {
        /// The tool.
        tool_name: Text<'a>,
        /// The input that ran.
        tool_input: Raw<'a>,
        /// Identifies the call.
        tool_use_id: Text<'a>,
        /// What went wrong. For Bash the first line is `Exit code N`.
        error: Text<'a>,
        /// Whether the user interrupted the call.
        is_interrupt: bool,
        /// How long it took, in milliseconds.
        duration_ms: u64,
        /// Its server, for MCP tools.
        mcp_server: McpServer<'a>,
    }
}

body! {
    /// All tool calls of one model answer are done, refused and failed ones included.
    PostToolBatch {
        /// The calls. If one of them isn't an object, the whole list is left in the event's `extra`.
        tool_calls: Vec<ToolCall<'a>>,
    }
}

record! {
    /// One call of a batch.
    ToolCall {
        /// The tool.
        tool_name: Text<'a>,
        /// Its input.
        tool_input: Raw<'a>,
        /// Identifies the call.
        tool_use_id: Text<'a>,
        /// What the model sees: a string or content blocks, not the structured output.
        tool_response: Raw<'a>,
    }
}

impl ToolCall<'_> {
    /// The call; `None` without a tool name.
    pub fn tool(&self) -> Option<ToolUse<'_>> {
        let name = self.tool_name.as_ref()?.as_str();
        Some(ToolUse::new(name, self.tool_input.as_ref(), self.tool_use_id.as_ref(), None))
    }
}

body! {
    /// The user would be asked for permission, or a call that cannot be asked for is about to be refused.
    PermissionRequest {
        /// The tool.
        tool_name: Text<'a>,
        /// Its input.
        tool_input: Raw<'a>,
        /// What the dialog offers beside yes and no.
        permission_suggestions: Vec<PermissionUpdate<'a>>,
        /// Its server, for MCP tools.
        mcp_server: McpServer<'a>,
    }
}

body! {
    /// The classifier of auto mode has refused a call.
    PermissionDenied {
        /// The tool.
        tool_name: Text<'a>,
        /// Its input.
        tool_input: Raw<'a>,
        /// Identifies the call.
        tool_use_id: Text<'a>,
        /// Why.
        reason: Text<'a>,
        /// Its server, for MCP tools.
        mcp_server: McpServer<'a>,
    }
}

body! {
    /// A skill is about to run a shell command that stands in its text (2.1.332).
    PreSkillShellCommand {
        /// `Bash` or `PowerShell`.
        tool_name: Text<'a>,
        /// Its input, with `command`.
        tool_input: Raw<'a>,
        /// Identifies the call.
        tool_use_id: Text<'a>,
        /// The skill or command.
        command_name: Text<'a>,
        /// Where the skill or command comes from.
        command_source: Text<'a>,
        /// Who invoked it.
        invoked_by: SkillInvoker<'a>,
    }
}

open_enum! {
    /// Who invoked a skill.
    SkillInvoker {
        /// The user.
        User = "user",
        /// The model.
        Claude = "claude",
        /// Something else.
        NoneOfThese = "other",
    }
}

impl PreToolUse<'static> {
    /// A Bash call that runs `command`, as an agent or a user who asks for an explanation makes it.
    ///
    /// ```
    /// let call = hook_protocol::event::PreToolUse::bash("ls -l");
    /// assert_eq!(call.tool_input.unwrap().text(), r#"{"command":"ls -l"}"#);
    /// ```
    pub fn bash(command: &str) -> Self {
        Self::of("Bash", &[("command", command)])
    }

    /// A call of a file tool on `path`, with `content` if it writes.
    pub fn file_call(tool: &str, path: &str, content: Option<&str>) -> Self {
        let key = if tool == "NotebookEdit" { "notebook_path" } else { "file_path" };
        let content_key = match tool {
            "Edit" => "new_string",
            "NotebookEdit" => "new_source",
            _ => "content",
        };
        let mut members = vec![(key, path)];
        members.extend(content.map(|content| (content_key, content)));
        Self::of(tool, &members)
    }

    fn of(tool: &str, members: &[(&'static str, &str)]) -> Self {
        let mut input = Fields::new();
        for (key, value) in members {
            // A string is always one JSON value.
            if let Ok(value) = Raw::from_value(*value) {
                input.set(*key, value);
            }
        }
        Self { tool_name: Some(tool.to_owned().into()), tool_input: Some(input.to_raw()), ..Self::default() }
    }
}
