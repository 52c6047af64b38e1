//! The registry in a SQLite file, compiled in: what one machine needs.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, ToSql};

use super::sql::{Database, Registry, Row as _, Value};
use crate::error::Error;
use crate::sys::Dir;

/// How long a statement waits for another process that writes.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// A registry in a SQLite file.
pub type SqliteRegistry = Registry<Sqlite>;

/// An open SQLite file: write-ahead log, foreign keys on.
#[derive(Debug)]
pub struct Sqlite {
    connection: Connection,
    place: String,
}

impl SqliteRegistry {
    /// Opens the registry in this file. The file (mode 0600) and its directory are made when they are missing, its tables when they are
    /// not there; tables of a newer version are an error. Whoever writes waits `wait` at most for another writer.
    pub fn at(path: &Path, wait: Duration) -> Result<Self, Error> {
        let place = path.display().to_string();
        if let Some(dir) = path.parent() {
            Dir::create(dir).map_err(Error::io("make", dir))?;
        }
        private_file(path).map_err(Error::io("open", path))?;
        let connection = Connection::open(path).map_err(|error| fault("open", &place, &error))?;
        let mut sqlite = Sqlite { connection, place };
        sqlite.configure(wait)?;
        Self::open(sqlite)
    }

    /// Looks through the whole file, in time that grows with it. Damage is an error.
    pub fn check(&mut self) -> Result<(), Error> {
        let rows = self.database.rows("PRAGMA quick_check(1)", &[])?;
        let found = rows.first().map(|row| row.text(0)).unwrap_or_default();
        if found == "ok" {
            return Ok(());
        }
        Err(Error::RegistryDamaged { op: "check", place: self.database.place.clone(), reason: found })
    }
}

/// Makes the file for this user alone. SQLite would make it readable for others, and follow a link.
#[cfg(unix)]
fn private_file(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;

    let flags = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or(0);
    File::options().append(true).create(true).mode(0o600).custom_flags(flags).open(path).map(drop)
}

#[cfg(not(unix))]
fn private_file(path: &Path) -> std::io::Result<()> {
    File::options().append(true).create(true).open(path).map(drop)
}

impl Sqlite {
    fn configure(&mut self, wait: Duration) -> Result<(), Error> {
        let set = |connection: &Connection| -> rusqlite::Result<()> {
            connection.busy_timeout(wait)?;
            connection.pragma_update(None, "foreign_keys", true)?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            // Answers with the mode that is in force.
            connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
        };
        set(&self.connection).map_err(|error| fault("open", &self.place, &error))
    }
}

impl Database for Sqlite {
    fn place(&self) -> &str {
        &self.place
    }

    fn begin(&mut self) -> Result<(), Error> {
        // A transaction that begins by reading and then wants to write fails at once when another process wrote in between.
        self.connection.execute_batch("BEGIN IMMEDIATE").map_err(|error| fault("write to", &self.place, &error))
    }

    fn batch(&mut self, sql: &str) -> Result<(), Error> {
        self.connection.execute_batch(sql).map_err(|error| fault("write to", &self.place, &error))
    }

    fn run(&mut self, sql: &'static str, values: &[Value]) -> Result<u64, Error> {
        let ran = self.connection.prepare_cached(&numbered(sql)).and_then(|mut statement| {
            let parameters = values.iter().map(|value| value as &dyn ToSql);
            statement.execute(rusqlite::params_from_iter(parameters))
        });
        ran.map(|rows| rows as u64).map_err(|error| fault("write to", &self.place, &error))
    }

    fn rows(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Vec<Value>>, Error> {
        let read = self.connection.prepare_cached(&numbered(sql)).and_then(|mut statement| {
            let columns = statement.column_count();
            let parameters = values.iter().map(|value| value as &dyn ToSql);
            let rows = statement.query_map(rusqlite::params_from_iter(parameters), |row| {
                (0..columns).map(|at| Ok(value_of(row.get_ref(at)?))).collect()
            })?;
            rows.collect()
        });
        read.map_err(|error| fault("read", &self.place, &error))
    }
}

/// `$1` is a name to SQLite, which counts names in the order in which they appear; `?1` is the first value wherever it stands.
fn numbered(sql: &str) -> String {
    sql.replace('$', "?")
}

fn value_of(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Text(text) | ValueRef::Blob(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        // No column of the registry holds one.
        ValueRef::Null | ValueRef::Real(_) => Value::Null,
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

fn fault(op: &'static str, place: &str, error: &rusqlite::Error) -> Error {
    let place = place.to_owned();
    let reason = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::RegistryBusy { op, place },
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Error::RegistryDamaged { op, place, reason },
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            Error::Registry { op, place, reason: format!("{reason}; check that this user may write there") }
        }
        Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => {
            Error::Registry { op, place, reason: format!("{reason}; check that the disk has room") }
        }
        _ => Error::Registry { op, place, reason },
    }
}
