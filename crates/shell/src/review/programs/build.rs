//! Compilers and linters: what they report. Those that run code of the project, its tests, scripts, plugins or settings that are code,
//! are in no table: whatever they do, the person is asked.

use super::{VERSION, exactly, program, verbs};
use crate::review::table::{Program, Style, Way};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["cargo"],
        before: &[
            "+stable", "+nightly", "-v", "-q", "--quiet", "--verbose", "--locked", "--offline", "--frozen", "--color=",
        ],
        ways: &[
            Way {
                // `tree`, `metadata` and `fmt` start the compiler that the project's settings name.
                verbs: &[
                    "verify-project", "search", "info", "version", "read-manifest", "locate-project", "pkgid", "help",
                ],
                but: &["--config", "fix"],
                ..Way::ANY
            },
            exactly(&["--version", "-V", "--list", "-vV"]),
        ],
    },
    program(
        &["go"],
        &[
            Way { style: Style::Words, but: &["-w", "-u"], ..verbs(&["env"]) },
            verbs(&["version", "mod graph", "mod why", "mod verify", "help"]),
            Way {
                style: Style::Words,
                but: &["-toolexec", "-exec", "-modfile", "-overlay", "-mod", "-http"],
                ..verbs(&["list", "doc"])
            },
        ],
    ),
    program(
        &["tsc"],
        &[Way {
            only: &["--noEmit", "-p=", "--project=", "--pretty", "--skipLibCheck", "--strict"],
            needs: &["--noEmit"],
            ..Way::ANY
        }],
    ),
    program(
        &["ruff"],
        &[
            Way {
                verbs: &["check", ""],
                but: &[
                    "--fix", "--unsafe-fixes", "--fix-only", "-o", "--output-file", "--add-noqa", "--config", "format",
                    "clean", "server",
                ],
                ..Way::ANY
            },
            Way {
                verbs: &["format"],
                only: &["--check", "--diff", "-q", "--quiet"],
                needs: &["--check", "--diff"],
                ..Way::ANY
            },
            verbs(&["rule", "linter", "version", "help"]),
            VERSION,
        ],
    ),
    program(
        &["black"],
        &[Way {
            only: &["--check", "--diff", "-q", "--quiet", "-l=", "--line-length="],
            needs: &["--check", "--diff"],
            ..Way::ANY
        }],
    ),
    program(&["gofmt"], &[Way { only: &["-l", "-d", "-s", "-e"], ..Way::ANY }]),
    program(
        &["rustfmt"],
        &[Way { only: &["--check", "-l", "--edition=", "-q", "-v"], needs: &["--check"], ..Way::ANY }],
    ),
];
