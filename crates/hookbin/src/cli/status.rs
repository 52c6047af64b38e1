//! `hookbin status`: one screen on the sessions of a project, its gates and its records, or one line of it.

use std::path::Path;

use clap::Args;
use hook_audit_log::Entry;
use hook_policy::evidence::{ProofState, ProofStatus, TestResult, TestStatus, age};
use hook_session_state::{Activity, SessionDocument, SessionId};
use serde::Serialize;

use super::table::{clean, clean_lines, columns};
use super::{ProjectArg, ago, exit, print_json};
use hook_runtime::allowance::{self, Refusal};
use hook_runtime::config::cache;
use hook_runtime::event::plain;
use hook_runtime::event::scoring;
use hook_runtime::facts::MAX_FILE_BYTES;
use hook_runtime::facts::evidence;
use hook_runtime::facts::signed;
use hook_runtime::installation::presence::{self, Guard, Presence};
use hook_runtime::project::Project;
use hook_runtime::system::System;
use hook_runtime::trust;

#[derive(Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// Print JSON
    #[arg(long, conflicts_with = "line")]
    json: bool,
    /// Print one line, for a status line of the host, a shell or an editor
    #[arg(long)]
    line: bool,
}

/// Schema version of the JSON output.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct StatusJson {
    version: u32,
    project: String,
    profiles: Vec<String>,
    /// Further ones that the project's configuration names and nobody trusts.
    profiles_not_trusted: Vec<String>,
    /// How far that configuration counts, where it does not count whole.
    trust: Option<&'static str>,
    fault: Option<String>,
    /// Whether the guard is on.
    guard: Presence,
    sessions: Vec<SessionJson>,
    log_records: Option<u64>,
    /// What the tests said last; absent where nothing is recorded.
    tests: Option<GateJson>,
    /// Whether the user has seen the work; absent where nothing is recorded.
    proof: Option<GateJson>,
    /// Whether the user lets programs of the project start; absent where the profile starts none.
    programs_trusted: Option<bool>,
    /// The signed gates of a profile that keeps them.
    signed: Option<SignedJson>,
    /// Calls that the user lets through now, a line each.
    allowed: Vec<String>,
    /// Of the newest records.
    recent: RecentJson,
}

/// Evidence that a gate looks at.
#[derive(Serialize)]
struct GateJson {
    state: String,
    /// Seconds since it was recorded.
    age_seconds: Option<i64>,
    failed: Option<u64>,
    /// How far it counts, where it says that all is well and does not count everywhere.
    remark: Option<&'static str>,
}

/// What the signed state says.
#[derive(Serialize)]
struct SignedJson {
    breaker_tripped: bool,
    failures: u32,
    safemode: bool,
    trouble: Option<String>,
}

/// What the newest records say.
#[derive(Default, Serialize)]
struct RecentJson {
    records: u64,
    denied: u64,
    asked: u64,
    last_refusal: Option<RefusalJson>,
}

#[derive(Serialize)]
struct RefusalJson {
    time: String,
    by: String,
    subject: String,
    reason: String,
    /// What `hookbin allow` takes, where the refusal can be lifted.
    id: Option<String>,
}

#[derive(Serialize)]
struct SessionJson {
    id: String,
    started: Option<String>,
    ended: Option<String>,
    actions: u64,
    files_read: u64,
    files_written: u64,
    last_tool: Option<String>,
    last_result: Option<String>,
    /// The tier of its last prompt, where prompts are rated.
    tier: Option<String>,
}

impl SessionJson {
    fn of(id: &str, document: &SessionDocument) -> Self {
        let activity: &Activity = document.activity();
        let c = document.section_raw(scoring::SECTION).and_then(scoring::remembered);
        Self {
            id: id.to_owned(),
            started: activity.started.clone(),
            ended: activity.ended.clone(),
            actions: activity.action_count,
            files_read: activity.files_read.total(),
            files_written: activity.files_written.total(),
            last_tool: activity.last_tool.clone(),
            last_result: activity.last_result.clone(),
            tier: c.map(|c| hook_complexity::Tier::of(c).as_str().to_owned()),
        }
    }
}

/// Newest records that are looked at.
const RECENT: usize = 500;

/// Sessions that are shown to a user.
const SESSIONS: usize = 8;

pub(super) fn run(args: &StatusArgs, system: &System) -> anyhow::Result<u8> {
    let Some(project) = args.project.find_any(system)? else { return without_project(args, system) };
    if args.line {
        // A status line that breaks is worse than one that says little.
        let said = gather(&project, here(args, system), args.line, system);
        let is_guarded = said.as_ref().is_ok_and(|status| status.guard.is_guarded());
        println!("{}", said.map_or_else(|_| "hookbin OFF: no status here".to_owned(), |status| one_line(&status)));
        return Ok(code(is_guarded));
    }
    let status = gather(&project, here(args, system), args.line, system)?;
    if args.json {
        print_json(&status)?;
    } else {
        print!("{}", clean_lines(&text(&status)));
    }
    Ok(code(status.guard.is_guarded()))
}

/// What is said in the home directory, which is no project: whether the user's own settings guard what starts there.
fn without_project(args: &StatusArgs, system: &System) -> anyhow::Result<u8> {
    let force = cache::resolve_now(None, None, system);
    let found = presence::look(None, system.cwd.as_deref(), force.fault.as_deref(), system);
    let profiles = force.chosen;
    if args.json {
        print_json(&serde_json::json!({"version": VERSION, "project": null, "profiles": profiles, "guard": found}))?;
    } else if args.line {
        println!("{} {}", clean(&found.head()), clean(&profiles.join("+")));
    } else {
        print!(
            "{}",
            clean_lines(&format!(
                "project  none, as in the home directory\n{}profile  {}\n",
                guard(&found),
                profiles.join(" + ")
            ))
        );
    }
    Ok(code(found.is_guarded()))
}

/// What a script goes by: anything but a guard that is wholly on is a finding.
fn code(is_guarded: bool) -> u8 {
    if is_guarded { exit::GOOD } else { exit::FINDINGS }
}

/// Where a client would be started: here, unless a directory was named.
fn here<'h>(args: &StatusArgs, system: &'h System) -> Option<&'h Path> {
    system.cwd.as_deref().filter(|_| args.project.named(system).is_ok_and(|named| named.is_none()))
}

fn gather(project: &Project, here: Option<&Path>, is_line: bool, system: &System) -> anyhow::Result<StatusJson> {
    let force = cache::resolve_now(None, Some(project), system);
    let store = project.store();
    let mut sessions = Vec::new();
    for id in store.sessions()? {
        if let Some(document) = store.read_session(&id)? {
            sessions.push(SessionJson::of(id.as_str(), &document));
        }
    }
    sessions.sort_by(|a, b| b.started.cmp(&a.started));
    let records = hook_audit_log::tail(&project.log(), RECENT).unwrap_or_default();
    let signed = signed::is_kept(&force.profile).then(|| {
        let session = SessionId::from_raw(sessions.first().map_or("default", |session| &session.id));
        let state = signed::read(project, &session, system);
        SignedJson {
            breaker_tripped: state.breaker.tripped,
            failures: state.breaker.failures,
            safemode: state.safemode || state.marker,
            trouble: state.trouble.or(state.moved),
        }
    });
    let now = system.now.timestamp();
    let text = |path: &str| project.beneath().text(Path::new(path), MAX_FILE_BYTES);
    // A status line is asked for often, and has no room for it.
    let remark = |path: &str, text: &str| {
        if is_line { None } else { evidence::remark(project.root(), path, text, system) }
    };
    let tests = text(TestStatus::PATH).map(|text| {
        let status = TestStatus::parse(&text);
        let state = match status.result {
            TestResult::Pass => "pass".to_owned(),
            TestResult::Fail => "fail".to_owned(),
            TestResult::Nothing => "untested".to_owned(),
            TestResult::Running => "running".to_owned(),
            TestResult::Other(word) => word,
        };
        GateJson {
            state,
            age_seconds: age(status.epoch, now),
            failed: status.failed,
            remark: remark(TestStatus::PATH, &text),
        }
    });
    let proof = text(ProofStatus::PATH).map(|text| {
        let status = ProofStatus::parse(&text);
        let state = match status.state {
            ProofState::Verified => "verified".to_owned(),
            ProofState::Pending => "pending".to_owned(),
            ProofState::Other(word) => word,
        };
        GateJson { state, age_seconds: age(status.epoch, now), failed: None, remark: remark(ProofStatus::PATH, &text) }
    });
    let programs_trusted = force.profile.starts_programs().then(|| trust::runs(project, system));
    Ok(StatusJson {
        version: VERSION,
        project: project.root().display().to_string(),
        profiles: force.chosen,
        profiles_not_trusted: force.asked,
        trust: force.standing.said().map(|said| said.trim_start_matches("hookbin: ")),
        guard: presence::look(Some(project), here, force.fault.as_deref(), system),
        fault: force.fault,
        sessions,
        log_records: records.last().map(Entry::seq),
        tests,
        proof,
        programs_trusted,
        signed,
        allowed: allowance::allowed(project, system).iter().map(|kept| kept.line(system)).collect(),
        recent: recent(&records),
    })
}

fn recent(records: &[Entry]) -> RecentJson {
    let with = |verdict: &str| records.iter().filter(|entry| entry.text("verdict") == Some(verdict)).count() as u64;
    let last = records.iter().rev().find(|entry| entry.text("verdict") == Some("deny")).map(|entry| {
        let text = |key: &str| entry.text(key).unwrap_or_default();
        let about = entry.text("command").or_else(|| entry.text("path")).unwrap_or_default();
        RefusalJson {
            time: entry.time().format("%Y-%m-%d %H:%M:%S").to_string(),
            by: entry.text("rule").unwrap_or_else(|| text("check")).to_owned(),
            subject: format!("{} {about}", entry.text("tool").unwrap_or_else(|| text("event"))).trim_end().to_owned(),
            reason: text("reason").to_owned(),
            id: Refusal::of(entry).map(|refusal| refusal.call.id().to_owned()),
        }
    });
    RecentJson { records: records.len() as u64, denied: with("deny"), asked: with("ask"), last_refusal: last }
}

/// The evidence of a gate in a few words.
fn gate(gate: &GateJson) -> String {
    let failed = gate.failed.filter(|failed| *failed > 0).map(|failed| format!(" ({failed})")).unwrap_or_default();
    let ago = gate.age_seconds.map(|seconds| format!(", {}", ago(seconds))).unwrap_or_default();
    let remark = gate.remark.map(|remark| format!("; {remark}")).unwrap_or_default();
    format!("{}{failed}{ago}{remark}", gate.state)
}

/// What the gates say, one line each: a name and its words.
fn gates(status: &StatusJson) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    lines.extend(status.tests.as_ref().map(|tests| ("tests", gate(tests))));
    lines.extend(status.proof.as_ref().map(|proof| ("proof", gate(proof))));
    if let Some(signed) = &status.signed {
        let breaker = if signed.breaker_tripped { "TRIPPED" } else { "closed" };
        lines.push(("breaker", format!("{breaker}, {} failures in a row", signed.failures)));
        lines.extend(signed.safemode.then(|| ("safemode", "ON: gates only warn".to_owned())));
        lines.extend(signed.trouble.clone().map(|trouble| ("signed", trouble)));
    }
    lines
}

/// Whether the guard is on, why not, and what to do.
fn guard(guard: &Presence) -> String {
    let Presence { state, scope, what, mend, .. } = guard;
    let scope = scope.map(|scope| format!(" (scope {})", scope.as_str())).unwrap_or_default();
    let word = match state {
        Guard::Guarded => format!("ON{scope}"),
        Guard::ConfigFaulty => return format!("guard    ON{scope}, {}. {mend}\n", state.word()),
        state => format!("OFF: {}", state.word()),
    };
    if what.is_empty() {
        return format!("guard    {word}\n");
    }
    format!("guard    {word}\n         {what}. {mend}\n")
}

fn one_line(status: &StatusJson) -> String {
    let head = status.guard.head();
    let profiles = status.profiles.join("+");
    let mut parts = match status.guard.state {
        Guard::Guarded => vec![format!("{head} {profiles}")],
        // Nothing more is of use where nothing of ours is or was.
        Guard::NotInstalled if status.sessions.is_empty() => return head,
        _ => vec![head, profiles],
    };
    if !status.profiles_not_trusted.is_empty() {
        parts.push(format!("not trusted: {}", status.profiles_not_trusted.join("+")));
    }
    if let Some(session) = status.sessions.first() {
        parts.extend(session.tier.clone());
        parts.push(format!("{} actions", session.actions));
    }
    if status.recent.denied + status.recent.asked > 0 {
        parts.push(format!("{} refused, {} asked", status.recent.denied, status.recent.asked));
    }
    if !status.allowed.is_empty() {
        parts.push(format!("{} allowed", status.allowed.len()));
    }
    parts.extend(status.tests.as_ref().map(|tests| format!("tests {}", tests.state)));
    parts.extend(status.proof.as_ref().map(|proof| format!("proof {}", proof.state)));
    if let Some(signed) = &status.signed {
        parts.extend(signed.breaker_tripped.then(|| "breaker TRIPPED".to_owned()));
        parts.extend(signed.safemode.then(|| "safemode".to_owned()));
    }
    clean(&parts.join(" · "))
}

fn text(status: &StatusJson) -> String {
    // A directory's name may hold line breaks, and would write a line of its own.
    let mut out = format!("project  {}\n{}", plain::one_line(&status.project, 240), guard(&status.guard));
    out.push_str(&format!("profile  {}\n", status.profiles.join(" + ")));
    if !status.profiles_not_trusted.is_empty() {
        let names = status.profiles_not_trusted.join(" + ");
        out.push_str(&format!("         not trusted: {names}; of these only what is stricter counts\n"));
    }
    if let Some(trust) = status.trust {
        out.push_str(&format!("trust    {trust}\n"));
    }
    if let Some(fault) = &status.fault {
        out.push_str(&format!("fault    {fault}\n"));
    }
    out.push_str(&match status.log_records {
        Some(count) => format!("log      {count} records so far\n"),
        None => "log      nothing recorded yet\n".to_owned(),
    });
    if status.programs_trusted == Some(false) {
        out.push_str(
            "programs not trusted, so no test, linter or checkpoint starts; `hookbin trust` shows what would run\n",
        );
    }
    for (name, words) in gates(status) {
        out.push_str(&format!("{name:<8} {}\n", clean(&words)));
    }
    status.allowed.iter().for_each(|line| out.push_str(&format!("allowed  {}\n", clean(line))));
    let recent = &status.recent;
    if recent.records > 0 {
        out.push_str(&format!(
            "lately   {} refused and {} asked of the last {} records\n",
            recent.denied, recent.asked, recent.records
        ));
    }
    if let Some(last) = &recent.last_refusal {
        let subject: String = last.subject.chars().take(90).collect();
        let reason: String = last.reason.lines().next().unwrap_or_default().chars().take(110).collect();
        // What cannot be read is refused by no rule and no check.
        let by = if last.by.is_empty() { "the profile" } else { &last.by };
        out.push_str(&format!("refused  {}  {} by {}\n", last.time, clean(&subject), clean(by)));
        let id =
            last.id.as_ref().map(|id| format!("         `hookbin allow {id}` lets it through\n")).unwrap_or_default();
        out.push_str(&format!("         {}\n{id}", clean(&reason)));
    }
    if status.sessions.is_empty() {
        out.push_str("\nno session is remembered yet\n");
        return out;
    }
    let head = ["session", "started", "ended", "actions", "read", "written", "tier", "last tool"].map(str::to_owned);
    let dash = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let row = |session: &SessionJson| {
        [
            session.id.clone(),
            dash(&session.started),
            dash(&session.ended),
            session.actions.to_string(),
            session.files_read.to_string(),
            session.files_written.to_string(),
            dash(&session.tier),
            dash(&session.last_tool),
        ]
    };
    out.push('\n');
    out.push_str(&columns(
        &std::iter::once(head).chain(status.sessions.iter().take(SESSIONS).map(row)).collect::<Vec<_>>(),
    ));
    if status.sessions.len() > SESSIONS {
        out.push_str(&format!("and {} more; --json lists all\n", status.sessions.len() - SESSIONS));
    }
    out
}
