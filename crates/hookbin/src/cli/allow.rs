//! `hookbin allow`, `pause` and `resume`: the user's word on what the guard and the gates hold back.

use clap::Args;

use super::{ProjectArg, Usage, exit};
use crate::attended;
use hook_runtime::allowance::{self, MOST_ALLOWED, MOST_PAUSE, Span, left, seconds};
use hook_runtime::system::System;

#[derive(Args)]
pub(super) struct AllowArgs {
    /// The refusal, as it was shown: four letters or digits
    id: String,
    /// Let the call through the next time it comes, within an hour (the default)
    #[arg(long)]
    once: bool,
    /// Let it through for so long, a day at most: 90s, 10m, 1h
    #[arg(long = "for", value_name = "TIME", conflicts_with = "once", value_parser = |text: &str| seconds(text, MOST_ALLOWED))]
    time: Option<i64>,
    /// Let it through in the session in which it was refused, for a day at most
    #[arg(long, conflicts_with_all = ["once", "time"])]
    session: bool,
    #[command(flatten)]
    project: ProjectArg,
}

#[derive(Args)]
pub(super) struct PauseArgs {
    /// For how long, an hour at most: 90s, 10m, 1h
    #[arg(value_name = "TIME", value_parser = |text: &str| seconds(text, MOST_PAUSE))]
    time: i64,
    #[command(flatten)]
    project: ProjectArg,
}

#[derive(Args)]
pub(super) struct ResumeArgs {
    #[command(flatten)]
    project: ProjectArg,
}

pub(super) fn allow(args: &AllowArgs, system: &System) -> anyhow::Result<u8> {
    let project = args.project.find(system)?;
    let refusal = allowance::refusal(&args.id, &project)?;
    let span = match args.time {
        Some(seconds) => Span::For(seconds),
        None if args.session => Span::Session,
        None => Span::Once,
    };
    println!("{}\n  refused {}: {}\n  to allow {}", refusal.about(), refusal.at, refusal.reason, span.words());
    attended::confirm("allow", Some(&project), system).map_err(Usage)?;
    let kept = allowance::allow(&refusal, span, &project, system)?;
    println!("allowed {}, until {}; `hookbin resume` takes it back", span.words(), kept.end());
    Ok(exit::GOOD)
}

pub(super) fn pause(args: &PauseArgs, system: &System) -> anyhow::Result<u8> {
    let project = args.project.find(system)?;
    println!("{}\n  to pause for {}; own protection stays", project.root().display(), left(args.time));
    attended::confirm("pause", Some(&project), system).map_err(Usage)?;
    let kept = allowance::begin_pause(args.time, &project, system)?;
    println!("paused until {}; `hookbin resume` ends it", kept.end());
    Ok(exit::GOOD)
}

pub(super) fn resume(args: &ResumeArgs, system: &System) -> anyhow::Result<u8> {
    let project = args.project.find(system)?;
    attended::confirm("resume", Some(&project), system).map_err(Usage)?;
    let (paused, calls) = allowance::resume(&project, system)?;
    println!("{}", if paused { "the pause has ended" } else { "there was no pause" });
    if calls > 0 {
        println!("{calls} allowed calls are judged again");
    }
    Ok(exit::GOOD)
}
