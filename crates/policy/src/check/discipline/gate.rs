//! Evidence before commits and merges: tests that pass, and work that a user has seen.

use super::git::Git;
use super::{Discipline, Missing};
use crate::check::CheckContext;
use crate::check::proof::Proof;
use crate::check::test_run::runner_of;
use crate::evidence::{self, Doubt, ProofState, ProofStatus, StatusFile, TestResult, TestStatus, Writer};
use crate::facts::Facts;
use crate::plan_file;
use crate::repository::{Operation, Repository};
use hook_shell::path::Places;
use hook_shell::resolve::taint::is_literal;

/// A failed run counts as fresh for this long, in seconds.
const FRESH: i64 = 600;

/// Options of `git commit` whose value stands in the next argument, whatever it looks like.
const COMMIT_VALUES: &[&str] = &[
    "-m", "-F", "-C", "-c", "-t", "--message", "--file", "--reuse-message", "--reedit-message", "--template",
    "--author", "--date", "--fixup", "--squash", "--trailer", "--cleanup", "--pathspec-from-file",
];

/// The same of `git merge`.
const MERGE_VALUES: &[&str] =
    &["-m", "-F", "-s", "-X", "--message", "--file", "--strategy", "--strategy-option", "--cleanup", "--into-name"];

/// Whether the call makes a commit of its own, or a merge.
pub(super) fn makes_commit(git: &Git<'_>) -> bool {
    match git.verb.as_str() {
        "commit" => {
            let options = git.options(COMMIT_VALUES);
            let shows = options.has(&["--dry-run", "--short", "--porcelain", "--long"]);
            !shows || options.has(&["--no-dry-run", "--no-short", "--no-porcelain", "--no-long"])
        }
        "merge" => !git.options(MERGE_VALUES).has(&["--abort", "--quit"]),
        _ => false,
    }
}

/// Whether nothing has to be shown: the first commit of a repository, a merge that is being finished, and the host's own directory under
/// version control.
pub(super) fn is_exempt(repository: &Repository, facts: &dyn Facts) -> bool {
    !repository.has_commits || repository.operation == Some(Operation::Merge) || is_meta(repository, facts)
}

/// Whether the repository, or the main one of a worktree, is the host's own directory at home.
fn is_meta(repository: &Repository, facts: &dyn Facts) -> bool {
    let Some(home) = facts.home() else { return false };
    let meta = format!("{}/{}", home.trim_end_matches('/'), facts.host().dir);
    let real = facts.real_path(&meta);
    [&repository.top, &repository.main_top].into_iter().flatten().any(|top| *top == meta || real.as_ref() == Some(top))
}

/// Why a commit on a main branch is refused; `None` if it is none, or may be one.
pub(super) fn on_main(
    git: &Git<'_>,
    repository: &Repository,
    ctx: &CheckContext<'_>,
    added: &[String],
) -> Option<String> {
    let main = &ctx.settings.main_branches;
    let branch = repository.branch().filter(|branch| repository.is_main(branch, main))?;
    if only_plan(git, ctx, added) {
        return None;
    }
    Some(format!(
        "{branch} is the main branch, and commits are made beside it. Make a branch with a working tree of its own and commit there."
    ))
}

/// Whether the commit holds the plan and nothing else.
fn only_plan(git: &Git<'_>, ctx: &CheckContext<'_>, added: &[String]) -> bool {
    let plan = |path: &str| path.trim_start_matches("./") == plan_file::FILE;
    let options = git.options(COMMIT_VALUES);
    let all = options.has(&["-a", "--all", "-p", "--patch", "--interactive", "--amend", "--pathspec-from-file"]);
    if all
        || !options.operands.iter().chain(&added.iter().map(String::as_str).collect::<Vec<_>>()).all(|path| plan(path))
    {
        return false;
    }
    let Some(staged) = git.dir.as_deref().and_then(|dir| ctx.staged(dir)) else { return false };
    let names_some = !staged.is_empty() || !options.operands.is_empty() || !added.is_empty();
    names_some && staged.iter().all(|path| plan(path))
}

/// What `git add` of the line puts into the next commit: its operands, or something that is no plan.
pub(super) fn adds(git: &Git<'_>) -> Vec<String> {
    match git.verb.as_str() {
        "add" | "stage" | "rm" | "mv" => {
            let options = git.options(&["--chmod", "--pathspec-from-file"]);
            let mut paths: Vec<String> = options.operands.iter().map(|path| (*path).to_owned()).collect();
            if paths.is_empty() || paths.iter().any(|path| !is_literal(path)) {
                paths.push("*".to_owned());
            }
            paths
        }
        _ => Vec::new(),
    }
}

/// Why the tests do not speak for a commit or merge.
pub(super) struct Untested {
    pub(super) reason: String,
    /// Another run can change it.
    pub(super) rerun: bool,
}

/// Why the tests do not speak for a commit or merge; `None` if they do.
pub(super) fn tests(
    discipline: &Discipline,
    repository: &Repository,
    places: &Places,
    facts: &dyn Facts,
) -> Option<Untested> {
    let (path, found) = evidence::find(facts, &places.project, Some(repository), TestStatus::PATH);
    let waived = |untested: bool| {
        discipline.missing_test_status == Missing::Allow || discipline.untested_projects == Missing::Allow && untested
    };
    let (reason, rerun) = match found {
        StatusFile::Missing if waived(!has_tests(repository, places, facts)) => return None,
        StatusFile::Missing => (format!("There is no test evidence: {path} is missing."), true),
        StatusFile::Unreadable(what) => {
            (format!("There is no test evidence: {path} cannot be used, {what}. A user has to remove it."), false)
        }
        StatusFile::Text(text) => {
            let status = TestStatus::parse(&text);
            if matches!(status.result, TestResult::Pass | TestResult::Nothing)
                && let Some(doubt) = evidence::doubt(facts, &path, &text, status.epoch, Writer::Runner)
            {
                if waived(!has_tests(repository, places, facts)) {
                    return None;
                }
                return Some(no_evidence("test evidence", &path, &doubt));
            }
            let age = evidence::age(status.epoch, facts.now().epoch);
            let count =
                status.failed.filter(|count| *count > 0).map_or(String::new(), |count| format!(" ({count} failed)"));
            match (status.result, discipline.pass_seconds, age) {
                (TestResult::Pass, 0, _) => return None,
                (TestResult::Pass, most, Some(age)) if age <= i64::from(most) => return None,
                (TestResult::Pass, most, _) => {
                    (format!("The tests passed longer than {most} seconds ago ({path})."), true)
                }
                (TestResult::Fail, _, age) if age.is_none_or(|age| age <= FRESH) => {
                    (format!("Tests are failing{count}, says {path}. Fix them."), true)
                }
                (TestResult::Fail, ..) => {
                    (format!("The last test run failed{count}, and none has passed since ({path})."), true)
                }
                (TestResult::Running, _, age) if age.is_none_or(|age| age <= FRESH) => {
                    (format!("The tests are running. Wait for their result in {path}."), false)
                }
                (TestResult::Running, ..) => {
                    (format!("A test run that began long ago has left no result ({path})."), true)
                }
                (TestResult::Nothing, ..) if waived(true) => return None,
                (TestResult::Nothing, ..) => (format!("The last test run has found no test to run ({path})."), true),
                // What the runner writes where tests could not be run, or have not come to an end.
                (TestResult::Other(word), ..) if word == "error" => (
                    format!("The last test run came to no result ({path}); .test-runner.out beside it says why."),
                    true,
                ),
                (TestResult::Other(word), ..) => {
                    (format!("The test status is {word:?}, neither pass nor fail ({path})."), true)
                }
            }
        }
    };
    Some(Untested { reason, rerun })
}

/// A status file that proves nothing. What git tracks would come back with whatever is written over it.
fn no_evidence(what: &str, path: &str, doubt: &Doubt) -> Untested {
    let way = if doubt.tracked { " A user has to take it out of the repository (`git rm --cached`)." } else { "" };
    let reason = format!("There is no {what}: {path} does not count, because {}.{way}", doubt.why);
    Untested { reason, rerun: !doubt.tracked }
}

/// Whether a project has tests that could be run.
fn has_tests(repository: &Repository, places: &Places, facts: &dyn Facts) -> bool {
    [Some(&places.project), repository.top.as_ref()].into_iter().flatten().any(|dir| runner_of(facts, dir).is_some())
}

/// Why the proof of work does not speak for a commit or merge; `None` if it does. Whether none is recorded that counts stands beside it.
pub(super) fn proof(
    discipline: &Discipline,
    repository: &Repository,
    places: &Places,
    ctx: &CheckContext<'_>,
) -> Option<(String, bool)> {
    let (facts, writer) = (ctx.facts, ctx.settings.proof_writer());
    let said = ctx.settings.proof.as_ref().and_then(Proof::named);
    let said = said.map_or_else(|| "they run".to_owned(), |said| format!("they answer {said}, or run"));
    let how = format!("Show the user what was done and ask: {said} `hookbin proof verify` at a terminal.");
    let (path, found) = evidence::find(facts, &places.project, Some(repository), ProofStatus::PATH);
    let reason = match found {
        StatusFile::Missing if discipline.missing_proof_status == Missing::Allow => return None,
        StatusFile::Missing => return Some((format!("There is no proof of work: {path} is missing. {how}"), true)),
        StatusFile::Unreadable(what) => {
            format!("There is no proof of work: {path} cannot be used, {what}. A user has to remove it. {how}")
        }
        StatusFile::Text(text) => match ProofStatus::parse(&text) {
            ProofStatus { state: ProofState::Verified, epoch } => {
                let doubt = evidence::doubt(facts, &path, &text, epoch, writer)?;
                let untold = no_evidence("proof of work", &path, &doubt);
                return Some((format!("{} {how}", untold.reason), untold.rerun));
            }
            ProofStatus { state: ProofState::Pending, .. } => {
                format!("The work is not verified yet ({path} says pending). {how}")
            }
            ProofStatus { state: ProofState::Other(word), .. } => {
                format!("The proof of work is {word:?}, not verified ({path}). {how}")
            }
        },
    };
    Some((reason, false))
}
