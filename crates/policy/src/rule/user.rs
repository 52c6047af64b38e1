//! A user's or a team's own rules: written in configuration, proven by their examples, resolved once.

use hook_protocol::native::NativeTool;
use std::cell::Cell;

use hook_protocol::event::{Event, EventName};
use regex_syntax::hir::literal::{ExtractKind, Extractor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::facts::Facts;
use crate::one_or_many::one_or_many;
use hook_shell::resolve::taint::glob;
use hook_shell::resolve::{Effects, Run};

/// What a rule does when it fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Then {
    /// The call is refused.
    Deny,
    /// The user is asked.
    Ask,
    /// The model is told the reason; the call goes on.
    Advise,
    /// The program that fits is replaced, with its arguments, by `suggest`, in which `{args}` stands for the arguments as they were
    /// written; everything else of the call stays.
    Rewrite,
    /// The call runs without the host's own question, unless something else refuses it or asks. A command line is allowed only if
    /// rules that allow name every program on it, and it sets no variable and writes no file by redirection.
    Allow,
}

/// `key = "a"` or `key = ["a", "b"]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Globs(#[cfg_attr(feature = "schema", schemars(schema_with = "crate::one_or_many::schema"))] pub Vec<String>);

impl<'de> Deserialize<'de> for Globs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The compiled profile knows one form only.
        if !deserializer.is_human_readable() {
            return Vec::deserialize(deserializer).map(Self);
        }
        one_or_many(deserializer).map(Self)
    }
}

impl Globs {
    fn any(&self, text: &str) -> bool {
        self.0.iter().any(|pattern| glob(pattern, text))
    }
}

/// Conditions over the session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct When {
    /// The last prompt's tier is at least this one, by its name.
    pub tier_at_least: Option<String>,
    /// So many tool calls have finished in the session.
    pub actions_at_least: Option<u64>,
    /// The call comes from a subagent, or does not.
    pub in_subagent: Option<bool>,
    /// The host's permission mode is one of these.
    pub permission_mode: Globs,
}

/// A rule as configuration says it. A condition that is not given always holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UserRule {
    /// Its name, unique among all rules.
    pub id: String,
    /// The event; PreToolUse unless said otherwise.
    #[serde(default = "pre_tool_use")]
    pub event: String,
    /// Tools, as the host's matchers write them: `Bash`, `Edit|Write`, `mcp__.*`. Empty means all.
    #[serde(default)]
    pub tool: String,
    /// Globs over the program that really runs: through `sudo`, `env`, `bash -c`, `xargs`, `ssh` and the like.
    #[serde(default)]
    pub program: Globs,
    /// Globs of which each fits some argument of that program.
    #[serde(default)]
    pub args: Globs,
    /// Globs that fit none of its arguments.
    #[serde(default)]
    pub not_args: Globs,
    /// Globs over the file of a file tool; `**` and `*` stand for any text, separators included.
    #[serde(default)]
    pub path: Globs,
    /// Globs over the whole text: the command, the prompt, or what is written.
    #[serde(default)]
    pub text: Globs,
    /// A regular expression over the whole text. It is compiled only when the other conditions hold.
    #[serde(default)]
    pub matches: Option<String>,
    /// Conditions over the session.
    #[serde(default)]
    pub when: When,
    /// What happens.
    pub then: Then,
    /// Why, for the model and the user.
    pub reason: String,
    /// What to use instead.
    #[serde(default)]
    pub suggest: Option<String>,
    /// Commands, paths or prompts on which it fires.
    #[serde(alias = "fires")]
    pub should_match: Vec<String>,
    /// Neighbours on which it does not.
    #[serde(alias = "spares")]
    pub should_not_match: Vec<String>,
    /// The line in its file.
    #[serde(skip)]
    pub line: usize,
    /// Texts of which one stands in whatever `matches` fits; found when the rule is read, so that the pattern is compiled only for
    /// texts that hold one. Empty if there is none.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub(crate) required_literals: Vec<String>,
}

fn pre_tool_use() -> String {
    EventName::PreToolUse.as_str().to_owned()
}

/// What a rule is held against.
pub(crate) struct Subject<'s> {
    pub(crate) event: &'s Event<'s>,
    pub(crate) report: &'s Effects,
    pub(crate) facts: &'s dyn Facts,
}

/// A rule that fits, and the program that it fits on, if it is about one.
pub(crate) struct Fit<'r> {
    pub(crate) rule: &'r UserRule,
    pub(crate) run: Option<Run>,
}

impl UserRule {
    /// What is wrong with the rule itself, and with which of its keys; nothing is run for it.
    pub(crate) fn fault(&self) -> Option<(&'static str, String)> {
        let id = &self.id;
        let plain =
            |id: &str| !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        if !plain(id) {
            return Some((
                "id",
                format!(
                    "a rule's `id` is made of letters, digits, `-`, `_` and `.`, and not empty; this one is {id:?}"
                ),
            ));
        }
        if self.should_match.is_empty() || self.should_not_match.is_empty() {
            return Some((
                if self.should_match.is_empty() { "should_match" } else { "should_not_match" },
                format!("rule `{id}` needs at least one example in `should_match` and one in `should_not_match`"),
            ));
        }
        if self.reason.trim().is_empty() {
            return Some(("reason", format!("rule `{id}` needs a `reason`")));
        }
        if self.then == Then::Rewrite && (self.suggest.is_none() || self.program.0.is_empty()) {
            return Some((
                "then",
                format!("rule `{id}` rewrites, so it needs a `program` and the command in `suggest`"),
            ));
        }
        // A glob of stars alone fits everything, and so does a pattern that fits the empty text.
        let globs = [&self.program, &self.args, &self.not_args, &self.path, &self.text];
        let narrow = globs
            .iter()
            .any(|globs| !globs.0.is_empty() && !globs.0.iter().any(|glob| glob.trim_matches('*').is_empty()));
        let pattern = self.matches.as_deref().is_some_and(|pattern| !fits_nothing(pattern));
        let tool = !matches!(self.tool.as_str(), "" | "*");
        if !narrow && !pattern && !tool && self.when == When::default() {
            return Some((
                "id",
                format!("rule `{id}` has no condition that anything fails, so it would fit every call"),
            ));
        }
        let for_shell = || {
            let matcher = hook_protocol::matcher::Matcher::parse(&self.tool);
            !tool || NativeTool::command_names().any(|shell| matcher.matches(shell))
        };
        if self.then == Then::Allow && self.program.0.is_empty() && self.path.0.is_empty() && for_shell() {
            return Some(("then", format!("rule `{id}` allows commands, so it has to name the `program`")));
        }
        if let Some(pattern) = &self.matches
            && let Err(error) = regex(pattern)
        {
            return Some((
                "matches",
                format!("`matches` of rule `{id}` is no regular expression: {}", one_line(&error.to_string())),
            ));
        }
        let event = EventName::from(self.event.as_str());
        match event {
            EventName::PreToolUse => {}
            EventName::PostToolUse if self.then == Then::Advise => {}
            EventName::PostToolUse => {
                return Some(("event", format!("rule `{id}`: after a tool has run it can only advise")));
            }
            EventName::UserPromptSubmit if matches!(self.then, Then::Advise | Then::Deny) => {
                let about_tools = !self.program.0.is_empty()
                    || !self.args.0.is_empty()
                    || !self.path.0.is_empty()
                    || !self.tool.is_empty();
                if about_tools {
                    return Some(("event", format!("rule `{id}`: a prompt has no tool, program, arguments or path")));
                }
            }
            EventName::UserPromptSubmit => {
                return Some(("event", format!("rule `{id}`: a prompt can be refused or advised on, nothing else")));
            }
            _ => {
                return Some((
                    "event",
                    format!(
                        "rule `{id}` is on `{}`; rules work on PreToolUse, PostToolUse and UserPromptSubmit",
                        self.event
                    ),
                ));
            }
        }
        if let Some(tier) = &self.when.tier_at_least
            && tier_rank(tier).is_none()
        {
            return Some(("when", format!("rule `{id}`: `tier_at_least` is {tier:?}; tiers are {}", TIERS.join(", "))));
        }
        None
    }

    /// Whether the rule fits, and on which program.
    pub(crate) fn fit<'r>(&'r self, subject: &Subject<'_>) -> Option<Fit<'r>> {
        let event = subject.event;
        if event.name().as_str() != self.event {
            return None;
        }
        let run = if self.program.0.is_empty() && self.args.0.is_empty() && self.not_args.0.is_empty() {
            None
        } else {
            Some(subject.report.runs.iter().find(|run| self.fits_run(run))?.clone())
        };
        let tool = event.tool();
        if !self.tool.is_empty() {
            let name = tool.as_ref()?;
            let matcher = hook_protocol::matcher::Matcher::parse(&self.tool);
            if !matcher.matches(&name.name) && !matcher.matches(name.canonical_name()) {
                return None;
            }
        }
        if !self.path.0.is_empty() && !self.path.any(&tool.as_ref()?.touched_path()?) {
            return None;
        }
        if !self.text.0.is_empty() || self.matches.is_some() {
            let text = text_of(event)?;
            if !self.text.0.is_empty() && !self.text.0.iter().any(|pattern| glob(&format!("*{pattern}*"), &text)) {
                return None;
            }
            if !self.required_literals.is_empty()
                && !self.required_literals.iter().any(|needle| text.contains(needle.as_str()))
            {
                return None;
            }
            if let Some(pattern) = &self.matches
                && !regex(pattern).is_ok_and(|regex| regex.is_match(&text))
            {
                return None;
            }
        }
        self.when.holds(subject).then_some(Fit { rule: self, run })
    }

    pub(crate) fn fits_run(&self, run: &Run) -> bool {
        let seen = |pattern: &String| run.args.iter().any(|arg| glob(pattern, arg));
        (self.program.0.is_empty() || self.program.any(&run.program))
            && self.args.0.iter().all(seen)
            && !self.not_args.0.iter().any(seen)
    }
}

/// The text that a rule's `text` and `matches` look at.
pub(super) fn text_of(event: &Event<'_>) -> Option<String> {
    use hook_protocol::event::Body;
    use hook_protocol::tool::ToolInput;
    if let Body::UserPromptSubmit(submit) = &event.body {
        return submit.prompt.as_ref().map(|prompt| prompt.as_str().into_owned());
    }
    let tool = event.tool()?;
    if let Some(command) = tool.command() {
        return Some(command.into_owned());
    }
    match tool.parsed_as_native() {
        ToolInput::Write(input) => input.content.map(|content| content.as_str().into_owned()),
        ToolInput::Edit(input) => {
            let steps = input.edits.iter().flatten().filter_map(|step| step.new_string.as_ref());
            let texts: Vec<String> =
                input.new_string.iter().chain(steps).map(|text| text.as_str().into_owned()).collect();
            Some(texts.join("\n"))
        }
        _ => Some(tool.input.text().to_owned()),
    }
}

thread_local! {
    static COMPILED: Cell<u64> = const { Cell::new(0) };
}

/// How many patterns of rules this thread has compiled: the costly part of a decision, and none of a usual one.
pub fn patterns_compiled() -> u64 {
    COMPILED.get()
}

/// A user's pattern, with a bound on what it may grow to.
pub(crate) fn regex(pattern: &str) -> Result<regex::Regex, regex::Error> {
    COMPILED.set(COMPILED.get() + 1);
    regex::RegexBuilder::new(pattern).size_limit(1 << 20).build()
}

/// Whether a pattern fits the empty text.
fn fits_nothing(pattern: &str) -> bool {
    super::pattern::fits_nothing(pattern).unwrap_or_else(|| regex(pattern).is_ok_and(|regex| regex.is_match("")))
}

/// Texts of which one stands in every text that the pattern fits.
pub(crate) fn required_literals(pattern: &str) -> Vec<String> {
    let Ok(hir) = regex_syntax::parse(pattern) else { return Vec::new() };
    [ExtractKind::Prefix, ExtractKind::Suffix]
        .into_iter()
        .find_map(|kind| {
            let found = Extractor::new().kind(kind).limit_total(64).extract(&hir);
            let literals = found.literals()?;
            let texts: Option<Vec<String>> =
                literals.iter().map(|literal| String::from_utf8(literal.as_bytes().to_vec()).ok()).collect();
            texts.filter(|texts| !texts.is_empty() && texts.iter().all(|text| text.len() > 1))
        })
        .unwrap_or_default()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The tiers of the complexity engine, from the lowest.
const TIERS: &[&str] = &["SIMPLE", "LIGHT", "MEDIUM", "CRITICAL"];

fn tier_rank(tier: &str) -> Option<usize> {
    TIERS.iter().position(|known| known.eq_ignore_ascii_case(tier))
}

impl When {
    fn holds(&self, subject: &Subject<'_>) -> bool {
        if let Some(wanted) = &self.tier_at_least {
            let tier = subject
                .facts
                .complexity()
                .map(|complexity| complexity.tier.to_owned())
                .or_else(|| subject.facts.remembered_tier());
            let high_enough = tier
                .and_then(|tier| tier_rank(&tier))
                .zip(tier_rank(wanted))
                .is_some_and(|(tier, wanted)| tier >= wanted);
            if !high_enough {
                return false;
            }
        }
        if self.actions_at_least.is_some_and(|wanted| subject.facts.session().actions < wanted) {
            return false;
        }
        if self.in_subagent.is_some_and(|wanted| subject.event.in_subagent() != wanted) {
            return false;
        }
        let mode = subject.event.common.permission_mode.as_ref().map(ToString::to_string);
        self.permission_mode.0.is_empty() || mode.is_some_and(|mode| self.permission_mode.any(&mode))
    }
}
