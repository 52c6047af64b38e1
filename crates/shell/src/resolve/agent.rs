//! Agents that a command starts: where this guard does not see what they do, the person is asked.

use super::Interp;
use super::exec::Call;
use super::shown;
use crate::path::below;

/// Options with which agents ask nobody any more.
const FREE: &[&str] = &[
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

/// Agents as programs.
pub(super) const AGENTS: &[&str] = &[
    "claude",
    "claude-code",
    "codex",
    "gemini",
    "qwen",
    "copilot",
    "aider",
    "amp",
    "q",
    "kiro-cli",
    "cursor-agent",
    "opencode",
    "droid",
    "goose",
];

/// Commands of the client that start no session.
const NO_SESSION: &[&str] =
    &["mcp", "config", "update", "doctor", "plugin", "install", "migrate-installer", "setup-token", "auth", "agents"];

/// The package of the client.
const PACKAGE: &str = "@anthropic-ai/claude-code";

/// Names of what is newest.
const NEWEST: &[&str] = &["latest", "stable", "next", ""];

impl Interp<'_> {
    /// An agent without a guard, or an old client that does not know the guard's settings.
    pub(super) fn child_agent(&mut self, name: &str, args: &[String], call: &Call) {
        let free = match name {
            "claude" | "claude-code" => self.is_child_unguarded(args) || installs_other(args),
            "codex" | "gemini" | "qwen" | "copilot" | "aider" | "amp" | "q" | "kiro-cli" | "cursor-agent"
            | "opencode" | "droid" => {
                let given = |arg: &String| {
                    let option = arg.split_once('=').map_or(arg.as_str(), |(option, _)| option);
                    FREE.contains(&option)
                        || matches!(
                            (name, option),
                            ("gemini" | "qwen", "-y")
                                | ("cursor-agent", "-f" | "--force")
                                | ("copilot", "--allow-tool")
                        )
                };
                args.iter().any(given)
                    || args
                        .windows(2)
                        .any(|pair| matches!(pair, [option, value] if option == "--approval-mode" && value == "yolo"))
            }
            "npm" | "pnpm" | "yarn" | "bun" | "npx" | "bunx" | "pnpx" | "deno" | "volta" | "mise" | "asdf"
            | "corepack"
                if args.iter().any(|arg| names_other(arg)) =>
            {
                true
            }
            "node" | "nodejs" | "bun" | "deno" | "tsx" => {
                self.client_as_script(args, call);
                false
            }
            _ => false,
        };
        if free && !self.state.remote {
            self.ask_own(shown(&format!("{name} {}", args.join(" "))), call);
        }
    }

    /// The client, started as the script that it is: `node …/claude-code/cli.js --bare`.
    fn client_as_script(&mut self, args: &[String], call: &Call) {
        let is_client = |arg: &String| {
            let path = arg.strip_prefix("npm:").unwrap_or(arg);
            let within = path.contains(PACKAGE) || path.contains("/claude-code/");
            let name = path.rsplit('/').next().unwrap_or(path);
            !path.starts_with('-') && path.contains('/') && (within || matches!(name, "claude" | "claude.js"))
        };
        let Some(at) = args.iter().position(is_client) else { return };
        // What stands in front are the interpreter's own options.
        let before = args.get(..at).unwrap_or_default();
        if before.iter().all(|arg| arg.starts_with('-') || matches!(arg.as_str(), "run" | "x")) {
            let args = args.get(at + 1..).unwrap_or_default();
            self.child_agent("claude", args, call);
            self.client(args, call);
        }
    }

    /// Whether a session of the client starts that asks nobody, or in a folder whose settings do not start the guard.
    fn is_child_unguarded(&self, args: &[String]) -> bool {
        let informs = args.iter().any(|arg| matches!(arg.as_str(), "--help" | "-h" | "--version" | "-v"));
        let other = args.first().is_some_and(|arg| NO_SESSION.contains(&arg.as_str()));
        if informs || other {
            return false;
        }
        let mode = |pair: &[String]| matches!(pair, [option, mode] if option == "--permission-mode" && mode == "bypassPermissions");
        let bypasses =
            args.iter().any(|arg| FREE.contains(&arg.as_str()) || arg == "--permission-mode=bypassPermissions")
                || args.windows(2).any(mode);
        let project = &self.places.project;
        let elsewhere =
            |cwd: &Option<String>| cwd.as_ref().is_none_or(|cwd| cwd != project && below(cwd, project).is_none());
        let went = self.state.cwds.iter().any(elsewhere)
            && self.state.cwds.iter().flatten().all(|cwd| *cwd != self.places.cwd);
        let renamed = self.state.vars.contains_key("CLAUDE_PROJECT_DIR")
            && self.variable("CLAUDE_PROJECT_DIR").is_some_and(|folder| *folder != **project);
        bypasses || went || renamed
    }
}

/// Whether a word names another version of the client than the newest.
fn names_other(arg: &str) -> bool {
    let at = arg.find(PACKAGE);
    let version = at.and_then(|at| arg.get(at + PACKAGE.len()..)).and_then(|rest| rest.strip_prefix('@'));
    version.is_some_and(|version| !NEWEST.contains(&version))
}

/// `claude install 1.0.0`: another version of the client than the newest.
fn installs_other(args: &[String]) -> bool {
    let mut words = args.iter().map(String::as_str).filter(|arg| !arg.starts_with('-'));
    words.next() == Some("install") && words.next().is_some_and(|version| !NEWEST.contains(&version))
}
