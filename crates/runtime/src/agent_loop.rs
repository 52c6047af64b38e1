//! The front door for an agent loop of one's own: an event in, an answer out, and everything that follows carried out.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::Utc;
use hook_policy::profile::Profile;
use hook_policy::{Outcome, Verdict};
use hook_protocol::Event;
use hook_protocol::host::Limits;

use crate::Error;
use crate::config::profiles;
use crate::event::run;
use crate::project::Project;
use crate::system::System;

/// How a variable of the environment is looked up.
pub(crate) type Lookup = Arc<dyn Fn(&str) -> Option<OsString> + Send + Sync>;

/// Policy, gates, state, evidence, handoff and audit log for the calls of one project.
///
/// Cheap to clone, and any number of threads and processes may work on the same records at once. In the directory of records, `state/` is
/// a [`hook_session_state::Store`] and `log/` a trail of [`hook_audit_log`].
/// Files that a profile names, such as the signed state of `sane`, lie in the project's `.claude`, and their keys in the user's state
/// directory.
#[derive(Clone)]
pub struct Runtime {
    profile: Arc<Profile>,
    project: PathBuf,
    records: PathBuf,
    env: Lookup,
    limits: Limits,
}

/// What an event is answered with. Everything that was to be kept is kept when it is there, or [`Self::faults`] says that it is not.
///
/// A loop asks [`Self::lets_run`], runs [`Self::command`] in place of the call's own where there is one, gives the model
/// [`Self::reason`], [`Self::suggestion`], [`Self::context`] and [`Self::feedback`], and shows the user [`Self::notices`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// Refuse the call, ask the user, or let it run without a question; `None` where nothing is against it. A refused prompt does not go
    /// to the model, and a refused stop means that the turn goes on.
    pub verdict: Option<Verdict>,
    /// Whether anything judged the call. A call that passes without it passed because no check of the profile is about such a call, as
    /// about one of an unknown tool. Events that are no call are without it.
    pub looked_at: bool,
    /// Why, for the model.
    pub reason: Option<String>,
    /// What to do instead, in words or as a command.
    pub suggestion: Option<String>,
    /// The check that decided.
    pub check: Option<String>,
    /// The rule that decided, where the check has rules.
    pub rule: Option<String>,
    /// A command that is to run in place of the call's own, by the same parameter.
    pub command: Option<String>,
    /// What the model is to be told before it goes on.
    pub context: Vec<String>,
    /// What is wrong with a call that has run, for the model.
    pub feedback: Vec<String>,
    /// What the user is to be told.
    pub notices: Vec<String>,
    /// Why the whole turn has to end.
    pub stop: Option<String>,
    /// What could not be done, for whoever runs the loop: what was not kept and why, a project that is not there, a panic.
    pub faults: Vec<String>,
}

impl Runtime {
    /// Opens with a built-in profile: one of [`hook_policy::profile::NAMES`], such as `standard`. State and log go into `records`, which is
    /// made when it is needed; best outside the project, where no call of the agent reaches it.
    ///
    /// Relative directories are those of the process as it is now. Nothing is read or made yet: a project that is not there is told by
    /// [`Answer::faults`] at every event.
    pub fn open(project: impl Into<PathBuf>, records: impl Into<PathBuf>, profile: &str) -> Result<Self, Error> {
        if profiles::text(profile).is_none() {
            let known = profiles::names().join(", ");
            return Err(Error::wrong_use(format!("there is no profile `{profile}`; name one of {known}")));
        }
        Ok(Self::with_profile(project, records, Profile::builtin(profile)?))
    }

    /// Opens with a configuration as a team writes it, in the form of `hookbin.toml`: the profiles that it names, with its changes. Any
    /// fault in it is an error. `name` is what messages call it.
    ///
    /// ```
    /// use hook_runtime::Runtime;
    ///
    /// let wrong = Runtime::from_toml("/p", "/r", "team.toml", "profile = \"standard\"\non_unreadabel = \"ask\"\n");
    /// let error = wrong.err().map(|error| error.to_string());
    /// assert_eq!(error.as_deref(), Some("team.toml:2:1: unknown key `on_unreadabel`; the nearest valid one is `on_unreadable`"));
    /// ```
    pub fn from_toml(
        project: impl Into<PathBuf>,
        records: impl Into<PathBuf>,
        name: &str,
        text: &str,
    ) -> Result<Self, Error> {
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

    /// With variables of one's own in place of the process's: `HOME`, `PATH`, and what a profile names. What a user installed for
    /// themselves is looked for below `HOME`; `HOOKBIN_NOW` sets the clock, for tests.
    #[must_use]
    pub fn with_environment(self, env: impl Fn(&str) -> Option<OsString> + Send + Sync + 'static) -> Self {
        Self { env: Arc::new(env), ..self }
    }

    /// Says what the loop cannot do. A question, a rewrite or a text that it could do nothing with comes out as what it can.
    ///
    /// ```
    /// use hook_runtime::Runtime;
    /// use hook_runtime::hook_protocol::host::Limits;
    ///
    /// # fn open() -> Result<Runtime, hook_runtime::Error> {
    /// // Nobody sits at this loop: a question is a refusal that says how a user can do it.
    /// let runtime = Runtime::open("/home/me/project", "/home/me/.agent", "standard")?.with_limits(Limits::NONE.without_ask());
    /// # Ok(runtime)
    /// # }
    /// ```
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

impl std::fmt::Debug for Runtime {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = &self.profile.names;
        out.debug_struct("Runtime")
            .field("project", &self.project)
            .field("records", &self.records)
            .field("profiles", names)
            .finish_non_exhaustive()
    }
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
