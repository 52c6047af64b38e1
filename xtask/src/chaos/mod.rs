//! `cargo xtask chaos`: random events of many processes, some killed, some on a full disk, with a clock that jumps; nothing may be lost.
//!
//! What the product must hold is in SX-04 and in the invariants 10 and 11: at the end the log and the state verify, every update that a
//! process has acknowledged is there, and none is there twice.

mod account;
mod story;
mod twin;

use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use xshell::Shell;

use self::account::Account;
use self::story::{Random, Step, World};
use crate::build;

/// Arguments of `chaos`.
#[derive(Args)]
pub(crate) struct Chaos {
    /// How long, in minutes.
    #[arg(long, default_value_t = 1.0, value_name = "N")]
    minutes: f64,
    /// Repeats the steps of an earlier run; how processes meet is up to the system.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Processes at a time.
    #[arg(long, default_value_t = 8, value_name = "N")]
    workers: u64,
    /// Use this executable instead of building one. Given twice, both versions work on the same files; the first is the newer. Beside
    /// a single one works its twin: the same code under another build's name.
    #[arg(long, value_name = "FILE")]
    hookbin: Vec<PathBuf>,
}

impl Chaos {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        ensure!(cfg!(unix), "killing and limiting processes needs a Unix system");
        let versions = if self.hookbin.is_empty() { vec![build::run(sh)?] } else { self.hookbin.clone() };
        let versions = versions
            .iter()
            .map(|file| file.canonicalize().with_context(|| format!("find {}", file.display())))
            .collect::<Result<Vec<_>>>()?;
        let dir = tempfile::tempdir().context("create a temporary directory")?;
        let mut world = World::new(&versions)?;
        if let [only] = versions.as_slice() {
            world.twin = Some(twin::of(only, &dir)?);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.subsec_nanos());
        let seed = self.seed.unwrap_or_else(|| u64::from(now));
        let programs = match &world.twin {
            Some(_) => "an executable and its twin under another build's name".to_owned(),
            None => format!("{} versions", versions.len()),
        };
        println!("seed {seed}; {} workers, {programs}, {} minutes", self.workers, self.minutes);
        let time = Duration::try_from_secs_f64(self.minutes * 60.0).context("the number of minutes")?;
        let account = self.storm(&world, seed, time)?;
        println!("{account}");
        ensure!(account.faults.is_empty(), "{} faults; repeat with `--seed {seed}`", account.faults.len());
        Ok(())
    }

    fn storm(&self, world: &World, seed: u64, time: Duration) -> Result<Account> {
        let end = Instant::now() + time;
        let whole = Mutex::new(Account::default());
        let failed: Mutex<Option<anyhow::Error>> = Mutex::new(None);
        thread::scope(|scope| {
            for worker in 0..self.workers {
                let (whole, failed) = (&whole, &failed);
                scope.spawn(move || {
                    let result = work(world, worker, seed, end);
                    match result {
                        Ok(account) => {
                            if let Ok(mut whole) = whole.lock() {
                                whole.join(account);
                            }
                        }
                        Err(error) => {
                            if let Ok(mut failed) = failed.lock() {
                                *failed = Some(error);
                            }
                        }
                    }
                });
            }
        });
        if let Ok(Some(error)) = failed.into_inner() {
            return Err(error);
        }
        let Ok(mut account) = whole.into_inner() else { bail!("a worker broke down") };
        account.settle(world)?;
        Ok(account)
    }
}

/// One worker's steps until the end of the time.
fn work(world: &World, worker: u64, seed: u64, end: Instant) -> Result<Account> {
    let mut random = Random::new(seed ^ (worker + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut account = Account::default();
    let mut last: Option<Step> = None;
    for number in 0.. {
        if Instant::now() >= end || account.faults.len() > 20 {
            break;
        }
        let step = match &last {
            // The client may deliver an event twice.
            Some(last) if random.below(20) == 0 => last.again(),
            _ => Step::random(&mut random, worker, number, world),
        };
        account.take(world, &step, &world.carry_out(&step)?);
        last = Some(step);
    }
    Ok(account)
}
