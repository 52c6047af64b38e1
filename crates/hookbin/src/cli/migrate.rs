//! `hookbin migrate`: what it prints. What it does is in [`crate::migrate`].

use clap::Args;
use serde::Serialize;

use super::table::clean;
use super::{Json, ProjectArg, exit};
use crate::install::Done;
use crate::migrate::{self, Recognised};
use hook_runtime::installation::Scope;
use hook_runtime::system::System;

#[derive(Args)]
pub(super) struct MigrateArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// Into whose settings the new entries go; those of the old scripts leave either file of the project
    #[arg(long, value_enum, value_name = "SCOPE", default_value_t = MigrateScope::Project)]
    scope: MigrateScope,
    /// Make the change that is proposed
    #[arg(long)]
    apply: bool,
    /// Edit a settings file with comments or trailing commas, which the host does not read, and keep them
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    json: Json,
}

/// The scopes of a project.
#[derive(Clone, Copy, clap::ValueEnum)]
enum MigrateScope {
    /// The user's own settings in the project
    Local,
    /// The settings that a team shares
    Project,
}

#[derive(Serialize)]
struct MigrateJson {
    version: u32,
    recognised: Vec<Recognised>,
    applied: bool,
    steps: Vec<Done>,
}

pub(super) fn run(args: &MigrateArgs, system: &System) -> anyhow::Result<u8> {
    let project = args.project.find(system)?;
    let recognised = migrate::recognise(project.root())?;
    let scope = match args.scope {
        MigrateScope::Local => Scope::Local,
        MigrateScope::Project => Scope::Project,
    };
    let steps = migrate::migrate(project.root(), &recognised, scope, !args.apply, args.force, system)?;
    let applied = args.apply && !steps.is_empty();
    let found = MigrateJson { version: 1, recognised, applied, steps };
    if args.json.print(&found)? {
        return Ok(exit::GOOD);
    }
    if found.recognised.is_empty() {
        println!("no hooks of a known layout are registered in {}", clean(&project.root().display().to_string()));
    }
    for system in &found.recognised {
        let (document, profile) = (system.document, system.profile);
        println!("{document}: {} entries; the profile `{profile}` does the same", system.entries.len());
        for entry in &system.entries {
            let place = format!("{}:{}", entry.settings.display(), entry.line);
            let also = entry.also.as_deref().map(|also| {
                format!(", and {} besides, so it stays; take the script out of the line by hand", clean(also))
            });
            let also = also.unwrap_or_default();
            println!("  {}: {} starts {}{also}", clean(&place), clean(&entry.event), clean(&entry.script));
        }
    }
    for step in &found.steps {
        for line in &step.said {
            println!("{line}");
        }
        print!("{}", step.diff.as_deref().unwrap_or_default());
    }
    if !applied && !found.steps.is_empty() {
        println!("nothing was changed; `hookbin migrate --apply` does it");
    }
    Ok(exit::GOOD)
}
