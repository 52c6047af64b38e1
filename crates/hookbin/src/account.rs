//! The account that this process runs under, as the system's list of accounts has it.
//!
//! The list is read by hand: a static executable cannot ask the C library, which would load modules at run time. Accounts that only a
//! directory service knows are not in it; their home folder is then not known, and the guard holds all the same.

use std::path::{Path, PathBuf};

use crate::host::Host;

/// The home folder of the account, if the list names one. Nobody lives in the root.
#[cfg(unix)]
pub(crate) fn home() -> Option<PathBuf> {
    let user = rustix::process::geteuid().as_raw().to_string();
    let list = crate::open::text(Path::new("/etc/passwd"), MOST_BYTES)?;
    home_in(&list, &user).filter(|home| home.is_absolute() && home.parent().is_some())
}

/// Elsewhere the environment is all there is.
#[cfg(not(unix))]
pub(crate) fn home() -> Option<PathBuf> {
    None
}

/// Whose a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The one who runs this. Root works in other people's folders.
    User,
    /// Somebody else.
    Another,
    /// There is no such folder.
    Nobody,
}

/// Whose a folder is, and whether its name is that of a link. Every hook may ask, so that no more than that is looked at.
pub(crate) fn owner(folder: &Path) -> (Owner, bool) {
    let here = folder.symlink_metadata();
    let is_link = here.as_ref().is_ok_and(std::fs::Metadata::is_symlink);
    let there = if is_link { folder.metadata() } else { here };
    match there.ok().filter(std::fs::Metadata::is_dir) {
        Some(metadata) if is_users(&metadata) => (Owner::User, is_link),
        Some(_) => (Owner::Another, is_link),
        None => (Owner::Nobody, is_link),
    }
}

/// Whether a folder belongs to somebody else. One that is not there yet is nobody's.
pub(crate) fn is_of_another(folder: &Path) -> bool {
    owner(folder).0 == Owner::Another
}

#[cfg(unix)]
fn is_users(metadata: &std::fs::Metadata) -> bool {
    let user = rustix::process::geteuid();
    user.is_root() || std::os::unix::fs::MetadataExt::uid(metadata) == user.as_raw()
}

/// Elsewhere folders have no such owner.
#[cfg(not(unix))]
fn is_users(_: &std::fs::Metadata) -> bool {
    true
}

/// Why others than the person and the system decide what a file says, as ssh and sudo judge it; `None` where they do not. A group of which
/// nobody else is a member, which bears the number of its owner, is the person. Root in somebody's home folder works for them.
#[cfg(unix)]
pub(crate) fn why_others(metadata: &std::fs::Metadata, host: &Host) -> Option<&'static str> {
    judge(metadata, || host.home())
}

/// The same of a file in a folder whose owner root works for, where the home folder is not known yet.
#[cfg(unix)]
pub(crate) fn why_others_around(metadata: &std::fs::Metadata, folder: &Path) -> Option<&'static str> {
    judge(metadata, || Some(folder.to_owned()))
}

#[cfg(unix)]
fn judge(metadata: &std::fs::Metadata, around: impl FnOnce() -> Option<PathBuf>) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt;
    let owner = metadata.uid();
    let user = rustix::process::geteuid();
    let of_person = || around().and_then(|folder| folder.metadata().ok()).map(|folder| folder.uid());
    if owner != 0 && owner != user.as_raw() && !(user.is_root() && Some(owner) == of_person()) {
        return Some("it belongs to another account");
    }
    let of_owner_alone = metadata.gid() == owner && owner != 0;
    let written_by_others = metadata.mode() & 0o002 != 0 || metadata.mode() & 0o020 != 0 && !of_owner_alone;
    written_by_others.then_some("others may write it")
}

/// Elsewhere files have no such modes.
#[cfg(not(unix))]
pub(crate) fn why_others(_: &std::fs::Metadata, _: &Host) -> Option<&'static str> {
    None
}

/// Elsewhere files have no such modes.
#[cfg(not(unix))]
pub(crate) fn why_others_around(_: &std::fs::Metadata, _: &Path) -> Option<&'static str> {
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
