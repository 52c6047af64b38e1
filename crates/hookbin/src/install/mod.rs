//! Installing into a project or for a user, and taking everything out again.
//!
//! Nothing foreign is touched: the settings file keeps every byte that is not ours, the configuration file keeps every line but one.
//! A note beside the executable says what was changed there, so that taking out gives back the same bytes. What fails midway is taken
//! back; what is killed midway leaves the old settings or the new ones, and the next run clears the rest.

mod foreign;
mod ignored;
mod remove;
mod shared;
mod surroundings;
mod undo;
mod written;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use hook_policy::profile::Profile;
use hook_protocol::settings::edit::{self, EditError, Edited, HandlerView, Removed};
use serde::Serialize;

pub(crate) use self::ignored::{tracks_copy, unignored};
pub use self::remove::{has_left_anything, uninstall, uninstall_project};
pub(crate) use self::shared::idle_copy;
pub(crate) use self::undo::Undo;
use crate::migrate::starts_one_of;
use hook_runtime::config::cache;
use hook_runtime::facts::signed;
pub(crate) use hook_runtime::installation::Record;
pub use hook_runtime::installation::{Place, Scope};
use hook_runtime::system::System;
pub(crate) use hook_runtime::system::files::{
    Change, clear_temporaries, inherit_owner, lock, lossy, lossy_option, make_dir, read, replace, set_mode, sha256,
};
use hook_runtime::trust;
use hook_runtime::vault::Vault;

/// What to install, and where.
#[derive(Debug, Clone)]
pub struct Request {
    /// Where.
    pub place: Place,
    /// Profiles that exist, to write into the configuration; without any it stays as it is.
    pub profiles: Option<Vec<String>>,
    /// Edit a settings file that the host does not read.
    pub force: bool,
    /// Let a hook that cannot run count as a refusal.
    pub strict: bool,
    /// File names of other scripts whose entries give way to ours.
    pub replaces: Vec<String>,
}

/// What was done, or would be.
#[derive(Debug, Clone, Serialize)]
pub struct Done {
    /// Schema version of the JSON form.
    pub version: u32,
    /// The scope.
    pub scope: Scope,
    /// The settings file.
    #[serde(serialize_with = "lossy")]
    pub settings: PathBuf,
    /// Whether any file changed, or would.
    pub changed: bool,
    /// Entries written again.
    pub added: usize,
    /// Older entries of ours brought up to date.
    pub updated: usize,
    /// Entries of ours taken out.
    pub removed: usize,
    /// The copy of the settings as they were.
    #[serde(serialize_with = "lossy_option")]
    pub backup: Option<PathBuf>,
    /// What would change, as a unified diff; only of a dry run.
    pub diff: Option<String>,
    /// What was done, a sentence each, for a user.
    pub said: Vec<String>,
    /// What a user should look at.
    pub warnings: Vec<String>,
}

impl Done {
    fn new(place: &Place) -> Self {
        Self {
            version: 1,
            scope: place.scope,
            settings: place.settings.clone(),
            changed: false,
            added: 0,
            updated: 0,
            removed: 0,
            backup: None,
            diff: None,
            said: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// What was done in two steps, as one.
    fn and(mut self, mut next: Self) -> Self {
        self.changed |= next.changed;
        self.added += next.added;
        self.updated += next.updated;
        self.removed += next.removed;
        self.backup = self.backup.or(next.backup);
        self.diff = match (self.diff, next.diff) {
            (Some(first), Some(second)) => Some(first + &second),
            (first, second) => first.or(second),
        };
        self.said.append(&mut next.said);
        self.warnings.append(&mut next.warnings);
        self
    }

    fn say(&mut self, text: impl Into<String>) {
        self.said.push(text.into());
    }

    /// Turns planned changes into what a dry run shows.
    fn preview(mut self, changes: &[&Change]) -> Self {
        let needed = changes.iter().filter(|change| change.is_needed());
        let diff: String = needed.map(|change| change.diff()).collect();
        self.changed |= !diff.is_empty();
        self.diff = Some(diff);
        self
    }
}

/// Everything that can be refused is refused while this is made, before anything is written.
struct Prepared {
    settings: Change,
    edited: Edited,
    config: Option<Change>,
    executable: Vec<u8>,
    /// Whether the entries count a failure as a refusal, by the request or since they did before.
    strict: bool,
}

impl Prepared {
    fn new(request: &Request, system: &System) -> anyhow::Result<Self> {
        let place = &request.place;
        ignored::check_link(place, system)?;
        let before = read(place.spot(&place.settings))?;
        let entries = place.entries(request.profiles.as_deref(), request.strict, before.as_deref(), system);
        let gives_way = |entry: &HandlerView<'_>| place.owns(entry) || starts_one_of(entry, &request.replaces);
        let edited = edit::install(before.as_deref(), &entries, &gives_way, request.force)
            .map_err(|error| refusal(error, &place.settings))?;
        let after = if edited.changed { Some(edited.text.clone()) } else { before.clone() };
        let config = match &request.profiles {
            None => None,
            Some(names) => {
                let before = read(place.spot(&place.config))?;
                let after = hook_runtime::installation::with_profiles(before.as_deref(), names)
                    .with_context(|| format!("cannot edit {}; correct it first", place.config.display()))?;
                Some(Change { spot: place.spot(&place.config), before, after: Some(after) }).filter(Change::is_needed)
            }
        };
        let own = std::env::current_exe().context("cannot find the running executable")?;
        let executable = hook_runtime::system::open::read(&own, written::MOST_EXECUTABLE)
            .with_context(|| format!("cannot read {}", own.display()))?;
        let strict = entries.iter().any(|entry| entry.on_failure_block);
        let settings = Change { spot: place.spot(&place.settings), before, after };
        Ok(Self { settings, edited, config, executable, strict })
    }
}

/// The refusal of a settings text, with its file and the way around it.
fn refusal(error: EditError, settings: &Path) -> anyhow::Error {
    let way = match error {
        EditError::NotPlain { .. } => " (`--force` edits it all the same and keeps them)",
        _ => "",
    };
    anyhow::Error::from(error).context(format!("cannot edit {}; nothing was changed{way}", settings.display()))
}

/// Installs, or with `dry_run` says what would change. The settings entry comes last: it is never there without the executable that
/// it names.
pub fn install(request: &Request, dry_run: bool, system: &System) -> anyhow::Result<Done> {
    let place = &request.place;
    check_root(place)?;
    // Without a directory of the user's there is no place for the executable: the project is none.
    Place::of_user(system)?;
    let mut done = Done::new(place);
    if dry_run {
        let prepared = Prepared::new(request, system)?;
        (done.added, done.updated, done.removed) =
            (prepared.edited.added, prepared.edited.updated, prepared.edited.removed);
        hook_runtime::system::files::check_writable(place.written_dirs().iter())?;
        for path in foreign::found(place, &prepared.executable, system) {
            done.changed = true;
            done.say(format!("{} would be moved aside: it was not made by an installation of yours", path.display()));
        }
        let notes = surroundings::changes(system)?;
        let changes: Vec<&Change> = [&prepared.settings].into_iter().chain(&prepared.config).chain(&notes).collect();
        return Ok(done.preview(&changes));
    }
    let _lock = lock(&place.lock)?;
    let prepared = Prepared::new(request, system)?;
    hook_runtime::system::files::check_writable(place.written_dirs().iter())?;
    foreign::set_aside(place, &prepared.executable, system, &mut done)?;
    Record::read_or_warn(place, &mut done.warnings);
    clear_written(place, &mut done);
    let mut undo = Undo::default();
    let written = write(request, &prepared, &mut undo, &mut done, system);
    if let Err(error) = written {
        undo.undo();
        return Err(error);
    }
    tell_of_colleagues(place, &prepared, &mut done);
    let force = cache::resolve_now(None, place.project.as_ref(), system);
    done.warnings.extend(force.fault.clone());
    done.warnings.extend(unused_vault(place, system));
    done.warnings.extend(unignored(place, system));
    done.warnings.extend(ignored::brought(place, system));
    done.warnings.extend(not_covered(place));
    make_key(place, &force.profile, &mut done, system);
    Ok(done)
}

/// What to say of working trees of the same repository in which these entries do not count.
fn not_covered(place: &Place) -> Option<String> {
    let root = place.project.as_ref()?.root();
    let trees = ignored::other_worktrees(root);
    let first = trees.first()?;
    let more = if trees.len() > 1 { format!(" and {} more", trees.len() - 1) } else { String::new() };
    Some(format!(
        "not covered: the working tree {}{more}; install there too, or everywhere with `hookbin install --scope user`",
        first.display()
    ))
}

/// What to say of a vault that the profile in force does not use.
fn unused_vault(place: &Place, system: &System) -> Option<String> {
    let vault = Vault::of(place.project.as_ref()?, system).ok().filter(|vault| vault.exists() && !vault.is_used())?;
    Some(format!("the profile does not use {}; `{}` gives everything back", vault.said(), vault.way_out()))
}

/// Makes the key of a signed state before the agent acts for the first time, where a check keeps one. Without it the first use does.
fn make_key(place: &Place, profile: &Profile, done: &mut Done, system: &System) {
    let Some(project) = place.project.as_ref().filter(|_| signed::is_kept(profile)) else { return };
    let signed = signed::of(project, system);
    match (signed.make_key(), signed.key_path()) {
        (Ok(true), Some(path)) => {
            let made: Vec<&Path> = path.ancestors().take(3).collect();
            // What cannot be given to the user is told by doctor.
            let _ = made.into_iter().rev().try_for_each(inherit_owner);
            done.say(format!("made the key of the signed state, {}", path.display()));
        }
        (Ok(_), _) => {}
        (Err(error), _) => done.warnings.push(format!("the key of the signed state could not be made: {error}")),
    }
}

fn write(
    request: &Request,
    prepared: &Prepared,
    undo: &mut Undo,
    done: &mut Done,
    system: &System,
) -> anyhow::Result<()> {
    let place = &request.place;
    let placed = shared::is_placed(place, system);
    let made = undo.make_dirs(place)?;
    let executable = place.spot(&place.executable);
    let is_new = !executable.exists();
    if written::place_executable(&executable, &prepared.executable)? {
        undo.files.extend(is_new.then_some(executable));
        done.changed = true;
        done.say(format!("placed {}", place.executable.display()));
    } else {
        done.say(format!("kept {}", place.executable.display()));
    }
    private_again(place, done)?;
    let record = Record::new(place, prepared.config.as_ref(), sha256(&prepared.executable), placed, made)?;
    shared::adopt(place, undo)?;
    undo.changes.push(record.write(place)?);
    if let Some(config) = &prepared.config {
        // What the guard goes by in the user's own place is for nobody else to change, whatever the umask.
        if let Some(dir) = place.config.parent().filter(|_| !config.spot.is_below()) {
            make_dir(dir, true)?;
        }
        config.make()?;
        undo.changes.push(config.clone());
        if let (Scope::Project, Some(project)) = (place.scope, &place.project) {
            trust::follow(config.before.as_deref(), config.after.as_deref(), project, system)?;
        }
        done.changed = true;
        let names = request.profiles.as_deref().unwrap_or_default();
        done.say(format!("wrote {}: profile = {names:?}", place.config.display()));
    }
    for note in surroundings::changes(system)? {
        if let Some(dir) = note.spot.path.parent() {
            make_dir(dir, true)?;
        }
        note.make()?;
        done.changed = true;
        done.say(format!("noted in {} which directories are yours", note.spot.path.display()));
        undo.changes.push(note);
    }
    register(request, prepared, undo, done, system)?;
    forget_uninstalled(place, undo)?;
    shared::retire(place, undo, done, system)
}

/// Writes the settings, and keeps a copy of them as they were.
fn register(
    request: &Request,
    prepared: &Prepared,
    undo: &mut Undo,
    done: &mut Done,
    system: &System,
) -> anyhow::Result<()> {
    let place = &request.place;
    if !prepared.settings.is_needed() {
        done.say(format!("{} is up to date", place.settings.display()));
        return Ok(());
    }
    if let Some(before) = &prepared.settings.before {
        let backup = written::back_up(&place.settings, before, &place.spot(&place.own), system.now)?;
        undo.files.push(place.spot(&backup));
        done.say(format!("kept a copy of the settings as {}", backup.display()));
        done.backup = Some(backup);
    }
    prepared.settings.make()?;
    undo.changes.push(prepared.settings.clone());
    let Edited { added, updated, removed, .. } = prepared.edited;
    (done.added, done.updated, done.removed, done.changed) = (added, updated, removed, true);
    done.say(format!(
        "registered in {}: {added} added, {updated} updated, {removed} removed",
        place.settings.display()
    ));
    Ok(())
}

/// What becomes of the settings that a team shares.
fn tell_of_colleagues(place: &Place, prepared: &Prepared, done: &mut Done) {
    if place.scope != Scope::Project {
        return;
    }
    let config = if place.config.exists() { " and .claude/hookbin.toml" } else { "" };
    done.say(format!("commit .claude/settings.json{config} if the team wants this guard; the executable stays yours"));
    done.say(if prepared.strict {
        "without hookbin a colleague is refused every call, with the command that brings it"
    } else {
        "without hookbin a colleague sees one line a session, with the command that brings it, and calls go on"
    });
}

/// The entries are there again, so the user's word that they are to be gone holds no longer.
fn forget_uninstalled(place: &Place, undo: &mut Undo) -> anyhow::Result<()> {
    let Some(path) = place.mark.clone() else { return Ok(()) };
    let change = Change { before: read(&path)?, spot: (&path).into(), after: None };
    if change.is_needed() {
        change.make()?;
        undo.changes.push(change);
    }
    Ok(())
}

/// Closes directories of ours that others may look into.
#[cfg(unix)]
fn private_again(place: &Place, done: &mut Done) -> anyhow::Result<()> {
    for dir in place.dirs() {
        let mode = std::fs::metadata(dir).map(|metadata| std::os::unix::fs::MetadataExt::mode(&metadata));
        if mode.is_ok_and(|mode| mode & 0o077 != 0) {
            set_mode(place.spot(dir), 0o700)?;
            done.changed = true;
            done.say(format!("set the mode of {} to 700", dir.display()));
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn private_again(_place: &Place, _done: &mut Done) -> anyhow::Result<()> {
    Ok(())
}

fn clear_written(place: &Place, done: &mut Done) {
    for dir in place.written_dirs() {
        for path in clear_temporaries(place.spot(&dir)) {
            done.say(format!("removed {}, which an interrupted installation left", path.display()));
        }
    }
}

/// A settings file without the entries that go.
fn without(place: &Place, goes: &dyn Fn(&HandlerView<'_>) -> bool, force: bool) -> anyhow::Result<Change> {
    let settings = &place.settings;
    let before = read(place.spot(settings))?;
    let removed = match &before {
        None => Removed::Unchanged,
        Some(text) => edit::uninstall(text, &goes, force).map_err(|error| refusal(error, settings))?,
    };
    let after = match removed {
        Removed::Unchanged => before.clone(),
        Removed::Text(text) => Some(text),
        Removed::DeleteFile => None,
    };
    Ok(Change { spot: place.spot(settings), before, after })
}

/// Takes the entries that start one of these scripts out of a settings file, and keeps a copy of it. What was done can be taken back.
pub(crate) fn take_out(
    place: &Place,
    scripts: &[String],
    force: bool,
    dry_run: bool,
    system: &System,
) -> anyhow::Result<(Done, Undo)> {
    let (mut done, mut undo) = (Done::new(place), Undo::default());
    let _lock = if dry_run { None } else { lock(&place.lock)? };
    ignored::check_link(place, system)?;
    let change = without(place, &|entry| starts_one_of(entry, scripts), force)?;
    if dry_run {
        return Ok((done.preview(&[&change]), undo));
    }
    if let Some(before) = change.before.as_deref().filter(|_| change.is_needed()) {
        undo.make_dirs(place)?;
        let backup = written::back_up(&place.settings, before, &place.spot(&place.own), system.now)?;
        undo.files.push(place.spot(&backup));
        done.say(format!("kept a copy of the settings as {}", backup.display()));
        change.make()?;
        done.say(format!("took the old entries out of {}", place.settings.display()));
        (done.backup, done.changed) = (Some(backup), true);
        undo.changes.push(change);
    }
    Ok((done, undo))
}

fn check_root(place: &Place) -> anyhow::Result<()> {
    match place.project.as_ref().map(hook_runtime::project::Project::root) {
        Some(root) if !root.is_dir() => {
            bail!("{} is not a directory; name an existing project with --project DIR", root.display())
        }
        _ => Ok(()),
    }
}
