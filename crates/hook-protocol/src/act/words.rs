//! Words of names: what clients and servers call their tools and parameters. Parameters are compared in small letters and digits only, so
//! `file_path`, `filePath` and `FilePath` are one.

/// Parameters that name a file which is read.
pub(super) const READS: &[&str] = &[
    "path", "filepath", "file", "filename", "uri", "source", "src", "paths", "files", "filepaths", "absolutepath",
    "relativepath", "targetfile", "notebookpath", "oldpath",
];
/// Parameters that name a directory: where a command runs, or else what is read.
pub(super) const DIRECTORIES: &[&str] = &["directory", "folder", "dir", "dirpath", "directorypath", "folderpath"];
/// Parameters that name a file which is written.
pub(super) const WRITES: &[&str] =
    &["destination", "dest", "destinationpath", "newpath", "target", "output", "outputpath", "outputfile", "to"];
/// Parameters that name what is moved or copied, in a tool whose name says that it does.
pub(super) const FROM: &[&str] = &[
    "from", "frompath", "old", "oldfile", "oldfilepath", "oldname", "sources", "sourcefile", "sourcepath", "srcfile",
    "srcpath",
];
/// Parameters that name where it goes.
pub(super) const INTO: &[&str] = &[
    "destfile", "destinationfile", "destpath", "dst", "dstfile", "dstpath", "new", "newfile", "newfilepath", "newname",
    "targetfile", "targetpath", "topath",
];
/// Parameters whose value may be an object with paths as its names.
pub(super) const MAPS: &[&str] =
    &["changes", "contents", "documents", "edits", "filecontents", "filemap", "files", "paths", "writes"];
/// Parameters that name a file only where their text is a `file:` address.
pub(super) const ADDRESSES: &[&str] = &["url", "urls", "href", "address", "link"];
/// Parameters that hold a command.
pub(super) const COMMANDS: &[&str] = &[
    "command", "cmd", "commands", "cmds", "shellcommand", "bashcommand", "terminalcommand", "clicommand",
    "commandline", "cmdline", "script", "bash", "shell", "program", "executable", "argv",
];
/// Those of them that are nothing else in any tool, so that another type than text cannot be read.
pub(super) const TEXTS: &[&str] =
    &["command", "cmd", "commands", "cmds", "commandline", "cmdline", "shellcommand", "clicommand"];
/// As much for paths, in tools that are not a server's.
pub(super) const PLACES: &[&str] = &["path", "filepath", "absolutepath", "targetfile", "notebookpath", "filename"];
/// Parameters that hold the arguments of a command beside them.
pub(super) const ARGUMENTS: &[&str] = &["args", "arguments", "argv", "params", "parameters"];
/// Words in the name of a tool that starts a program, which may be named like a file.
pub(super) const STARTS: &[&str] = &["exec", "spawn", "process", "run", "start", "launch"];
/// Parameters that name that program.
pub(super) const PROGRAMS: &[&str] = &["file", "path", "filepath", "bin", "binary", "exe", "executablepath"];
/// Parameters that hold the input of another tool as a text of JSON.
pub(super) const WRAPPED: &[&str] =
    &["args", "arguments", "input", "params", "parameters", "toolargs", "toolinput", "payload", "request"];
/// Parameters that say where a command runs.
pub(super) const DIRS: &[&str] = &["cwd", "workdir", "workingdirectory", "workingdir", "rootdir", "basedir"];
/// Parameters that hold a statement, whatever the tool is called.
pub(super) const STATEMENTS: &[&str] = &["sql", "sqlquery", "sqlstatement", "rawsql"];
/// Parameters that hold a statement, if the tool or its server is called like a database.
pub(super) const QUERIES: &[&str] = &["query", "queries", "statement", "statements", "code", "text"];
/// Parameters that hold code of a language, and the language if the name says it.
pub(super) const CODES: &[(&str, &str)] = &[
    ("code", ""),
    ("sourcecode", ""),
    ("source", ""),
    ("snippet", ""),
    ("python", "python"),
    ("pythoncode", "python"),
    ("javascript", "javascript"),
    ("jscode", "javascript"),
];
/// Parameters that name the language of code beside them.
pub(super) const LANGUAGES: &[&str] = &["language", "lang", "runtime", "interpreter", "kernel"];
/// Parameters that hold a patch.
pub(super) const PATCHES: &[&str] = &["patch", "patchtext", "patchcontent", "unifieddiff"];
/// Parameters that hold a patch if their text is one.
pub(super) const MAYBE_PATCHES: &[&str] = &["input", "diff", "patches", "text", "content", "contents"];
/// Parameters that hold what a file is to hold, or a part of it.
pub(super) const CONTENTS: &[&str] = &[
    "content", "contents", "filetext", "filecontent", "newstring", "newstr", "newtext", "newcontent", "newsource",
    "codeedit", "inserttext", "replacement",
];
/// The same, unless the tool's name says that it reads.
pub(super) const MAYBE_CONTENTS: &[&str] = &["text", "after", "data", "body", "insert", "value"];
/// Parameters that only a tool which changes a file has.
pub(super) const CHANGED: &[&str] = &["oldstring", "oldstr", "oldtext", "oldcontent", "edits", "replacements", "diff"];
/// Parameters that say what a tool of several acts is to do.
pub(super) const VERBS: &[&str] = &["command", "action", "operation", "op", "mode"];
/// What stands there where it is no command.
pub(super) const ACTS: &[&str] = &[
    "view", "read", "list", "create", "write", "append", "insert", "replace", "str_replace", "strreplace", "edit",
    "update", "delete", "remove", "move", "rename", "copy", "undo_edit",
];

/// Words in the names of databases' tools and servers.
pub(super) const DATABASES: &[&str] = &[
    "sql", "postgres", "maria", "sqlite", "database", "duckdb", "clickhouse", "snowflake", "bigquery", "redshift",
    "supabase", "neon", "turso", "planetscale", "cockroach", "oracle", "db",
];
/// Words in the name of a tool that say it changes files.
pub(super) const CHANGES: &[&str] = &[
    "write", "edit", "create", "append", "move", "rename", "save", "update", "patch", "replace", "insert", "copy",
    "truncate", "upload",
];
/// Words in the name of a tool that say it removes files.
pub(super) const REMOVES: &[&str] = &["delete", "remove", "unlink", "rmdir", "trash"];
/// Words in the name of a tool that say it only looks.
pub(super) const LOOKS: &[&str] =
    &["read", "view", "list", "search", "grep", "find", "glob", "show", "stat", "look", "describe", "check", "open"];
/// Words in the name of a tool whose input is a command where it is one text.
pub(super) const SHELLS: &[&str] =
    &["bash", "shell", "zsh", "exec", "terminal", "command", "cmd", "powershell", "pwsh"];
/// Words in the name of a tool that runs code.
pub(super) const RUNNERS: &[&str] = &[
    "exec", "run", "eval", "code", "script", "repl", "python", "node", "javascript", "notebook", "kernel", "sandbox",
    "interpreter", "jupyter",
];
/// Words in the name of a tool that types into a shell that runs already.
pub(super) const TYPES: &[&str] = &["stdin", "send_keys", "sendkeys", "write_bash", "terminal", "write_to_terminal"];
/// Parameters that hold what is typed.
pub(super) const TYPED: &[&str] = &["chars", "input", "text", "data", "keys", "stdin"];

/// The host's own tools whose input holds no command and no file, whatever its members are called. Those that do are in
/// [`ToolInput`](crate::tool::ToolInput) with a type of their own.
pub(super) const HARMLESS: &[&str] = &[
    "WebFetch", "WebSearch", "Agent", "TodoWrite", "TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "TaskOutput",
    "TaskStop", "ExitPlanMode", "EnterPlanMode", "AskUserQuestion", "Skill", "SlashCommand", "BashOutput",
    "ListMcpResourcesTool", "ReadMcpResourceTool", "ReadMcpResourceDirTool", "ListAgents", "SendMessage",
    "SendUserMessage", "SetGoal", "ToolSearch", "EnterWorktree", "ExitWorktree", "CronCreate", "CronDelete",
    "CronList", "LSP", "StructuredOutput", "TeamCreate", "TeamDelete", "Workflow", "RemoteTrigger", "Glob",
];

/// The host's own tools whose input is said to a session: now, later, or again and again.
pub(super) const ORDERS: &[&str] = &[
    "CronCreate", "ScheduleWakeup", "SendMessage", "RemoteTrigger", "Agent", "TeamCreate", "SetGoal", "Workflow",
    "Loop", "LoopCreate",
];
/// Parts of the names of skills that order prompts.
pub(super) const SKILLS_THAT_ORDER: &[&str] = &["loop", "schedule", "cron", "remind"];
/// Words before such a prompt that may say when it comes.
pub(super) const MOST_TIMES: usize = 8;
/// Words in the name of another tool that say the same.
pub(super) const ORDERS_ELSEWHERE: &[&str] = &[
    "cron", "schedule", "wakeup", "wake_up", "prompt", "send_to_session", "send_to_agent", "message_agent",
    "message_session", "remote_trigger",
];
/// Parameters that hold a prompt, whatever the tool is called.
pub(super) const PROMPTS: &[&str] = &["prompt", "prompts", "userprompt"];
/// Parameters whose text may be one.
pub(super) const MESSAGES: &[&str] =
    &["message", "messages", "msg", "text", "instruction", "instructions", "task", "goal"];
/// Words in the name of a tool that presses keys or types, wherever that arrives.
pub(super) const PRESSES: &[&str] = &[
    "send_key", "sendkey", "keystroke", "press_key", "key_press", "keypress", "type_text", "typetext", "type_keys",
    "keyboard", "paste", "inject", "stdin", "write_bash", "terminal",
];
/// Names of tools that do nothing else.
pub(super) const PRESSES_ONLY: &[&str] = &["type", "key", "keys", "press", "write_chars"];
/// Words in the whole name of a tool that say it has to do with a terminal, so that its texts are typed.
pub(super) const TERMINALS: &[&str] =
    &["tmux", "screen_session", "terminal", "iterm", "wezterm", "kitty", "zellij", "pty", "console", "tty"];
/// Words in the whole name of a tool that types into pages, which are no terminals.
pub(super) const PAGES: &[&str] =
    &["browser", "playwright", "puppeteer", "selenium", "chrome", "firefox", "webdriver", "page"];
/// Parameters of such tools that are not what is said.
pub(super) const ASIDE: &[&str] = &[
    "summary", "description", "to", "recipient", "target", "reason", "name", "id", "taskid", "cron", "action", "type",
    "title", "status", "subagenttype", "model", "pane", "paneid", "window", "session", "sessionid", "activeform",
];
/// Words in the name of a tool that reads what it is told.
pub(super) const LOOKING: &[&str] = &[
    "cat", "check", "count", "describe", "diff", "exists", "fetch", "find", "get", "glob", "grep", "head", "info",
    "inspect", "list", "load", "lookup", "ls", "open", "outline", "peek", "read", "recall", "resolve", "search",
    "show", "stat", "status", "tail", "tree", "view",
];
/// Parameters whose text is written for people, or is what a file gets.
pub(super) const PROSE: &[&str] = &[
    "activeform", "blocks", "body", "caption", "comment", "content", "contents", "description", "fact", "filetext",
    "goal", "html", "instruction", "instructions", "markdown", "message", "messages", "msg", "newstr", "newstring",
    "newtext", "note", "notes", "observation", "observations", "oldstr", "oldstring", "oldtext", "prompt", "question",
    "reason", "reply", "subject", "summary", "task", "text", "thought", "title", "todos",
];
