//! Whether programs that by the text of their call only read run something else where they are started.

use std::path::Path;

use crate::programs::git;
use crate::programs::launch;
use crate::project::Project;
use crate::system::System;
use crate::trust;
use crate::trust::strangers;

/// Variables with which a program that only reads runs something else.
const TURNING: &[&str] = &[
    "BASH_ENV", "DYLD_INSERT_LIBRARIES", "ENV", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_SYSTEM", "GIT_DIR", "GIT_EXEC_PATH", "GIT_EXTERNAL_DIFF", "GIT_WORK_TREE", "LD_AUDIT",
    "LD_LIBRARY_PATH", "LD_PRELOAD", "LESSOPEN", "RIPGREP_CONFIG_PATH",
];

/// Files of a project that make a program run code of the project's choice, whatever it is asked: settings that name a program, plugins,
/// the toolchain that a proxy starts.
const TURNED_BY: &[(&[&str], &[&str])] = &[
    (&["npm", "npx"], &[".npmrc"]),
    (&["pnpm"], &[".npmrc", ".pnpmfile.cjs", ".pnpmfile.mjs", "pnpm-workspace.yaml"]),
    (&["bun"], &["bunfig.toml", ".npmrc"]),
    (&["cargo", "rustc", "rustfmt", "rustup"], &["rust-toolchain", "rust-toolchain.toml", ".cargo"]),
    (&["composer"], &["composer.json"]),
    (&["poetry"], &["pyproject.toml", "poetry.toml"]),
    (&["proto"], &[".prototools"]),
    (&["mise", "asdf"], &["mise.toml", ".mise.toml", ".mise", ".config/mise.toml", ".tool-versions"]),
];

/// Whether these programs run nothing else in this directory: the user trusts the project, no variable and no file of it turns them, the
/// search path does not lead into it, and git's settings name no program.
pub fn run_nothing_else(programs: &[String], here: &Path, project: &Project, system: &System) -> bool {
    if !trust::runs(project, system) || are_turned(programs, here, project.root()) {
        return false;
    }
    let is_function = |program: &String| system.var(&format!("BASH_FUNC_{program}%%")).is_some();
    if TURNING.iter().any(|name| system.var(name).is_some()) || programs.iter().any(is_function) {
        return false;
    }
    let strangers = || strangers::dirs(Some(project.root()), system);
    if system.var("PATH").is_some_and(|path| !launch::is_fixed(&path, &strangers())) {
        return false;
    }
    let top = |dir: &Path| git::tree(dir).map(|(top, _)| top);
    !programs.iter().any(|program| program == "git") || top(here) == top(project.root()) && git::names_no_program(here)
}

/// Whether a file of this directory, or of one above it in the project, turns one of these programs.
fn are_turned(programs: &[String], here: &Path, root: &Path) -> bool {
    let dirs = || here.ancestors().take_while(|dir| dir.starts_with(root)).chain([root]);
    let is_asked = |names: &[&str]| programs.iter().any(|program| names.contains(&program.as_str()));
    let files = TURNED_BY.iter().filter(|(names, _)| is_asked(names)).flat_map(|(_, files)| *files);
    files.into_iter().any(|file| dirs().any(|dir| dir.join(file).symlink_metadata().is_ok()))
}
