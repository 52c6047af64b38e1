//! The guard's files among those that a line lists or finds: what is done to all of them is done to the guard.

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::guard_files::{Own, below_root};
use super::taint::{PROTECTED_ITEM, UNKNOWN, glob, is_placeholder};
use crate::layout::Layout;
use crate::options::Options;
use crate::programs::{Invocation, Tool, Trait};

/// What is known of the guard's files in the lists of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Listed {
    /// None is among them.
    No,
    /// The project's are, which hold the entry and little else.
    Entry,
    /// The user's are: rules, records, programs. Any edit of them matters.
    Any,
}

impl Interp<'_> {
    /// A list of files, and that one of the guard's is among them.
    pub(super) fn with_own(&mut self, list: &str) -> String {
        self.adds_own(Listed::Entry);
        format!("{list}\n{PROTECTED_ITEM}\n")
    }

    /// Whether a list of this line holds files of the guard.
    pub(super) fn lists_own(&self) -> bool {
        self.listed > Listed::No
    }

    /// Remembers that a list of this line holds such files.
    pub(super) fn adds_own(&mut self, which: Listed) {
        self.listed = self.listed.max(which);
    }

    /// The guard's paths below a directory, by whichever name of that, relative to it, and whether each is a directory.
    pub(super) fn guard_below(&self, absolute: &str) -> Vec<(String, bool)> {
        let found = below_root(absolute, self.places);
        if !found.is_empty() {
            return found;
        }
        self.renamed_if_outside(absolute).map(|name| below_root(&name, self.places)).unwrap_or_default()
    }

    /// Whether files of the user lie below a directory, where a search that goes through it finds them. One that passes over what is
    /// hidden finds less.
    pub(super) fn holds_persons(&self, dir: &str, hides: bool) -> bool {
        let places = self.places;
        !self.state.remote
            && self.places_of(dir).iter().any(|(_, absolute)| {
                self.guard_below(absolute).iter().any(|(rest, dir)| {
                    let seen = !hides || !rest.split('/').any(|part| part.starts_with('.'));
                    !*dir
                        && seen
                        && places
                            .below_project(&format!("{absolute}/{rest}"))
                            .is_none_or(|_| places.home == places.project)
                })
            })
    }

    /// The arguments as the guard's files among them matter to this program: not at all to one that reads, nor to an edit by a pattern
    /// that does not occur in the guard's entry.
    pub(super) fn own_listed(&self, of: &Invocation<'_>) -> Option<Vec<String>> {
        let Invocation { program, args, .. } = *of;
        if !self.lists_own() || !args.iter().any(|arg| arg.contains(PROTECTED_ITEM)) {
            return None;
        }
        let any = self.listed == Listed::Any;
        let matters = if of.is(Trait::Editor) {
            any || args.iter().any(|arg| edits_entry(arg, self.places.layout))
        } else if program.tool == Tool::Chmod {
            any || args.iter().any(|arg| super::program::takes_rights(arg))
        } else {
            // What starts another program hands them on.
            of.is(Trait::Replaces) || of.is(Trait::HandsOn)
        };
        (!matters).then(|| args.iter().map(|arg| arg.replace(PROTECTED_ITEM, &UNKNOWN.to_string())).collect())
    }

    /// Reports that a path which stands for files of a list is one of the guard's.
    pub(super) fn own_in_list(&mut self, kind: Kind, path: &str, span: crate::syntax::Span) {
        if !self.lists_own() || !super::guard_files::changes(kind) {
            return;
        }
        for line in path.lines() {
            let Some((before, after)) = line.split_once(PROTECTED_ITEM) else { continue };
            // `$f.bak` is another file, and a copy below another directory is as well.
            if after.is_empty() && !before.contains(is_placeholder) && self.holds_guard(before) {
                self.act_at(Kind::Guard, None, "the guard's files among those that are listed".to_owned(), span);
                return;
            }
        }
    }

    /// Whether files of the guard lie below a directory, on this machine.
    pub(super) fn holds_guard(&self, dir: &str) -> bool {
        let dir = if dir.is_empty() { "." } else { dir };
        !self.state.remote && self.places_of(dir).iter().any(|(_, absolute)| !self.guard_below(absolute).is_empty())
    }

    /// Whether the shell stands in the project, or above it.
    pub(super) fn stands_by_guard(&self) -> bool {
        let within = |cwd: &String| {
            *cwd == self.places.project
                || crate::path::below(cwd, &self.places.project).is_some()
                || !below_root(cwd, self.places).is_empty()
        };
        !self.state.remote && !self.stands_in_made() && self.state.cwds.iter().flatten().any(within)
    }

    /// Whether paths, as git or a search takes them, let through the guard's settings; none let through everything.
    pub(super) fn lets_settings_through(&self, paths: &[&str]) -> bool {
        let chosen: Vec<&&str> =
            paths.iter().filter(|path| !path.starts_with(":!") && !path.starts_with(":(exclude")).collect();
        let layout = self.places.layout;
        let left_out = paths.iter().any(|path| path.starts_with(':') && layout.names_client_dir(path));
        let fits = |path: &str| {
            let path = path.trim_start_matches("./").replace(is_placeholder, "*");
            let path = path.trim_start_matches(":(glob)").trim_start_matches(":/").trim_start_matches("**/");
            let shared = [layout.settings.first(), layout.settings_names.first()];
            path.contains('*') && shared.into_iter().flatten().any(|name| glob(path, name))
                || !path.contains('*') && (layout.is_client_dir(path.trim_end_matches('/')) || self.holds_guard(path))
        };
        !left_out && (chosen.is_empty() || chosen.iter().any(|path| fits(path)))
    }

    /// The names that `grep -rl` and its like print, if files of the guard are among them.
    pub(super) fn own_searched(
        &mut self,
        of: &Invocation<'_>,
        options: &Options<'_>,
        operands: &[&str],
    ) -> Option<String> {
        let tool = of.program.tool;
        if !options.has(&["-l", "--files-with-matches", "-L", "--files-without-match"]) {
            return None;
        }
        let computed = super::taint::PROGRAM_OUTPUT;
        let recursive = !matches!(tool, Tool::Grep | Tool::Fgrep) || options.has(&["-r", "-R", "--recursive"]);
        // What is named is what is printed.
        let mut named =
            operands.iter().filter(|path| self.places_of(path).iter().any(|(_, path)| self.own_path(path) == Own::Yes));
        if let Some(path) = named.next().filter(|path| !recursive || self.guard_below_path(path).is_empty()) {
            return Some(format!("{computed}\n{path}\n"));
        }
        // These pass over what is hidden unless they are told.
        let hides = matches!(tool, Tool::Rg | Tool::Ag);
        let shows = options.has(&["--hidden", "-u", "--unrestricted", "-.", "--no-ignore"]);
        let layout = self.places.layout;
        let excluded = options.values(&["--exclude-dir", "--exclude"]).any(|dir| {
            let dir = dir.replace(is_placeholder, "*");
            [layout.client_dir, layout.program].iter().any(|own| glob(&dir, own)) && dir != "*" || dir == ".*"
        });
        let globs: Vec<String> = options
            .values(&["--include", "-g", "--glob"])
            .map(|pattern| pattern.replace(is_placeholder, "*"))
            .collect();
        let kept = |file: &str| {
            let left_out = globs.iter().any(|glob| glob.starts_with('!') && layout.names_client_dir(glob));
            let mut kept = globs.iter().filter(|pattern| !pattern.starts_with('!')).peekable();
            !left_out && (kept.peek().is_none() || kept.any(|pattern| glob(pattern, file)))
        };
        let typed =
            |kind: &str| options.value(&["-t", "--type"]).is_some_and(|asked| asked != kind && tool == Tool::Rg);
        if !recursive || excluded {
            return None;
        }
        let here = ["."];
        let roots = if operands.is_empty() { here.as_slice() } else { operands };
        // What stands in the user's files nobody here knows.
        if kept(layout.configuration)
            && !typed("toml")
            && let Some(root) = roots.iter().find(|root| self.holds_persons(root, hides && !shows))
        {
            self.adds_own(Listed::Any);
            return Some(format!("{computed}\n{}/{PROTECTED_ITEM}\n", root.trim_end_matches('/')));
        }
        let found = (!hides || shows)
            && layout.settings_names.first().is_some_and(|name| kept(name))
            && !typed("json")
            && roots.iter().any(|root| self.holds_guard(root))
            && of.args.iter().any(|arg| occurs_in_entry(arg, layout));
        found.then(|| self.with_own(&computed.to_string()))
    }

    /// The names that a search through an index of all files prints, if it asks for files of the guard.
    pub(super) fn own_located(&mut self, of: &Invocation<'_>) -> Option<super::state::Data> {
        let Invocation { program, args, .. } = *of;
        let asks = || args.iter().any(|arg| self.places.layout.names_program(&arg.to_ascii_lowercase()));
        if !matches!(program.tool, Tool::Locate) || !asks() {
            return None;
        }
        self.adds_own(Listed::Any);
        let layout = self.places.layout;
        Some(
            format!("{}/{}/{PROTECTED_ITEM}\n", self.places.home.trim_end_matches('/'), layout.configuration_dir)
                .into(),
        )
    }

    /// The names that a program prints which goes through directories, if files of the user are among them.
    pub(super) fn own_walked(&mut self, of: &Invocation<'_>) -> Option<super::state::Data> {
        let program = of.program;
        let options = of.options();
        let (shows, asked, roots) = match program.tool {
            Tool::Fd => {
                let (pattern, roots) =
                    options.operands.split_first().map_or(("", [].as_slice()), |(first, rest)| (*first, rest));
                (options.has(&["-H", "--hidden", "-u", "--unrestricted"]), letters(pattern), roots)
            }
            Tool::Tree => (options.has(&["-a"]), String::new(), options.operands.as_slice()),
            _ => (true, String::new(), options.operands.as_slice()),
        };
        let other = options.value(&["-e", "--extension"]).is_some_and(|kind| kind != "toml");
        let named = match program.tool {
            Tool::Fd => !other && letters(self.places.layout.configuration).contains(&asked),
            Tool::Tree => options.has(&["-f"]),
            _ => options.has(&["-a", "--all"]),
        };
        let root = roots.iter().find(|root| named && self.holds_persons(root, !shows));
        let root =
            root.copied().or_else(|| (named && roots.is_empty() && self.holds_persons(".", !shows)).then_some("."))?;
        self.adds_own(Listed::Any);
        Some(format!("{}\n{}/{PROTECTED_ITEM}\n", super::taint::PROGRAM_OUTPUT, root.trim_end_matches('/')).into())
    }

    /// The guard's paths below a path as it is written.
    fn guard_below_path(&self, path: &str) -> Vec<(String, bool)> {
        self.absolute(&self.at_home(path)).map(|path| self.guard_below(&path)).unwrap_or_default()
    }

    /// Programs that replace a text in all files below a directory: `replace A B . -r`, `rpl -R A B .`, `fastmod A B`.
    pub(super) fn own_replaced(&mut self, of: &Invocation<'_>, call: &Call) {
        let program = of.program;
        let options = of.options();
        let recursive = matches!(program.tool, Tool::Fastmod) || options.has(&["-r", "-R", "--recursive"]);
        if !recursive || !matches!(program.tool, Tool::Replace | Tool::Fastmod) {
            return;
        }
        let Some(pattern) = options.operands.first() else { return };
        let roots = options.operands.get(2..).unwrap_or_default();
        let here =
            if roots.is_empty() { self.holds_guard(".") } else { roots.iter().any(|root| self.holds_guard(root)) };
        if here && occurs_in_entry(pattern, self.places.layout) {
            self.act_at(Kind::Guard, None, super::shown(&of.text()), call.span);
        }
    }
}

/// Whether a script of an editor looks for what stands in the entry.
fn edits_entry(arg: &str, layout: &Layout) -> bool {
    if arg.contains(PROTECTED_ITEM) {
        return false;
    }
    // `s/A/B/`: only what is looked for counts.
    let substitution = arg.find("s/").or_else(|| arg.find("s|")).or_else(|| arg.find("s#")).or_else(|| arg.find("s,"));
    match substitution.and_then(|at| arg.get(at + 1..)) {
        Some(rest) => {
            let mut rest = rest.chars();
            let delimiter = rest.next().unwrap_or('/');
            let pattern = rest.as_str().split(delimiter).next().unwrap_or_default();
            occurs_in_entry(pattern, layout)
        }
        None => occurs_in_entry(arg, layout),
    }
}

/// The letters and digits of a name, in small letters: what a pattern for it can say.
fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a pattern's plain words stand in the entry, one of some length at least.
pub(super) fn occurs_in_entry(pattern: &str, layout: &Layout) -> bool {
    let mut plain = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        // `\b`, `\s`: a class, not a letter.
        if c == '\\' {
            let next = rest.next().filter(|next| !next.is_alphanumeric());
            plain.push(next.unwrap_or(' '));
        } else {
            plain.push(c);
        }
    }
    let mut words =
        plain.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).peekable();
    let entry = layout.entry.to_ascii_lowercase();
    let mut long = false;
    words.peek().is_some()
        && words.all(|word| {
            long |= word.len() >= 4;
            entry.contains(&word.to_ascii_lowercase())
        })
        && long
}
