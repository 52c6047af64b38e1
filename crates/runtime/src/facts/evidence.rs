//! Where status files come from, and what hookbin itself has recorded in them.
//!
//! A status file lies in the project, where a clone brings files and a test runner writes them. What hookbin writes into one, it keeps
//! besides in the user's state directory, where neither a project nor an agent writes: a twin with the same text, the moment and the contents
//! of the working tree. So a proof outlives its session as long as the tree holds what the user has seen.

use std::collections::HashSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use hook_policy::effect::Effect;
use hook_policy::evidence::{Kept, Origin, ProofState, ProofStatus, TestResult, TestStatus};
use hook_protocol::event::{Body, SessionSource};
use hook_session_state::{Error, Locked, SessionDocument};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::event::run::Run;
use crate::facts::section;
use crate::facts::trail::Trail;
use crate::programs::git;
use crate::programs::git_index::{self, Entry};
use crate::project::Project;
use crate::project::places;
use crate::system::System;
use crate::system::account;
use crate::system::files::hexadecimal;
use crate::system::open::Beneath;

/// Schema version of a twin.
const VERSION: u32 = 1;

/// Largest twin that is read.
const MAX_BYTES: u64 = 1 << 20;

/// Most files of a working tree that are looked at. A larger tree is one of which nobody can tell.
const MOST_FILES: u32 = 100_000;

/// Most files of a working tree whose contents are kept, and the most bytes of them that are read.
const MOST_KEPT: usize = 20_000;
const MOST_READ: u64 = 64 << 20;

/// Bytes of a digest that stand for a file and its content.
const DIGEST: usize = 8;

/// How far in the future a file may be dated before it counts as dated there, in milliseconds.
const AHEAD: i64 = 60_000;

/// What was written into a status file.
#[derive(Debug, Serialize, Deserialize)]
struct Twin {
    version: u32,
    /// The status file.
    path: PathBuf,
    text: String,
    /// When, in milliseconds since 1970 by the clock that dates files.
    millis: i64,
    /// Files in the index of the working tree; none where it could not be read.
    files: Option<u32>,
    /// Digests of these files with their contents, each of the same length; empty where the tree is too large.
    #[serde(default)]
    contents: String,
}

/// The moment, in milliseconds since 1970 by the clock that dates files.
pub fn millis() -> i64 {
    since_1970(SystemTime::now())
}

fn since_1970(moment: SystemTime) -> i64 {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// When content, name or mode of a file changed last. No program sets it, unlike the date that the file shows.
#[cfg(unix)]
fn changed(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ctime().saturating_mul(1_000).saturating_add(metadata.ctime_nsec() / 1_000_000)
}

/// Elsewhere the date that it shows is all there is.
#[cfg(not(unix))]
fn changed(metadata: &Metadata) -> i64 {
    metadata.modified().map_or(i64::MAX, since_1970)
}

/// Whether a file of the host's directory is a status file that opens a gate.
fn is_status(name: &str) -> bool {
    [TestStatus::PATH, ProofStatus::PATH].iter().any(|path| path.strip_prefix(".claude/") == Some(name))
}

/// The directory in whose `.claude` a status file lies, without links.
fn tree_of(path: &Path) -> Option<PathBuf> {
    std::fs::canonicalize(path.ancestors().nth(2)?).ok()
}

/// Where a status file comes from, for a session that remembers this.
pub fn origin(path: &Path, trail: Option<&Trail>) -> Origin {
    let look = || {
        let tree = tree_of(path)?;
        let inside = Path::new(".claude").join(path.file_name()?);
        let metadata = Beneath::new(&tree).to_read(&inside).ok()?.metadata().ok()?;
        let (now, changed) = (millis(), changed(&metadata));
        let shown = metadata.modified().map_or(changed, since_1970);
        let whole = tree.join(&inside);
        Some(Origin {
            tracked: is_tracked(&tree, &inside),
            future: changed.max(shown) > now.saturating_add(AHEAD),
            of_session: trail.is_some_and(|trail| trail.is_of_session(changed)),
            began: trail.map(|trail| trail.epoch),
            by_call: trail.is_some_and(|trail| trail.is_by_call(&whole.to_string_lossy(), changed)),
        })
    };
    // What cannot be looked at is taken for the worst.
    look().unwrap_or(Origin { tracked: true, ..Origin::default() })
}

/// Whether git has a file of this directory in its index; also where nobody can tell. Case does not count, as on some file systems.
fn is_tracked(tree: &Path, inside: &Path) -> bool {
    let Some((top, git_dir)) = git::tree(tree) else { return false };
    let whole = tree.join(inside);
    let Some(parts) = whole.strip_prefix(&top).ok().map(|rest| rest.iter().collect::<Vec<_>>()) else { return true };
    let name = parts.iter().map(|part| part.as_encoded_bytes()).collect::<Vec<_>>().join(&b'/');
    let mut found = false;
    let read = git_index::each(&git_dir, true, &mut |entry: &Entry<'_>| {
        let is_it = entry.path.eq_ignore_ascii_case(&name);
        let holds = entry.is_dir() && name.get(..entry.path.len()).is_some_and(|start| start == entry.path);
        found |= is_it || holds;
    });
    found || read.is_none()
}

/// Where the twin of a status file lies.
fn place(tree: &Path, name: &str, system: &System) -> Option<PathBuf> {
    let named = places::name_of(&Project::at(tree))?;
    Some(system.state_dir()?.join("evidence").join(format!("{named}{name}.json")))
}

/// The twins of a project's status files. Those of its other working trees, which nobody can name any more, stay.
pub fn twins(project: &Project, system: &System) -> Vec<PathBuf> {
    let tree = std::fs::canonicalize(project.root()).unwrap_or_else(|_| project.root().to_owned());
    let names = [TestStatus::PATH, ProofStatus::PATH].map(|path| path.trim_start_matches(".claude/"));
    names.iter().filter_map(|name| place(&tree, name, system)).filter(|path| path.symlink_metadata().is_ok()).collect()
}

/// Keeps what hookbin is about to write into a file in `.claude` of a directory; `None` where it takes it away. Only of a status file that
/// says that all is well something is kept. This comes first, so that a run that is killed in between leaves no twin of what it meant to
/// take back.
pub fn keep(
    locked: &mut Locked<'_>,
    root: &Path,
    name: &str,
    text: Option<&str>,
    system: &System,
) -> Result<(), Error> {
    let Some(tree) = Some(root).filter(|_| is_status(name)).and_then(|root| std::fs::canonicalize(root).ok()) else {
        return Ok(());
    };
    // Without a home directory it counts in this session alone.
    let Some(path) = place(&tree, name, system) else { return Ok(()) };
    let (Some(dir), Some(file)) = (path.parent(), path.file_name().and_then(|file| file.to_str())) else {
        return Ok(());
    };
    let Some(text) = text.filter(|text| says_well(name, text)) else {
        // An older one must not stand for a text that comes back.
        return if path.symlink_metadata().is_ok() { locked.notes(dir)?.remove(file) } else { Ok(()) };
    };
    let mut contents = Contents::new();
    let files = git::tree(&tree)
        .and_then(|(top, git_dir)| git_index::each(&git_dir, false, &mut |entry| contents.add(&top, entry)));
    let twin = Twin {
        version: VERSION,
        path: tree.join(".claude").join(name),
        text: text.to_owned(),
        millis: millis(),
        files,
        contents: contents.digests.unwrap_or_default(),
    };
    locked.notes(dir)?.put(file, &serde_json::to_string(&twin).unwrap_or_default())
}

/// What files of a working tree hold, as digests.
struct Contents {
    /// One after the other; none where there were too many.
    digests: Option<String>,
    budget: u64,
}

impl Contents {
    fn new() -> Self {
        Self { digests: Some(String::new()), budget: MOST_READ }
    }

    fn add(&mut self, top: &Path, entry: &Entry<'_>) {
        let Some(digests) = self.digests.as_mut().filter(|_| entry.is_file()) else { return };
        if digests.len() >= MOST_KEPT * DIGEST * 2 || self.budget == 0 {
            self.digests = None;
        } else if let Some(digest) = digest(top, entry.path, &mut self.budget) {
            digests.push_str(&digest);
        }
    }
}

/// A digest of a file's path and content; `None` where it cannot be read within the bytes that are left.
fn digest(top: &Path, path: &[u8], budget: &mut u64) -> Option<String> {
    let content = Beneath::new(top).read(Path::new(std::str::from_utf8(path).ok()?), *budget);
    let Ok(content) = content else {
        *budget = budget.saturating_sub(1);
        return None;
    };
    *budget = budget.saturating_sub(u64::try_from(content.len()).unwrap_or(u64::MAX));
    let hash = Sha256::new().chain_update(path).chain_update([0]).chain_update(&content).finalize();
    Some(hexadecimal(hash.get(..DIGEST)?))
}

/// Whether a text of a status file says that all is well.
fn says_well(name: &str, text: &str) -> bool {
    let is = |path: &str| path.strip_prefix(".claude/") == Some(name);
    is(TestStatus::PATH) && matches!(TestStatus::parse(text).result, TestResult::Pass | TestResult::Nothing)
        || is(ProofStatus::PATH) && ProofStatus::parse(text).state == ProofState::Verified
}

/// What a section of a session's document says; `None` is a session of which nothing is known.
pub fn trail(section: Option<&str>) -> Option<Trail> {
    serde_json::from_str(section?).ok()
}

/// What a session remembers of itself and its calls, after an event. True if it has changed.
pub(crate) fn follow(run: &Run<'_>, effects: &[Effect], document: &mut SessionDocument) -> Result<bool, Error> {
    let known = trail(document.section_raw(section::TRAIL));
    // What a compaction begins is the same session.
    let begins = matches!(&run.event.body, Body::SessionStart(start) if start.source != Some(SessionSource::Compact));
    let goes_on = matches!(&run.event.body, Body::SessionStart(start) if start.source == Some(SessionSource::Resume));
    let touched =
        || effects.iter().filter_map(|effect| if let Effect::Touched(one) = effect { Some(one) } else { None });
    let asked =
        effects.iter().rev().find_map(|effect| if let Effect::Asked(asked) = effect { Some(*asked) } else { None });
    let was_asked = known.as_ref().is_some_and(|trail| trail.asked);
    let is_news = touched().next().is_some() || asked.is_some_and(|asked| asked != was_asked);
    if !begins && known.is_some() && !is_news {
        return Ok(false);
    }
    let now = millis();
    let kept = known.filter(|_| !begins);
    let mut trail = kept.unwrap_or_else(|| Trail::begin(run.system.now.timestamp(), now));
    touched().for_each(|one| trail.touch(one, now));
    // Whoever resumes a session answers what it asked last.
    trail.asked = asked.unwrap_or(was_asked && (!begins || goes_on));
    document.set_section_raw(section::TRAIL, &section::text(&trail))?;
    Ok(begins || is_news)
}

/// Whether a text of a status file is what hookbin wrote, and the working tree is still the same.
pub fn kept(path: &Path, text: &str, system: &System) -> Kept {
    let Some(twin) = twin(path, system).filter(|twin| twin.text == text) else { return Kept::No };
    if is_same_tree(&twin).unwrap_or(false) { Kept::Here } else { Kept::OtherTree }
}

/// What a user has to know of a status file of a project that says that all is well: how far it counts. `None` where it counts in
/// every session.
pub fn remark(root: &Path, file: &str, text: &str, system: &System) -> Option<&'static str> {
    if !says_well(file.trim_start_matches(".claude/"), text) {
        return None;
    }
    let path = root.join(file);
    if origin(&path, None).tracked {
        return Some("git tracks it, so it does not count");
    }
    match kept(&path, text, system) {
        Kept::Here => None,
        Kept::OtherTree => Some("files have changed since, so it counts in its own session only"),
        Kept::No if file == ProofStatus::PATH => Some("hookbin did not record it, so it does not count"),
        Kept::No => Some("hookbin did not record it, so it counts in its own session only"),
    }
}

fn twin(path: &Path, system: &System) -> Option<Twin> {
    let tree = tree_of(path)?;
    let name = path.file_name()?.to_str()?;
    let text = account::text_of_person(&place(&tree, name, system)?, MAX_BYTES, system)?;
    let twin: Twin = serde_json::from_str(&text).ok()?;
    (twin.version == VERSION && twin.path == tree.join(".claude").join(name)).then_some(twin)
}

/// Whether every file that git tracks is there and holds what it held, and none is tracked no longer. Adding files and committing
/// changes none, and neither does what is put back as it was. `None` where nobody can tell.
fn is_same_tree(twin: &Twin) -> Option<bool> {
    let (top, git_dir) = git::tree(&tree_of(&twin.path)?)?;
    let mut same = true;
    let mut looked = 0;
    let mut budget = MOST_READ;
    let kept: HashSet<&[u8]> = twin.contents.as_bytes().chunks(DIGEST * 2).collect();
    let files = git_index::each(&git_dir, false, &mut |entry| {
        if same && entry.is_file() {
            looked += 1;
            let is_old = || {
                let path = top.join(std::str::from_utf8(entry.path).ok()?);
                Some(changed(&path.symlink_metadata().ok()?) <= twin.millis)
            };
            let mut is_kept = || Some(kept.contains(digest(&top, entry.path, &mut budget)?.as_bytes()));
            same = looked <= MOST_FILES && (is_old().unwrap_or(false) || is_kept().unwrap_or(false));
        }
    })?;
    Some(same && files >= twin.files?)
}
