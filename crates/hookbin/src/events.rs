//! Events of the host that no check of the guard decides, and why that leaves no way around it.

use hook_protocol::event::EventName;

/// Why the guard has nothing to say on an event; `None` for the events that it decides.
pub fn why_not_guarded(event: &EventName<'_>) -> Option<&'static str> {
    use EventName as E;
    Some(match event {
        E::PreToolUse | E::PreSkillShellCommand => return None,
        E::PostToolUse | E::PostToolUseFailure | E::PostToolBatch => {
            "the call has run; PreToolUse decided it, and nothing said here undoes it"
        }
        E::PermissionRequest => {
            "the same call was decided by PreToolUse before; an answer here could only take the user's place"
        }
        E::PermissionDenied => "the call is refused already",
        E::UserPromptSubmit => "the user's own words; what the model makes of them comes as PreToolUse",
        E::UserPromptExpansion => {
            "text for the model; a shell command in it comes as PreSkillShellCommand, and what follows from it as PreToolUse"
        }
        E::SessionStart | E::SessionEnd | E::Stop | E::StopFailure | E::SubagentStart | E::SubagentStop => {
            "nothing is about to run; each call of a session or subagent comes as PreToolUse"
        }
        E::PreCompact | E::PostCompact | E::MessageDisplay | E::Notification => {
            "text only; no command, no path that is used"
        }
        E::PreModelSwitch | E::PostModelSwitch => "names a model only",
        E::Setup => "says that the user starts Claude Code to set a project up; what is done then comes as PreToolUse",
        E::TeammateIdle | E::TaskCreated | E::TaskCompleted => "words between agents; their calls come as PreToolUse",
        E::Elicitation | E::ElicitationResult => {
            "a server asks and the user answers; the call that led to it was decided by PreToolUse"
        }
        E::ConfigChange => {
            "says which settings file changed, not how; a look at the file itself has to tell, no rule about commands or paths"
        }
        E::WorktreeCreate => {
            "never registered, because a registered hook replaces Claude Code's own creation of worktrees"
        }
        E::WorktreeRemove => "cannot refuse; a command or call that removes a worktree comes as PreToolUse",
        E::InstructionsLoaded => "cannot refuse; the file is loaded already",
        E::CwdChanged | E::DirectoryAdded => "cannot refuse; later calls are judged with the new directory",
        E::FileChanged => "cannot refuse; the file has changed already, and a call that changes it came as PreToolUse",
        _ => "this version does not know the event",
    })
}
