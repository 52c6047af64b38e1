//! Which crate may know which, and what the crates without input and output may touch.

use crate::manifests::{Member, members};
use crate::source::{Rust, line_of, no_problems, root, rust, words};

/// What each crate may depend on at run time, apart from packages that only compute.
const FAMILY: &[(&str, &[&str])] = &[
    ("hook-protocol", &["hook-shell"]),
    ("hook-complexity", &[]),
    ("hook-session-state", &[]),
    ("hook-audit-log", &[]),
    ("hook-shell", &[]),
    ("hook-policy", &["hook-protocol", "hook-shell"]),
    (
        "hook-runtime",
        &["hook-audit-log", "hook-complexity", "hook-policy", "hook-protocol", "hook-session-state", "hook-shell"],
    ),
    ("hook-replay", &["hook-audit-log", "hook-complexity", "hook-policy", "hook-protocol", "hook-runtime"]),
];

/// All that the pure crates may depend on at run time: packages that read no file, clock, environment or socket.
const PURE: &[(&str, &[&str])] = &[
    ("hook-complexity", &["regex"]),
    ("hook-shell", &[]),
    (
        "hook-policy",
        &[
            "hook-protocol", "hook-shell", "postcard", "regex", "regex-syntax", "schemars", "serde", "serde_json",
            "sha2", "thiserror", "toml",
        ],
    ),
    ("hook-protocol", &["hook-shell", "regex", "serde", "serde_json", "thiserror"]),
];

/// The names of the members of [`FAMILY`] and the executable, which nothing may depend on.
fn is_family(name: &str) -> bool {
    name == "hookbin-cli" || FAMILY.iter().any(|(member, _)| *member == name)
}

fn wrong_directions(name: &str, dependencies: &[&str]) -> Vec<String> {
    let Some((_, allowed)) = FAMILY.iter().find(|(member, _)| *member == name) else { return Vec::new() };
    let wrong = |other: &&&str| is_family(other) && !allowed.contains(other);
    dependencies.iter().filter(wrong).map(|other| format!("{name} depends on {other}")).collect()
}

/// Dependencies of the product itself; tests may use more.
fn at_run_time(member: &Member) -> Vec<String> {
    let sections = member.dependencies();
    sections
        .into_iter()
        .filter(|(section, ..)| !section.ends_with("dev-dependencies"))
        .map(|(_, name, _)| name)
        .collect()
}

#[test]
fn crates_know_only_what_stands_below_them() {
    let mut problems = Vec::new();
    for member in members() {
        let dependencies = at_run_time(&member);
        let names: Vec<&str> = dependencies.iter().map(String::as_str).collect();
        problems.extend(wrong_directions(member.name(), &names));
        if member.path.starts_with("crates/") && member.name() != "hookbin-cli" && names.contains(&"hookbin-cli") {
            problems.push(format!("{} depends on the executable", member.name()));
        }
    }
    no_problems(&problems, "Only crates/runtime composes. Pass a value instead, or move the shared type down.");
    assert_eq!(wrong_directions("hook-audit-log", &["serde", "hook-protocol"]).len(), 1);
    assert!(wrong_directions("hook-policy", &["hook-protocol"]).is_empty());
}

fn impure_dependencies(name: &str, dependencies: &[&str]) -> Vec<String> {
    let Some((_, allowed)) = PURE.iter().find(|(member, _)| *member == name) else { return Vec::new() };
    let wrong = dependencies.iter().filter(|other| !allowed.contains(other));
    wrong.map(|other| format!("{name} depends on {other}")).collect()
}

#[test]
fn pure_crates_depend_on_nothing_that_does_input_or_output() {
    let mut problems = Vec::new();
    for member in members() {
        let dependencies = at_run_time(&member);
        let names: Vec<&str> = dependencies.iter().map(String::as_str).collect();
        problems.extend(impure_dependencies(member.name(), &names));
    }
    no_problems(
        &problems,
        "Gather the fact in crates/runtime and pass it in. If the package really only computes, add it to PURE in \
         xtask/tests/it/directions.rs.",
    );
    assert_eq!(impure_dependencies("hook-policy", &["serde", "tempfile", "chrono"]).len(), 2);
}

/// What belongs to the client of a database server: a hook would pay for it with every start.
const SERVER_CLIENT: &[&str] =
    &["postgres", "tokio-postgres", "tokio", "rustls", "ring", "native-tls", "openssl", "openssl-sys"];

/// Names of all packages that a package is built from, itself included.
fn built_from(package: &str) -> Vec<String> {
    built_with(package, &[])
}

fn built_with(package: &str, options: &[&str]) -> Vec<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = std::process::Command::new(cargo)
        .args(["tree", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}", "--package", package])
        .args(options)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// What speaks to an operating system, so that a crate with it is not for WebAssembly.
const OF_THE_SYSTEM: &[&str] =
    &["chrono", "getrandom", "js-sys", "libc", "rustix", "tempfile", "wasm-bindgen", "windows-sys"];

#[test]
fn pure_crates_are_built_from_nothing_of_the_system() {
    let on_wasm = |package| built_with(package, &["--target", "wasm32-unknown-unknown", "--all-features"]);
    let is_of_system = |name: &String| OF_THE_SYSTEM.contains(&name.as_str());
    let mut problems = Vec::new();
    for (package, _) in PURE {
        let found = on_wasm(package).into_iter().filter(is_of_system);
        problems.extend(found.map(|name| format!("{package} is built from {name}")));
    }
    no_problems(
        &problems,
        "An embedder compiles these crates for WebAssembly. Leave the package out, or take its features off.",
    );
    assert!(on_wasm("hook-audit-log").iter().any(is_of_system), "the check does not see what hook-audit-log needs");
}

#[test]
fn the_executable_has_no_client_of_a_database_server() {
    let in_hookbin = built_from("hookbin-cli");
    assert!(in_hookbin.iter().any(|name| name == "rusqlite"), "the check does not see hookbin's dependencies");
    let found = in_hookbin.into_iter().filter(|name| SERVER_CLIENT.contains(&name.as_str()));
    let problems: Vec<String> = found.map(|name| format!("hookbin-cli is built from {name}")).collect();
    no_problems(&problems, "What speaks to a server belongs into crates/hookbin-sync, which `hookbin sync` starts.");
    let in_sync = built_from("hookbin-sync");
    for name in ["postgres", "rustls"] {
        assert!(in_sync.iter().any(|found| found == name), "hookbin-sync is not built from {name}");
    }
}

/// What reaches outside the process, as it is spelled after `std::` or alone.
const OUTSIDE: &[&str] = &[
    "std::env", "std::fs", "std::io", "std::net", "std::os", "std::process", "std::thread", "SystemTime",
    "Instant::now", "env!(", "include_str!(env", "File::open", "Command::new", "current_dir(",
];

/// Directories of the crates that touch nothing.
const PURE_DIRS: &[&str] =
    &["crates/shell/src/", "crates/policy/src/", "crates/complexity/src/", "crates/hook-protocol/src/"];

fn reaches_outside(file: &Rust) -> Vec<String> {
    let code = file.shipped_code();
    let mut found = Vec::new();
    for name in OUTSIDE {
        let name_itself = name.trim_end_matches('(');
        for at in words(code, name_itself).filter(|at| code[*at..].starts_with(name)) {
            found.push(format!("{}:{}: `{name_itself}`", file.path, line_of(code, at)));
        }
    }
    // `use std::{env, fs}` spells the module without its path.
    for (at, _) in code.match_indices("use std::{") {
        let list = code[at..].split(';').next().unwrap_or_default();
        let modules = ["env", "fs", "io", "net", "process", "thread"];
        for module in modules.iter().filter(|module| words(list, module).next().is_some()) {
            found.push(format!("{}:{}: `std::{{{module}}}`", file.path, line_of(code, at)));
        }
    }
    found
}

#[test]
fn pure_crates_touch_no_file_clock_environment_process_or_network() {
    let is_pure = |file: &&Rust| PURE_DIRS.iter().any(|dir| file.path.starts_with(dir));
    let sources = rust();
    let pure: Vec<&Rust> = sources.iter().filter(is_pure).collect();
    for dir in PURE_DIRS {
        assert!(pure.iter().any(|file| file.path.starts_with(dir)), "{dir} is gone; correct PURE_DIRS");
    }
    let problems: Vec<String> = pure.into_iter().flat_map(reaches_outside).collect();
    no_problems(&problems, "Gather the fact in crates/runtime/src/facts/mod.rs and pass it in; answer with an effect.");

    let text = "//! std::fs\nuse std::{fmt, fs};\nfn a() { std::process::exit(2); let t = SystemTime::now(); }\nconst S: &str = \"std::env\";";
    assert_eq!(reaches_outside(&Rust::new("a.rs", text)).len(), 3);
}

/// Crates that serve every host, and know none.
const HOSTLESS: &[&str] =
    &["crates/policy/src/", "crates/complexity/src/", "crates/session-state/src/", "crates/audit-log/src/"];

/// What is spelled like a host and is none: a profile, a column of the registry, files that documents name.
const LIKE_HOSTS: &[&str] = &["claude-os", "claude_session_id", ".claude_hook_secret", "CLAUDE"];

/// Names of hosts, which their directories and variables hold as well.
const OF_HOSTS: &[&str] = &["claude", "codex", "gemini"];

/// Names of tools that only some hosts have.
const TOOLS_OF_HOSTS: &[&str] = &["Bash", "MultiEdit", "NotebookEdit"];

fn spelled_hosts(file: &Rust) -> Vec<String> {
    let of_host = |text: &str| {
        let mut left = text.to_owned();
        for like in LIKE_HOSTS.iter().filter(|like| text == **like || like.contains(['-', '_'])) {
            left = left.replace(like, "");
        }
        let lower = left.to_ascii_lowercase();
        OF_HOSTS.iter().any(|name| lower.contains(name)) || TOOLS_OF_HOSTS.contains(&text)
    };
    let found = file.shipped_strings().filter(|(_, text)| of_host(text));
    found.map(|(line, text)| format!("{}:{line}: {text:?}", file.path)).collect()
}

#[test]
fn policy_spells_no_client() {
    let sources = rust();
    let hostless = |file: &&Rust| HOSTLESS.iter().any(|dir| file.path.starts_with(dir));
    let problems: Vec<String> = sources.iter().filter(hostless).flat_map(spelled_hosts).collect();
    no_problems(
        &problems,
        "Take it from `Facts::host`, `Facts::layout` or `NativeTool`; what is hookbin's own is `own_path!`.",
    );
    let text =
        "//! Claude Code\nconst A: &str = \".claude/agents\";\nconst B: &str = \"claude-os\";\nfn c() { x(\"Bash\") }";
    assert_eq!(spelled_hosts(&Rust::new("a.rs", text)).len(), 2);
}
