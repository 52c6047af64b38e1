//! What a user's rule that allows has to cover before a command line is allowed.

use super::user::{Fit, Subject, Then};
use hook_shell::programs::{self, Trait};
use hook_shell::resolve::{Kind, Run};
use hook_shell::syntax::{Command, Compound, Context, Redirect, RedirectOp, Static, Visit, parse, walk};

/// Whether the rules that allow cover everything that the call does. A rule allows the programs that it names, so a line is allowed
/// only if each program on it is named by such a rule, and nothing on it could do more: no assignment, which can make a program
/// another one, no file written by a redirection, no part that cannot be read. Calls without a command have nothing to cover.
pub(crate) fn covers(fits: &[Fit<'_>], subject: &Subject<'_>) -> bool {
    let Some(command) = subject.event.tool().and_then(|tool| tool.command()) else { return true };
    let script = parse(&command);
    let mut plain = Plain(script.is_complete());
    walk(&script, &mut plain);
    let unread = [Kind::Unread, Kind::RunUnknown, Kind::RunComputed, Kind::RunHidden];
    let report = subject.report;
    let covered = |run: &Run| {
        programs::is(&run.program, Trait::Plain)
            || fits.iter().any(|fit| fit.rule.then == Then::Allow && fit.rule.fits_run(run))
    };
    plain.0
        && !report.actions.iter().any(|action| unread.contains(&action.kind))
        && !report.runs.is_empty()
        && report.runs.iter().all(covered)
}

/// Whether a script has neither assignments nor redirections into files.
struct Plain(bool);

impl Visit for Plain {
    fn command(&mut self, command: &Command, _: Context) {
        if let Compound::Simple(simple) = &command.kind {
            self.0 &= simple.assigns.is_empty();
        }
    }

    fn redirect(&mut self, redirect: &Redirect, _: Context) {
        let target = || redirect.target.static_value();
        let nowhere = || matches!(target(), Static::Known(path) if path == "/dev/null");
        let descriptor = || matches!(target(), Static::Known(fd) if fd.bytes().all(|byte| byte.is_ascii_digit()));
        self.0 &= match redirect.op {
            RedirectOp::In | RedirectOp::Heredoc | RedirectOp::HereString | RedirectOp::DupIn => true,
            RedirectOp::DupOut => descriptor(),
            RedirectOp::Out | RedirectOp::Append | RedirectOp::OutErr | RedirectOp::AppendErr => nowhere(),
            RedirectOp::Both => false,
        };
    }
}
