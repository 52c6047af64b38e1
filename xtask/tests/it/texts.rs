//! What every file owes its reader: a first sentence, no unfinished marks, no names of machines.

use std::path::Path;

use crate::source::{File, files, no_problems, root, rust, words};

#[test]
fn every_module_opens_with_what_lives_there() {
    let bare = |file: &&File| {
        let extension = Path::new(&file.path).extension();
        extension.is_some_and(|extension| extension == "rs")
            && !file.path.contains("/tests/data/")
            && !opens_well(&file.text)
    };
    let files = files("");
    let problems: Vec<String> = files.iter().filter(bare).map(|file| file.path.clone()).collect();
    no_problems(&problems, "Begin the file with `//! ` and one sentence on what lives there.");
    assert!(opens_well("//! A sentence.\n") && !opens_well("use a;\n//! Late.\n") && !opens_well("//!\nuse a;"));
}

fn opens_well(text: &str) -> bool {
    text.strip_prefix("//! ").is_some_and(|rest| rest.lines().next().is_some_and(|line| line.trim().len() > 3))
}

/// Marks of unfinished work, put together here so that this file has none.
const MARKS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("HA", "CK")];

fn unfinished(path: &str, code: &str, prose: &str) -> Vec<String> {
    let macros = [concat!("to", "do!"), concat!("unimple", "mented!")];
    let in_code = macros.iter().filter(|name| code.contains(**name));
    // In backticks a mark is spoken of, not made.
    let outside: String = prose.split('`').step_by(2).collect();
    let in_prose = MARKS.iter().filter(|mark| words(&outside, mark).next().is_some());
    in_code.chain(in_prose).map(|mark| format!("{path}: {mark}")).collect()
}

#[test]
fn nothing_is_left_for_later() {
    let mut problems: Vec<String> =
        rust().iter().flat_map(|file| unfinished(&file.path, &file.code, &file.comments)).collect();
    let prose = files("").into_iter().filter(|file| {
        let extension = Path::new(&file.path).extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("md")) && !file.path.contains("/tests/")
    });
    problems.extend(prose.flat_map(|file| unfinished(&file.path, "", &file.text)));
    no_problems(&problems, "Do it now, or say as a limit in the documentation what is not done.");
    let mark = MARKS[0];
    assert_eq!(unfinished("a", "", &format!("// {mark}: b")).len(), 1);
    assert!(unfinished("a", "", &format!("// counts `{mark}` marks; {mark}Write")).is_empty());
}

/// Names that mean something on one machine only.
const MACHINE: &[&str] =
    &[concat!("/wo", "rk/"), concat!("../sha", "red"), concat!("/tmp/br", "ief"), concat!("CARGO_TARGET_DIR=/", "tmp")];

fn names_of_machines(file: &File) -> Vec<String> {
    // `/network/…` is another path, and so is `/home/user/work/`.
    let is_absolute = |at: usize| {
        !file.text[..at]
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '~' | '}' | '*'))
    };
    let found = MACHINE.iter().filter(|name| file.text.match_indices(**name).any(|(at, _)| is_absolute(at)));
    found.map(|name| format!("{}: {name}", file.path)).collect()
}

#[test]
fn nothing_depends_on_one_machine() {
    let problems: Vec<String> = files("").iter().flat_map(names_of_machines).collect();
    no_problems(
        &problems,
        "Use a path inside the repository, a temporary directory, or `/home/user/project` in examples.",
    );
    let file = |text: &str| File { path: "a".into(), text: text.into() };
    assert_eq!(names_of_machines(&file(concat!("path = \"/wo", "rk/main\""))).len(), 1);
    assert!(names_of_machines(&file(concat!("/home/user/wo", "rk/main, net/wo", "rk"))).is_empty());
}

#[test]
fn the_readme_begins_with_the_two_commands() {
    let readme = files("").into_iter().find(|file| file.path == "README.md");
    let readme = readme.expect("README.md is missing; it begins with what hookbin is and the two commands").text;
    let begin: String = readme.lines().take(40).collect::<Vec<_>>().join("\n");
    for command in ["cargo xtask install --project", "cargo xtask ci"] {
        assert!(begin.contains(command), "show `{command} …` within the first 40 lines of README.md");
    }
    for file in ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"] {
        assert!(root().join(file).is_file(), "{file} is missing");
    }
    let bare = std::fs::read_dir(root().join("crates"))
        .unwrap()
        .flatten()
        .filter(|krate| !krate.path().join("README.md").is_file());
    let problems: Vec<String> = bare.map(|krate| format!("crates/{}", krate.file_name().display())).collect();
    no_problems(&problems, "Write the README.md of the crate: the library's documentation cut short.");
}

/// The blocks of Rust in a document, each as one text.
fn rust_blocks(text: &str) -> Vec<&str> {
    let blocks = text.split("```rust").skip(1).filter_map(|rest| rest.split_once('\n'));
    blocks.filter_map(|(_, rest)| rest.split_once("```")).map(|(block, _)| block).collect()
}

#[test]
fn rust_in_the_guides_is_compiled_in_a_readme() {
    let read = |file: &File| rust_blocks(&file.text).into_iter().map(str::to_owned).collect::<Vec<_>>();
    let compiled: Vec<String> =
        files("crates").iter().filter(|file| file.path.ends_with("/README.md")).flat_map(read).collect();
    let guides: Vec<File> = files("docs/guide");
    let shown: usize = guides.iter().map(|file| rust_blocks(&file.text).len()).sum();
    let differs = |file: &&File| rust_blocks(&file.text).iter().any(|block| !compiled.iter().any(|it| it == block));
    let problems: Vec<String> = guides.iter().filter(differs).map(|file| file.path.clone()).collect();
    no_problems(
        &problems,
        "Show an example of a crate's README word for word; those are compiled as tests of the crate.",
    );
    assert!(shown > 0, "no guide shows Rust");
    assert_eq!(rust_blocks("a\n```rust,no_run\nx;\n```\n```sh\ny\n```\n"), ["x;\n"]);
}

/// The tests that `SECURITY.md` names in its tables, as `module::function`.
fn named_tests(text: &str) -> Vec<&str> {
    let rows = text.lines().filter(|line| line.starts_with("| "));
    rows.flat_map(|line| line.split('`').skip(1).step_by(2)).filter(|name| name.contains("::")).collect()
}

#[test]
fn the_tests_that_the_threat_model_names_are_there() {
    let security = std::fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let names = named_tests(&security);
    let is_there = |name: &&str| {
        let (modules, function) = name.rsplit_once("::").unwrap();
        let module = modules.rsplit("::").next().unwrap();
        let places = [format!("/{module}.rs"), format!("/{module}/mod.rs")];
        let mut files = rust().iter().filter(|file| places.iter().any(|place| file.path.ends_with(place)));
        files.any(|file| file.path.contains("/tests/") && file.code.contains(&format!("fn {function}(")))
    };
    let missing: Vec<String> = names.iter().filter(|name| !is_there(name)).map(|name| (*name).to_owned()).collect();
    no_problems(&missing, "Name the test that pins the row, or write it.");
    assert!(names.len() > 20, "only {} names were seen", names.len());
    assert_eq!(named_tests("text `a::b`\n| row | `c::d`, `e` |"), ["c::d"]);
}
