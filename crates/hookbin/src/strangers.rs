//! Folders that others than the person may have filled: what lies around the session and around what it asks about.
//!
//! A clone brings files under any name. So nothing is started from such a folder as a program of the machine.

use std::path::{Path, PathBuf};

use crate::git;
use crate::host::Host;

/// What the folder of a project holds.
const MARKS: [&str; 2] = [".git", ".claude"];

/// Folders in which everybody's lie. They are nobody's project, and every hook of a project's executable would ask.
const COMMON: [&str; 4] = ["/", "/home", "/Users", "/tmp"];

/// Folders that mean another place for each process.
const MOVING: [&str; 2] = ["/proc", "/dev"];

/// The folders, by their real paths: the outermost project around the working directory, around the client's folder and around `asked`,
/// and around the repository that a working tree or a submodule belongs to. A folder in no project counts alone.
///
/// The home folder is never one, nor is a folder around it: what else lies there is the person's.
pub(crate) fn folders(asked: Option<&Path>, host: &Host) -> Vec<PathBuf> {
    let home = host.home().and_then(|home| std::fs::canonicalize(home).ok());
    let is_others =
        |folder: &&Path| folder.parent().is_some() && home.as_ref().is_none_or(|home| !home.starts_with(folder));
    let outermost = |around: &Path| {
        let projects =
            around.ancestors().filter(is_others).filter(|folder| is_project(folder) || git::is_repository(folder));
        projects.last().map(Path::to_owned)
    };
    let client = host.var("CLAUDE_PROJECT_DIR").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let mut found: Vec<PathBuf> = Vec::new();
    for around in host.cwd.as_deref().into_iter().chain(client.as_deref()).chain(asked) {
        // What is not there yet lies in what is.
        let Some(real) = around.ancestors().find_map(|folder| std::fs::canonicalize(folder).ok()) else { continue };
        let alone = || Some(real.as_path()).filter(is_others).map(Path::to_owned);
        let shared = git::shared_folder(&real).and_then(|shared| outermost(&shared));
        found.extend(outermost(&real).or_else(alone).into_iter().chain(shared));
    }
    found
}

/// Whether a folder, by its real path, is the same one for every process and lies in none of these.
pub(crate) fn is_outside(real: &Path, strangers: &[PathBuf]) -> bool {
    !MOVING.iter().any(|moving| real.starts_with(moving)) && !strangers.iter().any(|folder| real.starts_with(folder))
}

/// Whether a folder looks like a project's.
pub(crate) fn is_project(folder: &Path) -> bool {
    MARKS.iter().any(|mark| is_there(&folder.join(mark)))
}

/// Whether a repository came into this folder; the client keeps a folder of its own in every home folder.
pub(crate) fn is_cloned(folder: &Path) -> bool {
    is_there(&folder.join(".git"))
}

/// Whether a folder, by its real path, lies in a project: whose, does not matter.
pub(crate) fn lies_in_project(real: &Path) -> bool {
    real.ancestors().skip(1).filter(|folder| !is_everybodys(folder)).any(is_project)
}

/// Whether a folder lies right in one in which everybody's lie.
pub(crate) fn is_among_everybodys(folder: &Path) -> bool {
    folder.parent().is_some_and(is_everybodys)
}

fn is_everybodys(folder: &Path) -> bool {
    COMMON.iter().any(|common| folder.as_os_str() == *common)
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}
