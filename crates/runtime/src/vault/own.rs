//! The names in a project that are a vault's own: what an installation must not find, and what taking out takes.

use std::fs;
use std::path::{Path, PathBuf};

use super::phases::{BOOT_SCRIPT, CONFIGS, DIRS};
use super::private::TEMPORARY;
use super::verify::others_may_look;
use super::{CLIENT, Progress, SERVER, Vault};
use crate::Error;
use crate::error::{bail, ensure};
use crate::installation::shell_quote;
use crate::system::files;

/// How a blob of the history is named before its hash.
pub(crate) const HISTORY_BLOB: &str = "claude-history-";

/// First line of the ignore files that a vault writes.
const IGNORE_HEAD: &str = "# Private data of the contained client.\n";

/// The host's file of state, in the staging directory and in a backup.
pub(crate) const STATE_COPY: &str = "claude.json";

/// What is in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Nothing,
    /// Exactly what a vault puts there.
    Ours,
    Foreign,
}

/// Refuses whatever an installation would overwrite, follow out of the project, or show to others.
pub(crate) fn check(vault: &Vault, installed: bool) -> Result<(), Error> {
    for file in vault.files() {
        let between = file.ancestors().skip(1).take_while(|dir| *dir != vault.root());
        for dir in between {
            let Ok(metadata) = dir.symlink_metadata() else { continue };
            ensure!(metadata.is_dir(), "preflight: {} is not a directory; move it away", dir.display());
        }
    }
    for dir in [vault.storage(), vault.backups(), vault.links(), vault.staging(), vault.blobs()] {
        let Ok(metadata) = dir.symlink_metadata() else { continue };
        ensure!(metadata.is_dir(), "preflight: {} is not a directory; move it away", dir.display());
        ensure!(
            !others_may_look(&dir),
            "preflight: others may look into {}; `chmod 700 {}` first",
            dir.display(),
            shell_quote(&dir.to_string_lossy())
        );
    }
    let mut foreign: Vec<PathBuf> = Vec::new();
    foreign.extend(
        [SERVER, CLIENT]
            .map(|name| vault.links().join(name))
            .into_iter()
            .filter(|path| link(vault, path) == Found::Foreign),
    );
    foreign.extend([(vault.boot_script(), boot_script(vault))].into_iter().filter_map(only_foreign));
    let ignores = [vault.storage(), vault.backups()].map(|dir| dir.join(".gitignore"));
    foreign.extend(ignores.into_iter().map(|path| (path.clone(), ignore(&path))).filter_map(only_foreign));
    if !installed {
        foreign.extend(stored(vault));
        // A note of an earlier vault, whose backups were kept, is no obstacle.
        let second = vault.second_note();
        let is_ours = matches!(Progress::of_backups(vault), Ok(Some(_)));
        foreign.extend((second.symlink_metadata().is_ok() && !is_ours).then_some(second));
    }
    if let Some(path) = foreign.first() {
        bail!(
            "preflight: {} is there already and is not the vault's; move it away, the vault needs the name",
            path.display()
        );
    }
    Ok(())
}

fn only_foreign((path, found): (PathBuf, Found)) -> Option<PathBuf> {
    (found == Found::Foreign).then_some(path)
}

/// A link of ours leads to a blob.
fn link(vault: &Vault, path: &Path) -> Found {
    let Ok(metadata) = path.symlink_metadata() else { return Found::Nothing };
    let blobs = Path::new("..").join(&vault.places.blobs);
    let ours = metadata.is_symlink() && fs::read_link(path).is_ok_and(|target| target.starts_with(blobs));
    if ours { Found::Ours } else { Found::Foreign }
}

fn boot_script(vault: &Vault) -> Found {
    let path = vault.boot_script();
    match files::read(&path) {
        Ok(None) => Found::Nothing,
        Ok(Some(text)) if text == BOOT_SCRIPT && !is_link(&path) => Found::Ours,
        _ => Found::Foreign,
    }
}

fn ignore(path: &Path) -> Found {
    match files::read(path) {
        Ok(None) => Found::Nothing,
        Ok(Some(text)) if text.starts_with(IGNORE_HEAD) && !is_link(path) => Found::Ours,
        _ => Found::Foreign,
    }
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink())
}

/// The ignore file of the store or of the backups. It names what is ours and leaves other files of the directory as they are.
pub(crate) fn ignore_text(vault: &Vault, dir: &Path) -> String {
    let mut names: Vec<String> = vec![".gitignore".to_owned(), format!("{TEMPORARY}*"), "vault.json".to_owned()];
    if dir == vault.backups() {
        names.extend(["pre-lmdb5-*".to_owned(), "claude.json-*".to_owned()]);
    } else {
        names.push("agent_state".to_owned());
        let inside = [vault.rows(), vault.manifest(), vault.blobs(), vault.staging()];
        names.extend(inside.iter().filter_map(|path| {
            let first = path.strip_prefix(dir).ok()?.components().next()?;
            Some(first.as_os_str().to_string_lossy().into_owned())
        }));
    }
    names.iter().fold(IGNORE_HEAD.to_owned(), |text, name| text + "/" + name + "\n")
}

/// What stands in the store under a name of ours.
pub(crate) fn stored(vault: &Vault) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = list(&vault.blobs()).into_iter().filter(|path| is_blob(path)).collect();
    let configs = CONFIGS.iter().copied().chain([STATE_COPY]);
    found.extend(configs.map(|name| vault.staging().join(name)));
    found.extend([vault.rows(), vault.manifest()]);
    found.retain(|path| path.symlink_metadata().is_ok());
    found
}

fn list(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    entries.flatten().map(|entry| entry.path()).collect()
}

/// Whether a file or directory has a name that an installation gives to a blob.
pub(crate) fn is_blob(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let is_hash = |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash(name)
        || name == CLIENT
        || name.strip_prefix(HISTORY_BLOB).is_some_and(is_hash)
        || name.strip_prefix("claude-").is_some_and(|name| DIRS.contains(&name))
}

/// Takes the links and the boot script out, as far as they are ours.
pub(crate) fn take_out(vault: &Vault) -> Result<(), Error> {
    for path in [SERVER, CLIENT].map(|name| vault.links().join(name)) {
        if link(vault, &path) == Found::Ours {
            files::remove(&path)?;
        }
    }
    if boot_script(vault) == Found::Ours {
        files::remove(&vault.boot_script())?;
    }
    Ok(())
}

/// Takes the content of the store out, as far as it is ours.
pub(crate) fn empty_store(vault: &Vault) -> Result<(), Error> {
    for path in stored(vault) {
        files::remove_tree(&path)?;
    }
    take_ignore(&vault.storage())
}

/// Takes the ignore file of a directory out, if it is ours.
pub(crate) fn take_ignore(dir: &Path) -> Result<(), Error> {
    let path = dir.join(".gitignore");
    if ignore(&path) == Found::Ours { files::remove(&path) } else { Ok(()) }
}

/// Removes the directories that the vault made, innermost first, as far as they are empty. Returns those that stay.
pub(crate) fn remove_dirs(vault: &Vault, dirs: &[PathBuf], made: &[String]) -> Vec<PathBuf> {
    let mut stay = Vec::new();
    for dir in dirs.iter().rev().filter(|dir| dir.exists()) {
        let is_made = made.iter().any(|name| vault.root().join(name) == **dir);
        // One with something else in it stays.
        if is_made && fs::remove_dir(dir).is_err() {
            stay.push(dir.clone());
        }
    }
    stay
}
