//! The account that this process runs under, as the system's list of accounts has it.
//!
//! The list is read by hand: a static executable cannot ask the C library, which would load modules at run time. Accounts that only a
//! directory service knows are not in it; their home folder is then not known, and the guard holds all the same.

use std::path::{Path, PathBuf};

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

/// Whether a folder belongs to somebody else. Root works in other people's folders, and one that is not there yet is nobody's.
#[cfg(unix)]
pub(crate) fn is_of_another(folder: &Path) -> bool {
    let user = rustix::process::geteuid();
    !user.is_root()
        && std::fs::metadata(folder)
            .is_ok_and(|metadata| std::os::unix::fs::MetadataExt::uid(&metadata) != user.as_raw())
}

/// Elsewhere folders have no such owner.
#[cfg(not(unix))]
pub(crate) fn is_of_another(_: &Path) -> bool {
    false
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
