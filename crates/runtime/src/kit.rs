//! Starter kits: the files that a profile lives on, small and useful as they stand. `kits/NAME.toml` holds those of profile `NAME`.
//!
//! What is there stays: no file is overwritten, and only `.gitignore` gets further lines. Nothing is written through a link.

use std::path::{Path, PathBuf};

use hook_protocol::settings::declared_servers;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::Error;
use crate::error::{Context as _, ensure};
use crate::preflight::SERVERS;
use crate::programs::launch;
use crate::project::Project;
use crate::system::System;
use crate::system::files::{self, Change, Spot};
use crate::system::open::Kind;

const TEXTS: [(&str, &str); 5] = [
    ("spf", include_str!("../kits/spf.toml")),
    ("guardrails", include_str!("../kits/guardrails.toml")),
    ("collective", include_str!("../kits/collective.toml")),
    ("sane", include_str!("../kits/sane.toml")),
    ("claude-os", include_str!("../kits/claude-os.toml")),
];

/// The file of a project whose lines keep files out of its repository.
const IGNORE: &str = ".gitignore";
/// What stands above the lines that a kit adds there.
const ABOVE: &str = "# Profiles of hookbin: of one machine, not to be shared.\n";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Kit {
    file: Vec<KitFile>,
    server: Vec<KitServer>,
    /// Lines of `.gitignore`.
    ignore: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KitFile {
    /// Where it goes, from the project's directory, or from that of the user's own configuration.
    path: PathBuf,
    /// It is the user's, for all projects.
    #[serde(default)]
    user: bool,
    /// What it does.
    about: String,
    text: String,
}

/// A part of `.mcp.json`. A server that could not run would only be waited for, so it is declared where its program is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KitServer {
    name: String,
    command: String,
    #[serde(default)]
    args: Vec<String>,
    about: String,
}

/// What becomes of a file of a kit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// It is made.
    New,
    /// It is there, and stays as it is.
    Kept,
    /// Lines are added to it.
    Added,
}

/// A file of a kit in a project.
#[derive(Debug, Clone, Serialize)]
pub struct Piece {
    /// Where it lies.
    #[serde(serialize_with = "files::lossy")]
    pub path: PathBuf,
    /// What it does.
    pub about: String,
    /// What becomes of it.
    pub fate: Fate,
    #[serde(skip)]
    change: Change,
}

impl Piece {
    /// What would change, as a unified diff.
    pub fn diff(&self) -> String {
        if self.change.is_needed() { self.change.diff() } else { String::new() }
    }
}

/// What a kit brings into a project.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Plan {
    /// Its files, in the order in which they are written.
    pub pieces: Vec<Piece>,
    /// What was left out and why, a sentence each.
    pub notes: Vec<String>,
}

/// What the kits of these profiles bring into a project. Nothing is written.
///
/// An error where something else stands in the place of a file, such as a link: what it leads to is not looked at.
pub fn plan(profiles: &[String], project: &Project, system: &System) -> Result<Plan, Error> {
    let mut plan = Plan::default();
    let mut ignore: Vec<String> = Vec::new();
    let mut servers: Vec<KitServer> = Vec::new();
    for name in profiles {
        let kit = kit(name)?;
        for file in kit.file {
            let spot = match (file.user, system.user_config().as_deref().and_then(Path::parent)) {
                (false, _) => below(project, &file.path),
                (true, Some(dir)) => dir.join(&file.path).as_path().into(),
                (true, None) => continue,
            };
            plan.add(spot, file.about, |before| before.is_none().then_some(file.text))?;
        }
        servers.extend(kit.server);
        ignore.extend(kit.ignore);
    }
    plan.add_servers(servers, project, system)?;
    if !ignore.is_empty() {
        let about = "keeps out of the repository what is written here".to_owned();
        plan.add(below(project, Path::new(IGNORE)), about, |before| with_lines(before, &ignore))?;
    }
    Ok(plan)
}

fn kit(profile: &str) -> Result<Kit, Error> {
    let text = TEXTS.iter().find(|(name, _)| *name == profile).map_or("", |(_, text)| text);
    toml::from_str(text).with_context(|| format!("cannot read the kit of {profile}"))
}

fn below(project: &Project, path: &Path) -> Spot {
    Spot::below(project.root(), &project.root().join(path))
}

/// The lines of a file and those that it lacks; `None` where it has all.
fn with_lines(before: Option<&str>, lines: &[String]) -> Option<String> {
    let before = before.unwrap_or_default();
    let is_there = |line: &str| before.lines().any(|there| there.trim().trim_matches('/') == line.trim_matches('/'));
    let mut added: Vec<&str> = Vec::new();
    for line in lines.iter().filter(|line| !is_there(line)) {
        if !added.contains(&line.as_str()) {
            added.push(line);
        }
    }
    let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    let gap = if before.is_empty() { "" } else { "\n" };
    (!added.is_empty()).then(|| format!("{before}{end}{gap}{ABOVE}{}\n", added.join("\n")))
}

impl Plan {
    fn add(
        &mut self,
        spot: Spot,
        about: String,
        text: impl FnOnce(Option<&str>) -> Option<String>,
    ) -> Result<(), Error> {
        if self.pieces.iter().any(|piece| piece.path == spot.path) {
            return Ok(());
        }
        let kind = spot.kind()?;
        ensure!(
            matches!(kind, None | Some(Kind::File)),
            "{} is no plain file, so nothing was written; move it away, or make the file yourself",
            spot.path.display()
        );
        // A file that stays is not read, however large.
        let is_grown = spot.path.file_name().is_some_and(|name| name == IGNORE);
        let before = if is_grown { files::read(&spot)? } else { None };
        let after = if kind.is_some() && !is_grown { None } else { text(before.as_deref()) };
        let fate = match (&after, kind) {
            (None, _) => Fate::Kept,
            (Some(_), Some(_)) => Fate::Added,
            (Some(_), None) => Fate::New,
        };
        let path = spot.path.clone();
        let after = after.or_else(|| before.clone());
        self.pieces.push(Piece { path, about, fate, change: Change { spot, before, after } });
        Ok(())
    }

    /// Declares the servers whose programs are there. A file of the project's own stays, and what it lacks is named.
    fn add_servers(&mut self, servers: Vec<KitServer>, project: &Project, system: &System) -> Result<(), Error> {
        let root = project.root();
        let spot = below(project, Path::new(SERVERS));
        let text = files::read(&spot)?;
        let declared = declared_servers(text.as_deref().unwrap_or_default(), None);
        let is_declared = |server: &KitServer| declared.iter().any(|known| known.name == server.name);
        let (there, gone): (Vec<_>, Vec<_>) = servers
            .into_iter()
            .filter(|server| !is_declared(server))
            .partition(|server| launch::find(&server.command, root, root, system).is_some());
        self.notes.extend(gone.iter().map(|server| {
            format!(
                "{SERVERS}: the server {} ({}) is left out, since {} is not installed",
                server.name, server.about, server.command
            )
        }));
        if there.is_empty() {
            return Ok(());
        }
        let part: Map<String, Value> = there
            .iter()
            .map(|server| (server.name.clone(), json!({"command": server.command, "args": server.args})))
            .collect();
        if text.is_some() {
            self.notes.push(format!("{SERVERS} is yours and stays; to have the servers, add: {}", Value::Object(part)));
            return Ok(());
        }
        let about = there.iter().map(|server| format!("{}: {}", server.name, server.about));
        let about = about.collect::<Vec<_>>().join("; ");
        let whole = serde_json::to_string_pretty(&json!({"mcpServers": part})).unwrap_or_default();
        self.add(spot, about, |before| before.is_none().then(|| whole + "\n"))
    }

    /// Writes what is to be written, each file whole or not at all. Returns the files that were.
    pub fn write(&self) -> Result<Vec<&Path>, Error> {
        let needed = self.pieces.iter().filter(|piece| piece.change.is_needed());
        needed.map(|piece| piece.change.make().map(|()| piece.path.as_path())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kit_can_be_read_and_stays_in_its_place() {
        for (name, text) in TEXTS {
            let kit = toml::from_str::<Kit>(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            for file in kit.file {
                let plain = file.path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
                assert!(plain && !file.about.is_empty() && file.text.ends_with('\n'), "{name}: {:?}", file.path);
            }
        }
    }
}
