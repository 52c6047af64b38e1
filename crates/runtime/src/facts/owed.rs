//! What a session keeps about the guard's own entry: where it stood, and what the user still has to be told about it.
//!
//! The event that brings the news cannot speak to the user, so the next one that can says it.

use hook_policy::effect::Effect;
use hook_policy::entry::Change;
use hook_protocol::event::Event;
use hook_protocol::reply::Reply;
use hook_session_state::{Error, SessionDocument};
use serde::{Deserialize, Serialize};

use crate::facts::section;

/// Most different notices of one session; whoever makes the entry come and go does not fill the screen with it.
const MOST: usize = 8;

#[derive(Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
struct Kept {
    /// The settings file in which the entry stood.
    stood: String,
    /// What has to be said; empty when nothing has.
    owed: String,
    /// What has been said.
    told: Vec<String>,
}

/// The settings file in which the entry stood when the session began; empty when that is not known.
pub fn stood(kept: Option<&str>) -> String {
    section::read::<Kept>(kept).stood
}

/// Whether something has to be said.
pub fn is_due(kept: Option<&str>) -> bool {
    kept.is_some() && !section::read::<Kept>(kept).owed.is_empty()
}

/// Makes the changes of what is kept. True if there were any.
pub(crate) fn follow(effects: &[Effect], document: &mut SessionDocument) -> Result<bool, Error> {
    let mut changes = effects
        .iter()
        .filter_map(|effect| if let Effect::Entry(change) = effect { Some(change) } else { None })
        .peekable();
    if changes.peek().is_none() {
        return Ok(false);
    }
    let mut kept: Kept = section::read(document.section_raw(section::ENTRY));
    for change in changes {
        match change {
            Change::Stood(place) => kept.stood.clone_from(place),
            Change::Lost(text) if kept.told.len() < MOST && !kept.told.contains(text) => kept.owed.clone_from(text),
            Change::Lost(_) | Change::Tell => {}
            Change::Back => kept.owed.clear(),
        }
    }
    store(&kept, document)
}

/// Takes what has to be said, if the answer to the event can say it.
pub(crate) fn pay(event: &Event<'_>, document: &mut SessionDocument) -> Result<Option<String>, Error> {
    let before = document.section_raw(section::ENTRY);
    if !is_due(before) || !Reply::empty(event.name().as_str()).is_some_and(|mut reply| reply.add_system_message("x")) {
        return Ok(None);
    }
    let mut kept: Kept = section::read(before);
    let text = std::mem::take(&mut kept.owed);
    kept.told.push(text.clone());
    store(&kept, document)?;
    Ok(Some(text))
}

fn store(kept: &Kept, document: &mut SessionDocument) -> Result<bool, Error> {
    let text = section::text(kept);
    if document.section_raw(section::ENTRY) == Some(text.as_str()) {
        return Ok(false);
    }
    document.set_section_raw(section::ENTRY, &text)?;
    Ok(true)
}
