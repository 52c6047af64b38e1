//! The way that a path takes through the file system.

use std::ffi::OsString;
use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};

/// Most links that are followed, as the system has it.
const MOST_LINKS: usize = 40;

/// A path without steps that stay or lead up, by its text alone.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// Every directory, link and file that the system passes on the way to what `path` leads to, in its order and that itself last. Each is
/// named by the real path of the directory that it stands in. `None` where the way ends somewhere.
pub fn steps(path: &Path) -> Option<Vec<(PathBuf, Metadata)>> {
    let parts = |path: &Path| path.iter().rev().map(OsString::from).collect::<Vec<_>>();
    let mut ahead = parts(path);
    let mut here = PathBuf::new();
    let mut steps = Vec::new();
    let mut links = 0;
    while let Some(part) = ahead.pop() {
        match Path::new(&part).components().next()? {
            Component::ParentDir => drop(here.pop()),
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir => here.push(&part),
            Component::Normal(name) => {
                let step = here.join(name);
                let metadata = step.symlink_metadata().ok()?;
                if metadata.is_symlink() {
                    links += 1;
                    let target = std::fs::read_link(&step).ok().filter(|_| links <= MOST_LINKS)?;
                    ahead.extend(parts(&target));
                } else {
                    here.clone_from(&step);
                }
                steps.push((step, metadata));
            }
        }
    }
    Some(steps)
}
