//! The user's own words: what is scored apart, and which replies take over the work that they approve.

use hook_complexity::{Envelopes, Options, Scorer, Tier};
use serde::Deserialize;

use crate::data::cases;

#[derive(Deserialize)]
struct Wrapped {
    name: String,
    text: String,
    kinds: Vec<String>,
    /// The pieces that count, joined by `|`.
    own: String,
    c: u64,
}

#[test]
fn envelopes_are_found_and_do_not_count() {
    let mut wrong = Vec::new();
    for case in cases::<Wrapped>("envelopes.toml") {
        let score = hook_complexity::score(&case.text);
        let kinds: Vec<_> = score.envelopes.iter().map(|envelope| envelope.kind.as_str()).collect();
        let mut pieces = Vec::new();
        let mut at = 0;
        for span in score
            .envelopes
            .iter()
            .map(|envelope| envelope.span.clone())
            .chain(std::iter::once(case.text.len()..case.text.len()))
        {
            let piece = &case.text[at..span.start];
            let piece = if at > 0 { piece.trim_start_matches(['\n', ' ']) } else { piece };
            pieces.push(if span.start < case.text.len() { piece.trim_end() } else { piece });
            at = span.end;
        }
        pieces.retain(|piece| !piece.is_empty());
        if kinds != case.kinds || pieces.join("|") != case.own || score.c != case.c {
            wrong.push(format!("{}: {kinds:?} {:?} C {}", case.name, pieces.join("|"), score.c));
        }
        let own: usize = case.own.split('|').map(|piece| piece.trim().chars().count()).sum();
        assert_eq!(score.chars, case.text.chars().count(), "{}", case.name);
        if !score.envelopes.is_empty() {
            assert_eq!(score.own_chars, own, "{}", case.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_origin_counts_everything() {
    let text = "<system-reminder>quantum</system-reminder> hi";
    let scorer = Scorer::new(Options { envelopes: Envelopes::IncludedFile, ..Options::default() });
    assert_eq!(scorer.score(text, None).c, 404);
    assert_eq!(Scorer::new(Options::origin()).score(text, None).c, 404);
}

#[derive(Deserialize)]
struct Reply {
    text: String,
    inherits: bool,
}

#[test]
fn short_replies_inherit_the_work_they_approve() {
    let wrong: Vec<_> = cases::<Reply>("replies.toml")
        .into_iter()
        .filter(|case| Scorer::default().score(&case.text, Some(4_321)).inherited != case.inherits)
        .map(|case| case.text)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let score = Scorer::default().score("yes", Some(4_321));
    assert_eq!((score.c, score.own_c, score.tier, score.analyze), (4_321, 50, Tier::Medium, 75));
}

#[test]
fn nothing_is_inherited_without_a_previous_score_or_when_the_reply_weighs_more() {
    assert_eq!(Scorer::default().score("yes", None).c, 50);
    let score = Scorer::default().score("yes, and refactor the quantum code", Some(100));
    assert_eq!((score.c, score.inherited), (703, false));
}
