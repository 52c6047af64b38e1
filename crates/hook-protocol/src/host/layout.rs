//! What hookbin and the hosts that start it own on a machine: by this value the resolver knows what no command may change.

use hook_shell::layout::{DirVariable, Layout, OwnCommand, Power, Shows};

use super::CLAUDE_CODE;
use crate::event::EventName;
use crate::settings::{self, power_of};

/// hookbin as a guard of Claude Code.
pub static LAYOUT: Layout = Layout {
    client_dir: CLAUDE_CODE.dir,
    client_part: "/.claude/",
    settings: &[".claude/settings.json", ".claude/settings.local.json"],
    settings_names: &[CLAUDE_CODE.settings.shared, CLAUDE_CODE.settings.personal],
    personal_settings: ".claude/settings.local.json",
    shared: &[".claude/settings.json", ".claude/hookbin.toml"],
    in_project: IN_PROJECT,
    evidence: EVIDENCE,
    evidence_of_session: EVIDENCE_OF_SESSION,
    // Files of an installation that the project contains, where there is one.
    contained: &["storage/", "scripts/boot-lmdb5.sh"],
    found: FOUND,
    found_at_home: FOUND_AT_HOME,
    at_home: AT_HOME,
    home_parts: &["/.config/hookbin/", "/.local/share/hookbin/", "/.local/state/hookbin/"],
    in_own_dirs: &["hookbin/hookbin.toml", "hookbin/hookbin", "hookbin/projects/", "hookbin/keys/"],
    own_part: "/hookbin/",
    managed: MANAGED,
    linked: LINKED,
    linked_at_home: LINKED_AT_HOME,
    linked_in_client_dir: &["", "settings.json", "settings.local.json"],
    worktrees: &[".claude/worktrees"],
    program: "hookbin",
    helpers: &["hookbin-sync"],
    installed: &[".local/share/hookbin/hookbin", ".local/bin/hookbin", ".cargo/bin/hookbin"],
    on_path: ".local/bin/hookbin",
    data_dir: ".local/share/hookbin",
    own_dir: ".claude/hookbin",
    project_program: ".claude/hookbin/hookbin",
    program_for_all: "/usr/local/bin/hookbin",
    configuration: "hookbin.toml",
    configuration_dir: ".config/hookbin",
    commands: COMMANDS,
    person_commands: &["trust", "hook", "allow", "pause"],
    is_event: |word| EventName::from(word).index().is_some(),
    marks: [(b'k', "hookb"), (b'u', "claude"), (b'-', "agent-bin")],
    words: &["claude", "hookbin", "settings"],
    entry: ENTRY,
    client_dir_variable: CLAUDE_CODE.variables.config_dir,
    project_variables: &[CLAUDE_CODE.variables.project_dir],
    dir_variables: &DIR_VARIABLES,
    // Where the host says what every later command runs first.
    file_variables: &[(CLAUDE_CODE.variables.env_file, ".claude/session-env/session/env.sh")],
    person_variables: &["HOOKBIN_UNATTENDED"],
    power,
    names_hooks,
};

fn power(text: &str) -> Power {
    match power_of(text) {
        settings::Power::None => Power::None,
        settings::Power::Unclear => Power::Unclear,
        settings::Power::Some => Power::Some,
    }
}

/// Whether a key or a settings text is about hooks, whatever escapes it is written with.
fn names_hooks(text: &str) -> bool {
    let lower = settings::unescaped(text).to_ascii_lowercase();
    lower.contains("disableallhooks") || lower.contains("allowmanagedhooksonly") || lower == "hooks"
}

const IN_PROJECT: &[&str] = &[
    ".claude/settings.json", ".claude/settings.local.json", ".claude/hookbin.toml", ".claude/state.json",
    ".claude/state.json.lock", ".claude/bypass_active.json", ".claude/saneprompt.log", ".claude/sanetools.log",
    ".claude/sanetrack.log", ".claude/sanestop.log", ".claude/compact-recovery.json",
    ".claude/handoff/NEXT_ACTION.json", ".claude/sensitive-files.json", ".claude/hookbin/",
    ".claude-collective/metrics/", "agent-bin/",
];

/// By these the gates of profiles judge.
const EVIDENCE: &[&str] = &[
    ".test-status", ".proof-status", ".test-gate-strikes", ".mock-gate-strikes", ".test-gate-cold-warned",
    ".plan-drift", ".lint-breaker", ".audit-log", ".agent-findings", ".test-runner.lock", ".test-runner.running",
    ".test-runner.last-run", ".test-runner.out",
];

const EVIDENCE_OF_SESSION: &[&str] =
    &[".session-changes", ".prompt-count-", ".compact-context-", ".surfaced-", "state.json.tampered-"];

const FOUND: &[(&str, bool)] = &[
    (".claude", true),
    (".claude/settings.json", false),
    (".claude/settings.local.json", false),
    (".claude/hookbin.toml", false),
    (".claude/.test-status", false),
    (".claude/.proof-status", false),
    (".claude/state.json", false),
    (".claude/bypass_active.json", false),
    (".claude/hookbin", true),
    (".claude/hookbin/hookbin", false),
    (".claude/hookbin/state", true),
    (".claude/hookbin/state/project.json", false),
    (".claude/hookbin/state/sessions", true),
    (".claude/hookbin/state/sessions/a.json", false),
    (".claude/hookbin/log", true),
    (".claude/hookbin/log/audit.jsonl", false),
];

const FOUND_AT_HOME: &[(&str, bool)] = &[
    (".claude/settings.json", false),
    (".config/hookbin", true),
    (".config/hookbin/hookbin.toml", false),
    (".config/hookbin/projects", true),
    (".local/share/hookbin", true),
    (".local/share/hookbin/hookbin", false),
    (".local/bin/hookbin", false),
    (".cargo/bin/hookbin", false),
    (".local/state/hookbin", true),
    (".local/state/hookbin/projects", true),
    (".local/state/hookbin/keys", true),
];

const AT_HOME: &[&str] = &[
    ".claude/hookbin/", ".config/hookbin/", ".local/state/hookbin/", ".local/share/hookbin/", ".claude/hookbin.toml",
    ".local/bin/hookbin", ".cargo/bin/hookbin",
];

const MANAGED: &[&str] = &[
    "/etc/claude-code/",
    "/usr/local/bin/hookbin",
    "/Library/Application Support/ClaudeCode/",
    "C:/ProgramData/ClaudeCode/",
    "C:/Program Files/ClaudeCode/",
];

const LINKED: &[&str] =
    &[".claude", ".claude/settings.json", ".claude/settings.local.json", ".claude/hookbin.toml", ".claude/hookbin"];

const LINKED_AT_HOME: &[&str] = &[
    ".claude", ".claude/settings.json", ".claude/settings.local.json", ".config", ".config/hookbin",
    ".config/hookbin/hookbin.toml", ".local", ".local/state", ".local/state/hookbin",
];

static DIR_VARIABLES: [DirVariable; 5] = [
    DirVariable { name: CLAUDE_CODE.variables.config_dir, usual: "/.claude" },
    DirVariable { name: "HOME", usual: "" },
    DirVariable { name: "XDG_CONFIG_HOME", usual: "/.config" },
    DirVariable { name: "XDG_STATE_HOME", usual: "/.local/state" },
    DirVariable { name: "XDG_DATA_HOME", usual: "/.local/share" },
];

/// What stands in the settings entry, by whose words a search finds it and a replacement spoils it.
const ENTRY: &str = "\"hooks\": { \"PreToolUse\" \"PostToolUse\" \"PostToolUseFailure\" \"UserPromptSubmit\" \"SessionStart\" \"SessionEnd\" \
    \"SubagentStart\" \"SubagentStop\" \"PreCompact\" \"PermissionRequest\" \"Notification\" \"ConfigChange\" \"Stop\": [{ \"matcher\": \"*\" \
    \"hooks\": [{ \"type\": \"command\", \"command\": \"$CLAUDE_PROJECT_DIR/.claude/hookbin/hookbin hook PreToolUse\", \"timeout\": 10 }] }] \
    disableAllHooks statusLine";

const fn shows(name: &'static str, shows: Shows) -> OwnCommand {
    OwnCommand { name, shows, prints_files: false, writes: &[], values: &[] }
}

/// Commands of hookbin that show something and change nothing of it, and how far they do.
const COMMANDS: &[OwnCommand] = &[
    shows("completions", Shows::Always),
    OwnCommand { prints_files: true, ..shows("config", Shows::Verbs(&["check", "schema", "draft"])) },
    OwnCommand { prints_files: true, ..shows("doctor", Shows::Without("--fix")) },
    shows("explain", Shows::Always),
    shows("help", Shows::Always),
    shows("log", Shows::Always),
    shows("man", Shows::Always),
    shows("metrics", Shows::Always),
    shows("profile", Shows::Always),
    shows("proof", Shows::Verbs(&["show"])),
    shows("recall", Shows::Always),
    OwnCommand { prints_files: true, ..shows("replay", Shows::Always) },
    OwnCommand {
        writes: &["-o", "--output"],
        values: &["-o", "--output", "--session", "--since", "--until", "--project"],
        ..shows("report", Shows::Always)
    },
    shows("score", Shows::Always),
    shows("selftest", Shows::Always),
    shows("sessions", Shows::OtherVerbs(&["prune", "worker", "execution"])),
    shows("settings", Shows::Always),
    shows("state", Shows::Verbs(&["show", "verify"])),
    shows("status", Shows::Always),
    shows("statusline", Shows::Always),
    shows("trust", Shows::With("--show")),
    shows("vault", Shows::OtherVerbs(&["install", "remove"])),
];
