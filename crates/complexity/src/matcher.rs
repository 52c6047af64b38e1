//! One pass over the text that finds every pattern of a table at once, without a regular expression.
//!
//! At each character two table look-ups by the classes of this and the next byte give the set of literals that can begin there, as bits;
//! only those are compared. A literal whose signal has fired leaves the set, so the work for one byte is bounded whatever the text.

use std::ops::Range;

use crate::signal::{Category, End, PHRASE_FACTORS, Pattern, SIGNALS, Start, Word};
use crate::text::{char_at, is_end, is_start, is_word, literal_end, skip_blank};

/// What a found pattern belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// A row of [`SIGNALS`], by index.
    Signal(u8),
    /// A row of [`PHRASE_FACTORS`], by index.
    Factor(u8),
}

/// A rule that fired, where first, and how often it counts.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) rule: Rule,
    pub(crate) span: Range<usize>,
    pub(crate) times: u8,
}

#[derive(Clone, Copy)]
struct Entry {
    word: Word,
    rule: Rule,
    times: u8,
    /// The literals of the same rule, which leave the search with it.
    rule_bits: u128,
    /// The number of the pattern among those of more than one word; unused when `last` is 0.
    chain: u8,
    part: u8,
    last: u8,
}

const NONE: Entry = Entry {
    word: Word { text: "", start: Start::Any, end: End::Any, unless_next: &[] },
    rule: Rule::Signal(0),
    times: 1,
    rule_bits: 0,
    chain: 0,
    part: 0,
    last: 0,
};

/// Literals a table can hold: one bit each.
const LITERALS: usize = 128;
/// Patterns of several words a table can hold.
const CHAINS: usize = 24;
/// Byte classes; a power of two, so that a masked class is a valid index.
const CLASSES: usize = 64;

// The letters are 0 to 25. What continues a word stands first and what needs a closer look last, so that one comparison tells each.
const UNDERSCORE: u8 = 26;
const BACKSLASH: u8 = 27;
const DIGIT: u8 = 28;
const BLANK: u8 = 29;
const SLASH: u8 = 30;
const OTHER: u8 = 31;
const BREAK: u8 = 32;
const QUESTION: u8 = 33;
const LEAD_C5: u8 = 34;
const LEAD_E2: u8 = 35;
const LEAD: u8 = 36;
/// The seven lead bytes of kana, ideographs and their signs, so that the features' Chinese words meet few candidates.
const LEAD_E3: u8 = 37;
/// Sixteen classes of four continuation bytes each; no class comes after them.
const CONTINUATION: u8 = 44;

const fn class_of(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => byte - b'a',
        b'A'..=b'Z' => byte - b'A',
        b'\\' => BACKSLASH,
        b'0'..=b'9' => DIGIT,
        b'\n' => BREAK,
        b' ' | b'\t' | b'\r' => BLANK,
        b'/' => SLASH,
        b'_' => UNDERSCORE,
        b'?' => QUESTION,
        0x80..=0xBF => CONTINUATION + (byte - 0x80) / 4,
        0xE3..=0xE9 => LEAD_E3 + (byte - 0xE3),
        0xC5 => LEAD_C5,
        0xE2 => LEAD_E2,
        0xC0..=0xFF => LEAD,
        _ => OTHER,
    }
}

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler; an index out of range is a compile error")]
const CLASS: [u8; 256] = {
    let mut table = [OTHER; 256];
    let mut byte = 0u8;
    loop {
        table[byte as usize] = class_of(byte);
        if byte == 255 {
            break table;
        }
        byte += 1;
    }
};

/// The literals of some rows with their look-up tables, made by the compiler.
pub(crate) struct Table {
    entries: [Entry; LITERALS],
    /// Literals that can begin with a byte of the class.
    first: [u128; CLASSES],
    /// Literals whose second byte can be of the class.
    second: [u128; CLASSES],
    /// Literals whose third byte can be of the class, where the first two are ASCII, and those that have none.
    third: [u128; CLASSES],
    /// The same for the fourth byte.
    fourth: [u128; CLASSES],
    all: u128,
    /// Literals that may begin inside a word.
    inside: u128,
    /// For each class the classes of a next byte with which it begins a literal, as bits; nearly every position ends here.
    pairs: [u64; CLASSES],
    /// The same for the literals that may begin inside a word.
    pairs_inside: [u64; CLASSES],
}

/// The table of `spf`: math, logic, domain and the phrase factors.
pub(crate) static CORE: Table = Table::new(false);
/// The table of the features.
pub(crate) static FEATURES: Table = Table::new(true);

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler; an index out of range is a compile error")]
impl Table {
    const fn new(features: bool) -> Self {
        let mut table = Self {
            entries: [NONE; LITERALS],
            first: [0; CLASSES],
            second: [0; CLASSES],
            third: [0; CLASSES],
            fourth: [0; CLASSES],
            all: 0,
            inside: 0,
            pairs: [0; CLASSES],
            pairs_inside: [0; CLASSES],
        };
        let mut next = Cursor { literal: 0, chain: 0 };
        let mut row = 0;
        while row < SIGNALS.len() {
            let signal = &SIGNALS[row];
            if matches!(signal.category, Category::Feature) == features {
                next = table.add(Rule::Signal(index(row)), signal.times, signal.patterns, next);
            }
            row += 1;
        }
        row = 0;
        while row < PHRASE_FACTORS.len() && !features {
            next = table.add(Rule::Factor(index(row)), 1, PHRASE_FACTORS[row].patterns, next);
            row += 1;
        }
        assert!(next.chain <= CHAINS, "more patterns of several words than the matcher keeps track of");
        let mut class = 0;
        while class < CLASSES * CLASSES {
            let (one, two) = (class / CLASSES, class % CLASSES);
            let both = table.first[one] & table.second[two];
            table.pairs[one] |= ((both != 0) as u64) << two;
            table.pairs_inside[one] |= ((both & table.inside != 0) as u64) << two;
            class += 1;
        }
        table.all = if next.literal == LITERALS { u128::MAX } else { (1 << next.literal) - 1 };
        table
    }

    const fn add(&mut self, rule: Rule, times: u8, patterns: &[Pattern], from: Cursor) -> Cursor {
        let mut next = from;
        let mut p = 0;
        while p < patterns.len() {
            let pattern = patterns[p];
            let mut part = 0;
            while part < pattern.len() {
                let word = pattern[part];
                self.entries[next.literal] = Entry {
                    word,
                    rule,
                    times,
                    rule_bits: 0,
                    chain: index(next.chain),
                    part: index(part),
                    last: index(pattern.len() - 1),
                };
                self.index_literal(word, 1 << next.literal);
                next.literal += 1;
                part += 1;
            }
            next.chain += (pattern.len() > 1) as usize;
            p += 1;
        }
        if next.literal == from.literal {
            return next;
        }
        let bits = (u128::MAX >> (LITERALS - (next.literal - from.literal))) << from.literal;
        let mut literal = from.literal;
        while literal < next.literal {
            self.entries[literal].rule_bits = bits;
            literal += 1;
        }
        next
    }

    const fn index_literal(&mut self, word: Word, bit: u128) {
        let text = word.text.as_bytes();
        self.first[class_of(text[0]) as usize] |= bit;
        // Long s and the Kelvin sign stand for `s` and `k`; see `literal_end`.
        if matches!(text[0], b's' | b'k') {
            self.first[if text[0] == b's' { LEAD_C5 } else { LEAD_E2 } as usize] |= bit;
            self.second[class_of(if text[0] == b's' { 0xBF } else { 0x84 }) as usize] |= bit;
        }
        self.second = marked(self.second, text, 1, bit);
        self.third = marked(self.third, text, 2, bit);
        self.fourth = marked(self.fourth, text, 3, bit);
        if !matches!(word.start, Start::Word) {
            self.inside |= bit;
        }
    }
}

/// The table of one position of the literals, with one more literal in it.
#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler; an index out of range is a compile error")]
const fn marked(mut table: [u128; CLASSES], text: &[u8], position: usize, bit: u128) -> [u128; CLASSES] {
    if position >= text.len() || matches!(text[position], b'.' | b'#' | b' ') {
        let mut class = 0;
        while class < CLASSES {
            table[class] |= bit;
            class += 1;
        }
        return table;
    }
    table[class_of(text[position]) as usize] |= bit;
    match text[position] {
        b's' => table[LEAD_C5 as usize] |= bit,
        b'k' => table[LEAD_E2 as usize] |= bit,
        _ => {}
    }
    table
}

#[derive(Clone, Copy)]
struct Cursor {
    literal: usize,
    chain: usize,
}

#[allow(clippy::cast_possible_truncation, reason = "evaluated by the compiler, for tables of fewer than 256 rows")]
const fn index(n: usize) -> u8 {
    assert!(n < 256, "the table is too long");
    n as u8
}

/// How far a pattern of several words has got.
#[derive(Clone, Copy, Default)]
struct Chain {
    next: u8,
    start: usize,
    end: usize,
}

/// Where a search stands in one piece of text.
struct Place {
    chains: [Chain; CHAINS],
    /// Where the line begins, in bytes of the piece.
    line: usize,
    /// Where the piece begins, in bytes of the whole text.
    offset: usize,
}

/// A search in progress; [`Scan::segment`] may be called for several pieces of one text.
pub(crate) struct Scan {
    table: &'static Table,
    words: bool,
    live: u128,
    pub(crate) found: Vec<Found>,
    pub(crate) questions: usize,
    /// From the first question mark to the last.
    pub(crate) question_span: Range<usize>,
}

impl Scan {
    pub(crate) fn new(table: &'static Table, words: bool) -> Self {
        Self { table, words, live: table.all, found: Vec::new(), questions: 0, question_span: 0..0 }
    }

    /// Searches one piece, which begins at byte `offset` of the whole text; what lies outside it isn't looked at.
    pub(crate) fn segment(&mut self, text: &str, offset: usize) {
        let mut place = Place { chains: [Chain::default(); CHAINS], line: 0, offset };
        let outside = &self.table.pairs;
        let inside = if self.words { &self.table.pairs_inside } else { outside };
        let mut inside_word = false;
        // Each turn is for the byte before `next`, because two bytes tell nearly every literal from other text. Nothing begins with `OTHER`.
        let mut class = OTHER;
        for (next_at, &byte) in text.as_bytes().iter().enumerate() {
            let next = CLASS.get(usize::from(byte)).copied().unwrap_or(OTHER);
            if bits(if inside_word { inside } else { outside }, class) >> (next & 63) & 1 == 1 {
                self.candidates(text, next_at.wrapping_sub(1), next, inside_word && self.words, &mut place);
            }
            inside_word = if class < BREAK {
                class <= UNDERSCORE
            } else if class >= CONTINUATION {
                inside_word
            } else {
                self.special(text, next_at.wrapping_sub(1), inside_word, &mut place)
            };
            class = next;
        }
        if let Some(last) = text.len().checked_sub(1) {
            self.candidates(text, last, OTHER, inside_word && self.words, &mut place);
            self.special(text, last, inside_word, &mut place);
        }
    }

    /// Compares the literals whose first four bytes may stand at `at`.
    ///
    /// Not inlined, and neither is [`Self::special`]: the loop runs for every byte and needs the registers; this is called for one in seven.
    #[inline(never)]
    fn candidates(&mut self, text: &str, at: usize, next: u8, inside: bool, place: &mut Place) {
        let class = class_at(text, at);
        let mut candidates = self.live & bits(&self.table.first, class) & bits(&self.table.second, next);
        if class < LEAD_C5 && next < LEAD_C5 {
            let third = class_at(text, at + 2);
            candidates &= bits(&self.table.third, third);
            if third < LEAD_C5 {
                candidates &= bits(&self.table.fourth, class_at(text, at + 3));
            }
        }
        if inside {
            candidates &= self.table.inside;
        }
        while candidates != 0 {
            let literal = candidates.trailing_zeros();
            candidates &= candidates - 1;
            self.check(text, at, literal, inside, place);
        }
    }

    /// A line break, a question mark or a part of a character outside ASCII. Says whether a word goes on after it.
    #[inline(never)]
    fn special(&mut self, text: &str, at: usize, inside_word: bool, place: &mut Place) -> bool {
        match class_at(text, at) {
            BREAK => {
                place.line = at + 1;
                false
            }
            QUESTION => {
                self.question(place.offset + at, 1);
                false
            }
            0..BREAK | CONTINUATION.. => inside_word,
            _ => {
                let c = char_at(text, at).unwrap_or(' ');
                // Full-width and Arabic question marks ask as well; the raw table knows only the ASCII one.
                if self.words && matches!(c, '？' | '؟') {
                    self.question(place.offset + at, c.len_utf8());
                }
                is_word(c)
            }
        }
    }

    fn question(&mut self, at: usize, length: usize) {
        if self.questions == 0 {
            self.question_span.start = at;
        }
        self.questions += 1;
        self.question_span.end = at + length;
    }

    /// Compares one literal at byte `at` and carries its pattern forward.
    fn check(&mut self, text: &str, at: usize, literal: u32, inside: bool, place: &mut Place) {
        let Some(entry) = self.table.entries.get(literal as usize) else { return };
        let waits = |chain: &Chain| chain.next == entry.part && chain.start >= place.line && at >= chain.end;
        if entry.part > 0 && !place.chains.get(usize::from(entry.chain)).is_some_and(waits) {
            return;
        }
        let Some(end) = self.word_end(&entry.word, text, at, inside) else { return };
        let mut start = at;
        if entry.last > 0 {
            let Some(chain) = place.chains.get_mut(usize::from(entry.chain)) else { return };
            if entry.part == 0 {
                // The earliest beginning of a line reaches every end that a later one reaches.
                if chain.next > 0 && chain.start >= place.line {
                    return;
                }
                *chain = Chain { next: 0, start: at, end };
            }
            chain.end = end;
            chain.next += 1;
            if chain.next <= entry.last {
                return;
            }
            start = chain.start;
            *chain = Chain::default();
        }
        self.fire(entry, place.offset + start..place.offset + end);
    }

    fn fire(&mut self, entry: &Entry, span: Range<usize>) {
        let times = if let Some(found) = self.found.iter_mut().find(|found| found.rule == entry.rule) {
            found.times = found.times.saturating_add(1).min(entry.times);
            found.times
        } else {
            self.found.push(Found { rule: entry.rule, span, times: 1 });
            1
        };
        if times >= entry.times {
            self.live &= !entry.rule_bits;
        }
    }

    /// Where the word at `at` ends, if it is there and may begin and end there.
    fn word_end(&self, word: &Word, text: &str, at: usize, inside: bool) -> Option<usize> {
        let end = literal_end(text, at, word.text, self.words)?;
        if !self.words {
            let fits = word.end != End::WordAlways || raw_end(text, end);
            return fits.then_some(end);
        }
        let begins = match word.start {
            Start::Any => true,
            Start::Word => !inside,
            Start::After(syllables) => !inside || syllables.iter().any(|syllable| follows(text, at, syllable)),
        };
        let end = match word.end {
            End::Any => Some(end),
            End::Command => char_at(text, end).is_none_or(|c| !c.is_ascii_alphabetic()).then_some(end),
            End::WordAlways => is_end(text, end).then_some(end),
            End::Ending(endings) => {
                endings.iter().filter_map(|ending| literal_end(text, end, ending, true)).find(|&end| is_end(text, end))
            }
        };
        end.filter(|&end| begins && !undone(word, text, end))
    }
}

/// The word boundary of the raw table: no ASCII letter, digit or `_` follows.
fn raw_end(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
}

/// True when `syllable` stands before `at` and begins a word.
fn follows(text: &str, at: usize, syllable: &str) -> bool {
    at.checked_sub(syllable.len()).is_some_and(|start| {
        text.get(start..at).is_some_and(|before| before.eq_ignore_ascii_case(syllable)) && is_start(text, start)
    })
}

/// True when the next word is one of those that undo the match.
fn undone(word: &Word, text: &str, end: usize) -> bool {
    if word.unless_next.is_empty() {
        return false;
    }
    // A word is short; what goes on longer than this isn't one.
    let rest = text.get(end..).unwrap_or_default().chars();
    let tail: usize = rest.take(24).take_while(|&c| is_word(c)).map(char::len_utf8).sum();
    let joined = char_at(text, end + tail) == Some('-');
    let next = skip_blank(text, end + tail + usize::from(joined));
    word.unless_next.iter().any(|words| literal_end(text, next, words, true).is_some())
}

/// The class of the byte at `at`; that of no byte at all past the end.
fn class_at(text: &str, at: usize) -> u8 {
    text.as_bytes().get(at).and_then(|&byte| CLASS.get(usize::from(byte))).copied().unwrap_or(OTHER)
}

/// The bits of a class.
fn bits<T: Copy + Default>(table: &[T; CLASSES], class: u8) -> T {
    table.get(usize::from(class) & (CLASSES - 1)).copied().unwrap_or_default()
}
