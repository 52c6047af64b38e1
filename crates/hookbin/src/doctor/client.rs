//! The host that a user would start: whether it is new enough to read the settings that `install` writes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::{Finding, Report, child};
use hook_runtime::programs::launch::{self, Kind};
use hook_runtime::system::System;

/// The oldest client that reads our settings. Older ones do not know `PreSkillShellCommand`, and drop a file with an event that they do
/// not know.
const OLDEST: &str = "2.1.101";

/// Its executable, as it is found on `PATH`.
const NAMES: &[&str] = if cfg!(windows) { &["claude.exe", "claude.cmd"] } else { &["claude"] };

/// The scope and the beginning of the names of its packages.
const PACKAGE: &str = "@anthropic-ai/claude-code";

/// How many directories above the executable its package may begin.
const PACKAGE_DEPTH: usize = 3;

/// How long it may take to say its version.
const LIMIT: Duration = Duration::from_secs(5);

/// Looks at the host given, else at the first on `PATH`; where there is none, nothing can be said.
pub(super) fn look(given: Option<&Path>, system: &System, report: &mut Report) {
    let outside = report.project.clone();
    let Some(path) = given.map(Path::to_owned).or_else(|| on_path(outside.as_deref(), system)) else { return };
    let version = match version(&path, system) {
        Ok(version) => version,
        Err(why) => {
            let message = format!("Claude Code does not say its version: {why}; clients before {OLDEST} run no hook");
            return report.add(Finding::note("client-unknown", &path, message));
        }
    };
    if numbers(&version) >= numbers(OLDEST) {
        return;
    }
    let message = format!(
        "Claude Code is version {version}, and clients before {OLDEST} drop a settings file with entries of hookbin and go on"
    );
    for registered in &mut report.registered {
        registered.on = false;
    }
    let finding = if report.registered.is_empty() { Finding::note } else { Finding::fault };
    report.add(finding("client-old", &path, message).fixed_by("update Claude Code, or start a newer one"));
}

/// The first executable on `PATH`.
fn on_path(outside: Option<&Path>, system: &System) -> Option<PathBuf> {
    system.var("PATH")?;
    launch::find_tool(NAMES, outside, system)
}

/// What its file's name or its package says, else what it says itself.
fn version(path: &Path, system: &System) -> Result<String, String> {
    let whole = path.canonicalize().map_err(|error| error.to_string())?;
    // The host's own installer keeps each version in a file of that name.
    let name = whole.file_name().map(|name| name.to_string_lossy().into_owned());
    if let Some(version) = name.filter(|name| is_version(name)).or_else(|| packaged(path, &whole)) {
        return Ok(version);
    }
    let mut command = launch::command(&whole, Kind::Tool, system).map_err(|error| error.to_string())?;
    command.arg("--version");
    let ended = child::run(command, "", LIMIT).map_err(|error| format!("{error:#}"))?;
    let ended = ended.ok_or_else(|| format!("no answer to --version within {} s", LIMIT.as_secs()))?;
    let said = ended.stdout.split_whitespace().next().filter(|word| is_version(word) && ended.status.success());
    let first = ended.stdout.lines().chain(ended.stderr.lines()).next().unwrap_or_default();
    said.map(str::to_owned).ok_or_else(|| format!("to --version it prints {first:?} ({})", ended.status))
}

/// A manifest of a package, of which only this matters.
#[derive(Deserialize)]
struct Manifest {
    name: String,
    version: String,
}

/// The version of the package around the executable, or of the one beside it, which Windows starts through a script.
fn packaged(found: &Path, whole: &Path) -> Option<String> {
    let around = whole.ancestors().skip(1).take(PACKAGE_DEPTH).map(Path::to_owned);
    let beside = found.parent().map(|dir| dir.join("node_modules").join(PACKAGE));
    around.chain(beside).find_map(|dir| {
        let text = hook_runtime::system::files::read(&dir.join("package.json")).ok()??;
        let manifest: Manifest = serde_json::from_str(&text).ok()?;
        (manifest.name.starts_with(PACKAGE) && is_version(&manifest.version)).then_some(manifest.version)
    })
}

/// The three numbers of a version; something may follow them after a `-`.
fn numbers(version: &str) -> Option<[u32; 3]> {
    let (numbers, _) = version.split_once('-').unwrap_or((version, ""));
    let numbers: Vec<u32> = numbers.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

fn is_version(text: &str) -> bool {
    numbers(text).is_some()
}
