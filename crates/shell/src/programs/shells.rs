//! Shells, their builtins, and what runs a line for each item.

use super::Trait::{
    Destructive, Followed, HandsOn, Interpreter, ManyInOne, NeverApproved, Reader, RunsAnything, RunsFile, RunsInput,
    Shell, Silent, System, TakesText, Unread,
};
use super::code::ELIXIR;
use super::reads::{PASSES, Passes, Way, verbs};
use super::runs::{RUNS, Runs};
use super::{PROGRAM, Program, Tool, traits};
use crate::options::Grammar;

/// Options of a shell and of its `set`. The value stands apart even within a bundle: `-euo pipefail`.
const OF_SHELLS: Grammar<'_> = Grammar {
    table: &["-o ", "-O ", "--rcfile ", "--init-file "],
    bundles: true,
    ends: true,
    plus: true,
    ..Grammar::WORDS
};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["which"],
        is: traits(&[Silent, TakesText, Reader, System]),
        tool: Tool::Type,
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["type"], is: traits(&[Silent, TakesText]), tool: Tool::Type, reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["jobs", "times"], tool: Tool::Nothing, reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["command"],
        is: traits(&[Destructive, HandsOn]),
        tool: Tool::Command,
        reads: &[verbs(&["-v", "-V"])],
        passes: Some(&Passes { ..PASSES }),
        ..PROGRAM
    },
    Program { names: &["builtin"], tool: Tool::Builtin, passes: Some(&Passes { ..PASSES }), ..PROGRAM },
    Program {
        names: &["env"],
        is: traits(&[Destructive, HandsOn, System, RunsAnything]),
        tool: Tool::Env,
        options: Grammar {
            table: &["--block-signal[=]", "--default-signal[=]", "--ignore-signal[=]"],
            ..Grammar::gnu(&["-S", "--split-string", "-u", "--unset", "-C", "--chdir", "-a", "--argv0", "-P"])
        },
        runs: &[Runs {
            values: &["-u", "--unset", "-C", "--chdir", "-a", "--argv0"],
            lines: &["-S", "--split-string"],
            folders: &["-C", "--chdir"],
            assigns: true,
            without: &["--help", "--version"],
            environment: true,
            ..RUNS
        }],
        passes: Some(&Passes {
            only: &["-u=", "--unset=", "-i", "-0", "--null", "-C=", "--chdir=", "--ignore-environment"],
            assigns: true,
            alone: true,
            ..PASSES
        }),
        ..PROGRAM
    },
    Program {
        names: &["xargs"],
        is: traits(&[Destructive, Followed, HandsOn, System]),
        tool: Tool::Xargs,
        options: Grammar {
            table: &["-i[=]", "--replace[=]", "-e[=]", "--eof[=]", "-l[=]", "--max-lines[=]"],
            ..Grammar::gnu(&[
                "-I", "-n", "-P", "-d", "-E", "-L", "-s", "-a", "-S", "-J", "-R", "--arg-file", "--delimiter",
                "--max-args", "--max-procs", "--max-chars", "--process-slot-var",
            ])
        },
        passes: Some(&Passes {
            only: &[
                "-0", "--null", "-r", "--no-run-if-empty", "-t", "--verbose", "-x", "--exit", "-n=", "--max-args=",
                "-P=", "--max-procs=", "-L=", "-I=", "-d=", "--delimiter=", "-s=", "-a=", "--arg-file=", "-E=",
            ],
            adds: true,
            alone: true,
            ..PASSES
        }),
        ..PROGRAM
    },
    Program {
        names: &["busybox", "toybox"],
        is: traits(&[Destructive, HandsOn, ManyInOne]),
        tool: Tool::Busybox,
        runs: &[Runs { without: &["--list", "--help", "--install"], ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["coreutils"], is: traits(&[ManyInOne]), runs: &[Runs { ..RUNS }], ..PROGRAM },
    Program { names: &["export"], is: traits(&[Silent, HandsOn]), tool: Tool::Export, ..PROGRAM },
    Program { names: &["history"], is: traits(&[Silent, TakesText, Reader]), tool: Tool::History, ..PROGRAM },
    Program { names: &["set"], is: traits(&[Silent, HandsOn]), tool: Tool::Set, options: OF_SHELLS, ..PROGRAM },
    Program { names: &["trap"], is: traits(&[Silent]), tool: Tool::Trap, ..PROGRAM },
    Program { names: &["fc", "command-not-found"], is: traits(&[TakesText]), ..PROGRAM },
    Program { names: &["compgen"], is: traits(&[TakesText]), tool: Tool::Complete, ..PROGRAM },
    Program {
        names: &["bash", "sh", "zsh", "dash"],
        is: traits(&[
            RunsFile, Destructive, Interpreter, HandsOn, System, Shell, NeverApproved, RunsAnything, RunsInput,
        ]),
        options: OF_SHELLS,
        ..PROGRAM
    },
    Program {
        names: &["eval"],
        is: traits(&[Destructive, HandsOn, NeverApproved, RunsAnything]),
        tool: Tool::Eval,
        ..PROGRAM
    },
    Program { names: &["iex"], is: traits(&[Unread]), tool: Tool::Expression, code: Some(&ELIXIR), ..PROGRAM },
    Program { names: &["cmd", "powershell", "pwsh"], is: traits(&[Followed, RunsInput]), tool: Tool::Pwsh, ..PROGRAM },
    Program { names: &["csh", "tcsh"], is: traits(&[Followed, Shell]), options: OF_SHELLS, ..PROGRAM },
    Program {
        names: &["parallel", "sem"],
        is: traits(&[Followed, HandsOn]),
        tool: Tool::Parallel,
        options: Grammar::gnu(&[
            "-j", "-P", "-a", "-S", "-n", "-N", "-L", "-I", "-d", "-C", "-E", "--jobs", "--arg-file", "--colsep",
            "--env", "--delay", "--timeout", "--results", "--joblog", "--workdir", "--wd", "--tmpdir", "--max-args",
            "--delimiter", "--retries", "--load", "--memfree", "--sshlogin", "--tagstring", "--halt", "--nice",
            "--basefile", "--transferfile", "--return", "--block", "--recstart", "--recend",
        ]),
        ..PROGRAM
    },
    Program { names: &["mksh"], is: traits(&[Interpreter, Shell]), options: OF_SHELLS, ..PROGRAM },
    Program { names: &["ash"], is: traits(&[Interpreter, Shell, RunsInput]), options: OF_SHELLS, ..PROGRAM },
    Program {
        names: &["fish"],
        is: traits(&[Interpreter, System, Shell, NeverApproved, RunsAnything]),
        options: OF_SHELLS,
        ..PROGRAM
    },
    Program {
        names: &["ksh"],
        is: traits(&[Interpreter, System, Shell, RunsAnything, RunsInput]),
        options: OF_SHELLS,
        ..PROGRAM
    },
    Program {
        names: &["exec"],
        is: traits(&[HandsOn, NeverApproved, RunsAnything]),
        tool: Tool::Exec,
        options: Grammar::gnu(&["-a"]),
        ..PROGRAM
    },
    Program {
        names: &["read"],
        is: traits(&[HandsOn]),
        tool: Tool::Read,
        options: Grammar::gnu(&["-a", "-d", "-i", "-n", "-N", "-p", "-t", "-u"]),
        ..PROGRAM
    },
    Program {
        names: &["mapfile", "readarray"],
        is: traits(&[HandsOn]),
        tool: Tool::Mapfile,
        options: Grammar::gnu(&["-d", "-n", "-O", "-s", "-u", "-C", "-c"]),
        ..PROGRAM
    },
    Program { names: &["declare", "local", "typeset"], is: traits(&[HandsOn]), tool: Tool::Export, ..PROGRAM },
    Program {
        names: &["ksh93", "rbash", "yash", "hush", "pdksh", "xonsh", "nu", "elvish", "osh"],
        is: traits(&[Shell]),
        options: OF_SHELLS,
        ..PROGRAM
    },
    Program { names: &["busybox.static"], is: traits(&[ManyInOne]), ..PROGRAM },
    Program { names: &["source", "."], is: traits(&[NeverApproved]), tool: Tool::Source, ..PROGRAM },
    Program {
        names: &[
            "exit", "return", "break", "continue", "wait", "fg", "bg", "disown", "ulimit", "umask", "logout", "let",
            "suspend", "getopts", "enable",
        ],
        tool: Tool::Nothing,
        ..PROGRAM
    },
    Program { names: &["shopt"], tool: Tool::Shopt, ..PROGRAM },
    Program { names: &["readonly"], tool: Tool::Export, ..PROGRAM },
    Program { names: &["unset"], tool: Tool::Unset, ..PROGRAM },
    Program { names: &["shift"], tool: Tool::Shift, ..PROGRAM },
    Program { names: &["alias"], tool: Tool::Alias, ..PROGRAM },
    Program { names: &["unalias"], tool: Tool::Unalias, ..PROGRAM },
    Program { names: &["hash"], tool: Tool::Hash, options: Grammar::gnu(&["-p"]), ..PROGRAM },
    Program {
        names: &["complete", "bind"],
        tool: Tool::Complete,
        options: Grammar::gnu(&[
            "-C", "-F", "-x", "-W", "-A", "-G", "-P", "-S", "-X", "-o", "-m", "-q", "-u", "-r", "-f",
        ]),
        ..PROGRAM
    },
    Program { names: &["iwr", "irm", "invoke-webrequest", "invoke-restmethod"], tool: Tool::WebRequest, ..PROGRAM },
    Program { names: &["invoke-expression"], tool: Tool::Expression, ..PROGRAM },
    Program { names: &["ztcp"], tool: Tool::Ztcp, ..PROGRAM },
    Program {
        names: &["rd", "erase", "deltree", "remove-item", "clear-disk", "format-volume", "clear-content"],
        tool: Tool::WindowsDelete,
        ..PROGRAM
    },
    Program { names: &["mshta"], tool: Tool::Mshta, ..PROGRAM },
    Program { names: &["regsvr32"], tool: Tool::Regsvr32, ..PROGRAM },
    Program { names: &["rundll32"], tool: Tool::Rundll32, ..PROGRAM },
    Program { names: &["msiexec", "installutil"], tool: Tool::Msiexec, ..PROGRAM },
    Program { names: &["certutil", "bitsadmin"], tool: Tool::Certutil, ..PROGRAM },
    Program { names: &["bcdedit"], tool: Tool::Bcdedit, ..PROGRAM },
    Program { names: &["set-mppreference", "add-mppreference"], tool: Tool::SetMppreference, ..PROGRAM },
    Program { names: &["forfiles"], tool: Tool::Forfiles, ..PROGRAM },
];
