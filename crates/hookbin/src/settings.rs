//! The entries that hookbin asks the client to start: which events, which command, which time limit.

use hook_policy::profile::Profile;
use std::ffi::OsString;

use hook_protocol::event::EventName;
use hook_protocol::matcher::{MatchResult, Matcher};
use hook_protocol::settings::OwnEntry;
use hook_protocol::settings::edit::FoundEntry;

use crate::args::{HookArgs, USER_MARK};
use crate::deadline;

/// Seconds after which the client ends a hook. The run itself ends long before, see [`crate::deadline`].
pub const TIMEOUT_SECONDS: u32 = 10;

/// The command of an entry in a project's settings. The client expands the variable itself; no shell is involved.
pub const PROJECT_COMMAND: &str = "${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin";

/// The command of an entry in a plugin. The client expands the variable itself.
pub const PLUGIN_COMMAND: &str = "${CLAUDE_PLUGIN_ROOT}/bin/hookbin";

/// What the entries of one installation have in common.
#[derive(Debug, Clone)]
pub struct Form {
    /// The program.
    pub command: String,
    /// They stand in the person's own settings and serve every project that has none of its own.
    pub user: bool,
    /// A hook that cannot start, times out or fails counts as a refusal; clients before 2.1.295 ignore it.
    pub strict: bool,
}

impl Form {
    /// The entries of a project's settings. They name no folder of one machine, so they can be committed.
    pub fn of_project() -> Self {
        Self { command: PROJECT_COMMAND.to_owned(), user: false, strict: false }
    }

    /// The entries of a person's settings, which name the executable by its whole path.
    ///
    /// Separators become `/`, which Windows takes as well: a backslash is lost wherever a POSIX shell comes in between.
    ///
    /// ```
    /// use hookbin::settings::Form;
    ///
    /// let form = Form::of_user(r"C:\Users\Dev One\.cargo\bin\hookbin.exe", true);
    /// assert_eq!(form.command, "C:/Users/Dev One/.cargo/bin/hookbin.exe");
    /// assert_eq!(Form::of_user(r"/home/a\b/hookbin", false).command, r"/home/a\b/hookbin");
    /// ```
    pub fn of_user(executable: &str, windows: bool) -> Self {
        let command = if windows { executable.replace('\\', "/") } else { executable.to_owned() };
        Self { command, user: true, strict: false }
    }

    /// The entries of a plugin of the client, which puts in its own folder. They serve the projects that have none of their own.
    pub fn of_plugin() -> Self {
        Self { command: PLUGIN_COMMAND.to_owned(), user: true, strict: false }
    }
}

/// One entry for each event that a handler of the profile answers, in the protocol's order.
///
/// `WorktreeCreate` is left out always: a registered hook replaces the client's own creation of worktrees.
pub fn entries(profile: &Profile, form: &Form) -> Vec<OwnEntry> {
    let wanted = profile.events().iter().filter(|event| *event != EventName::WorktreeCreate);
    wanted
        .map(|event| {
            let mut args = vec!["hook".to_owned(), event.as_str().to_owned()];
            args.extend(form.user.then(|| USER_MARK.to_owned()));
            OwnEntry {
                event: event.as_str().to_owned(),
                matcher: None,
                command: form.command.clone(),
                args,
                // Where a checkpoint may run, the client has to wait for it and for the answer behind it.
                timeout: match profile.seconds(&event) {
                    0 => TIMEOUT_SECONDS,
                    seconds => seconds.saturating_add(2 * TIMEOUT_SECONDS),
                },
                on_failure_block: form.strict,
            }
        })
        .collect()
}

/// Tools of different kinds; an entry whose matcher leaves one of them out does not guard every call.
const TOOLS: [&str; 8] = ["Bash", "Read", "Write", "Edit", "WebFetch", "Agent", "NotebookEdit", "mcp__server__tool"];

/// Why an entry of ours cannot refuse every call of its event, although it is registered; `None` when it can.
///
/// The client accepts all of these entries. It starts nothing, starts it for some calls, does not wait for it, or ends it before
/// it has answered; or what it starts answers for something else than this project and event.
pub(crate) fn obstacle(entry: &FoundEntry) -> Option<String> {
    let kind = entry.kind.as_deref().unwrap_or_default();
    if kind != "command" {
        return Some(format!("its type is \"{kind}\", so the client does not start the executable"));
    }
    if entry.in_background {
        return Some("it runs in the background (async), where a refusal has no effect".to_owned());
    }
    if let Some(condition) = &entry.condition {
        return Some(format!("it has an \"if\" ({condition}), so it is started for some calls only"));
    }
    let needed = f64::from(deadline::MILLIS + deadline::LATE_MILLIS) / 1000.0;
    if let Some(timeout) = entry.timeout.filter(|timeout| *timeout < needed) {
        return Some(format!(
            "its timeout is {timeout} s, and an answer may take {needed} s; the client goes on without it"
        ));
    }
    narrow(entry).or_else(|| foreign_arguments(entry))
}

fn narrow(entry: &FoundEntry) -> Option<String> {
    let event = EventName::from(entry.event.as_str());
    let text = entry.matcher.as_deref().unwrap_or_default();
    let matcher = Matcher::parse_for(&event, text);
    if matcher.is_all() {
        return None;
    }
    let is_of_tools = matches!(event, EventName::PreToolUse | EventName::PermissionRequest);
    let missed = TOOLS.iter().find(|tool| is_of_tools && matcher.test(tool) != MatchResult::Yes)?;
    Some(format!("its matcher is {text:?}, which leaves out {missed} and more"))
}

fn foreign_arguments(entry: &FoundEntry) -> Option<String> {
    let args: Vec<OsString> = entry.args.as_ref()?.iter().skip(1).map(OsString::from).collect();
    let parsed = HookArgs::parse(&args);
    if let Some(project) = parsed.project {
        return Some(format!("its arguments name the project {}, whichever the client is in", project.display()));
    }
    if let Some(subject) = parsed.subject.filter(|subject| *subject != entry.event) {
        return Some(format!("its arguments are for {subject}"));
    }
    if parsed.late || parsed.payload.is_some() {
        return Some("its arguments are not those of an entry".to_owned());
    }
    parsed.fault.map(|fault| format!("its arguments are not understood: {fault}"))
}
