//! Tests of the store through its public interface.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "the helpers of tests fail by panicking, as the tests themselves do"
)]

mod breaker;
mod child;
mod concurrency;
mod document;
mod faults;
mod id;
mod membership;
mod moved;
mod notes;
#[cfg(feature = "sqlite")]
mod registry;
mod sign;
mod signed;
mod support;
mod time;
mod update;
mod verify;
mod view;
