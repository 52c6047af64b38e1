//! Programs that change how the machine runs: packages that it cannot be without, modules of its kernel, its settings.

use crate::options::plain_words;
use crate::programs::{Invocation, Tool};
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::shown;
use crate::resolve::taint::GLOB_STAR;

/// Packages without which a system does not start, log in, or install anything again, by how their names begin.
const ESSENTIAL: &[&str] = &[
    "libc6", "libc-bin", "glibc", "musl", "coreutils", "bash", "dash", "systemd", "sysvinit", "init", "apt", "dpkg",
    "rpm", "dnf", "yum", "pacman", "apk-tools", "login", "passwd", "util-linux", "mount", "base-files", "base-passwd",
    "filesystem", "libpam", "pam", "sudo", "openssh-server", "network-manager", "networkmanager", "linux-image",
    "linux-headers-generic", "linux-generic", "linux", "kernel", "kernel-core", "grub", "grub2", "udev", "dbus",
    "perl-base", "python3-minimal", "python3", "ca-certificates", "libssl", "openssl", "gcc-libs", "libgcc",
    "libstdc++", "busybox", "e2fsprogs", "tar", "gzip", "hostname", "ubuntu-minimal", "ubuntu-desktop",
];

impl Interp<'_> {
    /// Programs of this module; tells whether it is one.
    pub(super) fn machine(&mut self, of: &Invocation<'_>, call: &Call) -> bool {
        let Invocation { program, args, .. } = *of;
        // What a container has installed goes with it.
        if self.state.container.is_some() {
            return false;
        }
        let text = || shown(&of.text());
        let first = plain_words(args).next().map_or("", String::as_str);
        let has = |names: &[&str]| args.iter().any(|arg| names.contains(&arg.as_str()));
        let kind = match program.tool {
            Tool::Apt
            | Tool::Aptitude
            | Tool::Dnf
            | Tool::Zypper
            | Tool::Dpkg
            | Tool::Pacman
            | Tool::Rpm
            | Tool::Emerge
            | Tool::XbpsRemove => removes_essential(of).then_some(Kind::SystemPackage),
            Tool::KernelModules => Some(Kind::SystemSetting),
            Tool::Modprobe => (!has(&["-n", "--dry-run", "--show", "-c", "--showconfig", "-D", "--show-depends"]))
                .then_some(Kind::SystemSetting),
            Tool::Swapoff => has(&["-a", "--all"]).then_some(Kind::SystemSetting),
            Tool::AptKey => matches!(first, "add" | "adv" | "del" | "remove").then_some(Kind::SystemSetting),
            Tool::Kexec => Some(if has(&["-e", "--exec"]) { Kind::Shutdown } else { Kind::SystemSetting }),
            Tool::SetCap => (!has(&["-v"])).then_some(Kind::SetUid),
            Tool::Setenforce
            | Tool::Bootctl
            | Tool::Efibootmgr
            | Tool::Mkinitcpio
            | Tool::Timedatectl
            | Tool::Ldconfig
                if changes_by(of, first) =>
            {
                Some(Kind::SystemSetting)
            }
            // Settings of a Mac: what guards it, what starts it, and its network.
            Tool::Spctl => has(&["--master-disable", "--global-disable", "--remove"]).then_some(Kind::SystemSetting),
            Tool::Csrutil => matches!(first, "disable" | "clear" | "authenticated-root").then_some(Kind::SystemSetting),
            Tool::Nvram => {
                (has(&["-c", "-d"]) || args.iter().any(|arg| arg.contains('='))).then_some(Kind::SystemSetting)
            }
            Tool::Systemctl
                if has(&["--user"])
                    && matches!(first, "enable" | "reenable" | "link" | "add-wants" | "add-requires" | "preset") =>
            {
                Some(Kind::ProgramStart)
            }
            Tool::Defaults
                if first == "write" && has(&["LoginHook", "LogoutHook", "AutoLaunchedApplicationDictionary"]) =>
            {
                Some(Kind::ProgramStart)
            }
            // A service of the system that starts what it runs at the moment.
            Tool::Pm2 => (first == "startup").then_some(Kind::ProgramStart),
            Tool::Defaults => (first == "delete").then_some(Kind::SystemSetting),
            Tool::Pmset => has(&["-a", "-b", "-c", "-u"]).then_some(Kind::SystemSetting),
            Tool::Networksetup => args
                .first()
                .is_some_and(|arg| arg.starts_with("-set") || arg.starts_with("-remove"))
                .then_some(Kind::SystemSetting),
            Tool::Sysadminctl => {
                has(&["-deleteUser", "-addUser", "-resetPasswordFor", "-newPassword"]).then_some(Kind::Account)
            }
            Tool::Asr => has(&["--erase", "-erase"]).then_some(Kind::Disk),
            Tool::UpdateInitramfs => has(&["-d", "--force", "-f"]).then_some(Kind::SystemSetting),
            Tool::Sysctl => {
                let options = of.options();
                (options.has(&["-w", "--write"]) || options.operands.iter().any(|operand| operand.contains('=')))
                    .then_some(Kind::SystemSetting)
            }
            Tool::UpdateAlternatives => {
                has(&["--set", "--install", "--remove", "--remove-all", "--config", "--set-selections", "--auto"])
                    .then_some(Kind::SystemSetting)
            }
            _ => return false,
        };
        if let Some(kind) = kind.filter(|_| !args.is_empty() && !has(&["--help", "-h", "--version", "-V"])) {
            self.act_at(kind, None, text(), call.span);
        }
        // What else the arguments say is for the rules and for what other modules make of them.
        kind.is_some()
            || !matches!(program.tool, Tool::Apt | Tool::Dpkg | Tool::Dnf | Tool::Pacman | Tool::Rpm | Tool::Pm2)
    }
}

/// Whether programs that mostly show something change something here.
fn changes_by(of: &Invocation<'_>, first: &str) -> bool {
    let Invocation { program, args, .. } = *of;
    match program.tool {
        Tool::Bootctl => matches!(first, "install" | "remove" | "update" | "set-default"),
        Tool::Efibootmgr => {
            args.iter().any(|arg| matches!(arg.as_str(), "-B" | "-b" | "-c" | "-o" | "--delete-bootnum"))
        }
        Tool::Timedatectl => first.starts_with("set"),
        Tool::Ldconfig => args.iter().any(|arg| matches!(arg.as_str(), "-f" | "-r" | "-C")),
        Tool::Mkinitcpio => args.iter().any(|arg| matches!(arg.as_str(), "-P" | "-p" | "-g")),
        _ => true,
    }
}

/// Whether a package manager is told to remove a package that the system cannot be without.
fn removes_essential(of: &Invocation<'_>) -> bool {
    let Invocation { program, args, .. } = *of;
    let options = of.options();
    // `pacman -Rns` removes what nothing else needs; its letters are its own.
    if program.tool != Tool::Pacman && options.has(&["-s"]) && program.tool != Tool::Zypper {
        return false;
    }
    if options.has(&["--simulate", "--dry-run", "--just-print", "-p", "--print", "--assumeno", "--test"])
        && program.tool != Tool::Zypper
    {
        return false;
    }
    let removes = match program.tool {
        Tool::Dpkg => options.has(&["-r", "-P", "--remove", "--purge"]),
        Tool::Rpm => options.has(&["-e", "--erase"]),
        Tool::Pacman => args.iter().any(|arg| arg.starts_with("-R") || arg == "--remove"),
        Tool::XbpsRemove => true,
        Tool::Emerge => options.has(&["-C", "--unmerge", "-c"]),
        _ => options.operands.first().is_some_and(|verb| {
            matches!(*verb, "remove" | "purge" | "erase" | "del" | "rm" | "autoremove" | "autopurge")
        }),
    };
    removes
        && options.operands.iter().any(|package| {
            let package = package.split([':', '=']).next().unwrap_or(package).to_ascii_lowercase();
            // `apt` takes `^linux-image.*` for a pattern.
            let package = package.trim_start_matches('^').trim_end_matches('$').replace(".*", "*").replace(".+", "*");
            let stem = package.trim_end_matches(['*', GLOB_STAR, '-']);
            ESSENTIAL.contains(&stem)
                // Every package there is.
                || stem.is_empty() && !package.is_empty()
                || stem != package && stem.len() > 2 && ESSENTIAL.iter().any(|essential| essential.starts_with(stem))
        })
}
