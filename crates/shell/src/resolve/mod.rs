//! From a syntax tree to what really runs: wrappers, shells in shells, variables, decoded text, working directories.
//!
//! Nothing runs here. The commands of a line are followed in their order with what is known of the shell's state, and everything
//! that would run is reported: programs ([`Run`]) and what they do ([`Action`]). What is not known is marked as such and kept
//! (`taint`); a text that cannot be followed to its end is reported as [`Kind::Unread`], never taken for harmless. Work is
//! bounded by counts, so that the answer to a text is always the same.

mod above;
mod action;
mod adds;
mod agent;
mod archive;
mod arith;
mod assign;
mod at_start;
mod bounds;
mod change_dir;
mod clobber;
mod code;
mod container;
mod credential;
mod editor;
mod endless;
mod exec;
mod executable;
mod expand;
mod find;
mod git_config;
mod guard_files;
mod history_and_locks;
mod jq;
mod lies;
mod links;
mod listed;
mod lost;
mod mentioned;
mod option_commands;
mod origin;
mod printed;
mod program;
mod reach;
mod redirect;
mod run;
mod secret;
mod secret_store;
mod sources;
mod stands_in;
mod state;
pub mod taint;
mod terminals;
mod token;
pub mod told;
mod unwrap;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub use self::action::{Action, Effects, ExecContext, Kind, Run};
pub use self::exec::quoted;
pub use self::expand::shown;
pub use self::git_config::setting_runs;
pub use self::program::GIT_OPTIONS;
pub use self::secret::{is_secret, secret_kind};
pub use self::taint::is_literal;

use self::state::{Data, State};

use crate::layout::Power;
use crate::path::{Place, Places};
use crate::syntax::{Script, Span, parse};

/// Commands that are followed in one text, with all that they start.
const MOST_COMMANDS: u32 = 20_000;
/// Bytes of text that are read as shell, beyond the first.
const MOST_NESTED: usize = 1 << 20;
/// Levels of text within text: `bash -c` in `eval` in `ssh` …
const MOST_DEPTH: u16 = 24;

/// Actions with targets of their own; beyond, one of each kind is reported.
const MOST_ACTIONS: usize = 4096;
/// Files of one line whose content is remembered.
const MOST_FILES: usize = 4096;
/// Bytes that variables and substitutions are expanded to.
const MOST_EXPANDED: usize = 8 << 20;
/// Commands within commands, through functions and texts as well.
const MOST_LEVELS: u16 = 160;

/// The settings that a repository brings itself, which nobody has set who works in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GitSettings {
    /// Each with its full name: the section and the last name in lower case.
    pub all: Vec<(String, String)>,
    /// The working tree, as an absolute path, if it is another one than where the repository lies.
    pub tree: Option<String>,
    /// Some of them cannot be read.
    pub unread: bool,
}

/// What lies at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entry {
    /// Nobody looked.
    Unknown,
    /// Nothing.
    Missing,
    /// Something that is no link and no directory.
    Plain,
    /// A directory.
    Dir,
    /// A link.
    Link,
}

/// What the caller knows of files. Asked only about paths that a command names.
pub trait Files {
    /// Where a path leads when links are followed: its deepest part that exists, resolved, with the rest. `None` if nothing differs.
    /// An empty or relative answer counts as none; any other is believed.
    fn real_path(&self, path: &str) -> Option<String> {
        let _ = path;
        None
    }

    /// Whether the settings file at this path starts the guard. Asked for settings outside the project only; the project's always
    /// count.
    fn starts_guard(&self, path: &str) -> bool {
        let _ = path;
        true
    }

    /// Whether a path is the guard's own because its directories lie elsewhere than usual.
    fn is_own(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// Whether a path is a file of the host's settings because its directory lies elsewhere than usual.
    fn is_client_settings(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// Whether a directory holds such a path.
    fn holds_own(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// The directory that a variable of the environment names, if the guard's own directories can follow from it.
    fn dir_variable(&self, name: &str) -> Option<String> {
        let _ = name;
        None
    }

    /// The value of a setting of git, for a repository that `dir` lies in; sections and names in lower case. `None` where it is not
    /// set, or not known.
    fn git_setting(&self, dir: &str, key: &str) -> Option<String> {
        let _ = (dir, key);
        None
    }

    /// The settings that the repository around `dir` brings itself.
    fn git_settings(&self, dir: &str) -> GitSettings {
        let _ = dir;
        GitSettings::default()
    }

    /// What lies at a path, its last part not followed.
    fn entry(&self, path: &str) -> Entry {
        let _ = path;
        Entry::Unknown
    }

    /// Another home directory of the user, where there is one: that of the account, if the environment names a different one.
    fn other_home(&self) -> Option<String> {
        None
    }

    /// Directories outside the project that the user lets the session work on.
    fn work_folders(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether the project holds a contained installation. Asked only about a path that one would have.
    fn is_contained(&self) -> bool {
        false
    }
}

/// Nothing is known of files.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl Files for NoFiles {}

/// What the command line `text` does.
pub fn resolve(text: &str, places: &Places, files: &dyn Files) -> Effects {
    effects_of(&Rc::new(parse(text)), u32::try_from(text.len()).unwrap_or(u32::MAX), places, files)
}

/// What a script of so many bytes does.
pub(crate) fn effects_of(script: &Rc<Script>, length: u32, places: &Places, files: &dyn Files) -> Effects {
    let places = places.checked();
    let mut interp = Interp::new(&places, files);
    interp.top(script, length);
    interp.judge_given();
    interp.report
}

/// What a text for PowerShell does, as far as it is recognised.
pub fn resolve_powershell(text: &str, places: &Places, files: &dyn Files) -> Effects {
    let places = places.checked();
    let mut interp = Interp::new(&places, files);
    let span = Span { start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    code::powershell(&mut interp, text, &exec::Call { stdin: Data::from(""), span });
    interp.judge_given();
    interp.report
}

/// What a tool does that shows the content of a file.
pub fn resolve_read(path: &str, places: &Places, files: &dyn Files) -> Effects {
    let places = places.checked();
    let mut interp = Interp::new(&places, files);
    interp.reads(path, &exec::Call { stdin: Data::from(""), span: Span::default() });
    interp.judge_given();
    interp.report
}

/// What a tool does that shows what an address gives.
pub fn resolve_fetch(address: &str, places: &Places, files: &dyn Files) -> Effects {
    let is_file = address.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file://"));
    if let Some(path) = address.get(7..).filter(|_| is_file) {
        return resolve_read(path, places, files);
    }
    let places = places.checked();
    let mut interp = Interp::new(&places, files);
    if program::hands_out_secrets(address) {
        let span = Span { start: 0, end: u32::try_from(address.len()).unwrap_or(u32::MAX) };
        interp.act_at(Kind::SecretFetch, None, shown(address), span);
    }
    interp.report
}

/// What a tool does that sends this text to another machine.
pub fn resolve_sent(text: &str) -> Effects {
    let mut report = Effects::default();
    if token::holds_token(text) {
        let (target, span) = ("a token".to_owned(), Span { start: 0, end: 0 });
        let kind = Kind::SecretFetch;
        report.actions.push(Action { kind, place: None, target, span, remote: false, speculative: false });
    }
    report
}

/// What a tool may do whose input names these, without saying what for: a path of the guard among them, alone or below a directory that is
/// named beside it, is asked about.
pub fn resolve_named(texts: &[String], places: &Places, files: &dyn Files) -> Effects {
    if !texts.iter().any(|text| mentioned::may_name(text, places.layout)) {
        return Effects::default();
    }
    let places = places.checked();
    let mut interp = Interp::new(&places, files);
    if let Some(found) = interp.named_in_full(texts) {
        interp.ask_own(found, &exec::Call { stdin: Data::from(""), span: Span::default() });
    }
    interp.report
}

/// What a tool does that removes or moves a file or directory.
pub fn resolve_path(kind: Kind, path: &str, places: &Places, files: &dyn Files) -> Effects {
    let places = places.checked();
    let mut interp = Interp::new(&places, files);
    interp.act_on(kind, path, Span::default());
    interp.judge_given();
    interp.report
}

/// A tool's path with the home directory or the project in the place of a variable: some clients hand it on, and expand it later.
fn as_meant<'a>(path: &'a str, places: &Places) -> Cow<'a, str> {
    let Some(named) = path.strip_prefix('$') else { return Cow::Borrowed(path) };
    let variable = match named.strip_prefix('{') {
        Some(braced) => braced.split_once("}/"),
        None => named.split_once('/'),
    };
    match variable {
        Some(("HOME", rest)) => Cow::Owned(format!("{}/{rest}", places.home)),
        Some((name, rest)) if places.layout.project_variables.contains(&name) => {
            Cow::Owned(format!("{}/{rest}", places.project))
        }
        _ => Cow::Borrowed(path),
    }
}

/// What a tool does that writes `content` into a file; `None` if that is not known.
pub fn resolve_write(path: &str, content: Option<&str>, places: &Places, files: &dyn Files) -> Effects {
    let places = places.checked();
    let path = &as_meant(path, &places);
    let mut interp = Interp::new(&places, files);
    interp.content_follows = true;
    interp.git_text_follows = content.is_some();
    interp.act_on(Kind::Overwrite, path, Span::default());
    interp.switched_off(path, content, Span::default());
    if let Some(content) = content {
        interp.git_file_written(path, content, Span::default());
    }
    interp.judge_given();
    interp.report
}

/// Follows the commands of a text.
pub(crate) struct Interp<'p> {
    places: &'p Places,
    known_files: &'p dyn Files,
    state: State,
    report: Effects,
    /// The script whose commands are being followed; holds the here-documents.
    script: Rc<Script>,
    /// What is known of files that this line writes, and of its process substitutions.
    files: BTreeMap<String, Data>,
    /// Directories that this line makes, with nothing in them that could be lost.
    made: BTreeSet<String>,
    /// What is written goes into a directory, or is a directory itself: nothing is replaced unless it is known to be there.
    pours: bool,
    /// A word of the command is a variable from outside without quotes, of which nothing remains where it is empty.
    may_vanish: bool,
    /// What the pipeline reads that is followed at the moment.
    inputs: clobber::Inputs,
    /// Files that this line asks for whether they are there.
    tested: BTreeSet<String>,
    /// Aliases of git that this line makes, and those that are being followed.
    git_aliases: Vec<(String, String)>,
    /// What repositories bring as settings, by the directory in which git was asked.
    git_own: Vec<(String, Rc<GitSettings>)>,
    open_aliases: Vec<String>,
    /// Links and mounts that this line makes, and where they lead.
    links: Vec<links::Led>,
    /// Programs that this line gives another name, by the path of the copy.
    copied_programs: Vec<(String, String)>,
    /// Directories into which this line unpacks what it fetched.
    unpacked: Vec<archive::Unpacked>,
    /// Variables that this line unsets.
    unset: BTreeSet<String>,
    /// Which of several possible values each variable has at the moment.
    picks: Vec<(String, usize)>,
    processes: u32,
    process_input: Option<Data>,
    /// The place in the original text, while a text within the text is followed.
    outer: Option<Span>,
    depth: u16,
    calls: u16,
    commands: u32,
    levels: u16,
    nested: usize,
    expanded: usize,
    /// Levels of branches that may not be taken.
    conditional_depth: u16,
    gave_up: bool,
    /// What is followed at the moment may not run at all.
    speculative: bool,
    /// What is followed at the moment has the rights of another user.
    privileged: bool,
    /// This line has read a file of secrets into variables.
    loaded_secrets: bool,
    /// The last word of the command before, which `$_` stands for.
    last_word: String,
    /// What inline code is given beside its text: arguments, and variables by name.
    code_args: Vec<String>,
    code_values: Vec<(String, String)>,
    /// Marks of what the code that is followed at the moment prints of the variables.
    code_shows: String,
    /// A secret was read in a way that does no harm unless it is shown in the end.
    secret_pending: bool,
    /// Substitutions and pipes that catch what is printed at the moment.
    captured: u16,
    /// What the substitutions of the braced word gave that is expanded at the moment.
    copies: Option<Vec<(Span, Data)>>,
    /// What is expanded at the moment becomes variables, not output.
    loading: bool,
    /// What is followed at the moment is what a shell does when it leaves.
    leaving: bool,
    /// What substitutions inherit from there, whether they read it or not.
    inherited_input: Data,
    /// This line has read the number of a process that serves the system.
    read_service: bool,
    /// What the shell itself would read, where what it runs names nothing else.
    shell_input: Data,
    /// Variables from outside that are called like secrets, as the line names them.
    secret_names: Vec<String>,
    /// Other names of directories.
    lies: lies::Lies,
    /// A file is opened for writing whose new content is looked at later.
    content_follows: bool,
    /// The same, where what git would run by it is looked at later.
    git_text_follows: bool,
    /// The same, and the content is a text of the line itself.
    text_follows: bool,
    /// Whether a list of this line holds files of the guard.
    listed: listed::Listed,
    /// It is said that something lies beyond what is followed.
    said_beyond: bool,
    /// The program that is followed at the moment only tells how a binary is made.
    only_looks: bool,
    /// The path of which it was asked last whether it is the guard's, and the answer.
    last_own: RefCell<Option<(String, guard_files::Own)>>,
}

impl<'p> Interp<'p> {
    fn new(places: &'p Places, known_files: &'p dyn Files) -> Self {
        Self {
            places,
            known_files,
            state: State::new(places),
            report: Effects::default(),
            script: Rc::new(Script::default()),
            files: BTreeMap::new(),
            made: BTreeSet::new(),
            pours: false,
            may_vanish: false,
            inputs: clobber::Inputs::default(),
            tested: BTreeSet::new(),
            git_aliases: Vec::new(),
            git_own: Vec::new(),
            open_aliases: Vec::new(),
            links: Vec::new(),
            copied_programs: Vec::new(),
            unpacked: Vec::new(),
            unset: BTreeSet::new(),
            picks: Vec::new(),
            processes: 0,
            process_input: None,
            outer: None,
            depth: 0,
            calls: 0,
            commands: 0,
            levels: 0,
            nested: 0,
            expanded: 0,
            conditional_depth: 0,
            gave_up: false,
            speculative: false,
            privileged: false,
            loaded_secrets: false,
            last_word: String::new(),
            code_args: Vec::new(),
            code_values: Vec::new(),
            code_shows: String::new(),
            secret_pending: false,
            captured: 0,
            copies: None,
            loading: false,
            leaving: false,
            read_service: false,
            inherited_input: Data::from(""),
            shell_input: Data::from(""),
            secret_names: Vec::new(),
            lies: lies::Lies::default(),
            content_follows: false,
            git_text_follows: false,
            text_follows: false,
            listed: listed::Listed::No,
            said_beyond: false,
            only_looks: false,
            last_own: RefCell::new(None),
        }
    }

    fn top(&mut self, script: &Rc<Script>, length: u32) {
        for unread in &script.unread {
            self.act_at(Kind::Unread, None, unread.why.as_str().to_owned(), unread.span);
        }
        let shown = self.follow(script, &Data::from(""));
        let span = Span { start: 0, end: length };
        self.beyond_state(span);
        if shown.contains([taint::TAINT_STORE, taint::TAINT_LOADED]) {
            self.act_at(Kind::SecretFetch, None, "a secret of a store or a variable".to_owned(), span);
        }
        self.shows_variables(&shown, span);
        let secret = shown.contains(taint::TAINT_SECRET) && !shown.contains(taint::ENVIRONMENT);
        if self.secret_pending && secret {
            self.act_at(Kind::SecretRead, None, "a secret that was loaded or packed".to_owned(), span);
        }
    }

    /// Follows a script; gives its output.
    fn follow(&mut self, script: &Rc<Script>, stdin: &Data) -> Data {
        let before = std::mem::replace(&mut self.script, Rc::clone(script));
        let output = self.list(&script.list, stdin);
        self.script = before;
        output
    }

    /// Follows text that a command hands to a shell.
    fn nested(&mut self, text: &str, span: Span, stdin: &Data) -> Data {
        self.nested += text.len();
        if self.depth >= MOST_DEPTH || self.nested > MOST_NESTED {
            self.give_up_at(span);
            return Data::from("");
        }
        let script = Rc::new(parse(text));
        if !script.is_complete() && !is_query(text) {
            self.act_at(Kind::Unread, None, "text handed to a shell".to_owned(), span);
        }
        let place = self.place_in_text(span);
        let outer = self.outer.replace(place);
        self.depth += 1;
        let output = self.follow(&script, stdin);
        self.depth -= 1;
        self.outer = outer;
        output
    }

    /// Runs `inner` in a shell of its own: what it sets is gone afterwards.
    fn subshell<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.state.clone();
        let result = inner(self);
        self.state = before;
        result
    }

    /// Runs `inner` as a branch that may not be taken: afterwards both what was and what it set is possible.
    fn branch<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.state.clone();
        self.conditional_depth += 1;
        let result = inner(self);
        self.conditional_depth -= 1;
        self.state.join(&before);
        result
    }

    fn give_up(&mut self) {
        self.give_up_at(Span::default());
    }

    fn give_up_at(&mut self, span: Span) {
        if !self.gave_up {
            self.gave_up = true;
            self.act_at(Kind::Unread, None, "more than is followed".to_owned(), span);
        }
    }

    /// The place in the original text.
    fn place_in_text(&self, span: Span) -> Span {
        self.outer.unwrap_or(span)
    }

    /// Code from the network runs, named by the one address that the line fetches from, or else as `what`.
    fn runs_remote(&mut self, what: &str, span: Span) {
        let mut addresses = self.report.runs.iter().flat_map(|run| &run.args).filter(|arg| arg.contains("://"));
        let address = addresses.next().filter(|first| addresses.all(|other| other == *first));
        let target = address.map_or_else(|| what.to_owned(), |address| shown(address));
        self.act_at(Kind::RunRemote, None, target, span);
    }

    fn act_at(&mut self, kind: Kind, place: Option<Place>, target: String, span: Span) {
        if kind == Kind::Guard && self.places.layout.is_none() {
            return;
        }
        let span = self.place_in_text(span);
        let action = Action { kind, place, target, span, remote: self.state.remote, speculative: self.speculative };
        let actions = &mut self.report.actions;
        let is_told = if actions.len() < MOST_ACTIONS {
            actions.last() == Some(&action)
        } else {
            // A long list says no more by further targets of the same kind, but it never leaves out a kind.
            actions.iter().rev().any(|told| told.is_like(&action))
        };
        if !is_told {
            actions.push(action);
        }
    }

    /// Reports an action on a path, for each place where the shell may stand.
    fn act_on(&mut self, kind: Kind, path: &str, span: Span) {
        self.own_in_list(kind, path, span);
        // Removing or moving a link leaves alone what it leads to.
        let itself = matches!(kind, Kind::Delete | Kind::DeleteTree | Kind::Move) && !path.ends_with('/');
        for (place, absolute) in self.places_seen(path, !itself) {
            let unknown = matches!(place, Place::Unknown | Place::UnknownAll | Place::UnknownTop);
            let target = if unknown { shown(path) } else { shown(&absolute) };
            if self.is_here(place) {
                self.own_action(kind, &absolute, &target, place, span);
            }
            let known = self.renamed_if_outside(&absolute);
            self.consequences(kind, place, known.as_deref().unwrap_or(&absolute), &target, span);
            self.act_at(kind, Some(place), target, span);
        }
        self.own_by_text(kind, path, span);
    }

    /// Reports that what is written into settings runs something, grants something or switches the guard off, or may do so.
    fn switched_off(&mut self, path: &str, content: Option<&str>, span: Span) {
        self.content_follows = false;
        for (place, absolute) in self.places_of(path) {
            if !self.is_settings_of_client(&absolute) || self.known_files.starts_guard(&absolute) {
                continue;
            }
            let power = match content {
                Some(content) if is_literal(content) => (self.places.layout.power)(content),
                _ => Power::Some,
            };
            if power == Power::None {
                continue;
            }
            let before = self.speculative;
            self.speculative |= power == Power::Unclear;
            self.act_at(Kind::Guard, Some(place), shown(&absolute), span);
            self.speculative = before;
        }
    }

    /// Reports what is written into a file of settings that may hold secrets, by what the text is.
    fn setting_written(&mut self, path: &str, text: &str, span: Span) {
        if !secret::is_settings(path) || !self.is_secret_path(path) {
            return;
        }
        self.npm_setting_written(path, text, span);
        let kind = match secret::told(path, text) {
            secret::Told::Secret => Kind::SecretWrite,
            secret::Told::Setting => Kind::EnvWrite,
            secret::Told::Nothing => return,
        };
        for (place, absolute) in self.places_of(path) {
            self.act_at(kind, Some(place), shown(&absolute), span);
        }
    }

    /// What follows from an action because of the one file that it is done to.
    fn consequences(&mut self, kind: Kind, place: Place, absolute: &str, target: &str, span: Span) {
        self.touches_kept(kind, place, absolute, target, span);
        self.loses(kind, place, absolute, target, span);
        let lost = matches!(kind, Kind::Delete | Kind::DeleteTree);
        if kind == Kind::Move && place == Place::System && Places::is_system_dir(absolute) {
            // What needs it does not find it elsewhere.
            self.act_at(Kind::DeleteTree, Some(place), target.to_owned(), span);
        }
        if lost && self.privileged {
            self.act_at(Kind::PrivilegedDelete, Some(place), target.to_owned(), span);
        }
        let written = matches!(kind, Kind::Overwrite | Kind::Append);
        if written && is_secret(absolute, self.places) && !(self.text_follows && secret::is_settings(absolute)) {
            self.act_at(Kind::SecretWrite, Some(place), target.to_owned(), span);
        }
        if lost && place == Place::Dotfiles && is_secret(absolute, self.places) {
            self.act_at(Kind::SecretDelete, Some(place), target.to_owned(), span);
        }
        let hook = absolute.split_once("/.git/hooks/").and_then(|(_, rest)| rest.split('/').next());
        if (written || kind == Kind::Link) && hook.is_some_and(|name| !name.ends_with(".sample")) {
            self.act_at(Kind::GitRuns, Some(place), target.to_owned(), span);
        }
        let git_file = written && git_config::file(absolute, self.places).is_some();
        // What is written and can be seen is judged by what it is.
        if git_file && !self.git_text_follows {
            self.act_at(Kind::GitRuns, Some(place), target.to_owned(), span);
        }
        if written && stands_in::takes_program(absolute, false, self.places) {
            self.act_at(Kind::SystemSetting, Some(place), target.to_owned(), span);
        }
        if written && secret::starts_by_itself(absolute, self.places) {
            self.act_at(Kind::Persist, Some(place), target.to_owned(), span);
        }
        if written {
            self.written_for_later(place, absolute, target, span);
        }
    }

    /// What `path` may be: its kind of place and absolute form, seen from wherever the shell may stand.
    fn places_of(&self, path: &str) -> Vec<(Place, String)> {
        self.places_seen(path, true)
    }

    /// The same, with or without following the path's last part if that is a link.
    fn places_seen(&self, path: &str, follow_last: bool) -> Vec<(Place, String)> {
        let mut out: Vec<(Place, String)> = Vec::new();
        for cwd in self.state.cwds.iter() {
            let path: &str = &self.at_home(path);
            // Whoever climbs that far in a container is at its root, wherever it began.
            let climbs = self.state.container.is_some() && cwd.is_none() && path.starts_with("../../");
            let cwd = if climbs { &Some("/".to_owned()) } else { cwd };
            let found = match (Places::absolute(path, cwd.as_deref()), &self.state.container) {
                (Some(absolute), Some(container)) => {
                    let (place, real) = container.find(&absolute, self.places);
                    (place, real.unwrap_or(absolute))
                }
                (Some(absolute), None) => {
                    let mut place = self.place_by_name(&absolute);
                    let mut shown = absolute;
                    // `/dev/stderr` leads to wherever the hook's own output goes.
                    if !self.state.remote
                        && place != Place::Sink
                        && let Some(real) = self.real_form(path, cwd.as_deref(), follow_last)
                    {
                        place = self.place_by_name(&real);
                        shown = real;
                    }
                    (place, shown)
                }
                (None, _) => (Place::Unknown, path.to_owned()),
            };
            let all = matches!(found.0, Place::Root | Place::Home | Place::UnknownAll | Place::UnknownTop);
            let contained = self.state.container.is_some();
            let found = if self.state.remote && !contained && !path.starts_with(['/', '~']) && !all {
                (Place::Unknown, found.1)
            } else {
                found
            };
            if !out.contains(&found) {
                out.push(found);
            }
        }
        out
    }

    /// Whether a path of this kind lies on this machine.
    fn is_here(&self, place: Place) -> bool {
        !self.state.remote
            || self.state.container.is_some() && !matches!(place, Place::Container | Place::Volume | Place::Unknown)
    }

    /// The path with a tilde as the home directory: one that the shell leaves alone is meant as such all the same.
    fn at_home<'a>(&self, path: &'a str) -> Cow<'a, str> {
        match path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            Some(rest) => Cow::Owned(format!("{}{rest}", self.places.home)),
            None => Cow::Borrowed(path),
        }
    }

    /// The one absolute form of `path` that files are remembered by.
    fn absolute(&self, path: &str) -> Option<String> {
        Places::absolute(path, self.state.cwd())
    }

    /// What is known of a file's content.
    fn content(&self, path: &str) -> Option<Data> {
        let path = self.absolute(path)?;
        self.files.get(&path).map(Rc::clone)
    }

    /// Remembers what a file holds now.
    fn store(&mut self, path: &str, data: &Data) {
        let Some(path) = self.absolute(path) else { return };
        let data = match self.files.get(&path) {
            // A branch that may not be taken does not clean a file.
            Some(old) if self.conditional_depth > 0 && old.contains(taint::is_placeholder) => {
                Data::from(format!("{old}{data}"))
            }
            _ => Rc::clone(data),
        };
        if self.files.len() < MOST_FILES || self.files.contains_key(&path) {
            self.files.insert(path, data);
        } else {
            self.give_up();
        }
    }
}

/// Whether a text is a query for a database: functions that run commands in one language run queries in another, and what a shell
/// makes of a query is a syntax error, after which it runs nothing.
fn is_query(text: &str) -> bool {
    const VERBS: &[&str] = &[
        "alter", "analyze", "begin", "call", "copy", "create", "delete", "describe", "drop", "explain", "grant",
        "insert", "merge", "pragma", "replace", "revoke", "select", "set", "show", "truncate", "update", "upsert",
        "use", "vacuum", "with",
    ];
    let first = text.split(|c: char| !c.is_ascii_alphabetic()).find(|word| !word.is_empty()).unwrap_or_default();
    VERBS.iter().any(|verb| first.eq_ignore_ascii_case(verb))
}
