//! Installing into a project and taking everything out again.
//!
//! Nothing foreign is touched: the settings file keeps every byte that is not ours, the configuration file keeps every line but one.
//! A record beside the executable says what was changed there, so that taking out gives back the same bytes.

mod canary;
mod config;
mod files;

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use hook_protocol::settings::edit::{self, Removed, runs_hookbin};

pub use self::canary::canary;
use crate::host::Host;
use crate::project::Project;
use crate::{cache, profiles, settings};

/// Which settings file is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// `.claude/settings.json`, which a team shares.
    Project,
    /// `.claude/settings.local.json`, of one person.
    Local,
}

/// What to install, and where.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The project.
    pub project: Project,
    /// The settings file.
    pub scope: Scope,
    /// Profiles to write into the configuration; without any it stays as it is.
    pub profiles: Option<Vec<String>>,
    /// Edit a settings file that the client does not read.
    pub force: bool,
}

/// What was done, a line each.
#[derive(Debug, Clone, Default)]
pub struct Done {
    /// For a person.
    pub said: Vec<String>,
}

impl Plan {
    /// The settings file of the scope.
    pub fn settings_path(&self) -> PathBuf {
        let name = match self.scope {
            Scope::Project => "settings.json",
            Scope::Local => "settings.local.json",
        };
        self.project.root().join(".claude").join(name)
    }

    fn entries(&self, host: &Host) -> Vec<hook_protocol::settings::OwnEntry> {
        let force = cache::resolve_now(self.profiles.as_deref(), Some(&self.project), host);
        settings::entries(&force.profile, settings::PROJECT_COMMAND)
    }
}

/// What an installation would change in the settings and the configuration, as a unified diff.
pub fn preview(plan: &Plan, host: &Host) -> anyhow::Result<String> {
    check_root(plan)?;
    let path = plan.settings_path();
    let before = files::read(&path)?;
    let edited = edit::install(before.as_deref(), &plan.entries(host), &runs_hookbin, plan.force)
        .with_context(|| format!("cannot edit {}", path.display()))?;
    let mut out = diff(&path.display().to_string(), before.as_deref().unwrap_or_default(), &edited.text);
    if let Some(names) = &plan.profiles {
        let path = plan.project.config();
        let before = files::read(&path)?;
        let after = config::with_profiles(before.as_deref(), names)
            .with_context(|| format!("cannot edit {}", path.display()))?;
        out.push_str(&diff(&path.display().to_string(), before.as_deref().unwrap_or_default(), &after));
    }
    if out.is_empty() {
        out.push_str("nothing would change\n");
    }
    Ok(out)
}

fn diff(name: &str, before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    similar::TextDiff::from_lines(before, after).unified_diff().header(name, name).to_string()
}

/// Installs. The settings entry comes last: it is never there without the executable that it names.
pub fn install(plan: &Plan, host: &Host) -> anyhow::Result<Done> {
    check_root(plan)?;
    let mut done = Done::default();
    let settings_path = plan.settings_path();
    let _lock = files::lock(&plan.project)?;
    let before = files::read(&settings_path)?;
    // Everything that can be refused is refused before anything is written.
    let edited = edit::install(before.as_deref(), &plan.entries(host), &runs_hookbin, plan.force)
        .with_context(|| format!("cannot edit {}", settings_path.display()))?;
    let config_before = files::read(&plan.project.config())?;
    let config_after = match &plan.profiles {
        None => None,
        Some(names) => Some(
            config::with_profiles(config_before.as_deref(), names)
                .with_context(|| format!("cannot edit {}", plan.project.config().display()))?,
        ),
    };
    let executable = plan.project.executable();
    let copied = files::place_executable(&executable)?;
    done.said.push(format!("{} {}", if copied { "placed" } else { "kept" }, executable.display()));
    if let Some(after) = config_after.filter(|after| config_before.as_ref() != Some(after)) {
        config::remember(&plan.project, config_before.as_deref(), &after)?;
        files::replace(&plan.project.config(), &after)?;
        done.said.push(format!(
            "wrote {}: profile = {:?}",
            plan.project.config().display(),
            plan.profiles.as_deref().unwrap_or_default()
        ));
    }
    if edited.changed {
        if before.is_some() {
            let backup = files::back_up(&settings_path, host.now)?;
            done.said.push(format!("kept a copy of the settings as {}", backup.display()));
        }
        files::replace(&settings_path, &edited.text)?;
        done.said.push(format!(
            "registered in {}: {} added, {} updated, {} removed",
            settings_path.display(),
            edited.added,
            edited.updated,
            edited.removed
        ));
    } else {
        done.said.push(format!("{} is up to date", settings_path.display()));
    }
    let force = cache::resolve_now(None, Some(&plan.project), host);
    if let Some(fault) = &force.fault {
        done.said.push(format!("warning: {fault}"));
    }
    if force.profile.names.len() > 1 && force.profile.names.iter().any(|name| name == "spf") {
        // X19: with S0's first layer every native tool is refused, whatever the other profiles say about it.
        done.said
            .push("note: with `spf` every native tool is refused, so the other profiles only see MCP tools".to_owned());
    }
    Ok(done)
}

/// Takes out what [`install`] put there. Recorded state and log stay unless `purge` is set.
pub fn uninstall(plan: &Plan, purge: bool, dry_run: bool) -> anyhow::Result<Done> {
    check_root(plan)?;
    let mut done = Done::default();
    let settings_path = plan.settings_path();
    let before = files::read(&settings_path)?;
    let removed = match &before {
        None => Removed::Unchanged,
        Some(text) => edit::uninstall(text, &runs_hookbin, plan.force)
            .with_context(|| format!("cannot edit {}", settings_path.display()))?,
    };
    if dry_run {
        let before = before.as_deref().unwrap_or_default();
        done.said.push(match &removed {
            Removed::Unchanged => "nothing would change".to_owned(),
            Removed::Text(after) => diff(&settings_path.display().to_string(), before, after),
            Removed::DeleteFile => format!("{} would be removed", settings_path.display()),
        });
        return Ok(done);
    }
    let _lock = if plan.project.own().is_dir() { Some(files::lock(&plan.project)?) } else { None };
    match &removed {
        Removed::Unchanged => done.said.push(format!("{} holds no entry of hookbin", settings_path.display())),
        Removed::Text(after) => {
            files::replace(&settings_path, after)?;
            done.said.push(format!("took the entries out of {}", settings_path.display()));
        }
        Removed::DeleteFile => {
            files::remove(&settings_path)?;
            done.said.push(format!("removed {}, which held nothing else", settings_path.display()));
        }
    }
    if other_scope_uses_us(plan)? {
        done.said.push("the other settings file of the project still uses hookbin, so the executable stays".to_owned());
        return Ok(done);
    }
    done.said.extend(config::revert(&plan.project)?);
    files::remove(&plan.project.executable())?;
    done.said.extend(files::clear(&plan.project, purge)?);
    Ok(done)
}

fn other_scope_uses_us(plan: &Plan) -> anyhow::Result<bool> {
    let scope = if plan.scope == Scope::Project { Scope::Local } else { Scope::Project };
    let other = Plan { scope, ..plan.clone() };
    let Some(text) = files::read(&other.settings_path())? else { return Ok(false) };
    // A file that cannot be read as settings starts nothing.
    Ok(edit::find(&text, &runs_hookbin).is_ok_and(|found| !found.is_empty()))
}

fn check_root(plan: &Plan) -> anyhow::Result<()> {
    let root = plan.project.root();
    if !root.is_dir() {
        bail!("{} is not a folder; name an existing project with --project DIR", root.display());
    }
    if let Some(name) = plan.profiles.iter().flatten().find(|name| profiles::text(name).is_none()) {
        bail!("there is no profile `{name}`");
    }
    Ok(())
}
