//! The library half of `hookbin`: it answers one hook event of a coding agent, and holds the commands for people.
//!
//! It composes the family: `hook-protocol` reads the event and writes the answer, `hook-policy` decides, `hook-session-state` and
//! `hook-audit-log` keep what happened. It has no policy of its own. Its interface serves the executable and its tests and follows
//! no stability promise; to embed hooks in another agent, use the crates of the family.
#![forbid(unsafe_code)]

mod attended;
pub mod cli;
pub mod doctor;
pub mod events;
pub mod install;
pub mod migrate;
mod stdin;

use std::ffi::OsString;
use std::io::Write;

use hook_runtime::event::args;
use hook_runtime::event::run;
use hook_runtime::system::{Alarm, System};

/// Exit code of a command that was used wrongly.
pub const USAGE: u8 = 64;

/// Everything the process does: answers an event, or runs a command for people. Returns the exit code.
///
/// With `reuse` an update of state writes into the file that an earlier one replaced, which saves a tenth of the run. `alarm` sets the
/// deadline of the run again.
pub fn main(args: Vec<OsString>, reuse: Option<hook_session_state::WriteLease>, alarm: Option<Alarm>) -> u8 {
    let mut system = System::of_process();
    system.reuse = reuse;
    system.alarm = alarm;
    // A `match` on the first argument before any argument parser: the hook path pays for none.
    match args.get(1).map(|first| first.as_encoded_bytes()) {
        Some(b"hook") if args.get(2).is_some_and(|second| second == "--help" || second == "-h") => {
            cli::main(args, system)
        }
        Some(b"hook") => hook(args.get(2..).unwrap_or_default(), system),
        None if !stdin::is_terminal() => hook(&[], system),
        None => {
            let _ = writeln!(std::io::stderr(), "{}", cli::SHORT_USAGE);
            USAGE
        }
        Some(_) => cli::main(args, system),
    }
}

fn hook(args: &[OsString], system: System) -> u8 {
    let args = args::HookArgs::parse(args);
    let system = match args.host {
        Some(host) => system.of_host(host),
        None => system,
    };
    let stdin = match (&args.payload, args.late) {
        (_, true) => Vec::new(),
        // A handler started by hand takes its payload from the command line.
        (payload, false) if stdin::is_terminal() => payload.clone().unwrap_or_else(|| "{}".to_owned()).into_bytes(),
        (_, false) => stdin::read(),
    };
    let apart = args.apart.as_deref().map(|dir| system.apart(dir));
    let printed = run::hook(&args, &stdin, apart.as_ref().unwrap_or(&system));
    // Nothing is left to do about an output that is closed.
    let _ = print(&printed);
    printed.code
}

/// Prints past the standard library's line buffer, so that an answer is one `write` wherever the pipe has room.
#[cfg(unix)]
fn print(printed: &run::Printed) -> rustix::io::Result<()> {
    for (to, text) in [(rustix::stdio::stderr(), &printed.stderr), (rustix::stdio::stdout(), &printed.stdout)] {
        let mut bytes = text.as_bytes();
        while !bytes.is_empty() {
            match rustix::io::write(to, bytes) {
                Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn print(printed: &run::Printed) -> std::io::Result<()> {
    std::io::stderr().write_all(printed.stderr.as_bytes())?;
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(printed.stdout.as_bytes())?;
    stdout.flush()
}
