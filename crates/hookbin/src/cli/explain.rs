//! `hookbin explain`: what would be answered to a call, by which check, and why. Nothing is carried out.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use hook_policy::effect::Effect;
use hook_policy::explain::{Explanation, Understood};
use hook_policy::{Outcome, StepResult, Suggestion, Verdict};
use hook_protocol::event::Event;
use hook_protocol::lenient;
use serde::Serialize;

use super::table::{clean_lines, clean_short};
use super::{HostArg, Json, ProfileArg, ProjectArg, Usage, exit, of_named};
use hook_runtime::event::run::preview;
use hook_runtime::system::System;

#[derive(Args)]
pub(super) struct ExplainArgs {
    #[command(flatten)]
    profile: ProfileArg,
    /// The working directory of the call
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    #[command(flatten)]
    project: ProjectArg,
    #[command(flatten)]
    pub(super) host: HostArg,
    /// A tool other than Bash
    #[arg(long, value_name = "NAME", requires = "path")]
    tool: Option<String>,
    /// The file that the tool is about
    #[arg(long, value_name = "FILE", requires = "tool")]
    path: Option<String>,
    /// What would be written, for a tool that writes
    #[arg(long, value_name = "FILE", requires = "tool")]
    content_file: Option<PathBuf>,
    /// An event as JSON; `-` for stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tool", "command"])]
    event: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
    /// The shell command
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

/// Characters of a command that are shown.
const PART: usize = 160;

/// Schema version of the JSON output.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct ExplainJson<'o> {
    version: u32,
    event: String,
    verdict: Option<Verdict>,
    decided_by: Option<&'o str>,
    /// Id of the rule that the verdict comes from.
    rule: Option<&'o str>,
    reason: Option<&'o str>,
    #[serde(flatten)]
    next: Next<'o>,
    context: Vec<&'o str>,
    notices: &'o [String],
    rewrite: Option<&'o str>,
    /// What would be changed or written after the decision, by the name of its kind.
    effects: Vec<&'static str>,
    programs: Vec<ProgramJson<'o>>,
    actions: Vec<ActionJson<'o>>,
    rules: Vec<RuleJson<'o>>,
    unread: Vec<UnreadJson<'o>>,
    trace: Vec<TraceJson<'o>>,
    fault: Option<&'o str>,
}

#[derive(Serialize)]
struct ProgramJson<'o> {
    line: &'o str,
    depth: u16,
    part: &'o str,
    /// Its arguments, where more is known of them than that they are words.
    #[serde(flatten)]
    understood: Option<UnderstoodJson<'o>>,
}

#[derive(Serialize)]
struct UnderstoodJson<'o> {
    verb: String,
    options: Vec<OptionJson<'o>>,
    operands: &'o [String],
}

#[derive(Serialize)]
struct OptionJson<'o> {
    name: &'o str,
    value: Option<&'o str>,
}

#[derive(Serialize)]
struct ActionJson<'o> {
    kind: &'static str,
    place: Option<&'o str>,
    target: &'o str,
    part: &'o str,
    #[serde(rename = "doubtful")]
    speculative: bool,
    remote: bool,
}

/// What to do next.
#[derive(Serialize)]
struct Next<'o> {
    /// A command to run instead.
    suggestion: Option<&'o str>,
    /// A command that only shows what is at stake.
    look_first: Option<&'o str>,
}

impl<'o> Next<'o> {
    fn of(suggestion: Option<&'o Suggestion>) -> Self {
        match suggestion {
            Some(Suggestion::LookFirst(command)) => Self { suggestion: None, look_first: Some(command) },
            other => Self { suggestion: other.map(Suggestion::command), look_first: None },
        }
    }
}

fn next_line(indent: &str, suggestion: &Suggestion) -> String {
    format!("{indent}{}: {}\n", suggestion.label().to_lowercase(), suggestion.command())
}

#[derive(Serialize)]
struct RuleJson<'o> {
    rule: &'static str,
    family: &'static str,
    severity: &'static str,
    reason: &'o str,
    #[serde(flatten)]
    next: Next<'o>,
    part: &'o str,
}

#[derive(Serialize)]
struct UnreadJson<'o> {
    part: &'o str,
    why: &'static str,
}

#[derive(Serialize)]
struct TraceJson<'o> {
    handler: &'o str,
    check: &'o str,
    said: &'static str,
}

pub(super) fn run(args: &ExplainArgs, system: &System) -> anyhow::Result<u8> {
    let text = event_text(args, system)?;
    let event = Event::parse(&text).map_err(|error| Usage(format!("cannot read the event: {error}")))?;
    let chosen = args.profile.names()?;
    preview(&event, chosen, args.project.named(system)?.map(Path::to_owned), system, |outcome, explanation, fault| {
        if !args.json.print(&json(&event, outcome, explanation, fault))? {
            print!("{}", clean_lines(&plain(outcome, explanation, fault)));
        }
        Ok(match outcome.verdict {
            Some(Verdict::Deny) => exit::DENY,
            Some(Verdict::Ask) => exit::ASK,
            // What is off may have been what would have refused it.
            Some(Verdict::Allow) | None if fault.is_some() => exit::PART_OFF,
            Some(Verdict::Allow) | None => exit::GOOD,
        })
    })
}

/// The event that the arguments describe, as the host would send it.
fn event_text(args: &ExplainArgs, system: &System) -> anyhow::Result<String> {
    if let Some(path) = &args.event {
        let mut bytes = Vec::new();
        if path.as_os_str() == "-" {
            std::io::stdin().read_to_end(&mut bytes)?;
        } else {
            bytes = of_named(path, std::fs::read(path))?;
        }
        return Ok(lenient::decode(&bytes).into_owned());
    }
    let cwd = args
        .cwd
        .clone()
        .or_else(|| system.cwd.clone())
        .map(|cwd| system.absolute_path(&cwd).to_string_lossy().into_owned());
    let call = match (&args.tool, args.command.is_empty()) {
        (Some(tool), true) => {
            let read = |path: &PathBuf| of_named(path, std::fs::read_to_string(path));
            let content = args.content_file.as_ref().map(read).transpose()?;
            hook_protocol::event::PreToolUse::file_call(
                tool,
                args.path.as_deref().unwrap_or_default(),
                content.as_deref(),
            )
        }
        (None, false) => hook_protocol::event::PreToolUse::bash(&args.command.join(" ")),
        _ => {
            return Err(Usage(
                "say what to explain: -- 'COMMAND', or --tool NAME --path FILE, or --event FILE".to_owned(),
            )
            .into());
        }
    };
    let mut event = Event { body: call.into(), ..Event::default() };
    event.common.cwd = cwd.map(Into::into);
    Ok(event.to_json())
}

fn said(said: StepResult) -> &'static str {
    match said {
        StepResult::Nothing => "nothing",
        StepResult::Something => "no verdict, but something to note or to do",
        StepResult::Verdict(verdict) => verdict.as_str(),
        StepResult::Skipped => "not asked, an earlier check settled it",
    }
}

fn json<'o>(
    event: &'o Event<'_>,
    outcome: &'o Outcome<'_>,
    explanation: &'o Explanation,
    fault: Option<&'o str>,
) -> ExplainJson<'o> {
    let trace =
        outcome.trace.iter().map(|step| TraceJson { handler: step.handler, check: step.check, said: said(step.said) });
    ExplainJson {
        version: VERSION,
        event: event.name().as_str().to_owned(),
        verdict: outcome.verdict,
        decided_by: outcome.decided_by,
        rule: outcome.rule.as_deref(),
        reason: outcome.reason.as_deref(),
        next: Next::of(outcome.suggestion.as_ref()),
        context: outcome.context.iter().map(|context| context.text.as_str()).collect(),
        notices: &outcome.notices,
        rewrite: outcome.rewrite.as_deref(),
        effects: outcome.effects.iter().map(Effect::as_str).collect(),
        programs: explanation
            .programs
            .iter()
            .map(|program| ProgramJson {
                line: &program.line,
                depth: program.depth,
                part: &program.part,
                understood: program.understood.as_ref().map(|understood| UnderstoodJson {
                    verb: understood.verb.join(" "),
                    options: understood
                        .options
                        .iter()
                        .map(|(name, value)| OptionJson { name, value: value.as_deref() })
                        .collect(),
                    operands: &understood.operands,
                }),
            })
            .collect(),
        actions: explanation
            .actions
            .iter()
            .map(|action| ActionJson {
                kind: action.kind,
                place: action.place.as_deref(),
                target: &action.target,
                part: &action.part,
                speculative: action.speculative,
                remote: action.remote,
            })
            .collect(),
        rules: explanation
            .broken
            .iter()
            .map(|broken| RuleJson {
                rule: broken.rule,
                family: broken.family,
                severity: if broken.denies { "deny" } else { "ask" },
                reason: &broken.reason,
                next: Next::of(broken.suggestion.as_ref()),
                part: &broken.part,
            })
            .collect(),
        unread: explanation.unread.iter().map(|(part, why)| UnreadJson { part, why }).collect(),
        trace: trace.collect(),
        fault,
    }
}

fn plain(outcome: &Outcome<'_>, explanation: &Explanation, fault: Option<&str>) -> String {
    let mut out = String::new();
    if let Some(fault) = fault {
        out.push_str(&format!("configuration: {fault}\n"));
    }
    let verdict = outcome.verdict.map_or("no opinion: Claude Code goes on as usual", Verdict::as_str);
    out.push_str(&format!("verdict: {verdict}\n"));
    for (title, text) in
        [("by", outcome.decided_by), ("rule", outcome.rule.as_deref()), ("reason", outcome.reason.as_deref())]
    {
        if let Some(text) = text {
            out.push_str(&format!("{title}: {text}\n"));
        }
    }
    if let Some(suggestion) = &outcome.suggestion {
        out.push_str(&next_line("", suggestion));
    }
    if let Some(rewrite) = &outcome.rewrite {
        out.push_str(&format!("rewritten to: {rewrite}\n"));
    }
    for context in &outcome.context {
        out.push_str(&format!("context for the model:\n{}\n", context.text));
    }
    for notice in &outcome.notices {
        out.push_str(&format!("notice for the user: {notice}\n"));
    }
    seen(explanation, &mut out);
    out.push_str("asked:\n");
    for step in &outcome.trace {
        out.push_str(&format!("  {} ({}): {}\n", step.handler, step.check, said(step.said)));
    }
    if outcome.trace.is_empty() {
        out.push_str("  no check serves this call\n");
    }
    out
}

/// A call as it is understood: `kubectl · verb delete · -n prod, --force · pod a`.
fn as_understood(name: &str, understood: &Understood) -> String {
    let option = |(name, value): &(String, Option<String>)| match value {
        Some(value) => format!("{name} {value}"),
        None => name.clone(),
    };
    let verb = Some(understood.verb.join(" ")).filter(|verb| !verb.is_empty()).map(|verb| format!("verb {verb}"));
    let options = understood.options.iter().map(option).collect::<Vec<_>>().join(", ");
    let parts = [Some(name.to_owned()), verb, Some(options), Some(understood.operands.join(" "))];
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// What the rules see: programs, what they do, and what that breaks.
fn seen(explanation: &Explanation, out: &mut String) {
    if !explanation.programs.is_empty() {
        out.push_str("runs:\n");
    }
    for program in &explanation.programs {
        let indent = "  ".repeat(usize::from(program.depth).min(8) + 1);
        out.push_str(&format!("{indent}{}\n", clean_short(&program.line, PART)));
        if let Some(understood) = &program.understood {
            let name = program.line.split(' ').next().unwrap_or_default();
            out.push_str(&format!("{indent}  {}\n", clean_short(&as_understood(name, understood), PART)));
        }
    }
    if !explanation.actions.is_empty() {
        out.push_str("does:\n");
    }
    for action in &explanation.actions {
        let place = action.place.as_deref().map(|place| format!(" ({place})")).unwrap_or_default();
        let doubt = if action.speculative { ", perhaps" } else { "" };
        let remote = if action.remote { ", elsewhere" } else { "" };
        out.push_str(&format!("  {}: {}{place}{doubt}{remote}\n", action.kind, clean_short(&action.target, PART)));
    }
    if !explanation.broken.is_empty() {
        out.push_str("breaks:\n");
    }
    for broken in &explanation.broken {
        let severity = if broken.denies { "deny" } else { "ask" };
        out.push_str(&format!(
            "  {} ({}, {severity}) in: {}\n",
            broken.rule,
            broken.family,
            clean_short(&broken.part, PART)
        ));
        if let Some(suggestion) = &broken.suggestion {
            out.push_str(&next_line("    ", suggestion));
        }
    }
    for (part, why) in &explanation.unread {
        out.push_str(&format!("cannot read: {} ({why})\n", clean_short(part, PART)));
    }
}
