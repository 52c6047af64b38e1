//! Programs that run another program: what stands between their name and the program's, as a table.

/// How the rest of the arguments is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// It is a program with its arguments.
    Program,
    /// It is joined with blanks and handed to a shell.
    Line,
    /// It is a program if there are several arguments, a line for a shell if there is one.
    Either,
}

/// A program that runs another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wrapper {
    /// Its names.
    pub(super) names: &'static [&'static str],
    /// Words after its name that make it one, such as `exec`; none for most.
    pub(super) verbs: &'static [&'static str],
    /// Options with a value of their own.
    pub(super) values: &'static [&'static str],
    /// Options whose value is a line for a shell.
    pub(super) lines: &'static [&'static str],
    /// Operands before the program.
    pub(super) skip: usize,
    /// `NAME=value` may stand before the program.
    pub(super) assigns: bool,
    /// What the rest is.
    pub(super) rest: Rest,
    /// It runs the program elsewhere: another machine, a container.
    pub(super) remote: bool,
    /// Options with which nothing runs.
    pub(super) without: &'static [&'static str],
}

const PLAIN: Wrapper = Wrapper {
    names: &[],
    verbs: &[],
    values: &[],
    lines: &[],
    skip: 0,
    assigns: false,
    rest: Rest::Program,
    remote: false,
    without: &[],
};

/// Options of container programs with a value.
const CONTAINER_VALUES: &[&str] = &[
    "-e",
    "--env",
    "--env-file",
    "-u",
    "--user",
    "-w",
    "--workdir",
    "-v",
    "--volume",
    "--mount",
    "-p",
    "--publish",
    "--name",
    "--network",
    "--net",
    "--entrypoint",
    "-h",
    "--hostname",
    "--platform",
    "-m",
    "--memory",
    "--cpus",
    "-l",
    "--label",
    "--add-host",
    "--device",
    "--cap-add",
    "--cap-drop",
    "--security-opt",
    "--restart",
    "--pull",
    "--gpus",
    "--shm-size",
    "--tmpfs",
    "--ulimit",
    "--dns",
    "--ip",
    "--detach-keys",
    "--index",
    "-f",
    "--file",
    "--project-name",
    "--profile",
    "--project-directory",
    "--host",
    "-H",
    "--context",
    "-c",
    "--log-driver",
    "--log-opt",
    "--userns",
    "--pid",
    "--ipc",
    "--expose",
    "--link",
    "--volumes-from",
    "--workspace-folder",
];

const CLUSTER_VALUES: &[&str] = &[
    "-n",
    "--namespace",
    "-c",
    "--container",
    "--context",
    "--kubeconfig",
    "--cluster",
    "--user",
    "-s",
    "--server",
    "--token",
    "-f",
    "--filename",
    "--pod-running-timeout",
    "--image",
    "--target",
    "--profile",
    "-l",
    "--selector",
];

/// The table. The first entry whose name and verb fit is used.
pub(super) const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        names: &["sudo", "doas", "pkexec", "run0", "gosu", "su-exec", "please"],
        values: &[
            "-u",
            "--user",
            "-g",
            "--group",
            "-h",
            "--host",
            "-p",
            "--prompt",
            "-C",
            "--close-from",
            "-D",
            "--chdir",
            "-R",
            "--chroot",
            "-r",
            "--role",
            "-t",
            "--type",
            "-T",
            "--command-timeout",
            "-U",
            "--other-user",
            "-a",
        ],
        assigns: true,
        without: &["-l", "--list", "-v", "--validate", "-V", "--version", "--help"],
        ..PLAIN
    },
    Wrapper {
        names: &["su", "runuser"],
        values: &[
            "-s",
            "--shell",
            "-g",
            "--group",
            "-G",
            "--supp-group",
            "-w",
            "--whitelist-environment",
            "-u",
            "--user",
        ],
        lines: &["-c", "--command", "--session-command"],
        skip: 1,
        ..PLAIN
    },
    Wrapper { names: &["sg"], lines: &["-c"], skip: 1, rest: Rest::Line, ..PLAIN },
    Wrapper {
        names: &["env"],
        values: &["-u", "--unset", "-C", "--chdir", "-a", "--argv0"],
        lines: &["-S", "--split-string"],
        assigns: true,
        without: &["--help", "--version"],
        ..PLAIN
    },
    Wrapper {
        names: &[
            "nohup",
            "setsid",
            "chronic",
            "nocache",
            "unbuffer",
            "rlwrap",
            "faketime",
            "fakeroot",
            "catchsegv",
            "ltrace",
            "catch",
            "proxychains",
            "proxychains4",
            "torify",
            "torsocks",
            "xvfb-run",
            "dbus-run-session",
            "dbus-launch",
            "caffeinate",
            "winpty",
            "grc",
            "eatmydata",
            "setarch",
            "linux32",
            "linux64",
            "pseudo",
            "ccache",
            "sccache",
            "distcc",
            "tsp",
            "doch",
            "noglob",
            "nocorrect",
            "rtk",
            "choom",
            "prlimit",
            "busctl",
            "aoss",
            "padsp",
            "firejail",
            "dotenv",
            "envdir",
            "numactl",
            "taskset",
            "perf",
            "hyperfine",
            "poop",
            "multitime",
            "samply",
            "valgrind",
            "heaptrack",
            "gdb",
            "rr",
            "cpulimit",
            "trickle",
            "softlimit",
            "pgrphack",
            "setuidgid",
            "chpst",
            "bwrap",
            "sandbox-exec",
            "gtimeout",
            "daemonize",
            "start-stop-daemon",
            "exec-once",
            "watchexec",
            "entr",
            "nodemon",
            "reflex",
            "cargo-watch",
        ],
        assigns: true,
        ..PLAIN
    },
    Wrapper { names: &["timeout"], values: &["-k", "--kill-after", "-s", "--signal"], skip: 1, ..PLAIN },
    Wrapper { names: &["nice"], values: &["-n", "--adjustment"], ..PLAIN },
    Wrapper { names: &["ionice"], values: &["-c", "--class", "-n", "--classdata", "-p", "-P", "-u"], ..PLAIN },
    Wrapper { names: &["chrt"], values: &["-T", "-P", "-D"], skip: 1, ..PLAIN },
    Wrapper { names: &["stdbuf"], values: &["-i", "--input", "-o", "--output", "-e", "--error"], ..PLAIN },
    Wrapper { names: &["time", "gtime"], values: &["-f", "--format", "-o", "--output"], ..PLAIN },
    Wrapper {
        names: &["strace"],
        values: &["-e", "-o", "-p", "-s", "-u", "-E", "-a", "-b", "-I", "-O", "-P", "-S", "-U", "-X"],
        ..PLAIN
    },
    Wrapper {
        names: &["flock"],
        values: &["-w", "--wait", "--timeout", "-E", "--conflict-exit-code"],
        lines: &["-c", "--command"],
        skip: 1,
        rest: Rest::Program,
        ..PLAIN
    },
    Wrapper { names: &["watch", "viddy"], values: &["-n", "--interval", "-q", "--equexit"], rest: Rest::Line, ..PLAIN },
    Wrapper {
        names: &["script"],
        values: &["-t", "-T", "-I", "-O", "-B", "-m", "-o", "-E"],
        lines: &["-c", "--command"],
        skip: 1,
        ..PLAIN
    },
    Wrapper { names: &["chroot"], values: &["--userspec", "--groups"], skip: 1, ..PLAIN },
    Wrapper {
        names: &["unshare"],
        values: &[
            "-S",
            "--setuid",
            "-G",
            "--setgid",
            "-R",
            "--root",
            "-w",
            "--wd",
            "--propagation",
            "--map-user",
            "--map-group",
            "--setgroups",
            "--map-users",
            "--map-groups",
        ],
        ..PLAIN
    },
    Wrapper {
        names: &["nsenter"],
        values: &["-t", "--target", "-S", "--setuid", "-G", "--setgid", "-W", "--wdns"],
        ..PLAIN
    },
    Wrapper {
        names: &["systemd-run"],
        values: &[
            "-p",
            "--property",
            "-u",
            "--unit",
            "--slice",
            "-E",
            "--setenv",
            "-M",
            "--machine",
            "-H",
            "--host",
            "--uid",
            "--gid",
            "--nice",
            "--description",
            "--working-directory",
            "--on-active",
            "--on-calendar",
        ],
        ..PLAIN
    },
    Wrapper {
        names: &["systemd-inhibit", "systemd-cat"],
        values: &["--what", "--who", "--why", "--mode", "-t", "--identifier", "-p", "--priority"],
        ..PLAIN
    },
    Wrapper { names: &["busybox", "toybox"], without: &["--list", "--help", "--install"], ..PLAIN },
    Wrapper {
        names: &["setpriv"],
        values: &["--reuid", "--regid", "--groups", "--inh-caps", "--ambient-caps", "--bounding-set", "--securebits"],
        ..PLAIN
    },
    Wrapper { names: &["capsh"], lines: &["-c"], ..PLAIN },
    Wrapper { names: &["coreutils"], ..PLAIN },
    Wrapper { names: &["direnv", "asdf"], verbs: &["exec"], skip: 1, ..PLAIN },
    Wrapper {
        names: &["tmux"],
        verbs: &[
            "new-session",
            "new",
            "new-window",
            "neww",
            "split-window",
            "splitw",
            "respawn-pane",
            "respawnp",
            "respawn-window",
            "run-shell",
            "run",
            "if-shell",
        ],
        values: &["-s", "-n", "-c", "-t", "-x", "-y", "-e", "-F", "-l", "-p", "-f", "-S", "-L"],
        rest: Rest::Either,
        ..PLAIN
    },
    Wrapper {
        names: &["tmux"],
        verbs: &["display-popup", "popup"],
        values: &["-b", "-c", "-d", "-e", "-h", "-s", "-S", "-t", "-T", "-w", "-x", "-y"],
        rest: Rest::Either,
        ..PLAIN
    },
    Wrapper { names: &["tmux"], verbs: &["send-keys", "send"], values: &["-t", "-N"], rest: Rest::Line, ..PLAIN },
    Wrapper {
        names: &["screen"],
        values: &["-S", "-c", "-e", "-h", "-p", "-s", "-t", "-T", "-L", "-Logfile"],
        ..PLAIN
    },
    Wrapper { names: &["screen"], verbs: &["stuff"], rest: Rest::Line, ..PLAIN },
    Wrapper {
        names: &["docker", "podman", "nerdctl"],
        verbs: &["exec", "run", "create"],
        values: CONTAINER_VALUES,
        skip: 1,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["docker", "podman", "nerdctl"],
        verbs: &["compose exec", "compose run", "container exec", "container run"],
        values: CONTAINER_VALUES,
        skip: 1,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["docker-compose", "podman-compose"],
        verbs: &["exec", "run"],
        values: CONTAINER_VALUES,
        skip: 1,
        remote: true,
        ..PLAIN
    },
    Wrapper { names: &["devcontainer"], verbs: &["exec"], values: CONTAINER_VALUES, remote: true, ..PLAIN },
    Wrapper {
        names: &["kubectl", "oc", "k3s", "microk8s"],
        verbs: &["exec", "run", "debug"],
        values: CLUSTER_VALUES,
        skip: 1,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["lxc", "incus"],
        verbs: &["exec"],
        values: &["--cwd", "--env", "--user", "--group", "--mode"],
        skip: 1,
        remote: true,
        ..PLAIN
    },
    Wrapper { names: &["vagrant"], verbs: &["ssh"], lines: &["-c", "--command"], remote: true, skip: 1, ..PLAIN },
    Wrapper {
        names: &["limactl", "multipass", "machinectl"],
        verbs: &["shell", "exec"],
        skip: 1,
        remote: true,
        ..PLAIN
    },
    Wrapper { names: &["wsl", "wsl.exe"], values: &["-d", "--distribution", "-u", "--user", "--cd"], ..PLAIN },
    Wrapper { names: &["adb"], verbs: &["shell"], values: &["-s"], rest: Rest::Line, remote: true, ..PLAIN },
    Wrapper {
        names: &["pssh", "parallel-ssh", "pdsh", "clush", "mosh", "autossh", "sshpass", "rsh"],
        values: &["-h", "-H", "-l", "-w", "-g", "-p", "-f", "-e", "-P", "-o", "-O", "-t", "-i"],
        rest: Rest::Line,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["npx", "bunx", "pnpx"],
        values: &["-p", "--package", "--cache", "--userconfig", "-w", "--workspace"],
        lines: &["-c", "--call"],
        ..PLAIN
    },
    Wrapper {
        names: &["npm", "pnpm", "yarn", "bun"],
        verbs: &["exec", "x", "dlx"],
        values: &["-p", "--package", "-w", "--workspace", "--filter", "-C", "--dir", "--prefix"],
        lines: &["-c", "--call"],
        ..PLAIN
    },
    Wrapper {
        names: &["uv", "poetry", "pipenv", "pdm", "hatch", "rye", "conda", "mamba", "micromamba", "pixi", "pyenv"],
        verbs: &["run", "exec"],
        values: &[
            "-n",
            "--name",
            "-p",
            "--prefix",
            "--python",
            "--with",
            "--env-file",
            "--project",
            "--directory",
            "-C",
            "--extra",
            "--group",
            "--package",
        ],
        ..PLAIN
    },
    Wrapper {
        names: &[
            "uvx",
            "pipx",
            "bundle",
            "mise",
            "nvm",
            "volta",
            "rbenv",
            "op",
            "doppler",
            "infisical",
            "chamber",
            "aws-vault",
            "teller",
            "envconsul",
            "sops",
            "nix",
            "guix",
            "devbox",
            "flox",
            "heroku",
            "dotenvx",
        ],
        verbs: &["exec", "run", "x", "exec-env", "shell", "develop"],
        values: &[
            "-n",
            "--env-file",
            "-p",
            "--project",
            "-c",
            "--config",
            "-e",
            "--env",
            "-f",
            "--file",
            "--profile",
            "--duration",
            "-d",
        ],
        lines: &["-c", "--command", "--run"],
        ..PLAIN
    },
    Wrapper {
        names: &["nix-shell"],
        values: &["-p", "--packages", "-A", "--attr", "-I", "--argstr"],
        lines: &["--run", "--command"],
        skip: 1,
        ..PLAIN
    },
    Wrapper { names: &["expect"], lines: &[], ..PLAIN },
    Wrapper { names: &["git-foreach"], rest: Rest::Line, ..PLAIN },
    Wrapper {
        names: &["concurrently", "npm-run-all", "run-p", "run-s"],
        values: &["-n", "--names", "-c"],
        rest: Rest::Line,
        ..PLAIN
    },
    Wrapper {
        names: &["just", "make", "gmake"],
        lines: &["--eval", "-E", "--shell"],
        skip: usize::MAX,
        values: &["-C", "-f", "-j"],
        ..PLAIN
    },
];

/// The entry for a program called with these arguments, and how many words its verb takes with all before it.
pub(super) fn find(program: &str, args: &[String]) -> Option<(&'static Wrapper, usize)> {
    WRAPPERS.iter().filter(|wrapper| wrapper.names.contains(&program)).find_map(|wrapper| {
        if wrapper.verbs.is_empty() {
            return Some((wrapper, 0));
        }
        wrapper.verbs.iter().find_map(|verb| verb_at(verb, args, wrapper.values)).map(|used| (wrapper, used))
    })
}

/// Where the words of a verb end, if they are the first operands.
fn verb_at(verb: &str, args: &[String], values: &[&str]) -> Option<usize> {
    let mut at = 0;
    for word in verb.split(' ') {
        loop {
            let arg = args.get(at)?;
            if arg == word {
                at += 1;
                break;
            }
            if !arg.starts_with('-') {
                return None;
            }
            at += 1 + usize::from(values.contains(&arg.as_str()));
        }
    }
    Some(at)
}
