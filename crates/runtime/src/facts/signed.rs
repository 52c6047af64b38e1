//! The signed state, read as facts. Writing it is `effects/sane.rs`.

use hook_policy::check::Check;
use hook_policy::profile::Profile;
use hook_policy::sane::{self, Breaker, Class, Evidence, Learning, Loop};
use hook_session_state::sane as section;
use hook_session_state::signed::{Signed, State};
use hook_session_state::{Breaker as StoredBreaker, Error, SessionId};

use crate::project::Project;
use crate::system::System;

/// The marker file of safemode.
pub const MARKER: &str = "bypass_active.json";

/// The signed document of a project: `.claude/state.json`, with its key under the user's state directory.
pub fn of(project: &Project, system: &System) -> Signed {
    let keys = system.state_dir().map(|dir| dir.join("keys"));
    Signed::new(project.documents(), keys.as_deref()).with_lock_wait(system.lock_timeout())
}

/// Whether a check of the profile keeps the signed state. Without one, a file of that name is somebody else's.
pub fn is_kept(profile: &Profile) -> bool {
    profile.handlers.iter().flat_map(|handler| &handler.checks).any(Check::keeps_signed_state)
}

/// What is remembered for this session. A state that cannot be read at all counts as that of a fresh session, in which
/// research is still to be done.
pub fn read(project: &Project, session: &SessionId, system: &System) -> sane::State {
    let marker = project.beneath_files().look(&project.documents().join(MARKER)).is_ok();
    match of(project, system).read() {
        Ok(found) => {
            let mut state = found.state;
            state.enter(session);
            sane::State {
                marker,
                trouble: found.trouble.map(|trouble| trouble.to_string()),
                moved: found.moved.map(|moved| moved.to_string()),
                ..facts(&state)
            }
        }
        Err(_) => sane::State { marker, ..sane::State::default() },
    }
}

fn facts(state: &State) -> sane::State {
    let breaker = breaker(state);
    let requirements: section::Requirements = known(state);
    let research: section::Research = known(state);
    let edits: section::Edits = known(state);
    let looping: section::Saneloop = known(state);
    let enforcement: section::Enforcement = known(state);
    let learnings: section::Learnings = known(state);
    let safemode: section::Safemode = known(state);
    sane::State {
        trouble: None,
        moved: None,
        marker: false,
        breaker: Breaker {
            failures: breaker.failures,
            tripped: breaker.tripped,
            tripped_at: breaker.tripped_at,
            last_error: breaker.last_error,
            signatures: breaker.error_signatures.into_iter().collect(),
        },
        safemode: safemode.active,
        class: requirements.class.as_deref().and_then(Class::parse),
        words: requirements.words,
        triggers: requirements.triggers,
        requested: requirements.requested,
        satisfied: requirements.satisfied,
        research: research
            .0
            .into_iter()
            .filter_map(|(category, found)| {
                let found = found?;
                Some(Evidence { category, tool: found.tool, at: found.completed_at })
            })
            .collect(),
        edits: edits.count,
        unique_files: edits.unique_files.len() as u64,
        looping: looping.active.then(|| Loop {
            task: looping.task.unwrap_or_default(),
            iteration: looping.iteration,
            max: looping.max_iterations,
            criteria: looping.acceptance_criteria.into_iter().map(|one| (one.text, one.checked)).collect(),
        }),
        blocks: enforcement.blocks.len() as u64,
        halted: enforcement.halted.then(|| enforcement.halted_reason.unwrap_or_default()),
        learnings: learnings
            .0
            .into_iter()
            .map(|one| Learning { kind: one.kind, pattern: one.pattern, at: one.at })
            .collect(),
    }
}

/// A breaker that another version wrote in a form that this one cannot read counts as tripped.
pub fn breaker(state: &State) -> StoredBreaker {
    state.section().unwrap_or_else(|error: Error| StoredBreaker::unknown(&error.to_string()))
}

/// A section, or its default where another version wrote it in a form that this one cannot read. None of these defaults restricts
/// less.
fn known<T: section::Section>(state: &State) -> T {
    state.section().unwrap_or_default()
}
