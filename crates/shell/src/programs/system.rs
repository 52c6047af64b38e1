//! The machine: what runs on it, its devices, its users, its services.

use super::Trait::{
    Destructive, Followed, Holds, NeverApproved, Reader, RunsInput, Seeks, Silent, System, TakesText, Unread,
};
use super::code::OTHER;
use super::reads::{HELP, Operands, Way, but, exactly, few, only, verbs};
use super::reveals::{REVEALS, Reveals};
use super::runs::{RUNS, Runs};
use super::wrappers::SUDO;
use super::{Program, Tool, row};
use crate::options::Grammar;

const DATE_READS: Way = Way {
    operands: Operands::Beginning("+"),
    ..only(&[
        "-u", "--utc", "--universal", "-d=", "--date=", "-r=", "--reference=", "-f=", "-R", "--rfc-email", "-I",
        "--rfc-3339=", "-n", "-j",
    ])
};

const SYSTEMD_ANALYZE_READS: Way = exactly(&["", "status", "time", "list-sessions", "list-users", "list-timezones"]);

/// Options of programs that choose processes by their names.
const BY_NAME: Grammar<'_> = Grammar::gnu(&[
    "-F", "--pidfile", "-g", "--pgroup", "-G", "--group", "-O", "--older", "-P", "--parent", "-d", "--delimiter", "-q",
    "-r", "-s", "--session", "--signal", "-t", "--terminal", "-u", "--euid", "-U", "--uid",
]);

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["hostname"])
        .tool(Tool::Tells)
        .reads(&[few(&["-f", "-s", "-i", "-I", "-d", "-A", "--fqdn", "--short", "--ip-address"], 0)]),
    &row(&["date"])
        .is(&[System])
        .tool(Tool::Date)
        .options(Grammar {
            table: &["-I[=]", "--iso-8601[=]"],
            ..Grammar::gnu(&["-f", "--file", "-d", "--date", "-r", "--reference", "-s", "--set", "-v"])
        })
        .reads(&[DATE_READS]),
    &row(&["gdate"]).reads(&[DATE_READS]),
    &row(&[
        "cal", "factor", "groups", "users", "who", "w", "last", "uptime", "locale", "tty", "logname", "pstree", "free",
        "vmstat", "iostat", "lsblk", "lscpu", "lspci", "lsusb", "lsmod", "lsns", "getconf", "netstat", "sw_vers",
        "findmnt", "zdump",
    ])
    .reads(&[Way::ANY]),
    &row(&["pgrep"]).is(&[Seeks]).tool(Tool::Pgrep).options(BY_NAME).reads(&[Way::ANY]),
    &row(&["pidof"]).is(&[Seeks]).reads(&[Way::ANY]),
    &row(&["sleep"]).is(&[Silent, Reader]).reads(&[Way::ANY]),
    &row(&["whoami", "id"]).is(&[System]).tool(Tool::Tells).reads(&[Way::ANY]),
    &row(&["uname", "nproc"]).tool(Tool::Tells).reads(&[Way::ANY]),
    &row(&["arch"]).reads(&[Way::ANY]).runs(&[Runs { ..RUNS }]),
    &row(&["printenv"]).is(&[Reader]).tool(Tool::Printenv).reads(&[Way::ANY]),
    &row(&["ps"]).is(&[Reader, System]).tool(Tool::Ps).reads(&[Way::ANY]),
    &row(&["readelf", "size"]).is(&[Reader]).tool(Tool::ReadsBinaries).reads(&[Way::ANY]),
    &row(&["getent"])
        .is(&[Reader])
        .tool(Tool::Getent)
        .reads(&[but(&["-h", "--host", "-p", "--port", "-s", "--service"])])
        .reveals(&[Reveals { words: &[&["shadow"], &["gshadow"]], personal: true, ..REVEALS }]),
    &row(&["dmesg"]).reads(&[but(&[
        "-c", "-C", "-D", "-E", "-n", "--clear", "--read-clear", "--console-off", "--console-on", "--console-level",
        "-F",
    ])]),
    &row(&["journalctl"]).is(&[Silent]).reads(&[but(&[
        "--rotate", "--vacuum-size", "--vacuum-time", "--vacuum-files", "--flush", "--sync", "--setup-keys",
        "--update-catalog", "--relinquish-var", "--smart-relinquish-var", "--cursor-file",
    ])]),
    &row(&["ifconfig"]).reads(&[few(&["-a", "-s"], 1)]),
    &row(&["ss"]).reads(&[but(&["-K", "--kill", "-D", "--diag", "-F", "--filter"])]),
    &row(&["ip"])
        .before(&[
            "-4", "-6", "-br", "-brief", "-s", "-d", "-o", "-j", "-p", "-c", "-json", "-pretty", "-details", "-stats",
        ])
        .reads(&[
            verbs(&["* show", "* list", "* ls", "route get"]),
            exactly(&[
                "a", "addr", "address", "l", "link", "r", "route", "n", "neigh", "rule", "maddr", "mroute", "tunnel",
                "netns",
            ]),
        ])
        .runs(&[Runs { verbs: &["netns exec", "vrf exec"], skip: 1, ..RUNS }]),
    &row(&["sysctl"])
        .tool(Tool::Sysctl)
        .options(Grammar { table: &["-p[=]", "--load[=]"], ..Grammar::gnu(&["-r", "--pattern"]) })
        .reads(&[few(&["-a"], 0)]),
    &row(&["systemd-analyze"]).reads(&[SYSTEMD_ANALYZE_READS]),
    &row(&["loginctl"]).tool(Tool::Loginctl).reads(&[SYSTEMD_ANALYZE_READS]),
    &row(&["hostnamectl", "timedatectl"]).tool(Tool::Timedatectl).reads(&[SYSTEMD_ANALYZE_READS]),
    &row(&["diskutil"]).tool(Tool::Diskutil).reads(&[verbs(&["list", "info"])]),
    &row(&["tmutil"]).reads(&[verbs(&["listbackups", "compare", "status", "destinationinfo"])]),
    &row(&["networksetup"]).tool(Tool::Networksetup).reads(&[verbs(&["-list*", "-get*"])]),
    &row(&["pkgutil"]).reads(&[verbs(&["--pkgs*", "--files", "--pkg-info"])]),
    &row(&["security"])
        .options(Grammar::gnu(&[
            "-a", "-c", "-C", "-d", "-D", "-G", "-j", "-k", "-l", "-p", "-r", "-s", "-t", "-v", "-o", "-f", "-A",
        ]))
        .reads(&[verbs(&["find-certificate"])])
        .reveals(&[
            Reveals {
                words: &[&["find-generic-password"], &["find-internet-password"]],
                needs: &["-w", "-g", "-w?", "-g?", "-?w", "-?g"],
                personal: true,
                ..REVEALS
            },
            Reveals { words: &[&["dump-keychain"]], needs: &["-d*"], personal: true, ..REVEALS },
        ]),
    &row(&["sfdisk"]).tool(Tool::Partitions).reads(&[HELP]),
    &row(&["kill"]).is(&[Silent, Destructive, Reader, System, NeverApproved]).tool(Tool::Kill),
    &row(&["mount"]).is(&[Silent, NeverApproved]).tool(Tool::Mount).options(Grammar::gnu(&[
        "-t", "--types", "-o", "--options", "-O", "-L", "--label", "-U", "--uuid", "--source", "--target", "-N",
        "--namespace", "-T", "--fstab",
    ])),
    &row(&["umount"])
        .is(&[Silent, NeverApproved])
        .tool(Tool::Umount)
        .options(Grammar::gnu(&["-t", "--types", "-O", "-N", "--namespace"])),
    &row(&["supervisorctl", "service"]).is(&[Silent]),
    &row(&["systemctl"]).is(&[Silent, System, NeverApproved]).tool(Tool::Systemctl).reveals(&[Reveals {
        words: &[&["show"]],
        needs: &["Environment", "-pEnvironment", "--property=*Environment*"],
        variables: true,
        ..REVEALS
    }]),
    &row(&["logger"]).is(&[TakesText, Reader]),
    &row(&["mkfs"]).is(&[Destructive, NeverApproved]),
    &row(&["wipefs"]).is(&[Destructive]).tool(Tool::Wipefs),
    &row(&["pkill"]).is(&[Destructive, System, NeverApproved]).tool(Tool::Pkill).options(BY_NAME),
    &row(&["killall"]).is(&[Destructive, NeverApproved]).tool(Tool::Killall).options(Grammar::gnu(&[
        "-s", "--signal", "-u", "--user", "-o", "--older-than", "-y", "--younger-than", "-n", "--ns", "-t", "-c",
    ])),
    &row(&["mkfs.ext4", "mkfs.xfs", "mkfs.btrfs"]).is(&[Destructive]),
    &row(&["lvremove", "vgremove", "pvremove", "lvreduce", "vgreduce", "pvcreate"])
        .is(&[Destructive])
        .tool(Tool::Lvremove),
    &row(&["debugfs"]).is(&[Unread]).tool(Tool::Debugfs).options(Grammar::gnu(&["-b", "-s", "-f", "-R", "-d", "-z"])),
    &row(&["guestfish", "nft"]).is(&[Unread]),
    &row(&["osqueryi"]).is(&[Unread]).code(&OTHER),
    &row(&["parted"]).is(&[Unread]).tool(Tool::Parted),
    &row(&["ldd", "nm", "objdump", "otool"]).is(&[Reader]).tool(Tool::ReadsBinaries),
    &row(&["pbcopy", "wl-copy", "xclip"]).is(&[Reader]),
    &row(&["pv"]).is(&[Reader]).tool(Tool::Pv),
    &row(&["at", "batch"]).is(&[Followed]).tool(Tool::At).options(Grammar::gnu(&["-f", "-q", "-t"])),
    &row(&["crontab"]).is(&[Followed, System, NeverApproved]).tool(Tool::Crontab).options(Grammar::gnu(&["-u"])),
    &row(&["login"]).is(&[System, RunsInput]),
    &row(&["passwd"]).is(&[System]).tool(Tool::Passwd),
    &row(&["launchctl"]).is(&[NeverApproved]).tool(Tool::Launchctl),
    &row(&["xdg-user-dir"]).tool(Tool::XdgUserDir),
    &row(&["bindfs"])
        .tool(Tool::Bindfs)
        .options(Grammar::gnu(&["-o", "-u", "-g", "-m", "--mirror", "-M", "-p", "--perms", "--map"])),
    &row(&["fusermount", "fusermount3"]).tool(Tool::Fusermount),
    &row(&["sshfs", "s3fs", "gcsfuse", "goofys", "curlftpfs", "blobfuse2", "mount.nfs", "mount.cifs", "ntfs-3g"])
        .tool(Tool::MountsRemote)
        .options(Grammar::gnu(&["-o", "-p", "-F"])),
    &row(&["insmod", "rmmod"]).tool(Tool::KernelModules),
    &row(&["modprobe"]).tool(Tool::Modprobe),
    &row(&["swapoff"]).tool(Tool::Swapoff),
    &row(&["kexec"]).tool(Tool::Kexec),
    &row(&["setcap"]).tool(Tool::SetCap),
    &row(&["setenforce", "grub-install", "grub2-install", "aa-disable", "aa-teardown"]).tool(Tool::Setenforce),
    &row(&["bootctl"]).tool(Tool::Bootctl),
    &row(&["efibootmgr"]).tool(Tool::Efibootmgr),
    &row(&["mkinitcpio"]).tool(Tool::Mkinitcpio),
    &row(&["ldconfig"]).tool(Tool::Ldconfig),
    &row(&["spctl"]).tool(Tool::Spctl),
    &row(&["csrutil"]).tool(Tool::Csrutil),
    &row(&["nvram"]).tool(Tool::Nvram),
    &row(&["defaults"]).tool(Tool::Defaults),
    &row(&["pmset"]).tool(Tool::Pmset),
    &row(&["systemsetup"]).tool(Tool::Networksetup),
    &row(&["sysadminctl"]).tool(Tool::Sysadminctl),
    &row(&["asr"]).tool(Tool::Asr),
    &row(&["update-initramfs", "dracut"]).tool(Tool::UpdateInitramfs),
    &row(&["update-alternatives", "alternatives"]).tool(Tool::UpdateAlternatives),
    &row(&["mke2fs", "mkswap", "mkntfs", "mkdosfs"]).tool(Tool::MakesFileSystem),
    &row(&["killall5"]).tool(Tool::Killall5),
    &row(&["net"]).tool(Tool::Net),
    &row(&["dscl"]).tool(Tool::Dscl),
    &row(&["fdisk", "gdisk", "sgdisk", "cfdisk", "cgdisk", "partx"]).tool(Tool::Partitions),
    &row(&["lvm"]).tool(Tool::Lvm),
    &row(&["cryptsetup"]).tool(Tool::Cryptsetup),
    &row(&["mdadm"]).tool(Tool::Mdadm),
    &row(&["zpool", "zfs"]).tool(Tool::Zpool),
    &row(&["btrfs"]).tool(Tool::Btrfs),
    &row(&["format"]).tool(Tool::Format),
    &row(&["diskpart"]).tool(Tool::Diskpart),
    &row(&["sudoedit"]).tool(Tool::Sudoedit).options(Grammar::gnu(SUDO)),
    &row(&["skill", "xkill", "taskkill"]).tool(Tool::Skill),
    &row(&["shutdown", "reboot", "halt", "poweroff"]).tool(Tool::Shutdown),
    &row(&["init", "telinit"]).tool(Tool::Init),
    &row(&["busctl", "dbus-send", "gdbus"]).tool(Tool::Busctl),
    &row(&["gpasswd"]).tool(Tool::Gpasswd),
    &row(&["newusers", "chgpasswd"]).tool(Tool::Newusers),
    &row(&[
        "userdel", "groupdel", "deluser", "delgroup", "usermod", "useradd", "adduser", "chpasswd", "visudo", "vipw",
        "chsh",
    ])
    .tool(Tool::Accounts),
    &row(&["lddtree", "eu-readelf", "llvm-readelf", "llvm-objdump", "llvm-nm", "llvm-size", "dumpbin", "checksec"])
        .tool(Tool::ReadsBinaries),
    &row(&["criu", "gcore", "renice", "reptyr"]).is(&[Holds]),
];
