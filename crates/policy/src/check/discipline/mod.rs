//! `discipline`: a team's working agreements about git and temporary files.
//!
//! What can be put right without changing what is meant is rewritten: writes to `/tmp`, forced pushes, the removal of a worktree from
//! within. The rewritten line is looked at again as if the agent had sent it, by all agreements and by all rules. What cannot be put
//! right for certain is refused, with the right command where there is one.

mod gate;
mod git;
mod push;
mod temp;
mod worktree;

use hook_protocol::native::NativeTool;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use self::git::{Git, Line};
use self::temp::Folders;
use super::guard::Strictness;
use super::track::PROOF;
use super::written::{put, root_of};
use super::{Question, Step};
use crate::call;
use crate::effect::{Effect, FileChange, ProjectFile};
use crate::evidence::folders;
use crate::finding::Finding;
use crate::repository::Repository;
use crate::rule::{Broken, all_broken};
use crate::verdict::Verdict;
use hook_shell::edit::{Edit, Text, apply};
use hook_shell::programs::Tool;
use hook_shell::resolve::{Effects, Run, quoted};

/// Rounds of putting a line right; each kind of change needs one at most.
const ROUNDS: usize = 4;

/// The names of what can be refused, which `severity` may name.
const RULES: &[&str] = &["temp-files", "main-branch", "forced-push", "lost-work", "worktree-removal", "tests", "proof"];

/// A rule and why it changes a line.
type Why = (&'static str, &'static str);

/// Why a write to a folder for temporary files is changed.
const MOVED: Why = ("temp-files", "Temporary files belong into the project's own folder, not into /tmp.");

/// Settings of `discipline`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Discipline {
    /// What happens to a line that can be put right.
    pub rewrite: Rewriting,
    /// Folders for temporary files that are replaced by the project's own; none leaves them alone.
    pub temp_folders: Vec<String>,
    /// The project's own folder for temporary files, relative to the project.
    pub project_temp: String,
    /// A commit without a test status.
    pub missing_test_status: Missing,
    /// A commit without a test status in a project that has no tests that could be found.
    pub untested_projects: Missing,
    /// Seconds for which passed tests count; 0 for as long as nothing else is recorded.
    pub pass_seconds: u32,
    /// A commit without a proof of work.
    pub missing_proof_status: Missing,
    /// Other strictness for a refusal, by the name of its rule.
    pub severity: BTreeMap<String, Strictness>,
}

/// What happens to a line that can be put right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Rewriting {
    /// It is rewritten.
    #[default]
    Rewrite,
    /// It is refused, and the right line named.
    DenyWithSuggestion,
}

/// What a status file that is missing means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// The call is refused.
    #[default]
    Deny,
    /// It is let through.
    Allow,
}

impl Default for Discipline {
    fn default() -> Self {
        Self {
            rewrite: Rewriting::Rewrite,
            temp_folders: vec!["/tmp".to_owned(), "/private/tmp".to_owned()],
            project_temp: "tmp".to_owned(),
            missing_test_status: Missing::Deny,
            untested_projects: Missing::Allow,
            pass_seconds: 0,
            missing_proof_status: Missing::Deny,
            severity: BTreeMap::new(),
        }
    }
}

/// What a line has against it.
struct Refusal {
    rule: &'static str,
    reason: String,
    suggestion: Option<String>,
    /// It only happens if a word means what it looks like.
    doubtful: bool,
    /// What follows from it.
    effects: Vec<Effect>,
}

impl Refusal {
    fn of(run: &Run, rule: &'static str, reason: impl Into<String>, suggestion: Option<String>) -> Self {
        Self { rule, reason: reason.into(), suggestion, doubtful: run.stand.doubtful, effects: Vec::new() }
    }
}

/// What a look at a line found.
#[derive(Default)]
struct Looked {
    /// The first thing against it, in the order of the document.
    refused: Option<Refusal>,
    /// The line put right, and why.
    better: Option<(String, Vec<Why>)>,
}

/// The folder of worktrees that refusals suggest.
const WORKTREES: &str = ".worktrees";

/// Keeps a folder of the project that is not there yet out of the repository.
fn keep_out(folder: &str, question: &Question<'_>) -> Option<Effect> {
    question.facts.project_dir_names(folder).is_none().then(|| {
        Effect::File(ProjectFile {
            folder: folder.to_owned(),
            name: ".gitignore".to_owned(),
            change: FileChange::Put("*\n".to_owned()),
        })
    })
}

impl Step for Discipline {
    fn ask(&self, question: &Question<'_>) -> Option<Finding> {
        let tool = question.event.tool()?;
        let command = tool.command().filter(|_| tool.native() != Some(NativeTool::PowerShell))?;
        let mut looked = self.look(&command, question.report(), question)?;
        let mut line = command.clone().into_owned();
        let mut why: Vec<Why> = Vec::new();
        for _ in 0..ROUNDS {
            if let Some(refused) = looked.refused {
                return Some(self.refuse(refused, question));
            }
            let Some((better, reasons)) = looked.better else { break };
            let report = call::report_of(&better, question.event, question.facts);
            if !is_same_work(question.report(), &report) || breaks_more(question.broken(), &report) {
                return reasons.first().map(|(rule, reason)| refusal(rule, reason, None));
            }
            why.extend(reasons);
            looked = self.look(&better, &report, question).unwrap_or_default();
            line = better;
        }
        if why.is_empty() {
            // What is suggested below has its worktrees there.
            let is_needed = command.contains("worktree") && command.contains(WORKTREES);
            return is_needed.then(|| Finding::default().with(keep_out(WORKTREES, question)));
        }
        let rule = why.first()?.0;
        if looked.better.is_some() {
            // A line that never comes to rest is not put right.
            return why.first().map(|(rule, reason)| refusal(rule, reason, None));
        }
        match self.rewrite {
            Rewriting::Rewrite => {
                // The model looks for files where it thinks that it has written them.
                let said = format!("The command runs changed. {}", told(&why));
                let moved = why.contains(&MOVED);
                let own = self.own_temp(question);
                let said = if moved { format!("{said} They are in {own}.") } else { said };
                Some(Finding { rewrite: Some(line), ..Finding::advice(said) }.with(self.keep_temp(moved, question)))
            }
            Rewriting::DenyWithSuggestion => Some(refusal(rule, &told(&why), Some(line))),
        }
    }

    fn fault(&self) -> Option<String> {
        if let Some(name) = self.severity.keys().find(|name| !RULES.contains(&name.as_str())) {
            return Some(format!("`severity` names `{name}`, which is none of {}", RULES.join(", ")));
        }
        let folder = self.temp_folders.iter().find(|folder| !folder.starts_with('/') || folder.len() < 2)?;
        Some(format!("`temp_folders` names {folder:?}, which is no absolute folder"))
    }
}

impl Discipline {
    /// The project's own folder for temporary files.
    fn own_temp(&self, question: &Question<'_>) -> String {
        let places = call::places(question.event, question.facts);
        format!("{}/{}", places.project.trim_end_matches('/'), self.project_temp)
    }

    /// A folder that comes to be only because a line was changed stays out of the repository.
    fn keep_temp(&self, moved: bool, question: &Question<'_>) -> Option<Effect> {
        let plain = !self.project_temp.starts_with('/') && !self.project_temp.split('/').any(|part| part == "..");
        if moved && plain { keep_out(&self.project_temp, question) } else { None }
    }

    /// Looks at a line; `None` if there is nothing to say.
    fn look(&self, command: &str, report: &Effects, question: &Question<'_>) -> Option<Looked> {
        let has_git = report.runs.iter().any(|run| run.tool() == Tool::Git || run.program.starts_with("git-"));
        let places = call::places(question.event, question.facts);
        let folders = Folders {
            of_host: question.facts.host().temp_dirs,
            temp: &self.temp_folders,
            own: self.own_temp(question),
            scratch: question.event.common.scratchpad_dir.as_ref().map(|path| path.as_str().into_owned()),
        };
        let written = temp::written(report, &places, &folders);
        if !has_git && written.is_empty() {
            return None;
        }
        let text = Text::new(command);
        if !written.is_empty() {
            return Some(self.move_temp(&text, &written, &folders, question));
        }
        Some(self.look_at_git(&text, report, question))
    }

    fn move_temp(&self, text: &Text<'_>, written: &[String], folders: &Folders<'_>, question: &Question<'_>) -> Looked {
        let is_clean = |line: &String| {
            let report = call::report_of(line, question.event, question.facts);
            let places = call::places(question.event, question.facts);
            is_same_work(question.report(), &report) && temp::written(&report, &places, folders).is_empty()
        };
        let leads = |path: &String| folders.leads_elsewhere(path, question.facts);
        if let Some(link) = written.iter().find_map(leads) {
            let link = hook_shell::resolve::shown(&link);
            let reason = format!(
                "{} Their place there, {link}, is reached through a link that leads elsewhere; remove the link.",
                MOVED.1
            );
            return Looked { refused: Some(moved(reason, None)), better: None };
        }
        for with_parents in [false, true] {
            let better = apply(text.source, temp::edits(text, written, folders, with_parents));
            if let Some(better) = better.filter(|better| better != text.source).filter(is_clean) {
                return Looked { better: Some((better, vec![MOVED])), refused: None };
            }
        }
        let named = written.first().map(String::as_str).unwrap_or_default();
        let suggestion = temp::everywhere(text.source, folders).filter(|line| {
            let report = call::report_of(line, question.event, question.facts);
            is_clean(line) && self.passes(line, &report, question)
        });
        let named = hook_shell::resolve::shown(named);
        let reason = format!("{} This writes {named}; use {} instead.", MOVED.1, folders.own);
        Looked { refused: Some(moved(reason, suggestion)), better: None }
    }

    fn look_at_git(&self, text: &Text<'_>, report: &Effects, question: &Question<'_>) -> Looked {
        let mut line = Line::new(question.event, question.facts);
        let mut refusals: Vec<(u8, Refusal)> = Vec::new();
        let mut edits = Vec::new();
        let mut why: Vec<Why> = Vec::new();
        let mut added: Vec<String> = Vec::new();
        for run in &report.runs {
            let Some(git) = Git::read(run, &line) else { continue };
            match git.verb.as_str() {
                "push" => {
                    let repository = line.repository(&git);
                    match push(&git, repository.as_ref(), text, question) {
                        Pushed::Fine => {}
                        Pushed::Better(changes) => {
                            edits.extend(changes);
                            why.push(("forced-push", "A forced push overwrites what others have pushed in between; --force-with-lease does not."));
                        }
                        Pushed::Refused(refusal) => refusals.push((3, refusal)),
                    }
                }
                "reset" | "clean" | "branch" => refusals.extend(destruction(&git).map(|refusal| (4, refusal))),
                "worktree" if !run.stand.remote => {
                    if let Some(repository) = line.repository(&git).filter(|found| worktree::needs_main(&git, found)) {
                        const WHY: Why = (
                            "worktree-removal",
                            "A worktree is removed from the main one, so that nobody stands in a folder that is gone.",
                        );
                        match worktree::edits(&git, &repository, text) {
                            Some(changes) => {
                                edits.extend(changes);
                                why.push(WHY);
                            }
                            None => refusals.push((5, Refusal::of(run, WHY.0, WHY.1, None))),
                        }
                    }
                }
                "commit" | "merge" if !run.stand.remote && gate::makes_commit(&git) => {
                    if let Some(repository) = line.repository(&git) {
                        refusals.extend(self.commit(&git, &repository, question, &added));
                    }
                }
                _ => added.extend(gate::adds(&git)),
            }
            line.follow(&git);
        }
        refusals.retain_mut(|(_, refusal)| match self.severity.get(refusal.rule) {
            Some(Strictness::Off) => false,
            other => {
                refusal.doubtful |= other == Some(&Strictness::Ask);
                true
            }
        });
        refusals.sort_by_key(|(order, refusal)| (refusal.doubtful, *order));
        let refused = refusals.into_iter().next().map(|(_, refusal)| refusal);
        let better = apply(text.source, edits).filter(|better| better != text.source);
        Looked { refused, better: better.map(|better| (better, why)) }
    }

    /// What stands against a commit or a merge: 2 the main branch, 6 and 7 the tests, 8 the proof.
    fn commit(
        &self,
        git: &Git<'_>,
        repository: &Repository,
        question: &Question<'_>,
        added: &[String],
    ) -> Option<(u8, Refusal)> {
        let facts = question.facts;
        if gate::is_exempt(repository, facts) {
            return None;
        }
        if git.verb == "commit"
            && let Some(reason) = gate::on_main(git, repository, question, added)
        {
            return Some((2, Refusal::of(git.run, "main-branch", reason, beside_main(repository))));
        }
        let places = call::places(question.event, facts);
        if let Some(untested) = gate::tests(self, repository, &places, facts) {
            let inside = repository.top.as_ref().is_some_and(|top| {
                hook_shell::path::below(top, &places.project).is_some()
                    || hook_shell::path::below(&places.project, top).is_some()
            });
            let root = root_of(Some(repository), inside, &places);
            let tests = question.settings.tests.as_ref().filter(|_| untested.rerun);
            let run = tests.and_then(|tests| tests.start(facts, root.clone()));
            let reason = match (&run, untested.rerun) {
                (Some(_), _) if !facts.starts_programs(&root) => format!(
                    "{} They cannot be started, because the programs of {root} are not trusted. A person has to run `hookbin trust` there.",
                    untested.reason
                ),
                // Nothing else could start them where what was changed is no code, or was changed by an earlier session.
                (Some(_), _) if !question.starts_nothing.get() => {
                    format!("{} The tests are started now; try again when that file says pass.", untested.reason)
                }
                (_, true) => format!("{} Let the tests run first.", untested.reason),
                (_, false) => untested.reason,
            };
            let refusal = Refusal { effects: run.into_iter().collect(), ..Refusal::of(git.run, "tests", reason, None) };
            return Some((6, refusal));
        }
        let (reason, missing) = gate::proof(self, repository, &places, question)?;
        let project = facts.real_path(&places.project).unwrap_or_else(|| places.project.clone());
        // From now on it waits for the person's word, whatever the work was.
        let waits = missing && folders(facts, &places.project, Some(repository)).contains(&project);
        let waits = waits.then(|| put(PROOF, &format!("pending|{}", facts.now().epoch)));
        let effects = waits.into_iter().chain([Effect::Asked(true)]).collect();
        Some((8, Refusal { effects, ..Refusal::of(git.run, "proof", reason, None) }))
    }

    /// Whether nothing at all is said about a line, by the agreements and by the rules beyond what the original breaks.
    fn passes(&self, line: &str, report: &Effects, question: &Question<'_>) -> bool {
        let looked = self.look(line, report, question).unwrap_or_default();
        looked.refused.is_none() && looked.better.is_none() && !breaks_more(&[], report)
    }

    /// A refusal whose suggestion is one that passes itself.
    fn refuse(&self, refused: Refusal, question: &Question<'_>) -> Finding {
        let suggestion = refused.suggestion.filter(|line| {
            let report = call::report_of(line, question.event, question.facts);
            self.passes(line, &report, question)
        });
        let mut finding = refusal(refused.rule, &refused.reason, suggestion).with(refused.effects);
        if refused.doubtful {
            finding.verdict = Some(Verdict::Ask);
        }
        finding
    }
}

/// What is said about a push.
enum Pushed {
    Fine,
    Better(Vec<Edit>),
    Refused(Refusal),
}

/// What stands against a push, or how it is put right.
fn push(git: &Git<'_>, repository: Option<&Repository>, text: &Text<'_>, question: &Question<'_>) -> Pushed {
    let Some(push) = push::read(git, repository, &question.settings.main_branches, question.facts) else {
        return Pushed::Fine;
    };
    if push.hits_main {
        let reason = if push.removes {
            "This removes or replaces the main branch of the remote."
        } else {
            "This overwrites the main branch of the remote, and with it what others have pushed."
        };
        return Pushed::Refused(Refusal::of(git.run, "forced-push", reason, push.plain));
    }
    if !push.forced {
        return Pushed::Fine;
    }
    let changes = push::edits(git, text);
    if push.is_uncertain || changes.is_empty() || git.run.stand.doubtful {
        let reason =
            "A forced push overwrites what others have pushed in between, and which branch this is for cannot be told.";
        let reason =
            if push.is_uncertain { reason } else { "A forced push overwrites what others have pushed in between." };
        let careful = push.careful.or_else(|| apply(text.source, changes));
        return Pushed::Refused(Refusal::of(git.run, "forced-push", reason, careful));
    }
    Pushed::Better(changes)
}

/// What throws away work that nothing brings back, with the way that keeps it (check 4 of the document).
fn destruction(git: &Git<'_>) -> Option<Refusal> {
    let options = git.options(&["-e", "--exclude", "--pathspec-from-file", "-u", "--set-upstream-to", "--contains"]);
    let (reason, suggestion) = match git.verb.as_str() {
        "reset" if options.has(&["--hard"]) => (
            "`git reset --hard` throws away changes that no commit holds. Put them aside first.",
            "git stash push --include-untracked".to_owned(),
        ),
        "clean" => {
            let unforced = git.settings.iter().any(|(key, value)| key == "clean.requireforce" && value == "false");
            let forced = options.has(&["-f", "--force"]) || unforced;
            let shows = options.has(&["-n", "--dry-run"]) && !options.has(&["--no-dry-run"]);
            if !forced || shows || options.has(&["-i", "--interactive"]) {
                return None;
            }
            (
                "`git clean -f` removes files that git cannot bring back. See first which they are.",
                "git clean -n -d".to_owned(),
            )
        }
        "branch" => {
            let deletes = options.has(&["-d", "--delete"]);
            if !(options.has(&["-D"]) || deletes && options.has(&["-f", "--force"])) {
                return None;
            }
            let names: Vec<String> = options.operands.iter().map(|name| quoted(name)).collect();
            (
                "This removes a branch, merged or not. `-d` removes one only if its commits are elsewhere.",
                format!("git branch -d {}", names.join(" ")),
            )
        }
        _ => return None,
    };
    Some(Refusal::of(git.run, "lost-work", reason, Some(suggestion)))
}

fn refusal(rule: &str, reason: &str, suggestion: Option<String>) -> Finding {
    Finding { rule: Some(rule.to_owned()), suggestion: suggestion.map(Into::into), ..Finding::refusal(reason) }
}

fn moved(reason: String, suggestion: Option<String>) -> Refusal {
    Refusal { rule: MOVED.0, reason, suggestion, doubtful: false, effects: Vec::new() }
}

fn told(why: &[Why]) -> String {
    why.iter().map(|(_, reason)| *reason).collect::<Vec<_>>().join(" ")
}

/// The command for a branch with a working tree of its own.
pub(super) fn beside_main(repository: &Repository) -> Option<String> {
    let top = repository.main_top.as_ref().or(repository.top.as_ref())?;
    Some(format!("git worktree add -b NAME {}", quoted(&format!("{top}/.worktrees/NAME"))))
}

/// Whether the changed line runs the same programs as the original, beside those that the changes add.
fn is_same_work(original: &Effects, changed: &Effects) -> bool {
    let programs = |report: &Effects| -> Vec<String> {
        let runs = report.runs.iter().filter(|run| !matches!(run.tool(), Tool::Cd | Tool::Mkdir));
        runs.map(|run| run.program.clone()).collect()
    };
    programs(original) == programs(changed)
}

/// Whether the changed line breaks a rule that the original does not.
fn breaks_more(original: &[Broken], changed: &Effects) -> bool {
    let broken = all_broken(changed, |rule, severity| (!rule.off).then_some(severity));
    broken.iter().any(|broken| !original.iter().any(|known| known.rule.id == broken.rule.id))
}
