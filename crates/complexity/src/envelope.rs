//! Finds what a prompt holds besides the user's own words: the harness's tagged blocks and pasted tool output.

use std::ops::Range;

use crate::line::{Line, classify};

/// Who put the text there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EnvelopeKind {
    /// A tagged block that the harness adds: `<system-reminder>`, `<ide_selection>`, …
    Reminder,
    /// A notice about work in the background: `<task-notification>`, `<teammate-message>`.
    Notification,
    /// A command of the harness or its output: `<local-command-stdout>`, `<command-name>`, `<bash-stdout>`, …
    Command,
    /// Tool output that the user pasted: log lines, stack traces, compiler and test output, a console block.
    Output,
}

impl EnvelopeKind {
    /// The kind's name in small letters.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reminder => "reminder",
            Self::Notification => "notification",
            Self::Command => "command",
            Self::Output => "output",
        }
    }
}

/// A part of the prompt that isn't the user's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// Who put it there.
    pub kind: EnvelopeKind,
    /// Where it stands, in bytes, tags and fences included.
    pub span: Range<usize>,
}

/// The tags of the harness. `command-args` isn't one of them: it holds what the user typed.
const TAGS: &[(&str, EnvelopeKind)] = &[
    ("system-reminder", EnvelopeKind::Reminder),
    ("user-prompt-submit-hook", EnvelopeKind::Reminder),
    ("ide_opened_file", EnvelopeKind::Reminder),
    ("ide_selection", EnvelopeKind::Reminder),
    ("ide_diagnostics", EnvelopeKind::Reminder),
    ("new-diagnostics", EnvelopeKind::Reminder),
    ("task-notification", EnvelopeKind::Notification),
    ("teammate-message", EnvelopeKind::Notification),
    ("local-command-stdout", EnvelopeKind::Command),
    ("local-command-stderr", EnvelopeKind::Command),
    ("local-command-caveat", EnvelopeKind::Command),
    ("command-name", EnvelopeKind::Command),
    ("command-message", EnvelopeKind::Command),
    ("bash-stdout", EnvelopeKind::Command),
    ("bash-stderr", EnvelopeKind::Command),
    ("tool_result", EnvelopeKind::Output),
    ("tool_use_error", EnvelopeKind::Output),
    ("function_results", EnvelopeKind::Output),
    ("persisted-output", EnvelopeKind::Output),
];

/// How far a tag's attributes may reach.
const ATTRIBUTES: usize = 256;

/// Lines of output that make an envelope; fewer are a quotation and count as the user's own words.
const OUTPUT_LINES: usize = 3;

/// All envelopes of a prompt in order, not overlapping.
///
/// A tag without its partner is text that somebody writes about tags, so it opens nothing. One pass for the tags, one for the lines.
pub(crate) fn find(text: &str) -> Vec<Envelope> {
    let mut all = tagged(text);
    if all.is_empty() {
        return output(text, 0);
    }
    all.sort_by_key(|envelope| (envelope.span.start, std::cmp::Reverse(envelope.span.end)));
    let mut merged: Vec<Envelope> = Vec::new();
    for envelope in all {
        match merged.last_mut() {
            Some(last) if envelope.span.start < last.span.end => last.span.end = last.span.end.max(envelope.span.end),
            _ => merged.push(envelope),
        }
    }
    let own = gaps(text, &merged);
    for piece in own {
        merged.extend(output(text.get(piece.clone()).unwrap_or_default(), piece.start));
    }
    merged.sort_by_key(|envelope| envelope.span.start);
    merged
}

/// The user's own words: what lies between the envelopes, without the white space that sets those off.
pub(crate) fn own_words(text: &str, envelopes: &[Envelope]) -> Vec<Range<usize>> {
    gaps(text, envelopes)
        .into_iter()
        .filter_map(|gap| {
            let piece = text.get(gap.clone())?;
            let front = if gap.start > 0 { piece.len() - piece.trim_start().len() } else { 0 };
            let back = if gap.end < text.len() { piece.len() - piece.trim_end().len() } else { 0 };
            let trimmed = gap.start + front..gap.end.saturating_sub(back);
            (trimmed.start < trimmed.end).then_some(trimmed)
        })
        .collect()
}

fn gaps(text: &str, envelopes: &[Envelope]) -> Vec<Range<usize>> {
    let mut gaps = Vec::with_capacity(envelopes.len() + 1);
    let mut at = 0;
    for envelope in envelopes {
        gaps.push(at..envelope.span.start);
        at = envelope.span.end;
    }
    gaps.push(at..text.len());
    gaps.retain(|gap| gap.start < gap.end);
    gaps
}

fn tagged(text: &str) -> Vec<Envelope> {
    let mut found = Vec::new();
    // For each tag where it was opened. A stack each, because a block may hold itself and tags may cross.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut counts = [0usize; TAGS.len()];
    for (at, _) in text.match_indices('<') {
        let rest = text.get(at + 1..).unwrap_or_default();
        let (closing, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
        let Some((tag, after)) = TAGS.iter().enumerate().find_map(|(i, (name, _))| Some((i, tag_rest(rest, name)?)))
        else {
            continue;
        };
        let end = text.len() - after.len();
        let Some(count) = counts.get_mut(tag) else { continue };
        if !closing {
            open.push((tag, at));
            *count += 1;
        } else if *count > 0
            && let Some(position) = open.iter().rposition(|&(other, _)| other == tag)
            && let Some(&(_, start)) = open.get(position)
        {
            // What was opened inside and never closed goes with the block; so each entry is removed once.
            for (other, _) in open.drain(position..) {
                if let Some(count) = counts.get_mut(other) {
                    *count = count.saturating_sub(1);
                }
            }
            let kind = TAGS.get(tag).map_or(EnvelopeKind::Reminder, |(_, kind)| *kind);
            found.push(Envelope { kind, span: start..end });
        }
    }
    found
}

/// What follows the tag `name`, whose `<` and `/` are already read; `None` if another text stands there.
fn tag_rest<'t>(rest: &'t str, name: &str) -> Option<&'t str> {
    let head = rest.get(..name.len())?;
    if !head.eq_ignore_ascii_case(name) {
        return None;
    }
    let tail = rest.get(name.len()..)?;
    if let Some(after) = tail.strip_prefix('>') {
        return Some(after);
    }
    if !tail.starts_with(|c: char| c.is_whitespace() || c == '/') {
        return None;
    }
    let end = tail.char_indices().take(ATTRIBUTES).find(|&(_, c)| c == '>' || c == '<')?;
    if end.1 == '<' { None } else { tail.get(end.0 + 1..) }
}

/// Runs of output lines and fenced console blocks, in a piece of text that begins at `offset`.
fn output(text: &str, offset: usize) -> Vec<Envelope> {
    let mut found = Vec::new();
    let mut run = Run::default();
    let mut fence: Option<(usize, char)> = None;
    // Marks of which a search has found no closing fence: none follows later either, so the searches stay linear.
    let mut unclosed: Vec<char> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let body = line.trim_start();
        if let Some((opened, mark)) = fence {
            if is_closing(line, mark) {
                found.push(Envelope { kind: EnvelopeKind::Output, span: offset + opened..offset + at });
                fence = None;
            }
            continue;
        }
        if let Some(mark) = fence_mark(body)
            && is_console(body.trim_start_matches(mark).trim())
            && !unclosed.contains(&mark)
        {
            if text.get(at..).is_some_and(|rest| rest.lines().any(|line| is_closing(line, mark))) {
                run.finish(&mut found, offset);
                fence = Some((start, mark));
                continue;
            }
            // A block that never ends isn't one; then the run rule looks at its lines.
            unclosed.push(mark);
        }
        match classify(body, body.len() < line.len()) {
            Line::Output => run.add(start, at, true),
            Line::Either if run.sure > 0 => run.add(start, at, false),
            _ => run.finish(&mut found, offset),
        }
    }
    run.finish(&mut found, offset);
    found
}

/// Output lines in a row.
#[derive(Default)]
struct Run {
    start: usize,
    /// The end of the last line that is surely output.
    end: usize,
    /// All lines up to `end`, and those after it that may still belong to the run.
    lines: usize,
    pending: usize,
    sure: usize,
}

impl Run {
    fn add(&mut self, start: usize, end: usize, sure: bool) {
        if self.sure == 0 {
            self.start = start;
        }
        if sure {
            self.lines += self.pending + 1;
            self.pending = 0;
            self.sure += 1;
            self.end = end;
        } else {
            self.pending += 1;
        }
    }

    fn finish(&mut self, found: &mut Vec<Envelope>, offset: usize) {
        if self.lines >= OUTPUT_LINES && self.sure > 1 {
            found.push(Envelope { kind: EnvelopeKind::Output, span: offset + self.start..offset + self.end });
        }
        *self = Self::default();
    }
}

/// The mark of a fence line: three or more back ticks or tildes.
pub(crate) fn fence_mark(body: &str) -> Option<char> {
    ['`', '~'].into_iter().find(|&mark| body.chars().take_while(|&c| c == mark).count() >= 3)
}

/// A fence line with nothing else on it.
fn is_closing(line: &str, mark: char) -> bool {
    let body = line.trim();
    body.len() >= 3 && body.chars().all(|c| c == mark)
}

/// Info strings of a fenced block that hold output, not source code.
fn is_console(info: &str) -> bool {
    const CONSOLE: &[&str] = &[
        "console", "shell-session", "sh-session", "terminal", "output", "log", "logs", "stdout", "stderr", "traceback",
        "ansi",
    ];
    CONSOLE.iter().any(|name| info.eq_ignore_ascii_case(name))
}
