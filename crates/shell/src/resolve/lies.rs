//! Where things really lie: one directory under several names, and the guard's files behind links.
//!
//! Rules know the project, the home directory and the guard's files by one name each. What a command calls otherwise is brought back to
//! that name here: the directory that a link leads to, another home directory of the same user, a client's directory that was moved, a drive
//! of Windows as it is mounted.

use super::links::real_path_by;
use super::taint::is_placeholder;
use super::{Entry, Interp};
use crate::path::{Place, Places, below};

/// A directory or file by where it lies, and by the name that rules know.
pub(super) type Name = (String, String);

/// The path by its other name, where it is one of these or lies in one.
fn renamed(names: &[Name], path: &str) -> Option<String> {
    names.iter().find_map(|(real, name)| {
        let rest = if path == real { "" } else { below(path, real)? };
        let name = name.trim_end_matches('/');
        Some(if rest.is_empty() { name.to_owned() } else { format!("{name}/{rest}") })
    })
}

/// Of several that fit, the one that says most counts.
fn longest_first(mut names: Vec<Name>) -> Vec<Name> {
    names.retain(|(real, name)| real != name && real.len() > 1);
    names.sort_by_key(|(real, _)| std::cmp::Reverse(real.len()));
    names
}

impl Interp<'_> {
    /// The path by the name that rules know, where it has another one.
    pub(super) fn known_as(&self, path: &str) -> Option<String> {
        let places = self.places;
        if below(path, &places.project).is_some() || path == places.project {
            return None;
        }
        if let Some(client) = self.client_dir()
            && let Some(name) = renamed(std::slice::from_ref(client), path)
        {
            return Some(name);
        }
        if path == places.home || path.starts_with(is_placeholder) {
            return None;
        }
        let project = from_drive(path, places).or_else(|| renamed(self.names_of_project(), path));
        if project.is_some() {
            return project;
        }
        if places.in_home(path).is_some() {
            // The home directory that the environment names may hold the user's own, or lie in it. Then the user's is what rules know.
            let nested =
                |(other, _): &&Name| below(other, &places.home).is_some() || below(&places.home, other).is_some();
            let others: Vec<Name> = self.other_homes().iter().filter(nested).cloned().collect();
            return renamed(&others, path);
        }
        let home = renamed(self.names_of_home(), path);
        // Nobody's account lives among temporary files, where most of what is written outside lies.
        if home.is_some() || Places::lies_in_temp(path) { home } else { renamed(self.other_homes(), path) }
    }

    /// Whether a path is called otherwise than rules know it, or may be. What lies in a directory of the system is called what it is.
    fn may_be_renamed(path: &str) -> bool {
        path.starts_with("/root") || !Places::lies_in_system(path)
    }

    /// The name of a path outside that may be a secret of a home directory: those are hidden, or lie in the library of a Mac.
    pub(super) fn renamed_secret(&self, path: &str) -> Option<String> {
        if path.contains("/.") || path.contains("/Library/") { self.renamed_if_outside(path) } else { None }
    }

    /// The path by the name that rules know, if it lies neither in the project nor in a directory of the system.
    pub(super) fn renamed_if_outside(&self, path: &str) -> Option<String> {
        if Self::may_be_renamed(path) { self.known_as(path) } else { None }
    }

    /// The kind of place that a path is, by whichever name.
    pub(super) fn place_by_name(&self, path: &str) -> Place {
        let place = self.places.place(path);
        let is_plain = matches!(place, Place::InProject | Place::Sink | Place::Net | Place::Root | Place::Unknown);
        if is_plain {
            return place;
        }
        self.renamed_if_outside(path).map_or(place, |name| self.places.place(&name))
    }

    /// The directory of the host's settings, where the user moved it.
    fn client_dir(&self) -> Option<&Name> {
        let look = || {
            let layout = self.places.layout;
            let dir = Places::absolute(&self.known_files.dir_variable(layout.client_dir_variable)?, None)?;
            let dir = dir.trim_end_matches('/').to_owned();
            let name = format!("{}/{}", self.places.home.trim_end_matches('/'), layout.client_dir);
            (dir.len() > 1 && dir != name).then_some((dir, name))
        };
        self.lies.client.get_or_init(look).as_ref()
    }

    fn names_of_project(&self) -> &[Name] {
        let Places { project, .. } = self.places;
        self.lies.project.get_or_init(|| self.with_real(project, project))
    }

    fn names_of_home(&self) -> &[Name] {
        self.lies.home.get_or_init(|| {
            let home = &self.places.home;
            let mut names = self.with_real(home, home);
            if let Some((dir, name)) = self.client_dir() {
                names.extend(self.with_real(dir, name));
            }
            longest_first(names)
        })
    }

    fn other_homes(&self) -> &[Name] {
        self.lies.others.get_or_init(|| {
            let other = self.known_files.other_home();
            other.map(|other| self.with_real(other.trim_end_matches('/'), &self.places.home)).unwrap_or_default()
        })
    }

    /// A directory, and what links make of it, under this name.
    fn with_real(&self, dir: &str, name: &str) -> Vec<Name> {
        let real = real_path_by(self.known_files, dir);
        let names = real.into_iter().chain([dir.to_owned()]).map(|dir| (dir, name.to_owned()));
        longest_first(names.collect())
    }

    /// The guard's files by where links of the disk lead.
    fn linked_files(&self) -> &[Name] {
        self.lies.linked.get_or_init(|| {
            let Places { home, project, .. } = self.places;
            let mut names = self.links_in(project, self.places.layout.linked, project);
            names.extend(self.links_in(home, self.places.layout.linked_at_home, home));
            if let Some((dir, name)) = self.client_dir() {
                names.extend(self.links_in(dir, self.places.layout.linked_in_client_dir, name));
            }
            longest_first(names)
        })
    }

    /// Those of these files that are links, by where they lead and with the name that rules know.
    fn links_in(&self, dir: &str, files: &[&'static str], name: &str) -> Vec<Name> {
        let mut missing: Option<&str> = None;
        let mut names = Vec::new();
        for file in files {
            // Nothing lies in a directory that is not there.
            if missing.is_some_and(|missing| below(file, missing).is_some()) {
                continue;
            }
            let path = joined(dir, file);
            match self.known_files.entry(&path) {
                Entry::Plain | Entry::Dir => {}
                Entry::Missing => missing = Some(file),
                Entry::Link | Entry::Unknown => {
                    let real = real_path_by(self.known_files, &path);
                    let name = joined(name, file);
                    // What only follows from the directory's own link is known by that.
                    let real = real.filter(|real| self.known_as(real).as_deref() != Some(name.as_str()));
                    names.extend(real.map(|real| (real, name)));
                }
            }
        }
        names
    }

    /// The name of a file of the guard that a path is, if links lead from there to it.
    pub(super) fn linked_name(&self, path: &str) -> Option<String> {
        renamed(self.linked_files(), path)
    }

    /// Whether a directory holds a file of the guard that is linked to from its usual place.
    pub(super) fn holds_linked(&self, dir: &str) -> bool {
        self.linked_files().iter().any(|(real, _)| below(real, dir).is_some())
    }

    /// What is done to a directory outside the project that the user lets the session work on is done to that. Asked last, when a
    /// verdict may hang on it.
    pub(super) fn judge_given(&mut self) {
        let mut given: Option<Vec<String>> = None;
        for action in &mut self.report.actions {
            if action.place != Some(Place::Outside) || action.remote || !action.kind.takes_away() {
                continue;
            }
            let dirs = given.get_or_insert_with(|| {
                let mut dirs = self.known_files.work_folders();
                let real: Vec<String> = dirs.iter().filter_map(|dir| real_path_by(self.known_files, dir)).collect();
                dirs.extend(real);
                // What holds the project or the home directory is too much to be given with them.
                let Places { home, project, .. } = self.places;
                let wide = |dir: &str| [home, project].iter().any(|own| *own == dir || below(own, dir).is_some());
                dirs.retain(|dir| dir.len() > 1 && !wide(dir.trim_end_matches('/')));
                dirs
            });
            for dir in dirs.iter().map(|dir| dir.trim_end_matches('/')) {
                if below(&action.target, dir).is_some_and(|rest| !rest.chars().all(|c| matches!(c, '*' | '?' | '.'))) {
                    action.place = Some(Place::InProject);
                    break;
                }
                if action.target.trim_end_matches(['/', '*', '?', '.']) == dir {
                    action.place = Some(Place::Given);
                }
            }
        }
    }
}

fn joined(dir: &str, file: &str) -> String {
    if file.is_empty() { dir.to_owned() } else { format!("{}/{file}", dir.trim_end_matches('/')) }
}

/// A path of Windows in the project or home directory that lies on a mounted drive: `C:/Users/me` is `/mnt/c/Users/me`.
fn from_drive(path: &str, places: &Places) -> Option<String> {
    let (drive, rest) = path.split_once(":/").filter(|(drive, _)| drive.len() == 1)?;
    let mounted = format!("/mnt/{}/{rest}", drive.to_ascii_lowercase());
    [&places.project, &places.home].into_iter().find_map(|dir| {
        // Case does not count there.
        let (head, rest) = mounted.split_at_checked(dir.len())?;
        let fits = head.eq_ignore_ascii_case(dir) && (rest.is_empty() || rest.starts_with('/'));
        fits.then(|| format!("{dir}{rest}"))
    })
}

/// What is known of other names, looked up once and only when it matters.
#[derive(Debug, Default)]
pub(super) struct Lies {
    project: std::cell::OnceCell<Vec<Name>>,
    home: std::cell::OnceCell<Vec<Name>>,
    others: std::cell::OnceCell<Vec<Name>>,
    client: std::cell::OnceCell<Option<Name>>,
    linked: std::cell::OnceCell<Vec<Name>>,
}
