//! Where the keys of a table stand.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, Lines};

/// Line and column, both from 1.
pub(crate) type Place = (usize, usize);

/// Where a table stands, and each of its keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Places {
    here: Place,
    keys: BTreeMap<String, Places>,
}

impl Places {
    pub(crate) fn new(here: Place, table: &DeTable<'_>, lines: &Lines<'_>) -> Self {
        let keys = table.iter().map(|(key, value)| {
            let here = lines.place(key.span().start);
            let places = match value.get_ref() {
                DeValue::Table(table) => Self::new(here, table, lines),
                _ => Self { here, keys: BTreeMap::new() },
            };
            (key.get_ref().to_string(), places)
        });
        Self { here, keys: keys.collect() }
    }

    /// The place of the key at the end of this way, or as near to it as the way goes.
    pub(crate) fn of(&self, way: &[&str]) -> Place {
        match way.split_first().and_then(|(first, rest)| Some((self.keys.get(*first)?, rest))) {
            Some((inner, rest)) => inner.of(rest),
            None => self.here,
        }
    }

    /// Whether the table has the key.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.keys.contains_key(key)
    }

    /// Gives a fault in the table at the end of `way` the place of the key that it is about, else that of the table.
    pub(crate) fn locate(&self, fault: ConfigError, way: &[&str]) -> ConfigError {
        let mut whole = way.to_vec();
        let key = fault.key.clone();
        whole.extend(key.as_deref());
        fault.at(self.of(&whole))
    }
}
