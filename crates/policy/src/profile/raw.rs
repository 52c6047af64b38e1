//! The raw form: a profile or configuration file as TOML says it, every key optional.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::error::{ConfigError, Lines};
use super::resolved::{Base, IdSource, LogLimits, Matching, PhraseFactors, Scoring, TextLogLimits, UserSignal};
use crate::one_or_many::one_or_many;
use crate::rule::UserRule;
use crate::verdict::FailMode;

/// One file: a built-in profile, a user's or a project's configuration. All have the same keys.
#[derive(Debug, Clone, Default)]
pub struct RawProfile {
    /// Where it came from, for messages.
    pub file: String,
    /// What the file says.
    pub(crate) keys: Keys,
    /// Handlers in order.
    pub(crate) handlers: Vec<RawHandler>,
    /// Changes to handlers of other files, by handler name.
    pub(crate) changes: Vec<(String, Change)>,
    /// The person's own rules, in order.
    pub(crate) rules: Vec<UserRule>,
    /// What is wrong with single rules, which are left out.
    pub(crate) faults: Vec<ConfigError>,
    /// The line that names the profiles.
    pub(crate) profile_line: Option<usize>,
}

/// A handler before its settings are understood.
#[derive(Debug, Clone)]
pub struct RawHandler {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) layer: String,
    pub(crate) on: Vec<String>,
    pub(crate) tools: Vec<String>,
    pub(crate) on_error: Option<FailMode>,
    /// Step name, its check, and its settings.
    pub(crate) steps: Vec<(String, String, toml::Table)>,
    pub(crate) line: usize,
}

/// What a file wants different about a handler.
#[derive(Debug, Clone, Default)]
pub(crate) struct Change {
    pub(crate) enabled: Option<bool>,
    pub(crate) tools: Option<Vec<String>>,
    pub(crate) on_error: Option<FailMode>,
    pub(crate) steps: Vec<(String, toml::Table)>,
    pub(crate) line: usize,
}

/// The plain keys of a file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Keys {
    /// The profiles in the order in which their checks run: one name or a list.
    pub(crate) profile: Option<Spanned<Names>>,
    /// The version that the file is written for, all of it or its first numbers; `doctor` compares.
    pub(crate) hookbin: Option<String>,
    /// The profile's own name; for profiles, not for configuration.
    pub(crate) name: Option<String>,
    /// The document that the profile implements; for profiles.
    pub(crate) document: Option<String>,
    /// What the profile is for, in one line; for profiles.
    pub(crate) about: Option<String>,
    /// Profiles that this one builds on; for profiles.
    pub(crate) extends: Vec<String>,
    /// What PreToolUse answers to a payload that cannot be read: `none`, `ask` or `deny`.
    pub(crate) on_unreadable: Option<FailMode>,
    /// The reason given then.
    pub(crate) unreadable_reason: Option<String>,
    /// Where the session's identity is taken from, in order: `payload`, `client-env`, `wrapper-env`.
    pub(crate) session_ids: Option<Vec<IdSource>>,
    /// Names of main branches, in any case; the default branch of the remote `origin` is one as well.
    pub(crate) main_branches: Option<Vec<String>>,
    /// MCP servers that a card names when the project declares none.
    pub(crate) mcp_servers: Option<Vec<String>>,
    /// Let the agent write the proof of work itself. The gated party then opens its own gate.
    pub(crate) agent_proof: Option<bool>,
    /// Write what goes wrong inside a run to stderr as well.
    pub(crate) errors_to_stderr: Option<bool>,
    /// What the model is told where an event could not be answered, by event name.
    pub(crate) fallback: BTreeMap<String, String>,
    /// Bounds of the audit log.
    pub(crate) log: LogKeys,
    /// Bounds of each text log.
    pub(crate) text_log: TextLogKeys,
    /// How prompts are scored.
    pub(crate) complexity: ScoringKeys,
    /// Where the registry of sessions lies; counts in the person's own file only.
    pub(crate) registry: RegistryKeys,
    /// Handlers of one's own, one table each.
    handler: Vec<Spanned<toml::Table>>,
    /// Rules of one's own, one table each.
    rule: Vec<Spanned<toml::Table>>,
    /// What is different about handlers of the profiles, by handler name.
    change: BTreeMap<Spanned<String>, toml::Table>,
}

/// `profile = "a"` or `profile = ["a", "b"]`.
#[derive(Debug, Clone)]
pub(crate) struct Names(pub(crate) Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        one_or_many(deserializer).map(Self)
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LogKeys {
    /// Largest file in bytes; a larger one is rotated.
    pub(crate) max_bytes: Option<u64>,
    /// Old files that are kept.
    pub(crate) keep: Option<u32>,
    /// Bound of all files together in bytes.
    pub(crate) total_max_bytes: Option<u64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TextLogKeys {
    /// Largest file in bytes.
    pub(crate) max_bytes: Option<u64>,
    /// Lines kept when it is larger.
    pub(crate) keep_lines: Option<u32>,
}

/// Where the registry of sessions lies. It knows the sessions of every project, so it counts in the person's own file only; whoever reads
/// a project's file leaves it out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RegistryKeys {
    /// The database, instead of `registry.db` in the person's state folder.
    pub path: Option<String>,
    /// The connection string of the server that `hookbin sync` sends to.
    pub url: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ScoringKeys {
    /// How the two phrase factors join: `multiply` or `replace`.
    phrase_factors: Option<PhraseFactors>,
    /// How the length becomes the base: `real` or `floor`.
    base: Option<Base>,
    /// How the words of signals are matched: `words` or `raw`.
    matching: Option<Matching>,
    /// Count features of the text beside its words.
    features: Option<bool>,
    /// A short approval takes over the score of the prompt before it.
    inherit: Option<bool>,
    /// Signals of one's own, one table each: `id`, `title`, `score`, and `any_of` or `regex`.
    signal: Vec<UserSignal>,
}

impl ScoringKeys {
    /// Single settings replace those below; signals add up.
    pub(crate) fn over(&self, under: &mut Scoring) {
        under.phrase_factors = self.phrase_factors.unwrap_or(under.phrase_factors);
        under.base = self.base.unwrap_or(under.base);
        under.matching = self.matching.unwrap_or(under.matching);
        under.features = self.features.unwrap_or(under.features);
        under.inherit = self.inherit.unwrap_or(under.inherit);
        under.signal.extend(self.signal.iter().cloned());
    }
}

impl LogKeys {
    pub(crate) fn over(&self, under: LogLimits) -> LogLimits {
        LogLimits {
            max_bytes: self.max_bytes.unwrap_or(under.max_bytes),
            keep: self.keep.unwrap_or(under.keep),
            total_max_bytes: self.total_max_bytes.unwrap_or(under.total_max_bytes),
        }
    }
}

impl TextLogKeys {
    pub(crate) fn over(&self, under: TextLogLimits) -> TextLogLimits {
        TextLogLimits {
            max_bytes: self.max_bytes.unwrap_or(under.max_bytes),
            keep_lines: self.keep_lines.unwrap_or(under.keep_lines),
        }
    }
}

impl RawProfile {
    /// Reads a file's text. `file` is what messages call it.
    pub fn parse(file: &str, text: &str) -> Result<Self, ConfigError> {
        Self::read(file, text).map_err(|error| error.in_file(file))
    }

    /// The profiles that the file names, in order.
    pub fn profiles(&self) -> Option<&[String]> {
        self.keys.profile.as_ref().map(|names| names.as_ref().0.as_slice())
    }

    /// The version of hookbin that the file is written for: all of it, or as many of its numbers as matter. Nothing here depends
    /// on it; it lets a check of an installation say that a clone has another one.
    pub fn expected_version(&self) -> Option<&str> {
        self.keys.hookbin.as_deref()
    }

    /// Where the registry of sessions lies, as far as the file says.
    pub fn registry(&self) -> &RegistryKeys {
        &self.keys.registry
    }

    /// The document that the profile implements.
    pub fn document(&self) -> Option<&str> {
        self.keys.document.as_deref()
    }

    /// The rules that the file holds, with their examples.
    pub fn rules(&self) -> &[UserRule] {
        &self.rules
    }

    /// What the profile is for, in one line.
    pub fn about(&self) -> Option<&str> {
        self.keys.about.as_deref()
    }

    /// The profiles that a file names although the rest of it cannot be read: what the first `profile` before any table is set to, read
    /// by itself if that can be done, else whatever stands in quotes there. A broken file must not put another profile in force than
    /// the person chose.
    pub fn salvage_profiles(text: &str) -> Option<Vec<String>> {
        #[derive(Deserialize)]
        struct Only {
            profile: Names,
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let is_profile = |line: &str| {
            line.trim_start().strip_prefix("profile").is_some_and(|rest| rest.trim_start().starts_with('='))
        };
        let lines: Vec<&str> = text.lines().take_while(|line| !line.trim_start().starts_with('[')).collect();
        lines.iter().enumerate().filter(|(_, line)| is_profile(line)).find_map(|(at, line)| {
            let rest = lines.get(at..)?;
            // A list may go on over several lines, up to its bracket.
            let open = line.contains('[');
            let end = rest.iter().position(|line| !open || line.contains(']')).unwrap_or(0);
            let entry = rest.get(..=end)?.join("\n");
            let read = toml::from_str::<Only>(&entry).ok().map(|only| only.profile.0);
            let quoted = || entry.split(['"', '\'']).skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
            read.or_else(|| Some(quoted())).filter(|names| !names.is_empty())
        })
    }

    fn read(file: &str, text: &str) -> Result<Self, ConfigError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut keys: Keys = toml::from_str(text).map_err(|error| ConfigError::toml(text, &error))?;
        let lines = Lines::of(text);
        let profile_line = keys.profile.as_ref().map(|names| lines.line(names.span().start));
        if keys.profile.as_ref().is_some_and(|names| names.as_ref().0.is_empty()) {
            let fault = ConfigError::new("`profile` names none; leave the line out for the default");
            return Err(fault.at(profile_line.unwrap_or(1)));
        }
        let mut handlers = Vec::new();
        for table in std::mem::take(&mut keys.handler) {
            let from = table.span().start;
            let line = lines.line(from);
            let handler = RawHandler::read(table.into_inner(), line).map_err(|error| place(error, text, from, line))?;
            handlers.push(handler);
        }
        let mut changes = Vec::new();
        for (name, table) in std::mem::take(&mut keys.change) {
            let from = name.span().start;
            let line = lines.line(from);
            let change = Change::read(table, line).map_err(|error| place(error, text, from, line))?;
            changes.push((name.into_inner(), change));
        }
        let mut rules = Vec::new();
        let mut faults = Vec::new();
        for table in std::mem::take(&mut keys.rule) {
            let from = table.span().start;
            let line = lines.line(from);
            match read_rule(table.into_inner(), line) {
                Ok(rule) => rules.push(rule),
                Err(error) => faults.push(place(error, text, from, line).in_file(file)),
            }
        }
        Ok(Self { file: file.to_owned(), keys, handlers, changes, rules, faults, profile_line })
    }
}

fn read_rule(table: toml::Table, line: usize) -> Result<UserRule, ConfigError> {
    let name = table.get("id").and_then(toml::Value::as_str).unwrap_or("without an id").to_owned();
    let mut rule: UserRule =
        toml::Value::Table(table).try_into().map_err(|error| ConfigError::settings(&format!("rule {name}"), &error))?;
    rule.line = line;
    rule.gate = rule.matches.as_deref().map(crate::rule::gate).unwrap_or_default();
    match rule.fault() {
        None => Ok(rule),
        Some(fault) => Err(ConfigError::new(fault)),
    }
}

/// Gives a fault in a table its line: that of the wrong key if it can be found after the table's start, else the table's own.
fn place(error: ConfigError, text: &str, from: usize, line: usize) -> ConfigError {
    let found = error.key().and_then(|key| {
        let rest = text.get(from..)?;
        let offset = rest.lines().position(|candidate| {
            candidate.trim_start().strip_prefix(key).is_some_and(|after| after.trim_start().starts_with('='))
        })?;
        Some(line + offset)
    });
    error.at(found.unwrap_or(line))
}

impl RawHandler {
    fn read(mut table: toml::Table, line: usize) -> Result<Self, ConfigError> {
        let name = take::<String>(&mut table, "name")?.ok_or_else(|| ConfigError::new("a handler needs a `name`"))?;
        let on = take(&mut table, "on")?
            .ok_or_else(|| ConfigError::new(format!("handler `{name}` needs `on`, a list of events")))?;
        let steps: Vec<String> = take(&mut table, "steps")?
            .ok_or_else(|| ConfigError::new(format!("handler `{name}` needs `steps`, a list of checks")))?;
        let mut handler = Self {
            on,
            about: take(&mut table, "about")?.unwrap_or_default(),
            layer: take(&mut table, "layer")?.unwrap_or_default(),
            tools: take(&mut table, "tools")?.unwrap_or_default(),
            on_error: take(&mut table, "on_error")?,
            steps: Vec::new(),
            name,
            line,
        };
        let known = ["name", "on", "steps", "about", "layer", "tools", "on_error"];
        for step in steps {
            let mut settings: toml::Table = take(&mut table, &step)?.unwrap_or_default();
            let check = take(&mut settings, "check")?.unwrap_or_else(|| step.clone());
            handler.steps.push((step, check, settings));
        }
        match table.keys().next() {
            None => Ok(handler),
            Some(extra) => {
                let steps = handler.steps.iter().map(|(step, _, _)| step.as_str());
                Err(ConfigError::unknown("key", extra, known.into_iter().chain(steps)))
            }
        }
    }
}

impl Change {
    fn read(mut table: toml::Table, line: usize) -> Result<Self, ConfigError> {
        let enabled = take(&mut table, "enabled")?;
        let tools = take(&mut table, "tools")?;
        let on_error = take(&mut table, "on_error")?;
        let mut steps = Vec::new();
        for (step, settings) in table {
            match settings {
                toml::Value::Table(settings) => steps.push((step, settings)),
                _ => return Err(ConfigError::unknown("key", &step, ["enabled", "tools", "on_error"])),
            }
        }
        Ok(Self { enabled, tools, on_error, steps, line })
    }
}

fn take<'de, T: Deserialize<'de>>(table: &mut toml::Table, key: &str) -> Result<Option<T>, ConfigError> {
    match table.remove(key) {
        None => Ok(None),
        Some(value) => value.try_into().map(Some).map_err(|error: toml::de::Error| ConfigError::of_key(key, &error)),
    }
}
