//! `hookbin vault`: what it prints. What it does is in [`hook_runtime::vault`].

use std::path::PathBuf;

use clap::{Args, Subcommand};
use hook_audit_log::text::TextLog;
use serde::Serialize;

use super::{Json, ProjectArg, Usage, exit};
use hook_runtime::installation::shell_quote;
use hook_runtime::system::System;
use hook_runtime::vault::{self, PHASES, Problem, Source, Vault};

#[derive(Subcommand)]
pub(super) enum VaultCommand {
    /// Copy the host's program, configuration and data into the project's store, in eleven phases
    Install(InstallArgs),
    /// Do by hand what a session's start does with the store, and print the variables
    Boot {
        #[command(flatten)]
        project: ProjectArg,
    },
    /// Check that the store is whole; exit 4 when it is not
    Verify {
        #[command(flatten)]
        project: ProjectArg,
        #[command(flatten)]
        json: Json,
    },
    /// Print what is in the store
    Summary {
        #[command(flatten)]
        project: ProjectArg,
    },
    /// Give the host's file of state its bytes back and remove the store
    Remove {
        #[command(flatten)]
        project: ProjectArg,
        /// Remove the backups too
        #[arg(long)]
        purge: bool,
    },
}

#[derive(Args)]
pub(super) struct InstallArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// The directory that holds `.claude.json` and `.claude/`; else the home directory
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// The program of the MCP server `spf-smart-gate`
    #[arg(long, value_name = "FILE")]
    binary: PathBuf,
    /// The directory of the host's program
    #[arg(long, value_name = "DIR")]
    client: PathBuf,
    /// Copy `.credentials.json` too
    #[arg(long)]
    credentials: bool,
    /// Show the phases and change nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct VerifyJson {
    version: u32,
    good: bool,
    problems: Vec<Problem>,
}

pub(super) fn run(command: &VaultCommand, system: &System) -> anyhow::Result<u8> {
    match command {
        VaultCommand::Install(args) => install(args, system),
        VaultCommand::Boot { project } => boot(&Vault::of(&project.find(system)?, system)?, system),
        VaultCommand::Verify { project, json } => verify(&Vault::of(&project.find(system)?, system)?, json),
        VaultCommand::Summary { project } => {
            print!("{}", vault::summary(&Vault::of(&project.find(system)?, system)?)?);
            Ok(exit::GOOD)
        }
        VaultCommand::Remove { project, purge } => {
            for line in vault::remove(&Vault::of(&project.find(system)?, system)?, *purge)? {
                println!("{line}");
            }
            Ok(exit::GOOD)
        }
    }
}

fn install(args: &InstallArgs, system: &System) -> anyhow::Result<u8> {
    let vault = Vault::of(&args.project.find(system)?, system)?;
    let home = args.home.as_ref().map(|home| system.absolute_path(home)).or_else(|| system.home());
    let source = Source {
        home: home.ok_or_else(|| Usage("there is no home directory; name one with --home DIR".to_owned()))?,
        binary: system.absolute_path(&args.binary),
        client: system.absolute_path(&args.client),
        credentials: args.credentials,
    };
    let line = |phase: usize, said: &str| {
        let name = phase.checked_sub(1).and_then(|index| PHASES.get(index)).copied().unwrap_or_default();
        println!("{phase:>2}/{} {name}: {said}", PHASES.len());
    };
    if args.dry_run {
        for (index, said) in vault::plan(&vault, &source)?.iter().enumerate() {
            line(index + 1, said);
        }
        return Ok(exit::GOOD);
    }
    vault::install(&vault, &source, system, &mut |phase, said| line(phase, said))?;
    print!("\n{}", vault::summary(&vault)?);
    Ok(exit::GOOD)
}

fn boot(vault: &Vault, system: &System) -> anyhow::Result<u8> {
    let booted = vault.boot()?;
    let stamp = system.now.format("%Y-%m-%d %H:%M:%S");
    let executable = booted.executable.as_ref().map_or("no executable".to_owned(), |path| path.display().to_string());
    if let Some(dir) = booted.log.parent() {
        hook_runtime::system::open::private_dir(dir)?;
    }
    TextLog::new(&booted.log).append(&format!("[{stamp}] BOOT: loaded by hand, {executable}"))?;
    // For `eval`, since a child cannot set its parent's variables.
    for (name, value) in &booted.export {
        // As it is: it is the shell that reads it.
        std::println!("export {name}={}", shell_quote(value));
    }
    Ok(if booted.executable.is_some() { exit::GOOD } else { exit::FINDINGS })
}

fn verify(vault: &Vault, json: &Json) -> anyhow::Result<u8> {
    let problems = vault::verify(vault)?;
    let good = problems.is_empty();
    let found = VerifyJson { version: 1, good, problems };
    if !json.print(&found)? {
        for problem in &found.problems {
            println!("{problem}");
        }
        println!("{}", if good { "the vault is whole" } else { "the vault is NOT whole" });
    }
    Ok(if good { exit::GOOD } else { exit::FINDINGS })
}
