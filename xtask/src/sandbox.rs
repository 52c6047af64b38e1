//! A throw-away project with its own home, installed by the executable itself.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::workspace;

/// The project, its home, and a directory for payloads; gone when dropped.
pub(crate) struct Sandbox {
    _dir: TempDir,
    pub(crate) project: PathBuf,
    pub(crate) home: PathBuf,
    payloads: PathBuf,
}

/// A program with all that decides what it does, so that it can be started bare or under a measuring tool.
#[derive(Clone)]
pub(crate) struct Launch {
    program: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    dir: PathBuf,
}

/// The server that `spf` builds on.
const SERVERS: &str = r#"{"mcpServers":{"spf-smart-gate":{"type":"http","url":"https://example.com/mcp"}}}"#;

impl Sandbox {
    pub(crate) fn new() -> Result<Self> {
        let dir = tempfile::Builder::new().prefix("hookbin-").tempdir().context("create a temporary directory")?;
        let [project, home, payloads] = ["project", "home", "payloads"].map(|name| dir.path().join(name));
        for path in [&project, &home, &payloads] {
            fs::create_dir(path).with_context(|| format!("create {}", path.display()))?;
        }
        // Without a server for its tools, `spf` lets native ones pass.
        fs::write(project.join(".mcp.json"), SERVERS).context("declare a server")?;
        Ok(Self { _dir: dir, project, home, payloads })
    }

    /// A project in which `hookbin install` has run.
    pub(crate) fn installed(hookbin: &Path, profile: &str) -> Result<Self> {
        let sandbox = Self::new()?;
        let output = sandbox.run(
            hookbin,
            &["install", "--trust-config", "--project", ".", "--scope", "project", "--profile", profile],
        )?;
        ensure!(output.status.success(), "`hookbin install` failed in a fresh project:\n{}", text_of(&output));
        Ok(sandbox)
    }

    /// Runs a human command in the project, with `PATH` and the sandbox's home as its whole environment.
    pub(crate) fn run(&self, hookbin: &Path, arguments: &[&str]) -> Result<Output> {
        let mut command = Command::new(hookbin);
        command.args(arguments).current_dir(&self.project).env_clear().env("HOME", &self.home).stdin(Stdio::null());
        // A script that stands for the user, where the guard would ask them at a terminal.
        command.env("HOOKBIN_UNATTENDED", "1").envs(workspace::path_variable());
        command.output().with_context(|| format!("start {}", hookbin.display()))
    }

    /// The installed executable, started as the client starts it for an event.
    pub(crate) fn hook(&self, event: &str) -> Launch {
        let installed =
            self.home.join(".local/share/hookbin").join(if cfg!(windows) { "hookbin.exe" } else { "hookbin" });
        self.launch(installed, &["hook", event])
    }

    /// Any program, in the same directory and environment as a hook.
    pub(crate) fn launch(&self, program: PathBuf, arguments: &[&str]) -> Launch {
        Launch {
            program,
            arguments: arguments.iter().map(OsString::from).collect(),
            environment: vec![
                ("HOME".into(), self.home.clone().into()),
                ("CLAUDE_PROJECT_DIR".into(), self.project.clone().into()),
            ],
            dir: self.project.clone(),
        }
    }

    /// Writes a payload to a file of its own and returns where it is.
    pub(crate) fn payload(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.payloads.join(name);
        fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
        Ok(path)
    }

    /// The size of the audit log, which every answered event makes longer.
    pub(crate) fn log_size(&self) -> u64 {
        fs::metadata(self.project.join(".claude/hookbin/log/audit.jsonl")).map_or(0, |metadata| metadata.len())
    }
}

impl Launch {
    pub(crate) fn command(&self) -> Command {
        self.prepare(Command::new(&self.program))
    }

    /// The same program as an argument of `tool`.
    pub(crate) fn under(&self, tool: &Path, options: &[OsString]) -> Command {
        let mut command = Command::new(tool);
        command.args(options).arg(&self.program);
        self.prepare(command)
    }

    fn prepare(&self, mut command: Command) -> Command {
        command.args(&self.arguments).current_dir(&self.dir).env_clear();
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Answers one payload; output is captured.
    pub(crate) fn answer(&self, payload: &str) -> Result<Output> {
        let mut command = self.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("start {}", self.program.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A hook may answer without reading to the end; that is not a fault of the write.
            let _ = stdin.write_all(payload.as_bytes());
        }
        child.wait_with_output().with_context(|| format!("wait for {}", self.program.display()))
    }
}

/// The profiles that come with the executable, as it lists them.
pub(crate) fn profiles(hookbin: &Path) -> Result<Vec<String>> {
    let output = Sandbox::new()?.run(hookbin, &["profile", "list"])?;
    ensure!(output.status.success(), "`hookbin profile list` failed:\n{}", text_of(&output));
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(lines.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
}

/// Opens a payload as a standard input.
pub(crate) fn open(path: &Path) -> Result<File> {
    File::open(path).with_context(|| format!("open {}", path.display()))
}

/// Exit status and both outputs, for a message.
pub(crate) fn text_of(output: &Output) -> String {
    format!(
        "{}\nstdout: {}\nstderr: {}",
        output.status,
        String::from_utf8_lossy(&output.stdout).trim_end(),
        String::from_utf8_lossy(&output.stderr).trim_end()
    )
}

/// Puts values in the place of `@NAME@` marks; each value is escaped for the inside of a JSON string.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |text, (name, value)| {
        let quoted = serde_json::Value::from(*value).to_string();
        let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(&quoted);
        text.replace(&format!("@{name}@"), inside)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn values_are_escaped() {
        assert_eq!(super::fill(r#"{"a":"@A@"}"#, &[("A", "x\"\n")]), r#"{"a":"x\"\n"}"#);
    }
}
