//! The command of an entry that people share: one text for a POSIX shell, which looks for the executable on each machine.
//!
//! A program named beside arguments would be an error of every event wherever it is missing, and hosts that drop the arguments would
//! run it bare. A script in the project would be one more file that a checkout takes away, and a shell that misses its script ends
//! with exit code 2, which refuses. So everything stands in the entry, and a machine without the executable gets exit code 0.

use crate::reply::{self, Reply};

/// Where the executable is looked for, in this order: the user's data directory, `PATH`. Nothing in the project is ever started: whatever
/// lies there, a branch can bring, since git writes over what it ignores. A home directory that lies in the project, as one under version
/// control does, is the user's all the same.
///
/// `-` stands for a variable that is not set, since only absolute directories count: neither the payload nor the directory that a session is
/// in chooses what is started. `set -f` and `IFS` make the directories of `PATH` one word each, whatever their names hold. Nothing here
/// starts a process.
const SEARCH: &str = concat!(
    r#"IFS=:; set -f; p=${CLAUDE_PROJECT_DIR%/}; case $HOME/ in "$p"/*) p=-;; esac; "#,
    r#"for d in "${XDG_DATA_HOME:--}/hookbin" "${HOME:--}/.local/share/hookbin" $PATH; do case $d in "$p"/*) ;; /*|?:*) "#,
    r#"[ -f "$d/hookbin" ] && [ -x "$d/hookbin" ] && exec "$d/hookbin" hook "#,
);

/// The same of an earlier version, which took a file of the project first.
const EARLIER: &str = concat!(
    r#"IFS=:; set -f; for d in "$CLAUDE_PROJECT_DIR/.claude/hookbin" "${XDG_DATA_HOME:--}/hookbin" "#,
    r#""${HOME:--}/.local/share/hookbin" $PATH; do case $d in /*|?:*) "#,
    r#"[ -f "$d/hookbin" ] && [ -x "$d/hookbin" ] && exec "$d/hookbin" hook "#,
);

/// What stands between the event's name and what is done without an executable.
const FOUND_NONE: &str = ";; esac; done; ";

/// The events at which a call can be stopped.
const GATES: [&str; 3] = ["PreToolUse", "PermissionRequest", "PreSkillShellCommand"];

/// What an entry does where there is no executable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing<'a> {
    /// What is told: at the start of a session, and as the reason of a refusal. Quotes, `\` and line ends are left out.
    pub text: &'a str,
    /// Whether calls are refused. Else they go on, and all events but the start of a session are silent.
    pub refuses: bool,
}

/// The command of a shared entry for one event, to stand without `args`.
///
/// ```
/// use hook_protocol::settings::{Missing, shared_command, shared_event};
///
/// let missing = Missing { text: "hookbin is missing", refuses: false };
/// let command = shared_command("Stop", &missing);
/// assert!(command.ends_with("hook Stop;; esac; done; exit 0"));
/// assert_eq!(shared_event(&command), Some("Stop"));
/// assert_eq!(shared_event("hookbin hook Stop"), None);
/// ```
pub fn shared_command(event: &str, missing: &Missing<'_>) -> String {
    format!("{SEARCH}{event}{FOUND_NONE}{}", without(event, missing))
}

/// The shared command with more arguments for the executable, each of them a word of a shell; `None` for any other command.
///
/// ```
/// use hook_protocol::settings::{Missing, shared_command, shared_command_with};
///
/// let command = shared_command("Stop", &Missing { text: "hookbin is missing", refuses: false });
/// assert!(shared_command_with(&command, "--dry").is_some_and(|more| more.contains("hook Stop --dry;; esac; done;")));
/// ```
pub fn shared_command_with(command: &str, more: &str) -> Option<String> {
    let event = shared_event(command)?;
    Some(command.replacen(&format!("{event}{FOUND_NONE}"), &format!("{event} {more}{FOUND_NONE}"), 1))
}

/// The event for which a shared entry starts the executable; `None` for any other command. What is done without an executable may
/// differ: another version wrote it, or somebody changed it.
pub fn shared_event(command: &str) -> Option<&str> {
    let rest = command.strip_prefix(SEARCH).or_else(|| command.strip_prefix(EARLIER))?;
    let (event, _) = rest.split_once(FOUND_NONE)?;
    event.bytes().all(|byte| byte.is_ascii_alphanumeric()).then_some(event)
}

/// What the shell does when nothing was found.
fn without(event: &str, missing: &Missing<'_>) -> String {
    let text = missing.text.replace(['"', '\'', '\\', '%'], "").replace(char::is_control, " ");
    if missing.refuses
        && GATES.contains(&event)
        && let Some(mut refusal) = Reply::empty(event)
        && refusal.refuse("%s")
    {
        // The form in which the executable refuses: JSON, the bare reason, and an exit code that blocks by itself.
        let (json, code) = (refusal.stdout(), refusal.exit_code());
        let json = json.trim_end();
        return format!(r#"r='{text}'; printf '{json}\n' "$r"; printf '%s\n' "$r" >&2; exit {code}"#);
    }
    let mut said = Reply::SessionStart(reply::SessionStart::default());
    if event == said.event() && said.add_system_message(&text) {
        // One line a session: compacting ends none.
        let json = said.stdout();
        let json = json.trim_end();
        return format!(r#"read -r p; case $p in *'"source":"compact"'*) ;; *) printf '%s\n' '{json}';; esac; exit 0"#);
    }
    "exit 0".to_owned()
}
