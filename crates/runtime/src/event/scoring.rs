//! From a profile's scoring settings to a scorer, and the score that a session remembers.

use hook_complexity::{Base, Envelopes, Find, Options, PhraseFactors, Scorer, UserSignal};
use hook_policy::profile::{self, Scoring};

/// The section of the session document that holds the last score.
pub const SECTION: &str = "complexity";

/// The scorer that the settings ask for.
pub fn scorer(settings: &Scoring) -> Scorer {
    Scorer::new(Options {
        phrase_factors: match settings.phrase_factors {
            profile::PhraseFactors::Multiply => PhraseFactors::Multiply,
            profile::PhraseFactors::Replace => PhraseFactors::Replace,
        },
        base: match settings.base {
            profile::Base::Real => Base::Real,
            profile::Base::Floor => Base::Floor,
        },
        matching: match settings.matching {
            profile::Matching::Words => hook_complexity::Matching::Words,
            profile::Matching::Raw => hook_complexity::Matching::Raw,
        },
        envelopes: Envelopes::Apart,
        features: settings.features,
        user_signals: settings.signal.iter().map(user_signal).collect(),
        ..Options::default()
    })
}

fn user_signal(signal: &profile::UserSignal) -> UserSignal {
    let find = match &signal.regex {
        Some(pattern) => Find::Regex { pattern: pattern.clone(), gate: signal.any_of.clone() },
        None => Find::AnyOf(signal.any_of.clone()),
    };
    UserSignal { id: signal.id.clone(), title: signal.title.clone(), score: signal.score, find }
}

/// The section's text for a score.
pub fn section(c: u64, tier: &str) -> String {
    format!("{{\"c\":{c},\"tier\":\"{tier}\"}}")
}

/// The score in a section's text.
pub fn remembered(section: &str) -> Option<u64> {
    hook_protocol::raw::Fields::parse(section).ok()?.get("c")?.as_u64()
}
