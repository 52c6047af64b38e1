//! Proof that the installed entry answers: one event through its exact command line, recorded in a throw-away place.

use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use hook_protocol::event::{Event, PreToolUse};
use hook_protocol::reply::{Outcome, PreToolDecision, Reply};
use hook_protocol::settings::edit::{find, runs_hookbin};

use super::{Plan, files};
use crate::host::Host;

/// Fires a read of a file through the installed entry, as the client would, and says what came back.
pub fn canary(plan: &Plan, host: &Host) -> anyhow::Result<String> {
    let path = plan.settings_path();
    let text = files::read(&path)?.with_context(|| format!("{} is gone", path.display()))?;
    let entries = find(&text, &runs_hookbin)?;
    let entry = entries
        .into_iter()
        .find(|entry| entry.event == "PreToolUse")
        .context("no entry for PreToolUse is registered")?;
    let root = plan.project.root().to_string_lossy().into_owned();
    let expand = |text: &str| text.replace("${CLAUDE_PROJECT_DIR}", &root);
    let command = expand(&entry.command.context("the entry has no command")?);
    let args: Vec<String> = entry.args.unwrap_or_default().iter().map(|arg| expand(arg)).collect();

    let elsewhere = tempfile::tempdir().context("cannot make a temporary folder")?;
    let config = plan.project.config();
    if let Some(text) = files::read(&config)? {
        files::replace(&elsewhere.path().join(".claude/hookbin.toml"), &text)?;
    }
    let mut event = Event { body: PreToolUse::file_call("Read", "/canary.txt", None).into(), ..Event::default() };
    event.common.session_id = Some("canary".into());
    event.common.cwd = Some(root.clone().into());

    let mut child = Command::new(&command);
    child.args(&args).arg("--project").arg(elsewhere.path());
    child.env_clear().env("CLAUDE_PROJECT_DIR", &root).current_dir(plan.project.root());
    for name in ["HOME", "PATH", "XDG_CONFIG_HOME"] {
        if let Some(value) = host.var(name) {
            child.env(name, value);
        }
    }
    let mut child = child
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("the installed entry does not start: {command}"))?;
    child.stdin.take().context("no stdin")?.write_all(event.to_json().as_bytes())?;
    let output = child.wait_with_output()?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let answered = match Reply::parse("PreToolUse", &stdout)
        .context("the installed entry answers what the client does not accept")?
    {
        Outcome::Nothing => "no opinion, so the client goes on as usual".to_owned(),
        Outcome::Reply(Reply::PreToolUse(reply)) => match reply.decision {
            Some(PreToolDecision::Deny { reason }) => format!("refused: {reason}"),
            Some(PreToolDecision::Ask { reason }) => format!("asks the person: {}", reason.unwrap_or_default()),
            Some(PreToolDecision::Allow { .. }) => "allowed".to_owned(),
            Some(PreToolDecision::Defer) | None => "no decision".to_owned(),
        },
        other => bail!("the installed entry answers {other:?}"),
    };
    match output.status.code() {
        Some(0 | 2) => Ok(format!("the installed entry answers a native Read: {answered}")),
        code => bail!("the installed entry ends with {code:?}: {}", String::from_utf8_lossy(&output.stderr)),
    }
}
