//! The front door for an agent loop of one's own: an event in, an answer out, and everything that follows carried out.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::Utc;
use hook_policy::profile::{Faults, Profile};
use hook_policy::{Outcome, Verdict};
use hook_protocol::Event;
use hook_protocol::host::Limits;

use crate::config::profiles;
use crate::event::run;
use crate::project::Project;
use crate::system::System;

/// How a variable of the environment is looked up.
pub(crate) type Lookup = Arc<dyn Fn(&str) -> Option<OsString> + Send + Sync>;

/// Policy, gates, state, evidence, handoff and audit log for the calls of one project.
///
/// Cheap to clone, and any number of processes may work on the same records at once.
#[derive(Clone)]
pub struct Runtime {
    profile: Arc<Profile>,
    project: PathBuf,
    records: PathBuf,
    env: Lookup,
    limits: Limits,
}

/// What an event is answered with. Everything that was to be kept is kept when it is there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// Refuse the call, ask a person, or let it run without a question; `None` where nothing is against it.
    pub verdict: Option<Verdict>,
    /// Whether anything judged the call. Without it, a call that passes is one of a tool that nobody knew.
    pub looked_at: bool,
    /// Why, for the model.
    pub reason: Option<String>,
    /// What to do instead, in words or as a command.
    pub suggestion: Option<String>,
    /// The check that decided.
    pub check: Option<String>,
    /// The rule that decided, where the check has rules.
    pub rule: Option<String>,
    /// A command that is to run in place of the call's own.
    pub command: Option<String>,
    /// What the model is to be told before it goes on.
    pub context: Vec<String>,
    /// What is wrong with a call that has run, for the model.
    pub feedback: Vec<String>,
    /// What the person is to be told.
    pub notices: Vec<String>,
    /// Why the whole turn has to end.
    pub stop: Option<String>,
    /// What could not be done, for whoever runs the loop.
    pub faults: Vec<String>,
}

/// Why a runtime cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no such built-in profile.
    #[error("there is no profile `{0}`; name one of {known}", known = profiles::names().join(", "))]
    UnknownProfile(String),
    /// The configuration has faults.
    #[error(transparent)]
    Faults(#[from] Faults),
}

impl Runtime {
    /// Opens with a built-in profile, such as `standard`. State and log go into `records`, which is made when it is needed.
    pub fn open(project: impl Into<PathBuf>, records: impl Into<PathBuf>, profile: &str) -> Result<Self, OpenError> {
        if profiles::text(profile).is_none() {
            return Err(OpenError::UnknownProfile(profile.to_owned()));
        }
        Ok(Self::with_profile(project, records, Profile::builtin(profile)?))
    }

    /// Opens with a configuration as a team writes it, in the form of `hookbin.toml`: the profiles that it names, with its changes. Any
    /// fault in it is an error. `name` is what messages call it.
    pub fn from_toml(
        project: impl Into<PathBuf>,
        records: impl Into<PathBuf>,
        name: &str,
        text: &str,
    ) -> Result<Self, OpenError> {
        Ok(Self::with_profile(project, records, Profile::from_toml(name, text)?))
    }

    /// Opens with a resolved profile.
    pub fn with_profile(project: impl Into<PathBuf>, records: impl Into<PathBuf>, profile: Profile) -> Self {
        Self {
            profile: Arc::new(profile),
            project: absolute(&project.into()),
            records: absolute(&records.into()),
            env: Arc::new(|name| std::env::var_os(name)),
            limits: Limits::NONE,
        }
    }

    /// With variables of one's own in place of the process's: `HOME`, `PATH`, and what a profile names.
    #[must_use]
    pub fn with_environment(self, env: impl Fn(&str) -> Option<OsString> + Send + Sync + 'static) -> Self {
        Self { env: Arc::new(env), ..self }
    }

    /// Says what the loop cannot do. A question, a rewrite or a text that it could do nothing with comes out as what it can.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The profile in force.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Answers one event: decides, carries out what follows, and writes the record.
    ///
    /// Nothing in here fails. What could not be kept stands in [`Answer::faults`], and a call that has to be remembered and cannot be is
    /// refused. A panic, as of a function given to [`Self::with_environment`], is answered as the profile says of errors (`on_error`).
    pub fn event(&self, event: Event<'_>) -> Answer {
        let (name, common) = (event.name().as_str().to_owned(), event.common.clone());
        let env = Arc::clone(&self.env);
        let answered = run::caught(|| {
            let system = self.system(move |name| env(name));
            let plan = self.profile.plan(&event.name());
            run::live(event, plan, self.place(), &system, Answer::of)
        });
        answered.unwrap_or_else(|fault| {
            let event = Event { common, ..run::blank(&name) };
            let plan = self.profile.plan(&event.name());
            // Without variables, since looking one up may be what broke it.
            run::live_broken(event, plan, self.place(), &self.system(|_| None), fault, Answer::of)
        })
    }

    /// The surroundings of one event, with these variables.
    fn system(&self, env: impl Fn(&str) -> Option<OsString> + 'static) -> System {
        let mut system = System::new(env, Utc::now(), Some(self.project.clone()));
        system.limits = self.limits;
        system
    }

    fn place(&self) -> Project {
        Project::at(&self.project).recorded_in(self.records.clone())
    }
}

/// A path that means the same wherever the process works later.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

impl Answer {
    fn of(outcome: &Outcome<'_>, faults: &[String]) -> Self {
        Self {
            verdict: outcome.verdict,
            looked_at: outcome.looked_at,
            reason: outcome.reason.clone(),
            suggestion: outcome.suggestion.as_ref().map(ToString::to_string),
            check: outcome.decided_by.map(str::to_owned),
            rule: outcome.rule.clone(),
            command: outcome.rewrite.clone(),
            context: outcome.context.iter().map(|context| context.text.clone()).collect(),
            feedback: outcome.feedback.clone(),
            notices: outcome.notices.clone(),
            stop: outcome.halt.clone(),
            faults: faults.to_vec(),
        }
    }

    /// Whether the call may run without anybody being asked.
    pub fn lets_run(&self) -> bool {
        !matches!(self.verdict, Some(Verdict::Deny | Verdict::Ask))
    }
}
