//! There is one reader of options: what walks argument vectors by their dashes stands in one file.

use crate::source::{no_problems, rust};

/// The reader.
const READER: &str = "crates/shell/src/options.rs";

/// Files in which a word is asked for its dash all the same, how often at most, and why.
const ALLOWED: &[(&str, usize, &str)] = &[
    ("crates/policy/src/check/discipline/worktree.rs", 1, ONE),
    ("crates/policy/src/check/sane/command.rs", 1, TEXT),
    ("crates/policy/src/handoff/plain.rs", 2, TEXT),
    ("crates/policy/src/rule/advice.rs", 5, "words of the caller's text, each put differently where it stands"),
    ("crates/shell/src/texts/query.rs", 1, CODE),
    ("crates/shell/src/resolve/action.rs", 2, ONE),
    ("crates/shell/src/resolve/agent.rs", 2, ONE),
    ("crates/shell/src/resolve/bounds.rs", 1, ONE),
    ("crates/shell/src/resolve/code/input.rs", 1, CODE),
    ("crates/shell/src/resolve/code/mod.rs", 2, CODE),
    ("crates/shell/src/resolve/find.rs", 1, "expressions of find"),
    ("crates/shell/src/resolve/change_dir.rs", 2, "numbers of the stack of directories"),
    ("crates/shell/src/resolve/history_and_locks.rs", 1, "the place of one option of `history`"),
    ("crates/shell/src/resolve/option_commands.rs", 6, LAUNCHED),
    ("crates/shell/src/resolve/code/powershell/act.rs", 1, "operators and parameters of PowerShell"),
    ("crates/shell/src/resolve/code/powershell/bind.rs", 1, "operators and parameters of PowerShell"),
    ("crates/shell/src/resolve/code/powershell/expression.rs", 1, "operators and parameters of PowerShell"),
    ("crates/shell/src/resolve/mentioned/mod.rs", 5, "words of programs that nobody knows, each on its own"),
    ("crates/shell/src/resolve/guard_files.rs", 1, ONE),
    ("crates/shell/src/resolve/program/files.rs", 4, "modes and rights of files"),
    ("crates/shell/src/resolve/program/git.rs", 1, ONE),
    ("crates/shell/src/resolve/program/git_index.rs", 1, "`--cacheinfo` of git takes one word or three"),
    ("crates/shell/src/resolve/program/guarded.rs", 1, ONE),
    ("crates/shell/src/resolve/program/mod.rs", 2, ONE),
    ("crates/shell/src/resolve/program/handed_out.rs", 3, "options of clients that are not known"),
    ("crates/shell/src/resolve/program/net.rs", 2, "commands of a batch, with marks before them"),
    ("crates/shell/src/resolve/program/process.rs", 8, "signals and groups of processes, ports of lsof"),
    ("crates/shell/src/resolve/program/write.rs", 1, CODE),
    ("crates/shell/src/resolve/unwrap.rs", 1, ONE),
    ("crates/shell/src/review/judge.rs", 2, ONE),
    ("crates/shell/src/review/option.rs", 7, "entries of the catalogue, and one word at a time against them"),
    ("crates/shell/src/review/words.rs", 1, ONE),
    ("crates/shell/src/syntax/brace.rs", 1, "negative numbers"),
];

const ONE: &str = "whether one word, already found, is an option";
const CODE: &str = "texts in code, which are no argument vector";
const TEXT: &str = "items of a list in prose";
const LAUNCHED: &str = "loops and operands of interpreters, signs of shells and of PowerShell, marks of recipes";

/// How often code asks a text for a dash at its beginning. Characters stay in the code, texts are blanks.
fn asks(code: &str) -> usize {
    let of = |ask: &str| {
        code.split(ask).skip(1).filter(|rest| rest.split(')').next().is_some_and(|what| what.contains("'-'"))).count()
    };
    ["starts_with(", "strip_prefix(", "trim_start_matches("].into_iter().map(of).sum()
}

fn problems<'r>(files: impl Iterator<Item = (&'r str, &'r str)>) -> Vec<String> {
    files
        .filter_map(|(path, code)| {
            let most = ALLOWED.iter().find(|(file, ..)| *file == path).map_or(0, |(_, most, _)| *most);
            let found = asks(code);
            (found != most).then(|| format!("{path}: a word is asked for its dash {found} times, not {most}"))
        })
        .collect()
}

#[test]
fn one_reader_walks_options() {
    let read = |path: &str| path.starts_with("crates/shell/src/") || path.starts_with("crates/policy/src/");
    let files = rust().iter().filter(|rust| read(&rust.path) && rust.path != READER);
    let found = problems(files.map(|rust| (rust.path.as_str(), rust.shipped_code())));
    no_problems(
        &found,
        "Read options by `hook_shell::options`; a language of its own stands in `ALLOWED`, with its reason.",
    );
    assert!(ALLOWED.iter().all(|(file, ..)| rust().iter().any(|rust| rust.path == *file)), "a file that is no more");
}

#[test]
fn a_hand_written_reader_is_found() {
    let walks =
        "for arg in args { if arg.starts_with(['-', '+']) { n += 1; } else if let Some(x) = arg.strip_prefix('-') {} }";
    assert_eq!(problems([("crates/shell/src/new.rs", walks)].into_iter()).len(), 1);
    assert_eq!(asks(walks), 2);
    assert_eq!(asks("arg.starts_with('/'); c == '-'; Some('-')"), 0);
}
