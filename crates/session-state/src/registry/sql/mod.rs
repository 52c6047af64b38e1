//! The registry in a database that speaks SQL: one set of tables and statements for every such database.

mod apply;
mod query;

pub(super) use apply::{apply, forget_records};

use crate::error::Error;

/// The version of the tables that this program makes and knows.
const SCHEMA_VERSION: i64 = 1;

/// What each version adds to the one before it.
const MIGRATIONS: [&str; 1] = [include_str!("schema.sql")];

/// A value that goes into a statement or comes out of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    Null,
    /// A number.
    Int(i64),
    /// Text.
    Text(String),
}

/// What a database has to offer. Statements name their values `$1`, `$2`, … and are those that SQLite and PostgreSQL share.
pub trait Database {
    /// How messages call it; never with a password.
    fn place(&self) -> &str;
    /// Begins a transaction that no other writer's can overlap.
    fn begin(&mut self) -> Result<(), Error>;
    /// Runs statements without values.
    fn batch(&mut self, sql: &str) -> Result<(), Error>;
    /// Runs one statement, and returns how many rows it changed.
    fn run(&mut self, sql: &'static str, values: &[Value]) -> Result<u64, Error>;
    /// The rows of a query.
    fn rows(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Vec<Value>>, Error>;
}

/// A registry in a database.
#[derive(Debug)]
pub struct Registry<D> {
    pub(super) database: D,
}

impl<D: Database> Registry<D> {
    /// The registry in this database, whose tables are made or brought up to date.
    pub(super) fn open(mut database: D) -> Result<Self, Error> {
        // In most runs there is nothing to do, and nothing to lock for it.
        if !version(&mut database).is_ok_and(|version| version == SCHEMA_VERSION) {
            transaction(&mut database, migrate)?;
        }
        Ok(Self { database })
    }

    /// Runs `body` in one transaction, undone if it fails.
    pub(super) fn transaction<T>(&mut self, body: impl FnOnce(&mut D) -> Result<T, Error>) -> Result<T, Error> {
        transaction(&mut self.database, body)
    }
}

fn transaction<D: Database, T>(database: &mut D, body: impl FnOnce(&mut D) -> Result<T, Error>) -> Result<T, Error> {
    database.begin()?;
    match body(database) {
        Ok(value) => {
            database.batch("COMMIT")?;
            Ok(value)
        }
        Err(error) => {
            // The first error is the one to report; a connection that is gone has undone it already.
            let _ = database.batch("ROLLBACK");
            Err(error)
        }
    }
}

fn version<D: Database>(database: &mut D) -> Result<i64, Error> {
    let rows = database.rows("SELECT version FROM schema_version", &[])?;
    Ok(rows.first().map_or(0, |row| row.int(0)))
}

fn migrate<D: Database>(database: &mut D) -> Result<(), Error> {
    database.batch("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)")?;
    let found = version(database)?;
    let known = SCHEMA_VERSION;
    if found > known {
        return Err(Error::RegistryNewer { place: database.place().to_owned(), found, known });
    }
    for migration in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        database.batch(migration)?;
    }
    database.run("DELETE FROM schema_version", &[])?;
    database.run("INSERT INTO schema_version (version) VALUES ($1)", &[known.into()])?;
    Ok(())
}

/// Columns of a row by their place; one that is not there, or of another kind, is empty.
pub(super) trait Row {
    fn int(&self, at: usize) -> i64;
    fn some_int(&self, at: usize) -> Option<i64>;
    fn text(&self, at: usize) -> String;
    fn some_text(&self, at: usize) -> Option<String>;
}

impl Row for Vec<Value> {
    fn int(&self, at: usize) -> i64 {
        self.some_int(at).unwrap_or(0)
    }

    fn some_int(&self, at: usize) -> Option<i64> {
        match self.get(at) {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        }
    }

    fn text(&self, at: usize) -> String {
        self.some_text(at).unwrap_or_default()
    }

    fn some_text(&self, at: usize) -> Option<String> {
        match self.get(at) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl<T> From<&Option<T>> for Value
where
    T: Clone + Into<Self>,
{
    fn from(value: &Option<T>) -> Self {
        value.clone().map_or(Self::Null, Into::into)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}
