//! Looks back at what coding agents did: past sessions through a policy ([`run`]), an audit log as one HTML page ([`page`]) or in
//! forms that other programs read ([`export`]).
//!
//! [`run`] reads transcripts and audit logs and decides each past event again. What a session would have left behind lies in directories that
//! go with the replay; nothing that a project has recorded is touched.
//!
//! A transcript is what Claude Code keeps of a session: a file of one JSON document a line. A log is a directory that `hook-audit-log`
//! writes, such as `log/` in the directory of a [`hook_runtime::Runtime`].
#![forbid(unsafe_code)]

mod error;
pub mod export;
mod input;
pub mod page;
mod proposal;
mod recorded;
mod report;
pub mod selftest;
mod shape;
mod source;
mod tally;
mod world;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Instant;

use hook_policy::Verdict;
use hook_protocol::transcript::{Fate, Past};

use hook_runtime::installation::user::where_recorded;
use hook_runtime::project::Project;

pub use hook_runtime::system::System;
pub use {chrono, hook_audit_log, hook_runtime};

pub use error::Error;
pub use proposal::Proposal;
pub use report::{Difference, GroupShown, InputShown, Report, RuleShown, Side, Skipped, VERSION};
pub use tally::{Counts, Verdicts};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

use input::{Inputs, Log};
use recorded::{Live, key};
use report::Span;
use source::Merged;
use tally::Tally;
use world::{Said, World};

/// Differences that are listed; more are counted.
const LISTED: usize = 1_000;

/// Where the rules of a replay come from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// What is in force in each session's project today.
    InForce,
    /// These built-in profiles, with the configuration of each session's project. A name that is none is an error of [`run`].
    Profiles(Vec<String>),
    /// A configuration file in the place of the project's own. A fault in it is an error of [`run`].
    File(PathBuf),
}

impl Policy {
    /// One built-in profile, such as `standard`.
    pub fn profile(name: &str) -> Self {
        Self::Profiles(vec![name.to_owned()])
    }

    /// Its name for messages.
    pub fn name(&self) -> String {
        match self {
            Self::InForce => "in force".to_owned(),
            Self::Profiles(names) => names.join(" + "),
            Self::File(path) => path.display().to_string(),
        }
    }
}

/// What is to be replayed, and how.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Order {
    /// Transcripts, audit logs and directories of them.
    pub paths: Vec<PathBuf>,
    /// Whose rules decide.
    pub policy: Policy,
    /// A second policy that the first is held against.
    pub against: Option<Policy>,
    /// Compare with what was recorded when it happened.
    pub expect: bool,
    /// The project of all sessions, in place of the one that each names.
    pub project: Option<PathBuf>,
}

impl Order {
    /// Decides everything in `paths` by `policy`.
    pub fn new(paths: impl IntoIterator<Item = impl Into<PathBuf>>, policy: Policy) -> Self {
        let paths = paths.into_iter().map(Into::into).collect();
        Self { paths, policy, against: None, expect: false, project: None }
    }

    /// The same, held against a second policy.
    #[must_use]
    pub fn against(self, second: Policy) -> Self {
        Self { against: Some(second), ..self }
    }

    /// The same, held against what was answered at the time, as the audit log or else the transcript has it. A second policy goes before.
    #[must_use]
    pub fn expecting(self) -> Self {
        Self { expect: true, ..self }
    }

    /// The same with all sessions in this project.
    #[must_use]
    pub fn in_project(self, project: impl Into<PathBuf>) -> Self {
        Self { project: Some(project.into()), ..self }
    }
}

/// One event with where it came from.
pub(crate) struct Seen {
    past: Past,
    /// Microseconds since 1970, never earlier than that of the event before it in the same file.
    micros: i64,
    /// The verdict that was given when it happened; `None` where that is not recorded.
    live: Option<Live>,
    /// The record holds all that a decision may hang on.
    whole: bool,
    /// The project that the record itself names.
    root: Option<PathBuf>,
}

/// Replays everything that `order` names. `progress` is told after each event how many bytes were read so far, and how many there are
/// in all. The configuration in force, and what the user trusts, are those of `system`, which is [`System::of_process`] as a rule.
///
/// ```
/// use hook_replay::{Order, Policy, System, run};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// # let transcript = directory.path().join("session.jsonl");
/// # std::fs::write(&transcript, r#"{"type":"assistant","uuid":"1","sessionId":"s","cwd":"/tmp","timestamp":"2026-11-01T10:00:00.000Z",
/// # "message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"rm -rf ~"}}]}}"#.replace('\n', ""))?;
/// let order = Order::new([transcript], Policy::profile("standard")).against(Policy::profile("spf"));
/// let report = run(&order, &System::of_process(), &mut |_, _| {})?;
/// assert_eq!(report.verdicts.calls.deny, 1);
/// for it in &report.differences {
///     println!("{}: {} / {}", it.subject, it.first.verdict, it.second.verdict);
/// }
/// # Ok(())
/// # }
/// ```
pub fn run(order: &Order, system: &System, progress: &mut dyn FnMut(u64, u64)) -> Result<Report, Error> {
    let begin = Instant::now();
    let mut inputs = input::find(&order.paths, system)?;
    let mut replay = Replay::new(order, system)?;
    replay.report.inputs = InputShown::of(&inputs);
    // What was recorded is read first, so that a transcript can be held against it call by call.
    let mut live = HashMap::new();
    if order.expect {
        let mut logs: Vec<Log> = inputs.logs.clone();
        logs.extend(replay.own_logs(&inputs));
        for log in &logs {
            recorded::verdicts(log, &mut live)?;
        }
    }
    let total = inputs.bytes();
    let mut sessions = HashSet::new();
    let mut merged = Merged::open(std::mem::take(&mut inputs.transcripts));
    while let Some(mut seen) = merged.next() {
        sessions.insert(key(&[&session_of(&seen.past)]));
        seen.live =
            recorded::find(&live, &seen.past).or_else(|| if order.expect { by_fate(seen.past.fate) } else { None });
        replay.step(&seen);
        progress(merged.bytes(), total);
    }
    replay.report.inputs.take_from(&merged);
    for log in &inputs.logs {
        let before = merged.bytes();
        let told = recorded::each(log, &sessions, &mut |seen, bytes| {
            replay.step(&seen);
            progress(before + bytes, total);
        })?;
        replay.report.inputs.add_log(told);
    }
    Ok(replay.finish(begin, total))
}

/// What a transcript says by itself: a call that a hook refused, and calls that no hook refused.
fn by_fate(fate: Fate) -> Option<Live> {
    match fate {
        Fate::RefusedByHook => Some(Live::Refused),
        Fate::Ran | Fate::Failed => Some(Live::NotRefused),
        _ => None,
    }
}

fn session_of(past: &Past) -> String {
    past.event.common.session_id.as_ref().map(|id| id.as_str().into_owned()).unwrap_or_default()
}

/// A replay that goes on.
struct Replay<'o> {
    order: &'o Order,
    system: &'o System,
    first: World<'o>,
    second: Option<World<'o>>,
    tally: Tally,
    report: Report,
    /// Each session's project.
    roots: HashMap<u64, PathBuf>,
    /// Calls that were met; a forked or resumed session repeats those of the one before.
    met: HashSet<u64>,
    sessions: HashSet<u64>,
    span: Span,
}

impl<'o> Replay<'o> {
    fn new(order: &'o Order, system: &'o System) -> Result<Self, Error> {
        let second = order.against.as_ref().map(|policy| World::new(policy, system, false)).transpose()?;
        Ok(Self {
            order,
            system,
            first: World::new(&order.policy, system, true)?,
            second,
            tally: Tally::default(),
            report: Report::new(order),
            roots: HashMap::new(),
            met: HashSet::new(),
            sessions: HashSet::new(),
            span: Span::default(),
        })
    }

    /// The audit logs of the projects that the transcripts belong to.
    fn own_logs(&self, inputs: &Inputs) -> Vec<Log> {
        let mut roots: Vec<PathBuf> = match &self.order.project {
            Some(project) => vec![self.system.absolute_path(project)],
            None => {
                inputs.transcripts.iter().filter_map(|file| file.cwd.as_ref()).map(|cwd| self.root_of(cwd)).collect()
            }
        };
        roots.sort();
        roots.dedup();
        let logs = roots.into_iter().map(|root| where_recorded(Project::at(root), self.system).log());
        let logs = logs.filter(|log| log.is_dir());
        logs.filter(|log| !inputs.logs.iter().any(|known| known.is_at(log))).map(Log::Dir).collect()
    }

    /// The project of a working directory by the rule of all commands; a directory that is gone is its own project.
    fn root_of(&self, cwd: &str) -> PathBuf {
        let cwd = std::path::Path::new(cwd);
        let there = cwd.is_dir() || self.system.project_dir().is_some();
        let found = if there { Project::find(None, Some(cwd), self.system) } else { None };
        found.map_or_else(|| cwd.to_owned(), |project| project.root().to_owned())
    }

    fn root(&mut self, seen: &Seen, session: u64) -> PathBuf {
        if let Some(given) = &self.order.project {
            return self.system.absolute_path(given);
        }
        if let Some(root) = self.roots.get(&session) {
            return root.clone();
        }
        let cwd = seen.past.event.common.cwd.as_ref().map(|cwd| cwd.as_str().into_owned());
        let root = match cwd.filter(|cwd| cwd.starts_with('/')) {
            Some(cwd) => self.root_of(&cwd),
            None => match &seen.root {
                Some(root) => root.clone(),
                // Nothing says where it was: then it was here.
                None => Project::find(None, None, self.system)
                    .map_or_else(|| PathBuf::from("/nowhere"), |project| project.root().to_owned()),
            },
        };
        self.roots.insert(session, root.clone());
        root
    }

    fn step(&mut self, seen: &Seen) {
        let event = &seen.past.event;
        if let Some(id) = event.tool().and_then(|tool| tool.id.map(|id| id.as_str().into_owned()))
            && !self.met.insert(key(&[event.name().as_str(), &id]))
        {
            self.report.inputs.repeated += 1;
            return;
        }
        let session = session_of(&seen.past);
        let root = self.root(seen, key(&[&session]));
        let said = self.first.decide(seen, &root);
        self.report.events += 1;
        self.sessions.insert(key(&[&session]));
        self.span.widen(seen.micros);
        self.tally.add(seen, &said);
        if let Some(second) = &mut self.second {
            let other = second.decide(seen, &root);
            self.report.second_verdicts.count(other.verdict, seen);
            if other.verdict != said.verdict || other.rewrite != said.rewrite {
                self.differ(seen, said.side(), other.side());
            }
        } else if let Some(live) = seen.live {
            self.compare(seen, &said, live);
        }
    }

    /// Holds a verdict against what was recorded.
    fn compare(&mut self, seen: &Seen, said: &Said, live: Live) {
        let agrees = match live {
            Live::Verdict(verdict) => verdict == said.verdict,
            Live::Refused => said.verdict == Some(Verdict::Deny),
            Live::NotRefused => said.verdict != Some(Verdict::Deny),
        };
        self.report.compared += 1;
        match (agrees, seen.whole) {
            (true, _) => {}
            (false, true) => self.differ(seen, live.side(), said.side()),
            // The log holds neither contents nor prompts: what hangs on them cannot be decided again.
            (false, false) => self.report.undecidable += 1,
        }
    }

    fn differ(&mut self, seen: &Seen, first: Side, second: Side) {
        self.report.differences_total += 1;
        if self.report.differences.len() < LISTED {
            self.report.differences.push(Difference::new(seen, first, second));
        }
    }

    fn finish(mut self, begin: Instant, bytes: u64) -> Report {
        self.report.profiles = self.first.profiles();
        self.report.sessions = self.sessions.len();
        self.report.span = self.span.texts();
        self.report.take(&self.tally);
        self.report.notes.extend(self.first.notes());
        self.report.notes.extend(self.second.iter().flat_map(World::notes));
        self.report.proposals = proposal::propose(&self.tally, &self.first);
        self.report.bytes = bytes;
        self.report.elapsed = begin.elapsed();
        self.report
    }
}
