//! Transcript lines.

use hook_protocol::raw::Text;
use hook_protocol::transcript::{Block, LastUsage, Line, LineKind, Usage, last_assistant_text, last_usage};

/// A short session in the host's own format: prompt, thinking, text, tool call and result, a subagent's line, an API
/// error, a cut-off last line.
const SESSION: &str = include_str!("../data/transcript.jsonl");

fn usage(input: u64, output: u64, created: u64, read: u64) -> Usage {
    Usage {
        input_tokens: input,
        output_tokens: output,
        cache_creation_input_tokens: created,
        cache_read_input_tokens: read,
    }
}

#[test]
fn lines_are_typed() {
    let lines: Vec<_> = SESSION.lines().map(Line::parse).collect();
    let kinds: Vec<_> = lines.iter().flatten().filter_map(|line| line.kind.as_ref()).map(LineKind::as_str).collect();
    assert_eq!(
        kinds,
        ["file-history-snapshot", "user", "assistant", "assistant", "assistant", "user", "assistant", "assistant"]
    );
    assert!(lines.last().unwrap().is_err());
    for (text, line) in SESSION.lines().zip(&lines) {
        if let Ok(line) = line {
            assert!(crate::lenient::same_document(text, &line.to_json()), "{text}\n{}", line.to_json());
        }
    }
    let prompt = lines[1].as_ref().unwrap();
    assert_eq!(prompt.git_branch.as_ref().unwrap(), "main");
    assert_eq!(prompt.message().unwrap().text().unwrap(), "look at a.txt");
}

#[test]
fn blocks_are_typed() {
    let blocks = |index: usize| -> Vec<Block<'static>> {
        let line = Line::parse(SESSION.lines().nth(index).unwrap()).unwrap();
        let message = line.message().unwrap();
        message
            .blocks()
            .into_iter()
            .map(|block| match block {
                Block::Text(text) => Block::Text(text.into_owned()),
                Block::Thinking(text) => Block::Thinking(text.into_owned()),
                Block::ToolUse { id, name, input } => {
                    Block::ToolUse { id: id.into_owned(), name: name.into_owned(), input: input.into_owned() }
                }
                Block::ToolResult { tool_use_id, content, is_error } => {
                    Block::ToolResult { tool_use_id: tool_use_id.into_owned(), content: content.into_owned(), is_error }
                }
                other => panic!("{other:?}"),
            })
            .collect()
    };
    assert_eq!(blocks(2), [Block::Thinking(Text::from("a file"))]);
    assert_eq!(blocks(3), [Block::Text(Text::from("I read it.")), Block::Text(Text::from("Now."))]);
    let [Block::ToolUse { id, name, input }] = &blocks(4)[..] else { panic!() };
    assert_eq!((id, name), (&Text::from("toolu_1"), &Text::from("Read")));
    assert_eq!(input.get("file_path").unwrap().as_str().unwrap(), "/home/user/project/a.txt");
    let [Block::ToolResult { tool_use_id, content, is_error: true }] = &blocks(5)[..] else { panic!() };
    assert_eq!((tool_use_id, content.as_str().unwrap().as_ref()), (&Text::from("toolu_1"), "no such file"));
    let odd = Line::parse(r#"{"message":{"content":[{"type":"text"},{"type":"image"},7]}}"#).unwrap();
    assert!(odd.message().unwrap().blocks().iter().all(|block| matches!(block, Block::Other(_))));
    assert_eq!(odd.message().unwrap().text(), None);
}

fn found(usage: Usage, model: &str) -> LastUsage {
    LastUsage::Found { usage, model: Some(model.to_owned()) }
}

/// The subagent's line (1,000,000 tokens) and the made-up API error behind it don't count.
#[test]
fn the_last_usage_is_the_main_conversations() {
    assert_eq!(last_usage(SESSION.lines().rev()), found(usage(4, 30, 1_000, 20_000), "claude-sonnet-4-5"));
    // 4 + 1,000 + 20,000, without the output.
    assert_eq!(usage(4, 30, 1_000, 20_000).context_tokens(), 21_004);
    assert_eq!(last_usage(SESSION.lines().take(2)), LastUsage::NotFound);
    assert_eq!(usage(u64::MAX, 0, 1, 1).context_tokens(), u64::MAX);
}

#[test]
fn a_compaction_makes_the_usage_unknown_until_the_next_answer() {
    for boundary in [
        r#"{"type":"system","subtype":"compact_boundary","isSidechain":false}"#,
        r#"{"type":"user","isCompactSummary":true,"message":{"role":"user","content":"summary"}}"#,
    ] {
        let answer = r#"{"type":"assistant","message":{"model":"m","usage":{"input_tokens":7}}}"#;
        let mut lines: Vec<_> = SESSION.lines().chain([boundary]).collect();
        assert_eq!(last_usage(lines.iter().rev()), LastUsage::Compacted);
        lines.push(answer);
        assert_eq!(last_usage(lines.iter().rev()), found(usage(7, 0, 0, 0), "m"));
    }
    // Other notes of the host are no boundary.
    let note = r#"{"type":"system","subtype":"stop_hook_summary"}"#;
    assert!(matches!(last_usage(SESSION.lines().chain([note]).rev()), LastUsage::Found { .. }));
}

#[test]
fn the_last_text_is_the_main_conversations() {
    assert_eq!(last_assistant_text(SESSION.lines().rev()).unwrap(), "I read it.\nNow.");
    assert_eq!(last_assistant_text(SESSION.lines().take(3)), None);
    // Lines may be owned as well, as a reader gives them.
    assert!(last_assistant_text(SESSION.lines().rev().map(String::from)).is_some());
}

#[test]
fn damaged_lines_are_skipped() {
    let lines = [
        "", "nonsense", "[1]", "{\"type\":\"assistant\"", r#"{"type":5,"message":"x"}"#,
        r#"{"type":"assistant","message":5}"#,
    ];
    assert_eq!(last_usage(lines), LastUsage::NotFound);
    assert_eq!(last_assistant_text(lines), None);
}
