//! Taking a vault out again: the host's file of state gets its bytes back, and what the vault put into the project goes.

use std::path::Path;

use hook_protocol::settings::edit::{restore_server, server_command};

use super::own::{empty_store, remove_dirs, take_ignore, take_out};
use super::phases::clear;
use super::twin::Twin;
use super::{Progress, SERVER, Vault};
use crate::Error;
use crate::error::Context as _;
use crate::installation::shell_quote;
use crate::system::files::{self, Change, sha256};

/// Removes the vault; the backups stay unless `purge` is set. Says what was done. Where there is no vault, nothing is done but that
/// `purge` removes the backups of an earlier one. Files of others in the vault's directories stay.
pub fn remove(vault: &Vault, purge: bool) -> Result<Vec<String>, Error> {
    let _lock = files::lock(vault.root())?;
    if vault.is_foreign() {
        return Ok(vec![format!("nothing was changed: {}", vault.foreign())]);
    }
    let mut said = Vec::new();
    let progress = Progress::read(vault)?;
    let _beside = progress.as_ref().map(|progress| vault.lock_beside(&progress.source)).transpose()?;
    match &progress {
        None => said.push(format!("there is no vault in {}", vault.root().display())),
        // First, because everything that it needs to know lies in the store.
        Some(progress) => said.extend(restore(vault, progress)?),
    }
    take_out(vault)?;
    clear(vault, progress.as_ref());
    if let Some(progress) = progress {
        empty_store(vault)?;
        let made = progress.made.clone();
        // From here on the note beside the backups is the one that counts.
        progress.retire(vault)?;
        files::remove(&vault.note())?;
        let stay = remove_dirs(vault, &vault.dirs(), &made);
        said.push(if vault.storage().exists() {
            format!("took the vault out of {}", vault.storage().display())
        } else {
            format!("removed {}", vault.storage().display())
        });
        said.extend(
            stay.iter()
                .filter(|dir| **dir != vault.backups())
                .map(|dir| format!("kept {}, which holds files that the vault did not put there", dir.display())),
        );
    }
    said.extend(backups(vault, purge)?);
    if [vault.note(), vault.second_note()].iter().all(|note| note.symlink_metadata().is_err()) {
        Twin::forget(vault)?;
    }
    Ok(said)
}

/// Removes the backups, or says where they are.
fn backups(vault: &Vault, purge: bool) -> Result<Option<String>, Error> {
    let dir = vault.backups();
    let note = match Progress::of_backups(vault) {
        Ok(Some(note)) => note,
        Ok(None) => return Ok(None),
        Err(error) => {
            return Ok(Some(format!("left {} alone, whose note is no vault's: {error:#}", dir.display())));
        }
    };
    if !purge {
        let root = shell_quote(&vault.root().to_string_lossy());
        return Ok(Some(format!(
            "kept the backups in {}; `hookbin vault remove --purge --project {root}` removes them",
            dir.display()
        )));
    }
    for name in note.own_backups() {
        files::remove_tree(&dir.join(name))?;
    }
    take_ignore(&dir)?;
    files::remove(&vault.second_note())?;
    let stay = remove_dirs(vault, std::slice::from_ref(&dir), &note.made);
    Ok(Some(if stay.is_empty() && !dir.exists() {
        format!("removed {}", dir.display())
    } else {
        format!("removed the vault's backups; other files stay in {}", dir.display())
    }))
}

/// The bytes as they were, if nobody changed the file since; else only the server's entry goes back, and only if it is still ours.
fn restore(vault: &Vault, progress: &Progress) -> Result<Option<String>, Error> {
    let Some(rewritten) = &progress.rewritten else { return Ok(None) };
    let path = progress.source.state_file();
    let Some(now) = files::read(&path)? else { return Ok(None) };
    let cannot = || format!("cannot edit {}; correct it first, nothing was removed", path.display());
    let program = server_command(&now, SERVER).with_context(cannot)?;
    if !program.as_deref().is_some_and(|program| is_ours(vault, rewritten.program.as_str(), program)) {
        return Ok(Some(format!("left {} alone: it does not start {SERVER} from this vault any more", path.display())));
    }
    let original = files::read(&rewritten.original)?;
    let after = match original {
        Some(original) if sha256(now.as_bytes()) == rewritten.after => original,
        _ => restore_server(&now, SERVER, progress.server_before.as_deref()).with_context(cannot)?,
    };
    let change = Change { spot: (&path).into(), before: Some(now), after: Some(after) };
    if !change.is_needed() {
        return Ok(None);
    }
    change.make()?;
    Ok(Some(format!("{} starts {SERVER} as it did before", path.display())))
}

/// Whether the program that is named now is this vault's: in the project where it is, or in the place that it was moved away from.
fn is_ours(vault: &Vault, written: &str, now: &str) -> bool {
    Path::new(now) == vault.links().join(SERVER) || (now == written && !Path::new(now).exists())
}
