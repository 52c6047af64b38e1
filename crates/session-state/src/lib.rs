//! Session memory of a coding agent's hooks: one directory of plain JSON documents that any number of short-lived processes
//! update at once, without losing an update and without a reader ever finding half a file.
//!
//! It does not decide anything, print anything or read a clock: times are passed in, and what a stored fact means is the
//! caller's business. It does not sync to disk: a killed process loses nothing that was saved, a power failure may.
//!
//! ```
//! use hook_session_state::{SessionId, Store, Touch, view};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = tempfile::tempdir()?;
//! let store = Store::new(directory.path().join("state"));
//! let id = SessionId::from_raw("11111111-2222-4333-8444-555555555555");
//! for call in ["toolu_01", "toolu_02", "toolu_02"] {
//!     store.update(&id, |session| {
//!         session.acted(call, "Read", Touch::Read("/src/main.rs"))?;
//!         session.view("session.json", view::session_json(session.activity()).to_string())
//!     })?;
//! }
//!
//! // Read without the lock, by any process. A call that was told twice counts once, and so does a file.
//! let session = store.read_session(&id)?.ok_or("saved above")?;
//! assert_eq!(session.activity().action_count, 2);
//! assert_eq!(session.activity().files_read.last(10), ["/src/main.rs"]);
//! # Ok(())
//! # }
//! ```
//!
//! [`Store::update`] does what most callers want. [`Store::lock`] gives the same in steps, for several documents under one lock.
//!
//! # Files
//!
//! | path under the directory | what |
//! | --- | --- |
//! | `lock` | locked by whoever writes; empty, never replaced |
//! | `sessions/ID.json` | one [`SessionDocument`] |
//! | `sessions/ID.seen` | which calls and files it has counted: hashes only, see [`Kind`] |
//! | `project.json` | the [`ProjectDocument`] |
//! | `session.json`, `STATUS.txt`, `handoff.md`, … | views: copies for people and other programs, never read back as state |
//! | `NAME.damaged-STAMP` | a document that could not be read, quarantined |
//! | `registry/events.jsonl`, `registry.db` | beside the store, in the user's state directory: the [`registry`] of sessions |
//! | `state.json`, `state.json.lock` | in the project's `.claude`: the [`signed`] document and its lock |
//! | `.tmp` | new content on its way to its name; one that a killed process left goes with the next update |
//! | `.NAME.spare` | earlier content of `NAME`, waiting to be overwritten; only with [`Store::with_reuse`] |
//!
//! Directories are created with mode 0700, files with 0600. No symbolic link is followed at the last component of any of these
//! names; the directories above the store may be links.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod document;
mod error;
mod id;
mod json;
mod locked;
mod notes;
pub mod registry;
mod section;
mod seen;
pub mod sign;
pub mod signed;
mod store;
mod sys;
mod text;
mod time;
mod update;
mod verify;
pub mod view;

pub use document::{MAX_DOCUMENT_BYTES, ProjectDocument, SessionDocument, VERSION};
pub use error::Error;
pub use id::{IdSource, SessionId};
pub use locked::{Io, Loaded, Locked};
pub use notes::{MAX_NOTE_BYTES, Notes};
pub use section::activity::{Activity, MAX_TRACKED, Tracked};
pub use section::breaker::{Breaker, BreakerLimits};
pub use section::sane;
pub use seen::Kind;
pub use store::{DEFAULT_LOCK_WAIT, Store};
pub use sys::WriteLease;
pub use text::Text;
pub use time::Time;
pub use update::{Touch, Update};
pub use verify::{Report, Standing};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
