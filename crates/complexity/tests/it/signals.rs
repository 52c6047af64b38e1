//! Each row of the table: its points, what fires it, what doesn't, and what only the raw table takes for it.

use hook_complexity::{Category, Matching, Options, PHRASE_FACTORS, SIGNALS, Scorer};
use serde::Deserialize;

use crate::data::cases;

#[derive(Deserialize)]
struct Row {
    id: String,
    category: Option<String>,
    score: Option<u32>,
    by: Option<f64>,
    should_match: Vec<String>,
    should_not_match: Vec<String>,
    #[serde(default)]
    raw_only: Vec<String>,
}

/// Whether the row fires on the text, after a check that its points or its factor are what the document says.
fn should_match(row: &Row, scorer: &Scorer, text: &str) -> bool {
    let score = scorer.score(text, None);
    if let Some(hit) = score.signals.iter().find(|hit| hit.id == row.id) {
        assert_eq!((Some(hit.score), hit.times), (row.score, 1), "{}: {text}", row.id);
        assert_eq!(row.category.as_deref(), Some(hit.category.as_str()), "{}: {text}", row.id);
        assert!(text.get(hit.span.clone()).is_some_and(|span| !span.is_empty()), "{}: {text}", row.id);
        return true;
    }
    score
        .factors
        .iter()
        .filter(|factor| factor.id == row.id)
        .inspect(|factor| assert_eq!(Some(factor.by), row.by))
        .count()
        > 0
}

#[test]
fn every_row_fires_and_spares() {
    let words = Scorer::default();
    let raw = Scorer::new(Options { matching: Matching::Raw, ..Options::default() });
    let mut wrong = Vec::new();
    for row in cases::<Row>("signals.toml") {
        let mut check = |texts: &[String], in_words: bool, in_raw: bool| {
            for text in texts {
                let (found_words, found_raw) = (should_match(&row, &words, text), should_match(&row, &raw, text));
                // Runs of white space count as one only between words.
                if found_words != in_words || (found_raw != in_raw && !text.contains("  ")) {
                    wrong.push(format!("{}: {text:?} words {found_words} raw {found_raw}", row.id));
                }
            }
        };
        check(&row.should_match, true, true);
        check(&row.should_not_match, false, false);
        check(&row.raw_only, false, true);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_row_has_cases_and_adds_up_to_the_document() {
    let rows = cases::<Row>("signals.toml");
    let core = SIGNALS.iter().filter(|signal| signal.category != Category::Feature);
    for id in core.map(|signal| signal.id).chain(PHRASE_FACTORS.iter().map(|factor| factor.id)) {
        assert!(rows.iter().any(|row| row.id == id), "{id} has no case");
    }
    // The sums if everything matches, as the document's table gives them.
    for (category, sum) in [("math", 4_550), ("logic", 2_300), ("domain", 2_450)] {
        let of = rows.iter().filter(|row| row.category.as_deref() == Some(category));
        assert_eq!(of.filter_map(|row| row.score).sum::<u32>(), sum, "{category}");
    }
}

#[test]
fn s0_38_a_row_counts_once_however_often_it_matches() {
    let once = hook_complexity::score("debug it");
    let often = hook_complexity::score("debug it, debug errors, fix bugs: error error error");
    assert_eq!((once.sum(Category::Domain), often.sum(Category::Domain)), (150, 150));
    // Two rows add up: D2 150 and D3 300.
    assert_eq!(hook_complexity::score("debug and refactor").sum(Category::Domain), 450);
}

#[test]
fn s0_39_a_factor_counts_once_however_often_it_matches() {
    let score = hook_complexity::score("step 1, step 2 and then step 3; first this, then that");
    assert_eq!(score.factors.iter().filter(|factor| factor.id == "sequence").count(), 1);
}

/// A text with both phrase factors: 40 characters, D6 400.
const BOTH_FACTORS: &str = "compare, contrast and then quantum aaaaa";

#[test]
fn s0_44_both_factors_multiply() {
    // (4 + 400) × 1.5 × 1.8 = 1090.8.
    assert_eq!(BOTH_FACTORS.chars().count(), 40);
    assert_eq!(hook_complexity::score(BOTH_FACTORS).c, 1_090);
}

#[test]
fn s0_40_comparison_alone_or_in_place_of_the_sequence() {
    // (3.6 + 400) × 1.8 = 726.48 and, replaced, (4 + 400) × 1.8 = 727.2.
    assert_eq!(hook_complexity::score("compare it to quantum; contrast both").c, 726);
    let replace = Options { phrase_factors: hook_complexity::PhraseFactors::Replace, ..Options::default() };
    assert_eq!(Scorer::new(replace).score(BOTH_FACTORS, None).c, 727);
}

#[test]
fn s0_43_question_marks_count_from_three() {
    // 700 characters of letters are long, so that the floor of 50 hides nothing: 70 × 1.3 = 91 with no mark.
    let with = |marks: usize| hook_complexity::score(&format!("{}{}", "x".repeat(700 - marks), "?".repeat(marks))).c;
    assert_eq!((with(0), with(2)), (91, 91));
    assert_eq!((with(3), with(10)), (118, 182));
    // In text without Latin punctuation the full-width mark asks as well.
    let score = hook_complexity::score("为什么？怎么？何时？");
    assert_eq!((score.questions, score.factors.first().map(|factor| factor.by)), (3, Some(1.3)));
}

#[test]
fn s0_34_length_counts_characters_not_bytes() {
    assert_eq!(hook_complexity::score(&"实".repeat(600)).c, 78);
    assert_eq!(hook_complexity::score(&"z".repeat(600)).c, 78);
    assert_eq!(hook_complexity::score(&"x".repeat(1_234)).base.to_bits(), 123.4_f64.to_bits());
    assert_eq!(hook_complexity::score(&"x".repeat(5_000)).base.to_bits(), 200_f64.to_bits());
}

#[test]
fn keywords_stand_free_between_letters_of_other_scripts() {
    let ids =
        |text: &str| hook_complexity::score(text).signals.iter().map(|hit| hit.id.to_string()).collect::<Vec<_>>();
    assert_eq!(ids("请debug这个quantum算法"), ["D2", "D6"]);
    assert_eq!(ids("请 debug 这个 quantum 算法"), ["D2", "D6"]);
    assert_eq!(ids("ここでrefactorしてから、implementして"), ["D3", "D1"]);
    assert_eq!(ids("이 error를 고쳐줘"), ["D2"]);
    // Latin letters with marks do continue a word.
    assert_eq!(ids("préproof, errorés"), Vec::<String>::new());
}

#[test]
fn a_hit_names_its_text() {
    let text = "Äh: first list the KNIGHTS, then the knaves";
    let score = hook_complexity::score(text);
    let spans: Vec<_> = score.signals.iter().map(|hit| (&*hit.id, &text[hit.span.clone()])).collect();
    assert_eq!(spans, [("L1", "KNIGHTS, then the knave")]);
    assert_eq!(
        score.factors.iter().map(|factor| &text[factor.span.clone()]).collect::<Vec<_>>(),
        ["first list the KNIGHTS, then"]
    );
}
