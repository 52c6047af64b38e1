//! Interpreters of languages.

use super::Trait::{
    Destructive, Editor, Followed, Holds, Installs, Interpreter, RunsAnything, RunsFile, RunsInput, Silent,
    TestsByVerb, Unread, Versioned,
};
use super::code::{
    APPLE_SCRIPT, CRYSTAL, DENO, ELIXIR, JULIA, LISP, LUA, NODE, NODE_ITSELF, NUMERIC, OCAML, OTHER, PERL, PHP, PYTHON,
    R, RUBY, TCL,
};
use super::reads::{HELP, exactly};
use super::runs::{First, RUNS, Runs};
use super::sources::{Input, SOURCES, Sourced, Sources};
use super::types::{How, Types};
use super::writes::{COMPILER, WRITES, Writes};
use super::{Program, Tool, row};
use crate::options::Grammar;

const GDB: Grammar<'_> = Grammar {
    table: &[
        "-eix", "-nx", "-n", "-nh", "-q", "-quiet", "-silent", "-batch", "-batch-silent", "-statistics", "-nw",
        "-write", "-version", "-help", "-configuration",
    ],
    ends: true,
    ..Grammar::words(&[
        "-ex", "--ex", "-iex", "--iex", "-eval-command", "--eval-command", "-init-eval-command", "--init-eval-command",
        "-x", "-command", "--command", "-ix", "-init-command", "--init-command", "-p", "-pid", "--pid", "-cd", "--cd",
        "-d", "-directory", "--directory", "-s", "-symbols", "--symbols", "-e", "-exec", "--exec", "-se", "--se", "-c",
        "-core", "--core", "-tty", "--tty", "-D", "-data-directory", "--data-directory", "-i", "-interpreter",
        "--interpreter",
    ])
};

const LLDB: Grammar<'_> = Grammar::gnu(&[
    "-o", "--one-line", "-O", "--one-line-before-file", "-s", "--source", "-S", "--source-before-file", "-k",
    "--one-line-on-crash", "-K", "--source-on-crash", "-p", "--attach-pid", "-n", "--attach-name", "-f", "--file",
    "-c", "--core", "-a", "--arch", "-l", "--script-language",
]);

/// Commands in files; two of the names mean something else to the other debugger, and a file of that is no text.
const DEBUGGER: Sources = Sources {
    options: &[
        "-x", "-command", "--command", "-ix", "-init-command", "--init-command", "-s", "--source", "-S",
        "--source-before-file",
    ],
    input: Input::Always,
    ..SOURCES
};

const JAVA: Grammar<'_> = Grammar::one_dash(&[
    "-jar", "-cp", "-classpath", "--class-path", "-p", "--module-path", "-m", "--module", "--source", "--add-modules",
    "--add-opens", "--add-exports", "--enable-native-access",
]);

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["python"])
        .is(&[RunsFile, Destructive, Interpreter, Versioned, RunsAnything, RunsInput])
        .options(Grammar::gnu(&["-c", "-m", "-W", "-X", "-Q", "--check-hash-based-pycs"]))
        .reads(&[HELP])
        .code(&PYTHON),
    &row(&["python3"]).is(&[Destructive, Versioned, RunsAnything, RunsInput]).reads(&[HELP]).code(&PYTHON),
    &row(&["node"])
        .is(&[RunsFile, Destructive, Interpreter, Versioned, RunsAnything])
        .tool(Tool::Node)
        .reads(&[HELP, exactly(&["-v"])])
        .code(&NODE_ITSELF),
    &row(&["deno"])
        .is(&[RunsFile, Silent, Installs, TestsByVerb])
        .tool(Tool::Deno)
        .reads(&[HELP])
        .runs(&[Runs {
            verbs: &["run", "x", ""],
            values: &["-c", "--config", "--import-map", "--lock", "--location", "--seed", "--cert", "--ext", "-L"],
            first: First::Begins("npm:"),
            package: true,
            ..RUNS
        }])
        .code(&DENO),
    &row(&["ruby"]).is(&[RunsFile, Interpreter, Editor, RunsAnything]).reads(&[HELP, exactly(&["-v"])]).code(&RUBY),
    &row(&["perl"])
        .is(&[RunsFile, Destructive, Interpreter, Editor, RunsAnything])
        .reads(&[HELP, exactly(&["-v"])])
        .code(&PERL),
    &row(&["php"])
        .is(&[RunsFile, Interpreter, RunsAnything])
        .tool(Tool::Php)
        .settings(&["APP_ENV"])
        .reads(&[HELP, exactly(&["-v"])])
        .code(&PHP),
    &row(&["java"]).is(&[RunsFile]).options(JAVA).reads(&[HELP, exactly(&["-version"])]).sources(&Sources {
        options: &["-jar", "-cp", "-classpath", "--class-path", "-p", "--module-path"],
        operands: Sourced::First,
        ..SOURCES
    }),
    &row(&["scala", "erl"]).is(&[Unread]).reads(&[HELP]).code(&OTHER),
    &row(&["swift"]).is(&[Unread, TestsByVerb]).reads(&[HELP]).code(&OTHER),
    &row(&["kotlin"]).is(&[Unread]).reads(&[HELP]).code(&NUMERIC),
    &row(&["elixir"]).is(&[Unread]).reads(&[HELP]).code(&ELIXIR),
    &row(&["ghc"])
        .is(&[Unread])
        .options(Grammar::one_dash(&["-o", "-odir", "-hidir", "-x", "-e"]))
        .reads(&[HELP])
        .writes(&COMPILER)
        .code(&OTHER),
    &row(&["lua"]).is(&[Unread]).reads(&[HELP]).code(&LUA),
    &row(&["R"]).reads(&[HELP]),
    &row(&["julia"]).is(&[Unread]).reads(&[HELP]).code(&JULIA),
    &row(&["gdb", "rust-gdb"]).is(&[Unread, Holds]).tool(Tool::Gdb).options(GDB).sources(&DEBUGGER).runs(&[Runs {
        before: &["--args", "--"],
        skip: usize::MAX,
        ..RUNS
    }]),
    &row(&["lldb", "rust-lldb"]).is(&[Unread, Holds]).tool(Tool::Gdb).options(LLDB).sources(&DEBUGGER).runs(&[Runs {
        before: &["--args", "--"],
        skip: usize::MAX,
        ..RUNS
    }]),
    &row(&["php-fpm"]).is(&[Silent]),
    &row(&["bb", "clisp", "clj", "clojure", "csi", "ecl", "guile", "racket", "sbcl"]).is(&[Unread]).code(&LISP),
    &row(&["bc", "gp"]).is(&[Unread]),
    &row(&["ghci"]).is(&[Unread]).sources(&Sources { input: Input::Always, operands: Sourced::All, ..SOURCES }),
    &row(&["dart"]).sources(&Sources { verbs: &["run", "compile"], operands: Sourced::First, ..SOURCES }),
    &row(&["rust-script", "groovysh", "pry", "kscript"]).sources(&Sources {
        operands: Sourced::First,
        input: Input::Alone,
        ..SOURCES
    }),
    &row(&["crystal"]).is(&[Unread]).options(Grammar::one_dash(&["-o", "-D"])).writes(&COMPILER).code(&CRYSTAL),
    &row(&["dc"]).is(&[Unread]).tool(Tool::Dc),
    &row(&["escript", "gjs", "groovy", "jshell", "nim", "runghc"]).is(&[Unread]).code(&OTHER),
    &row(&["expect"])
        .is(&[Unread])
        .options(Grammar::one_dash(&["-c", "-f"]))
        .types(&[Types { verbs: &[], how: How::Code }])
        .code(&TCL),
    &row(&["gnuplot", "matlab", "maxima", "octave", "octave-cli"]).is(&[Unread]).code(&NUMERIC),
    &row(&["kotlinc"])
        .is(&[Unread])
        .options(Grammar::one_dash(&["-d", "-cp", "-classpath", "-e"]))
        .writes(&Writes { dirs: &["-d"], ..WRITES })
        .sources(&Sources { operands: Sourced::First, unless: &["-d"], ..SOURCES })
        .code(&NUMERIC),
    &row(&["littler", "r", "rscript"]).is(&[Unread]).code(&R),
    &row(&["luajit"]).is(&[Unread]).code(&LUA),
    &row(&["ocaml", "ocamlfind"]).is(&[Unread]).code(&OCAML),
    &row(&["osascript"])
        .is(&[Unread])
        .types(&[Types { verbs: &[], how: How::Code }])
        .code(&APPLE_SCRIPT)
        .tool(Tool::Osascript)
        .options(Grammar::one_dash(&["-e", "-l", "-s"])),
    &row(&["raku"]).is(&[Unread]).code(&ELIXIR),
    &row(&["tclsh", "wish"]).is(&[Unread]).code(&TCL),
    &row(&["ipython"])
        .is(&[Followed])
        .options(Grammar::gnu(&["-c", "-m", "-W", "-X", "-Q", "--check-hash-based-pycs"]))
        .code(&PYTHON),
    &row(&["nodejs", "tsx"]).is(&[RunsFile, Interpreter]).tool(Tool::Node).code(&NODE_ITSELF),
    &row(&["py", "pypy"]).is(&[Interpreter]).code(&PYTHON),
    &row(&["ts-node"]).is(&[RunsFile, Interpreter]).code(&NODE),
    &row(&["autoexpect"]).options(Grammar::one_dash(&["-c", "-f"])).types(&[Types { verbs: &[], how: How::Code }]),
    &row(&["python2", "pypy3", "micropython", "sage"]).code(&PYTHON),
    &row(&["qjs", "zx"]).code(&NODE),
    &row(&["jruby", "irb"]).code(&RUBY),
];
