//! `benches/baseline.toml`: the counts of every scenario that later runs are held against.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::measure::Counts;
use super::scenario::Scenario;
use crate::workspace;

/// Counts by scenario.
pub(crate) type Baseline = BTreeMap<String, Counts>;

const HEAD: &str = "\
# What one hook process costs, counted. Written by `cargo xtask bench --baseline`; `cargo xtask ci` fails when a
# count rises above the slack beside it in xtask/src/bench/baseline.rs. Change it together with the code that costs more,
# and say why in the change log.
";

/// What another kernel, C library or path length may add without anything having got worse.
const SLACK_INSTRUCTIONS_PERCENT: u64 = 5;
const SLACK_INSTRUCTIONS: u64 = 2_000;
const SLACK_FAULTS: u64 = 6;
const SLACK_SYSCALLS: u64 = 2;

pub(crate) fn path() -> PathBuf {
    workspace::root().join("benches/baseline.toml")
}

/// Reads the file; a missing one is an empty baseline.
pub(crate) fn load(path: &Path) -> Result<Baseline> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Baseline::new()),
        Err(error) => return Err(error).with_context(|| format!("read {}", path.display())),
    };
    parse(&text).with_context(|| format!("read {}", path.display()))
}

fn parse(text: &str) -> Result<Baseline> {
    let table: toml::Table = text.parse()?;
    let counts = |(id, row): (String, toml::Value)| {
        let number = |key: &str| row.get(key).and_then(toml::Value::as_integer).and_then(|n| u64::try_from(n).ok());
        let counts = Counts {
            instructions: number("instructions"),
            faults: number("faults"),
            syscalls: number("syscalls"),
            peak_kib: None,
        };
        (id, counts)
    };
    Ok(table.into_iter().map(counts).collect())
}

/// Writes the rows, sorted by name. Counts that were not measured keep their old value.
pub(crate) fn save(path: &Path, old: &Baseline, new: &Baseline) -> Result<()> {
    let mut all = old.clone();
    for (id, counts) in new {
        let row = all.entry(id.clone()).or_default();
        row.instructions = counts.instructions.or(row.instructions);
        row.faults = counts.faults.or(row.faults);
        row.syscalls = counts.syscalls.or(row.syscalls);
    }
    std::fs::write(path, print(&all)).with_context(|| format!("write {}", path.display()))
}

fn print(baseline: &Baseline) -> String {
    let mut text = HEAD.to_owned();
    for (id, counts) in baseline {
        let _ = writeln!(text, "\n[{id}]");
        let rows = [("instructions", counts.instructions), ("faults", counts.faults), ("syscalls", counts.syscalls)];
        for (key, value) in rows {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = {value}");
            }
        }
    }
    text
}

/// What got worse, one sentence each; empty when nothing did.
pub(crate) fn regressions(scenario: &Scenario, was: Option<&Counts>, is: &Counts) -> Vec<String> {
    let mut found = Vec::new();
    let mut hold = |what: &str, value: Option<u64>, bound: Option<u64>, why: &str| {
        if let (Some(value), Some(bound)) = (value, bound)
            && value > bound
        {
            found.push(format!("{}: {value} {what}, more than {bound} ({why})", scenario.id));
        }
    };
    hold("instructions", is.instructions, scenario.limit.instructions, "the limit in xtask/src/bench/scenario.rs");
    hold(
        "KiB of peak memory",
        is.peak_kib,
        scenario.limit.peak_kib,
        "the limit in xtask/src/bench/scenario.rs; `cargo xtask order` puts new code of hooks beside the old",
    );
    if let Some(was) = was {
        let instructions =
            was.instructions.map(|count| count + count * SLACK_INSTRUCTIONS_PERCENT / 100 + SLACK_INSTRUCTIONS);
        hold("instructions", is.instructions, instructions, "the baseline and its slack");
        hold(
            "page faults",
            is.faults,
            was.faults.map(|count| count + SLACK_FAULTS),
            "the baseline and its slack; `cargo xtask order` puts new code of hooks beside the old",
        );
        hold(
            "system calls",
            is.syscalls,
            was.syscalls.map(|count| count + SLACK_SYSCALLS),
            "the baseline and its slack",
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::scenario::ALL;

    fn counts(instructions: u64, faults: u64, syscalls: u64) -> Counts {
        Counts { instructions: Some(instructions), faults: Some(faults), syscalls: Some(syscalls), peak_kib: None }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut baseline = Baseline::new();
        baseline.insert("pre-bash".into(), counts(117_000, 45, 22));
        baseline.insert("prompt-1k".into(), Counts { faults: Some(1), ..Counts::default() });
        assert_eq!(parse(&print(&baseline)).unwrap(), baseline);
    }

    #[test]
    fn a_count_above_the_slack_is_a_regression() {
        let scenario = &ALL[0];
        let was = counts(100_000, 40, 20);
        assert!(regressions(scenario, Some(&was), &counts(107_000, 46, 22)).is_empty());
        assert_eq!(regressions(scenario, Some(&was), &counts(107_001, 47, 23)).len(), 3);
        assert!(regressions(scenario, None, &counts(300_000, 400, 200)).is_empty());
        assert_eq!(regressions(scenario, None, &counts(300_001, 400, 200)).len(), 1);
        assert!(regressions(scenario, Some(&was), &Counts::default()).is_empty());
    }
}
