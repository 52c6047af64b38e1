//! Matchers answer as the host does.

use hook_protocol::event::EventName;
use hook_protocol::matcher::{MatchResult, Matcher, watch_list};
use serde::Deserialize;

/// One matcher: the subjects it matches, those it doesn't, and those that only JavaScript could tell.
#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    event: Option<String>,
    matcher: String,
    #[serde(default)]
    matches: Vec<String>,
    #[serde(default)]
    not: Vec<String>,
    #[serde(default)]
    unknown: Vec<String>,
    /// Whether only a regular expression engine can tell.
    #[serde(default)]
    regex: bool,
    source: String,
}

fn cases() -> Vec<Case> {
    include_str!("../data/matchers.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn matcher(case: &Case) -> Matcher {
    match &case.event {
        Some(event) => Matcher::parse_for(&EventName::from(event.as_str()), &case.matcher),
        None => Matcher::parse(&case.matcher),
    }
}

#[test]
fn s1_90_a_matcher_is_a_name_a_list_or_an_expression() {
    for case in cases() {
        let matcher = matcher(&case);
        let needs_engine = case.regex && cfg!(not(feature = "regex"));
        for (subjects, expected) in
            [(&case.matches, MatchResult::Yes), (&case.not, MatchResult::No), (&case.unknown, MatchResult::Unknown)]
        {
            for subject in subjects {
                let expected = if needs_engine { MatchResult::Unknown } else { expected };
                let context = format!("{:?} on {subject:?} ({})", case.matcher, case.source);
                assert_eq!(matcher.test(subject), expected, "{context}");
                assert_eq!(matcher.matches(subject), expected == MatchResult::Yes, "{context}");
            }
        }
    }
}

/// Most matchers people write are matched without an engine, so that a hook that must not compile one still answers.
#[test]
fn lists_prefixes_and_servers_need_no_engine() {
    let plain = cases().iter().filter(|case| !case.regex && case.unknown.is_empty()).count();
    assert!(plain >= 35, "{plain}");
}

/// The simple form and the engine agree; the pieces are chosen so that most texts are of the simple form.
#[cfg(feature = "regex")]
mod laws {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_simple_form_agrees_with_the_engine(
            text in r"\^?\(?(a|b|_|:|\.\*|\.\*\?|\\\.){0,5}(\|(\^)?(a|:|\.\*){0,3}\$?)?\)?\$?",
            subject in "[ab_:.]{0,6}",
        ) {
            // A colon makes any text an expression.
            let text = format!("{text}|:::");
            let Ok(engine) = regex::Regex::new(&text) else { return Ok(()) };
            match Matcher::parse(&text).test(&subject) {
                MatchResult::Unknown => {}
                answer => prop_assert_eq!(answer == MatchResult::Yes, engine.is_match(&subject), "{} {}", text, subject),
            }
        }

        #[test]
        fn nothing_panics(text in "\\PC*|[\\x20-\\x7f]*", subject in "\\PC*") {
            let _ = Matcher::parse(&text).test(&subject);
        }
    }
}

#[test]
fn the_watch_list_is_split_at_bars() {
    assert_eq!(watch_list("watched.env|.envrc").collect::<Vec<_>>(), ["watched.env", ".envrc"]);
    assert_eq!(watch_list("").count(), 0);
}
