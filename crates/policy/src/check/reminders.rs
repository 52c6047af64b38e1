//! `reminders`: what a session is told before its context is full, when it has no status, and before it ends.

use hook_protocol::event::Body;
use serde::{Deserialize, Serialize};

use super::offer::is_offered;
use super::{CheckContext, Step};
use crate::context::{Fullness, Windows};
use crate::effect::Effect;
use crate::finding::{Context, Finding};
use crate::registry::{Change, Session};
use crate::verdict::Verdict;

/// Settings of `reminders`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Reminders {
    /// How large the models' windows are.
    pub window: Windows,
    /// Warnings for prompts; the model gets the text, the user the notice.
    pub prompt: Vec<Level>,
    /// Warnings for stops, by which the model goes on once more.
    pub stop: Vec<Level>,
    /// MCP servers with tools for the session itself; without one, nothing is ordered that needs such a tool.
    pub servers: Vec<String>,
    /// Those tools; `*` stands for any text. Without any named here, all is ordered.
    pub tools: Vec<String>,
    /// Modes in which nobody watches.
    pub autonomous_modes: Vec<String>,
    /// By how many percent the levels of stops lie lower there.
    pub autonomous_lower: u8,
    /// What is added there.
    pub autonomous_note: String,
    /// The reminder of a session without a status; empty for none.
    pub status: String,
    /// Seconds after the session's start from which it is given.
    pub status_after: u32,
    /// Seconds after which it is given again.
    pub status_pause: u32,
    /// Modes in which a session tells its parent that it ends.
    pub ping_modes: Vec<String>,
    /// The reminder of that, given once.
    pub ping: String,
}

/// A warning from so many percent on. In its texts `{percent}` stands for the percentage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Percent of the window, 1 to 100.
    pub percent: u8,
    /// What the model is told.
    pub text: String,
    /// What the model is told instead where a server offers the tools of the session.
    #[serde(default)]
    pub with_server: String,
    /// What the user is told.
    #[serde(default)]
    pub notice: String,
}

/// Percent by which the usage has to be below a level that was warned of before its warnings can come again. Usage goes up and down a
/// little by itself.
const DROP: u8 = 10;

/// A warning that is due.
struct Due {
    text: String,
    notice: Option<String>,
}

impl Step for Reminders {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        match &ctx.event.body {
            Body::UserPromptSubmit(_) => self.on_prompt(ctx),
            // A stop that a hook has put off already ends now.
            Body::Stop(_) if !ctx.event.stop_hook_active() => self.on_stop(ctx),
            _ => None,
        }
    }
}

impl Reminders {
    fn on_prompt(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let session = ctx.facts.registered();
        let now = ctx.facts.now().epoch;
        let (due, level) = self.due(&self.prompt, 0, session.prompt_level, ctx);
        let mut finding = Finding::default();
        finding.effects.extend(level.map(|level| Effect::Registry(Change::PromptLevel(level))));
        let mut texts = Vec::new();
        if let Some(due) = due {
            texts.push(due.text);
            finding.notice = due.notice;
        }
        if self.wants_status(&session, now) && self.has_tools(ctx) {
            texts.push(self.status.clone());
            finding.effects.push(Effect::Registry(Change::StatusReminded));
        }
        // A warning stands before everything else.
        finding.context = (!texts.is_empty()).then(|| Context { text: texts.join("\n\n"), plain: true });
        (finding != Finding::default()).then_some(finding)
    }

    fn wants_status(&self, session: &Session, now: i64) -> bool {
        !self.status.is_empty()
            && !session.has_status
            && session.started > 0
            && now.saturating_sub(session.started) >= i64::from(self.status_after)
            && (session.reminded == 0 || now.saturating_sub(session.reminded) >= i64::from(self.status_pause))
    }

    fn on_stop(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let session = ctx.facts.registered();
        let is_one_of = |modes: &[String]| modes.iter().any(|mode| mode == session.mode());
        let alone = is_one_of(&self.autonomous_modes);
        let lower = if alone { self.autonomous_lower } else { 0 };
        let (due, level) = self.due(&self.stop, lower, session.stop_level, ctx);
        let mut finding = Finding::default();
        finding.effects.extend(level.map(|level| Effect::Registry(Change::StopLevel(level))));
        let mut texts = Vec::new();
        if let Some(due) = due {
            texts.push(due.text);
            texts.extend(Some(self.autonomous_note.clone()).filter(|note| alone && !note.is_empty()));
            finding.notice = due.notice;
        }
        // Both go out with one stop: the next one is not put off again.
        if !session.pinged && !self.ping.is_empty() && is_one_of(&self.ping_modes) && self.has_tools(ctx) {
            texts.push(self.ping.clone());
            finding.effects.push(Effect::Registry(Change::Pinged(true)));
        }
        if !texts.is_empty() {
            finding.verdict = Some(Verdict::Deny);
            finding.reason = Some(texts.join("\n\n"));
        }
        (finding != Finding::default()).then_some(finding)
    }

    /// Whether a server offers the tools of the session, or nobody says which these are.
    fn has_tools(&self, ctx: &CheckContext<'_>) -> bool {
        self.tools.is_empty() || is_offered(&self.servers, self.tools.iter(), ctx)
    }

    fn fullness(&self, ctx: &CheckContext<'_>) -> Fullness {
        let transcript = ctx.event.common.transcript_path.as_ref().map(|path| path.as_str());
        let context = ctx.facts.context_use(transcript.as_deref().unwrap_or_default());
        context.fullness(&self.window, ctx.facts.now().epoch)
    }

    /// The warning that is due after the one of level `known`, and the level to remember if it is another one.
    fn due(&self, levels: &[Level], lower: u8, known: u8, ctx: &CheckContext<'_>) -> (Option<Due>, Option<u8>) {
        let percent = match self.fullness(ctx) {
            Fullness::Unknown => return (None, None),
            Fullness::Emptied => 0,
            Fullness::Percent(percent) => percent,
        };
        let since = if percent.saturating_add(DROP) < known { 0 } else { known };
        let crossed = levels
            .iter()
            .map(|level| (level.percent.saturating_sub(lower), level))
            .filter(|(from, level)| level.percent > 0 && *from <= percent)
            .max_by_key(|(from, _)| *from);
        let news = crossed.filter(|(from, _)| *from > since);
        let fill = |text: &str| text.replace("{percent}", &percent.to_string());
        let due = news.map(|(_, level)| {
            let orders_tool = !level.with_server.is_empty() && self.has_tools(ctx);
            let text = fill(if orders_tool { &level.with_server } else { &level.text });
            Due { text, notice: Some(fill(&level.notice)).filter(|notice| !notice.is_empty()) }
        });
        let level = news.map_or(since, |(from, _)| from);
        (due, Some(level).filter(|level| *level != known))
    }
}
