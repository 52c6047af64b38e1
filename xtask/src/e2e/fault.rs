//! Planted faults: what a broken hook does, put in the place of the installed one to show that a scenario turns red.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A way to be broken that the client does not complain about.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Fault {
    /// A refusal ends with exit code 1 and says nothing on standard output.
    ExitOne,
    /// The answer stands twice on standard output.
    TwoDocuments,
    /// The answer names another event.
    WrongEvent,
    /// A settings entry has an object for a matcher.
    ObjectMatcher,
    /// One of several updates that arrive together is lost.
    LostUpdate,
    /// A rewrite leaves out a key of the input.
    DroppedKey,
}

impl Fault {
    /// The scenario that has to turn red.
    pub(crate) fn scenario(self) -> &'static str {
        match self {
            Self::ExitOne | Self::TwoDocuments | Self::WrongEvent | Self::ObjectMatcher => "deny",
            Self::LostUpdate => "parallel-calls",
            Self::DroppedKey => "rewrite-keeps-keys",
        }
    }

    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// Puts the fault into a project in which hookbin is installed.
pub(crate) fn plant(project: &Path, home: &Path, harness: &Path, fault: Option<Fault>) -> Result<()> {
    let Some(fault) = fault else { return Ok(()) };
    if fault == Fault::ObjectMatcher {
        let path = project.join(".claude/settings.json");
        let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        let mut settings: Value = serde_json::from_str(&text).context("read the installed settings")?;
        let group = settings.pointer_mut("/hooks/PreToolUse/0").and_then(Value::as_object_mut);
        group.context("no PreToolUse entry to plant a fault into")?.insert("matcher".into(), json!({}));
        return fs::write(&path, settings.to_string()).with_context(|| format!("write {}", path.display()));
    }
    let installed = home.join(".local/share/hookbin/hookbin");
    let real = home.join(".local/share/hookbin/hookbin.real");
    fs::rename(&installed, &real).with_context(|| format!("rename {}", installed.display()))?;
    let script = format!(
        "#!/bin/sh\nexec '{}' e2e-helper fault {} '{}' \"$@\"\n",
        harness.display(),
        fault.name(),
        real.display()
    );
    fs::write(&installed, script).with_context(|| format!("write {}", installed.display()))?;
    make_executable(&installed)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).with_context(|| format!("chmod {}", path.display()))
}

#[cfg(not(unix))]
fn make_executable(path: &Path) -> Result<()> {
    bail!("a shell script cannot stand in for {} on this system", path.display())
}

/// Runs the real executable and breaks its answer.
pub(crate) fn run(fault: Fault, real: &Path, arguments: &[String]) -> Result<ExitCode> {
    let mut payload = Vec::new();
    std::io::stdin().read_to_end(&mut payload).context("read the payload")?;
    let is = |event: &str| arguments.iter().any(|argument| argument == event);
    if fault == Fault::LostUpdate && is("PostToolUse") {
        let mark: PathBuf = real.with_extension("lost");
        if OpenOptions::new().write(true).create_new(true).open(mark).is_ok() {
            return Ok(ExitCode::SUCCESS);
        }
    }
    let mut child = Command::new(real)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .with_context(|| format!("start {}", real.display()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // The real executable may answer without reading to the end.
        let _ = stdin.write_all(&payload);
    }
    let output = child.wait_with_output().context("wait for the real executable")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let code = output.status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(70);
    let (text, code) = match fault {
        Fault::ExitOne if code == 2 => (String::new(), 1),
        Fault::TwoDocuments if code == 2 => (format!("{}\n{}\n", text.trim_end(), text.trim_end()), 0),
        Fault::WrongEvent if code == 2 => (text.replace("\"PreToolUse\"", "\"PostToolUse\""), 0),
        _ => (text, code),
    };
    print!("{text}");
    Ok(ExitCode::from(code))
}

/// The harness's own rewriting hook: replaces a word in a command and keeps every key, or, broken, only the command.
pub(crate) fn rewrite(from: &str, to: &str, decision: Option<&str>, drop_keys: bool) -> Result<()> {
    let payload: Value = serde_json::from_reader(std::io::stdin()).context("read the payload")?;
    let mut input = payload.pointer("/tool_input").cloned().unwrap_or_default();
    let Some(command) = input.pointer("/command").and_then(Value::as_str).map(|command| command.replace(from, to))
    else {
        bail!("the payload has no command");
    };
    if drop_keys {
        input = json!({"command": command});
    } else if let Some(slot) = input.pointer_mut("/command") {
        *slot = command.into();
    }
    let mut output = json!({"hookEventName": "PreToolUse", "updatedInput": input});
    if let (Some(decision), Some(fields)) = (decision, output.as_object_mut()) {
        fields.insert("permissionDecision".into(), decision.into());
    }
    print!("{}", json!({"hookSpecificOutput": output}));
    Ok(())
}

/// Appends the payload as one line, in one write, so that hooks that run at once do not mix theirs.
pub(crate) fn watch(file: &Path) -> Result<()> {
    let mut payload = String::new();
    std::io::stdin().read_to_string(&mut payload).context("read the payload")?;
    let line = format!("{}\n", payload.trim_end());
    let mut file = OpenOptions::new().create(true).append(true).open(file).context("open the file of payloads")?;
    file.write_all(line.as_bytes()).context("write a payload")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_concerns_a_scenario() {
        let scenarios = crate::e2e::scenario::all().unwrap();
        for fault in Fault::value_variants() {
            assert!(scenarios.iter().any(|scenario| scenario.name == fault.scenario()), "{fault:?}");
        }
    }
}
