//! The Markdown table of a run, and the raw data behind it.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use super::measure::Counts;
use super::scenario::Scenario;
use crate::workspace;

/// One alternating round: the three programs, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Round {
    pub(crate) noop: Duration,
    pub(crate) hook: Duration,
    pub(crate) system: Option<Duration>,
}

/// All that was measured of one scenario.
pub(crate) struct Row {
    pub(crate) scenario: &'static Scenario,
    pub(crate) rounds: Vec<Round>,
    pub(crate) counts: Counts,
}

const MISSING: &str = "not measured";

/// The table, with the machine and the command above it.
pub(crate) fn table(sh: &Shell, rows: &[Row], noop: &Counts, runs: usize) -> Result<String> {
    let mut text = format!(
        "`cargo xtask bench --runs {runs}` on {}, {}. Ratios: median of the rounds, 10th to 90th percentile in brackets.\n\n",
        host_class(),
        today(sh)?
    );
    text.push_str("| event | profile | × no-op | × /bin/true | hook p50 µs | no-op p50 µs | instructions | faults | system calls | peak KiB |\n");
    text.push_str("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for row in rows {
        let limit = row.scenario.limit.ratio;
        let against_noop = ratios(&row.rounds, |round| Some(round.noop));
        let against_true = ratios(&row.rounds, |round| round.system);
        let _ = writeln!(
            text,
            "| {} | {} | {}{} | {} | {} | {} | {} |",
            row.scenario.title,
            row.scenario.profile,
            spread(&against_noop),
            limit.map_or_else(String::new, |limit| format!(", limit {limit}")),
            spread(&against_true),
            microseconds(&row.rounds, |round| round.hook),
            microseconds(&row.rounds, |round| round.noop),
            cells(&row.counts),
        );
    }
    let _ = writeln!(text, "| no-op (`fn main() {{}}`, static) | | | | | | {} |", cells(noop));
    Ok(text)
}

/// The counts in one line.
pub(crate) fn sentence(counts: &Counts) -> String {
    let words = [
        (counts.instructions, "instructions"),
        (counts.faults, "page faults"),
        (counts.syscalls, "system calls"),
        (counts.peak_kib, "KiB at the peak"),
    ];
    let said = words.iter().filter_map(|(count, what)| count.map(|count| format!("{count} {what}")));
    said.collect::<Vec<_>>().join(", ")
}

fn cells(counts: &Counts) -> String {
    [counts.instructions, counts.faults, counts.syscalls, counts.peak_kib]
        .map(|count| count.map_or_else(|| MISSING.to_owned(), |count| count.to_string()))
        .join(" | ")
}

fn ratios(rounds: &[Round], other: impl Fn(&Round) -> Option<Duration>) -> Vec<f64> {
    rounds.iter().filter_map(|round| Some(round.hook.as_secs_f64() / other(round)?.as_secs_f64())).collect()
}

fn spread(values: &[f64]) -> String {
    match [50, 10, 90].map(|percent| percentile(values, percent)) {
        [Some(middle), Some(low), Some(high)] => format!("{middle:.2} ({low:.2}–{high:.2})"),
        _ => MISSING.to_owned(),
    }
}

fn microseconds(rounds: &[Round], which: impl Fn(&Round) -> Duration) -> String {
    let values: Vec<f64> = rounds.iter().map(|round| which(round).as_secs_f64() * 1e6).collect();
    percentile(&values, 50).map_or_else(|| MISSING.to_owned(), |value| format!("{value:.0}"))
}

/// The value below which `percent` of a hundred lie, by the nearest rank.
pub(crate) fn percentile(values: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

/// What the figures depend on and what does not name a machine: architecture, system, number of processors.
fn host_class() -> String {
    let processors = std::thread::available_parallelism().map_or(0, usize::from);
    format!("{}-{}-{processors}cpu", std::env::consts::ARCH, std::env::consts::OS)
}

fn today(sh: &Shell) -> Result<String> {
    cmd!(sh, "date -u +%F").quiet().read().context("ask `date` for the day")
}

/// Writes every round and the table to a folder of `benches/runs`; returns it.
pub(crate) fn save(sh: &Shell, rows: &[Row], table: &str) -> Result<PathBuf> {
    let folder = workspace::root().join("benches/runs").join(format!("{}-{}", today(sh)?, host_class()));
    fs::create_dir_all(&folder).with_context(|| format!("create {}", folder.display()))?;
    for row in rows {
        let mut text = "round,noop_ns,hook_ns,bin_true_ns\n".to_owned();
        for (index, round) in row.rounds.iter().enumerate() {
            let system = round.system.map_or_else(String::new, |time| time.as_nanos().to_string());
            let _ = writeln!(text, "{index},{},{},{system}", round.noop.as_nanos(), round.hook.as_nanos());
        }
        let path = folder.join(format!("{}.csv", row.scenario.id));
        fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
    }
    let path = folder.join("summary.md");
    fs::write(&path, table).with_context(|| format!("write {}", path.display()))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let values: Vec<f64> = (1..=10).rev().map(f64::from).collect();
        assert_eq!([10, 50, 90, 100].map(|percent| percentile(&values, percent)), [1.0, 5.0, 9.0, 10.0].map(Some));
        assert_eq!(percentile(&[3.5], 10), Some(3.5));
        assert_eq!(percentile(&[], 50), None);
    }

    #[test]
    fn ratios_are_taken_round_by_round() {
        let round =
            |noop, hook| Round { noop: Duration::from_micros(noop), hook: Duration::from_micros(hook), system: None };
        let rounds = [round(100, 150), round(200, 500), round(400, 800)];
        assert_eq!(spread(&ratios(&rounds, |round| Some(round.noop))), "2.00 (1.50–2.50)");
        assert_eq!(spread(&ratios(&rounds, |round| round.system)), MISSING);
    }
}
