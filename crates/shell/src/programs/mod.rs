//! What is known of programs: a file a family.

pub mod agents;
