//! Carrying out a checkpoint: its steps in order, with bounds, once for the same content.

use std::fs::{self, File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hook_policy::Finding;
use hook_policy::effect::Effect;
use hook_policy::handoff::report::Form;
use hook_policy::handoff::{Change, Checked, Gate, REPORT, Ran, Routing, Step, StepEnd, StepKind, Why};
use sha2::{Digest, Sha256};

use crate::event::effects;
use crate::event::run::Run;
use crate::facts::section;
use crate::programs::launch::{self, Kind};
use crate::programs::process::{self, Bounds, End};
use crate::project::Project;
use crate::system::files;
use crate::system::open::Beneath;
use crate::trust::consent;

/// Bytes of a step's output that are kept; a report on it may be larger.
const OUTPUT: usize = 256 << 10;
const REPORT_BYTES: usize = 8 << 20;

/// Seconds beyond those of its steps that a checkpoint may take; half of them are for its own work.
const MARGIN: u64 = 10;

/// Most files and bytes that are looked at to tell one content from another. A larger project is checked again each time.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: u64 = 256 << 20;

/// Directories that a checkpoint itself fills, or that are nobody's source.
const PASSED_OVER: &[&str] = &[
    ".git", ".hg", "node_modules", "target", "vendor", "dist", "build", "coverage", ".venv", "venv", "__pycache__",
    ".pytest_cache", ".claude", ".claude-collective", ".next", ".cache", ".mypy_cache", ".ruff_cache",
];

/// Carries out a checkpoint. Returns what follows, and whether it was passed.
pub fn carry_out(gate: Gate, project: &Project, run: &Run<'_>) -> (Finding, bool) {
    let most = |kind| gate.steps.iter().filter(|step| step.kind == kind).map(|step| u64::from(step.seconds)).max();
    let seconds: u64 = KINDS.iter().filter_map(|kind| most(*kind)).sum();
    let begin = Instant::now();
    run.system.extend(seconds.saturating_add(MARGIN));
    let lock = wait_for_others(project, Duration::from_secs(seconds));
    let mut key = content_key(&gate);
    let known = key.as_deref().and_then(|key| remembered(key, &gate, project, run));
    let (fault, missing, how) = if let Some(checked) = known {
        (checked.fault, checked.missing, "unchanged since the last run")
    } else {
        // What was waited for counts: the steps end before the deadline, which would end this run without a verdict.
        let end = begin + Duration::from_secs(seconds.saturating_add(MARGIN / 2));
        let ended = run_steps(&gate, end, project, run);
        if ended.cut_short {
            // The next run may have its time, so this one says nothing about the content.
            key = None;
        }
        let missing = matches!(ended.fault, Some((Why::Missing | Why::Barred, _)));
        if matches!(ended.fault, Some((Why::Barred, _))) {
            // What the user says about it changes nothing of the content.
            key = None;
        }
        (ended.fault.map(|(_, text)| text), missing, "ran")
    };
    drop(lock);
    run.system.settle(begin.elapsed());
    let passed = fault.is_none();
    let said = fault.as_deref().unwrap_or("passed").lines().next().unwrap_or_default().to_owned();
    let line = format!("CHECKPOINT: {}: {said} ({how})", gate.agent);
    let line = Effect::Line { file: gate.log.clone(), line: hook_audit_log::text::stamped(run.system.now, &line) };
    let epoch = run.system.now.timestamp();
    let checked = Checked { key: key.unwrap_or_default(), fault: fault.clone(), missing, epoch };
    let mut finding = gate.judge(fault.as_deref(), missing);
    finding.effects.extend([line, Effect::Routing(Change::Checked(checked))]);
    (finding, passed)
}

/// Waits until no other checkpoint of the project runs. Without the lock two may run at once, which is slow and nothing worse.
fn wait_for_others(project: &Project, most: Duration) -> Option<File> {
    let lock = project.to_lock("checkpoint.lock").ok()?;
    let end = Instant::now() + most;
    loop {
        match lock.try_lock() {
            Ok(()) => return Some(lock),
            Err(TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(Duration::from_millis(50)),
            Err(_) => return None,
        }
    }
}

/// What an earlier checkpoint of the session came to, if nothing has changed since and it is not old.
fn remembered(key: &str, gate: &Gate, project: &Project, run: &Run<'_>) -> Option<Checked> {
    let document = effects::store(run, project).read_session(&run.session).ok()??;
    let remembered: Routing = section::read(document.section_raw(section::ROUTING));
    let checked = remembered.checked?;
    let age = run.system.now.timestamp().saturating_sub(checked.epoch);
    (checked.key == key && (0..=i64::from(gate.fresh_seconds)).contains(&age)).then_some(checked)
}

const KINDS: [StepKind; 3] = [StepKind::Install, StepKind::Test, StepKind::Build];

/// How the steps went.
struct Ended {
    /// What is wrong.
    fault: Option<(Why, String)>,
    /// A step had less than its own time, because another checkpoint took some of it.
    cut_short: bool,
}

/// Runs the steps until one fails or `end` has come. Their outputs are kept in one log an agent.
fn run_steps(gate: &Gate, end: Instant, project: &Project, run: &Run<'_>) -> Ended {
    let mut log = String::new();
    let mut fault = None;
    let mut empty = None;
    let mut tested = false;
    let mut took = [Duration::ZERO; KINDS.len()];
    let mut cut_short = false;
    // All are asked about before the first one starts: what one step puts in place for the next is no change by the agent.
    let barred = gate.steps.iter().find_map(|step| Some((step, why_barred(step, project, run)?)));
    if let Some((step, barred)) = barred {
        let name = step.command.first().map_or("", String::as_str);
        let ran = Ran { end: StepEnd::Barred, output: barred.words(name), report: None };
        return Ended { fault: step.fault(&ran), cut_short: false };
    }
    for step in &gate.steps {
        let begin = Instant::now();
        let used = took.iter_mut().zip(KINDS).find(|(_, kind)| *kind == step.kind).map(|(used, _)| used);
        let own = Duration::from_secs(step.seconds.into()).saturating_sub(used.as_deref().copied().unwrap_or_default());
        let left = own.min(end.saturating_duration_since(begin));
        let ran = run_step(step, left, gate, project, run);
        if let Some(used) = used {
            *used += begin.elapsed();
        }
        let command = step.command.join(" ");
        let output = ran.output.trim_end();
        log.push_str(&format!("$ {command}  # {}\n{output}\n[{}]\n\n", step.dir, ended(ran.end)));
        fault = step.fault(&ran);
        if matches!(ran.end, StepEnd::TimedOut) && left < own {
            let seconds = left.as_secs();
            let text = format!(
                "`{command}` was ended after {seconds} s, because another checkpoint of the project took the time before; hand in again"
            );
            fault = Some((Why::Failed, text));
            cut_short = true;
        }
        match &fault {
            Some((Why::Empty, _)) => empty = empty.or(fault.take()),
            Some(_) => break,
            None => tested |= step.kind == StepKind::Test,
        }
    }
    if gate.steps.iter().any(|step| step.kind == StepKind::Install) {
        consent::installed(project, run);
    }
    // A suite without tests is one too few, unless another one had some.
    let fault = fault.or(empty.filter(|_| !tested));
    let name = format!("checkpoint-{}.log", safe(&gate.agent));
    let kept = effects::store(run, project)
        .lock()
        .and_then(|mut locked| locked.write_view(&name, hook_audit_log::redact(&log).into_owned()));
    // The verdict stands without its log as well.
    drop(kept);
    Ended { fault: fault.map(|(why, text)| (why, hook_audit_log::redact(&text).into_owned())), cut_short }
}

fn ended(end: StepEnd) -> String {
    match end {
        StepEnd::Exited(status) => format!("status {status}"),
        StepEnd::TimedOut => "ended: it took too long".to_owned(),
        StepEnd::Killed => "ended by a signal".to_owned(),
        StepEnd::Missing => "not installed".to_owned(),
        StepEnd::Barred => "not started".to_owned(),
        StepEnd::Broken => "could not be started".to_owned(),
    }
}

/// Why a step may not be started, if it may not.
fn why_barred(step: &Step, project: &Project, run: &Run<'_>) -> Option<consent::Barred> {
    let dir = Path::new(&step.dir);
    let program = launch::find(step.command.first()?, dir, project.root(), run.system);
    consent::given(program.as_deref(), dir, project.root(), project, run).err()
}

fn run_step(step: &Step, left: Duration, gate: &Gate, project: &Project, run: &Run<'_>) -> Ran {
    let nothing = |end| Ran { end, output: String::new(), report: None };
    let dir = Path::new(&step.dir);
    let Some((name, args)) = step.command.split_first() else { return nothing(StepEnd::Broken) };
    let Some(program) = launch::find(name, dir, project.root(), run.system) else {
        return nothing(StepEnd::Missing);
    };
    let report = project.state().join(format!("checkpoint-{}.report", safe(&gate.agent)));
    let to_file = args.iter().any(|arg| arg.contains(REPORT));
    let records = project.records();
    if to_file {
        // An old report must not speak for this run. One that cannot go is not read.
        if records.remove(&report).is_err() {
            return nothing(StepEnd::Broken);
        }
    }
    let Ok(mut command) = launch::command(&program, Kind::Project, run.system) else { return nothing(StepEnd::Broken) };
    command.args(args.iter().map(|arg| arg.replace(REPORT, &report.to_string_lossy())));
    // Runners that watch for changes, or colour their output, see from these that nobody looks on.
    command.current_dir(dir).env("CI", "true").env("NO_COLOR", "1");
    let bytes = if step.report == Some(Form::Go) { REPORT_BYTES } else { OUTPUT };
    let bounds = Bounds { time: left, bytes, errors: true };
    let Ok(ran) = process::run(command, bounds, &mut || true) else { return nothing(StepEnd::Broken) };
    let end = match &ran.end {
        End::Exited(status) => status.code().map_or(StepEnd::Killed, StepEnd::Exited),
        End::TimedOut | End::GivenUp => StepEnd::TimedOut,
    };
    let written = if to_file { small_text(&records, &report) } else { None };
    if to_file {
        // It has been read; the next run makes its own.
        let _ = records.remove(&report);
    }
    Ran { end, output: ran.text(), report: written }
}

fn small_text(records: &Beneath, path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    records.to_read(path).ok()?.take(REPORT_BYTES as u64).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The name of an agent as part of a file's name.
fn safe(agent: &str) -> String {
    hook_policy::handoff::file_name(agent)
}

/// A hash of commands and content; `None` for a project that is too large to be looked at each time.
fn content_key(gate: &Gate) -> Option<String> {
    let mut hash = Sha256::new();
    for step in &gate.steps {
        for word in step.command.iter().chain([&step.dir]) {
            hash.update(word.as_bytes());
            hash.update([0]);
        }
        hash.update([1]);
    }
    let root = Path::new(&gate.dir);
    let beneath = Beneath::new(root);
    let mut left = MOST_BYTES;
    let mut files = 0;
    let mut dirs = vec![root.to_owned()];
    while let Some(dir) = dirs.pop() {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(&dir).ok()?.take(MOST_FILES + 1).filter_map(|entry| Some(entry.ok()?.path())).collect();
        entries.sort();
        for path in entries {
            let Ok(metadata) = path.symlink_metadata() else { continue };
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if metadata.is_dir() {
                if !PASSED_OVER.contains(&name) {
                    dirs.push(path);
                }
                continue;
            }
            files += 1;
            if files > MOST_FILES || dirs.len() > MOST_FILES {
                return None;
            }
            hash.update(path.strip_prefix(root).ok()?.as_os_str().as_encoded_bytes());
            hash.update([0]);
            if metadata.is_symlink() {
                hash.update(fs::read_link(&path).ok()?.as_os_str().as_encoded_bytes());
            } else if metadata.is_file() {
                left = left.checked_sub(metadata.len())?;
                let (content, bytes) = files::hash(beneath.to_read(&path).ok()?.take(MOST_BYTES)).ok()?;
                hash.update(bytes.to_le_bytes());
                hash.update(content);
            }
            hash.update([2]);
        }
    }
    Some(files::hexadecimal(hash.finalize().get(..16)?))
}
