//! Containment: the host's program, configuration and data in a store inside the project, found through a manifest.
//!
//! Installing goes in eleven phases. Each is written so that doing it again gives the same, and the note of progress says which are
//! done, so an installation that was interrupted goes on where it was. Everything in the store is for its owner alone; nothing of it
//! is printed but names and sizes. Credentials stay out unless they are asked for.

mod manifest;
mod own;
mod phases;
mod private;
mod progress;
mod remove;
mod twin;
mod verify;

use std::fs::File;
use std::path::{Path, PathBuf};

use hook_policy::check::{Boot, Check};
use serde::{Deserialize, Serialize};

pub use self::manifest::{Entry, Manifest};
pub use self::phases::{PHASES, install, plan};
use self::progress::{Places, Progress, Rewritten};
pub use self::remove::remove;
use self::twin::Twin;
pub use self::verify::{Problem, summary, verify};
use crate::Error;
use crate::config::cache;
use crate::error::{Context as _, bail, ensure};
use crate::installation::shell_quote;
use crate::project::Project;
use crate::system::System;
use crate::system::files::{lock, real};

/// The MCP server whose program the store holds.
const SERVER: &str = "spf-smart-gate";

/// The host's program in the store.
const CLIENT: &str = "claude-code";

/// Where everything of one vault lies.
#[derive(Debug, Clone)]
pub struct Vault {
    project: Project,
    places: Places,
    /// The boot step of the profile in force, if it has one.
    boot: Option<Boot>,
    /// The user's directory in which is known which vaults are theirs.
    kept: Option<PathBuf>,
}

/// What to put into a vault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The directory that holds `.claude.json` and `.claude/`.
    pub home: PathBuf,
    /// The program of the MCP server.
    pub binary: PathBuf,
    /// The host's own directory.
    pub client: PathBuf,
    /// Take `.credentials.json` as well.
    pub credentials: bool,
}

impl Source {
    fn state_file(&self) -> PathBuf {
        self.home.join(".claude.json")
    }

    /// Where that file is written: a link may lead elsewhere.
    fn state_dir(&self) -> Option<PathBuf> {
        real(&self.state_file()).parent().map(Path::to_owned)
    }

    fn dir(&self) -> PathBuf {
        self.home.join(".claude")
    }
}

impl Vault {
    /// The vault that a project has or is to get. Without a step `boot` in the profile in force, no session uses the store: such a
    /// vault can be looked at and taken out, and none can be made.
    pub fn of(project: &Project, system: &System) -> Result<Self, Error> {
        let boot = boot_step(None, Some(project), system);
        // The names are `spf`'s, which is what the profile `spf` has.
        let named = boot.clone().or_else(|| boot_step(Some(&["spf".to_owned()]), None, system));
        let named = named.context("this executable has no profile with the step `boot`")?;
        let places = Places { manifest: named.manifest, blobs: named.blobs };
        let kept = system.state_dir().map(|dir| dir.join("vaults"));
        let mut vault = Self { project: project.clone(), places, boot, kept };
        // A vault stays where it was made, whatever the profile says later. A damaged note is told about where it matters.
        if let Some(recorded) = Progress::read(&vault).ok().flatten().and_then(|progress| progress.places) {
            vault.places = recorded;
        }
        if let Some(path) = vault.places.outside() {
            bail!("the boot step looks for `{path}`, which is not inside the project; a vault is");
        }
        Ok(vault)
    }

    /// Whether a vault is there, whole or not.
    pub fn exists(&self) -> bool {
        !matches!(Progress::read(self), Ok(None))
    }

    /// Whether notes of a vault lie there that this user did not make: a clone brings what it likes, and nothing of it is believed.
    pub fn is_foreign(&self) -> bool {
        Twin::of(self).is_none() && [self.note(), self.second_note()].iter().any(|note| note.symlink_metadata().is_ok())
    }

    /// What is said of such a vault.
    pub fn foreign(&self) -> String {
        format!(
            "nobody here installed the vault in {}, so nothing that its notes say counts; if you did with an earlier version, put \
             .claude.json back from a copy in {} and move both directories away",
            self.storage().display(),
            self.backups().display()
        )
    }

    /// Whether a session's start uses the store.
    pub fn is_used(&self) -> bool {
        self.boot.as_ref().is_some_and(|boot| boot.manifest == self.places.manifest && boot.blobs == self.places.blobs)
    }

    /// The vault as messages name it.
    pub fn said(&self) -> String {
        format!("the vault in {}", self.storage().display())
    }

    /// The command that takes it out.
    pub fn way_out(&self) -> String {
        format!("hookbin vault remove --project {}", shell_quote(&self.root().to_string_lossy()))
    }

    /// The boot step, or why nothing would use the vault.
    fn boot_step(&self) -> Result<&Boot, Error> {
        let root = shell_quote(&self.root().to_string_lossy());
        let boot = self.boot.as_ref().with_context(|| {
            format!(
                "no profile in force in {} has the step `boot`, so nothing would use a vault; `hookbin install --project {root} --profile spf` first",
                self.root().display()
            )
        })?;
        ensure!(
            self.is_used(),
            "the boot step looks for {} and {}, and the vault is elsewhere; `hookbin vault remove --project {root}` first",
            boot.manifest,
            boot.blobs
        );
        Ok(boot)
    }

    fn root(&self) -> &Path {
        self.project.root()
    }

    /// One installation is at work at a client's file of state at a time, which the vaults of several projects change.
    fn lock_beside(&self, source: &Source) -> Result<Option<File>, Error> {
        let dir = source.state_dir().filter(|dir| dir.is_dir() && real(dir) != real(self.root()));
        dir.map_or(Ok(None), |dir| lock(&dir))
    }

    /// The manifest.
    pub fn manifest(&self) -> PathBuf {
        self.root().join(&self.places.manifest)
    }

    fn blobs(&self) -> PathBuf {
        self.root().join(&self.places.blobs)
    }

    fn storage(&self) -> PathBuf {
        self.root().join("storage")
    }

    fn staging(&self) -> PathBuf {
        self.storage().join("staging/configs")
    }

    fn backups(&self) -> PathBuf {
        self.root().join("backup")
    }

    fn links(&self) -> PathBuf {
        self.root().join("agent-bin")
    }

    fn boot_script(&self) -> PathBuf {
        self.root().join("scripts/boot-lmdb5.sh")
    }

    /// The rows of the manifest while they are collected.
    fn rows(&self) -> PathBuf {
        self.storage().join("manifest.rows")
    }

    fn note(&self) -> PathBuf {
        self.storage().join("vault.json")
    }

    fn second_note(&self) -> PathBuf {
        self.backups().join("vault.json")
    }

    /// The directories that a vault needs, outermost first.
    fn dirs(&self) -> Vec<PathBuf> {
        let mut dirs: Vec<PathBuf> = Vec::new();
        let agent = self.storage().join("agent_state");
        let needed = [self.backups(), self.blobs(), self.staging(), agent, self.links()];
        let above = [self.manifest(), self.boot_script()];
        let needed = needed.iter().map(PathBuf::as_path).chain(above.iter().filter_map(|file| file.parent()));
        for dir in needed {
            let mut missing: Vec<PathBuf> =
                dir.ancestors().take_while(|above| *above != self.root()).map(Path::to_owned).collect();
            missing.reverse();
            missing.retain(|dir| !dirs.contains(dir));
            dirs.extend(missing);
        }
        dirs
    }

    /// The files that a vault writes under fixed names, and one in each of its other directories.
    fn files(&self) -> Vec<PathBuf> {
        let inside = [self.blobs(), self.staging(), self.links(), self.storage().join("agent_state")];
        let mut files: Vec<PathBuf> = inside.iter().map(|dir| dir.join("-")).collect();
        files.extend([self.manifest(), self.boot_script(), self.note(), self.second_note()]);
        files
    }

    /// What a session's start does with the manifest: the variables that it exports, and the line that it logs.
    pub fn boot(&self) -> Result<Booted, Error> {
        let boot = self.boot_step()?;
        let path = self.manifest();
        Manifest::read(&path)?.with_context(|| format!("there is no manifest at {}", path.display()))?;
        let mut names: Vec<String> = std::fs::read_dir(self.blobs())
            .with_context(|| format!("cannot read {}", self.blobs().display()))?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| !name.contains(&boot.skip))
            .collect();
        names.sort();
        let executable = names.first().map(|name| self.blobs().join(name));
        let export = boot.export.clone().into_iter().collect();
        Ok(Booted { log: self.project.state().join(&boot.file), executable, export })
    }
}

/// What a boot found.
#[derive(Debug, Clone)]
pub struct Booted {
    /// The program of the MCP server.
    pub executable: Option<PathBuf>,
    /// Variables and their values.
    pub export: Vec<(String, String)>,
    /// The log that it writes to.
    pub log: PathBuf,
}

/// The boot step of a profile.
fn boot_step(profiles: Option<&[String]>, project: Option<&Project>, system: &System) -> Option<Boot> {
    let profile = cache::resolve_now(profiles, project, system).profile;
    profile.handlers.into_iter().flat_map(|handler| handler.checks).find_map(|check| match check {
        Check::Boot(boot) => Some(boot),
        _ => None,
    })
}
