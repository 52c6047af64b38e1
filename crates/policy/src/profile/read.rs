//! From a text to its items, each by itself: what is wrong with one leaves every other one in force.

use std::collections::BTreeMap;

use serde::{Deserialize, de};
use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue, Deserializer, ValueDeserializer};

use super::error::{ConfigError, Item, Lines};
use super::place::Places;
use super::raw::{Change, FORMER, Keys, RawHandler, RawProfile};
use super::recover::{Lost, clean};
use super::value::{Wrong, read as read_value};
use crate::rule::{UserRule, pattern};

type Key<'t> = Spanned<DeString<'t>>;
type Value<'t> = Spanned<DeValue<'t>>;

/// Tables of which each key is a setting of its own.
const SECTIONS: &[&str] = &["log", "text_log", "complexity", "registry", "fallback"];

pub(super) fn read(file: &str, text: &str) -> RawProfile {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = Lines::of(text);
    let mut reader =
        Reader { raw: RawProfile::default(), good: DeTable::new(), lines: &lines, halved: BTreeMap::new(), steps: 0 };
    let cleaned;
    let root = if let Ok(root) = DeTable::parse(text) {
        root
    } else {
        cleaned = clean(text, &lines);
        let (root, twice) = DeTable::parse_recoverable(&cleaned.text);
        cleaned.lost.into_iter().for_each(|lost| reader.lose(lost));
        reader.twice(&cleaned.text, &twice);
        root
    };
    for (key, value) in root.into_inner() {
        reader.item(key, value);
    }
    let mut raw = reader.finish();
    if raw.keys.profile.is_none() && raw.profiles_doubtful {
        raw.keys.profile = RawProfile::salvage_profiles(text).map(super::raw::Names);
    }
    file.clone_into(&mut raw.file);
    for fault in &mut raw.faults {
        file.clone_into(&mut fault.file);
    }
    raw.faults.sort_by_key(|fault| (fault.line, fault.column));
    raw
}

struct Reader<'t, 'l> {
    raw: RawProfile,
    /// Keys and sections that are understood.
    good: DeTable<'t>,
    lines: &'l Lines<'l>,
    /// Rules and handlers that have lost a part, by where they begin, with the first fault of each.
    halved: BTreeMap<usize, ConfigError>,
    /// What compiling the patterns of the rules takes so far.
    steps: u64,
}

impl<'t> Reader<'t, '_> {
    /// Keys that are there twice: the first one holds.
    fn twice(&mut self, text: &str, errors: &[toml::de::Error]) {
        let holders = if errors.is_empty() { Vec::new() } else { holders(text) };
        for error in errors {
            let span = error.span().unwrap_or_default();
            let name = text.get(span.clone()).unwrap_or_default();
            let said = match error.message() {
                "duplicate key" => format!("`{name}` is there twice; the first one holds"),
                _ => format!("`{name}` cannot stand here: {}", error.message()),
            };
            let fault = ConfigError::new(said).at(self.lines.place(span.start));
            // What a rule or handler says twice it says clearly enough in neither place.
            let before = holders.partition_point(|(header, _)| *header <= span.start).checked_sub(1);
            let within = before.and_then(|before| holders.get(before)?.1);
            self.lose(Lost { fault: fault.of(Item::Setting, name), within });
        }
    }

    fn lose(&mut self, lost: Lost) {
        match lost.within {
            Some(within) => drop(self.halved.entry(within).or_insert(lost.fault)),
            None => self.raw.faults.push(lost.fault),
        }
    }

    fn fault(&mut self, fault: ConfigError, key: &Key<'t>, item: Item, name: &str) {
        let place = self.lines.place(key.span().start);
        self.raw.faults.push(fault.at(place).of(item, name));
    }

    fn item(&mut self, key: Key<'t>, value: Value<'t>) {
        let name = key.get_ref().to_string();
        match (name.as_str(), value.get_ref()) {
            ("rule" | "handler", DeValue::Array(tables)) => {
                for table in tables {
                    self.part(&name, &key, table);
                }
            }
            ("rule" | "handler", _) => {
                let fault = ConfigError::new(format!("`{name}` is a list of tables; write `[[{name}]]`"));
                let item = if name == "rule" { Item::Rule } else { Item::Handler };
                let id = value
                    .get_ref()
                    .get(if name == "rule" { "id" } else { "name" })
                    .and_then(|id| id.get_ref().as_str());
                let id = id.unwrap_or_default().to_owned();
                self.fault(fault, &key, item, &id);
            }
            ("change", DeValue::Table(changes)) => {
                for (name, change) in changes {
                    self.change(name, change);
                }
            }
            // What is no table changes nothing.
            ("change", value) => {
                let fault = format!("`change`: invalid type: {}, expected a table", value.type_str());
                self.fault(ConfigError::new(fault), &key, Item::Change, "");
            }
            (section, DeValue::Table(table)) if SECTIONS.contains(&section) => self.section(&key, value.span(), table),
            _ => self.setting(key, value),
        }
    }

    /// A key that stands by itself.
    fn setting(&mut self, key: Key<'t>, value: Value<'t>) {
        let name = key.get_ref().to_string();
        let place = self.lines.place(key.span().start);
        match keys(DeTable::from_iter([(key.clone(), value.clone())])) {
            Ok(read) if name == "profile" => {
                self.raw.profile_place = Some(place);
                if read.profile.is_some_and(|names| names.0.is_empty()) {
                    let fault = ConfigError::new("`profile` names none; leave the line out for the default");
                    self.fault(fault, &key, Item::Profile, "");
                } else {
                    self.good.insert(key, value);
                }
            }
            Ok(_) => drop(self.good.insert(key, value)),
            Err(wrong) => {
                let item = if name == "profile" { Item::Profile } else { Item::Setting };
                self.raw.profiles_doubtful |= name == "profile";
                self.fault(wrong.told(), &key, item, &name);
            }
        }
    }

    /// The keys of a section, one by one.
    fn section(&mut self, section: &Key<'t>, span: std::ops::Range<usize>, table: &DeTable<'t>) {
        let alone = |key: &Key<'t>, value: &Value<'t>| {
            let inner = DeTable::from_iter([(key.clone(), value.clone())]);
            keys(DeTable::from_iter([(section.clone(), Spanned::new(span.clone(), DeValue::Table(inner)))]))
        };
        let mut good = DeTable::new();
        for (key, value) in table {
            let name = format!("{}.{}", section.get_ref(), key.get_ref());
            // Each table of a list is an item as well.
            if let ("signal", DeValue::Array(signals)) = (key.get_ref().as_ref(), value.get_ref()) {
                let mut kept = DeArray::new();
                for signal in signals {
                    let one = Spanned::new(value.span(), DeValue::Array([signal.clone()].into_iter().collect()));
                    match alone(key, &one) {
                        Ok(_) => kept.push(signal.clone()),
                        Err(wrong) => {
                            let at = place_in(signal, wrong.keys().last().copied().unwrap_or_default());
                            self.fault(wrong.told().at(self.lines.place(at)), key, Item::Setting, &name);
                        }
                    }
                }
                good.insert(key.clone(), Spanned::new(value.span(), DeValue::Array(kept)));
                continue;
            }
            match alone(key, value) {
                Ok(_) => drop(good.insert(key.clone(), value.clone())),
                Err(wrong) => self.fault(wrong.told(), key, Item::Setting, &name),
            }
        }
        self.good.insert(section.clone(), Spanned::new(span, DeValue::Table(good)));
    }

    /// A rule or a handler. It holds as a whole or not at all: what it would be without one of its keys nobody knows.
    fn part(&mut self, kind: &str, key: &Key<'t>, value: &Value<'t>) {
        let is_rule = kind == "rule";
        let item = if is_rule { Item::Rule } else { Item::Handler };
        let DeValue::Table(table) = value.get_ref() else {
            let fault = ConfigError::new(format!("`{kind}` is a list of tables; write `[[{kind}]]`"));
            return self.fault(fault.at(self.lines.place(value.span().start)), key, item, "");
        };
        let name = table.get(if is_rule { "id" } else { "name" }).and_then(|name| name.get_ref().as_str());
        let name = name.unwrap_or_default().to_owned();
        let places = Places::new(self.lines.place(value.span().start), table, self.lines);
        if let Some(fault) = self.halved.remove(&value.span().start) {
            return self.raw.faults.push(fault.of(item, &name));
        }
        self.note_former(&places);
        let read = if is_rule { self.rule(value, &places) } else { self.handler(value, &places) };
        if let Err(fault) = read {
            self.raw.faults.push(places.locate(fault, &[]).of(item, &name));
        }
    }

    /// Notes keys that go by a former name.
    fn note_former(&mut self, places: &Places) {
        for (former, today) in FORMER.into_iter().filter(|(former, _)| places.has(former)) {
            let line = places.of(&[former]).0;
            self.raw.notes.push(format!("line {line}: `{former}` is called `{today}` now"));
        }
    }

    fn rule(&mut self, value: &Value<'t>, places: &Places) -> Result<(), ConfigError> {
        let mut rule: UserRule = read_value(plain(value)?.into()).map_err(|wrong| {
            let place = places.of(&wrong.keys());
            wrong.told().at(place)
        })?;
        rule.line = places.of(&[]).0;
        rule.required_literals = rule.matches.as_deref().map(crate::rule::required_literals).unwrap_or_default();
        self.afford(&rule).map_err(|(key, fault)| ConfigError::new(fault).at(places.of(&[key])))?;
        if let Some((key, fault)) = rule.fault() {
            return Err(ConfigError::new(fault).at(places.of(&[key])));
        }
        self.raw.rules.push(rule);
        self.raw.rule_places.push(places.clone());
        Ok(())
    }

    /// Counts what the patterns of a rule take, before anything compiles them.
    fn afford(&mut self, rule: &UserRule) -> Result<(), (&'static str, String)> {
        // One without a text that has to stand there is compiled by every call of its event.
        let every = if rule.required_literals.is_empty() { pattern::EACH } else { 0 };
        let matches = rule.matches.as_deref().map_or(0, |matches| pattern::steps(matches).saturating_add(every));
        for (key, steps) in [("matches", matches), ("tool", pattern::steps(&rule.tool))] {
            let steps = self.steps.saturating_add(steps);
            if steps > pattern::STEPS {
                let said =
                    "the patterns of this file take too long to compile with it; make it or those before it smaller";
                return Err((key, format!("`{key}` of rule `{}` is too much: {said}", rule.id)));
            }
            self.steps = steps;
        }
        Ok(())
    }

    fn handler(&mut self, value: &Value<'t>, places: &Places) -> Result<(), ConfigError> {
        let handler = RawHandler::read(plain(value)?, places.clone())?;
        self.raw.handlers.push(handler);
        Ok(())
    }

    fn change(&mut self, key: &Key<'t>, value: &Value<'t>) {
        let name = key.get_ref().to_string();
        let place = self.lines.place(key.span().start);
        let DeValue::Table(table) = value.get_ref() else {
            let fault = ConfigError::new(format!("`change.{name}` is a table; write `[change.{name}]`"));
            return self.fault(fault, key, Item::Change, &name);
        };
        let places = Places::new(place, table, self.lines);
        match plain(value) {
            Ok(table) => {
                self.note_former(&places);
                let change = Change::read(&name, table, places, &mut self.raw.faults);
                self.raw.changes.push((name, change));
            }
            Err(fault) => self.fault(fault, key, Item::Change, &name),
        }
    }

    fn finish(mut self) -> RawProfile {
        self.raw.faults.extend(self.halved.into_values());
        for fault in &mut self.raw.faults {
            if fault.item == Item::Setting && fault.name == "profile" {
                self.raw.profile_place = fault.line.zip(fault.column);
                self.raw.profiles_doubtful = true;
                fault.item = Item::Profile;
            }
        }
        match keys(self.good) {
            Ok(keys) => self.raw.keys = keys,
            // Each key was read by itself before.
            Err(wrong) => self.raw.faults.push(wrong.told()),
        }
        self.raw
    }
}

fn keys(table: DeTable<'_>) -> Result<Keys, Wrong> {
    let table = toml::Table::deserialize(Deserializer::from(Spanned::new(0..0, table)));
    read_value(table.map_err(de::Error::custom)?.into())
}

/// A table without places.
fn plain(value: &Value<'_>) -> Result<toml::Table, ConfigError> {
    toml::Table::deserialize(ValueDeserializer::from(value.clone())).map_err(|error| ConfigError::new(error.message()))
}

/// Where a key of a table stands, else the table.
fn place_in(table: &Value<'_>, key: &str) -> usize {
    let mut keys = table.get_ref().as_table().into_iter().flat_map(|table| table.keys());
    keys.find(|known| known.get_ref() == key).map_or(table.span().start, |key| key.span().start)
}

/// Where each header of a text stands, and where the rule or handler begins that it belongs to.
fn holders(text: &str) -> Vec<(usize, Option<usize>)> {
    let mut at = 0;
    let mut item: Option<(usize, &str)> = None;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        let begin = line.trim_start_matches([' ', '\t']);
        if begin.starts_with('[') {
            let here = at + (line.len() - begin.len());
            let name = begin.trim_start_matches('[').split(']').next().unwrap_or_default().trim();
            let (root, is_part) = name.split_once('.').map_or((name, false), |(root, _)| (root.trim(), true));
            if !is_part {
                item = (begin.starts_with("[[") && matches!(root, "rule" | "handler")).then_some((here, root));
            } else if item.is_some_and(|(_, of)| of != root) {
                item = None;
            }
            found.push((here, item.map(|(at, _)| at)));
        }
        at += line.len();
    }
    found
}
