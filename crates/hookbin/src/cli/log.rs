//! `hookbin log`: the newest records, the state of the chain, the counts.

use std::collections::BTreeMap;
use std::path::Path;

use clap::{Args, Subcommand};
use hook_audit_log::{Entry, Report, Stats, began, read, stats, tail, verify};
use hook_session_state::{Store, Time};
use serde::Serialize;

use super::table::{clean, columns};
use super::{ProjectArg, exit};
use crate::host::Host;
use crate::project::Project;

#[derive(Subcommand)]
pub(super) enum LogCommand {
    /// Show the newest records
    Tail {
        /// How many
        #[arg(short = 'n', long, default_value_t = 20)]
        lines: usize,
        #[command(flatten)]
        common: Common,
    },
    /// Check the chain of all records; exit 4 when something is wrong with it
    Verify {
        #[command(flatten)]
        common: Common,
    },
    /// Count records by event, verdict, check and tool
    Stats {
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Args)]
pub(super) struct Common {
    /// Print JSON (`tail`: one record a line, as stored)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    project: ProjectArg,
}

/// Schema version of the JSON output.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct VerifyJson {
    version: u32,
    good: bool,
    records: u64,
    first_seq: u64,
    last_seq: u64,
    files: usize,
    findings: Vec<String>,
    notes: Vec<String>,
    more_findings: u64,
}

#[derive(Serialize)]
struct StatsJson {
    version: u32,
    records: u64,
    first_time: Option<String>,
    last_time: Option<String>,
    by_event: BTreeMap<String, u64>,
    by_verdict: BTreeMap<String, u64>,
    by_check: BTreeMap<String, u64>,
    by_tool: BTreeMap<String, u64>,
}

pub(super) fn run(command: &LogCommand, host: &Host) -> anyhow::Result<u8> {
    let (LogCommand::Tail { common, .. } | LogCommand::Verify { common } | LogCommand::Stats { common }) = command;
    let project = common.project.find(host)?;
    let folder = project.log();
    let deleted = matches!(command, LogCommand::Verify { .. }) && missing(&project, &Report::default()).is_some();
    if !common.json && !folder.exists() && !deleted {
        println!("nothing is recorded in {}", folder.display());
        return Ok(exit::GOOD);
    }
    match command {
        LogCommand::Tail { lines, common } => show_tail(*lines, common, &folder),
        LogCommand::Verify { common } => show_verify(common, &project),
        LogCommand::Stats { common } => show_stats(common, &folder),
    }
}

fn show_tail(lines: usize, common: &Common, folder: &Path) -> anyhow::Result<u8> {
    for entry in newest(folder, lines)? {
        if common.json {
            println!("{}", entry.raw());
        } else {
            println!("{}", line(&entry));
        }
    }
    Ok(exit::GOOD)
}

/// One record for a person: time, event, what it was about, what was said.
fn line(entry: &Entry) -> String {
    let mut line =
        format!("{}  {:<18}", entry.time().format("%Y-%m-%d %H:%M:%S"), entry.text("event").unwrap_or_default());
    for key in ["tool", "command", "path", "verdict", "check", "result", "reason", "note"] {
        if let Some(value) = entry.text(key) {
            let short: String = clean(value).chars().take(120).collect();
            line.push_str(&format!("  {key}={short}"));
        }
    }
    line
}

fn show_verify(common: &Common, project: &Project) -> anyhow::Result<u8> {
    let report = checked(&project.log())?;
    let missing = missing(project, &report);
    let (notes, findings): (Vec<_>, Vec<_>) = report.findings.iter().partition(|finding| finding.is_note());
    let texts = |list: Vec<&hook_audit_log::Finding>| list.into_iter().map(ToString::to_string).collect::<Vec<_>>();
    let shown = VerifyJson {
        version: VERSION,
        good: report.is_good() && missing.is_none(),
        records: report.records,
        first_seq: report.first_seq,
        last_seq: report.last_seq,
        files: report.files,
        findings: texts(findings).into_iter().chain(missing).collect(),
        notes: texts(notes),
        more_findings: report.more_findings,
    };
    if common.json {
        println!("{}", serde_json::to_string_pretty(&shown)?);
    } else {
        println!("{} records ({} to {}) in {} files", shown.records, shown.first_seq, shown.last_seq, shown.files);
        for finding in &shown.findings {
            println!("finding: {finding}");
        }
        for note in &shown.notes {
            println!("note: {note}");
        }
        if shown.more_findings > 0 {
            println!("and {} more", shown.more_findings);
        }
        println!("{}", if shown.good { "the chain is whole" } else { "the chain is NOT whole" });
    }
    Ok(if shown.good { exit::GOOD } else { exit::FINDINGS })
}

/// What a deleted log leaves behind: a session that began before the first record, although every event of it is recorded.
fn missing(project: &Project, report: &Report) -> Option<String> {
    // Where older records were pruned, the sessions of their time may be there still.
    if report.first_seq > 1 {
        return None;
    }
    let begin = began(&project.log()).ok().flatten().map(|begin| Time::from_unix(begin.timestamp()).stamp());
    let store = Store::new(project.state());
    let started = |id| store.read_session(id).ok()??.activity().started.clone();
    let sessions = store.sessions().ok()?;
    let (oldest, id) = sessions.iter().filter_map(|id| Some((started(id)?, id))).min()?;
    let session = format!("session {} began at {oldest}", id.as_str());
    match begin {
        None => Some(format!("no record is left, although {session}: the log was deleted")),
        Some(begin) if begin > oldest && earliest_clock(&project.log()).is_none_or(|clock| clock > oldest) => {
            Some(format!("the log begins at {begin}, although {session}: an earlier log was deleted"))
        }
        Some(_) => None,
    }
}

/// The earliest time that a writer's clock had when it was behind the records before it: a clock that went back after the first record
/// explains sessions that seem to be older than the log.
fn earliest_clock(folder: &Path) -> Option<String> {
    let clocks = read(folder).ok()?.flatten().filter_map(|entry| {
        let clock = entry.text("clock")?.get(..19)?.replace('T', " ");
        Some(clock)
    });
    clocks.min()
}

fn show_stats(common: &Common, folder: &Path) -> anyhow::Result<u8> {
    let stats = counted(folder)?;
    let shown = StatsJson {
        version: VERSION,
        records: stats.records,
        first_time: stats.first_time.map(|time| time.to_rfc3339()),
        last_time: stats.last_time.map(|time| time.to_rfc3339()),
        by_event: stats.by_event,
        by_verdict: stats.by_verdict,
        by_check: stats.by_check,
        by_tool: stats.by_tool,
    };
    if common.json {
        println!("{}", serde_json::to_string_pretty(&shown)?);
        return Ok(exit::GOOD);
    }
    println!("{} records", shown.records);
    if let (Some(first), Some(last)) = (&shown.first_time, &shown.last_time) {
        println!("from {first} to {last}");
    }
    for (title, counts) in [
        ("event", &shown.by_event),
        ("verdict", &shown.by_verdict),
        ("check", &shown.by_check),
        ("tool", &shown.by_tool),
    ] {
        if !counts.is_empty() {
            println!("\nby {title}");
            let rows: Vec<[String; 2]> =
                counts.iter().map(|(name, count)| [format!("  {name}"), count.to_string()]).collect();
            print!("{}", columns(&rows));
        }
    }
    Ok(exit::GOOD)
}

// A project in which nothing has happened yet has no log, which is no fault.

fn newest(folder: &Path, lines: usize) -> anyhow::Result<Vec<Entry>> {
    Ok(if folder.exists() { tail(folder, lines)? } else { Vec::new() })
}

fn checked(folder: &Path) -> anyhow::Result<Report> {
    Ok(if folder.exists() { verify(folder)? } else { Report::default() })
}

fn counted(folder: &Path) -> anyhow::Result<Stats> {
    Ok(if folder.exists() { stats(folder)? } else { Stats::default() })
}
