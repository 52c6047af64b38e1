//! Programs that remove, move, copy, link and change files.

use crate::programs::{Invocation, Tool};
use std::rc::Rc;

use super::rights::{closes, gives_owners_rights, lets_others_write};
use crate::options::{Options, option_words, plain_words};
use crate::path::{Place, is_unknown};
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::links::{is_written_as_dir, name_at};
use crate::resolve::lost::KEEPS_OLD;
use crate::resolve::state::Data;
use crate::resolve::taint::{
    GLOB_STAR, IGNORED_ITEM, LINE_READ, LIST_ITEM, PROGRAM_OUTPUT, SUBSTITUTED, TAINT_DECODED, TAINT_NETWORK,
    TAINT_SECRET, UNKNOWN, activate_globs, is_literal, taint_of,
};
use crate::resolve::{guard_files, secret};

impl Interp<'_> {
    /// Programs of this module; `None` for others.
    pub(super) fn files(&mut self, of: &Invocation<'_>, call: &Call) -> Option<Data> {
        let Invocation { program, args, .. } = *of;
        match program.tool {
            Tool::Remove | Tool::Rimraf | Tool::Del => self.rm(of, call),
            Tool::Unlink | Tool::Shred => {
                let options = of.options();
                for path in &options.operands {
                    if program.tool != Tool::Unlink {
                        self.act_on(Kind::Shred, path, call.span);
                    }
                    self.delete(path, false, call);
                }
            }
            Tool::Truncate => {
                let options = of.options();
                let nothing = options.value(&["-s", "--size"]).is_some_and(|size| size.trim_start_matches('=') == "0");
                for path in &options.operands {
                    if nothing {
                        self.act_on(Kind::Emptied, path, call.span);
                    }
                    self.written_file(path, false, call.span);
                }
            }
            Tool::Move => self.copy_like(Kind::Move, of, call),
            Tool::Copy | Tool::Install | Tool::Ditto => {
                let options = of.options();
                let mode = options.value(&["-m", "--mode"]).filter(|_| program.tool == Tool::Install);
                if mode.is_some_and(gives_owners_rights)
                    && let Some(target) = options.operands.last()
                {
                    self.act_on(Kind::SetUid, target, call.span);
                }
                if program.tool == Tool::Install && options.has(&["-d", "--directory"]) {
                    // Directories, made or given this mode.
                    let open =
                        options.value(&["-m", "--mode"]).is_some_and(|mode| mode.ends_with(['2', '3', '6', '7']));
                    for path in options.operands.iter().filter(|_| open) {
                        self.act_on(Kind::ModeTree, path, call.span);
                    }
                    // Nobody comes through a directory that its owner may not read.
                    if let Some(mode) = options.value(&["-m", "--mode"]).filter(|mode| closes(mode)) {
                        for path in &options.operands {
                            self.mode(&Invocation::new("chmod", &[mode.to_owned(), (*path).to_owned()]), call);
                        }
                    }
                } else {
                    self.copy_like(Kind::Overwrite, of, call);
                    if program.tool == Tool::Ditto
                        && let Some((target, sources)) = options.operands.split_last()
                    {
                        self.own_taken(sources, call);
                        self.own_poured(target, call);
                    }
                }
            }
            // Whoever throws it away finds it in a directory of its own.
            Tool::Trash => {
                for path in plain_words(args) {
                    self.act_on(Kind::Move, path, call.span);
                }
            }
            // With a number of days, what has lain there longer.
            Tool::TrashEmpty if plain_words(args).next().is_none() => self.empties_trash(call),
            Tool::Gio if args.iter().any(|arg| arg == "--empty") => self.empties_trash(call),
            Tool::Gio if args.first().is_some_and(|verb| verb == "trash" || verb == "remove") => {
                for path in plain_words(args.get(1..).unwrap_or_default()) {
                    self.act_on(Kind::Move, path, call.span);
                }
            }
            Tool::Hg | Tool::Svn => self.other_history(of, call),
            Tool::Link => self.link(of, call),
            Tool::Chmod
            | Tool::Chown
            | Tool::Chgrp
            | Tool::Chattr
            | Tool::Chflags
            | Tool::Setfacl
            | Tool::Icacls
            | Tool::Takeown => self.mode(of, call),
            Tool::Dd => return Some(self.dd(args, call)),
            Tool::Rsync => self.rsync(of, call),
            Tool::Tar | Tool::Jar => return Some(self.tar(of, call)),
            Tool::Zip => return Some(self.zip(of, call)),
            Tool::SevenZip if args.iter().any(|arg| matches!(arg.as_str(), "-sdel" | "-df")) => {
                for path in of.options().operands.iter().skip(2) {
                    self.packed_away(path, call);
                }
                return None;
            }
            Tool::Cpio | Tool::Pax | Tool::Ar => {
                if program.tool == Tool::Pax && args.iter().any(|arg| arg.starts_with("-r")) {
                    let options = of.options();
                    let copies = options.has(&["-w"]);
                    self.own_poured(options.operands.last().filter(|_| copies).unwrap_or(&"."), call);
                }
                // `cpio -o` reads the names of files on standard input.
                let names: Vec<String> = call.stdin.lines().map(str::to_owned).chain(args.iter().cloned()).collect();
                let names: Vec<&str> = plain_words(&names).map(String::as_str).collect();
                self.packed_as_links(of, &names, call);
                return Some(self.pack("-", &names, call));
            }
            _ if self.mounts(of, call) => {}
            Tool::Touch | Tool::Mkdir | Tool::Rmdir => {}
            _ => return None,
        }
        Some(Data::from(""))
    }

    fn zip(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let options = of.options();
        self.option_line(&options, &["-TT"], call);
        let Some((archive, files)) = options.operands.split_first() else { return Data::from("") };
        if options.has(&["-m", "--move"]) {
            for path in files {
                self.packed_away(path, call);
            }
        }
        let content = self.pack(archive, files, call);
        if *archive == "-" { content } else { Data::from("") }
    }

    fn delete(&mut self, path: &str, tree: bool, call: &Call) {
        if path.chars().all(is_unknown) && self.untracked_listed() {
            self.act_at(Kind::GitClean, None, "files that git does not track".to_owned(), call.span);
        }
        if path.contains(IGNORED_ITEM) && self.stands_by_guard() {
            let what = "what git ignores: the guard's settings and state, and files of secrets";
            self.act_at(Kind::Guard, None, what.to_owned(), call.span);
        }
        if path.contains(LIST_ITEM) {
            // `ls / | xargs -I{} rm -rf /{}`: whatever lies there.
            let any = path.replace(LIST_ITEM, &GLOB_STAR.to_string());
            let place = self.place_of(&any);
            if matches!(place, Place::Root | Place::System | Place::WebRoot | Place::Home | Place::Critical)
                || tree && place == Place::InProject
            {
                self.act_on(if tree { Kind::DeleteTree } else { Kind::Delete }, &any, call.span);
            } else if tree {
                self.act_at(Kind::DeleteListed, None, crate::resolve::shown(path), call.span);
            }
            self.own_paths(&[path], call);
            return;
        }
        // `rm -rf $(cat list)`: nothing is told of what a command prints, or a list holds.
        let printed = tree && path.contains([SUBSTITUTED, PROGRAM_OUTPUT, LINE_READ]);
        if path.chars().all(is_unknown) && (printed || path.contains([TAINT_NETWORK, TAINT_DECODED])) {
            self.act_at(Kind::DeleteListed, None, crate::resolve::shown(path), call.span);
        }
        if tree {
            self.deletes_more(path, call.span);
        }
        self.act_on(if tree { Kind::DeleteTree } else { Kind::Delete }, path, call.span);
        if let Some(absolute) = self.absolute(path) {
            self.files.remove(&absolute);
        }
    }

    fn rm(&mut self, of: &Invocation<'_>, call: &Call) {
        let program = of.program;
        let options = of.options();
        // GNU's `rm` prints its help and removes nothing; others remove all the same.
        let helps = options.spells(&["--help", "--version"]);
        let speculative = self.speculative;
        self.speculative |= helps;
        let tree = matches!(program.tool, Tool::Rimraf) || options.has(&["-r", "-R", "--recursive"]);
        for path in &options.operands {
            self.delete(path, tree, call);
        }
        self.speculative = speculative;
    }

    /// `mv`, `cp`, `install`: sources and a target, which may come first as an option.
    fn copy_like(&mut self, kind: Kind, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        let named = options.value(&["-t", "--target-directory"]);
        let mut sources = options.operands.clone();
        let target = named.or_else(|| if sources.len() > 1 { sources.pop() } else { None });
        if kind == Kind::Move {
            for source in &sources {
                let to = target.map(|target| self.place_of(target));
                // What goes to a directory for temporary files is cleaned up some day.
                let goes = matches!(to, Some(Place::Temp | Place::TempRoot)) && self.place_of(source) == Place::Outside;
                self.act_on(if to == Some(Place::Sink) { Kind::DeleteTree } else { Kind::Move }, source, call.span);
                if goes {
                    self.act_on(Kind::Delete, source, call.span);
                }
            }
        }
        let Some(target) = target else { return };
        self.own_copied(&sources, call);
        let recursive = options.has(&["-r", "-R", "-a", "--recursive", "--archive"]);
        if options.has(&["-T", "--no-target-directory"]) {
            self.own_poured(target, call);
        }
        if options.has(&["--parents"]) {
            for source in &sources {
                self.own_paths(&[&format!("{target}/{source}")], call);
            }
        }
        if recursive {
            self.own_taken(&sources, call);
        }
        if kind == Kind::Move || recursive {
            self.own_dir_replaced(&sources, target, options.has(&["-T", "--no-target-directory"]), call);
        }
        let seen = options.has(&["-s", "--symbolic-link"]);
        let links = kind == Kind::Overwrite && (seen || options.has(&["-l", "--link"]));
        if links && !seen {
            // Whoever writes to the other name writes to the guard's file.
            self.own_paths(&sources, call);
        }
        if links && recursive {
            self.own_tree_linked(&sources, seen, call);
        }
        if self.place_of(target) == Place::Sink {
            // A copy to the terminal shows the file.
            for source in sources.iter().filter(|_| !target.ends_with("/null")) {
                self.read_file(source, call.span);
            }
        } else if sources.iter().all(|source| secret::is_template(source))
            || matches!(sources.as_slice(), [source] if is_backup_of(source, target))
        {
            // Filling in a template is how such a file comes to be, and a backup beside it says nothing new.
            self.without_secret_writes(|interp| interp.copied_over(&sources, target, &options, call));
            self.replaces_secret(&sources, target, &options, call.span);
        } else {
            self.copied_over(&sources, target, &options, call);
        }
        self.copy_content(&sources, target, call);
        let keeps_links = kind == Kind::Move
            || options.has(&["-P", "-a", "-d", "-R", "-r", "--archive", "--no-dereference", "--recursive"]);
        self.carried_over(&sources, target, keeps_links);
        if links && recursive {
            // Each file of the tree; it may come to lie in a directory that is there.
            for source in &sources {
                self.is_same(target, source, false);
                self.is_same(&name_at(source, target, true), source, false);
            }
        } else if links {
            self.linked(&sources, target, seen);
        }
    }

    /// Remembers that names lead to these files from here on.
    fn linked(&mut self, sources: &[&str], target: &str, symbolic: bool) {
        for source in sources {
            let name = name_at(source, target, is_written_as_dir(target));
            if symbolic {
                self.leads(&name, source);
            } else {
                self.is_same(&name, source, false);
            }
        }
    }

    /// The same of a copy with these options: some leave alone what is there, or keep it under another name.
    fn copied_over(&mut self, sources: &[&str], target: &str, options: &Options<'_>, call: &Call) {
        let recursive = options.has(&["-r", "-R", "-a", "--recursive", "--archive"]);
        self.pouring(recursive, |interp| {
            if options.has(KEEPS_OLD) {
                interp.without(&[Kind::Replaced], |interp| interp.overwritten(sources, target, call));
            } else {
                interp.overwritten(sources, target, call);
            }
        });
    }

    /// The files that a copy replaces: the target, or what is put into it.
    pub(super) fn overwritten(&mut self, sources: &[&str], target: &str, call: &Call) {
        let place = self.place_of(target);
        if self.stands_above_own(target) {
            self.put_above_own(sources, target, call);
            return;
        }
        // What is put into the directory that holds the guard's settings is named; the directory stays.
        let named = sources.iter().all(|source| !source.ends_with('/') && is_literal(source));
        let stays = named && self.absolute(target).is_some_and(|target| guard_files::is_dir(&target, self.places));
        // The target itself comes first: it is what the line names.
        if !stays
            && !matches!(place, Place::Project | Place::Home | Place::ProjectParent | Place::TempRoot | Place::Root)
        {
            // Several are put into a directory.
            let dir = sources.len() > 1 || is_written_as_dir(target) || !sources.iter().all(|path| is_literal(path));
            self.pouring(dir, |interp| interp.act_on(Kind::Overwrite, target, call.span));
        } else if !stays && place == Place::Root {
            self.act_on(Kind::Append, target, call.span);
        }
        if matches!(
            place,
            Place::Project
                | Place::Home
                | Place::ProjectParent
                | Place::Temp
                | Place::TempRoot
                | Place::InProject
                | Place::Outside
        ) || target.ends_with('/')
        {
            for source in sources {
                let name = name_at(source, target, true);
                self.pouring(true, |interp| interp.act_on(Kind::Overwrite, &name, call.span));
            }
        }
    }

    /// The same, where the target is a directory that holds files of the guard: what is put into it goes under the names that it has.
    fn put_above_own(&mut self, sources: &[&str], target: &str, call: &Call) {
        for source in sources {
            // What only a pattern stands for need not be called so.
            let speculative = self.speculative;
            self.speculative |= !is_literal(source);
            self.act_on(Kind::Overwrite, &name_at(source, target, true), call.span);
            self.speculative = speculative;
        }
        // Some programs take a directory with a separator behind it for all that is in it, and what is not known may be called anything.
        let pours = |source: &&str| {
            let name = source.rsplit('/').next().unwrap_or(source);
            matches!(name, "." | "..") || name.chars().all(is_unknown)
        };
        if sources.iter().any(pours) {
            self.own_poured(target, call);
        }
    }

    fn link(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        let mut sources = options.operands.clone();
        let target = options
            .value(&["-t", "--target-directory"])
            // `ln -s /etc` makes `./etc`.
            .or_else(|| if sources.len() > 1 { sources.pop() } else { Some(".") });
        let Some(target) = target else { return };
        for source in &sources {
            self.act_on(Kind::Link, source, call.span);
        }
        self.own_copied(&sources, call);
        if !options.has(&["-s", "--symbolic"]) {
            self.own_tree_linked(&sources, false, call);
        }
        // Behind a separator there has to be a directory, into which the link goes.
        if options.operands.len() > 1 && !target.ends_with('/') {
            self.own_dir_replaced(&sources, target, options.has(&["-T", "-n", "--no-dereference"]), call);
        }
        let above = self.stands_above_own(target);
        if above && options.has(&["-T", "-n", "--no-target-directory", "--no-dereference"]) {
            self.own_poured(target, call);
        }
        // A link that takes the place of nothing still makes a file of the guard where there was none.
        let into = is_written_as_dir(target)
            || above
            || self.absolute(target).is_some_and(|target| guard_files::is_dir(&target, self.places));
        for source in &sources {
            self.own_paths(&[&name_at(source, target, into)], call);
            self.linked_to(&name_at(source, target, into), call);
            self.linked_to_temp(source, &name_at(source, target, into), call);
        }
        if !above && (options.has(&["-f", "--force"]) || target.split('/').any(|part| part == ".git")) {
            // Settings of a user lie where they keep them all, with links to them.
            let kept = sources.iter().all(|source| !matches!(self.place_of(source), Place::Temp | Place::TempRoot));
            let own: &[Kind] = if kept { &[Kind::ProgramStart, Kind::PackageSource] } else { &[] };
            self.without(own, |interp| interp.act_on(Kind::Overwrite, target, call.span));
        }
        self.linked(&sources, target, options.has(&["-s", "--symbolic"]));
        self.copy_content(&sources, target, call);
        self.carried_over(&sources, target, false);
    }

    fn mode(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, args, .. } = *of;
        let options = of.options();
        // `chmod -x file` takes a right away: what looks like an option is the mode.
        let minus = program.tool == Tool::Chmod
            && args
                .iter()
                .any(|arg| arg.len() > 1 && arg.starts_with('-') && arg.chars().skip(1).all(|c| "rwxXst".contains(c)));
        let mut operands = options.operands.clone();
        let shows_or_hides = program.tool == Tool::Chflags && !options.has(&["-R"]);
        if operands.is_empty() || shows_or_hides {
            return;
        }
        let marks = program.tool == Tool::Chattr && option_words(args).any(|arg| arg != "-R");
        // On a Mac `-N` takes all lists of rights away, and there is no mode.
        let bare = program.tool == Tool::Chmod && options.has(&["-N"]);
        let named = options.value(&["--reference"]).is_some() || program.tool == Tool::Setfacl;
        let what = if named || minus || marks || bare {
            ""
        } else if matches!(program.tool, Tool::Icacls | Tool::Takeown) {
            // The file comes first, and what it is given after it: `icacls FILE /grant …`, `takeown /f FILE`.
            operands.retain(|word| word.len() > 2 || !word.starts_with('/'));
            operands.truncate(1);
            ""
        } else {
            operands.remove(0)
        };
        let tree = options.has(&["-R", "--recursive"])
            || args.iter().any(|arg| arg.len() > 4 && "--recursive".starts_with(arg.as_str()))
            || program.tool == Tool::Takeown && args.iter().any(|arg| arg.eq_ignore_ascii_case("/r"))
            || program.tool == Tool::Icacls && args.iter().any(|arg| arg.eq_ignore_ascii_case("/t"));
        let open = program.tool == Tool::Chmod
            && (what.ends_with("777")
                || what.ends_with("666")
                || what.contains("o+w")
                || what.contains("a+w")
                || what == "+w"
                || what.contains("a=rwx"));
        for path in operands.iter().filter(|_| program.tool == Tool::Chmod && gives_owners_rights(what)) {
            self.act_on(Kind::SetUid, path, call.span);
        }
        match program.tool {
            Tool::Chmod => self.opens_keys(what, &operands, call),
            Tool::Chown => self.gives_keys(what, &operands, call),
            _ => {}
        }
        // Without the right to read and to run it, the guard is as good as gone.
        let closes = program.tool == Tool::Chmod && (minus || takes_rights(what));
        let given_away = program.tool == Tool::Chown && tree && is_anothers(what, &self.places.home);
        let locked = program.tool == Tool::Icacls
            && args.iter().any(|arg| arg.to_ascii_lowercase().trim_start_matches(['/', '-']).starts_with("deny"));
        for path in operands.iter().filter(|_| closes || given_away || locked) {
            let holds = self.absolute(path).is_some_and(|dir| !self.guard_below(&dir).is_empty());
            if holds || self.stands_above_own(path) {
                self.act_at(Kind::Guard, None, crate::resolve::shown(path), call.span);
            } else if self.may_hold_project(path) {
                self.ask_own(crate::resolve::shown(path), call);
            }
        }
        // Where others may write on the way to the user's files, these count no longer as theirs.
        let shares = match program.tool {
            Tool::Chmod => lets_others_write(what),
            Tool::Chown => is_anothers(what, &self.places.home),
            Tool::Setfacl | Tool::Chattr => true,
            _ => false,
        };
        for path in operands.iter().filter(|_| shares) {
            if self.stands_above_own(path) {
                self.ask_own(crate::resolve::shown(path), call);
            }
        }
        for path in operands.iter().filter(|path| !self.is_contained_path(path)).copied().collect::<Vec<_>>() {
            self.act_on(
                if tree || open && self.place_of(path) != Place::InProject { Kind::ModeTree } else { Kind::Mode },
                path,
                call.span,
            );
        }
    }

    /// What other programs than git throw away of changes that are not committed.
    fn other_history(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        let verb = options.operands.first().copied().unwrap_or_default();
        let kind = match (of.program.tool, verb) {
            (Tool::Svn, "delete" | "del" | "remove" | "rm")
                if options.operands.iter().any(|path| path.contains("://")) =>
            {
                Kind::GitBranch
            }
            (_, "revert") if options.has(&["-a", "--all", "-R", "--recursive"]) || options.operands.contains(&".") => {
                Kind::GitDiscard
            }
            (Tool::Hg, "update" | "up" | "checkout" | "co") if options.has(&["-C", "--clean"]) => Kind::GitDiscard,
            (Tool::Hg, "purge" | "clean") => Kind::GitClean,
            (Tool::Svn, "cleanup") if options.has(&["--remove-unversioned", "--remove-ignored"]) => Kind::GitClean,
            (Tool::Hg, "strip") => Kind::GitForget,
            _ => return,
        };
        self.act_at(kind, None, crate::resolve::shown(&of.text()), call.span);
    }

    fn dd(&mut self, args: &[String], call: &Call) -> Data {
        let mut input = Rc::clone(&call.stdin);
        let mut target = None;
        for arg in args {
            if let Some(path) = arg.strip_prefix("if=") {
                input = self.read_file(path, call.span);
            } else if let Some(path) = arg.strip_prefix("of=") {
                target = Some(path);
            }
        }
        match target {
            Some(path) => {
                if self.place_of(path) == Place::Device {
                    self.act_at(Kind::Disk, Some(Place::Device), crate::resolve::shown(path), call.span);
                } else {
                    self.written_file(path, false, call.span);
                }
                self.store(path, &input);
                Data::from("")
            }
            None => input,
        }
    }

    fn rsync(&mut self, of: &Invocation<'_>, call: &Call) {
        let args = of.args;
        let options = of.options();
        self.option_line(&options, &["-e", "--rsh"], call);
        if options.has(&["-n", "--dry-run"]) || args.iter().any(|arg| arg == "--list-only") {
            return;
        }
        let mut sources = options.operands.clone();
        let Some(target) = sources.pop() else { return };
        if sources.is_empty() {
            return;
        }
        self.own_copied(&sources, call);
        if options.has(&["-r", "-a", "--recursive", "--archive", "-d", "--dirs", "--files-from"]) {
            self.own_taken(&sources, call);
        }
        for dir in options.values(&["--link-dest"]) {
            self.own_paths(&[dir], call);
            // What is not absolute is seen from the target.
            let seen = if dir.starts_with(['/', '~']) { dir.to_owned() } else { format!("{target}/{dir}") };
            self.own_tree_linked(&[&seen], false, call);
        }
        let deletes = args.iter().any(|arg| arg.starts_with("--del"));
        if Self::is_remote(target) {
            for source in &sources {
                self.sends_secret(source, call);
            }
            return;
        }
        if args.iter().any(|arg| arg == "--remove-source-files") {
            for source in &sources {
                self.packed_away(source, call);
            }
        }
        if deletes {
            self.act_on(Kind::Mirror, target, call.span);
        }
        self.pouring(true, |interp| interp.overwritten(&sources, target, call));
        if options.has(&["-R", "--relative"]) {
            self.own_poured(target, call);
        }
        if sources.iter().any(|source| Self::is_remote(source)) {
            self.fetched_to(&sources, target);
        } else {
            self.copy_content(&sources, target, call);
        }
    }

    pub(in crate::resolve) fn pack(&mut self, archive: &str, files: &[&str], call: &Call) -> Data {
        self.own_copied(files, call);
        self.own_taken(files, call);
        let secret = files.iter().any(|file| self.is_secret_path(file) || self.copied(file).contains(TAINT_SECRET));
        let whole = files.iter().any(|file| self.holds_home(file));
        let content = Data::from(if secret || whole { TAINT_SECRET } else { UNKNOWN }.to_string());
        if archive == "-" {
            self.secret_pending |= secret;
        } else {
            if !Self::is_remote(archive) {
                self.creates(Kind::Overwrite, archive, call);
            }
            self.store(archive, &content);
            if secret {
                self.act_at(Kind::SecretCopy, None, crate::resolve::shown(archive), call.span);
            }
        }
        content
    }

    fn tar(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        /// Directories of a path that an option takes away; of more nothing is left.
        const MOST_STRIPPED: usize = 64;
        /// Options whose value is a command.
        const RUNS: &[&str] = &[
            "--checkpoint-action", "--to-command", "-I", "--use-compress-program", "--rsh-command", "-F",
            "--info-script", "--new-volume-script",
        ];
        // The first argument may lack its dash: `tar czf out.tgz dir`.
        let args = dashed(of);
        let options = of.with(&args).options();
        self.option_line(&options, RUNS, call);
        let archive = options.value(&["-f", "--file"]).unwrap_or("-").to_owned();
        let operands = options.operands.clone();
        if options.has(&["-x", "--extract", "--get"]) {
            let fetched = if archive == "-" { Some(Rc::clone(&call.stdin)) } else { self.content(&archive) }
                .is_some_and(|content| content.contains(TAINT_NETWORK));
            if options.has(&["-O", "--to-stdout"]) {
                // What is taken from an archive of another machine is not the user's.
                for path in operands.iter().filter(|_| !fetched) {
                    self.reads(path, call);
                }
                let packed = archive == "-" && call.stdin.contains(TAINT_SECRET);
                return Data::from(if packed {
                    taint_of(&call.stdin)
                } else {
                    String::from(if fetched { TAINT_NETWORK } else { UNKNOWN })
                });
            }
            if fetched {
                self.unpacked_to(options.value(&["-C", "--directory", "--cd"]));
            }
            let dir = options.value(&["-C", "--directory", "--cd"]).unwrap_or(".");
            if let Some(top) = options.value(&["--one-top-level"]) {
                self.own_poured(top, call);
            }
            // What is named goes there under its name, unless that is changed on the way.
            let stripped =
                options.value(&["--strip-components", "--strip"]).map_or(0, |n| n.parse().unwrap_or(MOST_STRIPPED));
            let renamed = options.has(&["--transform", "-s", "--xform"]);
            if operands.is_empty() || renamed || !self.stands_above_own(dir) {
                self.act_on(Kind::Append, dir, call.span);
            }
            for path in &operands {
                let path = path.splitn(stripped.min(MOST_STRIPPED) + 1, '/').nth(stripped).unwrap_or_default();
                let path = activate_globs(path);
                self.creates(Kind::Overwrite, &format!("{}/{path}", dir.trim_end_matches('/')), call);
            }
            if options.has(&["-P", "--absolute-names"]) {
                // What it holds may lead anywhere.
                self.act_on(Kind::Append, "/", call.span);
            }
            return Data::from("");
        }
        if options.has(&["-t", "--list"]) {
            return Data::from(UNKNOWN.to_string());
        }
        if options.has(&["--remove-files"]) {
            let dir = options.value(&["-C", "--directory", "--cd"]);
            for path in &operands {
                let path = match dir {
                    Some(dir) if !path.starts_with(['/', '~']) => format!("{}/{path}", dir.trim_end_matches('/')),
                    _ => (*path).to_owned(),
                };
                self.packed_away(&path, call);
            }
        }
        self.own_packed(&options, call);
        if Self::is_remote(&archive) {
            for path in &operands {
                self.sends_secret(path, call);
            }
        }
        let archive = if options.has(&["-O", "--to-stdout"]) { "-".to_owned() } else { archive };
        let content = self.pack(&archive, &operands, call);
        if archive == "-" { content } else { Data::from("") }
    }
}

/// The arguments of `tar` with a dash before each letter of the first, and its value behind it: `xfC FILE DIR`.
fn dashed(of: &Invocation<'_>) -> Vec<String> {
    let Invocation { program, args, .. } = *of;
    let mut rest = args.iter();
    let mut out = Vec::with_capacity(args.len() + 4);
    if let Some(first) = args.first()
        && first.chars().all(|c| c.is_ascii_alphanumeric())
    {
        rest.next();
        for letter in first.chars() {
            let option = format!("-{letter}");
            let value = if program.options.values.contains(&option.as_str()) { rest.next() } else { None };
            out.push(option);
            out.extend(value.cloned());
        }
    }
    out.extend(rest.cloned());
    out
}

/// Whether a mode takes from the owner the right to read or to run, or gives none to run.
pub(in crate::resolve) fn takes_rights(mode: &str) -> bool {
    if mode.chars().all(|c| c.is_ascii_digit()) {
        let owner = mode.len().checked_sub(3).and_then(|at| mode.chars().nth(at)).and_then(|digit| digit.to_digit(8));
        return owner.is_none_or(|owner| owner & 5 != 5);
    }
    mode.split(',').any(|part| {
        let who = part.chars().take_while(|c| c.is_ascii_lowercase() && "ugoa".contains(*c)).collect::<String>();
        let rest = part.get(who.len()..).unwrap_or_default();
        (who.is_empty() || who.contains(['u', 'a'])) && rest.starts_with('-') && rest.contains(['r', 'x', 'X'])
            || who.contains(['u', 'a']) && rest.starts_with('=') && !(rest.contains('r') && rest.contains(['x', 'X']))
    })
}

/// Whether the target is a copy beside the source that is kept for later: `.env.bak`, `.env.2024-05-01`.
fn is_backup_of(source: &str, target: &str) -> bool {
    let rest = target.strip_prefix("./").unwrap_or(target).strip_prefix(source.strip_prefix("./").unwrap_or(source));
    rest.is_some_and(|rest| rest.starts_with(['.', '~', '-', '_']) && !rest.contains('/'))
}

/// Whether an owner is an account that is neither the user's nor one that files of a project are given to for a server.
fn is_anothers(owner: &str, home: &str) -> bool {
    let name = owner.split([':', '.']).next().unwrap_or(owner);
    let person = home.rsplit('/').next().unwrap_or_default();
    matches!(name, "nobody" | "daemon" | "bin") && name != person
}
