//! Paths: where one leads, and what kind of place that is.

use std::borrow::Cow;

use crate::layout::Layout;
use crate::resolve::taint::{GLOB_ANY, GLOB_SET, GLOB_STAR, NOT_EMPTY, UNKNOWN, is_placeholder};

/// Where the call happens. Paths are absolute, without a trailing separator. What is not known is told to [`Places::new`], which puts a
/// name there that stands for it; a text that is empty or relative counts as not known.
#[derive(Debug, Clone)]
pub struct Places {
    /// The user's home directory.
    pub home: String,
    /// The project's directory.
    pub project: String,
    /// The working directory of the call.
    pub cwd: String,
    /// What no command may change.
    pub layout: &'static Layout,
}

/// What kind of place a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Place {
    /// `/` or all in it.
    Root,
    /// A directory of the operating system, or something in one.
    System,
    /// Something in a directory that the machine serves files from: `/srv`, `/var/www`. Work is put there; what is removed there is gone.
    WebRoot,
    /// What the system needs to start, to run programs and to know its users.
    Critical,
    /// A home directory, all in it, or the directory of all homes.
    Home,
    /// Settings and keys in the home directory: `~/.ssh`, `~/.config`, …
    Dotfiles,
    /// The project's own directory, or all in it.
    Project,
    /// A directory that holds the project, or in which the session stands.
    ProjectParent,
    /// Git's own files, or the directory of a repository's `.git`.
    Git,
    /// Something in the project.
    InProject,
    /// What the user lets the session work on beside a project: a directory that was added to it as a whole, another working tree of the
    /// repository as a whole, what lies openly in a home directory in which the session was started.
    Given,
    /// A cache that programs rebuild by themselves.
    Cache,
    /// Something in a directory for temporary files.
    Temp,
    /// The directory for temporary files itself.
    TempRoot,
    /// A disk or another device that holds data.
    Device,
    /// `/dev/null`, a terminal, a descriptor, the log of the kernel.
    Sink,
    /// A network connection that the shell opens (`/dev/tcp/…`).
    Net,
    /// Data of a container: in a volume, or in one that lives on.
    Volume,
    /// In a container, and gone with it.
    Container,
    /// Somewhere else.
    Outside,
    /// It depends on what is not known.
    Unknown,
    /// All in a directory that is not known, or one in it that is called like a directory of the system: the root, or that directory, if the
    /// variable is empty.
    UnknownAll,
    /// Right below the root, by a name that is not known: the root itself, if the variable is empty.
    UnknownTop,
}

impl Place {
    /// The name used in explanations.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::System => "system",
            Self::WebRoot => "served",
            Self::Critical => "vital",
            Self::Home => "home",
            Self::Dotfiles => "home-settings",
            Self::Project => "project",
            Self::ProjectParent => "above-project",
            Self::Git => "git-data",
            Self::InProject => "inside-project",
            Self::Given => "given",
            Self::Cache => "cache",
            Self::Temp => "temporary",
            Self::TempRoot => "temporary-folder",
            Self::Device => "device",
            Self::Sink => "sink",
            Self::Net => "network",
            Self::Volume => "volume",
            Self::Container => "container",
            Self::Outside => "outside-project",
            Self::Unknown => "unknown",
            Self::UnknownAll => "unknown-all",
            Self::UnknownTop => "unknown-top",
        }
    }
}

const SYSTEM: &[&str] = &[
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/private/etc", "/private/var",
    "/proc", "/root", "/run", "/sbin", "/srv", "/sys", "/usr", "/var", "/System", "/Library", "/Applications",
    "/Volumes", "/snap", "/nix", "c:/windows", "c:/program files", "c:/programdata", "/mnt/c/windows",
];

const SERVED: &[&str] = &["/srv", "/var/www"];

const VITAL: &[&str] = &[
    "/bin", "/boot", "/lib", "/lib32", "/lib64", "/sbin", "/usr/bin", "/usr/sbin", "/usr/lib", "/System",
    "/etc/passwd", "/etc/shadow", "/etc/group", "/etc/gshadow", "/etc/sudoers", "/etc/sudoers.d", "/etc/fstab",
    "/etc/pam.d", "/etc/ssh", "/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/init.d", "/etc/systemd", "/etc/profile",
    "/etc/crontab", "/etc/cron.d", "/etc/cron.hourly", "/etc/cron.daily", "/etc/cron.weekly", "/etc/cron.monthly",
    "/etc/profile.d", "/etc/rc.local", "/etc/environment", "/etc/bash.bashrc", "/etc/zsh", "/etc/zshrc",
    "/etc/master.passwd", "c:/windows",
];

const TEMP: &[&str] =
    &["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders", "/dev/shm"];

const CACHES: &[&str] = &[
    ".cache",
    ".npm/_cacache",
    ".cargo/registry",
    ".cargo/git",
    ".gradle/caches",
    ".m2/repository",
    ".nuget/packages",
    ".pnpm-store",
    ".yarn/cache",
    ".bun/install/cache",
    "Library/Caches",
    "go/pkg",
    ".rustup/downloads",
    ".rustup/tmp",
    ".ccache",
    ".local/share/Trash",
    ".npm/_npx",
    ".npm/_logs",
    ".local/share/pnpm/store",
    "Library/pnpm/store",
    "Library/Logs",
    "Library/Developer/Xcode/DerivedData",
    "Library/Developer/Xcode/iOS DeviceSupport",
    ".sbt/boot",
    ".gradle/daemon",
    ".gradle/wrapper/dists",
    ".node-gyp",
    ".electron-gyp",
    ".cocoapods/repos",
    ".hex/packages",
    ".cabal/packages",
    ".nv/ComputeCache",
    ".turbo",
];

/// Caches of the system's package managers.
const SYSTEM_CACHES: &[&str] = &["/var/cache", "/var/lib/apt/lists", "/var/lib/dnf/cache"];

/// Whether a component of a path says that what lies there is a cache.
fn is_cache_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    matches!(lower.as_str(), "cache" | "caches" | "_cacache")
        || ["-cache", "_cache", ".cache"].iter().any(|end| lower.ends_with(end))
}

/// Directories of homes: a directory right below one is somebody's home.
const HOMES: &[&str] = &["/home", "/Users", "c:/users"];

/// Whether a path is one of the system's directories, or all in one, if nothing stands in front of it: `/lib`, `/usr/bin/*`.
fn names_system(rest: &str) -> bool {
    let (dir, _) = whole_of(rest);
    let in_larger = |dir: &str| ["/usr", "/var"].iter().any(|larger| is_child(dir, larger));
    SYSTEM.contains(&dir) || HOMES.contains(&dir) || in_larger(dir)
}

/// Stands for a home directory that is not known: a home like any other, so that `~` and `$HOME` still mean one.
const UNKNOWN_HOME: &str = "/home/unknown";

/// Stands for a project that is not known, with no working directory to go by.
const UNKNOWN_PROJECT: &str = "/unknown/project";

/// Directories that desktops and services make in a home directory for the user's own things.
const PERSONAL: &[&str] = &[
    "Desktop", "Documents", "Downloads", "Dropbox", "Google Drive", "Movies", "Music", "OneDrive", "Pictures",
    "Public", "Sync", "Templates", "Videos", "iCloud Drive", "snap",
];

/// Directories that builds and package managers fill, and fill again.
const REBUILT: &[&str] = &[
    "__pycache__", "bin", "build", "coverage", "dist", "node_modules", "obj", "out", "target", "tmp", "vendor", "venv",
];

/// What a path names by the process that opens it, and what stands behind that.
enum Named {
    WorkingDir(String),
    Root(String),
}

/// A path through `/proc/self`, which the system follows for whoever opens it: the program that will, not the one that judges.
fn by_process(path: &str) -> Option<Named> {
    let mut at: Vec<&str> = Vec::new();
    let mut parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
    while let Some(part) = parts.next() {
        match (part, at.as_slice()) {
            // The directory of open files lies beside the working directory.
            ("..", ["dev", "fd"]) => at = vec!["proc", "self"],
            ("..", _) => drop(at.pop()),
            _ => at.push(part),
        }
        let named = match at.as_slice() {
            ["proc", "self" | "thread-self", named] | ["proc", "self", "task", _, named] => *named,
            _ => continue,
        };
        let rest = |parts: &mut dyn Iterator<Item = &str>| parts.collect::<Vec<_>>().join("/");
        match named {
            "cwd" => return Some(Named::WorkingDir(rest(&mut parts))),
            "root" => return Some(Named::Root(rest(&mut parts))),
            _ => {}
        }
    }
    None
}

impl Places {
    /// The places of a call. What is missing, empty or relative is not known: an unknown home is a home all the same, and so is every
    /// directory that may be one. The working directory stands for an unknown project, and the project for an unknown working directory;
    /// without either, relative paths lie inside of a project.
    pub fn new(home: Option<&str>, project: Option<&str>, cwd: Option<&str>) -> Self {
        let project = project.and_then(plain);
        let cwd = cwd.and_then(plain);
        let project = project.or_else(|| cwd.clone()).unwrap_or_else(|| UNKNOWN_PROJECT.to_owned());
        Self {
            home: home.and_then(plain).unwrap_or_else(|| UNKNOWN_HOME.to_owned()),
            cwd: cwd.unwrap_or_else(|| project.clone()),
            project,
            layout: &Layout::NONE,
        }
    }

    /// The same with what no command may change.
    #[must_use]
    pub fn with_layout(self, layout: &'static Layout) -> Self {
        Self { layout, ..self }
    }

    /// The same with names for what is not known, whoever made it.
    pub fn checked(&self) -> Cow<'_, Self> {
        let is_plain = |path: &str| {
            path == "/" || (path.starts_with('/') || has_drive(path)) && !path.ends_with('/') && !path.contains('\\')
        };
        if [&self.home, &self.project, &self.cwd].iter().all(|path| is_plain(path)) {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self::new(Some(&self.home), Some(&self.project), Some(&self.cwd)).with_layout(self.layout))
    }

    /// Whether nobody knows where the project lies.
    pub fn is_project_unknown(&self) -> bool {
        self.project == UNKNOWN_PROJECT
    }

    /// Whether a path may be the project's directory, which is not known: whoever climbs out of it can name it.
    pub fn may_be_project(&self, path: &str) -> bool {
        self.is_project_unknown() && UNKNOWN_PROJECT.rsplit_once('/').is_some_and(|(above, _)| is_child(path, above))
    }

    /// Whether the home directory is not known.
    pub fn is_home_unknown(&self) -> bool {
        self.home == UNKNOWN_HOME
    }

    /// What remains of a path below the home directory; below any directory that may be one, where it is not known.
    pub fn in_home<'p>(&self, path: &'p str) -> Option<&'p str> {
        if self.home == "/" {
            // Where the root is somebody's home, what lies openly there is the system's.
            return path.strip_prefix('/').filter(|rest| rest.starts_with('.'));
        }
        below(path, &self.home).or_else(|| if self.home == UNKNOWN_HOME { in_other_home(path) } else { None })
    }

    /// Whether a path lies in the project, and not in a home directory that the project holds: there the rules for homes count.
    pub fn in_project(&self, path: &str) -> bool {
        below(path, &self.project).is_some() && !HOMES.contains(&self.project.as_str()) && {
            let holds_home = self.project == self.home || below(&self.home, &self.project).is_some();
            !(holds_home && self.in_home(path).is_some())
        }
    }

    /// What remains of a path below the project, also where that is the root.
    pub fn below_project<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.project.as_str() {
            "/" => path.strip_prefix('/').filter(|rest| !rest.is_empty()),
            project => below(path, project),
        }
    }

    /// The absolute form of `path` seen from `cwd`, without `.` and `..`. `None` if `cwd` would be needed and is not known.
    pub fn absolute(path: &str, cwd: Option<&str>) -> Option<String> {
        Some(tidy(&Self::joined(path, cwd)?))
    }

    /// `path` seen from `cwd`, with all its `.` and `..`, as the kernel takes it.
    pub fn joined(path: &str, cwd: Option<&str>) -> Option<String> {
        let slashed =
            if path.contains('\\') && !path.contains('/') { path.replace('\\', "/") } else { path.to_owned() };
        if slashed.starts_with("/proc/") || slashed.starts_with("/dev/") {
            match by_process(&slashed) {
                Some(Named::WorkingDir(rest)) => return Some(format!("{}/{rest}", cwd?)),
                Some(Named::Root(rest)) => return Some(format!("/{rest}")),
                None => {}
            }
        }
        let rooted = slashed.starts_with('/') || has_drive(&slashed) || slashed.starts_with(UNKNOWN);
        if rooted { Some(slashed) } else { Some(format!("{}/{slashed}", cwd?)) }
    }

    /// Whether the absolute path is one of the system's own directories, as a whole.
    pub fn is_system_dir(path: &str) -> bool {
        SYSTEM.contains(&path.trim_end_matches('/'))
    }

    /// Whether what lies in the absolute path is the system's, or what a machine serves: `/etc`, `/var/lib`, `/srv`.
    pub fn holds_system(path: &str) -> bool {
        names_system(path) || SERVED.contains(&path)
    }

    /// Whether the absolute path lies in a directory of the system.
    pub fn lies_in_system(path: &str) -> bool {
        SYSTEM.iter().any(|dir| path == *dir || below(path, dir).is_some())
    }

    /// Whether the absolute path lies among temporary files.
    pub fn lies_in_temp(path: &str) -> bool {
        TEMP.iter().any(|dir| below(path, dir).is_some())
    }

    /// What kind of place something in the home directory is, and not in the project, by what remains of its path there.
    fn place_in_home(&self, rest: &str) -> Place {
        let dot = rest.starts_with('.') || rest == "Library" || below(rest, "Library").is_some();
        if CACHES.iter().any(|cache| rest == *cache || below(rest, cache).is_some())
            || dot && rest.split('/').any(is_cache_name)
        {
            return Place::Cache;
        }
        match rest.split('/').next() {
            _ if dot => Place::Dotfiles,
            // A session that was started in the home directory has no other project, so that some of it is what it works on.
            Some(first) if self.project == self.home && !PERSONAL.contains(&first) => {
                if rest.split('/').any(|part| REBUILT.contains(&part)) { Place::InProject } else { Place::Given }
            }
            _ => Place::Outside,
        }
    }

    /// What kind of place `path` is; it is absolute and tidy.
    pub fn place(&self, path: &str) -> Place {
        if path.starts_with(is_unknown) {
            let rest = path.trim_start_matches(is_unknown);
            if path.strip_suffix(rest).is_some_and(|before| before.contains(NOT_EMPTY)) {
                return Place::Unknown;
            }
            // If nothing stands there, it is the root, however far one climbs from it. Several variables may all be empty.
            let all = rest.starts_with('/')
                && !rest.ends_with(is_unknown)
                && rest.split('/').all(|part| {
                    matches!(part, "" | "." | "..") || part.chars().eq([GLOB_STAR]) || part.chars().all(is_unknown)
                });
            return if all || names_system(rest) { Place::UnknownAll } else { Place::Unknown };
        }
        if path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/") {
            return Place::Net;
        }
        let (whole, all) = whole_of(path);
        if whole.is_empty() || is_drive(whole) {
            return Place::Root;
        }
        if TEMP.contains(&whole) {
            return if all || whole.ends_with("folders") || path == whole { Place::TempRoot } else { Place::Temp };
        }
        if let Some(place) = device(whole) {
            return place;
        }
        let lower = whole.to_ascii_lowercase();
        let in_project = self.in_project(whole);
        let home_rest = self.in_home(whole);
        // A home or a project among temporary files is what it is.
        let ours = in_project || whole == self.project || whole == self.home || home_rest.is_some();
        if !ours && TEMP.iter().any(|temp| below(whole, temp).is_some()) {
            return if below(&self.project, whole).is_some() { Place::ProjectParent } else { Place::Temp };
        }
        if whole == self.home
            || HOMES.iter().any(|homes| lower == *homes || is_child(whole, homes) || is_child(&lower, homes))
        {
            return if whole == self.project && whole != self.home { Place::Project } else { Place::Home };
        }
        if whole == "/root" && self.home == UNKNOWN_HOME && whole != self.project {
            return Place::Home;
        }
        if whole == self.project {
            return Place::Project;
        }
        if self.may_be_project(whole) {
            return Place::Project;
        }
        // The directory that the session stands in, or one above it: without it every later command fails.
        if !all && below(whole, &self.project).is_some() && (whole == self.cwd || below(&self.cwd, whole).is_some()) {
            return Place::ProjectParent;
        }
        if let Some(rest) = in_git(path)
            && !is_for_people(rest)
        {
            return Place::Git;
        }
        let lies_in = |dirs: &[&str]| {
            dirs.iter().any(|dir| {
                lower == *dir || whole == *dir || below(&lower, dir).is_some() || below(whole, dir).is_some()
            })
        };
        if in_project {
            // A session that was started in a directory of the system has that for its project, and the system needs it all the same.
            let vital = SYSTEM.contains(&self.project.as_str()) && lies_in(VITAL);
            return match below(whole, &self.project) {
                _ if vital => Place::Critical,
                Some(rest) if is_working_tree(rest, self.layout) => Place::Given,
                _ => Place::InProject,
            };
        }
        if below(&self.project, whole).is_some() {
            return if SYSTEM.contains(&whole) { Place::System } else { Place::ProjectParent };
        }
        if let Some(rest) = home_rest {
            return self.place_in_home(rest);
        }
        if SYSTEM_CACHES.iter().any(|cache| whole == *cache || below(whole, cache).is_some()) {
            return Place::Cache;
        }
        if lies_in(VITAL) {
            return Place::Critical;
        }
        if SERVED.iter().any(|dir| below(whole, dir).is_some()) {
            return Place::WebRoot;
        }
        if lies_in(SYSTEM) {
            return Place::System;
        }
        if let Some(found) = path.find(is_unknown) {
            // `/␀…`: whatever it is, it lies at the top.
            let top = found <= 1 && whole.chars().skip(1).all(|c| is_unknown(c) || c == GLOB_STAR);
            return match found {
                _ if top => Place::UnknownTop,
                0 | 1 => Place::Unknown,
                _ => Place::Outside,
            };
        }
        Place::Outside
    }
}

/// Whether a directory of the project is another working tree, or holds them, by the names that agents and people give those.
fn is_working_tree(rest: &str, layout: &Layout) -> bool {
    [".worktrees"].iter().chain(layout.worktrees).any(|trees| rest == *trees || is_child(rest, trees))
}

/// Strips a last component that stands for all of a directory; tells whether there was one.
fn whole_of(path: &str) -> (&str, bool) {
    let mut rest = path.trim_end_matches('/');
    let mut all = false;
    while let Some((before, last)) = rest.rsplit_once('/') {
        let everything = !last.is_empty()
            && last.chars().all(|c| c == GLOB_STAR || c == '.' || c == GLOB_ANY || c == GLOB_SET)
            && last.contains([GLOB_STAR, GLOB_ANY, GLOB_SET]);
        if !everything {
            break;
        }
        rest = before;
        all = true;
    }
    (rest, all)
}

/// What follows a component `.git`.
fn in_git(path: &str) -> Option<&str> {
    path.ends_with("/.git").then_some("").or_else(|| path.split_once("/.git/").map(|(_, rest)| rest))
}

/// Files in `.git` that people and tools change by hand: hooks, excludes, left locks.
fn is_for_people(rest: &str) -> bool {
    rest.starts_with("hooks/")
        || rest.starts_with("info/")
        || rest == "config"
        || rest == "description"
        || rest.ends_with("_MSG")
        || rest.ends_with("_EDITMSG")
        || rest.rsplit('.').next() == Some("lock")
}

fn device(path: &str) -> Option<Place> {
    let name = path.strip_prefix("/dev/")?;
    let sink = matches!(
        name,
        "null"
            | "zero"
            | "full"
            | "random"
            | "urandom"
            | "tty"
            | "stdin"
            | "stdout"
            | "stderr"
            | "ptmx"
            | "console"
            | "kmsg"
            | "log"
    ) || name.starts_with("fd/")
        || name.starts_with("pts/")
        || name.starts_with("tty");
    if name.starts_with("shm/") {
        return None;
    }
    Some(if sink { Place::Sink } else { Place::Device })
}

/// A directory as the rules write it; `None` if it says nothing, or depends on where one stands.
fn plain(dir: &str) -> Option<String> {
    let slashed = if matches!(dir.as_bytes(), [_, b':', b'\\', ..]) { dir.replace('\\', "/") } else { dir.to_owned() };
    if !slashed.starts_with('/') && !has_drive(&slashed) {
        return None;
    }
    Some(match slashed.trim_end_matches('/') {
        "" => "/".to_owned(),
        path => path.to_owned(),
    })
}

/// What follows the home directory of any user, by the usual places of such directories.
pub fn in_other_home(path: &str) -> Option<&str> {
    path.strip_prefix("/root/").or_else(|| {
        let below_homes = path.strip_prefix("/home/").or_else(|| path.strip_prefix("/Users/"))?;
        below_homes.split_once('/').map(|(_, rest)| rest)
    })
}

/// What remains of `path` below `dir`. Nothing lies below a directory without a name.
pub fn below<'p>(path: &'p str, dir: &str) -> Option<&'p str> {
    if dir.is_empty() {
        return None;
    }
    path.strip_prefix(dir).and_then(|rest| rest.strip_prefix('/')).filter(|rest| !rest.is_empty())
}

fn is_child(path: &str, dir: &str) -> bool {
    below(path, dir).is_some_and(|rest| !rest.contains('/'))
}

fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic())
}

fn is_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

/// A marker for text that is not known, of whatever origin.
pub fn is_unknown(c: char) -> bool {
    is_placeholder(c) && !matches!(c, GLOB_STAR | GLOB_ANY | GLOB_SET)
}

/// Resolves `.`, `..` and double separators by the text alone.
fn tidy(path: &str) -> String {
    let drive = if has_drive(path) { path.get(..2).unwrap_or_default() } else { "" };
    let rest = path.get(drive.len()..).unwrap_or_default();
    let rooted = rest.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(last) if *last != ".." && !last.contains(is_unknown) => {
                    parts.pop();
                }
                // What stands above an unknown name is unknown as well.
                Some(_) => parts.push(".."),
                None => {}
            },
            part => parts.push(part),
        }
    }
    let mut out = String::with_capacity(path.len());
    out.push_str(drive);
    if rooted || parts.is_empty() {
        out.push('/');
    }
    out.push_str(&parts.join("/"));
    // A trailing separator after an unknown name matters: `$X/` is the root if the variable is empty.
    if rest.ends_with('/') && parts.len() == 1 && parts.first().is_some_and(|part| part.chars().all(is_unknown)) {
        out.push('/');
    }
    out
}
