//! Shells, their builtins, and what runs a line for each item.

use super::Trait::{
    Destructive, Followed, HandsOn, Interpreter, ManyInOne, NeverApproved, Reader, RunsAnything, RunsInput, Shell,
    Silent, System, TakesText, Unread,
};
use super::code::ELIXIR;
use super::reads::{PASSES, Passes, Way, verbs};
use super::runs::{RUNS, Runs};
use super::{PROGRAM, Program, Tool, traits};

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
        names: &["busybox"],
        is: traits(&[Destructive, HandsOn, ManyInOne]),
        tool: Tool::Busybox,
        runs: &[Runs { without: &["--list", "--help", "--install"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["toybox"],
        is: traits(&[ManyInOne]),
        tool: Tool::Busybox,
        runs: &[Runs { without: &["--list", "--help", "--install"], ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["coreutils"], is: traits(&[ManyInOne]), runs: &[Runs { ..RUNS }], ..PROGRAM },
    Program { names: &["export"], is: traits(&[Silent, HandsOn]), tool: Tool::Export, ..PROGRAM },
    Program { names: &["history"], is: traits(&[Silent, TakesText, Reader]), tool: Tool::History, ..PROGRAM },
    Program { names: &["set"], is: traits(&[Silent, HandsOn]), tool: Tool::Set, ..PROGRAM },
    Program { names: &["trap"], is: traits(&[Silent]), tool: Tool::Trap, ..PROGRAM },
    Program { names: &["fc", "command-not-found"], is: traits(&[TakesText]), ..PROGRAM },
    Program { names: &["compgen"], is: traits(&[TakesText]), tool: Tool::Complete, ..PROGRAM },
    Program {
        names: &["bash", "sh", "zsh", "dash"],
        is: traits(&[Destructive, Interpreter, HandsOn, System, Shell, NeverApproved, RunsAnything, RunsInput]),
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
    Program { names: &["csh", "tcsh"], is: traits(&[Followed, Shell]), ..PROGRAM },
    Program { names: &["parallel"], is: traits(&[Followed, HandsOn]), tool: Tool::Parallel, ..PROGRAM },
    Program { names: &["sem"], is: traits(&[Followed]), tool: Tool::Parallel, ..PROGRAM },
    Program { names: &["mksh"], is: traits(&[Interpreter, Shell]), ..PROGRAM },
    Program { names: &["ash"], is: traits(&[Interpreter, Shell, RunsInput]), ..PROGRAM },
    Program { names: &["fish"], is: traits(&[Interpreter, System, Shell, NeverApproved, RunsAnything]), ..PROGRAM },
    Program { names: &["ksh"], is: traits(&[Interpreter, System, Shell, RunsAnything, RunsInput]), ..PROGRAM },
    Program { names: &["exec"], is: traits(&[HandsOn, NeverApproved, RunsAnything]), tool: Tool::Exec, ..PROGRAM },
    Program { names: &["read"], is: traits(&[HandsOn]), tool: Tool::Read, ..PROGRAM },
    Program { names: &["mapfile", "readarray"], is: traits(&[HandsOn]), tool: Tool::Mapfile, ..PROGRAM },
    Program { names: &["declare", "local", "typeset"], is: traits(&[HandsOn]), tool: Tool::Export, ..PROGRAM },
    Program {
        names: &["ksh93", "rbash", "yash", "hush", "pdksh", "xonsh", "nu", "elvish", "osh"],
        is: traits(&[Shell]),
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
    Program { names: &["chdir"], tool: Tool::Cd, ..PROGRAM },
    Program { names: &["readonly"], tool: Tool::Export, ..PROGRAM },
    Program { names: &["unset"], tool: Tool::Unset, ..PROGRAM },
    Program { names: &["shift"], tool: Tool::Shift, ..PROGRAM },
    Program { names: &["alias"], tool: Tool::Alias, ..PROGRAM },
    Program { names: &["unalias"], tool: Tool::Unalias, ..PROGRAM },
    Program { names: &["hash"], tool: Tool::Hash, ..PROGRAM },
    Program { names: &["complete", "bind"], tool: Tool::Complete, ..PROGRAM },
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
