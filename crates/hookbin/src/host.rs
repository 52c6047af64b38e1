//! What a run takes from the process around it, as values: environment, time and working directory.

use std::cell::{Cell, OnceCell};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use hook_session_state::Reuse;

use crate::{account, deadline};

/// Sets the deadline of the run anew: milliseconds from now.
pub type Alarm = fn(u32);

/// How a variable of the environment is looked up.
type Lookup = Rc<dyn Fn(&str) -> Option<OsString>>;

/// The surroundings of one run. Tests and embedders make their own; [`Host::of_process`] takes the process's.
pub struct Host {
    env: Lookup,
    /// The moment of the run.
    pub now: DateTime<Utc>,
    /// The working directory, if the system can still say it.
    pub cwd: Option<PathBuf>,
    /// How to keep readers out of a file that is about to be written into, where the system can do that.
    pub reuse: Option<Reuse>,
    /// How the deadline of the run is set anew, where it has one.
    pub alarm: Option<Alarm>,
    begin: Instant,
    /// The home folder, looked for once.
    home: OnceCell<Option<PathBuf>>,
    /// Time that was spent beyond the ordinary, and does not count against the run.
    extra: Cell<Duration>,
}

impl Host {
    /// Surroundings with the given environment, time and working directory.
    pub fn new(env: impl Fn(&str) -> Option<OsString> + 'static, now: DateTime<Utc>, cwd: Option<PathBuf>) -> Self {
        let host = Self {
            env: Rc::new(env),
            now,
            cwd,
            reuse: None,
            alarm: None,
            begin: Instant::now(),
            home: OnceCell::new(),
            extra: Cell::default(),
        };
        // SX-10: the time can be set, so that thresholds can be tested without waiting.
        let injected = host.text("HOOKBIN_NOW").and_then(|text| DateTime::parse_from_rfc3339(&text).ok());
        let now = injected.map_or(host.now, |time| time.with_timezone(&Utc));
        Self { now, ..host }
    }

    /// The surroundings of the running process.
    pub fn of_process() -> Self {
        Self::new(|name| std::env::var_os(name), Utc::now(), std::env::current_dir().ok())
    }

    /// The surroundings of an event of the past: its own time, nothing of the client that may have started this process, and what is
    /// kept for the person lies in `state`.
    pub(crate) fn past(&self, now: DateTime<Utc>, state: &Path) -> Self {
        let (env, state) = (Rc::clone(&self.env), state.as_os_str().to_owned());
        let lookup = move |name: &str| match name {
            "XDG_STATE_HOME" => Some(state.clone()),
            "HOOKBIN_NOW" => None,
            name if name.starts_with("CLAUDE") => None,
            name => env(name),
        };
        Self { cwd: self.cwd.clone(), ..Self::new(lookup, now, None) }
    }

    /// The same surroundings with what is kept for the person in `state`, and with the person's configuration in another folder, where one
    /// is named.
    pub(crate) fn configured_in(&self, folder: Option<&Path>, state: &Path) -> Self {
        let (env, folder) = (Rc::clone(&self.env), folder.map(|folder| folder.as_os_str().to_owned()));
        let state = state.as_os_str().to_owned();
        let lookup = move |name: &str| match (name, &folder) {
            ("XDG_CONFIG_HOME", Some(folder)) => Some(folder.clone()),
            ("XDG_STATE_HOME", _) => Some(state.clone()),
            _ => env(name),
        };
        Self::new(lookup, self.now, self.cwd.clone())
    }

    /// How long to wait for the next lock: two seconds, but no more than half of the time that the run may spend on waiting, so that any
    /// number of locks leaves time for the answer.
    pub fn patience(&self) -> Duration {
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
    pub(crate) fn extend(&self, seconds: u64) {
        if let Some(alarm) = self.alarm {
            alarm(u32::try_from(seconds.saturating_mul(1_000)).unwrap_or(u32::MAX));
        }
    }

    /// They have ended after `took`, and the ordinary deadline holds again.
    pub(crate) fn settle(&self, took: Duration) {
        self.extra.set(self.extra.get().saturating_add(took));
        if let Some(alarm) = self.alarm {
            alarm(u32::from(deadline::MILLIS));
        }
    }

    /// A variable of the environment, if it is set and not empty.
    pub fn var(&self, name: &str) -> Option<OsString> {
        (self.env)(name).filter(|value| !value.is_empty())
    }

    /// The same as text.
    pub fn text(&self, name: &str) -> Option<String> {
        self.var(name).and_then(|value| value.into_string().ok())
    }

    /// The person's home folder: what the environment names, unless that says nothing or is somebody else's; then the account's.
    pub fn home(&self) -> Option<PathBuf> {
        let find = || match self.named_home() {
            Some(home) if !account::is_of_another(&home) => Some(home),
            named => account::home().or(named),
        };
        self.home.get_or_init(find).clone()
    }

    /// The home folder that the environment names, which is what `~` and `$HOME` mean in a command.
    pub fn named_home(&self) -> Option<PathBuf> {
        self.absolute("HOME")
    }

    /// The person's configuration file: `hookbin/hookbin.toml` under `XDG_CONFIG_HOME`, else under `~/.config`.
    pub fn user_config(&self) -> Option<PathBuf> {
        let base = self.absolute("XDG_CONFIG_HOME").or_else(|| Some(self.home()?.join(".config")))?;
        Some(base.join("hookbin/hookbin.toml"))
    }

    /// The folder in which the client keeps the person's settings: `CLAUDE_CONFIG_DIR`, else `~/.claude`.
    pub fn client_folder(&self) -> Option<PathBuf> {
        let home = || self.named_home().or_else(|| self.home());
        self.absolute("CLAUDE_CONFIG_DIR").or_else(|| Some(home()?.join(".claude")))
    }

    /// The folder of a user-wide executable: `hookbin` under `XDG_DATA_HOME`, else under `~/.local/share`.
    pub fn data_folder(&self) -> Option<PathBuf> {
        let base = self.absolute("XDG_DATA_HOME").or_else(|| Some(self.home()?.join(".local/share")))?;
        Some(base.join("hookbin"))
    }

    /// The folder of what a user-wide executable records: `hookbin` under `XDG_STATE_HOME`, else under `~/.local/state`.
    pub fn state_folder(&self) -> Option<PathBuf> {
        let base = self.absolute("XDG_STATE_HOME").or_else(|| Some(self.home()?.join(".local/state")))?;
        Some(base.join("hookbin"))
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
