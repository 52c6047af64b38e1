//! Playing a plan: this program starts itself again in a network that has only loopback, and reads back what held.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::client::{Client, MARK};
use super::fault::Fault;
use super::place::Tools;
use super::suite::{Done, Outcome, Suite};
use super::{client, scenario};
use crate::process;
use crate::sandbox::profiles;
use crate::workspace::Gate;

/// What is played.
#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct Plan {
    pub(crate) hookbin: PathBuf,
    pub(crate) clients: Vec<Client>,
    /// Names of scenarios.
    pub(crate) scenarios: Vec<String>,
    pub(crate) jobs: usize,
    /// Keep the payloads of all events.
    pub(crate) watch: bool,
    /// Keep what the client printed and the model was sent also of scenarios that hold.
    pub(crate) keep: bool,
    pub(crate) plant: Option<Fault>,
    /// Where output is kept.
    pub(crate) kept: PathBuf,
}

/// Version of the JSON that `--json` prints.
const SCHEMA: u32 = 1;

/// What held.
#[derive(Serialize, Deserialize)]
pub(crate) struct Results {
    schema: u32,
    /// Whether the client could reach nothing but loopback.
    pub(crate) loopback_only: bool,
    pub(crate) clients: Vec<OfClient>,
    /// The payloads of a plan with `watch`, a line each.
    #[serde(skip)]
    pub(crate) payloads: String,
}

/// What held with one client.
#[derive(Serialize, Deserialize)]
pub(crate) struct OfClient {
    pub(crate) version: String,
    pub(crate) scenarios: Vec<Done>,
}

impl Results {
    /// An error that names what is broken, or a summary.
    pub(crate) fn judge(&self) -> Result<Gate> {
        let (mut held, mut broken, mut skipped) = (0, Vec::new(), 0);
        for client in &self.clients {
            for done in &client.scenarios {
                match &done.outcome {
                    Outcome::Held => held += 1,
                    Outcome::Skipped(_) => skipped += 1,
                    Outcome::Broken(_) => broken.push(format!("{} ({})", done.name, client.version)),
                }
            }
        }
        let versions: Vec<&str> = self.clients.iter().map(|client| client.version.as_str()).collect();
        if !broken.is_empty() {
            bail!("{} of {} scenarios do not hold: {}", broken.len(), held + broken.len(), broken.join(", "));
        }
        ensure!(held > 0, "not one scenario ran");
        let network = if self.loopback_only { "" } else { ", without a network of their own" };
        let skipped = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
        Ok(Gate::Held(format!("{held} scenarios held with client {}{skipped}{network}", versions.join(", "))))
    }
}

/// Names in the directory of one run.
const PLAN: &str = "plan.json";
const RESULTS: &str = "results.json";
const PAYLOADS: &str = "payloads.jsonl";

/// Plays the scenarios of the plan inside.
pub(crate) fn outside(plan: &Plan) -> Result<Results> {
    let dir = tempfile::Builder::new().prefix("client-e2e-").tempdir().context("create a temporary directory")?;
    let loopback_only = start_inside("play", dir.path(), plan)?;
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).with_context(|| format!("read {name}"));
    let mut results: Results = serde_json::from_str(&read(RESULTS)?).context("read the results")?;
    results.loopback_only = loopback_only;
    results.payloads = read(PAYLOADS)?;
    Ok(results)
}

/// Starts this program again as the helper of that name, with a plan in the directory, which is all its own.
///
/// The answer is whether it could reach nothing but loopback.
pub(crate) fn start_inside(helper: &str, dir: &Path, plan: &impl Serialize) -> Result<bool> {
    let harness = crate::workspace::this_program()?;
    let isolated = isolation();
    // The marks of a run's processes begin with it, in the form without links.
    let root = dir.canonicalize().context("resolve the temporary directory")?;
    let path = root.join(PLAN);
    write(&path, &serde_json::to_string(plan).context("write the plan")?)?;
    let mut command = if isolated.is_empty() { Command::new(&harness) } else { Command::new("unshare") };
    if isolated.is_empty() {
        eprintln!(
            "note: this system gives no network of its own to a process, so nothing keeps the client to loopback"
        );
    } else {
        command.args(&isolated).args(["--", "sh", "-c", "ip link set lo up && exec \"$0\" \"$@\""]).arg(&harness);
    }
    // Progress goes to the error stream, so that `--json` has standard output for itself.
    command.args(["e2e-helper", helper]).arg(&path).stdin(Stdio::piped()).stdout(std::io::stderr());
    // An interrupting key ends this process and not the other one, which sees that by its standard input and clears up.
    process::own_group(&mut command);
    let mut child = command.spawn().context("start this program again")?;
    let alive = child.stdin.take();
    let status = child.wait().context("wait for the scenarios")?;
    drop(alive);
    if !status.success() {
        process::end_now(MARK, &root.display().to_string());
    }
    ensure!(status.success(), "the scenarios could not be played ({status}); the reason stands above");
    Ok(!isolated.is_empty())
}

/// Options of `unshare` for a network of its own; none where the system does not allow that.
fn isolation() -> Vec<&'static str> {
    let as_root = vec!["--net"];
    let as_user = vec!["--user", "--map-current-user", "--keep-caps", "--net"];
    let works = |options: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(options).args(["--", "ip", "link", "set", "lo", "up"]);
        process::run(command, Duration::from_secs(10)).is_ok_and(|ended| ended.code() == Some(0))
    };
    [as_root, as_user].into_iter().find(|options| works(options)).unwrap_or_default()
}

/// Plays the plan here by the function, which also gets the directory of the run. Standard input is open for as long as somebody waits.
pub(crate) fn inside(path: &Path, play: impl FnOnce(&Path, &Path) -> Result<()>) -> Result<()> {
    let dir = path.parent().context("the plan lies in no directory")?.to_owned();
    let run = dir.clone();
    thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        process::interrupt(MARK, &run.display().to_string(), &run);
    });
    let result = play(path, &dir);
    // Where everything ends early because nobody waits any more, the other thread has to finish clearing up.
    process::gate(|| ());
    result
}

/// Plays the scenarios of a [`Plan`], and writes what held.
pub(crate) fn play(path: &Path, dir: &Path) -> Result<()> {
    let text = fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    let plan: Plan = serde_json::from_str(&text).with_context(|| format!("read {}", path.display()))?;
    let harness = crate::workspace::this_program()?;
    let mut scenarios = scenario::all()?;
    scenarios.retain(|scenario| plan.scenarios.contains(&scenario.name));
    let mut clients = Vec::new();
    let mut payloads = Vec::new();
    for client in &plan.clients {
        let suite = Suite {
            client,
            tools: Tools { hookbin: &plan.hookbin, harness: &harness },
            plant: plan.plant,
            watch: plan.watch,
            jobs: plan.jobs,
            keep: plan.keep,
            kept: plan.kept.clone(),
            dir: dir.to_owned(),
            oldest: client::oldest()?,
            profiles: profiles(&plan.hookbin)?,
        };
        let done = suite.run(&scenarios, |done| say(done, &client.version));
        payloads.extend(done.iter().map(|done| done.payloads.clone()));
        clients.push(OfClient { version: client.version.clone(), scenarios: done });
    }
    write(&path.with_file_name(PAYLOADS), &payloads.concat())?;
    let results = Results { schema: SCHEMA, loopback_only: false, clients, payloads: String::new() };
    write(&path.with_file_name(RESULTS), &serde_json::to_string_pretty(&results).context("write the results")?)
}

fn say(done: &Done, version: &str) {
    let (word, lines) = match &done.outcome {
        Outcome::Held => ("held", Vec::new()),
        Outcome::Broken(lines) => ("BROKEN", lines.clone()),
        Outcome::Skipped(why) => ("skipped", vec![why.clone()]),
    };
    println!("{word:>8}  {:<28} {:>5.1} s  {version}", done.name, done.seconds);
    for line in lines {
        println!("          {line}");
    }
}

pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("write {}", path.display()))
}
