//! Package managers: what they list and look up, never what they install, and never by code of the project.

use super::{VERSION, exactly, program, verbs};
use crate::review::table::{Program, Way};

/// An interpreter that is named is started.
const fn uv(verbs: &'static [&'static str]) -> Way {
    Way { verbs, but: &["-p", "--python", "--project", "--directory", "--config-file"], ..Way::ANY }
}

/// Settings of another folder, which may name programs.
const ELSEWHERE: &[&str] = &[
    "--prefix", "-C", "--dir", "--cwd", "--userconfig", "--globalconfig", "--registry", "--git", "--node-options",
    "--script-shell", "--shell", "--pnpmfile", "--global-pnpmfile", "--config", "-c",
];

pub(super) const PROGRAMS: &[Program] = &[
    program(
        // `yarn` starts the program that the project's settings name, whatever it is asked.
        &["npm", "pnpm", "bun"],
        &[
            Way {
                but: ELSEWHERE,
                ..verbs(&[
                    "list", "ls", "ll", "la", "info", "view", "v", "show", "outdated", "why", "explain", "root",
                    "prefix", "bin", "search", "ping", "config get", "config list", "config ls", "pkg get",
                    "dist-tag ls", "dist-tag list", "access list", "owner ls", "cache ls", "versions", "licenses list",
                    "pm ls",
                ])
            },
            exactly(&["audit", "doctor", "version", "--version", "-v", "--help", "fund", "whoami"]),
            Way {
                verbs: &["audit"],
                only: &["--json", "--omit=", "--audit-level=", "--production", "--prod", "--level="],
                ..Way::ANY
            },
        ],
    ),
    program(
        &["pip", "pip3"],
        &[
            Way {
                verbs: &[
                    "list", "show", "freeze", "check", "search", "index versions", "debug", "config list",
                    "config get", "config debug", "cache list", "cache info", "cache dir", "inspect", "hash", "help",
                ],
                but: &["--log", "--python"],
                ..Way::ANY
            },
            VERSION,
        ],
    ),
    program(
        &["uv"],
        &[
            uv(&[
                "pip list", "pip show", "pip freeze", "pip check", "pip tree", "python list", "python find",
                "python dir", "cache dir", "tool list", "tool dir", "help",
            ]),
            exactly(&["-h", "--help", "--version", "-V", "version", "self version"]),
        ],
    ),
    program(
        &["poetry"],
        &[Way {
            but: &["-C", "--directory", "-P", "--project"],
            ..verbs(&["show", "check", "about", "env info", "env list", "version -s", "config --list"])
        }],
    ),
    program(
        &["gem"],
        &[Way {
            but: &["--source", "-s", "--config-file"],
            ..verbs(&["list", "info", "search", "query", "environment", "outdated", "which", "contents", "dependency"])
        }],
    ),
    program(
        &["composer"],
        &[Way {
            but: &["-d", "--working-dir"],
            ..verbs(&["show", "info", "outdated", "licenses", "validate", "why", "search", "check-platform-reqs"])
        }],
    ),
    program(
        &["brew"],
        &[
            Way {
                verbs: &[
                    "list", "ls", "info", "search", "config", "leaves", "deps", "uses", "outdated", "desc", "cat",
                    "tap-info", "shellenv", "commands", "--prefix", "--cellar", "--cache", "formulae", "casks", "log",
                    "help", "bundle --help",
                ],
                but: &["--github", "--edit", "--graph", "--open-pr"],
                ..Way::ANY
            },
            exactly(&["doctor", "--version", "tap", "analytics", "analytics state"]),
        ],
    ),
    program(
        &["apt-cache"],
        &[verbs(&["search", "show", "showpkg", "policy", "depends", "rdepends", "pkgnames", "stats", "madison"])],
    ),
    program(
        &["dpkg"],
        &[verbs(&[
            "-l", "--list", "-L", "--listfiles", "-s", "--status", "-S", "--search", "-p", "--print-avail", "-c",
            "--contents", "-I", "--info",
        ])],
    ),
    program(&["dpkg-query"], &[Way::ANY]),
];
