//! Compilers, builds, tests, linters and formatters.

use super::Trait::{Develops, Installs, Reader, Silent, TakesText, TestRunner, TestsByVerb, Versioned};
use super::code::{NODE, PYTHON, RUBY, Tasks};
use super::origins::{ORIGIN, Origin};
use super::reads::{HELP, Style, VERSION, Way, exactly, verbs};
use super::reveals::{REVEALS, Reveals};
use super::runs::{RUNS, Rest, Runs};
use super::sources::{C_SOURCES, Made, SOURCES, Sourced, Sources};
use super::writes::{COMPILER, FORMATTER, OUTPUT, OUTPUTS, WRITES, Writes, Written};
use super::{Program, Tool, row};
use crate::options::Grammar;

/// Options of compilers of C.
const OF_C: Grammar<'_> = Grammar::one_dash(&[
    "-o", "-MF", "-MT", "-MQ", "-x", "-I", "-L", "-D", "-U", "-l", "-T", "-include", "-isystem", "-iquote", "-Xlinker",
]);

/// Options that other compilers and linkers have in common.
const OF_COMPILERS: Grammar<'_> = Grammar::one_dash(&["-o", "-I", "-L", "-D"]);

const MAKE: Grammar<'_> = Grammar {
    table: &["-O[=]", "--output-sync[=]", "--debug[=]", "--shuffle[=]"],
    ..Grammar::gnu(&[
        "-C", "--directory", "-f", "--file", "--makefile", "-I", "--include-dir", "-o", "--old-file", "--assume-old",
        "-W", "--what-if", "--new-file", "--assume-new", "-E", "--eval", "-j", "--jobs", "-l", "--load-average",
        "--max-load",
    ])
};

const CMAKE: Grammar<'_> =
    Grammar::gnu(&["-P", "-C", "-S", "-B", "-D", "-U", "-G", "-T", "-A", "-E", "--build", "--install", "--target"]);

/// Options with which what changes a binary only shows something of it.
const DISPLAYS: &[&str] = &["--print-rpath", "--print-interpreter", "-v", "--verify", "-dv", "--display"];

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["shellcheck"]).is(&[Silent, TakesText]).tool(Tool::Checkers).reads(&[Way::ANY]),
    &row(&["javac"])
        .options(Grammar::one_dash(&["-d", "-cp", "-classpath", "-source", "-target"]))
        .reads(&[HELP, exactly(&["-version"])])
        .writes(&Writes { dirs: &["-d"], ..WRITES }),
    &row(&["rustc"])
        .sources(&Sources { operands: Sourced::First, makes: Some(Made::Stem), ..SOURCES })
        .is(&[Versioned])
        .options(Grammar::one_dash(&["-o", "-C", "-L", "-l", "--out-dir", "--target"]))
        .reads(&[HELP])
        .writes(&COMPILER),
    &row(&["gcc", "g++", "clang", "clang++", "cc"]).options(OF_C).reads(&[HELP]).writes(&COMPILER).sources(&C_SOURCES),
    &row(&["c++", "musl-gcc", "emcc", "mpicc", "gfortran", "nvcc"]).options(OF_C).writes(&COMPILER).sources(&C_SOURCES),
    // With `-run` it starts what it makes.
    &row(&["tcc"]).options(OF_C).writes(&COMPILER).sources(&Sources { operands: Sourced::All, ..SOURCES }),
    &row(&["cmake"]).tool(Tool::Cmake).options(CMAKE).reads(&[HELP]).sources(&Sources {
        options: &["-P", "-C"],
        files: &["CMakeLists.txt"],
        ..SOURCES
    }),
    &row(&["ninja", "samu"])
        .options(Grammar::gnu(&["-C", "-f", "-j", "-k", "-l", "-d", "-t", "-w"]))
        .reads(&[HELP])
        .sources(&Sources { options: &["-f"], files: &["build.ninja"], unless: &["-n"], ..SOURCES }),
    &row(&["vitest", "mocha"]).is(&[TestRunner]).reads(&[HELP]),
    &row(&["make", "gmake", "bmake", "remake"]).is(&[Silent, Versioned]).tool(Tool::Make).options(MAKE).reads(&[HELP]),
    &row(&["zig"])
        .options(Grammar::one_dash(&["--name", "-target", "-O", "-I", "-L", "-l"]))
        .reads(&[HELP])
        .writes(&Writes { files: &["-femit-bin"], ..WRITES })
        .sources(&Sources { verbs: &["run", "test"], operands: Sourced::First, ..SOURCES }),
    &row(&["jest"]).is(&[Silent, TestRunner]).reads(&[HELP]),
    &row(&["eslint"])
        .is(&[Reader])
        .tool(Tool::Eslint)
        .reads(&[HELP])
        .writes(&Writes { when: &["--fix", "-a", "-A", "--auto-correct", "-i", "--in-place"], ..FORMATTER }),
    &row(&["prettier"]).reads(&[HELP]).writes(&Writes { when: &["-w", "--write", "--apply", "--fix"], ..FORMATTER }),
    &row(&["tsc"]).reads(&[
        HELP,
        Way {
            only: &["--noEmit", "-p=", "--project=", "--pretty", "--skipLibCheck", "--strict"],
            needs: &["--noEmit"],
            ..Way::ANY
        },
    ]),
    &row(&["pytest", "py.test"]).is(&[Silent, TestRunner]).tool(Tool::Pytest).reads(&[HELP]),
    &row(&["go"])
        .is(&[Silent, TakesText, Versioned, Installs, TestsByVerb])
        .options(Grammar::one_dash(&[
            "-C", "-exec", "-toolexec", "-vettool", "-o", "-p", "-mod", "-modfile", "-overlay", "-pkgdir", "-tags",
            "-ldflags", "-gcflags", "-asmflags", "-gccgoflags", "-buildmode", "-compiler", "-covermode", "-coverpkg",
            "-coverprofile", "-run", "-bench", "-benchtime", "-count", "-cpu", "-cpuprofile", "-memprofile",
            "-timeout", "-parallel", "-outputdir", "-fuzz", "-fuzztime", "-skip", "-vet", "-f", "-blockprofile",
            "-mutexprofile", "-trace",
        ]))
        .reads(&[
            Way { style: Style::Words, but: &["-w", "-u"], ..verbs(&["env"]) },
            verbs(&["version", "mod graph", "mod why", "mod verify", "help"]),
            Way {
                style: Style::Words,
                but: &["-toolexec", "-exec", "-modfile", "-overlay", "-mod", "-http"],
                ..verbs(&["list", "doc"])
            },
        ])
        .runs(&[Runs {
            verbs: &["run", "test", "build", "vet", "install"],
            values: &["-o", "-run", "-tags", "-ldflags", "-C"],
            lines: &["-exec", "-toolexec", "-vettool"],
            skip: usize::MAX,
            ..RUNS
        }])
        .writes(&Writes { verbs: &["build", "test"], ..COMPILER })
        .sources(&Sources { verbs: &["run", "test"], operands: Sourced::All, ..SOURCES })
        .origin(&Origin {
            verbs: &["env"],
            settings: &[
                "goproxy=*", "gosumdb=*", "gonosumdb=*", "gonosumcheck=*", "goinsecure=*", "goflags=*exec*",
                "cc=*/tmp/*",
            ],
            needs: &["-w"],
            own: &["proxy.golang.org", "proxy.golang.org,direct", "direct", "off", "sum.golang.org"],
            variables: &["GOPROXY", "GOSUMDB", "GOFLAGS", "GONOSUMDB", "GONOSUMCHECK", "GOINSECURE"],
            ..ORIGIN
        })
        .tool(Tool::Go),
    &row(&["ruff"]).reads(&[
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
    ]),
    &row(&["black"])
        .reads(&[Way {
            only: &["--check", "--diff", "-q", "--quiet", "-l=", "--line-length="],
            needs: &["--check", "--diff"],
            ..Way::ANY
        }])
        .writes(&Writes { unless: &["--check", "--diff", "-c"], ..FORMATTER }),
    &row(&["gofmt"])
        .options(Grammar::one_dash(&["-r", "-cpuprofile"]))
        .reads(&[Way { only: &["-l", "-d", "-s", "-e"], ..Way::ANY }])
        .writes(&Writes { when: &["-w", "--write"], ..FORMATTER }),
    &row(&["rustfmt"])
        .reads(&[Way { only: &["--check", "-l", "--edition=", "-q", "-v"], needs: &["--check"], ..Way::ANY }])
        .writes(&Writes { unless: &["--check", "--diff", "-c"], ..FORMATTER }),
    &row(&["lerna", "turbo", "nx", "rush", "moon"]).runs(&[Runs {
        verbs: &["exec"],
        values: &["--scope", "--concurrency"],
        ..RUNS
    }]),
    &row(&["just"])
        .tool(Tool::Just)
        .options(Grammar {
            pairs: &["--set"],
            table: &["-E="],
            ..Grammar::gnu(&[
                "-f", "--justfile", "-d", "--working-directory", "--shell", "--shell-arg", "--dotenv-path",
                "--dotenv-filename", "--color", "--command-color", "--list-heading", "--list-prefix", "--chooser",
                "-s", "--show", "--dump-format", "--completions", "--timestamp-format",
            ])
        })
        .sources(&Sources {
            options: &["-f", "--justfile"],
            files: &["justfile", "Justfile", ".justfile"],
            unless: &["-l", "--list", "-s", "--show", "-n", "--dry-run", "--summary", "--dump", "--fmt"],
            ..SOURCES
        })
        .runs(&[Runs { before: &["--command", "-c"], verbs: &["--command", "-c"], ..RUNS }]),
    &row(&["concurrently", "npm-run-all", "run-p", "run-s"]).runs(&[Runs {
        values: &["-n", "--names", "-c"],
        rest: Rest::Lines,
        ..RUNS
    }]),
    &row(&["pre-commit"]).is(&[Silent]).tool(Tool::Checkers),
    &row(&["gradle"]).is(&[Silent]).sources(&Sources {
        files: &["build.gradle", "build.gradle.kts"],
        unless: &["-m", "--dry-run"],
        ..SOURCES
    }),
    &row(&["mvn"]).is(&[Silent]).adds(&["MAVEN_ARGS"]).sources(&Sources { files: &["pom.xml"], ..SOURCES }),
    &row(&["mix"]).settings(&["MIX_ENV"]),
    &row(&["sequelize", "sequelize-cli", "knex"]).settings(&["NODE_ENV"]),
    &row(&["rails"]).settings(&["RAILS_ENV", "RACK_ENV"]).is(&[Silent, Develops]).reveals(&[Reveals {
        words: &[
            &["credentials:show"],
            &["credentials:edit"],
            &["credentials:fetch"],
            &["encrypted:show"],
            &["secrets:show"],
        ],
        ..REVEALS
    }]),
    &row(&[
        "vite", "next", "next-server", "nuxt", "nuxi", "astro", "gatsby", "remix", "react-scripts", "vue-cli-service",
        "svelte-kit", "docusaurus", "quasar", "expo", "metro", "storybook", "start-storybook", "webpack",
        "webpack-dev-server", "parcel", "rollup", "esbuild", "browser-sync", "json-server", "hypercorn", "daphne",
        "streamlit", "puma", "unicorn", "sidekiq", "jekyll", "mkdocs", "ts-node-dev",
    ])
    .is(&[Develops]),
    &row(&["ng"]).packages(&["@angular/cli"]).is(&[Develops]),
    &row(&["shfmt"])
        .is(&[TakesText])
        .options(Grammar::one_dash(&["-i", "-ln", "-filename", "--indent"]))
        .writes(&Writes { when: &["-w", "--write"], ..FORMATTER }),
    &row(&[
        "ld", "lld", "gold", "as", "nasm", "yasm", "swiftc", "dmd", "ldc2", "ocamlopt", "ocamlc", "mcs", "flex",
        "bison",
    ])
    .options(OF_COMPILERS)
    .writes(&COMPILER),
    &row(&["tinygo"])
        .options(Grammar::one_dash(&["-o", "-target", "-opt", "-tags"]))
        .writes(&Writes { verbs: &["build", "test"], ..COMPILER }),
    &row(&["scalac"])
        .options(Grammar::one_dash(&["-d", "-cp", "-classpath", "-source", "-target"]))
        .writes(&Writes { dirs: &["-d"], ..WRITES }),
    &row(&["objcopy", "gobjcopy"])
        .options(Grammar::gnu(&[
            "-I", "-O", "-F", "-B", "-j", "-R", "-K", "-N", "-G", "-L", "-W", "--add-section", "--dump-section",
        ]))
        .writes(&Writes { operands: Written::All, ..WRITES }),
    &row(&["strip", "upx", "install_name_tool", "chrpath"])
        .options(Grammar::gnu(&["-o", "-K", "-N", "-R", "-F", "-I", "-O", "-r"]))
        .writes(&Writes { files: &["-o"], unless: DISPLAYS, operands: Written::All, ..WRITES }),
    &row(&["patchelf"])
        .tool(Tool::Patchelf)
        .options(Grammar::gnu(&[
            "--output", "--set-rpath", "--add-rpath", "--set-interpreter", "--set-soname", "--add-needed",
            "--remove-needed",
        ]))
        .writes(&Writes { files: &["--output"], unless: DISPLAYS, operands: Written::All, ..WRITES }),
    &row(&["codesign"])
        .tool(Tool::Codesign)
        .options(Grammar::gnu(&[
            "-s", "--sign", "-i", "--identifier", "-r", "-o", "--options", "--entitlements", "--keychain",
        ]))
        .writes(&Writes { unless: DISPLAYS, operands: Written::All, ..WRITES }),
    &row(&["protoc", "wkhtmltopdf", "sass", "lessc"]).options(Grammar::gnu(OUTPUTS)).writes(&OUTPUT),
    &row(&["gofumpt"]).writes(&FORMATTER),
    &row(&["goimports"])
        .options(Grammar::one_dash(&["-local", "-srcdir"]))
        .writes(&Writes { when: &["-w", "--write"], ..FORMATTER }),
    &row(&["biome", "rome"]).writes(&Writes { when: &["-w", "--write", "--apply", "--fix"], ..FORMATTER }),
    &row(&["stylelint", "standard", "xo", "rubocop"])
        .writes(&Writes { when: &["--fix", "-a", "-A", "--auto-correct", "-i", "--in-place"], ..FORMATTER }),
    &row(&["clang-format", "astyle", "autopep8"])
        .writes(&Writes { when: &["-i", "-I", "--in-place", "-in-place"], ..FORMATTER }),
    &row(&["isort", "yapf"]).writes(&Writes { unless: &["--check", "--diff", "-c"], ..FORMATTER }),
    &row(&["task", "go-task"])
        .tool(Tool::Task)
        .options(Grammar::gnu(&[
            "-t", "--taskfile", "-d", "--dir", "-o", "--output", "-C", "--concurrency", "-I", "--interval", "--sort",
            "--output-group-begin", "--output-group-end",
        ]))
        .sources(&Sources {
            options: &["-t", "--taskfile"],
            files: &["Taskfile.yml", "Taskfile.yaml"],
            unless: &["-l", "--list", "-a", "--list-all", "-n", "--dry", "--summary"],
            ..SOURCES
        }),
    &row(&["lipo"]).tool(Tool::Lipo),
    &row(&["_mocha", "ava", "tap", "playwright", "cypress", "rspec", "phpunit", "ctest", "nextest"]).is(&[TestRunner]),
    &row(&["invoke", "inv"]).tasks(&Tasks { files: &["tasks.py"], code: &PYTHON }),
    &row(&["nox"]).tasks(&Tasks { files: &["noxfile.py"], code: &PYTHON }),
    &row(&["scons"]).tasks(&Tasks { files: &["SConstruct"], code: &PYTHON }),
    &row(&["rake"])
        .settings(&["RAILS_ENV", "RACK_ENV"])
        .tasks(&Tasks { files: &["Rakefile", "rakefile", "Rakefile.rb"], code: &RUBY }),
    &row(&["gulp"]).tasks(&Tasks { files: &["gulpfile.js", "gulpfile.mjs"], code: &NODE }),
    &row(&["grunt"]).tasks(&Tasks { files: &["Gruntfile.js"], code: &NODE }),
];
