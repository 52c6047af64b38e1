//! What a vault has to know to go on after an interruption and to be undone: a note in the store, and a second one beside the backups.

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::twin::Twin;
use super::{Source, Vault, private};
use crate::Error;
use crate::error::{Context as _, ensure};
use crate::system::files::{self, Spot};

/// How far an installation is, and what it has to know to be undone.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) version: u32,
    pub(crate) source: Source,
    /// Names this installation's backup.
    pub(crate) stamp: String,
    /// The number of the last phase that is done.
    pub(crate) done: usize,
    /// Where the manifest and the blobs lie, relative to the project, whatever profile is in force later.
    #[serde(default)]
    pub(crate) places: Option<Places>,
    /// The server's entry in `.claude.json` before the first installation; `None` when there was none.
    #[serde(default)]
    pub(crate) server_before: Option<String>,
    /// What was done to `.claude.json`.
    #[serde(default)]
    pub(crate) rewritten: Option<Rewritten>,
    /// A hash of the copy of the host's program.
    #[serde(default)]
    pub(crate) client: Option<String>,
    /// Directories of the vault that were missing, relative to the project.
    #[serde(default)]
    pub(crate) made: Vec<String>,
    /// What was put into the directory of backups, by name.
    #[serde(default)]
    pub(crate) backups: Vec<String>,
    /// The vault was taken out and only the backups are left.
    #[serde(default)]
    pub(crate) removed: bool,
}

/// Where a boot step looks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Places {
    pub(crate) manifest: String,
    pub(crate) blobs: String,
}

impl Places {
    /// The first of both that does not lie inside the project.
    pub(crate) fn outside(&self) -> Option<&str> {
        let inside = |path: &&str| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        [self.manifest.as_str(), self.blobs.as_str()].into_iter().find(|path| !inside(path))
    }
}

/// The host's file of state as it was written.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Rewritten {
    /// Its SHA-256.
    pub(crate) after: String,
    /// The backup that holds the bytes before.
    pub(crate) original: PathBuf,
    /// The program that its entry names.
    #[serde(default)]
    pub(crate) program: String,
}

impl Progress {
    /// The note of the vault that is there. Where the one in the store is gone or damaged, the one beside the backups counts.
    pub(crate) fn read(vault: &Vault) -> Result<Option<Self>, Error> {
        let second = || read(vault, &vault.second_note()).ok().flatten().filter(|note| !note.removed);
        match read(vault, &vault.note()) {
            Ok(None) => Ok(second()),
            Ok(first) => Ok(first),
            Err(error) => match second() {
                Some(second) => Ok(Some(second)),
                None => Err(error).with_context(|| {
                    format!(
                        "the note of the vault is damaged, and so is {}; put .claude.json back from a copy in {}, then delete the note",
                        vault.second_note().display(),
                        vault.backups().display()
                    )
                }),
            },
        }
    }

    /// The note beside the backups, also of a vault that was taken out.
    pub(crate) fn of_backups(vault: &Vault) -> Result<Option<Self>, Error> {
        read(vault, &vault.second_note())
    }

    /// What this vault put into the directory of backups. A note can have been changed by hand, so that other names are passed over.
    pub(crate) fn own_backups(&self) -> impl Iterator<Item = &String> {
        self.backups.iter().filter(|name| {
            Path::new(name).file_name().is_some_and(|only| only == name.as_str())
                && (name.starts_with("pre-lmdb5-") || name.starts_with("claude.json-"))
        })
    }

    pub(crate) fn write(&self, vault: &Vault) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(self).map_err(Error::other)?;
        Twin::learn(vault, &text)?;
        private::write(&vault.note(), text.as_bytes(), 0o600)?;
        private::write(&vault.second_note(), text.as_bytes(), 0o600)
    }

    /// Leaves only the note beside the backups, which then says that the vault is out.
    pub(crate) fn retire(self, vault: &Vault) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(&Self { removed: true, ..self }).map_err(Error::other)?;
        Twin::learn(vault, &text)?;
        private::write(&vault.second_note(), text.as_bytes(), 0o600)
    }
}

/// A note counts where the user's own directory knows it. Where that knows of no vault in this directory, there is none.
fn read(vault: &Vault, path: &Path) -> Result<Option<Progress>, Error> {
    let Some(twin) = Twin::of(vault) else { return Ok(None) };
    let Some(text) = files::read(Spot::below(vault.root(), path))? else { return Ok(None) };
    ensure!(twin.knows(&text), "{} is damaged: it is not what was written there", path.display());
    serde_json::from_str(&text).with_context(|| format!("{} is damaged", path.display())).map(Some)
}
