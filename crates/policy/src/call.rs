//! One tool call as actions: shell commands are followed, file tools read or write their file, other tools by the shape of their
//! input.

mod grep;
mod notebook;
mod shape;

use std::borrow::Cow;

use hook_protocol::act::Acts;
use hook_protocol::event::{Event, EventName};
use hook_protocol::native::NativeTool;
use hook_protocol::tool::{ToolInput, ToolUse};

use crate::facts::{Entry, Facts};
use hook_shell::path::Places;
use hook_shell::resolve::GitSettings;
use hook_shell::resolve::{
    Effects, Files, resolve, resolve_fetch, resolve_powershell, resolve_read, resolve_sent, resolve_write,
};

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

    fn is_client_settings(&self, path: &str) -> bool {
        self.0.is_client_settings(path)
    }

    fn holds_own(&self, path: &str) -> bool {
        self.0.holds_own(path)
    }

    fn dir_variable(&self, name: &str) -> Option<String> {
        self.0.dir_variable(name)
    }

    fn git_setting(&self, dir: &str, key: &str) -> Option<String> {
        self.0.git_setting(dir, key)
    }

    fn git_settings(&self, dir: &str) -> GitSettings {
        self.0.git_settings(dir)
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
    Places::new(facts.home().as_deref(), facts.project().as_deref(), cwd.as_deref()).with_layout(facts.layout())
}

/// What another command would do in the place of the event's own.
pub(crate) fn report_of(command: &str, event: &Event<'_>, facts: &dyn Facts) -> Effects {
    resolve(command, &places(event, facts), &FromFacts(facts))
}

/// What the event's tool call does; nothing for other events.
pub(crate) fn report(event: &Event<'_>, facts: &dyn Facts) -> Effects {
    let Some(tool) = event.tool() else { return Effects::default() };
    let places = places(event, facts);
    let files = FromFacts(facts);
    if let Some(command) = tool.command() {
        if tool.native() == Some(NativeTool::PowerShell) {
            return resolve_powershell(&command, &places, &files);
        }
        return resolve(&command, &places, &files);
    }
    match tool.parsed_as_native() {
        ToolInput::Read(_) => tool.touched_path().map(|path| resolve_read(&path, &places, &files)).unwrap_or_default(),
        ToolInput::Write(input) => {
            let content = input.content.as_ref().map(|content| content.as_str());
            let content = content.or_else(|| tool.written_content().map(Cow::Owned));
            written(&tool, content.as_deref(), &places, &files)
        }
        ToolInput::Edit(input) => {
            if input.new_string.is_none() && input.edits.is_none() {
                // Other clients use the host's name for the tool, but not for its parameters.
                return written(&tool, Some(&tool.written_content().unwrap_or_default()), &places, &files);
            }
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
            let dir = input.path.as_ref().map(|path| path.as_str());
            let mut report = dir.as_deref().map(|path| resolve_read(path, &places, &files)).unwrap_or_default();
            if let Some(glob) = input.glob.as_ref() {
                grep::add_glob(&mut report, dir.as_deref(), &glob.as_str(), &places, &files);
            }
            report
        }
        ToolInput::Mcp { .. } => {
            let mut report = shape::report(&tool, &places, &files);
            if shape::sends(&tool.name) {
                add(&mut report, resolve_sent(tool.input.text()));
            }
            report
        }
        ToolInput::WebFetch(input) => {
            let Some(url) = input.url.as_ref().map(|url| url.as_str()) else { return Effects::default() };
            let mut report = resolve_fetch(&url, &places, &files);
            add(&mut report, resolve_sent(&url));
            report
        }
        ToolInput::Other(_) if !knows(&tool) || is_patch(&tool) => shape::report(&tool, &places, &files),
        _ => Effects::default(),
    }
}

fn written(tool: &ToolUse<'_>, content: Option<&str>, places: &Places, files: &dyn Files) -> Effects {
    tool.touched_path().map(|path| resolve_write(&path, content, places, files)).unwrap_or_default()
}

/// Whether the call of a tool for writing is one text that is a patch, as other clients send it.
fn is_patch(tool: &ToolUse<'_>) -> bool {
    matches!(tool.native(), Some(NativeTool::Write | NativeTool::Edit))
        && tool.input.as_str().is_some_and(|text| hook_protocol::act::is_patch(&text))
}

fn add(report: &mut Effects, more: Effects) {
    report.runs.extend(more.runs);
    report.actions.extend(more.actions);
}

/// Whether the guard knows what the calls of this tool say.
pub(crate) fn knows(tool: &ToolUse<'_>) -> bool {
    tool.native().is_some_and(|kind| !kind.deciding_members().is_empty())
}

/// What of a call cannot be read: a known tool whose deciding member is missing, is no text or stands there twice, or any other tool with
/// a member for a command or a path that is of no such type. Such a call was checked by nobody, so that the profile's fail mode answers it.
pub(crate) fn unreadable_part(event: &Event<'_>) -> Option<String> {
    if !matches!(event.name(), EventName::PreToolUse | EventName::PreSkillShellCommand) {
        return None;
    }
    let tool = event.tool()?;
    // What a server calls its parameters is its own affair, and so is what another client calls those of a tool of the same name.
    let is_own = tool.mcp().is_none() && !tool.name.starts_with("spf_");
    let read = |kind: &NativeTool| !kind.deciding_members().is_empty();
    let Some(kind) = tool.native().filter(|kind| is_own && read(kind)) else {
        let alike = NativeTool::named_loosely(&tool.name).filter(|kind| read(kind) && !kind.may_say_nothing());
        let says_nothing = alike.filter(|_| tool.mcp().is_none() && tool.acts() == Acts::default());
        let member = says_nothing.and_then(|kind| kind.deciding_members().first());
        return tool.unreadable().or(member.map(|member| format!("tool_input.{member} is missing")));
    };
    let members = kind.deciding_members();
    let Some(input) = tool.input.object() else {
        let may_lack = kind.may_say_nothing() && tool.input.is_null() || is_patch(&tool);
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
        if value.as_text().is_none() && !(value.is_null() && kind.may_say_nothing()) {
            return Some(format!("tool_input.{key} is no text"));
        }
        found += 1;
    }
    let lacks = found == 0 && !kind.may_say_nothing();
    lacks.then(|| format!("tool_input.{} is missing", members.first().unwrap_or(&"")))
}
