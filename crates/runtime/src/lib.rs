//! One hook event of a coding agent, from its bytes to what is printed.
#![forbid(unsafe_code)]

mod agent_loop;
pub mod config;
pub mod event;
pub mod facts;
pub mod installation;
pub mod metrics;
pub mod programs;
pub mod project;
pub mod system;
pub mod trust;
pub mod vault;

pub use {chrono, hook_policy, hook_protocol};

pub use self::agent_loop::{Answer, OpenError, Runtime};
pub use self::facts::local::LocalFacts;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// A command or a call was used wrongly.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);
