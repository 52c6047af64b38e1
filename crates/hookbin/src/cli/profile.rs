//! `hookbin profile`: which profiles there are, and what one says.

use clap::Subcommand;
use hook_policy::profile::{Profile, resolve};
use hook_policy::template::PLACEHOLDERS;
use serde::Serialize;

use super::table::{clean_lines, columns};
use super::{Json, ProjectArg, exit, known_profiles};
use hook_runtime::config::cache;
use hook_runtime::config::profiles;
use hook_runtime::system::System;

#[derive(Subcommand)]
pub(super) enum ProfileCommand {
    /// List the profiles
    List {
        #[command(flatten)]
        json: Json,
    },
    /// Show the handlers of a profile
    Show {
        /// Its name, or several separated by commas; without one, what is in force in the project
        name: Option<String>,
        /// With the files of the user and the project applied
        #[arg(long)]
        resolved: bool,
        #[command(flatten)]
        json: Json,
        #[command(flatten)]
        project: ProjectArg,
    },
}

/// Schema version of the JSON output.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct ListJson {
    version: u32,
    profiles: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: String,
    document: Option<String>,
    about: String,
}

#[derive(Serialize)]
struct ShowJson<'p> {
    version: u32,
    profiles: &'p [String],
    fault: Option<&'p str>,
    handlers: Vec<HandlerJson<'p>>,
}

#[derive(Serialize)]
struct HandlerJson<'p> {
    name: &'p str,
    profile: &'p str,
    layer: &'p str,
    about: &'p str,
    events: Vec<String>,
    tools: &'p [String],
    checks: Vec<&'static str>,
}

pub(super) fn run(command: &ProfileCommand, system: &System) -> anyhow::Result<u8> {
    match command {
        ProfileCommand::List { json } => list(json),
        ProfileCommand::Show { name, resolved, json, project } => {
            show(name.as_deref(), *resolved, json, project, system)
        }
    }
}

fn list(json: &Json) -> anyhow::Result<u8> {
    let profiles: Vec<Listed> = profiles::names().into_iter().filter_map(listed).collect();
    let found = ListJson { version: VERSION, profiles };
    if json.print(&found)? {
        return Ok(exit::GOOD);
    }
    let row = |listed: Listed| [listed.name, listed.document.unwrap_or_default(), listed.about];
    print!("{}", columns(&found.profiles.into_iter().map(row).collect::<Vec<_>>()));
    Ok(exit::GOOD)
}

fn listed(name: &str) -> Option<Listed> {
    let raw = profiles::raw(name)?;
    Some(Listed {
        name: name.to_owned(),
        document: raw.document().map(str::to_owned),
        about: raw.about().unwrap_or_default().to_owned(),
    })
}

fn show(name: Option<&str>, resolved: bool, json: &Json, project: &ProjectArg, system: &System) -> anyhow::Result<u8> {
    let chosen = name.map(known_profiles).transpose()?;
    let (profile, fault) = match chosen {
        Some(names) if !resolved => (resolve(&names, &[], &profiles::raw, &profiles::names()), None),
        chosen => {
            let project = project.find_any(system)?;
            let force = cache::resolve_now(chosen.as_deref(), project.as_ref(), system);
            (force.profile, force.fault)
        }
    };
    let handlers = profile.handlers.iter().map(handler_json).collect();
    let shown = ShowJson { version: VERSION, profiles: &profile.names, fault: fault.as_deref(), handlers };
    if !json.print(&shown)? {
        print!("{}", clean_lines(&text(&profile, fault.as_deref())));
    }
    Ok(if fault.is_some() { exit::FINDINGS } else { exit::GOOD })
}

fn handler_json(handler: &hook_policy::profile::Handler) -> HandlerJson<'_> {
    HandlerJson {
        name: &handler.name,
        profile: &handler.profile,
        layer: &handler.layer,
        about: &handler.about,
        events: handler.on.iter().map(|event| event.as_str().to_owned()).collect(),
        tools: &handler.tools,
        checks: handler.checks.iter().map(hook_policy::check::Check::name).collect(),
    }
}

fn text(profile: &Profile, fault: Option<&str>) -> String {
    let mut out = format!("profile {}\n", profile.names.join(" + "));
    if let Some(fault) = fault {
        out.push_str(&format!("fault: {fault}\n"));
    }
    let mut owners: Vec<&str> = Vec::new();
    for handler in &profile.handlers {
        if !owners.contains(&handler.profile.as_str()) {
            owners.push(&handler.profile);
        }
    }
    for owner in owners {
        let handlers: Vec<_> = profile.handlers.iter().filter(|handler| handler.profile == owner).collect();
        let count = handlers.len();
        let title = if owner == "base" { "shared by every profile".to_owned() } else { format!("of {owner}") };
        out.push_str(&format!("\n{count} handlers {title}\n"));
        let row = |handler: &&hook_policy::profile::Handler| {
            let events: Vec<String> = handler.on.iter().map(|event| event.as_str().to_owned()).collect();
            let events = if events.len() > 3 { format!("{} events", events.len()) } else { events.join(" ") };
            [format!("  {}", handler.name), handler.layer.clone(), events, handler.about.clone()]
        };
        out.push_str(&columns(&handlers.iter().map(row).collect::<Vec<_>>()));
    }
    out.push_str("\nPlaceholders in texts\n");
    let row = |(name, about): &(&str, &str)| [format!("  {{{name}}}"), (*about).to_owned()];
    out.push_str(&columns(&PLACEHOLDERS.iter().map(row).collect::<Vec<_>>()));
    out
}
