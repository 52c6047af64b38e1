//! `memory`: what the session document remembers of each event.

use hook_protocol::event::{Body, Event};
use hook_protocol::native::NativeTool;
use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::effect::{Action, Effect, Memory as Change, Touch};
use crate::finding::Finding;
use crate::source::LOADED_DIRS;
use crate::template::{end_reason, result, session_source};
use hook_shell::resolve::Kind;

/// Settings of `memory`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Memory {
    /// Start sources that forget what was remembered of the session; every other source keeps it.
    pub reset_on: Vec<String>,
}

impl Default for Memory {
    fn default() -> Self {
        Self { reset_on: vec!["startup".to_owned(), "clear".to_owned()] }
    }
}

impl Step for Memory {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let event = ctx.event;
        let change = match &event.body {
            Body::SessionStart(_) => {
                let source = session_source(event);
                if !self.reset_on.iter().any(|reset| *reset == source) {
                    return None;
                }
                Change::Start { source: source.into_owned() }
            }
            Body::PostToolUse(_) | Body::PostToolUseFailure(_) => {
                Change::Acted(Action { altered: altered(ctx), ..action(event) })
            }
            Body::Stop(_) if !event.stop_hook_active() => Change::Stopped,
            Body::SessionEnd(_) => Change::Ended { reason: end_reason(event).into_owned() },
            _ => return None,
        };
        Some(Finding { effects: vec![Effect::Memory(change)], ..Finding::default() })
    }
}

/// Most such files of one call.
const MOST_ALTERED: usize = 64;

/// What the call changes in directories from which linters, tests and builds load code. Most calls name none of these, which costs one search.
fn altered(ctx: &CheckContext<'_>) -> Vec<String> {
    let event = ctx.event;
    let Some(tool) = event.tool() else { return Vec::new() };
    let texts = [tool.command(), tool.touched_path(), event.common.cwd.as_ref().map(|cwd| cwd.as_str())];
    let names_one = |text: &str| LOADED_DIRS.iter().any(|dir| text.contains(dir));
    if !texts.iter().flatten().any(|text| names_one(text)) {
        return Vec::new();
    }
    let changes = |kind: Kind| {
        use Kind::{
            Append, Delete, DeleteListed, DeleteTree, Emptied, FoundDelete, Link, Mirror, Mode, ModeTree, Move,
            Overwrite,
        };
        matches!(
            kind,
            Append
                | Delete
                | DeleteListed
                | DeleteTree
                | Emptied
                | FoundDelete
                | Link
                | Mirror
                | Mode
                | ModeTree
                | Move
                | Overwrite
        )
    };
    let targets = ctx.report().actions.iter().filter(|action| changes(action.kind) && !action.remote);
    let real = |path: &String| ctx.facts.real_path(path).unwrap_or_else(|| path.clone());
    let inside = |path: &String| path.split('/').any(|part| LOADED_DIRS.contains(&part));
    let mut altered: Vec<String> = targets
        .filter(|action| action.target.starts_with('/'))
        .map(|action| real(&action.target))
        .filter(inside)
        .collect();
    altered.dedup();
    // Of very many, each bars as well as another.
    altered.truncate(MOST_ALTERED);
    altered
}

fn action(event: &Event<'_>) -> Action {
    let result = result(event);
    let Some(tool) = event.tool() else {
        return Action { tool: "unknown".to_owned(), result, file: None, touch: None, altered: Vec::new(), call: None };
    };
    let name = tool.canonical_name();
    let touch = match tool.native() {
        _ if result != "success" => None,
        Some(NativeTool::Read) => Some(Touch::Read),
        Some(kind) if kind.changes_file() => Some(Touch::Write),
        _ => None,
    };
    Action {
        tool: if name.is_empty() { "unknown".to_owned() } else { name.to_owned() },
        result,
        file: tool.touched_path().map(std::borrow::Cow::into_owned),
        touch,
        altered: Vec::new(),
        call: tool.id.map(|id| id.as_str().into_owned()),
    }
}
