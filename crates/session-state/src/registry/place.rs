//! The registry of one machine: a database, the spool that belongs to it, and what is done when the database is damaged.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::fold::{Folded, SpoolLimits};
use super::spool::Spool;
use super::sqlite::{BUSY_TIMEOUT, SqliteRegistry};
use crate::error::Error;
use crate::store::wait_for;
use crate::sys::Dir;
use crate::time::Time;

/// Locked by whoever sets a damaged database aside.
const LOCK: &str = "lock";
/// There while nobody has added what other sources than the spool know to a database that was rebuilt.
const REBUILT: &str = "rebuilt";

/// Where the registry of a machine lies.
#[derive(Clone, Debug)]
pub struct Place {
    database: PathBuf,
    spool: Spool,
    limits: SpoolLimits,
    wait: Duration,
}

/// A registry with everything in it that was spooled.
#[derive(Debug)]
pub struct Opened {
    /// The registry.
    pub registry: SqliteRegistry,
    /// What was folded in.
    pub folded: Folded,
    /// Where a damaged database was quarantined. The registry is then rebuilt from what is left of the spool.
    pub damaged: Option<PathBuf>,
}

impl Place {
    /// The database `registry.db` and the spool in `registry/`, both in this directory.
    pub fn new(state: &Path) -> Self {
        Self::at(&state.join("registry"), &state.join("registry.db"))
    }

    /// The spool in this directory, and this database.
    pub fn at(spool: &Path, database: &Path) -> Self {
        let (database, spool) = (database.to_path_buf(), Spool::new(spool));
        Self { database, spool, limits: SpoolLimits::default(), wait: BUSY_TIMEOUT }
    }

    /// The same with the database elsewhere.
    #[must_use]
    pub fn with_database(mut self, path: &Path) -> Self {
        path.clone_into(&mut self.database);
        self
    }

    /// The same with other limits of the spool.
    #[must_use]
    pub fn with_limits(mut self, limits: SpoolLimits) -> Self {
        self.limits = limits;
        self
    }

    /// The same with another time to wait for writers.
    #[must_use]
    pub fn with_wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// The database.
    pub fn database(&self) -> &Path {
        &self.database
    }

    /// The spool.
    pub fn spool(&self) -> &Spool {
        &self.spool
    }

    /// Opens the registry and folds the spool in, `most` bytes of it where that is bounded. `now` is milliseconds since 1970. A
    /// database that is damaged is quarantined as `registry.db.damaged-STAMP` and rebuilt from the parts of the spool that are kept.
    pub fn open(&self, now: i64, most: Option<usize>) -> Result<Opened, Error> {
        self.with(now, most, |_| Ok(())).map(|((), opened)| opened)
    }

    /// The same, and asks `question`. Damage that only the question meets is dealt with as well, and the question is asked again.
    pub fn with<T>(
        &self,
        now: i64,
        most: Option<usize>,
        mut question: impl FnMut(&mut SqliteRegistry) -> Result<T, Error>,
    ) -> Result<(T, Opened), Error> {
        let mut attempt = |damaged: Option<PathBuf>| -> Result<(T, Opened), Error> {
            let mut registry = SqliteRegistry::at(&self.database, self.wait)?;
            let folded = registry.fold(&self.spool, self.limits, now, most)?;
            let answer = question(&mut registry)?;
            Ok((answer, Opened { registry, folded, damaged }))
        };
        match attempt(None) {
            Err(Error::RegistryDamaged { .. }) => {
                let aside = self.set_aside(now)?;
                attempt(aside)
            }
            other => other,
        }
    }

    /// Whether a database was rebuilt, in this run or an earlier one, and [`Self::recovered`] was not said since: the spool does not
    /// reach back to the first session, and the caller may know of older ones.
    pub fn wants_recovery(&self) -> bool {
        self.spool.dir().join(REBUILT).exists()
    }

    /// Says that what other sources know is in the spool.
    pub fn recovered(&self) -> Result<(), Error> {
        let dir = self.spool.dir();
        let removed = Dir::open(dir).and_then(|handle| handle.remove(REBUILT));
        removed.map_err(Error::io("remove", &dir.join(REBUILT)))
    }

    /// Moves the database away, unless another process has done so meanwhile.
    fn set_aside(&self, now: i64) -> Result<Option<PathBuf>, Error> {
        let dir = self.spool.dir();
        Dir::create(dir).map_err(Error::io("make", dir))?;
        let lock = dir.join(LOCK);
        let handle = Dir::open(dir).map_err(Error::io("open", dir))?;
        let file = handle.lock_file(LOCK).map_err(Error::io("open", &lock))?;
        wait_for(&file, &lock, self.wait, &|| None)?;
        if !SqliteRegistry::at(&self.database, self.wait).is_err_and(|error| is_damage(&error)) && !self.is_corrupt() {
            return Ok(None);
        }
        let stamp = Time::from_unix(now.div_euclid(1_000)).compact();
        let beside = |suffix: &str| {
            let mut path = self.database.clone().into_os_string();
            path.push(suffix);
            PathBuf::from(path)
        };
        let mut aside = beside(&format!(".damaged-{stamp}"));
        for number in 2..1_000 {
            if aside.symlink_metadata().is_err() {
                break;
            }
            aside = beside(&format!(".damaged-{stamp}-{number}"));
        }
        handle.append(REBUILT, b"\n").map_err(Error::io("write", &dir.join(REBUILT)))?;
        for suffix in ["-wal", "-shm"] {
            let mut to = aside.clone().into_os_string();
            to.push(suffix);
            // First, since a log that is left without its database would be taken for that of the new one. Most often there is none.
            if std::fs::rename(beside(suffix), PathBuf::from(to)).is_err() {
                let _ = std::fs::remove_file(beside(suffix));
            }
        }
        std::fs::rename(&self.database, &aside).map_err(Error::io("rename", &self.database))?;
        Ok(Some(aside))
    }

    fn is_corrupt(&self) -> bool {
        SqliteRegistry::at(&self.database, self.wait)
            .and_then(|mut registry| registry.check())
            .is_err_and(|e| is_damage(&e))
    }
}

fn is_damage(error: &Error) -> bool {
    matches!(error, Error::RegistryDamaged { .. })
}
