//! Daily work of some seventy kinds of project, written from memory by people who did not know the rules: nothing of it is disturbed.

use std::path::Path;

use crate::guard::{Here, verdict_at};

#[test]
fn daily_work_is_not_disturbed() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/daily");
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
    let several = read("several_lines.md");
    let blocks = several.split("\n```sh\n").skip(1);
    let mut lines: Vec<String> = blocks.map(|block| block.split_once("\n```").unwrap().0.to_owned()).collect();
    for name in ["applications.txt", "everything_else.txt"] {
        let text = read(name);
        lines.extend(text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned));
    }
    assert!(lines.len() > 1500);
    let stopped: Vec<&String> = lines.iter().filter(|line| verdict_at(line, &Here).is_some()).collect();
    assert!(stopped.is_empty(), "{} of {}: {stopped:#?}", stopped.len(), lines.len());
}
