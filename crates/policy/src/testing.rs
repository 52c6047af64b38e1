//! A made-up world, for tests of whoever embeds the policy.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::evidence::{Origin, StatusFile};
use crate::facts::{Complexity, Entry, Facts, FileInfo, SessionFacts};
use crate::moment::Moment;
use crate::repository::Repository;
use crate::sane;

/// Facts that a test sets. What it does not set is not known, as in [`Facts`].
///
/// ```
/// use hook_policy::testing::FixedFacts;
/// use hook_policy::{Guard, Verdict};
///
/// let facts = FixedFacts::new("/home/me/project").with_home("/home/me").with_link("/home/me/project/conf", "/etc");
/// let answer = Guard::standard().check_with("rm -rf conf/ssl", "/home/me/project", &facts);
/// assert_eq!(answer.verdict, Some(Verdict::Deny));
/// ```
#[derive(Debug, Clone)]
pub struct FixedFacts {
    project: String,
    home: Option<String>,
    state_dir: String,
    now: Moment,
    links: BTreeMap<String, String>,
    files: BTreeMap<String, String>,
    repositories: BTreeMap<String, Repository>,
    git_settings: BTreeMap<(String, String), String>,
    staged: Option<Vec<String>>,
    written: Vec<String>,
    session: SessionFacts,
    complexity: Option<Complexity>,
    handoff: Option<String>,
    sane: sane::State,
}

impl FixedFacts {
    /// A project in this directory, at the beginning of 1970, with its state in `.state`. Nothing else is known.
    pub fn new(project: &str) -> Self {
        Self {
            project: project.to_owned(),
            home: None,
            state_dir: format!("{project}/.state"),
            now: Moment::from_epoch(0),
            links: BTreeMap::new(),
            files: BTreeMap::new(),
            repositories: BTreeMap::new(),
            git_settings: BTreeMap::new(),
            staged: None,
            written: Vec::new(),
            session: SessionFacts::default(),
            complexity: None,
            handoff: None,
            sane: sane::State::default(),
        }
    }

    /// With this home directory.
    #[must_use]
    pub fn with_home(self, dir: &str) -> Self {
        Self { home: Some(dir.to_owned()), ..self }
    }

    /// With this directory of state.
    #[must_use]
    pub fn with_state_dir(self, dir: &str) -> Self {
        Self { state_dir: dir.to_owned(), ..self }
    }

    /// So many seconds after the beginning of 1970.
    #[must_use]
    pub fn at(self, epoch: i64) -> Self {
        Self { now: Moment::from_epoch(epoch), ..self }
    }

    /// With a link at an absolute path that leads to another.
    #[must_use]
    pub fn with_link(mut self, path: &str, target: &str) -> Self {
        self.links.insert(path.to_owned(), target.to_owned());
        self
    }

    /// With a plain file of this text. A relative path is seen from the project.
    #[must_use]
    pub fn with_file(mut self, path: &str, text: &str) -> Self {
        self.files.insert(self.whole(path), text.to_owned());
        self
    }

    /// With a repository that this directory and all below it lie in.
    #[must_use]
    pub fn with_repository(mut self, dir: &str, repository: Repository) -> Self {
        self.repositories.insert(dir.to_owned(), repository);
        self
    }

    /// With a setting of git for the repository of a directory, such as `alias.ci`.
    #[must_use]
    pub fn with_git_setting(mut self, dir: &str, key: &str, value: &str) -> Self {
        self.git_settings.insert((dir.to_owned(), key.to_owned()), value.to_owned());
        self
    }

    /// With these files in git's index, whatever the repository.
    #[must_use]
    pub fn with_staged(self, files: &[&str]) -> Self {
        Self { staged: Some(files.iter().map(|file| (*file).to_owned()).collect()), ..self }
    }

    /// With a file that the session has written, by absolute path.
    #[must_use]
    pub fn with_written(mut self, path: &str) -> Self {
        self.written.push(path.to_owned());
        self
    }

    /// With what is remembered of the session.
    #[must_use]
    pub fn with_session(self, session: SessionFacts) -> Self {
        Self { session, ..self }
    }

    /// With the complexity of the event's prompt.
    #[must_use]
    pub fn with_complexity(self, complexity: Complexity) -> Self {
        Self { complexity: Some(complexity), ..self }
    }

    /// With a note of an earlier session.
    #[must_use]
    pub fn with_handoff(self, summary: &str) -> Self {
        Self { handoff: Some(summary.to_owned()), ..self }
    }

    /// With this signed state.
    #[must_use]
    pub fn with_sane(self, state: sane::State) -> Self {
        Self { sane: state, ..self }
    }

    fn whole(&self, path: &str) -> String {
        if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", self.project) }
    }

    fn text(&self, path: &str) -> Option<&str> {
        let path = self.whole(path);
        self.files.get(&self.real_path(&path).unwrap_or(path)).map(String::as_str)
    }

    /// What lies in a directory, by path from it.
    fn below(&self, dir: &str) -> impl Iterator<Item = &str> {
        let dir = format!("{}/", self.whole(dir).trim_end_matches('/'));
        self.files.keys().filter_map(move |path| path.strip_prefix(&dir))
    }
}

/// What of a path lies behind a directory, with its slash; `None` where it does not lie there.
fn behind<'p>(path: &'p str, dir: &str) -> Option<&'p str> {
    path.strip_prefix(dir).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Facts for FixedFacts {
    fn now(&self) -> Moment {
        self.now.clone()
    }

    fn state_dir(&self) -> Cow<'_, str> {
        self.state_dir.as_str().into()
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        self.home.as_deref().map(Cow::Borrowed)
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        Some(self.project.as_str().into())
    }

    fn real_path(&self, path: &str) -> Option<String> {
        let mut real = path.to_owned();
        // Links may lead to links; in a circle they lead nowhere.
        for _ in 0..self.links.len() {
            let follow = |(link, target): (&String, &String)| Some(format!("{target}{}", behind(&real, link)?));
            let Some(next) = self.links.iter().find_map(follow) else { break };
            real = next;
        }
        (real != path).then_some(real)
    }

    fn entry(&self, path: &str) -> Entry {
        if self.links.contains_key(path) {
            Entry::Link
        } else if self.files.contains_key(path) {
            Entry::Plain
        } else if self.below(path).next().is_some() {
            Entry::Dir
        } else {
            Entry::Unknown
        }
    }

    fn session(&self) -> SessionFacts {
        self.session.clone()
    }

    fn written_files(&self) -> Vec<String> {
        self.written.clone()
    }

    fn complexity(&self) -> Option<Complexity> {
        self.complexity
    }

    fn handoff(&self) -> Option<String> {
        self.handoff.clone()
    }

    fn project_file(&self, path: &str) -> Option<String> {
        self.text(path).map(str::to_owned)
    }

    fn repository(&self, dir: &str) -> Option<Repository> {
        let around = |(top, _): &(&String, &Repository)| behind(dir, top).is_some();
        self.repositories.iter().filter(around).max_by_key(|(top, _)| top.len()).map(|(_, found)| found.clone())
    }

    fn git_setting(&self, dir: &str, key: &str) -> Option<String> {
        let around = |((top, of), _): &(&(String, String), &String)| of == key && behind(dir, top).is_some();
        self.git_settings.iter().filter(around).max_by_key(|((top, _), _)| top.len()).map(|(_, value)| value.clone())
    }

    fn staged(&self, _dir: &str) -> Option<Vec<String>> {
        self.staged.clone()
    }

    fn status_file(&self, path: &str) -> StatusFile {
        self.text(path).map_or(StatusFile::Missing, |text| StatusFile::Text(text.to_owned()))
    }

    fn origin(&self, _path: &str) -> Origin {
        // The session has written what the test says.
        Origin { of_session: true, began: Some(i64::MIN), ..Origin::default() }
    }

    fn sane(&self) -> sane::State {
        self.sane.clone()
    }

    fn line_count(&self, path: &str) -> Option<u64> {
        self.text(path).map(|text| text.lines().count() as u64)
    }

    fn project_dir_names(&self, path: &str) -> Option<Vec<String>> {
        let mut names: Vec<String> =
            self.below(path).filter_map(|rest| rest.split('/').next()).map(str::to_owned).collect();
        names.dedup();
        (!names.is_empty()).then_some(names)
    }

    fn file_info(&self, path: &str) -> Option<FileInfo> {
        self.text(path).map(|text| FileInfo { modified: self.now.epoch, bytes: text.len() as u64 })
    }
}
