//! What is mounted: over which directory, and whose files lie there from then on.

use crate::options::plain_words;
use crate::path::Place;
use crate::programs::{Invocation, Tool};
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::shown;

impl Interp<'_> {
    /// Programs of this module; tells whether it is one.
    pub(super) fn mounts(&mut self, of: &Invocation<'_>, call: &Call) -> bool {
        let Invocation { program, args, .. } = *of;
        match program.tool {
            Tool::Umount | Tool::Fusermount => {
                for target in plain_words(args) {
                    self.unmounted(target);
                }
                if program.tool == Tool::Umount {
                    self.mount(of, call);
                }
            }
            Tool::Mount | Tool::Bindfs => {
                self.mount(of, call);
                let options = of.options();
                let binds = program.tool == Tool::Bindfs
                    || options.has(&["--bind", "--rbind", "-B", "-R"])
                    || options
                        .value(&["-o", "--options"])
                        .is_some_and(|list| list.split(',').any(|word| word.ends_with("bind")));
                let in_memory = matches!(options.value(&["-t", "--types"]), Some("tmpfs" | "ramfs"));
                match options.operands.as_slice() {
                    // What lies there is gone with the next start.
                    [_, target] if in_memory => {
                        let name = target.trim_end_matches('/').rsplit('/').next().unwrap_or(target);
                        self.is_same(target, &format!("/tmp/{name}"), true);
                    }
                    [source, target] if binds => self.is_same(target, source, true),
                    [source, target] => self.mounted(source, target),
                    _ => {}
                }
            }
            // Files of another machine, or of a store, as a directory.
            Tool::MountsRemote => {
                if let [source, target, ..] = of.options().operands.as_slice() {
                    self.own_hidden(target, call);
                    self.mounted(source, target);
                }
            }
            Tool::Rclone => {
                if let ["mount" | "cmount" | "nfsmount", source, target] = of.options().operands.as_slice() {
                    self.mounted(source, target);
                }
                // What else it does is for the programs that send.
                return false;
            }
            _ => return false,
        }
        true
    }

    /// What is mounted over, or taken from where it is mounted.
    fn mount(&mut self, of: &Invocation<'_>, call: &Call) {
        let program = of.program;
        let options = of.options();
        if options.has(&["-f", "--fake", "-h", "--help", "-V", "-l"]) && program.tool == Tool::Mount {
            return;
        }
        let remounts = options.values(&["-o", "--options"]).any(|value| value.split(',').any(|word| word == "remount"));
        let targets: Vec<&str> = match (options.value(&["--target"]), options.operands.as_slice()) {
            (Some(target), _) => vec![target],
            (None, [_, target]) if program.tool == Tool::Mount => vec![target],
            (None, [target]) if program.tool == Tool::Mount && remounts => vec![target],
            (None, targets) if program.tool == Tool::Umount => targets.to_vec(),
            _ => Vec::new(),
        };
        for target in targets {
            self.act_on(Kind::Mount, target, call.span);
        }
        if let (Tool::Bindfs, [.., target]) = (program.tool, options.operands.as_slice()) {
            self.own_hidden(target, call);
        }
        if program.tool == Tool::Umount
            && options.has(&["-a", "--all"])
            && options.value(&["-t", "--types", "-O"]).is_none()
        {
            self.act_at(Kind::Mount, Some(Place::System), "all that is mounted".to_owned(), call.span);
        }
    }

    /// Reports a directory over which something is mounted that anybody may mount, where it holds the guard's files.
    fn own_hidden(&mut self, target: &str, call: &Call) {
        for (place, absolute) in self.places_of(target) {
            let shown = shown(&absolute);
            self.own_action(Kind::Mount, &absolute, &shown, place, call.span);
        }
    }

    /// Remembers that the files of a disk, of another machine or of a store lie in a directory from here on.
    fn mounted(&mut self, source: &str, target: &str) {
        let path = match source.split_once(':') {
            // A path on another machine is judged like the same one here.
            Some((_, path)) if path.starts_with('/') => path.to_owned(),
            _ if source.starts_with("/dev/loop") || source.starts_with("/dev/mapper/") => return,
            _ if source.starts_with("//") => source.to_owned(),
            None if !source.starts_with("/dev/") => return,
            _ => format!("/media/{}", source.trim_end_matches(':').rsplit('/').next().unwrap_or(source)),
        };
        self.is_same(target, &path, true);
    }
}
