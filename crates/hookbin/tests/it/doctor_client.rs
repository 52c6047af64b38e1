//! What `doctor` says about the host that would be started: which version it is, and how that is found out.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::sandbox::{Ran, Sandbox, run};

/// A project in which hookbin is installed, and a directory of programs.
struct Machine(Sandbox);

impl Machine {
    fn new() -> Self {
        let machine = Self(Sandbox::new());
        let ran = machine.0.cli(&["install", "--scope", "project", "--profile", "standard"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        machine
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.home().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn link(&self, name: &str, to: &Path) {
        let path = self.0.home().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = std::fs::remove_file(&path);
        symlink(to, path).unwrap();
    }

    /// A client that says this when it is started, and leaves a mark.
    fn script(&self, name: &str, then: &str) -> PathBuf {
        let mark = self.0.home().join("started");
        self.file(name, &format!("#!/bin/sh\n: > '{}'\n{then}\n", mark.display()))
    }

    fn was_started(&self) -> bool {
        std::fs::remove_file(self.0.home().join("started")).is_ok()
    }

    /// `doctor --json` with the directory `bin` on `PATH`.
    fn doctor(&self, arguments: &[&str]) -> (Ran, Value) {
        self.doctor_on(&self.0.home().join("bin").display().to_string(), arguments)
    }

    fn doctor_on(&self, path: &str, arguments: &[&str]) -> (Ran, Value) {
        let mut command = self.0.command(&[&["doctor", "--json"], arguments].concat());
        command.env("PATH", path);
        let ran = run(command, b"");
        let report = ran.json();
        (ran, report)
    }
}

/// Level, id and message of what is said about the host.
fn about_client(report: &Value) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = report["findings"].as_array().unwrap().iter();
    let all = all.map(|found| (text(&found["level"]), text(&found["id"]), text(&found["message"])));
    all.filter(|(_, id, _)| id.starts_with("client-")).collect()
}

#[track_caller]
fn is_too_old(ran: &Ran, report: &Value, version: &str) {
    let found = about_client(report);
    let [(level, id, message)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((level.as_str(), id.as_str(), ran.code), ("fault", "client-old", Some(4)), "{ran:?}");
    assert!(message.contains(&format!("version {version},")) && message.contains("drop a settings file"), "{message}");
    assert_eq!(report["registered"][0]["on"], false);
}

#[track_caller]
fn is_new_enough(ran: &Ran, report: &Value) {
    assert!(about_client(report).is_empty() && ran.code == Some(0), "{ran:?}");
    assert_eq!(report["registered"][0]["on"], true);
}

#[test]
fn the_version_of_a_package_is_read_without_starting_it() {
    let machine = Machine::new();
    let package = "lib/node_modules/@anthropic-ai/claude-code";
    for (inside, old) in [("cli.js", "2.1.100"), ("cli.js", "1.0.128"), ("bin/claude.exe", "2.0.77")] {
        let program = machine.script(&format!("{package}/{inside}"), "echo '9.9.9 (Claude Code)'");
        machine.link("bin/claude", &program);
        let manifest = |version: &str| {
            let text = format!(r#"{{"name": "@anthropic-ai/claude-code", "version": "{version}", "bin": {{}}}}"#);
            machine.file(&format!("{package}/package.json"), &text);
        };
        manifest(old);
        let (ran, report) = machine.doctor(&[]);
        is_too_old(&ran, &report, old);
        for new in ["2.1.101", "2.1.332", "2.2.0", "3.0.0"] {
            manifest(new);
            let (ran, report) = machine.doctor(&[]);
            is_new_enough(&ran, &report);
        }
        assert!(!machine.was_started());
    }
}

#[test]
fn the_version_of_an_installer_is_the_name_of_its_file() {
    let machine = Machine::new();
    for (version, old) in [("2.1.12", true), ("2.1.332", false)] {
        let program = machine.script(&format!("share/claude/versions/{version}"), "echo 9.9.9");
        machine.link("bin/claude", &program);
        let (ran, report) = machine.doctor(&[]);
        if old {
            is_too_old(&ran, &report, version);
        } else {
            is_new_enough(&ran, &report);
        }
        assert!(!machine.was_started());
    }
}

#[test]
fn any_other_client_is_asked() {
    let machine = Machine::new();
    // The package of somebody else's project lies around it.
    machine.file("package.json", r#"{"name": "some-app", "version": "1.0.0"}"#);
    machine.script("bin/claude", "[ \"$1\" = --version ] && echo '2.1.100 (Claude Code)'");
    let (ran, report) = machine.doctor(&[]);
    is_too_old(&ran, &report, "2.1.100");
    assert!(machine.was_started());
    machine.script("bin/claude", "[ \"$1\" = --version ] && echo '2.1.101 (Claude Code)'");
    let (ran, report) = machine.doctor(&[]);
    is_new_enough(&ran, &report);
    let (ran, report) = machine.doctor_on(&machine.0.home().join("empty").display().to_string(), &[]);
    is_new_enough(&ran, &report);
}

#[test]
fn a_client_that_does_not_say_its_version_is_a_note() {
    let machine = Machine::new();
    for (script, part) in [
        ("echo 'no licence' >&2; exit 3", "no licence"),
        ("echo 2.1.332; exit 3", "exit status: 3"),
        ("echo hello", "hello"),
        ("exec /bin/sleep 60", "no answer to --version within 5 s"),
    ] {
        machine.script("bin/claude", script);
        let begin = Instant::now();
        let (ran, report) = machine.doctor(&[]);
        assert!(begin.elapsed() < Duration::from_secs(40));
        let found = about_client(&report);
        let [(level, id, message)] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((level.as_str(), id.as_str(), ran.code), ("note", "client-unknown", Some(0)), "{ran:?}");
        assert!(message.contains(part), "{part}: {message}");
        assert_eq!(report["registered"][0]["on"], true);
    }
}

#[test]
fn the_first_executable_on_the_path_counts_and_a_given_one_before_it() {
    let machine = Machine::new();
    let old = machine.script("old/claude", "echo 2.0.1");
    let new = machine.script("new/claude", "echo 2.1.332");
    let not_executable = machine.file("none/claude", "");
    std::fs::set_permissions(&not_executable, std::fs::Permissions::from_mode(0o644)).unwrap();
    std::fs::create_dir_all(machine.0.home().join("folder/claude")).unwrap();
    let path = |names: &[&str]| {
        let dirs = names.iter().map(|name| machine.0.home().join(name));
        std::env::join_paths(dirs).unwrap().into_string().unwrap()
    };
    let (ran, report) = machine.doctor_on(&path(&["none", "folder", "new", "old"]), &[]);
    is_new_enough(&ran, &report);
    let (ran, report) = machine.doctor_on(&path(&["none", "folder", "old", "new"]), &[]);
    is_too_old(&ran, &report, "2.0.1");
    let (ran, report) = machine.doctor_on(&path(&["old"]), &["--client", new.to_str().unwrap()]);
    is_new_enough(&ran, &report);
    let (ran, report) = machine.doctor_on(&path(&["new"]), &["--client", old.to_str().unwrap()]);
    is_too_old(&ran, &report, "2.0.1");
    assert_eq!(machine.0.cli(&["doctor", "--client", "no-such"]).code, Some(64));
}

#[test]
fn a_project_cannot_choose_what_is_started() {
    let machine = Machine::new();
    let mark = machine.0.home().join("started");
    machine.0.write("claude", &format!("#!/bin/sh\n: > '{}'\necho 2.0.1\n", mark.display()));
    std::fs::set_permissions(machine.0.path("claude"), std::fs::Permissions::from_mode(0o755)).unwrap();
    for path in [".", "", ":", "./."] {
        let (ran, report) = machine.doctor_on(path, &[]);
        is_new_enough(&ran, &report);
        assert!(!machine.was_started(), "{path:?}");
    }
}

#[test]
fn where_nothing_is_installed_an_old_client_is_a_note() {
    let machine = Machine(Sandbox::new());
    machine.script("bin/claude", "echo 2.0.1");
    let (ran, report) = machine.doctor(&[]);
    assert_eq!(about_client(&report)[0].0, "note", "{ran:?}");
}
