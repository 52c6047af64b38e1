//! Compilers, builds, tests, linters and formatters.

use super::Trait::{Installs, Reader, Silent, TakesText, TestRunner, TestsByVerb, Versioned};
use super::code::{NODE, PYTHON, RUBY, Tasks};
use super::reads::{Style, VERSION, Way, exactly, verbs};
use super::runs::{RUNS, Rest, Runs};
use super::writes::{COMPILER, FORMATTER, OUTPUT, OUTPUTS, WRITES, Writes, Written};
use super::{PROGRAM, Program, Tool, traits};
use crate::options::Grammar;

/// Options of compilers of C.
const OF_C: Grammar<'_> = Grammar::one_dash(&[
    "-o", "-MF", "-MT", "-MQ", "-x", "-I", "-L", "-D", "-U", "-l", "-T", "-include", "-isystem", "-iquote", "-Xlinker",
]);

/// Options that other compilers and linkers have in common.
pub(super) const OF_COMPILERS: Grammar<'_> = Grammar::one_dash(&["-o", "-I", "-L", "-D"]);

const MAKE: Grammar<'_> = Grammar {
    table: &["-O[=]", "--output-sync[=]", "--debug[=]", "--shuffle[=]"],
    ..Grammar::gnu(&[
        "-C", "--directory", "-f", "--file", "--makefile", "-I", "--include-dir", "-o", "--old-file", "--assume-old",
        "-W", "--what-if", "--new-file", "--assume-new", "-E", "--eval", "-j", "--jobs", "-l", "--load-average",
        "--max-load",
    ])
};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["shellcheck"],
        is: traits(&[Silent, TakesText]),
        tool: Tool::Checkers,
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["javac"],
        options: Grammar::one_dash(&["-d", "-cp", "-classpath", "-source", "-target"]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
            exactly(&["-version"]),
        ],
        writes: Some(&Writes { folders: &["-d"], ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["rustc"],
        is: traits(&[Versioned]),
        options: Grammar::one_dash(&["-o", "-C", "-L", "-l", "--out-dir", "--target"]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&COMPILER),
        ..PROGRAM
    },
    Program {
        names: &["gcc", "g++", "clang", "clang++", "cc"],
        options: OF_C,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&COMPILER),
        ..PROGRAM
    },
    Program {
        names: &["c++", "tcc", "musl-gcc", "emcc", "mpicc", "gfortran", "nvcc"],
        options: OF_C,
        writes: Some(&COMPILER),
        ..PROGRAM
    },
    Program {
        names: &["cmake"],
        tool: Tool::Cmake,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["ninja"],
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["vitest", "mocha"],
        is: traits(&[TestRunner]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["make", "gmake", "bmake", "remake"],
        is: traits(&[Silent, Versioned]),
        tool: Tool::Make,
        options: MAKE,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["zig"],
        options: Grammar::one_dash(&["--name", "-target", "-O", "-I", "-L", "-l"]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&Writes { files: &["-femit-bin"], ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["jest"],
        is: traits(&[Silent, TestRunner]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["eslint"],
        is: traits(&[Reader]),
        tool: Tool::Eslint,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&Writes { when: &["--fix", "-a", "-A", "--auto-correct", "-i", "--in-place"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &["prettier"],
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&Writes { when: &["-w", "--write", "--apply", "--fix"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &["tsc"],
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
            Way {
                only: &["--noEmit", "-p=", "--project=", "--pretty", "--skipLibCheck", "--strict"],
                needs: &["--noEmit"],
                ..Way::ANY
            },
        ],
        ..PROGRAM
    },
    Program {
        names: &["pytest", "py.test"],
        is: traits(&[Silent, TestRunner]),
        tool: Tool::Pytest,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["go"],
        is: traits(&[Silent, TakesText, Versioned, Installs, TestsByVerb]),
        options: Grammar::one_dash(&[
            "-C", "-exec", "-toolexec", "-vettool", "-o", "-p", "-mod", "-modfile", "-overlay", "-pkgdir", "-tags",
            "-ldflags", "-gcflags", "-asmflags", "-gccgoflags", "-buildmode", "-compiler", "-covermode", "-coverpkg",
            "-coverprofile", "-run", "-bench", "-benchtime", "-count", "-cpu", "-cpuprofile", "-memprofile",
            "-timeout", "-parallel", "-outputdir", "-fuzz", "-fuzztime", "-skip", "-vet", "-f", "-blockprofile",
            "-mutexprofile", "-trace",
        ]),
        reads: &[
            Way { style: Style::Words, but: &["-w", "-u"], ..verbs(&["env"]) },
            verbs(&["version", "mod graph", "mod why", "mod verify", "help"]),
            Way {
                style: Style::Words,
                but: &["-toolexec", "-exec", "-modfile", "-overlay", "-mod", "-http"],
                ..verbs(&["list", "doc"])
            },
        ],
        runs: &[Runs {
            verbs: &["run", "test", "build", "vet", "install"],
            values: &["-o", "-run", "-tags", "-ldflags", "-C"],
            lines: &["-exec", "-toolexec", "-vettool"],
            skip: usize::MAX,
            ..RUNS
        }],
        writes: Some(&Writes { verbs: &["build", "test"], ..COMPILER }),
        tool: Tool::Go,
        ..PROGRAM
    },
    Program {
        names: &["ruff"],
        reads: &[
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
        ..PROGRAM
    },
    Program {
        names: &["black"],
        reads: &[Way {
            only: &["--check", "--diff", "-q", "--quiet", "-l=", "--line-length="],
            needs: &["--check", "--diff"],
            ..Way::ANY
        }],
        writes: Some(&Writes { unless: &["--check", "--diff", "-c"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &["gofmt"],
        options: Grammar::one_dash(&["-r", "-cpuprofile"]),
        reads: &[Way { only: &["-l", "-d", "-s", "-e"], ..Way::ANY }],
        writes: Some(&Writes { when: &["-w", "--write"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &["rustfmt"],
        reads: &[Way { only: &["--check", "-l", "--edition=", "-q", "-v"], needs: &["--check"], ..Way::ANY }],
        writes: Some(&Writes { unless: &["--check", "--diff", "-c"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &["lerna", "turbo", "nx", "rush", "moon"],
        runs: &[Runs { verbs: &["exec"], values: &["--scope", "--concurrency"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["just"],
        tool: Tool::Just,
        options: Grammar {
            pairs: &["--set"],
            table: &["-E="],
            ..Grammar::gnu(&[
                "-f", "--justfile", "-d", "--working-directory", "--shell", "--shell-arg", "--dotenv-path",
                "--dotenv-filename", "--color", "--command-color", "--list-heading", "--list-prefix", "--chooser",
                "-s", "--show", "--dump-format", "--completions", "--timestamp-format",
            ])
        },
        runs: &[Runs { before: &["--command", "-c"], verbs: &["--command", "-c"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["concurrently", "npm-run-all", "run-p", "run-s"],
        runs: &[Runs { values: &["-n", "--names", "-c"], rest: Rest::Lines, ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["pre-commit"], is: traits(&[Silent]), tool: Tool::Checkers, ..PROGRAM },
    Program { names: &["gradle", "mvn", "rails"], is: traits(&[Silent]), ..PROGRAM },
    Program {
        names: &["shfmt"],
        is: traits(&[TakesText]),
        options: Grammar::one_dash(&["-i", "-ln", "-filename", "--indent"]),
        writes: Some(&Writes { when: &["-w", "--write"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &[
            "ld", "lld", "gold", "as", "nasm", "yasm", "swiftc", "dmd", "ldc2", "ocamlopt", "ocamlc", "mcs", "flex",
            "bison",
        ],
        options: OF_COMPILERS,
        writes: Some(&COMPILER),
        ..PROGRAM
    },
    Program {
        names: &["tinygo"],
        options: Grammar::one_dash(&["-o", "-target", "-opt", "-tags"]),
        writes: Some(&Writes { verbs: &["build", "test"], ..COMPILER }),
        ..PROGRAM
    },
    Program {
        names: &["scalac"],
        options: Grammar::one_dash(&["-d", "-cp", "-classpath", "-source", "-target"]),
        writes: Some(&Writes { folders: &["-d"], ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["objcopy", "gobjcopy"],
        options: Grammar::gnu(&[
            "-I", "-O", "-F", "-B", "-j", "-R", "-K", "-N", "-G", "-L", "-W", "--add-section", "--dump-section",
        ]),
        writes: Some(&Writes { operands: Written::All, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["strip", "upx", "install_name_tool", "chrpath"],
        options: Grammar::gnu(&["-o", "-K", "-N", "-R", "-F", "-I", "-O", "-r"]),
        writes: Some(&Writes {
            files: &["-o"],
            unless: &["--print-rpath", "--print-interpreter", "-v", "--verify", "-dv", "--display"],
            operands: Written::All,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["patchelf"],
        tool: Tool::Patchelf,
        options: Grammar::gnu(&[
            "--output", "--set-rpath", "--add-rpath", "--set-interpreter", "--set-soname", "--add-needed",
            "--remove-needed",
        ]),
        writes: Some(&Writes {
            files: &["--output"],
            unless: &["--print-rpath", "--print-interpreter", "-v", "--verify", "-dv", "--display"],
            operands: Written::All,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["codesign"],
        tool: Tool::Codesign,
        options: Grammar::gnu(&[
            "-s", "--sign", "-i", "--identifier", "-r", "-o", "--options", "--entitlements", "--keychain",
        ]),
        writes: Some(&Writes {
            unless: &["--print-rpath", "--print-interpreter", "-v", "--verify", "-dv", "--display"],
            operands: Written::All,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["protoc", "wkhtmltopdf", "sass", "lessc"],
        options: Grammar::gnu(OUTPUTS),
        writes: Some(&OUTPUT),
        ..PROGRAM
    },
    Program { names: &["gofumpt"], writes: Some(&FORMATTER), ..PROGRAM },
    Program {
        names: &["goimports"],
        options: Grammar::one_dash(&["-local", "-srcdir"]),
        writes: Some(&Writes { when: &["-w", "--write"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &["biome", "rome"],
        writes: Some(&Writes { when: &["-w", "--write", "--apply", "--fix"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &["stylelint", "standard", "xo", "rubocop"],
        writes: Some(&Writes { when: &["--fix", "-a", "-A", "--auto-correct", "-i", "--in-place"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &["clang-format", "astyle", "autopep8"],
        writes: Some(&Writes { when: &["-i", "-I", "--in-place", "-in-place"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &["isort", "yapf"],
        writes: Some(&Writes { unless: &["--check", "--diff", "-c"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &["task", "go-task"],
        tool: Tool::Task,
        options: Grammar::gnu(&[
            "-t", "--taskfile", "-d", "--dir", "-o", "--output", "-C", "--concurrency", "-I", "--interval", "--sort",
            "--output-group-begin", "--output-group-end",
        ]),
        ..PROGRAM
    },
    Program { names: &["lipo"], tool: Tool::Lipo, ..PROGRAM },
    Program {
        names: &["_mocha", "ava", "tap", "playwright", "cypress", "rspec", "phpunit", "ctest", "nextest"],
        is: traits(&[TestRunner]),
        ..PROGRAM
    },
    Program { names: &["invoke", "inv"], tasks: Some(&Tasks { files: &["tasks.py"], code: &PYTHON }), ..PROGRAM },
    Program { names: &["nox"], tasks: Some(&Tasks { files: &["noxfile.py"], code: &PYTHON }), ..PROGRAM },
    Program { names: &["scons"], tasks: Some(&Tasks { files: &["SConstruct"], code: &PYTHON }), ..PROGRAM },
    Program {
        names: &["rake"],
        tasks: Some(&Tasks { files: &["Rakefile", "rakefile", "Rakefile.rb"], code: &RUBY }),
        ..PROGRAM
    },
    Program {
        names: &["gulp"],
        tasks: Some(&Tasks { files: &["gulpfile.js", "gulpfile.mjs"], code: &NODE }),
        ..PROGRAM
    },
    Program { names: &["grunt"], tasks: Some(&Tasks { files: &["Gruntfile.js"], code: &NODE }), ..PROGRAM },
];
