//! The one error type of the crate.

/// Somebody else's error.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why a replay, an export or a self-test could not be done: what was tried, on which path, why, and what to do.
///
/// Its words are its own alone; `source()` leads to the causes.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(What);

#[derive(Debug, thiserror::Error)]
enum What {
    /// What was named cannot be replayed.
    #[error("{0}")]
    WrongUse(String),
    /// Something was tried that failed.
    #[error("{tried}")]
    Failed { tried: String, source: Cause },
    /// Somebody else's error, whose words say it all.
    #[error(transparent)]
    Other(Cause),
}

impl Error {
    /// Whether the caller named something that cannot be replayed. The words are for whoever named it.
    pub fn is_wrong_use(&self) -> bool {
        matches!(self.0, What::WrongUse(_))
    }

    pub(crate) fn wrong_use(words: String) -> Self {
        Self(What::WrongUse(words))
    }

    /// Says what was tried.
    pub(crate) fn failed(tried: &str, cause: impl Into<Cause>) -> Self {
        Self(What::Failed { tried: tried.to_owned(), source: cause.into() })
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self(What::Other(error.into()))
    }
}

impl From<hook_audit_log::Error> for Error {
    fn from(error: hook_audit_log::Error) -> Self {
        Self(What::Other(error.into()))
    }
}

impl From<hook_runtime::Error> for Error {
    fn from(error: hook_runtime::Error) -> Self {
        Self(What::Other(error.into()))
    }
}
