//! `hookbin doctor`: whether the guard is really on. What it looks at is in [`crate::doctor`].

use std::path::PathBuf;

use clap::Args;

use super::install::PlaceArgs;
use super::table::clean;
use super::{Json, Usage, exit};
use crate::doctor::{Answer, Doctor, Finding, Level, Report};
use hook_runtime::installation::Scope;
use hook_runtime::system::System;

#[derive(Args)]
pub(super) struct DoctorArgs {
    /// Where to look; with a scope, only at its installation.
    #[command(flatten)]
    pub(super) place: PlaceArgs,
    /// Only say what is wrong with one settings file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["project", "scope", "local", "user", "fix"])]
    lint: Option<PathBuf>,
    /// The host that is used, instead of the first on `PATH`
    #[arg(long, value_name = "FILE", conflicts_with = "lint")]
    client: Option<PathBuf>,
    /// Do what the findings name as their remedy, then look again
    #[arg(long)]
    fix: bool,
    #[command(flatten)]
    json: Json,
}

pub(super) fn run(args: &DoctorArgs, system: &System) -> anyhow::Result<u8> {
    if let Some(file) = args.lint.as_ref().or(args.client.as_ref()).filter(|file| file.symlink_metadata().is_err()) {
        return Err(Usage(format!("{} is not there", file.display())).into());
    }
    let doctor = Doctor::new(system).with_client(args.client.as_ref().map(|file| system.absolute_path(file)));
    // Without a project there may still be an installation of the user's.
    let scope = args.place.scope(system)?;
    let doctor = doctor.with_scope(scope);
    let is_of_none = scope == Some(Scope::User) || args.lint.is_some();
    let project = if is_of_none { None } else { args.place.project.find_any(system)? };
    let root = project.map(|project| project.root().to_owned());
    let mut report = match &args.lint {
        Some(file) => doctor.lint(&system.absolute_path(file)),
        None => doctor.examine(root.as_deref()),
    };
    if args.fix {
        for line in doctor.fix(&report) {
            eprintln!("{}", clean(&line));
        }
        report = doctor.examine(root.as_deref());
    }
    if !args.json.print(&report)? {
        print!("{}", text(&report));
    }
    let is_off = report.guard.as_ref().is_some_and(|guard| guard.state.is_off());
    Ok(if report.good && !is_off { exit::GOOD } else { exit::FINDINGS })
}

/// The report for a user.
pub(super) fn text(report: &Report) -> String {
    let mut out = String::new();
    if let Some(guard) = report.guard.as_ref().filter(|guard| !guard.is_guarded()) {
        let word = guard.state.word();
        out.push_str(&if guard.state.is_off() {
            format!("guard OFF: {word}\n")
        } else {
            format!("guard on, {word}\n")
        });
    }
    for registered in &report.registered {
        out.push_str(&format!(
            "{}: {} entries, profile {}, {}\n",
            clean(&registered.settings.display().to_string()),
            registered.entries,
            clean(&registered.profiles.join(" + ")),
            if registered.on { "the guard is on" } else { "the guard is NOT on" }
        ));
        let shown = registered.canary.iter().flat_map(|canary| {
            let other = canary.refusal.iter().filter(|_| canary.guard.is_empty());
            canary.guard.iter().chain(other).chain(&canary.pass)
        });
        shown.for_each(|answer| out.push_str(&answered(answer)));
    }
    for finding in &report.findings {
        out.push_str(&line(finding));
    }
    if report.findings.is_empty() {
        out.push_str("nothing is wrong\n");
    }
    out
}

fn answered(answer: &Answer) -> String {
    let said = match answer.verdict {
        Some("deny") => "refused",
        Some("ask") => "asks the user",
        Some("allow") => "allowed",
        _ => "no opinion, so Claude Code goes on as usual",
    };
    // The first line says what it is about; a list of what is missing belongs to the model.
    let first = answer.reason.as_deref().and_then(|reason| reason.lines().next());
    let reason = first.map(|reason| format!(": {}", clean(reason))).unwrap_or_default();
    format!("  the installed entry answers {} in {} ms: {said}{reason}\n", answer.asked, answer.millis)
}

fn line(finding: &Finding) -> String {
    let level = if finding.level == Level::Fault { "fault" } else { "note" };
    let place = finding.file.as_ref().map(|file| match finding.line {
        Some(line) => format!("{}:{line}: ", file.display()),
        None => format!("{}: ", file.display()),
    });
    let fix = finding.fix.as_deref().map(|fix| format!("\n       fix: {}", clean(fix))).unwrap_or_default();
    format!("{level}: {}{}{fix}\n", clean(&place.unwrap_or_default()), clean(&finding.message))
}
