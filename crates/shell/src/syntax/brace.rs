//! Brace expansion, and the value of words that depend on nothing.

use super::tree::{BraceMark, Part, Word};

/// What is known of a word's value without knowing anything of the shell's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Static {
    /// The value after quote removal.
    Known(String),
    /// The values of a brace expansion, without the empty words that the shell drops.
    Several(Vec<String>),
    /// It depends on variables, commands or files.
    Dynamic,
}

/// More words than this from one brace expansion are not listed.
const MOST: usize = 256;

/// The same of one of which only some are listed.
const MOST_SOME: usize = 4096;

/// More parts than this are not looked at to find which braces belong together.
const MOST_STEPS: usize = 1 << 18;

/// Of a sequence that is longer, the first and the last will do where some words do.
const MOST_OF_SEQUENCE: u64 = 26;

/// More parts than this are not copied for one brace expansion.
const MOST_PARTS: usize = 1 << 16;

/// The words that brace expansion makes of one: each a list of parts without brace marks. `None` if there would be too many.
///
/// A word without parts is one that the shell drops, as in `{,a}`.
pub fn expand(word: &Word) -> Option<Vec<Vec<Part>>> {
    if !word.parts.iter().any(|part| matches!(part, Part::Brace(BraceMark::Open))) {
        return Some(vec![word.parts.iter().map(unmarked).collect()]);
    }
    let mut bounds = Bounds { steps: MOST_STEPS, some: false, exceeded: false };
    expand_parts(&word.parts, 0, word.parts.len(), 0, &mut bounds)
}

/// Some of the words that a brace expansion makes which has too many: of a sequence the first and the last, of a list all that differ by
/// more than a number.
#[derive(Debug, Default)]
pub struct Excerpt {
    /// The words, each a list of parts.
    pub words: Vec<Vec<Part>>,
    /// Even these were too many, and there are none.
    pub exceeded: bool,
}

/// The same, for a word that [`expand`] finds too many words in.
pub fn excerpt(word: &Word) -> Excerpt {
    let mut bounds = Bounds { steps: MOST_STEPS, some: true, exceeded: false };
    let words = expand_parts(&word.parts, 0, word.parts.len(), 0, &mut bounds).unwrap_or_default();
    Excerpt { words, exceeded: bounds.exceeded }
}

/// How far an expansion goes.
struct Bounds {
    /// Parts that may still be looked at.
    steps: usize,
    /// Some of the words will do.
    some: bool,
    /// There were too many.
    exceeded: bool,
}

impl Bounds {
    fn step(&mut self) -> Option<()> {
        match self.steps.checked_sub(1) {
            Some(left) => self.steps = left,
            None => self.exceeded = true,
        }
        (!self.exceeded).then_some(())
    }

    /// Whether so many words, and parts of them, are too many.
    fn within(&mut self, words: usize, parts: usize) -> Option<()> {
        let (most, most_parts) = if self.some { (MOST_SOME, MOST_STEPS) } else { (MOST, MOST_PARTS) };
        self.exceeded |= words > most || parts > most_parts;
        (!self.exceeded).then_some(())
    }
}

/// Leaves out words that differ by a number from one before.
fn without_counts(words: &mut Vec<Vec<Part>>) {
    let shape = |parts: &Vec<Part>| {
        let mut shape = String::new();
        for part in parts {
            match part {
                Part::Literal(text) | Part::Quoted(text) => {
                    shape.extend(text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }));
                }
                _ => return None,
            }
        }
        Some(shape)
    };
    let mut seen = std::collections::BTreeSet::new();
    words.retain(|parts| shape(parts).is_none_or(|shape| seen.insert(shape)));
}

fn is_letter(parts: &[Part]) -> bool {
    matches!(parts, [Part::Literal(text) | Part::Quoted(text)] if text.len() <= 1)
}

fn unmarked(part: &Part) -> Part {
    match part {
        Part::Brace(mark) => Part::Literal(mark.as_char().to_string()),
        other => other.clone(),
    }
}

/// The place of the mark that closes the group whose first part is at `from`, as bash looks for it: braces inside count whether or not
/// they are an expansion, and a closing brace is only text as long as the group has neither a comma nor `..` of its own. The outer
/// `None` means that too many groups were looked for.
#[expect(clippy::option_option, reason = "too many and none at all lead to different answers")]
fn close_of(parts: &[Part], from: usize, to: usize, bounds: &mut Bounds) -> Option<Option<usize>> {
    let mut level = 0_usize;
    let mut divided = false;
    for at in from..to {
        bounds.step()?;
        match parts.get(at)? {
            Part::Brace(BraceMark::Close) if level == 0 && divided => return Some(Some(at)),
            Part::Brace(BraceMark::Close) => level = level.saturating_sub(1),
            Part::Brace(BraceMark::Open) => level += 1,
            Part::Brace(BraceMark::Comma) if level == 0 => divided = true,
            Part::Literal(text) if level == 0 && !divided => {
                // Dots right before the closing brace are no sequence.
                let closes = matches!(parts.get(at + 1), Some(Part::Brace(BraceMark::Close)));
                let inner = if closes { text.strip_suffix('.').unwrap_or(text) } else { text };
                divided = inner.contains("..");
            }
            _ => {}
        }
    }
    Some(None)
}

fn expand_parts(parts: &[Part], from: usize, to: usize, depth: usize, bounds: &mut Bounds) -> Option<Vec<Vec<Part>>> {
    let mut results: Vec<Vec<Part>> = vec![Vec::new()];
    let mut at = from;
    // Bash expands what stands behind a group as a text of its own.
    let mut start = from;
    while at < to {
        let part = parts.get(at)?;
        // An empty pair is only text at the start, where `find` and `xargs` want it.
        let is_pair = at == start && matches!(parts.get(at + 1), Some(Part::Brace(BraceMark::Close)));
        let close = match part {
            Part::Brace(BraceMark::Open) if !is_pair => close_of(parts, at + 1, to, bounds)?,
            _ => None,
        };
        let choices = match close {
            Some(close) if depth < 16 => choices(parts, at + 1, close, depth, bounds)?,
            Some(_) => {
                bounds.exceeded = true;
                return None;
            }
            None => None,
        };
        if let (Some(mut choices), Some(close)) = (choices, close) {
            if bounds.some && results.len() > 1 {
                without_counts(&mut choices);
            }
            // Letters that are put together by the thousand spell no word that is meant.
            if bounds.some && results.len() * choices.len() > MOST_SOME && choices.iter().all(|parts| is_letter(parts))
            {
                choices.truncate(1);
            }
            let count = results.len() * choices.len();
            let parts_of = |words: &[Vec<Part>]| words.iter().map(Vec::len).sum::<usize>();
            let copied = if bounds.some {
                parts_of(&results) * choices.len() + parts_of(&choices) * results.len()
            } else {
                count * parts.len()
            };
            bounds.within(count, copied)?;
            results = results
                .iter()
                .flat_map(|before| choices.iter().map(move |choice| before.iter().chain(choice).cloned().collect()))
                .collect();
            at = close + 1;
            start = at;
        } else {
            for result in &mut results {
                result.push(unmarked(part));
            }
            at += 1;
        }
    }
    Some(results)
}

/// The alternatives between two marks. The outer `None` means too many, the inner one that it is no brace expansion.
#[expect(clippy::option_option, reason = "too many and none at all lead to different answers")]
fn choices(
    parts: &[Part],
    from: usize,
    to: usize,
    depth: usize,
    bounds: &mut Bounds,
) -> Option<Option<Vec<Vec<Part>>>> {
    let mut commas = Vec::new();
    let (mut level, mut nested, mut quoted) = (0_usize, false, false);
    for at in from..to {
        bounds.step()?;
        match parts.get(at)? {
            Part::Brace(BraceMark::Comma) if level == 0 => commas.push(at),
            Part::Brace(BraceMark::Comma) => nested = true,
            Part::Brace(BraceMark::Open) => level += 1,
            Part::Brace(BraceMark::Close) => level = level.saturating_sub(1),
            Part::Quoted(text) => quoted |= text.contains(','),
            _ => {}
        }
    }
    // For bash any comma makes a list of what has two dots, also one inside; whether it stood in quotes or behind a backslash, which
    // makes a difference there, is not kept.
    if commas.is_empty() && !nested {
        return match parts.get(from..to) {
            _ if quoted => None,
            Some([Part::Literal(text)]) => sequence(text, bounds),
            _ => Some(None),
        };
    }
    let mut all = Vec::new();
    let mut most = MOST;
    let mut start = from;
    for end in commas.into_iter().chain([to]) {
        all.extend(expand_parts(parts, start, end, depth + 1, bounds)?);
        if bounds.some && all.len() > most {
            without_counts(&mut all);
            most = MOST.max(2 * all.len());
        }
        bounds.within(all.len(), 0)?;
        start = end + 1;
    }
    Some(Some(all))
}

/// `{1..5}`, `{01..10}`, `{a..e}` and `{1..9..2}`. The outer `None` means too many, the inner one that it is no sequence.
#[expect(clippy::option_option, reason = "too many and none at all lead to different answers")]
fn sequence(text: &str, bounds: &mut Bounds) -> Option<Option<Vec<Vec<Part>>>> {
    let Some((from, to, step, width)) = ends(text) else { return Some(None) };
    let span = u64::try_from(i128::from(from).abs_diff(i128::from(to)) / u128::from(step)).ok()?;
    let some = bounds.some && span >= MOST_OF_SEQUENCE;
    if !some && span >= MOST as u64 {
        bounds.exceeded = true;
        return None;
    }
    let last = i64::try_from(span).ok().and_then(|span| span.checked_mul(i64::try_from(step).ok()?));
    let (span, step) = match last {
        Some(last) if some => (1, last),
        _ if some => (0, 1),
        _ => (span, i64::try_from(step).unwrap_or(i64::MAX)),
    };
    let mut values = Vec::new();
    let mut value = from;
    for _ in 0..=span {
        values.push(vec![match width {
            Some(width) => Part::Literal(format!("{value:0width$}")),
            None => match u8::try_from(value).map(char::from) {
                // A letter range that spans both cases has a backslash in it, which bash then takes for an escape.
                Ok('\\') => Part::Quoted(String::new()),
                Ok(letter) => Part::Literal(letter.to_string()),
                Err(_) => return Some(None),
            },
        }]);
        value = if from <= to { value.saturating_add(step) } else { value.saturating_sub(step) };
    }
    Some(Some(values))
}

/// First, last and step of a sequence, and how wide numbers are written; letters have no width.
fn ends(text: &str) -> Option<(i64, i64, u64, Option<usize>)> {
    let mut pieces = text.split("..");
    let (first, last) = (pieces.next()?, pieces.next()?);
    let step = pieces.next().map_or(Some(1), |step| step.parse::<i64>().ok())?.unsigned_abs().max(1);
    if pieces.next().is_some() {
        return None;
    }
    if let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let padded = [first, last].iter().any(|text| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            digits.len() > 1 && digits.starts_with('0')
        });
        let width = if padded { first.len().max(last.len()) } else { 0 };
        return (width <= MOST).then_some((from, to, step, Some(width)));
    }
    Some((letter(first)?, letter(last)?, step, None))
}

fn letter(text: &str) -> Option<i64> {
    match text.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(i64::from(*byte)),
        _ => None,
    }
}

impl Word {
    /// The value, as far as it depends on nothing but the text.
    pub fn static_value(&self) -> Static {
        let Some(words) = expand(self) else { return Static::Dynamic };
        let mut values = Vec::with_capacity(words.len());
        let expanded = words.len() > 1;
        for parts in words.iter().filter(|parts| !expanded || !parts.is_empty()) {
            let mut value = String::new();
            if !static_text(parts, &mut value) {
                return Static::Dynamic;
            }
            values.push(value);
        }
        match values.pop() {
            Some(value) if !expanded => Static::Known(value),
            last => {
                values.extend(last);
                Static::Several(values)
            }
        }
    }
}

fn static_text(parts: &[Part], out: &mut String) -> bool {
    parts.iter().all(|part| match part {
        Part::Literal(text) | Part::Quoted(text) => {
            out.push_str(text);
            true
        }
        Part::Double(inner) => static_text(inner, out),
        Part::Brace(mark) => {
            out.push(mark.as_char());
            true
        }
        _ => false,
    })
}
