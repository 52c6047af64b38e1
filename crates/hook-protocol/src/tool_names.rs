//! Tools of an agent of one's own, by the names that checks know.

use std::collections::BTreeMap;

use crate::error::ParseError;
use crate::event::{Body, Event};
use crate::field::Object;
use crate::raw::{Fields, Raw, Text};

/// Members of an event that is about a call.
const TOOL_NAME: &str = "tool_name";
const TOOL_INPUT: &str = "tool_input";

/// Which tools of an agent are a shell, read or write files, and what their parameters are called.
///
/// Checks go by the names of the host's tools. An event that [`Event::parse_with`] reads has those names in place of the agent's own.
///
/// A name says that the input is that tool's: a call of a shell without its `command` cannot be read. A tool that takes a patch, or
/// several files at once, is none of them. Checks read it by the shape of its input, whatever it is called; only a member that holds
/// the patch under a name of its own has to be told:
///
/// ```
/// use hook_protocol::act::Act;
/// use hook_protocol::{Event, ToolNames};
///
/// let names = ToolNames::new().parameter("change_files", "changes", "patch");
/// let call = r#"{"hook_event_name":"PreToolUse","tool_name":"change_files","tool_input":
///     {"changes":"*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n"}}"#;
/// let acts = Event::parse_with(call, &names)?.tool().unwrap().acts().acts;
/// assert!(matches!(&acts[..], [Act::Delete { path, .. }] if path == "a.txt"));
/// # Ok::<(), hook_protocol::ParseError>(())
/// ```
///
/// ```
/// use hook_protocol::{Event, ToolNames};
///
/// let names = ToolNames::new()
///     .shell("run_shell_command")
///     .parameter("run_shell_command", "cmd", "command")
///     .write("save")
///     .parameter("save", "path", "file_path");
/// let call = r#"{"hook_event_name":"PreToolUse","tool_name":"run_shell_command","tool_input":{"cmd":"ls"}}"#;
/// let event = Event::parse_with(call, &names)?;
/// assert_eq!(event.tool().unwrap().command().unwrap(), "ls");
/// # Ok::<(), hook_protocol::ParseError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolNames {
    tools: BTreeMap<String, Tool>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Tool {
    /// The host's name; `None` while only parameters are known.
    native: Option<String>,
    /// Own parameters, with the host's.
    parameters: BTreeMap<String, String>,
}

impl ToolNames {
    /// No names.
    pub fn new() -> Self {
        Self::default()
    }

    /// The tool `own` runs a shell command: `Bash`, whose parameter is `command`.
    #[must_use]
    pub fn shell(self, own: &str) -> Self {
        self.tool(own, "Bash")
    }

    /// The tool `own` reads a file: `Read`, whose parameter is `file_path`.
    #[must_use]
    pub fn read(self, own: &str) -> Self {
        self.tool(own, "Read")
    }

    /// The tool `own` writes a whole file: `Write`, whose parameters are `file_path` and `content`.
    #[must_use]
    pub fn write(self, own: &str) -> Self {
        self.tool(own, "Write")
    }

    /// The tool `own` replaces text in a file: `Edit`, whose parameters are `file_path`, `old_string` and `new_string`.
    #[must_use]
    pub fn edit(self, own: &str) -> Self {
        self.tool(own, "Edit")
    }

    /// The tool `own` is another one of the host's, such as `WebFetch`.
    #[must_use]
    pub fn tool(mut self, own: &str, native: &str) -> Self {
        self.tools.entry(own.to_owned()).or_default().native = Some(native.to_owned());
        self
    }

    /// The tool `tool` calls the parameter `native` of the host's tool `own`.
    #[must_use]
    pub fn parameter(mut self, tool: &str, own: &str, native: &str) -> Self {
        let parameters = &mut self.tools.entry(tool.to_owned()).or_default().parameters;
        parameters.insert(own.to_owned(), native.to_owned());
        self
    }

    /// Puts the host's names into a call whose event is not known.
    fn rename_unnamed(&self, fields: &mut Fields<'_>) {
        let mut name = fields.get(TOOL_NAME).and_then(Raw::as_text).map(Text::into_owned);
        let mut input = fields.get(TOOL_INPUT).map(|input| input.clone().into_owned());
        if name.as_ref().is_none_or(|name| !self.tools.contains_key(&*name.as_str())) {
            return;
        }
        self.rename(&mut name, &mut input);
        if let Some(name) = name {
            fields.set(TOOL_NAME.to_owned(), name);
        }
        if let Some(input) = input {
            fields.set(TOOL_INPUT.to_owned(), input);
        }
    }

    /// Puts the host's names into a call.
    fn rename<'a>(&self, name: &mut Option<Text<'a>>, input: &mut Option<Raw<'a>>) {
        let Some(tool) = name.as_ref().and_then(|name| self.tools.get(&*name.as_str())) else { return };
        if let Some(renamed) = input.as_ref().and_then(|input| tool.renamed(input)) {
            *input = Some(renamed);
        }
        if let Some(native) = &tool.native {
            *name = Some(native.clone().into());
        }
    }
}

impl Tool {
    /// The input with the host's names of its parameters. A member that stands twice stays twice, so that it counts as unreadable. What
    /// has a name of the host's that the tool uses for nothing is left out: the tool does not look at it.
    fn renamed(&self, input: &Raw<'_>) -> Option<Raw<'static>> {
        if self.parameters.is_empty() {
            return None;
        }
        let fields = input.object()?;
        let mut object = Object::new(String::new());
        for (key, value) in fields.iter() {
            let own = key.as_str();
            match self.parameters.get(&*own) {
                Some(native) => object.member(native, value),
                None if self.parameters.values().any(|native| *native == own) => {}
                None => object.all(std::iter::once((key, value))),
            }
        }
        Some(Raw::bare(object.finish()))
    }
}

impl<'a> Event<'a> {
    /// Reads one event of an agent with tools of its own, as [`Event::parse`] does.
    pub fn parse_with(text: &'a str, names: &ToolNames) -> Result<Self, ParseError> {
        Ok(Self::parse(text)?.with_names(names))
    }

    /// The same event with the host's names of tools in place of an agent's own.
    #[must_use]
    pub fn with_names(mut self, names: &ToolNames) -> Self {
        match &mut self.body {
            Body::PreToolUse(call) => names.rename(&mut call.tool_name, &mut call.tool_input),
            Body::PostToolUse(call) => names.rename(&mut call.tool_name, &mut call.tool_input),
            Body::PostToolUseFailure(call) => names.rename(&mut call.tool_name, &mut call.tool_input),
            Body::PermissionRequest(call) => names.rename(&mut call.tool_name, &mut call.tool_input),
            Body::PermissionDenied(call) => names.rename(&mut call.tool_name, &mut call.tool_input),
            Body::PreSkillShellCommand(call) => names.rename(&mut call.tool_name, &mut call.tool_input),
            Body::PostToolBatch(batch) => {
                for call in batch.tool_calls.iter_mut().flatten() {
                    names.rename(&mut call.tool_name, &mut call.tool_input);
                }
            }
            Body::Other(_) => names.rename_unnamed(&mut self.extra),
            _ => {}
        }
        self
    }
}
