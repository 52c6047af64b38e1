//! The profile in force: resolved from its files, and kept in a compiled form so that a hook run reads no TOML.
//!
//! The compiled form is one file in the user's state directory, never in the project: what lies in a clone, anybody may have made. It names the files that it was made from by path, size, time and inode, and
//! the version of the executable; when anything differs it is rebuilt, silently. It holds one plan an event, so that a run decodes
//! only the plan that it needs, and behind the plans custom rules, of which a run reads those that its call could meet. Each
//! part carries its fingerprint, so that a damaged file is rebuilt as well.

use std::fs::{File, Metadata};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hook_policy::profile::{ConfigError, EventSet, Plan, Profile, RawProfile, Reach, resolve};
use hook_policy::rule::{RuleStore, fingerprint};
use hook_protocol::event::EventName;
use serde::{Deserialize, Serialize};

use crate::config::faults::Faults;
use crate::config::profiles;
use crate::project::Project;
use crate::project::places;
use crate::system::System;
use crate::system::account;
use crate::system::files;
use crate::system::open;
use crate::trust::{self, Standing};

const MAGIC: &[u8; 8] = b"hookbin\x04";

/// First read of the file, in bytes. The head and small plans fit.
const FIRST: usize = 8 << 10;

/// Largest configuration file of a user that is read.
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
    /// How far the project's configuration counts.
    pub standing: Standing,
    /// The user's rules, where the plan does without them.
    pub rules: Option<Arc<StoredRules>>,
}

/// Rules of a user that a plan does without, in the very file that the plan was read from.
#[derive(Debug)]
pub struct StoredRules {
    file: File,
    from: u64,
    is_damaged: AtomicBool,
}

impl StoredRules {
    /// Whether what lies in the file is not what was stored, so that the plan has to be rebuilt.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }
}

impl RuleStore for StoredRules {
    fn read(&self, from: u32, bytes: u32) -> Option<Vec<u8>> {
        read_at(&self.file, self.from + u64::from(from), bytes as usize)
    }

    fn damaged(&self) {
        self.is_damaged.store(true, Ordering::Relaxed);
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
    /// How far the project's configuration counts.
    pub standing: Standing,
    /// The profiles that the user chose, or trusts.
    pub chosen: Vec<String>,
    /// Further ones that a configuration names which nobody trusts: of these only what is stricter counts.
    pub asked: Vec<String>,
    /// It follows from the files alone. Directories around them decide as well who wrote them, and are not looked at again until something is
    /// compiled again.
    is_lasting: bool,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    version: String,
    chosen: Option<Vec<String>>,
    sources: Sources,
    events: EventSet,
    faults: Faults,
    standing: Standing,
    /// End of each event's plan, counted from the end of the head; the last is the plan of an event without an index. A plan begins
    /// with its fingerprint.
    ends: Vec<u32>,
}

/// The files that a profile is made from, the weakest first, and the record of what the user trusts.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Sources {
    files: Vec<(Whose, Stamp)>,
    /// Where the project has a configuration.
    record: Option<Stamp>,
    /// The content of it that is taken for trusted.
    #[serde(skip)]
    trusting: Option<String>,
}

/// Whose a configuration file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Whose {
    /// The user's own.
    Person,
    /// The project's, which a clone brings.
    Project,
    /// Whoever asks what a file would do names it, and means all of it.
    Named,
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
    /// When it last changed in any way, its owner and mode among them (nanoseconds).
    changed: i128,
    inode: u64,
}

/// The plan of `event` under the profile in force. `chosen` are the profiles that the command line names, which outrank the files.
pub fn load(event: &EventName<'_>, chosen: Option<&[String]>, project: Option<&Project>, system: &System) -> Loaded {
    let sources = sources(project, system);
    let path = cache_path(project, chosen, system);
    if let Some(found) = path.as_deref().and_then(|path| read(path, event, chosen, &sources)) {
        return found;
    }
    make(event, chosen, sources, project, path.as_deref(), system)
}

/// The same for a run that has no time: what is compiled already, else what is built in.
pub fn load_compiled(
    event: &EventName<'_>,
    chosen: Option<&[String]>,
    project: Option<&Project>,
    system: &System,
) -> Loaded {
    let path = cache_path(project, chosen, system);
    let found = path.and_then(|path| read(&path, event, chosen, &sources(project, system)));
    found.unwrap_or_else(|| make(event, chosen, Sources::default(), None, None, system))
}

/// The same from the files, whatever the compiled form says, which is rebuilt.
pub fn load_anew(
    event: &EventName<'_>,
    chosen: Option<&[String]>,
    project: Option<&Project>,
    system: &System,
) -> Loaded {
    make(event, chosen, sources(project, system), project, cache_path(project, chosen, system).as_deref(), system)
}

fn make(
    event: &EventName<'_>,
    chosen: Option<&[String]>,
    sources: Sources,
    project: Option<&Project>,
    kept: Option<&Path>,
    system: &System,
) -> Loaded {
    let force = in_force(chosen, &sources, project, system);
    if let Some(path) = kept.filter(|_| force.is_lasting) {
        // Without the cache the next run is slower and nothing else.
        let _ = write(path, chosen, sources, &force);
    }
    Loaded {
        plan: force.profile.plan(event),
        events: force.profile.events(),
        faults: force.faults,
        standing: force.standing,
        rules: None,
    }
}

/// The profile in force, resolved from its files.
pub fn resolve_now(chosen: Option<&[String]>, project: Option<&Project>, system: &System) -> InForce {
    in_force(chosen, &sources(project, system), project, system)
}

/// The profile that is in force once the user trusts this content of the project's configuration.
pub fn resolve_trusting(config: Option<&str>, project: &Project, system: &System) -> InForce {
    let sources = Sources { trusting: config.map(str::to_owned), ..sources(Some(project), system) };
    in_force(None, &sources, Some(project), system)
}

/// The same with `file` in the place of the project's configuration, for a policy that is not in force yet.
pub fn resolve_file(file: &Path, system: &System) -> InForce {
    let files = system.user_config().into_iter().chain([system.absolute_path(file)]);
    let files = files.map(|file| (Whose::Named, Stamp::of(file))).collect();
    in_force(None, &Sources { files, ..Sources::default() }, None, system)
}

/// The configuration files, the weakest first: the user's, the project's, and the user's for this project.
pub fn files(project: Option<&Project>, system: &System) -> Vec<PathBuf> {
    listed(project, system).map(|(_, path)| path).collect()
}

fn listed(project: Option<&Project>, system: &System) -> impl Iterator<Item = (Whose, PathBuf)> {
    let user = system.user_config();
    let own = user.as_deref().zip(project).and_then(|(user, project)| places::config_beside(user, project));
    let of_project = project.map(|project| (Whose::Project, project.config()));
    let of_person = |path| (Whose::Person, path);
    user.map(of_person).into_iter().chain(of_project).chain(own.map(of_person))
}

fn sources(project: Option<&Project>, system: &System) -> Sources {
    let files: Vec<_> = listed(project, system).map(|(whose, path)| (whose, Stamp::of(path))).collect();
    // Most projects have no configuration, and pay for no record.
    let is_there = files.iter().any(|(whose, stamp)| *whose == Whose::Project && stamp.seen.is_some());
    let record = project.filter(|_| is_there).and_then(|project| trust::place(project, system));
    Sources { files, record: record.map(Stamp::of), trusting: None }
}

/// Resolves all files. What cannot be read of them is off and told, and everything else holds: the guard is never off.
fn in_force(chosen: Option<&[String]>, sources: &Sources, project: Option<&Project>, system: &System) -> InForce {
    let known = profiles::names();
    let is_known = |name: &String| known.contains(&name.as_str());
    let mut unread = Vec::new();
    let mut files = Vec::new();
    let mut named: Vec<String> = Vec::new();
    let mut standing = Standing::Plain;
    let mut is_lasting = true;
    for (whose, source) in sources.files.iter().filter(|(_, source)| source.seen.is_some()) {
        let shown = source.path.display().to_string();
        let read = match whose {
            Whose::Named => of_person(&source.path, &shown, None, system),
            Whose::Person => {
                let why = account::why_others_on_the_way(&source.path, system);
                is_lasting &= why.is_none();
                of_person(&source.path, &shown, why, system)
            }
            Whose::Project => {
                let (read, found) = match &sources.trusting {
                    Some(text) => {
                        (Source::trusted(RawProfile::parse(&shown, text).within(Reach::Project)), Standing::Trusted)
                    }
                    None => of_project(&source.path, &shown, project, system),
                };
                standing = found;
                is_lasting &= !project.is_some_and(|project| trust::is_doubted(project, system));
                read
            }
        };
        unread.extend(read.fault);
        let Some(file) = read.file else { continue };
        // What nobody trusts names no profile in the place of another.
        if let (Some(names), true) = (file.profiles(), read.is_trusted) {
            // Of a list without any that exists the one below it stays, else the default.
            let below = if names.iter().any(is_known) { Vec::new() } else { named };
            named = names.iter().cloned().chain(below.into_iter().filter(is_known)).collect();
        }
        files.push(file);
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
    let (chosen, asked) = profile.names.iter().cloned().partition(|name| names.contains(name));
    InForce { profile, fault: faults.summary(), faults, standing, chosen, asked, is_lasting }
}

/// What was read of one file.
struct Source {
    file: Option<RawProfile>,
    is_trusted: bool,
    fault: Option<ConfigError>,
}

impl Source {
    fn unread(shown: &str, why: &std::io::Error) -> Self {
        Self {
            file: None,
            is_trusted: false,
            fault: Some(ConfigError::of_file(shown, format!("it cannot be read: {why}"))),
        }
    }

    fn trusted(file: RawProfile) -> Self {
        Self { file: Some(file), is_trusted: true, fault: None }
    }

    fn stricter(file: RawProfile, fault: Option<ConfigError>) -> Self {
        Self { file: Some(file.within(Reach::Stricter)), is_trusted: false, fault }
    }
}

/// A user's own file, as far as nobody else may have written it.
fn of_person(path: &Path, shown: &str, around: Option<String>, system: &System) -> Source {
    match read_judged(path, system).map(|(text, why)| (text, why.map(str::to_owned).or(around))) {
        Err(error) => Source::unread(shown, &error),
        Ok((text, None)) => Source::trusted(RawProfile::parse(shown, &text)),
        Ok((text, Some(why))) => {
            let said = format!("{why}, so only what makes it stricter counts; make it yours alone (chmod go-w, chown)");
            Source::stricter(RawProfile::parse(shown, &text), Some(ConfigError::of_file(shown, said)))
        }
    }
}

/// The project's file as far as the user trusts it.
fn of_project(path: &Path, shown: &str, project: Option<&Project>, system: &System) -> (Source, Standing) {
    let record = project.and_then(|project| trust::read(project, system));
    let trusted = record.as_ref().zip(project).and_then(|(record, project)| record.text(project));
    let parse = |text: &str| RawProfile::parse(shown, text);
    match (read_project_config(path), trusted) {
        (Ok(text), Some(trusted)) if text == trusted => {
            (Source::trusted(parse(&text).within(Reach::Project)), Standing::Trusted)
        }
        (Ok(_), Some(trusted)) => (Source::trusted(parse(trusted).within(Reach::Project)), Standing::Changed),
        (Err(error), Some(trusted)) => {
            let read = Source::trusted(parse(trusted).within(Reach::Project));
            (Source { fault: Source::unread(shown, &error).fault, ..read }, Standing::Changed)
        }
        (Ok(text), None) => {
            let file = parse(&text);
            let wants =
                file.profiles().is_some_and(|names| names != [profiles::DEFAULT]) || !trust::wishes(&text).is_empty();
            (Source::stricter(file, None), if wants { Standing::Untrusted } else { Standing::Plain })
        }
        (Err(error), None) => (Source::unread(shown, &error), Standing::Plain),
    }
}

/// The text of a configuration file.
pub fn read_config(path: &Path) -> std::io::Result<String> {
    Ok(read_with_metadata(open::foreign(path), MAX_CONFIG_BYTES)?.0)
}

/// The text of a project's configuration, which lies in `.claude`. A link there would have another file's lines told as faults.
pub fn read_project_config(path: &Path) -> std::io::Result<String> {
    let root = path.ancestors().nth(2).unwrap_or(path);
    Ok(read_with_metadata(open::Beneath::new(root).to_read(path), trust::MAX_PROJECT_BYTES)?.0)
}

/// The text of a user's file, and why others decide what it says, if they do.
fn read_judged(path: &Path, system: &System) -> std::io::Result<(String, Option<&'static str>)> {
    let (text, metadata) = read_with_metadata(open::foreign(path), MAX_CONFIG_BYTES)?;
    let dir = path.parent().and_then(|dir| dir.metadata().ok());
    let why = account::why_others(&metadata, system);
    Ok((text, why.or_else(|| account::why_others(&dir?, system).map(|_| "others may put another in its place"))))
}

fn read_with_metadata(opened: std::io::Result<File>, most: u64) -> std::io::Result<(String, Metadata)> {
    let file = opened?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(std::io::Error::other("it is not a plain file"));
    }
    let mut text = Vec::new();
    file.take(most + 1).read_to_end(&mut text)?;
    if text.len() as u64 > most {
        return Err(std::io::Error::other(format!("larger than {most} bytes")));
    }
    // A byte that is no text is a fault of its line, and the profile that the file names can still be told.
    let text = String::from_utf8(text)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).replace('\u{fffd}', "\u{0}"));
    Ok((text, metadata))
}

/// One cache a project and a choice of the command line, so that entries that name a profile do not undo each other's.
pub fn cache_path(project: Option<&Project>, chosen: Option<&[String]>, system: &System) -> Option<PathBuf> {
    let mut name = places::name_of(project?)?;
    if let Some(names) = chosen {
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        name.push('-');
        name.extend(names.join("+").chars().map(safe).take(64));
    }
    name.push_str(".cache");
    let mut path = system.state_dir()?;
    path.push("compiled");
    path.push(name);
    Some(path)
}

fn read(path: &Path, event: &EventName<'_>, chosen: Option<&[String]>, sources: &Sources) -> Option<Loaded> {
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
    if head.version != version() || head.chosen.as_deref() != chosen || head.sources != *sources {
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
    let mut plan: Plan = if let Some(bytes) = first.get(body + start..body + start + wanted) {
        decode(bytes)?
    } else {
        decode(&read_at(&file, (body + start) as u64, wanted)?)?
    };
    let from = (body + *head.ends.last()? as usize) as u64;
    let rules = Arc::new(StoredRules { file, from, is_damaged: AtomicBool::new(false) });
    plan.attach_rules(&(Arc::clone(&rules) as Arc<dyn RuleStore>));
    Some(Loaded { plan, events: head.events, faults: head.faults, standing: head.standing, rules: Some(rules) })
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
    chosen: Option<&[String]>,
    sources: Sources,
    force: &InForce,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut plans: Vec<u8> = Vec::new();
    let mut ends = Vec::new();
    let mut rules = Vec::new();
    let other = EventName::Other(std::borrow::Cow::Borrowed(""));
    for (index, event) in (0..).zip(EventName::ALL.iter().chain([&other])) {
        let mut plan = force.profile.plan(event);
        rules = plan.detach_rules().unwrap_or(rules);
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
        standing: force.standing,
        ends,
    })?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(u32::try_from(head.len())?.to_le_bytes());
    bytes.extend(fingerprint(&head, 0).to_le_bytes());
    bytes.extend(head);
    bytes.extend(plans);
    bytes.extend(rules);
    let Some(dir) = path.parent() else { return Ok(()) };
    open::private_dir(dir)?;
    // Rare, so a rename may cost what it costs; a reader finds the old cache or the new one.
    let mut temporary = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(dir)?;
    temporary.write_all(&bytes)?;
    temporary.persist(path)?;
    // What root compiles in a user's home directory, the user has to be able to make again.
    let _ = [dir, path].map(files::inherit_owner);
    sweep(dir);
    Ok(())
}

/// Takes away what processes that were killed before they gave it its name have left, and what was compiled long ago: the project may be
/// gone, and if it is not, one run is slower.
fn sweep(dir: &Path) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let limit = if entry.file_name().to_string_lossy().starts_with(TEMPORARY) { ABANDONED } else { UNUSED };
        let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if age().is_some_and(|age| age > limit) {
            // One that will not go is one more that stays.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// How the name of a cache begins that is being written.
const TEMPORARY: &str = ".cache-";

/// The age from which on such a file belongs to nobody: no run lasts that long.
const ABANDONED: Duration = Duration::from_secs(600);

/// The age from which on a compiled configuration is thrown away.
const UNUSED: Duration = Duration::from_secs(60 * 24 * 3_600);

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
            Err(Some(_)) => Some(Seen { bytes: u64::MAX, modified: 0, changed: 0, inode: 0 }),
        };
        Self { path, seen }
    }
}

impl Seen {
    fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        #[cfg(unix)]
        let (inode, changed) = {
            use std::os::unix::fs::MetadataExt;
            (metadata.ino(), i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec()))
        };
        #[cfg(not(unix))]
        let (inode, changed) = (0, 0);
        Self { bytes: metadata.len(), modified: modified.unwrap_or_default().as_nanos(), changed, inode }
    }
}
