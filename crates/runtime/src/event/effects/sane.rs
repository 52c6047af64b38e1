//! Carrying out changes of the signed state, and what goes with them: the marker file, log lines, anchors.

use std::path::Path;

use chrono::SecondsFormat;
use hook_audit_log::redact;
use hook_policy::Outcome;
use hook_policy::effect::Effect;
use hook_policy::sane::{Acted, Change, Member, Prompt, Went};
use hook_protocol::event::EventName;
use hook_session_state::sane::{
    ActionLog, Edits, Enforcement, Evidence, Learning, Learnings, LoggedAction, Requirements, Research, Safemode,
    Saneloop,
};
use hook_session_state::signed::{State, Trouble};
use hook_session_state::{Breaker, BreakerLimits, Error};
use serde_json::{Map, Value};

use crate::event::run::Run;
use crate::facts::signed::{self, MARKER, breaker};
use crate::programs::launch::{self, Kind};
use crate::programs::process;
use crate::project::Project;
use crate::project::text_log;
use crate::trust::consent;

/// Carries out what concerns the signed state. Returns what could not be done; what the user has to know is added to the notices, and
/// `tripped` says whether the breaker changed.
pub(crate) fn carry_out(
    run: &Run<'_>,
    project: &Project,
    effects: &[Effect],
    outcome: &mut Outcome<'_>,
    tripped: &mut Option<bool>,
) -> Vec<String> {
    let changes: Vec<&Change> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Sane(change) => Some(change),
            _ => None,
        })
        .collect();
    let mut faults = Vec::new();
    for change in &changes {
        if let Change::Log { file, members } = change {
            faults.extend(text_log::append_to(run, project, project.documents().join(file), &line(run, members)));
        }
    }
    let state_changes: Vec<&Change> = changes
        .iter()
        .copied()
        .filter(|change| !matches!(change, Change::Log { .. } | Change::Anchor { .. }))
        .collect();
    if !state_changes.is_empty() {
        match keep(run, project, &state_changes, tripped) {
            Ok(Some(repaired)) => {
                outcome.notices.push(format!("hookbin: {repaired}"));
                faults.push(repaired);
            }
            Ok(None) => {}
            Err(error) => {
                let said = format!("the signed state could not be kept: {error}");
                // Every call would say the same again; the user sees it at each prompt, and the model where an edit is refused.
                let tells = matches!(run.event.name(), EventName::UserPromptSubmit | EventName::SessionStart);
                if tells || !matches!(error, Error::Key { .. }) {
                    outcome.notices.push(format!("hookbin: {said}"));
                }
                faults.push(said);
            }
        }
    }
    for change in &changes {
        match change {
            Change::Safemode { marker, .. } => faults.extend(mark(run, project, *marker).err()),
            Change::Anchor { .. } if !run.may.starts_programs => {}
            Change::Anchor { file, command } => {
                faults.extend(anchor(run, project, file.as_deref(), command, outcome).err());
            }
            _ => {}
        }
    }
    faults
}

/// One line of JSON: time, what is to be said, process id.
fn line(run: &Run<'_>, members: &[(&'static str, Member)]) -> String {
    let mut object = Map::new();
    object.insert("timestamp".to_owned(), stamp(run).into());
    for (name, member) in members {
        let value = match member {
            Member::Text(text) => redact(text).into_owned().into(),
            Member::Texts(texts) => texts.iter().map(|text| Value::from(redact(text).into_owned())).collect(),
            Member::Number(number) => (*number).into(),
            Member::Bool(yes) => (*yes).into(),
        };
        object.insert((*name).to_owned(), value);
    }
    object.insert("pid".to_owned(), std::process::id().into());
    Value::Object(object).to_string()
}

fn stamp(run: &Run<'_>) -> String {
    run.system.now.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Changes and saves the state under its lock. Returns what was repaired.
fn keep(
    run: &Run<'_>,
    project: &Project,
    changes: &[&Change],
    tripped: &mut Option<bool>,
) -> Result<Option<String>, Error> {
    let signed = signed::of(project, run.system);
    let mut held = signed.lock()?;
    let trouble = held.trouble().map(ToString::to_string);
    let elsewhere = matches!(held.trouble(), Some(Trouble::Elsewhere { .. }));
    let moved = held.moved().map(ToString::to_string);
    let at = stamp(run);
    let before = held.state().clone();
    held.state_mut().enter(&run.session);
    for change in changes {
        apply(change, held.state_mut(), &at)?;
    }
    if trouble.is_none() && moved.is_none() && *held.state() == before {
        return Ok(None);
    }
    let now = breaker(held.state()).tripped;
    let aside = held.save(&at)?;
    *tripped = (breaker(&before).tripped != now).then_some(now);
    let Some(trouble) = trouble else { return Ok(moved.map(|moved| format!("{moved}."))) };
    Ok(Some({
        let kept =
            aside.map_or_else(String::new, |path| format!(" The file that was found is kept as {}.", path.display()));
        let moved = moved.map_or_else(String::new, |moved| format!(" {moved}."));
        let holds = if elsewhere { "" } else { " What was saved last is in force again, and nothing was lifted." };
        format!("{trouble}.{holds}{kept}{moved}")
    }))
}

fn apply(change: &Change, state: &mut State, at: &str) -> Result<(), Error> {
    match change {
        Change::Mend | Change::Log { .. } | Change::Anchor { .. } => {}
        Change::Begin => {
            let mut looping: Saneloop = state.section()?;
            looping.end("session", at);
            state.begin_session();
            if !looping.archive.is_empty() {
                state.put(&looping)?;
            }
        }
        Change::Prompt(prompt) => prompted(prompt, state, at)?,
        Change::Acted(acted) => return acted_on(acted, state, at),
        Change::Blocked { signature, tool, halt_after } => {
            let mut enforcement: Enforcement = state.section()?;
            enforcement.blocked(&redact(signature), tool, at, *halt_after);
            state.put(&enforcement)?;
        }
        Change::ResetBreaker => {
            let mut breaker = breaker(state);
            breaker.reset();
            state.put(&breaker)?;
        }
        Change::Safemode { on, .. } => {
            let mut safemode: Safemode = state.section().unwrap_or_default();
            safemode.switch(*on, at);
            state.put(&safemode)?;
        }
        Change::ResetBlocks => state.reset("enforcement")?,
        Change::ResetResearch => state.reset("research")?,
        Change::LoopStart { task, criteria, max } => {
            let criteria: Vec<String> = criteria.iter().map(|text| redact(text).into_owned()).collect();
            of_loop(state, |looping| looping.start(&redact(task), &criteria, *max, at))?;
            satisfy(state, "saneloop")?;
        }
        Change::LoopCheck { number } => of_loop(state, |looping| looping.check(*number, at))?,
        Change::LoopCancel => of_loop(state, |looping| looping.end("cancelled", at))?,
        Change::LoopIterate => of_loop(state, |looping| looping.iterate(at))?,
    }
    Ok(())
}

fn of_loop(state: &mut State, change: impl FnOnce(&mut Saneloop)) -> Result<(), Error> {
    let mut looping: Saneloop = state.section()?;
    change(&mut looping);
    state.put(&looping)
}

fn satisfy(state: &mut State, name: &str) -> Result<(), Error> {
    let mut requirements: Requirements = state.section()?;
    requirements.satisfy(name);
    state.put(&requirements)
}

fn last_tools(state: &State) -> Vec<String> {
    let actions: ActionLog = state.section().unwrap_or_default();
    let skipped = actions.0.len().saturating_sub(3);
    actions.0.into_iter().skip(skipped).map(|action| action.tool).collect()
}

fn prompted(prompt: &Prompt, state: &mut State, at: &str) -> Result<(), Error> {
    use hook_policy::sane::Class;

    let mut requirements: Requirements = state.section()?;
    if prompt.class != Class::Passthrough {
        requirements.class = Some(prompt.class.as_str().to_owned());
        requirements.is_task = prompt.class.is_task();
        requirements.is_big_task = prompt.class == Class::BigTask;
    }
    if !prompt.words.is_empty() {
        requirements.words.clone_from(&prompt.words);
    }
    if !prompt.triggers.is_empty() {
        requirements.triggers.clone_from(&prompt.triggers);
    }
    requirements.request(&prompt.requested, prompt.fresh);
    state.put(&requirements)?;
    if prompt.new_task {
        state.reset("research")?;
        // A loop of refusals ends with the task that it belonged to.
        state.reset("enforcement")?;
    }
    if !prompt.learned.is_empty() {
        let tools = last_tools(state);
        let mut learnings: Learnings = state.section()?;
        for (kind, pattern) in &prompt.learned {
            learnings.push(Learning {
                kind: (*kind).to_owned(),
                pattern: pattern.clone(),
                tools: tools.clone(),
                text: redact(&prompt.beginning).into_owned(),
                at: at.to_owned(),
            });
        }
        state.put(&learnings)?;
    }
    Ok(())
}

fn acted_on(acted: &Acted, state: &mut State, at: &str) -> Result<(), Error> {
    let mut actions: ActionLog = state.section()?;
    if acted.call.as_deref().is_some_and(|call| actions.knows(call)) {
        return Ok(());
    }
    let limits = BreakerLimits {
        threshold: acted.limits.threshold,
        same: acted.limits.same,
        forget_after: acted.limits.forget_after,
    };
    let mut success = true;
    let mut error_sig = None;
    match &acted.went {
        Went::Uncounted(succeeded) => success = *succeeded,
        Went::Well => {
            let mut breaker: Breaker = state.section()?;
            breaker.succeeded(limits);
            state.put(&breaker)?;
        }
        Went::Failed { signature, error } => {
            success = false;
            error_sig = Some((*signature).to_owned());
            let mut breaker: Breaker = state.section()?;
            let error = redact(error);
            if breaker.failed(signature, &error, at, limits) {
                learn_failure(signature, &error, state, at)?;
            }
            state.put(&breaker)?;
        }
    }
    if !acted.edited.is_empty() {
        let mut edits: Edits = state.section()?;
        acted.edited.iter().for_each(|file| edits.edited(&redact(file)));
        state.put(&edits)?;
    }
    if !acted.researched.is_empty() {
        let mut research: Research = state.section()?;
        for category in &acted.researched {
            let evidence =
                Evidence { completed_at: at.to_owned(), tool: acted.tool.clone(), via_task: acted.in_subagent };
            research.done(category, evidence);
        }
        state.put(&research)?;
    }
    for name in &acted.satisfied {
        satisfy(state, name)?;
    }
    actions.push(LoggedAction {
        tool: acted.tool.clone(),
        timestamp: at.to_owned(),
        success,
        error_sig,
        input_summary: redact(&acted.summary).into_owned(),
        call: acted.call.clone(),
    });
    state.put(&actions)
}

fn learn_failure(signature: &str, error: &str, state: &mut State, at: &str) -> Result<(), Error> {
    let mut learnings: Learnings = state.section()?;
    learnings.push(Learning {
        kind: "repeated_failure".to_owned(),
        pattern: signature.to_owned(),
        tools: last_tools(state),
        text: error.chars().take(100).collect(),
        at: at.to_owned(),
    });
    state.put(&learnings)
}

/// Makes or removes the marker file. It is for people and other programs; what counts is in the signed state as well.
fn mark(run: &Run<'_>, project: &Project, there: bool) -> Result<(), String> {
    let dir = project.documents();
    let done = if there {
        let put = super::store(run, project).lock().and_then(|mut locked| {
            locked.notes_below(project.files(), &dir)?.put(MARKER, &format!("{{\"since\":\"{}\"}}\n", stamp(run)))
        });
        put.map_err(|error| error.to_string())
    } else {
        project.beneath_files().remove(&dir.join(MARKER)).map_err(|error| error.to_string())
    };
    done.map_err(|error| format!("cannot switch {}: {error}", dir.join(MARKER).display()))
}

/// Hands on the line that says which state was signed last.
fn anchor(
    run: &Run<'_>,
    project: &Project,
    file: Option<&str>,
    command: &[String],
    outcome: &mut Outcome<'_>,
) -> Result<(), String> {
    let line = signed::of(project, run.system).anchor().map_err(|error| error.to_string())?;
    let Some(line) = line else { return Ok(()) };
    let line = format!("{line} {}", stamp(run));
    if let Some(file) = file {
        let text = format!("{line}\n");
        super::append_lines(Path::new(file), text)
            .map_err(|error| format!("cannot append the anchor to {file}: {error}"))?;
    }
    let Some((program, args)) = command.split_first() else { return Ok(()) };
    let root = project.root();
    let found = launch::find(program, root, root, run.system)
        .ok_or_else(|| format!("cannot start {program} for the anchor: it is not installed"))?;
    if let Err(barred) = consent::given(Some(&found), root, root, project, run) {
        barred.tell("the program for the anchor", project, run, outcome);
        return Ok(());
    }
    let start = || {
        let mut command = launch::command(&found, Kind::Project, run.system)?;
        command.args(args).arg(&line).current_dir(root);
        process::detach(command)
    };
    start().map_err(|error| format!("cannot start {program} for the anchor: {error}"))
}
