//! Processes that are ended by their numbers.

use crate::programs::{Invocation, Trait};
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::shown;
use crate::resolve::taint::{LIST_ITEM, PARENT_PID, PROGRAM_OUTPUT, SHELL_PID, SUBSTITUTED};

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
        // The process group that the shell belongs to, or the client that started it. A shell that leaves takes what it started with it.
        let group = is(&["0"])
            || targets.iter().any(|target| target.starts_with('-') && target.contains([SHELL_PID, PARENT_PID]));
        if group && !self.leaving || targets.iter().any(|target| target.contains(PARENT_PID)) {
            self.act_at(Kind::KillMany, None, text, call.span);
        } else if targets.iter().any(|arg| arg.contains(LIST_ITEM) || arg.contains(PROGRAM_OUTPUT)) {
            if self.seeks_guard() {
                self.act_at(Kind::Own, None, text.clone(), call.span);
            }
            self.act_at(Kind::Kill, None, text, call.span);
        } else if targets.iter().any(|arg| arg.contains(SUBSTITUTED)) {
            let kind = if self.read_service { Kind::Kill } else { Kind::KillComputed };
            self.act_at(kind, None, text, call.span);
        }
    }
}

impl Interp<'_> {
    /// The client may be kept from starting another hook: by limits, by a debugger that stops it. Who does that to a process ends it.
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
