//! Tool inputs, typed on demand.

use hook_protocol::Event;
use hook_protocol::raw::Raw;
use hook_protocol::tool::{Isolation, NotebookEditMode, ToolInput};

use crate::payloads::recorded;

/// A tool, an input with every documented field of it, and how many fields a typed reading must find.
const INPUTS: [(&str, &str); 16] = [
    (
        "Bash",
        r#"{"command":"ls","timeout":1000,"description":"d","run_in_background":true,"dangerouslyDisableSandbox":false}"#,
    ),
    ("PowerShell", r#"{"command":"ls","description":"d","timeout":1000,"run_in_background":true}"#),
    ("Write", r#"{"file_path":"/a","content":"\ud800"}"#),
    ("Edit", r#"{"file_path":"/a","old_string":"o","new_string":"n","replace_all":true}"#),
    ("Read", r#"{"file_path":"/a","offset":1,"limit":2,"pages":"1-2","allow_large":true}"#),
    (
        "NotebookEdit",
        r#"{"notebook_path":"/a","cell_id":"c","new_source":"s","cell_type":"code","edit_mode":"insert"}"#,
    ),
    ("Glob", r#"{"pattern":"*","path":"."}"#),
    (
        "Grep",
        r#"{"pattern":"a","path":".","glob":"*","type":"rust","output_mode":"content","-A":1,"-B":2,"-C":3,"-n":true,"-i":true,"-o":true,"context":4,"head_limit":5,"offset":6,"multiline":true}"#,
    ),
    ("WebFetch", r#"{"url":"https://example.com","prompt":"p","offset":7}"#),
    ("WebSearch", r#"{"query":"q","allowed_domains":["a.example"],"blocked_domains":[]}"#),
    (
        "Agent",
        r#"{"description":"d","prompt":"p","subagent_type":"Explore","model":"m","effort":"high","run_in_background":true,"name":"n","team_name":"t","mode":"plan","isolation":"worktree"}"#,
    ),
    ("TodoWrite", r#"{"todos":[{"content":"c","status":"pending","activeForm":"a"}]}"#),
    ("TaskCreate", r#"{"subject":"s","description":"d","activeForm":"a","metadata":{"k":1}}"#),
    (
        "TaskUpdate",
        r#"{"taskId":"1","subject":"s","description":"d","activeForm":"a","status":"deleted","addBlocks":["2"],"addBlockedBy":["3"],"owner":"o","metadata":null}"#,
    ),
    ("Monitor", r#"{"description":"d","timeout_ms":1000,"command":"tail -f x","ws":{"url":"w"}}"#),
    ("ExitPlanMode", r##"{"plan":"# plan","planFilePath":"/p.md"}"##),
];

/// The members that a typed input doesn't know, and the input written back.
fn unknown(input: &ToolInput<'_>) -> (usize, String) {
    macro_rules! each {
        ($($name:ident)*) => {
            match input {
                $(ToolInput::$name(input) => (input.extra.len(), input.to_json()),)*
                other => panic!("{other:?} has no type"),
            }
        };
    }
    each!(Bash PowerShell Write Edit Read NotebookEdit Glob Grep WebFetch WebSearch Agent TodoWrite TaskCreate TaskUpdate
        Monitor ExitPlanMode)
}

#[test]
fn every_documented_field_is_typed_and_written_back() {
    for (name, text) in INPUTS {
        let raw = Raw::parse(text).unwrap();
        assert_eq!(unknown(&ToolInput::parse(name, &raw)), (0, text.to_owned()), "{name}");
        let more = format!("{},\"new_field\":[1]}}", text.strip_suffix('}').unwrap());
        let raw = Raw::parse(&more).unwrap();
        assert_eq!(unknown(&ToolInput::parse(name, &raw)), (1, more.clone()), "{name}");
    }
}

#[test]
fn recorded_inputs_are_of_their_type() {
    let mut typed = 0;
    for (file, text) in recorded() {
        let event = Event::parse(&text).unwrap();
        let Some(tool) = event.tool() else { continue };
        if INPUTS.iter().any(|(name, _)| *name == tool.name) {
            let (unknown, _) = unknown(&tool.parsed());
            assert_eq!(unknown, 0, "{file}: {:?}", tool.input);
            typed += 1;
        }
    }
    assert!(typed > 40, "{typed}");
}

#[test]
fn fields_have_their_values() {
    let raw = Raw::parse(INPUTS[7].1).unwrap();
    let ToolInput::Grep(grep) = ToolInput::parse("Grep", &raw) else { panic!() };
    assert_eq!((grep.after, grep.before, grep.around, grep.context), (Some(1), Some(2), Some(3), Some(4)));
    assert_eq!((grep.line_numbers, grep.file_type.unwrap().as_str().as_ref()), (Some(true), "rust"));
    let raw = Raw::parse(INPUTS[5].1).unwrap();
    let ToolInput::NotebookEdit(edit) = ToolInput::parse("NotebookEdit", &raw) else { panic!() };
    assert_eq!(edit.edit_mode, Some(NotebookEditMode::Insert));
    let raw = Raw::parse(INPUTS[10].1).unwrap();
    let ToolInput::Agent(agent) = ToolInput::parse("Agent", &raw) else { panic!() };
    assert_eq!(agent.isolation, Some(Isolation::Worktree));
    let raw = Raw::parse(INPUTS[11].1).unwrap();
    let ToolInput::TodoWrite(list) = ToolInput::parse("TodoWrite", &raw) else { panic!() };
    assert_eq!(list.todos.unwrap()[0].active_form.as_ref().unwrap(), "a");
}

#[test]
fn old_names_are_the_same_tools() {
    let raw = Raw::parse(r#"{"subagent_type":"planner"}"#).unwrap();
    assert!(
        matches!(ToolInput::parse("Task", &raw), ToolInput::Agent(agent) if agent.subagent_type.as_ref().unwrap() == "planner")
    );
    let raw = Raw::parse(r#"{"file_path":"/a","edits":[{"old_string":"o","new_string":"n"}]}"#).unwrap();
    let ToolInput::Edit(edit) = ToolInput::parse("MultiEdit", &raw) else { panic!() };
    assert_eq!(edit.edits.unwrap()[0].new_string.as_ref().unwrap(), "n");
}

#[test]
fn odd_inputs_are_kept_raw() {
    for text in ["null", "5", "\"x\"", "[]"] {
        let raw = Raw::parse(text).unwrap();
        assert_eq!(ToolInput::parse("Bash", &raw), ToolInput::Other(raw.clone()));
    }
    let raw = Raw::parse(r#"{"command":5,"timeout":"1000"}"#).unwrap();
    let ToolInput::Bash(bash) = ToolInput::parse("Bash", &raw) else { panic!() };
    assert_eq!((&bash.command, bash.timeout, bash.extra.len()), (&None, None, 2));
    let raw = Raw::parse(r#"{"anything":1}"#).unwrap();
    assert_eq!(ToolInput::parse("FutureTool", &raw), ToolInput::Other(raw.clone()));
    let ToolInput::Mcp { server, tool, input } = ToolInput::parse("mcp__db__query", &raw) else { panic!() };
    assert_eq!((&*server, &*tool, input.len()), ("db", "query", 1));
}

fn event(tool: &str, input: &str) -> String {
    format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{input}}}"#)
}

#[test]
fn the_touched_file_is_found_under_every_name() {
    for (tool, input, path) in [
        ("Read", r#"{"file_path":"/a\u002eb"}"#, Some("/a.b")),
        ("Write", r#"{"content":"x","file_path":"/a"}"#, Some("/a")),
        ("Edit", r#"{"file_path":"/a"}"#, Some("/a")),
        ("MultiEdit", r#"{"file_path":"/a","edits":[]}"#, Some("/a")),
        ("NotebookEdit", r#"{"notebook_path":"/n.ipynb"}"#, Some("/n.ipynb")),
        ("mcp__spf__spf_read", r#"{"path":"/a"}"#, Some("/a")),
        ("mcp__spf-smart-gate__spf_write", r#"{"file_path":"/a","content":""}"#, Some("/a")),
        ("mcp__spf__spf_notebook_edit", r#"{"path":"/n"}"#, Some("/n")),
        ("Read", r#"{"file_path":5}"#, None),
        ("Read", "null", None),
        ("Glob", r#"{"path":"/a"}"#, None),
        ("Bash", r#"{"file_path":"/a"}"#, None),
        ("mcp__db__write", r#"{"path":"/a"}"#, None),
    ] {
        let text = event(tool, input);
        let event = Event::parse(&text).unwrap();
        assert_eq!(event.tool().unwrap().touched_path().as_deref(), path, "{tool} {input}");
    }
}

#[test]
fn the_shell_text_is_found_under_every_name() {
    for (tool, command) in [
        ("Bash", Some("ls")),
        ("PowerShell", Some("ls")),
        ("Monitor", Some("ls")),
        ("mcp__spf__spf_bash", Some("ls")),
        ("Agent", None),
        ("mcp__db__bash", None),
    ] {
        let text = event(tool, r#"{"command":"ls"}"#);
        let event = Event::parse(&text).unwrap();
        assert_eq!(event.tool().unwrap().command().as_deref(), command, "{tool}");
    }
    let text = event("mcp__spf__spf_bash", r#"{"command":"ls"}"#);
    let event = Event::parse(&text).unwrap();
    let tool = event.tool().unwrap();
    assert!(matches!(tool.parsed(), ToolInput::Mcp { .. }));
    assert!(matches!(tool.parsed_as_native(), ToolInput::Bash(bash) if bash.command.as_ref().unwrap() == "ls"));
    assert_eq!(tool.mcp().unwrap().server, "spf");
}

#[test]
fn a_command_with_escapes_is_decoded_once() {
    let text = event("Bash", r#"{"command":"echo a\necho b","description":"two\tlines"}"#);
    let event = Event::parse(&text).unwrap();
    let ask = || event.tool().unwrap().command().unwrap();
    assert_eq!(ask(), "echo a\necho b");
    assert_eq!(ask().as_ptr(), ask().as_ptr());
    assert_eq!(event.clone().tool().unwrap().command().unwrap(), "echo a\necho b");
    let other = Raw::parse(r#"{"command":"echo a\necho b","description":"two\tlines"}"#).unwrap();
    assert_eq!(*event.tool().unwrap().input, other, "what was asked for is no part of the value");
}

/// What tells two calls of a tool apart: all of the input but what only describes a command, whatever the order of members.
#[test]
fn calls_are_the_same_by_all_that_they_do() {
    let identity = |tool: &str, input: &str| {
        let text = event(tool, input);
        let event = Event::parse(&text).unwrap();
        event.tool().unwrap().identity()
    };
    for (tool, one, other, same) in [
        ("Bash", r#"{"command":"ls"}"#, r#"{"description":"List","timeout":9,"command":"ls"}"#, true),
        ("Bash", r#"{"command":"ls"}"#, r#"{"command":"ls "}"#, false),
        ("Bash", r#"{"command":"ls"}"#, r#"{"command":"ls","run_in_background":true}"#, false),
        ("Bash", r#"{"command":"ls"}"#, r#"{"command":"ls","dangerouslyDisableSandbox":true}"#, false),
        ("Bash", r#"{"command":"ls"}"#, r#"{"command":"rm","command":"ls"}"#, false),
        ("Write", r#"{"file_path":"/a","content":"b"}"#, r#"{"content":"b","file_path":"/a"}"#, true),
        ("Write", r#"{"file_path":"/a","content":"b"}"#, r#"{"file_path":"/b","content":"a"}"#, false),
        ("Write", r#"{"file_path":"/a"}"#, r#"{"file_path":"/a","description":"x"}"#, false),
        ("mcp__db__run", r#"{"description":"a"}"#, r#"{"description":"b"}"#, false),
    ] {
        assert_eq!(identity(tool, one) == identity(tool, other), same, "{tool}: {one} and {other}");
    }
    assert!(identity("Bash", "null").is_none());
}
