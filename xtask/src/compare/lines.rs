//! Command lines: those that files hold, and those that are made from them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use toml::Value;

/// Every string of test data, wherever it stands.
pub(super) fn of_data(path: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    let table: toml::Table = toml::from_str(&text).with_context(|| format!("{} is no TOML", path.display()))?;
    let mut found = Vec::new();
    let mut open = vec![Value::Table(table)];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => found.push(text),
            Value::Array(values) => open.extend(values.into_iter().rev()),
            Value::Table(values) => open.extend(values.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    found.retain(|line| !line.trim().is_empty());
    Ok(found)
}

/// Every code span of a page that lies on one line.
pub(super) fn of_page(path: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    let spans = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    // In a table a bar has its escape.
    Ok(spans.filter(|span| !span.trim().is_empty()).map(|span| span.replace("\\|", "|")).collect())
}

/// As many lines as asked for, each made from one or two commands by a few changes as people and agents make them.
pub(super) fn made(commands: &[String], count: usize, seed: u64) -> Vec<String> {
    let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    if commands.is_empty() {
        return Vec::new();
    }
    (0..count)
        .map(|_| {
            let mut line = chance.of(commands).cloned().unwrap_or_default();
            for _ in 0..=chance.below(3) {
                let other = chance.of(commands).cloned().unwrap_or_default();
                line = changed(&line, &other, &mut chance);
            }
            // What is long is no line that anybody wrote, and would take the time of many.
            line.chars().take(2000).collect()
        })
        .collect()
}

/// Words in front of a command that start it or leave it as it is.
const PREFIXES: &[&str] = &[
    "sudo", "env A=1", "A=1", "timeout 5", "nice -n 5", "nohup", "time", "command", "exec", "xargs", "xargs -n1",
    "npx", "uv run", "docker exec c", "ssh host", "cd /tmp &&", "cd .. &&", "if true; then :; fi;", "!",
    "/usr/bin/env", "stdbuf -oL", "doas",
];
/// What joins two commands.
const JOINTS: &[&str] = &["; ", " && ", " || ", " | ", " & ", "\n", " > ", " < "];

fn changed(line: &str, other: &str, chance: &mut Chance) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let theirs: Vec<String> = other.split(' ').map(str::to_owned).collect();
    let at = chance.below(words.len());
    let word = chance.of(&theirs).cloned().unwrap_or_default();
    let choice = chance.below(14);
    // What makes another number of words, or no words at all.
    match choice {
        0 => {
            words.remove(at);
        }
        1 => words.insert(at, word),
        2 => words.push(word),
        3 => words.swap(0, at),
        4 => return format!("{} {line}", chance.of(PREFIXES).unwrap_or(&"")),
        5 => return format!("{line}{}{other}", chance.of(JOINTS).unwrap_or(&"; ")),
        6 => return format!("bash -c '{}'", line.replace('\'', "'\\''")),
        7 => return format!("x=$({line}); echo \"$x\""),
        _ => {
            if let Some(place) = words.get_mut(at) {
                *place = match choice {
                    8 | 9 => word,
                    10 => format!("\"{place}\""),
                    11 => place.to_ascii_uppercase(),
                    12 => format!("/usr/bin/{place}"),
                    // An option joined to its value, or taken from it.
                    _ => match place.split_once('=') {
                        Some((name, value)) => format!("{name} {value}"),
                        None => format!("{place}={word}"),
                    },
                };
            }
        }
    }
    words.join(" ")
}

/// Numbers that look random and are the same each time: xorshift, as Marsaglia published it.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit.max(1)
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        let at = self.below(list.len());
        list.get(at)
    }
}
