//! `cargo xtask settings`: the settings entries that an installation writes, on stdout.

use anyhow::{Context, Result};
use clap::Args;
use xshell::{Shell, cmd};

use crate::workspace;

/// Arguments of `settings`.
#[derive(Args)]
pub(crate) struct Settings {
    /// The profiles whose entries are wanted, separated by commas.
    #[arg(long, default_value = "standard", value_name = "A[,B]")]
    profile: String,
    /// Whose entries: `local`, `project` (the `settings.json` that a team shares) or `user`.
    #[arg(long, default_value = "project", value_name = "SCOPE")]
    scope: String,
}

impl Settings {
    /// Asks a development build: the entries do not depend on how the executable is linked, and it is there sooner.
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let Self { profile, scope } = self;
        let print = cmd!(
            sh,
            "cargo run --quiet --locked -p hookbin-cli --bin hookbin -- settings --profile {profile} --scope {scope}"
        );
        workspace::scrubbed(print).quiet().run().context("print the settings entries")
    }
}
