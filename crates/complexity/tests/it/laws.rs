//! Laws that hold for every text.

use hook_complexity::{Base, Envelopes, Matching, Options, PhraseFactors, Score, Scorer, Tier, a_optimal, score};
use proptest::prelude::*;
use proptest::sample::select;

fn scorers() -> Vec<Scorer> {
    [Options::default(), Options::calibrated(), Options::origin()].map(Scorer::new).to_vec()
}

/// Sentences of words that matter and words that don't. None is a bare choice ("a", "2"): more text turns that into an item of a list,
/// the one case in which a previous score isn't inherited any more.
fn sentence() -> impl Strategy<Value = String> {
    let word = select(vec![
        "implement", "the", "parser", "and then", "prove", "theorem", "integral", "debug", "error", "first", "then",
        "compare", "contrast", "step 2", "knight", "knave", "if", "what", "log", "changelog", "quantum", "算法",
        "why?", "must", "never", "design", "src/a.rs", "naïve", "write", "code", "for", "x", "solve", "show", "work",
        "iff", "diverge", "limit", "infinity", "self", "ok", "yes", "Erkläre", "разбор",
    ]);
    prop::collection::vec(word, 1..24).prop_map(|words| words.join(" "))
}

fn ids(score: &Score) -> Vec<(String, u8)> {
    score.signals.iter().map(|hit| (hit.id.to_string(), hit.times)).collect()
}

/// The random case of each ASCII letter.
fn recased(text: &str, bits: &[bool]) -> String {
    let flip = |(c, up): (char, &bool)| if *up { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    text.chars().zip(bits.iter().cycle()).map(flip).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_a_whole_score(text in any::<String>(), previous in any::<Option<u64>>()) {
        for scorer in scorers() {
            let score = scorer.score(&text, previous);
            prop_assert!(score.c >= 50 && score.own_c >= 50);
            prop_assert_eq!(score.tier, Tier::of(score.c));
            prop_assert_eq!(u32::from(score.analyze) + u32::from(score.build), 100);
            prop_assert_eq!(score.a_optimal, a_optimal(score.c));
            prop_assert_eq!(score.chars, text.chars().count());
            for span in score.signals.iter().map(|hit| &hit.span).chain(score.factors.iter().map(|factor| &factor.span)) {
                prop_assert!(text.get(span.clone()).is_some());
            }
        }
    }

    #[test]
    fn a_score_is_what_its_parts_say(text in sentence()) {
        for scorer in scorers() {
            let score = scorer.score(&text, None);
            let sum: u32 = score.signals.iter().map(|hit| hit.score).sum();
            let product = (score.base + f64::from(sum)) * score.multiplier();
            let c = f64::from(u32::try_from(score.c).unwrap());
            prop_assert!(product - c < 1.0 && (score.c == 50 || c <= product));
        }
    }

    #[test]
    fn adding_a_task_never_lowers_c(text in sentence(), task in sentence(), joint in select(vec![". ", "\n", "\n\n", ", "]), previous in prop::option::of(50u64..20_000)) {
        for scorer in scorers() {
            let (before, after) = (scorer.score(&text, previous), scorer.score(&format!("{text}{joint}{task}"), previous));
            prop_assert!(after.c >= before.c, "{} < {}", after.c, before.c);
        }
    }

    #[test]
    fn case_does_not_matter(text in sentence(), bits in prop::collection::vec(any::<bool>(), 1..40)) {
        for scorer in scorers() {
            let (one, two) = (scorer.score(&text, None), scorer.score(&recased(&text, &bits), None));
            prop_assert_eq!(one, two);
        }
    }

    /// Only the length counts white space. A line break ends a pattern of several words, so none is put in or taken out here.
    #[test]
    fn white_space_in_a_line_does_not_matter(text in sentence(), blanks in prop::collection::vec(select(vec![" ", "  ", "\t", " \t ", "\u{A0}", "\u{3000}"]), 1..9)) {
        let mut blank = blanks.iter().cycle();
        let spaced: String = text.chars().map(|c| if c == ' ' { (*blank.next().unwrap()).to_owned() } else { c.to_string() }).collect();
        for scorer in scorers().into_iter().take(2) {
            let (one, two) = (scorer.score(&text, None), scorer.score(&spaced, None));
            prop_assert_eq!(ids(&one), ids(&two), "{:?}", spaced);
            let phrases = |score: &Score| score.factors.iter().map(|factor| factor.id).filter(|id| !id.ends_with("long")).collect::<Vec<_>>();
            prop_assert_eq!(phrases(&one), phrases(&two));
        }
    }

    #[test]
    fn text_in_an_envelope_adds_nothing(text in sentence(), inside in sentence(), tag in select(vec!["system-reminder", "task-notification", "local-command-stdout"])) {
        for scorer in scorers().into_iter().take(2) {
            let plain = scorer.score(&text, None);
            for wrapped in [format!("<{tag}>{inside}</{tag}>\n{text}"), format!("{text}\n<{tag}>\n{inside}\n</{tag}>\n")] {
                let score = scorer.score(&wrapped, None);
                prop_assert_eq!((score.c, ids(&score)), (plain.c, ids(&plain)));
                prop_assert_eq!(score.own_chars, plain.own_chars);
            }
            let alone = scorer.score(&format!("<{tag}>{text}</{tag}>"), None);
            prop_assert!(alone.c <= plain.c);
        }
    }

    /// Whole words are a choice among what the raw table finds, where no run of white space is involved.
    #[test]
    fn words_fire_no_more_than_the_raw_table(text in sentence()) {
        let raw = Scorer::new(Options { matching: Matching::Raw, envelopes: Envelopes::IncludedFile, ..Options::default() });
        let found = ids(&raw.score(&text, None));
        for id in ids(&score(&text)) {
            prop_assert!(found.contains(&id), "{id:?} in {text:?}");
        }
    }

    /// The settings of the origin never give more than those of the document, one by one.
    #[test]
    fn the_origin_s_arithmetic_never_gives_more(text in sentence()) {
        let with = |phrase_factors, base| Scorer::new(Options { phrase_factors, base, ..Options::default() }).score(&text, None).c;
        let document = with(PhraseFactors::Multiply, Base::Real);
        prop_assert!(with(PhraseFactors::Replace, Base::Real) <= document);
        prop_assert!(with(PhraseFactors::Multiply, Base::Floor) <= document);
    }

    #[test]
    fn more_complexity_never_means_fewer_tokens(one in any::<u64>(), two in any::<u64>()) {
        prop_assert!(a_optimal(one.min(two)) <= a_optimal(one.max(two)));
        prop_assert!(Tier::of(one.min(two)) <= Tier::of(one.max(two)));
        prop_assert!(a_optimal(one) <= 40_000);
    }
}
