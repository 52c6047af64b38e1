//! One tool call as actions: shell commands are followed, file tools read or write their file, other tools by their parameters' names.

mod grep;
pub(crate) mod mcp;
mod notebook;

use std::borrow::Cow;

use hook_protocol::event::{Event, EventName};
use hook_protocol::tool::{ToolInput, ToolUse};

use crate::facts::{Entry, Facts};
use crate::path::Places;
use crate::resolve::{Files, Report, resolve, resolve_powershell, resolve_read, resolve_write};

struct FromFacts<'f>(&'f dyn Facts);

impl Files for FromFacts<'_> {
    fn real_path(&self, path: &str) -> Option<String> {
        self.0.real_path(path)
    }

    fn starts_guard(&self, path: &str) -> bool {
        self.0.starts_guard(path)
    }

    fn is_own(&self, path: &str) -> bool {
        self.0.is_own(path)
    }

    fn holds_own(&self, path: &str) -> bool {
        self.0.holds_own(path)
    }

    fn folder_variable(&self, name: &str) -> Option<String> {
        self.0.folder_variable(name)
    }

    fn git_setting(&self, folder: &str, key: &str) -> Option<String> {
        self.0.git_setting(folder, key)
    }

    fn entry(&self, path: &str) -> Entry {
        self.0.entry(path)
    }

    fn other_home(&self) -> Option<String> {
        self.0.other_home().map(Cow::into_owned)
    }

    fn work_folders(&self) -> Vec<String> {
        self.0.work_folders()
    }

    fn is_contained(&self) -> bool {
        ["storage/vault.json", "storage/lmdb5_manifest.json"].iter().any(|file| self.0.project_file(file).is_some())
    }
}

/// The places of an event.
pub(crate) fn places(event: &Event<'_>, facts: &dyn Facts) -> Places {
    let cwd = event.common.cwd.as_ref().map(|cwd| cwd.as_str());
    Places::new(facts.home().as_deref(), facts.project().as_deref(), cwd.as_deref())
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
        ToolInput::NotebookEdit(input) => {
            let mut report = written(&tool, Some(""), &places, &files);
            let is_code = input.cell_type.as_ref().is_none_or(|kind| kind.as_str() != "markdown");
            if let Some(source) = input.new_source.as_ref().filter(|_| is_code) {
                notebook::add_cell(&mut report, &source.as_str(), &places, &files);
            }
            report
        }
        ToolInput::Grep(input) => {
            let folder = input.path.as_ref().map(|path| path.as_str());
            let mut report = folder.as_deref().map(|path| resolve_read(path, &places, &files)).unwrap_or_default();
            if let Some(glob) = input.glob.as_ref() {
                grep::add_glob(&mut report, folder.as_deref(), &glob.as_str(), &places, &files);
            }
            report
        }
        ToolInput::Mcp { server, tool: name, input } => mcp::report(&server, &name, &input, &places, &files),
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

/// Tools whose input the guard reads, with the members that say what they do; one of each list has to be there.
const READ: &[(&str, &[&str])] = &[
    ("Bash", &["command"]),
    ("PowerShell", &["command"]),
    ("Monitor", &["command"]),
    ("Read", &["file_path", "path"]),
    ("Write", &["file_path", "path"]),
    ("Edit", &["file_path", "path"]),
    ("NotebookEdit", &["notebook_path", "file_path", "path"]),
    ("Grep", &["path", "glob"]),
    ("Glob", &["path", "pattern"]),
];

/// Those of them that may be called without any of the members.
const BARE: &[&str] = &["Monitor", "Grep", "Glob"];

/// What of a call cannot be read: a known tool whose deciding member is missing, is no text or stands there twice, or a name that is a
/// known tool's but for its case. Such a call was checked by nobody, so that the profile's fail mode answers it.
pub(crate) fn unreadable_part(event: &Event<'_>) -> Option<String> {
    if event.name() != EventName::PreToolUse {
        return None;
    }
    let tool = event.tool()?;
    let name = tool.canonical_name();
    // What a server calls its parameters is its own affair.
    if tool.mcp().is_some() || tool.name.starts_with("spf_") {
        return None;
    }
    let (known, members) = READ.iter().find(|(known, _)| known.eq_ignore_ascii_case(name.trim()))?;
    if *known != name {
        return Some(format!("tool_name is `{known}` but for its case or a blank"));
    }
    let Some(input) = tool.input.object() else {
        let may_lack = BARE.contains(known) && tool.input.is_null();
        return (!may_lack).then(|| "tool_input is no object".to_owned());
    };
    let mut found = 0;
    for (key, value) in input.iter() {
        let key = key.as_str();
        if !members.contains(&key.as_ref()) {
            continue;
        }
        if input.iter().filter(|(other, _)| other.as_str() == key).count() > 1 {
            return Some(format!("tool_input.{key} stands there twice"));
        }
        if value.as_text().is_none() && !(value.is_null() && BARE.contains(known)) {
            return Some(format!("tool_input.{key} is no text"));
        }
        found += 1;
    }
    let lacks = found == 0 && !BARE.contains(known);
    lacks.then(|| format!("tool_input.{} is missing", members.first().unwrap_or(&"")))
}
