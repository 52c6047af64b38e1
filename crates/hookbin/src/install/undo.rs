//! Taking an installation back that failed midway.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use hook_runtime::installation::Place;
use hook_runtime::project::records_ignore;
use hook_runtime::system::files::{Change, Spot, inherit_owner, make_dir, remove, remove_empty};

/// What an installation did so far, to be taken back when the rest fails.
#[derive(Default)]
pub(crate) struct Undo {
    pub(super) dirs: Vec<PathBuf>,
    pub(super) files: Vec<Spot>,
    /// What knows on which ground a directory lies.
    place: Option<Place>,
    pub(super) changes: Vec<Change>,
}

impl Undo {
    /// Makes the directories of a place. Returns those that were missing, outermost first.
    pub(super) fn make_dirs(&mut self, place: &Place) -> anyhow::Result<Vec<PathBuf>> {
        for dir in place.dirs().chain(place.settings.parent()).chain(place.config.parent()) {
            let mut missing: Vec<PathBuf> =
                dir.ancestors().take_while(|dir| !dir.exists()).map(Path::to_owned).collect();
            missing.reverse();
            missing.retain(|dir| !self.dirs.contains(dir));
            self.dirs.extend(missing);
        }
        match &place.project {
            Some(project) => {
                let ignore = place.own.join(".gitignore");
                let ignore = place.spot(&ignore);
                self.files.extend((!ignore.exists()).then_some(ignore));
                let records = place.spot(&records_ignore(project.root()));
                self.files.extend((!records.exists()).then_some(records));
                project.prepare_whole().with_context(|| format!("cannot make {}", place.own.display()))?;
                place.dirs().try_for_each(|dir| make_dir(place.spot(dir), true))?;
            }
            None => place.dirs().try_for_each(|dir| make_dir(dir, true))?,
        }
        let dirs = self.dirs.iter().filter(|dir| dir.exists()).map(|dir| place.spot(dir));
        for made in dirs.chain(self.files.iter().cloned()) {
            inherit_owner(&made)?;
        }
        self.place = Some(place.clone());
        Ok(self.dirs.clone())
    }

    /// Takes everything back. It runs after a failure, whose message is the one that counts, so nothing in here may hide it.
    pub(crate) fn undo(&self) {
        self.changes.iter().rev().for_each(Change::undo);
        for file in self.files.iter().rev() {
            let _ = remove(file);
            let dir = file.path.parent().filter(|dir| dir.ends_with("backup"));
            dir.map(|dir| remove_empty(file.at(dir.to_owned())));
        }
        for dir in self.dirs.iter().rev() {
            remove_empty(self.place.as_ref().map_or_else(|| dir.into(), |place| place.spot(dir)));
        }
    }
}
