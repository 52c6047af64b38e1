//! `hookbin sync`: starts `hookbin-sync`, which sends what this machine's sessions do to a server for many machines.
//!
//! The client of a database server, encryption and name resolution would make every hook slower, so they lie in a program of its own.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Context as _;
use clap::Args;

use super::Usage;
use hook_runtime::programs::launch::{self, Kind, is_executable};
use hook_runtime::project::registry_place;
use hook_runtime::system::System;
use hook_runtime::system::environment::NOTE;

#[derive(Args)]
pub(super) struct SyncArgs {
    /// Send what there is, and stop; this is the default
    #[arg(long, conflicts_with = "watch")]
    once: bool,
    /// Go on sending
    #[arg(long)]
    watch: bool,
    /// With --watch, seconds between two looks at the spool
    #[arg(long, value_name = "SECONDS", requires = "watch")]
    interval: Option<u32>,
    /// Let the server forget sessions that ended this many days ago, of all machines
    #[arg(long, value_name = "DAYS")]
    forget: Option<u32>,
}

/// The program.
const PROGRAM: &str = if cfg!(windows) { "hookbin-sync.exe" } else { "hookbin-sync" };

/// Where the program reads the connection string.
const URL: &str = "HOOKBIN_REGISTRY_URL";

pub(super) fn run(args: &SyncArgs, system: &System) -> anyhow::Result<u8> {
    let place = registry_place::place(system)?;
    let configured = || registry_place::keys(system).map(|keys| keys.url.map(OsString::from));
    let url = match system.switched(URL) {
        Some(url) => Some(OsString::from(url)),
        // No other variable: a project's own database is not for what all sessions of the machine do.
        None => configured()?,
    };
    let Some(url) = url else {
        let own = system.user_config().map_or_else(|| "hookbin.toml".to_owned(), |path| path.display().to_string());
        let way = format!("write `url = \"postgres://…\"` under [registry] into {own}");
        if system.var(URL).is_some() {
            let note = system.data_dir().map(|dir| dir.join(NOTE)).unwrap_or_default();
            let more = format!("; {URL} counts where a line `{URL}` in {} says so", note.display());
            return Err(Usage(format!("there is no server to send to; {way}{more}")).into());
        }
        return Err(Usage(format!("there is no server to send to; {way}")).into());
    };
    let program = find(system).with_context(|| {
        format!(
            "{PROGRAM} is neither beside hookbin nor on PATH. It is an executable of its own: in a checkout, `cargo build --release -p \
             hookbin-sync`, then put it beside hookbin; of a published version, `cargo install hookbin-sync`"
        )
    })?;
    let mut command = launch::command(&program, Kind::Own, system)?;
    command.arg("--spool").arg(place.spool().dir()).arg("--database").arg(place.database());
    command.arg(if args.watch { "--watch" } else { "--once" });
    for (option, value) in [("--interval", args.interval), ("--forget", args.forget)] {
        if let Some(value) = value {
            command.arg(option).arg(value.to_string());
        }
    }
    for name in ["SSL_CERT_FILE", "SSL_CERT_DIR"] {
        // Whom to believe is the user's to say, as where to send is.
        if let Some(value) = system.switched(name) {
            command.env(name, value);
        }
    }
    // Not as an argument, which every user of the machine can read.
    command.env(URL, url);
    start(command).with_context(|| format!("cannot start {}", program.display()))
}

/// The program beside this executable, else along the search path.
fn find(system: &System) -> Option<PathBuf> {
    let own = std::env::current_exe().ok().and_then(|own| own.parent().map(|dir| dir.join(PROGRAM)));
    own.filter(|path| is_executable(path)).or_else(|| launch::find_tool(&[PROGRAM], system.cwd.as_deref(), system))
}

/// Becomes the program, so that signals and the exit code are its own.
#[cfg(unix)]
fn start(mut command: Command) -> anyhow::Result<u8> {
    Err(std::os::unix::process::CommandExt::exec(&mut command).into())
}

#[cfg(not(unix))]
fn start(mut command: Command) -> anyhow::Result<u8> {
    let code = command.status()?.code();
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(super::exit::INTERNAL))
}
