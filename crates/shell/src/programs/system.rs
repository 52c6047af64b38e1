//! The machine: what runs on it, its devices, its users, its services.

use super::Trait::{
    Destructive, Followed, Holds, NeverApproved, Reader, RunsInput, Seeks, Silent, System, TakesText, Unread,
};
use super::code::OTHER;
use super::reads::{Operands, Way, but, exactly, few, only, verbs};
use super::reveals::{REVEALS, Reveals};
use super::runs::{RUNS, Runs};
use super::wrappers::SUDO;
use super::{PROGRAM, Program, Tool, traits};
use crate::options::Grammar;

pub(super) const DATE_READS: Way = Way {
    operands: Operands::Beginning("+"),
    ..only(&[
        "-u", "--utc", "--universal", "-d=", "--date=", "-r=", "--reference=", "-f=", "-R", "--rfc-email", "-I",
        "--rfc-3339=", "-n", "-j",
    ])
};

pub(super) const SYSTEMD_ANALYZE_READS: Way =
    exactly(&["", "status", "time", "list-sessions", "list-users", "list-timezones"]);

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["hostname"],
        tool: Tool::Tells,
        reads: &[few(&["-f", "-s", "-i", "-I", "-d", "-A", "--fqdn", "--short", "--ip-address"], 0)],
        ..PROGRAM
    },
    Program {
        names: &["date"],
        is: traits(&[System]),
        tool: Tool::Date,
        options: Grammar {
            table: &["-I[=]", "--iso-8601[=]"],
            ..Grammar::gnu(&["-f", "--file", "-d", "--date", "-r", "--reference", "-s", "--set", "-v"])
        },
        reads: &[DATE_READS],
        ..PROGRAM
    },
    Program { names: &["gdate"], reads: &[DATE_READS], ..PROGRAM },
    Program {
        names: &[
            "cal", "factor", "groups", "users", "who", "w", "last", "uptime", "locale", "tty", "logname", "pstree",
            "free", "vmstat", "iostat", "lsblk", "lscpu", "lspci", "lsusb", "lsmod", "lsns", "getconf", "netstat",
            "sw_vers", "findmnt", "zdump",
        ],
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["pgrep", "pidof"], is: traits(&[Seeks]), reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["sleep"], is: traits(&[Silent, Reader]), reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["whoami", "id"], is: traits(&[System]), tool: Tool::Tells, reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["uname", "nproc"], tool: Tool::Tells, reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["arch"], reads: &[Way::ANY], runs: &[Runs { ..RUNS }], ..PROGRAM },
    Program { names: &["printenv"], is: traits(&[Reader]), tool: Tool::Printenv, reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["ps"], is: traits(&[Reader, System]), tool: Tool::Ps, reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["readelf", "size"],
        is: traits(&[Reader]),
        tool: Tool::ReadsBinaries,
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["getent"],
        is: traits(&[Reader]),
        tool: Tool::Getent,
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
    Program {
        names: &["sysctl"],
        tool: Tool::Sysctl,
        options: Grammar { table: &["-p[=]", "--load[=]"], ..Grammar::gnu(&["-r", "--pattern"]) },
        reads: &[few(&["-a"], 0)],
        ..PROGRAM
    },
    Program { names: &["systemd-analyze"], reads: &[SYSTEMD_ANALYZE_READS], ..PROGRAM },
    Program { names: &["loginctl"], tool: Tool::Loginctl, reads: &[SYSTEMD_ANALYZE_READS], ..PROGRAM },
    Program {
        names: &["hostnamectl", "timedatectl"],
        tool: Tool::Timedatectl,
        reads: &[SYSTEMD_ANALYZE_READS],
        ..PROGRAM
    },
    Program { names: &["diskutil"], tool: Tool::Diskutil, reads: &[verbs(&["list", "info"])], ..PROGRAM },
    Program {
        names: &["tmutil"],
        reads: &[verbs(&["listbackups", "compare", "status", "destinationinfo"])],
        ..PROGRAM
    },
    Program { names: &["networksetup"], tool: Tool::Networksetup, reads: &[verbs(&["-list*", "-get*"])], ..PROGRAM },
    Program { names: &["pkgutil"], reads: &[verbs(&["--pkgs*", "--files", "--pkg-info"])], ..PROGRAM },
    Program {
        names: &["security"],
        options: Grammar::gnu(&[
            "-a", "-c", "-C", "-d", "-D", "-G", "-j", "-k", "-l", "-p", "-r", "-s", "-t", "-v", "-o", "-f", "-A",
        ]),
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
        tool: Tool::Partitions,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["kill"],
        is: traits(&[Silent, Destructive, Reader, System, NeverApproved]),
        tool: Tool::Kill,
        ..PROGRAM
    },
    Program {
        names: &["mount"],
        is: traits(&[Silent, NeverApproved]),
        tool: Tool::Mount,
        options: Grammar::gnu(&[
            "-t", "--types", "-o", "--options", "-O", "-L", "--label", "-U", "--uuid", "--source", "--target", "-N",
            "--namespace", "-T", "--fstab",
        ]),
        ..PROGRAM
    },
    Program {
        names: &["umount"],
        is: traits(&[Silent, NeverApproved]),
        tool: Tool::Umount,
        options: Grammar::gnu(&["-t", "--types", "-O", "-N", "--namespace"]),
        ..PROGRAM
    },
    Program { names: &["supervisorctl", "service"], is: traits(&[Silent]), ..PROGRAM },
    Program { names: &["systemctl"], is: traits(&[Silent, System, NeverApproved]), tool: Tool::Systemctl, ..PROGRAM },
    Program { names: &["logger"], is: traits(&[TakesText, Reader]), ..PROGRAM },
    Program { names: &["mkfs"], is: traits(&[Destructive, NeverApproved]), ..PROGRAM },
    Program { names: &["wipefs"], is: traits(&[Destructive]), tool: Tool::Wipefs, ..PROGRAM },
    Program {
        names: &["pkill"],
        is: traits(&[Destructive, System, NeverApproved]),
        tool: Tool::Pkill,
        options: Grammar::gnu(&[
            "-F", "--pidfile", "-g", "--pgroup", "-G", "--group", "-O", "-P", "--parent", "-q", "-r", "-s",
            "--session", "--signal", "-t", "--terminal", "-u", "--euid", "-U", "--uid",
        ]),
        ..PROGRAM
    },
    Program {
        names: &["killall"],
        is: traits(&[Destructive, NeverApproved]),
        tool: Tool::Killall,
        options: Grammar::gnu(&[
            "-s", "--signal", "-u", "--user", "-o", "--older-than", "-y", "--younger-than", "-n", "--ns", "-t", "-c",
        ]),
        ..PROGRAM
    },
    Program { names: &["mkfs.ext4", "mkfs.xfs", "mkfs.btrfs"], is: traits(&[Destructive]), ..PROGRAM },
    Program {
        names: &["lvremove", "vgremove", "pvremove", "lvreduce", "vgreduce", "pvcreate"],
        is: traits(&[Destructive]),
        tool: Tool::Lvremove,
        ..PROGRAM
    },
    Program {
        names: &["debugfs"],
        is: traits(&[Unread]),
        tool: Tool::Debugfs,
        options: Grammar::gnu(&["-b", "-s", "-f", "-R", "-d", "-z"]),
        ..PROGRAM
    },
    Program { names: &["guestfish", "nft"], is: traits(&[Unread]), ..PROGRAM },
    Program { names: &["osqueryi"], is: traits(&[Unread]), code: Some(&OTHER), ..PROGRAM },
    Program { names: &["parted"], is: traits(&[Unread]), tool: Tool::Parted, ..PROGRAM },
    Program { names: &["ldd", "nm", "objdump", "otool"], is: traits(&[Reader]), tool: Tool::ReadsBinaries, ..PROGRAM },
    Program { names: &["pbcopy", "wl-copy", "xclip"], is: traits(&[Reader]), ..PROGRAM },
    Program { names: &["pv"], is: traits(&[Reader]), tool: Tool::Pv, ..PROGRAM },
    Program {
        names: &["at", "batch"],
        is: traits(&[Followed]),
        tool: Tool::At,
        options: Grammar::gnu(&["-f", "-q", "-t"]),
        ..PROGRAM
    },
    Program {
        names: &["crontab"],
        is: traits(&[Followed, System, NeverApproved]),
        tool: Tool::Crontab,
        options: Grammar::gnu(&["-u"]),
        ..PROGRAM
    },
    Program { names: &["login"], is: traits(&[System, RunsInput]), ..PROGRAM },
    Program { names: &["passwd"], is: traits(&[System]), tool: Tool::Passwd, ..PROGRAM },
    Program { names: &["launchctl"], is: traits(&[NeverApproved]), tool: Tool::Launchctl, ..PROGRAM },
    Program { names: &["xdg-user-dir"], tool: Tool::XdgUserDir, ..PROGRAM },
    Program {
        names: &["bindfs"],
        tool: Tool::Bindfs,
        options: Grammar::gnu(&["-o", "-u", "-g", "-m", "--mirror", "-M", "-p", "--perms", "--map"]),
        ..PROGRAM
    },
    Program { names: &["fusermount", "fusermount3"], tool: Tool::Fusermount, ..PROGRAM },
    Program {
        names: &["sshfs", "s3fs", "gcsfuse", "goofys", "curlftpfs", "blobfuse2", "mount.nfs", "mount.cifs", "ntfs-3g"],
        tool: Tool::MountsRemote,
        options: Grammar::gnu(&["-o", "-p", "-F"]),
        ..PROGRAM
    },
    Program { names: &["insmod", "rmmod"], tool: Tool::KernelModules, ..PROGRAM },
    Program { names: &["modprobe"], tool: Tool::Modprobe, ..PROGRAM },
    Program { names: &["swapoff"], tool: Tool::Swapoff, ..PROGRAM },
    Program { names: &["kexec"], tool: Tool::Kexec, ..PROGRAM },
    Program { names: &["setcap"], tool: Tool::SetCap, ..PROGRAM },
    Program {
        names: &["setenforce", "grub-install", "grub2-install", "aa-disable", "aa-teardown"],
        tool: Tool::Setenforce,
        ..PROGRAM
    },
    Program { names: &["bootctl"], tool: Tool::Bootctl, ..PROGRAM },
    Program { names: &["efibootmgr"], tool: Tool::Efibootmgr, ..PROGRAM },
    Program { names: &["mkinitcpio"], tool: Tool::Mkinitcpio, ..PROGRAM },
    Program { names: &["ldconfig"], tool: Tool::Ldconfig, ..PROGRAM },
    Program { names: &["spctl"], tool: Tool::Spctl, ..PROGRAM },
    Program { names: &["csrutil"], tool: Tool::Csrutil, ..PROGRAM },
    Program { names: &["nvram"], tool: Tool::Nvram, ..PROGRAM },
    Program { names: &["defaults"], tool: Tool::Defaults, ..PROGRAM },
    Program { names: &["pmset"], tool: Tool::Pmset, ..PROGRAM },
    Program { names: &["systemsetup"], tool: Tool::Networksetup, ..PROGRAM },
    Program { names: &["sysadminctl"], tool: Tool::Sysadminctl, ..PROGRAM },
    Program { names: &["asr"], tool: Tool::Asr, ..PROGRAM },
    Program { names: &["update-initramfs", "dracut"], tool: Tool::UpdateInitramfs, ..PROGRAM },
    Program { names: &["update-alternatives", "alternatives"], tool: Tool::UpdateAlternatives, ..PROGRAM },
    Program { names: &["mke2fs", "mkswap", "mkntfs", "mkdosfs"], tool: Tool::MakesFileSystem, ..PROGRAM },
    Program { names: &["killall5"], tool: Tool::Killall5, ..PROGRAM },
    Program { names: &["net"], tool: Tool::Net, ..PROGRAM },
    Program { names: &["dscl"], tool: Tool::Dscl, ..PROGRAM },
    Program { names: &["fdisk", "gdisk", "sgdisk", "cfdisk", "cgdisk", "partx"], tool: Tool::Partitions, ..PROGRAM },
    Program { names: &["lvm"], tool: Tool::Lvm, ..PROGRAM },
    Program { names: &["cryptsetup"], tool: Tool::Cryptsetup, ..PROGRAM },
    Program { names: &["mdadm"], tool: Tool::Mdadm, ..PROGRAM },
    Program { names: &["zpool", "zfs"], tool: Tool::Zpool, ..PROGRAM },
    Program { names: &["btrfs"], tool: Tool::Btrfs, ..PROGRAM },
    Program { names: &["format"], tool: Tool::Format, ..PROGRAM },
    Program { names: &["diskpart"], tool: Tool::Diskpart, ..PROGRAM },
    Program { names: &["sudoedit"], tool: Tool::Sudoedit, options: Grammar::gnu(SUDO), ..PROGRAM },
    Program { names: &["skill", "xkill", "taskkill"], tool: Tool::Skill, ..PROGRAM },
    Program { names: &["shutdown", "reboot", "halt", "poweroff"], tool: Tool::Shutdown, ..PROGRAM },
    Program { names: &["init", "telinit"], tool: Tool::Init, ..PROGRAM },
    Program { names: &["busctl", "dbus-send", "gdbus"], tool: Tool::Busctl, ..PROGRAM },
    Program { names: &["gpasswd"], tool: Tool::Gpasswd, ..PROGRAM },
    Program { names: &["newusers", "chgpasswd"], tool: Tool::Newusers, ..PROGRAM },
    Program {
        names: &[
            "userdel", "groupdel", "deluser", "delgroup", "usermod", "useradd", "adduser", "chpasswd", "visudo",
            "vipw", "chsh",
        ],
        tool: Tool::Accounts,
        ..PROGRAM
    },
    Program {
        names: &[
            "lddtree", "eu-readelf", "llvm-readelf", "llvm-objdump", "llvm-nm", "llvm-size", "dumpbin", "checksec",
        ],
        tool: Tool::ReadsBinaries,
        ..PROGRAM
    },
    Program { names: &["criu", "gcore", "renice", "reptyr"], is: traits(&[Holds]), ..PROGRAM },
];
