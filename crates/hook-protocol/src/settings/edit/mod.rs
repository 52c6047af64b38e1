//! Puts our entries into a settings file and takes them out again, byte for byte.
//!
//! Both functions work on spans of the text, so what is not ours keeps every byte: order, white space, line endings,
//! escapes, a byte order mark. Laws, which the tests check on generated files:
//!
//! - [`install`] twice is [`install`] once.
//! - [`uninstall`] after [`install`] gives back the text as it was, for every text that [`install`] takes; of a text that
//!   held entries of ours before, it gives what [`uninstall`] makes of it alone.
//! - A removal leaves containers that were there before, even empty ones, and takes those that [`install`] made. A file is
//!   deleted only if it has the exact frame of one that [`install`] made.
//!
//! [`set_member`] and [`remove_member`] do the same for one member of any other JSON file that people keep.
//!
//! Why an editor of its own and no JSONC library: the laws above need to know which empty container was there before, which comma
//! belongs to which neighbour, and what `serde_json` and the host take for JSON; a syntax tree of a looser dialect answers none of
//! that, and the spans of [`serde_json::value::RawValue`] are all that is needed.
//!
//! They hold for texts that nobody reformatted in between; after a formatter, entries are still found and removed, and an
//! empty container may stay or go.
//!
//! ```
//! use hook_protocol::event::EventName;
//! use hook_protocol::settings::OwnEntry;
//! use hook_protocol::settings::edit::{Removed, install, runs_hookbin, uninstall};
//!
//! let entry = OwnEntry {
//!     event: EventName::Stop,
//!     matcher: None,
//!     command: "${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin".to_owned(),
//!     args: Some(vec!["hook".to_owned(), "Stop".to_owned()]),
//!     timeout: 10,
//!     on_failure_block: false,
//! };
//! let before = "{\n\t\"model\": \"x\"\n}";
//! let edited = install(Some(before), &[entry], &runs_hookbin, false)?;
//! assert!(edited.text.starts_with("{\n\t\"model\": \"x\",\n\t\"hooks\": {\n\t\t\"Stop\": ["));
//! assert_eq!(uninstall(&edited.text, &runs_hookbin, false)?, Removed::Text(before.to_owned()));
//! # Ok::<(), hook_protocol::settings::edit::EditError>(())
//! ```

mod error;
mod insert;
mod member;
mod own;
mod plan;
mod server;
mod splice;
mod tree;

pub use error::EditError;
pub use member::{get_member, remove_member, set_member};
pub use own::{HandlerView, command_words, runs_hookbin, started_file};
pub use server::{restore_server, server, server_command, set_server_command};

use super::OwnEntry;
use super::text::{Lines, Text};
use insert::{append, fresh};
use plan::Plan;
use tree::Tree;

/// What [`install`] made of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The new text; the old one when nothing had to change (empty for a file that stays absent).
    pub text: String,
    /// Whether the text differs from the old one.
    pub changed: bool,
    /// Entries written again.
    pub added: usize,
    /// Older entries of ours that were brought up to date where they stand.
    pub updated: usize,
    /// Entries of ours taken out: duplicates, and those no longer wanted.
    pub removed: usize,
}

/// What [`uninstall`] made of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removed {
    /// There is no entry of ours.
    Unchanged,
    /// The text without our entries.
    Text(String),
    /// Nothing is left of a file that [`install`] made; delete it.
    DeleteFile,
}

/// One entry of ours as it stands in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundEntry {
    /// The event under which it stands.
    pub event: String,
    /// The matcher of its group, when it is a string.
    pub matcher: Option<String>,
    /// The program, or the text for the shell.
    pub command: Option<String>,
    /// The arguments of exec form.
    pub args: Option<Vec<String>>,
    /// Whether a failure of the hook counts as a refusal (`"onFailure": "block"`).
    pub blocks_on_failure: bool,
    /// The `type`, when it is a string; only `command` starts a program.
    pub kind: Option<String>,
    /// Whether it runs in the background (`async`, `asyncRewake`), where a refusal has no effect.
    pub in_background: bool,
    /// The `if`, as it is written: the hook is then started for some calls only.
    pub condition: Option<String>,
    /// Seconds until the host ends it, when they are given as a number.
    pub timeout: Option<f64>,
    /// Whether the host forgets it once it has run (`once`).
    pub once: bool,
    /// The `shell`, as it is written, where one is named.
    pub shell: Option<String>,
    /// Line, counted from 1.
    pub line: usize,
}

/// The entries of ours in a text, in order; comments and trailing commas are passed over.
pub fn find(text: &str, is_own: &dyn Fn(&HandlerView<'_>) -> bool) -> Result<Vec<FoundEntry>, EditError> {
    let text = Text::new(text);
    let tree = Tree::parse(&text, true)?;
    let mut found = Vec::new();
    let mut lines = Lines::new(&text);
    for list in tree.hooks.iter().flat_map(|hooks| &hooks.lists) {
        for group in &list.entries {
            for handler in &group.handlers {
                let view = handler.view(&list.name, group);
                if !is_own(&view) {
                    continue;
                }
                found.push(FoundEntry {
                    event: view.event.to_owned(),
                    matcher: view.matcher.map(str::to_owned),
                    command: view.command.map(str::to_owned),
                    args: view.args.map(<[String]>::to_vec),
                    blocks_on_failure: handler.blocks_on_failure,
                    kind: handler.kind.clone(),
                    in_background: handler.in_background,
                    condition: handler.condition.clone(),
                    timeout: handler.timeout,
                    once: handler.once,
                    shell: handler.shell.clone(),
                    line: lines.at(text.span(handler.value).start),
                });
            }
        }
    }
    Ok(found)
}

/// Puts `entries` into a settings text; `None` stands for a file that does not exist.
///
/// Entries that `is_own` recognises and that are wanted stay where they are, brought up to date if they differ; others of
/// ours go. An entry of ours in a group with a foreign hook is changed or removed alone. New groups are appended to the
/// list of their event, in the text's own layout. With `force`, comments and trailing commas are kept; the host reads
/// nothing of such a file, so that is of use only before they are removed.
pub fn install(
    text: Option<&str>,
    entries: &[OwnEntry],
    is_own: &dyn Fn(&HandlerView<'_>) -> bool,
    force: bool,
) -> Result<Edited, EditError> {
    let wanted = distinct(entries)?;
    let Some(original) = text else {
        let text = if wanted.is_empty() { String::new() } else { fresh(&wanted) };
        return Ok(Edited { changed: !text.is_empty(), text, added: wanted.len(), updated: 0, removed: 0 });
    };
    let source = Text::new(original);
    let tree = Tree::parse(&source, force)?;
    refuse_unclear(&source, &tree)?;
    let plan = Plan::new(&tree, &wanted, is_own);
    let (updated, removed, added) = (plan.updated(), plan.removed(), plan.missing.len());
    let missing: Vec<&OwnEntry> = plan.missing.iter().filter_map(|index| wanted.get(*index).copied()).collect();
    let text = match plan.carry_out(&source, &tree, &wanted) {
        Removed::Unchanged => append(original, &missing, force)?,
        Removed::Text(text) => append(&text, &missing, force)?,
        // What is left is the frame of a file of ours, so the file begins again.
        Removed::DeleteFile if missing.is_empty() => "{\n}\n".to_owned(),
        Removed::DeleteFile => fresh(&missing),
    };
    Ok(Edited { changed: text != original, text, added, updated, removed })
}

/// Takes all entries that `is_own` recognises out of a settings text, with the containers that [`install`] made for them.
///
/// With `force`, a text with comments or trailing commas is edited too, and they are kept.
pub fn uninstall(text: &str, is_own: &dyn Fn(&HandlerView<'_>) -> bool, force: bool) -> Result<Removed, EditError> {
    let source = Text::new(text);
    let tree = Tree::parse(&source, force)?;
    Ok(Plan::new(&tree, &[], is_own).carry_out(&source, &tree, &[]))
}

/// The entries without repetitions; one without a timeout would make the host drop the file.
fn distinct(entries: &[OwnEntry]) -> Result<Vec<&OwnEntry>, EditError> {
    let mut wanted: Vec<&OwnEntry> = Vec::with_capacity(entries.len());
    for entry in entries {
        if entry.timeout == 0 {
            return Err(EditError::NoTimeout { event: entry.event.as_str().to_owned() });
        }
        if !wanted.contains(&entry) {
            wanted.push(entry);
        }
    }
    Ok(wanted)
}

/// Refuses a text in which it is not clear what an entry of ours would do.
fn refuse_unclear(text: &Text<'_>, tree: &Tree<'_>) -> Result<(), EditError> {
    let mut names = std::collections::HashSet::new();
    for list in tree.hooks.iter().flat_map(|hooks| &hooks.lists) {
        let event = || list.name.clone().into_owned();
        if list.groups.is_none() {
            return Err(EditError::EventNotList { event: event(), line: Lines::new(text).at(list.at) });
        }
        if !names.insert(list.name.as_ref()) {
            return Err(EditError::EventTwice { event: event(), line: Lines::new(text).at(list.at) });
        }
    }
    Ok(())
}
