//! Programs that act on disks, processes, accounts and the machine, and the guard's own commands.

use super::process::{of_project, ports_alone};
use crate::options::{holds, option_words, plain_words};
use crate::path::Place;
use crate::programs::{Invocation, Tool, agents};
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::shown;
use crate::resolve::taint::SHELL_PID;

impl Interp<'_> {
    /// Programs of this module; tells whether it is one.
    #[expect(clippy::too_many_lines, reason = "one arm a program; each is short")]
    pub(super) fn system(&mut self, of: &Invocation<'_>, call: &Call) -> bool {
        let Invocation { program, name, args } = *of;
        let text = || shown(&of.text());
        let first = plain_words(args).next().map_or("", String::as_str);
        match program.tool {
            _ if name.starts_with("mkfs")
                || name.starts_with("newfs")
                || matches!(program.tool, Tool::MakesFileSystem) =>
            {
                // A file system in a plain file harms nobody else.
                let in_file = args
                    .last()
                    .is_some_and(|path| matches!(self.place_of(path), Place::InProject | Place::Temp | Place::Outside));
                if !args.is_empty() && !help(args) && !in_file {
                    self.act_at(Kind::Disk, Some(Place::Device), text(), call.span);
                }
            }
            Tool::Wipefs | Tool::Partitions | Tool::Parted | Tool::Badblocks => self.partitions(of, call),
            // Its commands are programs of their own as well.
            Tool::Lvm => drop(self.exec(args, call)),
            Tool::Lvremove => {
                if !help(args) && !args.iter().any(|arg| arg == "-t" || arg == "--test") {
                    self.act_at(Kind::Disk, Some(Place::Device), text(), call.span);
                }
            }
            Tool::Cryptsetup
                if matches!(
                    first,
                    "luksFormat" | "erase" | "luksErase" | "luksKillSlot" | "reencrypt" | "luksRemoveKey"
                ) =>
            {
                self.act_at(Kind::Disk, Some(Place::Device), text(), call.span);
            }
            Tool::Mdadm
                if args.iter().any(|arg| {
                    matches!(arg.as_str(), "--zero-superblock" | "--create" | "-C" | "--remove" | "--stop" | "-S")
                }) =>
            {
                self.act_at(Kind::Disk, Some(Place::Device), text(), call.span);
            }
            Tool::Zpool
                if matches!(first, "destroy" | "labelclear" | "rollback") && !args.iter().any(|arg| arg == "-n") =>
            {
                self.act_at(Kind::Disk, Some(Place::Device), text(), call.span);
            }
            Tool::Btrfs if matches!(args.get(..2), Some([a, b]) if a.starts_with("sub") && b.starts_with("del") || a.starts_with("dev") && b.starts_with("rem")) =>
            {
                self.act_at(Kind::Disk, Some(Place::Device), text(), call.span);
            }
            Tool::Diskutil
                if first.to_ascii_lowercase().starts_with("erase")
                    || matches!(
                        first.to_ascii_lowercase().as_str(),
                        "partitiondisk" | "secureerase" | "zerodisk" | "reformat"
                    )
                    || args.iter().any(|arg| arg.to_ascii_lowercase().starts_with("delete")) =>
            {
                self.act_at(Kind::Disk, Some(Place::Device), text(), call.span);
            }
            Tool::Dc3dd if args.iter().any(|arg| ["wipe=", "hwipe="].iter().any(|option| arg.starts_with(option))) => {
                for device in
                    args.iter().filter_map(|arg| arg.split_once('=')).filter(|(name, _)| name.ends_with("wipe"))
                {
                    self.act_on(Kind::Overwrite, device.1, call.span);
                }
            }
            Tool::Debugfs if of.options().has(&["-w"]) => {
                self.act_at(Kind::Disk, Some(Place::Device), text(), call.span);
            }
            Tool::Hdparm
                if args.iter().any(|arg| arg.starts_with("--security-erase") || arg == "--trim-sector-ranges") =>
            {
                self.act_at(Kind::Disk, Some(Place::Device), text(), call.span);
            }
            Tool::Nvme if matches!(first, "format" | "sanitize" | "delete-ns") => {
                self.act_at(Kind::Disk, Some(Place::Device), text(), call.span);
            }
            Tool::Nwipe if !help(args) => self.act_at(Kind::Disk, Some(Place::Device), text(), call.span),
            Tool::Scrub if !help(args) => {
                for path in &of.options().operands {
                    self.act_on(Kind::Shred, path, call.span);
                    self.act_on(Kind::Overwrite, path, call.span);
                }
            }
            Tool::Format | Tool::Diskpart
                if !help(args) && args.iter().any(|arg| arg.len() == 2 && arg.ends_with(':')) =>
            {
                self.act_at(Kind::Disk, Some(Place::Device), text(), call.span);
            }
            Tool::Kill => self.kill(args, call),
            // `fuser -k 3000/tcp` ends whatever it finds.
            Tool::Fuser if args.iter().any(|arg| arg == "--kill" || holds(arg, &['k'])) => {
                let kind = if ports_alone(args) { Kind::KillServer } else { Kind::KillMany };
                self.act_at(kind, None, text(), call.span);
            }
            Tool::Sudoedit => {
                self.act_at(Kind::Privilege, None, name.to_owned(), call.span);
                for file in &of.options().operands {
                    self.act_on(Kind::Overwrite, file, call.span);
                }
            }
            Tool::Pkill | Tool::Killall | Tool::Killall5 | Tool::Skill => {
                let lists = args.iter().any(|arg| matches!(arg.as_str(), "-l" | "--list" | "-0" | "-V" | "--version"));
                // What the line's own shell started.
                let own = of.options().value(&["-P", "--parent"]).is_some_and(|parent| parent.chars().eq([SHELL_PID]));
                if !lists && !own && (!args.is_empty() || program.tool == Tool::Killall5) {
                    let place = ends_everything(of).then_some(Place::System);
                    let kind = if of_project(of) { Kind::KillServer } else { Kind::KillMany };
                    self.act_at(kind, place, text(), call.span);
                    if args.iter().any(|arg| self.places.layout.names_program(arg)) {
                        self.act_at(Kind::Guard, None, text(), call.span);
                    }
                }
            }
            Tool::Shutdown => {
                // `-h` halts here.
                if !args.iter().any(|arg| matches!(arg.as_str(), "-c" | "-w" | "--wtmp-only" | "--help")) {
                    self.act_at(Kind::Shutdown, None, text(), call.span);
                }
            }
            Tool::Init if matches!(first, "0" | "1" | "6") => {
                self.act_at(Kind::Shutdown, None, text(), call.span);
            }
            Tool::Loginctl if first.starts_with("terminate-") || first.starts_with("kill-") => {
                self.act_at(Kind::KillMany, None, text(), call.span);
            }
            Tool::Systemctl | Tool::Loginctl
                if matches!(
                    first,
                    "poweroff" | "reboot" | "halt" | "suspend" | "kexec" | "rescue" | "emergency" | "hibernate"
                ) =>
            {
                self.act_at(Kind::Shutdown, None, text(), call.span);
            }
            // The login manager is asked over the bus.
            Tool::Busctl if powers_off(args) => {
                self.act_at(Kind::Shutdown, None, text(), call.span);
            }
            Tool::Gpasswd if help(args) || option_words(args).next().is_none() => {}
            Tool::Gpasswd | Tool::Newusers => self.act_at(Kind::Account, None, text(), call.span),
            Tool::Accounts | Tool::Passwd | Tool::Dscl | Tool::Net => {
                let harmless = help(args)
                    || args.is_empty() && program.tool == Tool::Net
                    || program.tool == Tool::Passwd && args.iter().any(|arg| arg == "-S" || arg == "--status")
                    || program.tool == Tool::Dscl
                        && args.iter().any(|arg| matches!(arg.as_str(), "-list" | "-read" | "list" | "read"));
                let net = program.tool == Tool::Net && !matches!(first, "user" | "localgroup");
                if !harmless && !net {
                    self.act_at(Kind::Account, None, text(), call.span);
                }
            }
            Tool::Crontab => self.crontab(of, call),
            Tool::Launchctl if matches!(first, "load" | "bootstrap" | "submit" | "enable") => {
                self.act_at(Kind::Schedule, None, text(), call.span);
                return false;
            }
            _ if name == self.places.layout.program => self.own_command(args, call),
            // Where records are sent is the user's to say.
            _ if self.places.layout.helpers.contains(&name)
                && !args.iter().any(|arg| matches!(arg.as_str(), "--help" | "-h" | "--man" | "--version")) =>
            {
                self.act_at(Kind::Guard, None, shown(&of.text()), call.span);
            }
            Tool::Cargo => {
                self.own_build(args, call);
                return false;
            }
            _ if agents::CLIENT.contains(&name) => self.client(of, call),
            _ => return false,
        }
        true
    }

    fn partitions(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, args, .. } = *of;
        let reads = help(args)
            || args.is_empty()
            || args.iter().any(|arg| {
                matches!(
                    arg.as_str(),
                    "-l" | "--list"
                        | "-n"
                        | "--no-act"
                        | "-d"
                        | "--dump"
                        | "-p"
                        | "--print"
                        | "print"
                        | "-s"
                        | "--json"
                        | "-J"
                        | "-v"
                        | "--verify"
                        | "--pretend"
                        | "-P"
                ) && !(program.tool == Tool::Parted && arg == "-s")
            })
            || (program.tool == Tool::Wipefs
                && !args.iter().any(|arg| matches!(arg.as_str(), "-a" | "--all" | "-o" | "--offset" | "-af" | "-fa")))
            || (program.tool == Tool::Parted
                && !args
                    .iter()
                    .any(|arg| matches!(arg.as_str(), "mklabel" | "mktable" | "rm" | "mkpart" | "resizepart")))
            || (program.tool == Tool::Badblocks && !option_words(args).any(|arg| arg.contains('w')));
        if !reads {
            self.act_at(Kind::Disk, Some(Place::Device), shown(&of.text()), call.span);
        }
    }

    fn crontab(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        if options.has(&["-l", "-e", "-h", "--help", "-V"]) {
            return;
        }
        if options.has(&["-r"]) {
            self.act_at(Kind::DeleteTree, Some(Place::System), "all scheduled jobs".to_owned(), call.span);
            return;
        }
        let text = match options.operands.first() {
            Some(file) if *file != "-" => self.content(file),
            _ => Some(std::rc::Rc::clone(&call.stdin)),
        };
        self.act_at(Kind::Schedule, Some(Place::System), "scheduled jobs".to_owned(), call.span);
        for line in text.iter().flat_map(|text| text.lines()) {
            // `@daily LINE` has one word for the time, `0 5 * * * LINE` has five.
            let times = if line.trim_start().starts_with('@') { 1 } else { 5 };
            let command: Vec<&str> = line.split_whitespace().skip(times).collect();
            if !command.is_empty() && !line.trim_start().starts_with('#') {
                let command = command.join(" ");
                self.subshell(|interp| interp.run_text(&command, call));
            }
        }
    }
}

/// Whether a call over the bus stops or restarts the machine.
fn powers_off(args: &[String]) -> bool {
    let login = args.iter().any(|arg| arg.contains("org.freedesktop.login1") || arg.contains("ConsoleKit"));
    login
        && args.iter().any(|arg| {
            let method = arg.rsplit('.').next().unwrap_or(arg);
            ["PowerOff", "Reboot", "Halt", "Suspend", "Hibernate", "Stop", "Restart"]
                .iter()
                .any(|verb| method.strip_prefix(verb).is_some_and(|rest| matches!(rest, "" | "WithFlags")))
        })
}

fn help(args: &[String]) -> bool {
    args.iter().any(|arg| matches!(arg.as_str(), "--help" | "-h" | "--version" | "-V"))
}

/// Whether a program that ends processes by name is told no name, or one that fits all: of everybody, or of a whole user.
fn ends_everything(of: &Invocation<'_>) -> bool {
    let program = of.program;
    if !matches!(program.tool, Tool::Pkill | Tool::Killall) {
        return program.tool == Tool::Killall5;
    }
    let options = of.options();
    let of_user = options.has(&["-u", "-U", "--user", "--euid", "--uid"]);
    let patterned = program.tool == Tool::Pkill || options.has(&["-r", "--regexp"]);
    let any = |pattern: &&str| matches!(pattern.trim_matches(['^', '$']), "" | "." | ".*" | ".+" | "[a-z]");
    options.operands.is_empty() && of_user || patterned && options.operands.iter().any(any)
}
