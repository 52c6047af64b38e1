//! The one error type of the crate.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;

use hook_policy::profile::Faults;

/// Somebody else's error.
type Cause = Box<dyn StdError + Send + Sync>;

/// What could not be done: what was tried, on which path, why, and what to do.
///
/// `{}` prints the words of this error alone, and `{:#}` those of all its causes behind them. Where the words hold a cause already,
/// there is none to ask for.
pub struct Error(Box<What>);

#[derive(Debug)]
enum What {
    /// A command or a call was used wrongly.
    WrongUse(String),
    /// Words of this crate.
    Said { words: Cow<'static, str>, cause: Option<Cause> },
    /// Somebody else's error, whose words say it all.
    Other(Cause),
}

impl Error {
    /// Whether the caller asked for something that is not there, or in a wrong way. The words are for whoever asked.
    pub fn is_wrong_use(&self) -> bool {
        matches!(*self.0, What::WrongUse(_))
    }

    /// The faults of a configuration, where they are the reason.
    pub fn faults(&self) -> Option<&Faults> {
        if let What::Other(cause) = &*self.0 { cause.downcast_ref() } else { None }
    }

    #[cold]
    pub(crate) fn wrong_use(words: String) -> Self {
        Self(Box::new(What::WrongUse(words)))
    }

    /// Words that say it all. Of an error whose words hold its causes, its words.
    #[cold]
    pub(crate) fn new(words: impl fmt::Display) -> Self {
        Self(Box::new(What::Said { words: words.to_string().into(), cause: None }))
    }

    #[cold]
    fn said(words: Cow<'static, str>, cause: Option<Cause>) -> Self {
        Self(Box::new(What::Said { words, cause }))
    }

    /// Somebody else's error as it is.
    #[cold]
    pub(crate) fn other(error: impl Into<Cause>) -> Self {
        Self(Box::new(What::Other(error.into())))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            What::WrongUse(words) => formatter.write_str(words)?,
            What::Said { words, .. } => formatter.write_str(words)?,
            What::Other(cause) => write!(formatter, "{cause}")?,
        }
        let mut cause = self.source().filter(|_| formatter.alternate());
        while let Some(below) = cause {
            write!(formatter, ": {below}")?;
            cause = below.source();
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &*self.0 {
            What::WrongUse(_) => None,
            What::Said { cause, .. } => Some(&**cause.as_ref()?),
            What::Other(cause) => cause.source(),
        }
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::other(error)
    }
}

impl From<hook_session_state::Error> for Error {
    fn from(error: hook_session_state::Error) -> Self {
        Self::other(error)
    }
}

impl From<Faults> for Error {
    fn from(error: Faults) -> Self {
        Self::other(error)
    }
}

/// Says what was tried, in front of why it failed or in place of nothing.
pub(crate) trait Context<T> {
    fn context(self, words: &'static str) -> Result<T, Error>;
    fn with_context(self, words: impl FnOnce() -> String) -> Result<T, Error>;
}

impl<T, E: Into<Cause>> Context<T> for Result<T, E> {
    fn context(self, words: &'static str) -> Result<T, Error> {
        self.map_err(|cause| Error::said(words.into(), Some(cause.into())))
    }

    fn with_context(self, words: impl FnOnce() -> String) -> Result<T, Error> {
        self.map_err(|cause| Error::said(words().into(), Some(cause.into())))
    }
}

impl<T> Context<T> for Option<T> {
    fn context(self, words: &'static str) -> Result<T, Error> {
        self.ok_or_else(|| Error::said(words.into(), None))
    }

    fn with_context(self, words: impl FnOnce() -> String) -> Result<T, Error> {
        self.ok_or_else(|| Error::said(words().into(), None))
    }
}

/// Returns an error with these words.
macro_rules! bail {
    ($($words:tt)+) => {
        return Err($crate::Error::new(format_args!($($words)+)))
    };
}

/// Returns an error with these words unless something holds.
macro_rules! ensure {
    ($holds:expr, $($words:tt)+) => {
        let holds: bool = $holds;
        if !holds {
            $crate::error::bail!($($words)+);
        }
    };
}

pub(crate) use {bail, ensure};
