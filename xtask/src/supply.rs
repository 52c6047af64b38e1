//! `cargo xtask supply`: what the registry would get (packages, public interfaces), and what is known against what it is built from.
//!
//! Whether the licence of every package is known is a test of `xtask` and needs no tool.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use clap::Subcommand;
use serde_json::Value;
use xshell::{Cmd, Shell, cmd};

use crate::workspace::{self, Gate};

/// What to look at.
#[derive(Subcommand)]
pub(crate) enum Supply {
    /// Make every package, and compile those that are published from their archives; a warning of cargo is an error.
    Packages,
    /// Look for advisories against the versions in Cargo.lock. It needs a network; cargo-audit is installed if it is missing.
    Advisories,
    /// Compare the public items of the libraries with those of the newest release; cargo-semver-checks is installed if it is missing.
    Interfaces {
        /// Compare with this commit instead.
        #[arg(long, value_name = "COMMIT")]
        baseline: Option<String>,
    },
}

/// Whether a tool that is missing is installed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tools {
    /// It takes minutes; `ci` leaves that to a user.
    IfInstalled,
    Install,
}

/// The crates whose public items are a promise. The library half of the executable says that it is none.
const LIBRARIES: [&str; 6] =
    ["hook-protocol", "hook-complexity", "hook-session-state", "hook-audit-log", "hook-shell", "hook-policy"];

impl Supply {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let ended = match self {
            Self::Packages => packages(sh),
            Self::Advisories => advisories(sh, Tools::Install),
            Self::Interfaces { baseline } => interfaces(sh, Tools::Install, baseline.as_deref()),
        }?;
        match ended {
            Gate::Held(held) => println!("{held}"),
            // Who asked for it must not take it for a good answer.
            Gate::Skipped(why) => bail!("not looked at: {why}"),
        }
        Ok(())
    }
}

/// Makes every package but `xtask`, and compiles those that are published, with the pages of the libraries. The examples are not
/// published; their manifests are held to the same.
pub(crate) fn packages(sh: &Shell) -> Result<Gate> {
    let common = ["--workspace", "--exclude", "xtask", "--locked", "--allow-dirty"];
    let all = package(cmd!(sh, "cargo package {common...} --no-verify"))?;
    let compiled = package(cmd!(sh, "cargo package {common...} --exclude example-*"))?;
    documents(sh)?;
    Ok(Gate::Held(format!("{all} packages without a warning, {compiled} of them compiled from their archives")))
}

/// The pages of each library by itself, without features and with all. Built together, one crate's features are on for all, which
/// hides a link to what is not there without them.
fn documents(sh: &Shell) -> Result<()> {
    for library in LIBRARIES {
        for features in [None, Some("--all-features")] {
            let command = cmd!(sh, "cargo doc --quiet --no-deps --locked --package {library} {features...}");
            workspace::scrubbed(command).env("RUSTDOCFLAGS", "-D warnings").run().context("write the pages")?;
        }
    }
    Ok(())
}

/// Runs `cargo package`; a warning is an error. Returns how many packages were made.
fn package(command: Cmd<'_>) -> Result<usize> {
    let command = workspace::scrubbed(command).env("CARGO_TERM_COLOR", "never");
    println!("$ {command}");
    let mut child = Command::from(command).stderr(Stdio::piped()).spawn().context("start cargo")?;
    let (mut made, mut warnings) = (0, Vec::new());
    for line in child.stderr.take().map(BufReader::new).into_iter().flat_map(BufRead::lines) {
        let line = line.context("read the output of cargo")?;
        println!("{line}");
        made += usize::from(line.trim_start().starts_with("Packaged "));
        warnings.extend(line.starts_with("warning").then_some(line));
    }
    let status = child.wait().context("wait for cargo")?;
    ensure!(status.success(), "cargo package failed ({status}); its message stands above");
    ensure!(warnings.is_empty(), "cargo warns:\n  {}", warnings.join("\n  "));
    ensure!(made > 0, "cargo made no package");
    Ok(made)
}

/// Looks for advisories. Without the tool or the database nothing is known, which is said and never taken for good.
pub(crate) fn advisories(sh: &Shell, tools: Tools) -> Result<Gate> {
    let Some(tool) = tool(sh, "cargo-audit", tools)? else {
        return Ok(Gate::Skipped(
            "cargo-audit is not installed; `cargo xtask supply advisories` installs it".to_owned(),
        ));
    };
    let command = cmd!(sh, "{tool} audit --json --file Cargo.lock").ignore_status().ignore_stderr();
    let text = workspace::scrubbed(command).read().context("run cargo-audit")?;
    judge(&text)
}

/// What a report of cargo-audit means. It prints none when it has no database.
fn judge(text: &str) -> Result<Gate> {
    let Ok(report) = serde_json::from_str::<Value>(text) else {
        return Ok(Gate::Skipped("the advisory database could not be fetched; is there a network?".to_owned()));
    };
    let number = |pointer: &str| report.pointer(pointer).and_then(Value::as_u64);
    let list = report.pointer("/vulnerabilities/list").and_then(Value::as_array);
    let (Some(list), Some(known)) = (list, number("/database/advisory-count")) else {
        bail!("cargo-audit prints another form of report than this task reads");
    };
    let about = |found: &Value| {
        let text = |pointer: &str| found.pointer(pointer).and_then(Value::as_str).unwrap_or("?").to_owned();
        let (name, version) = (text("/package/name"), text("/package/version"));
        format!("{name} {version}: {} ({})", text("/advisory/title"), text("/advisory/id"))
    };
    let found: Vec<String> = list.iter().map(about).collect();
    ensure!(found.is_empty(), "known holes in what is built from:\n  {}", found.join("\n  "));
    let packages = number("/lockfile/dependency-count").unwrap_or_default();
    Ok(Gate::Held(format!("none of {known} advisories is about the {packages} packages of Cargo.lock")))
}

/// Compares the public items with those of `baseline`, else of the newest tag of a release.
pub(crate) fn interfaces(sh: &Shell, tools: Tools, baseline: Option<&str>) -> Result<Gate> {
    let newest = cmd!(sh, "git describe --tags --abbrev=0 --match v*").quiet().ignore_stderr().read();
    let Some(baseline) = baseline.map(str::to_owned).or_else(|| newest.ok().filter(|tag| !tag.is_empty())) else {
        let why = "nothing is released yet (no tag `v…`); `cargo xtask supply interfaces --baseline COMMIT` compares";
        return Ok(Gate::Skipped(why.to_owned()));
    };
    let Some(tool) = tool(sh, "cargo-semver-checks", tools)? else {
        let why = "cargo-semver-checks is not installed; `cargo xtask supply interfaces` installs it";
        return Ok(Gate::Skipped(why.to_owned()));
    };
    let libraries = LIBRARIES.iter().flat_map(|name| ["--package", name]);
    let command = cmd!(sh, "{tool} semver-checks --all-features --baseline-rev {baseline} {libraries...}");
    workspace::scrubbed(command).run().context("the version has to change with the public items")?;
    Ok(Gate::Held(format!("{} libraries are compatible with {baseline}", LIBRARIES.len())))
}

fn tool(sh: &Shell, name: &str, tools: Tools) -> Result<Option<std::path::PathBuf>> {
    if tools == Tools::Install { workspace::cargo_tool(sh, name).map(Some) } else { workspace::installed(sh, name) }
}

#[cfg(test)]
mod tests {
    use super::{Gate, judge};

    /// The members of a report of cargo-audit 0.22 that are read here.
    fn report(list: &str) -> String {
        format!(
            r#"{{"database":{{"advisory-count":900}},"lockfile":{{"dependency-count":200}},"vulnerabilities":{{"found":true,"count":1,"list":[{list}]}}}}"#
        )
    }

    #[test]
    fn a_hole_fails_and_what_is_not_known_is_not_good() {
        let found =
            r#"{"advisory":{"id":"RUSTSEC-2099-0001","title":"a hole"},"package":{"name":"x","version":"1.0.0"}}"#;
        let error = judge(&report(found)).err().unwrap().to_string();
        assert!(error.contains("x 1.0.0: a hole (RUSTSEC-2099-0001)"), "{error}");
        assert!(
            matches!(judge(&report("")).unwrap(), Gate::Held(held) if held.contains("900") && held.contains("200"))
        );
        for silent in ["", "error: couldn't fetch advisory database"] {
            assert!(matches!(judge(silent).unwrap(), Gate::Skipped(_)), "{silent}");
        }
        assert!(judge("{}").is_err());
    }
}
