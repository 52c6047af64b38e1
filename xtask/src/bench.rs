//! `cargo xtask bench`: whole hook processes, spawn to exit, against a program that does nothing.

pub(crate) mod baseline;
mod growth;
pub(crate) mod measure;
pub(crate) mod recorded;
mod report;
pub(crate) mod scenario;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;
use xshell::{Shell, cmd};

use self::baseline::Baseline;
use self::growth::Growth;
use self::measure::Tools;
use self::report::{Line, Measured, Round, Row};
use self::scenario::Scenario;
use crate::build;
use crate::sandbox::{Launch, Sandbox, profiles};
use crate::workspace::{self, Gate};

/// Arguments of `bench`.
#[derive(Args)]
pub(crate) struct Bench {
    /// Timed rounds of each scenario.
    #[arg(long, default_value_t = 400, value_name = "N")]
    runs: usize,
    /// Only the scenarios and series whose name contains this. Series are `payload`, `payload-pre`, `command`, `tracked`, `log`,
    /// `rules-bash`, `rules-write`, `rules-refused`, `at-once`, and `events-` with the name of a profile.
    #[arg(long, default_value = "", value_name = "PATTERN")]
    only: String,
    /// Keep the rounds and the table under `benches/runs/`.
    #[arg(long)]
    save: bool,
    /// Make the counts of this run the ones that later runs are held against.
    #[arg(long)]
    baseline: bool,
    /// Measure this executable instead of building one, to compare two builds.
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    hookbin: Option<PathBuf>,
    /// Also measure every event under every profile, what grows with a project, and processes at once; takes a quarter of an hour.
    #[arg(long)]
    full: bool,
    /// Leave out the series that today's directory under `benches/runs/` has already.
    #[arg(long, requires = "save")]
    resume: bool,
    /// Time this command as well, in the same project on the same payloads; `sh -c` runs it.
    #[arg(long, value_name = "COMMAND")]
    against: Option<String>,
}

/// Name of the part of a summary that holds the scenarios.
const TABLE: &str = "table";

/// A long series.
enum Series {
    Growth(&'static Growth),
    AtOnce,
    /// Every event under the profile of this name.
    Events(String),
}

impl Series {
    fn name(&self) -> String {
        match self {
            Self::Growth(growth) => growth.id.to_owned(),
            Self::AtOnce => "at-once".to_owned(),
            Self::Events(profile) => format!("events-{profile}"),
        }
    }

    /// Its part of the summary, and the raw data behind it.
    fn measure(&self, hookbin: &Path, yardstick: &Yardstick<'_>) -> Result<(String, String)> {
        let raw = |lines: &[Line]| {
            report::rounds(lines.iter().map(|line| (line.id.as_str(), line.measured.rounds.as_slice())))
        };
        match self {
            Self::Growth(growth) => {
                let lines = growth.measure(hookbin, yardstick)?;
                let mut text = format!("## {}\n\n{}", growth.title, report::lines(growth.id, &lines));
                if let Some(verdict) = growth.verdict(&lines) {
                    text.push_str(&format!("\n{verdict}\n"));
                }
                Ok((text, raw(&lines)))
            }
            Self::AtOnce => {
                let times = growth::at_once(hookbin, yardstick.runs)?;
                Ok((format!("## processes at once\n\n{}", report::at_once(&times)), report::times(&times)))
            }
            Self::Events(profile) => {
                eprintln!("{profile} …");
                let lines = growth::every_event(hookbin, profile, &Yardstick { repeats: 1, ..*yardstick })?;
                Ok((format!("## every event under `{profile}`\n\n{}", report::lines("event", &lines)), raw(&lines)))
            }
        }
    }
}

/// Rounds that are run and not kept: caches and the processor's clock settle.
const WARM_UP: usize = 10;

impl Bench {
    /// What a reader types to repeat the run.
    fn command(&self) -> String {
        let full = if self.full { " --full" } else { "" };
        let against = self.against.as_ref().map_or_else(String::new, |command| format!(" --against '{command}'"));
        format!("cargo xtask bench --runs {}{full}{against}", self.runs)
    }

    /// Measures the scenarios. The table is kept when it is whole, the rounds in any case.
    fn table(&self, sh: &Shell, hookbin: &Path, yardstick: &Yardstick<'_>, dir: Option<&Path>) -> Result<Vec<Row>> {
        if self.resume && dir.is_some_and(|dir| report::has(dir, TABLE)) {
            eprintln!("the table is kept from before");
            return Ok(Vec::new());
        }
        let mut rows = Vec::new();
        for scenario in scenario::ALL.iter().filter(|scenario| scenario.id.contains(&self.only)) {
            eprintln!("{} …", scenario.id);
            let sandbox = scenario.prepare(hookbin)?;
            let hook = sandbox.hook(scenario.event);
            let measured = yardstick.measure(&sandbox, &hook, &mut payloads(scenario, &sandbox))?;
            rows.push(Row { scenario, measured });
        }
        if rows.is_empty() {
            return Ok(rows);
        }
        let idle = Sandbox::new()?;
        let payload = idle.payload("empty", "")?;
        let noop = yardstick.tools.count(&idle.launch(yardstick.noop.to_owned(), &[]), &mut || Ok(payload.clone()))?;
        let text = report::table(sh, &rows, &noop, &self.command())?;
        println!("\n{text}");
        if let Some(dir) = dir {
            let raw = rows.iter().map(|row| (row.scenario.id, report::rounds([("", row.measured.rounds.as_slice())])));
            let raw: Vec<_> = raw.collect();
            report::keep(dir, TABLE, &raw, self.only.is_empty().then_some(text.as_str()))?;
        }
        Ok(rows)
    }

    /// The long series that the command names.
    fn series(&self, hookbin: &Path) -> Result<Vec<Series>> {
        let growths = growth::ALL.iter().map(Series::Growth);
        let events = profiles(hookbin)?.into_iter().map(Series::Events);
        let all = growths.chain([Series::AtOnce]).chain(events);
        Ok(all.filter(|series| series.name().contains(&self.only)).collect())
    }

    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let hookbin = match &self.hookbin {
            Some(file) => file.canonicalize().with_context(|| format!("find {}", file.display()))?,
            None => build::run(sh)?,
        };
        let noop = build_noop(sh)?;
        let tools = Tools::find();
        let against = self.against.as_deref();
        let yardstick = Yardstick { noop: &noop, tools: &tools, runs: self.runs, repeats: measure::REPEATS, against };
        let dir = if self.save { Some(report::dir(sh)?) } else { None };
        let rows = self.table(sh, &hookbin, &yardstick, dir.as_deref())?;
        let mut measured = !rows.is_empty();
        if self.full {
            for series in self.series(&hookbin)? {
                if self.resume && dir.as_deref().is_some_and(|dir| report::has(dir, &series.name())) {
                    eprintln!("{} is kept from before", series.name());
                    measured = true;
                    continue;
                }
                let (text, raw) = series.measure(&hookbin, &yardstick)?;
                println!("\n{text}");
                measured = true;
                if let Some(dir) = &dir {
                    report::keep(dir, &series.name(), &[(&series.name(), raw)], Some(&text))?;
                }
            }
        }
        ensure!(measured, "no scenario and no series matches `{}`", self.only);
        for line in tools.missing() {
            println!("{line}");
        }
        if let Some(dir) = &dir {
            println!("kept in {}", dir.display());
        }
        let old = baseline::load(&baseline::path())?;
        for row in &rows {
            for line in baseline::regressions(row.scenario, old.get(row.scenario.id), &row.measured.counts) {
                println!("worse: {line}");
            }
        }
        if self.baseline {
            let new: Baseline = rows.iter().map(|row| (row.scenario.id.to_owned(), row.measured.counts)).collect();
            baseline::save(&baseline::path(), &old, &new)?;
            println!("wrote {}", baseline::path().display());
        }
        Ok(())
    }
}

/// Counts every scenario, without timing, and fails when one costs more than its baseline or limit. Peak memory and page faults
/// are held only where the linker put together what hooks run.
pub(crate) fn gate(hookbin: &Path, is_ordered: bool) -> Result<Gate> {
    let tools = Tools::find();
    let missing = tools.missing();
    if missing.len() >= 3 {
        return Ok(Gate::Skipped(missing.join("; ")));
    }
    for line in missing {
        println!("{line}");
    }
    let old = baseline::load(&baseline::path())?;
    ensure!(!old.is_empty(), "{} is missing; `cargo xtask bench --baseline` writes it", baseline::path().display());
    let mut worse = Vec::new();
    for scenario in scenario::ALL {
        let sandbox = scenario.prepare(hookbin)?;
        let mut payloads = payloads(scenario, &sandbox);
        let mut counts = tools.count(&sandbox.hook(scenario.event), &mut payloads)?;
        counts.peak_kib = counts.peak_kib.filter(|_| is_ordered);
        counts.faults = counts.faults.filter(|_| is_ordered);
        println!("{}: {}", scenario.id, report::sentence(&counts));
        worse.extend(baseline::regressions(scenario, old.get(scenario.id), &counts));
    }
    ensure!(
        worse.is_empty(),
        "the hook costs more than before:\n  {}\nmake it cheaper, or accept the cost with `cargo xtask bench --baseline`",
        worse.join("\n  ")
    );
    Ok(Gate::Held(format!("{} scenarios within baseline and limit", scenario::ALL.len())))
}

/// What hooks are measured against, and how often.
struct Yardstick<'a> {
    noop: &'a Path,
    tools: &'a Tools,
    runs: usize,
    /// How often each count is taken.
    repeats: usize,
    against: Option<&'a str>,
}

impl Yardstick<'_> {
    /// Counts a call, and times it in rounds with the others.
    fn measure(
        &self,
        sandbox: &Sandbox,
        hook: &Launch,
        payloads: &mut dyn FnMut() -> Result<PathBuf>,
    ) -> Result<Measured> {
        let counts = self.tools.count_often(hook, payloads, self.repeats)?;
        let mut hook = hook.command();
        let mut noop = sandbox.launch(self.noop.to_owned(), &[]).command();
        let system = Path::new("/bin/true");
        let mut system = system.exists().then(|| sandbox.launch(system.to_owned(), &[]).command());
        let mut other = self.against.map(|command| sandbox.launch("/bin/sh".into(), &["-c", command]).command());
        if let Some(other) = &mut other {
            other.envs(workspace::path_variable());
        }
        let mut rounds = Vec::with_capacity(self.runs + WARM_UP);
        for _ in 0..self.runs + WARM_UP {
            let payload = payloads()?;
            let mut time = |command: &mut Command| measure::wall_time(command, &payload);
            rounds.push(Round {
                noop: time(&mut noop)?,
                hook: time(&mut hook)?,
                system: system.as_mut().map(&mut time).transpose()?,
                other: other.as_mut().map(&mut time).transpose()?,
            });
        }
        rounds.drain(..WARM_UP);
        Ok(Measured { rounds, counts })
    }
}

/// Writes a payload with a fresh id at every call.
pub(crate) fn payloads(scenario: &'static Scenario, sandbox: &Sandbox) -> impl FnMut() -> Result<PathBuf> {
    let mut next = 0;
    move || {
        next += 1;
        // The id keeps its length, or the number of instructions would not repeat.
        let id = format!("{next:06}");
        sandbox.payload(&format!("{id}.json"), &scenario.payload(sandbox, &id, 0))
    }
}

/// The yardstick: a program without work, linked as the hook is.
fn build_noop(sh: &Shell) -> Result<PathBuf> {
    let dir = workspace::target_dir(sh)?.join("xtask");
    fs::create_dir_all(&dir).with_context(|| format!("create {}", dir.display()))?;
    let source = dir.join("noop.rs");
    let noop = dir.join("noop");
    fs::write(&source, "fn main() {}\n").with_context(|| format!("write {}", source.display()))?;
    let flags: &[&str] = if cfg!(target_os = "linux") {
        &["-C", "target-feature=+crt-static", "-C", "relocation-model=static"]
    } else {
        &[]
    };
    cmd!(sh, "rustc --edition 2024 -O -C strip=symbols {flags...} -o {noop} {source}")
        .quiet()
        .run()
        .context("build the no-op")?;
    Ok(noop)
}
