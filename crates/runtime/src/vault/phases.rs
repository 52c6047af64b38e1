//! The eleven phases of an installation.

use std::path::{Path, PathBuf};

use hook_protocol::settings::edit::{server, server_command, set_server_command};

use super::manifest::{self, Entry, Manifest};
use super::own::{self, HISTORY_BLOB, STATE_COPY};
use super::verify::verify;
use super::{CLIENT, Progress, Rewritten, SERVER, Source, Vault, private};
use crate::Error;
use crate::error::{Context as _, bail, ensure};
use crate::installation::shell_quote;
use crate::programs::launch::is_executable;
use crate::system::System;
use crate::system::files::{self, Change, real, sha256};

/// The phases by name, in `spf`'s order, which is the order of execution.
pub const PHASES: [&str; 11] = [
    "preflight", "backup", "binaries", "configs", "large directories", "manifest", "boot injection", "links",
    "client state", "verify", "summary",
];

/// Small files of `.claude/` beside `.claude.json`.
pub(crate) const CONFIGS: [&str; 6] =
    ["settings.json", "config.json", CREDENTIALS, "claude.md", "stats-cache.json", "settings.local.json"];

const CREDENTIALS: &str = ".credentials.json";

/// Directories of `.claude/`.
pub(crate) const DIRS: [&str; 10] = [
    "projects", "file-history", "paste-cache", "session-env", "todos", "plans", "tasks", "shell-snapshots", "statsig",
    "telemetry",
];

const HISTORY: &str = "history.jsonl";

/// What a phase said about itself.
type Told<'t> = &'t mut dyn FnMut(usize, &str);

/// Installs, or goes on with an installation that was interrupted. `told` hears of every phase when it is done.
pub fn install(vault: &Vault, source: &Source, system: &System, told: Told<'_>) -> Result<(), Error> {
    vault.boot_step()?;
    preflight(vault, source)?;
    told(1, "everything is there");
    let _lock = files::lock(vault.root())?;
    let _beside = vault.lock_beside(source)?;
    let mut progress = begin(vault, source, system)?;
    for phase in 2..=PHASES.len() {
        if phase <= progress.done {
            told(phase, "done earlier");
            continue;
        }
        let run = Run { vault, source, system };
        let said = match phase {
            2 => run.back_up(&progress)?,
            3 => run.binaries(&mut progress)?,
            4 => run.configs()?,
            5 => run.large_dirs()?,
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
pub fn plan(vault: &Vault, source: &Source) -> Result<Vec<String>, Error> {
    vault.boot_step()?;
    preflight(vault, source)?;
    let dir = source.dir();
    let there = |names: &[&str]| names.iter().filter(|name| is_taken(source, &dir, name)).count();
    Ok(vec![
        "check what has to be there".to_owned(),
        format!("copy {} and {} to {}", source.state_file().display(), dir.display(), vault.backups().display()),
        format!("copy {} and {} to {}", source.binary.display(), source.client.display(), vault.blobs().display()),
        format!("copy .claude.json and {} small files to {}", there(&CONFIGS), vault.staging().display()),
        format!("copy {} directories and {HISTORY} to {}", there(&DIRS), vault.blobs().display()),
        format!("write {}", vault.manifest().display()),
        format!("write {}", vault.boot_script().display()),
        format!("link both programs in {}", vault.links().display()),
        format!("let {} start {SERVER} from {}", source.state_file().display(), vault.links().display()),
        "check all of it".to_owned(),
        "print what is there".to_owned(),
    ])
}

fn is_taken(source: &Source, dir: &Path, name: &str) -> bool {
    (name != CREDENTIALS || source.credentials) && dir.join(name).exists()
}

/// Phase 1: what has to be there, is, and what must not be there, is not. All that is missing is named at once, and nothing is made.
fn preflight(vault: &Vault, source: &Source) -> Result<(), Error> {
    let wanted = [
        ("the program of the MCP server", source.binary.clone(), Kind::Program),
        ("Claude Code's directory", source.client.clone(), Kind::Dir),
        ("Claude Code's file of state", source.state_file(), Kind::File),
        ("Claude Code's directory of settings", source.dir(), Kind::Dir),
    ];
    let faults: Vec<String> = wanted
        .iter()
        .filter_map(|(what, path, kind)| kind.fault(path).map(|fault| format!("{what} ({}) {fault}", path.display())))
        .collect();
    ensure!(faults.is_empty(), "preflight: {}; nothing was changed", faults.join("; "));
    let root = real(vault.root());
    for dir in [source.dir(), source.client.clone()] {
        if root.starts_with(real(&dir)) {
            bail!("preflight: the project lies inside {}, so the vault would copy itself", dir.display());
        }
    }
    own::check(vault, Progress::read(vault)?.is_some())?;
    let path = source.state_file();
    let text = files::read(&path)?.unwrap_or_default();
    let said = || format!("preflight: cannot let {} start {SERVER} from a vault; nothing was changed", path.display());
    set_server_command(&text, SERVER, "").with_context(said)?;
    if let Some(other) = other_vault(vault, server_command(&text, SERVER).with_context(said)?) {
        let way = shell_quote(&other.to_string_lossy());
        bail!(
            "preflight: {} starts {SERVER} from the vault in {}; `hookbin vault remove --project {way}` first",
            path.display(),
            other.display()
        );
    }
    Ok(())
}

/// What a source has to be.
enum Kind {
    Program,
    Dir,
    File,
}

impl Kind {
    fn fault(&self, path: &Path) -> Option<&'static str> {
        let Ok(metadata) = path.metadata() else { return Some("is not there") };
        match self {
            Self::Dir => (!metadata.is_dir()).then_some("is not a directory"),
            Self::Program | Self::File if metadata.is_dir() => Some("is a directory, and a file is needed"),
            Self::File => (!metadata.is_file()).then_some("is not a plain file"),
            Self::Program => (!is_executable(path)).then_some("cannot be executed"),
        }
    }
}

/// The project of another vault that a program belongs to. Two vaults that start one server could not both be undone.
fn other_vault(vault: &Vault, program: Option<String>) -> Option<PathBuf> {
    let program = PathBuf::from(program?);
    let links = program.parent()?;
    let root = links.parent()?;
    let other = Vault { project: crate::project::Project::at(root), ..vault.clone() };
    // Whoever made it: what starts from there is what the user's own file says.
    let is_there = other.exists() || other.is_foreign();
    (other.links() == links && real(root) != real(vault.root()) && is_there).then(|| root.to_owned())
}

/// The installation to go on with, or a new one.
fn begin(vault: &Vault, source: &Source, system: &System) -> Result<Progress, Error> {
    let earlier = Progress::read(vault)?;
    if let Some(home) = earlier.as_ref().map(|earlier| &earlier.source.home).filter(|home| **home != source.home) {
        bail!("this vault holds the client of {}; `hookbin vault remove` first", home.display());
    }
    clear(vault, earlier.as_ref());
    // Where the store itself is gone, there is nothing to go on with.
    let unfinished = vault.note().exists() && earlier.as_ref().is_some_and(|progress| progress.done < PHASES.len());
    if let Some(progress) = earlier.clone().filter(|progress| unfinished && progress.source == *source) {
        // It may have ended before all of them were there.
        make_dirs(vault)?;
        return Ok(progress);
    }
    if unfinished {
        bail!(
            "an installation from elsewhere is unfinished here; finish it with the same arguments, or `hookbin vault remove`"
        );
    }
    let kept = Progress::of_backups(vault)?;
    let stamp = system.now.format("%Y%m%d-%H%M%S").to_string();
    let missing = vault.dirs().into_iter().filter(|dir| !dir.exists());
    let name = |dir: PathBuf| dir.strip_prefix(vault.root()).ok().map(|name| name.to_string_lossy().into_owned());
    let mut made: Vec<String> = missing.filter_map(name).collect();
    let mut backups = vec![dir_name(&stamp), original_name(&stamp)];
    for earlier in earlier.iter().chain(&kept) {
        made.extend(earlier.made.iter().filter(|name| !made.contains(name)).cloned().collect::<Vec<_>>());
        backups.extend(earlier.backups.iter().filter(|name| !backups.contains(name)).cloned().collect::<Vec<_>>());
    }
    let progress = Progress {
        version: 1,
        source: source.clone(),
        stamp,
        done: 1,
        places: Some(vault.places.clone()),
        server_before: earlier.as_ref().and_then(|earlier| earlier.server_before.clone()),
        rewritten: earlier.and_then(|earlier| earlier.rewritten),
        client: None,
        made,
        backups,
        removed: false,
    };
    // The notes come first, so that whatever else is made can be taken out again.
    progress.write(vault)?;
    make_dirs(vault)?;
    Ok(progress)
}

/// Removes what interrupted runs left half made, wherever a vault writes.
pub(crate) fn clear(vault: &Vault, noted: Option<&Progress>) {
    let backups = noted.iter().flat_map(|noted| noted.own_backups()).map(|name| vault.backups().join(name));
    for dir in std::iter::once(vault.root().to_owned()).chain(vault.dirs()).chain(backups) {
        private::clear(&dir);
    }
    vault.kept.iter().for_each(|dir| drop(files::clear_temporaries(dir)));
    if let Some(dir) = noted.and_then(|noted| noted.source.state_dir()) {
        files::clear_temporaries(&dir);
    }
}

/// Makes the directories that are missing, and keeps what goes into them out of the repository.
fn make_dirs(vault: &Vault) -> Result<(), Error> {
    for dir in vault.dirs() {
        private::dir(&dir)?;
    }
    for dir in [vault.storage(), vault.backups()] {
        private::write(&dir.join(".gitignore"), own::ignore_text(vault, &dir).as_bytes(), 0o600)?;
    }
    Ok(())
}

struct Run<'r> {
    vault: &'r Vault,
    source: &'r Source,
    system: &'r System,
}

impl Run<'_> {
    fn collect(&self, rows: Vec<Entry>) -> Result<(), Error> {
        manifest::collect(&self.vault.rows(), rows)
    }

    /// Phase 2.
    fn back_up(&self, progress: &Progress) -> Result<String, Error> {
        let dir = backup(self.vault, progress);
        let state = private::copy(&self.source.state_file(), &dir.join(STATE_COPY))?;
        let skip =
            |path: &Path| path == Path::new("debug") || (path == Path::new(CREDENTIALS) && !self.source.credentials);
        let bytes = private::copy_tree(&self.source.dir(), &dir.join("claude"), &skip, &self.vault.backups())?;
        Ok(format!("{} bytes in {}", state + bytes, dir.display()))
    }

    /// Phase 3.
    fn binaries(&self, progress: &mut Progress) -> Result<String, Error> {
        let (blob, size) =
            private::copy_blob(&self.source.binary, &self.vault.blobs(), "", true, &self.vault.storage())?;
        let client = self.vault.blobs().join(CLIENT);
        let bytes = private::copy_tree(&self.source.client, &client, &|_| false, &self.vault.storage())?;
        progress.client = Some(private::hash_tree(&client)?);
        self.collect(vec![
            entry(format!("/home/agent/bin/{SERVER}"), &blob, size.to_string(), "binary")?,
            entry(format!("/home/agent/bin/{CLIENT}"), &client, "directory".to_owned(), "binary")?,
        ])?;
        Ok(format!("{} bytes", size + bytes))
    }

    /// Phase 4. Files that are not there are passed over.
    fn configs(&self) -> Result<String, Error> {
        let staging = self.vault.staging();
        let mut rows = Vec::new();
        let state = staging.join(STATE_COPY);
        let size = private::copy(&self.source.state_file(), &state)?;
        rows.push(entry("/home/agent/.claude.json".to_owned(), &state, size.to_string(), "config")?);
        for name in CONFIGS {
            if !is_taken(self.source, &self.source.dir(), name) {
                continue;
            }
            let to = staging.join(name);
            let size = private::copy(&self.source.dir().join(name), &to)?;
            rows.push(entry(format!("/home/agent/.claude/{name}"), &to, size.to_string(), "config")?);
        }
        let count = rows.len();
        self.collect(rows)?;
        Ok(format!("{count} files"))
    }

    /// Phase 5.
    fn large_dirs(&self) -> Result<String, Error> {
        let mut rows = Vec::new();
        for name in DIRS {
            let from = self.source.dir().join(name);
            if !from.is_dir() {
                continue;
            }
            let to = self.vault.blobs().join(format!("claude-{name}"));
            let size = private::copy_tree(&from, &to, &|_| false, &self.vault.storage())?;
            rows.push(entry(format!("/home/agent/.claude/{name}"), &to, size.to_string(), "directory")?);
        }
        let history = self.source.dir().join(HISTORY);
        if history.is_file() {
            // The word keeps it from being taken for the server's program, which is the first blob without it.
            let (blob, size) =
                private::copy_blob(&history, &self.vault.blobs(), HISTORY_BLOB, false, &self.vault.storage())?;
            rows.push(entry(format!("/home/agent/.claude/{HISTORY}"), &blob, size.to_string(), "file")?);
        }
        let count = rows.len();
        self.collect(rows)?;
        Ok(format!("{count} blobs"))
    }

    /// Phase 6.
    fn manifest(&self) -> Result<String, Error> {
        let rows = manifest::rows(&self.vault.rows())?;
        // After an interruption the rows may be gone and the manifest whole.
        if rows.is_empty() && Manifest::read(&self.vault.manifest())?.is_some() {
            return Ok("written earlier".to_owned());
        }
        let count = rows.len();
        let created = self.system.now.to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        Manifest::write(&self.vault.manifest(), created, rows)?;
        files::remove(&self.vault.rows())?;
        self.drop_old_blobs()?;
        Ok(format!("{count} entries"))
    }

    /// Blobs of an earlier installation that no entry names any more; the boot step would take one for the program.
    fn drop_old_blobs(&self) -> Result<(), Error> {
        let manifest = Manifest::read(&self.vault.manifest())?.map(|manifest| manifest.entries).unwrap_or_default();
        for found in std::fs::read_dir(self.vault.blobs())? {
            let path = found?.path();
            if own::is_blob(&path) && path.is_file() && manifest.iter().all(|entry| Path::new(&entry.real) != path) {
                files::remove(&path)?;
            }
        }
        Ok(())
    }

    /// Phase 7. Session starts call the boot step already, because the profile has it; the script does the same by hand.
    fn boot_injection(&self) -> Result<String, Error> {
        let script = self.vault.boot_script();
        private::write(&script, BOOT_SCRIPT.as_bytes(), 0o700)?;
        Ok(format!("{}; the profile's session start has the step", script.display()))
    }

    /// Phase 8.
    fn links(&self) -> Result<String, Error> {
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
    fn client_state(&self, progress: &mut Progress) -> Result<String, Error> {
        let path = self.source.state_file();
        let before = files::read(&path)?.with_context(|| format!("{} is gone", path.display()))?;
        let program = self.vault.links().join(SERVER);
        let program = program.to_str().context("the project's path is no Unicode text, which JSON cannot hold")?;
        let edit = |text: &str| set_server_command(text, SERVER, program);
        let after =
            edit(&before).with_context(|| format!("cannot edit {}; correct it, then install again", path.display()))?;
        if progress.rewritten.is_none() {
            progress.server_before = server(&before, SERVER).map_err(Error::other)?;
        }
        if after != before || progress.rewritten.is_none() {
            let original = match &progress.rewritten {
                Some(rewritten) if sha256(before.as_bytes()) == rewritten.after => rewritten.original.clone(),
                _ => {
                    let original = self.vault.backups().join(original_name(&progress.stamp));
                    private::write(&original, before.as_bytes(), 0o600)?;
                    original
                }
            };
            progress.rewritten =
                Some(Rewritten { after: sha256(after.as_bytes()), original, program: program.to_owned() });
            progress.write(self.vault)?;
        }
        let change = Change { spot: (&path).into(), before: Some(before), after: Some(after) };
        if change.is_needed() {
            change.make()?;
        }
        Ok(format!("{} starts {SERVER} from {program}", path.display()))
    }

    /// Phase 10.
    fn verify(&self) -> Result<String, Error> {
        let problems = verify(self.vault)?;
        let said: Vec<String> =
            problems.iter().map(|problem| format!("{}: {}", problem.path.display(), problem.message)).collect();
        ensure!(said.is_empty(), "verify: {}", said.join("; "));
        Ok("everything is in its place".to_owned())
    }
}

fn backup(vault: &Vault, progress: &Progress) -> PathBuf {
    vault.backups().join(dir_name(&progress.stamp))
}

fn dir_name(stamp: &str) -> String {
    format!("pre-lmdb5-{stamp}")
}

fn original_name(stamp: &str) -> String {
    format!("claude.json-{stamp}")
}

fn entry(seen_at: String, real: &Path, size: String, kind: &str) -> Result<Entry, Error> {
    let real = real.to_str().context("the project's path is no Unicode text, which a manifest cannot hold")?;
    Ok(Entry { seen_at, real: real.to_owned(), size, kind: kind.to_owned() })
}

pub(crate) const BOOT_SCRIPT: &str = "\
#!/bin/sh
# Written by `hookbin vault install`: boots the vault of this project by hand, as every session start does.
here=$(cd \"${0%/*}/..\" && pwd) || exit 0
own=${XDG_DATA_HOME:-$HOME/.local/share}/hookbin/hookbin
[ -x \"$own\" ] || own=hookbin
exec \"$own\" vault boot --project \"$here\"
";
