//! What is known of a git repository: read from its own small files, and asked of git itself where that alone knows.

use std::path::{Path, PathBuf};
use std::time::Duration;

use hook_policy::repository::{Head, Operation, Repository};
use hook_shell::resolve::setting_runs;

use crate::facts::{MAX_FILE_BYTES, read_small};
use crate::programs::git_config;
use crate::programs::git_place::{self, Place};
use crate::programs::launch::{self, Kind};
use crate::programs::process::{self, Bounds, End};
use crate::system::System;
use crate::system::open::{self, Beneath};
use crate::trust::strangers;

/// Its executable.
const NAMES: &[&str] = if cfg!(windows) { &["git.exe"] } else { &["git"] };

/// How long git may take. Nothing on the harmless path waits for it.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Most bytes of a list that git prints.
const MAX_OUTPUT: usize = 32 << 20;

/// A list of packed references that is longer than this has more than its heading.
const HEADING_BYTES: u64 = 100;

/// Directories of references that are looked through for one commit.
const MAX_DIRS: usize = 64;

/// The repository that `dir` lies in. Starts no process.
pub fn repository(dir: &Path, system: &System) -> Option<Repository> {
    let real = dir.ancestors().find_map(|dir| std::fs::canonicalize(dir).ok())?;
    let place = Place::around(&real)?;
    // What only says that it belongs to another repository is no working tree of that one.
    let is_worktree = place.common != place.git_dir && place.is_own(system);
    let head = head(&place, system);
    let has_commits = match &head {
        Head::Branch(name) => has_ref(&place.common, &format!("refs/heads/{name}")) || has_any_ref(&place.common),
        Head::Detached | Head::Unknown => true,
    };
    let main_top = match (&place.top, is_worktree) {
        (Some(top), false) => Some(top.clone()),
        (Some(_), true) if place.common.ends_with(".git") => place.common.parent().map(Path::to_owned),
        (None, _) | (Some(_), true) => Some(place.common.clone()),
    };
    let is_submodule = place.common == place.git_dir
        && place.is_own(system)
        && place.top.as_ref().is_some_and(|top| !place.git_dir.starts_with(top))
        && place.git_dir.components().any(|part| part.as_os_str() == "modules");
    let text = |path: PathBuf| path.into_os_string().into_string().ok();
    Some(Repository {
        head,
        default_branch: default_branch(&place.common),
        is_worktree,
        is_submodule,
        has_commits,
        operation: operation(&place.git_dir),
        main_top: main_top.and_then(text),
        top: place.top.and_then(text),
    })
}

/// All working trees of the repository that `dir` lies in, as far as each names it in turn.
pub fn trees(dir: &Path) -> Vec<PathBuf> {
    let here = std::fs::canonicalize(dir).ok().and_then(|real| tree(&real)).map(|(top, _)| top);
    here.into_iter().chain(other_trees(dir)).collect()
}

/// The other working trees of the repository whose working tree `dir` lies in. Each of them has to name the repository in turn: a
/// list alone would make any directory one.
pub fn other_trees(dir: &Path) -> Vec<PathBuf> {
    let real = dir.ancestors().find_map(|dir| std::fs::canonicalize(dir).ok());
    let Some(here) = real.and_then(|real| Place::around(&real)).filter(|here| here.agrees) else {
        return Vec::new();
    };
    let main = here.common.parent().filter(|_| here.common.ends_with(".git")).map(Path::to_owned);
    let entries = std::fs::read_dir(here.common.join("worktrees")).into_iter().flatten().flatten();
    let linked = entries.take(MAX_DIRS).filter_map(|entry| {
        let named = text(&entry.path(), "gitdir")?;
        std::fs::canonicalize(Path::new(named.trim())).ok()?.parent().map(Path::to_owned)
    });
    let trees = main.into_iter().chain(linked).filter(|tree| Some(tree) != here.top.as_ref());
    trees.filter(|tree| Place::at(tree).is_some_and(|there| there.agrees && there.common == here.common)).collect()
}

/// Whether git has the file in its index, so that it came with the repository and not from the user; also where git cannot tell.
pub fn is_tracked(dir: &Path, file: &str, system: &System) -> bool {
    let in_repository = std::fs::canonicalize(dir).is_ok_and(|real| Place::around(&real).is_some());
    in_repository
        && ask(dir, &["ls-files", "--", file], PATIENCE, system).is_none_or(|listed| !listed.trim().is_empty())
}

/// The working tree around `dir` that lies in the directory `root` and is neither of the repository around that one nor a submodule of it.
pub fn nested(dir: &Path, root: &Path) -> Option<PathBuf> {
    let (real, root) = (std::fs::canonicalize(dir).ok()?, std::fs::canonicalize(root).ok()?);
    let inside = real.ancestors().take_while(|above| above.starts_with(&root) && **above != root);
    let around = Place::around(&root);
    let is_of_root = |place: &Place| {
        let of =
            |around: &Place| place.common == around.common || place.git_dir.starts_with(around.common.join("modules"));
        place.agrees && around.as_ref().is_some_and(of)
    };
    inside.filter_map(Place::at).find(|place| !is_of_root(place)).map(|place| place.top.unwrap_or(place.git_dir))
}

/// The working tree that `dir` lies in, and the directory with its index; `dir` has no links.
pub fn tree(dir: &Path) -> Option<(PathBuf, PathBuf)> {
    let place = Place::around(dir)?;
    Some((place.top?, place.git_dir))
}

/// Whether a repository or a working tree begins at the directory.
pub fn is_repository(dir: &Path) -> bool {
    Place::at(dir).is_some()
}

/// The directory that all working trees share of the repository in which `dir` lies; `dir` has no links. For a submodule it lies in
/// the repository around it.
pub fn shared_dir(dir: &Path) -> Option<PathBuf> {
    Place::around(dir).map(|place| place.common)
}

/// The files of settings of the repository that `dir` lies in, the weaker first.
pub fn config_files(dir: &Path) -> Vec<PathBuf> {
    let Some(place) = place(dir) else { return Vec::new() };
    vec![place.common.join("config"), place.git_dir.join("config.worktree")]
}

/// The repository that a directory lies in, which may not exist yet.
pub fn place(dir: &Path) -> Option<Place> {
    let real = dir.ancestors().find_map(|dir| std::fs::canonicalize(dir).ok())?;
    Place::around(&real)
}

fn head(place: &Place, system: &System) -> Head {
    if let Some(name) = git_place::linked_branch(&place.git_dir) {
        return Head::Branch(name);
    }
    let Some(text) = text(&place.git_dir, "HEAD") else { return Head::Unknown };
    let text = text.trim();
    match text.strip_prefix("ref:").map(str::trim) {
        // Repositories of the newer reference format keep this name in the file, whatever is checked out.
        Some("refs/heads/.invalid") => asked_head(place, system),
        Some(name) => name.strip_prefix("refs/heads/").map_or(Head::Detached, |name| Head::Branch(name.to_owned())),
        None if is_id(text) => Head::Detached,
        None => Head::Unknown,
    }
}

fn asked_head(place: &Place, system: &System) -> Head {
    let dir = place.top.as_deref().unwrap_or(&place.git_dir);
    match ask(dir, &["rev-parse", "--symbolic-full-name", "HEAD"], PATIENCE, system) {
        Some(name) => {
            name.trim().strip_prefix("refs/heads/").map_or(Head::Detached, |name| Head::Branch(name.to_owned()))
        }
        None => Head::Unknown,
    }
}

fn has_ref(common: &Path, name: &str) -> bool {
    let packed = |text: String| text.lines().any(|line| line.split_once(' ').is_some_and(|(_, packed)| packed == name));
    let is_there = || Beneath::new(common).look(Path::new(name)).is_ok_and(|seen| seen.kind == open::Kind::File);
    is_there() || text(common, "packed-refs").is_some_and(packed)
}

/// Whether any branch, here or of a remote, has a commit.
fn has_any_ref(common: &Path) -> bool {
    if common.join("reftable").is_dir() {
        return true;
    }
    let packed = std::fs::metadata(common.join("packed-refs")).is_ok_and(|metadata| metadata.len() > HEADING_BYTES);
    let mut open = vec![common.join("refs/heads"), common.join("refs/remotes")];
    let mut seen = 0;
    while let Some(dir) = open.pop().filter(|_| !packed && seen < MAX_DIRS) {
        seen += 1;
        let Ok(entries) = std::fs::read_dir(&dir) else { continue };
        for entry in entries.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                // The default branch of a remote names another reference.
                Ok(_) if entry.file_name() != "HEAD" => return true,
                _ => {}
            }
        }
    }
    packed
}

fn default_branch(common: &Path) -> Option<String> {
    let text = text(common, "refs/remotes/origin/HEAD")?;
    text.trim().strip_prefix("ref:")?.trim().strip_prefix("refs/remotes/origin/").map(str::to_owned)
}

fn operation(git_dir: &Path) -> Option<Operation> {
    let found = |names: &[&str]| names.iter().any(|name| git_dir.join(name).symlink_metadata().is_ok());
    if found(&["rebase-merge", "rebase-apply"]) {
        Some(Operation::Rebase)
    } else if text(git_dir, "MERGE_HEAD").and_then(|text| text.lines().next().map(is_id)).unwrap_or(false) {
        // Git takes an empty one for a merge as well, which anybody can make.
        Some(Operation::Merge)
    } else if found(&["CHERRY_PICK_HEAD"]) {
        Some(Operation::CherryPick)
    } else if found(&["REVERT_HEAD"]) {
        Some(Operation::Revert)
    } else {
        None
    }
}

/// The text of a file in a directory of git's. Nothing there is followed that is a link.
fn text(git_dir: &Path, name: &str) -> Option<String> {
    Beneath::new(git_dir).text(Path::new(name), MAX_FILE_BYTES)
}

/// Whether a text is the whole name of a commit.
fn is_id(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The files that differ between the index and the last commit.
pub fn staged(dir: &Path, system: &System) -> Option<Vec<String>> {
    let printed =
        ask(dir, &["diff", "--cached", "--name-only", "--no-ext-diff", "--no-renames", "-z"], PATIENCE, system)?;
    Some(printed.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// What git has to take, whatever the repository's settings say. They could name programs, and a repository that came as an archive, or
/// whose settings the agent wrote, is not to start any here.
const FIXED: &[&str] = &[
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.sshCommand=false",
    "core.untrackedCache=false", "gpg.program=false", "log.showSignature=false", "protocol.allow=never",
    // A bare repository within another one counts only where it was named.
    "safe.bareRepository=explicit",
];

/// The same by variables, which outrank settings.
const FIXED_VARIABLES: &[(&str, &str)] = &[
    // The settings of a repository may allow a protocol by name; this list outranks them.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
];

/// What git prints, if it ends well and in time. It is not asked where it would read another repository than the directory's own. Nothing that the repository's settings name is started, and nothing is locked or
/// fetched. Whether a file differs from the index must not be asked in this way; see [`has_no_filters`].
pub fn ask(dir: &Path, args: &[&str], lock_timeout: Duration, system: &System) -> Option<String> {
    if git_place::leads_elsewhere(dir, system) {
        return None;
    }
    let program = launch::find_tool(NAMES, Some(dir), system)?;
    let mut command = launch::command(&program, Kind::Tool, system).ok()?;
    command.arg("--no-optional-locks");
    for setting in FIXED {
        command.args(["-c", setting]);
    }
    command.envs(FIXED_VARIABLES.iter().copied());
    // Settings of the user's count, since they say whose repositories git reads. They are not looked for where the surroundings say.
    command.env_remove("XDG_CONFIG_HOME");
    if let Some(home) = system.home() {
        command.env("HOME", home);
    }
    // An empty search path would mean the directory that it runs in.
    match launch::joined(&launch::search_path(system.var("PATH").as_deref(), &strangers::dirs(Some(dir), system))) {
        Some(path) => command.env("PATH", path),
        None => command.env_remove("PATH"),
    };
    command.arg("-C").arg(dir).args(args);
    let bounds = Bounds { time: lock_timeout, bytes: MAX_OUTPUT, errors: false };
    let asked = args.first().copied().unwrap_or_default();
    let lost =
        |why: String| system.lost(format!("`git {asked}`, by {}, {why}; what it says is left out", program.display()));
    let ended = match process::run(command, bounds, &mut || true) {
        Ok(ended) => ended,
        Err(error) => {
            lost(format!("did not start: {error}"));
            return None;
        }
    };
    match ended.end {
        // Git says by its exit code that there is nothing to say.
        End::Exited(status) if status.code().is_some() => {}
        End::Exited(status) => lost(format!("was ended: {status}")),
        End::TimedOut => lost(format!("did not end within {} ms", lock_timeout.as_millis())),
        End::GivenUp => {}
    }
    if !ended.is_good() || ended.cut {
        return None;
    }
    String::from_utf8(ended.output).ok()
}

/// Whether a setting may say what git runs, or where it finds more settings or another tree.
fn may_run(key: &str, value: &str) -> bool {
    // Sections, and words in the last part of a name. Some of them run nothing today.
    const SECTIONS: &[&str] = &["filter", "hook", "include", "includeif", "protocol", "pager"];
    const NAMES: &[&str] = &[
        "fsmonitor", "hookspath", "sshcommand", "gitproxy", "askpass", "alternaterefs", "pager", "difffilter",
        "external", "textconv", "program", "command", "worktree",
    ];
    let lower = key.to_ascii_lowercase();
    let section = lower.split('.').next().unwrap_or_default();
    let name = lower.rsplit('.').next().unwrap_or_default();
    let is_driver = section == "diff" && lower.matches('.').count() > 1;
    SECTIONS.contains(&section)
        || is_driver
        || NAMES.iter().any(|word| name.contains(word))
        || [&lower, value].iter().any(|text| text.contains("::"))
        || setting_runs(&lower, value)
}

/// Whether the repository's own settings name no program that git would run.
pub fn names_no_program(dir: &Path) -> bool {
    // What cannot be read as git reads it may name anything.
    let is_plain = |text: String| {
        let mut plain = true;
        let whole = git_config::each(&text, &mut |key, value| plain &= !may_run(key, value));
        plain && whole
    };
    // A directory on the way that could be a repository of its own may be one to git.
    let Some((top, _)) = tree(dir) else {
        return config_files(dir).is_empty() && !dir.ancestors().any(|above| above.join("HEAD").exists());
    };
    let is_doubtful = |above: &Path| above.join("HEAD").exists() || above != top && above.join(".git").exists();
    if dir.ancestors().take_while(|above| above.starts_with(&top)).any(is_doubtful) {
        return false;
    }
    are_all(&config_files(dir), is_plain)
}

/// Whether the repository's own settings name no filter and no further file of settings. A filter is a program that git runs to compare
/// a file with the index, and no setting switches all of them off.
///
/// The text is searched, and not understood: git knows a section only by a name that stands right behind its bracket.
pub fn has_no_filters(dir: &Path) -> bool {
    let is_plain = |text: String| {
        let text = text.to_ascii_lowercase();
        !["[filter", "[include"].iter().any(|section| text.contains(section))
    };
    let files = config_files(dir);
    !files.is_empty() && are_all(&files, is_plain)
}

/// Whether all of these files that are there can be read and have such a text.
fn are_all(files: &[PathBuf], is_plain: impl Fn(String) -> bool) -> bool {
    files.iter().all(|file| match file.symlink_metadata() {
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        Ok(_) => read_small(file).is_some_and(&is_plain),
    })
}
