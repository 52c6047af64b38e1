//! Where things are (root, target folder, host) and how child processes are started.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xshell::{Cmd, Shell, cmd};

/// The folder that holds the workspace's `Cargo.toml`.
pub(crate) fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}

/// A shell that stands in the root, wherever the task was started.
pub(crate) fn shell() -> Result<Shell> {
    let sh = Shell::new().context("open a shell")?;
    sh.change_dir(root());
    Ok(sh)
}

/// This program's own file. A test run may have built it anew in the meantime; the new one in its place does as well.
pub(crate) fn this_program() -> Result<PathBuf> {
    let path = env::current_exe().context("find this program")?;
    let name = path.to_string_lossy();
    Ok(name.strip_suffix(" (deleted)").map_or_else(|| path.clone(), PathBuf::from))
}

/// Whether a variable must not reach a child process.
///
/// The tasks are often started by a coding agent. Its session variables would change what the product under test does
/// (it reads `CLAUDE_PROJECT_DIR`, for one), and its keys and tokens are no business of a build script or a test.
fn is_private(name: &str) -> bool {
    let agent = ["CLAUDE", "ANTHROPIC", "AI_AGENT", "HOOKBIN"].iter().any(|prefix| name.starts_with(prefix));
    let secret = ["TOKEN", "SECRET", "PASSWORD", "API_KEY", "CREDENTIAL"].iter().any(|part| name.contains(part));
    agent || secret
}

/// The command without the variables that [`is_private`] names.
pub(crate) fn scrubbed(command: Cmd<'_>) -> Cmd<'_> {
    env::vars_os()
        .filter(|(name, _)| name.to_str().is_some_and(is_private))
        .fold(command, |command, (name, _)| command.env_remove(name))
}

/// Where cargo puts what it builds: `CARGO_TARGET_DIR`, a setting, or `target`.
pub(crate) fn target_dir(sh: &Shell) -> Result<PathBuf> {
    let text = scrubbed(cmd!(sh, "cargo metadata --no-deps --format-version 1 --offline"))
        .quiet()
        .read()
        .context("ask cargo for its target folder")?;
    let metadata: serde_json::Value = serde_json::from_str(&text).context("read the answer of `cargo metadata`")?;
    metadata
        .get("target_directory")
        .and_then(serde_json::Value::as_str)
        .map(PathBuf::from)
        .context("`cargo metadata` names no target folder")
}

/// The triple that the compiler builds for by itself.
pub(crate) fn host(sh: &Shell) -> Result<String> {
    let text = scrubbed(cmd!(sh, "rustc -vV")).quiet().read().context("ask rustc for its host")?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned).context("`rustc -vV` names no host")
}

/// The compiler's version, as it says it.
pub(crate) fn compiler(sh: &Shell) -> Result<String> {
    scrubbed(cmd!(sh, "rustc --version")).quiet().read().context("ask for the compiler's version")
}

/// The first executable of that name on `PATH`, or `None`.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// `name=value` pairs of this process that a child with an otherwise empty environment needs to find programs.
pub(crate) fn path_variable() -> Option<(&'static OsStr, std::ffi::OsString)> {
    env::var_os("PATH").map(|value| (OsStr::new("PATH"), value))
}

#[cfg(test)]
mod tests {
    use super::is_private;

    #[test]
    fn keys_and_session_variables_stay_here() {
        for name in ["CLAUDE_PROJECT_DIR", "CLAUDECODE", "ANTHROPIC_API_KEY", "GITHUB_TOKEN", "AI_AGENT", "DB_PASSWORD"]
        {
            assert!(is_private(name), "{name}");
        }
        for name in ["PATH", "HOME", "CARGO_HOME", "CARGO_TARGET_DIR", "RUSTUP_HOME", "HTTPS_PROXY"] {
            assert!(!is_private(name), "{name}");
        }
    }
}
