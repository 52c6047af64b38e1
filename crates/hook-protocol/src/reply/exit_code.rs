//! The exit codes of a hook process.

/// No opinion, or an answer in the JSON on stdout. The host honours that JSON at any exit code.
pub const SUCCESS: u8 = 0;

/// The event is blocked, whatever stdout says.
///
/// It goes with a `PreToolUse` deny (beside the JSON, so that every client version refuses the call) and with feedback on
/// `PostToolUse` that the model reads from stderr, and with nothing else: Stop, `SubagentStop`, `PostToolBatch`,
/// `PermissionRequest`, `PreCompact` and `UserPromptSubmit` answer by JSON and [`SUCCESS`].
///
/// There is no constant for 1: the host takes it as a failure of the hook and lets the call through.
pub const BLOCK: u8 = 2;
