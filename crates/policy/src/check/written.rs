//! What a call of a file tool writes, as the checks around writing see it, and the files that the documents keep in `.claude`.

use hook_protocol::act::Act;
use hook_protocol::event::Event;
use hook_protocol::host::OWN_DIR;
use hook_protocol::tool::{ToolInput, ToolUse};

use super::CheckContext;
use crate::call::places;
use crate::effect::{Effect, StatusFileEdit};
use crate::evidence::{ProofState, ProofStatus, StatusFile, TestResult, TestStatus, age, doubt, find};
use crate::facts::Facts;
use crate::repository::Repository;
use crate::source::{self, Class};
use hook_shell::path::Places;

/// The most files of one call that checks look at.
const MOST_WRITTEN: usize = 256;

/// A file that a call writes.
pub(crate) struct Written {
    /// Absolute, by its text alone.
    pub(crate) path: String,
    pub(crate) class: Class,
    /// All of the new content, or the texts that an edit puts in.
    pub(crate) text: String,
    /// The call replaces the whole file.
    pub(crate) whole: bool,
    pub(crate) places: Places,
}

impl Written {
    /// The files that the event's call writes. Of most calls that is one; a patch can have many.
    pub(crate) fn all(ctx: &CheckContext<'_>) -> Vec<Self> {
        let Some(tool) = ctx.event.tool() else { return Vec::new() };
        if let Some(one) = Self::of(&tool, ctx) {
            return vec![one];
        }
        // What a server's tools call their parameters is its own affair.
        if tool.mcp().is_some() || tool.native().is_some_and(|kind| !kind.changes_file()) {
            return Vec::new();
        }
        let around = places(ctx.event, ctx.facts);
        let written = |act| {
            let Act::Write { path, content, whole, dir } = act else { return None };
            let elsewhere = dir.and_then(|dir| Places::absolute(&dir, Some(&around.cwd)));
            let places = elsewhere.map_or_else(|| around.clone(), |cwd| Places { cwd, ..around.clone() });
            let path = source::absolute(&path, &places);
            Some(Self { text: content.unwrap_or_default(), whole, ..Self::at(path, &places) })
        };
        tool.acts().acts.into_iter().filter_map(written).take(MOST_WRITTEN).collect()
    }

    /// What the call of a file tool writes; `None` for other calls.
    fn of(tool: &ToolUse<'_>, ctx: &CheckContext<'_>) -> Option<Self> {
        let path = tool.touched_path()?;
        let places = places(ctx.event, ctx.facts);
        let path = source::absolute(&path, &places);
        let class = source::classify(&path, &places);
        let (text, whole) = match tool.parsed_as_native() {
            ToolInput::Write(input) => (input.content.map(|text| text.as_str().into_owned()).unwrap_or_default(), true),
            ToolInput::Edit(input) => {
                let steps = input.edits.iter().flatten().filter_map(|step| step.new_string.as_ref());
                let texts: Vec<_> = input.new_string.iter().chain(steps).map(|text| text.as_str()).collect();
                (texts.join("\n"), false)
            }
            ToolInput::NotebookEdit(input) => {
                (input.new_source.map(|text| text.as_str().into_owned()).unwrap_or_default(), false)
            }
            _ => return None,
        };
        Some(Self { path, class, text, whole, places })
    }

    /// A file that something else than a file tool has changed, without its text.
    pub(crate) fn at(path: String, places: &Places) -> Self {
        let class = source::classify(&path, places);
        Self { path, class, text: String::new(), whole: false, places: places.clone() }
    }

    /// The path as people of the project name it, on one line.
    pub(crate) fn shown(&self) -> String {
        crate::template::on_one_line(source::shown(&self.path, &self.places))
    }

    pub(crate) fn extension(&self) -> &str {
        self.path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, extension)| extension)
    }

    /// The repository that the file lies in.
    pub(crate) fn repository(&self, facts: &dyn Facts) -> Option<Repository> {
        facts.repository(dir(&self.path))
    }

    /// The directory whose tests and test status the file counts for: a linked working tree has its own, and so has another repository;
    /// else it is the project's.
    pub(crate) fn root(&self, facts: &dyn Facts) -> String {
        let inside = hook_shell::path::below(&self.path, &self.places.project).is_some();
        root_of(self.repository(facts).as_ref(), inside, &self.places)
    }

    pub(crate) fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// The file's text after the call: an edit has been made by then.
    pub(crate) fn text_after(&self, facts: &dyn Facts) -> Option<String> {
        if self.whole { Some(self.text.clone()) } else { facts.written_file(&self.path) }
    }
}

/// The directory whose tests and test status count for a repository that lies inside or outside the project; see [`Written::root`].
pub(crate) fn root_of(repository: Option<&Repository>, inside: bool, places: &Places) -> String {
    let other = repository.filter(|repository| repository.is_worktree || !inside);
    other.and_then(|repository| repository.top.clone()).unwrap_or_else(|| places.project.clone())
}

/// A file of the documents, in `.claude` of the project; `None` when it cannot be read.
pub(crate) fn note_file(facts: &dyn Facts, file: &str) -> Option<String> {
    facts.project_file(&format!("{OWN_DIR}/{file}"))
}

/// The directory of a file.
pub(crate) fn dir(file: &str) -> &str {
    match file.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((dir, _)) => dir,
        None => ".",
    }
}

/// The last test run that counts for a repository; `None` where none is recorded, or where its record cannot be read.
pub(crate) fn tests(facts: &dyn Facts, repository: Option<&Repository>) -> Option<TestStatus> {
    match find(facts, &facts.project()?, repository, TestStatus::PATH) {
        (_, StatusFile::Text(text)) => Some(TestStatus::parse(&text)),
        (_, StatusFile::Missing | StatusFile::Unreadable(_)) => None,
    }
}

/// The same for the project's own repository.
pub(crate) fn project_tests(facts: &dyn Facts) -> Option<TestStatus> {
    tests(facts, project_repository(facts).as_ref())
}

/// The repository that the project lies in.
pub(crate) fn project_repository(facts: &dyn Facts) -> Option<Repository> {
    facts.repository(&facts.project()?)
}

/// Whether a run failed within these seconds.
pub(crate) fn fails_since(facts: &dyn Facts, status: &TestStatus, seconds: u32) -> bool {
    let fresh = age(status.epoch, facts.now().epoch).is_some_and(|age| age <= i64::from(seconds));
    status.result == TestResult::Fail && fresh
}

/// What a test run came to, in words.
pub(crate) fn result_words(status: &TestStatus) -> String {
    match (&status.result, status.failed) {
        (TestResult::Pass, _) => "tests pass".to_owned(),
        (TestResult::Fail, None | Some(0)) => "tests fail".to_owned(),
        (TestResult::Fail, Some(1)) => "1 test fails".to_owned(),
        (TestResult::Fail, Some(count)) => format!("{count} tests fail"),
        (TestResult::Running, _) => "tests are running".to_owned(),
        (TestResult::Nothing, _) => "there are no tests".to_owned(),
        (TestResult::Other(_), _) => "tests could not be run".to_owned(),
    }
}

/// The proof of work that counts for the project; `None` where none is recorded.
pub(crate) fn proof(facts: &dyn Facts) -> Option<ProofState> {
    let repository = project_repository(facts);
    match find(facts, &facts.project()?, repository.as_ref(), ProofStatus::PATH).1 {
        StatusFile::Missing => None,
        StatusFile::Unreadable(what) => Some(ProofState::Other(what)),
        StatusFile::Text(text) => Some(ProofStatus::parse(&text).state),
    }
}

/// The same where it opens something: one that proves nothing is none.
pub(crate) fn counted_proof(ctx: &CheckContext<'_>) -> Option<ProofState> {
    let facts = ctx.facts;
    let repository = project_repository(facts);
    let (path, found) = find(facts, &facts.project()?, repository.as_ref(), ProofStatus::PATH);
    let StatusFile::Text(text) = found else { return proof(facts) };
    let status = ProofStatus::parse(&text);
    let is_doubtful = status.state == ProofState::Verified
        && doubt(facts, &path, &text, status.epoch, ctx.settings.proof_writer()).is_some();
    (!is_doubtful).then_some(status.state)
}

/// The branch that is checked out in the project, if it is a main one.
pub(crate) fn main_branch(ctx: &CheckContext<'_>) -> Option<String> {
    let repository = project_repository(ctx.facts)?;
    let branch = repository.branch()?;
    repository.is_main(branch, &ctx.settings.main_branches).then(|| branch.to_owned())
}

/// The effect that edits a status file.
pub(crate) fn edited(edit: StatusFileEdit) -> Effect {
    Effect::StatusFile(edit)
}

/// Gives a file of the documents one line as its content.
pub(crate) fn put(file: impl Into<String>, line: &str) -> Effect {
    edited(StatusFileEdit::Put { file: file.into(), text: format!("{line}\n") })
}

/// A line of `.audit-log`: time, event and detail.
pub(crate) fn audit(facts: &dyn Facts, event: &str, detail: &str) -> Effect {
    let stamp = facts.now().stamp.replace(' ', "T");
    let detail = crate::template::on_one_line(detail).replace('|', "/");
    edited(StatusFileEdit::Add { file: ".audit-log".to_owned(), line: format!("{stamp}Z|{event}|{detail}") })
}

/// The strikes of a gate: `count|epoch`. Anything else is none.
pub(crate) fn strikes(facts: &dyn Facts, gate: &str) -> (u32, i64) {
    let read = || {
        let text = note_file(facts, &format!(".{gate}-strikes"))?;
        let (count, epoch) = text.trim().split_once('|')?;
        Some((count.trim().parse().ok()?, epoch.trim().parse().ok()?))
    };
    read().unwrap_or_default()
}

/// The name of the file that lists what the session has changed.
pub(crate) fn changes_file(facts: &dyn Facts) -> String {
    format!(".session-changes-{}", facts.session_name())
}

/// The files that the session has changed, each once, in order.
pub(crate) fn session_changes(facts: &dyn Facts) -> Vec<String> {
    let text = note_file(facts, &changes_file(facts)).unwrap_or_default();
    let mut seen = std::collections::BTreeSet::new();
    text.lines().filter(|line| !line.is_empty() && seen.insert(*line)).map(str::to_owned).collect()
}

/// Whether the event comes from the session's own agent and not from a stop that a hook has already held up.
pub(crate) fn first_stop(event: &Event<'_>) -> bool {
    !event.stop_hook_active()
}
