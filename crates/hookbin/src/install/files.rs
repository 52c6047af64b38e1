//! Files of an installation: read whole, replaced in one step, copied with their mode.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use chrono::{DateTime, Utc};

use crate::project::Project;

/// Copies of a settings file that are kept.
const BACKUPS: usize = 5;

/// The text of a file; `None` when there is none.
pub(super) fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if path.symlink_metadata().is_ok() {
                bail!("{} is a link to nothing; remove it or make its target", path.display());
            }
            return Ok(None);
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        Ok(metadata) if !metadata.is_file() => bail!("{} is not a plain file", path.display()),
        Ok(_) => {}
    }
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(_) => bail!("{} is not UTF-8 text; nothing was changed", path.display()),
    }
}

/// Replaces a file's content in one step: the old bytes or the new ones are there, never anything else. A link stays a link; mode
/// and owner stay.
pub(super) fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    replace_with(path, text, 0o644)
}

/// The same for a file of our own, which is for the owner alone.
pub(super) fn replace_own(path: &Path, text: &str) -> anyhow::Result<()> {
    replace_with(path, text, 0o600)
}

fn replace_with(path: &Path, text: &str, new_mode: u32) -> anyhow::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().context("the path has no folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    write_beside(&target, folder, text.as_bytes(), fs::metadata(&target).ok().as_ref(), new_mode)
        .with_context(|| format!("cannot write {}; the old content is untouched", path.display()))
}

/// `like` is the file that is replaced; one that is new gets `new_mode`.
fn write_beside(
    target: &Path,
    folder: &Path,
    bytes: &[u8],
    like: Option<&fs::Metadata>,
    new_mode: u32,
) -> anyhow::Result<()> {
    let mut temporary = tempfile::Builder::new().prefix(".hookbin-").tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
        let mode = like.map_or(new_mode, |metadata| metadata.permissions().mode() & 0o7777);
        if let Some(metadata) = like {
            let own = temporary.as_file().metadata()?;
            if (own.uid(), own.gid()) != (metadata.uid(), metadata.gid()) {
                chown(temporary.path(), Some(metadata.uid()), Some(metadata.gid()))?;
            }
        }
        temporary.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = (like, new_mode);
    // Rare and precious: here the content is on the disk before its name is.
    temporary.as_file().sync_all()?;
    temporary.persist(target)?;
    Ok(())
}

/// Removes a file that may not be there.
pub(super) fn remove(path: &Path) -> anyhow::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// A lock that one installation of a project holds at a time.
pub(super) fn lock(project: &Project) -> anyhow::Result<File> {
    project.prepare().with_context(|| format!("cannot make {}", project.own().display()))?;
    let path = project.own().join(".gitignore");
    let file = File::open(&path).with_context(|| format!("cannot open {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => {
            bail!("another installation is at work in {}; try again", project.root().display())
        }
        Err(fs::TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot lock {}", path.display())),
    }
}

/// Puts a copy of the running executable there, unless the same bytes are there already. A running older copy goes on undisturbed.
pub(super) fn place_executable(target: &Path) -> anyhow::Result<bool> {
    let own = std::env::current_exe().context("cannot find the running executable")?;
    let bytes = fs::read(&own).with_context(|| format!("cannot read {}", own.display()))?;
    if fs::read(target).is_ok_and(|present| present == bytes) && is_executable(target) {
        return Ok(false);
    }
    let folder = target.parent().context("the path has no folder")?;
    let mut temporary = tempfile::Builder::new().prefix(".hookbin-").tempfile_in(folder)?;
    temporary.write_all(&bytes)?;
    #[cfg(unix)]
    temporary.as_file().set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    temporary.as_file().sync_all()?;
    temporary.persist(target).with_context(|| format!("cannot place {}", target.display()))?;
    Ok(true)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 == 0o111)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Keeps a dated copy of the file beside it, and at most [`BACKUPS`] of them.
pub(super) fn back_up(path: &Path, now: DateTime<Utc>) -> anyhow::Result<PathBuf> {
    let name = path.file_name().context("the path has no name")?.to_string_lossy().into_owned();
    let folder = path.parent().context("the path has no folder")?;
    let prefix = format!("{name}.hookbin-");
    let mut stamp = now.format("%Y%m%d-%H%M%S").to_string();
    for again in 2.. {
        if !folder.join(format!("{prefix}{stamp}")).exists() {
            break;
        }
        stamp = format!("{}-{again}", now.format("%Y%m%d-%H%M%S"));
    }
    let backup = folder.join(format!("{prefix}{stamp}"));
    fs::copy(path, &backup).with_context(|| format!("cannot keep a copy of {}", path.display()))?;
    let names = fs::read_dir(folder)?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut copies: Vec<String> = names.filter(|name| name.starts_with(&prefix)).collect();
    copies.sort();
    for old in copies.iter().take(copies.len().saturating_sub(BACKUPS)) {
        remove(&folder.join(old))?;
    }
    Ok(backup)
}

/// Removes what is left of the project's own folder. Recorded state and log stay unless `purge` is set; the caller is told where.
pub(super) fn clear(project: &Project, purge: bool) -> anyhow::Result<Vec<String>> {
    let own = project.own();
    let recorded = [project.state(), project.log()].into_iter().filter(|folder| folder.exists()).collect::<Vec<_>>();
    if !recorded.is_empty() && !purge {
        let kept = recorded.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(" and ");
        return Ok(vec![format!("kept what was recorded in {kept}; `hookbin uninstall --purge` removes it")]);
    }
    for folder in recorded {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    remove(&own.join(".gitignore"))?;
    match fs::remove_dir(&own) {
        Ok(()) => {
            // The settings folder goes too if it was made for us and is empty again.
            let _ = fs::remove_dir(project.root().join(".claude"));
            Ok(vec![format!("removed {}", own.display())])
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Ok(vec![format!("kept {}: {error}", own.display())]),
    }
}
