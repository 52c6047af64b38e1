//! Shells, their builtins, and what runs a line for each item.

use super::Trait::{
    Destructive, Followed, HandsOn, Interpreter, ManyInOne, NeverApproved, Reader, Shell, Silent, System, TakesText,
};
use super::reads::{PASSES, Passes, Way, verbs};
use super::runs::{RUNS, Runs};
use super::{PROGRAM, Program, traits};

pub(super) const PROGRAMS: &[Program] = &[
    Program { names: &["which"], is: traits(&[Silent, TakesText, Reader, System]), reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["type"], is: traits(&[Silent, TakesText]), reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["jobs", "times"], reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["command"],
        is: traits(&[Destructive, HandsOn]),
        reads: &[verbs(&["-v", "-V"])],
        passes: Some(&Passes { ..PASSES }),
        ..PROGRAM
    },
    Program { names: &["builtin"], passes: Some(&Passes { ..PASSES }), ..PROGRAM },
    Program {
        names: &["env"],
        is: traits(&[Destructive, HandsOn, System]),
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
        runs: &[Runs { without: &["--list", "--help", "--install"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["toybox"],
        is: traits(&[ManyInOne]),
        runs: &[Runs { without: &["--list", "--help", "--install"], ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["coreutils"], is: traits(&[ManyInOne]), runs: &[Runs { ..RUNS }], ..PROGRAM },
    Program { names: &["export", "set"], is: traits(&[Silent, HandsOn]), ..PROGRAM },
    Program { names: &["history"], is: traits(&[Silent, TakesText, Reader]), ..PROGRAM },
    Program { names: &["trap"], is: traits(&[Silent]), ..PROGRAM },
    Program { names: &["fc", "compgen", "command-not-found"], is: traits(&[TakesText]), ..PROGRAM },
    Program {
        names: &["bash", "sh", "zsh", "dash"],
        is: traits(&[Destructive, Interpreter, HandsOn, System, Shell, NeverApproved]),
        ..PROGRAM
    },
    Program { names: &["eval"], is: traits(&[Destructive, HandsOn, NeverApproved]), ..PROGRAM },
    Program { names: &["cmd", "powershell", "pwsh", "sem"], is: traits(&[Followed]), ..PROGRAM },
    Program { names: &["csh", "tcsh"], is: traits(&[Followed, Shell]), ..PROGRAM },
    Program { names: &["parallel"], is: traits(&[Followed, HandsOn]), ..PROGRAM },
    Program { names: &["ash", "mksh"], is: traits(&[Interpreter, Shell]), ..PROGRAM },
    Program { names: &["fish"], is: traits(&[Interpreter, System, Shell, NeverApproved]), ..PROGRAM },
    Program { names: &["ksh"], is: traits(&[Interpreter, System, Shell]), ..PROGRAM },
    Program { names: &["exec"], is: traits(&[HandsOn, NeverApproved]), ..PROGRAM },
    Program {
        names: &["read", "mapfile", "readarray", "declare", "local", "typeset"],
        is: traits(&[HandsOn]),
        ..PROGRAM
    },
    Program {
        names: &["ksh93", "rbash", "yash", "hush", "pdksh", "xonsh", "nu", "elvish", "osh"],
        is: traits(&[Shell]),
        ..PROGRAM
    },
    Program { names: &["busybox.static"], is: traits(&[ManyInOne]), ..PROGRAM },
    Program { names: &["source", "."], is: traits(&[NeverApproved]), ..PROGRAM },
];
