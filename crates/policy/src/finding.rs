//! Findings of single checks, and the one outcome that they add up to.

use std::fmt;

use crate::effect::Effect;
use crate::verdict::Verdict;

/// What to do after a refusal or a question.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Suggestion {
    /// The safer way, as a command or call.
    Instead(String),
    /// A command that only shows what is at stake.
    LookFirst(String),
}

impl Suggestion {
    /// The command or call.
    pub fn command(&self) -> &str {
        let (Self::Instead(command) | Self::LookFirst(command)) = self;
        command
    }

    /// What stands before it.
    pub const fn label(&self) -> &'static str {
        match self {
            Self::Instead(_) => "Instead",
            Self::LookFirst(_) => "Look first",
        }
    }
}

impl From<String> for Suggestion {
    fn from(command: String) -> Self {
        Self::Instead(command)
    }
}

impl fmt::Display for Suggestion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.label(), self.command())
    }
}

/// What one check says about one event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finding {
    /// The verdict, if the check has one.
    pub verdict: Option<Verdict>,
    /// Id of the rule that the verdict comes from, where the check has rules.
    pub rule: Option<String>,
    /// Why, in words for the model (deny) or the user (ask, allow).
    pub reason: Option<String>,
    /// What to do next.
    pub suggestion: Option<Suggestion>,
    /// The command to run in place of the call's own.
    pub rewrite: Option<String>,
    /// Text for the model's context.
    pub context: Option<Context>,
    /// Text for the user.
    pub notice: Option<String>,
    /// What is wrong with a call that has run, for the model: the answer to PostToolUse with exit code 2.
    pub feedback: Option<String>,
    /// Why the whole turn has to end, for the user.
    pub halt: Option<String>,
    /// What went wrong on the way, for the log.
    pub faults: Vec<String>,
    /// What to do after the decision.
    pub effects: Vec<Effect>,
}

impl Finding {
    /// What is left of it where a file asked for it that nobody trusts: a refusal or a question, in words that say whose they are. It
    /// remembers nothing, writes nothing, starts nothing and tells nobody anything else.
    pub(crate) fn only_stricter(self, file: &str) -> Option<Self> {
        let verdict = self.verdict.filter(|verdict| *verdict >= Verdict::Ask)?;
        let reason = quoted(file, &self.reason.unwrap_or_default(), self.suggestion.as_ref());
        Some(Self { verdict: Some(verdict), rule: self.rule, reason: Some(reason), ..Self::default() })
    }
}

/// Most characters of what an untrusted file has to say.
const MOST_QUOTED: usize = 400;

/// The reason and the suggestion of somebody whom nobody trusts, as one line that begins with the file that they come from: what stands
/// on lines of its own, or without a source, could be taken for the guard's or a user's word.
pub(crate) fn quoted(file: &str, reason: &str, suggestion: Option<&Suggestion>) -> String {
    let whole = match suggestion {
        Some(suggestion) => format!("{reason} {suggestion}"),
        None => reason.to_owned(),
    };
    let line = on_one_line(&whole);
    let cut = if line.chars().nth(MOST_QUOTED).is_some() { "…" } else { "" };
    let line: String = line.chars().take(MOST_QUOTED).collect();
    // Which file it is shows in its last names; where the project lies matters to nobody.
    let names: Vec<&str> = file.split(['/', '\\']).collect();
    let named = names.get(names.len().saturating_sub(2)..).unwrap_or_default().join("/");
    format!("{} (not trusted) says: {line}{cut}", on_one_line(&named))
}

fn on_one_line(text: &str) -> String {
    let parts = text.split(|c: char| c.is_whitespace() || c.is_control());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Text for the model's context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// The text.
    pub text: String,
    /// Give it as plain text on stdout where the event delivers that, as some documents ask.
    pub plain: bool,
}

/// The whole answer to one event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome<'p> {
    /// The strictest verdict of all checks.
    pub verdict: Option<Verdict>,
    /// Whether anything judged the call: a verdict was given, a refusing check was asked whose handler names the tool, or the guard read
    /// what the call does. A call that passes without it passed because nobody knew its tool.
    pub looked_at: bool,
    /// Name of the handler whose verdict won; of several alike, the first.
    pub decided_by: Option<&'p str>,
    /// Id of the rule that the winning verdict comes from, where its check has rules.
    pub rule: Option<String>,
    /// Reason of the winning finding.
    pub reason: Option<String>,
    /// Suggestion of the winning finding.
    pub suggestion: Option<Suggestion>,
    /// What the guard's own protection alone says, of a call that is refused or asked about. `None` where the user's word lifts nothing
    /// of the verdict.
    pub firm: Option<Box<Self>>,
    /// The command to run in place of the call's own; the first that a check asks for. A refused call is not rewritten.
    pub rewrite: Option<String>,
    /// Contexts in the order of the checks.
    pub context: Vec<Context>,
    /// Notices in the order of the checks.
    pub notices: Vec<String>,
    /// What is wrong with a call that has run, in the order of the checks.
    pub feedback: Vec<String>,
    /// Why the whole turn has to end; the first that a check gives.
    pub halt: Option<String>,
    /// What went wrong on the way, for the log.
    pub faults: Vec<String>,
    /// Effects in the order of the checks.
    pub effects: Vec<Effect>,
    /// Every step that was asked, in order.
    pub trace: Vec<Traced<'p>>,
}

/// One step of the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traced<'p> {
    /// The handler.
    pub handler: &'p str,
    /// The check that it ran.
    pub check: &'static str,
    /// What the check said; `Skipped` when an earlier one made it pointless.
    pub said: StepResult,
}

/// What a step said, in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepResult {
    /// Nothing at all.
    Nothing,
    /// No verdict, but a context, a notice or effects.
    Something,
    /// A verdict.
    Verdict(Verdict),
    /// It was not asked: the call is refused already, or it could only have allowed a call that is asked about or rewritten.
    Skipped,
}

impl Finding {
    /// Text for the model and nothing else.
    pub(crate) fn advice(text: impl Into<String>) -> Self {
        Self { context: Some(Context { text: text.into(), plain: false }), ..Self::default() }
    }

    /// A refusal that says what to do instead.
    pub(crate) fn refusal(reason: impl Into<String>) -> Self {
        Self { verdict: Some(Verdict::Deny), reason: Some(reason.into()), ..Self::default() }
    }

    /// The same with these effects.
    #[must_use]
    pub(crate) fn with(mut self, effects: impl IntoIterator<Item = Effect>) -> Self {
        self.effects.extend(effects);
        self
    }
}

impl<'p> Outcome<'p> {
    /// Takes this verdict if it is stricter than the one so far. It comes from no handler and no rule.
    pub fn overrule(&mut self, verdict: Option<Verdict>, reason: &str) {
        self.firm.iter_mut().for_each(|firm| firm.overrule(verdict, reason));
        if verdict > self.verdict {
            self.firm = None;
            self.verdict = verdict;
            self.reason = Some(reason.to_owned());
            self.decided_by = None;
            self.rule = None;
        }
    }

    /// Puts what own protection says in the place of the verdict, as far as the user's word lifts it. The call runs as it was sent.
    pub fn lift(&mut self) {
        if let Some(firm) = self.firm.take() {
            let Self { verdict, decided_by, rule, reason, suggestion, .. } = *firm;
            *self = Self { verdict, decided_by, rule, reason, suggestion, rewrite: None, ..std::mem::take(self) };
        }
    }

    /// Adds what one step found.
    pub(crate) fn add(&mut self, handler: &'p str, check: &'static str, finding: Option<Finding>) {
        let Some(mut finding) = finding else {
            self.trace.push(Traced { handler, check, said: StepResult::Nothing });
            return;
        };
        let said = finding.verdict.map_or(StepResult::Something, StepResult::Verdict);
        self.trace.push(Traced { handler, check, said });
        if finding.verdict >= Some(Verdict::Ask) {
            // A check that refuses one thing only needs no other name for it.
            finding.rule.get_or_insert_with(|| check.to_owned());
        }
        self.join(Some(handler), finding);
    }

    /// Adds what one more step has against a call that is refused already. Advice on a call that does not happen is none.
    pub(crate) fn demand(&mut self, handler: &'p str, check: &'static str, finding: Option<Finding>) {
        let Some(finding) = finding.filter(|finding| finding.verdict == Some(Verdict::Deny)) else {
            self.trace.push(Traced { handler, check, said: StepResult::Nothing });
            return;
        };
        self.trace.push(Traced { handler, check, said: StepResult::Verdict(Verdict::Deny) });
        if let (Some(reason), Some(more)) = (&mut self.reason, &finding.reason) {
            reason.push('\n');
            reason.push_str(more);
        }
        self.suggestion = self.suggestion.take().or(finding.suggestion.clone());
        self.join(Some(handler), finding);
    }

    /// Adds what a checkpoint came to, after the decision.
    pub fn apply_gate_result(&mut self, finding: Finding) {
        let asked = self.trace.iter().find(|step| step.check == crate::check::HANDOFF);
        self.join(asked.map(|step| step.handler), finding);
    }

    fn join(&mut self, handler: Option<&'p str>, finding: Finding) {
        if finding.verdict > self.verdict {
            self.firm = None;
            self.verdict = finding.verdict;
            self.decided_by = handler;
            self.rule = finding.rule;
            self.reason = finding.reason;
            self.suggestion = finding.suggestion;
        }
        if self.rewrite.is_none() {
            self.rewrite = finding.rewrite;
        }
        self.context.extend(finding.context);
        self.notices.extend(finding.notice);
        self.feedback.extend(finding.feedback);
        if self.halt.is_none() {
            self.halt = finding.halt;
        }
        self.faults.extend(finding.faults);
        self.effects.extend(finding.effects);
    }
}
