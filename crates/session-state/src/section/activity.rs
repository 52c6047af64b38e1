//! What a session has done: how many calls, which files, the last call, when it began and ended.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::json::{self, Key, Members};
use crate::text::Text;

/// How many entries of a list a document and a view hold. The count beside it goes on.
pub const MAX_TRACKED: usize = 200;

/// The `activity` section of a session document.
///
/// Times are text as the caller gave it; [`crate::Time::stamp`] makes it. Members this version does not know are kept and written
/// back after the known ones.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Activity {
    /// Tool calls counted, whether they succeeded or failed.
    pub action_count: u64,
    /// Files read, in order of first access.
    pub files_read: Tracked,
    /// Files written, in order of first access.
    pub files_written: Tracked,
    /// The tool of the last call.
    pub last_tool: Option<String>,
    /// How the last call went, `success` or `failure`.
    pub last_result: Option<String>,
    /// The file of the last call, if it had one. Not part of `session.json`.
    pub last_file: Option<String>,
    /// When the session began.
    pub started: Option<String>,
    /// The `source` that the session began with; absent where no such event was seen.
    pub source: Option<String>,
    /// When the model last stopped.
    pub last_stop: Option<String>,
    /// When the session ended.
    pub ended: Option<String>,
    /// Why it ended.
    pub end_reason: Option<String>,
    rest: Members,
}

impl Activity {
    /// The activity of a session that begins now.
    pub fn fresh(started: &str, source: Option<&str>) -> Self {
        Self { started: Some(started.to_owned()), source: source.map(str::to_owned), ..Self::default() }
    }

    /// The members in the order of `session.json`: the known ones first, then, with `stored`, what only the document holds.
    pub(crate) fn write<'a>(&'a self, out: &mut Text<'a>, stored: bool) {
        out.push("{\"action_count\":");
        json::number(out.own(), self.action_count);
        self.files_read.write(out, "files_read");
        self.files_written.write(out, "files_written");
        member(out, "last_tool", self.last_tool.as_deref());
        member(out, "last_result", self.last_result.as_deref());
        member(out, "started", self.started.as_deref());
        let file = if stored { self.last_file.as_deref() } else { None };
        let set = [
            ("source", self.source.as_deref()),
            ("last_stop", self.last_stop.as_deref()),
            ("ended", self.ended.as_deref()),
            ("end_reason", self.end_reason.as_deref()),
            ("last_file", file),
        ];
        for (name, value) in set {
            if value.is_some() {
                member(out, name, value);
            }
        }
        if stored {
            self.rest.write(out);
        }
        out.push("}");
    }
}

fn member(out: &mut Text<'_>, name: &str, value: Option<&str>) {
    out.push(",\"");
    out.push(name);
    out.push("\":");
    json::optional(out.own(), value);
}

/// A list that goes on growing: how many entries there were, and the last [`MAX_TRACKED`] of them.
///
/// Whether an entry is new is not asked here; that is [`crate::Locked::first_time`], whose cost does not grow with the list.
#[derive(Clone, Debug, Default)]
pub struct Tracked {
    total: u64,
    /// The document that `kept` points into.
    text: Arc<String>,
    /// Entries of the document, as JSON strings: begin and end in `text`.
    kept: VecDeque<(usize, usize)>,
    /// Entries added since, as JSON strings.
    added: VecDeque<String>,
}

impl Tracked {
    /// How many entries there have been.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many entries are still listed, at most [`MAX_TRACKED`].
    pub fn listed(&self) -> usize {
        self.kept.len() + self.added.len()
    }

    /// The last `count` listed entries, oldest first.
    pub fn last(&self, count: usize) -> Vec<String> {
        self.raw().skip(self.listed().saturating_sub(count)).map(decode).collect()
    }

    /// Counts one more entry and lists it; the oldest listed one goes when there are more than [`MAX_TRACKED`].
    pub fn push(&mut self, entry: &str) {
        let mut encoded = String::with_capacity(entry.len() + 8);
        json::string(&mut encoded, entry);
        self.added.push_back(encoded);
        self.total = self.total.saturating_add(1);
        self.trim();
    }

    fn trim(&mut self) {
        while self.listed() > MAX_TRACKED {
            if self.kept.pop_front().is_none() {
                self.added.pop_front();
            }
        }
    }

    fn raw(&self) -> impl Iterator<Item = &str> {
        let kept = self.kept.iter().map(|&(start, end)| self.text.get(start..end).unwrap_or("\"\""));
        kept.chain(self.added.iter().map(String::as_str))
    }

    /// Appends `,"name":[…]`, and the total where the list does not say it.
    fn write<'a>(&'a self, out: &mut Text<'a>, name: &str) {
        out.push(",\"");
        out.push(name);
        out.push("\":[");
        // Entries of the document lie behind one another in it, separators included: one piece for all of them.
        if let (Some((start, _)), Some((_, end))) = (self.kept.front(), self.kept.back()) {
            out.keep(self.text.get(*start..*end).unwrap_or_default());
        }
        let mut first = self.kept.is_empty();
        for entry in &self.added {
            if !std::mem::take(&mut first) {
                out.push(",");
            }
            out.push(entry);
        }
        out.push("]");
        if self.total > self.listed() as u64 {
            out.push(",\"");
            out.push(name);
            out.push("_total\":");
            json::number(out.own(), self.total);
        }
    }
}

impl<'a> Extend<&'a str> for Tracked {
    fn extend<I: IntoIterator<Item = &'a str>>(&mut self, entries: I) {
        for entry in entries {
            self.push(entry);
        }
    }
}

/// The text of a JSON string. An unpaired surrogate in it, which no Rust text can hold, leaves it in its escaped form.
fn decode(raw: &str) -> String {
    serde_json::from_str(raw).unwrap_or_else(|_| raw.trim_matches('"').to_owned())
}

/// The section as parsed: in one pass over the document, because a document is read at every event.
#[derive(Default)]
pub(crate) struct Found<'t> {
    counted: Option<u64>,
    read: List<'t>,
    written: List<'t>,
    read_total: u64,
    written_total: u64,
    /// In the order of `TEXTS`.
    texts: [Option<String>; 8],
    rest: Vec<(Key<'t>, &'t RawValue)>,
}

/// The members that are text or null.
const TEXTS: [&str; 8] =
    ["last_tool", "last_result", "last_file", "started", "source", "last_stop", "ended", "end_reason"];

impl Found<'_> {
    /// The section, sharing the document's text.
    pub(crate) fn within(self, text: &Arc<String>) -> Activity {
        let [last_tool, last_result, last_file, started, source, last_stop, ended, end_reason] = self.texts;
        Activity {
            action_count: self.counted.unwrap_or(0),
            files_read: self.read.within(text, self.read_total),
            files_written: self.written.within(text, self.written_total),
            last_tool,
            last_result,
            last_file,
            started,
            source,
            last_stop,
            ended,
            end_reason,
            rest: Members::within(text, self.rest),
        }
    }
}

impl<'de> Deserialize<'de> for Found<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Section;
        impl<'de> Visitor<'de> for Section {
            type Value = Found<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the activity section, an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut found = Found::default();
                while let Some(key) = map.next_key::<Key<'de>>()? {
                    match &*key.0 {
                        "action_count" => found.counted = Some(map.next_value()?),
                        "files_read" => found.read = map.next_value()?,
                        "files_written" => found.written = map.next_value()?,
                        "files_read_total" => found.read_total = map.next_value()?,
                        "files_written_total" => found.written_total = map.next_value()?,
                        name => match TEXTS.iter().zip(&mut found.texts).find(|(known, _)| **known == name) {
                            Some((_, text)) => *text = map.next_value()?,
                            None => found.rest.push((key, map.next_value()?)),
                        },
                    }
                }
                Ok(found)
            }
        }
        from.deserialize_map(Section)
    }
}

/// A list of JSON strings, each left as raw text.
#[derive(Default)]
struct List<'t>(VecDeque<&'t str>);

impl List<'_> {
    fn within(self, text: &Arc<String>, total: u64) -> Tracked {
        let kept: VecDeque<_> = self.0.into_iter().map(|entry| json::span(text, entry)).collect();
        let total = total.max(kept.len() as u64);
        let mut tracked = Tracked { total, text: Arc::clone(text), kept, added: VecDeque::new() };
        tracked.trim();
        tracked
    }
}

impl<'de> Deserialize<'de> for List<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = List<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of text")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut entries = VecDeque::with_capacity(MAX_TRACKED);
                while let Some(entry) = seq.next_element::<&'de RawValue>()? {
                    if !entry.get().starts_with('"') {
                        while seq.next_element::<IgnoredAny>()?.is_some() {}
                        return Err(A::Error::custom("a list of files has an entry that is not text"));
                    }
                    entries.push_back(entry.get());
                }
                Ok(List(entries))
            }
        }
        from.deserialize_seq(Entries)
    }
}
