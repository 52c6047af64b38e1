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

/// One alternating round: the programs, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Round {
    pub(crate) noop: Duration,
    pub(crate) hook: Duration,
    /// `/bin/true`, where there is one.
    pub(crate) system: Option<Duration>,
    /// The command of `--against`.
    pub(crate) other: Option<Duration>,
}

/// All that was measured of one kind of call.
pub(crate) struct Measured {
    pub(crate) rounds: Vec<Round>,
    pub(crate) counts: Counts,
}

impl Measured {
    /// Median of the rounds, as a multiple of the no-op.
    pub(crate) fn against_noop(&self) -> Option<f64> {
        percentile(&ratios(&self.rounds, |round| Some(round.noop)), 50)
    }
}

/// All that was measured of one scenario.
pub(crate) struct Row {
    pub(crate) scenario: &'static Scenario,
    pub(crate) measured: Measured,
}

/// What was measured of one call of a longer series.
pub(crate) struct Line {
    /// Name of its file in `benches/runs`.
    pub(crate) id: String,
    /// Its first cells in the table.
    pub(crate) title: String,
    pub(crate) measured: Measured,
}

/// The table of a series; `head` names its first cells.
pub(crate) fn lines(head: &str, lines: &[Line]) -> String {
    let columns = head.matches('|').count() + 1;
    let mut text = format!(
        "| {head} | × no-op | hook p50 µs | instructions | faults | system calls | peak KiB |\n|{}\n",
        " --- |".repeat(columns + 6)
    );
    for line in lines {
        let Measured { rounds, counts } = &line.measured;
        let ratio = spread(&ratios(rounds, |round| Some(round.noop)));
        let time = microseconds(rounds, |round| round.hook);
        let _ = writeln!(text, "| {} | {ratio} | {time} | {} |", line.title, cells(counts));
    }
    text
}

/// The table of processes that run at once.
pub(crate) fn at_once(series: &[(usize, Vec<Duration>)]) -> String {
    let mut text = "| processes at once | p50 µs | p99 µs | slowest µs |\n| --- | --- | --- | --- |\n".to_owned();
    for (processes, times) in series {
        let micros: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e6).collect();
        let cell =
            |percent| percentile(&micros, percent).map_or_else(|| MISSING.to_owned(), |value| format!("{value:.0}"));
        let _ = writeln!(text, "| {processes} | {} | {} | {} |", cell(50), cell(99), cell(100));
    }
    text
}

const MISSING: &str = "not measured";

/// The table, with the machine and the command above it.
pub(crate) fn table(sh: &Shell, rows: &[Row], noop: &Counts, command: &str) -> Result<String> {
    let mut text = format!(
        "`{command}` on {}, {}. Ratios: median of the rounds, 10th to 90th percentile in brackets.\n\n",
        host_class(),
        today(sh)?
    );
    text.push_str("| event | profile | × no-op | × /bin/true | hook p50 µs | no-op p50 µs | instructions | faults | system calls | peak KiB |\n");
    text.push_str("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for row in rows {
        let limit = row.scenario.limit.ratio;
        let against_noop = ratios(&row.measured.rounds, |round| Some(round.noop));
        let against_true = ratios(&row.measured.rounds, |round| round.system);
        let _ = writeln!(
            text,
            "| {} | {} | {}{} | {} | {} | {} | {} |",
            row.scenario.title,
            row.scenario.profile,
            spread(&against_noop),
            limit.map_or_else(String::new, |limit| format!(", limit {limit}")),
            spread(&against_true),
            microseconds(&row.measured.rounds, |round| round.hook),
            microseconds(&row.measured.rounds, |round| round.noop),
            cells(&row.measured.counts),
        );
    }
    let _ = writeln!(text, "| no-op (`fn main() {{}}`, static) | | | | | | {} |", cells(noop));
    if rows.iter().any(|row| row.measured.rounds.iter().any(|round| round.other.is_some())) {
        text.push_str("\n| event | profile | hook p50 µs | other command p50 µs | hook as a part of it |\n| --- | --- | --- | --- | --- |\n");
    }
    for row in rows {
        let rounds = &row.measured.rounds;
        let other: Vec<f64> = rounds.iter().filter_map(|round| Some(round.other?.as_secs_f64() * 1e6)).collect();
        let Some(middle) = percentile(&other, 50) else { continue };
        let part = spread(&ratios(rounds, |round| round.other));
        let hook = microseconds(rounds, |round| round.hook);
        let Scenario { title, profile, .. } = row.scenario;
        let _ = writeln!(text, "| {title} | {profile} | {hook} | {middle:.0} | {part} |");
    }
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

/// Writes every round and the summary to a folder of `benches/runs`; returns it.
pub(crate) fn save(sh: &Shell, series: &[(&str, &[Round])], summary: &str) -> Result<PathBuf> {
    let folder = workspace::root().join("benches/runs").join(format!("{}-{}", today(sh)?, host_class()));
    fs::create_dir_all(&folder).with_context(|| format!("create {}", folder.display()))?;
    for (id, rounds) in series {
        let path = folder.join(format!("{id}.csv"));
        fs::write(&path, raw(rounds)).with_context(|| format!("write {}", path.display()))?;
    }
    let path = folder.join("summary.md");
    fs::write(&path, summary).with_context(|| format!("write {}", path.display()))?;
    Ok(folder)
}

/// The rounds as they were, in nanoseconds.
fn raw(rounds: &[Round]) -> String {
    let optional = |time: Option<Duration>| time.map_or_else(String::new, |time| time.as_nanos().to_string());
    let mut text = "round,noop_ns,hook_ns,bin_true_ns,other_ns\n".to_owned();
    for (index, round) in rounds.iter().enumerate() {
        let Round { noop, hook, system, other } = round;
        let _ = writeln!(
            text,
            "{index},{},{},{},{}",
            noop.as_nanos(),
            hook.as_nanos(),
            optional(*system),
            optional(*other)
        );
    }
    text
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
        let round = |noop, hook| Round {
            noop: Duration::from_micros(noop),
            hook: Duration::from_micros(hook),
            system: None,
            other: None,
        };
        let rounds = [round(100, 150), round(200, 500), round(400, 800)];
        assert_eq!(spread(&ratios(&rounds, |round| Some(round.noop))), "2.00 (1.50–2.50)");
        assert_eq!(spread(&ratios(&rounds, |round| round.system)), MISSING);
    }
}
