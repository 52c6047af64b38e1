//! The eleven phases of an installation (S0-112 to S0-122).

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use hook_protocol::settings::edit::{server, set_server_command};

use super::manifest::{self, Entry, Manifest};
use super::verify::{others_may_look, verify};
use super::{CLIENT, Progress, Rewritten, SERVER, Source, Vault, private};
use crate::host::Host;
use crate::install::{self, Change, sha256, shell_quote};
use crate::{open, user};

/// The phases by name, in the document's order, which is the order of execution.
pub const PHASES: [&str; 11] = [
    "preflight",
    "backup",
    "binaries",
    "configs",
    "large folders",
    "manifest",
    "boot injection",
    "links",
    "client state",
    "verify",
    "summary",
];

/// Small files of `.claude/` beside `.claude.json` (S0-123).
const CONFIGS: [&str; 6] =
    ["settings.json", "config.json", CREDENTIALS, "claude.md", "stats-cache.json", "settings.local.json"];

const CREDENTIALS: &str = ".credentials.json";

/// Folders of `.claude/` (S0-124).
const FOLDERS: [&str; 10] = [
    "projects",
    "file-history",
    "paste-cache",
    "session-env",
    "todos",
    "plans",
    "tasks",
    "shell-snapshots",
    "statsig",
    "telemetry",
];

const HISTORY: &str = "history.jsonl";

/// What a phase said about itself.
type Told<'t> = &'t mut dyn FnMut(usize, &str);

/// Installs, or goes on with an installation that was interrupted. `told` hears of every phase when it is done.
pub fn install(vault: &Vault, source: &Source, host: &Host, told: Told<'_>) -> anyhow::Result<()> {
    preflight(vault, source)?;
    told(1, "everything is there");
    let _lock = install::lock(vault.root())?;
    let mut progress = begin(vault, source, host)?;
    for phase in 2..=PHASES.len() {
        if phase <= progress.done {
            told(phase, "done earlier");
            continue;
        }
        let run = Run { vault, source, host };
        let said = match phase {
            2 => run.back_up(&progress)?,
            3 => run.binaries()?,
            4 => run.configs()?,
            5 => run.large_folders()?,
            6 => run.manifest()?,
            7 => run.boot_injection()?,
            8 => run.links()?,
            9 => run.client_state(&mut progress)?,
            10 => run.verify()?,
            _ => "`hookbin vault summary` prints it again".to_owned(),
        };
        progress.done = phase;
        progress.write(vault)?;
        told(phase, &said);
    }
    Ok(())
}

/// What an installation would do, a line a phase. Nothing is changed.
pub fn plan(vault: &Vault, source: &Source) -> anyhow::Result<Vec<String>> {
    preflight(vault, source)?;
    let folder = source.folder();
    let there = |names: &[&str]| names.iter().filter(|name| is_taken(source, &folder, name)).count();
    Ok(vec![
        "check what has to be there".to_owned(),
        format!("copy {} and {} to {}", source.state_file().display(), folder.display(), vault.backups().display()),
        format!("copy {} and {} to {}", source.binary.display(), source.client.display(), vault.blobs().display()),
        format!("copy .claude.json and {} small files to {}", there(&CONFIGS), vault.staging().display()),
        format!("copy {} folders and {HISTORY} to {}", there(&FOLDERS), vault.blobs().display()),
        format!("write {}", vault.manifest().display()),
        format!("write {}", vault.boot_script().display()),
        format!("link both programs in {}", vault.links().display()),
        format!("let {} start {SERVER} from {}", source.state_file().display(), vault.links().display()),
        "check all of it".to_owned(),
        "print what is there".to_owned(),
    ])
}

fn is_taken(source: &Source, folder: &Path, name: &str) -> bool {
    (name != CREDENTIALS || source.credentials) && folder.join(name).exists()
}

/// Phase 1: what has to be there, is. All that is missing is named at once, and nothing is made.
fn preflight(vault: &Vault, source: &Source) -> anyhow::Result<()> {
    let wanted: [(&str, PathBuf, bool); 4] = [
        ("the program of the MCP server", source.binary.clone(), user::is_executable(&source.binary)),
        ("the client's folder", source.client.clone(), source.client.is_dir()),
        ("the client's file of state", source.state_file(), source.state_file().is_file()),
        ("the client's folder of settings", source.folder(), source.folder().is_dir()),
    ];
    let missing: Vec<String> = wanted
        .iter()
        .filter(|(_, _, there)| !there)
        .map(|(what, path, _)| format!("{what} ({}) is not there", path.display()))
        .collect();
    ensure!(missing.is_empty(), "preflight: {}; nothing was changed", missing.join("; "));
    let root = real(vault.root());
    for folder in [source.folder(), source.client.clone()] {
        if root.starts_with(real(&folder)) {
            bail!("preflight: the project lies inside {}, so the vault would copy itself", folder.display());
        }
    }
    for folder in [vault.storage(), vault.backups(), vault.links(), vault.staging(), vault.blobs()] {
        is_private(&folder)?;
    }
    Ok(())
}

fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Refuses a folder that is a link, or that others may look into: private data is about to go there.
fn is_private(folder: &Path) -> anyhow::Result<()> {
    let Ok(metadata) = folder.symlink_metadata() else { return Ok(()) };
    ensure!(metadata.is_dir(), "preflight: {} is not a folder; move it away", folder.display());
    ensure!(
        !others_may_look(folder),
        "preflight: others may look into {}; `chmod 700 {}` first",
        folder.display(),
        shell_quote(&folder.to_string_lossy())
    );
    Ok(())
}

/// The installation to go on with, or a new one.
fn begin(vault: &Vault, source: &Source, host: &Host) -> anyhow::Result<Progress> {
    let earlier = Progress::read(vault)?;
    if let Some(home) = earlier.as_ref().map(|earlier| &earlier.source.home).filter(|home| **home != source.home) {
        bail!("this vault holds the client of {}; `hookbin vault remove` first", home.display());
    }
    if let Some(folder) = vault.boot_script().parent() {
        private::clear(folder);
    }
    for folder in [vault.storage(), vault.staging(), vault.backups(), vault.links()] {
        private::clear(&folder);
    }
    let unfinished = earlier.as_ref().is_some_and(|progress| progress.done < PHASES.len());
    if let Some(progress) = earlier.clone().filter(|progress| unfinished && progress.source == *source) {
        return Ok(progress);
    }
    if unfinished {
        bail!(
            "an installation from elsewhere is unfinished here; finish it with the same arguments, or `hookbin vault remove`"
        );
    }
    let progress = Progress {
        version: 1,
        source: source.clone(),
        stamp: host.now.format("%Y%m%d-%H%M%S").to_string(),
        done: 1,
        server_before: earlier.as_ref().and_then(|earlier| earlier.server_before.clone()),
        rewritten: earlier.and_then(|earlier| earlier.rewritten),
    };
    for folder in [vault.blobs(), vault.staging(), vault.storage().join("agent_state"), vault.backups(), vault.links()]
    {
        open::private_folder(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    for folder in [vault.storage(), vault.backups()] {
        private::write(&folder.join(".gitignore"), b"# Private data of the contained client.\n*\n", 0o600)?;
    }
    progress.write(vault)?;
    Ok(progress)
}

struct Run<'r> {
    vault: &'r Vault,
    source: &'r Source,
    host: &'r Host,
}

impl Run<'_> {
    fn rows(&self) -> PathBuf {
        self.vault.storage().join("manifest.rows")
    }

    fn collect(&self, rows: Vec<Entry>) -> anyhow::Result<()> {
        manifest::collect(&self.rows(), rows)
    }

    /// Phase 2.
    fn back_up(&self, progress: &Progress) -> anyhow::Result<String> {
        let folder = backup(self.vault, progress);
        private::copy(&self.source.state_file(), &folder.join("claude.json"))?;
        let skip =
            |path: &Path| path == Path::new("debug") || (path == Path::new(CREDENTIALS) && !self.source.credentials);
        let bytes = private::copy_tree(&self.source.folder(), &folder.join("claude"), &skip, &self.vault.backups())?;
        Ok(format!("{bytes} bytes in {}", folder.display()))
    }

    /// Phase 3.
    fn binaries(&self) -> anyhow::Result<String> {
        let (blob, size) =
            private::copy_blob(&self.source.binary, &self.vault.blobs(), "", true, &self.vault.storage())?;
        let client = self.vault.blobs().join(CLIENT);
        let bytes = private::copy_tree(&self.source.client, &client, &|_| false, &self.vault.storage())?;
        self.collect(vec![
            entry(format!("/home/agent/bin/{SERVER}"), &blob, size.to_string(), "binary")?,
            entry(format!("/home/agent/bin/{CLIENT}"), &client, "directory".to_owned(), "binary")?,
        ])?;
        Ok(format!("{} bytes", size + bytes))
    }

    /// Phase 4. Files that are not there are passed over.
    fn configs(&self) -> anyhow::Result<String> {
        let staging = self.vault.staging();
        let mut rows = Vec::new();
        let state = staging.join("claude.json");
        let size = private::copy(&self.source.state_file(), &state)?;
        rows.push(entry("/home/agent/.claude.json".to_owned(), &state, size.to_string(), "config")?);
        for name in CONFIGS {
            if !is_taken(self.source, &self.source.folder(), name) {
                continue;
            }
            let to = staging.join(name);
            let size = private::copy(&self.source.folder().join(name), &to)?;
            rows.push(entry(format!("/home/agent/.claude/{name}"), &to, size.to_string(), "config")?);
        }
        let count = rows.len();
        self.collect(rows)?;
        Ok(format!("{count} files"))
    }

    /// Phase 5.
    fn large_folders(&self) -> anyhow::Result<String> {
        let mut rows = Vec::new();
        for name in FOLDERS {
            let from = self.source.folder().join(name);
            if !from.is_dir() {
                continue;
            }
            let to = self.vault.blobs().join(format!("claude-{name}"));
            let size = private::copy_tree(&from, &to, &|_| false, &self.vault.storage())?;
            rows.push(entry(format!("/home/agent/.claude/{name}"), &to, size.to_string(), "directory")?);
        }
        let history = self.source.folder().join(HISTORY);
        if history.is_file() {
            // The word keeps it from being taken for the server's program, which is the first blob without it (S0-109).
            let (blob, size) =
                private::copy_blob(&history, &self.vault.blobs(), "claude-history-", false, &self.vault.storage())?;
            rows.push(entry(format!("/home/agent/.claude/{HISTORY}"), &blob, size.to_string(), "file")?);
        }
        let count = rows.len();
        self.collect(rows)?;
        Ok(format!("{count} blobs"))
    }

    /// Phase 6.
    fn manifest(&self) -> anyhow::Result<String> {
        let rows = manifest::rows(&self.rows())?;
        // After an interruption the rows may be gone and the manifest whole.
        if rows.is_empty() && Manifest::read(&self.vault.manifest())?.is_some() {
            return Ok("written earlier".to_owned());
        }
        let count = rows.len();
        let created = self.host.now.to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        Manifest::write(&self.vault.manifest(), created, rows)?;
        install::remove(&self.rows())?;
        self.drop_old_blobs()?;
        Ok(format!("{count} entries"))
    }

    /// Blobs of an earlier installation that no entry names any more; the boot step would take one for the program.
    fn drop_old_blobs(&self) -> anyhow::Result<()> {
        let manifest = Manifest::read(&self.vault.manifest())?.map(|manifest| manifest.entries).unwrap_or_default();
        for found in std::fs::read_dir(self.vault.blobs())? {
            let path = found?.path();
            if path.is_file() && manifest.iter().all(|entry| Path::new(&entry.real) != path) {
                install::remove(&path)?;
            }
        }
        Ok(())
    }

    /// Phase 7. Session starts call the boot step already, because the profile has it; the script does the same by hand.
    fn boot_injection(&self) -> anyhow::Result<String> {
        let script = self.vault.boot_script();
        private::write(&script, BOOT_SCRIPT.as_bytes(), 0o700)?;
        Ok(format!("{}; the profile's session start has the step", script.display()))
    }

    /// Phase 8.
    fn links(&self) -> anyhow::Result<String> {
        let manifest = Manifest::read(&self.vault.manifest())?.context("there is no manifest")?;
        for name in [SERVER, CLIENT] {
            let seen = format!("/home/agent/bin/{name}");
            let found = manifest.entries.iter().find(|entry| entry.seen_at == seen);
            let target = &found.with_context(|| format!("the manifest has no {seen}"))?.real;
            // Relative, so that the project can be moved as a whole.
            let target = Path::new(target).strip_prefix(self.vault.root()).unwrap_or(Path::new(target));
            private::link(&Path::new("..").join(target), &self.vault.links().join(name))?;
        }
        Ok(format!("{} and {} in {}", SERVER, CLIENT, self.vault.links().display()))
    }

    /// Phase 9. The note of what was there is written before the file is, so that an interruption between both can be undone.
    fn client_state(&self, progress: &mut Progress) -> anyhow::Result<String> {
        let path = self.source.state_file();
        let before = install::read(&path)?.with_context(|| format!("{} is gone", path.display()))?;
        let program = self.vault.links().join(SERVER);
        let program = program.to_str().context("the project's path is no Unicode text, which JSON cannot hold")?;
        let edit = |text: &str| set_server_command(text, SERVER, program);
        let after = edit(&before).with_context(|| format!("cannot edit {}; nothing was changed", path.display()))?;
        if progress.rewritten.is_none() {
            progress.server_before = server(&before, SERVER)?;
        }
        if after != before || progress.rewritten.is_none() {
            let original = match &progress.rewritten {
                Some(rewritten) if sha256(before.as_bytes()) == rewritten.after => rewritten.original.clone(),
                _ => {
                    let original = self.vault.backups().join(format!("claude.json-{}", progress.stamp));
                    private::write(&original, before.as_bytes(), 0o600)?;
                    original
                }
            };
            progress.rewritten = Some(Rewritten { after: sha256(after.as_bytes()), original });
            progress.write(self.vault)?;
        }
        let change = Change { path: path.clone(), before: Some(before), after: Some(after) };
        if change.is_needed() {
            change.make()?;
        }
        Ok(format!("{} starts {SERVER} from {program}", path.display()))
    }

    /// Phase 10.
    fn verify(&self) -> anyhow::Result<String> {
        let problems = verify(self.vault)?;
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        ensure!(said.is_empty(), "verify: {}", said.join("; "));
        Ok("everything is in its place".to_owned())
    }
}

pub(super) fn backup(vault: &Vault, progress: &Progress) -> PathBuf {
    vault.backups().join(format!("pre-lmdb5-{}", progress.stamp))
}

fn entry(seen_at: String, real: &Path, size: String, kind: &str) -> anyhow::Result<Entry> {
    let real = real.to_str().context("the project's path is no Unicode text, which a manifest cannot hold")?;
    Ok(Entry { seen_at, real: real.to_owned(), size, kind: kind.to_owned() })
}

pub(super) const BOOT_SCRIPT: &str = "\
#!/bin/sh
# Written by `hookbin vault install`: boots the vault of this project by hand, as every session start does.
here=$(cd \"${0%/*}/..\" && pwd) || exit 0
exec \"$here/.claude/hookbin/hookbin\" vault boot --project \"$here\"
";
