//! `hookbin report`: the audit log of a session or a period as one HTML page.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use clap::Args;
use hook_audit_log::{read, verify};
use hook_policy::evidence::{ProofState, ProofStatus, TestResult, TestStatus, age};

use super::log_filter::moment;
use super::{ProjectArg, Usage, ago, exit, log};
use hook_replay::page::{Choice, Figures, Standing, Surroundings, render};
use hook_runtime::config::cache;
use hook_runtime::facts;
use hook_runtime::facts::evidence;
use hook_runtime::facts::signed;
use hook_runtime::project::Project;
use hook_runtime::system::System;
use hook_runtime::system::open;

#[derive(Args)]
pub(super) struct ReportArgs {
    /// The file to write, `-` for standard output; without it `.claude/hookbin/report.html` of the project
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// One session, by its id or the beginning of it
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Records from then on: 30m, 2h, 7d, a day, or a time in RFC 3339
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Records up to then, written like `--since`; a day counts whole
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,
    #[command(flatten)]
    project: ProjectArg,
}

pub(super) fn run(args: &ReportArgs, system: &System) -> anyhow::Result<u8> {
    let project = args.project.find(system)?;
    let choice = Choice {
        session: args.session.clone(),
        since: args.since.as_deref().map(|text| bound("since", text, system)).transpose()?,
        until: args.until.as_deref().map(|text| bound("until", text, system)).transpose()?,
    };
    let dir = project.log();
    let mut figures = Figures::default();
    let mut chain = None;
    if dir.exists() {
        for entry in read(&dir)? {
            figures.take(&entry?, &choice);
        }
        chain = Some(verify(&dir)?);
    }
    if let (0, Some(session)) = (figures.records, &choice.session) {
        let said =
            format!("the log has no record of session `{session}` in this period; `hookbin status` lists the sessions");
        return Err(Usage(said).into());
    }
    let force = cache::resolve_now(None, Some(&project), system);
    let around = Surroundings {
        project: project.root().display().to_string(),
        missing: log::missing(&project, chain.as_ref().unwrap_or(&hook_audit_log::Report::default())),
        standing: standing(&project, signed::is_kept(&force.profile), system),
        profiles: force.chosen.clone(),
        now: system.now,
        chain,
    };
    let whole = around.missing.is_none() && around.chain.as_ref().is_none_or(hook_audit_log::Report::is_good);
    let page = render(&figures, &choice, &around);
    match args.output.as_deref() {
        Some(path) if path == Path::new("-") => std::io::stdout().lock().write_all(page.as_bytes())?,
        Some(path) => {
            write_named(&project, &system.absolute_path(path), &page)
                .with_context(|| format!("cannot write {}; name another file with -o FILE", path.display()))?;
            println!("{}", path.display());
        }
        None => {
            let path = project.page();
            project
                .prepare()
                .and_then(|()| write_own(&project, &path, &page))
                .with_context(|| format!("cannot write {}; name another file with -o FILE", path.display()))?;
            println!("{}", path.display());
        }
    }
    if !whole {
        eprintln!("hookbin: the chain of the log is NOT whole; the page says where");
    }
    Ok(exit::GOOD)
}

/// The same for the project's own page, in a directory that somebody else may have filled: what stands there must be a plain file.
fn write_own(project: &Project, path: &Path, page: &str) -> std::io::Result<()> {
    let records = project.records();
    if records.look(path).is_ok_and(|seen| seen.kind == open::Kind::File) {
        // A file that may not be written stays, although its directory would let it be replaced.
        records.to_lock(path)?;
    }
    records.replace(path, &[page.as_bytes()], open::Rights::COMMON)
}

/// Writes the page where the user says. A name in the project is one of a file in it, whatever a clone has linked there.
fn write_named(project: &Project, path: &Path, page: &str) -> std::io::Result<()> {
    let root = project.root();
    if path.starts_with(root) && !hook_runtime::system::files::real(path).starts_with(std::fs::canonicalize(root)?) {
        return Err(std::io::Error::other("a link leads out of the project"));
    }
    write(path, page)
}

/// Writes the whole page or leaves what was there. What is no plain file (a terminal, a pipe) is written to, not replaced.
fn write(path: &Path, page: &str) -> std::io::Result<()> {
    // A link stays a link: the file that it names is the one to replace.
    let path = &hook_runtime::system::files::real(path);
    let mode = match path.metadata() {
        Ok(found) if found.is_dir() => return Err(std::io::Error::other("it is a directory")),
        Ok(found) if !found.is_file() => return open::to_overwrite(path)?.write_all(page.as_bytes()),
        Ok(found) => {
            // A file that may not be written stays, although its directory would let it be replaced.
            open::to_overwrite(path)?;
            Some(found.permissions())
        }
        Err(_) => None,
    };
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !dir.is_dir() {
        return Err(std::io::Error::other(format!("there is no directory {}", dir.display())));
    }
    // Only the kind of the error: its text names a file that nobody asked for.
    let mut file = tempfile::NamedTempFile::new_in(dir).map_err(|error| std::io::Error::from(error.kind()))?;
    file.write_all(page.as_bytes())?;
    if let Some(mode) = mode {
        file.as_file().set_permissions(mode)?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// A moment as `hookbin log` reads it; where it ends a period, a day counts whole.
fn bound(option: &str, text: &str, system: &System) -> anyhow::Result<DateTime<Utc>> {
    let found = moment(text, system.now).ok_or_else(|| {
        Usage(format!("cannot read `--{option} {text}`; say 30m, 2h, 7d, 2026-11-28 or 2026-11-28T09:30:00Z"))
    })?;
    let is_whole_day = option == "until" && text.parse::<NaiveDate>().is_ok();
    let rest = if is_whole_day { TimeDelta::days(1) - TimeDelta::microseconds(1) } else { TimeDelta::zero() };
    Ok(found.checked_add_signed(rest).unwrap_or(found))
}

/// How the status files and the breaker stand, each only where it is there.
fn standing(project: &Project, keeps_signed: bool, system: &System) -> Vec<Standing> {
    let mut found = Vec::new();
    let text = |path: &str| project.beneath().text(Path::new(path), facts::MAX_FILE_BYTES);
    let ago = |epoch| age(epoch, system.now.timestamp()).map(|it| format!(", {}", ago(it))).unwrap_or_default();
    let well = |words: &str, path: &str, text: &str| match evidence::remark(project.root(), path, text, system) {
        Some(remark) => format!("{words} ({remark})"),
        None => words.to_owned(),
    };
    if let Some(text) = text(TestStatus::PATH) {
        let status = TestStatus::parse(&text);
        let says = match &status.result {
            TestResult::Pass => well("the last run passed", TestStatus::PATH, &text),
            TestResult::Fail => {
                format!("the last run failed{}", status.failed.map_or_else(String::new, |n| format!(" ({n} tests)")))
            }
            TestResult::Nothing => "there are no tests".to_owned(),
            TestResult::Running => "a run goes on".to_owned(),
            TestResult::Other(word) => format!("the status file says `{word}`"),
        };
        found.push(Standing { what: "Tests", says: says + &ago(status.epoch), bad: status.result == TestResult::Fail });
    }
    if let Some(text) = text(ProofStatus::PATH) {
        let status = ProofStatus::parse(&text);
        let says = match &status.state {
            ProofState::Verified => well("a user has seen the work", ProofStatus::PATH, &text),
            ProofState::Pending => "it waits for a user".to_owned(),
            ProofState::Other(word) => format!("the status file says `{word}`"),
        };
        found.push(Standing {
            what: "Proof of work",
            says: says + &ago(status.epoch),
            bad: status.state == ProofState::Pending,
        });
    }
    if keeps_signed {
        found.extend(signed_standing(project, system));
    }
    found
}

fn signed_standing(project: &Project, system: &System) -> Vec<Standing> {
    let state = match signed::of(project, system).read() {
        Ok(found) => found,
        Err(error) => return vec![Standing { what: "Signed state", says: error.to_string(), bad: true }],
    };
    let mut standing = Vec::new();
    if let Some(trouble) = &state.trouble {
        standing.push(Standing { what: "Signed state", says: trouble.to_string(), bad: true });
    }
    let breaker = signed::breaker(&state.state);
    let says = if breaker.tripped {
        let since = breaker.tripped_at.map_or_else(String::new, |at| format!(" at {at}"));
        let error = breaker.last_error.map_or_else(String::new, |error| format!(", last error: {error}"));
        format!("tripped{since}{error}")
    } else {
        format!("closed, {} failures in a row", breaker.failures)
    };
    standing.push(Standing { what: "Circuit breaker", says, bad: breaker.tripped });
    let safemode: hook_session_state::sane::Safemode = state.state.section().unwrap_or_default();
    standing.push(Standing {
        what: "Safemode",
        says: if safemode.active { "on: research is not asked for".to_owned() } else { "off".to_owned() },
        bad: false,
    });
    standing
}
