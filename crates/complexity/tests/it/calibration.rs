//! The labelled prompts: how many, of what kinds, and the figures that the README gives for them.

use std::collections::BTreeMap;

use hook_complexity::{Category, Options, Scorer, Tier};
use serde::Deserialize;

use crate::data::cases;

#[derive(Deserialize)]
struct Labelled {
    tier: String,
    lang: String,
    kind: String,
    held: bool,
    prompt: String,
}

impl Labelled {
    fn label(&self) -> Tier {
        Tier::parse(&self.tier).unwrap()
    }
}

/// How often each label got each tier.
fn matrix<'r>(scorer: &Scorer, rows: impl Iterator<Item = &'r Labelled>) -> BTreeMap<(Tier, Tier), u32> {
    let mut counts = BTreeMap::new();
    for row in rows {
        *counts.entry((row.label(), scorer.score(&row.prompt, None).tier)).or_default() += 1;
    }
    counts
}

fn sum(counts: &BTreeMap<(Tier, Tier), u32>, keep: impl Fn(Tier, Tier) -> bool) -> u32 {
    counts.iter().filter(|((label, tier), _)| keep(*label, *tier)).map(|(_, n)| n).sum()
}

#[test]
fn the_set_is_broad() {
    let rows = cases::<Labelled>("calibration.toml");
    assert!(rows.len() >= 300, "{}", rows.len());
    let mut kinds = BTreeMap::<&str, u32>::new();
    let mut languages = BTreeMap::<&str, u32>::new();
    for row in &rows {
        *kinds.entry(&row.kind).or_default() += 1;
        *languages.entry(&row.lang).or_default() += 1;
    }
    for kind in ["talk", "short", "long", "code", "maths", "puzzle", "science", "legal", "ops", "logs", "writing"] {
        assert!(kinds.get(kind).is_some_and(|&n| n >= 3), "{kind}: {kinds:?}");
    }
    for language in ["en", "de", "fr", "es", "zh"] {
        assert!(languages.get(language).is_some_and(|&n| n >= 20), "{language}: {languages:?}");
    }
    for tier in Tier::ALL {
        assert!(rows.iter().filter(|row| row.label() == tier).count() >= 20, "{tier}");
    }
    let mut prompts: Vec<_> = rows.iter().map(|row| &row.prompt).collect();
    prompts.sort();
    prompts.dedup();
    assert_eq!(prompts.len(), rows.len(), "a prompt stands twice");
}

#[test]
fn the_readme_gives_the_figures_of_this_table() {
    let rows = cases::<Labelled>("calibration.toml");
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    for scorer in [Scorer::default(), Scorer::new(Options::calibrated())] {
        let counts = matrix(&scorer, rows.iter());
        for label in Tier::ALL {
            let cells = Tier::ALL.map(|tier| counts.get(&(label, tier)).copied().unwrap_or(0).to_string());
            let line = format!("| {label} | {} |", cells.join(" | "));
            assert!(
                readme.contains(&line),
                "README.md lacks: {line} (run the example `calibration` and copy its tables)"
            );
        }
    }
}

#[test]
fn features_do_better_than_the_document_also_on_prompts_that_were_not_fitted() {
    let rows = cases::<Labelled>("calibration.toml");
    let held = || rows.iter().filter(|row| row.held);
    let all = u32::try_from(held().count()).unwrap();
    let document = matrix(&Scorer::default(), held());
    let features = matrix(&Scorer::new(Options::calibrated()), held());
    let exact = |counts: &BTreeMap<_, _>| sum(counts, |label, tier| label == tier);
    assert!(exact(&features) > 2 * exact(&document), "{} {}", exact(&features), exact(&document));
    assert!(exact(&features) * 100 >= all * 80, "{} of {all}", exact(&features));
    assert_eq!(sum(&features, |label, tier| (label as i8 - tier as i8).abs() <= 1), all);
}

#[test]
fn features_are_off_unless_asked_for() {
    let text = "1. Design `src/a.rs`\n2. It must never crash\n```rust\nx\n```";
    assert_eq!(hook_complexity::score(text).sum(Category::Feature), 0);
    let score = Scorer::new(Options::calibrated()).score(text, None);
    let times: Vec<_> = score.signals.iter().map(|hit| (&*hit.id, hit.times)).collect();
    // Two items, a code block, a file, "design", "must" and "never", "crash".
    for expected in [("F1", 1), ("F2", 1), ("F3", 2), ("F7", 1), ("F8", 2), ("F9", 1)] {
        assert!(times.contains(&expected), "{expected:?} in {times:?}");
    }
}

#[test]
fn pasted_output_is_something_to_explain() {
    let text = "hm\n10:00:00 a\n10:00:01 b\n10:00:02 c";
    let score = Scorer::new(Options::calibrated()).score(text, None);
    assert_eq!(score.signals.iter().map(|hit| &*hit.id).collect::<Vec<_>>(), ["F4"]);
}
