//! Programs that only start another one: with other rights, limits, measurements, environments.

use super::Trait::{Destructive, HandsOn, Holds, NeverApproved, System};
use super::reads::{PASSES, Passes};
use super::runs::{First, RUNS, Rest, Runs};
use super::writes::{OUTPUT, OUTPUTS};
use super::{Program, row};
use crate::options::Grammar;

/// Options of `sudo` with a value.
pub(super) const SUDO: &[&str] = &[
    "-u", "--user", "-g", "--group", "-h", "--host", "-p", "--prompt", "-C", "--close-from", "-D", "--chdir", "-R",
    "--chroot", "-r", "--role", "-t", "--type", "-T", "--command-timeout", "-U", "--other-user", "-a",
];

const SUDO_RUNS: Runs = Runs {
    values: SUDO,
    dirs: &["-D", "--chdir"],
    assigns: true,
    without: &["-l", "--list", "-v", "--validate", "-V", "--version", "--help"],
    privileged: true,
    interactive: true,
    ..RUNS
};

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["timeout", "gtimeout"])
        .is(&[HandsOn])
        .runs(&[Runs { values: &["-k", "--kill-after", "-s", "--signal"], skip: 1, ..RUNS }])
        .passes(&Passes {
            only: &["-k=", "--kill-after=", "-s=", "--signal=", "-v", "--preserve-status", "--foreground"],
            skip: 1,
            ..PASSES
        }),
    &row(&["nice"])
        .is(&[HandsOn])
        .runs(&[Runs { values: &["-n", "--adjustment"], ..RUNS }])
        .passes(&Passes { only: &["-n=", "--adjustment=", "-#"], ..PASSES }),
    &row(&["ionice"])
        .is(&[HandsOn, Holds])
        .runs(&[Runs { values: &["-c", "--class", "-n", "--classdata", "-p", "-P", "-u"], ..RUNS }])
        .passes(&Passes { only: &["-c=", "-n=", "-t"], ..PASSES }),
    &row(&["stdbuf"])
        .is(&[HandsOn])
        .runs(&[Runs { values: &["-i", "--input", "-o", "--output", "-e", "--error"], ..RUNS }])
        .passes(&Passes { only: &["-i=", "-o=", "-e="], ..PASSES }),
    &row(&["time", "gtime"])
        .is(&[HandsOn])
        .options(Grammar::gnu(&["-f", "--format", "-o", "--output"]))
        .runs(&[Runs { values: &["-f", "--format", "-o", "--output"], ..RUNS }])
        .passes(&Passes { only: &["-p"], ..PASSES })
        .writes(&OUTPUT),
    &row(&["sudo"]).is(&[Destructive, HandsOn, System, NeverApproved]).runs(&[SUDO_RUNS]),
    &row(&["doas"]).is(&[HandsOn, System, NeverApproved]).runs(&[SUDO_RUNS]),
    &row(&["pkexec", "run0", "please"]).runs(&[SUDO_RUNS]),
    &row(&["runuser"])
        .options(Grammar::gnu(&[
            "-c", "--command", "--session-command", "-s", "--shell", "-g", "--group", "-G", "--supp-group", "-u",
            "--user", "-w", "--whitelist-environment",
        ]))
        .runs(&[Runs {
            values: &["-u", "--user", "-s", "--shell", "-g", "--group", "-G", "--supp-group", "-w"],
            lines: &["-c", "--command", "--session-command"],
            skip: usize::MAX,
            instead: &["-u", "--user"],
            privileged: true,
            ..RUNS
        }]),
    &row(&["su"])
        .is(&[System, NeverApproved])
        .options(Grammar::gnu(&[
            "-c", "--command", "--session-command", "-s", "--shell", "-g", "--group", "-G", "--supp-group", "-w",
            "--whitelist-environment", "-C",
        ]))
        .runs(&[Runs {
            values: &[
                "-s", "--shell", "-g", "--group", "-G", "--supp-group", "-w", "--whitelist-environment", "-u", "--user",
            ],
            lines: &["-c", "--command", "--session-command"],
            skip: 1,
            into: Some("bash"),
            privileged: true,
            dash: true,
            ..RUNS
        }]),
    &row(&["sg"]).options(Grammar::gnu(&["-c"])).runs(&[Runs { lines: &["-c"], skip: 1, rest: Rest::Line, ..RUNS }]),
    &row(&["nohup"]).is(&[Destructive, HandsOn, NeverApproved]).runs(&[Runs { assigns: true, ..RUNS }]),
    &row(&["setsid", "chronic"]).is(&[HandsOn]).runs(&[Runs { assigns: true, ..RUNS }]),
    &row(&[
        "nocache", "rlwrap", "fakeroot", "catchsegv", "catch", "proxychains", "proxychains4", "torify", "torsocks",
        "xvfb-run", "dbus-run-session", "dbus-launch", "caffeinate", "winpty", "grc", "eatmydata", "linux32",
        "linux64", "pseudo", "ccache", "sccache", "distcc", "tsp", "doch", "noglob", "nocorrect", "aoss", "padsp",
        "heaptrack", "pgrphack", "sandbox-exec", "exec-once", "tsocks", "firejail", "flamegraph", "memusage",
        "scalene", "viztracer", "with-readline",
    ])
    .runs(&[Runs { assigns: true, ..RUNS }]),
    &row(&["valgrind"]).options(Grammar::gnu(OUTPUTS)).runs(&[Runs { assigns: true, ..RUNS }]).writes(&OUTPUT),
    &row(&["chrt"]).is(&[Holds]).runs(&[Runs { values: &["-T", "-P", "-D"], skip: 1, ..RUNS }]),
    &row(&["strace"])
        .is(&[Holds])
        .options(Grammar::gnu(&[
            "-a", "-b", "-e", "--trace", "-E", "-I", "-o", "--output", "-O", "-p", "--attach", "-P", "-s", "-S", "-u",
            "-U", "-X",
        ]))
        .runs(&[Runs {
            values: &["-e", "-o", "-p", "-s", "-u", "-E", "-a", "-b", "-I", "-O", "-P", "-S", "-U", "-X"],
            ..RUNS
        }])
        .writes(&OUTPUT),
    &row(&["flock"])
        .options(Grammar::gnu(&["-c", "--command", "-w", "--wait", "--timeout", "-E", "--conflict-exit-code"]))
        .runs(&[Runs {
            values: &["-w", "--wait", "--timeout", "-E", "--conflict-exit-code"],
            lines: &["-c", "--command"],
            skip: 1,
            rest: Rest::Program,
            ..RUNS
        }]),
    &row(&["watch", "viddy"]).runs(&[Runs {
        values: &["-n", "--interval", "-q", "--equexit"],
        rest: Rest::Line,
        ..RUNS
    }]),
    &row(&["chroot"]).runs(&[Runs { values: &["--userspec", "--groups"], skip: 1, ..RUNS }]),
    &row(&["unshare"]).runs(&[Runs {
        values: &[
            "-S", "--setuid", "-G", "--setgid", "-R", "--root", "-w", "--wd", "--propagation", "--map-user",
            "--map-group", "--setgroups", "--map-users", "--map-groups",
        ],
        dirs: &["-w", "--wd"],
        ..RUNS
    }]),
    &row(&["nsenter"])
        .runs(&[Runs { values: &["-t", "--target", "-S", "--setuid", "-G", "--setgid", "-W", "--wdns"], ..RUNS }]),
    &row(&["systemd-run"]).runs(&[Runs {
        values: &[
            "-p", "--property", "-u", "--unit", "--slice", "-E", "--setenv", "-M", "--machine", "-H", "--host",
            "--uid", "--gid", "--nice", "--description", "--working-directory", "--on-active", "--on-calendar",
            "--on-boot", "--on-startup", "--on-unit-active", "--on-unit-inactive", "--timer-property",
        ],
        later: &["--on-active", "--on-calendar", "--on-boot", "--on-startup", "--on-unit-active", "--on-unit-inactive"],
        dirs: &["--working-directory"],
        ..RUNS
    }]),
    &row(&["systemd-inhibit", "systemd-cat"]).runs(&[Runs {
        values: &["--what", "--who", "--why", "--mode", "-t", "--identifier", "-p", "--priority"],
        ..RUNS
    }]),
    &row(&["setpriv"]).runs(&[Runs {
        values: &["--reuid", "--regid", "--groups", "--inh-caps", "--ambient-caps", "--bounding-set", "--securebits"],
        ..RUNS
    }]),
    &row(&["capsh"]).runs(&[Runs { before: &["--"], into: Some("bash"), ..RUNS }]),
    &row(&["newgrp"]).runs(&[Runs { skip: usize::MAX, into: Some("bash"), ..RUNS }]),
    &row(&["gosu", "su-exec", "setpriv-user", "logsave"]).runs(&[Runs { values: &["-a", "-s"], skip: 1, ..RUNS }]),
    &row(&["shx"]).runs(&[Runs { ..RUNS }]),
    &row(&["xcrun"]).is(&[HandsOn]).runs(&[Runs {
        values: &["-sdk", "--sdk", "-toolchain", "--toolchain"],
        without: &["-f", "--find", "--show-sdk-path", "--show-sdk-version", "-k", "--kill-cache"],
        ..RUNS
    }]),
    &row(&["spring"])
        .runs(&[Runs { first: First::NoneOf(&["status", "stop", "server", "help", "binstub", "version"]), ..RUNS }]),
    &row(&["symfony"]).runs(&[
        Runs { verbs: &["console"], into: Some("console"), ..RUNS },
        Runs { verbs: &["php"], into: Some("php"), ..RUNS },
        Runs { verbs: &["composer"], into: Some("composer"), ..RUNS },
        Runs { verbs: &["run"], values: &["--watch"], ..RUNS },
    ]),
    // Laravel's own PHP of this machine.
    &row(&["herd", "valet"]).runs(&[
        Runs { verbs: &["php"], values: &["--site"], into: Some("php"), ..RUNS },
        Runs { verbs: &["composer"], values: &["--site"], into: Some("composer"), ..RUNS },
    ]),
    &row(&["repo"]).runs(&[Runs { verbs: &["forall"], before: &["-c"], skip: usize::MAX, rest: Rest::Line, ..RUNS }]),
    &row(&["cross-env", "cross-env-shell", "env-cmd"]).runs(&[Runs { values: &["-f"], assigns: true, ..RUNS }]),
    &row(&["perf"])
        .options(Grammar::gnu(&["-e", "--event", "-o", "--output", "-p", "--pid", "-C", "--cpu"]))
        .runs(&[Runs {
            verbs: &[
                "stat", "record", "trace", "mem record", "sched record", "lock record", "c2c record", "kvm record",
            ],
            values: &[
                "-e", "--event", "-r", "--repeat", "-o", "--output", "-p", "--pid", "-t", "--tid", "-C", "--cpu", "-I",
                "-F", "--freq", "-c", "--count", "--call-graph", "-m", "-x", "-G", "-D", "--filter",
            ],
            ..RUNS
        }])
        .writes(&OUTPUT),
    &row(&["hyperfine", "poop"])
        .options(Grammar {
            pairs: &["-L", "--parameter-list"],
            ..Grammar::gnu(&[
                "-s", "--setup", "-p", "--prepare", "-c", "--cleanup", "-C", "--conclude", "--reference", "-w",
                "--warmup", "-m", "--min-runs", "-M", "--max-runs", "-r", "--runs", "-n", "--command-name", "-S",
                "--shell", "-D", "--parameter-step-size", "--style", "--sort", "-u", "--time-unit",
                "--export-asciidoc", "--export-csv", "--export-json", "--export-markdown", "--export-orgmode",
                "--output", "--input",
            ])
        })
        .runs(&[Runs {
            values: &[
                "-w", "--warmup", "-m", "--min-runs", "-M", "--max-runs", "-r", "--runs", "-n", "--command-name", "-S",
                "--shell", "-d", "--duration", "--style", "-u", "--time-unit", "--input", "--output", "--export-json",
                "--export-csv", "--export-markdown", "--export-asciidoc", "-D",
            ],
            lines: &["-s", "--setup", "-p", "--prepare", "-c", "--cleanup", "-C", "--conclude", "--reference"],
            pairs: &["-L", "--parameter-list"],
            rest: Rest::Lines,
            ..RUNS
        }]),
    &row(&["multitime"]).runs(&[Runs { values: &["-n", "-i", "-o", "-r", "-s", "-I", "-f"], ..RUNS }]),
    &row(&["rr", "samply", "py-spy", "memray", "austin"]).runs(&[Runs {
        verbs: &["record", "top", "run"],
        values: &["-o", "--output", "-r", "--rate", "-d", "--duration", "-f", "--format", "-p", "--pid", "-s", "-n"],
        ..RUNS
    }]),
    &row(&["ltrace"])
        .is(&[Holds])
        .options(Grammar::gnu(&[
            "-a", "-A", "-D", "-e", "-F", "-l", "-n", "-o", "--output", "-p", "-s", "-u", "-w", "-x",
        ]))
        .runs(&[Runs {
            values: &["-e", "-o", "-s", "-p", "-u", "-l", "-a", "-A", "-D", "-F", "-n", "-x", "-w"],
            ..RUNS
        }])
        .writes(&OUTPUT),
    &row(&[
        "ld.so", "ld-linux.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld-linux-armhf.so.3",
        "ld-musl-x86_64.so.1", "ld-musl-aarch64.so.1",
    ])
    .runs(&[
        // The loader of the system starts what it is given.
        Runs {
            values: &["--library-path", "--preload", "--audit", "--argv0", "--inhibit-rpath", "--glibc-hwcaps-prepend"],
            without: &["--list", "--verify", "--help", "--version", "--list-tunables", "--list-diagnostics"],
            ..RUNS
        },
    ]),
    &row(&["foreman", "honcho", "forego", "hivemind"]).runs(&[Runs {
        verbs: &["run"],
        values: &["-e", "--env", "-f", "--procfile", "-d", "--root"],
        ..RUNS
    }]),
    &row(&["faketime"]).runs(&[Runs { values: &["-f"], skip: 1, instead: &["-f"], ..RUNS }]),
    &row(&["setarch"]).runs(&[Runs { skip: 1, optional: true, ..RUNS }]),
    &row(&["choom"]).runs(&[Runs { values: &["-n", "--adjust", "-p", "--pid"], ..RUNS }]),
    &row(&["prlimit"]).is(&[Holds]).runs(&[Runs { values: &["-p", "--pid", "-o", "--output"], ..RUNS }]),
    &row(&["numactl"]).runs(&[Runs {
        values: &[
            "-N", "--cpunodebind", "-m", "--membind", "-C", "--physcpubind", "-i", "--interleave", "-p", "--preferred",
            "-w", "--weighted-interleave", "-P", "--preferred-many",
        ],
        ..RUNS
    }]),
    &row(&["taskset"]).is(&[Holds]).runs(&[Runs { skip: 1, without: &["-p", "--pid"], ..RUNS }]),
    &row(&["cpulimit"])
        .is(&[Holds])
        .runs(&[Runs { values: &["-l", "--limit", "-p", "--pid", "-e", "--exe", "-P", "--path"], ..RUNS }]),
    &row(&["trickle"]).runs(&[Runs { values: &["-d", "-u", "-w", "-t", "-l", "-n", "-p"], ..RUNS }]),
    &row(&["softlimit"])
        .runs(&[Runs { values: &["-a", "-c", "-d", "-f", "-l", "-m", "-o", "-p", "-r", "-s", "-t"], ..RUNS }]),
    &row(&["chpst"]).runs(&[Runs {
        values: &["-u", "-U", "-b", "-e", "-/", "-C", "-n", "-l", "-L", "-m", "-d", "-o", "-p", "-f", "-c", "-r", "-t"],
        ..RUNS
    }]),
    &row(&["setuidgid", "envuidgid", "envdir", "setlock", "s6-setuidgid"]).runs(&[Runs { skip: 1, ..RUNS }]),
    &row(&["cgexec"]).runs(&[Runs { values: &["-g"], ..RUNS }]),
    &row(&["aa-exec"]).runs(&[Runs { values: &["-p", "--profile", "-n", "--namespace"], ..RUNS }]),
    &row(&["runcon"])
        .runs(&[Runs { values: &["-t", "--type", "-u", "--user", "-r", "--role", "-l", "--range"], ..RUNS }]),
    &row(&["bwrap"]).runs(&[Runs {
        values: &[
            "--proc", "--dev", "--tmpfs", "--mqueue", "--dir", "--chdir", "--unsetenv", "--uid", "--gid", "--hostname",
            "--lock-file", "--sync-fd", "--seccomp", "--args", "--cap-add", "--cap-drop", "--exec-label",
            "--file-label", "--remount-ro", "--perms", "--size", "--info-fd", "--userns", "--pidns", "--argv0",
            "--overlay-src",
        ],
        pairs: &[
            "--bind", "--bind-try", "--dev-bind", "--dev-bind-try", "--ro-bind", "--ro-bind-try", "--symlink",
            "--setenv", "--file", "--bind-data", "--ro-bind-data", "--chmod", "--bind-fd", "--ro-bind-fd",
        ],
        ..RUNS
    }]),
    &row(&["proot"]).runs(&[Runs {
        values: &[
            "-r", "--rootfs", "-R", "-S", "-b", "--bind", "-m", "--mount", "-q", "--qemu", "-w", "--cwd", "-k", "-i",
        ],
        ..RUNS
    }]),
    &row(&["systemd-nspawn"]).runs(&[Runs {
        values: &["-D", "--directory", "-M", "--machine", "-u", "--user", "-i", "--image", "-E", "--setenv"],
        ..RUNS
    }]),
    &row(&["daemonize"]).runs(&[Runs { values: &["-a", "-c", "-e", "-o", "-p", "-l", "-u", "-E"], ..RUNS }]),
    &row(&["daemon"])
        .runs(&[Runs { values: &["-n", "--name", "-u", "--user", "-D", "--chdir", "-o", "--output"], ..RUNS }]),
    &row(&["start-stop-daemon"]).runs(&[Runs {
        values: &[
            "-p", "--pidfile", "-n", "--name", "-u", "--user", "-c", "--chuid", "-d", "--chdir", "-N", "-I", "-k",
        ],
        dirs: &["-d", "--chdir"],
        named: &["-x", "--exec", "-a"],
        without: &["-K", "--stop", "-T", "--status", "-t", "--test"],
        ..RUNS
    }]),
    &row(&["entr"]).options(Grammar::gnu(&["-s"])).runs(&[Runs { lines: &["-s"], ..RUNS }]),
    &row(&["watchexec"]).runs(&[Runs {
        values: &[
            "-e", "--exts", "-w", "--watch", "-i", "--ignore", "-f", "--filter", "-d", "--debounce", "-s", "--signal",
            "--stop-signal", "--workdir", "--shell", "-E", "--env", "-o", "--on-busy-update", "--delay-run",
        ],
        rest: Rest::Either,
        ..RUNS
    }]),
    &row(&["nodemon"])
        .options(Grammar::gnu(&[
            "-x", "--exec", "-e", "--ext", "-w", "--watch", "-i", "--ignore", "-d", "--delay", "--config", "--cwd",
            "-s", "--signal",
        ]))
        .runs(&[Runs {
            values: &["-w", "--watch", "-e", "--ext", "-i", "--ignore", "-d", "--delay", "-s", "--signal"],
            lines: &["-x", "--exec"],
            skip: usize::MAX,
            ..RUNS
        }]),
    &row(&["reflex"]).runs(&[Runs { values: &["-r", "-R", "-g", "-G", "-t", "-c", "--sequential"], ..RUNS }]),
    &row(&["retry"]).runs(&[Runs {
        values: &["-t", "--tries", "--times", "-d", "--delay", "-s", "--sleep", "-m", "-x", "--until", "--while"],
        ..RUNS
    }]),
    &row(&["flatpak-spawn"]).runs(&[Runs { values: &["--env", "--unset-env", "--directory"], ..RUNS }]),
    &row(&["wait-for-it", "wait-for-it.sh", "wait-for", "wait-for.sh", "wait-port", "wait-on"]).runs(&[Runs {
        values: &["-t", "--timeout", "-h", "--host", "-p", "--port"],
        skip: usize::MAX,
        dashes: true,
        ..RUNS
    }]),
];
