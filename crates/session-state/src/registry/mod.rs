//! The session registry: which sessions there are on one machine or many, what they are doing, and which workers report to them.
//!
//! A hook never opens a database to say what happened. It appends one [`RegistryEvent`] to the [`Spool`], one line in one `write`, and
//! whoever reads the registry next folds the spool in, every record exactly once.
//!
//! With the feature `sqlite` the registry of a machine lies in a SQLite file; `Place` opens it with everything that was spooled in
//! it. With the feature `postgres` the same [`SessionRegistry`] lies on a server, for many machines.

mod api;
mod event;
#[cfg(feature = "sqlite")]
mod fold;
mod model;
#[cfg(feature = "sqlite")]
mod place;
#[cfg(feature = "postgres")]
mod postgres;
mod spool;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;

pub use api::SessionRegistry;
pub use event::{
    Attention, Change, EventId, Execution, ExecutionStatus, MAX_TEXT_BYTES, Process, REGISTRY_EVENT_VERSION,
    RegistryEvent, SessionType, Start, State, Worker, WorkerStatus,
};
#[cfg(feature = "sqlite")]
pub use fold::{Folded, IDS_MILLIS, Shipment, SpoolLimits};
pub use model::{
    Applied, Contact, Filter, Finished, FinishedWorker, Lookup, Lost, ProcessGone, Session, age, normal_email,
    normal_phone,
};
#[cfg(feature = "sqlite")]
pub use place::{Opened, Place};
#[cfg(feature = "postgres")]
pub use postgres::{Postgres, PostgresRegistry, server_name};
pub use spool::{MAX_LINE_BYTES, Spool};
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub use sql::{Database, Registry, Value};
#[cfg(feature = "sqlite")]
pub use sqlite::{BUSY_TIMEOUT, Sqlite, SqliteRegistry};

/// The reason with which a session ends whose process is gone, or that gave no sign of life for too long.
pub const LOST: &str = "lost";
