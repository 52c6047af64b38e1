//! Settings files: what an entry is, what the host makes of a file, and edits that leave every foreign byte alone.
//!
//! Nothing here touches a file; texts come in and texts go out. The types ([`MatcherGroup`], [`Handler`]) are for reading
//! and generating. A file that people keep is changed with the module `edit` (feature `edit`) only, because a JSON writer
//! would reformat it.

mod added;
mod check;
#[cfg(feature = "edit")]
pub mod edit;
mod entry;
mod known;
mod power;
mod script;
mod servers;
mod shared;
mod text;
mod types;

pub use added::added_folders;
pub use check::{Effect, Problem, flag, inspect, is_surely_read, plugins, trusts};
pub use entry::OwnEntry;
pub use power::{Power, power_of, unescaped};
pub use script::{ScriptMistake, script_mistakes};
pub use servers::{DeclaredServer, declared_servers, disabled_servers};
pub use shared::{Missing, shared_command, shared_command_with, shared_event};
pub use types::{AgentEntry, CommandEntry, Common, Handler, HttpEntry, MatcherGroup, McpToolEntry, PromptEntry};
