//! Other hook layouts in a project: recognised by the scripts that their settings name, and given a profile that does the same.
//!
//! The layouts are those of the five documented systems. A few of their scripts have names that anybody might choose, so one such
//! name proves nothing; two of one system do. Applying takes the entries of recognised scripts out of the settings and puts ours in;
//! the scripts themselves stay where they are, and so does a copy of the settings.

use std::path::{Path, PathBuf};

use hook_protocol::settings::edit::{HandlerView, find};
use hook_shell::path::Places;
use hook_shell::resolve::{NoFiles, Run, resolve};
use serde::Serialize;

use crate::install::{self, Done, Request};
use hook_runtime::installation::{Place, Scope, shell_quote};
use hook_runtime::system::System;

/// A documented system.
struct Documented {
    /// The document.
    document: &'static str,
    profile: &'static str,
    /// Scripts by file name.
    scripts: &'static [&'static str],
    /// How many of them have to be there.
    at_least: usize,
}

const SYSTEMS: &[Documented] = &[
    Documented {
        document: "S0",
        profile: "spf",
        scripts: &[
            "session-start.sh", "session-end.sh", "user-prompt.sh", "stop-check.sh", "post-action.sh",
            "post-failure.sh", "pre-read.sh", "pre-edit.sh", "pre-write.sh", "pre-bash.sh", "pre-glob.sh",
            "pre-grep.sh", "pre-notebookedit.sh", "pre-webfetch.sh", "pre-websearch.sh", "pre-mcp-read.sh",
            "pre-mcp-edit.sh", "pre-mcp-write.sh", "pre-mcp-bash.sh", "pre-mcp-glob.sh", "pre-mcp-grep.sh",
            "pre-mcp-notebookedit.sh", "pre-mcp-webfetch.sh", "pre-mcp-websearch.sh", "pre-brain.sh", "pre-rag.sh",
            "pre-agent.sh", "pre-config.sh", "pre-projects.sh", "pre-tmp.sh", "pre-spf-meta.sh",
        ],
        at_least: 2,
    },
    Documented {
        document: "S1",
        profile: "guardrails",
        scripts: &[
            "session-init.sh", "prompt-submit.sh", "guard.sh", "auto-review.sh", "test-gate.sh", "mock-gate.sh",
            "branch-guard.sh", "doc-gate.sh", "plan-check.sh", "lint.sh", "track.sh", "code-review.sh",
            "plan-validate.sh", "test-runner.sh", "subagent-start.sh", "check-planner.sh", "check-implementer.sh",
            "check-guardian.sh", "surface.sh", "session-summary.sh", "forward-motion.sh", "compact-preserve.sh",
            "session-end.sh",
        ],
        at_least: 2,
    },
    Documented {
        document: "S2",
        profile: "collective",
        scripts: &[
            "load-behavioral-system.sh", "block-destructive-commands.sh", "block-sensitive-files.sh",
            "collective-metrics.sh", "semantic-docs-update-hook.sh", "test-driven-handoff.sh", "pre-compact-state.sh",
            "subagent-context-inject.sh",
        ],
        at_least: 1,
    },
    Documented {
        document: "S3",
        profile: "sane",
        scripts: &["saneprompt.rb", "sanetools.rb", "sanetrack.rb", "sanestop.rb"],
        at_least: 1,
    },
    Documented {
        document: "S4",
        profile: "claude-os",
        scripts: &["session_lifecycle.py", "tool_tracking.py"],
        at_least: 1,
    },
];

/// A system that a project uses.
#[derive(Debug, Clone, Serialize)]
pub struct Recognised {
    /// The document that describes it.
    pub document: &'static str,
    /// The profile that stands in for it.
    pub profile: &'static str,
    /// The entries that start its scripts.
    pub entries: Vec<OldEntry>,
}

/// An entry that gives way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OldEntry {
    /// The settings file.
    #[serde(serialize_with = "hook_runtime::system::files::lossy")]
    pub settings: PathBuf,
    /// The line in it.
    pub line: usize,
    /// The event.
    pub event: String,
    /// The script by file name.
    pub script: String,
    /// Another program that the same line starts, for whose sake the entry stays.
    pub also: Option<String>,
}

/// What one entry starts.
struct Started {
    /// Scripts of the documented systems, by file name.
    scripts: Vec<String>,
    /// The first program that is none of them and matters.
    also: Option<String>,
}

/// Programs that may stand around a script and do nothing of their own: they choose, prepare or pass on.
const AROUND: &[&str] = &[
    "cd", "pushd", "popd", "test", "[", "[[", "true", "false", ":", "echo", "printf", "export", "set", "exit",
    "return", "command", "exec", "env", "timeout", "nice", "nohup", "stdbuf", "time", "eval", "cat", "read", "unset",
    "which", "type", "dirname", "basename", "pwd", "sudo", "umask", "shopt", "trap", "wait", "sleep", "builtin",
    "setsid", "ionice",
];

/// Programs that run the script which their arguments name.
const INTERPRETERS: &[&str] = &[
    "source", ".", "sh", "bash", "dash", "zsh", "ksh", "python", "python2", "python3", "uv", "node", "ruby", "bundle",
    "perl", "deno", "bun",
];

/// What an entry's command line starts, through whatever stands around it.
fn started(entry: &HandlerView<'_>) -> Started {
    let mut started = Started { scripts: Vec::new(), also: None };
    let Some(command) = entry.command else { return started };
    let line = match entry.args {
        None => command.to_owned(),
        Some(args) => {
            let words = std::iter::once(command).chain(args.iter().map(String::as_str)).map(shell_quote);
            words.collect::<Vec<_>>().join(" ")
        }
    };
    // Where it would run does not matter to what it starts.
    let places = Places::new(Some("/home"), Some("/project"), Some("/project"));
    for run in resolve(&line, &places, &NoFiles).runs {
        match script_of(&run) {
            Some(script) if started.scripts.contains(&script) => {}
            Some(script) => started.scripts.push(script),
            None if AROUND.contains(&run.program.as_str()) => {}
            None if run.program == "git" && run.args.first().is_some_and(|first| first == "rev-parse") => {}
            // A shell whose text was followed is one that only passes on.
            None if INTERPRETERS.contains(&run.program.as_str()) && run.args.iter().any(|arg| arg == "-c") => {}
            None => started.also = started.also.or(Some(run.program)),
        }
    }
    started
}

/// The script of a documented system that a run is: the program itself, or what an interpreter is given.
fn script_of(run: &Run) -> Option<String> {
    let is_known = |name: &&str| SYSTEMS.iter().any(|system| system.scripts.contains(name));
    let given = run.args.iter().filter(|_| INTERPRETERS.contains(&run.program.as_str())).map(String::as_str);
    std::iter::once(run.program.as_str()).chain(given).filter_map(name_of).find(is_known).map(str::to_owned)
}

/// What a project's settings start of the documented systems, in the order of the documents.
pub fn recognise(root: &Path) -> anyhow::Result<Vec<Recognised>> {
    let mut entries = Vec::new();
    for name in ["settings.json", "settings.local.json"] {
        let settings = root.join(".claude").join(name);
        let Some(text) = hook_runtime::system::files::read(&settings)? else { continue };
        // A file that is no settings file starts nothing.
        for entry in find(&text, &|_| true).unwrap_or_default() {
            let view = HandlerView {
                event: &entry.event,
                matcher: entry.matcher.as_deref(),
                command: entry.command.as_deref(),
                args: entry.args.as_deref(),
            };
            let Started { scripts, also } = started(&view);
            entries.extend(scripts.into_iter().map(|script| OldEntry {
                settings: settings.clone(),
                line: entry.line,
                event: entry.event.clone(),
                script,
                also: also.clone(),
            }));
        }
    }
    let mut recognised: Vec<Recognised> = Vec::new();
    for known in SYSTEMS {
        let of_it: Vec<OldEntry> =
            entries.iter().filter(|entry| known.scripts.contains(&entry.script.as_str())).cloned().collect();
        let mut names: Vec<&str> = of_it.iter().map(|entry| entry.script.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        if names.len() < known.at_least {
            continue;
        }
        entries.retain(|entry| !of_it.contains(entry));
        recognised.push(Recognised { document: known.document, profile: known.profile, entries: of_it });
    }
    Ok(recognised)
}

fn name_of(file: &str) -> Option<&str> {
    file.rsplit('/').next()
}

/// What is done about what was recognised, or with `dry_run` would be: one step a settings file that names old scripts, ours into
/// the settings of the scope.
pub fn migrate(
    root: &Path,
    found: &[Recognised],
    scope: Scope,
    dry_run: bool,
    force: bool,
    system: &System,
) -> anyhow::Result<Vec<Done>> {
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let going = || found.iter().flat_map(|system| &system.entries).filter(|entry| entry.also.is_none());
    let replaces: Vec<String> = going().map(|entry| entry.script.clone()).collect();
    let place = Place::in_project(scope, root, system)?;
    let other = place.sibling(system).filter(|other| going().any(|entry| entry.settings == other.settings));
    let profiles = found.iter().map(|system| system.profile.to_owned()).collect();
    let request = Request { place, profiles: Some(profiles), force, strict: false, replaces };
    // What can be refused is refused before either file is written.
    let mut preview = Vec::new();
    if let Some(other) = &other {
        preview.push(install::take_out(other, &request.replaces, force, true, system)?.0);
    }
    preview.push(install::install(&request, true, system)?);
    if dry_run {
        return Ok(preview);
    }
    let mut done = Vec::new();
    let mut undo = None;
    if let Some(other) = &other {
        let (step, way_back) = install::take_out(other, &request.replaces, force, false, system)?;
        done.push(step);
        undo = Some(way_back);
    }
    match install::install(&request, false, system) {
        Ok(step) => done.push(step),
        Err(error) => {
            if let Some(undo) = undo {
                undo.undo();
            }
            return Err(error);
        }
    }
    Ok(done)
}

/// Whether an entry starts one of these scripts, and nothing else of worth.
pub(crate) fn starts_one_of(entry: &HandlerView<'_>, scripts: &[String]) -> bool {
    if scripts.is_empty() {
        return false;
    }
    let started = started(entry);
    started.also.is_none() && started.scripts.iter().any(|name| scripts.contains(name))
}
