//! Copies for the owner alone: directories 0700, files 0600 (0700 where they can be executed), names that appear only when they are whole.

use std::fs::{self, DirEntry, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::Error;
use crate::error::{Context as _, bail};
use crate::system::files;
use crate::system::open;

/// How the names of unfinished files and directories begin.
pub(crate) const TEMPORARY: &str = ".hookbin-vault-";

/// Writes a file in one step.
pub(crate) fn write(path: &Path, bytes: &[u8], mode: u32) -> Result<(), Error> {
    place(path, parent(path)?, mode, |file| Ok(file.write_all(bytes)?)).map(drop)
}

/// Removes what an interrupted installation left in a directory.
pub(crate) fn clear(dir: &Path) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(TEMPORARY)) {
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        // What cannot be removed is in nobody's way.
        let _ = if is_dir { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
    }
}

/// Makes a directory for the owner alone, and the missing ones above it.
pub(crate) fn dir(path: &Path) -> Result<(), Error> {
    files::make_dir(path, true)
}

fn parent(path: &Path) -> Result<&Path, Error> {
    path.parent().context("the path has no directory")
}

/// Copies a file; returns its size.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<u64, Error> {
    let (mut source, mode) = open_plain(from)?;
    place(to, parent(to)?, mode, |file| {
        std::io::copy(&mut source, file).with_context(|| format!("cannot copy {}", from.display()))
    })
}

/// Copies a file into `dir` under a name made of its content; returns the name and the size. One that is there already is kept.
/// Until it is whole it lies in `scratch`, because every name in the directory counts at a session's start.
pub(crate) fn copy_blob(
    from: &Path,
    dir: &Path,
    prefix: &str,
    executable: bool,
    scratch: &Path,
) -> Result<(PathBuf, u64), Error> {
    let (hash, size) = hash(from)?;
    let to = dir.join(format!("{prefix}{hash}"));
    let whole =
        to.metadata().is_ok_and(|there| there.len() == size) && self::hash(&to).is_ok_and(|(there, _)| there == hash);
    if !whole {
        let (mut source, _) = open_plain(from)?;
        place(&to, scratch, if executable { 0o700 } else { 0o600 }, |file| {
            std::io::copy(&mut source, file).with_context(|| format!("cannot copy {}", from.display()))
        })?;
    }
    Ok((to, size))
}

/// The SHA-256 of a file in lower-case hexadecimal digits, and its size.
pub(crate) fn hash(path: &Path) -> Result<(String, u64), Error> {
    let (file, _) = open_plain(path)?;
    files::hash(file).with_context(|| format!("cannot read {}", path.display()))
}

/// A SHA-256 over names, kinds, links and contents of a directory, in lower-case hexadecimal digits.
pub(crate) fn hash_tree(dir: &Path) -> Result<String, Error> {
    let mut hasher = Sha256::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(relative) = waiting.pop() {
        for entry in list(&dir.join(&relative))? {
            let inside = relative.join(entry.file_name());
            let kind = entry.file_type()?;
            let said = if kind.is_file() {
                let (content, _) = hash(&entry.path())?;
                let (_, mode) = open_plain(&entry.path())?;
                format!("{mode:o} {content}")
            } else if kind.is_symlink() {
                let target = fs::read_link(entry.path())?;
                format!("link {}", files::sha256(target.as_os_str().as_encoded_bytes()))
            } else {
                "folder".to_owned()
            };
            let name = files::sha256(inside.as_os_str().as_encoded_bytes());
            hasher.update(format!("{name} {said}\n"));
            if kind.is_dir() {
                waiting.push(inside);
            }
        }
    }
    Ok(files::hexadecimal(&hasher.finalize()))
}

/// Copies a directory into a fresh one in `scratch` that then takes the place of `to`. `skip` names what stays out, by path relative to `from`.
/// Links are copied as links and never followed; pipes, sockets and devices stay out. Returns the bytes of all files.
pub(crate) fn copy_tree(from: &Path, to: &Path, skip: &dyn Fn(&Path) -> bool, scratch: &Path) -> Result<u64, Error> {
    let fresh = tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(scratch)?;
    files::set_mode(fresh.path(), 0o700)?;
    files::inherit_owner(fresh.path())?;
    let mut bytes = 0;
    let mut waiting = vec![PathBuf::new()];
    while let Some(relative) = waiting.pop() {
        let target = fresh.path().join(&relative);
        dir(&target)?;
        for entry in list(&from.join(&relative))? {
            let inside = relative.join(entry.file_name());
            if skip(&inside) {
                continue;
            }
            let kind = entry.file_type()?;
            if kind.is_dir() {
                waiting.push(inside);
            } else if kind.is_file() {
                bytes += copy(&entry.path(), &fresh.path().join(&inside))?;
            } else if kind.is_symlink() {
                copy_link(&entry.path(), &fresh.path().join(&inside))?;
            }
        }
    }
    // Two names cannot be exchanged for one portably; between the two steps the old copy is there under its other name.
    let old = tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(scratch)?;
    if to.exists() {
        fs::rename(to, old.path().join("old")).with_context(|| format!("cannot move {} away", to.display()))?;
    }
    fs::rename(fresh.keep(), to).with_context(|| format!("cannot place {}", to.display()))?;
    Ok(bytes)
}

fn list(dir: &Path) -> Result<Vec<DirEntry>, Error> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let mut entries: Vec<DirEntry> = entries.collect::<Result<_, _>>()?;
    entries.sort_by_key(DirEntry::file_name);
    Ok(entries)
}

#[cfg(unix)]
fn copy_link(from: &Path, to: &Path) -> Result<(), Error> {
    std::os::unix::fs::symlink(fs::read_link(from)?, to).with_context(|| format!("cannot link {}", to.display()))?;
    files::inherit_owner(to)
}

#[cfg(not(unix))]
fn copy_link(_from: &Path, _to: &Path) -> Result<(), Error> {
    Ok(())
}

/// Makes a link in one step.
#[cfg(unix)]
pub(crate) fn link(target: &Path, link: &Path) -> Result<(), Error> {
    if fs::read_link(link).is_ok_and(|there| there == target) {
        return Ok(());
    }
    let place = tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(parent(link)?)?;
    let fresh = place.path().join("link");
    std::os::unix::fs::symlink(target, &fresh)?;
    fs::rename(&fresh, link).with_context(|| format!("cannot link {}", link.display()))?;
    files::inherit_owner(link)
}

#[cfg(not(unix))]
pub(crate) fn link(_target: &Path, link: &Path) -> Result<(), Error> {
    bail!("{}: a vault needs a system with symbolic links", link.display())
}

/// A plain file, and the mode that its copy gets.
fn open_plain(path: &Path) -> Result<(File, u32), Error> {
    let file = open::foreign(path).with_context(|| format!("cannot read {}", path.display()))?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        bail!("{} is not a plain file", path.display());
    }
    #[cfg(unix)]
    let executable = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o100 != 0;
    #[cfg(not(unix))]
    let executable = false;
    Ok((file, if executable { 0o700 } else { 0o600 }))
}

fn place<T>(
    to: &Path,
    scratch: &Path,
    mode: u32,
    fill: impl FnOnce(&mut File) -> Result<T, Error>,
) -> Result<T, Error> {
    dir(parent(to)?)?;
    let mut temporary = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(scratch)?;
    let done = fill(temporary.as_file_mut()).with_context(|| format!("cannot write {}", to.display()))?;
    #[cfg(unix)]
    temporary.as_file().set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    #[cfg(not(unix))]
    let _ = mode;
    temporary.persist(to).with_context(|| format!("cannot place {}", to.display()))?;
    files::inherit_owner(to)?;
    Ok(done)
}
