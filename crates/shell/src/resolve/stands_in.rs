//! Programs in a home folder that take the place of the system's.

use crate::path::{Places, in_other_home};
use crate::programs::agents;

/// Folders of a home that stand in front of the system's programs.
const FOLDERS: &[&str] =
    &[".local/bin/", "bin/", ".bin/", ".cargo/bin/", "go/bin/", ".npm-global/bin/", ".bun/bin/", ".deno/bin/"];

/// Programs of the system that nobody installs there anew.
const TRUSTED: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "fish", "env", "sudo", "su", "doas", "login", "passwd", "ssh", "scp", "sftp",
    "ssh-add", "ssh-agent", "ssh-keygen", "gpg", "gpg2", "git", "ls", "cat", "cp", "mv", "rm", "ln", "mkdir", "chmod",
    "chown", "grep", "sed", "awk", "find", "xargs", "tar", "ps", "kill", "pkill", "which", "test", "id", "whoami",
    "date", "crontab", "systemctl", "curl", "wget", "less",
];

/// Programs that people do install there, as links to one of several versions, and that nobody writes by hand.
const VERSIONED: &[&str] = &[
    "node", "npm", "npx", "pnpm", "yarn", "python", "python3", "pip", "pip3", "cargo", "rustc", "go", "make", "docker",
    "gh", "code",
];

/// Whether a file in a home folder takes the place of a program that shells and guards trust by its name.
pub(super) fn takes_program(path: &str, links: bool, places: &Places) -> bool {
    let Some(rest) = places.in_home(path).or_else(|| in_other_home(path)) else { return false };
    let name = FOLDERS.iter().find_map(|folder| rest.strip_prefix(folder));
    !places.in_project(path)
        && name.is_some_and(|name| {
            TRUSTED.contains(&name) || agents::CLIENT.first() == Some(&name) || !links && VERSIONED.contains(&name)
        })
}
