//! What a user's rules are found by: numbers of which a call has at least one wherever the rule fits.
//!
//! A rule can fit only where each of its conditions holds. One that names programs or tools is found by a name; a glob by four bytes
//! that stand in it, since they stand in whatever it fits. So a call looks at the rules that share a number with it, and no other.

use hook_protocol::canonical::canonical;
use hook_protocol::event::{Event, EventName};
use hook_protocol::matcher::Matcher;
use hook_protocol::tool::ToolUse;

use serde::{Deserialize, Serialize};

use super::user::{Subject, UserRule, text_of};

/// What a number is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// Nothing: the rule is found by every event of its kind.
    Any,
    /// The name of a program that runs.
    Program,
    /// The name of the tool.
    Tool,
    /// Bytes in the name of a program.
    InProgram,
    /// Bytes in an argument of a program.
    InArgument,
    /// Bytes in the path of a file tool.
    InPath,
    /// Bytes in the command, the prompt or what is written.
    InText,
}

impl Kind {
    const ALL: [Self; 7] =
        [Self::Any, Self::Program, Self::Tool, Self::InProgram, Self::InArgument, Self::InPath, Self::InText];

    /// Whether there are as many numbers in a call as it has bytes, so that a filter has to say which are worth a look.
    pub(super) const fn is_many(self) -> bool {
        matches!(self, Self::InProgram | Self::InArgument | Self::InPath | Self::InText)
    }
}

/// Some kinds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) fn with(self, kind: Kind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u8 & 1 == 1
    }
}

/// A way to find a rule: it is filed under one number of each group.
pub(super) struct Lookup {
    pub(super) kind: Kind,
    /// A group is one name or glob of the condition, with the numbers that each would do.
    pub(super) groups: Vec<Vec<u64>>,
}

/// Bytes that one number is made of.
const WINDOW: usize = 4;

/// What stands before and after a name, an argument and a path, so that the ends of a glob count as bytes too. None of them holds it.
const END: u8 = 0;

/// Of a long glob so many numbers at its start and as many at its end are considered.
const CONSIDERED: usize = 32;

/// Every way to find the rule. There is always the last one, by its event alone.
pub(super) fn lookups(rule: &UserRule) -> Vec<Lookup> {
    let event = seed(&rule.event);
    let mut lookups = Vec::new();
    let named = |globs: &[String]| globs.iter().all(|glob| !glob.contains(['*', '?']));
    if !rule.program.0.is_empty() && named(&rule.program.0) {
        let groups = rule.program.0.iter().map(|name| vec![name_key(event, Kind::Program, name)]).collect();
        lookups.push(Lookup { kind: Kind::Program, groups });
    }
    if let Some(names) = Matcher::parse(&rule.tool).names() {
        let groups = names.iter().map(|name| vec![name_key(event, Kind::Tool, canonical(name))]).collect();
        lookups.push(Lookup { kind: Kind::Tool, groups });
    }
    // All globs of `args` have to fit, and one of every other condition.
    let arguments = rule.args.0.iter().map(|glob| (Kind::InArgument, std::slice::from_ref(glob)));
    let paths = [(Kind::InProgram, rule.program.0.as_slice()), (Kind::InPath, rule.path.0.as_slice())];
    for (kind, globs) in arguments.chain(paths) {
        let groups: Vec<Vec<u64>> = globs.iter().map(|glob| glob_keys(event, kind, glob, true)).collect();
        lookups.push(Lookup { kind, groups });
    }
    let texts = rule.text.0.iter().map(|glob| glob_keys(event, Kind::InText, glob, false)).collect();
    lookups.push(Lookup { kind: Kind::InText, groups: texts });
    if rule.matches.is_some() {
        let groups = rule
            .required_literals
            .iter()
            .map(|needle| windows(event, Kind::InText, needle.bytes()).collect())
            .collect();
        lookups.push(Lookup { kind: Kind::InText, groups });
    }
    lookups.retain(|lookup| !lookup.groups.is_empty() && lookup.groups.iter().all(|group| !group.is_empty()));
    lookups.push(Lookup { kind: Kind::Any, groups: vec![vec![name_key(event, Kind::Any, "")]] });
    lookups
}

/// Passes on every number of a call that rules of these kinds can be filed under; some several times.
pub(super) fn of_call(subject: &Subject<'_>, kinds: Kinds, mut found: impl FnMut(Kind, u64)) {
    let event = seed(subject.event.name().as_str());
    for kind in Kind::ALL.into_iter().filter(|kind| kinds.has(*kind)) {
        let mut name = |name: &str| found(kind, name_key(event, kind, name));
        match kind {
            Kind::Any => name(""),
            Kind::Program => subject.report.runs.iter().for_each(|run| name(&run.program)),
            Kind::Tool => subject.event.tool().iter().for_each(|tool| name(tool.canonical_name())),
            _ => in_texts(subject, kind, |text, ended| {
                if ended {
                    let ends = [END].into_iter();
                    windows(event, kind, ends.clone().chain(text.bytes()).chain(ends)).for_each(|key| found(kind, key));
                } else {
                    windows(event, kind, text.bytes()).for_each(|key| found(kind, key));
                }
            }),
        }
    }
}

/// The texts of a call that globs of this kind are held against, and whether their ends count.
fn in_texts(subject: &Subject<'_>, kind: Kind, mut each: impl FnMut(&str, bool)) {
    let runs = subject.report.runs.iter();
    match kind {
        Kind::InProgram => runs.for_each(|run| each(&run.program, true)),
        Kind::InArgument => runs.flat_map(|run| &run.args).for_each(|argument| each(argument, true)),
        Kind::InPath => {
            if let Some(path) = subject.event.tool().as_ref().and_then(ToolUse::touched_path) {
                each(&path, true);
            }
        }
        _ => text_of(subject.event).iter().for_each(|text| each(text, false)),
    }
}

/// The numbers of the bytes that stand in a glob as they are. `ended`: the glob has to fit the whole text.
fn glob_keys(event: u64, kind: Kind, glob: &str, ended: bool) -> Vec<u64> {
    let mut whole = Vec::with_capacity(glob.len() + 2);
    whole.extend(ended.then_some(END));
    whole.extend(glob.bytes());
    whole.extend(ended.then_some(END));
    let pieces = whole.split(|byte| matches!(byte, b'*' | b'?'));
    let mut keys: Vec<u64> = pieces.flat_map(|piece| windows(event, kind, piece.iter().copied())).collect();
    if keys.len() > 2 * CONSIDERED {
        keys.drain(CONSIDERED..keys.len() - CONSIDERED);
    }
    keys
}

/// The number of every four bytes in a row.
fn windows(event: u64, kind: Kind, bytes: impl Iterator<Item = u8>) -> impl Iterator<Item = u64> {
    let seed = event ^ kind as u64;
    let mut last = 0_u32;
    let shifted = bytes.map(move |byte| {
        last = last << 8 | u32::from(byte);
        last
    });
    shifted.skip(WINDOW - 1).map(move |four| mixed(seed ^ u64::from(four) << 8))
}

fn name_key(event: u64, kind: Kind, name: &str) -> u64 {
    fingerprint(name.as_bytes(), event ^ kind as u64)
}

/// What the rules of one event have in all their numbers.
fn seed(event: &str) -> u64 {
    fingerprint(event.as_bytes(), 0)
}

/// The place of the event among those that rules can be on.
pub(super) fn place(event: &Event<'_>) -> Option<u8> {
    place_of(&event.name())
}

/// The same by the event's name.
pub(super) fn place_of(event: &EventName<'_>) -> Option<u8> {
    event.index().and_then(|index| u8::try_from(index).ok())
}

/// Sixty-four bits that any change of the bytes changes, but for chance: they tell whole bytes from damaged ones, and are no
/// protection against whoever means to deceive. Eight bytes a step.
pub fn fingerprint(bytes: &[u8], seed: u64) -> u64 {
    let (eights, rest) = bytes.as_chunks::<8>();
    let mut sum = seed ^ (bytes.len() as u64).wrapping_mul(ODD);
    for eight in eights {
        sum = (sum ^ u64::from_le_bytes(*eight)).wrapping_mul(ODD).rotate_left(29);
    }
    let rest = rest.iter().fold(0_u64, |word, byte| word << 8 | u64::from(*byte));
    mixed(sum ^ rest)
}

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Spreads every bit over all of them.
const fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 32).wrapping_mul(ODD);
    let bits = (bits ^ bits >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits ^ bits >> 32
}
