//! `cargo xtask install` and `uninstall`: build, hand over to the executable, and prove that the hook fires.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use clap::Args;
use xshell::{Shell, cmd};

use crate::{build, workspace};

/// Arguments of `install`, all of them the executable's own.
#[derive(Args)]
pub(crate) struct Install {
    /// Passed to `hookbin install`: `--project DIR`, `--user`, `--local`, `--profile P`, `--dry-run`, …
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

/// Arguments of `uninstall`, all of them the executable's own.
#[derive(Args)]
pub(crate) struct Uninstall {
    /// Passed to `hookbin uninstall`: `--project DIR`, `--user`, `--local`, `--dry-run`, …
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

impl Install {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let hookbin = build::run(sh)?;
        hand_over(sh, &hookbin, "install", &self.arguments)?;
        let Some(doctor) = doctor_arguments(&self.arguments) else { return Ok(()) };
        hand_over(sh, &hookbin, "doctor", &doctor)
    }
}

impl Uninstall {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let hookbin = build::run(sh)?;
        hand_over(sh, &hookbin, "uninstall", &self.arguments)
    }
}

/// Runs the executable in the folder the person stands in, so that a relative `--project` means what they typed.
fn hand_over(sh: &Shell, hookbin: &Path, command: &str, arguments: &[String]) -> Result<()> {
    let here = std::env::current_dir().context("find the working directory")?;
    let _back = sh.push_dir(here);
    let child = workspace::scrubbed(cmd!(sh, "{hookbin} {command} {arguments...}")).ignore_status();
    let status = std::process::Command::from(child).status().with_context(|| format!("start {}", hookbin.display()))?;
    ensure!(status.success(), "`hookbin {command}` failed ({status}); its message stands above");
    Ok(())
}

/// What `doctor` has to look at after that installation; `None` when nothing was installed.
fn doctor_arguments(arguments: &[String]) -> Option<Vec<String>> {
    if arguments.iter().any(|argument| matches!(argument.as_str(), "--dry-run" | "--help" | "-h")) {
        return None;
    }
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word == "--project" {
            return Some(words.next().map_or_else(Vec::new, |folder| vec![word.clone(), folder.clone()]));
        }
        if word.starts_with("--project=") {
            return Some(vec![word.clone()]);
        }
    }
    Some(Vec::new())
}

#[cfg(test)]
mod tests {
    use super::doctor_arguments;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_doctor_looks_at_the_project_that_was_installed() {
        assert_eq!(doctor_arguments(&words("--profile spf --project a/b")), Some(words("--project a/b")));
        assert_eq!(doctor_arguments(&words("--project=a")), Some(words("--project=a")));
        assert_eq!(doctor_arguments(&words("--user")), Some(Vec::new()));
        assert_eq!(doctor_arguments(&words("--project a --dry-run")), None);
    }
}
