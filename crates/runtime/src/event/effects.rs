//! Carrying out what a decision asked for: the session document, its views, text logs, exported variables.

mod sane;

use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use hook_policy::effect::{Action, Effect, Memory, Touch, View};
use hook_policy::handoff::{Change, Routing};
use hook_policy::orders::Orders;
use hook_policy::registry::Change::Started;
use hook_policy::{Finding, Outcome, Verdict, variables};
use hook_protocol::event::EventName;
use hook_session_state::{Activity, Error, Kind, Locked, SessionDocument, Store, Time, view};

use crate::allowance::{self, Word};
use crate::event::deadline;
use crate::event::record;
use crate::event::run::Run;
use crate::event::scoring;
use crate::facts::evidence;
use crate::facts::notes;
use crate::facts::owed;
use crate::facts::section;
use crate::metrics::{self, MetricsContext};
use crate::programs::checkpoint;
use crate::programs::gate;
use crate::programs::lint;
use crate::programs::runner;
use crate::project::Project;
use crate::project::project_files;
use crate::project::registry;
use crate::project::text_log;
use crate::trust::consent;
use crate::trust::redefined;

/// What came of the effects, for the log.
#[derive(Default)]
pub struct EffectReport {
    /// What could not be done.
    pub faults: Vec<String>,
    /// The score and the tier of the event's prompt.
    pub scored: Option<(u64, &'static str)>,
    /// Whether the checkpoints that the answer waited for were passed.
    pub gate: Option<bool>,
    /// Whether the circuit breaker tripped (true) or was closed again (false).
    pub breaker: Option<bool>,
    /// What the user's word lifted or could lift.
    pub word: Word,
}

/// Carries out the effects of `outcome`. What the user has to know is added to the notices, once a session where that can be
/// remembered.
pub fn carry_out(run: &Run<'_>, outcome: &mut Outcome<'_>) -> EffectReport {
    let mut effects = std::mem::take(&mut outcome.effects);
    let scored = effects.iter().find_map(|effect| match effect {
        Effect::Memory(Memory::Scored { c, tier }) => Some((*c, *tier)),
        _ => None,
    });
    let mut done = EffectReport { scored, ..EffectReport::default() };
    // The registry lies outside the project, and hears of a session wherever it is.
    done.faults.extend(tell_registry(run, &effects, outcome));
    let wanted = !effects.is_empty() || run.config_fault.is_some() || standing(run).is_some();
    if let Some(project) = run.project.as_ref().filter(|_| wanted) {
        match prepare(project) {
            Ok(()) => carry_out_in(project, run, outcome, &mut effects, &mut done),
            Err((fault, notice)) => {
                refuse_unrecorded(run, outcome, &effects, &fault);
                done.faults.push(fault);
                outcome.notices.push(notice);
            }
        }
    }
    // The host's own file has what its next commands need, whatever became of ours.
    done.faults.extend(export(run, &effects).err());
    done
}

/// What a user is told about trust, where the event can carry it to them.
fn standing(run: &Run<'_>) -> Option<&'static str> {
    run.standing.said().filter(|_| matches!(run.event.name(), EventName::SessionStart | EventName::UserPromptSubmit))
}

/// Makes the project's own directory. `Err` has a fault for the log and a notice for the user.
fn prepare(project: &Project) -> Result<(), (String, String)> {
    if let Err(error) = project.prepare() {
        let own = project.own();
        let said = format!("cannot make {}: {error}", own.display());
        let notice = format!("hookbin {said}. Nothing is remembered or logged until that works.");
        return Err((format!("{said}; nothing is remembered"), notice));
    }
    if project.state_is_elsewhere() {
        let said = format!(
            "{} is a link to somewhere else, so nothing is written there; remove the link",
            project.state().display()
        );
        let notice = format!("hookbin: {said}");
        return Err((said, notice));
    }
    Ok(())
}

/// Carries out what concerns the project. Its own directory is there.
fn carry_out_in(
    project: &Project,
    run: &Run<'_>,
    outcome: &mut Outcome<'_>,
    effects: &mut Vec<Effect>,
    done: &mut EffectReport,
) {
    // Checkpoints decide with, and what follows from them is carried out like everything else.
    done.gate = if run.may.starts_programs { pass_gates(effects, project, run, outcome) } else { None };
    // Lines come first: what they say holds also when the document cannot be changed.
    for effect in &*effects {
        if let Effect::Line { file, line } = effect {
            done.faults.extend(text_log::append(run, project, file, line));
        }
    }
    update_state(project, run, outcome, effects, done);
    done.faults.extend(sane::carry_out(run, project, effects, outcome, &mut done.breaker));
    done.faults.extend(run.config_fault.as_ref().map(|fault| format!("configuration: {}", first_line(fault))));
    for effect in &*effects {
        match effect {
            Effect::Checkpoint(note) => done.faults.extend(words(checkpoint::keep(note, project, run, outcome))),
            // A replay starts none of the project's programs: what they would have said then is not known.
            Effect::Lint(_) | Effect::Test(_) if !run.may.starts_programs => {}
            Effect::Lint(linter) => done.faults.extend(lint::run(linter, project, run, outcome)),
            Effect::Test(test) => done.faults.extend(words(runner::start(test, project, run, outcome))),
            _ => {}
        }
    }
}

/// What the log is told of a failure.
fn words(done: Result<(), crate::Error>) -> Option<String> {
    done.err().map(|error| error.to_string())
}

/// Keeps what the session and the project remember, where the effects change any of it.
fn update_state(
    project: &Project,
    run: &Run<'_>,
    outcome: &mut Outcome<'_>,
    effects: &[Effect],
    done: &mut EffectReport,
) {
    let refused = outcome.verdict == Some(Verdict::Deny);
    let remembered = effects.iter().any(|effect| match effect {
        Effect::Memory(_)
        | Effect::View(_)
        | Effect::StatusFile(_)
        | Effect::Routing(_)
        | Effect::File(_)
        | Effect::Touched(_)
        | Effect::Asked(_)
        | Effect::Entry(_) => true,
        // A refused call has ordered nothing.
        Effect::Order(_) => !refused,
        Effect::Metric(counted) => metrics::counts(counted, refused),
        Effect::Registry(change) => change.concerns_session(),
        _ => false,
    });
    let config_fault = run.config_fault.as_deref();
    let standing = standing(run);
    if !remembered && config_fault.is_none() && standing.is_none() {
        return;
    }
    let store = store(run, project);
    match remember(run, project, &store, effects, &around(run, outcome, done.gate, effects)) {
        Ok(told) => {
            if let Some(set_aside) = told.damaged {
                outcome.notices.push(format!(
                    "hookbin found a damaged state file, set it aside as {set_aside} and began a new one."
                ));
                done.faults.push(format!("damaged document quarantined as {set_aside}"));
            }
            outcome.notices.extend(told.owed);
            outcome.notices.extend(standing.filter(|_| told.tells_standing).map(str::to_owned));
            if let Some(fault) = config_fault.filter(|_| told.tells_config) {
                outcome.notices.push(config_notice(fault));
            }
        }
        Err(error) => {
            done.faults.push(error.to_string());
            refuse_unrecorded(run, outcome, effects, &error.to_string());
            outcome.notices.push(format!("hookbin could not update its state: {error}"));
            outcome.notices.extend(config_fault.map(config_notice));
        }
    }
}

/// Refuses a call by which later ones are judged, where it could not be written down: whoever keeps the state from being written would
/// lift what follows from it. What nothing follows from goes on.
fn refuse_unrecorded(run: &Run<'_>, outcome: &mut Outcome<'_>, effects: &[Effect], fault: &str) {
    let is_judged_by = |effect: &Effect| matches!(effect, Effect::Order(_) | Effect::Touched(_));
    if !deadline::is_guarded(&run.event.name()) || !effects.iter().any(is_judged_by) {
        return;
    }
    outcome.apply_gate_result(Finding {
        verdict: Some(Verdict::Deny),
        reason: Some(format!(
            "What this call does has to be remembered, and could not be written down: {fault}. Try it again; `hookbin doctor` looks for \
             the cause."
        )),
        ..Finding::default()
    });
}

/// Tells the registry what happened, and looks into it when a session starts. Returns what could not be done.
fn tell_registry(run: &Run<'_>, effects: &[Effect], outcome: &mut Outcome<'_>) -> Vec<String> {
    // What is replayed has happened before, and whoever wanted to know it was told then.
    if !run.may.outlives {
        return Vec::new();
    }
    let refused = outcome.verdict == Some(Verdict::Deny);
    let mut faults = Vec::new();
    let mut starts = false;
    for effect in effects {
        if let Effect::Registry(change) = effect {
            starts |= matches!(change, Started { .. });
            faults.extend(words(registry::tell(run, change, refused)));
        }
    }
    if starts {
        let look = registry::look(run.system);
        outcome.notices.extend(look.notices);
        faults.extend(look.faults);
    }
    faults
}

/// Carries out the checkpoints among the effects, and puts what follows from them in their place. Returns whether they were passed.
fn pass_gates(effects: &mut Vec<Effect>, project: &Project, run: &Run<'_>, outcome: &mut Outcome<'_>) -> Option<bool> {
    let mut passed = None;
    for effect in std::mem::take(effects) {
        let Effect::Gate(gate) = effect else {
            effects.push(effect);
            continue;
        };
        let (finding, good) = gate::carry_out(*gate, project, run);
        passed = Some(good && passed.unwrap_or(true));
        outcome.apply_gate_result(allowance::ease(finding, run));
        effects.append(&mut outcome.effects);
    }
    passed
}

/// What the figures of the day want to know beside the event itself.
fn around<'a>(
    run: &'a Run<'_>,
    outcome: &'a Outcome<'_>,
    gate: Option<bool>,
    effects: &[Effect],
) -> MetricsContext<'a> {
    let refused = (outcome.verdict == Some(Verdict::Deny))
        .then(|| outcome.rule.as_deref().or(outcome.decided_by).unwrap_or("profile"));
    let routed = effects.iter().any(|effect| matches!(effect, Effect::Routing(Change::Hop(_))));
    let millis = u64::try_from(run.begin.elapsed().as_millis()).unwrap_or(u64::MAX);
    MetricsContext { now: run.system.now, session: &run.session, refused, gate, routed, millis }
}

/// The project's store, as a run uses it.
pub fn store(run: &Run<'_>, project: &Project) -> Store {
    let store = project.store().with_lock_wait(run.system.lock_timeout());
    match run.system.reuse {
        Some(hold) => store.with_reuse(hold),
        None => store,
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn config_notice(fault: &str) -> String {
    format!("hookbin: {fault}\nEverything else of the configuration stays in force.")
}

/// What came up while remembering.
struct Saved {
    damaged: Option<String>,
    /// What of the configuration is off is told when a session hears of it first, and at every start and prompt until it is mended.
    tells_config: bool,
    /// A session is told once how far the project's configuration counts.
    tells_standing: bool,
    /// What the user has to know since an event that could not say it.
    owed: Option<String>,
}

fn remember(
    run: &Run<'_>,
    project: &Project,
    store: &Store,
    effects: &[Effect],
    around: &MetricsContext<'_>,
) -> Result<Saved, Error> {
    let mut locked = store.lock()?;
    let loaded = locked.session(&run.session)?;
    let damaged = loaded.damaged.as_ref().map(|path| path.display().to_string());
    let existed = loaded.existed;
    if !existed {
        // Before the session, so that a run that is killed in between does not look like a log that somebody deleted. A log that cannot
        // begin says so when the record is written.
        drop(record::begin(run, project));
    }
    let mut document = loaded.value;
    if !existed {
        document.set_section_raw(section::BEGUN, &consent::begins_for(run, project, damaged.is_some()))?;
    }
    let stamp = Time::from_unix(run.system.now.timestamp()).stamp();
    if !existed && document.activity().started.is_none() {
        document.set_activity(Activity::fresh(&stamp, None));
    }
    redefined::follow(run, !existed, &mut locked)?;
    let mut changed = evidence::follow(run, effects, &mut document)?;
    for effect in effects {
        if let Effect::Memory(change) = effect {
            changed |= apply(change, run, &mut locked, &mut document, &stamp)?;
        }
    }
    changed |= follow_tools(run, &mut document)?;
    changed |= follow_agents(effects, &mut document)?;
    changed |= follow_registry(run, effects, &mut document)?;
    changed |= owed::follow(effects, &mut document)?;
    let owed = owed::pay(&run.event, &mut document)?;
    changed |= owed.is_some();
    let mut counts = Vec::new();
    for effect in effects {
        match effect {
            Effect::Metric(counted) => {
                let counts_now = metrics::counts(counted, around.refused.is_some())
                    && metrics::is_first(counted, &run.session, &mut locked)?;
                counts.extend(counts_now.then_some(counted));
            }
            Effect::File(file) => project_files::apply(file, project.files(), &mut locked, around.now.timestamp())?,
            _ => {}
        }
    }
    changed |= counts.iter().any(|counted| metrics::is_known_by_call(counted));
    let config_is_news = match &run.config_fault {
        None => false,
        Some(fault) => locked.first_time(&run.session, Kind::Event, &format!("notice {fault}"))?,
    };
    let is_due = matches!(run.event.name(), EventName::SessionStart | EventName::UserPromptSubmit);
    let tells_standing = match standing(run) {
        None => false,
        Some(said) => locked.first_time(&run.session, Kind::Event, said)?,
    };
    // What was met for the first time is kept by a save.
    if changed || config_is_news || tells_standing {
        locked.save(&document)?;
    }
    // After the document, which knows the call by now: a run that is killed in between has counted it once or not at all, never twice.
    for counted in counts {
        metrics::record(counted, project.files(), &mut locked, around)?;
    }
    for effect in effects {
        if let Effect::View(view) = effect {
            write_view(*view, &mut locked, &document, run)?;
        }
    }
    if around.refused.is_none() {
        follow_orders(run, effects, &mut locked)?;
    }
    notes::carry_out(effects, project, &mut locked, run)?;
    Ok(Saved { damaged, tells_config: config_is_news || is_due && run.config_fault.is_some(), tells_standing, owed })
}

/// Most tools of MCP servers that a session keeps.
const MOST_TOOLS: usize = 64;

/// Keeps that a tool of an MCP server was used, which says that the server is there. True if it was not known.
fn follow_tools(run: &Run<'_>, document: &mut SessionDocument) -> Result<bool, Error> {
    let tool = run.event.tool().filter(|tool| tool.name.starts_with("mcp__") && tool.name.len() < 200);
    let Some(tool) = tool.filter(|_| run.event.name() == EventName::PostToolUse) else { return Ok(false) };
    let mut used: Vec<String> = section::read(document.section_raw(section::USED));
    if used.len() >= MOST_TOOLS || used.iter().any(|name| *name == tool.name) {
        return Ok(false);
    }
    used.push(tool.name.clone().into_owned());
    document.set_section_raw(section::USED, &section::text(&used))?;
    Ok(true)
}

/// Makes the changes of what is remembered of agents. True if there were any.
fn follow_agents(effects: &[Effect], document: &mut SessionDocument) -> Result<bool, Error> {
    let mut changes =
        effects.iter().filter_map(|effect| if let Effect::Routing(change) = effect { Some(change) } else { None });
    let Some(first) = changes.next() else { return Ok(false) };
    let mut agents: Routing = section::read(document.section_raw(section::ROUTING));
    std::iter::once(first).chain(changes).for_each(|change| agents.apply(change));
    document.set_section_raw(section::ROUTING, &section::text(&agents))?;
    Ok(true)
}

/// Keeps what a session has ordered as prompts and typed into terminals.
fn follow_orders(run: &Run<'_>, effects: &[Effect], locked: &mut Locked<'_>) -> Result<(), Error> {
    let mut changes =
        effects.iter().filter_map(|effect| if let Effect::Order(change) = effect { Some(change) } else { None });
    let Some(first) = changes.next() else { return Ok(()) };
    let mut document = locked.project()?.value;
    let mut orders: Orders = section::read(document.section_raw(section::ORDERS));
    std::iter::once(first).chain(changes).for_each(|change| orders.apply(change, run.system.now.timestamp()));
    document.set_section_raw(section::ORDERS, &section::text(&orders))?;
    locked.save_project(&document)
}

/// Makes the changes of what the session remembers of the registry. True if there were any.
fn follow_registry(run: &Run<'_>, effects: &[Effect], document: &mut SessionDocument) -> Result<bool, Error> {
    let mut changes = effects
        .iter()
        .filter_map(|effect| if let Effect::Registry(change) = effect { Some(change) } else { None })
        .filter(|change| change.concerns_session())
        .peekable();
    if changes.peek().is_none() {
        return Ok(false);
    }
    let before = document.section_raw(section::REGISTRY);
    let mut session = registry::session(before, run.system);
    changes.for_each(|change| session.apply(change, run.system.now.timestamp()));
    let text = section::text(&session);
    if before == Some(text.as_str()) {
        return Ok(false);
    }
    document.set_section_raw(section::REGISTRY, &text)?;
    Ok(true)
}

/// Whether the document has changed.
fn apply(
    change: &Memory,
    run: &Run<'_>,
    locked: &mut Locked<'_>,
    document: &mut SessionDocument,
    stamp: &str,
) -> Result<bool, Error> {
    match change {
        Memory::Start { source } => {
            locked.forget(&run.session)?;
            document.set_activity(Activity::fresh(stamp, Some(source)));
        }
        Memory::Acted(action) => return acted(action, run, locked, document),
        Memory::Scored { c, tier } => document.set_section_raw(scoring::SECTION, &scoring::section(*c, tier))?,
        Memory::Stopped => document.activity_mut().last_stop = Some(stamp.to_owned()),
        Memory::Ended { reason } => {
            let activity = document.activity_mut();
            activity.ended = Some(stamp.to_owned());
            activity.end_reason = Some(reason.clone());
        }
    }
    Ok(true)
}

fn acted(
    action: &Action,
    run: &Run<'_>,
    locked: &mut Locked<'_>,
    document: &mut SessionDocument,
) -> Result<bool, Error> {
    if let Some(call) = &action.call
        && !locked.first_time(&run.session, Kind::Event, call)?
    {
        return Ok(false);
    }
    redefined::note(&defining(action, run), run, locked)?;
    // Invariant 14: a path can hold a secret too, and it goes into views, notes and the next session's context.
    let file = action.file.as_deref().map(|file| hook_audit_log::redact(file).into_owned());
    let file_is_new = match (action.touch, &file) {
        (Some(Touch::Read), Some(file)) => locked.first_time(&run.session, Kind::Read, file)?,
        (Some(Touch::Write), Some(file)) => locked.first_time(&run.session, Kind::Write, file)?,
        _ => false,
    };
    let activity = document.activity_mut();
    activity.action_count = activity.action_count.saturating_add(1);
    activity.last_tool = Some(action.tool.clone());
    activity.last_result = Some(action.result.to_owned());
    activity.last_file.clone_from(&file);
    if let (true, Some(file)) = (file_is_new, &file) {
        match action.touch {
            Some(Touch::Read) => activity.files_read.push(file),
            Some(Touch::Write) => activity.files_written.push(file),
            None => {}
        }
    }
    Ok(true)
}

/// What a call changed of what programs of the project run or load.
fn defining(action: &Action, run: &Run<'_>) -> Vec<String> {
    let written = action.file.as_deref().filter(|_| matches!(action.touch, Some(Touch::Write)));
    let root = run.project.as_ref().map(Project::root);
    let whole = root.zip(written).map(|(root, file)| root.join(file));
    let of_tool =
        whole.filter(|path| consent::defines(root.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path)));
    let of_tool = of_tool.map(|path| path.to_string_lossy().into_owned());
    action.altered.iter().cloned().chain(of_tool).map(|file| hook_audit_log::redact(&file).into_owned()).collect()
}

fn write_view(view: View, locked: &mut Locked<'_>, document: &SessionDocument, run: &Run<'_>) -> Result<(), Error> {
    let now = Time::from_unix(run.system.now.timestamp());
    let activity = document.activity();
    match view {
        View::Session => locked.write_view("session.json", view::session_json(activity)),
        View::Status => locked.write_view("STATUS.txt", view::status_txt(activity, now)),
        View::Handoff => locked.write_view("handoff.md", view::handoff_md(activity, now)),
    }
}

/// Appends to the file that the host reads before each later shell command. The values are quoted, so that none can run.
fn export(run: &Run<'_>, effects: &[Effect]) -> Result<(), String> {
    let mut text = String::new();
    for effect in effects {
        if let Effect::Export { name, value } = effect {
            // A profile that was compiled elsewhere is no reason to run something here.
            if let Some(why) = variables::why_not(name) {
                return Err(why);
            }
            text.push_str("export ");
            text.push_str(name);
            text.push_str("='");
            text.push_str(&value.replace('\0', "").replace('\'', r"'\''"));
            text.push_str("'\n");
        }
    }
    let Some(path) = run.system.var(run.system.host.variables.env_file).filter(|_| !text.is_empty()) else {
        return Ok(());
    };
    let written = append_lines(path.as_ref(), text);
    written.map_err(|error| format!("cannot append to Claude Code's environment file {}: {error}", path.display()))
}

/// Appends whole lines, also behind a last line that somebody left open.
fn append_lines(path: &Path, mut text: String) -> std::io::Result<()> {
    let mut file = crate::system::open::shared_append(path)?;
    if file.metadata()?.len() > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            text.insert(0, '\n');
        }
    }
    file.write_all(text.as_bytes())
}
