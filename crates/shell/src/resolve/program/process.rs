//! Processes that are ended by their numbers.

use crate::options::plain_words;
use crate::programs::{self, Invocation, Tool, Trait};
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::{Call, base_name};
use crate::resolve::printed::is_number_of_service;
use crate::resolve::shown;
use crate::resolve::taint::{
    GLOB_ANY, GLOB_SET, GLOB_STAR, LIST_ITEM, PARENT_PID, PROGRAM_OUTPUT, SERVER_PID, SHELL_PID, SUBSTITUTED,
    is_literal,
};

impl Interp<'_> {
    pub(super) fn kill(&mut self, args: &[String], call: &Call) {
        // `-KILL` is a signal, not a bundle of letters.
        if args.iter().any(|arg| matches!(arg.as_str(), "-l" | "-L" | "--list" | "--table")) {
            return;
        }
        let text = shown(&format!("kill {}", args.join(" ")));
        let (signal, targets) = signal_and_targets(args);
        let is = |wanted: &[&str]| targets.iter().any(|target| wanted.contains(&target.as_str()));
        // `kill -9 -1` ends everything that the user may end; `kill 1` ends the first process.
        if is(&["-1", "1"]) {
            self.act_at(Kind::KillMany, Some(crate::path::Place::System), text, call.span);
            return;
        }
        // Signal 0 only asks whether there is such a process.
        if signal == "0" {
            return;
        }
        // The process group that the shell belongs to, or the host that started it. A shell that leaves takes what it started with it.
        let group = is(&["0"])
            || targets.iter().any(|target| target.starts_with('-') && target.contains([SHELL_PID, PARENT_PID]));
        // `for p in /proc/[0-9]*; do kill ${p#/proc/}; done`
        let each = targets.iter().any(|target| target.contains([GLOB_STAR, GLOB_ANY, GLOB_SET]));
        if each || group && !self.leaving || targets.iter().any(|target| target.contains(PARENT_PID)) {
            self.act_at(Kind::KillMany, None, text, call.span);
        } else if targets.iter().any(|arg| arg.contains(LIST_ITEM) || arg.contains(PROGRAM_OUTPUT)) {
            if self.seeks_guard() {
                self.act_at(Kind::Guard, None, text.clone(), call.span);
            }
            self.act_at(Kind::Kill, None, text, call.span);
        } else if targets.iter().any(|arg| arg.contains(SERVER_PID)) {
            if self.seeks_guard() {
                self.act_at(Kind::Guard, None, text.clone(), call.span);
            }
            self.act_at(Kind::KillServer, None, text, call.span);
        } else if targets.iter().any(|arg| arg.contains(SUBSTITUTED)) {
            let kind = if self.read_service { Kind::Kill } else { Kind::KillComputed };
            self.act_at(kind, None, text, call.span);
        }
    }
}

impl Interp<'_> {
    /// Reports a program that keeps terminals open and ends those of the user.
    pub(in crate::resolve) fn terminals_ended(&mut self, of: &Invocation<'_>, call: &Call) {
        if ends_terminals(of) {
            self.act_at(Kind::KillMany, None, shown(&of.text()), call.span);
        }
    }

    /// The host may be kept from starting another hook: by limits, by a debugger that stops it. Who does that to a process ends it.
    pub(in crate::resolve) fn holds_client(&mut self, of: &Invocation<'_>, call: &Call) {
        let args = of.args;
        if of.is(Trait::Holds) {
            let found = |arg: &&String| arg.contains([PARENT_PID, LIST_ITEM, PROGRAM_OUTPUT, SUBSTITUTED]);
            let targets: Vec<String> = args.iter().filter(found).cloned().collect();
            if !targets.is_empty() {
                self.kill(&targets, call);
            }
        }
    }
}

/// The signal, without the dash before it, and the numbers of what gets it.
fn signal_and_targets(args: &[String]) -> (&str, &[String]) {
    match args {
        [dashes, targets @ ..] if dashes == "--" => ("", targets),
        [option, signal, targets @ ..] if matches!(option.as_str(), "-s" | "-n" | "--signal") => {
            (signal, targets.strip_prefix(&["--".to_owned()]).unwrap_or(targets))
        }
        // A number alone that follows is a process, or a group.
        [signal, targets @ ..]
            if signal.starts_with('-') && !targets.is_empty() && !signal.contains([SHELL_PID, PARENT_PID]) =>
        {
            let signal = signal.strip_prefix("--signal=").unwrap_or(signal).trim_start_matches('-');
            (signal, targets.strip_prefix(&["--".to_owned()]).unwrap_or(targets))
        }
        targets => ("", targets),
    }
}

/// Whether `lsof` finds processes by a port, and by nothing else.
pub(in crate::resolve) fn by_port(args: &[String]) -> bool {
    let mut args = args.iter().peekable();
    let mut by_port = false;
    while let Some(arg) = args.next() {
        if arg.starts_with(['+', '-']) && !arg.starts_with("-i") && arg.contains(['u', 'c', 'p', 'g', 'd', 'D']) {
            return false;
        }
        let Some(letters) = arg.strip_prefix('-') else { continue };
        let own = letters.split(':').next().unwrap_or_default();
        if !own.contains('i') {
            continue;
        }
        let next = if own.ends_with('i') && !arg.contains(':') { args.next() } else { None };
        if !names_port(next.unwrap_or(arg)) {
            return false;
        }
        by_port = true;
    }
    by_port
}

/// `:3000`, `tcp:3000,3001`, `-i4:8000-8010`.
fn names_port(text: &str) -> bool {
    let ports = text.rsplit_once(':').map_or("", |(_, ports)| ports);
    ports.starts_with(|c: char| c.is_ascii_digit())
        && ports.bytes().all(|byte| byte.is_ascii_digit() || b",-".contains(&byte))
}

/// Whether `fuser` is given ports alone: `3000/tcp`, `-n tcp 3000`.
pub(super) fn ports_alone(args: &[String]) -> bool {
    let spaced = args.iter().any(|arg| matches!(arg.as_str(), "-n" | "--namespace"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_port = |arg: &&String| {
        let protocol = |arg: &str| arg.strip_suffix("/tcp").or_else(|| arg.strip_suffix("/udp")).map(str::to_owned);
        protocol(arg).is_some_and(|port| is_number(&port))
            || spaced && (is_number(arg) || matches!(arg.as_str(), "tcp" | "udp"))
    };
    let mut named = plain_words(args).peekable();
    named.peek().is_some() && named.all(|arg| is_port(&arg))
}

/// Endings of files that a language runs.
const SCRIPTS: &[&str] =
    &["cjs", "exs", "go", "jar", "js", "jsx", "lua", "mjs", "mts", "php", "pl", "py", "rb", "sh", "ts", "tsx"];

/// Options of `pkill` that choose no more than what is named; by user, terminal, parent or session it would end more.
const NARROW: &[&str] = &[
    "f", "full", "x", "exact", "n", "newest", "o", "oldest", "i", "ignore-case", "a", "l", "L", "logpidfile", "e",
    "echo", "signal", "F", "pidfile",
];

/// Whether a program that chooses processes by name is told a tool or a script of the project, by how people start one: `vite`,
/// `uvicorn app:app`, `node server.js`, `target/debug/app`.
pub(in crate::resolve) fn of_project(of: &Invocation<'_>) -> bool {
    let is_signal =
        |arg: &str| arg.len() > 2 && arg.bytes().skip(1).all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let args: Vec<String> = of.args.iter().filter(|arg| !(arg.starts_with('-') && is_signal(arg))).cloned().collect();
    let of = of.with(&args);
    let options = of.options();
    let by_name = options.options.iter().all(|option| {
        let name = option.name.trim_start_matches('-');
        NARROW.contains(&name) || name.bytes().all(|byte| byte.is_ascii_digit())
    });
    // One process, whose number its starter has left there.
    let numbered = options.value(&["-F", "--pidfile"]).is_some_and(|file| !is_number_of_service(file));
    by_name
        && (numbered || !options.operands.is_empty())
        && options.operands.iter().all(|pattern| numbered || is_own_tool(pattern))
}

/// Whether a program that keeps terminals open ends all of them, or those that a list names. A socket of one's own holds none of the
/// user's.
fn ends_terminals(of: &Invocation<'_>) -> bool {
    let options = of.options();
    let first = options.operands.first().copied().unwrap_or_default();
    let listed = || of.args.iter().any(|arg| arg.contains([LIST_ITEM, PROGRAM_OUTPUT]));
    match of.program.tool {
        Tool::Tmux if options.has(&["-L", "-S"]) => false,
        Tool::Tmux => match first {
            "kill-server" => true,
            "kill-session" => listed() || of.args.iter().any(|arg| arg == "-a"),
            _ => false,
        },
        Tool::Screen => options.has(&["-X"]) && first == "quit" && listed(),
        Tool::Zellij => matches!(first, "kill-all-sessions" | "ka" | "delete-all-sessions" | "da"),
        _ => false,
    }
}

fn is_own_tool(pattern: &str) -> bool {
    let mut words = pattern.trim_start_matches('^').trim_end_matches('$').split_ascii_whitespace();
    let Some(first) = words.next().filter(|_| is_literal(pattern)) else { return false };
    let is_script = |word: &str| {
        let file = word.rsplit('/').next().unwrap_or(word);
        file.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && SCRIPTS.contains(&ending))
    };
    let within = !first.starts_with(['/', '~', '.']) && first.split('/').filter(|part| part.len() > 1).count() > 1;
    let name = base_name(first);
    if programs::is(&name, Trait::Develops) || within || is_script(first) {
        return true;
    }
    let known = programs::named(&name);
    // What nobody knows is somebody's own tool where the pattern also says with what it was started.
    let particular = |word: &str| {
        !word.starts_with(['/', '~'])
            && word.contains(|c: char| c.is_ascii_digit() || matches!(c, '/' | '.' | ':' | '='))
    };
    if known.is_none() && (words.clone().any(particular) || first.contains(':') && words.clone().next().is_some()) {
        return true;
    }
    // What an interpreter or a manager runs is the project's where it is named.
    let runs = known.is_some_and(|program| {
        program.code.is_some()
            || [Trait::RunsFile, Trait::RunsScripts, Trait::Installs].iter().any(|has| program.is.has(*has))
    });
    runs && !programs::is(&name, Trait::Shell) && words.any(|word| !word.starts_with('-'))
}
