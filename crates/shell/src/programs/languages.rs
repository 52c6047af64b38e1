//! Interpreters of languages.

use super::Trait::{
    Destructive, Editor, Followed, Holds, Installs, Interpreter, RunsAnything, RunsFile, RunsInput, Silent,
    TestsByVerb, Unread, Versioned,
};
use super::code::{
    APPLE_SCRIPT, CRYSTAL, DENO, ELIXIR, JULIA, LISP, LUA, NODE, NUMERIC, OCAML, OTHER, PERL, PHP, PYTHON, R, RUBY, TCL,
};
use super::reads::exactly;
use super::runs::{RUNS, Runs};
use super::types::{How, Types};
use super::writes::{COMPILER, WRITES, Writes};
use super::{PROGRAM, Program, Tool, traits};
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

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["python"],
        is: traits(&[RunsFile, Destructive, Interpreter, Versioned, RunsAnything, RunsInput]),
        options: Grammar::gnu(&["-c", "-m", "-W", "-X", "-Q", "--check-hash-based-pycs"]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        code: Some(&PYTHON),
        ..PROGRAM
    },
    Program {
        names: &["python3"],
        is: traits(&[Destructive, Versioned, RunsAnything, RunsInput]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        code: Some(&PYTHON),
        ..PROGRAM
    },
    Program {
        names: &["node"],
        is: traits(&[RunsFile, Destructive, Interpreter, Versioned, RunsAnything]),
        tool: Tool::Node,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]), // Not `yarn`, which starts the program that the project's settings name.
            exactly(&["-v"]),
        ],
        code: Some(&NODE),
        ..PROGRAM
    },
    Program {
        names: &["deno"],
        is: traits(&[RunsFile, Silent, Installs, TestsByVerb]),
        tool: Tool::Deno,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        code: Some(&DENO),
        ..PROGRAM
    },
    Program {
        names: &["ruby"],
        is: traits(&[RunsFile, Interpreter, Editor, RunsAnything]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]), // Not `yarn`, which starts the program that the project's settings name.
            exactly(&["-v"]),
        ],
        code: Some(&RUBY),
        ..PROGRAM
    },
    Program {
        names: &["perl"],
        is: traits(&[RunsFile, Destructive, Interpreter, Editor, RunsAnything]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]), // Not `yarn`, which starts the program that the project's settings name.
            exactly(&["-v"]),
        ],
        code: Some(&PERL),
        ..PROGRAM
    },
    Program {
        names: &["php"],
        is: traits(&[RunsFile, Interpreter, RunsAnything]),
        tool: Tool::Php,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]), // Not `yarn`, which starts the program that the project's settings name.
            exactly(&["-v"]),
        ],
        code: Some(&PHP),
        ..PROGRAM
    },
    Program {
        names: &["java"],
        is: traits(&[RunsFile]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
            exactly(&["-version"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["scala", "erl"],
        is: traits(&[Unread]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        code: Some(&OTHER),
        ..PROGRAM
    },
    Program {
        names: &["swift"],
        is: traits(&[Unread, TestsByVerb]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        code: Some(&OTHER),
        ..PROGRAM
    },
    Program {
        names: &["kotlin"],
        is: traits(&[Unread]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        code: Some(&NUMERIC),
        ..PROGRAM
    },
    Program {
        names: &["elixir"],
        is: traits(&[Unread]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        code: Some(&ELIXIR),
        ..PROGRAM
    },
    Program {
        names: &["ghc"],
        is: traits(&[Unread]),
        options: Grammar::one_dash(&["-o", "-odir", "-hidir", "-x", "-e"]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&COMPILER),
        code: Some(&OTHER),
        ..PROGRAM
    },
    Program {
        names: &["lua"],
        is: traits(&[Unread]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        code: Some(&LUA),
        ..PROGRAM
    },
    Program {
        names: &["R"],
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["julia"],
        is: traits(&[Unread]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        code: Some(&JULIA),
        ..PROGRAM
    },
    Program {
        names: &["gdb", "rust-gdb"],
        is: traits(&[Unread, Holds]),
        tool: Tool::Gdb,
        options: GDB,
        runs: &[Runs { before: &["--args", "--"], skip: usize::MAX, ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["lldb", "rust-lldb"],
        is: traits(&[Unread, Holds]),
        tool: Tool::Gdb,
        options: LLDB,
        runs: &[Runs { before: &["--args", "--"], skip: usize::MAX, ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["php-fpm"], is: traits(&[Silent]), ..PROGRAM },
    Program {
        names: &["bb", "clisp", "clj", "clojure", "csi", "ecl", "guile", "racket", "sbcl"],
        is: traits(&[Unread]),
        code: Some(&LISP),
        ..PROGRAM
    },
    Program { names: &["bc", "ghci", "gp"], is: traits(&[Unread]), ..PROGRAM },
    Program {
        names: &["crystal"],
        is: traits(&[Unread]),
        options: Grammar::one_dash(&["-o", "-D"]),
        writes: Some(&COMPILER),
        code: Some(&CRYSTAL),
        ..PROGRAM
    },
    Program { names: &["dc"], is: traits(&[Unread]), tool: Tool::Dc, ..PROGRAM },
    Program {
        names: &["escript", "gjs", "groovy", "jshell", "nim", "runghc"],
        is: traits(&[Unread]),
        code: Some(&OTHER),
        ..PROGRAM
    },
    Program {
        names: &["expect"],
        is: traits(&[Unread]),
        options: Grammar::one_dash(&["-c", "-f"]),
        types: &[Types { verbs: &[], how: How::Code }],
        code: Some(&TCL),
        ..PROGRAM
    },
    Program {
        names: &["gnuplot", "matlab", "maxima", "octave", "octave-cli"],
        is: traits(&[Unread]),
        code: Some(&NUMERIC),
        ..PROGRAM
    },
    Program {
        names: &["kotlinc"],
        is: traits(&[Unread]),
        options: Grammar::one_dash(&["-d", "-cp", "-classpath", "-e"]),
        writes: Some(&Writes { folders: &["-d"], ..WRITES }),
        code: Some(&NUMERIC),
        ..PROGRAM
    },
    Program { names: &["littler", "r", "rscript"], is: traits(&[Unread]), code: Some(&R), ..PROGRAM },
    Program { names: &["luajit"], is: traits(&[Unread]), code: Some(&LUA), ..PROGRAM },
    Program { names: &["ocaml", "ocamlfind"], is: traits(&[Unread]), code: Some(&OCAML), ..PROGRAM },
    Program {
        names: &["osascript"],
        is: traits(&[Unread]),
        types: &[Types { verbs: &[], how: How::Code }],
        code: Some(&APPLE_SCRIPT),
        tool: Tool::Osascript,
        options: Grammar::one_dash(&["-e", "-l", "-s"]),
        ..PROGRAM
    },
    Program { names: &["raku"], is: traits(&[Unread]), code: Some(&ELIXIR), ..PROGRAM },
    Program { names: &["tclsh", "wish"], is: traits(&[Unread]), code: Some(&TCL), ..PROGRAM },
    Program {
        names: &["ipython"],
        is: traits(&[Followed]),
        options: Grammar::gnu(&["-c", "-m", "-W", "-X", "-Q", "--check-hash-based-pycs"]),
        code: Some(&PYTHON),
        ..PROGRAM
    },
    Program {
        names: &["nodejs", "tsx"],
        is: traits(&[RunsFile, Interpreter]),
        tool: Tool::Node,
        code: Some(&NODE),
        ..PROGRAM
    },
    Program { names: &["py", "pypy"], is: traits(&[Interpreter]), code: Some(&PYTHON), ..PROGRAM },
    Program { names: &["ts-node"], is: traits(&[RunsFile, Interpreter]), code: Some(&NODE), ..PROGRAM },
    Program {
        names: &["autoexpect"],
        options: Grammar::one_dash(&["-c", "-f"]),
        types: &[Types { verbs: &[], how: How::Code }],
        ..PROGRAM
    },
    Program { names: &["python2", "pypy3", "micropython", "sage"], code: Some(&PYTHON), ..PROGRAM },
    Program { names: &["qjs", "zx"], code: Some(&NODE), ..PROGRAM },
    Program { names: &["jruby", "irb"], code: Some(&RUBY), ..PROGRAM },
];
