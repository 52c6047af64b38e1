//! What a command line does, without running it.
//!
//! A line that an agent or a user is about to run is read as bash reads it, and followed: through wrappers (`sudo`, `xargs`, `ssh`),
//! variables, shells in shells, inline code and decoded text. What comes out is a list of [`Action`]s — files that go, disks that are
//! written, secrets that are read or sent, programs that are fetched and run — each with the place it is done to.
//!
//! ```
//! use hook_shell::{Command, Context, Kind, Place};
//!
//! // The home directory, the project's directory, and the directory in which the line would run.
//! let here = Context::new(Some("/home/me"), Some("/home/me/project"), Some("/home/me/project"));
//! let effects = Command::parse("cd .. && sudo rm -rf notes").effects(&here);
//! let gone: Vec<_> = effects.actions.iter().filter(|action| action.kind == Kind::DeleteTree).collect();
//! assert_eq!((gone[0].place, gone[0].target.as_str()), (Some(Place::Outside), "/home/me/notes"));
//!
//! // Proof that a line only reads; `None` proves nothing.
//! assert!(Command::parse("git log --oneline | head").only_reads().is_some());
//! assert!(Command::parse("git log --output=x").only_reads().is_none());
//! ```
//!
//! The README shows a whole guard.
//!
//! Nothing here runs, and nothing is read but the text: no file, clock, environment or process. What the caller knows of files goes in
//! by the trait [`Files`]. A word that depends on something unknown holds a placeholder, a private character;
//! [`resolve::is_literal`] is true of a text without one.
//!
//! # Limits
//!
//! Work is bounded by counts, never by time, so the answer to a text is always the same. What lies beyond a bound is [`Kind::Unread`].
//! A line may have 4 MiB, 400,000 nodes and 100 levels of syntax, see [`syntax::Limits`]. Of text within text (`bash -c`, `eval`,
//! here-documents) 1 MiB and 24 levels are followed, 20,000 commands in all, and variables are expanded to 8 MiB. Beyond 4,096
//! actions, one of each kind is told.
//!
//! # Modules
//!
//! - [`syntax`]: text to a tree.
//! - [`resolve`]: a tree to what it does.
//! - [`review`]: whether a line only reads, by proof.
//! - [`programs`]: what is known of programs.
//! - [`edit`]: changes to the text of a line, without touching the words around them.
//! - [`options`]: options of a call, by the grammar of its program.
//! - [`path`]: where a path leads, and what kind of place that is.
//! - [`layout`]: what no command may change, as data of the caller.
#![forbid(unsafe_code)]

mod command;
pub mod edit;
pub mod layout;
pub mod options;
pub mod path;
pub mod programs;
pub mod resolve;
pub mod review;
pub mod syntax;
pub mod texts;

pub use self::command::{Command, Context};
pub use self::path::Place;
pub use self::resolve::{Action, Effects, Files, Kind, Run};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
