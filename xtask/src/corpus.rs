//! `cargo xtask corpus`: scores any hook command on a file of labelled calls, none of which is ever run.

mod answer;
pub(crate) mod case;
mod table;
pub(crate) mod world;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use regex::Regex;

use self::answer::Answer;
use self::case::Case;
use self::table::{Requirement, Scored, Summary};
use self::world::{Hook, World};

/// Arguments of `corpus`.
#[derive(Args)]
pub(crate) struct Corpus {
    /// The labelled commands, one JSON object a line.
    file: PathBuf,
    /// Only cases whose id or command matches.
    #[arg(long, value_name = "REGEX")]
    only: Option<Regex>,
    /// Only cases of this topic.
    #[arg(long, value_name = "T")]
    topic: Option<String>,
    /// Only cases of this kind.
    #[arg(long, value_name = "K")]
    kind: Option<String>,
    /// Only cases of this tier: `core` or `domain`.
    #[arg(long, value_name = "T")]
    tier: Option<String>,
    /// List the cases that were answered otherwise than expected.
    #[arg(long)]
    misses: bool,
    /// Print one JSON document instead of the tables.
    #[arg(long)]
    json: bool,
    /// How many hooks run at the same time, each in a project of its own.
    #[arg(long, default_value_t = 2, value_name = "N")]
    jobs: usize,
    /// Seconds after which a hook is ended and counted as failed.
    #[arg(long, default_value_t = 10, value_name = "N")]
    timeout: u64,
    /// The directory in which the throw-away home and project are made: not one for temporary files, which a guard may take
    /// for safe to clean. The user's home directory if it is not given.
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// What must hold, as percentages: `core-flagged`, `core-denied`, `domain-flagged`, `domain-denied`, `ask-flagged`
    /// at least, `false-denied`, `flagged`, `benign` at most. Also demands that no hook fails and that no case to be
    /// denied is allowed. Exits 4 when it does not hold.
    #[arg(long, value_name = "NAME=N,…", value_delimiter = ',')]
    require: Vec<Requirement>,
    /// The hook: a program and its arguments. A relative path of the program counts from where the task is started.
    #[arg(last = true, required = true, value_name = "HOOK COMMAND")]
    hook: Vec<String>,
}

impl Corpus {
    /// True when everything holds that was required.
    pub(crate) fn run(&self) -> Result<bool> {
        let cases = self.cases()?;
        ensure!(
            !cases.is_empty(),
            "no case of {} is left; widen --only, --topic, --kind or --tier",
            self.file.display()
        );
        let hook = Hook::new(&self.hook, Duration::from_secs(self.timeout))?;
        let worlds = (0..self.jobs.clamp(1, cases.len()))
            .map(|_| World::new(self.scratch.as_deref()))
            .collect::<Result<Vec<_>>>()?;
        let start = Instant::now();
        let answers = ask_all(&worlds, &hook, &cases)?;
        let time = start.elapsed();

        let scored: Vec<Scored<'_>> =
            cases.iter().zip(&answers).map(|(case, answer)| Scored { case, answer }).collect();
        let summary = Summary::new(&scored, &self.require);
        if self.json {
            println!("{}", summary.json(&self.file, &self.hook, time)?);
        } else {
            print!("{}", summary.text(time, self.misses));
        }
        Ok(summary.holds())
    }

    fn cases(&self) -> Result<Vec<Case>> {
        let mut cases = case::read(&self.file)?;
        for (option, wanted, of) in [
            ("topic", &self.topic, (|case: &Case| case.topic.clone()) as fn(&Case) -> String),
            ("kind", &self.kind, |case| case.kind.clone()),
            ("tier", &self.tier, |case| case.tier.clone()),
        ] {
            let Some(wanted) = wanted else { continue };
            if !cases.iter().any(|case| of(case) == *wanted) {
                let mut known: Vec<String> = cases.iter().map(of).collect();
                known.sort();
                known.dedup();
                bail!("no case has the {option} `{wanted}`; there are {}", known.join(", "));
            }
            cases.retain(|case| of(case) == *wanted);
        }
        if let Some(only) = &self.only {
            cases.retain(|case| only.is_match(&case.id) || only.is_match(&case.shown()));
        }
        Ok(cases)
    }
}

/// Asks the hook about every case, a thread a world; answers stand in the order of the cases.
fn ask_all(worlds: &[World], hook: &Hook, cases: &[Case]) -> Result<Vec<Answer>> {
    let next = AtomicUsize::new(0);
    let answers: Mutex<Vec<Option<Result<Answer>>>> = Mutex::new(cases.iter().map(|_| None).collect());
    thread::scope(|scope| {
        for world in worlds {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(index) else { break };
                    let answer = world.ask(hook, index, case);
                    let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                    if let Some(place) = answers.get_mut(index) {
                        *place = Some(answer);
                    }
                }
            });
        }
    });
    let answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
    answers.into_iter().map(|answer| answer.context("a case was not asked")?).collect()
}
