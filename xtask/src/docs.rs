//! `cargo xtask docs`: writes `docs/reference` from the values in the code, or checks that it is what they say.
//!
//! What makes the pages are tests of the executable's package, so that a plain `cargo test` notices a page that is behind; this task
//! starts them, and lets them write.

use anyhow::Result;
use clap::Args;
use xshell::{Shell, cmd};

use crate::workspace;

/// Arguments of `docs`.
#[derive(Args)]
pub(crate) struct Docs {
    /// Only compare; a difference is an error.
    #[arg(long)]
    check: bool,
}

impl Docs {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let command =
            workspace::scrubbed(cmd!(sh, "cargo test --quiet --locked -p hookbin-cli --test it -- reference::"));
        // Set after the scrubbing, which takes out what is called like it.
        let command = if self.check { command } else { command.env("HOOKBIN_WRITE_DOCS", "1") };
        command.run()?;
        println!("docs/reference is {}", if self.check { "what the code says" } else { "written" });
        Ok(())
    }
}
