//! What a session remembers of its agents, in the section `routing` of its document.

use hook_policy::handoff::Routing;

/// The section of the session document.
pub(crate) const SECTION: &str = "routing";

/// Reads the section; anything that is not understood is a session without agents.
pub(crate) fn read(section: Option<&str>) -> Routing {
    section.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// The section's text, without secrets (invariant 14).
pub(crate) fn text(routing: &Routing) -> String {
    let json = serde_json::to_string(routing).unwrap_or_else(|_| "{}".to_owned());
    let plain = hook_audit_log::redact(&json);
    // What is taken out is taken out of values; should it ever break the text, the agents are forgotten rather than the secret kept.
    if serde_json::from_str::<serde::de::IgnoredAny>(&plain).is_ok() { plain.into_owned() } else { "{}".to_owned() }
}
