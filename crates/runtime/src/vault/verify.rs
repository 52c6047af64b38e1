//! Whether a vault is whole, and what is in it.

use std::fmt;
use std::path::{Path, PathBuf};

use hook_protocol::settings::edit::server_command;

use super::manifest::Manifest;
use super::phases::BOOT_SCRIPT;
use super::{CLIENT, Progress, SERVER, Source, Vault, private};
use crate::Error;
use crate::error::ensure;
use crate::installation::shell_quote;
use crate::programs::launch::is_executable;
use crate::system::files;

/// One thing that is wrong with a vault.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// The file or directory.
    #[serde(serialize_with = "files::lossy")]
    pub path: PathBuf,
    /// What is wrong with it.
    pub message: String,
    /// The command that mends it.
    pub fix: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}\n       fix: {}", self.path.display(), self.message, self.fix)
    }
}

/// Checks the manifest, every blob by its name and size, the host's program by its hash, the boot script, the links, the host's
/// file of state, and that nobody else may look in.
pub fn verify(vault: &Vault) -> Result<Vec<Problem>, Error> {
    ensure!(!vault.is_foreign(), "{}", vault.foreign());
    let progress = Progress::read(vault)?;
    let again = again(vault, progress.as_ref().map(|progress| &progress.source));
    let mut problems = Vec::new();
    let mut say = |path: &Path, message: &str, fix: String| {
        problems.push(Problem { path: path.to_owned(), message: message.to_owned(), fix });
    };
    let path = vault.manifest();
    let entries = match Manifest::read(&path) {
        Ok(Some(manifest)) => manifest.entries,
        Ok(None) => {
            say(&path, "the manifest is missing", again.clone());
            Vec::new()
        }
        Err(error) => {
            say(&path, &format!("{error:#}"), again.clone());
            Vec::new()
        }
    };
    for entry in &entries {
        let real = Path::new(&entry.real);
        if !real.starts_with(vault.storage()) {
            say(real, "the manifest names a place outside the store", again.clone());
        } else if !real.exists() {
            say(real, "it is missing", again.clone());
        } else if real.is_file() {
            let (hash, size) = private::hash(real)?;
            let name = real.file_name().unwrap_or_default().to_string_lossy();
            let named = name.rsplit('-').next().filter(|part| part.len() == hash.len());
            if named.is_some_and(|named| named != hash) {
                say(real, "its content is not that of its name", again.clone());
            }
            if entry.size != size.to_string() {
                say(real, "its size is not that of the manifest", again.clone());
            }
        }
        if others_may_look(real) {
            say(real, "others may look at it", private_again(real));
        }
    }
    let client = vault.blobs().join(CLIENT);
    if let Some(recorded) = progress.as_ref().and_then(|progress| progress.client.as_deref())
        && client.is_dir()
        && private::hash_tree(&client)? != recorded
    {
        say(&client, "Claude Code's program is not the one that was copied", again.clone());
    }
    for dir in [vault.storage(), vault.backups(), vault.blobs(), vault.links()] {
        if others_may_look(&dir) {
            say(&dir, "others may look into it", private_again(&dir));
        }
    }
    let script = vault.boot_script();
    if files::read(&script).ok().flatten().is_some_and(|text| text != BOOT_SCRIPT) {
        let script_word = shell_quote(&script.to_string_lossy());
        say(
            &script,
            "the boot script is not what the vault writes",
            format!("mv {script_word} {script_word}.old; {again}"),
        );
    } else if !is_executable(&script) {
        say(&script, "the boot script is missing or cannot be executed", again.clone());
    }
    for name in [SERVER, CLIENT] {
        let link = vault.links().join(name);
        let target = std::fs::canonicalize(&link).ok();
        let blobs = std::fs::canonicalize(vault.blobs()).unwrap_or_default();
        if target.is_none_or(|target| !target.starts_with(&blobs)) {
            say(&link, "the link is missing, or leads to no blob", again.clone());
        }
    }
    if let Some(progress) = &progress {
        let path = progress.source.state_file();
        let text = files::read(&path)?.unwrap_or_default();
        let program = server_command(&text, SERVER).ok().flatten();
        if program.map(PathBuf::from) != Some(vault.links().join(SERVER)) {
            say(&path, &format!("it does not start {SERVER} from the vault"), again);
        }
    }
    Ok(problems)
}

/// The command that does a vault's installation again.
fn again(vault: &Vault, source: Option<&Source>) -> String {
    let word = |path: &Path| shell_quote(&path.to_string_lossy());
    let root = word(vault.root());
    match source {
        None => format!("hookbin vault install --project {root} --binary FILE --client DIR"),
        Some(source) => format!(
            "hookbin vault install --project {root} --home {} --binary {} --client {}{}",
            word(&source.home),
            word(&source.binary),
            word(&source.client),
            if source.credentials { " --credentials" } else { "" }
        ),
    }
}

fn private_again(path: &Path) -> String {
    format!("chmod go= {}", shell_quote(&path.to_string_lossy()))
}

#[cfg(unix)]
pub(crate) fn others_may_look(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.symlink_metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
pub(crate) fn others_may_look(_path: &Path) -> bool {
    false
}

/// The tree that the contained client sees, and what to do next. Names and sizes only.
pub fn summary(vault: &Vault) -> Result<String, Error> {
    ensure!(!vault.is_foreign(), "{}", vault.foreign());
    let path = vault.manifest();
    let Some(manifest) = Manifest::read(&path)? else {
        return Ok(format!("there is no vault in {}; `hookbin vault install` makes one\n", vault.root().display()));
    };
    let mut entries = manifest.entries;
    entries.sort_by(|a, b| a.seen_at.cmp(&b.seen_at));
    let mut out = format!("{}, {} entries, made {}\n\n", path.display(), entries.len(), manifest.created);
    let mut above: Vec<&str> = Vec::new();
    for entry in &entries {
        let mut parts: Vec<&str> = entry.seen_at.split('/').filter(|part| !part.is_empty()).collect();
        let name = parts.pop().unwrap_or_default();
        let common = above.iter().zip(&parts).take_while(|(a, b)| a == b).count();
        for (depth, part) in parts.iter().enumerate().skip(common) {
            out.push_str(&format!("{}{}{part}/\n", "  ".repeat(depth), if depth == 0 { "/" } else { "" }));
        }
        out.push_str(&format!("{}{name}  ({}, {})\n", "  ".repeat(parts.len()), entry.kind, entry.size));
        above = parts;
    }
    out.push_str(
        "\nNext:\n1. Start a session in the project; its start boots the vault and logs to boot.log.\n\
         2. `hookbin vault verify` checks the vault at any time.\n3. `hookbin vault remove` gives everything back.\n",
    );
    Ok(out)
}
