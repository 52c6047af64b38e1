//! One registered installation: its entries, its executable, and what that answers.

use std::path::{Path, PathBuf};

use hook_policy::profile::Profile;
use hook_protocol::settings::edit::{self, FoundEntry, find};

use super::layers::{Layer, without_path};
use super::started::Started;
use super::{Finding, Registered, Report, canary, owner};
use crate::install;
use hook_runtime::config::cache;
use hook_runtime::config::settings::{find_executable, is_shared, obstacle};
use hook_runtime::installation::{Place, Record, Scope, record_path};
use hook_runtime::programs::launch::is_executable;
use hook_runtime::system::System;
use hook_runtime::system::files::sha256;

/// Milliseconds from which on an answer is worth a note; every tool call of the host waits for it.
const SLOW_MILLIS: u64 = 500;

/// Largest program that is looked into.
const MOST_COPY: u64 = 256 << 20;

/// The entries of a place; none when it is not registered.
pub(super) fn entries(place: &Place, layer: &Layer) -> Option<Vec<FoundEntry>> {
    let found = find(layer.text()?, &|entry| place.owns(entry)).ok()?;
    (!found.is_empty()).then_some(found)
}

/// Looks at one place. `readable` says whether the host takes the file and runs hooks.
pub(super) fn look(
    place: &Place,
    layer: &Layer,
    found: &[FoundEntry],
    readable: bool,
    root: Option<&Path>,
    system: &System,
    report: &mut Report,
) -> Registered {
    let text = layer.text().unwrap_or_default();
    let force = cache::resolve_now(None, place.project.as_ref(), system);
    let mut registered = Registered {
        scope: place.scope,
        settings: place.settings.clone(),
        entries: found.len(),
        executable: place.executable.clone(),
        profiles: force.chosen.clone(),
        on: false,
        canary: None,
    };
    unguarded(place, &force.profile, &force.chosen, report);
    owner::look(place, system, report);
    shape(place, text, found, system, report);
    let Some(executable) = executable(place, found, system, report) else { return registered };
    registered.executable = executable;
    let guards: Vec<&FoundEntry> = found.iter().filter(|entry| entry.event == "PreToolUse").collect();
    if guards.is_empty() {
        let message = "no entry for PreToolUse is registered, so no call is guarded";
        report.add(Finding::fault("no-guard-entry", &place.settings, message).by_installing(place));
    }
    let Some(entry) = guards.iter().find(|entry| obstacle(entry).is_none()) else {
        for entry in guards {
            let why = obstacle(entry).unwrap_or_default();
            let message = format!("the entry for PreToolUse cannot refuse every call: {why}");
            let finding = Finding::fault("cannot-refuse", &place.settings, message);
            report.add(finding.at_line(entry.line).by_installing(place));
        }
        return registered;
    };
    let root = root.map(Path::to_owned).or_else(|| system.home()).unwrap_or_default();
    let Some(started) = Started::of(entry, &root, system).filter(|started| started.is_ours(place, system)) else {
        let message = "foreign program, not started: what the entry starts is neither this executable nor one that an installation of yours has noted";
        report.add(Finding::fault("binary-foreign", &registered.executable, message).by_installing(place));
        return registered;
    };
    match canary::fire(&started, place, &root, system) {
        Err(error) => report.add(
            Finding::fault("canary", &place.settings, format!("the installed entry does not do its work: {error:#}"))
                .at_line(entry.line)
                .by_installing(place),
        ),
        Ok((canary, weaker)) => {
            if !weaker.is_empty() {
                let message = format!(
                    "the configuration lets {} pass, which profile {} as it comes would stop",
                    weaker.join(", "),
                    registered.profiles.join(" + ")
                );
                let own = Some(&place.config).filter(|config| config.exists()).cloned();
                let config = own.or_else(|| system.user_config()).unwrap_or_default();
                report.add(Finding::note("policy-weakened", &config, message));
            }
            registered.on = readable;
            let slowest = canary
                .guard
                .iter()
                .chain(&canary.refusal)
                .chain(&canary.pass)
                .map(|answer| answer.millis)
                .max()
                .unwrap_or(0);
            if slowest > SLOW_MILLIS {
                let message = format!("the installed entry took {slowest} ms; every tool call waits for it");
                report.add(Finding::note("slow", &place.executable, message));
            }
            if canary.guard.is_empty() && canary.refusal.is_none() {
                let message = "the profile refuses none of the calls that doctor tries, so no refusal could be shown";
                report.add(Finding::note("no-refusal", &place.config, message));
            }
            registered.canary = Some(canary);
        }
    }
    registered
}

/// What the profile in force leaves to nobody, because the guard is turned off for it.
fn unguarded(place: &Place, profile: &Profile, chosen: &[String], report: &mut Report) {
    let names = chosen.join(" + ");
    let message = match profile.guarded() {
        None => format!(
            "profile {names} has the guard turned off: commands, files and secrets are not checked; only the guard's own files are protected"
        ),
        Some(left) => {
            let families = (!left.families.is_empty()).then(|| format!("{} is not checked", left.families.join(", ")));
            let tools = (!left.only_tools.is_empty())
                .then(|| format!("of tools only {} are checked", left.only_tools.join(", ")));
            let said: Vec<String> = families.into_iter().chain(tools).collect();
            if said.is_empty() {
                return;
            }
            format!("profile {names} has a part of the guard turned off: {}", said.join("; "))
        }
    };
    let finding = Finding::note("guard-off", &place.config, message);
    report.add(finding.fixed_by("take `enabled`, `tools` or `severity` out of `[change.…]` to turn it on"));
}

/// Whether the entries are those that this version writes.
fn shape(place: &Place, text: &str, found: &[FoundEntry], system: &System, report: &mut Report) {
    let wanted = place.entries(None, false, Some(text), system);
    // A file that cannot be edited was told about already.
    let Ok(edited) = edit::install(Some(text), &wanted, &|entry| place.owns(entry), true) else { return };
    if edited.changed {
        let count = |number: usize, what: &str| (number > 0).then(|| format!("{number} {what}"));
        let parts =
            [count(edited.updated, "outdated"), count(edited.added, "missing"), count(edited.removed, "superfluous")];
        let message = format!(
            "the entries differ from those of this version and profile: {} of {}",
            parts.into_iter().flatten().collect::<Vec<_>>().join(", "),
            wanted.len()
        );
        let line = found.first().map_or(1, |entry| entry.line);
        report.add(Finding::fault("entry-outdated", &place.settings, message).at_line(line).by_installing(place));
    }
}

/// The executable that the entries start, if there is one that can be started; and whether it is the one that was placed.
fn executable(place: &Place, found: &[FoundEntry], system: &System, report: &mut Report) -> Option<PathBuf> {
    let path = &place.executable;
    if let Some(project) = place.project.as_ref().filter(|_| found.iter().any(is_shared))
        && let Some(other) = find_executable(project.root(), system).filter(|other| other != path)
    {
        let message = format!("there is no executable here, so the entries start {}", other.display());
        report.add(Finding::note("binary-elsewhere", path, message));
        return Some(other);
    }
    if !path.exists() {
        let message = if place.scope == Scope::Project {
            "the executable is missing, as wherever nobody installed it; Claude Code goes on unguarded"
        } else {
            "the executable is missing; Claude Code goes on unguarded"
        };
        report.add(Finding::fault("binary-missing", path, message).by_installing(place));
        return None;
    }
    if !is_executable(path) {
        let message = "the executable cannot be executed; Claude Code goes on unguarded";
        report.add(Finding::fault("binary-not-executable", path, message).by_installing(place));
        return None;
    }
    let Ok(bytes) = std::fs::read(path) else {
        report.add(Finding::fault("binary-unreadable", path, "the executable cannot be read").by_installing(place));
        return Some(path.clone());
    };
    let hash = sha256(&bytes);
    match Record::read(place) {
        Err(error) => {
            let path = record_path(place);
            let message = format!("the installation's note: {}", without_path(&format!("{error:#}"), &path));
            report.add(Finding::fault("record-damaged", &path, message).by_installing(place));
        }
        Ok(None) if place.scope == Scope::Project => {
            let message =
                format!("nobody installed here, as in every fresh clone; the entries start {}", path.display());
            report.add(Finding::note("binary-elsewhere", path, message));
        }
        Ok(None) => {
            let message = "the installation's note is missing, so uninstalling cannot give back what was there before";
            report.add(Finding::fault("record-missing", &record_path(place), message).by_installing(place));
        }
        Ok(Some(record)) if !record.executable.is_empty() && record.executable != hash => {
            let message = "the executable is not the one that was installed; somebody replaced it or it is damaged";
            report.add(Finding::fault("binary-changed", path, message).by_installing(place));
        }
        Ok(record) => {
            let running = std::env::current_exe().and_then(std::fs::read).map(|bytes| sha256(&bytes));
            if running.is_ok_and(|running| running != hash) {
                let version = record.map(|record| record.hookbin).filter(|version| !version.is_empty());
                let message = format!(
                    "the executable ({}) is another build than the one that checks it ({})",
                    version.as_deref().unwrap_or("of an unknown version"),
                    env!("CARGO_PKG_VERSION")
                );
                report.add(Finding::fault("binary-other", path, message).by_installing(place));
            }
        }
    }
    let ignore = place.own.join(".gitignore");
    if place.project.is_some() && !ignore.exists() {
        let message = "it is missing, so what is recorded and installed here can be committed by accident";
        report.add(Finding::fault("ignore-missing", &ignore, message).by_installing(place));
    }
    modes(place, report);
    Some(path.clone())
}

/// What is said of a program that lies where earlier versions put the executable of a project.
pub(super) fn copy(place: &Place, system: &System, report: &mut Report) {
    // Where an entry of an earlier version starts it, that is what is told.
    let Ok(Some(copy)) = install::idle_copy(place, system) else { return };
    let bytes = hook_runtime::system::open::Beneath::new(
        place.project.as_ref().map_or(Path::new(""), |project| project.root()),
    );
    let hash = bytes.read(&copy, MOST_COPY).ok().map(|bytes| sha256(&bytes));
    let own = std::env::current_exe().and_then(std::fs::read).map(|bytes| sha256(&bytes)).ok();
    // A note in the project may be anybody's.
    let noted = Record::at(&place.note).ok().flatten().map(|record| record.executable);
    let is_known = hash.is_some() && (hash == own || hash == noted);
    let message = if install::tracks_copy(place, system) {
        "git tracks a program where earlier versions put the executable; no entry of this version starts it"
    } else if is_known {
        "an earlier version left its executable here; no entry of this version starts it"
    } else {
        "a program lies here that no installation of yours placed; no entry of this version starts it"
    };
    report.add(Finding::note("binary-in-project", &copy, message).by_removing(&copy));
}

/// Whether somebody else could change what runs.
fn modes(place: &Place, report: &mut Report) {
    for (path, mode, wrong) in [(&place.executable, 0o755, 0o022), (&place.own, 0o700, 0o077)] {
        let Some(access) = Access::of(path) else { continue };
        if access.mode & wrong != 0 {
            let message = format!("its mode is {:o}, so others can read or change it", access.mode);
            report.add(Finding::fault("mode", path, message).by_mode(path, mode));
        }
        if let Some(owner) = access.stranger {
            let message = format!("it belongs to user {owner}, who can change it at will");
            report.add(Finding::fault("owner", path, message).fixed_by(format!(
                "sudo chown -R \"$USER\" {}",
                hook_runtime::installation::shell_quote(&path.to_string_lossy())
            )));
        }
    }
}

/// Who may do what with a file.
struct Access {
    mode: u32,
    /// The owner, if that is neither the user nor root.
    stranger: Option<u32>,
}

impl Access {
    #[cfg(unix)]
    fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let metadata = std::fs::metadata(path).ok()?;
        let (user, owner) = (rustix::process::geteuid().as_raw(), metadata.uid());
        let stranger = (user != 0 && owner != user && owner != 0).then_some(owner);
        Some(Self { mode: metadata.mode() & 0o7777, stranger })
    }

    /// Not every system tells it in this form.
    #[cfg(not(unix))]
    fn of(_path: &Path) -> Option<Self> {
        None
    }
}
