//! Sections of a session's document that hold a value as JSON: what is remembered of agents and of the registry.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The section in which a session remembers its agents.
pub const ROUTING: &str = "routing";

/// The section in which a session remembers what the registry was told.
pub const REGISTRY: &str = "registry";

/// The section in which a session keeps what became of the guard's own entry.
pub const ENTRY: &str = "entry";

/// The section in which a session keeps when its document was made, as milliseconds since 1970; below zero where an earlier one is gone.
pub const BEGUN: &str = "begun";

/// The section in which a session keeps when it began, and which calls may have written status files.
pub const TRAIL: &str = "trail";

/// The section in which a project remembers what its sessions have ordered and typed.
pub const ORDERS: &str = "orders";

/// The section in which a session keeps what its host could not be told yet.
pub const WAITING: &str = "waiting";

/// The section in which a session keeps the names of tools of MCP servers that it has used.
pub const USED: &str = "used_tools";

/// Reads a section; anything that is not understood is a session of which nothing is known.
pub fn read<T: DeserializeOwned + Default>(section: Option<&str>) -> T {
    section.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// The section's text, without secrets (invariant 14).
pub fn text(remembered: &impl Serialize) -> String {
    let json = serde_json::to_string(remembered).unwrap_or_else(|_| "{}".to_owned());
    let plain = hook_audit_log::redact(&json);
    // What is taken out is taken out of values; should it ever break the text, all is forgotten rather than the secret kept.
    if serde_json::from_str::<serde::de::IgnoredAny>(&plain).is_ok() { plain.into_owned() } else { "{}".to_owned() }
}
