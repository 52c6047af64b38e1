//! Brace expansion, and the value of words that depend on nothing.

use super::tree::{BraceMark, Part, Word};

/// What is known of a word's value without knowing anything of the shell's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Static {
    /// The value after quote removal.
    Known(String),
    /// The values of a brace expansion.
    Several(Vec<String>),
    /// It depends on variables, commands or files.
    Dynamic,
}

/// More words than this from one brace expansion are not listed.
const MOST: usize = 256;

/// The words that brace expansion makes of one: each a list of parts without brace marks. `None` if there would be too many.
pub fn expand(word: &Word) -> Option<Vec<Vec<Part>>> {
    if !word.parts.iter().any(|part| matches!(part, Part::Brace(BraceMark::Open))) {
        return Some(vec![word.parts.iter().map(unmarked).collect()]);
    }
    let pairs = pair(&word.parts);
    expand_parts(&word.parts, &pairs, 0, word.parts.len(), 0)
}

fn unmarked(part: &Part) -> Part {
    match part {
        Part::Brace(mark) => Part::Literal(mark.as_char().to_string()),
        other => other.clone(),
    }
}

/// For each opening mark, the place of its closing one.
fn pair(parts: &[Part]) -> Vec<Option<usize>> {
    let mut pairs = vec![None; parts.len()];
    let mut open = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Brace(BraceMark::Open) => open.push(at),
            Part::Brace(BraceMark::Close) => {
                if let Some(start) = open.pop()
                    && let Some(place) = pairs.get_mut(start)
                {
                    *place = Some(at);
                }
            }
            _ => {}
        }
    }
    pairs
}

fn expand_parts(
    parts: &[Part],
    pairs: &[Option<usize>],
    from: usize,
    to: usize,
    depth: usize,
) -> Option<Vec<Vec<Part>>> {
    let mut results: Vec<Vec<Part>> = vec![Vec::new()];
    let mut at = from;
    while at < to {
        let part = parts.get(at)?;
        let close = match part {
            Part::Brace(BraceMark::Open) => pairs.get(at).copied().flatten().filter(|close| *close < to),
            _ => None,
        };
        let choices = match close {
            Some(close) if depth < 16 => choices(parts, pairs, at + 1, close, depth)?,
            Some(_) => return None,
            None => None,
        };
        if let (Some(choices), Some(close)) = (choices, close) {
            if results.len() * choices.len() > MOST {
                return None;
            }
            results = results
                .iter()
                .flat_map(|before| choices.iter().map(move |choice| before.iter().chain(choice).cloned().collect()))
                .collect();
            at = close + 1;
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
    pairs: &[Option<usize>],
    from: usize,
    to: usize,
    depth: usize,
) -> Option<Option<Vec<Vec<Part>>>> {
    let mut commas = Vec::new();
    let mut at = from;
    while at < to {
        match parts.get(at) {
            Some(Part::Brace(BraceMark::Comma)) => commas.push(at),
            Some(Part::Brace(BraceMark::Open)) => {
                if let Some(close) = pairs.get(at).copied().flatten() {
                    at = close;
                }
            }
            _ => {}
        }
        at += 1;
    }
    if commas.is_empty() {
        return Some(match parts.get(from..to) {
            Some([Part::Literal(text)]) => sequence(text),
            _ => None,
        });
    }
    let mut all = Vec::new();
    let mut start = from;
    for end in commas.into_iter().chain([to]) {
        all.extend(expand_parts(parts, pairs, start, end, depth + 1)?);
        if all.len() > MOST {
            return None;
        }
        start = end + 1;
    }
    Some(Some(all))
}

/// `{1..5}`, `{a..e}` and `{1..9..2}`.
fn sequence(text: &str) -> Option<Vec<Vec<Part>>> {
    let mut pieces = text.split("..");
    let (first, last) = (pieces.next()?, pieces.next()?);
    let step = pieces.next().map_or(Some(1), |step| step.parse::<i64>().ok())?.unsigned_abs().max(1);
    if pieces.next().is_some() {
        return None;
    }
    let (from, to, letters) = match (first.parse::<i64>(), last.parse::<i64>()) {
        (Ok(from), Ok(to)) => (from, to, false),
        _ => (letter(first)?, letter(last)?, true),
    };
    let step = i64::try_from(step).ok()?;
    let mut values = Vec::new();
    let mut value = from;
    while values.len() <= MOST && if from <= to { value <= to } else { value >= to } {
        let shown = if letters { u8::try_from(value).map(char::from).ok()?.to_string() } else { value.to_string() };
        values.push(vec![Part::Literal(shown)]);
        value = if from <= to { value.checked_add(step)? } else { value.checked_sub(step)? };
    }
    (values.len() <= MOST).then_some(values)
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
        for parts in &words {
            let mut value = String::new();
            if !static_text(parts, &mut value) {
                return Static::Dynamic;
            }
            values.push(value);
        }
        match (values.len(), values.pop()) {
            (1, Some(value)) => Static::Known(value),
            (_, Some(last)) => {
                values.push(last);
                Static::Several(values)
            }
            (_, None) => Static::Dynamic,
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
