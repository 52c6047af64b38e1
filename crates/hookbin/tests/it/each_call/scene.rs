//! The events at which a hook is stopped, and what happened before them.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::tracer::{Ended, Traced};

pub(super) const NOW: &str = "2026-03-01T10:00:00Z";

/// One event as the host sends it; the members are JSON, in which `PROJECT` stands for the project's directory.
pub(super) struct Event {
    pub(super) name: &'static str,
    members: &'static str,
}

/// A moment in the life of a project.
pub(super) struct Scene {
    pub(super) name: &'static str,
    /// As in the configuration.
    pub(super) profile: &'static str,
    pub(super) config: &'static str,
    /// Before the first event.
    pub(super) prepare: fn(&Sandbox),
    pub(super) before: &'static [Event],
    /// After the last event before.
    pub(super) disturb: fn(&Sandbox),
    pub(super) event: Event,
    /// A document is damaged when the event comes; the run quarantines it.
    pub(super) mends: bool,
    /// The call is refused.
    pub(super) refused: bool,
    /// It is refused only because of what is remembered: without its memory the gate decides as for the first time.
    pub(super) remembers: bool,
    /// It makes the database of the registry: hundreds of calls, and a lock of it that fails is waited for.
    pub(super) long: bool,
}

impl Event {
    pub(super) fn payload(&self, sandbox: &Sandbox) -> Vec<u8> {
        let project = sandbox.project().display().to_string();
        let mut event = json!({"session_id": "one", "cwd": project, "hook_event_name": self.name});
        let members: Value = serde_json::from_str(&self.members.replace("PROJECT", &project)).unwrap();
        event.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        event.to_string().into_bytes()
    }
}

impl Scene {
    /// The undisturbed run does what the scene says.
    pub(super) fn holds(&self, traced: &Traced) {
        let is_refusal = traced.ended == Ended::Exited(2) && traced.stdout.contains("\"deny\"");
        assert_eq!(is_refusal, self.refused, "{}: {traced:?}", self.name);
        assert!(traced.calls.len() >= 5, "{}: {traced:?}", self.name);
    }

    /// Whether a run that was not killed has a proper answer: never exit code 1, one JSON document or none, and a refusal where the call
    /// is refused. Exit code 2 refuses also where its words could not be printed.
    pub(super) fn answers(&self, traced: &Traced) -> bool {
        let whole = traced.stdout.is_empty() || serde_json::from_str::<Value>(&traced.stdout).is_ok();
        let Ended::Exited(code) = traced.ended else { return false };
        let no_panic = !traced.stderr.contains("panicked") && !traced.stdout.contains("internal error");
        whole && no_panic && if self.refused { code == 2 } else { code == 0 }
    }
}

const fn event(name: &'static str, members: &'static str) -> Event {
    Event { name, members }
}

/// A scene with nothing unusual.
const fn plain(name: &'static str, profile: &'static str, before: &'static [Event], event: Event) -> Scene {
    Scene {
        name,
        profile,
        config: "",
        prepare: |_| {},
        before,
        disturb: |_| {},
        event,
        mends: false,
        refused: false,
        remembers: false,
        long: false,
    }
}

const START: Event = event("SessionStart", r#"{"source": "startup"}"#);
const RESUME: Event = event("SessionStart", r#"{"source": "resume"}"#);
const ASKED: Event = event("UserPromptSubmit", r#"{"prompt": "implement the new login form with tests"}"#);
const STOP: Event = event("Stop", r#"{"stop_hook_active": false, "last_assistant_message": "I am done."}"#);
const END: Event = event("SessionEnd", r#"{"reason": "other"}"#);
const LIST: Event =
    event("PreToolUse", r#"{"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_ls"}"#);
const DESTROY: Event =
    event("PreToolUse", r#"{"tool_name": "Bash", "tool_input": {"command": "rm -rf /"}, "tool_use_id": "toolu_rm"}"#);
const READ: Event = event(
    "PostToolUse",
    r#"{"tool_name": "Read", "tool_input": {"file_path": "PROJECT/a.txt"}, "tool_response": "ok", "tool_use_id": "toolu_1"}"#,
);
const WROTE: Event = event(
    "PostToolUse",
    r#"{"tool_name": "Write", "tool_input": {"file_path": "PROJECT/src/b.txt", "content": "x"}, "tool_response": {"filePath": "PROJECT/src/b.txt"}, "tool_use_id": "toolu_2"}"#,
);
const FAILED: Event = event(
    "PostToolUseFailure",
    r#"{"tool_name": "Bash", "tool_input": {"command": "make"}, "error": "Exit code 1\nsyntax error near x", "is_interrupt": false, "tool_use_id": "toolu_3"}"#,
);
const SEARCHED: Event = event(
    "PostToolUse",
    r#"{"tool_name": "WebSearch", "tool_input": {"query": "x"}, "tool_response": {"results": []}, "tool_use_id": "toolu_4"}"#,
);
const EDIT: Event = event(
    "PreToolUse",
    r#"{"tool_name": "Edit", "tool_input": {"file_path": "PROJECT/src/main.rs", "old_string": "a", "new_string": "b"}, "tool_use_id": "toolu_5"}"#,
);
const COMPACT: Event = event("PreCompact", r#"{"trigger": "auto", "transcript_path": ""}"#);
const AGENT: Event = event("SubagentStart", r#"{"agent_type": "implementer", "agent_id": "a1"}"#);
const AGENT_ENDS: Event = event(
    "SubagentStop",
    r#"{"agent_type": "implementer", "agent_id": "a1", "stop_hook_active": false, "last_assistant_message": "Use the testing-agent subagent to check it. COLLECTIVE_HANDOFF_READY"}"#,
);
const MOCKED: Event = event(
    "PreToolUse",
    r#"{"tool_name": "Write", "tool_input": {"file_path": "PROJECT/tests/test_a.py", "content": "from unittest.mock import MagicMock\nservice = MagicMock()\n"}, "tool_use_id": "toolu_6"}"#,
);
const SAFE: Event = event("UserPromptSubmit", r#"{"prompt": "safemode on"}"#);
const UNSAFE: Event = event("UserPromptSubmit", r#"{"prompt": "safemode off"}"#);
const APPROVED: Event = event("UserPromptSubmit", r#"{"prompt": "verified"}"#);

/// Each record starts a new file and one old file goes.
const ROTATES: &str = "[log]\nmax_bytes = 300\nkeep = 1\n";
const TEXT_ROTATES: &str = "[text_log]\nmax_bytes = 170\nkeep_lines = 1\n";

fn damage(sandbox: &Sandbox) {
    std::fs::write(sandbox.state("sessions/one.json"), "{\"version\":1,\"act").unwrap();
}

/// A document as a version before this one wrote it, with a section that this one does not know.
fn older(sandbox: &Sandbox) {
    let path = sandbox.state("sessions/one.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    document["of_another_version"] = json!({"kept": [1, 2, 3]});
    std::fs::write(path, document.to_string()).unwrap();
    std::fs::remove_file(sandbox.compiled()).unwrap();
}

fn tamper(sandbox: &Sandbox) {
    let text = sandbox.read(".claude/state.json");
    assert!(text.contains("\"Bash\""), "{text}");
    sandbox.write(".claude/state.json", &text.replace("\"Bash\"", "\"Bush\""));
}

/// What is remembered of a user's proof is to be changed.
fn pending(sandbox: &Sandbox) {
    sandbox.write(".claude/.proof-status", "pending|1772359000\n");
}

fn struck(sandbox: &Sandbox) {
    sandbox.write(".claude/.mock-gate-strikes", "1|1772359100\n");
}

pub(super) const SCENES: &[Scene] = &[
    plain("standard, first of all", "\"standard\"", &[], START),
    plain("standard, resumed", "\"standard\"", &[START, READ], RESUME),
    plain("standard, allowed", "\"standard\"", &[START, READ], LIST),
    Scene { refused: true, ..plain("standard, refused", "\"standard\"", &[START, READ], DESTROY) },
    plain("standard, wrote", "\"standard\"", &[START, READ], WROTE),
    plain("standard, failed", "\"standard\"", &[START, READ], FAILED),
    plain("standard, asked", "\"standard\"", &[START, READ], ASKED),
    plain("standard, compaction", "\"standard\"", &[START, READ, WROTE], COMPACT),
    plain("standard, stop", "\"standard\"", &[START, READ], STOP),
    plain("standard, end", "\"standard\"", &[START, READ], END),
    Scene { config: ROTATES, ..plain("rotation", "\"standard\"", &[START, READ, LIST], WROTE) },
    Scene {
        config: ROTATES,
        refused: true,
        ..plain("rotation, refused", "\"standard\"", &[START, READ, LIST], DESTROY)
    },
    Scene { disturb: damage, mends: true, ..plain("damaged document", "\"standard\"", &[START, READ], WROTE) },
    Scene { disturb: older, ..plain("other version", "\"standard\"", &[START, READ], WROTE) },
    plain("spf, wrote", "\"spf\"", &[START, READ], READ),
    Scene { config: TEXT_ROTATES, ..plain("spf, text log rotates", "\"spf\"", &[START, READ], FAILED) },
    Scene { refused: true, ..plain("spf, refused", "\"spf\"", &[START, READ], LIST) },
    plain("spf, begins", "\"spf\"", &[], START),
    plain("spf, end", "\"spf\"", &[START, READ], END),
    plain("sane, first of all", "\"sane\"", &[], START),
    plain("sane, asked", "\"sane\"", &[START, FAILED], ASKED),
    Scene { refused: true, ..plain("sane, refused", "\"sane\"", &[START, ASKED], EDIT) },
    plain("sane, searched", "\"sane\"", &[START, ASKED], SEARCHED),
    plain("sane, failed", "\"sane\"", &[START, ASKED], FAILED),
    plain("sane, safemode", "\"sane\"", &[START, ASKED], SAFE),
    plain("sane, safemode ends", "\"sane\"", &[START, SAFE], UNSAFE),
    plain("sane, end", "\"sane\"", &[START, ASKED], END),
    Scene { disturb: tamper, mends: true, ..plain("sane, tampered", "\"sane\"", &[START, FAILED], ASKED) },
    plain("guardrails, begins", "\"guardrails\"", &[], START),
    plain("guardrails, wrote", "\"guardrails\"", &[START, READ], WROTE),
    plain("guardrails, asked", "\"guardrails\"", &[START], ASKED),
    Scene { disturb: pending, ..plain("guardrails, approved", "\"guardrails\"", &[START, WROTE], APPROVED) },
    Scene {
        disturb: struck,
        refused: true,
        remembers: true,
        ..plain("guardrails, mocked", "\"guardrails\"", &[START], MOCKED)
    },
    plain("guardrails, compaction", "\"guardrails\"", &[START, WROTE], COMPACT),
    plain("guardrails, stop", "\"guardrails\"", &[START, WROTE], STOP),
    plain("guardrails, end", "\"guardrails\"", &[START, WROTE], END),
    plain("collective, wrote", "\"collective\"", &[START, READ], WROTE),
    plain("collective, agent ends", "\"collective\"", &[START, AGENT], AGENT_ENDS),
    plain("collective, end", "\"collective\"", &[START, READ], END),
    Scene { long: true, ..plain("claude-os, begins", "\"claude-os\"", &[], START) },
    plain("claude-os, wrote", "\"claude-os\"", &[START, READ], WROTE),
    plain("claude-os, end", "\"claude-os\"", &[START, READ], END),
    plain("all together", "[\"standard\", \"guardrails\", \"collective\", \"sane\"]", &[START, READ], SEARCHED),
];
