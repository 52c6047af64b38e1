//! Decides what a coding agent may do: one event and the facts about its session in, one outcome with verdict, reason, context and
//! effects out.
//!
//! The crate is pure: it reads no file, clock, environment or process and changes nothing. Effects are data that the caller carries
//! out, so the same function serves a hook, an explanation, a replay of past sessions, a test, and any other agent.
//!
//! What a command line does is said by `hook-shell`, which knows no rule; [`rule`] judges it. [`facts::Facts::layout`] says which files
//! are the guard's and the host's.
//!
//! - [`Guard`]: may this command run? One call.
//! - [`decide`]: a whole profile, with gates; what it wants done is [`effect::Effect`]s. `hook-runtime` carries them out.
//! - [`profile`]: the built-in profiles, and one's own from TOML.
//! - [`testing::FixedFacts`]: a made-up world for tests.
//!
//! ```
//! use hook_policy::{At, Guard, Verdict};
//!
//! let guard = Guard::standard();
//! let at = At::new("/home/me/project").home("/home/me");
//! assert_eq!(guard.check("cd .. && sudo rm -rf build", &at).verdict, Some(Verdict::Deny));
//! assert!(guard.check("cargo test", &at).allows());
//! ```
#![forbid(unsafe_code)]

mod call;
pub mod check;
pub mod context;
mod decide;
pub mod effect;
pub mod entry;
pub mod evidence;
pub mod explain;
mod facts;
mod finding;
mod guard;
pub mod handoff;
pub mod include;
mod moment;
mod one_or_many;
pub mod orders;
mod plan_file;
pub mod profile;
pub mod registry;
pub mod repository;
pub mod rule;
pub mod sane;
mod source;
pub mod template;
pub mod testing;
pub mod variables;
mod verdict;

pub use hook_protocol;
pub use hook_shell;

pub use self::decide::{decide, decide_named, decide_unreadable};
pub use self::facts::{Churn, Complexity, Entry, Facts, FileInfo, SessionFacts, Unanswered, Worktree};
pub use self::finding::{Context, Finding, Outcome, StepResult, Suggestion, Traced};
pub use self::guard::{Answer, At, Guard};
pub use self::moment::Moment;
pub use self::source::{LOADED_DIRS, is_source_file, is_test_path};
pub use self::verdict::{FailMode, Unasked, Verdict};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
