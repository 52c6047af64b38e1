//! Shells, their builtins, and what runs a line for each item.

use super::Trait::{
    Destructive, Followed, HandsOn, Interpreter, ManyInOne, NeverApproved, Reader, RunsAnything, RunsFile, RunsInput,
    Shell, Silent, System, TakesText, Unread,
};
use super::code::ELIXIR;
use super::reads::{PASSES, Passes, Way, verbs};
use super::runs::{RUNS, Runs};
use super::{Program, Tool, row};
use crate::options::Grammar;

/// Options of a shell and of its `set`. The value stands apart even within a bundle: `-euo pipefail`.
const OF_SHELLS: Grammar<'_> = Grammar {
    table: &["-o ", "-O ", "--rcfile ", "--init-file "],
    bundles: true,
    ends: true,
    plus: true,
    ..Grammar::WORDS
};

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["which"]).is(&[Silent, TakesText, Reader, System]).tool(Tool::Type).reads(&[Way::ANY]),
    &row(&["type"]).is(&[Silent, TakesText]).tool(Tool::Type).reads(&[Way::ANY]),
    &row(&["jobs", "times"]).tool(Tool::Nothing).reads(&[Way::ANY]),
    &row(&["command"])
        .is(&[Destructive, HandsOn])
        .tool(Tool::Command)
        .reads(&[verbs(&["-v", "-V"])])
        .passes(&Passes { ..PASSES }),
    &row(&["builtin"]).tool(Tool::Builtin).passes(&Passes { ..PASSES }),
    &row(&["env"])
        .is(&[Destructive, HandsOn, System, RunsAnything])
        .tool(Tool::Env)
        .options(Grammar {
            table: &["--block-signal[=]", "--default-signal[=]", "--ignore-signal[=]"],
            ..Grammar::gnu(&["-S", "--split-string", "-u", "--unset", "-C", "--chdir", "-a", "--argv0", "-P"])
        })
        .runs(&[Runs {
            values: &["-u", "--unset", "-C", "--chdir", "-a", "--argv0"],
            lines: &["-S", "--split-string"],
            dirs: &["-C", "--chdir"],
            assigns: true,
            without: &["--help", "--version"],
            environment: true,
            ..RUNS
        }])
        .passes(&Passes {
            only: &["-u=", "--unset=", "-i", "-0", "--null", "-C=", "--chdir=", "--ignore-environment"],
            assigns: true,
            alone: true,
            ..PASSES
        }),
    &row(&["xargs"])
        .is(&[Destructive, Followed, HandsOn, System])
        .tool(Tool::Xargs)
        .options(Grammar {
            table: &["-i[=]", "--replace[=]", "-e[=]", "--eof[=]", "-l[=]", "--max-lines[=]"],
            ..Grammar::gnu(&[
                "-I", "-n", "-P", "-d", "-E", "-L", "-s", "-a", "-S", "-J", "-R", "--arg-file", "--delimiter",
                "--max-args", "--max-procs", "--max-chars", "--process-slot-var",
            ])
        })
        .passes(&Passes {
            only: &[
                "-0", "--null", "-r", "--no-run-if-empty", "-t", "--verbose", "-x", "--exit", "-n=", "--max-args=",
                "-P=", "--max-procs=", "-L=", "-I=", "-d=", "--delimiter=", "-s=", "-a=", "--arg-file=", "-E=",
            ],
            adds: true,
            alone: true,
            ..PASSES
        }),
    &row(&["busybox", "toybox"])
        .is(&[Destructive, HandsOn, ManyInOne])
        .tool(Tool::Busybox)
        .runs(&[Runs { without: &["--list", "--help", "--install"], ..RUNS }]),
    &row(&["coreutils"]).is(&[ManyInOne]).runs(&[Runs { ..RUNS }]),
    &row(&["export"]).is(&[Silent, HandsOn]).tool(Tool::Export),
    &row(&["history"]).is(&[Silent, TakesText, Reader]).tool(Tool::History),
    &row(&["set"]).is(&[Silent, HandsOn]).tool(Tool::Set).options(OF_SHELLS),
    &row(&["trap"]).is(&[Silent]).tool(Tool::Trap),
    &row(&["fc", "command-not-found"]).is(&[TakesText]),
    &row(&["compgen"]).is(&[TakesText]).tool(Tool::Complete),
    &row(&["bash", "sh", "zsh", "dash"])
        .is(&[RunsFile, Destructive, Interpreter, HandsOn, System, Shell, NeverApproved, RunsAnything, RunsInput])
        .options(OF_SHELLS),
    &row(&["eval"]).is(&[Destructive, HandsOn, NeverApproved, RunsAnything]).tool(Tool::Eval),
    &row(&["iex"]).is(&[Unread]).tool(Tool::Expression).code(&ELIXIR),
    &row(&["cmd", "powershell", "pwsh"]).is(&[Followed, RunsInput]).tool(Tool::Pwsh),
    &row(&["csh", "tcsh"]).is(&[Followed, Shell]).options(OF_SHELLS),
    &row(&["parallel", "sem"]).is(&[Followed, HandsOn]).tool(Tool::Parallel).options(Grammar::gnu(&[
        "-j", "-P", "-a", "-S", "-n", "-N", "-L", "-I", "-d", "-C", "-E", "--jobs", "--arg-file", "--colsep", "--env",
        "--delay", "--timeout", "--results", "--joblog", "--workdir", "--wd", "--tmpdir", "--max-args", "--delimiter",
        "--retries", "--load", "--memfree", "--sshlogin", "--tagstring", "--halt", "--nice", "--basefile",
        "--transferfile", "--return", "--block", "--recstart", "--recend",
    ])),
    &row(&["mksh"]).is(&[Interpreter, Shell]).options(OF_SHELLS),
    &row(&["ash"]).is(&[Interpreter, Shell, RunsInput]).options(OF_SHELLS),
    &row(&["fish"]).is(&[Interpreter, System, Shell, NeverApproved, RunsAnything]).options(OF_SHELLS),
    &row(&["ksh"]).is(&[Interpreter, System, Shell, RunsAnything, RunsInput]).options(OF_SHELLS),
    &row(&["exec"]).is(&[HandsOn, NeverApproved, RunsAnything]).tool(Tool::Exec).options(Grammar::gnu(&["-a"])),
    &row(&["read"])
        .is(&[HandsOn])
        .tool(Tool::Read)
        .options(Grammar::gnu(&["-a", "-d", "-i", "-n", "-N", "-p", "-t", "-u"])),
    &row(&["mapfile", "readarray"])
        .is(&[HandsOn])
        .tool(Tool::Mapfile)
        .options(Grammar::gnu(&["-d", "-n", "-O", "-s", "-u", "-C", "-c"])),
    &row(&["declare", "local", "typeset"]).is(&[HandsOn]).tool(Tool::Export),
    &row(&["ksh93", "rbash", "yash", "hush", "pdksh", "xonsh", "nu", "elvish", "osh"]).is(&[Shell]).options(OF_SHELLS),
    &row(&["busybox.static"]).is(&[ManyInOne]),
    &row(&["source", "."]).is(&[NeverApproved]).tool(Tool::Source),
    &row(&[
        "exit", "return", "break", "continue", "wait", "fg", "bg", "disown", "ulimit", "umask", "logout", "let",
        "suspend", "getopts", "enable",
    ])
    .tool(Tool::Nothing),
    &row(&["shopt"]).tool(Tool::Shopt),
    &row(&["readonly"]).tool(Tool::Export),
    &row(&["unset"]).tool(Tool::Unset),
    &row(&["shift"]).tool(Tool::Shift),
    &row(&["alias"]).tool(Tool::Alias),
    &row(&["unalias"]).tool(Tool::Unalias),
    &row(&["hash"]).tool(Tool::Hash).options(Grammar::gnu(&["-p"])),
    &row(&["complete", "bind"]).tool(Tool::Complete).options(Grammar::gnu(&[
        "-C", "-F", "-x", "-W", "-A", "-G", "-P", "-S", "-X", "-o", "-m", "-q", "-u", "-r", "-f",
    ])),
    &row(&["iwr", "irm", "invoke-webrequest", "invoke-restmethod"]).tool(Tool::WebRequest),
    &row(&["invoke-expression"]).tool(Tool::Expression),
    &row(&["ztcp"]).tool(Tool::Ztcp),
    &row(&["rd", "erase", "deltree", "remove-item", "clear-content"]).tool(Tool::WindowsDelete),
    &row(&["mshta"]).tool(Tool::Mshta),
    &row(&["regsvr32"]).tool(Tool::Regsvr32),
    &row(&["rundll32"]).tool(Tool::Rundll32),
    &row(&["msiexec", "installutil"]).tool(Tool::Msiexec),
    &row(&["certutil", "bitsadmin"]).tool(Tool::Certutil),
    &row(&["bcdedit"]).tool(Tool::Bcdedit),
    &row(&["set-mppreference", "add-mppreference", "remove-mppreference"]).tool(Tool::SetMppreference),
    &row(&["vssadmin", "wbadmin"]).is(&[Destructive]).tool(Tool::Vssadmin),
    &row(&["wmic"]).tool(Tool::Wmic),
    &row(&["reg"]).tool(Tool::Reg),
    &row(&["schtasks"]).tool(Tool::Schtasks),
    &row(&["wevtutil"]).tool(Tool::Wevtutil),
    &row(&["sc"]).tool(Tool::Sc),
    &row(&["format-volume", "clear-disk", "remove-partition", "initialize-disk"]).tool(Tool::Partitions),
    &row(&["clear-recyclebin"]).tool(Tool::EmptiesTrash),
    &row(&["set-executionpolicy"]).tool(Tool::WindowsPolicy),
    &row(&[
        "clear-eventlog", "remove-eventlog", "limit-eventlog", "set-netfirewallprofile", "disable-netfirewallrule",
        "remove-netfirewallrule", "new-netfirewallrule", "enable-psremoting", "disable-bitlocker",
        "disable-computerrestore", "disable-windowsoptionalfeature", "uninstall-windowsfeature", "remove-computer",
        "rename-computer", "set-service", "remove-service", "disable-scheduledtask", "unregister-scheduledtask",
        "remove-appxpackage", "remove-appxprovisionedpackage", "remove-windowspackage", "reagentc", "manage-bde",
    ])
    .tool(Tool::WindowsSettings),
    &row(&[
        "new-service", "register-scheduledtask", "register-scheduledjob", "register-wmievent",
        "register-cimindicationevent",
    ])
    .tool(Tool::StartsLater),
    &row(&[
        "new-localuser", "remove-localuser", "set-localuser", "disable-localuser", "enable-localuser",
        "add-localgroupmember", "remove-localgroupmember",
    ])
    .tool(Tool::WindowsAccounts),
    &row(&["forfiles"]).tool(Tool::Forfiles),
];
