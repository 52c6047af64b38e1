//! Whether an answer has the form that `collective` asks for: its token, its content, its contract. Advice, never a verdict.

use std::fmt;

/// One thing about an answer that its reader should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// There is no answer at all.
    Empty,
    /// The answer has no handoff token.
    NoToken,
    /// What looks like a token has another shape than `WORD_WORD_YYYYMMDD_HHMMSS`.
    OddToken,
    /// Something was changed, and no test is spoken of.
    Untested,
    /// Neither documentation, nor error handling, nor tests.
    LowQuality,
    /// Neither what is complete, nor which files changed, nor what is next.
    NoContract,
    /// A research agent that names no source of what it says.
    NoResearch,
    /// An agent that builds, and speaks of nothing built.
    NoWork,
    /// No word says that the work is complete.
    NotComplete,
}

impl fmt::Display for Remark {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Empty => "FAIL output: it is empty",
            Self::NoToken => "FAIL token: none of the form WORD_WORD_YYYYMMDD_HHMMSS",
            Self::OddToken => "WARN token: its form is not WORD_WORD_YYYYMMDD_HHMMSS",
            Self::Untested => "WARN output: changes without a word about tests",
            Self::LowQuality => "WARN output: no word about documentation, error handling or tests",
            Self::NoContract => "FAIL contract: neither status, nor changed files, nor next steps",
            Self::NoResearch => "WARN contract: research without findings or sources",
            Self::NoWork => "WARN contract: implementation without files, code or tests",
            Self::NotComplete => "WARN contract: no word says that the work is complete",
        })
    }
}

/// What `collective`'s validation has to say about the answer of `agent`.
pub fn remarks(agent: &str, output: &str) -> Vec<Remark> {
    if output.trim().is_empty() {
        return vec![Remark::Empty];
    }
    let lower = output.to_lowercase();
    let agent = agent.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let tests = has(&["test", "spec", "coverage"]);
    let mut found = Vec::new();
    match token(output) {
        Token::Right => {}
        Token::Odd => found.push(Remark::OddToken),
        Token::Missing => found.push(Remark::NoToken),
    }
    if has(&["created", "modified", "updated", "wrote", "edited", "implemented"]) && !tests {
        found.push(Remark::Untested);
    }
    if !tests && !has(&["documentation", "documented", "comment"]) && !has(&["error", "exception", "catch", "fallback"])
    {
        found.push(Remark::LowQuality);
    }
    let complete = has(&["complete", "done", "finished", "delivered"]);
    if !complete
        && !has(&["file", "created", "modified", "changed"])
        && !has(&["next step", "next:", "follow-up", "remaining"])
    {
        found.push(Remark::NoContract);
    }
    if agent.contains("research") && !has(&["research", "analysis", "findings", "documentation", "context7", "library"])
    {
        found.push(Remark::NoResearch);
    }
    if ["implementation", "component", "feature"].iter().any(|kind| agent.contains(kind))
        && !has(&["file", "code", "component", "function", "test", "build"])
    {
        found.push(Remark::NoWork);
    }
    if !complete {
        found.push(Remark::NotComplete);
    }
    found
}

#[derive(PartialEq, Eq)]
enum Token {
    Right,
    Odd,
    Missing,
}

/// The token of an answer: `WORD_WORD_YYYYMMDD_HHMMSS`, where the figures are a date and a time.
fn token(output: &str) -> Token {
    let mut odd = false;
    for word in output.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
        let parts: Vec<&str> = word.splitn(6, '_').collect();
        let upper = |part: &&str| part.len() >= 2 && part.bytes().all(|b| b.is_ascii_uppercase());
        let leading = parts.iter().take_while(|part| upper(part)).count();
        let figures = parts.get(leading..).unwrap_or_default();
        if leading < 2 || figures.is_empty() || !figures.iter().all(|part| part.bytes().all(|b| b.is_ascii_digit())) {
            continue;
        }
        if leading == 2 && matches!(figures, [date, time] if is_date(date) && is_time(time)) {
            return Token::Right;
        }
        odd = true;
    }
    if odd { Token::Odd } else { Token::Missing }
}

fn number(text: &str, from: usize, to: usize) -> u32 {
    text.get(from..to).and_then(|part| part.parse().ok()).unwrap_or(u32::MAX)
}

fn is_date(text: &str) -> bool {
    text.len() == 8 && (1..=12).contains(&number(text, 4, 6)) && (1..=31).contains(&number(text, 6, 8))
}

fn is_time(text: &str) -> bool {
    text.len() == 6 && number(text, 0, 2) < 24 && number(text, 2, 4) < 60 && number(text, 4, 6) < 60
}
