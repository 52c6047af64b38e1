//! What can go wrong with the store, in one type: the operation, the path, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why an operation on the store failed. None of these leaves a document half written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// One process or several in turn have held the lock for the whole bounded wait.
    #[error("lock {path}: it was not free for {} ms; try again, and if it stays so end the process that `fuser {path}` names", .waited.as_millis())]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// How long this process waited.
        waited: Duration,
    },
    /// A name that must be the store's own file or directory is a symbolic link.
    #[error("open {path}: it is a symbolic link to somewhere else; remove the link")]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// A directory of the store is something else.
    #[error("open {path}: it is not a directory; move it away")]
    NotADir {
        /// What lies there.
        path: PathBuf,
    },
    /// A document cannot be read and has not been quarantined, because the lock is not held.
    #[error("read {path}: damaged ({reason}); the next update quarantines it and starts afresh")]
    Damaged {
        /// The document.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A newer version wrote the document in a form this one cannot read. The file is left as it is.
    #[error("read {path}: written by a newer version (document version {version}); update hookbin")]
    Foreign {
        /// The document.
        path: PathBuf,
        /// The `version` it names.
        version: u64,
    },
    /// A view or a note was asked for by a name that is not a plain file name, or is one of the store's own.
    #[error("open {name:?}: use a plain file name that is not one of the store's own")]
    FileName {
        /// The name asked for.
        name: String,
    },
    /// A section was to be set under a reserved name, or to something that is not JSON.
    #[error("set section {name:?}: {reason}")]
    Section {
        /// The section's name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A section has another shape than the value that it was to be read as.
    #[error("read section {name:?}: {reason}; another program or version wrote it, remove it or read it as it stands")]
    SectionShape {
        /// The section's name.
        name: String,
        /// What does not fit.
        reason: String,
    },
    /// A text was to be signed that is no JSON object, or by a key that cannot be used.
    #[error("sign a document: {reason}")]
    Sign {
        /// What is wrong.
        reason: String,
    },
    /// The key of the signed document cannot be used until a user has mended it.
    #[error("sign state.json: {reason}")]
    Key {
        /// What is wrong, and the command that mends it.
        reason: String,
    },
    /// Another process has kept the registry's database locked for the whole bounded wait.
    #[error("{op} {place}: another process keeps it locked; nothing is lost, try again or end that process")]
    RegistryBusy {
        /// What was attempted.
        op: &'static str,
        /// The database.
        place: String,
    },
    /// The registry's database is not one any more.
    #[error("{op} {place}: damaged ({reason}); `hookbin sessions list` quarantines it and rebuilds it")]
    RegistryDamaged {
        /// What was attempted.
        op: &'static str,
        /// The database.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// A newer version made the registry's tables. They are left as they are.
    #[error("open {place}: its tables are of version {found}, this program knows version {known}; update hookbin")]
    RegistryNewer {
        /// The database.
        place: String,
        /// The version of its tables.
        found: i64,
        /// The newest version known here.
        known: i64,
    },
    /// The registry's server cannot be reached, or has closed the connection.
    #[error("{op} {place}: {reason}; nothing is lost, try again when the server is there")]
    RegistryUnreachable {
        /// What was attempted.
        op: &'static str,
        /// The server, without the password.
        place: String,
        /// What was said.
        reason: String,
    },
    /// The registry's server does not let this user in.
    #[error("{op} {place}: {reason}; correct the user, the password or the database in the connection string")]
    RegistryDenied {
        /// What was attempted.
        op: &'static str,
        /// The server, without the password.
        place: String,
        /// What was said.
        reason: String,
    },
    /// The registry's database refused for another reason.
    #[error("{op} {place}: {reason}")]
    Registry {
        /// What was attempted.
        op: &'static str,
        /// The database.
        place: String,
        /// What was said, and what to do.
        reason: String,
    },
    /// The system refused.
    #[error("{op} {path}: {source}; check that the disk has room and that this user may write there")]
    Io {
        /// What was attempted.
        op: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The caller's own change failed, and nothing was saved; see [`Error::other`].
    #[error("{0}")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// An error of your own in a change of [`Store::update`](crate::Store::update), which leaves everything as it was.
    ///
    /// ```
    /// use hook_session_state::{Error, SessionId, Store};
    ///
    /// # let directory = tempfile::tempdir().unwrap();
    /// # let store = Store::new(directory.path().join("state"));
    /// let id = SessionId::from_raw("loop-1");
    /// let failed = store.update(&id, |session| {
    ///     let left: u32 = "three".parse().map_err(Error::other)?;
    ///     session.set_section("budget", &left)
    /// });
    /// assert!(matches!(failed, Err(Error::Other(_))));
    /// assert!(store.read_session(&id).unwrap().is_none());
    /// ```
    pub fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Other(error.into())
    }

    /// Returns a function that turns an I/O error into [`Error::Io`], for `map_err`.
    pub(crate) fn io(op: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { op, path: path.to_path_buf(), source }
    }
}
