//! The account that this process runs under, as the system's list of accounts has it.
//!
//! The list is read by hand: a static executable cannot ask the C library, which would load modules at run time. Accounts that only a
//! directory service knows are not in it; their home directory is then not known, and the guard holds all the same.

use std::path::{Path, PathBuf};

use crate::system::System;
use crate::system::open;

/// The home directory of the account, if the list names one. Nobody lives in the root.
#[cfg(unix)]
pub fn home() -> Option<PathBuf> {
    let user = rustix::process::geteuid().as_raw().to_string();
    let list = open::text(Path::new("/etc/passwd"), MOST_BYTES)?;
    home_in(&list, &user).filter(|home| home.is_absolute() && home.parent().is_some())
}

/// Elsewhere the environment is all there is.
#[cfg(not(unix))]
pub fn home() -> Option<PathBuf> {
    None
}

/// Whose a directory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The one who runs this. Root works in other people's directories.
    User,
    /// Somebody else.
    Another,
    /// There is no such directory.
    Nobody,
}

/// Whose a directory is, and whether its name is that of a link. Every hook may ask, so that no more than that is looked at.
pub fn owner(dir: &Path) -> (Owner, bool) {
    let here = dir.symlink_metadata();
    let is_link = here.as_ref().is_ok_and(std::fs::Metadata::is_symlink);
    let there = if is_link { dir.metadata() } else { here };
    match there.ok().filter(std::fs::Metadata::is_dir) {
        Some(metadata) if is_users(&metadata) => (Owner::User, is_link),
        Some(_) => (Owner::Another, is_link),
        None => (Owner::Nobody, is_link),
    }
}

/// Whether a directory belongs to somebody else. One that is not there yet is nobody's.
pub fn is_of_another(dir: &Path) -> bool {
    owner(dir).0 == Owner::Another
}

#[cfg(unix)]
fn is_users(metadata: &std::fs::Metadata) -> bool {
    let user = rustix::process::geteuid();
    user.is_root() || std::os::unix::fs::MetadataExt::uid(metadata) == user.as_raw()
}

/// Elsewhere directories have no such owner.
#[cfg(not(unix))]
fn is_users(_: &std::fs::Metadata) -> bool {
    true
}

/// Why others than the user and the system decide what a file says, as ssh and sudo judge it; `None` where they do not. A group of which
/// nobody else is a member, which bears the number of its owner, is the user. Root in somebody's home directory works for them.
#[cfg(unix)]
pub fn why_others(metadata: &std::fs::Metadata, system: &System) -> Option<&'static str> {
    judge(metadata, || system.home())
}

/// The same of a file in a directory whose owner root works for, where the home directory is not known yet.
#[cfg(unix)]
pub fn why_others_around(metadata: &std::fs::Metadata, dir: &Path) -> Option<&'static str> {
    judge(metadata, || Some(dir.to_owned()))
}

#[cfg(unix)]
fn judge(metadata: &std::fs::Metadata, around: impl FnOnce() -> Option<PathBuf>) -> Option<&'static str> {
    if !is_persons(metadata, around) {
        return Some("it belongs to another account");
    }
    is_written_by_others(metadata).then_some("others may write it")
}

#[cfg(unix)]
fn is_persons(metadata: &std::fs::Metadata, around: impl FnOnce() -> Option<PathBuf>) -> bool {
    use std::os::unix::fs::MetadataExt;
    let owner = metadata.uid();
    let user = rustix::process::geteuid();
    let of_person = || around().and_then(|dir| dir.metadata().ok()).map(|dir| dir.uid());
    owner == 0 || owner == user.as_raw() || (user.is_root() && Some(owner) == of_person())
}

#[cfg(unix)]
fn is_written_by_others(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let of_owner_alone = metadata.gid() == metadata.uid() && metadata.uid() != 0;
    metadata.mode() & 0o002 != 0 || metadata.mode() & 0o020 != 0 && !of_owner_alone
}

/// The text of a record among the user's own files, of at most so many bytes; `None` where others decide what it says.
pub fn text_of_person(path: &Path, most: u64, system: &System) -> Option<String> {
    let file = open::to_read(path).ok()?;
    let is_theirs = why_others(&file.metadata().ok()?, system).is_none();
    open::text_of(file, most).filter(|_| is_theirs)
}

/// Why others may have put another file under this path, as ssh judges it: a directory on the way, through links and all, belongs to
/// another account or may be written by others. What lies around the home directory was given with it.
///
/// In a directory like `/tmp` everybody may put something, and takes away only what is theirs. So a directory of the user's own in it counts,
/// and nothing else.
#[cfg(unix)]
pub fn why_others_on_the_way(path: &Path, system: &System) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let home = system.home().and_then(|home| std::fs::canonicalize(home).ok());
    let steps = crate::system::way::steps(path)?;
    let is_above_home = |step: &Path| home.as_ref().is_some_and(|home| home != step && home.starts_with(step));
    let behind = steps.iter().skip(1).map(Some).chain([None]);
    steps.iter().zip(behind).find_map(|((step, metadata), next)| {
        if !metadata.is_dir() || is_above_home(step) {
            return None;
        }
        let is_shared = metadata.uid() == 0 && metadata.mode() & 0o1000 != 0;
        let is_own = |next: &std::fs::Metadata| next.is_dir() && is_persons(next, || system.home());
        if is_shared && next.is_some_and(|(_, next)| is_own(next)) {
            return None;
        }
        let shown = step.display();
        if !is_persons(metadata, || system.home()) {
            return Some(format!("others may put another in its place, because {shown} belongs to another account"));
        }
        is_written_by_others(metadata)
            .then(|| format!("others may put another in its place, because they may write in {shown}"))
    })
}

/// Elsewhere directories have no such modes.
#[cfg(not(unix))]
pub fn why_others_on_the_way(_: &Path, _: &System) -> Option<String> {
    None
}

/// Elsewhere files have no such modes.
#[cfg(not(unix))]
pub fn why_others(_: &std::fs::Metadata, _: &System) -> Option<&'static str> {
    None
}

/// Elsewhere files have no such modes.
#[cfg(not(unix))]
pub fn why_others_around(_: &std::fs::Metadata, _: &Path) -> Option<&'static str> {
    None
}

/// Largest list that is read.
#[cfg(unix)]
const MOST_BYTES: u64 = 4 << 20;

#[cfg(unix)]
fn home_in(list: &str, user: &str) -> Option<PathBuf> {
    list.lines().find_map(|line| {
        let mut fields = line.split(':');
        fields.nth(2).filter(|number| *number == user)?;
        fields.nth(2).filter(|home| !home.is_empty()).map(PathBuf::from)
    })
}
