//! The guard's executable: whoever has it under another name can give commands that are the user's.

use super::Interp;
use super::above::leads_to;
use super::action::Kind;
use super::exec::{Call, base_name};
use super::guard_files::{Own, names, own, same};
use super::shown;
use super::state::Data;
use super::taint::{PROTECTED_ITEM, is_placeholder};
use crate::options::{Options, plain_words};
use crate::path::is_unknown;
use crate::programs::{Invocation, Tool};
use crate::syntax::Span;

/// Most files of a list that are looked at.
const MOST_PACKED: usize = 4096;

/// Whether a program only tells how a binary is made, and prints nothing that is one.
pub(super) fn only_looks(of: &Invocation<'_>) -> bool {
    let Invocation { program, args, .. } = *of;
    let says = |told: &[&str]| args.iter().any(|arg| told.iter().any(|told| arg.starts_with(told)));
    match program.tool {
        Tool::ReadsBinaries | Tool::Strings => true,
        // These change it as well, unless they are told to tell.
        Tool::Patchelf => {
            says(&["--print"]) && !says(&["--set", "--add", "--remove", "--replace", "--shrink", "--no-"])
        }
        Tool::Lipo => says(&["-info", "-archs", "-detailed_info"]) && !says(&["-o", "-create", "-thin", "-extract"]),
        Tool::Codesign => {
            says(&["-d", "--display", "-v", "--verify"]) && !says(&["-s", "--sign", "-f", "--force", "--remove"])
        }
        _ => false,
    }
}

impl Interp<'_> {
    /// Reports copies of the guard's executable: under another name it would not be known again.
    pub(super) fn own_copied(&mut self, sources: &[&str], call: &Call) {
        for source in sources {
            self.own_read(source, call.span);
        }
    }

    /// Reports that the content of the guard's executable is read: nobody does that but to have it under another name.
    pub(super) fn own_read(&mut self, path: &str, span: Span) {
        // Most paths name nothing of that kind, and pay for no look.
        let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
        if self.only_looks {
            return;
        }
        let program = self.places.layout.program;
        if program.is_empty() || !path.contains(program) && !path.contains(is_placeholder) || !same(name, program) {
            return;
        }
        // By the name that it has here, or in a container that is given its directory.
        let written = self.absolute(&self.at_home(path)).filter(|_| !self.state.remote);
        let seen = self.places_of(path).into_iter().filter(|(place, _)| self.is_here(*place)).map(|(_, path)| path);
        if let Some(absolute) = written.into_iter().chain(seen).find(|path| self.is_executable(path)) {
            self.act_at(Kind::Guard, None, shown(&absolute), span);
        }
    }

    /// The same of what an archive takes from another directory, or by a list.
    pub(super) fn own_packed(&mut self, options: &Options<'_>, call: &Call) {
        let dir = options.value(&["-C", "--directory", "--cd"]);
        let list = match options.value(&["-T", "--files-from"]) {
            Some("-") => Some(std::rc::Rc::clone(&call.stdin)),
            Some(file) => self.content(file),
            None => None,
        };
        if list.as_ref().is_some_and(|list| list.lines().nth(MOST_PACKED).is_some()) {
            self.beyond(call.span);
        }
        let listed = list.iter().flat_map(|list| list.lines()).take(MOST_PACKED);
        let paths: Vec<String> = options
            .operands
            .iter()
            .copied()
            .chain(listed)
            .map(|path| match dir {
                Some(dir) if !path.starts_with('/') => format!("{}/{path}", dir.trim_end_matches('/')),
                _ => path.to_owned(),
            })
            .collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        self.own_copied(&paths, call);
        self.own_taken(&paths, call);
    }

    /// Reports that directories are copied or packed with all that is in them, and the executable lies there. Beside programs of others it
    /// need not, and then it is a question.
    pub(super) fn own_taken(&mut self, dirs: &[&str], call: &Call) {
        for dir in dirs {
            let Some(absolute) = self.absolute(&self.at_home(dir)).filter(|_| !self.state.remote) else { continue };
            let layout = self.places.layout;
            let of_project = self.places.below_project(&absolute).is_some_and(|rest| rest == layout.own_dir);
            let taken = of_project
                || self.in_some_home(&absolute, |rest| layout.installed.iter().any(|own| leads_to(rest, own)));
            if taken {
                let speculative = self.speculative;
                self.speculative |= !absolute.ends_with(layout.program);
                self.act_at(Kind::Guard, None, shown(&absolute), call.span);
                self.speculative = speculative;
            }
        }
    }

    /// Whether the path is an executable of the guard, the directory that holds it, or a pattern that stands for one: the project's, the
    /// user's, or one where programs are installed.
    fn is_executable(&self, absolute: &str) -> bool {
        let layout = self.places.layout;
        self.places.below_project(absolute).is_some_and(|rest| names(rest, layout.project_program))
            || absolute == layout.program_for_all
            || self.in_some_home(absolute, |rest| {
                rest == layout.data_dir || layout.installed.iter().any(|own| names(rest, own))
            })
            || self.lies_in_own_dir(absolute) && own(absolute, self.places, self.known_files) == Own::Yes
    }

    /// Whether the path is the program in a directory that is called as the guard's own are.
    fn lies_in_own_dir(&self, absolute: &str) -> bool {
        let layout = self.places.layout;
        absolute.strip_suffix(layout.program).is_some_and(|dir| dir.ends_with(layout.own_part))
    }

    /// Whether this is so of what remains of a path below a home directory of the user, whatever that is called.
    fn in_some_home(&self, absolute: &str, is: impl Fn(&str) -> bool) -> bool {
        let below_home = |path: &str| self.places.in_home(path).is_some_and(&is);
        below_home(absolute) || self.renamed_if_outside(absolute).is_some_and(|name| below_home(&name))
    }

    /// Reports the guard's executable started by a pattern that stands for it, or by a name that is found where it lies.
    pub(super) fn own_by_pattern(&mut self, head: &str, args: &[String], call: &Call) {
        if !head.contains(is_placeholder) || !head.contains('/') {
            return;
        }
        let Some(absolute) = self.absolute(&self.at_home(head)) else { return };
        let listed = self.lists_own() && head.contains(PROTECTED_ITEM);
        if listed || self.is_executable(&absolute) {
            self.own_command(args, call);
            return;
        }
        // Whatever a listing of that directory gives.
        let layout = self.places.layout;
        let of_person = args.first().is_some_and(|verb| layout.person_commands.contains(&verb.as_str()));
        if let Some((dir, name)) = absolute.rsplit_once('/').filter(|_| of_person)
            && name.chars().all(is_unknown)
            && self.is_executable(&format!("{dir}/{}", layout.program))
        {
            let speculative = std::mem::replace(&mut self.speculative, true);
            self.own_command(args, call);
            self.speculative = speculative;
        }
    }

    /// Reports a program of another name that is told of an event as the guard's client tells it: it may be a copy of the executable, and
    /// the event is the caller's own.
    pub(super) fn own_event(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { name, args, .. } = *of;
        let mut words = plain_words(args);
        if name == self.places.layout.program || words.next().is_none_or(|word| word != "hook") {
            return;
        }
        let is_event = words.next().is_some_and(|event| (self.places.layout.is_event)(event));
        if is_event {
            self.ask_own(shown(&of.text()), call);
        }
    }

    /// What a command prints that tells where a program lies. For most its name is enough.
    pub(super) fn where_it_lies(&self, program: &str) -> Data {
        let layout = self.places.layout;
        if base_name(program) == layout.program && !program.contains('/') {
            return format!("{}/{}", self.places.home.trim_end_matches('/'), layout.on_path).into();
        }
        // Where programs are installed; nobody looks.
        let named = program.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        if named && program.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return format!("/usr/local/bin/{program}").into();
        }
        Data::from(program)
    }

    /// Whether a listing of these names the executable.
    pub(super) fn names_executable(&self, path: &str) -> bool {
        let program = self.places.layout.program;
        !program.is_empty() && path.ends_with(program)
    }
}
