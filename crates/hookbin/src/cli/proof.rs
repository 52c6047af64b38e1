//! `hookbin proof`: the user's word that the work was seen, and what the documents' status files say.

use clap::Subcommand;
use hook_policy::evidence::{ProofStatus, TestStatus};
use hook_session_state::Time;

use super::{ProjectArg, Usage, exit};
use crate::attended;
use hook_runtime::facts::evidence;
use hook_runtime::facts::notes;
use hook_runtime::system::System;

#[derive(Subcommand)]
pub(super) enum ProofCommand {
    /// Record that you have seen the work and that it is right. Only at a terminal
    Verify {
        #[command(flatten)]
        project: ProjectArg,
    },
    /// Show what is recorded of the last test run and of the proof of work
    Show {
        #[command(flatten)]
        project: ProjectArg,
    },
}

pub(super) fn run(command: &ProofCommand, system: &System) -> anyhow::Result<u8> {
    match command {
        ProofCommand::Verify { project } => verify(project, system),
        ProofCommand::Show { project } => show(project, system),
    }
}

fn verify(project: &ProjectArg, system: &System) -> anyhow::Result<u8> {
    let project = project.find(system)?;
    attended::confirm("proof verify", Some(&project), system)
        .map_err(|why| Usage(format!("{why}. In a session, answer with a short prompt such as `verified`")))?;
    project.prepare()?;
    let now = system.now.timestamp();
    let store = project.store();
    let mut locked = store.lock()?;
    let status = format!("verified|{now}\n");
    evidence::keep(&mut locked, project.root(), ".proof-status", Some(&status), system)?;
    let mut notes = locked.notes_below(project.root(), &notes::dir(project.root()))?;
    notes.put(".proof-status", &status)?;
    let stamp = Time::from_unix(now).stamp().replace(' ', "T");
    notes.add(".audit-log", &format!("{stamp}Z|proof_verified|at a terminal"))?;
    println!("recorded: the work is verified, until a source file changes");
    Ok(exit::GOOD)
}

fn show(project: &ProjectArg, system: &System) -> anyhow::Result<u8> {
    let project = project.find(system)?;
    for (what, path) in [("tests", TestStatus::PATH), ("proof", ProofStatus::PATH)] {
        let name = path.rsplit('/').next().unwrap_or(path);
        let said = match notes::read(project.root(), name) {
            None => "nothing is recorded".to_owned(),
            Some(text) => {
                let remark = evidence::remark(project.root(), path, &text, system);
                shown(what, &text) + &remark.map(|remark| format!("; {remark}")).unwrap_or_default()
            }
        };
        println!("{what}: {said} ({path})");
    }
    Ok(exit::GOOD)
}

/// A status file in words, with the moment that it names.
fn shown(what: &str, text: &str) -> String {
    let line = hook_session_state::view::one_line(text.trim());
    let epoch = if what == "tests" { TestStatus::parse(text).epoch } else { ProofStatus::parse(text).epoch };
    match epoch {
        Some(epoch) => format!("{line}, recorded {} UTC", Time::from_unix(epoch).stamp()),
        None => line,
    }
}
