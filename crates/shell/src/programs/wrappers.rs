//! Programs that only start another one: with other rights, limits, measurements, environments.

use super::Trait::{Destructive, HandsOn, Holds, NeverApproved, System};
use super::reads::{PASSES, Passes};
use super::runs::{RUNS, Rest, Runs};
use super::writes::{OUTPUT, OUTPUTS};
use super::{PROGRAM, Program, traits};
use crate::options::Grammar;

/// Options of `sudo` with a value.
pub(super) const SUDO: &[&str] = &[
    "-u", "--user", "-g", "--group", "-h", "--host", "-p", "--prompt", "-C", "--close-from", "-D", "--chdir", "-R",
    "--chroot", "-r", "--role", "-t", "--type", "-T", "--command-timeout", "-U", "--other-user", "-a",
];

pub(super) const SUDO_RUNS: Runs = Runs {
    values: SUDO,
    folders: &["-D", "--chdir"],
    assigns: true,
    without: &["-l", "--list", "-v", "--validate", "-V", "--version", "--help"],
    privileged: true,
    interactive: true,
    ..RUNS
};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["timeout", "gtimeout"],
        is: traits(&[HandsOn]),
        runs: &[Runs { values: &["-k", "--kill-after", "-s", "--signal"], skip: 1, ..RUNS }],
        passes: Some(&Passes {
            only: &["-k=", "--kill-after=", "-s=", "--signal=", "-v", "--preserve-status", "--foreground"],
            skip: 1,
            ..PASSES
        }),
        ..PROGRAM
    },
    Program {
        names: &["nice"],
        is: traits(&[HandsOn]),
        runs: &[Runs { values: &["-n", "--adjustment"], ..RUNS }],
        passes: Some(&Passes { only: &["-n=", "--adjustment=", "-#"], ..PASSES }),
        ..PROGRAM
    },
    Program {
        names: &["ionice"],
        is: traits(&[HandsOn, Holds]),
        runs: &[Runs { values: &["-c", "--class", "-n", "--classdata", "-p", "-P", "-u"], ..RUNS }],
        passes: Some(&Passes { only: &["-c=", "-n=", "-t"], ..PASSES }),
        ..PROGRAM
    },
    Program {
        names: &["stdbuf"],
        is: traits(&[HandsOn]),
        runs: &[Runs { values: &["-i", "--input", "-o", "--output", "-e", "--error"], ..RUNS }],
        passes: Some(&Passes { only: &["-i=", "-o=", "-e="], ..PASSES }),
        ..PROGRAM
    },
    Program {
        names: &["time", "gtime"],
        is: traits(&[HandsOn]),
        options: Grammar::gnu(&["-f", "--format", "-o", "--output"]),
        runs: &[Runs { values: &["-f", "--format", "-o", "--output"], ..RUNS }],
        passes: Some(&Passes { only: &["-p"], ..PASSES }),
        writes: Some(&OUTPUT),
        ..PROGRAM
    },
    Program {
        names: &["sudo"],
        is: traits(&[Destructive, HandsOn, System, NeverApproved]),
        runs: &[SUDO_RUNS],
        ..PROGRAM
    },
    Program { names: &["doas"], is: traits(&[HandsOn, System, NeverApproved]), runs: &[SUDO_RUNS], ..PROGRAM },
    Program { names: &["pkexec", "run0", "please"], runs: &[SUDO_RUNS], ..PROGRAM },
    Program {
        names: &["runuser"],
        options: Grammar::gnu(&[
            "-c", "--command", "--session-command", "-s", "--shell", "-g", "--group", "-G", "--supp-group", "-u",
            "--user", "-w", "--whitelist-environment",
        ]),
        runs: &[Runs {
            values: &["-u", "--user", "-s", "--shell", "-g", "--group", "-G", "--supp-group", "-w"],
            lines: &["-c", "--command", "--session-command"],
            skip: usize::MAX,
            instead: &["-u", "--user"],
            privileged: true,
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["su"],
        is: traits(&[System, NeverApproved]),
        options: Grammar::gnu(&[
            "-c", "--command", "--session-command", "-s", "--shell", "-g", "--group", "-G", "--supp-group", "-w",
            "--whitelist-environment", "-C",
        ]),
        runs: &[Runs {
            values: &[
                "-s", "--shell", "-g", "--group", "-G", "--supp-group", "-w", "--whitelist-environment", "-u", "--user",
            ],
            lines: &["-c", "--command", "--session-command"],
            skip: 1,
            into: Some("bash"),
            privileged: true,
            dash: true,
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["sg"],
        options: Grammar::gnu(&["-c"]),
        runs: &[Runs { lines: &["-c"], skip: 1, rest: Rest::Line, ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["nohup"],
        is: traits(&[Destructive, HandsOn, NeverApproved]),
        runs: &[Runs { assigns: true, ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["setsid", "chronic"],
        is: traits(&[HandsOn]),
        runs: &[Runs { assigns: true, ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &[
            "nocache", "rlwrap", "fakeroot", "catchsegv", "catch", "proxychains", "proxychains4", "torify", "torsocks",
            "xvfb-run", "dbus-run-session", "dbus-launch", "caffeinate", "winpty", "grc", "eatmydata", "linux32",
            "linux64", "pseudo", "ccache", "sccache", "distcc", "tsp", "doch", "noglob", "nocorrect", "aoss", "padsp",
            "heaptrack", "pgrphack", "sandbox-exec", "exec-once", "tsocks", "firejail", "flamegraph", "memusage",
            "scalene", "viztracer", "with-readline",
        ],
        runs: &[Runs { assigns: true, ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["valgrind"],
        options: Grammar::gnu(OUTPUTS),
        runs: &[Runs { assigns: true, ..RUNS }],
        writes: Some(&OUTPUT),
        ..PROGRAM
    },
    Program {
        names: &["chrt"],
        is: traits(&[Holds]),
        runs: &[Runs { values: &["-T", "-P", "-D"], skip: 1, ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["strace"],
        is: traits(&[Holds]),
        options: Grammar::gnu(&[
            "-a", "-b", "-e", "--trace", "-E", "-I", "-o", "--output", "-O", "-p", "--attach", "-P", "-s", "-S", "-u",
            "-U", "-X",
        ]),
        runs: &[Runs {
            values: &["-e", "-o", "-p", "-s", "-u", "-E", "-a", "-b", "-I", "-O", "-P", "-S", "-U", "-X"],
            ..RUNS
        }],
        writes: Some(&OUTPUT),
        ..PROGRAM
    },
    Program {
        names: &["flock"],
        options: Grammar::gnu(&["-c", "--command", "-w", "--wait", "--timeout", "-E", "--conflict-exit-code"]),
        runs: &[Runs {
            values: &["-w", "--wait", "--timeout", "-E", "--conflict-exit-code"],
            lines: &["-c", "--command"],
            skip: 1,
            rest: Rest::Program,
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["watch", "viddy"],
        runs: &[Runs { values: &["-n", "--interval", "-q", "--equexit"], rest: Rest::Line, ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["chroot"], runs: &[Runs { values: &["--userspec", "--groups"], skip: 1, ..RUNS }], ..PROGRAM },
    Program {
        names: &["unshare"],
        runs: &[Runs {
            values: &[
                "-S", "--setuid", "-G", "--setgid", "-R", "--root", "-w", "--wd", "--propagation", "--map-user",
                "--map-group", "--setgroups", "--map-users", "--map-groups",
            ],
            folders: &["-w", "--wd"],
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["nsenter"],
        runs: &[Runs { values: &["-t", "--target", "-S", "--setuid", "-G", "--setgid", "-W", "--wdns"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["systemd-run"],
        runs: &[Runs {
            values: &[
                "-p", "--property", "-u", "--unit", "--slice", "-E", "--setenv", "-M", "--machine", "-H", "--host",
                "--uid", "--gid", "--nice", "--description", "--working-directory", "--on-active", "--on-calendar",
            ],
            folders: &["--working-directory"],
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["systemd-inhibit", "systemd-cat"],
        runs: &[Runs {
            values: &["--what", "--who", "--why", "--mode", "-t", "--identifier", "-p", "--priority"],
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["setpriv"],
        runs: &[Runs {
            values: &[
                "--reuid", "--regid", "--groups", "--inh-caps", "--ambient-caps", "--bounding-set", "--securebits",
            ],
            ..RUNS
        }],
        ..PROGRAM
    },
    Program { names: &["capsh"], runs: &[Runs { before: &["--"], into: Some("bash"), ..RUNS }], ..PROGRAM },
    Program { names: &["newgrp"], runs: &[Runs { skip: usize::MAX, into: Some("bash"), ..RUNS }], ..PROGRAM },
    Program {
        names: &["gosu", "su-exec", "setpriv-user", "logsave"],
        runs: &[Runs { values: &["-a", "-s"], skip: 1, ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["shx"], runs: &[Runs { ..RUNS }], ..PROGRAM },
    Program {
        names: &["cross-env", "cross-env-shell", "env-cmd"],
        runs: &[Runs { values: &["-f"], assigns: true, ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["perf"],
        options: Grammar::gnu(&["-e", "--event", "-o", "--output", "-p", "--pid", "-C", "--cpu"]),
        runs: &[Runs {
            verbs: &[
                "stat", "record", "trace", "mem record", "sched record", "lock record", "c2c record", "kvm record",
            ],
            values: &[
                "-e", "--event", "-r", "--repeat", "-o", "--output", "-p", "--pid", "-t", "--tid", "-C", "--cpu", "-I",
                "-F", "--freq", "-c", "--count", "--call-graph", "-m", "-x", "-G", "-D", "--filter",
            ],
            ..RUNS
        }],
        writes: Some(&OUTPUT),
        ..PROGRAM
    },
    Program {
        names: &["hyperfine", "poop"],
        options: Grammar {
            pairs: &["-L", "--parameter-list"],
            ..Grammar::gnu(&[
                "-s", "--setup", "-p", "--prepare", "-c", "--cleanup", "-C", "--conclude", "--reference", "-w",
                "--warmup", "-m", "--min-runs", "-M", "--max-runs", "-r", "--runs", "-n", "--command-name", "-S",
                "--shell", "-D", "--parameter-step-size", "--style", "--sort", "-u", "--time-unit",
                "--export-asciidoc", "--export-csv", "--export-json", "--export-markdown", "--export-orgmode",
                "--output", "--input",
            ])
        },
        runs: &[Runs {
            values: &[
                "-w", "--warmup", "-m", "--min-runs", "-M", "--max-runs", "-r", "--runs", "-n", "--command-name", "-S",
                "--shell", "-d", "--duration", "--style", "-u", "--time-unit", "--input", "--output", "--export-json",
                "--export-csv", "--export-markdown", "--export-asciidoc", "-D",
            ],
            lines: &["-s", "--setup", "-p", "--prepare", "-c", "--cleanup", "-C", "--conclude", "--reference"],
            pairs: &["-L", "--parameter-list"],
            rest: Rest::Lines,
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["multitime"],
        runs: &[Runs { values: &["-n", "-i", "-o", "-r", "-s", "-I", "-f"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["rr", "samply", "py-spy", "memray", "austin"],
        runs: &[Runs {
            verbs: &["record", "top", "run"],
            values: &[
                "-o", "--output", "-r", "--rate", "-d", "--duration", "-f", "--format", "-p", "--pid", "-s", "-n",
            ],
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["ltrace"],
        is: traits(&[Holds]),
        options: Grammar::gnu(&[
            "-a", "-A", "-D", "-e", "-F", "-l", "-n", "-o", "--output", "-p", "-s", "-u", "-w", "-x",
        ]),
        runs: &[Runs {
            values: &["-e", "-o", "-s", "-p", "-u", "-l", "-a", "-A", "-D", "-F", "-n", "-x", "-w"],
            ..RUNS
        }],
        writes: Some(&OUTPUT),
        ..PROGRAM
    },
    Program {
        names: &[
            "ld.so", "ld-linux.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld-linux-armhf.so.3",
            "ld-musl-x86_64.so.1", "ld-musl-aarch64.so.1",
        ],
        runs: &[
            // The loader of the system starts what it is given.
            Runs {
                values: &[
                    "--library-path", "--preload", "--audit", "--argv0", "--inhibit-rpath", "--glibc-hwcaps-prepend",
                ],
                without: &["--list", "--verify", "--help", "--version", "--list-tunables", "--list-diagnostics"],
                ..RUNS
            },
        ],
        ..PROGRAM
    },
    Program {
        names: &["foreman", "honcho", "forego", "hivemind"],
        runs: &[Runs { verbs: &["run"], values: &["-e", "--env", "-f", "--procfile", "-d", "--root"], ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["faketime"], runs: &[Runs { values: &["-f"], skip: 1, instead: &["-f"], ..RUNS }], ..PROGRAM },
    Program { names: &["setarch"], runs: &[Runs { skip: 1, optional: true, ..RUNS }], ..PROGRAM },
    Program { names: &["choom"], runs: &[Runs { values: &["-n", "--adjust", "-p", "--pid"], ..RUNS }], ..PROGRAM },
    Program {
        names: &["prlimit"],
        is: traits(&[Holds]),
        runs: &[Runs { values: &["-p", "--pid", "-o", "--output"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["numactl"],
        runs: &[Runs {
            values: &[
                "-N", "--cpunodebind", "-m", "--membind", "-C", "--physcpubind", "-i", "--interleave", "-p",
                "--preferred", "-w", "--weighted-interleave", "-P", "--preferred-many",
            ],
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["taskset"],
        is: traits(&[Holds]),
        runs: &[Runs { skip: 1, without: &["-p", "--pid"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["cpulimit"],
        is: traits(&[Holds]),
        runs: &[Runs { values: &["-l", "--limit", "-p", "--pid", "-e", "--exe", "-P", "--path"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["trickle"],
        runs: &[Runs { values: &["-d", "-u", "-w", "-t", "-l", "-n", "-p"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["softlimit"],
        runs: &[Runs { values: &["-a", "-c", "-d", "-f", "-l", "-m", "-o", "-p", "-r", "-s", "-t"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["chpst"],
        runs: &[Runs {
            values: &[
                "-u", "-U", "-b", "-e", "-/", "-C", "-n", "-l", "-L", "-m", "-d", "-o", "-p", "-f", "-c", "-r", "-t",
            ],
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["setuidgid", "envuidgid", "envdir", "setlock", "s6-setuidgid"],
        runs: &[Runs { skip: 1, ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["cgexec"], runs: &[Runs { values: &["-g"], ..RUNS }], ..PROGRAM },
    Program {
        names: &["aa-exec"],
        runs: &[Runs { values: &["-p", "--profile", "-n", "--namespace"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["runcon"],
        runs: &[Runs { values: &["-t", "--type", "-u", "--user", "-r", "--role", "-l", "--range"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["bwrap"],
        runs: &[Runs {
            values: &[
                "--proc", "--dev", "--tmpfs", "--mqueue", "--dir", "--chdir", "--unsetenv", "--uid", "--gid",
                "--hostname", "--lock-file", "--sync-fd", "--seccomp", "--args", "--cap-add", "--cap-drop",
                "--exec-label", "--file-label", "--remount-ro", "--perms", "--size", "--info-fd", "--userns",
                "--pidns", "--argv0", "--overlay-src",
            ],
            pairs: &[
                "--bind", "--bind-try", "--dev-bind", "--dev-bind-try", "--ro-bind", "--ro-bind-try", "--symlink",
                "--setenv", "--file", "--bind-data", "--ro-bind-data", "--chmod", "--bind-fd", "--ro-bind-fd",
            ],
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["proot"],
        runs: &[Runs {
            values: &[
                "-r", "--rootfs", "-R", "-S", "-b", "--bind", "-m", "--mount", "-q", "--qemu", "-w", "--cwd", "-k",
                "-i",
            ],
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["systemd-nspawn"],
        runs: &[Runs {
            values: &["-D", "--directory", "-M", "--machine", "-u", "--user", "-i", "--image", "-E", "--setenv"],
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["daemonize"],
        runs: &[Runs { values: &["-a", "-c", "-e", "-o", "-p", "-l", "-u", "-E"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["daemon"],
        runs: &[Runs { values: &["-n", "--name", "-u", "--user", "-D", "--chdir", "-o", "--output"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["start-stop-daemon"],
        runs: &[Runs {
            values: &[
                "-p", "--pidfile", "-n", "--name", "-u", "--user", "-c", "--chuid", "-d", "--chdir", "-N", "-I", "-k",
            ],
            folders: &["-d", "--chdir"],
            named: &["-x", "--exec", "-a"],
            without: &["-K", "--stop", "-T", "--status", "-t", "--test"],
            ..RUNS
        }],
        ..PROGRAM
    },
    Program { names: &["entr"], options: Grammar::gnu(&["-s"]), runs: &[Runs { lines: &["-s"], ..RUNS }], ..PROGRAM },
    Program {
        names: &["watchexec"],
        runs: &[Runs {
            values: &[
                "-e", "--exts", "-w", "--watch", "-i", "--ignore", "-f", "--filter", "-d", "--debounce", "-s",
                "--signal", "--stop-signal", "--workdir", "--shell", "-E", "--env", "-o", "--on-busy-update",
                "--delay-run",
            ],
            rest: Rest::Either,
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["nodemon"],
        options: Grammar::gnu(&[
            "-x", "--exec", "-e", "--ext", "-w", "--watch", "-i", "--ignore", "-d", "--delay", "--config", "--cwd",
            "-s", "--signal",
        ]),
        runs: &[Runs {
            values: &["-w", "--watch", "-e", "--ext", "-i", "--ignore", "-d", "--delay", "-s", "--signal"],
            lines: &["-x", "--exec"],
            skip: usize::MAX,
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["reflex"],
        runs: &[Runs { values: &["-r", "-R", "-g", "-G", "-t", "-c", "--sequential"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["retry"],
        runs: &[Runs {
            values: &["-t", "--tries", "--times", "-d", "--delay", "-s", "--sleep", "-m", "-x", "--until", "--while"],
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["flatpak-spawn"],
        runs: &[Runs { values: &["--env", "--unset-env", "--directory"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["wait-for-it", "wait-for-it.sh", "wait-for", "wait-for.sh", "wait-port", "wait-on"],
        runs: &[Runs {
            values: &["-t", "--timeout", "-h", "--host", "-p", "--port"],
            skip: usize::MAX,
            dashes: true,
            ..RUNS
        }],
        ..PROGRAM
    },
];
