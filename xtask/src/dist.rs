//! `cargo xtask dist`: the executables, their manual pages and completions, a plugin of the client that runs hookbin, and checksums of it all.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;
use sha2::{Digest, Sha256};
use xshell::{Shell, cmd};

use crate::order::link::Fit;
use crate::{bench, build, workspace};

/// Arguments of `dist`.
#[derive(Args)]
pub(crate) struct Dist {
    /// The profiles whose events the plugin registers, separated by commas. Which profile is in force is the configuration's to say.
    #[arg(long, default_value = "standard", value_name = "A[,B]")]
    profile: String,
}

/// Where the checksums stand, in the form of `sha256sum`.
const SUMS: &str = "SHA256SUMS";

impl Dist {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let hookbin = build::run(sh)?;
        match build::fit_of_order(sh)? {
            Fit::Good(_) => {
                bench::gate(&hookbin, true)?;
            }
            Fit::Not(why) => println!("{why}; peak memory and page faults are not held"),
            Fit::Stale(why) => bail!(why),
        }
        let dist = workspace::root().join("dist");
        let sync = sync(sh, &dist)?;
        let mut files = vec![hookbin.clone(), sync.clone()];
        let mut write = |path: PathBuf, text: &str| {
            workspace::put(&path, format!("{}\n", text.trim_end()).as_bytes(), None).map(|()| files.push(path))
        };
        let ask = |program: &Path, arguments: &[&str]| {
            workspace::scrubbed(cmd!(sh, "{program} {arguments...}")).quiet().read().context("ask the executable")
        };
        write(dist.join("man/hookbin.1"), &ask(&hookbin, &["man"])?)?;
        write(dist.join("man/hookbin-sync.1"), &ask(&sync, &["--man"])?)?;
        for shell in ["bash", "zsh", "fish"] {
            let name = format!("hookbin.{shell}");
            write(dist.join("completions").join(name), &ask(&hookbin, &["completions", shell])?)?;
        }
        let hooks = ask(&hookbin, &["settings", "--plugin", "--profile", &self.profile])?;
        let plugin = dist.join("plugin");
        write(plugin.join("hooks/hooks.json"), &hooks)?;
        let manifest = json!({
            "name": "hookbin",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "One executable that answers every hook event: policy, session memory, audit trail.",
            "license": env!("CARGO_PKG_LICENSE"),
            "author": { "name": "The hookbin authors" },
        });
        write(plugin.join(".claude-plugin/plugin.json"), &serde_json::to_string_pretty(&manifest)?)?;
        let name = hookbin.file_name().context("the executable has no name")?;
        files.push(build::place(&hookbin, &plugin.join("bin"), &name.to_string_lossy())?);
        // Last, so that they never speak of what is not there yet.
        workspace::put(&dist.join(SUMS), sums(&dist, &files)?.as_bytes(), None)?;
        println!("{}: {} files; `sha256sum -c {SUMS}` compares them", dist.display(), files.len());
        println!("{}: a plugin directory; `claude plugin validate` checks it", plugin.display());
        Ok(())
    }
}

/// Builds and places `hookbin-sync`. It talks to servers, so it is linked with what the system has, as name resolution wants.
fn sync(sh: &Shell, dist: &Path) -> Result<PathBuf> {
    let cargo = cmd!(sh, "cargo build --release --locked -p hookbin-sync");
    workspace::scrubbed(cargo).run().context("build hookbin-sync")?;
    let name = format!("hookbin-sync{}", std::env::consts::EXE_SUFFIX);
    build::place(&workspace::target_dir(sh)?.join("release").join(&name), dist, &name)
}

/// A line a file: its checksum and its path in the directory, in the order of the paths.
fn sums(dir: &Path, files: &[PathBuf]) -> Result<String> {
    let mut lines = Vec::new();
    for path in files {
        let content = fs::read(path).with_context(|| format!("read {}", path.display()))?;
        let hex: String = Sha256::digest(content).iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        let name = path.strip_prefix(dir).unwrap_or(path).to_string_lossy().replace('\\', "/");
        lines.push((name, hex));
    }
    lines.sort();
    Ok(lines.into_iter().fold(String::new(), |all, (name, hex)| all + &format!("{hex}  {name}\n")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::sums;

    #[test]
    fn checksums_are_those_of_sha256sum() {
        let dir = tempfile::tempdir().unwrap();
        let files = ["b", "man/a"].map(|name| dir.path().join(name));
        fs::create_dir(dir.path().join("man")).unwrap();
        fs::write(&files[0], "abc").unwrap();
        fs::write(&files[1], "").unwrap();
        // The examples of the standard (FIPS 180-4).
        assert_eq!(
            sums(dir.path(), &files).unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n\
             e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  man/a\n"
        );
    }
}
