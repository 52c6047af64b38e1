//! Events of subagents, teammates and tasks. `agent_id` and `agent_type` stand in [`super::Common`].

use std::marker::PhantomData;

use super::common::{BackgroundTask, SessionCron};
use crate::field::{Object, body};
use crate::raw::{Fields, Text};

/// A subagent starts. It has no fields of its own: who it is stands in [`super::Common`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SubagentStart<'a>(PhantomData<&'a ()>);

impl<'a> SubagentStart<'a> {
    pub(crate) fn pick(_: &mut Fields<'a>) -> Self {
        Self::default()
    }

    #[expect(clippy::unused_self, reason = "every body is written by the same call")]
    pub(crate) fn write(&self, _: &mut Object) {}
}

body! {
    /// A subagent has finished. Also fires, with an empty `agent_type`, for the one that compacts.
    SubagentStop {
        /// Whether a previous block of a stop hook is already in force: don't block again without a bound.
        stop_hook_active: bool,
        /// Absolute path of the subagent's own transcript.
        agent_transcript_path: Text<'a>,
        /// Its answer; [`crate::Event::last_assistant_message`] knows older names.
        last_assistant_message: Text<'a>,
        /// What still runs.
        background_tasks: Vec<BackgroundTask<'a>>,
        /// What is scheduled.
        session_crons: Vec<SessionCron<'a>>,
    }
}

body! {
    /// A teammate is about to go idle.
    TeammateIdle {
        /// The teammate.
        teammate_name: Text<'a>,
        /// The team; deprecated by the host.
        team_name: Text<'a>,
    }
}

body! {
    /// A task is being created.
    TaskCreated {
        /// Identifies the task.
        task_id: Text<'a>,
        /// What is to be done, in one line.
        task_subject: Text<'a>,
        /// What is to be done.
        task_description: Text<'a>,
        /// The teammate.
        teammate_name: Text<'a>,
        /// The team; deprecated by the host.
        team_name: Text<'a>,
    }
}

body! {
    /// A task is being completed.
    TaskCompleted {
        /// Identifies the task.
        task_id: Text<'a>,
        /// What was to be done, in one line.
        task_subject: Text<'a>,
        /// What was to be done.
        task_description: Text<'a>,
        /// The teammate.
        teammate_name: Text<'a>,
        /// The team; deprecated by the host.
        team_name: Text<'a>,
    }
}
