//! What an installation records: configuration, state, log, and whether there is room for more.

use std::path::Path;
use std::time::Duration;

use chrono::{Datelike, TimeDelta};
use hook_policy::profile::RawProfile;
use hook_session_state::Standing;

use super::{Finding, Level, Report};
use hook_runtime::config::cache;
use hook_runtime::installation::user;
use hook_runtime::installation::{Place, Record};
use hook_runtime::project::Project;
use hook_runtime::system::System;
use hook_runtime::system::files::temporaries;

/// How long the lock of the state may be held by another process.
const LOCK_WAIT: Duration = Duration::from_millis(1_500);

/// Free bytes below which the next records may be lost.
const LITTLE_ROOM: u64 = 16 << 20;

/// Looks at the records of a place; those of a user's installation are the ones about this project.
pub(super) fn look(place: &Place, root: Option<&Path>, system: &System, report: &mut Report) {
    let force = cache::resolve_now(None, place.project.as_ref(), system);
    if let Some(fault) = force.fault {
        let files = cache::files(place.project.as_ref(), system);
        let meant = files.iter().find(|file| fault.contains(&*file.to_string_lossy())).unwrap_or(&place.config);
        // One thing a line, for a message of one line.
        let message = format!("{}; everything else of it is in force", fault.replace("\n  ", "; "));
        report.add(Finding::fault("config", meant, message).fixed_by("correct the line"));
    }
    version(place, report);
    clock(system, report);
    for dir in place.written_dirs() {
        for path in temporaries(&dir) {
            let message = "an interrupted installation left this file";
            report.add(Finding::note("leftover", &path, message).by_removing(&path));
        }
    }
    let project = match (&place.project, root) {
        (Some(project), _) => project.clone(),
        (None, Some(root)) => user::where_recorded(Project::at(root), system),
        (None, None) => return,
    };
    let around = project.own().starts_with(project.root()).then(|| project.root().join(".claude"));
    for dir in around.into_iter().chain([project.own(), project.state(), project.log()]) {
        if dir.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
            let message = "it is a link to somewhere else, so nothing is recorded there";
            report.add(Finding::fault("linked", &dir, message).fixed_by("remove the link"));
            return;
        }
    }
    if project.own().is_dir() {
        room(&project.own(), report);
    }
    state(&project, report);
    log(&project, system, report);
}

/// Whether the executable is of the version that the project's people wrote into their configuration.
fn version(place: &Place, report: &mut Report) {
    let text = hook_runtime::system::files::read(place.spot(&place.config)).ok().flatten().unwrap_or_default();
    let raw = RawProfile::parse(&place.config.to_string_lossy(), &text);
    let Some(expected) = raw.expected_version() else { return };
    let installed = Record::read(place).ok().flatten().map(|record| record.hookbin).unwrap_or_default();
    if !expected.split('.').zip(installed.split('.').chain(std::iter::repeat(""))).all(|(a, b)| a == b) {
        let installed = if installed.is_empty() { "an unknown version" } else { &installed };
        let message = format!("the project expects hookbin {expected}, and {installed} is installed");
        report.add(
            Finding::fault("version", &place.config, message)
                .fixed_by(format!("get hookbin {expected}, then `{}`", place.command())),
        );
    }
}

fn clock(system: &System, report: &mut Report) {
    if system.now.year() < 2025 {
        let message = format!("the clock says {}, which is before hookbin was made", system.now.format("%Y-%m-%d"));
        report.add(Finding::new(Level::Fault, "clock", None, message).fixed_by("set the system's clock"));
    }
}

/// Whether something can be written, tried out because a mode says too little.
fn room(own: &Path, report: &mut Report) {
    can_hold_files(own, "remembered or logged", report);
    if let Some(free) = free_bytes(own).filter(|free| *free < LITTLE_ROOM) {
        let message = format!("only {} KiB are free on its file system", free / 1024);
        report.add(Finding::fault("disk", own, message).fixed_by("make room"));
    }
}

/// Tries out whether a directory that is there takes a file; what is lost while it does not is named.
fn can_hold_files(dir: &Path, lost: &str, report: &mut Report) -> bool {
    if !dir.is_dir() {
        let message = format!("it is not a directory, so nothing is {lost}");
        report.add(Finding::fault("not-writable", dir, message).fixed_by("move it away"));
        return false;
    }
    let tried = tempfile::Builder::new().prefix(hook_runtime::system::files::TEMPORARY).tempfile_in(dir);
    if let Err(error) = &tried {
        let message = format!("nothing can be written there ({error}), so nothing is {lost}");
        report.add(Finding::fault("not-writable", dir, message).fixed_by("make the directory writable, or make room"));
    }
    tried.is_ok()
}

#[cfg(unix)]
fn free_bytes(dir: &Path) -> Option<u64> {
    rustix::fs::statvfs(dir).ok().map(|found| found.f_bavail.saturating_mul(found.f_frsize))
}

/// Not every system tells it in this form.
#[cfg(not(unix))]
fn free_bytes(_dir: &Path) -> Option<u64> {
    None
}

fn state(project: &Project, report: &mut Report) {
    let dir = project.state();
    if dir.symlink_metadata().is_err() || !can_hold_files(&dir, "remembered", report) {
        return;
    }
    let store = project.store().with_lock_wait(LOCK_WAIT);
    match store.lock() {
        Ok(lock) => drop(lock),
        Err(error) => report.add(
            Finding::fault("lock", &dir, format!("{error}; while that lasts nothing is remembered"))
                .fixed_by("end the process that holds it (`fuser -v` on the lock file names it)"),
        ),
    }
    match store.verify() {
        Err(error) => report.add(Finding::fault("state", &dir, error.to_string())),
        Ok(documents) => {
            for document in documents {
                let path = dir.join(&document.name);
                match document.standing {
                    Standing::Damaged { .. } => report.add(
                        Finding::fault("state", &path, document.standing.to_string())
                            .fixed_by("nothing: the next event quarantines it and begins a new one"),
                    ),
                    Standing::SetAside => {
                        report.add(Finding::note("state-aside", &path, document.standing.to_string()));
                    }
                    _ => {}
                }
            }
        }
    }
}

fn log(project: &Project, system: &System, report: &mut Report) {
    let dir = project.log();
    if dir.symlink_metadata().is_err() {
        return report.add(no_event(&dir));
    }
    if !can_hold_files(&dir, "logged", report) {
        return;
    }
    match hook_audit_log::verify(&dir) {
        Err(error) => report.add(Finding::fault("log", &dir, error.to_string())),
        Ok(verified) if !verified.is_good() => {
            let first = verified.findings.iter().find(|finding| !finding.is_note());
            let first = first.map(ToString::to_string).unwrap_or_default();
            let message = format!("the chain of the log is not whole: {first}");
            report.add(Finding::fault("log", &dir, message).fixed_by("`hookbin log verify` lists all of it"));
        }
        Ok(_) => {}
    }
    let newest = match hook_audit_log::tail(&dir, 1) {
        Ok(newest) => newest,
        Err(error) => return report.add(Finding::fault("log", &dir, error.to_string())),
    };
    let Some(newest) = newest.last() else {
        return report.add(no_event(&dir));
    };
    let event = newest.text("event").unwrap_or("?");
    let seen = format!("the newest recorded event is {event}, {}", newest.time().format("%Y-%m-%d %H:%M:%S UTC"));
    report.add(Finding::note("last-event", &dir, seen));
    if newest.time() > system.now + TimeDelta::minutes(5) {
        let message = "the newest record is from the future; the clock was wrong then or is now";
        report.add(Finding::fault("clock", &dir, message).fixed_by("set the system's clock"));
    }
}

fn no_event(dir: &Path) -> Finding {
    let message = "no event of Claude Code was recorded yet";
    Finding::note("no-event", dir, message).fixed_by("start Claude Code in the project once")
}
