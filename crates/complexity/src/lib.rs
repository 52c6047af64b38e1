//! How hard a prompt is, in which tier it falls, how much thought it gets, and why.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod envelope;
mod feature;
mod line;
mod matcher;
mod reply;
mod score;
mod signal;
mod text;
mod tier;
mod user;

pub use envelope::{Envelope, EnvelopeKind};
pub use score::{Base, Envelopes, Factor, Hit, Matching, Options, PhraseFactors, Score, Scorer, score};
pub use signal::{Category, End, PHRASE_FACTORS, Pattern, PhraseFactor, SIGNALS, Signal, Start, Word, signal};
pub use tier::{FLOOR, Tier, W_EFF, a_optimal};
pub use user::{Error, Find, MAX_USER_SCORE, UserSignal};
