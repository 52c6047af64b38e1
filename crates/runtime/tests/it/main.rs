//! The runtime through its front door.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod agent_loop;
mod allowance;
mod apart;
mod errors;
mod full_disk;
mod limits;
mod local;
mod misbehaving;
