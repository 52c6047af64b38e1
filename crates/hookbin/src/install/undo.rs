//! Taking an installation back that failed midway.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use hook_runtime::installation::Place;
use hook_runtime::project::records_ignore;
use hook_runtime::system::files::{Change, Spot, inherit_owner, make_folder, remove, remove_empty};

/// What an installation did so far, to be taken back when the rest fails.
#[derive(Default)]
pub(crate) struct Undo {
    pub(super) folders: Vec<PathBuf>,
    pub(super) files: Vec<Spot>,
    /// What knows on which ground a folder lies.
    place: Option<Place>,
    pub(super) changes: Vec<Change>,
}

impl Undo {
    /// Makes the folders of a place. Returns those that were missing, outermost first.
    pub(super) fn make_folders(&mut self, place: &Place) -> anyhow::Result<Vec<PathBuf>> {
        for folder in place.folders().chain(place.settings.parent()).chain(place.config.parent()) {
            let mut missing: Vec<PathBuf> =
                folder.ancestors().take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
            missing.reverse();
            missing.retain(|folder| !self.folders.contains(folder));
            self.folders.extend(missing);
        }
        match &place.project {
            Some(project) => {
                let ignore = place.own.join(".gitignore");
                let ignore = place.spot(&ignore);
                self.files.extend((!ignore.exists()).then_some(ignore));
                let records = place.spot(&records_ignore(project.root()));
                self.files.extend((!records.exists()).then_some(records));
                project.prepare_whole().with_context(|| format!("cannot make {}", place.own.display()))?;
                place.folders().try_for_each(|folder| make_folder(place.spot(folder), true))?;
            }
            None => place.folders().try_for_each(|folder| make_folder(folder, true))?,
        }
        let folders = self.folders.iter().filter(|folder| folder.exists()).map(|folder| place.spot(folder));
        for made in folders.chain(self.files.iter().cloned()) {
            inherit_owner(&made)?;
        }
        self.place = Some(place.clone());
        Ok(self.folders.clone())
    }

    /// Takes everything back. It runs after a failure, whose message is the one that counts, so nothing in here may hide it.
    pub(crate) fn undo(&self) {
        self.changes.iter().rev().for_each(Change::undo);
        for file in self.files.iter().rev() {
            let _ = remove(file);
            let folder = file.path.parent().filter(|folder| folder.ends_with("backup"));
            folder.map(|folder| remove_empty(file.at(folder.to_owned())));
        }
        for folder in self.folders.iter().rev() {
            remove_empty(self.place.as_ref().map_or_else(|| folder.into(), |place| place.spot(folder)));
        }
    }
}
