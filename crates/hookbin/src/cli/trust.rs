//! `hookbin trust`: shows what a project asks for, and keeps that the person agrees.

use clap::Args;
use hook_policy::profile::RawProfile;
use hook_policy::rule::Then;

use super::table::clean_lines;
use super::{ProjectArg, Usage, exit};
use crate::attended;
use crate::cache;
use crate::host::Host;
use crate::project::Project;
use crate::trust;

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

pub(super) fn run(args: &TrustArgs, host: &Host) -> anyhow::Result<u8> {
    let project = args.project.find(host)?;
    if args.revoke {
        let had = trust::forget(&project, host)?;
        println!("{} {}", if had { "no longer trusted:" } else { "was not trusted:" }, project.root().display());
        return Ok(exit::GOOD);
    }
    let config = content(&project)?;
    print!("{}", clean_lines(&shown(&project, config.as_deref(), host)));
    if args.show {
        return Ok(exit::GOOD);
    }
    attended::confirm("trust", Some(&project), host).map_err(Usage)?;
    trust::keep(&project, true, config, host)?;
    println!("trusted: {}", project.root().display());
    Ok(exit::GOOD)
}

/// Asks before an installation, where there is something that the person has not agreed to yet.
pub(super) fn offer(project: &Project, host: &Host) -> anyhow::Result<()> {
    let config = content(project)?;
    let known = trust::read(project, host);
    let is_known = known.as_ref().is_some_and(|record| record.programs && record.text(project) == config.as_deref());
    if is_known {
        return Ok(());
    }
    eprint!("{}", clean_lines(&shown(project, config.as_deref(), host)));
    eprintln!("Trust it? Leave the line empty if not; `hookbin trust` asks again.");
    if attended::confirm("trust", Some(project), host).is_ok() {
        // What they have seen, whatever stands there by now.
        return trust::keep(project, true, config, host);
    }
    eprintln!("not trusted; what makes it stricter counts");
    Ok(())
}

/// Keeps that the person agrees to all of it unseen.
pub(super) fn agree(project: &Project, host: &Host) -> anyhow::Result<()> {
    trust::keep(project, true, content(project)?, host)
}

/// The project's configuration as it is now, if it has one.
fn content(project: &Project) -> anyhow::Result<Option<String>> {
    let path = project.config();
    match cache::read_project_config(&path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Usage(format!("{} cannot be read: {error}", path.display())).into()),
    }
}

/// What a person has to see before they agree.
fn shown(project: &Project, config: Option<&str>, host: &Host) -> String {
    let before = trust::read(project, host);
    let mut out = format!("{}\n", project.root().display());
    let since =
        before.as_ref().map_or_else(|| "not trusted yet".to_owned(), |record| format!("trusted since {}", record.at));
    out.push_str(&format!("  programs  its tests, linters and checkpoints may run ({since})\n"));
    let Some(text) = config else {
        out.push_str("  it has no .claude/hookbin.toml\n");
        return out;
    };
    let known: Vec<trust::Wish> =
        before.as_ref().and_then(|record| record.text(project)).map(trust::wishes).unwrap_or_default();
    let is_same = before.as_ref().and_then(|record| record.text(project)) == Some(text);
    out.push_str(&format!(
        "  .claude/hookbin.toml, {}\n",
        if is_same { "as you trusted it" } else { "not trusted as it is now" }
    ));
    let raw = RawProfile::parse(".claude/hookbin.toml", text);
    if let Some(names) = raw.profiles() {
        out.push_str(&format!("    profile   {}\n", names.join(" + ")));
    }
    let wishes = trust::wishes(text);
    for wish in &wishes {
        let new = if before.is_some() && !known.contains(wish) { "  (new)" } else { "" };
        out.push_str(&format!("    {:<8}  {}{new}\n", wish.kind.word(), wish.text));
    }
    let stricter = raw.rules().iter().filter(|rule| matches!(rule.then, Then::Deny | Then::Ask)).count();
    if stricter > 0 {
        out.push_str(&format!("    stricter  {stricter} rules that refuse or ask; they count without trust\n"));
    }
    for fault in hook_policy::rule::unproven(&raw) {
        out.push_str(&format!("    unproven  {fault}\n"));
    }
    out
}
