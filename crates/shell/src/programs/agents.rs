//! Clients of coding agents, as programs that a command starts. The only place that spells their names.

use super::reads::HELP;
use super::{Program, row};
use crate::options::Grammar;

/// Options with which agents ask nobody any more.
pub const FREE: &[&str] = &[
    "--full-auto",
    "--dangerously-bypass-approvals-and-sandbox",
    "--dangerously-allow-all",
    "--dangerously-skip-permissions",
    "--yolo",
    "--allow-all-tools",
    "--allow-all",
    "--yes-always",
    "--auto-approve",
    "--trust-all-tools",
];

const OPTIONS: Grammar<'_> = Grammar::gnu(&[
    "--settings", "--setting-sources", "--model", "--fallback-model", "--add-dir", "--allowedTools",
    "--disallowedTools", "--append-system-prompt", "--system-prompt", "--mcp-config", "--permission-mode",
    "--output-format", "--input-format", "--session-id", "--agents", "--agent",
]);

/// Agents as programs.
pub const NAMES: &[&str] = &[
    "claude", "claude-code", "codex", "gemini", "qwen", "copilot", "aider", "amp", "q", "kiro-cli", "cursor-agent",
    "opencode", "droid", "goose",
];

/// Those whose words are a prompt, and never a command.
pub const PROMPTED: &[&str] = &["claude", "codex", "gemini", "aider"];

/// The client whose settings start the guard: names of its program, the first of which people type.
pub const CLIENT: &[&str] = &["claude", "claude-code"];

/// The one that people type.
pub const TYPED: &str = "claude";

/// Its package.
pub const PACKAGE: &str = "@anthropic-ai/claude-code";

/// Its directory among packages, as a part of a longer path.
pub const PACKAGE_PART: &str = "/claude-code/";

/// What its program is called as a script.
pub const SCRIPTS: &[&str] = &["claude", "claude.js"];

/// Its commands that start no session.
pub const NO_SESSION: &[&str] =
    &["mcp", "config", "update", "doctor", "plugin", "install", "migrate-installer", "setup-token", "auth", "agents"];

/// The variable that makes it start without settings.
pub const SIMPLE: &str = "CLAUDE_CODE_SIMPLE";

/// Options that one agent alone has for asking nobody: its names, and the options.
pub const FREE_OF: &[(&[&str], &[&str])] =
    &[(&["gemini", "qwen"], &["-y"]), (&["cursor-agent"], &["-f", "--force"]), (&["copilot"], &["--allow-tool"])];

/// Secrets of agents in the home directory.
pub const SECRETS: &[&str] = &[
    ".claude/.credentials.json", ".claude/history.jsonl", ".codex/history.jsonl", ".config/github-copilot/*",
    ".claude.json", ".codex/auth.json", ".gemini/oauth_creds.json",
];

/// What a client runs before each command, and what it keeps of an organisation's settings; the client itself. In the home directory.
pub const STARTS: &[&str] = &[
    ".claude/shell-snapshots/*", ".claude/session-env/*", ".claude/remote-settings.json", ".claude/policy-limits.json",
    ".claude/local/*", ".local/share/claude/versions/*",
];

/// Owners of secrets in names of variables, and what their hosts are called.
pub const OWNERS: &[(&str, &str)] = &[("CLAUDE", "anthropic"), ("GEMINI", "google")];

pub(super) const PROGRAMS: &[&Program] =
    &[&row(&[TYPED]).options(OPTIONS).reads(&[HELP]), &row(&["claude-code"]).options(OPTIONS)];
