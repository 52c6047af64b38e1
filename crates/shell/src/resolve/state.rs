//! What is known of the shell while its commands are followed: variables, working directory, functions, descriptors.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::bounds::Told;
use super::container::Container;
use super::taint::{UNKNOWN, is_literal};
use crate::path::{Place, Places, below};
use crate::syntax::{Command, Script};

/// Text, shared, with marks for what is not known.
pub(super) type Data = Rc<str>;

/// More functions, aliases and descriptors than this are not kept, which is said.
const MOST_ENTRIES: usize = 256;
/// The same of variables.
const MOST_VARIABLES: usize = 1024;
/// Beyond this, those possible values of a variable are kept that a rule may care about.
pub(super) const MOST_VALUES: usize = 64;
/// The same of lines that are read and items that are given at once.
pub(super) const MOST_GIVEN: usize = 4096;
/// Elements that an array gets one by one.
const MOST_ELEMENTS: usize = 1024;

/// Ordinary directories in which the shell may stand at a time.
pub(super) const MOST_DIRS: usize = 8;
/// Directories in which it may stand beside them, where what is done matters more.
const MOST_DIRS_TOLD: usize = 32;
/// Names of a variable for another one that are followed.
const MOST_NAMES: usize = 64;

/// Values of long lists that are looked at to tell which of them matter.
const MOST_LOOKS: usize = 1 << 16;

/// What all shells of a line share.
pub(super) struct Line {
    pub(super) places: Places,
    /// Something was left out for want of room.
    pub(super) beyond: Cell<bool>,
    /// Values that may still be looked at to tell which of many matter.
    pub(super) looks: Cell<usize>,
}

/// A variable: the values that it may have, or the elements of an array.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Var {
    pub(super) values: Vec<Data>,
    pub(super) items: Option<Vec<Data>>,
    /// The subscripts of the elements, where they are not counted from 0.
    pub(super) keys: Vec<Data>,
    /// It is another name for this variable.
    pub(super) refers: Option<String>,
}

impl Var {
    pub(super) fn one(value: impl Into<Data>) -> Self {
        Self { values: vec![value.into()], ..Self::default() }
    }

    /// An array.
    pub(super) fn array(items: Vec<Data>) -> Self {
        let first = items.first().map_or_else(|| Data::from(""), Rc::clone);
        Self { values: vec![first], items: Some(items), ..Self::default() }
    }

    /// The element of a subscript; `None` if there is none.
    pub(super) fn element(&self, subscript: &str) -> Option<Data> {
        let items = self.items.as_ref()?;
        if let Some(at) = self.keys.iter().position(|key| key.as_ref() == subscript) {
            return items.get(at).map(Rc::clone);
        }
        let index = subscript.parse::<i64>().ok().filter(|_| self.keys.is_empty())?;
        let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let index = if index < 0 { index + length } else { index };
        usize::try_from(index).ok().and_then(|index| items.get(index)).map(Rc::clone)
    }

    /// Puts an element in its place.
    pub(super) fn put(&mut self, subscript: &str, value: Data, line: &Line) {
        let items = self.items.get_or_insert_default();
        let counted = subscript.parse::<usize>().ok().filter(|index| self.keys.is_empty() && *index < items.len());
        if let Some(slot) = counted.and_then(|index| items.get_mut(index)) {
            *slot = value;
        } else if let Some(slot) =
            self.keys.iter().position(|key| key.as_ref() == subscript).and_then(|at| items.get_mut(at))
        {
            *slot = value;
        } else if items.len() < MOST_ELEMENTS {
            if self.keys.is_empty() && subscript.parse::<usize>() != Ok(items.len()) {
                self.keys = (0..items.len()).map(|index| Data::from(index.to_string())).collect();
                self.keys.push(subscript.into());
            } else if !self.keys.is_empty() {
                self.keys.push(subscript.into());
            }
            items.push(value);
        } else {
            line.beyond.set(true);
        }
        self.values = items.first().map(Rc::clone).into_iter().collect();
    }

    fn join(&mut self, other: &Self, line: &Line) {
        for value in &other.values {
            if !self.values.contains(value) {
                self.values.push(Rc::clone(value));
            }
        }
        if self.values.len() > MOST_VALUES {
            line.beyond.set(line.beyond.get() | Told::cut(&mut self.values, MOST_VALUES, line));
            self.values.retain(|value| value.chars().ne([UNKNOWN]));
            self.values.push(UNKNOWN.to_string().into());
        }
        if self.items.is_none() {
            self.items.clone_from(&other.items);
        }
    }
}

/// A function and the script that it stands in.
#[derive(Clone)]
pub(super) struct Function {
    pub(super) script: Rc<Script>,
    pub(super) body: Rc<Command>,
}

/// What a descriptor leads to.
#[derive(Debug, Clone, Default)]
pub(super) struct Channel {
    /// What is read from it.
    pub(super) read: Option<Data>,
    /// The file or connection that is written.
    pub(super) write: Option<String>,
}

/// The state of one shell. Copies share what neither has changed.
#[derive(Clone)]
pub(super) struct State {
    pub(super) vars: Rc<BTreeMap<String, Var>>,
    /// Where the shell may stand; `None` for a place that is not known.
    pub(super) cwds: Rc<Vec<Option<String>>>,
    /// Where it stood when `pushd` put that aside, the last one at the end.
    pub(super) stack: Rc<Vec<Rc<Vec<Option<String>>>>>,
    pub(super) functions: Rc<BTreeMap<String, Function>>,
    /// Aliases, and programs that `hash -p` gives another name.
    pub(super) aliases: Rc<BTreeMap<String, Data>>,
    pub(super) fds: Rc<BTreeMap<u32, Channel>>,
    pub(super) params: Rc<Vec<Data>>,
    /// What the shell runs is shown line by line, with its values: `set -x`.
    pub(super) traced: bool,
    /// The commands run on another machine or in a container.
    pub(super) remote: bool,
    /// The container that they run in, if what is mounted there is told.
    pub(super) container: Option<Rc<Container>>,
    pub(super) line: Rc<Line>,
}

impl State {
    pub(super) fn new(places: &Places) -> Self {
        Self {
            vars: Rc::default(),
            cwds: Rc::new(vec![Some(places.cwd.clone())]),
            stack: Rc::default(),
            functions: Rc::default(),
            aliases: Rc::default(),
            fds: Rc::default(),
            params: Rc::default(),
            traced: false,
            remote: false,
            container: None,
            line: Rc::new(Line { places: places.clone(), beyond: Cell::new(false), looks: Cell::new(MOST_LOOKS) }),
        }
    }

    pub(super) fn set(&mut self, name: &str, var: Var) {
        let vars = Rc::make_mut(&mut self.vars);
        if vars.len() < MOST_VARIABLES || vars.contains_key(name) {
            vars.insert(name.to_owned(), var);
        } else {
            self.line.beyond.set(true);
        }
    }

    /// Sets a variable, or takes it away; gives what it was.
    pub(super) fn replace(&mut self, name: &str, var: Option<Var>) -> Option<Var> {
        let vars = Rc::make_mut(&mut self.vars);
        match var {
            Some(var) => vars.insert(name.to_owned(), var),
            None => vars.remove(name),
        }
    }

    /// A variable by its name, or by another name for it.
    pub(super) fn var(&self, name: &str) -> Option<&Var> {
        let mut var = self.vars.get(name)?;
        for _ in 0..MOST_NAMES {
            match var.refers.as_deref().and_then(|target| self.vars.get(target)) {
                Some(target) => var = target,
                None => return Some(var),
            }
        }
        self.line.beyond.set(true);
        Some(var)
    }

    pub(super) fn unset(&mut self, name: &str) {
        if self.vars.contains_key(name) {
            Rc::make_mut(&mut self.vars).remove(name);
        }
    }

    /// Keeps a function; tells whether there was room for it.
    pub(super) fn define(&mut self, name: &str, function: Function) -> bool {
        keep(&mut self.functions, name, function)
    }

    /// Keeps an alias; tells whether there was room for it.
    pub(super) fn alias(&mut self, name: &str, value: &str) -> bool {
        keep(&mut self.aliases, name, value.into())
    }

    /// One more place where the shell may stand.
    pub(super) fn may_stand_at(&mut self, place: Option<&str>) {
        if self.cwds.iter().any(|cwd| cwd.as_deref() == place) {
            return;
        }
        Rc::make_mut(&mut self.cwds).push(place.map(str::to_owned));
        self.fewer_dirs();
    }

    /// Leaves out directories that are too many: ordinary ones of a kind that is there already, which differ little.
    pub(super) fn fewer_dirs(&mut self) {
        if self.cwds.len() <= MOST_DIRS {
            return;
        }
        let mut dirs: Vec<Option<String>> = Vec::with_capacity(self.cwds.len());
        let mut kinds = Vec::new();
        let mut telling = 0;
        for cwd in self.cwds.iter() {
            if dirs.contains(cwd) {
                continue;
            }
            let kind = cwd.as_deref().map(|dir| self.line.places.place(dir));
            let tells = self.is_telling_dir(cwd.as_deref());
            telling += usize::from(tells);
            if dirs.len() < MOST_DIRS || !kinds.contains(&kind) || tells && telling <= MOST_DIRS_TOLD {
                dirs.push(cwd.clone());
                kinds.push(kind);
            } else if tells {
                self.line.beyond.set(true);
            }
        }
        self.cwds = Rc::new(dirs);
    }

    fn is_telling_dir(&self, dir: Option<&str>) -> bool {
        dir.is_none_or(|dir| {
            let ordinary = matches!(
                self.line.places.place(dir),
                Place::InProject | Place::Given | Place::Cache | Place::Temp | Place::Outside
            );
            let rest = below(dir, &self.line.places.project).unwrap_or(dir);
            !ordinary || rest.split('/').any(|part| part.starts_with('.'))
        })
    }

    pub(super) fn open(&mut self, fd: u32, channel: Channel) {
        let fds = Rc::make_mut(&mut self.fds);
        if fds.len() < MOST_ENTRIES || fds.contains_key(&fd) {
            fds.insert(fd, channel);
        } else {
            self.line.beyond.set(true);
        }
    }

    /// A descriptor that is not in use yet, as `{NAME}>` takes one.
    pub(super) fn free_fd(&self) -> u32 {
        self.fds.keys().next_back().map_or(10, |last| (*last).max(9) + 1)
    }

    /// The first of the places where the shell may stand.
    pub(super) fn cwd(&self) -> Option<&str> {
        self.cwds.first().and_then(Option::as_deref)
    }

    /// What holds after one of two ways was taken.
    pub(super) fn join(&mut self, other: &Self) {
        if !Rc::ptr_eq(&self.vars, &other.vars) {
            let vars = Rc::make_mut(&mut self.vars);
            for (name, theirs) in other.vars.iter() {
                match vars.get_mut(name) {
                    Some(ours) if ours != theirs => ours.join(theirs, &self.line),
                    Some(_) => {}
                    None => {
                        if vars.len() < MOST_VARIABLES {
                            vars.insert(name.clone(), theirs.clone());
                        } else {
                            self.line.beyond.set(true);
                        }
                    }
                }
            }
        }
        other.cwds.iter().for_each(|cwd| self.may_stand_at(cwd.as_deref()));
        let kept =
            join_missing(&mut self.functions, &other.functions) & join_missing(&mut self.aliases, &other.aliases);
        if !kept {
            self.line.beyond.set(true);
        }
        if !Rc::ptr_eq(&self.fds, &other.fds) {
            let fds = Rc::make_mut(&mut self.fds);
            for (fd, theirs) in other.fds.iter() {
                let ours = fds.entry(*fd).or_default();
                if ours.read.as_deref().is_none_or(is_literal) {
                    ours.read.clone_from(&theirs.read);
                }
                if ours.write.is_none() {
                    ours.write.clone_from(&theirs.write);
                }
            }
        }
    }
}

fn keep<V: Clone>(entries: &mut Rc<BTreeMap<String, V>>, name: &str, value: V) -> bool {
    let fits = entries.len() < MOST_ENTRIES || entries.contains_key(name);
    if fits {
        Rc::make_mut(entries).insert(name.to_owned(), value);
    }
    fits
}

/// Adds what only the other way has; tells whether there was room for all.
fn join_missing<V: Clone>(ours: &mut Rc<BTreeMap<String, V>>, theirs: &Rc<BTreeMap<String, V>>) -> bool {
    if Rc::ptr_eq(ours, theirs) {
        return true;
    }
    let ours = Rc::make_mut(ours);
    let mut all = true;
    for (name, value) in theirs.iter().filter(|(name, _)| !ours.contains_key(*name)).collect::<Vec<_>>() {
        all &= ours.len() < MOST_ENTRIES;
        if ours.len() < MOST_ENTRIES {
            ours.insert(name.clone(), value.clone());
        }
    }
    all
}
