//! Tests through the public interface.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "clippy.toml lifts these in test functions only, not in what they share"
)]

mod append;
mod chain;
mod follow;
mod processes;
mod read;
mod redact;
mod support;
mod text;
