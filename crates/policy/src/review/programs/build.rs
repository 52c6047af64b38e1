//! Compilers, test runners and linters: what they report. Most run code of the project, which a setting has to trust.

use super::{VERSION, exactly, program, verbs};
use crate::review::table::{Code, Operands, Program, Style, Way};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["cargo"],
        before: &[
            "+stable",
            "+nightly",
            "-v",
            "-q",
            "--quiet",
            "--verbose",
            "--locked",
            "--offline",
            "--frozen",
            "--color=",
        ],
        ways: &[
            Way {
                verbs: &[
                    "tree",
                    "metadata",
                    "verify-project",
                    "search",
                    "info",
                    "version",
                    "read-manifest",
                    "locate-project",
                    "pkgid",
                    "help",
                ],
                but: &["--config", "fix"],
                ..Way::ANY
            },
            Way {
                verbs: &["fmt"],
                needs: &["--check"],
                only: &["--check", "--all", "-p=", "--package=", "-v", "-q"],
                operands: Operands::AtMost(0),
                ..Way::ANY
            },
            Way { verbs: &["fmt -- --check", "fmt --all -- --check"], operands: Operands::AtMost(0), ..Way::ANY },
            Way {
                verbs: &["test", "t", "nextest run", "bench"],
                but: &["--config", "--target-dir", "-Z", "--out-dir", "--artifact-dir", "--manifest-path"],
                code: Some(Code::Tests),
                ..Way::ANY
            },
            Way {
                verbs: &["build", "b", "check", "c", "clippy", "doc"],
                but: &[
                    "--config",
                    "--target-dir",
                    "-Z",
                    "--out-dir",
                    "--artifact-dir",
                    "--manifest-path",
                    "--fix",
                    "--open",
                ],
                code: Some(Code::Builds),
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
            Way {
                style: Style::Words,
                but: &[
                    "-toolexec",
                    "-exec",
                    "-modfile",
                    "-overlay",
                    "-o",
                    "-vettool",
                    "-cpuprofile",
                    "-memprofile",
                    "-blockprofile",
                    "-mutexprofile",
                    "-trace",
                    "-coverprofile",
                    "-outputdir",
                ],
                code: Some(Code::Tests),
                ..verbs(&["test"])
            },
            Way {
                style: Style::Words,
                but: &["-toolexec", "-exec", "-modfile", "-overlay", "-o", "-vettool"],
                code: Some(Code::Builds),
                ..verbs(&["build", "vet"])
            },
        ],
    ),
    program(
        &["pytest", "py.test"],
        &[Way {
            only: &[
                "-q",
                "-v",
                "-x",
                "-s",
                "-k=",
                "-m=",
                "-l",
                "--tb=",
                "--lf",
                "--ff",
                "--last-failed",
                "--failed-first",
                "--maxfail=",
                "--co",
                "--collect-only",
                "--durations=",
                "--no-header",
                "--disable-warnings",
                "-ra",
                "-rA",
                "--exitfirst",
                "-n=",
                "--no-cov",
                "--sw",
                "--stepwise",
                "--quiet",
                "--verbose",
                "--color=",
            ],
            code: Some(Code::Tests),
            ..Way::ANY
        }],
    ),
    program(
        &["jest", "vitest", "mocha"],
        &[Way {
            only: &[
                "-t=",
                "--testNamePattern=",
                "-i",
                "--runInBand",
                "--run",
                "--silent",
                "--verbose",
                "--bail",
                "--passWithNoTests",
                "-g=",
                "--grep=",
                "--no-coverage",
                "--ci",
                "--listTests",
            ],
            code: Some(Code::Tests),
            ..Way::ANY
        }],
    ),
    program(
        &["make", "gmake", "just"],
        &[Way {
            verbs: &["", "test", "tests", "check", "build", "lint", "all"],
            only: &["-j=", "-s", "-k", "--silent", "--keep-going"],
            operands: Operands::AtMost(0),
            code: Some(Code::Builds),
            ..Way::ANY
        }],
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
        &["eslint"],
        &[Way {
            only: &["--ext=", "--max-warnings=", "--quiet", "--format=", "--no-color", "--color"],
            code: Some(Code::Builds),
            ..Way::ANY
        }],
    ),
    program(
        &["prettier"],
        &[Way {
            only: &["-c", "--check", "-l", "--list-different"],
            needs: &["-c", "--check", "-l", "--list-different"],
            code: Some(Code::Builds),
            ..Way::ANY
        }],
    ),
    program(
        &["ruff"],
        &[
            Way {
                verbs: &["check", ""],
                but: &[
                    "--fix",
                    "--unsafe-fixes",
                    "--fix-only",
                    "-o",
                    "--output-file",
                    "--add-noqa",
                    "--config",
                    "format",
                    "clean",
                    "server",
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
    program(
        &["mypy"],
        &[Way {
            only: &["--strict", "-p=", "-m=", "--ignore-missing-imports", "--pretty"],
            code: Some(Code::Builds),
            ..Way::ANY
        }],
    ),
    program(&["gofmt"], &[Way { only: &["-l", "-d", "-s", "-e"], ..Way::ANY }]),
    program(
        &["rustfmt"],
        &[Way { only: &["--check", "-l", "--edition=", "-q", "-v"], needs: &["--check"], ..Way::ANY }],
    ),
];
