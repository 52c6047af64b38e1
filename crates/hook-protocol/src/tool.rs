//! Tool calls: what runs, with its input typed on demand.

use crate::native::NativeTool;
use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::canonical::{McpName, canonical};
use crate::event::McpServer;
use crate::field::{open_enum, record};
use crate::raw::{Fields, Raw, Text};

/// What [`ToolUse::input`] refers to when an event has no input.
static NO_INPUT: Raw<'static> = Raw::NULL;

/// The tool call of an event. Borrows from the event.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolUse<'e> {
    /// The tool, as the payload calls it.
    pub name: Cow<'e, str>,
    /// Its input as it came; `null` when the event has none.
    pub input: &'e Raw<'e>,
    /// Identifies the call.
    pub id: Option<&'e Text<'e>>,
    /// Its server, for MCP tools.
    pub mcp_server: Option<&'e McpServer<'e>>,
}

impl<'e> ToolUse<'e> {
    pub(crate) fn new(
        name: Cow<'e, str>,
        input: Option<&'e Raw<'e>>,
        id: Option<&'e Text<'e>>,
        mcp_server: Option<&'e McpServer<'e>>,
    ) -> Self {
        Self { name, input: input.unwrap_or(&NO_INPUT), id, mcp_server }
    }

    /// The one name of the tool; see [`canonical`].
    pub fn canonical_name(&self) -> &str {
        canonical(&self.name)
    }

    /// The parts of the name, for MCP tools.
    pub fn mcp(&self) -> Option<McpName<'_>> {
        McpName::parse(&self.name)
    }

    /// The input by the tool's own name: an MCP tool's stays raw.
    pub fn parsed(&self) -> ToolInput<'_> {
        ToolInput::parse(&self.name, self.input)
    }

    /// The input by the tool's one name, so that the tools of an SPF server read as the native ones they stand for.
    pub fn parsed_as_native(&self) -> ToolInput<'_> {
        ToolInput::parse(self.canonical_name(), self.input)
    }

    /// The file that a `Read`, `Write`, `Edit` or `NotebookEdit` names, under any of the names of these tools: `file_path`,
    /// `notebook_path`, or the `path` of SPF tools. `None` for other tools. Nothing else of the input is decoded.
    ///
    /// The host sends absolute paths, with backslashes on Windows; other senders may not.
    pub fn touched_path(&self) -> Option<Cow<'e, str>> {
        if !self.native().is_some_and(|kind| kind == NativeTool::Read || kind.changes_file()) {
            return None;
        }
        ["file_path", "notebook_path", "path"].into_iter().find_map(|key| self.input_text(key))
    }

    /// The shell text that a `Bash`, `PowerShell` or `Monitor` call runs, under any of the names of these tools. `None` for other
    /// tools. Nothing else of the input is decoded.
    pub fn command(&self) -> Option<Cow<'e, str>> {
        if !self.native().is_some_and(NativeTool::runs_commands) {
            return None;
        }
        self.input.command()
    }

    /// The input as one text, by which two calls of a tool are known to be the same: all members in the order of their names, each as it
    /// came. Of a command, what describes it and how long it may take make no difference. `None` where the input is no object.
    pub fn identity(&self) -> Option<String> {
        let mut fields = self.input.object()?;
        if self.command().is_some() {
            for key in ["description", "timeout"] {
                fields.remove(key);
            }
        }
        let mut members: Vec<(Cow<'_, str>, &str)> =
            fields.iter().map(|(key, value)| (key.as_str(), value.text())).collect();
        // Members of one name stay in their order.
        members.sort_by(|one, other| one.0.cmp(&other.0));
        serde_json::to_string(&members).ok()
    }

    /// The whole input with another command: every other member is copied as it stands. `None` for tools without a command.
    pub fn with_command(&self, command: &str) -> Option<Box<RawValue>> {
        self.command()?;
        let mut fields = self.input.object()?;
        fields.set("command", Raw::from_value(command).ok()?);
        Some(fields.to_raw().to_raw_value())
    }

    fn input_text(&self, key: &str) -> Option<Cow<'e, str>> {
        self.input.get(key)?.into_text().ok().map(Text::into_cow)
    }
}

/// The input of a tool call, typed by the tool's name.
///
/// Every field is optional, and what a type doesn't name is kept in its `extra`. Nothing can fail: a tool that isn't listed
/// here, and an input that isn't an object, are `Other`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ToolInput<'a> {
    /// `Bash`
    Bash(BashInput<'a>),
    /// `PowerShell`
    PowerShell(PowerShellInput<'a>),
    /// `Write`
    Write(WriteInput<'a>),
    /// `Edit`, and `MultiEdit`, which the host no longer has.
    Edit(EditInput<'a>),
    /// `Read`
    Read(ReadInput<'a>),
    /// `NotebookEdit`
    NotebookEdit(NotebookEditInput<'a>),
    /// `Glob`
    Glob(GlobInput<'a>),
    /// `Grep`
    Grep(GrepInput<'a>),
    /// `WebFetch`
    WebFetch(WebFetchInput<'a>),
    /// `WebSearch`
    WebSearch(WebSearchInput<'a>),
    /// `Agent`, once called `Task`.
    Agent(AgentInput<'a>),
    /// `TodoWrite`
    TodoWrite(TodoWriteInput<'a>),
    /// `TaskCreate`
    TaskCreate(TaskCreateInput<'a>),
    /// `TaskUpdate`
    TaskUpdate(TaskUpdateInput<'a>),
    /// `Monitor`
    Monitor(MonitorInput<'a>),
    /// `ExitPlanMode`
    ExitPlanMode(ExitPlanModeInput<'a>),
    /// A tool of an MCP server.
    Mcp {
        /// The server.
        server: Cow<'a, str>,
        /// The tool, as the server calls it.
        tool: Cow<'a, str>,
        /// The members of the input.
        input: Fields<'a>,
    },
    /// Any other tool, or an input that isn't an object.
    Other(Raw<'a>),
}

impl<'a> ToolInput<'a> {
    /// Types the input of tool `name`. Old names count as the ones in use now.
    pub fn parse(name: &'a str, input: &'a Raw<'a>) -> Self {
        let Some(fields) = input.object() else { return Self::Other(input.clone()) };
        if let Some(McpName { server, tool }) = McpName::parse(name) {
            return Self::Mcp { server: Cow::Borrowed(server), tool: Cow::Borrowed(tool), input: fields };
        }
        match canonical(name) {
            "Bash" => Self::Bash(BashInput::from_fields(fields)),
            "PowerShell" => Self::PowerShell(PowerShellInput::from_fields(fields)),
            "Write" => Self::Write(WriteInput::from_fields(fields)),
            "Edit" => Self::Edit(EditInput::from_fields(fields)),
            "Read" => Self::Read(ReadInput::from_fields(fields)),
            "NotebookEdit" => Self::NotebookEdit(NotebookEditInput::from_fields(fields)),
            "Glob" => Self::Glob(GlobInput::from_fields(fields)),
            "Grep" => Self::Grep(GrepInput::from_fields(fields)),
            "WebFetch" => Self::WebFetch(WebFetchInput::from_fields(fields)),
            "WebSearch" => Self::WebSearch(WebSearchInput::from_fields(fields)),
            "Agent" => Self::Agent(AgentInput::from_fields(fields)),
            "TodoWrite" => Self::TodoWrite(TodoWriteInput::from_fields(fields)),
            "TaskCreate" => Self::TaskCreate(TaskCreateInput::from_fields(fields)),
            "TaskUpdate" => Self::TaskUpdate(TaskUpdateInput::from_fields(fields)),
            "Monitor" => Self::Monitor(MonitorInput::from_fields(fields)),
            "ExitPlanMode" => Self::ExitPlanMode(ExitPlanModeInput::from_fields(fields)),
            _ => Self::Other(input.clone()),
        }
    }
}

record! {
    /// Runs a command in the user's shell.
    BashInput {
        /// The command line.
        command: Text<'a>,
        /// In milliseconds.
        timeout: u64,
        /// What it does, in a few words.
        description: Text<'a>,
        /// Whether the call returns at once.
        run_in_background: bool,
        /// Whether it runs outside the sandbox.
        dangerously_disable_sandbox = "dangerouslyDisableSandbox": bool,
    }
}

record! {
    /// Runs a command in PowerShell.
    PowerShellInput {
        /// The command line.
        command: Text<'a>,
        /// What it does, in a few words.
        description: Text<'a>,
        /// In milliseconds.
        timeout: u64,
        /// Whether the call returns at once.
        run_in_background: bool,
    }
}

record! {
    /// Writes a whole file.
    WriteInput {
        /// Absolute path.
        file_path: Text<'a>,
        /// The new content; may be many MiB.
        content: Text<'a>,
    }
}

record! {
    /// Replaces text in a file.
    EditInput {
        /// Absolute path.
        file_path: Text<'a>,
        /// The text to replace.
        old_string: Text<'a>,
        /// What replaces it.
        new_string: Text<'a>,
        /// Every occurrence, not just one.
        replace_all: bool,
        /// The steps of a `MultiEdit`.
        edits: Vec<EditStep<'a>>,
    }
}

record! {
    /// One step of a `MultiEdit`.
    EditStep {
        /// The text to replace.
        old_string: Text<'a>,
        /// What replaces it.
        new_string: Text<'a>,
        /// Every occurrence, not just one.
        replace_all: bool,
    }
}

record! {
    /// Reads a file.
    ReadInput {
        /// Absolute path.
        file_path: Text<'a>,
        /// First line.
        offset: u64,
        /// Number of lines.
        limit: u64,
        /// Pages of a document, such as `1-5`.
        pages: Text<'a>,
        /// Whether a large file may be read whole.
        allow_large: bool,
    }
}

record! {
    /// Changes a cell of a notebook.
    NotebookEditInput {
        /// Absolute path.
        notebook_path: Text<'a>,
        /// The cell.
        cell_id: Text<'a>,
        /// The new source.
        new_source: Text<'a>,
        /// `code` or `markdown`.
        cell_type: Text<'a>,
        /// What to do with the cell.
        edit_mode: NotebookEditMode<'a>,
    }
}

open_enum! {
    /// What to do with a cell of a notebook.
    NotebookEditMode {
        /// Replace its source.
        Replace = "replace",
        /// Insert a cell behind it.
        Insert = "insert",
        /// Remove it.
        Delete = "delete",
    }
}

record! {
    /// Finds files by name.
    GlobInput {
        /// The pattern.
        pattern: Text<'a>,
        /// Where to look; may be relative.
        path: Text<'a>,
    }
}

record! {
    /// Finds text in files.
    GrepInput {
        /// The regular expression.
        pattern: Text<'a>,
        /// Where to look; may be relative.
        path: Text<'a>,
        /// Which files, by name.
        glob: Text<'a>,
        /// Which files, by type.
        file_type = "type": Text<'a>,
        /// `content`, `files_with_matches` or `count`.
        output_mode: Text<'a>,
        /// Lines to show after a match.
        after = "-A": u64,
        /// Lines to show before a match.
        before = "-B": u64,
        /// Lines to show around a match.
        around = "-C": u64,
        /// Whether lines are numbered.
        line_numbers = "-n": bool,
        /// Whether case is ignored.
        ignore_case = "-i": bool,
        /// Whether only the matching part is shown.
        only_matching = "-o": bool,
        /// Lines to show around a match.
        context: u64,
        /// How many results to show.
        head_limit: u64,
        /// How many results to leave out first.
        offset: u64,
        /// Whether a match may span lines.
        multiline: bool,
    }
}

record! {
    /// Fetches a page.
    WebFetchInput {
        /// The address.
        url: Text<'a>,
        /// What to find out from the page.
        prompt: Text<'a>,
        /// Where to go on in a long page.
        offset: u64,
    }
}

record! {
    /// Searches the web.
    WebSearchInput {
        /// The query.
        query: Text<'a>,
        /// Only these hosts.
        allowed_domains: Vec<Text<'a>>,
        /// Not these hosts.
        blocked_domains: Vec<Text<'a>>,
    }
}

record! {
    /// Starts a subagent or a teammate.
    AgentInput {
        /// What it does, in a few words.
        description: Text<'a>,
        /// Its task.
        prompt: Text<'a>,
        /// Its kind.
        subagent_type: Text<'a>,
        /// Its model.
        model: Text<'a>,
        /// Its effort: a level or a number.
        effort: Raw<'a>,
        /// Whether the call returns at once.
        run_in_background: bool,
        /// The name of a teammate.
        name: Text<'a>,
        /// The team.
        team_name: Text<'a>,
        /// Its permission mode.
        mode: Text<'a>,
        /// Where it works.
        isolation: Isolation<'a>,
    }
}

open_enum! {
    /// Where a subagent works.
    Isolation {
        /// In a worktree of its own.
        Worktree = "worktree",
        /// On another machine.
        Remote = "remote",
    }
}

record! {
    /// Replaces the to-do list.
    TodoWriteInput {
        /// The items.
        todos: Vec<Todo<'a>>,
    }
}

record! {
    /// One item of a to-do list.
    Todo {
        /// What is to be done.
        content: Text<'a>,
        /// `pending`, `in_progress` or `completed`.
        status: Text<'a>,
        /// The same while it is being done.
        active_form = "activeForm": Text<'a>,
    }
}

record! {
    /// Creates a task.
    TaskCreateInput {
        /// What is to be done, in one line.
        subject: Text<'a>,
        /// What is to be done.
        description: Text<'a>,
        /// The same while it is being done.
        active_form = "activeForm": Text<'a>,
        /// Anything.
        metadata: Raw<'a>,
    }
}

record! {
    /// Changes a task.
    TaskUpdateInput {
        /// The task.
        task_id = "taskId": Text<'a>,
        /// What is to be done, in one line.
        subject: Text<'a>,
        /// What is to be done.
        description: Text<'a>,
        /// The same while it is being done.
        active_form = "activeForm": Text<'a>,
        /// `pending`, `in_progress`, `completed` or `deleted`.
        status: Text<'a>,
        /// Tasks that wait for this one.
        add_blocks = "addBlocks": Vec<Text<'a>>,
        /// Tasks that this one waits for.
        add_blocked_by = "addBlockedBy": Vec<Text<'a>>,
        /// Who does it.
        owner: Text<'a>,
        /// Anything.
        metadata: Raw<'a>,
    }
}

record! {
    /// Watches a shell command or a socket in the background. It runs a shell command too: guards must read it.
    MonitorInput {
        /// What is watched.
        description: Text<'a>,
        /// In milliseconds.
        timeout_ms: u64,
        /// The command line.
        command: Text<'a>,
        /// The socket.
        ws: Raw<'a>,
    }
}

record! {
    /// Shows a plan and asks to leave plan mode.
    ExitPlanModeInput {
        /// The plan; the host adds it for hooks.
        plan: Text<'a>,
        /// The plan's file; the host adds it for hooks.
        plan_file_path = "planFilePath": Text<'a>,
    }
}

record! {
    /// What a call of the agent tool comes back with. One that runs in the background, and a teammate, come back at once and without
    /// an answer.
    AgentResult {
        /// `completed`, `async_launched`, `teammate_spawned`; older clients send none.
        status: Text<'a>,
        /// Identifies the agent.
        agent_id = "agentId": Text<'a>,
        /// The answer, as content blocks.
        content: Raw<'a>,
    }
}

impl AgentResult<'_> {
    /// Whether the agent has ended with an answer.
    pub fn is_complete(&self) -> bool {
        match &self.status {
            Some(status) => status.as_str() == "completed",
            None => self.content.is_some(),
        }
    }

    /// The text blocks of the answer, a line each.
    pub fn text(&self) -> String {
        let Some(content) = &self.content else { return String::new() };
        if let Some(text) = content.as_str() {
            return text.into_owned();
        }
        let mut texts = Vec::new();
        for block in content.items().unwrap_or_default() {
            if let Some(text) = block.get("text") {
                texts.extend(text.as_str().map(Cow::into_owned));
            }
        }
        texts.join("\n")
    }
}
