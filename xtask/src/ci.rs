//! `cargo xtask ci`: every check, in timed sections, the same here and elsewhere.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use xshell::{Cmd, Shell, cmd};

use crate::supply::{self, Tools};
use crate::workspace::{self, Gate};
use crate::{bench, build, e2e, fuzz, smoke};

/// Arguments of `ci`.
#[derive(Args)]
pub(crate) struct Ci {
    /// Also: more cases of every property, a hook stopped at every call, chaos, fuzzing, the oldest compiler, other systems, packages,
    /// advisories, public interfaces.
    #[arg(long)]
    full: bool,
}

/// A section that has run: its name, its time and how it ended.
struct Done {
    name: &'static str,
    time: Duration,
    note: String,
}

struct Sections(Vec<Done>);

impl Ci {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let start = Instant::now();
        let mut sections = Sections(Vec::new());
        let result = run_all(&mut sections, sh, self.full);
        println!("\nSummary");
        for done in &sections.0 {
            println!("  {:>7.1} s  {}{}", done.time.as_secs_f64(), done.name, done.note);
        }
        println!("  {:>7.1} s  in all", start.elapsed().as_secs_f64());
        if result.is_ok() {
            println!("All checks passed.");
        }
        result
    }
}

impl Sections {
    /// Runs one section; a failure names the command that repeats it.
    fn run(&mut self, name: &'static str, repeat: &str, work: impl FnOnce() -> Result<Gate>) -> Result<()> {
        println!("\n== {name}");
        let start = Instant::now();
        let result = work();
        let time = start.elapsed();
        let note = match &result {
            Ok(Gate::Held(note)) if note.is_empty() => String::new(),
            Ok(Gate::Held(note)) => format!(": {note}"),
            Ok(Gate::Skipped(why)) => format!(": SKIPPED, {why}"),
            Err(_) => ": FAILED".to_owned(),
        };
        println!("== {name}: {:.1} s{note}", time.as_secs_f64());
        self.0.push(Done { name, time, note });
        result.map(|_| ()).with_context(|| format!("{name} failed; repeat it with `{repeat}`"))
    }

    /// A section that is one command, with all its output.
    fn command(&mut self, name: &'static str, command: Cmd<'_>) -> Result<()> {
        let repeat = command.to_string();
        let command = workspace::scrubbed(command);
        self.run(name, &repeat, || {
            command.run()?;
            Ok(Gate::Held(String::new()))
        })
    }

    /// A section that is a `cargo test`, of which all but the good cases is shown.
    fn tests(&mut self, name: &'static str, command: Cmd<'_>) -> Result<()> {
        let repeat = command.to_string();
        let command = workspace::scrubbed(command);
        self.run(name, &repeat, || Ok(Gate::Held(test(command)?)))
    }
}

fn run_all(sections: &mut Sections, sh: &Shell, full: bool) -> Result<()> {
    sections.run("toolchain", "rustup component add rustfmt clippy", || toolchain(sh))?;
    sections.command("formatting", cmd!(sh, "cargo fmt --all --check"))?;
    sections.tests("repository checks", cmd!(sh, "cargo test --locked -p xtask"))?;
    let lints = "--workspace --all-targets --all-features --locked".split(' ');
    sections.command("lints", cmd!(sh, "cargo clippy {lints...} -- -D warnings"))?;
    sections.tests("tests", cmd!(sh, "cargo test --workspace --locked"))?;
    let docs = cmd!(sh, "cargo doc --workspace --no-deps --locked").env("RUSTDOCFLAGS", "-D warnings");
    sections.command("documentation", docs)?;

    let mut hookbin = None;
    sections.run("executable", "cargo xtask build", || {
        hookbin = Some(build::run(sh)?);
        Ok(Gate::Held(String::new()))
    })?;
    let hookbin = hookbin.context("the executable was not built")?;
    sections.run("installation", "cargo xtask ci", || {
        smoke::run(&hookbin)?;
        Ok(Gate::Held("installed, refused, allowed, taken out byte for byte".to_owned()))
    })?;
    // Peak memory and page faults follow the order of functions, which a release lists again: `cargo xtask dist` holds them.
    sections.run("cost", "cargo xtask bench --runs 20", || bench::gate(&hookbin, false))?;
    sections.run("real client", if full { "cargo xtask e2e" } else { "cargo xtask e2e --smoke" }, || {
        e2e::gate(sh, &hookbin, full)
    })?;
    if full { run_more(sections, sh) } else { Ok(()) }
}

/// The crates that need no C compiler.
const WITHOUT_C: &[&str] = &[
    "-p", "hook-protocol", "-p", "hook-complexity", "-p", "hook-shell", "-p", "hook-policy", "-p", "hook-audit-log",
    "-p", "hook-session-state",
];

/// What takes longer than a user waits.
fn run_more(sections: &mut Sections, sh: &Shell) -> Result<()> {
    let cases = cmd!(sh, "cargo test --workspace --locked --tests").env("PROPTEST_CASES", "2048");
    sections.tests("tests with more cases", cases)?;
    // What other systems use in place of Linux's calls. The executable's own tests are about the latter.
    let portable = cmd!(sh, "cargo test --locked -p hook-session-state --all-features --tests");
    sections.tests("portable files", portable)?;
    let schema = cmd!(sh, "cargo test --locked -p hook-policy --features schema --test it -- schema");
    sections.tests("schema of the configuration", schema)?;
    let every =
        ["--test", "it", "--", "--ignored", "--exact", "each_call::sx_04_a_hook_stopped_at_every_changing_call"];
    sections.tests("every call", cmd!(sh, "cargo test --locked -p hookbin-cli {every...}"))?;
    let minutes = "5";
    sections.command("chaos", cmd!(sh, "cargo xtask chaos --minutes {minutes} --hookbin dist/hookbin"))?;
    sections.run("fuzzing", "cargo xtask fuzz --seconds 20", || fuzz::gate(sh, 20))?;
    sections.run("oldest compiler", "cargo +1.89 check --workspace --locked", || {
        if let Err(error) = workspace::scrubbed(cmd!(sh, "rustup toolchain install 1.89 --profile minimal")).run() {
            return Ok(Gate::Skipped(format!("it cannot be installed here ({error})")));
        }
        let check = cmd!(sh, "rustup run 1.89 cargo check --workspace --locked");
        workspace::scrubbed(check).env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").run()?;
        Ok(Gate::Held(String::new()))
    })?;
    let with_c = [
        ("macOS", "aarch64-apple-darwin", cfg!(target_os = "macos")),
        ("Windows", "x86_64-pc-windows-gnu", workspace::find_program("x86_64-w64-mingw32-gcc").is_some()),
    ];
    for (name, triple, has_c) in with_c {
        // SQLite is C. Without a compiler for that system, the crates that do without it are checked.
        let packages: &[&str] = if has_c { &["--workspace"] } else { WITHOUT_C };
        sections.run(name, &format!("cargo check {} --locked --target {triple}", packages.join(" ")), || {
            if let Err(error) = workspace::scrubbed(cmd!(sh, "rustup target add {triple}")).run() {
                return Ok(Gate::Skipped(format!("its library cannot be installed here ({error})")));
            }
            workspace::scrubbed(cmd!(sh, "cargo check {packages...} --locked --target {triple}")).run()?;
            let left_out =
                if has_c { "" } else { "the libraries alone; the executable needs a C compiler for that system" };
            Ok(Gate::Held(left_out.to_owned()))
        })?;
    }
    sections.run("packages", "cargo xtask supply packages", || supply::packages(sh))?;
    sections.run("advisories", "cargo xtask supply advisories", || supply::advisories(sh, Tools::IfInstalled))?;
    sections
        .run("public interfaces", "cargo xtask supply interfaces", || supply::interfaces(sh, Tools::IfInstalled, None))
}

/// The parts of the toolchain that the sections below need; installs what is missing where that is possible.
fn toolchain(sh: &Shell) -> Result<Gate> {
    for (component, probe) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let there = || workspace::scrubbed(cmd!(sh, "cargo {probe} --version")).quiet().ignore_stderr().read().is_ok();
        if there() {
            continue;
        }
        println!("{component} is missing; trying `rustup component add {component}`");
        // Its failure says less than the check below.
        let _ = workspace::scrubbed(cmd!(sh, "rustup component add {component}")).run();
        ensure!(there(), "`cargo {probe}` is not there and could not be installed");
    }
    let version = workspace::scrubbed(cmd!(sh, "rustc --version")).quiet().read()?;
    Ok(Gate::Held(version))
}

/// Runs a `cargo test`, shows what is worth reading, and returns the sum of its closing lines.
fn test(command: Cmd<'_>) -> Result<String> {
    println!("$ {command}");
    let mut child = Command::from(command).stdout(Stdio::piped()).spawn().context("start cargo")?;
    let mut totals = Totals::default();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line.context("read the output of cargo")?;
            let line = String::from_utf8_lossy(&line);
            if totals.take(&line) {
                println!("{line}");
            }
        }
    }
    let status = child.wait().context("wait for cargo")?;
    let sum = format!("{} passed, {} failed, {} ignored", totals.passed, totals.failed, totals.ignored);
    if !status.success() {
        bail!("{sum} ({status})");
    }
    ensure!(totals.passed > 0, "not one test ran");
    Ok(sum)
}

/// The sum of the runner's closing lines.
#[derive(Default, Debug, PartialEq, Eq)]
struct Totals {
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl Totals {
    /// Takes one line of the runner into account; says whether a user wants to see it.
    fn take(&mut self, line: &str) -> bool {
        if let Some(counts) = line.strip_prefix("test result: ") {
            for (number, what) in counts.split([';', '.']).filter_map(|part| part.trim().split_once(' ')) {
                let Ok(number) = number.parse::<u64>() else { continue };
                match what {
                    "passed" => self.passed += number,
                    "failed" => self.failed += number,
                    "ignored" => self.ignored += number,
                    _ => {}
                }
            }
            return true;
        }
        let is_good = line.starts_with("test ") && (line.ends_with("... ok") || line.ends_with("... ignored"));
        !(is_good || line.trim().is_empty() || line.starts_with("running "))
    }
}

#[cfg(test)]
mod tests {
    use super::Totals;

    #[test]
    fn closing_lines_add_up_and_good_cases_are_not_shown() {
        let mut totals = Totals::default();
        let lines = [
            ("running 2 tests", false),
            ("test a ... ok", false),
            ("test b ... FAILED", true),
            ("test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 7 filtered out; finished in 0.01s", true),
            ("", false),
            ("thread 'b' panicked at src/lib.rs:1:1:", true),
            ("test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out; finished in 0.01s", true),
        ];
        for (line, shown) in lines {
            assert_eq!(totals.take(line), shown, "{line}");
        }
        assert_eq!(totals, Totals { passed: 13, failed: 1, ignored: 3 });
    }
}
