//! Wrappers that change rights, terminals, machines and environments.

use super::{PLAIN, Rest, Wrapper};

/// Options of container programs with a value.
const CONTAINER_VALUES: &[&str] = &[
    "-e", "--env", "--env-file", "-u", "--user", "-w", "--workdir", "-v", "--volume", "--mount", "-p", "--publish",
    "--name", "--network", "--net", "--entrypoint", "-h", "--hostname", "--platform", "-m", "--memory", "--cpus", "-l",
    "--label", "--add-host", "--device", "--cap-add", "--cap-drop", "--security-opt", "--restart", "--pull", "--gpus",
    "--shm-size", "--tmpfs", "--ulimit", "--dns", "--ip", "--detach-keys", "--index", "-f", "--file", "--project-name",
    "--profile", "--project-directory", "--host", "-H", "--context", "-c", "--log-driver", "--log-opt", "--userns",
    "--pid", "--ipc", "--expose", "--link", "--volumes-from", "--workspace-folder",
];

const CLUSTER_VALUES: &[&str] = &[
    "-n", "--namespace", "-c", "--container", "--context", "--kubeconfig", "--cluster", "--user", "-s", "--server",
    "--token", "-f", "--filename", "--pod-running-timeout", "--image", "--target", "--profile", "-l", "--selector",
];

/// The table. The first entry whose name and verb fit is used.
pub(super) const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        names: &["sudo", "doas", "pkexec", "run0", "please"],
        values: &[
            "-u", "--user", "-g", "--group", "-h", "--host", "-p", "--prompt", "-C", "--close-from", "-D", "--chdir",
            "-R", "--chroot", "-r", "--role", "-t", "--type", "-T", "--command-timeout", "-U", "--other-user", "-a",
        ],
        folders: &["-D", "--chdir"],
        assigns: true,
        without: &["-l", "--list", "-v", "--validate", "-V", "--version", "--help"],
        ..PLAIN
    },
    Wrapper {
        names: &["runuser"],
        values: &["-u", "--user", "-s", "--shell", "-g", "--group", "-G", "--supp-group", "-w"],
        lines: &["-c", "--command", "--session-command"],
        skip: usize::MAX,
        instead: &["-u", "--user"],
        ..PLAIN
    },
    Wrapper {
        names: &["su"],
        values: &[
            "-s", "--shell", "-g", "--group", "-G", "--supp-group", "-w", "--whitelist-environment", "-u", "--user",
        ],
        lines: &["-c", "--command", "--session-command"],
        skip: 1,
        into: Some("bash"),
        ..PLAIN
    },
    Wrapper { names: &["sg"], lines: &["-c"], skip: 1, rest: Rest::Line, ..PLAIN },
    Wrapper {
        names: &["env"],
        values: &["-u", "--unset", "-C", "--chdir", "-a", "--argv0"],
        lines: &["-S", "--split-string"],
        folders: &["-C", "--chdir"],
        assigns: true,
        without: &["--help", "--version"],
        ..PLAIN
    },
    Wrapper {
        names: &[
            "nohup", "setsid", "chronic", "nocache", "unbuffer", "rlwrap", "fakeroot", "catchsegv", "catch",
            "proxychains", "proxychains4", "torify", "torsocks", "xvfb-run", "dbus-run-session", "dbus-launch",
            "caffeinate", "winpty", "grc", "eatmydata", "linux32", "linux64", "pseudo", "ccache", "sccache", "distcc",
            "tsp", "doch", "noglob", "nocorrect", "rtk", "aoss", "padsp", "valgrind", "heaptrack", "pgrphack",
            "sandbox-exec", "exec-once", "tsocks", "firejail", "flamegraph", "memusage", "scalene", "viztracer",
            "with-readline",
        ],
        assigns: true,
        ..PLAIN
    },
    Wrapper { names: &["timeout", "gtimeout"], values: &["-k", "--kill-after", "-s", "--signal"], skip: 1, ..PLAIN },
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
            "-S", "--setuid", "-G", "--setgid", "-R", "--root", "-w", "--wd", "--propagation", "--map-user",
            "--map-group", "--setgroups", "--map-users", "--map-groups",
        ],
        folders: &["-w", "--wd"],
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
            "-p", "--property", "-u", "--unit", "--slice", "-E", "--setenv", "-M", "--machine", "-H", "--host",
            "--uid", "--gid", "--nice", "--description", "--working-directory", "--on-active", "--on-calendar",
        ],
        folders: &["--working-directory"],
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
    Wrapper { names: &["capsh"], before: &["--"], into: Some("bash"), ..PLAIN },
    Wrapper { names: &["newgrp"], skip: usize::MAX, into: Some("bash"), ..PLAIN },
    Wrapper { names: &["coreutils"], ..PLAIN },
    Wrapper { names: &["direnv"], verbs: &["exec"], skip: 1, ..PLAIN },
    Wrapper { names: &["asdf", "rbenv", "nodenv", "plenv", "goenv"], verbs: &["exec"], ..PLAIN },
    Wrapper {
        names: &["tmux"],
        verbs: &[
            "new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawnp",
            "respawn-window", "run-shell", "run", "if-shell",
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
    // What is typed into a terminal is run by the shell there.
    Wrapper { names: &["tmux"], verbs: &["send-keys", "send"], values: &["-t", "-N"], rest: Rest::Keys, ..PLAIN },
    Wrapper { names: &["xdotool"], verbs: &["type"], values: &["--delay", "--window"], rest: Rest::Keys, ..PLAIN },
    Wrapper { names: &["xdotool"], verbs: &["key"], values: &["--delay", "--window"], rest: Rest::Keys, ..PLAIN },
    Wrapper {
        names: &["ydotool"],
        verbs: &["type"],
        values: &["-d", "--key-delay", "-H", "--key-hold", "-D", "--next-delay"],
        rest: Rest::Keys,
        ..PLAIN
    },
    Wrapper { names: &["wtype"], values: &["-s", "-d", "-M", "-m", "-P", "-p"], rest: Rest::Keys, ..PLAIN },
    Wrapper {
        names: &["kitty", "kitten"],
        verbs: &["@ send-text", "@ send-key", "send-text", "send-key"],
        values: &["-m", "--match", "-t", "--match-tab", "--to"],
        rest: Rest::Keys,
        ..PLAIN
    },
    Wrapper { names: &["wezterm"], verbs: &["cli send-text"], values: &["--pane-id"], rest: Rest::Keys, ..PLAIN },
    Wrapper {
        names: &["zellij"],
        verbs: &["action write-chars"],
        values: &["-p", "--pane-id", "--session"],
        rest: Rest::Keys,
        ..PLAIN
    },
    Wrapper {
        names: &["tmux"],
        verbs: &["pipe-pane", "pipep"],
        values: &["-t", "-S", "-L", "-f"],
        rest: Rest::Line,
        ..PLAIN
    },
    Wrapper { names: &["screen"], verbs: &["stuff"], values: &["-S", "-p"], rest: Rest::Keys, ..PLAIN },
    Wrapper { names: &["screen"], verbs: &["exec", "screen"], values: &["-S", "-p"], ..PLAIN },
    Wrapper {
        names: &["screen"],
        values: &["-S", "-c", "-e", "-h", "-p", "-s", "-t", "-T", "-Logfile"],
        without: &["-X"],
        ..PLAIN
    },
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
        names: &["pssh", "parallel-ssh", "pdsh", "clush"],
        values: &["-h", "-H", "-l", "-w", "-x", "-g", "-p", "-f", "-e", "-o", "-O", "-t", "-u"],
        rest: Rest::Line,
        remote: true,
        ..PLAIN
    },
    Wrapper { names: &["rsh", "remsh"], values: &["-l", "-k"], skip: 1, rest: Rest::Line, remote: true, ..PLAIN },
    // Modules that run a command take it as their argument; what other modules take is no command.
    Wrapper {
        names: &["ansible"],
        values: &[
            "-m", "--module-name", "-i", "--inventory", "-u", "--user", "-l", "--limit", "-f", "--forks", "-e",
            "--extra-vars",
        ],
        lines: &["-a", "--args"],
        skip: usize::MAX,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["npx", "bunx", "pnpx"],
        values: &["-p", "--package", "--cache", "--userconfig", "-w", "--workspace"],
        lines: &["-c", "--call"],
        ..PLAIN
    },
    Wrapper { names: &["yarn"], verbs: &["exec"], rest: Rest::Either, ..PLAIN },
    Wrapper {
        names: &["npm", "pnpm", "yarn", "bun"],
        verbs: &["exec", "x", "dlx"],
        values: &["-p", "--package", "-w", "--workspace", "--filter", "-C", "--dir", "--prefix"],
        folders: &["-C", "--dir", "--prefix"],
        lines: &["-c", "--call"],
        ..PLAIN
    },
    Wrapper {
        names: &["uv", "poetry", "pipenv", "pdm", "rye", "conda", "mamba", "micromamba", "pixi", "pyenv"],
        verbs: &["run", "exec", "tool run"],
        values: &[
            "-n", "--name", "-p", "--prefix", "--python", "--with", "--env-file", "--project", "--directory", "-C",
            "--extra", "--group", "--package",
        ],
        folders: &["--directory", "-C"],
        ..PLAIN
    },
    Wrapper {
        names: &[
            "bundle", "nvm", "volta", "op", "doppler", "infisical", "chamber", "teller", "sops", "guix", "devbox",
            "flox", "dotenvx",
        ],
        verbs: &["exec", "run", "x", "exec-env", "shell", "develop"],
        values: &[
            "-n", "--env-file", "-p", "--project", "-c", "--config", "-e", "--env", "-f", "--file", "--profile",
            "--duration", "-d",
        ],
        lines: &["--command", "--run"],
        dashes: true,
        ..PLAIN
    },
    Wrapper { names: &["nix"], verbs: &["develop", "shell"], before: &["-c", "--command"], skip: usize::MAX, ..PLAIN },
    Wrapper {
        names: &["nix-shell"],
        values: &["-p", "--packages", "-A", "--attr", "-I", "--argstr"],
        lines: &["--run", "--command"],
        skip: 1,
        ..PLAIN
    },
    Wrapper { names: &["git-foreach"], rest: Rest::Line, ..PLAIN },
    Wrapper { names: &["gosu", "su-exec", "setpriv-user", "logsave"], values: &["-a", "-s"], skip: 1, ..PLAIN },
    Wrapper { names: &["shx", "arch"], ..PLAIN },
    Wrapper { names: &["k3s", "microk8s", "minikube"], verbs: &["kubectl"], into: Some("kubectl"), ..PLAIN },
    Wrapper { names: &["cross-env", "cross-env-shell", "env-cmd"], values: &["-f"], assigns: true, ..PLAIN },
    Wrapper {
        names: &["lerna", "turbo", "nx", "rush", "moon"],
        verbs: &["exec"],
        values: &["--scope", "--concurrency"],
        ..PLAIN
    },
    Wrapper { names: &["just"], before: &["--command", "-c"], verbs: &["--command", "-c"], ..PLAIN },
    Wrapper {
        names: &["concurrently", "npm-run-all", "run-p", "run-s"],
        values: &["-n", "--names", "-c"],
        rest: Rest::Lines,
        ..PLAIN
    },
];
