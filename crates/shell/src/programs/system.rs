//! The machine: what runs on it, its devices, its users, its services.

use super::Trait::{Destructive, Followed, NeverApproved, Reader, Silent, System, TakesText, Unread};
use super::code::OTHER;
use super::reads::{Operands, Way, but, exactly, few, only, verbs};
use super::reveals::{REVEALS, Reveals};
use super::runs::{RUNS, Runs};
use super::{PROGRAM, Program, traits};

pub(super) const DATE_READS: Way = Way {
    operands: Operands::Beginning("+"),
    ..only(&[
        "-u", "--utc", "--universal", "-d=", "--date=", "-r=", "--reference=", "-f=", "-R", "--rfc-email", "-I",
        "--rfc-3339=", "-n", "-j",
    ])
};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["hostname"],
        reads: &[few(&["-f", "-s", "-i", "-I", "-d", "-A", "--fqdn", "--short", "--ip-address"], 0)],
        ..PROGRAM
    },
    Program { names: &["date"], is: traits(&[System]), reads: &[DATE_READS], ..PROGRAM },
    Program { names: &["gdate"], reads: &[DATE_READS], ..PROGRAM },
    Program {
        names: &[
            "pgrep", "cal", "factor", "groups", "users", "who", "w", "last", "uname", "uptime", "nproc", "locale",
            "tty", "logname", "pstree", "free", "vmstat", "iostat", "lsblk", "lscpu", "lspci", "lsusb", "lsmod",
            "lsns", "getconf", "netstat", "pidof", "sw_vers", "findmnt", "zdump",
        ],
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["sleep"], is: traits(&[Silent, Reader]), reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["whoami", "id"], is: traits(&[System]), reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["arch"], reads: &[Way::ANY], runs: &[Runs { ..RUNS }], ..PROGRAM },
    Program { names: &["printenv", "readelf", "size"], is: traits(&[Reader]), reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["ps"], is: traits(&[Reader, System]), reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["getent"],
        is: traits(&[Reader]),
        reads: &[but(&["-h", "--host", "-p", "--port", "-s", "--service"])],
        reveals: &[Reveals { words: &[&["shadow"], &["gshadow"]], personal: true, ..REVEALS }],
        ..PROGRAM
    },
    Program {
        names: &["dmesg"],
        reads: &[but(&[
            "-c", "-C", "-D", "-E", "-n", "--clear", "--read-clear", "--console-off", "--console-on",
            "--console-level", "-F",
        ])],
        ..PROGRAM
    },
    Program {
        names: &["journalctl"],
        is: traits(&[Silent]),
        reads: &[but(&[
            "--rotate", "--vacuum-size", "--vacuum-time", "--vacuum-files", "--flush", "--sync", "--setup-keys",
            "--update-catalog", "--relinquish-var", "--smart-relinquish-var", "--cursor-file",
        ])],
        ..PROGRAM
    },
    Program { names: &["ifconfig"], reads: &[few(&["-a", "-s"], 1)], ..PROGRAM },
    Program { names: &["ss"], reads: &[but(&["-K", "--kill", "-D", "--diag", "-F", "--filter"])], ..PROGRAM },
    Program {
        names: &["ip"],
        before: &[
            "-4", "-6", "-br", "-brief", "-s", "-d", "-o", "-j", "-p", "-c", "-json", "-pretty", "-details", "-stats",
        ],
        reads: &[
            verbs(&["* show", "* list", "* ls", "route get"]),
            exactly(&[
                "a", "addr", "address", "l", "link", "r", "route", "n", "neigh", "rule", "maddr", "mroute", "tunnel",
                "netns",
            ]),
        ],
        runs: &[Runs { verbs: &["netns exec", "vrf exec"], skip: 1, ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["sysctl"], reads: &[few(&["-a"], 0)], ..PROGRAM },
    Program {
        names: &["systemd-analyze", "loginctl", "hostnamectl", "timedatectl"],
        reads: &[exactly(&["", "status", "time", "list-sessions", "list-users", "list-timezones"])],
        ..PROGRAM
    },
    Program { names: &["diskutil"], reads: &[verbs(&["list", "info"])], ..PROGRAM },
    Program {
        names: &["tmutil"],
        reads: &[verbs(&["listbackups", "compare", "status", "destinationinfo"])],
        ..PROGRAM
    },
    Program { names: &["networksetup"], reads: &[verbs(&["-list*", "-get*"])], ..PROGRAM },
    Program { names: &["pkgutil"], reads: &[verbs(&["--pkgs*", "--files", "--pkg-info"])], ..PROGRAM },
    Program {
        names: &["security"],
        reads: &[verbs(&["find-certificate"])],
        reveals: &[
            Reveals {
                words: &[&["find-generic-password"], &["find-internet-password"]],
                needs: &["-w", "-g", "-w?", "-g?", "-?w", "-?g"],
                personal: true,
                ..REVEALS
            },
            Reveals { words: &[&["dump-keychain"]], needs: &["-d*"], personal: true, ..REVEALS },
        ],
        ..PROGRAM
    },
    Program {
        names: &["sfdisk"],
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program { names: &["kill"], is: traits(&[Silent, Destructive, Reader, System, NeverApproved]), ..PROGRAM },
    Program { names: &["mount", "umount"], is: traits(&[Silent, NeverApproved]), ..PROGRAM },
    Program { names: &["supervisorctl", "service"], is: traits(&[Silent]), ..PROGRAM },
    Program { names: &["systemctl"], is: traits(&[Silent, System, NeverApproved]), ..PROGRAM },
    Program { names: &["logger"], is: traits(&[TakesText, Reader]), ..PROGRAM },
    Program { names: &["mkfs", "killall"], is: traits(&[Destructive, NeverApproved]), ..PROGRAM },
    Program {
        names: &["wipefs", "mkfs.ext4", "mkfs.xfs", "mkfs.btrfs", "lvremove", "vgremove"],
        is: traits(&[Destructive]),
        ..PROGRAM
    },
    Program { names: &["pkill"], is: traits(&[Destructive, System, NeverApproved]), ..PROGRAM },
    Program { names: &["debugfs", "guestfish", "nft", "parted"], is: traits(&[Unread]), ..PROGRAM },
    Program { names: &["osqueryi"], is: traits(&[Unread]), code: Some(&OTHER), ..PROGRAM },
    Program {
        names: &["ldd", "nm", "objdump", "otool", "pbcopy", "pv", "wl-copy", "xclip"],
        is: traits(&[Reader]),
        ..PROGRAM
    },
    Program { names: &["at", "batch"], is: traits(&[Followed]), ..PROGRAM },
    Program { names: &["crontab"], is: traits(&[Followed, System, NeverApproved]), ..PROGRAM },
    Program { names: &["login", "passwd"], is: traits(&[System]), ..PROGRAM },
    Program { names: &["launchctl"], is: traits(&[NeverApproved]), ..PROGRAM },
];
