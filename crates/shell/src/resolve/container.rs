//! Containers: what of the paths in one is the user's own, because it is mounted there, and what goes with the container.

use crate::programs::{Invocation, Tool};
use std::rc::Rc;

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::secret::is_secret;
use super::taint::is_literal;
use crate::options::Options;
use crate::path::{Place, Places, below};

/// What is mounted at a place of the container.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    /// A directory or file of this machine, by its absolute path.
    Here(String),
    /// A volume, or a path that is not known.
    Volume,
}

/// A container whose commands are followed.
#[derive(Debug, Clone, Default)]
pub(super) struct Container {
    mounts: Vec<(String, Source)>,
    /// It was there before, with data of its own.
    kept: bool,
    /// It gets a file of settings, or secrets by their names, as variables.
    pub(super) given: bool,
    /// Devices of this machine that it gets; with an empty name, all of them.
    devices: Vec<String>,
}

/// Directories of a container that lives on in which data lie.
const DATA: &[&str] = &[
    "/data", "/srv", "/mnt", "/media", "/backup", "/backups", "/home", "/root", "/var/lib", "/var/www", "/opt",
    "/volumes",
];

/// Directories from which images of web servers serve all files.
const SERVED: &[&str] = &["/usr/share/nginx/", "/usr/share/caddy", "/usr/local/apache2/htdocs", "/var/www", "/public"];

/// Whether `NAME=value`, or a name whose value comes from here, is a secret.
fn is_secret_setting(setting: &str) -> bool {
    super::secret::is_secret_name(setting.split('=').next().unwrap_or(setting))
}

impl Container {
    /// The container that a command of these options starts or enters.
    pub(super) fn of(options: &Options<'_>, kept: bool, cwd: Option<&str>, home: &str) -> Self {
        let here = |path: &str| {
            let path = path.strip_prefix('~').map_or_else(|| path.to_owned(), |rest| format!("{home}{rest}"));
            let local = path.starts_with(['/', '.']) && is_literal(&path);
            match Places::absolute(&path, cwd) {
                Some(path) if local => Source::Here(path),
                _ => Source::Volume,
            }
        };
        let mut mounts = Vec::new();
        for value in options.values(&["-v", "--volume"]) {
            let mut parts = value.split(':');
            if let (Some(from), Some(to)) = (parts.next(), parts.next()) {
                mounts.push((to.to_owned(), here(from)));
            }
        }
        for value in options.values(&["--mount"]) {
            let part = |names: &[&str]| {
                value
                    .split(',')
                    .filter_map(|part| part.split_once('='))
                    .find(|(name, _)| names.contains(name))
                    .map(|(_, value)| value)
            };
            if let Some(to) = part(&["target", "destination", "dst"]) {
                let from = part(&["source", "src"]).map_or(Source::Volume, here);
                mounts.push((to.to_owned(), from));
            }
        }
        for mount in &mut mounts {
            mount.0 = Places::absolute(&mount.0, Some("/")).unwrap_or_default();
        }
        let mut devices: Vec<String> =
            options.values(&["--device"]).filter_map(|device| device.split(':').next()).map(str::to_owned).collect();
        if options.has(&["--privileged"]) {
            devices.push(String::new());
        }
        // What another container keeps is there as well.
        let kept = kept || options.has(&["--volumes-from"]);
        let mut set = options.values(&["-e", "--env"]);
        let given = options.has(&["--env-file"]) || set.any(is_secret_setting);
        Self { mounts, kept, given, devices }
    }

    /// Whether it was there before, and stays.
    pub(super) const fn is_kept(&self) -> bool {
        self.kept
    }

    /// What an absolute path in the container is, and where on this machine it lies if it lies there.
    pub(super) fn find(&self, path: &str, places: &Places) -> (Place, Option<String>) {
        if path.starts_with("/dev/") && self.devices.iter().any(|device| path.starts_with(device.as_str())) {
            return (places.place(path), Some(path.to_owned()));
        }
        let over = self
            .mounts
            .iter()
            .filter(|(to, _)| path == to || to == "/" || below(path, to).is_some())
            .max_by_key(|(to, _)| to.len());
        // A directory above a mount takes it along.
        let dir = path.trim_end_matches(['/', super::taint::GLOB_STAR]);
        let under = || self.mounts.iter().find(|(to, _)| below(to, dir).is_some());
        match over.or_else(under) {
            Some((to, Source::Here(from))) => {
                let rest = if to == "/" { path } else { path.strip_prefix(to.as_str()).unwrap_or_default() };
                let real = format!("{}{rest}", from.trim_end_matches('/'));
                let real = if real.is_empty() { "/".to_owned() } else { real };
                return (places.place(&real), Some(real));
            }
            Some((_, Source::Volume)) => return (Place::Volume, None),
            None => {}
        }
        if !self.kept {
            return (Place::Container, None);
        }
        match places.place(path) {
            place @ (Place::Root | Place::UnknownAll | Place::UnknownTop) => (place, None),
            place if DATABASES.iter().any(|data| path == *data || below(path, data).is_some()) => (place, None),
            Place::Cache | Place::Temp | Place::TempRoot => (Place::Container, None),
            _ if DATA.iter().any(|data| path == *data || below(path, data).is_some()) => (Place::Volume, None),
            _ => (Place::Container, None),
        }
    }
}

/// Whether a device holds files, or all memory.
fn is_disk(device: &str) -> bool {
    const NAMES: &[&str] = &["sd", "hd", "vd", "xvd", "nvme", "mmcblk", "dm-", "md", "mapper/", "disk", "mem", "kmem"];
    device.strip_prefix("/dev/").is_some_and(|name| NAMES.iter().any(|known| name.starts_with(known)))
}

/// Where servers of databases keep what they are there for.
const DATABASES: &[&str] = &[
    "/var/lib/mysql", "/var/lib/postgresql", "/var/lib/mongodb", "/var/lib/redis", "/var/lib/elasticsearch",
    "/var/lib/influxdb", "/var/lib/rabbitmq", "/var/lib/clickhouse", "/var/lib/cassandra",
];

impl Interp<'_> {
    /// Whether a path lies in a container, and is nothing that is mounted there.
    pub(super) fn is_contained_path(&self, path: &str) -> bool {
        let Some(container) = &self.state.container else { return false };
        self.absolute(path).is_none_or(|path| container.find(&path, self.places).1.is_none())
    }

    /// `docker cp`, `kubectl cp`: a secret that goes into a container, or comes out of one.
    pub(super) fn container_copy(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        let mut words = options.operands.as_slice();
        if let ["compose" | "container", rest @ ..] = words {
            words = rest;
        }
        let ["cp", sources @ .., target] = words else { return };
        // A drive of Windows is no container.
        let inside = |path: &str| path.split_once(':').filter(|(of, _)| of.len() > 1).map(|(_, path)| path.to_owned());
        for source in sources {
            match (inside(source), inside(target)) {
                (None, Some(_)) if matches!(of.program.tool, Tool::Kubectl) => self.sends_secret(source, call),
                (None, Some(_)) if self.is_secret_path(source) => {
                    self.act_at(Kind::SecretCopy, None, super::shown(source), call.span);
                }
                (Some(path), _) if self.is_secret_path(&path) || is_secret(&path, self.places) => {
                    let kind = if *target == "-" { Kind::SecretRead } else { Kind::SecretCopy };
                    self.act_at(kind, None, super::shown(&path), call.span);
                }
                _ => {}
            }
        }
    }

    /// Reports a container that gets all files of this machine.
    pub(super) fn mounts_all(&mut self, options: &Options<'_>, call: &Call) {
        // All files, or those by which the system is set up and started.
        let root = |path: &str| {
            const WHOLE: &[&str] = &["/", "/etc", "/boot", "/root", "/usr", "/bin", "/sbin", "/lib", "/lib64"];
            path.starts_with(['/', '.'])
                && Places::absolute(path, self.state.cwd()).is_some_and(|path| WHOLE.contains(&path.as_str()))
        };
        let whole = |value: &str| {
            let mut parts = value.split(':');
            let (from, modes) = (parts.next().unwrap_or_default(), parts.nth(1).unwrap_or_default());
            root(from) && !modes.split(',').any(|mode| mode == "ro")
        };
        let bound = |value: &str| {
            let from = value.split(',').filter_map(|part| part.split_once('='));
            from.into_iter().any(|(name, path)| matches!(name, "src" | "source") && root(path))
                && !value.split(',').any(|part| matches!(part, "readonly" | "ro" | "readonly=true" | "ro=true"))
        };
        // With its processes and all rights, its files are one step away.
        let enters = options.has(&["--privileged"]) && options.values(&["--pid"]).any(|of| of == "host");
        if enters || options.values(&["-v", "--volume"]).any(whole) || options.values(&["--mount"]).any(bound) {
            self.act_at(Kind::HostMount, None, "/".to_owned(), call.span);
        }
        self.serves_mounted(options, call);
        // A disk holds all files that lie on it.
        for device in options.values(&["--device"]).filter_map(|device| device.split(':').next()) {
            if is_disk(device) {
                self.act_at(Kind::HostMount, None, super::shown(device), call.span);
            }
        }
    }

    /// Reports secrets that are mounted where an image serves files from, if others reach its port: `-p 80:80 -v ~:/usr/share/nginx/html`.
    fn serves_mounted(&mut self, options: &Options<'_>, call: &Call) {
        let near = |port: &str| ["127.", "localhost:", "[::1]"].iter().any(|host| port.starts_with(host));
        let open = options.values(&["-p", "--publish"]).any(|port| !near(port))
            || options.has(&["-P", "--publish-all"])
            || options.values(&["--network", "--net"]).any(|network| network == "host");
        if !open {
            return;
        }
        let mounts = options.values(&["-v", "--volume"]).filter_map(|value| {
            let mut parts = value.split(':');
            Some((parts.next()?, parts.next()?))
        });
        for (dir, _) in mounts.filter(|(_, to)| SERVED.iter().any(|root| to.starts_with(root))) {
            self.sends_secret(dir, call);
        }
    }

    /// From here on commands run in a container that a wrapper starts or enters.
    pub(super) fn enter(&mut self, options: &Options<'_>, kept: bool) {
        let container = Container::of(options, kept, self.state.cwd(), &self.places.home);
        let cwd = options.value(&["-w", "--workdir"]).and_then(|dir| Places::absolute(dir, Some("/")));
        self.state.container = Some(Rc::new(container));
        self.state.cwds = Rc::new(vec![cwd]);
    }
}
