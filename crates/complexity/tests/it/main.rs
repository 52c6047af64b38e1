//! Tests through the public interface.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, also in its helpers"
)]

/// The labelled prompts and the figures of the README.
mod calibration;
/// Reads the case files.
mod data;
/// The golden vectors of the document, in both columns.
mod golden;
/// Odd, huge and malicious text.
mod hostile;
/// Laws that hold for every text.
mod laws;
/// The regular expressions that the matcher has to agree with.
mod oracle;
/// Envelopes and short replies.
mod own_words;
/// Each row of the signal table, one by one.
mod signals;
/// Signals from configuration.
mod user;
