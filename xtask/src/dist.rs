//! `cargo xtask dist`: the executable, its manual page and completions, and a plugin of the client that runs it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap::Args;
use serde_json::json;
use xshell::{Shell, cmd};

use crate::{build, workspace};

/// Arguments of `dist`.
#[derive(Args)]
pub(crate) struct Dist {
    /// The profiles whose events the plugin registers, separated by commas. Which profile is in force is the configuration's to say.
    #[arg(long, default_value = "standard", value_name = "A[,B]")]
    profile: String,
}

impl Dist {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let hookbin = build::run(sh)?;
        let dist = workspace::root().join("dist");
        let text = |arguments: &[&str]| {
            workspace::scrubbed(cmd!(sh, "{hookbin} {arguments...}")).quiet().read().context("ask the executable")
        };
        write(&dist.join("man/hookbin.1"), &text(&["man"])?)?;
        for shell in ["bash", "zsh", "fish"] {
            write(&dist.join("completions").join(format!("hookbin.{shell}")), &text(&["completions", shell])?)?;
        }
        let hooks = text(&["settings", "--plugin", "--profile", &self.profile])?;
        let plugin = dist.join("plugin");
        write(&plugin.join("hooks/hooks.json"), &hooks)?;
        let manifest = json!({
            "name": "hookbin",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "One executable that answers every hook event: policy, session memory, audit trail.",
            "license": env!("CARGO_PKG_LICENSE"),
            "author": { "name": "The hookbin authors" },
        });
        write(&plugin.join(".claude-plugin/plugin.json"), &serde_json::to_string_pretty(&manifest)?)?;
        let name = hookbin.file_name().context("the executable has no name")?;
        build::place(&hookbin, &plugin.join("bin"), &name.to_string_lossy())?;
        println!("{}: a plugin folder; `claude plugin validate` checks it", plugin.display());
        Ok(())
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().context("the path has no folder")?;
    fs::create_dir_all(folder).with_context(|| format!("create {}", folder.display()))?;
    fs::write(path, format!("{}\n", text.trim_end())).with_context(|| format!("write {}", path.display()))
}
