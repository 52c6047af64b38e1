//! What every process has acknowledged, held against what is there at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::story::{CarriedOut, Disturbance, Step, World};
use crate::sandbox::{Sandbox, text_of};

/// The account of one worker, or of all.
#[derive(Default)]
pub(super) struct Account {
    steps: u64,
    killed: u64,
    /// Processes that said what they could not do.
    told: u64,
    times: Vec<Duration>,
    projects: BTreeMap<usize, Claims>,
    pub(super) faults: Vec<String>,
    /// What was found to be there, for the user.
    found: Vec<String>,
}

/// What must be, and what may be, in one project.
#[derive(Default)]
struct Claims {
    /// Deliveries of a call, by id: acknowledged ones and all.
    calls: BTreeMap<String, (u64, u64)>,
    /// The same for events without a call, by session and event.
    events: BTreeMap<(String, String), (u64, u64)>,
    /// Finished calls that a session must count, and may count.
    counted: BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)>,
}

impl Account {
    /// Takes a step that was carried out into account.
    pub(super) fn take(&mut self, world: &World, step: &Step, carried_out: &CarriedOut) {
        let output = &carried_out.output;
        let text = text_of(output);
        let killed = output.status.code().is_none();
        let may_die = matches!(step.disturbance, Disturbance::Killed(_));
        let mut fault = |what: &str| self.faults.push(format!("{what}: {step:?}: {text}"));
        match output.status.code() {
            None if !may_die => fault("ended by a signal that nobody sent"),
            Some(code) if step.refused && code != 2 => fault("a refused call was not refused"),
            Some(code) if !matches!(code, 0 | 2) => fault("an exit code that no hook has"),
            _ => {}
        }
        if output.stdout.starts_with(b"{") && serde_json::from_slice::<Value>(&output.stdout).is_err() && !killed {
            fault("an answer that is no JSON");
        }
        let told = ["hookbin could not", "hookbin cannot", "hookbin: "].iter().any(|words| text.contains(words));
        // An older version may say less of what it could not do.
        let full = matches!(step.disturbance, Disturbance::FullDisk(_));
        let acknowledged = !(killed || told || full && world.is_older(step.version));
        debug_assert!(step.project < world.projects.len(), "a project of the world");

        self.steps += 1;
        self.killed += u64::from(killed);
        self.told += u64::from(told);
        if step.disturbance == Disturbance::None {
            self.times.push(carried_out.time);
        }
        let claims = self.projects.entry(step.project).or_default();
        let slot = match &step.call {
            Some(call) => claims.calls.entry(call.clone()).or_default(),
            None => claims.events.entry((step.session.clone(), step.event.to_owned())).or_default(),
        };
        slot.0 += u64::from(acknowledged);
        slot.1 += 1;
        if let Some(call) = step.call.as_ref().filter(|_| step.event.starts_with("PostToolUse")) {
            let (must, may) = claims.counted.entry(step.session.clone()).or_default();
            may.insert(call.clone());
            if acknowledged {
                must.insert(call.clone());
            }
        }
    }

    /// Adds the account of another worker.
    pub(super) fn join(&mut self, other: Self) {
        self.steps += other.steps;
        self.killed += other.killed;
        self.told += other.told;
        self.times.extend(other.times);
        self.faults.extend(other.faults);
        for (project, claims) in other.projects {
            let whole = self.projects.entry(project).or_default();
            whole.calls.extend(claims.calls);
            for (key, (must, may)) in claims.events {
                let slot = whole.events.entry(key).or_default();
                *slot = (slot.0 + must, slot.1 + may);
            }
            for (session, (must, may)) in claims.counted {
                let slot = whole.counted.entry(session).or_default();
                slot.0.extend(must);
                slot.1.extend(may);
            }
        }
    }

    /// Holds the claims against what is in the projects.
    pub(super) fn settle(&mut self, world: &World) -> Result<()> {
        self.times.sort_unstable();
        for (number, project) in world.projects.iter().enumerate() {
            for arguments in [["log", "verify"], ["state", "verify"]] {
                let output = world.run(project, &arguments)?;
                let text = text_of(&output);
                if output.status.success() {
                    let last =
                        String::from_utf8_lossy(&output.stdout).trim_end().lines().next_back().map(str::to_owned);
                    self.found.push(format!("project {number}, {}: {}", arguments.join(" "), last.unwrap_or_default()));
                } else {
                    self.faults.push(format!("project {number}: {} finds {text}", arguments.join(" ")));
                }
            }
            let claims = self.projects.remove(&number).unwrap_or_default();
            let logged = Logged::of(project)?;
            self.found.push(format!("project {number}: {} records in {} files", logged.records, logged.files));
            self.settle_log(number, &claims, &logged);
            self.settle_state(number, &claims, project)?;
        }
        Ok(())
    }

    fn settle_log(&mut self, number: usize, claims: &Claims, logged: &Logged) {
        let mut judge = |what: String, (must, may): (u64, u64), there: u64| {
            if !(must..=may).contains(&there) {
                self.faults.push(format!(
                    "project {number}: {what} is {there} times in the log, acknowledged {must} times of {may}"
                ));
            }
        };
        for (call, claim) in &claims.calls {
            judge(call.clone(), *claim, logged.calls.get(call).copied().unwrap_or(0));
        }
        for (key, claim) in &claims.events {
            judge(format!("{} of {}", key.1, key.0), *claim, logged.events.get(key).copied().unwrap_or(0));
        }
    }

    fn settle_state(&mut self, number: usize, claims: &Claims, project: &Sandbox) -> Result<()> {
        let mut judge = |what: &str, must: usize, may: usize, there: Option<u64>| {
            let there = there.and_then(|there| usize::try_from(there).ok());
            if there.is_none_or(|there| !(must..=may).contains(&there)) {
                self.faults
                    .push(format!("project {number}: {what} counts {there:?} calls, acknowledged {must} of {may}"));
            } else {
                self.found.push(format!("project {number}: {what} counts {there:?} calls, {must} to {may} expected"));
            }
        };
        let state = project.project.join(".claude/hookbin/state/sessions");
        for (session, (must, may)) in &claims.counted {
            let document = read(&state.join(format!("{session}.json")))?;
            let there = document.pointer("/activity/action_count").and_then(Value::as_u64);
            judge(session, must.len(), may.len(), there);
        }
        let metrics = project.project.join(".claude-collective/metrics");
        if metrics.is_dir() {
            let mut sum = 0;
            for path in days(&metrics)? {
                sum += read(&path)?.pointer("/totals/calls").and_then(Value::as_u64).unwrap_or(0);
            }
            let of = |pick: fn(&(BTreeSet<String>, BTreeSet<String>)) -> usize| claims.counted.values().map(pick).sum();
            judge("the metrics", of(|claim| claim.0.len()), of(|claim| claim.1.len()), Some(sum));
        }
        Ok(())
    }
}

/// The daily files, also the archived ones.
fn days(dir: &Path) -> Result<Vec<std::path::PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).with_context(|| format!("list {}", dir.display()))? {
            let path = entry?.path();
            let is_day = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("metrics-2"));
            if path.is_dir() {
                open.push(path);
            } else if is_day {
                found.push(path);
            }
        }
    }
    Ok(found)
}

fn read(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not whole", path.display()))
}

/// What the log says.
#[derive(Default)]
struct Logged {
    records: u64,
    files: usize,
    calls: BTreeMap<String, u64>,
    events: BTreeMap<(String, String), u64>,
}

impl Logged {
    fn of(project: &Sandbox) -> Result<Self> {
        let mut logged = Self::default();
        let dir = project.project.join(".claude/hookbin/log");
        for entry in fs::read_dir(&dir).with_context(|| format!("list {}", dir.display()))? {
            let path = entry?.path();
            if path.extension().is_none_or(|extension| extension != "jsonl") {
                continue;
            }
            logged.files += 1;
            let bytes = fs::read(&path).with_context(|| format!("read {}", path.display()))?;
            for line in bytes.split(|byte| *byte == b'\n') {
                // A torn line is judged by `log verify`.
                let Ok(record) = serde_json::from_slice::<Value>(line) else { continue };
                let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
                logged.records += 1;
                if record.get("tool_use_id").is_some() {
                    *logged.calls.entry(text("tool_use_id")).or_default() += 1;
                } else {
                    *logged.events.entry((text("session"), text("event"))).or_default() += 1;
                }
            }
        }
        Ok(logged)
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |share: usize| self.times.get(self.times.len().saturating_sub(1) * share / 100).copied();
        let shown =
            |share| at(share).map_or_else(|| "none".to_owned(), |time| format!("{:.1} ms", time.as_secs_f64() * 1e3));
        writeln!(
            f,
            "{} steps, {} killed, {} with a word about what they could not do",
            self.steps, self.killed, self.told
        )?;
        writeln!(f, "undisturbed steps: median {}, p99 {}, longest {}", shown(50), shown(99), shown(100))?;
        for line in &self.found {
            writeln!(f, "{line}")?;
        }
        for fault in self.faults.iter().take(20) {
            writeln!(f, "FAULT: {fault}")?;
        }
        Ok(())
    }
}
