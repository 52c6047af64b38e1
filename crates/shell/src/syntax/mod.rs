//! Reads shell text into a syntax tree: bash grammar, tolerant of damage, in one forward pass.
//!
//! [`parse`] never fails, never runs anything and takes time in proportion to the text, whatever the text is. What it cannot read is
//! listed in [`Script::unread`]; callers must not take an incomplete script for a harmless one. The module uses nothing but the
//! standard library.
//!
//! # What it does
//!
//! - Every command is in the tree, wherever it stands: in pipelines, compound commands and functions, in `$(…)`, `` `…` ``, `<(…)`,
//!   `${…:-…}`, `$((…))`, subscripts, arrays, tests, redirections and here-documents. [`walk`] meets them all.
//! - Quotes are taken apart, not kept as text: [`Word::static_value`] tells what a word is after quote removal and brace expansion,
//!   if that depends on nothing else, as bash would pass it on.
//! - After a fault it goes on at the next place that makes sense, and keeps what it has read. Commands of other shells (`${ …; }`,
//!   `=(…)`, `f() simple`, `repeat`) are met as well, most of them with a report.
//! - Each node has its place in the text in bytes. What is unescaped before it is read (backticks with backslashes in them) has the
//!   place of the whole.
//!
//! # What it does not do
//!
//! - It expands no variables, aliases, patterns or history, and knows no options: extended patterns such as `!(a)` are always read.
//! - It is no syntax checker. It accepts some text that bash refuses (an empty `( )`, a function of one simple command); what bash
//!   accepts and it reports is rarer: `${a[0}`, a here-document delimiter with a substitution in it.
//! - Arithmetic with a parenthesis that does not pair up in it (of `case`, within a substitution) is read as commands.
//! - Arithmetic and the expressions of `[[ … ]]` are words with their substitutions, not trees of operators.
//! - A NUL is reported and left out. Bytes that are no UTF-8 have to be replaced before; `$'\xff'` becomes the replacement character.
//!
//! # Limits
//!
//! [`Limits`] counts levels, nodes and bytes. Beyond a level or node limit the whole rest of the text is one unread place. Not more
//! than 64 other places are listed. Arithmetic whose end is farther than 4096 bytes, or that begins over and over without an end, is read
//! as commands; a subscript longer than 256
//! bytes as a pattern. A 256 KiB stack is enough in optimised builds.

mod assign;
mod brace;
mod command;
mod cursor;
mod heredoc;
mod param;
mod quote;
mod redirect;
mod subst;
mod tree;
mod walk;
mod word;

pub use self::brace::{Excerpt, Static, excerpt, expand};
pub use self::cursor::Limits;
pub use self::tree::{
    Arm, Assign, BraceMark, Case, Command, Compound, Direction, Heredoc, HeredocBody, Item, Link, List, Matches, Param,
    ParamOp, Part, Pipeline, Redirect, RedirectOp, Script, Simple, Span, Subst, Unread, Why, Word,
};
pub use self::walk::{Context, Visit, walk, walk_command};

pub use self::quote::decode_escape;

use self::cursor::Parser;

/// Parses `text` with the default [`Limits`].
///
/// ```
/// use hook_shell::syntax::{parse, Part};
/// let script = parse("echo 'a b' | wc -l # count");
/// assert!(script.is_complete());
/// assert_eq!(script.list.items[0].pipeline.stages.len(), 2);
/// ```
pub fn parse(text: &str) -> Script {
    parse_with(text, Limits::default())
}

/// Parses `text`; what lies beyond a limit is reported as unread.
pub fn parse_with(text: &str, limits: Limits) -> Script {
    Parser::new(text, limits).script()
}
