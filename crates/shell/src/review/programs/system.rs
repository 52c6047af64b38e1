//! The machine: what runs on it, its devices, its network, its programs.

use super::{VERSION, any, but, exactly, few, only, program, verbs};
use crate::programs::agents;
use crate::review::table::{Operands, Program, Style, Way};

pub(super) const PROGRAMS: &[Program] = &[
    any(&[
        "which", "type", "whereis", "whoami", "id", "groups", "users", "who", "w", "last", "uname", "arch", "uptime",
        "nproc", "printenv", "locale", "tty", "logname", "ps", "pstree", "free", "vmstat", "iostat", "lsblk", "lscpu",
        "lspci", "lsusb", "lsmod", "lsns", "getconf", "netstat", "pidof", "sw_vers", "jobs", "times", "readelf",
        "size", "apropos", "whatis", "findmnt", "zdump",
    ]),
    program(&["command"], &[verbs(&["-v", "-V"])]),
    // They ask others, so that every word has to be known: a name can carry what a file holds.
    program(&["dig"], &[but(&["-f", "-k", "-y"])]),
    program(&["host", "whois", "getent", "tldr"], &[but(&["-h", "--host", "-p", "--port", "-s", "--service"])]),
    program(
        &["dmesg"],
        &[but(&[
            "-c", "-C", "-D", "-E", "-n", "--clear", "--read-clear", "--console-off", "--console-on",
            "--console-level", "-F",
        ])],
    ),
    program(
        &["journalctl"],
        &[but(&[
            "--rotate", "--vacuum-size", "--vacuum-time", "--vacuum-files", "--flush", "--sync", "--setup-keys",
            "--update-catalog", "--relinquish-var", "--smart-relinquish-var", "--cursor-file",
        ])],
    ),
    program(
        &["ping", "ping6"],
        &[Way { needs: &["-c"], ..only(&["-c=", "-W=", "-w=", "-i=", "-4", "-6", "-n", "-q", "-s=", "-t="]) }],
    ),
    program(&["ifconfig"], &[few(&["-a", "-s"], 1)]),
    program(&["ss"], &[but(&["-K", "--kill", "-D", "--diag", "-F", "--filter"])]),
    Program {
        names: &["ip"],
        before: &[
            "-4", "-6", "-br", "-brief", "-s", "-d", "-o", "-j", "-p", "-c", "-json", "-pretty", "-details", "-stats",
        ],
        ways: &[
            verbs(&["* show", "* list", "* ls", "route get"]),
            exactly(&[
                "a", "addr", "address", "l", "link", "r", "route", "n", "neigh", "rule", "maddr", "mroute", "tunnel",
                "netns",
            ]),
        ],
    },
    program(
        &["curl"],
        &[
            Way {
                operands: Operands::Web,
                ..only(&[
                    "-s", "-S", "-f", "-L", "-I", "-i", "-v", "-g", "-4", "-6", "-N", "-k", "-#", "-e=", "-A=", "-m=",
                    "-r=", "--silent", "--show-error", "--fail", "--fail-with-body", "--location", "--head",
                    "--include", "--verbose", "--globoff", "--ipv4", "--ipv6", "--no-buffer", "--insecure",
                    "--compressed", "--max-time=", "--connect-timeout=", "--retry=", "--retry-delay=",
                    "--retry-max-time=", "--max-redirs=", "--http1.1", "--http2", "--http3", "--no-progress-meter",
                    "--range=", "--user-agent=", "--referer=", "--progress-bar", "-X:GET|HEAD", "--request:GET|HEAD",
                    "-G", "--get", "--tlsv1.2", "--tlsv1.3", "--proto=", "-o:/dev/null", "--output:/dev/null",
                ])
            },
            VERSION,
        ],
    ),
    program(
        &["openssl"],
        &[
            Way { style: Style::Words, but: &["-out", "-provider"], ..verbs(&["version", "list", "ciphers"]) },
            Way {
                verbs: &["x509"],
                ..only(&[
                    "-in=", "-inform=", "-noout", "-text", "-subject", "-issuer", "-dates", "-startdate", "-enddate",
                    "-fingerprint", "-serial", "-pubkey", "-sha256", "-nameopt=", "-checkend=", "-ext=", "-email",
                    "-purpose",
                ])
            },
        ],
    ),
    program(&["sysctl"], &[few(&["-a"], 0)]),
    program(
        &["systemd-analyze", "loginctl", "hostnamectl", "timedatectl"],
        &[exactly(&["", "status", "time", "list-sessions", "list-users", "list-timezones"])],
    ),
    program(&["diskutil"], &[verbs(&["list", "info"])]),
    program(&["tmutil"], &[verbs(&["listbackups", "compare", "status", "destinationinfo"])]),
    program(&["networksetup"], &[verbs(&["-list*", "-get*"])]),
    program(&["pkgutil"], &[verbs(&["--pkgs*", "--files", "--pkg-info"])]),
    program(&["security"], &[verbs(&["find-certificate"])]),
    // Asking for a version starts the program, and nothing else.
    program(
        &[
            "python", "python3", "node", "deno", "bun", "ruby", "perl", "php", "java", "javac", "rustc", "rustup",
            "gcc", "g++", "clang", "clang++", "cc", "cmake", "ninja", "make", "gmake", "swift", "kotlin", "scala",
            "dotnet", "elixir", "erl", "ghc", "zig", "lua", "R", "julia", "psql", "mysql", "sqlite3", "redis-cli",
            "mongosh", "vim", "nvim", "emacs", "tmux", "screen", "ffmpeg", "convert", "pandoc", "packer", "vault",
            "consul", "ansible", "vagrant", "nginx", "gpg", "code", "uv", "uvx", "pipx", "poetry", "rtk", "sfdisk",
            "strings", "xz", "zip", "rbenv", "pyenv", "nvm", "asdf", "mise", "direnv", "jest", "vitest", "eslint",
            "prettier", "tsc", "pytest", "mocha",
        ],
        &[exactly(&["--version", "-V", "--help"])],
    ),
    program(&[agents::TYPED], &[exactly(&["--version", "-V", "--help"])]),
    // Not `yarn`, which starts the program that the project's settings name.
    program(&["node", "npm", "pnpm", "bun", "php", "ruby", "perl"], &[exactly(&["-v"])]),
    program(&["java", "javac"], &[exactly(&["-version"])]),
    program(&["rustup"], &[verbs(&["show", "toolchain list", "target list", "component list", "which"])]),
];
