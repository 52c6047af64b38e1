//! `hookbin install`, `uninstall` and `settings`: what they print. What they do is in [`crate::install`].

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::table::clean_lines;
use super::{HostArg, Json, ProfileArg, ProjectArg, Usage, doctor, exit, trust};
use crate::attended;
use crate::doctor::{Doctor, Report};
use crate::install::{self, Done, Request};
use hook_runtime::config::cache;
use hook_runtime::config::profiles;
use hook_runtime::config::settings::{self as entries, Form};
use hook_runtime::installation::{Place, Scope};
use hook_runtime::project::Project;
use hook_runtime::system::System;
use hook_runtime::system::agents::client;

#[derive(Args)]
pub(super) struct InstallArgs {
    #[command(flatten)]
    pub(super) place: PlaceArgs,
    #[command(flatten)]
    profile: ProfileArg,
    /// Let a hook that cannot start, fails or is late count as a refusal; clients before 2.1.295 ignore it
    #[arg(long)]
    strict: bool,
    /// For scripts: trust the project's programs and its `.claude/hookbin.toml` as they are; at a terminal you are asked
    #[arg(long)]
    trust_config: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
pub(super) struct UninstallArgs {
    #[command(flatten)]
    pub(super) place: PlaceArgs,
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
    pub(super) project: ProjectArg,
    #[command(flatten)]
    scope: ScopeArg,
    #[command(flatten)]
    pub(super) host: HostArg,
}

/// Whose settings are meant, in the words of the host's own command line.
#[derive(Args)]
struct ScopeArg {
    /// Whose settings: the user's own in this project, those a team shares, or the user's for all projects
    #[arg(long, value_parser = scopes(), value_name = "SCOPE", conflicts_with_all = ["local", "user"])]
    scope: Option<Scope>,
    /// Short for `--scope local`: the user's own settings in this project, which git ignores
    #[arg(long, conflicts_with = "user")]
    local: bool,
    /// Short for `--scope user`: the user's own settings, for all projects that have no entry of their own
    #[arg(long)]
    user: bool,
}

/// The scopes by their names.
fn scopes() -> impl TypedValueParser<Value = Scope> {
    let scopes = [
        (Scope::Project, "`.claude/settings.json`, which a team shares"),
        (Scope::Local, "`.claude/settings.local.json`, of one user in one project"),
        (Scope::User, "`settings.json` of Claude Code's own directory, for all projects of a user"),
    ];
    let values = scopes.map(|(scope, help)| PossibleValue::new(scope.name()).help(help));
    PossibleValuesParser::new(values).map(move |name| {
        scopes.iter().find(|(scope, _)| scope.name() == name).map_or(Scope::Project, |(scope, _)| *scope)
    })
}

impl ScopeArg {
    /// The scope that was named.
    fn named(&self) -> Option<Scope> {
        let short = if self.user { Some(Scope::User) } else { self.local.then_some(Scope::Local) };
        self.scope.or(short)
    }
}

/// What installing and taking out have in common.
#[derive(Args)]
struct Common {
    /// Show what would change, as a unified diff, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Edit a settings file with comments or trailing commas, which the host does not read, and keep them
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    json: Json,
}

#[derive(Args)]
pub(super) struct SettingsArgs {
    #[command(flatten)]
    profile: ProfileArg,
    /// Of which scope: `project`, unless another one is named
    #[arg(long, value_parser = scopes(), value_name = "SCOPE", conflicts_with = "plugin")]
    scope: Option<Scope>,
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
    /// The scope that was named; one for all projects does not go with a project.
    pub(super) fn scope(&self, system: &System) -> anyhow::Result<Option<Scope>> {
        let scope = self.scope.named();
        if scope == Some(Scope::User) && self.project.named(system)?.is_some() {
            return Err(Usage("`--scope user` is for all projects; leave --project away".to_owned()).into());
        }
        Ok(scope)
    }

    /// Where to install, and what to say about it: where an installation stands already, it is brought up to date.
    fn find(&self, profile: &ProfileArg, system: &System) -> anyhow::Result<(Place, Option<String>)> {
        if let Some(scope) = self.scope(system)? {
            return Ok((place(scope, &self.project, system)?, None));
        }
        let registered = |place: &Place| place.is_registered().unwrap_or(false);
        let project = self.project.find(system)?;
        let local = Place::in_project(Scope::Local, project.root(), system);
        let shared = Place::in_project(Scope::Project, project.root(), system)?;
        if local.as_ref().is_ok_and(registered) {
            return Ok((local?, None));
        }
        let is_bare = self.project.named(system)?.is_none() && profile.names()?.is_none();
        let user = Place::of_user(system).ok().filter(|_| is_bare).filter(registered);
        Ok(match (registered(&shared), user) {
            (false, None) => (local?, None),
            (false, Some(user)) => (user, Some(said("your own settings for all projects"))),
            (true, _) => (shared, Some(said("the settings that the project shares"))),
        })
    }
}

fn said(place: &str) -> String {
    format!("an installation stands in {place} and is brought up to date there; `--scope local` installs for you alone")
}

fn place(scope: Scope, project: &ProjectArg, system: &System) -> anyhow::Result<Place> {
    Ok(match scope {
        Scope::User => Place::of_user(system)?,
        Scope::Local | Scope::Project => Place::in_project(scope, project.find(system)?.root(), system)?,
    })
}

pub(super) fn install(args: &InstallArgs, system: &System) -> anyhow::Result<u8> {
    let (agreed, unused) = agree_on_dirs(args, system);
    let system = &agreed;
    let (place, note) = args.place.find(&args.profile, system)?;
    let request = Request {
        place,
        profiles: args.profile.names()?,
        force: args.common.force,
        strict: args.strict,
        replaces: Vec::new(),
    };
    if args.trust_config
        && let Some(tell) = client(system)
    {
        return Err(Usage(format!("`--trust-config` is for scripts of yours, outside of an agent ({tell})")).into());
    }
    // Which events are registered follows from what counts, so this comes first. Whoever does not agree installs all the same.
    if let Some(project) = request.place.project.as_ref().filter(|_| !args.common.dry_run)
        && (args.trust_config || can_ask(args, system))
    {
        trust::at_install(project, args.trust_config, system)?;
    }
    let mut done = install::install(&request, args.common.dry_run, system)?;
    done.said.splice(0..0, note);
    done.warnings.extend(unused);
    if args.common.dry_run {
        return show(done, None, &args.common.json);
    }
    let root = request.place.project.as_ref().map(Project::root);
    // What other files of other scopes have wrong is `doctor`'s own to tell.
    let report = Doctor::new(system).examine(root).about(&request.place.settings);
    show(done, Some(&report), &args.common.json)
}

/// Whether a user sits there whom an installation can ask.
fn can_ask(args: &InstallArgs, system: &System) -> bool {
    !args.common.json.json && attended::at_terminal() && client(system).is_none()
}

/// Asks whether directories that the environment names are the user's, since a project may have set it. Says which ones do not count.
fn agree_on_dirs(args: &InstallArgs, system: &System) -> (System, Vec<String>) {
    let ignored = system.ignored_dirs();
    let (good, bad): (Vec<_>, Vec<_>) = ignored.into_iter().partition(|(_, named, _)| system.is_fixed(named));
    let asks = !good.is_empty() && !args.common.dry_run;
    let is_agreed = asks && {
        let lines: Vec<String> = good.iter().map(|(name, named, _)| format!("  {name}={}", named.display())).collect();
        let is_asked = can_ask(args, system);
        if is_asked {
            eprint!(
                "{}",
                clean_lines(&format!(
                    "The environment names directories for what hookbin keeps:\n{}\n",
                    lines.join("\n")
                ))
            );
            eprintln!("Are they yours, in every session? Leave the line empty if not.");
        }
        let here = args.place.project.find_any(system).ok().flatten();
        (is_asked || attended::is_unattended(system)) && attended::confirm("install", here.as_ref(), system).is_ok()
    };
    let (used, unused) = if is_agreed { (good, bad) } else { (Vec::new(), [good, bad].concat()) };
    let said = unused.iter().map(|(name, named, counts)| {
        let counts = counts.as_ref().map_or_else(|| "no directory".to_owned(), |counts| counts.display().to_string());
        format!(
            "{name}={} does not count, {counts} does; at your terminal `hookbin install` asks whether it is yours",
            named.display()
        )
    });
    let said = said.collect();
    (system.with_dirs(used.into_iter().map(|(name, named, _)| (name, named)).collect()), said)
}

pub(super) fn uninstall(args: &UninstallArgs, system: &System) -> anyhow::Result<u8> {
    let (force, purge, dry_run) = (args.common.force, args.purge, args.common.dry_run);
    let done = match args.place.scope(system)? {
        Some(Scope::User) => {
            let place = Place::of_user(system)?;
            if !dry_run {
                let here = args.place.project.find_any(system)?;
                agree_to_end("your projects, where they have no entry of their own", purge, here.as_ref(), system)?;
            }
            install::uninstall(&place, force, purge, dry_run, system)?
        }
        only => {
            let project = args.place.project.find(system)?;
            let root = project.root();
            let user = Place::of_user(system).ok().filter(|user| user.is_registered().unwrap_or(false));
            // Nobody is asked whether nothing is to end.
            if !dry_run && (purge || install::has_left_anything(root, only, system)?) {
                let what = match &user {
                    None => root.display().to_string(),
                    Some(user) => {
                        format!("{} by entries there; those in {} go on", root.display(), user.settings.display())
                    }
                };
                agree_to_end(&what, purge, Some(&project), system)?;
            }
            let mut done = install::uninstall_project(root, only, force, purge, dry_run, system)?;
            done.said.extend(user.map(|user| {
                format!(
                    "{} guards {} as every project; `hookbin uninstall --scope user` takes its entries out",
                    user.settings.display(),
                    root.display()
                )
            }));
            done
        }
    };
    show(done, None, &args.common.json)
}

/// Asks the user whether the guard is to go. An agent must not be able to say so.
fn agree_to_end(what: &str, purge: bool, project: Option<&Project>, system: &System) -> anyhow::Result<()> {
    let records = if purge { "What it recorded is removed as well." } else { "What it recorded stays." };
    if attended::at_terminal() {
        let said = format!("hookbin will no longer guard {what}. {records}\n");
        eprint!("{}", clean_lines(&said));
    }
    attended::confirm("uninstall", project, system).map_err(Usage)?;
    Ok(())
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

pub(super) fn settings(args: &SettingsArgs, system: &System) -> anyhow::Result<u8> {
    let names = args.profile.names()?.unwrap_or_else(|| vec![profiles::DEFAULT.to_owned()]);
    let force = cache::resolve_now(Some(&names), None, system);
    let form = match args.scope {
        _ if args.plugin => Form::of_plugin(),
        None | Some(Scope::Project) => Form::of_project(),
        Some(scope) => Place::form_of(scope, system)?,
    };
    let entries = entries::entries(&force.profile, &form);
    print!("{}", hook_protocol::settings::edit::install(None, &entries, &|_| false, false)?.text);
    Ok(exit::GOOD)
}
