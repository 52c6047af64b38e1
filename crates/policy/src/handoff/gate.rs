//! The checkpoint between an agent and the next: dependencies, tests, build; what is to be run, and what follows from how it went.

use super::report::{self, Counts, Form};
use crate::effect::Effect;
use crate::finding::Finding;

/// A checkpoint to carry out. The caller runs the steps in order until one fails, and passes what happened to [`Gate::judge`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// The agent whose work is checked.
    pub agent: String,
    /// The directory to run in, absolute.
    pub dir: String,
    /// What to run, in order; empty where the project has neither tests nor a build.
    pub steps: Vec<Step>,
    /// Seconds for which a result holds while nothing changes.
    pub fresh_seconds: u32,
    /// A text log in the state directory.
    pub log: String,
    /// What follows when every step went well.
    pub passed: Box<Finding>,
    /// What follows when one did not; its reason ends with what the failed step said.
    pub failed: Box<Finding>,
    /// The same where a step's program is not installed: no agent can mend that by its work.
    pub unable: Box<Finding>,
}

/// One step of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it is for.
    pub kind: StepKind,
    /// Its name, for messages.
    pub name: String,
    /// The directory to run in, absolute.
    pub dir: String,
    /// The program and its arguments. [`REPORT`] in an argument stands for the file that takes the report.
    pub command: Vec<String>,
    /// Seconds that all steps of its kind have together; then it is ended, and has failed.
    pub seconds: u32,
    /// The form of its report; it stands in the file if an argument names [`REPORT`], else in the output.
    pub report: Option<Form>,
}

/// What a step is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// It puts dependencies in place.
    Install,
    /// It runs tests.
    Test,
    /// It builds.
    Build,
}

impl StepKind {
    /// Its name in the settings: `NAME` and `NAME_seconds`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Install => "install",
            Self::Test => "test",
            Self::Build => "build",
        }
    }
}

/// Stands for the path of the report in a step's arguments.
pub const REPORT: &str = "{report}";

/// How a step went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub end: StepEnd,
    /// The end of its output.
    pub output: String,
    /// The report, where the step writes one to a file.
    pub report: Option<String>,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepEnd {
    /// By itself, with this status.
    Exited(i32),
    /// It took too long, and was ended.
    TimedOut,
    /// A signal ended it.
    Killed,
    /// Its program is not installed.
    Missing,
    /// Nobody trusts the project's programs, or what says what they run has changed. The output says which.
    Barred,
    /// It could not be started.
    Broken,
}

/// Why a step did not go well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// Tests failed, it did not build, it took too long.
    Failed,
    /// It found no test to run. Beside other tests that ran that is nothing bad.
    Empty,
    /// Its program is not installed.
    Missing,
    /// Its program may not be started.
    Barred,
}

/// The exit status by which `pytest` says that it found no test.
const PYTEST_EMPTY: i32 = 5;

impl Step {
    /// What is wrong, in words for the agent; `None` when the step went well.
    ///
    /// The exit status decides, and the report where there is one. What the output says in words decides nothing.
    pub fn fault(&self, ran: &Ran) -> Option<(Why, String)> {
        let empty = || Some((Why::Empty, format!("{}: it found no test to run", self.name)));
        let what = &self.name;
        let counts = self.report.and_then(|form| report::read(form, ran.report.as_deref().unwrap_or(&ran.output)));
        let head = match (ran.end, &counts) {
            (StepEnd::Exited(0), Some(Counts { failed: 1.., .. }))
            | (StepEnd::Exited(1..), Some(Counts { failed: 1.., .. })) => {
                let counts = counts.clone().unwrap_or_default();
                let names: Vec<&str> = counts.names.iter().take(3).map(String::as_str).collect();
                let more = counts.failed.saturating_sub(names.len() as u64);
                let list = match (names.is_empty(), more) {
                    (true, _) => String::new(),
                    (false, 0) => format!(": {}", names.join(", ")),
                    (false, more) => format!(": {} and {more} more", names.join(", ")),
                };
                let text = format!("{what}: {} of {} tests failed{list}", counts.failed, counts.ran);
                return Some((Why::Failed, text));
            }
            (StepEnd::Exited(0), Some(Counts { ran: 0, .. })) if self.kind == StepKind::Test => return empty(),
            (StepEnd::Exited(PYTEST_EMPTY), _) if self.command.first().is_some_and(|name| name == "pytest") => {
                return empty();
            }
            (StepEnd::Exited(0), _) => return None,
            (StepEnd::Exited(status), _) => format!("{what} ended with status {status}"),
            (StepEnd::TimedOut, _) => format!(
                "{what} took longer than the {} s of `{}_seconds` and was ended",
                self.seconds,
                self.kind.name()
            ),
            (StepEnd::Killed, _) => format!("{what} was ended by a signal"),
            (StepEnd::Missing, _) => {
                let program = self.command.first().map_or("", String::as_str);
                return Some((Why::Missing, format!("{what}: the program `{program}` is not installed")));
            }
            (StepEnd::Barred, _) => return Some((Why::Barred, format!("{what}: {}", ran.output))),
            (StepEnd::Broken, _) => return Some((Why::Failed, format!("{what} could not be started"))),
        };
        let last: Vec<&str> = ran.output.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        let last = last.get(last.len().saturating_sub(5)..).unwrap_or_default();
        let last: Vec<String> = last.iter().map(|line| crate::template::on_one_line(line)).collect();
        Some((Why::Failed, if last.is_empty() { head } else { format!("{head}:\n{}", last.join("\n")) }))
    }
}

impl Gate {
    /// What follows from the checkpoint. `fault` is what the first failed step said, `None` when all went well; `missing` says that it
    /// failed because its program is not installed.
    pub fn judge(self, fault: Option<&str>, missing: bool) -> Finding {
        let Some(fault) = fault else { return *self.passed };
        let mut finding = if missing { *self.unable } else { *self.failed };
        let with = |text: &mut String| {
            text.push('\n');
            text.push_str(fault);
        };
        finding.reason.iter_mut().for_each(with);
        finding.notice.iter_mut().for_each(with);
        finding.halt.iter_mut().for_each(with);
        finding.context.iter_mut().for_each(|context| with(&mut context.text));
        for effect in &mut finding.effects {
            if let Effect::Routing(super::Change::Wait(waiting)) = effect {
                with(&mut waiting.text);
            }
        }
        finding
    }
}

/// The name of an agent as part of a file's name: letters, digits and hyphens, at most 64.
pub fn file_name(agent: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c.to_ascii_lowercase() } else { '_' };
    let name: String = agent.chars().map(safe).take(64).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}
