//! S0's containment: the client's program, configuration and data in a store inside the project, found through a manifest.
//!
//! Installing goes in eleven phases. Each is written so that doing it again gives the same, and the note of progress says which are
//! done, so an installation that was interrupted goes on where it was. Everything in the store is for its owner alone; nothing of it
//! is printed but names and sizes. Credentials stay out unless they are asked for.

mod manifest;
mod phases;
mod private;
mod remove;
mod verify;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use hook_policy::check::{Boot, Check};
use serde::{Deserialize, Serialize};

pub use self::manifest::{Entry, Manifest};
pub use self::phases::{PHASES, install, plan};
pub use self::remove::remove;
pub use self::verify::{Problem, summary, verify};
use crate::cache;
use crate::host::Host;
use crate::install::{self, shell_quote};
use crate::project::Project;

/// The MCP server whose program the store holds.
const SERVER: &str = "spf-smart-gate";

/// The client's program in the store.
const CLIENT: &str = "claude-code";

/// Where everything of one vault lies.
#[derive(Debug, Clone)]
pub struct Vault {
    project: Project,
    /// The boot step of the profile in force, which says where manifest and blobs are looked for at a session's start.
    boot: Boot,
}

/// What to put into a vault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The folder that holds `.claude.json` and `.claude/`.
    pub home: PathBuf,
    /// The program of the MCP server.
    pub binary: PathBuf,
    /// The client's own folder.
    pub client: PathBuf,
    /// Take `.credentials.json` as well.
    pub credentials: bool,
}

impl Source {
    fn state_file(&self) -> PathBuf {
        self.home.join(".claude.json")
    }

    fn folder(&self) -> PathBuf {
        self.home.join(".claude")
    }
}

impl Vault {
    /// The vault of a project. The profile in force must have a step `boot`, or no session would ever use the store.
    pub fn of(project: &Project, host: &Host) -> anyhow::Result<Self> {
        let profile = cache::resolve_now(None, Some(project), host).profile;
        let boot = profile.handlers.into_iter().flat_map(|handler| handler.checks).find_map(|check| match check {
            Check::Boot(boot) => Some(boot),
            _ => None,
        });
        let root = shell_quote(&project.root().to_string_lossy());
        let boot = boot.with_context(|| {
            format!(
                "no profile in force in {} has the step `boot`, so nothing would use a vault; `hookbin install --project {root} --profile spf` first",
                project.root().display()
            )
        })?;
        for path in [&boot.manifest, &boot.blobs] {
            let inside = Path::new(path).components().all(|part| matches!(part, std::path::Component::Normal(_)));
            if !inside {
                bail!("the boot step looks for `{path}`, which is not inside the project; a vault is");
            }
        }
        Ok(Self { project: project.clone(), boot })
    }

    fn root(&self) -> &Path {
        self.project.root()
    }

    /// The manifest.
    pub fn manifest(&self) -> PathBuf {
        self.root().join(&self.boot.manifest)
    }

    fn blobs(&self) -> PathBuf {
        self.root().join(&self.boot.blobs)
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

    fn progress(&self) -> PathBuf {
        self.storage().join("vault.json")
    }

    /// What a session's start does with the manifest: the variables that it exports, and the line that it logs.
    pub fn boot(&self) -> anyhow::Result<Booted> {
        let path = self.manifest();
        Manifest::read(&path)?.with_context(|| format!("there is no manifest at {}", path.display()))?;
        let mut names: Vec<String> = std::fs::read_dir(self.blobs())
            .with_context(|| format!("cannot read {}", self.blobs().display()))?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| !name.contains(&self.boot.skip))
            .collect();
        names.sort();
        let executable = names.first().map(|name| self.blobs().join(name));
        let export = self.boot.export.clone().into_iter().collect();
        Ok(Booted { log: self.project.state().join(&self.boot.file), executable, export })
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

/// How far an installation is, and what it has to know to be undone.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Progress {
    version: u32,
    source: Source,
    /// Names this installation's backup.
    stamp: String,
    /// The number of the last phase that is done.
    done: usize,
    /// The server's entry in `.claude.json` before the first installation; `None` when there was none.
    #[serde(default)]
    server_before: Option<String>,
    /// SHA-256 of `.claude.json` as it was written, and the backup that holds the bytes before.
    #[serde(default)]
    rewritten: Option<Rewritten>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Rewritten {
    after: String,
    original: PathBuf,
}

impl Progress {
    fn read(vault: &Vault) -> anyhow::Result<Option<Self>> {
        let path = vault.progress();
        let Some(text) = install::read(&path)? else { return Ok(None) };
        let found = serde_json::from_str(&text);
        found
            .with_context(|| format!("{} is damaged; `hookbin vault remove` cannot undo without it", path.display()))
            .map(Some)
    }

    fn write(&self, vault: &Vault) -> anyhow::Result<()> {
        private::write(&vault.progress(), serde_json::to_string_pretty(self)?.as_bytes(), 0o600)
    }
}
