//! How each document of a store stands, without the lock and without changing one.

use std::fmt;

use crate::document::{ProjectDocument, SessionDocument, VERSION};
use crate::error::Error;
use crate::store::{PROJECT, SESSIONS, Store, list, session_of};

/// How one file stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Its name, relative to the store's directory.
    pub name: String,
    /// What was found.
    pub standing: Standing,
}

/// What a document was found to be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// Whole.
    Whole,
    /// Written by a newer version; what this version knows of it is whole.
    Newer {
        /// The version it names.
        version: u64,
    },
    /// Written by a newer version in a form that this one cannot read.
    Foreign {
        /// The version it names.
        version: u64,
    },
    /// Damaged; the next update quarantines it.
    Damaged {
        /// What is wrong.
        reason: String,
    },
    /// Was damaged, and lies aside for a user to look at.
    SetAside,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("whole"),
            Self::Newer { version } => write!(f, "whole, written by a newer version ({version})"),
            Self::Foreign { version } => write!(f, "of a newer version ({version}) that this one cannot read"),
            Self::Damaged { reason } => write!(f, "damaged: {reason}"),
            Self::SetAside => f.write_str("quarantined earlier because it was damaged"),
        }
    }
}

impl Store {
    /// How every document stands: the project's, then the sessions' in the order of their names, each followed by the damaged copies
    /// of it that were quarantined. Lists directories, so it is not for the path of a hook.
    pub fn verify(&self) -> Result<Vec<Report>, Error> {
        let mut reports = Vec::new();
        if self.open()?.is_none() {
            return Ok(reports);
        }
        let project = self.read_project().map(|found| found.as_ref().map(ProjectDocument::version));
        reports.extend(report(PROJECT.to_owned(), project)?);
        let aside = |name: String| Report { name, standing: Standing::SetAside };
        let prefix = format!("{PROJECT}.damaged-");
        reports.extend(list(self.dir())?.into_iter().filter(|name| name.starts_with(&prefix)).map(aside));
        for name in self.session_names()? {
            let shown = format!("{SESSIONS}/{name}");
            if let Some(id) = session_of(&name) {
                let version = self.read_session(&id).map(|found| found.as_ref().map(SessionDocument::version));
                reports.extend(report(shown, version)?);
            } else if name.contains(".json.damaged-") {
                reports.push(aside(shown));
            }
        }
        Ok(reports)
    }
}

/// The report on a document; `None` where there is none.
fn report(name: String, read: Result<Option<u64>, Error>) -> Result<Option<Report>, Error> {
    let standing = match read {
        Ok(None) => return Ok(None),
        Ok(Some(version)) if version > VERSION => Standing::Newer { version },
        Ok(Some(_)) => Standing::Whole,
        Err(Error::Damaged { reason, .. }) => Standing::Damaged { reason },
        Err(Error::Foreign { version, .. }) => Standing::Foreign { version },
        Err(error) => return Err(error),
    };
    Ok(Some(Report { name, standing }))
}
