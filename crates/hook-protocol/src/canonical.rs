//! Names of tools: the parts of an MCP name, and one name for what has several.

/// The parts of an MCP tool's name, `mcp__<server>__<tool>`.
///
/// The server ends at the first `__`, as the host splits it; the tool may hold more of them. A plugin's server is called
/// `plugin_<plugin>_<server>`.
///
/// ```
/// use hook_protocol::canonical::McpName;
/// let name = McpName::parse("mcp__spf-smart-gate__spf_read").unwrap();
/// assert_eq!((name.server, name.tool), ("spf-smart-gate", "spf_read"));
/// assert_eq!(McpName::parse("mcp__spf"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct McpName<'a> {
    /// The server.
    pub server: &'a str,
    /// The tool, as the server calls it.
    pub tool: &'a str,
}

impl<'a> McpName<'a> {
    /// Splits a name; `None` unless it has both parts.
    pub fn parse(name: &'a str) -> Option<Self> {
        let (server, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
        (!server.is_empty() && !tool.is_empty()).then_some(Self { server, tool })
    }
}

/// One name for each tool, whatever it is called by. Allocates nothing.
///
/// * Tools of an SPF server, with or without `mcp__<server>__` in front, get the name of the native tool that they stand
///   for: `spf_read` is `Read`, `spf_notebook_edit` is `NotebookEdit`. Those without a native twin keep their name. Anyone can
///   choose a server's name, so the tool's own `spf_` tells, whatever the server is called.
/// * Names that the host has given up become the ones it uses now: `Task` is `Agent`, `KillShell` is `TaskStop`.
/// * `MultiEdit`, which the host no longer has, is `Edit`.
///
/// Every other name comes back unchanged: `mcp__github__read` is no native tool.
///
/// ```
/// use hook_protocol::canonical::canonical;
/// assert_eq!(canonical("mcp__spf-smart-gate__spf_web_fetch"), "WebFetch");
/// assert_eq!(canonical("Task"), "Agent");
/// assert_eq!(canonical("mcp__github__read"), "mcp__github__read");
/// ```
pub fn canonical(name: &str) -> &str {
    let own = McpName::parse(name).map_or(name, |mcp| mcp.tool);
    if let Some(spf) = own.strip_prefix("spf_") {
        return match spf {
            "read" => "Read",
            "write" => "Write",
            "edit" => "Edit",
            "bash" => "Bash",
            "glob" => "Glob",
            "grep" => "Grep",
            "notebook_edit" => "NotebookEdit",
            "web_fetch" => "WebFetch",
            "web_search" => "WebSearch",
            _ => name,
        };
    }
    if name == "MultiEdit" { "Edit" } else { current(name) }
}

/// Old names that the host still accepts in settings, with the ones it uses now.
pub(crate) const RENAMED: [(&str, &str); 9] = [
    ("Task", "Agent"),
    ("KillShell", "TaskStop"),
    ("KillBash", "TaskStop"),
    ("ListPeers", "ListAgents"),
    ("Brief", "SendUserMessage"),
    ("ListMcpResources", "ListMcpResourcesTool"),
    ("ReadMcpResource", "ReadMcpResourceTool"),
    ("ReadMcpResourceDir", "ReadMcpResourceDirTool"),
    ("ProposeGoal", "SetGoal"),
];

/// The name that the host uses now for a name that it accepts.
pub(crate) fn current(name: &str) -> &str {
    RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new)
}
