//! `hookbin install`, `uninstall` and `settings`: what they print. What they do is in [`crate::install`].

use clap::Args;
use serde::Serialize;

use super::{Json, ProfileArg, ProjectArg, doctor, exit};
use crate::doctor::{Doctor, Report};
use crate::host::Host;
use crate::install::{self, Done, Place, Request, Scope};
use crate::settings::{self as entries, Form};
use crate::{cache, profiles};

#[derive(Args)]
pub(super) struct InstallArgs {
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    profile: ProfileArg,
    /// Let a hook that cannot start, fails or is late count as a refusal; clients before 2.1.295 ignore it
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
pub(super) struct UninstallArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Remove the recorded state and log too
    #[arg(long)]
    purge: bool,
    #[command(flatten)]
    common: Common,
}

/// Which settings file is edited.
#[derive(Args)]
pub(super) struct PlaceArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// `.claude/settings.local.json` instead of the settings that a team shares
    #[arg(long)]
    local: bool,
    /// The person's own settings, for all projects that have no entry of their own
    #[arg(long, conflicts_with_all = ["project", "local"])]
    user: bool,
}

/// What installing and taking out have in common.
#[derive(Args)]
struct Common {
    /// Show what would change, as a unified diff, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Edit a settings file with comments or trailing commas, which the client does not read, and keep them
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    json: Json,
}

#[derive(Args)]
pub(super) struct SettingsArgs {
    #[command(flatten)]
    profile: ProfileArg,
    /// As the `hooks/hooks.json` of a plugin that holds the executable at `bin/hookbin`
    #[arg(long)]
    plugin: bool,
}

#[derive(Serialize)]
struct InstallJson<'r> {
    #[serde(flatten)]
    done: Done,
    doctor: Option<&'r Report>,
}

impl PlaceArgs {
    fn find(&self, host: &Host) -> anyhow::Result<Place> {
        if self.user {
            return Place::of_user(host);
        }
        let scope = if self.local { Scope::Local } else { Scope::Project };
        Ok(Place::in_project(scope, self.project.find(host)?.root()))
    }
}

pub(super) fn install(args: &InstallArgs, host: &Host) -> anyhow::Result<u8> {
    let place = args.place.find(host)?;
    let request = Request {
        place,
        profiles: args.profile.names()?,
        force: args.common.force,
        strict: args.strict,
        replaces: Vec::new(),
    };
    let done = install::install(&request, args.common.dry_run, host)?;
    if args.common.dry_run {
        return show(done, None, &args.common.json);
    }
    let root = request.place.project.as_ref().map(crate::project::Project::root);
    // What other files of other scopes have wrong is `doctor`'s own to tell.
    let report = Doctor::new(host).examine(root).about(&request.place.settings);
    show(done, Some(&report), &args.common.json)
}

pub(super) fn uninstall(args: &UninstallArgs, host: &Host) -> anyhow::Result<u8> {
    let place = args.place.find(host)?;
    let done = install::uninstall(&place, args.common.force, args.purge, args.common.dry_run, host)?;
    show(done, None, &args.common.json)
}

fn show(done: Done, report: Option<&Report>, json: &Json) -> anyhow::Result<u8> {
    let shown = InstallJson { done, doctor: report };
    if !json.print(&shown)? {
        let done = &shown.done;
        for line in &done.said {
            println!("{line}");
        }
        for warning in &done.warnings {
            println!("warning: {warning}");
        }
        match done.diff.as_deref() {
            Some("") => println!("no file would change"),
            Some(diff) => print!("{diff}"),
            None => {}
        }
        if let Some(report) = report {
            print!("{}", doctor::text(report));
        }
    }
    Ok(if report.is_none_or(|report| report.good) { exit::GOOD } else { exit::FINDINGS })
}

pub(super) fn settings(args: &SettingsArgs, host: &Host) -> anyhow::Result<u8> {
    let names = args.profile.names()?.unwrap_or_else(|| vec![profiles::DEFAULT.to_owned()]);
    let force = cache::resolve_now(Some(&names), None, host);
    let form = if args.plugin { Form::of_plugin() } else { Form::of_project() };
    let entries = entries::entries(&force.profile, &form);
    print!("{}", hook_protocol::settings::edit::install(None, &entries, &|_| false, false)?.text);
    Ok(exit::GOOD)
}
