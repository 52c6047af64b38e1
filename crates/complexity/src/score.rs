//! The score of a prompt: its parts, the settings they depend on, and the formula that joins them.

use std::borrow::Cow;
use std::ops::Range;

use crate::envelope::{self, Envelope};
use crate::feature;
use crate::matcher::{CORE, FEATURES, Rule, Scan};
use crate::reply;
use crate::signal::{Category, PHRASE_FACTORS, SIGNALS};
use crate::tier::{FLOOR, Tier, a_optimal, real, whole};
use crate::user::{Error, UserSignal};

/// How the two phrase factors join when both are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhraseFactors {
    /// They multiply, as `spf` says.
    #[default]
    Multiply,
    /// The ×1.8 replaces the ×1.5, as in the origin.
    Replace,
}

/// How the length becomes the base score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// The real quotient; only the product at the end is cut off.
    #[default]
    Real,
    /// The quotient is cut off first, as in the origin.
    Floor,
}

/// How the words of the table are matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Matching {
    /// Whole words or beginnings of words, as each row says; runs of white space count as one space.
    #[default]
    Words,
    /// Anywhere in the text, as the origin's regular expressions do.
    Raw,
}

/// What is done with text that isn't the user's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Envelopes {
    /// It is found and doesn't count.
    #[default]
    Apart,
    /// It isn't looked for; everything counts, as in the origin.
    IncludedFile,
}

/// The settings of a [`Scorer`]. The default is what `spf` says; [`Options::origin`] is what its origin does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How the two phrase factors join.
    pub phrase_factors: PhraseFactors,
    /// How the length becomes the base score.
    pub base: Base,
    /// How words are matched.
    pub matching: Matching,
    /// Whether harness text and pasted output count.
    pub envelopes: Envelopes,
    /// C of an empty prompt, which has nothing to score: the floor of 50; 100 in the origin.
    pub empty: u64,
    /// Whether the rows of the category [`Feature`](Category::Feature) count. Off in `spf`.
    pub features: bool,
    /// Signals from configuration.
    pub user_signals: Vec<UserSignal>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            phrase_factors: PhraseFactors::Multiply,
            base: Base::Real,
            matching: Matching::Words,
            envelopes: Envelopes::Apart,
            empty: FLOOR,
            features: false,
            user_signals: Vec::new(),
        }
    }
}

impl Options {
    /// The settings of `spf`'s origin: raw matching, floor division, ×1.8 in place of ×1.5, everything counts, 100 for nothing.
    pub fn origin() -> Self {
        Self {
            phrase_factors: PhraseFactors::Replace,
            base: Base::Floor,
            matching: Matching::Raw,
            envelopes: Envelopes::IncludedFile,
            empty: 100,
            ..Self::default()
        }
    }

    /// `spf`'s settings with the calibrated features.
    pub fn calibrated() -> Self {
        Self { features: true, ..Self::default() }
    }
}

/// A signal that fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The row's id.
    pub id: Cow<'static, str>,
    /// What kind of signal it is.
    pub category: Category,
    /// What it stands for.
    pub title: Cow<'static, str>,
    /// What it adds: the row's points times `times`.
    pub score: u32,
    /// How often it counted; 1 for all but some features.
    pub times: u8,
    /// Where it was found first, in bytes of the prompt.
    pub span: Range<usize>,
}

/// A factor that applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// `sequence`, `comparison`, `long`, `very-long` or `questions`.
    pub id: &'static str,
    /// What it stands for.
    pub title: &'static str,
    /// What it multiplies by.
    pub by: f64,
    /// The text it comes from, in bytes of the prompt; the whole prompt for the two of length.
    pub span: Range<usize>,
}

/// The complexity of a prompt and the reasons for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Score {
    /// The complexity C.
    pub c: u64,
    /// The tier in which C falls.
    pub tier: Tier,
    /// The share of analysis in percent.
    pub analyze: u8,
    /// The share of building in percent.
    pub build: u8,
    /// The best number of tokens for the analysis.
    pub a_optimal: u64,
    /// The points of the length: characters / 10, at most 200.
    pub base: f64,
    /// The signals that fired, in the order in which they were found first within each group: table, features, configuration.
    pub signals: Vec<Hit>,
    /// The factors that applied, in the order in which they multiply.
    pub factors: Vec<Factor>,
    /// The length of the whole prompt in characters.
    pub chars: usize,
    /// The length of the user's own words in characters, from which `base` and the factors of length come.
    pub own_chars: usize,
    /// The question marks in the user's own words.
    pub questions: usize,
    /// The parts of the prompt that aren't the user's own words; empty with [`Envelopes::IncludedFile`].
    pub envelopes: Vec<Envelope>,
    /// The complexity of the words themselves; differs from `c` when that is inherited.
    pub own_c: u64,
    /// True when `c` is that of the work which a short reply approves.
    pub inherited: bool,
    /// User signals that could not be tried.
    pub faults: Vec<Error>,
}

impl Score {
    /// The sum of the points of one category.
    pub fn sum(&self, category: Category) -> u64 {
        self.signals.iter().filter(|hit| hit.category == category).map(|hit| u64::from(hit.score)).sum()
    }

    /// The product of the factors; 1 when there are none.
    pub fn multiplier(&self) -> f64 {
        self.factors.iter().fold(1.0, |product, factor| product * factor.by)
    }
}

/// Scores prompts with one set of settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scorer {
    options: Options,
}

/// Characters above which a prompt is long.
const LONG: usize = 500;
/// Characters above which it is very long.
const VERY_LONG: usize = 1_000;
/// Question marks above which they count.
const QUESTIONS: usize = 2;
/// The most points the length gives.
const MAX_BASE: f64 = 200.0;

/// Scores a prompt as `spf` says, without a previous score. Short for `Scorer::default().score(prompt, None)`.
pub fn score(prompt: &str) -> Score {
    Scorer::default().score(prompt, None)
}

impl Scorer {
    /// A scorer with these settings. Nothing is compiled or checked here; see [`UserSignal::check`].
    pub const fn new(options: Options) -> Self {
        Self { options }
    }

    /// The settings.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Scores one prompt. `previous` is the C of the prompt before, if the caller wants an approval ("yes, go on") to inherit it.
    ///
    /// Any text is taken, of any length; the work grows with it linearly and without recursion.
    pub fn score(&self, prompt: &str, previous: Option<u64>) -> Score {
        let envelopes = match self.options.envelopes {
            Envelopes::Apart => envelope::find(prompt),
            Envelopes::IncludedFile => Vec::new(),
        };
        let own = envelope::own_words(prompt, &envelopes);
        let words = self.options.matching == Matching::Words;
        let pieces = || own.iter().filter_map(|span| Some((prompt.get(span.clone())?, span.start)));

        let chars = prompt.chars().count();
        let whole_text = own.first().is_some_and(|span| span.len() == prompt.len());
        let own_chars = if whole_text { chars } else { pieces().map(|(text, _)| text.chars().count()).sum() };
        let mut core = Scan::new(&CORE, words);
        for (text, offset) in pieces() {
            core.segment(text, offset);
        }
        let mut signals = hits(&core);
        if self.options.features {
            let mut extra = Scan::new(&FEATURES, words);
            for (text, offset) in pieces() {
                extra.segment(text, offset);
            }
            feature::count(pieces(), &envelopes, &mut extra.found);
            signals.extend(hits(&extra));
        }
        let mut faults = Vec::new();
        for signal in &self.options.user_signals {
            match pieces().find_map(|(text, offset)| found_at(signal.find(text), offset)) {
                None => {}
                Some(Ok(span)) => signals.push(Hit {
                    id: Cow::Owned(signal.id.clone()),
                    category: Category::User,
                    title: Cow::Owned(signal.title.clone()),
                    score: signal.score,
                    times: 1,
                    span,
                }),
                Some(Err(fault)) => faults.push(fault),
            }
        }

        let factors = self.factors(&core, own_chars, prompt.len());
        let base = match self.options.base {
            Base::Real => (length(own_chars) / 10.0).min(MAX_BASE),
            Base::Floor => length(own_chars / 10).min(MAX_BASE),
        };
        let mut score = Score {
            c: 0,
            tier: Tier::Simple,
            analyze: 0,
            build: 0,
            a_optimal: 0,
            base,
            signals,
            factors,
            chars,
            own_chars,
            questions: core.questions,
            envelopes,
            own_c: 0,
            inherited: false,
            faults,
        };
        let sum: u64 = score.signals.iter().map(|hit| u64::from(hit.score)).sum();
        score.own_c = if prompt.is_empty() {
            self.options.empty
        } else {
            whole((base + real(sum)) * score.multiplier()).max(FLOOR)
        };
        score.c = score.own_c;
        if let Some(previous) = previous
            && previous > score.own_c
            && pieces().next().is_some_and(|(text, _)| reply::approves(text))
        {
            score.c = previous;
            score.inherited = true;
        }
        score.tier = Tier::of(score.c);
        score.analyze = score.tier.analyze();
        score.build = score.tier.build();
        score.a_optimal = a_optimal(score.c);
        score
    }

    fn factors(&self, scan: &Scan, own_chars: usize, bytes: usize) -> Vec<Factor> {
        let mut factors: Vec<Factor> = Vec::new();
        for (i, row) in PHRASE_FACTORS.iter().enumerate() {
            let fired =
                scan.found.iter().find(|found| matches!(found.rule, Rule::Factor(factor) if usize::from(factor) == i));
            if let Some(found) = fired {
                if self.options.phrase_factors == PhraseFactors::Replace {
                    factors.clear();
                }
                factors.push(Factor { id: row.id, title: row.title, by: row.by, span: found.span.clone() });
            }
        }
        if own_chars > LONG {
            factors.push(Factor { id: "long", title: "more than 500 characters", by: 1.3, span: 0..bytes });
        }
        if own_chars > VERY_LONG {
            factors.push(Factor { id: "very-long", title: "more than 1,000 characters", by: 1.5, span: 0..bytes });
        }
        if scan.questions > QUESTIONS {
            let by = 1.0 + length(scan.questions) * 0.1;
            factors.push(Factor {
                id: "questions",
                title: "more than two question marks",
                by,
                span: scan.question_span.clone(),
            });
        }
        factors
    }
}

fn hits(scan: &Scan) -> Vec<Hit> {
    let mut hits: Vec<Hit> = scan
        .found
        .iter()
        .filter_map(|found| {
            let Rule::Signal(row) = found.rule else { return None };
            let signal = SIGNALS.get(usize::from(row))?;
            Some(Hit {
                id: Cow::Borrowed(signal.id),
                category: signal.category,
                title: Cow::Borrowed(signal.title),
                score: signal.score * u32::from(found.times),
                times: found.times,
                span: found.span.clone(),
            })
        })
        .collect();
    hits.sort_by_key(|hit| hit.span.start);
    hits
}

/// A user signal's answer for one piece of the prompt, in bytes of the whole; `None` goes on with the next piece.
fn found_at(answer: Result<Option<Range<usize>>, Error>, offset: usize) -> Option<Result<Range<usize>, Error>> {
    match answer {
        Ok(None) => None,
        Ok(Some(span)) => Some(Ok(span.start + offset..span.end + offset)),
        Err(fault) => Some(Err(fault)),
    }
}

/// A count as a real number.
fn length(n: usize) -> f64 {
    real(u64::try_from(n).unwrap_or(u64::MAX))
}
