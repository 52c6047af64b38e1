//! Tests through the public interface. A file a subject.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on fails, and says where"
)]

mod comms;
mod conflict_markers;
mod corpus;
mod daily;
mod decide;
mod discipline;
mod domain;
mod front_door;
mod guard;
mod handoff;
mod hostile;
mod keep_entry;
mod laws;
mod missing;
mod one_fault;
mod patch;
mod plan;
mod profile;
mod rule_index;
mod rules;
mod runs;
mod sane;
#[cfg(feature = "schema")]
mod schema;
mod shapes;
mod suggestions;
mod support;
mod unreliable;
mod user_rules;
mod verdict;
mod word;
