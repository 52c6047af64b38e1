//! Whether the guard is on, by what lies on the disk: the settings of every scope, the executables, the marks of the user's commands.

use std::path::{Path, PathBuf};

use chrono::DateTime;
use hook_policy::entry::{Loss, Standing};
use hook_protocol::event::{Body, Event};
use hook_protocol::settings::edit::{FoundEntry, HandlerView, command_words, find, runs_hookbin};
use hook_protocol::settings::{Effect, flag, inspect, plugins};
use serde::Serialize;

use crate::allowance;
use crate::config::settings::{MAX_SETTINGS_BYTES, find_executable, obstacle};
use crate::installation::started::Started;
use crate::installation::{self, Place, Record, Scope};
use crate::programs::launch::is_executable;
use crate::project::Project;
use crate::system::System;
use crate::system::open;

/// The largest mark, in bytes; it holds a time.
const MAX_MARK_BYTES: u64 = 256;

/// What the host puts in for its directory, as entries spell it.
const PROJECT_VARIABLES: [&str; 2] = ["${CLAUDE_PROJECT_DIR}", "$CLAUDE_PROJECT_DIR"];

/// What a shell puts in for the home directory.
const HOME_VARIABLES: [&str; 3] = ["${HOME}", "$HOME", "~"];

/// Whether the guard is on, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guard {
    /// It answers every call.
    Guarded,
    /// It answers, and the configuration has faults.
    ConfigFaulty,
    /// The user has paused it.
    Paused,
    /// The host starts no hooks.
    HooksOff,
    /// The entry stands, and what it starts is not there.
    ExecutableGone,
    /// It was installed, and the entry is gone or answers nothing.
    EntryGone,
    /// A client that starts in this directory reads other settings than those with the entry.
    NotCovered,
    /// Nothing of it is here.
    NotInstalled,
}

impl Guard {
    /// The word, as every command says it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Guarded => "guarded",
            Self::ConfigFaulty => "config faulty",
            Self::Paused => "paused",
            Self::HooksOff => "hooks off",
            Self::ExecutableGone => "executable gone",
            Self::EntryGone => "entry gone",
            Self::NotCovered => "not covered here",
            Self::NotInstalled => "not installed here",
        }
    }

    /// Whether nothing at all is answered.
    pub fn is_off(self) -> bool {
        !matches!(self, Self::Guarded | Self::ConfigFaulty)
    }
}

/// What answers the calls of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// The organisation's settings.
    Managed,
    /// The user's own settings of the project.
    Local,
    /// The shared settings of the project.
    Project,
    /// The user's settings for all projects.
    User,
    /// A plugin of the host.
    Plugin,
}

impl By {
    fn of(scope: Option<Scope>) -> Self {
        match scope {
            None => Self::Managed,
            Some(Scope::Local) => Self::Local,
            Some(Scope::Project) => Self::Project,
            Some(Scope::User) => Self::User,
        }
    }

    /// The scope's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Local => "local",
            Self::Project => "project",
            Self::User => "user",
            Self::Plugin => "plugin",
        }
    }
}

/// Whether the guard is on where a client would start, and why not.
#[derive(Debug, Clone, Serialize)]
pub struct Presence {
    /// The word.
    pub state: Guard,
    /// Which scope answers, where one does.
    pub scope: Option<By>,
    /// What is wrong, a clause; empty when nothing is.
    pub what: String,
    /// What mends it, a sentence; empty when nothing has to be mended.
    pub mend: String,
    /// How long a pause still lasts, in words.
    pub left: Option<String>,
}

impl Presence {
    /// Whether every call is guarded by all that is configured.
    pub fn is_guarded(&self) -> bool {
        self.state == Guard::Guarded
    }

    /// What a line of status begins with.
    pub fn head(&self) -> String {
        let word = self.state.word();
        match self.state {
            Guard::Guarded => "hookbin".to_owned(),
            Guard::ConfigFaulty => format!("hookbin ON, {word}"),
            _ => match &self.left {
                Some(left) => format!("hookbin OFF: {word}, {left} left"),
                None => format!("hookbin OFF: {word}"),
            },
        }
    }

    fn new(state: Guard, scope: Option<By>, what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { state, scope, what: what.into(), mend: mend.into(), left: None }
    }
}

/// Looks at a project, or without one at the user's own settings. `here` is the directory in which a client would start, where that
/// may be another than the project's. `fault` is what is wrong with the configuration.
pub fn look(project: Option<&Project>, here: Option<&Path>, fault: Option<&str>, system: &System) -> Presence {
    look_with(Path::new(system.host.settings.managed), project, here, fault, system)
}

/// The same with the organisation's settings in this file.
pub fn look_with(
    managed: &Path,
    project: Option<&Project>,
    here: Option<&Path>,
    fault: Option<&str>,
    system: &System,
) -> Presence {
    let root = project.map(Project::root);
    let files = Files::read(root, managed, system);
    let answering = files.answering();
    if let Some(off) = files.switched_off()
        && (answering.is_some() || files.was_installed())
    {
        return Presence::new(Guard::HooksOff, None, off.what, off.mend);
    }
    let Some((mut by, _)) = answering else {
        if let Some(file) = files.with_foreign() {
            return Presence::new(Guard::ExecutableGone, None, foreign(&files.name(&file)), INSTALL);
        }
        if let Some(file) = files.without_executable() {
            let what = format!("what the entry in {} starts is not there", files.name(&file));
            return Presence::new(Guard::ExecutableGone, None, what, DOCTOR);
        }
        if files.has_entry() || files.was_installed() {
            let Loss { what, mend } = files.loss(&files.held());
            return Presence::new(Guard::EntryGone, None, what, mend);
        }
        return match root.and_then(|root| installed_elsewhere(root, system)) {
            Some(main) => not_covered(root.unwrap_or(&main), &main),
            None => Presence::new(
                Guard::NotInstalled,
                None,
                "no settings file that counts here has an entry of hookbin",
                "`hookbin install` sets it up.",
            ),
        };
    };
    if by != By::Managed
        && let Some(pause) = project.and_then(|project| allowance::pause(project, system))
    {
        let left = allowance::left(pause.left(system));
        let what = format!("{left} left, until {}", pause.end());
        let paused = Presence::new(Guard::Paused, Some(by), what, "`hookbin resume` ends it now.");
        return Presence { left: Some(left), ..paused };
    }
    // The host reads the settings of the directory that it is started in, and of none above it.
    if matches!(by, By::Local | By::Project)
        && let Some((cwd, root)) = here.zip(root)
        && system.project_dir().is_none()
        && cwd != root
        && cwd.starts_with(root)
    {
        if !files.answers_everywhere() {
            return not_covered(cwd, root);
        }
        by = By::User;
    }
    match fault {
        Some(fault) => Presence::new(Guard::ConfigFaulty, Some(by), fault, "`hookbin config check` shows it."),
        None => Presence::new(Guard::Guarded, Some(by), "", ""),
    }
}

const DOCTOR: &str = "`hookbin doctor --fix` mends it.";

const INSTALL: &str = "`hookbin install` sets up your own, and moves what the project brought aside.";

/// What to say of an entry in this file that starts a program of somebody else.
fn foreign(name: &str) -> String {
    format!("the entry in {name} starts a foreign program, which no installation of yours has placed")
}

const GIT: &str = "Bring it back with git if a stash or checkout took it, else `hookbin doctor --fix` mends it.";

fn not_covered(here: &Path, there: &Path) -> Presence {
    let what = format!("a client started in {} does not read the settings of {}", here.display(), there.display());
    Presence::new(Guard::NotCovered, None, what, "Start it there, or `hookbin install --user`.")
}

/// The main working tree of the repository that a linked one belongs to, if the guard is installed there.
fn installed_elsewhere(root: &Path, system: &System) -> Option<PathBuf> {
    let link = open::text(&root.join(".git"), MAX_MARK_BYTES * 16)?;
    let dir = PathBuf::from(link.trim().strip_prefix("gitdir:")?.trim());
    let main = dir.ancestors().find(|dir| dir.ends_with(".git"))?.parent()?;
    Files::read(Some(main), Path::new(system.host.settings.managed), system).answering().map(|_| main.to_owned())
}

/// Whether the entry stands once the host's settings have changed. `stood` is the file in which it did when the session began, and
/// `started` when that was.
pub fn standing(
    event: &Event<'_>,
    project: Option<&Project>,
    stood: &str,
    started: impl Fn() -> Option<String>,
    system: &System,
) -> Standing {
    let files = Files::read(project.map(Project::root), Path::new(system.host.settings.managed), system);
    let off = files.switched_off();
    if off.is_none()
        && let Some((_, path)) = files.answering()
    {
        return Standing::Stands(path.to_string_lossy().into_owned());
    }
    if stood.is_empty() && !files.was_installed() {
        return Standing::Unknown;
    }
    let is_own_doing = || files.is_purged(stood) || files.is_uninstalled(stood, started);
    if is_own_doing() {
        return Standing::TakenOut;
    }
    let changed = match &event.body {
        Body::ConfigChange(change) => change.file_path.as_ref().map(|path| path.as_str().into_owned()),
        _ => None,
    };
    let known = |path: &String| files.layers.iter().any(|layer| layer.path == Path::new(path));
    let path = Some(stood.to_owned()).filter(|stood| !stood.is_empty()).or(changed.filter(known));
    Standing::Gone(off.unwrap_or_else(|| files.loss(&path.map_or_else(|| files.held(), PathBuf::from))))
}

/// Whether the organisation's settings start the guard, or cannot be read.
pub fn is_managed(system: &System) -> bool {
    let layer = Layer::new(PathBuf::from(system.host.settings.managed), None);
    !layer.entries.is_empty() || matches!(layer.content, Content::Unread)
}

/// What a settings file holds.
enum Content {
    Missing,
    Unread,
    Text(String),
}

/// One settings file of the host.
struct Layer {
    path: PathBuf,
    /// Ours in it; none for the organisation's.
    place: Option<Place>,
    content: Content,
    /// Why the host drops the whole file, if it does.
    dropped: Option<String>,
    /// Our entries before tool calls.
    entries: Vec<FoundEntry>,
}

impl Layer {
    fn new(path: PathBuf, place: Option<Place>) -> Self {
        let content = match open::text(&path, MAX_SETTINGS_BYTES) {
            Some(text) => Content::Text(text),
            None if path.symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) => {
                Content::Missing
            }
            None => Content::Unread,
        };
        let dropped = match &content {
            Content::Missing => None,
            Content::Unread => Some("it cannot be read".to_owned()),
            Content::Text(text) => inspect(text)
                .into_iter()
                .find(|problem| problem.effect == Effect::FileDropped)
                .map(|problem| format!("line {}: {}", problem.line, problem.message)),
        };
        let mut layer = Self { path, place, content, dropped, entries: Vec::new() };
        layer.entries = layer.find_entries();
        layer
    }

    /// The text, if the host takes it.
    fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) if self.dropped.is_none() => Some(text),
            _ => None,
        }
    }

    fn find_entries(&self) -> Vec<FoundEntry> {
        let owns = |entry: &HandlerView<'_>| match &self.place {
            Some(place) => place.owns(entry),
            None => runs_hookbin(entry),
        };
        let found = self.text().filter(|text| text.contains("hookbin")).and_then(|text| find(text, &owns).ok());
        found.unwrap_or_default().into_iter().filter(|entry| entry.event == "PreToolUse").collect()
    }
}

/// All settings files that count in one directory, the one with the most precedence first.
struct Files<'h> {
    layers: Vec<Layer>,
    root: Option<PathBuf>,
    system: &'h System,
}

impl<'h> Files<'h> {
    fn read(root: Option<&Path>, managed: &Path, system: &'h System) -> Self {
        let in_project = root.into_iter().flat_map(|root| {
            [Scope::Local, Scope::Project].into_iter().map(move |scope| Place::in_project(scope, root, system))
        });
        let mut layers = vec![Layer::new(managed.to_owned(), None)];
        for place in in_project.chain([Place::of_user(system)]).flatten() {
            // In the home directory the user's settings are the project's as well.
            if layers.iter().all(|layer| layer.path != place.settings) {
                layers.push(Layer::new(place.settings.clone(), Some(place)));
            }
        }
        Self { layers, root: root.map(Path::to_owned), system }
    }

    /// Whether the entries of this file answer every call.
    fn answers(&self, layer: &Layer) -> bool {
        let answers = |entry: &FoundEntry| obstacle(entry).is_none() && self.starts(entry);
        layer.entries.iter().any(|entry| answers(entry) && self.is_persons(layer, entry))
    }

    /// Whether what an entry starts is the user's. What stands in a project's settings may have come with the project, and so may the
    /// program; all other settings are their own.
    fn is_persons(&self, layer: &Layer, entry: &FoundEntry) -> bool {
        let (Some(place), Some(root)) = (&layer.place, &self.root) else { return true };
        place.project.is_none()
            || Started::of(entry, root, self.system).is_some_and(|started| started.is_persons(place, self.system))
    }

    /// The file with an entry that starts a program of somebody else.
    fn with_foreign(&self) -> Option<PathBuf> {
        let is_foreign = |layer: &Layer, entry: &FoundEntry| {
            obstacle(entry).is_none() && self.starts(entry) && !self.is_persons(layer, entry)
        };
        let has = |layer: &&Layer| layer.entries.iter().any(|entry| is_foreign(layer, entry));
        self.layers.iter().find(has).map(|layer| layer.path.clone())
    }

    /// Whether the user's own settings for all projects answer, wherever a client is started.
    fn answers_everywhere(&self) -> bool {
        let is_user = |layer: &&Layer| layer.place.as_ref().is_some_and(|place| place.scope == Scope::User);
        self.layers.iter().find(is_user).is_some_and(|layer| self.answers(layer))
    }

    /// What answers every call, and the file that says so.
    fn answering(&self) -> Option<(By, &Path)> {
        let entry = self
            .layers
            .iter()
            .find(|layer| self.answers(layer))
            .map(|layer| (By::of(layer.place.as_ref().map(|place| place.scope)), layer.path.as_path()));
        entry.or_else(|| self.plugin().map(|path| (By::Plugin, path)))
    }

    /// The file that switches our plugin on. The first that says anything about it counts.
    fn plugin(&self) -> Option<&Path> {
        let said = |layer: &Layer| {
            plugins(layer.text()?).into_iter().find(|(name, _)| name.split('@').next() == Some("hookbin"))
        };
        let (layer, (_, on)) = self.layers.iter().find_map(|layer| Some((layer, said(layer)?)))?;
        on.then_some(layer.path.as_path())
    }

    /// Why the host starts no hook of people and projects at all.
    fn switched_off(&self) -> Option<Loss> {
        let said = |layer: &Layer, name: &str| layer.text().and_then(|text| flag(text, name));
        // The first that says anything counts, also when it says false.
        let off = self.layers.iter().find_map(|layer| Some((layer, said(layer, "disableAllHooks")?)));
        if let Some((layer, true)) = off {
            let what = format!("disableAllHooks in {} switches every hook off", self.name(&layer.path));
            return Some(Loss { what, mend: "Remove that line to mend it.".to_owned() });
        }
        let managed = self.layers.iter().find(|layer| layer.place.is_none())?;
        let only = said(managed, "allowManagedHooksOnly") == Some(true) && managed.entries.is_empty();
        only.then(|| Loss {
            what: format!("{} allows no hooks but its own", managed.path.display()),
            mend: "Ask who manages this machine.".to_owned(),
        })
    }

    /// Whether an installation has left its traces.
    fn was_installed(&self) -> bool {
        self.places().any(|place| {
            let is_marked = || place.mark.as_ref().is_some_and(|mark| mark.exists());
            Record::is_there(place)
                || place.scope == Scope::Project && installation::copy(place).is_some() && !is_marked()
        })
    }

    fn places(&self) -> impl Iterator<Item = &Place> {
        self.layers.iter().filter_map(|layer| layer.place.as_ref())
    }

    /// Whether the user has taken out the installation whose entry stood in this file, since this moment; an older mark is of an
    /// earlier installation, and that of another scope says nothing.
    fn is_uninstalled(&self, stood: &str, since: impl Fn() -> Option<String>) -> bool {
        let since = since();
        let is_noted_at_all = stood.is_empty() && self.places().any(Record::is_there);
        let is_meant = |place: &&Place| match stood {
            "" => !is_noted_at_all || Record::is_there(place),
            stood => place.settings == Path::new(stood),
        };
        self.places().filter(is_meant).filter_map(|place| place.mark.as_ref()).any(|mark| {
            let Some(text) = open::text(mark, MAX_MARK_BYTES) else { return false };
            let time = DateTime::parse_from_rfc3339(text.trim()).map(|time| time.to_utc());
            time.is_ok_and(|time| {
                since.as_ref().is_none_or(|since| time.format("%Y-%m-%d %H:%M:%S").to_string() >= *since)
            })
        })
    }

    /// Whether the note of a user's own installation is gone with the entry in this file, as after `uninstall --purge`. Nothing but
    /// that command removes it. An installation that people share has none in a clone.
    fn is_purged(&self, stood: &str) -> bool {
        let mut places = self.places().filter(|place| place.scope != Scope::Project);
        places.any(|place| place.settings == Path::new(stood) && !Record::is_there(place))
    }

    fn has_entry(&self) -> bool {
        self.layers.iter().any(|layer| !layer.entries.is_empty())
    }

    /// The file with an entry that could refuse every call if what it starts were there.
    fn without_executable(&self) -> Option<PathBuf> {
        let has = |layer: &&Layer| layer.entries.iter().any(|entry| obstacle(entry).is_none());
        self.layers.iter().find(has).map(|layer| layer.path.clone())
    }

    /// The file that most likely held the entry.
    fn held(&self) -> PathBuf {
        let names_it = |layer: &&Layer| {
            matches!(layer.content, Content::Unread)
                || matches!(&layer.content, Content::Text(text) if text.contains("hookbin"))
        };
        let shared = |layer: &&Layer| layer.place.as_ref().is_some_and(|place| place.scope == Scope::Project);
        let noted = |layer: &&Layer| layer.place.as_ref().is_some_and(Record::is_there);
        let mut layers = self.layers.iter();
        let found =
            layers.clone().find(names_it).or_else(|| layers.clone().find(noted)).or_else(|| layers.find(shared));
        found.or(self.layers.last()).map(|layer| layer.path.clone()).unwrap_or_default()
    }

    /// What became of the entry that stood in this file.
    fn loss(&self, path: &Path) -> Loss {
        let name = self.name(path);
        let layer = self.layers.iter().find(|layer| layer.path == path);
        let entry = layer.and_then(|layer| layer.entries.first());
        if let Some((layer, entry)) = layer.zip(entry)
            && obstacle(entry).is_none()
            && self.starts(entry)
            && !self.is_persons(layer, entry)
        {
            return Loss { what: foreign(&name), mend: INSTALL.to_owned() };
        }
        let what = match layer {
            Some(Layer { dropped: Some(why), .. }) => {
                let mend = "Correct the file, or move it away and run `hookbin doctor --fix`.".to_owned();
                return Loss { what: format!("Claude Code drops {name} whole ({why})"), mend };
            }
            None | Some(Layer { content: Content::Missing, .. }) => {
                format!("{name} is gone, and the guard's entry with it")
            }
            Some(_) => match entry.map(obstacle) {
                Some(Some(why)) => format!("the guard's entry in {name} cannot refuse every call: {why}"),
                Some(None) => format!("what the guard's entry in {name} starts is gone"),
                None => format!("{name} does not hold the guard's entry any more"),
            },
        };
        // Another file in its place would stand in git's way.
        let is_shared = layer.and_then(|layer| layer.place.as_ref()).is_some_and(|place| place.scope == Scope::Project);
        let is_in_git = self.root.as_ref().is_some_and(|root| root.join(".git").exists());
        let is_missing = layer.is_none_or(|layer| matches!(layer.content, Content::Missing));
        let mend = if is_shared && is_in_git && is_missing { GIT } else { DOCTOR };
        Loss { what, mend: mend.to_owned() }
    }

    /// A path as a user reads it: from the project's directory where it lies in it.
    fn name(&self, path: &Path) -> String {
        let inside = self.root.as_deref().and_then(|root| path.strip_prefix(root).ok());
        inside.unwrap_or(path).display().to_string()
    }

    /// Whether what the entry starts is there.
    fn starts(&self, entry: &FoundEntry) -> bool {
        if let Some(program) = self.program(entry) {
            return is_executable(&program);
        }
        // It looks for itself: among the user's files, on the path.
        let start = self.root.clone().or_else(|| self.system.home()).unwrap_or_default();
        find_executable(&start, self.system).is_some()
    }

    /// The one file that an entry starts; `None` for a line of a shell that chooses between several, and for a bare name.
    fn program(&self, entry: &FoundEntry) -> Option<PathBuf> {
        let command = entry.command.as_deref()?;
        let word = match &entry.args {
            Some(_) => command.to_owned(),
            None if command.contains([';', '&', '|', '<', '>', '`', '\n', '(']) => return None,
            None => command_words(command).into_iter().find(|word| {
                let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
                name == "hookbin" || name.eq_ignore_ascii_case("hookbin.exe")
            })?,
        };
        let home = self.system.home();
        let start = self.root.as_deref().or(home.as_deref())?;
        let within = |names: &[&str], dir: &Path| {
            let rest = names.iter().find_map(|name| word.strip_prefix(name)?.strip_prefix('/'))?;
            Some(dir.join(rest))
        };
        let named = within(&PROJECT_VARIABLES, start);
        let named = named.or_else(|| within(&HOME_VARIABLES, home.as_deref()?));
        match named {
            Some(path) => Some(path),
            None if word.contains('$') || !word.contains(['/', '\\']) => None,
            None => Some(start.join(word)),
        }
    }
}
