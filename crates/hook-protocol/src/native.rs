//! The tools that every host has under some name, as a kind.

use crate::canonical::canonical;
use crate::tool::ToolUse;

/// A tool that a host brings itself, by what it does.
///
/// ```
/// use hook_protocol::native::NativeTool;
/// assert_eq!(NativeTool::named("Bash"), Some(NativeTool::Shell));
/// assert_eq!(NativeTool::named("Task"), Some(NativeTool::Agent));
/// assert_eq!(NativeTool::named("mcp__github__read"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NativeTool {
    /// Runs a command in the user's shell.
    Shell,
    /// Runs a command in PowerShell.
    PowerShell,
    /// Runs a command and watches what it prints.
    Monitor,
    /// Reads a file.
    Read,
    /// Writes a whole file.
    Write,
    /// Changes parts of a file.
    Edit,
    /// Changes a cell of a notebook.
    NotebookEdit,
    /// Finds files by their names.
    Glob,
    /// Searches in files.
    Grep,
    /// Starts a subagent.
    Agent,
    /// Fetches an address.
    WebFetch,
    /// Searches the web.
    WebSearch,
}

/// Each kind with the name that [`canonical`] gives it, and the members of its input of which one says what a call does.
const KINDS: &[(NativeTool, &str, &[&str])] = &[
    (NativeTool::Shell, "Bash", &["command"]),
    (NativeTool::PowerShell, "PowerShell", &["command"]),
    (NativeTool::Monitor, "Monitor", &["command"]),
    (NativeTool::Read, "Read", &["file_path", "path"]),
    (NativeTool::Write, "Write", &["file_path", "path"]),
    (NativeTool::Edit, "Edit", &["file_path", "path"]),
    (NativeTool::NotebookEdit, "NotebookEdit", &["notebook_path", "file_path", "path"]),
    (NativeTool::Grep, "Grep", &["path", "glob"]),
    (NativeTool::Glob, "Glob", &["path", "pattern"]),
    (NativeTool::Agent, "Agent", &[]),
    (NativeTool::WebFetch, "WebFetch", &[]),
    (NativeTool::WebSearch, "WebSearch", &[]),
];

impl NativeTool {
    /// The kind of the tool with this name, under any of its names.
    pub fn named(name: &str) -> Option<Self> {
        let name = canonical(name);
        KINDS.iter().find(|(_, known, _)| *known == name).map(|(kind, ..)| *kind)
    }

    /// The same of a name in any case, as other clients write it.
    pub fn named_loosely(name: &str) -> Option<Self> {
        KINDS.iter().find(|(_, known, _)| known.eq_ignore_ascii_case(name.trim())).map(|(kind, ..)| *kind)
    }

    /// The names of the tools that run a command line.
    pub fn command_names() -> impl Iterator<Item = &'static str> {
        KINDS.iter().filter(|(kind, ..)| kind.runs_commands()).map(|(_, name, _)| *name)
    }

    /// Members of the input of which one has to be there, because it says what a call does. Empty where nothing of the kind is required.
    pub fn deciding_members(self) -> &'static [&'static str] {
        KINDS.iter().find(|(kind, ..)| *kind == self).map_or(&[], |(.., members)| members)
    }

    /// Whether a call may leave all of them out.
    pub const fn may_say_nothing(self) -> bool {
        matches!(self, Self::Monitor | Self::Grep | Self::Glob)
    }

    /// Whether it runs a command line.
    pub const fn runs_commands(self) -> bool {
        matches!(self, Self::Shell | Self::PowerShell | Self::Monitor)
    }

    /// Whether it changes a file that the call names.
    pub const fn changes_file(self) -> bool {
        matches!(self, Self::Write | Self::Edit | Self::NotebookEdit)
    }
}

impl ToolUse<'_> {
    /// The kind of the tool, where hosts bring it themselves.
    pub fn native(&self) -> Option<NativeTool> {
        NativeTool::named(&self.name)
    }
}
