//! The one place where a program is made ready to start: by its whole path, with an environment that begins empty.
//!
//! What a hook finds around it was put there by the host, and partly by the project: keys of the host, variables that make a loader,
//! a shell, an interpreter or git run something first, and search paths that begin in the project. None of that is handed on. What a
//! program gets stands in tables here, by what is started.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::git;
use crate::system::System;
use crate::trust::strangers;

/// What is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A program that does not belong to the project: git, the host.
    Tool,
    /// A linter, tests, a checkpoint: it runs code of the project, which the user trusts.
    Project,
    /// This executable, or one of its family.
    Own,
}

/// Variables whose text no program takes for code, a file or an address.
const PLAIN: &[&str] = &[
    "LANG", "LANGUAGE", "LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT",
    "LC_MESSAGES", "LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME", "LOGNAME", "TERM",
    "TZ", "USER",
];

/// Directories of the user and of the machine. A relative one would be one of whatever directory the program starts in.
const DIRS: &[&str] = &[
    "HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
    // Without these no program starts on Windows.
    "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE", "WINDIR",
];

/// Directories in which tools of languages keep themselves. They say where code is found, so that only code of the project gets them.
const TOOL_DIRS: &[&str] = &[
    "ANDROID_HOME", "ASDF_DATA_DIR", "BUN_INSTALL", "CARGO_HOME", "CONDA_PREFIX", "DENO_DIR", "GOCACHE", "GOMODCACHE",
    "GOPATH", "JAVA_HOME", "MISE_DATA_DIR", "NVM_DIR", "PNPM_HOME", "PYENV_ROOT", "RBENV_ROOT", "RUSTUP_HOME",
    "SDKMAN_DIR", "VIRTUAL_ENV", "VOLTA_HOME",
];

/// What this executable reads besides, as far as the user's note lets it.
const OF_OWN: &[&str] = &["CLAUDE_CONFIG_DIR", "HOOKBIN_NOW"];

/// Where programs of the system lie, for whoever has no search path.
#[cfg(unix)]
const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";
#[cfg(not(unix))]
const SYSTEM_PATH: &str = "";

/// Directories in which a project's own programs lie.
const OWN_PROGRAMS: &[&str] = &["node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"];

/// A program that is ready to be given arguments.
///
/// # Errors
///
/// When the program is not named by its whole path.
pub fn command(program: &Path, kind: Kind, system: &System) -> io::Result<Command> {
    if !program.is_absolute() {
        let said = format!("{} is no whole path", program.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, said));
    }
    let mut command = Command::new(program);
    command.env_clear().envs(environment(kind, system));
    Ok(command)
}

/// This executable.
///
/// # Errors
///
/// When the system does not say which one it is.
pub fn own(system: &System) -> io::Result<Command> {
    command(&std::env::current_exe()?, Kind::Own, system)
}

fn environment(kind: Kind, system: &System) -> Vec<(&'static str, OsString)> {
    let take = |name: &&'static str| Some((*name, system.var(name)?));
    let is_dir = |(_, value): &(&str, OsString)| Path::new(value).is_absolute();
    let mut found: Vec<(&str, OsString)> = PLAIN.iter().filter_map(take).collect();
    found.extend(DIRS.iter().filter_map(take).filter(is_dir));
    if kind != Kind::Tool {
        found.extend(TOOL_DIRS.iter().filter_map(take).filter(is_dir));
    }
    if kind == Kind::Own {
        found.extend(OF_OWN.iter().filter_map(take));
    }
    // Code of the project may be found by other code of the project. Nothing else may.
    let strangers = if kind == Kind::Tool { strangers::dirs(None, system) } else { Vec::new() };
    let path = joined(&search_path(system.var("PATH").as_deref(), &strangers));
    found.extend(path.map(|path| ("PATH", path)));
    found
}

/// Directories as a search path; none for no directory.
pub fn joined(dirs: &[PathBuf]) -> Option<OsString> {
    std::env::join_paths(dirs).ok().filter(|path| !path.is_empty())
}

/// The directories of a search path by their real paths, without those in which somebody else chooses what is started: relative ones, those
/// that mean another place for each process, and those in directories of `strangers`. A name says little: it may lead through links and
/// back up again, so that a directory whose real path is not known is left out.
pub fn search_path(search: Option<&OsStr>, strangers: &[PathBuf]) -> Vec<PathBuf> {
    let named = std::env::split_paths(search.unwrap_or_default()).filter(|dir| dir.is_absolute());
    // Those that mean another place are told by their names, before a look at them has made one place of them.
    let fixed = named.filter(|dir| strangers::is_outside(dir, &[]));
    fixed
        .filter_map(|dir| std::fs::canonicalize(dir).ok())
        .filter(|real| strangers::is_outside(real, strangers))
        .collect()
}

/// Whether a search path leads to no directory that a stranger may have filled, or may fill yet.
pub fn is_fixed(search: &OsStr, strangers: &[PathBuf]) -> bool {
    std::env::split_paths(search).all(|dir| {
        let found = std::fs::canonicalize(&dir);
        // Where a way back up leads is not known before there is something.
        let is_plain = found.is_ok() || !dir.components().any(|part| part == std::path::Component::ParentDir);
        let real = found.unwrap_or_else(|_| dir.clone());
        is_plain && dir.is_absolute() && [&dir, &real].iter().all(|path| strangers::is_outside(path, strangers))
    })
}

/// A program of the machine, from a directory that no stranger has filled; `asked` is what it is to look at.
pub fn find_tool(names: &[&str], asked: Option<&Path>, system: &System) -> Option<PathBuf> {
    let search = system.var("PATH").unwrap_or_else(|| SYSTEM_PATH.into());
    let home = system.home();
    let dirs = search_path(Some(&search), &strangers::dirs(asked, system)).into_iter();
    let dirs = dirs.filter(|real| strangers::is_of_machine(real, home.as_deref()));
    dirs.flat_map(|dir| names.iter().map(move |name| dir.join(name))).find(|path| is_executable(path))
}

/// Where a program for the project's code lies: in one of the project's own directories, from `dir` up to `root`, else along the search
/// path outside the project. A name with a slash is a path from `dir`. `None` when it is not installed.
///
/// What git tracks in the own directories is passed over: such programs are installed on a machine, and do not come with a clone.
pub fn find(name: &str, dir: &Path, root: &Path, system: &System) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(dir.join(name)).filter(|path| path.is_absolute() && is_executable(path));
    }
    let inside = dir.ancestors().take_while(|above| above.starts_with(root));
    let own = inside.flat_map(|above| OWN_PROGRAMS.iter().map(move |own| (above, Path::new(own).join(name))));
    let own = own.filter(|(above, path)| is_executable(&above.join(path)));
    let real_root = std::fs::canonicalize(root).ok();
    let is_tracked = |above: &Path, path: &Path| {
        git::is_tracked(above, &named_in_index(above, path), system)
            || real_root.as_ref().is_some_and(|root| is_tracked_behind_links(above, path, root, system))
    };
    let mut own = own.filter(|(above, path)| !is_tracked(above, path));
    own.next().map(|(above, path)| above.join(path)).or_else(|| {
        let dirs = search_path(system.var("PATH").as_deref(), &strangers::dirs(Some(root), system));
        dirs.into_iter().map(|dir| dir.join(name)).find(|path| is_executable(path))
    })
}

/// Whether git tracks what the path leads to by a link, in this project.
fn is_tracked_behind_links(above: &Path, path: &Path, root: &Path, system: &System) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let Some((above, real)) = real(above).zip(real(&above.join(path))) else { return false };
    let is_elsewhere = real != above.join(path) && real.starts_with(root);
    let named = real.parent().zip(real.file_name().and_then(OsStr::to_str)).filter(|_| is_elsewhere);
    named.is_some_and(|(dir, name)| git::is_tracked(dir, name, system))
}

/// The part of a path that git could track: no further than a link, behind which it tracks nothing.
fn named_in_index(above: &Path, path: &Path) -> String {
    let mut named = PathBuf::new();
    for part in path {
        named.push(part);
        if above.join(&named).is_symlink() {
            break;
        }
    }
    named.to_string_lossy().into_owned()
}

/// Whether a path is a file that may be executed.
#[cfg(unix)]
pub fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Whether a path is a file that may be executed.
#[cfg(not(unix))]
pub fn is_executable(path: &Path) -> bool {
    path.is_file() || ["exe", "cmd", "bat"].iter().any(|extension| path.with_extension(extension).is_file())
}
