//! What a hook answered to a tool call, read as the client reads it.

use std::process::ExitStatus;

use hook_protocol::event::EventName;
use hook_protocol::reply::{Outcome, PreToolDecision, Reply, exit_code};
use serde::Serialize;

/// What the client makes of one run of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The call is refused.
    Deny,
    /// The user is asked.
    Ask,
    /// The call runs without a question.
    Allow,
    /// No opinion: the client's own permissions decide. Rewrites and context count as none.
    None,
    /// The hook failed, and the call would go on. Says how.
    Failed(String),
}

/// The kind of an answer, to count by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Refused.
    Deny,
    /// Asked.
    Ask,
    /// Let through without a question.
    Allow,
    /// No opinion.
    None,
    /// No usable answer.
    Failed,
}

impl Kind {
    /// As it is printed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
            Self::None => "none",
            Self::Failed => "failed",
        }
    }
}

impl Answer {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Deny => Kind::Deny,
            Self::Ask => Kind::Ask,
            Self::Allow => Kind::Allow,
            Self::None => Kind::None,
            Self::Failed(_) => Kind::Failed,
        }
    }

    /// Reads exit status and outputs: exit 2 refuses whatever was printed; JSON counts at any other exit code; another exit
    /// code without JSON is a failure of the hook, after which the client lets the call go on.
    pub(crate) fn read(status: ExitStatus, stdout: &str, stderr: &str) -> Self {
        if status.code() == Some(i32::from(exit_code::BLOCK)) {
            return Self::Deny;
        }
        if status.code().is_none() {
            return Self::Failed(format!("{status}{}", said(stderr)));
        }
        let outcome = match Reply::parse(EventName::PreToolUse.as_str(), stdout) {
            Ok(outcome) => outcome,
            Err(error) => return Self::Failed(format!("its answer is no reply to this event: {error}")),
        };
        match outcome {
            Outcome::Reply(Reply::PreToolUse(reply)) => match reply.decision {
                Some(PreToolDecision::Deny { .. }) => Self::Deny,
                Some(PreToolDecision::Ask { .. }) => Self::Ask,
                Some(PreToolDecision::Allow { .. }) => Self::Allow,
                Some(PreToolDecision::Defer) | None => Self::None,
            },
            _ if !status.success() => Self::Failed(format!("{status}{}", said(stderr))),
            _ => Self::None,
        }
    }
}

/// The last line on stderr, where programs say why they failed.
fn said(stderr: &str) -> String {
    stderr.lines().rfind(|line| !line.trim().is_empty()).map(|line| format!(": {}", line.trim())).unwrap_or_default()
}
