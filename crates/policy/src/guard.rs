//! The guard alone: may this command run?

use std::borrow::Cow;

use hook_protocol::event::{Event, EventName, PreToolUse};

use crate::decide::{decide, decide_unreadable};
use crate::facts::Facts;
use crate::finding::{Outcome, Suggestion};
use crate::moment::Moment;
use crate::profile::{DEFAULT, Faults, NAMES, Plan, Profile, builtin, resolve};
use crate::verdict::Verdict;

/// Says whether a command may run.
///
/// It is made once and asked for every call, from any thread. An answer takes microseconds.
///
/// ```
/// use hook_policy::{At, Guard, Verdict};
///
/// let guard = Guard::standard();
/// let at = At::new("/home/me/project").home("/home/me");
///
/// let answer = guard.check("cd .. && sudo rm -rf build", &at);
/// assert_eq!(answer.verdict, Some(Verdict::Deny));
/// assert_eq!(answer.rule.as_deref(), Some("delete-outside"));
/// assert!(guard.check("cargo test", &at).allows());
/// ```
#[derive(Debug, Clone)]
pub struct Guard {
    plan: Plan,
}

/// Says where a path leads when links are followed.
type RealPath<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Where a command would run. What is not told never weakens the guard.
#[derive(Clone, Copy)]
pub struct At<'a> {
    project: &'a str,
    cwd: Option<&'a str>,
    home: Option<&'a str>,
    real_path: Option<RealPath<'a>>,
}

/// What the guard says about one call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// Refuse the call, ask the user, or let it run without a question; `None` where nothing is against it.
    pub verdict: Option<Verdict>,
    /// Whether the guard knew what the call does. Without it, a call that passes was judged by nobody; see
    /// [`Outcome::looked_at`].
    pub looked_at: bool,
    /// The rule that decided, where one did.
    pub rule: Option<String>,
    /// Why, in words for the model or the user.
    pub reason: Option<String>,
    /// What to do instead.
    pub suggestion: Option<Suggestion>,
    /// The command that is to run in place of the call's own, where a rule of yours asks for one.
    pub rewrite: Option<String>,
}

impl Answer {
    /// Whether the call may run as it is, without anybody being asked.
    pub fn allows(&self) -> bool {
        !matches!(self.verdict, Some(Verdict::Deny | Verdict::Ask)) && self.rewrite.is_none()
    }
}

impl From<Outcome<'_>> for Answer {
    fn from(outcome: Outcome<'_>) -> Self {
        Self {
            verdict: outcome.verdict,
            looked_at: outcome.looked_at,
            rule: outcome.rule,
            reason: outcome.reason,
            suggestion: outcome.suggestion,
            rewrite: outcome.rewrite,
        }
    }
}

impl Guard {
    /// The guard of the built-in profile `standard`. It asks about a call that it cannot read.
    pub fn standard() -> Self {
        Self::with_profile(&resolve(&[DEFAULT.to_owned()], &[], &builtin, NAMES))
    }

    /// A guard by a configuration as a team writes it; see [`Profile::from_toml`]. Any fault in it is an error.
    ///
    /// ```
    /// use hook_policy::{At, Guard, Verdict};
    ///
    /// let rules = r#"
    /// [[rule]]
    /// id = "no-deploy"
    /// program = "deploy"
    /// then = "deny"
    /// reason = "People deploy."
    /// should_match = ["deploy production"]
    /// should_not_match = ["echo deploy"]
    /// "#;
    /// let guard = Guard::from_toml("team.toml", rules)?;
    /// let answer = guard.check("timeout 5 deploy staging", &At::new("/home/me/project"));
    /// assert_eq!((answer.verdict, answer.rule.as_deref()), (Some(Verdict::Deny), Some("no-deploy")));
    /// # Ok::<(), hook_policy::profile::Faults>(())
    /// ```
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Faults> {
        Ok(Self::with_profile(&Profile::from_toml(file, text)?))
    }

    /// The guard of a resolved profile.
    pub fn with_profile(profile: &Profile) -> Self {
        Self { plan: profile.plan(&EventName::PreToolUse) }
    }

    /// Whether a shell command may run.
    pub fn check(&self, command: &str, at: &At<'_>) -> Answer {
        self.check_with(command, at.cwd.unwrap_or(at.project), at)
    }

    /// The same in a working directory, by the facts of the caller. `LocalFacts` of `hook-runtime` looks at this machine.
    pub fn check_with(&self, command: &str, cwd: &str, facts: &dyn Facts) -> Answer {
        let mut event = Event { body: PreToolUse::bash(command).into(), ..Event::default() };
        event.common.cwd = Some(cwd.into());
        self.check_event(&event, facts)
    }

    /// Whether the call of an event may run: of a tool that reads, writes or edits as well. Of a call with several files, such as a
    /// patch, each counts, and the strictest answer is given.
    ///
    /// The call of any event is judged as one that is about to run, also of an event that tells of its end, and of a payload that does
    /// not say which event it is. A payload that neither names its event nor a tool is answered by [`Guard::unreadable`].
    ///
    /// ```
    /// use hook_policy::hook_protocol::Event;
    /// use hook_policy::{At, Guard};
    ///
    /// let guard = Guard::standard();
    /// let at = At::new("/home/me/project").home("/home/me");
    /// let check = |payload: &str| match Event::parse(payload) {
    ///     Ok(event) => guard.check_event(&event, &at),
    ///     Err(_) => guard.unreadable(),
    /// };
    /// assert!(!check(r#"{"tool_name":"Write","tool_input":{"file_path":"/etc/passwd","content":""}}"#).allows());
    /// assert!(!check(r#"{"tool_name":"Write","tool_in"#).allows());
    /// ```
    pub fn check_event(&self, event: &Event<'_>, facts: &dyn Facts) -> Answer {
        let name = event.name();
        if matches!(name, EventName::PreToolUse | EventName::PreSkillShellCommand) {
            return decide(event, &self.plan, facts).into();
        }
        match event.as_call() {
            Some(call) => decide(&call, &self.plan, facts).into(),
            None if name.as_str().is_empty() => self.unreadable(),
            None => decide(event, &self.plan, facts).into(),
        }
    }

    /// What is said about a call that nobody could look at: by the profile's `on_unreadable`, which asks in [`Guard::standard`].
    ///
    /// It is for a payload that is no JSON, and for facts that fail. A [`Facts`] that panics is not caught here, so the panic ends whoever
    /// asked, and no call has passed. Who has to go on answers with this:
    ///
    /// ```
    /// use std::panic::{AssertUnwindSafe, catch_unwind};
    ///
    /// use hook_policy::{At, Guard, Verdict};
    ///
    /// let guard = Guard::standard();
    /// let broken = |_: &str| panic!("the disk is gone");
    /// let at = At::new("/home/me/project").real_path(&broken);
    /// let checked = catch_unwind(AssertUnwindSafe(|| guard.check("rm -rf build", &at)));
    /// let answer = checked.unwrap_or_else(|_| guard.unreadable());
    /// assert_eq!(answer.verdict, Some(Verdict::Ask));
    /// ```
    pub fn unreadable(&self) -> Answer {
        decide_unreadable(&self.plan, true).into()
    }
}

impl<'a> At<'a> {
    /// In the directory of a project, by its absolute path.
    pub const fn new(project: &'a str) -> Self {
        Self { project, cwd: None, home: None, real_path: None }
    }

    /// In another working directory than the project's directory.
    #[must_use]
    pub const fn cwd(self, dir: &'a str) -> Self {
        Self { cwd: Some(dir), ..self }
    }

    /// With the home directory that `~` and `$HOME` mean.
    #[must_use]
    pub const fn home(self, dir: &'a str) -> Self {
        Self { home: Some(dir), ..self }
    }

    /// With eyes for links: where a path leads when they are followed, `None` if nothing differs. See [`Facts::real_path`].
    ///
    /// ```
    /// use hook_policy::At;
    ///
    /// let real = |path: &str| {
    ///     let real = std::fs::canonicalize(path).ok()?;
    ///     real.into_os_string().into_string().ok().filter(|real| real != path)
    /// };
    /// let at = At::new("/home/me/project").home("/home/me").real_path(&real);
    /// ```
    #[must_use]
    pub const fn real_path(self, follow: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self { real_path: Some(follow), ..self }
    }
}

impl Facts for At<'_> {
    fn now(&self) -> Moment {
        // No rule of a command asks for the time.
        Moment::from_epoch(0)
    }

    fn state_dir(&self) -> Cow<'_, str> {
        "(nothing is kept)".into()
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        Some(self.project.into())
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        self.home.map(Cow::Borrowed)
    }

    fn real_path(&self, path: &str) -> Option<String> {
        self.real_path.and_then(|follow| follow(path))
    }
}

impl std::fmt::Debug for At<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { project, cwd, home, .. } = self;
        out.debug_struct("At").field("project", project).field("cwd", cwd).field("home", home).finish_non_exhaustive()
    }
}
