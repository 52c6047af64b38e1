//! MCP servers that files declare.

use crate::raw::{Fields, Raw};

/// A declared MCP server. That it is declared does not say that it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredServer {
    /// Its name, as it stands in the names of its tools.
    pub name: String,
    /// The program that it is started by; none for a server that is reached by an address.
    pub command: Option<String>,
}

/// The MCP servers that a text declares: a project's `.mcp.json`, or the host's file of state, in which `project` may have servers of
/// its own. Empty where it declares none, or is no JSON object.
///
/// ```
/// # use hook_protocol::settings::declared_servers;
/// let state = r#"{"mcpServers": {"memory": {"command": "npx"}}, "projects": {"/p": {"mcpServers": {"docs": {"url": "https://x"}}}}}"#;
/// let names = |project| declared_servers(state, project).into_iter().map(|server| server.name).collect::<Vec<_>>();
/// assert_eq!(names(None), ["memory"]);
/// assert_eq!(names(Some("/p")), ["memory", "docs"]);
/// ```
pub fn declared_servers(text: &str, project: Option<&str>) -> Vec<DeclaredServer> {
    let Ok(file) = Fields::parse(text) else { return Vec::new() };
    let mut found = Vec::new();
    add(&file, &mut found);
    let own = project.and_then(|project| file.get("projects")?.get(project));
    if let Some(own) = own.as_ref().and_then(Raw::object) {
        add(&own, &mut found);
    }
    found
}

fn add(file: &Fields<'_>, found: &mut Vec<DeclaredServer>) {
    let servers = file.get("mcpServers").and_then(Raw::object);
    found.extend(servers.iter().flat_map(Fields::iter).map(|(name, server)| DeclaredServer {
        name: name.as_str().into_owned(),
        command: server.object().and_then(|server| server.get_str("command").map(std::borrow::Cow::into_owned)),
    }));
}

/// The servers of a project's `.mcp.json` that a settings file turns off.
pub fn disabled_servers(settings: &str) -> Vec<String> {
    let Ok(file) = Fields::parse(settings) else { return Vec::new() };
    file.get("disabledMcpjsonServers").and_then(|names| names.to().ok()).unwrap_or_default()
}
