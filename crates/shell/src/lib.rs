//! What a command line does, without running it.
#![forbid(unsafe_code)]

pub mod layout;
pub mod path;
pub mod programs;
pub mod resolve;
pub mod review;
pub mod syntax;
