//! The sections of documents that this version knows.

pub(crate) mod activity;
pub(crate) mod breaker;
pub mod sane;
pub(crate) mod strikes;
