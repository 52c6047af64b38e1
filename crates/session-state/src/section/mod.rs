//! The sections of documents that this version knows.

pub(crate) mod activity;
pub(crate) mod breaker;
pub mod discipline;
pub(crate) mod strikes;
