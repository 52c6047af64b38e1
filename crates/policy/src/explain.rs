//! What a call does and which rules that breaks, for people who want to see why.

use hook_protocol::event::Event;

use crate::call;
use crate::facts::Facts;
use crate::finding::Suggestion;
use crate::rule::{self, Severity};
use hook_shell::programs::Invocation;
use hook_shell::resolve::shown;
use hook_shell::syntax::{Span, parse};

/// The steps from a call's text to its verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Explanation {
    /// Programs that really run, in order, the deeper ones after what starts them.
    pub programs: Vec<Program>,
    /// What they do.
    pub actions: Vec<Done>,
    /// Built-in rules that the call breaks, in the order of the call.
    pub broken: Vec<BrokenRule>,
    /// Places of the text that could not be read, with the reason.
    pub unread: Vec<(String, &'static str)>,
}

/// A program that really runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its command line; what is not known is shown as `…`.
    pub line: String,
    /// Levels below the text itself: wrappers, shells, substitutions.
    pub depth: u16,
    /// The part of the text that starts it.
    pub part: String,
    /// Its arguments as they are understood, where more is known of them than that they are words.
    pub understood: Option<Understood>,
}

/// What the arguments of a program say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Understood {
    /// The words of its sub-command.
    pub verb: Vec<String>,
    /// Its options, with their values.
    pub options: Vec<(String, Option<String>)>,
    /// The other words.
    pub operands: Vec<String>,
}

impl Understood {
    /// `None` where the program hands its arguments on, or no sub-command and no value of an option is known.
    fn new(of: &Invocation<'_>) -> Option<Self> {
        if of.program.runs_with(of.args).is_some() || of.program.code.is_some() {
            return None;
        }
        let options = of.options();
        let verb = of.verb(&options);
        if verb.is_empty() && options.options.iter().all(|given| given.value().is_none()) {
            return None;
        }
        let words = |words: &[&str]| words.iter().map(|word| shown(word)).collect();
        Some(Self {
            verb: words(verb),
            operands: words(options.operands.get(verb.len()..).unwrap_or_default()),
            options: options.options.iter().map(|given| (given.spelled(), given.value().map(shown))).collect(),
        })
    }
}

/// Something that is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// What, by the name of its kind.
    pub kind: &'static str,
    /// The kind of place, if it has one.
    pub place: Option<String>,
    /// To what.
    pub target: String,
    /// The part of the text that does it.
    pub part: String,
    /// It happens only if a word means what it looks like.
    pub speculative: bool,
    /// It happens on another machine or in a container.
    pub remote: bool,
}

/// A built-in rule that the call breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenRule {
    /// Its name.
    pub rule: &'static str,
    /// Its family.
    pub family: &'static str,
    /// Whether it refuses, or asks.
    pub denies: bool,
    /// Why.
    pub reason: String,
    /// What to do next.
    pub suggestion: Option<Suggestion>,
    /// The part of the text that breaks it.
    pub part: String,
}

/// Explains the tool call of `event`; empty for events without one. Settings of a profile are not applied: this is what the rules
/// see, and the decision says what became of it.
pub fn explain(event: &Event<'_>, facts: &dyn Facts) -> Explanation {
    let report = call::report(event, facts);
    let text = event.tool().and_then(|tool| tool.command()).unwrap_or_default();
    let part = |span: Span| span.of(&text).to_owned();
    let unread = parse(&text).unread.iter().map(|unread| (part(unread.span), unread.why.as_str())).collect();
    Explanation {
        programs: report
            .runs
            .iter()
            .map(|run| Program {
                line: shown(&run.invocation().text()).trim_end().to_owned(),
                depth: run.depth,
                part: part(run.span),
                understood: Understood::new(&run.invocation()),
            })
            .collect(),
        actions: report
            .actions
            .iter()
            .map(|action| Done {
                kind: action.kind.as_str(),
                place: action.place.map(|place| place.as_str().to_owned()),
                target: action.target.clone(),
                part: part(action.span),
                speculative: action.speculative,
                remote: action.remote,
            })
            .collect(),
        broken: rule::all_violations(&report, |rule, severity| (!rule.off).then_some(severity))
            .iter()
            .map(|broken| BrokenRule {
                rule: broken.rule.id,
                family: broken.rule.family.as_str(),
                denies: broken.severity == Severity::Deny,
                reason: broken.to_string(),
                suggestion: broken.suggestion(&text, event, facts),
                part: part(broken.span),
            })
            .collect(),
        unread,
    }
}
