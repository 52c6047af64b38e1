//! Checkpoints of changed files: handed to a program that runs by itself, or kept in a store of our own.
//!
//! The store is an audit log of its own: append-only, hash-chained, rotated. `hookbin recall` searches it.

use std::borrow::Cow;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use hook_audit_log::{Limits, Record, Value};
use hook_policy::Outcome;
use hook_policy::effect::Checkpoint;

use crate::Error;
use crate::event::run::Run;
use crate::programs::launch;
use crate::programs::launch::Kind;
use crate::project::Project;
use crate::project::text_log;
use crate::system::System;
use crate::trust::consent;

/// The directory of a collection's store.
pub fn store_dir(project: &Project, collection: &str) -> PathBuf {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    project.state().join("brain").join(collection.chars().map(safe).take(64).collect::<String>())
}

/// Keeps one checkpoint. The call that it is about is over; nothing waits for the program.
pub fn keep(note: &Checkpoint, project: &Project, run: &Run<'_>, outcome: &mut Outcome<'_>) -> Result<(), Error> {
    // Unset counts as true, and only the exact word switches it on.
    if run.system.var(&note.switch).is_some_and(|value| value != "true") {
        return Ok(());
    }
    let Some((program, args)) = note.command.split_first().filter(|_| run.may.starts_programs) else {
        return store(note, project, run);
    };
    let program = project.root().join(program);
    if !launch::is_executable(&program) {
        let line = format!("POST: no checkpoint program at {}, kept in the embedded store", program.display());
        let line = hook_audit_log::text::stamped(run.system.now, &line);
        let logged = text_log::append(run, project, &note.log, &line);
        return store(note, project, run).and(logged.into_iter().next().map_or(Ok(()), |fault| Err(Error::new(fault))));
    }
    if let Err(barred) = consent::given(Some(&program), project.root(), project.root(), project, run) {
        barred.tell("the checkpoint program", project, run, outcome);
        return store(note, project, run);
    }
    match free_slot(project, note.at_once) {
        None => store(note, project, run),
        Some(slot) => start(&program, args, slot, note, project, run.system)
            .map_err(|error| Error::new(format_args!("cannot start {}: {error}", program.display()))),
    }
}

/// Starts the program on its own. The slot is its stdin, an empty file: the lock on it ends with the program, however that ends.
fn start(
    program: &Path,
    args: &[String],
    slot: File,
    note: &Checkpoint,
    project: &Project,
    system: &System,
) -> std::io::Result<()> {
    let out = project.records().to_append(&project.state().join(&note.log))?;
    let mut command = launch::command(program, Kind::Project, system)?;
    command
        .args(args.iter().map(|arg| hook_audit_log::redact(arg).into_owned()))
        .stdin(Stdio::from(slot))
        .stdout(Stdio::from(out.try_clone()?))
        .stderr(Stdio::from(out));
    // What ends the host's group of processes does not end the program.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.current_dir(project.root()).spawn().map(drop)
}

/// A slot that no running program holds.
fn free_slot(project: &Project, at_once: u8) -> Option<File> {
    (0..at_once).find_map(|number| {
        let file = project.to_lock(&format!("brain.slot{number}")).ok()?;
        file.try_lock().ok().map(|()| file)
    })
}

fn store(note: &Checkpoint, project: &Project, run: &Run<'_>) -> Result<(), Error> {
    let brain = project.state().join("brain");
    project
        .records()
        .make_dir(&brain, 0o700, false)
        .map_err(|error| Error::new(format_args!("cannot make {}: {error}", brain.display())))?;
    let limits = Limits { max_bytes: 16 << 20, keep: 16, total_max_bytes: 256 << 20 };
    let mut record = Record::new(run.system.now, "checkpoint");
    record.session = Some(Cow::Borrowed(run.session.as_str()));
    record.note = Some(Cow::Borrowed(&note.title));
    for (name, text) in [("collection", &note.collection), ("tags", &note.tags), ("content", &note.content)] {
        record.extra.push((Cow::Borrowed(name), Value::Text(Cow::Borrowed(text))));
    }
    let appended = project
        .trail(&store_dir(project, &note.collection), limits)
        .with_lock_wait(run.system.lock_timeout())
        .append(&record);
    appended.map(drop).map_err(Error::new)
}
