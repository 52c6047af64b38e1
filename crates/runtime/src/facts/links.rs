//! What lies at a path, and where it leads when links are followed.

use std::cell::Cell;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use hook_policy::Entry;

/// Most links whose end is not there that are followed for one path, as the system follows them.
const MAX_LINKS: u32 = 40;

/// Most parts of a path that may be missing.
const MAX_MISSING: usize = 32;

/// Gives a directory with all links followed; some callers remember what they have seen.
type RealDir<'f> = &'f dyn Fn(&Path) -> Option<PathBuf>;

/// Where a path leads when links are followed; `None` if nothing differs.
pub(super) fn real_path(path: &str, real_dir: RealDir<'_>) -> Option<String> {
    // What a process has open is this one's here, and the command's when it runs.
    if ["/proc/self/fd/", "/proc/thread-self/fd/", "/dev/fd/", "/dev/std"].iter().any(|own| path.starts_with(own)) {
        return None;
    }
    let real = deepest_real(Path::new(path), real_dir, &Cell::new(MAX_LINKS))?;
    real.into_os_string().into_string().ok().filter(|real| real != path)
}

/// What lies at a path, its last part not followed.
pub(super) fn entry(path: &str) -> Entry {
    match Path::new(path).symlink_metadata() {
        Ok(metadata) if metadata.is_symlink() => Entry::Link,
        Ok(metadata) if metadata.is_dir() => Entry::Dir,
        Ok(_) => Entry::Plain,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Entry::Missing,
        Err(_) => Entry::Unknown,
    }
}

/// The path with all links followed, also those whose end is not there yet: what is written through one comes to be at that end.
fn deepest_real(path: &Path, real_dir: RealDir<'_>, links: &Cell<u32>) -> Option<PathBuf> {
    let mut missing = Vec::new();
    let mut existing = path;
    let real = loop {
        let Some((dir, name)) = existing.parent().zip(existing.file_name()) else {
            break std::fs::canonicalize(existing).ok()?;
        };
        // One look tells a plain name, whose directory alone has to be followed, from a link and from nothing. A slash behind the name
        // would follow it.
        match dir.join(name).symlink_metadata() {
            Ok(metadata) if !metadata.is_symlink() => break real_dir(dir)?.join(name),
            Ok(_) => match std::fs::canonicalize(existing) {
                Ok(real) => break real,
                Err(_) => break end_of_link(dir, name, real_dir, links)?,
            },
            Err(_) => {}
        }
        missing.push(name);
        existing = dir;
        if missing.len() > MAX_MISSING {
            return None;
        }
    };
    Some(missing.iter().rev().fold(real, |real, part| real.join(part)))
}

/// Where a link leads whose end is not there.
fn end_of_link(dir: &Path, name: &OsStr, real_dir: RealDir<'_>, links: &Cell<u32>) -> Option<PathBuf> {
    links.set(links.get().checked_sub(1)?);
    let mut end = real_dir(dir)?;
    for part in std::fs::read_link(dir.join(name)).ok()?.components() {
        match part {
            Component::ParentDir => drop(end.pop()),
            Component::Normal(name) => end = deepest_real(&end.join(name), real_dir, links)?,
            Component::RootDir | Component::Prefix(_) => end.push(part),
            Component::CurDir => {}
        }
    }
    Some(end)
}
