//! Programs that a run starts or asks about, git among them.

pub mod checkpoint;
pub mod gate;
pub mod git;
pub mod git_config;
pub mod git_index;
pub mod git_place;
pub mod launch;
pub mod lint;
pub mod process;
pub mod runner;
pub mod turned;
