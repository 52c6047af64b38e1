//! Tests through the public interface.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, also in its helpers"
)]

/// Reads the case files.
mod data;
/// The golden vectors of the document, in both columns.
mod golden;
/// The regular expressions that the matcher has to agree with.
mod oracle;
/// Each row of the signal table, one by one.
mod signals;
