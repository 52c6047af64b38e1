//! Where things of a user lie that are about one project: configuration, notes of installations, records of a user-wide entry.
//!
//! All of them carry the project's name and a hash of its whole path, so that two projects of one name stay apart.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::config::cache;
use crate::installation::Scope;
use crate::project::Project;
use crate::system::System;
use crate::system::files::hexadecimal;

/// The directory of a project in the user's state directory: notes of installations, and the records of a user-wide entry.
pub fn records_dir(project: &Project, system: &System) -> Option<PathBuf> {
    Some(system.state_dir()?.join("projects").join(name_of(project)?))
}

/// Whether this user has used hookbin in a project, as what is kept for them says.
pub fn is_known(project: &Project, system: &System) -> bool {
    let compiled = || cache::cache_path(Some(project), None, system);
    records_dir(project, system).is_some_and(|dir| dir.is_dir()) || compiled().is_some_and(|path| path.is_file())
}

/// The user's own configuration of one project, which outranks the project's.
pub fn person_config(project: &Project, system: &System) -> Option<PathBuf> {
    config_beside(&system.user_config()?, project)
}

/// The same beside the user's configuration for all projects.
pub fn config_beside(user: &Path, project: &Project) -> Option<PathBuf> {
    let mut path = user.with_file_name("projects");
    path.push(name_of(project)? + ".toml");
    Some(path)
}

/// The note of an installation in a project.
pub fn note(scope: Scope, project: &Project, system: &System) -> Option<PathBuf> {
    Some(records_dir(project, system)?.join(scope.note_name()))
}

/// The file that says that the entries of a scope are gone because the user took them out. It holds the moment (RFC 3339).
pub fn uninstalled_mark(scope: Scope, project: Option<&Project>, system: &System) -> Option<PathBuf> {
    let dir = match project {
        Some(project) => records_dir(project, system)?,
        None => system.state_dir()?,
    };
    Some(dir.join(match scope {
        Scope::Local => "uninstalled-local",
        Scope::Project | Scope::User => "uninstalled",
    }))
}

/// A name for a project that begins with the project's own, for people, and ends with a hash of the whole path.
pub fn name_of(project: &Project) -> Option<String> {
    project.named(|| made_for(project.root())).map(str::to_owned)
}

fn made_for(root: &Path) -> Option<String> {
    // Every hook pays for it, so no more is looked at and spelled than is used.
    let hash = Sha256::digest(root.as_os_str().as_encoded_bytes());
    let own = root.file_name()?.as_encoded_bytes().iter().filter(|byte| byte.is_ascii_alphanumeric()).take(32);
    let mut name: String = own.map(|byte| char::from(*byte)).collect();
    name.push('-');
    name.push_str(&hexadecimal(hash.get(..8)?));
    Some(name)
}
