//! `track`: what a session has changed, and proof that a change has made stale.

use hook_protocol::event::Body;
use hook_protocol::host::OWN_DIR;
use hook_protocol::native::NativeTool;
use hook_protocol::tool::ToolInput;
use serde::{Deserialize, Serialize};

use super::written::{changes_file, dir, edited, project_repository, proof, put};
use super::{CheckContext, Step};
use crate::call::places;
use crate::effect::{Effect, StatusFileEdit};
use crate::evidence::{ProofState, ProofStatus, TestStatus, Touched};
use crate::facts::Facts;
use crate::finding::Finding;
use crate::source::{self, Class};
use hook_shell::path::{Places, is_unknown};
use hook_shell::resolve::Kind;

/// Settings of `track`. It has none of its own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Track {}

/// Most files of one shell command that are noted.
const MOST_FILES: usize = 32;

/// Where proof of work is kept.
pub(super) const PROOF: &str = ".proof-status";

impl Step for Track {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let places = places(ctx.event, ctx.facts);
        let files = changed_files(ctx, &places);
        let inside: Vec<&String> = files.iter().filter(|file| belongs(ctx.facts, file, &places)).collect();
        let mut effects: Vec<_> = inside
            .iter()
            .filter(|file| !file.contains(char::is_control))
            .map(|file| edited(StatusFileEdit::Add { file: changes_file(ctx.facts), line: (**file).clone() }))
            .collect();
        let changes_source = inside.iter().any(|file| source::classify(file, &places) == Class::Source);
        effects.extend(touched(ctx, &files, &places).map(Effect::Touched));
        if changes_source && proof(ctx.facts) == Some(ProofState::Verified) {
            effects.push(put(PROOF, &format!("pending|{}", ctx.facts.now().epoch)));
        }
        // What was asked about is no longer what is there.
        effects.extend((changes_source && ctx.facts.asked()).then_some(Effect::Asked(false)));
        (!effects.is_empty()).then(|| Finding::default().with(effects))
    }
}

/// What of these paths is a status file, or a directory in which there may be one: the host's own, the top of the project or of another
/// working tree, and what lies above.
fn touched<'q>(
    ctx: &'q CheckContext<'_>,
    paths: &'q [String],
    places: &'q Places,
) -> impl Iterator<Item = Touched> + 'q {
    let is_status = |path: &str| [TestStatus::PATH, ProofStatus::PATH].iter().any(|name| path.ends_with(name));
    let is_client = |path: &str| path.strip_suffix(OWN_DIR).is_some_and(|above| above.ends_with('/'));
    let is_above = |path: &str| path == places.project || hook_shell::path::below(&places.project, path).is_some();
    let is_top = |path: &str| ctx.facts.repository(path).is_some_and(|found| found.top.as_deref() == Some(path));
    let millis = match &ctx.event.body {
        Body::PostToolUse(used) => used.duration_ms,
        Body::PostToolUseFailure(failed) => failed.duration_ms,
        _ => None,
    };
    let goes_on = ctx.event.tool().is_some_and(|tool| match tool.parsed_as_native() {
        ToolInput::Bash(input) => input.run_in_background == Some(true),
        ToolInput::PowerShell(input) => input.run_in_background == Some(true),
        _ => false,
    });
    let may = move |path: &&String| is_status(path) || is_client(path) || is_above(path) || is_top(path);
    let real = |path: &String| ctx.facts.real_path(path).unwrap_or_else(|| path.clone());
    paths.iter().filter(may).map(move |path| Touched { path: real(path), millis, goes_on })
}

/// The files that the event's call changes. A command writes files as well; those that its text names count like any other.
pub(super) fn changed_files(ctx: &CheckContext<'_>, places: &Places) -> Vec<String> {
    let Some(tool) = ctx.event.tool() else { return Vec::new() };
    if tool.native().is_some_and(NativeTool::changes_file) {
        return tool.touched_path().map(|path| source::absolute(&path, places)).into_iter().collect();
    }
    let writes =
        |kind: Kind| matches!(kind, Kind::Overwrite | Kind::Append | Kind::Delete | Kind::DeleteTree | Kind::Move);
    let targets = ctx.report().actions.iter().filter(|action| writes(action.kind) && !action.remote);
    let named = targets.filter(|action| action.target.starts_with('/') && !action.target.contains(is_unknown));
    named.map(|action| action.target.clone()).take(MOST_FILES).collect()
}

/// Whether a file is the project's: in its directory, or in a working tree of the same repository.
pub(super) fn belongs(facts: &dyn Facts, file: &str, places: &Places) -> bool {
    let main = || Some((facts.repository(dir(file))?.main_top?, project_repository(facts)?.main_top?));
    hook_shell::path::below(file, &places.project).is_some() || main().is_some_and(|(file, project)| file == project)
}
