//! Directories that others than the user may have filled: what lies around the session and around what it asks about.
//!
//! A clone brings files under any name. So nothing is started from such a directory as a program of the machine.

use std::path::{Path, PathBuf};

use crate::programs::git;
use crate::project::Project;
use crate::system::System;
use crate::trust;

/// What the directory of a project holds.
const MARKS: [&str; 2] = [".git", ".claude"];

/// Directories in which everybody's lie. They are nobody's project, and every hook of a project's executable would ask.
const COMMON: [&str; 4] = ["/", "/home", "/Users", "/tmp"];

/// Directories that mean another place for each process.
const MOVING: [&str; 2] = ["/proc", "/dev"];

/// Directories in which things lie for a while, each in a directory of its own.
const PASSING: [&str; 3] = ["/tmp", "/var/tmp", "/private/tmp"];

/// The directories, by their real paths: the outermost project around the working directory, around the host's directory and around `asked`,
/// and around the repository that a working tree or a submodule belongs to. A directory in no project counts alone.
///
/// An archive need not have its marks at its top. So unless the user trusts the project, what lies around it in their home directory, or
/// in one for temporary files, counts as well; see `around`.
///
/// The home directory is never one, nor is a directory around it: what else lies there is the user's.
pub fn dirs(asked: Option<&Path>, system: &System) -> Vec<PathBuf> {
    let home = system.home().and_then(|home| std::fs::canonicalize(home).ok());
    let is_others = |dir: &&Path| dir.parent().is_some() && home.as_ref().is_none_or(|home| !home.starts_with(dir));
    let outermost = |around: &Path| {
        let projects = around.ancestors().filter(is_others).filter(|dir| is_project(dir) || git::is_repository(dir));
        projects.last().map(Path::to_owned)
    };
    let client = system.project_dir().filter(|dir| dir.is_absolute());
    let mut found: Vec<PathBuf> = Vec::new();
    for place in system.cwd.as_deref().into_iter().chain(client.as_deref()).chain(asked) {
        // What is not there yet lies in what is.
        let Some(real) = place.ancestors().find_map(|dir| std::fs::canonicalize(dir).ok()) else { continue };
        let alone = || Some(real.as_path()).filter(is_others).map(Path::to_owned);
        let shared = git::shared_dir(&real).and_then(|shared| outermost(&shared));
        let nearest = real.ancestors().filter(is_others).find(|dir| is_project(dir) || git::is_repository(dir));
        let is_trusted = trust::runs(&Project::at(nearest.unwrap_or(&real)), system);
        let wide = Some(&real).filter(|_| !is_trusted).and_then(|real| around(real, home.as_deref()));
        found.extend(wide);
        found.extend(outermost(&real).or_else(alone).into_iter().chain(shared));
    }
    found
}

/// What lies around a directory in the user's home directory, or in one for temporary files: all of the directory right there that holds it.
/// Below a name with a dot it is one step less, since such a directory holds what belongs to many programs.
fn around(dir: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let bases = home.into_iter().chain(PASSING.iter().map(Path::new));
    bases.into_iter().find_map(|base| {
        let inside = dir.strip_prefix(base).ok()?;
        let mut found = base.to_owned();
        for part in inside {
            found.push(part);
            let holds_home = home.is_some_and(|home| home.starts_with(&found));
            let is_of_programs = found.parent() == home && part.as_encoded_bytes().starts_with(b".");
            if !holds_home && !is_of_programs {
                return Some(found);
            }
        }
        None
    })
}

/// Whether a directory, by its real path, is the same one for every process and lies in none of these.
pub fn is_outside(real: &Path, strangers: &[PathBuf]) -> bool {
    !MOVING.iter().any(|moving| real.starts_with(moving)) && !strangers.iter().any(|dir| real.starts_with(dir))
}

/// Whether programs of the machine lie in this directory, by its real path: it is none for passing things, and in no project. Managers of
/// versions are repositories in hidden directories right at home.
pub fn is_of_machine(real: &Path, home: Option<&Path>) -> bool {
    let is_passing =
        PASSING.iter().any(|passing| real.starts_with(passing) && !home.is_some_and(|home| home.starts_with(passing)));
    let is_hidden = || {
        let inside = home.and_then(|home| real.strip_prefix(home).ok());
        inside.and_then(|inside| inside.iter().next()).is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
    };
    !is_passing && (!lies_in_project(real) || is_hidden())
}

/// Whether a directory looks like a project's.
pub fn is_project(dir: &Path) -> bool {
    MARKS.iter().any(|mark| is_there(&dir.join(mark)))
}

/// Whether a repository came into this directory; the host keeps a directory of its own in every home directory.
pub fn is_cloned(dir: &Path) -> bool {
    is_there(&dir.join(".git"))
}

/// Whether a directory, by its real path, lies in a project: whose, does not matter.
pub fn lies_in_project(real: &Path) -> bool {
    real.ancestors().skip(1).filter(|dir| !is_everybodys(dir)).any(is_project)
}

/// Whether a directory lies right in one in which everybody's lie.
pub fn is_among_everybodys(dir: &Path) -> bool {
    dir.parent().is_some_and(is_everybodys)
}

fn is_everybodys(dir: &Path) -> bool {
    COMMON.iter().any(|common| dir.as_os_str() == *common)
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}
