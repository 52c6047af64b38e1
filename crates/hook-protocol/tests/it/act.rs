//! What calls do by the shape of their input.

use hook_protocol::act::{Change, is_patch, patch};
use hook_protocol::event::{Event, EventName};
use proptest::prelude::*;

#[test]
fn patches_say_what_happens_to_which_file() {
    let text = "*** Begin Patch\n*** Add File: new.txt\n+fresh\n*** Update File: old.txt\n*** Move to: moved.txt\n@@\n-x\n+z\n\
                *** Delete File: gone.txt\n*** End Patch\n";
    for text in [text.to_owned(), text.replace('\n', "\r\n")] {
        let read = patch(&text);
        let files: Vec<_> =
            read.files.iter().map(|file| (file.path.as_str(), file.change, file.moved_to.as_deref())).collect();
        let moved = ("old.txt", Change::Update, Some("moved.txt"));
        assert_eq!(files, [("new.txt", Change::Add, None), moved, ("gone.txt", Change::Delete, None)]);
        assert!(read.whole);
    }
    let git = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\ndiff --git a/d b/d\ndeleted file mode 100644\n\
               --- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n";
    let read = patch(git);
    let files: Vec<_> =
        read.files.iter().map(|file| (file.path.as_str(), file.change, file.moved_to.as_deref())).collect();
    assert_eq!(files, [("x", Change::Update, Some("y")), ("d", Change::Delete, None), ("n", Change::Add, None)]);
    assert!(!is_patch("# Title\n---\ntext\n"));
    assert!(!patch("*** Begin Patch\n*** Update File: a\n").whole);
}

proptest! {
    /// No input makes the reader of shapes or of patches panic.
    #[test]
    fn shapes_are_read_whatever_they_are(
        tool in "[a-zA-Z_]{0,16}",
        keys in prop::collection::vec("(command|commands|cmd|path|file_path|content|edits|patch|input|cwd|args|url|code)", 0..6),
        values in prop::collection::vec("\\PC{0,24}|(\\*\\*\\* |--- |\\+\\+\\+ |\\[|\\{|\"|\\\\|%2|file://|\n|\r){0,12}", 6),
        lists in prop::collection::vec(any::<bool>(), 6),
    ) {
        let mut input = serde_json::Map::new();
        for ((key, value), list) in keys.iter().zip(&values).zip(&lists) {
            let value = serde_json::json!(value);
            input.insert(key.clone(), if *list { serde_json::json!([value, {"path": value}]) } else { value });
        }
        for input in [serde_json::json!(input), serde_json::json!(values[0]), serde_json::json!(values)] {
            let payload = serde_json::json!({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input}).to_string();
            let event = Event::parse_any(&payload, "").unwrap();
            prop_assert_eq!(event.name(), EventName::PreToolUse);
            let tool = event.tool().unwrap();
            let _ = (tool.acts(), tool.unreadable(), tool.written_content());
        }
    }
}
