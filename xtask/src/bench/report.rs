//! The Markdown table of a run, and the raw data behind it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use xshell::Shell;

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
    /// Its first cell in the table.
    pub(crate) title: String,
    pub(crate) measured: Measured,
}

/// The table of a series; `head` names its first cell.
pub(crate) fn lines(head: &str, lines: &[Line]) -> String {
    let has_other = lines.iter().any(|line| line.measured.rounds.iter().any(|round| round.other.is_some()));
    let (other, columns) = if has_other { (" other command p50 µs |", 8) } else { ("", 7) };
    let mut text = format!(
        "| {head} | × no-op | hook p50 µs | instructions | faults | system calls | peak KiB |{other}\n|{}\n",
        " --- |".repeat(columns)
    );
    for line in lines {
        let Measured { rounds, counts } = &line.measured;
        let ratio = spread(&ratios(rounds, |round| Some(round.noop)));
        let time = microseconds(rounds, |round| round.hook);
        let other = if has_other {
            let times: Vec<f64> = rounds.iter().filter_map(|round| Some(round.other?.as_secs_f64() * 1e6)).collect();
            percentile(&times, 50).map_or_else(String::new, |middle| format!(" {middle:.0} |"))
        } else {
            String::new()
        };
        let _ = writeln!(text, "| {} | {ratio} | {time} | {} |{other}", line.title, cells(counts));
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
        workspace::today(sh)?
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

/// The directory of today's runs on a machine like this one.
pub(crate) fn dir(sh: &Shell) -> Result<PathBuf> {
    let dir = workspace::root().join("benches/runs").join(format!("{}-{}", workspace::today(sh)?, host_class()));
    fs::create_dir_all(dir.join(PARTS)).with_context(|| format!("create {}", dir.display()))?;
    Ok(dir)
}

/// Where the parts of a summary lie, so that a run can be taken up again.
const PARTS: &str = "parts";

/// Whether the directory has this part of the summary.
pub(crate) fn has(dir: &Path, part: &str) -> bool {
    dir.join(PARTS).join(format!("{part}.md")).is_file()
}

/// Writes every round of a part and, where it is whole, its text; the summary is all parts there are, the table first.
pub(crate) fn keep(dir: &Path, part: &str, raw: &[(&str, String)], text: Option<&str>) -> Result<()> {
    let write = |path: PathBuf, text: &str| fs::write(&path, text).with_context(|| format!("write {}", path.display()));
    for (id, rows) in raw {
        write(dir.join(format!("{id}.csv")), rows)?;
    }
    let Some(text) = text else { return Ok(()) };
    let parts = dir.join(PARTS);
    write(parts.join(format!("{part}.md")), text)?;
    let mut files: Vec<PathBuf> = fs::read_dir(&parts)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .with_context(|| format!("list {}", parts.display()))?;
    files.sort_by_key(|file| (file.file_stem() != Some("table".as_ref()), file.clone()));
    let texts = files.iter().map(|file| fs::read_to_string(file).with_context(|| format!("read {}", file.display())));
    write(dir.join("summary.md"), &texts.collect::<Result<Vec<_>>>()?.join("\n"))
}

/// The rounds as they were, in nanoseconds, by the case that they are of; one without a name has no column for it.
pub(crate) fn rounds<'r>(cases: impl IntoIterator<Item = (&'r str, &'r [Round])>) -> String {
    let optional = |time: Option<Duration>| time.map_or_else(String::new, |time| time.as_nanos().to_string());
    let mut text = String::new();
    for (case, rounds) in cases {
        let (column, case) = if case.is_empty() { ("", String::new()) } else { ("case,", format!("{case},")) };
        if text.is_empty() {
            let _ = writeln!(text, "{column}round,noop_ns,hook_ns,bin_true_ns,other_ns");
        }
        for (index, round) in rounds.iter().enumerate() {
            let Round { noop, hook, system, other } = round;
            let (noop, hook) = (noop.as_nanos(), hook.as_nanos());
            let _ = writeln!(text, "{case}{index},{noop},{hook},{},{}", optional(*system), optional(*other));
        }
    }
    text
}

/// The times of processes that ran at once, in nanoseconds.
pub(crate) fn times(series: &[(usize, Vec<Duration>)]) -> String {
    let rows = series.iter().flat_map(|(processes, times)| times.iter().map(move |time| (processes, time.as_nanos())));
    let mut text = "processes,hook_ns\n".to_owned();
    for (processes, time) in rows {
        let _ = writeln!(text, "{processes},{time}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_grows_by_parts_and_is_taken_up_again() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(PARTS)).unwrap();
        keep(dir.path(), "log", &[], Some("## log\n")).unwrap();
        keep(dir.path(), "table", &[("one", String::new())], None).unwrap();
        assert!(has(dir.path(), "log") && !has(dir.path(), "table"));
        keep(dir.path(), "table", &[("one", "round\n".to_owned())], Some("the table\n")).unwrap();
        assert_eq!(fs::read_to_string(dir.path().join("summary.md")).unwrap(), "the table\n\n## log\n");
        assert_eq!(fs::read_to_string(dir.path().join("one.csv")).unwrap(), "round\n");
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let values: Vec<f64> = (1..=10).rev().map(f64::from).collect();
        assert_eq!([10, 50, 90, 100].map(|percent| percentile(&values, percent)), [1.0, 5.0, 9.0, 10.0].map(Some));
        assert_eq!(percentile(&[3.5], 10), Some(3.5));
        assert_eq!(percentile(&[], 50), None);
    }

    #[test]
    fn raw_data_names_the_case_of_a_series() {
        let round = Round {
            noop: Duration::from_nanos(5),
            hook: Duration::from_nanos(7),
            system: Some(Duration::from_nanos(6)),
            other: None,
        };
        let all = [round];
        assert_eq!(rounds([("", all.as_slice())]), "round,noop_ns,hook_ns,bin_true_ns,other_ns\n0,5,7,6,\n");
        let series = rounds([("a", all.as_slice()), ("b", all.as_slice())]);
        assert_eq!(series, "case,round,noop_ns,hook_ns,bin_true_ns,other_ns\na,0,5,7,6,\nb,0,5,7,6,\n");
        assert_eq!(times(&[(4, vec![Duration::from_nanos(9)])]), "processes,hook_ns\n4,9\n");
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
