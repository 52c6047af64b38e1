//! Installing, uninstalling and the vault, stopped at each of their writing system calls in turn: killed there, or with no space left
//! on the disk from there on.

use std::path::PathBuf;
use std::process::Command;

use crate::sandbox::{Sandbox, tree};
use crate::tracer::{self, Ended, Fault, Which};
use crate::vault::Client;

/// Runs `command` with `fault` at its changing call number `at`, from 1. `None` if it has fewer.
fn run_with(command: &Command, fault: Fault, at: usize) -> Option<Ended> {
    let traced = tracer::run(command, b"", Which::Changing, fault, at);
    (traced.calls.len() >= at).then_some(traced.ended)
}

const BEFORE: &str = "{\n  \"model\": \"x\"\n}\n";

/// The command at each of its writing calls: the settings are the old or the new, and the next runs put everything right.
fn settings_are_old_or_new(fault: Fault, verb: &str) {
    let args: &[&str] =
        if verb == "install" { &["install", "--scope", "project", "--profile", "spf"] } else { &["uninstall"] };
    let mut seen = [false; 2];
    let fresh = || {
        let sandbox = Sandbox::new();
        sandbox.write(".claude/settings.json", BEFORE);
        sandbox
    };
    let with_entry = || {
        let sandbox = fresh();
        assert_eq!(sandbox.cli(&["install", "--scope", "project", "--profile", "spf"]).code, Some(0));
        sandbox
    };
    let installed = with_entry().read(".claude/settings.json");
    for at in 1.. {
        let sandbox = if verb == "install" { fresh() } else { with_entry() };
        let Some(ended) = run_with(&sandbox.command_to_kill(args), fault, at) else {
            assert!(at > 10, "only {at} writes were seen");
            break;
        };
        let now = sandbox.read(".claude/settings.json");
        assert!(now == BEFORE || now == installed, "{fault:?} {verb} at {at}: {now}");
        seen[usize::from(now == installed)] = true;
        match fault {
            Fault::KillBefore => assert_eq!(ended, Ended::Killed, "{verb} at {at}"),
            _ => assert_ne!(ended, Ended::Killed, "{verb} at {at}"),
        }
        assert_eq!(
            sandbox.cli(&["install", "--scope", "project", "--profile", "spf"]).code,
            Some(0),
            "{fault:?} {verb} at {at}"
        );
        assert_eq!(sandbox.read(".claude/settings.json"), installed, "{fault:?} {verb} at {at}");
        assert_eq!(sandbox.cli(&["uninstall", "--purge"]).code, Some(0), "{fault:?} {verb} at {at}");
        assert_eq!(sandbox.read(".claude/settings.json"), BEFORE, "{fault:?} {verb} at {at}");
        assert_eq!(tree(&sandbox.project()), [sandbox.path(".claude/settings.json")], "{fault:?} {verb} at {at}");
    }
    assert_eq!(seen, [true; 2], "only one of the two states was ever seen");
}

#[test]
fn installing_killed_at_each_write() {
    settings_are_old_or_new(Fault::KillBefore, "install");
}

#[test]
fn installing_with_a_full_disk_at_each_write() {
    settings_are_old_or_new(Fault::DiskFull, "install");
}

#[test]
fn uninstalling_killed_at_each_write() {
    settings_are_old_or_new(Fault::KillBefore, "uninstall");
}

#[test]
fn uninstalling_with_a_full_disk_at_each_write() {
    settings_are_old_or_new(Fault::DiskFull, "uninstall");
}

/// The vault's one foreign file, the host's state, is the old or the new; the next run finishes, and removing gives all back.
fn vault(fault: Fault) {
    let whole = Client::installed();
    let staged = whole.state();
    for at in 1.. {
        let client = Client::new();
        let before = client.state();
        let Some(ended) = run_with(&client.command(&[]), fault, at) else {
            assert!(at > 40, "only {at} writes were seen");
            break;
        };
        let now = client.state();
        assert!(now == before || same_but_paths(&now, &staged, &client, &whole), "{fault:?} at {at}: {now}");
        assert_eq!(ended == Ended::Killed, fault == Fault::KillBefore, "at {at}: {ended:?}");
        let ran = client.install(&[]);
        assert_eq!(ran.code, Some(0), "{fault:?} at {at}: {ran:?}");
        let ran = client.verify();
        assert_eq!(ran.code, Some(0), "{fault:?} at {at}: {ran:?}");
        assert_eq!(client.leftovers(), Vec::<PathBuf>::new(), "{fault:?} at {at}");
        assert_eq!(client.sandbox.cli(&["vault", "remove"]).code, Some(0), "{fault:?} at {at}");
        assert_eq!(client.state(), before, "{fault:?} at {at}");
    }
}

/// Whoever changes his mind after an interruption gets everything back, and nothing half made stays.
#[test]
fn the_vault_taken_out_after_each_interruption() {
    for at in 1.. {
        let client = Client::new();
        let before = client.state();
        if run_with(&client.command(&[]), Fault::KillBefore, at).is_none() {
            break;
        }
        let ran = client.sandbox.cli(&["vault", "remove"]);
        assert_eq!(ran.code, Some(0), "at {at}: {ran:?}");
        assert_eq!(client.state(), before, "at {at}");
        assert_eq!(client.leftovers(), Vec::<PathBuf>::new(), "at {at}");
    }
}

/// Two sandboxes lie at different places.
fn same_but_paths(text: &str, other: &str, here: &Client, there: &Client) -> bool {
    let (here, there) = (here.sandbox.home(), there.sandbox.home());
    text.replace(here.to_str().unwrap(), "") == other.replace(there.to_str().unwrap(), "")
}

#[test]
fn the_vault_killed_at_each_write() {
    vault(Fault::KillBefore);
}

#[test]
fn the_vault_with_a_full_disk_at_each_write() {
    vault(Fault::DiskFull);
}
