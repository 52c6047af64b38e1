//! Where things are (root, target directory, host) and how child processes are started.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xshell::{Cmd, Shell, cmd};

/// The directory that holds the workspace's `Cargo.toml`.
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

/// This program's own file. A test run may have built it again in the meantime; the new one in its place does as well.
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
        .context("ask cargo for its target directory")?;
    let metadata: serde_json::Value = serde_json::from_str(&text).context("read the answer of `cargo metadata`")?;
    metadata
        .get("target_directory")
        .and_then(serde_json::Value::as_str)
        .map(PathBuf::from)
        .context("`cargo metadata` names no target directory")
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

/// The day in UTC.
pub(crate) fn today(sh: &Shell) -> Result<String> {
    cmd!(sh, "date -u +%F").quiet().read().context("ask `date` for the day")
}

/// The first executable of that name on `PATH`, or `None`.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
}

/// Writes a whole file or leaves what was there, so that a running copy keeps its file. A run that is killed leaves a hidden file
/// beside it, which nobody can execute and which the next run writes over; two runs wait for each other.
pub(crate) fn put(path: &Path, mut content: impl Read, mode: Option<Permissions>) -> Result<()> {
    let dir = path.parent().context("the path has no directory")?;
    let name = path.file_name().context("the path has no name")?.to_string_lossy();
    let (dist, fresh) = (root().join("dist"), dir.join(format!(".{name}.new")));
    for dir in [dir, &dist] {
        fs::create_dir_all(dir).with_context(|| format!("create {}", dir.display()))?;
    }
    let lock = File::create(dist.join(".lock")).context("open the lock in dist")?;
    lock.lock().context("wait for another run")?;
    let write = || -> io::Result<()> {
        let mut file = File::create(&fresh)?;
        io::copy(&mut content, &mut file)?;
        // Only now: half an executable must not be one.
        mode.map_or(Ok(()), |mode| file.set_permissions(mode))?;
        fs::rename(&fresh, path)
    };
    write().with_context(|| format!("write {}", path.display()))
}

/// How a check of `ci` ended that did not fail.
pub(crate) enum Gate {
    /// It holds; what was looked at.
    Held(String),
    /// What it needs is not there, so nothing was looked at.
    Skipped(String),
}

/// The path of a program of cargo, which is installed among the built files unless it is there.
pub(crate) fn cargo_tool(sh: &Shell, name: &str) -> Result<PathBuf> {
    if let Some(found) = installed(sh, name)? {
        return Ok(found);
    }
    let dir = target_dir(sh)?.join("tools");
    scrubbed(cmd!(sh, "cargo install {name} --locked --root {dir}"))
        .run()
        .with_context(|| format!("install {name}"))?;
    installed(sh, name)?.with_context(|| format!("{name} is installed, but not in {}", dir.display()))
}

/// The path of a program of cargo, on `PATH` or where [`cargo_tool`] has put it.
pub(crate) fn installed(sh: &Shell, name: &str) -> Result<Option<PathBuf>> {
    if let Some(found) = find_program(name) {
        return Ok(Some(found));
    }
    let own = target_dir(sh)?.join("tools/bin").join(name);
    Ok(own.exists().then_some(own))
}

/// `name=value` pairs of this process that a child with an otherwise empty environment needs to find programs.
pub(crate) fn path_variable() -> Option<(&'static OsStr, std::ffi::OsString)> {
    env::var_os("PATH").map(|value| (OsStr::new("PATH"), value))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{self, Read};

    use super::{is_private, put};

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

    /// Fails behind its first bytes, as a kill would end a run there.
    struct Cut(bool);

    impl Read for Cut {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(io::Error::other("cut"));
            }
            buffer[..4].copy_from_slice(b"\x7fELF");
            Ok(4)
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_whole_or_as_it_was_and_half_an_executable_is_none() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bin/hookbin");
        let mode = || Some(fs::Permissions::from_mode(0o755));
        put(&path, b"old".as_slice(), mode()).unwrap();
        assert!(put(&path, Cut(false), mode()).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        let left: Vec<_> = fs::read_dir(dir.path().join("bin")).unwrap().map(|entry| entry.unwrap()).collect();
        assert_eq!(left.len(), 2);
        for entry in left.iter().filter(|entry| entry.path() != path) {
            assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o111, 0, "{entry:?}");
        }
        put(&path, b"new".as_slice(), mode()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(fs::read_dir(dir.path().join("bin")).unwrap().count(), 1);
    }
}
