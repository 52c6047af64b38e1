//! Decides what a coding agent may do: one event and the facts about its session in, one outcome with verdict, reason, context and
//! effects out.
//!
//! The crate is pure: it reads no file, clock, environment or process and changes nothing. Effects are data that the caller carries
//! out, so the same function serves a hook, an explanation, a replay of past sessions, a test, and any other agent.
//!
//! What a command line does is said by `hook-shell`, which knows no rule; [`rule`] judges it. [`facts::Facts::layout`] says which files
//! are the guard's and the host's.
//!
//! # Example: a profile that refuses native reads
//!
//! ```
//! use hook_policy::{Facts, Moment, SessionFacts, Verdict, decide};
//! use hook_policy::profile::{RawProfile, resolve_strict};
//! use hook_protocol::event::{Event, EventName, PreToolUse};
//! # use std::borrow::Cow;
//!
//! struct Nothing;
//! impl Facts for Nothing {
//! #   fn now(&self) -> Moment { Moment::from_epoch(0) }
//! #   fn state_dir(&self) -> Cow<'_, str> { "state".into() }
//!     // …
//! }
//!
//! let text = r#"
//! name = "no-read"
//! [[handler]]
//! name = "pre-read"
//! on = ["PreToolUse"]
//! tools = ["Read"]
//! steps = ["redirect"]
//! [handler.redirect]
//! message = "Use the project's own reader."
//! "#;
//! let raw = RawProfile::parse("no-read.toml", text);
//! let builtin = |name: &str| (name == "no-read").then(|| raw.clone());
//! let profile = resolve_strict(&["no-read".to_owned()], &[], &builtin, &["no-read"])?;
//!
//! let event = Event { body: PreToolUse::file_call("Read", "/a", None).into(), ..Event::default() };
//! let plan = profile.plan(&EventName::PreToolUse);
//! let outcome = decide(&event, &plan, &Nothing);
//! assert_eq!(outcome.verdict, Some(Verdict::Deny));
//! assert_eq!(outcome.reason.as_deref(), Some("Use the project's own reader."));
//! # Ok::<(), hook_policy::profile::Faults>(())
//! ```
#![forbid(unsafe_code)]

mod call;
pub mod check;
pub mod context;
mod decide;
mod edit;
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

pub use self::decide::{decide, decide_named, decide_unreadable};
pub use self::facts::{Churn, Complexity, Entry, Facts, FileInfo, SessionFacts, Worktree};
pub use self::finding::{Context, Finding, Outcome, Said, Suggestion, Traced};
pub use self::guard::{Answer, At, Guard};
pub use self::moment::Moment;
pub use self::source::{LOADED_FOLDERS, is_source_file, is_test_path};
pub use self::verdict::{FailMode, Unasked, Verdict};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
