//! `cargo xtask fuzz`: runs the targets of `fuzz/`, a workspace of its own that needs a nightly compiler.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use xshell::{Shell, cmd};

use crate::workspace::{self, Gate};

/// The targets, in the order in which they run.
const TARGETS: &[&str] =
    &["shell_parse", "resolve", "hook", "event", "transcript", "settings", "profile", "state", "log"];

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
    /// How long all targets run together, in minutes.
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    minutes: Option<u32>,
    /// Compare with other parsers instead: the heads of commands that each of them sees.
    #[arg(long, conflicts_with_all = ["target", "seconds", "minutes"])]
    oracles: bool,
}

/// A short run of every target, where a nightly compiler and cargo-fuzz are installed already.
pub(crate) fn gate(sh: &Shell, seconds: u32) -> Result<Gate> {
    let nightly = workspace::scrubbed(cmd!(sh, "rustup run nightly rustc --version")).quiet().ignore_stderr().read();
    if nightly.is_err() {
        return Ok(Gate::Skipped("there is no nightly compiler".to_owned()));
    }
    if workspace::installed(sh, "cargo-fuzz")?.is_none() {
        return Ok(Gate::Skipped("cargo-fuzz is not installed; `cargo xtask fuzz` installs it".to_owned()));
    }
    Fuzz { target: None, seconds, minutes: None, oracles: false }.run(sh)?;
    Ok(Gate::Held(format!("{} targets, {seconds} s each", TARGETS.len())))
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
        let tool = workspace::cargo_tool(sh, "cargo-fuzz")?;
        let fuzz = root.join("fuzz");
        let target_dir = built.join("fuzz");
        let seeds = seeds(&fuzz)?;
        let shared = u32::try_from(targets.len()).unwrap_or(1).max(1);
        let seconds = self.minutes.map_or(self.seconds, |minutes| minutes.saturating_mul(60) / shared);
        for target in targets {
            let corpus = seeded(root, &seeds, target)?;
            let limits = [
                format!("-max_total_time={seconds}"),
                format!("-timeout={SLOW_SECONDS}"),
                format!("-max_len={LONGEST}"),
                format!("-dict={}", fuzz.join("shell.dict").display()),
            ];
            println!("== {target}: {seconds} s");
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

/// The texts of the parser's table.
fn texts(dir: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(dir).with_context(|| format!("list {}", dir.display()))? {
        let path = entry?.path();
        let table = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        let table: toml::Table = table.parse().with_context(|| format!("parse {}", path.display()))?;
        let cases = table.get("case").and_then(toml::Value::as_array).into_iter().flatten();
        texts.extend(cases.filter_map(|case| case.get("text")?.as_str()).map(str::to_owned));
    }
    ensure!(!texts.is_empty(), "no texts to begin with in {}", dir.display());
    Ok(texts)
}

/// What `fuzz/seeds.toml` says: files and directories by target.
fn seeds(fuzz: &Path) -> Result<toml::Table> {
    let path = fuzz.join("seeds.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
    text.parse().with_context(|| format!("parse {}", path.display()))
}

/// The directory of inputs to begin with: the seeds of the target, and what was found earlier. A hook takes a first byte that says what the
/// rest is.
fn seeded(root: &Path, seeds: &toml::Table, target: &str) -> Result<PathBuf> {
    let dir = root.join("fuzz/corpus").join(target);
    fs::create_dir_all(&dir).with_context(|| format!("create {}", dir.display()))?;
    let sources = seeds.get(target).and_then(toml::Value::as_array);
    let sources = sources.with_context(|| format!("fuzz/seeds.toml has nothing for {target}"))?;
    let mut inputs: Vec<Vec<u8>> = Vec::new();
    for source in sources.iter().filter_map(toml::Value::as_str) {
        let path = root.join(source);
        if ["shell_parse", "resolve", "hook"].contains(&target) {
            let mark = if target == "hook" { "0" } else { "" };
            inputs.extend(texts(&path)?.into_iter().map(|text| format!("{mark}{text}").into_bytes()));
        } else {
            inputs.extend(contents(&path)?);
        }
    }
    let found = root.join("fuzz/regressions").join(target);
    if found.is_dir() {
        inputs.extend(contents(&found)?);
    }
    for (number, bytes) in inputs.iter().enumerate() {
        let path = dir.join(format!("seed-{number}"));
        fs::write(&path, bytes).with_context(|| format!("write {}", path.display()))?;
    }
    Ok(dir)
}

/// The content of a file, or of every file in a directory; of a `.jsonl` file each line by itself.
fn contents(path: &Path) -> Result<Vec<Vec<u8>>> {
    let read = |path: &Path| fs::read(path).with_context(|| format!("read {}", path.display()));
    if !path.is_dir() {
        let bytes = read(path)?;
        let by_line = path.extension().is_some_and(|extension| extension == "jsonl");
        return Ok(if by_line {
            bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
        } else {
            vec![bytes]
        });
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(path).with_context(|| format!("list {}", path.display()))? {
        let path = entry?.path();
        if path.is_file() {
            found.push(read(&path)?);
        }
    }
    Ok(found)
}
