//! The entries that hookbin asks the client to start: which events, which command, which time limit (DESIGN section 5).

use hook_policy::profile::Profile;
use hook_protocol::event::EventName;
use hook_protocol::settings::OwnEntry;

/// Seconds after which the client ends a hook. The run itself ends long before, see [`crate::deadline`].
pub const TIMEOUT_SECONDS: u32 = 10;

/// The command of an entry in a project's settings. The client expands the variable itself; no shell is involved.
pub const PROJECT_COMMAND: &str = "${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin";

/// One entry for each event that a handler of the profile answers, in the protocol's order.
///
/// `WorktreeCreate` is left out always: a registered hook replaces the client's own creation of worktrees.
pub fn entries(profile: &Profile, command: &str) -> Vec<OwnEntry> {
    let wanted = profile.events().iter().filter(|event| *event != EventName::WorktreeCreate);
    wanted
        .map(|event| OwnEntry {
            event: event.as_str().to_owned(),
            matcher: None,
            command: command.to_owned(),
            args: vec!["hook".to_owned(), event.as_str().to_owned()],
            timeout: TIMEOUT_SECONDS,
            on_failure_block: false,
        })
        .collect()
}
