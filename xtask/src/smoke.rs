//! The smoke test of an installation: install, ask the installed entries, take everything out again.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::sandbox::{Sandbox, fill, text_of};

const READ: &str = include_str!("../../benches/payloads/pre-read.json");
const MCP: &str = include_str!("../../benches/payloads/pre-mcp.json");
const OLD_SETTINGS: &str =
    "{\n   \"model\" : \"opus\",\n\t\"permissions\": { \"deny\": [ \"Read(./secret)\" ] }\n}\n\n";

/// Installs into a project that has settings already, and checks what a user relies on.
pub(crate) fn run(hookbin: &Path) -> Result<()> {
    let sandbox = Sandbox::new()?;
    let settings = sandbox.project.join(".claude/settings.json");
    fs::create_dir_all(sandbox.project.join(".claude")).context("create the settings directory")?;
    fs::write(&settings, OLD_SETTINGS).context("write settings to install into")?;

    succeed(&sandbox, hookbin, &["install", "--project", ".", "--scope", "project", "--profile", "spf"])?;
    let text = fs::read_to_string(&settings).context("read the settings after the installation")?;
    check_entries(&text)?;
    check_verdicts(&sandbox)?;
    succeed(&sandbox, hookbin, &["log", "verify", "--project", "."])?;
    succeed(&sandbox, hookbin, &["doctor", "--project", "."])?;
    succeed(&sandbox, hookbin, &["uninstall", "--project", "."])?;

    let left = fs::read_to_string(&settings).context("read the settings after the removal")?;
    ensure!(left == OLD_SETTINGS, "uninstall did not give the settings back byte for byte; it left:\n{left}");
    Ok(())
}

fn succeed(sandbox: &Sandbox, hookbin: &Path, arguments: &[&str]) -> Result<()> {
    let output = sandbox.run(hookbin, arguments)?;
    ensure!(output.status.success(), "`hookbin {}` failed: {}", arguments.join(" "), text_of(&output));
    Ok(())
}

/// Every entry has the shape of the contract and its command is there; `PreToolUse` is among them.
fn check_entries(text: &str) -> Result<()> {
    let settings: Value = serde_json::from_str(text).context("the settings are no JSON any more")?;
    ensure!(settings.get("model").is_some(), "a foreign setting is gone:\n{text}");
    let events = settings.get("hooks").and_then(Value::as_object).context("no hooks in the settings")?;
    ensure!(events.contains_key("PreToolUse"), "no PreToolUse entry in the settings:\n{text}");
    for (event, groups) in events {
        let Some([group]) = groups.as_array().map(Vec::as_slice) else {
            bail!("{event} has not exactly one group:\n{text}");
        };
        let Some([entry]) = group.get("hooks").and_then(Value::as_array).map(Vec::as_slice) else {
            bail!("{event} has not exactly one entry:\n{text}");
        };
        let command = entry.get("command").and_then(Value::as_str).unwrap_or_default();
        // One line for a shell, which finds the executable on each machine.
        ensure!(command.contains(&format!(" hook {event}")), "the command of {event} starts something else: {command}");
        ensure!(entry.get("args").is_none(), "{event} has arguments beside a line for a shell");
        let timeout = entry.get("timeout").and_then(Value::as_f64).unwrap_or_default();
        ensure!(timeout > 0.0, "the timeout of {event} is not above zero");
    }
    Ok(())
}

/// One call passes, another is refused in the form that blocks on every client.
fn check_verdicts(sandbox: &Sandbox) -> Result<()> {
    let ask = |template: &str, id: &str| {
        let project = sandbox.project.display().to_string();
        sandbox.hook("PreToolUse").answer(&fill(template, &[("PROJECT", &project), ("ID", id)]))
    };
    let passed = ask(MCP, "1")?;
    ensure!(passed.status.code() == Some(0), "a call of the MCP tool did not exit 0: {}", text_of(&passed));
    ensure!(!contains(&passed.stdout, "\"deny\""), "a call of the MCP tool was refused: {}", text_of(&passed));
    let before = sandbox.log_size();
    ensure!(before > 0, "the passed call is not in the audit log");

    let refused = ask(READ, "2")?;
    ensure!(refused.status.code() == Some(2), "a native Read did not exit 2: {}", text_of(&refused));
    let answer: Value = serde_json::from_slice(&refused.stdout).context("the refusal is not one JSON value")?;
    let decision = answer.pointer("/hookSpecificOutput/permissionDecision").and_then(Value::as_str);
    ensure!(decision == Some("deny"), "a native Read was not refused by JSON: {}", text_of(&refused));
    ensure!(!refused.stderr.is_empty(), "the refusal has no reason on stderr");
    ensure!(sandbox.log_size() > before, "the refusal is not in the audit log");
    Ok(())
}

fn contains(bytes: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(text)
}
