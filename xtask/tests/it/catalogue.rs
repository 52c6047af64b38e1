//! Programs are told apart by their rows: no code outside the catalogue compares a program's name with a literal.

use std::collections::BTreeSet;

use crate::source::{files, no_problems};

/// The catalogue.
const CATALOGUE: &str = "crates/shell/src/programs/";

/// Names by which code calls the name of a program.
const VARIABLES: &[&str] = &["name", "program", "stem", "head"];

/// Files that spell a name all the same, and why. Rules name the programs that they are about; languages have their own functions.
const ALLOWED: &[(&str, &[&str], &str)] = &[
    ("crates/policy/src/check/sane/tools.rs", &["local"], "the name of a scope"),
    ("crates/policy/src/check/suite.rs", &["jest", "phpunit", "pytest", "vitest"], "runners that it starts itself"),
    ("crates/policy/src/handoff/gate.rs", &["pytest"], "what an exit code of its own runner says"),
    ("crates/policy/src/profile/recover.rs", &["false", "true"], "values of settings"),
    ("crates/policy/src/rule/domain/", &[], "tables of rules"),
    ("crates/shell/src/texts/query.rs", &["truncate"], "a statement of SQL"),
    ("crates/policy/src/template.rs", &["file", "source"], "fields of a template"),
    ("crates/shell/src/resolve/assign.rs", &[".", "declare", "env", "eval", "export", "source", "typeset"], SYNTAX),
    ("crates/shell/src/resolve/code/", &[], "functions of languages"),
    ("crates/shell/src/resolve/container.rs", &["source"], "a key of a mount"),
    ("crates/shell/src/resolve/git_config.rs", &["cmd", "command", "diff"], "sections and names of git's settings"),
    ("crates/shell/src/resolve/program/files.rs", &[".", "daemon"], "a directory, and the name of an account"),
    ("crates/shell/src/resolve/run.rs", &["declare", "export", "local", "readonly", "typeset"], SYNTAX),
];

const SYNTAX: &str = "a word of the shell's own, whose arguments are assignments";

/// The names in the rows of the catalogue.
fn known() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in files(CATALOGUE) {
        for list in file.text.split("row(&[").skip(1) {
            found.extend(literals(list.split(']').next().unwrap_or_default()));
        }
    }
    found
}

/// The texts between quotes.
fn literals(code: &str) -> impl Iterator<Item = String> {
    code.split('"').skip(1).step_by(2).map(str::to_owned)
}

/// What stands up to the bracket that closes the one before it.
fn inside(code: &str) -> &str {
    let (mut depth, mut text) = (1, false);
    for (at, c) in code.char_indices() {
        match c {
            '"' => text = !text,
            '(' | '{' | '[' if !text => depth += 1,
            ')' | '}' | ']' if !text => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &code[..at];
        }
    }
    code
}

/// The patterns of a `match`, without what its arms do.
fn patterns(body: &str) -> String {
    let mut out = String::new();
    let mut rest = body;
    while let Some((pattern, after)) = rest.split_once("=>") {
        out.push_str(pattern);
        let after = after.trim_start();
        rest = if let Some(block) = after.strip_prefix('{') {
            block.get(inside(block).len() + 1..).unwrap_or_default()
        } else {
            let (mut depth, mut text) = (0, false);
            let end = after.char_indices().find(|(_, c)| {
                match c {
                    '"' => text = !text,
                    '(' | '{' | '[' if !text => depth += 1,
                    ')' | '}' | ']' if !text => depth -= 1,
                    _ => {}
                }
                *c == ',' && depth == 0 && !text
            });
            end.map_or("", |(at, _)| &after[at + 1..])
        };
    }
    out
}

/// The literals with which the code compares a name.
fn compared(code: &str) -> Vec<String> {
    let kept: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = kept.join("\n");
    let mut found = Vec::new();
    for name in VARIABLES.iter().flat_map(|name| [(*name).to_owned(), format!("{name}.as_str()")]) {
        let ends = |before: &str| {
            before.ends_with(&name)
                && !before[..before.len() - name.len()].ends_with(|c: char| c.is_alphanumeric() || c == '_')
        };
        for (open, close) in [("matches!(", ","), ("match ", " {")] {
            for (at, _) in code.match_indices(&format!("{name}{close}")) {
                let before = &code[..at + name.len()];
                let begun = before.rfind(open).map(|at| &before[at + open.len()..]);
                if begun.is_some_and(|subject| {
                    subject == name || subject.ends_with(&format!(".{name}")) && !subject.contains([' ', '\n'])
                }) {
                    let body = inside(&code[at + name.len() + close.len()..]);
                    found.extend(literals(&if open == "match " { patterns(body) } else { body.to_owned() }));
                }
            }
        }
        for sign in [" == \"", " != \""] {
            for (at, _) in code.match_indices(sign).filter(|(at, _)| ends(&code[..*at])) {
                found.extend(code[at + sign.len()..].split('"').next().map(str::to_owned));
            }
        }
    }
    found
}

#[test]
fn programs_are_told_apart_by_their_rows() {
    let known = known();
    assert!(known.len() > 500 && known.contains("git"), "the names of the catalogue are read");
    let mut problems = Vec::new();
    for file in ["crates/shell/src", "crates/policy/src"].into_iter().flat_map(files) {
        if file.path.starts_with(CATALOGUE) {
            continue;
        }
        let allowed = ALLOWED.iter().find(|(path, ..)| file.path.starts_with(path)).map(|(_, names, _)| *names);
        for name in compared(&file.text) {
            if known.contains(&name) && !allowed.is_some_and(|names| names.is_empty() || names.contains(&name.as_str()))
            {
                problems.push(format!("{}: a program is compared with `{name}`", file.path));
            }
        }
    }
    no_problems(&problems, "Match on `Tool` or a trait of the program's row; see `hook_shell::programs`.");
}

#[test]
fn a_spelled_name_is_found() {
    for code in [
        "match run.program.as_str() {\n    \"git\" | \"hg\" => { a(\"x\") }\n    _ => b(),\n}",
        "if matches!(name, \"git\" | \"hg\") {}",
        "let x = stem == \"git\" || head != \"hg\";",
    ] {
        assert_eq!(compared(code), ["git", "hg"], "{code}");
    }
    for code in [
        "match verb {\n    \"git\" => 1,\n}", "match name {\n    _ => \"git\",\n}", "filename == \"git\"",
        "name(\"git\")",
    ] {
        assert!(compared(code).is_empty(), "{code}");
    }
}
