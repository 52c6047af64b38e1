//! PowerShell, written as text for the POSIX shell that is followed.
//!
//! One pass reads the statements, pipelines, expressions and blocks of a text, and writes for each of them the commands that do the same:
//! `gci ~ | ri -r` becomes `find ~ … | xargs rm -r`. So variables, loops, pipes and secrets are followed as in any other text. What a
//! cmdlet stands for is in [`crate::programs::cmdlets`].

mod act;
mod bind;
mod cmd;
mod expression;
mod member;
mod reader;
mod render;
mod statement;
mod value;

use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::taint::UNKNOWN;

use self::reader::Reader;

/// Follows a text for PowerShell.
pub(in crate::resolve) fn powershell(interp: &mut Interp<'_>, text: &str, call: &Call) {
    let lower = text.to_ascii_lowercase();
    let says = |names: &[&str]| names.iter().any(|name| lower.contains(name));
    if says(&["iex", "invoke-expression", "scriptblock]::create", ".invoke("]) && says(&["tcpclient", "getstream("]) {
        interp.act_at(Kind::RemoteShell, None, "a shell on a socket".to_owned(), call.span);
    }
    let mut reader = Reader::new(text);
    let lines = reader.script();
    if reader.is_unread() {
        interp.act_at(Kind::Unread, None, "text for PowerShell".to_owned(), call.span);
    }
    follow(interp, &lines, call);
}

/// Follows a line for `cmd.exe`.
pub(in crate::resolve) fn cmd(interp: &mut Interp<'_>, text: &str, call: &Call) {
    let lines = cmd::lines(text);
    follow(interp, &lines, call);
}

/// Whether a text does what one that was hidden by an encoding may not do.
pub(in crate::resolve) fn hides(text: &str) -> bool {
    bind::names_harm(text)
}

fn follow(interp: &mut Interp<'_>, lines: &str, call: &Call) {
    if lines.trim().is_empty() {
        return;
    }
    // Lists are parted by the ends of lines alone.
    let lines = format!("IFS='\n'\n{lines}");
    interp.subshell(|interp| interp.nested(&lines, call.span, &call.stdin));
}

/// A text of which nothing is known.
fn unknown() -> String {
    UNKNOWN.to_string()
}
