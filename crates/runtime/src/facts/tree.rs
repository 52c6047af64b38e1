//! What git and the project's files say when somebody has the time to ask: never before a tool call.

use std::path::Path;
use std::time::{Duration, Instant};

use hook_policy::repository::Repository;
use hook_policy::{Churn, Worktree, is_source_file};

use crate::facts::MAX_FILE_BYTES;
use crate::programs::git;
use crate::programs::git_place;
use crate::system::System;
use crate::system::open::Beneath;

/// Commits that are named.
const RECENT: &str = "-5";

/// Worktrees that are named.
const MOST_WORKTREES: usize = 50;

/// Source files that are read for one event, their bytes, and the time for that.
const MOST_FILES: usize = 5_000;
const MOST_BYTES: usize = 64 << 20;
const MOST_TIME: Duration = Duration::from_millis(1_500);

/// Directories that hold no code of the project's own.
pub const SKIPPED: &[&str] = &["node_modules", "vendor", "dist", "build", "target", "__pycache__", "venv"];

/// The state of the working tree.
pub fn worktree(root: &Path, repository: &Repository, system: &System) -> Option<Worktree> {
    if git_place::leads_elsewhere(root, system) {
        return None;
    }
    let time = system.time_for_programs() / 2;
    // To compare files with the index, git runs the filters that settings name.
    let dirty = if git::has_no_filters(root) {
        let status = ["status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=dirty"];
        let status = git::ask(root, &status, time / 2, system)?;
        let dirty = status.split('\0').filter(|entry| !entry.is_empty()).count();
        Some(u32::try_from(dirty).unwrap_or(u32::MAX))
    } else {
        None
    };
    let list = git::ask(root, &["worktree", "list", "--porcelain"], time / 4, system).unwrap_or_default();
    let listed = list.lines().filter_map(|line| line.strip_prefix("worktree "));
    // Git shows what the files of its list say, which may be any text. The first one is where the list itself lies.
    let confirmed = git::trees(root);
    let is_there = |tree: &str| std::fs::canonicalize(tree).is_ok_and(|tree| confirmed.contains(&tree));
    let worktrees = listed.enumerate().filter(|(at, tree)| *at == 0 || is_there(tree)).map(|(_, tree)| tree);
    let recent = if repository.has_commits {
        git::ask(root, &["log", RECENT, "--no-show-signature", "--format=%h %s"], time / 4, system).unwrap_or_default()
    } else {
        String::new()
    };
    Some(Worktree {
        branch: repository.branch().map(str::to_owned),
        dirty,
        worktrees: worktrees.take(MOST_WORKTREES).map(str::to_owned).collect(),
        recent: recent.lines().map(str::to_owned).collect(),
    })
}

/// What commits have changed since a moment, in source files that are still tracked.
pub fn churn(root: &Path, epoch: i64, system: &System) -> Option<Churn> {
    let time = system.time_for_programs() / 2;
    // Git takes a commit of that very second along, which is the one that the plan came from or was written after.
    let since = format!("--since={}", epoch.saturating_add(1));
    let log = git::ask(
        root,
        &["log", &since, "--no-show-signature", "--name-only", "--no-renames", "-z", "--format=%x01"],
        time / 2,
        system,
    )?;
    let commits = log.matches('\u{1}').count();
    let tracked = git::ask(root, &["ls-files", "-z"], time / 2, system)?;
    let sources: std::collections::BTreeSet<&str> = tracked.split('\0').filter(|path| is_source_file(path)).collect();
    let names = log.split(['\0', '\u{1}', '\n']);
    let changed: std::collections::BTreeSet<&str> = names.filter(|path| sources.contains(path)).collect();
    let percent = (changed.len() * 100).checked_div(sources.len()).unwrap_or(0);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Some(Churn { commits: number(commits), percent: number(percent) })
}

/// Shows the source files below directories of the project, within limits. Links are not followed.
pub fn each_source(root: &Path, dirs: &[&str], see: &mut dyn FnMut(&str, &str)) {
    let end = Instant::now() + MOST_TIME;
    let mut open: Vec<_> = dirs.iter().rev().map(|dir| root.join(dir)).collect();
    let (mut files, mut bytes) = (0, 0);
    let beneath = Beneath::new(root);
    while let Some(dir) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&dir) else { continue };
        for entry in entries.flatten() {
            if files >= MOST_FILES || bytes >= MOST_BYTES || Instant::now() >= end {
                return;
            }
            let Ok(name) = entry.file_name().into_string() else { continue };
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) => {
                    open.push(entry.path());
                }
                Ok(kind) if kind.is_file() && is_source_file(&name) => {
                    let path = entry.path();
                    let Some(text) = beneath.text(&path, MAX_FILE_BYTES) else { continue };
                    files += 1;
                    bytes += text.len();
                    if let Some(inside) = path.strip_prefix(root).ok().and_then(Path::to_str) {
                        see(inside, &text);
                    }
                }
                _ => {}
            }
        }
    }
}
