//! Directories outside the project that the user lets a session work on: those that their settings add, and the other working trees of
//! the project's repository.
//!
//! Looked for only when something outside the project would go. Settings that come with a repository add nothing: whoever clones a
//! project has not thereby given it a directory of theirs. Those of one user in a project count where they trust it.

use std::path::{Path, PathBuf};

use hook_protocol::settings::added_folders;

use crate::facts::read_small;
use crate::programs::git;
use crate::project::Project;
use crate::system::System;
use crate::trust;

/// The settings of one user in a project.
const LOCAL: &str = ".claude/settings.local.json";

/// The directories, as absolute text.
pub fn dirs(project: &Project, system: &System) -> Vec<String> {
    let root = project.root();
    let mut found = git::other_trees(root);
    found.extend(system.client_dir().into_iter().flat_map(|dir| added(&dir.join("settings.json"), root, system)));
    let local = added(&root.join(LOCAL), root, system);
    // An archive brings files that no git tracks.
    if !local.is_empty() && trust::runs(project, system) && !git::is_tracked(root, LOCAL, system) {
        found.extend(local);
    }
    let home = system.home();
    let is_narrow = |dir: &PathBuf| {
        let holds = |path: &Path| path.starts_with(dir);
        let is_told = dir.components().all(|part| part != std::path::Component::ParentDir);
        is_told
            && !holds(root)
            && !home.as_deref().is_some_and(holds)
            && !system.named_home().as_deref().is_some_and(holds)
    };
    found.retain(is_narrow);
    found.into_iter().filter_map(|dir| dir.into_os_string().into_string().ok()).collect()
}

/// What a settings file adds; a relative directory is seen from the project.
fn added(settings: &Path, root: &Path, system: &System) -> Vec<PathBuf> {
    let Some(text) = read_small(settings) else { return Vec::new() };
    let home = system.named_home().or_else(|| system.home());
    let whole = |dir: String| match dir.strip_prefix("~/") {
        Some(rest) => Some(home.as_ref()?.join(rest)),
        None if dir.is_empty() || dir == "~" => None,
        None => Some(root.join(dir)),
    };
    let tidy = |dir: PathBuf| std::fs::canonicalize(&dir).unwrap_or(dir);
    let dirs = added_folders(&text).into_iter().filter_map(whole);
    // By the name that a command uses, and by where it lies.
    dirs.flat_map(|dir| [tidy(dir.clone()), dir.components().collect()]).collect()
}
