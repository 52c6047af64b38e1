//! `cargo xtask e2e` with a client that is broken, absent, or not the one that was asked for.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use tempfile::TempDir;

/// A target directory of its own, so that nothing of a real run is touched.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Runs the suite with a stand-in for hookbin that only knows how to list its profiles.
    fn e2e(&self, arguments: &[&str], path: Option<&Path>) -> Output {
        let mut command = self.command(arguments);
        if let Some(path) = path {
            command.env("PATH", path);
        }
        command.output().unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let hookbin = self.script("hookbin", "echo 'standard  a profile'");
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.arg("e2e").arg("--hookbin").arg(hookbin).args(arguments);
        command.env("CARGO_TARGET_DIR", self.0.path().join("target"));
        let temporary = self.0.path().join("tmp");
        fs::create_dir_all(&temporary).unwrap();
        command.env("TMPDIR", temporary);
        command
    }

    /// Everything that a run has left in the temporary directory.
    fn left(&self) -> Vec<PathBuf> {
        fs::read_dir(self.0.path().join("tmp")).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    /// The suite with one scenario and a client that is this script.
    fn with_client(&self, script: &str) -> Output {
        let client = self.script("client", script);
        self.e2e(&["--client", client.to_str().unwrap(), "--only", "exit-two"], None)
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Says a version when asked for one, and else does what is given.
fn says_a_version(then: &str) -> String {
    format!("[ \"$1\" = --version ] && echo '2.1.332 (a stand-in)' && exit 0\n{then}")
}

#[test]
fn a_client_that_does_not_start_is_said_with_what_it_printed() {
    let output = Place::new().with_client("echo 'no licence' >&2; exit 7");
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("does not start") && said.contains("no licence") && said.contains('7'), "{said}");
}

#[test]
fn a_client_that_prints_nothing_or_dies_breaks_the_scenario_and_its_output_is_kept() {
    let place = Place::new();
    for (script, part) in [
        ("exit 0", "the client printed nothing"),
        ("echo '{\"type\":\"system\"}'; kill -9 $$", "was ended by a signal"),
        ("echo half; echo trouble >&2; exit 3", "ended with code 3, not 0"),
    ] {
        let output = place.with_client(&says_a_version(script));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(part), "{part}: {said}");
        assert!(said.contains("1 of 1 scenarios do not hold: exit-two (2.1.332)"), "{said}");
    }
    let kept = place.0.path().join("target/e2e/kept/2.1.332/exit-two");
    assert_eq!(fs::read_to_string(kept.join("run-1.out")).unwrap(), "half\n");
    assert_eq!(fs::read_to_string(kept.join("run-1.err")).unwrap(), "trouble\n");
}

#[test]
fn a_client_of_another_version_than_asked_for_is_not_taken() {
    let place = Place::new();
    let cached = "target/e2e/clients/9.9.9/node_modules/@anthropic-ai/claude-code-some-system/claude";
    place.script(cached, &says_a_version(""));
    let output = place.e2e(&["--client-version", "9.9.9"], None);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("says it is 2.1.332, not 9.9.9; delete that directory"), "{said}");
}

#[test]
fn without_npm_the_suite_is_skipped_in_one_line_and_fails_only_where_it_is_required() {
    let place = Place::new();
    let programs = place.0.path().join("bin");
    let cargo = std::env::var("CARGO").unwrap();
    place.script("bin/cargo", &format!("exec '{cargo}' \"$@\""));
    let output = place.e2e(&[], Some(&programs));
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("skipped: ") && said.contains("npm is not installed"), "{said}");
    let output = place.e2e(&["--require"], Some(&programs));
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}

#[test]
fn a_mistake_on_the_command_line_is_said_before_anything_is_built_or_fetched() {
    let place = Place::new();
    for (arguments, part) in [
        (&["--only", "no-such"][..], "no scenario's name contains \"no-such\""),
        (&["--only", "exit-two", "--only", "no-such"], "no scenario's name contains \"no-such\""),
        (&["--smoke", "--only", "terminal"], "no smoke scenario's name contains \"terminal\""),
        (&["--client-version", "latest"], "\"latest\" is no version of the client; give one as "),
        (&["--client-version", "../1.2.3"], "\"../1.2.3\" is no version"),
        (&["--client", "no-such-client", "--only", "exit-two"], "no-such-client"),
    ] {
        let output = place.e2e(arguments, Some(&place.0.path().join("no-programs")));
        let said = stderr(&output);
        assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{arguments:?}: {said}");
        assert!(said.contains(part), "{part}: {said}");
    }
    for arguments in [["--save", "--only=deny"], ["--save", "--smoke"], ["--faults", "--only=deny"]] {
        let output = place.e2e(&arguments, None);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    }
}

/// Ids of the processes that run this program file.
fn running(program: &Path) -> Vec<u32> {
    let name = program.to_str().unwrap().as_bytes();
    let ids = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let has = |pid: &u32| {
        fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.split(|b| *b == 0).any(|part| part == name))
    };
    ids.filter(has).collect()
}

/// Whether this process, and so every process that it starts, ignores a signal.
fn is_ignored(signal: Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal.as_raw() - 1) & 1 == 1
}

#[track_caller]
fn within(limit: Duration, what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + limit;
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_that_is_ended_leaves_no_process_and_no_dir() {
    let place = Place::new();
    // It leaves its group and session, ignores what can be ignored, and goes on.
    let client = place.script(
        "client",
        &says_a_version("trap '' INT TERM HUP; [ \"$1\" = again ] || setsid \"$0\" again & while :; do sleep 1; done"),
    );
    // Whoever is started in the background of a script ignores INT, and so does all that it starts.
    let signals = [Signal::INT, Signal::TERM, Signal::KILL].into_iter().filter(|signal| !is_ignored(*signal));
    for signal in signals {
        let mut command = place.command(&["--client", client.to_str().unwrap(), "--only", "exit-two"]);
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // The run itself has the path among its arguments as well.
        let clients = || running(&client).into_iter().filter(|pid| *pid != run.id()).count();
        within(Duration::from_secs(60), "the client never started", || clients() >= 2);
        rustix::process::kill_process(Pid::from_child(&run), signal).unwrap();
        assert_eq!(run.wait().unwrap().signal(), Some(signal.as_raw()));
        within(Duration::from_secs(20), "a client goes on", || running(&client).is_empty());
        within(Duration::from_secs(20), "a directory is left", || place.left().is_empty());
    }
}

#[test]
fn two_runs_at_once_do_not_disturb_each_other() {
    let place = Place::new();
    let client = place.script("client", &says_a_version("sleep 1; echo half; exit 3"));
    let runs: Vec<_> = (0..3)
        .map(|_| {
            let mut command = place.command(&["--client", client.to_str().unwrap(), "--only", "exit-two"]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        let said = stderr(&output);
        assert!(said.contains("ended with code 3, not 0"), "{said}");
        let kept = said.split("output kept in ").nth(1).and_then(|rest| rest.lines().next()).unwrap();
        assert_eq!(fs::read_to_string(Path::new(kept).join("run-1.out")).unwrap(), "half\n", "{said}");
    }
    assert_eq!(place.left(), [""; 0].map(PathBuf::from));
}

#[test]
fn doctor_and_the_suite_agree_on_the_oldest_client() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let known: toml::Table = fs::read_to_string(root.join("e2e/client.toml")).unwrap().parse().unwrap();
    let doctor = fs::read_to_string(root.join("../crates/hookbin/src/doctor/client.rs")).unwrap();
    let line = format!("const OLDEST: &str = {};", known["oldest"]);
    assert!(doctor.contains(&line), "{line}");
}
