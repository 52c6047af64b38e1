//! The raw form: a profile or configuration file as TOML says it, every key optional.

use std::collections::BTreeMap;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer};

use super::error::{ConfigError, Item};
use super::place::{Place, Places};
use super::reach::Reach;
use super::resolved::{
    Base, IdSource, LogLimits, Matching, PhraseFactors, Scoring, TextLogLimits, UserSignal, WithoutServer,
};
use super::value;
use crate::one_or_many::one_or_many;
use crate::rule::UserRule;
use crate::verdict::{FailMode, Unasked};

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
    /// Custom rules, in order.
    pub(crate) rules: Vec<UserRule>,
    /// Where the keys of each rule stand.
    pub(crate) rule_places: Vec<Places>,
    /// What is wrong with single items, which are left out.
    pub(crate) faults: Vec<ConfigError>,
    /// Former names that it still uses, with what to write today.
    pub(crate) notes: Vec<String>,
    /// Where the profiles are named.
    pub(crate) profile_place: Option<Place>,
    /// Something of the list of profiles could not be read, which may have been a stricter one.
    pub(crate) profiles_doubtful: bool,
    /// How much of it counts.
    pub(crate) reach: Reach,
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
    /// The handler of another profile before which this one is asked.
    pub(crate) before: Option<String>,
    /// The handler of an extended profile that this one does the work of.
    pub(crate) instead_of: Option<String>,
    /// Step name, its check, and its settings.
    pub(crate) steps: Vec<(String, String, toml::Table)>,
    pub(crate) places: Places,
}

/// What a file wants different about a handler.
#[derive(Debug, Clone, Default)]
pub(crate) struct Change {
    pub(crate) enabled: Option<bool>,
    pub(crate) tools: Option<Vec<String>>,
    pub(crate) on_error: Option<FailMode>,
    pub(crate) steps: Vec<(String, toml::Table)>,
    /// Steps that are left out or put back, by name.
    pub(crate) enabled_steps: Vec<(String, bool)>,
    pub(crate) places: Places,
}

/// The plain keys of a file.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Keys {
    /// The profiles in the order in which their checks run: one name or a list.
    pub(crate) profile: Option<Names>,
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
    /// What becomes of a question where the host asks nobody: `deny` or `pass`.
    pub(crate) ask: Option<Unasked>,
    /// Where the session's identity is taken from, in order: `payload`, `client-env`, `wrapper-env`.
    pub(crate) session_ids: Option<Vec<IdSource>>,
    /// Names of main branches, in any case; the default branch of the remote `origin` is one as well.
    pub(crate) main_branches: Option<Vec<String>>,
    /// Names of MCP servers whose tools stand in for the host's own.
    #[serde(alias = "mcp_servers")]
    pub(crate) servers: Option<Vec<String>>,
    /// What becomes of the host's own tools where no such server is declared: `pass` or `refuse`.
    pub(crate) without_server: Option<WithoutServer>,
    /// Let the agent write the proof of work itself. The gated party then opens its own gate.
    pub(crate) agent_proof: Option<bool>,
    /// Let what the program that embeds the host sends as a prompt count as the user's word; counts in the user's own file only.
    pub(crate) sdk_prompts: Option<bool>,
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
    /// Where the registry of sessions lies; counts in the user's own file only.
    pub(crate) registry: RegistryKeys,
    /// What the profile lives on, one table each; for profiles.
    #[cfg_attr(feature = "schema", schemars(skip))]
    needs: Vec<IgnoredAny>,
    /// Handlers of one's own, one table each.
    #[cfg_attr(feature = "schema", schemars(skip))]
    handler: Option<IgnoredAny>,
    /// Custom rules, one table each.
    #[cfg_attr(feature = "schema", schemars(skip))]
    rule: Option<IgnoredAny>,
    /// What is different about handlers of the profiles, by handler name.
    #[cfg_attr(feature = "schema", schemars(skip))]
    change: Option<IgnoredAny>,
}

/// `profile = "a"` or `profile = ["a", "b"]`.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Names(
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::one_or_many::schema"))] pub(crate) Vec<String>,
);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        one_or_many(deserializer).map(Self)
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TextLogKeys {
    /// Largest file in bytes.
    pub(crate) max_bytes: Option<u64>,
    /// Lines kept when it is larger.
    pub(crate) keep_lines: Option<u32>,
}

/// Where the registry of sessions lies. It knows the sessions of every project, so it counts in the user's own file only; whoever reads
/// a project's file leaves it out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct RegistryKeys {
    /// The database, instead of `registry.db` in the user's state directory.
    pub path: Option<String>,
    /// The connection string of the server that `hookbin sync` sends to.
    pub url: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Reads a file's text. `file` is what messages call it. Nothing in a text makes this fail: what cannot be understood is among the
    /// [faults](Self::faults), and everything else holds.
    #[must_use]
    pub fn parse(file: &str, text: &str) -> Self {
        super::read::read(file, text)
    }

    /// The same file as far as its [`Reach`] goes.
    #[must_use]
    pub fn within(self, reach: Reach) -> Self {
        super::reach::limit(self, reach)
    }

    /// Former names of keys that the file still uses, each with its line and what to write today. They count.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What is wrong with single items of the file, which are left out.
    pub fn faults(&self) -> &[ConfigError] {
        &self.faults
    }

    /// The profiles that the file names, in order.
    pub fn profiles(&self) -> Option<&[String]> {
        self.keys.profile.as_ref().map(|names| names.0.as_slice())
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
    /// the user chose.
    pub fn salvage_profiles(text: &str) -> Option<Vec<String>> {
        #[derive(Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
}

/// Former names of keys and checks, which still count.
pub(super) const FORMER: [(&str, &str); 3] =
    [("fires", "should_match"), ("spares", "should_not_match"), ("card", "banner")];

/// What a check is called today.
fn today(name: &str) -> &str {
    FORMER.iter().find(|(former, _)| *former == name).map_or(name, |(_, today)| today)
}

impl RawHandler {
    pub(super) fn read(mut table: toml::Table, places: Places) -> Result<Self, ConfigError> {
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
            before: take(&mut table, "before")?,
            instead_of: take(&mut table, "instead_of")?,
            steps: Vec::new(),
            name,
            places,
        };
        let known = ["name", "on", "steps", "about", "layer", "tools", "on_error", "before", "instead_of"];
        for step in steps {
            let mut settings: toml::Table = match table.remove(&step) {
                Some(toml::Value::Table(settings)) => settings,
                Some(other) => value::read(other).map_err(|wrong| wrong.below(&step).told())?,
                None => toml::Table::new(),
            };
            let check = take(&mut settings, "check")?.unwrap_or_else(|| step.clone());
            handler.steps.push((today(&step).to_owned(), today(&check).to_owned(), settings));
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
    /// Reads what a file wants different about the handler called `name`. Each key stands alone.
    pub(super) fn read(name: &str, table: toml::Table, places: Places, faults: &mut Vec<ConfigError>) -> Self {
        let mut change = Self::default();
        let mut steps = Vec::new();
        let mut enabled_steps = Vec::new();
        for (key, value) in table {
            let mut only = toml::Table::from_iter([(key.clone(), value)]);
            let read = match key.as_str() {
                "enabled" => take(&mut only, &key).map(|enabled| change.enabled = enabled),
                "tools" => take(&mut only, &key).map(|tools| change.tools = tools),
                "on_error" => take(&mut only, &key).map(|on_error| change.on_error = on_error),
                _ => match only.remove(&key) {
                    Some(toml::Value::Table(mut settings)) => {
                        let enabled = take(&mut settings, "enabled");
                        let step = today(&key).to_owned();
                        steps.push((step.clone(), settings));
                        enabled.map(|enabled| enabled_steps.extend(enabled.map(|enabled| (step, enabled))))
                    }
                    _ => Err(ConfigError::unknown("key", &key, ["enabled", "tools", "on_error"])),
                },
            };
            if let Err(fault) = read {
                faults.push(fault.at(places.of(&[&key])).of(Item::Change, &format!("{name}.{key}")));
            }
        }
        Self { steps, enabled_steps, places, ..change }
    }
}

fn take<T: DeserializeOwned>(table: &mut toml::Table, key: &str) -> Result<Option<T>, ConfigError> {
    match table.remove(key) {
        None => Ok(None),
        Some(value) => value::read(value).map(Some).map_err(|wrong| wrong.below(key).told()),
    }
}
