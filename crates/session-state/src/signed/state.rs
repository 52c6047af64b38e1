//! What the signed document holds: sections by name and key, each with its documented default.

use serde_json::{Map, Value};

use crate::document::VERSION;
use crate::error::Error;
use crate::id::SessionId;
use crate::section::breaker::Breaker;
use crate::section::sane::{OF_SESSION, SECTIONS, Section, default_value};
use crate::sign;

const SESSION: &str = "session";
const PARKED: &str = "parked";
const VERSION_KEY: &str = "version";

/// How many other sessions' sections are kept. With more, the session whose turn is longest ago starts again from the defaults,
/// which restrict it more and not less.
const MAX_PARKED: usize = 16;

/// The sections of the signed document.
///
/// Those that belong to a session (`requirements`, `research`, `edits`, `saneloop`, `enforcement`, `action_log`) are those of the
/// session that acted last; [`Self::enter`] puts them aside for another session and brings back its own.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    members: Map<String, Value>,
}

impl Default for State {
    fn default() -> Self {
        let mut members = Map::new();
        members.insert(VERSION_KEY.to_owned(), VERSION.into());
        Self { members }
    }
}

impl State {
    /// What holds where nothing can be believed: the breaker is tripped until a user resets it, all else begins again.
    pub(crate) fn distrusted(why: &str) -> Self {
        let mut state = Self::default();
        // The section is a plain object, so this cannot fail.
        let _ = state.put(&Breaker::unknown(why));
        state
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut members: Map<String, Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        for name in sign::MEMBERS {
            members.remove(name);
        }
        Ok(Self { members })
    }

    /// The whole document as JSON, on one line, without its signature.
    pub fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string(&self.members).map_err(|error| wrong("state.json", &error.to_string()))
    }

    /// The version that wrote it.
    pub fn version(&self) -> u64 {
        self.members.get(VERSION_KEY).and_then(Value::as_u64).unwrap_or(VERSION)
    }

    /// The session whose sections are in front.
    pub fn session(&self) -> Option<&str> {
        self.members.get(SESSION).and_then(Value::as_str)
    }

    /// Brings this session's sections to the front. Those of the session before are kept.
    pub fn enter(&mut self, session: &SessionId) {
        let current = self.session().map(str::to_owned);
        if current.as_deref() == Some(session.as_str()) {
            return;
        }
        let mut parked = match self.members.remove(PARKED) {
            Some(Value::Object(parked)) => parked,
            _ => Map::new(),
        };
        let own = |members: &mut Map<String, Value>| -> Map<String, Value> {
            OF_SESSION.iter().filter_map(|name| Some(((*name).to_owned(), members.remove(*name)?))).collect()
        };
        let old = own(&mut self.members);
        if let Some(current) = current.filter(|_| !old.is_empty()) {
            let newest = parked.values().filter_map(turn).max().unwrap_or(0);
            let mut old = old;
            old.insert(TURN.to_owned(), (newest + 1).into());
            parked.insert(current, Value::Object(old));
        }
        if let Some(Value::Object(mut mine)) = parked.remove(session.as_str()) {
            self.members.extend(own(&mut mine));
        }
        while parked.len() > MAX_PARKED {
            let oldest = parked.iter().min_by_key(|(_, value)| turn(value)).map(|(name, _)| name.clone());
            let Some(oldest) = oldest else { break };
            parked.remove(&oldest);
        }
        if !parked.is_empty() {
            self.members.insert(PARKED.to_owned(), Value::Object(parked));
        }
        self.members.insert(SESSION.to_owned(), session.as_str().into());
    }

    /// Begins the sections of the session in front again.
    pub fn begin_session(&mut self) {
        for name in OF_SESSION {
            self.members.remove(name);
        }
    }

    /// The section names in the document and all known ones.
    pub fn section_names(&self) -> impl Iterator<Item = &str> {
        let stored = self.members.keys().map(String::as_str);
        let own = |name: &&str| ![VERSION_KEY, SESSION, PARKED].contains(name) && !SECTIONS.contains(name);
        SECTIONS.iter().copied().chain(stored.filter(own))
    }

    /// The value of `key` in `section`, stored or by default. In a list the key is a number, counted from 0.
    pub fn get(&self, section: &str, key: &str) -> Option<Value> {
        let of = |value: &Value| match value {
            Value::Array(list) => list.get(key.parse::<usize>().ok()?).cloned(),
            value => value.get(key).cloned(),
        };
        self.members.get(section).and_then(of).or_else(|| of(&default_value(section)?))
    }

    /// Sets `key` in `section`; for a list as [`Self::get`] counts, at most one behind its end.
    pub fn set(&mut self, section: &str, key: &str, value: Value) -> Result<(), Error> {
        let mut done = false;
        self.update(section, |stored| {
            done = match stored {
                Value::Object(members) => {
                    members.insert(key.to_owned(), value);
                    true
                }
                Value::Array(list) => match key.parse::<usize>() {
                    Ok(at) if at < list.len() => {
                        list.splice(at..=at, [value]);
                        true
                    }
                    Ok(at) if at == list.len() => {
                        list.push(value);
                        true
                    }
                    _ => false,
                },
                _ => false,
            };
        })?;
        if done { Ok(()) } else { Err(wrong(section, &format!("it has no place {key}"))) }
    }

    /// Changes a whole section in place.
    pub fn update(&mut self, section: &str, change: impl FnOnce(&mut Value)) -> Result<(), Error> {
        let default = default_value(section).ok_or_else(|| wrong(section, "there is no such section"))?;
        change(self.members.entry(section).or_insert(default));
        Ok(())
    }

    /// Puts a section back to its documented default.
    pub fn reset(&mut self, section: &str) -> Result<(), Error> {
        default_value(section).ok_or_else(|| wrong(section, "there is no such section"))?;
        self.members.remove(section);
        Ok(())
    }

    /// A section by its type. Members that are missing have their defaults; one of a wrong type is an error, and stays as it is.
    pub fn section<T: Section>(&self) -> Result<T, Error> {
        let Some(value) = self.members.get(T::NAME) else { return Ok(T::default()) };
        T::deserialize(value).map_err(|error| wrong(T::NAME, &error.to_string()))
    }

    /// Stores a section.
    pub fn put<T: Section>(&mut self, section: &T) -> Result<(), Error> {
        let value = serde_json::to_value(section).map_err(|error| wrong(T::NAME, &error.to_string()))?;
        self.members.insert(T::NAME.to_owned(), value);
        Ok(())
    }
}

/// Beside a parked session's sections: the higher, the later it acted.
const TURN: &str = "turn";

fn turn(parked: &Value) -> Option<u64> {
    parked.get(TURN)?.as_u64()
}

fn wrong(section: &str, reason: &str) -> Error {
    Error::Section { name: section.to_owned(), reason: reason.to_owned() }
}
