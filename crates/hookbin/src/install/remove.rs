//! Taking an installation out again.

use std::path::PathBuf;

use anyhow::bail;
use hook_protocol::settings::edit::{self, HandlerView};

use super::ignored::{check_link, tracks_copy};
use super::{Done, check_root, clear_written, make_dir, replace, shared, surroundings, without, written};
use hook_runtime::allowance;
use hook_runtime::facts::evidence;
use hook_runtime::installation::Record;
use hook_runtime::installation::user;
use hook_runtime::installation::{Place, Scope};
use hook_runtime::project::{ignores_nothing, records_ignore};
use hook_runtime::system::System;
use hook_runtime::system::files::{self, Change, lock, read, remove, remove_empty, remove_tree};
use hook_runtime::trust;
use hook_runtime::vault::Vault;

/// Takes out what [`install`](super::install) put there, or with `dry_run` says what would change. Recorded state and log stay unless `purge` is set.
pub fn uninstall(place: &Place, force: bool, purge: bool, dry_run: bool, system: &System) -> anyhow::Result<Done> {
    let mut done = Done::new(place);
    check_root(place)?;
    let _lock = if dry_run { None } else { lock(&place.lock)? };
    let is_own = |entry: &HandlerView<'_>| place.owns(entry);
    check_link(place, system)?;
    let settings = without(place, &is_own, force)?;
    let own = settings.before.as_deref().and_then(|text| edit::find(text, &is_own).ok()).map_or(0, |found| found.len());
    done.removed = if settings.is_needed() { own } else { 0 };
    // What is recorded in the project has to stay while the other settings file of it holds entries, and an executable as long as
    // something starts it.
    let sibling = place.sibling(system);
    let shared = sibling.as_ref().map_or(Ok(false), Place::is_registered)?;
    let others = shared::others(place, system);
    let starts_projects = sibling.as_ref().map_or(Ok(false), Place::starts_projects)?;
    let is_kept = !others.is_empty();
    // The other settings of an earlier version share the note of the copy in the project.
    let is_noted_for_both = place.scope == Scope::Project && starts_projects;
    if !shared {
        refuse_over_vault(place, system)?;
    }
    let record = if is_noted_for_both { None } else { Record::read_or_warn(place, &mut done.warnings) };
    if record.is_none() && own > 0 && done.warnings.is_empty() && !is_kept && !is_noted_for_both {
        done.warnings.push(format!(
            "there is no note of this installation, as after a directory was moved; how {} was before is not known",
            place.config.display()
        ));
    }
    let goes = !is_kept && executable_goes(place, record.as_ref(), own);
    let copy = copy_that_goes(place, system).filter(|_| !starts_projects);
    let config = record.as_ref().map(|record| record.revert(place)).transpose()?.flatten();
    if dry_run {
        let changes: Vec<&Change> = [&settings].into_iter().chain(&config).collect();
        let mut done = done.preview(&changes);
        for gone in copy.iter().chain(goes.then_some(&place.executable)) {
            done.changed = true;
            done.say(format!("{} would be removed", gone.display()));
        }
        for dir in place.records.iter().filter(|dir| purge && !shared && dir.exists()) {
            done.changed = true;
            done.say(format!("{} would be removed", dir.display()));
        }
        return Ok(done);
    }
    clear_written(place, &mut done);
    done.changed = settings.is_needed();
    // A client sees the entries go at once, and asks whether that was the user's doing.
    let is_reverted = config.as_ref().is_some_and(Change::is_needed);
    mark(place, purge, settings.is_needed() || goes || copy.is_some() || is_reverted, system)?;
    match (&settings.before, &settings.after) {
        _ if !settings.is_needed() => done.say(format!("{} holds no entry of hookbin", place.settings.display())),
        (_, Some(_)) => done.say(format!("took the entries out of {}", place.settings.display())),
        (_, None) => done.say(format!("removed {}, which held nothing else", place.settings.display())),
    }
    if settings.is_needed() {
        settings.make()?;
    }
    drop_backups(place, settings.after.as_deref(), purge)?;
    forget(place, purge && !shared, system)?;
    if let Some(config) = config.filter(Change::is_needed) {
        config.make()?;
        done.changed = true;
        done.say(match &config.after {
            None => format!("removed {}", config.spot.path.display()),
            Some(_) => format!("took the profile out of {} again", config.spot.path.display()),
        });
    }
    if let Some(copy) = &copy {
        done.changed = true;
        remove(place.spot(copy))?;
    }
    if goes {
        done.changed = true;
        remove(place.spot(&place.executable))?;
        // While records stay, the note says where they are.
        for note in surroundings::made(system).into_iter().filter(|_| purge) {
            remove(&note)?;
            let _ = note.parent().is_some_and(remove_empty);
        }
    } else if is_kept && settings.is_needed() {
        done.say(format!("kept {}, which other entries start", place.executable.display()));
    }
    if !is_noted_for_both {
        vouch_no_more(place, system)?;
        Record::remove(place)?;
    }
    if shared {
        done.say("the other settings file of the project still uses hookbin, so what is recorded stays");
        if purge && let Some(sibling) = &sibling {
            let way = sibling.command().replacen("install", "uninstall --purge", 1);
            done.warnings.push(format!("what was recorded stays too, because it is still in use; `{way}` removes it"));
        }
    } else {
        clear(place, purge, &mut done)?;
    }
    for dir in place.further.iter().rev() {
        // Ours by their names; those with something in them stay.
        remove_empty(place.spot(dir));
    }
    if let Some(record) = record {
        record.remove_dirs(place, system);
        let heir = sibling.map(|sibling| sibling.note).filter(|note| note.exists()).or(others.into_iter().next());
        heir.map_or(Ok(()), |heir| record.leave_dirs(&heir))?;
    }
    Ok(done)
}

/// Without the executable nobody could take a vault out any more.
fn refuse_over_vault(place: &Place, system: &System) -> anyhow::Result<()> {
    let Some(project) = &place.project else { return Ok(()) };
    if let Some(vault) = Vault::of(project, system).ok().filter(Vault::exists) {
        bail!("{} is installed; nothing was changed, `{}` first", vault.said(), vault.way_out());
    }
    Ok(())
}

/// The copy of an earlier version in the project. What came with the repository is the repository's.
fn copy_that_goes(place: &Place, system: &System) -> Option<PathBuf> {
    hook_runtime::installation::copy(place).filter(|_| place.scope == Scope::Project && !tracks_copy(place, system))
}

/// Whether the executable is the installation's to remove. Another user's program under this name is left alone where no entry of ours
/// was ever there; and one's own where the entries are those of other people, whom it serves as well.
fn executable_goes(place: &Place, record: Option<&Record>, entries: usize) -> bool {
    let is_known = match place.scope {
        Scope::User => true,
        Scope::Local => record.is_some() || entries > 0,
        // A note in the project may be anybody's.
        Scope::Project => record.is_some() && place.note.exists(),
    };
    is_known && record.is_none_or(|record| record.has_placed(place)) && place.executable.exists()
}

fn vouch_no_more(place: &Place, system: &System) -> Result<(), hook_runtime::Error> {
    match &place.project {
        Some(_) if place.scope == Scope::Local => Ok(()),
        Some(project) => {
            let Some(voucher) = user::voucher(project, system) else { return Ok(()) };
            remove(&voucher)?;
            for dir in voucher.ancestors().skip(1).take(2) {
                let _ = std::fs::remove_dir(dir);
            }
            Ok(())
        }
        None => remove_tree(&place.own.join(user::VOUCHERS)),
    }
}

/// Notes that the entries are gone because the user took them out, for whoever finds them missing later. With `purge` nothing stays.
fn mark(place: &Place, purge: bool, is_needed: bool, system: &System) -> Result<(), hook_runtime::Error> {
    let Some(path) = &place.mark else { return Ok(()) };
    if purge {
        return remove(path);
    }
    if !is_needed {
        return Ok(());
    }
    for dir in place.further.iter().map(PathBuf::as_path).filter(|dir| path.starts_with(dir)) {
        make_dir(dir, true)?;
    }
    replace(path, &format!("{}\n", system.now.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)), 0o600)
}

/// Takes out of a project what is there: the user's entries and the project's, or those of one scope, and what an older form left.
pub fn uninstall_project(
    root: &std::path::Path,
    only: Option<Scope>,
    force: bool,
    purge: bool,
    dry_run: bool,
    system: &System,
) -> anyhow::Result<Done> {
    let local = Place::in_project(Scope::Local, root, system).ok().filter(|_| only != Some(Scope::Project));
    let project = Place::in_project(Scope::Project, root, system)?;
    let mut all: Option<Done> = None;
    if let Some(local) = local
        && (only.is_some() || is_there(&local)?)
    {
        all = Some(uninstall(&local, force, purge, dry_run, system)?);
    }
    let is_left = shared::leftover(root, system)?.is_some();
    if only == Some(Scope::Project) || is_left || (only.is_none() && (all.is_none() || is_there(&project)?)) {
        let done = uninstall(&project, force, purge, dry_run, system)?;
        all = Some(match all {
            None => done,
            Some(first) => first.and(done),
        });
    }
    Ok(all.unwrap_or_else(|| Done::new(&project)))
}

/// Whether an installation stands there: its entries, or its note.
fn is_there(place: &Place) -> anyhow::Result<bool> {
    Ok(place.note.exists() || place.is_registered()?)
}

/// Whether anything of an installation is in a project, so that taking it out ends something.
pub fn has_left_anything(root: &std::path::Path, only: Option<Scope>, system: &System) -> anyhow::Result<bool> {
    let scopes = [Scope::Local, Scope::Project].into_iter().filter(|scope| only.is_none_or(|only| only == *scope));
    for place in scopes.filter_map(|scope| Place::in_project(scope, root, system).ok()) {
        if is_there(&place)? {
            return Ok(true);
        }
    }
    Ok(shared::leftover(root, system)?.is_some())
}

/// Removes compiled configurations, and with `trusted` what the user trusts of a project.
fn forget(place: &Place, trusted: bool, system: &System) -> anyhow::Result<()> {
    let mut kept = trust::compiled(place.project.as_ref(), system);
    let record = place.project.as_ref().and_then(|project| trust::place(project, system));
    kept.extend(record.filter(|path| trusted && path.exists()));
    if trusted && let Some(project) = &place.project {
        kept.extend(evidence::twins(project, system));
        kept.extend(allowance::kept_files(project, system));
    }
    for path in kept {
        remove(&path)?;
        // Those of other projects stay.
        let _ = path.parent().map(std::fs::remove_dir);
    }
    Ok(())
}

/// Removes the copies of what stands in the settings again, which are of no use to anybody, or with `purge` all of them.
fn drop_backups(place: &Place, settings: Option<&str>, purge: bool) -> anyhow::Result<()> {
    for copy in written::backups(&place.settings, &place.spot(&place.own))? {
        let copy = place.spot(&copy);
        if purge || read(&copy)?.as_deref() == settings {
            remove(&copy)?;
        }
    }
    // With other copies in it, it stays.
    remove_empty(place.spot(&place.own.join("backup")));
    Ok(())
}

/// Removes what is left of the installation's own directory. Recorded state and log stay unless `purge` is set; the user is told where.
fn clear(place: &Place, purge: bool, done: &mut Done) -> anyhow::Result<()> {
    let backup = place.own.join("backup");
    let mut kept: Vec<&PathBuf> = place.records.iter().filter(|dir| dir.exists()).collect();
    if purge {
        for dir in kept.drain(..) {
            if place.scope == Scope::User {
                remove_recorded(dir)?;
            } else {
                remove_tree(place.spot(dir))?;
            }
            done.changed = true;
            done.say(format!("removed {}", dir.display()));
        }
    }
    kept.extend(backup.exists().then_some(&backup));
    if !kept.is_empty() {
        let kept: Vec<String> = kept.iter().map(|dir| dir.display().to_string()).collect();
        let scope = if place.scope == Scope::User { " --user" } else { "" };
        done.say(format!(
            "kept what was recorded in {}; `hookbin uninstall{scope} --purge` removes it",
            kept.join(" and ")
        ));
    }
    if place.project.is_none() {
        for dir in place.records.iter().filter_map(|dir| dir.parent()) {
            // Ours by its name; one with something in it stays.
            let _ = std::fs::remove_dir(dir);
        }
    }
    if kept_inside(place) {
        return Ok(());
    }
    remove(place.spot(&place.own.join(".gitignore")))?;
    if remove_empty(place.spot(&place.own)) {
        done.say(format!("removed {}", place.own.display()));
    }
    if let Some(project) = place.project.as_ref().filter(|project| ignores_nothing(project.root())) {
        remove(place.spot(&records_ignore(project.root())))?;
    }
    Ok(())
}

/// Removes what is recorded about projects, but for the notes of installations that stand in them.
fn remove_recorded(projects: &std::path::Path) -> anyhow::Result<()> {
    let notes = [Scope::Local.note_name(), Scope::Project.note_name()];
    for dir in std::fs::read_dir(projects).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if !notes.iter().any(|note| dir.join(note).exists()) {
            remove_tree(&dir)?;
            continue;
        }
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            if notes.iter().all(|note| entry.file_name() != *note) {
                remove_tree(&entry.path())?;
            }
        }
    }
    // With notes in it, it stays.
    let _ = std::fs::remove_dir(projects);
    Ok(())
}

/// Whether something of worth is left in the own directory, so that its ignore file has to stay.
fn kept_inside(place: &Place) -> bool {
    files::names(place.spot(&place.own)).iter().any(|name| name != ".gitignore")
}
