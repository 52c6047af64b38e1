//! What tells that it is an agent that started this process, and not the user.

use std::path::Path;

use hook_policy::orders::Orders;
use hook_session_state::{SessionId, view};

use crate::facts::section;
use crate::project::Project;
use crate::system::System;

/// Variables that clients set for what their agents start.
const OF_CLIENTS: &[&str] = &[
    "CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CODEX_SANDBOX", "CODEX_THREAD_ID",
    "COPILOT_CLI", "CURSOR_AGENT", "GEMINI_CLI", "GEMINI_SESSION_ID", "OPENCODE", "QWEN_CODE", "QWEN_CODE_SESSION_ID",
];

/// Names of the programs of clients.
const CLIENTS: &[&str] = &[
    "aider", "amp", "claude", "claude-code", "cline", "codex", "copilot", "cursor-agent", "droid", "gemini",
    "gemini-cli", "goose", "kiro-cli", "opencode", "qwen", "qwen-code",
];

/// A session of the project that typed into a terminal not long ago and has not ended.
pub fn typist(project: &Project, system: &System) -> Option<String> {
    if project.is_elsewhere() || project.state_is_elsewhere() {
        return None;
    }
    let store = project.store();
    let document = store.read_project().ok()??;
    let orders: Orders = section::read(document.section_raw(section::ORDERS));
    if !orders.types(system.now.timestamp()) {
        return None;
    }
    let goes_on = |session: &&String| {
        let read = store.read_session(&SessionId::from_raw(session));
        // One that cannot be read may go on.
        read.map_or(true, |found| found.is_none_or(|found| found.activity().ended.is_none()))
    };
    orders.typists.iter().rev().find(goes_on).map(|session| view::one_line(session))
}

/// What tells that an agent's client is around this process.
pub fn client(system: &System) -> Option<String> {
    let variable = OF_CLIENTS.iter().find(|name| system.var(name).is_some());
    variable.map(|name| format!("{name} is set")).or_else(|| ancestor().map(|name| format!("{name} started this")))
}

/// The nearest client among the processes above this one.
#[cfg(target_os = "linux")]
fn ancestor() -> Option<String> {
    let mut process = parent_of("self")?;
    // A chain of processes is short; a number that comes again would make it endless.
    for _ in 0..64 {
        if process <= 1 {
            return None;
        }
        let process_dir = format!("/proc/{process}");
        if let Some(name) = client_in(Path::new(&process_dir)) {
            return Some(name);
        }
        process = parent_of(&process.to_string())?;
    }
    None
}

/// Elsewhere only the environment tells.
#[cfg(not(target_os = "linux"))]
fn ancestor() -> Option<String> {
    None
}

#[cfg(target_os = "linux")]
fn parent_of(process: &str) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

#[cfg(target_os = "linux")]
fn client_in(process: &Path) -> Option<String> {
    let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
    let mut words = line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let program = std::fs::read_link(process.join("exe")).unwrap_or_default();
    let runs_a_script = ["node", "bun", "deno", "python"].iter().any(|name| file_name(&program).starts_with(name));
    let script = if runs_a_script { second } else { String::new() };
    [program.as_path(), Path::new(&first), Path::new(&script)].into_iter().find_map(named)
}

/// The host whose program a path is: by its own name, or as `NAME/versions/1.2.3` and `NAME/…/cli.js`, the way clients install.
#[cfg(target_os = "linux")]
fn named(path: &Path) -> Option<String> {
    let is_client = |name: &str| CLIENTS.iter().find(|client| **client == name);
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    if let Some(client) = is_client(&file_name(path)).or_else(|| is_client(&stem(path))) {
        return Some((*client).to_owned());
    }
    let installed = ["versions", "node_modules"];
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let is_installed = parts.iter().any(|part| installed.contains(&part.as_str()));
    parts.iter().filter(|_| is_installed).find_map(|part| is_client(part)).map(|client| (*client).to_owned())
}

#[cfg(target_os = "linux")]
fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
