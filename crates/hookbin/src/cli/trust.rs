//! `hookbin trust`: shows what a project asks for, and keeps that the user agrees.

use clap::Args;
use hook_policy::profile::RawProfile;
use hook_policy::rule::Then;

use super::table::clean_lines;
use super::{ProjectArg, Usage, exit};
use crate::attended;
use hook_runtime::config::cache;
use hook_runtime::event::plain::one_line;
use hook_runtime::project::Project;
use hook_runtime::system::System;
use hook_runtime::trust::outside;
use hook_runtime::trust::{self, Agreed, Wants};

#[derive(Args)]
pub(super) struct TrustArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// Show what the project asks for, and change nothing
    #[arg(long, conflicts_with = "revoke")]
    show: bool,
    /// Take the trust back
    #[arg(long)]
    revoke: bool,
}

pub(super) fn run(args: &TrustArgs, system: &System) -> anyhow::Result<u8> {
    let project = args.project.find(system)?;
    if args.revoke {
        let had = trust::forget(&project, system)?;
        println!("{} {}", if had { "no longer trusted:" } else { "was not trusted:" }, project.root().display());
        return Ok(exit::GOOD);
    }
    let config = content(&project)?;
    let outside = outside(&project, config.as_deref(), system);
    print!("{}", clean_lines(&shown(&project, config.as_deref(), &outside, system)));
    if args.show {
        return Ok(exit::GOOD);
    }
    attended::confirm("trust", Some(&project), system).map_err(Usage)?;
    trust::keep(&project, Agreed { programs: true, outside, config }, system)?;
    println!("trusted: {}", project.root().display());
    Ok(exit::GOOD)
}

/// Before an installation: asks the user where there is something that they have not agreed to yet, or keeps that they agree to all of
/// it unseen. Without something that could be shown the installation goes on.
pub(super) fn at_install(project: &Project, agrees_unseen: bool, system: &System) -> anyhow::Result<()> {
    let config = match content(project) {
        Ok(config) => config,
        Err(error) => {
            eprintln!("not trusted: {error:#}");
            return Ok(());
        }
    };
    let outside = outside(project, config.as_deref(), system);
    if agrees_unseen {
        return Ok(trust::keep(project, Agreed { programs: true, outside, config }, system)?);
    }
    let known = trust::read(project, system);
    let is_known = known.as_ref().is_some_and(|record| {
        let is_kept = |name| record.outside.contains(name);
        record.programs && record.text(project) == config.as_deref() && outside.iter().all(is_kept)
    });
    if is_known {
        return Ok(());
    }
    eprint!("{}", clean_lines(&shown(project, config.as_deref(), &outside, system)));
    eprintln!("Trust it? Leave the line empty if not; `hookbin trust` asks again.");
    if attended::confirm("trust", Some(project), system).is_ok() {
        // What they have seen, whatever stands there by now.
        return Ok(trust::keep(project, Agreed { programs: true, outside, config }, system)?);
    }
    eprintln!("not trusted: its programs do not start, and of its configuration only what is stricter counts");
    Ok(())
}

/// The project's configuration as it is now, if it has one.
fn content(project: &Project) -> anyhow::Result<Option<String>> {
    let path = project.config();
    match cache::read_project_config(&path) {
        // What is wrong somewhere cannot be shown as a whole, and the rest of it would count.
        Ok(text) if text.parse::<toml::Table>().is_err() => Err(Usage(format!(
            "{} is no valid TOML, so it cannot be trusted; `hookbin config check` says where",
            path.display()
        ))
        .into()),
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Usage(format!("{} cannot be read: {error}", path.display())).into()),
    }
}

/// Programs outside of the project that start once its configuration is trusted.
fn outside(project: &Project, config: Option<&str>, system: &System) -> Vec<String> {
    outside::named(&cache::resolve_trusting(config, project, system).profile, project)
}

/// The widest line of what is no wish, in characters.
const WIDTH: usize = 240;

/// With more wishes than these, the first have left the screen when the user is asked.
const MANY: usize = 40;

/// What a user has to see before they agree. Every line is one of ours: whatever the project wrote stands on one line, spelled out.
fn shown(project: &Project, config: Option<&str>, outside: &[String], system: &System) -> String {
    let before = trust::read(project, system);
    let mut out = format!("{}\n", one_line(&project.root().display().to_string(), WIDTH));
    let since = before.as_ref().map_or_else(
        || "not trusted yet".to_owned(),
        |record| format!("trusted since {}", one_line(&record.at, WIDTH)),
    );
    out.push_str(&format!("  programs  its tests, linters and checkpoints may run ({since})\n"));
    for program in outside {
        let is_known = before.as_ref().is_none_or(|record| record.outside.contains(program));
        let new = if is_known { "" } else { "  (new)" };
        out.push_str(&format!("  programs  runs {}, outside of this directory{new}\n", one_line(program, WIDTH)));
    }
    let Some(text) = config else {
        out.push_str("  it has no .claude/hookbin.toml\n");
        return out;
    };
    let trusted = before.as_ref().and_then(|record| record.text(project));
    let known: Vec<trust::Wish> = trusted.map(trust::wishes).unwrap_or_default();
    out.push_str(&format!(
        "  .claude/hookbin.toml, {}\n",
        if trusted == Some(text) { "as you trusted it" } else { "not trusted as it is now" }
    ));
    let raw = RawProfile::parse(".claude/hookbin.toml", text);
    let mut count = 0;
    let mut wish = |kind: Wants, text: &str, is_known: bool| {
        let new = if before.is_some() && !is_known { "  (new)" } else { "" };
        out.push_str(&format!("    {:<8}  {text}{new}\n", kind.word()));
        count += 1;
    };
    if let Some(names) = raw.profiles() {
        let left = left_out(names, project, system);
        if !left.is_empty() {
            let said = format!("profile leaves out {}, which is in force for you", left.join(" and "));
            let was = trusted.map(|text| RawProfile::parse(".claude/hookbin.toml", text));
            let is_known = was.is_some_and(|was| was.profiles() == Some(names));
            wish(Wants::Loosens, &one_line(&said, WIDTH), is_known);
        }
    }
    for one in &trust::wishes(text) {
        wish(one.kind, &one.text, known.contains(one));
    }
    if let Some(names) = raw.profiles() {
        out.push_str(&format!("    profile   {}\n", one_line(&names.join(" + "), WIDTH)));
    }
    let stricter = raw.rules().iter().filter(|rule| matches!(rule.then, Then::Deny | Then::Ask)).count();
    if stricter > 0 {
        out.push_str(&format!("    stricter  {stricter} rules that refuse or ask; they count without trust\n"));
    }
    for fault in hook_policy::rule::unproven(&raw) {
        out.push_str(&format!("    unproven  {}\n", one_line(&fault, WIDTH)));
    }
    if count > MANY {
        out.push_str(&format!("  it wants {count} things in all, each on a line above; look at the first ones too\n"));
    }
    out
}

/// The profiles that are in force for the user, here or without this project, and that a list leaves out: where the file is trusted,
/// its list takes the place of theirs.
fn left_out(names: &[String], project: &Project, system: &System) -> Vec<String> {
    let everywhere = cache::resolve_now(None, None, system).profile.names;
    let here = cache::resolve_now(None, Some(project), system).profile.names;
    let mut left: Vec<String> = everywhere.into_iter().chain(here).filter(|name| !names.contains(name)).collect();
    left.sort();
    left.dedup();
    left
}
