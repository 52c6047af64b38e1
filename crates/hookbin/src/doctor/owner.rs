//! Whether what an installation made belongs to the user whose project or home directory it is in.

use std::path::{Path, PathBuf};

use super::{Finding, Report};
use hook_runtime::installation::{Place, record_path};
use hook_runtime::system::System;
use hook_runtime::system::open::Beneath;

/// A user and a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) user: u32,
    #[cfg(unix)]
    group: u32,
}

/// Finds what belongs to root in a directory that is somebody else's: an installation that ran as root left it, and the user can
/// neither read nor change it.
pub(super) fn look(place: &Place, system: &System, report: &mut Report) {
    let dirs = [place.settings.parent(), place.config.parent(), Some(place.own.as_path())];
    let mut paths: Vec<PathBuf> = dirs.into_iter().flatten().map(Path::to_owned).collect();
    paths.extend([place.settings.clone(), place.config.clone(), place.executable.clone(), record_path(place)]);
    paths.push(place.own.join("backup"));
    paths.extend(place.records.iter().filter_map(|dir| dir.parent()).map(Path::to_owned));
    paths.extend(place.records.iter().cloned());
    // A user's files of a project lie in the home directory, which may be another's than the project.
    let home = system.home();
    let root = place.project.as_ref().map(hook_runtime::project::Project::root);
    let around = |path: &Path| root.filter(|root| path.starts_with(root)).or(home.as_deref());
    let mut told: Vec<PathBuf> = Vec::new();
    for path in paths {
        let Some(person) = around(&path).and_then(Owner::of).filter(|owner| owner.user != 0) else { continue };
        // What is in a directory that was told about is mended with it.
        if told.iter().any(|above| path.starts_with(above)) || Owner::of(&path).is_none_or(|owner| owner.user != 0) {
            continue;
        }
        let message = format!("it belongs to root in a directory of user {}, who cannot change it", person.user);
        report.add(Finding::fault("owner", &path, message).by_owner(&path, person));
        told.push(path);
    }
}

#[cfg(unix)]
impl Owner {
    fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let metadata = path.symlink_metadata().ok()?;
        Some(Self { user: metadata.uid(), group: metadata.gid() })
    }

    /// Gives what root owns of a path, and of all that is in it, to this owner.
    pub(super) fn take(self, path: &Path) -> anyhow::Result<()> {
        use anyhow::Context as _;
        let dir = path.parent().context("the path has no directory")?;
        Beneath::new(dir)
            .give_tree(path, (self.user, self.group))
            .with_context(|| format!("cannot give {} to its owner", path.display()))
    }
}

/// Not every system tells it in this form.
#[cfg(not(unix))]
impl Owner {
    fn of(_path: &Path) -> Option<Self> {
        None
    }

    pub(super) fn take(self, _path: &Path) -> anyhow::Result<()> {
        Ok(())
    }
}
