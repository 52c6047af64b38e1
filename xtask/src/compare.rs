//! `cargo xtask compare`: asks two executables about the same calls and shows where their answers differ; runs no call.
//!
//! It is for moves: what is restructured must answer as before, and a change must show what else it changed.

mod lines;

use std::path::{PathBuf, absolute};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::corpus::case::{self, Case};
use crate::corpus::world::{Hook, Printed, World};

/// Arguments of `compare`.
#[derive(Args)]
pub(crate) struct Compare {
    /// The executable of before.
    before: PathBuf,
    /// The executable of after.
    after: PathBuf,
    /// Calls to ask about: labelled calls (`.jsonl`, or `[[case]]` in `.toml`), test data whose strings are commands (`.toml`), and pages whose code spans
    /// are (`.md`).
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Lines that are made from the commands of the files, beside these.
    #[arg(long, default_value_t = 0, value_name = "N")]
    lines: usize,
    /// Where the making of lines begins; the same number makes the same lines.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// How many calls are asked about at the same time.
    #[arg(long, default_value_t = 2, value_name = "N")]
    jobs: usize,
    /// The directory in which throw-away homes and projects are made: not one for temporary files. The user's home directory if it
    /// is not given.
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
}

/// A call that the two answered otherwise.
struct Difference {
    index: usize,
    before: Printed,
    after: Printed,
}

/// Calls that share one session: enough sessions that none grows long, and few enough that their files do not fill the directory.
const OF_ONE_SESSION: usize = 500;
/// Seconds after which a hook is ended.
const LIMIT: u64 = 30;

impl Compare {
    /// True when both answered everything alike.
    pub(crate) fn run(&self) -> Result<bool> {
        let mut cases = Vec::new();
        for file in &self.files {
            match file.extension().and_then(|extension| extension.to_str()) {
                Some("jsonl") => cases.extend(case::read(file)?),
                Some("toml") if case::is_labelled(file)? => cases.extend(case::read(file)?),
                Some("toml") => cases.extend(lines::of_data(file)?.into_iter().map(Case::of_command)),
                Some("md") => cases.extend(lines::of_page(file)?.into_iter().map(Case::of_command)),
                _ => anyhow::bail!("{} is neither .jsonl, .toml nor .md", file.display()),
            }
        }
        ensure!(!cases.is_empty(), "no file holds a call");
        let told = cases.len();
        let commands: Vec<String> =
            cases.iter().map(|case| case.command.clone()).filter(|command| !command.is_empty()).collect();
        cases.extend(lines::made(&commands, self.lines, self.seed).into_iter().map(Case::of_command));

        let start = Instant::now();
        let differences = self.ask_all(&cases)?;
        for Difference { index, before, after } in &differences {
            let Some(case) = cases.get(*index) else { continue };
            println!("{}\n  before: {}\n  after:  {}", case.shown(), before.short(), after.short());
        }
        println!(
            "{} calls of {} files and {} made lines (seed {}): {} answered otherwise, in {} s",
            told,
            self.files.len(),
            cases.len() - told,
            self.seed,
            differences.len(),
            start.elapsed().as_secs()
        );
        Ok(differences.is_empty())
    }

    /// Asks both executables about every call, each in a world of its own that sees the same calls in the same order.
    fn ask_all(&self, cases: &[Case]) -> Result<Vec<Difference>> {
        let hook = |path: &PathBuf| {
            let path = absolute(path).with_context(|| format!("find {}", path.display()))?;
            let command = [path.display().to_string(), "hook".to_owned(), "PreToolUse".to_owned()];
            Hook::new(&command, Duration::from_secs(LIMIT))
        };
        let [before, after] = [hook(&self.before)?, hook(&self.after)?];
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<Difference>> = Mutex::new(Vec::new());
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs.max(1))
                .map(|_| {
                    scope.spawn(|| -> Result<()> {
                        let [ours, theirs] =
                            [World::new(self.scratch.as_deref())?, World::new(self.scratch.as_deref())?];
                        loop {
                            let start = next.fetch_add(OF_ONE_SESSION, Ordering::Relaxed);
                            if start >= cases.len() {
                                return Ok(());
                            }
                            for (index, case) in cases.iter().enumerate().skip(start).take(OF_ONE_SESSION) {
                                let session = index / OF_ONE_SESSION;
                                let before = ours.print(&before, session, case)?;
                                let after = theirs.print(&after, session, case)?;
                                if before != after {
                                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                                    found.push(Difference { index, before, after });
                                }
                            }
                        }
                    })
                })
                .collect();
            workers.into_iter().try_for_each(|worker| worker.join().ok().context("a worker stopped early")?)
        })?;
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|difference| difference.index);
        Ok(found)
    }
}
