//! Who may spell wire names and clients, print, write files, end the process and be unsafe.

use crate::source::{Rust, files, line_of, no_problems, rust, words};

/// Wire names in camel case, which nothing else is called.
const WIRE_NAMES: &[&str] = &[
    "hookSpecificOutput", "hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput",
    "updatedToolOutput", "additionalContext", "suppressOutput", "stopReason", "updatedPermissions",
    "initialUserMessage",
];

/// Wire names that are ordinary Rust names as well; only a literal that is the key itself spells the wire.
const WIRE_KEYS: &[&str] = &["hook_event_name", "stop_hook_active", "transcript_path"];

fn spells_wire_names(file: &Rust) -> Vec<String> {
    let code = file.shipped_code();
    let mut found = Vec::new();
    let mut say = |line: usize, name: &str| found.push(format!("{}:{line}: `{name}`", file.path));
    for name in WIRE_NAMES {
        words(code, name).for_each(|at| say(line_of(code, at), name));
        file.shipped_strings()
            .filter(|(_, text)| words(text, name).next().is_some())
            .for_each(|(line, _)| say(line, name));
    }
    for name in WIRE_KEYS {
        let is_key = |text: &str| {
            text == *name || text.contains(&format!("\"{name}\"")) || text.contains(&format!("\\\"{name}\\\""))
        };
        file.shipped_strings().filter(|(_, text)| is_key(text)).for_each(|(line, _)| say(line, name));
    }
    found
}

#[test]
fn only_hook_protocol_spells_wire_names() {
    let sources = rust();
    let elsewhere = |file: &&Rust| file.is_product() && !file.path.starts_with("crates/hook-protocol/");
    let problems: Vec<String> = sources.iter().filter(elsewhere).flat_map(spells_wire_names).collect();
    no_problems(&problems, "Use the event's field or the reply type of hook-protocol; add it there if it is missing.");

    let inside = sources.iter().filter(|file| file.path.starts_with("crates/hook-protocol/src"));
    assert!(inside.flat_map(spells_wire_names).next().is_some(), "the check does not see hook-protocol's own names");
    let text = "//! updatedInput\nlet transcript_path = \"the transcript_path is long\";\nlet b = \"{\\\"transcript_path\\\":1}\";\n\
                #[serde(rename = \"updatedInput\")]\nstruct A { stopReason: u8 }\n#[cfg(test)]\nmod tests { \"updatedInput\" }";
    assert_eq!(spells_wire_names(&Rust::new("a.rs", text)).len(), 3);
}

/// Agents, this project and its tools, in small letters. Agents whose names are other words as well (`q`, `amp`, `goose`) are left out,
/// and so are vendors: their keys are secrets like those of any service.
const CLIENTS: &[&str] =
    &["claude", "codex", "gemini", "qwen", "copilot", "aider", "kiro", "cursor-agent", "opencode", "hookbin", "spf_"];

/// The one place of hook-shell that spells them: agents as programs that a command starts.
const AGENTS: &str = "crates/shell/src/programs/agents.rs";

fn spells_clients(file: &Rust) -> Vec<String> {
    let code = file.shipped_code().to_ascii_lowercase();
    let mut found = Vec::new();
    for name in CLIENTS {
        let in_code = code.match_indices(name).map(|(at, _)| line_of(&code, at));
        let strings = file.shipped_strings().filter(|(_, text)| text.to_ascii_lowercase().contains(name));
        let lines = in_code.chain(strings.map(|(line, _)| line));
        found.extend(lines.map(|line| format!("{}:{line}: `{name}`", file.path)));
    }
    found
}

#[test]
fn hook_shell_knows_no_client() {
    let sources = rust();
    let (agents, others): (Vec<&Rust>, Vec<&Rust>) =
        sources.iter().filter(|file| file.path.starts_with("crates/shell/src/")).partition(|file| file.path == AGENTS);
    assert!(others.len() > 10, "the check sees only {} files of hook-shell", others.len());
    let problems: Vec<String> = others.into_iter().flat_map(spells_clients).collect();
    no_problems(
        &problems,
        "What a guard or its client owns goes in by hook_shell::layout::Layout (crates/hook-protocol/src/host/layout.rs). An agent as a \
         program that a command starts belongs into crates/shell/src/programs/agents.rs.",
    );
    assert!(agents.into_iter().flat_map(spells_clients).next().is_some(), "the check does not see {AGENTS}");

    let text = "//! hookbin\nfn claude_dir() -> &'static str { \".claude\" }\nconst V: &str = \"CODEX_HOME\"; // gemini\n\
                #[cfg(test)]\nmod tests { \"claude\" }";
    assert_eq!(spells_clients(&Rust::new("a.rs", text)).len(), 3);
}

/// What prints or takes hold of the standard streams.
const PRINTS: &[&str] =
    &["println!", "print!", "eprintln!", "eprint!", "dbg!", "io::stdout", "io::stderr", "rustix::stdio", "from_raw_fd"];

fn prints(file: &Rust) -> Vec<String> {
    calls(file, PRINTS)
}

/// Where the shipped code has one of these; each begins at the edge of a word.
fn calls(file: &Rust, names: &[&str]) -> Vec<String> {
    let code = file.shipped_code();
    let edge = |at: usize| !code[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut found = Vec::new();
    for name in names {
        let places = code.match_indices(name).map(|(at, _)| at).filter(|at| edge(*at));
        found.extend(places.map(|at| format!("{}:{}: `{name}`", file.path, line_of(code, at))));
    }
    found
}

#[test]
fn only_the_executables_print() {
    let sources = rust();
    let silent = |file: &&Rust| {
        let executables = ["crates/hookbin/", "crates/hookbin-sync/"];
        file.is_product() && !executables.iter().any(|dir| file.path.starts_with(dir))
    };
    let problems: Vec<String> = sources.iter().filter(silent).flat_map(prints).collect();
    no_problems(&problems, "Return the text, or an error that says it; crates/hookbin decides what is printed.");
    let text = "// println!()\nfn a() { eprintln!(\"a\"); io::stdout().write(); my_print!(); \"print!\"; }";
    assert_eq!(prints(&Rust::new("a.rs", text)).len(), 2);
}

/// What changes a file system.
const WRITES: &[&str] = &[
    "fs::write", "fs::rename", "fs::remove_", "fs::copy", "fs::create_dir", "fs::set_permissions", "fs::hard_link",
    "File::create", "File::options", "OpenOptions", "DirBuilder", "symlink(", "NamedTempFile", "renameat", "unlinkat",
    "mkdirat", "OFlags::CREATE", "OFlags::WRONLY", "OFlags::RDWR", "shared_append(", "to_append(", "to_lock(",
    "open::to_overwrite", "open::private_dir", "tempfile_in",
];

/// The modules outside hook-session-state and hook-audit-log that may write, and what.
const WRITERS: &[(&str, &str)] = &[
    ("crates/hookbin/src/install", "settings files and the executable's own directory"),
    ("crates/runtime/src/system/files.rs", "files of an installation, each replaced whole"),
    ("crates/hookbin/src/doctor", "a throw-away place for the answers of an installed entry"),
    ("crates/replay/src/world.rs", "throw-away directories for what replayed sessions leave behind"),
    ("crates/replay/src/selftest.rs", "a throw-away project for each case"),
    ("crates/runtime/src/vault", "the store of a contained client, and one member of the client's file of state"),
    ("crates/runtime/src/project/mod.rs", "the project's own directory and the ignore file in it"),
    ("crates/runtime/src/config/cache.rs", "the compiled profile"),
    ("crates/hookbin/src/cli/vault.rs", "the directory of the boot log"),
    ("crates/hookbin/src/cli/report.rs", "the page that a user asked for, at the place that they named"),
    (
        "crates/runtime/src/system/open/",
        "nothing by itself: how the executable's own files are opened, and all below a project",
    ),
    ("crates/runtime/src/programs/gate.rs", "the lock of a checkpoint, and the report that its runner has left"),
    ("crates/runtime/src/programs/checkpoint.rs", "the output of a checkpoint program and the slots it runs in"),
    ("crates/runtime/src/programs/runner.rs", "the lock that a test run holds"),
    ("crates/runtime/src/event/effects", "the client's env file, and what a check's document names"),
];

fn may_write(path: &str) -> bool {
    let dirs = ["crates/session-state/", "crates/audit-log/"];
    let product = path.starts_with("crates/") && path.contains("/src/");
    !product || dirs.into_iter().chain(WRITERS.iter().map(|(start, _)| *start)).any(|start| path.starts_with(start))
}

#[test]
fn only_state_and_log_write_files() {
    let sources = rust();
    let problems: Vec<String> =
        sources.iter().filter(|file| !may_write(&file.path)).flat_map(|file| calls(file, WRITES)).collect();
    no_problems(
        &problems,
        "State goes through hook-session-state, records through hook-audit-log. A module of crates/hookbin that has to write \
         something else stands in WRITERS of xtask/tests/it/wire.rs, with what it writes.",
    );
    let writers = sources.iter().filter(|file| file.path.starts_with("crates/session-state/src"));
    assert!(
        writers.flat_map(|file| calls(file, WRITES)).next().is_some(),
        "the check does not see session-state's writes"
    );
    for (start, _) in WRITERS {
        let mut files = sources.iter().filter(|file| file.path.starts_with(start));
        assert!(files.any(|file| !calls(file, WRITES).is_empty()), "{start} writes nothing; take it out of WRITERS");
    }
    assert_eq!(calls(&Rust::new("a.rs", "std::fs::write(a); fs::read(b); OpenOptions::new();"), WRITES).len(), 2);
}

/// Exit code 1 lets the refused call through on every client, so no path may lead to it.
const EXITS_WITH_1: &[&str] =
    &["exit(1)", "ExitCode::FAILURE", "ExitCode::from(1)", "ExitCode::from(1u8)", "process::abort"];

/// A `main` that returns a `Result` exits with 1 on an error, whatever the error is.
fn may_exit_with_1(file: &Rust) -> Vec<String> {
    let mut found = calls(file, EXITS_WITH_1);
    let code = file.shipped_code();
    for at in words(code, "fn main") {
        let signature = code[at..].split('{').next().unwrap_or_default();
        if signature.contains("Result") {
            found.push(format!("{}:{}: `main` returns a `Result`", file.path, line_of(code, at)));
        }
    }
    found
}

#[test]
fn nothing_exits_with_1() {
    let sources = rust();
    let is_hook = |file: &&Rust| file.is_product() || file.path.starts_with("examples/custom-check/");
    let problems: Vec<String> = sources.iter().filter(is_hook).flat_map(may_exit_with_1).collect();
    no_problems(
        &problems,
        "Use the named exit codes: 0, 2 and 3 where a command says so, 4 findings, 64 usage, 70 internal.",
    );
    let text = "fn main() -> ExitCode { process::exit(1); // exit(1)\n ExitCode::FAILURE }";
    assert_eq!(may_exit_with_1(&Rust::new("a.rs", text)).len(), 2);
    assert_eq!(may_exit_with_1(&Rust::new("a.rs", "fn main() -> anyhow::Result<()> { Ok(()) }")).len(), 1);
}

/// The one file with unsafe code: the entry point and the allocator of the executable.
const UNSAFE: &str = "crates/hookbin/src/start.rs";

fn is_unsafe(file: &Rust) -> Vec<String> {
    words(&file.code, "unsafe").map(|at| format!("{}:{}", file.path, line_of(&file.code, at))).collect()
}

#[test]
fn unsafe_code_stands_in_one_file() {
    let sources = rust();
    let problems: Vec<String> = sources.iter().filter(|file| file.path != UNSAFE).flat_map(is_unsafe).collect();
    no_problems(
        &problems,
        &format!("Do without it, or, if the executable cannot start otherwise, move it to {UNSAFE}."),
    );
    assert_eq!(is_unsafe(&Rust::new("a.rs", "#![deny(unsafe_code)] // unsafe\nunsafe { \"unsafe\" }")), ["a.rs:2"]);

    let lacks = |path: &str, text: &str| {
        let is_root =
            path.starts_with("crates/") && path.ends_with("/src/lib.rs") && !path.starts_with("crates/hookbin/");
        is_root && !text.contains("#![forbid(unsafe_code)]")
    };
    let bare: Vec<String> =
        files("crates").into_iter().filter(|file| lacks(&file.path, &file.text)).map(|file| file.path).collect();
    no_problems(&bare, "Write `#![forbid(unsafe_code)]` at the root of the library.");
}
