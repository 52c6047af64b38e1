//! How hard a prompt is, in which tier it falls, how much thought it gets, and why.
//!
//! The crate reads a prompt and nothing else: it knows no wire type, does no input or output, looks at no clock, and asks no model.
//!
//! ```
//! use hook_complexity::{Tier, score};
//!
//! let score = score("Refactor the parser and then write code for the algorithm");
//! assert_eq!((score.c, score.tier), (1133, Tier::Light));
//! assert_eq!((score.analyze, score.build, score.a_optimal), (60, 40, 34314));
//! let reasons: Vec<_> = score.signals.iter().map(|hit| (&*hit.id, hit.score)).collect();
//! assert_eq!(reasons, [("D3", 300), ("D1", 200), ("D4", 250)]);
//! assert_eq!(score.factors[0].id, "sequence");
//! ```
//!
//! # The formula
//!
//! It is that of the SPF prompt hook.
//!
//! - `base` = characters / 10, at most 200.
//! - Each row of [`SIGNALS`] that fires adds its points once.
//! - Factors multiply: ×1.5 for work in steps, ×1.8 for comparison or evaluation ([`PHRASE_FACTORS`]), ×1.3 above 500 characters, ×1.5 more above
//!   1,000, and ×(1 + q / 10) for q > 2 question marks.
//! - C = the whole part of (base + points) × factors, at least 50. There is no upper bound.
//! - [`Tier::of`] gives the tier and its shares, [`a_optimal`] the number of tokens.
//!
//! [`Options`] holds what `spf` and its origin do differently; [`Options::origin`] is all of it at once.
//!
//! # What counts
//!
//! - Words match where a word begins, and end as each row says, so `changelog`, `diff`, `improve` or `refraction` fire nothing. Letters of
//!   scripts other than Latin are boundaries: `请debug这个` holds `debug`. Case doesn't count, white space only by its length, except that a line
//!   break ends a pattern of several words. [`Matching::Raw`] matches anywhere, as the origin's regular expressions do.
//! - Only the user's own words count. Tagged blocks of the harness, console blocks and runs of three or more lines of tool output are found
//!   as [`Envelope`]s and left out. A tag without its partner is text about tags.
//! - A reply that begins with an approval ("yes", "ok, go on", "好的") or is a bare choice ("2", "option b") takes over the previous C, when the
//!   caller passes it and it is higher. An approval may go on with more work; a bare choice may not.
//!
//! # Limits
//!
//! - It sees words, not meaning. A hard question in plain words scores low in the default settings; the calibrated features
//!   ([`Options::features`]) do better, with the errors that the README's table shows.
//! - The words are English, plus a few in German, French, Spanish and Chinese among the features.
//! - `log` and `error` as whole words fire whatever they are about: "show the log" scores 150.
//! - Work is linear in the length of the prompt and never recursive; nothing is compiled for the built-in table. A user's regular expression
//!   (feature `regex`) is compiled when its gate occurs in the prompt.
//!
//! # Errors
//!
//! Scoring never fails. [`UserSignal::check`] says what is wrong with a signal from configuration; [`Score::faults`] lists those that could
//! not be tried.
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

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
