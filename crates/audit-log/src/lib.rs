//! An append-only audit trail that many short-lived processes write at once: one JSON record a line, hash-chained, redacted,
//! rotated. It never loses, tears or forges a line. It never decides, prints or syncs a disk; [`Record::now`] alone reads a clock.
//!
//! ```
//! use hook_audit_log::chrono::DateTime;
//! use hook_audit_log::{AuditLog, Limits, Record, verify};
//! # let dir = tempfile::tempdir().unwrap();
//! # let dir = dir.path().join("log");
//! let log = AuditLog::new(&dir, Limits::default());
//! let now = DateTime::from_timestamp(1_795_828_950, 123_456_000).unwrap();
//! let record = Record::new(now, "PreToolUse").tool("Bash").verdict("deny").command("curl -u me:hunter2 https://host");
//! let done = log.append(&record)?;
//! assert_eq!(done.seq, 1);
//!
//! let line = std::fs::read_to_string(dir.join("audit.jsonl")).unwrap();
//! assert!(line.starts_with(r#"{"v":1,"event":"PreToolUse","tool":"Bash","verdict":"deny","command":"curl -u me:[redacted] https://host""#));
//! assert!(verify(&dir)?.is_good());
//! # Ok::<(), hook_audit_log::Error>(())
//! ```
//!
//! # Files
//!
//! | name | what |
//! | --- | --- |
//! | `audit.jsonl` | the current file |
//! | `audit-000000000001.jsonl` | an old file, named after its first record |
//! | `chain.head` | the lock; its 256 bytes are the chain head: number, hash and time of the newest record, size of `audit.jsonl` |
//! | `audit.jsonl.set-aside-1` | a link or directory that stood in the log's place |
//!
//! The directory has mode 0700, the files 0600.
//!
//! # A line
//!
//! One JSON object. It begins with `"v":1` and `"event"`; the members of [`Record`] follow in their order, those that are `None`
//! left out; then what the writer has to say (`clock`, `since`, `after_torn`, `cut_from`, `chain_head`, `set_aside`), and always, last,
//!
//! ```text
//! ,"time":"2026-11-28T01:22:30.123456Z","seq":12,"prev":"<64 hex digits>","hash":"<64 hex digits>"}
//! ```
//!
//! `hash` is the SHA-256 of the line's bytes from its `{` to the quote before `,"hash"`; `prev` is the `hash` of record `seq - 1`,
//! 64 zeros in record 1. So anybody can recompute it:
//!
//! ```text
//! tail -n 1 audit.jsonl | sed 's/,"hash":"[0-9a-f]*"}$//' | tr -d '\n' | sha256sum
//! ```
//!
//! # What is guaranteed
//!
//! - Any number of writers: no line lost, torn, doubled or out of chain, also while the file is rotated. `kill -9` loses at most the
//!   killed writer's own record.
//! - `since`, in the first record only, is when the trail was begun ([`AuditLog::begin`]), where no record came of that.
//! - `time` never goes back; a caller whose clock did has its own time in `clock`.
//! - A torn line is closed by the next writer, which says so, and [`verify`] tells it from an edited one.
//! - Lines cut off the end are seen by the chain head; the next writer goes on with the next number, so the gap stays visible for ever.
//! - Rotation gives a full file a new name and carries the chain over; the oldest files go by [`Limits`]. [`verify`] says from which record on it vouches.
//! - No secret that [`redact`] knows is written, and no string can forge a second line or steer the terminal of a reader.
//!
//! # What is not
//!
//! - The hashes carry no key. Who may write to the directory can rewrite the trail from some record on, its hashes and the chain head included;
//!   a copy of a `hash` kept elsewhere shows that.
//! - Nothing is synced. A power loss may take the last seconds; where it spares the chain head, that looks like lines cut off.
//! - Removing `chain.head` while writers run takes away their lock. On network file systems the lock is as good as theirs.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod append;
mod back;
mod below;
mod chain;
mod error;
mod files;
mod follow;
mod os;
mod read;
mod record;
mod redact;
mod rotate;
mod tail;
pub mod text;
mod verify;

pub use {chrono, serde_json};

pub use append::{Appended, AuditLog, Limits};
pub use error::Error;
pub use follow::Follow;
pub use read::{Entry, Reader, Stats, began, read, read_file, stats, tail};
pub use record::{COMMAND_CHARS, Record, TEXT_CHARS, Value};
pub use redact::{clip, redact};
pub use verify::{Finding, Report, verify};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
