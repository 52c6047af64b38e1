//! Text, the tree it is read into and what is reported as unread, from `tests/data/syntax`; and whether bash agrees that it is a script.

use std::path::PathBuf;

use hook_shell::syntax::parse;
use serde::Deserialize;

use super::{bash, notation, spans};

#[derive(Deserialize)]
struct Table {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    text: String,
    tree: String,
    /// What is reported: the reason, a space, and the text of the place.
    #[serde(default)]
    unread: Vec<String>,
    /// Whether bash accepts the text; without it, bash has to accept what we read in full, and nothing else.
    bash: Option<bool>,
    /// Why bash and we disagree.
    why: Option<String>,
}

fn cases() -> Vec<(String, Case)> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/syntax");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let table: Table = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        all.extend(table.case.into_iter().map(|case| (name.clone(), case)));
    }
    assert!(all.len() >= 150, "{} cases", all.len());
    all
}

#[test]
fn the_tree_is_the_one_of_the_table() {
    let mut failures = String::new();
    for (file, case) in cases() {
        let script = parse(&case.text);
        let tree = notation::tree(&script);
        let unread: Vec<_> = script.unread.iter().map(|unread| notation::unread(&case.text, unread)).collect();
        if tree != case.tree || unread != case.unread {
            failures.push_str(&format!(
                "{file}: {:?}\n  expected {} {:?}\n  found    {tree} {unread:?}\n",
                case.text, case.tree, case.unread
            ));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn bash_accepts_what_is_read_in_full_and_refuses_the_rest() {
    if bash::is_missing("the table") {
        return;
    }
    for (file, case) in cases() {
        // Bash drops a NUL before it looks at the text.
        if case.text.contains('\0') {
            continue;
        }
        let expected = case.bash.unwrap_or(case.unread.is_empty());
        assert_eq!(bash::accepts(&case.text), expected, "{file}: bash on {:?} ({:?})", case.text, case.why);
        let differs = expected != case.unread.is_empty();
        assert_eq!(differs, case.why.is_some(), "{file}: {:?} says why exactly where bash differs", case.text);
    }
}

#[test]
fn every_text_of_the_table_obeys_the_laws_of_spans() {
    for (_, case) in cases() {
        spans::check(&case.text, &parse(&case.text));
    }
}
