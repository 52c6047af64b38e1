//! Paths: where one leads, and what kind of place that is.

use crate::resolve::value::{ANY, HOLE, SET, STAR, is_marker};

/// Where the call happens. Paths are absolute, without a trailing separator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The person's home folder.
    pub home: String,
    /// The project's folder.
    pub project: String,
    /// The working directory of the call.
    pub cwd: String,
}

/// What kind of place a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// `/` or all in it.
    Root,
    /// A folder of the operating system, or something in one.
    System,
    /// Something in a folder that the machine serves files from: `/srv`, `/var/www`. Work is put there; what is removed there is gone.
    Served,
    /// What the system needs to start, to run programs and to know its users.
    Vital,
    /// A home folder, all in it, or the folder of all homes.
    Home,
    /// Settings and keys in the home folder: `~/.ssh`, `~/.config`, …
    HomeDot,
    /// The project's own folder, or all in it.
    Project,
    /// A folder that holds the project, or in which the session stands.
    Above,
    /// Git's own files, or the folder of a repository's `.git`.
    Git,
    /// Something in the project.
    Inside,
    /// A cache that programs rebuild by themselves.
    Cache,
    /// Something in a folder for temporary files.
    Temp,
    /// The folder for temporary files itself.
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
    /// All in a folder that is not known: the root, if the variable is empty.
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
            Self::Served => "served",
            Self::Vital => "vital",
            Self::Home => "home",
            Self::HomeDot => "home-settings",
            Self::Project => "project",
            Self::Above => "above-project",
            Self::Git => "git-data",
            Self::Inside => "inside-project",
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
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/private/etc",
    "/private/var",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/srv",
    "/sys",
    "/usr",
    "/var",
    "/System",
    "/Library",
    "/Applications",
    "/Volumes",
    "/snap",
    "/nix",
    "c:/windows",
    "c:/program files",
    "c:/programdata",
    "/mnt/c/windows",
];

const SERVED: &[&str] = &["/srv", "/var/www"];

const VITAL: &[&str] = &[
    "/bin",
    "/boot",
    "/lib",
    "/lib32",
    "/lib64",
    "/sbin",
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/System",
    "/etc/passwd",
    "/etc/shadow",
    "/etc/group",
    "/etc/gshadow",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/fstab",
    "/etc/pam.d",
    "/etc/ssh",
    "/etc/ld.so.preload",
    "/etc/ld.so.conf",
    "/etc/init.d",
    "/etc/systemd",
    "/etc/profile",
    "/etc/crontab",
    "/etc/cron.d",
    "/etc/cron.hourly",
    "/etc/cron.daily",
    "/etc/cron.weekly",
    "/etc/cron.monthly",
    "/etc/profile.d",
    "/etc/rc.local",
    "/etc/environment",
    "/etc/bash.bashrc",
    "/etc/zsh",
    "/etc/zshrc",
    "/etc/master.passwd",
    "c:/windows",
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

/// Folders of homes: a folder right below one is somebody's home.
const HOMES: &[&str] = &["/home", "/Users", "c:/users"];

impl Places {
    /// The absolute form of `path` seen from `cwd`, without `.` and `..`. `None` if `cwd` would be needed and is not known.
    pub fn absolute(path: &str, cwd: Option<&str>) -> Option<String> {
        Some(tidy(&Self::joined(path, cwd)?))
    }

    /// `path` seen from `cwd`, with all its `.` and `..`, as the kernel takes it.
    pub(crate) fn joined(path: &str, cwd: Option<&str>) -> Option<String> {
        let slashed =
            if path.contains('\\') && !path.contains('/') { path.replace('\\', "/") } else { path.to_owned() };
        let rooted = slashed.starts_with('/') || has_drive(&slashed) || slashed.starts_with(HOLE);
        if rooted { Some(slashed) } else { Some(format!("{}/{slashed}", cwd?)) }
    }

    /// Whether the absolute path is one of the system's own folders, as a whole.
    pub(crate) fn is_system_folder(path: &str) -> bool {
        SYSTEM.contains(&path.trim_end_matches('/'))
    }

    /// What kind of place `path` is; it is absolute and tidy.
    pub fn place(&self, path: &str) -> Place {
        if path.starts_with(is_unknown) {
            let rest = path.trim_start_matches(is_unknown);
            // If nothing stands there, it is the root, however far one climbs from it. Several variables may all be empty.
            let all = rest.starts_with('/')
                && !rest.ends_with(is_unknown)
                && rest.split('/').all(|part| {
                    matches!(part, "" | "." | "..") || part.chars().eq([STAR]) || part.chars().all(is_unknown)
                });
            return if all { Place::UnknownAll } else { Place::Unknown };
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
        let in_project = below(whole, &self.project).is_some();
        // A home or a project among temporary files is what it is.
        let ours = in_project || whole == self.project || whole == self.home || below(whole, &self.home).is_some();
        if !ours && TEMP.iter().any(|temp| below(whole, temp).is_some()) {
            return if below(&self.project, whole).is_some() { Place::Above } else { Place::Temp };
        }
        if whole == self.home
            || HOMES.iter().any(|homes| lower == *homes || is_child(whole, homes) || is_child(&lower, homes))
        {
            return if whole == self.project { Place::Project } else { Place::Home };
        }
        if whole == self.project {
            return Place::Project;
        }
        // The folder that the session stands in, or one above it: without it every later command fails.
        if !all && in_project && (whole == self.cwd || below(&self.cwd, whole).is_some()) {
            return Place::Above;
        }
        if let Some(rest) = in_git(path)
            && !is_for_people(rest)
        {
            return Place::Git;
        }
        if in_project {
            return Place::Inside;
        }
        if below(&self.project, whole).is_some() {
            return if SYSTEM.contains(&whole) { Place::System } else { Place::Above };
        }
        if let Some(rest) = below(whole, &self.home) {
            let dot = rest.starts_with('.') || rest == "Library" || below(rest, "Library").is_some();
            if CACHES.iter().any(|cache| rest == *cache || below(rest, cache).is_some())
                || dot && rest.split('/').any(is_cache_name)
            {
                return Place::Cache;
            }
            return if dot { Place::HomeDot } else { Place::Outside };
        }
        if SYSTEM_CACHES.iter().any(|cache| whole == *cache || below(whole, cache).is_some()) {
            return Place::Cache;
        }
        let lies_in = |folders: &[&str]| {
            folders.iter().any(|folder| {
                lower == *folder
                    || whole == *folder
                    || below(&lower, folder).is_some()
                    || below(whole, folder).is_some()
            })
        };
        if lies_in(VITAL) {
            return Place::Vital;
        }
        if SERVED.iter().any(|folder| below(whole, folder).is_some()) {
            return Place::Served;
        }
        if lies_in(SYSTEM) {
            return Place::System;
        }
        if let Some(found) = path.find(is_unknown) {
            // `/␀…`: whatever it is, it lies at the top.
            let top = found <= 1 && whole.chars().skip(1).all(|c| is_unknown(c) || c == STAR);
            return match found {
                _ if top => Place::UnknownTop,
                0 | 1 => Place::Unknown,
                _ => Place::Outside,
            };
        }
        Place::Outside
    }
}

/// Strips a last component that stands for all of a folder; tells whether there was one.
fn whole_of(path: &str) -> (&str, bool) {
    let mut rest = path.trim_end_matches('/');
    let mut all = false;
    while let Some((before, last)) = rest.rsplit_once('/') {
        let everything = !last.is_empty()
            && last.chars().all(|c| c == STAR || c == '.' || c == ANY || c == SET)
            && last.contains([STAR, ANY, SET]);
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

/// What remains of `path` below `folder`.
pub(crate) fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).filter(|rest| !rest.is_empty())
}

fn is_child(path: &str, folder: &str) -> bool {
    below(path, folder).is_some_and(|rest| !rest.contains('/'))
}

fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic())
}

fn is_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

/// A marker for text that is not known, of whatever origin.
pub(crate) fn is_unknown(c: char) -> bool {
    is_marker(c) && !matches!(c, STAR | ANY | SET)
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
