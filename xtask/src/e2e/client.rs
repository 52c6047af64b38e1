//! The client under test: which version, where it comes from, and how it is started.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use xshell::{Shell, cmd};

use crate::{process, workspace};

/// The client's public package.
const PACKAGE: &str = "@anthropic-ai/claude-code";

/// A variable that only processes of a scenario have; its value names the scenario's run.
pub(crate) const MARK: &str = "E2E_RUN";

/// How long an installation may take.
const INSTALL_LIMIT: Duration = Duration::from_secs(300);

/// How long the client may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(60);

/// `xtask/e2e/client.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Versions {
    /// The version that the suite runs without an option.
    pinned: String,
    /// Older ones that `--client-version older` stands for.
    older: Vec<String>,
    /// The oldest client that reads the settings which hookbin writes.
    oldest: String,
    /// Why an event is not proven by a headless run.
    not_headless: BTreeMap<String, String>,
}

fn known() -> Result<Versions> {
    let path = super::scenario::dir().join("client.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("read {}", path.display()))
}

/// The oldest client that reads the settings which hookbin writes.
pub(crate) fn oldest() -> Result<String> {
    Ok(known()?.oldest)
}

/// By event: why no headless run proves that it reaches the log.
pub(crate) fn not_headless() -> Result<BTreeMap<String, String>> {
    Ok(known()?.not_headless)
}

/// Whether the first version is older than the second, by the numbers between the dots.
pub(crate) fn is_older(version: &str, than: &str) -> bool {
    let numbers = |version: &str| version.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u64>>();
    numbers(version) < numbers(than)
}

/// A client that can be started.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(crate) struct Client {
    pub(crate) version: String,
    /// Program and leading arguments: the native executable, or a script of an older version under node.
    command: Vec<PathBuf>,
}

/// Why there is no client; the suite is skipped then.
pub(crate) enum Missing {
    Npm,
    Package(String),
}

impl Missing {
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Npm => "npm is not installed, so the client cannot be fetched".to_owned(),
            Self::Package(why) => format!("the client's package cannot be fetched: {why}"),
        }
    }
}

impl Client {
    /// The command that starts it.
    pub(crate) fn command(&self) -> Command {
        let mut parts = self.command.iter();
        let mut command = Command::new(parts.next().map_or(Path::new(""), PathBuf::as_path));
        command.args(parts);
        command
    }

    /// A client that is already there; its own word for its version.
    pub(crate) fn at(path: &Path) -> Result<Self> {
        let path = path.canonicalize().with_context(|| format!("find the client {}", path.display()))?;
        let mut client = Self { version: String::new(), command: command_for(&path) };
        client.version = client.ask_version()?;
        Ok(client)
    }

    /// Installs a version into the cache, once.
    pub(crate) fn fetch(sh: &Shell, version: &str) -> Result<Result<Self, Missing>> {
        let dir = workspace::target_dir(sh)?.join("e2e/clients").join(version);
        if !dir.is_dir() {
            if workspace::find_program("npm").is_none() {
                return Ok(Err(Missing::Npm));
            }
            if let Err(why) = install(sh, version, &dir)? {
                return Ok(Err(Missing::Package(why)));
            }
        }
        let mut client = Self { version: version.to_owned(), command: command_for(&executable(&dir)?) };
        let said = client.ask_version()?;
        ensure!(
            said == version,
            "the client in {} says it is {said}, not {version}; delete that directory",
            dir.display()
        );
        client.version = said;
        Ok(Ok(client))
    }

    fn ask_version(&self) -> Result<String> {
        let home = tempfile::tempdir().context("create a home for the client")?;
        let mut command = self.command();
        command.arg("--version").env_clear().env("HOME", home.path()).current_dir(home.path());
        command.envs(workspace::path_variable()).env("DISABLE_AUTOUPDATER", "1");
        let name = self.command.last().map(|path| path.display().to_string()).unwrap_or_default();
        let ended = process::run(command, VERSION_LIMIT)?;
        let said = ended.stdout.split_whitespace().next().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let Some(version) = said.filter(|_| ended.code() == Some(0)) else {
            bail!("{name} does not start: code {:?}, it printed {:?} {:?}", ended.code(), ended.stdout, ended.stderr);
        };
        Ok(version.to_owned())
    }
}

/// The versions that are asked for: given ones, `older` for those of `client.toml`, or the pinned one.
pub(crate) fn versions(asked: &[String]) -> Result<Vec<String>> {
    let known = known()?;
    let mut found: Vec<String> = Vec::new();
    for version in asked {
        match version.as_str() {
            "older" => found.extend(known.older.iter().cloned()),
            "pinned" => found.push(known.pinned.clone()),
            other => {
                let is_version =
                    other.split('.').count() == 3 && other.split('.').all(|part| part.parse::<u32>().is_ok());
                ensure!(
                    is_version,
                    "{other:?} is no version of the client; give one as {}, `pinned` or `older`",
                    known.pinned
                );
                found.push(other.to_owned());
            }
        }
    }
    if found.is_empty() {
        found.push(known.pinned);
    }
    Ok(found)
}

/// Installs beside the place and renames, so that an interrupted installation is never taken for a whole one.
fn install(sh: &Shell, version: &str, dir: &Path) -> Result<Result<(), String>> {
    let fresh = fresh_beside(dir)?;
    fs::create_dir_all(&fresh).with_context(|| format!("create {}", fresh.display()))?;
    eprintln!("fetching {PACKAGE} {version} with npm");
    // The package is one executable; its scripts would only copy that. Without a network, npm's own patience is minutes.
    let options = [
        "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--no-update-notifier", "--loglevel=error",
        "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=2000",
    ];
    let npm = workspace::scrubbed(cmd!(sh, "npm install --prefix {fresh} {options...} {PACKAGE}@{version}"));
    let ended = process::run_with_us(Command::from(npm), INSTALL_LIMIT)?;
    if ended.code() != Some(0) {
        // What is left of it is of no use, and its removal can wait if it fails.
        let _ = fs::remove_dir_all(&fresh);
        let why = reason(&ended.stderr).to_owned();
        return Ok(Err(if ended.status.is_none() {
            format!("npm took over {} s", INSTALL_LIMIT.as_secs())
        } else {
            why
        }));
    }
    if let Err(error) = fs::rename(&fresh, dir) {
        // Another run may have been faster; its package is as good.
        let _ = fs::remove_dir_all(&fresh);
        ensure!(dir.is_dir(), "rename {} to {}: {error}", fresh.display(), dir.display());
    }
    Ok(Ok(()))
}

/// The line of npm's errors that says what is wrong, which is not the first: that is a code.
fn reason(errors: &str) -> &str {
    let lines = || errors.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_code =
        |line: &&str| ["code", "syscall", "errno"].iter().any(|word| line.starts_with(&format!("npm error {word} ")));
    lines().find(|line| !is_code(line)).or_else(|| lines().next()).unwrap_or("npm said nothing")
}

/// A name for the installation beside its place. What runs that were killed left there is removed first.
fn fresh_beside(dir: &Path) -> Result<PathBuf> {
    const MARK: &str = ".new-";
    let beside = dir.parent().context("the directory of clients has no parent")?;
    let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for entry in fs::read_dir(beside).into_iter().flatten().flatten() {
        let other = entry.file_name().to_string_lossy().into_owned();
        let pid = other.strip_prefix(&name).and_then(|rest| rest.strip_prefix(MARK));
        if pid.is_some_and(|pid| Path::new("/proc/self").exists() && !Path::new("/proc").join(pid).exists()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(beside.join(format!("{name}{MARK}{}", std::process::id())))
}

/// The native executable of the package for this system, or the script of an older version.
fn executable(dir: &Path) -> Result<PathBuf> {
    let scope = dir.join("node_modules/@anthropic-ai");
    let entries =
        fs::read_dir(&scope).with_context(|| format!("list {}; delete {}", scope.display(), dir.display()))?;
    let mut native: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("claude-code-")))
        .map(|path| path.join(if cfg!(windows) { "claude.exe" } else { "claude" }))
        .filter(|path| path.is_file())
        .collect();
    // Where both are there, the one without `-musl` comes first.
    native.sort();
    let script = scope.join("claude-code/cli.js");
    native
        .into_iter()
        .next()
        .or_else(|| script.is_file().then_some(script))
        .with_context(|| format!("no executable for this system in {}", scope.display()))
}

fn command_for(path: &Path) -> Vec<PathBuf> {
    if path.extension().is_some_and(|extension| extension == "js" || extension == "cjs") {
        return vec!["node".into(), path.to_owned()];
    }
    vec![path.to_owned()]
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn fake(dir: &Path, script: &str) -> PathBuf {
        let path = dir.join("claude");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn versions_are_compared_by_number() {
        assert!(is_older("2.1.99", "2.1.101") && is_older("2.0.77", "2.1.0"));
        assert!(!is_older("2.1.101", "2.1.99") && !is_older("2.1.0", "2.1.0"));
    }

    #[test]
    fn of_what_npm_says_the_line_with_the_reason_is_taken() {
        let offline = "npm error code EAI_AGAIN\nnpm error syscall getaddrinfo\nnpm error errno EAI_AGAIN\n\
                       npm error request to https://r.example/p failed, reason: getaddrinfo EAI_AGAIN r.example\n";
        assert!(reason(offline).starts_with("npm error request to https://r.example/p failed"));
        assert_eq!(reason("\nnpm error code EACCES\n"), "npm error code EACCES");
        assert_eq!(reason(""), "npm said nothing");
    }

    #[test]
    fn a_client_says_its_version_or_its_output_is_in_the_message() {
        let dir = tempfile::tempdir().unwrap();
        let client = Client::at(&fake(dir.path(), "echo '1.2.3 (Some Client)'")).unwrap();
        assert_eq!(client.version, "1.2.3");
        for (script, kept) in [("echo broken; exit 3", "broken"), ("echo why >&2", "why"), ("kill -9 $$", "None")] {
            let error = Client::at(&fake(dir.path(), script)).unwrap_err().to_string();
            assert!(error.contains("does not start") && error.contains(kept), "{error}");
        }
        let error = Client::at(&dir.path().join("no-such")).unwrap_err().to_string();
        assert!(error.contains("no-such"), "{error}");
    }
}
