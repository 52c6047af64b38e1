//! The executable `hookbin-sync`: sends the spool of this machine's session registry to a PostgreSQL server.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this program talks to a user")]

mod send;
mod watch;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, Parser};
use hook_session_state::registry::{Place, server_name};

/// Exit codes, the same as those of hookbin's commands.
mod exit {
    /// All is sent.
    pub(crate) const GOOD: u8 = 0;
    /// Sent, and there is something to look at.
    pub(crate) const FINDINGS: u8 = 4;
    /// Used wrongly.
    pub(crate) const USAGE: u8 = 64;
    /// Not sent.
    pub(crate) const INTERNAL: u8 = 70;
}

/// Where the connection string stands. Not on the command line, which every user of the machine can read; and in no variable that a
/// project has for a database of its own.
const URL: &str = "HOOKBIN_REGISTRY_URL";

/// What is no option.
const MORE: &str = "The server is named by HOOKBIN_REGISTRY_URL, as postgres://USER:PASSWORD@HOST/DATABASE; `hookbin sync` \
                    sets all of this. Exit codes: 0 all is sent, 4 sent with something to look at, 64 wrong use, 70 not sent. \
                    `hookbin-sync --man` prints the manual page, in roff.";

#[derive(Parser)]
#[command(
    name = "hookbin-sync",
    version,
    about = "Sends this machine's session registry to a PostgreSQL server",
    after_help = MORE
)]
struct Args {
    /// The directory of the spool
    #[arg(long, value_name = "DIR")]
    spool: PathBuf,
    /// The database of this machine's registry
    #[arg(long, value_name = "FILE")]
    database: PathBuf,
    /// Send what there is, and stop; this is the default
    #[arg(long, conflicts_with = "watch")]
    once: bool,
    /// Go on sending
    #[arg(long)]
    watch: bool,
    /// With --watch, seconds between two looks at the spool
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    interval: u32,
    /// Seconds after which a server that is silent is given up
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    timeout: u32,
    /// Let the server forget sessions that ended this many days ago, of all machines
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    forget: Option<u32>,
}

/// Prints the manual page, made from the same definition as the options.
fn manual() -> u8 {
    match clap_mangen::Man::new(Args::command()).render(&mut std::io::stdout().lock()) {
        Ok(()) => exit::GOOD,
        Err(_) => exit::INTERNAL,
    }
}

fn main() -> ExitCode {
    ExitCode::from(run())
}

fn run() -> u8 {
    if std::env::args_os().nth(1).is_some_and(|word| word == "--man") {
        return manual();
    }
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Nothing is left to do about an output that is closed.
            let _ = error.print();
            return if error.use_stderr() { exit::USAGE } else { exit::GOOD };
        }
    };
    let Some(url) = std::env::var(URL).ok().filter(|url| !url.is_empty()) else {
        eprintln!("hookbin-sync: there is no server to send to; set {URL} to postgres://USER:PASSWORD@HOST/DATABASE");
        return exit::USAGE;
    };
    let server = match server_name(&url) {
        Ok(server) => server,
        Err(error) => {
            eprintln!("hookbin-sync: {error}");
            return exit::USAGE;
        }
    };
    let job = send::Job { place: Place::at(&args.spool, &args.database), url, server, forget_days: args.forget };
    let timeout = Duration::from_secs(u64::from(args.timeout));
    if args.watch {
        watch::go_on(job, Duration::from_secs(u64::from(args.interval)), timeout)
    } else {
        watch::once(job, timeout)
    }
}
