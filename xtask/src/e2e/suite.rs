//! Runs scenarios: one place, one stub model and one or more starts of the client each, then the claims.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::check::{Evidence, broken};
use super::client::{Client, MARK, is_older};
use super::drive::{Ran, drive};
use super::fault::Fault;
use super::place::{Place, Tools};
use super::scenario::{Run, Scenario, Step};
use super::stub::{Sent, Stub};
use crate::process;

/// How a scenario ended.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(rename_all = "snake_case", tag = "outcome", content = "lines")]
pub(crate) enum Outcome {
    /// Every claim holds.
    Held,
    /// A line for each claim that does not hold.
    Broken(Vec<String>),
    /// Why it was not run.
    Skipped(String),
}

/// A scenario that has run with one client.
#[derive(Serialize, Deserialize)]
pub(crate) struct Done {
    pub(crate) name: String,
    pub(crate) about: String,
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
    pub(crate) seconds: f64,
    /// The payloads that the harness's own hook saw, when it was asked to look, as they came.
    #[serde(skip)]
    pub(crate) payloads: String,
}

/// All that a suite is run with.
pub(crate) struct Suite<'a> {
    pub(crate) client: &'a Client,
    pub(crate) tools: Tools<'a>,
    pub(crate) plant: Option<Fault>,
    /// Whether payloads are kept of every scenario, not only where one makes claims about them.
    pub(crate) watch: bool,
    /// Scenarios that run at once.
    pub(crate) jobs: usize,
    /// Whether output is kept also of scenarios that hold.
    pub(crate) keep: bool,
    /// Where output is kept.
    pub(crate) kept: PathBuf,
    /// The temporary directory of the whole run.
    pub(crate) dir: PathBuf,
    /// The oldest client that reads the settings which hookbin writes.
    pub(crate) oldest: String,
    /// Names of the profiles that the executable has.
    pub(crate) profiles: Vec<String>,
}

impl Suite<'_> {
    /// Runs them all and reports each as it ends; the results are in the order given.
    pub(crate) fn run(&self, scenarios: &[Scenario], report: impl Fn(&Done) + Sync) -> Vec<Done> {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, Done)>> = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(scenario) = scenarios.get(index) else { break };
                        let result = self.one(scenario);
                        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                        report(&result);
                        done.push((index, result));
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, done)| done).collect()
    }

    fn one(&self, scenario: &Scenario) -> Done {
        let start = Instant::now();
        let mut payloads = String::new();
        let outcome = match self.why_not(scenario) {
            Some(why) => Outcome::Skipped(why),
            None => match self.play(scenario, &mut payloads) {
                Ok(problems) if problems.is_empty() => Outcome::Held,
                Ok(problems) => Outcome::Broken(problems),
                Err(error) => Outcome::Broken(vec![format!("{error:#}")]),
            },
        };
        let (name, about) = (scenario.name.clone(), scenario.about.clone());
        Done { name, about, outcome, seconds: start.elapsed().as_secs_f64(), payloads }
    }

    fn why_not(&self, scenario: &Scenario) -> Option<String> {
        if let Some(why) = &scenario.skip {
            return Some(why.clone());
        }
        let version = &self.client.version;
        if let Some(since) = scenario.since.as_deref().filter(|since| is_older(version, since)) {
            return Some(format!("seen to hold from client {since} on"));
        }
        if let Some(until) = scenario.until.as_deref().filter(|until| is_older(until, version)) {
            return Some(format!("seen to hold up to client {until}"));
        }
        if scenario.profile.is_some() && scenario.until.is_none() && is_older(version, &self.oldest) {
            return Some(format!("clients before {} drop the settings that hookbin writes", self.oldest));
        }
        let wanted = scenario.profile.as_deref().unwrap_or_default().split(',').filter(|name| !name.is_empty());
        let missing: Vec<&str> = wanted.filter(|name| !self.profiles.iter().any(|known| known == name)).collect();
        (!missing.is_empty()).then(|| format!("the executable has no profile {}", missing.join(", ")))
    }

    fn play(&self, scenario: &Scenario, payloads: &mut String) -> Result<Vec<String>> {
        // Output of an earlier run would be taken for this one's; there may be none.
        let _ = fs::remove_dir_all(self.kept_of(&scenario.name));
        let mut place = Place::new(&self.dir)?;
        let scenario = &scenario.at(&place.project, self.tools.harness, self.plant == Some(Fault::DroppedKey))?;
        place.fill(scenario, &self.tools, self.plant)?;
        let stub = Stub::start(&scenario.agents)?;
        let mark = place.project.display().to_string();
        let mut problems = Vec::new();
        let mut runs: Vec<Ran> = Vec::new();
        for run in &scenario.runs {
            stub.script(&run.turns);
            let session = runs.iter().rev().find_map(|ran| ran.session.clone()).unwrap_or_default();
            let ran = self.start(scenario, run, &session, &place, stub.port, &mark)?;
            let number = runs.len() + 1;
            problems.extend(of_run(run, &ran).into_iter().map(|problem| format!("run {number}: {problem}")));
            runs.push(ran);
        }
        let left = process::end_leftovers(MARK, &mark);
        problems.extend(left.into_iter().map(|process| format!("the run left a process: {process}")));

        *payloads = fs::read_to_string(&place.watched).unwrap_or_default();
        let seen: Vec<Value> = payloads.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let log_path = place.project.join(".claude/hookbin/log/audit.jsonl");
        let (mut log, mut state) = (Vec::new(), Value::Null);
        if scenario.profile.is_some() {
            log = json_lines(&log_path)?;
            match place.human(self.tools.hookbin, &["state", "show", "--project", "."]) {
                Ok(text) => state = serde_json::from_str(&text).context("read what `hookbin state show` prints")?,
                Err(error) if !scenario.expect.state.is_empty() => problems.push(format!("{error:#}")),
                Err(_) => {}
            }
            for command in ["log", "state"] {
                if let Err(error) = place.human(self.tools.hookbin, &[command, "verify", "--project", "."]) {
                    problems.push(format!("{error:#}"));
                }
            }
        }
        let printed: Vec<String> = runs.iter().map(|ran| ran.printed.clone()).collect();
        let sent = stub.sent();
        let evidence =
            Evidence { project: &place.project, sent: &sent, printed: &printed, log: &log, seen: &seen, state: &state };
        problems.extend(broken(&scenario.expect, &evidence));
        if scenario.profile.is_some()
            && self.plant.is_none()
            && let Err(error) = place.uninstall(self.tools.hookbin, scenario)
        {
            problems.push(format!("{error:#}"));
        }
        if self.keep || !problems.is_empty() {
            let kept = self.keep(&scenario.name, &runs, &sent, &evidence)?;
            if problems.is_empty() {
                return Ok(problems);
            }
            problems.push(format!("output kept in {}", kept.display()));
        }
        Ok(problems)
    }

    fn start(
        &self,
        scenario: &Scenario,
        run: &Run,
        session: &str,
        place: &Place,
        port: u16,
        mark: &str,
    ) -> Result<Ran> {
        let mut run = run.clone();
        for argument in &mut run.args {
            *argument = argument.replace("@SESSION@", session);
        }
        // Which mode a client starts in depends on its version and model.
        if !run.args.iter().any(|argument| argument == "--permission-mode") {
            run.args.extend(["--permission-mode", "default"].map(str::to_owned));
        }
        let mut command = self.client.command();
        command.current_dir(&place.project).env_clear().envs(place.environment(scenario, port, mark));
        if self.watch || !scenario.expect.seen.is_empty() {
            run.args.extend(place.watch_arguments());
        }
        for line in &run.before {
            place.shell(line)?;
        }
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let beside = scope.spawn(|| beside(&run.meanwhile, place, &over));
            let ran = drive(command, &run);
            over.store(true, Ordering::Relaxed);
            beside.join().unwrap_or_else(|_| bail!("the user's steps broke off"))?;
            ran
        })
    }

    fn kept_of(&self, name: &str) -> PathBuf {
        self.kept.join(&self.client.version).join(name)
    }

    /// Writes what a user needs to see why.
    fn keep(&self, name: &str, runs: &[Ran], sent: &[Sent], evidence: &Evidence<'_>) -> Result<PathBuf> {
        // Another run may keep the same scenario at the same time; each directory is of one run.
        let kept = self.kept_of(name);
        let dir = kept.with_file_name(format!("{name}.{}", std::process::id()));
        fs::create_dir_all(&dir).with_context(|| format!("create {}", dir.display()))?;
        let write = |name: &str, text: &str| {
            let path = dir.join(name);
            fs::write(&path, text).with_context(|| format!("write {}", path.display()))
        };
        for (index, ran) in runs.iter().enumerate() {
            let number = index + 1;
            write(&format!("run-{number}.out"), &ran.printed)?;
            write(&format!("run-{number}.err"), &ran.stderr)?;
        }
        let requests: Vec<String> =
            sent.iter().map(|sent| format!("{:?} {} {}", sent.kind, sent.path, sent.body)).collect();
        write("requests.txt", &requests.join("\n"))?;
        for (name, records) in [("log.jsonl", evidence.log), ("payloads.jsonl", evidence.seen)] {
            let lines: Vec<String> = records.iter().map(Value::to_string).collect();
            write(name, &lines.join("\n"))?;
        }
        write("state.json", &serde_json::to_string_pretty(evidence.state).unwrap_or_default())?;
        Ok(if fs::rename(&dir, &kept).is_ok() { kept } else { dir })
    }
}

/// Takes the user's steps, each when its file is there.
fn beside(steps: &[Step], place: &Place, over: &AtomicBool) -> Result<()> {
    for step in steps {
        while !place.project.join(&step.when).exists() {
            ensure!(!over.load(Ordering::Relaxed), "{} never was there, so `{}` was not typed", step.when, step.run);
            thread::sleep(Duration::from_millis(50));
        }
        place.shell(&step.run)?;
    }
    Ok(())
}

/// What a run itself has to be, whatever the scenario claims.
fn of_run(run: &Run, ran: &Ran) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(key) = &ran.stuck {
        found.push(format!("{key:?} never stood on the screen; it showed: {:?}", ran.printed));
    } else if ran.code.is_none() {
        found.push(format!("the client did not end within {} s, or was ended by a signal", run.timeout));
    }
    if ran.code.is_some_and(|code| code != run.exit) {
        let code = ran.code.unwrap_or_default();
        let said = [ran.stderr.trim(), ran.printed.trim()].concat();
        let tail: String = said.chars().skip(said.chars().count().saturating_sub(400)).collect();
        found.push(format!("the client ended with code {code}, not {}; at last it printed {tail:?}", run.exit));
    }
    if run.keys.is_empty() && ran.printed.trim().is_empty() {
        found.push(format!("the client printed nothing; on standard error {:?}", ran.stderr));
    }
    found
}

fn json_lines(path: &Path) -> Result<Vec<Value>> {
    let Ok(text) = fs::read_to_string(path) else { return Ok(Vec::new()) };
    let read = |line: &str| serde_json::from_str(line).with_context(|| format!("{}: no JSON: {line}", path.display()));
    text.lines().filter(|line| !line.trim().is_empty()).map(read).collect()
}
