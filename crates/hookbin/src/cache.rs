//! The profile in force: resolved from its files, and kept in a compiled form so that a hook run reads no TOML.
//!
//! The compiled form is one file in the state folder. It names the files that it was made from by path, size, time and inode, and
//! the version of the executable; when anything differs it is made anew, silently. It holds one plan an event, so that a run decodes
//! only the plan that it needs, and behind the plans a person's own rules, of which a run reads those that its call could meet. Each
//! part carries its fingerprint, so that a damaged file is made anew as well.

use std::fs::{File, Metadata};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hook_policy::profile::{ConfigError, EventSet, Plan, Profile, RawProfile, resolve};
use hook_policy::rule::fingerprint;
use hook_protocol::event::EventName;
use serde::{Deserialize, Serialize};

use crate::faults::Faults;
use crate::host::Host;
use crate::open;
use crate::places;
use crate::profiles;
use crate::project::Project;

const MAGIC: &[u8; 8] = b"hookbin\x03";

/// First read of the file, in bytes. The head and small plans fit.
const FIRST: usize = 8 << 10;

/// Largest configuration file that is read.
const MAX_CONFIG_BYTES: u64 = 4 << 20;

/// What a run needs to know about the profile.
#[derive(Debug)]
pub struct Loaded {
    /// The plan of the event.
    pub plan: Plan,
    /// The events that some handler answers.
    pub events: EventSet,
    /// What of the configuration is off. Everything else of it is in force.
    pub faults: Faults,
    /// The person's own rules, where they are not in the plan.
    pub(crate) rules: Option<StoredRules>,
}

/// Rules of a person's own that a plan does without, in the very file that the plan was read from.
#[derive(Debug)]
pub(crate) struct StoredRules {
    file: File,
    from: u64,
}

impl StoredRules {
    /// So many bytes, from this one on.
    pub(crate) fn read(&self, from: u32, bytes: u32) -> Option<Vec<u8>> {
        read_at(&self.file, self.from + u64::from(from), bytes as usize)
    }
}

/// The profile in force, whole.
#[derive(Debug, Clone)]
pub struct InForce {
    /// The resolved profile.
    pub profile: Profile,
    /// What of the configuration is off, in words, if anything is.
    pub fault: Option<String>,
    /// The same, thing by thing; all of them stand in the profile.
    pub faults: Faults,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    version: String,
    chosen: Option<Vec<String>>,
    sources: Vec<Stamp>,
    events: EventSet,
    faults: Faults,
    /// End of each event's plan, counted from the end of the head; the last is the plan of an event without an index. A plan begins
    /// with its fingerprint.
    ends: Vec<u32>,
}

/// A file as it was when the cache was made.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    path: PathBuf,
    seen: Option<Seen>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Seen {
    bytes: u64,
    modified: u128,
    inode: u64,
}

/// The plan of `event` under the profile in force. `chosen` are the profiles that the command line names, which outrank the files.
pub fn load(event: &EventName<'_>, chosen: Option<&[String]>, project: Option<&Project>, host: &Host) -> Loaded {
    let sources = sources(project, host);
    let project = project.filter(|project| !project.is_elsewhere());
    let path = project.map(|project| cache_path(&project.state(), chosen));
    if let Some(found) = path.as_deref().and_then(|path| read(path, event, chosen, &sources)) {
        return found;
    }
    make(event, chosen, sources, path.as_deref().zip(project))
}

/// The same from the files, whatever the compiled form says, which is made anew.
pub(crate) fn load_anew(
    event: &EventName<'_>,
    chosen: Option<&[String]>,
    project: Option<&Project>,
    host: &Host,
) -> Loaded {
    let sources = sources(project, host);
    let project = project.filter(|project| !project.is_elsewhere());
    let path = project.map(|project| cache_path(&project.state(), chosen));
    make(event, chosen, sources, path.as_deref().zip(project))
}

fn make(
    event: &EventName<'_>,
    chosen: Option<&[String]>,
    sources: Vec<Stamp>,
    kept: Option<(&Path, &Project)>,
) -> Loaded {
    let force = in_force(chosen, &sources);
    if let Some((path, project)) = kept {
        // Without the cache the next run is slower and nothing else.
        let _ = write(path, project, chosen, sources, &force);
    }
    Loaded { plan: force.profile.plan(event), events: force.profile.events(), faults: force.faults, rules: None }
}

/// The profile in force, resolved from its files.
pub fn resolve_now(chosen: Option<&[String]>, project: Option<&Project>, host: &Host) -> InForce {
    in_force(chosen, &sources(project, host))
}

/// The same with `file` in the place of the project's configuration, for a policy that is not in force yet.
pub(crate) fn resolve_file(file: &Path, host: &Host) -> InForce {
    let files = host.user_config().into_iter().chain([host.absolute_path(file)]);
    in_force(None, &files.map(Stamp::of).collect::<Vec<_>>())
}

/// The configuration files, the weakest first: the person's, the project's, and the person's for this project.
pub(crate) fn files(project: Option<&Project>, host: &Host) -> Vec<PathBuf> {
    let user = host.user_config();
    let own = user.as_deref().zip(project).and_then(|(user, project)| places::config_beside(user, project));
    user.into_iter().chain(project.map(Project::config)).chain(own).collect()
}

fn sources(project: Option<&Project>, host: &Host) -> Vec<Stamp> {
    files(project, host).into_iter().map(Stamp::of).collect()
}

/// Resolves all files. What cannot be read of them is off and told, and everything else holds: the guard is never off.
fn in_force(chosen: Option<&[String]>, sources: &[Stamp]) -> InForce {
    let known = profiles::names();
    let is_known = |name: &String| known.contains(&name.as_str());
    let mut unread = Vec::new();
    let mut files = Vec::new();
    let mut named: Vec<String> = Vec::new();
    for source in sources.iter().filter(|source| source.seen.is_some()) {
        let shown = source.path.display().to_string();
        match read_config(&source.path) {
            Ok(text) => {
                let file = RawProfile::parse(&shown, &text);
                if let Some(names) = file.profiles() {
                    // Of a list without any that exists the one below it stays, else the default.
                    let below = if names.iter().any(is_known) { Vec::new() } else { named };
                    named = names.iter().cloned().chain(below.into_iter().filter(is_known)).collect();
                }
                files.push(file);
            }
            Err(error) => unread.push(ConfigError::of_file(&shown, format!("it cannot be read: {error}"))),
        }
    }
    // A name on the command line that does not exist is wrong use, which the run reports by itself.
    let chosen = chosen.map(|names| names.iter().filter(|name| is_known(name)).cloned().collect::<Vec<_>>());
    let mut names = chosen.filter(|names| !names.is_empty()).unwrap_or(named);
    if !names.iter().any(is_known) {
        names.push(profiles::DEFAULT.to_owned());
    }
    let mut profile = resolve(&names, &files, &profiles::raw, &known);
    profile.faults.splice(0..0, unread);
    let faults = Faults::of(&profile);
    InForce { profile, fault: faults.summary(), faults }
}

/// The text of a configuration file.
pub(crate) fn read_config(path: &Path) -> std::io::Result<String> {
    let file = open::foreign(path)?;
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other("it is not a plain file"));
    }
    let mut text = Vec::new();
    file.take(MAX_CONFIG_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_CONFIG_BYTES {
        return Err(std::io::Error::other(format!("larger than {MAX_CONFIG_BYTES} bytes")));
    }
    // A byte that is no text is a fault of its line, and the profile that the file names can still be told.
    Ok(String::from_utf8(text)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).replace('\u{fffd}', "\u{0}")))
}

/// One cache a choice of the command line, so that entries that name a profile do not undo each other's.
fn cache_path(state: &Path, chosen: Option<&[String]>) -> PathBuf {
    match chosen {
        None => state.join("profile.cache"),
        Some(names) => {
            let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
            let joined: String = names.join("+").chars().map(safe).take(64).collect();
            state.join(format!("profile-{joined}.cache"))
        }
    }
}

fn read(path: &Path, event: &EventName<'_>, chosen: Option<&[String]>, sources: &[Stamp]) -> Option<Loaded> {
    let mut file = open::to_read(path).ok()?;
    // Not an array: it would be cleared first, in pages of the stack that nothing else touches.
    let mut first = Vec::with_capacity(FIRST);
    Read::by_ref(&mut file).take(FIRST as u64).read_to_end(&mut first).ok()?;
    let rest = first.strip_prefix(MAGIC)?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (print, rest) = rest.split_first_chunk::<8>()?;
    let head_bytes = rest.get(..usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
    if fingerprint(head_bytes, 0) != u64::from_le_bytes(*print) {
        return None;
    }
    let head: Head = postcard::from_bytes(head_bytes).ok()?;
    if head.version != version() || head.chosen.as_deref() != chosen || head.sources != sources {
        return None;
    }
    let index = event.index().unwrap_or(EventName::ALL.len());
    let start = match index.checked_sub(1) {
        None => 0,
        Some(before) => *head.ends.get(before)? as usize,
    };
    let wanted = (*head.ends.get(index)? as usize).checked_sub(start)?;
    let body = MAGIC.len() + length.len() + print.len() + head_bytes.len();
    let decode = |bytes: &[u8]| {
        let (print, bytes) = bytes.split_first_chunk::<8>()?;
        let is_whole = fingerprint(bytes, index as u64) == u64::from_le_bytes(*print);
        postcard::from_bytes(bytes).ok().filter(|_| is_whole)
    };
    let plan = if let Some(bytes) = first.get(body + start..body + start + wanted) {
        decode(bytes)?
    } else {
        decode(&read_at(&file, (body + start) as u64, wanted)?)?
    };
    let from = (body + *head.ends.last()? as usize) as u64;
    Some(Loaded { plan, events: head.events, faults: head.faults, rules: Some(StoredRules { file, from }) })
}

/// So many bytes of the file; `None` if it has fewer there.
fn read_at(file: &File, from: u64, bytes: usize) -> Option<Vec<u8>> {
    let mut read = Vec::new();
    read.try_reserve_exact(bytes).ok()?;
    // Into memory as it is: clearing it first would cost more than the rest.
    #[cfg(unix)]
    while read.len() < bytes {
        let at = from + read.len() as u64;
        match rustix::io::pread(file, rustix::buffer::spare_capacity(&mut read), at) {
            Ok(0) => return None,
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
    #[cfg(not(unix))]
    {
        let mut file = file;
        std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(from)).ok()?;
        file.take(bytes as u64).read_to_end(&mut read).ok()?;
    }
    read.truncate(bytes);
    (read.len() == bytes).then_some(read)
}

fn write(
    path: &Path,
    project: &Project,
    chosen: Option<&[String]>,
    sources: Vec<Stamp>,
    force: &InForce,
) -> anyhow::Result<()> {
    let mut plans: Vec<u8> = Vec::new();
    let mut ends = Vec::new();
    let mut rules = Vec::new();
    let other = EventName::Other(std::borrow::Cow::Borrowed(""));
    for (index, event) in (0..).zip(EventName::ALL.iter().chain([&other])) {
        let mut plan = force.profile.plan(event);
        rules = plan.take_rules().unwrap_or(rules);
        let body = postcard::to_allocvec(&plan)?;
        plans.extend(fingerprint(&body, index).to_le_bytes());
        plans.extend(&body);
        ends.push(u32::try_from(plans.len())?);
    }
    let head = postcard::to_allocvec(&Head {
        version: version().to_owned(),
        chosen: chosen.map(<[String]>::to_vec),
        sources,
        events: force.profile.events(),
        faults: force.faults.clone(),
        ends,
    })?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(u32::try_from(head.len())?.to_le_bytes());
    bytes.extend(fingerprint(&head, 0).to_le_bytes());
    bytes.extend(head);
    bytes.extend(plans);
    bytes.extend(rules);
    project.prepare()?;
    anyhow::ensure!(!project.state_is_elsewhere(), "the state folder is a link");
    let state = project.state();
    open::private_folder(&state)?;
    // Rare, so a rename may cost what it costs; a reader finds the old cache or the new one.
    let mut temporary = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(&state)?;
    temporary.write_all(&bytes)?;
    temporary.persist(path)?;
    sweep(&state);
    Ok(())
}

/// Takes away what processes that were killed before they gave it its name have left. A younger one may still be written.
fn sweep(state: &Path) {
    for entry in std::fs::read_dir(state).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(TEMPORARY);
        let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_ours && age().is_some_and(|age| age > ABANDONED) {
            // One that will not go is one more that stays.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// How the name of a cache begins that is being written.
const TEMPORARY: &str = ".cache-";

/// The age from which on such a file belongs to nobody: no run lasts that long.
const ABANDONED: Duration = Duration::from_secs(600);

/// What the cache calls this executable: two builds of one version may resolve differently while they are worked on.
fn version() -> &'static str {
    concat!(env!("CARGO_PKG_VERSION"), " ", env!("HOOKBIN_BUILD"))
}

impl Stamp {
    fn of(path: PathBuf) -> Self {
        let here = match path.symlink_metadata() {
            Ok(metadata) if metadata.is_symlink() => std::fs::metadata(&path).map_err(Some),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(None),
            other => other.map_err(Some),
        };
        let seen = match here {
            Ok(metadata) => Some(Seen::of(&metadata)),
            Err(None) => None,
            // Something is there that cannot be looked at: reading it says what is wrong.
            Err(Some(_)) => Some(Seen { bytes: u64::MAX, modified: 0, inode: 0 }),
        };
        Self { path, seen }
    }
}

impl Seen {
    fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Self { bytes: metadata.len(), modified: modified.unwrap_or_default().as_nanos(), inode }
    }
}
