//! Whether a command line only reads: each part of its syntax tree proven by the catalogue of programs, or nothing said.
//!
//! [`judge`] goes through the whole tree: every command of every list, pipeline, branch and loop, every substitution, every
//! redirection and every assignment. A command is proven by its row in [`crate::programs`]: it names ways of calling a program in which it writes
//! nothing, sends nothing away but the request itself, and starts nothing that the line does not show. Whatever is not in a row, or
//! stands in a word whose value is not known, proves nothing. There is no list of dangers that could be incomplete.
//!
//! # What it does not do
//!
//! It does not know what settings of the machine or of the repository make of a program (an alias, a pager, a configured filter), nor
//! what a file holds that is read. Rules about secrets and destruction are asked apart from this, by the check that uses it.

mod judge;
mod option;

mod script;

mod words;

pub(crate) use self::judge::judge_script;
pub use self::judge::{Approved, judge};
