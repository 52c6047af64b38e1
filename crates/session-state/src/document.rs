//! The two documents: a session's and the project's. Known sections are typed, all others are kept as they stand.

use std::fmt;
use std::fmt::Write as _;
use std::sync::Arc;

use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::Error;
use crate::id::SessionId;
use crate::json::{self, Key, Members, Object, Raw};
use crate::section::activity::{Activity, Found};
use crate::text::Text;

/// The document version that this library writes. A document of a newer version keeps its own.
pub const VERSION: u64 = 1;

/// The largest document that is read, in bytes; a larger one counts as damaged.
pub const MAX_DOCUMENT_BYTES: usize = 4 << 20;

/// Top-level members that are not sections.
const RESERVED: [&str; 3] = ["version", "session", "pending"];

/// One session's document, `sessions/ID.json`: the [`Activity`] section and any number of others.
#[derive(Clone, Debug)]
pub struct SessionDocument {
    id: SessionId,
    version: u64,
    pub(crate) pending: Vec<u64>,
    activity: Activity,
    sections: Members,
}

impl SessionDocument {
    /// A document with nothing in it.
    pub fn new(id: SessionId) -> Self {
        Self { id, version: VERSION, pending: Vec::new(), activity: Activity::default(), sections: Members::default() }
    }

    /// Whose document it is.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// The version it was written by; above [`VERSION`] for a newer one, whose unknown sections are kept.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What the session has done.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// What the session has done, to change.
    pub fn activity_mut(&mut self) -> &mut Activity {
        &mut self.activity
    }

    /// Begins the session again: this activity instead of the old one, unknown members of which go too. Other sections stay.
    ///
    /// Call [`crate::Locked::forget`] as well, or files of the old activity count as known.
    pub fn set_activity(&mut self, activity: Activity) {
        self.activity = activity;
    }

    /// The names of the sections other than `activity`, in order.
    pub fn section_names(&self) -> impl Iterator<Item = &str> {
        self.sections.names()
    }

    /// The JSON text of a section other than `activity`.
    pub fn section_raw(&self, name: &str) -> Option<&str> {
        self.sections.get(name)
    }

    /// A section as a value of one's own; `None` where there is none. A section of another shape is an error.
    ///
    /// ```
    /// # use hook_session_state::{SessionDocument, SessionId};
    /// let mut session = SessionDocument::new(SessionId::from_raw("loop-1"));
    /// session.set_section("budget", &[3, 4])?;
    /// assert_eq!(session.section::<Vec<u64>>("budget")?, Some(vec![3, 4]));
    /// # Ok::<(), hook_session_state::Error>(())
    /// ```
    pub fn section<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Error> {
        typed(name, self.section_raw(name))
    }

    /// Sets a section to a value of one's own; see [`Self::set_section_raw`] for the names that are reserved.
    pub fn set_section<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        self.set_section_raw(name, &written(name, value)?)
    }

    /// Sets a section other than `activity` to this JSON text. `version`, `session`, `pending` and names that begin with `__` are
    /// reserved.
    pub fn set_section_raw(&mut self, name: &str, json: &str) -> Result<(), Error> {
        if name == "activity" {
            return Err(reserved(name));
        }
        set_section(&mut self.sections, name, json)
    }

    /// Removes a section other than `activity`.
    pub fn remove_section(&mut self, name: &str) {
        self.sections.remove(name);
    }

    /// The whole document as JSON, on one line, in the order of the file.
    pub fn to_json(&self) -> String {
        self.render(&self.pending).to_string().trim_end().to_owned()
    }

    /// Parses a document. `id` is whose file it is; what the document itself says about that is not believed.
    pub(crate) fn parse(id: &SessionId, text: String) -> Result<Self, Refused> {
        let text = Arc::new(text);
        match serde_json::from_str::<Whole<'_>>(&text) {
            Ok(whole) => Ok(Self {
                id: id.clone(),
                version: whole.version.unwrap_or(VERSION),
                pending: whole.pending.0,
                activity: whole.activity.unwrap_or_default().within(&text),
                sections: Members::within(&text, whole.rest),
            }),
            Err(error) => Err(Refused::of(&text, &error)),
        }
    }

    /// The file's content, with these hashes as the ones that may not have reached the membership file.
    pub(crate) fn render(&self, pending: &[u64]) -> Text<'_> {
        let mut out = Text::with_capacity(1_024);
        head(&mut out, self.version);
        out.push(",\"session\":");
        json::string(out.own(), self.id.as_str());
        if !pending.is_empty() {
            out.push(",\"pending\":[");
            for (at, hash) in pending.iter().enumerate() {
                let comma = if at == 0 { "" } else { "," };
                // Writing to a string cannot fail.
                let _ = write!(out.own(), "{comma}\"{hash:016x}\"");
            }
            out.push("]");
        }
        out.push(",\"activity\":");
        self.activity.write(&mut out, true);
        self.sections.write(&mut out);
        out.push("}\n");
        out
    }
}

/// The project's document, `project.json`: sections that outlive a session or that sessions share.
#[derive(Clone, Debug)]
pub struct ProjectDocument {
    version: u64,
    sections: Members,
}

impl Default for ProjectDocument {
    fn default() -> Self {
        Self { version: VERSION, sections: Members::default() }
    }
}

impl ProjectDocument {
    /// The version it was written by.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The names of the sections, in order.
    pub fn section_names(&self) -> impl Iterator<Item = &str> {
        self.sections.names()
    }

    /// The JSON text of a section.
    pub fn section_raw(&self, name: &str) -> Option<&str> {
        self.sections.get(name)
    }

    /// A section as a value of one's own; `None` where there is none. A section of another shape is an error.
    pub fn section<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Error> {
        typed(name, self.section_raw(name))
    }

    /// Sets a section to a value of one's own; see [`Self::set_section_raw`] for the names that are reserved.
    pub fn set_section<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        self.set_section_raw(name, &written(name, value)?)
    }

    /// Sets a section to this JSON text. The names that [`SessionDocument::set_section_raw`] reserves are so here.
    pub fn set_section_raw(&mut self, name: &str, json: &str) -> Result<(), Error> {
        set_section(&mut self.sections, name, json)
    }

    /// Removes a section.
    pub fn remove_section(&mut self, name: &str) {
        self.sections.remove(name);
    }

    pub(crate) fn parse(text: String) -> Result<Self, Refused> {
        let text = Arc::new(text);
        let members = match serde_json::from_str::<Object<'_>>(&text) {
            Ok(Object(members)) => members,
            Err(error) => return Err(Refused::of(&text, &error)),
        };
        let mut version = None;
        let mut rest = Vec::with_capacity(members.len());
        for (key, value) in members {
            if key.0 == "version" {
                version = Some(serde_json::from_str(value.get()).map_err(|error| Refused::of(&text, &error))?);
            } else {
                rest.push((key, value));
            }
        }
        Ok(Self { version: version.unwrap_or(VERSION), sections: Members::within(&text, rest) })
    }

    pub(crate) fn render(&self) -> Text<'_> {
        let mut out = Text::with_capacity(1_024);
        head(&mut out, self.version);
        self.sections.write(&mut out);
        out.push("}\n");
        out
    }
}

fn head(out: &mut Text<'_>, version: u64) {
    out.push("{\"version\":");
    json::number(out.own(), version);
}

fn reserved(name: &str) -> Error {
    Error::Section { name: name.to_owned(), reason: "the name is reserved".to_owned() }
}

fn typed<T: DeserializeOwned>(name: &str, text: Option<&str>) -> Result<Option<T>, Error> {
    let wrong = |error: serde_json::Error| Error::SectionShape { name: name.to_owned(), reason: error.to_string() };
    text.map(serde_json::from_str).transpose().map_err(wrong)
}

fn written<T: Serialize + ?Sized>(name: &str, value: &T) -> Result<String, Error> {
    let wrong = |error: serde_json::Error| Error::Section { name: name.to_owned(), reason: error.to_string() };
    serde_json::to_string(value).map_err(wrong)
}

fn set_section(sections: &mut Members, name: &str, value: &str) -> Result<(), Error> {
    if RESERVED.contains(&name) || name.starts_with("__") {
        return Err(reserved(name));
    }
    match serde_json::from_str::<&RawValue>(value) {
        Ok(value) => {
            sections.set(name, Raw::new(value.get().to_owned()));
            Ok(())
        }
        Err(error) => Err(Error::Section { name: name.to_owned(), reason: format!("not one JSON value: {error}") }),
    }
}

/// Why a text is not a document of this version.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Not a document at all.
    Damaged(String),
    /// A newer version's, in a form this one cannot read.
    Foreign(u64),
}

impl Refused {
    fn of(text: &str, error: &serde_json::Error) -> Self {
        let version = serde_json::from_str::<Object<'_>>(text).ok().and_then(|Object(members)| {
            let (_, version) = members.into_iter().find(|(key, _)| key.0 == "version")?;
            serde_json::from_str::<u64>(version.get()).ok()
        });
        match version {
            Some(version) if version > VERSION => Self::Foreign(version),
            _ => Self::Damaged(error.to_string()),
        }
    }
}

/// A session document as parsed.
#[derive(Default)]
struct Whole<'t> {
    version: Option<u64>,
    pending: Hashes,
    activity: Option<Found<'t>>,
    rest: Vec<(Key<'t>, &'t RawValue)>,
}

impl<'de> Deserialize<'de> for Whole<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Document;
        impl<'de> Visitor<'de> for Document {
            type Value = Whole<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a session document, an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut whole = Whole::default();
                while let Some(key) = map.next_key::<Key<'de>>()? {
                    match &*key.0 {
                        "version" => whole.version = Some(map.next_value()?),
                        "pending" => whole.pending = map.next_value()?,
                        "session" => {
                            map.next_value::<&RawValue>()?;
                        }
                        "activity" if whole.activity.is_some() => {
                            return Err(A::Error::custom("the activity section is there twice"));
                        }
                        "activity" => whole.activity = Some(map.next_value()?),
                        _ => whole.rest.push((key, map.next_value()?)),
                    }
                }
                Ok(whole)
            }
        }
        from.deserialize_map(Document)
    }
}

/// Hashes as the document spells them: 16 hexadecimal digits each, because JSON numbers are not exact above 2^53 everywhere.
#[derive(Default)]
struct Hashes(Vec<u64>);

impl<'de> Deserialize<'de> for Hashes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let digits = Vec::<&'de str>::deserialize(from)?;
        let hashes = digits.into_iter().map(|digits| u64::from_str_radix(digits, 16).map_err(D::Error::custom));
        hashes.collect::<Result<_, _>>().map(Self)
    }
}
