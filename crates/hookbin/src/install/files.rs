//! Files of an installation: read whole, replaced in one step, copied with their mode.

use std::fs::{self, File, Metadata};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use chrono::{DateTime, Utc};
use serde::{Serialize as _, Serializer};
use sha2::{Digest, Sha256};

use super::pieces;
use crate::open;

/// Copies of a settings file that are kept.
const BACKUPS: usize = 5;

/// How the names of unfinished files begin.
pub(crate) const TEMPORARY: &str = ".hookbin-";

/// The text of a file; `None` when there is none.
pub(crate) fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if path.symlink_metadata().is_ok() {
                bail!("{} is a link to nothing; remove it or make its target", path.display());
            }
            return Ok(None);
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        Ok(metadata) if !metadata.is_file() => bail!("{} is not a plain file; move it away", path.display()),
        Ok(_) => {}
    }
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(_) => bail!("{} is not UTF-8 text; save it as UTF-8", path.display()),
    }
}

/// One file that is to hold other text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: PathBuf,
    /// What it holds; `None` when it is not there.
    pub(crate) before: Option<String>,
    /// What it is to hold; `None` when it is to go.
    pub(crate) after: Option<String>,
}

impl Change {
    pub(crate) fn is_needed(&self) -> bool {
        self.before != self.after
    }

    /// As a unified diff; a file that is not there is `/dev/null`, as in git's.
    pub(crate) fn diff(&self) -> String {
        let name = self.path.display().to_string();
        let side = |text: &Option<String>| if text.is_some() { name.clone() } else { "/dev/null".to_owned() };
        let (before, after) = (self.before.as_deref().unwrap_or_default(), self.after.as_deref().unwrap_or_default());
        similar::TextDiff::from_lines(before, after)
            .unified_diff()
            .header(&side(&self.before), &side(&self.after))
            .to_string()
    }

    /// Makes the change in one step: the old bytes or the new ones are there, never anything else. A link stays a link; mode and
    /// owner stay. Somebody else's change since the file was read is refused, not overwritten.
    pub(crate) fn make(&self) -> anyhow::Result<()> {
        ensure!(
            read(&self.path)? == self.before,
            "{} was changed by another process meanwhile; nothing was written, try again",
            self.path.display()
        );
        match &self.after {
            None => remove(&self.path),
            Some(after) => replace(&self.path, after, 0o644),
        }
    }

    /// Takes the change back, as long as nobody else changed the file since.
    pub(super) fn undo(&self) {
        let back = Self { path: self.path.clone(), before: self.after.clone(), after: self.before.clone() };
        // It runs after a failure, whose message is the one that counts.
        let _ = back.make();
    }
}

/// Where a path leads when all links are followed; the path itself where nothing is.
pub(crate) fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Replaces a file's content in one step, or makes it with this mode.
pub(crate) fn replace(path: &Path, text: &str, new_mode: u32) -> anyhow::Result<()> {
    let target = real(path);
    let folder = target.parent().context("the path has no folder")?;
    make_folder(folder, false)?;
    write_beside(&target, folder, &[text.as_bytes()], new_mode, fs::metadata(&target).ok().as_ref())
        .with_context(|| format!("cannot write {}; the old content is untouched", path.display()))
}

/// `like` is the file that is replaced, whose mode and owner stay.
fn write_beside(
    target: &Path,
    folder: &Path,
    pieces: &[&[u8]],
    new_mode: u32,
    like: Option<&Metadata>,
) -> anyhow::Result<()> {
    let mut temporary = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder)?;
    for piece in pieces {
        temporary.write_all(piece)?;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
        let mode = like.map_or(new_mode, |metadata| metadata.permissions().mode() & 0o7777);
        let own = temporary.as_file().metadata()?;
        match like {
            Some(metadata) if (own.uid(), own.gid()) != (metadata.uid(), metadata.gid()) => {
                chown(temporary.path(), Some(metadata.uid()), Some(metadata.gid()))?;
            }
            Some(_) => {}
            None => inherit_owner(temporary.path())?,
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

/// Gives what root made to whom the folder around it belongs: who installs as root must not lock the person out.
#[cfg(unix)]
pub(crate) fn inherit_owner(path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::{MetadataExt, lchown};
    let (Ok(own), Some(Ok(folder))) = (path.symlink_metadata(), path.parent().map(fs::metadata)) else { return Ok(()) };
    if own.uid() == 0 && folder.uid() != 0 {
        lchown(path, Some(folder.uid()), Some(folder.gid()))
            .with_context(|| format!("cannot give {} to its owner", path.display()))?;
    }
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn inherit_owner(_path: &Path) -> anyhow::Result<()> {
    Ok(())
}

/// Makes a folder and the missing ones above it for the owner alone or as usual; they belong to whom the folder around them belongs.
pub(crate) fn make_folder(folder: &Path, is_private: bool) -> anyhow::Result<()> {
    let mut missing: Vec<&Path> = folder.ancestors().take_while(|folder| !folder.exists()).collect();
    missing.reverse();
    for folder in missing {
        let made = if is_private { open::private_folder(folder) } else { fs::create_dir_all(folder) };
        made.with_context(|| format!("cannot make {}", folder.display()))?;
        inherit_owner(folder)?;
    }
    ensure!(folder.is_dir(), "{} is not a folder; move it away", folder.display());
    Ok(())
}

/// Refuses folders in which nothing could be made, as far as that can be told without making anything.
#[cfg(unix)]
pub(super) fn check_writable<'f>(folders: impl Iterator<Item = &'f PathBuf>) -> anyhow::Result<()> {
    use rustix::fs::{Access, AtFlags, CWD, accessat};
    for folder in folders {
        let Some(there) = folder.ancestors().find(|folder| folder.exists()) else { continue };
        accessat(CWD, there, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS)
            .with_context(|| format!("nothing can be written in {}; make it writable", there.display()))?;
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn check_writable<'f>(_folders: impl Iterator<Item = &'f PathBuf>) -> anyhow::Result<()> {
    Ok(())
}

/// Removes a file that may not be there.
pub(crate) fn remove(path: &Path) -> anyhow::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Removes a file or a folder with all that is in it, which may not be there; of a link, the link.
pub(crate) fn remove_tree(path: &Path) -> anyhow::Result<()> {
    let Ok(metadata) = path.symlink_metadata() else { return Ok(()) };
    let removed = if metadata.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    removed.with_context(|| format!("cannot remove {}", path.display()))
}

/// Removes what an interrupted installation left in a folder: unfinished files. Only under the lock, where nobody else writes any.
pub(crate) fn clear_temporaries(folder: &Path) -> Vec<PathBuf> {
    let found = temporaries(folder);
    found.into_iter().filter(|path| fs::remove_file(path).is_ok()).collect()
}

/// The unfinished files in a folder.
pub(crate) fn temporaries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_ours = |name: &str| name.strip_prefix(TEMPORARY).is_some_and(|rest| rest.len() == 6);
    let paths = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        (is_ours(entry.file_name().to_str()?) && entry.file_type().ok()?.is_file()).then(|| entry.path())
    });
    paths.collect()
}

/// A lock that one installation of a place holds at a time. It is on a folder, so that it leaves nothing behind.
#[cfg(unix)]
pub(crate) fn lock(folder: &Path) -> anyhow::Result<Option<File>> {
    let file = File::open(folder).with_context(|| format!("cannot open {}", folder.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(fs::TryLockError::WouldBlock) => {
            bail!("another installation is at work in {}; try again", folder.display())
        }
        // A file system without locks has one person at work, or nobody can tell.
        Err(fs::TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot lock {}", folder.display())),
    }
}

/// Folders cannot be opened here; that a file was changed meanwhile is seen all the same.
#[cfg(not(unix))]
pub(crate) fn lock(_folder: &Path) -> anyhow::Result<Option<File>> {
    Ok(None)
}

/// Puts these bytes there as an executable, unless they are there already. A running older copy goes on undisturbed.
pub(super) fn place_executable(target: &Path, bytes: &[u8]) -> anyhow::Result<bool> {
    if fs::read(target).is_ok_and(|present| present == bytes) && is_whole_executable(target) {
        return Ok(false);
    }
    let folder = target.parent().context("the path has no folder")?;
    let pieces = pieces::of(bytes);
    write_beside(target, folder, &pieces, 0o755, None).with_context(|| format!("cannot place {}", target.display()))?;
    Ok(true)
}

/// Gives a file or folder a mode, where the system has modes.
pub(crate) fn set_mode(path: &Path, mode: u32) -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
        fs::set_permissions(path, permissions)
            .with_context(|| format!("cannot change the mode of {}", path.display()))?;
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
    Ok(())
}

/// The SHA-256 of bytes, in lower-case hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The SHA-256 of everything that can be read, in lower-case hexadecimal digits, and how many bytes that were.
pub(crate) fn hash(mut from: impl Read) -> std::io::Result<(String, u64)> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    let mut bytes = 0;
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok((hexadecimal(&hasher.finalize()), bytes)),
            Ok(read) => {
                bytes += read as u64;
                hasher.update(buffer.get(..read).unwrap_or_default());
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Bytes in lower-case hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

/// Serializes a path for people and programs; what of it is no Unicode text is replaced, since JSON has no place for it.
pub(crate) fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// The same for a path that may be missing.
#[allow(clippy::ref_option, reason = "this is the form that the derive calls")]
pub(crate) fn lossy_option<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_deref().map(Path::to_string_lossy).serialize(serializer)
}

#[cfg(unix)]
fn is_whole_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::symlink_metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o777 == 0o755)
}

#[cfg(not(unix))]
fn is_whole_executable(path: &Path) -> bool {
    path.is_file()
}

/// Keeps a dated copy of a settings text for its owner alone, and at most [`BACKUPS`] of one name.
pub(super) fn back_up(settings: &Path, text: &str, own: &Path, now: DateTime<Utc>) -> anyhow::Result<PathBuf> {
    let folder = own.join("backup");
    make_folder(&folder, true)?;
    let prefix = backup_prefix(settings)?;
    let stamp = now.format("%Y%m%d-%H%M%S");
    // The number keeps the order of copies of one second.
    let free = (0..1000).map(|again| folder.join(format!("{prefix}{stamp}.{again:03}"))).find(|path| !path.exists());
    let backup = free.with_context(|| format!("{} is full of copies of this second", folder.display()))?;
    replace(&backup, text, 0o600)?;
    let copies = backups(settings, own)?;
    for old in copies.iter().take(copies.len().saturating_sub(BACKUPS)) {
        remove(old)?;
    }
    Ok(backup)
}

/// The copies of a settings file, oldest first.
pub(super) fn backups(settings: &Path, own: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let prefix = backup_prefix(settings)?;
    let Ok(entries) = fs::read_dir(own.join("backup")) else { return Ok(Vec::new()) };
    let mut copies: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    copies.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)));
    copies.sort();
    Ok(copies)
}

fn backup_prefix(settings: &Path) -> anyhow::Result<String> {
    Ok(format!("{}-", settings.file_name().context("the path has no name")?.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::Change;

    #[test]
    fn somebody_elses_change_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let change = Change { path: path.clone(), before: Some("old".into()), after: Some("new".into()) };
        std::fs::write(&path, "theirs").unwrap();
        assert!(change.make().unwrap_err().to_string().contains("changed by another process"));
        change.undo();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "theirs");
        std::fs::write(&path, "old").unwrap();
        change.make().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        change.undo();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    }
}
