//! Programs in a home directory that take the place of the system's.

use crate::path::{Places, in_other_home};
use crate::programs::{self, Trait, agents};

/// Directories of a home that stand in front of the system's programs.
const DIRS: &[&str] =
    &[".local/bin/", "bin/", ".bin/", ".cargo/bin/", "go/bin/", ".npm-global/bin/", ".bun/bin/", ".deno/bin/"];

/// Whether a file in a home directory takes the place of a program that shells and guards trust by its name.
pub(super) fn takes_program(path: &str, links: bool, places: &Places) -> bool {
    let Some(rest) = places.in_home(path).or_else(|| in_other_home(path)) else { return false };
    let name = DIRS.iter().find_map(|dir| rest.strip_prefix(dir));
    !places.in_project(path)
        && name.is_some_and(|name| {
            programs::is(name, Trait::System)
                || agents::CLIENT.first() == Some(&name)
                || !links && programs::is(name, Trait::Versioned)
        })
}
