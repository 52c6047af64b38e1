//! The sections of a document, a file each: what the store reads and writes typed. Every other section stays raw.

pub(crate) mod activity;
pub(crate) mod strikes;
