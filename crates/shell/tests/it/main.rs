//! Tests through the public interface. A file a subject.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on fails, and says where"
)]

mod command;
mod options;
mod programs;
mod review;
mod syntax;
