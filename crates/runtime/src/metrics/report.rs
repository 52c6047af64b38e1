//! The figures of a period, summed up from the daily files, archived ones included, and set beside `collective`'s targets.

use std::fmt::Write as _;
use std::path::Path;

use chrono::NaiveDate;
use serde::Serialize;

use super::day::{Day, Totals};
use super::{DIR, names_of_days, read};
use crate::system::open::Beneath;

/// The sums of a period.
#[derive(Serialize)]
pub struct Report {
    /// Version of this layout.
    version: u32,
    /// The first and the last day with figures.
    from: Option<String>,
    to: Option<String>,
    days: usize,
    totals: Totals,
    goals: Vec<Goal>,
}

/// A target of `collective`, and how near it is.
#[derive(Serialize)]
struct Goal {
    name: &'static str,
    target_percent: f64,
    /// `null` where nothing was measured.
    percent: Option<f64>,
    samples: u64,
    /// How much so many samples say, from 0 to 1.
    confidence: f64,
}

impl Goal {
    fn new(name: &'static str, target_percent: f64, good: u64, samples: u64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a share needs no more than 52 bits")]
        let percent = (samples > 0).then(|| (good as f64 * 1_000.0 / samples as f64).round() / 10.0);
        Self { name, target_percent, percent, samples, confidence: confidence(samples) }
    }
}

/// How much a sample of this size says, as `collective` has it.
fn confidence(samples: u64) -> f64 {
    match samples {
        0..30 => 0.50,
        30..100 => 0.70,
        100..500 => 0.85,
        500..1_000 => 0.90,
        _ => 0.95,
    }
}

impl Report {
    /// Sums up the days from `since` on.
    pub fn of(root: &Path, since: Option<NaiveDate>) -> Self {
        let dir = root.join(DIR);
        let mut days: Vec<Day> = Vec::new();
        let archives = dir.join("archives");
        let months = Beneath::new(root).names(&archives, usize::MAX).unwrap_or_default();
        let dirs = months.into_iter().map(|month| archives.join(month)).chain([dir]);
        for dir in dirs {
            days.extend(names_of_days(root, &dir).iter().filter_map(|name| read(root, &dir.join(name))));
        }
        let after = since.map(|date| date.format("%Y-%m-%d").to_string());
        days.retain(|day| after.as_ref().is_none_or(|after| day.date >= *after));
        days.sort_by(|a, b| a.date.cmp(&b.date));
        let mut totals = Totals::default();
        for day in &days {
            totals.add(&day.totals);
        }
        let ended: u64 = totals.agents.values().map(|agent| agent.ended).sum();
        let clean: u64 = totals.agents.values().map(|agent| agent.clean).sum();
        let checked = totals.checkpoints_passed.saturating_add(totals.checkpoints_failed);
        let goals = vec![
            Goal::new("routing compliance", 95.0, clean, ended),
            Goal::new("handoff success", 98.0, totals.checkpoints_passed, checked),
        ];
        Self {
            version: 1,
            from: days.first().map(|day| day.date.clone()),
            to: days.last().map(|day| day.date.clone()),
            days: days.len(),
            totals,
            goals,
        }
    }

    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        let totals = &self.totals;
        let (from, to) = (self.from.as_deref().unwrap_or("-"), self.to.as_deref().unwrap_or("-"));
        let mut out = format!("# Metrics, {from} to {to}\n\nDays with figures: {}.\n\n", self.days);
        // Writing to a string cannot fail.
        let _ = writeln!(out, "| what | count |\n|---|---|");
        for (what, count) in [
            ("tool calls", totals.calls),
            ("failed calls", totals.failed),
            ("refused calls", totals.refused),
            ("prompts", totals.prompts),
            ("handoffs", totals.handoffs),
            ("checkpoints passed", totals.checkpoints_passed),
            ("checkpoints failed", totals.checkpoints_failed),
            ("peer messages", totals.peer_violations),
            ("sessions ended", totals.sessions_ended),
        ] {
            let _ = writeln!(out, "| {what} | {count} |");
        }
        let _ =
            writeln!(out, "\n## Goals\n\n| goal | target | reached | samples | confidence |\n|---|---|---|---|---|");
        for goal in &self.goals {
            let reached = goal.percent.map_or_else(|| "not measured".to_owned(), |percent| format!("{percent:.1} %"));
            let _ = writeln!(
                out,
                "| {} | {:.0} % | {reached} | {} | {:.2} |",
                goal.name, goal.target_percent, goal.samples, goal.confidence
            );
        }
        if !totals.tools.is_empty() {
            let _ =
                writeln!(out, "\n## Tools\n\n| tool | calls | failed | mean ms | longest ms |\n|---|---|---|---|---|");
            for (name, tool) in &totals.tools {
                let mean = tool.millis.checked_div(tool.timed).map_or_else(|| "-".to_owned(), |mean| mean.to_string());
                let _ =
                    writeln!(out, "| {} | {} | {} | {mean} | {} |", cell(name), tool.calls, tool.failed, tool.longest);
            }
        }
        if !totals.agents.is_empty() {
            let _ = writeln!(out, "\n## Agents\n\n| agent | started | ended | without errors |\n|---|---|---|---|");
            for (name, agent) in &totals.agents {
                let _ = writeln!(out, "| {} | {} | {} | {} |", cell(name), agent.started, agent.ended, agent.clean);
            }
        }
        out
    }
}

/// A name that somebody else chose, as a cell of a table.
fn cell(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || c == '|' { ' ' } else { c }).collect()
}
