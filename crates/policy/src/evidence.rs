//! The status files that say whether tests pass and whether a user has seen the work: how their text is read.

use hook_protocol::own_path;

use crate::facts::Facts;
use crate::repository::Repository;
use hook_shell::path::below;

/// What stands in the place of a status file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StatusFile {
    /// Nothing.
    #[default]
    Missing,
    /// Something that is no plain file, or cannot be read: a directory, a link, a file of more than a few lines. The words say what.
    Unreadable(String),
    /// Its text.
    Text(String),
}

/// The result of the last test run: `result|fail_count|epoch`, or `result|epoch`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestStatus {
    /// What the run said.
    pub result: TestResult,
    /// How many tests failed, if the file says so.
    pub failed: Option<u64>,
    /// When it ended, in seconds since 1970.
    pub epoch: Option<i64>,
}

/// What a test run said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestResult {
    /// All tests pass.
    Pass,
    /// Some fail.
    Fail,
    /// A run goes on: `running`, which the test runner writes when it begins.
    Running,
    /// The runner has found no test to run: `untested`.
    Nothing,
    /// Another word, or a word that was cut off.
    Other(String),
}

/// Whether a user has seen the work: `status|epoch`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofStatus {
    /// What it says.
    pub state: ProofState,
    /// Since when, in seconds since 1970.
    pub epoch: Option<i64>,
}

/// The states of the proof of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofState {
    /// A user has confirmed it.
    Verified,
    /// It waits for a user.
    Pending,
    /// Another word, or a word that was cut off.
    Other(String),
}

impl TestStatus {
    /// The path of the file below the top of a project or working tree.
    pub const PATH: &str = own_path!(".test-status");

    /// Reads the text of the file. Line ends of any kind, blanks and capitals do not matter; fields that are missing or no numbers are
    /// left out. An empty text has the result `Other("")`.
    pub fn parse(text: &str) -> Self {
        let (word, fields) = fields(text);
        let result = match word.as_str() {
            "pass" => TestResult::Pass,
            "fail" => TestResult::Fail,
            "running" => TestResult::Running,
            "untested" => TestResult::Nothing,
            _ => TestResult::Other(word),
        };
        let (failed, epoch) = match fields.as_slice() {
            [] => (None, None),
            [epoch] => (None, *epoch),
            [failed, epoch, ..] => (failed.and_then(|count| u64::try_from(count).ok()), *epoch),
        };
        Self { result, failed, epoch }
    }
}

impl ProofStatus {
    /// The path of the file below the top of a project or working tree.
    pub const PATH: &str = own_path!(".proof-status");

    /// Reads the text of the file, as leniently as [`TestStatus::parse`].
    pub fn parse(text: &str) -> Self {
        let (word, fields) = fields(text);
        let state = match word.as_str() {
            "verified" => ProofState::Verified,
            "pending" | "needs-verification" => ProofState::Pending,
            _ => ProofState::Other(word),
        };
        Self { state, epoch: fields.first().copied().flatten() }
    }
}

/// Where a status file comes from, as far as the caller can tell. By itself such a file proves nothing: a repository can bring one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// Git has the file in its index, so that it came with the repository, or comes back with a checkout; also where nobody can tell.
    pub tracked: bool,
    /// It says of itself that it was changed at a moment that has not come yet.
    pub future: bool,
    /// It was changed after this session began.
    pub of_session: bool,
    /// When this session began, in seconds since 1970 by the clock of [`Facts::now`]; `None` where it is not known.
    pub began: Option<i64>,
    /// It was changed while a call of this session ran whose text names the file, or a directory that holds it, as what it writes.
    pub by_call: bool,
}

/// Whether a status file says what was recorded of it where no project and no agent writes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kept {
    /// Nothing is recorded, or something else.
    #[default]
    No,
    /// It does, and no file of the working tree has changed since.
    Here,
    /// It does, and the working tree is no longer the same, or nobody can tell.
    OtherTree,
}

/// A call of a session that may write status files: the path that it names as what it writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// A status file, or a directory that may hold some.
    pub path: String,
    /// How long the call took, in milliseconds, if the host says it.
    pub millis: Option<u64>,
    /// It goes on after its end.
    pub goes_on: bool,
}

/// How far ahead of this machine's clock another may date what it writes, in seconds.
const AHEAD: i64 = 60;

/// Why a status file proves nothing.
pub(crate) struct Doubt {
    /// In words that follow on "because".
    pub(crate) why: String,
    /// It came with the repository, and would come again.
    pub(crate) tracked: bool,
}

/// Who may write a status file besides hookbin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writer {
    /// Nobody.
    Nobody,
    /// A test runner of the project's own.
    Runner,
    /// The agent as well, by a setting of the user's.
    Agent,
}

/// Why a status file, whose text names this moment, proves nothing; `None` if it counts. Asked only where it would open a gate.
///
/// What the guard has recorded itself, or a user by its commands, counts in its own session, and later as long as the working tree is
/// the same. Where others may write the file too, it counts in its session without such a record, but not where a call of the agent wrote it.
pub(crate) fn doubt(facts: &dyn Facts, path: &str, text: &str, epoch: Option<i64>, writer: Writer) -> Option<Doubt> {
    let doubt = |why: &str| Some(Doubt { why: why.to_owned(), tracked: false });
    let origin = facts.origin(path);
    if origin.tracked {
        return Some(Doubt { why: "git tracks it, so it came with the repository".to_owned(), tracked: true });
    }
    let Some(epoch) = epoch else { return doubt("it does not say when it was recorded") };
    if origin.future || epoch > facts.now().epoch.saturating_add(AHEAD) {
        return doubt("it is dated in the future");
    }
    let by_call = origin.by_call && writer != Writer::Agent;
    let of_session = origin.of_session && origin.began.is_some_and(|began| epoch >= began);
    if of_session && !by_call && writer != Writer::Nobody {
        return None;
    }
    match facts.kept(path, text) {
        Kept::Here => None,
        Kept::OtherTree if of_session => None,
        Kept::OtherTree => doubt("files have changed since, and it was recorded before this session"),
        Kept::No if by_call => doubt("a call of this session may have written it"),
        Kept::No if of_session => doubt("hookbin did not record it"),
        Kept::No => doubt("it is older than this session, and not of hookbin's own record"),
    }
}

/// The status file at `name` that counts for a repository, and its path. Of several the first that is there; if none is, the first of
/// the places.
pub(crate) fn find(
    facts: &dyn Facts,
    project: &str,
    repository: Option<&Repository>,
    name: &str,
) -> (String, StatusFile) {
    let dirs = dirs(facts, project, repository);
    let mut paths = dirs.iter().map(|top| format!("{}/{name}", top.trim_end_matches('/')));
    let first = paths.next().unwrap_or_else(|| name.to_owned());
    match facts.status_file(&first) {
        StatusFile::Missing => {}
        found => return (first, found),
    }
    for path in paths {
        match facts.status_file(&path) {
            StatusFile::Missing => {}
            found => return (path, found),
        }
    }
    (first, StatusFile::Missing)
}

/// The directories whose status files count for a repository, in order: that of the project if the project lies in the working tree, that
/// of the working tree, that of the main one, which linked working trees share, and at last that of a project which the repository is
/// a part of.
pub(crate) fn dirs(facts: &dyn Facts, project: &str, repository: Option<&Repository>) -> Vec<String> {
    let real = facts.real_path(project).unwrap_or_else(|| project.to_owned());
    let Some(repository) = repository else { return vec![real] };
    let is_in = |path: &str, dir: &str| path == dir || below(path, dir).is_some();
    let mut tops: Vec<String> = Vec::new();
    if repository.top.as_deref().is_some_and(|top| is_in(&real, top)) {
        tops.push(real.clone());
    }
    tops.extend(repository.top.clone());
    tops.extend(repository.main_top.clone());
    let is_part = repository.top.as_deref().is_some_and(|top| is_in(top, &real))
        || repository.main_top.as_deref().is_some_and(|main| is_in(&real, main));
    if is_part && !tops.contains(&real) {
        tops.push(real);
    }
    tops
}

/// Seconds between `epoch` and `now`. A moment in the future, as a wrong clock leaves behind, counts as this one.
pub fn age(epoch: Option<i64>, now: i64) -> Option<i64> {
    epoch.map(|epoch| now.saturating_sub(epoch).max(0))
}

/// The first field in lower case, and the others as numbers.
fn fields(text: &str) -> (String, Vec<Option<i64>>) {
    let line = text.trim_start_matches('\u{FEFF}').lines().map(str::trim).find(|line| !line.is_empty());
    let mut fields = line.unwrap_or_default().split('|').map(str::trim);
    let word = fields.next().unwrap_or_default().chars().take(40).collect::<String>().to_ascii_lowercase();
    (word, fields.map(|field| field.parse().ok()).collect())
}
