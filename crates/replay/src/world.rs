//! One policy with what it would have remembered: the throw-away state of every project that is met.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use chrono::DateTime;
use hook_policy::profile::{Plan, Profile};
use hook_policy::{Outcome, Verdict};
use hook_protocol::event::EventName;

use super::report::Side;
use super::shape::{Part, parts};
use super::{Error, Policy, Seen};
use hook_runtime::config::cache::{self, InForce};
use hook_runtime::config::profiles;
use hook_runtime::event::run::{Replay, replay};
use hook_runtime::facts::signed;
use hook_runtime::metrics;
use hook_runtime::project::Project;
use hook_runtime::system::System;
use hook_runtime::trust;

/// Different things that went wrong which are told.
const NOTES: usize = 20;

/// What was decided about one event.
#[derive(Debug, Clone)]
pub(super) struct Said {
    pub(super) verdict: Option<Verdict>,
    pub(super) rule: Option<String>,
    /// The handler whose verdict won.
    pub(super) check: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) rewrite: Option<String>,
    /// The programs of a call's command line.
    pub(super) parts: Vec<Part>,
}

impl Said {
    fn of(outcome: &Outcome<'_>) -> Self {
        Self {
            parts: Vec::new(),
            verdict: outcome.verdict,
            rule: outcome.rule.clone(),
            check: outcome.decided_by.map(str::to_owned),
            reason: outcome.reason.clone(),
            rewrite: outcome.rewrite.clone(),
        }
    }

    pub(super) fn side(&self) -> Side {
        let short = |text: &String| hook_audit_log::clip(text, 400).into_owned();
        Side {
            verdict: self.verdict.map_or("none", Verdict::as_str),
            rule: self.rule.clone(),
            check: self.check.clone(),
            reason: self.reason.as_ref().map(short),
            rewrite: self.rewrite.as_ref().map(short),
        }
    }
}

/// A policy in all projects of a replay.
pub(super) struct World<'o> {
    policy: &'o Policy,
    system: &'o System,
    /// Everything that the sessions leave behind; gone with the replay.
    dir: tempfile::TempDir,
    places: HashMap<PathBuf, Place>,
    /// The profile of all projects that have no configuration of their own, or of all projects where a file was named.
    shared: Option<Rc<Profile>>,
    notes: BTreeSet<String>,
    /// Whether commands are taken apart, for groups of alike ones.
    takes_apart: bool,
}

struct Place {
    project: Project,
    profile: Rc<Profile>,
    state: PathBuf,
    /// The plans of the events met so far.
    plans: HashMap<String, Plan>,
}

impl<'o> World<'o> {
    pub(super) fn new(policy: &'o Policy, system: &'o System, takes_apart: bool) -> Result<Self, Error> {
        let shared = match policy {
            Policy::File(path) => Some(Rc::new(of_file(&system.absolute_path(path), system)?)),
            Policy::Profiles(names) => known(names).map(|()| None)?,
            Policy::InForce => None,
        };
        let dir = tempfile::Builder::new().prefix("hookbin-replay-").tempdir()?;
        Ok(Self { policy, system, dir, places: HashMap::new(), shared, notes: BTreeSet::new(), takes_apart })
    }

    /// The profiles of all projects that were met.
    pub(super) fn profiles(&self) -> Vec<String> {
        let names: BTreeSet<String> = self.places.values().map(|place| place.profile.names.join(" + ")).collect();
        names.into_iter().collect()
    }

    pub(super) fn notes(&self) -> Vec<String> {
        self.notes.iter().cloned().collect()
    }

    /// The profile of a project that was met; what a proposal is tried on.
    pub(super) fn some_profile(&self) -> Option<&Profile> {
        self.places.values().next().map(|place| &*place.profile)
    }

    pub(super) fn decide(&mut self, seen: &Seen, root: &Path) -> Said {
        if !self.places.contains_key(root) {
            let place = self.settle(root);
            self.places.insert(root.to_owned(), place);
        }
        let Some(place) = self.places.get_mut(root) else { return Said::of(&Outcome::default()) };
        let event = seen.past.event.clone();
        let name = event.name().as_str().to_owned();
        let plan = place.plans.remove(&name).unwrap_or_else(|| place.profile.plan(&EventName::from(name.as_str())));
        let now = DateTime::from_timestamp_micros(seen.micros).unwrap_or_default();
        let system = self.system.past(now, &place.state);
        let past = Replay { event, plan, project: place.project.clone(), branch: seen.past.branch.clone() };
        let takes_apart = self.takes_apart && name == EventName::PreToolUse.as_str();
        let ((said, fault), plan) = replay(past, &system, |outcome, faults, explain| {
            let mut said = Said::of(outcome);
            if takes_apart {
                said.parts = parts(&explain());
            }
            (said, faults.first().cloned())
        });
        place.plans.insert(name, plan);
        if let Some(fault) = fault.filter(|_| self.notes.len() < NOTES) {
            self.notes.insert(format!("not kept as it would have been: {fault}"));
        }
        said
    }

    /// Makes the throw-away directories of a project, and resolves its profile.
    fn settle(&mut self, root: &Path) -> Place {
        let dir = self.dir.path().join(self.places.len().to_string());
        let real = Project::at(root);
        let profile = self.profile(&real);
        let project = Project::at(root).replayed_in(&dir);
        let state = dir.join("person");
        let mut made = vec![project.documents()];
        // Some documents count only where their directory is there.
        made.extend(root.join(metrics::DIR).exists().then(|| project.files().join(metrics::DIR)));
        let made: std::io::Result<()> = made.iter().try_for_each(std::fs::create_dir_all);
        let made = made.map_err(|error| error.to_string()).and_then(|()| {
            let system = self.system.past(self.system.now, &state);
            // What the user trusts decides as it does in the hook.
            trust::carry(&real, self.system, &system).map_err(|error| format!("{error:#}"))?;
            if !signed::is_kept(&profile) {
                return Ok(());
            }
            signed::of(&project, &system).make_key().map(drop).map_err(|error| error.to_string())
        });
        if let Err(error) = made {
            self.notes.insert(format!("cannot prepare {}: {error}", dir.display()));
        }
        Place { project, profile, state, plans: HashMap::new() }
    }

    fn profile(&mut self, project: &Project) -> Rc<Profile> {
        let of_its_own = !matches!(self.policy, Policy::File(_)) && project.config().exists();
        if let Some(shared) = self.shared.as_ref().filter(|_| !of_its_own) {
            return Rc::clone(shared);
        }
        let names = match self.policy {
            Policy::Profiles(names) => Some(names.as_slice()),
            Policy::InForce | Policy::File(_) => None,
        };
        let InForce { profile, fault, .. } = cache::resolve_now(names, Some(project), self.system);
        self.notes.extend(fault.map(|fault| format!("configuration: {fault}")));
        let profile = Rc::new(profile);
        if !of_its_own {
            self.shared = Some(Rc::clone(&profile));
        }
        profile
    }
}

/// Says which name is none of a built-in profile. What is in force in its place would be another policy than the one that was asked about.
fn known(names: &[String]) -> Result<(), Error> {
    let there_are = profiles::names();
    let choose = there_are.join(", ");
    match names.iter().find(|name| !there_are.contains(&name.as_str())) {
        Some(unknown) => Err(Error::wrong_use(format!("there is no profile `{unknown}`; name one of {choose}"))),
        None if names.is_empty() => {
            Err(Error::wrong_use(format!("a policy of profiles names none; name one of {choose}")))
        }
        None => Ok(()),
    }
}

/// The policy of a file that was named. In force a fault in it would leave the built-in profile or the other rules; here that would be
/// another policy than the one that was asked about, and "no verdict differs" a lie.
fn of_file(path: &Path, system: &System) -> Result<Profile, Error> {
    let shown = path.display();
    cache::read_config(path).map_err(|error| {
        Error::wrong_use(format!("cannot read {shown}: {error}; name a profile or a configuration file"))
    })?;
    let InForce { profile, fault, .. } = cache::resolve_file(path, system);
    match fault {
        None => Ok(profile),
        Some(fault) => Err(Error::wrong_use(format!(
            "a policy with a fault is not replayed: {fault}; `hookbin config check {shown}` shows all that is wrong with it"
        ))),
    }
}
