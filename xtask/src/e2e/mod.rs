//! `cargo xtask e2e`: scenarios that the real client plays against a stub model, with hookbin installed as users install it.

mod check;
pub(crate) mod client;
mod drive;
mod events;
mod fault;
mod mcp;
pub(crate) mod picture;
mod place;
mod play;
mod record;
mod report;
mod scenario;
mod stub;
mod suite;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand, ValueEnum};
use xshell::Shell;

use self::client::Client;
use self::fault::Fault;
use self::play::Plan;
use self::suite::Outcome;
use crate::build;
use crate::workspace::{self, Gate};

/// Arguments of `e2e`.
#[derive(Args, Default)]
pub(crate) struct E2e {
    /// A client that is there already; may be given several times.
    #[arg(long, value_name = "PATH")]
    client: Vec<PathBuf>,
    /// A version of the client's package, `pinned`, or `older` for all of `xtask/e2e/client.toml`; may be given several times.
    #[arg(long, value_name = "V")]
    client_version: Vec<String>,
    /// Only scenarios whose name contains this; may be given several times.
    #[arg(long, value_name = "PATTERN")]
    only: Vec<String>,
    /// Only the scenarios of the smoke run.
    #[arg(long)]
    smoke: bool,
    /// Fail where the client cannot be fetched, instead of skipping.
    #[arg(long)]
    require: bool,
    /// Print the results as JSON.
    #[arg(long)]
    json: bool,
    /// Write `docs/client-compatibility.md` from this run, which has to be one of all scenarios.
    #[arg(long, conflicts_with_all = ["only", "smoke", "faults"])]
    save: bool,
    /// Write the payloads of all events there, scrubbed, and say what is new in them.
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Plant every fault in turn, and fail when one of them is not noticed.
    #[arg(long, conflicts_with_all = ["only", "smoke", "json", "record"])]
    faults: bool,
    /// Keep what the client printed and the model was sent also of scenarios that hold.
    #[arg(long)]
    keep: bool,
    /// Take this executable instead of building one.
    #[arg(long, value_name = "FILE")]
    hookbin: Option<PathBuf>,
    /// Scenarios that run at once.
    #[arg(long, default_value_t = 2, value_name = "N")]
    jobs: usize,
}

/// Programs of the harness that the client starts.
#[derive(Subcommand)]
pub(crate) enum Helper {
    /// Keep the payload of an event.
    Watch { file: PathBuf },
    /// Answer as a broken hook.
    Fault {
        fault: Fault,
        real: PathBuf,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Rewrite a word of a command.
    Rewrite {
        from: String,
        to: String,
        #[arg(long)]
        decision: Option<String>,
        #[arg(long)]
        drop_keys: bool,
    },
    /// Serve MCP.
    Mcp,
    /// Play scenarios, in the network that this process was started in.
    Play { plan: PathBuf },
    /// Play the scenario of the pictures, in the network that this process was started in.
    Picture { plan: PathBuf },
}

impl Helper {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self {
            Self::Watch { file } => fault::watch(&file)?,
            Self::Fault { fault, real, arguments } => return fault::run(fault, &real, &arguments),
            Self::Rewrite { from, to, decision, drop_keys } => {
                fault::rewrite(&from, &to, decision.as_deref(), drop_keys)?;
            }
            Self::Mcp => mcp::serve()?,
            Self::Play { plan } => play::inside(&plan, play::play)?,
            Self::Picture { plan } => play::inside(&plan, picture::play)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl E2e {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        // Before anything that takes long.
        self.chosen()?;
        client::versions(&self.client_version)?;
        let hookbin = match &self.hookbin {
            Some(file) => file.canonicalize().with_context(|| format!("find the executable {}", file.display()))?,
            None => build::run(sh)?,
        };
        match self.with(sh, &hookbin)? {
            Gate::Held(summary) => {
                eprintln!("{summary}");
                Ok(())
            }
            Gate::Skipped(why) => {
                ensure!(!self.require, "{why}");
                eprintln!("skipped: {why}");
                Ok(())
            }
        }
    }

    fn with(&self, sh: &Shell, hookbin: &Path) -> Result<Gate> {
        let scenarios = self.chosen()?;
        let mut clients: Vec<Client> = self.client.iter().map(|path| Client::at(path)).collect::<Result<_>>()?;
        if clients.is_empty() || !self.client_version.is_empty() {
            for version in client::versions(&self.client_version)? {
                match Client::fetch(sh, &version)? {
                    Ok(client) => clients.push(client),
                    Err(missing) => return Ok(Gate::Skipped(format!("{version}: {}", missing.describe()))),
                }
            }
        }
        let kept = workspace::target_dir(sh)?.join("e2e/kept");
        let plan = Plan {
            hookbin: hookbin.to_owned(),
            clients,
            scenarios,
            jobs: self.jobs,
            watch: self.record.is_some(),
            keep: self.keep,
            plant: None,
            kept,
        };
        if self.faults {
            return faults(&plan);
        }
        let results = play::outside(&plan)?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&results).context("write the results as JSON")?);
        }
        if let Some(dir) = &self.record {
            record::save(&results.payloads, dir)?;
        }
        if self.save {
            report::save(sh, &results)?;
        }
        results.judge()
    }

    /// Names of the scenarios that are wanted.
    fn chosen(&self) -> Result<Vec<String>> {
        let mut scenarios = scenario::all()?;
        scenarios.retain(|scenario| !self.smoke || scenario.smoke);
        for part in &self.only {
            ensure!(
                scenarios.iter().any(|scenario| scenario.name.contains(part.as_str())),
                "no {}scenario's name contains {part:?}; the names are those of the files in xtask/e2e/scenarios",
                if self.smoke { "smoke " } else { "" }
            );
        }
        scenarios.retain(|scenario| {
            self.only.is_empty() || self.only.iter().any(|part| scenario.name.contains(part.as_str()))
        });
        Ok(scenarios.into_iter().map(|scenario| scenario.name).collect())
    }
}

/// Plants each fault in turn; the scenario that it concerns has to hold without it and not to hold with it.
fn faults(plan: &Plan) -> Result<Gate> {
    let all = Fault::value_variants();
    let mut scenarios: Vec<String> = all.iter().map(|fault| fault.scenario().to_owned()).collect();
    scenarios.sort();
    scenarios.dedup();
    play::outside(&Plan { scenarios, ..plan.clone() })?.judge()?;
    for fault in all {
        let name = fault.name();
        eprintln!("planted: {name}");
        let planted = Plan { scenarios: vec![fault.scenario().to_owned()], plant: Some(*fault), ..plan.clone() };
        let results = play::outside(&planted)?;
        let noticed = results
            .clients
            .iter()
            .flat_map(|client| &client.scenarios)
            .all(|done| matches!(done.outcome, Outcome::Broken(_)));
        ensure!(noticed, "the planted fault {name} was not noticed by the scenario {}", fault.scenario());
    }
    Ok(Gate::Held(format!("all {} planted faults were noticed", all.len())))
}

/// The gate of `ci`: the smoke run, or with `full` every scenario and every planted fault.
pub(crate) fn gate(sh: &Shell, hookbin: &Path, full: bool) -> Result<Gate> {
    let suite = E2e { smoke: !full, jobs: 2, ..E2e::default() };
    let ended = suite.with(sh, hookbin)?;
    match ended {
        Gate::Held(held) if full => match (E2e { faults: true, ..suite }).with(sh, hookbin)? {
            Gate::Held(noticed) => Ok(Gate::Held(format!("{held}; {noticed}"))),
            skipped @ Gate::Skipped(_) => Ok(skipped),
        },
        ended => Ok(ended),
    }
}
