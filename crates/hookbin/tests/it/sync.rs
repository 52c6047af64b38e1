//! `hookbin sync`: which program it becomes, and what it tells it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sandbox::{Ran, Sandbox, run};

/// The executable in a directory of its own, since other tests build the program beside it.
fn alone(sandbox: &Sandbox) -> PathBuf {
    let dir = sandbox.home().join("bin");
    fs::create_dir_all(&dir).unwrap();
    let placed = dir.join("hookbin");
    fs::copy(env!("CARGO_BIN_EXE_hookbin"), &placed).unwrap();
    placed
}

/// A program of that name, which says how it was started and ends with a code of its own.
fn put_program(dir: &Path, name: &str) {
    fs::create_dir_all(dir).unwrap();
    let path = dir.join("hookbin-sync");
    fs::write(&path, format!("#!/bin/sh\necho \"{name} $* to $HOOKBIN_REGISTRY_URL\"\nexit 4\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn sync(sandbox: &Sandbox, hookbin: &Path, args: &[&str], env: &[(&str, &str)]) -> Ran {
    let mut command = Command::new(hookbin);
    command.arg("sync").args(args).env_clear().env("HOME", sandbox.home()).envs(env.iter().copied());
    command.current_dir(sandbox.project());
    run(command, b"")
}

#[test]
fn without_a_server_or_the_program_it_says_how_to_get_them() {
    let sandbox = Sandbox::new();
    let hookbin = alone(&sandbox);
    let no_server = sync(&sandbox, &hookbin, &[], &[]);
    assert_eq!(no_server.code, Some(64));
    assert!(no_server.stderr.contains("[registry]"), "{no_server:?}");
    // A variable that a project may have set is none of the user's, until their note says so.
    let not_noted = sync(&sandbox, &hookbin, &[], &[("HOOKBIN_REGISTRY_URL", "postgres://secret@x/y")]);
    assert!(
        not_noted.code == Some(64) && not_noted.stderr.contains("a line `HOOKBIN_REGISTRY_URL` in"),
        "{not_noted:?}"
    );
    assert!(!not_noted.stderr.contains("secret"), "{not_noted:?}");
    sandbox.note_environment("HOOKBIN_REGISTRY_URL\n");
    let no_program =
        sync(&sandbox, &hookbin, &[], &[("HOOKBIN_REGISTRY_URL", "postgres://secret@x/y"), ("PATH", ".:bin")]);
    assert_eq!(no_program.code, Some(70));
    assert!(no_program.stderr.contains("cargo install hookbin-sync"), "{no_program:?}");
    assert!(!no_program.stderr.contains("secret"), "{no_program:?}");
    assert_eq!(sync(&sandbox, &hookbin, &["--once", "--watch"], &[]).code, Some(64));
}

#[test]
fn it_becomes_the_program_beside_it_or_else_on_the_path() {
    let sandbox = Sandbox::new();
    let hookbin = alone(&sandbox);
    sandbox.note_environment("HOOKBIN_REGISTRY_URL\n");
    let elsewhere = sandbox.home().join("elsewhere");
    put_program(&elsewhere, "elsewhere");
    // A program of the project's own does not count.
    put_program(&sandbox.path("node_modules/.bin"), "project");
    let path = elsewhere.to_str().unwrap().to_owned();
    let env = [("HOOKBIN_REGISTRY_URL", "postgres://one"), ("DATABASE_URL", "postgres://two"), ("PATH", &path)];
    let ran = sync(&sandbox, &hookbin, &["--watch", "--interval", "9", "--forget", "30"], &env);
    assert_eq!(ran.code, Some(4));
    let state = sandbox.home().join(".local/state/hookbin");
    let (spool, database) = (state.join("registry"), state.join("registry.db"));
    let arguments = format!("--spool {} --database {}", spool.display(), database.display());
    assert_eq!(ran.stdout, format!("elsewhere {arguments} --watch --interval 9 --forget 30 to postgres://one\n"));
    put_program(hookbin.parent().unwrap(), "beside");
    assert_eq!(sync(&sandbox, &hookbin, &[], &env).stdout, format!("beside {arguments} --once to postgres://one\n"));
}

#[test]
fn the_server_comes_from_the_environment_or_the_persons_file_and_no_other_variable() {
    let sandbox = Sandbox::new();
    let hookbin = alone(&sandbox);
    put_program(hookbin.parent().unwrap(), "beside");
    let config = sandbox.home().join(".config/hookbin/hookbin.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(&config, "[registry]\nurl = \"postgres://file\"\n").unwrap();
    // A project that came from elsewhere names no server.
    sandbox.write(".claude/hookbin.toml", "[registry]\nurl = \"postgres://project\"\n");
    let to = |env: &[(&str, &str)]| {
        let said = sync(&sandbox, &hookbin, &[], env).stdout;
        said.trim_end().rsplit(' ').next().unwrap().to_owned()
    };
    let usual = ("DATABASE_URL", "postgres://usual");
    assert_eq!(to(&[usual, ("HOOKBIN_REGISTRY_URL", "postgres://direnv")]), "postgres://file");
    sandbox.note_environment("HOOKBIN_REGISTRY_URL\n");
    assert_eq!(to(&[usual, ("HOOKBIN_REGISTRY_URL", "postgres://own")]), "postgres://own");
    assert_eq!(to(&[usual]), "postgres://file");
    fs::remove_file(&config).unwrap();
    let ran = sync(&sandbox, &hookbin, &[], &[usual]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(64), ""), "{ran:?}");
    assert!(!ran.stderr.contains("DATABASE_URL"), "{ran:?}");
}
