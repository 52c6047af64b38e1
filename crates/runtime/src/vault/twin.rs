//! Which vaults are the user's: what their own directory knows of the notes that a vault has in the project. A clone can bring notes, and
//! they name files of the user's that are to be written. The twin goes by the directory's number, so that a project can be moved.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Vault;
use crate::Error;
use crate::error::Context as _;
use crate::system::files::{self, make_dir, sha256};
use crate::trust::Dir;

/// As many texts are known of one vault: both notes, as they are and as a run that was killed left them.
const KNOWN: usize = 4;

/// What the user's directory holds of one vault.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Twin {
    version: u32,
    #[serde(rename = "folder")]
    dir: Dir,
    /// SHA-256 of the notes, the newest first.
    notes: Vec<String>,
}

impl Twin {
    /// What is known of a vault in this very directory; `None` where nobody here made one.
    pub(crate) fn of(vault: &Vault) -> Option<Self> {
        let text = files::read(&path(vault)?).ok()??;
        let twin: Self = serde_json::from_str(&text).ok()?;
        twin.dir.is_at(vault.root()).then_some(twin)
    }

    /// Whether a note is one that was written there.
    pub(crate) fn knows(&self, note: &str) -> bool {
        self.notes.contains(&sha256(note.as_bytes()))
    }

    /// Makes a note known. It comes before the note, so that a run that is killed in between leaves none that counts no more.
    pub(crate) fn learn(vault: &Vault, note: &str) -> Result<(), Error> {
        let dir = Dir::of(vault.root());
        let (dir, path) = dir.zip(path(vault)).context("there is no place outside of the project to note a vault")?;
        let mut notes = vec![sha256(note.as_bytes())];
        notes.extend(Self::of(vault).into_iter().flat_map(|twin| twin.notes).take(KNOWN - 1));
        make_dir(path.parent().context("the path has no directory")?, true)?;
        files::replace(&path, &serde_json::to_string(&Self { version: 1, dir, notes }).map_err(Error::other)?, 0o600)
    }

    /// Nothing of the vault is left.
    pub(crate) fn forget(vault: &Vault) -> Result<(), Error> {
        let Some(path) = path(vault) else { return Ok(()) };
        files::remove(&path)?;
        // Those of other vaults stay.
        path.parent().map(files::remove_empty);
        Ok(())
    }
}

fn path(vault: &Vault) -> Option<PathBuf> {
    let number = Dir::of(vault.root())?.number();
    Some(vault.kept.as_ref()?.join(format!("{number}.json")))
}
