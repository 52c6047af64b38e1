//! What of the configuration is off, kept short enough to be told at every prompt.

use hook_policy::profile::{ConfigError, Item, Profile};
use serde::{Deserialize, Serialize};

/// Faults that a message shows; the others are counted.
const SHOWN: usize = 5;

/// Characters of what is wrong that are shown. A line of the file may stand in it, and be of any length.
const TEXT: usize = 240;

/// Characters of a name that are shown.
const NAME: usize = 60;

/// What is off, as the compiled profile keeps it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// The first ones.
    pub shown: Vec<Fault>,
    /// How many there are of each kind, by its word.
    pub counts: Vec<(String, u32)>,
    /// Custom rules, those that are off with those that hold.
    pub rules: u32,
}

/// One thing that is off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The file.
    pub file: String,
    /// The line of the key, from 1.
    pub line: Option<u32>,
    /// Its column, from 1.
    pub column: Option<u32>,
    /// What kind of thing is off: a rule, a handler, a change, a setting, …
    pub kind: String,
    /// Its name, or nothing.
    pub name: String,
    /// What is wrong, and the nearest valid name.
    pub text: String,
}

impl Faults {
    /// The faults of a resolved profile.
    pub fn of(profile: &Profile) -> Self {
        let mut counts: Vec<(Item, u32)> = Vec::new();
        for fault in &profile.faults {
            match counts.iter_mut().find(|(item, _)| *item == fault.item) {
                Some((_, count)) => *count = count.saturating_add(1),
                None => counts.push((fault.item, 1)),
            }
        }
        counts.sort_by_key(|(item, _)| *item);
        let off = counts.iter().find(|(item, _)| *item == Item::Rule).map_or(0, |(_, count)| *count);
        // What takes most away comes first: a rule before a setting.
        let mut order: Vec<&ConfigError> = profile.faults.iter().collect();
        order.sort_by_key(|fault| fault.item);
        Self {
            shown: order.into_iter().take(SHOWN).map(Fault::of).collect(),
            counts: counts.into_iter().map(|(item, count)| (item.as_str().to_owned(), count)).collect(),
            rules: off.saturating_add(u32::try_from(profile.custom_rules).unwrap_or(u32::MAX)),
        }
    }

    /// How many things are off.
    pub fn all(&self) -> u32 {
        self.counts.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// What is off, in a few words: `1 of your 4 rules, 2 settings`. Nothing if nothing is.
    pub fn words(&self) -> Option<String> {
        let count = |(kind, count): &(String, u32)| match (kind.as_str(), *count) {
            ("rule", off) if off <= self.rules => {
                format!("{off} of your {} {}", self.rules, plural("rule", self.rules))
            }
            (kind, count) => format!("{count} {}", plural(kind, count)),
        };
        (!self.counts.is_empty()).then(|| self.counts.iter().map(count).collect::<Vec<_>>().join(", "))
    }

    /// What is off, with its places: the first line says how much, and all of it where it is one thing.
    pub fn summary(&self) -> Option<String> {
        let words = self.words()?;
        let all = self.all();
        let is = if all == 1 { "is" } else { "are" };
        if let ([one], 1) = (self.shown.as_slice(), all) {
            return Some(format!("{words} {is} off: {}", one.told(false)));
        }
        let mut said = format!("{words} {is} off:");
        for fault in &self.shown {
            said.push_str(&format!("\n  {}", fault.told(true)));
        }
        let more = u64::from(all).saturating_sub(self.shown.len() as u64);
        if more > 0 {
            said.push_str(&format!("\n  and {more} more; `hookbin config check` lists them"));
        }
        Some(said)
    }
}

fn plural(word: &str, count: u32) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

impl Fault {
    fn of(fault: &ConfigError) -> Self {
        let number = |of: Option<usize>| of.and_then(|of| u32::try_from(of).ok());
        Self {
            file: fault.file.clone(),
            line: number(fault.line),
            column: number(fault.column),
            kind: fault.item.as_str().to_owned(),
            name: short(&fault.name, NAME),
            text: short(&fault.what(), TEXT),
        }
    }

    fn told(&self, with_kind: bool) -> String {
        let mut said = if with_kind { format!("{} ", self.kind) } else { String::new() };
        if !self.name.is_empty() {
            said.push_str(&format!("`{}`, ", self.name));
        }
        said.push_str(&self.file);
        for number in [self.line, self.column].into_iter().flatten() {
            said.push_str(&format!(":{number}"));
        }
        format!("{said}: {}", self.text)
    }
}

fn short(text: &str, most: usize) -> String {
    let mut cut: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(most + 1).collect();
    if cut.chars().count() > most {
        cut.pop();
        cut.push('…');
    }
    cut
}
