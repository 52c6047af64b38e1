//! Looking at every document without changing one.

use std::fmt;

use crate::document::VERSION;
use crate::error::Error;
use crate::id::SessionId;
use crate::store::{PROJECT, SESSIONS, Store, names};

/// How one file stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Its name, relative to the store's folder.
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
        /// The version.
        version: u64,
    },
    /// Written by a newer version in a form that this one cannot read.
    Foreign {
        /// The version.
        version: u64,
    },
    /// Damaged; the next update sets it aside.
    Damaged {
        /// What is wrong.
        reason: String,
    },
    /// Was damaged, and lies aside for a person to look at.
    SetAside,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("whole"),
            Self::Newer { version } => write!(f, "whole, written by a newer version ({version})"),
            Self::Foreign { version } => write!(f, "of a newer version ({version}) that this one cannot read"),
            Self::Damaged { reason } => write!(f, "damaged: {reason}"),
            Self::SetAside => f.write_str("set aside earlier because it was damaged"),
        }
    }
}

impl Store {
    /// How every document stands: the project's, then the sessions' in the order of their names.
    pub fn verify(&self) -> Result<Vec<Report>, Error> {
        let mut reports = Vec::new();
        match self.read_project() {
            Ok(None) => {}
            result => reports.push(Report {
                name: PROJECT.to_owned(),
                standing: standing(result.map(|it| it.map(|it| it.version())))?,
            }),
        }
        for name in names(&self.dir().join(SESSIONS))? {
            let shown = format!("{SESSIONS}/{name}");
            if name.contains(".damaged-") {
                reports.push(Report { name: shown, standing: Standing::SetAside });
            } else if let Some(id) = name.strip_suffix(".json").map(SessionId::from_file_name) {
                let read = self.read_session(&id).map(|document| document.map(|document| document.version()));
                reports.push(Report { name: shown, standing: standing(read)? });
            }
        }
        Ok(reports)
    }
}

fn standing(read: Result<Option<u64>, Error>) -> Result<Standing, Error> {
    Ok(match read {
        Ok(Some(version)) if version > VERSION => Standing::Newer { version },
        Ok(_) => Standing::Whole,
        Err(Error::Damaged { reason, .. }) => Standing::Damaged { reason },
        Err(Error::Foreign { version, .. }) => Standing::Foreign { version },
        Err(error) => return Err(error),
    })
}
