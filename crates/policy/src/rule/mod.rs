//! Rules as values: what they look at, how strict they are, why, and what proves them.

pub(crate) mod advice;
mod allow_coverage;
mod audit;
mod command;
mod core;
mod domain;
mod filter;
mod index;
mod index_key;
pub(crate) mod pattern;
pub(crate) mod proof;
mod user;
mod verb;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::call;
use crate::facts::Facts;
use crate::finding::Suggestion;
use hook_protocol::event::Event;
use hook_shell::edit;
use hook_shell::path::Place;
use hook_shell::resolve::{Action, Effects, Kind, shown};
use hook_shell::syntax::Span;
pub use hook_shell::texts::http::Request;
pub use hook_shell::texts::query::Query;
pub use hook_shell::texts::sql::Statement;

pub use self::advice::{Advice, Change, Refused};
pub(crate) use self::allow_coverage::covers;
pub(crate) use self::audit::refused_suggestions;
pub use self::audit::{Audited, audit, unproven};
pub use self::command::{Command, LIST, Text};
pub(crate) use self::core::DELETE_TREE;
pub use self::core::RULES as CORE;
pub use self::index::{RuleIndex, RuleStore};
pub use self::index_key::fingerprint;
pub(crate) use self::user::{Fit, Subject, regex, required_literals};
pub use self::user::{Globs, Then, UserRule, When, patterns_compiled};
pub use self::verb::Verbs;

/// How strict a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The user is asked.
    Ask,
    /// The call is refused.
    Deny,
}

/// What a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Family {
    /// Files and directories.
    Files,
    /// Git.
    Git,
    /// Disks.
    Disks,
    /// Secrets.
    Secrets,
    /// Code from elsewhere.
    RemoteCode,
    /// Processes.
    Processes,
    /// The machine.
    System,
    /// The guard itself.
    #[serde(alias = "own")]
    SelfProtection,
    /// Containers.
    Container,
    /// Clusters.
    Cluster,
    /// Infrastructure as code.
    Infrastructure,
    /// Clouds and object stores.
    Cloud,
    /// Databases.
    Database,
    /// Code forges.
    Forge,
    /// Package registries.
    Registry,
    /// Services of the system.
    Services,
    /// Firewalls, interfaces, names.
    Network,
    /// Messaging.
    Messaging,
    /// Monitoring.
    Monitoring,
    /// Online services.
    Saas,
    /// Secret stores.
    SecretStore,
    /// Backups.
    Backup,
    /// Continuous integration.
    Ci,
    /// Virtual machines.
    Machines,
    /// Requests to HTTP interfaces.
    Http,
}

impl Family {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Files,
        Self::Git,
        Self::Disks,
        Self::Secrets,
        Self::RemoteCode,
        Self::Processes,
        Self::System,
        Self::SelfProtection,
        Self::Container,
        Self::Cluster,
        Self::Infrastructure,
        Self::Cloud,
        Self::Database,
        Self::Forge,
        Self::Registry,
        Self::Services,
        Self::Network,
        Self::Messaging,
        Self::Monitoring,
        Self::Saas,
        Self::SecretStore,
        Self::Backup,
        Self::Ci,
        Self::Machines,
        Self::Http,
    ];

    /// The name used in settings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Git => "git",
            Self::Disks => "disks",
            Self::Secrets => "secrets",
            Self::RemoteCode => "remote-code",
            Self::Processes => "processes",
            Self::System => "system",
            Self::SelfProtection => "self-protection",
            Self::Container => "container",
            Self::Cluster => "cluster",
            Self::Infrastructure => "infrastructure",
            Self::Cloud => "cloud",
            Self::Database => "database",
            Self::Forge => "forge",
            Self::Registry => "registry",
            Self::Services => "services",
            Self::Network => "network",
            Self::Messaging => "messaging",
            Self::Monitoring => "monitoring",
            Self::Saas => "saas",
            Self::SecretStore => "secret-store",
            Self::Backup => "backup",
            Self::Ci => "ci",
            Self::Machines => "machines",
            Self::Http => "http",
        }
    }

    /// The family of this name, or of its former one.
    pub fn parse(name: &str) -> Option<Self> {
        let name = if name == "own" { "self-protection" } else { name };
        Self::ALL.iter().copied().find(|family| family.as_str() == name)
    }
}

/// What a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// Actions of these kinds at these places; no place named is any place.
    Action {
        /// Kinds.
        kinds: &'static [Kind],
        /// Places.
        places: &'static [Place],
    },
    /// Command lines of services with these words and options.
    Command(Command),
    /// Command lines of services by their verb.
    Verbs(Verbs),
    /// Command lines of services that are handed a script.
    Text(Text),
    /// Inline code of an interpreter that calls a service. What the code only holds as text is no call.
    Code(Text),
    /// Inline code that hands statements to a database.
    Query(Query),
    /// Statements handed to a database's client.
    Statement(Statement),
    /// Calls in a script handed to a document store's client.
    Script(Statement),
    /// Commands handed to a key-value store's client.
    Keys,
    /// Requests of an HTTP client.
    Request(Request),
}

/// A rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its name in messages, traces and settings.
    pub id: &'static str,
    /// What it is about.
    pub family: Family,
    /// How strict it is.
    pub severity: Severity,
    /// It is looked at only where a profile or a file says how strict it is.
    pub off: bool,
    /// What it looks at.
    pub pattern: Pattern,
    /// Why, in words that go on from "this".
    pub reason: &'static str,
    /// What to do next.
    pub suggestion: Option<Advice>,
    /// Commands on which it fires.
    pub should_match: &'static [&'static str],
    /// Neighbours on which it does not.
    pub should_not_match: &'static [&'static str],
}

/// The core rules that an action breaks, each with its strictness on it.
fn of_action(action: &Action) -> impl Iterator<Item = (&'static Rule, Severity)> {
    CORE.iter().filter_map(|rule| {
        let Pattern::Action { kinds, places } = rule.pattern else { return None };
        let fits = kinds.contains(&action.kind)
            && (places.is_empty() || action.place.is_some_and(|place| places.contains(&place)));
        let severity = match (action.speculative, rule.severity) {
            (false, severity) => Some(severity),
            // What may not happen at all is asked about where it would be refused, and passed over where it would be asked about.
            (true, Severity::Deny) => Some(Severity::Ask),
            (true, Severity::Ask) => None,
        };
        severity.filter(|_| fits).map(|severity| (rule, severity))
    })
}

/// Every rule.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    CORE.iter().chain(domain::all())
}

/// The rule of this name.
pub fn by_id(id: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.id == id)
}

/// A rule that a call breaks, and by what.
#[derive(Debug, Clone)]
pub struct Violation {
    /// The rule.
    pub rule: &'static Rule,
    /// How strict it is on this call.
    pub severity: Severity,
    /// What breaks it: a path, or a command.
    pub target: String,
    /// Where in the command's text that stands.
    pub span: Span,
}

impl fmt::Display for Violation {
    /// The reason that the model and the user read.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "This {}", self.rule.reason)?;
        if !self.target.is_empty() {
            write!(out, ": {}", clipped(&self.target))?;
        }
        write!(out, " (rule {})", self.rule.id)
    }
}

impl Violation {
    /// What to do next about the text that broke the rule. What the rules would not let pass is not suggested.
    pub(crate) fn suggestion(&self, text: &str, event: &Event<'_>, facts: &dyn Facts) -> Option<Suggestion> {
        let advice = self.rule.suggestion?;
        let refused = Refused { text: &edit::Text::new(text), span: self.span, target: &self.target };
        let (command, shows) = advice.command(&refused)?;
        let report = call::report_of(&command, event, facts);
        if violations(&report, |rule, severity| (!rule.off).then_some(severity)).is_some() {
            return None;
        }
        Some(if shows { Suggestion::LookFirst(command) } else { Suggestion::Instead(command) })
    }
}

/// At most 200 characters of a text, on one line.
fn clipped(text: &str) -> String {
    let mut out: String = text.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

/// The rules that a call breaks, in the order of the call: what it does first, then the programs by their command lines. `strictness`
/// says how strict a rule is here, or that it is not looked at.
pub fn all_violations(report: &Effects, strictness: impl Fn(&Rule, Severity) -> Option<Severity>) -> Vec<Violation> {
    let mut out = Vec::new();
    for action in &report.actions {
        for (rule, severity) in of_action(action) {
            if let Some(severity) = strictness(rule, severity) {
                out.push(Violation { rule, severity, target: action.target.clone(), span: action.span });
            }
        }
    }
    for run in &report.runs {
        for rule in domain::violations(run) {
            if let Some(severity) = strictness(rule, rule.severity) {
                let target = shown(&run.invocation().text());
                out.push(Violation { rule, severity, target, span: run.span });
            }
        }
    }
    out
}

/// The strictest rule that a call breaks; of several alike, the one that comes first in the call.
pub fn violations(report: &Effects, strictness: impl Fn(&Rule, Severity) -> Option<Severity>) -> Option<Violation> {
    strictest(&all_violations(report, |_, severity| Some(severity)), strictness)
}

/// The strictest of what a call breaks, with each rule as strict as `strictness` says; of several alike, the first.
pub(crate) fn strictest(
    all: &[Violation],
    strictness: impl Fn(&Rule, Severity) -> Option<Severity>,
) -> Option<Violation> {
    let mut worst: Option<(&Violation, Severity)> = None;
    for violations in all {
        if let Some(severity) = strictness(violations.rule, violations.severity)
            && worst.is_none_or(|(_, strictest)| severity > strictest)
        {
            worst = Some((violations, severity));
        }
    }
    worst.map(|(violations, severity)| Violation { severity, ..violations.clone() })
}
