//! Programs that a profile names by a path that leads out of the project, such as one that is built beside it.
//!
//! Whoever trusts a project has seen that one, and not what lies beside it, which may be another stranger's. So `hookbin trust` shows such
//! programs, the record keeps which ones, and no other starts. A path that is whole stands in the user's own file, and is their word.

use std::path::{Path, PathBuf};

use hook_policy::profile::Profile;

use crate::project::Project;
use crate::system::System;
use crate::system::way::plain;
use crate::trust::{self, Record};

/// Those of a profile, by the path from the project.
pub fn named(profile: &Profile, project: &Project) -> Vec<String> {
    let root = project.root();
    let leads_out = |name: &&str| target(&root.join(name), root).is_some();
    let mut named: Vec<String> = profile.programs().filter(leads_out).map(str::to_owned).collect();
    named.sort();
    named.dedup();
    named
}

/// How a program is named that is to start in `root`, if it lies outside and neither the record nor trust in its own directory speaks for it.
pub fn unseen(
    program: &Path,
    root: &Path,
    project: &Project,
    record: Option<&Record>,
    system: &System,
) -> Option<String> {
    let target = target(program, root)?;
    let is_kept = |name: &String| plain(&project.root().join(name)) == target;
    if target.starts_with(project.root()) || record.is_some_and(|record| record.outside.iter().any(is_kept)) {
        return None;
    }
    let trusted = |dir: &&Path| trust::runs(&Project::at(*dir), system);
    let ends = |dir: &&Path| dir.join(".git").symlink_metadata().is_ok() || trusted(dir);
    if target.ancestors().skip(1).find(ends).is_some_and(|dir| trusted(&dir)) {
        return None;
    }
    Some(program.strip_prefix(root).unwrap_or(program).display().to_string())
}

/// Where a path that begins in `root` leads, if that is out of it.
fn target(path: &Path, root: &Path) -> Option<PathBuf> {
    let target = plain(path);
    (path.starts_with(root) && !target.starts_with(root)).then_some(target)
}
