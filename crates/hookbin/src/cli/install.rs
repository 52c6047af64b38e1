//! `hookbin install`, `uninstall` and `settings`: what they print. What they do is in [`crate::install`].

use clap::Args;

use super::{ProfileArg, ProjectArg, exit};
use crate::host::Host;
use crate::install::{self, Plan, Scope};
use crate::{cache, profiles, settings as entries};

#[derive(Args)]
pub(super) struct InstallArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// Write `.claude/settings.local.json` instead of the settings that a team shares
    #[arg(long)]
    local: bool,
    #[command(flatten)]
    profile: ProfileArg,
    /// Show what would change and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Edit a settings file with comments or trailing commas, which the client does not read, and keep them
    #[arg(long)]
    force: bool,
}

#[derive(Args)]
pub(super) struct UninstallArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// Clean `.claude/settings.local.json` instead of the settings that a team shares
    #[arg(long)]
    local: bool,
    /// Show what would change and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Edit a settings file with comments or trailing commas, and keep them
    #[arg(long)]
    force: bool,
    /// Remove the recorded state and log too
    #[arg(long)]
    purge: bool,
}

#[derive(Args)]
pub(super) struct SettingsArgs {
    #[command(flatten)]
    profile: ProfileArg,
}

fn scope(local: bool) -> Scope {
    if local { Scope::Local } else { Scope::Project }
}

pub(super) fn install(args: &InstallArgs, host: &Host) -> anyhow::Result<u8> {
    let project = args.project.find(host)?;
    let profiles = args.profile.names()?;
    let plan = Plan { project, scope: scope(args.local), profiles, force: args.force };
    if args.dry_run {
        print!("{}", install::preview(&plan, host)?);
        return Ok(exit::GOOD);
    }
    let done = install::install(&plan, host)?;
    for line in &done.said {
        println!("{line}");
    }
    let answer = install::canary(&plan, host)?;
    println!("{answer}");
    Ok(exit::GOOD)
}

pub(super) fn uninstall(args: &UninstallArgs, host: &Host) -> anyhow::Result<u8> {
    let plan = Plan { project: args.project.find(host)?, scope: scope(args.local), profiles: None, force: args.force };
    for line in install::uninstall(&plan, args.purge, args.dry_run)?.said {
        println!("{line}");
    }
    Ok(exit::GOOD)
}

pub(super) fn settings(args: &SettingsArgs, host: &Host) -> anyhow::Result<u8> {
    let names = args.profile.names()?.unwrap_or_else(|| vec![profiles::DEFAULT.to_owned()]);
    let force = cache::resolve_now(Some(&names), None, host);
    let entries = entries::entries(&force.profile, entries::PROJECT_COMMAND);
    print!("{}", hook_protocol::settings::edit::install(None, &entries, &|_| false, false)?.text);
    Ok(exit::GOOD)
}
