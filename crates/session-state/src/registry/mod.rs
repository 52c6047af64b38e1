//! The session registry: which sessions there are on one machine or many, what they are doing, and which workers report to them.
//!
//! A hook never opens a database to say what happened. It appends one [`RegistryEvent`] to the [`Spool`], one line in one `write`, and
//! whoever reads the registry next folds the spool in, every event exactly once.
mod event;
mod spool;

pub use event::{
    Change, EventId, Execution, ExecutionStatus, MAX_TEXT_BYTES, Process, REGISTRY_EVENT_VERSION, RegistryEvent,
    SessionType, Start, State, Worker, WorkerStatus,
};
pub use spool::{MAX_LINE_BYTES, Spool};
