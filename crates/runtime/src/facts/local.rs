//! What this machine knows of a project, for a guard without a runtime.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::Utc;
use hook_policy::profile::{NAMES, Plan, builtin, resolve};
use hook_policy::repository::Repository;
use hook_policy::{Entry, Facts, FileInfo, Moment};
use hook_protocol::event::{Event, EventName};
use hook_shell::resolve::GitSettings;

use super::{LiveFacts, links};
use crate::agent_loop::Lookup;
use crate::event::run::Run;
use crate::project::Project;
use crate::system::System;

/// The facts of this machine about one project: its files, where links lead, the home directory, git's settings.
///
/// It remembers nothing between two questions, so it may live as long as the agent and be shared by threads. It keeps no session:
/// for gates, state and a log open a [`Runtime`](crate::Runtime).
///
/// ```
/// use hook_policy::{Guard, Verdict};
/// use hook_runtime::LocalFacts;
///
/// # let directory = std::env::temp_dir();
/// # let project = directory.to_str().unwrap();
/// let (guard, facts) = (Guard::standard(), LocalFacts::new(project));
/// assert_eq!(guard.check_with("rm -rf ~", project, &facts).verdict, Some(Verdict::Deny));
/// assert!(guard.check_with("ls", project, &facts).allows());
/// ```
#[derive(Clone)]
pub struct LocalFacts {
    project: PathBuf,
    env: Lookup,
    /// What is in force where nothing is configured.
    plan: Plan,
}

impl LocalFacts {
    /// The facts about the project in this directory. A relative path is seen from the working directory.
    pub fn new(project: impl AsRef<Path>) -> Self {
        let project = project.as_ref();
        Self {
            project: std::path::absolute(project).unwrap_or_else(|_| project.to_owned()),
            env: Arc::new(|name| std::env::var_os(name)),
            plan: resolve(&[], &[], &builtin, NAMES).plan(&EventName::PreToolUse),
        }
    }

    /// With variables of one's own in place of the process's, such as `HOME`.
    #[must_use]
    pub fn with_environment(self, env: impl Fn(&str) -> Option<OsString> + Send + Sync + 'static) -> Self {
        Self { env: Arc::new(env), ..self }
    }

    /// Asks what a hook of this project would be told that has no session.
    fn ask<T>(&self, question: impl FnOnce(&LiveFacts<'_>) -> T) -> T {
        let env = Arc::clone(&self.env);
        let system = System::new(move |name| env(name), Utc::now(), Some(self.project.clone()));
        let run = Run::of(Event::default(), self.plan.clone(), Project::at(&self.project), &system);
        question(&LiveFacts::new(&run))
    }
}

impl Facts for LocalFacts {
    fn now(&self) -> Moment {
        Moment::from_epoch(Utc::now().timestamp())
    }

    fn state_dir(&self) -> Cow<'_, str> {
        self.ask(|facts| facts.state_dir().into_owned()).into()
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        self.ask(|facts| facts.home().map(Cow::into_owned)).map(Cow::Owned)
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        Some(self.project.to_string_lossy())
    }

    fn real_path(&self, path: &str) -> Option<String> {
        links::real_path(path, &|dir| std::fs::canonicalize(dir).ok())
    }

    fn entry(&self, path: &str) -> Entry {
        links::entry(path)
    }

    fn other_home(&self) -> Option<Cow<'_, str>> {
        self.ask(|facts| facts.other_home().map(Cow::into_owned)).map(Cow::Owned)
    }

    fn work_folders(&self) -> Vec<String> {
        self.ask(|facts| facts.work_folders())
    }

    fn starts_guard(&self, path: &str) -> bool {
        self.ask(|facts| facts.starts_guard(path))
    }

    fn is_own(&self, path: &str) -> bool {
        self.ask(|facts| facts.is_own(path))
    }

    fn is_client_settings(&self, path: &str) -> bool {
        self.ask(|facts| facts.is_client_settings(path))
    }

    fn holds_own(&self, path: &str) -> bool {
        self.ask(|facts| facts.holds_own(path))
    }

    fn dir_variable(&self, name: &str) -> Option<String> {
        self.ask(|facts| facts.dir_variable(name))
    }

    fn project_file(&self, path: &str) -> Option<String> {
        self.ask(|facts| facts.project_file(path))
    }

    fn written_file(&self, path: &str) -> Option<String> {
        self.ask(|facts| facts.written_file(path))
    }

    fn file_info(&self, path: &str) -> Option<FileInfo> {
        self.ask(|facts| facts.file_info(path))
    }

    fn line_count(&self, path: &str) -> Option<u64> {
        self.ask(|facts| facts.line_count(path))
    }

    fn project_dir_names(&self, path: &str) -> Option<Vec<String>> {
        self.ask(|facts| facts.project_dir_names(path))
    }

    fn repository(&self, dir: &str) -> Option<Repository> {
        self.ask(|facts| facts.repository(dir))
    }

    fn git_setting(&self, dir: &str, key: &str) -> Option<String> {
        self.ask(|facts| facts.git_setting(dir, key))
    }

    fn git_settings(&self, dir: &str) -> GitSettings {
        self.ask(|facts| facts.git_settings(dir))
    }

    fn staged(&self, dir: &str) -> Option<Vec<String>> {
        self.ask(|facts| facts.staged(dir))
    }
}

impl std::fmt::Debug for LocalFacts {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("LocalFacts").field("project", &self.project).finish_non_exhaustive()
    }
}
