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
}

impl Settings {
    /// Asks a development build: the entries do not depend on how the executable is linked, and it is there sooner.
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let profile = &self.profile;
        let print = cmd!(sh, "cargo run --quiet --locked -p hookbin-cli --bin hookbin -- settings --profile {profile}");
        workspace::scrubbed(print).quiet().run().context("print the settings entries")
    }
}
