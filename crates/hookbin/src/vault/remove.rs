//! Taking a vault out again: the client's file of state gets its bytes back, the store goes.

use std::path::Path;

use anyhow::Context as _;
use hook_protocol::settings::edit::restore_server;

use super::phases::BOOT_SCRIPT;
use super::{CLIENT, Progress, SERVER, Vault};
use crate::install::{self, Change, sha256};

/// Removes the vault; the backups stay unless `purge` is set. Says what was done. Where there is no vault, nothing is done.
pub fn remove(vault: &Vault, purge: bool) -> anyhow::Result<Vec<String>> {
    let _lock = install::lock(vault.root())?;
    let mut said = Vec::new();
    let progress = Progress::read(vault)?;
    // First, because everything that it needs to know lies in the store.
    if let Some(progress) = &progress {
        said.extend(restore(progress)?);
    }
    for name in [SERVER, CLIENT] {
        install::remove(&vault.links().join(name))?;
    }
    if install::read(&vault.boot_script())?.as_deref() == Some(BOOT_SCRIPT) {
        install::remove(&vault.boot_script())?;
    }
    for folder in [Some(vault.links().as_path()), vault.boot_script().parent()].into_iter().flatten() {
        // One with something else in it stays.
        let _ = std::fs::remove_dir(folder);
    }
    if progress.is_none() {
        said.push(format!("there is no vault in {}", vault.root().display()));
        return Ok(said);
    }
    remove_tree(&vault.storage())?;
    said.push(format!("removed {}", vault.storage().display()));
    if purge {
        remove_tree(&vault.backups())?;
        said.push(format!("removed {}", vault.backups().display()));
    } else {
        said.push(format!(
            "kept the backups in {}; `hookbin vault remove --purge` removes them",
            vault.backups().display()
        ));
    }
    Ok(said)
}

/// The bytes as they were, if nobody changed the file since; else only the server's entry goes back.
fn restore(progress: &Progress) -> anyhow::Result<Option<String>> {
    let Some(rewritten) = &progress.rewritten else { return Ok(None) };
    let path = progress.source.state_file();
    let Some(now) = install::read(&path)? else { return Ok(None) };
    let original = install::read(&rewritten.original)?;
    let after = match original {
        Some(original) if sha256(now.as_bytes()) == rewritten.after => original,
        _ => restore_server(&now, SERVER, progress.server_before.as_deref())
            .with_context(|| format!("cannot edit {}; correct it first, nothing was removed", path.display()))?,
    };
    let change = Change { path: path.clone(), before: Some(now), after: Some(after) };
    if !change.is_needed() {
        return Ok(None);
    }
    change.make()?;
    Ok(Some(format!("{} starts {SERVER} as it did before", path.display())))
}

fn remove_tree(folder: &Path) -> anyhow::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}
