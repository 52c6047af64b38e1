//! Where a scenario runs: a throw-away project, home and temporary directory, with hookbin installed by its own `install`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use hook_protocol::event::EventName;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::fault::{self, Fault};
use super::scenario::Scenario;
use crate::sandbox::text_of;
use crate::workspace;

/// Every event of the client but `WorktreeCreate`, where a registered hook replaces the client's own creation.
fn watched() -> impl Iterator<Item = EventName<'static>> {
    EventName::ALL.into_iter().filter(|event| *event != EventName::WorktreeCreate)
}

/// A key that no service knows; its last twenty characters are what the client stores as approved.
const KEY: &str = "sk-ant-api03-this-key-is-of-no-use-to-anybody";

/// Programs that a scenario uses in its own files and hooks.
pub(crate) struct Tools<'a> {
    /// The executable under test.
    pub(crate) hookbin: &'a Path,
    /// This program, which also plays the hooks and the MCP server of the harness.
    pub(crate) harness: &'a Path,
}

/// The directories of one scenario; gone when dropped.
pub(crate) struct Place {
    _dir: Option<TempDir>,
    pub(crate) project: PathBuf,
    home: PathBuf,
    tmp: PathBuf,
    /// Where the harness's own hook writes the payloads that it sees.
    pub(crate) watched: PathBuf,
    watch_settings: PathBuf,
    settings_before: Option<String>,
}

impl Place {
    /// Makes the directories in the directory of the run; nothing is in them yet.
    pub(crate) fn new(run: &Path) -> Result<Self> {
        let dir = tempfile::Builder::new().prefix("s-").tempdir_in(run).context("create a temporary directory")?;
        // The client resolves links, and what it reports is compared with what is asked for here.
        let root = dir.path().canonicalize().context("resolve the temporary directory")?;
        Self::below(Some(dir), &root, ["project", "home", "tmp"].map(|name| root.join(name)))
    }

    /// A project of that name in a home that is there already, and that somebody else removes.
    pub(crate) fn in_home(home: &Path, project: &str) -> Result<Self> {
        let tmp = home.join(".tmp");
        Self::below(None, &tmp, [home.join(project), home.to_owned(), tmp.clone()])
    }

    /// Project, home and temporary directory, and what the harness writes to another directory.
    fn below(dir: Option<TempDir>, harness: &Path, [project, home, tmp]: [PathBuf; 3]) -> Result<Self> {
        for path in [&project, &home, &tmp] {
            fs::create_dir_all(path).with_context(|| format!("create {}", path.display()))?;
        }
        let (watched, watch_settings) = (harness.join("watched.jsonl"), harness.join("watch.json"));
        Ok(Self { _dir: dir, project, home, tmp, watched, watch_settings, settings_before: None })
    }

    /// A file as a scenario names it: of the project, or with `~/` of the home directory.
    fn named(&self, name: &str) -> PathBuf {
        name.strip_prefix("~/").map_or_else(|| self.project.join(name), |name| self.home.join(name))
    }

    /// Writes the scenario's files and installs.
    pub(crate) fn fill(&mut self, scenario: &Scenario, tools: &Tools<'_>, plant: Option<Fault>) -> Result<()> {
        for (name, text) in &scenario.files {
            write(&self.project.join(name), text)?;
        }
        if scenario.mcp {
            let server = json!({"command": tools.harness, "args": ["e2e-helper", "mcp"]});
            write(&self.project.join(".mcp.json"), &json!({"mcpServers": {"spf": server}}).to_string())?;
        }
        if let Some(settings) = &scenario.settings {
            let text = serde_json::to_string_pretty(settings).context("write the project's settings")?;
            write(&self.project.join(".claude/settings.json"), &text)?;
            self.settings_before = Some(text);
        }
        if let Some(settings) = &scenario.user_settings {
            write(&self.home.join(".claude/settings.json"), &settings.to_string())?;
        }
        write(&self.home.join(".claude.json"), &self.user_state().to_string())?;
        write(&self.watch_settings, &self.watch_entries(tools.harness).to_string())?;
        if let Some(profile) = &scenario.profile {
            let [scope, further] = Self::install_arguments(scenario);
            let trust: &[&str] = if scenario.stranger { &[] } else { &["--trust-config"] };
            self.human(
                tools.hookbin,
                &[&["install", "--profile", profile], trust, scope.as_slice(), &further].concat(),
            )?;
            for name in &scenario.remove {
                let path = self.named(name);
                fs::remove_file(&path).with_context(|| format!("remove {}", path.display()))?;
            }
            for (from, to) in &scenario.moves {
                let (from, to) = (self.named(from), self.named(to));
                let dir = to.parent().context("a file cannot be moved to no directory")?;
                fs::create_dir_all(dir).with_context(|| format!("create {}", dir.display()))?;
                fs::rename(&from, &to).with_context(|| format!("move {} to {}", from.display(), to.display()))?;
            }
            fault::plant(&self.project, &self.home, tools.harness, plant)?;
        }
        Ok(())
    }

    /// Where hookbin is installed, and the scenario's further arguments.
    fn install_arguments(scenario: &Scenario) -> [Vec<&str>; 2] {
        let further: Vec<&str> = scenario.install.iter().map(String::as_str).collect();
        let scope = match further.iter().find(|argument| ["--user", "--local"].contains(argument)) {
            Some(&"--user") => Vec::new(),
            Some(_) => vec!["--project", "."],
            None => vec!["--project", ".", "--scope", "project"],
        };
        [scope, further]
    }

    /// What the client keeps about its user: no first-run questions, this directory trusted, the dummy key approved.
    fn user_state(&self) -> Value {
        let tail = KEY.get(KEY.len().saturating_sub(20)..).unwrap_or(KEY);
        json!({
            "hasCompletedOnboarding": true,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [tail], "rejected": []},
            "projects": {self.project.display().to_string(): {
                "hasTrustDialogAccepted": true,
                "hasCompletedProjectOnboarding": true,
                "enabledMcpjsonServers": ["spf"],
                "allowedTools": [],
            }},
        })
    }

    fn watch_entries(&self, harness: &Path) -> Value {
        // Not the form with `args`, which older clients do not know.
        let command = format!("'{}' e2e-helper watch '{}'", harness.display(), self.watched.display());
        let entry = json!({"type": "command", "command": command, "timeout": 10});
        let events = watched().map(|event| (event.as_str().to_owned(), json!([{"hooks": [entry.clone()]}])));
        json!({"hooks": events.collect::<serde_json::Map<_, _>>()})
    }

    /// Runs a command of hookbin for people in the project; an error carries what it printed.
    pub(crate) fn human(&self, hookbin: &Path, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new(hookbin);
        command.args(arguments).current_dir(&self.project).env_clear().env("HOME", &self.home).stdin(Stdio::null());
        // A script that stands for the user, where the guard would ask them at a terminal.
        command.env("HOOKBIN_UNATTENDED", "1").env("TMPDIR", &self.tmp).envs(workspace::path_variable());
        let output = command.output().with_context(|| format!("start {}", hookbin.display()))?;
        ensure!(output.status.success(), "`hookbin {}`: {}", arguments.join(" "), text_of(&output));
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// What a user types into a shell in the project.
    pub(crate) fn shell(&self, line: &str) -> Result<()> {
        let mut command = Command::new("/bin/sh");
        command.args(["-ec", line]).current_dir(&self.project).env_clear().env("HOME", &self.home).stdin(Stdio::null());
        command.env("TMPDIR", &self.tmp).env("GIT_CONFIG_NOSYSTEM", "1").envs(workspace::path_variable());
        let output = command.output().context("start a shell")?;
        ensure!(output.status.success(), "`{line}`: {}", text_of(&output));
        Ok(())
    }

    /// Uninstalls, and says whether the settings are as they were.
    pub(crate) fn uninstall(&self, hookbin: &Path, scenario: &Scenario) -> Result<()> {
        let [scope, mut further] = Self::install_arguments(scenario);
        // What `uninstall` knows of the arguments of `install`.
        further.retain(|argument| ["--user", "--local"].contains(argument));
        self.human(hookbin, &[&["uninstall"], scope.as_slice(), &further].concat())?;
        let left = fs::read_to_string(self.project.join(".claude/settings.json")).ok();
        ensure!(
            left == self.settings_before,
            "`hookbin uninstall` did not give the settings back byte for byte; it left {left:?}"
        );
        Ok(())
    }

    /// The whole environment of the client.
    pub(crate) fn environment(&self, scenario: &Scenario, port: u16, mark: &str) -> Vec<(OsString, OsString)> {
        let mut all: Vec<(OsString, OsString)> = vec![
            ("HOME".into(), self.home.clone().into()),
            ("TMPDIR".into(), self.tmp.clone().into()),
            ("CLAUDE_CODE_TMPDIR".into(), self.tmp.clone().into()),
            ("ANTHROPIC_BASE_URL".into(), format!("http://127.0.0.1:{port}").into()),
            (super::client::MARK.into(), mark.into()),
        ];
        let fixed = [
            ("ANTHROPIC_API_KEY", KEY),
            ("ANTHROPIC_MODEL", "sonnet"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_ERROR_REPORTING", "1"),
            ("DISABLE_BUG_COMMAND", "1"),
            ("SHELL", "/bin/bash"),
            ("LANG", "C.UTF-8"),
            ("TERM", "xterm-256color"),
            ("NO_PROXY", "127.0.0.1"),
        ];
        all.extend(fixed.map(|(name, value)| (name.into(), value.into())));
        all.extend(workspace::path_variable().map(|(name, value)| (name.into(), self.path(&value))));
        all.extend(scenario.env.iter().map(|(name, value)| (name.into(), value.into())));
        all
    }

    /// The directories of programs: the user's own before the system's, and none in which this machine's own hookbin lies.
    fn path(&self, system: &OsStr) -> OsString {
        let dirs = std::env::split_paths(system).filter(|dir| !dir.join("hookbin").exists());
        std::env::join_paths(std::iter::once(self.home.join("bin")).chain(dirs)).unwrap_or_default()
    }

    /// Arguments that make the client start the harness's own hook for every event.
    pub(crate) fn watch_arguments(&self) -> [String; 2] {
        ["--settings".into(), self.watch_settings.display().to_string()]
    }
}

impl Drop for Place {
    /// Clients of the 2.0 line keep files of a project beside `TMPDIR`, whatever that is set to.
    fn drop(&mut self) {
        let dir = std::env::temp_dir().join("claude");
        // Most clients leave nothing there; the directory goes only with the last project in it.
        if fs::remove_dir_all(dir.join(dashed(&self.project.display().to_string()))).is_ok() {
            let _ = fs::remove_dir(dir);
        }
    }
}

/// How the client makes a directory's name of a path.
pub(crate) fn dashed(path: &str) -> String {
    path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).with_context(|| format!("create {}", dir.display()))?;
    }
    fs::write(path, text).with_context(|| format!("write {}", path.display()))
}
