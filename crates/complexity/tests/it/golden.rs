//! The golden vectors: the document's column in document mode, the origin's column with the origin's settings.

use hook_complexity::{Category, Matching, Options, Score, Scorer, Tier, a_optimal};
use serde::Deserialize;

use crate::data::{cases, repeated};

#[derive(Deserialize)]
struct Vector {
    prompt: String,
    repeat: Option<usize>,
    chars: usize,
    sums: [u64; 3],
    /// Sums in whole-word matching, where it differs from the raw table on purpose.
    sums_words: Option<[u64; 3]>,
    origin: u64,
    document: u64,
    document_words: Option<u64>,
    a_optimal_origin: u64,
}

fn sums(score: &Score) -> [u64; 3] {
    [Category::Math, Category::Logic, Category::Domain].map(|category| score.sum(category))
}

#[test]
fn document_column() {
    for vector in cases::<Vector>("golden.toml") {
        let prompt = repeated(&vector.prompt, vector.repeat);
        let words = hook_complexity::score(&prompt);
        assert_eq!(words.chars, vector.chars, "{}", vector.prompt);
        assert_eq!(sums(&words), vector.sums_words.unwrap_or(vector.sums), "{}", vector.prompt);
        assert_eq!(words.c, vector.document_words.unwrap_or(vector.document), "{}", vector.prompt);
        let raw = Scorer::new(Options { matching: Matching::Raw, ..Options::default() }).score(&prompt, None);
        assert_eq!((sums(&raw), raw.c), (vector.sums, vector.document), "{}", vector.prompt);
    }
}

#[test]
fn origin_column() {
    for vector in cases::<Vector>("golden.toml") {
        let score = Scorer::new(Options::origin()).score(&repeated(&vector.prompt, vector.repeat), None);
        assert_eq!(sums(&score), vector.sums, "{}", vector.prompt);
        assert_eq!((score.c, score.a_optimal), (vector.origin, vector.a_optimal_origin), "{}", vector.prompt);
    }
}

#[test]
fn s0_50_a_optimal_at_the_boundaries() {
    let table = [
        (50, 29_911),
        (100, 31_364),
        (499, 33_567),
        (500, 33_569),
        (1_999, 34_738),
        (2_000, 34_738),
        (9_999, 35_657),
        (10_000, 35_657),
        (20_000, 35_961),
    ];
    for (c, tokens) in table {
        assert_eq!(a_optimal(c), tokens, "C = {c}");
    }
    assert_eq!(a_optimal(0), 0);
}

fn tier(c: u64) -> (&'static str, u8, u8) {
    let tier = Tier::of(c);
    (tier.as_str(), tier.analyze(), tier.build())
}

#[test]
fn s0_46_simple_below_500() {
    assert_eq!(tier(50), ("SIMPLE", 40, 60));
    assert_eq!(tier(499), ("SIMPLE", 40, 60));
}

#[test]
fn s0_47_light_from_500_to_1999() {
    assert_eq!(tier(500), ("LIGHT", 60, 40));
    assert_eq!(tier(1_999), ("LIGHT", 60, 40));
}

#[test]
fn s0_48_medium_from_2000_to_9999() {
    assert_eq!(tier(2_000), ("MEDIUM", 75, 25));
    assert_eq!(tier(9_999), ("MEDIUM", 75, 25));
}

#[test]
fn s0_49_critical_from_10000() {
    assert_eq!(tier(10_000), ("CRITICAL", 95, 5));
    assert_eq!(tier(u64::MAX), ("CRITICAL", 95, 5));
}

#[test]
fn a_score_carries_its_tier_and_shares() {
    // 500 + 0.6 is LIGHT by the table of the document; the shares come with it.
    let score = hook_complexity::score("∫ x dx");
    assert_eq!((score.tier, score.analyze, score.build, score.a_optimal), (Tier::Light, 60, 40, 33_569));
}

#[test]
fn nothing_is_the_floor_and_100_in_the_origin() {
    assert_eq!(hook_complexity::score("").c, 50);
    assert_eq!(Scorer::new(Options::origin()).score("", None).c, 100);
}

#[test]
fn tiers_cover_every_c_and_have_names() {
    let bounds = [(0, 499), (500, 1_999), (2_000, 9_999), (10_000, u64::MAX)];
    for (tier, (least, most)) in Tier::ALL.into_iter().zip(bounds) {
        assert_eq!((Tier::of(least), Tier::of(most)), (tier, tier));
        assert_eq!(Tier::parse(&tier.as_str().to_lowercase()), Some(tier));
    }
    assert_eq!(Tier::parse("hard"), None);
}
