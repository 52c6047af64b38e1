//! Where a repository keeps its files, and whether these are its own.
//!
//! A clone brings its `.git` like any other file, so that file may name a repository of the user's, and links in that directory may lead
//! into one. What lies there would then be shown or believed as if it came with the clone. So where the files lie elsewhere, the other
//! side has to name the working tree in turn, as git's own linked trees and submodules do; or the user trusts the directory.

use std::path::{Path, PathBuf};

use crate::facts::{MAX_FILE_BYTES, read_small};
use crate::programs::git_config;
use crate::project::Project;
use crate::system::System;
use crate::system::open::Beneath;
use crate::trust;

/// Most files of a repository that are looked at for links.
const MOST_ENTRIES: usize = 100_000;

/// How deep its directories are looked through; branches have slashes in their names.
const MOST_LEVELS: usize = 32;

/// Directories of a repository that git is not let use, or that hold other repositories.
const PASSED: &[&str] = &["annex", "hooks", "lfs", "modules"];

/// Files that name further directories with commits.
const ALTERNATES: &[&str] = &["objects/info/alternates", "objects/info/http-alternates"];

/// Where a repository keeps its files.
pub struct Place {
    /// The top of the working tree.
    pub top: Option<PathBuf>,
    /// The files of this working tree.
    pub git_dir: PathBuf,
    /// The files that all working trees share.
    pub common: PathBuf,
    /// They lie in the working tree, or name it in turn.
    pub agrees: bool,
}

impl Place {
    /// The repository that `dir` lies in; `dir` has no links.
    pub fn around(dir: &Path) -> Option<Self> {
        dir.ancestors().find_map(Self::at)
    }

    /// The repository whose working tree, or whose own directory, begins at `dir`.
    pub fn at(dir: &Path) -> Option<Self> {
        let dot = dir.join(".git");
        let git_dir = match std::fs::metadata(&dot) {
            // A directory of that name without a HEAD is no repository, as git sees it.
            Ok(metadata) if metadata.is_dir() => std::fs::canonicalize(&dot).ok().filter(|dir| has_head(dir))?,
            Ok(metadata) if metadata.is_file() => {
                let text = read_small(&dot)?;
                std::fs::canonicalize(dir.join(line(text.strip_prefix("gitdir: ")?))).ok()?
            }
            _ if dir.join("objects").is_dir() && dir.join("refs").is_dir() && has_head(dir) => {
                let (common, is_told) = common(dir);
                let agrees = is_told && common == dir;
                return Some(Self { top: None, git_dir: dir.to_owned(), common, agrees });
            }
            _ => return None,
        };
        let (common, is_told) = common(&git_dir);
        let agrees = is_told && agrees(dir, &git_dir, &common);
        Some(Self { top: Some(dir.to_owned()), git_dir, common, agrees })
    }

    /// Whether the files are the working tree's own, or those of a directory that the user trusts.
    pub fn is_own(&self, system: &System) -> bool {
        self.agrees || self.is_trusted(system)
    }

    fn is_trusted(&self, system: &System) -> bool {
        trust::runs(&Project::at(self.top.as_deref().unwrap_or(&self.git_dir)), system)
    }

    /// Whether git reads nothing of another repository there.
    fn is_closed(&self, system: &System) -> bool {
        self.is_trusted(system) || self.agrees && [&self.git_dir, &self.common].iter().all(|dir| leads_nowhere(dir))
    }
}

/// Whether git, asked in a directory, would read files that the directory's own people did not bring, so that it is not to be asked.
pub fn leads_elsewhere(dir: &Path, system: &System) -> bool {
    let Some(real) = dir.ancestors().find_map(|dir| std::fs::canonicalize(dir).ok()) else { return true };
    for above in real.ancestors() {
        if let Some(place) = Place::at(above) {
            return !place.is_closed(system);
        }
        // Git may understand a file that nobody else does.
        let dot = above.join(".git");
        if dot.is_symlink() || dot.is_file() {
            return true;
        }
    }
    false
}

fn has_head(git_dir: &Path) -> bool {
    git_dir.join("HEAD").symlink_metadata().is_ok()
}

/// What git takes for the path in such a file.
fn line(text: &str) -> &str {
    text.trim_end_matches(['\n', '\r'])
}

/// The directory that working trees share, and whether what names it is understood.
fn common(git_dir: &Path) -> (PathBuf, bool) {
    if git_dir.join("commondir").symlink_metadata().is_err() {
        return (git_dir.to_owned(), true);
    }
    let named = Beneath::new(git_dir).text(Path::new("commondir"), MAX_FILE_BYTES);
    let shared = named.and_then(|named| std::fs::canonicalize(git_dir.join(line(&named))).ok());
    let is_told = shared.is_some();
    (shared.unwrap_or_else(|| git_dir.to_owned()), is_told)
}

/// Whether the files of a repository name the working tree that names them.
fn agrees(top: &Path, git_dir: &Path, common: &Path) -> bool {
    if git_dir != common {
        // A linked tree: its directory lies among those of the repository, and holds the way back.
        let named = || Beneath::new(git_dir).text(Path::new("gitdir"), MAX_FILE_BYTES);
        let back = || std::fs::canonicalize(git_dir.join(line(&named()?))).ok();
        return git_dir.parent() == Some(&common.join("worktrees")) && back() == Some(top.join(".git"));
    }
    git_dir.starts_with(top) || names_tree(git_dir, top)
}

/// Whether a repository's settings name the working tree, as those of a submodule do.
fn names_tree(git_dir: &Path, top: &Path) -> bool {
    let beneath = Beneath::new(git_dir);
    let mut named = None;
    for file in ["config", "config.worktree"] {
        let text = beneath.text(Path::new(file), MAX_FILE_BYTES).unwrap_or_default();
        git_config::each(&text, &mut |key, value| {
            if key == "core.worktree" {
                named = Some(git_dir.join(value));
            }
        });
    }
    named.and_then(|named| std::fs::canonicalize(named).ok()).is_some_and(|named| named == top)
}

/// Whether no link and no list leads out of a repository's directory. What cannot be looked through may lead anywhere.
fn leads_nowhere(git_dir: &Path) -> bool {
    if ALTERNATES.iter().any(|file| git_dir.join(file).symlink_metadata().is_ok()) {
        return false;
    }
    let mut level = vec![git_dir.to_owned()];
    let mut left = MOST_ENTRIES;
    for _ in 0..MOST_LEVELS {
        let mut next = Vec::new();
        for dir in level {
            let Ok(entries) = std::fs::read_dir(&dir) else { return false };
            for entry in entries {
                let Some((entry, rest)) = entry.ok().zip(left.checked_sub(1)) else { return false };
                left = rest;
                let name = entry.file_name();
                if dir == git_dir && PASSED.iter().any(|passed| name == *passed) {
                    continue;
                }
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => next.push(entry.path()),
                    Ok(kind) if kind.is_file() => {}
                    // A HEAD that is a link to a branch is an old way to name it.
                    Ok(kind) if kind.is_symlink() && is_linked_head(git_dir, &entry.path()) => {}
                    // Sockets and pipes of helpers.
                    Ok(kind) if !kind.is_symlink() => {}
                    _ => return false,
                }
            }
        }
        level = next;
    }
    level.is_empty()
}

fn is_linked_head(git_dir: &Path, path: &Path) -> bool {
    path == git_dir.join("HEAD") && linked_branch(git_dir).is_some()
}

/// The branch that a HEAD names which is a link, as git once made them.
pub fn linked_branch(git_dir: &Path) -> Option<String> {
    let named = std::fs::read_link(git_dir.join("HEAD")).ok()?;
    named
        .to_str()?
        .strip_prefix("refs/heads/")
        .filter(|name| !name.split('/').any(|part| part == ".."))
        .map(str::to_owned)
}
