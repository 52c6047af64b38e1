//! Reads shell text into a syntax tree: bash grammar, tolerant of damage, in one forward pass.
//!
//! [`parse`] never fails, never runs anything and takes time in proportion to the text, whatever the text is. What it cannot read is
//! listed in [`Script::unread`]; callers must not take an incomplete script for a harmless one. The module uses nothing but the
//! standard library.

mod brace;
mod command;
mod cursor;
mod heredoc;
mod param;
mod redirect;
mod tree;
mod walk;
mod word;

pub use self::brace::{Static, expand};
pub use self::cursor::Limits;
pub use self::tree::{
    Arm, Assign, BraceMark, Case, Command, Compound, Direction, Heredoc, HeredocBody, Item, Link, List, Param, ParamOp,
    Part, Pipeline, Redirect, RedirectOp, Script, Simple, Span, Subst, Unread, Why, Word,
};
pub use self::walk::{Context, Visit, walk, walk_command};

pub(crate) use self::word::decode_escape;

use self::cursor::Parser;

/// Parses `text` with the default [`Limits`].
///
/// ```
/// use hook_policy::shell::{parse, Part};
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
