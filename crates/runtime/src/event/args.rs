//! The arguments of `hookbin hook`, read without a parser and without ever failing.

use std::ffi::OsString;
use std::path::PathBuf;

use hook_protocol::host::Host;

use crate::event::deadline::LATE_MARK;

/// The option that an entry of the user-wide installation carries.
pub const USER_MARK: &str = "--user";

/// The option that an entry of a user's own settings in one project carries.
pub const LOCAL_MARK: &str = "--local";

/// The option with which an event is answered as it would be, and nothing is recorded: what doctor asks with.
pub const DRY_MARK: &str = "--dry";

/// The option with which the user's configuration and records are those of a directory made for one question of doctor's.
pub const APART_MARK: &str = "--apart";

/// The option that names the host.
const HOST: &str = "--host";

/// What stands after `hook`.
#[derive(Debug, Clone, Default)]
pub struct HookArgs {
    /// The event that the entry was installed for, or the name of one handler of the profile.
    pub subject: Option<String>,
    /// The payload, if a user gives it on the command line.
    pub payload: Option<String>,
    /// Profiles that outrank those of the files.
    pub profiles: Option<Vec<String>>,
    /// The project's directory.
    pub project: Option<PathBuf>,
    /// The host that starts the hook, where the entry says so.
    pub host: Option<&'static Host>,
    /// The name that the entry says instead, if it is none of a client that this version knows. The payload then tells.
    pub unknown_host: Option<String>,
    /// The entry stands in the user's own settings and serves every project that has none of its own.
    pub user: bool,
    /// The entry stands in the user's own settings of this project, and answers before all others.
    pub local: bool,
    /// This run answers for one that missed its deadline.
    pub late: bool,
    /// The answer alone is wanted: nothing is recorded, remembered or started, and no other entry is given way to.
    pub dry: bool,
    /// The directory in which the user's configuration and records are for this run.
    pub apart: Option<PathBuf>,
    /// What could not be understood. A usage error never denies by itself; the fail mode says what follows.
    pub fault: Option<String>,
}

impl HookArgs {
    /// Reads the arguments. An unknown option or a missing value is a fault, and the rest still counts.
    pub fn parse(args: &[OsString]) -> Self {
        let mut parsed = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let text = arg.to_string_lossy();
            let (name, joined) = match text.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(OsString::from(value))),
                _ => (text.as_ref(), None),
            };
            match name {
                LATE_MARK => parsed.late = true,
                DRY_MARK => parsed.dry = true,
                USER_MARK => parsed.user = true,
                LOCAL_MARK => parsed.local = true,
                "--profile" | "--project" | HOST | APART_MARK => match joined.or_else(|| args.next().cloned()) {
                    None => parsed.blame(format!("`{name}` needs a value")),
                    Some(value) if name == "--project" => parsed.project = Some(PathBuf::from(value)),
                    Some(value) if name == HOST => parsed.name_host(&value.to_string_lossy()),
                    Some(value) if name == APART_MARK => parsed.apart = Some(PathBuf::from(value)),
                    Some(value) => parsed.profiles = Some(split_names(&value.to_string_lossy())),
                },
                _ if name.starts_with('-') => parsed.blame(format!("unknown option `{name}`")),
                _ if parsed.subject.is_none() => parsed.subject = Some(text.into_owned()),
                _ if parsed.payload.is_none() => parsed.payload = Some(text.into_owned()),
                _ => parsed.blame(format!("unexpected argument `{text}`")),
            }
        }
        parsed
    }

    fn name_host(&mut self, name: &str) {
        self.host = Host::named(name);
        self.unknown_host = self.host.is_none().then(|| name.to_owned());
    }

    fn blame(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }
}

/// `a,b` as names.
pub fn split_names(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
