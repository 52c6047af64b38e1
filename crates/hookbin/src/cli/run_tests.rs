//! `hookbin run-tests`: what a hook starts, detached, to run a project's tests. Not for people.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::exit;
use hook_runtime::programs::runner::Job;
use hook_runtime::system::System;
use hook_runtime::trust::redefined::Spans;

#[derive(Args)]
pub(super) struct RunTestsArgs {
    /// The directory of the project's state
    #[arg(long)]
    state: PathBuf,
    /// The directory whose status is written
    #[arg(long)]
    root: PathBuf,
    /// The directory that the command runs in
    #[arg(long)]
    dir: PathBuf,
    /// The runner's name
    #[arg(long)]
    name: String,
    /// The request that this run is for
    #[arg(long)]
    token: String,
    /// The times in which nothing that says what is run may have changed, as milliseconds since 1970
    #[arg(long)]
    since: String,
    /// Seconds to wait for further changes
    #[arg(long)]
    debounce: u64,
    /// Seconds since the end of the run before
    #[arg(long)]
    pause: u64,
    /// Seconds that the tests may take
    #[arg(long)]
    limit: u64,
    /// The command
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

pub(super) fn run(args: RunTestsArgs, system: &System) -> anyhow::Result<u8> {
    let job = Job {
        state: args.state,
        root: args.root,
        dir: args.dir,
        name: args.name,
        token: args.token,
        since: Spans::parse(&args.since),
        debounce: Duration::from_secs(args.debounce),
        pause: Duration::from_secs(args.pause),
        limit: Duration::from_secs(args.limit),
        command: args.command,
    };
    job.carry_out(system)?;
    Ok(exit::GOOD)
}
