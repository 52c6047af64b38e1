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
use self::temp::Dirs;
use super::guard::Strictness;
use super::track::PROOF;
use super::written::{put, root_of};
use super::{CheckContext, Step};
use crate::call;
use crate::effect::{Effect, FileChange, ProjectFile};
use crate::evidence::dirs;
use crate::finding::Finding;
use crate::repository::Repository;
use crate::rule::{Violation, all_violations};
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

/// Why a write to a directory for temporary files is changed.
const MOVED: Why = ("temp-files", "Temporary files belong in the project's own directory, not into /tmp.");

/// Settings of `discipline`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Discipline {
    /// What happens to a line that can be put right.
    pub rewrite: Rewriting,
    /// Directories for temporary files that are replaced by the project's own; none leaves them alone.
    #[serde(rename = "temp_folders")]
    pub temp_dirs: Vec<String>,
    /// The project's own directory for temporary files, relative to the project.
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
            temp_dirs: vec!["/tmp".to_owned(), "/private/tmp".to_owned()],
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
    speculative: bool,
    /// What follows from it.
    effects: Vec<Effect>,
}

impl Refusal {
    fn of(run: &Run, rule: &'static str, reason: impl Into<String>, suggestion: Option<String>) -> Self {
        Self { rule, reason: reason.into(), suggestion, speculative: run.stand.speculative, effects: Vec::new() }
    }
}

/// What a look at a line found.
#[derive(Default)]
struct Looked {
    /// The first thing against it, in the order of `guardrails`.
    refused: Option<Refusal>,
    /// The line put right, and why.
    better: Option<(String, Vec<Why>)>,
}

/// The directory of worktrees that refusals suggest.
const WORKTREES: &str = ".worktrees";

/// Keeps a directory of the project that is not there yet out of the repository.
fn keep_out(dir: &str, ctx: &CheckContext<'_>) -> Option<Effect> {
    ctx.facts.project_dir_names(dir).is_none().then(|| {
        Effect::File(ProjectFile {
            dir: dir.to_owned(),
            name: ".gitignore".to_owned(),
            change: FileChange::Put("*\n".to_owned()),
        })
    })
}

impl Step for Discipline {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let tool = ctx.event.tool()?;
        let command = tool.command().filter(|_| tool.native() != Some(NativeTool::PowerShell))?;
        let mut looked = self.look(&command, ctx.report(), ctx)?;
        let mut line = command.clone().into_owned();
        let mut why: Vec<Why> = Vec::new();
        for _ in 0..ROUNDS {
            if let Some(refused) = looked.refused {
                return Some(self.refuse(refused, ctx));
            }
            let Some((better, reasons)) = looked.better else { break };
            let report = call::report_of(&better, ctx.event, ctx.facts);
            if !is_same_work(ctx.report(), &report) || breaks_more(ctx.violations(), &report) {
                return reasons.first().map(|(rule, reason)| refusal(rule, reason, None));
            }
            why.extend(reasons);
            looked = self.look(&better, &report, ctx).unwrap_or_default();
            line = better;
        }
        if why.is_empty() {
            // What is suggested below has its worktrees there.
            let is_needed = command.contains("worktree") && command.contains(WORKTREES);
            return is_needed.then(|| Finding::default().with(keep_out(WORKTREES, ctx)));
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
                let own = self.own_temp(ctx);
                let said = if moved { format!("{said} They are in {own}.") } else { said };
                Some(Finding { rewrite: Some(line), ..Finding::advice(said) }.with(self.keep_temp(moved, ctx)))
            }
            Rewriting::DenyWithSuggestion => Some(refusal(rule, &told(&why), Some(line))),
        }
    }

    fn fault(&self) -> Option<String> {
        if let Some(name) = self.severity.keys().find(|name| !RULES.contains(&name.as_str())) {
            return Some(format!("`severity` names `{name}`, which is none of {}", RULES.join(", ")));
        }
        let dir = self.temp_dirs.iter().find(|dir| !dir.starts_with('/') || dir.len() < 2)?;
        Some(format!("`temp_folders` names {dir:?}, which is no absolute directory"))
    }
}

impl Discipline {
    /// The project's own directory for temporary files.
    fn own_temp(&self, ctx: &CheckContext<'_>) -> String {
        let places = call::places(ctx.event, ctx.facts);
        format!("{}/{}", places.project.trim_end_matches('/'), self.project_temp)
    }

    /// A directory that comes to be only because a line was changed stays out of the repository.
    fn keep_temp(&self, moved: bool, ctx: &CheckContext<'_>) -> Option<Effect> {
        let plain = !self.project_temp.starts_with('/') && !self.project_temp.split('/').any(|part| part == "..");
        if moved && plain { keep_out(&self.project_temp, ctx) } else { None }
    }

    /// Looks at a line; `None` if there is nothing to say.
    fn look(&self, command: &str, report: &Effects, ctx: &CheckContext<'_>) -> Option<Looked> {
        let has_git = report.runs.iter().any(|run| run.tool() == Tool::Git || run.program.starts_with("git-"));
        let places = call::places(ctx.event, ctx.facts);
        let dirs = Dirs {
            of_host: ctx.facts.host().temp_dirs,
            temp: &self.temp_dirs,
            own: self.own_temp(ctx),
            scratch: ctx.event.common.scratchpad_dir.as_ref().map(|path| path.as_str().into_owned()),
        };
        let written = temp::written(report, &places, &dirs);
        if !has_git && written.is_empty() {
            return None;
        }
        let text = Text::new(command);
        if !written.is_empty() {
            return Some(self.move_temp(&text, &written, &dirs, ctx));
        }
        Some(self.look_at_git(&text, report, ctx))
    }

    fn move_temp(&self, text: &Text<'_>, written: &[String], dirs: &Dirs<'_>, ctx: &CheckContext<'_>) -> Looked {
        let is_clean = |line: &String| {
            let report = call::report_of(line, ctx.event, ctx.facts);
            let places = call::places(ctx.event, ctx.facts);
            is_same_work(ctx.report(), &report) && temp::written(&report, &places, dirs).is_empty()
        };
        let leads = |path: &String| dirs.leads_elsewhere(path, ctx.facts);
        if let Some(link) = written.iter().find_map(leads) {
            let link = hook_shell::resolve::shown(&link);
            let reason = format!(
                "{} Their place there, {link}, is reached through a link that leads elsewhere; remove the link.",
                MOVED.1
            );
            return Looked { refused: Some(moved(reason, None)), better: None };
        }
        for with_parents in [false, true] {
            let better = apply(text.source, temp::edits(text, written, dirs, with_parents));
            if let Some(better) = better.filter(|better| better != text.source).filter(is_clean) {
                return Looked { better: Some((better, vec![MOVED])), refused: None };
            }
        }
        let named = written.first().map(String::as_str).unwrap_or_default();
        let suggestion = temp::everywhere(text.source, dirs).filter(|line| {
            let report = call::report_of(line, ctx.event, ctx.facts);
            is_clean(line) && self.passes(line, &report, ctx)
        });
        let named = hook_shell::resolve::shown(named);
        let reason = format!("{} This writes {named}; use {} instead.", MOVED.1, dirs.own);
        Looked { refused: Some(moved(reason, suggestion)), better: None }
    }

    fn look_at_git(&self, text: &Text<'_>, report: &Effects, ctx: &CheckContext<'_>) -> Looked {
        let mut line = Line::new(ctx.event, ctx.facts);
        let mut refusals: Vec<(u8, Refusal)> = Vec::new();
        let mut edits = Vec::new();
        let mut why: Vec<Why> = Vec::new();
        let mut added: Vec<String> = Vec::new();
        for run in &report.runs {
            let Some(git) = Git::read(run, &line) else { continue };
            match git.verb.as_str() {
                "push" => {
                    let repository = line.repository(&git);
                    match push(&git, repository.as_ref(), text, ctx) {
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
                            "A worktree is removed from the main one, so that nobody stands in a directory that is gone.",
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
                        refusals.extend(self.commit(&git, &repository, ctx, &added));
                    }
                }
                _ => added.extend(gate::adds(&git)),
            }
            line.follow(&git);
        }
        refusals.retain_mut(|(_, refusal)| match self.severity.get(refusal.rule) {
            Some(Strictness::Off) => false,
            other => {
                refusal.speculative |= other == Some(&Strictness::Ask);
                true
            }
        });
        refusals.sort_by_key(|(order, refusal)| (refusal.speculative, *order));
        let refused = refusals.into_iter().next().map(|(_, refusal)| refusal);
        let better = apply(text.source, edits).filter(|better| better != text.source);
        Looked { refused, better: better.map(|better| (better, why)) }
    }

    /// What stands against a commit or a merge: 2 the main branch, 6 and 7 the tests, 8 the proof.
    fn commit(
        &self,
        git: &Git<'_>,
        repository: &Repository,
        ctx: &CheckContext<'_>,
        added: &[String],
    ) -> Option<(u8, Refusal)> {
        let facts = ctx.facts;
        if gate::is_exempt(repository, facts) {
            return None;
        }
        if git.verb == "commit"
            && let Some(reason) = gate::on_main(git, repository, ctx, added)
        {
            return Some((2, Refusal::of(git.run, "main-branch", reason, beside_main(repository))));
        }
        let places = call::places(ctx.event, facts);
        if let Some(untested) = gate::tests(self, repository, &places, facts) {
            let inside = repository.top.as_ref().is_some_and(|top| {
                hook_shell::path::below(top, &places.project).is_some()
                    || hook_shell::path::below(&places.project, top).is_some()
            });
            let root = root_of(Some(repository), inside, &places);
            let tests = ctx.settings.tests.as_ref().filter(|_| untested.rerun);
            let run = tests.and_then(|tests| tests.start(facts, root.clone()));
            let reason = match (&run, untested.rerun) {
                (Some(_), _) if !facts.starts_programs(&root) => format!(
                    "{} They cannot be started, because the programs of {root} are not trusted. A user has to run `hookbin trust` there.",
                    untested.reason
                ),
                // Nothing else could start them where what was changed is no code, or was changed by an earlier session.
                (Some(_), _) if !ctx.starts_nothing.get() => {
                    format!("{} The tests are started now; try again when that file says pass.", untested.reason)
                }
                (_, true) => format!("{} Let the tests run first.", untested.reason),
                (_, false) => untested.reason,
            };
            let refusal = Refusal { effects: run.into_iter().collect(), ..Refusal::of(git.run, "tests", reason, None) };
            return Some((6, refusal));
        }
        let (reason, missing) = gate::proof(self, repository, &places, ctx)?;
        let project = facts.real_path(&places.project).unwrap_or_else(|| places.project.clone());
        // From now on it waits for the user's word, whatever the work was.
        let waits = missing && dirs(facts, &places.project, Some(repository)).contains(&project);
        let waits = waits.then(|| put(PROOF, &format!("pending|{}", facts.now().epoch)));
        let effects = waits.into_iter().chain([Effect::Asked(true)]).collect();
        Some((8, Refusal { effects, ..Refusal::of(git.run, "proof", reason, None) }))
    }

    /// Whether nothing at all is said about a line, by the agreements and by the rules beyond what the original breaks.
    fn passes(&self, line: &str, report: &Effects, ctx: &CheckContext<'_>) -> bool {
        let looked = self.look(line, report, ctx).unwrap_or_default();
        looked.refused.is_none() && looked.better.is_none() && !breaks_more(&[], report)
    }

    /// A refusal whose suggestion is one that passes itself.
    fn refuse(&self, refused: Refusal, ctx: &CheckContext<'_>) -> Finding {
        let suggestion = refused.suggestion.filter(|line| {
            let report = call::report_of(line, ctx.event, ctx.facts);
            self.passes(line, &report, ctx)
        });
        let mut finding = refusal(refused.rule, &refused.reason, suggestion).with(refused.effects);
        if refused.speculative {
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
fn push(git: &Git<'_>, repository: Option<&Repository>, text: &Text<'_>, ctx: &CheckContext<'_>) -> Pushed {
    let Some(push) = push::read(git, repository, &ctx.settings.main_branches, ctx.facts) else {
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
    if push.is_uncertain || changes.is_empty() || git.run.stand.speculative {
        let reason =
            "A forced push overwrites what others have pushed in between, and which branch this is for cannot be told.";
        let reason =
            if push.is_uncertain { reason } else { "A forced push overwrites what others have pushed in between." };
        let careful = push.careful.or_else(|| apply(text.source, changes));
        return Pushed::Refused(Refusal::of(git.run, "forced-push", reason, careful));
    }
    Pushed::Better(changes)
}

/// What throws away work that nothing brings back, with the way that keeps it (check 4 of `guardrails`).
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
    Refusal { rule: MOVED.0, reason, suggestion, speculative: false, effects: Vec::new() }
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
fn breaks_more(original: &[Violation], changed: &Effects) -> bool {
    let violations = all_violations(changed, |rule, severity| (!rule.off).then_some(severity));
    violations.iter().any(|violations| !original.iter().any(|known| known.rule.id == violations.rule.id))
}
