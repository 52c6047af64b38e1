//! `cargo xtask fuzz`: runs the targets of `fuzz/`, a workspace of its own that needs a nightly compiler.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use xshell::{Shell, cmd};

use crate::workspace;

/// The targets, in the order in which they run.
const TARGETS: &[&str] = &["shell_parse", "resolve", "hook"];

/// Inputs that are looked at for longer than this are faults.
const SLOW_SECONDS: u32 = 10;

/// Longest input. Faults of longer ones are those of shorter ones; what length costs is a test of the crate.
const LONGEST: u32 = 4096;

/// Arguments of `fuzz`.
#[derive(Args)]
pub(crate) struct Fuzz {
    /// One target instead of all.
    target: Option<String>,
    /// How long each target runs.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Compare with other parsers instead: the heads of commands that each of them sees.
    #[arg(long, conflicts_with_all = ["target", "seconds"])]
    oracles: bool,
}

impl Fuzz {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let root = workspace::root();
        let built = workspace::target_dir(sh)?;
        if self.oracles {
            let manifest = root.join("fuzz/oracles/Cargo.toml");
            let target = built.join("fuzz");
            let command = cmd!(sh, "cargo test --manifest-path {manifest} --target-dir {target}");
            return workspace::scrubbed(command).run().context("compare with other parsers");
        }
        let targets: Vec<&str> = match &self.target {
            None => TARGETS.to_vec(),
            Some(name) if TARGETS.contains(&name.as_str()) => vec![name],
            Some(name) => bail!("there is no target `{name}`; there are {}", TARGETS.join(", ")),
        };
        let tool = tool(sh, &built.join("tools"))?;
        let fuzz = root.join("fuzz");
        let target_dir = built.join("fuzz");
        let texts = texts(&root.join("crates/policy/tests/data/shell"))?;
        for target in targets {
            let corpus = seeded(&fuzz.join("corpus").join(target), &texts, target == "hook")?;
            let limits = [
                format!("-max_total_time={}", self.seconds),
                format!("-timeout={SLOW_SECONDS}"),
                format!("-max_len={LONGEST}"),
                format!("-dict={}", fuzz.join("shell.dict").display()),
            ];
            println!("== {target}: {} s", self.seconds);
            // No sanitizer: the libraries forbid unsafe code, and runs are several times as many.
            let command = cmd!(
                sh,
                "{tool} run --fuzz-dir {fuzz} --target-dir {target_dir} --sanitizer none {target} {corpus} -- {limits...}"
            );
            workspace::scrubbed(command.env("RUSTUP_TOOLCHAIN", "nightly"))
                .run()
                .with_context(|| format!("{target} found a fault; the input lies in fuzz/artifacts/{target}"))?;
        }
        Ok(())
    }
}

/// The path of cargo-fuzz, which is installed among the built files if it is missing.
fn tool(sh: &Shell, folder: &Path) -> Result<PathBuf> {
    if let Some(found) = workspace::find_program("cargo-fuzz") {
        return Ok(found);
    }
    let place = folder.join("bin/cargo-fuzz");
    if !place.exists() {
        workspace::scrubbed(cmd!(sh, "cargo install cargo-fuzz --locked --root {folder}"))
            .run()
            .context("install cargo-fuzz")?;
    }
    ensure!(place.exists(), "cargo-fuzz is installed, but not at {}", place.display());
    Ok(place)
}

/// The texts of the parser's table.
fn texts(folder: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("list {}", folder.display()))? {
        let path = entry?.path();
        let table = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        let table: toml::Table = table.parse().with_context(|| format!("parse {}", path.display()))?;
        let cases = table.get("case").and_then(toml::Value::as_array).into_iter().flatten();
        texts.extend(cases.filter_map(|case| case.get("text")?.as_str()).map(str::to_owned));
    }
    ensure!(!texts.is_empty(), "no texts to begin with in {}", folder.display());
    Ok(texts)
}

/// The folder of inputs to begin with. A hook takes a first byte that says what the rest is.
fn seeded(folder: &Path, texts: &[String], marked: bool) -> Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| format!("create {}", folder.display()))?;
    for (number, text) in texts.iter().enumerate() {
        let path = folder.join(format!("table-{number}"));
        let text = if marked { format!("0{text}") } else { text.clone() };
        fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
    }
    Ok(folder.to_owned())
}
