//! One event of a coding agent in, one answer out: the policy with everything that it needs and everything that follows from it.
//!
//! An agent loop builds on the items of this page. [`Runtime`] has guard, gates, state and audit log; [`Answer`] is what it says.
//! [`LocalFacts`] is for a guard without memory. The modules are what `hookbin` and `hook-replay` are made of: they are public for those
//! two, and change with any version.
//!
//! ```
//! use hook_runtime::Runtime;
//! use hook_runtime::hook_protocol::Event;
//! use hook_runtime::{hook_audit_log, hook_session_state};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = tempfile::tempdir()?;
//! # let (project, records) = (directory.path().join("project"), directory.path().join("records"));
//! # std::fs::create_dir(&project)?;
//! # let cwd = project.to_str().ok_or("a directory whose name is text")?;
//! let runtime = Runtime::open(&project, &records, "sane")?;
//! let send = |event: Event<'static>| runtime.event(event.in_session("loop-1"));
//! send(Event::session_start(cwd));
//! send(Event::prompt("Fix the login bug in the parser", cwd));
//!
//! // The research gate of `sane`: no edit before anybody has looked.
//! let call = Event::write("src/login.rs", "fn f() {}", cwd).with_call_id("call-1");
//! let answer = send(call);
//! assert!(!answer.lets_run());
//! println!("{}", answer.reason.unwrap_or_default());
//!
//! // A call that may run is told of again when it has run, by the same id.
//! let call = Event::read("src/login.rs", cwd).with_call_id("call-2");
//! if send(call.clone()).lets_run() {
//!     send(call.done("fn f() {}"));
//! }
//!
//! // What is kept, for any process: the session's memory and the audit log.
//! let store = hook_session_state::Store::new(records.join("state"));
//! let session = store.read_session(&hook_session_state::SessionId::from_raw("loop-1"))?;
//! assert!(session.is_some());
//! assert!(hook_audit_log::verify(&records.join("log"))?.is_good());
//! assert_eq!(hook_audit_log::tail(&records.join("log"), 9)?.len(), 5);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod agent_loop;
pub mod allowance;
pub mod config;
mod error;
pub mod event;
pub mod facts;
pub mod installation;
pub mod kit;
pub mod metrics;
pub mod preflight;
pub mod programs;
pub mod project;
pub mod system;
pub mod trust;
pub mod vault;

pub use {chrono, hook_audit_log, hook_policy, hook_protocol, hook_session_state};

pub use self::agent_loop::{Answer, Runtime};
pub use self::error::Error;
pub use self::facts::local::LocalFacts;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
