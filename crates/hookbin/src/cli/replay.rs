//! `hookbin replay`: what a policy would have done to past sessions, and where two policies differ.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;

use super::table::{clean, columns};
use super::{HostArg, Json, existing, exit, known_profiles};
use hook_replay::{
    self, Difference, GroupShown, InputShown, Order, Policy, Proposal, Report, RuleShown, VERSION, Verdicts,
};
use hook_runtime::system::System;

#[derive(Args)]
#[command(
    after_help = "A policy is one or more built-in profiles, separated by commas, or a configuration file (a path with a `/`, or \
one that ends with `.toml`), which takes the place of each project's own. Without --profile it is what is in force.\n\n\
Exit codes: 0 all is well, 3 --against or --expect found differences, 64 wrong use."
)]
pub(super) struct ReplayArgs {
    /// Transcripts of the host, audit logs of hookbin, or directories of them
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) host: HostArg,
    /// The policy
    #[arg(long, value_name = "POLICY")]
    profile: Option<String>,
    /// A second policy, held against the first verdict by verdict
    #[arg(long, value_name = "POLICY", conflicts_with = "expect")]
    against: Option<String>,
    /// Hold the policy against what the hook answered at the time, as the audit log or else the transcript has it
    #[arg(long)]
    expect: bool,
    /// The project of all sessions, in place of the one that each of them names
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// What `--json` prints.
#[derive(Serialize)]
struct ReplayJson<'r> {
    version: u32,
    policy: &'r str,
    against: Option<&'r str>,
    expect: bool,
    /// Profiles that were in force in the projects that were met.
    profiles: &'r [String],
    inputs: &'r InputShown,
    events: u64,
    sessions: usize,
    first_time: Option<&'r str>,
    last_time: Option<&'r str>,
    verdicts: &'r Verdicts,
    against_verdicts: Option<&'r Verdicts>,
    /// Calls that would have run without the host's own question, at most.
    prompts_saved: u64,
    /// Calls about which the user would have been asked, at most.
    prompts_added: u64,
    rules: &'r [RuleShown],
    groups: &'r [GroupShown],
    groups_total: usize,
    compared: u64,
    /// Verdicts that differ where the record lacks what they hang on; these are no differences.
    undecidable: u64,
    differences_total: u64,
    differences: &'r [Difference],
    proposals: &'r [Proposal],
    notes: Vec<&'r str>,
    bytes: u64,
    seconds: f64,
    mib_per_second: f64,
}

pub(super) fn run(args: &ReplayArgs, system: &System) -> anyhow::Result<u8> {
    let mut order = Order::new(&args.paths, args.profile.as_deref().map_or(Ok(Policy::InForce), policy)?);
    order.against = args.against.as_deref().map(policy).transpose()?;
    order.expect = args.expect;
    order.project = existing(args.project.as_deref(), system)?.map(Path::to_owned);
    let mut bar = Bar::new();
    let report = hook_replay::run(&order, system, &mut |done, total| bar.show(done, total))?;
    bar.clear();
    if !args.json.print(&json(&report))? {
        print!("{}", plain(&report));
    }
    Ok(if report.differences_total > 0 { exit::DIFFERENT } else { exit::GOOD })
}

/// A policy by its name on the command line.
fn policy(text: &str) -> anyhow::Result<Policy> {
    let is_file = text.contains('/') || Path::new(text).extension().is_some_and(|end| end == "toml");
    if is_file {
        return Ok(Policy::File(PathBuf::from(text)));
    }
    let names =
        known_profiles(text).context("a policy is a profile, or a configuration file named by a path with a `/`")?;
    Ok(Policy::Profiles(names))
}

fn json(report: &Report) -> ReplayJson<'_> {
    let (prompts_saved, prompts_added) = report.prompts();
    let (first_time, last_time) = report.span.as_ref().map(|(first, last)| (&**first, &**last)).unzip();
    ReplayJson {
        version: VERSION,
        policy: &report.policy,
        against: report.against.as_deref(),
        expect: report.expect,
        profiles: &report.profiles,
        inputs: &report.inputs,
        events: report.events,
        sessions: report.sessions,
        first_time,
        last_time,
        verdicts: &report.verdicts,
        against_verdicts: report.against.as_ref().map(|_| &report.second_verdicts),
        prompts_saved,
        prompts_added,
        rules: &report.rules,
        groups: &report.groups,
        groups_total: report.groups_total,
        compared: report.compared,
        undecidable: report.undecidable,
        differences_total: report.differences_total,
        differences: &report.differences,
        proposals: &report.proposals,
        notes: report.notes.iter().map(String::as_str).collect(),
        bytes: report.bytes,
        seconds: report.elapsed.as_secs_f64(),
        mib_per_second: report.mib_per_second(),
    }
}

/// Rules, groups and differences that a user is shown; JSON has more.
const SHOWN: usize = 20;

fn plain(report: &Report) -> String {
    let mut out = String::new();
    let mut say = |line: String| {
        out.push_str(&clean(&line));
        out.push('\n');
    };
    let inputs = &report.inputs;
    say(format!(
        "replayed {} events of {} sessions from {} transcripts and {} logs",
        report.events,
        report.sessions,
        inputs.transcripts,
        inputs.logs.len()
    ));
    if let Some((first, last)) = &report.span {
        say(format!("from {first} to {last}"));
    }
    let profiles = match report.profiles.as_slice() {
        [] => String::new(),
        met => format!(" ({})", met.join("; ")),
    };
    say(format!("policy   {}{profiles}", report.policy));
    let counts = |verdicts: &Verdicts| {
        let calls = &verdicts.calls;
        format!(
            "{} refused, {} asked, {} allowed, {} without a verdict",
            calls.deny, calls.ask, calls.allow, calls.none
        )
    };
    say(format!("calls    {}", counts(&report.verdicts)));
    let (saved, added) = report.prompts();
    say(format!("prompts  up to {saved} saved by allow, {added} added by ask"));
    if let Some(against) = &report.against {
        say(format!("against  {against}: {}", counts(&report.second_verdicts)));
    }
    if report.expect {
        let undecidable = match report.undecidable {
            0 => String::new(),
            some => format!("; {some} more hang on what the log does not keep"),
        };
        say(format!("compared {} verdicts with what was recorded{undecidable}", report.compared));
    }
    for note in left_out(inputs).iter().chain(&inputs.notes).chain(&report.notes) {
        say(format!("note: {note}"));
    }
    for skipped in &inputs.skipped {
        say(format!("note: left out {}: {}", skipped.path.display(), skipped.why));
    }
    rules(report, &mut out);
    groups(report, &mut out);
    differences(report, &mut out);
    if !report.proposals.is_empty() {
        out.push_str("\nrules that this past suggests, for .claude/hookbin.toml; each was tried and loads:\n");
        for proposal in &report.proposals {
            out.push_str(&format!("\n# {}\n{}", clean(&proposal.why), proposal.toml));
        }
    }
    out.push_str(&format!(
        "\n{:.1} MiB in {:.1} s, {:.1} MiB/s\n",
        report.mib_per_second() * report.elapsed.as_secs_f64(),
        report.elapsed.as_secs_f64(),
        report.mib_per_second()
    ));
    out
}

/// What was not replayed of the input, in words.
fn left_out(inputs: &InputShown) -> Vec<String> {
    let told = [
        (inputs.damaged_lines, "lines are not JSON"),
        (inputs.cut_off_files, "files end in the middle of a line"),
        (inputs.too_long_lines, "lines are longer than 16 MiB"),
        (inputs.other_records, "records of logs cannot be replayed: a log keeps no prompt and no content"),
        (inputs.covered_records, "records of logs are of sessions whose transcript was replayed"),
        (inputs.repeated, "events repeat calls of an earlier file"),
    ];
    told.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect()
}

fn rules(report: &Report, out: &mut String) {
    if report.rules.is_empty() {
        return;
    }
    out.push_str("\nrules that would have fired\n");
    let head = ["  times", "ran", "verdict", "rule", "on"].map(str::to_owned);
    let row = |rule: &RuleShown| {
        let name = rule.rule.clone().unwrap_or_else(|| rule.check.clone());
        let on = rule.examples.first().map(|on| on.chars().take(90).collect()).unwrap_or_default();
        [format!("  {}", rule.count), rule.ran.to_string(), rule.verdict.to_owned(), name, on]
    };
    let rows: Vec<_> = std::iter::once(head).chain(report.rules.iter().take(SHOWN).map(row)).collect();
    out.push_str(&columns(&rows));
}

fn groups(report: &Report, out: &mut String) {
    if report.groups.is_empty() {
        return;
    }
    out.push_str(&format!("\nalike calls ({} groups)\n", report.groups_total));
    let head = ["  calls", "refused", "asked", "allowed", "ran", "like"].map(str::to_owned);
    let row = |group: &GroupShown| {
        let verdicts = &group.verdicts;
        [
            format!("  {}", group.calls),
            verdicts.deny.to_string(),
            verdicts.ask.to_string(),
            verdicts.allow.to_string(),
            group.ran.to_string(),
            group.shape.chars().take(100).collect(),
        ]
    };
    let rows: Vec<_> = std::iter::once(head).chain(report.groups.iter().take(SHOWN).map(row)).collect();
    out.push_str(&columns(&rows));
}

fn differences(report: &Report, out: &mut String) {
    if report.against.is_none() && !report.expect {
        return;
    }
    let (first, second) = match &report.against {
        Some(against) => (report.policy.as_str(), against.as_str()),
        None => ("recorded", "now"),
    };
    if report.differences_total == 0 {
        out.push_str("\nno verdict differs\n");
        return;
    }
    out.push_str(&format!("\n{} verdicts differ ({first} / {second})\n", report.differences_total));
    for difference in report.differences.iter().take(SHOWN) {
        let side = |side: &hook_replay::Side| match side.rule.as_ref().or(side.check.as_ref()) {
            Some(by) => format!("{} by {by}", side.verdict),
            None => side.verdict.to_owned(),
        };
        let line = format!(
            "  {}  {}  {} / {}  {}",
            difference.time,
            difference.event,
            side(&difference.first),
            side(&difference.second),
            difference.subject
        );
        out.push_str(&clean(&line));
        out.push('\n');
    }
    if report.differences_total > SHOWN as u64 {
        out.push_str("  …; --json has more\n");
    }
}

/// How far it is, on one line of a terminal.
struct Bar {
    begin: Instant,
    shown: Option<Instant>,
    terminal: bool,
}

impl Bar {
    const WIDTH: u64 = 30;
    const PAUSE: Duration = Duration::from_millis(100);

    fn new() -> Self {
        Self { begin: Instant::now(), shown: None, terminal: std::io::stderr().is_terminal() }
    }

    fn show(&mut self, done: u64, total: u64) {
        if !self.terminal || self.shown.is_some_and(|shown| shown.elapsed() < Self::PAUSE) || total == 0 {
            return;
        }
        self.shown = Some(Instant::now());
        let done = done.min(total);
        let filled = usize::try_from(done * Self::WIDTH / total).unwrap_or(0);
        let empty = usize::try_from(Self::WIDTH).unwrap_or(0).saturating_sub(filled);
        let seconds = self.begin.elapsed().as_secs().max(1);
        let rate = (done >> 20) / seconds;
        let left = (total - done) / (done / seconds).max(1);
        let _ = write!(
            std::io::stderr(),
            "\r[{}{}] {}% of {} MiB, {rate} MiB/s, {left} s left \x1b[K",
            "#".repeat(filled),
            " ".repeat(empty),
            done * 100 / total,
            total >> 20,
        );
    }

    fn clear(&self) {
        if self.shown.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
