//! Wrappers that measure, limit, lock in, repeat and set up.

use super::{PLAIN, Rest, Wrapper};

/// The table.
pub(super) const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        names: &["perf"],
        verbs: &["stat", "record", "trace", "mem record", "sched record", "lock record", "c2c record", "kvm record"],
        values: &[
            "-e", "--event", "-r", "--repeat", "-o", "--output", "-p", "--pid", "-t", "--tid", "-C", "--cpu", "-I",
            "-F", "--freq", "-c", "--count", "--call-graph", "-m", "-x", "-G", "-D", "--filter",
        ],
        ..PLAIN
    },
    Wrapper {
        names: &["hyperfine", "poop"],
        values: &[
            "-w", "--warmup", "-m", "--min-runs", "-M", "--max-runs", "-r", "--runs", "-n", "--command-name", "-S",
            "--shell", "-d", "--duration", "--style", "-u", "--time-unit", "--input", "--output", "--export-json",
            "--export-csv", "--export-markdown", "--export-asciidoc", "-D",
        ],
        lines: &["-s", "--setup", "-p", "--prepare", "-c", "--cleanup", "-C", "--conclude", "--reference"],
        pairs: &["-L", "--parameter-list"],
        rest: Rest::Lines,
        ..PLAIN
    },
    Wrapper { names: &["multitime"], values: &["-n", "-i", "-o", "-r", "-s", "-I", "-f"], ..PLAIN },
    Wrapper {
        names: &["rr", "samply", "py-spy", "memray", "austin"],
        verbs: &["record", "top", "run"],
        values: &["-o", "--output", "-r", "--rate", "-d", "--duration", "-f", "--format", "-p", "--pid", "-s", "-n"],
        ..PLAIN
    },
    Wrapper { names: &["asciinema"], verbs: &["rec"], lines: &["-c", "--command"], skip: usize::MAX, ..PLAIN },
    Wrapper { names: &["ttyrec"], lines: &["-e"], skip: usize::MAX, ..PLAIN },
    Wrapper {
        names: &["ltrace"],
        values: &["-e", "-o", "-s", "-p", "-u", "-l", "-a", "-A", "-D", "-F", "-n", "-x", "-w"],
        ..PLAIN
    },
    Wrapper { names: &["gdb", "lldb"], before: &["--args", "--"], skip: usize::MAX, ..PLAIN },
    // The loader of the system starts what it is given.
    Wrapper {
        names: &[
            "ld.so", "ld-linux.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld-linux-armhf.so.3",
            "ld-musl-x86_64.so.1", "ld-musl-aarch64.so.1",
        ],
        values: &["--library-path", "--preload", "--audit", "--argv0", "--inhibit-rpath", "--glibc-hwcaps-prepend"],
        without: &["--list", "--verify", "--help", "--version", "--list-tunables", "--list-diagnostics"],
        ..PLAIN
    },
    Wrapper {
        names: &["foreman", "honcho", "forego", "hivemind"],
        verbs: &["run"],
        values: &["-e", "--env", "-f", "--procfile", "-d", "--root"],
        ..PLAIN
    },
    Wrapper { names: &["faketime"], values: &["-f"], skip: 1, instead: &["-f"], ..PLAIN },
    Wrapper { names: &["setarch"], skip: 1, ..PLAIN },
    Wrapper { names: &["choom"], values: &["-n", "--adjust", "-p", "--pid"], ..PLAIN },
    Wrapper { names: &["prlimit"], values: &["-p", "--pid", "-o", "--output"], ..PLAIN },
    Wrapper {
        names: &["numactl"],
        values: &[
            "-N", "--cpunodebind", "-m", "--membind", "-C", "--physcpubind", "-i", "--interleave", "-p", "--preferred",
            "-w", "--weighted-interleave", "-P", "--preferred-many",
        ],
        ..PLAIN
    },
    Wrapper { names: &["taskset"], skip: 1, without: &["-p", "--pid"], ..PLAIN },
    Wrapper { names: &["cpulimit"], values: &["-l", "--limit", "-p", "--pid", "-e", "--exe", "-P", "--path"], ..PLAIN },
    Wrapper { names: &["trickle"], values: &["-d", "-u", "-w", "-t", "-l", "-n", "-p"], ..PLAIN },
    Wrapper {
        names: &["softlimit"],
        values: &["-a", "-c", "-d", "-f", "-l", "-m", "-o", "-p", "-r", "-s", "-t"],
        ..PLAIN
    },
    Wrapper {
        names: &["chpst"],
        values: &["-u", "-U", "-b", "-e", "-/", "-C", "-n", "-l", "-L", "-m", "-d", "-o", "-p", "-f", "-c", "-r", "-t"],
        ..PLAIN
    },
    Wrapper { names: &["setuidgid", "envuidgid", "envdir", "envchain", "setlock", "s6-setuidgid"], skip: 1, ..PLAIN },
    Wrapper { names: &["cgexec"], values: &["-g"], ..PLAIN },
    Wrapper { names: &["aa-exec"], values: &["-p", "--profile", "-n", "--namespace"], ..PLAIN },
    Wrapper { names: &["runcon"], values: &["-t", "--type", "-u", "--user", "-r", "--role", "-l", "--range"], ..PLAIN },
    Wrapper {
        names: &["bwrap"],
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
        ..PLAIN
    },
    Wrapper {
        names: &["proot"],
        values: &[
            "-r", "--rootfs", "-R", "-S", "-b", "--bind", "-m", "--mount", "-q", "--qemu", "-w", "--cwd", "-k", "-i",
        ],
        ..PLAIN
    },
    Wrapper {
        names: &["systemd-nspawn"],
        values: &["-D", "--directory", "-M", "--machine", "-u", "--user", "-i", "--image", "-E", "--setenv"],
        ..PLAIN
    },
    Wrapper { names: &["ip"], verbs: &["netns exec", "vrf exec"], skip: 1, ..PLAIN },
    Wrapper { names: &["ssh-agent"], values: &["-a", "-t", "-E", "-P"], ..PLAIN },
    Wrapper { names: &["gpg-agent"], values: &["--pinentry-program", "--homedir", "--options"], ..PLAIN },
    Wrapper { names: &["sshpass"], values: &["-p", "-f", "-d", "-P"], ..PLAIN },
    Wrapper { names: &["mosh"], values: &["-p", "--port"], skip: 1, rest: Rest::Line, remote: true, ..PLAIN },
    Wrapper { names: &["autossh"], values: &["-M"], into: Some("ssh"), ..PLAIN },
    Wrapper { names: &["daemonize"], values: &["-a", "-c", "-e", "-o", "-p", "-l", "-u", "-E"], ..PLAIN },
    Wrapper {
        names: &["daemon"],
        values: &["-n", "--name", "-u", "--user", "-D", "--chdir", "-o", "--output"],
        ..PLAIN
    },
    Wrapper {
        names: &["start-stop-daemon"],
        values: &[
            "-p", "--pidfile", "-n", "--name", "-u", "--user", "-c", "--chuid", "-d", "--chdir", "-N", "-I", "-k",
        ],
        folders: &["-d", "--chdir"],
        named: &["-x", "--exec", "-a"],
        without: &["-K", "--stop", "-T", "--status", "-t", "--test"],
        ..PLAIN
    },
    Wrapper { names: &["entr"], lines: &["-s"], ..PLAIN },
    Wrapper {
        names: &["watchexec"],
        values: &[
            "-e", "--exts", "-w", "--watch", "-i", "--ignore", "-f", "--filter", "-d", "--debounce", "-s", "--signal",
            "--stop-signal", "--workdir", "--shell", "-E", "--env", "-o", "--on-busy-update", "--delay-run",
        ],
        rest: Rest::Either,
        ..PLAIN
    },
    Wrapper {
        names: &["nodemon"],
        values: &["-w", "--watch", "-e", "--ext", "-i", "--ignore", "-d", "--delay", "-s", "--signal"],
        lines: &["-x", "--exec"],
        skip: usize::MAX,
        ..PLAIN
    },
    Wrapper {
        names: &["cargo"],
        verbs: &["watch"],
        values: &["-x", "--exec", "-w", "--watch", "-i", "--ignore", "-d", "--delay", "-C", "--workdir"],
        lines: &["-s", "--shell"],
        ..PLAIN
    },
    Wrapper {
        names: &["cargo-watch"],
        values: &["-x", "--exec", "-w", "--watch", "-i", "--ignore", "-d", "--delay", "-C", "--workdir"],
        lines: &["-s", "--shell"],
        ..PLAIN
    },
    Wrapper { names: &["reflex"], values: &["-r", "-R", "-g", "-G", "-t", "-c", "--sequential"], ..PLAIN },
    Wrapper {
        names: &["go"],
        verbs: &["run", "test", "build", "vet", "install"],
        values: &["-o", "-run", "-tags", "-ldflags", "-C"],
        lines: &["-exec", "-toolexec", "-vettool"],
        skip: usize::MAX,
        ..PLAIN
    },
    Wrapper { names: &["hatch"], verbs: &["run"], values: &["-e", "--env", "-p", "--project"], ..PLAIN },
    Wrapper { names: &["uvx"], values: &["--from", "--with", "-p", "--python", "--index", "--index-url"], ..PLAIN },
    Wrapper {
        names: &["pipx"],
        verbs: &["run"],
        values: &["--spec", "--python", "--pip-args", "--index-url"],
        ..PLAIN
    },
    Wrapper {
        names: &["mise", "rtx"],
        verbs: &["exec", "x"],
        values: &["-C", "--cd", "-j", "--jobs", "-E", "--env"],
        lines: &["-c", "--command"],
        dashes: true,
        ..PLAIN
    },
    Wrapper {
        names: &["dotenv"],
        verbs: &["run", ""],
        values: &["-f", "--file", "-e", "-v", "-p", "-q", "--export"],
        ..PLAIN
    },
    Wrapper {
        names: &["aws-vault", "saml2aws", "aws-okta"],
        verbs: &["exec"],
        values: &["-d", "--duration", "--region", "--mfa-token", "-t"],
        skip: 1,
        dashes: true,
        ..PLAIN
    },
    Wrapper {
        names: &["envconsul"],
        values: &["-prefix", "-secret", "-config", "-consul-addr", "-vault-addr", "-log-level"],
        ..PLAIN
    },
    Wrapper {
        names: &["retry"],
        values: &["-t", "--tries", "--times", "-d", "--delay", "-s", "--sleep", "-m", "-x", "--until", "--while"],
        ..PLAIN
    },
];
