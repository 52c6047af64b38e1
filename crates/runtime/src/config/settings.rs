//! The entries that hookbin asks the host to start: which events, which command, which time limit.

use hook_policy::profile::Profile;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hook_protocol::event::EventName;
use hook_protocol::matcher::{MatchResult, Matcher};
use hook_protocol::settings::edit::FoundEntry;
use hook_protocol::settings::{Missing, OwnEntry, shared_command, shared_event};

use crate::event::args::{HookArgs, LOCAL_MARK, USER_MARK};
use crate::event::deadline;
use crate::programs::launch::is_executable;
use crate::project::EXECUTABLE;
use crate::system::System;

/// Seconds after which the host ends a hook. The run itself ends long before, see [`crate::event::deadline`].
pub const TIMEOUT_SECONDS: u32 = 10;

/// Largest settings file of the host that is looked into for entries, in bytes. A larger one is taken for one that nobody can read.
pub const MAX_SETTINGS_BYTES: u64 = 4 << 20;

/// Where earlier versions put the executable of a project. Nothing that is written now starts a file there.
pub const PROJECT_PLACE: &str = ".claude/hookbin";

/// The command of an entry in a plugin. The host expands the variable itself.
pub const PLUGIN_COMMAND: &str = "${CLAUDE_PLUGIN_ROOT}/bin/hookbin";

/// What a shared entry tells on a machine without the executable; calls go on.
const MISSING: Missing<'static> = Missing {
    text: "hookbin is not installed here, so no call is checked. \
           In a clone of hookbin run: cargo xtask install --project DIR --scope project",
    refuses: false,
};

/// The same where the project's people want no call without a check.
const MISSING_STRICT: Missing<'static> = Missing {
    text: "hookbin is not installed here, and this project lets no call pass without it. \
           In a clone of hookbin run: cargo xtask install --project DIR --scope project",
    refuses: true,
};

/// What the entries of one installation have in common.
#[derive(Debug, Clone)]
pub struct Form {
    /// The program; `None` where the entry is shared and looks for it on each machine.
    pub command: Option<String>,
    /// What tells them from the entries of a project's settings: the option that says whose they are.
    pub mark: Option<&'static str>,
    /// A hook that cannot start, times out or fails counts as a refusal; clients before 2.1.295 ignore it.
    pub strict: bool,
}

impl Form {
    /// The entries of the settings that a team shares. They name no directory of one machine, and hurt nobody who has no executable.
    pub fn of_project() -> Self {
        Self { command: None, mark: None, strict: false }
    }

    /// The entries of a user's settings, which name the executable by its whole path.
    ///
    /// Separators become `/`, which Windows takes as well: a backslash is lost wherever a POSIX shell comes in between.
    ///
    /// ```
    /// use hook_runtime::config::settings::Form;
    ///
    /// let form = Form::of_user(r"C:\Users\Dev One\.cargo\bin\hookbin.exe", true);
    /// assert_eq!(form.command.as_deref(), Some("C:/Users/Dev One/.cargo/bin/hookbin.exe"));
    /// assert_eq!(Form::of_user(r"/home/a\b/hookbin", false).command.as_deref(), Some(r"/home/a\b/hookbin"));
    /// ```
    pub fn of_user(executable: &str, windows: bool) -> Self {
        let command = if windows { executable.replace('\\', "/") } else { executable.to_owned() };
        Self { command: Some(command), mark: Some(USER_MARK), strict: false }
    }

    /// The entries of a user's own settings in one project, which start the same executable as those of all projects.
    pub fn of_local(executable: &str, windows: bool) -> Self {
        Self::of_user(executable, windows).in_one_project()
    }

    /// The same entries of a user for one project alone.
    #[must_use]
    pub fn in_one_project(self) -> Self {
        Self { mark: Some(LOCAL_MARK), ..self }
    }

    /// The entries of a plugin of the host, which puts in its own directory. They serve the projects that have none of their own.
    pub fn of_plugin() -> Self {
        Self { command: Some(PLUGIN_COMMAND.to_owned()), mark: Some(USER_MARK), strict: false }
    }

    /// Command and arguments of the entry for one event.
    fn starts(&self, event: &str) -> (String, Option<Vec<String>>) {
        let Some(command) = &self.command else {
            return (shared_command(event, if self.strict { &MISSING_STRICT } else { &MISSING }), None);
        };
        let mut args = vec!["hook".to_owned(), event.to_owned()];
        args.extend(self.mark.map(str::to_owned));
        (command.clone(), Some(args))
    }
}

/// The executable that a shared entry starts on this machine: the user's, else one on `PATH`, and none in the project; `None` where
/// there is none. The line goes by what the environment says, so that this does too.
pub fn find_executable(root: &Path, system: &System) -> Option<PathBuf> {
    let home = system.named_home();
    let person = [system.var("XDG_DATA_HOME"), home.as_ref().map(|home| home.join(".local/share").into())];
    let person = person.into_iter().flatten().map(|dir| PathBuf::from(dir).join("hookbin"));
    let path = system.var("PATH").unwrap_or_default();
    let is_around_home = home.is_none_or(|home| home.starts_with(root));
    // A relative directory would be one of whatever the session is in.
    let counts = |dir: &PathBuf| dir.is_absolute() && (is_around_home || !dir.starts_with(root));
    let dirs = person.chain(std::env::split_paths(&path));
    dirs.filter(counts).map(|dir| dir.join(EXECUTABLE)).find(|file| is_executable(file))
}

/// Whether an entry is word for word a shared one of this version for its event.
pub fn is_shared(entry: &FoundEntry) -> bool {
    let is = |missing| entry.command.as_deref() == Some(&shared_command(&entry.event, missing));
    entry.args.is_none() && [&MISSING, &MISSING_STRICT].into_iter().any(is)
}

/// One entry for each event that a handler of the profile answers, in the protocol's order. Shared entries are there for the start of a
/// session in any case, since that is where a missing executable is told about.
///
/// `WorktreeCreate` is left out always: a registered hook replaces the host's own creation of worktrees.
pub fn entries(profile: &Profile, form: &Form) -> Vec<OwnEntry> {
    let mut wanted: Vec<EventName<'static>> =
        profile.events().iter().filter(|event| *event != EventName::WorktreeCreate).collect();
    if form.command.is_none() && !wanted.contains(&EventName::SessionStart) {
        wanted.push(EventName::SessionStart);
    }
    wanted
        .into_iter()
        .map(|event| {
            let (command, args) = form.starts(event.as_str());
            OwnEntry {
                matcher: None,
                command,
                args,
                // Where a checkpoint may run, the host has to wait for it and for the answer behind it.
                timeout: match profile.seconds(&event) {
                    0 => TIMEOUT_SECONDS,
                    seconds => seconds.saturating_add(2 * TIMEOUT_SECONDS),
                },
                on_failure_block: form.strict,
                event,
            }
        })
        .collect()
}

/// Tools of different kinds; an entry whose matcher leaves one of them out does not guard every call.
const TOOLS: [&str; 8] = ["Bash", "Read", "Write", "Edit", "WebFetch", "Agent", "NotebookEdit", "mcp__server__tool"];

/// Why an entry of ours cannot refuse every call of its event, although it is registered; `None` when it can.
///
/// The host accepts all of these entries. It starts nothing, starts it for some calls, does not wait for it, or ends it before
/// it has answered; or what it starts answers for something else than this project and event.
pub fn obstacle(entry: &FoundEntry) -> Option<String> {
    let kind = entry.kind.as_deref().unwrap_or_default();
    if kind != "command" {
        return Some(format!("its type is \"{kind}\", so Claude Code does not start the executable"));
    }
    if entry.in_background {
        return Some("it runs in the background (async), where a refusal has no effect".to_owned());
    }
    if let Some(condition) = &entry.condition {
        return Some(format!("it has an \"if\" ({condition}), so it is started for some calls only"));
    }
    if entry.once {
        return Some("it has \"once\", so Claude Code may forget it after the first call".to_owned());
    }
    if let Some(shell) = entry.shell.as_deref().filter(|shell| *shell != "\"bash\"") {
        return Some(format!("its shell is {shell}, which no installation writes and not every machine has"));
    }
    let needed = f64::from(deadline::MILLIS + deadline::LATE_MILLIS) / 1000.0;
    if let Some(timeout) = entry.timeout.filter(|timeout| *timeout < needed) {
        return Some(format!(
            "its timeout is {timeout} s, and an answer may take {needed} s; Claude Code goes on without it"
        ));
    }
    narrow(entry).or_else(|| foreign_arguments(entry)).or_else(|| changed(entry))
}

/// Why an entry that looks for the executable may not find or start it.
fn changed(entry: &FoundEntry) -> Option<String> {
    let event = shared_event(entry.command.as_deref()?)?;
    if event != entry.event {
        return Some(format!("its command is for {event}"));
    }
    if entry.command.as_deref().is_some_and(|command| command.contains(PROJECT_PLACE)) {
        return Some(format!(
            "its command is of an earlier version and starts what a branch brings as {PROJECT_PLACE}/hookbin"
        ));
    }
    (!is_shared(entry)).then(|| "its command is not the one that an installation writes".to_owned())
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
        return Some(format!("its arguments name the project {}, whichever Claude Code is in", project.display()));
    }
    if let Some(subject) = parsed.subject.filter(|subject| *subject != entry.event) {
        return Some(format!("its arguments are for {subject}"));
    }
    if parsed.late || parsed.dry || parsed.payload.is_some() {
        return Some("its arguments are not those of an entry".to_owned());
    }
    parsed.fault.map(|fault| format!("its arguments are not understood: {fault}"))
}
