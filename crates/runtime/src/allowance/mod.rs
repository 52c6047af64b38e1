//! What the user lets pass at a terminal: one refused call, or for some minutes all that the guard and the gates hold back.
//!
//! Each word is a file in the user's state directory, where neither a project nor an agent writes. It is looked for only when a call was
//! refused or asked about, so a harmless call pays nothing. No word lifts what protects the guard itself, nor anything where the
//! organisation's settings start the guard. A word ends by the clock; a clock that was put back ends it as well.

mod call;
mod heed;
mod refusal;

use std::path::PathBuf;

use hook_audit_log::Record as Logged;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use self::call::Call;
pub use self::heed::{Lifted, Word};
pub(crate) use self::heed::{ease, heed};
pub use self::refusal::{Refusal, refusal};

use crate::Error;
use crate::config::cache;
use crate::error::{Context as _, bail, ensure};
use crate::installation::presence;
use crate::project::{Project, places};
use crate::system::{System, account, files};

/// The longest pause, in seconds: an hour.
pub const MOST_PAUSE: i64 = 3_600;

/// The longest time for which a call is allowed, in seconds: a day. One for a session ends then as well.
pub const MOST_ALLOWED: i64 = 86_400;

/// How long a call that is allowed once may take to come, in seconds: an hour.
pub const MOST_ONCE: i64 = 3_600;

/// Schema version of a file.
const VERSION: u32 = 1;

/// Largest file that is read, in bytes. What it shows of a call is cut.
const MAX_BYTES: u64 = 16 << 10;

/// How long, or how often, a refused call is let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Span {
    /// The next time it comes.
    Once,
    /// For so many seconds, as often as it comes.
    For(i64),
    /// As often as it comes in the session in which it was refused.
    Session,
}

impl Span {
    /// In words for the user.
    pub fn words(self) -> String {
        match self {
            Self::Once => "once".to_owned(),
            Self::For(seconds) => format!("for {}", left(seconds)),
            Self::Session => "for this session".to_owned(),
        }
    }

    const fn seconds(self) -> i64 {
        match self {
            Self::Once => MOST_ONCE,
            Self::For(seconds) => seconds,
            Self::Session => MOST_ALLOWED,
        }
    }
}

/// A refused call that the user lets through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowed {
    /// The call.
    pub call: Call,
    /// Its tool and command or path, as the log shows them.
    pub about: String,
    /// How long.
    pub span: Span,
    /// The session in which it was refused.
    session: String,
}

/// What a file holds, and from when to when it counts, in seconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept<T> {
    version: u32,
    project: String,
    from: i64,
    until: i64,
    /// What the user said.
    pub said: T,
}

impl<T> Kept<T> {
    fn new(said: T, seconds: i64, project: &Project, system: &System) -> Self {
        let from = system.now.timestamp();
        Self { version: VERSION, project: named(project), from, until: from.saturating_add(seconds), said }
    }

    /// Seconds for which it still counts.
    pub fn left(&self, system: &System) -> i64 {
        self.until.saturating_sub(system.now.timestamp())
    }

    /// When it ends, for the user.
    pub fn end(&self) -> String {
        let end = chrono::DateTime::from_timestamp(self.until, 0).unwrap_or_default();
        end.format("%Y-%m-%d %H:%M:%S UTC").to_string()
    }

    /// Whether it is one of this project and counts now, for at most so many seconds in all.
    fn counts(&self, most: i64, project: &Project, system: &System) -> bool {
        let now = system.now.timestamp();
        let is_short = self.until.saturating_sub(self.from) <= most;
        self.version == VERSION && self.project == named(project) && is_short && self.from <= now && now < self.until
    }
}

/// A time in words, rounded up: `10 min`, `45 s`.
pub fn left(seconds: i64) -> String {
    match seconds {
        ..60 => format!("{} s", seconds.max(0)),
        60..3_601 => format!("{} min", seconds.saturating_add(59) / 60),
        _ => format!("{} h", seconds.saturating_add(3_599) / 3_600),
    }
}

/// Reads a time such as `90s`, `10m` or `1h`, in seconds, of at most so many.
pub fn seconds(text: &str, most: i64) -> Result<i64, String> {
    let unit = |unit: char| match unit {
        's' => Some(1),
        'm' => Some(60),
        'h' => Some(3_600),
        _ => None,
    };
    let count = |text: &str| text.parse::<i64>().ok().filter(|count| *count > 0);
    let read = text.chars().last().and_then(|last| count(text.strip_suffix(last)?)?.checked_mul(unit(last)?));
    match read {
        Some(seconds) if seconds <= most => Ok(seconds),
        Some(_) => Err(format!("at most {}", left(most))),
        None => Err("say 90s, 10m or 1h".to_owned()),
    }
}

fn named(project: &Project) -> String {
    project.root().to_string_lossy().into_owned()
}

/// The file of a word about this project.
fn place(kind: &str, project: &Project, system: &System) -> Option<PathBuf> {
    let name = format!("{}.{kind}.json", places::name_of(project)?);
    Some(system.state_dir()?.join("allowed").join(name))
}

const PAUSE: &str = "pause";

/// The files of a project's words, those that count no more as well.
pub fn kept_files(project: &Project, system: &System) -> Vec<PathBuf> {
    let Some((dir, name)) = system.state_dir().zip(places::name_of(project)) else { return Vec::new() };
    let dir = dir.join("allowed");
    let names = files::names(&dir).into_iter();
    let is_its = |file: &std::ffi::OsString| file.to_string_lossy().starts_with(&format!("{name}."));
    names.filter(is_its).map(|file| dir.join(file)).collect()
}

/// What one of these files says; nothing where others than the user may have written it.
fn read<T: DeserializeOwned>(path: &std::path::Path, system: &System) -> Option<Kept<T>> {
    let text = account::text_of_person(path, MAX_BYTES, system)?;
    let kept = serde_json::from_str(&text).ok()?;
    account::why_others_on_the_way(path, system).is_none().then_some(kept)
}

/// The pause of this project, if there is one now.
pub fn pause(project: &Project, system: &System) -> Option<Kept<()>> {
    let kept: Kept<()> = read(&place(PAUSE, project, system)?, system)?;
    kept.counts(MOST_PAUSE, project, system).then_some(kept)
}

/// The calls that are let through now, the newest first.
pub fn allowed(project: &Project, system: &System) -> Vec<Kept<Allowed>> {
    let all = kept_files(project, system).into_iter().filter_map(|path| read::<Allowed>(&path, system));
    let mut all: Vec<_> = all.filter(|kept| kept.counts(kept.said.span.seconds(), project, system)).collect();
    all.sort_by_key(|kept| std::cmp::Reverse(kept.from));
    all
}

/// Lets a refused call through.
pub fn allow(refusal: &Refusal, span: Span, project: &Project, system: &System) -> Result<Kept<Allowed>, Error> {
    let Refusal { call, session, .. } = refusal;
    let said = Allowed { call: call.clone(), about: refusal.about(), span, session: session.clone() };
    let kept = Kept::new(said, span.seconds(), project, system);
    let record = Logged::new(system.now, "Allow").note(format!("{} {}", call.id(), span.words()));
    write(call.text(), &kept, &record.with("call", call.text()), project, system)?;
    Ok(kept)
}

/// Pauses the guard and the gates of a project for so many seconds, at most [`MOST_PAUSE`].
pub fn begin_pause(seconds: i64, project: &Project, system: &System) -> Result<Kept<()>, Error> {
    let kept = Kept::new((), seconds, project, system);
    let record = Logged::new(system.now, "Pause").note(format!("for {}", left(seconds)));
    write(PAUSE, &kept, &record, project, system)?;
    Ok(kept)
}

/// Ends the pause, and takes back what else was allowed. Returns whether there was a pause, and how many calls were allowed.
pub fn resume(project: &Project, system: &System) -> Result<(bool, usize), Error> {
    let (paused, calls) = (pause(project, system).is_some(), allowed(project, system).len());
    for path in kept_files(project, system) {
        files::remove(&path)?;
    }
    if paused || calls > 0 {
        log(&Logged::new(system.now, "Resume"), project, system)?;
    }
    Ok((paused, calls))
}

/// Why no word of the user counts in this project, if none does.
pub fn obstacle(system: &System) -> Option<&'static str> {
    presence::is_managed(system).then_some("your organisation's settings start the guard, and only they can lift it")
}

fn write<T: Serialize>(
    kind: &str,
    kept: &Kept<T>,
    record: &Logged<'_>,
    project: &Project,
    system: &System,
) -> Result<(), Error> {
    if let Some(obstacle) = obstacle(system) {
        return Err(Error::wrong_use(obstacle.to_owned()));
    }
    let path = place(kind, project, system).context("there is no home directory to keep it in; set HOME")?;
    let dir = path.parent().context("the file has no directory")?;
    files::make_dir(dir, true)?;
    if let Some(why) = account::why_others_on_the_way(dir, system) {
        bail!("it would not count: {why}; make it yours alone (chmod go-w, chown)");
    }
    // What has ended is of no use to anybody.
    for old in kept_files(project, system) {
        let is_over = |kept: &Kept<serde_json::Value>| kept.until <= system.now.timestamp();
        if read(&old, system).is_some_and(|kept| is_over(&kept)) {
            files::remove(&old)?;
        }
    }
    // First the record: nothing is lifted that the log does not tell of.
    log(record, project, system)?;
    files::replace(path.as_path(), &serde_json::to_string_pretty(kept).map_err(Error::other)?, 0o600)
}

fn log(record: &Logged<'_>, project: &Project, system: &System) -> Result<(), Error> {
    project.prepare()?;
    ensure!(!project.log_is_elsewhere(), "{} is a link to somewhere else; remove the link", project.log().display());
    let limits = crate::event::record::limits(&cache::resolve_now(None, Some(project), system).profile.settings.log);
    project.trail(&project.log(), limits).append(record).map(drop).context("the log cannot be written")
}
