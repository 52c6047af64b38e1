//! One tool call as actions: shell commands are followed, file tools read or write their file, other tools by their parameters' names.

use std::borrow::Cow;

use hook_protocol::event::Event;
use hook_protocol::tool::{ToolInput, ToolUse};

use crate::facts::Facts;
use crate::path::Places;
use crate::resolve::value::activate;
use crate::resolve::{Files, Report, resolve, resolve_powershell, resolve_read, resolve_write};

/// Parameters of tools from MCP servers that name a file which is read.
const READ_PARAMETERS: &[&str] =
    &["path", "file_path", "filepath", "file", "filename", "uri", "source", "src", "paths", "files"];
/// Parameters that name a file which is written.
const WRITE_PARAMETERS: &[&str] = &["destination", "dest", "target", "output", "output_path", "to"];
/// Parameters that hold a command.
const COMMAND_PARAMETERS: &[&str] = &["command", "cmd", "shell_command", "script"];
/// Words in the name of such a tool that say it changes files.
const WRITING_NAMES: &[&str] = &[
    "write", "edit", "create", "append", "delete", "remove", "move", "rename", "save", "update", "patch", "replace",
    "put", "insert",
];

struct FromFacts<'f>(&'f dyn Facts);

impl Files for FromFacts<'_> {
    fn real_path(&self, path: &str) -> Option<String> {
        self.0.real_path(path)
    }

    fn starts_guard(&self, path: &str) -> bool {
        self.0.starts_guard(path)
    }
}

/// The places of an event.
pub(crate) fn places(event: &Event<'_>, facts: &dyn Facts) -> Places {
    let plain = |path: Cow<'_, str>| match path.trim_end_matches('/') {
        "" => "/".to_owned(),
        path => path.to_owned(),
    };
    let cwd = event.common.cwd.as_ref().map(|cwd| plain(cwd.as_str()));
    let project = facts.project().map(plain).or_else(|| cwd.clone()).unwrap_or_else(|| "/".to_owned());
    Places { home: facts.home().map(plain).unwrap_or_default(), cwd: cwd.unwrap_or_else(|| project.clone()), project }
}

/// What another command would do in the place of the event's own.
pub(crate) fn report_of(command: &str, event: &Event<'_>, facts: &dyn Facts) -> Report {
    resolve(command, &places(event, facts), &FromFacts(facts))
}

/// What the event's tool call does; nothing for other events.
pub(crate) fn report(event: &Event<'_>, facts: &dyn Facts) -> Report {
    let Some(tool) = event.tool() else { return Report::default() };
    let places = places(event, facts);
    let files = FromFacts(facts);
    if let Some(command) = tool.command() {
        if tool.canonical_name() == "PowerShell" {
            return resolve_powershell(&command, &places, &files);
        }
        return resolve(&command, &places, &files);
    }
    match tool.parsed_as_native() {
        ToolInput::Read(_) => tool.touched_path().map(|path| resolve_read(&path, &places, &files)).unwrap_or_default(),
        ToolInput::Write(input) => {
            let content = input.content.as_ref().map(|content| content.as_str());
            written(&tool, content.as_deref(), &places, &files)
        }
        ToolInput::Edit(input) => {
            let mut content = String::new();
            for text in
                input.new_string.iter().chain(input.edits.iter().flatten().filter_map(|step| step.new_string.as_ref()))
            {
                content.push_str(&text.as_str());
            }
            written(&tool, Some(&content), &places, &files)
        }
        ToolInput::NotebookEdit(_) => written(&tool, Some(""), &places, &files),
        ToolInput::Grep(input) => {
            let folder = input.path.as_ref().map(|path| path.as_str());
            let mut report = folder.as_deref().map(|path| resolve_read(path, &places, &files)).unwrap_or_default();
            if let Some(glob) = input.glob.as_ref().map(|glob| activate(&glob.as_str())) {
                let path = folder.as_deref().map_or_else(|| glob.clone(), |folder| format!("{folder}/{glob}"));
                add(&mut report, resolve_read(&path, &places, &files));
            }
            report
        }
        ToolInput::Mcp { tool: name, input, .. } => {
            let writes = WRITING_NAMES.iter().any(|word| name.to_ascii_lowercase().contains(word));
            let mut report = Report::default();
            for (key, values) in parameters(&input) {
                let lower = key.to_ascii_lowercase();
                for value in values {
                    let path = value.strip_prefix("file://").unwrap_or(&value);
                    if COMMAND_PARAMETERS.contains(&lower.as_str()) {
                        add(&mut report, resolve(&value, &places, &files));
                    } else if WRITE_PARAMETERS.contains(&lower.as_str())
                        || writes && READ_PARAMETERS.contains(&lower.as_str())
                    {
                        add(&mut report, resolve_write(path, None, &places, &files));
                    } else if READ_PARAMETERS.contains(&lower.as_str()) {
                        add(&mut report, resolve_read(path, &places, &files));
                    }
                }
            }
            report
        }
        _ => Report::default(),
    }
}

fn written(tool: &ToolUse<'_>, content: Option<&str>, places: &Places, files: &dyn Files) -> Report {
    tool.touched_path().map(|path| resolve_write(&path, content, places, files)).unwrap_or_default()
}

fn add(report: &mut Report, more: Report) {
    report.runs.extend(more.runs);
    report.actions.extend(more.actions);
}

/// The members of an input whose values are texts or lists of texts.
fn parameters(input: &hook_protocol::raw::Fields<'_>) -> Vec<(String, Vec<String>)> {
    input
        .iter()
        .filter_map(|(key, value)| {
            let texts = match value.as_text() {
                Some(text) => vec![text.as_str().into_owned()],
                None => value.items()?.iter().filter_map(|item| Some(item.as_text()?.as_str().into_owned())).collect(),
            };
            Some((key.as_str().into_owned(), texts))
        })
        .collect()
}
