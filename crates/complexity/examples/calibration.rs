//! Scores the labelled prompts of `tests/data/calibration.jsonl` and prints how the tiers compare: `cargo run --example calibration`.
#![allow(clippy::print_stdout, reason = "a program that prints its answer")]

use hook_complexity::{Options, Scorer, Tier};
use serde::Deserialize;

#[derive(Deserialize)]
struct Labelled {
    tier: String,
    lang: String,
    kind: String,
    held: bool,
    prompt: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/calibration.jsonl");
    let text = std::fs::read_to_string(path)?;
    let rows = text.lines().map(serde_json::from_str::<Labelled>).collect::<Result<Vec<_>, _>>()?;
    let document = Scorer::default();
    let features = Scorer::new(Options::calibrated());
    if std::env::args().any(|argument| argument == "--misses") {
        for row in &rows {
            let score = features.score(&row.prompt, None);
            if score.tier.as_str() != row.tier {
                let why: Vec<_> = score.signals.iter().map(|hit| format!("{}×{}", hit.id, hit.times)).collect();
                let start: String = row.prompt.chars().take(100).collect();
                println!(
                    "{} → {} {} [{}] {} {}: {start:?}",
                    row.tier,
                    score.c,
                    score.tier,
                    why.join(" "),
                    row.lang,
                    row.kind
                );
            }
        }
        return Ok(());
    }
    if std::env::args().any(|argument| argument == "--counts") {
        for row in &rows {
            let score = features.score(&row.prompt, None);
            let hits: Vec<_> = score.signals.iter().map(|hit| (hit.id.to_string(), hit.times, hit.score)).collect();
            println!("{}", serde_json::to_string(&(&row.tier, row.held, score.base, score.multiplier(), hits))?);
        }
        return Ok(());
    }
    for (name, scorer) in [("document", &document), ("features", &features)] {
        for (part, held) in [("all", None), ("fitted", Some(false)), ("held out", Some(true))] {
            table(name, part, scorer, rows.iter().filter(|row| held.is_none_or(|held| row.held == held)));
        }
    }
    Ok(())
}

/// A row for each label, a column for each tier that the scorer gives.
fn table<'r>(name: &str, part: &str, scorer: &Scorer, rows: impl Iterator<Item = &'r Labelled>) {
    let mut counts = [[0u32; 4]; 4];
    for row in rows {
        let Some(label) = Tier::parse(&row.tier) else { continue };
        if let Some(count) = counts
            .get_mut(label as usize)
            .and_then(|counts| counts.get_mut(scorer.score(&row.prompt, None).tier as usize))
        {
            *count += 1;
        }
    }
    let sum = |keep: fn(usize, usize) -> bool| -> u32 {
        counts
            .iter()
            .enumerate()
            .flat_map(|(l, row)| row.iter().enumerate().filter(move |(t, _)| keep(l, *t)).map(|(_, n)| *n))
            .sum()
    };
    let (all, exact, near) = (sum(|_, _| true), sum(|l, t| l == t), sum(|l, t| l.abs_diff(t) <= 1));
    println!("{name}, {part}: {exact} of {all} exact ({} %), {near} within one tier", 100 * exact / all.max(1));
    println!("| label | {} |", Tier::ALL.map(Tier::as_str).join(" | "));
    println!("| --- | --- | --- | --- | --- |");
    for (tier, row) in Tier::ALL.iter().zip(counts) {
        println!("| {tier} | {} |", row.map(|n| n.to_string()).join(" | "));
    }
    println!();
}
