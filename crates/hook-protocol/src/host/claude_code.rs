//! Claude Code, as version 2.1.332 behaves.

use super::{Host, Limits, SettingsFiles, Variables, Written};
use crate::event::Event;
use crate::reply::Reply;

/// Claude Code.
pub static CLAUDE_CODE: Host = Host {
    name: "claude-code",
    title: "Claude Code",
    dir: ".claude",
    settings: SettingsFiles { shared: "settings.json", personal: "settings.local.json", managed: MANAGED },
    variables: Variables {
        prefix: "CLAUDE",
        project_dir: "CLAUDE_PROJECT_DIR",
        config_dir: "CLAUDE_CONFIG_DIR",
        env_file: "CLAUDE_ENV_FILE",
        plugin_root: "CLAUDE_PLUGIN_ROOT",
        session_id: "CLAUDE_CODE_SESSION_ID",
    },
    agents: &["general-purpose", "Explore", "Plan", "statusline-setup", "output-style-setup", "claude", "fork"],
    reading_agents: &["Bash", "Explore"],
    temp_dirs: &["claude", "claude-"],
    state_file: ".claude.json",
    limits: Limits::NONE,
    read: |payload, expected| Event::parse_any(payload, expected),
    write,
};

const MANAGED: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/managed-settings.json"
} else if cfg!(windows) {
    "C:/Program Files/ClaudeCode/managed-settings.json"
} else {
    "/etc/claude-code/managed-settings.json"
};

fn write(reply: &Reply) -> Written {
    // The reason alone: the host shows it to the model on versions that do not read the JSON of a blocked call.
    let stderr = reply.refusal().map(|reason| format!("{reason}\n")).unwrap_or_default();
    Written { stdout: reply.stdout(), stderr, code: reply.exit_code() }
}
