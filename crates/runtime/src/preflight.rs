//! Whether what a profile lives on is there: servers, files and programs, as the `[[needs]]` of its TOML say.
//!
//! No server is started and no program is run. Of a server that is there and crashes only the host knows.

use std::path::{Path, PathBuf};

use hook_policy::profile::Profile;
use hook_protocol::canonical::McpName;
use hook_protocol::settings::{DeclaredServer, declared_servers, disabled_servers};
use serde::Deserialize;
use serde_json::Value;

use crate::config::profiles;
use crate::programs::launch;
use crate::project::Project;
use crate::system::System;
use crate::system::files;
use crate::system::open::{self, Beneath, Kind, Seen};

/// The largest file in which declared servers are looked for, in bytes.
const MOST_BYTES: u64 = 16 << 20;
/// The file in which a project declares servers.
pub const SERVERS: &str = ".mcp.json";

/// Something that a profile needs and that is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Whether no work is possible without it.
    pub is_fault: bool,
    /// The file that it is about.
    pub file: PathBuf,
    /// What is missing, and what follows, for a user.
    pub message: String,
    /// What to do.
    pub fix: String,
}

#[derive(Deserialize)]
struct OfProfile {
    #[serde(default)]
    needs: Vec<Need>,
}

/// One thing that a profile lives on. One of `servers_of` and `tools_of`, `file`, `dir`, `program` and `repository` says which.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Need {
    /// The setting that names servers of which one is enough.
    servers_of: Option<String>,
    /// The setting that names their tools, which name servers as well.
    tools_of: Option<String>,
    file: Option<PathBuf>,
    /// A directory with something in it.
    #[serde(rename = "directory")]
    dir: Option<PathBuf>,
    program: Option<String>,
    #[serde(default)]
    repository: bool,
    /// All of these hold, or nothing is needed.
    #[serde(default)]
    when: Vec<Condition>,
    /// What follows where it is missing.
    without: String,
    /// All of these hold, and no work is possible without it.
    #[serde(default)]
    fault_if: Vec<Condition>,
    /// What follows then, and where a server is declared that cannot run.
    #[serde(default)]
    then: String,
    fix: String,
}

/// Something about the settings in force.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Condition {
    /// A check that is in force; without it, the setting is one of the whole profile.
    check: Option<String>,
    key: Option<String>,
    /// What its value is.
    is: Option<String>,
    /// What its list holds.
    has: Option<String>,
    /// What its list does not hold.
    lacks: Option<String>,
}

impl Condition {
    fn holds(&self, settings: &Value, profile: &Profile) -> bool {
        let fits = |of: &Value| {
            let value = self.key.as_deref().map(|key| at(of, key));
            let holds = |word: &String| strings(value.unwrap_or(&Value::Null)).iter().any(|held| held == word);
            self.is.as_ref().is_none_or(|is| value.and_then(Value::as_str) == Some(is))
                && self.has.as_ref().is_none_or(holds)
                && self.lacks.as_ref().is_none_or(|word| !holds(word))
        };
        let Some(check) = &self.check else { return fits(settings) };
        let checks = profile.handlers.iter().flat_map(|handler| &handler.checks);
        // A check is written as its kind with its settings.
        let of = |value: Value| value.as_object().and_then(|kinds| kinds.values().next().cloned());
        let mut named =
            checks.filter(|known| known.name() == *check).filter_map(|known| of(serde_json::to_value(known).ok()?));
        named.any(|settings| fits(&settings))
    }
}

/// The value of a setting; `.` leads into tables.
fn at<'v>(value: &'v Value, key: &str) -> &'v Value {
    key.split('.').fold(value, |value, part| value.get(part).unwrap_or(&Value::Null))
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

/// A declared server, and the file that says so.
struct Declared {
    server: DeclaredServer,
    file: PathBuf,
    /// The settings file that turns it off.
    off: Option<PathBuf>,
}

/// What of the needs of a profile in force is missing in a project.
pub fn missing(profile: &Profile, project: &Project, system: &System) -> Vec<Missing> {
    let needs = profile.names.iter().flat_map(|name| needs(name).into_iter().map(move |need| (name, need)));
    let settings = serde_json::to_value(&profile.settings).unwrap_or_default();
    let declared = declared(project, system);
    needs
        .filter(|(_, need)| need.when.iter().all(|condition| condition.holds(&settings, profile)))
        .filter_map(|(name, need)| {
            let is_fault =
                !need.fault_if.is_empty() && need.fault_if.iter().all(|condition| condition.holds(&settings, profile));
            let found = need.look(project, &settings, &declared, system)?;
            let is_fault = is_fault || found.is_dead;
            let follows = if is_fault { &need.then } else { &need.without };
            let message = format!("profile {name}: {}, so {follows}", found.what);
            Some(Missing { is_fault, file: found.file, message, fix: found.fix.unwrap_or(need.fix) })
        })
        .collect()
}

fn needs(profile: &str) -> Vec<Need> {
    let text = profiles::text(profile).unwrap_or_default();
    toml::from_str::<OfProfile>(text).map(|of| of.needs).unwrap_or_default()
}

/// What is missing.
struct Found {
    what: String,
    file: PathBuf,
    /// A server that is declared, is waited for, and cannot run.
    is_dead: bool,
    fix: Option<String>,
}

impl Need {
    fn look(&self, project: &Project, settings: &Value, declared: &[Declared], system: &System) -> Option<Found> {
        let root = project.root();
        let lacks = |what: String, path: &Path| Some(Found { what, file: root.join(path), is_dead: false, fix: None });
        if let Some(file) = &self.file {
            let is_there = matches!(Beneath::new(root).look(&root.join(file)), Ok(Seen { kind: Kind::File, .. }));
            return if is_there { None } else { lacks(format!("{} is not there", file.display()), file) };
        }
        if let Some(dir) = &self.dir {
            let is_there = Beneath::new(root).names(&root.join(dir), 1).is_ok_and(|names| !names.is_empty());
            return if is_there { None } else { lacks(format!("{} holds nothing", dir.display()), dir) };
        }
        if let Some(program) = &self.program {
            let is_there = launch::find(program, root, root, system).is_some();
            return if is_there { None } else { lacks(format!("{program} is not installed"), Path::new("")) };
        }
        if self.repository {
            let is_there = root.ancestors().any(|above| above.join(".git").exists());
            return if is_there { None } else { lacks("there is no git repository".to_owned(), Path::new("")) };
        }
        self.server(root, settings, declared, system)
    }

    fn server(&self, root: &Path, settings: &Value, declared: &[Declared], system: &System) -> Option<Found> {
        let listed = |key: &Option<String>| key.as_deref().map_or_else(Vec::new, |key| strings(at(settings, key)));
        let (mut names, tools) = (listed(&self.servers_of), listed(&self.tools_of));
        for tool in &tools {
            // A tool of the host's own is there.
            let server = McpName::parse(tool)?.server;
            if !server.contains('*') && !names.iter().any(|name| name == server) {
                names.push(server.to_owned());
            }
        }
        let mut fitting = declared.iter().filter(|declared| names.contains(&declared.server.name)).peekable();
        if fitting.peek().is_none() {
            let what = format!("no server {} is declared", names.join(" or "));
            return Some(Found { what, file: root.join(SERVERS), is_dead: false, fix: None });
        }
        let mut troubles = Vec::new();
        for declared in fitting {
            troubles.push(declared.trouble(root, system)?);
        }
        troubles.into_iter().next()
    }
}

impl Declared {
    /// Why the server cannot run; `None` where nothing is known against it.
    fn trouble(&self, root: &Path, system: &System) -> Option<Found> {
        let name = &self.server.name;
        if let Some(off) = &self.off {
            let what = format!("{} turns the server {name} off", off.display());
            let fix = format!("take {name} out of disabledMcpjsonServers there");
            return Some(Found { what, file: self.file.clone(), is_dead: false, fix: Some(fix) });
        }
        let command = self.server.command.as_deref()?;
        // What a variable stands for is the host's to say.
        if command.contains('$') || launch::find(command, root, root, system).is_some() {
            return None;
        }
        let what = format!("the server {name} is declared, and its program {command} is not there");
        let fix = format!("install {command}, or take {name} out of {}", self.file.display());
        Some(Found { what, file: self.file.clone(), is_dead: true, fix: Some(fix) })
    }
}

/// The servers that the project and the user declare.
fn declared(project: &Project, system: &System) -> Vec<Declared> {
    let root = project.root();
    let of_project = Beneath::new(root).text(&root.join(SERVERS), MOST_BYTES).unwrap_or_default();
    let settings = [system.host.settings.personal, system.host.settings.shared];
    let settings = settings.map(|name| root.join(system.host.dir).join(name));
    let off: Vec<(PathBuf, Vec<String>)> = settings
        .into_iter()
        .filter_map(|file| {
            let names = disabled_servers(&Beneath::new(root).text(&file, MOST_BYTES)?);
            Some((file, names))
        })
        .collect();
    let turned_off = |name: &String| off.iter().find(|(_, names)| names.contains(name)).map(|(file, _)| file.clone());
    let in_project = declared_servers(&of_project, None).into_iter().map(|server| {
        let off = turned_off(&server.name);
        Declared { server, file: root.join(SERVERS), off }
    });
    let state = system.home().map(|home| home.join(system.host.state_file));
    let text = state.as_deref().and_then(|file| open::text(file, MOST_BYTES)).unwrap_or_default();
    let of_user = declared_servers(&text, Some(&files::real(root).to_string_lossy())).into_iter();
    let file = state.unwrap_or_default();
    in_project.chain(of_user.map(|server| Declared { server, file: file.clone(), off: None })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_needs_of_every_profile_can_be_read() {
        for name in profiles::names() {
            let text = profiles::text(name).unwrap();
            let of = toml::from_str::<OfProfile>(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(of.needs.len(), text.matches("[[needs]]").count(), "{name}");
            for need in of.needs {
                let ways =
                    [need.servers_of.is_some() || need.tools_of.is_some(), need.file.is_some(), need.dir.is_some()];
                let ways = ways.into_iter().chain([need.program.is_some(), need.repository]);
                assert_eq!(ways.filter(|is_said| *is_said).count(), 1, "{name}: {need:?}");
                assert!(need.fault_if.is_empty() || !need.then.is_empty(), "{name}: {need:?}");
            }
        }
    }
}
