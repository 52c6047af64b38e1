//! Tests of the built program against a PostgreSQL server on loopback; skipped with one line where there is none.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "the helpers of tests fail by panicking and tell by printing, as the tests themselves do"
)]

mod outage;
#[path = "../../../session-state/tests/it/registry/server.rs"]
mod server;
mod support;
mod sync;
