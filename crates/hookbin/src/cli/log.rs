//! `hookbin log`: the newest records and those to come, the state of the chain, the counts, and records for other programs.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use clap::Subcommand;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hook_audit_log::{Entry, Follow, Report, Stats, began, read, tail, verify};
use hook_session_state::Time;
use serde::Serialize;

use super::log_filter::{ALL, Filter, Wanted};
use super::table::{self, clean, columns};
use super::{Json, ProjectArg, exit};
use hook_replay::export::{self, Format};
use hook_runtime::allowance::Refusal;
use hook_runtime::project::Project;
use hook_runtime::system::System;

#[derive(Subcommand)]
pub(super) enum LogCommand {
    /// Show the newest records, and go on with those to come
    Tail {
        /// How many
        #[arg(short = 'n', long, default_value_t = 20)]
        lines: usize,
        /// Show what is recorded from now on as well, over rotations, until it is interrupted
        #[arg(short, long)]
        follow: bool,
        #[command(flatten)]
        filter: Filter,
        /// Print the records as they are stored, one JSON object a line
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        project: ProjectArg,
    },
    /// Check the chain of all records; exit 4 when something is wrong with it
    Verify {
        #[command(flatten)]
        json: Json,
        #[command(flatten)]
        project: ProjectArg,
    },
    /// Count records by event, verdict, check, rule and tool
    Stats {
        #[command(flatten)]
        filter: Filter,
        #[command(flatten)]
        json: Json,
        #[command(flatten)]
        project: ProjectArg,
    },
    /// Print all records for another program
    Export {
        /// jsonl: as stored; csv: one row a record; otlp-json: one `LogsData` object of OpenTelemetry
        #[arg(long, default_value = "jsonl", value_parser = formats(), value_name = "FORMAT")]
        format: Format,
        #[command(flatten)]
        filter: Filter,
        #[command(flatten)]
        project: ProjectArg,
    },
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
    by_rule: BTreeMap<String, u64>,
    by_tool: BTreeMap<String, u64>,
}

pub(super) fn run(command: &LogCommand, system: &System) -> anyhow::Result<u8> {
    let (json, project) = match command {
        LogCommand::Tail { json, project, .. } => (*json, project),
        LogCommand::Verify { json, project } | LogCommand::Stats { json, project, .. } => (json.json, project),
        LogCommand::Export { project, .. } => (true, project),
    };
    // Before the log is looked for: a filter that nobody can read is wrong also where there is none.
    let wanted = match command {
        LogCommand::Tail { filter, .. } | LogCommand::Stats { filter, .. } | LogCommand::Export { filter, .. } => {
            filter.read(system)?
        }
        LogCommand::Verify { .. } => ALL.read(system)?,
    };
    let project = project.find(system)?;
    let dir = project.log();
    let deleted = matches!(command, LogCommand::Verify { .. }) && missing(&project, &Report::default()).is_some();
    let waits = matches!(command, LogCommand::Tail { follow: true, .. });
    if !json && !dir.exists() && !deleted && !waits {
        println!("nothing is recorded in {}", dir.display());
        return Ok(exit::GOOD);
    }
    match command {
        LogCommand::Tail { lines, follow, json, .. } => show_tail(*lines, *follow, &wanted, *json, &dir),
        LogCommand::Verify { json, .. } => show_verify(json, &project),
        LogCommand::Stats { json, .. } => show_stats(json, &wanted, &dir),
        LogCommand::Export { format, .. } => export(*format, &wanted, &dir),
    }
}

fn show_tail(lines: usize, follow: bool, wanted: &Wanted, json: bool, dir: &Path) -> anyhow::Result<u8> {
    // Begun before the newest are read: a record that comes meanwhile is shown once, by its number.
    let mut followed = if follow { Some(Follow::from_end(dir)?) } else { None };
    let show =
        |entry: &Entry| if json { println!("{}", table::json(entry.raw())) } else { println!("{}", line(entry)) };
    let mut shown = 0;
    for entry in newest(dir, lines, wanted)? {
        shown = entry.seq();
        show(&entry);
    }
    let Some(followed) = &mut followed else {
        if shown == 0 && lines > 0 && !wanted.is_all() {
            // A name that was mistyped fits nothing. Not on stdout, which other programs read.
            eprintln!("no record fits");
        }
        return Ok(exit::GOOD);
    };
    loop {
        std::io::stdout().flush()?;
        // Only what the first look finds may have been among the newest; numbers begin again where the log was taken away.
        let since = std::mem::take(&mut shown);
        let new = followed.look()?;
        new.iter().filter(|entry| entry.seq() > since && wanted.has(entry)).for_each(show);
        std::thread::sleep(PAUSE);
    }
}

/// Between two looks at a log that is followed.
const PAUSE: Duration = Duration::from_millis(200);

/// One record for a user: time, event, what it was about, what was said.
fn line(entry: &Entry) -> String {
    let event = clean(entry.text("event").unwrap_or_default());
    let mut line = format!("{}  {event:<18}", entry.time().format("%Y-%m-%d %H:%M:%S"));
    for key in ["tool", "command", "path", "verdict", "check", "rule", "result", "reason", "note"] {
        if let Some(value) = entry.text(key) {
            let short: String = clean(value).chars().take(120).collect();
            line.push_str(&format!("  {key}={short}"));
        }
    }
    line.extend(Refusal::of(entry).map(|refusal| format!("  allow={}", refusal.call.id())));
    line
}

fn show_verify(json: &Json, project: &Project) -> anyhow::Result<u8> {
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
        notes: pruned(&report).into_iter().chain(texts(notes)).collect(),
        more_findings: report.more_findings,
    };
    if !json.print(&shown)? {
        println!("{} records ({} to {}) in {} files", shown.records, shown.first_seq, shown.last_seq, shown.files);
        for finding in &shown.findings {
            println!("finding: {}", clean(finding));
        }
        for note in &shown.notes {
            println!("note: {}", clean(note));
        }
        if shown.more_findings > 0 {
            println!("and {} more", shown.more_findings);
        }
        let from = if shown.first_seq > 1 { format!(" from record {} on", shown.first_seq) } else { String::new() };
        println!("the chain is {}{from}", if shown.good { "whole" } else { "NOT whole" });
    }
    Ok(if shown.good { exit::GOOD } else { exit::FINDINGS })
}

/// That the first records are gone. The log's own bounds take them, so it is no fault; whoever looks for an old one has to know.
fn pruned(report: &Report) -> Option<String> {
    let gone = report.first_seq.checked_sub(1).filter(|gone| *gone > 0)?;
    let (records, are) = if gone == 1 { ("record", "is") } else { ("records", "are") };
    Some(format!("{gone} earlier {records} {are} gone: the chain begins at record {}", report.first_seq))
}

/// What a deleted log leaves behind: a session that began before the first record, although every event of it is recorded.
pub(super) fn missing(project: &Project, report: &Report) -> Option<String> {
    // Where older records were pruned, the sessions of their time may be there still.
    if report.first_seq > 1 {
        return None;
    }
    let begin = began(&project.log()).ok().flatten().map(|begin| Time::from_unix(begin.timestamp()).stamp());
    let store = project.store();
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
fn earliest_clock(dir: &Path) -> Option<String> {
    let clocks = read(dir).ok()?.flatten().filter_map(|entry| {
        let clock = entry.text("clock")?.get(..19)?.replace('T', " ");
        Some(clock)
    });
    clocks.min()
}

fn show_stats(json: &Json, wanted: &Wanted, dir: &Path) -> anyhow::Result<u8> {
    let stats = counted(dir, wanted)?;
    let shown = StatsJson {
        version: VERSION,
        records: stats.records,
        first_time: stats.first_time.map(|time| time.to_rfc3339()),
        last_time: stats.last_time.map(|time| time.to_rfc3339()),
        by_event: stats.by_event,
        by_verdict: stats.by_verdict,
        by_check: stats.by_check,
        by_rule: stats.by_rule,
        by_tool: stats.by_tool,
    };
    if json.print(&shown)? {
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
        ("rule", &shown.by_rule),
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

fn newest(dir: &Path, lines: usize, wanted: &Wanted) -> anyhow::Result<Vec<Entry>> {
    if !dir.exists() {
        return Ok(Vec::new());
    }
    if wanted.is_all() {
        return Ok(tail(dir, lines)?);
    }
    let mut newest = VecDeque::new();
    for entry in read(dir)? {
        let entry = entry?;
        if wanted.has(&entry) {
            newest.push_back(entry);
        }
        if newest.len() > lines {
            newest.pop_front();
        }
    }
    Ok(newest.into())
}

fn checked(dir: &Path) -> anyhow::Result<Report> {
    Ok(if dir.exists() { verify(dir)? } else { Report::default() })
}

fn counted(dir: &Path, wanted: &Wanted) -> anyhow::Result<Stats> {
    let mut stats = Stats::default();
    if dir.exists() {
        for entry in read(dir)? {
            let entry = entry?;
            if wanted.has(&entry) {
                stats.add(&entry);
            }
        }
    }
    Ok(stats)
}

/// The forms by their names.
fn formats() -> impl TypedValueParser<Value = Format> {
    let formats = [
        ("jsonl", Format::Jsonl, "One record a line, as stored"),
        ("csv", Format::Csv, "Comma-separated values with a head line (RFC 4180)"),
        ("otlp-json", Format::OtlpJson, "OpenTelemetry's JSON encoding of logs: one `LogsData` object"),
    ];
    PossibleValuesParser::new(formats.map(|(name, _, help)| PossibleValue::new(name).help(help)))
        .map(move |name| formats.iter().find(|(known, ..)| *known == name).map_or(Format::Jsonl, |(_, form, _)| *form))
}

fn export(format: Format, wanted: &Wanted<'_>, dir: &Path) -> anyhow::Result<u8> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let passed_over = export::export(format, dir, |entry| wanted.has(entry), &mut out)?;
    if passed_over > 0 {
        eprintln!(
            "hookbin: {passed_over} lines of the log are no record and were left out; `hookbin log verify` names them"
        );
    }
    Ok(exit::GOOD)
}
