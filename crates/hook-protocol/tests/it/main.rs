//! Tests through the public interface.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "the helpers of tests fail by panicking, as the tests themselves do"
)]

mod act;
mod canonical;
mod construct;
mod event;
mod generate;
mod laws;
mod lenient;
mod matcher;
mod past;
mod payloads;
mod permission;
mod raw;
mod reply;
mod settings;
mod tool;
mod transcript;
