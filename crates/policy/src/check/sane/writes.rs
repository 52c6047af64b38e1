//! Which files a call changes: by the tools for it, and by shell commands as they are understood, never by their text.

use hook_protocol::tool::ToolInput;

use super::super::CheckContext;
use hook_shell::options::{Options, plain_words};
use hook_shell::path::{Place, Places, below};
use hook_shell::programs::Tool;
use hook_shell::resolve::taint::LIST_ITEM;
use hook_shell::resolve::{Action, Effects, Kind, Run};

/// What counts as changing a file.
const WRITES: &[Kind] = &[
    Kind::Overwrite,
    Kind::Append,
    Kind::Move,
    Kind::Link,
    Kind::Delete,
    Kind::DeleteTree,
    Kind::DeleteListed,
    Kind::Mirror,
    Kind::GitDiscard,
    Kind::GitClean,
    Kind::Persist,
];

/// The most files that one call is said to change.
const MOST: usize = 50;

/// Names of directories whose content is built, not written: changing it is no edit.
pub(super) const BUILT: &[&str] = &[
    "target", "build", "dist", "node_modules", ".next", ".nuxt", ".cache", "coverage", "__pycache__", ".pytest_cache",
    ".mypy_cache", ".ruff_cache", ".venv", "venv", ".gradle", "DerivedData", ".build", "tmp",
];

/// The files that the event's call changes, by path as far as it is known. Tools of MCP servers change none here: the gates let them
/// pass.
pub(super) fn written(ctx: &CheckContext<'_>, built: &[String]) -> Vec<String> {
    let Some(tool) = ctx.event.tool() else { return Vec::new() };
    match tool.parsed_as_native() {
        ToolInput::Write(_) | ToolInput::Edit(_) | ToolInput::NotebookEdit(_) => {
            let path = tool.touched_path().unwrap_or_default();
            let places = crate::call::places(ctx.event, ctx.facts);
            let absolute = Places::absolute(&path, Some(&places.cwd));
            vec![absolute.unwrap_or_else(|| path.into_owned())]
        }
        ToolInput::Mcp { .. } => Vec::new(),
        _ if tool.command().is_some() => by_shell(ctx, ctx.report(), built),
        _ => Vec::new(),
    }
}

fn by_shell(ctx: &CheckContext<'_>, report: &Effects, built: &[String]) -> Vec<String> {
    let places = crate::call::places(ctx.event, ctx.facts);
    // Directories whose content is built count from the project's directory on.
    let is_built = |path: &str| {
        let rest = below(path, &places.project).unwrap_or(path);
        rest.split('/').any(|part| built.iter().any(|name| name == part))
    };
    let is_free = |place: Option<Place>, path: &str| match place {
        Some(Place::Sink | Place::Temp | Place::TempRoot | Place::Cache | Place::Net) => true,
        Some(Place::InProject) => is_built(path),
        _ => false,
    };
    let mut found: Vec<String> = Vec::new();
    let mut add = |path: &str| {
        if found.len() < MOST && !found.iter().any(|known| known == path) {
            found.push(path.to_owned());
        }
    };
    let writes = |action: &&Action| WRITES.contains(&action.kind) && !action.remote;
    for action in report.actions.iter().filter(writes).filter(|action| !is_free(action.place, &action.target)) {
        add(&action.target);
    }
    let helps = |run: &Run| run.args.iter().any(|arg| matches!(arg.as_str(), "--help" | "--version"));
    // Files of another machine or of a container are no files of the project.
    for run in report.runs.iter().filter(|run| !run.stand.remote && !helps(run)) {
        let operands = || plain_words(&run.args).filter(|arg| !arg.starts_with('+')).map(String::as_str);
        let path = |operand: &str| Places::absolute(operand, Some(&places.cwd)).unwrap_or_else(|| operand.to_owned());
        match run.tool() {
            // What a patch changes stands in the patch.
            tool @ (Tool::Patch | Tool::Git) if applies_patch(tool, &run.args) => {
                let files = run.stdin.as_deref().map(patched).unwrap_or_default();
                if files.is_empty() {
                    add("files named by a patch");
                }
                files.into_iter().for_each(&mut add);
            }
            Tool::Git
                if matches!(operands().next(), Some("mv" | "rm"))
                    && !Options::all(&run.args, &[]).has(&["--cached", "-n", "--dry-run"]) =>
            {
                operands().skip(1).for_each(|operand| add(&path(operand)));
            }
            // Making an empty file is an edit too; what lies in a directory for temporary or built files is not.
            Tool::Touch | Tool::Ed | Tool::Ex => {
                let free = |path: &String| is_free(Some(places.place(path)), path);
                operands().map(path).filter(|path| !free(path)).for_each(|path| add(&path));
            }
            Tool::Vim
                if run
                    .args
                    .iter()
                    .any(|arg| matches!(arg.as_str(), "-c" | "-es" | "-Es" | "-s") || arg.starts_with('+')) =>
            {
                operands().next_back().into_iter().for_each(|operand| add(&path(operand)));
            }
            Tool::Remove | Tool::Move | Tool::Copy | Tool::Tee | Tool::Link | Tool::Unlink | Tool::Truncate
                if run.args.iter().any(|arg| arg.contains(LIST_ITEM)) =>
            {
                add("files of a list");
            }
            _ => {}
        }
    }
    found
}

fn applies_patch(tool: Tool, args: &[String]) -> bool {
    let given = |names: &[&str]| args.iter().any(|arg| names.contains(&arg.as_str()));
    match tool {
        Tool::Patch => !given(&["--dry-run", "--help", "--version", "-v"]),
        Tool::Git => {
            given(&["apply", "am"]) && !given(&["--check", "--stat", "--numstat", "--summary", "--abort", "--help"])
        }
        _ => false,
    }
}

fn patched(patch: &str) -> Vec<&str> {
    let names = patch.lines().filter_map(|line| line.strip_prefix("+++ "));
    names
        .map(|name| name.split('\t').next().unwrap_or(name))
        .map(|name| name.strip_prefix("b/").unwrap_or(name))
        .collect()
}
