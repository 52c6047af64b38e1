//! `cargo xtask install`, `uninstall` and `doctor`: build, and hand over to the executable.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use clap::Args;
use xshell::{Shell, cmd};

use crate::{build, workspace};

/// Arguments of `install`, all of them the executable's own.
#[derive(Args)]
pub(crate) struct Install {
    /// Passed to `hookbin install`: `--project DIR`, `--scope local|project|user`, `--profile P`, `--dry-run`, …
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

/// Arguments of `uninstall`, all of them the executable's own.
#[derive(Args)]
pub(crate) struct Uninstall {
    /// Passed to `hookbin uninstall`: `--project DIR`, `--scope local|project|user`, `--dry-run`, …
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

/// Arguments of `doctor`, all of them the executable's own.
#[derive(Args)]
pub(crate) struct Doctor {
    /// Passed to `hookbin doctor`: `--project DIR`, `--fix`, `--json`, …
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

impl Doctor {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let hookbin = build::run(sh)?;
        hand_over(sh, &hookbin, "doctor", &self.arguments)
    }
}

impl Install {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let hookbin = build::run(sh)?;
        // Its last step is `doctor`, which fires the installed entry, so nothing is left to prove here.
        hand_over(sh, &hookbin, "install", &self.arguments)
    }
}

impl Uninstall {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let hookbin = build::run(sh)?;
        hand_over(sh, &hookbin, "uninstall", &self.arguments)
    }
}

/// Runs the executable in the directory the user stands in, so that a relative `--project` means what they typed.
fn hand_over(sh: &Shell, hookbin: &Path, command: &str, arguments: &[String]) -> Result<()> {
    let here = std::env::current_dir().context("find the working directory")?;
    let _back = sh.push_dir(here);
    let child = workspace::scrubbed(cmd!(sh, "{hookbin} {command} {arguments...}")).ignore_status();
    let status = std::process::Command::from(child).status().with_context(|| format!("start {}", hookbin.display()))?;
    ensure!(status.success(), "`hookbin {command}` failed ({status}); its message stands above");
    Ok(())
}
