//! Whether the guard is really on: what is registered, whether the host reads it, and whether what it starts answers.
//!
//! A fault is something that is wrong with our own guard, or that costs the host a whole settings file. Everything else worth
//! knowing (odd entries of others, no record of trust, no event seen yet) is a note.

mod canary;
mod child;
mod client;
mod layers;
mod lint;
mod owner;
mod place;
mod records;
mod surroundings;
mod vault;

use std::path::{Path, PathBuf};

use hook_protocol::settings::trusts;
use serde::Serialize;

pub use self::canary::{Answer, Canary};
use self::layers::Layer;
use self::owner::Owner;
use crate::install::{self, Request};
use hook_runtime::config::cache;
use hook_runtime::installation::presence::{self, By, Guard, Presence};
use hook_runtime::installation::started;
use hook_runtime::installation::{Place, Scope, shell_quote};
use hook_runtime::preflight;
use hook_runtime::project::Project;
use hook_runtime::system::System;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The guard is off, doubtful or damaged.
    Fault,
    /// Worth knowing.
    Note,
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// A name that stays the same from version to version.
    pub id: &'static str,
    /// How much it matters.
    pub level: Level,
    /// The file that it is about.
    #[serde(serialize_with = "hook_runtime::system::files::lossy_option")]
    pub file: Option<PathBuf>,
    /// The line in it, counted from 1.
    pub line: Option<usize>,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What to do about it: a command, where one does it.
    pub fix: Option<String>,
    #[serde(skip)]
    mend: Option<Mend>,
}

/// What `--fix` does about a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mend {
    Install(Scope),
    Mode(PathBuf, u32),
    Remove(PathBuf),
    Owner(PathBuf, Owner),
}

impl Finding {
    fn new(level: Level, id: &'static str, file: Option<&Path>, message: impl Into<String>) -> Self {
        Self { id, level, file: file.map(Path::to_owned), line: None, message: message.into(), fix: None, mend: None }
    }

    fn fault(id: &'static str, file: &Path, message: impl Into<String>) -> Self {
        Self::new(Level::Fault, id, Some(file), message)
    }

    fn note(id: &'static str, file: &Path, message: impl Into<String>) -> Self {
        Self::new(Level::Note, id, Some(file), message)
    }

    fn at_line(self, line: usize) -> Self {
        Self { line: Some(line), ..self }
    }

    fn fixed_by(self, fix: impl Into<String>) -> Self {
        Self { fix: Some(fix.into()), ..self }
    }

    fn by_installing(self, place: &Place) -> Self {
        Self { mend: Some(Mend::Install(place.scope)), ..self.fixed_by(place.command()) }
    }

    fn by_mode(self, path: &Path, mode: u32) -> Self {
        let fix = format!("chmod {mode:o} {}", shell_quote(&path.to_string_lossy()));
        Self { mend: Some(Mend::Mode(path.to_owned(), mode)), ..self.fixed_by(fix) }
    }

    fn by_owner(self, path: &Path, owner: Owner) -> Self {
        let fix = format!("sudo chown -R {} {}", owner.user, shell_quote(&path.to_string_lossy()));
        Self { mend: Some(Mend::Owner(path.to_owned(), owner)), ..self.fixed_by(fix) }
    }

    fn by_removing(self, path: &Path) -> Self {
        let fix = format!("rm {}", shell_quote(&path.to_string_lossy()));
        Self { mend: Some(Mend::Remove(path.to_owned())), ..self.fixed_by(fix) }
    }
}

/// What is registered in one settings file.
#[derive(Debug, Clone, Serialize)]
pub struct Registered {
    /// The scope.
    pub scope: Scope,
    /// The settings file.
    #[serde(serialize_with = "hook_runtime::system::files::lossy")]
    pub settings: PathBuf,
    /// How many entries of ours stand in it.
    pub entries: usize,
    /// The executable that they start.
    #[serde(serialize_with = "hook_runtime::system::files::lossy")]
    pub executable: PathBuf,
    /// The profiles in force.
    pub profiles: Vec<String>,
    /// Whether the host runs them and the executable answers.
    pub on: bool,
    /// What it answered.
    pub canary: Option<Canary>,
}

/// Everything that was found.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Schema version of the JSON form.
    pub version: u32,
    /// The project.
    #[serde(serialize_with = "hook_runtime::system::files::lossy_option")]
    pub project: Option<PathBuf>,
    /// Whether the guard is on, in the words of `hookbin status`; none where one file is looked at.
    pub guard: Option<Presence>,
    /// Whether there is no fault.
    pub good: bool,
    /// The settings files in which entries of ours stand.
    pub registered: Vec<Registered>,
    /// Faults first, then notes.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Two installations may have the same records; what is found there is said once.
    fn add(&mut self, finding: Finding) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    fn finish(mut self) -> Self {
        self.findings.sort_by_key(|finding| finding.level == Level::Note);
        self.good = self.findings.iter().all(|finding| finding.level == Level::Note);
        self
    }

    /// The report without what is wrong with other settings files than this one.
    #[must_use]
    pub fn about(mut self, settings: &Path) -> Self {
        let of_a_file = ["file-dropped", "settings-unreadable", "entry-dropped", "ignored", "lint", "dead-hook"];
        self.findings.retain(|finding| !of_a_file.contains(&finding.id) || finding.file.as_deref() == Some(settings));
        self.finish()
    }
}

/// Looks at everything and changes nothing.
pub struct Doctor<'h> {
    system: &'h System,
    managed: PathBuf,
    client: Option<PathBuf>,
    scope: Option<Scope>,
}

impl<'h> Doctor<'h> {
    /// Looks at the surroundings of a run.
    pub fn new(system: &'h System) -> Self {
        Self { system, managed: system.host.settings.managed.into(), client: None, scope: None }
    }

    /// The same with the organisation's settings in another file.
    #[must_use]
    pub fn with_managed(self, managed: PathBuf) -> Self {
        Self { managed, ..self }
    }

    /// The same with this client, instead of the first on `PATH`.
    #[must_use]
    pub fn with_client(self, client: Option<PathBuf>) -> Self {
        Self { client, ..self }
    }

    /// The same for the installation of this scope alone.
    #[must_use]
    pub fn with_scope(self, scope: Option<Scope>) -> Self {
        Self { scope, ..self }
    }

    /// Everything about a project and the user's own settings; without a project, about the latter.
    pub fn examine(&self, root: Option<&Path>) -> Report {
        let mut report = Report {
            version: 1,
            project: root.map(Path::to_owned),
            guard: None,
            good: true,
            registered: Vec::new(),
            findings: Vec::new(),
        };
        let project = root.map(Project::at);
        let force = project.as_ref().map(|project| cache::resolve_now(None, Some(project), self.system));
        let fault = force.as_ref().and_then(|force| force.fault.clone());
        let presence = presence::look_with(
            &self.managed,
            project.as_ref(),
            self.system.cwd.as_deref(),
            fault.as_deref(),
            self.system,
        );
        let places = self.places(root);
        let layers = layers::read(&self.managed, &places);
        for layer in &layers {
            layers::look(layer, root, &mut report);
        }
        let hooks_on = layers::switches(&layers, &mut report);
        let mut with_records: Vec<&Path> = Vec::new();
        // The other files are read all the same: a switch in any of them counts.
        for place in places.iter().filter(|place| self.scope.is_none_or(|scope| scope == place.scope)) {
            let Some(layer) = layers.iter().find(|layer| layer.path == place.settings) else { continue };
            let Some(found) = place::entries(place, layer) else { continue };
            let on = hooks_on && layer.is_read();
            let registered = place::look(place, layer, &found, on, root, self.system, &mut report);
            report.registered.push(registered);
            if !with_records.contains(&place.own.as_path()) {
                with_records.push(&place.own);
                records::look(place, root, self.system, &mut report);
            }
        }
        if let Some(root) = root {
            vault::look(root, self.system, &mut report);
        }
        // Where nothing is installed, that comes first.
        let in_force = project.as_ref().zip(force.as_ref()).filter(|_| !report.registered.is_empty());
        let missing = in_force.map(|(project, force)| preflight::missing(&force.profile, project, self.system));
        for need in missing.into_iter().flatten() {
            let level = if need.is_fault { Level::Fault } else { Level::Note };
            report.add(Finding::new(level, "needs", Some(&need.file), need.message).fixed_by(need.fix));
        }
        client::look(self.client.as_deref(), self.system, &mut report);
        surroundings::look(self.system, &mut report);
        self.whole(root, &places, &layers, &presence, &mut report);
        report.guard = Some(presence);
        report.finish()
    }

    /// What is wrong with one settings file, whoever's it is.
    pub fn lint(&self, file: &Path) -> Report {
        let mut report =
            Report { version: 1, project: None, guard: None, good: true, registered: Vec::new(), findings: Vec::new() };
        let root = file.parent().filter(|dir| dir.ends_with(".claude")).and_then(Path::parent);
        layers::look(&layers::one(file), root, &mut report);
        report.finish()
    }

    fn places(&self, root: Option<&Path>) -> Vec<Place> {
        let in_project = root.into_iter().flat_map(|root| {
            [Scope::Local, Scope::Project]
                .into_iter()
                .filter_map(|scope| Place::in_project(scope, root, self.system).ok())
        });
        in_project.chain(Place::of_user(self.system)).collect()
    }

    /// What only shows when everything is seen together.
    fn whole(&self, root: Option<&Path>, places: &[Place], layers: &[Layer], presence: &Presence, report: &mut Report) {
        let scopes: Vec<Scope> = report.registered.iter().map(|registered| registered.scope).collect();
        let user_wide = scopes.contains(&Scope::User);
        if let Some((path, plugin)) = layers::plugin(layers).filter(|_| scopes.is_empty()) {
            let message = format!(
                "the plugin {plugin} is switched on and no other installation is there; its entries are Claude Code's to start, so none was tried"
            );
            report.add(Finding::note("plugin", path, message));
        } else if scopes.is_empty()
            && let Some(place) = self.to_install(places)
        {
            let finding = if presence.state == Guard::EntryGone {
                let message = format!("{}; nothing is guarded or recorded any more", presence.what);
                Finding::fault("entry-gone", &place.settings, message)
            } else {
                let message = "no entry of hookbin is registered, so nothing is guarded or recorded";
                Finding::fault("not-installed", &place.settings, message)
            };
            let in_the_way = layers.iter().any(|layer| layer.path == place.settings && layer.text.is_err());
            report.add(if in_the_way {
                finding.fixed_by(format!("mend or move away {}, then `{}`", place.settings.display(), place.command()))
            } else {
                finding.by_installing(place)
            });
        }
        Self::together(&scopes, layers, presence, report);
        let Some(root) = root else { return };
        if let Some(shared) = places.iter().find(|place| place.scope == Scope::Project) {
            place::copy(shared, self.system, report);
        }
        for place in places.iter().filter(|place| scopes.contains(&place.scope)) {
            if let Some(message) = install::unignored(place, self.system) {
                report.add(Finding::note("not-ignored", &place.settings, message));
            }
        }
        if scopes.contains(&Scope::Project) && scopes.contains(&Scope::Local) {
            let message = "entries stand in settings.local.json and settings.json; yours in settings.local.json answer, the others are silent";
            report.add(Finding::note("registered-twice", root, message));
        }
        if let Some(cwd) = self.system.cwd.as_deref().filter(|cwd| *cwd != root && cwd.starts_with(root))
            && !user_wide
            && !scopes.is_empty()
        {
            let message = format!(
                "a client started in {} does not read the settings of {}, so no hook fires there",
                cwd.display(),
                root.display()
            );
            let fix = "start it in the project's own directory, or `hookbin install --user`";
            report.add(Finding::note("subfolder", cwd, message).fixed_by(fix));
        }
        if scopes.iter().any(|scope| *scope != Scope::User) {
            self.trust(root, report);
        }
    }

    /// Where to install: where a note says that an installation stood, else in the scope that comes first.
    fn to_install<'p>(&self, places: &'p [Place]) -> Option<&'p Place> {
        let mut wanted = places.iter().filter(|place| self.scope.is_none_or(|scope| scope == place.scope));
        let first = wanted.clone().next();
        wanted.find(|place| hook_runtime::installation::Record::is_there(place)).or(first)
    }

    /// What answers where several could, and whether the user has paused it.
    fn together(scopes: &[Scope], layers: &[Layer], presence: &Presence, report: &mut Report) {
        if presence.state == Guard::Paused {
            let message = format!("the guard is paused ({}); only its own protection holds", presence.what);
            report.add(Finding::new(Level::Fault, "paused", None, message));
        }
        let Some(first) = scopes.first() else { return };
        if let Some((path, plugin)) = layers::plugin(layers) {
            let message = format!(
                "the plugin {plugin} is switched on and entries are registered as well, so two of them are asked about each call"
            );
            let fix = format!("switch one off: `claude plugin disable {plugin}` or `hookbin uninstall`");
            report.add(Finding::note("plugin-and-entry", path, message).fixed_by(fix));
        }
        if scopes.contains(&Scope::User)
            && scopes.len() > 1
            && let Some(by @ (By::Local | By::Project)) = presence.scope
        {
            let message = format!(
                "entries stand in the scopes {} and user; {} answers here, and that of scope user is silent where it is certain to run",
                by.as_str(),
                by.as_str()
            );
            let registered = report.registered.iter().find(|registered| registered.scope == *first);
            let path = registered.map(|registered| registered.settings.clone()).unwrap_or_default();
            report.add(Finding::note("several-scopes", &path, message));
        }
    }

    fn trust(&self, root: &Path, report: &mut Report) {
        let own = self.system.var(self.system.host.variables.config_dir).map(PathBuf::from);
        let Some(path) = own.or_else(|| self.system.home()).map(|dir| dir.join(".claude.json")) else { return };
        let text = hook_runtime::system::files::read(&path).ok().flatten().unwrap_or_default();
        let said = match trusts(&text, &root.to_string_lossy()) {
            Some(true) => return,
            Some(false) => {
                "Claude Code has this directory as not trusted, and runs no hook of it until a user trusts it"
            }
            None => {
                "Claude Code has no record that this directory is trusted; it asks at the first start at a terminal"
            }
        };
        report.add(
            Finding::note("trust", &path, said).fixed_by("start Claude Code in the directory and answer its question"),
        );
    }

    /// Does what findings name as their remedy, where that is a thing that can be done without a user. Returns what was done.
    pub fn fix(&self, report: &Report) -> Vec<String> {
        let places = self.places(report.project.as_deref());
        let mut mends: Vec<&Mend> = Vec::new();
        for mend in report.findings.iter().filter_map(|finding| finding.mend.as_ref()) {
            if !mends.contains(&mend) {
                mends.push(mend);
            }
        }
        mends.into_iter().flat_map(|mend| self.carry_out(mend, &places)).collect()
    }

    fn carry_out(&self, mend: &Mend, places: &[Place]) -> Vec<String> {
        let spot = |path: &Path| {
            let near = places.iter().map(|place| place.spot(path)).find(hook_runtime::system::files::Spot::is_below);
            near.unwrap_or_else(|| path.into())
        };
        let tried = match mend {
            Mend::Install(scope) => {
                let Some(place) = places.iter().find(|place| place.scope == *scope) else { return Vec::new() };
                let request =
                    Request { place: place.clone(), profiles: None, force: false, strict: false, replaces: Vec::new() };
                install::install(&request, false, self.system).map(|done| done.said)
            }
            Mend::Mode(path, mode) => hook_runtime::system::files::set_mode(spot(path), *mode)
                .map(|()| vec![format!("set the mode of {} to {mode:o}", path.display())])
                .map_err(Into::into),
            Mend::Owner(path, owner) => {
                owner.take(path).map(|()| vec![format!("gave {} to user {}", path.display(), owner.user)])
            }
            Mend::Remove(path) => hook_runtime::system::files::remove(spot(path))
                .map(|()| vec![format!("removed {}", path.display())])
                .map_err(Into::into),
        };
        tried.unwrap_or_else(|error| vec![format!("could not: {error:#}")])
    }
}
