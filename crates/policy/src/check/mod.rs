//! The checks: named steps that profiles order and configure. A file a check, and a row of the table below.
//!
//! A new check is a file that implements `Step` for its settings, its `mod` line, which the macro leaves to the file so that
//! `cargo fmt` finds it, and its row.

mod agent_check;
mod agent_context;
mod auto_review;
mod banner;
mod boot;
mod branch_guard;
mod briefing;
mod checkpoint;
mod code_review;
mod comms;
mod compact;
mod complexity;
mod conflict_markers;
mod discipline;
mod doc_gate;
mod docs_reminder;
mod env;
mod fit;
mod forward_motion;
mod guard;
mod handoff;
mod image_limit;
mod keep_entry;
mod lifecycle;
mod lint;
mod memory;
mod metrics;
mod mock_gate;
mod observe;
mod offer;
mod plan_check;
mod plan_validate;
mod prompt;
mod proof;
mod recovery;
mod redirect;
mod reminders;
mod role_context;
mod rules;
mod sane;
mod sensitive;
mod session_close;
mod session_init;
mod style;
mod subagent;
mod suite;
mod summary;
mod surface;
mod table;
mod test_gate;
mod test_run;
mod track;
mod view;
mod wakeup;
mod word;
mod written;

use std::cell::{Cell, OnceCell};

use hook_protocol::event::{Body, Event, EventName};
use serde::{Deserialize, Serialize};

pub use self::comms::{Channel, Send};
pub use self::discipline::{Missing, Rewriting};
pub use self::reminders::Level;
pub use self::role_context::CoreFile;
pub use self::sane::{Semantics, SizeRule};
pub use self::sensitive::Sensitive;
pub use self::style::Style;
pub use self::suite::Suite;

pub(crate) use self::handoff::NAME as HANDOFF;
use self::table::{Role, Step, checks, fails, held};
use self::written::Written;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::profile::{ConfigError, Settings};
use crate::rule::{Violation, all_violations};
use crate::verdict::FailMode;
use hook_shell::resolve::Effects;

checks! {
    named {
        agent_check::AgentCheck, "agent-check", Tells,
            "notes what an agent of `guardrails` has left undone when it ends";
        agent_context::AgentContext, "agent-context", Tells,
            "tells a starting agent what it should know of the project, and warns about unknown names";
        sane::Anchor, "anchor", Tells, "keeps a line about the signed state in a file or program elsewhere";
        auto_review::AutoReview, "auto-review", Allows,
            "lets calls run without a question that are proven to read only";
        boot::Boot, "boot", Tells,
            "looks at the manifest of a contained installation, exports its places, writes one line";
        branch_guard::BranchGuard, "branch-guard", Denies, "refuses source files on the main branch";
        briefing::Briefing, "briefing", Tells,
            "gives the files that say how the agents work together, and what a compaction would have lost";
        banner::Banner, "banner", Tells, "gives the model a text at the start of a session";
        checkpoint::Checkpoint, "checkpoint", Tells,
            "hands a note about a changed file to a program, or stores it where there is none";
        code_review::CodeReview, "code-review", Tells, "hands a larger change on for a second look";
        comms::Comms boxed, "comms", Denies,
            "refuses to reach people in some modes, and those who have not agreed to it in all";
        compact::Compact, "compact", Tells, "keeps what a compaction would lose";
        complexity::Complexity, "complexity", Tells,
            "scores the prompt, tells the model what it gets, remembers and logs it";
        conflict_markers::ConflictMarkers, "conflict-markers", Tells,
            "tells of a written file that still holds a merge conflict";
        discipline::Discipline, "discipline", Denies,
            "puts right or refuses what a team's agreements about git, evidence and temporary files do not allow";
        doc_gate::DocGate, "doc-gate", Denies, "wants source files to say what they are for";
        docs_reminder::DocsReminder, "docs-reminder", Tells,
            "reminds of documentation after development, once per set of changes";
        env::Env, "env", Tells, "exports variables to the session's shell commands through the host's file for them";
        forward_motion::ForwardMotion, "forward-motion", Tells,
            "wants an answer that ends the work to say what is next";
        guard::Guard, "guard", Denies,
            "refuses or asks about calls that destroy, leak secrets, run hidden code or touch the guard";
        handoff::HandoffRules boxed, handoff::NAME, Tells,
            "validates an agent's answer, runs its checkpoint and leads on to the next agent";
        image_limit::ImageLimit, "image-limit", Denies or None,
            "refuses to read pictures that are larger than a model takes";
        keep_entry::KeepEntry, "keep-entry", Tells,
            "keeps the host's hooks when the guard's own entry leaves its settings in mid-session";
        lifecycle::Lifecycle, "lifecycle", Tells, "tells the registry of sessions what the session does";
        observe::Line, "line", Tells, "writes one line to a text log of the state directory";
        lint::Linter, "lint", Tells, "runs the project's linter on a written file and gives back what it finds";
        memory::Memory, "memory", Tells, "keeps the session document: starts, calls, files, stops, ends";
        metrics::Metrics, "metrics", Tells, "counts what happens in the figures of the day";
        mock_gate::MockGate, "mock-gate", Denies, "refuses tests that mock the project's own code";
        observe::Observe, "observe", Tells, "writes one line about a call before it runs; has no verdict";
        plan_check::PlanCheck, "plan-check", Denies, "wants new source files to belong to a plan that is up to date";
        plan_validate::PlanValidate, "plan-validate", Tells, "says what a written plan lacks";
        prompt::Prompt, "prompt", Tells, "gives the context that the words of a prompt ask for";
        proof::Proof, "proof", Tells, "records that the user has confirmed the work";
        recovery::Recovery, "recovery", Tells, "keeps active agent, tasks and handoff over a compaction";
        redirect::Redirect, "redirect", Denies, "refuses a call and names the tool to use instead";
        reminders::Reminders boxed, "reminders", Tells,
            "warns before the context is full, reminds of a status, and of a ping before the end";
        role_context::RoleContext boxed, "role-context", Tells,
            "gives the files that every session gets, and those of its role and mode";
        sane::SaneLoop, "saneloop", Tells, "counts the rounds of a loop and says what is still open";
        sane::SanePrompt, "saneprompt", Tells,
            "takes the user's commands for safemode, breaker, research and loop; classifies prompts";
        sane::SaneStart, "sanestart", Tells, "begins a session's part of the signed state and offers what was learned";
        sane::SaneStop, "sanestop", Tells, "says what is left open when the agent stops";
        sane::SaneTools, "sanetools", Denies or None,
            "gates calls: blocked paths, safemode, circuit breaker, research, size, requirements";
        sane::SaneTrack, "sanetrack", Tells, "remembers edits, research and failures in the signed state";
        session_close::SessionClose, "session-close", Tells, "removes what belonged to the session only";
        session_init::SessionInit, "session-init", Tells,
            "says where repository and plan stand, and drops the last test status";
        subagent::Subagent, "subagent", Tells, "tells an agent what its kind should know";
        summary::Summary, "summary", Tells, "says what a stretch of work has come to, and what is next";
        surface::Surface, "surface", Tells, "compares decisions in plan and code when the agent stops";
        test_gate::TestGate, "test-gate", Denies, "refuses changes elsewhere while tests fail";
        test_run::TestRun, "test-run", Tells, "starts the project's tests after a change";
        track::Track, "track", Tells, "lists what the session changes, and makes proof stale";
        view::Views, "views", Tells, "rewrites the files that show the session document";
        wakeup::Wakeup, "wakeup", Tells, "tells a session that was woken for it which of its workers are done";
        word::Word, "word", Denies, "refuses calls that would say the user's word to a session";
    }
    unnamed {
        rules::Rules, "rules", Denies, "asks custom rules";
    }
}

/// What a check may look at.
pub(crate) struct CheckContext<'q> {
    pub(crate) event: &'q Event<'q>,
    pub(crate) facts: &'q dyn Facts,
    pub(crate) settings: &'q Settings,
    /// Custom rules could not be read.
    pub(crate) rules_lost: Cell<bool>,
    /// Whoever asks may not have a program started for it.
    pub(crate) starts_nothing: Cell<bool>,
    /// Only what no word of the user lifts is asked for.
    pub(crate) firm: Cell<bool>,
    written: OnceCell<Vec<Written>>,
    /// Which of the written files is asked about.
    file: Cell<usize>,
    servers: OnceCell<Option<Vec<String>>>,
    report: OnceCell<Effects>,
    violations: OnceCell<Vec<Violation>>,
}

impl<'q> CheckContext<'q> {
    pub(crate) fn new(event: &'q Event<'q>, facts: &'q dyn Facts, settings: &'q Settings) -> Self {
        Self {
            event,
            facts,
            settings,
            rules_lost: Cell::new(false),
            starts_nothing: Cell::new(false),
            firm: Cell::new(false),
            written: OnceCell::new(),
            file: Cell::new(0),
            servers: OnceCell::new(),
            report: OnceCell::new(),
            violations: OnceCell::new(),
        }
    }

    /// Whether the event's call is over, so that nobody can refuse it any more.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.event.body, Body::PostToolUse(_) | Body::PostToolUseFailure(_))
    }

    /// The files that the call writes, if its tool is one for files; found out once.
    pub(crate) fn files(&self) -> &[Written] {
        self.written.get_or_init(|| Written::all(self))
    }

    /// The one of them that is asked about.
    pub(crate) fn written(&self) -> Option<&Written> {
        self.files().get(self.file.get())
    }

    /// How often a check has to be asked: for each file that the call writes, if it looks at one, else once.
    pub(crate) fn times(&self, check: &Check) -> usize {
        if check.step().looks_at_a_file() { self.files().len().max(1) } else { 1 }
    }

    /// Asks about that file from now on.
    pub(crate) fn look_at(&self, file: usize) {
        self.file.set(file);
    }

    /// Files that the next commit would change, where whoever asks may have a program started for that.
    pub(crate) fn staged(&self, dir: &str) -> Option<Vec<String>> {
        if self.starts_nothing.get() { None } else { self.facts.staged(dir) }
    }

    /// Every built-in rule that the call breaks, those that are off too; found out once, like the report.
    pub(crate) fn violations(&self) -> &[Violation] {
        self.violations.get_or_init(|| all_violations(self.report(), |_, severity| Some(severity)))
    }

    /// The servers that are declared here, see [`Facts::declared_servers`]; four files are read once, for all checks that ask.
    pub(crate) fn declared_servers(&self) -> Option<&[String]> {
        self.servers.get_or_init(|| self.facts.declared_servers()).as_deref()
    }

    /// What the call does; found out once, for all checks that ask.
    pub(crate) fn report(&self) -> &Effects {
        self.report.get_or_init(|| crate::call::report(self.event, self.facts))
    }
}

/// A kind of check: its name in profiles, what it is for, and how its settings become a resolved check.
pub struct Kind {
    /// The name that profiles use.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    settings: fn() -> &'static [&'static str],
    #[cfg(feature = "schema")]
    pub(crate) schema: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
    read: fn(toml::Table) -> Result<Check, ConfigError>,
}

impl Kind {
    /// The names of its settings, in order.
    pub fn settings(&self) -> &'static [&'static str] {
        (self.settings)()
    }

    /// The check with nothing set, if it needs nothing.
    pub fn plain(&self) -> Option<Check> {
        (self.read)(toml::Table::new()).ok()
    }
}

impl Check {
    /// Resolves the settings of the check called `name`.
    pub(crate) fn resolve(name: &str, settings: toml::Table) -> Result<Self, ConfigError> {
        let kind = KINDS
            .iter()
            .find(|kind| kind.name == name)
            .ok_or_else(|| ConfigError::unknown("check", name, KINDS.iter().map(|kind| kind.name)))?;
        if let Some(file) = settings.get("file").and_then(toml::Value::as_str) {
            let plain = !file.is_empty() && !file.starts_with('.') && !file.contains(['/', '\\', '\0']);
            if !plain {
                return Err(ConfigError::new(format!(
                    "`file` of `{name}` is {file:?}; it has to be a plain name in the state directory"
                )));
            }
        }
        (kind.read)(settings)
    }

    /// Whether the check can refuse a call. Such checks are not asked any more once the call is refused; the others always are.
    pub const fn can_deny(&self) -> bool {
        matches!(self.role(), Role::Denies)
    }

    /// Whether the check can only let a call run. Such checks are not asked about a call that is refused, asked about or rewritten.
    pub const fn can_only_allow(&self) -> bool {
        matches!(self.role(), Role::Allows)
    }

    /// Whether the check keeps the signed state.
    pub fn keeps_signed_state(&self) -> bool {
        self.step().keeps_signed_state()
    }

    /// Seconds that programs may take which the answer to this event waits for, beyond what every answer has.
    pub fn seconds(&self, event: &EventName<'_>) -> u32 {
        self.step().seconds(event)
    }

    /// What the check says. `None` when it has nothing to say.
    pub(crate) fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        self.step().ask(ctx)
    }
}
