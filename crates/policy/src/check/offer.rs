//! Which tools MCP servers offer here, as far as that can be told without asking a server.

use super::CheckContext;
use hook_protocol::canonical::McpName;

/// Whether a tool of one of these patterns can be had: it is the host's own, a server of its name or of these names is declared, or the
/// session has used one already.
pub(crate) fn is_offered<'t>(
    servers: &[String],
    tools: impl Iterator<Item = &'t String>,
    ctx: &CheckContext<'_>,
) -> bool {
    let tools: Vec<&String> = tools.collect();
    let parsed: Vec<_> = tools.iter().map(|tool| McpName::parse(tool)).collect();
    if parsed.iter().any(Option::is_none) {
        return true;
    }
    let is_named = |declared: &String| {
        servers.contains(declared) || parsed.iter().flatten().any(|name| name.server == declared.as_str())
    };
    // What cannot be told is taken for offered, which is the stricter answer. The session is known already, and the files are not read yet.
    ctx.facts.has_used(&tools) || ctx.declared_servers().is_none_or(|declared| declared.iter().any(is_named))
}
