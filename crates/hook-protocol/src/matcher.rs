//! Matchers: the text in a settings group that says which events of a kind the group is for, read as the host reads it.

use crate::canonical::{RENAMED, current};
use crate::event::EventName;

/// A matcher, as client 2.1.332 reads it.
///
/// | text | matches |
/// | --- | --- |
/// | empty, `*` | everything |
/// | only letters, digits, `_`, `-`, space, `,`, `\|` | exactly the name, or one of the names between `\|` and `,`; by case |
/// | anything else | what the JavaScript regular expression finds anywhere in the subject |
///
/// Names that the host has given up still match: `Task` matches `Agent`. An invalid expression matches nothing.
///
/// Expressions made of literals, `.*`, `^`, `$` and `|` are matched without a regular expression engine. Others need the
/// feature `regex`; without it, and for what JavaScript and this engine read differently (look-around, back references,
/// `\p`, inline flags), the answer is [`MatchResult::Unknown`].
///
/// ```
/// use hook_protocol::matcher::Matcher;
/// assert!(Matcher::parse("Edit|Write").matches("Write"));
/// assert!(Matcher::parse("mcp__spf__.*").matches("mcp__spf__spf_read"));
/// assert!(!Matcher::parse("mcp__spf").matches("mcp__spf__spf_read"));
/// ```
#[derive(Debug, Clone)]
pub struct Matcher {
    text: String,
    kind: Kind,
    /// Whether the subject is a tool's name, so that its old names count.
    tools: bool,
    #[cfg(feature = "regex")]
    compiled: std::sync::OnceLock<Compiled>,
}

/// The answer of a matcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchResult {
    /// The subject matches.
    Yes,
    /// It doesn't.
    No,
    /// Only a JavaScript engine could tell.
    Unknown,
}

#[derive(Debug, Clone)]
enum Kind {
    All,
    Exact(Vec<String>),
    Literals(Vec<Alternative>),
    Expression,
}

/// One alternative of a simple expression: literals with `.*` between them.
#[derive(Debug, Clone)]
struct Alternative {
    start: bool,
    end: bool,
    first: String,
    then: Vec<String>,
}

#[cfg(feature = "regex")]
#[derive(Debug, Clone)]
enum Compiled {
    Ready(regex::Regex),
    Invalid,
    Foreign,
}

impl Matcher {
    /// Reads the matcher of an event whose subject is a tool's name.
    pub fn parse(text: &str) -> Self {
        Self::new(text, |byte| byte.is_ascii_alphanumeric() || b"_- ,|".contains(&byte), &['|', ','], true)
    }

    /// Reads the matcher of `event`. `FileChanged` and `StopFailure` take fewer texts for names; events without a subject
    /// ignore their matcher, so that it matches everything.
    pub fn parse_for(event: &EventName<'_>, text: &str) -> Self {
        match event {
            EventName::PostToolBatch
            | EventName::UserPromptSubmit
            | EventName::Stop
            | EventName::TeammateIdle
            | EventName::TaskCreated
            | EventName::TaskCompleted
            | EventName::WorktreeCreate
            | EventName::WorktreeRemove
            | EventName::CwdChanged
            | EventName::MessageDisplay => Self::of(text, Kind::All, false),
            EventName::FileChanged | EventName::StopFailure => {
                Self::new(text, |byte| byte.is_ascii_alphanumeric() || b"_|".contains(&byte), &['|'], false)
            }
            EventName::PreToolUse
            | EventName::PostToolUse
            | EventName::PostToolUseFailure
            | EventName::PermissionRequest
            | EventName::PermissionDenied
            | EventName::PreSkillShellCommand => Self::parse(text),
            _ => Self { tools: false, ..Self::parse(text) },
        }
    }

    fn new(text: &str, of_names: impl Fn(u8) -> bool, separators: &[char], tools: bool) -> Self {
        let kind = if text.is_empty() || text == "*" {
            Kind::All
        } else if text.bytes().all(of_names) {
            Kind::Exact(text.split(separators).map(|name| name.trim().to_owned()).collect())
        } else {
            literals(text).map_or(Kind::Expression, Kind::Literals)
        };
        Self::of(text, kind, tools)
    }

    fn of(text: &str, kind: Kind, tools: bool) -> Self {
        Self {
            text: text.to_owned(),
            kind,
            tools,
            #[cfg(feature = "regex")]
            compiled: std::sync::OnceLock::new(),
        }
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether every subject matches.
    pub fn is_all(&self) -> bool {
        matches!(self.kind, Kind::All)
    }

    /// The names that it consists of, if it is one name or several: it then matches these tools and no others. A tool is the same
    /// under each of its names, so compare them by [`canonical`](crate::canonical::canonical).
    pub fn names(&self) -> Option<&[String]> {
        match &self.kind {
            Kind::Exact(names) => Some(names),
            _ => None,
        }
    }

    /// Whether `subject` certainly matches.
    pub fn matches(&self, subject: &str) -> bool {
        self.test(subject) == MatchResult::Yes
    }

    /// Whether `subject` matches. The subject of an event is [`crate::Event::matcher_subject`].
    pub fn test(&self, subject: &str) -> MatchResult {
        let renamed = if self.tools { current(subject) } else { subject };
        match &self.kind {
            Kind::All => MatchResult::Yes,
            Kind::Exact(names) => {
                names.iter().any(|name| *name == subject || (self.tools && current(name) == renamed)).into()
            }
            Kind::Literals(_) | Kind::Expression => {
                let old = RENAMED.iter().filter(|(_, new)| self.tools && *new == renamed).map(|(old, _)| *old);
                let mut answer = self.search(subject);
                for name in std::iter::once(renamed).filter(|name| *name != subject).chain(old) {
                    if answer != MatchResult::No {
                        break;
                    }
                    answer = self.search(name);
                }
                answer
            }
        }
    }

    fn search(&self, subject: &str) -> MatchResult {
        match &self.kind {
            // `.` stops at the end of a line, which the simple form doesn't model.
            Kind::Literals(alternatives) if !subject.contains(['\n', '\r', '\u{2028}', '\u{2029}']) => {
                alternatives.iter().any(|alternative| alternative.matches(subject)).into()
            }
            _ => self.expression(subject),
        }
    }

    #[cfg(feature = "regex")]
    fn expression(&self, subject: &str) -> MatchResult {
        let compiled = self.compiled.get_or_init(|| {
            if foreign(&self.text) {
                return Compiled::Foreign;
            }
            match regex::Regex::new(&self.text) {
                Ok(regex) => Compiled::Ready(regex),
                Err(regex::Error::Syntax(_)) => Compiled::Invalid,
                Err(_) => Compiled::Foreign,
            }
        });
        match compiled {
            // `\w` and its kind know ASCII only in JavaScript, so that they are certain for ASCII subjects only.
            Compiled::Ready(_) if self.text.contains('\\') && !subject.is_ascii() => MatchResult::Unknown,
            Compiled::Ready(regex) => regex.is_match(subject).into(),
            Compiled::Invalid => MatchResult::No,
            Compiled::Foreign => MatchResult::Unknown,
        }
    }

    #[cfg(not(feature = "regex"))]
    #[expect(clippy::unused_self, reason = "with the feature it is used")]
    fn expression(&self, _: &str) -> MatchResult {
        MatchResult::Unknown
    }
}

impl From<bool> for MatchResult {
    fn from(hit: bool) -> Self {
        if hit { Self::Yes } else { Self::No }
    }
}

impl Alternative {
    fn matches(&self, subject: &str) -> bool {
        let Some((last, between)) = self.then.split_last() else {
            return match (self.start, self.end) {
                (true, true) => subject == self.first,
                (true, false) => subject.starts_with(&self.first),
                (false, true) => subject.ends_with(&self.first),
                (false, false) => subject.contains(&self.first),
            };
        };
        let mut rest = if self.start {
            subject.strip_prefix(self.first.as_str())
        } else {
            subject.split_once(self.first.as_str()).map(|(_, rest)| rest)
        };
        for part in between {
            rest = rest.and_then(|text| text.split_once(part.as_str())).map(|(_, rest)| rest);
        }
        rest.is_some_and(|text| if self.end { text.ends_with(last.as_str()) } else { text.contains(last.as_str()) })
    }
}

/// Reads an expression that is made of literals, `.*`, anchors and `|` only; also all of that in one anchored group,
/// `^(A|B)$`.
fn literals(text: &str) -> Option<Vec<Alternative>> {
    let group = text.strip_prefix("^(").and_then(|rest| rest.strip_suffix(")$"));
    let (text, anchored) = match group {
        Some(inside) => (inside.strip_prefix("?:").unwrap_or(inside), true),
        None => (text, false),
    };
    text.split('|').map(|part| alternative(part, anchored)).collect()
}

fn alternative(text: &str, anchored: bool) -> Option<Alternative> {
    let (start, text) = text.strip_prefix('^').map_or((anchored, text), |rest| (true, rest));
    // A literal dollar in front of the end has a backslash before it, which the loop below refuses at the end of the text.
    let (end, text) = text.strip_suffix('$').map_or((anchored, text), |rest| (true, rest));
    let mut parts = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let literal = match char {
            '.' => {
                chars.next_if_eq(&'*')?;
                chars.next_if_eq(&'?');
                parts.push(String::new());
                continue;
            }
            '\\' => chars.next().filter(char::is_ascii_punctuation)?,
            '^' | '$' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' => return None,
            other => other,
        };
        parts.last_mut()?.push(literal);
    }
    let then = parts.split_off(1);
    Some(Alternative { start, end, first: parts.pop()?, then })
}

/// Whether JavaScript reads the expression differently from the engine here, or the engine can't read it though
/// JavaScript can.
#[cfg(feature = "regex")]
fn foreign(text: &str) -> bool {
    let mut in_class = false;
    let mut previous = '\0';
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let next = chars.peek().copied().unwrap_or('\0');
        match char {
            // Both refuse a backslash at the end.
            '\\' if chars.peek().is_none() => return false,
            '\\' => {
                // What both read alike; of the rest, some mean something else here and some are refused.
                if !(next.is_ascii_punctuation() || "dDwWsSbBnrtfv".contains(next)) || "<>".contains(next) {
                    return true;
                }
                chars.next();
                previous = '\0';
                continue;
            }
            '(' if !in_class && next == '?' => {
                let mut ahead = chars.clone();
                ahead.next();
                match (ahead.next(), ahead.next()) {
                    (Some(':'), _) => {}
                    (Some('<'), Some(name)) if name.is_ascii_alphabetic() => {}
                    _ => return true,
                }
            }
            '[' if in_class => return true,
            '[' => {
                in_class = true;
                if next == ']' || next == '^' && chars.clone().nth(1) == Some(']') {
                    return true;
                }
            }
            ']' if in_class => in_class = false,
            '&' | '-' | '~' if in_class && previous == char => return true,
            // A repetition of a repetition is an error there and allowed here.
            '*' | '+' | '{' if !in_class && matches!(previous, '*' | '+' | '}') => return true,
            // A brace that isn't a repetition is a literal there and an error here.
            '{' if !in_class && !next.is_ascii_digit() => return true,
            _ => {}
        }
        previous = char;
    }
    false
}

/// The names that a `FileChanged` matcher makes the host watch, relative to the current working directory.
///
/// ```
/// use hook_protocol::matcher::watch_list;
/// assert_eq!(watch_list("watched.env|.envrc").collect::<Vec<_>>(), ["watched.env", ".envrc"]);
/// ```
pub fn watch_list(text: &str) -> impl Iterator<Item = &str> {
    text.split('|').map(str::trim).filter(|name| !name.is_empty())
}
