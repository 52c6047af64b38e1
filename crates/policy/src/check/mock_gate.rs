//! `mock-gate`: tests mock the boundary of the project, not its inside.

use serde::{Deserialize, Serialize};

use super::written::{edited, strikes};
use super::{CheckContext, Step};
use crate::effect::StatusFileEdit;
use crate::finding::Finding;
use crate::source::Class;
use hook_shell::texts::mock::{Mocks, find};

/// The gate's name in file names.
const GATE: &str = "mock-gate";

/// Settings of `mock-gate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct MockGate {
    /// The strike from which on a write is refused; before it there is advice.
    pub deny_from: u32,
    /// Seconds after which strikes no longer count; 0 means never.
    pub forget_seconds: u32,
    /// A text that has this anywhere is let through.
    pub exempt: String,
}

impl Default for MockGate {
    fn default() -> Self {
        Self { deny_from: 2, forget_seconds: 14_400, exempt: "@mock-exempt".to_owned() }
    }
}

impl Step for MockGate {
    fn looks_at_a_file(&self) -> bool {
        true
    }

    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let written = ctx.written()?;
        if written.class != Class::Test {
            return None;
        }
        let exempt = !self.exempt.is_empty() && written.text.contains(&self.exempt);
        let mocks = if exempt { Mocks::None } else { find(&written.text, written.extension()) };
        let (count, epoch) = strikes(ctx.facts, GATE);
        let forgotten = ctx.facts.now().epoch - i64::from(self.forget_seconds);
        let old = self.forget_seconds > 0 && count > 0 && epoch < forgotten;
        let count = if old { 0 } else { count };
        let path = written.shown();
        let Mocks::Internal(what) = mocks else {
            // A file that is written whole without such mocks takes back what it has earned.
            let forgiven = written.whole && count > 0;
            return forgiven.then(|| Finding::default().with([edited(StatusFileEdit::Forgive { gate: GATE, path })]));
        };
        let strike = count.saturating_add(1);
        let what = crate::template::on_one_line(&what);
        let said = format!(
            "{path} mocks the project's own code ({what}). Test the real code, and mock only what lies outside the project: \
             network, database, file system, clock. Mark a test that has to do so with {}.",
            self.exempt
        );
        if strike >= self.deny_from {
            // The write does not happen, so it is no further strike.
            return Some(Finding::refusal(format!("{said} (strike {strike})")));
        }
        let earned = old.then(|| edited(StatusFileEdit::Expire { gate: GATE, before: forgotten }));
        let advice = format!("{said} Strike {strike}: from strike {} on it is refused.", self.deny_from);
        Some(Finding::advice(advice).with(earned).with([edited(StatusFileEdit::Strike { gate: GATE, path })]))
    }
}
