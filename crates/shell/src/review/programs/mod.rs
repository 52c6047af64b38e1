//! The tables: programs, the ways of calling them that only read, and the programs that run another one. Values only.

mod build;
mod cloud;
mod files;
mod forge;
mod git;
mod packages;
mod system;
mod text;

use super::table::{Operands, Program, Style, Way, Wrapper};

/// Programs that no setting and no argument makes safe (S1-67). None of them is in the tables, and a test keeps it so.
pub const NEVER: &[&str] = &[
    "rm", "rmdir", "kill", "killall", "pkill", "sudo", "su", "doas", "eval", "exec", "source", ".", "bash", "sh",
    "zsh", "dash", "fish", "dd", "mkfs", "mount", "umount", "systemctl", "launchctl", "crontab", "ssh", "scp", "rsync",
    "wget", "apt", "apt-get", "yum", "dnf", "pacman", "apk", "chown", "chgrp", "nohup",
];

/// Words that do something, wherever they stand among a command's verbs; `delete` also stands for `delete-tags`.
pub const VERBS: &[&str] = &[
    "abandon", "accept", "activate", "add", "apply", "approve", "assign", "attach", "auth", "backup", "batch", "bind",
    "boot", "build", "call", "cancel", "change", "clear", "clone", "close", "complete", "config", "configure",
    "confirm", "connect", "copy", "create", "deactivate", "deallocate", "decrypt", "delete", "deploy", "deregister",
    "detach", "disable", "download", "drop", "edit", "enable", "encrypt", "exec", "execute", "expand", "export",
    "failover", "generate", "grant", "import", "init", "install", "instances-delete", "invoke", "issue", "kill",
    "lock", "login", "logout", "merge", "migrate", "modify", "move", "open", "patch", "perform", "promote", "publish",
    "pull", "purge", "push", "put", "query", "reboot", "recover", "redeploy", "refresh", "regenerate", "register",
    "reject", "release", "remove", "rename", "renew", "replace", "request", "reset", "resize", "resolve", "restart",
    "restore", "resume", "revoke", "rollback", "rotate", "run", "save", "scale", "scp", "send", "set", "sign", "ssh",
    "start", "stop", "submit", "suspend", "swap", "sync", "tag", "terminate", "test", "trigger", "tunnel", "unassign",
    "undelete", "uninstall", "unlock", "unregister", "unset", "untag", "update", "upgrade", "upload", "use", "wait",
    "write",
];

/// Programs that run another one.
pub const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        names: &["timeout", "gtimeout"],
        only: &["-k=", "--kill-after=", "-s=", "--signal=", "-v", "--preserve-status", "--foreground"],
        skip: 1,
        ..PLAIN
    },
    Wrapper { names: &["nice"], only: &["-n=", "--adjustment=", "-#"], ..PLAIN },
    Wrapper { names: &["ionice"], only: &["-c=", "-n=", "-t"], ..PLAIN },
    Wrapper { names: &["stdbuf"], only: &["-i=", "-o=", "-e="], ..PLAIN },
    Wrapper { names: &["time"], only: &["-p"], ..PLAIN },
    Wrapper { names: &["command", "builtin"], ..PLAIN },
    Wrapper {
        names: &["env"],
        only: &["-u=", "--unset=", "-i", "-0", "--null", "-C=", "--chdir=", "--ignore-environment"],
        assigns: true,
        alone: true,
        ..PLAIN
    },
    Wrapper {
        names: &["xargs"],
        only: &[
            "-0", "--null", "-r", "--no-run-if-empty", "-t", "--verbose", "-x", "--exit", "-n=", "--max-args=", "-P=",
            "--max-procs=", "-L=", "-I=", "-d=", "--delimiter=", "-s=", "-a=", "--arg-file=", "-E=",
        ],
        adds: true,
        alone: true,
        ..PLAIN
    },
];

const PLAIN: Wrapper = Wrapper { names: &[], only: &[], skip: 0, assigns: false, adds: false, alone: false };

/// Every program.
pub fn all() -> impl Iterator<Item = &'static Program> {
    [
        files::PROGRAMS,
        text::PROGRAMS,
        system::PROGRAMS,
        git::PROGRAMS,
        forge::PROGRAMS,
        packages::PROGRAMS,
        build::PROGRAMS,
        cloud::PROGRAMS,
    ]
    .into_iter()
    .flatten()
}

/// Programs of which all calls only read.
const fn any(names: &'static [&'static str]) -> Program {
    Program { names, ways: &[Way::ANY], ..Program::NEW }
}

/// Programs with these ways.
const fn program(names: &'static [&'static str], ways: &'static [Way]) -> Program {
    Program { names, ways, ..Program::NEW }
}

/// Calls with these verbs, and any arguments behind them.
const fn verbs(verbs: &'static [&'static str]) -> Way {
    Way { verbs, ..Way::ANY }
}

/// Any call without these options.
const fn but(but: &'static [&'static str]) -> Way {
    Way { but, ..Way::ANY }
}

/// Calls with these options alone.
const fn only(only: &'static [&'static str]) -> Way {
    Way { only, ..Way::ANY }
}

/// Calls with these options alone, and so many operands.
const fn few(options: &'static [&'static str], operands: usize) -> Way {
    Way { only: options, operands: Operands::AtMost(operands), ..Way::ANY }
}

/// The verb and nothing else.
const fn exactly(verbs: &'static [&'static str]) -> Way {
    Way { verbs, only: &["-h", "--help"], operands: Operands::AtMost(0), ..Way::ANY }
}

/// Any call without these words, which stand behind one dash.
const fn without(but: &'static [&'static str]) -> Way {
    Way { but, style: Style::Words, ..Way::ANY }
}

/// Asking a program who it is.
const VERSION: Way = exactly(&["--version", "-V", "--help", "version", "-version"]);
