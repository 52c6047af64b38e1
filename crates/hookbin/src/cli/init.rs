//! `hookbin init`: the files that a profile lives on. What they are is in [`hook_runtime::kit`].

use clap::Args;
use hook_runtime::config::cache;
use hook_runtime::kit::{self, Fate, Plan};
use hook_runtime::system::System;
use serde::Serialize;

use super::{Json, ProfileArg, ProjectArg, exit};

#[derive(Args)]
pub(super) struct InitArgs {
    /// Show what would be written, as a unified diff, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    project: ProjectArg,
}

#[derive(Serialize)]
struct InitJson<'p> {
    version: u32,
    profiles: &'p [String],
    written: bool,
    #[serde(flatten)]
    plan: &'p Plan,
}

pub(super) fn run(args: &InitArgs, system: &System) -> anyhow::Result<u8> {
    let project = args.project.find(system)?;
    let in_force = || cache::resolve_now(None, Some(&project), system).profile.names;
    let profiles = args.profile.names()?.unwrap_or_else(in_force);
    let plan = kit::plan(&profiles, &project, system)?;
    if !args.json.json {
        plan.pieces.iter().for_each(|piece| print!("{}", piece.diff()));
    }
    if !args.dry_run {
        plan.write()?;
    }
    if args.json.print(&InitJson { version: 1, profiles: &profiles, written: !args.dry_run, plan: &plan })? {
        return Ok(exit::GOOD);
    }
    for piece in &plan.pieces {
        let (done, would) = match piece.fate {
            Fate::New => ("wrote", "would write"),
            Fate::Added => ("added lines to", "would add lines to"),
            Fate::Kept => ("kept", "keeps"),
        };
        println!("{} {}: {}", if args.dry_run { would } else { done }, piece.path.display(), piece.about);
    }
    plan.notes.iter().for_each(|note| println!("note: {note}"));
    if plan.pieces.is_empty() && plan.notes.is_empty() {
        println!("profile {} needs no files", profiles.join(" + "));
    }
    Ok(exit::GOOD)
}
