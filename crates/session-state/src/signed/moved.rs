//! A directory that was moved or copied: its document came along, its key store lies under the name of the directory where it was before.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::DOCUMENT;
use super::key_store::{Good, KeyStore};
use crate::store::list;

/// Where a document was signed that came along with its directory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moved {
    /// The directory in which it was signed last, where that is known.
    pub from: Option<PathBuf>,
    /// That directory is still there with a document of its own, or nobody knows whether it is.
    pub copied: bool,
    /// The key store under the old name.
    pub(super) key_store: PathBuf,
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.from, self.copied) {
            (Some(from), false) => write!(f, "this directory was moved here from {}", from.display())?,
            (Some(from), true) => write!(f, "this directory was copied here from {}", from.display())?,
            (None, _) => f.write_str("this directory was moved or copied here")?,
        }
        f.write_str("; its signed state came along and holds, so nothing has to be done")
    }
}

/// What the lock file says of the place where something was signed last.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Nothing was signed beside this file.
    Nothing,
    /// It was signed in this directory.
    Here,
    /// It was signed under the key store of this name.
    There(String),
    /// It was signed by a version that did not say where.
    Somewhere,
}

impl Mark {
    pub(super) fn read(lock: &Path, key_store: Option<&Path>) -> Self {
        let is_small = fs::symlink_metadata(lock).is_ok_and(|meta| meta.is_file() && meta.len() < 1_000);
        let text = if is_small { fs::read_to_string(lock).unwrap_or_default() } else { return Self::Nothing };
        let here = key_store.and_then(Path::file_name).and_then(|name| name.to_str());
        match text.trim_end().split_once(' ') {
            _ if text.is_empty() => Self::Nothing,
            Some((_, name)) if Some(name) == here => Self::Here,
            Some((_, name)) if !name.contains('/') => Self::There(name.to_owned()),
            _ => Self::Somewhere,
        }
    }
}

/// The key store of a document that was signed under another directory's name: the one that the mark names, else the one with this key.
pub(super) fn find(here: &Path, mark: &Mark, key: Option<&str>) -> Option<(PathBuf, Good)> {
    let dir = here.parent()?;
    let good = |path: &Path| match KeyStore::read(path) {
        KeyStore::Good(good) if good.last.is_some() => Some(good),
        _ => None,
    };
    if let Mark::There(name) = mark {
        let path = dir.join(name);
        if let Some(found) = good(&path) {
            return Some((path, found));
        }
    }
    let key = key?;
    let key_stores =
        list(dir).ok()?.into_iter().filter(|name| name.strip_suffix(".key").is_some()).map(|name| dir.join(name));
    key_stores
        .filter(|path| path != here)
        .find_map(|path| good(&path).filter(|found| found.key.name() == key).map(|found| (path, found)))
}

/// What became of the directory where the document was signed; `None` where it is this very directory under another name.
pub(super) fn since(good: &Good, key_store: PathBuf, dir: &Path) -> Option<Moved> {
    let from = good.project.clone();
    let there = from.as_ref().map(|from| from.join(dir.file_name().unwrap_or_default()).join(DOCUMENT));
    let real = |path: &Path| fs::canonicalize(path).ok();
    let there_now = there.as_deref().and_then(real);
    if there_now.is_some() && there_now == real(&dir.join(DOCUMENT)) {
        return None;
    }
    Some(Moved { copied: from.is_none() || there_now.is_some(), from, key_store })
}
