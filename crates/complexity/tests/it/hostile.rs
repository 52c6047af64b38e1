//! Text that nobody means well with: odd, huge, built against the matcher.

use hook_complexity::{Options, Scorer, score};

/// Cases of the requirement list: each is the floor, because there is nothing to do in it.
#[test]
fn odd_text_is_the_floor() {
    for text in [
        "", " ", "   \n\t", "🙂", "\0", "\0\u{7}\u{1b}[31m", "Ağustos çiçeği", "שלום עולם", "مرحبا", "\u{202E}abc",
        "\u{FEFF}", "👩‍👩‍👧‍👦",
    ] {
        assert_eq!(score(text).c, 50, "{text:?}");
    }
}

#[test]
fn only_question_marks() {
    // 1,000 marks: base 100, long ×1.3, questions ×(1 + 1000 × 0.1) = ×101.
    assert_eq!(score(&"?".repeat(1_000)).c, 13_130);
    assert_eq!(score("¿por qué? ¿y el test? ¿y ahora?").questions, 3);
}

/// Repetitions that would be slow if a step were more than linear; the test runs into the suite's time limit then.
#[test]
fn ten_megabytes_of_anything() {
    let units = [
        "x", " ", "\n", "?", "实", "\u{212A}", "<system-reminder>", "</system-reminder>",
        "<system-reminder></task-notification>", "<system-reminder ", "```console\n", "~~~~~~~~", "`", "- a\n",
        "first solve knight limit if ", "step  ", "what can you conclud ", "TypeError: x\n    at f (a.js:1:1)\n",
        "\t\n", "a.rs ", "yes ", "1:",
    ];
    let scorers = [Scorer::default(), Scorer::new(Options::calibrated())];
    for unit in units {
        // A build without optimisation is twenty times slower; a part of the text shows the same.
        let size = if cfg!(debug_assertions) { 300_000 } else { 10_000_000 };
        let text = unit.repeat(size / unit.len());
        for scorer in &scorers {
            assert!(scorer.score(&text, Some(60)).c >= 50, "{unit:?}");
        }
    }
}

#[test]
fn a_prompt_that_is_all_envelope_is_the_floor() {
    let text = format!(
        "<system-reminder>{}</system-reminder>",
        "implement the quantum algorithm and then test it? ".repeat(20_000)
    );
    let result = score(&text);
    assert_eq!((result.c, result.own_chars, result.signals.len()), (50, 0, 0));
}

#[test]
fn one_megabyte_of_tasks() {
    // D1 200, base 200, ×1.5 for "and then", ×1.3, ×1.5, and 28,000 marks: × (1 + 2800) — the formula has no upper bound.
    let result = score(&"implement the thing and then test it? ".repeat(28_000));
    assert_eq!((result.questions, result.base.to_bits()), (28_000, 200_f64.to_bits()));
    assert_eq!(result.signals.iter().map(|hit| &*hit.id).collect::<Vec<_>>(), ["D1"]);
    assert_eq!(result.c, 3_277_170);
}

#[test]
fn letters_that_fold_to_ascii_match_as_those() {
    // U+017F and U+212A are the two characters outside ASCII whose simple case folding is an ASCII letter.
    let ids = |text: &str| score(text).signals.iter().map(|hit| hit.id.to_string()).collect::<Vec<_>>();
    assert_eq!(ids("a ſymptom"), ["D9"]);
    assert_eq!(ids("\u{212A}night and \u{212A}nave"), ["L1"]);
}
