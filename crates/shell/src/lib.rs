//! What a command line does, without running it.
//!
//! A line that an agent or a person is about to run is read as bash reads it, and followed: through wrappers (`sudo`, `xargs`, `ssh`),
//! variables, shells in shells, inline code and decoded text. What comes out is a list of [`Action`]s — files that go, disks that are
//! written, secrets that are read or sent, programs that are fetched and run — each with the place it is done to.
//!
//! ```
//! use hook_shell::{Command, Context, Kind};
//!
//! let here = Context::new(Some("/home/me"), Some("/home/me/project"), Some("/home/me/project"));
//! let effects = Command::parse("cd .. && find . -name '*.o' -exec rm {} +").effects(&here);
//! let gone: Vec<_> = effects.actions.iter().filter(|action| action.kind == Kind::FoundDelete).collect();
//! assert_eq!(gone.len(), 1);
//!
//! // Proof that a line only reads; `None` proves nothing.
//! assert!(Command::parse("git log --oneline | head").only_reads().is_some());
//! assert!(Command::parse("git log --output=x").only_reads().is_none());
//! ```
//!
//! Nothing here runs, and nothing is read but the text: no file, clock, environment or process. What the caller knows of files goes in
//! by the trait [`resolve::Files`]. Work is bounded by counts, so the answer to a text is always the same; what lies beyond a bound is
//! [`Kind::Unread`].
//!
//! - [`syntax`]: text to a tree.
//! - [`resolve`]: a tree to what it does.
//! - [`review`]: whether a line only reads, by proof.
//! - [`programs`]: what is known of programs.
//! - [`path`]: where a path leads, and what kind of place that is.
//! - [`layout`]: what no command may change, as data of the caller.
#![forbid(unsafe_code)]

mod command;
pub mod layout;
pub mod path;
pub mod programs;
pub mod resolve;
pub mod review;
pub mod syntax;

pub use self::command::{Command, Context};
pub use self::resolve::{Action, Effects, Kind, Run};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
