//! `cargo xtask bench`: whole hook processes, spawn to exit, against a program that does nothing.

pub(crate) mod baseline;
pub(crate) mod measure;
mod report;
pub(crate) mod scenario;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use xshell::{Shell, cmd};

use self::baseline::Baseline;
use self::measure::Tools;
use self::report::{Round, Row};
use self::scenario::Scenario;
use crate::sandbox::Sandbox;
use crate::{build, workspace};

/// Arguments of `bench`.
#[derive(Args)]
pub(crate) struct Bench {
    /// Timed rounds of each scenario.
    #[arg(long, default_value_t = 400, value_name = "N")]
    runs: usize,
    /// Only the scenarios whose name contains this.
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
}

/// Rounds that are run and not kept: caches and the processor's clock settle.
const WARM_UP: usize = 10;

impl Bench {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let hookbin = match &self.hookbin {
            Some(file) => file.canonicalize().with_context(|| format!("find {}", file.display()))?,
            None => build::run(sh)?,
        };
        let noop = build_noop(sh)?;
        let tools = Tools::find();
        let mut rows = Vec::new();
        for scenario in scenario::ALL.iter().filter(|scenario| scenario.id.contains(&self.only)) {
            eprintln!("{} …", scenario.id);
            rows.push(measure_one(scenario, &hookbin, &noop, &tools, self.runs)?);
        }
        ensure!(!rows.is_empty(), "no scenario matches `{}`", self.only);

        let idle = Sandbox::new()?;
        let payload = idle.payload("empty", "")?;
        let noop_counts = tools.count(&idle.launch(noop, &[]), &mut || Ok(payload.clone()))?;
        let table = report::table(sh, &rows, &noop_counts, self.runs)?;
        println!("\n{table}");
        for line in tools.missing() {
            println!("{line}");
        }
        if self.save {
            println!("kept in {}", report::save(sh, &rows, &table)?.display());
        }
        let old = baseline::load(&baseline::path())?;
        for row in &rows {
            for line in baseline::regressions(row.scenario, old.get(row.scenario.id), &row.counts) {
                println!("worse: {line}");
            }
        }
        if self.baseline {
            let new: Baseline = rows.iter().map(|row| (row.scenario.id.to_owned(), row.counts)).collect();
            baseline::save(&baseline::path(), &old, &new)?;
            println!("wrote {}", baseline::path().display());
        }
        Ok(())
    }
}

/// What the gate of `ci` found.
pub(crate) enum Gate {
    Held {
        scenarios: usize,
    },
    /// No tool is there to count with.
    Skipped(String),
}

/// Counts every scenario, without timing, and fails when one costs more than its baseline or budget.
pub(crate) fn gate(hookbin: &Path) -> Result<Gate> {
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
        let counts = tools.count(&sandbox.hook(scenario.event), &mut payloads)?;
        println!("{}: {}", scenario.id, report::sentence(&counts));
        worse.extend(baseline::regressions(scenario, old.get(scenario.id), &counts));
    }
    ensure!(
        worse.is_empty(),
        "the hook costs more than before:\n  {}\nmake it cheaper, or accept the cost with `cargo xtask bench --baseline`",
        worse.join("\n  ")
    );
    Ok(Gate::Held { scenarios: scenario::ALL.len() })
}

fn measure_one(scenario: &'static Scenario, hookbin: &Path, noop: &Path, tools: &Tools, runs: usize) -> Result<Row> {
    let sandbox = scenario.prepare(hookbin)?;
    let mut payloads = payloads(scenario, &sandbox);
    let hook = sandbox.hook(scenario.event);
    let counts = tools.count(&hook, &mut payloads)?;

    let files = (0..runs + WARM_UP).map(|_| payloads()).collect::<Result<Vec<PathBuf>>>()?;
    let mut hook = hook.command();
    let mut noop = sandbox.launch(noop.to_owned(), &[]).command();
    let system = Path::new("/bin/true");
    let mut system = system.exists().then(|| sandbox.launch(system.to_owned(), &[]).command());
    let mut rounds = Vec::with_capacity(files.len());
    for payload in &files {
        rounds.push(Round {
            noop: measure::wall_time(&mut noop, payload)?,
            hook: measure::wall_time(&mut hook, payload)?,
            system: system.as_mut().map(|command| measure::wall_time(command, payload)).transpose()?,
        });
    }
    rounds.drain(..WARM_UP);
    Ok(Row { scenario, rounds, counts })
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
    let folder = workspace::target_dir(sh)?.join("xtask");
    fs::create_dir_all(&folder).with_context(|| format!("create {}", folder.display()))?;
    let source = folder.join("noop.rs");
    let noop = folder.join("noop");
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
