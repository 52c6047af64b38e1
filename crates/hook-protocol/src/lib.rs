//! Wire types of Claude Code hooks: events in, typed replies out, tool inputs, matchers, settings entries, transcripts.
//!
//! It does no I/O and has no opinion: it doesn't read standard input, doesn't decide what a hook should answer, and knows no
//! other host than Claude Code (2.1.332; newer events and fields are kept as they come).
//!
//! ```
//! use hook_protocol::event::{Body, Event};
//! use hook_protocol::lenient;
//!
//! let bytes = br#"{"session_id":"s1","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash",
//!     "tool_input":{"command":"rm -rf build"},"tool_use_id":"t1"}"#;
//! let text = lenient::decode(bytes);
//! let event = Event::parse(&text)?;
//! let tool = event.tool().unwrap();
//! assert_eq!(tool.canonical_name(), "Bash");
//! assert_eq!(tool.command().unwrap(), "rm -rf build");
//! # Ok::<(), hook_protocol::ParseError>(())
//! ```
//!
//! * [`event`]: the 34 events. Parsing borrows from the payload and decodes nothing that nobody asks for.
//! * [`ToolNames`]: tools of an agent of your own, by the names that checks know.
//! * [`tool`], [`native`], [`act`], [`canonical`], [`permission`]: what a tool event is about.
//! * [`host`]: the clients that start hooks, and what each can do.
//! * [`matcher`]: which events a settings entry is for.
//! * [`reply`]: answers that the event accepts, and no others.
//! * [`settings`]: hook entries in settings files.
//! * [`status_line`]: what the program of the host's status line is given.
//! * [`transcript`]: the lines of a session's transcript.
//! * [`raw`], [`lenient`]: JSON that is read late, and text that is almost JSON.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod act;
pub mod canonical;
mod error;
pub mod event;
mod field;
pub mod host;
pub mod lenient;
pub mod matcher;
mod members;
pub mod native;
pub mod permission;
pub mod raw;
pub mod reply;
mod scan;
pub mod settings;
pub mod status_line;
pub mod tool;
mod tool_names;
pub mod transcript;

pub use error::{ParseError, ParseErrorKind};
pub use event::Event;
pub use field::Nullable;
pub use tool_names::ToolNames;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
