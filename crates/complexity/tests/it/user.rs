//! Signals from configuration.

use hook_complexity::{Category, Error, Find, MAX_USER_SCORE, Options, Scorer, UserSignal};

fn phrases(id: &str, score: u32, phrases: &[&str]) -> UserSignal {
    let find = Find::AnyOf(phrases.iter().map(|&phrase| phrase.to_owned()).collect());
    UserSignal { id: id.into(), title: "ours".into(), score, find }
}

fn with(signals: Vec<UserSignal>) -> Scorer {
    Scorer::new(Options { user_signals: signals, ..Options::default() })
}

#[test]
fn a_phrase_counts_once_between_word_boundaries() {
    let scorer = with(vec![phrases("U1", 700, &["ledger", "Größe ändern", "对账"])]);
    let text = "Look at the LEDGER, the ledger";
    let score = scorer.score(text, None);
    let hit = score.signals.first().unwrap();
    assert_eq!((&*hit.id, hit.category, hit.score, &text[hit.span.clone()]), ("U1", Category::User, 700, "LEDGER"));
    assert_eq!(score.c, 703);
    assert_eq!(scorer.score("ledgers and subledger", None).c, 50);
    assert_eq!(scorer.score("die größe\n ÄNDERN", None).sum(Category::User), 700);
    assert_eq!(scorer.score("请对账吧", None).sum(Category::User), 700);
    assert_eq!(scorer.score("中ledger中", None).sum(Category::User), 700);
    let spaced = with(vec![phrases("U1", 700, &["ledger  of\tdebts"])]);
    assert_eq!(spaced.score("the ledger of debts", None).sum(Category::User), 700);
    assert_eq!(spaced.score("the ledger\nof   debts", None).sum(Category::User), 700);
    assert_eq!(spaced.score("the ledgerof debts", None).sum(Category::User), 0);
    // What the harness adds doesn't count here either.
    assert_eq!(scorer.score("<system-reminder>ledger</system-reminder>", None).c, 50);
}

#[test]
fn faulty_signals_are_named_and_do_not_fire() {
    let long = phrases("U2", MAX_USER_SCORE + 1, &["x"]);
    assert_eq!(long.check(), Err(Error::ScoreTooHigh { id: "U2".into(), score: MAX_USER_SCORE + 1 }));
    assert_eq!(phrases("", 1, &["x"]).check(), Err(Error::NoId));
    for empty in [&[][..], &[""], &["a", " "]] {
        assert_eq!(phrases("U3", 1, empty).check(), Err(Error::EmptyPhrase { id: "U3".into() }));
    }
    assert_eq!(phrases("U4", MAX_USER_SCORE, &["x"]).check(), Ok(()));
    let score = with(vec![long, phrases("U4", 500, &["x"])]).score("x", None);
    assert_eq!((score.c, score.faults.len(), score.signals.len()), (500, 1, 1));
    assert!(score.faults[0].to_string().contains("`U2`"));
}

#[cfg(feature = "regex")]
mod expression {
    use super::*;

    fn expression(pattern: &str, gate: &[&str]) -> UserSignal {
        let gate = gate.iter().map(|&phrase| phrase.to_owned()).collect();
        UserSignal {
            id: "U5".into(),
            title: "ours".into(),
            score: 900,
            find: Find::Regex { pattern: pattern.into(), gate },
        }
    }

    #[test]
    fn an_expression_fires_where_it_matches() {
        let text = "see ABC-123 and ABC-124";
        let score = with(vec![expression(r"[A-Z]+-\d+", &[])]).score(text, None);
        assert_eq!(
            score.signals.iter().map(|hit| (hit.score, &text[hit.span.clone()])).collect::<Vec<_>>(),
            [(900, "ABC-123")]
        );
    }

    #[test]
    fn a_gate_spares_the_compilation() {
        // The expression doesn't compile, so a fault says that it was tried.
        let scorer = with(vec![expression("(", &["ticket"])]);
        assert_eq!(scorer.score("nothing here", None).faults, []);
        let tried = scorer.score("my TICKETS", None);
        assert!(matches!(tried.faults.as_slice(), [Error::Pattern { id, .. }] if id == "U5"), "{:?}", tried.faults);
        assert_eq!(tried.c, 50);
    }

    #[test]
    fn patterns_that_are_too_large_or_catastrophic_elsewhere_do_no_harm() {
        assert!(matches!(expression(r"((\w{1,200}){1,200}){1,200}", &[]).check(), Err(Error::Pattern { .. })));
        let evil = expression("(a+)+$", &[]);
        assert_eq!(evil.check(), Ok(()));
        assert_eq!(with(vec![evil]).score(&format!("{}!", "a".repeat(100_000)), None).sum(Category::User), 0);
    }
}
