//! The entries that this product installs, and their JSON text.

use crate::event::EventName;

/// One entry of ours: one command for one event.
///
/// It is written in exactly the shape that the host was seen to accept
/// (`{"matcher"?: string, "hooks": [{"type", "command", "args"?, "timeout", "onFailure"?}]}`); one wrong entry under
/// `PreToolUse` or `PermissionRequest` makes the host drop the whole file. No other shape can be written: an object as
/// matcher or a bare path is none of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnEntry {
    /// The event.
    pub event: EventName<'static>,
    /// The matcher; `None` means every call.
    pub matcher: Option<String>,
    /// The program. `${CLAUDE_PROJECT_DIR}` is expanded by the host, here and in `args`; no shell is involved. Without `args` it is a
    /// text for the shell, as [`shared_command`](super::shared_command) makes one.
    pub command: String,
    /// The arguments of the program.
    pub args: Option<Vec<String>>,
    /// Seconds until the host ends the process; not 0, which the host takes for an invalid entry.
    pub timeout: u32,
    /// Makes a hook that can't start, times out or fails count as a refusal (`"onFailure": "block"`).
    pub on_failure_block: bool,
}

impl OwnEntry {
    /// The matcher group of this entry as JSON on one line, without spaces when `compact`.
    ///
    /// ```
    /// use hook_protocol::event::EventName;
    /// use hook_protocol::settings::OwnEntry;
    ///
    /// let entry = OwnEntry {
    ///     event: EventName::PreToolUse,
    ///     matcher: None,
    ///     command: "${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin".to_owned(),
    ///     args: Some(vec!["hook".to_owned(), "PreToolUse".to_owned()]),
    ///     timeout: 10,
    ///     on_failure_block: false,
    /// };
    /// assert_eq!(
    ///     entry.group_json(true),
    ///     concat!(
    ///         r#"{"hooks":[{"type":"command","command":"${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin","#,
    ///         r#""args":["hook","PreToolUse"],"timeout":10}]}"#,
    ///     ),
    /// );
    /// ```
    pub fn group_json(&self, compact: bool) -> String {
        let mut members = Vec::new();
        if let Some(matcher) = &self.matcher {
            members.push(("matcher", quote(matcher)));
        }
        members.push(("hooks", format!("[{}]", self.handler_json(compact))));
        object(&members, compact)
    }

    /// The handler object alone.
    pub(super) fn handler_json(&self, compact: bool) -> String {
        let mut members = vec![("type", quote("command")), ("command", quote(&self.command))];
        if let Some(args) = &self.args {
            let args: Vec<String> = args.iter().map(|arg| quote(arg)).collect();
            members.push(("args", format!("[{}]", args.join(if compact { "," } else { ", " }))));
        }
        members.push(("timeout", self.timeout.to_string()));
        if self.on_failure_block {
            members.push(("onFailure", quote("block")));
        }
        object(&members, compact)
    }
}

/// A JSON object on one line.
fn object(members: &[(&str, String)], compact: bool) -> String {
    let (open, colon, comma, close) = if compact { ("{", ":", ",", "}") } else { ("{ ", ": ", ", ", " }") };
    let members: Vec<String> = members.iter().map(|(key, value)| format!("\"{key}\"{colon}{value}")).collect();
    format!("{open}{}{close}", members.join(comma))
}

/// A JSON string.
pub(super) fn quote(text: &str) -> String {
    // Writing a string into memory can't fail.
    serde_json::to_string(text).unwrap_or_default()
}
