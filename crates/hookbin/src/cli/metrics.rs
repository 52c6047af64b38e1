//! `hookbin metrics report`: what the figures of the days add up to.

use chrono::NaiveDate;
use clap::{Args, Subcommand};

use super::{ProjectArg, Usage, exit, print_json};
use hook_runtime::metrics::report::Report;
use hook_runtime::system::System;

#[derive(Subcommand)]
pub(super) enum MetricsCommand {
    /// Sum up the daily figures
    Report(ReportArgs),
}

#[derive(Args)]
pub(super) struct ReportArgs {
    /// The first day, `YYYY-MM-DD`, or a number of days such as `7d`, today included
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print Markdown, which is the default
    #[arg(long)]
    markdown: bool,
    #[command(flatten)]
    project: ProjectArg,
}

pub(super) fn run(command: &MetricsCommand, system: &System) -> anyhow::Result<u8> {
    let MetricsCommand::Report(args) = command;
    let since = args.since.as_deref().map(|since| day(since, system)).transpose()?;
    let report = Report::of(args.project.find(system)?.root(), since);
    if args.json {
        print_json(&report)?;
    } else {
        print!("{}", report.markdown());
    }
    Ok(exit::GOOD)
}

fn day(text: &str, system: &System) -> anyhow::Result<NaiveDate> {
    if let Some(days) =
        text.strip_suffix('d').and_then(|days| days.parse::<i64>().ok()).filter(|days| (1..=36_500).contains(days))
    {
        return Ok((system.now - chrono::Duration::days(days - 1)).date_naive());
    }
    NaiveDate::parse_from_str(text, "%Y-%m-%d")
        .map_err(|_| Usage(format!("`{text}` is no day; write YYYY-MM-DD, or a number of days such as 7d")).into())
}
