//! `test-gate`: while tests fail, work does not go on elsewhere.

use hook_protocol::own_path;
use serde::{Deserialize, Serialize};

use super::test_run::runner;
use super::written::{edited, fails_since, note_file, put, result_words, session_changes, strikes, tests};
use super::{CheckContext, Step};
use crate::effect::StatusFileEdit;
use crate::evidence::TestResult;
use crate::finding::Finding;
use crate::source::Class;

/// The gate's name in file names.
const GATE: &str = "test-gate";

/// The mark that the session has been told that there is no test status.
const TOLD: &str = ".test-gate-cold-warned";

/// Settings of `test-gate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TestGate {
    /// The strike from which on a write is refused; before it there is advice.
    pub deny_from: u32,
    /// Seconds for which a failed run counts.
    pub fresh_seconds: u32,
    /// Files that this session has changed already may go on changing: the fault is probably in them, and somebody has to mend it.
    pub spare_own_changes: bool,
}

impl Default for TestGate {
    fn default() -> Self {
        Self { deny_from: 2, fresh_seconds: 600, spare_own_changes: true }
    }
}

impl Step for TestGate {
    fn looks_at_a_file(&self) -> bool {
        true
    }

    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let written = ctx.written()?;
        if written.class != Class::Source {
            return None;
        }
        let facts = ctx.facts;
        let Some(status) = tests(facts, written.repository(facts).as_ref()) else {
            let cold = note_file(facts, TOLD).is_none() && runner(facts, written).is_some();
            return cold.then(|| {
                let said = "No test run is recorded yet. Tests run by themselves after a change; wait for them before a commit.";
                Finding::advice(said).with([put(TOLD, "told")])
            });
        };
        let (count, _) = strikes(facts, GATE);
        if status.result == TestResult::Pass {
            let forgiven = (count > 0).then(|| edited(StatusFileEdit::Remove { file: format!(".{GATE}-strikes") }));
            return forgiven.map(|effect| Finding::default().with([effect]));
        }
        if !fails_since(facts, &status, self.fresh_seconds) {
            return None;
        }
        let path = written.shown();
        let failing = result_words(&status);
        if self.spare_own_changes && session_changes(facts).contains(&written.path) {
            return Some(Finding::advice(format!(
                "In this project {failing}. Mend that before you go on with anything else."
            )));
        }
        let strike = count.saturating_add(1);
        if strike >= self.deny_from {
            return Some(Finding::refusal(format!(
                "In this project {failing}, so {path} has to wait (strike {strike}). Mend what fails first, in tests or in files that this \
                 session has changed; {} shows the last run.",
                own_path!(".test-runner.out")
            )));
        }
        let said = format!(
            "In this project {failing}. Mend that first; strike {strike}, and from strike {} on changes elsewhere are refused.",
            self.deny_from
        );
        Some(Finding::advice(said).with([edited(StatusFileEdit::Strike { gate: GATE, path })]))
    }
}
