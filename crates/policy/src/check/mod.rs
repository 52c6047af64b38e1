//! The checks: named steps that profiles order and configure. A file a check.

mod agent_check;
mod agent_context;
mod auto_review;
mod boot;
mod branch_guard;
mod briefing;
mod card;
mod checkpoint;
mod code_review;
mod comms;
mod compact;
mod complexity;
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

pub use self::agent_check::AgentCheck;
pub use self::agent_context::AgentContext;
pub use self::auto_review::AutoReview;
pub use self::boot::Boot;
pub use self::branch_guard::BranchGuard;
pub use self::briefing::Briefing;
pub use self::card::Card;
pub use self::checkpoint::Checkpoint;
pub use self::code_review::CodeReview;
pub use self::comms::{Channel, Comms, Send};
pub use self::compact::Compact;
pub use self::complexity::Complexity;
pub use self::discipline::{Discipline, Missing, Rewriting};
pub use self::doc_gate::DocGate;
pub use self::docs_reminder::DocsReminder;
pub use self::env::Env;
pub use self::forward_motion::ForwardMotion;
pub use self::guard::Guard;
pub use self::handoff::HandoffRules;
pub use self::image_limit::ImageLimit;
pub use self::keep_entry::KeepEntry;
pub use self::lifecycle::Lifecycle;
pub use self::lint::Linter;
pub use self::memory::Memory;
pub use self::metrics::Metrics;
pub use self::mock_gate::MockGate;
pub use self::observe::{Line, Observe};
pub use self::plan_check::PlanCheck;
pub use self::plan_validate::PlanValidate;
pub use self::prompt::Prompt;
pub use self::proof::Proof;
pub use self::recovery::Recovery;
pub use self::redirect::Redirect;
pub use self::reminders::{Level, Reminders};
pub use self::role_context::{CoreFile, RoleContext};
pub use self::rules::Rules;
pub use self::sane::{
    Anchor, Sane, SaneLoop, SanePrompt, SaneStart, SaneStop, SaneTools, SaneTrack, Semantics, SizeRule,
};
pub use self::sensitive::Sensitive;
pub use self::session_close::SessionClose;
pub use self::session_init::SessionInit;
pub use self::style::Style;
pub use self::subagent::Subagent;
pub use self::suite::Suite;
pub use self::summary::Summary;
pub use self::surface::Surface;
pub use self::test_gate::TestGate;
pub use self::test_run::TestRun;
pub use self::track::Track;
pub use self::view::Views;
pub use self::wakeup::Wakeup;
pub use self::word::Word;

use self::written::Written;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::profile::{ConfigError, Settings};
use crate::rule::{Broken, all_broken};
use crate::verdict::FailMode;
use hook_shell::resolve::Effects;

/// A check with its resolved settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Check {
    /// Refuses a call and names what to use instead.
    Redirect(Redirect),
    /// Writes one line about a call before it runs.
    Observe(Observe),
    /// Writes one line about anything else.
    Line(Line),
    /// Remembers what happened.
    Memory(Memory),
    /// Gives the model a text.
    Card(Card),
    /// Tells the model how hard a prompt is.
    Complexity(Complexity),
    /// Keeps a checkpoint of a changed file.
    Checkpoint(Checkpoint),
    /// Exports variables to the session's later shell commands.
    Env(Env),
    /// Looks at the contained installation and exports its places.
    Boot(Boot),
    /// Rewrites views of the session document.
    Views(Views),
    /// A person's own rules.
    Rules(Rules),
    /// A team's working agreements about git and temporary files.
    Discipline(Discipline),
    /// Lets calls run that only read.
    AutoReview(AutoReview),
    /// Refuses or asks about what destroys, leaks secrets or touches the guard.
    Guard(Guard),
    /// Notes what an agent of the document has left undone when it ends.
    AgentCheck(AgentCheck),
    /// Refuses source files on the main branch.
    BranchGuard(BranchGuard),
    /// Hands a larger change on for a second look.
    CodeReview(CodeReview),
    /// Keeps what a compaction would lose.
    Compact(Compact),
    /// Wants source files to say what they are for.
    DocGate(DocGate),
    /// Wants an answer that ends the work to say what is next.
    ForwardMotion(ForwardMotion),
    /// Runs the project's linter on a written file and gives back what it finds.
    Lint(Linter),
    /// Refuses tests that mock the project's own code.
    MockGate(MockGate),
    /// Wants new source files to belong to a plan that is up to date.
    PlanCheck(PlanCheck),
    /// Says what a written plan lacks.
    PlanValidate(PlanValidate),
    /// Gives the context that the words of a prompt ask for.
    Prompt(Prompt),
    /// Records that the person has confirmed the work.
    Proof(Proof),
    /// Removes what belonged to the session only.
    SessionClose(SessionClose),
    /// Says where repository and plan stand, and drops the last test status.
    SessionInit(SessionInit),
    /// Tells an agent what its kind should know.
    Subagent(Subagent),
    /// Says what a stretch of work has come to, and what is next.
    Summary(Summary),
    /// Compares decisions in plan and code when the agent stops.
    Surface(Surface),
    /// Refuses changes elsewhere while tests fail.
    TestGate(TestGate),
    /// Starts the project's tests after a change.
    TestRun(TestRun),
    /// Refuses calls that would say the person's word.
    Word(Word),
    /// Lists what the session changes, and makes proof stale.
    Track(Track),
    /// A check of document S3.
    Sane(Sane),
    /// Gives the files that say how the agents work together.
    Briefing(Briefing),
    /// Keeps what a compaction would lose in the document's own file.
    Recovery(Recovery),
    /// Tells an agent what it should know of the project.
    AgentContext(AgentContext),
    /// Validates an agent's answer and leads on to the next agent.
    Handoff(Box<HandoffRules>),
    /// Counts what happens.
    Metrics(Metrics),
    /// Reminds of documentation after development.
    DocsReminder(DocsReminder),
    /// Tells the registry what the session does.
    Lifecycle(Lifecycle),
    /// Says who may be written to, and in which modes.
    Comms(Box<Comms>),
    /// Tells a session that was woken for it which of its workers are done.
    Wakeup(Wakeup),
    /// Refuses to read pictures that are larger than a model takes.
    ImageLimit(ImageLimit),
    /// Keeps the client's hooks when the guard's own entry leaves its settings.
    KeepEntry(KeepEntry),
    /// Tells a session what it should know before its context is full and before it ends.
    Reminders(Box<Reminders>),
    /// Gives the files that every session gets, and those of its role.
    RoleContext(Box<RoleContext>),
}

/// The name of the check whose answer a checkpoint belongs to.
pub(crate) const HANDOFF: &str = "handoff";

/// What a check may look at.
pub(crate) struct Question<'q> {
    pub(crate) event: &'q Event<'q>,
    pub(crate) facts: &'q dyn Facts,
    pub(crate) settings: &'q Settings,
    /// The person's own rules could not be read.
    pub(crate) rules_lost: Cell<bool>,
    /// Whoever asks may not have a program started for it.
    pub(crate) starts_nothing: Cell<bool>,
    written: OnceCell<Option<Written>>,
    report: OnceCell<Effects>,
    broken: OnceCell<Vec<Broken>>,
}

impl<'q> Question<'q> {
    pub(crate) fn new(event: &'q Event<'q>, facts: &'q dyn Facts, settings: &'q Settings) -> Self {
        Self {
            event,
            facts,
            settings,
            rules_lost: Cell::new(false),
            starts_nothing: Cell::new(false),
            written: OnceCell::new(),
            report: OnceCell::new(),
            broken: OnceCell::new(),
        }
    }

    /// Whether the event's call is over, so that nobody can refuse it any more.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.event.body, Body::PostToolUse(_) | Body::PostToolUseFailure(_))
    }

    /// What the call writes, if it is one of a file tool; found out once.
    pub(crate) fn written(&self) -> Option<&Written> {
        self.written.get_or_init(|| Written::of(self)).as_ref()
    }

    /// Files that the next commit would change, where whoever asks may have a program started for that.
    pub(crate) fn staged(&self, folder: &str) -> Option<Vec<String>> {
        if self.starts_nothing.get() { None } else { self.facts.staged(folder) }
    }

    /// Every built-in rule that the call breaks, those that are off too; found out once, like the report.
    pub(crate) fn broken(&self) -> &[Broken] {
        self.broken.get_or_init(|| all_broken(self.report(), |_, severity| Some(severity)))
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
    resolve: fn(toml::Value) -> Result<Check, toml::de::Error>,
}

impl Kind {
    /// The names of its settings, in order; what the reader of settings itself knows.
    pub fn settings(&self) -> Vec<String> {
        let unknown = toml::Table::from_iter([("?".to_owned(), toml::Value::Boolean(true))]);
        let Err(error) = (self.resolve)(toml::Value::Table(unknown)) else { return Vec::new() };
        // "unknown field `?`, expected one of `a`, `b`"
        error.message().split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    /// The check with nothing set, if it needs nothing.
    pub fn plain(&self) -> Option<Check> {
        (self.resolve)(toml::Value::Table(toml::Table::new())).ok()
    }
}

/// Every kind of check there is; feeds the profile reader, its messages and the documentation.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "auto-review",
        about: "lets calls run without a question that are proven to read only",
        resolve: auto_review::resolve,
    },
    Kind {
        name: "boot",
        about: "looks at the manifest of a contained installation, exports its places, writes one line",
        resolve: boot::resolve,
    },
    Kind { name: "card", about: "gives the model a text at the start of a session", resolve: card::resolve },
    Kind {
        name: "checkpoint",
        about: "hands a note about a changed file to a program, or stores it where there is none",
        resolve: checkpoint::resolve,
    },
    Kind {
        name: "complexity",
        about: "scores the prompt, tells the model what it gets, remembers and logs it",
        resolve: complexity::resolve,
    },
    Kind {
        name: "discipline",
        about: "puts right or refuses what a team's agreements about git, evidence and temporary files do not allow",
        resolve: discipline::resolve,
    },
    Kind {
        name: "env",
        about: "exports variables to the session's shell commands through CLAUDE_ENV_FILE",
        resolve: env::resolve,
    },
    Kind {
        name: "guard",
        about: "refuses or asks about calls that destroy, leak secrets, run hidden code or touch the guard",
        resolve: guard::resolve,
    },
    Kind { name: "line", about: "writes one line to a text log of the state folder", resolve: observe::resolve_line },
    Kind {
        name: "memory",
        about: "keeps the session document: starts, calls, files, stops, ends",
        resolve: memory::resolve,
    },
    Kind {
        name: "observe",
        about: "writes one line about a call before it runs; has no verdict",
        resolve: observe::resolve,
    },
    Kind { name: "redirect", about: "refuses a call and names the tool to use instead", resolve: redirect::resolve },
    sane::ANCHOR,
    sane::LOOP,
    sane::PROMPT,
    sane::START,
    sane::STOP,
    sane::TOOLS,
    sane::TRACK,
    Kind { name: "views", about: "rewrites the files that show the session document", resolve: view::resolve },
    Kind {
        name: "agent-check",
        about: "notes what an agent of the document has left undone when it ends",
        resolve: agent_check::resolve,
    },
    Kind { name: "branch-guard", about: "refuses source files on the main branch", resolve: branch_guard::resolve },
    Kind { name: "code-review", about: "hands a larger change on for a second look", resolve: code_review::resolve },
    Kind { name: "compact", about: "keeps what a compaction would lose", resolve: compact::resolve },
    Kind { name: "doc-gate", about: "wants source files to say what they are for", resolve: doc_gate::resolve },
    Kind {
        name: "forward-motion",
        about: "wants an answer that ends the work to say what is next",
        resolve: forward_motion::resolve,
    },
    Kind {
        name: "lint",
        about: "runs the project's linter on a written file and gives back what it finds",
        resolve: lint::resolve,
    },
    Kind { name: "mock-gate", about: "refuses tests that mock the project's own code", resolve: mock_gate::resolve },
    Kind {
        name: "plan-check",
        about: "wants new source files to belong to a plan that is up to date",
        resolve: plan_check::resolve,
    },
    Kind { name: "plan-validate", about: "says what a written plan lacks", resolve: plan_validate::resolve },
    Kind { name: "prompt", about: "gives the context that the words of a prompt ask for", resolve: prompt::resolve },
    Kind { name: "proof", about: "records that the person has confirmed the work", resolve: proof::resolve },
    Kind { name: "session-close", about: "removes what belonged to the session only", resolve: session_close::resolve },
    Kind {
        name: "session-init",
        about: "says where repository and plan stand, and drops the last test status",
        resolve: session_init::resolve,
    },
    Kind { name: "subagent", about: "tells an agent what its kind should know", resolve: subagent::resolve },
    Kind {
        name: "summary",
        about: "says what a stretch of work has come to, and what is next",
        resolve: summary::resolve,
    },
    Kind {
        name: "surface",
        about: "compares decisions in plan and code when the agent stops",
        resolve: surface::resolve,
    },
    Kind { name: "test-gate", about: "refuses changes elsewhere while tests fail", resolve: test_gate::resolve },
    Kind { name: "test-run", about: "starts the project's tests after a change", resolve: test_run::resolve },
    Kind {
        name: "agent-context",
        about: "tells a starting agent what it should know of the project, and warns about unknown names",
        resolve: agent_context::resolve,
    },
    Kind {
        name: "briefing",
        about: "gives the files that say how the agents work together, and what a compaction would have lost",
        resolve: briefing::resolve,
    },
    Kind {
        name: "docs-reminder",
        about: "reminds of documentation after development, once per set of changes",
        resolve: docs_reminder::resolve,
    },
    Kind {
        name: HANDOFF,
        about: "validates an agent's answer, runs its checkpoint and leads on to the next agent",
        resolve: handoff::resolve,
    },
    Kind {
        name: "comms",
        about: "refuses to reach people in some modes, and those who have not agreed to it in all",
        resolve: comms::resolve,
    },
    Kind {
        name: "image-limit",
        about: "refuses to read pictures that are larger than a model takes",
        resolve: image_limit::resolve,
    },
    Kind {
        name: "keep-entry",
        about: "keeps the client's hooks when the guard's own entry leaves its settings in mid-session",
        resolve: keep_entry::resolve,
    },
    Kind {
        name: "wakeup",
        about: "tells a session that was woken for it which of its workers are done",
        resolve: wakeup::resolve,
    },
    Kind {
        name: "lifecycle",
        about: "tells the registry of sessions what the session does",
        resolve: lifecycle::resolve,
    },
    Kind { name: "metrics", about: "counts what happens in the figures of the day", resolve: metrics::resolve },
    Kind {
        name: "recovery",
        about: "keeps active agent, tasks and handoff over a compaction",
        resolve: recovery::resolve,
    },
    Kind {
        name: "reminders",
        about: "warns before the context is full, reminds of a status, and of a ping before the end",
        resolve: reminders::resolve,
    },
    Kind {
        name: "role-context",
        about: "gives the files that every session gets, and those of its role and mode",
        resolve: role_context::resolve,
    },
    Kind { name: "word", about: "refuses calls that would say the person's word to a session", resolve: word::resolve },
    Kind { name: "track", about: "lists what the session changes, and makes proof stale", resolve: track::resolve },
];

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
                    "`file` of `{name}` is {file:?}; it has to be a plain name in the state folder"
                )));
            }
        }
        (kind.resolve)(toml::Value::Table(settings)).map_err(|error| ConfigError::settings(name, &error))
    }

    /// The check's name in profiles and traces.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Redirect(_) => "redirect",
            Self::Observe(_) => "observe",
            Self::Line(_) => "line",
            Self::Memory(_) => "memory",
            Self::Card(_) => "card",
            Self::Complexity(_) => "complexity",
            Self::Checkpoint(_) => "checkpoint",
            Self::Env(_) => "env",
            Self::Boot(_) => "boot",
            Self::Views(_) => "views",
            Self::Guard(_) => "guard",
            Self::Discipline(_) => "discipline",
            Self::AutoReview(_) => "auto-review",
            Self::Rules(_) => "rules",
            Self::AgentCheck(_) => "agent-check",
            Self::BranchGuard(_) => "branch-guard",
            Self::CodeReview(_) => "code-review",
            Self::Compact(_) => "compact",
            Self::DocGate(_) => "doc-gate",
            Self::ForwardMotion(_) => "forward-motion",
            Self::Lint(_) => "lint",
            Self::MockGate(_) => "mock-gate",
            Self::PlanCheck(_) => "plan-check",
            Self::PlanValidate(_) => "plan-validate",
            Self::Prompt(_) => "prompt",
            Self::Proof(_) => "proof",
            Self::SessionClose(_) => "session-close",
            Self::SessionInit(_) => "session-init",
            Self::Subagent(_) => "subagent",
            Self::Summary(_) => "summary",
            Self::Surface(_) => "surface",
            Self::TestGate(_) => "test-gate",
            Self::TestRun(_) => "test-run",
            Self::Track(_) => "track",
            Self::Word(_) => "word",
            Self::Sane(check) => check.name(),
            Self::Briefing(_) => "briefing",
            Self::Recovery(_) => "recovery",
            Self::AgentContext(_) => "agent-context",
            Self::Handoff(_) => HANDOFF,
            Self::Metrics(_) => "metrics",
            Self::DocsReminder(_) => "docs-reminder",
            Self::Lifecycle(_) => "lifecycle",
            Self::Comms(_) => "comms",
            Self::Wakeup(_) => "wakeup",
            Self::ImageLimit(_) => "image-limit",
            Self::KeepEntry(_) => "keep-entry",
            Self::Reminders(_) => "reminders",
            Self::RoleContext(_) => "role-context",
        }
    }

    /// Whether the check can refuse a call. Such checks are not asked any more once the call is refused; the others always are.
    pub const fn can_deny(&self) -> bool {
        match self {
            Self::Sane(check) => check.can_deny(),
            check => matches!(
                check,
                Self::Redirect(_)
                    | Self::Guard(_)
                    | Self::Discipline(_)
                    | Self::Rules(_)
                    | Self::BranchGuard(_)
                    | Self::DocGate(_)
                    | Self::MockGate(_)
                    | Self::PlanCheck(_)
                    | Self::TestGate(_)
                    | Self::Comms(_)
                    | Self::ImageLimit(_)
                    | Self::Word(_)
            ),
        }
    }

    /// Whether the check can only let a call run. Such checks are not asked about a call that is refused, asked about or rewritten (S1-72).
    pub const fn can_only_allow(&self) -> bool {
        matches!(self, Self::AutoReview(_))
    }

    /// The command that its settings name, for checks that start one.
    pub(crate) fn command(&self) -> Option<&[String]> {
        match self {
            Self::Checkpoint(check) => Some(&check.command),
            Self::TestRun(check) => Some(&check.command),
            Self::Sane(Sane::Anchor(check)) => Some(&check.command),
            _ => None,
        }
    }

    /// Seconds that programs may take which the answer to this event waits for, beyond what every answer has.
    pub fn seconds(&self, event: &EventName<'_>) -> u32 {
        match self {
            Self::Handoff(check) if matches!(event, EventName::SubagentStop | EventName::PostToolUse) => {
                check.seconds()
            }
            _ => 0,
        }
    }

    /// What to answer if the check itself fails (X5), unless the handler says otherwise.
    pub const fn default_on_error(&self) -> FailMode {
        match self {
            // Document S3: on error, allow (S3-59).
            Self::Sane(_) | Self::ImageLimit(_) => FailMode::None,
            check if check.can_deny() => FailMode::Deny,
            _ => FailMode::None,
        }
    }

    /// What the check says. `None` when it has nothing to say.
    pub(crate) fn ask(&self, question: &Question<'_>) -> Option<Finding> {
        match self {
            Self::Redirect(check) => Some(check.ask(question)),
            Self::Observe(check) => Some(check.ask(question)),
            Self::Line(check) => Some(check.ask(question)),
            Self::Memory(check) => check.ask(question),
            Self::Card(check) => Some(check.ask(question)),
            Self::Complexity(check) => check.ask(question),
            Self::Checkpoint(check) => check.ask(question),
            Self::Env(check) => Some(check.ask(question)),
            Self::Boot(check) => Some(check.ask(question)),
            Self::Views(check) => check.ask(question),
            Self::Guard(check) => check.ask(question),
            Self::Discipline(check) => check.ask(question),
            Self::AutoReview(check) => check.ask(question),
            Self::Rules(check) => check.ask(question),
            Self::AgentCheck(check) => check.ask(question),
            Self::BranchGuard(check) => check.ask(question),
            Self::CodeReview(check) => check.ask(question),
            Self::Compact(check) => Some(check.ask(question)),
            Self::DocGate(check) => check.ask(question),
            Self::ForwardMotion(check) => check.ask(question),
            Self::Lint(check) => check.ask(question),
            Self::MockGate(check) => check.ask(question),
            Self::PlanCheck(check) => check.ask(question),
            Self::PlanValidate(check) => check.ask(question),
            Self::Prompt(check) => check.ask(question),
            Self::Proof(check) => check.ask(question),
            Self::SessionClose(check) => Some(check.ask(question)),
            Self::SessionInit(check) => Some(check.ask(question)),
            Self::Subagent(check) => check.ask(question),
            Self::Summary(check) => check.ask(question),
            Self::Surface(check) => check.ask(question),
            Self::TestGate(check) => check.ask(question),
            Self::TestRun(check) => check.ask(question),
            Self::Track(check) => check.ask(question),
            Self::Word(_) => Word::ask(question),
            Self::Sane(check) => check.ask(question),
            Self::Briefing(check) => check.ask(question),
            Self::Recovery(check) => Some(check.ask(question)),
            Self::AgentContext(check) => check.ask(question),
            Self::Handoff(check) => check.ask(question),
            Self::Metrics(check) => check.ask(question),
            Self::DocsReminder(check) => check.ask(question),
            Self::Lifecycle(check) => check.ask(question),
            Self::Comms(check) => check.ask(question),
            Self::Wakeup(check) => check.ask(question),
            Self::ImageLimit(check) => check.ask(question),
            Self::KeepEntry(_) => KeepEntry::ask(question),
            Self::Reminders(check) => check.ask(question),
            Self::RoleContext(check) => check.ask(question),
        }
    }
}
