//! What a run takes from the process around it, as values: environment, time and working directory.

use std::cell::{Cell, OnceCell};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use hook_protocol::host::{CLAUDE_CODE, Host, Limits};
use hook_session_state::WriteLease;

use crate::event::deadline;
use crate::installation::user::VOUCHERS;
use crate::project::Project;
use crate::project::places::name_of;
use crate::system::account;
use crate::system::account::Owner;
use crate::system::environment::{Counts, DATA, DIRS, Environment, NOTE, Note, SWITCHES};
use crate::trust::strangers;

/// Sets the deadline of the run again: milliseconds from now.
pub type Alarm = fn(u32);

/// Where the directory of state lies at home.
const STATE: &str = ".local/state";

/// Where directories lie at home that a variable can name elsewhere.
const USUAL: [(&str, &str); 4] = [
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_DATA_HOME", DATA),
    ("XDG_STATE_HOME", STATE),
    ("CLAUDE_CONFIG_DIR", ".claude"),
];

/// How a variable of the environment is looked up.
type Lookup = Rc<dyn Fn(&str) -> Option<OsString>>;

/// The surroundings of one run. Tests and embedders make their own; [`System::of_process`] takes the process's.
pub struct System {
    env: Lookup,
    /// What of it counts.
    counts: Rc<Environment>,
    /// Directories that are others than the environment and the user's note say.
    apart: Vec<(&'static str, PathBuf)>,
    /// The moment of the run.
    pub now: DateTime<Utc>,
    /// The working directory, if the system can still say it.
    pub cwd: Option<PathBuf>,
    /// How to keep readers out of a file that is about to be written into, where the system can do that.
    pub reuse: Option<WriteLease>,
    /// How the deadline of the run is set again, where it has one.
    pub alarm: Option<Alarm>,
    /// The host that starts the hooks.
    pub host: &'static Host,
    /// What can be done with an answer: what the host can do, if nothing else is said.
    pub limits: Limits,
    begin: Instant,
    /// The home directory, looked for once.
    home: OnceCell<Option<PathBuf>>,
    /// Time that was spent beyond the ordinary, and does not count against the run.
    extra: Cell<Duration>,
    /// What could not be found out.
    lost: Cell<Vec<String>>,
}

impl System {
    /// Surroundings with the given environment, time and working directory.
    pub fn new(env: impl Fn(&str) -> Option<OsString> + 'static, now: DateTime<Utc>, cwd: Option<PathBuf>) -> Self {
        Self::of(Rc::new(env), Rc::new(Environment::made_up()), now, cwd)
    }

    /// The surroundings of the running process. What they say of places, time and limits counts as far as the user lets it.
    pub fn of_process() -> Self {
        let cwd = std::env::current_dir().ok();
        let counts = std::env::current_exe().map_or_else(|_| Environment::made_up(), Environment::of);
        Self::of(Rc::new(|name| std::env::var_os(name)), Rc::new(counts), Utc::now(), cwd)
    }

    fn of(env: Lookup, counts: Rc<Environment>, now: DateTime<Utc>, cwd: Option<PathBuf>) -> Self {
        let system = Self {
            env,
            counts,
            apart: Vec::new(),
            now,
            cwd,
            reuse: None,
            alarm: None,
            host: &CLAUDE_CODE,
            limits: CLAUDE_CODE.limits,
            begin: Instant::now(),
            home: OnceCell::new(),
            extra: Cell::default(),
            lost: Cell::default(),
        };
        // The time can be set, so that thresholds can be tested without waiting.
        let injected = system.switched("HOOKBIN_NOW").and_then(|text| DateTime::parse_from_rfc3339(&text).ok());
        let now = injected.map_or(system.now, |time| time.with_timezone(&Utc));
        Self { now, ..system }
    }

    /// The surroundings of an event of the past: its own time, nothing of the host that may have started this process, and what is
    /// kept for the user lies in `state`.
    #[must_use]
    pub fn past(&self, now: DateTime<Utc>, state: &Path) -> Self {
        let env = Rc::clone(&self.env);
        let prefix = self.host.variables.prefix;
        let lookup = move |name: &str| env(name).filter(|_| name != "HOOKBIN_NOW" && !name.starts_with(prefix));
        let system = Self::of(Rc::new(lookup), Rc::clone(&self.counts), now, None);
        Self {
            cwd: self.cwd.clone(),
            host: self.host,
            limits: self.limits,
            apart: vec![("XDG_STATE_HOME", state.to_owned())],
            ..system
        }
    }

    /// The same surroundings with the user's configuration and what is kept for them in a directory of their own, so that an entry can be
    /// tried without a trace.
    #[must_use]
    pub fn apart(&self, dir: &Path) -> Self {
        let system = Self::of(Rc::clone(&self.env), Rc::clone(&self.counts), self.now, self.cwd.clone());
        let apart = [("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state")];
        let apart = apart.map(|(name, inside)| (name, dir.join(inside))).into();
        Self {
            apart,
            now: self.now,
            reuse: self.reuse,
            alarm: self.alarm,
            host: self.host,
            limits: self.limits,
            ..system
        }
    }

    /// How long to wait for the next lock: two seconds, but no more than half of the time that the run may spend on waiting, so that any
    /// number of locks leaves time for the answer.
    pub fn lock_timeout(&self) -> Duration {
        let left = Duration::from_millis(u64::from(deadline::WAIT_MILLIS)).saturating_sub(self.spent());
        (left / 2).min(hook_session_state::DEFAULT_LOCK_WAIT)
    }

    /// How long programs may run that the answer waits for: what is left until the deadline, less what the answer itself needs.
    pub fn time_for_programs(&self) -> Duration {
        Duration::from_millis(u64::from(deadline::PROGRAM_MILLIS)).saturating_sub(self.spent())
    }

    /// What counts of the time since the run began.
    fn spent(&self) -> Duration {
        self.begin.elapsed().saturating_sub(self.extra.get())
    }

    /// Puts the deadline off for programs that the answer waits for.
    pub fn extend(&self, seconds: u64) {
        if let Some(alarm) = self.alarm {
            alarm(u32::try_from(seconds.saturating_mul(1_000)).unwrap_or(u32::MAX));
        }
    }

    /// They have ended after `took`, and the ordinary deadline holds again.
    pub fn settle(&self, took: Duration) {
        self.extra.set(self.extra.get().saturating_add(took));
        if let Some(alarm) = self.alarm {
            alarm(u32::from(deadline::MILLIS));
        }
    }

    /// Notes what could not be found out, for whoever carries the run through.
    pub(crate) fn lost(&self, fault: String) {
        let mut lost = self.lost.take();
        lost.push(fault);
        self.lost.set(lost);
    }

    /// What could not be found out since this was asked last.
    pub(crate) fn take_lost(&self) -> Vec<String> {
        self.lost.take()
    }

    /// The same surroundings under another client.
    #[must_use]
    pub fn of_host(self, host: &'static Host) -> Self {
        Self { host, limits: host.limits, ..self }
    }

    /// A variable of the environment, if it is set and not empty.
    pub fn var(&self, name: &str) -> Option<OsString> {
        (self.env)(name).filter(|value| !value.is_empty())
    }

    /// The project's directory, as the host says it.
    pub fn project_dir(&self) -> Option<PathBuf> {
        self.var(self.host.variables.project_dir).map(PathBuf::from)
    }

    /// The same as text.
    pub fn text(&self, name: &str) -> Option<String> {
        self.var(name).and_then(|value| value.into_string().ok())
    }

    /// The same surroundings with directories that the user agreed to.
    #[must_use]
    pub fn with_dirs(&self, agreed: Vec<(&'static str, PathBuf)>) -> Self {
        let system = Self::of(Rc::clone(&self.env), Rc::clone(&self.counts), self.now, self.cwd.clone());
        let home = agreed.iter().find(|(name, _)| *name == "HOME").map(|(_, home)| home.clone());
        let home = OnceCell::from(home.or_else(|| self.home()));
        Self {
            apart: agreed,
            home,
            now: self.now,
            reuse: self.reuse,
            alarm: self.alarm,
            host: self.host,
            limits: self.limits,
            ..system
        }
    }

    /// Directories that the environment names and that do not count, with what counts instead.
    pub fn ignored_dirs(&self) -> Vec<(&'static str, PathBuf, Option<PathBuf>)> {
        let counts = |name: &str| match USUAL.iter().find(|(usual, _)| *usual == name) {
            Some((_, at_home)) => self.dir(name, at_home),
            None => self.home(),
        };
        let ignored = |name: &'static str| {
            let (named, counts) = (self.absolute(name)?, counts(name));
            let same = counts.as_ref().is_some_and(|counts| is_same(counts, &named));
            (!same).then_some((name, named, counts))
        };
        DIRS.into_iter().filter_map(ignored).collect()
    }

    /// Directories that lie elsewhere than usual, whatever the environment says.
    pub fn moved_dirs(&self) -> Vec<(&'static str, PathBuf)> {
        let moved = |(name, at_home): (&'static str, &str)| {
            let dir = self.dir(name, at_home)?;
            let is_usual = self.home().is_some_and(|home| is_same(&home.join(at_home), &dir));
            // What the user leaves to the environment is no matter of one environment.
            let is_left = matches!(self.counts.counts(name, || self.home()), Counts::Environment);
            (!is_usual && !is_left).then_some((name, dir))
        };
        USUAL.into_iter().filter_map(moved).collect()
    }

    /// Variables that are set and would outrank something if the user let them.
    pub fn ignored_switches(&self) -> impl Iterator<Item = &'static str> {
        SWITCHES.into_iter().filter(|name| self.text(name).is_some() && self.switched(name).is_none())
    }

    /// A variable that outranks something, if the user's note lets the environment say it.
    pub fn switched(&self, name: &str) -> Option<String> {
        // Hardly anybody sets one, and they pay for no reading.
        let said = self.text(name)?;
        matches!(self.counts.counts(name, || self.home()), Counts::Environment).then_some(said)
    }

    /// The user's home directory: where their executable lies, what its note says; without both what the environment names, if that is a
    /// directory of theirs which no project brought; else the account's. One that is not there is none, so that nothing makes it.
    pub fn home(&self) -> Option<PathBuf> {
        let find = || {
            let of_executable = self.counts.home().filter(|home| !account::is_of_another(home));
            of_executable.or_else(|| self.home_of_environment())
        };
        self.home.get_or_init(find).clone()
    }

    fn home_of_environment(&self) -> Option<PathBuf> {
        let named = self.named_home();
        let of_account = || account::home().filter(|home| !self.counts.is_real() || home.is_dir());
        let Some(home) = named else { return of_account() };
        // A variable that a project sets can name any directory of the user's. Where they installed by their account's, that one counts.
        if let Some(installed) = self.home_of_installation(&home) {
            return Some(installed);
        }
        let (owner, is_link) = account::owner(&home);
        // Who made surroundings up means what they say, and so does a user whose note leaves it to the environment.
        let is_theirs = || self.counts.leaves_home() || (self.lies_apart(&home, is_link) && !self.is_project(&home));
        match owner {
            Owner::Nobody if !self.counts.is_real() => Some(home),
            Owner::User if is_theirs() => Some(home),
            // An account that nobody lists works in a directory of somebody else.
            Owner::Another if is_theirs() => of_account().or(Some(home)),
            _ => of_account(),
        }
    }

    /// The account's home directory where the environment names another one and the user installed this project by their account's.
    fn home_of_installation(&self, named: &Path) -> Option<PathBuf> {
        if !self.counts.is_real() || self.counts.leaves_home() {
            return None;
        }
        let named_project = || self.project_dir().or_else(|| self.cwd.clone());
        let project = self.counts.project().map(Path::to_owned).or_else(named_project)?;
        let home = account::home().filter(|home| home != named)?;
        let data = home.join(DATA).join("hookbin");
        // The note of the installation, or what the user's own executable has of it.
        let name = name_of(&Project::at(&project))?;
        let kept = [home.join(STATE).join("hookbin/projects"), data.join(VOUCHERS)];
        kept.iter().find(|dir| dir.join(&name).symlink_metadata().is_ok())?;
        match Note::read(&data.join(NOTE)).and_then(|note| note.counts("HOME")) {
            Some(Counts::Value(home)) => Some(PathBuf::from(home)),
            Some(Counts::Environment) => None,
            Some(Counts::Nothing) | None => Some(home),
        }
    }

    /// Whether a repository came into this directory, or the executable is one of the project there. Who keeps the home directory under version
    /// control has it by their account.
    fn is_project(&self, home: &Path) -> bool {
        self.counts.project() == Some(home) || strangers::is_cloned(home)
    }

    /// Whether a directory is the same one for every process, and none that the project's people filled.
    pub fn is_fixed(&self, dir: &Path) -> bool {
        self.lies_apart(dir, dir.is_symlink())
    }

    /// The same of a directory of which it is known whether it is a link.
    fn lies_apart(&self, dir: &Path, is_link: bool) -> bool {
        let project = self.project_dir();
        let is_inside = |around: &PathBuf| dir != around && dir.starts_with(around);
        // By its bytes: every hook of a project's executable asks, and paths are slow to take apart.
        let bytes = dir.as_os_str().as_encoded_bytes();
        let is_plain = !bytes.windows(3).any(|part| part == b"/..");
        if !is_plain
            || [&b"/proc/"[..], b"/dev/", b"//"].iter().any(|moving| bytes.starts_with(moving))
            || self.cwd.iter().chain(&project).any(|around| is_inside(around) && strangers::is_project(around))
        {
            return false;
        }
        // The system names the working directory without links, so that what lies around it is known by its real path as well.
        let is_around = self.cwd.as_ref().is_some_and(|cwd| cwd.starts_with(dir));
        if is_around || (!is_link && strangers::is_among_everybodys(dir)) {
            return !strangers::lies_in_project(dir);
        }
        let real = dir.ancestors().find_map(|dir| std::fs::canonicalize(dir).ok());
        real.is_some_and(|real| strangers::is_outside(&real, &[]) && !strangers::lies_in_project(&real))
    }

    /// The home directory that the environment names, which is what `~` and `$HOME` mean in a command.
    pub fn named_home(&self) -> Option<PathBuf> {
        self.absolute("HOME")
    }

    /// The user's configuration file: `hookbin/hookbin.toml` in the directory that counts as `XDG_CONFIG_HOME`, else in `~/.config`.
    pub fn user_config(&self) -> Option<PathBuf> {
        Some(self.dir("XDG_CONFIG_HOME", ".config")?.join("hookbin/hookbin.toml"))
    }

    /// The directory in which the host keeps the user's settings: what counts as `CLAUDE_CONFIG_DIR`, else `~/.claude`.
    pub fn client_dir(&self) -> Option<PathBuf> {
        self.dir(self.host.variables.config_dir, self.host.dir)
    }

    /// The directory of a user's executable: `hookbin` in the directory that counts as `XDG_DATA_HOME`, else in `~/.local/share`.
    pub fn data_dir(&self) -> Option<PathBuf> {
        Some(self.dir("XDG_DATA_HOME", DATA)?.join("hookbin"))
    }

    /// The same where nothing was moved, in which every executable looks for the user's note.
    pub fn usual_data_dir(&self) -> Option<PathBuf> {
        Some(self.home()?.join(DATA).join("hookbin"))
    }

    /// The directory of what is kept for a user: `hookbin` in the directory that counts as `XDG_STATE_HOME`, else in `~/.local/state`.
    pub fn state_dir(&self) -> Option<PathBuf> {
        Some(self.dir("XDG_STATE_HOME", STATE)?.join("hookbin"))
    }

    /// What counts of a variable that names a directory, else that directory at home.
    fn dir(&self, name: &str, at_home: &str) -> Option<PathBuf> {
        if let Some((_, dir)) = self.apart.iter().find(|(apart, _)| *apart == name) {
            return Some(dir.clone());
        }
        let counts = match self.counts.counts(name, || self.home()) {
            Counts::Value(dir) => Some(PathBuf::from(dir)),
            Counts::Environment => self.absolute(name),
            Counts::Nothing => None,
        };
        counts.or_else(|| Some(self.home()?.join(at_home)))
    }

    fn absolute(&self, name: &str) -> Option<PathBuf> {
        self.var(name).map(PathBuf::from).filter(|path| path.is_absolute())
    }

    /// `path` from the working directory, without asking the file system.
    pub fn absolute_path(&self, path: &Path) -> PathBuf {
        let whole = match &self.cwd {
            Some(cwd) if path.is_relative() => cwd.join(path),
            _ => path.to_owned(),
        };
        // Through its components, so that `.` leaves no trace in messages.
        whole.components().collect()
    }
}

/// Whether two paths lead to the same directory.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    one == other || real(one).is_some_and(|one| Some(one) == real(other))
}
